//! Comparing on each save.

use std::ffi::OsString;

use clap::Parser;

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, Color, ComparisonArgs, FailOn, FrontendArgs, MergedArgs, Options,
    OutputArgs, PackageArgs, PartArgs, Reports, SearchArgs,
};

/// Compares again whenever a file is saved, and prints a line for each finding.
///
/// A save while a comparison goes on ends it, and another one begins. Without REV, the work tree is compared with HEAD. Ctrl-C ends it.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress watch", bin_name = "cargo regress watch")]
pub struct WatchOptions {
    #[command(flatten)]
    pub comparison: ComparisonArgs,

    /// Compare only this function: its path, or the end of the path if no other function ends so; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Search")]
    pub function: Vec<String>,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub budget: BudgetArgs,

    /// All of these as the user wrote them.
    #[arg(skip)]
    pub words: Vec<OsString>,
}

impl WatchOptions {
    /// The options of each comparison.
    pub fn options(&self) -> Options {
        Options {
            comparison: self.comparison.clone(),
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            frontend: FrontendArgs::default(),
            build: self.build.clone(),
            search: self.search.clone(),
            budget: self.budget.clone(),
            parts: PartArgs { function: self.function.clone(), ..PartArgs::default() },
            output: OutputArgs {
                reports: Reports::default(),
                fail_on: FailOn::Never,
                verbose: 0,
                quiet: true,
                color: Color::Never,
            },
            artefacts: ArtefactArgs::default(),
        }
    }
}
