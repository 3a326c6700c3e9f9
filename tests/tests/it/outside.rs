//! A difference in a private function comes with what public callers show of it.

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

const MANIFEST: &str =
    "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// `half` rounds; `even_half` never sees that, `any_half` does, and nobody calls `alone`.
fn source(half: &str, alone: &str) -> String {
    format!(
        "fn half(x: u8) -> u8 {{ {half} }}\n\
         #[allow(dead_code)]\nfn alone(x: u8) -> u8 {{ {alone} }}\n\
         pub fn even_half(x: u8) -> u8 {{ half(x & 0xfe) }}\n\
         pub fn any_half(x: u8) -> u8 {{ half(x) }}\n"
    )
}

#[test]
fn public_callers_are_named_with_what_they_show() {
    let repository = Repository::new().expect("a repository");
    for (half, alone) in [("x / 2", "x"), ("x / 2 + x % 2", "!x")] {
        repository.write("Cargo.toml", MANIFEST).expect("writable");
        repository.write("src/lib.rs", &source(half, alone)).expect("writable");
        repository.commit_all("a version").expect("a commit");
    }
    let target = SharedTarget::take();
    let args = ["HEAD~1", "--message-format", "json", "--target-dir", target.text()];
    let run = run(repository.root(), &args);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let functions = report["functions"].as_array().expect("functions");
    let callers = |path: &str| {
        let function = functions.iter().find(|function| function["path"] == path).expect("is reported");
        assert_eq!(function["verdict"] == "differs", path != "even_half", "{path}");
        function["public_callers"].as_array().map(|callers| {
            let name = |caller: &Value| caller["path"].as_str().unwrap_or_default().to_owned();
            callers.iter().map(|caller| (name(caller), caller["differs"] == true)).collect::<Vec<_>>()
        })
    };
    let expected = vec![("any_half".to_owned(), true), ("even_half".to_owned(), false)];
    assert_eq!(callers("half"), Some(expected));
    assert_eq!(callers("alone"), Some(Vec::new()));
    // Who stands outside already needs nobody to look for him.
    assert_eq!(callers("any_half"), None);
    assert_eq!(callers("even_half"), None);
}
