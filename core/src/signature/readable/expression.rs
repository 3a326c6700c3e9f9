//! Terms as Rust expressions.
//!
//! Terms are normal forms, and people write otherwise: `x > y` is a `y < x`, a range check is one comparison of a
//! difference, a sign test may be an unsigned comparison. What is recognised is turned back.

use std::cell::Cell;

use super::Printer;
use super::names::{Kind, Named};
use crate::ir::{IntTy, Signedness};
use crate::term::{BvOp, Linear, Overflow, Term, TermId, bits};

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    Atom,
}

struct Text {
    text: String,
    binds: Binds,
}

impl Text {
    fn new(text: impl Into<String>, binds: Binds) -> Text {
        Text { text: text.into(), binds }
    }

    fn atom(text: impl Into<String>) -> Text {
        Text::new(text, Binds::Atom)
    }

    /// The same cast to a type of the same width; a term does not tell whether it is a `u64` or a `usize`.
    fn cast_to(self, name: &str) -> Text {
        match self.text.rsplit_once(" as ") {
            Some((of, _)) if self.binds == Binds::Cast => Text::new(format!("{of} as {name}"), Binds::Cast),
            _ => self,
        }
    }

    /// In parentheses if it binds less than its place needs.
    fn within(self, place: Binds) -> String {
        if self.binds < place { format!("({})", self.text) } else { self.text }
    }
}

/// The sign by which a sum or product is read.
pub(super) fn sign_of(printer: &Printer<'_>, t: TermId) -> Signedness {
    Expressions::new(printer).sign_of(t)
}

pub(super) fn condition(printer: &Printer<'_>, condition: TermId) -> String {
    Expressions::new(printer).truth(condition, Sense::Positive).text
}

/// A term of this integer type.
pub(super) fn integer(printer: &Printer<'_>, t: TermId, ty: IntTy) -> String {
    Expressions::new(printer).number(t, ty.signedness(), None).cast_to(ty.name()).text
}

/// A term of type `char`.
pub(super) fn character(printer: &Printer<'_>, t: TermId) -> String {
    let text = Expressions::new(printer).number(t, Signedness::Unsigned, None);
    match printer.pool.term(t) {
        // No other number may be cast to one.
        Term::Zext { of, .. } if printer.pool.width(*of) == 8 => text.cast_to("char").text,
        _ => text.text,
    }
}

/// A term whose sign does not matter.
pub(super) fn bits_of(printer: &Printer<'_>, t: TermId) -> String {
    Expressions::new(printer).number(t, Signedness::Unsigned, None).text
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
                Text::atom(format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text))
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
            let of_number = self.number(*of, self.sign_of(*of), None).within(Binds::BitAnd);
            let is_set = (bit == 1) == (sense == Sense::Positive);
            let mask = format!("{:#x}", 1u128 << lo);
            let symbol = if is_set { "!=" } else { "==" };
            return Text::new(format!("{of_number} & {mask} {symbol} 0"), Binds::Compare);
        }
        let (a, b) = self.oriented(a, b).0;
        let sign = self.common_sign(a, b);
        compare(self.number(a, sign, Some(b)), symbol, self.number(b, sign, Some(a)))
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
        compare(self.number(left, sign, Some(right)), symbol, self.number(right, sign, Some(left)))
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
        let left_text = self.number(left, sign, Some(right));
        let is_word = |number: i128| u8::try_from(number).is_ok_and(|byte| byte.is_ascii_alphanumeric());
        let is_rounder = match kind {
            Literal::Number => other % 5 == 0 && value % 5 != 0,
            Literal::Char | Literal::Byte => is_word(other) && !is_word(value),
        };
        let (symbol, value) = if is_rounder { (other_symbol, other) } else { (symbol, value) };
        compare(left_text, symbol, self.literal(value as u128 & bits::mask(width), width, sign, kind))
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
        let sign = self.sign_of(x);
        let high = low.wrapping_add(length - 1) & bits::mask(width);
        let read = |bits: u128| match sign {
            Signedness::Signed => bits::to_signed(bits, width),
            Signedness::Unsigned => bits as i128,
        };
        if low == 0 && sign == Signedness::Unsigned {
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
        let text = self.number(x, sign, Some(b));
        let kind = self.literal_kind(x);
        let (low, high) = match kind {
            Literal::Char => {
                let end = |bits: u128, towards| character_at(read(bits), towards) as u128;
                (end(low, Towards::After), end(high, Towards::Before))
            }
            Literal::Number | Literal::Byte => (low, high),
        };
        let constant = |bits: u128| self.literal(bits, width, sign, kind);
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
        let a = self.number(a, sign, None).within(Binds::Atom);
        let b = self.number(b, sign, None);
        Text::atom(format!("{a}.{method}({}).{}", b.text, sense.choose("is_none()", "is_some()")))
    }

    /// What people would write first stands left: constants right, earlier parameters left.
    fn oriented(&self, a: TermId, b: TermId) -> ((TermId, TermId), Swapped) {
        let pool = self.printer.pool;
        let first = |t| (pool.as_const(t).is_some(), pool.vars_in(t).first().copied());
        if first(b) < first(a) { ((b, a), Swapped::Yes) } else { ((a, b), Swapped::No) }
    }

    fn common_sign(&self, a: TermId, b: TermId) -> Signedness {
        self.natural_sign(a).or_else(|| self.natural_sign(b)).unwrap_or(Signedness::Unsigned)
    }

    fn sign_of(&self, t: TermId) -> Signedness {
        self.natural_sign(t).unwrap_or(Signedness::Unsigned)
    }

    /// As what the term was most likely computed.
    fn natural_sign(&self, t: TermId) -> Option<Signedness> {
        match self.term(t) {
            Term::Var(_) => match self.named(t)?.kind {
                Kind::Int(ty) => Some(ty.signedness()),
                _ => Some(Signedness::Unsigned),
            },
            Term::Sum(linear) => linear.monomials.iter().find_map(|(part, _)| self.natural_sign(*part)),
            Term::Product(factors) => factors.iter().find_map(|part| self.natural_sign(*part)),
            Term::Ite(_, a, b) => self.natural_sign(*a).or_else(|| self.natural_sign(*b)),
            Term::Bin(op, a, b) => match op {
                BvOp::Udiv | BvOp::Urem | BvOp::Lshr => Some(Signedness::Unsigned),
                BvOp::Sdiv | BvOp::Srem | BvOp::Ashr => Some(Signedness::Signed),
                _ => self.natural_sign(*a).or_else(|| self.natural_sign(*b)),
            },
            Term::Sext { .. } => Some(Signedness::Signed),
            Term::Zext { .. } | Term::Extract { .. } => Some(Signedness::Unsigned),
            _ => None,
        }
    }

    /// A bit vector, read with this sign; `beside` is what it is compared with.
    fn number(&self, t: TermId, sign: Signedness, beside: Option<TermId>) -> Text {
        if self.is_cut() {
            return Text::atom("…");
        }
        let pool = self.printer.pool;
        let width = pool.width(t);
        match self.term(t) {
            Term::Bv { bits, width } => {
                let kind = beside.map_or(Literal::Number, |other| self.literal_kind(other));
                self.literal(*bits, *width, sign, kind)
            }
            Term::Var(_) => {
                let Some(named) = self.named(t) else { return Text::atom(self.other(t)) };
                match named.kind {
                    Kind::Int(ty) if ty.signedness() != sign => {
                        Text::new(format!("{} as {}", named.text, int_name(width, sign)), Binds::Cast)
                    }
                    Kind::Float => Text::atom(format!("{}.to_bits()", named.text)),
                    Kind::Variant(_) => Text::atom(format!("variant of {}", named.text)),
                    _ if named.text.starts_with('*') => Text::new(named.text, Binds::Unary),
                    _ => Text::atom(named.text),
                }
            }
            Term::Sum(linear) => self.sum(linear, sign),
            Term::Product(factors) => {
                let factors: Vec<String> = factors
                    .iter()
                    .map(|factor| self.number(*factor, sign, None).within(Binds::Product))
                    .collect();
                Text::new(factors.join(" * "), Binds::Product)
            }
            Term::Bin(op, a, b) => self.binary(*op, *a, *b, sign),
            Term::Ite(c, a, b) => {
                let c = self.truth(*c, Sense::Positive);
                let (a, b) = (self.number(*a, sign, beside), self.number(*b, sign, beside));
                Text::new(format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text), Binds::Or)
            }
            Term::Extract { of, hi: _, lo: 0 } if is_int_width(width) => {
                self.cast(*of, width, sign, self.sign_of(*of))
            }
            Term::Extract { of, lo, .. } => {
                let shifted = self.number(*of, Signedness::Unsigned, None).within(Binds::Shift);
                let shifted = if *lo == 0 { shifted } else { format!("{shifted} >> {lo}") };
                if is_int_width(width) {
                    return Text::new(format!("({shifted}) as {}", int_name(width, sign)), Binds::Cast);
                }
                let mask = bits::mask(width);
                Text::new(format!("{} & {mask:#x}", parenthesized_if_shifted(&shifted, *lo)), Binds::BitAnd)
            }
            Term::Zext { of, width } => self.cast(*of, *width, sign, Signedness::Unsigned),
            Term::Sext { of, width } => self.cast(*of, *width, sign, Signedness::Signed),
            _ => Text::atom(self.other(t)),
        }
    }

    fn cast(&self, of: TermId, width: u16, sign: Signedness, from: Signedness) -> Text {
        if !is_int_width(self.printer.pool.width(of)) || !is_int_width(width) {
            return self.number(of, from, None);
        }
        let of = self.number(of, from, None).within(Binds::Cast);
        Text::new(format!("{of} as {}", int_name(width, sign)), Binds::Cast)
    }

    fn sum(&self, linear: &Linear, sign: Signedness) -> Text {
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
            match (text.is_empty(), is_minus(coefficient)) {
                (true, false) => {}
                (true, true) => text.push('-'),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" - "),
            }
            if magnitude(coefficient) != 1 {
                text.push_str(&format!("{} * ", magnitude(coefficient)));
            }
            text.push_str(&self.number(part, sign, None).within(Binds::Product));
        }
        if linear.constant != 0 {
            let symbol = if is_minus(linear.constant) { "-" } else { "+" };
            // `digit - b'0'` is what people write.
            let kind = match linear.monomials.as_slice() {
                [(part, 1)] if is_minus(linear.constant) => self.literal_kind(*part),
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

    fn binary(&self, op: BvOp, a: TermId, b: TermId, sign: Signedness) -> Text {
        let (symbol, binds, sign) = match op {
            BvOp::Udiv => ("/", Binds::Product, Signedness::Unsigned),
            BvOp::Sdiv => ("/", Binds::Product, Signedness::Signed),
            BvOp::Urem => ("%", Binds::Product, Signedness::Unsigned),
            BvOp::Srem => ("%", Binds::Product, Signedness::Signed),
            BvOp::And => ("&", Binds::BitAnd, sign),
            BvOp::Or => ("|", Binds::BitOr, sign),
            BvOp::Xor => ("^", Binds::BitXor, sign),
            BvOp::Shl => ("<<", Binds::Shift, sign),
            BvOp::Lshr => (">>", Binds::Shift, Signedness::Unsigned),
            BvOp::Ashr => (">>", Binds::Shift, Signedness::Signed),
        };
        let left = self.number(a, sign, None).within(binds);
        let right = self.number(b, sign, None);
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
            Term::Zext { of, .. } => match self.literal_kind(*of) {
                Literal::Char => Literal::Char,
                _ => Literal::Number,
            },
            _ => Literal::Number,
        }
    }

    fn literal(&self, number: u128, width: u16, sign: Signedness, kind: Literal) -> Text {
        let byte = u8::try_from(number).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ');
        match (kind, byte, sign) {
            (Literal::Char, ..) => match u32::try_from(number).ok().and_then(char::from_u32) {
                Some(c) => Text::atom(format!("{c:?}")),
                None => Text::atom(format!("{number:#x}")),
            },
            (Literal::Byte, Some(byte), _) => Text::atom(format!("b'{}'", std::ascii::escape_default(byte))),
            (_, _, Signedness::Signed) => {
                let value = bits::to_signed(number, width);
                Text::new(value.to_string(), if value < 0 { Binds::Unary } else { Binds::Atom })
            }
            (_, _, Signedness::Unsigned) => match limit_name(number, width) {
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
                    args.iter().map(|arg| self.number(*arg, Signedness::Unsigned, None).text).collect();
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

fn compare(a: Text, symbol: &str, b: Text) -> Text {
    let needed = Binds::BitOr;
    Text::new(format!("{} {symbol} {}", a.within(needed), b.within(needed)), Binds::Compare)
}

fn variant(text: &str, patterns: &[String], tag: u128, sense: Sense) -> Text {
    let pattern = |tag: usize| patterns.get(tag).map_or_else(|| format!("variant {tag}"), String::clone);
    let tag = usize::try_from(tag).unwrap_or(usize::MAX);
    match (sense, patterns.len()) {
        (Sense::Positive, _) => Text::new(format!("{text} == {}", pattern(tag)), Binds::Compare),
        (Sense::Negated, 2) => Text::new(format!("{text} == {}", pattern(1 - tag.min(1))), Binds::Compare),
        (Sense::Negated, _) => Text::new(format!("{text} != {}", pattern(tag)), Binds::Compare),
    }
}

fn parenthesized_if_shifted(text: &str, lo: u16) -> String {
    if lo == 0 { text.to_owned() } else { format!("({text})") }
}

fn is_int_width(width: u16) -> bool {
    matches!(width, 8 | 16 | 32 | 64 | 128)
}

/// Most numbers of 64 bits are lengths and indices.
fn int_name(width: u16, sign: Signedness) -> String {
    match (width, sign) {
        (64, Signedness::Unsigned) => "usize".into(),
        (_, Signedness::Unsigned) => format!("u{width}"),
        (_, Signedness::Signed) => format!("i{width}"),
    }
}

/// The largest numbers of a type by their name.
fn limit_name(number: u128, width: u16) -> Option<String> {
    (width >= 16 && is_int_width(width) && number == bits::mask(width))
        .then(|| format!("{}::MAX", int_name(width, Signedness::Unsigned)))
}
