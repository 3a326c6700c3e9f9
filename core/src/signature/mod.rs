//! The semantic signature of one function: how it computes its output, partition by partition.
//!
//! *Idea.* The inputs that satisfy one relevant slice condition are those on which the output is computed alike. So the
//! list of all of them, each with the symbolic output and one input as an example, says what the function does, with far
//! fewer entries than it has paths.
//!
//! *Definition.* A partition is the set of inputs that satisfy the conditions of one run. With [`Strategy::Rsc`] these are
//! the conditions in the relevant slice of the output, with [`Strategy::Dart`] all of them; either way the signature
//! is what Algorithm 1 of the paper visits, and in the end a solver is asked whether an input was left out.
//!
//! *Not handled.* Effects other than the return value, what is behind `&mut` parameters, and panics.
//!
//! *Source.* D. Qi, H. Nguyen, A. Roychoudhury: Path exploration based on symbolic output, ESEC/FSE 2011.
//!
//! [`function`] is the subject of `explore`'s loop, [`agreement`] holds the partitions of both strategies against each other, and
//! [`readable`] says conditions and outputs as Rust.

mod agreement;
pub(crate) mod function;
pub mod readable;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::exec::Stop;
use crate::explore::{Completeness, Condition, Effort, Strategy};
use crate::term::{Model, TermId};
use crate::value::{PanicKind, Value};
use crate::verdict::Ledger;

pub use agreement::{Agreement, Disagreement};
pub use function::Function;

/// What exploring one function gave.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub strategy: Strategy,
    /// In the order in which they were found.
    pub partitions: Vec<Partition>,
    pub completeness: Completeness,
    pub ledger: Ledger,
    pub effort: Effort,
    pub timeline: Vec<Milestone>,
}

/// One set of inputs on which the function goes the same way.
#[derive(Clone, Debug)]
pub struct Partition {
    /// In the order in which they are negated.
    pub conditions: Vec<Condition>,
    /// The relevant slice condition of the run, sorted: what names the behaviour, whatever the strategy.
    pub relevant: Vec<TermId>,
    pub model: Model,
    /// The example: the arguments of the run.
    pub inputs: Vec<Value>,
    pub ending: Ending,
    /// Statements and terminators of the run.
    pub steps: u64,
}

/// How the calls of a partition end.
#[derive(Clone, Debug)]
pub enum Ending {
    Returned(Vec<SymbolicOutput>),
    Panicked {
        kind: PanicKind,
        message: Option<String>,
        location: Option<String>,
    },
    /// The run was given up.
    Stopped(Stop),
}

/// One thing a caller can see: its shape with the values of the run, and the term of each leaf, in the order of the
/// shape.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolicOutput {
    pub of: OutputOf,
    pub value: Value,
    pub leaves: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputOf {
    Return,
    /// What is behind this parameter afterwards, by position.
    Argument(usize),
}

/// How many relevant slice conditions were known when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Milestone {
    pub at: Duration,
    pub runs: u64,
    pub relevant: usize,
}

impl Ending {
    /// Whether two endings are the same terms in the same shape.
    pub fn is_same_as(&self, other: &Ending) -> bool {
        match (self, other) {
            (Ending::Returned(a), Ending::Returned(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.has_shape_of(b) && a.leaves == b.leaves)
            }
            (Ending::Panicked { kind: a, .. }, Ending::Panicked { kind: b, .. }) => a == b,
            _ => false,
        }
    }
}

impl SymbolicOutput {
    /// Whether the leaves stand in the same places.
    pub fn has_shape_of(&self, other: &SymbolicOutput) -> bool {
        self.of == other.of && same_shape(&self.value, &other.value)
    }
}

fn same_shape(a: &Value, b: &Value) -> bool {
    let all =
        |xs: &[Value], ys: &[Value]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_shape(x, y));
    match (a, b) {
        (Value::Bool(_), Value::Bool(_))
        | (Value::Char(_), Value::Char(_))
        | (Value::F32(_), Value::F32(_))
        | (Value::F64(_), Value::F64(_)) => true,
        (Value::Int { ty: a, .. }, Value::Int { ty: b, .. }) => a == b,
        (Value::Str(a), Value::Str(b)) => a.len() == b.len(),
        (Value::Tuple(xs), Value::Tuple(ys)) | (Value::Seq(xs), Value::Seq(ys)) => all(xs, ys),
        (Value::Ref(a), Value::Ref(b)) => same_shape(a, b),
        (
            Value::Adt { path, variant, fields, .. },
            Value::Adt { path: other, variant: of_other, fields: others, .. },
        ) => {
            path == other
                && variant == of_other
                && fields.len() == others.len()
                && fields.iter().zip(others).all(|((_, x), (_, y))| same_shape(x, y))
        }
        (a, b) => a == b,
    }
}
