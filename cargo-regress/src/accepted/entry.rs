//! The file with expected differences, which is reviewed like code.

use camino::Utf8Path;
use serde::Deserialize;
use thiserror::Error;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use regress_core::verdict::Class;

use super::condition::Condition;
use super::ending::Change;

/// Where the file lies, from the package's directory upward.
pub const FILE: &str = ".config/regress-accepted.toml";

const HEADER: &str = "\
# Expected differences, written by `cargo regress accept` and reviewed like code.
# An entry holds until the old version has it too; remove it then.

";

/// What is wrong with the file.
#[derive(Debug, Error)]
pub enum EntryError {
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: String, source: std::io::Error },
    #[error("cannot write `{file}`: {source}")]
    Unwritable { file: String, source: std::io::Error },
    #[error("{file}:{line}: {message}")]
    Malformed { file: String, line: usize, message: String },
}

/// One expected difference.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The canonical path.
    pub function: String,
    pub change: Change,
    pub condition: Option<Condition>,
    pub reason: String,
    /// With which the version was compared when this was accepted.
    pub commit: Option<String>,
    /// `.config/regress-accepted.toml:4`.
    pub place: String,
}

impl Entry {
    /// Whether both say the same of the same difference. Reasons may be reworded.
    pub fn is_same(&self, other: &Entry) -> bool {
        self.is_alike(other) && self.commit == other.commit
    }

    /// The same, whenever it was accepted.
    pub fn is_alike(&self, other: &Entry) -> bool {
        let condition = |entry: &Entry| entry.condition.as_ref().map(|condition| condition.text().to_owned());
        self.function == other.function && self.change == other.change && condition(self) == condition(other)
    }
}

/// As it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    accepted: Vec<toml::Spanned<Record>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    function: String,
    class: Class,
    old: String,
    new: String,
    when: Option<String>,
    reason: String,
    commit: Option<String>,
    /// For people.
    #[serde(default)]
    #[expect(dead_code, reason = "it is only there to be read by people")]
    example: Option<String>,
}

/// The entries of the file; none if there is no file.
pub fn read(path: &Utf8Path, shown: &str) -> Result<Vec<Entry>, EntryError> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, shown),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(EntryError::Unreadable { file: shown.to_owned(), source }),
    }
}

pub fn parse(text: &str, file: &str) -> Result<Vec<Entry>, EntryError> {
    let line_of = |offset: usize| {
        1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
    };
    let malformed = |offset: usize, message: String| EntryError::Malformed {
        file: file.to_owned(),
        line: line_of(offset),
        message,
    };
    let document: Document = toml::from_str(text)
        .map_err(|error| malformed(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
    document
        .accepted
        .into_iter()
        .map(|record| {
            let offset = record.span().start;
            let record = record.into_inner();
            if record.reason.trim().is_empty() {
                return Err(malformed(offset, "the reason is empty".to_owned()));
            }
            let condition = record.when.as_deref().map(Condition::parse).transpose();
            Ok(Entry {
                function: record.function,
                change: Change { class: record.class, old: record.old, new: record.new },
                condition: condition.map_err(|message| malformed(offset, message))?,
                reason: record.reason,
                commit: record.commit,
                place: format!("{file}:{}", line_of(offset)),
            })
        })
        .collect()
}

/// The text of the file with these entries at its end, each with an example for those who review it. What is alike and
/// older goes; what is there already stays with its reason, and so does everything else.
pub fn with_entries(text: &str, new: &[(Entry, String)]) -> Result<String, EntryError> {
    let malformed = |message: String| EntryError::Malformed { file: FILE.to_owned(), line: 1, message };
    let known = parse(text, FILE)?;
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| malformed(error.message().to_owned()))?;
    let item = document.entry("accepted").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(tables) = item.as_array_of_tables_mut() else {
        return Err(malformed("`accepted` is not written as `[[accepted]]`".to_owned()));
    };
    let is_replaced =
        |known: &Entry| new.iter().any(|(entry, _)| entry.is_alike(known) && !entry.is_same(known));
    let mut index = 0;
    tables.retain(|_| {
        let replaced = known.get(index).is_some_and(is_replaced);
        index += 1;
        !replaced
    });
    for (entry, example) in new {
        if !known.iter().any(|known| known.is_same(entry)) {
            tables.push(table(entry, example));
        }
    }
    let written = document.to_string();
    Ok(if text.trim().is_empty() { format!("{HEADER}{}", written.trim_start()) } else { written })
}

fn table(entry: &Entry, example: &str) -> Table {
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    let class = match entry.change.class {
        Class::Regression => "regression",
        Class::Behaviour => "behaviour",
        Class::Fix => "fix",
    };
    table["function"] = value(&entry.function);
    table["class"] = value(class);
    table["old"] = value(&entry.change.old);
    table["new"] = value(&entry.change.new);
    if let Some(condition) = &entry.condition {
        table["when"] = value(condition.text());
    }
    table["reason"] = value(&entry.reason);
    if let Some(commit) = &entry.commit {
        table["commit"] = value(commit);
    }
    table["example"] = value(example);
    table
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn entry(function: &str, class: Class, old: &str, new: &str) -> Entry {
        Entry {
            function: function.to_owned(),
            change: Change { class, old: old.to_owned(), new: new.to_owned() },
            condition: None,
            reason: "it is meant".to_owned(),
            commit: Some("1a2b3c4".to_owned()),
            place: "x.toml:1".to_owned(),
        }
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = parse(text, "x.toml").expect_err(text).to_string();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn what_is_written_is_read() {
        let condition = Condition::parse("text.contains(\"+\")").expect("understood");
        let first = Entry {
            condition: Some(condition),
            ..entry("p::f", Class::Behaviour, "returns Ok(_)", "returns None")
        };
        let second = entry("<p::T as p::Trait>::f", Class::Regression, "returns _", "panics: unwrap");
        let text = with_entries("", &[(first.clone(), "f(\"+\")".into())]).expect("writable");
        let text = with_entries(&text, &[(second.clone(), "f()".into())]).expect("writable");
        let read = parse(&text, "x.toml").expect(&text);
        assert_eq!(read.len(), 2, "{text}");
        assert!(read[0].is_same(&first) && read[1].is_same(&second), "{text}");
        let line = |nth: usize| {
            1 + text
                .match_indices("[[accepted]]")
                .nth(nth)
                .map_or(0, |(at, _)| text[..at].matches('\n').count())
        };
        assert_eq!(
            [&read[0].place, &read[1].place],
            [&format!("x.toml:{}", line(0)), &format!("x.toml:{}", line(1))]
        );
        assert!(text.starts_with("# Expected differences"), "{text}");
    }

    #[test]
    fn what_is_alike_is_replaced_and_notes_of_people_stay() {
        let old = entry("p::f", Class::Fix, "aborts", "returns _");
        let other = entry("p::g", Class::Fix, "aborts", "returns _");
        let text = with_entries("", &[(old.clone(), "f()".into()), (other, "g()".into())]).expect("writable");
        let text = text
            .replace("[[accepted]]\nfunction = \"p::g\"", "# Ask Ada.\n[[accepted]]\nfunction = \"p::g\"");
        let new = Entry { commit: Some("5d6e7f8".into()), reason: "again".into(), ..old };
        let text = with_entries(&text, &[(new, "f()".into())]).expect("writable");
        let read = parse(&text, "x.toml").expect(&text);
        let commits: Vec<_> =
            read.iter().map(|entry| (entry.function.as_str(), entry.commit.as_deref())).collect();
        assert_eq!(commits, [("p::g", Some("1a2b3c4")), ("p::f", Some("5d6e7f8"))]);
        assert!(text.contains("# Ask Ada.\n"), "{text}");
    }

    #[test]
    fn what_is_there_already_keeps_its_reason() {
        let old = entry("p::f", Class::Fix, "aborts", "returns _");
        let text = with_entries("", &[(old.clone(), "f()".into())]).expect("writable");
        let again = Entry { reason: "other words".into(), ..old };
        assert_eq!(with_entries(&text, &[(again, "f()".into())]).expect("writable"), text);
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        let good = "function = \"f\"\nclass = \"fix\"\nold = \"a\"\nnew = \"b\"\n";
        assert_eq!(parse("", "x.toml").expect("nothing is accepted").len(), 0);
        check_error(&format!("[[accepted]]\n{good}"), "x.toml:1: missing field `reason`");
        check_error(&format!("\n[[accepted]]\n{good}reason = \" \"\n"), "x.toml:2: the reason is empty");
        check_error(&format!("[[accepted]]\n{good}reason = \"r\"\nwhen = \"f(x)\"\n"), "x.toml:1: `f(x)`");
        check_error(
            &format!("[[accepted]]\n{good}reason = \"r\"\nwhere = \"x\"\n"),
            "x.toml:7: unknown field `where`",
        );
        check_error("[[acepted]]\n", "x.toml:1: unknown field `acepted`");
        check_error("[[accepted]]\nclass = \"worse\"\n", "x.toml:2: unknown variant `worse`");
        check_error("a = \n", "x.toml:1: ");
    }
}
