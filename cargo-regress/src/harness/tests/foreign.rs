//! What the harness of one version takes over from that of the other.

use regress_core::ir::{AdtKind, GenericParam, GenericParamKind};

use super::*;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
    [dependencies]\nitoa = \"1\"\nnear = { path = \"near\" }\n";

/// A version with a foreign dependency and one of its own.
struct Laid {
    root: Utf8PathBuf,
    lib: &'static str,
}

impl Laid {
    fn write(home: &Utf8Path, version: &str, lib: &'static str, near: &str) -> Laid {
        let root = home.join(version);
        let manifest = "[package]\nname = \"near\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        for (path, text) in [
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", lib),
            ("near/Cargo.toml", manifest),
            ("near/src/lib.rs", near),
        ] {
            tree::update(&root.join("in").join(path), text.as_bytes()).expect("a written file");
        }
        Laid { root, lib }
    }

    fn build(&self, seed: Option<&Laid>) -> Harness {
        let subjects = vec![locate(&[("src/lib.rs", self.lib)], "f")].into();
        build(&HarnessRequest {
            seed: seed.map(|seed| seed.root.join("out")),
            ..request_for_demo(&self.root, "in", subjects)
        })
        .unwrap_or_else(|error| panic!("{error}"))
    }

    /// The compiled foreign crate, with the time when it was.
    fn compiled(&self) -> Vec<(String, std::time::SystemTime)> {
        let entries = self.root.join("out/target/debug/deps").read_dir_utf8().expect("a folder");
        entries
            .map(|entry| entry.expect("an entry"))
            .filter(|entry| entry.file_name().starts_with("libitoa-") && entry.file_name().ends_with(".rlib"))
            .map(|entry| {
                let time = entry.metadata().and_then(|metadata| metadata.modified()).expect("a time");
                (entry.file_name().to_owned(), time)
            })
            .collect()
    }
}

fn call(harness: &Harness, x: u8) -> Outcome {
    let mut worker = harness.worker(Limits::default());
    worker.call(<SubjectId as regress_core::idx::Idx>::from_usize(0), &[u8v(x)]).expect("an outcome")
}

#[test]
fn foreign_crates_are_compiled_once_and_the_tree_for_each_version() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let home = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let lib = "pub fn f(x: u8) -> u8 { itoa::Buffer::new().format(x).len() as u8 + near::more() }\n";
    let old = Laid::write(&home, "old", lib, "pub fn more() -> u8 { 10 }\n");
    let new = Laid::write(&home, "new", lib, "pub fn more() -> u8 { 20 }\n");
    let (first, second) = (old.build(None), new.build(Some(&old)));
    assert_eq!((call(&first, 7), call(&second, 7)), (returned(u8v(11)), returned(u8v(21))));
    assert_eq!(old.compiled().len(), 1);
    assert_eq!(old.compiled(), new.compiled(), "it was not compiled again");

    // What says where crates come from may be different in each version.
    let other = Laid::write(&home, "other", lib, "pub fn more() -> u8 { 30 }\n");
    let config = other.root.join("in/.cargo/config.toml");
    tree::update(&config, b"[source.elsewhere]\ndirectory = \"vendor\"\n").expect("a written file");
    assert_eq!(call(&other.build(Some(&old)), 7), returned(u8v(31)));
    assert_ne!(old.compiled(), other.compiled(), "it was compiled again");
}

#[test]
fn a_type_of_a_dependency_is_made_of_its_public_fields() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let home = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let near = "mod kinds { #[derive(Debug)] pub struct Point<T: super::Number> { pub x: T, pub y: T }\n\
        #[derive(Debug)] pub enum Kind { Plain, Of(u8) }\n\
        #[derive(Debug)] pub struct Odd { pub x: u8, hidden: u8 } }\n\
        pub use kinds::*;\npub trait Number {}\nimpl Number for u8 {}\n";
    // A type of the crate may have the same name.
    let lib = "pub fn f(p: near::Point<u8>, k: near::Kind) -> u8 { p.x - p.y + match k { near::Kind::Of(n) => n, near::Kind::Plain => 0 } }\n\
        pub fn g(x: near::Odd) -> u8 { x.x }\npub mod m { pub struct Point(pub u8); pub fn h(p: Point) -> u8 { p.0 } }\n";
    let laid = Laid::write(&home, "only", lib, near);
    let subjects: Vec<_> =
        ["f", "g", "m::h"].map(|name| locate(&[("src/lib.rs", lib)], name)).into_iter().collect();
    let field = |name: &str, ty: &str| DeclaredField { name: name.to_owned(), ty: ty.to_owned() };
    let variant = |name: &str, ctor, fields| DeclaredVariant { name: name.to_owned(), ctor, fields };
    let declared = |name: &str, kind, variants| DeclaredType {
        path: format!("near::kinds::{name}"),
        foreign: Some(format!("near::{name}")),
        kind,
        lifetimes: 0,
        generics: Vec::new(),
        predicates: String::new(),
        variants,
        hides_fields: false,
        has_debug: true,
    };
    let point = [field("x", "T"), field("y", "T")];
    let generics = vec![GenericParam { name: "T".into(), kind: GenericParamKind::Type }];
    let point = declared("Point", AdtKind::Struct, vec![variant("Point", CtorKind::Struct, point.into())]);
    let point = DeclaredType { generics, predicates: "T: near::Number, ".to_owned(), ..point };
    let kind = vec![
        variant("Plain", CtorKind::Unit, Vec::new()),
        variant("Of", CtorKind::Tuple, vec![field("0", "u8")]),
    ];
    let odd = vec![variant("Odd", CtorKind::Struct, vec![field("x", "u8"), field("hidden", "u8")])];
    let types = vec![point, declared("Kind", AdtKind::Enum, kind), declared("Odd", AdtKind::Struct, odd)];
    let request = HarnessRequest { types, ..request_for_demo(&laid.root, "in", subjects.into()) };
    let harness = build(&request).unwrap_or_else(|error| panic!("{error}"));
    let id = <SubjectId as regress_core::idx::Idx>::from_usize;
    let is_ready = |index| matches!(harness.availability(id(index)), Availability::Ready { .. });
    // The compiler knows which fields are private.
    assert_eq!([0, 1, 2].map(is_ready), [true, false, true]);
    let point = adt("near::kinds::Point", None, CtorKind::Struct, &[("x", u8v(7)), ("y", u8v(4))]);
    let kind = adt("near::kinds::Kind", Some("Of"), CtorKind::Tuple, &[("0", u8v(2))]);
    let mut worker = harness.worker(Limits::default());
    assert_eq!(worker.call(id(0), &[point, kind]).expect("an outcome"), returned(u8v(5)));
}
