//! A cursor over one piece of dump text, and the literals that rustc prints.
//!
//! The grammar is parsed straight from the bytes: most lines are short, and a token list would be built only to
//! be thrown away. Literals are read as a whole, because a string may hold anything that elsewhere is
//! punctuation. A failed parse says what was wanted and what stood there; it never panics.

use std::fmt;

/// Why a piece of dump text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ParseError {}

pub type Parsed<T> = Result<T, ParseError>;

pub fn fail<T>(reason: impl Into<String>) -> Parsed<T> {
    Err(ParseError { reason: reason.into() })
}

/// How much text an error message quotes.
const QUOTED: usize = 60;

#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Cursor { text, pos: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Goes back to a position that [`Cursor::pos`] gave.
    pub fn reset(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// The text between an earlier position and here.
    pub fn since(&self, pos: usize) -> &'a str {
        &self.text[pos..self.pos]
    }

    pub fn is_done(&self) -> bool {
        self.pos >= self.text.len()
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    pub fn looking_at(&self, token: &str) -> bool {
        self.text.as_bytes()[self.pos..].starts_with(token.as_bytes())
    }

    /// Whether `word` stands here and is not the beginning of a longer identifier.
    pub fn looking_at_word(&self, word: &str) -> bool {
        self.looking_at(word)
            && !self.text.as_bytes().get(self.pos + word.len()).is_some_and(|byte| is_ident_byte(*byte))
    }

    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.looking_at(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.looking_at_word(word);
        if found {
            self.pos += word.len();
        }
        found
    }

    pub fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { self.unexpected(&format!("`{token}`")) }
    }

    pub fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        let rest = self.rest();
        let end = rest.char_indices().nth(QUOTED).map_or(rest.len(), |(index, _)| index);
        fail(format!("expected {wanted}, found `{}`", &rest[..end]))
    }

    /// Skips blanks (the dump's lines hold no other white space outside literals).
    pub fn skip_blanks(&mut self) {
        while self.peek() == Some(b' ') {
            self.pos += 1;
        }
    }

    pub fn ident(&mut self) -> Option<&'a str> {
        let start = self.pos;
        let raw = if self.looking_at("r#") { 2 } else { 0 };
        let bytes = &self.text.as_bytes()[start + raw..];
        if !bytes.first().is_some_and(|byte| is_ident_byte(*byte) && !byte.is_ascii_digit()) {
            return None;
        }
        let len = bytes.iter().position(|byte| !is_ident_byte(*byte)).unwrap_or(bytes.len());
        self.pos = start + raw + len;
        Some(&self.text[start + raw..self.pos])
    }

    pub fn expect_ident(&mut self) -> Parsed<&'a str> {
        match self.ident() {
            Some(ident) => Ok(ident),
            None => self.unexpected("an identifier"),
        }
    }

    pub fn digits(&mut self) -> Option<&'a str> {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.pos += 1;
        }
        (self.pos > start).then(|| &self.text[start..self.pos])
    }

    pub fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        let start = self.pos;
        match self.digits().and_then(|digits| digits.parse().ok()) {
            Some(number) => Ok(number),
            None => {
                self.pos = start;
                self.unexpected("a number in range")
            }
        }
    }

    /// Skips a lifetime (`'a`, `'_`, `'{erased}`), if one stands here. A character literal is none.
    pub fn eat_lifetime(&mut self) -> bool {
        let start = self.pos;
        if !self.eat("'") {
            return false;
        }
        if self.eat("{") {
            while let Some(byte) = self.peek() {
                self.bump(byte);
                if byte == b'}' {
                    return true;
                }
            }
        } else if self.ident().is_some() && self.peek() != Some(b'\'') {
            return true;
        }
        self.pos = start;
        false
    }

    /// Moves past the character whose first byte was peeked.
    fn bump(&mut self, first: u8) {
        self.pos += match first {
            0..=0x7f => 1,
            0x80..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
    }

    pub fn char(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    /// Takes the text up to the first byte at bracket depth 0 that `is_end` accepts. Literals are skipped whole;
    /// the `>` of an arrow closes nothing.
    pub fn balanced_until(&mut self, is_end: impl Fn(u8) -> bool) -> Parsed<&'a str> {
        let start = self.pos;
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            if depth == 0 && is_end(byte) {
                break;
            }
            match byte {
                b'"' => {
                    self.string_literal()?;
                    continue;
                }
                b'\'' => {
                    let here = self.pos;
                    if self.char_literal().is_err() {
                        self.pos = here + 1;
                    }
                    continue;
                }
                b'-' if self.looking_at("->") => self.pos += 1,
                b'=' if self.looking_at("=>") => self.pos += 1,
                b'(' | b'[' | b'{' | b'<' => depth += 1,
                b')' | b']' | b'}' | b'>' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return self.unexpected("balanced brackets"),
                },
                _ => {}
            }
            self.bump(byte);
        }
        if depth > 0 {
            return fail(format!("unbalanced brackets in `{}`", &self.text[start..]));
        }
        Ok(&self.text[start..self.pos])
    }

    /// `"…"` with Rust's escapes.
    pub fn string_literal(&mut self) -> Parsed<String> {
        self.expect("\"")?;
        let mut out = String::new();
        loop {
            // Plain runs are copied at once.
            let rest = self.rest();
            let run = rest.bytes().position(|byte| byte == b'"' || byte == b'\\').unwrap_or(rest.len());
            out.push_str(&rest[..run]);
            self.pos += run;
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(_) => out.push(self.escape()?),
                None => return fail("a string literal without end"),
            }
        }
    }

    /// `b"…"`
    pub fn byte_string_literal(&mut self) -> Parsed<Vec<u8>> {
        self.expect("b\"")?;
        let mut out = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(b'\\') => match u8::try_from(u32::from(self.escape()?)) {
                    Ok(byte) => out.push(byte),
                    Err(_) => return fail("an escape above 0xff in a byte string"),
                },
                Some(byte) => {
                    out.push(byte);
                    self.pos += 1;
                    // A byte string is printed as ASCII, but nothing says that the text was not damaged.
                    if !byte.is_ascii() {
                        return fail("a byte string that is not ASCII");
                    }
                }
                None => return fail("a byte string literal without end"),
            }
        }
    }

    /// `'…'`
    pub fn char_literal(&mut self) -> Parsed<char> {
        self.expect("'")?;
        let c = match self.peek() {
            Some(b'\\') => self.escape()?,
            _ => match self.char() {
                Some(c) => c,
                None => return fail("a character literal without end"),
            },
        };
        self.expect("'")?;
        Ok(c)
    }

    fn escape(&mut self) -> Parsed<char> {
        self.expect("\\")?;
        let Some(kind) = self.char() else { return fail("a lone backslash at the end") };
        Ok(match kind {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            '\\' | '\'' | '"' => kind,
            'x' => {
                let Some(code) = self.rest().get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) else {
                    return self.unexpected("two hexadecimal digits");
                };
                self.pos += 2;
                char::from(code)
            }
            'u' => {
                self.expect("{")?;
                let rest = self.rest();
                let Some(end) = rest.find('}') else { return self.unexpected("`}` after `\\u{`") };
                let Some(c) = u32::from_str_radix(&rest[..end], 16).ok().and_then(char::from_u32) else {
                    return self.unexpected("a code point");
                };
                self.pos += end + 1;
                c
            }
            _ => return fail(format!("unknown escape `\\{kind}`")),
        })
    }
}

/// Bytes of identifiers; everything beyond ASCII that rustc prints outside literals is an identifier.
pub fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_unescaped() {
        let string = |text: &str| Cursor::new(text).string_literal().ok();
        assert_eq!(string(r#""h\"i\n{}//;->é\u{1f600}""#), Some("h\"i\n{}//;->é😀".to_owned()));
        assert_eq!(string(r#""open"#), None);
        assert_eq!(string(r#""\q""#), None);
        let bytes = |text: &str| Cursor::new(text).byte_string_literal().ok();
        assert_eq!(bytes(r#"b"\x00ab\"\n\xff""#), Some(b"\x00ab\"\n\xff".to_vec()));
        let character = |text: &str| Cursor::new(text).char_literal().ok();
        assert_eq!(character(r"'\u{7f}'"), Some('\u{7f}'));
        assert_eq!(character("'é'"), Some('é'));
        assert_eq!(character("'ab'"), None);
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        let check = |text: &str, rest: &str| {
            let mut cursor = Cursor::new(text);
            cursor.eat_lifetime();
            assert_eq!(cursor.rest(), rest);
        };
        check("'a T", " T");
        check("'_>", ">");
        check("'{erased} T", " T");
        check("'a'", "'a'");
    }

    #[test]
    fn balanced_text_ends_at_depth_zero_outside_literals() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Cursor::new(text).balanced_until(|byte| byte == b',').ok(), expected);
        };
        check("a<b, c>, d", Some("a<b, c>"));
        check("fn(a) -> b, d", Some("fn(a) -> b"));
        check("f(\",\"), d", Some("f(\",\")"));
        check("f(',', d), e", Some("f(',', d)"));
        check("f(a, d", None);
        check("a), d", None);
    }
}
