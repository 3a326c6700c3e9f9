//! Z3 and terms mean the same, and the layers answer what Z3 answers.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::idx::Idx;
use crate::ir::Signedness;
use crate::term::testing::{self, Choices, Env, Expr, Vars};
use crate::term::{Sort, VarId};

fn limits() -> SolverLimits {
    SolverLimits { resources: 0, time: Duration::from_secs(60) }
}

/// Z3, forced to one assignment, must give the expression the value it has by the book.
fn check_z3_agrees(expr: &Expr, assignments: &[Vec<u8>]) {
    let mut pool = TermPool::new();
    let mut vars = Vars::default();
    let term = testing::build(&mut pool, &mut vars, expr);
    let mut z3 = Z3Solver::new();
    for bytes in assignments {
        let (env, _) = testing::assignment(&mut Choices(bytes), &pool, &vars);
        let (expected, _) = testing::value(&env, expr);
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
        let answer = z3.check(&pool, &assertions, &limits());
        assert_eq!(answer, Answer::Unsat, "{} is not {expected} at {env:?}", pool.display(term));
        assertions.pop();
        assertions.push(agrees);
        let answer = z3.check(&pool, &assertions, &limits());
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?} for {}", pool.display(agrees));
    }
}

fn constant(pool: &mut TermPool, sort: Sort, bits: u128) -> TermId {
    match sort {
        Sort::Bool => pool.bool_const(bits == 1),
        Sort::Bv(width) => pool.bv_const(bits, width),
    }
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn z3_gives_terms_their_meaning(
        choices in bytes(120),
        width in prop::sample::select(vec![1u16, 3, 8, 32, 64, 128]),
        assignments in prop::collection::vec(bytes(60), 2),
    ) {
        let expr = testing::expr(&mut Choices(&choices), Sort::Bv(width), &[1, 3, 8, 32, 64, 128], 4);
        check_z3_agrees(&expr, &assignments);
    }

    #[test]
    fn layers_answer_as_z3_does(groups in prop::collection::vec(bytes(60), 1..5)) {
        check_layers_agree(&groups, &[2, 4, 8], 3);
    }

    #[test]
    fn layers_answer_as_z3_does_on_wide_terms(groups in prop::collection::vec(bytes(60), 1..4)) {
        check_layers_agree(&groups, &[8, 16], 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Comparisons of small terms, most with constants, which is what refinement reads: whatever it says of a term holds
    /// in every model, and what it calls impossible has none.
    #[test]
    fn refinement_excludes_no_model(atoms in prop::collection::vec((any::<(u8, u8)>(), bytes(16)), 2..5)) {
        let mut pool = TermPool::new();
        let (exprs, terms, [x, y]) = comparisons(&mut pool, &atoms);
        let refined = refine::refine(&pool, &terms);
        for number in 0..256u128 {
            let env: Env = [((Sort::Bv(4), 0), number % 16), ((Sort::Bv(4), 1), number / 16)].into();
            // Other variables are 0 in both the environment and the model.
            if exprs.iter().any(|expr| testing::value(&env, expr).0 == 0) {
                continue;
            }
            let model: Model = [(x, number % 16), (y, number / 16)].into_iter().collect();
            match &refined {
                refine::Refined::Impossible => panic!("{exprs:?} hold at {env:?}"),
                refine::Refined::Possible(ranges) => {
                    for (term, facts) in ranges {
                        let bits = pool.eval(*term, &model);
                        assert!(
                            (facts.min..=facts.max).contains(&bits) && bits & facts.zeros == 0,
                            "{} is {bits} at {env:?}, not within {facts:?}",
                            pool.display(*term)
                        );
                    }
                }
            }
        }
    }

    /// The same of integers, on such comparisons whatever they divide by.
    #[test]
    fn integers_exclude_no_model(atoms in prop::collection::vec((any::<(u8, u8)>(), bytes(24)), 1..4)) {
        let mut pool = TermPool::new();
        let (exprs, terms, _) = comparisons(&mut pool, &atoms);
        let below = pool.below(&terms);
        if integers::ask(&pool, &terms, below, (integers::Arithmetic::Simplex, 50_000_000)) == Some(Answer::Unsat) {
            for number in 0..256u128 {
                let env: Env = [((Sort::Bv(4), 0), number % 16), ((Sort::Bv(4), 1), number / 16)].into();
                assert!(exprs.iter().any(|expr| testing::value(&env, expr).0 == 0), "{exprs:?} hold at {env:?}");
            }
        }
    }
}

/// Comparisons of small terms, and two of the variables in them.
fn comparisons(pool: &mut TermPool, atoms: &[((u8, u8), Vec<u8>)]) -> (Vec<Expr>, Vec<TermId>, [VarId; 2]) {
    use testing::Test2::*;
    let tests = [Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge];
    let mut vars = Vars::default();
    let sort = Sort::Bv(4);
    let named = [0, 1].map(|index| testing::build(pool, &mut vars, &Expr::Var(sort, index)));
    let exprs: Vec<Expr> = atoms
        .iter()
        .map(|((test, bits), choices)| {
            let mut choices = Choices(choices);
            let left = testing::expr(&mut choices, sort, &[2, 4, 6], u32::from(test / 16) % 3);
            let right = match bits {
                0..170 => Expr::Const(u128::from(bits % 16), 4),
                _ => testing::expr(&mut choices, sort, &[2, 4, 6], 1),
            };
            Expr::Test(tests[usize::from(test % 10)], Box::new(left), Box::new(right))
        })
        .collect();
    let terms = exprs.iter().map(|expr| testing::build(pool, &mut vars, expr)).collect();
    (exprs, terms, named.map(|var| pool.var_of(var).expect("a variable")))
}

#[test]
fn refinement_is_sharp_at_the_ends() {
    check_bounds(&[(Bound::AtLeast, 5), (Bound::Below, 6)], Expected::Sat);
    check_bounds(&[(Bound::AtLeast, 5), (Bound::Below, 5)], Expected::Unsat);
    check_bounds(&[(Bound::AtLeast, 5), (Bound::Below, 6), (Bound::IsNot, 5)], Expected::Unsat);
    check_bounds(&[(Bound::AtLeast, 5), (Bound::Below, 7), (Bound::IsNot, 5)], Expected::Sat);
}

/// With `x <= 3` and `y >= low`: for which `low` can `x >= y` hold, and for which `y < x`?
#[test]
fn refinement_compares_two_terms_at_their_ends() {
    type Compare = fn(&mut TermPool, TermId, TermId) -> TermId;
    let orders: [[Compare; 3]; 2] =
        [[TermPool::ule, TermPool::uge, TermPool::ult], [TermPool::sle, TermPool::sge, TermPool::slt]];
    for [at_most, at_least, less] in orders {
        for low in 2..=4u128 {
            let mut pool = TermPool::new();
            let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
            let (three, bound) = (pool.bv_const(3, 32), pool.bv_const(low, 32));
            let bounds = [at_most(&mut pool, x, three), at_least(&mut pool, y, bound)];
            let (reaches, exceeds) = (at_least(&mut pool, x, y), less(&mut pool, y, x));
            for (question, possible) in [(reaches, low <= 3), (exceeds, low < 3)] {
                let refined = refine::refine(&pool, &[bounds[0], bounds[1], question]);
                let found = matches!(refined, refine::Refined::Possible(_));
                assert_eq!(found, possible, "{} with y >= {low}", pool.display(question));
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Bound {
    AtLeast,
    Below,
    IsNot,
}

/// Bounds of one variable, decided without a solver.
fn check_bounds(bounds: &[(Bound, u128)], expected: Expected) {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let terms: Vec<TermId> = bounds
        .iter()
        .map(|(bound, number)| {
            let number = pool.bv_const(*number, 32);
            match bound {
                Bound::AtLeast => pool.uge(x, number),
                Bound::Below => pool.ult(x, number),
                Bound::IsNot => pool.ne(x, number),
            }
        })
        .collect();
    let answer = Layered::new(Never).check(&pool, &terms, &limits());
    match expected {
        Expected::Sat => assert!(matches!(answer, Answer::Sat(_)), "{answer:?}"),
        Expected::Unsat => assert_eq!(answer, Answer::Unsat),
    }
}

/// Asks both about every prefix of the list, so that caches and models of earlier questions come into play.
fn check_layers_agree(conjuncts: &[Vec<u8>], widths: &[u16], depth: u32) {
    let mut pool = TermPool::new();
    let mut vars = Vars::default();
    let exprs: Vec<Expr> =
        conjuncts.iter().map(|bytes| testing::expr(&mut Choices(bytes), Sort::Bool, widths, depth)).collect();
    let terms: Vec<TermId> = exprs.iter().map(|expr| testing::build(&mut pool, &mut vars, expr)).collect();
    let (mut plain, mut layered) = (Z3Solver::new(), Layered::new(Z3Solver::new()));
    for len in 1..=terms.len() {
        let expected = plain.check(&pool, &terms[..len], &limits());
        let found = layered.check(&pool, &terms[..len], &limits());
        match (&expected, &found) {
            (Answer::Sat(_), Answer::Sat(model)) => {
                let env: Env = vars
                    .0
                    .iter()
                    .filter_map(|(key, term)| Some((*key, model.get(pool.var_of(*term)?))))
                    .collect();
                for expr in &exprs[..len] {
                    assert_eq!(testing::value(&env, expr).0, 1, "{expr:?} at {env:?}");
                }
            }
            (Answer::Unsat, Answer::Unsat) => {}
            _ => panic!("{expected:?} and {found:?} for {:?}", &exprs[..len]),
        }
    }
}

/// The overflow predicates against arithmetic on more bits, as Z3 sees both.
fn check_overflow_in_z3(width: u16, signedness: Signedness) {
    type Binary = fn(&mut TermPool, TermId, TermId) -> TermId;
    type Predicate = fn(&mut TermPool, TermId, TermId, Signedness) -> TermId;
    let cases: [(Binary, Predicate); 3] = [
        (TermPool::add, TermPool::add_overflows),
        (TermPool::sub, TermPool::sub_overflows),
        (TermPool::mul, TermPool::mul_overflows),
    ];
    for (operation, predicate) in cases {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(width)), pool.var("y", Sort::Bv(width)));
        let extend = |pool: &mut TermPool, t| match signedness {
            Signedness::Signed => pool.sext(t, 2 * width + 1),
            Signedness::Unsigned => pool.zext(t, 2 * width + 1),
        };
        let (wide_x, wide_y) = (extend(&mut pool, x), extend(&mut pool, y));
        let result = operation(&mut pool, wide_x, wide_y);
        let kept = pool.extract(result, width - 1, 0);
        let kept = extend(&mut pool, kept);
        let lost = pool.ne(result, kept);
        let overflows = predicate(&mut pool, x, y, signedness);
        let differ = pool.xor_bool(lost, overflows);
        let answer = Z3Solver::new().check(&pool, &[differ], &limits());
        assert_eq!(answer, Answer::Unsat, "{signedness:?} at {width} bits: {}", pool.display(overflows));
    }
}

#[test]
fn overflow_in_z3_is_exact() {
    for width in 1..=6 {
        check_overflow_in_z3(width, Signedness::Signed);
        check_overflow_in_z3(width, Signedness::Unsigned);
    }
}

/// A solver that must not be asked.
struct Never;

impl Solver for Never {
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], _: &SolverLimits) -> Answer {
        panic!("the layers should have answered {}", pool.display(assertions[0]));
    }
}

/// A solver that says yes to everything.
struct Liar;

impl Solver for Liar {
    fn check(&mut self, _: &TermPool, _: &[TermId], _: &SolverLimits) -> Answer {
        Answer::Sat(Model::new())
    }
}

/// What the layer that answered counts, and the answer.
fn check_layer(
    build: impl Fn(&mut TermPool, TermId, TermId) -> Vec<TermId>,
    expected: Expected,
    counter: impl Fn(&Statistics) -> u64,
) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
    let assertions = build(&mut pool, x, y);
    let mut layered = Layered::new(Never);
    let answer = layered.check(&pool, &assertions, &limits());
    match expected {
        Expected::Sat => assert!(matches!(answer, Answer::Sat(_)), "{answer:?}"),
        Expected::Unsat => assert_eq!(answer, Answer::Unsat),
    }
    assert_eq!(counter(layered.statistics()), 1, "{:?}", layered.statistics());
}

enum Expected {
    Sat,
    Unsat,
}

#[test]
fn each_layer_answers_what_it_is_for() {
    check_layer(
        |pool, x, y| {
            let less = pool.ult(x, y);
            vec![less, pool.not(less)]
        },
        Expected::Unsat,
        |s| s.folded,
    );
    // 10 <= x < 20 and y = x * 2, so y > 100 cannot be
    check_layer(
        |pool, x, _| {
            let [ten, twenty, hundred, two] = [10, 20, 100, 2].map(|k| pool.bv_const(k, 32));
            let double = pool.mul(x, two);
            let (low, high) = (pool.uge(x, ten), pool.ult(x, twenty));
            vec![low, high, pool.ugt(double, hundred)]
        },
        Expected::Unsat,
        |s| s.refuted,
    );
    check_layer(
        |pool, x, _| {
            let k = pool.bv_const(123_456, 32);
            vec![pool.eq(x, k)]
        },
        Expected::Sat,
        |s| s.guessed,
    );
    // Two bits: no square is 2 modulo 4.
    check_layer(
        |pool, x, _| {
            let low = pool.extract(x, 1, 0);
            let small = pool.var("small", Sort::Bv(2));
            let square = pool.mul(small, small);
            let two = pool.bv_const(2, 2);
            assert_ne!(low, small);
            vec![pool.eq(square, two)]
        },
        Expected::Unsat,
        |s| s.enumerated,
    );
}

#[test]
fn unrelated_conjuncts_are_solved_apart_and_remembered() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
    let square = |pool: &mut TermPool, t: TermId, value: u128| {
        let product = pool.mul(t, t);
        let value = pool.bv_const(value, 32);
        pool.eq(product, value)
    };
    // Squares modulo 2^32: 17 has a root, 3 has none, 41 has one.
    let (a, b) = (square(&mut pool, x, 17), square(&mut pool, y, 41));
    let c = square(&mut pool, y, 3);
    let mut layered = Layered::new(Z3Solver::new());
    assert!(matches!(layered.check(&pool, &[a, b], &limits()), Answer::Sat(_)));
    assert_eq!((layered.statistics().groups, layered.statistics().cached), (2, 0));
    assert_eq!(layered.check(&pool, &[a, c], &limits()), Answer::Unsat);
    assert_eq!(layered.statistics().cached, 1, "the question about x was asked before");
}

#[test]
fn another_pool_starts_afresh() {
    let mut layered = Layered::new(Z3Solver::new());
    for (value, sat) in [(1, true), (3, false)] {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(32));
        let product = pool.mul(x, x);
        let value = pool.bv_const(value, 32);
        let square = pool.eq(product, value);
        assert_eq!(matches!(layered.check(&pool, &[square], &limits()), Answer::Sat(_)), sat);
    }
}

#[test]
fn a_wrong_model_is_not_trusted() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let cube = {
        let square = pool.mul(x, x);
        pool.mul(square, x)
    };
    let three = pool.bv_const(0x1234_5679, 32);
    let assertion = pool.eq(cube, three);
    let mut layered = Layered::new(Liar);
    let answer = layered.check(&pool, &[assertion], &limits());
    assert!(matches!(answer, Answer::Unknown(UnknownReason::WrongModel { .. })), "{answer:?}");
    assert_eq!(layered.statistics().wrong_models, 1);
}

#[test]
fn the_resource_limit_ends_hard_questions() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(64)), pool.var("y", Sort::Bv(64)));
    // Factors of a product of two primes near 2^31.
    let product = pool.mul(x, y);
    let number = pool.bv_const(2_147_483_647 * 2_147_483_629, 64);
    let limit = pool.bv_const(1 << 32, 64);
    let one = pool.bv_const(1, 64);
    let assertions = [
        pool.eq(product, number),
        pool.ult(x, limit),
        pool.ult(y, limit),
        pool.ugt(x, one),
        pool.ugt(y, one),
    ];
    let few = SolverLimits { resources: 50_000, time: Duration::from_secs(60) };
    let answer = Layered::new(Z3Solver::new()).check(&pool, &assertions, &few);
    assert_eq!(answer, Answer::Unknown(UnknownReason::ResourceLimit));
    let short = SolverLimits { resources: 0, time: Duration::from_millis(50) };
    let answer = Layered::new(Z3Solver::new()).check(&pool, &assertions, &short);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Timeout));
}

#[test]
fn wide_values_are_read_back() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(128));
    let wanted = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978u128;
    let value = pool.bv_const(wanted, 128);
    let equal = pool.eq(x, value);
    let model: Model = [(VarId::from_usize(0), wanted)].into_iter().collect();
    assert_eq!(Z3Solver::new().check(&pool, &[equal], &limits()), Answer::Sat(model));
}

/// Z3's own predicate for signed products gave a wrong model here.
#[test]
fn overflow_beneath_an_equality_is_right() {
    let mut pool = TermPool::new();
    let (x, bit) = (pool.var("x", Sort::Bv(8)), pool.var("bit", Sort::Bv(1)));
    let ones = pool.count_ones(x);
    let overflows = pool.mul_overflows(x, ones, Signedness::Signed);
    let one = pool.bv_const(1, 1);
    let set = pool.eq(bit, one);
    let same = pool.eq(set, overflows);
    let zero = pool.bv_const(0, 8);
    let positive = pool.ult(zero, x);
    let answer = Z3Solver::new().check(&pool, &[same, positive], &limits());
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

/// A term as deep as a long loop makes it goes through the translation and through Z3 itself.
#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut pool = TermPool::new();
    let is_odd = testing::as_deep_as_a_long_loop(&mut pool);
    let answer = Z3Solver::new().check(&pool, &[is_odd], &limits());
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

/// A solver that never knows.
struct Clueless;

impl Solver for Clueless {
    fn check(&mut self, _: &TermPool, _: &[TermId], _: &SolverLimits) -> Answer {
        Answer::Unknown(UnknownReason::ResourceLimit)
    }
}

#[test]
fn few_bits_are_decided_without_a_solver() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(8)), pool.var("y", Sort::Bv(8)));
    let (wide_x, wide_y) = (pool.zext(x, 32), pool.zext(y, 32));
    let product = pool.mul(wide_x, wide_y);
    let check = |pool: &mut TermPool, value: u128| {
        let value = pool.bv_const(value, 32);
        let equal = pool.eq(product, value);
        Layered::new(Clueless).check(pool, &[equal], &limits())
    };
    // 251 * 241, both prime, has one factorisation below 256; 257 * 3 has none.
    match check(&mut pool, 251 * 241) {
        Answer::Sat(model) => {
            let factors = [x, y].map(|var| pool.eval(var, &model));
            assert!(factors == [251, 241] || factors == [241, 251], "{factors:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(check(&mut pool, 257 * 3 * 5 * 7), Answer::Unsat);
}

/// The quotient of two digits by multiplication and shift, as fast code has it, of a remainder of a wide number.
#[test]
fn what_holds_of_any_remainder_needs_no_division() {
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
    let answer = Z3Solver::new().check(&pool, &[too_much], &limits());
    assert_eq!(answer, Answer::Unsat);
    // What holds of some remainders only does need it.
    let value = pool.bv_const(1_234, 128);
    let is_some = pool.eq(quad, value);
    let Answer::Sat(model) = Z3Solver::new().check(&pool, &[is_some], &limits()) else { panic!() };
    assert_eq!(pool.eval(quad, &model), 1_234);
}
