//! The build as part of a version: what decides on a program beside its text, and what must not.
//!
//! What is true is told by an example that cargo builds in each version, at one place, as its user would; it shares nothing with the harness. Where it
//! shows a difference the command must not call the function equal or unchanged, and where it shows none the command must not confirm one.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use regress_tests::command::run_with;
use regress_tests::repository::Repository;
use regress_tests::runner::Report;
use regress_tests::shared::SharedTarget;

/// By their paths.
type Files = Vec<(&'static str, String)>;

/// No random input meets this, and the solver does.
const GUARD: &str = "k.wrapping_mul(0x9E37_79B1) == 0x1234_5678";
/// What does meet it.
const MET: &str = "3784795128u32";

/// A repository, and how cargo and the command are called in it.
struct Site {
    repository: Repository,
    target: SharedTarget,
    variables: Vec<(&'static str, &'static str)>,
    args: &'static [&'static str],
}

impl Site {
    fn new() -> Site {
        let repository = Repository::new().unwrap();
        repository.write(".gitignore", "/target\n").unwrap();
        Site { repository, target: SharedTarget::take(), variables: Vec::new(), args: &[] }
    }

    /// Commits a version; what the example prints of it.
    fn commit(&self, files: &Files) -> Vec<String> {
        for (path, text) in files {
            self.repository.write(path, text).unwrap();
            if path.ends_with(".sh") {
                allow_to_run(&self.repository.root().join(path));
            }
        }
        let told = self.truth();
        self.repository.commit_all("a version").unwrap();
        told
    }

    /// Built anew, so that nothing of another version is left.
    fn truth(&self) -> Vec<String> {
        let target = tempfile::tempdir().unwrap();
        let package = if self.repository.root().join("p").is_dir() { "p" } else { "k" };
        let selected: &[&str] =
            if self.args.contains(&"--workspace") { &["--workspace"] } else { &["--package", package] };
        let cargo = |subcommand: &[&str]| {
            let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            command.args(subcommand).args(selected).args(["--offline", "--example", "truth", "--target-dir"]);
            command.arg(target.path()).current_dir(self.repository.root());
            command.envs(self.variables.iter().copied()).env("CARGO_INCREMENTAL", "0");
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        cargo(&["build", "--quiet"]);
        let output = Command::new(target.path().join("debug/examples/truth")).output().unwrap();
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// Compares the last two commits. `expected` is a function and what may be said of it, with a comma between.
    #[track_caller]
    fn check(&self, old: &[String], new: &[String], expected: &[(&str, &str)]) {
        let args =
            [&["HEAD~1", "--message-format", "json", "--target-dir", self.target.text()], self.args].concat();
        let variables: Vec<(&str, &OsStr)> =
            self.variables.iter().map(|(name, value)| (*name, OsStr::new(value))).collect();
        let run = run_with(self.repository.root(), &args, &variables);
        assert!(matches!(run.code, Some(0 | 100)), "{:?}: {}", run.code, run.stderr);
        let report: Report = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(old.len(), new.len());
        for (path, verdicts) in expected {
            let found = report.functions.iter().find(|function| function.path == *path);
            let verdict = &found.unwrap_or_else(|| panic!("{path} is not reported: {}", run.stdout)).verdict;
            assert!(verdicts.split(',').any(|one| one == verdict), "{path}: {verdict}: {}", run.stdout);
            let of_function = format!("{path} ");
            let differ = old.iter().zip(new).any(|(old, new)| old.starts_with(&of_function) && old != new);
            let said = ["equal", "equal_within", "unchanged"].contains(&verdict.as_str());
            assert!(!(differ && said), "{path} differs and is said to be {verdict}: {old:?} {new:?}");
            assert!(differ || verdict != "differs", "{path} is said to differ: {old:?} {new:?}");
        }
    }

    #[track_caller]
    fn compare(&self, old: &Files, new: &Files, expected: &[(&str, &str)]) {
        let (old, new) = (self.commit(old), self.commit(new));
        self.check(&old, &new, expected);
    }
}

#[cfg(unix)]
fn allow_to_run(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[track_caller]
fn check(old: &Files, new: &Files, expected: &[(&str, &str)]) {
    Site::new().compare(old, new, expected);
}

fn manifest(name: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}")
}

/// An example that prints what these expressions are, named by the functions that they call.
fn truth(calls: &[(&str, &str)]) -> String {
    let call = |(name, call): &(&str, &str)| {
        format!("println!(\"{name} {{:?}}\", std::panic::catch_unwind(|| {call}).ok());\n")
    };
    format!("fn main() {{\n{}}}\n", calls.iter().map(call).collect::<String>())
}

#[test]
fn crates_that_are_built_with_overflow_checks_are_not_the_same_in_each_mixture() {
    let version = |own: bool, other: bool| {
        let more = format!(
            "[workspace]\nmembers = [\"d\"]\n[dependencies]\nd = {{ path = \"d\" }}\n\
             [profile.dev.package.k]\noverflow-checks = {own}\n[profile.dev.package.d]\noverflow-checks = {other}\n"
        );
        let source = "pub fn total(a: i32, b: i32) -> i32 { [a, b].iter().sum() }\n\
                      pub fn magnitude(a: i32) -> i32 { d::magnitude(a) }\npub fn half(a: u8) -> u8 { a / 2 }\n";
        let calls = [
            ("total", "k::total(i32::MAX, 1)"),
            ("magnitude", "k::magnitude(i32::MIN)"),
            ("half", "k::half(7)"),
        ];
        vec![
            ("Cargo.toml", manifest("k", &more)),
            ("src/lib.rs", source.to_owned()),
            ("examples/truth.rs", truth(&calls)),
            ("d/Cargo.toml", manifest("d", "")),
            ("d/src/lib.rs", "pub fn magnitude(a: i32) -> i32 { a.abs() }\n".to_owned()),
        ]
    };
    let expected =
        [("total", "differs"), ("magnitude", "differs,no_difference_found"), ("half", "equal,unchanged")];
    check(&version(false, true), &version(true, false), &expected);
}

#[test]
fn a_type_that_a_dependency_hands_on_twice_is_an_input() {
    let version = |term: &str| {
        let more = "[workspace]\nmembers = [\"d\"]\n[dependencies]\nd = { path = \"d\" }\n";
        // Another of that name is brought in by a glob, and hidden.
        let of_d = "mod others { pub struct Point { pub z: u8 } }\n\
                    pub mod shapes {\n\
                        mod point { pub struct Point<T = u8> { pub x: T, pub y: T } }\n\
                        pub use super::others::*;\n\
                        pub use point::Point;\n\
                    }\n\
                    pub use shapes::*;\n";
        vec![
            ("Cargo.toml", manifest("k", more)),
            ("src/lib.rs", format!("pub fn sum(point: d::Point) -> u32 {{ point.x as u32 + {term} }}\n")),
            ("examples/truth.rs", truth(&[("sum", "k::sum(d::Point { x: 1, y: 2 })")])),
            ("d/Cargo.toml", manifest("d", "")),
            ("d/src/lib.rs", of_d.to_owned()),
        ]
    };
    check(&version("point.y as u32"), &version("2 * point.y as u32"), &[("sum", "differs")]);
}

/// A version with a build script and a file that it reads.
fn scripted(script: &str, value: &str, source: &str) -> Files {
    vec![
        ("Cargo.toml", manifest("k", "[workspace]\n")),
        ("build.rs", format!("fn main() {{ {script} }}\n")),
        ("value.txt", value.to_owned()),
        ("src/lib.rs", source.to_owned()),
        ("examples/truth.rs", truth(&[("f", &format!("k::f({MET})")), ("f", "k::f(5)")])),
    ]
}

#[test]
fn what_a_build_script_finds_is_not_that_of_another_version() {
    // It writes its file once, and leaves it as it is.
    let script = "let file = std::env::var(\"OUT_DIR\").unwrap() + \"/made.rs\";\n\
        if !std::path::Path::new(&file).exists() { std::fs::copy(\"value.txt\", file).unwrap(); }\n\
        println!(\"cargo::rerun-if-changed=value.txt\");";
    let version = |value: u8, comment: &str| {
        let source = format!(
            "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
             pub fn f(k: u32) -> u32 {{ if {GUARD} {{ VALUE }} else {{ k }} }}\n// {comment}\n"
        );
        scripted(script, &format!("pub const VALUE: u32 = {value};"), &source)
    };
    let site = Site::new();
    site.compare(&version(1, ""), &version(2, ""), &[("f", "differs")]);
    let old = site.commit(&version(3, ""));
    let new = site.commit(&version(3, "no more"));
    site.check(&old, &new, &[("f", "unchanged")]);
}

#[test]
fn what_a_build_script_has_the_compiler_try_is_no_part_of_the_crate() {
    // As autocfg 1.4 leaves it, with a name that is another each time.
    let script = "let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();\n\
        let file = format!(\"{}/probe_{now}.ll\", std::env::var(\"OUT_DIR\").unwrap());\n\
        std::fs::write(file, format!(\"{now}\")).unwrap();";
    let version = |value: u8| {
        scripted(
            script,
            "",
            &format!("pub fn f(k: u32) -> u32 {{ if {GUARD} {{ {value} }} else {{ k }} }}\n"),
        )
    };
    check(&version(1), &version(2), &[("f", "differs")]);
}

#[test]
fn a_build_script_that_does_not_say_what_it_reads_is_run_for_each_version() {
    let script = "println!(\"cargo::rerun-if-changed=build.rs\");\n\
        println!(\"cargo::rustc-env=VALUE={}\", std::fs::read_to_string(\"value.txt\").unwrap());";
    let version =
        |value: &str, body: &str| scripted(script, value, &format!("pub fn f(k: u32) -> u32 {{ {body} }}\n"));
    let (one, other) = ("k ^ env!(\"VALUE\").len() as u32", "env!(\"VALUE\").len() as u32 ^ k");
    let site = Site::new();
    let middle = version("22", other);
    site.compare(&version("1", one), &middle, &[("f", "differs")]);
    let old = site.commit(&middle);
    let new = site.commit(&version("22", one));
    site.check(&old, &new, &[("f", "equal")]);
}

#[test]
fn a_build_script_may_run_what_lies_in_the_tree() {
    let script = "let output = std::process::Command::new(\"./say.sh\").output().unwrap();\n\
        println!(\"cargo::rustc-env=VALUE={}\", String::from_utf8(output.stdout).unwrap().trim());";
    let version = |value: &str| {
        let mut files =
            scripted(script, "", "pub fn f(k: u32) -> u32 { k ^ env!(\"VALUE\").len() as u32 }\n");
        files.push(("say.sh", format!("#!/bin/sh\necho {value}\n")));
        files
    };
    check(&version("1"), &version("22"), &[("f", "differs")]);
}

/// A version of which one arm only is compiled.
fn two_arms(condition: &str, [taken, other]: [u8; 2]) -> String {
    format!("pub fn f(k: u32) -> u32 {{ if cfg!({condition}) {{ k / {taken} }} else {{ k / {other} }} }}\n")
}

#[test]
fn a_build_script_is_told_the_same_level_of_debug_information() {
    let script = "println!(\"cargo::rustc-check-cfg=cfg(debug_info)\");\n\
        if std::env::var(\"DEBUG\").unwrap() == \"true\" { println!(\"cargo::rustc-cfg=debug_info\"); }";
    let version = |arms| scripted(script, "", &two_arms("debug_info", arms));
    check(&version([1, 2]), &version([1, 3]), &[("f", "equal")]);
    check(&version([1, 2]), &version([3, 2]), &[("f", "differs")]);
}

#[test]
fn native_runs_that_unwind_say_nothing_of_what_asks_what_a_panic_does() {
    let version = |arms| {
        vec![
            ("Cargo.toml", manifest("k", "[workspace]\n[profile.dev]\npanic = \"abort\"\n")),
            ("src/lib.rs", two_arms("panic = \"abort\"", arms)),
            ("examples/truth.rs", truth(&[("f", "k::f(5)")])),
        ]
    };
    check(&version([1, 2]), &version([1, 3]), &[("f", "equal")]);
    check(&version([1, 2]), &version([3, 2]), &[("f", "no_difference_found")]);
}

#[test]
fn features_are_those_of_all_packages_that_are_compared_together() {
    let version = |arms| {
        let depends =
            |features: &str| format!("[dependencies]\nd = {{ path = \"../d\", features = [{features}] }}\n");
        let source = "pub fn f(k: u32) -> u32 { d::f(k) }\n";
        vec![
            ("Cargo.toml", "[workspace]\nmembers = [\"p\", \"q\", \"d\"]\nresolver = \"2\"\n".to_owned()),
            ("p/Cargo.toml", manifest("p", &depends(""))),
            ("p/src/lib.rs", source.to_owned()),
            ("p/examples/truth.rs", truth(&[("p::f", "p::f(5)"), ("d::f", "p::f(5)")])),
            ("q/Cargo.toml", manifest("q", &depends("\"x\""))),
            ("q/src/lib.rs", source.to_owned()),
            ("d/Cargo.toml", manifest("d", "[features]\nx = []\n")),
            ("d/src/lib.rs", two_arms("feature = \"x\"", arms)),
        ]
    };
    let site = || Site { args: &["--workspace"], ..Site::new() };
    site().compare(&version([1, 2]), &version([1, 3]), &[("d::f", "equal"), ("p::f", "equal")]);
    site().compare(&version([1, 2]), &version([3, 2]), &[("d::f", "differs"), ("p::f", "differs")]);
}

#[test]
fn what_was_found_with_other_variables_is_not_found_again() {
    let version = |without: u8| {
        let source = format!(
            "pub fn f(k: u32) -> u32 {{ if {GUARD} {{ if option_env!(\"REGRESS_TEST_MODE\").is_some() {{ 1 }} else {{ {without} }} }} \
             else {{ k }} }}\n"
        );
        scripted("", "", &source)
    };
    let site = Site { variables: vec![("REGRESS_TEST_MODE", "1")], ..Site::new() };
    site.compare(&version(2), &version(3), &[("f", "equal")]);
    let site = Site { variables: Vec::new(), ..site };
    let (old, new) = (version(2), version(3));
    let (old, new) = (site.commit(&old), site.commit(&new));
    site.check(&old, &new, &[("f", "differs")]);
}

#[test]
fn a_crate_that_cargo_did_not_build_is_known_by_its_contents() {
    let site = Site::new();
    let commit = |value: u8| {
        let given = format!("pub fn given(k: u32) -> u32 {{ if {GUARD} {{ {value} }} else {{ k }} }}\n");
        site.repository.write("lib/given.rs", &given).unwrap();
        let args = ["--crate-type=rlib", "--out-dir=lib", "lib/given.rs"];
        let rustc = Command::new("rustc").args(args).current_dir(site.repository.root()).status().unwrap();
        assert!(rustc.success());
        let mut files = scripted("", "", "pub fn f(k: u32) -> u32 { given::given(k) }\n");
        let flags =
            "[build]\nrustflags = [\"-L\", \"dependency=lib\", \"--extern\", \"given=lib/libgiven.rlib\"]\n";
        files.push((".cargo/config.toml", flags.to_owned()));
        site.commit(&files)
    };
    let (old, new) = (commit(1), commit(2));
    assert_ne!(old, new);
    site.check(&old, &new, &[("f", "not_analysed,no_difference_found,differs")]);
}

#[test]
fn a_binary_is_called_as_cargo_calls_it() {
    let version = |value: u8| {
        vec![
            (
                "Cargo.toml",
                manifest("k", "[workspace]\n[[bin]]\nname = \"two-words\"\npath = \"src/two.rs\"\n"),
            ),
            (
                "src/two.rs",
                format!(
                    "fn f(k: u32) -> u32 {{ if {GUARD} {{ {value} }} else {{ k }} }}\nfn main() {{ f(1); }}\n"
                ),
            ),
            (
                "examples/truth.rs",
                format!(
                    "#[path = \"../src/two.rs\"] mod k;\nfn main() {{ println!(\"f {{}}\", k::f({MET})); }}\n"
                ),
            ),
        ]
    };
    let public = |files: Files| -> Files {
        files.into_iter().map(|(path, text)| (path, text.replace("fn f(", "pub fn f("))).collect()
    };
    check(&public(version(1)), &public(version(2)), &[("f", "differs")]);
}

#[test]
fn where_a_version_lies_while_it_is_compared_makes_no_difference() {
    let version = |comment: &str, longer: &str| {
        let source = format!(
            "pub fn place() -> &'static str {{ env!(\"CARGO_MANIFEST_DIR\") }}\n\
             pub fn at(k: usize) -> u8 {{ place().as_bytes()[k % place().len()] }}\n\
             pub fn made() -> usize {{ MADE.len() }}\nstatic MADE: &str = concat!(env!(\"OUT_DIR\"), \"/made\");\n\
             pub fn beside() -> &'static str {{ concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data{longer}\") }}\n\
             pub fn half(k: u8) -> u8 {{ k / 2 }}\n// {comment}\n"
        );
        let mut files = scripted("", "", &source);
        let calls = [
            ("place", "k::place()"),
            ("at", "k::at(1)"),
            ("made", "k::made() * 0"),
            ("beside", "k::beside()"),
            ("half", "k::half(7)"),
        ];
        files.retain(|(path, _)| *path != "examples/truth.rs");
        files.push(("examples/truth.rs", truth(&calls)));
        files
    };
    let unchanged = ["place", "at", "made", "half"].map(|path| (path, "unchanged"));
    check(
        &version("", ""),
        &version("moved", ""),
        &[unchanged.as_slice(), &[("beside", "unchanged")]].concat(),
    );
    let expected = [unchanged.as_slice(), &[("beside", "no_difference_found,not_analysed")]].concat();
    check(&version("", ""), &version("", "base"), &expected);
}

#[test]
fn a_version_for_another_toolchain_is_not_proved_equal() {
    let version = |channel: &str, body: &str| {
        let mut files = scripted(
            "",
            "",
            &format!("pub fn f(k: u32) -> u32 {{ {body} }}\npub fn g(k: u8) -> u8 {{ k }}\n"),
        );
        files.push(("rust-toolchain.toml", format!("[toolchain]\nchannel = \"{channel}\"\n")));
        files
    };
    let site = Site::new();
    // Cargo would have no compiler for it.
    let commit = |files: &Files| {
        for (path, text) in files {
            site.repository.write(path, text).unwrap();
        }
        site.repository.commit_all("a version").unwrap();
    };
    commit(&version("1.12.34", "k ^ 1"));
    commit(&version("1.12.35", "1 ^ k"));
    // Which compiler is used is said by a variable, as by rustup when it starts cargo.
    site.check(&[], &[], &[("f", "no_difference_found"), ("g", "no_difference_found")]);
}

/// Hands everything on to the compiler, and a flag by which a function does something else.
const WRAPPER: &str = "#!/bin/sh\nexec \"$@\" --cfg asked\n";

fn asking(value: u8) -> Files {
    let source = format!(
        "#[cfg(asked)] fn change(_: u32) -> u32 {{ {value} }}\n#[cfg(not(asked))] fn change(k: u32) -> u32 {{ k }}\n\
         pub fn f(k: u32) -> u32 {{ if {GUARD} {{ change(k) }} else {{ k }} }}\n"
    );
    let mut files = scripted("", "", &source);
    files.push(("wrap.sh", WRAPPER.to_owned()));
    files
}

#[cfg(unix)]
#[test]
fn versions_with_different_compiler_wrappers_are_not_proved_equal() {
    let site = Site::new();
    let old = site.commit(&asking(1));
    let mut files = asking(1);
    files.push((".cargo/config.toml", "[build]\nrustc-wrapper = \"./wrap.sh\"\n".to_owned()));
    let new = site.commit(&files);
    assert_ne!(old, new);
    site.check(&old, &new, &[("f", "no_difference_found,not_analysed,differs")]);
}

/// Without the wrapper the functions are the same.
#[cfg(unix)]
#[test]
fn versions_are_read_as_the_compiler_wrapper_of_a_variable_has_them_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let wrapper = folder.path().join("wrap.sh");
    fs::write(&wrapper, WRAPPER).unwrap();
    allow_to_run(&wrapper);
    let wrapper: &'static str = wrapper.to_str().unwrap().to_owned().leak();
    for variable in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
        let plain = Site::new();
        plain.compare(&asking(1), &asking(2), &[("f", "unchanged")]);
        // What was built without it is not used with it.
        let wrapped = Site { variables: vec![(variable, wrapper)], ..plain };
        wrapped.compare(&asking(3), &asking(4), &[("f", "differs")]);
    }
}

#[test]
fn configuration_above_the_repository_counts_wherever_versions_are_built() {
    let above = tempfile::tempdir().unwrap();
    fs::create_dir(above.path().join(".cargo")).unwrap();
    let configuration = above.path().join(".cargo/config.toml");
    fs::write(&configuration, "[build]\nrustflags = [\"--cfg\", \"asked\"]\n").unwrap();
    let version = |value: u8| {
        let source = format!(
            "#[cfg(asked)] fn change(_: u32) -> u32 {{ {value} }}\n#[cfg(not(asked))] fn change(k: u32) -> u32 {{ k }}\n\
             pub fn f(k: u32) -> u32 {{ if {GUARD} {{ change(k) }} else {{ k }} }}\n"
        );
        scripted("", "", &source)
    };
    let repository = Repository::anew_at(&above.path().join("repository")).unwrap();
    let site = Site { repository, ..Site::new() };
    let (old, new) = (site.commit(&version(1)), site.commit(&version(2)));
    site.check(&old, &new, &[("f", "differs")]);
    // What was kept of the comparison is not that of another configuration.
    fs::remove_file(&configuration).unwrap();
    let both = site.truth();
    site.check(&both, &both, &[("f", "unchanged")]);
}

#[test]
fn what_a_path_dependency_outside_of_the_repository_was_is_not_what_it_is() {
    let outside = tempfile::tempdir().unwrap();
    let lay = |path: &str, text: &str| {
        let file = outside.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    lay("Cargo.toml", &manifest("ext", "build = \"build.rs\"\n"));
    lay(
        "src/lib.rs",
        "pub fn given(k: u32) -> u32 { k ^ 1 }\npub fn built() -> usize { include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")) }\n",
    );
    let script = |made: &str| {
        format!(
            "fn main() {{ std::fs::write(std::env::var(\"OUT_DIR\").unwrap() + \"/made.rs\", \"{made}\").unwrap(); }}"
        )
    };
    lay("build.rs", &script("1"));
    let version = |given: &str, built: &str| {
        let source = format!("pub fn f(k: u32) -> u32 {{ {given} }}\npub fn g() -> usize {{ {built} }}\n");
        let dependencies = format!("[workspace]\n[dependencies]\next = {{ path = {:?} }}\n", outside.path());
        vec![
            ("Cargo.toml", manifest("k", &dependencies)),
            ("src/lib.rs", source),
            ("examples/truth.rs", truth(&[("f", "k::f(5)"), ("g", "k::g()")])),
        ]
    };
    let (old, new) = (version("k ^ 1", "1"), version("ext::given(k)", "ext::built()"));
    let site = Site::new();
    let (old, new) = (site.commit(&old), site.commit(&new));
    site.check(&old, &new, &[("f", "equal"), ("g", "equal")]);
    lay(
        "src/lib.rs",
        "pub fn given(k: u32) -> u32 { k ^ 2 }\npub fn built() -> usize { include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")) }\n",
    );
    site.check(&old, &site.truth(), &[("f", "differs"), ("g", "equal")]);
    lay("build.rs", &script("22"));
    site.check(&old, &site.truth(), &[("f", "differs"), ("g", "differs")]);
}
