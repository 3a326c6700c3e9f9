//! What options are taken to be that the command line does not give.
//!
//! A configuration stands in for the defaults that the options are declared with, so the command line wins over it, and
//! its values go through the same parsers. Some options only mean something together: if the command line gives one of
//! such a group, the configuration has no say in the others.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Parser};

/// Options of which one decides on the others.
pub const GROUPS: [&[&str]; 2] =
    [&["features", "all-features", "no-default-features"], &["package", "workspace", "exclude", "all"]];

/// Values by the long names of options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub comparison: Vec<(&'static str, Vec<String>)>,
    pub hook: Vec<(&'static str, Vec<String>)>,
}

/// Parses the words, program name first.
pub fn parse_as<P: Parser>(
    words: &[std::ffi::OsString],
    defaults: &[(&'static str, Vec<String>)],
) -> Result<P, clap::Error> {
    let given = P::command().try_get_matches_from(words)?;
    let command = onto(P::command(), defaults, &given);
    P::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// The command with these defaults in place of its own, as far as it has such options.
pub fn onto(mut command: Command, defaults: &[(&'static str, Vec<String>)], given: &ArgMatches) -> Command {
    for (name, values) in defaults {
        let Some(id) = id_of(&command, name) else { continue };
        if !is_decided(&command, name, given) {
            command = command.mut_arg(id, |argument| argument.default_values(values.clone()));
        }
    }
    command
}

/// Whether the command line gives another option of the group that this one is in.
fn is_decided(command: &Command, name: &str, given: &ArgMatches) -> bool {
    let group = GROUPS.iter().find(|group| group.contains(&name));
    group.into_iter().copied().flatten().any(|member| {
        id_of(command, member).is_some_and(|id| given.value_source(&id) == Some(ValueSource::CommandLine))
    })
}

fn id_of(command: &Command, name: &str) -> Option<String> {
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(name))?;
    Some(argument.get_id().to_string())
}
