//! Which tests a change can affect.

use clap::{ArgAction, Parser, ValueEnum};

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, Color, ComparisonArgs, FailOn, FrontendArgs, MergedArgs, Options,
    OutputArgs, PackageArgs, PartArgs, Reports, SearchArgs,
};

/// Names the tests that have to run after a change.
///
/// A test is left out if nothing that it may run or use differs between the versions, functions apart that are proved equal on every
/// input. Without REV, uncommitted changes are compared with HEAD; if there are none, HEAD is compared with HEAD~1.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress affected-tests", bin_name = "cargo regress affected-tests", after_help = EXIT_CODES)]
pub struct AffectedTestsOptions {
    #[command(flatten)]
    pub comparison: ComparisonArgs,

    /// Form in which the tests are printed [default: names, and nothing with --run]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub message_format: Option<AffectedFormat>,

    /// Run the tests: with `cargo test`, or with `cargo nextest` by --run=nextest
    #[arg(long, value_enum, value_name = "RUNNER", num_args = 0..=1, require_equals = true, default_missing_value = "cargo", help_heading = "Output")]
    pub run: Option<Runner>,

    /// Print more to standard error; twice for even more
    #[arg(short, long, action = ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,

    /// Print nothing but the tests
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Coloring
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, env = "CARGO_TERM_COLOR", hide_env = true, help_heading = "Output")]
    pub color: Color,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub frontend: FrontendArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub budget: BudgetArgs,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    the tests are named, however many there are; with --run, they pass
  101  the tests could not be found out; with --run, also the code of `cargo test`
  2    the command line is wrong";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AffectedFormat {
    /// A line for each test: the binary as nextest calls it, and the test
    Names,
    /// A filter for `cargo nextest run -E`
    Nextest,
    /// One document for programs, with reasons
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// `cargo test`
    Cargo,
    /// `cargo nextest run`, and `cargo test` for documentation
    Nextest,
}

impl AffectedTestsOptions {
    /// The options of a comparison of the same versions.
    pub fn options(&self) -> Options {
        Options {
            comparison: self.comparison.clone(),
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            frontend: self.frontend.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            budget: self.budget.clone(),
            parts: PartArgs::default(),
            output: OutputArgs {
                reports: Reports::default(),
                fail_on: FailOn::Never,
                verbose: self.verbose,
                quiet: self.quiet,
                color: self.color,
            },
            artefacts: ArtefactArgs::default(),
        }
    }
}
