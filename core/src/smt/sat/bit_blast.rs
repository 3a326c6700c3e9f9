//! Terms as words of literals.
//!
//! *Idea.* Terms are translated in the order in which they were made, operands first, each once. What is expensive for a SAT solver is left open at first: a
//! product, a division, a product's overflow and an operation on floats is a word of which only its known bits and limits are told. A model in which such a word is not what
//! the operation gives [sharpens](Blaster::sharpen) the question, by the least of these that excludes it:
//!
//! 1. two operations of one kind with the same operands have the same result;
//! 2. an operation on integers is what its circuit gives;
//! 3. an operation on floats has, for the operands of the model, the result that the machine gives.
//!
//! So what holds for any product needs no multiplier, and each statement that is added holds of all inputs: what cannot hold with some of them cannot hold at all.
//!
//! *Limits.* Floats have no circuits. The third kind of statement takes one model at a time, [`MOST_POINTS`] of them, so that a float is decided where few operands
//! matter. Functions whose precision is left open ([`crate::term::libm`]) have the first kind alone.

use rustc_hash::{FxHashMap, FxHashSet};

use batsat::Lit;

use super::circuits::{Word, complement, sign};
use super::gates::Gates;
use crate::ir::FloatTy;
use crate::term::{
    BvOp, Facts, FloatOp, Linear, Model, Overflow, Sort, Term, TermId, TermPool, VarId, bits, value_of,
};

/// So many results of operations on floats are told at most.
const MOST_POINTS: usize = 256;

/// What became of a model that does not satisfy the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharpened {
    /// It is excluded now.
    Excluded,
    /// Nothing that may be told excludes it.
    Floats,
    /// All words in it are what they should be.
    Faithful,
}

/// Operations that are left open at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Product,
    Bin(BvOp),
    Overflow(Overflow),
    Float(FloatOp, FloatTy),
}

/// The same operation on the same values: kind, width of the operands, values.
type Application = (Kind, u16, Vec<u128>);

/// See the module's text.
pub(super) struct Blaster<'p> {
    pool: &'p TermPool,
    pub gates: Gates,
    /// What holds of terms in this question beyond what always holds.
    ranges: FxHashMap<TermId, Facts>,
    words: FxHashMap<TermId, Word>,
    quotients: FxHashMap<(TermId, TermId, bool), (Word, Word)>,
    /// Left open, in the order of terms.
    open: Vec<(TermId, Kind)>,
    defined: FxHashSet<TermId>,
    points: usize,
}

impl<'p> Blaster<'p> {
    pub fn new(pool: &'p TermPool, gates: Gates, ranges: FxHashMap<TermId, Facts>) -> Blaster<'p> {
        Blaster {
            pool,
            gates,
            ranges,
            words: FxHashMap::default(),
            quotients: FxHashMap::default(),
            open: Vec::new(),
            defined: FxHashSet::default(),
            points: 0,
        }
    }

    /// Holds that all of them are true, and translates what they mention.
    pub fn assert(&mut self, conjuncts: &[TermId]) {
        let mut below = self.pool.below(conjuncts);
        // Operands are older than what is made of them.
        below.sort_unstable();
        for term in below {
            if self.gates.spent().is_some() {
                return;
            }
            let word = match self.kind(term) {
                Some(kind) => {
                    self.open.push((term, kind));
                    self.gates.fresh_word(self.pool.width(term))
                }
                None => self.node(term),
            };
            let word = self.with_facts(term, word);
            self.words.insert(term, word);
        }
        for (term, kind) in self.open.clone() {
            self.hint(term, kind);
        }
        for conjunct in conjuncts {
            let holds = self.lit(*conjunct);
            self.gates.clause(&[holds]);
        }
    }

    /// The values of the variables in the solver's model.
    pub fn model(&self, vars: &[VarId]) -> Model {
        vars.iter().map(|var| (*var, self.value(self.pool.var_term(*var)))).collect()
    }

    /// Tells what excludes the solver's model.
    pub fn sharpen(&mut self) -> Sharpened {
        let mut seen: FxHashMap<Application, TermId> = FxHashMap::default();
        let mut wrong = Vec::new();
        let mut pairs = Vec::new();
        for (term, kind) in &self.open {
            let (operands, result) = (self.operands(*term), self.value(*term));
            let first = operands.first().copied();
            let values = operands.iter().map(|operand| self.value(*operand)).collect();
            let application = (*kind, first.map_or(0, |first| self.pool.width(first)), values);
            match seen.get(&application) {
                Some(other) if self.value(*other) != result => pairs.push((*other, *term)),
                Some(_) => {}
                None => {
                    seen.insert(application, *term);
                }
            }
            let expected = value_of(self.pool, *term, |_| 0, |operand| self.value(operand));
            if expected != result && !self.defined.contains(term) {
                wrong.push((*term, *kind, expected));
            }
        }
        if wrong.is_empty() && pairs.is_empty() {
            return Sharpened::Faithful;
        }
        for (one, other) in &pairs {
            self.tell_same(*one, *other);
        }
        if !pairs.is_empty() {
            return Sharpened::Excluded;
        }
        let mut sharpened = Sharpened::Floats;
        for (term, kind, expected) in wrong {
            match kind {
                Kind::Float(FloatOp::Libm(_), _) => {}
                Kind::Float(..) if self.points < MOST_POINTS => {
                    self.points += 1;
                    self.tell_point(term, expected);
                    sharpened = Sharpened::Excluded;
                }
                Kind::Float(..) => {}
                _ => {
                    self.define(term);
                    sharpened = Sharpened::Excluded;
                }
            }
        }
        sharpened
    }

    fn kind(&self, term: TermId) -> Option<Kind> {
        match self.pool.term(term) {
            Term::Product(_) => Some(Kind::Product),
            Term::Bin(op @ (BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem), ..) => Some(Kind::Bin(*op)),
            Term::Overflow(op @ (Overflow::MulUnsigned | Overflow::MulSigned), ..) => {
                Some(Kind::Overflow(*op))
            }
            Term::Float(op, ty, _) => Some(Kind::Float(*op, *ty)),
            _ => None,
        }
    }

    fn operands(&self, term: TermId) -> Vec<TermId> {
        let mut operands = Vec::new();
        self.pool.term(term).for_each_child(|operand| operands.push(operand));
        operands
    }

    /// A value in the solver's model.
    fn value(&self, term: TermId) -> u128 {
        let Some(word) = self.words.get(&term) else { return 0 };
        word.iter().rev().fold(0, |value, bit| value << 1 | u128::from(self.gates.value(*bit)))
    }

    fn word(&self, term: TermId) -> &Word {
        &self.words[&term]
    }

    fn lit(&self, term: TermId) -> Lit {
        self.word(term)[0]
    }

    /// The word with its known bits in place of those that were built, which are held to be these.
    fn with_facts(&mut self, term: TermId, mut word: Word) -> Word {
        if self.pool.sort(term) == Sort::Bool {
            return word;
        }
        let facts = *self.ranges.get(&term).unwrap_or(self.pool.facts(term));
        for (place, bit) in word.iter_mut().enumerate() {
            let value = facts.ones >> place & 1 == 1;
            if (value || facts.zeros >> place & 1 == 1) && self.gates.known(*bit) != Some(value) {
                self.gates.clause(&[*bit ^ !value]);
                *bit = self.gates.constant(value);
            }
        }
        word
    }

    /// What is told of an operation that is left open.
    fn hint(&mut self, term: TermId, kind: Kind) {
        let (word, width) = (self.word(term).clone(), self.pool.width(term));
        let facts = *self.ranges.get(&term).unwrap_or(self.pool.facts(term));
        if self.pool.sort(term) != Sort::Bool {
            for (bound, is_upper) in [(facts.max, true), (facts.min, false)] {
                let bound = self.gates.number(bound, width);
                let outside = match is_upper {
                    true => self.gates.less_unsigned(&bound, &word),
                    false => self.gates.less_unsigned(&word, &bound),
                };
                self.gates.clause(&[!outside]);
            }
        }
        match (kind, self.operands(term).as_slice()) {
            // Neither exceeds the dividend, and a remainder is less than the divisor.
            (Kind::Bin(op @ (BvOp::Udiv | BvOp::Urem)), [a, b]) => {
                let (a, b) = (self.word(*a).clone(), self.word(*b).clone());
                let is_some = self.gates.any(&b);
                let exceeds = self.gates.less_unsigned(&a, &word);
                self.gates.clause(&[!is_some, !exceeds]);
                if op == BvOp::Urem {
                    let less = self.gates.less_unsigned(&word, &b);
                    self.gates.clause(&[!is_some, less]);
                }
            }
            // There is one NaN.
            (Kind::Float(op, ty), _) if !matches!(op, FloatOp::ToInt(..)) => {
                let ty = if op.result_bits(ty) == 32 { FloatTy::F32 } else { FloatTy::F64 };
                let infinity = self.gates.number(ty.infinity(), ty.bits() - 1);
                let is_number = {
                    let exceeds = self.gates.less_unsigned(&infinity, &word[..word.len() - 1]);
                    !exceeds
                };
                let nan = self.gates.number(ty.nan(), ty.bits());
                self.gates.bind(&word, &nan, &[is_number]);
            }
            _ => {}
        }
    }

    /// Two operations of one kind have one result where they have the same operands.
    fn tell_same(&mut self, one: TermId, other: TermId) {
        let mut same = Vec::new();
        for (a, b) in self.operands(one).into_iter().zip(self.operands(other)) {
            let (a, b) = (self.word(a).clone(), self.word(b).clone());
            same.push(self.gates.equal(&a, &b));
        }
        let same = self.gates.all(&same);
        let (a, b) = (self.word(one).clone(), self.word(other).clone());
        self.gates.bind(&a, &b, &[!same]);
    }

    /// The result for the operands that the solver's model has.
    fn tell_point(&mut self, term: TermId, result: u128) {
        let mut unless = Vec::new();
        for operand in self.operands(term) {
            let differs = self.word(operand).iter().map(|bit| *bit ^ self.gates.value(*bit));
            unless.extend(differs.filter(|bit| self.gates.known(*bit).is_none()));
        }
        let (word, result) = (self.word(term).clone(), self.gates.number(result, self.pool.width(term)));
        self.gates.bind(&word, &result, &unless);
    }

    /// The result is that of the operation's circuit.
    fn define(&mut self, term: TermId) {
        if !self.defined.insert(term) {
            return;
        }
        let result = match self.pool.term(term) {
            Term::Product(factors) => {
                let mut factors = factors.iter();
                let mut product = match factors.next() {
                    Some(first) => self.word(*first).clone(),
                    None => self.gates.number(1, self.pool.width(term)),
                };
                for factor in factors {
                    let factor = self.words[factor].clone();
                    product = self.gates.multiply(&product, &factor);
                }
                product
            }
            Term::Bin(op, a, b) => self.division(*op, *a, *b),
            Term::Overflow(op, a, b) => {
                let (a, b) = (self.word(*a).clone(), self.word(*b).clone());
                vec![self.gates.overflow(*op, &a, &b)]
            }
            _ => return,
        };
        let word = self.word(term).clone();
        self.gates.bind(&word, &result, &[]);
    }

    fn division(&mut self, op: BvOp, a: TermId, b: TermId) -> Word {
        let is_signed = matches!(op, BvOp::Sdiv | BvOp::Srem);
        let no = self.gates.constant(false);
        let (a_word, b_word) = (self.word(a).clone(), self.word(b).clone());
        let (a_sign, b_sign) = (sign(&a_word, no), sign(&b_word, no));
        let (quotient, remainder) = match self.quotients.get(&(a, b, is_signed)) {
            Some(known) => known.clone(),
            None => {
                let (dividend, divisor) = match is_signed {
                    true => (self.gates.negate_if(a_sign, &a_word), self.gates.negate_if(b_sign, &b_word)),
                    false => (a_word, b_word),
                };
                let made = self.gates.divide(&dividend, &divisor);
                self.quotients.insert((a, b, is_signed), made.clone());
                made
            }
        };
        match op {
            BvOp::Udiv => quotient,
            BvOp::Urem => remainder,
            // By zero the quotient of the sizes is all ones, which its sign makes -1 or 1.
            BvOp::Sdiv => {
                let negative = self.gates.xor(a_sign, b_sign);
                self.gates.negate_if(negative, &quotient)
            }
            _ => self.gates.negate_if(a_sign, &remainder),
        }
    }

    /// A term that is not left open, whose operands have been translated.
    fn node(&mut self, term: TermId) -> Word {
        let width = self.pool.width(term);
        match self.pool.term(term) {
            Term::Bool(value) => vec![self.gates.constant(*value)],
            Term::Bv { bits, width } => self.gates.number(*bits, *width),
            Term::Var(_) => self.gates.fresh_word(width),
            Term::Not(a) => vec![!self.lit(*a)],
            Term::And(a, b) => {
                let (a, b) = (self.lit(*a), self.lit(*b));
                vec![self.gates.and(a, b)]
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.lit(*c), &self.words[a], &self.words[b]);
                self.gates.select_word(c, a, b)
            }
            Term::Eq(a, b) => vec![self.gates.equal(&self.words[a], &self.words[b])],
            Term::Ult(a, b) => vec![self.gates.less_unsigned(&self.words[a], &self.words[b])],
            Term::Slt(a, b) => vec![self.gates.less_signed(&self.words[a], &self.words[b])],
            Term::Overflow(op, a, b) => vec![self.gates.overflow(*op, &self.words[a], &self.words[b])],
            Term::Sum(linear) => self.sum(linear),
            Term::Bin(op, a, b) => {
                let (a, b) = (&self.words[a], &self.words[b]);
                let pairs = a.iter().copied().zip(b.iter().copied());
                match op {
                    BvOp::And => pairs.map(|(a, b)| self.gates.and(a, b)).collect(),
                    BvOp::Or => pairs.map(|(a, b)| self.gates.or(a, b)).collect(),
                    BvOp::Xor => pairs.map(|(a, b)| self.gates.xor(a, b)).collect(),
                    _ => self.gates.shift(*op, a, b),
                }
            }
            Term::Extract { of, hi, lo } => self.word(*of)[usize::from(*lo)..=usize::from(*hi)].to_vec(),
            Term::Zext { of, .. } | Term::Sext { of, .. } => {
                let mut word = self.word(*of).clone();
                let no = self.gates.constant(false);
                let is_signed = matches!(self.pool.term(term), Term::Sext { .. });
                let fill = if is_signed { sign(&word, no) } else { no };
                word.resize(usize::from(width), fill);
                word
            }
            Term::Product(_) | Term::Float(..) => unreachable!("they are left open"),
        }
    }

    fn sum(&mut self, linear: &Linear) -> Word {
        let width = linear.width;
        let mut constant = linear.constant;
        let mut parts = Vec::new();
        let is_disjoint = self.pool.is_disjoint(linear);
        for (term, coefficient) in &linear.monomials {
            self.gates.scaled(&self.words[term], *coefficient, &mut parts, &mut constant);
        }
        let constant = constant & bits::mask(width);
        if is_disjoint && constant == linear.constant {
            let start = self.gates.number(constant, width);
            return parts.into_iter().fold(start, |sum, part| {
                complement(&sum.iter().zip(&part).map(|(a, b)| self.gates.and(!*a, !*b)).collect::<Word>())
            });
        }
        self.gates.sum(parts, constant, width)
    }
}
