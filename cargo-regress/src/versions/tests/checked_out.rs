//! A committed version holds what git would check out.

use std::fs;

use git2::build::CheckoutBuilder;

use super::scratch::{Scratch, defaults, revision, text};

const FILES: [(&str, &str); 6] = [
    ("plain.txt", "a\nb\n"),
    ("mixed.txt", "a\r\nb\n"),
    ("binary.dat", "a\0\n"),
    // libgit2 expands the first of a file alone, where git expands all.
    ("id.txt", "x $Id$ z $Idx $Id: not\n$\n"),
    ("src/lf.rs", "fn f() {}\n"),
    ("deep/own.txt", "1\n2\n"),
];

/// The trees of a commit with these attributes hold what libgit2 checks out, with these settings.
#[track_caller]
fn check(attributes: &[(&str, &str)], settings: &[(&str, &str)]) {
    let scratch = Scratch::with_package();
    for (path, content) in FILES.iter().chain(attributes) {
        scratch.write(path, content);
    }
    scratch.commit("with attributes");
    let mut config = scratch.repository.config().unwrap();
    settings.iter().for_each(|(key, value)| config.set_str(key, value).unwrap());
    let versions = scratch.versions(&revision("HEAD~1..HEAD"));
    for (path, _) in FILES {
        fs::remove_file(scratch.root.join(path)).unwrap();
    }
    scratch.repository.checkout_head(Some(CheckoutBuilder::new().force())).unwrap();
    for (path, _) in FILES {
        let held = fs::read(versions.new.root.join(path)).unwrap();
        let wanted = fs::read(scratch.root.join(path)).unwrap();
        assert_eq!(String::from_utf8_lossy(&held), String::from_utf8_lossy(&wanted), "{path} {attributes:?}");
    }
}

#[test]
fn ends_of_lines_are_those_of_a_checkout() {
    for attributes in [
        "* text eol=crlf\n",
        "*.txt text=auto eol=crlf\n*.rs -text\n",
        "* text=auto\n",
        "*.txt crlf\n",
        "*.txt eol=lf\nplain.txt eol=crlf\n",
        "[attr]mine text eol=crlf\n*.txt mine\nplain.txt !eol\n",
        "* binary\n",
    ] {
        for settings in
            [&[][..], &[("core.autocrlf", "true")], &[("core.eol", "crlf")], &[("core.autocrlf", "input")]]
        {
            check(&[(".gitattributes", attributes)], settings);
        }
    }
    check(&[(".gitattributes", "*.txt eol=crlf\n"), ("deep/.gitattributes", "own.txt -text\n")], &[]);
}

#[test]
fn identities_are_expanded() {
    check(&[(".gitattributes", "*.txt ident\n")], &[]);
    check(&[(".gitattributes", "*.txt ident eol=crlf\n")], &[]);
}

#[test]
fn what_a_filter_makes_is_left_out() {
    let scratch = Scratch::with_package();
    scratch.write(".gitattributes", "*.dat filter=made\n*.txt filter=absent working-tree-encoding=UTF-16\n");
    scratch.write("a.dat", "stored").write("b.txt", "stored").write("c.rs", "fn c() {}");
    scratch.commit("with a filter");
    scratch.repository.config().unwrap().set_str("filter.made.smudge", "tr a b").unwrap();
    let new = scratch.versions(&revision("HEAD~1..HEAD")).new;
    assert_eq!(text(&new, "a.dat"), None);
    assert_eq!(text(&new, "b.txt"), None);
    assert_eq!(text(&new, "c.rs").as_deref(), Some("fn c() {}"));
    // The working tree is taken as it is.
    scratch.write("c.rs", "fn d() {}");
    assert_eq!(text(&scratch.versions(&defaults()).new, "a.dat").as_deref(), Some("stored"));
}
