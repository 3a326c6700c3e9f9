//! Cuts a MIR dump into items and reads their headers.
//!
//! Nothing is dropped: a line on the outermost level that is none of the known forms becomes an item of its own
//! that says so. Copies that rustc prints for compile-time evaluation are marked, for they repeat another item.

use super::cursor::Parsed;
use super::types::Parser;
use regress_core::ir::Ty;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKeyword {
    Fn,
    Const,
    Static,
    StaticMut,
    /// An inline constant without keyword: `f::{constant#0}: usize = {`.
    Inline,
    /// No known form of item.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyOf {
    Program,
    /// `// MIR FOR CTFE`: a second copy of a `const fn`.
    CompileTime,
}

#[derive(Debug)]
pub struct RawItem<'a> {
    pub keyword: ItemKeyword,
    /// The header's line without its keyword and what follows the type: ` {` or ` = const …;`.
    pub header: &'a str,
    /// Line of the header, counted from 1.
    pub line: u32,
    pub content: Content<'a>,
    pub copy_of: CopyOf,
    /// Allocations that stand for statics in this body: `(alloc3, path as printed)`.
    pub statics: Vec<(&'a str, &'a str)>,
}

#[derive(Debug)]
pub enum Content<'a> {
    /// The lines between the braces.
    Body(&'a str),
    /// The constant behind ` = const `.
    Value(&'a str),
    /// The body does not end.
    Truncated,
}

impl<'a> RawItem<'a> {
    /// Whether the dump of control-flow graphs has this item too.
    pub fn has_graph(&self) -> bool {
        matches!(self.content, Content::Body(_)) && !self.is_promoted()
    }

    pub fn is_promoted(&self) -> bool {
        self.name().contains("::promoted[")
    }

    /// The path as the header prints it.
    pub fn name(&self) -> &'a str {
        let end = match self.keyword {
            ItemKeyword::Fn => end_of_path(self.header, b'('),
            _ => end_of_path(self.header, b':'),
        };
        &self.header[..end]
    }
}

/// Where the path at the start of a header ends: at `(` or at a single `:`, outside of `<…>` and `{…}`.
fn end_of_path(header: &str, end: u8) -> usize {
    let bytes = header.as_bytes();
    let mut depth = 0usize;
    let mut index = 0;
    while index < bytes.len() {
        match bytes[index] {
            b'<' | b'{' | b'[' => depth += 1,
            b'-' if bytes.get(index + 1) == Some(&b'>') => index += 1,
            b'>' | b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if bytes.get(index + 1) == Some(&b':') => index += 1,
            byte if byte == end && depth == 0 => return index,
            _ => {}
        }
        index += 1;
    }
    header.len()
}

/// Lines with the offset at which each begins.
struct Lines<'a> {
    text: &'a str,
    pos: usize,
    number: u32,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        if self.pos >= self.text.len() {
            return None;
        }
        let start = self.pos;
        let rest = &self.text[start..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.pos = start + end + 1;
        self.number += 1;
        Some((start, rest[..end].trim_end_matches('\r')))
    }
}

pub fn split(dump: &str) -> Vec<RawItem<'_>> {
    let mut items: Vec<RawItem<'_>> = Vec::new();
    let mut lines = Lines { text: dump, pos: 0, number: 0 };
    let mut copy_of = CopyOf::Program;
    while let Some((_, line)) = lines.next() {
        if line.is_empty() {
            continue;
        }
        if line.starts_with("//") {
            if line.starts_with("// MIR FOR CTFE") {
                copy_of = CopyOf::CompileTime;
            }
            continue;
        }
        if is_allocation(line) {
            if let Some(entry) = static_of(line)
                && let Some(item) = items.last_mut()
            {
                item.statics.push(entry);
            }
            if line.ends_with('{') {
                while lines.next().is_some_and(|(_, line)| line != "}") {}
            }
            continue;
        }
        let number = lines.number;
        let (keyword, rest) = keyword_of(line);
        let (header, content) = if let Some(header) = line.ends_with(" {").then(|| &rest[..rest.len() - 2]) {
            let start = lines.pos.min(dump.len());
            (header.strip_suffix(" =").unwrap_or(header), body(&mut lines, start))
        } else if let Some((header, value)) = split_value(rest) {
            (header, Content::Value(value))
        } else {
            (rest, Content::Truncated)
        };
        let known = keyword != ItemKeyword::Inline || header.contains("::{constant#");
        let keyword = if known { keyword } else { ItemKeyword::Unknown };
        items.push(RawItem { keyword, header, line: number, content, copy_of, statics: Vec::new() });
        copy_of = CopyOf::Program;
    }
    items
}

fn body<'a>(lines: &mut Lines<'a>, start: usize) -> Content<'a> {
    while let Some((at, line)) = lines.next() {
        if line == "}" {
            return Content::Body(&lines.text[start..at]);
        }
    }
    Content::Truncated
}

/// ` = const VALUE;` behind a header. The header's type holds no ` = const `.
fn split_value(rest: &str) -> Option<(&str, &str)> {
    let (header, value) = rest.split_once(" = const ")?;
    Some((header, value.strip_suffix(';')?))
}

fn keyword_of(line: &str) -> (ItemKeyword, &str) {
    let known = [
        ("fn ", ItemKeyword::Fn),
        ("const ", ItemKeyword::Const),
        ("static mut ", ItemKeyword::StaticMut),
        ("static ", ItemKeyword::Static),
    ];
    for (word, keyword) in known {
        if let Some(rest) = line.strip_prefix(word) {
            return (keyword, rest);
        }
    }
    (ItemKeyword::Inline, line)
}

fn is_allocation(line: &str) -> bool {
    line.strip_prefix("alloc").is_some_and(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest[digits..].starts_with(" (")
    })
}

/// `alloc6 (static: f::S, size: 1, align: 1) {`, also without the size for what is not evaluated.
fn static_of(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" (static: ")?;
    let end = rest.find(", size: ").or_else(|| rest.find([',', ')']))?;
    Some((name, &rest[..end]))
}

/// The header of an item, its types resolved.
#[derive(Debug)]
pub struct Signature {
    pub inputs: Vec<Ty>,
    pub output: Ty,
}

impl Parser<'_, '_> {
    /// What comes behind the path in a header.
    pub fn signature(&mut self, keyword: ItemKeyword) -> Parsed<Signature> {
        let mut inputs = Vec::new();
        if keyword == ItemKeyword::Fn {
            self.cur.expect("(")?;
            inputs = self.list_until(")", |parser| {
                parser.local()?;
                parser.cur.expect(": ")?;
                parser.ty()
            })?;
            self.cur.expect(" -> ")?;
        } else {
            self.cur.expect(": ")?;
        }
        let output = self.ty()?;
        if !self.cur.is_done() {
            return self.cur.unexpected("the end of the header");
        }
        Ok(Signature { inputs, output })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_cut_into_its_items() {
        let dump = "// WARNING\nfn a::f(_1: u8) -> u8 {\n    bb0: {\n        return;\n    }\n}\n\n\
            alloc6 (static: a::S, size: 1, align: 1) {\n    03  │ .\n}\n\n\
            const a::f::promoted[0]: &u8 = {\n}\n\n// MIR FOR CTFE\nfn a::f(_1: u8) -> u8 {\n}\n\
            const a::K: &str = const \"x = const 3;\";\nf::{constant#0}: usize = {\n}\nwhat is this\n\
            static mut S: [u8; 2] = {\n";
        let items = split(dump);
        let summary: Vec<(ItemKeyword, &str, u32, CopyOf)> =
            items.iter().map(|item| (item.keyword, item.name(), item.line, item.copy_of)).collect();
        use CopyOf::{CompileTime, Program};
        assert_eq!(
            summary,
            [
                (ItemKeyword::Fn, "a::f", 2, Program),
                (ItemKeyword::Const, "a::f::promoted[0]", 12, Program),
                (ItemKeyword::Fn, "a::f", 16, CompileTime),
                (ItemKeyword::Const, "a::K", 18, Program),
                (ItemKeyword::Inline, "f::{constant#0}", 19, Program),
                (ItemKeyword::Unknown, "what is this", 21, Program),
                (ItemKeyword::StaticMut, "S", 22, Program),
            ]
        );
        assert_eq!(items[0].statics, [("alloc6", "a::S")]);
        assert!(matches!(items[0].content, Content::Body(text) if text.contains("return")));
        assert!(matches!(items[3].content, Content::Value("\"x = const 3;\"")));
        assert!(matches!(items[6].content, Content::Truncated));
        assert!(items[0].has_graph() && !items[1].has_graph() && !items[3].has_graph());
    }
}
