//! What a derive says: orders, equality, hashes, defaults and texts that follow from the order of fields and variants or from an attribute, while the functions that use them stay as
//! they are.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet};

const ALL: &str = "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)] ";

/// Definitions of `D` in two versions; `D::of(a, b)` makes a value.
const TYPES: [(&str, &str); 12] = [
    ("pub struct D { a: u32, b: u32 }", "pub struct D { b: u32, a: u32 }"),
    ("pub struct D { a: u32, b: u32 }", "pub struct D { a: u32, b: u32, c: u8 }"),
    (
        "pub enum D { #[default] A, B { a: u32, b: u32 } }",
        "pub enum D { B { a: u32, b: u32 }, #[default] A }",
    ),
    (
        "pub enum D { #[default] A, B { a: u32, b: u32 } }",
        "pub enum D { #[default] A, B { b: u32, a: u32 } }",
    ),
    (
        "pub enum D { #[default] A, C, B { a: u32, b: u32 } }",
        "pub enum D { A, #[default] C, B { a: u32, b: u32 } }",
    ),
    (
        "pub enum D { #[default] A, C, B { a: u32, b: u32 } }",
        "pub enum D { C, #[default] A, B { a: u32, b: u32 } }",
    ),
    ("pub struct D { a: u32, b: W }", "pub struct D { a: u32, b: V }"),
    ("pub struct D { a: W, b: W }", "pub struct D { a: V, b: W }"),
    (
        "pub struct D { a: u32, b: std::cmp::Reverse<u32> }",
        "pub struct D { b: std::cmp::Reverse<u32>, a: u32 }",
    ),
    ("pub struct D { a: u32, b: u32 }", "pub struct D { pub a: u32, pub b: u32 }"),
    ("pub struct D { a: u32, b: u32 }", "pub struct D { a: Plain, b: u32 }"),
    ("pub struct D { a: i32, b: u32 }", "pub struct D { a: u32, b: u32 }"),
];

const AROUND: &str = "type Plain = u32;
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)] pub struct W(u32);
#[derive(Clone, Copy, Debug, Hash, Default)] pub struct V(u32);
impl PartialEq for V { fn eq(&self, o: &V) -> bool { self.0 / 2 == o.0 / 2 } } impl Eq for V {}
impl PartialOrd for V { fn partial_cmp(&self, o: &V) -> Option<std::cmp::Ordering> { Some(o.0.cmp(&self.0)) } } impl Ord for V { fn cmp(&self, o: &V) -> std::cmp::Ordering { (self.0 / 2).cmp(&(o.0 / 2)) } }
impl From<u32> for W { fn from(x: u32) -> W { W(x) } } impl From<u32> for V { fn from(x: u32) -> V { V(x) } }
struct H(u64); impl std::hash::Hasher for H { fn finish(&self) -> u64 { self.0 } fn write(&mut self, b: &[u8]) { for x in b { self.0 = self.0.wrapping_mul(31).wrapping_add(*x as u64) } } fn write_u32(&mut self, x: u32) { self.0 = self.0.wrapping_mul(1_000_003) ^ x as u64 } }";

const USES: [&str; 12] = [
    "(x < y) as u64",
    "(x == y) as u64",
    "x.cmp(&y) as i8 as u64",
    "x.max(y) .lt(&D::of(5, 5)) as u64",
    "{ let mut v = [x, y, D::of(b, 3)]; v.sort(); (v[0] == x) as u64 }",
    "{ use std::hash::Hash; let mut h = H(1); x.hash(&mut h); h.0 }",
    "(D::default() == D::of(0, 0)) as u64",
    "(D::default() < x) as u64",
    "format!(\"{x:?}\").len() as u64",
    "std::collections::BTreeSet::from([x, y]).len() as u64",
    "x.partial_cmp(&y).map_or(9, |o| o as i8 as u64)",
    "std::mem::size_of_val(&x) as u64",
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let guard = rare(rng, "a", "u32");
    let (old, new) = rng.choose(&TYPES);
    let (old, new) = if rng.one_in(2) { (old, new) } else { (new, old) };
    let of = |ty: &str| {
        let make = if ty.contains("enum") {
            "D::B { a: a.into(), b: b.into() }"
        } else {
            "D { a: a.into(), b: b.into() }"
        };
        let make = make.replace(
            "b: b.into()",
            if ty.contains("Reverse") { "b: std::cmp::Reverse(b)" } else { "b: b.into()" },
        );
        let make = if ty.contains("c: u8") { make.replace(" }", ", c: (a % 3) as u8 }") } else { make };
        let make = if ty.contains("i32") { make.replace("a.into()", "a as i32") } else { make };
        format!("{ALL}{ty}\nimpl D {{ pub fn of(a: u32, b: u32) -> D {{ {make} }} }}\n{AROUND}")
    };
    let mut snippet = Snippet::new("derived", of(old), of(new));
    for number in 0..2 {
        let used = rng.pick(&USES);
        let name = format!("f@N_{number}");
        let other = rng.pick(&["D::of(b, a)", "D::of(a ^ 1, b)", "D::of(a, b ^ 1)", "D::of(a / 2, a)"]);
        let body = format!("let (x, y) = (D::of(a, b), {other}); {used}");
        let body = match rng.below(3) {
            0 => format!("if {} {{ {body} }} else {{ b as u64 }}", guard.condition),
            _ => body,
        };
        snippet = snippet
            .common(&format!("pub fn {name}(a: u32, b: u32) -> u64 {{ {body} }}"))
            .call(&name, vec![Param::value("u32").special(&guard.value), Param::value("u32").special("5")]);
    }
    snippet
}
