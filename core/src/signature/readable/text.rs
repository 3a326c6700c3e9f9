//! Pieces of Rust expressions, and where they need parentheses.

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binds {
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    Atom,
}

pub(super) struct Text {
    pub(super) text: String,
    pub(super) binds: Binds,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, binds: Binds) -> Text {
        Text { text: text.into(), binds }
    }

    pub(super) fn atom(text: impl Into<String>) -> Text {
        Text::new(text, Binds::Atom)
    }

    pub(super) fn cast_to(self, name: &str) -> Text {
        Text::new(format!("{} as {name}", self.within(Binds::Cast)), Binds::Cast)
    }

    /// As the left operand of this operator: behind `as u8` a `<` would begin arguments of the type.
    pub(super) fn before(self, symbol: &str, place: Binds) -> String {
        let ends_in_cast = self
            .text
            .rsplit_once(" as ")
            .is_some_and(|(_, ty)| ty.bytes().all(|c| c.is_ascii_alphanumeric()));
        match symbol.starts_with('<') && ends_in_cast && self.binds >= place {
            true => format!("({})", self.text),
            false => self.within(place),
        }
    }

    /// In parentheses if it binds less than its place needs.
    pub(super) fn within(self, place: Binds) -> String {
        if self.binds < place { format!("({})", self.text) } else { self.text }
    }
}

/// A comparison.
pub(super) fn compare(a: Text, symbol: &str, b: Text) -> Text {
    let needed = Binds::BitOr;
    Text::new(format!("{} {symbol} {}", a.before(symbol, needed), b.within(needed)), Binds::Compare)
}

/// `x.is_some()`; `matches!(x, E::V(_))` asks nothing of the type.
pub(super) fn is_variant(text: &str, pattern: &str) -> Text {
    let method = match pattern {
        "Some(_)" => "is_some",
        "None" => "is_none",
        "Ok(_)" => "is_ok",
        "Err(_)" => "is_err",
        _ => return Text::atom(format!("matches!({text}, {pattern})")),
    };
    Text::atom(format!("{}.{method}()", text.trim_start_matches('*')))
}

/// A place by its text: `*x` or `x.y`.
pub(super) fn place(text: String) -> Text {
    let binds = if text.starts_with('*') { Binds::Unary } else { Binds::Atom };
    Text::new(text, binds)
}
