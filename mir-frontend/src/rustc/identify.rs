//! Finds out for each item of a dump what it is: its canonical path, what it belongs to, its generics.
//!
//! The header of an item in an implementation gives only the implementation's place. Its type and trait come from
//! the header of its control-flow graph, its generics from rustdoc, found by the place or, where macros made the
//! implementation, by type and trait. Where rustdoc knows nothing the graph's types show which names are
//! parameters.

use std::collections::{HashMap, HashSet};

use regress_core::ir::{
    Bound, Const, ConstTy, FunctionKind, GenericArg, GenericParam, GenericParamKind, Name, Path, TraitRef,
    Ty, TyKind, Visibility,
};

use super::cfg_headers::GraphHeader;
use super::items::{Content, CopyOf, ItemKeyword, RawItem};
use super::paths::{ItemPath, Segment, is_mirror_inherent, last_args, path_below};
use super::rustdoc::{DocSpan, Docs, FnDoc, ImplDoc};
use super::scope::{
    CrateNames, FnShape, Names, Param, Scope, ShapePattern, UnknownNames, UnlistedNames, generics_of,
    parent_and_name, type_head,
};
use super::spans::position;
use super::types::Parser;

/// An item of the program whose body has not been read yet.
#[derive(Debug)]
pub struct Shell {
    pub item: usize,
    pub path: Path,
    pub kind: FunctionKind,
    pub owner: OwnerDraft,
    pub own: Vec<Param>,
    pub bounds: Vec<Bound>,
    pub span: Option<DocSpan>,
    pub visibility: Visibility,
    /// Why it could not be identified.
    pub unknown: Option<String>,
    pub told_by: ToldBy,
}

/// How it is known what an item of an implementation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// The compiler or rustdoc says it.
    Itself,
    /// Another item of the same place does: where a macro made several implementations there, it may be of another one.
    Sibling,
}

#[derive(Clone, Debug)]
pub enum OwnerDraft {
    Free,
    Inherent {
        generics: Vec<GenericParam>,
        self_ty: Ty,
    },
    Impl(usize),
    Trait(Path),
    /// Position of another shell of the same crate.
    Within(usize),
    /// An implementation that could not be told.
    Unknown,
}

impl OwnerDraft {
    /// Whether both are one implementation, as far as its type and trait say.
    fn is_same(&self, other: &OwnerDraft) -> bool {
        match (self, other) {
            (OwnerDraft::Inherent { self_ty: one, .. }, OwnerDraft::Inherent { self_ty: two, .. }) => {
                one == two
            }
            (OwnerDraft::Impl(one), OwnerDraft::Impl(two)) => one == two,
            _ => false,
        }
    }
}

/// A trait implementation that is being put together.
#[derive(Clone, Debug)]
pub struct ImplDraft {
    pub generics: Vec<GenericParam>,
    pub trait_ref: TraitRef,
    pub bounds: Vec<TraitRef>,
    pub equalities: Vec<(Ty, Ty)>,
    pub types: Vec<(Name, Ty)>,
}

#[derive(Debug, Default)]
pub struct Identified {
    pub shells: Vec<Shell>,
    pub impls: Vec<ImplDraft>,
    pub shapes: Vec<(Name, FnShape)>,
}

/// One crate's dumps, cut up.
pub struct CrateText<'a> {
    pub items: &'a [RawItem<'a>],
    /// For each item its graph's header.
    pub graphs: Vec<Option<&'a GraphHeader>>,
    pub docs: &'a Docs,
    pub krate: &'a CrateNames,
}

pub fn identify(text: &CrateText<'_>, names: &Names) -> Identified {
    let mut identifier = Identifier {
        text,
        names,
        out: Identified::default(),
        by_raw: HashMap::new(),
        runs: HashMap::new(),
        run_owner: HashMap::new(),
        pending: Vec::new(),
        doc_impls: HashMap::new(),
        undocumented: HashMap::new(),
        by_start: HashMap::new(),
        by_trait: HashMap::new(),
    };
    identifier.documented_impls();
    for index in 0..text.items.len() {
        if text.items[index].copy_of == CopyOf::Program {
            identifier.item(index);
        }
    }
    identifier.resolve_pending();
    identifier.out
}

struct Identifier<'t, 'a> {
    text: &'t CrateText<'a>,
    names: &'t Names,
    out: Identified,
    /// The last shell of a printed path.
    by_raw: HashMap<&'a str, usize>,
    /// Names seen in the present implementation at a place; a repetition begins the next one of a macro.
    runs: HashMap<&'a str, (usize, Vec<&'a str>)>,
    /// What the items of one run belong to; none if to several.
    run_owner: HashMap<(&'a str, usize), Option<OwnerDraft>>,
    /// Items without graph (literal constants, or all if the graphs do not fit), whose implementation only their siblings know.
    pending: Vec<Pending<'a>>,
    /// Draft of each documented trait implementation.
    doc_impls: HashMap<usize, usize>,
    undocumented: HashMap<TraitRef, usize>,
    /// Documented implementations by where they begin, and by the path of their trait.
    by_start: HashMap<(&'t str, (u32, u32)), Vec<usize>>,
    by_trait: HashMap<Option<&'t Path>, Vec<usize>>,
}

/// An item of the implementation at a place of which nothing is known yet.
struct Pending<'a> {
    shell: usize,
    at: &'a str,
    run: usize,
    /// So many names stand behind the implementation: more than one if the item is one in the body of another.
    depth: usize,
}

/// What is known about an item before its owner is.
struct Facts<'a> {
    index: usize,
    raw: &'a str,
    kind: FunctionKind,
}

/// What a bound says of associated types, as pairs of a projection and the type that it is.
fn equalities(bound: &Bound) -> impl Iterator<Item = (Ty, Ty)> {
    bound.assoc_types.iter().map(|(name, ty)| {
        let trait_ref = bound.trait_ref.clone();
        (Ty::new(TyKind::Projection { trait_ref, name: name.clone() }), ty.clone())
    })
}

impl<'t, 'a> Identifier<'t, 'a> {
    fn documented_impls(&mut self) {
        let docs: &'t Docs = self.text.docs;
        for (index, doc) in docs.impls.iter().enumerate() {
            if let Some(span) = &doc.span {
                self.by_start.entry((&span.file, span.start)).or_default().push(index);
            }
            self.by_trait.entry(doc.trait_ref.as_ref().map(|of| &of.path)).or_default().push(index);
            let Some(trait_ref) = &doc.trait_ref else { continue };
            if is_mirror_inherent(&trait_ref.path) {
                continue;
            }
            self.out.impls.push(ImplDraft {
                generics: generics_of(&doc.params),
                trait_ref: trait_ref.clone(),
                bounds: doc.bounds.iter().map(|bound| bound.trait_ref.clone()).collect(),
                equalities: doc.bounds.iter().flat_map(equalities).collect(),
                types: doc.types.iter().map(|(name, ty)| (name.clone(), ty.clone())).collect(),
            });
            self.doc_impls.insert(index, self.out.impls.len() - 1);
        }
    }

    fn item(&mut self, index: usize) {
        let item = &self.text.items[index];
        let raw = item.name();
        let kind = match item.keyword {
            ItemKeyword::Fn => FunctionKind::Fn,
            ItemKeyword::Static => FunctionKind::Static,
            ItemKeyword::StaticMut => FunctionKind::StaticMut,
            ItemKeyword::Const | ItemKeyword::Inline => FunctionKind::Const,
            ItemKeyword::Unknown => return self.unknown(index, raw, "a line that begins no known item"),
        };
        let facts = Facts { index, raw, kind };
        if let Some(split) = nested_suffix(raw) {
            return self.nested(&facts, split);
        }
        let scope = Scope::new(self.names, self.text.krate, Vec::new());
        // An implementation in the body of a method: only the innermost place matters.
        let innermost = raw.rfind("<impl at ").map_or(raw, |at| &raw[at..]);
        let path = match Parser::new(innermost, &scope).item_path() {
            Ok(path) => path,
            Err(error) => return self.unknown(index, raw, &error.reason),
        };
        match path {
            ItemPath::Plain(_) => {
                let segments: Vec<&str> = path.rest().iter().map(|segment| segment.name).collect();
                let path = local_path(self.text.krate, &segments);
                self.plain(&facts, path);
            }
            ItemPath::ImplAt { at, rest, .. } => {
                let names: Vec<&'a str> = rest.iter().map(|segment| segment.name).collect();
                self.in_impl(&facts, at, &names);
            }
            ItemPath::OfType { .. } | ItemPath::OfTrait { .. } => {
                self.unknown(index, raw, "a header of an unknown form");
            }
        }
    }

    fn push(
        &mut self,
        facts: &Facts<'a>,
        path: Path,
        owner: OwnerDraft,
        doc: Option<&FnDoc>,
        own: Vec<Param>,
    ) {
        self.by_raw.insert(facts.raw, self.out.shells.len());
        self.out.shells.push(Shell {
            item: facts.index,
            path,
            kind: facts.kind,
            owner,
            own,
            bounds: doc.map(|doc| doc.bounds.clone()).unwrap_or_default(),
            span: doc.and_then(|doc| doc.span.clone()),
            visibility: doc.map_or(Visibility::Private, |doc| doc.visibility),
            unknown: None,
            told_by: ToldBy::Itself,
        });
    }

    fn unknown(&mut self, index: usize, raw: &'a str, reason: &str) {
        let short: String = raw.chars().take(200).collect();
        self.by_raw.insert(raw, self.out.shells.len());
        self.out.shells.push(Shell {
            item: index,
            path: format!("{}::{short}", self.text.krate.prefix).into(),
            kind: FunctionKind::Fn,
            owner: OwnerDraft::Unknown,
            own: Vec::new(),
            bounds: Vec::new(),
            span: None,
            visibility: Visibility::Private,
            unknown: Some(format!("{reason}: `{short}`")),
            told_by: ToldBy::Itself,
        });
    }

    /// Closures, promoted and inline constants.
    fn nested(&mut self, facts: &Facts<'a>, split: usize) {
        let (parent, suffix) = facts.raw.split_at(split);
        let kind = if suffix.starts_with("::{closure#") {
            FunctionKind::Closure
        } else if suffix.starts_with("::promoted[") {
            FunctionKind::Promoted
        } else {
            FunctionKind::Const
        };
        let facts = Facts { index: facts.index, raw: facts.raw, kind };
        if let Some(parent) = self.by_raw.get(parent).copied() {
            let path = format!("{}{suffix}", self.out.shells[parent].path).into();
            return self.push(&facts, path, OwnerDraft::Within(parent), None, Vec::new());
        }
        // A discriminant, or a length in a declaration: the parent is a type or an implementation.
        let path = match parent.split_once("<impl at ") {
            Some((module, _)) => format!("{}::{module}{{impl}}{suffix}", self.text.krate.prefix),
            None => format!("{}::{parent}{suffix}", self.text.krate.prefix),
        };
        self.push(&facts, path.into(), OwnerDraft::Free, None, Vec::new());
    }

    /// An item outside of implementations.
    fn plain(&mut self, facts: &Facts<'a>, path: Path) {
        let docs = self.text.docs;
        if let Some((parent, name)) = parent_and_name(path.as_str()) {
            let is_constructor = facts.kind == FunctionKind::Fn
                && (self.names.is_adt(path.as_str()) || self.names.variant(parent, name).is_some());
            if is_constructor {
                let adt = if self.names.is_adt(path.as_str()) { path.as_str() } else { parent };
                let own = self.names.adts.get(adt).map(|shape| shape.params.clone()).unwrap_or_default();
                let facts = Facts { kind: FunctionKind::Constructor, ..*facts };
                return self.push(&facts, path, OwnerDraft::Free, None, own);
            }
            if let Some(trait_doc) = docs.traits.iter().find(|doc| doc.path == parent) {
                let doc = trait_doc.items.get(name);
                let known: Vec<GenericParam> = std::iter::once(Param::ty("Self").generic())
                    .chain(generics_of(&trait_doc.params))
                    .collect();
                let own = self.own_params(facts.index, doc, &known);
                let owner = OwnerDraft::Trait(trait_doc.path.clone());
                return self.push(facts, path, owner, doc, own);
            }
        }
        match docs.functions.get(&path) {
            Some(doc) => {
                let own = self.own_params(facts.index, Some(doc), &[]);
                self.push(facts, path, OwnerDraft::Free, Some(doc), own);
            }
            None => self.in_body(facts, path),
        }
    }

    /// An item that is declared in a body: rustdoc does not list it. It sees none of the parameters around, and may have others of their names.
    fn in_body(&mut self, facts: &Facts<'a>, path: Path) {
        let shown = self.graph_params(facts.index);
        let (own, unknown) = match self.declared_in_body(facts, &shown).as_slice() {
            [only] => (only.clone(), false),
            // Lifetimes may have numbers too: some are refused that are known, but no argument is taken for that of another parameter.
            [] => {
                let params = self.text.graphs[facts.index].map(GraphHeader::params).unwrap_or_default();
                let is_listed = self.text.krate.unlisted == UnlistedNames::AreParams;
                (shown, is_listed && params.iter().zip(0..).any(|((index, _), at)| *index != at))
            }
            _ => (shown, true),
        };
        self.push(facts, path, OwnerDraft::Free, None, own);
        if unknown && let Some(shell) = self.out.shells.last_mut() {
            shell.unknown = Some("which parameters it has is not known".to_owned());
        }
    }

    /// The parameters that the source declares for a function in a body: several lists if there are other functions of the same name in functions of the
    /// same name. `shown` are those that its graph mentions.
    fn declared_in_body(&self, facts: &Facts<'a>, shown: &[Param]) -> Vec<Vec<Param>> {
        let mut names = facts.raw.rsplit("::").filter(|name| !name.starts_with(['{', '<'])).map(last_segment);
        let (Some(name), around) = (names.next(), names.next().unwrap_or_default()) else {
            return Vec::new();
        };
        let declared = self.text.krate.generics_in_bodies.get(&format!("{around}::{name}"));
        let declared = declared.filter(|_| facts.kind == FunctionKind::Fn).into_iter().flatten();
        let (synthetic, named): (Vec<&Param>, Vec<&Param>) =
            shown.iter().partition(|param| param.name.as_str().starts_with("impl "));
        let fits = |declared: &&Vec<GenericParam>| {
            named.iter().all(|param| declared.iter().any(|known| known.name == param.name))
        };
        let params = |declared: &Vec<GenericParam>| {
            let own =
                declared.iter().map(|param| Param { kind: param.kind, ..Param::ty(param.name.as_str()) });
            own.chain(synthetic.iter().copied().cloned()).collect()
        };
        // What is not read may be anything.
        if declared.clone().any(Option::is_none) {
            return vec![shown.to_vec(), Vec::new()];
        }
        declared.flatten().filter(fits).map(params).collect()
    }

    /// The item's own parameters: documented ones, else those that the graph mentions and the owner does not have.
    fn own_params(&self, index: usize, doc: Option<&FnDoc>, of_owner: &[GenericParam]) -> Vec<Param> {
        if let Some(doc) = doc {
            return doc.params.clone();
        }
        self.graph_params(index)
            .into_iter()
            .filter(|param| !of_owner.iter().any(|known| known.name == param.name))
            .collect()
    }

    fn graph_params(&self, index: usize) -> Vec<Param> {
        let Some(graph) = self.text.graphs[index] else { return Vec::new() };
        graph
            .params()
            .into_iter()
            .map(|(_, name)| Param {
                kind: match graph.is_array_length(name) {
                    true => GenericParamKind::Const(ConstTy::USIZE),
                    false => GenericParamKind::Type,
                },
                ..Param::ty(name)
            })
            .collect()
    }

    /// An item of the implementation at a place.
    fn in_impl(&mut self, facts: &Facts<'a>, at: &'a str, names: &[&'a str]) {
        let name = names[0];
        let run = self.run_of(at, name, names.len());
        let Some(graph) = self.text.graphs[facts.index] else {
            if let Some(path) = self.path_in_body(facts.raw, names.len()) {
                return self.push(facts, path, OwnerDraft::Free, None, Vec::new());
            }
            self.pending.push(Pending { shell: self.out.shells.len(), at, run, depth: names.len() });
            return self.push(facts, Path::from(facts.raw), OwnerDraft::Free, None, Vec::new());
        };
        let placed = self.docs_at(at);
        let mut generics: Vec<GenericParam> = match placed.first() {
            Some(index) => generics_of(&self.text.docs.impls[*index].params),
            None => Vec::new(),
        };
        for param in self.graph_params(facts.index) {
            if !generics.iter().any(|known| known.name == param.name) {
                generics.push(param.generic());
            }
        }
        let mut scope = Scope::new(self.names, self.text.krate, generics);
        // Without rustdoc's lists a type of the crate looks like a parameter, and its implementation like one for all types. So
        // only what the graph shows to be a parameter is one, and others are items that nobody knows.
        if placed.is_empty() && self.text.krate.unlisted == UnlistedNames::AreParams {
            scope.unknown_names = UnknownNames::AreParams;
        }
        let header = match Parser::new(graph.signature(), &scope).item_path() {
            Ok(header) => header,
            Err(error) => {
                return self.unknown(
                    facts.index,
                    facts.raw,
                    &format!("its graph's header: {}", error.reason),
                );
            }
        };
        let (self_ty, trait_ref) = match header {
            // An implementation in a method's body, of a type declared there.
            ItemPath::OfTrait { trait_ref, rest } if rest.len() > names.len() => {
                let base = Parser::new("", &scope).trait_base(&trait_ref);
                (local_ty(&base, &rest[..rest.len() - names.len()]), None)
            }
            ItemPath::OfType { self_ty, rest } if rest.len() > names.len() => {
                (local_ty(&type_head(&self_ty), &rest[..rest.len() - names.len()]), None)
            }
            ItemPath::OfTrait { trait_ref, .. } => (trait_ref.self_ty.clone(), Some(trait_ref)),
            ItemPath::OfType { self_ty, .. } => (self_ty, None),
            ItemPath::Plain(segments) => {
                // `Type::<Args>::name`, or with further names if the item stands in a function.
                let Some(len) = segments.len().checked_sub(names.len()).filter(|len| *len > 0) else {
                    return self.unknown(facts.index, facts.raw, "its graph's header names no type");
                };
                let parents = &segments[..len];
                let path: Vec<&str> = parents.iter().map(|segment| segment.name).collect();
                let path = self.names.canonical(self.text.krate, &path);
                let mut args = last_args(parents);
                self.names.complete_adt_args(&path, &mut args);
                (Ty::new(TyKind::Adt(path, args)), None)
            }
            ItemPath::ImplAt { .. } => {
                return self.unknown(facts.index, facts.raw, "its graph's header names a place");
            }
        };
        self.settle(facts, names, &placed, self_ty, trait_ref);
        if let Some(shell) = self.out.shells.last()
            && names.len() == 1
        {
            let owner = shell.owner.clone();
            let known = self.run_owner.entry((at, run)).or_insert_with(|| Some(owner.clone()));
            if known.as_ref().is_some_and(|known| !known.is_same(&owner)) {
                *known = None;
            }
        }
    }

    /// The path of an item that stands `depth - 1` names deep in the body of an item of an implementation (a constant of a trait declared
    /// there, say), if that item is known.
    fn path_in_body(&self, raw: &str, depth: usize) -> Option<Path> {
        let mut around = raw;
        for _ in 1..depth {
            around = around.rsplit_once("::")?.0;
            if let Some(shell) = self.by_raw.get(around) {
                let below = raw[around.len()..].replace("::r#", "::");
                return Some(format!("{}{below}", self.out.shells[*shell].path).into());
            }
        }
        None
    }

    /// Counts the implementations that share a place.
    fn run_of(&mut self, at: &'a str, name: &'a str, depth: usize) -> usize {
        let (run, seen) = self.runs.entry(at).or_default();
        if depth == 1 {
            if seen.contains(&name) {
                *run += 1;
                seen.clear();
            }
            seen.push(name);
        }
        *run
    }

    /// Documented implementations that begin at a place.
    fn docs_at(&self, at: &str) -> Vec<usize> {
        let Some((file, [line, col, ..])) = position(at) else { return Vec::new() };
        self.by_start.get(&(file, (line, col))).cloned().unwrap_or_default()
    }

    /// Puts an item of an implementation in its place, now that type and trait are known.
    fn settle(
        &mut self,
        facts: &Facts<'a>,
        names: &[&'a str],
        placed: &[usize],
        self_ty: Ty,
        trait_ref: Option<TraitRef>,
    ) {
        let doc_index = self.find_doc(placed, &self_ty, trait_ref.as_ref(), names[0]);
        let doc = doc_index.map(|index| &self.text.docs.impls[index]);
        let generics = match doc {
            Some(doc) => generics_of(&doc.params),
            None => self.mentioned_params(facts.index, &self_ty, trait_ref.as_ref()),
        };
        let self_ty = with_constants(&generics, |parameter| self_ty.map(&mut |ty| ty, parameter));
        let trait_ref =
            trait_ref.map(|of| with_constants(&generics, |parameter| of.map(&mut |ty| ty, parameter)));
        let mirror_inherent = trait_ref.as_ref().is_some_and(|trait_ref| is_mirror_inherent(&trait_ref.path));
        let base = match &trait_ref {
            Some(trait_ref) if !mirror_inherent => self.names.elided_trait_ref(trait_ref).to_string(),
            _ => type_head(&self_ty),
        };
        let path = Path::from(format!("{base}::{}", names.join("::")));
        if names.len() > 1 {
            return self.in_body(facts, path);
        }
        let fn_doc = doc.and_then(|doc| doc.items.get(names[0]));
        let own = self.own_params(facts.index, fn_doc, &generics);
        let pattern = match &trait_ref {
            Some(trait_ref) if !mirror_inherent => ShapePattern::Trait(trait_ref.clone()),
            _ => ShapePattern::Inherent(self_ty.clone()),
        };
        let shape = FnShape { path: path.clone(), owner_generics: generics.clone(), pattern };
        self.out.shapes.push((names[0].into(), shape));
        let owner = match trait_ref {
            Some(trait_ref) if !mirror_inherent => {
                OwnerDraft::Impl(self.impl_draft(doc_index, generics, trait_ref))
            }
            _ => OwnerDraft::Inherent { generics, self_ty },
        };
        let of_impl = doc.map(|doc| doc.bounds.clone()).unwrap_or_default();
        self.push(facts, path, owner, fn_doc, own);
        if let Some(shell) = self.out.shells.last_mut() {
            shell.bounds.extend(of_impl);
        }
    }

    fn impl_draft(&mut self, doc: Option<usize>, generics: Vec<GenericParam>, trait_ref: TraitRef) -> usize {
        if let Some(draft) = doc.and_then(|doc| self.doc_impls.get(&doc)) {
            // The compiler's spelling is the one that calls are matched with.
            self.out.impls[*draft].trait_ref = trait_ref;
            return *draft;
        }
        let impls = &mut self.out.impls;
        *self.undocumented.entry(trait_ref.clone()).or_insert_with(|| {
            impls.push(ImplDraft {
                generics,
                trait_ref,
                bounds: Vec::new(),
                equalities: Vec::new(),
                types: Vec::new(),
            });
            impls.len() - 1
        })
    }

    /// The documented implementation of a type and trait; of those at the place of the item first.
    fn find_doc(
        &self,
        placed: &[usize],
        self_ty: &Ty,
        trait_ref: Option<&TraitRef>,
        name: &str,
    ) -> Option<usize> {
        let impls = &self.text.docs.impls;
        let same_types = |doc: &ImplDoc| {
            let generics = generics_of(&doc.params);
            let named = with_constants(&generics, |parameter| self_ty.map(&mut |ty| ty, parameter));
            doc.self_ty == named
                && match (&doc.trait_ref, trait_ref) {
                    (Some(doc), Some(header)) => {
                        doc.args
                            == with_constants(&generics, |parameter| header.map(&mut |ty| ty, parameter)).args
                    }
                    _ => true,
                }
        };
        // At the right place the trait's name suffices: rustdoc may know a foreign trait by another path.
        let same_name = |doc: &ImplDoc| match (&doc.trait_ref, trait_ref) {
            (Some(doc), Some(header)) => last_name(&doc.path) == last_name(&header.path),
            (None, None) => true,
            _ => false,
        };
        // What a derive puts into bodies has its place as well.
        let other_type = |doc: &ImplDoc| match (doc.self_ty.kind(), self_ty.kind()) {
            (TyKind::Adt(doc, _), TyKind::Adt(header, _)) => last_name(doc) != last_name(header),
            _ => false,
        };
        let fits = |index: &usize| same_name(&impls[*index]) && !other_type(&impls[*index]);
        let mut here: Vec<usize> = placed.iter().copied().filter(fits).collect();
        if here.len() > 1 {
            here.retain(|index| same_types(&impls[*index]));
        }
        if here.len() == 1 {
            return here.pop();
        }
        let everywhere = self.by_trait.get(&trait_ref.map(|of| &of.path)).map_or(&[][..], Vec::as_slice);
        everywhere.iter().copied().find(|index| {
            let doc = &impls[*index];
            same_types(doc) && (trait_ref.is_some() || doc.items.contains_key(name))
        })
    }

    /// The graph's parameters that an implementation's type and trait mention.
    fn mentioned_params(
        &self,
        index: usize,
        self_ty: &Ty,
        trait_ref: Option<&TraitRef>,
    ) -> Vec<GenericParam> {
        let mut mentioned: Vec<Name> = Vec::new();
        let mut note = |ty: &Ty| {
            ty.map(
                &mut |ty| {
                    if let TyKind::Param(name) = ty.kind()
                        && !mentioned.contains(name)
                    {
                        mentioned.push(name.clone());
                    }
                    ty
                },
                &mut |constant| constant,
            );
        };
        note(self_ty);
        for arg in trait_ref.iter().flat_map(|trait_ref| &trait_ref.args) {
            if let GenericArg::Ty(ty) = arg {
                note(ty);
            }
        }
        let text = format!("{self_ty} {}", trait_ref.map(TraitRef::to_string).unwrap_or_default());
        let mut out: Vec<GenericParam> =
            mentioned.into_iter().map(|name| GenericParam { name, kind: GenericParamKind::Type }).collect();
        for param in self.graph_params(index) {
            let is_const = matches!(param.kind, GenericParamKind::Const(_));
            if is_const && text.contains(param.name.as_str()) && !out.iter().any(|p| p.name == param.name) {
                out.push(param.generic());
            }
        }
        out
    }

    /// Constants whose header is all there is belong where their siblings do, or where rustdoc says.
    fn resolve_pending(&mut self) {
        let mut taken: HashSet<(usize, &str)> = HashSet::new();
        let mut unresolved = Vec::new();
        let pending = std::mem::take(&mut self.pending);
        let mut at_place: HashMap<(&str, &str), usize> = HashMap::new();
        for Pending { shell, at, .. } in &pending {
            *at_place.entry((*at, self.const_name(*shell))).or_default() += 1;
        }
        for Pending { shell, at, run, depth } in pending {
            if depth > 1 {
                let raw = self.text.items[self.out.shells[shell].item].name();
                match self.path_in_body(raw, depth) {
                    Some(path) => self.out.shells[shell].path = path,
                    None => self.is_unknown(shell),
                }
                continue;
            }
            let name = self.const_name(shell);
            let placed = self.docs_at(at);
            let has_name = |index: &usize| self.text.docs.impls[*index].items.contains_key(name);
            let sibling = self.run_owner.get(&(at, run)).cloned().flatten();
            let doc_of_sibling = match &sibling {
                Some(OwnerDraft::Impl(draft)) => self.doc_of_draft(*draft),
                _ => None,
            };
            let mut fitting = placed.iter().copied().filter(has_name);
            let by_place = fitting.next().filter(|_| fitting.next().is_none());
            // Implementations that a procedural macro puts in one place are told apart by their members.
            let sibling = sibling.filter(|_| doc_of_sibling.is_none_or(|doc| has_name(&doc)));
            // The only one at the place that has the name.
            if let Some(doc) = by_place
                && !self.is_for_untold(&self.owner_of_doc(doc))
            {
                taken.insert((doc, name));
                self.own_item(shell, self.owner_of_doc(doc), Some(doc));
                // Another may stand in a body, where rustdoc does not look.
                if at_place.get(&(at, name)).is_some_and(|count| *count > 1) {
                    self.out.shells[shell].told_by = ToldBy::Sibling;
                }
                continue;
            }
            match sibling {
                Some(owner) if !self.is_for_untold(&owner) => {
                    let doc = doc_of_sibling.filter(has_name);
                    taken.extend(doc.map(|doc| (doc, name)));
                    self.own_item(shell, owner, doc);
                    self.out.shells[shell].told_by = ToldBy::Sibling;
                }
                _ => unresolved.push(shell),
            }
        }
        for shell in unresolved {
            match self.doc_with_value(shell, &taken) {
                Some(doc) if !self.is_for_untold(&self.owner_of_doc(doc)) => {
                    taken.insert((doc, self.const_name(shell)));
                    self.own_item(shell, self.owner_of_doc(doc), Some(doc));
                }
                _ => self.is_unknown(shell),
            }
        }
        self.of_equal_value();
    }

    fn is_unknown(&mut self, shell: usize) {
        let raw = self.text.items[self.out.shells[shell].item].name();
        let shell = &mut self.out.shells[shell];
        shell.path = format!("{}::{raw}", self.text.krate.prefix).into();
        shell.owner = OwnerDraft::Unknown;
        shell.unknown = Some(format!("the implementation of `{raw}` is not known"));
    }

    /// Whether the implementation is for a type that rustdoc does not tell, as it does not those in bodies: no call would be found to mean it.
    fn is_for_untold(&self, owner: &OwnerDraft) -> bool {
        let mut untold = false;
        let mut look = |ty: Ty| {
            untold |= matches!(ty.kind(), TyKind::Unsupported(_));
            ty
        };
        let mut keep = |constant| constant;
        match owner {
            OwnerDraft::Inherent { self_ty, .. } => drop(self_ty.map(&mut look, &mut keep)),
            OwnerDraft::Impl(draft) => drop(self.out.impls[*draft].trait_ref.map(&mut look, &mut keep)),
            OwnerDraft::Free | OwnerDraft::Trait(_) | OwnerDraft::Within(_) | OwnerDraft::Unknown => {}
        }
        untold
    }

    /// Where all constants of a name that are of unknown implementations have one value, it does not matter which is meant: they are known by
    /// name and value, wherever they stand.
    fn of_equal_value(&mut self) {
        let items = self.text.items;
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, shell) in self.out.shells.iter().enumerate() {
            if matches!(shell.owner, OwnerDraft::Unknown) {
                by_name.entry(last_segment(items[shell.item].name())).or_default().push(index);
            }
        }
        for (name, shells) in by_name {
            let value = |index: &usize| {
                let item = &items[self.out.shells[*index].item];
                match (self.out.shells[*index].kind, &item.content) {
                    (FunctionKind::Const, Content::Value(value)) => {
                        Some((&item.header[item.name().len()..], *value))
                    }
                    _ => None,
                }
            };
            let first = value(&shells[0]);
            if first.is_none() || shells.iter().any(|index| value(index) != first) {
                continue;
            }
            for index in shells {
                let shell = &mut self.out.shells[index];
                shell.path = format!("{}::{{impl}}::{name}", self.text.krate.prefix).into();
                shell.unknown = None;
            }
        }
    }

    fn const_name(&self, shell: usize) -> &'a str {
        last_segment(self.text.items[self.out.shells[shell].item].name())
    }

    fn doc_of_draft(&self, draft: usize) -> Option<usize> {
        self.doc_impls.iter().find(|(_, known)| **known == draft).map(|(doc, _)| *doc)
    }

    fn owner_of_doc(&self, index: usize) -> OwnerDraft {
        match self.doc_impls.get(&index) {
            Some(draft) => OwnerDraft::Impl(*draft),
            None => {
                let doc = &self.text.docs.impls[index];
                OwnerDraft::Inherent { generics: generics_of(&doc.params), self_ty: doc.self_ty.clone() }
            }
        }
    }

    fn own_item(&mut self, shell: usize, owner: OwnerDraft, doc: Option<usize>) {
        let name = self.const_name(shell);
        let base = match &owner {
            OwnerDraft::Impl(draft) => {
                self.names.elided_trait_ref(&self.out.impls[*draft].trait_ref).to_string()
            }
            OwnerDraft::Inherent { self_ty, .. } => type_head(self_ty),
            OwnerDraft::Free | OwnerDraft::Trait(_) | OwnerDraft::Within(_) | OwnerDraft::Unknown => {
                self.text.krate.prefix.clone()
            }
        };
        let doc = doc.and_then(|index| self.text.docs.impls[index].items.get(name));
        let shell = &mut self.out.shells[shell];
        shell.owner = owner;
        shell.path = format!("{base}::{name}").into();
        if let Some(doc) = doc {
            shell.own = doc.params.clone();
            shell.span = doc.span.clone();
            shell.visibility = doc.visibility;
        }
    }

    /// A macro's implementations that hold nothing but literal constants cannot be told apart by their text. Which
    /// of them gets which of several equal constants makes no difference, so one of equal value is taken.
    fn doc_with_value(&self, shell: usize, taken: &HashSet<(usize, &str)>) -> Option<usize> {
        let name = self.const_name(shell);
        let Content::Value(text) = self.text.items[self.out.shells[shell].item].content else { return None };
        let scope = Scope::new(self.names, self.text.krate, Vec::new());
        let value = Parser::new(text, &scope).constant().ok()?;
        self.text.docs.impls.iter().enumerate().map(|(index, _)| index).find(|index| {
            let doc = self.text.docs.impls[*index].items.get(name);
            let literal = doc.and_then(|doc| doc.literal.as_ref());
            literal == Some(&value) && !taken.contains(&(*index, name))
        })
    }
}

/// A type declared in the body of a method.
fn local_ty(base: &str, segments: &[Segment<'_>]) -> Ty {
    Ty::new(TyKind::Adt(path_below(base, segments), last_args(segments)))
}

/// What the map makes of its constants: a single word that is none of the parameters is the name of a constant.
fn with_constants<T>(generics: &[GenericParam], map: impl FnOnce(&mut dyn FnMut(Const) -> Const) -> T) -> T {
    map(&mut |constant| match constant {
        Const::Param(name) if generics.iter().all(|param| param.name != name) => {
            Const::Unsupported(name.to_string())
        }
        constant => constant,
    })
}

fn last_name(path: &Path) -> &str {
    last_segment(path.as_str())
}

/// The name at the end of a path as it is printed.
pub fn last_segment(path: &str) -> &str {
    let name = path.rsplit("::").next().unwrap_or(path);
    name.strip_prefix("r#").unwrap_or(name)
}

/// Items of the dump's own crate are printed without it, whatever crates there are of that name.
fn local_path(krate: &CrateNames, segments: &[&str]) -> Path {
    format!("{}::{}", krate.prefix, segments.join("::")).into()
}

/// Where the last part of a path begins if that is a closure, a promoted or an inline constant.
fn nested_suffix(raw: &str) -> Option<usize> {
    let at = raw.rfind("::")?;
    let last = &raw[at + 2..];
    (last.starts_with('{') || last.starts_with("promoted[")).then_some(at)
}
