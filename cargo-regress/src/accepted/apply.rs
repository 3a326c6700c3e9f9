//! The entries against a report.

use regress_core::verdict::{Confirmation, Verdict, Witness};

use super::ending::Change;
use super::{Accepted, Entry};
use crate::report::{Acceptance, AcceptedBy, FunctionReport, Reach, Report, StaleEntry};

pub fn apply(report: &mut Report, accepted: &Accepted) {
    let is_past = |entry: &Entry| accepted.old.iter().any(|old| old.is_same(entry));
    let (past, in_force): (Vec<&Entry>, Vec<&Entry>) = accepted.new.iter().partition(|entry| is_past(entry));
    for function in &mut report.functions {
        function.acceptance = acceptance(function, &in_force);
    }
    let stale = |entry: &Entry, why: String| StaleEntry {
        function: entry.function.clone(),
        place: entry.place.clone(),
        why,
    };
    report.stale = past
        .into_iter()
        .map(|entry| stale(entry, "the old version has it already: remove it".into()))
        .collect();
    let unused =
        in_force.into_iter().filter_map(|entry| Some(stale(entry, why_unused(entry, &report.functions)?)));
    let unused: Vec<StaleEntry> = unused.collect();
    report.stale.extend(unused);
}

fn acceptance(function: &FunctionReport, entries: &[&Entry]) -> Acceptance {
    let own: Vec<&Entry> =
        entries.iter().copied().filter(|entry| entry.function == function.canonical).collect();
    if own.is_empty() || !function.verdict_standing().is_difference() {
        return Acceptance::Not;
    }
    let mut by: Vec<&Entry> = Vec::new();
    for witness in seen(function) {
        match own.iter().find(|entry| covers(entry, witness)) {
            Some(entry) if by.iter().any(|known| std::ptr::eq(*known, *entry)) => {}
            Some(entry) => by.push(entry),
            None => {
                let call = function.call(witness);
                return Acceptance::NotAll { place: own[0].place.clone(), call };
            }
        }
    }
    let told = |entry: &Entry| AcceptedBy {
        reason: entry.reason.clone(),
        place: entry.place.clone(),
        condition: entry.condition.as_ref().map(|condition| condition.text().to_owned()),
    };
    Acceptance::By(by.into_iter().map(told).collect())
}

/// The calls that were seen to differ natively, also those that the report leaves out.
pub fn seen(function: &FunctionReport) -> impl Iterator<Item = &Witness> {
    let all = function.witnesses().iter().chain(&function.unshown);
    all.filter(|witness| witness.confirmation == Confirmation::Native)
}

/// Whether the entry is about this call.
fn covers(entry: &Entry, witness: &Witness) -> bool {
    entry.change == Change::of(witness)
        && entry.condition.as_ref().is_none_or(|condition| condition.holds(&witness.inputs) == Ok(true))
}

/// Why an entry covers nothing; none if it does, or if nobody can tell.
fn why_unused(entry: &Entry, functions: &[FunctionReport]) -> Option<String> {
    let Some(function) = functions.iter().find(|function| function.canonical == entry.function) else {
        let crates: Vec<&str> = functions.iter().map(|function| crate_of(&function.canonical)).collect();
        // What was not selected may well have it.
        return crates
            .contains(&crate_of(&entry.function))
            .then(|| "neither version has such a function".to_owned());
    };
    if function.reach == Reach::OutOfTime || matches!(function.verdict, Verdict::NotAnalysed { .. }) {
        return None;
    }
    if seen(function).any(|witness| covers(entry, witness)) {
        return None;
    }
    Some(match function.verdict_standing().is_difference() {
        true => "the function differs, but not in this way".to_owned(),
        false => "the function was not seen to differ".to_owned(),
    })
}

/// The first name in a canonical path: `p` in `p::f` and in `<&p::T as p::Trait>::f`.
fn crate_of(path: &str) -> &str {
    let start = path.find(|c: char| c.is_alphanumeric() || c == '_').unwrap_or(0);
    let rest = &path[start..];
    &rest[..rest.find("::").unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;
    use regress_core::value::{Outcome, Value};
    use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Refused};
    use regress_core::verdict::{Approximation, ChangeKind, Class, Input};

    use super::super::condition::Condition;
    use super::super::entry::tests::entry;
    use super::*;
    use crate::args::FailOn;
    use crate::report::testing::{differs, function, overflow, proof, report, witness};
    use crate::report::{Standing, exit_code};

    fn call(argument: i128, old: Outcome, new: Outcome) -> Witness {
        let input = Input { name: "x".to_owned(), value: Value::int(IntTy::I32, argument) };
        Witness { inputs: vec![input], ..witness(old, new) }
    }

    fn gives(value: Value) -> Outcome {
        Outcome::Returned { value, mutated: Vec::new() }
    }

    fn number(argument: i128) -> Witness {
        call(argument, gives(Value::int(IntTy::I32, 1)), gives(Value::int(IntTy::I32, 2)))
    }

    fn subject(class: Class, witnesses: Vec<Witness>) -> FunctionReport {
        function("p::f", ChangeKind::Changed, differs(class, witnesses))
    }

    fn change(class: Class) -> Entry {
        entry(
            "p::f",
            class,
            "returns _",
            if class == Class::Regression { "panics: arithmetic overflow" } else { "returns _" },
        )
    }

    fn when(condition: &str) -> Entry {
        Entry {
            condition: Some(Condition::parse(condition).expect("understood")),
            ..change(Class::Behaviour)
        }
    }

    fn applied(function: FunctionReport, old: Vec<Entry>, new: Vec<Entry>) -> Report {
        let mut report = report(vec![function]);
        apply(&mut report, &Accepted { old, new });
        report
    }

    #[track_caller]
    fn check(function: FunctionReport, entries: Vec<Entry>, expected: Standing) {
        let report = applied(function, Vec::new(), entries);
        assert_eq!(report.functions[0].standing(), expected, "{:?}", report.functions[0].acceptance);
    }

    #[test]
    fn what_an_entry_names_is_accepted() {
        check(subject(Class::Behaviour, vec![number(1)]), vec![change(Class::Behaviour)], Standing::Accepted);
        check(subject(Class::Behaviour, vec![number(1)]), vec![when("x == 1")], Standing::Accepted);
        check(
            subject(Class::Behaviour, vec![number(1), number(7)]),
            vec![when("x == 1"), when("x > 5")],
            Standing::Accepted,
        );
    }

    #[test]
    fn another_difference_of_the_function_is_not() {
        let panics = || call(3, gives(Value::int(IntTy::I32, 1)), overflow());
        let flag = |old| call(3, gives(Value::Bool(old)), gives(Value::Bool(!old)));
        let behaviour = || vec![change(Class::Behaviour)];
        check(subject(Class::Regression, vec![panics()]), behaviour(), Standing::Regression);
        check(subject(Class::Regression, vec![panics(), number(1)]), behaviour(), Standing::Regression);
        check(subject(Class::Behaviour, vec![flag(true)]), behaviour(), Standing::Behaviour);
        let turned = entry("p::f", Class::Behaviour, "returns true", "returns false");
        check(subject(Class::Behaviour, vec![flag(true)]), vec![turned.clone()], Standing::Accepted);
        check(subject(Class::Behaviour, vec![flag(false)]), vec![turned.clone()], Standing::Behaviour);
        check(subject(Class::Behaviour, vec![flag(true), flag(false)]), vec![turned], Standing::Behaviour);
        check(
            subject(Class::Behaviour, vec![number(1), number(2)]),
            vec![when("x == 1")],
            Standing::Behaviour,
        );
        check(subject(Class::Behaviour, vec![number(1)]), vec![when("y == 1")], Standing::Behaviour);
        let other = Entry { function: "p::g".into(), ..change(Class::Behaviour) };
        check(subject(Class::Behaviour, vec![number(1)]), vec![other], Standing::Behaviour);
    }

    #[test]
    fn calls_that_are_not_shown_count_too() {
        let hidden =
            FunctionReport { unshown: vec![number(2)], ..subject(Class::Behaviour, vec![number(1)]) };
        check(hidden.clone(), vec![when("x == 1")], Standing::Behaviour);
        check(hidden.clone(), vec![when("x < 3")], Standing::Accepted);
        let report = applied(hidden, Vec::new(), vec![when("x == 1")]);
        let Acceptance::NotAll { call, .. } = &report.functions[0].acceptance else { panic!("not all") };
        assert_eq!(call, "p::f(2)");
    }

    #[test]
    fn what_the_old_version_has_speaks_of_an_older_difference() {
        let both = || (vec![change(Class::Behaviour)], vec![change(Class::Behaviour)]);
        let report = applied(subject(Class::Behaviour, vec![number(1)]), both().0, both().1);
        assert_eq!(report.functions[0].standing(), Standing::Behaviour);
        assert!(report.stale[0].why.contains("the old version has it already"));
        // A new entry for a new difference is one of a new commit.
        let anew = Entry { commit: Some("5d6e7f8".into()), ..change(Class::Behaviour) };
        let report = applied(subject(Class::Behaviour, vec![number(1)]), both().0, vec![anew]);
        assert_eq!(report.functions[0].standing(), Standing::Accepted);
        // To reword the reason does not make it a new one.
        let reworded = Entry { reason: "other words".into(), ..change(Class::Behaviour) };
        let report = applied(subject(Class::Behaviour, vec![number(1)]), both().0, vec![reworded]);
        assert_eq!(report.functions[0].standing(), Standing::Behaviour);
    }

    #[test]
    fn entries_that_cover_nothing_are_stale() {
        let stale = |function: FunctionReport, entry: Entry| -> Vec<String> {
            applied(function, Vec::new(), vec![entry]).stale.into_iter().map(|stale| stale.why).collect()
        };
        let differing = || subject(Class::Behaviour, vec![number(1)]);
        let equal = || function("p::f", ChangeKind::Changed, Verdict::Equal { proof: proof() });
        assert_eq!(stale(differing(), change(Class::Behaviour)), Vec::<String>::new());
        assert_eq!(
            stale(differing(), change(Class::Regression)),
            ["the function differs, but not in this way"]
        );
        assert_eq!(stale(equal(), change(Class::Behaviour)), ["the function was not seen to differ"]);
        let gone = |name: &str| Entry { function: name.into(), ..change(Class::Behaviour) };
        assert_eq!(stale(differing(), gone("p::gone")), ["neither version has such a function"]);
        assert_eq!(stale(differing(), gone("other::gone")), Vec::<String>::new());
        let unknown = function(
            "p::f",
            ChangeKind::Changed,
            Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) },
        );
        assert_eq!(stale(unknown, change(Class::Behaviour)), Vec::<String>::new());
    }

    #[test]
    fn what_no_native_run_showed_is_not_accepted() {
        let confirmation = Confirmation::Unconfirmed { reason: NotRun::Said("no harness".to_owned()) };
        let believed = Witness { confirmation, ..number(1) };
        check(
            subject(Class::Behaviour, vec![believed]),
            vec![change(Class::Behaviour)],
            Standing::Unconfirmed,
        );
    }

    #[test]
    fn accepted_differences_do_not_fail_unless_the_search_was_cut_short() {
        let levels = [FailOn::Never, FailOn::Regression, FailOn::Difference, FailOn::Unknown];
        let codes = |function: FunctionReport| {
            let report = applied(function, Vec::new(), vec![change(Class::Behaviour)]);
            levels.map(|level| exit_code([report.functions[0].counts_as()], level))
        };
        assert_eq!(codes(subject(Class::Behaviour, vec![number(1)])), [0; 4]);
        let mut cut_short = subject(Class::Behaviour, vec![number(1)]);
        if let Verdict::Differs { ledger, .. } = &mut cut_short.verdict {
            ledger.note(Approximation::TimeBudget { seconds: 3 });
        }
        assert_eq!(codes(cut_short), [0, 0, 0, 100]);
    }

    #[test]
    fn the_crate_of_a_path() {
        for (path, expected) in
            [("p::f", "p"), ("<&p::T as q::Trait>::f", "p"), ("<[p::T] as q::Trait>::f", "p")]
        {
            assert_eq!(crate_of(path), expected);
        }
    }
}
