//! The weaker claim: the new version panics on no input on which the old one does not.
//!
//! *Idea.* The same product, with fewer ends to be refused. What is returned may differ; so values may go apart, and both versions are followed with what each has.
//!
//! *Definition.* A path is innocent if the old version does not return on it, or if the new one does. Where both come to different effects, the old version makes its
//! own alone and goes on: what it returns in that case is as good as any, and if it does not return the path is innocent. An effect of the new version
//! alone may panic, and is refused; so is a loop of the new version alone, so that none is endless where the old version ends.
//!
//! *Source.* The property of D. Beyer, M.-C. Jakobs, T. Lemberger: Difference verification with conditions, SEFM 2020: a regression is an error of the new
//! version on an input on which the old one has none.

use std::collections::VecDeque;

use super::Obstacle;
use super::join::Both;
use super::numbers::Node;
use super::product::{Product, Which};
use super::side::{Attempt, End, Stop};

/// What is claimed of both versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// They end alike, with the same effects.
    SameEnds,
    /// The new one panics, aborts and hangs where the old one does.
    NoNewPanic,
}

/// What becomes of a state under the weaker claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    Done,
    /// It is followed as under the other claim.
    Not,
}

impl Product<'_, '_> {
    /// Takes care of states that the weaker claim is about.
    pub fn step_towards_panics(
        &mut self,
        both: &Both,
        open: &mut VecDeque<Both>,
    ) -> Result<Handled, Obstacle> {
        // A panic that cleans up comes to its end.
        if both.old.cause.is_some() {
            return Ok(Handled::Done);
        }
        match (&both.old.stop, &both.new.stop) {
            (Stop::End(End::Unwound(_) | End::Aborted | End::Unreachable), _)
            | (_, Stop::End(End::Returned(_) | End::Unreachable)) => Ok(Handled::Done),
            (Stop::Effect(a), Stop::Effect(b)) if self.is_same_effect(both, a, b) => Ok(Handled::Not),
            (Stop::Effect(a), Stop::Effect(_) | Stop::End(_)) => {
                let attempt = a.clone();
                self.happen_in_old(both.clone(), &attempt, open)?;
                Ok(Handled::Done)
            }
            _ => Ok(Handled::Not),
        }
    }

    /// The old version alone makes the effect, and returns from it.
    fn happen_in_old(
        &mut self,
        mut both: Both,
        attempt: &Attempt,
        open: &mut VecDeque<Both>,
    ) -> Result<(), Obstacle> {
        let effect = Box::new(attempt.effect.clone());
        let memory = self.numbers.of(Node::After(effect, attempt.operands.clone()));
        let mut side = self.side(Which::Old, both.old);
        side.after(attempt, memory)?;
        both.old = side.state;
        open.push_back(both);
        Ok(())
    }
}
