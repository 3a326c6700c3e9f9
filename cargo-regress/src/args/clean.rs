//! Taking back what runs have left.

use camino::Utf8PathBuf;
use clap::Parser;

/// Removes the files of earlier runs: `regress/` in the target directory. The next run builds everything again.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress clean", bin_name = "cargo regress clean")]
pub struct CleanOptions {
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,

    /// Target directory; files of this command go into its `regress/`
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<Utf8PathBuf>,
}
