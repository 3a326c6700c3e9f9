//! Conditions outside of which a change cannot be seen: what they say of small pairs, and an attack on them with random pairs.

use std::collections::HashSet;
use std::time::Instant;

use super::tests::{VALUES, program, random_pair};
use super::{AffectedWhen, Limits, Pair, affected_when};
use crate::align::align;
use crate::idx::Idx;
use crate::ir::{FnBody, FnId, IntTy, Mutability, Program, Ty, TyKind};
use crate::random_programs::{Dialect, interpret, program as random_program};
use crate::signature::readable::{Names, Printer, simplified};
use crate::smt::{AnySolver, Layered, SolverLimits};
use crate::value::Value;

fn residual_of(old: &Program, new: &Program) -> Option<AffectedWhen> {
    let first = FnId::from_usize(0);
    let mut solver = Layered::new(AnySolver::new());
    let alignment = align(old, new);
    let pair = Pair { alignment: &alignment, old: (old, first), new: (new, first) };
    affected_when(pair, &mut solver, Limits::default()).ok()?
}

/// The alternatives under which the first functions may differ, in Rust; none if they may on all inputs.
#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    let (old, new) = (program(old), program(new));
    let mut solver = Layered::new(AnySolver::new());
    let Some(mut found) = residual_of(&old, &new) else {
        assert_eq!(expected, [""; 0]);
        return;
    };
    let function = &new.functions[FnId::from_usize(0)];
    let FnBody::Present(body) = &function.body else { panic!("it has a body") };
    let parameters: Vec<(String, Ty)> = body
        .args()
        .zip(["a", "b", "c"])
        .map(|(arg, name)| (name.to_owned(), body.locals[arg].ty.clone()))
        .collect();
    let any_of = std::mem::take(&mut found.any_of);
    let texts: Vec<String> = any_of
        .into_iter()
        .map(|facts| {
            let facts = simplified(&mut found.pool, &mut solver, &SolverLimits::default(), &[], &facts);
            let names = Names::new(&new, &found.pool, &parameters);
            let printer = Printer { pool: &found.pool, names: &names, program: &new };
            facts.into_iter().map(|fact| printer.condition(fact)).collect::<Vec<_>>().join(" && ")
        })
        .collect();
    assert_eq!(texts, expected);
}

/// Two branches, one after the other.
const BRANCHES: &str = "fn k::f(_1: u32, _2: bool) -> u32 {
    let _3: bool;
    bb0: { _3 = Gt(copy _1, const 4_u32); switchInt(move _3) -> [0: bb1, otherwise: bb2]; }
    bb1: { _0 = const 10_u32; return; }
    bb2: { switchInt(copy _2) -> [0: bb3, otherwise: bb4]; }
    bb3: { _0 = const 20_u32; return; }
    bb4: { _0 = const 30_u32; return; }
}";

#[test]
fn one_arm_that_changed_is_affected() {
    check(BRANCHES, &BRANCHES.replace("const 10_u32", "const 11_u32"), &["a < 5"]);
    check(BRANCHES, &BRANCHES.replace("const 30_u32", "const 31_u32"), &["b && a >= 5"]);
    let both = BRANCHES.replace("const 20_u32", "const 21_u32").replace("const 30_u32", "const 31_u32");
    check(BRANCHES, &both, &["a >= 5"]);
    let ends = BRANCHES.replace("const 10_u32", "const 11_u32").replace("const 20_u32", "const 21_u32");
    check(BRANCHES, &ends, &["a >= 5 && !b", "a < 5"]);
}

#[test]
fn what_changed_everywhere_has_no_residual() {
    let all = BRANCHES.replace("0_u32; return", "1_u32; return");
    check(BRANCHES, &all, &[]);
    check(BRANCHES, BRANCHES, &[]);
}

#[test]
fn another_bound_affects_what_lies_between() {
    check(BRANCHES, &BRANCHES.replace("const 4_u32", "const 6_u32"), &["(5..=6).contains(&a)"]);
}

#[test]
fn examples_are_inputs_on_which_the_versions_may_differ() {
    let (old, new) = (program(BRANCHES), program(&BRANCHES.replace("const 30_u32", "const 31_u32")));
    let mut found = residual_of(&old, &new).expect("b && a >= 5");
    let types = [Ty::int(IntTy::U32), Ty::new(TyKind::Bool)];
    let mut solver = Layered::new(AnySolver::new());
    let examples = found.examples(&types, &mut solver, Limits::default(), 4);
    assert_eq!(examples.iter().collect::<HashSet<_>>().len(), 4, "{examples:?}");
    for example in &examples {
        let [Value::Int { bits, .. }, Value::Bool(true)] = example.as_slice() else { panic!("{example:?}") };
        assert!(*bits >= 5, "{example:?}");
    }
    let over = Limits { until: Some(Instant::now()), ..Limits::default() };
    assert_eq!(found.examples(&types, &mut solver, over, 4), Vec::<Vec<Value>>::new());
    let on_text = [Ty::reference(Mutability::Shared, Ty::new(TyKind::Str)), Ty::new(TyKind::Bool)];
    assert_eq!(found.examples(&on_text, &mut solver, Limits::default(), 4), Vec::<Vec<Value>>::new());
    // A listener between them is left to whoever draws inputs.
    let listened = [Ty::int(IntTy::U32), Ty::new(TyKind::Bool), Ty::adt("k::Listener", Vec::new())];
    let beside = found.examples(&listened, &mut solver, Limits::default(), 4);
    assert!(beside.iter().all(|example| example.len() == 2) && beside.len() == 4, "{beside:?}");
}

/// What is not followed is affected.
#[test]
fn one_arm_that_is_not_understood_is_affected() {
    let unsafe_arm = BRANCHES
        .replace("let _3: bool;", "let _3: bool; let _4: *const u32; let _5: usize;")
        .replace("bb1: {", "bb1: { _4 = &raw const _1; _5 = copy _4 as usize (ExposeProvenance);");
    check(BRANCHES, &unsafe_arm, &["a < 5"]);
}

#[test]
fn lengths_fields_and_variants_are_named_as_in_rust() {
    let version = |limit: u32| {
        format!(
            "struct k::P {{ at: u32, wide: bool }}
             enum k::E {{ None, One(u32) }}
             fn k::f(_1: &k::P, _2: &[u8], _3: k::E) -> u32 {{
                let _4: usize; let _5: bool; let _6: u32; let _7: isize;
                bb0: {{ _6 = copy ((*_1).0: u32); _5 = Lt(copy _6, const 3_u32); switchInt(move _5) -> [0: bb1, otherwise: bb5]; }}
                bb1: {{ _4 = PtrMetadata(copy _2); _5 = Eq(copy _4, const 2_usize); switchInt(move _5) -> [0: bb5, otherwise: bb2]; }}
                bb2: {{ _7 = discriminant(_3); switchInt(copy _7) -> [1: bb3, otherwise: bb5]; }}
                bb3: {{ _6 = copy ((_3 as One).0: u32); switchInt(copy _6) -> [7: bb4, otherwise: bb5]; }}
                bb4: {{ _0 = const {limit}_u32; return; }}
                bb5: {{ _0 = const 0_u32; return; }}
            }}"
        )
    };
    check(&version(1), &version(2), &["a.at >= 3 && b.len() == 2 && matches!(c, E::One(_)) && c.One.0 == 7"]);
}

#[test]
fn what_a_loop_did_is_not_said_of_parameters() {
    let version = |bound: u32| {
        format!(
            "fn k::f(_1: u32, _2: bool) -> u32 {{
                let _3: u32; let _4: bool;
                bb0: {{ switchInt(copy _2) -> [0: bb1, otherwise: bb2]; }}
                bb1: {{ _0 = const 0_u32; return; }}
                bb2: {{ _3 = const 0_u32; goto -> bb3; }}
                bb3: {{ _4 = Lt(copy _3, copy _1); switchInt(move _4) -> [0: bb5, otherwise: bb4]; }}
                bb4: {{ _3 = Add(copy _3, const {bound}_u32); goto -> bb3; }}
                bb5: {{ _0 = copy _3; return; }}
            }}"
        )
    };
    check(&version(1), &version(2), &["b"]);
}

/// Random pairs whose residual is held against an interpreter that shares no code with the engine: where they differ it has to hold.
fn attack(dialect: Dialect, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut said, mut differing) = (0, 0);
    let byte = |bits: u8| Value::Int { ty: IntTy::U8, bits: bits.into() };
    for seed in seeds {
        let (old, new) = random_pair(dialect, seed);
        let (old_program, new_program) = (random_program(&old), random_program(&new));
        let Some(found) = residual_of(&old_program, &new_program) else { continue };
        said += 1;
        let inputs = VALUES.iter().flat_map(|x| VALUES.iter().flat_map(move |y| VALUES.map(|z| [*x, *y, z])));
        let mut differs = false;
        for input in inputs {
            let values = [byte(input[0]), byte(input[1]), Value::Ref(Box::new(byte(input[2])))];
            let holds = found.holds_of(&new_program, &values);
            if interpret(&old, input) != interpret(&new, input) {
                differs = true;
                assert_eq!(holds, Some(true), "seed {seed}, input {input:?}\n{old:?}\n{new:?}");
            }
        }
        differing += usize::from(differs);
    }
    (said, differing)
}

#[test]
fn random_pairs_do_the_same_outside_of_their_residual() {
    let (said, differing) = attack(Dialect::Plain, 0..1_500);
    assert!(said > 100 && differing > 30, "{said} of 1,500 have one, {differing} of them differ");
    attack(Dialect::Lists, 0..700);
}
