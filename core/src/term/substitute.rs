//! Terms with others in the place of some.

use rustc_hash::FxHashMap;

use super::linear::Linear;
use super::{BvOp, Overflow, Term, TermId, TermPool};
use crate::ir::Signedness;

/// What stands for a term of another pool, if it is not copied; its operands were, to these.
pub type MadeInstead<'m> =
    dyn FnMut(&mut TermPool, TermId, &FxHashMap<TermId, TermId>) -> Option<TermId> + 'm;

impl TermPool {
    /// `t` with each term that is a key replaced by what it is mapped to, which is of the same sort; what replaces a term is not looked into.
    pub fn substitute(&mut self, t: TermId, replaced: &FxHashMap<TermId, TermId>) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = replaced.clone();
        let mut stack = vec![t];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = self.term(term).clone();
            node.for_each_child(|child| {
                if !done.contains_key(&child) {
                    stack.push(child);
                }
            });
            if stack.len() == before {
                let made = self.rebuilt(term, &node, &done);
                done.insert(term, made);
                stack.pop();
            }
        }
        done[&t]
    }

    /// A term of another pool in this one. `made` says what stands here for a term whose operands were copied, for each variable at least; `copies` has what each term has become, and is added to.
    pub fn copied(
        &mut self,
        from: &TermPool,
        t: TermId,
        copies: &mut FxHashMap<TermId, TermId>,
        made: &mut MadeInstead<'_>,
    ) -> TermId {
        let mut stack = vec![t];
        while let Some(&term) = stack.last() {
            if copies.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            from.term(term).for_each_child(|child| {
                if !copies.contains_key(&child) {
                    stack.push(child);
                }
            });
            if stack.len() == before {
                let copy = match made(self, term, copies) {
                    Some(made) => made,
                    None => self.over(from.term(term), copies),
                };
                copies.insert(term, copy);
                stack.pop();
            }
        }
        copies[&t]
    }

    /// The node over what its operands have become.
    fn rebuilt(&mut self, term: TermId, node: &Term, done: &FxHashMap<TermId, TermId>) -> TermId {
        let mut is_same = true;
        node.for_each_child(|child| is_same &= done[&child] == child);
        if is_same { term } else { self.over(node, done) }
    }

    fn over(&mut self, node: &Term, done: &FxHashMap<TermId, TermId>) -> TermId {
        let get = |term: &TermId| done[term];
        match node {
            Term::Bool(value) => self.bool_const(*value),
            Term::Bv { bits, width } => self.bv_const(*bits, *width),
            Term::Var(var) => self.var_term(*var),
            Term::Not(a) => self.not(get(a)),
            Term::And(a, b) => self.and(get(a), get(b)),
            Term::Ite(c, a, b) => self.ite(get(c), get(a), get(b)),
            Term::Eq(a, b) => self.eq(get(a), get(b)),
            Term::Ult(a, b) => self.ult(get(a), get(b)),
            Term::Slt(a, b) => self.slt(get(a), get(b)),
            Term::Overflow(op, a, b) => {
                let (a, b) = (get(a), get(b));
                match op {
                    Overflow::AddUnsigned => self.add_overflows(a, b, Signedness::Unsigned),
                    Overflow::AddSigned => self.add_overflows(a, b, Signedness::Signed),
                    Overflow::SubSigned => self.sub_overflows(a, b, Signedness::Signed),
                    Overflow::MulUnsigned => self.mul_overflows(a, b, Signedness::Unsigned),
                    Overflow::MulSigned => self.mul_overflows(a, b, Signedness::Signed),
                }
            }
            Term::Sum(linear) => {
                let mut sum =
                    Linear { width: linear.width, constant: linear.constant, monomials: Vec::new() };
                for (part, coefficient) in &linear.monomials {
                    sum = sum.plus(&self.as_linear(get(part)).scaled(*coefficient));
                }
                self.linear_term(sum)
            }
            Term::Product(factors) => {
                let factors: Vec<TermId> = factors.iter().map(get).collect();
                factors[1..].iter().fold(factors[0], |product, factor| self.mul(product, *factor))
            }
            Term::Bin(op, a, b) => {
                let (a, b) = (get(a), get(b));
                match op {
                    BvOp::Udiv => self.udiv(a, b),
                    BvOp::Sdiv => self.sdiv(a, b),
                    BvOp::Urem => self.urem(a, b),
                    BvOp::Srem => self.srem(a, b),
                    BvOp::And => self.bvand(a, b),
                    BvOp::Or => self.bvor(a, b),
                    BvOp::Xor => self.bvxor(a, b),
                    BvOp::Shl => self.shl(a, b),
                    BvOp::Lshr => self.lshr(a, b),
                    BvOp::Ashr => self.ashr(a, b),
                }
            }
            Term::Extract { of, hi, lo } => self.extract(get(of), *hi, *lo),
            Term::Zext { of, width } => self.zext(get(of), *width),
            Term::Sext { of, width } => self.sext(get(of), *width),
            Term::Float(op, ty, args) => {
                let args: Vec<TermId> = args.iter().map(get).collect();
                self.float(*op, *ty, &args)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::FloatTy;
    use crate::term::testing::{self, Choices, Vars};
    use crate::term::{FloatOp, Model, Sort, bits};

    /// Replacing variables by terms and then evaluating is evaluating with the values of these terms.
    #[test]
    fn substitution_commutes_with_evaluation() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u8
        };
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..80).map(|_| byte()).collect();
            let mut pool = TermPool::new();
            let expr = testing::expr(&mut Choices(&bytes), Sort::Bv(32), &[1, 3, 8, 32], 4);
            let t = testing::build(&mut pool, &mut Vars::default(), &expr);
            let mut replaced = FxHashMap::default();
            let (mut model, mut expected) = (Model::new(), Model::new());
            for var in pool.vars_in(t).iter() {
                let sort = pool.var_info(*var).sort;
                let fresh = pool.var("fresh", sort);
                model.set(pool.var_of(fresh).unwrap(), u128::from(byte()) & bits::mask(sort.bits()));
                let by = match sort {
                    Sort::Bool => pool.not(fresh),
                    Sort::Bv(width) => {
                        let one = pool.bv_const(1, width);
                        pool.add(fresh, one)
                    }
                };
                expected.set(*var, pool.eval(by, &model));
                replaced.insert(pool.var_term(*var), by);
            }
            let substituted = pool.substitute(t, &replaced);
            assert_eq!(pool.eval(substituted, &model), pool.eval(t, &expected), "{}", pool.display(t));
        }
    }

    #[test]
    fn whole_operations_are_replaced_too() {
        let mut pool = TermPool::new();
        let (a, b) = (pool.var("a", Sort::Bv(64)), pool.var("b", Sort::Bv(64)));
        let product = pool.float(FloatOp::Mul, FloatTy::F64, &[a, b]);
        let less = pool.float_lt(FloatTy::F64, product, a);
        let hidden = pool.var("hidden", Sort::Bv(64));
        let found = pool.substitute(less, &FxHashMap::from_iter([(product, hidden)]));
        assert_eq!(found, pool.float_lt(FloatTy::F64, hidden, a));
    }
}
