//! The book in `docs/book`, README and its neighbours: every link leads somewhere, every command is run and prints what is shown, every option is
//! named, and mdBook builds it.

use std::collections::BTreeSet;
use std::{env, fs};

use mdbook_driver::MDBook;
use regress_tests::book::{Page, book_root, chapters, repository_root};
use regress_tests::command::run;
use regress_tests::console::{Session, agrees, masked, page_steps, with_printed};
use tempfile::TempDir;

/// Set to write what commands print into the pages, in the place of what these show.
const UPDATE: &str = "REGRESS_BOOK_UPDATE";

fn pages() -> Vec<Page> {
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/book/src/SUMMARY.md"];
    others.iter().map(|path| Page::of_repository(path)).chain(chapters()).collect()
}

/// Why a link of a page leads nowhere; none if it leads somewhere.
fn broken(page: &Page, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = page.path.parent().expect("files lie in folders").join(file);
    let target = if file.is_empty() { page.path.clone() } else { target };
    let Ok(target) = target.canonicalize() else {
        return Some(format!("{}: `{link}` names no file", page.path.display()));
    };
    let book = book_root().join("src");
    if page.path.starts_with(&book) && !target.starts_with(&book) {
        return Some(format!(
            "{}: `{link}` leads out of the book, which is built by itself",
            page.path.display()
        ));
    }
    match anchor {
        Some(anchor) if !Page::read(&target).anchors().contains(anchor) => {
            Some(format!("{}: `{link}` names no heading", page.path.display()))
        }
        _ => None,
    }
}

#[test]
fn every_link_leads_somewhere() {
    // These have no sessions, but links into the book.
    let others = ["CHANGELOG.md", "fixtures/README.md"].map(Page::of_repository);
    let pages: Vec<Page> = pages().into_iter().chain(others).collect();
    let links = |page: &Page| page.links().into_iter().map(|link| (page.clone(), link)).collect::<Vec<_>>();
    let links: Vec<(Page, String)> = pages.iter().flat_map(links).collect();
    assert!(links.len() > 50, "{} links", links.len());
    let broken: Vec<String> = links.iter().filter_map(|(page, link)| broken(page, link)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let missing = pages.iter().flat_map(Page::included).filter(|file| !file.is_file());
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_link_that_leads_nowhere_is_told() {
    let page = Page::of_repository("docs/book/src/limits.md");
    for (link, told) in [
        ("nowhere.md", Some("names no file")),
        ("reading.md#nowhere", Some("names no heading")),
        ("../../../README.md", Some("leads out of the book")),
        ("reading.md", None),
        ("https://example.org/", None),
    ] {
        let broken = broken(&page, link);
        assert_eq!(broken.is_some(), told.is_some(), "{link}: {broken:?}");
        assert!(broken.unwrap_or_default().contains(told.unwrap_or_default()), "{link}");
    }
}

#[test]
fn every_chapter_is_in_the_summary_once() {
    let listed = Page::of_repository("docs/book/src/SUMMARY.md").links();
    let chapters: Vec<String> = chapters().iter().map(|page| format!("{}.md", page.name())).collect();
    let distinct: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(distinct, chapters.iter().collect::<BTreeSet<_>>());
    assert_eq!(distinct.len(), listed.len(), "listed twice: {listed:?}");
}

#[test]
fn what_looks_like_a_session_is_one() {
    for page in pages() {
        for block in page.fenced() {
            let told = format!("{}: {}", page.path.display(), block.code);
            assert!(!block.language.is_empty(), "a block without a language in {told}");
            if block.language == "console" {
                assert!(block.code.starts_with("$ "), "a session begins with a command: {told}");
            } else {
                assert!(
                    !block.code.lines().any(|line| line.starts_with("$ ")),
                    "it is not run, so it must not look as if it were: {told}"
                );
            }
        }
    }
}

/// Runs what the page shows; the session, for what else there is to look at.
#[track_caller]
fn check(page: &Page) -> Session {
    let session = Session::new();
    let printed = session.run(page);
    if env::var_os(UPDATE).is_some() {
        fs::write(&page.path, with_printed(page, &printed)).expect("writable");
        return session;
    }
    for (step, printed) in page_steps(page).iter().flatten().zip(&printed) {
        let hidden = |text: &str| text.lines().map(|line| masked(line) + "\n").collect::<String>();
        assert!(
            agrees(&step.shown, printed),
            "{}: `{}` prints\n{}\nwhere this is shown:\n{}",
            page.path.display(),
            step.command,
            hidden(printed),
            hidden(&step.shown.join("\n")),
        );
    }
    session
}

/// Pages with sessions, each in a test of its own, so that they run beside each other.
macro_rules! sessions {
    ($($name:ident: $path:literal;)*) => {
        const SESSIONS: &[&str] = &[$($path),*];
        $(
            #[test]
            fn $name() {
                check(&Page::of_repository($path));
            }
        )*
    };
}

sessions! {
    readme: "README.md";
    reading: "docs/book/src/reading.md";
    proofs: "docs/book/src/proofs.md";
    accept: "docs/book/src/accept.md";
    ci: "docs/book/src/ci.md";
    hook: "docs/book/src/hook.md";
    how: "docs/book/src/how.md";
    localize: "docs/book/src/localize.md";
    merge: "docs/book/src/merge.md";
    bisect: "docs/book/src/bisect.md";
    affected_tests: "docs/book/src/affected-tests.md";
    explore: "docs/book/src/explore.md";
    configuration: "docs/book/src/configuration.md";
}

/// Has a test that looks at more than what is printed.
const TOUR: &str = "docs/book/src/start.md";

/// A newcomer's way by the commands of the first chapter alone: a finding, the lines behind a failing test, an accepted difference, a hook that lets
/// the push pass, and the file for CI.
#[test]
fn a_newcomer_comes_to_a_clean_push() {
    let page = Page::of_repository(TOUR);
    let session = check(&page);
    let at = |command: &str| {
        let mut steps = page_steps(&page).into_iter().flatten();
        steps.position(|step| step.command.starts_with(command)).unwrap_or_else(|| panic!("no `{command}`"))
    };
    let way = [
        at("cargo regress"),
        at("cargo regress localize --test"),
        at("cargo regress accept"),
        at("cargo regress hook install"),
        at("git push --quiet origin main"),
        at("cp ../cargo-regress/docs/ci/github.yml"),
    ];
    assert!(way.is_sorted(), "{way:?}");
    let root = session.root();
    for file in [".config/regress-accepted.toml", ".git/hooks/pre-push", ".github/workflows/regress.yml"] {
        assert!(root.join(file).is_file(), "{file}");
    }
    // What was pushed has the accepted difference, and not the commit after it.
    let git = git2::Repository::open(&root).expect("a repository");
    let pushed = git.revparse_single("origin/main").expect("it was pushed").id();
    assert_eq!(pushed, git.revparse_single("main~1").expect("a commit").id());
}

/// Names of commands, as their help and the chapter on options list them.
const COMMANDS: [&str; 11] = [
    "explore",
    "localize",
    "bisect",
    "affected-tests",
    "accept",
    "merge",
    "ci",
    "serve",
    "watch",
    "setup",
    "clean",
];

#[test]
fn every_option_is_named_in_the_book() {
    let book: String = chapters().iter().map(|page| page.text.clone()).collect();
    let words: BTreeSet<&str> = book
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| word.starts_with("--"))
        .collect();
    let here = repository_root();
    let helps = COMMANDS.iter().map(|command| vec!["regress", command, "--help"]);
    let mut missing = BTreeSet::new();
    let mut seen = 0;
    for args in helps.chain([vec!["regress", "--help"]]) {
        let help = run(&here, &args);
        assert_eq!(help.code, Some(0), "{args:?}: {}", help.stderr);
        let listed = help.stdout.lines().filter(|line| line.trim_start().starts_with('-'));
        let long =
            listed.filter_map(|line| line.split([' ', '<', '[', '=', ',']).find(|w| w.starts_with("--")));
        for option in long.filter(|option| !["--help", "--version"].contains(option)) {
            seen += 1;
            if !words.contains(option.trim_end_matches("...")) {
                missing.insert(option.to_owned());
            }
        }
    }
    assert!(seen > 100, "{seen} options in all helps");
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn readme_is_one_page_and_says_what_each_verdict_means() {
    let page = Page::of_repository("README.md");
    let lines = page.text.lines().count();
    assert!(lines <= 140, "{lines} lines, the report of the example among them");
    for verdict in [
        "unchanged",
        "proved equal",
        "equal within bounds",
        "inconclusive: no difference found",
        "regression",
        "behaviour change",
        "fix",
        "unconfirmed",
        "accepted",
        "not analysed",
        "added, removed",
    ] {
        assert!(page.text.contains(&format!("\n| {verdict} | ")), "{verdict}");
    }
}

#[test]
fn every_page_with_commands_is_run() {
    let with_commands: BTreeSet<String> = pages()
        .iter()
        .filter(|page| !page_steps(page).is_empty())
        .map(|page| {
            let path = page.path.strip_prefix(repository_root()).expect("a page of the repository");
            path.to_str().expect("UTF-8").to_owned()
        })
        .collect();
    let run: BTreeSet<String> = SESSIONS.iter().chain([&TOUR]).map(|path| (*path).to_owned()).collect();
    assert_eq!(with_commands, run);
}

#[test]
fn mdbook_builds_it() {
    let output = TempDir::new().expect("a temporary directory");
    let mut book = MDBook::load(book_root()).expect("book.toml and SUMMARY.md can be read");
    book.config.build.build_dir = output.path().join("book");
    // It would make chapters that are missing.
    book.config.build.create_missing = false;
    book.build().expect("the book builds");
    for chapter in chapters() {
        let html = output.path().join("book").join(format!("{}.html", chapter.name()));
        let html = fs::read_to_string(&html).unwrap_or_else(|error| panic!("{}: {error}", html.display()));
        assert!(!html.contains("{{#"), "{} has a directive that was not followed", chapter.name());
    }
}
