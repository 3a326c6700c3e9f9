//! One version of one function on given inputs: what the executor says that a native run would give.
//!
//! It is the same machine as the comparison's, inputs as variables included, so that terms, slices and branches are
//! exercised as they are there; and it checks that they agree with the bits. Conformance testing and the question
//! whether an input lies within the bounds of a proof rest on it.

use crate::exec::resolve::Resolved;
use crate::exec::run::Limits;
use crate::exec::{Image, InputBounds, Makers, Stop};
use crate::explore::Inputs;
use crate::explore::call::{Callee, End, consistent, fresh_run};
use crate::ir::Ty;
use crate::value::{Outcome, Value};
use crate::verdict::Version;
use crate::verdict::not_analysed::Refused;
use crate::verdict::unsupported::{UnshownOutput, Unsupported};

/// What became of a run on given inputs.
#[derive(Clone, Debug)]
pub enum Concrete {
    /// The executor's answer.
    Ended(Outcome),
    /// The engine contradicts itself: under the model of the inputs, a term has other bits than the run.
    Inconsistent { outcome: Option<Outcome> },
    /// The inputs are not among those that a comparison considers, or do not fit the types.
    OutsideInputs,
    /// The run was given up.
    Stopped(Stop),
}

/// A function that can be run on given inputs.
pub struct Runner<'i, 'p> {
    callee: Callee<'i, 'p>,
    types: Vec<Ty>,
    limits: Limits,
    bounds: InputBounds,
    makers: Makers,
}

impl<'i, 'p> Runner<'i, 'p> {
    /// The error tells why no input at all can be run.
    pub fn new(
        (image, version): (&'i Image<'p>, Version),
        resolved: Resolved,
        limits: Limits,
        bounds: InputBounds,
        makers: Makers,
    ) -> Result<Self, Refused> {
        let callee = Callee { version, image, resolved };
        callee.has_body()?;
        Ok(Runner { types: callee.types()?, callee, limits, bounds, makers })
    }

    /// Runs the function once. The error is a parameter type that inputs cannot be built for.
    pub fn run(&self, arguments: &[Value]) -> Result<Concrete, Refused> {
        let program = self.callee.image.program;
        let mut inputs = Inputs::new(program, self.types.clone(), self.bounds, self.makers.clone());
        let Ok(mut model) = inputs.model(arguments) else { return Ok(Concrete::OutsideInputs) };
        let Inputs { types, pool, space, .. } = &mut inputs;
        let mut run = fresh_run(pool, self.limits);
        let ended = self.callee.run(types, space, &mut run, &mut model).map_err(Refused::Input)?;
        let branches = run.branches.as_slice().to_vec();
        drop(run);
        // Lengths are within bounds when they are seeded; how deep a value nests shows here only.
        if !inputs.allows(&model) {
            return Ok(Concrete::OutsideInputs);
        }
        if !consistent(&inputs.pool, &model, &branches, &[&ended]) {
            return Ok(Concrete::Inconsistent { outcome: ended.outcome() });
        }
        match (&ended.end, ended.outcome()) {
            (End::Stopped(stop), _) => Ok(Concrete::Stopped(stop.clone())),
            (End::NotMade { .. }, _) => Ok(Concrete::OutsideInputs),
            (_, Some(outcome)) => Ok(Concrete::Ended(outcome)),
            (_, None) => {
                Ok(Concrete::Stopped(Stop::Unsupported(Unsupported::Output(UnshownOutput::NoValue))))
            }
        }
    }
}
