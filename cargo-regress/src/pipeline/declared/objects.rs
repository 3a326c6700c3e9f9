//! What trait objects are made of: a type that is each of those which have the trait, or a listener where nothing has it.
//!
//! *Limits.* Traits of the crates that are compared, without arguments; types without parameters.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::ir::{
    AdtKind, CtorKind, DynTrait, KnownTrait, KnownType, Mutability, Name, Path, Program, Ty, TyKind,
    stand_ins,
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

/// The types that are not references to others.
fn types_with(program: &Program, path: &Path) -> BTreeSet<String> {
    let types = program.impls_of(path).iter().map(|id| &program.impls[*id].trait_ref.self_ty);
    let is_plain = |ty: &&Ty| {
        ty.is_closed()
            && matches!(
                ty.kind(),
                TyKind::Adt(..) | TyKind::Int(_) | TyKind::Bool | TyKind::Char | TyKind::Float(_)
            )
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
        DeclaredVariant {
            name: if is_alone { last.to_owned() } else { format!("{last}{at}") },
            ctor: CtorKind::Tuple,
            fields: vec![DeclaredField { name: "0".to_owned(), ty: program.moved.source_name(ty) }],
        }
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

/// The types of which the trait objects within are made: those of the type itself.
pub(super) fn behind_objects(program: &Program, ty: &Ty) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    note_objects(program, ty, &mut found, &mut |_| {});
    found
}

/// The same of what the fields of the type hold.
pub(super) fn held_objects(program: &Program, ty: &Ty) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut seen, mut open) = (BTreeSet::new(), vec![ty.clone()]);
    while let Some(ty) = open.pop() {
        let mut paths = Vec::new();
        note_objects(program, &ty, &mut found, &mut |path| paths.push(path.clone()));
        let new = paths.into_iter().filter(|path| !path.is_of_std() && seen.insert(path.clone()));
        let fields = new.filter_map(|path| program.adt(&path)).flat_map(|adt| &adt.variants);
        open.extend(fields.flat_map(|variant| &variant.fields).map(|field| field.ty.clone()));
    }
    found
}

fn note_objects(program: &Program, ty: &Ty, found: &mut BTreeSet<String>, adt: &mut dyn FnMut(&Path)) {
    let mut look = |part: Ty| {
        match part.kind() {
            TyKind::Dyn(bounds) => {
                if let Some(path) = trait_of(bounds) {
                    let made_of = match types_with(program, path).is_empty() {
                        true => stand_ins::listener(path).to_string(),
                        false => stand_ins::object(path).to_string(),
                    };
                    found.insert(made_of);
                }
            }
            TyKind::Adt(path, _) => adt(path),
            _ => {}
        }
        part
    };
    ty.map(&mut look, &mut |constant| constant);
}

/// Whether what listeners within a parameter of the type heard is to be shown.
pub(super) fn listens(program: &Program, ty: &Ty) -> bool {
    let is_call = |bound: &DynTrait| bound.path.known_trait().is_some_and(KnownTrait::is_call);
    let is_closure = |pointee: Option<&Ty>| {
        pointee.is_some_and(
            |pointee| matches!(pointee.kind(), TyKind::Dyn(bounds) if bounds.iter().any(is_call)),
        )
    };
    let is_listening_object = match ty.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => is_closure(Some(pointee)),
        TyKind::Adt(path, _) if path == KnownType::Box => is_closure(ty.pointee()),
        _ => false,
    };
    let is_listener = |path: &String| stand_ins::listened_to(path).is_some();
    is_listening_object || stand_ins::has_listener(ty) || held_objects(program, ty).iter().any(is_listener)
}
