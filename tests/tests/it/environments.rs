//! The command where machines, terminals, disks, clones and crates are not as usual: a right answer or an error that says what to do, the exit
//! code that is documented, and nothing left behind.
//!
//! Tables of rows, most of which list functions only. After each row the user's files and git's index are what they were, there is
//! nothing in the folder for temporary files, and no row shows a panic or codes for colours.

mod machine;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use machine::{Machine, Row, manifest, names, row, row_onto_full_disk, row_with, text, write};
use regress_tests::command::binary;

const OLD: &str = "pub fn adult(age: u8) -> bool { age >= 18 }\npub fn half(x: u8) -> u8 { x / 2 }\n";
const NEW: &str = "pub fn adult(age: u8) -> bool { age > 18 }\npub fn half(x: u8) -> u8 { x / 2 }\n";
const IN_TARGET: &[&str] = &["--list", "--target-dir", "TARGET"];

/// Standard output, files and folders that cannot be written, and programs that are not there.
const PLAIN: &[Row] = &[
    row(IN_TARGET, 0, "adult  src/lib.rs:1\n"),
    row(&["--target-dir", "TARGET"], 0, "behaviour change[REG0004]: `adult` returns a different result\n"),
    row(
        &["--target-dir", "TARGET", "--message-format", "cargo-json"],
        0,
        "{\"reason\":\"build-finished\",\"success\":true}\n",
    ),
    row(
        &["--target-dir", "TARGET", "--fail-on", "difference", "--message-format", "short"],
        100,
        "src/lib.rs:1:33: behaviour change",
    ),
    row(
        &["--target-dir", "TARGET", "--function", "half"],
        0,
        "note: only `half` of 2 functions was compared, as `--function` asks for\n",
    ),
    row(
        &["--target-dir", "TARGET", "--function", "dult"],
        101,
        "neither version has a function `dult`; there are `adult`\n",
    ),
    row(&["--function", "half", "--list"], 2, "cannot be used with"),
    row(&["serve", "HEAD"], 2, "unexpected argument 'HEAD'"),
    row(&["watch", "--message-format", "json"], 2, "unexpected argument '--message-format'"),
    // Folders that cannot be made.
    row(&["--list", "--target-dir", "/proc/x"], 101, "`--target-dir DIR` names another folder"),
    row(&["--list", "--target-dir", "/dev/full"], 101, "`--target-dir DIR` names another folder"),
    row(&["explore", "half", "--target-dir", "/proc/x"], 101, "`--target-dir DIR` names another folder"),
    row(&["affected-tests", "--target-dir", "/proc/x"], 101, "`--target-dir DIR` names another folder"),
    row_with(&[("CARGO_TARGET_DIR", "/proc/x")], &["--list"], 101, "`--target-dir DIR` names another folder"),
    row(&["clean", "--target-dir", "/dev/full"], 101, "/dev/full/regress cannot be removed: "),
    row(&["--target-dir", "TARGET", "--html", "/proc/x"], 101, "/proc/x/index.html cannot be written: "),
    row(&["--target-dir", "TARGET", "--emit-tests", "/proc/x"], 101, "/proc/x/adult.rs cannot be written: "),
    row(&["--target-dir", "TARGET", "--emit-proptest", "/proc/x"], 101, "/proc/x cannot be written: "),
    row(
        &["--target-dir", "TARGET", "--emit-kani", "src"],
        101,
        "src is not empty: `--emit-kani` writes into ",
    ),
    row(&["man", "/proc/x"], 101, "the pages cannot be written to /proc/x: "),
    // Disks that are full.
    row_onto_full_disk(IN_TARGET, 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["--help"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["--version"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["explore", "--help"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["--explain", "REG0001"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["config", "show"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["completions", "bash"], 101, "standard output cannot be written to: No space left"),
    row_onto_full_disk(&["setup"], 101, "standard output cannot be written to: No space left"),
    row(
        &["--list", "--target-dir", "TARGET", "--message-format", "json", "--output-path", "/dev/full"],
        101,
        "/dev/full cannot be written: No space left",
    ),
    row(
        &["explore", "half", "--target-dir", "TARGET", "--emit-tests", "/dev/full"],
        101,
        "the tests cannot be written to /dev/full: No space left",
    ),
    // A link to where findings belong stays one.
    row(
        &["--target-dir", "TARGET", "--findings", "full-disk"],
        101,
        "the findings cannot be written to full-disk: No space left on device (os error 28)\n",
    ),
    row_with(
        &[("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/dev/full")],
        &["--target-dir", "TARGET"],
        0,
        "warning: the summary cannot be written to /dev/full: No space left",
    ),
    // What is set for all commands.
    row_with(&[("RUSTC", "/nonexistent")], IN_TARGET, 101, "is Rust installed and on the PATH?\n"),
    row_with(&[("PATH", "/nonexistent")], IN_TARGET, 101, "is Rust installed and on the PATH?\n"),
    // What is kept was built without it.
    row_with(&[("RUSTC_WRAPPER", "/nonexistent")], IN_TARGET, 101, "cannot run /nonexistent: No such file"),
    row_with(&[("XDG_CACHE_HOME", "/proc/x")], IN_TARGET, 0, "adult  src/lib.rs:1\n"),
    row_with(
        &[("CARGO_REGRESS_TIMEOUT", "soon")],
        IN_TARGET,
        101,
        "`CARGO_REGRESS_TIMEOUT` is `soon`, but a whole number from 1 is expected",
    ),
    row_with(
        &[("GIT_DIR", "/nonexistent")],
        IN_TARGET,
        101,
        "GIT_DIR names `/nonexistent`, where no git repository is",
    ),
    // Wrong words.
    row(
        &["merge", "no-file", "--list", "--rev", "HEAD~1", "--target-dir", "TARGET"],
        0,
        "adult  src/lib.rs:1\n",
    ),
    row(
        &["merge", "no-file", "--rev", "HEAD~1", "--target-dir", "TARGET"],
        101,
        "there is no file no-file; `--findings`",
    ),
    row(&["merge", "no-file", "--explain", "REG0003"], 0, "# REG0003: "),
    row(&["ci", "--explain", "REG0003"], 0, "# REG0003: "),
    row(&["ci", "--target-dir", "TARGET"], 101, "`--base BRANCH` says what to compare with"),
    row(&["accept", "--function", "adult", "--reason", "r", "--list"], 2, "unexpected argument '--list'"),
    row(
        &["accept", "--function", "adult", "--reason", "r", "--message-format", "json"],
        2,
        "leave out --message-format",
    ),
    row(
        &["accept", "--function", "half", "--reason", "r", "--target-dir", "TARGET"],
        101,
        "there is nothing to accept",
    ),
    row(&["explore", "nothing", "--target-dir", "TARGET"], 101, "its path is written as in the crate"),
    row(
        &["explore", "hal", "--target-dir", "TARGET"],
        101,
        "there is no function `hal`; there are `one::half`",
    ),
    row(&["--list", "", "--target-dir", "TARGET"], 101, "is not a revision git understands"),
    row(
        &["--list", "--features", "nothing", "--target-dir", "TARGET"],
        101,
        "does not contain this feature: nothing",
    ),
    row(
        &["--list", "-p", "", "--target-dir", "TARGET"],
        101,
        "`-p` takes the name that stands in its Cargo.toml",
    ),
    row(&["--manifest-path", "src/lib.rs"], 101, "`--manifest-path` takes the path to a Cargo.toml"),
    row(&["--timeout", "0"], 2, "'--timeout <SECS>': 0 is not in 1.."),
    row(&["completions", "nosh"], 2, "[possible values: bash, elvish, fish, powershell, zsh]"),
    row(&["--merge", "--target-dir", "TARGET"], 101, "`--merge COMMIT` takes a merge commit"),
];

#[test]
fn disks_programs_and_words() {
    let machine = Machine::new();
    let root = machine.package("plain", OLD, NEW);
    std::os::unix::fs::symlink("/dev/full", root.join("full-disk")).unwrap();
    fs::write(root.join(".git/info/exclude"), "full-disk\n").unwrap();
    machine.check_all(&root, &root, PLAIN);
    // A word that is no text.
    let mut command = machine.prepared(Command::new(binary()), &root);
    let output = command.args(["regress", "--list"]).arg(OsStr::from_bytes(b"b\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("invalid UTF-8"), "{}", text(&output.stderr));
}

#[test]
fn what_is_accepted_is_read_before_anything_is_built() {
    let machine = Machine::new();
    let root = machine.package("accepted", OLD, NEW);
    write(&root, ".config/regress-accepted.toml", "[[accepted]\n");
    let rows = [
        row(&["HEAD~1", "--target-dir", "target"], 101, ".config/regress-accepted.toml:1: unclosed"),
        row(
            &["accept", "--all-functions", "--reason", "r", "HEAD~1", "--target-dir", "target"],
            101,
            "regress-accepted.toml:1: ",
        ),
    ];
    for row in rows {
        machine.check(
            &root,
            &root,
            &Row { absent: &["target/regress/build", "target/regress/harness"], ..row },
        );
    }
}

/// Each option with what it takes. What lists functions takes all but those that are about something else.
const OPTIONS: &[(&str, &[&str])] = &[
    ("--all-features", &[]),
    ("--annotations", &["never"]),
    ("--assume-no-panic", &[]),
    ("--baseline-root", &["."]),
    ("--call-timeout", &["0.1"]),
    ("--charon", &["/nonexistent", "--frontend", "rustc"]),
    ("--color", &["never"]),
    ("--discharge", &["off"]),
    ("--interaction-time", &["0"]),
    ("--exclude", &["nothing", "--workspace"]),
    ("--fail-on", &["unknown"]),
    ("--features", &["more"]),
    ("--fetch", &[]),
    ("--fresh", &[]),
    ("--frontend", &["rustc"]),
    ("--frozen", &[]),
    ("--fuzz", &["off"]),
    ("--jobs", &["1"]),
    ("--list", &[]),
    ("--locked", &[]),
    ("--manifest-path", &["Cargo.toml"]),
    ("--max-len", &["1"]),
    ("--merge-base", &["main"]),
    ("--message-format", &["json"]),
    ("--no-config", &[]),
    ("--no-default-features", &[]),
    ("--offline", &[]),
    ("--output-path", &["-"]),
    ("--package", &["one"]),
    ("--quiet", &[]),
    ("--random-runs", &["1"]),
    ("--release", &[]),
    ("--search", &["blind"]),
    ("--seed", &["3"]),
    ("--strategy", &["rsc"]),
    ("--test-calls", &["off"]),
    ("--timeout", &["1"]),
    ("--total-timeout", &["60"]),
    ("--unwind", &["2"]),
    ("--verbose", &[]),
    ("--workspace", &[]),
];

/// Options that are no part of a list; other rows and tests have them.
const NOT_OF_LISTS: &[&str] = &[
    "--emit-kani",
    "--emit-proptest",
    "--emit-tests",
    "--explain",
    "--findings",
    "--from-llbc",
    "--function",
    "--help",
    "--html",
    "--merge",
    "--partition",
    "--stats",
    "--target-dir",
    "--version",
];

#[test]
fn every_option_is_taken() {
    let machine = Machine::new();
    let root = machine.package("options", OLD, NEW);
    let help = machine.check(&root, &root, &row(&["--help"], 0, "Exit codes:"));
    // `-m, --manifest-path <PATH>  …`, `-v, --verbose...  …`
    let named = |line: &str| {
        let line = line.trim_start();
        let short = line.get(4..).filter(|_| line.starts_with('-') && line.get(2..4) == Some(", "));
        let long = short.unwrap_or(line).strip_prefix("--")?;
        let end = long.find(|letter: char| letter != '-' && !letter.is_alphanumeric()).unwrap_or(long.len());
        Some(format!("--{}", &long[..end]))
    };
    let of_help: Vec<String> = help.lines().filter_map(named).collect();
    assert!(of_help.len() > 40, "{of_help:?}");
    let known = |option: &String| {
        NOT_OF_LISTS.contains(&option.as_str()) || OPTIONS.iter().any(|(name, _)| name == option)
    };
    assert_eq!(of_help.iter().filter(|option| !known(option)).collect::<Vec<_>>(), Vec::<&String>::new());
    for (option, values) in OPTIONS {
        let mut args = vec![*option];
        args.extend(*values);
        args.extend(["--target-dir", "TARGET"]);
        if *option != "--list" {
            args.push("--list");
        }
        let args: &'static [&'static str] = args.leak();
        // A repository without a remote has nothing to fetch, which only matters for a commit that is missing.
        let says = if *option == "--merge-base" || *option == "--baseline-root" {
            "2 functions unchanged"
        } else {
            "adult"
        };
        let says = match *option {
            "--message-format" => "\"path\": \"adult\"",
            _ => says,
        };
        machine.check(&root, &root, &row(args, 0, says));
    }
}

/// Clones of every kind.
#[test]
fn clones_owners_and_places() {
    let machine = Machine::new();
    let root = machine.package("origin", OLD, NEW);
    let origin = format!("file://{}", root.display());
    let home = machine.home.path();

    machine.git(home, &["clone", "--quiet", "--depth=1", &origin, "shallow"]);
    let shallow = machine.at("shallow");
    let remedy = "give `--fetch` to fetch the rest from its remote, or run `git fetch --unshallow`";
    machine.check(&shallow, &shallow, &row(IN_TARGET, 101, remedy));
    write(&shallow, "src/lib.rs", OLD);
    machine.check(&shallow, &shallow, &row(IN_TARGET, 0, "adult  src/lib.rs:1\n"));

    machine.git(&root, &["worktree", "add", "--quiet", "--detach", "../worktree"]);
    let worktree = machine.at("worktree");
    machine.check(&worktree, &worktree.join("src"), &row(IN_TARGET, 0, "adult  src/lib.rs:1\n"));

    let outer = machine.package("outer", OLD, NEW);
    machine.git(&outer, &["submodule", "--quiet", "add", &origin, "member"]);
    machine.commit(&outer);
    machine.check(&outer, &outer, &row(IN_TARGET, 0, "2 functions unchanged"));
    machine.check(&outer, &outer.join("member"), &row(IN_TARGET, 0, "adult  src/lib.rs:1\n"));

    let empty = machine.at("empty");
    machine.git(home, &["init", "--quiet", "--initial-branch=main", "empty"]);
    let no_commit = "has no commit yet, so there is no older version to compare with; commit first";
    machine.check_all(
        &empty,
        &empty,
        &[
            row(IN_TARGET, 101, no_commit),
            row(&["localize", "--target-dir", "TARGET"], 101, no_commit),
            row(&["affected-tests", "--target-dir", "TARGET"], 101, no_commit),
            row(&["accept", "--all-functions", "--reason", "r", "--target-dir", "TARGET"], 101, no_commit),
            row(&["ci", "--base", "main", "--target-dir", "TARGET"], 101, "this repository has no commit yet, so there is nothing to compare"),
            row(
                &["explore", "f", "--target-dir", "TARGET"],
                101,
                "the working tree (nothing committed yet) does not have a Cargo.toml there or in a directory above; run",
            ),
            row(&["hook", "status"], 0, "not installed: "),
            row(&["config", "show"], 0, "# default"),
        ],
    );
    assert_eq!(names(&empty), [".git"], "no folder was made");

    let no_text = machine.at(OsStr::from_bytes(b"no\xfftext"));
    machine.package("text", OLD, NEW);
    fs::rename(machine.at("text"), &no_text).unwrap();
    machine.check_all(
        &no_text,
        &no_text,
        &[
            row(IN_TARGET, 101, "is not valid UTF-8; run the command in a directory whose path is"),
            row(&["clean"], 101, "is not valid UTF-8; run the command in a directory whose path is"),
            row(&["--explain", "REG0001"], 0, "# REG0001: "),
            row(&["--help"], 0, "Usage: cargo regress"),
        ],
    );
    let file = machine.package("file", OLD, NEW);
    fs::write(file.join(OsStr::from_bytes(b"src/no\xfftext.rs")), "").unwrap();
    machine.check(&file, &file, &row(IN_TARGET, 101, "is not valid UTF-8; rename it"));

    let foreign = machine.package("foreign", OLD, NEW);
    // Only who may give files away can see what git says of those of others.
    if std::os::unix::fs::chown(&foreign, Some(12345), None).is_ok() {
        std::os::unix::fs::chown(foreign.join(".git"), Some(12345), None).unwrap();
        machine.check(&foreign, &foreign, &row(IN_TARGET, 101, "`git config --global --add safe.directory "));
        // As the message says, word for word.
        machine.git(home, &["config", "--global", "--add", "safe.directory", foreign.to_str().unwrap()]);
        machine.check(&foreign, &foreign, &row(IN_TARGET, 0, "adult  src/lib.rs:1\n"));
    }
}

/// A path with spaces and letters of several bytes, and a clock that was set back between two runs: what was built lies in the future of the
/// sources.
#[test]
fn spaces_and_a_clock_that_was_set_back() {
    let machine = Machine::new();
    let root = machine.package("a path with späces", OLD, NEW);
    let compare = row(
        &["HEAD~1", "--target-dir", "target of mine"],
        0,
        "`adult(18)` returned `true`, now returns `false`",
    );
    machine.check(&root, &root, &compare);
    let future = SystemTime::now() + Duration::from_secs(10 * 365 * 86400);
    set_back(&root, future);
    write(&root, "src/lib.rs", &NEW.replace("x / 2", "x / 4"));
    let says = "`half(2)` returned `1`, now returns `0`";
    let stdout = machine.check(&root, &root, &row(&["HEAD", "--target-dir", "target of mine"], 0, says));
    assert!(!stdout.contains("`adult`"), "{stdout}");
    write(&root, "src/lib.rs", OLD);
    File::options()
        .write(true)
        .open(root.join("src/lib.rs"))
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    machine.check(
        &root,
        &root,
        &row(&["HEAD~1", "--target-dir", "target of mine"], 0, "2 functions unchanged"),
    );
}

/// Gives all files this time.
fn set_back(directory: &Path, time: SystemTime) {
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && entry.file_name() != ".git" {
            set_back(&entry.path(), time);
        } else if kind.is_file() {
            File::open(entry.path()).unwrap().set_modified(time).unwrap();
        }
    }
}

/// Crates of every edition, without a library, without std, of macros, of tests alone.
#[test]
fn crates_of_every_kind() {
    let machine = Machine::new();
    let root = machine.at("kinds");
    machine.git(machine.home.path(), &["init", "--quiet", "--initial-branch=main", "kinds"]);
    for by in [1, 2] {
        let mut members = Vec::new();
        let mut add = |name: &'static str, edition: &str, more: &str, file: &str, text: String| {
            members.push(name);
            write(&root, &format!("{name}/Cargo.toml"), &manifest(name, edition, more));
            write(&root, &format!("{name}/{file}"), &text);
        };
        // A trait object without `dyn`, a path from the root without `crate`.
        let text = format!(
            "pub mod inner {{ pub fn part(x: u8) -> u8 {{ x / {by} }} }}\npub fn name() -> &'static ::std::fmt::Display {{ &1 }}\n\
             pub fn part(x: u8) -> u8 {{ ::inner::part(x) }}\n"
        );
        add("e15", "2015", "", "src/lib.rs", text);
        // What is a word of the language in later editions is a name here, and not understood where functions are to be run.
        add("names", "2015", "", "src/lib.rs", format!("pub fn async(dyn: u8) -> u8 {{ dyn / {by} }}\n"));
        add("e18", "2018", "", "src/lib.rs", format!("pub fn gen(gen: u8) -> u8 {{ gen / {by} }}\n"));
        add("e21", "2021", "", "src/lib.rs", format!("pub fn gen(x: u8) -> u8 {{ x / {by} }}\n"));
        add("e24", "2024", "", "src/lib.rs", format!("pub fn r#gen(x: u8) -> u8 {{ x / {by} }}\n"));
        add(
            "no-std",
            "2021",
            "",
            "src/lib.rs",
            format!("#![no_std]\npub fn core(x: u8) -> u8 {{ x / {by} }}\n"),
        );
        let program = format!(
            "fn part(x: u8) -> u8 {{ x / {by} }}\nfn main() {{ std::process::exit(part(0).into()) }}\n"
        );
        add("program", "2021", "", "src/main.rs", program);
        let of_macros = "[lib]\nproc-macro = true\n";
        let text = format!(
            "extern crate proc_macro;\nuse proc_macro::TokenStream;\n#[proc_macro]\n\
             pub fn made(from: TokenStream) -> TokenStream {{ if {by} == 1 {{ from }} else {{ TokenStream::new() }} }}\n"
        );
        add("macros", "2021", of_macros, "src/lib.rs", text);
        add("only-tests", "2021", "", "tests/all.rs", format!("#[test] fn all() {{ assert!({by} > 0) }}\n"));
        let listed: Vec<String> = members.iter().map(|name| format!("\"{name}\"")).collect();
        write(
            &root,
            "Cargo.toml",
            &format!("[workspace]\nresolver = \"2\"\nmembers = [{}]\n", listed.join(", ")),
        );
        members.sort_unstable();
        let locked: String = members
            .iter()
            .map(|name| format!("\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n"))
            .collect();
        write(&root, "Cargo.lock", &format!("version = 4\n{locked}"));
        machine.commit(&root);
    }
    let rows = row(&["--workspace", "--target-dir", "TARGET"], 0, "summary: 7 behaviour changes");
    let compared = machine.check(&root, &root, &rows);
    let differing = ["e15::inner::part", "e18::gen", "e21::gen", "e24::gen", "no_std::core", "program::part"];
    for path in differing {
        let shown = compared.contains(&format!("`{path}` returns a different result"));
        assert!(shown, "{path} in {compared}");
    }
    // It calls the one before, and has no change of its own.
    let (_, also) = compared.split_once("the same lines are suspect in 1 more function").expect("a caller");
    assert!(also.trim_start_matches(|c| c != '`').starts_with("`e15::part("), "{compared}");
    let open = "`names::async(1)` seems to differ, but could not be run natively: cannot read the Rust source `names/src/lib.rs`, line 1: ";
    assert!(compared.contains(open), "{compared}");
    machine.check_all(
        &root,
        &root,
        &[
            row(
                &["--list", "-p", "program", "--target-dir", "TARGET"],
                0,
                "changed            part  program/src/main.rs:1\n",
            ),
            row(
                &["--list", "-p", "macros", "--target-dir", "TARGET"],
                0,
                "a procedural macro runs in the compiler",
            ),
            row(
                &["--list", "-p", "only-tests", "--target-dir", "TARGET"],
                101,
                "there is nothing to compare; `-p` names others",
            ),
        ],
    );
}

/// Two versions of one crate in the build of a workspace, and two that are both its members, which cargo does not take.
#[test]
fn two_versions_of_one_crate() {
    let machine = Machine::new();
    let root = machine.at("two");
    machine.git(machine.home.path(), &["init", "--quiet", "--initial-branch=main", "two"]);
    let dependency =
        |version: &str| format!("[package]\nname = \"dep\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    let workspace = "[workspace]\nresolver = \"2\"\nmembers = [\"user\"]\nexclude = [\"d1\", \"d2\"]\n";
    for by in [1, 3] {
        write(&root, "Cargo.toml", workspace);
        write(&root, "d1/Cargo.toml", &dependency("1.0.0"));
        write(&root, "d1/src/lib.rs", &format!("pub fn part(x: u8) -> u8 {{ x / {by} }}\n"));
        write(&root, "d2/Cargo.toml", &dependency("2.0.0"));
        write(&root, "d2/src/lib.rs", "pub fn part(x: u8) -> u8 { x / 7 }\n");
        let needs = "[dependencies]\nv1 = { package = \"dep\", path = \"../d1\" }\nv2 = { package = \"dep\", path = \"../d2\" }\n";
        write(&root, "user/Cargo.toml", &manifest("user", "2021", needs));
        write(
            &root,
            "user/src/lib.rs",
            "pub fn one(x: u8) -> u8 { v1::part(x) }\npub fn two(x: u8) -> u8 { v2::part(x) }\n",
        );
        let lock = "version = 4\n\n[[package]]\nname = \"dep\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"dep\"\nversion = \"2.0.0\"\n\n\
                    [[package]]\nname = \"user\"\nversion = \"0.1.0\"\ndependencies = [\n \"dep 1.0.0\",\n \"dep 2.0.0\",\n]\n";
        write(&root, "Cargo.lock", lock);
        machine.commit(&root);
    }
    let told =
        machine.check(&root, &root, &row(&["--target-dir", "TARGET"], 0, "`one` returns a different result"));
    let listed = machine.check(&root, &root, &row(&["--list", "--target-dir", "TARGET"], 0, "affected "));
    assert!(
        listed.contains("two  user/src/lib.rs:2  through the build (`dep` is there more than once"),
        "{listed}"
    );
    // Every input was run, which needs no body of either dependency; to be unchanged would be a claim about the wrong one.
    assert!(!told.contains("`two` returns") && told.contains("1 behaviour change, 1 "), "{told}");
    write(
        &root,
        "Cargo.toml",
        &workspace.replace("[\"user\"]\nexclude = [", "[\"user\", ").replace("exclude", "# exclude"),
    );
    machine.check(
        &root,
        &root,
        &row(&["--list", "--target-dir", "TARGET"], 101, "two packages named `dep` in this workspace"),
    );
}
