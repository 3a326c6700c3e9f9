//! What a comparison leaves behind or tells beside its reports.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct ArtefactArgs {
    /// Write an HTML page to DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub html: Option<Utf8PathBuf>,

    /// Ignore cached results of earlier runs
    #[arg(long)]
    pub fresh: bool,

    /// List the functions and how each changed, without executing anything
    #[arg(long, conflicts_with_all = ["html", "stats", "emit_tests", "emit_proptest", "emit_kani"])]
    pub list: bool,

    /// Print where the time went to standard error and into the JSON report
    #[arg(long)]
    pub stats: bool,

    /// Write tests for confirmed differences to DIR, one file per function, and inputs for a fuzzer to DIR/corpus
    #[arg(long, value_name = "DIR")]
    pub emit_tests: Option<Utf8PathBuf>,

    /// Write a crate to DIR, which is new or empty, with a proptest for each function that may have changed: it calls both versions
    #[arg(long, value_name = "DIR")]
    pub emit_proptest: Option<Utf8PathBuf>,

    /// Write a crate to DIR, which is new or empty, with a Kani proof for each function that may have changed: it calls both versions
    #[arg(long, value_name = "DIR")]
    pub emit_kani: Option<Utf8PathBuf>,

    /// Explain a kind of finding (`REG0001`) and exit
    #[arg(long, value_name = "ID")]
    pub explain: Option<String>,

    /// Whether to print annotations and a summary for GitHub Actions
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Annotations::Auto)]
    pub annotations: Annotations,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Annotations {
    /// If GITHUB_ACTIONS is `true`
    #[default]
    Auto,
    Never,
}
