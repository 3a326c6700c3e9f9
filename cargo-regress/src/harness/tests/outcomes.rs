//! What functions of every kind give.

use crate::harness::worker::Digests;
use std::sync::LazyLock;

use super::*;

const LIB: &str = r#"
pub fn add(a: u8, b: u8) -> u8 { a + b }
mod outer { pub mod inner { fn secret(x: i32) -> i32 { x.wrapping_mul(3) } } }
pub struct Counter { count: u32, steps: Vec<u8> }
impl Counter {
    fn bump(&mut self, by: u8) -> Option<u32> {
        self.steps.push(by);
        self.count = self.count.checked_add(by.into())?;
        Some(self.count)
    }
    pub fn total(&self) -> u32 { self.count }
    fn into_steps(self) -> Vec<u8> { self.steps }
}
#[derive(Debug, Clone, PartialEq)]
pub enum Shape { Dot, Circle(u32), Rect { w: u32, h: u32 }, Group(Vec<Shape>) }
pub fn area(shape: &Shape) -> u32 {
    match shape {
        Shape::Dot => 0,
        Shape::Circle(r) => 3 * r * r,
        Shape::Rect { w, h } => w * h,
        Shape::Group(all) => all.iter().map(area).sum(),
    }
}
pub fn grow(shape: Shape) -> Shape { match shape { Shape::Circle(r) => Shape::Rect { w: r, h: r }, other => Shape::Group(vec![other]) } }
pub fn first_word(s: &str) -> &str { s.split(' ').next().unwrap_or("") }
pub fn reverse(items: &mut [u8]) { items.reverse() }
pub fn middle(items: &[i32]) -> Option<&i32> { items.get(items.len() / 2) }
pub fn append(s: &mut String, c: char) { s.push(c) }
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() >= b.len() { a } else { b } }
pub fn first_of(items: &mut Vec<u8>) -> &mut u8 { &mut items[0] }
pub fn halve(x: f64) -> f64 { x / 2.0 }
pub fn root(x: f32) -> f32 { x.sqrt() }
pub fn pair(p: (u8, bool)) -> (bool, u8) { (p.1, p.0) }
pub fn sum3(a: [u8; 3]) -> u32 { a.iter().map(|x| u32::from(*x)).sum() }
pub fn parse(s: &str) -> Result<u8, std::num::ParseIntError> { s.parse() }
pub fn boxed(x: Box<u8>) -> Box<u8> { Box::new(*x / 2) }
pub fn order(a: i32, b: i32) -> std::cmp::Ordering { a.cmp(&b) }
pub fn span(r: std::ops::Range<u8>) -> usize { r.len() }
pub fn divide(a: i32, b: i32) -> i32 { a / b }
pub fn remainder(a: i32, b: i32) -> i32 { a % b }
pub fn pick(items: &[u8], at: usize) -> u8 { items[at] }
pub fn cut(items: &[u8], from: usize) -> &[u8] { &items[from..] }
pub fn force(x: Option<u8>) -> u8 { x.unwrap() }
pub fn explicit(x: u8) -> u8 { if x == 7 { panic!("seven is {}", x) } else { x } }
pub fn never(x: u8) -> ! { panic!("always {x}") }
pub fn forever(x: u8) -> u8 { while x == 1 { std::hint::spin_loop() } x }
pub fn deep(x: u64) -> u64 { if x == 0 { 0 } else { 1 + deep(std::hint::black_box(x) - 1) } }
pub fn chatty(x: u8) -> u8 { println!("O {{\"returned\"}}\n."); eprintln!("hello"); x }
pub fn ends(x: u8) -> u8 { match x { 0 => std::process::abort(), 1 => std::process::exit(0), 2 => std::process::exit(7), _ => x } }
pub fn hungry(n: usize) -> usize { vec![1u8; n].len() }
pub struct Meters(u32);
impl std::fmt::Display for Meters { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}m", self.0) } }
pub fn item(f: &mut std::fmt::Formatter, started: &mut bool, seen: &mut String) -> std::fmt::Result { *started = true; seen.push('!'); f.write_str("item") }
impl std::ops::Add for Meters { type Output = Meters; fn add(self, other: Meters) -> Meters { Meters(self.0 + other.0) } }
pub fn plus_one(x: impl Into<u32>) -> u32 { x.into() + 1 }
pub fn twice<T: Clone>(x: T) -> (T, T) { (x.clone(), x) }
pub unsafe fn danger(x: u8) -> u8 { x }
pub fn callback(f: fn(u8, u8, u8, u8) -> u8) -> u8 { f(1, 1, 1, 1) }
pub fn wipe(path: &str) -> bool { std::fs::remove_dir_all(path).is_ok() }
pub fn wipe_later(path: &str) -> bool { wipe(path) }
macro_rules! made { ($name:ident) => { pub fn $name(x: u8) -> u8 { x } } }
made!(by_macro);
// fn by_macro()
pub struct Opaque { f: fn(u8, u8, u8, u8) -> u8 }
pub fn use_opaque(o: &Opaque) -> u8 { (o.f)(1, 1, 1, 1) }
pub struct Holder<T> { item: T }
pub fn open(h: Holder<u8>) -> u8 { h.item }
#[derive(Debug)]
pub struct Sealed { inner: std::panic::AssertUnwindSafe<u8> }
pub fn seal(x: u8) -> Option<Sealed> { Some(Sealed { inner: std::panic::AssertUnwindSafe(x) }) }
pub fn leak_pointer(x: u8) -> *const u8 { Box::leak(Box::new(x)) }
pub fn letters(s: &str) -> std::str::Split<'_, char> { s.split('-') }
pub struct Mute { inner: std::panic::AssertUnwindSafe<u8> }
pub fn mute(x: u8) -> Mute { Mute { inner: std::panic::AssertUnwindSafe(x) } }
#[cfg(windows)]
pub fn elsewhere(x: u8) -> u8 { x }
"#;

static DEMO: LazyLock<Built> = LazyLock::new(|| {
    let wanted = [
        "add",
        "outer::inner::secret",
        "Counter::bump",
        "Counter::total",
        "Counter::into_steps",
        "area",
        "grow",
        "first_word",
        "reverse",
        "middle",
        "append",
        "longest",
        "first_of",
        "halve",
        "root",
        "pair",
        "sum3",
        "parse",
        "boxed",
        "order",
        "span",
        "divide",
        "remainder",
        "pick",
        "cut",
        "force",
        "explicit",
        "never",
        "forever",
        "deep",
        "chatty",
        "hungry",
        "ends",
        "<Meters as Display>::fmt",
        "item",
        "plus_one",
        "twice",
        "danger",
        "callback",
        "wipe",
        "wipe_later",
        "by_macro",
        "use_opaque",
        "open",
        "leak_pointer",
        "elsewhere",
        "seal",
        "letters",
        "mute",
    ];
    build_demo(&[("src/lib.rs", LIB)], &wanted)
});

fn check(path: &str, inputs: &[Value], expected: Value) {
    assert_eq!(DEMO.call(path, inputs), returned(expected), "{path}");
}

fn check_mutated(path: &str, inputs: &[Value], expected: Value, first: Value) {
    let expected = Outcome::Returned { value: expected, mutated: vec![(0, first)] };
    assert_eq!(DEMO.call(path, inputs), expected, "{path}");
}

#[test]
fn values_of_every_kind_go_in_and_come_out() {
    check("add", &[u8v(200), u8v(55)], u8v(255));
    check("outer::inner::secret", &[i32v(-5)], i32v(-15));
    check("first_word", &[refer(text("déjà vu"))], refer(text("déjà")));
    check("longest", &[refer(text("a")), refer(text("\"\\\n"))], refer(text("\"\\\n")));
    check("middle", &[refer(Value::Seq(vec![i32v(1), i32v(-2), i32v(3)]))], some(refer(i32v(-2))));
    check("middle", &[refer(Value::Seq(vec![]))], none());
    check(
        "pair",
        &[Value::Tuple(vec![u8v(9), Value::Bool(true)])],
        Value::Tuple(vec![Value::Bool(true), u8v(9)]),
    );
    check("sum3", &[bytes(&[255, 255, 1])], u32v(511));
    check("boxed", &[refer(u8v(9))], refer(u8v(4)));
    check("order", &[i32v(-1), i32v(0)], adt("std::cmp::Ordering", Some("Less"), CtorKind::Unit, &[]));
    let range = adt("std::ops::Range", None, CtorKind::Struct, &[("start", u8v(3)), ("end", u8v(9))]);
    check("span", &[range], Value::int(IntTy::Usize, 6));
    check("open", &[adt("demo::Holder", None, CtorKind::Struct, &[("item", u8v(8))])], u8v(8));
}

#[test]
fn floats_keep_their_bits_and_all_nans_are_one() {
    check("halve", &[Value::F64(3.0f64.to_bits())], Value::F64(1.5f64.to_bits()));
    check("halve", &[Value::F64((-0.0f64).to_bits())], Value::F64((-0.0f64).to_bits()));
    check("root", &[Value::F32((-1.0f32).to_bits())], Value::F32(0x7fc0_0000));
    check("halve", &[Value::F64(0xfff8_0000_0000_0001)], Value::F64(0x7ff8_0000_0000_0000));
}

#[test]
fn enums_and_structs_with_private_fields() {
    let dot = adt("demo::Shape", Some("Dot"), CtorKind::Unit, &[]);
    let circle = adt("demo::Shape", Some("Circle"), CtorKind::Tuple, &[("0", u32v(2))]);
    let rect = adt("demo::Shape", Some("Rect"), CtorKind::Struct, &[("w", u32v(2)), ("h", u32v(2))]);
    let group = adt(
        "demo::Shape",
        Some("Group"),
        CtorKind::Tuple,
        &[("0", Value::Seq(vec![dot.clone(), rect.clone()]))],
    );
    check("area", &[refer(group)], u32v(4));
    check("grow", &[circle], rect);
    let wrapped = adt("demo::Shape", Some("Group"), CtorKind::Tuple, &[("0", Value::Seq(vec![dot.clone()]))]);
    check("grow", &[dot], wrapped);
}

#[test]
fn what_mutable_references_refer_to_is_shown_afterwards() {
    let counter = |count, steps: &[u8]| {
        adt("demo::Counter", None, CtorKind::Struct, &[("count", u32v(count)), ("steps", bytes(steps))])
    };
    check_mutated("Counter::bump", &[refer(counter(40, &[1])), u8v(2)], some(u32v(42)), counter(42, &[1, 2]));
    check_mutated("Counter::bump", &[refer(counter(u32::MAX, &[])), u8v(1)], none(), counter(u32::MAX, &[1]));
    check("Counter::total", &[refer(counter(7, &[]))], u32v(7));
    check("Counter::into_steps", &[counter(7, &[3, 4])], bytes(&[3, 4]));
    check_mutated("reverse", &[refer(bytes(&[1, 2, 3]))], Value::unit(), bytes(&[3, 2, 1]));
    check_mutated("append", &[refer(text("a")), Value::Char('ß')], Value::unit(), text("aß"));
    check_mutated("first_of", &[refer(bytes(&[5]))], refer(u8v(5)), bytes(&[5]));
}

#[test]
fn what_is_written_to_a_formatter_is_an_output() {
    let meters = adt("demo::Meters", None, CtorKind::Tuple, &[("0", u32v(12))]);
    let ok = adt("std::result::Result", Some("Ok"), CtorKind::Tuple, &[("0", Value::unit())]);
    let outcome =
        DEMO.call("<Meters as Display>::fmt", &[refer(meters), Value::Opaque("fmt::Formatter".into())]);
    assert_eq!(outcome, Outcome::Returned { value: ok.clone(), mutated: vec![(1, text("12m"))] });
    let arguments = [Value::Opaque("fmt::Formatter".into()), refer(Value::Bool(false)), refer(text("a"))];
    let mutated = vec![(0, text("item")), (1, Value::Bool(true)), (2, text("a!"))];
    assert_eq!(DEMO.call("item", &arguments), Outcome::Returned { value: ok, mutated });
}

#[test]
fn what_only_debug_can_show_is_opaque() {
    let opaque = |text: &str| Value::Opaque(text.to_string());
    check("seal", &[u8v(5)], some(opaque("Sealed { inner: AssertUnwindSafe(5) }")));
    check("leak_pointer", &[u8v(1)], opaque("0x…"));
    check("letters", &[refer(text("a-b"))], opaque("yields [\"a\", \"b\"]"));
    let by_debug = [("inner", opaque("AssertUnwindSafe(3)"))];
    check("mute", &[u8v(3)], adt("demo::Mute", None, CtorKind::Struct, &by_debug));
}

#[test]
fn panics_are_told_apart() {
    let kind = |path: &str, inputs: &[Value]| panic_kind(&DEMO.call(path, inputs));
    let usize_ = |value| Value::int(IntTy::Usize, value);
    assert_eq!(kind("add", &[u8v(200), u8v(56)]), PanicKind::Overflow);
    assert_eq!(kind("divide", &[i32v(1), i32v(0)]), PanicKind::DivisionByZero);
    assert_eq!(kind("divide", &[i32v(i32::MIN), i32v(-1)]), PanicKind::Overflow);
    assert_eq!(kind("remainder", &[i32v(1), i32v(0)]), PanicKind::DivisionByZero);
    assert_eq!(kind("pick", &[refer(bytes(&[1])), usize_(1)]), PanicKind::IndexOutOfBounds);
    assert_eq!(kind("cut", &[refer(bytes(&[1])), usize_(2)]), PanicKind::IndexOutOfBounds);
    assert_eq!(kind("force", &[none()]), PanicKind::Unwrap);
    assert_eq!(kind("never", &[u8v(3)]), PanicKind::Explicit);
    let Outcome::Panicked(panic) = DEMO.call("explicit", &[u8v(7)]) else { panic!("no panic") };
    assert_eq!(panic.message.as_deref(), Some("seven is 7"));
    let line = LIB.lines().position(|line| line.contains("fn explicit")).expect("it is there") + 1;
    let column = LIB.lines().nth(line - 1).and_then(|line| line.find("panic!")).expect("it is there") + 1;
    assert_eq!(panic.location, Some(format!("src/lib.rs:{line}:{column}")));
}

#[test]
fn a_worker_outlives_what_its_process_does_not() {
    let mut worker = DEMO.worker();
    let mut call = |path: &str, input: Value| worker.call(DEMO.id(path), &[input]).expect("an outcome");
    assert_eq!(call("forever", u8v(1)), Outcome::Hung);
    assert_eq!(call("forever", u8v(2)), returned(u8v(2)));
    assert_eq!(call("deep", Value::int(IntTy::U64, 100_000_000)), Outcome::Aborted("stack overflow".into()));
    assert_eq!(call("deep", Value::int(IntTy::U64, 10)), returned(Value::int(IntTy::U64, 10)));
    assert_eq!(call("hungry", Value::int(IntTy::Usize, 1 << 40)), Outcome::Aborted("out of memory".into()));
    assert_eq!(call("chatty", u8v(3)), returned(u8v(3)));
    let ended = |code: u8| Outcome::Aborted(format!("the process ended itself with exit code {code}"));
    assert_eq!(call("ends", u8v(0)), Outcome::Aborted("abort".into()));
    assert_eq!((call("ends", u8v(1)), call("ends", u8v(2))), (ended(0), ended(7)));
    assert_eq!(call("ends", u8v(3)), returned(u8v(3)));
}

#[test]
fn what_cannot_be_run_says_why() {
    let check = |path: &str, part: &str| {
        let reason = DEMO.reason(path);
        assert!(reason.contains(part), "{path}: {reason}");
    };
    check("plus_one", "generic");
    check("twice", "generic");
    check("danger", "unsafe");
    check("callback", "cannot be built");
    check("use_opaque", "`Opaque` cannot be built");
    check("use_opaque", "fn(u8, u8, u8, u8) -> u8");
    check("wipe", "std::fs");
    check("wipe_later", "std::fs");
    check("by_macro", "made by a macro");
    check("elsewhere", "not compiled in this configuration");
}

#[test]
fn inputs_of_the_wrong_type_are_refused() {
    let mut worker = DEMO.worker();
    let mut refused = |path: &str, inputs: &[Value]| {
        let outcome = worker.call(DEMO.id(path), inputs);
        assert!(matches!(outcome, Err(HarnessError::Misfit { .. })), "{path}: {outcome:?}");
    };
    refused("add", &[u8v(1), u32v(2)]);
    refused("add", &[u8v(1)]);
    refused("add", &[u8v(1), u8v(2), u8v(3)]);
    refused("sum3", &[bytes(&[1, 2])]);
    refused("area", &[refer(adt("demo::Shape", Some("Blob"), CtorKind::Unit, &[]))]);
    assert_eq!(worker.call(DEMO.id("add"), &[u8v(1), u8v(2)]).expect("an outcome"), returned(u8v(3)));
}

#[test]
fn random_runs_repeat_and_replay() {
    let mut worker = DEMO.worker();
    let plan = RandomPlan::new(42, 400);
    for path in ["add", "area", "first_word", "Counter::bump", "halve", "cut", "<Meters as Display>::fmt"] {
        let runs = worker.random(DEMO.id(path), &plan).expect("runs");
        assert_eq!(runs.len(), 400, "{path}");
        let again = DEMO.worker().random(DEMO.id(path), &plan).expect("runs");
        assert_eq!(runs, again, "{path}");
        for run in runs.iter().take(50) {
            let replayed = worker.call(DEMO.id(path), &run.inputs).expect("an outcome");
            assert_eq!(replayed, run.outcome, "{path}({:?})", run.inputs);
        }
    }
    let adds = worker.random(DEMO.id("add"), &plan).expect("runs");
    let overflows = adds.iter().filter(|run| matches!(run.outcome, Outcome::Panicked(_))).count();
    assert!((20..380).contains(&overflows), "{overflows} of 400 overflow");
    for run in adds {
        let [Value::Int { bits: a, .. }, Value::Int { bits: b, .. }] = run.inputs[..] else {
            panic!("two numbers")
        };
        match run.outcome {
            Outcome::Returned { value, .. } => assert_eq!(value, Value::int(IntTy::U8, (a + b) as i128)),
            other => assert!(a + b > 255, "{other:?} of {a} + {b}"),
        }
    }
}

#[test]
fn digests_differ_where_inputs_or_outcomes_do() {
    let without_places = |outcome: &Outcome| match outcome {
        Outcome::Panicked(panic) => format!("{:?}", panic.message),
        returned => format!("{returned:?}"),
    };
    let plan = RandomPlan::new(42, 400);
    for path in ["add", "area", "first_word", "Counter::bump", "halve", "cut", "<Meters as Display>::fmt"] {
        let digests_of = |plan: &RandomPlan| match DEMO.worker().digests(DEMO.id(path), plan) {
            Ok(Digests::Told(digests)) => digests,
            other => panic!("{path}: {other:?}"),
        };
        let digests = digests_of(&plan);
        assert_eq!(digests.len(), 400, "{path}");
        let later = RandomPlan { first: 100, count: 50, ..plan.clone() };
        assert_eq!(digests_of(&later), digests[100..150], "{path}");
        let runs = DEMO.worker().random(DEMO.id(path), &plan).expect("runs");
        let mut told: HashMap<u64, String> = HashMap::new();
        for (digest, run) in digests.iter().zip(&runs) {
            let run = format!("{:?} {}", run.inputs, without_places(&run.outcome));
            assert_eq!(told.entry(*digest).or_insert_with(|| run.clone()), &run, "{path}");
        }
        let different: HashSet<u64> = digests.iter().copied().collect();
        assert_eq!(different.len(), told.len(), "{path}");
    }
}

#[test]
fn there_are_no_digests_of_calls_that_do_not_come_back() {
    let mut worker = DEMO.harness.worker(Limits { call: Duration::from_millis(300), ..Limits::default() });
    let digests = worker.digests(DEMO.id("forever"), &RandomPlan::new(1, 2000)).expect("digests");
    assert_eq!(digests, Digests::Silent);
    // The next command finds a new process.
    let plan = RandomPlan::new(1, 5);
    let digests = worker.digests(DEMO.id("add"), &plan).expect("digests");
    assert!(matches!(&digests, Digests::Told(told) if told.len() == 5), "{digests:?}");
}

#[test]
fn random_runs_go_on_after_a_hang() {
    let mut worker = DEMO.harness.worker(Limits { call: Duration::from_millis(300), ..Limits::default() });
    let runs = worker.random(DEMO.id("forever"), &RandomPlan::new(1, 2000)).expect("runs");
    let hung = runs.iter().filter(|run| run.outcome == Outcome::Hung).count();
    assert_eq!(hung, 3, "the plan allows three");
    assert!(runs.iter().all(|run| (run.outcome == Outcome::Hung) == (run.inputs == [u8v(1)])));
}

/// What random runs are told to have been given has the same outcome when it is given again.
fn check_replays(built: &Built, paths: &[&str]) {
    for path in paths {
        let runs = built.worker().random(built.id(path), &RandomPlan::new(7, 50)).expect("runs");
        assert_eq!(runs.len(), 50, "{path}");
        for run in runs {
            assert_eq!(built.call(path, &run.inputs), run.outcome, "{path}({:?})", run.inputs);
        }
    }
}

#[test]
fn paths_and_addresses_are_given_and_shown() {
    let lib = "use std::ffi::{OsStr, OsString};\nuse std::net::{IpAddr, Ipv4Addr, Ipv6Addr};\nuse std::path::{Path, PathBuf};\n\
        pub fn joined(base: &Path, mut name: PathBuf) -> PathBuf { name.set_extension(\"rs\"); base.join(name) }\n\
        pub fn name(path: &Path) -> Option<&OsStr> { path.file_name() }\n\
        pub fn owned(text: OsString) -> usize { text.len() }\n\
        pub fn next(address: Ipv4Addr) -> IpAddr { let [a, b, c, d] = address.octets(); IpAddr::V4(Ipv4Addr::new(a, b, c, d + 1)) }\n\
        pub fn last(address: Ipv6Addr) -> u16 { address.segments()[7] }\n\
        pub fn is_old(address: &IpAddr) -> bool { address.is_ipv4() }\n";
    let wanted = ["joined", "name", "owned", "next", "last", "is_old"];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let of_text = |path: &str, content: &str| adt(path, None, CtorKind::Tuple, &[("0", text(content))]);
    let path = |content: &str| refer(of_text("std::path::Path", content));
    if !confine::here().files {
        let refused = built.worker().call(built.id("name"), &[path("a/b.c")]);
        assert!(matches!(refused, Err(HarnessError::Misfit { .. })), "{refused:?}");
        return;
    }
    let joined = built.call("joined", &[path("src"), of_text("std::path::PathBuf", "a.txt")]);
    assert_eq!(joined, returned(of_text("std::path::PathBuf", "src/a.rs")));
    assert_eq!(
        built.call("name", &[path("a/b.c")]),
        returned(some(refer(of_text("std::ffi::OsStr", "b.c"))))
    );
    assert_eq!(
        built.call("owned", &[of_text("std::ffi::OsString", "four")]),
        returned(Value::int(IntTy::Usize, 4))
    );
    let octets: Vec<(&str, Value)> = ["0", "1", "2", "3"].into_iter().zip([1, 2, 3, 4].map(u8v)).collect();
    let address = |octets: &[(&str, Value)]| adt("std::net::Ipv4Addr", None, CtorKind::Tuple, octets);
    let v4 = |octets: &[(&str, Value)]| {
        adt("std::net::IpAddr", Some("V4"), CtorKind::Tuple, &[("0", address(octets))])
    };
    let mut after = octets.clone();
    after[3].1 = u8v(5);
    assert_eq!(built.call("next", &[address(&octets)]), returned(v4(&after)));
    assert_eq!(built.call("is_old", &[refer(v4(&octets))]), returned(Value::Bool(true)));
    check_replays(&built, &wanted);
}

#[test]
fn iterators_are_what_they_have_left() {
    let lib = "use std::num::NonZeroU16;\n\
        pub struct Lex<'a> { bytes: std::slice::Iter<'a, u8>, at: usize }\n\
        impl<'a> Lex<'a> { pub fn take(&mut self) -> Option<u8> { self.at = self.at.wrapping_add(1); self.bytes.next().copied() } }\n\
        pub fn from_the_back(mut chars: std::str::Chars) -> (Option<char>, std::str::Chars) { (chars.next_back(), chars) }\n\
        pub fn rest(mut bytes: std::str::Bytes) -> std::str::Bytes { bytes.next(); bytes }\n\
        pub fn owned(mut items: std::vec::IntoIter<String>) -> std::vec::IntoIter<String> { items.next(); items }\n\
        pub fn get(n: NonZeroU16) -> u16 { n.get() }\n";
    let wanted = ["Lex::take", "from_the_back", "rest", "owned", "get"];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let one = |path: &str, field: &str, list| adt(path, None, CtorKind::Struct, &[(field, list)]);
    let bytes = |bytes: &[u8]| refer(Value::Seq(bytes.iter().copied().map(u8v).collect()));
    let lex = |list: &[u8], at| {
        let fields =
            [("bytes", one("std::slice::Iter", "slice", bytes(list))), ("at", Value::int(IntTy::Usize, at))];
        adt("demo::Lex", None, CtorKind::Struct, &fields)
    };
    assert_eq!(
        built.call("Lex::take", &[refer(lex(&[5, 6], 0))]),
        Outcome::Returned { value: some(u8v(5)), mutated: vec![(0, lex(&[6], 1))] }
    );
    let chars = |text_: &str| one("std::str::Chars", "text", refer(text(text_)));
    let pair = Value::Tuple(vec![some(Value::Char('\u{e9}')), chars("a")]);
    assert_eq!(built.call("from_the_back", &[chars("a\u{e9}")]), returned(pair));
    let str_bytes = |list: &[u8]| one("std::str::Bytes", "bytes", bytes(list));
    assert_eq!(built.call("rest", &[str_bytes(&[0xc3, 0xa9])]), returned(str_bytes(&[0xa9])));
    let items = |words: &[&str]| {
        one("std::vec::IntoIter", "items", Value::Seq(words.iter().copied().map(text).collect()))
    };
    assert_eq!(built.call("owned", &[items(&["a", "b"])]), returned(items(&["b"])));
    let nonzero =
        |value| adt("std::num::NonZero", None, CtorKind::Tuple, &[("0", Value::int(IntTy::U16, value))]);
    assert_eq!(built.call("get", &[nonzero(258)]), returned(Value::int(IntTy::U16, 258)));
    let zero = built.worker().call(built.id("get"), &[nonzero(0)]);
    assert!(matches!(zero, Err(HarnessError::Misfit { .. })), "{zero:?}");
    for path in wanted {
        let runs = built.worker().random(built.id(path), &RandomPlan::new(7, 50)).expect("runs");
        assert!(runs.iter().all(|run| matches!(run.outcome, Outcome::Returned { .. })), "{path}");
    }
}

#[test]
fn iterators_over_others_are_what_these_have_left() {
    let lib = "use std::iter::{Enumerate, Peekable, Rev};\n\
        pub fn peeked(chars: &mut Peekable<std::str::Chars>) -> Option<char> { chars.peek().copied() }\n\
        pub fn at(chars: &mut Peekable<std::str::CharIndices>) -> Option<(usize, char)> { chars.next() }\n\
        pub fn counted(bytes: &mut Enumerate<std::slice::Iter<u8>>) -> usize { bytes.next().map_or(9, |it| it.0) }\n\
        pub fn last(items: &mut Peekable<Rev<std::vec::IntoIter<u8>>>) -> Option<u8> { items.peek().copied() }\n\
        pub fn line<'a>(lines: &mut Peekable<std::str::Lines<'a>>) -> Option<&'a str> { lines.next() }\n\
        pub fn word<'a>(words: &mut std::str::SplitWhitespace<'a>) -> Option<&'a str> { words.next() }\n\
        pub fn any<I: Iterator<Item = char>>(chars: &mut Peekable<I>) -> bool { chars.next().is_some() }\n\
        pub fn all(text: &mut Peekable<std::str::Chars>) -> bool { any(text) }\n";
    let wanted = ["peeked", "at", "counted", "last", "line", "word", "all"];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let one = |path: &str, field: &str, list| adt(path, None, CtorKind::Struct, &[(field, list)]);
    let left = |mutated: Value, value: Value| Outcome::Returned { value, mutated: vec![(0, mutated)] };
    let chars =
        |text_: &str| one("std::iter::Peekable", "left", one("std::str::Chars", "text", refer(text(text_))));
    // That somebody looked ahead is nothing that is seen.
    assert_eq!(
        built.call("peeked", &[refer(chars("\u{e9}a"))]),
        left(chars("\u{e9}a"), some(Value::Char('\u{e9}')))
    );
    assert_eq!(built.call("all", &[refer(chars("ab"))]), left(chars("b"), Value::Bool(true)));
    let indices = |text_: &str, from| {
        let fields = [("left", refer(text(text_))), ("from", Value::int(IntTy::Usize, from))];
        one("std::iter::Peekable", "left", adt("std::str::CharIndices", None, CtorKind::Struct, &fields))
    };
    let first = Value::Tuple(vec![Value::int(IntTy::Usize, 0), Value::Char('\u{e9}')]);
    assert_eq!(built.call("at", &[refer(indices("\u{e9}a", 0))]), left(indices("a", 2), some(first)));
    let advanced = built.worker().call(built.id("at"), &[refer(indices("a", 2))]);
    assert!(matches!(advanced, Err(HarnessError::Misfit { .. })), "{advanced:?}");
    let words = |text_: &str| one("std::str::SplitWhitespace", "left", refer(text(text_)));
    assert_eq!(built.call("word", &[refer(words("  a b\n"))]), left(words("b"), some(refer(text("a")))));
    check_replays(&built, &wanted);
}

#[test]
fn errors_and_holders_of_bytes_are_built_as_they_are_shown() {
    let lib = "use std::io;\n\
        pub fn int(e: &std::num::ParseIntError) -> String { e.to_string() }\n\
        pub fn float(e: std::num::ParseFloatError) -> String { e.to_string() }\n\
        pub fn one(e: std::char::ParseCharError) -> String { e.to_string() }\n\
        pub fn flag(e: std::str::ParseBoolError, _: std::num::TryFromIntError) -> String { e.to_string() }\n\
        pub fn bytes(e: std::string::FromUtf8Error) -> (Vec<u8>, std::str::Utf8Error) { (e.as_bytes().to_vec(), e.utf8_error()) }\n\
        pub fn text(e: std::str::Utf8Error) -> (usize, Option<usize>) { (e.valid_up_to(), e.error_len()) }\n\
        pub fn kind(e: &mut io::Error) -> io::ErrorKind { e.kind() }\n\
        pub fn other() -> io::Error { io::Error::new(io::ErrorKind::Other, std::fmt::Error) }\n\
        pub fn system() -> io::Error { io::Error::from_raw_os_error(2) }\n\
        pub fn least(h: &mut std::collections::BinaryHeap<u8>) -> Option<u8> { h.pop() }\n\
        pub fn turn(l: &mut std::collections::LinkedList<u8>) { let first = l.pop_front(); l.extend(first); }\n\
        pub fn port(a: std::net::SocketAddr) -> u16 { a.port() }\n\
        pub fn c(t: &std::ffi::CStr) -> std::ffi::CString { t.into() }\n\
        pub fn read(r: &mut io::BufReader<&[u8]>) -> usize { io::BufRead::fill_buf(r).map_or(0, |b| b.len()) }\n\
        pub fn any(e: Box<dyn std::error::Error>) -> String { e.to_string() }\n\
        pub fn zero(i: std::slice::IterMut<u8>) { i.for_each(|it| *it = 0) }\n";
    let wanted = [
        "int", "float", "one", "flag", "bytes", "text", "kind", "other", "system", "least", "turn", "port",
        "c", "read", "any", "zero",
    ];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let variant = |path: &str, name: &str| adt(path, Some(name), CtorKind::Unit, &[]);
    let int = |kind| {
        adt(
            "std::num::ParseIntError",
            None,
            CtorKind::Struct,
            &[("kind", variant("std::num::IntErrorKind", kind))],
        )
    };
    let said = |call: &str, argument: Value, words: &str| {
        assert_eq!(built.call(call, &[argument]), returned(text(words)), "{call}");
    };
    said("int", refer(int("Empty")), "cannot parse integer from empty string");
    said("int", refer(int("PosOverflow")), "number too large to fit in target type");
    said("int", refer(int("NegOverflow")), "number too small to fit in target type");
    said("int", refer(int("Zero")), "number would be zero for non-zero type");
    let error = |kind: &str, message: Value, other: Value| {
        let fields = [("kind", variant("std::io::ErrorKind", kind)), ("message", message), ("other", other)];
        adt("std::io::Error", None, CtorKind::Struct, &fields)
    };
    said("any", refer(error("NotFound", some(text("no")), none())), "no");
    said("any", refer(error("NotFound", none(), none())), "entity not found");
    let opaque = |text: &str| some(Value::Opaque(text.to_owned()));
    assert_eq!(
        built.call("other", &[]),
        returned(error("Other", none(), opaque("Custom { kind: Other, error: Error }")))
    );
    assert!(
        matches!(built.call("system", &[]), Outcome::Returned { value, .. } if value.to_string().contains("code: 2"))
    );
    let iterator =
        |items: &[u8]| adt("std::slice::IterMut", None, CtorKind::Struct, &[("left", refer(bytes(items)))]);
    let zeros = Outcome::Returned { value: Value::unit(), mutated: vec![(0, iterator(&[0, 0]))] };
    assert_eq!(built.call("zero", &[iterator(&[7, 8])]), zeros);
    check_replays(&built, &wanted);
}

#[test]
fn what_is_behind_references_inside_arguments_is_shown_afterwards() {
    let lib = "pub struct Sink<'a> { out: &'a mut Vec<u8>, mark: u8 }\n\
        pub fn put(sink: Sink, x: u8) { sink.out.push(x); sink.out.push(sink.mark); }\n\
        pub fn swap(pair: (&mut u8, &mut u8), rest: &mut u8) { std::mem::swap(pair.0, pair.1); *rest += 1; }\n\
        pub fn fill(items: Option<&mut [u8]>) -> u8 { match items { Some(items) => { items.fill(9); 1 } None => 0 } }\n\
        pub fn nested(x: Box<&mut Option<u8>>) { **x = None; }\n\
        pub fn stuck(sink: Sink) { sink.out.clear(); panic!(\"stuck\"); }\n";
    let wanted = ["put", "swap", "fill", "nested", "stuck"];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let bytes = |bytes: &[u8]| refer(Value::Seq(bytes.iter().copied().map(u8v).collect()));
    let sink =
        |out: &[u8]| adt("demo::Sink", None, CtorKind::Struct, &[("out", bytes(out)), ("mark", u8v(7))]);
    let changed = |value, mutated: &[(usize, Value)]| Outcome::Returned { value, mutated: mutated.to_vec() };
    let put = built.call("put", &[sink(&[1]), u8v(2)]);
    assert_eq!(put, changed(Value::unit(), &[(0, sink(&[1, 2, 7]))]));
    let pair = |a, b| Value::Tuple(vec![refer(u8v(a)), refer(u8v(b))]);
    let swap = built.call("swap", &[pair(3, 4), refer(u8v(5))]);
    assert_eq!(swap, changed(Value::unit(), &[(0, pair(4, 3)), (1, u8v(6))]));
    let fill = built.call("fill", &[some(bytes(&[1, 2]))]);
    assert_eq!(fill, changed(u8v(1), &[(0, some(bytes(&[9, 9])))]));
    assert_eq!(built.call("fill", &[none()]), changed(u8v(0), &[(0, none())]));
    let nested = built.call("nested", &[refer(refer(some(u8v(1))))]);
    assert_eq!(nested, changed(Value::unit(), &[(0, refer(refer(none())))]));
    assert_eq!(panic_kind(&built.call("stuck", &[sink(&[1])])), PanicKind::Explicit);
}
