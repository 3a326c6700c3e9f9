//! Random expressions with a meaning of their own: a plain tree, evaluated by the book, that knows nothing of how
//! terms are built, simplified or evaluated.

use std::collections::BTreeMap;

use super::{Model, Sort, TermId, TermPool};
use crate::ir::Signedness;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op2 {
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test2 {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    AddOverflows(Signedness),
    SubOverflows(Signedness),
    MulOverflows(Signedness),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bool2 {
    And,
    Or,
    Xor,
    Implies,
    Eq,
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// The variable with this number among those of the sort.
    Var(Sort, usize),
    Const(u128, u16),
    Truth(bool),
    Op(Op2, Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
    BvNot(Box<Expr>),
    Test(Test2, Box<Expr>, Box<Expr>),
    NegOverflows(Box<Expr>),
    Not(Box<Expr>),
    Connect(Bool2, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    Extract(Box<Expr>, u16, u16),
    Concat(Box<Expr>, Box<Expr>),
    Zext(Box<Expr>, u16),
    Sext(Box<Expr>, u16),
    CountOnes(Box<Expr>),
    LeadingZeros(Box<Expr>),
    TrailingZeros(Box<Expr>),
}

/// Choices read off a byte string, so that a test runner can shrink them; at its end every choice is 0.
pub(crate) struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub(crate) fn number(&mut self, width: u16) -> u128 {
        let all = ones(width);
        match self.below(10) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => 1 << (width - 1),
            4 => all >> 1,
            5 => (1u128 << self.below(usize::from(width))) & all,
            6 => u128::from(self.byte()) & all,
            7 => all.wrapping_sub(u128::from(self.byte())) & all,
            8 => (u128::from(self.byte()) << self.below(usize::from(width))) & all,
            _ => (0..16).fold(0, |number, _| number << 8 | u128::from(self.byte())) & all,
        }
    }
}

/// A random expression of this sort; `widths` are those that comparisons and conversions pick from.
pub(crate) fn expr(choices: &mut Choices<'_>, sort: Sort, widths: &[u16], depth: u32) -> Expr {
    match sort {
        Sort::Bool => bool_expr(choices, widths, depth),
        Sort::Bv(width) => bv_expr(choices, width, widths, depth),
    }
}

fn bool_expr(choices: &mut Choices<'_>, widths: &[u16], depth: u32) -> Expr {
    const TESTS: [Test2; 16] = {
        use Signedness::{Signed, Unsigned};
        [
            Test2::Eq,
            Test2::Ne,
            Test2::Ult,
            Test2::Ule,
            Test2::Ugt,
            Test2::Uge,
            Test2::Slt,
            Test2::Sle,
            Test2::Sgt,
            Test2::Sge,
            Test2::AddOverflows(Unsigned),
            Test2::AddOverflows(Signed),
            Test2::SubOverflows(Unsigned),
            Test2::SubOverflows(Signed),
            Test2::MulOverflows(Unsigned),
            Test2::MulOverflows(Signed),
        ]
    };
    const CONNECTIVES: [Bool2; 5] = [Bool2::And, Bool2::Or, Bool2::Xor, Bool2::Implies, Bool2::Eq];
    if depth == 0 {
        return Expr::Var(Sort::Bool, choices.below(2));
    }
    let d = depth - 1;
    let width = widths[choices.below(widths.len())];
    match choices.below(12) {
        0 => Expr::Var(Sort::Bool, choices.below(2)),
        1 => Expr::Truth(choices.below(2) == 1),
        2 => Expr::Not(Box::new(bool_expr(choices, widths, d))),
        3 | 4 => {
            let op = CONNECTIVES[choices.below(5)];
            let a = Box::new(bool_expr(choices, widths, d));
            Expr::Connect(op, a, Box::new(bool_expr(choices, widths, d)))
        }
        5 => {
            let c = Box::new(bool_expr(choices, widths, d));
            let a = Box::new(bool_expr(choices, widths, d));
            Expr::Ite(c, a, Box::new(bool_expr(choices, widths, d)))
        }
        6 => Expr::NegOverflows(Box::new(bv_expr(choices, width, widths, d))),
        _ => {
            let test = TESTS[choices.below(16)];
            let a = Box::new(bv_expr(choices, width, widths, d));
            Expr::Test(test, a, Box::new(bv_expr(choices, width, widths, d)))
        }
    }
}

fn bv_expr(choices: &mut Choices<'_>, width: u16, widths: &[u16], depth: u32) -> Expr {
    const OPS: [Op2; 13] = [
        Op2::Add,
        Op2::Sub,
        Op2::Mul,
        Op2::Udiv,
        Op2::Sdiv,
        Op2::Urem,
        Op2::Srem,
        Op2::And,
        Op2::Or,
        Op2::Xor,
        Op2::Shl,
        Op2::Lshr,
        Op2::Ashr,
    ];
    if depth == 0 {
        return match choices.below(3) {
            0 => Expr::Const(choices.number(width), width),
            _ => Expr::Var(Sort::Bv(width), choices.below(2)),
        };
    }
    let d = depth - 1;
    match choices.below(20) {
        0 => Expr::Var(Sort::Bv(width), choices.below(2)),
        1 => Expr::Const(choices.number(width), width),
        2 => Expr::Neg(Box::new(bv_expr(choices, width, widths, d))),
        3 => Expr::BvNot(Box::new(bv_expr(choices, width, widths, d))),
        4 | 5 => {
            let c = Box::new(bool_expr(choices, widths, d));
            let a = Box::new(bv_expr(choices, width, widths, d));
            Expr::Ite(c, a, Box::new(bv_expr(choices, width, widths, d)))
        }
        6 | 7 => {
            let from = widths[choices.below(widths.len())].max(width);
            let lo = choices.below(usize::from(from - width) + 1) as u16;
            Expr::Extract(Box::new(bv_expr(choices, from, widths, d)), lo + width - 1, lo)
        }
        8 | 9 => {
            let from = widths[choices.below(widths.len())].min(width);
            Expr::Zext(Box::new(bv_expr(choices, from, widths, d)), width)
        }
        10 => {
            let from = widths[choices.below(widths.len())].min(width);
            Expr::Sext(Box::new(bv_expr(choices, from, widths, d)), width)
        }
        11 if width > 1 => {
            let low = 1 + choices.below(usize::from(width) - 1) as u16;
            let high = Box::new(bv_expr(choices, width - low, widths, d));
            Expr::Concat(high, Box::new(bv_expr(choices, low, widths, d)))
        }
        // Counting needs room for the width itself.
        12 if width > 3 => {
            let inner = Box::new(bv_expr(choices, width, widths, d.min(1)));
            match choices.below(3) {
                0 => Expr::CountOnes(inner),
                1 => Expr::LeadingZeros(inner),
                _ => Expr::TrailingZeros(inner),
            }
        }
        _ => {
            let op = OPS[choices.below(13)];
            let a = Box::new(bv_expr(choices, width, widths, d));
            Expr::Op(op, a, Box::new(bv_expr(choices, width, widths, d)))
        }
    }
}

/// The variables that expressions refer to, made in a pool as they are needed.
#[derive(Default)]
pub(crate) struct Vars(pub BTreeMap<(Sort, usize), TermId>);

/// Builds the term through the public constructors.
pub(crate) fn build(pool: &mut TermPool, vars: &mut Vars, expr: &Expr) -> TermId {
    match expr {
        Expr::Var(sort, index) => *vars
            .0
            .entry((*sort, *index))
            .or_insert_with(|| pool.var(&format!("{}{sort}", char::from(b'x' + *index as u8)), *sort)),
        Expr::Const(bits, width) => pool.bv_const(*bits, *width),
        Expr::Truth(value) => pool.bool_const(*value),
        Expr::Op(op, a, b) => {
            let (a, b) = (build(pool, vars, a), build(pool, vars, b));
            match op {
                Op2::Add => pool.add(a, b),
                Op2::Sub => pool.sub(a, b),
                Op2::Mul => pool.mul(a, b),
                Op2::Udiv => pool.udiv(a, b),
                Op2::Sdiv => pool.sdiv(a, b),
                Op2::Urem => pool.urem(a, b),
                Op2::Srem => pool.srem(a, b),
                Op2::And => pool.bvand(a, b),
                Op2::Or => pool.bvor(a, b),
                Op2::Xor => pool.bvxor(a, b),
                Op2::Shl => pool.shl(a, b),
                Op2::Lshr => pool.lshr(a, b),
                Op2::Ashr => pool.ashr(a, b),
            }
        }
        Expr::Test(test, a, b) => {
            let (a, b) = (build(pool, vars, a), build(pool, vars, b));
            match *test {
                Test2::Eq => pool.eq(a, b),
                Test2::Ne => pool.ne(a, b),
                Test2::Ult => pool.ult(a, b),
                Test2::Ule => pool.ule(a, b),
                Test2::Ugt => pool.ugt(a, b),
                Test2::Uge => pool.uge(a, b),
                Test2::Slt => pool.slt(a, b),
                Test2::Sle => pool.sle(a, b),
                Test2::Sgt => pool.sgt(a, b),
                Test2::Sge => pool.sge(a, b),
                Test2::AddOverflows(signedness) => pool.add_overflows(a, b, signedness),
                Test2::SubOverflows(signedness) => pool.sub_overflows(a, b, signedness),
                Test2::MulOverflows(signedness) => pool.mul_overflows(a, b, signedness),
            }
        }
        Expr::Connect(op, a, b) => {
            let (a, b) = (build(pool, vars, a), build(pool, vars, b));
            match op {
                Bool2::And => pool.and(a, b),
                Bool2::Or => pool.or(a, b),
                Bool2::Xor => pool.xor_bool(a, b),
                Bool2::Implies => pool.implies(a, b),
                Bool2::Eq => pool.eq(a, b),
            }
        }
        Expr::Ite(c, a, b) => {
            let (c, a, b) = (build(pool, vars, c), build(pool, vars, a), build(pool, vars, b));
            pool.ite(c, a, b)
        }
        Expr::Concat(a, b) => {
            let (a, b) = (build(pool, vars, a), build(pool, vars, b));
            pool.concat(a, b)
        }
        Expr::Neg(a)
        | Expr::BvNot(a)
        | Expr::NegOverflows(a)
        | Expr::Not(a)
        | Expr::Extract(a, ..)
        | Expr::Zext(a, _)
        | Expr::Sext(a, _)
        | Expr::CountOnes(a)
        | Expr::LeadingZeros(a)
        | Expr::TrailingZeros(a) => {
            let a = build(pool, vars, a);
            match expr {
                Expr::Neg(_) => pool.neg(a),
                Expr::BvNot(_) => pool.bvnot(a),
                Expr::NegOverflows(_) => pool.neg_overflows(a),
                Expr::Not(_) => pool.not(a),
                Expr::Extract(_, hi, lo) => pool.extract(a, *hi, *lo),
                Expr::Zext(_, width) => pool.zext(a, *width),
                Expr::Sext(_, width) => pool.sext(a, *width),
                Expr::CountOnes(_) => pool.count_ones(a),
                Expr::LeadingZeros(_) => pool.leading_zeros(a),
                _ => pool.trailing_zeros(a),
            }
        }
    }
}

/// Values of variables, by sort and number.
pub(crate) type Env = BTreeMap<(Sort, usize), u128>;

/// A value for each variable of `vars`, as an environment and as a model.
pub(crate) fn assignment(choices: &mut Choices<'_>, pool: &TermPool, vars: &Vars) -> (Env, Model) {
    let mut env = Env::new();
    let mut model = Model::new();
    for ((sort, index), term) in &vars.0 {
        let value = choices.number(sort.bits());
        env.insert((*sort, *index), value);
        model.set(pool.var_of(*term).expect("it was made as a variable"), value);
    }
    (env, model)
}

fn ones(width: u16) -> u128 {
    (0..width).fold(0, |bits, _| bits << 1 | 1)
}

fn signed(bits: u128, width: u16) -> i128 {
    match bits >> (width - 1) & 1 {
        1 if width < 128 => (bits as i128).wrapping_sub(1i128 << width),
        _ => bits as i128,
    }
}

/// Bits and width (1 for a Boolean) of an expression.
pub(crate) fn value(env: &Env, expr: &Expr) -> (u128, u16) {
    let truth = |truth: bool| (u128::from(truth), 1);
    match expr {
        Expr::Var(sort, index) => (env.get(&(*sort, *index)).copied().unwrap_or(0), sort.bits()),
        Expr::Const(bits, width) => (*bits, *width),
        Expr::Truth(value) => truth(*value),
        Expr::Op(op, a, b) => {
            let ((a, width), (b, _)) = (value(env, a), value(env, b));
            (operate(*op, a, b, width), width)
        }
        Expr::Neg(a) => {
            let (a, width) = value(env, a);
            ((0..width).fold(0, |sum: u128, place| sum.wrapping_sub(a & 1 << place)) & ones(width), width)
        }
        Expr::BvNot(a) => {
            let (a, width) = value(env, a);
            (a ^ ones(width), width)
        }
        Expr::Test(op, a, b) => {
            let ((a, width), (b, _)) = (value(env, a), value(env, b));
            truth(test(*op, a, b, width))
        }
        Expr::NegOverflows(a) => {
            let (a, width) = value(env, a);
            truth(a == 1 << (width - 1))
        }
        Expr::Not(a) => truth(value(env, a).0 == 0),
        Expr::Connect(op, a, b) => {
            let (a, b) = (value(env, a).0 == 1, value(env, b).0 == 1);
            truth(match op {
                Bool2::And => a && b,
                Bool2::Or => a || b,
                Bool2::Xor => a ^ b,
                Bool2::Implies => !a || b,
                Bool2::Eq => a == b,
            })
        }
        Expr::Ite(c, a, b) => value(env, if value(env, c).0 == 1 { a } else { b }),
        Expr::Extract(a, hi, lo) => {
            let bits = value(env, a).0;
            ((*lo..=*hi).rev().fold(0, |slice, place| slice << 1 | bits >> place & 1), hi - lo + 1)
        }
        Expr::Concat(a, b) => {
            let ((a, high), (b, low)) = (value(env, a), value(env, b));
            (a << low | b, high + low)
        }
        Expr::Zext(a, width) => (value(env, a).0, *width),
        Expr::Sext(a, width) => {
            let (a, inner) = value(env, a);
            let sign = a >> (inner - 1) & 1;
            ((inner..*width).fold(a, |bits, place| bits | sign << place), *width)
        }
        Expr::CountOnes(a) => {
            let (a, width) = value(env, a);
            (u128::from(a.count_ones()), width)
        }
        Expr::LeadingZeros(a) => {
            let (a, width) = value(env, a);
            (u128::from(a.leading_zeros()) + u128::from(width) - 128, width)
        }
        Expr::TrailingZeros(a) => {
            let (a, width) = value(env, a);
            (u128::from(a.trailing_zeros()).min(u128::from(width)), width)
        }
    }
}

fn operate(op: Op2, a: u128, b: u128, width: u16) -> u128 {
    let (x, y) = (signed(a, width), signed(b, width));
    let far = b >= u128::from(width);
    let bits = match op {
        Op2::Add => a.wrapping_add(b),
        Op2::Sub => a.wrapping_sub(b),
        Op2::Mul => (0..width)
            .filter(|place| b >> place & 1 == 1)
            .fold(0, |sum: u128, place| sum.wrapping_add(a << place)),
        Op2::Udiv if b == 0 => u128::MAX,
        Op2::Udiv => a / b,
        Op2::Urem if b == 0 => a,
        Op2::Urem => a % b,
        Op2::Sdiv if b == 0 && x < 0 => 1,
        Op2::Sdiv if b == 0 => u128::MAX,
        Op2::Sdiv => x.wrapping_div(y) as u128,
        Op2::Srem if b == 0 => a,
        Op2::Srem => x.wrapping_rem(y) as u128,
        Op2::And => a & b,
        Op2::Or => a | b,
        Op2::Xor => a ^ b,
        Op2::Shl | Op2::Lshr if far => 0,
        Op2::Shl => a << b,
        Op2::Lshr => a >> b,
        Op2::Ashr if far => {
            if x < 0 {
                u128::MAX
            } else {
                0
            }
        }
        Op2::Ashr => (x >> b) as u128,
    };
    bits & ones(width)
}

fn test(test: Test2, a: u128, b: u128, width: u16) -> bool {
    use Signedness::{Signed, Unsigned};
    let (x, y) = (signed(a, width), signed(b, width));
    // At 128 bits the processor's own flags are the reference, below them the true result is compared.
    let fits = |result: (i128, bool)| {
        !result.1 && (width == 128 || (-(1i128 << (width - 1))..1i128 << (width - 1)).contains(&result.0))
    };
    let fits_unsigned = |result: (u128, bool)| !result.1 && result.0 <= ones(width);
    match test {
        Test2::Eq => a == b,
        Test2::Ne => a != b,
        Test2::Ult => a < b,
        Test2::Ule => a <= b,
        Test2::Ugt => a > b,
        Test2::Uge => a >= b,
        Test2::Slt => x < y,
        Test2::Sle => x <= y,
        Test2::Sgt => x > y,
        Test2::Sge => x >= y,
        Test2::AddOverflows(Unsigned) => !fits_unsigned(a.overflowing_add(b)),
        Test2::SubOverflows(Unsigned) => !fits_unsigned(a.overflowing_sub(b)),
        Test2::MulOverflows(Unsigned) => !fits_unsigned(a.overflowing_mul(b)),
        Test2::AddOverflows(Signed) => !fits(x.overflowing_add(y)),
        Test2::SubOverflows(Signed) => !fits(x.overflowing_sub(y)),
        Test2::MulOverflows(Signed) => !fits(x.overflowing_mul(y)),
    }
}

/// A condition on a term as deep as a loop of 5,000 rounds makes it, which can hold.
pub(crate) fn as_deep_as_a_long_loop(pool: &mut TermPool) -> TermId {
    let x = pool.var("x", Sort::Bv(32));
    let (shift, mask) = (pool.bv_const(5, 32), pool.bv_const(0xff0f, 32));
    let mut hash = x;
    for _ in 0..5_000 {
        let shifted = pool.shl(hash, shift);
        let mixed = pool.bvxor(shifted, hash);
        let masked = pool.bvand(mixed, mask);
        hash = pool.add(masked, x);
    }
    // The lowest bit is that of x, added an odd number of times.
    let one = pool.bv_const(1, 32);
    let odd = pool.bvand(hash, one);
    pool.eq(odd, one)
}
