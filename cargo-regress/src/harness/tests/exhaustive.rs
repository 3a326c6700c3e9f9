//! Every input over real builds. How many there are is written down by hand.

use regress_core::evidence::{Listed, Shown};

use super::*;

const BUDGET: Duration = Duration::from_secs(60);

const TYPES: &str = "
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Suit { Clubs, Diamonds, Hearts, Spades }
    pub enum Kind { None, One(Option<bool>), Two { suit: Suit, up: bool } }
    pub struct Wrapped(Suit, bool);
    pub struct Pair<T> { pub a: T, b: Option<T> }
    pub enum Hooked { Plain, Hook(fn() -> u8) }
    pub enum List { End, More(Box<List>) }
    pub enum Never {}
";

fn both(built: &[Built; 2]) -> Both {
    Both {
        old: (built[0].worker_within(CALL), built[0].id("f")),
        new: (built[1].worker_within(CALL), built[1].id("f")),
        patience: Patience::new(None),
        common: CommonShapes::default(),
    }
}

fn run(old: &str, new: &str, inputs: u64) -> Exhaustive {
    let built = [old, new].map(|text| build_demo(&[("src/lib.rs", text)], &["f"]));
    let mut both = both(&built);
    assert_eq!(inputs_in_common(&both), Some(inputs));
    run_every_input(&mut both, inputs, BUDGET).expect("workers that go on")
}

#[test]
fn inputs_are_counted_by_their_types() {
    let expected: [(&str, Option<u64>); 22] = [
        ("", Some(1)),
        ("_: ()", Some(1)),
        ("_: bool", Some(2)),
        ("_: u8, _: i16", Some(1 << 24)),
        ("_: u8, _: i16, _: bool", None),
        ("_: char", Some(0x11_0000 - 0x800)),
        ("_: u32", None),
        ("_: usize", None),
        ("_: f32", None),
        ("_: &str", None),
        ("_: Vec<bool>", None),
        ("_: &[bool]", None),
        ("_: [bool; 10]", Some(1024)),
        ("_: &mut (u8, bool), _: &Suit", Some(2048)),
        ("_: Option<Suit>, _: Result<bool, Suit>", Some(30)),
        ("_: std::num::NonZeroU8, _: std::cmp::Ordering", Some(765)),
        ("_: Kind", Some(1 + 3 + 8)),
        ("_: Wrapped", Some(8)),
        ("_: Pair<bool>, _: Box<Pair<Suit>>", Some(6 * 20)),
        // Not all values can be made.
        ("_: Hooked", None),
        ("_: List", None),
        ("_: std::cell::Cell<bool>", None),
    ];
    let functions: String = expected
        .iter()
        .enumerate()
        .map(|(number, (params, _))| format!("pub fn f{number}({params}) -> u8 {{ 0 }}\n"))
        .collect();
    let text = format!("{TYPES}{functions}");
    let names: Vec<String> = (0..expected.len()).map(|number| format!("f{number}")).collect();
    let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let built = build_demo(&[("src/lib.rs", &text)], &wanted);
    for (name, (params, expected)) in names.iter().zip(expected) {
        let Availability::Ready { inputs, .. } = built.harness.availability(built.id(name)) else {
            panic!("{params} can be made");
        };
        assert_eq!(*inputs, expected, "{params}");
    }
}

#[test]
fn every_input_is_run_once() {
    let text = |body: &str| format!("{TYPES}pub fn f(number: u16, kind: Kind) -> u32 {{ {body} }}");
    let weigh = "let weight = match kind {
        Kind::None => 0,
        Kind::One(up) => 1 + up.map_or(0, u32::from),
        Kind::Two { suit, up } => 3 + 2 * suit as u32 + u32::from(up),
    };";
    let old = text(&format!("{weigh} u32::from(number) / 3 * 11 + weight"));
    let new = text(&format!("{weigh} (u32::from(number) / 3).wrapping_mul(11) + weight"));
    let inputs = 65_536 * 12;
    let ran = run(&old, &new, inputs);
    let all = Listed { inputs, run: inputs, differing: 0, panicking: 0, shown: Shown::Whole };
    assert_eq!((ran.listed, ran.end), (all, ListEnd::All));
    assert_eq!((ran.differences, ran.unstable), (Vec::new(), Vec::new()));
}

#[test]
fn inputs_that_differ_are_counted_and_the_shortest_confirmed() {
    let old =
        "pub fn f(number: u16, up: bool) -> u16 { if number == 9 { panic!(\"old words\") } number >> 1 }";
    let new = "pub fn f(number: u16, up: bool) -> u16 { if number == 9 { panic!(\"new words\") }
        if up && number > 60_000 && number % 1_000 == 7 { return 1 } number / 2 }";
    let ran = run(old, new, 1 << 17);
    // 60,007 to 65,007; of panics the message does not count.
    let expected = Listed { inputs: 1 << 17, run: 1 << 17, differing: 6, panicking: 2, shown: Shown::Whole };
    assert_eq!((ran.listed, ran.end), (expected, ListEnd::All));
    let found: HashSet<Vec<Value>> =
        ran.differences.into_iter().map(|difference| difference.inputs).collect();
    let numbers = (60..66).map(|thousands| thousands * 1_000 + 7);
    let told = numbers.map(|number| vec![Value::int(IntTy::U16, number), Value::Bool(true)]);
    assert_eq!(found, told.collect());
}

#[test]
fn what_does_not_come_back_or_is_not_shown_is_no_proof() {
    let endless = "pub fn f(number: u8) -> u8 { while number == 200 {} number }";
    let ran = run(endless, endless, 256);
    assert_eq!(ran.end, ListEnd::Lost);
    assert!(!ran.listed.is_complete());
    let dies = "pub fn f(number: u8) -> u8 { if number == 200 { std::process::abort() } number }";
    assert_eq!(run(dies, dies, 256).end, ListEnd::Lost);
    // Its `Debug` says nothing of the function.
    let hidden = "pub struct Shown(fn() -> u8);
        impl std::fmt::Debug for Shown { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"Shown\") } }
        pub fn f(number: u8) -> Shown { let _ = number; Shown(|| 1) }";
    let ran = run(hidden, &hidden.replace("|| 1", "|| 2"), 256);
    assert_eq!((ran.listed.is_complete(), ran.listed.shown), (true, Shown::InPart));
}

#[test]
fn values_of_another_shape_are_compared_in_part() {
    let old = "pub struct P { bits: u8 } pub fn f(x: u8) -> P { P { bits: x } }";
    let grown = "pub struct P { bits: u8, more: bool } pub fn f(x: u8) -> P { P { bits: x, more: true } }";
    let other = "pub struct P { low: u8, high: u8 } pub fn f(x: u8) -> P { P { low: x & 15, high: x >> 4 } }";
    for new in [grown, other] {
        let ran = run(old, new, 256);
        assert_eq!((ran.listed.differing, ran.listed.shown), (0, Shown::InPart), "{new}");
    }
}

#[test]
fn what_raised_a_panic_is_not_told_by_its_words() {
    let checked = "pub fn f(x: u8) -> u8 { x + 1 }";
    let imitated = "pub fn f(x: u8) -> u8 { if x == 255 { panic!(\"attempt to add with overflow\") } x.wrapping_add(1) }";
    let ran = run(checked, imitated, 256);
    let expected = Listed { inputs: 256, run: 256, differing: 0, panicking: 1, shown: Shown::InPart };
    assert_eq!(ran.listed, expected);
}

#[test]
fn a_function_that_counts_its_calls_is_not_believed() {
    let counts =
        "pub fn f(up: bool) -> u8 { use std::sync::atomic::*; static CALLS: AtomicU8 = AtomicU8::new(0);
        let calls = CALLS.fetch_add(1, Ordering::SeqCst); if calls > 0 && up { LATER } else { 0 } }";
    let ran = run(&counts.replace("LATER", "1"), &counts.replace("LATER", "2"), 2);
    assert_eq!(ran.listed.differing, 1);
    assert!(ran.differences.is_empty() && !ran.unstable.is_empty());
}
