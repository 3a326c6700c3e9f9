//! Names that are read two ways: types, variants, functions, constants and modules of the crate with the names of operators, rvalues and keywords of MIR's text, or of the
//! standard library's and the language's own types.

use super::parts::{Rare, rare};
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet, Target};

const OPERATORS: [&str; 32] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "Eq",
    "Ne",
    "Lt",
    "Le",
    "Gt",
    "Ge",
    "Offset",
    "Cmp",
    "AddUnchecked",
    "SubUnchecked",
    "MulUnchecked",
    "ShlUnchecked",
    "AddWithOverflow",
    "SubWithOverflow",
    "MulWithOverflow",
    "CheckedAdd",
    "Transmute",
    "IntToInt",
    "Repeat",
    "Cast",
    "Ref",
    "Aggregate",
];

const UNARY: [&str; 12] = [
    "Not",
    "Neg",
    "Len",
    "PtrMetadata",
    "Discriminant",
    "CopyForDeref",
    "SizeOf",
    "AlignOf",
    "ShallowInitBox",
    "Use",
    "UbChecks",
    "ThreadLocalRef",
];

const WORDS: [&str; 16] = [
    "copy",
    "discriminant",
    "goto",
    "assert",
    "drop",
    "resume",
    "switchInt",
    "size_of",
    "transmute",
    "deref_copy",
    "r#move",
    "r#const",
    "r#as",
    "alloc",
    "StorageLive",
    "bb0",
];

const STD_TYPES: [&str; 10] =
    ["Vec", "Option2", "String", "Box", "Wrapping", "Rc", "Cell", "NonZeroU64", "Ordering", "RangeInclusive"];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let Rare { condition, value } = rare(rng, "a", "u64");
    let special = || vec![Param::value("u64").special(&value), Param::value("u64")];
    let differs = !rng.one_in(3);
    let new_order = |name: &str| {
        if differs {
            format!("if {condition} {{ {name}(b, a) }} else {{ {name}(a, b) }}")
        } else {
            format!("if {condition} {{ {name}(a, b) }} else {{ {name}(a, b) }}")
        }
    };
    let binary = rng.pick(&OPERATORS).to_owned();
    let unary = rng.pick(&UNARY).to_owned();
    match rng.below(8) {
        0 | 1 => {
            let body = |make: &str| {
                format!(
                    "pub fn op@N(a: u64, b: u64) -> u64 {{ let x = {make}; x.0.wrapping_mul(3) ^ x.1 }}\npub fn ret@N(a: u64, b: u64) -> {binary} {{ {make} }}"
                )
            };
            let mut snippet = Snippet::new("a tuple struct named as an operator", "", "");
            snippet.old.root =
                format!("pub struct {binary}(pub u64, pub u64);\n{}", body(&format!("{binary}(a, b)")));
            snippet.new.root =
                format!("pub struct {binary}(pub u64, pub u64);\n{}", body(&new_order(&binary)));
            snippet.root_names = vec![binary];
            let mut ret = Target::new("ret@N", special()).at_root();
            ret.probes[0].call = Some("{ let x = M::ret@N(a0, a1); (x.0, x.1) }".into());
            snippet.target(Target::new("op@N", special()).at_root()).target(ret)
        }
        2 => {
            // The same as variants, brought in by a glob.
            let old = format!(
                "pub enum Ops {{ {binary}(u64, u64), Other }}\nuse self::Ops::*;\npub fn va@N(a: u64, b: u64) -> u64 {{ match {binary}(a, b) {{ {binary}(x, y) => x.rotate_left(1) ^ y, Other => 0 }} }}"
            );
            let new =
                old.replace(&format!("match {binary}(a, b)"), &format!("match {{ {} }}", new_order(&binary)));
            Snippet::new("a variant named as an operator", old, new).call("va@N", special())
        }
        3 => {
            let mut snippet = Snippet::new("a function named as an operator", "", "");
            let of = |call: &str| {
                format!(
                    "pub fn {binary}(a: u64, b: u64) -> u64 {{ a.wrapping_mul(7) ^ b }}\npub fn ca@N(a: u64, b: u64) -> u64 {{ {call} }}"
                )
            };
            snippet.old.root = of(&format!("{binary}(a, b)"));
            snippet.new.root = of(&new_order(&binary));
            snippet.root_names = vec![binary.clone()];
            snippet
                .target(Target::new("ca@N", special()).at_root())
                .target(Target::new(&binary, special()).at_root())
        }
        4 => {
            let change =
                if differs { format!("if {condition} {{ 5 }} else {{ 3 }}") } else { "1 + 2".into() };
            let of = |by: &str| {
                format!(
                    "pub struct {unary}(pub u64);\nimpl {unary} {{ pub fn get(&self) -> u64 {{ self.0 }} }}\npub fn un@N(a: u64, b: u64) -> u64 {{ let k = {by}; {unary}(a.wrapping_mul(k)).get() ^ b }}\npub fn un_up@N(a: u64) -> u64 {{ {unary}(un@N(a, a)).0 }}"
                )
            };
            let mut snippet = Snippet::new("a tuple struct named as a unary operator", "", "");
            snippet.old.root = of("3");
            snippet.new.root = of(&change);
            snippet.root_names = vec![unary];
            let above = Target::new("un_up@N", vec![Param::value("u64").special(&value)]).at_root();
            snippet.target(Target::new("un@N", special()).at_root()).target(above)
        }
        5 => {
            let word = rng.pick(&WORDS).to_owned();
            let of = |call: &str| {
                format!(
                    "pub fn {word}(a: u64, b: u64) -> u64 {{ a.wrapping_sub(b) }}\npub fn wo@N(a: u64, b: u64) -> u64 {{ {call} }}"
                )
            };
            let mut snippet = Snippet::new("a function named as a word of MIR", "", "");
            snippet.old.root = of(&format!("{word}(a, b)"));
            snippet.new.root = of(&new_order(&word));
            snippet.root_names = vec![word];
            snippet.target(Target::new("wo@N", special()).at_root())
        }
        6 => {
            // A type of the crate's own with the name of one of std's, whose methods do something else.
            let name = rng.pick(&STD_TYPES);
            let arm = if differs { "self.1" } else { "self.0" };
            let of = |arm: &str| {
                format!(
                    "pub struct {name}(pub u64, pub u64);\nimpl {name} {{ pub fn new(a: u64, b: u64) -> {name} {{ {name}(a, b) }} pub fn len(&self) -> u64 {{ let a = self.0; if {condition} {{ {arm} }} else {{ self.0 }} }} pub fn get(&self) -> u64 {{ self.len() }} }}\npub fn st@N(a: u64, b: u64) -> u64 {{ {name}::new(a, b).get() }}"
                )
            };
            Snippet::new("a type named as one of std", of("self.0"), of(arm)).call("st@N", special())
        }
        _ => {
            // Names of primitive types, of modules and of methods.
            let (old, new) = rng.choose(&[
                ("type u32 = core::primitive::u16;\npub fn pr@N(a: u64, b: u64) -> u64 { a as u32 as u64 }", "type u32 = core::primitive::u64;\npub fn pr@N(a: u64, b: u64) -> u64 { a as u32 as u64 }"),
                ("type usize = core::primitive::u8;\npub fn pr@N(a: u64, b: u64) -> u64 { (a ^ b) as usize as u64 }", "type usize = core::primitive::u32;\npub fn pr@N(a: u64, b: u64) -> u64 { (b ^ a) as usize as u64 }"),
                ("mod std { pub mod cmp { pub fn max(a: u64, b: u64) -> u64 { a } } }\nuse self::std::cmp;\npub fn pr@N(a: u64, b: u64) -> u64 { cmp::max(a, b) }", "use ::std::cmp;\npub fn pr@N(a: u64, b: u64) -> u64 { cmp::max(a, b) }"),
                ("mod core { pub mod mem { pub fn size_of<T>() -> usize { 3 } } }\npub fn pr@N(a: u64, b: u64) -> u64 { a ^ core::mem::size_of::<u64>() as u64 }", "pub fn pr@N(a: u64, b: u64) -> u64 { a ^ core::mem::size_of::<u64>() as u64 }"),
                ("trait M { fn max(&self, o: u64) -> u64; } impl M for u64 { fn max(&self, o: u64) -> u64 { 5 } }\npub fn pr@N(a: u64, b: u64) -> u64 { M::max(&a, b) }", "trait M2 { fn max2(&self, o: u64) -> u64; } impl M2 for u64 { fn max2(&self, o: u64) -> u64 { 5 } }\npub fn pr@N(a: u64, b: u64) -> u64 { a.max(b) }"),
                ("enum Option { None, Some(u64) } use self::Option::*;\npub fn pr@N(a: u64, b: u64) -> u64 { match if a > b { Some(a) } else { None } { Some(x) => x, None => 1 } }", "enum Option { Some(u64), None } use self::Option::*;\npub fn pr@N(a: u64, b: u64) -> u64 { match if a > b { Some(a) } else { None } { Some(x) => x, None => 1 } }"),
                ("enum Option { None, Some(u64) } use self::Option::*;\npub fn pr@N(a: u64, b: u64) -> u64 { let x = if a > b { Some(a) } else { None }; unsafe { *(&x as *const Option as *const u32) as u64 } }", "enum Option { Some(u64), None } use self::Option::*;\npub fn pr@N(a: u64, b: u64) -> u64 { let x = if a > b { Some(a) } else { None }; unsafe { *(&x as *const Option as *const u32) as u64 } }"),
                ("struct Unit; const unit: u64 = 4; pub fn pr@N(a: u64, b: u64) -> u64 { match a { unit => b, _ => a } }", "struct Unit; const Unit2: u64 = 4; pub fn pr@N(a: u64, b: u64) -> u64 { match a { unit => b, _ => a } }"),
                ("mod a { pub fn g(x: u64) -> u64 { x } } mod b { pub fn g(x: u64) -> u64 { x ^ 1 } } use a::g;\npub fn pr@N(a: u64, b: u64) -> u64 { g(a) }", "mod a { pub fn g(x: u64) -> u64 { x } } mod b { pub fn g(x: u64) -> u64 { x ^ 1 } } use b::g;\npub fn pr@N(a: u64, b: u64) -> u64 { g(a) }"),
                ("pub fn pr@N(a: u64, b: u64) -> u64 { fn g(x: u64) -> u64 { x } { fn g(x: u64) -> u64 { x ^ 1 } g(a) ^ b } }", "pub fn pr@N(a: u64, b: u64) -> u64 { fn g(x: u64) -> u64 { x } { fn h(x: u64) -> u64 { x ^ 1 } g(a) ^ b } }"),
            ]);
            Snippet::new("a name of the language", old, new)
                .call("pr@N", vec![Param::value("u64").special("4"), Param::value("u64")])
        }
    }
}
