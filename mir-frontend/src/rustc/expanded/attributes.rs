//! Which attributes say something about meaning, and how tokens are spelled for comparison.

use std::fmt::Write;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Attributes that bear on lints, documentation, speed or tests alone, or that were carried out when the source was expanded. Any other
/// attribute counts, known or not.
const WITHOUT_MEANING: &[&str] = &[
    "allow",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "macro_export",
    "macro_use",
    "must_use",
    "no_std",
    "path",
    "prelude_import",
    "recursion_limit",
    "rustfmt",
    "should_panic",
    "test",
    "type_length_limit",
    "warn",
];

/// An attribute that counts: its tokens without `unsafe(…)`.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    tokens: Vec<TokenTree>,
    pub(super) text: String,
}

impl Attribute {
    /// Reads what stands in `#[…]`. None if it says nothing about meaning.
    pub(super) fn read(stream: TokenStream) -> Option<Attribute> {
        let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
        if let [TokenTree::Ident(word), TokenTree::Group(inner)] = tokens.as_slice()
            && word == "unsafe"
        {
            tokens = inner.stream().into_iter().collect();
        }
        let name = match tokens.first() {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        };
        let text = spell(tokens.clone());
        // What the compiler itself puts in front of every crate.
        let is_prelude = text == "feature ( prelude_import )";
        let counts = !WITHOUT_MEANING.contains(&name.as_str()) && !is_prelude;
        counts.then_some(Attribute { name, tokens, text })
    }

    /// The string in `name = "…"`.
    pub(super) fn value(&self) -> Option<String> {
        match self.tokens.as_slice() {
            [_, TokenTree::Punct(equals), TokenTree::Literal(value)] if equals.as_char() == '=' => {
                let text = value.to_string();
                Some(text.trim_start_matches(['c', 'r']).trim_matches(['"', '#']).to_owned())
            }
            _ => None,
        }
    }
}

/// Tokens with one space between them, without comments, attributes without meaning, visibility and trailing commas.
pub(super) fn spell(tokens: impl IntoIterator<Item = TokenTree>) -> String {
    let mut out = String::new();
    spell_into(&tokens.into_iter().collect::<Vec<_>>(), &mut out);
    out.truncate(out.trim_end().len());
    out
}

fn spell_into(tokens: &[TokenTree], out: &mut String) {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match (token, tokens.get(at)) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(group)))
                if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
            {
                at += 1;
                if let Some(attribute) = Attribute::read(group.stream()) {
                    let _ = write!(out, "#[{}] ", attribute.text);
                }
            }
            (TokenTree::Ident(word), next) if word == "pub" => {
                at += usize::from(next.is_some_and(is_restriction));
            }
            (TokenTree::Punct(comma), None) if comma.as_char() == ',' => {}
            (TokenTree::Group(group), _) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("( ", ") "),
                    Delimiter::Brace => ("{ ", "} "),
                    Delimiter::Bracket => ("[ ", "] "),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                spell_into(&group.stream().into_iter().collect::<Vec<_>>(), out);
                out.push_str(close);
            }
            (token, _) => {
                let _ = write!(out, "{token} ");
            }
        }
    }
}

/// `(crate)` behind `pub`; a type in parentheses is none.
pub(super) fn is_restriction(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
    group.delimiter() == Delimiter::Parenthesis
        && match inner.as_slice() {
            [TokenTree::Ident(word)] => ["crate", "self", "super"].iter().any(|known| word == known),
            [TokenTree::Ident(word), ..] => word == "in",
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, spelled: &str) {
        assert_eq!(spell(text.parse::<TokenStream>().unwrap()), spelled);
    }

    #[test]
    fn comments_visibility_and_harmless_attributes_are_left_out() {
        check("/// d\n#[inline] pub(crate) struct A { /* c */ pub x: u8, }", "struct A { x : u8 }");
        check("pub struct A(pub (crate::B), pub(in a::b) u8);", "struct A ( ( crate : : B ) , u8 ) ;");
    }

    #[test]
    fn other_attributes_count() {
        check("#[repr(C, packed(2),)] struct A;", "#[repr ( C , packed ( 2 ) )] struct A ;");
        check("#[unsafe(no_mangle)] #[strange] fn f();", "#[no_mangle] #[strange] fn f ( ) ;");
    }
}
