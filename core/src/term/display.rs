//! Terms as infix text, for reports and debugging.
//!
//! A DAG can be exponentially larger as text than as nodes: below a certain depth, and after a certain number of
//! nodes, `…` is printed instead.

use std::cell::Cell;
use std::fmt;

use super::{BvOp, Overflow, Term, TermId, TermPool, bits};

const MAX_DEPTH: usize = 40;
const MAX_NODES: usize = 2000;

/// See [`TermPool::display`].
pub struct Displayed<'a> {
    pool: &'a TermPool,
    term: TermId,
}

impl TermPool {
    /// `t` as infix text; long terms are cut.
    pub fn display(&self, t: TermId) -> Displayed<'_> {
        Displayed { pool: self, term: t }
    }
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer { pool: self.pool, left: Cell::new(MAX_NODES) };
        printer.print(f, self.term, MAX_DEPTH, Place::Alone)
    }
}

/// Where a term stands; an operand gets parentheses around an operator.
#[derive(Clone, Copy)]
enum Place {
    Alone,
    Operand,
}

struct Printer<'a> {
    pool: &'a TermPool,
    left: Cell<usize>,
}

impl Printer<'_> {
    fn print(&self, f: &mut fmt::Formatter<'_>, t: TermId, depth: usize, place: Place) -> fmt::Result {
        if depth == 0 || self.left.get() == 0 {
            return f.write_str("…");
        }
        self.left.set(self.left.get() - 1);
        let depth = depth - 1;
        let call = |f: &mut fmt::Formatter<'_>, name: &str, operands: &[TermId]| {
            write!(f, "{name}(")?;
            for (index, operand) in operands.iter().enumerate() {
                if index > 0 {
                    f.write_str(", ")?;
                }
                self.print(f, *operand, depth, Place::Alone)?;
            }
            f.write_str(")")
        };
        let infix = |f: &mut fmt::Formatter<'_>, a: TermId, symbol: &str, b: TermId| {
            parenthesized(f, place, |f| {
                self.print(f, a, depth, Place::Operand)?;
                write!(f, " {symbol} ")?;
                self.print(f, b, depth, Place::Operand)
            })
        };
        match self.pool.term(t) {
            Term::Bool(value) => write!(f, "{value}"),
            Term::Bv { bits, width } => print_number(f, *bits, *width),
            Term::Var(var) => f.write_str(&self.pool.var_info(*var).name),
            Term::Not(inner) => match self.pool.term(*inner) {
                Term::Eq(a, b) => infix(f, *a, "!=", *b),
                Term::Ult(a, b) => infix(f, *a, ">=", *b),
                Term::Slt(a, b) => infix(f, *a, ">=s", *b),
                Term::And(a, b) => parenthesized(f, place, |f| {
                    self.print_negated(f, *a, depth)?;
                    f.write_str(" || ")?;
                    self.print_negated(f, *b, depth)
                }),
                _ => {
                    f.write_str("!")?;
                    self.print(f, *inner, depth, Place::Operand)
                }
            },
            Term::And(a, b) => infix(f, *a, "&&", *b),
            Term::Eq(a, b) => infix(f, *a, "==", *b),
            Term::Ult(a, b) => infix(f, *a, "<", *b),
            Term::Slt(a, b) => infix(f, *a, "<s", *b),
            Term::Ite(c, a, b) => call(f, "ite", &[*c, *a, *b]),
            Term::Overflow(op, a, b) => {
                let name = match op {
                    Overflow::AddUnsigned => "add_overflows",
                    Overflow::AddSigned => "sadd_overflows",
                    Overflow::SubSigned => "ssub_overflows",
                    Overflow::MulUnsigned => "mul_overflows",
                    Overflow::MulSigned => "smul_overflows",
                };
                call(f, name, &[*a, *b])
            }
            Term::Sum(linear) => parenthesized(f, place, |f| {
                let half = bits::mask(linear.width) / 2;
                for (index, (term, coefficient)) in linear.monomials.iter().enumerate() {
                    let minus = *coefficient > half && linear.width > 1;
                    let size = if minus { bits::mask(linear.width) - coefficient + 1 } else { *coefficient };
                    f.write_str(match (index, minus) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    })?;
                    if size != 1 {
                        write!(f, "{size} * ")?;
                    }
                    self.print(f, *term, depth, Place::Operand)?;
                }
                if linear.constant > half && linear.width > 1 {
                    write!(f, " - {}", bits::mask(linear.width) - linear.constant + 1)
                } else if linear.constant != 0 {
                    write!(f, " + {}", linear.constant)
                } else {
                    Ok(())
                }
            }),
            Term::Product(factors) => parenthesized(f, place, |f| {
                for (index, factor) in factors.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" * ")?;
                    }
                    self.print(f, *factor, depth, Place::Operand)?;
                }
                Ok(())
            }),
            Term::Bin(op, a, b) => {
                let symbol = match op {
                    BvOp::Udiv => "/",
                    BvOp::Sdiv => "/s",
                    BvOp::Urem => "%",
                    BvOp::Srem => "%s",
                    BvOp::And => "&",
                    BvOp::Or => "|",
                    BvOp::Xor => "^",
                    BvOp::Shl => "<<",
                    BvOp::Lshr => ">>",
                    BvOp::Ashr => ">>s",
                };
                infix(f, *a, symbol, *b)
            }
            Term::Extract { of, hi, lo } => {
                self.print(f, *of, depth, Place::Operand)?;
                if hi == lo { write!(f, "[{hi}]") } else { write!(f, "[{hi}:{lo}]") }
            }
            Term::Float(op, ty, args) => call(f, &format!("{}.{}", op.name(), ty.bits()), args),
            Term::Zext { of, width } => call(f, &format!("u{width}"), &[*of]),
            Term::Sext { of, width } => call(f, &format!("i{width}"), &[*of]),
        }
    }

    fn print_negated(&self, f: &mut fmt::Formatter<'_>, t: TermId, depth: usize) -> fmt::Result {
        let symbol_of = |t| match *self.pool.term(t) {
            Term::Eq(a, b) => Some((a, "!=", b)),
            Term::Ult(a, b) => Some((a, ">=", b)),
            Term::Slt(a, b) => Some((a, ">=s", b)),
            _ => None,
        };
        if let Term::Not(inner) = *self.pool.term(t) {
            return self.print(f, inner, depth, Place::Operand);
        }
        match symbol_of(t) {
            Some((a, symbol, b)) => {
                f.write_str("(")?;
                self.print(f, a, depth, Place::Operand)?;
                write!(f, " {symbol} ")?;
                self.print(f, b, depth, Place::Operand)?;
                f.write_str(")")
            }
            None => {
                f.write_str("!")?;
                self.print(f, t, depth, Place::Operand)
            }
        }
    }
}

fn parenthesized(
    f: &mut fmt::Formatter<'_>,
    place: Place,
    inner: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    match place {
        Place::Alone => inner(f),
        Place::Operand => {
            f.write_str("(")?;
            inner(f)?;
            f.write_str(")")
        }
    }
}

/// Numbers near the top of their range are shown as negative ones; large ones in hexadecimal.
fn print_number(f: &mut fmt::Formatter<'_>, number: u128, width: u16) -> fmt::Result {
    let below_zero = bits::mask(width) - number;
    match number {
        _ if width >= 8 && below_zero < 128 => write!(f, "-{}", below_zero + 1),
        0..=0xffff_ffff => write!(f, "{number}"),
        _ => write!(f, "{number:#x}"),
    }
}
