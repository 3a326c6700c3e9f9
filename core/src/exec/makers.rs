//! Functions by which the crate itself makes values of its types.
//!
//! *Idea.* A type with private fields may keep something true of them, and some fields hold what nobody can write down (an
//! address). Values of such a type are had by calling what the crate has for it: associated functions and the like that
//! give a `T`, an `Option<T>` or a `Result<T, _>` from arguments that can be built in turn.
//!
//! *Definition.* The makers of a type are functions of the crate, the same in name, parameters and kind of result in both
//! versions, with nothing generic left open. If any of them can be called from outside of the crate, only those count: what
//! is private may take arguments that the crate never hands to it.
//!
//! *Not handled.* Generic types; methods that change a value; what the functions make that is not the whole of their result.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Adt, AdtKind, FnBody, FnId, Function, FunctionKind, GenericArg, KnownTrait, KnownType, Mutability,
    Origin, Owner, Path, Program, Ty, TyKind, Visibility,
};
use crate::value::Success;

/// A function that makes values of a type, in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Its canonical path, which is also how it is told from the others.
    pub callee: Path,
    /// The type.
    pub makes: Path,
    pub inputs: Vec<Ty>,
    pub success: Success,
    pub old: FnId,
    pub new: FnId,
}

/// The makers of each type, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Makers {
    by_type: BTreeMap<Path, Vec<Maker>>,
}

/// More of them would reach hardly any further states.
const MOST_PER_TYPE: usize = 3;
const MOST_PARAMS: usize = 5;
/// Traits whose methods make values from something else.
const TRAITS: [KnownTrait; 4] =
    [KnownTrait::FromStr, KnownTrait::From, KnownTrait::TryFrom, KnownTrait::Default];

impl Makers {
    /// What makes the types that the parameters of these functions consist of.
    pub fn common(old: &Program, new: &Program, subjects: &[(FnId, FnId)]) -> Makers {
        let roots = subjects.iter().flat_map(|(_, id)| new.functions[*id].inputs.clone());
        let mut candidates: BTreeMap<Path, Vec<Maker>> = BTreeMap::new();
        for (id, function) in new.functions.iter_enumerated() {
            if let Some((makes, success)) = made(new, function)
                && let Some(other) = counterpart(old, function)
                && new.generics_in_scope(id).is_empty()
            {
                let maker = Maker {
                    callee: function.path.clone(),
                    makes: makes.clone(),
                    inputs: function.inputs.clone(),
                    success,
                    old: other,
                    new: id,
                };
                candidates.entry(makes.clone()).or_default().push(maker);
            }
        }
        let mut makers = Makers::default();
        let mut open: Vec<Ty> = roots.collect();
        let mut seen: BTreeSet<Path> = BTreeSet::new();
        while let Some(ty) = open.pop() {
            for path in adts_in(&ty) {
                if !seen.insert(path.clone()) {
                    continue;
                }
                let Some(adt) = new.adt(&path) else { continue };
                open.extend(field_types(adt));
                let Some(found) = candidates.get(&path).filter(|_| hides_fields(adt)) else { continue };
                let chosen = choose(new, found);
                open.extend(chosen.iter().flat_map(|maker| maker.inputs.clone()));
                if !chosen.is_empty() {
                    makers.by_type.insert(path, chosen);
                }
            }
        }
        makers
    }

    pub fn of(&self, ty: &Path) -> &[Maker] {
        self.by_type.get(ty).map_or(&[], Vec::as_slice)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Maker> {
        self.by_type.values().flatten()
    }

    pub fn is_empty(&self) -> bool {
        self.by_type.is_empty()
    }

    /// Keeps those that the caller can use.
    pub fn retain(&mut self, mut keep: impl FnMut(&Maker) -> bool) {
        for makers in self.by_type.values_mut() {
            makers.retain(&mut keep);
        }
        self.by_type.retain(|_, makers| !makers.is_empty());
    }
}

/// Whether only the type's own module can write all fields.
pub fn hides_fields(adt: &Adt) -> bool {
    let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
    fields.any(|field| field.visibility == Visibility::Private)
}

/// The type with private fields that the function makes.
fn made<'f>(program: &Program, function: &'f Function) -> Option<(&'f Path, Success)> {
    if function.origin != Origin::Subject
        || function.kind != FunctionKind::Fn
        || function.inputs.len() > MOST_PARAMS
        || !matches!(function.body, FnBody::Present(_))
        || !may_make(program, function)
    {
        return None;
    }
    let adt = |ty: &'f Ty| match ty.kind() {
        TyKind::Adt(path, args) if args.is_empty() => Some(path),
        _ => None,
    };
    let (path, success) = match function.output.kind() {
        TyKind::Adt(path, args) => match args.first() {
            Some(GenericArg::Ty(inner)) if path == KnownType::Option => (adt(inner)?, Success::Some),
            Some(GenericArg::Ty(inner)) if path == KnownType::Result => (adt(inner)?, Success::Ok),
            _ => (adt(&function.output)?, Success::Always),
        },
        _ => return None,
    };
    let leads_back = function.inputs.iter().any(|ty| mentions(program, ty, path));
    let buildable = function.inputs.iter().all(can_be_argument);
    let known = program.adt(path).is_some_and(|adt| adt.kind == AdtKind::Struct && hides_fields(adt));
    (known && buildable && !leads_back && !path.is_of_std()).then_some((path, success))
}

/// Clones, conversions between states and the like make nothing new.
fn may_make(program: &Program, function: &Function) -> bool {
    match &function.owner {
        Owner::Free | Owner::Inherent { .. } => true,
        Owner::TraitImpl(id) => TRAITS.iter().any(|item| program.impls[*id].trait_ref.path == *item),
        Owner::Trait(_) | Owner::Within(_) => false,
    }
}

/// The function of the other version that is called alike.
fn counterpart(program: &Program, function: &Function) -> Option<FnId> {
    match program.functions_at(&function.path) {
        [only] => {
            let other = &program.functions[*only];
            let same = other.inputs == function.inputs
                && other.output == function.output
                && other.kind == function.kind
                && other.origin == function.origin
                && matches!(other.body, FnBody::Present(_))
                && program.generics_in_scope(*only).is_empty();
            same.then_some(*only)
        }
        _ => None,
    }
}

/// Nothing that is lent for writing, called, or not known.
fn can_be_argument(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => true,
        TyKind::Tuple(tys) => tys.iter().all(can_be_argument),
        TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Ref(Mutability::Shared, elem) => {
            can_be_argument(elem)
        }
        TyKind::Adt(_, args) => args.iter().all(|arg| match arg {
            GenericArg::Ty(ty) => can_be_argument(ty),
            GenericArg::Const(_) => true,
        }),
        _ => false,
    }
}

/// The best, in an order that depends on nothing but the program.
fn choose(program: &Program, candidates: &[Maker]) -> Vec<Maker> {
    let is_public = |maker: &&Maker| program.functions[maker.new].visibility == Visibility::Public;
    let any_public = candidates.iter().any(|maker| is_public(&maker));
    let mut chosen: Vec<Maker> =
        candidates.iter().filter(|maker| !any_public || is_public(maker)).cloned().collect();
    // Without parameters one state can be reached; with fewer of them more inputs succeed.
    let rank = |maker: &Maker| {
        let of_trait = maker.callee.as_str().starts_with('<');
        (maker.inputs.is_empty(), of_trait, maker.success, maker.inputs.len(), maker.callee.clone())
    };
    chosen.sort_by_key(rank);
    chosen.truncate(MOST_PER_TYPE);
    chosen
}

/// Types by path that occur in a type.
fn adts_in(ty: &Ty) -> Vec<Path> {
    let mut found = Vec::new();
    let _ = ty.map(
        &mut |ty| {
            if let TyKind::Adt(path, _) = ty.kind() {
                found.push(path.clone());
            }
            ty
        },
        &mut |constant| constant,
    );
    found
}

fn field_types(adt: &Adt) -> impl Iterator<Item = Ty> {
    adt.variants.iter().flat_map(|variant| &variant.fields).map(|field| field.ty.clone())
}

/// Whether values of the type may hold one of the other.
fn mentions(program: &Program, ty: &Ty, wanted: &Path) -> bool {
    let mut open = vec![ty.clone()];
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        for path in adts_in(&ty) {
            if path == *wanted {
                return true;
            }
            if seen.insert(path.clone())
                && let Some(adt) = program.adt(&path)
            {
                open.extend(field_types(adt));
            }
        }
    }
    false
}
