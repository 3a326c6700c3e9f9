//! Concrete first-order values as they cross between the executor, the native harness and the report.

mod std_calls;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use self::std_calls::{is_from_start, iterator_call, made_by_call};
use crate::ir::stand_ins;
use crate::ir::{Check, CtorKind, IntTy, KnownType, Name, Path};

/// A concrete Rust value without identity: what a reference points to stands for the reference.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Bool(bool),
    Char(char),
    /// Bits truncated to the width of the type.
    Int {
        ty: IntTy,
        #[serde(with = "decimal")]
        bits: u128,
    },
    /// IEEE bits.
    F32(u32),
    F64(u64),
    Str(String),
    Tuple(Vec<Value>),
    /// An array, a slice or a `Vec`, which of them the type says.
    Seq(Vec<Value>),
    /// A struct (`variant` is none) or an enum; fields in declaration order. `path` is canonical. An iterator of the
    /// standard library has one field, which holds the list of what it will still yield.
    Adt {
        path: Path,
        variant: Option<Name>,
        ctor: CtorKind,
        fields: Vec<(Name, Value)>,
    },
    /// `&v`, `&mut v` or `Box::new(v)`.
    Ref(Box<Value>),
    /// What a function of the crate makes of arguments: `Version::parse("1.0.0").unwrap()`.
    Made {
        /// The canonical path of the function; of a trait's, `<type as trait>::name`.
        callee: Path,
        args: Vec<Value>,
        success: Success,
    },
    /// A value that cannot be looked into: a closure, a raw pointer, a foreign type. Equal to nothing but its like.
    Opaque(#[serde(deserialize_with = "opaque")] String),
}

/// Takes a text, or the values that an iterator yields.
fn opaque<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Opaque {
        Text(String),
        Yields(Vec<Value>),
    }
    Ok(match Opaque::deserialize(deserializer)? {
        Opaque::Text(text) => text,
        Opaque::Yields(values) => format!("yields {}", Value::Seq(values)),
    })
}

/// What of a function's result is the value that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Success {
    /// All of it.
    Always,
    /// What is in `Some`.
    Some,
    /// What is in `Ok`.
    Ok,
    /// The argument at this position, which is lent for writing, after the call. What the call returns is dropped.
    After(usize),
}

impl Success {
    /// The position of the argument that the call changes, if that is the value.
    pub fn changed(self) -> Option<usize> {
        match self {
            Success::After(position) => Some(position),
            Success::Always | Success::Some | Success::Ok => None,
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// `value` is the return value; `mutated` what each `&mut` parameter refers to afterwards, and each argument whose
    /// type holds a `&mut` further inside, as a whole, with what is behind references as it is afterwards; by parameter
    /// position.
    Returned {
        value: Value,
        mutated: Vec<(usize, Value)>,
    },
    Panicked(Panic),
    /// It did not end within the time or step limit.
    Hung,
    /// It asked for more memory than a run is given; with more it may end otherwise.
    OutOfMemory,
    /// The process died: stack overflow, abort, signal.
    Aborted(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Panic {
    pub kind: PanicKind,
    /// The panic's message, where it is known.
    pub message: Option<String>,
    /// `file:line:col`, where it is known.
    pub location: Option<String>,
}

/// Kinds of panic. Two panics count as the same outcome iff their kinds are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanicKind {
    Overflow,
    DivisionByZero,
    IndexOutOfBounds,
    /// `unwrap`/`expect` on `None` or `Err`.
    Unwrap,
    /// `panic!`, `assert!`, `unreachable!`, `todo!` and everything else.
    Explicit,
}

impl PanicKind {
    /// Each message that [`PanicKind::of_message`] takes for one of the language or of `unwrap` has one of these in it. Any code may panic in such words.
    pub const WORDS: [&'static str; 5] =
        ["attempt to ", "index out of bounds", "out of range for slice", "slice index starts at", "called `"];

    /// What the failing arm of a check raises.
    pub fn of_check(check: &Check) -> PanicKind {
        match check {
            Check::Overflow(..) | Check::OverflowNeg(_) | Check::OverflowShift(..) => PanicKind::Overflow,
            Check::DivisionByZero(_) | Check::RemainderByZero(_) => PanicKind::DivisionByZero,
            Check::BoundsCheck { .. } => PanicKind::IndexOutOfBounds,
            Check::Other(_) => PanicKind::Explicit,
        }
    }

    /// Classifies the message that the standard library gives a panic.
    pub fn of_message(message: &str) -> PanicKind {
        if !Self::WORDS.iter().any(|words| message.contains(words)) {
            PanicKind::Explicit
        } else if message.starts_with("attempt to divide by zero")
            || message.starts_with("attempt to calculate the remainder with a divisor of zero")
        {
            PanicKind::DivisionByZero
        } else if message.starts_with("attempt to ") && message.ends_with("overflow") {
            PanicKind::Overflow
        } else if message.starts_with("index out of bounds")
            || message.contains("out of range for slice")
            // Versions of std differ in whether `v[5..2]` on a short slice is this or the end out of range.
            || message.starts_with("slice index starts at")
        {
            PanicKind::IndexOutOfBounds
        } else if message.starts_with("called `Option::unwrap()`")
            || message.starts_with("called `Result::unwrap")
        {
            PanicKind::Unwrap
        } else {
            PanicKind::Explicit
        }
    }
}

/// What formatters are shown as; options but those of `{}` stand behind it, as a format has them.
const FORMATTER: &str = "fmt::Formatter";

impl Value {
    pub fn unit() -> Value {
        Value::Tuple(Vec::new())
    }

    /// What a `&mut fmt::Formatter` parameter with the options of `{}` is shown as; whoever runs the function makes one by itself.
    pub fn formatter() -> Value {
        Value::Opaque(FORMATTER.into())
    }

    /// The same with the options of a format: `{:.3}`.
    pub fn formatter_of(format: &str) -> Value {
        match format {
            "{}" => Value::formatter(),
            format => Value::Opaque(format!("{FORMATTER} {format}")),
        }
    }

    /// The format whose options a `&mut fmt::Formatter` parameter has, if the value is one: `{:.3}`.
    pub fn as_formatter(&self) -> Option<&str> {
        match self {
            Value::Opaque(text) if text == FORMATTER => Some("{}"),
            Value::Opaque(text) => text.strip_prefix(FORMATTER)?.strip_prefix(' '),
            _ => None,
        }
    }

    /// What a `MaybeUninit` is shown as that was handed back: it must not be looked into.
    pub fn maybe_uninit() -> Value {
        Value::Opaque("MaybeUninit".into())
    }

    /// What is said of a value that native runs know no way to show.
    pub const NOT_SHOWN: &str = "not shown";

    /// Whether native runs know no way to show it.
    pub fn is_not_shown(&self) -> bool {
        matches!(self, Value::Opaque(text) if text == Value::NOT_SHOWN)
    }

    /// What stands in the place of fields of a struct that one version alone has, as their name and for their value.
    pub const REST: &str = "..";

    /// Whether it leaves fields out that one version alone has, or a part of it does.
    pub fn leaves_fields_out(&self) -> bool {
        matches!(self, Value::Opaque(text) if text == Value::REST)
            || self.parts().into_iter().any(Value::leaves_fields_out)
    }

    /// How what is said begins of a long value, of which native runs tell the length and a hash.
    pub const HASHED: &str = "a value of ";

    /// Whether it is such a value.
    pub fn is_digest(&self) -> bool {
        matches!(self, Value::Opaque(text) if text.starts_with(Value::HASHED))
    }

    /// Whether native runs know no way to show it, or a part of it.
    pub fn hides_some(&self) -> bool {
        self.is_not_shown() || self.parts().into_iter().any(Value::hides_some)
    }

    /// The values that this one is put together from.
    pub fn parts(&self) -> Vec<&Value> {
        match self {
            Value::Tuple(items) | Value::Seq(items) | Value::Made { args: items, .. } => {
                items.iter().collect()
            }
            Value::Adt { fields, .. } => fields.iter().map(|(_, value)| value).collect(),
            Value::Ref(inner) => vec![inner],
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int { .. }
            | Value::F32(_)
            | Value::F64(_)
            | Value::Str(_)
            | Value::Opaque(_) => Vec::new(),
        }
    }

    /// Whether a function of the crate makes it or a part of it.
    pub fn holds_made(&self) -> bool {
        matches!(self, Value::Made { .. }) || self.parts().into_iter().any(Value::holds_made)
    }

    /// Whether it, or a part of it, is what this function made.
    pub fn holds_made_by(&self, function: &Path) -> bool {
        matches!(self, Value::Made { callee, .. } if callee == function)
            || self.parts().into_iter().any(|part| part.holds_made_by(function))
    }

    /// Whether it, or a part of it, stands for a trait object of the crate: it is a listener, or made of a type that has the trait.
    pub fn holds_stand_in(&self) -> bool {
        let stands_in = |path: &Path| {
            stand_ins::listened_to(path.as_str()).or(stand_ins::object_of(path.as_str())).is_some()
        };
        matches!(self, Value::Adt { path, .. } if stands_in(path))
            || self.parts().into_iter().any(Value::holds_stand_in)
    }

    /// [`Value::parts`], to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Value> {
        match self {
            Value::Tuple(items) | Value::Seq(items) | Value::Made { args: items, .. } => {
                items.iter_mut().collect()
            }
            Value::Adt { fields, .. } => fields.iter_mut().map(|(_, value)| value).collect(),
            Value::Ref(inner) => vec![inner],
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int { .. }
            | Value::F32(_)
            | Value::F64(_)
            | Value::Str(_)
            | Value::Opaque(_) => Vec::new(),
        }
    }

    pub fn int(ty: IntTy, value: i128) -> Value {
        Value::Int { ty, bits: ty.truncate(value as u128) }
    }
}

/// What is not finite has no literal.
fn write_float<T: fmt::Debug + Copy + Into<f64>>(f: &mut fmt::Formatter<'_>, x: T, ty: &str) -> fmt::Result {
    let wide: f64 = x.into();
    if wide.is_nan() {
        write!(f, "{ty}::NAN")
    } else if wide == f64::INFINITY {
        write!(f, "{ty}::INFINITY")
    } else if wide == f64::NEG_INFINITY {
        write!(f, "{ty}::NEG_INFINITY")
    } else {
        write!(f, "{x:?}")
    }
}

/// Rust expression syntax; paths without their crate's name, sequences as `[…]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Char(value) => write!(f, "{value:?}"),
            Value::Int { ty, bits } => f.write_str(&ty.display_bits(*bits)),
            Value::F32(bits) => write_float(f, f32::from_bits(*bits), "f32"),
            Value::F64(bits) => write_float(f, f64::from_bits(*bits), "f64"),
            Value::Str(text) => write!(f, "{text:?}"),
            Value::Tuple(items) if items.len() == 1 => write!(f, "({},)", items[0]),
            Value::Tuple(items) => write!(f, "({})", list(items)),
            Value::Seq(items) => write!(f, "[{}]", list(items)),
            Value::Adt { path, fields, .. } if iterator_call(path).is_some() && is_from_start(fields) => {
                let list = fields[0].1.to_string();
                // A method is called on a place, so the reference goes without saying.
                write!(f, "{}.{}()", list.trim_start_matches('&'), iterator_call(path).unwrap_or_default())
            }
            Value::Adt { path, fields, .. } if made_by_call(path, fields).is_some() => {
                f.write_str(&made_by_call(path, fields).unwrap_or_default())
            }
            // What a trait object is made of.
            Value::Adt { path, fields, .. }
                if stand_ins::object_of(path.as_str()).is_some() && fields.len() == 1 =>
            {
                write!(f, "{}", fields[0].1)
            }
            Value::Adt { path, fields, .. } if stand_ins::listened_to(path.as_str()).is_some() => {
                let answers = fields.iter().filter(|(name, _)| name != stand_ins::LISTENER_NUMBER);
                let answers: Vec<String> = answers.map(|(name, value)| format!("{name}: {value}")).collect();
                let of_trait = stand_ins::listened_to(path.as_str());
                let name = of_trait.iter().flat_map(|path| path.as_str().rsplit("::").next());
                let kind = if stand_ins::is_answerer(path.as_str()) { "Some" } else { "ListenerTo" };
                write!(f, "{kind}{}", name.collect::<String>())?;
                if answers.is_empty() { Ok(()) } else { write!(f, " {{ {} }}", answers.join(", ")) }
            }
            Value::Adt { path, variant, ctor, fields } => {
                f.write_str(&constructor_name(path, variant.as_ref()))?;
                match ctor {
                    CtorKind::Unit => Ok(()),
                    CtorKind::Tuple => {
                        let fields: Vec<String> = fields.iter().map(|(_, value)| value.to_string()).collect();
                        write!(f, "({})", fields.join(", "))
                    }
                    CtorKind::Struct => {
                        let field = |(name, value): &(Name, Value)| match name == Value::REST {
                            true => name.to_string(),
                            false => format!("{name}: {value}"),
                        };
                        let fields: Vec<String> = fields.iter().map(field).collect();
                        write!(f, " {{ {} }}", fields.join(", "))
                    }
                }
            }
            Value::Ref(inner) => match (inner.as_ref(), byte_text(inner)) {
                // A literal is a reference already, and so is what `Path::new` gives.
                (text @ Value::Str(_), _) => write!(f, "{text}"),
                (Value::Adt { path, .. }, _) if is_borrowed_text(path) => write!(f, "{inner}"),
                (_, Some(text)) => write!(f, "b\"{text}\""),
                (_, None) => write!(f, "&{inner}"),
            },
            Value::Made { callee, args, success: Success::Always } => {
                write!(f, "{}({})", short_callee(callee.as_str()), list(args))
            }
            Value::Made { callee, args, success: Success::Some | Success::Ok } => {
                write!(f, "{}({}).unwrap()", short_callee(callee.as_str()), list(args))
            }
            Value::Made { success: Success::After(_), .. } => {
                f.write_str("{ let mut it = ")?;
                steps(self, f)?;
                f.write_str("; it }")
            }
            Value::Opaque(text) => match self.as_formatter() {
                Some(format) => write!(f, "{FORMATTER}({format:?})"),
                None => write!(f, "<{text}>"),
            },
        }
    }
}

fn list(items: &[Value]) -> String {
    items.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

/// What makes a value, and the calls on it that follow, as statements without the last semicolon.
fn steps(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Made { callee, args, success: Success::After(0) } if !args.is_empty() => {
            steps(&args[0], f)?;
            write!(f, "; it.{}({})", last_name(callee.as_str()), list(&args[1..]))
        }
        Value::Made { callee, args, success: Success::After(changed) } if *changed < args.len() => {
            steps(&args[*changed], f)?;
            let mut args: Vec<String> = args.iter().map(Value::to_string).collect();
            args[*changed] = String::from("&mut it");
            write!(f, "; {}({})", short_callee(callee.as_str()), args.join(", "))
        }
        Value::Made { callee, args, success: Success::After(_) } => {
            write!(f, "{}({})", short_callee(callee.as_str()), list(args))
        }
        other => write!(f, "{other}"),
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// `Version::parse` for `semver::parse::Version::parse` and for `<semver::Version as …>::parse`; a free function alone.
fn short_callee(callee: &str) -> String {
    let last = |path: &str| path.rsplit("::").next().unwrap_or(path).to_string();
    let Some((owner, name)) = callee.rsplit_once("::") else { return callee.to_string() };
    match owner.strip_prefix('<').and_then(|owner| owner.strip_suffix('>')) {
        Some(owner) => {
            let ty = owner.split_once(" as ").map_or(owner, |(ty, _)| ty);
            // Its arguments follow from what it is called with.
            let ty = ty.split_once('<').map_or(ty, |(ty, _)| ty);
            format!("{}::{name}", last(ty))
        }
        None if last(owner).starts_with(|c: char| c.is_uppercase()) => format!("{}::{name}", last(owner)),
        None => name.to_string(),
    }
}

/// A sequence of bytes as the inside of a byte string, if at least three quarters of it are printable ASCII.
fn byte_text(value: &Value) -> Option<String> {
    let Value::Seq(items) = value else { return None };
    let bytes: Option<Vec<u8>> = items
        .iter()
        .map(|item| match item {
            Value::Int { ty: IntTy::U8, bits } => u8::try_from(*bits).ok(),
            _ => None,
        })
        .collect();
    let bytes = bytes.filter(|bytes| !bytes.is_empty())?;
    let printable = bytes.iter().filter(|byte| (b' '..=b'~').contains(byte)).count();
    (4 * printable >= 3 * bytes.len()).then(|| bytes.escape_ascii().to_string())
}

fn is_borrowed_text(path: &Path) -> bool {
    path == KnownType::Path || path == KnownType::OsStr
}

/// `Some`, `None`, `Ok`, `Err` bare; other variants with their enum's last segment.
fn constructor_name(path: &Path, variant: Option<&Name>) -> String {
    let last = path.as_str().rsplit("::").next().unwrap_or(path.as_str());
    match variant {
        None => last.to_string(),
        Some(variant) if path == KnownType::Option || path == KnownType::Result => variant.to_string(),
        Some(variant) => format!("{last}::{variant}"),
    }
}

mod decimal {
    //! `u128` as a decimal string: JSON numbers do not hold 128 bits.
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let items = bytes.iter().map(|byte| Value::int(IntTy::U8, i128::from(*byte))).collect();
        assert_eq!(Value::Ref(Box::new(Value::Seq(items))).to_string(), expected);
    }

    #[test]
    fn floats_are_valid_rust() {
        let shown = |x: f64| Value::F64(x.to_bits()).to_string();
        let expected = ["0.5", "-0.0", "1e-7", "f64::NAN", "f64::INFINITY", "f64::NEG_INFINITY"];
        assert_eq!([0.5, -0.0, 1e-7, f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(shown), expected);
        assert_eq!(Value::F32(f32::NAN.to_bits()).to_string(), "f32::NAN");
        assert_eq!(Value::F32(0.1f32.to_bits()).to_string(), "0.1");
    }

    #[test]
    fn mostly_printable_bytes_are_shown_as_text() {
        check(b"GET /", "b\"GET /\"");
        check(br#"a"\"#, r#"b"a\"\\""#);
        check(b"abc\x00", r#"b"abc\x00""#);
    }

    #[test]
    fn iterators_are_shown_as_calls_on_lists() {
        let shown = |path: KnownType, list: Value| {
            let fields = vec![("list".into(), list)];
            Value::Adt { path: path.into(), variant: None, ctor: CtorKind::Struct, fields }.to_string()
        };
        let numbers = || Value::Seq(vec![Value::int(IntTy::I8, -1), Value::int(IntTy::I8, 2)]);
        assert_eq!(shown(KnownType::SliceIter, Value::Ref(Box::new(numbers()))), "[-1, 2].iter()");
        assert_eq!(shown(KnownType::VecIntoIter, numbers()), "[-1, 2].into_iter()");
        let text = Value::Ref(Box::new(Value::Str("a".into())));
        assert_eq!(shown(KnownType::Chars, text.clone()), "\"a\".chars()");
        let chars = vec![("text".into(), text)];
        let chars = Value::Adt {
            path: KnownType::Chars.into(),
            variant: None,
            ctor: CtorKind::Struct,
            fields: chars,
        };
        assert_eq!(shown(KnownType::Peekable, chars.clone()), "\"a\".chars().peekable()");
        let counted = |from| {
            let fields =
                vec![("left".into(), chars.clone()), ("from".into(), Value::int(IntTy::Usize, from))];
            Value::Adt { path: KnownType::Enumerate.into(), variant: None, ctor: CtorKind::Struct, fields }
        };
        assert_eq!(counted(0).to_string(), "\"a\".chars().enumerate()");
        assert!(counted(1).to_string().starts_with("Enumerate {"), "{}", counted(1));
    }

    #[test]
    fn paths_and_addresses_are_shown_as_the_calls_that_make_them() {
        let value = |path: KnownType, parts: Vec<Value>| {
            let name = |at: usize| Name::new(at.to_string());
            let fields = parts.into_iter().enumerate().map(|(at, part)| (name(at), part)).collect();
            Value::Adt { path: path.into(), variant: None, ctor: CtorKind::Tuple, fields }
        };
        let text = || vec![Value::Str("a/b".into())];
        assert_eq!(value(KnownType::PathBuf, text()).to_string(), "PathBuf::from(\"a/b\")");
        let borrowed = Value::Ref(Box::new(value(KnownType::Path, text())));
        assert_eq!(borrowed.to_string(), "Path::new(\"a/b\")");
        let cursor = |at| value(KnownType::Cursor, vec![Value::Seq(Vec::new()), Value::int(IntTy::U64, at)]);
        assert_eq!(cursor(0).to_string(), "Cursor::new([])");
        assert_eq!(cursor(2).to_string(), "{ let mut it = Cursor::new([]); it.set_position(2); it }");
        let octets = [127, 0, 0, 1].map(|octet| Value::int(IntTy::U8, octet)).to_vec();
        assert_eq!(value(KnownType::Ipv4Addr, octets).to_string(), "Ipv4Addr::new(127, 0, 0, 1)");
    }

    #[test]
    fn times_are_shown_as_the_calls_that_make_them() {
        let shown = |path: KnownType, secs: Value, nanos: i128| {
            let fields = vec![("secs".into(), secs), ("nanos".into(), Value::int(IntTy::U32, nanos))];
            Value::Adt { path: path.into(), variant: None, ctor: CtorKind::Struct, fields }.to_string()
        };
        let duration = shown(KnownType::Duration, Value::int(IntTy::U64, 3), 4);
        assert_eq!(duration, "Duration::new(3, 4)");
        let time = |secs, nanos| shown(KnownType::SystemTime, Value::int(IntTy::I64, secs), nanos);
        assert_eq!(time(3, 4), "UNIX_EPOCH + Duration::new(3, 4)");
        assert_eq!(time(-3, 0), "UNIX_EPOCH - Duration::new(3, 0)");
        assert_eq!(time(-3, 4), "UNIX_EPOCH - Duration::new(3, 0) + Duration::new(0, 4)");
    }

    #[test]
    fn what_functions_make_is_shown_as_their_calls() {
        let shown = |callee: &str, success: Success| {
            Value::Made { callee: Path::new(callee), args: vec![Value::Bool(true)], success }.to_string()
        };
        assert_eq!(shown("k::m::Even::new", Success::Some), "Even::new(true).unwrap()");
        assert_eq!(shown("k::m::make", Success::Always), "make(true)");
        assert_eq!(
            shown("<k::Even as std::str::FromStr>::from_str", Success::Ok),
            "Even::from_str(true).unwrap()"
        );
        assert_eq!(shown("<k::Even>::new", Success::Always), "Even::new(true)");
        let of_items = "<k::List<T> as std::iter::FromIterator<T>>::from_iter";
        assert_eq!(shown(of_items, Success::Always), "List::from_iter(true)");
    }

    #[test]
    fn calls_that_change_a_value_are_shown_one_after_the_other() {
        let made = |callee: &str, args: Vec<Value>, success| Value::Made {
            callee: Path::new(callee),
            args,
            success,
        };
        let empty = made("k::Cart::new", Vec::new(), Success::Always);
        let one = made("k::Cart::add", vec![empty, Value::Char('a'), Value::Bool(true)], Success::After(0));
        assert_eq!(one.to_string(), "{ let mut it = Cart::new(); it.add('a', true); it }");
        let none = made("<k::Cart>::clear", vec![one], Success::After(0));
        assert_eq!(none.to_string(), "{ let mut it = Cart::new(); it.add('a', true); it.clear(); it }");
        let moved = made("k::Item::put", vec![Value::Bool(true), none], Success::After(1));
        let expected =
            "{ let mut it = Cart::new(); it.add('a', true); it.clear(); Item::put(true, &mut it); it }";
        assert_eq!(moved.to_string(), expected);
    }

    #[test]
    fn other_bytes_are_shown_as_numbers() {
        check(&[], "&[]");
        check(&[65, 10], "&[65, 10]");
        check(&[200], "&[200]");
    }
}
