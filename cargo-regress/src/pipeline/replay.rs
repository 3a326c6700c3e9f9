//! Both versions of a function as native code: one input through both, and what the engine said of it held against that.

use std::collections::BTreeSet;

use regress_core::compare::{Candidate, Contents, Sample};
use regress_core::evidence::{Doubt, Replay};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use crate::harness::{self, Care, Literals, Patience, Worker, same_outcome};

/// Both versions of a subject, able to run natively.
pub(super) struct Native {
    pub(super) old: Worker,
    pub(super) new: Worker,
    pub(super) old_id: harness::SubjectId,
    pub(super) new_id: harness::SubjectId,
    pub(super) literals: Literals,
    pub(super) patience: Patience,
}

impl Native {
    /// Numbers in the bodies of both versions.
    pub(super) fn integers(&self) -> BTreeSet<u128> {
        self.literals.ints.clone()
    }

    /// How both versions end on the inputs, and whether it comes out again.
    pub(super) fn replay(&mut self, inputs: &[Value], care: Care) -> Result<Replay, String> {
        let (old, new) = ((&mut self.old, self.old_id), (&mut self.new, self.new_id));
        harness::replay(old, new, inputs, (care, &mut self.patience)).map_err(|error| error.to_string())
    }

    /// Runs an input of a partition, and holds what the engine said of it against it.
    pub(super) fn strike(&mut self, sample: &Sample) -> Result<Struck, String> {
        strike(sample, &mut |ask| match ask {
            Ask::Once => self.both(&sample.inputs).map(Told::Outcomes),
            // Earlier calls may have left something behind.
            Ask::Anew => {
                self.old.restart();
                self.new.restart();
                self.both(&sample.inputs).map(Told::Outcomes)
            }
            Ask::Surely => self.replay(&sample.inputs, Care::Finding).map(Told::Replay),
        })
    }

    /// One run of each version.
    fn both(&mut self, inputs: &[Value]) -> Result<(Outcome, Outcome), String> {
        let old = self.old.call(self.old_id, inputs).map_err(|error| error.to_string())?;
        let new = self.new.call(self.new_id, inputs).map_err(|error| error.to_string())?;
        Ok((old, new))
    }

    /// The contents that the engine sees in `MaybeUninit`s, if native runs of both versions have the same numbers in all that
    /// are initialised.
    pub(super) fn contents_differ(&mut self, candidate: &Candidate) -> Option<Contents> {
        let contents = candidate.contents.as_deref()?;
        let old = self.old.look(self.old_id, &candidate.inputs).ok()?;
        let new = self.new.look(self.new_id, &candidate.inputs).ok()?;
        let confirmed = harness::bears_out(&contents.old, &old)
            && harness::bears_out(&contents.new, &new)
            && !same_outcome(&contents.old, &contents.new);
        confirmed.then(|| contents.clone())
    }
}

/// What an attack on a proof showed at one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Struck {
    AsSaid,
    /// No version ended in time.
    Slow,
    Differs {
        old: Outcome,
        new: Outcome,
    },
    Doubtful(Doubt),
    /// Both versions end alike, and otherwise than the engine says.
    Otherwise,
}

/// What [`strike`] wants to know of an input.
enum Ask {
    /// How each version ends.
    Once,
    /// The same in new processes.
    Anew,
    /// Whether they differ.
    Surely,
}

enum Told {
    Outcomes((Outcome, Outcome)),
    Replay(Replay),
}

/// Holds what the engine says of an input against what `ask` tells of native runs.
fn strike<E>(sample: &Sample, ask: &mut impl FnMut(Ask) -> Result<Told, E>) -> Result<Struck, E> {
    let surely = |told: Told| match told {
        Told::Replay(Replay::Differs { old, new }) => Struck::Differs { old, new },
        Told::Replay(Replay::Doubtful(doubt)) => Struck::Doubtful(doubt),
        // Once they differed.
        Told::Replay(Replay::Same(_)) | Told::Outcomes(_) => {
            Struck::Doubtful(Doubt::DifferedOnce { runs: 1 })
        }
    };
    let (old, new) = match ask(Ask::Once)? {
        Told::Outcomes(outcomes) => outcomes,
        told @ Told::Replay(_) => return Ok(surely(told)),
    };
    let slow = (old == Outcome::Hung, new == Outcome::Hung);
    if slow == (true, true) {
        return Ok(Struck::Slow);
    }
    if !same_outcome(&old, &new) {
        return Ok(match ask(Ask::Surely)? {
            // One of them ended late, as the other did.
            Told::Replay(Replay::Same(_)) if slow != (false, false) => Struck::Slow,
            told => surely(told),
        });
    }
    if same_outcome(&sample.old, &old) && same_outcome(&sample.new, &new) {
        return Ok(Struck::AsSaid);
    }
    let (old_again, new_again) = match ask(Ask::Anew)? {
        Told::Outcomes(outcomes) => outcomes,
        told @ Told::Replay(_) => return Ok(surely(told)),
    };
    for (version, first, again) in [(Version::Old, &old, &old_again), (Version::New, &new, &new_again)] {
        if !same_outcome(first, again) {
            return Ok(Struck::Doubtful(Doubt::NotDeterministic { version }));
        }
    }
    Ok(Struck::Otherwise)
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;

    use super::*;

    fn returned(number: u8) -> Outcome {
        Outcome::Returned { value: Value::int(IntTy::U8, number.into()), mutated: Vec::new() }
    }

    /// What the engine says, how native runs end, and again in new processes; and what a closer look at a difference tells.
    #[track_caller]
    fn check(
        said: (u8, u8),
        once: (Outcome, Outcome),
        anew: (Outcome, Outcome),
        surely: Replay,
        expected: Struck,
    ) {
        let sample = Sample { inputs: Vec::new(), old: returned(said.0), new: returned(said.1) };
        let mut ask = |ask| {
            Ok::<_, ()>(match ask {
                Ask::Once => Told::Outcomes(once.clone()),
                Ask::Anew => Told::Outcomes(anew.clone()),
                Ask::Surely => Told::Replay(surely.clone()),
            })
        };
        assert_eq!(strike(&sample, &mut ask), Ok(expected));
    }

    #[test]
    fn a_proof_falls_at_a_native_difference() {
        let both = |old, new| (returned(old), returned(new));
        let same = || Replay::Same(returned(1));
        check((1, 1), both(1, 1), both(1, 1), same(), Struck::AsSaid);
        let differs = || Replay::Differs { old: returned(1), new: returned(2) };
        check(
            (1, 1),
            both(1, 2),
            both(1, 2),
            differs(),
            Struck::Differs { old: returned(1), new: returned(2) },
        );
        // Alike, and not as the engine says.
        check((1, 1), both(2, 2), both(2, 2), same(), Struck::Otherwise);
        check((1, 2), both(1, 1), both(1, 1), same(), Struck::Otherwise);
    }

    #[test]
    fn what_comes_and_goes_leaves_a_doubt() {
        let both = |old, new| (returned(old), returned(new));
        let once = Struck::Doubtful(Doubt::DifferedOnce { runs: 1 });
        check((1, 1), both(1, 2), both(1, 1), Replay::Same(returned(1)), once);
        let doubt = Doubt::NotDeterministic { version: Version::New };
        let told = Replay::Doubtful(doubt.clone());
        check((1, 1), both(1, 2), both(1, 1), told, Struck::Doubtful(doubt.clone()));
        check((1, 1), both(2, 2), both(2, 3), Replay::Same(returned(1)), Struck::Doubtful(doubt));
    }

    #[test]
    fn what_is_slow_in_both_tells_nothing() {
        let slow = || (Outcome::Hung, Outcome::Hung);
        check((1, 1), slow(), slow(), Replay::Same(Outcome::Hung), Struck::Slow);
        let late = (returned(1), Outcome::Hung);
        check((1, 1), late.clone(), late, Replay::Same(returned(1)), Struck::Slow);
    }
}
