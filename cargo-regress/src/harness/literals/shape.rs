//! What texts look like: which are of one kind.

use std::ops::Range;

/// What a run of characters consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Digits,
    Letters,
    /// One character that is neither.
    Other(char),
}

impl Kind {
    fn of(character: char) -> Kind {
        match character {
            _ if character.is_ascii_digit() => Kind::Digits,
            _ if character.is_alphabetic() => Kind::Letters,
            _ => Kind::Other(character),
        }
    }
}

/// Runs of characters, with the bytes that they take.
pub type Runs = Vec<(Kind, Range<usize>)>;

/// The runs of a text, one after the other, and where they are.
pub fn runs(text: &str) -> Runs {
    let mut runs: Runs = Vec::new();
    for (start, character) in text.char_indices() {
        let kind = Kind::of(character);
        let end = start + character.len_utf8();
        match runs.last_mut() {
            Some((last, range)) if *last == kind && !matches!(kind, Kind::Other(_)) => range.end = end,
            _ => runs.push((kind, start..end)),
        }
    }
    runs
}

/// The kinds of the runs of a text: `2020-W53` and `1-A1` have the same shape.
pub fn shape(text: &str) -> Vec<Kind> {
    runs(text).into_iter().map(|(kind, _)| kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_letters_are_one_run() {
        let of = |text: &str| -> Vec<String> {
            runs(text).into_iter().map(|(_, range)| text[range].to_owned()).collect()
        };
        assert_eq!(of("2020-W53 \u{e9}t--"), ["2020", "-", "W", "53", " ", "\u{e9}t", "-", "-"]);
        assert!(of("").is_empty());
    }

    #[test]
    fn a_shape_leaves_open_how_long_runs_are() {
        assert_eq!(shape("2020-W53"), shape("1-A1"));
        assert_ne!(shape("1-A1"), shape("1+A1"));
        assert_ne!(shape("--"), shape("-"));
    }
}
