//! What a comparison leaves behind or tells beside its reports.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct ArtefactArgs {
    /// Write a page for the browser to DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub html: Option<Utf8PathBuf>,

    /// Compare anew, even if nothing has changed since an earlier run
    #[arg(long)]
    pub fresh: bool,

    /// Only list the functions and how each changed; nothing is executed
    #[arg(long, conflicts_with_all = ["html", "stats", "emit_tests"])]
    pub list: bool,

    /// Say on standard error where the time went, and in the JSON document
    #[arg(long)]
    pub stats: bool,

    /// Write tests for confirmed differences to DIR, a file for each function, and inputs for a fuzzer to DIR/corpus
    #[arg(long, value_name = "DIR")]
    pub emit_tests: Option<Utf8PathBuf>,

    /// Explain a kind of finding (`REG0001`) and do nothing else
    #[arg(long, value_name = "ID")]
    pub explain: Option<String>,

    /// Whether GitHub Actions is shown annotations and a summary, where it runs this
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Annotations::Auto)]
    pub annotations: Annotations,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Annotations {
    /// Where GITHUB_ACTIONS is `true`
    #[default]
    Auto,
    Never,
}
