//! Addresses and capacity: a function returns an equal value with another capacity or at another place, and functions above it, or callbacks
//! that their callers bring, can see which.

use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Probe, Snippet, Target};

/// What a report says of closures that it chose itself is not about this one.
const CALLBACK: &str = "a callback that looks at addresses";

pub fn snippet(rng: &mut Rng) -> Snippet {
    match rng.below(4) {
        0 | 1 => capacity(rng),
        2 => text(rng),
        _ => place(rng),
    }
}

fn n() -> Vec<Param> {
    vec![Param::value("u8")]
}

/// Ways to the same elements.
fn capacity(rng: &mut Rng) -> Snippet {
    const WAYS: [&str; 8] = [
        "let mut v = Vec::new(); v.push(n); v.push(1); v",
        "let mut v = Vec::with_capacity(10); v.push(n); v.push(1); v",
        "vec![n, 1]",
        "let mut v = Vec::with_capacity(2); v.extend([n, 1]); v",
        "[n, 1].into_iter().filter(|_| true).collect()",
        "let mut v = vec![n, 1, 7]; v.truncate(2); v",
        "let mut v = vec![1]; v.reserve(n as usize); v.insert(0, n); v",
        "let mut v: Vec<u8> = vec![0, n, 1, 5]; v.drain(..1); v.pop(); v.shrink_to_fit(); v",
    ];
    let old = rng.pick(&WAYS);
    let new = rng.pick(&WAYS);
    let of = |way: &str| format!("pub fn mk@N(n: u8) -> Vec<u8> {{ {way} }}");
    let mut snippet = Snippet::new("capacity", of(old), of(new)).call("mk@N", n());
    let seen = [
        ("cap@N", "pub fn cap@N(n: u8) -> usize { mk@N(n).capacity() }"),
        ("spare@N", "pub fn spare@N(n: u8) -> usize { mk@N(n).spare_capacity_mut().len() }"),
        (
            "held@N",
            "struct H { v: Vec<u8> }\npub fn held@N(n: u8) -> bool { let h = H { v: mk@N(n) }; h.v.capacity() > 4 }",
        ),
        (
            "dynamic@N",
            "trait C { fn c(&self) -> usize; } impl C for Vec<u8> { fn c(&self) -> usize { self.capacity() } }\npub fn dynamic@N(n: u8) -> usize { let b: Box<dyn C> = Box::new(mk@N(n)); b.c() }",
        ),
        (
            "stays@N",
            "pub fn stays@N(n: u8) -> bool { let mut v = mk@N(n); let p = v.as_ptr() as usize; v.push(3); v.push(4); p == v.as_ptr() as usize && v.capacity() >= 10 }",
        ),
        (
            "through@N",
            "fn total<T: Caps>(t: T) -> usize { t.caps() } trait Caps { fn caps(&self) -> usize; } impl Caps for (Vec<u8>, u8) { fn caps(&self) -> usize { self.0.capacity() + self.1 as usize } }\npub fn through@N(n: u8) -> usize { total((mk@N(n), 1)) }",
        ),
        (
            "raw@N",
            "pub fn raw@N(n: u8) -> usize { let mut v = std::mem::ManuallyDrop::new(mk@N(n)); let c = v.capacity(); unsafe { drop(Vec::from_raw_parts(v.as_mut_ptr(), v.len(), c)); } c }",
        ),
        ("len@N", "pub fn len@N(n: u8) -> usize { mk@N(n).len() + mk@N(n)[0] as usize }"),
    ];
    for _ in 0..rng.between(1, 2) {
        let (name, item) = rng.choose(&seen);
        if !snippet.targets.iter().any(|target| target.name == name) {
            snippet = snippet.common(item).call(name, n());
        }
    }
    let given = [
        (
            "given@N",
            "pub fn given@N<F: Fn(&Vec<u8>) -> usize>(n: u8, c: F) -> usize { c(&mk@N(n)) }",
            "M::given@N(a0, |v| v.capacity())",
        ),
        (
            "pointer@N",
            "pub fn pointer@N(n: u8, c: fn(&Vec<u8>) -> usize) -> usize { c(&mk@N(n)) }",
            "M::pointer@N(a0, Vec::capacity)",
        ),
        (
            "object@N",
            "pub fn object@N(n: u8, c: &dyn Fn(&Vec<u8>) -> usize) -> usize { c(&mk@N(n)) }",
            "M::object@N(a0, &|v| v.capacity())",
        ),
        (
            "once@N",
            "pub fn once@N(n: u8, c: impl FnOnce(Vec<u8>) -> usize) -> usize { c(mk@N(n)) }",
            "M::once@N(a0, |v| v.capacity())",
        ),
        (
            "map@N",
            "pub fn map@N<R>(n: Option<u8>, c: impl Fn(Vec<u8>) -> R) -> Option<R> { n.map(mk@N).map(c) }",
            "M::map@N(Some(a0), |v| v.capacity())",
        ),
        (
            "visit@N",
            "pub trait Visit { fn visit(&mut self, v: &Vec<u8>); }\npub fn visit@N<V: Visit>(n: u8, v: &mut V) { v.visit(&mk@N(n)) }",
            "{ struct Seen(usize); impl M::Visit for Seen { fn visit(&mut self, v: &Vec<u8>) { self.0 = v.capacity() } } let mut s = Seen(0); M::visit@N(a0, &mut s); s.0 }",
        ),
    ];
    if rng.one_in(2) {
        let (name, item, call) = rng.choose(&given);
        snippet = snippet
            .common(item)
            .target(Target::probed(name, vec![Probe::of(n()).call(call).types(CALLBACK)]));
    }
    snippet
}

fn text(rng: &mut Rng) -> Snippet {
    const WAYS: [&str; 6] = [
        "let mut t = String::new(); t.push_str(s); t.push('x'); t",
        "let mut t = String::with_capacity(40); t.push_str(s); t.push('x'); t",
        "s.to_owned() + \"x\"",
        "format!(\"{s}x\")",
        "[s, \"x\"].concat()",
        "s.chars().chain(['x']).collect()",
    ];
    let of = |way: &str| format!("pub fn text@N(s: &str) -> String {{ {way} }}");
    let (old, new) = (rng.pick(&WAYS), rng.pick(&WAYS));
    let s = || vec![Param::reference("String")];
    Snippet::new("capacity of text", of(old), of(new))
        .common("pub fn cap@N(s: &str) -> usize { text@N(s).capacity() }\npub fn given@N<F: Fn(String) -> usize>(s: &str, c: F) -> usize { c(text@N(s)) }")
        .call("text@N", s())
        .call("cap@N", s())
        .target(Target::probed("given@N", vec![Probe::of(s()).call("M::given@N(&a0, |t| t.capacity())").types(CALLBACK)]))
}

/// Which of two equal places.
fn place(rng: &mut Rng) -> Snippet {
    let (old, new) = rng.choose(&[
        ("if a == b { a } else { b }", "b"),
        ("if *a <= *b { a } else { b }", "if *a < *b { a } else { b }"),
        ("std::cmp::min(a, b)", "if b < a { b } else { a }"),
        ("std::cmp::max(a, b)", "if b > a { b } else { a }"),
        ("if *a == *b { b } else { a }", "a"),
        ("[a, b].into_iter().max().unwrap()", "if a > b { a } else { b }"),
    ]);
    let of = |body: &str| format!("pub fn which@N<'a>(a: &'a u32, b: &'a u32) -> &'a u32 {{ {body} }}");
    let two = || vec![Param::value("u32").special("5"), Param::value("u32").special("5")];
    let (old, new) = if rng.one_in(2) { (old, new) } else { (new, old) };
    let mut snippet = Snippet::new("which of two equal places", of(old), of(new));
    let seen = [
        "pub fn same@N(a: u32, b: u32) -> bool { std::ptr::eq(which@N(&a, &b), &a) }",
        "pub fn same@N(a: u32, b: u32) -> bool { let x = [a, b]; std::ptr::NonNull::from(which@N(&x[0], &x[1])) == std::ptr::NonNull::from(&x[0]) }",
        "pub fn same@N(a: u32, b: u32) -> bool { format!(\"{:p}\", which@N(&a, &b)) == format!(\"{:p}\", &a) }",
        "pub fn same@N(a: u32, b: u32) -> bool { let p: usize = unsafe { std::mem::transmute(which@N(&a, &b)) }; p == &a as *const u32 as usize }",
        "pub fn same@N(a: u32, b: u32) -> isize { let x = [a, b]; unsafe { (which@N(&x[0], &x[1]) as *const u32).offset_from(&x[0]) } }",
        "fn id(p: &u32) -> usize { p as *const u32 as usize }\npub fn same@N(a: u32, b: u32) -> bool { id(which@N(&a, &b)) == id(&a) }",
    ];
    snippet = snippet.common(rng.pick(&seen)).call("same@N", two());
    if rng.one_in(2) {
        snippet = snippet
            .common("pub fn lent@N<R>(a: u32, b: u32, c: impl Fn(&u32, &u32) -> R) -> R { c(which@N(&a, &b), which@N(&b, &a)) }")
            .target(Target::probed("lent@N", vec![Probe::of(two()).call("M::lent@N(a0, a1, |x, y| std::ptr::eq(x, y))").types(CALLBACK)]));
    }
    snippet.target(Target::probed("which@N", vec![Probe::of(two()).call("*M::which@N(&a0, &a1)")]))
}
