//! `cargo regress --merge`: merges that git makes without a conflict, judged by what they do.

use std::collections::BTreeMap;
use std::path::Path;

use git2::build::CheckoutBuilder;
use git2::{Oid, Signature};
use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value as Json;

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const LIBRARY: &str = "\
//! A small shop.

mod price;

pub use price::price;

/// The sum of the prices of all items.
pub fn total(items: &[u8]) -> u32 {
    items.iter().map(|item| price(*item)).sum()
}

/// What sending costs.
pub fn sending(weight: u8) -> u32 {
    if weight > 20 { 9 } else { 4 }
}

/// Nothing that changes.
pub fn half(x: u8) -> u8 {
    x / 2
}
";

const PRICE: &str = "\
/// In euros.
pub fn price(item: u8) -> u32 {
    u32::from(item) + 1
}
";

/// Edits of files: what stands there, and what comes in its place.
type Edits<'a> = &'a [(&'a str, &'a str, &'a str)];

const IN_CENTS: Edits<'_> = &[
    ("src/price.rs", "u32::from(item) + 1", "(u32::from(item) + 1) * 100"),
    ("src/lib.rs", "price(*item)).sum()", "price(*item)).sum::<u32>() / 100"),
];
const WITH_A_BOX: Edits<'_> = &[("src/lib.rs", "{ 9 }", "{ 9 + price(0) }")];

/// A repository with a base and the branches `main`, which is HEAD, and `feature`.
struct Branches {
    repository: Repository,
    main: Oid,
    feature: Oid,
}

impl Branches {
    fn of(main: Edits<'_>, feature: Edits<'_>) -> Branches {
        let repository = Repository::new().unwrap();
        for (file, text) in [
            ("Cargo.toml", MANIFEST),
            (".gitignore", "/target\n/Cargo.lock\n"),
            ("src/lib.rs", LIBRARY),
            ("src/price.rs", PRICE),
        ] {
            repository.write(file, text).unwrap();
        }
        let base = repository.commit_all("base").unwrap();
        let branches = Branches { repository, main: base, feature: base };
        branches.repository.begin_branch("feature", base).unwrap();
        let feature = branches.edit(feature, "on feature");
        branches.repository.begin_branch("main", base).unwrap();
        let main = branches.edit(main, "on main");
        Branches { main, feature, ..branches }
    }

    fn edit(&self, edits: Edits<'_>, message: &str) -> Oid {
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for (file, old, new) in edits {
            let text = texts.entry(file).or_insert_with(|| {
                std::fs::read_to_string(self.repository.root().join(file)).unwrap_or_default()
            });
            assert!(text.contains(old), "{file}: {old}");
            *text = text.replacen(old, new, 1);
        }
        for (file, text) in texts {
            self.repository.write(file, &text).unwrap();
        }
        self.repository.commit_all(message).unwrap()
    }

    /// Commits what git makes of both branches, edited by hand.
    fn commit_merge(&self, by_hand: Edits<'_>) -> Oid {
        let git = self.repository.git();
        let sides = [self.main, self.feature].map(|id| git.find_commit(id).unwrap());
        let mut index = git.merge_commits(&sides[0], &sides[1], None).unwrap();
        let tree = git.find_tree(index.write_tree_to(git).unwrap()).unwrap();
        let author = Signature::now("A. Tester", "tester@example.org").unwrap();
        let parents: Vec<_> = sides.iter().collect();
        git.commit(Some("HEAD"), &author, &author, "merge", &tree, &parents).unwrap();
        git.checkout_head(Some(CheckoutBuilder::new().force())).unwrap();
        if by_hand.is_empty() {
            return git.head().unwrap().target().unwrap();
        }
        // As somebody does who edits while merging.
        let edited = self.edit(by_hand, "edited");
        let tree = git.find_commit(edited).unwrap().tree().unwrap();
        git.reference("refs/heads/main", self.main, true, "test").unwrap();
        let id = git.commit(Some("HEAD"), &author, &author, "merge", &tree, &parents).unwrap();
        git.checkout_head(Some(CheckoutBuilder::new().force())).unwrap();
        id
    }

    /// Runs the command, which leaves everything as it was.
    #[track_caller]
    fn judge(&self, args: &[&str]) -> Run {
        let target = SharedTarget::take();
        let before = (self.repository.snapshot().unwrap(), files_below(self.repository.git().path()));
        let mut words = vec!["--target-dir", target.text()];
        words.extend(args);
        let run = run(self.repository.root(), &words);
        let after = (self.repository.snapshot().unwrap(), files_below(self.repository.git().path()));
        assert_eq!(before, after, "index, working tree and objects are as they were");
        run
    }
}

/// The files below a directory, by path, with their length.
fn files_below(directory: &Path) -> BTreeMap<String, u64> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.insert(path.display().to_string(), entry.metadata().unwrap().len());
        }
    }
    files
}

#[track_caller]
fn check(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
    for words in words {
        assert!(run.stdout.contains(words), "{words}:\n{}", run.stdout);
    }
}

#[track_caller]
fn check_error(run: &Run, words: &str) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""), "{}", run.stderr);
    assert!(run.stderr.contains(words), "{words}:\n{}", run.stderr);
}

/// One branch changes a unit and all callers that it sees, the other one adds a caller.
#[test]
fn a_new_caller_of_what_changed_its_meaning_is_told() {
    let branches = Branches::of(IN_CENTS, WITH_A_BOX);
    let found = branches.judge(&["--merge", "feature"]);
    let words = [
        "judging the merge of feature into main by main (",
        "interaction[REG0015]: `sending` does what neither branch does",
        "src/price.rs (main):3",
        "(u32::from(item) + 1) * 100",
        "changed on main",
        "src/lib.rs (feature):14",
        "changed on feature",
        "`sending(21)` returned `9` in the merge base, `9` on main, `10` on feature; the merge returns `109`, `10` was \
         expected",
        "summary: 1 interaction (1 function on which both branches bear, ",
    ];
    check(&found, 100, &words);
    check(&branches.judge(&["--merge", "feature", "--fail-on", "never"]), 0, &words[..2]);
    // The same merge as a commit, as HEAD and by its name.
    let merge = branches.commit_merge(&[]).to_string();
    for args in [vec!["--merge"], vec!["--merge", "HEAD"], vec!["--merge", &merge]] {
        check(
            &branches.judge(&args),
            100,
            &["judging HEAD (", "109"][usize::from(args.len() == 2 && args[1] != "HEAD")..],
        );
    }
}

#[test]
fn the_document_has_all_outcomes_and_both_changes() {
    let branches = Branches::of(IN_CENTS, WITH_A_BOX);
    let found = branches.judge(&["--merge", "feature", "--message-format", "json"]);
    let document: Json = serde_json::from_str(&found.stdout).unwrap();
    let interaction = &document["interactions"][0];
    assert_eq!(document["interactions"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&interaction["id"], &interaction["kind"], &interaction["path"]),
        (&"REG0015".into(), &"behaviour".into(), &"sending".into())
    );
    let call = &interaction["calls"][0];
    assert_eq!((&call["call"], &call["expected"]), (&"sending(21)".into(), &"theirs".into()));
    let values =
        ["base", "ours", "theirs", "merge"].map(|version| call["outcomes"][version]["value"].as_str());
    assert_eq!(values, [Some("9"), Some("9"), Some("10"), Some("109")]);
    let changes: Vec<(&str, &str)> = interaction["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (change["rev"].as_str().unwrap(), change["item"].as_str().unwrap()))
        .collect();
    assert_eq!(changes, [("main", "`price::price`"), ("feature", "`sending`")]);
    assert_eq!(document["counts"]["functions"], 1);
    assert_eq!(
        (&document["no_expectation"], &document["not_judged"]),
        (&Json::Array(vec![]), &Json::Array(vec![]))
    );
}

/// Each branch is right on inputs of its own, and the merge on all.
#[test]
fn branches_that_change_one_function_and_do_not_interact_are_let_through() {
    let main = [("src/price.rs", "u32::from(item) + 1", "if item > 100 { 7 } else { u32::from(item) + 1 }")];
    let feature = [(
        "src/lib.rs",
        "    items.iter()",
        "    if items.is_empty() {\n        return 5;\n    }\n    items.iter()",
    )];
    let branches = Branches::of(&main, &feature);
    let found = branches.judge(&["--merge", "feature", "--fail-on", "unknown"]);
    check(&found, 0, &["summary: no interaction found (1 function on which both branches bear, "]);
    assert!(!found.stdout.contains("REG0015"), "{}", found.stdout);
}

/// Nothing is reached by both, and nothing is run.
#[test]
fn branches_that_have_nothing_in_common_cost_no_run() {
    let feature = [("src/lib.rs", "x / 2", "x / 3")];
    let found = Branches::of(IN_CENTS, &feature).judge(&["--merge", "feature"]);
    check(&found, 0, &["no interaction found (0 functions on which both branches bear, 0 inputs run"]);
}

/// Where both change what one call returns, nobody knows what both together should do.
#[test]
fn what_both_branches_change_is_listed_apart() {
    let main = [("src/price.rs", "u32::from(item) + 1", "u32::from(item) + 2")];
    let feature = [("src/lib.rs", "price(*item)).sum()", "price(*item)).sum::<u32>() * 3")];
    let branches = Branches::of(&main, &feature);
    let words = [
        "no expectation: both branches change what `total` does, each in its way",
        "in the merge base, `2` on main, `3` on feature; the merge returns `6`",
        "no interaction found, 1 without expectation",
    ];
    check(&branches.judge(&["--merge", "feature"]), 0, &words);
    check(&branches.judge(&["--merge", "feature", "--fail-on", "unknown"]), 100, &words);
}

/// The fix of one branch is lost where the other one has stopped to call what is fixed.
#[test]
fn a_fix_that_the_merge_loses_is_told() {
    let main = [("src/price.rs", "u32::from(item) + 1", "if item == 77 { 0 } else { u32::from(item) + 1 }")];
    let feature = [("src/lib.rs", "price(*item)).sum()", "u32::from(*item) + 1).sum()")];
    let found = Branches::of(&main, &feature).judge(&["--merge", "feature"]);
    let words = [
        "interaction[REG0015]: `total` loses in the merge what main makes it do",
        "u32::from(*item) + 1).sum()",
        "`total(b\"M\")` returned `78` in the merge base, `0` on main, `78` on feature; the merge returns `78`, `0` was expected",
    ];
    // 77 is the letter M.
    check(&found, 100, &words);
}

/// Who resolves a merge by hand may leave something out, or add something.
#[test]
fn what_was_done_by_hand_while_merging_is_told() {
    let branches = Branches::of(IN_CENTS, &[("src/lib.rs", "{ 9 }", "{ 10 }")]);
    branches.commit_merge(&[("src/lib.rs", "{ 10 }", "{ 9 }")]);
    let found = branches.judge(&["--merge"]);
    let words = [
        "`sending` loses in the merge what feature makes it do",
        "`10` on feature; the merge returns `9`, `10` was expected",
    ];
    check(&found, 100, &words);
}

#[test]
fn a_merge_that_does_not_compile_is_an_interaction() {
    let main = [
        ("src/price.rs", "price(item: u8)", "price(item: u8, _count: u8)"),
        ("src/lib.rs", "price(*item)", "price(*item, 1)"),
    ];
    let branches = Branches::of(&main, WITH_A_BOX);
    let found = branches.judge(&["--merge", "feature"]);
    let words = [
        "interaction[REG0015]: the merge does not compile",
        "main and feature compile",
        "error[E0061]: this function takes 2 arguments but 1 argument was supplied",
        "summary: the merge does not compile, although both branches do",
    ];
    check(&found, 100, &words);
    let found = branches.judge(&["--merge", "feature", "--message-format", "json"]);
    let document: Json = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(document["interactions"][0]["kind"], "build");
    assert!(document["interactions"][0]["error"].as_str().unwrap().contains("E0061"));
    // A branch that does not compile is no finding of the merge.
    let feature = [("src/lib.rs", "{ 9 }", "{ nine }")];
    let failed = Branches::of(IN_CENTS, &feature).judge(&["--merge", "feature"]);
    check_error(&failed, "feature (");
}

#[test]
fn a_function_that_is_new_on_one_branch_is_listed_apart() {
    let feature = [(
        "src/lib.rs",
        "/// What sending",
        "/// A box.\npub fn boxed(item: u8) -> u32 {\n    price(item) + 3\n}\n\n/// What sending",
    )];
    let found = Branches::of(IN_CENTS, &feature).judge(&["--merge", "feature"]);
    let words = [
        "no expectation: `boxed`, which only feature has like this, does something else in the merge",
        "on feature; the merge returns",
        "src/price.rs (main):3",
        "src/lib.rs (feature):13",
        "no interaction found, 1 without expectation",
    ];
    check(&found, 0, &words);
}

/// A method of a type with a private field, which is made by a function of the crate.
#[test]
fn methods_on_values_that_the_crate_makes_are_judged() {
    let counter = "\n/// Counts up to ten.\npub struct Counter {\n    count: u8,\n}\n\nimpl Counter {\n    pub fn new(count: u8) -> Option<Counter> {\n        \
        (count <= 10).then_some(Counter { count })\n    }\n\n    pub fn left(&self) -> u8 {\n        10 - self.count\n    }\n}\n\
        \n// The end.\n";
    let library = ("src/lib.rs", "    x / 2\n}\n");
    let with = |text: &str| format!("    x / 2\n}}\n{text}");
    let base = with(counter);
    let branches = Branches::of(&[], &[]);
    branches.edit(&[(library.0, library.1, &base)], "counter");
    let start = branches.repository.git().head().unwrap().target().unwrap();
    branches.repository.begin_branch("feature", start).unwrap();
    let feature = branches.edit(
        &[
            ("src/lib.rs", "(count <= 10)", "(count <= 12)"),
            ("src/lib.rs", "10 - self.count", "12 - self.count"),
        ],
        "twelve",
    );
    branches.repository.begin_branch("main", start).unwrap();
    let more = "    /// How often it can still be halved.\n    pub fn halves(&self) -> u8 {\n        self.left().ilog2() as u8\n    }\n}\n\n// The end";
    let main = branches.edit(&[("src/lib.rs", "}\n\n// The end", more)], "halves");
    let branches = Branches { main, feature, ..branches };
    let found = branches.judge(&["--merge", "feature"]);
    check(
        &found,
        0,
        &["which only main has like this", "summary: no interaction found, 1 without expectation"],
    );
}

/// Each branch changes what a generic function does at another type. All versions are run at the same one.
#[test]
fn generic_functions_are_run_at_the_same_types_in_all_versions() {
    let shapes = "    x / 2\n}\n\npub trait Weigh {\n    fn weigh(&self) -> u32;\n}\n\npub struct Small(pub u8);\n\n\
        impl Weigh for Small {\n    fn weigh(&self) -> u32 {\n        u32::from(self.0)\n    }\n}\n\n\
        pub struct Big(pub u16);\n\nimpl Weigh for Big {\n    fn weigh(&self) -> u32 {\n        u32::from(self.0) * 9\n    }\n}\n\n\
        pub fn twice<T: Weigh>(thing: T) -> u32 {\n    thing.weigh() * 2\n}\n";
    let branches = Branches::of(&[], &[]);
    let base = branches.edit(&[("src/lib.rs", "    x / 2\n}\n", shapes)], "shapes");
    branches.repository.begin_branch("feature", base).unwrap();
    let feature =
        branches.edit(&[("src/lib.rs", "u32::from(self.0) * 9", "u32::from(self.0) * 7")], "lighter");
    branches.repository.begin_branch("main", base).unwrap();
    let main = branches.edit(&[("src/lib.rs", "u32::from(self.0)\n", "u32::from(self.0) + 1\n")], "heavier");
    let branches = Branches { main, feature, ..branches };
    let found = branches.judge(&["--merge", "feature", "--fail-on", "unknown"]);
    check(&found, 0, &["summary: no interaction found (1 function on which both branches bear, 1"]);
}

#[test]
fn where_there_is_nothing_to_judge_it_is_said_why() {
    let branches = Branches::of(IN_CENTS, &[("src/price.rs", "+ 1", "+ 2")]);
    check_error(
        &branches.judge(&["--merge", "feature"]),
        "without a conflict in `src/price.rs`; judge the merge when it is resolved",
    );
    check_error(&branches.judge(&["--merge"]), "there is no merge here: HEAD (");
    check_error(&branches.judge(&["--merge", "main"]), "there is nothing to merge");
    check_error(&branches.judge(&["--merge", "nowhere"]), "there is no revision `nowhere`");
    branches.repository.begin_branch("ahead", branches.main).unwrap();
    branches.edit(&[("src/lib.rs", "x / 2", "x / 3")], "ahead");
    check_error(&branches.judge(&["--merge", "main"]), "there is nothing to merge");
    branches.repository.begin_branch("main", branches.main).unwrap();
    check_error(&branches.judge(&["--merge", "ahead"]), "so the merge is ahead (");
    for wrong in [
        &["--merge", "feature", "--merge-base", "main"][..],
        &["--merge", "feature", "--message-format", "sarif"],
    ] {
        let run = branches.judge(wrong);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
}

/// What there was no time for is named.
#[test]
fn the_time_for_the_whole_run_holds_for_all_comparisons() {
    let branches = Branches::of(IN_CENTS, WITH_A_BOX);
    // Reading four versions takes longer than this, however fast the machine is.
    branches.repository.begin_branch("slow", branches.main).unwrap();
    let wait = "fn main() { std::thread::sleep(std::time::Duration::from_secs(2)) }\n";
    branches.repository.write("build.rs", wait).unwrap();
    branches.repository.commit_all("wait").unwrap();
    let found = branches.judge(&["--merge", "feature", "--total-timeout", "1"]);
    check(&found, 0, &["not judged: whether the branches interact in", "`sending`: the time was over"]);
}
