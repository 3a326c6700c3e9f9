//! Where something stands: lines that are values, `#[track_caller]` added or removed, names of modules, files and types.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet, Target};

pub fn snippet(rng: &mut Rng) -> Snippet {
    let guard = rare(rng, "a", "u32");
    let condition = &guard.condition;
    let params = || vec![Param::value("u32").special(&guard.value)];
    // A path that does not name the folder of the build.
    let asked = rng.choose(&[
        "line!()",
        "column!()",
        "std::panic::Location::caller().line()",
        "std::panic::Location::caller().column()",
        "whence()",
        "module_path!().len() as u32",
        "std::any::type_name::<Marked>().len() as u32",
        "std::any::type_name_of_val(&whence).len() as u32",
        "file!().bytes().filter(|c| *c == b'a').count() as u32",
        "LINE",
        "noted!()",
        "std::any::type_name::<fn(Marked) -> Alias>().len() as u32",
    ]);
    let around = "pub struct Marked; type Alias = u8; const LINE: u32 = line!();\n#[track_caller] fn whence() -> u32 { std::panic::Location::caller().line() }";
    let noted = "macro_rules! noted { () => { line!() } }\n";
    let attribute = ["", "#[track_caller] "];
    let (mut from, mut to) = (0, 0);
    let mut shape = "moved";
    let moved = match rng.below(4) {
        0 => {
            (from, to) = (rng.below(2), rng.below(2));
            shape = "track_caller";
            ""
        }
        1 => "// A line more.\n",
        2 => "fn more() {}\n",
        _ => "",
    };
    let of = |track: usize, before: &str| {
        format!(
            "{noted}{before}{}pub fn f@N(a: u32) -> u32 {{ if {condition} {{ a ^ {asked} }} else {{ a }} }}\n{}pub fn plain@N(a: u32) -> u32 {{ {asked} }}\npub fn up@N(a: u32) -> u32 {{ plain@N(a).wrapping_add(f@N(a)) }}\n{around}",
            attribute[track], attribute[track]
        )
    };
    let (mut old, mut new) = (of(from, ""), of(to, moved));
    if moved.is_empty() && from == to {
        // Into another module, or a type of another name.
        shape = "renamed";
        (old, new) = match rng.below(3) {
            0 => (
                format!("mod in1 {{\n{old}\n}} pub use in1::*;"),
                format!("mod inner2 {{\n{new}\n}} pub use inner2::*;"),
            ),
            1 => (old, new.replace("Marked", "MarkedAs")),
            _ => (old.replace("a ^ ", "a  ^  "), new),
        };
    }
    let snippet = Snippet::new(shape, old, new);
    if snippet.old.items.contains("mod in1") {
        return snippet.common("pub fn out@N(a: u32) -> u32 { plain@N(a) ^ f@N(a) }").call("out@N", params());
    }
    snippet.call("f@N", params()).call("up@N", params()).target(Target::new("plain@N", params()))
}
