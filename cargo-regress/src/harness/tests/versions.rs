//! Two versions against each other.

use regress_core::evidence::{Doubt, NativeEnd, Replay};

use super::*;

fn compare(old: &str, new: &str, name: &str, runs: u64) -> Result<RandomTest, HarnessError> {
    compare_within(CALL, (old, new), name, runs)
}

/// The same with another limit of a call.
fn compare_within(
    call: Duration,
    (old, new): (&str, &str),
    name: &str,
    runs: u64,
) -> Result<RandomTest, HarnessError> {
    let old = build_demo(&[("src/lib.rs", old)], &[name]);
    let new = build_demo(&[("src/lib.rs", new)], &[name]);
    let mut literals = old.harness.literals(old.id(name)).clone();
    literals.add(new.harness.literals(new.id(name)));
    let plan = RandomTestPlan {
        tells: &|_, _| true,
        random: RandomPlan { literals, ..RandomPlan::new(7, runs) },
        most_differences: 3,
        budget: Duration::from_secs(20),
    };
    random_differential_test(&mut both_within(call, &old, &new, name), &plan)
}

fn both(old: &Built, new: &Built, name: &str) -> Both {
    both_within(CALL, old, new, name)
}

fn both_within(call: Duration, old: &Built, new: &Built, name: &str) -> Both {
    let side = |built: &Built| (built.worker_within(call), built.id(name));
    Both { old: side(old), new: side(new), patience: Patience::new(None), common: CommonShapes::default() }
}

#[test]
fn a_change_at_a_boundary_is_found_with_its_inputs() {
    let found =
        compare("pub fn f(x: u32) -> bool { x > 10 }\n", "pub fn f(x: u32) -> bool { x >= 10 }\n", "f", 2000)
            .expect("a random test");
    assert_eq!(found.end, NativeEnd::EnoughDifferences);
    for difference in &found.differences {
        assert_eq!(difference.inputs, [u32v(10)]);
        assert_eq!(difference.old, returned(Value::Bool(false)));
        assert_eq!(difference.new, returned(Value::Bool(true)));
    }
}

/// All inputs differ in the first part of the result, which tells little; one in the second.
#[test]
fn differences_that_tell_little_end_no_search_for_others() {
    let version = |result: &str| format!("pub fn f(x: u8) -> (u8, bool) {{ {result} }}\n");
    let old = build_demo(&[("src/lib.rs", &version("(x, x > 200)"))], &["f"]);
    let new = build_demo(&[("src/lib.rs", &version("(!x, x >= 200)"))], &["f"]);
    let second = |outcome: &Outcome| match outcome {
        Outcome::Returned { value: Value::Tuple(parts), .. } => Some(parts[1].clone()),
        _ => None,
    };
    let plan = RandomTestPlan {
        tells: &|old, new| second(old) != second(new),
        random: RandomPlan::new(7, 2000),
        most_differences: 3,
        budget: Duration::from_secs(20),
    };
    let found = random_differential_test(&mut both(&old, &new, "f"), &plan).expect("a random test");
    let (telling, faint): (Vec<_>, Vec<_>) =
        found.differences.iter().partition(|seen| second(&seen.old) != second(&seen.new));
    assert!(!telling.is_empty() && telling.iter().all(|seen| seen.inputs == [u8v(200)]));
    // Three are kept, of which those count once that are the same when they are small.
    assert!((1..=3).contains(&faint.len()), "{faint:?}");
}

#[test]
fn one_run_in_thousands_is_told_from_the_others() {
    let version = |result: &str| {
        format!(
            "\n// Panics move and are the same.\npub fn f(x: u32) -> u32 {{ assert!(x % 3 != 1); if x % 4099 == 17 {{ {result} }} else {{ x }} }}\n"
        )
    };
    let found = compare(&version("1"), version("2").trim_start(), "f", 100_000).expect("a random test");
    assert_eq!(found.end, NativeEnd::EnoughDifferences);
    for difference in &found.differences {
        let Value::Int { bits, .. } = difference.inputs[0] else { panic!("a number") };
        assert_eq!(bits % 4099, 17);
        assert_eq!((&difference.old, &difference.new), (&returned(u32v(1)), &returned(u32v(2))));
    }
}

#[test]
fn what_calls_leave_behind_is_the_same_for_both() {
    let source = "use std::sync::atomic::{AtomicU32, Ordering};\nstatic NEXT: AtomicU32 = AtomicU32::new(0);\n\
        pub fn f(x: u8) -> u32 { if x == 7 { std::thread::sleep(std::time::Duration::from_millis(30)) } NEXT.fetch_add(1, Ordering::Relaxed) }\n";
    let found = compare(source, source, "f", 3000).expect("a random test");
    assert_eq!((found.differences, found.unstable), (vec![], vec![]));
}

#[test]
fn constants_of_the_code_are_tried() {
    let found = compare(
        "pub fn f(s: &str) -> u32 { known(s) }\nconst FLAG: &str = \"--verbose\";\nfn known(s: &str) -> u32 { if s == FLAG { 1 } else { 0 } }\n",
        "pub fn f(s: &str) -> u32 { known(s) }\nconst FLAG: &str = \"--verbose\";\nfn known(s: &str) -> u32 { if s == FLAG { 2 } else { 0 } }\n",
        "f",
        2000,
    )
    .expect("a random test");
    assert_eq!(found.differences[0].inputs, [refer(text("--verbose"))]);
}

#[test]
fn texts_of_tests_are_tried_as_they_are() {
    // The constant is the hash of "quiet street", which stands in a test only.
    let version = |end: &str| {
        let hash = "s.iter().fold(5381u64, |h, b| h.wrapping_mul(33) ^ u64::from(*b))";
        format!(
            "pub fn f(s: &[u8]) -> u64 {{ let h = {hash}; {end} }}\n\
                 pub fn g(s: &str) -> u64 {{ f(s.as_bytes()) }}\n\
                 #[test] fn quiet() {{ assert_ne!(g(\"quiet street\"), 0); }}\n"
        )
    };
    let (old, new) = (version("h"), version("if h == 12092116746602636888 { 0 } else { h }"));
    let bytes = Value::Seq(b"quiet street".iter().map(|byte| u8v(*byte)).collect());
    for (name, input) in [("f", refer(bytes)), ("g", refer(text("quiet street")))] {
        let found = compare(&old, &new, name, 1000).expect("a random test");
        let inputs: Vec<&Vec<Value>> =
            found.differences.iter().map(|difference| &difference.inputs).collect();
        assert!(inputs.contains(&&vec![input]), "{inputs:?}");
    }
}

#[test]
fn where_large_numbers_take_long_small_ones_are_run() {
    let version = |when: u8| {
        format!(
            "pub fn f(width: u64, more: u64) -> u8 {{ let mut n = 0; while n < width {{ n = std::hint::black_box(n + 1); }}\n\
             if width % 8 == 5 && more % 8 == 3 {{ {when} }} else {{ 0 }} }}\n"
        )
    };
    let found = compare(&version(0), &version(1), "f", 1000).expect("a random test");
    assert!(!found.differences.is_empty(), "{:?} after {}", found.end, found.runs);
}

#[test]
fn texts_with_characters_of_one_kind_are_changed_in_one_place() {
    let version = |when: &str| {
        format!(
            "pub fn f(a: &str, b: &str) -> usize {{ let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());\n\
             let differ: Vec<usize> = (0..x.len()).filter(|i| y.get(*i) != Some(&x[*i])).collect();\n\
             let is_swap = x.len() == y.len() && matches!(differ[..], [i, j] if x[i] == y[j] && x[j] == y[i]);\n\
             if is_swap && !a.is_ascii() && a.as_bytes()[0] == b.as_bytes()[0] {{ {when} }} else {{ 0 }} }}\n"
        )
    };
    let found = compare(&version("0"), &version("1"), "f", 5000).expect("a random test");
    assert!(!found.differences.is_empty(), "{:?}", found.end);
}

#[test]
fn equal_meaning_gives_no_difference_and_panics_count_by_kind() {
    let found = compare(
        "pub fn f(x: u8, y: u8) -> u8 { assert!(x != 3, \"not three\"); x + y }\n",
        "pub fn f(a: u8, b: u8) -> u8 { if a == 3 { panic!(\"three\") }\n b + a }\n",
        "f",
        1500,
    )
    .expect("a random test");
    // A quarter more have longer sequences.
    assert_eq!((found.runs, found.differences, found.end), (1875, vec![], NativeEnd::Completed));
}

#[test]
fn an_endless_loop_in_one_version_is_a_difference() {
    // It is waited for ten times as long.
    let found = compare_within(
        Duration::from_millis(300),
        (
            "pub fn f(x: u8) -> u8 { x }\n",
            "pub fn f(x: u8) -> u8 { while x == 0 { std::hint::spin_loop() } x }\n",
        ),
        "f",
        300,
    )
    .expect("a random test");
    assert_eq!(found.differences[0].inputs, [u8v(0)]);
    assert_eq!(found.differences[0].new, Outcome::Hung);
}

#[test]
fn what_differs_by_chance_is_not_a_difference() {
    let source = "pub fn f(x: u8) -> u64 { let t = std::time::UNIX_EPOCH.elapsed().unwrap(); u64::from(x) ^ t.as_nanos() as u64 }\n";
    let found = compare(source, source, "f", 50).expect("a random test");
    assert_eq!((found.differences.len(), found.end), (0, NativeEnd::TooManyUnstable));
    let by_chance = |seen: &Unstable| matches!(seen.doubt, Doubt::NotDeterministic { .. });
    assert!(found.unstable.iter().all(by_chance) && !found.unstable.is_empty(), "{:?}", found.unstable);
}

#[test]
fn small_inputs_are_tried_where_the_order_of_larger_ones_shows() {
    let version = |one: &str| {
        format!(
            "use std::collections::HashMap;\n\
             pub fn f(map: &HashMap<u8, u8>) -> Vec<u8> {{ let all: Vec<u8> = map.keys().copied().collect(); if all.len() == 1 && all[0] % 16 == 3 {{ {one} }} else {{ all }} }}\n"
        )
    };
    let found = compare(&version("all"), &version("Vec::new()"), "f", 1000).expect("a random test");
    assert!(!found.differences.is_empty(), "{:?}", found.end);
    let one_entry = |seen: &Difference| matches!(&seen.inputs[..], [Value::Ref(map)] if matches!(&**map, Value::Seq(entries) if entries.len() == 1));
    assert!(found.differences.iter().all(one_entry), "{:?}", found.differences);
}

#[test]
fn different_parameters_have_no_inputs_in_common() {
    let error = compare(
        "pub struct P { a: u8 }\npub fn f(p: P) -> u8 { p.a }\n",
        "pub struct P { a: u16 }\npub fn f(p: P) -> u8 { p.a as u8 }\n",
        "f",
        10,
    );
    assert!(matches!(error, Err(HarnessError::ShapesDiffer { .. })), "{error:?}");
}

#[test]
fn one_input_is_replayed_on_both() {
    let old = build_demo(&[("src/lib.rs", "pub fn f(x: u8) -> u8 { 100 / x }\n")], &["f"]);
    let new = build_demo(
        &[("src/lib.rs", "pub fn f(x: u8) -> u8 { 100_u8.checked_div(x).unwrap_or(0) }\n")],
        &["f"],
    );
    let mut both = both(&old, &new, "f");
    let mut check = |input: u8| both.replay(&Asked::of(&[u8v(input)]), Care::Finding).expect("a replay");
    let fourteen = || returned(u8v(14));
    assert_eq!(check(7), Replay::Same { old: fourteen(), new: fourteen() });
    let Replay::Differs { old, new } = check(0) else { panic!("they differ") };
    assert_eq!(panic_kind(&old), PanicKind::DivisionByZero);
    assert_eq!(new, returned(u8v(0)));
}

#[test]
fn what_earlier_calls_left_behind_is_not_a_difference() {
    let old = "use std::cell::Cell;\nthread_local! { static SEEN: Cell<u8> = const { Cell::new(0) }; }\n\
        pub fn f(x: u8) -> u8 { SEEN.with(|seen| { if x > 100 { seen.set(1) } seen.get() }) }\n";
    let new = old.replace("seen.set(1)", "seen.set(2)");
    let found = compare(old, &new, "f", 400).expect("a random test");
    assert!(!found.unstable.is_empty(), "later calls see what an earlier one left");
    assert!(
        found
            .differences
            .iter()
            .all(|difference| matches!(difference.inputs[..], [Value::Int { bits: 101.., .. }]))
    );
}

#[test]
fn a_pre_pass_does_not_go_on_crashing() {
    let source = "pub fn f(x: u8) -> u8 { if x > 1 { std::hint::black_box(f(x)) } else { x } }\n";
    let found = compare(source, source, "f", 4000).expect("a random test");
    assert_eq!((found.end, found.differences.len()), (NativeEnd::TooManyCrashes, 0));
}

#[test]
fn what_was_moved_out_of_a_value_is_not_read() {
    let version = |take: &str| {
        format!(
            "use std::mem::ManuallyDrop;
            pub struct Gone {{ texts: ManuallyDrop<Vec<String>>, count: ManuallyDrop<u8> }}
            pub fn f(texts: Vec<String>) -> Gone {{
                let count = ManuallyDrop::new(texts.len() as u8);
                let mut gone = Gone {{ texts: ManuallyDrop::new(texts), count }};
                {take}
                gone
            }}\n"
        )
    };
    let moved_out = version("drop(unsafe { ManuallyDrop::take(&mut gone.texts) });");
    let found = compare(&version("let _ = &mut gone;"), &moved_out, "f", 400).expect("a random test");
    assert!(found.runs > 0 && found.differences.is_empty() && found.unstable.is_empty(), "{found:?}");
    let other =
        compare(&moved_out, &moved_out.replace("as u8", "as u8 / 2"), "f", 400).expect("a random test");
    assert!(!other.differences.is_empty(), "numbers are there all the same");
}

#[test]
fn arguments_that_depend_on_each_other_are_drawn() {
    let version = |result: &str| {
        format!(
            "pub fn f(a: &str, b: &str, x: u64, y: u64) -> u8 {{ if a.len() > 2 && b.starts_with(a) && x > 1000 && x == y {{ {result} }} else {{ 0 }} }}\n"
        )
    };
    let found = compare(&version("1"), &version("2"), "f", 20_000).expect("a random test");
    assert!(!found.differences.is_empty());
}

#[test]
fn both_versions_are_told_the_same_place() {
    let check = |old: &str, name: &str| {
        let old = format!("use std::panic::Location;\n{old}\n");
        let new = format!("{old}\n\npub fn added() {{}}\n");
        let found = compare(&old, &new, name, 60).expect("a random test");
        assert!(found.runs > 0 && found.differences.is_empty() && found.unstable.is_empty(), "{found:?}");
    };
    check("#[track_caller] pub fn f(x: u32) -> u32 { Location::caller().line() ^ x }", "f");
    check("#[track_caller] pub fn f(x: &mut u32) { *x ^= Location::caller().column() }", "f");
    check(
        "#[track_caller] pub fn f(out: &mut std::fmt::Formatter) -> std::fmt::Result { write!(out, \"{}\", Location::caller()) }",
        "f",
    );
}

#[test]
fn glue_is_no_place_of_a_panic() {
    let built = build_demo(
        &[("src/lib.rs", "#[track_caller] pub fn f(x: u8) -> u8 { if x > 1 { panic!(\"big\") } x }\n")],
        &["f"],
    );
    let Outcome::Panicked(panic) = built.call("f", &[u8v(2)]) else { panic!("it panics") };
    assert_eq!((panic.message.as_deref(), panic.location), (Some("big"), None));
}
