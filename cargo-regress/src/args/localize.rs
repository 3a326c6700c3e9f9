//! The search for the lines behind a failing call or test.

use camino::Utf8PathBuf;
use clap::{Parser, ValueEnum};

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, MergedArgs, Options, OutputArgs,
    PackageArgs, PartArgs, SearchArgs,
};

/// Names the lines that may be to blame for a call or test that behaves differently.
///
/// Without --call and --test, all tests are run on both versions, and each test that passes on the old and fails on the new
/// one is localized.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress localize", bin_name = "cargo regress localize", after_help = LOCALIZE_EXIT_CODES)]
pub struct LocalizeOptions {
    /// A function with its arguments, as reports print them: `parse("0-")`
    #[arg(long, value_name = "CALL", conflicts_with = "test")]
    pub call: Option<String>,

    /// A test by its whole name: of the library's (`tests::signs`), of a file under `tests/`, or of an example in the documentation (`src/lib.rs - parse (line 12)`)
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,

    /// Which conditions of both runs are compared
    #[arg(long, value_enum, default_value_t = With::Rsc)]
    pub with: With,

    /// Time limit for finding the smallest set of hunks in seconds; 0 skips it
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    pub hunk_time: u64,

    /// Write tests of the calls that were found to FILE, with the old version's results; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub emit_test: Option<Utf8PathBuf>,

    /// Also print a `git bisect` command that finds the commit to blame
    #[arg(long)]
    pub emit_bisect: bool,

    #[command(flatten)]
    pub comparison: ComparisonArgs,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

const LOCALIZE_EXIT_CODES: &str = "\
Exit codes:
  0    no difference was seen
  100  a call or test does something else than before
  101  the search could not be completed
  2    the command line is wrong";

impl LocalizeOptions {
    /// The options of a run of the pipeline on the same versions.
    pub fn options(&self) -> Options {
        Options {
            frontend: FrontendArgs::default(),
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum With {
    /// Relevant slice conditions: the branches that the output depends on
    Rsc,
    /// Path conditions: all branches that were taken
    Pc,
}
