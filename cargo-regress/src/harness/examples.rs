//! The examples in a library's documentation, which rustdoc runs as tests.
//!
//! rustdoc names an example by where it stands: `src/lib.rs - parse (line 12)`. Lines move from version to version, so an
//! example is known by its item and its text. What rustdoc is asked to run is taken apart at spaces; it is given the end of the
//! name, and of what it says the lines of this example are read.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::build::cargo_command;
use super::commands::{Kill, output_within};
use super::request::{HarnessError, HarnessRequest, Target};
use super::testing::{TestEnd, message, place};

/// An example, whatever line it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// File and path, as rustdoc has them: `src/lib.rs - parse`.
    pub item: String,
    pub text: String,
}

/// The examples of the library in a copy, with their names. None if there is no library, or one that does not build.
pub fn list(
    request: &HarnessRequest,
    copy: &Utf8Path,
) -> Result<Option<Vec<(String, Example)>>, HarnessError> {
    if request.target != Target::Lib {
        return Ok(None);
    }
    let mut command = rustdoc(request, copy, &["--list"])?;
    let output =
        command.output().map_err(|source| HarnessError::Spawn { program: "cargo".into(), source })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    let listed = names.filter_map(|name| Some((name.to_owned(), example(request, copy, name)?)));
    Ok(output.status.success().then(|| listed.collect()))
}

/// The names of the examples that fail when all are run; those of a library that does not build do not. None if time runs out.
pub fn failing(
    request: &HarnessRequest,
    copy: &Utf8Path,
    limit: Duration,
) -> Result<Option<BTreeSet<String>>, HarnessError> {
    if request.target != Target::Lib {
        return Ok(Some(BTreeSet::new()));
    }
    let ended = output_within(rustdoc(request, copy, &[])?, limit, Kill::All)?;
    let Some((_, text)) = ended else { return Ok(None) };
    let failed = text.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    Ok(Some(failed.filter_map(|shown| Some(shown[..=shown.rfind(')')?].to_owned())).collect()))
}

/// Runs one example of a copy. None if its library does not build.
pub fn run(
    request: &HarnessRequest,
    copy: &Utf8Path,
    example: &Example,
    env: &[(&str, &str)],
    limit: Duration,
) -> Result<Option<TestEnd>, HarnessError> {
    let Some(listed) = list(request, copy)? else { return Ok(None) };
    let Some((name, _)) = listed.iter().find(|(_, listed)| listed == example) else {
        return Ok(Some(TestEnd::Absent));
    };
    let mut command = rustdoc(request, copy, &[end_of(name)])?;
    command.envs(env.iter().copied());
    Ok(Some(match output_within(command, limit, Kill::All)? {
        Some((_, text)) => read(&text, name),
        None => TestEnd::Hung,
    }))
}

/// The last word of a name: `12)`.
fn end_of(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

/// What rustdoc said of an example.
fn read(text: &str, name: &str) -> TestEnd {
    let is_of_it = |line: &&str| line.strip_prefix("test ").is_some_and(|rest| rest.starts_with(name));
    match text.lines().find(is_of_it).and_then(|line| line.rsplit_once(" ... ")) {
        Some((_, "ok")) => TestEnd::Passed,
        Some((_, "FAILED")) => {
            let head = format!("---- {name} stdout ----");
            let own = text.split_once(&head).map_or("", |(_, rest)| rest);
            let own = own.split("\n---- ").next().unwrap_or(own);
            let refused = own.lines().find(|line| line.starts_with("error"));
            match (own.contains(" panicked at "), refused) {
                // The files of examples are rustdoc's own.
                (true, _) => TestEnd::Failed {
                    message: message(own),
                    place: place(own).filter(|(file, _)| Utf8Path::new(file).is_relative()),
                },
                (false, Some(error)) => TestEnd::Failed { message: error.to_owned(), place: None },
                (false, None) => TestEnd::Failed { message: message(own), place: None },
            }
        }
        _ => TestEnd::Absent,
    }
}

/// The example of this name, read where it stands.
fn example(request: &HarnessRequest, copy: &Utf8Path, name: &str) -> Option<Example> {
    let (item, line) = name.strip_suffix(')')?.rsplit_once(" (line ")?;
    let (file, _) = item.split_once(" - ")?;
    let beside = request.manifest.parent().map(Utf8Path::to_owned).unwrap_or_default();
    let mut homes =
        [request.workspace_dir.clone(), beside].into_iter().map(|home| copy.join(home).join(file));
    let text = homes.find_map(|path: Utf8PathBuf| fs::read_to_string(path).ok())?;
    Some(Example { item: item.to_owned(), text: code(&text, line.parse().ok()?) })
}

/// The lines between the fence that opens an example and the one that closes it, without the signs of comments. What they say of how
/// it is to be run belongs to it.
fn code(text: &str, fence: usize) -> String {
    let bare = |line: &str| {
        let line = line.trim_start();
        let line = ["///", "//!", "*"].iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line);
        line.trim().to_owned()
    };
    let mut lines = text.lines().skip(fence.saturating_sub(1)).map(bare);
    let opening = lines.next().unwrap_or_default();
    let is_fence = |line: &String| line.starts_with("```") || line.starts_with("~~~");
    let all: Vec<String> = std::iter::once(opening).chain(lines.take_while(|line| !is_fence(line))).collect();
    all.join("\n")
}

/// The command by which cargo has rustdoc test the library of a copy.
fn rustdoc(request: &HarnessRequest, copy: &Utf8Path, words: &[&str]) -> Result<Command, HarnessError> {
    let lean = [("CARGO_PROFILE_DEV_DEBUG", "false")];
    let mut command =
        cargo_command(request, copy, &["test", "--doc", "--package", &request.package], &[], &lean)?;
    command.arg("--").args(words);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_what_stands_between_the_fences() {
        let text =
            "/// It halves.\n///\n/// ```should_panic\n/// # use a::f;\n///  f(1);\n/// ```\npub fn f() {}\n";
        assert_eq!(code(text, 3), "```should_panic\n# use a::f;\nf(1);");
        assert_eq!(code("//! ```\n//! f(2);\n//! ```\n", 1), "```\nf(2);");
    }

    #[test]
    fn of_what_rustdoc_says_the_lines_of_one_example_count() {
        let text = "running 3 tests\ntest src/lib.rs - f (line 2) ... ok\ntest src/lib.rs - g (line 12) - should panic ... ok\n\
                    test src/lib.rs - g (line 22) ... FAILED\n\nfailures:\n\n---- src/lib.rs - g (line 22) stdout ----\n\
                    Test executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' (7) panicked at /elsewhere/x.rs:4:1:\n\
                    assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with\n";
        assert_eq!(read(text, "src/lib.rs - f (line 2)"), TestEnd::Passed);
        assert_eq!(read(text, "src/lib.rs - g (line 12)"), TestEnd::Passed);
        assert_eq!(read(text, "src/lib.rs - h (line 2)"), TestEnd::Absent);
        let message = "assertion `left == right` failed;   left: 1;  right: 2".to_owned();
        assert_eq!(read(text, "src/lib.rs - g (line 22)"), TestEnd::Failed { message, place: None });
        assert_eq!(end_of("src/lib.rs - g (line 22)"), "22)");
    }
}
