//! The candidates of a search tried natively, and all evidence weighed.

use regress_core::compare::{Candidate, Comparison, Contents};
use regress_core::evidence::{self, Doubtful, Fate, NativeEvidence, Replay};
use regress_core::explore::direction::Leads;
use regress_core::observable::same_in_both;
use regress_core::value::Outcome;
use regress_core::verdict::{Confirmation, Verdict, Witness, WitnessOrigin};

use super::evidence::{Native, hides_some, is_hashed};
use super::{Work, attack, made_otherwise, witnesses};
use crate::harness::{Asked, Care, HarnessError};
use crate::stats::{Count, FunctionCost, Stage};
use regress_core::verdict::not_analysed::NotRun;

/// Tries the candidates natively, attacks what would be a proof, and weighs all evidence. Doubts are kept in it, for whatever else is
/// made of the function.
pub(super) fn conclude(
    work: &Work<'_>,
    native: &mut Result<Native, NotRun>,
    evidence: &mut NativeEvidence,
    mut comparison: Comparison,
) -> Verdict {
    let mut fates = Vec::new();
    // To see once more that a version does not end takes long and says nothing new.
    let mut seen_to_hang = evidence.confirmed.iter().any(witnesses::hangs);
    let facts = comparison.candidates.iter().filter(|candidate| !is_guess(candidate));
    let mut replays_of_facts = replays(work, native, &evidence.confirmed, facts).into_iter();
    for candidate in &comparison.candidates {
        let fate = match (is_guess(candidate), seen_to_hang) {
            (false, _) => fate(work, native, candidate, replays_of_facts.next()),
            (true, false) => {
                let one = std::iter::once(candidate);
                let replay = replays(work, native, &evidence.confirmed, one).pop();
                fate(work, native, candidate, replay)
            }
            (true, true) => Fate::GuessedWrong,
        };
        seen_to_hang |= matches!(&fate, Fate::Confirmed(witness) if witnesses::hangs(witness));
        if let Fate::Doubtful(doubtful) = &fate {
            evidence.unstable.push(doubtful.clone());
        }
        fates.push(fate);
    }
    let is_confirmed =
        |(_, fate): &(&Candidate, &Fate)| matches!(fate, Fate::Confirmed(_) | Fate::Believed(_));
    if let Some((first, _)) = comparison.candidates.iter().zip(&fates).find(is_confirmed) {
        let runs_to_first_difference = Some(first.runs);
        let cost = FunctionCost { runs_to_first_difference, ..FunctionCost::default() };
        work.session.clock.add_turn(&work.path(), cost);
    }
    let mut seen = evidence.clone();
    if let Ok(native) = native {
        attack::attack(work, native, &mut comparison, &mut seen);
        evidence.unstable.clone_from(&seen.unstable);
        evidence.end.clone_from(&seen.end);
    }
    // What the crate makes is believed first; what only fields can hold adds nothing to it.
    let of_fates = fates.iter().filter_map(|fate| match fate {
        Fate::Confirmed(witness) | Fate::Believed(witness) => Some(witness),
        _ => None,
    });
    if seen.confirmed.iter().chain(of_fates).any(|witness| !witnesses::is_on_fields(work, witness)) {
        seen.confirmed.retain(|witness| !witnesses::is_on_fields(work, witness));
        fates.iter_mut().for_each(|fate| match fate {
            Fate::Confirmed(witness) | Fate::Believed(witness) if witnesses::is_on_fields(work, witness) => {
                *fate = Fate::GuessedWrong;
            }
            _ => {}
        });
    }
    let mut verdict = evidence::conclude(&seen, &comparison, &fates);
    if let Verdict::Differs { witnesses, .. } = &mut verdict {
        *witnesses = witnesses::in_order(&work.loaded.new.program, std::mem::take(witnesses));
    }
    verdict
}

/// How native runs of the candidates end; of none of them if there is nothing to run. The search begins with inputs that are confirmed: these
/// are not run again.
fn replays<'c>(
    work: &Work<'_>,
    native: &mut Result<Native, NotRun>,
    confirmed: &[Witness],
    candidates: impl Iterator<Item = &'c Candidate>,
) -> Vec<Result<Replay, HarnessError>> {
    let Ok(native) = native else { return Vec::new() };
    let known: Vec<(&Candidate, Option<Replay>)> =
        candidates.map(|candidate| (candidate, known(confirmed, candidate))).collect();
    let open = known.iter().filter(|(_, known)| known.is_none());
    let asked: Vec<Asked<'_>> = open.map(|(candidate, _)| Asked::of(&candidate.inputs)).collect();
    let clock = &work.session.clock;
    clock.count(Count::Replays, asked.len() as u64);
    let mut told = clock.time(Stage::Replay, || native.both.replay_all(&asked, Care::Finding)).into_iter();
    let replays = known.into_iter().map(|(_, known)| known.map(Ok).or_else(|| told.next()));
    replays.map(|replay| replay.expect("what is not known is asked")).collect()
}

/// What native runs of this function on the candidate's input showed before.
fn known(confirmed: &[Witness], candidate: &Candidate) -> Option<Replay> {
    let is_it = |witness: &&Witness| {
        let inputs = witness.inputs.iter().map(|input| &input.value);
        witness.confirmation == Confirmation::Native && inputs.eq(&candidate.inputs)
    };
    let witness = confirmed.iter().find(is_it)?;
    Some(Replay::Differs { old: witness.old.clone(), new: witness.new.clone() })
}

/// What native runs say of an input on which the engine sees the versions differ.
fn fate(
    work: &Work<'_>,
    native: &mut Result<Native, NotRun>,
    candidate: &Candidate,
    replayed: Option<Result<Replay, HarnessError>>,
) -> Fate {
    let call = witnesses::describe(work, &candidate.inputs);
    let inputs = || candidate.inputs.clone();
    let origin = || match candidate.leads {
        Leads::Divergence => WitnessOrigin::Divergence,
        Leads::Other => WitnessOrigin::Search,
    };
    let looks_alike = same_in_both(&work.alignment.common_for(work.new), &candidate.old, &candidate.new);
    let (native, replayed) = match (native, replayed) {
        (Ok(native), Some(replayed)) => (native, replayed),
        // Without sources nothing can be confirmed: what the engine found is shown as such.
        (Err(_), _) if work.session.options.frontend.files().is_some() => {
            let confirmation = Confirmation::Unconfirmed { reason: NotRun::NoSources };
            let (old, new) = (candidate.old.clone(), candidate.new.clone());
            return Fate::Believed(witnesses::witness(work, inputs(), (old, new), confirmation, origin()));
        }
        // The engine tells the outcomes apart by what nobody sees.
        (Err(reason), _) if looks_alike => return Fate::NotShown { reason: reason.clone() },
        (Err(reason), _) => return Fate::NotSeen { call, reason: reason.clone() },
        (Ok(_), None) => unreachable!("each candidate that is asked about has been run"),
    };
    match replayed {
        Ok(Replay::Differs { old, new })
            if made_otherwise::is_of_makers(work, native, &candidate.inputs, [&old, &new]) =>
        {
            Fate::NotSeen { call, reason: NotRun::MadeOtherwise }
        }
        Ok(Replay::Differs { old, new }) => {
            Fate::Confirmed(witnesses::witness(work, inputs(), (old, new), Confirmation::Native, origin()))
        }
        Ok(Replay::Doubtful(doubt)) => Fate::Doubtful(Doubtful { call, doubt }),
        // That a loop did not end within the engine's bound was a guess, and it is in the ledger.
        Ok(Replay::Same { .. }) if is_guess(candidate) => Fate::GuessedWrong,
        // The engine tells the outcomes apart by what it must not show.
        Ok(Replay::Same { .. }) if looks_alike => match contents_differ(native, candidate) {
            Some(Contents { old, new }) => Fate::Confirmed(witnesses::witness(
                work,
                inputs(),
                (old, new),
                Confirmation::Native,
                origin(),
            )),
            None => Fate::NotSeen { call, reason: NotRun::OnlyContents },
        },
        Ok(Replay::Same { old, new })
            if [&old, &new]
                .into_iter()
                .any(|outcome| hides_some(outcome) || old != new && is_hashed(outcome)) =>
        {
            Fate::NotSeen { call, reason: NotRun::PartHidden }
        }
        Ok(Replay::Same { .. }) => Fate::Refuted { call },
        Err(error) => Fate::NotSeen { call, reason: NotRun::Said(error.to_string()) },
    }
}

/// The contents that the engine sees in `MaybeUninit`s, if native runs of both versions have the same numbers in all that
/// are initialised.
fn contents_differ(native: &mut Native, candidate: &Candidate) -> Option<Contents> {
    let contents = candidate.contents.as_deref()?;
    let asked = Asked::contents(&candidate.inputs, (&contents.old, &contents.new));
    match native.both.replay(&asked, Care::Finding) {
        Ok(Replay::Differs { old, new }) => {
            ((&old, &new) == (&contents.old, &contents.new)).then(|| contents.clone())
        }
        _ => None,
    }
}

/// A candidate that rests on a bound of the engine, not on two outcomes.
fn is_guess(candidate: &Candidate) -> bool {
    candidate.old == Outcome::Hung || candidate.new == Outcome::Hung
}
