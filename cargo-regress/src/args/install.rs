//! What belongs to an installation: whether the machine has all that is needed, completions, manual pages.

use camino::Utf8PathBuf;
use clap::{Command, CommandFactory, Parser};

use super::{
    AcceptOptions, AffectedTestsOptions, BisectOptions, CiOptions, CleanOptions, ConfigOptions,
    ExploreOptions, HookOptions, LocalizeOptions, MergeOptions, Options, ServeOptions, WatchOptions,
};

/// Checks whether this machine has what the command needs, and prints what is missing.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress setup", bin_name = "cargo regress setup", after_help = SETUP_EXIT_CODES)]
pub struct SetupOptions {}

const SETUP_EXIT_CODES: &str = "\
Exit codes:
  0    all that is needed is there
  101  something that is needed is missing";

/// Prints a completion script for a shell.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress completions", bin_name = "cargo regress completions")]
pub struct CompletionsOptions {
    /// Shell to complete for
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Writes the manual pages into a directory.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress man", bin_name = "cargo regress man")]
pub struct ManOptions {
    /// Existing directory to write to
    #[arg(value_name = "DIR")]
    pub directory: Utf8PathBuf,
}

/// All commands as one, for completions and manual pages. It is not parsed with: without a word that names a command, the first
/// word is a revision.
pub fn tree() -> Command {
    let commands = [
        ("explore", ExploreOptions::command()),
        ("localize", LocalizeOptions::command()),
        ("bisect", BisectOptions::command()),
        ("affected-tests", AffectedTestsOptions::command()),
        ("accept", AcceptOptions::command()),
        ("merge", MergeOptions::command()),
        ("ci", CiOptions::command()),
        ("serve", ServeOptions::command()),
        ("watch", WatchOptions::command()),
        ("hook", HookOptions::command()),
        ("config", ConfigOptions::command()),
        ("clean", CleanOptions::command()),
        ("setup", SetupOptions::command()),
        ("completions", CompletionsOptions::command()),
        ("man", ManOptions::command()),
    ];
    let named = |(name, command): (&'static str, Command)| {
        command.name(name).bin_name(format!("cargo-regress {name}"))
    };
    Options::command()
        .bin_name("cargo-regress")
        .subcommands(commands.map(named))
        .disable_help_subcommand(true)
}
