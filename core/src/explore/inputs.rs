//! The inputs of a call: variables for them, and the terms over these.

use super::Condition;
use crate::exec::{InputBounds, InputSpace, Makers};
use crate::ir::{Program, Ty};
use crate::term::{Model, TermId, TermPool};
use crate::value::Value;

/// All inputs for parameters of these types. Explorations that share them have the same variables and terms, so that what
/// they find can be compared.
pub struct Inputs<'p> {
    /// The version by whose definitions values are read and shown.
    pub program: &'p Program,
    /// Of the parameters, closed.
    pub types: Vec<Ty>,
    pub pool: TermPool,
    pub space: InputSpace,
}

/// Why arguments are not among the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAnInput {
    /// There are more or fewer of them than parameters.
    Count,
    /// The argument at this position is not among the values that stand for its type.
    Argument(usize),
}

/// Parameter `index` of every subject, as the input space names it.
pub fn parameter_name(index: usize) -> String {
    format!("arg{index}")
}

impl<'p> Inputs<'p> {
    pub fn new(program: &'p Program, types: Vec<Ty>, bounds: InputBounds, makers: Makers) -> Self {
        Inputs { program, types, pool: TermPool::new(), space: InputSpace::new(bounds, makers) }
    }

    /// The model of these arguments.
    pub fn model(&mut self, arguments: &[Value]) -> Result<Model, NotAnInput> {
        if arguments.len() != self.types.len() {
            return Err(NotAnInput::Count);
        }
        let mut model = Model::new();
        for (index, (value, ty)) in arguments.iter().zip(&self.types).enumerate() {
            let name = parameter_name(index);
            if !self.space.seed(self.program, &mut self.pool, &mut model, &name, ty, value) {
                return Err(NotAnInput::Argument(index));
            }
        }
        Ok(model)
    }

    /// The arguments that a model stands for.
    pub fn values(&self, model: &Model) -> Vec<Value> {
        let value =
            |(index, ty)| self.space.value(self.program, &self.pool, model, &parameter_name(index), ty);
        self.types.iter().enumerate().map(value).collect()
    }

    /// What holds of the inputs that lie in none of the partitions.
    pub fn outside<'c>(&mut self, partitions: impl Iterator<Item = &'c [Condition]>) -> Vec<TermId> {
        let mut assertions = self.space.constraints.clone();
        for partition in partitions {
            let conditions: Vec<TermId> = partition.iter().map(|condition| condition.holds).collect();
            let inside = self.pool.and_all(&conditions);
            assertions.push(self.pool.not(inside));
        }
        assertions
    }

    /// Whether a model keeps what all inputs keep: lengths, depths, what types allow.
    pub fn allows(&self, model: &Model) -> bool {
        self.space.constraints.iter().all(|constraint| self.pool.eval(*constraint, model) != 0)
    }
}
