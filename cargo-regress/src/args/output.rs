//! What is shown, and what makes the command fail.

use clap::{ArgAction, Args, ValueEnum};

use super::Reports;

/// What is shown, and what makes the command fail.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    #[command(flatten)]
    pub reports: Reports,

    /// Findings that make the exit code 100
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Regression)]
    pub fail_on: FailOn,

    /// Print more to standard error; twice for even more
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Print nothing but the report
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Coloring
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, env = "CARGO_TERM_COLOR", hide_env = true)]
    pub color: Color,
}

/// Ordered: each level fails on what the one before fails on, and on more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum FailOn {
    /// Findings never change the exit code
    Never,
    /// A panic, abort or endless loop that only the new version has
    Regression,
    /// Any confirmed difference in behaviour
    Difference,
    /// Also whatever could not be shown to be equal
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}
