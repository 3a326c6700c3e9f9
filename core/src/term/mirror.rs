//! Copies of pools, for threads that read terms while the pool goes on growing.
//!
//! A pool only grows, so a copy is kept up to date by what has been added to it. The copy has the same ids and the same
//! [`TermPool::identity`]; nothing can be built in it.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::{Entry, TermId, TermPool, Var, VarId};
use crate::idx::IdxVec;

/// How much of which pool has been copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pool: Option<u64>,
    terms: usize,
    vars: usize,
}

/// What has been added to a pool since a mark.
#[derive(Debug)]
pub struct Addition {
    identity: u64,
    /// How much the copy has to have already.
    since: (usize, usize),
    entries: Vec<Entry>,
    vars: Vec<(Var, TermId)>,
}

impl Mark {
    /// What a copy at this mark lacks; afterwards the mark is at the end of the pool.
    pub fn advance(&mut self, pool: &TermPool) -> Addition {
        if self.pool != Some(pool.identity) {
            *self = Mark { pool: Some(pool.identity), terms: 0, vars: 0 };
        }
        let since = (self.terms, self.vars);
        let vars = pool.vars.iter().zip(pool.var_terms.iter()).skip(self.vars);
        let addition = Addition {
            identity: pool.identity,
            since,
            entries: pool.entries.iter().skip(self.terms).cloned().collect(),
            vars: vars.map(|(var, term)| (var.clone(), *term)).collect(),
        };
        (self.terms, self.vars) = (pool.entries.len(), pool.vars.len());
        addition
    }
}

/// A copy of a pool, to be read only.
#[derive(Debug)]
pub struct Mirror(TermPool);

impl Default for Mirror {
    fn default() -> Self {
        Mirror(TermPool {
            // That of no pool.
            identity: u64::MAX,
            entries: IdxVec::<TermId, Entry>::new(),
            interned: FxHashMap::default(),
            vars: IdxVec::<VarId, Var>::new(),
            var_terms: IdxVec::new(),
            vars_in: RefCell::default(),
            slices: FxHashMap::default(),
            slice_depth: 0,
        })
    }
}

impl Mirror {
    /// Takes in what was added; an addition of another pool makes the copy one of that pool, and one from the beginning a new copy.
    pub fn follow(&mut self, addition: Addition) {
        if self.0.identity != addition.identity || addition.since == (0, 0) {
            *self = Mirror::default();
            self.0.identity = addition.identity;
        }
        assert_eq!((self.0.entries.len(), self.0.vars.len()), addition.since, "additions come in order");
        for entry in addition.entries {
            self.0.entries.push(entry);
        }
        for (var, term) in addition.vars {
            self.0.vars.push(var);
            self.0.var_terms.push(term);
        }
    }

    pub fn pool(&self) -> &TermPool {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn assert_copy(mirror: &Mirror, pool: &TermPool, t: TermId) {
        let copy = mirror.pool();
        assert_eq!(copy.identity(), pool.identity());
        assert_eq!(copy.term(t), pool.term(t));
        assert_eq!(copy.display(t).to_string(), pool.display(t).to_string());
        assert_eq!(copy.vars_in(t), pool.vars_in(t));
        assert_eq!(copy.len(), pool.len());
    }

    #[test]
    fn a_copy_follows_its_pool_and_then_another() {
        let (mut mark, mut mirror) = (Mark::default(), Mirror::default());
        let mut pool = TermPool::new();
        let a = pool.var("a", Sort::Bv(32));
        mirror.follow(mark.advance(&pool));
        assert_copy(&mirror, &pool, a);
        let b = pool.var("b", Sort::Bv(32));
        let quotient = pool.udiv(a, b);
        mirror.follow(mark.advance(&pool));
        assert_copy(&mirror, &pool, quotient);
        mirror.follow(mark.advance(&pool));
        assert_copy(&mirror, &pool, quotient);
        let mut other = TermPool::new();
        let c = other.var("c", Sort::Bool);
        mirror.follow(mark.advance(&other));
        assert_copy(&mirror, &other, c);
    }
}
