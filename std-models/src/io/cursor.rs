//! `std::io::Cursor`: a position in bytes in memory.

use super::memory::read_slice;
use super::{BufRead, Cursor, ErrorKind, Read, Result, Seek, SeekFrom, Write, error};

impl<T> Cursor<T> {
    pub const fn new(inner: T) -> Cursor<T> {
        Cursor { inner, pos: 0 }
    }
    pub fn into_inner(self) -> T {
        self.inner
    }
    pub const fn get_ref(&self) -> &T {
        &self.inner
    }
    pub const fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }
    pub const fn position(&self) -> u64 {
        self.pos
    }
    pub const fn set_position(&mut self, pos: u64) {
        self.pos = pos;
    }
}

impl<T: Clone> crate::clone::Clone for Cursor<T> {
    fn clone(&self) -> Cursor<T> {
        Cursor { inner: self.inner.clone(), pos: self.pos }
    }
}

impl<T: Default> crate::default::Default for Cursor<T> {
    fn default() -> Cursor<T> {
        Cursor { inner: T::default(), pos: 0 }
    }
}

/// What is at and behind a position, which may be beyond the end.
fn rest_of(bytes: &[u8], pos: u64) -> &[u8] {
    let len = bytes.len();
    let at = if pos < len as u64 { pos as usize } else { len };
    &bytes[at..]
}

impl<T: AsRef<[u8]>> Read for Cursor<T> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let mut rest = rest_of(self.inner.as_ref(), self.pos);
        let read = read_slice(&mut rest, buf);
        self.pos = self.pos.wrapping_add(read as u64);
        Ok(read)
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        let mut rest = rest_of(self.inner.as_ref(), self.pos);
        if buf.len() > rest.len() {
            self.pos = self.inner.as_ref().len() as u64;
            return Err(error::read_exact_eof());
        }
        let read = read_slice(&mut rest, buf);
        self.pos = self.pos.wrapping_add(read as u64);
        Ok(())
    }
    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let rest = rest_of(self.inner.as_ref(), self.pos);
        let read = rest.len();
        buf.extend_from_slice(rest);
        self.pos = self.pos.wrapping_add(read as u64);
        Ok(read)
    }
    fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
        let rest = rest_of(self.inner.as_ref(), self.pos);
        let read = rest.len();
        match crate::str::from_utf8(rest) {
            Ok(text) => buf.push_str(text),
            Err(_) => return Err(error::invalid_utf8()),
        }
        self.pos = self.pos.wrapping_add(read as u64);
        Ok(read)
    }
}

impl<T: AsRef<[u8]>> BufRead for Cursor<T> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(rest_of(self.inner.as_ref(), self.pos))
    }
    fn consume(&mut self, amount: usize) {
        self.pos = self.pos.wrapping_add(amount as u64);
    }
}

impl<T: AsRef<[u8]>> Seek for Cursor<T> {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64> {
        let (base, offset) = match pos {
            SeekFrom::Start(at) => {
                self.pos = at;
                return Ok(at);
            }
            SeekFrom::End(offset) => (self.inner.as_ref().len() as u64, offset),
            SeekFrom::Current(offset) => (self.pos, offset),
        };
        match base.checked_add_signed(offset) {
            Some(at) => {
                self.pos = at;
                Ok(at)
            }
            None => Err(error::message(
                ErrorKind::InvalidInput,
                "invalid seek to a negative or overflowing position",
            )),
        }
    }
    fn stream_position(&mut self) -> Result<u64> {
        Ok(self.pos)
    }
}

/// Writes over what is there; there is no room behind the end.
fn write_into(slice: &mut [u8], pos: &mut u64, buf: &[u8]) -> usize {
    let len = slice.len();
    let at = if *pos < len as u64 { *pos as usize } else { len };
    let room = len - at;
    let amount = if buf.len() < room { buf.len() } else { room };
    slice[at..at + amount].copy_from_slice(&buf[..amount]);
    *pos = (*pos).wrapping_add(amount as u64);
    amount
}

/// Writes over what is there and goes on behind it; a gap before the position is filled with zeros.
fn write_and_grow(bytes: &mut Vec<u8>, pos: &mut u64, buf: &[u8]) -> usize {
    let at = *pos as usize;
    while bytes.len() < at {
        bytes.push(0);
    }
    let over = bytes.len() - at;
    let over = if buf.len() < over { buf.len() } else { over };
    bytes.as_mut_slice()[at..at + over].copy_from_slice(&buf[..over]);
    bytes.extend_from_slice(&buf[over..]);
    *pos = (*pos).wrapping_add(buf.len() as u64);
    buf.len()
}

macro_rules! writes {
    ($([$($generics:tt)*] $ty:ty: $write:ident |$inner:ident| $bytes:expr;)*) => {$(
        impl $($generics)* Write for Cursor<$ty> {
            fn write(&mut self, buf: &[u8]) -> Result<usize> {
                let $inner = &mut self.inner;
                Ok($write($bytes, &mut self.pos, buf))
            }
            fn write_all(&mut self, buf: &[u8]) -> Result<()> {
                let $inner = &mut self.inner;
                if $write($bytes, &mut self.pos, buf) < buf.len() {
                    return Err(error::write_all_eof());
                }
                Ok(())
            }
            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    )*};
}

writes! {
    [] &mut [u8]: write_into |inner| &mut **inner;
    [<const N: usize>] [u8; N]: write_into |inner| &mut inner[..];
    [] Box<[u8]>: write_into |inner| &mut **inner;
    [] Vec<u8>: write_and_grow |inner| inner;
    [] &mut Vec<u8>: write_and_grow |inner| &mut **inner;
}
