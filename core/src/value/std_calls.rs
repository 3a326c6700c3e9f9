//! The calls of the standard library that make a value, as Rust text: what [`super::Value`] shows in place of private fields.

use super::Value;
use crate::ir::{KnownType, Name, Path};

/// The expression for a value that a call of the standard library makes.
pub(super) fn made_by_call(path: &Path, fields: &[(Name, Value)]) -> Option<String> {
    let function = match path.known_type()? {
        KnownType::PathBuf => "PathBuf::from",
        KnownType::Path => "Path::new",
        KnownType::OsString => "OsString::from",
        KnownType::OsStr => "OsStr::new",
        KnownType::Ipv4Addr => "Ipv4Addr::new",
        KnownType::Ipv6Addr => "Ipv6Addr::new",
        KnownType::Cursor => return cursor_at(fields),
        KnownType::RandomState => "RandomState::new",
        _ => return made_of_time(path, fields).or_else(|| made_with_less(path, fields)),
    };
    let arguments: Vec<String> = fields.iter().map(|(_, value)| value.to_string()).collect();
    Some(format!("{function}({})", arguments.join(", ")))
}

/// Of fields of which some go without saying, as they do in most values.
fn made_with_less(path: &Path, fields: &[(Name, Value)]) -> Option<String> {
    let is_zero = |value: &Value| matches!(value, Value::Int { bits: 0, .. });
    let is_empty = |value: &Value| matches!(value, Value::Seq(items) if items.is_empty());
    let values: Vec<&Value> = fields.iter().map(|(_, value)| value).collect();
    match (path.known_type()?, values.as_slice()) {
        (KnownType::SocketAddr, [ip, port, flow, scope]) if is_zero(flow) && is_zero(scope) => {
            Some(format!("SocketAddr::new({ip}, {port})"))
        }
        (KnownType::BufReader, [beneath, buffer]) if is_empty(buffer) => {
            Some(format!("BufReader::new({beneath})"))
        }
        (KnownType::BufWriter, [beneath, buffer]) if is_empty(buffer) => {
            Some(format!("BufWriter::new({beneath})"))
        }
        (KnownType::CString | KnownType::CStr, [bytes]) => Some(format!("CString::new({bytes}).unwrap()")),
        (KnownType::FmtError, []) => Some("fmt::Error".to_owned()),
        (KnownType::Utf8Error, [Value::Int { bits: valid, .. }, Value::Adt { fields: length, .. }]) => Some(
            format!("str::from_utf8(b\"{}{}\").unwrap_err()", "a".repeat(short(*valid)?), no_text(length)?),
        ),
        (KnownType::FromUtf8Error, [bytes, _]) => {
            Some(format!("String::from_utf8(vec!{bytes}).unwrap_err()"))
        }
        (KnownType::Take, [items]) => Some(format!("{items}.take(usize::MAX)")),
        (KnownType::Skip, [items]) => Some(format!("{items}.skip(0)")),
        (KnownType::StepBy, [items]) => Some(format!("{items}.step_by(1)")),
        (
            KnownType::IoError,
            [kind, Value::Adt { fields: message, .. }, Value::Adt { fields: other, .. }],
        ) if other.is_empty() => Some(match message.first() {
            Some((_, message)) => format!("io::Error::new({kind}, {message})"),
            None => format!("io::Error::from({kind})"),
        }),
        _ => failed_call(path, &values),
    }
}

fn short(length: u128) -> Option<usize> {
    usize::try_from(length).ok().filter(|length| *length < 64)
}

/// Bytes that are no text, of which the error says that so many are wrong; none if more are missing.
fn no_text(length: &[(Name, Value)]) -> Option<&'static str> {
    match length {
        [] => Some("\\xe2"),
        [(_, Value::Int { bits: 1, .. })] => Some("\\xff"),
        [(_, Value::Int { bits: 2, .. })] => Some("\\xe2\\x82a"),
        [(_, Value::Int { bits: 3, .. })] => Some("\\xf0\\x9f\\x98a"),
        _ => None,
    }
}

/// The call that fails in this way.
fn failed_call(path: &Path, fields: &[&Value]) -> Option<String> {
    let kind = match fields {
        [Value::Adt { variant, .. }] => variant.as_ref().map(Name::as_str),
        _ => None,
    };
    let call = match (path.known_type()?, kind) {
        (KnownType::ParseIntError, Some("Empty")) => "\"\".parse::<i8>()",
        (KnownType::ParseIntError, Some("InvalidDigit")) => "\"x\".parse::<i8>()",
        (KnownType::ParseIntError, Some("PosOverflow")) => "\"300\".parse::<i8>()",
        (KnownType::ParseIntError, Some("NegOverflow")) => "\"-300\".parse::<i8>()",
        (KnownType::ParseIntError, Some("Zero")) => "\"0\".parse::<NonZeroI8>()",
        (KnownType::ParseFloatError, Some("Empty")) => "\"\".parse::<f64>()",
        (KnownType::ParseFloatError, Some(_)) => "\"x\".parse::<f64>()",
        (KnownType::ParseCharError, Some("EmptyString")) => "\"\".parse::<char>()",
        (KnownType::ParseCharError, Some(_)) => "\"ab\".parse::<char>()",
        (KnownType::ParseBoolError, _) => "\"x\".parse::<bool>()",
        (KnownType::TryFromIntError, _) => "u8::try_from(256)",
        (KnownType::CharTryFromError, _) => "char::try_from(0xd800)",
        (KnownType::TryFromSliceError, _) => "<[u8; 1]>::try_from(&[][..])",
        _ => return None,
    };
    Some(format!("{call}.unwrap_err()"))
}

fn cursor_at(fields: &[(Name, Value)]) -> Option<String> {
    let [(_, inner), (_, Value::Int { bits: pos, .. })] = fields else { return None };
    Some(match pos {
        0 => format!("Cursor::new({inner})"),
        _ => format!("{{ let mut it = Cursor::new({inner}); it.set_position({pos}); it }}"),
    })
}

fn made_of_time(path: &Path, fields: &[(Name, Value)]) -> Option<String> {
    let [(_, Value::Int { ty, bits: secs }), (_, Value::Int { bits: nanos, .. })] = fields else {
        return None;
    };
    match path.known_type()? {
        KnownType::Duration => Some(format!("Duration::new({secs}, {nanos})")),
        KnownType::SystemTime | KnownType::Instant => {
            let since = if path == KnownType::Instant { "Instant::now()" } else { "UNIX_EPOCH" };
            let secs = ty.sign_extend(*secs);
            let (sign, by) = if secs < 0 { ('-', secs.unsigned_abs()) } else { ('+', secs.unsigned_abs()) };
            // The nanoseconds come on top of the seconds before the epoch, too.
            Some(match (sign, nanos) {
                ('-', 1..) => format!("{since} - Duration::new({by}, 0) + Duration::new(0, {nanos})"),
                _ => format!("{since} {sign} Duration::new({by}, {nanos})"),
            })
        }
        _ => None,
    }
}

/// How an iterator is made from the list that stands for it.
pub(super) fn iterator_call(path: &Path) -> Option<&'static str> {
    match path.known_type()? {
        KnownType::SliceIter => Some("iter"),
        KnownType::SliceIterMut => Some("iter_mut"),
        KnownType::Chars => Some("chars"),
        KnownType::Bytes => Some("iter().copied"),
        KnownType::VecIntoIter => Some("into_iter"),
        KnownType::CharIndices => Some("char_indices"),
        KnownType::Lines => Some("lines"),
        KnownType::SplitWhitespace => Some("split_whitespace"),
        KnownType::Peekable => Some("peekable"),
        KnownType::Enumerate => Some("enumerate"),
        KnownType::Rev => Some("rev"),
        KnownType::Fuse => Some("fuse"),
        KnownType::Copied => Some("copied"),
        KnownType::Cloned => Some("cloned"),
        KnownType::BinaryHeap => Some("into_iter().collect"),
        _ => None,
    }
}

/// Whether these are a list, or one of which nothing has been counted.
pub(super) fn is_from_start(fields: &[(Name, Value)]) -> bool {
    match fields {
        [_] => true,
        [_, (_, counted)] => matches!(counted, Value::Int { bits: 0, .. }),
        _ => false,
    }
}
