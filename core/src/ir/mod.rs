//! The intermediate representation that every front end lowers to and every analysis reads.
//!
//! Its shape is that of Charon's ULLBC: a [`Program`] of types, functions, trait implementations and source
//! files; function bodies are control-flow graphs over places. Bodies stay polymorphic: whoever runs one keeps
//! a [`Subst`] beside it.
//!
//! * [`path`]: names of items, in one canonical spelling
//! * [`known`]: the standard library's types and traits that are known by name
//! * [`ty`]: types, generic arguments, substitution and unification
//! * [`body`]: locals, blocks, statements, terminators, places, operands, constants
//! * [`adapter`]: functions that call another one as a caller of the other version calls it
//! * [`program`]: the items and how they are looked up
//! * [`shared_body`]: bodies that several programs share, read when they are looked at
//! * [`declared`]: what declarations say beside signatures, types and bodies
//! * [`common`]: what values of types have in common that differ between versions
//! * [`moved`]: items that have another path in the other version
//! * [`span`]: where something stands in the source
//! * [`stand_ins`]: types in the place of parameters that stand for closures and hashers
//! * [`pretty`]: bodies, functions and types as text, which `parse` reads back in tests
//! * [`checks`]: overflow checks that code takes over from the crate it is compiled into
//! * [`canonical`]: what is left of a body when everything without meaning is taken away
//!
//! Invariant: two functions of two versions with equal [`path::Path`] are the same item to the user.

pub mod adapter;
pub mod body;
pub mod canonical;
pub mod checks;
pub mod common;
pub mod declared;
pub mod known;
pub mod moved;
#[cfg(test)]
pub mod parse;
pub mod path;
pub mod pretty;
pub mod program;
pub mod shared_body;
pub mod span;
pub mod stand_ins;
pub mod ty;

pub use adapter::{Adapter, AdapterKind, Argument, Conversion, ConversionStep, Fixed};
pub use body::*;
pub use checks::OverflowChecks;
pub use common::{CommonShape, CommonShapes, CommonVariant, Extent, GivenFields, OtherFields, ResultTypes};
pub use declared::{Declared, Foreign, Frame};
pub use known::{KnownTrait, KnownType};
pub use moved::{Moved, Namespace};
pub use path::{Name, Path};
pub use program::*;
pub use shared_body::SharedBody;
pub use span::{FileId, SourceFile, Span};
pub use ty::*;
