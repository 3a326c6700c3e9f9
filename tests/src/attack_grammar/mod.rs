//! Attacks from a grammar: crates in two versions whose public functions try to be called `equal` or `unchanged` where they are not.
//!
//! A *class* is one idea of what an analysis may overlook (layout, profile, foreign code, …), with a file of its own in `classes/`. It makes *snippets*: the
//! same items in two versions, with the functions to be judged. Snippets of one or several classes make a crate ([`layout`]). What is true is
//! told by native runs of a driver that knows nothing of the product ([`driver`], [`native`]); what the snippet was meant to be counts for
//! nothing. [`judge`] holds the product's verdicts against that.

mod classes;
mod crates;
mod driver;
mod judge;
mod native;
mod rng;
mod run;
mod snippet;

pub use classes::Class;
pub use crates::{Generated, generate};
pub use judge::{Judgement, Said, Truth, judge};
pub use run::{Settings, Table, run};
