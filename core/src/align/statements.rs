//! Which statements of two bodies differ.
