//! A comparison: which versions, and who reads them.

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, Parser, ValueEnum};
use regress_core::smt::Backend;

use super::{ArtefactArgs, BuildArgs, OutputArgs, PackageArgs, PartArgs, SearchArgs};
use crate::budget::Deadline;

/// Compares what the functions of two versions of a Rust crate do.
///
/// Without REV, uncommitted changes are compared with HEAD; if there are none, HEAD is compared with HEAD~1.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress", bin_name = "cargo regress", version, long_version = long_version(), after_help = EXIT_CODES)]
pub struct Options {
    #[command(flatten)]
    pub comparison: ComparisonArgs,

    #[command(flatten)]
    pub merged: MergedArgs,

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
    pub parts: PartArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub artefacts: ArtefactArgs,
}

/// What `--version` says beyond `-V`: with what proofs were made.
fn long_version() -> String {
    format!("{}\nsolver: {}", env!("CARGO_PKG_VERSION"), Backend::default().name())
}

const EXIT_CODES: &str = "\
Exit codes:
  0    nothing to report
  100  something was found that --fail-on asks for
  101  the comparison could not be completed
  2    the command line is wrong

Commands (see `--help` of each; a branch of such a name is `heads/explore`):
  explore         shows how one function computes its output, partition by partition
  localize        names the lines behind a failing test or call
  bisect          finds the commit from which on a call or test behaves differently
  affected-tests  names the tests that a change can affect
  accept          records expected differences
  merge           puts together what runs with --partition have found
  ci              compares what a job of a CI service is about
  serve           answers a coding agent (Model Context Protocol)
  watch           compares again whenever a file is saved
  hook            compares the commits of a push before they are published
  config          shows the configuration and its keys
  setup           checks what this machine lacks
  completions     prints a completion script for a shell
  man             writes the manual pages
  clean           removes what is kept in the target directory";

/// How long the whole run may take, and what it is spent on first.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Search")]
pub struct BudgetArgs {
    /// Time limit of the whole run in seconds; functions that are not finished by then are named
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..))]
    pub total_timeout: Option<u64>,

    /// Which branches are searched first
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Direction::Shadow)]
    pub search: Direction,

    /// Time limit for building versions with some of the changes, to find which of them differences take, in seconds, or a quarter of the run
    /// where that is more, but no more than so much for each difference; 0 skips it
    #[arg(long, value_name = "SECS", default_value_t = 5)]
    pub interaction_time: u64,

    /// Set when the run begins.
    #[arg(skip)]
    pub deadline: Option<Deadline>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    /// Those that one version alone decides, and first of all where only the new one panics
    #[default]
    Shadow,
    /// The latest (for comparison)
    Blind,
}

impl BudgetArgs {
    /// The clock starts.
    pub fn start(&mut self, started: Instant) {
        self.deadline = self.total_timeout.map(|seconds| Deadline::after(started, seconds));
    }

    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_over)
    }
}

/// What is compared with what.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Versions")]
pub struct ComparisonArgs {
    /// The old version (compared with the working tree, or with HEAD if nothing is uncommitted); `A..B` compares two
    /// commits, `A...B` compares the merge base of both with B
    #[arg(value_name = "REV | A..B", group = "baseline")]
    pub revision: Option<String>,

    /// Compare with the commit at which HEAD left BRANCH
    #[arg(long, value_name = "BRANCH", group = "baseline")]
    pub merge_base: Option<String>,

    /// Compare with the sources in DIR instead of a commit
    #[arg(long, value_name = "DIR", group = "baseline")]
    pub baseline_root: Option<Utf8PathBuf>,

    /// Fetch a commit that is missing in this clone from its remote
    #[arg(long)]
    pub fetch: bool,
}

/// Whether a merge is judged in place of a change.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Versions")]
pub struct MergedArgs {
    /// Judge a merge: that COMMIT, if it is one, or else the one of HEAD with BRANCH, made in memory; without a value the merge in progress,
    /// or HEAD if it is one
    #[arg(long, value_name = "COMMIT | BRANCH", num_args = 0..=1, conflicts_with_all = ["baseline", "from_llbc", "list", "html", "emit_tests", "emit_proptest", "emit_kani", "stats", "partition", "function"])]
    pub merge: Option<Option<String>>,
}

impl MergedArgs {
    /// Which merge is judged; none if none is.
    pub fn asked(&self) -> Option<Merged<'_>> {
        self.merge.as_ref().map(|named| named.as_deref().map_or(Merged::Here, Merged::Named))
    }
}

/// Which merge is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merged<'a> {
    /// The one in progress, or HEAD.
    Here,
    /// A merge commit, or what HEAD is merged with.
    Named(&'a str),
}

/// Who translates the program into what is analysed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Front end")]
pub struct FrontendArgs {
    /// Front end that reads the crate
    #[arg(long, value_enum, value_name = "FRONTEND", default_value_t = Frontend::Auto)]
    pub frontend: Frontend,

    /// Charon program to run; `charon` on the PATH by default
    #[arg(long, value_name = "PROGRAM", env = "CHARON", hide_env_values = true)]
    pub charon: Option<Utf8PathBuf>,

    /// Compare two files written by `charon --ullbc`, without building anything
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["baseline", "fetch", "frontend"])]
    pub from_llbc: Vec<Utf8PathBuf>,
}

impl FrontendArgs {
    /// The two files of Charon's that are compared in place of sources.
    pub fn files(&self) -> Option<(&Utf8Path, &Utf8Path)> {
        match self.from_llbc.as_slice() {
            [old, new] => Some((old, new)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Frontend {
    /// Charon if a supported version is installed, else rustc
    #[default]
    Auto,
    /// The MIR that the stock compiler prints
    Rustc,
    /// Charon (from the PATH, or named by CHARON)
    Charon,
}
