//! What can go wrong with a dump as a whole. What goes wrong with one function stands in that function.

/// Why no program could be made of the dumps.
#[derive(Debug, thiserror::Error)]
pub enum FrontendError {
    /// The MIR text holds no header that this parser knows: not a dump, or one of an unsupported compiler.
    #[error(
        "the MIR dump of crate `{crate_name}` has {lines} lines, but no item in it could be recognised; \
         was it made by a rustc between 1.85 and 1.97?"
    )]
    NotADump { crate_name: String, lines: usize },
    #[error("the rustdoc JSON of crate `{crate_name}` cannot be read: {source}; delete it and run again")]
    RustdocSyntax {
        crate_name: String,
        #[source]
        source: serde_json::Error,
    },
    /// It is JSON, but not rustdoc's.
    #[error(
        "the rustdoc JSON of crate `{crate_name}` lacks `{missing}`; it may be of an unsupported rustdoc"
    )]
    RustdocShape { crate_name: String, missing: &'static str },
    #[error("crate `{crate_name}` was handed over twice")]
    DuplicateCrate { crate_name: String },
}

impl FrontendError {
    /// The crate whose dump it is.
    pub fn crate_name(&self) -> &str {
        match self {
            FrontendError::NotADump { crate_name, .. }
            | FrontendError::RustdocSyntax { crate_name, .. }
            | FrontendError::RustdocShape { crate_name, .. }
            | FrontendError::DuplicateCrate { crate_name } => crate_name,
        }
    }
}
