//! Accepting expected differences.

use clap::Parser;

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, MergedArgs, Options, OutputArgs,
    PackageArgs, PartArgs, SearchArgs,
};

/// Records expected differences in `.config/regress-accepted.toml`, to be reviewed and committed with the change.
///
/// Compares as `cargo regress` does. An entry covers one function, one class of difference and one way to end in each version; it
/// holds until the old version has it too.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress accept", bin_name = "cargo regress accept")]
pub struct AcceptOptions {
    /// The function whose difference is expected: its path, or the end of the path if no other function ends so
    #[arg(long, value_name = "PATH", required_unless_present = "all_functions")]
    pub function: Vec<String>,

    /// Accept every function that differs
    #[arg(long, conflicts_with_all = ["function", "when"])]
    pub all_functions: bool,

    /// The reason, for the reviewers
    #[arg(long, value_name = "TEXT", required = true)]
    pub reason: String,

    /// Accept only on arguments that meet this condition: `amount > 100 && name.is_empty()`
    #[arg(long, value_name = "CONDITION")]
    pub when: Option<String>,

    #[command(flatten)]
    pub comparison: ComparisonArgs,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub frontend: FrontendArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl AcceptOptions {
    /// The options of the comparison.
    pub fn options(&self) -> Options {
        Options {
            frontend: self.frontend.clone(),
            budget: BudgetArgs::default(),
            parts: PartArgs::default(),
            comparison: self.comparison.clone(),
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
            artefacts: ArtefactArgs::default(),
        }
    }
}
