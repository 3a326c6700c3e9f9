//! Terms over the input variables: a hash-consed DAG that is normalised as it is built.
//!
//! The old and the new version of a function share one [`TermPool`]. What both compute alike becomes the same
//! [`TermId`], so most comparisons of outputs need no solver. Every constructor therefore rewrites towards one
//! form: sums of monomials (subtraction, negation, complement, constant shifts and concatenation are sums),
//! constant right shifts and contiguous masks as extractions, comparisons as `<` with the constant on the right,
//! disjunction as negated conjunction.
//!
//! * [`bits`]: the concrete meaning of the operations
//! * [`facts`]: known bits and intervals of each term, computed once as it is built
//! * [`boolean`], [`linear`], [`division`], [`bitwise`], [`compare`]: the constructors
//! * [`float`]: floats, which are bit vectors, and what rounds
//! * [`libm`]: functions of floats whose precision is left open
//! * [`eval`]: models and evaluation
//! * [`display`]: terms as text
//! * [`mirror`]: copies for other threads
//! * [`substitute`]: terms in the place of others
//!
//! Limits: bit vectors of 1 to 128 bits, no arrays. The normal form is not canonical (equal terms
//! may differ as nodes), but it is exact: a rewritten term has the value of the original under every model.
//! Nothing recurses along the depth of a term.

pub mod bits;
mod bitwise;
mod boolean;
mod compare;
mod display;
mod division;
mod eval;
mod facts;
pub mod float;
pub mod libm;
mod linear;
mod mirror;
mod substitute;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

pub use bits::{BvOp, Overflow, to_signed};
pub(crate) use eval::value_of;
pub use eval::{Evaluator, Model, Sweep};
pub use facts::Facts;
pub use float::FloatOp;
pub use libm::LibmFn;
pub use linear::Linear;
pub use mirror::{Addition, Mark, Mirror};

use crate::idx::IdxVec;
use crate::ir::FloatTy;

crate::define_ids! {
    /// A term of one [`TermPool`].
    TermId = "t";
    /// An input variable of one [`TermPool`].
    VarId = "v";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// A bit vector of 1 to 128 bits.
    Bv(u16),
}

impl Sort {
    /// Bits that a value of this sort has; a Boolean has one.
    pub fn bits(self) -> u16 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(width) => width,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
        }
    }
}

/// An input variable. Two variables may share a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    pub name: String,
    pub sort: Sort,
}

/// One node of the DAG. What is not here is expressed by what is: see the module's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Bool(bool),
    Bv {
        bits: u128,
        width: u16,
    },
    Var(VarId),
    Not(TermId),
    And(TermId, TermId),
    Ite(TermId, TermId, TermId),
    /// Of two terms of one sort, Boolean or not.
    Eq(TermId, TermId),
    Ult(TermId, TermId),
    Slt(TermId, TermId),
    Overflow(Overflow, TermId, TermId),
    Sum(Arc<Linear>),
    /// Two factors or more, sorted.
    Product(Arc<[TermId]>),
    Bin(BvOp, TermId, TermId),
    Extract {
        of: TermId,
        hi: u16,
        lo: u16,
    },
    Zext {
        of: TermId,
        width: u16,
    },
    Sext {
        of: TermId,
        width: u16,
    },
    /// An operation on floats that rounds; see [`float`].
    Float(FloatOp, FloatTy, Arc<[TermId]>),
}

impl Term {
    /// The operands, in order.
    pub fn for_each_child(&self, mut f: impl FnMut(TermId)) {
        match self {
            Term::Bool(_) | Term::Bv { .. } | Term::Var(_) => {}
            Term::Not(a)
            | Term::Extract { of: a, .. }
            | Term::Zext { of: a, .. }
            | Term::Sext { of: a, .. } => {
                f(*a);
            }
            Term::And(a, b)
            | Term::Eq(a, b)
            | Term::Ult(a, b)
            | Term::Slt(a, b)
            | Term::Overflow(_, a, b)
            | Term::Bin(_, a, b) => {
                f(*a);
                f(*b);
            }
            Term::Ite(c, a, b) => {
                f(*c);
                f(*a);
                f(*b);
            }
            Term::Sum(linear) => linear.monomials.iter().for_each(|(term, _)| f(*term)),
            Term::Product(factors) => factors.iter().for_each(|term| f(*term)),
            Term::Float(_, _, args) => args.iter().for_each(|term| f(*term)),
        }
    }
}

/// What a pool keeps of each term.
#[derive(Clone, Debug)]
struct Entry {
    term: Term,
    sort: Sort,
    facts: Facts,
}

/// All terms of one analysis. Terms are never freed before the pool is.
#[derive(Debug)]
pub struct TermPool {
    identity: u64,
    entries: IdxVec<TermId, Entry>,
    interned: FxHashMap<Term, TermId>,
    vars: IdxVec<VarId, Var>,
    var_terms: IdxVec<VarId, TermId>,
    vars_in: RefCell<FxHashMap<TermId, Arc<[VarId]>>>,
    /// Extractions made so far, by term and bits.
    slices: FxHashMap<(TermId, u16, u16), TermId>,
    /// How deep the extraction under way has gone.
    slice_depth: u32,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        TermPool {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            entries: IdxVec::new(),
            interned: FxHashMap::default(),
            vars: IdxVec::new(),
            var_terms: IdxVec::new(),
            vars_in: RefCell::default(),
            slices: FxHashMap::default(),
            slice_depth: 0,
        }
    }

    /// Differs between any two pools of one process, so that caches keyed by [`TermId`] notice a change of pool.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// A fresh variable at each call, whatever the name.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        debug_assert!((1..=128).contains(&sort.bits()), "bit vectors have 1 to 128 bits, not {sort}");
        let var = self.vars.push(Var { name: name.to_string(), sort });
        let term = self.intern(Term::Var(var), sort);
        self.var_terms.push(term);
        term
    }

    /// The variable that `t` is, if it is one.
    pub fn var_of(&self, t: TermId) -> Option<VarId> {
        match self.term(t) {
            Term::Var(var) => Some(*var),
            _ => None,
        }
    }

    pub fn vars(&self) -> impl DoubleEndedIterator<Item = (VarId, &Var)> + ExactSizeIterator {
        self.vars.iter_enumerated()
    }

    /// Name and sort of a variable.
    pub fn var_info(&self, var: VarId) -> &Var {
        &self.vars[var]
    }

    pub fn var_term(&self, var: VarId) -> TermId {
        self.var_terms[var]
    }

    pub fn bool_const(&mut self, value: bool) -> TermId {
        self.intern(Term::Bool(value), Sort::Bool)
    }

    /// Bits above the width are dropped.
    pub fn bv_const(&mut self, bits: u128, width: u16) -> TermId {
        self.intern(Term::Bv { bits: bits & bits::mask(width), width }, Sort::Bv(width))
    }

    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.term(t) {
            Term::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bits of a constant; a Boolean constant is 0 or 1.
    pub fn as_const(&self, t: TermId) -> Option<u128> {
        match self.term(t) {
            Term::Bv { bits, .. } => Some(*bits),
            Term::Bool(value) => Some(u128::from(*value)),
            _ => None,
        }
    }

    pub fn sort(&self, t: TermId) -> Sort {
        self.entries[t].sort
    }

    /// The width of a bit vector; 1 for a Boolean.
    pub fn width(&self, t: TermId) -> u16 {
        self.sort(t).bits()
    }

    pub fn term(&self, t: TermId) -> &Term {
        &self.entries[t].term
    }

    /// What is known of `t` under every model.
    pub fn facts(&self, t: TermId) -> &Facts {
        &self.entries[t].facts
    }

    /// Number of terms in the pool.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of distinct nodes of `t`, itself included.
    pub fn size(&self, t: TermId) -> usize {
        let mut seen = FxHashSet::default();
        self.visit(t, |child| seen.insert(child));
        seen.len()
    }

    /// The variables that `t` mentions, sorted. Cached.
    pub fn vars_in(&self, t: TermId) -> Arc<[VarId]> {
        if let Some(vars) = self.vars_in.borrow().get(&t) {
            return vars.clone();
        }
        let mut vars = Vec::new();
        let mut seen = FxHashSet::default();
        {
            let cache = self.vars_in.borrow();
            self.visit(t, |child| {
                if !seen.insert(child) {
                    return false;
                }
                if let Some(known) = cache.get(&child) {
                    vars.extend_from_slice(known);
                    return false;
                }
                vars.extend(self.var_of(child));
                true
            });
        }
        vars.sort_unstable();
        vars.dedup();
        let vars: Arc<[VarId]> = vars.into();
        self.vars_in.borrow_mut().insert(t, vars.clone());
        vars
    }

    /// All terms that the roots mention, themselves included.
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        for root in roots {
            self.visit(*root, |t| {
                let new = seen.insert(t);
                if new {
                    found.push(t);
                }
                new
            });
        }
        found
    }

    /// Walks down from `t`; the children of a node are visited if `enter` says so.
    fn visit(&self, t: TermId, mut enter: impl FnMut(TermId) -> bool) {
        let mut stack = vec![t];
        while let Some(term) = stack.pop() {
            if enter(term) {
                self.term(term).for_each_child(|child| stack.push(child));
            }
        }
    }

    /// The node for `term`, which has been normalised by its constructor. A term that can have one value only
    /// becomes that constant.
    fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        if let Some(id) = self.interned.get(&term) {
            return *id;
        }
        let facts = Facts::of(self, &term, sort);
        if let (Sort::Bv(width), Some(bits)) = (sort, facts.single())
            && !matches!(term, Term::Bv { .. })
        {
            return self.bv_const(bits, width);
        }
        let id = self.entries.push(Entry { term: term.clone(), sort, facts });
        self.interned.insert(term, id);
        id
    }

    fn assert_same_sort(&self, a: TermId, b: TermId) {
        debug_assert_eq!(
            self.sort(a),
            self.sort(b),
            "{} and {} differ in sort",
            self.display(a),
            self.display(b)
        );
    }

    fn assert_bv(&self, a: TermId, b: TermId) {
        self.assert_same_sort(a, b);
        debug_assert!(self.sort(a) != Sort::Bool, "{} is no bit vector", self.display(a));
    }

    fn assert_bool(&self, t: TermId) {
        debug_assert!(self.sort(t) == Sort::Bool, "{} is no Boolean", self.display(t));
    }
}
