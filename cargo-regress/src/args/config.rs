//! What is configured.

use clap::{Parser, Subcommand};

/// Shows what configuration files and the environment set, and what may stand in such a file.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress config", bin_name = "cargo regress config")]
pub struct ConfigOptions {
    #[command(subcommand)]
    pub action: ConfigAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum ConfigAction {
    /// Print every key with what is in force and where that comes from
    Show {
        #[command(flatten)]
        manifest: clap_cargo::Manifest,
    },
    /// Print a JSON schema of the configuration file
    Schema,
}
