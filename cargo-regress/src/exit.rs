//! Exit codes.

/// Something was found that `--fail-on` asks for.
pub const FINDING: u8 = 100;
/// The command could not be completed.
pub const INCOMPLETE: u8 = 101;
