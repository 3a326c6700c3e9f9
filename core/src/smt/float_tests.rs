//! Z3's floating point against the machine's, operation by operation.

use std::time::Duration;

use super::{Answer, Solver, SolverLimits, UnknownReason, Z3Solver};
use crate::ir::{FloatTy, Signedness};
use crate::term::{FloatOp, LibmFn, Sort, TermId, TermPool, float};

const OPERATIONS: [FloatOp; 11] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Sqrt,
    FloatOp::Floor,
    FloatOp::Ceil,
    FloatOp::Trunc,
    FloatOp::Round,
    FloatOp::RoundTiesEven,
    FloatOp::Convert,
];

const SAMPLES: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    0.1,
    -0.3,
    1e30,
    -3e38,
    1e-40,
    5e-324,
    300.7,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn limits() -> SolverLimits {
    SolverLimits { resources: 0, time: Duration::from_secs(600) }
}

fn bits(ty: FloatTy, value: f64) -> u128 {
    ty.canonical(match ty {
        FloatTy::F32 => (value as f32).to_bits().into(),
        FloatTy::F64 => value.to_bits().into(),
    })
}

/// Z3, forced to these operands, must give the result that the machine gives, and no other.
fn check(op: FloatOp, ty: FloatTy, width: u16, operands: &[u128]) {
    let mut pool = TermPool::new();
    let vars: Vec<TermId> = operands.iter().map(|_| pool.var("x", Sort::Bv(width))).collect();
    let term = pool.float(op, ty, &vars);
    let expected = pool.bv_const(float::apply(op, ty, operands, width), op.result_bits(ty));
    let mut assertions = Vec::new();
    for (var, bits) in vars.iter().zip(operands) {
        let value = pool.bv_const(*bits, width);
        assertions.push(pool.eq(*var, value));
    }
    let agrees = pool.eq(term, expected);
    let mut z3 = Z3Solver::new();
    let differs = pool.not(agrees);
    let answer = z3.check(&pool, &[&assertions[..], &[differs]].concat(), &limits());
    assert_eq!(answer, Answer::Unsat, "{op:?} {ty:?} of {operands:x?}");
    let answer = z3.check(&pool, &[&assertions[..], &[agrees]].concat(), &limits());
    assert!(matches!(answer, Answer::Sat(_)), "{op:?} {ty:?} of {operands:x?}: {answer:?}");
}

#[test]
fn operations_are_those_of_the_machine() {
    for ty in [FloatTy::F32, FloatTy::F64] {
        for op in OPERATIONS {
            // Circuits of 64 bits for these take Z3 minutes even where the operands are given.
            let is_large = matches!(op, FloatOp::Mul | FloatOp::Div | FloatOp::Sqrt);
            if is_large && ty == FloatTy::F64 {
                continue;
            }
            let binary = matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div);
            for (index, x) in SAMPLES.into_iter().enumerate().step_by(if is_large { 8 } else { 2 }) {
                let y = SAMPLES[(index * 7 + 3) % SAMPLES.len()];
                let operands = [bits(ty, x), bits(ty, y)];
                check(op, ty, ty.bits(), if binary { &operands } else { &operands[..1] });
            }
        }
    }
}

#[test]
fn conversions_are_those_of_the_machine() {
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        for ty in [FloatTy::F32, FloatTy::F64] {
            for value in SAMPLES.into_iter().chain([255.5, 256.0, -128.9, -129.0, 127.9]) {
                check(FloatOp::ToInt(signedness, 8), ty, ty.bits(), &[bits(ty, value)]);
                check(FloatOp::ToInt(signedness, 64), ty, ty.bits(), &[bits(ty, value)]);
            }
            for int in [0u128, 1, 2, 0x7fff, 0x8000, 0xffff] {
                check(FloatOp::FromInt(signedness), ty, 16, &[int]);
            }
        }
        for int in [0u128, 3, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] {
            check(FloatOp::FromInt(signedness), FloatTy::F64, 32, &[int]);
        }
    }
}

#[test]
fn models_are_found_and_checked() {
    let ty = FloatTy::F32;
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let float = |value: f64| bits(ty, value);
    let (two, wanted, zero) =
        (pool.bv_const(float(2.0), 32), pool.bv_const(float(84.25), 32), pool.bv_const(float(0.0), 32));
    let doubled = pool.float(FloatOp::Mul, ty, &[x, two]);
    let found = pool.float_eq(ty, doubled, wanted);
    let mut z3 = Z3Solver::new();
    let Answer::Sat(model) = z3.check(&pool, &[found], &limits()) else { panic!("there is 42.125") };
    assert_eq!(pool.eval(x, &model), float(42.125));

    let square = pool.float(FloatOp::Mul, ty, &[x, x]);
    let negative = pool.float_lt(ty, square, zero);
    assert_eq!(z3.check(&pool, &[negative], &limits()), Answer::Unsat);
}

#[test]
fn what_is_not_told_is_not_called_wrong() {
    let ty = FloatTy::F64;
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let five = pool.bv_const(bits(ty, 5.0), 64);
    let two = pool.bv_const(bits(ty, 2.0), 64);
    let rest = pool.float(FloatOp::Rem, ty, &[x, two]);
    let impossible = pool.float_eq(ty, rest, five);
    let answer = Z3Solver::new().check(&pool, &[impossible], &limits());
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Other(_))), "{answer:?}");
}

#[test]
fn what_is_not_told_is_the_same_for_the_same_operands() {
    for op in [FloatOp::Libm(LibmFn::Sin), FloatOp::Rem, FloatOp::MulAdd] {
        let ty = FloatTy::F64;
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::Bv(64)));
        let operands = |first: TermId| match op {
            FloatOp::MulAdd => vec![first, z, z],
            FloatOp::Rem => vec![first, z],
            _ => vec![first],
        };
        let (one, other) = (pool.float(op, ty, &operands(x)), pool.float(op, ty, &operands(y)));
        let (same, results) = (pool.eq(x, y), pool.eq(one, other));
        let differ = pool.not(results);
        assert_eq!(Z3Solver::new().check(&pool, &[same, differ], &limits()), Answer::Unsat, "{op:?}");
        let alone = Z3Solver::new().check(&pool, &[differ], &limits());
        assert!(alone != Answer::Unsat, "{op:?} of other operands may be another number");
    }
}

#[test]
fn functions_of_other_names_are_not_the_same() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let [sine, cosine] =
        [LibmFn::Sin, LibmFn::Cos].map(|function| pool.float(FloatOp::Libm(function), FloatTy::F64, &[x]));
    let same = pool.eq(sine, cosine);
    let differ = pool.not(same);
    assert!(Z3Solver::new().check(&pool, &[differ], &limits()) != Answer::Unsat);
}
