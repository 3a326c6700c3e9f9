//! Conditions and outputs as Rust, for people to read.
//!
//! Terms have lost what types say: a comparison knows whether it is signed, a variable does not. [`names`] gives each
//! variable back its place in the parameters (`s[0]`, `p.x`, `s.len()`) and its type; [`expression`] prints terms with
//! them, pieces of which [`text`] puts together; [`simplify`] drops conditions that others imply; [`wrapping`] tells whether arithmetic in them may wrap; [`output`] puts terms into the shape of a value.
//!
//! What is printed is Rust wherever Rust can say it. It is read modulo what the type holds: `x + y` is the sum that the
//! program computed, whose overflow, if it is one of the outcomes, is a condition of its own. One notation is not Rust:
//! `x.Some.0` is a field of the variant that `x` is of.

mod expression;
mod names;
mod output;
mod simplify;
#[cfg(test)]
mod tests;
mod text;
mod wrapping;

pub use names::Names;
pub use simplify::simplified;
pub use wrapping::may_wrap;

use super::{Ending, Stop};
use crate::ir::Program;
use crate::term::{TermId, TermPool};
use crate::value::{PanicKind, Value};

/// Longer conditions and outputs are cut: nobody reads them.
const MAX_NODES: usize = 400;

/// A printer of terms of one function.
pub struct Printer<'a> {
    pub pool: &'a TermPool,
    pub names: &'a Names,
    pub program: &'a Program,
}

impl Printer<'_> {
    /// A condition, as a Rust expression of type `bool`.
    pub fn condition(&self, condition: TermId) -> String {
        expression::condition(self, condition)
    }

    /// How the calls of a partition end, one text for each thing that can be seen; the error is what stopped their run.
    pub fn ending<'e>(&self, ending: &'e Ending) -> Result<Vec<String>, &'e Stop> {
        Ok(match ending {
            Ending::Returned(outputs) => {
                // That nothing is returned is worth telling only where there is nothing else to tell.
                let told =
                    outputs.iter().filter(|symbolic| outputs.len() == 1 || symbolic.value != Value::unit());
                told.map(|symbolic| output::output(self, symbolic)).collect()
            }
            Ending::Panicked { kind, message, .. } => {
                let text = message.clone().unwrap_or_else(|| kind_text(*kind).to_owned());
                vec![format!("panics: {text}")]
            }
            Ending::Stopped(stop) => return Err(stop),
        })
    }
}

fn kind_text(kind: PanicKind) -> &'static str {
    match kind {
        PanicKind::Overflow => "arithmetic overflow",
        PanicKind::DivisionByZero => "division by zero",
        PanicKind::IndexOutOfBounds => "index out of bounds",
        PanicKind::Unwrap => "unwrapped what was not there",
        PanicKind::Explicit => "explicit panic",
    }
}
