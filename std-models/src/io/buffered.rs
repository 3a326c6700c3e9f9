//! `std::io::{BufReader, BufWriter}`: how much they ask of what is beneath them follows from the capacity.

use super::memory::read_slice;
use super::{BufRead, BufReader, BufWriter, ErrorKind, Read, Result, Write, error};

const DEFAULT_CAPACITY: usize = 8 * 1024;

impl<R: Read> BufReader<R> {
    pub fn new(inner: R) -> BufReader<R> {
        BufReader::with_capacity(DEFAULT_CAPACITY, inner)
    }
    pub fn with_capacity(capacity: usize, inner: R) -> BufReader<R> {
        BufReader { buf: crate::vec::from_elem(0u8, capacity), pos: 0, filled: 0, inner }
    }
}

impl<R> BufReader<R> {
    pub fn get_ref(&self) -> &R {
        &self.inner
    }
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }
    pub fn into_inner(self) -> R {
        self.inner
    }
    pub fn buffer(&self) -> &[u8] {
        &self.buf.as_slice()[self.pos..self.filled]
    }
    pub fn capacity(&self) -> usize {
        self.buf.len()
    }
}

impl<R: Read> Read for BufReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        // A large read with nothing read ahead needs no buffer.
        if self.pos == self.filled && buf.len() >= self.buf.len() {
            self.pos = 0;
            self.filled = 0;
            return self.inner.read(buf);
        }
        let read = match self.fill_buf() {
            Ok(available) => {
                let mut rest = available;
                read_slice(&mut rest, buf)
            }
            Err(error) => return Err(error),
        };
        self.consume(read);
        Ok(read)
    }
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        if buf.len() <= self.filled - self.pos {
            let mut rest = &self.buf.as_slice()[self.pos..self.filled];
            let read = read_slice(&mut rest, buf);
            self.consume(read);
            return Ok(());
        }
        let mut at = 0;
        while at < buf.len() {
            match self.read(&mut buf[at..]) {
                Ok(0) => return Err(error::read_exact_eof()),
                Ok(n) => at = at.wrapping_add(n),
                Err(error) => {
                    if !error.is_interrupted() {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }
    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let ahead = self.filled - self.pos;
        buf.extend_from_slice(&self.buf.as_slice()[self.pos..self.filled]);
        self.pos = 0;
        self.filled = 0;
        match self.inner.read_to_end(buf) {
            Ok(read) => Ok(ahead.wrapping_add(read)),
            Err(error) => Err(error),
        }
    }
}

impl<R: Read> BufRead for BufReader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.pos >= self.filled {
            self.pos = 0;
            self.filled = 0;
            match self.inner.read(self.buf.as_mut_slice()) {
                Ok(read) => {
                    if read > self.buf.len() {
                        panic!(
                            "read should not return more bytes than there is capacity for in the read buffer"
                        );
                    }
                    self.filled = read;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buf.as_slice()[self.pos..self.filled])
    }
    fn consume(&mut self, amount: usize) {
        let ahead = self.filled - self.pos;
        self.pos = if amount < ahead { self.pos + amount } else { self.filled };
    }
}

impl<W: Write> BufWriter<W> {
    pub fn new(inner: W) -> BufWriter<W> {
        BufWriter::with_capacity(DEFAULT_CAPACITY, inner)
    }
    pub fn with_capacity(capacity: usize, inner: W) -> BufWriter<W> {
        BufWriter { buf: Vec::new(), capacity, panicked: false, inner }
    }
    pub fn get_ref(&self) -> &W {
        &self.inner
    }
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }
    pub fn buffer(&self) -> &[u8] {
        self.buf.as_slice()
    }
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<W: ?Sized + Write> BufWriter<W> {
    /// Hands the buffer on; what was written of it is gone from it even if an error ends this.
    fn flush_buf(&mut self) -> Result<()> {
        let mut written: usize = 0;
        let mut result = Ok(());
        while written < self.buf.len() {
            self.panicked = true;
            let answer = self.inner.write(&self.buf.as_slice()[written..]);
            self.panicked = false;
            match answer {
                Ok(0) => {
                    result = Err(error::message(ErrorKind::WriteZero, "failed to write the buffered data"));
                    break;
                }
                Ok(n) => written = written.wrapping_add(n),
                Err(error) => {
                    if !error.is_interrupted() {
                        result = Err(error);
                        break;
                    }
                }
            }
        }
        if written > 0 {
            let rest = self.buf.as_slice()[written..].to_vec();
            self.buf = rest;
        }
        result
    }

    fn make_room(&mut self, wanted: usize) -> Result<()> {
        if wanted > self.capacity - self.buf.len() { self.flush_buf() } else { Ok(()) }
    }
}

impl<W: Write> Write for BufWriter<W> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        if buf.len() < self.capacity - self.buf.len() {
            self.buf.extend_from_slice(buf);
            return Ok(buf.len());
        }
        match self.make_room(buf.len()) {
            Ok(()) => {}
            Err(error) => return Err(error),
        }
        if buf.len() >= self.capacity {
            self.panicked = true;
            let answer = self.inner.write(buf);
            self.panicked = false;
            return answer;
        }
        self.buf.extend_from_slice(buf);
        Ok(buf.len())
    }
    fn write_all(&mut self, buf: &[u8]) -> Result<()> {
        if buf.len() < self.capacity - self.buf.len() {
            self.buf.extend_from_slice(buf);
            return Ok(());
        }
        match self.make_room(buf.len()) {
            Ok(()) => {}
            Err(error) => return Err(error),
        }
        if buf.len() >= self.capacity {
            self.panicked = true;
            let answer = self.inner.write_all(buf);
            self.panicked = false;
            return answer;
        }
        self.buf.extend_from_slice(buf);
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        match self.flush_buf() {
            Ok(()) => self.inner.flush(),
            Err(error) => Err(error),
        }
    }
}

impl<W: ?Sized + Write> Drop for BufWriter<W> {
    fn drop(&mut self) {
        if !self.panicked {
            // Nobody is told of an error.
            let _ = self.flush_buf();
        }
    }
}
