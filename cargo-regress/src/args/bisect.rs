//! The search for the commit from which on a call or test behaves differently.

use clap::{ArgGroup, Parser};

use super::{BuildArgs, ComparisonArgs, LocalizeOptions, OutputArgs, PackageArgs, SearchArgs, With};

/// Finds the first commit at which a call or test behaves differently, and the lines of it that may be to blame.
///
/// Commits at which nothing differs that the call may run or use are judged without building anything.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "cargo-regress bisect",
    bin_name = "cargo regress bisect",
    after_help = EXIT_CODES,
    group = ArgGroup::new("subject").required(true),
)]
pub struct BisectOptions {
    /// The commits to search: GOOD does what is expected, BAD (HEAD if it is left out) does something else; `A...B` begins at the merge base
    #[arg(value_name = "GOOD..BAD")]
    pub range: String,

    /// A function with its arguments, as reports print them: `parse("0-")`
    #[arg(long, value_name = "CALL", group = "subject")]
    pub call: Option<String>,

    /// A test of BAD by its whole name, as `cargo regress localize --test` takes it
    #[arg(long, value_name = "NAME", group = "subject")]
    pub test: Option<String>,

    /// Fetch commits that are missing in this clone from its remote
    #[arg(long)]
    pub fetch: bool,

    /// Time limit for finding the smallest set of hunks of the first bad commit in seconds; 0 skips it
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    pub hunk_time: u64,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    the call or test does the same at both ends
  100  the first bad commit was found
  101  the search could not be completed
  2    the command line is wrong";

impl BisectOptions {
    /// The options that localize the call or test between two commits.
    pub fn between(&self, old: &str, new: &str) -> LocalizeOptions {
        LocalizeOptions {
            call: self.call.clone(),
            test: self.test.clone(),
            with: With::Rsc,
            hunk_time: self.hunk_time,
            emit_test: None,
            emit_bisect: false,
            comparison: self.comparison(Some(format!("{old}..{new}"))),
            packages: self.packages.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
        }
    }

    /// How revisions are found.
    pub fn comparison(&self, revision: Option<String>) -> ComparisonArgs {
        ComparisonArgs { revision, fetch: self.fetch, ..ComparisonArgs::default() }
    }
}
