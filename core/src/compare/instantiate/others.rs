//! Types that may show what the chosen ones cannot.
//!
//! One choice of types leaves out what others do: all numbers of `i32` are equal to themselves, and none of `f64` need be; differences of unsigned
//! numbers overflow at once; each implementor of a trait of the crate is a case of its own. So there are a few further choices, for native runs. The same
//! holds of constants: a width of three bits says nothing of what happens at eight.

use crate::ir::{
    Const, ConstTy, FloatTy, GenericArg, GenericParam, GenericParamKind, IntTy, KnownTrait, KnownType, Name,
    Subst, TraitRef, Ty, TyKind,
};

use super::{Instantiation, Side, is_open};

/// Implementors of the crate's traits that are tried for one parameter.
const MOST_IMPLEMENTORS: usize = 2;

/// What may stand for one of the parameters instead, the most telling first.
pub(super) fn candidates(sides: &[Side<'_>; 2], chosen: &Instantiation) -> Vec<Ty> {
    let of_types = || sides[1].params.iter().filter(|param| param.kind == GenericParamKind::Type);
    let side = &sides[1];
    let of_own = |ty: &Ty| sides.iter().all(|side| side.known.can_have(ty) && side.can_name(ty));
    // What is turned into a type may be one whose conversion reaches little of what is done with that: `&str` for `impl Into<Event>`.
    let turned_into_itself =
        of_types().flat_map(|param| side.asked_for_itself(&param.name, &chosen.new)).filter(of_own);
    let mut found: Vec<Ty> = turned_into_itself.collect();
    found.extend(of_types().flat_map(|param| implementors(sides, param, chosen)));
    found.extend(of_types().flat_map(|param| sides[1].answerers(&param.name)));
    found.extend(of_types().flat_map(|param| usual(&sides[1], param)));
    let mut distinct: Vec<Ty> = Vec::new();
    for ty in found {
        if !chosen.has(&ty) && !distinct.contains(&ty) {
            distinct.push(ty);
        }
    }
    distinct
}

/// Constants that may stand for a parameter instead: whole bytes, none, one, and `false` for `true`.
const OTHER_NUMBERS: [i128; 3] = [8, 0, 1];

/// The choice with another constant for one of its parameters, the most telling first.
pub(super) fn with_other_constants(sides: &[Side<'_>; 2], chosen: &Instantiation) -> Vec<Instantiation> {
    let others = |param: &GenericParam| match param.kind {
        GenericParamKind::Const(ConstTy::Int(ty)) => OTHER_NUMBERS.map(|bits| Const::int(bits, ty)).to_vec(),
        GenericParamKind::Const(ConstTy::Bool) => vec![Const::Bool(false)],
        GenericParamKind::Const(ConstTy::Char) | GenericParamKind::Type => Vec::new(),
    };
    let mut found: Vec<Instantiation> = Vec::new();
    for (place, param) in sides[1].params.iter().enumerate() {
        for constant in others(param) {
            let mut args: Vec<(Name, GenericArg)> = chosen.args.clone();
            let Some((_, arg)) = args.get_mut(place).filter(|(name, _)| *name == param.name) else {
                continue;
            };
            *arg = GenericArg::Const(constant);
            let only: Vec<GenericArg> = args.iter().map(|(_, arg)| arg.clone()).collect();
            let [old, new] = [0, 1].map(|side: usize| Subst::from_params(&sides[side].params, &only));
            let other = Instantiation { old, new, args };
            if other != *chosen && !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found
}

/// Types of the crates under comparison that implement what is asked of the parameter.
fn implementors(sides: &[Side<'_>; 2], param: &GenericParam, chosen: &Instantiation) -> Vec<Ty> {
    let side = &sides[1];
    let own = side.known.own_crates();
    let is_own = |ty: &Ty| match ty.kind() {
        TyKind::Adt(path, _) => own.contains(&Name::new(path.crate_name())),
        _ => false,
    };
    let can_be_had =
        |ty: &Ty| sides.iter().all(|side| side.known.can_have(ty) && side.can_name(ty)) && !is_open(ty);
    let mut found = side.implementors(&param.name, &chosen.new);
    found.retain(|ty| is_own(ty) && can_be_had(ty) && !chosen.has(ty));
    found.truncate(MOST_IMPLEMENTORS);
    found
}

/// Types of the language and of std by which the demands on a parameter can tell versions apart.
fn usual(side: &Side<'_>, param: &GenericParam) -> Vec<Ty> {
    let demands: Vec<&TraitRef> = side.demanded_of(&param.name).collect();
    let is_call = |demand: &TraitRef| demand.path.known_trait().is_some_and(KnownTrait::is_call);
    if demands.iter().any(|demand| is_call(demand)) {
        return Vec::new();
    }
    let any = |starts: &[&str]| demands.iter().any(|demand| demand.path.begins_in_std(starts));
    let (computes, compares) = (any(&["ops::"]), any(&["cmp::"]));
    let is_foreign = demands.iter().any(|demand| !demand.path.is_of_std());
    let mut types = Vec::new();
    if computes || compares || is_foreign {
        types.push(Ty::new(TyKind::Float(FloatTy::F64)));
    }
    let text = Ty::adt(KnownType::String, Vec::new());
    if is_foreign && !computes {
        // A trait of formats does something else for each kind of value: `Deserialize`.
        let items = vec![GenericArg::Ty(Ty::int(IntTy::I32))];
        types.extend([Ty::new(TyKind::Bool), text.clone(), Ty::adt(KnownType::Vec, items)]);
    }
    if computes || is_foreign {
        types.push(Ty::int(IntTy::U8));
    } else {
        types.push(text);
    }
    if demands.is_empty() {
        types.push(Ty::unit());
    }
    types
}

/// Whether the trait asks for what floats do not have: a whole order, or an equality that holds of everything and itself.
pub(super) fn is_total(demand: &TraitRef) -> bool {
    matches!(demand.path.known_trait(), Some(KnownTrait::Eq | KnownTrait::Ord | KnownTrait::Hash))
}

impl Instantiation {
    /// Whether one of the parameters stands for the type.
    pub(super) fn has(&self, ty: &Ty) -> bool {
        self.types().any(|chosen| chosen == ty)
    }

    /// Whether a constant parameter stands for something else in the other choice.
    pub fn has_other_constants(&self, other: &Instantiation) -> bool {
        let constants = |of: &Instantiation| -> Vec<GenericArg> {
            let args = of.args.iter().map(|(_, arg)| arg);
            args.filter(|arg| matches!(arg, GenericArg::Const(_))).cloned().collect()
        };
        constants(self) != constants(other)
    }

    /// The types that parameters stand for.
    pub fn types(&self) -> impl Iterator<Item = &Ty> {
        self.args.iter().filter_map(|(_, arg)| match arg {
            GenericArg::Ty(ty) => Some(ty),
            GenericArg::Const(_) => None,
        })
    }
}
