//! Models call code of the user (`Clone`, `Drop`, comparisons, hashing, closures, iterators) as std does: as often, in the same order and
//! on the same values. Each operation of `trace/ops.rs` runs over std and over its model; the results and the logs of all calls are compared.
//!
//! `TRACE_LENGTHS=200` runs all lengths up to 200 instead of a few.
#![allow(clippy::all, dead_code, unused)]

#[path = "trace/log.rs"]
mod log;

mod real {
    include!("trace/prelude_real.rs");
    include!("trace/ops.rs");
    fn option_cloned(item: &Option<E>) -> Option<E> {
        item.as_ref().cloned()
    }
    fn operator_bitor(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        a | b
    }
    fn operator_bitand(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        a & b
    }
    fn operator_bitxor(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        a ^ b
    }
    fn operator_sub(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        a - b
    }
}

mod model {
    include!("trace/prelude_model.rs");
    include!("trace/ops.rs");
    fn option_cloned(item: &Option<E>) -> Option<E> {
        std_models::inherent::OptionRefMethods::cloned(item.as_ref())
    }
    use std_models::ops::{BitAnd, BitOr, BitXor, Sub};
    fn operator_bitor(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        BitOr::bitor(a, b)
    }
    fn operator_bitand(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        BitAnd::bitand(a, b)
    }
    fn operator_bitxor(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        BitXor::bitxor(a, b)
    }
    fn operator_sub(a: &BTreeSet<E>, b: &BTreeSet<E>) -> BTreeSet<E> {
        Sub::sub(a, b)
    }
}

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a run showed: its result or that it panicked, and the log up to there.
#[derive(PartialEq)]
enum Ran {
    Ended(String, Vec<log::Entry>),
    Panicked(Vec<log::Entry>),
    /// The model says that it does not know.
    Unmodelled,
}

fn run(op: fn(usize, u64) -> String, count: usize, seed: u64) -> Ran {
    log::taken();
    match catch_unwind(AssertUnwindSafe(|| op(count, seed))) {
        Ok(shown) => Ran::Ended(shown, log::taken()),
        Err(payload) => {
            let message = payload.downcast_ref::<String>().cloned();
            let message =
                message.or(payload.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default();
            let trace = log::taken();
            if message.starts_with("not modelled") { Ran::Unmodelled } else { Ran::Panicked(trace) }
        }
    }
}

/// Where two logs part, with some of what stands around.
fn parting(real: &[log::Entry], model: &[log::Entry]) -> String {
    let at = real.iter().zip(model).position(|(a, b)| a != b).unwrap_or(real.len().min(model.len()));
    let around = |log: &[log::Entry]| {
        format!("{:?}", &log[at.saturating_sub(2).min(log.len())..(at + 4).min(log.len())])
    };
    format!(
        "from call {at} of {}: std {} model {} of {}",
        real.len(),
        around(real),
        around(model),
        model.len()
    )
}

/// Lengths up to which an operation has a model for types like these, where that is not all lengths: names, or what they begin with.
const RESTRICTED: &[(&str, usize)] = &[
    // Up to twenty elements are sorted by insertion, as the models do.
    ("sort", 20),
    // Eleven entries are one node; some operations add to them.
    ("map_append", 7),
    ("map_", 8),
    ("set_", 8),
    // The library searches two parts of a ring.
    ("deque_search", 1),
];

fn check(real: &[(&str, fn(usize, u64) -> String)], model: &[(&str, fn(usize, u64) -> String)]) {
    static QUIET: std::sync::Once = std::sync::Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // The panics of operations are compared; only the comparison's own are news.
            if info.payload_as_str().is_some_and(|text| text.contains("operations differ")) {
                loud(info);
            }
        }));
    });
    let long: Option<usize> = std::env::var("TRACE_LENGTHS").ok().and_then(|text| text.parse().ok());
    let lengths: Vec<usize> = match long {
        Some(most) => (0..=most).collect(),
        None => (0..=13).chain([19, 20, 21, 34]).collect(),
    };
    let mut wrong = Vec::new();
    for ((name, over_std), (_, over_model)) in real.iter().zip(model) {
        let exact_to = RESTRICTED
            .iter()
            .find(|(restricted, _)| name.starts_with(restricted))
            .map_or(usize::MAX, |(_, to)| *to);
        'lengths: for count in &lengths {
            for seed in 0..8 {
                let (expected, found) = (run(*over_std, *count, seed), run(*over_model, *count, seed));
                let what = match (&expected, &found) {
                    (_, Ran::Unmodelled) if *count > exact_to => continue,
                    (_, Ran::Unmodelled) => "is not modelled".to_string(),
                    (Ran::Ended(a, _), Ran::Ended(b, _)) if a != b => format!("gives {b} instead of {a}"),
                    (Ran::Ended(_, a), Ran::Ended(_, b)) | (Ran::Panicked(a), Ran::Panicked(b)) if a != b => {
                        parting(a, b)
                    }
                    _ if expected == found => continue,
                    _ => "panics, or does not".to_string(),
                };
                wrong.push(format!("{name} at {count} elements, seed {seed}: {what}"));
                break 'lengths;
            }
        }
    }
    assert!(wrong.is_empty(), "{} operations differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn vectors_and_slices() {
    check(real::VECS, model::VECS);
}

#[test]
fn collections() {
    check(real::COLLECTIONS, model::COLLECTIONS);
}

#[test]
fn iterators() {
    check(real::ITERATORS, model::ITERATORS);
}

#[test]
fn values() {
    check(real::VALUES, model::VALUES);
}
