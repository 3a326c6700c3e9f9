//! Arithmetic on words of literals: adders, multipliers, dividers, shifters and comparisons as circuits of [`Gates`].
//!
//! A word is a list of literals, the lowest bit first. Everything is the plain circuit of textbooks: adders carry from bit to bit, products add one row for
//! each bit of the second factor, shifters have a stage for each bit of the amount. A division is no circuit but a condition: quotient and remainder are words
//! of which nothing is known but that `quotient * divisor + remainder` is the dividend, without overflow, and the remainder less than the divisor.
//!
//! *Limits.* Where two products are the same for a reason of algebra, a SAT solver does not find that reason beyond some ten bits.

use batsat::Lit;

use super::gates::Gates;
use crate::term::{BvOp, Overflow};

/// The lowest bit first.
pub(super) type Word = Vec<Lit>;

/// What fills a shifter.
#[derive(Clone, Copy)]
enum Direction {
    Left,
    Right,
}

impl Gates {
    pub fn number(&self, bits: u128, width: u16) -> Word {
        (0..width).map(|place| self.constant(bits >> place & 1 == 1)).collect()
    }

    pub fn fresh_word(&mut self, width: u16) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    /// Holds that they are equal, whenever the condition does not fail: `unless` are its negated parts.
    pub fn bind(&mut self, a: &[Lit], b: &[Lit], unless: &[Lit]) {
        for (a, b) in a.iter().zip(b) {
            for (one, other) in [(!*a, *b), (*a, !*b)] {
                let mut clause = unless.to_vec();
                clause.extend([one, other]);
                self.clause(&clause);
            }
        }
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| !self.xor(*a, *b)).collect();
        self.all(&same)
    }

    pub fn less_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let no = self.constant(false);
        a.iter().zip(b).fold(no, |less, (a, b)| self.majority(!*a, *b, less))
    }

    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flipped = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less_unsigned(&flipped(a), &flipped(b))
    }

    pub fn select_word(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        then.iter().zip(otherwise).map(|(a, b)| self.select(condition, *a, *b)).collect()
    }

    /// The sum of both and the carry, and what is carried out of it.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Word::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            sum.push(self.xor3(*a, *b, carry));
            carry = self.majority(*a, *b, carry);
        }
        (sum, carry)
    }

    pub fn negate(&mut self, a: &[Lit]) -> Word {
        let (zero, one) = (vec![self.constant(false); a.len()], self.constant(true));
        self.add(&zero, &complement(a), one).0
    }

    /// All of them together with a constant, modulo the width.
    pub fn sum(&mut self, mut parts: Vec<Word>, constant: u128, width: u16) -> Word {
        // A constant that is no larger than the number of adders is carried into these.
        let mut carried = 0;
        if constant < parts.len() as u128 {
            carried = constant;
        } else {
            parts.push(self.number(constant, width));
        }
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_else(|| self.number(0, width));
        for part in parts {
            let carry = self.constant(carried > 0);
            carried = carried.saturating_sub(1);
            sum = self.add(&sum, &part, carry).0;
        }
        sum
    }

    /// The word times a constant, as parts and a constant that are to be added: digits that are not zero in the form that has fewest of them.
    pub fn scaled(&self, word: &[Lit], coefficient: u128, parts: &mut Vec<Word>, constant: &mut u128) {
        let width = word.len() as u32;
        let mut rest = coefficient;
        let mut place = 0;
        while rest != 0 && place < width {
            if rest & 1 == 1 {
                let row = self.shifted(word, place);
                if rest & 3 == 3 {
                    // -x is !x + 1.
                    parts.push(complement(&row));
                    *constant = constant.wrapping_add(1);
                    rest = rest.wrapping_add(1);
                } else {
                    parts.push(row);
                    rest -= 1;
                }
            }
            rest >>= 1;
            place += 1;
        }
    }

    /// Shifted left by a constant.
    fn shifted(&self, word: &[Lit], places: u32) -> Word {
        let mut shifted = vec![self.constant(false); places as usize];
        shifted.extend_from_slice(word);
        shifted.truncate(word.len());
        shifted
    }

    /// The product modulo the width.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let no = self.constant(false);
        let mut sum = vec![no; a.len()];
        for (place, bit) in b.iter().enumerate() {
            if self.known(*bit) == Some(false) {
                continue;
            }
            let row: Word = a[..a.len() - place].iter().map(|a| self.and(*a, *bit)).collect();
            let (upper, _) = self.add(&sum[place..], &row, no);
            sum.truncate(place);
            sum.extend(upper);
        }
        sum
    }

    /// The product, which is held to fit the width.
    fn multiply_exactly(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let no = self.constant(false);
        let width = a.len();
        let mut sum = vec![no; width];
        // Any bit of `a` at this place or above.
        let mut above = vec![no; width + 1];
        for place in (0..width).rev() {
            above[place] = self.or(above[place + 1], a[place]);
        }
        for (place, bit) in b.iter().enumerate() {
            if self.known(*bit) == Some(false) {
                continue;
            }
            self.clause(&[!*bit, !above[width - place]]);
            let row: Word = a[..width - place].iter().map(|a| self.and(*a, *bit)).collect();
            let (upper, carry) = self.add(&sum[place..], &row, no);
            self.clause(&[!carry]);
            sum.truncate(place);
            sum.extend(upper);
        }
        sum
    }

    /// Quotient and remainder, as SMT-LIB has it: by zero they are all ones and the dividend.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len() as u16;
        let (quotient, remainder) = (self.fresh_word(width), self.fresh_word(width));
        let no = self.constant(false);
        // By zero the product is zero, so that the remainder is the dividend.
        let product = self.multiply_exactly(&quotient, b);
        let (sum, carry) = self.add(&product, &remainder, no);
        self.clause(&[!carry]);
        self.bind(&sum, a, &[]);
        let is_some = self.any(b);
        let less = self.less_unsigned(&remainder, b);
        self.clause(&[!is_some, less]);
        for bit in &quotient {
            self.clause(&[is_some, *bit]);
        }
        (quotient, remainder)
    }

    /// The word or its negation.
    pub fn negate_if(&mut self, condition: Lit, word: &[Lit]) -> Word {
        let negated = self.negate(word);
        self.select_word(condition, &negated, word)
    }

    /// A shift by an amount that is a word.
    pub fn shift(&mut self, op: BvOp, a: &[Lit], amount: &[Lit]) -> Word {
        let no = self.constant(false);
        let (direction, fill) = match op {
            BvOp::Shl => (Direction::Left, no),
            BvOp::Ashr => (Direction::Right, a.last().copied().unwrap_or(no)),
            _ => (Direction::Right, no),
        };
        let width = a.len();
        let mut word = a.to_vec();
        let mut place = 0;
        while place < amount.len() && 1 << place < width {
            let step = 1 << place;
            let moved: Word = (0..width)
                .map(|index| {
                    let from = match direction {
                        Direction::Left => index.checked_sub(step),
                        Direction::Right => Some(index + step),
                    };
                    from.and_then(|from| word.get(from).copied()).unwrap_or(fill)
                })
                .collect();
            word = self.select_word(amount[place], &moved, &word);
            place += 1;
        }
        // Amounts with a higher bit are beyond the width.
        let beyond = self.any(&amount[place..]);
        self.select_word(beyond, &vec![fill; width], &word)
    }

    /// Whether the operation does not fit.
    pub fn overflow(&mut self, op: Overflow, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let (no, yes) = (self.constant(false), self.constant(true));
        match op {
            Overflow::AddUnsigned => self.add(a, b, no).1,
            Overflow::MulUnsigned => {
                let product = self.multiply(&extended(a, no), &extended(b, no));
                let lost = self.product_reaches(a, b, width);
                self.or(product[width], lost)
            }
            Overflow::AddSigned | Overflow::SubSigned | Overflow::MulSigned => {
                let (a_sign, b_sign) = (sign(a, no), sign(b, no));
                let (wide_a, wide_b) = (extended(a, a_sign), extended(b, b_sign));
                let wide = match op {
                    Overflow::AddSigned => self.add(&wide_a, &wide_b, no).0,
                    Overflow::SubSigned => self.add(&wide_a, &complement(&wide_b), yes).0,
                    _ => self.multiply(&wide_a, &wide_b),
                };
                // The result fits if its sign is the one that the lower bits would have.
                let last = self.xor(wide[width], wide[width - 1]);
                if op != Overflow::MulSigned {
                    return last;
                }
                // |x| or |x| - 1: what two such values reach together, the true product reaches as well.
                let a: Word = a.iter().map(|bit| self.xor(*bit, a_sign)).collect();
                let b: Word = b.iter().map(|bit| self.xor(*bit, b_sign)).collect();
                let lost = self.product_reaches(&a, &b, width - 1);
                self.or(last, lost)
            }
        }
    }

    /// Whether some places `i` of `a` and `j` of `b` with `i + j >= limit` are both set, so that the product reaches `2^limit`.
    fn product_reaches(&mut self, a: &[Lit], b: &[Lit], limit: usize) -> Lit {
        let no = self.constant(false);
        let width = a.len();
        // Any bit of `b` at this place or above.
        let mut above = vec![no; width + 1];
        for place in (0..width).rev() {
            above[place] = self.or(above[place + 1], b[place]);
        }
        let mut reached = Vec::new();
        for (place, bit) in a.iter().enumerate() {
            let least = limit.saturating_sub(place).min(width);
            reached.push(self.and(*bit, above[least]));
        }
        self.any(&reached)
    }
}

pub(super) fn complement(word: &[Lit]) -> Word {
    word.iter().map(|bit| !*bit).collect()
}

/// With one bit more.
fn extended(word: &[Lit], bit: Lit) -> Word {
    let mut word = word.to_vec();
    word.push(bit);
    word
}

/// The highest bit.
pub(super) fn sign(word: &[Lit], of_none: Lit) -> Lit {
    word.last().copied().unwrap_or(of_none)
}
