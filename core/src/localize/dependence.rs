//! Which changes the difference of a call depends on.
//!
//! *Idea.* Changes go through a run as branches do, in the slices of its values ([`Changes`]). What depends on a change in neither run
//! comes out the same with the change and without it, as long as the change writes where the statement before it did.
//!
//! *Definition.* A difference depends on a change if, in the run of either version, the change is in the slice of an output that differs,
//! or of what the end depends on whatever is looked at. Where the outputs have different shapes, all of them are looked at. Deletions are in the slices
//! of the old version.
//!
//! *Limits.* Dependence is no cause: the change may compute what was computed before. And a difference may need a change that no
//! statement belongs to (of a type, say). Building the versions between shows both.
//!
//! *Source.* M. Böhme, B. Oliveira, A. Roychoudhury: Regression tests to expose change interaction errors, ESEC/FSE 2013.
//!
//! [`Changes`]: crate::exec::Changes

use std::collections::BTreeSet;

use super::{NotLocalized, types};
use crate::compare::FunctionPair;
use crate::compare::pair::Callees;
use crate::exec::tree::Scalar;
use crate::exec::{ChangeId, Image, Run, SliceId};
use crate::explore::call::{End, Ended, fresh_run};
use crate::explore::{Inputs, Options};
use crate::value::{Outcome, Value};
use crate::verdict::Version;
use crate::verdict::not_analysed::Refused;

/// The changes behind the difference of one call, and how the engine sees it end; none where a run was given up.
#[derive(Clone, Debug)]
pub struct Dependence {
    pub old: Option<Outcome>,
    pub new: Option<Outcome>,
    /// Those that what differs depends on.
    pub changes: BTreeSet<ChangeId>,
    /// Those that any of the outputs depends on, whether it differs or not.
    pub of_all_outputs: BTreeSet<ChangeId>,
}

/// Runs both versions, whose images know their changes, on the arguments. The error tells why that is not possible.
pub fn dependence(
    old: &Image<'_>,
    new: &Image<'_>,
    pair: &FunctionPair,
    options: &Options,
    arguments: &[Value],
) -> Result<Dependence, NotLocalized> {
    let types = types(old, new, pair).map_err(NotLocalized::Refused)?;
    let callees = Callees::of(pair, old, new);
    let mut inputs = Inputs::new(new.program, types, options.bounds, pair.makers.clone());
    let model = inputs.model(arguments);
    let mut model = model.map_err(|error| NotLocalized::of_input(error, &inputs.types, arguments))?;
    let mut seen = |version| {
        let Inputs { types, pool, space, .. } = &mut inputs;
        let mut run = fresh_run(pool, options.limits);
        let ended = callees.of_version(version).run(types, space, &mut run, &mut model);
        ended
            .map(|ended| Seen::of(&run, &ended))
            .map_err(|error| NotLocalized::Refused(Refused::Input(error)))
    };
    let (old, new) = (seen(Version::Old)?, seen(Version::New)?);
    let changes = old.behind_what_differs(&new).union(&new.behind_what_differs(&old)).copied().collect();
    let of_all_outputs = old.whole.union(&new.whole).copied().collect();
    Ok(Dependence { old: old.outcome, new: new.outcome, changes, of_all_outputs })
}

/// What one run depends on.
struct Seen {
    outcome: Option<Outcome>,
    /// Of each output its leaves in order; none if the call did not return.
    outputs: Option<Vec<Vec<Leaf>>>,
    whole: BTreeSet<ChangeId>,
    /// Whatever is looked at.
    always: BTreeSet<ChangeId>,
}

struct Leaf {
    bits: u128,
    changes: BTreeSet<ChangeId>,
}

impl Seen {
    fn of(run: &Run<'_>, ended: &Ended) -> Seen {
        let changes = |slice: SliceId| run.slices.changes(slice).collect::<BTreeSet<ChangeId>>();
        let outputs = match &ended.end {
            End::Returned(returned) => Some(returned.outputs().map(|output| {
                let leaf = |leaf: &Scalar| Leaf { bits: leaf.bits, changes: changes(leaf.slice) };
                output.leaves.iter().map(leaf).collect()
            })),
            End::Panicked { .. } | End::NotMade { .. } | End::Stopped(_) => None,
        };
        Seen {
            outcome: ended.outcome(),
            outputs: outputs.map(Iterator::collect),
            whole: changes(ended.slice),
            always: changes(ended.sticky),
        }
    }

    /// The changes on which this run depends where the other one ends otherwise.
    fn behind_what_differs(&self, other: &Seen) -> BTreeSet<ChangeId> {
        let shape = |outputs: &[Vec<Leaf>]| outputs.iter().map(Vec::len).collect::<Vec<_>>();
        let (Some(own), Some(others)) = (&self.outputs, &other.outputs) else { return self.whole.clone() };
        if shape(own) != shape(others) {
            return self.whole.clone();
        }
        let leaves = own.iter().flatten().zip(others.iter().flatten());
        let mut behind = self.always.clone();
        for (leaf, _) in leaves.filter(|(own, other)| own.bits != other.bits) {
            behind.extend(&leaf.changes);
        }
        behind
    }
}
