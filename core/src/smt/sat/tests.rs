//! What the SAT solver says is what terms mean: against all values of small widths, and against Z3.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::*;
use crate::ir::{FloatTy, Signedness};
use crate::smt::Layered;
use crate::term::testing::{self, Choices, Env, Expr, Vars};
use crate::term::{FloatOp, LibmFn, Model, Sort, float};

fn limits() -> SolverLimits {
    SolverLimits { resources: 0, time: Duration::from_secs(60) }
}

fn check(pool: &TermPool, assertions: &[TermId]) -> Answer {
    SatSolver::new().check(pool, assertions, &limits())
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

fn constant(pool: &mut TermPool, sort: Sort, bits: u128) -> TermId {
    match sort {
        Sort::Bool => pool.bool_const(bits == 1),
        Sort::Bv(width) => pool.bv_const(bits, width),
    }
}

type Binary = fn(&mut TermPool, TermId, TermId) -> TermId;

const OPERATIONS: [(&str, Binary); 24] = [
    ("add", TermPool::add),
    ("sub", TermPool::sub),
    ("mul", TermPool::mul),
    ("udiv", TermPool::udiv),
    ("sdiv", TermPool::sdiv),
    ("urem", TermPool::urem),
    ("srem", TermPool::srem),
    ("and", TermPool::bvand),
    ("or", TermPool::bvor),
    ("xor", TermPool::bvxor),
    ("shl", TermPool::shl),
    ("lshr", TermPool::lshr),
    ("ashr", TermPool::ashr),
    ("eq", TermPool::eq),
    ("ult", TermPool::ult),
    ("ule", TermPool::ule),
    ("slt", TermPool::slt),
    ("sle", TermPool::sle),
    ("unsigned +", |pool, a, b| pool.add_overflows(a, b, Signedness::Unsigned)),
    ("signed +", |pool, a, b| pool.add_overflows(a, b, Signedness::Signed)),
    ("unsigned -", |pool, a, b| pool.sub_overflows(a, b, Signedness::Unsigned)),
    ("signed -", |pool, a, b| pool.sub_overflows(a, b, Signedness::Signed)),
    ("unsigned *", |pool, a, b| pool.mul_overflows(a, b, Signedness::Unsigned)),
    ("signed *", |pool, a, b| pool.mul_overflows(a, b, Signedness::Signed)),
];

/// The operation of two unknown operands is, for all of them, what a table of its values says; and so in no place of the table is it another value.
fn check_table(name: &str, operation: Binary, width: u16) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(width)), pool.var("y", Sort::Bv(width)));
    let vars = [x, y].map(|var| pool.var_of(var).unwrap());
    let term = operation(&mut pool, x, y);
    let sort = pool.sort(term);
    let all = 1u128 << width;
    let mut table = constant(&mut pool, sort, 0);
    let mut values = Vec::new();
    for (a, b) in (0..all).flat_map(|a| (0..all).map(move |b| (a, b))) {
        let model: Model = [(vars[0], a), (vars[1], b)].into_iter().collect();
        let value = pool.eval(term, &model);
        let (at_a, at_b) = (pool.bv_const(a, width), pool.bv_const(b, width));
        let (is_a, is_b) = (pool.eq(x, at_a), pool.eq(y, at_b));
        let here = pool.and(is_a, is_b);
        let result = constant(&mut pool, sort, value);
        table = pool.ite(here, result, table);
        values.push(value);
    }
    let same = pool.eq(term, table);
    let differ = pool.not(same);
    assert_eq!(check(&pool, &[differ]), Answer::Unsat, "{name} at {width} bits");
    for value in 0..1u128 << sort.bits() {
        let wanted = constant(&mut pool, sort, value);
        let is_wanted = pool.eq(term, wanted);
        let found = matches!(check(&pool, &[is_wanted]), Answer::Sat(_));
        assert_eq!(found, values.contains(&value), "{name} at {width} bits gives {value}");
    }
}

#[test]
fn operations_are_right_for_all_operands() {
    for (name, operation) in OPERATIONS {
        for width in 1..=4 {
            check_table(name, operation, width);
        }
    }
}

/// Operations whose circuits are made at once, and again where nothing is left open by then: the bits of products and quotients of given operands.
#[test]
fn wide_operations_are_right_for_given_operands() {
    let samples = |width: u16| {
        let all = crate::term::bits::mask(width);
        [0, 1, 3, all, all >> 1, (all >> 1) + 1, 0x1234_5678_9abc_def1_0fed_cba9_8765_4321 & all, all / 3]
    };
    for width in [8u16, 33, 64, 128] {
        for (name, operation) in OPERATIONS {
            let mut pool = TermPool::new();
            let (x, y) = (pool.var("x", Sort::Bv(width)), pool.var("y", Sort::Bv(width)));
            let vars = [x, y].map(|var| pool.var_of(var).unwrap());
            let term = operation(&mut pool, x, y);
            let sort = pool.sort(term);
            for (index, a) in samples(width).into_iter().enumerate() {
                let b = samples(width)[(index * 3 + 2) % 8];
                let model: Model = [(vars[0], a), (vars[1], b)].into_iter().collect();
                let value = pool.eval(term, &model);
                let expected = constant(&mut pool, sort, value);
                let (at_a, at_b) = (pool.bv_const(a, width), pool.bv_const(b, width));
                let operands = [pool.eq(x, at_a), pool.eq(y, at_b)];
                let agrees = pool.eq(term, expected);
                let differs = pool.not(agrees);
                let answer = check(&pool, &[operands[0], operands[1], differs]);
                assert_eq!(answer, Answer::Unsat, "{name} of {a:#x} and {b:#x} at {width} bits");
                let answer = check(&pool, &[operands[0], operands[1], agrees]);
                assert!(matches!(answer, Answer::Sat(_)), "{name} of {a:#x} and {b:#x}: {answer:?}");
            }
        }
    }
}

/// Boolean expressions of variables with few bits in all.
fn small_questions(conjuncts: &[Vec<u8>]) -> (TermPool, Vars, Vec<Expr>, Vec<TermId>) {
    let mut pool = TermPool::new();
    let mut vars = Vars::default();
    let exprs: Vec<Expr> =
        conjuncts.iter().map(|bytes| testing::expr(&mut Choices(bytes), Sort::Bool, &[2, 3], 3)).collect();
    let terms = exprs.iter().map(|expr| testing::build(&mut pool, &mut vars, expr)).collect();
    (pool, vars, exprs, terms)
}

/// Whether some values of the variables make all expressions true, by trying them all.
fn is_possible(vars: &Vars, exprs: &[Expr]) -> bool {
    let keys: Vec<(Sort, usize)> = vars.0.keys().copied().collect();
    let free: u16 = keys.iter().map(|(sort, _)| sort.bits()).sum();
    (0..1u128 << free).any(|number| {
        let mut rest = number;
        let env: Env = keys
            .iter()
            .map(|key| {
                let value = rest & crate::term::bits::mask(key.0.bits());
                rest >>= key.0.bits();
                (*key, value)
            })
            .collect();
        exprs.iter().all(|expr| testing::value(&env, expr).0 == 1)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn small_questions_are_answered_as_all_values_say(conjuncts in prop::collection::vec(bytes(60), 1..4)) {
        let (pool, vars, exprs, terms) = small_questions(&conjuncts);
        let answer = check(&pool, &terms);
        match (&answer, is_possible(&vars, &exprs)) {
            (Answer::Sat(_), true) | (Answer::Unsat, false) => {}
            (_, possible) => panic!("{answer:?}, but possible is {possible}: {exprs:?}"),
        }
    }

    /// Forced to one assignment, the solver gives an expression the value that it has by the book, and no other.
    #[test]
    fn terms_have_their_meaning(
        choices in bytes(120),
        width in prop::sample::select(vec![1u16, 3, 8, 32, 64, 128]),
        values in bytes(60),
    ) {
        let expr = testing::expr(&mut Choices(&choices), Sort::Bv(width), &[1, 3, 8, 32, 64, 128], 4);
        let mut pool = TermPool::new();
        let mut vars = Vars::default();
        let term = testing::build(&mut pool, &mut vars, &expr);
        let (env, _) = testing::assignment(&mut Choices(&values), &pool, &vars);
        let (expected, _) = testing::value(&env, &expr);
        let mut assertions = Vec::new();
        for (key, var) in &vars.0 {
            let value = constant(&mut pool, key.0, env[key]);
            assertions.push(pool.eq(*var, value));
        }
        let sort = pool.sort(term);
        let value = constant(&mut pool, sort, expected);
        let agrees = pool.eq(term, value);
        let differs = pool.not(agrees);
        assertions.push(differs);
        prop_assert_eq!(check(&pool, &assertions), Answer::Unsat, "{} is not {}", pool.display(term), expected);
        assertions.pop();
        assertions.push(agrees);
        let answer = check(&pool, &assertions);
        prop_assert!(matches!(answer, Answer::Sat(_)), "{:?} for {}", answer, pool.display(agrees));
    }
}

#[cfg(feature = "z3")]
mod against_z3 {
    use super::*;
    use crate::smt::Z3Solver;

    /// Both solvers, each alone and the SAT solver behind the layers: the same answer, or none.
    fn check_agree(conjuncts: &[Vec<u8>], widths: &[u16], depth: u32) {
        let mut pool = TermPool::new();
        let mut vars = Vars::default();
        let exprs: Vec<Expr> = conjuncts
            .iter()
            .map(|bytes| testing::expr(&mut Choices(bytes), Sort::Bool, widths, depth))
            .collect();
        let terms: Vec<TermId> =
            exprs.iter().map(|expr| testing::build(&mut pool, &mut vars, expr)).collect();
        let limits = SolverLimits { resources: 2_000_000, time: Duration::from_secs(20) };
        let (mut z3, mut layered) = (Z3Solver::new(), Layered::new(SatSolver::new()));
        for len in 1..=terms.len() {
            let expected = z3.check(&pool, &terms[..len], &limits);
            let answers = [
                SatSolver::new().check(&pool, &terms[..len], &limits),
                layered.check(&pool, &terms[..len], &limits),
            ];
            for found in answers {
                let agrees = match (&expected, &found) {
                    (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat, Answer::Unsat) => true,
                    (Answer::Unknown(reason), _) | (_, Answer::Unknown(reason)) => {
                        !matches!(reason, UnknownReason::WrongModel { .. })
                    }
                    _ => false,
                };
                assert!(agrees, "{expected:?} and {found:?} for {:?}", &exprs[..len]);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn both_answer_alike(groups in prop::collection::vec(bytes(60), 1..5)) {
            check_agree(&groups, &[2, 4, 8], 3);
        }

        #[test]
        fn both_answer_alike_on_wide_terms(groups in prop::collection::vec(bytes(60), 1..4)) {
            check_agree(&groups, &[8, 16, 64], 3);
        }
    }
}

/// Factors of a product of two primes near 2^31.
fn hard_question(pool: &mut TermPool) -> Vec<TermId> {
    let (x, y) = (pool.var("x", Sort::Bv(64)), pool.var("y", Sort::Bv(64)));
    let product = pool.mul(x, y);
    let number = pool.bv_const(2_147_483_647 * 2_147_483_629, 64);
    let limit = pool.bv_const(1 << 32, 64);
    let one = pool.bv_const(1, 64);
    vec![pool.eq(product, number), pool.ult(x, limit), pool.ult(y, limit), pool.ugt(x, one), pool.ugt(y, one)]
}

#[test]
fn limits_end_hard_questions() {
    let mut pool = TermPool::new();
    let assertions = hard_question(&mut pool);
    let few = SolverLimits { resources: 400_000, time: Duration::from_secs(600) };
    let answer = SatSolver::new().check(&pool, &assertions, &few);
    assert_eq!(answer, Answer::Unknown(UnknownReason::ResourceLimit));
    let short = SolverLimits { resources: 0, time: Duration::from_millis(300) };
    let start = Instant::now();
    let answer = SatSolver::new().check(&pool, &assertions, &short);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// The count of work does not depend on the machine.
#[test]
fn work_is_the_same_on_every_run() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(16)), pool.var("y", Sort::Bv(16)));
    let (product, number) = (pool.mul(x, y), pool.bv_const(62_615, 16));
    let odd = pool.eq(product, number);
    let small = [x, y].map(|var| {
        let limit = pool.bv_const(256, 16);
        pool.ult(var, limit)
    });
    let conjuncts = [odd, small[0], small[1]];
    let work = || {
        let mut blaster = Blaster::new(&pool, Gates::new(u64::MAX, None), FxHashMap::default());
        blaster.assert(&conjuncts);
        for _ in 0..20 {
            if !matches!(blaster.gates.solve(), Outcome::Sat) || blaster.sharpen() != Sharpened::Excluded {
                break;
            }
        }
        blaster.gates.work()
    };
    let first = work();
    assert!(first > 1_000, "{first} is no search");
    assert_eq!([first, first], [work(), work()]);
}

/// A hundred divisions of 128 bits are more clauses than there may be.
#[test]
fn a_question_that_gets_too_large_ends() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(128));
    let mut rest = x;
    for index in 0..100 {
        let divisor = pool.var("d", Sort::Bv(128));
        let quotient = pool.udiv(rest, divisor);
        let number = pool.bv_const(3 + index, 128);
        rest = pool.add(quotient, number);
        rest = pool.bvxor(rest, divisor);
    }
    let number = pool.bv_const(0x1234_5678_9abc_def0_1234_5678, 128);
    let question = pool.eq(rest, number);
    let start = Instant::now();
    let limits = SolverLimits { resources: 0, time: Duration::from_secs(300) };
    let answer = SatSolver::new().check(&pool, &[question], &limits);
    let is_ended = matches!(answer, Answer::Sat(_) | Answer::Unknown(UnknownReason::ResourceLimit));
    assert!(is_ended, "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(240), "{:?}", start.elapsed());
}

/// On a stack of the size that a thread of the library may have at worst.
#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let answer = small.spawn(|| {
        let mut pool = TermPool::new();
        let is_odd = testing::as_deep_as_a_long_loop(&mut pool);
        check(&pool, &[is_odd])
    });
    let answer = answer.unwrap().join().unwrap();
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

#[test]
fn wide_values_are_read_back() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(128));
    let wanted = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978u128;
    let value = pool.bv_const(wanted, 128);
    let equal = pool.eq(x, value);
    let model: Model = [(pool.var_of(x).unwrap(), wanted)].into_iter().collect();
    assert_eq!(check(&pool, &[equal]), Answer::Sat(model));
}

/// What holds of any remainder, and of any product, needs no circuit of them: at this size a circuit would not be decided in the work that is allowed.
#[test]
fn what_holds_whatever_the_result_needs_no_circuit() {
    let few = SolverLimits { resources: 200_000, time: Duration::from_secs(60) };
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(128));
    let [ten, all] = [10_000, 5_243].map(|value| pool.bv_const(value, 128));
    let quad = pool.urem(x, ten);
    let product = pool.mul(quad, all);
    let places = pool.bv_const(19, 128);
    let quotient = pool.lshr(product, places);
    let hundred = pool.bv_const(100, 128);
    let back = pool.mul(quotient, hundred);
    let too_much = pool.ult(quad, back);
    assert_eq!(SatSolver::new().check(&pool, &[too_much], &few), Answer::Unsat);
    // Two products of equal factors.
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.var(name, Sort::Bv(64)));
    let (one, other) = (pool.mul(a, c), pool.mul(b, d));
    let same = pool.eq(one, other);
    let question = [pool.eq(a, b), pool.eq(c, d), pool.not(same)];
    assert_eq!(SatSolver::new().check(&pool, &question, &few), Answer::Unsat);
}

fn bits(ty: FloatTy, value: f64) -> u128 {
    ty.canonical(match ty {
        FloatTy::F32 => (value as f32).to_bits().into(),
        FloatTy::F64 => value.to_bits().into(),
    })
}

#[test]
fn floats_are_the_same_for_the_same_operands() {
    let ty = FloatTy::F64;
    for op in [FloatOp::Add, FloatOp::Div, FloatOp::Sqrt, FloatOp::MulAdd, FloatOp::Libm(LibmFn::Sin)] {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::Bv(64)));
        let operands = |first: TermId| match op {
            FloatOp::MulAdd => vec![first, z, z],
            FloatOp::Add | FloatOp::Div => vec![first, z],
            _ => vec![first],
        };
        let (one, other) = (pool.float(op, ty, &operands(x)), pool.float(op, ty, &operands(y)));
        let (same, results) = (pool.eq(x, y), pool.eq(one, other));
        let differ = pool.not(results);
        assert_eq!(check(&pool, &[same, differ]), Answer::Unsat, "{op:?}");
        assert!(check(&pool, &[differ]) != Answer::Unsat, "{op:?} of other operands may be another number");
    }
}

/// Two operands, and what the machine makes of them; but what a function of no fixed precision makes of them is not told.
#[test]
fn floats_of_few_operands_are_decided() {
    for (op, is_told) in [(FloatOp::Sqrt, true), (FloatOp::Floor, true), (FloatOp::Libm(LibmFn::Exp), false)]
    {
        let ty = FloatTy::F32;
        let mut pool = TermPool::new();
        let (x, which) = (pool.var("x", Sort::Bv(32)), pool.var("which", Sort::Bool));
        let [low, high] = [2.25, 7.5].map(|value| bits(ty, value));
        let (low_term, high_term) = (pool.bv_const(low, 32), pool.bv_const(high, 32));
        let either = pool.ite(which, low_term, high_term);
        let is_either = pool.eq(x, either);
        let result = pool.float(op, ty, &[x]);
        let values = [low, high].map(|operand| float::apply(op, ty, &[operand], 32));
        let others = values.map(|value| {
            let value = pool.bv_const(value, 32);
            let same = pool.eq(result, value);
            pool.not(same)
        });
        let answer = check(&pool, &[is_either, others[0], others[1]]);
        match is_told {
            true => assert_eq!(answer, Answer::Unsat, "{op:?}"),
            false => {
                assert!(matches!(answer, Answer::Unknown(UnknownReason::Other(_))), "{op:?}: {answer:?}")
            }
        }
        let answer = check(&pool, &[is_either, others[0]]);
        assert!(is_told == matches!(answer, Answer::Sat(_)), "{op:?}: {answer:?}");
    }
}

/// Where many operands matter there is no answer, and no wrong one.
#[test]
fn floats_of_many_operands_stay_open() {
    let ty = FloatTy::F64;
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let square = pool.float(FloatOp::Mul, ty, &[x, x]);
    let zero = pool.bv_const(0, 64);
    let negative = pool.float_lt(ty, square, zero);
    let answer = Layered::new(SatSolver::new()).check(&pool, &[negative], &limits());
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Other(_))), "{answer:?}");
    // Whatever an operation gives, there is one NaN.
    let is_nan = pool.float_is_nan(ty, square);
    let nan = pool.bv_const(ty.nan(), 64);
    let same = pool.eq(square, nan);
    let other = pool.not(same);
    assert_eq!(check(&pool, &[is_nan, other]), Answer::Unsat);
}
