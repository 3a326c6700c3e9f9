//! A test for each difference that was seen natively, to be kept with the sources.
//!
//! A test asserts what the version that returns gives: for a regression or another output what the old version gave, so it fails on
//! the new one until that is repaired; for a fix what the new version gives, so the defect cannot come back unnoticed. Where
//! neither version returns there is nothing to assert. Inputs that are one text or one list of bytes are also given as files
//! for a fuzzer's corpus.

use std::fmt::Write as _;

use regress_core::align::Pair;
use regress_core::exec::resolve;
use regress_core::ir::{IntTy, Ty};
use regress_core::signature::OutputOf;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Confirmation, Verdict, Witness};

use super::aligned::Aligned;
use super::explore::emit::{Call, beside, identifier, one_line};
use crate::report::{EmittedTests, FunctionReport, Note, wording};

/// The tests of all functions that differ.
pub(super) fn tests(aligned: &Aligned, reports: &[FunctionReport]) -> Vec<EmittedTests> {
    let with_pairs = aligned.with_pairs(reports).into_iter();
    let mut all: Vec<EmittedTests> =
        with_pairs.filter_map(|(pair, report)| of_function(aligned, pair, report)).collect();
    // Functions of different modules or traits may have one name as an identifier.
    for index in 1..all.len() {
        let (before, rest) = all.split_at_mut(index);
        let mut number = 1;
        let name = rest[0].name.clone();
        while before.iter().any(|other| other.name == rest[0].name) {
            number += 1;
            rest[0].name = format!("{name}_{number}");
        }
    }
    all
}

fn of_function(aligned: &Aligned, pair: &Pair, report: &FunctionReport) -> Option<EmittedTests> {
    let loaded = &aligned.loaded;
    let Verdict::Differs { witnesses, .. } = &report.verdict else { return None };
    let (old, new) = (pair.old?, pair.new?);
    // One call does not fit both versions.
    if loaded.old.program.in_sources(old) != old || loaded.new.program.in_sources(new) != new {
        return None;
    }
    let seen: Vec<&Witness> =
        witnesses.iter().filter(|witness| witness.confirmation == Confirmation::Native).collect();
    if seen.is_empty() {
        return None;
    }
    let program = &loaded.new.program;
    let item = &program.functions[new];
    let is_at_others = report.notes.iter().any(|note| matches!(note, Note::AtTypes { .. }));
    let at_others = aligned.other_types.of(new).filter(|_| is_at_others).cloned();
    let subst = at_others.or_else(|| aligned.harnesses.instantiation(old, new).ok())?.new;
    let closed = |ty: &Ty| resolve::normalize(program, &subst.ty(ty));
    let types: Vec<Ty> = item.inputs.iter().map(closed).collect();
    let output = closed(&item.output);
    let at = beside(program, new);
    let stem =
        identifier(item.path.as_str().rsplit("::").next().unwrap_or(item.path.as_str())).to_lowercase();
    let mut text = String::new();
    if let Some(span) = &report.new_span {
        let _ = writeln!(text, "// Belongs at the end of {}.", one_line(&span.file));
    }
    let _ = writeln!(text, "#[cfg(test)]\nmod {stem}_changes {{");
    let (mut number, mut corpus) = (0, Vec::new());
    for witness in seen {
        corpus.extend(bytes(&witness.inputs.iter().map(|input| &input.value).collect::<Vec<_>>()));
        let call = one_line(&report.call(witness));
        let change = one_line(&wording::change(witness));
        let _ = writeln!(text, "// `{call}` {change}.");
        let inputs: Vec<Value> = witness.inputs.iter().map(|input| input.value.clone()).collect();
        let test = expected(witness).and_then(|(kept, outcome)| {
            let call = Call { function: new, types: &types, output: &output, inputs: &inputs };
            call.test(&at, Some(&outcome)).map(|(_, body)| (kept, body))
        });
        match test {
            Ok((kept, body)) => {
                number += 1;
                let _ =
                    write!(text, "// {}\n#[test]\nfn {stem}_{number}() {{\n{body}}}\n\n", kept.describe());
            }
            Err(reason) => {
                let _ = writeln!(text, "// There is no test of this: {}.\n", one_line(&reason));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push_str("\n}\n");
    Some(EmittedTests { name: identifier(&report.path), text, tests: number, corpus })
}

/// The version whose outcome a test holds on to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Old,
    New,
}

impl Kept {
    fn describe(self) -> &'static str {
        match self {
            Kept::Old => "Passes on the old version and fails on the new one.",
            Kept::New => "Fails on the old version and passes on the new one.",
        }
    }
}

/// What a test asserts; the error tells why there is nothing to assert.
fn expected(witness: &Witness) -> Result<(Kept, Vec<(OutputOf, Value)>), String> {
    let (kept, value, mutated) = match (&witness.old, &witness.new) {
        (Outcome::Returned { value, mutated }, _) => (Kept::Old, value, mutated),
        (_, Outcome::Returned { value, mutated }) => (Kept::New, value, mutated),
        _ => return Err("neither version returns".into()),
    };
    let arguments = mutated.iter().map(|(index, value)| (OutputOf::Argument(*index), value.clone()));
    let outputs = std::iter::once((OutputOf::Return, value.clone())).chain(arguments).collect();
    Ok((kept, outputs))
}

/// The only input as it would lie in a file.
fn bytes(inputs: &[&Value]) -> Option<Vec<u8>> {
    let [input] = inputs else { return None };
    let inner = match input {
        Value::Ref(inner) => inner,
        other => *other,
    };
    match inner {
        Value::Str(text) => Some(text.clone().into_bytes()),
        Value::Seq(items) => items
            .iter()
            .map(|item| match item {
                Value::Int { ty: IntTy::U8, bits } => u8::try_from(*bits).ok(),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_bytes_are_corpus_entries() {
        let text = Value::Ref(Box::new(Value::Str("é\n".into())));
        assert_eq!(bytes(&[&text]), Some("é\n".as_bytes().to_vec()));
        let list = |items: &[i128]| {
            Value::Ref(Box::new(Value::Seq(items.iter().map(|item| Value::int(IntTy::U8, *item)).collect())))
        };
        assert_eq!(bytes(&[&list(&[0, 255])]), Some(vec![0, 255]));
        assert_eq!(bytes(&[&Value::int(IntTy::U8, 1)]), None);
        assert_eq!(bytes(&[&text, &text]), None);
        assert_eq!(bytes(&[&Value::Seq(vec![Value::int(IntTy::I8, 1)])]), None);
    }
}
