//! How each kind of verdict reads.

use insta::assert_snapshot;
use regress_core::ir::IntTy;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::suspicion::{Changed, Effect, OutputsPart, Suspicion};
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Exhausted, Input, Proof, Suspect, Verdict, Version,
};

use crate::report::human::{Style, render};
use crate::report::testing::{
    TextSources, differs, explored, function, ledger, ok, overflow, proof, report, suspect, witness,
};
use crate::report::{Cause, ChangedLines, FunctionReport, Note, PublicCaller, SeenFromOutside, Standing};
use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Refused};

fn rendered(functions: Vec<FunctionReport>) -> String {
    render(&report(functions), &TextSources, Style::Plain)
}

#[test]
fn regression() {
    let mut verdict = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        suspects.push(suspect(Version::New, 0, 3, (15, 30), 1));
        suspects.push(suspect(Version::Old, 0, 3, (15, 33), 2));
        suspects.push(suspect(Version::New, 1, 9, (1, 5), 3));
    }
    assert_snapshot!(rendered(vec![function("parse", ChangeKind::Changed, verdict)]), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    regression[REG0001]: `parse` panics on inputs it could take before
     --> src/lib.rs:3:15
      |
    3 |     let end = bytes.len() - 2;
      |               ^^^^^^^^^^^^^^^ suspect 1: this line changed
    4 |     Ok(bytes[end] as usize)
      |     ----------------------- changed
      |
     ::: HEAD~1:src/lib.rs:3:15
      |
    3 |     let end = bytes.len().min(2);
      |               ------------------ suspect 2: this line changed
    4 |     Ok(end)
      |     ------- changed
      |
      = note: `parse("0")` returned `Ok(1)`, now panics: attempt to subtract with overflow at src/lib.rs:3:15
      = note: suspect 3: src/helper.rs:9 (new): this line changed
      = note: 2 of 7 explored partitions of the inputs differ

    summary: 1 regression; 0 functions unchanged (1.2 s)
    "#);
}

#[test]
fn what_came_of_a_change_is_said_once() {
    let of = |line, rank, effect| {
        let reason = Suspicion::Changed { what: Changed::Line, effect: Some(effect) };
        Suspect { reason, ..suspect(Version::New, 0, line, (5, 9), rank) }
    };
    let outputs = || Effect::Outputs(OutputsPart { old: "x".into(), new: "x + 1".into() });
    let outcomes = Effect::Outcomes { old: ok(1), new: ok(48) };
    let mut verdict = differs(Class::Behaviour, vec![witness(ok(1), ok(48))]);
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        suspects.extend([of(3, 1, outputs()), of(4, 2, outputs()), of(2, 3, outcomes)]);
    }
    let text = rendered(vec![function("parse", ChangeKind::Changed, verdict)]);
    assert_eq!(text.matches("suspect").count(), 3, "{text}");
    assert_eq!(text.matches("computes `x`").count(), 1, "{text}");
    // The call says it.
    assert_eq!(text.matches("returned").count(), 1, "{text}");
}

/// A difference of this class with a suspect in these lines.
fn suspected(path: &str, kind: ChangeKind, class: Class, lines: &[u32]) -> FunctionReport {
    let mut verdict = differs(class, vec![witness(ok(1), ok(48))]);
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        suspects
            .extend(lines.iter().zip(1..).map(|(line, rank)| suspect(Version::New, 1, *line, (5, 9), rank)));
    }
    function(path, kind, verdict)
}

#[test]
fn one_cause_is_shown_once() {
    use ChangeKind::{Affected, Changed};
    let mut functions = vec![
        suspected("first", Changed, Class::Behaviour, &[3, 4]),
        // It has a change of its own.
        suspected("second", Changed, Class::Behaviour, &[3, 4]),
        suspected("other_lines", Affected, Class::Behaviour, &[3]),
        suspected("nothing_known", Affected, Class::Behaviour, &[]),
        suspected("nothing_known_either", Affected, Class::Behaviour, &[]),
    ];
    functions.extend(
        (0..7).map(|number| suspected(&format!("caller_{number}"), Affected, Class::Behaviour, &[4, 3])),
    );
    let text = rendered(functions);
    assert_eq!(text.matches("behaviour change[").count(), 5, "{text}");
    let also = "the same lines are suspect in 7 more functions, which did not change themselves:
          `caller_0(\"0\")` returned `Ok(1)`, now returns `Ok(48)`
";
    assert!(text.contains(also), "{text}");
    assert!(text.contains("and `caller_5`, `caller_6`"), "{text}");
    assert!(text.contains("summary: 12 behaviour changes"), "{text}");
}

#[test]
fn behaviour_change() {
    let verdict = differs(Class::Behaviour, vec![witness(ok(1), ok(48))]);
    assert_snapshot!(rendered(vec![function("parse", ChangeKind::Changed, verdict)]), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    behaviour change[REG0004]: `parse` returns a different result
     --> src/lib.rs:3:5
      |
    3 |     let end = bytes.len() - 2;
      |     -------------------------- changed
    4 |     Ok(bytes[end] as usize)
      |     ----------------------- changed
      |
     ::: HEAD~1:src/lib.rs:3:5
      |
    3 |     let end = bytes.len().min(2);
      |     ----------------------------- changed
    4 |     Ok(end)
      |     ------- changed
      |
      = note: `parse("0")` returned `Ok(1)`, now returns `Ok(48)`
      = note: 2 of 7 explored partitions of the inputs differ

    summary: 1 behaviour change; 0 functions unchanged (1.2 s)
    "#);
}

#[test]
fn fix() {
    let verdict = differs(Class::Fix, vec![witness(overflow(), ok(1))]);
    assert_snapshot!(rendered(vec![function("parse", ChangeKind::Changed, verdict)]), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    fix[REG0006]: `parse` no longer panics on inputs it panicked on before
     --> src/lib.rs:3:5
      |
    3 |     let end = bytes.len() - 2;
      |     -------------------------- changed
    4 |     Ok(bytes[end] as usize)
      |     ----------------------- changed
      |
     ::: HEAD~1:src/lib.rs:3:5
      |
    3 |     let end = bytes.len().min(2);
      |     ----------------------------- changed
    4 |     Ok(end)
      |     ------- changed
      |
      = note: `parse("0")` panicked: attempt to subtract with overflow at src/lib.rs:3:15, now returns `Ok(1)`
      = note: 2 of 7 explored partitions of the inputs differ

    summary: 1 fix; 0 functions unchanged (1.2 s)
    "#);
}

#[test]
fn unconfirmed() {
    let mut shown = witness(ok(1), Outcome::Hung);
    shown.confirmation =
        Confirmation::Unconfirmed { reason: NotRun::Said("the harness does not compile".to_owned()) };
    let verdict = differs(Class::Regression, vec![shown]);
    let mut affected = function("parse", ChangeKind::Affected, verdict);
    affected.changed_lines = ChangedLines::default();
    assert_snapshot!(rendered(vec![affected]), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    unconfirmed[REG0009]: `parse` perhaps does not end on inputs it could take before
     --> src/lib.rs:1:1
      |
    1 | pub fn parse(s: &str) -> Result<usize, Error> {
      | ----------------------------------------------- not changed itself; a function it calls is
      |
     ::: HEAD~1:src/lib.rs:1:1
      |
    1 | pub fn parse(s: &str) -> Result<usize, Error> {
      | ----------------------------------------------- not changed itself; a function it calls is
      |
      = note: `parse("0")` returned `Ok(1)`, now does not end
              (not seen in a native run: the harness does not compile)
      = note: 2 of 7 explored partitions of the inputs differ

    summary: 1 unconfirmed difference; 0 functions unchanged (1.2 s)
    "#);
}

#[test]
fn what_made_the_input_is_named_where_that_changed() {
    let verdict = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    let mut affected = function("parse", ChangeKind::Affected, verdict);
    affected.changed_lines = ChangedLines::default();
    affected.notes = vec![Note::MakerDiffers { callee: "fixture::skip".to_owned() }];
    let text = rendered(vec![affected]);
    assert!(text.contains("- not changed itself; what makes its input is"), "{text}");
    assert!(!text.contains("a function it calls"), "{text}");
}

#[test]
fn whatever_is_not_a_difference_takes_a_line_per_reason() {
    let bounds = || ledger([Approximation::InputLength { max_len: 8 }]);
    let opaque = ledger([
        Approximation::InputLength { max_len: 8 },
        Approximation::OpaqueCall { callee: "libc::read".to_owned() },
    ]);
    let unread = |name| {
        let reason = NotAnalysed::Refused(Refused::NoBody);
        function(name, ChangeKind::Changed, Verdict::NotAnalysed { reason })
    };
    let following = |name, by: &[&str]| {
        let by = by.iter().map(|name| (*name).to_owned()).collect();
        function(name, ChangeKind::Affected, Verdict::Equal { proof: Proof::Congruent { by } })
    };
    let listed = |inputs| Proof::Exhaustive(Exhausted { inputs, panicking: 0 });
    let functions = vec![
        function("new_one", ChangeKind::Added, Verdict::Added),
        function("old_one", ChangeKind::Removed, Verdict::Removed),
        function("same", ChangeKind::Unchanged, Verdict::Unchanged),
        function("proved", ChangeKind::Changed, Verdict::Equal { proof: proof() }),
        function("listed", ChangeKind::Changed, Verdict::Equal { proof: listed(65_536) }),
        function("only", ChangeKind::Changed, Verdict::Equal { proof: listed(1) }),
        following("caller", &["proved"]),
        following("caller_of_both", &["other", "proved", "third"]),
        function(
            "bounded",
            ChangeKind::Changed,
            Verdict::EqualWithin { proof: explored(), bounds: bounds() },
        ),
        function(
            "bounded_too",
            ChangeKind::Changed,
            Verdict::EqualWithin { proof: explored(), bounds: bounds() },
        ),
        function("reads", ChangeKind::Changed, Verdict::NoDifferenceFound { runs: 1000, ledger: opaque }),
        unread("task::run"),
        unread("task::stop"),
    ];
    assert_snapshot!(rendered(functions), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    not analysed: 2 functions: it has no body
      `task::run`, `task::stop`

    inconclusive: no difference found: 1 function: the meaning of `libc::read` is not known
      `reads`

    equal within bounds: 2 functions: sequences of at most 8 elements
      `bounded`, `bounded_too`

    proved equal: 1 function, on every input
      `proved`

    proved equal: 1 function, on every input: every one of 65,536 was run
      `listed`

    proved equal: 1 function, on every input: its changed callees, `other`, `proved` and `third`, are proved equal
      `caller_of_both`

    proved equal: 1 function, on every input: its only changed callee, `proved`, is proved equal
      `caller`

    proved equal: 1 function, on every input: the one that there is was run
      `only`

    removed: 1 function
      `old_one`

    added: 1 function
      `new_one`

    summary: 5 proved equal, 2 equal within bounds, 1 without a difference found, 2 not analysed, 1 added, 1 removed; 1 function unchanged (1.2 s)
    "#);
}

#[test]
fn nothing_changed() {
    let functions = vec![
        function("one", ChangeKind::Unchanged, Verdict::Unchanged),
        function("two", ChangeKind::Unchanged, Verdict::Unchanged),
    ];
    assert_snapshot!(rendered(functions), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    summary: no changed functions; 2 functions unchanged (1.2 s)
    "#);
}

#[test]
fn long_lists_are_cut() {
    let functions =
        (0..11).map(|number| function(&format!("f{number:02}"), ChangeKind::Added, Verdict::Added)).collect();
    let text = rendered(functions);
    assert!(text.contains("`f07`, and 3 more"), "{text}");
    assert!(!text.contains("`f08`"), "{text}");
}

#[test]
fn regressions_come_first() {
    let behaviour = differs(Class::Behaviour, vec![witness(ok(1), ok(2))]);
    let regression = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    let fix = differs(Class::Fix, vec![witness(overflow(), ok(1))]);
    let text = rendered(vec![
        function("aa", ChangeKind::Changed, fix),
        function("bb", ChangeKind::Changed, behaviour),
        function("cc", ChangeKind::Changed, regression),
    ]);
    let at = |name: &str| text.find(name).unwrap_or_else(|| panic!("{name} in: {text}"));
    assert!(at("`cc`") < at("`bb`") && at("`bb`") < at("`aa`"), "{text}");
}

#[test]
fn effects_on_parameters_are_shown() {
    let unit = |value: bool| Outcome::Returned {
        value: Value::unit(),
        mutated: vec![(1, Value::Seq(vec![Value::Bool(value)]))],
    };
    let verdict = differs(Class::Behaviour, vec![witness(unit(true), unit(false))]);
    let text = rendered(vec![function("fill", ChangeKind::Changed, verdict)]);
    // The result is the same.
    let expected = "left `[true]` in parameter 2, now leaves `[false]` in parameter 2";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("`fill` leaves a different value in parameter 2"), "{text}");
}

#[test]
fn what_is_printed_otherwise_is_said_to_be_printed() {
    let printed =
        |text: &str| Outcome::Returned { value: Value::unit(), mutated: vec![(1, Value::Str(text.into()))] };
    let mut witness = witness(printed("0E-14"), printed("0"));
    let input = |name: &str| Input { name: name.into(), value: Value::unit() };
    witness.inputs = vec![input("self"), input("f")];
    let text = rendered(vec![function(
        "<Big as Display>::fmt",
        ChangeKind::Changed,
        differs(Class::Behaviour, vec![witness]),
    )]);
    assert!(text.contains("`<Big as Display>::fmt` prints something else"), "{text}");
    assert!(text.contains(r#"left `"0E-14"` in `f`, now leaves `"0"` in `f`"#), "{text}");
}

#[test]
fn what_is_left_alike_beside_another_result_is_not_told() {
    let number = |number| Value::int(IntTy::U8, number);
    let returned = |value, left| Outcome::Returned {
        value: number(value),
        mutated: vec![(0, number(left)), (1, Value::unit())],
    };
    let text_of = |old, new| {
        let verdict = differs(Class::Behaviour, vec![witness(old, new)]);
        rendered(vec![function("take", ChangeKind::Changed, verdict)])
    };
    let text = text_of(returned(1, 5), returned(2, 5));
    assert!(text.contains("returned `1`, now returns `2`\n"), "{text}");
    let text = text_of(returned(1, 5), returned(2, 6));
    assert!(text.contains("returned `1` leaving `5` in `s`, now returns `2` leaving `6` in `s`"), "{text}");
}

#[test]
fn what_callers_of_the_crate_see_comes_first() {
    let regression = || differs(Class::Regression, vec![witness(ok(1), overflow())]);
    let mut helper = function("aa", ChangeKind::Changed, regression());
    let quiet = PublicCaller {
        path: "cc".into(),
        standing: Standing::Equal,
        witness: None,
        was_tried: true,
        cause: Cause::NotKnown,
    };
    helper.outside = SeenFromOutside::Through(vec![quiet]);
    let mut shown = function("ab", ChangeKind::Changed, regression());
    let telling = PublicCaller {
        path: "bb".into(),
        standing: Standing::Regression,
        witness: Some("bb(1)".into()),
        was_tried: false,
        cause: Cause::SameChanges,
    };
    shown.outside = SeenFromOutside::Through(vec![telling]);
    let text = rendered(vec![helper, shown, function("bb", ChangeKind::Changed, regression())]);
    let at =
        |name: &str| text.find(&format!("`{name}` panics")).unwrap_or_else(|| panic!("{name} in: {text}"));
    assert!(at("ab") < at("bb") && at("bb") < at("aa"), "{text}");
}

#[test]
fn spans_that_the_sources_do_not_have_are_only_named() {
    let mut gone =
        function("parse", ChangeKind::Changed, differs(Class::Fix, vec![witness(overflow(), ok(1))]));
    for span in [&mut gone.old_span, &mut gone.new_span].into_iter().flatten() {
        span.file = "src/generated.rs".to_owned();
    }
    let mut beyond =
        function("beyond", ChangeKind::Changed, differs(Class::Fix, vec![witness(overflow(), ok(1))]));
    beyond.changed_lines.new = vec![0, 5, 6, 4_000_000_000];
    if let Verdict::Differs { suspects, .. } = &mut beyond.verdict {
        suspects.push(suspect(Version::New, 0, 2, (70, 5), 1));
        suspects.push(suspect(Version::Old, 7, 0, (0, 0), 2));
    }
    let text = rendered(vec![gone, beyond]);
    assert!(
        text.contains("--> src/generated.rs:1") && text.contains("::: HEAD~1:src/generated.rs:1"),
        "{text}"
    );
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let mut shown = witness(ok(1), overflow());
    if let Outcome::Panicked(panic) = &mut shown.new {
        panic.message = Some("bad \u{1b}[2J input".to_owned());
    }
    let text =
        rendered(vec![function("parse", ChangeKind::Changed, differs(Class::Regression, vec![shown]))]);
    assert!(!text.contains('\u{1b}') && text.contains("bad \\u{1b}[2J input"), "{text}");
}

#[test]
fn long_values_are_cut_in_the_middle() {
    let mut shown = witness(ok(1), ok(2));
    shown.inputs[0].value = Value::Str(format!("first{}last", "x".repeat(5_000)));
    let text = rendered(vec![function("parse", ChangeKind::Changed, differs(Class::Behaviour, vec![shown]))]);
    assert!(text.contains("parse(\"first") && text.contains("last\")` returned `Ok(1)`"), "{text}");
    assert!(text.len() < 2_000, "{text}");
}

#[test]
fn how_many_of_all_inputs_differ_is_told() {
    let mut differing =
        function("f", ChangeKind::Changed, differs(Class::Behaviour, vec![witness(ok(1), ok(2))]));
    differing.notes.push(Note::DiffersOn { differing: 3, inputs: 1_112_064 });
    let text = rendered(vec![differing]);
    assert!(text.contains("= note: they differ on 3 of 1,112,064 inputs, all of which were run"), "{text}");
}
