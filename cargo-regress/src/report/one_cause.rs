//! Differences that the same lines are suspected of: shown as one, with the functions that it is seen in.
//!
//! A change deep in a crate shows in everything that comes to it. A function that did not change itself, with the standing and the suspect lines of one
//! that is shown before it, is listed there.

use std::collections::BTreeSet;

use regress_core::verdict::{ChangeKind, Verdict, Version};

use super::{FunctionReport, Standing};

/// Lines of a version that are suspects, with the names of their files.
type Lines<'a> = BTreeSet<(bool, &'a str, u32)>;

/// A difference that is shown, and others that it goes for.
pub(super) struct OneCause<'a> {
    pub shown: &'a FunctionReport,
    pub also: Vec<&'a FunctionReport>,
}

/// All functions with a difference, in their order.
pub(super) fn by_cause(functions: &[FunctionReport]) -> Vec<OneCause<'_>> {
    let mut found: Vec<(Option<(Standing, Standing, Lines<'_>)>, OneCause<'_>)> = Vec::new();
    for function in functions {
        let Some(lines) = suspect_lines(function) else { continue };
        let key = (!lines.is_empty()).then(|| (function.standing(), function.counts_as(), lines));
        let before = found.iter_mut().find(|(other, _)| key.is_some() && *other == key);
        match before {
            Some((_, cause)) if function.kind == ChangeKind::Affected => cause.also.push(function),
            _ => found.push((key, OneCause { shown: function, also: Vec::new() })),
        }
    }
    found.into_iter().map(|(_, cause)| cause).collect()
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
