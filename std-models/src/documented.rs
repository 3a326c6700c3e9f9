//! Functions of other crates that programs call everywhere and that are written in instructions of processors, restated by what their documentation says.
//!
//! The front end puts these bodies in the place of the crates' own (its `documented` has the list), where both versions of a program use one release of the crate.

pub mod memchr;
