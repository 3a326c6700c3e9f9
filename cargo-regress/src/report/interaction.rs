//! Which changes a difference takes.

use regress_core::value::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::localize::Hunk;
use super::wording;

/// Which of the changes between two versions it takes for a call to end as it does in the new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interaction {
    /// Those that count, in the order of their numbers.
    pub changes: Vec<NumberedChange>,
    /// How many changes there are between the versions.
    pub of: usize,
    pub kind: InteractionKind,
    /// Mixtures of both versions that were built.
    pub builds: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NumberedChange {
    /// Counted from 1 through the files in their order.
    pub number: usize,
    pub hunk: Hunk,
}

/// What is known of the changes. Sets hold numbers of changes, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InteractionKind {
    /// This one makes the difference without the others.
    Alone { change: usize },
    /// All of them are needed; how the call ends without each one, if that is known: the version need not build.
    Together { without: Vec<(usize, Option<Outcome>)> },
    /// Each of these sets makes the difference without the others, and none does with a change less.
    Either { sets: Vec<Vec<usize>> },
    /// The first set makes the difference, and with that of the second added it is gone.
    Masked { shows: Vec<usize>, hides: Vec<usize> },
    /// The outcome depends on them; no mixture of the versions was built.
    Depends,
}

impl Interaction {
    /// The sets of changes that make the difference without the others, by their numbers.
    pub fn sets(&self) -> Vec<Vec<usize>> {
        match &self.kind {
            InteractionKind::Alone { change } => vec![vec![*change]],
            InteractionKind::Together { .. } => vec![self.numbers()],
            InteractionKind::Either { sets } => sets.clone(),
            InteractionKind::Masked { shows, .. } => vec![shows.clone()],
            InteractionKind::Depends => Vec::new(),
        }
    }

    fn numbers(&self) -> Vec<usize> {
        self.changes.iter().map(|change| change.number).collect()
    }

    pub fn sentence(&self) -> String {
        let places = self.places(&self.numbers());
        match &self.kind {
            InteractionKind::Alone { change } => {
                format!("{} of {} makes the difference alone", self.places(&[*change]), self.of)
            }
            InteractionKind::Together { without } => {
                format!("it takes {places} of {} together; {}", self.of, without_each(without))
            }
            InteractionKind::Either { sets } => {
                let sets: Vec<String> = sets.iter().map(|set| self.places(set)).collect();
                format!(
                    "each of these makes the difference without the others: {} (of {})",
                    sets.join("; "),
                    self.of
                )
            }
            InteractionKind::Masked { shows, hides } => format!(
                "{} of {} makes the difference, which {} hides",
                self.places(shows),
                self.of,
                self.places(hides)
            ),
            InteractionKind::Depends => format!("the result depends on {places} of {}", self.of),
        }
    }

    /// `changes 2 (src/lib.rs:14) and 5 (src/lib.rs:31)`
    fn places(&self, numbers: &[usize]) -> String {
        let place = |number: &usize| match self.changes.iter().find(|change| change.number == *number) {
            Some(NumberedChange {
                hunk: Hunk { file, new_lines: None, old_lines: Some((line, _)), .. },
                ..
            }) => {
                format!("{number} (taken out at {file}:{line} of the old version)")
            }
            Some(change) => format!("{number} ({})", change.hunk.place()),
            None => number.to_string(),
        };
        let places: Vec<String> = numbers.iter().map(place).collect();
        match places.as_slice() {
            [one] => format!("change {one}"),
            [first @ .., last] => format!("changes {} and {last}", first.join(", ")),
            [] => "no change".to_owned(),
        }
    }
}

/// What a call does where one of some changes is left out.
fn without_each(without: &[(usize, Option<Outcome>)]) -> String {
    let does = |outcome: &Option<Outcome>| match outcome {
        Some(outcome) => format!("it {}", wording::present(outcome)),
        None => "that is not known".to_owned(),
    };
    match without {
        [(_, Some(first)), others @ ..] if others.iter().all(|(_, other)| other.as_ref() == Some(first)) => {
            let any = if others.len() == 1 { "either" } else { "any" };
            format!("with {any} left out the call {}", wording::present(first))
        }
        _ => {
            let each =
                without.iter().map(|(change, outcome)| format!("without change {change} {}", does(outcome)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;
    use regress_core::value::Value;

    use super::*;

    fn interaction(kind: InteractionKind) -> Interaction {
        let change = |(number, line): (usize, u32)| NumberedChange {
            number,
            hunk: Hunk {
                file: "src/lib.rs".into(),
                new_lines: Some((line, line)),
                old_lines: None,
                vanishes_without: None,
            },
        };
        Interaction { changes: [(2, 14), (5, 31)].map(change).to_vec(), of: 7, kind, builds: 3 }
    }

    fn returned(number: i128) -> Option<Outcome> {
        Some(Outcome::Returned { value: Value::int(IntTy::I32, number), mutated: Vec::new() })
    }

    #[track_caller]
    fn check(kind: InteractionKind, sentence: &str) {
        assert_eq!(interaction(kind).sentence(), sentence);
    }

    #[test]
    fn changes_are_named_by_number_and_place() {
        check(
            InteractionKind::Together { without: vec![(2, returned(3)), (5, returned(3))] },
            "it takes changes 2 (src/lib.rs:14) and 5 (src/lib.rs:31) of 7 together; with either left out the call returns `3`",
        );
        check(
            InteractionKind::Together { without: vec![(2, returned(3)), (5, None)] },
            "it takes changes 2 (src/lib.rs:14) and 5 (src/lib.rs:31) of 7 together; without change 2 it returns `3`, without change 5 that is not known",
        );
        check(
            InteractionKind::Alone { change: 5 },
            "change 5 (src/lib.rs:31) of 7 makes the difference alone",
        );
        check(
            InteractionKind::Either { sets: vec![vec![2], vec![5]] },
            "each of these makes the difference without the others: change 2 (src/lib.rs:14); change 5 (src/lib.rs:31) (of 7)",
        );
        check(
            InteractionKind::Depends,
            "the result depends on changes 2 (src/lib.rs:14) and 5 (src/lib.rs:31) of 7",
        );
    }
}
