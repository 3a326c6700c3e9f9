//! Panics and what looks like one: messages that imitate those of the language, sizes that cannot be allocated, values of closed types that pointers make.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet};

/// Two bodies over `a: u32`, `b: u32`; `RARE` is a condition on `a`.
const BODIES: [(&str, &str); 20] = [
    ("a + b", "match a.checked_add(b) { Some(x) => x, None => panic!(\"attempt to add with overflow\") }"),
    ("a / b", "if b == 0 { panic!(\"attempt to divide by zero\") } a / b"),
    (
        "[1, 2, 3][(a % 5) as usize]",
        "match a % 5 { 0 => 1, 1 => 2, 2 => 3, _ => panic!(\"index out of bounds\") }",
    ),
    ("Some(a).filter(|x| *x != 7).unwrap()", "if a == 7 { panic!() } a"),
    ("Some(a).filter(|x| *x != 7).unwrap_or(0)", "if a == 7 { panic!() } a"),
    ("if RARE { panic!(\"attempt to add with overflow\") } a", "a"),
    ("if RARE { unreachable!() } a", "if RARE { todo!() } a"),
    ("Vec::<u64>::with_capacity(if RARE { usize::MAX } else { 1 }); a", "a"),
    ("if RARE { drop(vec![0u8; isize::MAX as usize + 1]); } b", "b"),
    ("String::with_capacity(if RARE { usize::MAX / 2 + 2 } else { 3 }).len() as u32", "0"),
    ("let mut v = vec![1u8]; v.reserve(if RARE { usize::MAX } else { 0 }); b", "b"),
    ("\"x\".repeat(if RARE { usize::MAX } else { 1 }).len() as u32 ^ a", "a ^ 1"),
    ("std::panic::catch_unwind(|| if RARE { panic!() }).is_err() as u32", "0"),
    (
        "let xs = [3u32, 1, 2]; let e = unsafe { &*(&xs as *const [u32; 3] as *const [E; 3]) }; e[(a % 3) as usize] as u32",
        "let xs = [E::D, E::B, E::C]; xs[(a % 3) as usize] as u32",
    ),
    (
        "let xs = [a % 4, b % 4]; let e = unsafe { &*(&xs[..] as *const [u32] as *const [E]) }; match e[0] { E::A => 0, E::B => b, E::C => 2, E::D => 3 }",
        "match a % 4 { 1 => b, x => x }",
    ),
    (
        "let xs = [a % 4, b % 4]; let e = unsafe { &*(&xs[..] as *const [u32] as *const [E]) }; match e[0] { E::A => 0, E::B => b, E::C => 2, E::D => if RARE { 4 } else { 3 } }",
        "match a % 4 { 1 => b, x => x }",
    ),
    (
        "let bytes = a.to_le_bytes(); let (_, mid, _) = unsafe { bytes.align_to::<u8>() }; mid[0] as u32",
        "a & 0xff",
    ),
    ("unsafe { std::mem::transmute::<u32, E>(a % 4) as u32 }", "a % 4"),
    ("assert_eq!(a.min(5), a.min(6)); a", "if a >= 6 { panic!() } a"),
    ("if RARE { return 1 } let v: u32 = \"12\".parse().unwrap(); v ^ a", "12 ^ a"),
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let guard = rare(rng, "a", "u32");
    let (old, new) = rng.choose(&BODIES);
    let (old, new) = if rng.one_in(2) { (old, new) } else { (new, old) };
    let of = |body: &str| {
        let body = body.replace("RARE", &guard.condition);
        format!(
            "#[derive(Clone, Copy)] #[repr(u32)] pub enum E {{ A, B, C, D }}\npub fn f@N(a: u32, b: u32) -> u32 {{ {body} }}"
        )
    };
    let params = || vec![Param::value("u32").special(&guard.value), Param::value("u32")];
    let caught = "pub fn up@N(a: u32, b: u32) -> u32 { f@N(a, b).wrapping_add(1) }\npub fn caught@N(a: u32, b: u32) -> u32 { std::panic::catch_unwind(|| f@N(a, b)).unwrap_or(99) }\npub fn text@N(a: u32, b: u32) -> String { match std::panic::catch_unwind(|| f@N(a, b)) { Ok(v) => v.to_string(), Err(e) => e.downcast_ref::<&str>().map_or_else(|| e.downcast_ref::<String>().cloned().unwrap_or_default(), |s| s.to_string()) } }";
    let above = rng.choose(&["up@N", "caught@N", "text@N"]);
    Snippet::new("panics", of(old), of(new)).common(caught).call("f@N", params()).call(above, params())
}
