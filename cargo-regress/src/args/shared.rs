//! What several commands take: packages, how they are built, how hard to look.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use crate::harness::Limits;

/// Which packages, with which features.
#[derive(Args, Clone, Debug, Default)]
pub struct PackageArgs {
    #[command(flatten, next_help_heading = "Packages")]
    pub manifest: clap_cargo::Manifest,

    #[command(flatten, next_help_heading = "Packages")]
    pub workspace: clap_cargo::Workspace,

    #[command(flatten, next_help_heading = "Packages")]
    pub features: clap_cargo::Features,

    /// Ignore configuration files and CARGO_REGRESS_* variables
    #[arg(long, help_heading = "Packages")]
    pub no_config: bool,
}

impl PackageArgs {
    /// The manifest of the package whose configuration holds, if it is named; none if no configuration does.
    pub fn configuration(&self) -> Option<Option<&Path>> {
        (!self.no_config).then_some(self.manifest.manifest_path.as_deref())
    }
}

/// Handed on to cargo.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Build")]
pub struct BuildArgs {
    /// Require that Cargo.lock is up to date
    #[arg(long)]
    pub locked: bool,

    /// Run without accessing the network
    #[arg(long)]
    pub offline: bool,

    /// The same as --locked and --offline
    #[arg(long)]
    pub frozen: bool,

    /// Target directory; files of this command go into its `regress/`
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<Utf8PathBuf>,

    /// Compare under the release profile: unless it says otherwise, arithmetic wraps and debug assertions are off
    #[arg(short, long)]
    pub release: bool,

    /// Number of parallel jobs; as many as there are cores by default, and never more than a jobserver allows
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroU32>,
}

/// How hard to look.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// How inputs are partitioned
    #[arg(long, value_enum, default_value_t = Strategy::Rsc)]
    pub strategy: Strategy,

    /// Time limit of one function in seconds
    #[arg(long, value_name = "SECS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,

    /// Time limit of one native call in seconds, fractions allowed; a call counts as endless after ten times as long [default: a twentieth of
    /// --timeout, and at most 0.5]
    #[arg(long, value_name = "SECS", value_parser = call_timeout)]
    pub call_timeout: Option<Duration>,

    /// Most elements of one input sequence (string, slice, `Vec`)
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub max_len: u64,

    /// Most iterations of one loop that depends on the input
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    pub unwind: u64,

    /// Assume that no overflow, bounds or other language check fails
    #[arg(long)]
    pub assume_no_panic: bool,

    /// Number of native runs on random inputs before the search; 0 skips them
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub random_runs: u64,

    /// Whether functions for which neither random runs nor the search found a difference are fuzzed, guided by coverage
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Fuzz::On)]
    pub fuzz: Fuzz,

    /// Whether the calls that tests make are run in both versions and searched from, where functions stay open: tests are built and run for that
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = TestCalls::On)]
    pub test_calls: TestCalls,

    /// Whether functions are first looked at for taking the same steps in both versions, which proves them equal without a search
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Discharge::On)]
    pub discharge: Discharge,

    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl SearchArgs {
    pub fn function_budget(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// What one native call may take.
    pub fn call_limits(&self) -> Limits {
        let call = self.call_timeout.unwrap_or((self.function_budget() / CALLS).min(LONGEST_CALL));
        Limits { call, ..Limits::default() }
    }
}

/// A call that does not end is waited for ten times as long as others: that is half of the function's time.
const CALLS: u32 = 20;
/// What a native call may take, unless the user says more.
const LONGEST_CALL: Duration = Duration::from_millis(500);

/// What a native call may be given at least and at most, in seconds. A shorter one would end before the process is asked.
pub const CALL_TIMEOUT: (f64, f64) = (0.01, 3600.0);

fn call_timeout(text: &str) -> Result<Duration, String> {
    let (least, most) = CALL_TIMEOUT;
    match text.parse::<f64>() {
        Ok(seconds) if (least..=most).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("a number from {least} to {most} is expected")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fuzz {
    /// What is not proved equal on every input
    On,
    /// Nothing
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestCalls {
    /// Those of the new version, if time is left to build its tests
    On,
    /// Those that earlier runs know: no tests are built
    Known,
    /// None
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Discharge {
    /// All whose bodies differ
    On,
    /// None: for comparison, and for counts of partitions
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Strategy {
    /// By relevant slice conditions: one partition per way to compute the output
    Rsc,
    /// By path conditions: one partition per path (slower; for comparison)
    Dart,
}
