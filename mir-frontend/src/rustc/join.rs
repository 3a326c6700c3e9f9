//! Joins the dumps of one crate: MIR items with the headers of their control-flow graphs, and with the bodies of
//! the `stable-mir` dump, which alone prints all captures of closures.
//!
//! The dumps list the same bodies in the same order, so position joins them; the last name of each path guards
//! against a slip.

use std::collections::HashMap;

use super::cfg_headers::{self, GraphHeader};
use super::items::{Content, CopyOf, RawItem};

/// For each item the position of its graph header, if it has one. If the two dumps do not fit together item by item,
/// nothing is joined: a header of another item would give a method to the wrong type without a sign of it.
pub fn join_graphs(items: &[RawItem<'_>], headers: &[GraphHeader]) -> Vec<Option<usize>> {
    let mut next = 0;
    let joined: Vec<Option<usize>> = items
        .iter()
        .map(|item| {
            item.has_graph().then(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let fits = next == headers.len()
        && items.iter().zip(&joined).all(|(item, header)| {
            header.is_none_or(|header| headers[header].last_name() == last_name(item.name()))
        });
    if fits { joined } else { vec![None; items.len()] }
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

/// How many values a closure captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// The graph's header lists their types.
    Exactly(usize),
    /// The body uses the last of these; without a graph that is all there is to know.
    AtLeast(usize),
}

impl Captures {
    pub fn of_closure(item: &RawItem<'_>, graph: Option<&GraphHeader>) -> Captures {
        if let Some(count) = graph.and_then(GraphHeader::captures) {
            return Captures::Exactly(count);
        }
        let Content::Body(body) = item.content else { return Captures::AtLeast(0) };
        let used = ["(_1.", "((*_1)."]
            .iter()
            .flat_map(|field| body.match_indices(field).map(|(at, _)| at + field.len()));
        let count = used.filter_map(|at| {
            let digits = body[at..].bytes().take_while(u8::is_ascii_digit).count();
            body[at..at + digits].parse::<usize>().ok()?.checked_add(1)
        });
        Captures::AtLeast(count.max().unwrap_or(0))
    }

    /// Whether a literal of the closure with so many operands may be complete.
    pub fn allow(self, operands: usize) -> bool {
        match self {
            Captures::Exactly(count) => operands == count,
            Captures::AtLeast(count) => operands >= count,
        }
    }
}

impl std::fmt::Display for Captures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Captures::Exactly(count) => write!(f, "{count}"),
            Captures::AtLeast(count) => write!(f, "at least {count}"),
        }
    }
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

    /// For each item the text of its body here. Promoted and trivial constants and copies are not in this dump. As with
    /// graphs, nothing is joined unless everything fits.
    pub fn join(&self, items: &[RawItem<'_>]) -> HashMap<usize, &'a str> {
        let is_here = |item: &RawItem<'_>| {
            item.copy_of == CopyOf::Program && !item.is_promoted() && matches!(item.content, Content::Body(_))
        };
        let here: Vec<usize> = (0..items.len()).filter(|index| is_here(&items[*index])).collect();
        let fits = here.len() == self.bodies.len()
            && here
                .iter()
                .zip(&self.bodies)
                .all(|(index, (name, _))| last_name(items[*index].name()) == *name);
        if !fits {
            return HashMap::new();
        }
        here.into_iter().zip(&self.bodies).map(|(index, (_, text))| (index, *text)).collect()
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
        assert_eq!(join_graphs(&items, &graphs(&slipped)), [None; 6]);
        let short: String = ["f", "&lt;X as T&gt;::g", "h"].map(label).concat();
        assert_eq!(join_graphs(&items, &graphs(&short)), [None; 6]);
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
