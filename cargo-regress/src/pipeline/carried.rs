//! What one function was seen to differ on, as inputs of the functions that may run it.
//!
//! A parser far inside is given the very text that its callers were given, or a part of it, but they are searched one by one, and
//! what it takes to get there may be too much for their own search. So where a public function shows no difference and
//! something that it may run does, it is run natively on the texts of that one's witnesses, on texts of the crate's own
//! with one character of such a witness in its place, which pass the checks on the way, as a witness need not, on those with a witness that is a character (or a byte
//! that is one) in any place, on those with a witness in the place of a part that
//! looks like it (a date within a date and time), and on beginnings of such texts that are followed by a witness: what is handed on is often the rest. And it is run on the literals of each witness, in their order (a [`Row`]), whatever is
//! drawn for what they do not say. If it differs on one, it is judged again with that as its finding. Functions that are not public have
//! their turn behind those.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

use rayon::prelude::*;
use regress_core::align::{Pair, functions_reached};
use regress_core::ir::{FnId, IntTy};
use regress_core::value::Value;
use regress_core::verdict::Verdict;

use super::Session;
use super::aligned::Aligned;
use super::outside::is_entry;
use super::subject::{self, Judgement};
use crate::budget::Deadline;
use crate::harness::shape::{Kind, Runs, runs, shape};
use crate::harness::{Row, text_of};

/// This part of the time of a whole run is kept for it, and no more than the seconds after that: whatever public functions a search could not
/// get through may be the ones that show what was found.
const PART_OF_THE_TIME: u32 = 15;
const MOST_TIME: Duration = Duration::from_secs(10);

/// How much of the time of a whole run is kept for carrying inputs.
pub(super) fn share(deadline: Deadline) -> Duration {
    (Duration::from_secs(deadline.seconds()) / PART_OF_THE_TIME).min(MOST_TIME)
}

/// Texts handed on; the shortest ones first.
const MOST_TEXTS: usize = 60;
/// Rows handed on, and how often each is tried with something else for the rest.
const MOST_ROWS: usize = 60;
const TIMES: usize = 4;
/// Texts of the crate with a character of one of these.
const MOST_SPLICED: usize = 600;

/// Texts of the crate with one of these in the place of a part, and how many of them for one text.
const MOST_REPLACED: usize = 600;
const MOST_REPLACED_BY_ONE: usize = 60;

/// Beginnings of the crate's texts, the shortest ones first, and how many texts follow on each.
const MOST_BEGINNINGS: usize = 200;
const MOST_ENDS: usize = 4;

/// Judges functions again where an input from further inside shows a difference.
pub(super) fn carry_inputs(session: &Session<'_>, aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    let program = &aligned.loaded.new.program;
    let differing: Vec<(FnId, Inputs)> = functions
        .iter()
        .filter_map(|(pair, judgement)| Some((pair.new?, Inputs::of(&judgement.verdict))))
        .filter(|(_, inputs)| !inputs.is_empty())
        .collect();
    if differing.is_empty() {
        return;
    }
    let is_silent = |judgement: &Judgement| {
        matches!(judgement.verdict, Verdict::EqualWithin { .. } | Verdict::NoDifferenceFound { .. })
    };
    let mut silent: Vec<(usize, &Pair, FnId)> = functions
        .iter()
        .enumerate()
        .filter(|(_, (_, judgement))| is_silent(judgement))
        .filter_map(|(index, (pair, _))| Some((index, *pair, pair.new?)))
        .collect();
    silent.sort_by_key(|(_, _, id)| !is_entry(program, *id));
    let starts: Vec<FnId> = silent.iter().map(|(_, _, id)| *id).collect();
    let reached = functions_reached(program, &starts);
    let again: Vec<(usize, Judgement)> = silent
        .par_iter()
        .zip(&reached)
        .filter(|_| !session.options.budget.is_over())
        .filter_map(|((index, pair, _), reached)| {
            let inside = || differing.iter().filter(|(id, _)| reached.contains(id)).map(|(_, inputs)| inputs);
            let texts = shortest(inside().flat_map(|inputs| &inputs.texts));
            let rows: BTreeSet<&Row> = inside().flat_map(|inputs| &inputs.rows).take(MOST_ROWS).collect();
            if texts.is_empty() && rows.is_empty() {
                return None;
            }
            let _token = session.jobserver.token();
            let tried = |known: &BTreeSet<String>| {
                let all: BTreeSet<String> = spliced(known, &texts)
                    .chain(with_characters(known, &texts))
                    .chain(continued(known, &texts))
                    .chain(replaced(known, &texts))
                    .chain(texts.clone())
                    .collect();
                let rows = rows.into_iter().flat_map(|row| std::iter::repeat_n(row.clone(), TIMES));
                rows.chain(all.into_iter().map(Row::of_text)).collect()
            };
            let judged = subject::judge_on_rows(session, aligned, pair, tried)?;
            Some((*index, judged))
        })
        .collect();
    for (index, again) in again {
        let judgement = &mut functions[index].1;
        *judgement = Judgement { reach: judgement.reach, ..again };
    }
}

fn shortest<'t>(texts: impl Iterator<Item = &'t String>) -> BTreeSet<String> {
    let mut texts: Vec<&String> = texts.collect();
    texts.sort_by_key(|text| (text.len(), *text));
    texts.dedup();
    texts.into_iter().take(MOST_TEXTS).cloned().collect()
}

/// Known texts, each with one character of another text of its length.
fn spliced<'t>(
    known: &'t BTreeSet<String>,
    texts: &'t BTreeSet<String>,
) -> impl Iterator<Item = String> + 't {
    let pairs = texts.iter().flat_map(move |text| {
        let alike = move |base: &&String| base.len() == text.len() && base.is_ascii() && text.is_ascii();
        known.iter().filter(alike).map(move |base| (base, text))
    });
    let one_by_one = |(base, text): (&'t String, &'t String)| {
        let others = (0..base.len()).filter(move |at| base.as_bytes()[*at] != text.as_bytes()[*at]);
        others.map(move |at| format!("{}{}{}", &base[..at], &text[at..=at], &base[at + 1..]))
    };
    pairs.flat_map(one_by_one).take(MOST_SPLICED)
}

/// Known texts, each with one of its characters given up for a text that is one character.
fn with_characters<'t>(
    known: &'t BTreeSet<String>,
    texts: &'t BTreeSet<String>,
) -> impl Iterator<Item = String> + 't {
    let characters = texts.iter().filter(|text| text.chars().count() == 1);
    let in_each_place = |(character, base): (&'t String, &'t String)| {
        let others = base.char_indices().filter(move |(_, other)| *character != other.to_string());
        others.map(move |(at, other)| format!("{}{character}{}", &base[..at], &base[at + other.len_utf8()..]))
    };
    // Each character has its turn at each text before texts are cut off.
    let pairs = known.iter().flat_map(move |base| characters.clone().map(move |character| (character, base)));
    pairs.flat_map(in_each_place).take(MOST_SPLICED)
}

/// Beginnings of known texts, followed by others.
fn continued(known: &BTreeSet<String>, texts: &BTreeSet<String>) -> Vec<String> {
    let of_text = |text: &String| -> Vec<String> {
        text.char_indices().skip(1).map(|(end, _)| text[..end].to_owned()).collect()
    };
    let mut beginnings: Vec<String> = known.iter().flat_map(of_text).collect();
    beginnings.sort_by_key(|text| (text.len(), text.clone()));
    beginnings.dedup();
    let mut ends: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
    ends.sort_by_key(|text| text.len());
    let with_ends = |beginning: String| {
        ends.iter().take(MOST_ENDS).map(|end| format!("{beginning}{end}")).collect::<Vec<_>>()
    };
    beginnings.into_iter().take(MOST_BEGINNINGS).flat_map(with_ends).collect()
}

/// Known texts, each with another text in the place of a part that has its shape. What has most runs comes first: it is in its place.
fn replaced(known: &BTreeSet<String>, texts: &BTreeSet<String>) -> Vec<String> {
    let known: Vec<(&String, Runs)> = known.iter().map(|text| (text, runs(text))).collect();
    let mut texts: Vec<(&String, Vec<Kind>)> = texts.iter().map(|text| (text, shape(text))).collect();
    texts.retain(|(_, shape)| !shape.is_empty());
    texts.sort_by_key(|(_, shape)| Reverse(shape.len()));
    let in_place = |(text, shape): (&String, Vec<Kind>)| -> Vec<String> {
        let parts = known.iter().flat_map(|(base, runs)| {
            let alike = runs.windows(shape.len()).filter(|part| part.iter().map(|(kind, _)| kind).eq(&shape));
            alike.map(move |part| (*base, part[0].1.start..part[part.len() - 1].1.end))
        });
        let made = parts.filter(|(base, part)| base[part.clone()] != **text);
        made.take(MOST_REPLACED_BY_ONE)
            .map(|(base, part)| format!("{}{text}{}", &base[..part.start], &base[part.end..]))
            .collect()
    };
    texts.into_iter().flat_map(in_place).take(MOST_REPLACED).collect()
}

/// What the witnesses of a difference are made of.
struct Inputs {
    /// Bytes that are a text count as one.
    texts: BTreeSet<String>,
    rows: BTreeSet<Row>,
}

impl Inputs {
    fn of(verdict: &Verdict) -> Inputs {
        let (mut texts, mut rows) = (BTreeSet::new(), BTreeSet::new());
        if let Verdict::Differs { witnesses, .. } = verdict {
            for witness in witnesses {
                let values = || witness.inputs.iter().map(|input| &input.value);
                values().for_each(|value| add_texts(value, &mut texts));
                rows.extend(Row::of_values(values()));
            }
        }
        Inputs { texts, rows }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.rows.is_empty()
    }
}

fn add_texts(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::Str(text) => {
            texts.insert(text.clone());
        }
        Value::Seq(items) => match text_of(items) {
            Some(text) => {
                texts.insert(text);
            }
            None => items.iter().for_each(|item| add_texts(item, texts)),
        },
        Value::Tuple(items) | Value::Made { args: items, .. } => {
            items.iter().for_each(|item| add_texts(item, texts));
        }
        Value::Adt { fields, .. } => fields.iter().for_each(|(_, field)| add_texts(field, texts)),
        Value::Ref(inner) => add_texts(inner, texts),
        Value::Char(character) => {
            texts.insert(character.to_string());
        }
        // What looks at bytes is given those of a text.
        Value::Int { ty: IntTy::U8, bits } => {
            texts.extend(
                u8::try_from(*bits).ok().filter(u8::is_ascii).map(|byte| char::from(byte).to_string()),
            );
        }
        Value::Bool(_) | Value::Int { .. } | Value::F32(_) | Value::F64(_) | Value::Opaque(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: Value, expected: &[&str]) {
        let mut texts = BTreeSet::new();
        add_texts(&value, &mut texts);
        assert_eq!(texts.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn some_time_is_kept_but_not_much() {
        let of = |seconds| share(Deadline::after(std::time::Instant::now(), seconds));
        assert_eq!(of(60), Duration::from_secs(4));
        assert_eq!(of(600), Duration::from_secs(10));
    }

    #[test]
    fn one_character_at_a_time_is_taken_over() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        let all =
            |known: &[&str], texts: &[&str]| -> Vec<String> { spliced(&set(known), &set(texts)).collect() };
        assert_eq!(all(&["08:37", "x"], &["00:+0"]), ["00:37", "08:+7", "08:30"]);
        assert_eq!(all(&["\u{e9}"], &["ab"]), Vec::<String>::new());
    }

    #[test]
    fn a_character_takes_each_place() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        let all = |known: &[&str], texts: &[&str]| -> Vec<String> {
            with_characters(&set(known), &set(texts)).collect()
        };
        assert_eq!(all(&["a\u{e9}", "b"], &["\u{c080}", "xy"]), ["\u{c080}\u{e9}", "a\u{c080}", "\u{c080}"]);
        assert_eq!(all(&["ab"], &["a"]), ["aa"]);
    }

    #[test]
    fn a_text_follows_on_each_beginning() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        assert_eq!(continued(&set(&["%5d", "%", "\u{e9}x"]), &set(&["ll", ""])), ["%ll", "%5ll", "\u{e9}ll"]);
        assert_eq!(continued(&set(&["%5d"]), &set(&[""])), Vec::<String>::new());
    }

    #[test]
    fn a_text_takes_the_place_of_what_looks_like_it() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        let all = |known: &[&str], texts: &[&str]| replaced(&set(known), &set(texts));
        assert_eq!(all(&["2015-W05-6T04:05", "x"], &["2020-W53-1"]), ["2020-W53-1T04:05"]);
        assert_eq!(all(&["a1,22"], &["7", "", "1"]), ["a1,1", "a7,22", "a1,7"]);
        assert_eq!(
            all(&["\u{e9}=1;b=2"], &["c=30", "5"]),
            ["c=30;b=2", "\u{e9}=1;c=30", "\u{e9}=5;b=2", "\u{e9}=1;b=5"]
        );
        assert_eq!(all(&["a"], &["1"]), Vec::<String>::new());
    }

    #[test]
    fn texts_are_found_wherever_they_are() {
        let text = |text: &str| Value::Ref(Box::new(Value::Str(text.into())));
        let bytes = |bytes: &[u8]| {
            Value::Seq(bytes.iter().map(|byte| Value::int(IntTy::U8, (*byte).into())).collect())
        };
        check(Value::Tuple(vec![text("b"), Value::Seq(vec![text("a"), text("b")])]), &["a", "b"]);
        check(bytes(b"0x1f"), &["0x1f"]);
        check(bytes(&[0xff, 0xfe]), &[]);
        check(Value::Tuple(vec![Value::Char('\u{c080}'), Value::int(IntTy::U8, 65)]), &["A", "\u{c080}"]);
        check(Value::Seq(vec![Value::int(IntTy::U16, 65)]), &[]);
    }
}
