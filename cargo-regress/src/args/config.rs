//! What is configured.

use clap::{Parser, Subcommand};

/// Shows the configuration: what files and the environment set, and which keys there are.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress config", bin_name = "cargo regress config")]
pub struct ConfigOptions {
    #[command(subcommand)]
    pub action: ConfigAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum ConfigAction {
    /// Print each key with its value and where the value comes from
    Show {
        #[command(flatten)]
        manifest: clap_cargo::Manifest,
    },
    /// Print a JSON schema of the configuration file
    Schema,
}
