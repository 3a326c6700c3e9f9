//! From the types that one version takes to those that the other does.

use super::Place;
use super::fixed::fixed;
use crate::exec::questions::is_copy;
use crate::exec::resolve::{needs_drop, normalize};
use crate::ir::*;

/// Conversions from the types of one version to those of the other.
pub(super) struct Search<'p> {
    /// That of the function that is called.
    pub program: &'p Program,
    /// What the function's parameters stand for, as far as it is known.
    pub args: Subst,
    /// Whether the result may refer to arguments.
    pub refers: bool,
}

/// More steps than these in a row are no caller's.
const MOST_STEPS: usize = 4;

impl Search<'_> {
    pub fn arguments(
        &mut self,
        taken: &Function,
        called: &Function,
        places: &[Place],
    ) -> Option<Vec<Argument>> {
        let each = places.iter().enumerate().map(|(index, place)| match place {
            Place::Taken(place) => {
                let conversion = self.conversion(&taken.inputs[*place], &called.inputs[index], 0)?;
                Some(Argument::Parameter { place: *place, conversion })
            }
            Place::Added(name) => {
                Some(Argument::Fixed { name: name.clone(), value: fixed(self.program, called, index)? })
            }
        });
        each.collect()
    }

    fn conversion(&mut self, from: &Ty, to: &Ty, depth: usize) -> Option<Conversion> {
        if depth > MOST_STEPS {
            return None;
        }
        if self.is_the_same(from, to) {
            return Some(Vec::new());
        }
        let step = |step: ConversionStep, rest: Conversion| [vec![step], rest].concat();
        match (from.kind(), to.kind()) {
            (TyKind::Int(small), TyKind::Int(large)) => {
                has_all_values(*large, *small).then(|| vec![ConversionStep::Widen(to.clone())])
            }
            (_, TyKind::Adt(path, args))
                if path == KnownType::Option && from.known() != Some(KnownType::Option) =>
            {
                let [GenericArg::Ty(inner), ..] = args.as_slice() else { return None };
                let mut steps = self.conversion(from, inner, depth + 1)?;
                steps.push(ConversionStep::Wrap(self.args.ty(to)));
                Some(steps)
            }
            (TyKind::Ref(Mutability::Mut, given), TyKind::Ref(Mutability::Shared, _)) => {
                let rest =
                    self.conversion(&Ty::reference(Mutability::Shared, given.clone()), to, depth + 1)?;
                Some(step(ConversionStep::Reborrow, rest))
            }
            (TyKind::Ref(given_as, given), TyKind::Ref(wanted_as, wanted)) if given_as == wanted_as => {
                let next = match (given.kind(), wanted.kind()) {
                    (TyKind::Array(element, _), TyKind::Slice(_)) => {
                        let slice = Ty::new(TyKind::Slice(element.clone()));
                        Some((ConversionStep::Unsize(*given_as, slice.clone()), slice))
                    }
                    _ => self
                        .target(given)
                        .map(|target| (ConversionStep::Deref(*given_as, target.clone()), target)),
                };
                let (first, target) = next?;
                Some(step(first, self.conversion(&Ty::reference(*given_as, target), to, depth + 1)?))
            }
            (TyKind::Ref(..), TyKind::Ref(..)) => None,
            (TyKind::Ref(Mutability::Shared, given), _) if is_copy(self.program, given) == Some(true) => {
                Some(step(ConversionStep::Copy, self.conversion(given, to, depth + 1)?))
            }
            (_, TyKind::Ref(Mutability::Shared, _)) if !self.refers || !needs_drop(self.program, from) => {
                let lent = Ty::reference(Mutability::Shared, from.clone());
                Some(step(ConversionStep::Lend, self.conversion(&lent, to, depth + 1)?))
            }
            _ => None,
        }
    }

    /// Whether both are one type, once parameters that this version alone has stand for what the other has.
    fn is_the_same(&mut self, from: &Ty, to: &Ty) -> bool {
        let mut args = self.args.clone();
        let fits = args.unify(to, from) && args.ty(to) == *from;
        if fits {
            self.args = args;
        }
        fits
    }

    /// `T::Target`, if the type derefs to another.
    fn target(&self, ty: &Ty) -> Option<Ty> {
        if let TyKind::Adt(..) = ty.kind() {
            let trait_ref =
                TraitRef { self_ty: ty.clone(), path: KnownTrait::Deref.into(), args: Vec::new() };
            let target = Ty::new(TyKind::Projection { trait_ref, name: Name::new("Target") });
            let known = normalize(self.program, &target);
            return (known != target).then_some(known);
        }
        None
    }
}

fn has_all_values(large: IntTy, small: IntTy) -> bool {
    match (small.signedness(), large.signedness()) {
        (Signedness::Unsigned, Signedness::Signed) => large.bits() > small.bits(),
        (Signedness::Signed, Signedness::Unsigned) => false,
        _ => large.bits() >= small.bits(),
    }
}
