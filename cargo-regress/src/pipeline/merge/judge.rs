//! What a merge is expected to do on one input, and whether it does.

use crate::report::merge::{Expected, Side};

/// A way between two of the four versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    BaseOurs,
    BaseTheirs,
    OursMerge,
    TheirsMerge,
}

/// One of the four versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Which {
    Base,
    Of(Side),
    Merge,
}

impl Step {
    /// In the order in which versions are built: each takes over what it can of the one before.
    pub const ALL: [Step; 4] = [Step::BaseOurs, Step::BaseTheirs, Step::TheirsMerge, Step::OursMerge];

    /// Whose changes lie between its versions.
    pub fn brings(self) -> Side {
        match self {
            Step::BaseOurs | Step::TheirsMerge => Side::Ours,
            Step::BaseTheirs | Step::OursMerge => Side::Theirs,
        }
    }

    /// From a side to the merge.
    pub fn to_merge(side: Side) -> Step {
        match side {
            Side::Ours => Step::OursMerge,
            Side::Theirs => Step::TheirsMerge,
        }
    }

    /// From the base to a side.
    pub fn from_base(side: Side) -> Step {
        match side {
            Side::Ours => Step::BaseOurs,
            Side::Theirs => Step::BaseTheirs,
        }
    }

    /// The versions at its ends, the older one first.
    pub fn ends(self) -> (Which, Which) {
        match self {
            Step::BaseOurs => (Which::Base, Which::Of(Side::Ours)),
            Step::BaseTheirs => (Which::Base, Which::Of(Side::Theirs)),
            Step::OursMerge => (Which::Of(Side::Ours), Which::Merge),
            Step::TheirsMerge => (Which::Of(Side::Theirs), Which::Merge),
        }
    }
}

/// How two versions stand to each other on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Differs,
}

impl Relation {
    pub fn of_same(is_same: bool) -> Relation {
        if is_same { Relation::Same } else { Relation::Differs }
    }
}

/// How all four stand to each other on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relations {
    pub base_ours: Relation,
    pub base_theirs: Relation,
    pub ours_merge: Relation,
    pub theirs_merge: Relation,
    pub sides: Relation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// The merge does what is expected.
    AsExpected,
    /// It does something else.
    Interaction(Expected),
    /// Both sides differ from the base, and from each other, so nothing is expected.
    NoExpectation,
}

/// Holds the merge against what is expected of it.
///
/// Where relations contradict each other, as they may where versions define a type otherwise and only what they have in common is
/// compared, the merge is taken to be right.
pub(super) fn judge(relations: Relations) -> Judged {
    use Relation::{Differs, Same};
    let Relations { base_ours, base_theirs, ours_merge, theirs_merge, sides } = relations;
    let unlike_both = ours_merge == Differs && theirs_merge == Differs;
    let (expected, is_met) = match (base_ours, base_theirs) {
        (Differs, Same) => (Expected::Of(Side::Ours), ours_merge == Same),
        (Same, Differs) => (Expected::Of(Side::Theirs), theirs_merge == Same),
        (Same, Same) => (Expected::Base, !unlike_both),
        (Differs, Differs) if sides == Same => (Expected::BothSides, !unlike_both),
        (Differs, Differs) if (ours_merge, theirs_merge) == (Same, Same) => return Judged::AsExpected,
        (Differs, Differs) => return Judged::NoExpectation,
    };
    if is_met { Judged::AsExpected } else { Judged::Interaction(expected) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcomes of base, ours, theirs and merge are letters.
    #[track_caller]
    fn check(outcomes: &str, expected: Judged) {
        let [base, ours, theirs, merge] = outcomes.as_bytes() else { panic!("four letters") };
        let relation = |a, b| Relation::of_same(a == b);
        let relations = Relations {
            base_ours: relation(base, ours),
            base_theirs: relation(base, theirs),
            ours_merge: relation(ours, merge),
            theirs_merge: relation(theirs, merge),
            sides: relation(ours, theirs),
        };
        assert_eq!(judge(relations), expected, "{outcomes}");
    }

    #[test]
    fn a_side_that_differs_from_the_base_decides() {
        check("oaoa", Judged::AsExpected);
        check("oaoo", Judged::Interaction(Expected::Of(Side::Ours)));
        check("oaox", Judged::Interaction(Expected::Of(Side::Ours)));
        check("oobb", Judged::AsExpected);
        check("oobo", Judged::Interaction(Expected::Of(Side::Theirs)));
        check("oobx", Judged::Interaction(Expected::Of(Side::Theirs)));
    }

    #[test]
    fn what_no_side_changes_stays() {
        check("oooo", Judged::AsExpected);
        check("ooox", Judged::Interaction(Expected::Base));
    }

    #[test]
    fn what_both_sides_change_alike_is_expected() {
        check("oaaa", Judged::AsExpected);
        check("oaao", Judged::Interaction(Expected::BothSides));
        check("oaax", Judged::Interaction(Expected::BothSides));
    }

    #[test]
    fn of_sides_that_differ_from_each_other_nothing_is_expected() {
        for merge in ["oabo", "oaba", "oabb", "oabx"] {
            check(merge, Judged::NoExpectation);
        }
    }

    #[test]
    fn contradictions_are_in_favour_of_the_merge() {
        use Relation::{Differs, Same};
        let relations = Relations {
            base_ours: Differs,
            base_theirs: Differs,
            ours_merge: Same,
            theirs_merge: Same,
            sides: Differs,
        };
        assert_eq!(judge(relations), Judged::AsExpected);
        let relations = Relations { base_ours: Same, base_theirs: Same, theirs_merge: Differs, ..relations };
        assert_eq!(judge(relations), Judged::AsExpected);
    }

    #[test]
    fn each_step_brings_the_changes_of_one_side() {
        for side in Side::BOTH {
            let steps: Vec<Step> = Step::ALL.into_iter().filter(|step| step.brings() == side).collect();
            assert_eq!(steps.len(), 2);
            assert!(steps.contains(&Step::from_base(side)) && steps.contains(&Step::to_merge(side.other())));
        }
    }
}
