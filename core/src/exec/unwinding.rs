//! What a panic does on its way out.
//!
//! Clean-up is not run here: whatever it writes is not compared once a call has panicked. But it may keep the panic from leaving: a panic
//! within a destructor ends the process, as does one that would leave a function of another ABI, and a destructor may not return at all. So where
//! clean-up may run a destructor of the program that may not return, or ends the process, the run is refused.
//!
//! *Limits.* Destructors of the library are taken to return, if what they drop does.

use rustc_hash::FxHashSet;

use super::image::{Image, MayDiverge};
use super::machine::{Frame, Machine};
use super::resolve;
use super::run::Stop;
use crate::ir::{
    BlockId, Body, GenericArg, KnownTrait, Name, Origin, Owner, Path, Program, TerminatorKind, Ty, TyKind,
    Unwinding,
};
use crate::verdict::unsupported::{Control, Unsupported};

/// Types of the program with a destructor that may not return.
#[derive(Debug, Default)]
pub struct Stubborn {
    heads: FxHashSet<Path>,
}

impl Stubborn {
    pub fn of(image: &Image<'_>) -> Stubborn {
        let program = image.program;
        let mut heads = FxHashSet::default();
        for id in program.impls_of(&KnownTrait::Drop.into()) {
            let item = &program.impls[*id];
            let Some(function) = item.methods.get(&Name::new("drop")) else { continue };
            if program.functions[*function].origin == Origin::StdModel
                || image.may_diverge(*function) == MayDiverge::No
            {
                continue;
            }
            if let TyKind::Adt(path, _) = item.trait_ref.self_ty.kind() {
                heads.insert(path.clone());
            }
        }
        Stubborn { heads }
    }

    /// Whether dropping a value of the type may run one of these destructors.
    fn within(&self, program: &Program, ty: &Ty, seen: &mut FxHashSet<Ty>) -> bool {
        if self.heads.is_empty() || !seen.insert(ty.clone()) {
            return false;
        }
        match ty.kind() {
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Ref(..)
            | TyKind::RawPtr(..)
            | TyKind::FnDef(_)
            | TyKind::FnPtr { .. } => false,
            TyKind::Tuple(tys) => tys.iter().any(|ty| self.within(program, ty, seen)),
            TyKind::Array(ty, _) | TyKind::Slice(ty) => self.within(program, ty, seen),
            TyKind::Adt(path, args) => {
                let in_args = args
                    .iter()
                    .any(|arg| matches!(arg, GenericArg::Ty(ty) if self.within(program, ty, seen)));
                if in_args || self.heads.contains(path) {
                    return true;
                }
                match program.adt(path) {
                    Some(adt) => (0..adt.variants.len()).any(|variant| {
                        let fields = adt.field_types(variant, args);
                        fields.iter().any(|ty| self.within(program, &resolve::normalize(program, ty), seen))
                    }),
                    None => !path.is_of_std(),
                }
            }
            TyKind::Dyn(_)
            | TyKind::Closure(..)
            | TyKind::Param(_)
            | TyKind::Projection { .. }
            | TyKind::Unsupported(_) => true,
        }
    }
}

impl<'p> Machine<'_, 'p, '_> {
    /// The panic, or why it cannot be told whether it leaves the call.
    pub(super) fn unwound(&self, stop: Stop) -> Stop {
        let Stop::Panic { .. } = stop else { return stop };
        let refused = self.frames.iter().enumerate().any(|(depth, frame)| {
            let within_drop = depth > 0 && frame.is_waited_for() && self.is_destructor(frame);
            let held_up = match (frame.terminator(), self.image.program.unwinding) {
                (TerminatorKind::Call { target: None, unwind: None, .. }, Unwinding::NotOfPanics) => {
                    frame.body.locals.iter().any(|local| self.is_stubborn(frame, &local.ty))
                }
                (terminator, _) => terminator.unwind().is_some_and(|entry| self.may_hold_up(frame, entry)),
            };
            held_up || within_drop && !self.image.stubborn().heads.is_empty()
        });
        match refused {
            true => Stop::Unsupported(Unsupported::Control(Control::HeldUpPanic)),
            false => stop,
        }
    }

    fn is_destructor(&self, frame: &Frame<'p>) -> bool {
        let program = self.image.program;
        matches!(&program.functions[frame.function].owner, Owner::TraitImpl(id)
            if program.impls[*id].trait_ref.path == KnownTrait::Drop)
    }

    /// Whether dropping a value of a type in the frame's body may not return.
    fn is_stubborn(&self, frame: &Frame<'p>, ty: &Ty) -> bool {
        let ty = resolve::normalize(self.image.program, &frame.subst.ty(ty));
        self.image.stubborn().within(self.image.program, &ty, &mut FxHashSet::default())
    }

    /// Whether clean-up that begins at the block may end the process or not end.
    fn may_hold_up(&self, frame: &Frame<'p>, entry: BlockId) -> bool {
        let body: &Body = frame.body;
        let (mut left, mut seen) = (vec![entry], FxHashSet::default());
        while let Some(block) = left.pop() {
            if !seen.insert(block) {
                continue;
            }
            let kind = &body.blocks[block].terminator.kind;
            let holds_up = match kind {
                TerminatorKind::Abort | TerminatorKind::Unsupported(_) => true,
                TerminatorKind::Drop { place, .. } => {
                    let ty = body.locals[place.local].ty.clone();
                    // What a reference leads to is dropped where it is followed.
                    let ty = if place.projection.is_empty() {
                        ty.clone()
                    } else {
                        ty.pointee().cloned().unwrap_or(ty)
                    };
                    self.is_stubborn(frame, &ty)
                }
                TerminatorKind::Call { .. } | TerminatorKind::Assert { .. } => {
                    !self.image.stubborn().heads.is_empty()
                }
                _ => false,
            };
            if holds_up {
                return true;
            }
            left.extend(kind.successors());
        }
        false
    }
}
