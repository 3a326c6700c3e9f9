//! Layout: an attribute of a type changes its size, alignment or offsets, and functions whose bodies stay as they are ask for these, by themselves, through constants,
//! statics, generics or the types of a dependency.

use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet, Target};

/// A type's definition without attribute, and attributes that it may have.
const TYPES: [(&str, &[&str]); 9] = [
    (
        "pub struct S { pub a: u8, pub b: u32, pub c: u16 }",
        &["C", "C, packed", "C, packed(2)", "align(16)", "C, align(8)", "packed"],
    ),
    (
        "pub struct S { pub a: u8, pub b: u64, pub c: u8, pub d: u32 }",
        &["C", "packed(4)", "C, packed", "align(32)"],
    ),
    ("pub struct S { pub a: bool, pub b: u16, pub c: u8 }", &["C", "C, packed", "align(4)"]),
    ("pub struct S { pub a: u16, pub b: Option<u8>, pub c: u64 }", &["C", "packed", "C, align(64)"]),
    ("pub struct S { pub a: u8, pub b: [u16; 3], pub c: u32 }", &["C", "C, packed(1)"]),
    ("pub struct S { pub a: u8, pub b: u128, pub c: u16 }", &["C", "packed", "C, packed(8)"]),
    ("pub union S { pub a: u8, pub b: u32, pub c: u16 }", &["C", "C, packed", "align(16)"]),
    ("#[derive(Clone, Copy)] pub enum S { A, B, C }", &["u8", "u32", "C", "i64", "u16"]),
    ("#[derive(Clone, Copy)] pub enum S { A(u8), B(u32), C }", &["u8", "u32", "C", "C, u64", "u16"]),
];

/// What is asked, as the body of a function that returns `usize`.
const ASKED: [&str; 16] = [
    "core::mem::size_of::<S>()",
    "core::mem::align_of::<S>()",
    "core::mem::size_of::<Option<S>>()",
    "core::mem::size_of::<[S; 3]>() + 1",
    "core::mem::size_of::<(u8, S)>()",
    "core::alloc::Layout::new::<S>().size() * 100 + core::alloc::Layout::new::<S>().align()",
    "core::alloc::Layout::array::<S>(5).unwrap().size()",
    "SIZE",
    "*HELD",
    "[0u8; core::mem::size_of::<S>()].len()",
    "generic::<S>()",
    "<S as Sized2>::SIZE2",
    "Holder::<S>::BYTES",
    "core::mem::size_of::<W<S>>()",
    "core::mem::align_of::<W<S>>() + core::mem::size_of::<W<u8>>()",
    "TABLE[1] as usize",
];

const AROUND: &str = "pub const SIZE: usize = core::mem::size_of::<S>() * 2;
pub static HELD: &usize = &core::mem::align_of::<S>();
pub fn generic<T>() -> usize { core::mem::size_of::<T>() ^ core::mem::align_of::<T>() }
pub trait Sized2: Sized { const SIZE2: usize = core::mem::size_of::<Self>(); }
impl Sized2 for S {}
pub struct Holder<T>(pub T);
impl<T> Holder<T> { pub const BYTES: usize = core::mem::size_of::<Self>() + core::mem::align_of::<T>(); }
pub struct W<T> { pub x: u8, pub y: T }
const fn table() -> [u8; 3] { [1, core::mem::size_of::<S>() as u8, 3] }
pub const TABLE: [u8; 3] = table();";

pub fn snippet(rng: &mut Rng) -> Snippet {
    let (ty, attributes) = rng.choose(&TYPES);
    let is_struct = ty.contains("struct");
    let with = |attribute: &str| {
        let attribute = if attribute.is_empty() { String::new() } else { format!("#[repr({attribute})] ") };
        format!("{attribute}{ty}")
    };
    let (mut old, mut new) = (String::new(), rng.pick(attributes).to_owned());
    match rng.below(4) {
        // Both have one.
        0 => old = rng.pick(attributes).to_owned(),
        1 => std::mem::swap(&mut old, &mut new),
        _ => {}
    }
    let (mut old, mut new) = (with(&old), with(&new));
    if is_struct && rng.one_in(6) {
        // The order of fields is the layout of `repr(C)`.
        (old, new) = (with("C"), with("C").replace("pub a: u8, pub b: u32", "pub b: u32, pub a: u8"));
    }
    if rng.one_in(8) {
        let a = "pub struct S { pub a: u32, pub b: u64, pub c: u8 }";
        (old, new) = (a.to_owned(), format!("#[repr(transparent)] pub struct T0(pub u8);\n{a}"));
    }
    let mut snippet = if rng.one_in(4) {
        let mut snippet =
            Snippet::new("a dependency's attribute", "pub use dep::k@N::S;", "pub use dep::k@N::S;");
        (snippet.old.dep, snippet.new.dep) = (old, new);
        snippet
    } else {
        Snippet::new("attribute", old, new)
    };
    snippet = if snippet.old.dep.is_empty() { snippet } else { snippet.common("") };
    snippet = snippet.common(AROUND);
    let mut asked: Vec<&str> = ASKED.to_vec();
    if is_struct {
        asked.extend([
            "core::mem::offset_of!(S, b)",
            "core::mem::offset_of!(S, c) * 3",
            "core::mem::offset_of!(W<S>, y)",
        ]);
    }
    for number in 0..rng.between(1, 3) {
        let question = asked.remove(rng.below(asked.len()));
        snippet = snippet
            .common(&format!("pub fn f@N_{number}() -> usize {{ {question} }}"))
            .target(Target::new(&format!("f@N_{number}"), vec![]));
    }
    if rng.one_in(2) {
        // An unchanged function with an input above them.
        snippet = snippet
            .common("pub fn g@N(a: usize) -> usize { if a == 12345 { SIZE } else { a / 2 + generic::<[S; 2]>() } }")
            .call("g@N", vec![Param::value("usize").special("12345")]);
    }
    if rng.one_in(3) {
        snippet = snippet
            .common("fn at<T>(xs: &[T]) -> usize { core::mem::size_of_val(xs) }\npub fn v@N(n: u8) -> usize { let xs: Vec<core::mem::MaybeUninit<S>> = (0..n % 5).map(|_| core::mem::MaybeUninit::uninit()).collect(); at(&xs) }")
            .call("v@N", vec![Param::value("u8")]);
    }
    snippet
}
