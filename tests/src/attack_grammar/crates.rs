//! Snippets put together to crates: a package `attacked`, its dependency `dep` in the same workspace if it has one, a build script if one is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::classes::Class;
use super::driver::{self, Placed};
use super::rng::Rng;
use super::snippet::{Manifest, Side, Snippet};

/// The files of a version, by path.
pub type Files = BTreeMap<String, String>;

/// The package's name, and what the driver calls it.
const PACKAGE: &str = "attacked";

/// A crate in two versions, what is judged of it and the program that tells the truth.
#[derive(Clone, Debug)]
pub struct Generated {
    pub name: String,
    pub old: Files,
    pub new: Files,
    pub driver: String,
    pub pairs: Vec<Pair>,
    /// How many probes the driver has.
    pub probes: usize,
}

#[derive(Clone, Debug)]
pub struct Pair {
    pub class: Class,
    pub shape: String,
    /// As the report names the function.
    pub path: String,
    /// Numbers of its probes in the driver, with the choice of types if the function is generic.
    pub probes: Vec<(usize, Option<String>)>,
}

/// The crate with this number. Only snippets of the given classes are in it.
pub fn generate(seed: u64, number: u64, pairs: usize, classes: &[Class]) -> Generated {
    let mut rng = Rng::part(seed, number);
    // A crate of one class, or of several: what one class sets for the whole crate may bear on the functions of another.
    let only = rng.one_in(2).then(|| rng.choose(classes));
    let first = only.unwrap_or_else(|| rng.choose(classes));
    let mut snippets: Vec<(Class, Snippet)> = Vec::new();
    let mut manifest: Option<Manifest> = None;
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut count = 0;
    let mut tries = 0;
    while count < pairs && tries < 40 * pairs {
        tries += 1;
        let class = match (only, snippets.is_empty()) {
            (Some(class), _) => class,
            (None, true) => first,
            (None, false) => rng.choose(classes),
        };
        let snippet = class.snippet(&mut rng).numbered(snippets.len());
        if snippet.root_names.iter().any(|name| names.contains(name)) {
            continue;
        }
        match (&manifest, &snippet.manifest) {
            (Some(set), Some(wanted)) if set != wanted => {
                // The functions are of interest under another setting as well.
            }
            (None, Some(wanted)) => manifest = Some(wanted.clone()),
            _ => {}
        }
        names.extend(snippet.root_names.iter().cloned());
        count += snippet.targets.len();
        snippets.push((class, snippet));
    }
    assemble(format!("{seed}-{number}"), &snippets, manifest.unwrap_or_else(plain))
}

fn plain() -> Manifest {
    Manifest { edition: [2024, 2024], ..Manifest::default() }
}

fn assemble(name: String, snippets: &[(Class, Snippet)], manifest: Manifest) -> Generated {
    let mut pairs = Vec::new();
    let mut placed = Vec::new();
    let mut items = String::new();
    for (index, (class, snippet)) in snippets.iter().enumerate() {
        let module = format!("{PACKAGE}::k{index}");
        let _ = writeln!(items, "{}", snippet.driver.replace("M::", &format!("{module}::")));
        for target in &snippet.targets {
            let mut probes = Vec::new();
            for probe in &target.probes {
                probes.push((placed.len(), probe.types.clone()));
                let module = if target.at_root { PACKAGE.to_owned() } else { module.clone() };
                placed.push(Placed { module, function: target.name.clone(), probe });
            }
            let path =
                if target.at_root { target.name.clone() } else { format!("k{index}::{}", target.name) };
            pairs.push(Pair { class: *class, shape: snippet.shape.clone(), path, probes });
        }
    }
    let has_dep = snippets.iter().any(|(_, s)| !s.old.dep.is_empty() || !s.new.dep.is_empty());
    let old: Vec<&Side> = snippets.iter().map(|(_, snippet)| &snippet.old).collect();
    let new: Vec<&Side> = snippets.iter().map(|(_, snippet)| &snippet.new).collect();
    Generated {
        name,
        old: files(&old, &manifest, 0, has_dep),
        new: files(&new, &manifest, 1, has_dep),
        driver: driver::source(&placed, &items),
        pairs,
        probes: placed.len(),
    }
}

fn files(sides: &[&Side], manifest: &Manifest, version: usize, has_dep: bool) -> Files {
    let mut files = Files::new();
    let mut library = String::from("#![allow(warnings, overflowing_literals)]\n");
    let mut dep = String::from("#![allow(warnings, overflowing_literals)]\n");
    let (mut c, mut build) = (String::new(), String::new());
    let (mut features, mut on) = (BTreeSet::new(), Vec::new());
    for (index, side) in sides.iter().enumerate() {
        let _ = write!(library, "{}\npub mod k{index} {{\n{}\n}}\n", side.root, side.items);
        if !side.dep.is_empty() {
            let _ = write!(dep, "pub mod k{index} {{\n{}\n}}\n", side.dep);
        }
        c.push_str(&side.c);
        build.push_str(&side.build);
        on.extend(side.features.iter().map(|feature| format!("\"{feature}\"")));
        features.insert(format!("k{index}"));
        files.extend(side.files.iter().cloned());
    }
    let mut toml = format!(
        "[package]\nname = \"{PACKAGE}\"\nversion = \"0.1.0\"\nedition = \"{}\"\n\n[features]\ndefault = [{}]\n",
        manifest.edition[version],
        on.join(", ")
    );
    features.iter().for_each(|feature| {
        let _ = writeln!(toml, "{feature} = []");
    });
    let mut lock = String::from("version = 4\n\n[[package]]\nname = \"attacked\"\nversion = \"0.1.0\"\n");
    if has_dep {
        toml.push_str("\n[dependencies]\ndep = { path = \"dep\" }\n\n[workspace]\nmembers = [\"dep\"]\n");
        lock.push_str("dependencies = [\n \"dep\",\n]\n\n[[package]]\nname = \"dep\"\nversion = \"0.1.0\"\n");
        let own = format!(
            "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"{}\"\n",
            manifest.edition[version]
        );
        files.insert("dep/Cargo.toml".into(), own);
        files.insert("dep/src/lib.rs".into(), dep);
    } else {
        toml.push_str("\n[workspace]\n");
    }
    let _ = write!(toml, "\n{}", manifest.profile[version]);
    if !manifest.config[version].is_empty() {
        files.insert(".cargo/config.toml".into(), manifest.config[version].clone());
    }
    if !c.is_empty() {
        files.insert("native.c".into(), format!("#include <stdint.h>\n{c}"));
        build.push_str(COMPILE_C);
    }
    if !build.is_empty() {
        files.insert("build.rs".into(), format!("#![allow(warnings)]\nfn main() {{\n{build}\n}}\n"));
    }
    files.insert("Cargo.toml".into(), toml);
    files.insert("Cargo.lock".into(), lock);
    files.insert(".gitignore".into(), "/target\n".into());
    files.insert("src/lib.rs".into(), library);
    files
}

/// Compiles `native.c` into an archive that is linked, as build scripts without the crate `cc` do.
const COMPILE_C: &str = r#"
    let out = std::env::var("OUT_DIR").unwrap();
    let run = |program: &str, args: &[&str]| {
        assert!(std::process::Command::new(program).args(args).status().unwrap().success());
    };
    run("cc", &["-O1", "-fPIC", "-c", "native.c", "-o", &format!("{out}/native.o")]);
    run("ar", &["crs", &format!("{out}/libnative.a"), &format!("{out}/native.o")]);
    println!("cargo::rerun-if-changed=native.c");
    println!("cargo::rustc-link-search=native={out}");
    println!("cargo::rustc-link-lib=static=native");
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_crate() {
        let of = |seed| generate(seed, 3, 17, &Class::ALL);
        assert_eq!((of(1).old, of(1).new, of(1).driver), (of(1).old, of(1).new, of(1).driver));
        assert_ne!(of(1).old, of(2).old);
    }

    #[test]
    fn a_crate_has_the_pairs_that_are_asked_for() {
        for class in Class::ALL {
            let made = generate(5, 1, 17, &[class]);
            assert!(made.pairs.len() >= 17 || class == Class::Names, "{class:?}: {}", made.pairs.len());
            assert!(made.old != made.new, "{class:?}");
            let paths: BTreeSet<_> = made.pairs.iter().map(|pair| &pair.path).collect();
            assert_eq!(paths.len(), made.pairs.len(), "{class:?}: a function is judged once");
        }
    }
}
