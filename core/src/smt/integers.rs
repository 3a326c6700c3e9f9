//! Questions with divisions, asked of integers instead of bit vectors.
//!
//! *Idea.* To Z3 a division of bit vectors is a circuit, and that `(60 * m + s) / 60` is `m` takes it seconds to see. As
//! integers the same is linear arithmetic: `x / 60` is the `q` with `x = 60 * q + r` and `0 <= r < 60`.
//!
//! *Definition.* Each bit vector is translated to the integer that it is, read as unsigned. A sum is that of the integers minus a
//! multiple of `2^width`, which is a constant where intervals show that there is but one. Exact are sums, comparisons, `if`,
//! conversions, extractions, and divisions by constants; what else there is becomes an unknown within its interval.
//!
//! What divides by `n` without remainder is taken out of a sum before it is divided by `n`, so that of `(60 * m + s) % 60` only `s` is
//! left, and no unknown quotient where intervals show that `s` is below 60.
//!
//! *Limits.* Terms of more than 64 bits, products of variables, bitwise operations, shifts by variables and floats are unknowns. So "unsatisfiable"
//! is the truth, and a model is only that of the terms if they hold under it, which is tried.

mod form;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};
use z3::{Params, SatResult, Tactic};

use self::form::{Atoms, Form};
use super::refine::{self, Refined};
use super::z3_engine::{pipeline, solver};
use super::{Answer, UnknownReason, tried};
use crate::term::{BvOp, Facts, Linear, Model, Overflow, Sort, Term, TermId, TermPool, VarId, bits};

/// Wider terms are not translated: intervals of their sums need not fit 128 bits.
const MAX_WIDTH: u16 = 64;
/// Larger questions are left to bit vectors.
const MAX_NODES: usize = 3000;
/// In front of the arithmetic, as for bit vectors; what Z3 has for the logic by name starts timers.
const PIPELINE: [&str; 3] = ["simplify", "propagate-values", "solve-eqs"];

/// The parts of Z3 that know linear arithmetic of integers. Each decides in milliseconds questions at which the other spends seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// The older one, quicker at most.
    Simplex,
    /// What Z3 takes by itself.
    Usual,
}

impl Arithmetic {
    fn tactic(self) -> Tactic {
        let arithmetic = match self {
            Arithmetic::Simplex => {
                let mut params = Params::new();
                params.set_u32("arith.solver", 2);
                Tactic::new("smt").with(&params)
            }
            Arithmetic::Usual => Tactic::new("smt"),
        };
        pipeline(&PIPELINE).and_then(&arithmetic)
    }
}

/// Whether it is worth while to ask of integers: something is divided by a constant. `below` are all terms of the question.
pub(super) fn applies(pool: &TermPool, below: &[TermId]) -> bool {
    below.len() <= MAX_NODES && below.iter().any(|t| is_division_by_constant(pool, *t))
}

/// Whether the assertions can hold. None if integers do not tell, whichever arithmetic is asked; unknown if this one does not.
///
/// `below` are all terms that the assertions mention.
pub(super) fn ask(
    pool: &TermPool,
    assertions: &[TermId],
    mut below: Vec<TermId>,
    (arithmetic, resources): (Arithmetic, u32),
) -> Option<Answer> {
    // Operands are older than what is made of them.
    below.sort_unstable();
    let ranges = match refine::refine(pool, assertions) {
        Refined::Impossible => return Some(Answer::Unsat),
        Refined::Possible(ranges) => ranges,
    };
    let mut translation = Translation {
        pool,
        ranges,
        atoms: Atoms::default(),
        made: FxHashMap::default(),
        divisions: FxHashMap::default(),
        laws: Vec::new(),
    };
    for t in &below {
        translation.add(*t);
    }
    let solver = solver(&arithmetic.tactic(), resources);
    translation.laws.iter().for_each(|law| solver.assert(law));
    assertions.iter().for_each(|assertion| solver.assert(translation.bool(*assertion)));
    match solver.check() {
        SatResult::Unsat => Some(Answer::Unsat),
        SatResult::Unknown => Some(Answer::Unknown(UnknownReason::ResourceLimit)),
        SatResult::Sat => match tried(pool, assertions, translation.model(&solver.get_model()?, &below)?) {
            Answer::Sat(model) => Some(Answer::Sat(model)),
            // What is unknown to integers may have been taken for what it is not.
            Answer::Unsat | Answer::Unknown(_) => None,
        },
    }
}

fn is_division_by_constant(pool: &TermPool, t: TermId) -> bool {
    match pool.term(t) {
        Term::Bin(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem, _, by) => {
            pool.as_const(*by).is_some_and(|by| by != 0)
        }
        _ => false,
    }
}

#[derive(Clone)]
enum Made {
    Bool(Bool),
    /// The value read as unsigned.
    Int(Form),
}

struct Translation<'p> {
    pool: &'p TermPool,
    /// What the assertions leave of terms.
    ranges: FxHashMap<TermId, Facts>,
    atoms: Atoms,
    made: FxHashMap<TermId, Made>,
    /// Quotient and remainder of the value by a number.
    divisions: FxHashMap<(TermId, u128), (Form, Form)>,
    /// What holds of the atoms.
    laws: Vec<Bool>,
}

impl Translation<'_> {
    fn bool(&self, t: TermId) -> Bool {
        match &self.made[&t] {
            Made::Bool(made) => made.clone(),
            Made::Int(_) => unreachable!("sorts of terms are checked as they are built"),
        }
    }

    fn form(&self, t: TermId) -> &Form {
        match &self.made[&t] {
            Made::Int(made) => made,
            Made::Bool(_) => unreachable!("sorts of terms are checked as they are built"),
        }
    }

    fn int(&self, form: &Form) -> Int {
        self.atoms.int(form)
    }

    fn facts(&self, t: TermId) -> Facts {
        *self.ranges.get(&t).unwrap_or(self.pool.facts(t))
    }

    /// None for a Boolean and for what is too wide.
    fn modulus(&self, t: TermId) -> Option<i128> {
        match self.pool.sort(t) {
            Sort::Bv(width) if width <= MAX_WIDTH => Some(1 << width),
            _ => None,
        }
    }

    /// One term whose operands have been translated.
    fn add(&mut self, t: TermId) {
        let made = match self.pool.sort(t) {
            Sort::Bool => Made::Bool(self.condition(t).unwrap_or_else(|| Bool::fresh_const("condition"))),
            Sort::Bv(_) => {
                let form = self.value(t);
                Made::Int(form.unwrap_or_else(|| self.unknown(t)))
            }
        };
        self.made.insert(t, made);
    }

    /// None if nothing is known of the condition.
    fn condition(&mut self, t: TermId) -> Option<Bool> {
        Some(match self.pool.term(t) {
            Term::Bool(value) => Bool::from_bool(*value),
            Term::Not(a) => self.bool(*a).not(),
            Term::And(a, b) => Bool::and(&[self.bool(*a), self.bool(*b)]),
            Term::Ite(c, a, b) => self.bool(*c).ite(&self.bool(*a), &self.bool(*b)),
            Term::Eq(a, b) if self.pool.sort(*a) == Sort::Bool => self.bool(*a).iff(self.bool(*b)),
            Term::Eq(a, b) => self.int(self.form(*a)).eq(self.int(self.form(*b))),
            Term::Ult(a, b) => self.int(self.form(*a)).lt(self.int(self.form(*b))),
            Term::Slt(a, b) => {
                let (a, b) = (self.signed(*a)?, self.signed(*b)?);
                self.int(&a).lt(self.int(&b))
            }
            Term::Overflow(op, a, b) => {
                let (op, a, b) = (*op, *a, *b);
                self.overflow(op, a, b)?
            }
            _ => return None,
        })
    }

    /// The value read as signed.
    fn signed(&mut self, t: TermId) -> Option<Form> {
        let (facts, modulus, form) = (self.facts(t), self.modulus(t)?, self.form(t).clone());
        if facts.never_negative() {
            return Some(form);
        }
        let negative = form.plus(-modulus)?;
        if facts.always_negative() {
            return Some(negative);
        }
        let value = self.int(&form);
        let signed = value.lt(form::constant(modulus / 2)).ite(&value, &self.int(&negative));
        Some(self.atoms.atom(signed, (facts.smin, facts.smax)))
    }

    /// An integer of at least `-2^(width - 1)` and below `2^width`, as the bits of `t`.
    fn unsigned(&mut self, t: TermId, form: Form) -> Option<Form> {
        let modulus = self.modulus(t)?;
        let (least, most) = self.atoms.interval(&form)?;
        let above = form.plus(modulus)?;
        if least >= 0 {
            return Some(form);
        }
        if most < 0 {
            return Some(above);
        }
        let value = self.int(&form);
        let unsigned = value.lt(form::constant(0)).ite(&self.int(&above), &value);
        Some(self.atoms.atom(unsigned, (0, modulus - 1)))
    }

    fn overflow(&mut self, op: Overflow, a: TermId, b: TermId) -> Option<Bool> {
        let modulus = self.modulus(a)?;
        let unsigned = (0, modulus - 1);
        let signed = (-(modulus / 2), modulus / 2 - 1);
        let constant_factor = || {
            let factors = [(a, b), (b, a)];
            factors.into_iter().find_map(|(factor, other)| Some((self.pool.as_const(factor)?, other)))
        };
        let (value, (least, most)) = match op {
            Overflow::AddUnsigned => (self.form(a).clone().add(1, self.form(b))?, unsigned),
            Overflow::AddSigned => (self.signed(a)?.add(1, &self.signed(b)?)?, signed),
            Overflow::SubSigned => (self.signed(a)?.add(-1, &self.signed(b)?)?, signed),
            Overflow::MulUnsigned => {
                let (factor, other) = constant_factor()?;
                (Form::zero().add(factor as i128, self.form(other))?, unsigned)
            }
            Overflow::MulSigned => {
                let (factor, other) = constant_factor()?;
                let factor = bits::to_signed(factor, self.pool.width(a));
                (Form::zero().add(factor, &self.signed(other)?)?, signed)
            }
        };
        let value = self.int(&value);
        Some(Bool::or(&[value.lt(form::constant(least)), value.gt(form::constant(most))]))
    }

    /// None if the value is an unknown.
    fn value(&mut self, t: TermId) -> Option<Form> {
        self.modulus(t)?;
        let form = match self.pool.term(t) {
            Term::Bv { bits, .. } => Form::zero().plus(*bits as i128)?,
            Term::Ite(c, a, b) => {
                let chosen = self.bool(*c).ite(&self.int(self.form(*a)), &self.int(self.form(*b)));
                let facts = self.facts(t);
                self.atoms.atom(chosen, (facts.min as i128, facts.max as i128))
            }
            Term::Zext { of, .. } => self.form(*of).clone(),
            Term::Sext { of, .. } => {
                let signed = self.signed(*of)?;
                self.unsigned(t, signed)?
            }
            Term::Sum(linear) => {
                let linear = linear.clone();
                self.sum(t, &linear)?
            }
            Term::Extract { of, hi, lo } => {
                let (of, hi, lo) = (*of, *hi, *lo);
                self.modulus(of)?;
                let (above, _) = self.divided(of, 1 << lo)?;
                self.split(&above, 1 << (hi - lo + 1))?.1
            }
            Term::Bin(op, a, by) => {
                let (op, a, by) = (*op, *a, self.pool.as_const(*by).filter(|by| *by != 0)?);
                let signed = bits::to_signed(by, self.pool.width(t));
                match op {
                    BvOp::Udiv => self.divided(a, by)?.0,
                    BvOp::Urem => self.divided(a, by)?.1,
                    BvOp::Sdiv => {
                        let quotient = self.divided_signed(a, signed)?.0;
                        self.unsigned(t, quotient)?
                    }
                    BvOp::Srem => {
                        let remainder = self.divided_signed(a, signed)?.1;
                        self.unsigned(t, remainder)?
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(match self.ranges.get(&t) {
            // What is read off the intervals that the assertions leave must hold, else the assertions would say nothing themselves.
            Some(facts) => {
                let facts = *facts;
                self.narrowed(form, (facts.min as i128, facts.max as i128))
            }
            None => form,
        })
    }

    /// The same value, known to lie within limits.
    fn narrowed(&mut self, form: Form, (least, most): (i128, i128)) -> Form {
        let value = self.int(&form);
        self.laws.extend([value.ge(form::constant(least)), value.le(form::constant(most))]);
        match self.atoms.interval(&form) {
            Some((a, b)) if a >= least && b <= most => form,
            _ => self.atoms.atom(value, (least, most)),
        }
    }

    /// A value of which no more is known than its interval.
    fn unknown(&mut self, t: TermId) -> Form {
        let value = match self.pool.term(t) {
            Term::Var(var) => Int::new_const(format!("integer {var}")),
            _ => Int::fresh_const("value"),
        };
        let facts = self.facts(t);
        self.laws.extend([value.ge(Int::from_u128(facts.min)), value.le(Int::from_u128(facts.max))]);
        // The limits of wider values are not looked at: nothing is computed with these.
        let end = |bits: u128| i128::try_from(bits).unwrap_or(i128::MAX);
        self.atoms.atom(value, (end(facts.min), end(facts.max)))
    }

    /// The sum of the integers without the multiple of `2^width` that does not fit.
    fn sum(&mut self, t: TermId, linear: &Linear) -> Option<Form> {
        let width = linear.width;
        let mut sum = Form::zero().plus(bits::to_signed(linear.constant, width))?;
        for (term, coefficient) in &linear.monomials {
            sum = sum.add(bits::to_signed(*coefficient, width), self.form(*term))?;
        }
        let modulus = self.modulus(t)?;
        Some(self.split(&sum, modulus)?.1)
    }

    /// Quotient and remainder of the unsigned value.
    fn divided(&mut self, of: TermId, by: u128) -> Option<(Form, Form)> {
        if let Some(known) = self.divisions.get(&(of, by)) {
            return Some(known.clone());
        }
        let form = self.form(of).clone();
        let made = self.split(&form, i128::try_from(by).ok()?)?;
        self.divisions.insert((of, by), made.clone());
        Some(made)
    }

    /// Quotient, rounded down, and remainder by a positive number. What it divides is taken out of the sum before.
    fn split(&mut self, value: &Form, by: i128) -> Option<(Form, Form)> {
        let (mut quotient, mut rest) = value.split(by);
        let (least, most) = self.atoms.interval(&rest)?;
        let (first, last) = (least.div_euclid(by), most.div_euclid(by));
        if first == last {
            return Some((quotient.plus(first)?, rest.plus(first.checked_mul(by)?.checked_neg()?)?));
        }
        let times = Int::fresh_const("quotient");
        self.laws.extend([times.ge(form::constant(first)), times.le(form::constant(last))]);
        let times = self.atoms.atom(times, (first, last));
        quotient = quotient.add(1, &times)?;
        rest = rest.add(-by, &times)?;
        let remainder = self.int(&rest);
        self.laws.extend([remainder.ge(form::constant(0)), remainder.lt(form::constant(by))]);
        // The interval of the difference is wider than that of the remainder.
        let remainder = self.atoms.atom(remainder, (0, by - 1));
        Some((quotient, remainder))
    }

    /// Quotient and remainder of the signed value, rounded towards zero.
    fn divided_signed(&mut self, of: TermId, by: i128) -> Option<(Form, Form)> {
        if by > 0 && self.facts(of).never_negative() {
            return self.divided(of, by as u128);
        }
        let signed = self.signed(of)?;
        let (least, most) = self.atoms.interval(&signed)?;
        let size = by.abs();
        let farthest = least.abs().max(most.abs()) / size;
        let quotient = Int::fresh_const("quotient");
        self.laws.extend([quotient.ge(form::constant(-farthest)), quotient.le(form::constant(farthest))]);
        let quotient = self.atoms.atom(quotient, (-farthest, farthest));
        let rest = signed.clone().add(-by, &quotient)?;
        let (value, remainder) = (self.int(&signed), self.int(&rest));
        let between = |least: i128, most: i128| {
            Bool::and(&[remainder.ge(form::constant(least)), remainder.le(form::constant(most))])
        };
        self.laws.push(value.lt(form::constant(0)).ite(&between(1 - size, 0), &between(0, size - 1)));
        let remainder = self.atoms.atom(remainder, (1 - size, size - 1));
        Some((quotient, remainder))
    }

    /// What the variables are in a model of the integers.
    fn model(&self, found: &z3::Model, below: &[TermId]) -> Option<Model> {
        let vars = below.iter().filter_map(|t| Some((self.pool.var_of(*t)?, *t)));
        vars.map(|(var, t): (VarId, TermId)| {
            let value = match &self.made[&t] {
                Made::Bool(made) => u128::from(found.eval(made, true)?.as_bool()?),
                Made::Int(made) => found.eval(&self.int(made), true)?.as_u128()?,
            };
            Some((var, value))
        })
        .collect()
    }
}
