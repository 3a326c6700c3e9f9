//! Puts the dumps of all crates together into one program.
//!
//! Order matters: first all names (types and traits of every crate), then what each item is, then signatures and
//! bodies, which may name anything.

use std::collections::{BTreeMap, HashMap, HashSet};

use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{
    AggregateKind, Block, BlockRole, Body, Bound, FnBody, FnId, Function, FunctionKind, GenericArg,
    GenericParam, ImplId, Local, LocalId, Name, Operand, Origin, Owner, Path, Place, Program, ReExport,
    Rvalue, Span, Statement, StatementKind, Terminator, TerminatorKind, Trait, TraitImpl, TraitRef, Ty,
    TyKind,
};

use super::bodies::{BodyText, Unreadable, extent, parse_body};
use super::cfg_headers::GraphHeader;
use super::documented;
use super::expanded::TypeInBody;
use super::field_types::work_out_constants;
use super::identify::{CrateText, Identified, OwnerDraft, Shell, ToldBy, identify, last_segment};
use super::items::{self, Content, ItemKeyword, RawItem};
use super::join::{Captures, StableBodies, closure_operands, graphs, join_graphs};
use super::library::Library;
use super::rustdoc::{self, Alias, AliasOf, DocSpan, Docs, FnDoc};
use super::scope::{
    AdtShape, CrateNames, ItemIs, ItemsInBody, Names, Param, Scope, UnlistedNames, generics_of,
};
use super::spans::Files;
use super::std_types;
use super::types::{Parser, unsupported};
use super::types_in_bodies;
use super::unnamed_consts::{self, ToldApart};
use super::{CrateDump, Declarations, FrontendError, Rustdoc};

/// Makes one program of the dumps of a package and of everything it depends on.
pub fn build_program(dumps: &[CrateDump<'_>]) -> Result<Program, FrontendError> {
    build_program_on(&Library::default(), dumps)
}

/// The same, with the items of a library below those of the crates.
pub fn build_program_on(library: &Library, dumps: &[CrateDump<'_>]) -> Result<Program, FrontendError> {
    Ok(link_onto(library, dumps)?.program)
}

/// A library with these crates besides.
pub(super) fn link_onto(library: &Library, dumps: &[CrateDump<'_>]) -> Result<Library, FrontendError> {
    let mut seen = HashSet::new();
    if let Some(twice) = dumps.iter().find(|dump| !seen.insert(dump.crate_name)) {
        return Err(FrontendError::DuplicateCrate { crate_name: twice.crate_name.to_owned() });
    }
    let docs = dumps.iter().map(docs_of).collect::<Result<Vec<Docs>, _>>()?;
    let told_apart: Vec<Option<ToldApart>> = dumps.iter().zip(&docs).map(told_apart).collect();
    let each = dumps.iter().zip(docs).zip(&told_apart);
    let mut crates = each
        .map(|((dump, docs), told_apart)| CrateParts::read(dump, docs, told_apart.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let Library { mut names, mut program } = library.clone();
    let mut files = Files::from(std::mem::take(&mut program.files));
    std_types::add_traits(&mut names);
    add_types(&mut crates, &mut names, &mut program, &mut files);
    let crates = crates;

    let all_graphs: Vec<Vec<Option<&GraphHeader>>> = crates.iter().map(CrateParts::graph_of_items).collect();
    let identified: Vec<Identified> = crates
        .iter()
        .zip(&all_graphs)
        .map(|(parts, graphs)| {
            let text = CrateText {
                items: &parts.items,
                graphs: graphs.clone(),
                docs: &parts.docs,
                krate: &parts.names,
            };
            identify(&text, &names)
        })
        .collect();
    for found in &identified {
        for (name, shape) in &found.shapes {
            names.shapes.entry(name.clone()).or_default().push(shape.clone());
        }
        for shell in &found.shells {
            names.fn_params.entry(shell.path.clone()).or_insert_with(|| shell.own.clone());
        }
    }

    let mut in_bodies = Vec::new();
    for ((dump, parts), found) in dumps.iter().zip(&crates).zip(&identified) {
        names.split_paths.extend(split_paths(dump, parts, found));
        in_bodies.push(types_in_bodies::find(parts.types_in_bodies, &parts.names.prefix, found, &mut names));
    }
    let mut linker = Linker { program, files, names: &names };
    let with_text = crates.iter().zip(identified.iter().zip(&all_graphs));
    for ((dump, in_bodies), (parts, (found, graphs))) in dumps.iter().zip(&in_bodies).zip(with_text) {
        let first = linker.program.functions.len();
        linker.add_crate(dump, parts, found, graphs);
        let program = &mut linker.program;
        documented::restate(program, dump.crate_name, dump.origin, first);
        let functions = &program.functions.as_slice()[first..];
        work_out_constants(&mut program.adts, &parts.names.prefix, functions);
        for adt in types_in_bodies::completed(in_bodies, &parts.names.prefix, functions) {
            program.declared.in_bodies.insert(adt.path.clone());
            program.adts.push(adt);
        }
    }
    let Linker { mut program, files, .. } = linker;
    program.files = files.into_files();
    mark_tests(&mut program);
    program.build_index();
    Ok(Library { names, program })
}

/// Modules that share their path with something in whose body items are declared: their paths begin alike.
fn split_paths(
    dump: &CrateDump<'_>,
    parts: &CrateParts<'_>,
    found: &Identified,
) -> HashMap<Path, ItemsInBody> {
    let has_body =
        |shell: &&Shell| matches!(shell.owner, OwnerDraft::Free) && shell.kind != FunctionKind::Constructor;
    let with_bodies: HashSet<&Path> = found.shells.iter().filter(has_body).map(|shell| &shell.path).collect();
    let items_in_body = |path: &Path| match dump.declarations {
        None => Some(ItemsInBody::Unknown),
        Some(declarations) => {
            let (_, within_crate) = path.as_str().split_once("::")?;
            declarations.items_in_body_of(within_crate).cloned().map(ItemsInBody::Named)
        }
    };
    let modules = parts.docs.modules.iter().filter(|module| with_bodies.contains(module));
    modules.filter_map(|module| Some((module.clone(), items_in_body(module)?))).collect()
}

fn docs_of(dump: &CrateDump<'_>) -> Result<Docs, FrontendError> {
    match dump.rustdoc {
        Some(Rustdoc::Json(json)) => rustdoc::read(dump.crate_name, json),
        Some(Rustdoc::Read(docs)) => Ok(docs.clone()),
        None => Ok(Docs::default()),
    }
}

/// The dumps with names told apart that several unnamed constants have. Without the expanded source nothing is known of what stands in them.
fn told_apart((dump, docs): (&CrateDump<'_>, &Docs)) -> Option<ToldApart> {
    let declarations = dump.declarations?;
    if !unnamed_consts::may_have_several(dump.mir) {
        return None;
    }
    let items = items::split(dump.mir);
    let graphs = graphs(dump.cfg);
    let dumps = unnamed_consts::Dumps {
        mir: dump.mir,
        graph_of_item: &join_graphs(&items, &graphs),
        items: &items,
        graphs: &graphs,
        types_in_bodies: declarations.types_in_bodies(),
    };
    let prefix = CrateNames::new(dump.crate_name).prefix;
    let is_type = |path: &str| {
        let path = Path::new(format!("{prefix}::{path}"));
        docs.adts.iter().any(|doc| doc.adt.path == path)
    };
    let is_crate = |path: &str| declarations.extern_crates().any(|(known, _)| known == path);
    unnamed_consts::tell_apart(&dumps, &is_type, &is_crate)
}

/// One crate's dumps, cut up, with the names in them.
struct CrateParts<'a> {
    items: Vec<RawItem<'a>>,
    graphs: Vec<GraphHeader>,
    stable: HashMap<usize, &'a str>,
    docs: Docs,
    names: CrateNames,
    types_in_bodies: &'a [TypeInBody],
    /// Items that mention a name of several unnamed constants without it being known which is meant.
    untold: HashMap<usize, String>,
}

impl<'a> CrateParts<'a> {
    fn read(
        dump: &CrateDump<'a>,
        docs: Docs,
        told_apart: Option<&'a ToldApart>,
    ) -> Result<Self, FrontendError> {
        let items = items::split(dump.mir);
        if items.iter().all(|item| item.keyword == ItemKeyword::Unknown)
            && dump.mir.lines().any(|line| !line.is_empty() && !line.starts_with("//"))
        {
            let lines = dump.mir.lines().count();
            return Err(FrontendError::NotADump { crate_name: dump.crate_name.to_owned(), lines });
        }
        let stable = dump.stable_mir.map(|text| StableBodies::split(text).join(&items)).unwrap_or_default();
        let (items, graphs) = match told_apart {
            Some(told) => (items::split(&told.mir), told.graphs.clone()),
            None => (items, graphs(dump.cfg)),
        };
        let mut names = CrateNames::new(dump.crate_name);
        if dump.rustdoc.is_some() {
            names.unlisted = UnlistedNames::AreParams;
        }
        docs.externs.iter().for_each(|name| names.add_extern(name));
        for (first, second) in &docs.locals {
            names.add_local(first, second.as_deref());
        }
        for item in &items {
            add_local_path(item.name(), &mut names);
        }
        for (path, name) in
            dump.declarations.into_iter().flat_map(|declarations| declarations.extern_crates())
        {
            names.bring_in(path, name);
        }
        let in_bodies = dump.declarations.into_iter().flat_map(Declarations::const_parameters_in_bodies);
        names.const_parameters_in_bodies.extend(in_bodies.cloned());
        if let Some(declarations) = dump.declarations {
            names.generics_in_bodies.clone_from(declarations.generics_in_bodies());
            names.type_parameters_in_bodies.extend(declarations.type_parameters_in_bodies().cloned());
        }
        let declared = dump.declarations.map(Declarations::types_in_bodies).unwrap_or_default();
        Ok(CrateParts {
            graphs,
            items,
            stable,
            docs,
            names,
            types_in_bodies: told_apart.map_or(declared, |told| &told.types_in_bodies),
            untold: told_apart.map(|told| told.untold.clone()).unwrap_or_default(),
        })
    }

    fn graph_of_items(&self) -> Vec<Option<&GraphHeader>> {
        join_graphs(&self.items, &self.graphs)
            .into_iter()
            .map(|graph| graph.and_then(|graph| self.graphs.get(graph)))
            .collect()
    }
}

/// The first two segments of a header's path are local names.
fn add_local_path(path: &str, names: &mut CrateNames) {
    let is_name = |segment: &&str| segment.bytes().all(super::cursor::is_ident_byte) && !segment.is_empty();
    let mut segments = path.split("::").take_while(is_name);
    if let Some(first) = segments.next() {
        names.add_local(first, segments.next());
    }
}

fn crate_of(path: &Path) -> &str {
    path.as_str().split("::").next().unwrap_or_default()
}

/// The paths of what has a name in some module of a crate.
fn items_of(docs: &Docs) -> impl Iterator<Item = String> {
    let defined = docs.functions.keys().chain(&docs.modules);
    let types = docs.adts.iter().map(|doc| &doc.adt.path).chain(docs.traits.iter().map(|doc| &doc.path));
    let handed_on = docs.aliases.iter().map(|alias| alias.visible.clone());
    defined.chain(types).map(ToString::to_string).chain(handed_on)
}

/// Enters the types and traits of all crates, then the built-in ones that no crate defines.
fn add_types(crates: &mut [CrateParts<'_>], names: &mut Names, program: &mut Program, files: &mut Files) {
    for parts in &mut *crates {
        // The mirror does not have all that the library has.
        let is_listed = parts.names.unlisted == UnlistedNames::AreParams && parts.names.prefix != "std";
        if is_listed && !parts.docs.hands_on_unlisted {
            let prefix = format!("{}::", parts.names.prefix);
            let shown = parts.docs.aliases.iter().filter_map(|alias| alias.visible.strip_prefix(&prefix));
            let shown = shown.filter(|name| !name.contains("::")).map(str::to_owned);
            let own = parts.names.root_names().map(str::to_owned);
            names.roots.insert(parts.names.prefix.clone(), shown.chain(own).collect());
        }
        for Alias { visible, definition, of } in &parts.docs.aliases {
            let known = match of {
                AliasOf::Scope => &mut names.aliases.scopes,
                AliasOf::Value => &mut names.aliases.values,
            };
            if visible != definition {
                known.entry(visible.clone()).or_insert_with(|| definition.clone());
            }
        }
        for (path, params, ty) in &parts.docs.type_aliases {
            names.type_aliases.insert(path.clone(), (params.clone(), ty.clone()));
        }
        for (module, of) in &parts.docs.globs {
            names.aliases.globs.entry(module.clone()).or_default().push(of.to_string());
        }
        for (definition, name) in &parts.docs.public_names {
            if crate_of(definition) != crate_of(name) {
                program.handed_on.entry(definition.clone()).or_default().push(name.clone());
                continue;
            }
            let known = program.public_names.entry(definition.clone()).or_insert_with(|| name.clone());
            if name.as_str().len() < known.as_str().len() {
                known.clone_from(name);
            }
        }
        for doc in &parts.docs.traits {
            names.traits.insert(doc.path.clone(), doc.params.clone());
        }
        for doc in &parts.docs.adts {
            let shape = std_types::shape_of(&doc.adt, doc.params.clone());
            names.adts.entry(doc.adt.path.clone()).or_insert(shape);
            if doc.lifetimes > 0 {
                program.lifetimes.insert(doc.adt.path.clone(), doc.lifetimes);
            }
            let defaults: Vec<Option<Ty>> = doc.params.iter().map(Param::default_type).collect();
            if defaults.iter().any(Option::is_some) {
                program.param_defaults.insert(doc.adt.path.clone(), defaults);
            }
        }
    }
    if !names.aliases.globs.is_empty() {
        let items = crates.iter().flat_map(|parts| items_of(&parts.docs));
        names.aliases.items.extend(items);
    }
    for adt in std_types::adts() {
        if !names.adts.contains_key(&adt.path) {
            let shape: AdtShape = std_types::shape_of(&adt, std_types::params_of(&adt));
            names.adts.insert(adt.path.clone(), shape);
            program.adts.push(adt);
        }
    }
    names.complete_defaults();
    // Types from JSON lack what MIR fills in; now that all defaults are known they can be completed.
    for parts in crates {
        parts.docs.complete(names);
        for doc in &parts.docs.adts {
            let mut adt = doc.adt.clone();
            adt.span = doc.span.as_ref().map(|span| span_in(span, files));
            program.adts.push(adt);
        }
        program.named_types.append(&mut parts.docs.named_types);
        for doc in &parts.docs.re_exports {
            let span = doc.span.as_ref().map(|span| span_in(span, files));
            let item = ReExport { definition: doc.definition.clone(), span };
            program.re_exports.entry((doc.namespace, doc.name.clone())).or_insert(item);
        }
    }
}

fn span_in(span: &DocSpan, files: &mut Files) -> Span {
    Span {
        file: files.id(&span.file),
        line_start: span.start.0,
        col_start: span.start.1,
        line_end: span.end.0,
        col_end: span.end.1,
    }
}

struct Linker<'n> {
    program: Program,
    files: Files,
    names: &'n Names,
}

/// What is shared by all functions of a crate while they are read.
struct CrateContext<'a, 'p> {
    dump: &'a CrateDump<'a>,
    parts: &'p CrateParts<'a>,
    found: &'p Identified,
    first_fn: usize,
    first_impl: usize,
    /// Captures of each closure, by the path of its body.
    captures: HashMap<&'p Path, Captures>,
}

impl Linker<'_> {
    fn add_crate<'a>(
        &mut self,
        dump: &'a CrateDump<'a>,
        parts: &CrateParts<'a>,
        found: &Identified,
        graphs: &[Option<&GraphHeader>],
    ) {
        let captures = found
            .shells
            .iter()
            .filter(|shell| shell.kind == FunctionKind::Closure)
            .map(|shell| (&shell.path, Captures::of_closure(&parts.items[shell.item], graphs[shell.item])))
            .collect();
        let context = CrateContext {
            dump,
            parts,
            found,
            first_fn: self.program.functions.len(),
            first_impl: self.program.impls.len(),
            captures,
        };
        for shell in &found.shells {
            let function = self.function(shell, &context);
            let id = self.program.functions.push(function);
            let may_be_of_another =
                matches!(shell.owner, OwnerDraft::Unknown) || shell.told_by == ToldBy::Sibling;
            if may_be_of_another && dump.origin != Origin::StdModel {
                let name = last_segment(parts.items[shell.item].name());
                self.program.declared.unidentified.entry(Name::new(name)).or_default().insert(id);
            }
        }
        self.add_impls(&context);
        self.add_traits(&context);
    }

    fn function(&mut self, shell: &Shell, context: &CrateContext<'_, '_>) -> Function {
        let item = &context.parts.items[shell.item];
        let owner = match &shell.owner {
            OwnerDraft::Free | OwnerDraft::Unknown => Owner::Free,
            OwnerDraft::Inherent { generics, self_ty } => {
                Owner::Inherent { generics: generics.clone(), self_ty: self_ty.clone() }
            }
            OwnerDraft::Impl(draft) => Owner::TraitImpl(ImplId::from_usize(context.first_impl + draft)),
            OwnerDraft::Trait(path) => Owner::Trait(path.clone()),
            OwnerDraft::Within(parent) => Owner::Within(FnId::from_usize(context.first_fn + parent)),
        };
        let mut scope =
            Scope::new(self.names, &context.parts.names, generics_in_scope(shell, context.found, self.names));
        scope.body_of = Some(shell.path.clone());
        scope.item = if shell.span.is_some() { ItemIs::Documented } else { ItemIs::MaybeInBody };
        for (alloc, printed) in &item.statics {
            if let Ok(path) = Parser::new(printed, &scope).static_path() {
                scope.statics.insert(alloc, path);
            }
        }
        let mut inputs = Vec::new();
        let mut output = unsupported(item.header);
        let untold = context.parts.untold.get(&shell.item).map(|name| {
            format!("which `{name}` it means is not known, as several unnamed constants have one")
        });
        let body = match shell.unknown.clone().or(untold) {
            Some(reason) => Err(Unreadable { reason, line: item.line }),
            None => match Parser::new(&item.header[item.name().len()..], &scope).signature(item.keyword) {
                Ok(signature) => {
                    inputs = signature.inputs;
                    output = signature.output;
                    self.body(item, &inputs, &output, &scope)
                        .and_then(|body| restore_captures(body, shell, item, context, &scope))
                }
                Err(error) => Err(Unreadable { reason: format!("its header: {error}"), line: item.line }),
            },
        };
        let body = match scope.doubtful() {
            Some(doubt) if body.is_ok() => Err(Unreadable { reason: doubt.to_owned(), line: item.line }),
            _ => body,
        };
        let span = shell.span.as_ref().map(|span| span_in(span, &mut self.files));
        let (body, own_extent) = match body {
            Ok(body) => {
                let own_extent = extent(&body);
                (FnBody::Present(body.into()), own_extent)
            }
            Err(Unreadable { reason, line }) => (FnBody::Unreadable { reason, line: Some(line) }, None),
        };
        Function {
            path: shell.path.clone(),
            kind: shell.kind,
            owner,
            generics: generics_of(&shell.own),
            bounds: shell.bounds.clone(),
            inputs,
            output,
            visibility: shell.visibility,
            origin: context.dump.origin,
            span: span.or(own_extent),
            body,
        }
    }

    fn body(
        &mut self,
        item: &RawItem<'_>,
        inputs: &[Ty],
        output: &Ty,
        scope: &Scope<'_>,
    ) -> Result<Body, Unreadable> {
        match item.content {
            Content::Body(text) => {
                parse_body(BodyText { text, first_line: item.line + 1 }, inputs, scope, &mut self.files)
            }
            Content::Value(text) => {
                let mut parser = Parser::new(text, scope);
                let value = parser.constant().and_then(|value| {
                    if parser.cur.is_done() { Ok(value) } else { parser.cur.unexpected("the end") }
                });
                match value {
                    Ok(value) => Ok(constant_body(output.clone(), Rvalue::Use(Operand::Const(value)))),
                    Err(error) => Err(Unreadable { reason: error.reason, line: item.line }),
                }
            }
            Content::Truncated => {
                Err(Unreadable { reason: "the dump ends within this item".to_owned(), line: item.line })
            }
        }
    }

    fn add_impls(&mut self, context: &CrateContext<'_, '_>) {
        let mut members: Vec<(BTreeMap<Name, FnId>, BTreeMap<Name, FnId>)> =
            context.found.impls.iter().map(|_| Default::default()).collect();
        for (index, shell) in context.found.shells.iter().enumerate() {
            let OwnerDraft::Impl(draft) = &shell.owner else { continue };
            let Some((_, name)) = shell.path.as_str().rsplit_once("::") else { continue };
            let id = FnId::from_usize(context.first_fn + index);
            let (methods, consts) = &mut members[*draft];
            let members = if shell.kind == FunctionKind::Const { consts } else { methods };
            if let Some(other) = members.insert(name.into(), id) {
                self.one_of_several([other, id]);
            }
        }
        let mut seen: HashMap<&TraitRef, Vec<usize>> = HashMap::new();
        for (index, draft) in context.found.impls.iter().enumerate() {
            let alike = seen.entry(&draft.trait_ref).or_default();
            for other in alike.iter().copied() {
                let of_other = &context.found.impls[other];
                if of_other.bounds == draft.bounds && of_other.equalities == draft.equalities {
                    let (one, two) = (&members[other], &members[index]);
                    self.one_of_several(in_both(&one.0, &two.0));
                    self.one_of_several(in_both(&one.1, &two.1));
                }
            }
            alike.push(index);
        }
        for (draft, (methods, consts)) in context.found.impls.iter().zip(members) {
            self.program.impls.push(TraitImpl {
                generics: draft.generics.clone(),
                trait_ref: draft.trait_ref.clone(),
                bounds: draft.bounds.clone(),
                equalities: draft.equalities.clone(),
                methods,
                consts,
                types: draft.types.iter().cloned().collect(),
            });
        }
    }

    /// Functions that nothing printed tells apart: of types of one name in several blocks, or of function pointers that differ in what the
    /// text of types here leaves out.
    fn one_of_several(&mut self, functions: impl IntoIterator<Item = FnId>) {
        for id in functions {
            let reason = "an item of another block has the same name".to_owned();
            self.program.functions[id].body = FnBody::Unreadable { reason, line: None };
        }
    }

    fn add_traits(&mut self, context: &CrateContext<'_, '_>) {
        let mut members: HashMap<&Path, Vec<usize>> = HashMap::new();
        for (index, shell) in context.found.shells.iter().enumerate() {
            if let OwnerDraft::Trait(path) = &shell.owner {
                members.entry(path).or_default().push(index);
            }
        }
        for doc in &context.parts.docs.traits {
            let mut default_methods = BTreeMap::new();
            let mut default_consts = BTreeMap::new();
            for index in members.get(&doc.path).into_iter().flatten() {
                let shell = &context.found.shells[*index];
                let Some((_, name)) = shell.path.as_str().rsplit_once("::") else { continue };
                let into = match shell.kind {
                    FunctionKind::Const => &mut default_consts,
                    _ => &mut default_methods,
                };
                into.insert(name.into(), FnId::from_usize(context.first_fn + index));
            }
            self.program.traits.push(Trait {
                path: doc.path.clone(),
                visibility: doc.visibility,
                generics: generics_of(&doc.params),
                default_methods,
                default_consts,
                default_types: doc.types.clone(),
                supertraits: doc.supertraits.clone(),
            });
        }
    }
}

/// The functions of all names that both have.
fn in_both(one: &BTreeMap<Name, FnId>, two: &BTreeMap<Name, FnId>) -> Vec<FnId> {
    one.iter().filter_map(|(name, id)| Some([*id, *two.get(name)?])).flatten().collect()
}

/// All generic parameters in scope in a shell's body, outermost first.
fn generics_in_scope(shell: &Shell, found: &Identified, names: &Names) -> Vec<GenericParam> {
    let mut generics = match &shell.owner {
        OwnerDraft::Free | OwnerDraft::Unknown => Vec::new(),
        OwnerDraft::Inherent { generics, .. } => generics.clone(),
        OwnerDraft::Impl(draft) => found.impls[*draft].generics.clone(),
        OwnerDraft::Trait(path) => {
            let own = names.traits.get(path).map(|params| generics_of(params)).unwrap_or_default();
            std::iter::once(Param::ty("Self").generic()).chain(own).collect()
        }
        OwnerDraft::Within(parent) => generics_in_scope(&found.shells[*parent], found, names),
    };
    generics.extend(generics_of(&shell.own));
    generics
}

/// The body of a constant of which only the value is printed.
fn constant_body(ty: Ty, value: Rvalue) -> Body {
    let place = Place::from(LocalId::return_place());
    let block = Block {
        statements: vec![Statement { kind: StatementKind::Assign(place, value), span: None }],
        terminator: Terminator { kind: TerminatorKind::Return, span: None },
        role: BlockRole::Normal,
    };
    Body {
        locals: IdxVec::from(vec![Local { ty, name: None, span: None }]),
        arg_count: 0,
        blocks: IdxVec::from(vec![block]),
    }
}

/// How the reason begins for which a function with dropped captures is not readable.
const DROPPED_CAPTURES: &str = "the compiler drops captures";

/// Whether the function is not readable only because the `stable-mir` dump of its crate was not given.
pub fn lacks_captures(function: &Function) -> bool {
    matches!(&function.body, FnBody::Unreadable { reason, .. } if reason.starts_with(DROPPED_CAPTURES))
}

/// The MIR dump drops captures of closures that capture several parts of one variable. They are taken from the
/// `stable-mir` dump; without it the function is not readable. What both dumps print must be the same.
fn restore_captures(
    mut body: Body,
    shell: &Shell,
    item: &RawItem<'_>,
    context: &CrateContext<'_, '_>,
    scope: &Scope<'_>,
) -> Result<Body, Unreadable> {
    let mut blocks: Vec<Block> = body.blocks.as_slice().to_vec();
    let mut changed = false;
    for block in &mut blocks {
        for statement in &mut block.statements {
            let StatementKind::Assign(
                place,
                Rvalue::Aggregate(AggregateKind::Closure { path, .. }, operands),
            ) = &mut statement.kind
            else {
                continue;
            };
            let Some(expected) =
                context.captures.get(path).copied().filter(|captures| !captures.allow(operands.len()))
            else {
                continue;
            };
            let stable = context.parts.stable.get(&shell.item);
            let local = place.local.to_string();
            let text = stable.and_then(|body| closure_operands(body, &local));
            let restored = text.and_then(|text| {
                let closed = format!("{text})");
                Parser::new(&closed, scope).operands_until(")").ok()
            });
            // That dump shortens the names of items, which locals do not have.
            let is_local = |operand: &Operand| matches!(operand, Operand::Copy(_) | Operand::Move(_));
            let fits = |restored: &Vec<Operand>| {
                expected.allow(restored.len())
                    && restored.starts_with(operands)
                    && restored[operands.len()..].iter().all(is_local)
            };
            match restored.filter(fits) {
                Some(restored) => *operands = restored,
                None => {
                    let reason = format!(
                        "{DROPPED_CAPTURES}: it prints {} of the {expected} of `{path}`",
                        operands.len()
                    );
                    return Err(Unreadable { reason, line: item.line });
                }
            }
            changed = true;
        }
    }
    if changed {
        body.blocks = IdxVec::from(blocks);
    }
    Ok(body)
}

/// `#[test]` functions are those for which the harness has a constant of the same path.
fn mark_tests(program: &mut Program) {
    let is_description = |function: &Function| {
        function.kind == FunctionKind::Const
            && matches!(function.output.kind(), TyKind::Adt(path, _) if path.as_str().ends_with("::TestDescAndFn"))
    };
    let tests: HashSet<Path> = program
        .functions
        .iter()
        .filter(|function| is_description(function))
        .map(|test| test.path.clone())
        .collect();
    if tests.is_empty() {
        return;
    }
    for function in program.functions.iter_mut().filter(|function| tests.contains(&function.path)) {
        function.kind = FunctionKind::Test;
    }
}

impl Names {
    /// Defaults of parameters are filled in as they stand.
    fn complete_defaults(&mut self) {
        let completed = |params: &Vec<Param>| -> Option<Vec<Param>> {
            params.iter().any(|param| param.default.is_some()).then(|| {
                let complete = |param: &Param| match &param.default {
                    Some(GenericArg::Ty(ty)) => {
                        Param { default: Some(GenericArg::Ty(self.complete_ty(ty))), ..param.clone() }
                    }
                    _ => param.clone(),
                };
                params.iter().map(complete).collect()
            })
        };
        let of_adts =
            self.adts.iter().filter_map(|(path, shape)| Some((path.clone(), completed(&shape.params)?)));
        let of_traits =
            self.traits.iter().filter_map(|(path, params)| Some((path.clone(), completed(params)?)));
        let (of_adts, of_traits): (Vec<_>, Vec<_>) = (of_adts.collect(), of_traits.collect());
        for (path, params) in of_adts {
            self.adts.entry(path).and_modify(|shape| shape.params = params);
        }
        self.traits.extend(of_traits);
    }
}

impl Docs {
    /// Fills in defaulted generic arguments everywhere.
    fn complete(&mut self, names: &Names) {
        for doc in &mut self.adts {
            for field in doc.adt.variants.iter_mut().flat_map(|variant| &mut variant.fields) {
                field.ty = names.complete_ty(&field.ty);
            }
        }
        for doc in &mut self.traits {
            doc.types.values_mut().for_each(|ty| *ty = names.complete_ty(ty));
            doc.items.values_mut().for_each(|item| item.complete(names));
            doc.supertraits.iter_mut().for_each(|bound| complete_trait_ref(bound, names));
        }
        self.named_types.iter_mut().for_each(|ty| *ty = names.complete_ty(ty));
        self.functions.values_mut().for_each(|doc| doc.complete(names));
        for doc in &mut self.impls {
            doc.self_ty = names.complete_ty(&doc.self_ty);
            doc.types.values_mut().for_each(|ty| *ty = names.complete_ty(ty));
            doc.bounds.iter_mut().for_each(|bound| complete_bound(bound, names));
            doc.items.values_mut().for_each(|item| item.complete(names));
            if let Some(trait_ref) = &mut doc.trait_ref {
                complete_trait_ref(trait_ref, names);
            }
        }
    }
}

impl FnDoc {
    fn complete(&mut self, names: &Names) {
        self.bounds.iter_mut().for_each(|bound| complete_bound(bound, names));
    }
}

fn complete_bound(bound: &mut Bound, names: &Names) {
    complete_trait_ref(&mut bound.trait_ref, names);
    bound.assoc_types.iter_mut().for_each(|(_, ty)| *ty = names.complete_ty(ty));
}

fn complete_trait_ref(trait_ref: &mut regress_core::ir::TraitRef, names: &Names) {
    let mut complete = trait_ref.map(&mut |ty| names.complete_ty(&ty), &mut |constant| constant);
    names.complete_trait_ref(&mut complete);
    *trait_ref = complete;
}
