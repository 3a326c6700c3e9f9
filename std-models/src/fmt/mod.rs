//! `std::fmt`: what `format_args!` becomes, and the formatter with its options.
//!
//! Limits: exponents (`{:e}`), addresses (`{:p}`), text beyond ASCII in `{:?}` (whether a character is shown as it
//! is depends on those before it), `Formatter::new` and `FormattingOptions` are not modelled.
//!
//! A template is what rustc 1.95 encodes a format string as; it was found out by experiment. It is a sequence of
//! * `0`: the end;
//! * `1..=0x7f`: so many bytes of text follow; `0x80`: their number is in the next two bytes, low byte first;
//! * `0xc0` and more: a placeholder. Of the low bits, 0 says that four bytes of flags follow, 1 two bytes of width, 2 two
//!   bytes of precision, 3 two bytes with the index of the argument (else it is the one after the last). If bits 4
//!   or 5 are set, width or precision are indices of arguments that hold them.
//!
//! Flags are the fill character in bits 0 to 20, then `+`, `-`, `#`, `0`, `x?`, `X?`, whether there is a width, whether
//! there is a precision, and in bits 29 and 30 the alignment (left, right, centre, none).

mod builders;
mod compound;
mod errors;
mod numbers;
pub mod rt;
mod text;

use crate::intrinsics;

pub use std::fmt::{Alignment, Error};

pub type Result = std::result::Result<(), std::fmt::Error>;

pub trait Display {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait Debug {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait LowerHex {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait UpperHex {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait Octal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait Binary {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait LowerExp {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait UpperExp {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait Pointer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result;
}

pub trait Write {
    fn write_str(&mut self, s: &str) -> Result;
    fn write_char(&mut self, c: char) -> Result {
        let (bytes, len) = crate::str::encode(c);
        self.write_str(intrinsics::str_of_bytes(intrinsics::subslice(&bytes, 0, len)))
    }
    fn write_fmt(&mut self, args: Arguments<'_>) -> Result {
        let mut this = self;
        write(&mut this, args)
    }
}

impl<W: Write + ?Sized> Write for &mut W {
    fn write_str(&mut self, s: &str) -> Result {
        (**self).write_str(s)
    }
    fn write_char(&mut self, c: char) -> Result {
        (**self).write_char(c)
    }
    fn write_fmt(&mut self, args: Arguments<'_>) -> Result {
        (**self).write_fmt(args)
    }
}

/// What `format_args!` makes.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    pieces: Pieces<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum Pieces<'a> {
    Literal(&'a str),
    Template { template: &'a [u8], args: &'a [rt::Argument<'a>] },
}

impl<'a> Arguments<'a> {
    pub fn new<const N: usize, const M: usize>(
        template: &'a [u8; N],
        args: &'a [rt::Argument<'a>; M],
    ) -> Arguments<'a> {
        Arguments { pieces: Pieces::Template { template, args } }
    }
    pub const fn from_str(literal: &'static str) -> Arguments<'a> {
        Arguments { pieces: Pieces::Literal(literal) }
    }
    pub fn from_str_nonconst(literal: &'static str) -> Arguments<'a> {
        Arguments { pieces: Pieces::Literal(literal) }
    }
    pub fn as_str(&self) -> Option<&'static str> {
        intrinsics::unmodelled("fmt::Arguments::as_str")
    }
}

impl Display for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write(&mut *f.buf, *self)
    }
}

impl Debug for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write(&mut *f.buf, *self)
    }
}

/// The executor makes one for functions that are to be compared, filling the fields in by name.
pub struct Formatter<'a> {
    pub(crate) flags: u32,
    pub(crate) width: u16,
    pub(crate) precision: u16,
    pub(crate) buf: &'a mut (dyn Write + 'a),
}

/// A blank to fill with and no alignment.
pub(crate) const DEFAULT_FLAGS: u32 = 0x6000_0020;

const FILL: u32 = 0x1f_ffff;
const PLUS: u32 = 1 << 21;
const MINUS: u32 = 1 << 22;
const ALTERNATE: u32 = 1 << 23;
const ZERO: u32 = 1 << 24;
const DEBUG_LOWER_HEX: u32 = 1 << 25;
const DEBUG_UPPER_HEX: u32 = 1 << 26;
const HAS_WIDTH: u32 = 1 << 27;
const HAS_PRECISION: u32 = 1 << 28;

pub struct DebugStruct<'a, 'b: 'a> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
}

pub struct DebugTuple<'a, 'b: 'a> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    fields: usize,
    empty_name: bool,
}

pub struct DebugList<'a, 'b: 'a> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
}

pub struct DebugSet<'a, 'b: 'a> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
}

pub struct DebugMap<'a, 'b: 'a> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
    has_key: bool,
    on_newline: bool,
}

/// The text of a template in a new string.
pub fn format(args: Arguments<'_>) -> String {
    let mut text = String::new();
    match write(&mut text, args) {
        Ok(()) => text,
        Err(_) => {
            panic!("a formatting trait implementation returned an error when the underlying stream did not")
        }
    }
}

pub fn write(output: &mut dyn Write, args: Arguments<'_>) -> Result {
    match args.pieces {
        Pieces::Literal(literal) => output.write_str(literal),
        Pieces::Template { template, args } => {
            let mut f = Formatter { flags: DEFAULT_FLAGS, width: 0, precision: 0, buf: output };
            write_template(&mut f, template, args)
        }
    }
}

fn write_template(f: &mut Formatter<'_>, template: &[u8], args: &[rt::Argument<'_>]) -> Result {
    let mut at: usize = 0;
    let mut next: usize = 0;
    loop {
        let code = template[at];
        at = at.wrapping_add(1);
        if code == 0 {
            return Ok(());
        }
        if code <= 0x80 {
            let mut len = code as usize;
            if code == 0x80 {
                len = number(template, at);
                at = at.wrapping_add(2);
            }
            let end = at.wrapping_add(len);
            let literal = intrinsics::str_of_bytes(intrinsics::subslice(template, at, end));
            if f.buf.write_str(literal).is_err() {
                return Err(Error);
            }
            at = end;
            continue;
        }
        if code < 0xc0 {
            return intrinsics::unmodelled("a format string in an unknown encoding");
        }
        f.flags = DEFAULT_FLAGS;
        f.width = 0;
        f.precision = 0;
        if code & 1 != 0 {
            let low = number(template, at) as u32;
            let high = number(template, at.wrapping_add(2)) as u32;
            f.flags = low | (high << 16);
            at = at.wrapping_add(4);
        }
        if code & 2 != 0 {
            let width = number(template, at);
            f.width = if code & 16 != 0 { count(args, width) } else { width as u16 };
            at = at.wrapping_add(2);
        }
        if code & 4 != 0 {
            let precision = number(template, at);
            f.precision = if code & 32 != 0 { count(args, precision) } else { precision as u16 };
            at = at.wrapping_add(2);
        }
        if code & 8 != 0 {
            next = number(template, at);
            at = at.wrapping_add(2);
        }
        if args[next].show(f).is_err() {
            return Err(Error);
        }
        next = next.wrapping_add(1);
    }
}

fn number(template: &[u8], at: usize) -> usize {
    template[at] as usize | ((template[at.wrapping_add(1)] as usize) << 8)
}

/// A width or precision that is an argument.
fn count(args: &[rt::Argument<'_>], index: usize) -> u16 {
    match &args[index] {
        rt::Argument::Count(count) => *count,
        _ => intrinsics::unmodelled("a width or precision that is no number"),
    }
}

impl<'a> Formatter<'a> {
    pub(crate) fn plain(buf: &'a mut (dyn Write + 'a)) -> Formatter<'a> {
        Formatter { flags: DEFAULT_FLAGS, width: 0, precision: 0, buf }
    }

    pub fn write_str(&mut self, data: &str) -> Result {
        self.buf.write_str(data)
    }
    pub fn write_fmt(&mut self, fmt: Arguments<'_>) -> Result {
        write(&mut *self.buf, fmt)
    }
    pub fn fill(&self) -> char {
        intrinsics::char_of(self.flags & FILL)
    }
    pub fn align(&self) -> Option<Alignment> {
        match (self.flags >> 29) & 3 {
            0 => Some(Alignment::Left),
            1 => Some(Alignment::Right),
            2 => Some(Alignment::Center),
            _ => None,
        }
    }
    pub fn width(&self) -> Option<usize> {
        if self.flags & HAS_WIDTH != 0 { Some(self.width as usize) } else { None }
    }
    pub fn precision(&self) -> Option<usize> {
        if self.flags & HAS_PRECISION != 0 { Some(self.precision as usize) } else { None }
    }
    pub fn sign_plus(&self) -> bool {
        self.flags & PLUS != 0
    }
    pub fn sign_minus(&self) -> bool {
        self.flags & MINUS != 0
    }
    pub fn alternate(&self) -> bool {
        self.flags & ALTERNATE != 0
    }
    pub fn sign_aware_zero_pad(&self) -> bool {
        self.flags & ZERO != 0
    }
    pub(crate) fn debug_lower_hex(&self) -> bool {
        self.flags & DEBUG_LOWER_HEX != 0
    }
    pub(crate) fn debug_upper_hex(&self) -> bool {
        self.flags & DEBUG_UPPER_HEX != 0
    }

    /// Text, cut to the precision and filled up to the width.
    pub fn pad(&mut self, s: &str) -> Result {
        if self.flags & (HAS_WIDTH | HAS_PRECISION) == 0 {
            return self.buf.write_str(s);
        }
        let bytes = s.as_bytes();
        let mut end: usize = 0;
        let mut chars: usize = 0;
        while end < bytes.len() && (self.flags & HAS_PRECISION == 0 || chars < self.precision as usize) {
            end = crate::str::char_at(bytes, end).1;
            chars = chars.wrapping_add(1);
        }
        let shown = intrinsics::str_of_bytes(intrinsics::subslice(bytes, 0, end));
        let width = self.width as usize;
        if self.flags & HAS_WIDTH == 0 || chars >= width {
            return self.buf.write_str(shown);
        }
        let after = self.before(width.wrapping_sub(chars), Alignment::Left)?;
        self.buf.write_str(shown)?;
        self.filling(after)
    }

    /// The digits of a number with sign and prefix, filled up to the width.
    pub fn pad_integral(&mut self, is_nonnegative: bool, prefix: &str, buf: &str) -> Result {
        let sign = if !is_nonnegative {
            Some('-')
        } else if self.flags & PLUS != 0 {
            Some('+')
        } else {
            None
        };
        let prefix = if self.flags & ALTERNATE != 0 { Some(prefix) } else { None };
        if self.flags & HAS_WIDTH == 0 {
            self.sign_and_prefix(sign, prefix)?;
            return self.buf.write_str(buf);
        }
        let mut len = buf.len();
        if sign.is_some() {
            len = len.wrapping_add(1);
        }
        if let Some(prefix) = prefix {
            len = len.wrapping_add(chars_in(prefix));
        }
        let width = self.width as usize;
        if len >= width {
            self.sign_and_prefix(sign, prefix)?;
            return self.buf.write_str(buf);
        }
        let missing = width.wrapping_sub(len);
        if self.flags & ZERO != 0 {
            let flags = self.flags;
            self.sign_and_prefix(sign, prefix)?;
            self.flags = (flags & !(FILL | 3 << 29)) | '0' as u32 | 1 << 29;
            let after = self.before(missing, Alignment::Right)?;
            self.buf.write_str(buf)?;
            self.filling(after)?;
            self.flags = flags;
            return Ok(());
        }
        let after = self.before(missing, Alignment::Right)?;
        self.sign_and_prefix(sign, prefix)?;
        self.buf.write_str(buf)?;
        self.filling(after)
    }

    fn sign_and_prefix(&mut self, sign: Option<char>, prefix: Option<&str>) -> Result {
        if let Some(sign) = sign {
            self.buf.write_char(sign)?;
        }
        match prefix {
            Some(prefix) => self.buf.write_str(prefix),
            None => Ok(()),
        }
    }

    /// Writes what goes before the padded text, and gives how much goes behind it.
    fn before(&mut self, missing: usize, default: Alignment) -> std::result::Result<usize, Error> {
        let align = match self.align() {
            Some(align) => align,
            None => default,
        };
        let before = match align {
            Alignment::Left => 0,
            Alignment::Right => missing,
            Alignment::Center => missing / 2,
        };
        self.filling(before)?;
        Ok(missing.wrapping_sub(before))
    }

    fn filling(&mut self, count: usize) -> Result {
        let fill = self.fill();
        let mut written: usize = 0;
        while written < count {
            self.buf.write_char(fill)?;
            written = written.wrapping_add(1);
        }
        Ok(())
    }
}

fn chars_in(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut count): (usize, usize) = (0, 0);
    while at < bytes.len() {
        at = crate::str::char_at(bytes, at).1;
        count = count.wrapping_add(1);
    }
    count
}

impl Write for Formatter<'_> {
    fn write_str(&mut self, s: &str) -> Result {
        self.buf.write_str(s)
    }
    fn write_char(&mut self, c: char) -> Result {
        self.buf.write_char(c)
    }
    fn write_fmt(&mut self, args: Arguments<'_>) -> Result {
        write(&mut *self.buf, args)
    }
}

impl Write for String {
    fn write_str(&mut self, s: &str) -> Result {
        self.push_str(s);
        Ok(())
    }
    fn write_char(&mut self, c: char) -> Result {
        self.push(c);
        Ok(())
    }
}
