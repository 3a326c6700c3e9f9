//! Which functions a change can affect, where implementations changed that nothing calls by name: through the standard library, whose code is
//! known by models only, and through generic code and objects. In the folder beside this file, `runs_…` come to run what changed and `spares_…` do not.

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

const MANIFEST: &str =
    "[package]\nname = \"affected\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const FILES: [(&str, &str); 6] = [
    ("comparing", include_str!("affected/comparing.rs")),
    ("generic", include_str!("affected/generic.rs")),
    ("iterating", include_str!("affected/iterating.rs")),
    ("objects", include_str!("affected/objects.rs")),
    ("pointers", include_str!("affected/pointers.rs")),
    ("running", include_str!("affected/running.rs")),
];

/// `changed!()` stands where implementations differ between the versions, `value!()` for constants that do.
fn version(file: &str, changed: &str, value: u8) -> String {
    let macros = format!(
        "macro_rules! changed {{ () => {{ {changed} }} }}\nmacro_rules! value {{ () => {{ {value} }} }}\n"
    );
    let (docs, code): (Vec<&str>, Vec<&str>) = file.lines().partition(|line| line.starts_with("//!"));
    format!("{}\n#![allow(unused)]\n{macros}\n{}\n", docs.join("\n"), code.join("\n"))
}

/// Names of its functions that begin so.
fn named<'f>(file: &'f str, start: &'f str) -> impl Iterator<Item = &'f str> {
    let name = |line: &'f str| {
        let line = line.trim_start();
        let rest = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub unsafe fn "))?;
        rest.split(['(', '<']).next()
    };
    file.lines().filter_map(name).filter(move |name| name.starts_with(start))
}

#[test]
fn whatever_runs_an_implementation_that_changed_is_affected() {
    let target = SharedTarget::take();
    let mut sparing = 0;
    for (name, file) in FILES {
        let repository = Repository::new().expect("a repository");
        for (changed, value) in [("", 3), ("panic!()", 4)] {
            repository.write("Cargo.toml", MANIFEST).expect("writable");
            repository.write("src/lib.rs", &version(file, changed, value)).expect("writable");
            repository.commit_all("a version").expect("a commit");
        }
        let run = run(repository.root(), &["HEAD~1", "--list", "--target-dir", target.text()]);
        let is_listed = |function: &str| {
            let mut lines = run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            lines.any(|words| matches!(words[..], ["affected" | "changed", path, ..] if path == function))
        };
        let missed: Vec<&str> = named(file, "runs_").filter(|function| !is_listed(function)).collect();
        assert!(missed.is_empty(), "{name}: {missed:?} run what changed\n{}{}", run.stdout, run.stderr);
        let spared: Vec<&str> = named(file, "spares_").collect();
        let listed: Vec<&&str> = spared.iter().filter(|function| is_listed(function)).collect();
        assert!(listed.is_empty(), "{name}: {listed:?} run nothing that changed\n{}", run.stdout);
        assert!(named(file, "runs_").count() > 20, "{name}");
        sparing += spared.len();
    }
    assert!(sparing >= 3, "{sparing}");
}
