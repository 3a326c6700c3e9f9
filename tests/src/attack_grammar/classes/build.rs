//! The build: features that are on, variables and cfgs that a build script sets, files that it writes or that are included, the edition and compiler flags
//! change, and the bodies that depend on them do not.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Manifest, Param, Snippet};

pub fn snippet(rng: &mut Rng) -> Snippet {
    let ty = "u32";
    let guard = rare(rng, "a", ty);
    let condition = guard.condition;
    let params = || vec![Param::value(ty).special(&guard.value), Param::value(ty)];
    let (x, y) = (rng.between(1, 99), rng.between(100, 199));
    // Both versions may say the same.
    let y = if rng.one_in(4) { x } else { y };
    let both = |items: String| Snippet::new("", items.clone(), items);
    let use_of = |expr: &str| {
        format!(
            "pub fn f@N(a: u32, b: u32) -> u32 {{ if {condition} {{ {expr} }} else {{ a ^ b }} }}\npub fn up@N(a: u32, b: u32) -> u32 {{ f@N(a, b).wrapping_mul(3) }}"
        )
    };
    let mut snippet = match rng.below(10) {
        0 => {
            let mut s = both(
                use_of("env!(\"VALUE@N\").len() as u32 + VALUE.as_bytes()[0] as u32")
                    + "\nconst VALUE: &str = env!(\"VALUE@N\");",
            );
            s.old.build = format!("println!(\"cargo::rustc-env=VALUE@N={x}\");");
            s.new.build = format!("println!(\"cargo::rustc-env=VALUE@N={y}\");");
            s.shape = "a variable that the build script sets".into();
            s
        }
        1 => {
            let mut s = both(use_of("if cfg!(flag@N) { 7 } else { 8 }"));
            let check = "println!(\"cargo::rustc-check-cfg=cfg(flag@N)\");";
            s.old.build = check.into();
            s.new.build =
                format!("{check}{}", if x == y { "" } else { "println!(\"cargo::rustc-cfg=flag@N\");" });
            s.shape = "a cfg that the build script sets".into();
            s
        }
        2 => {
            let mut s = both(
                use_of("TABLE[(a % 3) as usize]")
                    + "\ninclude!(concat!(env!(\"OUT_DIR\"), \"/table@N.rs\"));",
            );
            let write = |last: u64| {
                format!(
                    "std::fs::write(format!(\"{{}}/table@N.rs\", std::env::var(\"OUT_DIR\").unwrap()), \"pub static TABLE: [u32; 3] = [{last}, {last}, {last}];\").unwrap();"
                )
            };
            (s.old.build, s.new.build) = (write(x), write(y));
            s.shape = "a file that the build script writes".into();
            s
        }
        3 => {
            let mut s = both(use_of("if cfg!(feature = \"k@N\") { 7 } else { b }"));
            if x != y {
                s.new.features = vec!["k@N".into()];
            }
            s.shape = "a default feature".into();
            s
        }
        4 => {
            let mut s = both(
                use_of("inner()")
                    + "\n#[cfg(feature = \"k@N\")] fn inner() -> u32 { 1 }\n#[cfg(not(feature = \"k@N\"))] fn inner() -> u32 { 2 }",
            );
            if x != y {
                s.old.features = vec!["k@N".into()];
            }
            s.shape = "an item under a default feature".into();
            s
        }
        5 => {
            let text = rng.choose(&[
                "include_bytes!(\"data@N.txt\")[0] as u32",
                "include_str!(\"data@N.txt\").len() as u32",
                "DATA.len() as u32 + DATA[0] as u32",
            ]);
            let mut s = both(use_of(text) + "\nstatic DATA: &[u8] = include_bytes!(\"data@N.txt\");");
            let of = |number: u64| vec![("src/data@N.txt".to_owned(), "x\n".repeat(number as usize))];
            (s.old.files, s.new.files) = (of(x), of(y));
            s.shape = "an included file".into();
            s
        }
        6 => {
            let mut s = both(use_of("part::VALUE") + "\n#[path = \"part@N.rs\"] mod part;");
            let of = |number: u64| {
                vec![("src/k@N/part@N.rs".to_owned(), format!("pub const VALUE: u32 = {number};\n"))]
            };
            (s.old.files, s.new.files) = (of(x), of(y));
            s.shape = "a module's file".into();
            s
        }
        7 => {
            let mut s = both(
                use_of("VALUE.map_or(0, |v| v.len() as u32)")
                    + "\nconst VALUE: Option<&str> = option_env!(\"SET@N\");",
            );
            s.new.build =
                if x == y { String::new() } else { format!("println!(\"cargo::rustc-env=SET@N={y}\");") };
            s.shape = "an optional variable".into();
            s
        }
        8 => {
            let mut s = both(use_of("if cfg!(given) { 1 } else { 2 }"));
            let flags = |on: bool| {
                if on { "[build]\nrustflags = [\"--cfg\", \"given\"]\n".to_owned() } else { String::new() }
            };
            s.manifest = Some(Manifest {
                edition: [2024, 2024],
                config: [flags(false), flags(x != y)],
                ..Manifest::default()
            });
            s.shape = "flags of cargo's configuration".into();
            s
        }
        _ => {
            // Temporaries of a tail expression, and of `if let`, live shorter in edition 2024.
            let body = rng.choose(&[
                "pub fn f@N(a: u32, b: u32) -> u32 { let log = std::cell::Cell::new(0u32); let r = { let d = (); if let Some(x) = Loud(&log, a).get() { log.set(log.get() * 3 + x % 7); 0 } else { log.set(log.get() * 3 + 1); 1 } }; log.get() ^ r }",
                "fn tail(log: &std::cell::Cell<u32>, a: u32) -> u32 { let inner = Loud(log, 2); Loud(log, a).get().unwrap_or(5) }\npub fn f@N(a: u32, b: u32) -> u32 { let log = std::cell::Cell::new(1); let r = tail(&log, a); log.get() ^ r }",
            ]);
            let mut s = both(format!(
                "struct Loud<'a>(&'a std::cell::Cell<u32>, u32);\nimpl Loud<'_> {{ fn get(&self) -> Option<u32> {{ if self.1 % 2 == 0 {{ Some(self.1) }} else {{ None }} }} }}\nimpl Drop for Loud<'_> {{ fn drop(&mut self) {{ self.0.set(self.0.get().wrapping_mul(10).wrapping_add(self.1 % 10)); }} }}\n{body}\npub fn up@N(a: u32, b: u32) -> u32 {{ f@N(a, b).wrapping_mul(3) }}"
            ));
            let editions = rng.choose(&[[2021, 2024], [2024, 2021], [2021, 2021]]);
            s.manifest = Some(Manifest { edition: editions, ..Manifest::default() });
            s.shape = "the edition".into();
            s
        }
    };
    snippet = snippet.call("f@N", params());
    snippet.call("up@N", params())
}
