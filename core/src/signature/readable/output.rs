//! Symbolic outputs: the shape of a value with expressions in the place of its leaves.

use super::Printer;
use super::expression;
use crate::ir::{CtorKind, IntTy, KnownType, Name, Path};
use crate::signature::{OutputOf, SymbolicOutput};
use crate::term::TermId;
use crate::value::Value;

pub(super) fn output(printer: &Printer<'_>, symbolic: &SymbolicOutput) -> String {
    let mut leaves = symbolic.leaves.iter().copied();
    let value = shape(printer, &symbolic.value, &mut leaves);
    match symbolic.of {
        OutputOf::Return => value,
        OutputOf::Argument(index) => format!("*{} = {value}", printer.names.parameter(index)),
    }
}

fn shape(printer: &Printer<'_>, value: &Value, leaves: &mut dyn Iterator<Item = TermId>) -> String {
    let mut list = |items: &[Value]| -> String {
        items.iter().map(|item| shape(printer, item, leaves)).collect::<Vec<_>>().join(", ")
    };
    match value {
        Value::Tuple(items) if items.len() == 1 => format!("({},)", list(items)),
        Value::Tuple(items) => format!("({})", list(items)),
        Value::Seq(items) => format!("[{}]", list(items)),
        Value::Str(text) => {
            let bytes: Vec<TermId> = leaves.take(text.len()).collect();
            string(printer, &bytes)
        }
        Value::Ref(inner) => {
            let inner_text = shape(printer, inner, leaves);
            // A text is its own reference.
            match **inner {
                Value::Str(_) => inner_text,
                _ => format!("&{inner_text}"),
            }
        }
        Value::Adt { path, variant, ctor, fields } => {
            let name = constructor(path, variant.as_ref());
            let values: Vec<String> = fields.iter().map(|(_, field)| shape(printer, field, leaves)).collect();
            match ctor {
                CtorKind::Unit => name,
                CtorKind::Tuple => format!("{name}({})", values.join(", ")),
                CtorKind::Struct => {
                    let named: Vec<String> = fields
                        .iter()
                        .zip(values)
                        .map(
                            |((field, _), value)| {
                                if *field == *value { value } else { format!("{field}: {value}") }
                            },
                        )
                        .collect();
                    format!("{name} {{ {} }}", named.join(", "))
                }
            }
        }
        leaf => match leaves.next() {
            Some(term) => leaf_text(printer, leaf, term),
            None => leaf.to_string(),
        },
    }
}

fn leaf_text(printer: &Printer<'_>, leaf: &Value, term: TermId) -> String {
    if printer.pool.as_const(term).is_some() {
        return leaf.to_string();
    }
    match leaf {
        Value::Bool(_) => expression::condition(printer, term),
        Value::Int { ty, .. } => expression::integer(printer, term, *ty),
        Value::Char(_) => expression::character(printer, term),
        _ => expression::bits_of(printer, term),
    }
}

/// A text from its bytes: what is fixed in quotes, what is taken from a parameter as a part of it.
fn string(printer: &Printer<'_>, bytes: &[TermId]) -> String {
    enum Piece {
        Fixed(Vec<u8>),
        Part { of: String, from: usize, to: usize },
        Other(String),
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for byte in bytes {
        if let Some(fixed) = printer.pool.as_const(*byte) {
            match pieces.last_mut() {
                Some(Piece::Fixed(text)) => text.push(fixed as u8),
                _ => pieces.push(Piece::Fixed(vec![fixed as u8])),
            }
            continue;
        }
        let text = expression::integer(printer, *byte, IntTy::U8);
        let indexed = text.strip_suffix(']').and_then(|text| text.rsplit_once(".as_bytes()["));
        match indexed.and_then(|(of, index)| Some((of.to_owned(), index.parse::<usize>().ok()?))) {
            Some((of, index)) => match pieces.last_mut() {
                Some(Piece::Part { of: known, to, .. }) if *known == of && *to == index => *to += 1,
                _ => pieces.push(Piece::Part { of, from: index, to: index + 1 }),
            },
            None => pieces.push(Piece::Other(text)),
        }
    }
    let texts: Vec<String> = pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Fixed(bytes) => format!("{:?}", String::from_utf8_lossy(&bytes)),
            Piece::Part { of, from, to } => format!("{of}[{from}..{to}]"),
            Piece::Other(text) => format!("char::from({text})"),
        })
        .collect();
    if texts.is_empty() { "\"\"".into() } else { texts.join(" + ") }
}

/// `Some`, `None`, `Ok`, `Err` bare; other variants with their enum's last segment.
fn constructor(path: &Path, variant: Option<&Name>) -> String {
    let last = path.as_str().rsplit("::").next().unwrap_or(path.as_str());
    match variant {
        None => last.to_string(),
        Some(variant) if path == KnownType::Option || path == KnownType::Result => variant.to_string(),
        Some(variant) => format!("{last}::{variant}"),
    }
}
