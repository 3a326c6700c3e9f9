//! What trait objects are made of: a type that is each of those which have the trait, or a listener where nothing has it.
//!
//! *Limits.* Traits of the crates that are compared, without arguments; types without parameters.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::ir::{
    AdtKind, CtorKind, DynTrait, GenericArg, KnownTrait, KnownType, Mutability, Name, Path, Program, Ty,
    TyKind, stand_ins,
};

use super::publicly_named;
use crate::harness::{DeclaredField, DeclaredType, DeclaredVariant};

/// Of more types than this the others are left out.
const MOST_TYPES: usize = 12;

/// For each trait of the crates the types that have it in both versions.
pub(super) fn common([old, new]: [&Program; 2], own: &BTreeSet<Name>) -> BTreeMap<Path, BTreeSet<String>> {
    let traits = new
        .traits
        .iter()
        .map(|item| &item.path)
        .filter(|path| own.iter().any(|name| is_of_crate(path, name.as_str())));
    let of = |path: &Path| {
        let [old, new] = [old, new].map(|program| types_with(program, path));
        (path.clone(), new.intersection(&old).take(MOST_TYPES).cloned().collect::<BTreeSet<String>>())
    };
    traits.map(of).filter(|(_, types)| !types.is_empty()).collect()
}

/// The types that are not references to others, but for texts and slices of plain items, which are what callers mostly hand over.
fn types_with(program: &Program, path: &Path) -> BTreeSet<String> {
    let types = program.impls_of(path).iter().map(|id| &program.impls[*id].trait_ref.self_ty);
    let is_scalar =
        |ty: &Ty| matches!(ty.kind(), TyKind::Int(_) | TyKind::Bool | TyKind::Char | TyKind::Float(_));
    let is_lent_text = |ty: &Ty| match ty.kind() {
        TyKind::Str => true,
        TyKind::Slice(item) => is_scalar(item),
        _ => false,
    };
    let is_plain = |ty: &&Ty| match ty.kind() {
        TyKind::Adt(..) => ty.is_closed(),
        TyKind::Ref(Mutability::Shared, lent) => is_lent_text(lent),
        _ => is_scalar(ty),
    };
    types.filter(is_plain).map(|ty| publicly_named(program, ty).to_string()).collect()
}

pub(super) fn is_of_crate(path: &Path, name: &str) -> bool {
    path.as_str().strip_prefix(name).is_some_and(|rest| rest.starts_with("::"))
}

/// The type that is each of these, by the names of the version's own sources.
pub(super) fn declared(program: &Program, trait_path: &Path, types: &BTreeSet<String>) -> DeclaredType {
    let variant = |(at, ty): (usize, &String)| {
        let last = ty.split('<').next().unwrap_or(ty).rsplit("::").next().unwrap_or(ty);
        let is_alone = types.iter().filter(|other| other.ends_with(last)).count() == 1;
        let (name, ty) = match ty.strip_prefix('&') {
            Some(lent) => (format!("Lent{at}"), format!("&'static {lent}")),
            None if is_alone => (last.to_owned(), program.moved.source_name(ty)),
            None => (format!("{last}{at}"), program.moved.source_name(ty)),
        };
        let fields = vec![DeclaredField { name: "0".to_owned(), ty }];
        DeclaredVariant { name, ctor: CtorKind::Tuple, fields }
    };
    DeclaredType {
        path: program.moved.source_name(stand_ins::object(trait_path).as_str()),
        foreign: None,
        kind: AdtKind::Enum,
        lifetimes: 0,
        generics: Vec::new(),
        predicates: String::new(),
        variants: types.iter().enumerate().map(variant).collect(),
        has_debug: false,
        hides_fields: false,
    }
}

/// The trait of which an object can be made.
fn trait_of(bounds: &[DynTrait]) -> Option<&Path> {
    let is_auto = |bound: &&DynTrait| !bound.path.known_trait().is_some_and(KnownTrait::is_auto);
    let asked: Vec<&DynTrait> = bounds.iter().filter(is_auto).collect();
    let [only] = asked.as_slice() else { return None };
    let is_plain = only.args.is_empty() && only.assoc_types.is_empty() && !only.path.is_of_std();
    is_plain.then_some(&only.path)
}

/// What a trait object is made of, if the type is one.
fn made_of(program: &Program, ty: &Ty) -> Option<String> {
    let TyKind::Dyn(bounds) = ty.kind() else { return None };
    let path = trait_of(bounds)?;
    Some(match types_with(program, path).is_empty() {
        true => stand_ins::listener(path).to_string(),
        false => stand_ins::object(path).to_string(),
    })
}

/// The types of which the trait objects within are made: those of the type itself.
pub(super) fn behind_objects(program: &Program, ty: &Ty) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_part(ty, &mut |part| found.extend(made_of(program, part)));
    found
}

/// The same of what the fields of the type hold.
pub(super) fn held_objects(program: &Program, ty: &Ty) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_held(program, ty, &mut |part| found.extend(made_of(program, part)));
    found
}

/// Whether what listeners within a parameter of the type heard is to be shown.
pub(super) fn listens(program: &Program, ty: &Ty) -> bool {
    let mut found = stand_ins::has_listener(ty);
    each_held(program, ty, &mut |part| {
        let of_trait = || made_of(program, part).is_some_and(|path| stand_ins::listened_to(&path).is_some());
        found |= is_listening_closure(part) || of_trait();
    });
    found
}

/// Whether values of the type are pointers to closures that note how they are called.
fn is_listening_closure(ty: &Ty) -> bool {
    let pointee = match ty.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => Some(pointee),
        TyKind::Adt(path, args)
            if matches!(path.known_type(), Some(KnownType::Box | KnownType::Rc | KnownType::Arc)) =>
        {
            args.iter().find_map(|arg| match arg {
                GenericArg::Ty(of) => Some(of),
                GenericArg::Const(_) => None,
            })
        }
        _ => None,
    };
    let is_call = |bound: &DynTrait| bound.path.known_trait().is_some_and(KnownTrait::is_call);
    pointee.is_some_and(|pointee| matches!(pointee.kind(), TyKind::Dyn(bounds) if bounds.iter().any(is_call)))
}

/// The type, what it is put together of, and what fields of types of crates hold.
fn each_held(program: &Program, ty: &Ty, look: &mut dyn FnMut(&Ty)) {
    let (mut seen, mut open) = (BTreeSet::new(), vec![ty.clone()]);
    while let Some(ty) = open.pop() {
        let mut paths = Vec::new();
        each_part(&ty, &mut |part| {
            look(part);
            if let TyKind::Adt(path, _) = part.kind() {
                paths.push(path.clone());
            }
        });
        let new = paths.into_iter().filter(|path| !path.is_of_std() && seen.insert(path.clone()));
        let fields = new.filter_map(|path| program.adt(&path)).flat_map(|adt| &adt.variants);
        open.extend(fields.flat_map(|variant| &variant.fields).map(|field| field.ty.clone()));
    }
}

fn each_part(ty: &Ty, look: &mut dyn FnMut(&Ty)) {
    ty.map(
        &mut |part| {
            look(&part);
            part
        },
        &mut |constant| constant,
    );
}
