//! Code without a body in MIR: C that a build script compiles, functions of the crate that are called through `extern` declarations, statics among them.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Side, Snippet, Target};

pub fn snippet(rng: &mut Rng) -> Snippet {
    let guard = rare(rng, "a", "u32");
    let condition = &guard.condition;
    let params = || vec![Param::value("u32").special(&guard.value), Param::value("u32")];
    let differs = !rng.one_in(4);
    let (x, y) = if differs { ("b", "b ^ 1") } else { ("b", "b") };
    let rare_c = {
        let (odd, value) = (rng.next() as u32 | 1, rng.next() as u32);
        (format!("a * {odd}u == {}u", value.wrapping_mul(odd)), format!("{value}u32"))
    };
    let kind = rng.below(6);
    let mut snippet = match kind {
        0 | 1 => {
            let declared = "unsafe extern \"C\" { fn native@N(a: u32, b: u32) -> u32; }\npub fn f@N(a: u32, b: u32) -> u32 { unsafe { native@N(a, b) } }";
            let mut s = Snippet::new("C that a build script compiles", declared, declared);
            let c = |value: &str| {
                if kind == 0 {
                    format!(
                        "uint32_t native@N(uint32_t a, uint32_t b) {{ if ({}) return {value}; return a ^ b; }}\n",
                        rare_c.0
                    )
                } else {
                    format!(
                        "static uint32_t value@N = 3; uint32_t native@N(uint32_t a, uint32_t b) {{ return a + ({value}) * value@N; }}\n"
                    )
                }
            };
            (s.old.c, s.new.c) = (c(x), c(y));
            s
        }
        2 => {
            let of = |value: &str| {
                format!(
                    "#[unsafe(no_mangle)] pub extern \"C\" fn named@N(a: u32, b: u32) -> u32 {{ if {condition} {{ {value} }} else {{ a }} }}\nmod caller {{ unsafe extern \"C\" {{ pub fn named@N(a: u32, b: u32) -> u32; }} }}\npub fn f@N(a: u32, b: u32) -> u32 {{ unsafe {{ caller::named@N(a, b) }} }}"
                )
            };
            Snippet::new("a function of the crate, by its symbol", of(x), of(y))
                .target(Target::new("named@N", params()))
        }
        3 => {
            let of = |value: &str| {
                format!(
                    "#[unsafe(export_name = \"exported@N\")] extern \"C\" fn hidden(a: u32, b: u32) -> u32 {{ if {condition} {{ {value} }} else {{ a }} }}\nunsafe extern \"C\" {{ #[link_name = \"exported@N\"] fn other(a: u32, b: u32) -> u32; }}\npub fn f@N(a: u32, b: u32) -> u32 {{ unsafe {{ other(a, b) }} }}"
                )
            };
            Snippet::new("a function of the crate, by the name it is exported under", of(x), of(y))
        }
        4 => {
            let of = |name: &str| {
                format!(
                    "#[unsafe(no_mangle)] extern \"C\" fn one@N(a: u32, b: u32) -> u32 {{ a }}\n#[unsafe(no_mangle)] extern \"C\" fn two@N(a: u32, b: u32) -> u32 {{ if {condition} {{ b }} else {{ a }} }}\nunsafe extern \"C\" {{ #[link_name = \"{name}\"] fn other(a: u32, b: u32) -> u32; }}\npub fn f@N(a: u32, b: u32) -> u32 {{ unsafe {{ other(a, b) }} }}"
                )
            };
            Snippet::new("another symbol is linked", of("one@N"), of(if differs { "two@N" } else { "one@N" }))
        }
        _ => {
            let of = |value: u32| {
                format!(
                    "#[unsafe(no_mangle)] static DATA@N: u32 = {value};\nmod caller {{ unsafe extern \"C\" {{ pub static DATA@N: u32; }} }}\npub fn f@N(a: u32, b: u32) -> u32 {{ if {condition} {{ unsafe {{ caller::DATA@N }} }} else {{ b }} }}"
                )
            };
            Snippet::new("a static of the crate, by its symbol", of(3), of(if differs { 4 } else { 3 }))
        }
    };
    let mut params = params();
    params[0] = params[0].clone().special(rare_c.1);
    snippet = snippet
        .common("pub fn up@N(a: u32, b: u32) -> u32 { f@N(a, b).rotate_left(5) }\npub fn pointed@N(a: u32, b: u32) -> u32 { let f: fn(u32, u32) -> u32 = f@N; f(a, b) }")
        .call("f@N", params.clone());
    let above = rng.choose(&["up@N", "pointed@N"]);
    snippet = snippet.call(above, params.clone());
    if snippet.old.c.is_empty() && rng.one_in(3) {
        // The function with the symbol is in another crate of the workspace, and only its declaration in this one.
        let moved = |side: &mut Side| {
            if let Some((defined, rest)) = side.items.split_once("\nmod caller") {
                side.dep = defined.to_owned();
                side.items = format!("use dep::k@N as _;\nmod caller{rest}");
            }
        };
        moved(&mut snippet.old);
        moved(&mut snippet.new);
        if !snippet.old.dep.is_empty() {
            snippet.shape.push_str(", in a dependency");
            snippet.targets.retain(|target| target.name != "named@N");
        }
    }
    snippet
}
