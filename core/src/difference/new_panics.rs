//! The weaker claim: the new version panics on no input on which the old one does not.
//!
//! *Idea.* The same product, with fewer ends to be refused. What is returned may differ; so values may go apart, and both versions are followed with what each has.
//!
//! *Definition.* A path is innocent if the old version does not return on it, or if the new one does. Where both come to different effects each makes its
//! own alone: the old version if the call may return, as what it returns is as good as any, and if it does not return the path is innocent (one that never returns may end the process,
//! which is no panic); the new version if it calls a function of the standard library that always returns ([`always_returns`]). Any other effect of the new version alone may panic, and is refused; so is a loop of the new version alone, so that
//! none is endless where the old version ends.
//!
//! *Source.* The property of D. Beyer, M.-C. Jakobs, T. Lemberger: Difference verification with conditions, SEFM 2020: a regression is an error of the new
//! version on an input on which the old one has none.

use std::collections::VecDeque;

use super::Obstacle;
use super::both::Both;
use super::code::JoinKind;
use super::numbers::{Effect, Node};
use super::product::{Product, Which};
use super::side::{Attempt, End, Stop};
use crate::exec::image::MayDiverge;
use crate::exec::resolve::resolve;
use crate::exec::{Image, knows};
use crate::ir::{FnRef, GenericArg, Origin, Program, Ty, TyKind};

/// What is claimed of both versions.
#[derive(Clone, Copy)]
pub enum Claim<'i, 'a> {
    /// They end alike, with the same effects.
    SameEnds,
    /// The new one, of which this is known, panics, aborts and hangs where the old one does.
    NoNewPanic(&'i Image<'a>),
}

/// What becomes of a state under the weaker claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    Done,
    /// It is followed as under the other claim.
    Not,
}

impl<'p, 'a> Product<'p, 'a> {
    /// Takes care of states that the weaker claim is about.
    pub fn step_towards_panics(
        &mut self,
        image: &Image<'_>,
        both: &Both,
        open: &mut VecDeque<Both>,
    ) -> Result<Handled, Obstacle> {
        // A panic that cleans up comes to its end.
        if both.old.cause.is_some() {
            return Ok(Handled::Done);
        }
        let alone = match (&both.old.stop, &both.new.stop) {
            (Stop::End(End::Unwound(_) | End::Aborted | End::Unreachable), _)
            | (_, Stop::End(End::Returned(_) | End::Unreachable)) => return Ok(Handled::Done),
            (Stop::Effect(a), Stop::Effect(b)) if self.is_same_effect(both, a, b) => return Ok(Handled::Not),
            (Stop::Effect(_) | Stop::End(_) | Stop::Join(_, JoinKind::Header), Stop::Effect(b))
                if b.target.is_some() && always_returns(image, &b.effect) =>
            {
                Some((Which::New, b.clone()))
            }
            (Stop::Effect(a), Stop::Effect(_) | Stop::End(_) | Stop::Join(_, JoinKind::Header))
                if a.target.is_some() =>
            {
                Some((Which::Old, a.clone()))
            }
            _ => None,
        };
        let Some((which, attempt)) = alone else { return Ok(Handled::Not) };
        self.happen_in(which, both.clone(), &attempt, open)?;
        Ok(Handled::Done)
    }

    /// One version alone makes the effect, and returns from it.
    fn happen_in(
        &mut self,
        which: Which,
        mut both: Both,
        attempt: &Attempt,
        open: &mut VecDeque<Both>,
    ) -> Result<(), Obstacle> {
        let effect = Box::new(attempt.effect.clone());
        let memory = self.numbers.of(Node::After(effect, attempt.operands.clone()));
        let state = match which {
            Which::Old => &mut both.old,
            Which::New => &mut both.new,
        };
        let mut side = self.side(which, state.clone());
        side.after(attempt, memory)?;
        *state = side.state;
        open.push_back(both);
        Ok(())
    }
}

/// Whether the effect is a call of a function of the standard library that returns whatever it is given. Of types of the crate's own it might call what the model of
/// the function does not, so such are not among its arguments.
fn always_returns(image: &Image<'_>, effect: &Effect) -> bool {
    let Effect::Call(callee) = effect else { return false };
    let types = |args: &[GenericArg]| {
        args.iter().all(|arg| match arg {
            GenericArg::Ty(ty) => is_of_library(ty),
            GenericArg::Const(_) => true,
        })
    };
    let is_of_library = match callee {
        FnRef::Free { args, .. } | FnRef::Inherent { args, .. } => types(args),
        FnRef::Trait { trait_ref, args, .. } => {
            is_of_library(&trait_ref.self_ty) && types(&trait_ref.args) && types(args)
        }
    };
    let program: &Program = image.program;
    let is_known = |callee| {
        knows(callee)
            || resolve(program, callee)
                .is_some_and(|resolved| program.functions[resolved.function].origin == Origin::StdModel)
    };
    is_of_library && is_known(callee) && image.call_may_diverge(callee) == MayDiverge::No
}

/// Whether the type is made of types of the standard library alone, and of no code.
fn is_of_library(ty: &Ty) -> bool {
    !ty.has_part(|part| match part {
        TyKind::Adt(path, _) => !path.is_of_std(),
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str
        | TyKind::Tuple(_)
        | TyKind::Array(..)
        | TyKind::Slice(_)
        | TyKind::Ref(..) => false,
        _ => true,
    })
}
