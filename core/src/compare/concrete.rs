//! One version of one function on given inputs: what the executor says that a native run would give.
//!
//! It is the same machine as the comparison's, inputs as variables included, so that terms, slices and branches are
//! exercised as they are there; and it checks that they agree with the bits. Conformance testing and the question
//! whether an input lies within the bounds of a proof rest on it.

use super::pair::{End, consistent, fresh_run, parameter_name, parameter_types, run_version};
use crate::exec::resolve::Resolved;
use crate::exec::run::Limits;
use crate::exec::{Image, InputBounds, InputSpace, Makers, Stop};
use crate::ir::{FnBody, Ty};
use crate::term::{Model, TermPool};
use crate::value::{Outcome, Value};
use crate::verdict::Version;

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
    image: &'i Image<'p>,
    version: Version,
    callee: Resolved,
    types: Vec<Ty>,
    limits: Limits,
    bounds: InputBounds,
    makers: Makers,
}

impl<'i, 'p> Runner<'i, 'p> {
    /// The error tells why no input at all can be run.
    pub fn new(
        (image, version): (&'i Image<'p>, Version),
        callee: Resolved,
        limits: Limits,
        bounds: InputBounds,
        makers: Makers,
    ) -> Result<Self, String> {
        match &image.program.functions[callee.function].body {
            FnBody::Present(_) => {}
            FnBody::Unreadable { reason, .. } => return Err(format!("its MIR cannot be read: {reason}")),
            FnBody::Missing => return Err("it has no body".into()),
        }
        let types = parameter_types(image, &callee)?;
        Ok(Runner { image, version, callee, types, limits, bounds, makers })
    }

    /// Runs the function once. The error is a parameter type that inputs cannot be built for.
    pub fn run(&self, inputs: &[Value]) -> Result<Concrete, String> {
        if inputs.len() != self.types.len() {
            return Ok(Concrete::OutsideInputs);
        }
        let mut pool = TermPool::new();
        let mut space = InputSpace::new(self.bounds, self.makers.clone());
        let mut model = Model::new();
        for (index, (value, ty)) in inputs.iter().zip(&self.types).enumerate() {
            let name = parameter_name(index);
            if !space.seed(self.image.program, &mut pool, &mut model, &name, ty, value) {
                return Ok(Concrete::OutsideInputs);
            }
        }
        let mut run = fresh_run(&mut pool, self.limits);
        let ended = run_version(
            self.image,
            self.version,
            &self.callee,
            &self.types,
            &mut space,
            &mut run,
            &mut model,
        )
        .map_err(|error| error.to_string())?;
        let branches = run.branches.as_slice().to_vec();
        drop(run);
        // Lengths are within bounds when they are seeded; how deep a value nests shows here only.
        if space.constraints.iter().any(|constraint| pool.eval(*constraint, &model) == 0) {
            return Ok(Concrete::OutsideInputs);
        }
        if !consistent(&pool, &model, &branches, &[&ended]) {
            return Ok(Concrete::Inconsistent { outcome: ended.outcome() });
        }
        match (&ended.end, ended.outcome()) {
            (End::Stopped(stop), _) => Ok(Concrete::Stopped(stop.clone())),
            (End::NotMade { .. }, _) => Ok(Concrete::OutsideInputs),
            (_, Some(outcome)) => Ok(Concrete::Ended(outcome)),
            (_, None) => Ok(Concrete::Stopped(Stop::Unsupported("an outcome without a value".into()))),
        }
    }
}
