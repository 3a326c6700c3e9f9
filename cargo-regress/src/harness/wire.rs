//! What parent and worker say to each other: lines over a socket.
//!
//! Values go to the worker as tokens in pre-order, each tagged with what it is, so that a value of the wrong type is
//! told and never misread: `u8:255` (bits), `b1`, `c97` (code point), `f32:0` (bits), `s6869` (UTF-8 in hex), `q3`
//! (a sequence of three), `t2` (a tuple of two), `r` (what follows is referred to), `k2` (a struct of two fields),
//! `vSome` (a variant), `mk::Even::new` (what that function makes of the arguments that follow). They come back as the JSON of [`Value`].

use std::iter;

use regress_core::value::{Outcome, Panic, PanicKind, Value};
use serde::Deserialize;

use super::literals::{Literals, Row, Scalar};
use super::request::HarnessError;
use super::worker::Went;

/// The tokens of the arguments of a call, each preceded by a blank: the options of a formatter (`o{:.3}`) come first.
pub fn tokens(arguments: &[Value]) -> Result<String, HarnessError> {
    let mut out = String::new();
    if let Some(format) = arguments.iter().find_map(Value::as_formatter) {
        word(&mut out, &format!("o{format}"));
    }
    for argument in arguments {
        push_tokens(argument, &mut out)?;
    }
    Ok(out)
}

fn push_tokens(value: &Value, out: &mut String) -> Result<(), HarnessError> {
    match value {
        Value::Bool(value) => word(out, &format!("b{}", u8::from(*value))),
        Value::Char(value) => word(out, &format!("c{}", u32::from(*value))),
        Value::Int { ty, bits } => word(out, &format!("{}:{bits}", ty.name())),
        Value::F32(bits) => word(out, &format!("f32:{bits}")),
        Value::F64(bits) => word(out, &format!("f64:{bits}")),
        Value::Str(text) => word(out, &hex(text)),
        Value::Tuple(items) => {
            word(out, &format!("t{}", items.len()));
            for item in items {
                push_tokens(item, out)?;
            }
        }
        Value::Seq(items) => {
            word(out, &format!("q{}", items.len()));
            for item in items {
                push_tokens(item, out)?;
            }
        }
        Value::Adt { variant, fields, .. } => {
            let given = || fields.iter().filter(|(name, _)| name != Value::REST);
            match variant {
                Some(variant) => word(out, &format!("v{variant}")),
                None => word(out, &format!("k{}", given().count())),
            }
            for (_, field) in given() {
                push_tokens(field, out)?;
            }
        }
        Value::Ref(inner) => {
            word(out, "r");
            push_tokens(inner, out)?;
        }
        Value::Made { callee, args, .. } => {
            word(out, &format!("m{}", maker_name(callee.as_str())));
            for arg in args {
                push_tokens(arg, out)?;
            }
        }
        // The worker makes one before all arguments.
        value if value.as_formatter().is_some() => {}
        Value::Opaque(text) => return Err(HarnessError::NotBuildable(text.clone())),
    }
    Ok(())
}

/// The path of a function as one word.
pub fn maker_name(callee: &str) -> String {
    callee.replace(' ', "~")
}

fn word(out: &mut String, text: &str) {
    out.push(' ');
    out.push_str(text);
}

fn hex(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::from("s");
    for byte in text.bytes() {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Constants for random inputs to be made from. Those that one version alone has stand there several times.
pub fn dictionary(literals: &Literals) -> String {
    const OFTEN: usize = 4;
    let mut out = String::from("dictionary");
    for int in literals.ints.iter().chain(iter::repeat_n(&literals.changed.ints, OFTEN - 1).flatten()) {
        word(&mut out, &int.to_string());
    }
    for bits in literals.floats.iter().chain(iter::repeat_n(&literals.changed.floats, OFTEN - 1).flatten()) {
        word(&mut out, &format!("f{bits}"));
    }
    for text in literals.texts.iter().chain(iter::repeat_n(&literals.changed.texts, OFTEN - 1).flatten()) {
        word(&mut out, &hex(text));
    }
    for Row(scalars) in literals.written.rows() {
        word(&mut out, "|");
        for scalar in scalars {
            let written = match scalar {
                Scalar::Text(text) => hex(text),
                Scalar::Char(c) => format!("c{}", u32::from(*c)),
                Scalar::Int(value) => value.to_string(),
                Scalar::Float(bits) => format!("f{bits}"),
                Scalar::Bool(value) => format!("b{}", u8::from(*value)),
                Scalar::Length(length) => format!("q{length}"),
            };
            word(&mut out, &written);
        }
    }
    out
}

/// A line from the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Shape {
        subject: usize,
        /// How many inputs there are, if that is known.
        inputs: Option<u64>,
        shape: String,
    },
    /// A run begins; inputs as a JSON array.
    Begin { index: u64, inputs: String },
    /// A run ended; still to be parsed with [`outcome`].
    Outcome(String),
    /// There was no run, because the input could not be made.
    Misfit(String),
    /// Of each run of a batch what tells it from others; [`NO_RUN`] where there was none.
    Digests(Vec<u64>),
    /// The same of what the runs returned alone.
    Results(Vec<u64>),
    /// How far the worker came through all inputs.
    Went(Went),
    /// How many sets of counters there are.
    Counters(u64),
    /// An input that is worth keeping, as choices of the random source.
    Kept { index: u64, choices: String },
    /// Operands of comparisons that an input was found in.
    Operands(Vec<String>),
    /// The command is done.
    Done,
}

/// The digest of an input that could not be made.
pub const NO_RUN: u64 = 0;

pub fn reply(line: &str) -> Result<Reply, HarnessError> {
    let nonsense = || HarnessError::Protocol(line.chars().take(200).collect());
    let (tag, rest) = line.split_at_checked(1).ok_or_else(nonsense)?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    match tag {
        "." if rest.is_empty() => Ok(Reply::Done),
        "S" => {
            let mut parts = rest.splitn(3, ' ');
            let subject = parts.next().and_then(|subject| subject.parse().ok()).ok_or_else(nonsense)?;
            let inputs = parts.next().ok_or_else(nonsense)?.parse().ok();
            Ok(Reply::Shape { subject, inputs, shape: parts.next().unwrap_or_default().to_string() })
        }
        "B" => {
            let (index, inputs) = rest.split_once(' ').ok_or_else(nonsense)?;
            Ok(Reply::Begin { index: index.parse().map_err(|_| nonsense())?, inputs: inputs.to_string() })
        }
        "O" => Ok(Reply::Outcome(rest.to_string())),
        "M" => Ok(Reply::Misfit(rest.to_string())),
        "D" | "R" => {
            let digest = |word: &str| u64::from_str_radix(word, 16).map_err(|_| nonsense());
            let words = rest.split(' ').filter(|word| !word.is_empty());
            let digests = words.map(digest).collect::<Result<_, _>>()?;
            Ok(if tag == "D" { Reply::Digests(digests) } else { Reply::Results(digests) })
        }
        "N" => {
            let numbers: Option<Vec<u64>> = rest.split(' ').map(|word| word.parse().ok()).collect();
            numbers.as_deref().and_then(Went::of).map(Reply::Went).ok_or_else(nonsense)
        }
        "C" => Ok(Reply::Counters(rest.parse().map_err(|_| nonsense())?)),
        "K" => {
            let (index, choices) = rest.split_once(' ').unwrap_or((rest, ""));
            Ok(Reply::Kept { index: index.parse().map_err(|_| nonsense())?, choices: choices.to_string() })
        }
        "P" => Ok(Reply::Operands(rest.split_whitespace().map(str::to_string).collect())),
        _ => Err(nonsense()),
    }
}

pub fn values(json: &str) -> Result<Vec<Value>, HarnessError> {
    parse(json)
}

/// The worker sees to it that nothing is nested deeper than the stack can take.
fn parse<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, HarnessError> {
    let nonsense = |error: serde_json::Error| HarnessError::Protocol(format!("{error} in {json:.200}"));
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(&mut deserializer).map_err(nonsense)?;
    deserializer.end().map_err(nonsense)?;
    Ok(value)
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawOutcome {
    Returned { value: Value, mutated: Vec<(usize, Value)> },
    Panic { message: Option<String>, location: Option<String> },
}

pub fn outcome(json: &str) -> Result<Outcome, HarnessError> {
    let raw: RawOutcome = parse(json)?;
    Ok(match raw {
        RawOutcome::Returned { value, mutated } => Outcome::Returned { value, mutated },
        RawOutcome::Panic { message, location } => {
            let kind = message.as_deref().map_or(PanicKind::Explicit, PanicKind::of_message);
            Outcome::Panicked(Panic { kind, message, location })
        }
    })
}
