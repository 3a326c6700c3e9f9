//! A run on versions that were compared before: the same answer, from what an earlier run kept; and another answer where
//! anything that bears on it is another.

use std::fs;
use std::path::PathBuf;

use regress_tests::clone::Clone;
use regress_tests::command::Run;

const OLD: &str =
    "pub fn half(x: u8) -> u8 {\n    x / 2\n}\n\npub fn is_even(x: u8) -> bool {\n    x % 2 == 0\n}\n";
const NEW: &str =
    "pub fn half(x: u8) -> u8 {\n    (x + 1) / 2\n}\n\npub fn is_even(x: u8) -> bool {\n    x & 1 == 0\n}\n";

const KEPT: &str = "Nothing has changed since an earlier run";

/// Where a report comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    AnEarlierRun,
    ThisRun,
}
use Source::{AnEarlierRun, ThisRun};

struct Warm {
    clone: Clone,
}

impl Warm {
    /// A repository with uncommitted changes.
    fn new() -> Warm {
        let clone = Clone::of_package(OLD);
        clone.write("src/lib.rs", NEW);
        // Another test may have had this target directory, and these versions in it.
        let kept = PathBuf::from(clone.target()).join("regress/reports");
        if kept.exists() {
            fs::remove_dir_all(kept).expect("removable");
        }
        Warm { clone }
    }

    /// What is reported, without how long it took; it has to come from there.
    #[track_caller]
    fn check(&self, args: &[&str], expected: Source) -> String {
        let run: Run = self.clone.regress(&[&["--verbose"], args].concat());
        assert!(matches!(run.code, Some(0 | 100)), "{}", run.stderr);
        let source = if run.stderr.contains(KEPT) { AnEarlierRun } else { ThisRun };
        assert_eq!(source, expected, "{args:?}: {}", run.stderr);
        let end = run.stdout.rfind(" (").expect("the time comes last");
        run.stdout[..end].to_owned()
    }

    /// The file of the only report that is kept.
    fn kept_file(&self) -> PathBuf {
        let folder = PathBuf::from(self.clone.target()).join("regress/reports");
        let mut files =
            fs::read_dir(folder).expect("there is a folder").map(|entry| entry.expect("readable").path());
        let file = files.next().expect("a report is kept");
        assert!(files.next().is_none(), "only one was made");
        file
    }
}

#[test]
fn what_was_found_is_found_again_at_once() {
    let warm = Warm::new();
    let first = warm.check(&[], ThisRun);
    assert!(first.contains("`half` panics on inputs it could take before"), "{first}");
    assert_eq!(warm.check(&[], AnEarlierRun), first);
    // How it is shown is no part of what was found; nor is how the versions are named.
    assert!(warm.check(&["--message-format", "short"], AnEarlierRun).contains("regression[REG0001]"));
    assert!(warm.check(&["HEAD"], AnEarlierRun).contains("`half` panics"));
    assert_eq!(warm.check(&["--fresh"], ThisRun), first);
}

#[test]
fn what_bears_on_the_findings_makes_another_run() {
    let warm = Warm::new();
    let first = warm.check(&[], ThisRun);
    warm.check(&["--seed", "7"], ThisRun);
    warm.check(&["--release"], ThisRun);
    warm.clone.write("src/lib.rs", &NEW.replace("(x + 1) / 2", "x / 2"));
    let mended = warm.check(&[], ThisRun);
    assert!(!mended.contains("`half`"), "{mended}");
    warm.clone.write("src/lib.rs", NEW);
    assert_eq!(warm.check(&[], AnEarlierRun), first);
}

/// A run that was killed while it wrote leaves a file under another name; one that a disk has spoilt is as good as none.
#[test]
fn a_spoilt_report_is_made_anew() {
    let warm = Warm::new();
    let first = warm.check(&[], ThisRun);
    let file = warm.kept_file();
    let text = fs::read(&file).expect("readable");
    for spoilt in [&b""[..], &text[..text.len() / 2], b"{\"functions\":[]}"] {
        fs::write(&file, spoilt).expect("writable");
        assert_eq!(warm.check(&[], ThisRun), first);
        assert_eq!(warm.check(&[], AnEarlierRun), first);
    }
}

#[test]
fn nothing_is_left_after_cleaning() {
    let warm = Warm::new();
    let first = warm.check(&[], ThisRun);
    let cleaned = warm.clone.regress(&["clean"]);
    assert_eq!(cleaned.code, Some(0), "{}", cleaned.stderr);
    assert!(!PathBuf::from(warm.clone.target()).join("regress").exists());
    assert_eq!(warm.check(&[], ThisRun), first);
}
