//! What integers tell is what all values tell.

use proptest::prelude::*;

use super::{Arithmetic, applies, ask};
use crate::smt::Answer;
use crate::term::testing::{self, Choices, Env, Expr, Op2, Test2, Vars};
use crate::term::{Sort, TermId, TermPool};

/// Of Z3's work; enough for all questions here.
const RESOURCES: u32 = 50_000_000;

fn check(pool: &TermPool, assertions: &[TermId]) -> Option<Answer> {
    let below = pool.below(assertions);
    if !applies(pool, &below) {
        return None;
    }
    let [first, second] = [Arithmetic::Simplex, Arithmetic::Usual]
        .map(|arithmetic| ask(pool, assertions, below.clone(), (arithmetic, RESOURCES)));
    let is_unsat = |answer: &Option<Answer>| *answer == Some(Answer::Unsat);
    let is_sat = |answer: &Option<Answer>| matches!(answer, Some(Answer::Sat(_)));
    let agree = !(is_unsat(&first) && is_sat(&second) || is_sat(&first) && is_unsat(&second));
    assert!(agree, "{first:?} {second:?}");
    first
}

/// Operations that have an exact translation, on two variables of four bits.
fn exact(choices: &mut Choices<'_>, width: u16, depth: u32) -> Expr {
    let variable = |choices: &mut Choices<'_>| {
        let variable = Box::new(Expr::Var(Sort::Bv(4), choices.below(2)));
        match (width, choices.below(2)) {
            (4, _) => *variable,
            (_, 0) => Expr::Zext(variable, width),
            (_, _) => Expr::Sext(variable, width),
        }
    };
    if depth == 0 {
        return match choices.below(4) {
            0 => Expr::Const(choices.number(width), width),
            _ => variable(choices),
        };
    }
    let number = |choices: &mut Choices<'_>| Box::new(Expr::Const(choices.number(width).max(1), width));
    let a = Box::new(exact(choices, width, depth - 1));
    match choices.below(10) {
        0 => Expr::Op(Op2::Add, a, Box::new(exact(choices, width, depth - 1))),
        1 => Expr::Op(Op2::Sub, a, Box::new(exact(choices, width, depth - 1))),
        2 => Expr::Op(Op2::Mul, a, number(choices)),
        3 => Expr::Op(Op2::Udiv, a, number(choices)),
        4 => Expr::Op(Op2::Urem, a, number(choices)),
        5 => Expr::Op(Op2::Sdiv, a, number(choices)),
        6 => Expr::Op(Op2::Srem, a, number(choices)),
        7 => Expr::Zext(Box::new(Expr::Extract(a, width - 2, 1)), width),
        8 => Expr::Sext(Box::new(Expr::Extract(a, width - 2, 0)), width),
        _ => {
            let test = [Test2::Slt, Test2::Ult, Test2::Eq, Test2::Sge][choices.below(4)];
            let b = Box::new(exact(choices, width, depth - 1));
            let condition = Box::new(Expr::Test(test, a.clone(), b.clone()));
            Expr::Ite(condition, a, b)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whether a term can have a value, by itself and where it is compared with another number as well.
    #[test]
    fn a_term_has_the_values_that_it_can_have(
        choices in prop::collection::vec(any::<u8>(), 0..60),
        width in prop::sample::select(vec![4u16, 6]),
        numbers in prop::collection::vec(any::<u8>(), 4),
    ) {
        let mut pool = TermPool::new();
        let mut vars = Vars::default();
        let expr = exact(&mut Choices(&choices), width, 3);
        let term = testing::build(&mut pool, &mut vars, &expr);
        let values: Vec<u128> = (0..256u128)
            .map(|both| {
                let env: Env = [((Sort::Bv(4), 0), both % 16), ((Sort::Bv(4), 1), both / 16)].into();
                testing::value(&env, &expr).0
            })
            .collect();
        let bound = pool.bv_const(u128::from(numbers[0]), width);
        let is_below = pool.slt(term, bound);
        let below = |value: &u128| {
            let signed = |bits: u128| ((bits << (128 - width)) as i128) >> (128 - width);
            signed(*value) < signed(u128::from(numbers[0]))
        };
        for number in &numbers {
            let number = u128::from(*number) & ((1 << width) - 1);
            let constant = pool.bv_const(number, width);
            let (is, not) = (pool.eq(term, constant), pool.ne(term, constant));
            let questions = [
                (vec![is], values.contains(&number)),
                (vec![is, is_below], values.iter().any(|value| *value == number && below(value))),
                (vec![not, is_below], values.iter().any(|value| *value != number && below(value))),
            ];
            let arithmetics = [Arithmetic::Simplex, Arithmetic::Usual];
            for ((question, possible), arithmetic) in questions.iter().flat_map(|q| arithmetics.map(|a| (q, a))) {
                let all = pool.below(question);
                match ask(&pool, question, all, (arithmetic, RESOURCES)) {
                    Some(Answer::Sat(_)) => prop_assert!(*possible),
                    Some(Answer::Unsat) => prop_assert!(!*possible, "{expr:?} can be {number}"),
                    // All of these operations are exact.
                    other => prop_assert!(false, "{other:?} for {expr:?}"),
                }
            }
        }
    }
}

/// Digits make numbers, numbers a sum, and the sum is taken apart again.
#[test]
fn numbers_are_got_back_from_their_sum() {
    let mut pool = TermPool::new();
    let minutes = pool.var("m", Sort::Bv(8));
    let seconds = pool.var("s", Sort::Bv(8));
    let sixty = pool.bv_const(60, 64);
    let [wide_minutes, wide_seconds] = [minutes, seconds].map(|t| pool.zext(t, 64));
    let product = pool.mul(wide_minutes, sixty);
    let sum = pool.add(product, wide_seconds);
    let (quotient, remainder) = (pool.udiv(sum, sixty), pool.urem(sum, sixty));
    let is_back = {
        let (a, b) = (pool.eq(quotient, wide_minutes), pool.eq(remainder, wide_seconds));
        pool.and(a, b)
    };
    let is_not_back = pool.not(is_back);
    let limit = pool.bv_const(60, 8);
    let is_second = pool.ult(seconds, limit);
    assert_eq!(check(&pool, &[is_second, is_not_back]), Some(Answer::Unsat));
    // Sixty seconds are a minute more.
    let found = check(&pool, &[is_not_back]);
    assert!(matches!(found, Some(Answer::Sat(_))), "{found:?}");
    // Without a division there is nothing to gain.
    assert_eq!(check(&pool, &[is_second]), None);
}
