//! Whether the arithmetic of printed conditions may wrap.
//!
//! Conditions are printed as sums of what types hold: `x - y >= 5` may be that of `x.wrapping_sub(y)`. Where the sum is, on all values that satisfy the conditions, the number that
//! people take it for, this makes no difference to who satisfies them not.

use super::Printer;
use crate::ir::Signedness;
use crate::smt::{Answer, Solver, SolverLimits};
use crate::term::bits::{from_signed, to_signed};
use crate::term::{Term, TermId, TermPool};

/// Bits in which no sum or product of shorter numbers wraps.
const WIDE: u16 = 128;
/// Of more sums and products none is looked at.
const MOST: usize = 12;

impl Printer<'_> {
    /// The sums and products in the conditions, with the signs by which each may be read.
    pub fn arithmetic(&self, conditions: &[TermId]) -> Vec<(TermId, Signedness)> {
        let below = self.pool.below(conditions).into_iter();
        let is_arithmetic = |term: &TermId| matches!(self.pool.term(*term), Term::Sum(_) | Term::Product(_));
        let signs = |term: TermId| match super::expression::own_type(self, term) {
            Some(ty) => vec![(term, ty.signedness())],
            None => vec![(term, Signedness::Signed), (term, Signedness::Unsigned)],
        };
        below.filter(is_arithmetic).flat_map(signs).collect()
    }
}

/// Whether one of these sums and products need not be the number that it is without wrapping, on values that satisfy the conditions. Where the solver does not tell, it need not.
pub fn may_wrap(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    limits: &SolverLimits,
    conditions: &[TermId],
    arithmetic: &[(TermId, Signedness)],
) -> bool {
    arithmetic.len() > MOST
        || arithmetic.iter().any(|(term, sign)| {
            let Some(exact) = exact(pool, *term, *sign) else { return true };
            let wrapped = widened(pool, *term, *sign);
            let mut assertions = conditions.to_vec();
            assertions.push(pool.ne(exact, wrapped));
            solver.check(pool, &assertions, limits) != Answer::Unsat
        })
}

/// The sum or product of wide numbers; none if it may wrap even so.
fn exact(pool: &mut TermPool, term: TermId, sign: Signedness) -> Option<TermId> {
    let width = pool.width(term);
    if width > WIDE / 2 {
        return None;
    }
    match pool.term(term).clone() {
        Term::Sum(linear) => {
            let constant = |pool: &mut TermPool, bits: u128| {
                pool.bv_const(from_signed(to_signed(bits, width), WIDE), WIDE)
            };
            let mut sum = constant(pool, linear.constant);
            for (part, coefficient) in &linear.monomials {
                let (factor, part) = (constant(pool, *coefficient), widened(pool, *part, sign));
                let product = pool.mul(factor, part);
                sum = pool.add(sum, product);
            }
            Some(sum)
        }
        Term::Product(factors) => match factors[..] {
            [a, b] => {
                let (a, b) = (widened(pool, a, sign), widened(pool, b, sign));
                Some(pool.mul(a, b))
            }
            _ => None,
        },
        _ => None,
    }
}

fn widened(pool: &mut TermPool, term: TermId, sign: Signedness) -> TermId {
    match sign {
        Signedness::Signed => pool.sext(term, WIDE),
        Signedness::Unsigned => pool.zext(term, WIDE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::{AnySolver, Layered};
    use crate::term::Sort;

    /// Whether a sum or product of two values of 32 bits may wrap where a condition on it and both values holds.
    fn wraps(
        sign: Signedness,
        of: impl Fn(&mut TermPool, TermId, TermId) -> TermId,
        condition: impl Fn(&mut TermPool, TermId, [TermId; 2]) -> Vec<TermId>,
    ) -> bool {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::Bv(32)));
        let result = of(&mut pool, x, y);
        let conditions = condition(&mut pool, result, [x, y]);
        let mut solver = Layered::new(AnySolver::new());
        may_wrap(&mut pool, &mut solver, &SolverLimits::default(), &conditions, &[(result, sign)])
    }

    #[test]
    fn arithmetic_is_exact_where_conditions_see_to_it() {
        let five = |pool: &mut TermPool| pool.bv_const(5, 32);
        let at_least = |pool: &mut TermPool, sum, _| {
            let five = five(pool);
            vec![pool.sge(sum, five)]
        };
        assert!(wraps(Signedness::Signed, TermPool::sub, at_least));
        let checked = |pool: &mut TermPool, sum, [x, y]: [TermId; 2]| {
            let overflows = pool.sub_overflows(x, y, Signedness::Signed);
            vec![at_least(pool, sum, [x, y])[0], pool.not(overflows)]
        };
        assert!(!wraps(Signedness::Signed, TermPool::sub, checked));
        let in_range = |pool: &mut TermPool, sum, _: [TermId; 2]| {
            let five = five(pool);
            vec![pool.ult(sum, five)]
        };
        let less_five = |pool: &mut TermPool, x, _| {
            let five = five(pool);
            pool.sub(x, five)
        };
        assert!(!wraps(Signedness::Unsigned, less_five, in_range));
        let zero = |pool: &mut TermPool, product, _: [TermId; 2]| {
            let zero = pool.bv_const(0, 32);
            vec![pool.eq(product, zero)]
        };
        assert!(wraps(Signedness::Unsigned, TermPool::mul, zero));
        assert!(wraps(
            Signedness::Signed,
            |pool, x, _| pool.neg(x),
            |pool, negated, _| {
                let five = five(pool);
                vec![pool.slt(negated, five)]
            }
        ));
    }
}
