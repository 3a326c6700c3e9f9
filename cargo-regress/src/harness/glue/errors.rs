// ---------------------------------------------------------------------------------------------------------------
// Errors of the standard library: each is had from the call that fails that way

use crate::__regress_std::array::TryFromSliceError;
use crate::__regress_std::char::{CharTryFromError, ParseCharError};
use crate::__regress_std::num::{IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};
use crate::__regress_std::str::{ParseBoolError, Utf8Error};
use crate::__regress_std::string::FromUtf8Error;

/// A variant without fields, by its name.
struct UnitVariant {
    path: &'static str,
    name: String,
}

impl UnitVariant {
    fn of<T: fmt::Debug>(path: &'static str, kind: &T) -> UnitVariant {
        UnitVariant { path, name: std::format!("{:?}", kind) }
    }
}

impl Show for UnitVariant {
    fn show(&self, out: &mut String) {
        json_adt(self.path, &self.name, "unit", &[], out);
    }
}

/// The name of one of these.
fn unit_variant(source: &mut Source, names: &[(&'static str, bool)]) -> Result<&'static str, Misfit> {
    let (name, nest) = source.open_variant(names)?;
    source.close(nest);
    Ok(name)
}

impl Build for IntErrorKind {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let names = ["Empty", "InvalidDigit", "PosOverflow", "NegOverflow", "Zero"].map(|name| (name, false));
        Ok(match unit_variant(source, &names)? {
            "Empty" => IntErrorKind::Empty,
            "InvalidDigit" => IntErrorKind::InvalidDigit,
            "PosOverflow" => IntErrorKind::PosOverflow,
            "NegOverflow" => IntErrorKind::NegOverflow,
            _ => IntErrorKind::Zero,
        })
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::IntErrorKind);
    }
}

impl Show for IntErrorKind {
    fn show(&self, out: &mut String) {
        UnitVariant::of(paths::IntErrorKind, self).show(out);
    }
}

impl Build for ParseIntError {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let kind: IntErrorKind = source.build()?;
        source.close(nest);
        let parsed = match kind {
            IntErrorKind::Empty => "".parse::<i8>(),
            IntErrorKind::PosOverflow => "300".parse::<i8>(),
            IntErrorKind::NegOverflow => "-300".parse::<i8>(),
            IntErrorKind::Zero => "0".parse::<std::num::NonZeroI8>().map(|it| it.get()),
            _ => "x".parse::<i8>(),
        };
        parsed.err().ok_or_else(|| Misfit(String::from("no such error")))
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::ParseIntError);
    }
}

impl Show for ParseIntError {
    fn show(&self, out: &mut String) {
        json_adt(paths::ParseIntError, "", "struct", &[("kind", self.kind())], out);
    }
}

/// The errors of two kinds that say so by their text alone.
macro_rules! __regress_errors_of_two_kinds {
    ($($ty:ident $kind:ident $target:ty { $first:literal $of:literal, $second:literal $of_second:literal };)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let text = match unit_variant(source, &[($first, false), ($second, false)])? {
                    $first => $of,
                    _ => $of_second,
                };
                source.close(nest);
                text.parse::<$target>().err().ok_or_else(|| Misfit(String::from("no such error")))
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
            }
        }

        impl Show for $ty {
            fn show(&self, out: &mut String) {
                let is_first = $of.parse::<$target>().err().as_ref() == Some(self);
                let name = String::from(if is_first { $first } else { $second });
                json_adt(paths::$ty, "", "struct", &[("kind", &UnitVariant { path: paths::$kind, name })], out);
            }
        }
    )*};
}

__regress_errors_of_two_kinds! {
    ParseFloatError FloatErrorKind f64 { "Empty" "", "Invalid" "x" };
    ParseCharError CharErrorKind char { "EmptyString" "", "TooManyChars" "ab" };
}

fn one_byte(bytes: &[u8]) -> Result<[u8; 1], TryFromSliceError> {
    std::convert::TryFrom::try_from(bytes)
}

/// Errors that say nothing but that there was one.
macro_rules! __regress_errors_of_one_kind {
    ($($ty:ident $made:expr;)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                source.build::<()>()?;
                source.close(nest);
                $made.err().ok_or_else(|| Misfit(String::from("no such error")))
            }
            fn size(_: &mut Domain) -> u64 {
                1
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
            }
        }

        impl Show for $ty {
            fn show(&self, out: &mut String) {
                json_adt(paths::$ty, "", "tuple", &[("0", &())], out);
            }
        }
    )*};
}

__regress_errors_of_one_kind! {
    ParseBoolError "x".parse::<bool>();
    TryFromIntError <u8 as std::convert::TryFrom<u16>>::try_from(256);
    CharTryFromError <char as std::convert::TryFrom<u32>>::try_from(0xd800);
    TryFromSliceError one_byte(&[]);
}

impl Build for fmt::Error {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(fmt::Error)
    }
    fn size(_: &mut Domain) -> u64 {
        1
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::FmtError);
    }
}

impl Show for fmt::Error {
    fn show(&self, out: &mut String) {
        json_adt(paths::FmtError, "", "unit", &[], out);
    }
}

/// Bytes that are a text only so far, and then not: for a reason that so many bytes show, or because the text ends.
fn no_text(valid_up_to: usize, error_len: Option<u8>) -> Result<Vec<u8>, Misfit> {
    const LONGEST: usize = 1 << 16;
    let rest: &[u8] = match error_len {
        None => b"\xe2",
        Some(1) => b"\xff",
        Some(2) => b"\xe2\x82a",
        Some(3) => b"\xf0\x9f\x98a",
        Some(other) => return Err(Misfit(std::format!("no error of {} bytes", other))),
    };
    if valid_up_to > LONGEST {
        return Err(Misfit(std::format!("a text of {} bytes", valid_up_to)));
    }
    let mut bytes = std::vec![b'a'; valid_up_to];
    bytes.extend_from_slice(rest);
    Ok(bytes)
}

impl Build for Utf8Error {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(2)?;
        let (mut valid_up_to, mut error_len): (usize, Option<u8>) = (source.build()?, source.build()?);
        source.close(nest);
        if random {
            valid_up_to %= 16;
            error_len = error_len.map(|bytes| bytes % 3 + 1);
        }
        let bytes = no_text(valid_up_to, error_len)?;
        std::str::from_utf8(&bytes).err().ok_or_else(|| Misfit(String::from("no such error")))
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::Utf8Error);
    }
}

impl Show for Utf8Error {
    fn show(&self, out: &mut String) {
        let error_len = self.error_len().map(|bytes| bytes as u8);
        let fields: [(&str, &dyn Show); 2] = [("valid_up_to", &self.valid_up_to()), ("error_len", &error_len)];
        json_adt(paths::Utf8Error, "", "struct", &fields, out);
    }
}

impl Build for FromUtf8Error {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(2)?;
        let (mut bytes, error): (Vec<u8>, Utf8Error) = (source.build()?, source.build()?);
        source.close(nest);
        if random && std::str::from_utf8(&bytes).is_ok() {
            bytes.push(0xff);
        }
        match String::from_utf8(bytes) {
            Err(made) if random || made.utf8_error() == error => Ok(made),
            _ => Err(Misfit(String::from("these bytes are not wrong in this way"))),
        }
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::FromUtf8Error);
    }
}

impl Show for FromUtf8Error {
    fn show(&self, out: &mut String) {
        let fields: [(&str, &dyn Show); 2] = [("bytes", &Items(self.as_bytes())), ("error", &self.utf8_error())];
        json_adt(paths::FromUtf8Error, "", "struct", &fields, out);
    }
}

type IoErrorKind = std::io::ErrorKind;

macro_rules! __regress_io_error_kinds {
    ({ $($name:ident)* } { $($by_code:literal $code:literal)* }) => {
        impl Build for IoErrorKind {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let names = [$((std::stringify!($name), false),)* $(($by_code, false),)*];
                let name = unit_variant(source, &names)?;
                let made = match name {
                    $(std::stringify!($name) => IoErrorKind::$name,)*
                    $($by_code => std::io::Error::from_raw_os_error($code).kind(),)*
                    _ => return no_variant(name),
                };
                // Other systems have other numbers.
                match std::format!("{:?}", made) == name {
                    true => Ok(made),
                    false => no_variant(name),
                }
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::IoErrorKind);
            }
        }
    };
}

// Kinds that have no stable name are had by a number of Linux.
__regress_io_error_kinds! {
    {
        NotFound PermissionDenied ConnectionRefused ConnectionReset HostUnreachable NetworkUnreachable ConnectionAborted
        NotConnected AddrInUse AddrNotAvailable NetworkDown BrokenPipe AlreadyExists WouldBlock NotADirectory IsADirectory
        DirectoryNotEmpty ReadOnlyFilesystem StaleNetworkFileHandle InvalidInput InvalidData TimedOut WriteZero StorageFull
        NotSeekable FileTooLarge ResourceBusy ExecutableFileBusy Deadlock TooManyLinks ArgumentListTooLong Interrupted
        Unsupported UnexpectedEof OutOfMemory Other
    }
    { "FilesystemLoop" 40 "QuotaExceeded" 122 "CrossesDevices" 18 "InvalidFilename" 36 "InProgress" 115 "Uncategorized" 100000 }
}

impl Show for std::io::ErrorKind {
    fn show(&self, out: &mut String) {
        UnitVariant::of(paths::IoErrorKind, self).show(out);
    }
}

fn raw_debug<T: fmt::Debug>(value: &T) -> Raw {
    let mut text = String::new();
    opaque(value, &mut text);
    Raw(text)
}

/// Of a kind alone, or with a text; others are only shown.
impl Build for std::io::Error {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(3)?;
        let (kind, message): (IoErrorKind, Option<String>) = (source.build()?, source.build()?);
        if !random && source.build::<Option<()>>()?.is_some() {
            return Err(Misfit(String::from("an error that holds another one")));
        }
        source.close(nest);
        Ok(match message {
            Some(message) => std::io::Error::new(kind, message),
            None => kind.into(),
        })
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::IoError);
    }
}

impl Show for std::io::Error {
    fn show(&self, out: &mut String) {
        let debug = std::format!("{:?}", self);
        let is_text = debug.starts_with(&std::format!("Custom {{ kind: {:?}, error: \"", self.kind()));
        let message = Some(self).filter(|_| is_text).map(|it| it.to_string());
        // What holds a text says of itself what one that is made of this text says.
        let message = message.filter(|text| std::format!("{:?}", std::io::Error::new(self.kind(), &text[..])) == debug);
        let is_kind = debug == std::format!("Kind({:?})", self.kind());
        let other = if is_kind || message.is_some() { None } else { Some(raw_debug(self)) };
        let fields: [(&str, &dyn Show); 3] = [("kind", &self.kind()), ("message", &message), ("other", &other)];
        json_adt(paths::IoError, "", "struct", &fields, out);
    }
}
