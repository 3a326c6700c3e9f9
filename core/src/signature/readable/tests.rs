//! Terms as people would write them.

use super::*;
use crate::ir::{IntTy, Signedness, Ty, TyKind};
use crate::smt::{AnySolver, Layered, SolverLimits};
use crate::term::Sort;

struct Fixture {
    pool: TermPool,
    x: TermId,
    y: TermId,
    n: TermId,
    byte: TermId,
    len: TermId,
    flag: TermId,
    letter: TermId,
}

/// `x`, `y`: `i32`; `n`: `u32`; `s`: `&str`; `flag`: `bool`; `letter`: `char`.
fn fixture() -> Fixture {
    let mut pool = TermPool::new();
    let x = pool.var("arg0", Sort::Bv(32));
    let y = pool.var("arg1", Sort::Bv(32));
    let n = pool.var("arg2", Sort::Bv(32));
    let len = pool.var("arg3.len", Sort::Bv(64));
    let byte = pool.var("arg3[0]", Sort::Bv(8));
    let flag = pool.var("arg4", Sort::Bool);
    let letter = pool.var("arg5", Sort::Bv(32));
    Fixture { pool, x, y, n, byte, len, flag, letter }
}

fn parameters() -> Vec<(String, Ty)> {
    let int = Ty::int;
    let text = Ty::new(TyKind::Ref(crate::ir::Mutability::Shared, Ty::new(TyKind::Str)));
    [
        ("x", int(IntTy::I32)),
        ("y", int(IntTy::I32)),
        ("n", int(IntTy::U32)),
        ("s", text),
        ("flag", Ty::new(TyKind::Bool)),
        ("letter", Ty::new(TyKind::Char)),
    ]
    .map(|(name, ty)| (name.to_owned(), ty))
    .to_vec()
}

#[track_caller]
fn check(expected: &str, build: impl FnOnce(&mut Fixture) -> TermId) {
    let mut fixture = fixture();
    let term = build(&mut fixture);
    let program = Program::default();
    let names = Names::new(&program, &fixture.pool, &parameters());
    let printer = Printer { pool: &fixture.pool, names: &names, program: &program };
    assert_eq!(printer.condition(term), expected);
}

fn constant(f: &mut Fixture, value: i64) -> TermId {
    f.pool.bv_const(value as u128, 32)
}

#[test]
fn comparisons_have_the_signs_of_their_types() {
    check("x > y", |f| f.pool.slt(f.y, f.x));
    check("x <= y", |f| f.pool.sle(f.x, f.y));
    check("x as u32 > y as u32", |f| f.pool.ult(f.y, f.x));
    check("n < 7", |f| {
        let seven = constant(f, 7);
        f.pool.ult(f.n, seven)
    });
    check("x < -3", |f| {
        let bound = constant(f, -3);
        f.pool.slt(f.x, bound)
    });
}

#[test]
fn sums_are_compared_with_the_rounder_of_two_numbers() {
    check("x + y > 10", |f| {
        let (sum, ten) = (f.pool.add(f.x, f.y), constant(f, 10));
        f.pool.slt(ten, sum)
    });
    check("n <= 20", |f| {
        let bound = constant(f, 21);
        f.pool.ult(f.n, bound)
    });
}

#[test]
fn differences_stand_on_both_sides() {
    check("x == 2 * y + 6", |f| {
        let two = constant(f, 2);
        let twice = f.pool.mul(two, f.y);
        let (difference, six) = (f.pool.sub(f.x, twice), constant(f, 6));
        f.pool.eq(difference, six)
    });
}

#[test]
fn ranges_of_characters() {
    check("(b'0'..=b'9').contains(&s.as_bytes()[0])", |f| {
        let (low, ten) = (f.pool.bv_const(0x30, 8), f.pool.bv_const(10, 8));
        let offset = f.pool.sub(f.byte, low);
        f.pool.ult(offset, ten)
    });
    check("s.as_bytes()[0] != b'-'", |f| {
        let dash = f.pool.bv_const(0x2d, 8);
        f.pool.ne(f.byte, dash)
    });
}

#[test]
fn bounds_of_characters_are_characters() {
    let surrogate = |f: &mut Fixture| constant(f, 0xd800);
    check(r"letter >= '\u{e000}'", |f| {
        let bound = surrogate(f);
        f.pool.uge(f.letter, bound)
    });
    check(r"letter < '\u{e000}'", |f| {
        let bound = surrogate(f);
        f.pool.ult(f.letter, bound)
    });
    check(r"(' '..='\u{d7ff}').contains(&letter)", |f| {
        let (space, length) = (constant(f, 0x20), constant(f, 0xd900 - 0x20));
        let offset = f.pool.sub(f.letter, space);
        f.pool.ult(offset, length)
    });
}

#[test]
fn bounds_of_characters_are_letters_and_digits() {
    check("s.as_bytes()[0] > b'9'", |f| {
        let colon = f.pool.bv_const(0x3a, 8);
        f.pool.uge(f.byte, colon)
    });
    check("n == s.as_bytes()[0] as u32 + 17 || flag", |f| {
        let wide = f.pool.zext(f.byte, 32);
        let seventeen = constant(f, 17);
        let sum = f.pool.add(wide, seventeen);
        let equal = f.pool.eq(f.n, sum);
        f.pool.or(equal, f.flag)
    });
}

#[test]
fn signed_ranges_and_signs() {
    check("x < 0", |f| {
        let zero = constant(f, 0);
        f.pool.slt(f.x, zero)
    });
    check("(-2..=3).contains(&x)", |f| {
        let (two, six) = (constant(f, 2), constant(f, 6));
        let offset = f.pool.add(f.x, two);
        f.pool.ult(offset, six)
    });
}

#[test]
fn both_sides_of_a_comparison_have_one_type() {
    check("(n as usize) < s.len()", |f| {
        let wide = f.pool.zext(f.n, 64);
        f.pool.ult(wide, f.len)
    });
    check("x ^ y & 0x3 != 1", |f| {
        let (low, one) = (f.pool.extract(f.y, 1, 0), constant(f, 1));
        let low = f.pool.zext(low, 32);
        let different = f.pool.bvxor(f.x, low);
        f.pool.ne(different, one)
    });
    check("x == n as i32", |f| f.pool.eq(f.x, f.n));
    check("y > -(s.as_bytes()[0] as i32)", |f| {
        let wide = f.pool.zext(f.byte, 32);
        let zero = constant(f, 0);
        let negative = f.pool.sub(zero, wide);
        f.pool.slt(negative, f.y)
    });
}

#[test]
fn shifts_of_signed_numbers_keep_the_sign() {
    check("(x >> 1) + (y >> 1) < 0", |f| {
        let [x, y] = [f.x, f.y].map(|number| {
            let upper = f.pool.extract(number, 31, 1);
            f.pool.sext(upper, 32)
        });
        let (sum, zero) = (f.pool.add(x, y), constant(f, 0));
        f.pool.slt(sum, zero)
    });
    check("x == n as i32 >> 4", |f| {
        let upper = f.pool.extract(f.n, 31, 4);
        let shifted = f.pool.sext(upper, 32);
        f.pool.eq(shifted, f.x)
    });
}

#[test]
fn parameters_called_like_keywords_are_written_raw() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("arg0", Sort::Bv(8)), pool.var("arg1", Sort::Bv(8)));
    let below = pool.ult(x, y);
    let program = Program::default();
    let parameters = ["type", "of"].map(|name| (name.to_owned(), Ty::int(IntTy::U8)));
    let names = Names::new(&program, &pool, &parameters);
    let printer = Printer { pool: &pool, names: &names, program: &program };
    assert_eq!(printer.condition(below), "r#type < of");
}

#[test]
fn connectives_and_flags() {
    check("!flag", |f| f.pool.not(f.flag));
    check("flag && x > y", |f| {
        let above = f.pool.slt(f.y, f.x);
        f.pool.and(f.flag, above)
    });
}

#[test]
fn overflow_is_a_checked_operation() {
    check("x.checked_add(y).is_none()", |f| f.pool.add_overflows(f.x, f.y, Signedness::Signed));
    check("x.checked_mul(y).is_some()", |f| {
        let overflows = f.pool.mul_overflows(f.x, f.y, Signedness::Signed);
        f.pool.not(overflows)
    });
}

#[track_caller]
fn check_simplified(expected: &[&str], build: impl FnOnce(&mut Fixture) -> Vec<TermId>) {
    let mut f = fixture();
    let conditions = build(&mut f);
    let mut solver = Layered::new(AnySolver::new());
    let kept = simplified(&mut f.pool, &mut solver, &SolverLimits::default(), &[], &conditions);
    let program = Program::default();
    let names = Names::new(&program, &f.pool, &parameters());
    let printer = Printer { pool: &f.pool, names: &names, program: &program };
    let texts: Vec<String> = kept.iter().map(|term| printer.condition(*term)).collect();
    assert_eq!(texts, expected);
}

#[test]
fn results_are_cast_to_their_own_types() {
    let mut f = fixture();
    let (wide, byte) = (f.pool.zext(f.n, 64), f.pool.zext(f.byte, 32));
    let wide_char = f.pool.zext(f.byte, 64);
    let program = Program::default();
    let names = Names::new(&program, &f.pool, &parameters());
    let printer = Printer { pool: &f.pool, names: &names, program: &program };
    assert_eq!(expression::integer(&printer, wide, IntTy::U64), "n as u64");
    assert_eq!(expression::integer(&printer, wide, IntTy::Usize), "n as usize");
    assert_eq!(expression::integer(&printer, wide_char, IntTy::U64), "s.as_bytes()[0] as u64");
    assert_eq!(expression::character(&printer, byte), "s.as_bytes()[0] as char");
    assert_eq!(expression::character(&printer, f.n), "n");
}

#[test]
fn what_loops_leave_behind_is_one_equation() {
    check_simplified(&["s.len() == 2", "!flag"], |f| {
        let [zero, one, two] = [0, 1, 2].map(|value| f.pool.bv_const(value, 64));
        vec![f.pool.ugt(f.len, zero), f.pool.ugt(f.len, one), f.pool.ule(f.len, two), f.pool.not(f.flag)]
    });
}

#[test]
fn bounds_are_joined() {
    check_simplified(&["(b'0'..=b'9').contains(&s.as_bytes()[0])"], |f| {
        let (zero, colon) = (f.pool.bv_const(0x30, 8), f.pool.bv_const(0x3a, 8));
        vec![f.pool.uge(f.byte, zero), f.pool.ult(f.byte, colon)]
    });
    check_simplified(&["n >= 4"], |f| {
        let three = constant(f, 3);
        vec![f.pool.uge(f.n, three), f.pool.ne(f.n, three)]
    });
}
