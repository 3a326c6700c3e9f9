//! What a caller from outside of the crate can see of a difference in a private function.
//!
//! A public function that may run the private one is affected by the change and so was compared itself; what came of
//! that is put beside the difference. Callers that only a choice of types from outside brings in are not known. Whoever calls the crate believes a public witness first.

use regress_core::align::{Alignment, functions_reached};
use regress_core::ir::{FnId, FunctionKind, Program, Visibility};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Approximation, ChangeKind, Class, Verdict, Witness};

use super::load::Loaded;
use crate::report::{Cause, FunctionReport, PublicCaller, SeenFromOutside};

/// Fills in, for each difference in a private function, what its public callers show. The reports are parallel to the
/// pairs of the alignment.
pub(super) fn look_from_outside(loaded: &Loaded, alignment: &Alignment, reports: &mut [FunctionReport]) {
    let program = &loaded.new.program;
    let new_ids: Vec<Option<FnId>> = alignment.pairs.iter().map(|pair| pair.new).collect();
    let is_difference = |report: &FunctionReport| matches!(report.verdict, Verdict::Differs { .. });
    let of_reports = || new_ids.iter().zip(&*reports).enumerate();
    let inside: Vec<usize> = of_reports()
        .filter(|(_, (id, report))| is_difference(report) && id.is_some_and(|id| !is_entry(program, id)))
        .map(|(index, _)| index)
        .collect();
    if inside.is_empty() {
        return;
    }
    let entries: Vec<(usize, FnId)> = of_reports()
        .filter(|(_, (_, report))| report.verdict != Verdict::Unchanged)
        .filter_map(|(index, (id, _))| id.filter(|id| is_entry(program, *id)).map(|id| (index, id)))
        .collect();
    let starts: Vec<FnId> = entries.iter().map(|(_, id)| *id).collect();
    let reached = functions_reached(program, &starts);
    let of_inside: Vec<FnId> = inside.iter().filter_map(|index| new_ids[*index]).collect();
    let reached_inside = functions_reached(program, &of_inside);
    let changed: Vec<FnId> = of_reports()
        .filter(|(index, _)| alignment.pairs[*index].kind == ChangeKind::Changed)
        .filter(|(_, (_, report))| !matches!(report.verdict, Verdict::Unchanged | Verdict::Equal { .. }))
        .filter_map(|(_, (id, _))| id.map(|id| program.in_sources(id)))
        .collect();
    for (index, own) in inside.into_iter().zip(&reached_inside) {
        let Some(id) = new_ids[index].map(|id| program.in_sources(id)) else { continue };
        let callers = entries.iter().zip(&reached).filter(|(_, reached)| reached.contains(&id));
        let seen = callers.map(|((caller, entry), reached)| {
            let is_of_caller =
                |other: &&FnId| reached.contains(other) || program.in_sources(*entry) == **other;
            let is_of_inside = |other: &FnId| own.contains(other) || id == *other;
            let cause = match changed.iter().filter(is_of_caller).all(is_of_inside) {
                true => Cause::SameChanges,
                false => Cause::NotKnown,
            };
            public_caller(&reports[*caller], &reports[index], cause)
        });
        reports[index].outside = SeenFromOutside::through(seen.collect());
    }
}

/// Whether code outside of the crate can run the function by its name.
pub(super) fn is_entry(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    let in_root = function.path.as_str().matches("::").count() == 1;
    let is_main = in_root && function.path.as_str().ends_with("::main") && function.kind == FunctionKind::Fn;
    function.visibility == Visibility::Public || is_main
}

/// Whether a difference of a private function and one of a caller may be the same: they are of one class, and where versions panic, they panic at one
/// place.
fn may_be_one(inside: &Witness, outside: &Witness) -> bool {
    let place = |outcome: &Outcome| match outcome {
        Outcome::Panicked(panic) => panic.location.clone(),
        _ => None,
    };
    let is_one_place = |a: &Outcome, b: &Outcome| match (place(a), place(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    Class::of(&inside.old, &inside.new) == Class::of(&outside.old, &outside.new)
        && is_one_place(&inside.old, &outside.old)
        && is_one_place(&inside.new, &outside.new)
}

fn public_caller(report: &FunctionReport, inside: &FunctionReport, cause: Cause) -> PublicCaller {
    let all = report.witnesses().iter().chain(&report.unshown);
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    // The first is of the worst class, which the function is reported for.
    let reported = inside.witnesses().first().map(class);
    let of_inside = inside.witnesses().iter().chain(&inside.unshown);
    let told: Vec<&Witness> = of_inside.filter(|witness| Some(class(witness)) == reported).collect();
    let mut shown = all.filter(|witness| told.iter().any(|inside| may_be_one(inside, witness)));
    let witness = shown.next().map(|witness| report.call(witness));
    let longest = told.iter().map(|witness| longest_input(witness)).min().unwrap_or_default();
    let was_tried = was_tried(&report.verdict, longest);
    PublicCaller { path: report.path.clone(), standing: report.standing(), witness, was_tried, cause }
}

/// So many native runs without such a difference are a try, if nothing is proved.
const TRIED: u64 = 500;

/// Whether enough was done with a public function to believe that it shows no such difference, which takes a sequence of so many elements. What holds of
/// shorter ones says nothing of it.
fn was_tried(verdict: &Verdict, longest: u64) -> bool {
    match verdict {
        Verdict::Equal { .. } | Verdict::Differs { .. } => true,
        Verdict::EqualWithin { bounds, .. } => {
            let lengths = bounds.entries().iter().filter_map(|entry| match entry {
                Approximation::InputLength { max_len } => Some(*max_len),
                _ => None,
            });
            lengths.max().is_none_or(|most| most >= longest)
        }
        Verdict::NoDifferenceFound { runs, .. } => *runs >= TRIED,
        Verdict::NotAnalysed { .. } | Verdict::Added | Verdict::Removed | Verdict::Unchanged => false,
    }
}

/// The length of the longest text or sequence in an input of the witness.
fn longest_input(witness: &Witness) -> u64 {
    fn longest(value: &Value) -> usize {
        let own = match value {
            Value::Str(text) => text.chars().count(),
            Value::Seq(elements) => elements.len(),
            _ => 0,
        };
        value.parts().into_iter().map(longest).fold(own, usize::max)
    }
    witness.inputs.iter().map(|input| longest(&input.value)).max().unwrap_or_default() as u64
}

#[cfg(test)]
mod tests {
    use regress_core::value::Panic;
    use regress_core::verdict::not_analysed::{NotAnalysed, Refused};
    use regress_core::verdict::{Confirmation, Input, Ledger, WitnessOrigin};

    use super::*;
    use crate::report::testing::{explored, ok, overflow, proof, witness};

    #[test]
    fn a_caller_is_tried_by_a_proof_or_many_runs() {
        let runs = |runs| Verdict::NoDifferenceFound { runs, ledger: Ledger::default() };
        assert!(was_tried(&Verdict::Equal { proof: proof() }, 100));
        assert!(was_tried(&runs(500), 100) && !was_tried(&runs(7), 0));
        let reason = NotAnalysed::Refused(Refused::NoBody);
        assert!(!was_tried(&Verdict::NotAnalysed { reason }, 0) && !was_tried(&Verdict::Added, 0));
    }

    #[test]
    fn a_proof_of_short_inputs_says_nothing_of_longer_ones() {
        let within = |entries: &[Approximation]| {
            let mut bounds = Ledger::default();
            entries.iter().cloned().for_each(|entry| bounds.note(entry));
            Verdict::EqualWithin { proof: explored(), bounds }
        };
        let of_eight = within(&[Approximation::InputLength { max_len: 8 }]);
        assert!(was_tried(&of_eight, 8) && !was_tried(&of_eight, 9));
        assert!(was_tried(&within(&[]), 9));
    }

    #[test]
    fn the_longest_input_may_lie_within_another() {
        let seq = |len| Value::Seq(vec![Value::Bool(true); len]);
        let input = |value| Input { name: String::new(), value };
        let witness = |values: Vec<Value>| Witness {
            inputs: values.into_iter().map(input).collect(),
            ..witness(ok(1), ok(2))
        };
        assert_eq!(longest_input(&witness(vec![])), 0);
        assert_eq!(longest_input(&witness(vec![Value::Str("\u{e9}a".to_owned()), seq(1)])), 2);
        let nested = Value::Ref(Value::Tuple(vec![Value::Bool(false), seq(5)]).into());
        assert_eq!(longest_input(&witness(vec![nested])), 5);
    }

    #[track_caller]
    fn check(inside: (Outcome, Outcome), outside: (Outcome, Outcome), expected: bool) {
        let [inside, outside] = [inside, outside].map(|(old, new)| Witness {
            inputs: Vec::new(),
            old,
            new,
            confirmation: Confirmation::Native,
            origin: WitnessOrigin::Random,
        });
        assert_eq!(may_be_one(&inside, &outside), expected);
    }

    fn panicked_elsewhere() -> Outcome {
        match overflow() {
            Outcome::Panicked(panic) => {
                Outcome::Panicked(Panic { location: Some("b.rs:1:1".into()), ..panic })
            }
            other => other,
        }
    }

    #[test]
    fn a_caller_shows_what_is_of_the_same_kind_and_place() {
        check((ok(1), overflow()), (ok(5), overflow()), true);
        check((ok(1), overflow()), (ok(5), ok(6)), false);
        check((ok(1), overflow()), (ok(5), panicked_elsewhere()), false);
        check((overflow(), ok(1)), (panicked_elsewhere(), ok(1)), false);
        check((ok(1), ok(2)), (ok(3), ok(1)), true);
    }
}
