//! What the harness of one version takes over from that of the other.

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
