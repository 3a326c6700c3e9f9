//! Joins the dumps of one crate: MIR items with the headers of their control-flow graphs, and with the bodies of
//! the `stable-mir` dump, which alone prints all captures of closures.
//!
//! The dumps list the same bodies in the same order, so position joins them; the last name of each path guards
//! against a slip. Where the dumps differ in number, the next header of the same name within a window is taken.

use std::collections::HashMap;

use super::cfg_headers::{self, GraphHeader};
use super::items::{Content, CopyOf, RawItem};

/// How far ahead a header is searched after a slip.
const WINDOW: usize = 64;

/// For each item the position of its graph header, if it has one.
pub fn join_graphs(items: &[RawItem<'_>], headers: &[GraphHeader]) -> Vec<Option<usize>> {
    let mut next = 0;
    items
        .iter()
        .map(|item| {
            if !item.has_graph() {
                return None;
            }
            let name = last_name(item.name());
            let window = headers.get(next..)?.iter().take(WINDOW);
            let ahead = window.into_iter().position(|header| header.last_name() == name)?;
            let found = next + ahead;
            next = found + 1;
            Some(found)
        })
        .collect()
}

/// The last segment of a printed path. Brackets may hold `::`.
fn last_name(path: &str) -> &str {
    let mut depth = 0usize;
    let bytes = path.as_bytes();
    let mut start = 0;
    for index in 0..bytes.len() {
        match bytes[index] {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && index > 0 && bytes[index - 1] == b':' => start = index + 1,
            _ => {}
        }
    }
    &path[start..]
}

/// How many values each closure captures, by the closure's item.
pub fn captures(graph: Option<&GraphHeader>) -> Option<usize> {
    graph.and_then(GraphHeader::captures)
}

/// The bodies of a `stable-mir` dump.
#[derive(Debug, Default)]
pub struct StableBodies<'a> {
    /// Text of each body in order, with the last name of its header.
    bodies: Vec<(&'a str, &'a str)>,
}

impl<'a> StableBodies<'a> {
    pub fn split(dump: &'a str) -> Self {
        let mut bodies = Vec::new();
        let mut open: Option<(&str, usize)> = None;
        let mut pos = 0;
        for line in dump.split_inclusive('\n') {
            let start = pos;
            pos += line.len();
            let line = line.trim_end();
            match open {
                None if line.starts_with("fn ") && line.ends_with('{') => {
                    let header = &line["fn ".len()..];
                    open = Some((&header[..end_of_stable_path(header)], pos));
                }
                Some((name, from)) if line == "}" => {
                    bodies.push((last_name(name), &dump[from..start]));
                    open = None;
                }
                _ => {}
            }
        }
        StableBodies { bodies }
    }

    /// For each item the text of its body here. Promoted and trivial constants and copies are not in this dump.
    pub fn join(&self, items: &[RawItem<'_>]) -> HashMap<usize, &'a str> {
        let mut next = 0;
        let mut joined = HashMap::new();
        for (index, item) in items.iter().enumerate() {
            let is_here = item.copy_of == CopyOf::Program
                && !item.is_promoted()
                && matches!(item.content, Content::Body(_));
            if !is_here {
                continue;
            }
            let name = last_name(item.name());
            let Some(rest) = self.bodies.get(next..) else { break };
            if let Some(ahead) = rest.iter().take(WINDOW).position(|(known, _)| *known == name) {
                joined.insert(index, rest[ahead].1);
                next += ahead + 1;
            }
        }
        joined
    }
}

fn end_of_stable_path(header: &str) -> usize {
    let mut depth = 0usize;
    let bytes = header.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if index > 0 && bytes[index - 1] == b'-' => {}
            b'>' => depth = depth.saturating_sub(1),
            b'(' if depth == 0 => return index,
            _ => {}
        }
    }
    header.len()
}

/// The operands with which `local` is built as a closure, in a body of the `stable-mir` dump.
pub fn closure_operands<'a>(body: &'a str, local: &str) -> Option<&'a str> {
    let start = format!("{local} = {{closure@");
    let mut found = body.lines().filter_map(|line| {
        let rest = line.trim().strip_prefix(&start)?;
        let (_, operands) = rest.split_once("}(")?;
        operands.strip_suffix(");")
    });
    let operands = found.next()?;
    // Two closures built in one local could not be told apart.
    found.next().is_none().then_some(operands)
}

pub fn graphs(dump: &str) -> Vec<GraphHeader> {
    cfg_headers::split(dump)
}

#[cfg(test)]
mod tests {
    use super::super::items;
    use super::*;

    #[test]
    fn items_and_headers_join_by_position_and_name() {
        let mir = "fn f(_1: u8) -> u8 {\n}\nconst f::promoted[0]: u8 = {\n}\nconst K: u8 = const 1_u8;\n\
            fn <impl at a.rs:1:1: 1:2>::g() -> () {\n}\n// MIR FOR CTFE\nfn <impl at a.rs:1:1: 1:2>::g() -> () {\n}\n\
            fn h() -> () {\n}\n";
        let items = items::split(mir);
        let label = |path: &str| format!("  label=<fn {path}() -&gt; u8<br align=\"left\"/>>;\n");
        let complete: String = ["f", "&lt;X as T&gt;::g", "&lt;X as T&gt;::g", "h"].map(label).concat();
        assert_eq!(join_graphs(&items, &graphs(&complete)), [Some(0), None, None, Some(1), Some(2), Some(3)]);
        let slipped: String = ["f", "x", "&lt;X as T&gt;::g", "h"].map(label).concat();
        assert_eq!(join_graphs(&items, &graphs(&slipped)), [Some(0), None, None, Some(2), None, Some(3)]);
    }

    #[test]
    fn captures_come_from_the_other_dump() {
        let dump = "fn W::<T>::f(_1: u8) -> u8 {\n    bb0: {\n        \
            _3 = {closure@a.rs:1:2: 1:4}(move _4, copy _5);\n    }\n}\n";
        let items = items::split("fn a::<impl at a.rs:1:1: 1:2>::f(_1: u8) -> u8 {\n}\n");
        let joined = StableBodies::split(dump).join(&items);
        assert_eq!(closure_operands(joined[&0], "_3"), Some("move _4, copy _5"));
        assert_eq!(closure_operands(joined[&0], "_4"), None);
    }
}
