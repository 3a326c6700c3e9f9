//! The stock compiler as a source of IR.

pub mod replay;
