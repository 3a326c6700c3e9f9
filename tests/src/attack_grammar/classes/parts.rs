//! Parts that classes share: conditions that random runs do not meet, expressions in two ways, and functions above a changed one.

use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Probe, Snippet, Target};

/// A condition on one variable that holds for one value, and that value.
pub struct Rare {
    pub condition: String,
    pub value: String,
}

pub const UNSIGNED: [&str; 4] = ["u16", "u32", "u64", "usize"];

pub fn is_signed(ty: &str) -> bool {
    ty.starts_with('i')
}

pub fn bits(ty: &str) -> u32 {
    match ty.trim_start_matches(['u', 'i']) {
        "size" => 64,
        digits => digits.parse().expect("an integer type ends in its bits"),
    }
}

/// The unsigned type of the same width.
pub fn unsigned(ty: &str) -> String {
    ty.replacen('i', "u", usize::from(is_signed(ty)))
}

pub fn rare(rng: &mut Rng, name: &str, ty: &str) -> Rare {
    let (bits, plain) = (bits(ty), unsigned(ty));
    let mask = u64::MAX >> (64 - bits);
    let cut = |number: u64| number & mask;
    let value = cut(rng.next());
    let odd = cut(rng.next() | 1);
    let word = if is_signed(ty) { format!("({name} as {plain})") } else { name.to_owned() };
    let turn = rng.between(1, u64::from(bits) - 1);
    let rotated = |number: u64| cut((number << turn) | (cut(number) >> (u64::from(bits) - turn)));
    let condition = match rng.below(8) {
        0..=2 => format!("{word}.wrapping_mul({odd}) == {}", cut(value.wrapping_mul(odd))),
        3 => format!("{word} ^ {odd} == {}", value ^ odd),
        4 => format!("{word}.rotate_left({turn}) == {}", rotated(value)),
        5 => format!("{word}.wrapping_add({odd}) == {}", cut(value.wrapping_add(odd))),
        6 => format!("{word} / 1009 == {} && {word} % 1009 == {}", value / 1009, value % 1009),
        _ => format!(
            "{word}.wrapping_mul({odd}).rotate_left({turn}) == {}",
            rotated(cut(value.wrapping_mul(odd)))
        ),
    };
    let value = if is_signed(ty) { format!("({value}{plain} as {ty})") } else { format!("{value}{ty}") };
    Rare { condition, value }
}

/// Two expressions over `a` and `b` of the unsigned type that have the same value.
pub fn equal(rng: &mut Rng, ty: &str) -> (String, String) {
    let (old, new) = rng.choose(&[
        ("a.wrapping_add(b)", "b.wrapping_add(a)"),
        ("a & b", "!(!a | !b)"),
        ("a ^ b", "(a | b) & !(a & b)"),
        ("a.wrapping_sub(b)", "a.wrapping_add(!b).wrapping_add(1)"),
        ("a.wrapping_mul(5)", "(a << 2).wrapping_add(a)"),
        ("a / 2 + b / 4", "(a >> 1) + (b >> 2)"),
        ("(a % 8) | (b & 32)", "(a & 7) | (b & 32)"),
        ("if a > b { a } else { b }", "a.max(b)"),
        ("if a < b { a } else { b }", "b.min(a)"),
        ("a.abs_diff(b)", "if a > b { a - b } else { b - a }"),
        ("a.saturating_add(b)", "a.checked_add(b).unwrap_or(T::MAX)"),
        ("a.saturating_sub(b)", "if b >= a { 0 } else { a - b }"),
        ("(a & b).wrapping_add(a | b)", "a.wrapping_add(b)"),
        ("a.swap_bytes() ^ b.swap_bytes()", "(a ^ b).swap_bytes()"),
        (
            "match (a > 3, b > 3) { (true, _) => a, (_, true) => b, _ => 1 }",
            "if a > 3 { a } else if b > 3 { b } else { 1 }",
        ),
        ("a.checked_div(b).unwrap_or(9)", "if b == 0 { 9 } else { a / b }"),
        (
            "{ let mut s = a; for _ in 0..3 { s = s.wrapping_add(b); } s }",
            "a.wrapping_add(b.wrapping_mul(3))",
        ),
        ("a + b", "b + a"),
        ("{ let [x, y] = [b, a]; x.wrapping_mul(y) }", "a.wrapping_mul(b)"),
        ("(a as u128 + b as u128) as T", "a.wrapping_add(b)"),
        (
            "a.overflowing_add(b).0 ^ a.overflowing_add(b).1 as T",
            "{ let s = a.wrapping_add(b); s ^ (s < a) as T }",
        ),
        ("a.leading_zeros() as T", "(T::BITS - if a == 0 { 0 } else { a.ilog2() + 1 }) as T"),
    ]);
    let of = |text: &str| {
        let text = text.replace("as T", &format!("as {ty}"));
        text.replace("T::", &format!("{ty}::"))
    };
    if rng.one_in(2) { (of(old), of(new)) } else { (of(new), of(old)) }
}

/// Two expressions that look alike and are not the same on inputs that are no rarity.
pub fn unequal(rng: &mut Rng) -> (String, String) {
    let (old, new) = rng.choose(&[
        ("a.saturating_sub(b)", "a.wrapping_sub(b)"),
        ("a.saturating_add(b)", "a.wrapping_add(b)"),
        ("if a > b { a - b } else { 0 }", "a.abs_diff(b)"),
        ("a << (b % 8)", "a.wrapping_mul((b % 8) * 2)"),
        ("a.checked_div(b).unwrap_or(0)", "a.checked_rem(b).unwrap_or(0)"),
        ("a.max(b)", "if a >= 1000 || a > b { a } else { b }"),
        ("a & b", "a & b & 0xff7f"),
        ("a.rotate_left(3)", "a << 3"),
        ("a + b", "a.wrapping_add(b)"),
    ]);
    (old.to_owned(), new.to_owned())
}

/// A body in two ways: the same, the same but for one value of `a`, or another one.
pub struct Bodies {
    pub old: String,
    pub new: String,
    pub special: String,
}

pub fn bodies(rng: &mut Rng, ty: &str) -> Bodies {
    let Rare { condition, value } = rare(rng, "a", ty);
    let (old, new) = equal(rng, ty);
    let (old, new) = match rng.below(6) {
        0 => (old, new),
        // A branch of its own, with the same in it.
        1 => {
            let (x, y) = equal(rng, ty);
            (
                format!("if {condition} {{ {x} }} else {{ {old} }}"),
                format!("if {condition} {{ {y} }} else {{ {new} }}"),
            )
        }
        2 => (
            format!("if {condition} {{ b }} else {{ {old} }}"),
            format!("if {condition} {{ !b }} else {{ {new} }}"),
        ),
        3 => (old, format!("if {condition} {{ return b ^ 1; }} {new}")),
        4 => (old, format!("{{ let mut r = {new}; if {condition} {{ r ^= 4; }} r }}")),
        _ => {
            let (x, y) = unequal(rng);
            (
                format!("if {condition} {{ {x} }} else {{ {old} }}"),
                format!("if {condition} {{ {y} }} else {{ {new} }}"),
            )
        }
    };
    Bodies { old, new, special: value }
}

/// Functions above `f(a: ty, b: ty) -> ty`, which stay as they are.
pub fn callers(rng: &mut Rng, mut snippet: Snippet, f: &str, ty: &str, special: &str) -> Snippet {
    let a = || Param::value(ty).special(special);
    let b = || Param::value(ty);
    let count = rng.below(4);
    let mut made: Vec<usize> = Vec::new();
    for _ in 0..count {
        let kind = rng.below(12);
        if made.contains(&kind) {
            continue;
        }
        made.push(kind);
        let name = format!("up{kind}_{f}");
        let (item, target) = match kind {
            0 => (
                format!("(a: {ty}, b: {ty}) -> {ty} {{ {f}(a, b) ^ 3 }}"),
                Target::new(&name, vec![a(), b()]),
            ),
            1 => (format!("(a: {ty}) -> {ty} {{ {f}(a, 77) }}"), Target::new(&name, vec![a()])),
            2 => (
                format!("(a: {ty}, b: {ty}) -> bool {{ {f}(a, b) > {f}(b, a) }}"),
                Target::new(&name, vec![a(), b()]),
            ),
            3 => (
                format!(
                    "(xs: &[{ty}]) -> {ty} {{ xs.iter().fold(0, |s: {ty}, &x| s.wrapping_add({f}(x, 5))) }}"
                ),
                Target::new(
                    &name,
                    vec![Param::reference(&format!("Vec<{ty}>")).special(format!("vec![1, {special}]"))],
                ),
            ),
            4 => (
                format!("(a: {ty}) -> Option<{ty}> {{ match {f}(a, 1) {{ 7 => None, v => Some(v) }} }}"),
                Target::new(&name, vec![a()]),
            ),
            5 => (
                format!("(a: {ty}, b: {ty}) -> {ty} {{ if a < 1000 {{ {f}(a, b) }} else {{ b }} }}"),
                Target::new(&name, vec![a(), b()]),
            ),
            6 => (
                format!(
                    "(a: {ty}, b: {ty}) -> {ty} {{ let g: fn({ty}, {ty}) -> {ty} = {f}; g(a, b) & g(a, 2) }}"
                ),
                Target::new(&name, vec![a(), b()]),
            ),
            7 => (
                format!("<F: Fn({ty}) -> {ty}>(a: {ty}, c: F) -> {ty} {{ c({f}(a, a)) }}"),
                Target::probed(&name, vec![Probe::of(vec![a()]).call(format!("M::{name}(a0, |x| x ^ 1)"))]),
            ),
            8 => (
                format!(
                    "(a: {ty}, b: &mut {ty}) {{ struct H {{ a: {ty} }} impl H {{ fn go(&self, b: {ty}) -> {ty} {{ {f}(self.a, b) }} }} *b = H {{ a }}.go(*b); }}"
                ),
                Target::new(&name, vec![a(), Param::mutable(ty)]),
            ),
            9 => (
                format!("(a: Option<{ty}>) -> Result<{ty}, u8> {{ let v = a.ok_or(3u8)?; Ok({f}(v, 6)) }}"),
                Target::new(
                    &name,
                    vec![Param::value(&format!("Option<{ty}>")).special(format!("Some({special})"))],
                ),
            ),
            10 => (
                format!(
                    "(xs: Vec<{ty}>) -> Vec<{ty}> {{ xs.into_iter().map(|x| {f}(x, 9)).filter(|x| x % 2 == 0).collect() }}"
                ),
                Target::new(
                    &name,
                    vec![Param::value(&format!("Vec<{ty}>")).special(format!("vec![{special}, 4]"))],
                ),
            ),
            _ => (
                format!(
                    "(a: {ty}, n: u8) -> {ty} {{ let mut r = a; for i in 0..n % 4 {{ r = {f}(r, i as {ty}); }} r }}"
                ),
                Target::new(&name, vec![a(), Param::value("u8").special("1")]),
            ),
        };
        snippet = snippet.common(&format!("pub fn {name}{item}")).target(target);
    }
    snippet
}
