//! Errors of reading and writing.

use super::{Custom, Error, ErrorKind, Repr};
use crate::convert::{From, Into};
use crate::error::Error as AnyError;
use crate::fmt::{self, Debug, Display, Formatter};
use crate::intrinsics;

pub(super) fn read_exact_eof() -> Error {
    message(ErrorKind::UnexpectedEof, "failed to fill whole buffer")
}

pub(super) fn write_all_eof() -> Error {
    message(ErrorKind::WriteZero, "failed to write whole buffer")
}

pub(super) fn invalid_utf8() -> Error {
    message(ErrorKind::InvalidData, "stream did not contain valid UTF-8")
}

pub(super) fn message(kind: ErrorKind, text: &'static str) -> Error {
    Error { repr: Repr::Message(kind, text) }
}

impl Error {
    pub fn new<E: Into<Box<dyn AnyError + Send + Sync>>>(kind: ErrorKind, error: E) -> Error {
        Error { repr: Repr::Custom(Custom { kind, error: error.into() }) }
    }
    pub fn other<E: Into<Box<dyn AnyError + Send + Sync>>>(error: E) -> Error {
        Error { repr: Repr::Custom(Custom { kind: ErrorKind::Other, error: error.into() }) }
    }
    pub fn kind(&self) -> ErrorKind {
        match &self.repr {
            Repr::Simple(kind) | Repr::Message(kind, _) => *kind,
            Repr::Custom(custom) => custom.kind,
        }
    }
    pub(super) fn is_interrupted(&self) -> bool {
        matches!(self.kind(), ErrorKind::Interrupted)
    }
    pub fn raw_os_error(&self) -> Option<i32> {
        None
    }
    pub fn get_ref(&self) -> Option<&(dyn AnyError + Send + Sync + 'static)> {
        match &self.repr {
            Repr::Custom(custom) => Some(&*custom.error),
            Repr::Simple(_) | Repr::Message(..) => None,
        }
    }
    pub fn get_mut(&mut self) -> Option<&mut (dyn AnyError + Send + Sync + 'static)> {
        match &mut self.repr {
            Repr::Custom(custom) => Some(&mut *custom.error),
            Repr::Simple(_) | Repr::Message(..) => None,
        }
    }
    pub fn into_inner(self) -> Option<Box<dyn AnyError + Send + Sync>> {
        match self.repr {
            Repr::Custom(custom) => Some(custom.error),
            Repr::Simple(_) | Repr::Message(..) => None,
        }
    }
    pub fn last_os_error() -> Error {
        intrinsics::unmodelled("io::Error::last_os_error")
    }
    pub fn from_raw_os_error(_code: i32) -> Error {
        intrinsics::unmodelled("io::Error::from_raw_os_error")
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error { repr: Repr::Simple(kind) }
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Simple(kind) => f.debug_tuple("Kind").field(kind).finish(),
            Repr::Message(kind, text) => {
                f.debug_struct("Error").field("kind", kind).field("message", text).finish()
            }
            Repr::Custom(custom) => {
                f.debug_struct("Custom").field("kind", &custom.kind).field("error", &custom.error).finish()
            }
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Simple(kind) => f.write_str(described(*kind)),
            Repr::Message(_, text) => f.write_str(text),
            Repr::Custom(custom) => Display::fmt(&*custom.error, f),
        }
    }
}

impl AnyError for Error {
    fn source(&self) -> Option<&(dyn AnyError + 'static)> {
        match &self.repr {
            Repr::Custom(custom) => custom.error.source(),
            Repr::Simple(_) | Repr::Message(..) => None,
        }
    }
}

impl Display for ErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(described(*self))
    }
}

macro_rules! kinds {
    ($($kind:ident $text:literal;)*) => {
        impl Debug for ErrorKind {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(ErrorKind::$kind => stringify!($kind),)*
                })
            }
        }

        fn described(kind: ErrorKind) -> &'static str {
            match kind {
                $(ErrorKind::$kind => $text,)*
            }
        }
    };
}

kinds! {
    NotFound "entity not found";
    PermissionDenied "permission denied";
    ConnectionRefused "connection refused";
    ConnectionReset "connection reset";
    HostUnreachable "host unreachable";
    NetworkUnreachable "network unreachable";
    ConnectionAborted "connection aborted";
    NotConnected "not connected";
    AddrInUse "address in use";
    AddrNotAvailable "address not available";
    NetworkDown "network down";
    BrokenPipe "broken pipe";
    AlreadyExists "entity already exists";
    WouldBlock "operation would block";
    NotADirectory "not a directory";
    IsADirectory "is a directory";
    DirectoryNotEmpty "directory not empty";
    ReadOnlyFilesystem "read-only filesystem or storage medium";
    FilesystemLoop "filesystem loop or indirection limit (e.g. symlink loop)";
    StaleNetworkFileHandle "stale network file handle";
    InvalidInput "invalid input parameter";
    InvalidData "invalid data";
    TimedOut "timed out";
    WriteZero "write zero";
    StorageFull "no storage space";
    NotSeekable "seek on unseekable file";
    QuotaExceeded "quota exceeded";
    FileTooLarge "file too large";
    ResourceBusy "resource busy";
    ExecutableFileBusy "executable file busy";
    Deadlock "deadlock";
    CrossesDevices "cross-device link or rename";
    TooManyLinks "too many links";
    InvalidFilename "invalid filename";
    ArgumentListTooLong "argument list too long";
    Interrupted "operation interrupted";
    Unsupported "unsupported";
    UnexpectedEof "unexpected end of file";
    OutOfMemory "out of memory";
    InProgress "in progress";
    Other "other error";
    Uncategorized "uncategorized error";
}
