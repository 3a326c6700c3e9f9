//! The comparison of a job on a CI service, which says what the versions are.

use camino::Utf8PathBuf;
use clap::Parser;

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, MergedArgs, Options, OutputArgs,
    PackageArgs, PartArgs, SearchArgs,
};

/// Compares what the job of a CI service is about: a pull or merge request with where it came from, a push with what was there.
///
/// The versions are read off the variables of GitHub Actions or GitLab CI.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress ci", bin_name = "cargo regress ci", after_help = CI_EXIT_CODES)]
pub struct CiOptions {
    /// Compare with the commit at which HEAD left REV, whatever the service says
    #[arg(long, value_name = "REV", group = "baseline", help_heading = "Versions")]
    pub base: Option<String>,

    /// Fetch the history that a shallow clone lacks from its remote
    #[arg(long, help_heading = "Versions")]
    pub fetch: bool,

    /// Print which commits would be compared, as `A..B`, and exit; nothing if there is nothing to compare
    #[arg(long, help_heading = "Versions")]
    pub print: bool,

    /// Put together what jobs with --partition and --findings have found, a file of each part; no function is searched again
    #[arg(long, value_name = "FINDINGS", num_args = 1.., conflicts_with_all = ["partition", "findings"], help_heading = "Search")]
    pub found: Vec<Utf8PathBuf>,

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

    #[command(flatten)]
    pub part: PartArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub artefacts: ArtefactArgs,
}

const CI_EXIT_CODES: &str = "\
Exit codes:
  0    nothing to report, or nothing to compare
  100  something was found that --fail-on asks for
  101  the comparison could not be completed, or the older version could not be found
  2    the command line is wrong";

impl CiOptions {
    /// The options of a comparison of these commits.
    pub fn options(&self, range: String) -> Options {
        let parts = match self.found.is_empty() {
            true => self.part.clone(),
            false => PartArgs { found: self.found.clone(), ..PartArgs::default() },
        };
        Options {
            comparison: ComparisonArgs { revision: Some(range), ..ComparisonArgs::default() },
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            frontend: self.frontend.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            budget: self.budget.clone(),
            parts,
            output: self.output.clone(),
            artefacts: self.artefacts.clone(),
        }
    }
}
