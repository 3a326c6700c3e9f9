//! Differences that the same lines are suspected of: shown as one, with the functions that it is seen in.
//!
//! A change deep in a crate shows in everything that comes to it. A function that did not change itself, with the standing and the suspect lines of one
//! that is shown, is listed there.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::verdict::{ChangeKind, Verdict, Version};

use super::{FunctionReport, Standing};

/// Lines of a version that are suspects, with the names of their files.
type Lines<'a> = BTreeSet<(bool, &'a str, u32)>;

/// A difference that is shown, and others that it goes for.
pub(super) struct OneCause<'a> {
    pub shown: &'a FunctionReport,
    pub also: Vec<&'a FunctionReport>,
}

/// All functions with a difference, in their order. Of those with the same lines one that changed is shown, if there is one.
pub(super) fn by_cause(functions: &[FunctionReport]) -> Vec<OneCause<'_>> {
    let differing: Vec<(&FunctionReport, Key<'_>)> =
        functions.iter().filter_map(|function| Some((function, key(function)?))).collect();
    let mut shown: BTreeMap<&Key<'_>, &FunctionReport> = BTreeMap::new();
    for (function, key) in differing.iter().filter(|(_, key)| !key.lines.is_empty()) {
        let known = shown.entry(key).or_insert(function);
        if known.kind == ChangeKind::Affected && function.kind != ChangeKind::Affected {
            *known = function;
        }
    }
    let stands_for = |function: &FunctionReport, key: &Key<'_>| {
        let shown = shown.get(key).copied();
        shown.filter(|shown| function.kind == ChangeKind::Affected && !std::ptr::eq(*shown, function))
    };
    let own = differing.iter().filter(|(function, key)| stands_for(function, key).is_none());
    own.map(|(function, _)| OneCause {
        shown: function,
        also: differing
            .iter()
            .filter(|(other, key)| stands_for(other, key).is_some_and(|shown| std::ptr::eq(shown, *function)))
            .map(|(other, _)| *other)
            .collect(),
    })
    .collect()
}

/// What differences have in common that are shown as one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    standing: Standing,
    counts_as: Standing,
    lines: Lines<'a>,
}

fn key(function: &FunctionReport) -> Option<Key<'_>> {
    let lines = suspect_lines(function)?;
    Some(Key { standing: function.standing(), counts_as: function.counts_as(), lines })
}

/// None if the function has no difference.
fn suspect_lines(function: &FunctionReport) -> Option<Lines<'_>> {
    let Verdict::Differs { suspects, .. } = &function.verdict else { return None };
    let named = suspects.iter().filter_map(|suspect| {
        let file = function.files.name(suspect.version, suspect.span.file)?;
        Some((suspect.version == Version::Old, file, suspect.span.line_start))
    });
    Some(named.collect())
}
