//! Types declared in bodies become types of the program.
//!
//! *Idea.* What they are called follows from the item around; kind, variants and parameters are in the expanded source
//! ([`super::expanded`]), and so are the types of simple fields. The others show wherever a body uses the field, as MIR tells the type of each.
//!
//! *Limits.* A type some field of which shows nowhere stays unknown, as does one that shares its path with another (those of two blocks of one function do), and a
//! generic one whose fields show only at other types than parameters.

use std::collections::btree_map::{BTreeMap, Entry};
use std::collections::{HashMap, HashSet};

use regress_core::idx::Idx;
use regress_core::ir::{
    Adt, AggregateKind, Body, Field, FnBody, Function, FunctionKind, GenericArg, Name, Path, Place,
    Projection, Rvalue, StatementKind, Subst, TerminatorKind, Ty, TyKind, Variant, VariantRef, Visibility,
};

use super::doubts::{element, pointed_to};
use super::expanded::{TypeInBody, head, last};
use super::identify::{Identified, OwnerDraft, Shell};
use super::scope::{AdtShape, Names, Param, parent_and_name};

/// How many functions around a type, from the method outwards, are held against methods: a function in a method is one more.
const MOST_NESTED: usize = 3;

/// A type and the path it has in the program.
pub struct Found<'d> {
    path: Path,
    declared: &'d TypeInBody,
}

/// The types of a crate that have a path of their own, which are then known by their shapes.
pub fn find<'d>(
    declared: &'d [TypeInBody],
    prefix: &str,
    identified: &Identified,
    names: &mut Names,
) -> Vec<Found<'d>> {
    let closures = closures_by_function(identified);
    let paths = declared.iter().flat_map(|declared| {
        let around = paths_around(declared, prefix, identified);
        let in_closures = around.iter().flat_map(|path| closures.get(path.as_str()).into_iter().flatten());
        let bases: Vec<String> = in_closures.map(ToString::to_string).chain(around.iter().cloned()).collect();
        let path = |base: String| Path::new(format!("{base}::{}", declared.name));
        bases.into_iter().map(move |base| Found { path: path(base), declared })
    });
    let mut at_path: BTreeMap<Path, Option<&TypeInBody>> = BTreeMap::new();
    for Found { path, declared } in paths {
        match at_path.entry(path) {
            Entry::Vacant(entry) => {
                entry.insert(Some(declared));
            }
            // Those of methods of one name may be alike, and then it does not matter which is meant.
            Entry::Occupied(mut entry) => {
                let known = entry.get().filter(|known| known.is_like(declared));
                entry.insert(known);
            }
        }
    }
    let is_new = |(path, _): &(Path, &TypeInBody)| !names.adts.contains_key(path);
    let alone = at_path.into_iter().filter_map(|(path, declared)| Some((path, declared?))).filter(is_new);
    let found: Vec<Found<'d>> = alone.map(|(path, declared)| Found { path, declared }).collect();
    for Found { path, declared } in &found {
        let params = declared.generics.iter();
        let shape = AdtShape {
            kind: declared.kind,
            params: params
                .map(|param| Param { name: param.name.clone(), kind: param.kind, default: None })
                .collect(),
            variants: declared
                .variants
                .iter()
                .map(|variant| (Name::new(&variant.name), variant.ctor))
                .collect(),
        };
        names.adts.insert(path.clone(), shape);
    }
    found
}

/// The closures within each function, at any depth: sources do not say which of them a type stands in.
fn closures_by_function(identified: &Identified) -> HashMap<&str, Vec<&Path>> {
    let mut found: HashMap<&str, Vec<&Path>> = HashMap::new();
    for shell in identified.shells.iter().filter(|shell| shell.kind == FunctionKind::Closure) {
        if let Some(at) = shell.path.as_str().find("::{closure#") {
            found.entry(&shell.path.as_str()[..at]).or_default().push(&shell.path);
        }
    }
    found
}

/// What the declaration may stand in: several items where macros made implementations alike.
fn paths_around(declared: &TypeInBody, prefix: &str, identified: &Identified) -> HashSet<String> {
    let around = &declared.around;
    if !declared.is_in_any_impl() {
        return HashSet::from([format!("{prefix}::{}", around.join("::"))]);
    }
    for nested in 0..MOST_NESTED.min(around.len()) {
        let (outer, within) = around.split_at(around.len() - nested);
        let Some(method) = outer.last() else { break };
        let is_around = |shell: &&Shell| {
            parent_and_name(shell.path.as_str()).is_some_and(|(_, name)| name == method)
                && is_method_of(declared, shell, identified)
        };
        let below: String = within.iter().map(|name| format!("::{name}")).collect();
        let path = |shell: &Shell| format!("{}{below}", shell.path);
        let found: HashSet<String> = identified.shells.iter().filter(is_around).map(path).collect();
        if !found.is_empty() {
            return found;
        }
    }
    HashSet::new()
}

fn is_method_of(declared: &TypeInBody, shell: &Shell, identified: &Identified) -> bool {
    match &shell.owner {
        OwnerDraft::Inherent { self_ty, .. } => declared.is_in_impl(None, head(self_ty).as_deref()),
        OwnerDraft::Impl(draft) => {
            let trait_ref = &identified.impls[*draft].trait_ref;
            declared.is_in_impl(Some(last(trait_ref.path.as_str())), head(&trait_ref.self_ty).as_deref())
        }
        OwnerDraft::Free | OwnerDraft::Trait(_) | OwnerDraft::Within(_) | OwnerDraft::Unknown => false,
    }
}

/// The types all of whose fields are known, by the bodies of their crate.
pub fn completed(found: &[Found<'_>], prefix: &str, functions: &[Function]) -> Vec<Adt> {
    if found.is_empty() {
        return Vec::new();
    }
    let mut evidence = Evidence { wanted: HashMap::new(), fields: HashMap::new() };
    evidence.wanted.extend(found.iter().map(|found| (&found.path, found.declared)));
    for function in functions {
        if let FnBody::Present(body) = &function.body {
            evidence.body(body);
        }
    }
    let field = |of: &Found<'_>, variant: usize, at: usize| {
        let declared = &of.declared.variants[variant].fields[at];
        let ty = declared.ty.clone().or_else(|| evidence.of(&of.path, variant, at))?;
        Some(Field { name: Name::new(&declared.name), ty, visibility: Visibility::Private })
    };
    let variant = |of: &Found<'_>, number: usize| {
        let declared = &of.declared.variants[number];
        let fields = (0..declared.fields.len()).map(|at| field(of, number, at)).collect::<Option<_>>()?;
        let (name, ctor, discriminant) = (Name::new(&declared.name), declared.ctor, declared.discriminant);
        Some(Variant { name, ctor, fields, discriminant })
    };
    let adt = |of: &Found<'_>| {
        let variants = (0..of.declared.variants.len()).map(|number| variant(of, number));
        Some(Adt {
            path: of.path.clone(),
            kind: of.declared.kind,
            generics: of.declared.generics.clone(),
            bounds: Vec::new(),
            variants: variants.collect::<Option<_>>()?,
            discriminant_ty: of.declared.discriminant_ty,
            visibility: Visibility::Private,
            origin_crate: Name::new(prefix),
            span: None,
        })
    };
    found.iter().filter_map(adt).collect()
}

/// The types of fields that bodies show.
struct Evidence<'d> {
    wanted: HashMap<&'d Path, &'d TypeInBody>,
    /// By type, variant and field. None if bodies show several.
    fields: HashMap<(Path, usize, usize), Option<Ty>>,
}

impl Evidence<'_> {
    fn of(&self, path: &Path, variant: usize, field: usize) -> Option<Ty> {
        self.fields.get(&(path.clone(), variant, field)).cloned().flatten()
    }

    fn body(&mut self, body: &Body) {
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(place, rvalue) => {
                        self.place(place, body);
                        rvalue.places().into_iter().for_each(|place| self.place(place, body));
                        self.aggregate(rvalue, body);
                    }
                    StatementKind::SetDiscriminant(place, _) => self.place(place, body),
                    StatementKind::Nop => {}
                }
            }
            let terminator = &block.terminator.kind;
            terminator.places().into_iter().for_each(|place| self.place(place, body));
            if let TerminatorKind::Call { destination, .. } = terminator {
                self.place(destination, body);
            }
        }
    }

    /// `((*_1).0: T)` shows the type of a field of what `_1` points to.
    fn place(&mut self, place: &Place, body: &Body) {
        let mut ty = body.locals.get(place.local).map(|local| local.ty.clone());
        let mut variant = None;
        for projection in &place.projection {
            let now = ty.take();
            ty = match projection {
                Projection::Field(field, declared) => {
                    if let (Some(of), Some(declared)) = (&now, declared) {
                        self.show(of, variant.take(), field.index(), declared);
                    }
                    declared.clone()
                }
                Projection::Downcast(to) => {
                    variant = Some(to);
                    now
                }
                Projection::Deref => now.as_ref().and_then(pointed_to),
                Projection::Index(_) | Projection::ConstantIndex { .. } => now.as_ref().and_then(element),
                Projection::Subslice { .. } => None,
            };
        }
    }

    /// `S { x: move _2 }` shows the type of a field by that of the operand.
    fn aggregate(&mut self, rvalue: &Rvalue, body: &Body) {
        let Rvalue::Aggregate(AggregateKind::Adt { ty, variant }, operands) = rvalue else { return };
        for (at, operand) in operands.iter().enumerate() {
            let Some(place) = operand.place().filter(|place| place.projection.is_empty()) else { continue };
            if let Some(local) = body.locals.get(place.local) {
                self.show(ty, variant.as_ref(), at, &local.ty);
            }
        }
    }

    fn show(&mut self, of: &Ty, variant: Option<&VariantRef>, field: usize, ty: &Ty) {
        let TyKind::Adt(path, args) = of.kind() else { return };
        let Some(declared) = self.wanted.get(path) else { return };
        let variant = match variant {
            None => 0,
            Some(VariantRef::Index(index)) => *index as usize,
            Some(VariantRef::Name(name)) => {
                match declared.variants.iter().position(|variant| *name == *variant.name) {
                    Some(found) => found,
                    None => return,
                }
            }
        };
        let Some(ty) = in_own_parameters(ty, declared, args) else { return };
        let known = self.fields.entry((path.clone(), variant, field)).or_insert_with(|| Some(ty.clone()));
        if known.as_ref() != Some(&ty) {
            *known = None;
        }
    }
}

/// The type as the declaration would say it, where its parameters stand for parameters that differ from each other.
fn in_own_parameters(ty: &Ty, declared: &TypeInBody, args: &[GenericArg]) -> Option<Ty> {
    if declared.generics.is_empty() {
        return Some(ty.clone());
    }
    let mut back = Subst::new();
    let mut seen = HashSet::new();
    for (own, arg) in declared.generics.iter().zip(args) {
        let GenericArg::Ty(arg) = arg else { return None };
        let TyKind::Param(name) = arg.kind() else { return None };
        if !seen.insert(name.clone()) {
            return None;
        }
        back.insert(name.clone(), GenericArg::Ty(Ty::new(TyKind::Param(own.name.clone()))));
    }
    (args.len() == declared.generics.len()).then(|| back.ty(ty))
}
