//! A cursor over program text: words, symbols, numbers and literals, with white space and comments left out.

use std::fmt;

/// What stands in a text where something else was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Both from 1.
    pub line: u32,
    pub column: u32,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { line, column, expected, found } = self;
        write!(f, "{line}:{column}: expected {expected}, found `{found}`")
    }
}

pub type Parsed<T> = Result<T, ParseError>;

pub(super) struct Cursor<'t> {
    text: &'t str,
    pos: usize,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor { text, pos: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn skip(&mut self) {
        loop {
            self.pos += self.rest().len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Where the next token begins.
    pub(super) fn here(&mut self) -> usize {
        self.skip();
        self.pos
    }

    /// Where the last token ended.
    pub(super) fn end(&self) -> usize {
        self.pos
    }

    /// Goes back to where something was tried.
    pub(super) fn reset(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Line and column of a position, both from 1.
    pub(super) fn line_and_column(&self, pos: usize) -> (u32, u32) {
        let before = &self.text[..pos];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        (line as u32, before[line_start..].chars().count() as u32 + 1)
    }

    pub(super) fn expected<T>(&mut self, expected: impl Into<String>) -> Parsed<T> {
        let (line, column) = {
            let here = self.here();
            self.line_and_column(here)
        };
        let found = self.rest().lines().next().unwrap_or("").chars().take(30).collect();
        Err(ParseError { line, column, expected: expected.into(), found })
    }

    /// Whether the text ends here, but for white space.
    pub(super) fn is_done(&mut self) -> bool {
        self.skip();
        self.rest().is_empty()
    }

    pub(super) fn looking_at(&mut self, symbol: &str) -> bool {
        self.skip();
        self.rest().starts_with(symbol)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.looking_at(symbol);
        if found {
            self.pos += symbol.len();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.expected(format!("`{symbol}`")) }
    }

    /// The identifier or number that stands here.
    pub(super) fn peek_word(&mut self) -> &'t str {
        self.skip();
        let rest = self.rest();
        &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.pos += word.len();
        }
        found
    }

    pub(super) fn word(&mut self) -> Parsed<&'t str> {
        let word = self.peek_word();
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return self.expected("a name");
        }
        self.pos += word.len();
        Ok(word)
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        self.skip();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        match rest[..sign + digits].parse() {
            Ok(number) => {
                self.pos += sign + digits;
                Ok(number)
            }
            Err(_) => self.expected("a number in range"),
        }
    }

    /// `prefix` and the number behind it: `_1`, `bb0`.
    pub(super) fn numbered(&mut self, prefix: &str) -> Parsed<usize> {
        let number = self.peek_word().strip_prefix(prefix).and_then(|digits| digits.parse().ok());
        match number {
            Some(number) => {
                self.pos += self.peek_word().len();
                Ok(number)
            }
            None => self.expected(format!("`{prefix}0`, `{prefix}1`, …")),
        }
    }

    /// A number with its suffix, as one text: `-3_u8`, `1e-7f64`, `0x7fc00000_f32`.
    pub(super) fn numeral(&mut self) -> &'t str {
        self.skip();
        let rest = self.rest();
        let mut last = ' ';
        let end = rest.find(|c| {
            // A sign stands in front, or behind the `e` of an exponent.
            let is_sign = c == '-' && matches!(last, ' ' | 'e');
            last = c;
            !is_word(c) && c != '.' && !is_sign
        });
        let end = end.unwrap_or(rest.len());
        self.pos += end;
        &rest[..end]
    }

    /// What stands between two of these, without escapes.
    pub(super) fn quoted(&mut self, quote: char) -> Parsed<&'t str> {
        self.skip();
        let inside = self.rest().strip_prefix(quote);
        let Some((text, len)) = inside.and_then(|text| text.find(quote).map(|len| (&text[..len], len)))
        else {
            return self.expected(format!("text in {quote}"));
        };
        self.pos += len + 2;
        Ok(text)
    }

    /// The characters of a literal with Rust's escapes, up to the closing quote.
    fn escaped(&mut self, quote: char) -> Parsed<Vec<char>> {
        self.expect(&quote.to_string())?;
        let mut found = Vec::new();
        loop {
            let mut chars = self.rest().chars();
            match (chars.next(), chars.next()) {
                (Some(c), _) if c == quote => {
                    self.pos += c.len_utf8();
                    return Ok(found);
                }
                (Some('\\'), Some(kind)) => {
                    self.pos += 1 + kind.len_utf8();
                    found.push(self.escape(kind)?);
                }
                (Some(c), _) => {
                    self.pos += c.len_utf8();
                    found.push(c);
                }
                (None, _) => return self.expected(format!("the closing {quote}")),
            }
        }
    }

    fn escape(&mut self, kind: char) -> Parsed<char> {
        let digits = match kind {
            'n' => return Ok('\n'),
            'r' => return Ok('\r'),
            't' => return Ok('\t'),
            '0' => return Ok('\0'),
            'x' => self.rest().get(..2),
            'u' => self.rest().split_once('}').map(|(digits, _)| digits),
            other => return Ok(other),
        };
        let code = digits.and_then(|text| u32::from_str_radix(text.trim_start_matches('{'), 16).ok());
        let Some(c) = code.and_then(char::from_u32) else { return self.expected("the code of a character") };
        self.pos += digits.map_or(0, str::len) + usize::from(kind == 'u');
        Ok(c)
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        Ok(self.escaped('"')?.into_iter().collect())
    }

    pub(super) fn char(&mut self) -> Parsed<char> {
        match self.escaped('\'')?.as_slice() {
            [c] => Ok(*c),
            _ => self.expected("one character"),
        }
    }

    /// The bytes of `b"…"`, of which the `b` was read.
    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        Ok(self.escaped('"')?.into_iter().map(|c| c as u8).collect())
    }

    /// `item, item, …` up to the closing symbol; a comma may stand behind the last.
    pub(super) fn list<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(item(self)?);
            if !self.eat(",") && !self.looking_at(close) {
                return self.expected(format!("`,` or `{close}`"));
            }
        }
        Ok(items)
    }

    /// The first that can be read here; if none can, what the one that came farthest expected.
    pub(super) fn either<T>(
        &mut self,
        first: impl FnOnce(&mut Self) -> Parsed<T>,
        second: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let start = self.here();
        let failed = match first(self) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        self.reset(start);
        second(self).map_err(|error| {
            let place = |error: &ParseError| (error.line, error.column);
            if place(&failed) > place(&error) { failed } else { error }
        })
    }
}
