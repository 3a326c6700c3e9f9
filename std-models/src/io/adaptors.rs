//! Readers made of readers, and what iterates over them.

use super::{BufRead, Bytes, Chain, Lines, Read, Result, Split, Take};
use crate::iter::Iterator;

impl<R: Read> Iterator for Bytes<R> {
    type Item = Result<u8>;
    fn next(&mut self) -> Option<Result<u8>> {
        let mut byte = [0u8; 1];
        loop {
            return match self.inner.read(&mut byte) {
                Ok(0) => None,
                Ok(_) => Some(Ok(byte[0])),
                Err(error) => {
                    if error.is_interrupted() {
                        continue;
                    }
                    Some(Err(error))
                }
            };
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        crate::intrinsics::unmodelled("the size hint of `std::io::Bytes`")
    }
}

impl<T, U> Chain<T, U> {
    pub fn into_inner(self) -> (T, U) {
        (self.first, self.second)
    }
    pub fn get_ref(&self) -> (&T, &U) {
        (&self.first, &self.second)
    }
    pub fn get_mut(&mut self) -> (&mut T, &mut U) {
        (&mut self.first, &mut self.second)
    }
}

impl<T: Read, U: Read> Read for Chain<T, U> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        if !self.done_first {
            match self.first.read(buf) {
                Ok(0) if !buf.is_empty() => self.done_first = true,
                other => return other,
            }
        }
        self.second.read(buf)
    }
    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let mut read: usize = 0;
        if !self.done_first {
            match self.first.read_to_end(buf) {
                Ok(n) => read = n,
                Err(error) => return Err(error),
            }
            self.done_first = true;
        }
        match self.second.read_to_end(buf) {
            Ok(n) => Ok(read.wrapping_add(n)),
            Err(error) => Err(error),
        }
    }
}

impl<T: BufRead, U: BufRead> BufRead for Chain<T, U> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if !self.done_first {
            // Asked twice, as what is lent here cannot be lent on; the second time gives what the first one gave.
            let is_done = match self.first.fill_buf() {
                Ok(available) => available.is_empty(),
                Err(error) => return Err(error),
            };
            if !is_done {
                return self.first.fill_buf();
            }
            self.done_first = true;
        }
        self.second.fill_buf()
    }
    fn consume(&mut self, amount: usize) {
        if !self.done_first { self.first.consume(amount) } else { self.second.consume(amount) }
    }
}

impl<T> Take<T> {
    pub fn limit(&self) -> u64 {
        self.limit
    }
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }
    pub fn into_inner(self) -> T {
        self.inner
    }
    pub fn get_ref(&self) -> &T {
        &self.inner
    }
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: Read> Read for Take<T> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        if self.limit == 0 {
            return Ok(0);
        }
        let most = if (buf.len() as u64) < self.limit { buf.len() } else { self.limit as usize };
        match self.inner.read(&mut buf[..most]) {
            Ok(read) => {
                if read as u64 > self.limit {
                    panic!("number of read bytes exceeds limit");
                }
                self.limit = self.limit.wrapping_sub(read as u64);
                Ok(read)
            }
            Err(error) => Err(error),
        }
    }
}

impl<T: BufRead> BufRead for Take<T> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.limit == 0 {
            return Ok(&[]);
        }
        match self.inner.fill_buf() {
            Ok(available) => {
                let len = available.len();
                let most = if (len as u64) < self.limit { len } else { self.limit as usize };
                Ok(&available[..most])
            }
            Err(error) => Err(error),
        }
    }
    fn consume(&mut self, amount: usize) {
        let amount = if (amount as u64) < self.limit { amount } else { self.limit as usize };
        self.limit = self.limit.wrapping_sub(amount as u64);
        self.inner.consume(amount);
    }
}

impl<B: BufRead> Iterator for Lines<B> {
    type Item = Result<String>;
    fn next(&mut self) -> Option<Result<String>> {
        let mut line = String::new();
        match self.buf.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => {
                if line.ends_with('\n') {
                    line.pop();
                    if line.ends_with('\r') {
                        line.pop();
                    }
                }
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<B: BufRead> Iterator for Split<B> {
    type Item = Result<Vec<u8>>;
    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        let mut part = Vec::new();
        match self.buf.read_until(self.delim, &mut part) {
            Ok(0) => None,
            Ok(_) => {
                if part[part.len() - 1] == self.delim {
                    part.pop();
                }
                Some(Ok(part))
            }
            Err(error) => Some(Err(error)),
        }
    }
}
