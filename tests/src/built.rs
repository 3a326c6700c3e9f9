//! Native facts of versions that have to be built as their manifests and build scripts say: each is compiled by cargo, in its own profile,
//! together with a program that makes the calls and prints how each ended.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::cases::fixtures_root;
use crate::native::{Difference, Fact, Outcome, PanicKind, Suite, difference};

/// A function, what is claimed of it, and an expression over `x` and `y` that calls it. Both go through the boundary values of
/// [`INPUTS`], cut to the type that the expression names.
pub struct Claim {
    pub function: &'static str,
    pub fact: Fact,
    pub call: &'static str,
}

pub const fn same(function: &'static str, call: &'static str) -> Claim {
    Claim { function, fact: Fact::Same, call }
}

pub const fn differs(function: &'static str, class: Difference, call: &'static str) -> Claim {
    Claim { function, fact: Fact::Differs(class), call }
}

/// In the order of the loops that the program runs; `as` cuts them to smaller types.
const INPUTS: &str = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 64, 100, 126, 127, 128, 129, 200, 254, 255, 256, 300, 0x7fff, 0x8000, 0x8001, \
    0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff]";

/// Holds the claims of one case against both versions.
pub fn claim(suite: &mut Suite, case: &str, claims: &[Claim]) {
    let [old, new] =
        ["old", "new"].map(|version| outcomes(&fixtures_root().join(case).join(version), claims));
    for (index, claim) in claims.iter().enumerate() {
        let pairs = || old[index].iter().zip(&new[index]);
        let worst = pairs().filter_map(|(old, new)| difference(old, new)).min();
        let found = worst.map_or(Fact::Same, Fact::Differs);
        if found != claim.fact {
            let shown = pairs().find(|(old, new)| difference(old, new) == worst);
            suite.failures.push(format!(
                "{case}: {}: {found:?}, as in {shown:?}; claimed is {:?}",
                claim.function, claim.fact
            ));
        }
        suite.record(case, claim.function, claim.fact.clone());
    }
}

/// How each claim's call ended for each pair of inputs.
fn outcomes(version: &Path, claims: &[Claim]) -> Vec<Vec<Outcome>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(version, folder.path());
    let programs = folder.path().join("src/bin");
    fs::create_dir_all(&programs).expect("a folder");
    let name = version.parent().and_then(Path::file_name).expect("a case").to_string_lossy().into_owned();
    fs::write(programs.join("claims.rs"), program(&name, claims)).expect("a written file");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--offline", "--bin", "claims", "--target-dir", "target"]);
    let Output { status, stderr, .. } = cargo.current_dir(folder.path()).output().expect("cargo can be run");
    assert!(status.success(), "{}: {}", version.display(), String::from_utf8_lossy(&stderr));
    (0..claims.len()).map(|index| run(&folder.path().join("target/debug/claims"), index)).collect()
}

/// A process for each call that ends one: where panics abort, it is started again behind that call.
fn run(program: &Path, claim: usize) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    loop {
        let mut command = Command::new(program);
        let output =
            command.args([claim.to_string(), outcomes.len().to_string()]).output().expect("it can be run");
        outcomes.extend(String::from_utf8_lossy(&output.stdout).lines().map(read));
        if output.status.success() {
            return outcomes;
        }
        outcomes.push(Outcome::Aborted);
    }
}

fn read(line: &str) -> Outcome {
    match line.split_once(' ') {
        Some(("returned", value)) => Outcome::Returned(value.to_owned()),
        _ => Outcome::Panicked(PanicKind::Explicit),
    }
}

fn program(name: &str, claims: &[Claim]) -> String {
    let calls: Vec<String> = claims
        .iter()
        .enumerate()
        .map(|(index, claim)| {
            format!(
                "            {index} => catch_unwind(move || format!(\"{{:?}}\", {{ {} }})),\n",
                claim.call
            )
        })
        .collect();
    format!(
        "#![allow(unused)]\nuse std::io::Write;\nuse std::panic::catch_unwind;\nuse {name}::*;\n\n\
         fn main() {{\n    std::panic::set_hook(Box::new(|_| {{}}));\n    \
         let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>().unwrap());\n    \
         let (claim, from) = (arguments.next().unwrap(), arguments.next().unwrap());\n    \
         const INPUTS: [i64; 33] = {INPUTS};\n    \
         let pairs = INPUTS.iter().flat_map(|x| INPUTS.iter().map(move |y| (*x, *y)));\n    \
         for (x, y) in pairs.skip(from) {{\n        let ended = match claim {{\n{}            _ => return,\n        }};\n        \
         match ended {{\n            Ok(value) => println!(\"returned {{value}}\"),\n            Err(_) => println!(\"panicked\"),\n        }}\n    }}\n}}\n",
        calls.concat()
    )
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder that can be read").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).expect("a folder");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copied file");
        }
    }
}
