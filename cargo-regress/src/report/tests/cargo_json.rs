//! The lines that cargo would write, read by the crate that reads cargo's.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{CompilerMessage, Message, MetadataCommand};
use regress_core::verdict::Version;

use crate::args::FailOn;
use crate::report::cargo_json::{AtHand, render};
use crate::report::testing::{NEW_SOURCE, OLD_SOURCE, accepted, nasty, one_of_each, report};
use crate::report::{Report, Sources};

/// Both versions of `src/lib.rs`.
struct Both<'a>(&'a str);

impl Sources for Both<'_> {
    fn text(&self, version: Version, file: &str) -> Option<String> {
        let text = if version == Version::Old { OLD_SOURCE } else { self.0 };
        (file == "src/lib.rs").then(|| text.to_owned())
    }
}

/// A workspace of the user's whose package `one` has this as its `src/lib.rs`.
fn user_has(text: &str) -> (tempfile::TempDir, Utf8PathBuf) {
    let home = tempfile::TempDir::new().expect("a temporary directory");
    let root = Utf8Path::from_path(home.path()).expect("UTF-8").canonicalize_utf8().expect("it is there");
    fs::create_dir(root.join("src")).expect("writable");
    fs::write(root.join("src/lib.rs"), text).expect("writable");
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2018\"\n[workspace]\n";
    fs::write(root.join("Cargo.toml"), manifest).expect("writable");
    (home, root)
}

/// What the crate makes of the lines: the messages, and whether the build succeeded.
fn read(report: &Report, compared: &str, user: &str, fail_on: FailOn) -> (Vec<CompilerMessage>, bool) {
    let (_home, root) = user_has(user);
    let mut command = MetadataCommand::new();
    let metadata = command.no_deps().manifest_path(root.join("Cargo.toml")).exec().expect("metadata");
    let at_hand = AtHand { workspace_root: Some(&root), packages: &metadata.packages };
    let text = render(report, &Both(compared), at_hand, fail_on).expect("it renders");
    let (messages, success) = parsed(&text);
    for message in &messages {
        assert_eq!(message.package_id, metadata.packages[0].id);
        assert_eq!(message.target, metadata.packages[0].targets[0]);
    }
    (messages, success)
}

fn parsed(text: &str) -> (Vec<CompilerMessage>, bool) {
    let mut messages = Vec::new();
    let mut finished = Vec::new();
    for message in Message::parse_stream(text.as_bytes()) {
        assert!(finished.is_empty(), "it is the last: {text}");
        match message.expect("it can be read") {
            Message::CompilerMessage(message) => messages.push(message),
            Message::BuildFinished(end) => finished.push(end.success),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(finished.len(), 1, "{text}");
    (messages, finished[0])
}

/// The characters of the file that the span names by lines and columns, which are those that it names by bytes.
#[track_caller]
fn spanned<'a>(span: &DiagnosticSpan, text: &'a str) -> &'a str {
    let by_bytes = &text[span.byte_start as usize..span.byte_end as usize];
    assert_eq!(span.line_start, span.line_end);
    let without_mark = text.trim_start_matches('\u{feff}');
    let line = without_mark.split('\n').nth(span.line_start - 1).expect("the line").trim_end_matches('\r');
    let columns = line.chars().skip(span.column_start - 1).take(span.column_end - span.column_start);
    assert_eq!(columns.collect::<String>(), by_bytes);
    let [shown] = span.text.as_slice() else { panic!("{span:?}") };
    assert_eq!(
        (shown.text.as_str(), shown.highlight_start, shown.highlight_end),
        (line, span.column_start, span.column_end)
    );
    by_bytes
}

fn names(diagnostic: &Diagnostic) -> (DiagnosticLevel, &str) {
    (diagnostic.level, diagnostic.code.as_ref().expect("a code").code.as_str())
}

fn notes(diagnostic: &Diagnostic) -> Vec<&str> {
    assert!(diagnostic.children.iter().all(|child| child.level == DiagnosticLevel::Note));
    diagnostic.children.iter().map(|child| child.message.as_str()).collect()
}

#[test]
fn regressions_are_errors_other_differences_warnings_and_nothing_else_is_told() {
    let (messages, success) = read(&one_of_each(), NEW_SOURCE, NEW_SOURCE, FailOn::Regression);
    let told: Vec<_> = messages.iter().map(|message| names(&message.message)).collect();
    use DiagnosticLevel::{Error, Warning};
    let expected = [
        (Error, "REG0001"),
        (Error, "REG0002"),
        (Error, "REG0003"),
        (Warning, "REG0005"),
        (Warning, "REG0004"),
        (Warning, "REG0006"),
    ];
    assert_eq!(told, expected);
    assert!(!success);
    for message in &messages {
        for span in &message.message.spans {
            spanned(span, NEW_SOURCE);
        }
    }
}

#[test]
fn the_most_suspect_line_is_marked_and_the_rest_told_in_notes() {
    let (messages, _) = read(&one_of_each(), NEW_SOURCE, NEW_SOURCE, FailOn::Regression);
    let first = &messages[0].message;
    assert_eq!(first.message, "`parse` panics on inputs it could take before");
    let [span] = first.spans.as_slice() else { panic!("{first:?}") };
    assert_eq!(spanned(span, NEW_SOURCE), "bytes.len() - 2");
    assert!(span.is_primary && span.label.as_ref().is_some_and(|label| label.starts_with("suspect 1: ")));
    let notes = notes(first);
    assert!(notes[0].starts_with("`parse(\"0\")` returned `Ok(1)`, now panics"), "{notes:?}");
    assert!(notes[1].starts_with("suspect 2: src/lib.rs:3 in the old version: "), "{notes:?}");
    // Nobody has this file.
    assert!(notes[2].starts_with("suspect 3: src/helper.rs:9 in the new version: "), "{notes:?}");
    let rendered = first.rendered.as_deref().expect("a text for people");
    assert!(rendered.starts_with("regression[REG0001]: `parse` panics"), "{rendered}");
    assert!(rendered.contains("--> src/lib.rs:3:15") && !rendered.contains('\u{1b}'), "{rendered}");
    // Of a function without suspects the first changed line is marked.
    let [span] = messages[1].message.spans.as_slice() else { panic!("{:?}", messages[1]) };
    assert_eq!(spanned(span, NEW_SOURCE), "let end = bytes.len() - 2;");
}

#[test]
fn bytes_and_columns_are_those_of_the_file_as_it_is() {
    // A byte order mark, ends of lines as Windows has them and characters of several bytes.
    let text =
        format!("\u{feff}{}", NEW_SOURCE.replace("    let end", "/*é∀*/let end").replace('\n', "\r\n"));
    let (messages, _) = read(&one_of_each(), &text, &text, FailOn::Regression);
    let span = &messages[0].message.spans[0];
    // The suspect is at columns 15 to 30, whatever stands there.
    let line = "/*é∀*/let end = bytes.len() - 2;";
    let meant: String = line.chars().skip(14).take(15).collect();
    assert_eq!(spanned(span, &text), meant);
    assert_eq!(spanned(&messages[1].message.spans[0], &text), line);
}

#[test]
fn what_the_user_does_not_have_is_never_marked() {
    let edited = NEW_SOURCE.replace("let end", "let last");
    let (messages, success) = read(&one_of_each(), NEW_SOURCE, &edited, FailOn::Never);
    assert_eq!(messages.len(), 6);
    assert!(success);
    for message in &messages {
        assert_eq!(message.message.spans, []);
        let place = |note: &&str| note.starts_with("it is at src/lib.rs:3 of the working tree (uncommitted");
        assert!(notes(&message.message).iter().any(place), "{message:?}");
    }
}

#[test]
fn what_is_accepted_is_no_diagnostic() {
    assert_eq!(read(&accepted(), NEW_SOURCE, NEW_SOURCE, FailOn::Regression), (Vec::new(), true));
    assert_eq!(read(&report(Vec::new()), NEW_SOURCE, NEW_SOURCE, FailOn::Unknown), (Vec::new(), true));
}

#[test]
fn a_difference_is_told_where_cargo_finds_no_workspace() {
    let at_hand = AtHand { workspace_root: None, packages: &[] };
    for report in [one_of_each(), nasty()] {
        let text = render(&report, &Both(NEW_SOURCE), at_hand, FailOn::Regression).expect("it renders");
        let (messages, _) = parsed(&text);
        assert_eq!(text.lines().count(), messages.len() + 1, "{text}");
        assert!(!messages.is_empty() && messages.iter().all(|message| message.message.spans.is_empty()));
    }
}
