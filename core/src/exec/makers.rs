//! Functions by which the crate itself makes values of its types.
//!
//! *Idea.* A type with private fields may keep something true of them, and some fields hold what nobody can write down (an
//! address). Values of such a type are had by calling what the crate has for it: associated functions and the like that
//! give a `T`, an `Option<T>` or a `Result<T, _>` from arguments that can be built in turn. Methods that change a value lead on
//! from there: `let mut c = Cart::new(); c.add("a", 1);`.
//!
//! *Definition.* The makers of a type are functions of the crate, the same in name, parameters and kind of result in both
//! versions, with nothing generic left open. If any of them can be called from outside of the crate, only those count: what
//! is private may take arguments that the crate never hands to it. A *step* is a method of which the same holds, and whose first argument
//! is a value of the type: by `self` it gives the next one (`Config::new().with_padding(true)`), by `&mut self` the next one is that
//! argument after the call ([`Success::After`]).
//!
//! *Not handled.* Generic types; what the functions make that is not the whole of their result; steps that return something borrowed.

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
    /// What it is called with; of a step the first is the type itself, not a reference to it.
    pub inputs: Vec<Ty>,
    pub success: Success,
    pub old: FnId,
    pub new: FnId,
}

impl Maker {
    /// Whether it makes a value from one that there is.
    pub fn is_step(&self) -> bool {
        self.inputs
            .first()
            .is_some_and(|first| matches!(first.kind(), TyKind::Adt(path, _) if *path == self.makes))
    }
}

/// The makers of each type, best first; steps follow the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Makers {
    by_type: BTreeMap<Path, Vec<Maker>>,
}

/// More of them would reach hardly any further states.
const MOST_PER_TYPE: usize = 3;
const MOST_PARAMS: usize = 5;
const MOST_STEPS_PER_TYPE: usize = 4;
/// Steps that lead from a made value to another, at most.
pub const MOST_STEPS: u64 = 3;
/// Traits whose methods make values from something else.
const TRAITS: [KnownTrait; 4] =
    [KnownTrait::FromStr, KnownTrait::From, KnownTrait::TryFrom, KnownTrait::Default];

impl Makers {
    /// What makes the types that the parameters of these functions consist of.
    pub fn common(old: &Program, new: &Program, subjects: &[(FnId, FnId)]) -> Makers {
        let roots = subjects.iter().flat_map(|(_, id)| new.functions[*id].inputs.clone());
        let mut candidates: BTreeMap<Path, Vec<Maker>> = BTreeMap::new();
        for (id, function) in new.functions.iter_enumerated() {
            if let Some((makes, success)) = made(new, function).or_else(|| changed(new, function))
                && let Some(other) = counterpart(old, function)
                && new.generics_in_scope(id).is_empty()
            {
                let mut inputs = function.inputs.clone();
                if success == Success::After {
                    // It is lent the value that it changes.
                    inputs[0] = Ty::adt(makes.as_str(), Vec::new());
                }
                let callee = function.path.clone();
                let maker = Maker { callee, makes: makes.clone(), inputs, success, old: other, new: id };
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

    /// Those that need no value of the type.
    pub fn without_steps(&self, ty: &Path) -> &[Maker] {
        let all = self.of(ty);
        let steps = all.iter().rev().take_while(|maker| maker.is_step()).count();
        &all[..all.len() - steps]
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
        // A step leads nowhere without a value to begin with.
        self.by_type.retain(|_, makers| !makers.iter().all(Maker::is_step));
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
    let (path, success) = result(function)?;
    let leads_back = function.inputs.iter().any(|ty| mentions(program, ty, path));
    let buildable = function.inputs.iter().all(can_be_argument);
    let known = program.adt(path).is_some_and(|adt| adt.kind == AdtKind::Struct && hides_fields(adt));
    (known && buildable && !leads_back && !path.is_of_std()).then_some((path, success))
}

/// The type with private fields of which the method makes a value from another.
fn changed<'f>(program: &Program, function: &'f Function) -> Option<(&'f Path, Success)> {
    let (first, others) = function.inputs.split_first()?;
    let (path, args, success) = match first.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => match pointee.kind() {
            TyKind::Adt(path, args) if owns_all(&function.output) => (path, args, Success::After),
            _ => return None,
        },
        TyKind::Adt(path, args) => match result(function)? {
            (made, success) if made == path => (path, args, success),
            _ => return None,
        },
        _ => return None,
    };
    let is_step = function.origin == Origin::Subject
        && function.kind == FunctionKind::Fn
        && matches!(function.owner, Owner::Inherent { .. })
        && matches!(function.body, FnBody::Present(_))
        && args.is_empty()
        && function.inputs.len() <= MOST_PARAMS
        && others.iter().all(can_be_argument)
        && !others.iter().any(|ty| mentions(program, ty, path))
        && program.adt(path).is_some_and(|adt| adt.kind == AdtKind::Struct && hides_fields(adt));
    is_step.then_some((path, success))
}

/// The type of which the function gives a value, and how.
fn result(function: &Function) -> Option<(&Path, Success)> {
    fn adt(ty: &Ty) -> Option<&Path> {
        match ty.kind() {
            TyKind::Adt(path, args) if args.is_empty() => Some(path),
            _ => None,
        }
    }
    match function.output.kind() {
        TyKind::Adt(path, args) => match args.first() {
            Some(GenericArg::Ty(inner)) if path == KnownType::Option => Some((adt(inner)?, Success::Some)),
            Some(GenericArg::Ty(inner)) if path == KnownType::Result => Some((adt(inner)?, Success::Ok)),
            _ => Some((adt(&function.output)?, Success::Always)),
        },
        _ => None,
    }
}

/// Whether nothing in the value can lead back to what the function was lent.
fn owns_all(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Never => true,
        TyKind::Tuple(tys) => tys.iter().all(owns_all),
        TyKind::Adt(_, args) => args.iter().all(|arg| match arg {
            GenericArg::Ty(ty) => owns_all(ty),
            GenericArg::Const(_) => true,
        }),
        _ => false,
    }
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

/// The best, in an order that depends on nothing but the program; then the steps.
fn choose(program: &Program, candidates: &[Maker]) -> Vec<Maker> {
    let (steps, others): (Vec<Maker>, Vec<Maker>) = candidates.iter().cloned().partition(Maker::is_step);
    let of_trait = |maker: &Maker| maker.callee.as_str().starts_with('<');
    // Without parameters one state can be reached; with fewer of them more inputs succeed.
    let mut chosen = best(program, others, MOST_PER_TYPE, |maker| {
        (maker.inputs.is_empty(), of_trait(maker), maker.success, maker.inputs.len(), maker.callee.clone())
    });
    if !chosen.is_empty() {
        let lone = |maker: &Maker| maker.inputs.len() == 1;
        chosen.extend(best(program, steps, MOST_STEPS_PER_TYPE, |maker| {
            (lone(maker), maker.inputs.len(), maker.callee.clone())
        }));
    }
    chosen
}

/// The first of the public ones, or of all if there is none.
fn best<K: Ord>(
    program: &Program,
    mut makers: Vec<Maker>,
    most: usize,
    rank: impl Fn(&Maker) -> K,
) -> Vec<Maker> {
    let is_public = |maker: &Maker| program.functions[maker.new].visibility == Visibility::Public;
    if makers.iter().any(is_public) {
        makers.retain(is_public);
    }
    makers.sort_by_key(rank);
    makers.truncate(most);
    makers
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
