//! The line formats: short, and the commands of GitHub Actions.

use insta::assert_snapshot;
use regress_core::verdict::Class;

use crate::report::testing::{NASTY, TextSources, accepted, nasty, one_of_each};
use crate::report::{finding, github, html, markdown, short};

#[test]
fn short_has_a_line_for_each_finding() {
    assert_snapshot!(short::render(&one_of_each()), @r#"
    src/lib.rs:3:15: regression[REG0001]: `parse` panics on inputs it could take before: `parse("0")` returned `Ok(1)`, now panics: attempt to subtract with overflow at src/lib.rs:3:15
    src/lib.rs:3: regression[REG0002]: `stops` aborts on inputs it could take before: `stops("0")` returned `Ok(1)`, now aborts: SIGABRT
    src/lib.rs:3: regression[REG0003]: `waits` does not end on inputs it could take before: `waits("0")` returned `Ok(1)`, now does not end
    src/lib.rs:3: behaviour change[REG0005]: `fails` fails in another way than before: `fails("0")` panicked: attempt to subtract with overflow at src/lib.rs:3:15, now panics: unwrap of `None` or `Err`
    src/lib.rs:3: behaviour change[REG0004]: `module::Type::fee` returns a different result: `module::Type::fee("0")` returned `Ok(1)`, now returns `Ok(48)`
    src/lib.rs:3: fix[REG0006]: `fixed` no longer panics on inputs it panicked on before: `fixed("0")` panicked: attempt to subtract with overflow at src/lib.rs:3:15, now returns `Ok(1)`
    src/lib.rs:3: unconfirmed[REG0009]: `perhaps` perhaps does not end on inputs it could take before: `perhaps("0")` returned `Ok(1)`, now does not end
    src/lib.rs:3: not analysed[REG0011]: `other`: its signature changed, so the versions have no inputs in common: it was `(u8) -> u8`, and is `(u16) -> u8`
    src/lib.rs:3: not analysed[REG0010]: `task::run`: it has no body
    src/lib.rs:3: inconclusive: no difference found[REG0012]: `reads`: the meaning of `libc::read` is not known
    src/lib.rs:3: equal within bounds[REG0013]: `bounded`: sequences of at most 8 elements
    3 regressions, 2 behaviour changes, 1 fix, 1 unconfirmed difference, 1 proved equal, 1 equal within bounds, 1 without a difference found, 2 not analysed, 1 added, 1 removed; 1 function unchanged (1.2 s)
    "#);
}

#[test]
fn short_keeps_to_its_lines() {
    let text = short::render(&nasty());
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(!text.contains(['\u{1b}', '\u{7}', '\r']), "{text:?}");
}

#[test]
fn a_difference_that_was_just_found_is_told_on_one_line() {
    let report = nasty();
    let function = report.functions.iter().find(|function| finding::example(function).is_some());
    let function = function.expect("a difference");
    let witness = finding::example(function).expect("its call");
    let line = short::found(Class::Regression, &function.call(witness), witness);
    assert!(line.starts_with("regression: `") && line.contains("now "), "{line}");
    assert!(!line.contains(['\u{1b}', '\u{7}', '\r', '\n']), "{line:?}");
}

#[test]
fn github_is_told_of_differences_only() {
    assert_snapshot!(github::render(&one_of_each()), @r#"
    ::error file=src/lib.rs,line=3,endLine=3,col=15,endColumn=30,title=REG0001 regression::`parse` panics on inputs it could take before: `parse("0")` returned `Ok(1)`, now panics: attempt to subtract with overflow at src/lib.rs:3:15
    ::error file=src/lib.rs,line=3,endLine=3,title=REG0002 regression::`stops` aborts on inputs it could take before: `stops("0")` returned `Ok(1)`, now aborts: SIGABRT
    ::error file=src/lib.rs,line=3,endLine=3,title=REG0003 regression::`waits` does not end on inputs it could take before: `waits("0")` returned `Ok(1)`, now does not end
    ::warning file=src/lib.rs,line=3,endLine=3,title=REG0005 behaviour change::`fails` fails in another way than before: `fails("0")` panicked: attempt to subtract with overflow at src/lib.rs:3:15, now panics: unwrap of `None` or `Err`
    ::warning file=src/lib.rs,line=3,endLine=3,title=REG0004 behaviour change::`module::Type::fee` returns a different result: `module::Type::fee("0")` returned `Ok(1)`, now returns `Ok(48)`
    ::notice file=src/lib.rs,line=3,endLine=3,title=REG0006 fix::`fixed` no longer panics on inputs it panicked on before: `fixed("0")` panicked: attempt to subtract with overflow at src/lib.rs:3:15, now returns `Ok(1)`
    ::warning file=src/lib.rs,line=3,endLine=3,title=REG0009 unconfirmed::`perhaps` perhaps does not end on inputs it could take before: `perhaps("0")` returned `Ok(1)`, now does not end
    "#);
}

#[test]
fn what_is_accepted_is_shown_as_such() {
    let report = accepted();
    let short = short::render(&report);
    assert!(short.starts_with("src/lib.rs:3: accepted[REG0014]: `parse` panics"), "{short}");
    assert!(short.contains("warning: the entry at a.toml:9 for `gone` is stale: it is no more\n"), "{short}");
    assert_eq!(github::render(&report), "", "nobody is to be alarmed");
    for text in [markdown::render(&report), html::render(&report, &TextSources)] {
        assert!(text.contains("as agreed") && text.contains("a.toml:9"), "{text}");
        assert!(
            text.contains("attempt to subtract with overflow"),
            "what differs is shown all the same: {text}"
        );
    }
}

#[test]
fn files_are_named_from_the_root_of_the_repository() {
    let mut report = one_of_each();
    report.directory = "crates/one".to_owned();
    assert!(github::render(&report).starts_with("::error file=crates/one/src/lib.rs,line=3,"));
}

/// What the runner makes of a command: its name, properties and message. Written after `ActionCommand.TryParseV2` of actions/runner.
fn understood(line: &str) -> (String, Vec<(String, String)>, String) {
    let rest = line.strip_prefix("::").expect("it is a command");
    let (head, message) = rest.split_once("::").expect("it has a message");
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let plain = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n");
    let property = |text: &str| plain(text).replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
    let properties = properties
        .split(',')
        .map(|pair| pair.split_once('=').expect("name and value"))
        .map(|(name, value)| (name.to_owned(), property(value)))
        .collect();
    (name.to_owned(), properties, plain(message).replace("%25", "%"))
}

#[test]
fn nothing_in_a_text_is_taken_for_a_command() {
    let text = github::render(&nasty());
    assert_eq!(text.lines().count(), 1, "{text}");
    let (name, properties, message) = understood(text.trim_end_matches('\n'));
    assert_eq!(name, "error");
    let names: Vec<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["file", "line", "endLine", "col", "endColumn", "title"]);
    assert_eq!(properties[0].1, NASTY);
    assert!(message.contains("a|b,c:d%e`f``g]](h){0}<i>&amp;"), "{message}");
}
