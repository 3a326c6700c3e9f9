//! Calls that the crate's tests make show differences that neither random inputs nor the search reach.

use std::path::Path;

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::{SharedTarget, forget_runs};
use serde_json::Value;

const MANIFEST: &str =
    "[package]\nname = \"locked\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// `digest` is FNV-1a, so a key of 24 bytes is found by no search (both are equal on shorter ones), and the test computes it, so no text of the sources is it. `State` is private to
/// the crate, and nothing that makes one changed.
fn source(opened: &str, left: &str) -> String {
    format!(
        "fn digest(key: &[u8]) -> u64 {{
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}}

pub fn open(key: &[u8]) -> u32 {{
    if key.len() == 24 && digest(key) == KEY {{ {opened} }} else {{ 0 }}
}}

pub struct State {{ seen: Vec<u8> }}

impl State {{
    pub fn new() -> State {{ State {{ seen: Vec::new() }} }}
    pub fn feed(&mut self, byte: u8) {{ self.seen.push(byte); }}
    pub fn left(&self) -> u32 {{
        if self.seen.len() == 24 && digest(&self.seen) == KEY {{ {left} }} else {{ 1 }}
    }}
}}

const KEY: u64 = KEYKEY;

#[cfg(test)]
mod tests {{
    fn key() -> Vec<u8> {{ (0..24u32).map(|number| (number * 37 + 11) as u8).collect() }}

    #[test]
    fn the_key_opens() {{ assert!(super::open(&key()) > 0); }}

    #[test]
    fn nothing_is_left() {{
        let mut state = super::State::new();
        key().into_iter().for_each(|byte| state.feed(byte));
        assert!(state.left() != 1);
    }}
}}
"
    )
    .replace("KEYKEY", "0x879588869bb314b5")
}

fn verdicts(repository: &Repository, target: &str, more: &[&str]) -> Vec<(String, String)> {
    let mut args =
        vec!["HEAD~1", "--message-format", "json", "--target-dir", target, "--timeout", "2", "--fresh"];
    args.extend(more);
    let run = run(repository.root(), &args);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let of = |path: &str| {
        let functions = report["functions"].as_array().expect("functions");
        let function = functions.iter().find(|function| function["path"] == path).expect("is reported");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&function["verdict"]), text(&function["witnesses"][0]["origin"]))
    };
    vec![of("open"), of("State::left")]
}

#[test]
fn a_call_of_a_test_is_an_input_and_stays_one() {
    let repository = Repository::new().expect("a repository");
    for (opened, left) in [("7", "0"), ("8", "2")] {
        repository.write("Cargo.toml", MANIFEST).expect("writable");
        repository.write("src/lib.rs", &source(opened, left)).expect("writable");
        repository.commit_all("a version").expect("a commit");
    }
    let target = SharedTarget::take();
    // What an earlier run of this test has captured.
    forget_runs(Path::new(target.text()));
    let silent = || ("equal_within".to_owned(), String::new());
    let shown = |test: &str| ("differs".to_owned(), format!("test:tests::{test}"));
    let both = || vec![shown("the_key_opens"), shown("nothing_is_left")];
    // Nothing is known yet, and no test is run.
    assert_eq!(verdicts(&repository, target.text(), &["--test-calls", "known"]), [silent(), silent()]);
    assert_eq!(verdicts(&repository, target.text(), &[]), both());
    assert_eq!(verdicts(&repository, target.text(), &["--test-calls", "known"]), both());
    assert_eq!(verdicts(&repository, target.text(), &["--test-calls", "off"]), [silent(), silent()]);
}
