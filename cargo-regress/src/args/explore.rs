//! The exploration of one function.

use camino::Utf8PathBuf;
use clap::Parser;

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, Options, OutputArgs, PackageArgs,
    PartArgs, SearchArgs,
};

/// Shows how a function computes its output: one partition of the inputs after the other.
///
/// A partition is the set of inputs on which the output is computed alike; shown are its condition, the symbolic output and
/// an example. The working tree is looked at as it is.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress explore", bin_name = "cargo regress explore")]
pub struct ExploreOptions {
    /// The function: its path, or as much of the end of it as says which
    #[arg(value_name = "PATH")]
    pub path: String,

    /// Write one test for each partition to FILE (`-` is standard output, in the place of the table); the file belongs at
    /// the end of the one that defines the function
    #[arg(long, value_name = "FILE")]
    pub emit_tests: Option<Utf8PathBuf>,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl ExploreOptions {
    /// The options of a run of the pipeline on the same package.
    pub fn options(&self) -> Options {
        Options {
            frontend: FrontendArgs::default(),
            budget: BudgetArgs::default(),
            parts: PartArgs::default(),
            comparison: ComparisonArgs::default(),
            packages: self.packages.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
            artefacts: ArtefactArgs::default(),
        }
    }
}
