//! What a caller from outside of the crate can see of a difference in a private function.

use serde::{Deserialize, Serialize};

use super::Standing;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenFromOutside {
    /// The function is public itself, or there is no difference to see.
    #[default]
    Open,
    /// No public function that may run it is known.
    Unreached,
    /// Public functions that may run it, the most telling first.
    Through(Vec<PublicCaller>),
}

/// A public function that may run the private one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicCaller {
    pub path: String,
    pub standing: Standing,
    /// The call by which it shows such a difference, if it does.
    pub witness: Option<String>,
    /// Whether enough was done with it to believe that it shows none: a proof, or many native runs.
    #[serde(default)]
    pub was_tried: bool,
    #[serde(default)]
    pub cause: Cause,
}

/// Whether the caller differs by what the private function differs by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// The caller runs no changed function, unless that is proved equal, that the private one does not run or is.
    SameChanges,
    #[default]
    NotKnown,
}

impl SeenFromOutside {
    pub fn through(mut callers: Vec<PublicCaller>) -> SeenFromOutside {
        if callers.is_empty() {
            return SeenFromOutside::Unreached;
        }
        // The shortest call of those with a native witness is the one that a reader believes first.
        let len = |caller: &PublicCaller| caller.witness.as_ref().map_or(usize::MAX, String::len);
        callers.sort_by(|a, b| (a.cause, len(a), &a.path).cmp(&(b.cause, len(b), &b.path)));
        SeenFromOutside::Through(callers)
    }

    /// Whether a public function shows such a difference: the function itself or one that may run it.
    pub fn shows(&self) -> bool {
        match self {
            SeenFromOutside::Open => true,
            SeenFromOutside::Unreached => false,
            SeenFromOutside::Through(callers) => callers.iter().any(|caller| caller.witness.is_some()),
        }
    }

    /// Whether none of the public functions that are known to run it shows such a difference, though each was tried.
    pub fn was_tried_in_vain(&self) -> bool {
        match self {
            SeenFromOutside::Open | SeenFromOutside::Unreached => false,
            SeenFromOutside::Through(callers) => {
                callers.iter().all(|caller| caller.was_tried && caller.witness.is_none())
            }
        }
    }

    /// In one sentence; none where there is nothing to say.
    pub fn sentence(&self) -> Option<String> {
        let callers = match self {
            SeenFromOutside::Open => return None,
            SeenFromOutside::Unreached => return Some("no public function is known to call it".into()),
            SeenFromOutside::Through(callers) => callers,
        };
        let first = callers.first()?;
        if let Some(call) = &first.witness {
            let call = super::wording::printable(call);
            return Some(match first.cause {
                Cause::SameChanges => format!("seen from outside too: `{call}`"),
                Cause::NotKnown => {
                    format!("a public caller differs too, by this change or another: `{call}`")
                }
            });
        }
        let (tried, untried): (Vec<&PublicCaller>, Vec<&PublicCaller>) =
            callers.iter().partition(|caller| caller.was_tried || caller.standing.is_difference());
        let (bounded, hardly_run): (Vec<&PublicCaller>, Vec<&PublicCaller>) =
            untried.into_iter().partition(|caller| caller.standing == Standing::EqualWithin);
        let verb = |callers: &[&PublicCaller]| if callers.len() == 1 { "was" } else { "were" };
        let said = |callers: &[&PublicCaller], what: &str| {
            (!callers.is_empty()).then(|| format!("{} {} {what}", names(callers), verb(callers)))
        };
        let not_tried: Vec<String> = [
            said(&bounded, "looked at on shorter inputs alone"),
            said(&hardly_run, "hardly run, or not at all"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let not_tried = not_tried.join("; ");
        // Others that are not known may run it too, so even proofs for these are none that nobody can see it.
        let so =
            if self.was_tried_in_vain() { ", so it counts as unconfirmed for the exit code" } else { "" };
        let all_are =
            |standings: &[Standing]| tried.iter().all(|caller| standings.contains(&caller.standing));
        let seen = if tried.is_empty() {
            return Some(format!("not known to be seen from outside: {not_tried}"));
        } else if tried.iter().any(|caller| caller.standing.is_difference()) {
            format!("not seen from outside: {} showed no such difference", names(&tried))
        } else if all_are(&[Standing::Equal]) {
            format!("not seen from outside: {} proved equal", names(&tried))
        } else if all_are(&[Standing::Equal, Standing::EqualWithin]) {
            format!("not seen from outside within bounds: {} showed no difference", names(&tried))
        } else {
            format!("not seen from outside: {} showed no difference", names(&tried))
        };
        let separator = if not_tried.is_empty() { "" } else { "; " };
        Some(format!("{seen}{separator}{not_tried}{so}"))
    }
}

/// The names of some, and how many more there are.
fn names(callers: &[&PublicCaller]) -> String {
    const MOST: usize = 3;
    let mut names: Vec<String> =
        callers.iter().take(MOST).map(|caller| format!("`{}`", caller.path)).collect();
    if callers.len() > MOST {
        names.push(format!("{} more", callers.len() - MOST));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(path: &str, standing: Standing, witness: Option<&str>) -> PublicCaller {
        let was_tried = matches!(standing, Standing::Equal | Standing::EqualWithin);
        let cause = if witness.is_some() { Cause::SameChanges } else { Cause::NotKnown };
        PublicCaller { path: path.into(), standing, witness: witness.map(str::to_owned), was_tried, cause }
    }

    #[track_caller]
    fn check(callers: Vec<PublicCaller>, expected: &str) {
        assert_eq!(SeenFromOutside::through(callers).sentence().unwrap(), expected);
    }

    #[test]
    fn the_shortest_public_witness_is_shown() {
        let callers = vec![
            caller("quiet", Standing::Equal, None),
            caller("long", Standing::Behaviour, Some("long(1234)")),
            caller("short", Standing::Regression, Some("short(1)")),
        ];
        check(callers, "seen from outside too: `short(1)`");
    }

    #[test]
    fn a_caller_that_may_differ_by_another_change_comes_behind() {
        let not_known = |call| PublicCaller {
            cause: Cause::NotKnown,
            ..caller("other", Standing::Regression, Some(call))
        };
        check(vec![not_known("o(1)")], "a public caller differs too, by this change or another: `o(1)`");
        let same = caller("same", Standing::Regression, Some("same(1234)"));
        check(vec![not_known("o(1)"), same], "seen from outside too: `same(1234)`");
    }

    #[test]
    fn another_difference_of_a_caller_is_not_this_one() {
        let callers =
            vec![caller("other", Standing::Behaviour, None), caller("quiet", Standing::Equal, None)];
        check(callers, "not seen from outside: `other`, `quiet` showed no such difference");
    }

    #[test]
    fn proofs_for_the_known_callers_are_said_to_be_proofs() {
        let equal = "not seen from outside: `a` proved equal, so it counts as unconfirmed for the exit code";
        check(vec![caller("a", Standing::Equal, None)], equal);
        let some = vec![caller("a", Standing::Equal, None), caller("b", Standing::NoDifferenceFound, None)];
        check(some, "not seen from outside: `a` proved equal; `b` was hardly run, or not at all");
        let bounded = vec![caller("a", Standing::EqualWithin, None)];
        let text = "not seen from outside within bounds: `a` showed no difference, so it counts as unconfirmed for the exit code";
        check(bounded, text);
    }

    #[test]
    fn of_callers_that_were_not_tried_nothing_is_known() {
        let not_run = |path| caller(path, Standing::NotAnalysed, None);
        check(vec![not_run("a")], "not known to be seen from outside: `a` was hardly run, or not at all");
        check(
            vec![not_run("a"), not_run("b")],
            "not known to be seen from outside: `a`, `b` were hardly run, or not at all",
        );
        let tried = PublicCaller { was_tried: true, ..caller("c", Standing::NoDifferenceFound, None) };
        let one = "not seen from outside: `c` showed no difference; `a` was hardly run, or not at all";
        check(vec![tried, not_run("a")], one);
        let bounded = |path| PublicCaller { was_tried: false, ..caller(path, Standing::EqualWithin, None) };
        check(
            vec![bounded("a"), not_run("b")],
            "not known to be seen from outside: `a` was looked at on shorter inputs alone; `b` was hardly run, or not at all",
        );
    }

    #[test]
    fn what_nobody_calls_is_said_to_be_so() {
        check(Vec::new(), "no public function is known to call it");
        assert_eq!(SeenFromOutside::Open.sentence(), None);
    }
}
