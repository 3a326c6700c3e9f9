//! The kinds of findings and what they are told by.

use std::collections::BTreeSet;

use regress_core::value::{Outcome, Panic, PanicKind};
use regress_core::verdict::{ChangeKind, Class, Confirmation, Verdict, Version};

use crate::report::finding::{Finding, claim, example, place};
use crate::report::testing::{differs, function, ok, overflow, suspect, witness};
use crate::report::{Note, Standing};
use regress_core::verdict::not_analysed::NotRun;

#[test]
fn ids_are_what_they_always_were() {
    let listed: Vec<String> =
        Finding::ALL.iter().map(|finding| format!("{} {}", finding.id(), finding.name())).collect();
    // An id that is taken away or given another meaning breaks what users wrote down. New ones come at the end.
    let expected = [
        "REG0001 PanicAdded",
        "REG0002 AbortAdded",
        "REG0003 HangAdded",
        "REG0004 OutputChanged",
        "REG0005 FailureChanged",
        "REG0006 PanicRemoved",
        "REG0007 AbortRemoved",
        "REG0008 HangRemoved",
        "REG0009 Unconfirmed",
        "REG0010 NotAnalysed",
        "REG0011 SignatureChanged",
        "REG0012 NoDifferenceFound",
        "REG0013 EqualWithin",
        "REG0014 Accepted",
        "REG0015 Interaction",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn each_kind_is_explained_under_its_own_id() {
    let mut texts = BTreeSet::new();
    for finding in Finding::ALL {
        let text = finding.explanation();
        assert!(text.starts_with(&format!("# {}: ", finding.id())), "{text}");
        assert!(text.contains("What to do: ") && text.contains("Example"), "{text}");
        assert!(texts.insert(text) && text.ends_with('\n'), "{text}");
        assert_eq!(Finding::named(&finding.id().to_lowercase()), Some(finding));
        assert_eq!(Finding::named(finding.name()), Some(finding));
    }
    assert_eq!(Finding::named("REG9999"), None);
    assert_eq!(Finding::named(""), None);
}

#[track_caller]
fn check(old: Outcome, new: Outcome, expected: Finding, words: &str) {
    let class = Class::of(&old, &new);
    let function = function("f", ChangeKind::Changed, differs(class, vec![witness(old, new)]));
    assert_eq!(Finding::of(&function), Some(expected));
    assert!(claim(&function).contains(words), "{}", claim(&function));
}

#[test]
fn outcomes_say_which_kind_it_is() {
    let abort = || Outcome::Aborted("SIGSEGV".to_owned());
    let unwrap = || Outcome::Panicked(Panic { kind: PanicKind::Unwrap, message: None, location: None });
    check(ok(1), overflow(), Finding::PanicAdded, "panics");
    check(ok(1), abort(), Finding::AbortAdded, "aborts");
    check(ok(1), Outcome::Hung, Finding::HangAdded, "does not end");
    check(ok(1), ok(2), Finding::OutputChanged, "a different result");
    check(overflow(), unwrap(), Finding::FailureChanged, "fails in another way");
    check(overflow(), Outcome::Hung, Finding::FailureChanged, "fails in another way");
    check(overflow(), ok(1), Finding::PanicRemoved, "no longer panics");
    check(abort(), ok(1), Finding::AbortRemoved, "no longer aborts");
    check(Outcome::Hung, ok(1), Finding::HangRemoved, "now ends");
}

#[test]
fn a_finding_is_that_of_the_worst_call_that_was_seen() {
    let mut unseen = witness(ok(1), Outcome::Hung);
    unseen.confirmation = Confirmation::Unconfirmed { reason: NotRun::Said("no harness".to_owned()) };
    let witnesses = vec![unseen.clone(), witness(ok(1), ok(2)), witness(ok(1), overflow())];
    let both = function("f", ChangeKind::Changed, differs(Class::Regression, witnesses));
    assert_eq!(Finding::of(&both), Some(Finding::PanicAdded));
    assert_eq!(example(&both), Some(&both.witnesses()[2]));
    let only_unseen = function("f", ChangeKind::Changed, differs(Class::Regression, vec![unseen]));
    assert_eq!(Finding::of(&only_unseen), Some(Finding::Unconfirmed));
    assert_eq!(claim(&only_unseen), "perhaps does not end on inputs it could take before");
}

#[test]
fn a_place_is_in_the_new_version() {
    let mut verdict = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    let plain = function("f", ChangeKind::Changed, verdict.clone());
    let at = place(&plain).expect("it is in the new version");
    assert_eq!((at.file.as_str(), at.line_start, at.columns), ("src/lib.rs", 3, None));
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        suspects.push(suspect(Version::Old, 0, 2, (1, 5), 1));
        suspects.push(suspect(Version::New, 1, 9, (1, 5), 3));
        suspects.push(suspect(Version::New, 0, 4, (8, 20), 2));
    }
    let suspected = function("f", ChangeKind::Changed, verdict);
    let at = place(&suspected).expect("it is in the new version");
    assert_eq!((at.file.as_str(), at.line_start, at.columns), ("src/lib.rs", 4, Some((8, 20))));
    assert_eq!(place(&function("gone", ChangeKind::Removed, Verdict::Removed)), None);
}

/// What it leaves is another value, and the worst that others show of that is what it is reported by.
#[test]
fn a_new_panic_of_others_is_a_regression_of_what_leaves_the_value() {
    let of = |verdict: Verdict, seen: &[(Outcome, Outcome)]| {
        let mut function = function("f", ChangeKind::Changed, verdict);
        for (old, new) in seen {
            let witness = Box::new(witness(old.clone(), new.clone()));
            function.notes.push(Note::SeenBy { call: "g(f())".into(), witness });
        }
        (function.standing(), Finding::of(&function), claim(&function))
    };
    let differs = || differs(Class::Behaviour, vec![witness(ok(1), ok(2))]);
    let (standing, finding, said) = of(differs(), &[(ok(1), ok(2)), (ok(1), overflow())]);
    assert_eq!((standing, finding), (Standing::Regression, Some(Finding::PanicAdded)));
    assert_eq!(said, "leaves or returns a value on which other functions panic that did not before");
    let (standing, finding, said) = of(differs(), &[(ok(1), ok(2)), (overflow(), ok(1))]);
    assert_eq!((standing, finding), (Standing::Behaviour, Some(Finding::OutputChanged)));
    assert_eq!(said, "returns a different result");
}
