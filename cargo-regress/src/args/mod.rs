//! The command line.
//!
//! Cargo starts a subcommand as `cargo-regress regress ARGUMENTS…`; the word `regress` is optional here, so that
//! `cargo-regress ARGUMENTS…` does the same. Flags that cargo has too are spelled as cargo spells them.
//!
//! * [`compare`], [`ci`], [`explore`], [`localize`], [`bisect`], [`affected`], [`accept`], [`serve`], [`watch`], [`hook`], [`config`],
//!   [`install`], [`clean`], [`sharding`]: one file per command
//! * [`shared`], [`output`], [`reports`], [`artefacts`]: what several of them take, and what they leave behind
//! * [`defaults`]: what options are that the command line leaves open

pub mod accept;
pub mod affected;
pub mod artefacts;
pub mod bisect;
pub mod ci;
pub mod clean;
pub mod compare;
pub mod config;
pub mod defaults;
pub mod explore;
pub mod hook;
pub mod install;
pub mod localize;
pub mod output;
pub mod reports;
pub mod serve;
pub mod sharding;
pub mod shared;
#[cfg(test)]
mod tests;
pub mod watch;

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};

pub use accept::AcceptOptions;
pub use affected::{AffectedFormat, AffectedTestsOptions, Runner};
use defaults::{Defaults, parse_as};

pub use artefacts::{Annotations, ArtefactArgs};
pub use bisect::BisectOptions;
pub use ci::CiOptions;
pub use clean::CleanOptions;
pub use compare::{
    BudgetArgs, ComparisonArgs, Direction, Frontend, FrontendArgs, Merged, MergedArgs, Options,
};
pub use config::{ConfigAction, ConfigOptions};
pub use explore::ExploreOptions;
pub use hook::{HookAction, HookChoice, HookName, HookOptions, HookPlace, HookRunOptions};
pub use install::{CompletionsOptions, ManOptions, SetupOptions};
pub use localize::{LocalizeOptions, With};
pub use output::{Color, FailOn, OutputArgs};
pub use reports::{MessageFormat, ReportRequest, Reports};
pub use serve::ServeOptions;
pub use sharding::{MergeOptions, Part, PartArgs};
pub use shared::{BuildArgs, CALL_TIMEOUT, Discharge, Fuzz, PackageArgs, SearchArgs, Strategy, TestCalls};
pub use watch::WatchOptions;

/// What the command is to do.
#[derive(Clone, Debug)]
pub enum Request {
    Compare(Box<Options>),
    Explore(Box<ExploreOptions>),
    Localize(Box<LocalizeOptions>),
    Bisect(Box<BisectOptions>),
    AffectedTests(Box<AffectedTestsOptions>),
    Accept(Box<AcceptOptions>),
    Merge(Box<MergeOptions>),
    Ci(Box<CiOptions>),
    Serve(Box<ServeOptions>),
    Watch(Box<WatchOptions>),
    Hook(Box<HookOptions>),
    Config(Box<ConfigOptions>),
    Clean(Box<CleanOptions>),
    Setup,
    Completions(CompletionsOptions),
    Man(ManOptions),
}

/// Parses the arguments of the process, program name first.
///
/// The first word may name a command. A branch of that name is `heads/explore`.
pub fn request(
    arguments: impl IntoIterator<Item = OsString>,
    defaults: &Defaults,
) -> Result<Request, clap::Error> {
    let mut arguments = without_subcommand(arguments);
    let word = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    let mut further = || {
        arguments.remove(1);
        arguments.clone()
    };
    let request = match word.as_str() {
        "explore" => Request::Explore(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "localize" => Request::Localize(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "bisect" => Request::Bisect(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "affected-tests" => Request::AffectedTests(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "accept" => Request::Accept(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "merge" => Request::Merge(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "ci" => Request::Ci(Box::new(parse_as(&further(), &defaults.comparison)?)),
        "hook" => Request::Hook(Box::new(parse_hook(&further(), defaults)?)),
        "serve" => Request::Serve(Box::new(ServeOptions::try_parse_from(further())?)),
        "watch" => Request::Watch(Box::new(parse_watch(&further(), defaults)?)),
        "setup" => SetupOptions::try_parse_from(further()).map(|_| Request::Setup)?,
        "completions" => Request::Completions(CompletionsOptions::try_parse_from(further())?),
        "man" => Request::Man(ManOptions::try_parse_from(further())?),
        "config" => Request::Config(Box::new(ConfigOptions::try_parse_from(further())?)),
        "clean" => Request::Clean(Box::new(CleanOptions::try_parse_from(further())?)),
        _ => Request::Compare(Box::new(parse_as(&arguments, &defaults.comparison)?)),
    };
    request.only_has_formats_that_fit()?;
    Ok(request)
}

/// The options of the hook itself are those of its subcommand.
fn parse_hook(words: &[OsString], defaults: &Defaults) -> Result<HookOptions, clap::Error> {
    let given = HookOptions::command().try_get_matches_from(words)?;
    let mut command = HookOptions::command();
    if let Some(("run", given)) = given.subcommand() {
        command = command.mut_subcommand("run", |run| defaults::onto(run, &defaults.hook, given));
    }
    HookOptions::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// What the comparisons are given is what the user wrote.
fn parse_watch(words: &[OsString], defaults: &Defaults) -> Result<WatchOptions, clap::Error> {
    let options: WatchOptions = parse_as(words, &defaults.comparison)?;
    Ok(WatchOptions { words: words.iter().skip(1).cloned().collect(), ..options })
}

impl Request {
    /// Most forms are those of findings; what is no comparison has none.
    fn only_has_formats_that_fit(&self) -> Result<(), clap::Error> {
        if let Request::Accept(options) = self
            && options.output.reports != Reports::default()
        {
            let message = "`accept` tells which entries it writes, not a report; leave out --message-format and --output-path";
            return Err(AcceptOptions::command().error(ErrorKind::ArgumentConflict, message));
        }
        let (output, mut command) = match self {
            Request::Explore(options) => (&options.output, ExploreOptions::command()),
            Request::Localize(options) => (&options.output, LocalizeOptions::command()),
            Request::Bisect(options) => (&options.output, BisectOptions::command()),
            Request::Compare(options) if options.artefacts.list || options.merged.asked().is_some() => {
                (&options.output, Options::command())
            }
            Request::Merge(options) if options.artefacts.list => (&options.output, MergeOptions::command()),
            Request::Ci(options) if options.artefacts.list => (&options.output, CiOptions::command()),
            _ => return Ok(()),
        };
        let has_other =
            |request: &ReportRequest| !matches!(request.format, MessageFormat::Human | MessageFormat::Json);
        if output.reports.requests.iter().any(has_other) {
            let message = "this can be shown as `human` or `json` only";
            return Err(command.error(ErrorKind::InvalidValue, message));
        }
        Ok(())
    }

    /// The manifest of the package whose configuration holds, if it is named; none if no configuration does.
    pub fn configuration(&self) -> Option<Option<&Path>> {
        match self {
            Request::Compare(options) => options.packages.configuration(),
            Request::Explore(options) => options.packages.configuration(),
            Request::Localize(options) => options.packages.configuration(),
            Request::Bisect(options) => options.packages.configuration(),
            Request::AffectedTests(options) => options.packages.configuration(),
            Request::Accept(options) => options.packages.configuration(),
            Request::Merge(options) => options.packages.configuration(),
            Request::Ci(options) => options.packages.configuration(),
            Request::Watch(options) => options.packages.configuration(),
            Request::Hook(options) => match &options.action {
                HookAction::Run(run) if !run.no_config => Some(run.manifest_path()),
                _ => None,
            },
            Request::Config(_)
            | Request::Serve(_)
            | Request::Setup
            | Request::Completions(_)
            | Request::Man(_)
            | Request::Clean(_) => None,
        }
    }
}

/// Parses the arguments of a comparison, program name first, whatever is configured.
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
