//! Boolean connectives and if-then-else.
//!
//! There is one connective, conjunction: `a ∨ b` is `¬(¬a ∧ ¬b)`, exclusive or is a negated equality. The condition
//! of an if-then-else is never a negation.

use super::{Sort, Term, TermId, TermPool, bits};

/// Conjunctions of so many parts are sorted; longer ones stay as they were put together.
const MAX_SORTED: usize = 16;

impl TermPool {
    pub fn not(&mut self, a: TermId) -> TermId {
        self.assert_bool(a);
        match *self.term(a) {
            Term::Bool(value) => self.bool_const(!value),
            Term::Not(inner) => inner,
            _ => self.intern(Term::Not(a), Sort::Bool),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_bool(a);
        self.assert_bool(b);
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return a,
            (_, Some(false)) => return b,
            (None, None) => {}
        }
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) || self.exclude_each_other(a, b) {
            return self.bool_const(false);
        }
        if let Some(result) = self.and_absorbing(a, b).or_else(|| self.and_absorbing(b, a)) {
            return result;
        }
        if let Some(parts) = self.sorted_conjuncts(a, b) {
            let clash = |x: TermId, y: TermId| self.are_opposite(x, y) || self.exclude_each_other(x, y);
            if parts.iter().enumerate().any(|(index, x)| parts[..index].iter().any(|y| clash(*x, *y))) {
                return self.bool_const(false);
            }
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or(a);
            return parts.fold(first, |all, part| {
                let (x, y) = (all.min(part), all.max(part));
                self.intern(Term::And(x, y), Sort::Bool)
            });
        }
        self.intern(Term::And(a, b), Sort::Bool)
    }

    /// What `a ∧ b` is made of, sorted, so that it does not matter how it was put together. None if neither is a
    /// conjunction or if there are too many parts.
    fn sorted_conjuncts(&self, a: TermId, b: TermId) -> Option<Vec<TermId>> {
        let is_and = |t| matches!(self.term(t), Term::And(..));
        if !is_and(a) && !is_and(b) {
            return None;
        }
        let mut parts = Vec::new();
        let mut stack = vec![a, b];
        while let Some(term) = stack.pop() {
            match *self.term(term) {
                Term::And(x, y) => stack.extend([x, y]),
                _ => parts.push(term),
            }
            if parts.len() + stack.len() > MAX_SORTED {
                return None;
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Some(parts)
    }

    /// `a ∧ b` where what `b` is made of mentions `a`.
    fn and_absorbing(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match *self.term(b) {
            Term::And(x, y) => {
                if a == x || a == y {
                    return Some(b);
                }
                if self.are_opposite(a, x) || self.are_opposite(a, y) {
                    return Some(self.bool_const(false));
                }
                None
            }
            Term::Not(inner) => match *self.term(inner) {
                // a ∧ ¬(a ∧ y) = a ∧ ¬y, and a ∧ ¬(¬a ∧ y) = a
                Term::And(x, y) => {
                    if self.are_opposite(a, x) || self.are_opposite(a, y) {
                        return Some(a);
                    }
                    let rest = match () {
                        () if a == x => y,
                        () if a == y => x,
                        () => return None,
                    };
                    let rest = self.not(rest);
                    Some(self.and(a, rest))
                }
                // Equal to one constant already says unequal to another.
                _ if self.exclude_each_other(a, inner) => Some(a),
                _ => None,
            },
            _ => None,
        }
    }

    fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        matches!(*self.term(a), Term::Not(inner) if inner == b)
            || matches!(*self.term(b), Term::Not(inner) if inner == a)
    }

    /// Whether both are equalities of one term with different constants.
    fn exclude_each_other(&self, a: TermId, b: TermId) -> bool {
        let (Some((x, p)), Some((y, q))) = (self.as_equality_with_const(a), self.as_equality_with_const(b))
        else {
            return false;
        };
        x == y && p != q
    }

    /// `(term, constant)` of `term == constant`.
    pub fn as_equality_with_const(&self, t: TermId) -> Option<(TermId, u128)> {
        match *self.term(t) {
            Term::Eq(x, y) => match (self.as_const(x), self.as_const(y)) {
                (None, Some(bits)) => Some((x, bits)),
                (Some(bits), None) => Some((y, bits)),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.and(a, b);
        self.not(both)
    }

    /// Exclusive or.
    pub fn xor_bool(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.not(b);
        let broken = self.and(a, b);
        self.not(broken)
    }

    /// True for no terms.
    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        let mut all = self.bool_const(true);
        for term in terms {
            all = self.and(all, term);
        }
        all
    }

    /// False for no terms.
    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        let negated: Vec<TermId> = terms.iter().map(|term| self.not(*term)).collect();
        let none = self.and_all(&negated);
        self.not(none)
    }

    /// `then` if `condition`, else `otherwise`; both of any one sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.assert_bool(condition);
        self.assert_same_sort(then, otherwise);
        let (condition, then, otherwise) = match *self.term(condition) {
            Term::Bool(true) => return then,
            Term::Bool(false) => return otherwise,
            Term::Not(inner) => (inner, otherwise, then),
            _ => (condition, then, otherwise),
        };
        // An arm that asks the same question again knows the answer.
        let then = match *self.term(then) {
            Term::Ite(c, x, _) if c == condition => x,
            _ => then,
        };
        let otherwise = match *self.term(otherwise) {
            Term::Ite(c, _, y) if c == condition => y,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        if let Term::Eq(x, y) = *self.term(condition)
            && ((x, y) == (then, otherwise) || (y, x) == (then, otherwise))
        {
            return otherwise;
        }
        let sort = self.sort(then);
        if sort == Sort::Bool {
            return self.ite_bool(condition, then, otherwise);
        }
        if let Some((condition, then, otherwise)) = self.sorted_extremum(condition, then, otherwise) {
            return self.ite(condition, then, otherwise);
        }
        // Two questions that lead to the same value are one.
        if let Term::Ite(c, x, y) = *self.term(otherwise) {
            if x == then {
                let either = self.or(condition, c);
                return self.ite(either, then, y);
            }
            if y == then {
                let not_c = self.not(c);
                let either = self.or(condition, not_c);
                return self.ite(either, then, x);
            }
        }
        if let Term::Ite(c, x, y) = *self.term(then) {
            if y == otherwise {
                let both = self.and(condition, c);
                return self.ite(both, x, otherwise);
            }
            if x == otherwise {
                let not_c = self.not(c);
                let both = self.and(condition, not_c);
                return self.ite(both, y, otherwise);
            }
        }
        self.intern(Term::Ite(condition, then, otherwise), sort)
    }

    /// Minimum and maximum have several spellings that differ in what they ask where both values are equal:
    /// `if x < y { x } else { y }` and `if y < x { y } else { x }`. This gives the one to take, if it is another.
    fn sorted_extremum(
        &mut self,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Option<(TermId, TermId, TermId)> {
        let less: fn(&mut TermPool, TermId, TermId) -> TermId = match self.term(condition) {
            Term::Ult(..) => TermPool::ult,
            Term::Slt(..) => TermPool::slt,
            _ => return None,
        };
        let (Term::Ult(x, y) | Term::Slt(x, y)) = *self.term(condition) else { return None };
        if let Some(bound) = self.as_const(y) {
            // With x < c asked and c - 1 the other value, x < c - 1 does as well.
            let arms = match () {
                () if then == x => otherwise,
                () if otherwise == x => then,
                () => return None,
            };
            let all = bits::mask(self.width(x));
            if self.as_const(arms)? != bound.wrapping_sub(1) & all {
                return None;
            }
            return Some((less(self, x, arms), then, otherwise));
        }
        let both = (then, otherwise) == (x, y) || (then, otherwise) == (y, x);
        (both && x > y && self.as_const(x).is_none()).then(|| (less(self, y, x), otherwise, then))
    }

    fn ite_bool(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let not_condition = self.not(condition);
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), _) => return self.or(condition, otherwise),
            (Some(false), _) => return self.and(not_condition, otherwise),
            (_, Some(true)) => return self.or(not_condition, then),
            (_, Some(false)) => return self.and(condition, then),
            (None, None) => {}
        }
        if then == condition {
            return self.or(condition, otherwise);
        }
        if then == not_condition {
            return self.and(not_condition, otherwise);
        }
        if otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == not_condition {
            return self.or(not_condition, then);
        }
        if self.are_opposite(then, otherwise) {
            return self.eq(condition, then);
        }
        self.intern(Term::Ite(condition, then, otherwise), Sort::Bool)
    }
}
