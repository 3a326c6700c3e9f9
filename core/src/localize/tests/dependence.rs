//! Differences of random programs against the changes that they are said to depend on.

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};

use super::arguments;
use crate::compare::{FunctionPair, Instantiation};
use crate::exec::{ChangeId, Changes, Image, Makers, PanicPolicy};
use crate::explore::Options;
use crate::idx::Idx;
use crate::ir::{
    BlockId, Const, FnBody, FnId, IntTy, Operand, Position, Program, Rvalue, StatementKind, parse,
};
use crate::localize::{Dependence, dependence};
use crate::random_programs::{Dialect, Random, interpret, program};
use crate::value::{Outcome, Value};

/// Numbers in the statements of a program, by function and position: what is changed. Each statement has at most one.
fn numbers(program: &Program) -> Vec<(FnId, Position)> {
    let mut found = Vec::new();
    for function in program.functions.ids() {
        let FnBody::Present(body) = &program.functions[function].body else { continue };
        for block in body.blocks.ids() {
            for (index, statement) in body.blocks[block].statements.iter().enumerate() {
                let StatementKind::Assign(_, rvalue) = &statement.kind else { continue };
                if number(&mut rvalue.clone()).is_some() {
                    found.push((function, (block, index)));
                }
            }
        }
    }
    found
}

/// A number that is an operand. Divisors are left alone, lest they become zero where nothing checks them.
fn number(rvalue: &mut Rvalue) -> Option<&mut u128> {
    let operand = match rvalue {
        Rvalue::Use(operand) | Rvalue::Binary(_, operand, _) | Rvalue::CheckedBinary(_, operand, _) => {
            operand
        }
        _ => return None,
    };
    match operand {
        Operand::Const(Const::Int(bits, IntTy::U8)) => Some(bits),
        _ => None,
    }
}

/// The program with other numbers at these positions.
fn changed(mut program: Program, positions: &[(FnId, Position)]) -> Program {
    for (function, (block, index)) in positions.iter().copied() {
        let FnBody::Present(body) = &mut program.functions[function].body else { continue };
        body.change(|body| {
            let StatementKind::Assign(_, rvalue) = &mut body.blocks[block].statements[index].kind else {
                return;
            };
            if let Some(bits) = number(rvalue) {
                *bits ^= 1;
            }
        });
    }
    program
}

fn behind(old: &Program, new: &Program, changes: &Changes, arguments: &[Value]) -> Dependence {
    let image = |program| Image::new(program, PanicPolicy::Outcomes).with_changes(changes);
    let function = FnId::from_usize(0);
    let instantiation = Instantiation::default();
    let pair = FunctionPair { old: function, new: function, instantiation, makers: Makers::default() };
    dependence(&image(old), &image(new), &pair, &Options::default(), arguments).expect("it can be run")
}

/// Changes two numbers of a random program. Whether its end depends on one of them alone.
fn check(seed: u64, dialect: Dialect) -> Result<bool, TestCaseError> {
    let mut random = Random::new(seed);
    let source = random.program_in(dialect);
    let old = program(&source);
    let candidates = numbers(&old);
    if candidates.len() < 2 {
        return Ok(false);
    }
    let first = random.below(candidates.len());
    let second = (first + 1 + random.below(candidates.len() - 1)) % candidates.len();
    let both = [candidates[first], candidates[second]];
    let mut changes = Changes::default();
    for (number, (function, position)) in both.into_iter().enumerate() {
        changes.add(function, position, ChangeId::from_usize(number));
    }
    let new = changed(old.clone(), &both);
    let mut one_alone = false;
    for input in [[0, 0, 3], [1, 77, 3], [255, 2, 9], [78, 78, 0]] {
        // It is the interpreter of sources that says what the old program does.
        let Dependence { old: old_end, new: new_end, changes: behind_it, of_all_outputs } =
            behind(&old, &new, &changes, &arguments(input));
        if let (Ok((value, _)), Some(Outcome::Returned { value: seen, .. })) =
            (interpret(&source, input), &old_end)
        {
            prop_assert_eq!(super::byte(seen), value);
        }
        if old_end == new_end || old_end.is_none() || new_end.is_none() {
            continue;
        }
        prop_assert!(!behind_it.is_empty(), "seed {seed}, {input:?}: a difference without a change");
        for (number, change) in both.iter().enumerate() {
            let change_id = ChangeId::from_usize(number);
            prop_assert!(of_all_outputs.contains(&change_id) || !behind_it.contains(&change_id));
            one_alone |= !behind_it.contains(&change_id);
            // An output that is the same in both versions may be another one in the mixture.
            if of_all_outputs.contains(&change_id) {
                continue;
            }
            let other = both[1 - number];
            let without = behind(&old, &changed(old.clone(), &[other]), &changes, &arguments(input)).new;
            prop_assert_eq!(
                &without,
                &new_end,
                "seed {}, {:?}: it depends on the change at {:?}\n{:?}",
                seed,
                input,
                change,
                source
            );
        }
    }
    Ok(one_alone)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_what_nothing_depends_on_all_is_the_same(seed: u64) {
        check(seed, Dialect::Plain)?;
        check(seed, Dialect::Full)?;
    }
}

/// For long campaigns: `REGRESS_PROGRAMS=100000 cargo test -p cargo-regress-core --lib many_random_changes -- --ignored`.
#[test]
#[ignore = "long"]
fn many_random_changes() {
    let programs =
        std::env::var("REGRESS_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000u64);
    for seed in 1..=programs {
        for dialect in [Dialect::Plain, Dialect::Full, Dialect::Lists] {
            check(seed, dialect).expect("it holds");
        }
    }
}

#[test]
fn random_differences_depend_on_one_change_alone() {
    let alone = (1..300u64).filter(|seed| check(*seed, Dialect::Plain).expect("it holds")).count();
    assert!(alone > 20, "only {alone}: nothing was put to the test");
}

#[test]
fn a_change_is_behind_what_it_decides() {
    let text = |limit: u8, step: u8| {
        format!(
            "fn f(_1: u8) -> (u8, u8) {{
                let _2: bool;
                let _3: u8;
                let _4: u8;
                bb0: {{
                    _2 = Lt(copy _1, const {limit}_u8);
                    _4 = const {step}_u8;
                    switchInt(copy _2) -> [0: bb1, otherwise: bb2];
                }}
                bb1: {{
                    _3 = const 1_u8;
                    goto -> bb3;
                }}
                bb2: {{
                    _3 = const 2_u8;
                    goto -> bb3;
                }}
                bb3: {{
                    _0 = (copy _3, copy _4);
                    return;
                }}
            }}"
        )
    };
    let mut changes = Changes::default();
    let entry = BlockId::entry();
    changes.add(FnId::from_usize(0), (entry, 0), ChangeId::from_usize(0));
    changes.add(FnId::from_usize(0), (entry, 1), ChangeId::from_usize(1));
    let told = |(limit, step): (u8, u8), input: u8| -> Vec<usize> {
        let program = |limit, step| parse::program(&text(limit, step)).expect("it is MIR");
        let input = [Value::int(IntTy::U8, input.into())];
        let found = behind(&program(10, 5), &program(limit, step), &changes, &input);
        found.changes.into_iter().map(Idx::index).collect()
    };
    assert_eq!(told((20, 5), 15), [0]);
    assert_eq!(told((10, 6), 15), [1]);
    assert_eq!(told((20, 6), 15), [0, 1]);
    assert_eq!(told((20, 6), 30), [1]);
}
