//! Values that functions of the crate make.

use regress_core::value::Success;

use super::*;
use crate::harness::Gives;

const LIB: &str = r#"
#[derive(Clone, Debug)]
pub struct Even(u32);
pub fn new(n: u32) -> Option<Even> { if n % 2 == 0 { Some(Even(n)) } else { None } }
pub fn half(e: &Even, more: Vec<Even>) -> u32 { e.0 / 2 + more.len() as u32 }
pub fn same(e: Even) -> Even { e }

/// A word kept where nobody can write it: `"left"` or `"right"`.
pub struct Side { at: std::ptr::NonNull<u8>, name: &'static str }
impl std::fmt::Debug for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(self.name) }
}
pub fn side(text: &str) -> Result<Side, String> {
    let at = std::ptr::NonNull::dangling();
    match text {
        "left" => Ok(Side { at, name: "left" }),
        "right" => Ok(Side { at, name: "right" }),
        other => panic!("{}", other),
    }
}
pub fn is_left(s: &Side) -> bool { s.name == "left" }
pub unsafe fn unchecked(name: &'static str) -> Side { Side { at: std::ptr::NonNull::dangling(), name } }
"#;

fn demo() -> Built {
    let files = [("src/lib.rs", LIB)];
    let maker = |name: &str, makes: &str, success| MakerRequest {
        function: locate(&files, name),
        makes: makes.to_string(),
        success,
        begins: Begins::WithNone,
        gives: Gives::ToAll,
    };
    let makers = vec![
        maker("new", "demo::Even", Success::Some),
        maker("side", "demo::Side", Success::Ok),
        maker("unchecked", "demo::Side", Success::Always),
    ];
    let subjects = ["half", "same", "is_left"].iter().map(|name| locate(&files, name)).collect();
    build_with_makers(&files, subjects, makers.into(), Target::Lib).expect("a harness")
}

fn made(callee: &str, arg: Value, success: Success) -> Value {
    Value::Made { callee: Path::new(format!("demo::{callee}")), args: vec![arg], success }
}

#[test]
fn values_are_made_drawn_told_and_made_again() {
    let built = demo();
    let even = |n| made("new", u32v(n), Success::Some);
    let many = Value::Seq(vec![even(0), even(2)]);
    assert_eq!(built.call("half", &[refer(even(14)), many]), returned(u32v(9)));
    // What comes out is shown as it is, not as it was made.
    let shown = adt("demo::Even", None, CtorKind::Tuple, &[("0", u32v(6))]);
    assert_eq!(built.call("same", &[even(6)]), returned(shown.clone()));
    assert_eq!(
        built.call("same", std::slice::from_ref(&shown)),
        returned(shown.clone()),
        "fields can still be given"
    );
    let mut worker = built.worker();
    let odd = worker.call(built.id("same"), &[even(3)]);
    assert!(matches!(odd, Err(HarnessError::Misfit { .. })), "{odd:?}");
    let runs = worker.random(built.id("half"), &RandomPlan::new(5, 200)).expect("runs");
    assert!(runs.len() > 150, "{} of 200 inputs were made", runs.len());
    for run in &runs {
        let Value::Ref(inner) = &run.inputs[0] else { panic!("no reference: {:?}", run.inputs) };
        let Value::Made { args, .. } = &**inner else { panic!("not made: {inner:?}") };
        assert!(matches!(args[..], [Value::Int { bits, .. }] if bits % 2 == 0), "{args:?}");
        assert_eq!(worker.call(built.id("half"), &run.inputs).expect("an outcome"), run.outcome);
    }
    let fields = RandomPlan { states: States::AnyFields, ..RandomPlan::new(5, 50) };
    let runs = worker.random(built.id("same"), &fields).expect("runs");
    assert!(runs.iter().all(|run| matches!(run.inputs[..], [Value::Adt { .. }])), "{runs:?}");
}

#[test]
fn a_type_that_cannot_be_built_is_made_of_texts_from_the_sources() {
    let built = demo();
    assert!(!built.harness.can_make(<MakerId as regress_core::idx::Idx>::from_usize(2)), "it is unsafe");
    let left = made("side", refer(text("left")), Success::Ok);
    assert_eq!(built.call("is_left", &[refer(left)]), returned(Value::Bool(true)));
    let literals = built.harness.literals(built.id("is_left")).clone();
    assert!(literals.written.texts().contains("right"), "{literals:?}");
    let plan = RandomPlan { literals, ..RandomPlan::new(1, 200) };
    let runs = built.worker().random(built.id("is_left"), &plan).expect("runs");
    for expected in [true, false] {
        let seen = runs.iter().any(|run| run.outcome == returned(Value::Bool(expected)));
        assert!(seen, "{expected} is never returned in {} runs", runs.len());
    }
}

const CART: &str = r#"
pub struct Cart { items: Vec<u32>, most: usize }
pub fn new() -> Cart { Cart { items: Vec::new(), most: 9 } }
pub fn add(cart: &mut Cart, n: u32) -> usize { cart.items.push(n); cart.items.len() }
pub fn limit(mut cart: Cart, most: usize) -> Option<Cart> {
    cart.most = most;
    if cart.items.len() <= most { Some(cart) } else { None }
}
pub fn sum(cart: &Cart) -> u32 { cart.items.iter().fold(0, |sum, n| sum.wrapping_add(*n)) }
"#;

#[test]
fn values_are_made_by_steps_from_others() {
    let files = [("src/lib.rs", CART)];
    let maker = |name: &str, success, begins| MakerRequest {
        function: locate(&files, name),
        makes: "demo::Cart".to_string(),
        success,
        begins,
        gives: Gives::ToAll,
    };
    let makers = vec![
        maker("new", Success::Always, Begins::WithNone),
        maker("add", Success::After(0), Begins::WithAnother),
        maker("limit", Success::Some, Begins::WithAnother),
    ];
    let subjects = vec![locate(&files, "sum")];
    let built = build_with_makers(&files, subjects.into(), makers.into(), Target::Lib).expect("a harness");

    let call = |callee: &str, args: Vec<Value>, success| Value::Made {
        callee: Path::new(format!("demo::{callee}")),
        args,
        success,
    };
    let new = || call("new", Vec::new(), Success::Always);
    let add = |cart, n| call("add", vec![cart, u32v(n)], Success::After(0));
    let limit = |cart, most| call("limit", vec![cart, Value::int(IntTy::Usize, most)], Success::Some);
    assert_eq!(built.call("sum", &[refer(add(add(new(), 3), 4))]), returned(u32v(7)));
    assert_eq!(built.call("sum", &[refer(add(limit(new(), 0), 5))]), returned(u32v(5)));
    let mut worker = built.worker();
    let over = worker.call(built.id("sum"), &[refer(limit(add(new(), 3), 0))]);
    assert!(matches!(over, Err(HarnessError::Misfit { .. })), "{over:?}");

    /// How many steps lead to the value.
    fn steps(value: &Value) -> usize {
        match value {
            Value::Ref(inner) => steps(inner),
            Value::Made { args, .. } => args.first().map_or(0, |first| 1 + steps(first)),
            _ => panic!("not made: {value:?}"),
        }
    }
    let runs = worker.random(built.id("sum"), &RandomPlan::new(5, 200)).expect("runs");
    for expected in 0..=3 {
        assert!(runs.iter().any(|run| steps(&run.inputs[0]) == expected), "never {expected} steps");
    }
    // Now and then there are many.
    let long = runs.iter().filter(|run| steps(&run.inputs[0]) > 3).count();
    assert!(long > 0 && long < runs.len() / 4, "{long}");
    assert!(runs.iter().all(|run| steps(&run.inputs[0]) <= 10));
    for run in &runs {
        assert_eq!(worker.call(built.id("sum"), &run.inputs).expect("an outcome"), run.outcome);
    }
}

#[test]
fn a_step_that_gives_to_itself_makes_no_inputs_of_others() {
    let files = [("src/lib.rs", CART)];
    let maker = |name: &str, success, begins, gives| MakerRequest {
        function: locate(&files, name),
        makes: "demo::Cart".to_string(),
        success,
        begins,
        gives,
    };
    let makers = vec![
        maker("new", Success::Always, Begins::WithNone, Gives::ToAll),
        maker("add", Success::After(0), Begins::WithAnother, Gives::ToItself),
    ];
    let subjects = vec![locate(&files, "sum"), locate(&files, "add")];
    let built = build_with_makers(&files, subjects.into(), makers.into(), Target::Lib).expect("a harness");
    let is_added = |input: &Value| input.holds_made_by(&Path::new("demo::add"));
    let mut worker = built.worker();
    for (subject, expected) in [("sum", false), ("add", true)] {
        let runs = worker.random(built.id(subject), &RandomPlan::new(5, 100)).expect("runs");
        assert_eq!(runs.iter().any(|run| run.inputs.iter().any(is_added)), expected, "{subject}");
        for run in &runs {
            let again = worker.call(built.id(subject), &run.inputs).expect("an outcome");
            assert_eq!(again, run.outcome, "{subject}");
        }
    }
}

const BAG: &str = r#"
pub trait Kind { type Item; }
impl Kind for u8 { type Item = u16; }
pub union Slot { number: u32 }
pub struct Bag<K: Kind, const N: usize> { slot: Slot, items: Vec<K::Item> }
pub fn bag<K: Kind, const N: usize>(items: Vec<K::Item>) -> Option<Bag<K, N>> {
    if items.len() <= N { Some(Bag { slot: Slot { number: 0 }, items }) } else { None }
}
impl<K: Kind, const N: usize> std::fmt::Debug for Bag<K, N> where K::Item: std::fmt::Debug {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { self.items.fmt(f) }
}
pub fn len<K: Kind, const N: usize>(bag: &Bag<K, N>) -> usize { bag.items.len() }
"#;

#[test]
fn values_of_generic_types_are_made_at_the_types_of_the_subject() {
    let files = [("src/lib.rs", BAG)];
    let maker = MakerRequest {
        function: locate(&files, "bag{K=u8,N=2}"),
        makes: "demo::Bag".to_string(),
        success: Success::Some,
        begins: Begins::WithNone,
        gives: Gives::ToAll,
    };
    let subjects = vec![locate(&files, "len{K=u8,N=2}")];
    let built =
        build_with_makers(&files, subjects.into(), vec![maker].into(), Target::Lib).expect("a harness");
    let runs = built.worker().random(built.id("len"), &RandomPlan::new(5, 100)).expect("runs");
    for expected in 0..=2 {
        let expected = returned(Value::int(IntTy::Usize, expected));
        assert!(runs.iter().any(|run| run.outcome == expected), "never {expected:?}");
    }
}

/// `str` is not built, but a reference to one in a field is.
#[test]
fn types_of_unsized_parameters_are_built() {
    const LIB: &str = r#"
    #[derive(Debug)]
    pub struct Range<'a, T: ?Sized> { inner: &'a T, from: usize }
    impl<'a, T: ?Sized> Range<'a, T> { pub fn from(&self) -> usize { self.from } }
    pub enum Line<'a, T> where T: ?Sized { Whole(Range<'a, T>), Part(Box<T>), None }
    pub fn rest<'a>(range: &Range<'a, str>) -> &'a str { range.inner.get(range.from() % 4..).unwrap_or("") }
    pub fn length(line: Line<'_, [u8]>) -> usize {
        match line { Line::Whole(range) => range.inner.len(), Line::Part(part) => part.len(), Line::None => 0 }
    }
    "#;
    let built = build_demo(&[("src/lib.rs", LIB)], &["rest", "length"]);
    for name in ["rest", "length"] {
        let runs = built.worker().random(built.id(name), &RandomPlan::new(1, 200)).expect("runs");
        let outcomes: std::collections::HashSet<&Outcome> = runs.iter().map(|run| &run.outcome).collect();
        assert!(outcomes.len() > 5, "`{name}` has {} outcomes", outcomes.len());
    }
}

/// Arguments that tests pass together are passed together, also those of a table and those by way of a helper.
#[test]
fn calls_in_tests_are_made_as_they_stand() {
    const LIB: &str = r#"
    pub fn called(text: &str, times: i64, part: f64, c: char) -> bool {
        text == "ab" && times == -12345 && part == 0.1875 && c == '\u{2603}'
    }
    pub fn tabled(values: &[u32], text: &[u8]) -> bool { values == [70, 81, 92] && text == b"x y" }
    pub fn helped(a: &str, b: &str) -> bool { a == "one" && b == "two" }
    #[cfg(test)]
    mod tests {
        #[test]
        fn call() { assert!(super::called("ab", -12345, 0.1875, '\u{2603}')); }
        #[test]
        fn table() {
            for (values, text, expected) in [([70, 81, 92], "x y", true), ([1, 2, 3], "", false)] {
                assert_eq!(super::tabled(&values, text.as_bytes()), expected);
            }
        }
        fn check(a: &str, b: &str) { assert!(super::helped(a, b)); }
        #[test]
        fn by_helper() { check("one", "two"); }
    }
    "#;
    let names = ["called", "tabled", "helped"];
    let built = build_demo(&[("src/lib.rs", LIB)], &names);
    for name in names {
        let literals = built.harness.literals(built.id(name)).clone();
        let plan = RandomPlan { literals, ..RandomPlan::new(1, 400) };
        let runs = built.worker().random(built.id(name), &plan).expect("runs");
        assert!(runs.iter().any(|run| run.outcome == returned(Value::Bool(true))), "`{name}` is never true");
    }
}

/// What is read as a number has limits, which the texts of a crate seldom pass.
#[test]
fn numbers_in_texts_from_the_sources_become_others() {
    const LIB: &str = r#"
    /// Of `"x3e-7"` it is 7.
    pub fn exponent(text: &str) -> u64 {
        text.strip_prefix("x3e-").and_then(|digits| digits.parse().ok()).unwrap_or(0)
    }
    "#;
    let built = build_demo(&[("src/lib.rs", LIB)], &["exponent"]);
    let mut literals = built.harness.literals(built.id("exponent")).clone();
    literals.written = Written::of_rows(vec![Row::of_text("x3e-7".to_owned())]);
    let runs =
        built.worker().random(built.id("exponent"), &RandomPlan { literals, ..RandomPlan::new(1, 2_000) });
    let runs = runs.expect("runs");
    let given: Vec<u128> = (runs.iter())
        .filter_map(|run| match run.outcome {
            Outcome::Returned { value: Value::Int { bits, .. }, .. } => Some(bits),
            _ => None,
        })
        .collect();
    let of_two_digits = given.iter().filter(|bits| (10..100).contains(*bits)).count();
    let large = given.iter().filter(|bits| **bits > u128::from(u32::MAX)).count();
    assert!(of_two_digits >= 5 && large >= 5, "{of_two_digits} of two digits, {large} beyond `u32`");
}
