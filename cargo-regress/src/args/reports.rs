//! Which reports are written where: `--message-format` and `--output-path`, in pairs.
//!
//! A path belongs to the format before it. A format without a path goes to standard output, which takes one. This needs the order of
//! the arguments, which derived parsers do not tell.

use camino::Utf8PathBuf;
use clap::builder::EnumValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people, with the lines of both versions
    Human,
    /// A line for each finding
    Short,
    /// One document for programs
    Json,
    /// Diagnostics as `cargo check` writes them, for editors
    CargoJson,
    /// SARIF 2.1.0, for code scanning services and editors
    Sarif,
    /// JUnit XML, for CI services
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// A summary for a comment or a job's page
    Markdown,
}

/// One report that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRequest {
    pub format: MessageFormat,
    /// None is standard output.
    pub path: Option<Utf8PathBuf>,
}

/// The reports that are asked for; at most one of them goes to standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reports {
    pub requests: Vec<ReportRequest>,
}

impl Default for Reports {
    fn default() -> Self {
        Reports { requests: vec![ReportRequest { format: MessageFormat::Human, path: None }] }
    }
}

impl Reports {
    /// The form of what standard output gets; none if everything goes to files.
    pub fn on_stdout(&self) -> Option<MessageFormat> {
        self.requests.iter().find(|request| request.path.is_none()).map(|request| request.format)
    }
}

const FORMAT: &str = "message_format";
const PATH: &str = "output_path";

impl Args for Reports {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new(FORMAT)
                    .long("message-format")
                    .value_name("FORMAT")
                    .value_parser(EnumValueParser::<MessageFormat>::new())
                    .action(ArgAction::Append)
                    .help(
                        "Form of the report; may be repeated, each with its --output-path [default: human]",
                    ),
            )
            .arg(
                Arg::new(PATH)
                    .long("output-path")
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(Utf8PathBuf))
                    .action(ArgAction::Append)
                    .help(
                        "Write the report of the --message-format before it to FILE, not to standard output",
                    ),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Reports {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let formats = positions::<MessageFormat>(matches, FORMAT);
        let paths = positions::<Utf8PathBuf>(matches, PATH);
        let mut requests: Vec<(usize, ReportRequest)> =
            formats.into_iter().map(|(at, format)| (at, ReportRequest { format, path: None })).collect();
        if requests.is_empty() {
            requests.push((0, ReportRequest { format: MessageFormat::Human, path: None }));
        }
        for (at, path) in paths {
            let before = requests.iter_mut().rev().find(|(of_format, _)| *of_format < at);
            match before {
                Some((_, request)) if request.path.is_none() => request.path = Some(path),
                Some(_) => {
                    return Err(refusal(&format!(
                        "`--output-path {path}` needs a --message-format of its own before it"
                    )));
                }
                None => {
                    return Err(refusal(&format!(
                        "`--output-path {path}` has to stand behind its --message-format"
                    )));
                }
            }
        }
        let mut requests: Vec<ReportRequest> = requests.into_iter().map(|(_, request)| request).collect();
        for request in &mut requests {
            request.path = request.path.take().filter(|path| path != "-");
        }
        if requests.iter().filter(|request| request.path.is_none()).count() > 1 {
            return Err(refusal(
                "only one --message-format can go to standard output; the others need an --output-path",
            ));
        }
        for (index, request) in requests.iter().enumerate() {
            if let Some(path) = &request.path
                && requests[..index].iter().any(|other| other.path.as_ref() == Some(path))
            {
                return Err(refusal(&format!("two reports cannot be written to `{path}`")));
            }
        }
        Ok(Reports { requests })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn positions<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, id: &str) -> Vec<(usize, T)> {
    let values = matches.get_many::<T>(id).into_iter().flatten().cloned();
    matches.indices_of(id).into_iter().flatten().zip(values).collect()
}

fn refusal(message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Reports, clap::Error> {
        let command = Reports::augment_args(Command::new("test"));
        let matches = command.try_get_matches_from(std::iter::once("test").chain(line.split_whitespace()))?;
        Reports::from_arg_matches(&matches)
    }

    #[track_caller]
    fn check(line: &str, expected: &[(MessageFormat, Option<&str>)]) {
        let reports = parsed(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let actual: Vec<_> = reports
            .requests
            .iter()
            .map(|request| (request.format, request.path.as_ref().map(|path| path.as_str())))
            .collect();
        assert_eq!(actual, expected, "{line}");
    }

    #[track_caller]
    fn check_refused(line: &str, words: &str) {
        let error = parsed(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}");
        assert!(error.to_string().contains(words), "{line}: {error}");
    }

    #[test]
    fn a_path_belongs_to_the_format_before_it() {
        use MessageFormat::{Human, Json, Junit, Sarif};
        check("", &[(Human, None)]);
        check("--message-format json", &[(Json, None)]);
        check("--message-format json --output-path a.json", &[(Json, Some("a.json"))]);
        check("--output-path a.txt", &[(Human, Some("a.txt"))]);
        check(
            "--message-format human --message-format sarif --output-path a --message-format junit --output-path=b",
            &[(Human, None), (Sarif, Some("a")), (Junit, Some("b"))],
        );
        check(
            "--message-format sarif --output-path a --message-format human --output-path -",
            &[(Sarif, Some("a")), (Human, None)],
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        check_refused("--message-format json --message-format sarif", "only one");
        check_refused("--message-format json --output-path - --message-format sarif", "only one");
        check_refused("--output-path a --message-format json", "behind");
        check_refused("--message-format json --output-path a --output-path b", "of its own");
        check_refused(
            "--message-format json --output-path a --message-format sarif --output-path a",
            "two reports",
        );
        check_refused("--message-format yaml", "sarif");
    }
}
