//! From what Charon writes to a [`regress_core::ir::Program`].
//!
//! * [`read`](mod@read), [`version`], [`error`]: one file, and what may be wrong with it
//! * [`shapes`], [`hashcons`], [`schema`], [`body_schema`]: the JSON
//! * [`context`], [`names`], [`types`], [`constants`], [`callees`]: what things are called here
//! * [`bodies`], of which [`places`], [`rvalues`], [`terminators`], [`drops`]: control-flow graphs
//! * [`items`], [`globals`], [`program`]: everything together, on top of the models
//!
//! Like the rustc front end this is pure, and what is not understood makes its function unreadable, with the reason, and no
//! other.

mod bodies;
mod body_schema;
mod callees;
mod constants;
mod context;
mod drops;
mod error;
mod globals;
mod hashcons;
mod items;
mod names;
mod places;
mod program;
mod read;
mod rvalues;
mod schema;
mod shapes;
mod terminators;
mod types;
pub mod version;

pub use error::CharonError;
pub use items::NotAFunction;
pub use program::{Lowered, Share, lower};
pub use read::{Document, read};
