//! Readers and writers in memory, and references to readers and writers.

use super::{BufRead, Empty, Read, Repeat, Result, Seek, SeekFrom, Sink, Write, error};
use crate::fmt;

/// Reads what is left of a slice of bytes from its front.
pub(super) fn read_slice(rest: &mut &[u8], buf: &mut [u8]) -> usize {
    let whole = *rest;
    let amount = if buf.len() < whole.len() { buf.len() } else { whole.len() };
    buf[..amount].copy_from_slice(&whole[..amount]);
    *rest = &whole[amount..];
    amount
}

impl Read for &[u8] {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        Ok(read_slice(self, buf))
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        if buf.len() > self.len() {
            let whole = *self;
            *self = &whole[whole.len()..];
            return Err(error::read_exact_eof());
        }
        read_slice(self, buf);
        Ok(())
    }
    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let whole = *self;
        buf.extend_from_slice(whole);
        *self = &whole[whole.len()..];
        Ok(whole.len())
    }
    fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
        let whole = *self;
        match crate::str::from_utf8(whole) {
            Ok(text) => {
                buf.push_str(text);
                *self = &whole[whole.len()..];
                Ok(whole.len())
            }
            Err(_) => Err(error::invalid_utf8()),
        }
    }
}

impl BufRead for &[u8] {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(*self)
    }
    fn consume(&mut self, amount: usize) {
        let whole = *self;
        *self = &whole[amount..];
    }
}

impl Write for Vec<u8> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.extend_from_slice(buf);
        Ok(buf.len())
    }
    fn write_all(&mut self, buf: &[u8]) -> Result<()> {
        self.extend_from_slice(buf);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Write for &mut [u8] {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let amount = if data.len() < self.len() { data.len() } else { self.len() };
        let whole: &mut [u8] = std::mem::replace(self, &mut []);
        let (filled, rest) = whole.split_at_mut(amount);
        filled.copy_from_slice(&data[..amount]);
        *self = rest;
        Ok(amount)
    }
    fn write_all(&mut self, data: &[u8]) -> Result<()> {
        match self.write(data) {
            Ok(written) => {
                if written < data.len() {
                    Err(error::write_all_eof())
                } else {
                    Ok(())
                }
            }
            Err(error) => Err(error),
        }
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Read for Empty {
    fn read(&mut self, _buf: &mut [u8]) -> Result<usize> {
        Ok(0)
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        if buf.is_empty() { Ok(()) } else { Err(error::read_exact_eof()) }
    }
    fn read_to_end(&mut self, _buf: &mut Vec<u8>) -> Result<usize> {
        Ok(0)
    }
    fn read_to_string(&mut self, _buf: &mut String) -> Result<usize> {
        Ok(0)
    }
}

impl BufRead for Empty {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(&[])
    }
    fn consume(&mut self, _amount: usize) {}
}

impl Seek for Empty {
    fn seek(&mut self, _pos: SeekFrom) -> Result<u64> {
        Ok(0)
    }
}

impl Read for Repeat {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        buf.fill(self.byte);
        Ok(buf.len())
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        buf.fill(self.byte);
        Ok(())
    }
}

/// Writers that swallow all.
macro_rules! swallows {
    ($($ty:ty)*) => {$(
        impl Write for $ty {
            fn write(&mut self, buf: &[u8]) -> Result<usize> {
                Ok(buf.len())
            }
            fn write_all(&mut self, _buf: &[u8]) -> Result<()> {
                Ok(())
            }
            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    )*};
}

swallows! { Sink Empty }

macro_rules! passed_on {
    ($($pointer:ty)*) => {$(
        impl<T: Read + ?Sized> Read for $pointer {
            fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
                (**self).read(buf)
            }
            fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
                (**self).read_to_end(buf)
            }
            fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
                (**self).read_to_string(buf)
            }
            fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
                (**self).read_exact(buf)
            }
        }

        impl<T: BufRead + ?Sized> BufRead for $pointer {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                (**self).fill_buf()
            }
            fn consume(&mut self, amount: usize) {
                (**self).consume(amount)
            }
            fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize> {
                (**self).read_until(byte, buf)
            }
            fn skip_until(&mut self, byte: u8) -> Result<usize> {
                (**self).skip_until(byte)
            }
            fn read_line(&mut self, buf: &mut String) -> Result<usize> {
                (**self).read_line(buf)
            }
        }

        impl<T: Write + ?Sized> Write for $pointer {
            fn write(&mut self, buf: &[u8]) -> Result<usize> {
                (**self).write(buf)
            }
            fn flush(&mut self) -> Result<()> {
                (**self).flush()
            }
            fn write_all(&mut self, buf: &[u8]) -> Result<()> {
                (**self).write_all(buf)
            }
            fn write_fmt(&mut self, args: fmt::Arguments<'_>) -> Result<()> {
                (**self).write_fmt(args)
            }
        }

        impl<T: Seek + ?Sized> Seek for $pointer {
            fn seek(&mut self, pos: SeekFrom) -> Result<u64> {
                (**self).seek(pos)
            }
            fn rewind(&mut self) -> Result<()> {
                (**self).rewind()
            }
            fn stream_position(&mut self) -> Result<u64> {
                (**self).stream_position()
            }
            fn seek_relative(&mut self, offset: i64) -> Result<()> {
                (**self).seek_relative(offset)
            }
        }
    )*};
}

passed_on! { &mut T Box<T> }
