//! The command line.
//!
//! Cargo starts a subcommand as `cargo-regress regress ARGUMENTS…`; the word `regress` is optional here, so that
//! `cargo-regress ARGUMENTS…` does the same. Flags that cargo has too are spelled as cargo spells them.
//!
//! * [`compare`], [`explore`], [`localize`], [`hook`]: one file per command
//! * [`shared`], [`output`]: what several of them take

pub mod compare;
pub mod explore;
pub mod hook;
pub mod localize;
pub mod output;
pub mod shared;
#[cfg(test)]
mod tests;

use std::ffi::OsString;

use clap::Parser;

pub use compare::{BudgetArgs, ComparisonArgs, Frontend, FrontendArgs, Options};
pub use explore::ExploreOptions;
pub use hook::{HookAction, HookName, HookOptions, HookPlace, HookRunOptions};
pub use localize::{LocalizeOptions, With};
pub use output::{Color, FailOn, MessageFormat, OutputArgs};
pub use shared::{BuildArgs, PackageArgs, SearchArgs, Strategy};

/// What the command is to do.
#[derive(Clone, Debug)]
pub enum Request {
    Compare(Box<Options>),
    Explore(Box<ExploreOptions>),
    Localize(Box<LocalizeOptions>),
    Hook(Box<HookOptions>),
}

/// Parses the arguments of the process, program name first.
///
/// The first word may name a command. A branch of that name is `heads/explore`.
pub fn request(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, clap::Error> {
    let mut arguments = without_subcommand(arguments);
    let word = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    let mut further = || {
        arguments.remove(1);
        arguments.clone()
    };
    Ok(match word.as_str() {
        "explore" => Request::Explore(Box::new(ExploreOptions::try_parse_from(further())?)),
        "localize" => Request::Localize(Box::new(LocalizeOptions::try_parse_from(further())?)),
        "hook" => Request::Hook(Box::new(HookOptions::try_parse_from(further())?)),
        _ => Request::Compare(Box::new(parse(arguments)?)),
    })
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
