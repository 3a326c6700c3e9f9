//! Values of the analysis in words.

use regress_core::evidence::Doubt;
use regress_core::value::{Outcome, Panic, PanicKind, Value};
use regress_core::verdict::{Approximation, LeftOut, Version, Witness, WitnessOrigin};

use super::first_difference::first_difference;
use super::reasons;

/// The two outcomes of a call: "returned `Ok(3)`, now panics: index out of bounds at src/lib.rs:12:5".
pub fn change(witness: &Witness) -> String {
    let (old, new) = ends(witness);
    let text = format!("{}, now {}", printable(&old), printable(&new));
    let is_long = old.chars().count().max(new.chars().count()) > LONG;
    match first_difference(&witness.old, &witness.new).filter(|_| is_long) {
        Some(part) => format!("{text} {}", printable(&part.sentence())),
        None => text,
    }
}

/// How the call ended in the old version, and how it does in the new one: "returned `Ok(3)`", "panics: …".
pub fn ends(witness: &Witness) -> (String, String) {
    what_returns_differently(witness).unwrap_or_else(|| (past(&witness.old), present(&witness.new)))
}

/// Of two calls that return, what differs alone: a result that is the same and what is left alike say nothing.
fn what_returns_differently(witness: &Witness) -> Option<(String, String)> {
    let (
        Outcome::Returned { value: old, mutated: left_by_old },
        Outcome::Returned { value: new, mutated: left_by_new },
    ) = (&witness.old, &witness.new)
    else {
        return None;
    };
    let places = differing_places(left_by_old, left_by_new);
    let left = |mutated: &[(usize, Value)]| {
        let value =
            |place: &usize| left_in(mutated, *place).map_or("nothing".into(), |value| format!("`{value}`"));
        places
            .iter()
            .map(|place| format!("{} in {}", value(place), parameter(witness, *place)))
            .collect::<Vec<_>>()
    };
    let (old_left, new_left) = (left(left_by_old), left(left_by_new));
    if old != new {
        let leaving =
            |left: Vec<String>| left.iter().map(|left| format!(" leaving {left}")).collect::<String>();
        return Some((
            format!("returned `{old}`{}", leaving(old_left)),
            format!("returns `{new}`{}", leaving(new_left)),
        ));
    }
    (!places.is_empty())
        .then(|| (format!("left {}", old_left.join(" and ")), format!("leaves {}", new_left.join(" and "))))
}

/// The parameters that are left with different values, in order.
pub fn differing_places(old: &[(usize, Value)], new: &[(usize, Value)]) -> Vec<usize> {
    let mut places: Vec<usize> = old.iter().chain(new).map(|(place, _)| *place).collect();
    places.sort_unstable();
    places.dedup();
    places.retain(|place| left_in(old, *place) != left_in(new, *place));
    places
}

fn left_in(mutated: &[(usize, Value)], place: usize) -> Option<&Value> {
    mutated.iter().find(|(other, _)| *other == place).map(|(_, value)| value)
}

/// The name of a parameter, or which one it is.
pub fn parameter(witness: &Witness, place: usize) -> String {
    let name = witness.inputs.get(place).map_or("", |input| &input.name);
    // Patterns have no name.
    match name.is_empty() || name.contains(' ') {
        true => format!("parameter {}", place + 1),
        false => format!("`{name}`"),
    }
}

/// Of longer outcomes it is told where they differ.
const LONG: usize = 150;

pub fn past(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value, mutated } => format!("returned {}", returned(value, mutated)),
        Outcome::Panicked(panic) => format!("panicked: {}", panicked(panic)),
        Outcome::Hung => "did not end".to_owned(),
        Outcome::OutOfMemory => "took more memory than runs are given".to_owned(),
        Outcome::Aborted(cause) => format!("aborted: {cause}"),
    }
}

/// A name of a type or function without its middle, where it is long.
pub fn abridged(name: &str) -> String {
    const BEGINNING: usize = 120;
    const END: usize = 60;
    if name.chars().count() <= BEGINNING + END {
        return name.to_owned();
    }
    let beginning: String = name.chars().take(BEGINNING).collect();
    let end: Vec<char> = name.chars().rev().take(END).collect();
    format!("{beginning}…{}", end.into_iter().rev().collect::<String>())
}

pub fn present(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value, mutated } => format!("returns {}", returned(value, mutated)),
        Outcome::Panicked(panic) => format!("panics: {}", panicked(panic)),
        Outcome::Hung => "does not end".to_owned(),
        Outcome::OutOfMemory => "takes more memory than runs are given".to_owned(),
        Outcome::Aborted(cause) => format!("aborts: {cause}"),
    }
}

fn returned(value: &Value, mutated: &[(usize, Value)]) -> String {
    let mut text = format!("`{value}`");
    for (parameter, value) in mutated {
        text.push_str(&format!(" leaving `{value}` in parameter {}", parameter + 1));
    }
    text
}

fn panicked(panic: &Panic) -> String {
    let what = panic.message.as_deref().unwrap_or(kind(panic.kind));
    match &panic.location {
        Some(location) => format!("{what} at {location}"),
        None => what.to_owned(),
    }
}

fn kind(kind: PanicKind) -> &'static str {
    match kind {
        PanicKind::Overflow => "arithmetic overflow",
        PanicKind::DivisionByZero => "division by zero",
        PanicKind::IndexOutOfBounds => "index out of bounds",
        PanicKind::Unwrap => "unwrap of `None` or `Err`",
        PanicKind::Explicit => "explicit panic",
    }
}

pub fn version(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

/// Functions that make values of a type; the JSON document has all.
const MAKERS_NAMED: usize = 2;

/// What was done short of the full meaning, as a clause.
pub fn approximation(approximation: &Approximation) -> String {
    match approximation {
        Approximation::InputLength { max_len } => format!("sequences of at most {max_len} elements"),
        Approximation::AsMade { ty, by } => {
            let named = by.iter().take(MAKERS_NAMED).map(|callee| format!("`{callee}`"));
            let more = by.len().saturating_sub(MAKERS_NAMED);
            let by: Vec<String> = named.chain((more > 0).then(|| format!("{more} more"))).collect();
            format!("values of `{ty}` as made by {}", by.join(" or "))
        }
        Approximation::MakerLeftOut { maker, .. } => {
            format!("values made by `{maker}`, which takes trait objects or closures, are not searched")
        }
        Approximation::OnlyPanics => {
            "both versions panic on all inputs within the bounds of the search".to_owned()
        }
        Approximation::CallSequence { ty, most } => format!("at most {most} calls that change a `{ty}`"),
        Approximation::StateNotCompared { ty } => {
            format!("results hold a `{ty}`, whose fields changed: only what its methods return is compared")
        }
        Approximation::ResultsPartlyCompared => {
            "results are of two types: only what both tell is compared".to_owned()
        }
        Approximation::MakersDiffer { maker } => {
            format!("no inputs on which `{maker}` succeeds in one version only")
        }
        Approximation::InputDepth { max_depth } => format!("recursive inputs of at most {max_depth} levels"),
        Approximation::InputAlphabet { what } => left_out(what),
        Approximation::UnspecifiedPrecision { function } => {
            format!(
                "`{function}` gives the same for the same arguments, namely what it gives on this machine"
            )
        }
        Approximation::NativeFailure { reason } => format!("native runs broke off: {reason}"),
        Approximation::Unconfirmed { call, reason } => {
            let reason = reasons::not_run(reason);
            format!("`{call}` seems to differ, but could not be run natively: {reason}")
        }
        Approximation::LoopBound { location, of, limit } => {
            format!("at most {limit} rounds in all of {}", reasons::loop_at(*of, location))
        }
        Approximation::CallDepth { function, limit } => {
            format!("at most {limit} calls within one another, those of std included, at `{function}`")
        }
        Approximation::StepBudget { limit } => format!("a run was given up after {limit} steps"),
        Approximation::TimeBudget { seconds } => format!("given up after {seconds} s"),
        Approximation::SolverUnknown { reason } => {
            format!("the solver did not decide: {}", reasons::unknown(reason))
        }
        Approximation::OpaqueCall { callee } => {
            format!("the meaning of `{}` is not known", abridged(callee))
        }
        Approximation::Unsupported { what } => {
            format!("not supported: {}", reasons::unsupported(what))
        }
        Approximation::RestrictedModel { on } => restricted_model(on),
        Approximation::NoPanicAssumed => "checks are taken to hold".to_owned(),
        Approximation::Instantiated { types } => format!("only with {types}"),
        Approximation::DifferedOnce { call, runs } => {
            let more = count(u64::from(*runs), "further run", "further runs");
            format!("`{call}` differed once, and not again in {more}")
        }
        Approximation::NotDeterministic { call, version: of } => {
            format!("`{call}` ends otherwise from run to run in the {} version", version(*of))
        }
        Approximation::TooSlow { call, version: of, limit_ms } => {
            let limit = seconds(*limit_ms);
            format!(
                "`{call}` is too slow to tell: it takes more than {limit} in the {} version",
                version(*of)
            )
        }
        Approximation::TooLarge { call, version: of } => {
            format!("`{call}` takes more memory than runs are given in the {} version", version(*of))
        }
        Approximation::NotRepeatable { call, reason } => {
            format!("`{call}` differed once, and cannot be run again: {reason}")
        }
        Approximation::ProofContradicted { call, rests_on } => {
            let basis = reasons::rests_on(rests_on);
            format!("`{call}` differs although a proof says that it cannot, which is a defect of {basis}")
        }
        Approximation::EngineMismatch { call } => {
            format!("the engine and a native run disagree on `{call}`")
        }
    }
}

/// That a model of the standard library does not say this.
pub fn restricted_model(on: &str) -> String {
    format!("the model of the standard library leaves open {on}")
}

/// The time for the whole run, by its name.
pub fn whole_run(seconds: u64) -> String {
    format!("the time for the whole run ({seconds} s)")
}

/// What inputs were and what of results was compared, as a clause.
fn left_out(what: &LeftOut) -> String {
    let text = match what {
        LeftOut::OtherThanAscii => "strings are ASCII",
        LeftOut::NewerUnicode { release: (major, minor, patch) } => {
            return format!("characters are those of Unicode {major}.{minor}.{patch}");
        }
        LeftOut::UninitialisedNumbers => "`MaybeUninit` arguments hold numbers",
        LeftOut::InitialisedOthers => "`MaybeUninit` arguments hold nothing",
        LeftOut::FormattingOptions => "formatting options are those of `{}`",
        LeftOut::FunctionPointers { variant } => {
            return format!("values `{variant}`, which hold function pointers, are not given");
        }
        LeftOut::Unbuilt { variant, ty } => {
            return format!("values `{variant}`, which hold a `{ty}`, are not given");
        }
        LeftOut::OfOneVersion { ty } => {
            return format!("values of `{ty}` that only one version has are not given");
        }
        LeftOut::FieldOfOneVersion { field } => {
            return format!("the field {field}, which is not the same in both versions, is not compared");
        }
        LeftOut::TypesOfResults => {
            "results are of two types: numbers, texts, sequences, success and failure are compared, whatever type they have"
        }
        LeftOut::OtherThreads => "no other thread writes atomics or takes locks meanwhile",
        LeftOut::BorrowedCells => "cells and locks are neither borrowed nor poisoned when the call begins",
        LeftOut::SharedCells => "what can be written through different references is not the same",
        LeftOut::OtherOwners => {
            "reference-counted pointers in arguments are the only ones to what they point to, or if that can be written the only \
             ones but for one that the caller keeps"
        }
        LeftOut::IdentityOfCounted => {
            "which of the reference-counted pointers in a result are the same is not compared"
        }
        LeftOut::IdentityOfReferences => {
            "of references to what can be written, in a result or left behind others, only what is there is compared"
        }
    };
    text.to_owned()
}

/// Why an outcome that was different makes no difference, as a clause.
pub fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::DifferedOnce { runs } => {
            let more = count(u64::from(*runs), "further run", "further runs");
            format!("it differed once, and not again in {more}")
        }
        Doubt::NotDeterministic { version: of } => {
            format!("it ends otherwise from run to run in the {} version", version(*of))
        }
        Doubt::TooSlow { version: of, limit_ms } => {
            format!(
                "it is too slow to tell: it takes more than {} in the {} version",
                seconds(*limit_ms),
                version(*of)
            )
        }
        Doubt::TooLarge { version: of } => {
            format!("it takes more memory than runs are given in the {} version", version(*of))
        }
        Doubt::NotRepeatable { reason } => format!("it differed once, and cannot be run again: {reason}"),
    }
}

fn seconds(milliseconds: u64) -> String {
    match milliseconds % 1000 {
        0 => format!("{} s", milliseconds / 1000),
        _ => format!("{:.1} s", milliseconds as f64 / 1000.0),
    }
}

/// `1 function`, `3 functions`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// What an input came from, as one word.
pub fn origin(origin: &WitnessOrigin) -> String {
    let word = match origin {
        WitnessOrigin::Random => "random",
        WitnessOrigin::Exhaustive => "exhaustive",
        WitnessOrigin::Corpus => "corpus",
        WitnessOrigin::Test { name } => return format!("test:{name}"),
        WitnessOrigin::Fuzzing => "fuzzing",
        WitnessOrigin::Divergence => "divergence",
        WitnessOrigin::Search => "search",
        WitnessOrigin::Given => "given",
    };
    word.to_owned()
}

/// `65,536`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// Characters of one call or outcome that are shown; the JSON document has all.
const LONGEST: usize = 300;

/// The text without control characters, which would let a value or a panic message drive the terminal, and cut in the
/// middle if it is long.
pub fn printable(text: &str) -> String {
    printable_within(LONGEST, text)
}

/// The same in about so many characters.
pub fn printable_within(most: usize, text: &str) -> String {
    let characters = text.chars().count();
    let mut result = String::with_capacity(text.len());
    for (position, character) in text.chars().enumerate() {
        let is_shown = characters <= most || position < most / 2 || position >= characters - most / 2;
        if !is_shown {
            if position == most / 2 {
                result.push_str(" […] ");
            }
        } else if character.is_control() && character != '\n' {
            result.extend(character.escape_default());
        } else {
            result.push(character);
        }
    }
    result
}
