//! Taking back what runs have left.

use camino::Utf8PathBuf;
use clap::Parser;

/// Removes what runs have built and kept: `regress/` in the target directory. The next run builds everything anew.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress clean", bin_name = "cargo regress clean")]
pub struct CleanOptions {
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,

    /// Where cargo builds, and under which `regress/` is kept
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<Utf8PathBuf>,
}
