//! What cannot be shown as a whole.

use regress_core::value::Success;

use super::*;
use crate::harness::Gives;

const LIB: &str = r#"
pub type Chained<'a, T> = std::iter::Chain<std::iter::StepBy<std::slice::Iter<'a, T>>, std::iter::Empty<&'a T>>;
/// Neither its fields nor `Debug` show it.
pub struct Odds<'a, T> { list: Chained<'a, T>, hidden: std::rc::Rc<dyn Fn()> }
impl<'a, T> Clone for Odds<'a, T> {
    fn clone(&self) -> Self { Odds { list: self.list.clone(), hidden: self.hidden.clone() } }
}
impl<'a, T> Iterator for Odds<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> { self.list.next() }
}
pub struct List { items: Vec<u8> }
impl List {
    pub fn of(items: &[u8]) -> List { List { items: items.to_vec() } }
    pub fn odds(&self) -> Odds<'_, u8> { Odds { list: self.items.iter().step_by(2).chain(std::iter::empty()), hidden: std::rc::Rc::new(|| ()) } }
}
pub fn take(odds: &mut Odds<'_, u8>) -> Option<u8> { odds.next().copied() }
pub fn count(odds: Odds<'_, u8>) -> usize { odds.count() }

pub struct Half { pub number: u8, sealed: std::cell::OnceCell<std::rc::Rc<dyn Fn(u8, u8, u8, u8, u8)>> }
pub fn half(number: u8) -> Half { Half { number: number / 2, sealed: std::cell::OnceCell::new() } }

pub struct Ruled { pub by: &'static dyn Fn(u8) -> bool, pub most: u8 }
pub fn ruled(most: u8) -> Ruled { Ruled { by: &|x| x == 1, most } }

pub enum Way { Far(u8), Near { by: std::rc::Rc<dyn Fn(u8, u8, u8, u8, u8)>, steps: u8 } }
pub fn way(steps: u8) -> Way { if steps > 3 { Way::Far(steps) } else { Way::Near { by: std::rc::Rc::new(|_, _, _, _, _| ()), steps } } }

pub fn digits(text: &str) -> impl Iterator<Item = u32> + '_ { text.chars().filter_map(|c| c.to_digit(10)) }
pub fn breaks(n: u8) -> impl Iterator<Item = u8> { (0..2).map(move |at| n / (1 - at)) }
pub fn later(n: u8) -> impl Fn() -> u8 { assert!(n != 7); move || n }
pub fn forever(n: u8) -> impl Iterator<Item = u8> { std::iter::repeat(n) }
"#;

fn demo() -> Built {
    let files = [("src/lib.rs", LIB)];
    let maker = |name: &str, makes: &str| MakerRequest {
        function: locate(&files, name),
        makes: makes.to_string(),
        success: Success::Always,
        begins: Begins::WithNone,
        gives: Gives::ToAll,
    };
    let makers = vec![maker("List::of", "demo::List"), maker("List::odds", "demo::Odds")];
    let names =
        ["List::odds", "take", "count", "half", "ruled", "way", "digits", "breaks", "later", "forever"];
    let subjects = names.iter().map(|name| locate(&files, name)).collect();
    build_with_makers(&files, subjects, makers.into(), Target::Lib).expect("a harness")
}

fn opaque(text: &str) -> Value {
    Value::Opaque(text.to_string())
}

#[test]
fn what_cannot_be_shown_is_looked_at() {
    let built = demo();
    let check = |name: &str, inputs: &[Value], expected: Value| {
        assert_eq!(built.call(name, inputs), returned(expected), "{name}");
    };
    let list = |items: &[u8]| adt("demo::List", None, CtorKind::Struct, &[("items", bytes(items))]);
    // By what it yields.
    check("List::odds", &[refer(list(&[1, 2, 3]))], opaque("yields [&1, &3]"));
    check("digits", &[refer(text("a1b2"))], opaque("yields [1, 2]"));
    check("breaks", &[u8v(3)], opaque("an iterator that panics"));
    let Outcome::Returned { value: Value::Opaque(seen), .. } = built.call("forever", &[u8v(3)]) else {
        panic!("it is an iterator")
    };
    assert!(seen.starts_with("yields [3, 3, ") && seen.ends_with("3, <and so on>]"), "{seen}");
    // Field by field.
    let fields = [("number", u8v(4)), ("sealed", opaque(Value::NOT_SHOWN))];
    check("half", &[u8v(9)], adt("demo::Half", None, CtorKind::Struct, &fields));
    let by = ("by", opaque(Value::NOT_SHOWN));
    check("ruled", &[u8v(2)], adt("demo::Ruled", None, CtorKind::Struct, &[by.clone(), ("most", u8v(2))]));
    check("way", &[u8v(2)], adt("demo::Way", Some("Near"), CtorKind::Struct, &[by, ("steps", u8v(2))]));
    check("way", &[u8v(4)], adt("demo::Way", Some("Far"), CtorKind::Tuple, &[("0", u8v(4))]));
    // Nothing is shown, but that it panics is.
    check("later", &[u8v(6)], opaque(Value::NOT_SHOWN));
    assert!(matches!(built.call("later", &[u8v(7)]), Outcome::Panicked(_)));
}

#[test]
fn what_cannot_be_shown_is_an_argument_as_made() {
    let built = demo();
    let call = |callee: &str, args: Vec<Value>| Value::Made {
        callee: Path::new(format!("demo::List::{callee}")),
        args,
        success: Success::Always,
    };
    let odds = |items: &[u8]| call("odds", vec![refer(call("of", vec![refer(bytes(items))]))]);
    assert_eq!(built.call("count", &[odds(&[1, 2, 3])]), returned(Value::int(IntTy::Usize, 2)));
    let after = Outcome::Returned { value: some(u8v(7)), mutated: vec![(0, opaque("yields [&9]"))] };
    assert_eq!(built.call("take", &[refer(odds(&[7, 8, 9]))]), after);
    let mut worker = built.worker();
    let runs = worker.random(built.id("take"), &RandomPlan::new(5, 100)).expect("runs");
    assert_eq!(runs.len(), 100);
    for run in &runs {
        assert_eq!(worker.call(built.id("take"), &run.inputs).expect("an outcome"), run.outcome);
    }
}
