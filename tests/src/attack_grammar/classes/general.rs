//! Rewritings of all kinds: loops as iterator chains, matches in another order, casts, floats, options, generics, strings, statics, drops. Each is a body in two ways, of which some are the same,
//! some nearly so and some are told apart by a rare input alone.

use super::parts::{callers, rare};
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Probe, Snippet, Target};

/// Over `a: u32`, `b: u32`, as `u32`.
const NUMBERS: [(&str, &str); 34] = [
    ("(a as i32 >> 3) as u32", "a >> 3"),
    ("(a as i32 >> 31) as u32 & b", "if (a as i32) < 0 { b } else { 0 }"),
    ("a as u8 as u32", "a & 255"),
    ("a as u8 as i8 as u32", "if a & 128 != 0 { a | 0xffff_ff00 } else { a & 127 }"),
    ("a as u16 as i16 as i32 as u32", "a as u16 as u32"),
    ("(a as i64 - b as i64) as u32", "a.wrapping_sub(b)"),
    ("(a as f32) as u32", "a"),
    ("(a as f64) as u32", "a"),
    ("(a as f64 / 2.0) as u32", "a / 2"),
    ("((a as f64) * 0.1) as u32", "a / 10"),
    ("(-(a as f64)) as u32", "0"),
    ("f32::from_bits(a).max(f32::from_bits(b)).to_bits() & 0", "0"),
    ("(f32::from_bits(a) < f32::from_bits(b)) as u32", "!(f32::from_bits(a) >= f32::from_bits(b)) as u32"),
    ("(f32::from_bits(a) == f32::from_bits(a)) as u32", "1"),
    ("(f32::from_bits(a) + 0.0 == f32::from_bits(a)) as u32", "!f32::from_bits(a).is_nan() as u32"),
    ("f32::from_bits(a).is_sign_negative() as u32", "(f32::from_bits(a) < 0.0) as u32"),
    ("f32::from_bits(a).abs().to_bits()", "a & 0x7fff_ffff"),
    (
        "(f32::from_bits(a).total_cmp(&f32::from_bits(b)) == std::cmp::Ordering::Less) as u32",
        "(f32::from_bits(a) < f32::from_bits(b)) as u32",
    ),
    ("1u32.checked_shl(b).unwrap_or(0)", "if b < 32 { 1 << b } else { 0 }"),
    ("a.wrapping_shl(b)", "a << (b % 32)"),
    ("a.rotate_left(b)", "(a << (b % 32)) | (a >> (32 - b % 32))"),
    (
        "char::from_u32(a).map_or(0, |c| c.len_utf8() as u32)",
        "if a > 0x10ffff || (0xd800..0xe000).contains(&a) { 0 } else if a < 128 { 1 } else if a < 2048 { 2 } else if a < 65536 { 3 } else { 4 }",
    ),
    (
        "char::from_u32(a).is_some_and(|c| c.is_ascii_alphanumeric()) as u32",
        "matches!(a as u8 as char, 'a'..='z' | 'A'..='Z' | '0'..='9') as u32",
    ),
    (
        "char::from_digit(a % 40, 36).map_or(99, |c| c as u32)",
        "{ let d = a % 40; if d < 10 { d + 48 } else if d < 36 { d + 87 } else { 99 } }",
    ),
    (
        "match (a, b) { (0, _) => 1, (_, 0) => 2, _ => 3 }",
        "match (a, b) { (_, 0) => 2, (0, _) => 1, _ => 3 }",
    ),
    ("match a { 0..=9 => 1, 10..=99 => 2, _ => 3 }", "if a < 10 { 1 } else if a < 99 { 2 } else { 3 }"),
    ("match a { x if x == b => 1, 5 => 2, _ => 3 }", "match a { 5 => 2, x if x == b => 1, _ => 3 }"),
    (
        "'o: loop { let mut i = a % 9; loop { if i > 6 { break 'o i } i += 1; if i == b { continue 'o } } }",
        "if a % 9 > 6 { a % 9 } else { 7 }",
    ),
    (
        "{ let mut i = a % 16; let mut n = 0; while i > 0 { n += i & 1; i >>= 1; } n }",
        "(a % 16).count_ones()",
    ),
    ("{ let mut x = 1; { let y = &mut x; *y += a % 7; } x }", "a % 7 + 1"),
    ("{ let t = (b, a); let (a, b) = t; a.wrapping_sub(b) }", "b.wrapping_sub(a)"),
    ("{ let mut k = 0; let mut n = || { k += 1; k }; let x = n() * 10 + n(); x + a % 3 }", "12 + a % 3"),
    (
        "{ fn s(k: &mut u32, v: u32) -> u32 { *k = *k * 10 + v; v } let mut k = 0; let r = s(&mut k, 1) + s(&mut k, 2); k * 10 + r }",
        "{ fn s(k: &mut u32, v: u32) -> u32 { *k = *k * 10 + v; v } let mut k = 0; let y = s(&mut k, 2); let r = s(&mut k, 1) + y; k * 10 + r }",
    ),
    ("(a as u128 * b as u128 >> 32) as u32", "((a as u64 * b as u64) >> 32) as u32"),
];

/// Over `xs: &[u32]`, as `u64`; the rare condition is on `a`, the first element.
const SLICES: [(&str, &str); 18] = [
    ("xs.iter().map(|x| *x as u64).sum()", "{ let mut s = 0u64; for x in xs { s += *x as u64; } s }"),
    (
        "xs.iter().filter(|x| **x > 5).count() as u64",
        "{ let mut n = 0; for i in 0..xs.len() { if xs[i] > 5 { n += 1 } } n }",
    ),
    (
        "xs.iter().max().copied().unwrap_or(0) as u64",
        "{ let mut m = 0; for x in xs { if *x > m { m = *x } } m as u64 }",
    ),
    (
        "xs.iter().min().copied().unwrap_or(0) as u64",
        "{ let mut m = u32::MAX; for x in xs { if *x < m { m = *x } } if xs.len() == 0 { 0 } else { m as u64 } }",
    ),
    (
        "xs.windows(2).filter(|w| w[0] > w[1]).count() as u64",
        "{ let mut n = 0; for i in 1..xs.len() { if xs[i - 1] > xs[i] { n += 1 } } n }",
    ),
    ("xs.chunks(3).map(|c| c[0] as u64).sum()", "xs.iter().step_by(3).map(|x| *x as u64).sum()"),
    (
        "xs.chunks_exact(2).map(|c| c[1] as u64).sum()",
        "xs.iter().skip(1).step_by(2).map(|x| *x as u64).sum()",
    ),
    ("xs.first().map_or(0, |x| *x as u64)", "if let [x, ..] = xs { *x as u64 } else { 0 }"),
    ("xs.last().map_or(0, |x| *x as u64)", "if let [.., x] = xs { *x as u64 } else { 0 }"),
    (
        "xs.iter().rev().position(|x| *x == 3).unwrap_or(9) as u64",
        "xs.iter().position(|x| *x == 3).map_or(9, |i| xs.len() - 1 - i) as u64",
    ),
    (
        "xs.iter().rposition(|x| *x < 3).unwrap_or(9) as u64",
        "{ let mut r = 9; for (i, x) in xs.iter().enumerate() { if *x < 3 { r = i } } r as u64 }",
    ),
    (
        "{ let mut v = xs.to_vec(); v.sort(); v.dedup(); v.len() as u64 }",
        "{ let mut v: Vec<u32> = vec![]; for x in xs { if !v.contains(x) { v.push(*x) } } v.len() as u64 }",
    ),
    (
        "{ let mut v = xs.to_vec(); v.reverse(); v.iter().fold(0u64, |s, x| s.wrapping_mul(3).wrapping_add(*x as u64)) }",
        "xs.iter().rfold(0u64, |s, x| s.wrapping_mul(3).wrapping_add(*x as u64))",
    ),
    ("xs.iter().take_while(|x| **x < 9).count() as u64", "xs.iter().filter(|x| **x < 9).count() as u64"),
    (
        "xs.iter().skip_while(|x| **x < 9).count() as u64",
        "xs.iter().position(|x| *x >= 9).map_or(0, |i| xs.len() - i) as u64",
    ),
    (
        "xs.iter().flat_map(|x| [*x; 2]).enumerate().filter(|(i, x)| *i as u32 == *x).count() as u64",
        "xs.iter().enumerate().map(|(i, x)| (*x as usize == 2 * i || *x as usize == 2 * i + 1) as u64).sum()",
    ),
    ("xs.split(|x| *x == 0).count() as u64", "xs.iter().filter(|x| **x == 0).count() as u64 + 1"),
    (
        "xs.iter().scan(1u32, |s, x| { *s = s.wrapping_mul(*x); Some(*s) }).last().unwrap_or(1) as u64",
        "xs.iter().fold(1u32, |s, x| s.wrapping_mul(*x)) as u64",
    ),
];

/// Over `s: &str`, as `String`.
const TEXTS: [(&str, &str); 16] = [
    ("s.trim().to_string()", "s.trim_matches(' ').to_string()"),
    ("s.trim_start().to_owned()", "s.trim_start_matches(char::is_whitespace).to_owned()"),
    ("s.chars().rev().collect()", "{ let mut t = String::new(); for c in s.chars() { t.insert(0, c) } t }"),
    ("s.to_uppercase()", "s.to_ascii_uppercase()"),
    ("s.replace(\"a\", \"b\")", "s.split('a').collect::<Vec<_>>().join(\"b\")"),
    ("s.splitn(2, ':').next().unwrap().to_string()", "s.split_once(':').map_or(s, |(l, _)| l).to_string()"),
    ("s.rsplit('.').next().unwrap().to_string()", "s.rfind('.').map_or(s, |i| &s[i + 1..]).to_string()"),
    (
        "s.parse::<u8>().map_or(String::new(), |n| n.to_string())",
        "s.parse::<u32>().map_or(String::new(), |n| if n < 256 { n.to_string() } else { String::new() })",
    ),
    ("s.lines().count().to_string()", "s.split('\\n').count().to_string()"),
    (
        "s.char_indices().map(|(i, _)| i).max().unwrap_or(0).to_string()",
        "(s.len() - s.chars().next_back().map_or(0, char::len_utf8)).to_string()",
    ),
    (
        "s.bytes().filter(u8::is_ascii_digit).map(char::from).collect()",
        "s.chars().filter(|c| c.is_ascii_digit()).collect()",
    ),
    ("s.chars().filter(|c| c.is_numeric()).collect()", "s.chars().filter(char::is_ascii_digit).collect()"),
    ("s.strip_prefix(\"a\").unwrap_or(s).to_string()", "s.trim_start_matches('a').to_string()"),
    (
        "format!(\"{s:>4}\")",
        "{ let mut t = \" \".repeat(4usize.saturating_sub(s.chars().count())); t.push_str(s); t }",
    ),
    ("format!(\"{s:?}\").len().to_string()", "(s.len() + 2).to_string()"),
    ("s.eq_ignore_ascii_case(\"ab\").to_string()", "(s.to_lowercase() == \"ab\").to_string()"),
];

/// Items with `pub fn f@N(a: u32, b: u32) -> u32` in two versions.
const ITEMS: [(&str, &str); 16] = [
    (
        "const K: u32 = 7; pub fn f@N(a: u32, b: u32) -> u32 { if RARE { K } else { a ^ b } }",
        "const K: u32 = 8; pub fn f@N(a: u32, b: u32) -> u32 { if RARE { K } else { a ^ b } }",
    ),
    (
        "static T: [u32; 4] = [1, 2, 3, 4]; pub fn f@N(a: u32, b: u32) -> u32 { if RARE { T[(b % 4) as usize] } else { b } }",
        "static T: [u32; 4] = [1, 2, 4, 3]; pub fn f@N(a: u32, b: u32) -> u32 { if RARE { T[(b % 4) as usize] } else { b } }",
    ),
    (
        "const fn t() -> [u32; 8] { let mut t = [0; 8]; let mut i = 0; while i < 8 { t[i] = i as u32 * 3; i += 1 } t } static T: [u32; 8] = t(); pub fn f@N(a: u32, b: u32) -> u32 { T[(a % 8) as usize] ^ b }",
        "pub fn f@N(a: u32, b: u32) -> u32 { (a % 8) * 3 ^ b }",
    ),
    (
        "const fn t() -> u32 { let mut n = 0; let mut i = 0; while i < 8 { n += i; i += 1 } n } const N: u32 = t(); pub fn f@N(a: u32, b: u32) -> u32 { if RARE { N } else { b } }",
        "const fn t() -> u32 { let mut n = 0; let mut i = 0; while i < 9 { n += i; i += 1 } n } const N: u32 = t(); pub fn f@N(a: u32, b: u32) -> u32 { if RARE { N } else { b } }",
    ),
    (
        "trait A { const C: u32; fn go(&self) -> u32 { Self::C } } impl A for u32 { const C: u32 = 4; } pub fn f@N(a: u32, b: u32) -> u32 { if RARE { a.go() } else { b } }",
        "trait A { const C: u32; fn go(&self) -> u32 { Self::C } } impl A for u32 { const C: u32 = 4; fn go(&self) -> u32 { 5 } } pub fn f@N(a: u32, b: u32) -> u32 { if RARE { a.go() } else { b } }",
    ),
    (
        "trait A { fn go(&self) -> u32 { 1 } } impl A for u32 {} pub fn f@N(a: u32, b: u32) -> u32 { if RARE { a.go() } else { b } }",
        "trait A { fn go(&self) -> u32 { 2 } } impl A for u32 {} pub fn f@N(a: u32, b: u32) -> u32 { if RARE { a.go() } else { b } }",
    ),
    (
        "trait A { fn go(&self) -> u32; } impl A for u32 { fn go(&self) -> u32 { 1 } } impl A for &u32 { fn go(&self) -> u32 { 2 } } pub fn f@N(a: u32, b: u32) -> u32 { if RARE { (&a).go() } else { b } }",
        "trait A { fn go(&self) -> u32; } impl A for u32 { fn go(&self) -> u32 { 1 } } impl A for &u32 { fn go(&self) -> u32 { 2 } } pub fn f@N(a: u32, b: u32) -> u32 { if RARE { (&&a).go() } else { b } }",
    ),
    (
        "struct G<const N: usize>([u32; N]); impl<const N: usize> G<N> { fn n(&self) -> u32 { self.0.iter().sum::<u32>() + N as u32 } } pub fn f@N(a: u32, b: u32) -> u32 { G([a % 9, b % 9]).n() }",
        "struct G<const N: usize>([u32; N]); impl<const N: usize> G<N> { fn n(&self) -> u32 { self.0.iter().sum::<u32>() + N as u32 } } pub fn f@N(a: u32, b: u32) -> u32 { G([a % 9, b % 9, 0]).n() }",
    ),
    (
        "struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { let x = D(&c, 1); let y = D(&c, 2); if a == 3 { drop(x) } } c.get() }",
        "struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { let (x, y) = (D(&c, 1), D(&c, 2)); if a == 3 { drop(x) } } c.get() }",
    ),
    (
        "struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { let x = [D(&c, 1), D(&c, 2)]; let _ = D(&c, 3); } c.get() }",
        "struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { let x = [D(&c, 1), D(&c, 2)]; let _y = D(&c, 3); } c.get() }",
    ),
    (
        "struct S<'a> { x: D<'a>, y: D<'a> } struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { S { x: D(&c, 1), y: D(&c, 2) }; } c.get() }",
        "struct S<'a> { y: D<'a>, x: D<'a> } struct D<'a>(&'a std::cell::Cell<u32>, u32); impl Drop for D<'_> { fn drop(&mut self) { self.0.set(self.0.get() * 10 + self.1) } } pub fn f@N(a: u32, b: u32) -> u32 { let c = std::cell::Cell::new(0); { S { x: D(&c, 1), y: D(&c, 2) }; } c.get() }",
    ),
    (
        "use std::fmt; struct P(u32); impl fmt::Display for P { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, \"{}\", self.0) } } pub fn f@N(a: u32, b: u32) -> u32 { format!(\"{:>5}\", P(a)).len() as u32 }",
        "use std::fmt; struct P(u32); impl fmt::Display for P { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { self.0.fmt(f) } } pub fn f@N(a: u32, b: u32) -> u32 { format!(\"{:>5}\", P(a)).len() as u32 }",
    ),
    (
        "pub fn f@N(a: u32, b: u32) -> u32 { let v: Vec<Box<dyn Fn(u32) -> u32>> = vec![Box::new(|x| x ^ 1), Box::new(move |x| x & b)]; v.iter().fold(a, |s, g| g(s)) }",
        "pub fn f@N(a: u32, b: u32) -> u32 { (a ^ 1) & b }",
    ),
    (
        "enum E { A(u32), B { x: u32, y: Option<Box<E>> } } fn v(e: &E) -> u32 { match e { E::A(x) => *x, E::B { x, y: None } => *x, E::B { x, y: Some(y) } => x ^ v(y) } } pub fn f@N(a: u32, b: u32) -> u32 { v(&E::B { x: a, y: Some(Box::new(E::A(b))) }) }",
        "pub fn f@N(a: u32, b: u32) -> u32 { a ^ b }",
    ),
    (
        "use std::collections::HashMap; pub fn f@N(a: u32, b: u32) -> u32 { let m = HashMap::from([(a, 1), (b, 2)]); m[&a] }",
        "pub fn f@N(a: u32, b: u32) -> u32 { if a == b { 2 } else { 1 } }",
    ),
    (
        "pub fn f@N(a: u32, b: u32) -> u32 { let mut x = a; let r = &mut x; *r += 1; let y = *r; std::mem::swap(&mut x, &mut { y }); x }",
        "pub fn f@N(a: u32, b: u32) -> u32 { a + 1 }",
    ),
];

/// Generic over `T: Copy + PartialOrd + Default + core::ops::Add<Output = T>`, as `T`.
const GENERICS: [(&str, &str); 6] = [
    ("if a > b { a } else { b }", "if b > a { b } else { a }"),
    ("if a < b { a } else { b }", "if a <= b { a } else { b }"),
    ("a + b", "b + a"),
    ("if std::mem::size_of::<T>() == 1 { a } else { b }", "b"),
    ("if std::any::type_name::<T>() == \"u8\" { b } else { a }", "a"),
    ("if a == a { a + b } else { b }", "a + b"),
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let swap = rng.one_in(2);
    let two = |(old, new): (&'static str, &'static str)| if swap { (new, old) } else { (old, new) };
    let guard = rare(rng, "a", "u32");
    let params = || vec![Param::value("u32").special(&guard.value), Param::value("u32")];
    // Behind a rare input, or everywhere.
    let hidden = rng.one_in(2);
    let within = |way: &str, other: &str| {
        if hidden { format!("if {} {{ {way} }} else {{ {other} }}", guard.condition) } else { way.to_owned() }
    };
    match rng.below(10) {
        0..=2 => {
            let (old, new) = two(rng.choose(&NUMBERS));
            let of = |way: &str| format!("pub fn f@N(a: u32, b: u32) -> u32 {{ {} }}", within(way, "a ^ b"));
            let snippet = Snippet::new("numbers", of(old), of(new)).call("f@N", params());
            callers(rng, snippet, "f@N", "u32", &guard.value)
        }
        3 | 4 => {
            let (old, new) = two(rng.choose(&SLICES));
            let of = |way: &str| {
                format!(
                    "pub fn f@N(xs: &[u32]) -> u64 {{ let a = xs.first().copied().unwrap_or(0); {} }}\npub fn up@N(xs: &mut [u32]) -> u64 {{ if let Some(x) = xs.first_mut() {{ *x ^= 1; }} f@N(xs).rotate_left(3) }}",
                    within(way, "xs.len() as u64")
                )
            };
            let value = &guard.value;
            let special = || format!("vec![{value}, 0, 3, 3, 9]");
            Snippet::new("slices", of(old), of(new))
                .call("f@N", vec![Param::reference("Vec<u32>").special(special())])
                .call("up@N", vec![Param::mutable("Vec<u32>").special(format!("vec![{value} ^ 1, 7, 3, 4]"))])
        }
        5 | 6 => {
            let (old, new) = two(rng.choose(&TEXTS));
            let of = |way: &str| {
                let way = if hidden {
                    format!("if s.starts_with(\"q7\") {{ {way} }} else {{ s.len().to_string() }}")
                } else {
                    way.to_owned()
                };
                format!(
                    "pub fn f@N(s: &str) -> String {{ {way} }}\npub fn up@N(s: &str) -> usize {{ f@N(s).len() }}"
                )
            };
            let text = || {
                vec![
                    Param::reference("String")
                        .special("\"q7 a.b:\".to_string()")
                        .special("\"q7\\n\".to_string()")
                        .special("\"  a \\t\".to_string()")
                        .special("\"q7aab1\".to_string()"),
                ]
            };
            Snippet::new("texts", of(old), of(new)).call("f@N", text()).call("up@N", text())
        }
        7 | 8 => {
            let (old, new) = two(rng.choose(&ITEMS));
            let of = |items: &str| items.replace("RARE", &guard.condition);
            let snippet = Snippet::new("items", of(old), of(new)).call("f@N", params());
            callers(rng, snippet, "f@N", "u32", &guard.value)
        }
        _ => {
            let (old, new) = two(rng.choose(&GENERICS));
            let of = |body: &str| {
                format!(
                    "pub fn f@N<T: Copy + PartialOrd + Default + core::ops::Add<Output = T>>(a: T, b: T) -> T {{ {body} }}"
                )
            };
            let probes = ["i32", "u8", "f32", "u64"]
                .iter()
                .map(|ty| Probe::of(vec![Param::value(ty), Param::value(ty)]).types(format!("T = {ty}")));
            Snippet::new("generics", of(old), of(new)).target(Target::probed("f@N", probes.collect()))
        }
    }
}
