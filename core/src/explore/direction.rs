//! Which prefixes promise most when two versions are explored together.
//!
//! *Idea (Shadow symbolic execution).* Both versions run on one input over shared terms. A branch on which they agree has the
//! same condition in both; a condition that one version alone has is where an input may take the versions different ways. So
//! its other side comes before that of a condition that both have, and first of all comes a side on which the new version alone
//! fails. Behind these, sides that no run went yet.
//!
//! *Definition.* The *outlook* of a condition says which versions decide it within the relevant slice of the run, where its other
//! side leads, and whether only the new version fails there. [`Outlook::promise`] ranks it by that and by what was seen and tried.
//!
//! *Limits.* The rank is an order and nothing else: no prefix is dropped, so that proofs are what they were. One prefix in
//! [`TURN_OF_THE_REST`] is taken from the others in any case. Whether a block fails is told by its look.
//!
//! *Source.* H. Palikareva, T. Kuchta, C. Cadar: Shadow of a Doubt, ICSE 2016; relevant slices stand in the place of path prefixes, so that
//! no unified program and no four ways at each branch are needed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::exec::{BranchKind, InstanceId, OtherWays, Run, Side};
use crate::ir::{BlockId, FnId};
use crate::term::TermId;
use crate::verdict::Version;

/// In which order prefixes are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The latest first, as in the paper of 2011.
    LastFirst,
    /// Those that promise most first.
    Directed,
}

/// One side of a branch of the program, whatever the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub version: Version,
    pub function: FnId,
    pub block: BlockId,
    pub side: Side,
}

/// What a run was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To go the other side of a branch that one version alone decides by.
    Divergence,
    /// Whatever is on its way.
    Other,
}

/// What is known of a condition's other side before it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The side that the run went; none if the engine made the branch, which no program has.
    pub place: Option<Place>,
    pub decided: Decided,
    pub failing: Failing,
}

/// Which versions decide a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    ByOne,
    ByBoth,
}

/// Who fails on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    OnlyNew,
    /// Both, the old version, or nobody that is known of.
    Otherwise,
}

/// Ordered: the most promising first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Promise {
    /// The new version fails where the old one does not.
    NewFailure,
    /// The versions may go different ways.
    Divergence,
    /// No run went there.
    NewSide,
    Nothing,
}

/// So often a side is taken for one that promises something, under different prefixes.
const MOST_TRIES: u32 = 4;
/// One prefix of so many comes from those that promise nothing.
pub(super) const TURN_OF_THE_REST: u64 = 4;

/// The outlook of each condition of these branches of a run.
pub fn outlooks(run: &Run<'_>, branches: &[InstanceId]) -> FxHashMap<TermId, Outlook> {
    #[derive(Clone, Copy, Default)]
    struct Known {
        decides: bool,
        fails: bool,
    }
    let mut known: FxHashMap<TermId, [Known; 2]> = FxHashMap::default();
    let mut places: FxHashMap<TermId, Option<Place>> = FxHashMap::default();
    for instance in branches {
        let branch = &run.branches[*instance];
        let of_version = &mut known.entry(branch.condition).or_default()[match branch.version {
            Version::Old => 0,
            Version::New => 1,
        }];
        of_version.decides = true;
        of_version.fails |= branch.other_ways == OtherWays::Fail;
        let place = (branch.kind != BranchKind::Concretization).then_some(Place {
            version: branch.version,
            function: branch.function,
            block: branch.block,
            side: branch.side,
        });
        // Of several branches with one condition one of the new version stands for all.
        match branch.version {
            Version::New => places.insert(branch.condition, place),
            Version::Old => Some(*places.entry(branch.condition).or_insert(place)),
        };
    }
    let outlook = |(condition, [old, new]): (TermId, [Known; 2])| {
        let outlook = Outlook {
            place: places[&condition],
            decided: if old.decides && new.decides { Decided::ByBoth } else { Decided::ByOne },
            failing: if new.fails && !old.fails { Failing::OnlyNew } else { Failing::Otherwise },
        };
        (condition, outlook)
    };
    known.into_iter().map(outlook).collect()
}

/// What runs saw and tried of the program's branches.
#[derive(Debug, Default)]
pub(super) struct Seen {
    sides: FxHashSet<Place>,
    tries: FxHashMap<(Place, Promise), u32>,
}

impl Seen {
    /// Notes the side that a run went; whether it is a new one.
    pub fn note(&mut self, outlook: &Outlook) -> bool {
        outlook.place.is_some_and(|place| self.sides.insert(place))
    }

    /// Notes that a prefix is followed for what it promises.
    pub fn try_out(&mut self, outlook: &Outlook, promise: Promise) {
        if let Some(place) = outlook.place {
            *self.tries.entry((place, promise)).or_default() += 1;
        }
    }
}

impl Outlook {
    pub(super) fn promise(&self, seen: &Seen) -> Promise {
        let Some(place) = self.place else { return Promise::Nothing };
        let is_worth_it = |promise| seen.tries.get(&(place, promise)).is_none_or(|tries| *tries < MOST_TRIES);
        let other = Place { side: place.side.opposite(), ..place };
        if self.failing == Failing::OnlyNew && is_worth_it(Promise::NewFailure) {
            Promise::NewFailure
        } else if self.decided == Decided::ByOne && is_worth_it(Promise::Divergence) {
            Promise::Divergence
        } else if !seen.sides.contains(&other) && is_worth_it(Promise::NewSide) {
            Promise::NewSide
        } else {
            Promise::Nothing
        }
    }
}
