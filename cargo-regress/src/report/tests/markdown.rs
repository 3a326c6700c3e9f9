//! The summary, as a Markdown parser that is not ours reads it.

use insta::assert_snapshot;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use crate::report::Report;
use crate::report::markdown::render;
use crate::report::testing::{function, nasty, one_of_each, report};
use regress_core::verdict::{ChangeKind, Verdict};

fn events(text: &str) -> Vec<Event<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    Parser::new_ext(text, options).collect()
}

/// Headings, tables, rows and cells, links, images and pieces of HTML.
fn shape(report: &Report) -> [usize; 6] {
    let text = render(report);
    let events = events(&text);
    let count = |is: fn(&Event<'_>) -> bool| events.iter().filter(|event| is(event)).count();
    [
        count(|event| matches!(event, Event::Start(Tag::Heading { .. }))),
        count(|event| matches!(event, Event::Start(Tag::Table(_)))),
        count(|event| matches!(event, Event::Start(Tag::TableRow))),
        count(|event| matches!(event, Event::Start(Tag::TableCell))),
        count(|event| matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }))),
        count(|event| {
            matches!(
                event,
                Event::Html(_)
                    | Event::InlineHtml(_)
                    | Event::InlineMath(_)
                    | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            )
        }),
    ]
}

#[test]
fn each_difference_has_a_section_and_the_rest_a_table() {
    // A title and seven differences; a table each and one of the rest; a row each and seven of the rest; three cells to each
    // row and each head.
    assert_eq!(shape(&one_of_each()), [8, 8, 14, 3 * (14 + 8), 0, 0]);
    let text = render(&one_of_each());
    let first = events(&text).into_iter().find(|event| matches!(event, Event::Start(_)));
    assert!(matches!(first, Some(Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }))), "{first:?}");
}

#[test]
fn nothing_in_a_text_is_taken_for_markup() {
    assert_eq!(shape(&nasty()), [2, 2, 2, 3 * (2 + 2), 0, 0]);
    let text = render(&nasty());
    let code: Vec<String> = events(&text)
        .into_iter()
        .filter_map(|event| match event {
            Event::Code(code) => Some(code.to_string()),
            _ => None,
        })
        .collect();
    assert!(code.iter().any(|code| code.contains("a|b,c:d%e`f``g]](h){0}<i>&amp;\\\"j'")), "{code:#?}");
}

#[test]
fn a_report_of_nothing_says_so() {
    assert_snapshot!(render(&report(vec![function("same", ChangeKind::Unchanged, Verdict::Unchanged)])), @r#"
    ## cargo regress: no changed functions

    comparing HEAD\~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    1 function unchanged, 1.2 s
    "#);
}

#[test]
fn a_summary_stays_below_what_github_takes() {
    let many = nasty().functions.remove(0);
    let functions = (0..2_000).map(|_| many.clone()).collect();
    let text = render(&report(functions));
    assert!(text.len() < 1_000_000, "{}", text.len());
    assert!(text.contains("differences are left out here for length"), "it is said");
}
