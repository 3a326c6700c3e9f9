//! Whatever a file holds, reading it ends in a document or in an error.
//!
//! `cargo test --release -p regress-tests --test it charon_mutated:: -- --ignored` tries ten thousand mutants.

use mir_frontend::charon::{lower, read};
use mir_frontend::rustc::build_program;
use rayon::prelude::*;
use regress_tests::charon::recorded;

/// What mutants are made of, the polymorphic and the monomorphized kind of both schemas.
const ORIGINS: [&str; 4] = [
    "pair.old.poly.ullbc",
    "adler2-2.0.1.mono.ullbc",
    "sample.0.1.208.poly.ullbc",
    "adler2-2.0.1.poly.ullbc",
];

/// A linear congruential generator: the same mutants every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Changes a file in one to four places.
fn mutant(original: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut text = original.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        match random.below(9) {
            0 => text[at] = random.below(256) as u8,
            1 => {
                text.remove(at);
            }
            2 => text.truncate(at),
            // A number becomes another one.
            3 | 4 => {
                if let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
                    text[at + digit] = b'0' + random.below(10) as u8;
                }
            }
            5 => {
                if let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
                    text.splice(at + digit..at + digit, *b"99999999999");
                }
            }
            // A value becomes another value.
            6 => {
                let other = ["null", "[]", "{}", "\"\"", "-1", "\"Other\""][random.below(6)];
                if let Some(colon) = text[at..].iter().position(|byte| *byte == b':') {
                    let from = at + colon + 1;
                    let end = text[from..].iter().position(|byte| matches!(byte, b',' | b'}' | b']'));
                    let to = end.map_or(text.len(), |end| from + end);
                    text.splice(from..to, other.bytes());
                }
            }
            // A name becomes another one.
            7 => {
                if let Some(quote) = text[at..].iter().position(|byte| *byte == b'"')
                    && at + quote + 1 < text.len()
                {
                    text[at + quote + 1] ^= 1;
                }
            }
            // A piece is moved.
            _ => {
                let piece = text[at..(at + random.below(200)).min(text.len())].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, piece);
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text
}

/// Reads that many mutants; gives how many of them were documents all the same.
fn try_mutants(count: u64) -> u64 {
    let models = build_program(&[]).expect("an empty program");
    let origins: Vec<Vec<u8>> = ORIGINS.iter().map(|name| recorded(name)).collect();
    let read_one = |seed: u64| {
        let text = mutant(&origins[(seed % 4) as usize], seed);
        match read(&text) {
            Ok(document) => {
                lower(&document, &models).expect("a thread can be started");
                1
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                0
            }
        }
    };
    (0..count).into_par_iter().map(read_one).sum()
}

#[test]
fn mutants_are_documents_or_errors() {
    let documents = try_mutants(160);
    // Both ends are reached.
    assert!((1..160).contains(&documents), "{documents} documents");
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_mutants_are_documents_or_errors() {
    let documents = try_mutants(10_000);
    println!("{documents} of 10000 mutants are documents");
    assert!((100..9_900).contains(&documents), "{documents} documents");
}
