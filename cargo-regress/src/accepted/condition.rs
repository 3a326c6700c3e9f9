//! Conditions on the arguments of a call: `amount > 100 && name.starts_with("x")`.
//!
//! A few Rust expressions over the parameters by name: literals, `&&`, `||`, `!`, comparisons, `+ - * / %`, fields, and the methods
//! `len`, `is_empty`, `contains`, `starts_with`, `ends_with`, `is_some`, `is_none`, `is_ok`, `is_err`. References go without
//! saying. Anything else is refused when a condition is read; what cannot be said of the arguments of a call (a parameter of
//! that name, a number where there is one) does not hold of it.

use std::fmt;
use std::rc::Rc;

use regress_core::ir::{IntTy, Signedness};
use regress_core::value::Value;
use regress_core::verdict::Input;
use syn::{BinOp, Expr, Lit, Member, UnOp};

/// A condition that was understood.
#[derive(Clone)]
pub struct Condition {
    text: String,
    expression: Rc<Expr>,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Condition").field(&self.text).finish()
    }
}

const METHODS: [(&str, usize); 9] = [
    ("len", 0),
    ("is_empty", 0),
    ("contains", 1),
    ("starts_with", 1),
    ("ends_with", 1),
    ("is_some", 0),
    ("is_none", 0),
    ("is_ok", 0),
    ("is_err", 0),
];

impl Condition {
    pub fn parse(text: &str) -> Result<Condition, String> {
        let expression: Expr =
            syn::parse_str(text).map_err(|error| format!("`{text}` is not an expression: {error}"))?;
        check(&expression).map_err(|what| format!("`{text}`: {what} is not understood in a condition"))?;
        Ok(Condition { text: text.to_owned(), expression: Rc::new(expression) })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds of the arguments; why that cannot be said, if it cannot.
    pub fn holds(&self, inputs: &[Input]) -> Result<bool, String> {
        match evaluate(&self.expression, inputs)? {
            Known::Bool(holds) => Ok(holds),
            _ => Err(format!("`{}` is neither true nor false", self.text)),
        }
    }
}

/// Fails with what is not understood.
fn check(expression: &Expr) -> Result<(), String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Str(_) => Ok(()),
            Lit::Int(number) if number.base10_parse::<i128>().is_ok() => Ok(()),
            _ => Err("this literal".to_owned()),
        },
        Expr::Path(path) if path.path.get_ident().is_some() => Ok(()),
        Expr::Paren(inner) => check(&inner.expr),
        Expr::Group(inner) => check(&inner.expr),
        Expr::Reference(inner) if inner.mutability.is_none() => check(&inner.expr),
        Expr::Unary(unary) => check(&unary.expr),
        Expr::Field(field) => check(&field.base),
        Expr::Binary(binary) => {
            if operator(&binary.op).is_none() {
                return Err("this operator".to_owned());
            }
            check(&binary.left).and_then(|()| check(&binary.right))
        }
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            if !METHODS.contains(&(name.as_str(), call.args.len())) {
                return Err(format!("`{name}` with {} arguments", call.args.len()));
            }
            check(&call.receiver)?;
            call.args.iter().try_for_each(check)
        }
        _ => Err("this expression".to_owned()),
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
enum Known<'v> {
    Bool(bool),
    Int(i128),
    Char(char),
    Text(String),
    Other(&'v Value),
}

#[derive(Clone, Copy)]
enum Operator {
    And,
    Or,
    Compare(fn(std::cmp::Ordering) -> bool),
    Compute(fn(i128, i128) -> Option<i128>),
}

fn operator(operator: &BinOp) -> Option<Operator> {
    use std::cmp::Ordering;
    Some(match operator {
        BinOp::And(_) => Operator::And,
        BinOp::Or(_) => Operator::Or,
        BinOp::Eq(_) => Operator::Compare(Ordering::is_eq),
        BinOp::Ne(_) => Operator::Compare(Ordering::is_ne),
        BinOp::Lt(_) => Operator::Compare(Ordering::is_lt),
        BinOp::Le(_) => Operator::Compare(Ordering::is_le),
        BinOp::Gt(_) => Operator::Compare(Ordering::is_gt),
        BinOp::Ge(_) => Operator::Compare(Ordering::is_ge),
        BinOp::Add(_) => Operator::Compute(i128::checked_add),
        BinOp::Sub(_) => Operator::Compute(i128::checked_sub),
        BinOp::Mul(_) => Operator::Compute(i128::checked_mul),
        BinOp::Div(_) => Operator::Compute(i128::checked_div),
        BinOp::Rem(_) => Operator::Compute(i128::checked_rem),
        _ => return None,
    })
}

fn evaluate<'v>(expression: &Expr, inputs: &'v [Input]) -> Result<Known<'v>, String> {
    let unknown = || Err("this cannot be said of the arguments".to_owned());
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(value) => Ok(Known::Bool(value.value)),
            Lit::Char(value) => Ok(Known::Char(value.value())),
            Lit::Byte(value) => Ok(Known::Int(value.value().into())),
            Lit::Str(value) => Ok(Known::Text(value.value())),
            Lit::Int(value) => value.base10_parse().map(Known::Int).map_err(|error| error.to_string()),
            _ => unknown(),
        },
        Expr::Path(path) => {
            let Some(name) = path.path.get_ident() else { return unknown() };
            let input = inputs.iter().find(|input| name == input.name.as_str());
            let input = input.ok_or_else(|| format!("there is no parameter `{name}`"))?;
            known(&input.value)
        }
        Expr::Paren(inner) => evaluate(&inner.expr, inputs),
        Expr::Group(inner) => evaluate(&inner.expr, inputs),
        Expr::Reference(inner) => evaluate(&inner.expr, inputs),
        Expr::Unary(unary) => match (&unary.op, evaluate(&unary.expr, inputs)?) {
            (UnOp::Deref(_), value) => Ok(value),
            (UnOp::Not(_), Known::Bool(value)) => Ok(Known::Bool(!value)),
            (UnOp::Neg(_), Known::Int(value)) => {
                value.checked_neg().map_or_else(unknown, |value| Ok(Known::Int(value)))
            }
            _ => unknown(),
        },
        Expr::Field(field) => match (evaluate(&field.base, inputs)?, &field.member) {
            (Known::Other(Value::Tuple(items)), Member::Unnamed(index)) => {
                items.get(index.index as usize).map_or_else(unknown, known)
            }
            (Known::Other(Value::Adt { variant: None, fields, .. }), member) => {
                let name = match member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                let found = fields.iter().find(|(other, _)| other.to_string() == name);
                found.map_or_else(unknown, |(_, value)| known(value))
            }
            _ => unknown(),
        },
        Expr::Binary(binary) => {
            let left = evaluate(&binary.left, inputs)?;
            let right = || evaluate(&binary.right, inputs);
            match (operator(&binary.op), left) {
                (Some(Operator::And), Known::Bool(false)) => Ok(Known::Bool(false)),
                (Some(Operator::Or), Known::Bool(true)) => Ok(Known::Bool(true)),
                (Some(Operator::And | Operator::Or), Known::Bool(_)) => match right()? {
                    Known::Bool(value) => Ok(Known::Bool(value)),
                    _ => unknown(),
                },
                (Some(Operator::Compare(fits)), left) => {
                    compare(&left, &right()?).map_or_else(unknown, |ordering| Ok(Known::Bool(fits(ordering))))
                }
                (Some(Operator::Compute(compute)), Known::Int(left)) => match right()? {
                    Known::Int(right) => {
                        compute(left, right).map_or_else(unknown, |value| Ok(Known::Int(value)))
                    }
                    _ => unknown(),
                },
                _ => unknown(),
            }
        }
        Expr::MethodCall(call) => {
            let receiver = evaluate(&call.receiver, inputs)?;
            let argument = call.args.first().map(|argument| evaluate(argument, inputs)).transpose()?;
            method(&call.method.to_string(), receiver, argument).map_or_else(unknown, Ok)
        }
        _ => unknown(),
    }
}

/// A value without references and boxes around it.
fn known(value: &Value) -> Result<Known<'_>, String> {
    match value {
        Value::Ref(inner) => known(inner),
        Value::Bool(value) => Ok(Known::Bool(*value)),
        Value::Char(value) => Ok(Known::Char(*value)),
        Value::Str(text) => Ok(Known::Text(text.clone())),
        Value::Int { ty, bits } => integer(*ty, *bits).map(Known::Int),
        other => Ok(Known::Other(other)),
    }
}

fn integer(ty: IntTy, bits: u128) -> Result<i128, String> {
    if ty.signedness() == Signedness::Signed {
        return Ok(ty.sign_extend(bits));
    }
    i128::try_from(bits).map_err(|_| "the number is too large for a condition".to_owned())
}

fn compare(left: &Known<'_>, right: &Known<'_>) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Known::Bool(left), Known::Bool(right)) => Some(left.cmp(right)),
        (Known::Int(left), Known::Int(right)) => Some(left.cmp(right)),
        (Known::Char(left), Known::Char(right)) => Some(left.cmp(right)),
        (Known::Text(left), Known::Text(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn method<'v>(name: &str, receiver: Known<'v>, argument: Option<Known<'v>>) -> Option<Known<'v>> {
    let length = |count: usize| i128::try_from(count).ok().map(Known::Int);
    match (name, receiver, argument) {
        ("len", Known::Text(text), None) => length(text.len()),
        ("len", Known::Other(Value::Seq(items)), None) => length(items.len()),
        ("is_empty", Known::Text(text), None) => Some(Known::Bool(text.is_empty())),
        ("is_empty", Known::Other(Value::Seq(items)), None) => Some(Known::Bool(items.is_empty())),
        ("contains", Known::Other(Value::Seq(items)), Some(argument)) => {
            let mut found = false;
            for item in items {
                found |= compare(&known(item).ok()?, &argument)?.is_eq();
            }
            Some(Known::Bool(found))
        }
        ("contains" | "starts_with" | "ends_with", Known::Text(text), Some(argument)) => {
            let part = match argument {
                Known::Text(part) => part,
                Known::Char(part) => part.to_string(),
                _ => return None,
            };
            Some(Known::Bool(match name {
                "contains" => text.contains(&part),
                "starts_with" => text.starts_with(&part),
                _ => text.ends_with(&part),
            }))
        }
        (
            "is_some" | "is_none" | "is_ok" | "is_err",
            Known::Other(Value::Adt { variant: Some(variant), .. }),
            None,
        ) => {
            let wanted = name.strip_prefix("is_").unwrap_or(name);
            let variant = variant.to_string().to_lowercase();
            ["some", "none", "ok", "err"]
                .contains(&variant.as_str())
                .then_some(Known::Bool(variant == wanted))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{CtorKind, Name, Path};

    use super::*;

    fn inputs() -> Vec<Input> {
        let input = |name: &str, value| Input { name: name.to_owned(), value };
        let reference = |value| Value::Ref(Box::new(value));
        let fields = vec![(Name::new("width"), Value::int(IntTy::U8, 200))];
        let some = vec![(Name::new("0"), Value::Bool(true))];
        vec![
            input("n", Value::int(IntTy::I32, -5)),
            input("text", reference(Value::Str("a+b".into()))),
            input("items", reference(Value::Seq(vec![Value::int(IntTy::U8, 1), Value::int(IntTy::U8, 7)]))),
            input(
                "shape",
                reference(Value::Adt {
                    path: Path::new("p::Shape"),
                    variant: None,
                    ctor: CtorKind::Struct,
                    fields,
                }),
            ),
            input(
                "maybe",
                Value::Adt {
                    path: Path::new("std::option::Option"),
                    variant: Some(Name::new("Some")),
                    ctor: CtorKind::Tuple,
                    fields: some,
                },
            ),
            input("huge", Value::Int { ty: IntTy::U128, bits: u128::MAX }),
            input("pair", Value::Tuple(vec![Value::Char('x'), Value::Bool(false)])),
        ]
    }

    /// None where nothing can be said.
    #[track_caller]
    fn check(text: &str, expected: Option<bool>) {
        let condition = Condition::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(condition.holds(&inputs()).ok(), expected, "{text}");
    }

    #[test]
    fn what_holds() {
        for text in [
            "n == -5",
            "n < 0 && text.contains('+')",
            "!(n > 0)",
            "n * 2 + 10 == 0",
            "n % 2 == -1",
            "text == \"a+b\"",
            "text.len() == 3",
            "items.len() == 2 || huge > 1",
            "items.contains(&7)",
            "shape.width >= 200",
            "maybe.is_some()",
            "pair.0 == 'x'",
            "!pair.1",
            "*n != 3",
            "text.starts_with(\"a\") && text.ends_with(\"b\")",
            "!items.is_empty()",
            "true",
        ] {
            check(text, Some(true));
        }
        for text in
            ["n == 5", "text.is_empty()", "maybe.is_none()", "items.contains(&2)", "n > 0 && huge > 0"]
        {
            check(text, Some(false));
        }
    }

    #[test]
    fn what_cannot_be_said() {
        for text in [
            "other == 1",
            "n",
            "n == \"x\"",
            "n.len() == 1",
            "huge > 1",
            "n / 0 == 1",
            "maybe.is_ok() == maybe",
            "shape.height > 1",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "n >",
            "f(n)",
            "text.chars()",
            "n as u8 == 3",
            "1.5 < n",
            "{ true }",
            "n = 3",
            "matches!(n, 3)",
            "n << 2 == 4",
            "",
        ] {
            assert!(Condition::parse(text).is_err(), "{text}");
        }
    }
}
