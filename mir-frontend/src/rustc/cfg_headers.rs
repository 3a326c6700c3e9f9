//! The headers in rustc's dump of control-flow graphs (`-Zunpretty=mir-cfg`).
//!
//! They say what the MIR dump leaves out: which type and trait an implementation is of, and, as their types are
//! printed with the index of each generic parameter (`T/#0`), which names are parameters. They join the MIR dump by
//! position.

use std::borrow::Cow;

/// One header, unescaped.
#[derive(Clone, Debug)]
pub struct GraphHeader {
    text: String,
    /// End of the path and signature; the declarations of locals follow.
    signature_end: usize,
}

/// Headers in the dump's order.
pub fn split(dump: &str) -> Vec<GraphHeader> {
    let mut headers = Vec::new();
    for line in dump.lines() {
        let Some(label) = line.trim_start().strip_prefix("label=<fn ") else { continue };
        let end = label.find("<br align").unwrap_or(label.len());
        let signature = unescape(&label[..end]);
        let signature_end = signature.len();
        let mut text = signature.into_owned();
        text.push('\n');
        text.push_str(&unescape(&label[end..]));
        headers.push(GraphHeader { text, signature_end });
    }
    headers
}

fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entities = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&#39;", '\'')];
        match entities.iter().find(|(entity, _)| rest.starts_with(entity)) {
            Some((entity, c)) => {
                out.push(*c);
                rest = &rest[entity.len()..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

impl GraphHeader {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The header with another text in place of its own.
    pub fn map_text(&self, map: impl FnOnce(&str) -> String) -> Self {
        let text = map(&self.text);
        let signature_end = text.find('\n').unwrap_or(text.len());
        GraphHeader { text, signature_end }
    }

    /// Path and signature, the latter in rustc's debugging notation.
    pub fn signature(&self) -> &str {
        &self.text[..self.signature_end]
    }

    /// The last name of the path, for checking that the two dumps fit together.
    pub fn last_name(&self) -> &str {
        let signature = self.signature();
        let bytes = signature.as_bytes();
        let mut depth = 0usize;
        let mut start = 0;
        let mut index = 0;
        while index < bytes.len() {
            match bytes[index] {
                b'<' => depth += 1,
                b'-' if bytes.get(index + 1) == Some(&b'>') => index += 1,
                b'>' => depth = depth.saturating_sub(1),
                b':' if depth == 0 && bytes.get(index + 1) == Some(&b':') => {
                    index += 1;
                    start = index + 1;
                }
                b'(' if depth == 0 => break,
                _ => {}
            }
            index += 1;
        }
        &signature[start..index]
    }

    /// All generic parameters that the types mention, in the order of their index. Lifetimes are not among them.
    pub fn params(&self) -> Vec<(u32, &str)> {
        let mut params: Vec<(u32, &str)> = Vec::new();
        for (at, _) in self.text.match_indices("/#") {
            let after = &self.text[at + 2..];
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(index) = after[..digits].parse() else { continue };
            // Where a name begins is looked for from the start of the header, which may mention a parameter thousands of times.
            if params.iter().any(|(known, _)| *known == index) {
                continue;
            }
            let before = &self.text[..at];
            let name = match start_of_param(before) {
                Some(start) => &before[start..],
                None => continue,
            };
            params.push((index, name));
        }
        params.sort_unstable();
        params
    }

    /// Whether a parameter stands where only a constant can: as the length of an array.
    pub fn is_array_length(&self, param: &str) -> bool {
        self.text.contains(&format!("; {param}/#"))
    }

    /// How many values the closure whose body this is captures.
    pub fn captures(&self) -> Option<usize> {
        let (_, rest) = self.signature().split_once("(_1: ")?;
        // Behind the reference there is nothing but the closure's type.
        let rest = rest.trim_start_matches("&'{erased} ").trim_start_matches("mut ");
        let rest = rest.strip_prefix("Closure(DefId(")?;
        let (_, args) = rest.split_once("), [")?;
        let end = closing(args, b']')?;
        let last = top_level_parts(&args[..end]).pop()?;
        let inner = last.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(top_level_parts(inner).iter().filter(|part| !part.trim().is_empty()).count())
    }
}

/// Where the name of a parameter that ends `text` begins. A synthetic parameter (`impl Fn(u8) -> u8`) is a phrase.
fn start_of_param(text: &str) -> Option<usize> {
    let word = text.bytes().rev().take_while(|byte| super::cursor::is_ident_byte(*byte)).count();
    let impl_at = text.rfind("impl ").filter(|at| {
        let phrase = &text[*at..];
        let is_start = *at == 0 || !super::cursor::is_ident_byte(text.as_bytes()[at - 1]);
        is_start && closing(phrase, b'\0').is_none() && !top_level_has_comma(phrase)
    });
    match (impl_at, word) {
        (Some(at), _) => Some(at),
        (None, 0) => None,
        (None, word) => Some(text.len() - word),
    }
}

fn top_level_has_comma(text: &str) -> bool {
    top_level_parts(text).len() > 1
}

/// The position of the bracket that closes the list in which `text` starts; with `\0` whether any bracket closes
/// more than was opened.
fn closing(text: &str, close: u8) -> Option<usize> {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if index > 0 && bytes[index - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => {
                if depth == 0 {
                    return (close == b'\0' || *byte == close).then_some(index);
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    None
}

fn top_level_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut start = 0;
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if index > 0 && bytes[index - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(signature: &str) -> GraphHeader {
        let escaped = signature.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        split(&format!("    label=<fn {escaped}<br align=\"left\"/>>;\n")).remove(0)
    }

    #[test]
    fn captures_are_counted() {
        let check = |upvars: &str, expected: Option<usize>| {
            let text = format!(
                "f::{{closure#0}}(_1: &'{{erased}} Closure(DefId(0:77 ~ t[8f48]::f::{{closure#0}}), \
                 [T/#0, i16, Binder {{ value: extern \"RustCall\" fn((&'^0 u8, u8)) -> u8, \
                 bound_vars: [Region(BrAnon)] }}, {upvars}])) -> i32"
            );
            assert_eq!(header(&text).captures(), expected, "{upvars}");
        };
        check("()", Some(0));
        check("(T/#0,)", Some(1));
        check("(&'{erased} i32, &'{erased} mut (i32, u8))", Some(2));
        assert_eq!(header("f(_1: u8) -> u8").captures(), None);
    }

    #[test]
    fn parameters_come_in_order_of_index() {
        let check = |text: &str, expected: &[(u32, &str)]| assert_eq!(header(text).params(), expected);
        check(
            "imp(_1: impl FnOnce(u8) -> u8/#0, _2: impl Into<u32>/#1) -> u32",
            &[(0, "impl FnOnce(u8) -> u8"), (1, "impl Into<u32>")],
        );
        check(
            "f(_1: &'{erased} a::W<T/#1>, _2: F/#2, _3: [T/#1; N/#0]) -> T/#1",
            &[(0, "N"), (1, "T"), (2, "F")],
        );
        assert!(header("f(_1: [u8; N/#0]) -> u8").is_array_length("N"));
    }

    #[test]
    fn the_last_name_is_found_behind_generics() {
        let check = |text: &str, expected: &str| assert_eq!(header(text).last_name(), expected);
        check("<&'a T as gens::Animal>::name(_1: u8) -> u8", "name");
        check("gens::Stack::<T, N>::push::{closure#0}(_1: u8)", "{closure#0}");
        check("f() -> ()", "f");
        check("<fn(u8) -> u8 as Tr>::g() -> ()", "g");
    }
}
