//! Conditions of reports as code of a harness.
//!
//! What a report shows is for people: it may say `x.Some.0`, index what is too short, or add what overflows outside of the condition. Only
//! what is sure to compile, and to end without a panic on every input, is taken: comparisons, `&&`, `||`, lengths, variants, and operators that cannot fail.

use regress_core::ir::IntTy;
use syn::{BinOp, Expr, Lit, UnOp};

use super::plain::{Parameter, Pass, Plain};

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Char,
    Int(IntTy),
    /// A number that takes the type of what it stands beside.
    Number(i128),
}

/// The numbers in the condition, if it can stand in code that has these parameters as variables.
pub(super) fn numbers(condition: &str, parameters: &[Parameter]) -> Option<Vec<i128>> {
    let mut reader = Reader { parameters, numbers: Vec::new() };
    let expression = syn::parse_str::<Expr>(condition).ok()?;
    (reader.kind(&expression)? == Kind::Bool).then_some(reader.numbers)
}

struct Reader<'a> {
    parameters: &'a [Parameter],
    numbers: Vec<i128>,
}

impl Reader<'_> {
    fn kind(&mut self, expression: &Expr) -> Option<Kind> {
        match expression {
            Expr::Paren(inner) => self.kind(&inner.expr),
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Unary(unary) => match (&unary.op, self.kind(&unary.expr)?) {
                (UnOp::Not(_), Kind::Bool) => Some(Kind::Bool),
                (UnOp::Neg(_), Kind::Number(number)) => {
                    let number = number.checked_neg()?;
                    self.numbers.push(number);
                    Some(Kind::Number(number))
                }
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => self.path(&path.path),
            Expr::MethodCall(call) if call.turbofish.is_none() => self.method(call),
            Expr::Cast(cast) => {
                let syn::Type::Path(path) = &*cast.ty else { return None };
                let to = IntTy::from_name(&path.path.get_ident()?.to_string())?;
                matches!(self.kind(&cast.expr)?, Kind::Int(_) | Kind::Bool | Kind::Char)
                    .then_some(Kind::Int(to))
            }
            Expr::Binary(binary) => {
                let (left, right) = (self.kind(&binary.left)?, self.kind(&binary.right)?);
                operation(&binary.op, left, right)
            }
            Expr::Macro(call) if call.mac.path.is_ident("matches") => {
                self.matches(&call.mac.tokens.to_string())
            }
            _ => None,
        }
    }

    fn literal(&mut self, literal: &Lit) -> Option<Kind> {
        match literal {
            Lit::Bool(_) => Some(Kind::Bool),
            Lit::Char(_) => Some(Kind::Char),
            Lit::Byte(byte) => {
                self.numbers.push(i128::from(byte.value()));
                Some(Kind::Int(IntTy::U8))
            }
            Lit::Int(number) => {
                let value = number.base10_parse::<i128>().ok()?;
                self.numbers.push(value);
                match number.suffix() {
                    "" => Some(Kind::Number(value)),
                    suffix => Some(Kind::Int(IntTy::from_name(suffix)?)),
                }
            }
            _ => None,
        }
    }

    fn path(&self, path: &syn::Path) -> Option<Kind> {
        if let Some(ident) = path.get_ident() {
            let parameter = self.parameter(&ident.to_string())?;
            return match (parameter.pass, &parameter.ty) {
                (Pass::Value, Plain::Bool) => Some(Kind::Bool),
                (Pass::Value, Plain::Char) => Some(Kind::Char),
                (Pass::Value, Plain::Int(int)) => Some(Kind::Int(*int)),
                _ => None,
            };
        }
        let [ty, constant] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let is_limit = constant.ident == "MAX" || constant.ident == "MIN";
        IntTy::from_name(&ty.ident.to_string()).filter(|_| is_limit).map(Kind::Int)
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Option<Kind> {
        if call.method == "contains" {
            return self.contains(call);
        }
        let Expr::Path(receiver) = &*call.receiver else { return None };
        let parameter = self.parameter(&receiver.path.get_ident()?.to_string())?;
        if !call.args.is_empty() {
            return None;
        }
        match (call.method.to_string().as_str(), &parameter.ty) {
            ("len", Plain::Text | Plain::List(_) | Plain::Array(..)) => Some(Kind::Int(IntTy::Usize)),
            ("is_empty", Plain::Text | Plain::List(_) | Plain::Array(..))
            | ("is_some" | "is_none", Plain::Option(_))
            | ("is_ok" | "is_err", Plain::Result(..)) => Some(Kind::Bool),
            _ => None,
        }
    }

    /// `(1..=5).contains(&x)`
    fn contains(&mut self, call: &syn::ExprMethodCall) -> Option<Kind> {
        let Expr::Paren(receiver) = &*call.receiver else { return None };
        let Expr::Range(range) = &*receiver.expr else { return None };
        let Some(Expr::Reference(value)) = call.args.first() else { return None };
        let ends = [range.start.as_deref()?, range.end.as_deref()?].map(|end| self.kind(end));
        let value = self.kind(&value.expr)?;
        let fits = ends.into_iter().all(|end| end.is_some_and(|end| unified(end, value).is_some()));
        fits.then_some(Kind::Bool)
    }

    /// `matches!(x, Some(_))`
    fn matches(&self, tokens: &str) -> Option<Kind> {
        let (value, pattern) = tokens.split_once(',')?;
        let parameter = self.parameter(value.trim())?;
        let pattern: String = pattern.split_whitespace().collect();
        let is_known = match (&parameter.ty, parameter.pass) {
            (Plain::Option(_), Pass::Value) => matches!(pattern.as_str(), "Some(_)" | "None"),
            (Plain::Result(..), Pass::Value) => matches!(pattern.as_str(), "Ok(_)" | "Err(_)"),
            _ => false,
        };
        is_known.then_some(Kind::Bool)
    }

    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// What an operator gives, if it cannot fail.
fn operation(op: &BinOp, left: Kind, right: Kind) -> Option<Kind> {
    let both = unified(left, right);
    match op {
        BinOp::And(_) | BinOp::Or(_) => both.filter(|kind| *kind == Kind::Bool),
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
            both.map(|_| Kind::Bool)
        }
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => both.filter(|kind| *kind != Kind::Char),
        BinOp::Rem(_) | BinOp::Div(_) => match (left, right) {
            (Kind::Int(_), Kind::Number(number)) if number > 0 => both,
            _ => None,
        },
        _ => None,
    }
}

/// The type that both are of.
fn unified(left: Kind, right: Kind) -> Option<Kind> {
    match (left, right) {
        (Kind::Number(_), Kind::Number(_)) => None,
        (Kind::Int(int), Kind::Number(number)) | (Kind::Number(number), Kind::Int(int)) => {
            fits(number, int).then_some(Kind::Int(int))
        }
        (left, right) => (left == right).then_some(left),
    }
}

/// Whether the type has the number.
pub(super) fn fits(number: i128, ty: IntTy) -> bool {
    let bits = ty.bits();
    match ty.name().starts_with('i') {
        true => bits == 128 || (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&number),
        false => number >= 0 && (bits >= 127 || number < 1i128 << bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        let by = |name: &str, ty: Plain, pass: Pass| Parameter { name: name.into(), ty, pass };
        vec![
            by("n", Plain::Int(IntTy::U8), Pass::Value),
            by("i", Plain::Int(IntTy::I32), Pass::Value),
            by("flag", Plain::Bool, Pass::Value),
            by("letter", Plain::Char, Pass::Value),
            by("text", Plain::Text, Pass::Shared(super::super::plain::View::Text)),
            by("maybe", Plain::Option(Box::new(Plain::Bool)), Pass::Value),
            by("behind", Plain::Int(IntTy::U8), Pass::Shared(super::super::plain::View::Whole)),
        ]
    }

    #[track_caller]
    fn check(condition: &str, expected: Option<&[i128]>) {
        assert_eq!(numbers(condition, &parameters()).as_deref(), expected, "{condition}");
    }

    #[test]
    fn what_compiles_and_cannot_fail_is_taken() {
        check("n > 4 && text.len() == 2 || flag", Some(&[4, 2]));
        check("i < -3", Some(&[3, -3]));
        check("!(n % 2 == 0)", Some(&[2, 0]));
        check("i as u32 > 7", Some(&[7]));
        check("(1..=5).contains(&n)", Some(&[1, 5]));
        check("matches!(maybe, Some(_))", Some(&[]));
        check("letter != 'x' && n & 0x80 != 0", Some(&[0x80, 0]));
        check("i == i32::MIN", Some(&[]));
    }

    #[test]
    fn what_may_fail_or_is_no_rust_is_not_taken() {
        for condition in [
            "n + 1 > 4",
            "text.as_bytes()[0] == b'a'",
            "maybe.Some.0",
            "n > i",
            "n < 300",
            "other == 1",
            "*behind > 4",
            "behind > 4",
            "n",
            "n / i > 1",
            "f(n, 1) == 2",
            "matches!(maybe, Some(true))",
            "",
        ] {
            check(condition, None);
        }
    }
}
