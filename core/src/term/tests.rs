//! Terms keep the meaning of what they were built from, and equal computations become one node.

use proptest::prelude::*;

use super::testing::{self, Choices, Expr, Test2, Vars};
use super::*;
use crate::ir::Signedness;

const WIDTHS: [u16; 8] = [1, 3, 5, 8, 16, 32, 64, 128];

/// Under several assignments the term has the value of the tree it was built from, and what the pool claims to know
/// of every term it made on the way is true.
fn check_meaning(expr: &Expr, assignments: &[Vec<u8>]) {
    let mut pool = TermPool::new();
    let mut vars = Vars::default();
    let term = testing::build(&mut pool, &mut vars, expr);
    for bytes in assignments {
        let (env, model) = testing::assignment(&mut Choices(bytes), &pool, &vars);
        let (expected, width) = testing::value(&env, expr);
        assert_eq!(pool.width(term), width);
        assert_eq!(pool.eval(term, &model), expected, "{expr:?} became {} at {env:?}", pool.display(term));
        let mut evaluator = Evaluator::new(&pool, &model);
        for id in pool.entries.ids() {
            let Sort::Bv(width) = pool.sort(id) else { continue };
            let bits = evaluator.eval(id);
            let facts = pool.facts(id);
            let signed = bits::to_signed(bits, width);
            assert!(
                bits & facts.zeros == 0
                    && bits & facts.ones == facts.ones
                    && (facts.min..=facts.max).contains(&bits)
                    && (facts.smin..=facts.smax).contains(&signed),
                "{bits:#x} breaks {facts:?} of {}",
                pool.display(id)
            );
        }
    }
}

fn assignments() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn bit_vector_terms_keep_their_meaning(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        width in prop::sample::select(WIDTHS.to_vec()),
        assignments in assignments(),
    ) {
        let expr = testing::expr(&mut Choices(&bytes), Sort::Bv(width), &WIDTHS, 5);
        check_meaning(&expr, &assignments);
    }

    #[test]
    fn boolean_terms_keep_their_meaning(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        assignments in assignments(),
    ) {
        let expr = testing::expr(&mut Choices(&bytes), Sort::Bool, &WIDTHS, 5);
        check_meaning(&expr, &assignments);
    }

    /// Few bits and few variables: rules for identical operands and for ends of ranges apply all the time.
    #[test]
    fn small_terms_keep_their_meaning(
        bytes in prop::collection::vec(any::<u8>(), 0..100),
        assignments in assignments(),
    ) {
        let expr = testing::expr(&mut Choices(&bytes), Sort::Bool, &[2, 4], 5);
        check_meaning(&expr, &assignments);
    }
}

/// Compares a test with its reference on all pairs of values, with both operands variable, either one constant.
fn check_exhaustively(test: Test2, width: u16) {
    let count = 1u128 << width;
    let variable = |index| Box::new(Expr::Var(Sort::Bv(width), index));
    let constant = |bits| Box::new(Expr::Const(bits, width));
    let mut pool = TermPool::new();
    let mut vars = Vars::default();
    let general = Expr::Test(test, variable(0), variable(1));
    let general_term = testing::build(&mut pool, &mut vars, &general);
    let of = |pool: &TermPool, vars: &Vars, index| {
        vars.0.get(&(Sort::Bv(width), index)).and_then(|term| pool.var_of(*term))
    };
    for a in 0..count {
        let left = Expr::Test(test, constant(a), variable(1));
        let right = Expr::Test(test, variable(0), constant(a));
        let left_term = testing::build(&mut pool, &mut vars, &left);
        let right_term = testing::build(&mut pool, &mut vars, &right);
        for b in 0..count {
            let run = |expr: &Expr, term: TermId, x: u128, y: u128| {
                let env = [((Sort::Bv(width), 0), x), ((Sort::Bv(width), 1), y)].into();
                let model: Model = [(0, x), (1, y)]
                    .into_iter()
                    .filter_map(|(index, bits)| Some((of(&pool, &vars, index)?, bits)))
                    .collect();
                let expected = testing::value(&env, expr).0;
                assert_eq!(pool.eval(term, &model), expected, "{test:?} of {x} and {y} at {width} bits");
            };
            run(&general, general_term, a, b);
            run(&left, left_term, a, b);
            run(&right, right_term, b, a);
        }
    }
}

#[test]
fn overflow_is_exact_at_every_small_width() {
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        for width in 1..=6 {
            check_exhaustively(Test2::AddOverflows(signedness), width);
            check_exhaustively(Test2::SubOverflows(signedness), width);
            check_exhaustively(Test2::MulOverflows(signedness), width);
        }
    }
}

/// The predicates of the pool against the standard library's checked arithmetic, variable and constant operands.
macro_rules! check_overflow_against_std {
    ($name:ident, $ty:ty, $signedness:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2000))]
            #[test]
            fn $name(
                a in prop_oneof![any::<$ty>(), Just(<$ty>::MIN), Just(<$ty>::MAX), Just(1 as $ty), -3i8 as $ty..=3],
                b in prop_oneof![any::<$ty>(), Just(<$ty>::MIN), Just(<$ty>::MAX), any::<u8>().prop_map(|b| b as $ty)],
                shift in 0..<$ty>::BITS,
            ) {
                for (a, b) in [(a, b), (a >> shift, b), (a, b >> shift), (a >> shift, b >> (<$ty>::BITS - 1 - shift))] {
                    check_overflow(
                        a as u128, b as u128, <$ty>::BITS as u16, $signedness,
                        [a.checked_add(b).is_none(), a.checked_sub(b).is_none(), a.checked_mul(b).is_none()],
                    );
                }
            }
        }
    };
}

check_overflow_against_std!(overflow_agrees_with_i8, i8, Signedness::Signed);
check_overflow_against_std!(overflow_agrees_with_i64, i64, Signedness::Signed);
check_overflow_against_std!(overflow_agrees_with_i128, i128, Signedness::Signed);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn overflow_agrees_with_u64_and_u128(a in any::<u128>(), b in any::<u128>(), s in 0..128u32, t in 0..128u32) {
        let (a, b) = (a >> s, b >> t);
        let expected = [a.checked_add(b).is_none(), a.checked_sub(b).is_none(), a.checked_mul(b).is_none()];
        check_overflow(a, b, 128, Signedness::Unsigned, expected);
        let (a, b) = (a as u64, b as u64);
        let expected = [a.checked_add(b).is_none(), a.checked_sub(b).is_none(), a.checked_mul(b).is_none()];
        check_overflow(a.into(), b.into(), 64, Signedness::Unsigned, expected);
    }
}

fn check_overflow(a: u128, b: u128, width: u16, signedness: Signedness, expected: [bool; 3]) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(width)), pool.var("y", Sort::Bv(width)));
    let (p, q) = (pool.bv_const(a, width), pool.bv_const(b, width));
    let model: Model = [x, y]
        .iter()
        .filter_map(|t| pool.var_of(*t))
        .zip([a & bits::mask(width), b & bits::mask(width)])
        .collect();
    for (left, right) in [(x, y), (x, q), (p, y), (p, q)] {
        let found = [
            pool.add_overflows(left, right, signedness),
            pool.sub_overflows(left, right, signedness),
            pool.mul_overflows(left, right, signedness),
        ]
        .map(|t| pool.eval_bool(t, &model));
        assert_eq!(
            found,
            expected,
            "{a:#x} and {b:#x}, {signedness:?}, {} and {}",
            pool.display(left),
            pool.display(right)
        );
    }
}

/// A pool with two variables of each width that the tests below use.
struct Bench {
    pool: TermPool,
    x: TermId,
    y: TermId,
    /// 8 bits.
    p: TermId,
    q: TermId,
    c: TermId,
}

/// Both ways of building must give the same node.
fn check_same(build: impl FnOnce(&mut Bench) -> (TermId, TermId)) {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::Bv(32)));
    let [p, q] = ["p", "q"].map(|name| pool.var(name, Sort::Bv(8)));
    let c = pool.var("c", Sort::Bool);
    let mut bench = Bench { pool, x, y, p, q, c };
    let (a, b) = build(&mut bench);
    assert_eq!(a, b, "{} is not {}", bench.pool.display(a), bench.pool.display(b));
}

impl Bench {
    fn k(&mut self, value: i128) -> TermId {
        self.pool.bv_const(value as u128, 32)
    }
}

#[test]
fn sums_have_one_form() {
    check_same(|b| {
        let (one, two) = (b.k(1), b.k(2));
        let left = b.pool.add(b.x, one);
        (b.pool.add(left, one), b.pool.add(b.x, two))
    });
    check_same(|b| {
        let sum = b.pool.add(b.y, b.x);
        (b.pool.sub(sum, b.y), b.x)
    });
    check_same(|b| (b.pool.sub(b.x, b.x), b.k(0)));
    check_same(|b| {
        let (three, eight) = (b.k(3), b.k(8));
        (b.pool.shl(b.x, three), b.pool.mul(eight, b.x))
    });
    check_same(|b| {
        let not = b.pool.bvnot(b.x);
        let one = b.k(1);
        (b.pool.add(not, one), b.pool.neg(b.x))
    });
    check_same(|b| {
        let sum = b.pool.add(b.x, b.y);
        let (xx, xy) = (b.pool.mul(b.x, b.x), b.pool.mul(b.y, b.x));
        (b.pool.mul(b.x, sum), b.pool.add(xx, xy))
    });
}

#[test]
fn bytes_put_together_have_one_form() {
    // (p << 8) | q, p * 256 + q and p concatenated with q
    check_same(|b| {
        let (p, q) = (b.pool.zext(b.p, 32), b.pool.zext(b.q, 32));
        let eight = b.k(8);
        let high = b.pool.shl(p, eight);
        let word = b.pool.concat(b.p, b.q);
        (b.pool.bvor(high, q), b.pool.zext(word, 32))
    });
    check_same(|b| {
        let word = b.pool.concat(b.p, b.q);
        (b.pool.extract(word, 7, 0), b.q)
    });
    check_same(|b| {
        let word = b.pool.concat(b.p, b.q);
        (b.pool.extract(word, 15, 8), b.p)
    });
    check_same(|b| {
        let (mask, modulus) = (b.k(255), b.k(256));
        (b.pool.bvand(b.x, mask), b.pool.urem(b.x, modulus))
    });
    check_same(|b| {
        let (four, sixteen) = (b.k(4), b.k(16));
        (b.pool.lshr(b.x, four), b.pool.udiv(b.x, sixteen))
    });
    check_same(|b| {
        let wide = b.pool.zext(b.p, 32);
        (b.pool.extract(wide, 7, 0), b.p)
    });
}

#[test]
fn comparisons_have_one_form() {
    check_same(|b| {
        let greater = b.pool.ugt(b.y, b.x);
        (b.pool.not(greater), b.pool.uge(b.x, b.y))
    });
    check_same(|b| {
        let (four, five) = (b.k(4), b.k(5));
        (b.pool.sgt(b.x, four), b.pool.sge(b.x, five))
    });
    check_same(|b| {
        let (zero, one) = (b.k(0), b.k(1));
        (b.pool.ult(b.x, one), b.pool.eq(zero, b.x))
    });
    check_same(|b| {
        let (one, five, four) = (b.k(1), b.k(5), b.k(4));
        let next = b.pool.add(b.x, one);
        (b.pool.eq(next, five), b.pool.eq(b.x, four))
    });
    check_same(|b| {
        let (x3, y3) = (b.k(3), b.k(3));
        let (left, right) = (b.pool.add(b.x, x3), b.pool.add(b.y, y3));
        (b.pool.eq(left, right), b.pool.eq(b.y, b.x))
    });
    check_same(|b| {
        let flag = b.pool.bool_to_bv(b.c, 32);
        let one = b.k(1);
        (b.pool.eq(flag, one), b.c)
    });
    // The three-way comparison and what it was made from.
    check_same(|b| {
        let (less, same, more) = (b.k(-1), b.k(0), b.k(1));
        let (lt, eq) = (b.pool.slt(b.x, b.y), b.pool.eq(b.x, b.y));
        let rest = b.pool.ite(eq, same, more);
        let ordering = b.pool.ite(lt, less, rest);
        (b.pool.eq(ordering, less), lt)
    });
    check_same(|b| {
        let (p, q) = (b.pool.zext(b.p, 32), b.pool.zext(b.q, 32));
        (b.pool.slt(p, q), b.pool.ult(b.p, b.q))
    });
    check_same(|b| {
        let (p, q) = (b.pool.sext(b.p, 32), b.pool.sext(b.q, 32));
        let small = b.pool.add_overflows(p, q, Signedness::Signed);
        (small, b.pool.bool_const(false))
    });
}

#[test]
fn booleans_have_one_form() {
    check_same(|b| {
        let d = b.pool.eq(b.x, b.y);
        let either = b.pool.or(b.c, d);
        let (not_c, not_d) = (b.pool.not(b.c), b.pool.not(d));
        let neither = b.pool.and(not_d, not_c);
        (b.pool.not(neither), either)
    });
    check_same(|b| {
        let not = b.pool.not(b.c);
        (b.pool.and(b.c, not), b.pool.bool_const(false))
    });
    check_same(|b| {
        let (one, two) = (b.k(1), b.k(2));
        let (is_one, is_two) = (b.pool.eq(b.x, one), b.pool.eq(b.x, two));
        (b.pool.and(is_one, is_two), b.pool.bool_const(false))
    });
    check_same(|b| {
        let inner = b.pool.ite(b.c, b.x, b.y);
        (b.pool.ite(b.c, inner, b.y), inner)
    });
    check_same(|b| {
        let same = b.pool.eq(b.x, b.y);
        (b.pool.ite(same, b.x, b.y), b.y)
    });
}

#[test]
fn spellings_of_one_thing_are_one_node() {
    // Minimum and maximum, strict or not.
    check_same(|b| {
        let (less, at_most) = (b.pool.slt(b.x, b.y), b.pool.sle(b.x, b.y));
        (b.pool.ite(less, b.x, b.y), b.pool.ite(at_most, b.x, b.y))
    });
    check_same(|b| {
        let (less, greater) = (b.pool.ult(b.x, b.y), b.pool.ugt(b.x, b.y));
        (b.pool.ite(less, b.y, b.x), b.pool.ite(greater, b.x, b.y))
    });
    check_same(|b| {
        let ten = b.k(10);
        let (less, at_most) = (b.pool.slt(b.x, ten), b.pool.sle(b.x, ten));
        (b.pool.ite(less, b.x, ten), b.pool.ite(at_most, b.x, ten))
    });
    // Even numbers.
    check_same(|b| {
        let (zero, one, two) = (b.k(0), b.k(1), b.k(2));
        let (remainder, bit) = (b.pool.srem(b.x, two), b.pool.bvand(b.x, one));
        (b.pool.eq(remainder, zero), b.pool.eq(bit, zero))
    });
    // Bit operations in any order, and those that cancel.
    check_same(|b| {
        let (z, one) = (b.pool.var("z", Sort::Bv(32)), b.k(1));
        let xy = b.pool.bvxor(b.x, b.y);
        let xy = b.pool.bvxor(xy, one);
        let zx = b.pool.bvxor(b.x, z);
        let (all, other) = (b.pool.bvxor(xy, zx), b.pool.bvxor(z, b.y));
        (all, b.pool.bvxor(one, other))
    });
    // Conjunction in any order.
    check_same(|b| {
        let (p, q) = (b.pool.eq(b.x, b.y), b.pool.ult(b.x, b.y));
        let pq = b.pool.and(p, q);
        let qc = b.pool.and(q, b.c);
        (b.pool.and(b.c, pq), b.pool.and(qc, p))
    });
}

#[test]
fn variables_are_fresh() {
    let mut pool = TermPool::new();
    let (a, b) = (pool.var("x", Sort::Bv(8)), pool.var("x", Sort::Bv(8)));
    assert_ne!(a, b);
    let sum = pool.add(a, b);
    let expected: Vec<VarId> = [a, b].iter().filter_map(|t| pool.var_of(*t)).collect();
    assert_eq!(pool.vars_in(sum).to_vec(), expected);
    assert_eq!(pool.var_term(expected[1]), b);
    assert_eq!(pool.size(sum), 3);
}

/// A chain as deep as a long run makes it: nothing may recurse along it, nor take quadratic time.
#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let shift = pool.bv_const(5, 32);
    let mask = pool.bv_const(0xff0f, 32);
    let mut hash = x;
    let mut expected = 7u32;
    for _ in 0..20_000 {
        let shifted = pool.shl(hash, shift);
        let mixed = pool.bvxor(shifted, hash);
        let masked = pool.bvand(mixed, mask);
        hash = pool.add(masked, x);
        expected = (((expected << 5) ^ expected) & 0xff0f).wrapping_add(7);
    }
    let low = pool.extract(hash, 7, 0);
    let var = pool.var_of(x).expect("x is a variable");
    let model = Model::from_iter([(var, 7)]);
    assert_eq!(pool.eval(hash, &model), u128::from(expected));
    assert_eq!(pool.eval(low, &model), u128::from(expected & 0xff));
    assert_eq!(pool.vars_in(low).to_vec(), vec![var]);
    assert!(pool.display(hash).to_string().contains('…'));
}

#[test]
fn text_is_infix() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
    let two = pool.bv_const(2, 32);
    let double = pool.mul(x, two);
    let sum = pool.sub(double, y);
    let at_most = pool.ule(sum, two);
    let equal = pool.eq(x, y);
    let either = pool.or(at_most, equal);
    assert_eq!(pool.display(at_most).to_string(), "(2 * x - y) < 3");
    assert_eq!(pool.display(either).to_string(), "((2 * x - y) < 3) || (x == y)");
}

/// `x` divided by constants in turn, and what is asked of the results, on all values of `x`.
#[test]
fn questions_about_quotients_are_asked_of_the_dividend() {
    let width = 6;
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(width));
    let var = pool.var_of(x).expect("a variable is a variable");
    for (first, second) in [(3, 5), (10, 10), (5, 1), (7, 9), (3, 0), (10, 5), (6, 4), (9, 3)] {
        let (by_first, by_second) = (pool.bv_const(first, width), pool.bv_const(second, width));
        let once = pool.udiv(x, by_first);
        let twice = pool.udiv(once, by_second);
        let rest = pool.urem(x, by_first);
        let rest_of_rest = pool.urem(rest, by_second);
        let wide = pool.zext(x, 9);
        let (wide_first, wide_second) = (pool.bv_const(first, 9), pool.bv_const(second, 9));
        let wide_once = pool.udiv(wide, wide_first);
        let wide_rest = pool.urem(wide, wide_second);
        for asked in 0..1 << width {
            let bound = pool.bv_const(asked, width);
            let tests = [
                (pool.ult(once, bound), pool.eq(once, bound)),
                (pool.ult(twice, bound), pool.eq(twice, bound)),
            ];
            for bits in 0..1 << width {
                let mut model = Model::default();
                model.set(var, bits);
                let quotient = |a: u128, b: u128| a.checked_div(b).unwrap_or((1 << width) - 1);
                let remainder = |a: u128, b: u128| a.checked_rem(b).unwrap_or(a);
                let expected = [quotient(bits, first), quotient(quotient(bits, first), second)];
                for ((below, equal), expected) in tests.into_iter().zip(expected) {
                    assert_eq!(
                        pool.eval(below, &model),
                        u128::from(expected < asked),
                        "{bits}/{first}/{second} < {asked}"
                    );
                    assert_eq!(
                        pool.eval(equal, &model),
                        u128::from(expected == asked),
                        "{bits}/{first}/{second} = {asked}"
                    );
                }
                assert_eq!(pool.eval(rest_of_rest, &model), remainder(remainder(bits, first), second));
                assert_eq!(pool.eval(wide_once, &model), bits.checked_div(first).unwrap_or((1 << 9) - 1));
                assert_eq!(pool.eval(wide_rest, &model), remainder(bits, second));
            }
        }
    }
}

#[test]
fn the_number_of_digits_is_an_interval() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let ten = pool.bv_const(10, 64);
    let mut left = x;
    for _ in 0..3 {
        left = pool.udiv(left, ten);
    }
    let zero = pool.bv_const(0, 64);
    let thousand = pool.bv_const(1000, 64);
    assert_eq!(pool.eq(left, zero), pool.ult(x, thousand));
    let remainder = pool.urem(x, thousand);
    assert_eq!(pool.urem(remainder, ten), pool.urem(x, ten));
}

/// Two digits by multiplication and shift, as fast code has it: every check is true of all remainders.
#[test]
fn what_holds_of_all_remainders_is_a_constant() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let constant = |pool: &mut TermPool, value| pool.bv_const(value, 64);
    let [all, factor, places, hundred] = [10_000, 5_243, 19, 100].map(|value| constant(&mut pool, value));
    let quad = pool.urem(x, all);
    let product = pool.mul(quad, factor);
    let high = pool.lshr(product, places);
    let back = pool.mul(high, hundred);
    let wraps = pool.ult(quad, back);
    assert_eq!(pool.as_bool(wraps), Some(false));
    let low = pool.sub(quad, back);
    let is_digits = pool.ult(low, hundred);
    assert_eq!(pool.as_bool(is_digits), Some(true));
    let ninety_nine = constant(&mut pool, 99);
    let not_always = pool.ult(low, ninety_nine);
    assert_eq!(pool.as_bool(not_always), None);
    // The dividend itself is another matter.
    let mixed = pool.ult(low, x);
    assert_eq!(pool.as_bool(mixed), None);
}
