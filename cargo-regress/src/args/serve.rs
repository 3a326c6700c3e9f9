//! A server for coding agents.

use camino::Utf8PathBuf;
use clap::Parser;

/// Answers a coding agent: a server of the Model Context Protocol over standard input and output.
///
/// Clients start it within a package, or name one by --manifest-path. It compares one request at a time, ends a comparison that is
/// cancelled, and writes nothing but `regress/` in the target directory. It ends with its standard input.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress serve", bin_name = "cargo regress serve")]
pub struct ServeOptions {
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,

    /// Target directory; files of this command go into its `regress/`
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<Utf8PathBuf>,
}
