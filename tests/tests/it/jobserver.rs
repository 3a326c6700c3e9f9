//! A run under the jobserver of a `make` finds what it finds without one, and gives back each token that it took.
#![cfg(unix)]

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::process::Command;

use regress_tests::clone::Clone;

const OLD: &str =
    "pub fn a(x: u8) -> u8 { x / 2 }\npub fn b(x: u8) -> u8 { x / 3 }\npub fn c(x: u8) -> u8 { x / 5 }\n";
const NEW: &str =
    "pub fn a(x: u8) -> u8 { x / 4 }\npub fn b(x: u8) -> u8 { x / 6 }\npub fn c(x: u8) -> u8 { x / 7 }\n";
const TOKENS: &[u8] = b"xy";

#[test]
fn tokens_are_given_back() {
    let clone = Clone::of_package(OLD);
    clone.write("src/lib.rs", NEW);
    let pipe = clone.home().join("jobserver");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("it is there").success());
    let mut server = OpenOptions::new().read(true).write(true).open(&pipe).expect("a pipe");
    server.write_all(TOKENS).expect("there is room");
    let flags = format!("-j3 --jobserver-auth=fifo:{}", pipe.display());
    let run = clone.regress_with(&["--fresh", "--jobs", "3"], &[("CARGO_MAKEFLAGS", &flags)], "");
    assert!(run.stdout.contains("summary: 3 behaviour changes"), "{}{}", run.stdout, run.stderr);
    // Cargo and rustc share the pipe; all of them are done.
    let mut back = [0; TOKENS.len() + 1];
    server.write_all(b"z").expect("there is room");
    server.read_exact(&mut back).expect("as many as were there");
    back.sort_unstable();
    assert_eq!(&back, b"xyz");
}
