//! What `cargo install cargo-regress` would get: the packages as they are packed for a registry, checked without this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regress_tests::command::target_directory;
use serde_json::Value;
use tempfile::TempDir;

/// All that a registry has to have for the command, each after what it needs.
const PUBLISHED: [&str; 4] =
    ["cargo-regress-core", "cargo-regress-std-models", "cargo-regress-mir", "cargo-regress"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a program, which has to succeed; what it prints.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR").env("CARGO_INCREMENTAL", "0");
    cargo
}

/// The packages of the workspace by name, in the words of cargo.
fn members() -> BTreeMap<String, Value> {
    let text = run(cargo()
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root()));
    let metadata: Value = serde_json::from_str(&text).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.map(|package| (package["name"].as_str().unwrap().to_owned(), package.clone())).collect()
}

/// What needs no build: who is published, and that a registry would take it.
#[test]
fn what_the_command_needs_is_published_and_nothing_else() {
    let members = members();
    let may = |package: &Value| package["publish"].is_null();
    let published: BTreeSet<&str> =
        members.iter().filter(|(_, package)| may(package)).map(|(name, _)| name.as_str()).collect();
    assert_eq!(published, BTreeSet::from(PUBLISHED));
    let mut before = BTreeSet::new();
    for name in PUBLISHED {
        let package = &members[name];
        for field in ["description", "license"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {field}");
        }
        // What crates.io refuses.
        let keywords = package["keywords"].as_array().unwrap();
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        assert!(keywords.iter().all(|keyword| keyword.as_str().unwrap().len() <= 20), "{name}: {keywords:?}");
        for dependency in package["dependencies"].as_array().unwrap() {
            let needed = dependency["name"].as_str().unwrap();
            if members.contains_key(needed) && dependency["kind"] != "dev" {
                assert!(before.contains(needed), "{name} needs {needed}");
                assert_eq!(dependency["req"], format!("^{}", members[needed]["version"].as_str().unwrap()));
            }
        }
        before.insert(name);
    }
}

#[test]
fn without_the_feature_nothing_of_z3_is_needed() {
    let tree = |features: &[&str]| {
        let args = [
            "tree",
            "--offline",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--package",
            "cargo-regress",
        ];
        run(cargo().args(args).args(features).current_dir(root()))
    };
    let (with, without) = (tree(&[]), tree(&["--no-default-features"]));
    assert!(with.contains("z3-sys v"), "{with}");
    assert!(without.contains("batsat v") && !without.contains("z3"), "{without}");
}

#[test]
fn packed_packages_build_by_themselves() {
    let home = TempDir::new().unwrap();
    let archives = home.path().join("archives");
    let mut pack = cargo();
    pack.args(["package", "--no-verify", "--offline", "--allow-dirty", "--target-dir"]).arg(&archives);
    run(pack.args(PUBLISHED.iter().flat_map(|name| ["-p", name])).current_dir(root()));
    let unpacked = home.path().join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let members = members();
    let mut folders = BTreeMap::new();
    for name in PUBLISHED {
        let folder = format!("{name}-{}", members[name]["version"].as_str().unwrap());
        let archive = archives.join("package").join(format!("{folder}.crate"));
        for line in run(Command::new("tar").arg("tvzf").arg(&archive)).lines() {
            // Neither links nor devices.
            assert!(line.starts_with('-') || line.starts_with('d'), "{name}: {line}");
            assert!(line.contains(&format!(" {folder}/")) && !line.contains("/../"), "{name}: {line}");
        }
        run(Command::new("tar").arg("xzf").arg(&archive).current_dir(&unpacked));
        folders.insert(name, unpacked.join(folder));
    }
    let mut included = 0;
    for (name, folder) in &folders {
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let packed =
                fs::read(folder.join(licence)).unwrap_or_else(|error| panic!("{name}/{licence}: {error}"));
            assert_eq!(packed, fs::read(root().join(licence)).unwrap(), "{name}/{licence}");
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        // Cargo writes this manifest, one key to a line; what is a path in it is a file of the package.
        for path in manifest.lines().filter_map(|line| line.strip_prefix("path = ")) {
            assert_inside(folder, folder, path.trim_matches('"'), name);
        }
        included += sources(folder).iter().map(|file| check_source(folder, file)).sum::<usize>();
    }
    assert!(included > 50, "only {included} files are included somewhere");

    let mut check = cargo();
    check.args(["check", "--offline", "--quiet"]).current_dir(&folders["cargo-regress"]);
    for name in PUBLISHED.iter().filter(|name| **name != "cargo-regress") {
        let place = folders[name].to_str().unwrap();
        check.arg("--config").arg(format!("patch.crates-io.{name}.path='{place}'"));
    }
    // With the profile of the workspace, what comes from the registry was checked when the workspace was.
    check.args(["--config", "profile.dev.debug='line-tables-only'", "--config", "profile.dev.lto='off'"]);
    run(check.env("CARGO_TARGET_DIR", target_directory()));
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// How many files a source includes, all of which have to lie in the package.
fn check_source(package: &Path, file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap();
    // The glue of harnesses has a placeholder or two that is no Rust; it includes nothing.
    let Ok(tokens) = text.parse::<TokenStream>() else {
        assert!(!text.contains("include"), "{} cannot be read", file.display());
        return 0;
    };
    let mut said = Said::default();
    said.read(tokens);
    for path in &said.included {
        assert_inside(package, file.parent().unwrap(), path, &file.display().to_string());
    }
    if said.asks_for_its_package {
        let leads_up = |text: &&String| text.split(['/', '\\']).any(|part| part == "..");
        assert_eq!(said.texts.iter().find(leads_up), None, "{} leads out of its package", file.display());
    }
    said.included.len()
}

/// What a source says of files.
#[derive(Default)]
struct Said {
    /// By `include!` and its kin: paths relative to the source.
    included: Vec<String>,
    /// Whether it has `env!("CARGO_MANIFEST_DIR")`.
    asks_for_its_package: bool,
    texts: Vec<String>,
}

impl Said {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                self.read(group.stream());
                let before = |back: usize| index.checked_sub(back).map(|at| tokens[at].to_string());
                let is_call =
                    before(1).as_deref() == Some("!") && group.delimiter() == Delimiter::Parenthesis;
                let first = group.stream().into_iter().next().and_then(|token| text_of(&token));
                match (is_call, before(2).as_deref(), first) {
                    (true, Some("include" | "include_str" | "include_bytes"), Some(path)) => {
                        self.included.push(path)
                    }
                    (true, Some("env"), Some(name)) if name == "CARGO_MANIFEST_DIR" => {
                        self.asks_for_its_package = true
                    }
                    _ => {}
                }
            }
            self.texts.extend(text_of(token));
        }
    }
}

/// The text of a plain literal.
fn text_of(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    syn::parse_str::<syn::LitStr>(&literal.to_string()).ok().map(|text| text.value())
}

#[track_caller]
fn assert_inside(package: &Path, from: &Path, path: &str, who: &str) {
    let mut place = from.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => assert!(place.pop(), "{who}: {path}"),
            Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            Component::RootDir | Component::Prefix(_) => {
                panic!("{who}: {path} is no path within the package")
            }
        }
    }
    assert!(place.starts_with(package), "{who}: {path} leads out of the package");
    assert!(place.is_file(), "{who}: {path} is not packed");
}

#[test]
fn what_leads_out_of_a_package_is_seen() {
    let home = TempDir::new().unwrap();
    let package = home.path().join("package");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(home.path().join("outside.txt"), "").unwrap();
    fs::write(package.join("inside.txt"), "").unwrap();
    let of = |text: &str| {
        let file = package.join("src/lib.rs");
        fs::write(&file, text).unwrap();
        std::panic::catch_unwind(|| check_source(&package, &file)).ok()
    };
    assert_eq!(of("const A: &str = include_str!(\"../inside.txt\");"), Some(1));
    assert_eq!(of("const A: &str = include_str!(\"../../outside.txt\");"), None);
    assert_eq!(of("const A: &str = include_str!(\"../missing.txt\");"), None);
    assert_eq!(of("m! { const A: &[u8] = include_bytes!(\"/etc/passwd\"); }"), None);
    assert_eq!(of("fn a() { open(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../outside.txt\")) }"), None);
    assert_eq!(of("fn a() { open(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/inside.txt\")) }"), Some(0));
    assert_eq!(of("const A: &str = \"include_str!(\\\"../../outside.txt\\\")\";"), Some(0));
}
