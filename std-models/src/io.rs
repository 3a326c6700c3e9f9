//! `std::io`: the traits, readers and writers in memory, adaptors and errors.
//!
//! Limits: what reads into spare capacity (`read_to_end` and `read_to_string` of readers that are not in memory, `copy`)
//! asks for as many bytes as the capacity happens to allow, which is not modelled; vectored reads and writes, files, and
//! errors of the operating system are not either.

mod adaptors;
mod buffered;
mod cursor;
mod error;
mod memory;

use crate::error::Error as AnyError;
use crate::fmt;
use crate::intrinsics;

pub type Result<T> = std::result::Result<T, Error>;

pub struct Error {
    repr: Repr,
}

enum Repr {
    Simple(ErrorKind),
    Message(ErrorKind, &'static str),
    Custom(Custom),
}

struct Custom {
    kind: ErrorKind,
    error: Box<dyn AnyError + Send + Sync>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    NotFound,
    PermissionDenied,
    ConnectionRefused,
    ConnectionReset,
    HostUnreachable,
    NetworkUnreachable,
    ConnectionAborted,
    NotConnected,
    AddrInUse,
    AddrNotAvailable,
    NetworkDown,
    BrokenPipe,
    AlreadyExists,
    WouldBlock,
    NotADirectory,
    IsADirectory,
    DirectoryNotEmpty,
    ReadOnlyFilesystem,
    FilesystemLoop,
    StaleNetworkFileHandle,
    InvalidInput,
    InvalidData,
    TimedOut,
    WriteZero,
    StorageFull,
    NotSeekable,
    QuotaExceeded,
    FileTooLarge,
    ResourceBusy,
    ExecutableFileBusy,
    Deadlock,
    CrossesDevices,
    TooManyLinks,
    InvalidFilename,
    ArgumentListTooLong,
    Interrupted,
    Unsupported,
    UnexpectedEof,
    OutOfMemory,
    InProgress,
    Other,
    Uncategorized,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekFrom {
    Start(u64),
    End(i64),
    Current(i64),
}

pub trait Read {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize>;
    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let _ = buf;
        intrinsics::unmodelled("io::Read::read_to_end of a reader that is not in memory")
    }
    fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
        let _ = buf;
        intrinsics::unmodelled("io::Read::read_to_string of a reader that is not in memory")
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        let mut at = 0;
        while at < buf.len() {
            match self.read(&mut buf[at..]) {
                Ok(0) => break,
                Ok(n) => {
                    if n > buf.len() - at {
                        panic!("range start index out of range for slice of length");
                    }
                    at = at.wrapping_add(n);
                }
                Err(error) => {
                    if !error.is_interrupted() {
                        return Err(error);
                    }
                }
            }
        }
        if at < buf.len() { Err(error::read_exact_eof()) } else { Ok(()) }
    }
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
    fn bytes(self) -> Bytes<Self>
    where
        Self: Sized,
    {
        Bytes { inner: self }
    }
    fn chain<R: Read>(self, next: R) -> Chain<Self, R>
    where
        Self: Sized,
    {
        Chain { first: self, second: next, done_first: false }
    }
    fn take(self, limit: u64) -> Take<Self>
    where
        Self: Sized,
    {
        Take { inner: self, limit }
    }
}

pub trait Write {
    fn write(&mut self, buf: &[u8]) -> Result<usize>;
    fn flush(&mut self) -> Result<()>;
    fn write_all(&mut self, buf: &[u8]) -> Result<()> {
        let mut rest = buf;
        while !rest.is_empty() {
            match self.write(rest) {
                Ok(0) => return Err(error::write_all_eof()),
                Ok(n) => rest = &rest[n..],
                Err(error) => {
                    if !error.is_interrupted() {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }
    fn write_fmt(&mut self, args: fmt::Arguments<'_>) -> Result<()> {
        let mut output = Adapter { inner: self, error: Ok(()) };
        match fmt::write(&mut output, args) {
            Ok(()) => Ok(()),
            Err(_) => match output.error {
                Err(error) => Err(error),
                Ok(()) => {
                    panic!(
                        "a formatting trait implementation returned an error when the underlying stream did not"
                    )
                }
            },
        }
    }
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

/// Text for a writer of bytes; the writer's error is kept, as formatting only says that there was one.
struct Adapter<'a, T: ?Sized> {
    inner: &'a mut T,
    error: Result<()>,
}

impl<T: Write + ?Sized> fmt::Write for Adapter<'_, T> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        match self.inner.write_all(s.as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.error = Err(error);
                Err(fmt::Error)
            }
        }
    }
}

pub trait BufRead: Read {
    fn fill_buf(&mut self) -> Result<&[u8]>;
    fn consume(&mut self, amount: usize);
    fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize> {
        let mut read: usize = 0;
        loop {
            let (done, used) = match self.fill_buf() {
                Ok(available) => match position(available, byte) {
                    Some(at) => {
                        buf.extend_from_slice(&available[..at.wrapping_add(1)]);
                        (true, at.wrapping_add(1))
                    }
                    None => {
                        buf.extend_from_slice(available);
                        (false, available.len())
                    }
                },
                Err(error) => {
                    if error.is_interrupted() {
                        continue;
                    }
                    return Err(error);
                }
            };
            self.consume(used);
            read = read.wrapping_add(used);
            if done || used == 0 {
                return Ok(read);
            }
        }
    }
    fn skip_until(&mut self, byte: u8) -> Result<usize> {
        let mut read: usize = 0;
        loop {
            let (done, used) = match self.fill_buf() {
                Ok(available) => match position(available, byte) {
                    Some(at) => (true, at.wrapping_add(1)),
                    None => (false, available.len()),
                },
                Err(error) => {
                    if error.is_interrupted() {
                        continue;
                    }
                    return Err(error);
                }
            };
            self.consume(used);
            read = read.wrapping_add(used);
            if done || used == 0 {
                return Ok(read);
            }
        }
    }
    fn read_line(&mut self, buf: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        let read = self.read_until(b'\n', &mut bytes);
        match crate::str::from_utf8(bytes.as_slice()) {
            Ok(text) => {
                buf.push_str(text);
                read
            }
            Err(_) => match read {
                Ok(_) => Err(error::invalid_utf8()),
                Err(error) => Err(error),
            },
        }
    }
    fn split(self, byte: u8) -> Split<Self>
    where
        Self: Sized,
    {
        Split { buf: self, delim: byte }
    }
    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines { buf: self }
    }
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == wanted {
            return Some(at);
        }
        at = at.wrapping_add(1);
    }
    None
}

pub trait Seek {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64>;
    fn rewind(&mut self) -> Result<()> {
        match self.seek(SeekFrom::Start(0)) {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
    fn stream_position(&mut self) -> Result<u64> {
        self.seek(SeekFrom::Current(0))
    }
    fn seek_relative(&mut self, offset: i64) -> Result<()> {
        match self.seek(SeekFrom::Current(offset)) {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[derive(Debug)]
pub struct Bytes<R> {
    inner: R,
}

#[derive(Debug)]
pub struct Chain<T, U> {
    first: T,
    second: U,
    done_first: bool,
}

#[derive(Debug)]
pub struct Take<T> {
    inner: T,
    limit: u64,
}

#[derive(Debug)]
pub struct Lines<B> {
    buf: B,
}

#[derive(Debug)]
pub struct Split<B> {
    buf: B,
    delim: u8,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Cursor<T> {
    inner: T,
    pos: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Empty;

#[derive(Clone, Copy, Debug)]
pub struct Sink;

pub struct Repeat {
    byte: u8,
}

/// The bytes that are read ahead are `buf[pos..filled]`.
pub struct BufReader<R: ?Sized> {
    buf: Vec<u8>,
    pos: usize,
    filled: usize,
    inner: R,
}

pub struct BufWriter<W: ?Sized + Write> {
    buf: Vec<u8>,
    capacity: usize,
    panicked: bool,
    inner: W,
}

pub const fn empty() -> Empty {
    Empty
}

pub const fn sink() -> Sink {
    Sink
}

pub const fn repeat(byte: u8) -> Repeat {
    Repeat { byte }
}

pub fn read_to_string<R: Read>(reader: R) -> Result<String> {
    let mut reader = reader;
    let mut text = String::new();
    match reader.read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(error),
    }
}
