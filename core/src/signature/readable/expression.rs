//! Terms as Rust expressions.
//!
//! Terms are normal forms, and people write otherwise: `x > y` is a `y < x`, a range check is one comparison of a
//! difference, a sign test may be an unsigned comparison. What is recognised is turned back.

use std::cell::Cell;

use super::Printer;
use super::names::{Kind, Named};
use super::text::{Binds, Text, compare, is_variant, place};
use crate::ir::{IntTy, Signedness};
use crate::term::{BvOp, Linear, Overflow, Term, TermId, bits};

/// The type in which a sum or product is printed wherever it stands; none if its parts are cast to whatever type its place needs.
pub(super) fn own_type(printer: &Printer<'_>, t: TermId) -> Option<IntTy> {
    Expressions::new(printer).own_type(t)
}

pub(super) fn condition(printer: &Printer<'_>, condition: TermId) -> String {
    Expressions::new(printer).truth(condition, Sense::Positive).text
}

/// A term of this integer type.
pub(super) fn integer(printer: &Printer<'_>, t: TermId, ty: IntTy) -> String {
    Expressions::new(printer).number(t, ty).text
}

/// A term of type `char`.
pub(super) fn character(printer: &Printer<'_>, t: TermId) -> String {
    let expressions = Expressions::new(printer);
    if let Some(character) = expressions.character(t) {
        return character.text;
    }
    match printer.pool.term(t) {
        // No other number may be cast to one.
        Term::Zext { of, .. } if printer.pool.width(*of) == 8 => {
            expressions.number(*of, IntTy::U8).cast_to("char").text
        }
        _ => expressions.number(t, IntTy::U32).text,
    }
}

/// A term whose type does not matter.
pub(super) fn bits_of(printer: &Printer<'_>, t: TermId) -> String {
    let expressions = Expressions::new(printer);
    expressions.number(t, expressions.any_type(t)).text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Positive,
    Negated,
}

impl Sense {
    fn flipped(self) -> Sense {
        match self {
            Sense::Positive => Sense::Negated,
            Sense::Negated => Sense::Positive,
        }
    }

    fn choose<T>(self, positive: T, negated: T) -> T {
        match self {
            Sense::Positive => positive,
            Sense::Negated => negated,
        }
    }
}

struct Expressions<'a> {
    printer: &'a Printer<'a>,
    left: Cell<usize>,
}

impl<'a> Expressions<'a> {
    fn new(printer: &'a Printer<'a>) -> Self {
        Expressions { printer, left: Cell::new(super::MAX_NODES) }
    }

    fn term(&self, t: TermId) -> &'a Term {
        self.printer.pool.term(t)
    }

    fn is_cut(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0
    }

    fn named(&self, t: TermId) -> Option<Named> {
        self.printer.pool.var_of(t).map(|var| self.printer.names.of(var))
    }

    /// A Boolean term or its negation.
    fn truth(&self, t: TermId, sense: Sense) -> Text {
        if self.is_cut() {
            return Text::atom("…");
        }
        match *self.term(t) {
            Term::Bool(value) => Text::atom((value == (sense == Sense::Positive)).to_string()),
            Term::Not(inner) => self.truth(inner, sense.flipped()),
            Term::And(a, b) => {
                let (binds, symbol) = sense.choose((Binds::And, "&&"), (Binds::Or, "||"));
                let (a, b) = (self.truth(a, sense).within(binds), self.truth(b, sense).within(binds));
                Text::new(format!("{a} {symbol} {b}"), binds)
            }
            Term::Eq(a, b) => self.equality(a, b, sense),
            Term::Ult(a, b) => self.order(a, b, Signedness::Unsigned, sense),
            Term::Slt(a, b) => self.order(a, b, Signedness::Signed, sense),
            Term::Overflow(op, a, b) => self.overflow(op, a, b, sense),
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(c, Sense::Positive), self.truth(a, sense), self.truth(b, sense));
                Text::new(format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text), Binds::Or)
            }
            _ => {
                let text = match self.named(t) {
                    Some(named) => named.text,
                    None => self.other(t),
                };
                match sense {
                    Sense::Positive => Text::atom(text),
                    Sense::Negated => Text::new(format!("!{text}"), Binds::Unary),
                }
            }
        }
    }

    fn equality(&self, a: TermId, b: TermId, sense: Sense) -> Text {
        let pool = self.printer.pool;
        let (a, b) = if pool.as_const(a).is_some() { (b, a) } else { (a, b) };
        if let (Some(Named { text, kind: Kind::Variant(patterns) }), Some(tag)) =
            (self.named(a), pool.as_const(b))
        {
            return variant(&text, &patterns, tag, sense);
        }
        let symbol = sense.choose("==", "!=");
        if pool.sort(a) == crate::term::Sort::Bool {
            let (a, b) = (self.truth(a, Sense::Positive), self.truth(b, Sense::Positive));
            return compare(a, symbol, b);
        }
        // One bit of a number.
        if let (Term::Extract { of, hi, lo }, Some(bit)) = (self.term(a), pool.as_const(b))
            && hi == lo
        {
            let ty = self.any_type(*of);
            let is_sign = u32::from(*lo) + 1 == ty.bits() && ty.signedness() == Signedness::Signed;
            let ty = if is_sign { int_type(ty.bits() as u16, Signedness::Unsigned) } else { ty };
            let of_number = self.number(*of, ty).within(Binds::BitAnd);
            let is_set = (bit == 1) == (sense == Sense::Positive);
            let mask = format!("{:#x}", 1u128 << lo);
            let symbol = if is_set { "!=" } else { "==" };
            return Text::new(format!("{of_number} & {mask} {symbol} 0"), Binds::Compare);
        }
        let (a, b) = self.oriented(a, b).0;
        self.compared(a, symbol, b, None)
    }

    /// `a < b`.
    fn order(&self, a: TermId, b: TermId, sign: Signedness, sense: Sense) -> Text {
        if let Some(text) = self.range(a, b, sign, sense) {
            return text;
        }
        let ((left, right), swapped) = self.oriented(a, b);
        let symbol = match (swapped, sense) {
            (Swapped::No, Sense::Positive) => "<",
            (Swapped::No, Sense::Negated) => ">=",
            (Swapped::Yes, Sense::Positive) => ">",
            (Swapped::Yes, Sense::Negated) => "<=",
        };
        if let Some(bound) = self.printer.pool.as_const(right) {
            return self.bounded(left, symbol, right, bound, sign);
        }
        self.compared(left, symbol, right, Some(sign))
    }

    /// Both in one type: that of either, if it has the sign that is asked for.
    fn compared(&self, left: TermId, symbol: &str, right: TermId, sign: Option<Signedness>) -> Text {
        let character = |t| self.character(t).or_else(|| self.character_literal(t));
        if let (true, Some(a), Some(b)) = (
            self.character(left).is_some() || self.character(right).is_some(),
            character(left),
            character(right),
        ) {
            return compare(a, symbol, b);
        }
        let ty = self.common_type(left, right, sign);
        let literal = |t, beside| match self.term(t) {
            Term::Bv { bits, .. } => self.literal(*bits, ty, self.literal_kind(beside)),
            _ => self.number(t, ty),
        };
        compare(literal(left, right), symbol, literal(right, left))
    }

    fn common_type(&self, a: TermId, b: TermId, sign: Option<Signedness>) -> IntTy {
        let fits = |ty: &IntTy| sign.is_none_or(|sign| ty.signedness() == sign);
        let own = self.own_type(a).filter(fits).or_else(|| self.own_type(b).filter(fits));
        own.unwrap_or_else(|| int_type(self.printer.pool.width(a), sign.unwrap_or(Signedness::Unsigned)))
    }

    /// A comparison with a constant, of the two ways to write it the one with the rounder number.
    fn bounded(&self, left: TermId, symbol: &str, right: TermId, bound: u128, sign: Signedness) -> Text {
        let width = self.printer.pool.width(right);
        let value = match sign {
            Signedness::Signed => bits::to_signed(bound, width),
            Signedness::Unsigned => bound as i128,
        };
        let kind = self.literal_kind(left);
        let value = match (kind, symbol) {
            (Literal::Char, "<" | ">=") => character_at(value, Towards::After),
            (Literal::Char, _) => character_at(value, Towards::Before),
            (Literal::Number | Literal::Byte, _) => value,
        };
        let (other_symbol, other) = match symbol {
            "<" => ("<=", value.wrapping_sub(1)),
            ">=" => (">", value.wrapping_sub(1)),
            ">" => (">=", value.wrapping_add(1)),
            _ => ("<", value.wrapping_add(1)),
        };
        let ty = self.common_type(left, right, Some(sign));
        let left_text = self.character(left).unwrap_or_else(|| self.number(left, ty));
        let is_word = |number: i128| u8::try_from(number).is_ok_and(|byte| byte.is_ascii_alphanumeric());
        let is_rounder = match kind {
            Literal::Number => other % 5 == 0 && value % 5 != 0,
            Literal::Char | Literal::Byte => is_word(other) && !is_word(value),
        };
        let (symbol, value) = if is_rounder { (other_symbol, other) } else { (symbol, value) };
        compare(left_text, symbol, self.literal(value as u128 & bits::mask(width), ty, kind))
    }

    /// `x - low < length`, which says that `x` lies between two numbers.
    fn range(&self, a: TermId, b: TermId, sign: Signedness, sense: Sense) -> Option<Text> {
        let pool = self.printer.pool;
        let (length, width) = (pool.as_const(b)?, pool.width(a));
        if sign == Signedness::Signed || length == 0 {
            return None;
        }
        let (x, low) = match self.term(a) {
            Term::Sum(linear) => match linear.monomials.as_slice() {
                [(x, 1)] => (*x, linear.constant.wrapping_neg() & bits::mask(width)),
                _ => return None,
            },
            _ => (a, 0),
        };
        let ty = self.any_type(x);
        let sign = ty.signedness();
        let high = low.wrapping_add(length - 1) & bits::mask(width);
        let read = |bits: u128| match sign {
            Signedness::Signed => bits::to_signed(bits, width),
            Signedness::Unsigned => bits as i128,
        };
        if low == 0 && sign == Signedness::Unsigned || !is_int_width(width) {
            return None;
        }
        let (low, high, sense) = if read(low) <= read(high) {
            (low, high, sense)
        } else {
            let after = high.wrapping_add(1) & bits::mask(width);
            let before = low.wrapping_sub(1) & bits::mask(width);
            (after, before, sense.flipped())
        };
        // One end of the range may be the end of the type.
        let (least, greatest) = match sign {
            Signedness::Signed => (bits::signed_min(width), bits::signed_max(width)),
            Signedness::Unsigned => (0, bits::mask(width) as i128),
        };
        let text = self.character(x).unwrap_or_else(|| self.number(x, ty));
        let kind = self.literal_kind(x);
        let (low, high) = match kind {
            Literal::Char => {
                let end = |bits: u128, towards| character_at(read(bits), towards) as u128;
                (end(low, Towards::After), end(high, Towards::Before))
            }
            Literal::Number | Literal::Byte => (low, high),
        };
        let constant = |bits: u128| self.literal(bits, ty, kind);
        if read(low) == least {
            return Some(compare(text, sense.choose("<=", ">"), constant(high)));
        }
        if read(high) == greatest {
            return Some(compare(text, sense.choose(">=", "<"), constant(low)));
        }
        let not = sense.choose("", "!");
        let contains = format!(
            "{not}({}..={}).contains(&{})",
            constant(low).text,
            constant(high).text,
            text.within(Binds::Unary)
        );
        Some(Text::new(contains, sense.choose(Binds::Atom, Binds::Unary)))
    }

    fn overflow(&self, op: Overflow, a: TermId, b: TermId, sense: Sense) -> Text {
        let (method, sign) = match op {
            Overflow::AddUnsigned => ("checked_add", Signedness::Unsigned),
            Overflow::AddSigned => ("checked_add", Signedness::Signed),
            Overflow::SubSigned => ("checked_sub", Signedness::Signed),
            Overflow::MulUnsigned => ("checked_mul", Signedness::Unsigned),
            Overflow::MulSigned => ("checked_mul", Signedness::Signed),
        };
        let ty = self.common_type(a, b, Some(sign));
        let a = match self.term(a) {
            // The type of a number alone is not known where a method of it is called.
            Term::Bv { .. } => self.number(a, ty).cast_to(ty.name()),
            _ => self.number(a, ty),
        };
        let (a, b) = (a.within(Binds::Atom), self.number(b, ty));
        Text::atom(format!("{a}.{method}({}).{}", b.text, sense.choose("is_none()", "is_some()")))
    }

    /// What people would write first stands left: constants right, earlier parameters left.
    fn oriented(&self, a: TermId, b: TermId) -> ((TermId, TermId), Swapped) {
        let pool = self.printer.pool;
        let first = |t| (pool.as_const(t).is_some(), pool.vars_in(t).first().copied());
        if first(b) < first(a) { ((b, a), Swapped::Yes) } else { ((a, b), Swapped::No) }
    }

    /// The type in which the term is printed wherever it stands; none if it is cast to whatever type its place needs, as numbers are.
    fn own_type(&self, t: TermId) -> Option<IntTy> {
        let width = self.printer.pool.width(t);
        let with_sign = |sign, a: &TermId, b: &TermId| {
            let own = [a, b].into_iter().find_map(|part| self.own_type(*part));
            Some(own.filter(|ty| ty.signedness() == sign).unwrap_or_else(|| int_type(width, sign)))
        };
        match self.term(t) {
            Term::Var(_) => match self.named(t)?.kind {
                Kind::Int(ty) => Some(ty),
                // What `to_bits` gives.
                Kind::Float if width == 32 => Some(IntTy::U32),
                Kind::Float => Some(IntTy::U64),
                _ => None,
            },
            Term::Sum(linear) => linear.monomials.iter().find_map(|(part, _)| self.own_type(*part)),
            Term::Product(factors) => factors.iter().find_map(|part| self.own_type(*part)),
            Term::Ite(_, a, b) => self.own_type(*a).or_else(|| self.own_type(*b)),
            Term::Bin(op, a, b) => match op {
                BvOp::Udiv | BvOp::Urem | BvOp::Lshr => with_sign(Signedness::Unsigned, a, b),
                BvOp::Sdiv | BvOp::Srem | BvOp::Ashr => with_sign(Signedness::Signed, a, b),
                BvOp::Shl => self.own_type(*a),
                BvOp::And | BvOp::Or | BvOp::Xor => self.own_type(*a).or_else(|| self.own_type(*b)),
            },
            Term::Extract { of, .. } if !is_int_width(width) => Some(self.any_type(*of)),
            Term::Zext { of, .. } if !is_int_width(self.printer.pool.width(*of)) => self.own_type(*of),
            Term::Sext { of, .. } if !is_int_width(self.printer.pool.width(*of)) => {
                Some(match self.shifted_down(*of) {
                    Some((number, _)) => self.signed_type(number),
                    None => int_type(width, Signedness::Signed),
                })
            }
            _ => None,
        }
    }

    /// The type in which the term is printed where any will do.
    fn any_type(&self, t: TermId) -> IntTy {
        self.own_type(t).unwrap_or_else(|| int_type(self.printer.pool.width(t), Signedness::Unsigned))
    }

    fn signed_type(&self, t: TermId) -> IntTy {
        let ty = self.any_type(t);
        if ty.signedness() == Signedness::Signed {
            ty
        } else {
            int_type(ty.bits() as u16, Signedness::Signed)
        }
    }

    /// `x` and `n`, if the term is what `x >> n` leaves of the bits of `x`.
    fn shifted_down(&self, t: TermId) -> Option<(TermId, u16)> {
        match self.term(t) {
            Term::Extract { of, hi, lo } if hi + 1 == self.printer.pool.width(*of) => Some((*of, *lo)),
            _ => None,
        }
    }

    /// The text of a variable of type `char`.
    fn character(&self, t: TermId) -> Option<Text> {
        let named = self.named(t).filter(|named| named.kind == Kind::Char)?;
        Some(place(named.text))
    }

    fn character_literal(&self, t: TermId) -> Option<Text> {
        let character = char::from_u32(u32::try_from(self.printer.pool.as_const(t)?).ok()?)?;
        Some(Text::atom(format!("{character:?}")))
    }

    /// A bit vector as an expression of this type.
    fn number(&self, t: TermId, ty: IntTy) -> Text {
        if self.is_cut() {
            return Text::atom("…");
        }
        match self.own_type(t) {
            Some(own) if own != ty => self.typed(t, own).cast_to(ty.name()),
            _ => self.typed(t, ty),
        }
    }

    /// The same where the type is that of the term itself, if it has one.
    fn typed(&self, t: TermId, ty: IntTy) -> Text {
        let pool = self.printer.pool;
        let width = pool.width(t);
        match self.term(t) {
            Term::Bv { bits, .. } => self.literal(*bits, ty, Literal::Number),
            Term::Var(_) => {
                let Some(named) = self.named(t) else { return Text::atom(self.other(t)) };
                match named.kind {
                    Kind::Float => Text::atom(format!("{}.to_bits()", named.text)),
                    Kind::Variant(_) => Text::atom(format!("variant of {}", named.text)),
                    Kind::Char => place(named.text).cast_to(ty.name()),
                    _ => place(named.text),
                }
            }
            Term::Sum(linear) => self.sum(linear, ty),
            Term::Product(factors) => {
                let factors: Vec<String> =
                    factors.iter().map(|factor| self.number(*factor, ty).within(Binds::Product)).collect();
                Text::new(factors.join(" * "), Binds::Product)
            }
            Term::Bin(op, a, b) => self.binary(*op, *a, *b, ty),
            Term::Ite(c, a, b) => {
                let c = self.truth(*c, Sense::Positive);
                let (a, b) = (self.number(*a, ty), self.number(*b, ty));
                Text::new(format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text), Binds::Or)
            }
            // A cast takes the low bits, whatever it is cast from.
            Term::Extract { of, lo: 0, .. } if is_int_width(width) => {
                self.number(*of, self.any_type(*of)).cast_to(ty.name())
            }
            Term::Extract { of, lo, .. } if is_int_width(width) => {
                let shifted = self.number(*of, self.any_type(*of)).within(Binds::Shift);
                Text::new(format!("({shifted} >> {lo}) as {}", ty.name()), Binds::Cast)
            }
            Term::Extract { of, lo, .. } => {
                let shifted = self.number(*of, self.any_type(*of)).within(Binds::Shift);
                let shifted = if *lo == 0 { shifted } else { format!("({shifted} >> {lo})") };
                Text::new(format!("{shifted} & {:#x}", bits::mask(width)), Binds::BitAnd)
            }
            Term::Zext { of, .. } => match pool.width(*of) {
                from if is_int_width(from) => {
                    let unsigned = match self.own_type(*of) {
                        Some(own) if own.signedness() == Signedness::Unsigned => own,
                        _ => int_type(from, Signedness::Unsigned),
                    };
                    self.number(*of, unsigned).cast_to(ty.name())
                }
                // It is masked, and so is no less than it was.
                _ => self.number(*of, ty),
            },
            Term::Sext { of, .. } => match (pool.width(*of), self.shifted_down(*of)) {
                (from, _) if is_int_width(from) => self.number(*of, self.signed_type(*of)).cast_to(ty.name()),
                (_, Some((number, by))) => {
                    let number = self.number(number, self.signed_type(number)).within(Binds::Shift);
                    Text::new(format!("{number} >> {by}"), Binds::Shift)
                }
                (from, None) => {
                    let of = self.number(*of, ty).before("<<", Binds::Shift);
                    let by = width - from;
                    Text::new(format!("({of} << {by}) >> {by}"), Binds::Shift)
                }
            },
            _ => Text::atom(self.other(t)),
        }
    }

    fn sum(&self, linear: &Linear, ty: IntTy) -> Text {
        let half = bits::mask(linear.width) / 2;
        let is_minus = |coefficient: u128| coefficient > half && linear.width > 1;
        let magnitude = |coefficient: u128| match is_minus(coefficient) {
            true => bits::mask(linear.width) - coefficient + 1,
            false => coefficient,
        };
        let mut text = String::new();
        let (minus, plus): (Vec<_>, Vec<_>) =
            linear.monomials.iter().copied().partition(|(_, coefficient)| is_minus(*coefficient));
        for (part, coefficient) in plus.into_iter().chain(minus) {
            let place = match text.is_empty() && is_minus(coefficient) && magnitude(coefficient) == 1 {
                true => Binds::Unary,
                false => Binds::Product,
            };
            match (text.is_empty(), is_minus(coefficient)) {
                (true, false) => {}
                (true, true) if ty.signedness() == Signedness::Signed => text.push('-'),
                (true, true) => text.push_str("0 - "),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" - "),
            }
            if magnitude(coefficient) != 1 {
                text.push_str(&format!("{} * ", magnitude(coefficient)));
            }
            text.push_str(&self.number(part, ty).within(place));
        }
        if linear.constant != 0 {
            let symbol = if is_minus(linear.constant) { "-" } else { "+" };
            // `digit - b'0'` is what people write.
            let kind = match linear.monomials.as_slice() {
                [(part, 1)] if is_minus(linear.constant) && ty == IntTy::U8 => self.literal_kind(*part),
                _ => Literal::Number,
            };
            let constant = match u8::try_from(magnitude(linear.constant)) {
                Ok(byte) if kind == Literal::Byte && byte.is_ascii_alphanumeric() => {
                    format!("b'{}'", char::from(byte))
                }
                _ => magnitude(linear.constant).to_string(),
            };
            text.push_str(&format!(" {symbol} {constant}"));
        }
        Text::new(text, Binds::Sum)
    }

    fn binary(&self, op: BvOp, a: TermId, b: TermId, ty: IntTy) -> Text {
        let (symbol, binds) = match op {
            BvOp::Udiv | BvOp::Sdiv => ("/", Binds::Product),
            BvOp::Urem | BvOp::Srem => ("%", Binds::Product),
            BvOp::And => ("&", Binds::BitAnd),
            BvOp::Or => ("|", Binds::BitOr),
            BvOp::Xor => ("^", Binds::BitXor),
            BvOp::Shl => ("<<", Binds::Shift),
            BvOp::Lshr | BvOp::Ashr => (">>", Binds::Shift),
        };
        let left = self.number(a, ty).before(symbol, binds);
        let right = match op {
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => self.number(b, self.any_type(b)),
            _ => self.number(b, ty),
        };
        // To the right of a division the same operator needs parentheses.
        let right = if right.binds <= binds { format!("({})", right.text) } else { right.text };
        Text::new(format!("{left} {symbol} {right}"), binds)
    }

    /// As what a number next to this term is to be shown.
    fn literal_kind(&self, t: TermId) -> Literal {
        match self.term(t) {
            Term::Var(_) => match self.named(t) {
                Some(Named { kind: Kind::Char, .. }) => Literal::Char,
                Some(Named { kind: Kind::Int(IntTy::U8), text }) if text.ends_with(']') => Literal::Byte,
                _ => Literal::Number,
            },
            _ => Literal::Number,
        }
    }

    fn literal(&self, number: u128, ty: IntTy, kind: Literal) -> Text {
        let byte = u8::try_from(number).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ');
        match (kind, byte, ty.signedness()) {
            (Literal::Char, ..) => match u32::try_from(number).ok().and_then(char::from_u32) {
                Some(c) => Text::atom(format!("{c:?}")),
                None => Text::atom(format!("{number:#x}")),
            },
            (Literal::Byte, Some(byte), _) if ty == IntTy::U8 => {
                Text::atom(format!("b'{}'", std::ascii::escape_default(byte)))
            }
            (_, _, Signedness::Signed) => {
                let value = bits::to_signed(number, ty.bits() as u16);
                Text::new(value.to_string(), if value < 0 { Binds::Unary } else { Binds::Atom })
            }
            (_, _, Signedness::Unsigned) => match limit_name(number, ty) {
                Some(name) => Text::atom(name),
                None => Text::atom(number.to_string()),
            },
        }
    }

    /// What Rust has no words for.
    fn other(&self, t: TermId) -> String {
        match self.term(t) {
            Term::Float(op, _, args) => {
                let args: Vec<String> =
                    args.iter().map(|arg| self.number(*arg, self.any_type(*arg)).text).collect();
                format!("{}({})", op.name(), args.join(", "))
            }
            _ => self.printer.pool.display(t).to_string(),
        }
    }
}

/// Of the surrogates, which are no characters, the character before or after them; else the number itself. No comparison with a character tells them apart.
fn character_at(number: i128, towards: Towards) -> i128 {
    match (number, towards) {
        (0xd800..=0xdfff, Towards::Before) => 0xd7ff,
        (0xd800..=0xdfff, Towards::After) => 0xe000,
        _ => number,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Towards {
    Before,
    After,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Swapped {
    Yes,
    No,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    Number,
    Char,
    Byte,
}

fn variant(text: &str, patterns: &[String], tag: u128, sense: Sense) -> Text {
    let pattern = |tag: usize| patterns.get(tag).map_or_else(|| format!("variant {tag}"), String::clone);
    let tag = usize::try_from(tag).unwrap_or(usize::MAX);
    match (sense, patterns.len()) {
        (Sense::Positive, _) => is_variant(text, &pattern(tag)),
        (Sense::Negated, 2) => is_variant(text, &pattern(1 - tag.min(1))),
        (Sense::Negated, _) => {
            Text::new(format!("!{}", is_variant(text, &pattern(tag)).within(Binds::Unary)), Binds::Unary)
        }
    }
}

fn is_int_width(width: u16) -> bool {
    matches!(width, 8 | 16 | 32 | 64 | 128)
}

/// Most numbers of 64 bits are lengths and indices. A number of some bits of another is printed in no type narrower than a byte.
fn int_type(width: u16, sign: Signedness) -> IntTy {
    match (width, sign) {
        (..=8, Signedness::Unsigned) => IntTy::U8,
        (..=8, Signedness::Signed) => IntTy::I8,
        (..=16, Signedness::Unsigned) => IntTy::U16,
        (..=16, Signedness::Signed) => IntTy::I16,
        (..=32, Signedness::Unsigned) => IntTy::U32,
        (..=32, Signedness::Signed) => IntTy::I32,
        (..=64, Signedness::Unsigned) => IntTy::Usize,
        (..=64, Signedness::Signed) => IntTy::I64,
        (_, Signedness::Unsigned) => IntTy::U128,
        (_, Signedness::Signed) => IntTy::I128,
    }
}

/// The largest numbers of a type by their name.
fn limit_name(number: u128, ty: IntTy) -> Option<String> {
    let is_limit = ty.bits() >= 16 && number == bits::mask(ty.bits() as u16);
    is_limit.then(|| format!("{}::MAX", ty.name()))
}
