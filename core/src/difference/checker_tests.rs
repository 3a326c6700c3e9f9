//! The checker of products ([`Product::check`]) against seeded mistakes: what is kept of a product that was followed to its end says, after each of them,
//! more than was shown. It has to be refused.

use std::collections::BTreeSet;

use super::both::Both;
use super::code::{self, Code};
use super::inline::Choice;
use super::new_panics::Claim;
use super::numbers::{Node, Number};
use super::product::{AtDifference, Product};
use super::tests::program;
use super::{Limits, Obstacle};
use crate::align::{Floats, align};
use crate::idx::Idx;
use crate::ir::canonical::Renames;
use crate::ir::{FnId, LocalId};
use crate::smt::{AnySolver, Layered};

/// Sums up what `g` gives for all numbers below the argument; the flag is set on the way and decides on the result.
const OLD: &str = "fn k::f(_1: u32, _2: bool) -> u32 {
    let _3: u32; let _4: u32; let _5: u32; let _6: bool; let _7: u32;
    bb0: { _3 = const 0_u32; _4 = const 0_u32; _7 = const 1_u32; goto -> bb1; }
    bb1: { _6 = Lt(copy _3, copy _1); switchInt(move _6) -> [0: bb4, otherwise: bb2]; }
    bb2: { _5 = k::g(copy _3) -> bb3; }
    bb3: { _4 = Add(copy _4, copy _5); _3 = Add(copy _3, const 1_u32); goto -> bb1; }
    bb4: { switchInt(copy _2) -> [0: bb5, otherwise: bb6]; }
    bb5: { _7 = const 2_u32; goto -> bb7; }
    bb6: { _7 = const 3_u32; goto -> bb7; }
    bb7: { _0 = Mul(copy _4, copy _7); return; }
}
fn k::g(_1: u32) -> u32;";

/// The same with other names and an addition the other way round.
const NEW: &str = "fn k::f(_1: u32, _2: bool) -> u32 {
    let _3: u32; let _4: u32; let _5: u32; let _6: bool; let _7: u32;
    bb0: { _4 = const 0_u32; _3 = const 0_u32; _7 = const 1_u32; goto -> bb1; }
    bb1: { _6 = Lt(copy _4, copy _1); switchInt(move _6) -> [0: bb4, otherwise: bb2]; }
    bb2: { _5 = k::g(copy _4) -> bb3; }
    bb3: { _3 = Add(copy _5, copy _3); _4 = Add(const 1_u32, copy _4); goto -> bb1; }
    bb4: { switchInt(copy _2) -> [0: bb5, otherwise: bb6]; }
    bb5: { _7 = const 2_u32; goto -> bb7; }
    bb6: { _7 = const 3_u32; goto -> bb7; }
    bb7: { _0 = Mul(copy _7, copy _3); return; }
}
fn k::g(_1: u32) -> u32;";

/// What the checker says of a product of these versions in which something was changed when it was whole.
fn checked(old: &str, new: &str, mistake: impl FnOnce(&mut Product<'_, '_>)) -> Result<(), Obstacle> {
    let (old, new) = (program(old), program(new));
    let first = FnId::from_usize(0);
    let alignment = align(&old, &new);
    let none = Renames::default();
    let never = |_: FnId| false;
    let choice = || Choice { is_inlined: &never, most_blocks: 0 };
    let code =
        |program, renames| Code::new(program, first, renames, Floats::ToTheBit, choice()).expect("a body");
    let mut old_code = code(&old, alignment.renames());
    let mut new_code = code(&new, &none);
    code::assign_slots(&mut old_code, &mut new_code);
    let mut solver = Layered::new(AnySolver::new());
    let mut product = Product::new(
        &old_code,
        &new_code,
        Claim::SameEnds,
        AtDifference::Fail,
        &mut solver,
        Limits::default(),
    );
    let entry = product.at_entry()?;
    product.explore(entry.clone()).expect("the versions are aligned");
    mistake(&mut product);
    product.check(entry)
}

#[track_caller]
fn check_refused(mistake: impl FnOnce(&mut Product<'_, '_>)) {
    let said = checked(OLD, NEW, mistake);
    assert!(matches!(said, Err(Obstacle::Refused | Obstacle::Ends | Obstacle::Effects)), "{said:?}");
}

/// All states that are kept.
fn kept<'p>(product: &'p mut Product<'_, '_>) -> impl Iterator<Item = &'p mut Both> {
    product.meetings.values_mut().flat_map(|meeting| meeting.states.iter_mut())
}

/// The numbers of a local in the old version and of its counterpart in the new one.
fn places(both: &mut Both, old: usize, new: usize) -> [&mut Number; 2] {
    [&mut both.old.locals[LocalId::from_usize(old)], &mut both.new.locals[LocalId::from_usize(new)]]
}

fn is_free(product: &Product<'_, '_>, number: Number) -> bool {
    matches!(product.numbers.node(product.numbers.origin(number)), Node::Phi { .. })
}

#[test]
fn what_is_whole_is_accepted() {
    assert_eq!(checked(OLD, NEW, |_| ()), Ok(()));
}

#[test]
fn a_state_that_is_missing() {
    check_refused(|product| {
        let longest = product
            .meetings
            .values_mut()
            .max_by_key(|meeting| meeting.states.len())
            .expect("there are meetings");
        longest.states.clear();
    });
    let count = {
        let mut count = 0;
        let _ = checked(OLD, NEW, |product| count = product.meetings.len());
        count
    };
    // Each of them is needed.
    for left_out in 0..count {
        check_refused(|product| {
            product.meetings.values_mut().nth(left_out).expect("it is there").states.clear();
        });
    }
}

#[test]
fn a_counter_that_is_taken_for_its_first_value() {
    check_refused(|product| {
        let zero = product.numbers.pool.bv_const(0, 32);
        let zero = product.numbers.term(zero);
        let free: Vec<bool> = {
            let numbers: Vec<Number> = kept(product).map(|both| *places(both, 3, 4)[0]).collect();
            numbers.into_iter().map(|number| is_free(product, number)).collect()
        };
        for (both, _) in kept(product).zip(free).filter(|(_, free)| *free) {
            places(both, 3, 4).into_iter().for_each(|place| *place = zero);
        }
    });
}

#[test]
fn two_values_that_are_taken_for_one() {
    check_refused(|product| {
        for both in kept(product) {
            // The counter in the place of the sum, in both versions.
            let counter = *places(both, 3, 4)[0];
            places(both, 4, 3).into_iter().for_each(|place| *place = counter);
        }
    });
}

#[test]
fn a_fact_that_does_not_hold() {
    check_refused(|product| {
        let mut numbers = Vec::new();
        for both in kept(product) {
            numbers.push(*places(both, 3, 4)[0]);
        }
        let facts: Vec<_> = numbers
            .into_iter()
            .map(|number| match *product.numbers.node(number) {
                Node::Scalar(term) if product.numbers.pool.as_const(term).is_none() => {
                    let zero = product.numbers.pool.bv_const(0, 32);
                    Some(product.numbers.pool.eq(term, zero))
                }
                _ => None,
            })
            .collect();
        for (both, fact) in kept(product).zip(facts) {
            both.facts.extend(fact);
        }
    });
}

#[test]
fn a_result_that_is_taken_for_another() {
    // Behind the loop one version is said to hold what the other does not.
    check_refused(|product| {
        let seven = product.numbers.pool.bv_const(7, 32);
        let seven = product.numbers.term(seven);
        for both in kept(product) {
            *places(both, 7, 7)[1] = seven;
        }
    });
}

#[test]
fn memory_that_is_taken_for_what_it_was() {
    check_refused(|product| {
        let memory = product.numbers.of(Node::Memory);
        for both in kept(product) {
            (both.old.memory, both.new.memory) = (memory, memory);
        }
    });
}

#[test]
fn facts_that_are_needed_and_gone() {
    // Without them less is said, so what is kept is right; but ends that they told apart do not agree any more.
    let by_flag = |second: &str| {
        format!(
            "fn k::f(_1: u32, _2: bool) -> u32 {{
                let _3: u32;
                bb0: {{ switchInt(copy _2) -> [0: bb1, otherwise: bb2]; }}
                bb1: {{ _3 = const 1_u32; goto -> bb3; }}
                bb2: {{ _3 = const 2_u32; goto -> bb3; }}
                bb3: {{ switchInt(copy _2) -> [0: bb4, otherwise: bb5]; }}
                bb4: {{ _0 = Add(copy _1, copy _3); return; }}
                bb5: {{ _0 = {second}; return; }}
            }}"
        )
    };
    let (old, new) = (by_flag("copy _3"), by_flag("const 2_u32"));
    assert_eq!(checked(&old, &new, |_| ()), Ok(()));
    let said = checked(&old, &new, |product| kept(product).for_each(|both| both.facts = BTreeSet::new()));
    assert!(matches!(said, Err(Obstacle::Refused | Obstacle::Ends)), "{said:?}");
}
