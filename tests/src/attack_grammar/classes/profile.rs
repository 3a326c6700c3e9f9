//! Settings of the profile: with `overflow-checks` or `debug-assertions` set in the manifest of one version or of both, arithmetic of the standard library and of the crate
//! panics or wraps, in bodies that are the same.

use super::parts::callers;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Manifest, Param, Probe, Snippet, Target};

const LINES: [&str; 5] = [
    "overflow-checks = false\n",
    "debug-assertions = false\n",
    "overflow-checks = false\ndebug-assertions = false\n",
    "opt-level = 1\n",
    "overflow-checks = true\ndebug-assertions = false\n",
];

/// Bodies over `a: T`, `b: T` of a signed or unsigned type, and what the same could be written as.
const BODIES: [(&str, &str); 22] = [
    ("a + b", "b + a"),
    ("a + b", "a.wrapping_add(b)"),
    ("a.wrapping_sub(b)", "a - b"),
    ("a * b", "core::ops::Mul::mul(a, b)"),
    ("core::ops::Add::add(a, b)", "a + b"),
    ("core::ops::Sub::sub(a, b)", "a - b"),
    ("[a, b, 1].iter().sum::<T>()", "a + b + 1"),
    ("[a, b].into_iter().product::<T>()", "a * b"),
    ("[a, b].iter().copied().fold(0, |x, y| x + y)", "a + b"),
    ("a.pow(3)", "a * a * a"),
    ("a.pow(2) ^ b", "a.wrapping_mul(a) ^ b"),
    ("{ let mut x = a; x += b; x }", "a + b"),
    ("{ let mut x = a; x += &b; x }", "a.wrapping_add(b)"),
    ("a << (b & 63)", "a.wrapping_shl((b & 63) as u32)"),
    ("a >> b", "a.wrapping_shr(b as u32)"),
    ("&a + &b", "a + b"),
    ("core::num::Wrapping(a).0 + b", "a + b"),
    ("twice(a, b)", "a + b"),
    ("(a..b).len2()", "if b > a { b - a } else { 0 }"),
    ("{ debug_assert!(a != 77); a }", "a"),
    (
        "if cfg!(debug_assertions) { a } else { b }",
        "if a == b { a } else if cfg!(debug_assertions) { a } else { b }",
    ),
    ("if cfg!(overflow_checks2) { a } else { b }", "b"),
];

/// The same of signed types only.
const SIGNED: [(&str, &str); 6] = [
    ("a.abs()", "if a < 0 { -a } else { a }"),
    ("a.abs()", "{ let y = a.abs(); if y < 0 { 0 } else { y } }"),
    ("-a", "core::ops::Neg::neg(a)"),
    ("-a ^ b", "a.wrapping_neg() ^ b"),
    ("0 - a", "-a"),
    ("a.signum() * b.abs()", "if a > 0 { b.abs() } else if a < 0 { -b.abs() } else { 0 }"),
];

const POWER: [(&str, &str); 2] = [
    ("a.next_power_of_two()", "a.checked_next_power_of_two().unwrap_or(0)"),
    ("a.next_power_of_two() ^ b", "b ^ a.next_power_of_two()"),
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let ty = rng.pick(&["i32", "u32", "i64", "u8", "i8", "u64"]);
    let is_signed = ty.starts_with('i');
    let (old, new) = match rng.below(5) {
        0 | 1 if is_signed => rng.choose(&SIGNED),
        0 if !is_signed => rng.choose(&POWER),
        _ => rng.choose(&BODIES),
    };
    let (old, new) = match rng.below(3) {
        0 => (old, old),
        1 => (old, new),
        _ => (new, old),
    };
    let body = |text: &str| {
        let text = text.replace("::<T>", &format!("::<{ty}>"));
        format!("pub fn f@N(a: {ty}, b: {ty}) -> {ty} {{ {text} }}")
    };
    let mut snippet = Snippet::new("arithmetic", body(old), body(new)).call(
        "f@N",
        vec![
            Param::value(ty).special(format!("{ty}::MIN")).special(format!("{ty}::MAX")).special("77"),
            Param::value(ty).special(format!("{ty}::MAX")),
        ],
    );
    snippet = snippet.common(&format!("pub fn twice<T: core::ops::Add<Output = T>>(a: T, b: T) -> T {{ a + b }}\ntrait Len2 {{ fn len2(&self) -> {ty}; }}\nimpl Len2 for core::ops::Range<{ty}> {{ fn len2(&self) -> {ty} {{ if self.end > self.start {{ self.end - self.start }} else {{ 0 }} }} }}"));
    if rng.one_in(3) {
        // Generic, with the arithmetic in std's implementation.
        snippet = snippet.target(Target::probed(
            "twice",
            ["i32", "u8", "i64"]
                .iter()
                .map(|of| {
                    let param = || Param::value(of).special(format!("{of}::MAX"));
                    Probe::of(vec![param(), param()]).types(format!("T = {of}"))
                })
                .collect(),
        ));
    }
    if rng.one_in(3) {
        snippet = snippet.common(&format!("pub fn sum@N(xs: &[{ty}]) -> {ty} {{ xs.iter().sum() }}")).call(
            "sum@N",
            vec![Param::reference(&format!("Vec<{ty}>")).special(format!("vec![{ty}::MAX, 1]"))],
        );
    }
    let line = |rng: &mut Rng| format!("[profile.dev]\n{}", rng.pick(&LINES));
    let set = line(rng);
    let profile = match rng.below(5) {
        0 | 1 => [String::new(), set],
        2 => [set, String::new()],
        3 => [set.clone(), set],
        _ => [set, line(rng)],
    };
    snippet.manifest = Some(Manifest { profile, edition: [2024, 2024], ..Manifest::default() });
    callers(rng, snippet, "f@N", ty, &format!("{ty}::MAX"))
}
