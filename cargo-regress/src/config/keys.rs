//! The keys of a configuration: long names of options, and what may stand behind them.

use clap::CommandFactory;

use crate::args::{CALL_TIMEOUT, HookRunOptions, Options};

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The long name of the option.
    pub name: &'static str,
    pub kind: Kind,
}

/// What the value of a key is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Flag,
    Number {
        least: u64,
        most: u64,
    },
    /// A number that may have a fraction.
    Decimal {
        least: f64,
        most: f64,
    },
    /// One of the words that the option knows.
    Choice,
    /// A list of texts.
    Texts,
}

/// Whose option a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Those of a comparison, as far as other commands have them too.
    Comparison,
    /// `[hook]`: those of `hook run` itself.
    Hook,
}

/// The largest number that a file can hold.
const MOST: u64 = i64::MAX as u64;

const fn number(name: &'static str, least: u64) -> Key {
    Key { name, kind: Kind::Number { least, most: MOST } }
}

const fn flag(name: &'static str) -> Key {
    Key { name, kind: Kind::Flag }
}

const fn choice(name: &'static str) -> Key {
    Key { name, kind: Kind::Choice }
}

const fn texts(name: &'static str) -> Key {
    Key { name, kind: Kind::Texts }
}

const COMPARISON: [Key; 26] = [
    texts("package"),
    flag("workspace"),
    texts("exclude"),
    texts("features"),
    flag("all-features"),
    flag("no-default-features"),
    choice("frontend"),
    flag("locked"),
    flag("offline"),
    flag("frozen"),
    flag("release"),
    Key { name: "jobs", kind: Kind::Number { least: 1, most: u32::MAX as u64 } },
    choice("strategy"),
    number("timeout", 1),
    number("total-timeout", 1),
    Key { name: "call-timeout", kind: Kind::Decimal { least: CALL_TIMEOUT.0, most: CALL_TIMEOUT.1 } },
    number("max-len", 0),
    number("unwind", 1),
    flag("assume-no-panic"),
    number("random-runs", 0),
    choice("fuzz"),
    choice("test-calls"),
    choice("discharge"),
    number("interaction-time", 0),
    number("seed", 0),
    choice("fail-on"),
];

const HOOK: [Key; 2] = [number("total-timeout", 1), flag("strict")];

impl Section {
    pub const ALL: [Section; 2] = [Section::Comparison, Section::Hook];

    pub fn keys(self) -> &'static [Key] {
        match self {
            Section::Comparison => &COMPARISON,
            Section::Hook => &HOOK,
        }
    }

    /// The table of a file that the keys stand in; none if they stand at its top.
    pub fn table(self) -> Option<&'static str> {
        match self {
            Section::Comparison => None,
            Section::Hook => Some("hook"),
        }
    }

    pub fn key(self, name: &str) -> Option<&'static Key> {
        self.keys().iter().find(|key| key.name == name)
    }

    /// The environment variable of a key.
    pub fn variable(self, key: &Key) -> String {
        let table = self.table().map(|table| format!("{table}_")).unwrap_or_default();
        format!("{PREFIX}{table}{}", key.name).to_uppercase().replace('-', "_")
    }

    fn command(self) -> clap::Command {
        match self {
            Section::Comparison => Options::command(),
            Section::Hook => <HookRunOptions as clap::Args>::augment_args(clap::Command::new("run")),
        }
    }
}

/// What the names of variables begin with.
pub const PREFIX: &str = "CARGO_REGRESS_";

/// What the option itself says of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub help: String,
    /// The words that are known, for a choice.
    pub words: Vec<String>,
    /// What it is if nobody says anything; none if that cannot be put into a file.
    pub default: Option<Vec<String>>,
}

/// The declaration of a key's option.
pub fn declared(section: Section, key: &Key) -> Declared {
    let command = section.command();
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(key.name));
    let Some(argument) = argument else { unreachable!("`{}` is the name of an option", key.name) };
    let words = match key.kind {
        Kind::Choice => {
            argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
        }
        Kind::Flag | Kind::Number { .. } | Kind::Decimal { .. } | Kind::Texts => Vec::new(),
    };
    let values: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let default = match key.kind {
        Kind::Flag if values.is_empty() => Some(vec!["false".to_owned()]),
        Kind::Texts => Some(values),
        Kind::Flag | Kind::Number { .. } | Kind::Decimal { .. } | Kind::Choice => {
            (!values.is_empty()).then_some(values)
        }
    };
    Declared { help: argument.get_help().map(ToString::to_string).unwrap_or_default(), words, default }
}

impl Kind {
    /// What is expected, for messages.
    pub fn expected(self, words: &[String]) -> String {
        match self {
            Kind::Flag => "`true` or `false` is expected".to_owned(),
            Kind::Number { least, most: MOST } => format!("a whole number from {least} is expected"),
            Kind::Number { least, most } => format!("a whole number from {least} to {most} is expected"),
            Kind::Decimal { least, most } => format!("a number from {least} to {most} is expected"),
            Kind::Choice => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("one of {} is expected", words.join(", "))
            }
            Kind::Texts => "a list of texts is expected".to_owned(),
        }
    }
}

/// The known name that this one is most likely meant to be.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let distances = known.into_iter().map(|other| (distance(name, other), other));
    let (least, other) = distances.min()?;
    (least <= 1 + name.len() / 4).then_some(other)
}

/// How many characters have to be put in, taken out or replaced (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_an_option_of_its_kind() {
        for section in Section::ALL {
            let command = section.command();
            for key in section.keys() {
                let option = command.get_arguments().find(|argument| argument.get_long() == Some(key.name));
                let option = option.unwrap_or_else(|| panic!("{}", key.name));
                let takes_value = option.get_action().takes_values();
                let is_list = matches!(option.get_action(), clap::ArgAction::Append);
                let has_words = takes_value && !option.get_possible_values().is_empty();
                assert_eq!(takes_value, key.kind != Kind::Flag, "{}", key.name);
                assert_eq!(is_list, key.kind == Kind::Texts, "{}", key.name);
                assert_eq!(has_words, key.kind == Kind::Choice, "{}", key.name);
                assert!(!declared(section, key).help.is_empty(), "{}", key.name);
            }
        }
    }

    #[test]
    fn names_that_are_a_slip_away() {
        let known = || Section::Comparison.keys().iter().map(|key| key.name);
        assert_eq!(nearest("timout", known()), Some("timeout"));
        assert_eq!(nearest("max_len", known()), Some("max-len"));
        assert_eq!(nearest("failon", known()), Some("fail-on"));
        assert_eq!(nearest("colour", known()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn variables() {
        let key = |section: Section, name| section.variable(section.key(name).expect("a key"));
        assert_eq!(key(Section::Comparison, "max-len"), "CARGO_REGRESS_MAX_LEN");
        assert_eq!(key(Section::Hook, "total-timeout"), "CARGO_REGRESS_HOOK_TOTAL_TIMEOUT");
    }
}
