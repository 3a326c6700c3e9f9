//! Calls that all tests of a package make.

use regress_core::idx::Idx;

use super::*;

const LIBRARY: &str = "pub fn outer(x: u8) -> u8 { inner(x / 2) }
fn inner(x: u8) -> u8 { x + 1 }
pub fn any<T: Copy>(x: T) -> T { x }
pub struct Hidden(u8);
impl Hidden {
    pub fn get(&self, more: u8) -> u8 { self.0 + more }
    pub fn new(x: u8) -> Hidden { Hidden(x) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn within() {
        assert_eq!(super::inner(3), 4);
        assert_eq!(super::any('c'), 'c');
        assert_eq!(super::Hidden::new(5).get(1), 6);
        std::thread::spawn(|| super::inner(40)).join().unwrap();
    }
}
";

const INTEGRATION: &str = "#[test]
fn from_outside() {
    for x in [6, 6, 8] { demo::outer(x); }
    std::fs::write(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/written\"), \"\").unwrap();
    demo::outer(100);
}
";

/// `outer(6)` and so on, with the test, in the order of functions and calls.
fn calls(files: &[(&str, &str)], wanted: &[&str]) -> (Vec<String>, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    for (path, text) in files.iter().chain(&[("Cargo.toml", manifest)]) {
        tree::update(&root.join("source").join(path), text.as_bytes()).expect("a written file");
    }
    let subjects: IdxVec<SubjectId, SubjectRequest> = wanted.iter().map(|path| locate(files, path)).collect();
    let request = HarnessRequest { compared: None, ..request_for_demo(&root, "source", subjects) };
    let mut captured = capture_all(&request, Duration::from_secs(60)).expect("tests can be built");
    captured.sort_by_key(|call| call.subject);
    let shown = captured.into_iter().map(|call| {
        let inputs: Vec<String> = call.inputs.iter().map(ToString::to_string).collect();
        let test = call.test.unwrap_or_else(|| "?".to_owned());
        format!("{}{:?}({}) in {test}", wanted[call.subject.index()], call.types, inputs.join(", "))
    });
    (shown.collect(), dir)
}

#[test]
fn calls_of_all_tests_are_captured_inner_ones_too() {
    let broken = "#[test]\nfn never() { demo::gone(); }\n";
    let files = [("src/lib.rs", LIBRARY), ("tests/all.rs", INTEGRATION), ("tests/broken.rs", broken)];
    let (calls, dir) = calls(&files, &["outer", "inner", "any", "Hidden::get"]);
    if !(confine::here().files && confine::here().network) {
        assert!(calls.is_empty(), "nothing is run where tests cannot be confined");
        return;
    }
    let of = |name: &str| -> Vec<&str> {
        let mut calls: Vec<&str> =
            calls.iter().map(String::as_str).filter(|call| call.starts_with(name)).collect();
        calls.sort_unstable();
        calls
    };
    // The write fails, and with it the test; a call is told once.
    assert_eq!(of("outer"), ["outer[](6) in from_outside", "outer[](8) in from_outside"]);
    let inner = [
        "inner[](3) in from_outside",
        "inner[](3) in tests::within",
        "inner[](4) in from_outside",
        "inner[](40) in ?",
    ];
    assert_eq!(of("inner"), inner);
    assert_eq!(of("any"), ["any[\"char\"]('c') in tests::within"]);
    assert_eq!(of("Hidden"), ["Hidden::get[](&Hidden(5), 1) in tests::within"]);
    assert!(!dir.path().join("source/written").exists() && !dir.path().join("out/source/written").exists());
}
