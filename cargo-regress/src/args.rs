//! The command line.
//!
//! Cargo starts a subcommand as `cargo-regress regress ARGUMENTS…`; the word `regress` is optional here, so that
//! `cargo-regress ARGUMENTS…` does the same. Flags that cargo has too are spelled as cargo spells them.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{ArgAction, Args, Parser, ValueEnum};

/// Tells what a change did to the meaning of a Rust crate.
///
/// Without REV, uncommitted changes are compared with HEAD; if there are none, HEAD is compared with HEAD~1.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress", bin_name = "cargo regress", version, after_help = EXIT_CODES)]
pub struct Options {
    #[command(flatten)]
    pub comparison: ComparisonArgs,

    #[command(flatten, next_help_heading = "Packages")]
    pub manifest: clap_cargo::Manifest,

    #[command(flatten, next_help_heading = "Packages")]
    pub workspace: clap_cargo::Workspace,

    #[command(flatten, next_help_heading = "Packages")]
    pub features: clap_cargo::Features,

    #[command(flatten)]
    pub frontend: FrontendArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    nothing to report
  100  something was found that --fail-on asks for
  101  the comparison could not be completed
  2    the command line is wrong

`cargo regress explore PATH` shows what one function does, partition by partition; `cargo regress localize` names the lines
behind a failing test or call. See `--help` of each.";

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

    #[command(flatten, next_help_heading = "Packages")]
    pub manifest: clap_cargo::Manifest,

    #[command(flatten, next_help_heading = "Packages")]
    pub workspace: clap_cargo::Workspace,

    #[command(flatten, next_help_heading = "Packages")]
    pub features: clap_cargo::Features,

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
            comparison: ComparisonArgs::default(),
            manifest: self.manifest.clone(),
            workspace: self.workspace.clone(),
            features: self.features.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
        }
    }
}

/// Names the lines that may be to blame for a call or a test that does something else than before.
///
/// Without --call and --test all tests are run on both versions, and each that passes on the old one and fails on the new
/// one is localized.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress localize", bin_name = "cargo regress localize", after_help = LOCALIZE_EXIT_CODES)]
pub struct LocalizeOptions {
    /// A function with its arguments, as reports print them: `parse("0-")`
    #[arg(long, value_name = "CALL", conflicts_with = "test")]
    pub call: Option<String>,

    /// A test by its whole name: of the library's (`tests::signs`) or of a file under `tests/`
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,

    /// Which conditions of the runs are held against each other
    #[arg(long, value_enum, default_value_t = With::Rsc)]
    pub with: With,

    /// Seconds spent on finding the least set of hunks at most; 0 leaves it out
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    pub hunk_time: u64,

    /// Write tests of the calls that were found, with what the old version gives, to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub emit_test: Option<Utf8PathBuf>,

    /// Also print the command by which git finds the commit to blame
    #[arg(long)]
    pub emit_bisect: bool,

    #[command(flatten)]
    pub comparison: ComparisonArgs,

    #[command(flatten, next_help_heading = "Packages")]
    pub manifest: clap_cargo::Manifest,

    #[command(flatten, next_help_heading = "Packages")]
    pub workspace: clap_cargo::Workspace,

    #[command(flatten, next_help_heading = "Packages")]
    pub features: clap_cargo::Features,

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
            comparison: self.comparison.clone(),
            manifest: self.manifest.clone(),
            workspace: self.workspace.clone(),
            features: self.features.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            output: self.output.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum With {
    /// Relevant slice conditions: what the output depends on
    Rsc,
    /// Path conditions: everything that was decided
    Pc,
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

    /// Compare with the sources in DIR, which need not be a repository
    #[arg(long, value_name = "DIR", group = "baseline")]
    pub baseline_root: Option<Utf8PathBuf>,

    /// Fetch commits that are not in this clone from its remote
    #[arg(long)]
    pub fetch: bool,
}

/// Who translates the program into what is analysed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Front end")]
pub struct FrontendArgs {
    /// Who reads the crate
    #[arg(long, value_enum, value_name = "FRONTEND", default_value_t = Frontend::Auto)]
    pub frontend: Frontend,

    /// The Charon to run; the `charon` on the PATH by default
    #[arg(long, value_name = "PROGRAM", env = "CHARON", hide_env_values = true)]
    pub charon: Option<Utf8PathBuf>,

    /// Compare two files that `charon --ullbc` wrote, without building anything
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

    /// Where cargo builds, and under which `regress/` is kept
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<Utf8PathBuf>,

    /// Compare what the release profile means: arithmetic wraps, debug assertions are off
    #[arg(short, long)]
    pub release: bool,

    /// Number of parallel jobs; as many as there are cores by default
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroU32>,
}

/// How hard to look.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// What partitions the inputs: relevant slice conditions or whole path conditions
    #[arg(long, value_enum, default_value_t = Strategy::Rsc)]
    pub strategy: Strategy,

    /// Seconds spent on one function at most
    #[arg(long, value_name = "SECS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,

    /// Elements in one input sequence at most
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub max_len: u64,

    /// Rounds of one loop at most
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    pub unwind: u64,

    /// Take it that no overflow, bounds or other check of the language ever fails
    #[arg(long)]
    pub assume_no_panic: bool,

    /// Native runs on random inputs before the search; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub random_runs: u64,

    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl SearchArgs {
    pub fn function_budget(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// What is shown, and what makes the command fail.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Form of the report on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// The least finding that makes the exit code 100
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::Regression)]
    pub fail_on: FailOn,

    /// Say more on standard error; twice for even more
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Say nothing but the report
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Coloring
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, env = "CARGO_TERM_COLOR", hide_env = true)]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Strategy {
    /// Relevant slice conditions: one partition per behaviour of the output
    Rsc,
    /// Path conditions: one partition per path
    Dart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Frontend {
    /// Charon if a version is installed that is known to work, else rustc
    #[default]
    Auto,
    /// The text that the stock compiler prints
    Rustc,
    /// Charon (from the PATH, or named by CHARON)
    Charon,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Human,
    Json,
}

/// Ordered: each level fails on what the one before fails on, and on more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum FailOn {
    /// Findings never change the exit code
    Never,
    /// A panic, abort or endless loop that only the new version has
    Regression,
    /// Any confirmed difference in behaviour
    Difference,
    /// Also whatever could not be shown to be equal
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// What the command is to do.
#[derive(Clone, Debug)]
pub enum Request {
    Compare(Box<Options>),
    Explore(Box<ExploreOptions>),
    Localize(Box<LocalizeOptions>),
}

/// The word that asks for an exploration instead of a comparison. A branch of this name is `heads/explore`.
const EXPLORE: &str = "explore";

/// The word that asks for the lines behind a difference. A branch of this name is `heads/localize`.
const LOCALIZE: &str = "localize";

/// Parses the arguments of the process, program name first.
pub fn request(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, clap::Error> {
    let mut arguments = without_subcommand(arguments);
    if arguments.get(1).is_some_and(|word| word == EXPLORE) {
        arguments.remove(1);
        return Ok(Request::Explore(Box::new(ExploreOptions::try_parse_from(arguments)?)));
    }
    if arguments.get(1).is_some_and(|word| word == LOCALIZE) {
        arguments.remove(1);
        return Ok(Request::Localize(Box::new(LocalizeOptions::try_parse_from(arguments)?)));
    }
    Ok(Request::Compare(Box::new(parse(arguments)?)))
}

/// Parses the arguments of a comparison, program name first.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Options, clap::Error> {
    Options::try_parse_from(without_subcommand(arguments))
}

fn without_subcommand(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|word| word == "regress") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Options, clap::Error> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[track_caller]
    fn check_revision(line: &str, expected: Option<&str>) {
        let options = parse_line(line).expect("the line parses");
        assert_eq!(options.comparison.revision.as_deref(), expected, "{line}");
    }

    #[track_caller]
    fn check_usage_error(line: &str) {
        let error = parse_line(line).expect_err("the line is refused");
        assert_eq!(error.exit_code(), 2, "{line}");
    }

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Options::command().debug_assert();
    }

    #[test]
    fn the_subcommand_word_is_optional() {
        check_revision("cargo-regress regress HEAD~2", Some("HEAD~2"));
        check_revision("cargo-regress HEAD~2", Some("HEAD~2"));
        check_revision("cargo-regress regress", None);
        check_revision("cargo-regress", None);
        check_revision("cargo-regress regress regress", Some("regress"));
    }

    #[test]
    fn a_function_can_be_explored() {
        for line in [
            "cargo-regress regress explore a::b --strategy dart",
            "cargo-regress explore a::b --strategy dart",
        ] {
            match request(line.split_whitespace().map(OsString::from)) {
                Ok(Request::Explore(options)) => {
                    assert_eq!((options.path.as_str(), options.search.strategy), ("a::b", Strategy::Dart));
                }
                other => panic!("{line}: {other:?}"),
            }
        }
        let missing =
            request(["cargo-regress", "explore"].map(OsString::from)).expect_err("a path is needed");
        assert_eq!(missing.exit_code(), 2);
        let branch = request(["cargo-regress", "regress", "heads/explore"].map(OsString::from));
        assert!(matches!(branch, Ok(Request::Compare(_))), "{branch:?}");
    }

    #[test]
    fn a_call_or_a_test_can_be_localized() {
        let parsed = |words: &[&str]| request(words.iter().map(OsString::from));
        match parsed(&[
            "cargo-regress",
            "regress",
            "localize",
            "--call",
            "a::b(1, -2)",
            "HEAD~3",
            "--with",
            "pc",
        ]) {
            Ok(Request::Localize(options)) => {
                assert_eq!((options.call.as_deref(), options.with), (Some("a::b(1, -2)"), With::Pc));
                assert_eq!(options.options().comparison.revision.as_deref(), Some("HEAD~3"));
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(parsed(&["cargo-regress", "localize"]), Ok(Request::Localize(_))));
        assert!(matches!(parsed(&["cargo-regress", "heads/localize"]), Ok(Request::Compare(_))));
        let both = parsed(&["cargo-regress", "localize", "--call", "f()", "--test", "t"]);
        assert_eq!(both.expect_err("one of them").exit_code(), 2);
    }

    #[test]
    fn documented_defaults() {
        let options = parse_line("cargo-regress regress").expect("no arguments are fine");
        assert_eq!(options.search.timeout, 10);
        assert_eq!(options.search.max_len, 8);
        assert_eq!(options.search.unwind, 64);
        assert_eq!(options.search.random_runs, 1000);
        assert_eq!(options.search.strategy, Strategy::Rsc);
        assert_eq!(options.output.fail_on, FailOn::Regression);
        assert_eq!(options.output.message_format, MessageFormat::Human);
    }

    #[test]
    fn cargo_flags_are_understood() {
        let options = parse_line(
            "cargo-regress regress A..B -p one -p two --exclude three -F x,y --no-default-features \
             --manifest-path sub/Cargo.toml --frozen --target-dir out --release -j 2 -v",
        )
        .expect("the line parses");
        assert_eq!(options.workspace.package, ["one", "two"]);
        assert_eq!(options.workspace.exclude, ["three"]);
        assert_eq!(options.manifest.manifest_path.as_deref(), Some("sub/Cargo.toml".as_ref()));
        assert!(options.features.no_default_features && options.build.frozen && options.build.release);
        assert_eq!(options.build.jobs, NonZeroU32::new(2));
        assert_eq!(options.output.verbose, 1);
    }

    #[test]
    fn at_most_one_baseline() {
        check_usage_error("cargo-regress HEAD~1 --merge-base main");
        check_usage_error("cargo-regress --baseline-root old --merge-base main");
        check_usage_error("cargo-regress one two");
    }

    #[test]
    fn two_files_take_the_place_of_versions() {
        let options = parse_line("cargo-regress --from-llbc a.ullbc b.ullbc").expect("the line parses");
        assert_eq!(options.frontend.files(), Some(("a.ullbc".into(), "b.ullbc".into())));
        assert_eq!(options.frontend.frontend, Frontend::Auto);
        check_usage_error("cargo-regress --from-llbc a.ullbc");
        check_usage_error("cargo-regress HEAD~1 --from-llbc a.ullbc b.ullbc");
        check_usage_error("cargo-regress --frontend charon --from-llbc a.ullbc b.ullbc");
    }

    #[test]
    fn senseless_values_are_refused() {
        check_usage_error("cargo-regress --timeout 0");
        check_usage_error("cargo-regress -j 0");
        check_usage_error("cargo-regress --strategy magic");
        check_usage_error("cargo-regress --fail-on sometimes");
        check_usage_error("cargo-regress -q -v");
        check_usage_error("cargo-regress --no-such-flag");
    }
}
