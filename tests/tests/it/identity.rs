//! Published crates against themselves: what has a verdict, and why the rest has none, is what `identity.md` tells.
//!
//! Two crates are compared anew; `REGRESS_YARDSTICK=base64,hex` chooses others, `REGRESS_YARDSTICK=all` takes all ten.

use std::env;
use std::path::Path;
use std::process::Command;

use regress_tests::identity_table::{find, share};
use regress_tests::shared::SharedTarget;
use regress_tests::yardstick::YARDSTICK;

/// Small ones, of which one takes texts and the other writes through raw pointers.
const CHECKED_ALWAYS: &str = "itoa,percent-encoding";

/// Percent of all functions that have to have a verdict.
const GOAL: u64 = 85;

fn table() -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("identity.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, text)
}

#[test]
fn the_table_tells_of_every_crate_and_reaches_the_goal() {
    let (_, table) = table();
    let sections: Vec<&str> = YARDSTICK
        .iter()
        .map(|crate_| find(&table, crate_.name).unwrap_or_else(|| panic!("{} is missing", crate_.name)))
        .collect();
    let (mut functions, mut with) = (0, 0);
    for section in sections {
        let share = share(section).unwrap_or_else(|| panic!("no numbers in\n{section}"));
        functions += share.functions;
        with += share.with;
    }
    assert_eq!(share(&table).map(|sum| (sum.functions, sum.with)), Some((functions, with)));
    assert!(100 * with >= GOAL * functions, "{with} of {functions} functions have a verdict");
}

#[test]
fn what_the_table_tells_is_what_happens() {
    let (path, _) = table();
    let chosen = env::var("REGRESS_YARDSTICK").unwrap_or_else(|_| CHECKED_ALWAYS.into());
    let only = chosen.split(',').filter(|name| *name != "all").flat_map(|name| ["--only", name]);
    let target = SharedTarget::take();
    let output = Command::new(env!("CARGO_BIN_EXE_campaign"))
        .args(["identity", "--target-dir", target.text()])
        // The table holds what is known long before a function's time is up; proofs, which it does not tell of, may take all of it.
        .args(["--timeout", "3"])
        .arg("--check")
        .arg(path)
        .args(only)
        .output()
        .expect("the campaign runs");
    let (told, trouble) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}{trouble}");
}
