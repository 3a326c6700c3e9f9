//! Integers as sums of multiples of atoms.

use std::collections::BTreeMap;

use z3::ast::Int;

use crate::define_ids;
use crate::idx::IdxVec;

define_ids! {
    /// An integer that is not taken apart.
    AtomId = "a";
}

/// The atoms of one question, each with the limits within which it lies in every model.
#[derive(Default)]
pub(super) struct Atoms(IdxVec<AtomId, (Int, (i128, i128))>);

/// `constant + Σ coefficient * atom`; no coefficient is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    parts: BTreeMap<AtomId, i128>,
    constant: i128,
}

impl Atoms {
    /// A new atom; that it lies within the limits is for the caller to see to.
    pub fn atom(&mut self, value: Int, limits: (i128, i128)) -> Form {
        let atom = self.0.push((value, limits));
        Form { parts: BTreeMap::from([(atom, 1)]), constant: 0 }
    }

    /// The least and the greatest value that the limits of the atoms allow. None beyond 128 bits.
    pub fn interval(&self, form: &Form) -> Option<(i128, i128)> {
        let mut interval = (form.constant, form.constant);
        for (atom, coefficient) in &form.parts {
            let (least, most) = self.0[*atom].1;
            let ends = (coefficient.checked_mul(least)?, coefficient.checked_mul(most)?);
            interval =
                (interval.0.checked_add(ends.0.min(ends.1))?, interval.1.checked_add(ends.0.max(ends.1))?);
        }
        Some(interval)
    }

    pub fn int(&self, form: &Form) -> Int {
        let parts = form.parts.iter().map(|(atom, coefficient)| match coefficient {
            1 => self.0[*atom].0.clone(),
            _ => &self.0[*atom].0 * constant(*coefficient),
        });
        let number = (form.constant != 0 || form.parts.is_empty()).then(|| constant(form.constant));
        parts.chain(number).reduce(|a, b| a + b).expect("a constant, if there is no atom")
    }
}

/// Arithmetic is exact; None is a number of more than 128 bits.
impl Form {
    pub fn zero() -> Form {
        Form { parts: BTreeMap::new(), constant: 0 }
    }

    pub fn plus(&self, number: i128) -> Option<Form> {
        Some(Form { constant: self.constant.checked_add(number)?, ..self.clone() })
    }

    /// `self + factor * other`
    pub fn add(mut self, factor: i128, other: &Form) -> Option<Form> {
        self.constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        for (atom, coefficient) in &other.parts {
            let sum = self.parts.entry(*atom).or_insert(0);
            *sum = sum.checked_add(factor.checked_mul(*coefficient)?)?;
        }
        self.parts.retain(|_, coefficient| *coefficient != 0);
        Some(self)
    }

    /// A quotient and what is left, which need not lie between 0 and `by`: `self = by * quotient + rest`, with the least coefficients
    /// of atoms that leave the quotient whole.
    pub fn split(&self, by: i128) -> (Form, Form) {
        let (mut quotient, mut rest) = (Form::zero(), Form::zero());
        for (atom, coefficient) in &self.parts {
            let (mut times, mut left) = (coefficient.div_euclid(by), coefficient.rem_euclid(by));
            if left > by / 2 {
                (times, left) = (times + 1, left - by);
            }
            for (form, coefficient) in [(&mut quotient, times), (&mut rest, left)] {
                if coefficient != 0 {
                    form.parts.insert(*atom, coefficient);
                }
            }
        }
        (quotient.constant, rest.constant) = (self.constant.div_euclid(by), self.constant.rem_euclid(by));
        (quotient, rest)
    }
}

pub(super) fn constant(value: i128) -> Int {
    match i64::try_from(value) {
        Ok(value) => Int::from_i64(value),
        Err(_) => Int::from_i128(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::Idx;

    #[test]
    fn quotient_and_rest_make_the_whole() {
        for coefficient in -20..=20i128 {
            for by in 1..=12i128 {
                let mut whole = Form { parts: BTreeMap::new(), constant: coefficient };
                if coefficient != 0 {
                    whole.parts.insert(AtomId::from_usize(0), coefficient);
                }
                let (quotient, rest) = whole.split(by);
                assert!(
                    rest.parts.values().all(|left| 2 * left.abs() <= by),
                    "{coefficient} / {by}: {rest:?}"
                );
                assert!((0..by).contains(&rest.constant), "{coefficient} / {by}: {rest:?}");
                assert_eq!(rest.add(by, &quotient), Some(whole), "{coefficient} / {by}");
            }
        }
    }
}
