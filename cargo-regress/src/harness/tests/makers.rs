//! Values that functions of the crate make.

use regress_core::value::Success;

use super::*;

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
    assert!(literals.corpus.contains("right"), "{literals:?}");
    let plan = RandomPlan { literals, ..RandomPlan::new(1, 200) };
    let runs = built.worker().random(built.id("is_left"), &plan).expect("runs");
    for expected in [true, false] {
        let seen = runs.iter().any(|run| run.outcome == returned(Value::Bool(expected)));
        assert!(seen, "{expected} is never returned in {} runs", runs.len());
    }
}
