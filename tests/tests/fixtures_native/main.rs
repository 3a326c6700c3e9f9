//! The fixtures' expectations are facts: each function that is expected to be equal agrees on all, or many, inputs,
//! and each that is expected to differ has a witness of its class and none of a worse one.

use std::collections::BTreeMap;
use std::env;
use std::hash::Hasher;
use std::process::Command;

use regress_tests::cases;
use regress_tests::expectations::Tag;
use regress_tests::native::{Difference, Fact, Suite};

use versions::{recursion_new, recursion_old};

/// Claims about the functions of one case. Each call is written once and compiled against either version.
macro_rules! claims {
    ($suite:ident, $case:literal, $old:ident, $new:ident;) => {};
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        same $name:literal |$($arg:ident: $ty:ty),+| $call:expr; $($rest:tt)*) => {
        $suite.same(
            $case,
            $name,
            |($($arg,)+): ($($ty,)+)| { use $old::*; $call },
            |($($arg,)+): ($($ty,)+)| { use $new::*; $call },
        );
        claims!($suite, $case, $old, $new; $($rest)*);
    };
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        differs $name:literal $class:ident ($($witness:expr),+) |$($arg:ident: $ty:ty),+| $call:expr;
        $($rest:tt)*) => {
        $suite.differs(
            $case,
            $name,
            Difference::$class,
            ($($witness,)+),
            |($($arg,)+): ($($ty,)+)| { use $old::*; $call },
            |($($arg,)+): ($($ty,)+)| { use $new::*; $call },
        );
        claims!($suite, $case, $old, $new; $($rest)*);
    };
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        hangs $name:literal $class:ident $call:expr; $($rest:tt)*) => {
        $suite.hangs($case, $name, Difference::$class, || { use $old::*; $call }, || { use $new::*; $call });
        claims!($suite, $case, $old, $new; $($rest)*);
    };
}

mod attacks;
mod bounds;
mod building;
mod by_chance;
mod differences;
mod endless;
mod given;
mod identity;
mod numeric;
mod observable;
mod other_choices;
mod papers;
mod refactorings;
mod std_calls;
mod std_types;
mod times;
mod versions;

fn facts() -> Suite {
    let mut suite = Suite::default();
    refactorings::claim(&mut suite);
    differences::claim(&mut suite);
    given::claim(&mut suite);
    numeric::claim(&mut suite);
    attacks::claim(&mut suite);
    identity::claim(&mut suite);
    papers::claim(&mut suite);
    bounds::claim(&mut suite);
    observable::claim(&mut suite);
    building::claim_all(&mut suite);
    by_chance::claim(&mut suite);
    std_calls::claim(&mut suite);
    other_choices::claim(&mut suite);
    std_types::claim(&mut suite);
    endless::claim(&mut suite);
    suite
}

/// `steps(0)` of the new version recurses without end, which takes the whole process down.
const STEPS: (&str, &str) = ("differ/recursion", "steps");

#[test]
fn a_lost_base_case_overflows_the_stack() {
    const IN_CHILD: &str = "REGRESS_TESTS_OVERFLOW";
    if env::var_os(IN_CHILD).is_some() {
        println!("{}", recursion_new::steps(0));
        return;
    }
    assert_eq!(recursion_old::steps(0), 0);
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "a_lost_base_case_overflows_the_stack"])
        .env(IN_CHILD, "1")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && error.contains("overflowed its stack"), "{error}");
}

#[test]
fn claims_hold_and_cover_the_expectations() {
    let mut suite = facts();
    assert!(suite.failures.is_empty(), "{}", suite.failures.join("\n"));
    let key = (STEPS.0.to_string(), STEPS.1.to_string());
    assert_eq!(suite.facts.insert(key, Fact::Differs(Difference::Regression)), Some(Fact::Same));

    let mut wrong = Vec::new();
    for ((case, function), verdicts) in expected() {
        let fact = suite.facts.remove(&(case.clone(), function.clone()));
        if !agrees(&verdicts, fact.as_ref()) {
            wrong.push(format!("{case}: {function}: expected {verdicts:?}, known {fact:?}"));
        }
    }
    wrong.extend(suite.facts.keys().map(|(case, function)| format!("{case}: there is no `{function}`")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the lines of the new versions say, by case and path.
fn expected() -> BTreeMap<(String, String), Vec<Tag>> {
    let mut expected = BTreeMap::new();
    for case in cases::all().unwrap_or_else(|error| panic!("{error}")) {
        for function in case.new.functions {
            let verdicts = function.expectation.map(|expectation| expectation.verdicts).unwrap_or_default();
            expected.insert((case.name.clone(), function.path), verdicts);
        }
    }
    expected
}

/// Whether the expectation follows from what is known natively. What is different may still go unnoticed, but never
/// be called equal; what is equal may never be called different.
fn agrees(verdicts: &[Tag], fact: Option<&Fact>) -> bool {
    let claims_equality = verdicts.contains(&Tag::Equal) || verdicts.contains(&Tag::Unchanged);
    match fact {
        Some(Fact::Same) => {
            verdicts.iter().any(|tag| tag.claims_same() || *tag == Tag::Unchanged)
                && !verdicts.iter().any(|tag| tag.claims_difference())
        }
        Some(Fact::Differs(class)) => {
            let tag = match class {
                Difference::Regression => Tag::Regression,
                Difference::Behaviour => Tag::Behaviour,
                Difference::Fix => Tag::Fix,
            };
            !claims_equality && (verdicts.contains(&tag) || verdicts.contains(&Tag::Differs))
        }
        Some(Fact::Unsteady) => {
            !claims_equality
                && !verdicts.iter().any(|tag| *tag == Tag::EqualWithin || tag.claims_difference())
        }
        // Functions that one version lacks and unchanged ones need no fact.
        None => {
            verdicts.iter().all(|tag| !tag.claims_same() && !tag.claims_difference())
                || verdicts.contains(&Tag::Unchanged)
        }
    }
}

/// The pieces that a hasher is fed.
#[derive(Default)]
pub struct Pieces(Vec<Vec<u8>>);

impl Hasher for Pieces {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.push(bytes.to_vec());
    }
}

pub fn fed(feed: impl FnOnce(&mut Pieces)) -> Vec<Vec<u8>> {
    let mut pieces = Pieces::default();
    feed(&mut pieces);
    pieces.0
}
