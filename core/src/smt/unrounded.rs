//! Questions without rounding: a variable stands for what each operation on floats gives.
//!
//! *Idea.* A solver takes long over the bits of a product of floats, and seldom needs them: what both versions compute alike is one term, and much of what is asked hangs on
//! whether a value is a number, on its sign, or on equal operands giving equal results. Each operation becomes a variable of which this is said (`Operation::facts`).
//! What cannot hold of such variables cannot hold of the floats. An answer that it may hold says nothing.
//!
//! *Definition.* Floats are canonical ([`crate::term`]), so a value that is no number has one pattern of bits. The facts are those of IEEE 754-2019: 6.2 (what comes of a NaN), 6.3 (signs),
//! and 5.3.1, 5.4.1 (gradual underflow: a difference is zero for equal operands alone).
//!
//! *Limits.* Of functions of several arguments whose precision is left open, equal arguments are all that counts: a power of a NaN may be a number.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::{FloatTy, Signedness};
use crate::term::{FloatOp, Sort, Term, TermId, TermPool};

/// Pairs of operations in one question of which it is told that equal operands give equal results.
const MOST_CONGRUENT: usize = 24;
/// Differences in one question of which it is told how their operands compare.
const MOST_COMPARED: usize = 24;

/// A pool with a variable for each operation that rounds of another pool.
#[derive(Default)]
pub struct Unrounded {
    source: Option<u64>,
    pool: TermPool,
    copies: FxHashMap<TermId, TermId>,
    /// By the term in the other pool.
    operations: FxHashMap<TermId, Operation>,
}

#[derive(Clone, Debug)]
struct Operation {
    op: FloatOp,
    ty: FloatTy,
    args: Arc<[TermId]>,
    result: TermId,
}

impl Unrounded {
    pub fn pool(&self) -> &TermPool {
        &self.pool
    }

    /// The same assertions, and what is said of the operations in them.
    pub fn question(&mut self, from: &TermPool, assertions: &[TermId]) -> Vec<TermId> {
        if self.source != Some(from.identity()) {
            *self = Unrounded { source: Some(from.identity()), ..Unrounded::default() };
        }
        let Unrounded { pool, copies, operations, .. } = self;
        let mut hide =
            |pool: &mut TermPool, term: TermId, copies: &FxHashMap<TermId, TermId>| match from.term(term) {
                Term::Var(var) => {
                    let var = from.var_info(*var);
                    Some(pool.var(&var.name, var.sort))
                }
                Term::Float(op, ty, args) => {
                    let result = pool.var("rounded", from.sort(term));
                    let args = args.iter().map(|arg| copies[arg]).collect();
                    operations.insert(term, Operation { op: *op, ty: *ty, args, result });
                    Some(result)
                }
                _ => None,
            };
        let mut asked: Vec<TermId> =
            assertions.iter().map(|term| pool.copied(from, *term, copies, &mut hide)).collect();
        let below = from.below(assertions);
        let present: Vec<Operation> =
            below.iter().filter_map(|term| self.operations.get(term)).cloned().collect();
        present.iter().for_each(|operation| operation.facts(&mut self.pool, &mut asked));
        for difference in present.iter().filter(|operation| operation.op == FloatOp::Sub).take(MOST_COMPARED)
        {
            difference.order_of_operands(&mut self.pool, &mut asked);
        }
        self.congruences(&present, &mut asked);
        asked
    }

    fn congruences(&mut self, present: &[Operation], asked: &mut Vec<TermId>) {
        let mut told = 0;
        for (index, a) in present.iter().enumerate() {
            let is_alike = |b: &&Operation| (b.op, b.ty) == (a.op, a.ty) && b.args.len() == a.args.len();
            for b in present[..index].iter().filter(is_alike).take(MOST_CONGRUENT - told) {
                told += 1;
                let pool = &mut self.pool;
                let args: Vec<TermId> =
                    a.args.iter().zip(b.args.iter()).map(|(a, b)| pool.eq(*a, *b)).collect();
                let (equal, same) = (pool.and_all(&args), pool.eq(a.result, b.result));
                asked.push(pool.implies(equal, same));
            }
        }
    }
}

impl Operation {
    /// The format of the result; none if it is an integer.
    fn format(&self) -> Option<FloatTy> {
        match self.op {
            FloatOp::ToInt(..) => None,
            FloatOp::Convert => Some(self.ty.other()),
            _ => Some(self.ty),
        }
    }

    /// Whether an operand that is no number makes the result none.
    fn spreads_nan(&self) -> bool {
        match self.op {
            FloatOp::Libm(_) => self.args.len() == 1,
            FloatOp::FromInt(_) | FloatOp::ToInt(..) => false,
            _ => true,
        }
    }

    /// What is known of the result whatever the operands are.
    fn facts(&self, pool: &mut TermPool, found: &mut Vec<TermId>) {
        let Some(format) = self.format() else {
            let is_nan = pool.float_is_nan(self.ty, self.args[0]);
            let zero = pool.bv_const(0, self.op.result_bits(self.ty));
            let is_zero = pool.eq(self.result, zero);
            return found.push(pool.implies(is_nan, is_zero));
        };
        let nan = pool.bv_const(format.nan(), format.bits());
        let is_nan = pool.eq(self.result, nan);
        let has_bits_of_nan = pool.float_is_nan(format, self.result);
        found.push(pool.implies(has_bits_of_nan, is_nan));
        if self.spreads_nan() {
            for arg in self.args.iter() {
                let of_arg = pool.float_is_nan(self.ty, *arg);
                found.push(pool.implies(of_arg, is_nan));
            }
        }
        let is_number = pool.not(is_nan);
        let sign = is_negative(pool, format, self.result);
        let is_minus_zero = minus_zero(pool, format, self.result);
        match (self.op, &*self.args) {
            (FloatOp::FromInt(signedness), [from]) => {
                found.push(is_number);
                let less = match (signedness, pool.sort(*from)) {
                    (Signedness::Signed, Sort::Bv(width)) => {
                        let zero = pool.bv_const(0, width);
                        pool.slt(*from, zero)
                    }
                    _ => pool.bool_const(false),
                };
                found.push(pool.eq(sign, less));
            }
            (FloatOp::Mul | FloatOp::Div, [a, b]) => {
                let (a, b) = (is_negative(pool, format, *a), is_negative(pool, format, *b));
                let is_same = pool.eq(a, b);
                let differs = pool.not(is_same);
                let agrees = pool.eq(sign, differs);
                found.push(pool.implies(is_number, agrees));
            }
            (FloatOp::Add, [a, b]) => {
                let (of_a, of_b) = (is_negative(pool, format, *a), is_negative(pool, format, *b));
                let is_same = pool.eq(of_a, of_b);
                let agrees = pool.eq(sign, of_a);
                let condition = pool.and(is_number, is_same);
                found.push(pool.implies(condition, agrees));
                let zeros = [*a, *b].map(|arg| minus_zero(pool, format, arg));
                let both = pool.and(zeros[0], zeros[1]);
                found.push(pool.implies(is_minus_zero, both));
                self.is_other_than_zero(pool, *a, *b, *b, found);
                self.is_other_than_zero(pool, *b, *a, *a, found);
            }
            (FloatOp::Sub, [a, b]) => {
                let (of_a, of_b) = (is_negative(pool, format, *a), is_negative(pool, format, *b));
                let (is_same, agrees) = (pool.eq(of_a, of_b), pool.eq(sign, of_a));
                let differs = pool.not(is_same);
                let condition = pool.and(is_number, differs);
                found.push(pool.implies(condition, agrees));
                let negated = pool.float_neg(format, *b);
                self.is_other_than_zero(pool, *a, *b, negated, found);
                self.is_other_than_zero(pool, *b, *a, *a, found);
            }
            (FloatOp::Sqrt, [a]) => {
                let of_zero = minus_zero(pool, format, *a);
                let agrees = pool.eq(sign, of_zero);
                found.push(pool.implies(is_number, agrees));
                let zero = pool.bv_const(0, format.bits());
                let is_less = pool.float_lt(format, *a, zero);
                let of_nan = pool.float_is_nan(format, *a);
                let has_none = pool.or(is_less, of_nan);
                found.push(pool.eq(is_nan, has_none));
            }
            (
                FloatOp::Floor
                | FloatOp::Ceil
                | FloatOp::Trunc
                | FloatOp::Round
                | FloatOp::RoundTiesEven
                | FloatOp::Convert,
                [a],
            ) => {
                let of_nan = pool.float_is_nan(self.ty, *a);
                found.push(pool.implies(is_nan, of_nan));
                let of_a = is_negative(pool, self.ty, *a);
                let agrees = pool.eq(sign, of_a);
                found.push(pool.implies(is_number, agrees));
            }
            (FloatOp::Rem, [a, _]) => {
                let of_a = is_negative(pool, format, *a);
                let agrees = pool.eq(sign, of_a);
                found.push(pool.implies(is_number, agrees));
            }
            _ => {}
        }
    }

    /// A sum or difference with a zero as one operand is this value of the other one, if that is no zero too.
    fn is_other_than_zero(
        &self,
        pool: &mut TermPool,
        zero: TermId,
        other: TermId,
        value: TermId,
        found: &mut Vec<TermId>,
    ) {
        let [is_zero, is_other] = [zero, other].map(|term| pool.float_abs(self.ty, term)).map(|size| {
            let zero = pool.bv_const(0, self.ty.bits());
            pool.eq(size, zero)
        });
        let is_no_zero = pool.not(is_other);
        let condition = pool.and(is_zero, is_no_zero);
        let agrees = pool.eq(self.result, value);
        found.push(pool.implies(condition, agrees));
    }

    /// Of a difference: it is less than zero where the first operand is the lesser one, and more where the second is.
    fn order_of_operands(&self, pool: &mut TermPool, found: &mut Vec<TermId>) {
        let (a, b, zero) = (self.args[0], self.args[1], pool.bv_const(0, self.ty.bits()));
        for (operands, of_result) in [([a, b], [self.result, zero]), ([b, a], [zero, self.result])] {
            let is_less = pool.float_lt(self.ty, operands[0], operands[1]);
            let is_below = pool.float_lt(self.ty, of_result[0], of_result[1]);
            found.push(pool.eq(is_less, is_below));
        }
    }
}

/// Whether the bit of the sign is set.
fn is_negative(pool: &mut TermPool, ty: FloatTy, of: TermId) -> TermId {
    let zero = pool.bv_const(0, ty.bits());
    pool.slt(of, zero)
}

fn minus_zero(pool: &mut TermPool, ty: FloatTy, of: TermId) -> TermId {
    let zero = pool.bv_const(ty.sign_bit(), ty.bits());
    pool.eq(of, zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{LibmFn, Model, float};

    const VALUES: [f64; 17] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.3,
        1.5,
        -2.5,
        3.0,
        1e300,
        -1e300,
        5e-324,
        -5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    const INTEGERS: [i32; 5] = [0, 1, -1, i32::MIN, i32::MAX];

    fn bits(ty: FloatTy, value: f64) -> u128 {
        ty.canonical(match ty {
            FloatTy::F32 => (value as f32).to_bits().into(),
            FloatTy::F64 => value.to_bits().into(),
        })
    }

    /// All that is said of an operation holds of what it gives.
    #[track_caller]
    fn check_facts(op: FloatOp, ty: FloatTy, operands: &[Vec<u128>], widths: &[u16]) {
        let mut pool = TermPool::new();
        let args: Vec<TermId> = widths.iter().map(|width| pool.var("a", Sort::Bv(*width))).collect();
        let result = pool.var("r", Sort::Bv(op.result_bits(ty)));
        let operation = Operation { op, ty, args: args.clone().into(), result };
        let mut facts = Vec::new();
        operation.facts(&mut pool, &mut facts);
        if op == FloatOp::Sub {
            operation.order_of_operands(&mut pool, &mut facts);
        }
        for values in operands {
            let mut model = Model::new();
            for (arg, value) in args.iter().zip(values) {
                model.set(pool.var_of(*arg).unwrap(), *value);
            }
            model.set(pool.var_of(result).unwrap(), float::apply(op, ty, values, widths[0]));
            for fact in &facts {
                assert_eq!(pool.eval(*fact, &model), 1, "{op:?} {values:x?}: {}", pool.display(*fact));
            }
        }
    }

    #[test]
    fn facts_hold() {
        for ty in [FloatTy::F32, FloatTy::F64] {
            let values = VALUES.map(|value| bits(ty, value));
            let one: Vec<Vec<u128>> = values.iter().map(|a| vec![*a]).collect();
            let two: Vec<Vec<u128>> =
                values.iter().flat_map(|a| values.iter().map(|b| vec![*a, *b])).collect();
            let width = ty.bits();
            for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem] {
                check_facts(op, ty, &two, &[width, width]);
            }
            let three: Vec<Vec<u128>> =
                two.iter().flat_map(|two| values.iter().map(|c| vec![two[0], two[1], *c])).collect();
            check_facts(FloatOp::MulAdd, ty, &three, &[width; 3]);
            let rounding =
                [FloatOp::Floor, FloatOp::Ceil, FloatOp::Trunc, FloatOp::Round, FloatOp::RoundTiesEven];
            for op in rounding.into_iter().chain([FloatOp::Sqrt, FloatOp::Convert]) {
                check_facts(op, ty, &one, &[width]);
            }
            for function in LibmFn::ALL.iter().filter(|function| function.arity() == 1) {
                check_facts(FloatOp::Libm(*function), ty, &one, &[width]);
            }
            for signedness in [Signedness::Signed, Signedness::Unsigned] {
                check_facts(FloatOp::ToInt(signedness, 32), ty, &one, &[width]);
                let integers: Vec<Vec<u128>> =
                    INTEGERS.iter().map(|value| vec![u128::from(*value as u32)]).collect();
                check_facts(FloatOp::FromInt(signedness), ty, &integers, &[32]);
            }
        }
    }

    #[test]
    fn the_same_operation_is_one_variable() {
        let mut pool = TermPool::new();
        let (a, b) = (pool.var("a", Sort::Bv(64)), pool.var("b", Sort::Bv(64)));
        let product = pool.float(FloatOp::Mul, FloatTy::F64, &[a, b]);
        let less = pool.float_lt(FloatTy::F64, product, a);
        let mut unrounded = Unrounded::default();
        let first = unrounded.question(&pool, &[less]);
        assert!(
            unrounded
                .pool()
                .below(&first)
                .iter()
                .all(|term| !matches!(unrounded.pool().term(*term), Term::Float(..)))
        );
        assert_eq!(unrounded.question(&pool, &[less]), first);
        let mut other = TermPool::new();
        let c = other.var("c", Sort::Bool);
        let second = unrounded.question(&other, &[c]);
        assert_eq!(unrounded.pool().display(second[0]).to_string(), other.display(c).to_string());
    }
}
