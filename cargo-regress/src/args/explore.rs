//! The exploration of one function.

use camino::Utf8PathBuf;
use clap::Parser;

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, MergedArgs, Options, OutputArgs,
    PackageArgs, PartArgs, SearchArgs,
};

/// Shows how a function computes its output, one partition of its inputs after the other.
///
/// A partition is a set of inputs whose output is computed in the same way. Each is shown with its condition, its symbolic output and
/// an example. The function is read from the working tree.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress explore", bin_name = "cargo regress explore")]
pub struct ExploreOptions {
    /// The function: its path, or the end of the path if no other function ends so
    #[arg(value_name = "PATH")]
    pub path: String,

    /// Write one test for each partition to FILE, or to standard output in place of the table if FILE is `-`; the tests belong at
    /// the end of the file that defines the function
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
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
            artefacts: ArtefactArgs::default(),
        }
    }
}
