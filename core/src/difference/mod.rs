//! Difference verification with conditions: what of a change can be seen at all.
//!
//! *Idea.* Both versions are run at once, symbolically and without bounds, as one *product*: a state says where each version is and which values of the old
//! version are values of the new one ([`numbers`]). What both compute alike is equal without anybody knowing what it is; so loops, calls of
//! unknown code, and types that are not known are no obstacle as long as both versions treat them alike.
//!
//! *Definition.* Two functions are *aligned* if from equal arguments and equal memory no path of the product leads to two ends that differ, or to effects (calls, drops that
//! somebody may see) that are not the same with the same operands in the same order. Then they end alike on all inputs of all types, if what they call does.
//!
//! * [`numbers`]: values, by how they are computed
//! * [`inline`]: bodies in the place of calls
//! * [`exact`]: which models of the standard library may be put there
//! * [`code`]: what is known of a body beforehand
//! * [`live`]: which locals are still read
//! * [`silent`]: which drops nobody can see
//! * [`side`]: one version on its way
//! * [`both`]: both versions on their way
//! * [`cover`]: which states cover which where paths meet
//! * [`agree`]: values that are equal there, though computed otherwise
//! * [`join`]: what covers two of them
//! * [`replace`]: values with others in the place of what they are made of
//! * [`known`]: what is equal, and which facts hold, on a path
//! * [`bounds`]: what counters do not exceed
//! * [`product`]: both versions on all paths
//! * [`residual`]: on which inputs alone the versions may differ
//! * [`new_panics`]: the weaker claim, that the new version panics nowhere where the old one does not
//!
//! *Trust.* A result rests on what is covered by what. When all paths are followed, each state that is kept is followed once more, and every state that this
//! leads to must be covered by one that is kept ([`product::Arrival::Checked`]).
//!
//! *Limits.* Raw pointers that the function itself follows, unions, addresses as numbers and assembler are refused. Effects keep their order.
//! A loop that only one version has is followed as long as its conditions are constant, else for a few rounds.
//!
//! *Source.* D. Beyer, M.-C. Jakobs, T. Lemberger: Difference verification with conditions, SEFM 2020; M.-C. Jakobs: Difference verification with
//! dataflow analysis (diffDP), iFM 2023. Where those follow the new version alone with a set of names that may differ, the product has numbers
//! of values, as in B. Alpern, M. Wegman, F. K. Zadeck, POPL 1988. Calls of what is being proved follow B. Godlin, O. Strichman: Regression verification, DAC 2009.

mod agree;
#[cfg(test)]
mod agree_tests;
mod both;
mod bounds;
#[cfg(test)]
mod checker_tests;
#[cfg(test)]
mod closure_tests;
mod code;
mod cover;
mod exact;
mod inline;
mod join;
mod known;
mod live;
#[cfg(test)]
mod loop_tests;
mod new_panics;
mod numbers;
mod product;
mod replace;
mod residual;
#[cfg(test)]
mod residual_tests;
mod side;
mod silent;
#[cfg(test)]
mod tests;

use self::code::Code;
use self::inline::Choice;
use self::new_panics::Claim;
pub use self::product::Limits;
use self::product::{AtDifference, Product};
pub use self::residual::AffectedWhen;
use crate::align::{Alignment, Floats, UpTo};
use crate::exec::Image;
use crate::ir::canonical::Renames;
use crate::ir::{FnBody, FnId, Program, TyKind};
use crate::smt::Solver;
use crate::verdict::Version;

/// Two functions that do the same wherever what they name does.
///
/// Invariant: made by [`aligned`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aligned {
    up_to: UpTo,
}

impl Aligned {
    /// What nobody may ask for.
    pub fn up_to(self) -> UpTo {
        self.up_to
    }
}

/// Why two functions are not known to be aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Obstacle {
    /// There is no body, or not all of it is understood.
    NoBody,
    /// Both may end differently.
    Ends,
    /// Both may call or drop something else, or one of them nothing.
    Effects,
    /// A body has what the product does not follow.
    Unfollowed(Unfollowed),
    UnknownType,
    /// There are too many paths, values or states.
    TooLarge,
    /// [`Limits::until`] is past.
    OutOfTime,
    /// A state that is kept leads to one that is not covered: a defect of the product.
    Refused,
    Malformed,
}

/// What the product does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unfollowed {
    RawPointer,
    /// A pointer to a local that is neither made of its address nor of a call.
    HiddenPointer,
    ComparedAddresses,
    AddressAsNumber,
    /// Whoever is given both may ask whether they are to one place.
    EqualReferences,
    /// Raw pointers go to a call or come from it, or its name says that the caller has to see to it that it is defined.
    UncheckedCall,
    WriteThroughShared,
    Union,
    /// A variant is set apart from its fields.
    SetVariant,
    /// A constant without one body that is wholly understood.
    Constant,
    Terminator,
}

impl Obstacle {
    /// As it is called in documents.
    pub fn key(self) -> &'static str {
        match self {
            Obstacle::NoBody => "no_body",
            Obstacle::Ends => "ends",
            Obstacle::Effects => "effects",
            Obstacle::Unfollowed(what) => what.key(),
            Obstacle::UnknownType => "unknown_type",
            Obstacle::TooLarge => "too_large",
            Obstacle::OutOfTime => "out_of_time",
            Obstacle::Refused => "refused",
            Obstacle::Malformed => "malformed",
        }
    }
}

impl Unfollowed {
    fn key(self) -> &'static str {
        match self {
            Unfollowed::RawPointer => "raw_pointer",
            Unfollowed::HiddenPointer => "hidden_pointer",
            Unfollowed::ComparedAddresses => "compared_addresses",
            Unfollowed::AddressAsNumber => "address_as_number",
            Unfollowed::EqualReferences => "equal_references",
            Unfollowed::UncheckedCall => "unchecked_call",
            Unfollowed::WriteThroughShared => "write_through_shared",
            Unfollowed::Union => "union",
            Unfollowed::SetVariant => "set_variant",
            Unfollowed::Constant => "constant",
            Unfollowed::Terminator => "terminator",
        }
    }
}

/// A function in both versions.
#[derive(Clone, Copy)]
pub struct Pair<'p> {
    pub alignment: &'p Alignment,
    pub old: (&'p Program, FnId),
    pub new: (&'p Program, FnId),
}

/// Whether the functions are aligned.
pub fn aligned(pair: Pair<'_>, solver: &mut dyn Solver, limits: Limits) -> Result<Aligned, Obstacle> {
    // What only one version has is always looked into; what both have where they seem to go apart.
    let attempts = [
        (Within::OneVersion, Floats::ToTheBit),
        (Within::Both, Floats::ToTheBit),
        (Within::OneVersion, Floats::UpToNan),
        (Within::Both, Floats::UpToNan),
    ];
    let mut first = None;
    for (within, floats) in attempts {
        if floats == Floats::UpToNan && !computes_with_floats(pair) {
            break;
        }
        match explored(pair, Claim::SameEnds, within, floats, solver, limits.of(within)) {
            Ok(up_to) => return Ok(Aligned { up_to }),
            Err(Obstacle::OutOfTime) => return Err(Obstacle::OutOfTime),
            Err(obstacle) => {
                let first = *first.get_or_insert(obstacle);
                if !matches!(first, Obstacle::Ends | Obstacle::Effects) {
                    break;
                }
            }
        }
    }
    Err(first.unwrap_or(Obstacle::Ends))
}

/// Two functions of which the new one panics, aborts and hangs only where the old one does not return either, if what they call does the same.
///
/// Invariant: made by [`no_new_panic`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoNewPanic {
    up_to: UpTo,
}

impl NoNewPanic {
    /// What nobody may ask for.
    pub fn up_to(self) -> UpTo {
        self.up_to
    }
}

/// Whether the new function panics nowhere where the old one does not. The image is that of the new program.
pub fn no_new_panic<'a>(
    pair: Pair<'a>,
    new: &Image<'a>,
    solver: &mut dyn Solver,
    limits: Limits,
) -> Result<NoNewPanic, Obstacle> {
    let mut of = |within| explored(pair, Claim::NoNewPanic(new), within, Floats::ToTheBit, solver, limits);
    let up_to = match of(Within::OneVersion) {
        Err(Obstacle::Ends | Obstacle::Effects) => of(Within::Both),
        found => found,
    };
    Ok(NoNewPanic { up_to: up_to? })
}

/// On which inputs alone the functions may differ, if what they call does the same. There is none if they may differ on all, or are aligned.
pub fn affected_when(
    pair: Pair<'_>,
    solver: &mut dyn Solver,
    limits: Limits,
) -> Result<Option<AffectedWhen>, Obstacle> {
    for within in [Within::OneVersion, Within::Both] {
        let floats = Floats::ToTheBit;
        let keeping = AtDifference::Keep(Vec::new());
        let found = explored_to(keeping, pair, Claim::SameEnds, within, floats, solver, limits)?;
        if found.affected_when.is_some() {
            return Ok(found.affected_when);
        }
    }
    Ok(None)
}

fn computes_with_floats(pair: Pair<'_>) -> bool {
    let (old, old_id) = pair.old;
    let FnBody::Present(body) = &old.functions[old_id].body else { return false };
    body.locals.iter().any(|local| matches!(local.ty.kind(), TyKind::Float(_)))
}

/// Which functions are put in the place of their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    OneVersion,
    /// Small ones that are the same in both versions too.
    Both,
}

/// States that are kept apart where paths meet, where bodies are looked into.
const MORE_STATES: usize = 16;

impl Limits {
    fn of(self, within: Within) -> Limits {
        match within {
            Within::OneVersion => self,
            Within::Both => Limits { states: MORE_STATES, ..self },
        }
    }
}

/// Blocks of a body that is put in the place of its calls.
const MOST_OF_ONE_VERSION: usize = 200;
const MOST_OF_BOTH: usize = 30;

fn explored<'a>(
    pair: Pair<'a>,
    claim: Claim<'_, 'a>,
    within: Within,
    floats: Floats,
    solver: &mut dyn Solver,
    limits: Limits,
) -> Result<UpTo, Obstacle> {
    Ok(explored_to(AtDifference::Fail, pair, claim, within, floats, solver, limits)?.up_to)
}

/// What the product of two functions says.
struct Explored {
    up_to: UpTo,
    affected_when: Option<AffectedWhen>,
}

fn explored_to<'a>(
    at_difference: AtDifference,
    pair: Pair<'a>,
    claim: Claim<'_, 'a>,
    within: Within,
    floats: Floats,
    solver: &mut dyn Solver,
    limits: Limits,
) -> Result<Explored, Obstacle> {
    let Pair { alignment, old: (old, old_id), new: (new, new_id) } = pair;
    let none = Renames::default();
    let most_blocks = match within {
        Within::OneVersion => MOST_OF_ONE_VERSION,
        Within::Both => MOST_OF_BOTH,
    };
    let of_old = |id: FnId| is_inlined(pair, Version::Old, within, id);
    let of_new = |id: FnId| is_inlined(pair, Version::New, within, id);
    let in_old = Choice { is_inlined: &of_old, most_blocks };
    let mut old = Code::new(old, old_id, alignment.renames(), floats, in_old).ok_or(Obstacle::NoBody)?;
    let in_new = Choice { is_inlined: &of_new, most_blocks };
    let mut new = Code::new(new, new_id, &none, floats, in_new).ok_or(Obstacle::NoBody)?;
    if old.body.arg_count != new.body.arg_count {
        return Err(Obstacle::Malformed);
    }
    let of_other_types = code::closures_of_other_types(&old, &new);
    old = old.told_apart(&of_other_types);
    if within == Within::Both {
        old.look_into_constants(in_old);
        new.look_into_constants(in_new);
        // By a renamed path another item might be found.
        if alignment.renames().is_empty() {
            old.look_into_items(in_old);
            new.look_into_items(in_new);
        }
    }
    code::assign_slots(&mut old, &mut new);
    let mut product = Product::new(&old, &new, claim, at_difference, solver, limits);
    let entry = product.at_entry()?;
    product.explore(entry.clone())?;
    product.check_until_closed(entry)?;
    let up_to = UpTo { floats, addresses: product.addresses() };
    Ok(Explored { up_to, affected_when: product.affected_when() })
}

/// Whether the body of a function of this version is put in the place of its calls.
fn is_inlined(pair: Pair<'_>, version: Version, within: Within, id: FnId) -> bool {
    let Pair { alignment, old: (old, _), new: (new, _) } = pair;
    let program = match version {
        Version::Old => old,
        Version::New => new,
    };
    let is_small_and_same = within == Within::Both && alignment.is_same(version, program, id);
    exact::is_exact(&program.functions[id])
        && alignment.is_anywhere(version, id)
        && (alignment.is_only_in(version, (old, new), id) || is_small_and_same)
}
