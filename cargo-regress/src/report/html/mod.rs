//! One page for the browser, complete in itself: it loads nothing, works without scripts but for copying and keys, and follows the
//! system's light or dark colours.
//!
//! * this file: the page, its sections
//! * [`source`]: both versions side by side
//! * [`regions`]: which inputs differ, along one or two numbers
//! * [`graph`]: which of the changed functions may run which
//!
//! [`maud`] escapes every text that is spliced into a template. Only the style sheet and the script go in unescaped.

mod graph;
mod regions;
mod source;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use regress_core::verdict::{Confirmation, Proof, Suspect, Verdict, Witness};

use super::finding::{self, Finding};
use super::{FunctionReport, Report, Sources, Standing, human, reasons, wording};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded, whatever a text of the compared code may try.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The page, with a line feed at its end.
pub fn render(report: &Report, sources: &dyn Sources) -> String {
    let page = Page { report, sources };
    let markup = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { "cargo regress: " (report.old.rev) " with " (report.new.rev) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "To the findings" }
                (page.header())
                (page.navigation())
                main id="main" tabindex="-1" {
                    (page.differences())
                    (graph::section(report))
                    (page.quiet())
                    (page.notes())
                    (page.explanations())
                }
                (keys())
                script { (PreEscaped(SCRIPT)) }
            }
            "\n"
        }
        "\n"
    };
    visible(&markup.into_string())
}

fn keys() -> Markup {
    html! {
        dialog id="keys" aria-labelledby="keys-title" {
            h2 id="keys-title" { "Keys" }
            dl {
                dt { kbd { "j" } " " kbd { "k" } }
                dd { "next and previous difference" }
                dt { kbd { "c" } }
                dd { "copy its first call" }
                dt { kbd { "/" } }
                dd { "filter the functions" }
                dt { kbd { "?" } }
                dd { "this list" }
            }
            form method="dialog" { button { "Close" } }
        }
        p.said id="said" role="status" {}
    }
}

struct Page<'r> {
    report: &'r Report,
    sources: &'r dyn Sources,
}

impl Page<'_> {
    fn header(&self) -> Markup {
        let report = self.report;
        let counts = report.counts();
        let words: Vec<String> = counts.in_words();
        let differences: usize = report.functions.iter().filter(|function| is_difference(function)).count();
        let title = if words.is_empty() {
            "No changed functions".to_owned()
        } else if differences == 0 {
            "No difference found".to_owned()
        } else {
            let kinds = [
                Standing::Regression,
                Standing::Behaviour,
                Standing::Fix,
                Standing::Unconfirmed,
                Standing::Accepted,
            ];
            let number = kinds.iter().filter(|kind| counts.get(**kind) > 0).count();
            listed(&words[..number.min(words.len())])
        };
        let unchanged =
            wording::count(counts.get(Standing::Unchanged), "function unchanged", "functions unchanged");
        let all = words.iter().chain([&unchanged]).map(String::as_str).collect::<Vec<_>>().join(", ");
        html! {
            header.top {
                p.tool { "cargo regress" }
                h1 { (title) }
                dl.versions {
                    dt { "before" }
                    dd { (report.old.label) }
                    dt { "now" }
                    dd { (report.new.label) }
                    @if let Some(front_end) = &report.front_end {
                        dt { "read by" }
                        dd { (front_end) }
                    }
                    dt { "result" }
                    dd { (all) }
                    dt { "took" }
                    dd { (format!("{:.1} s", report.duration.as_secs_f64())) }
                }
            }
        }
    }

    /// All functions by verdict, with a filter.
    fn navigation(&self) -> Markup {
        let mut numbers = 0_usize;
        let mut entry = |function: &FunctionReport| {
            let standing = function.standing();
            let path = html! { code { (function.path) } };
            if is_difference(function) {
                numbers += 1;
                html! { li { a href={ "#f" (numbers) } { (path) } } }
            } else if standing == Standing::Unchanged {
                html! { li { (path) } }
            } else {
                html! { li { a href={ "#" (class(standing)) } { (path) } } }
            }
        };
        html! {
            nav aria-label="Functions" {
                label.filter {
                    span { "Filter" }
                    input id="filter" type="search" autocomplete="off" spellcheck="false";
                }
                @for standing in Standing::ALL {
                    @let functions = self.of(standing);
                    @if !functions.is_empty() {
                        details open[standing != Standing::Unchanged] {
                            summary class=(class(standing)) {
                                (finding::title(standing)) " " span.count { (functions.len()) }
                            }
                            ul {
                                @for function in functions { (entry(function)) }
                            }
                        }
                    }
                }
                p.hint { "Press " kbd { "?" } " for keys." }
            }
        }
    }

    fn of(&self, standing: Standing) -> Vec<&FunctionReport> {
        self.report.functions.iter().filter(|function| function.standing() == standing).collect()
    }

    fn differences(&self) -> Markup {
        let differing = self.report.functions.iter().filter(|function| is_difference(function));
        html! {
            @for (index, function) in differing.enumerate() {
                (self.difference(index + 1, function))
            }
        }
    }

    fn difference(&self, number: usize, function: &FunctionReport) -> Markup {
        let Verdict::Differs { witnesses, suspects, partitions, ledger, .. } = &function.verdict else {
            return html! {};
        };
        let standing = function.standing();
        let mut notes = Vec::new();
        if partitions.explored > 0 {
            let of = wording::count(partitions.explored, "explored partition", "explored partitions");
            let differ = if partitions.differing == 1 { "differs" } else { "differ" };
            notes.push(format!("{} of {of} of the inputs {differ}.", partitions.differing));
        }
        if !ledger.is_empty() {
            notes.push(format!("The search was limited: {}.", human::entries(ledger)));
        }
        notes.extend(function.outside.sentence());
        notes.extend(function.acceptance.sentences());
        notes.extend(function.sentences());
        html! {
            article id={ "f" (number) } class={ "difference " (class(standing)) } tabindex="-1"
                aria-labelledby={ "t" (number) }
            {
                p.kind {
                    span.verdict { (finding::title(standing)) }
                    @if let Some(finding) = Finding::of(function) {
                        " " a href={ "#" (finding.id()) } title=(finding.summary()) { (finding.id()) }
                    }
                    @if let Some(place) = finding::place(function) {
                        " " code { (place.file) ":" (place.line_start) }
                    }
                }
                h2 id={ "t" (number) } { code { (function.path) } " " (finding::claim(function)) }
                (calls(function, witnesses))
                (source::table(self.report, self.sources, function))
                (suspicions(self.sources, function, suspects))
                @if let Some(samples) = self.report.pictures.samples.get(&function.path) {
                    (regions::figure(samples))
                }
                (facts(&notes))
            }
        }
    }

    /// What is no difference, by verdict and reason.
    fn quiet(&self) -> Markup {
        let mut groups: BTreeMap<Standing, BTreeMap<String, Vec<&FunctionReport>>> = BTreeMap::new();
        for function in &self.report.functions {
            if let Some(reason) = human::reason(function) {
                groups.entry(function.standing()).or_default().entry(reason).or_default().push(function);
            }
        }
        html! {
            @for (standing, reasons) in &groups {
                (quiet_section(*standing, reasons))
            }
        }
    }

    fn notes(&self) -> Markup {
        let notes = self.report.all_notes();
        html! {
            @if !notes.is_empty() {
                section.quiet {
                    h2 { "Of the whole run" }
                    (facts(&notes))
                }
            }
        }
    }

    /// The kinds of findings that occur.
    fn explanations(&self) -> Markup {
        let mut kinds: Vec<Finding> = self.report.functions.iter().filter_map(Finding::of).collect();
        kinds.sort();
        kinds.dedup();
        html! {
            @if !kinds.is_empty() {
                section.quiet {
                    h2 { "What the ids mean" }
                    @for kind in kinds {
                        details.explanation id=(kind.id()) {
                            summary { span.id { (kind.id()) } " " (kind.summary()) }
                            // The first line is the title.
                            (prose(kind.explanation().split_once("\n\n").map_or("", |(_, text)| text)))
                        }
                    }
                }
            }
        }
    }
}

/// Functions of one verdict that is no difference, by reason.
fn quiet_section(standing: Standing, reasons: &BTreeMap<String, Vec<&FunctionReport>>) -> Markup {
    let number: usize = reasons.values().map(Vec::len).sum();
    let finding = reasons.values().flatten().find_map(|function| Finding::of(function));
    html! {
        section id=(class(standing)) class={ "quiet " (class(standing)) } tabindex="-1" {
            h2 { span.verdict { (finding::title(standing)) } " " span.count { (number) } }
            @if let Some(finding) = finding {
                p.meaning { (finding.summary()) " " a href={ "#" (finding.id()) } { (finding.id()) } }
            }
            @if standing == Standing::Equal {
                p.meaning { "Both versions do the same on every input." }
            }
            @for (reason, functions) in reasons {
                @if !reason.is_empty() {
                    h3 { (wording::printable(reason)) }
                }
                ul.names {
                    @for function in functions { (quiet_function(function)) }
                }
            }
        }
    }
}

fn quiet_function(function: &FunctionReport) -> Markup {
    let explored = match &function.verdict {
        Verdict::Equal { proof: Proof::Explored(proof) } | Verdict::EqualWithin { proof, .. } => {
            Some(proof.partitions.explored)
        }
        _ => None,
    };
    html! {
        li {
            code { (function.path) }
            @if let Some((_, span)) = function.span() {
                " " span.place { (span.file) ":" (span.line_start) }
            }
            @if let Some(number) = explored {
                " " span.place { (wording::count(number, "partition", "partitions")) " of the inputs" }
            }
        }
    }
}

/// The calls on which the versions differ, each with a button that copies it.
fn calls(function: &FunctionReport, witnesses: &[Witness]) -> Markup {
    html! {
        table.calls {
            thead {
                tr {
                    th scope="col" { "call" }
                    th scope="col" { "before" }
                    th scope="col" { "now" }
                    td {}
                }
            }
            tbody {
                @for witness in witnesses {
                    @let call = function.call(witness);
                    @let (old, new) = wording::ends(witness);
                    tr {
                        td {
                            code { (wording::printable(&call)) }
                            @if let Confirmation::Unconfirmed { reason } = &witness.confirmation {
                                br;
                                span.place { "not seen in a native run: " (reasons::not_run(reason)) }
                            }
                        }
                        td { (marked(&wording::printable(&old))) }
                        td { (marked(&wording::printable(&new))) }
                        td { button.copy type="button" data-copy=(call) { "Copy" } }
                    }
                }
            }
        }
    }
}

/// Suspect lines that are not among those shown, the most suspect first.
fn suspicions(sources: &dyn Sources, function: &FunctionReport, suspects: &[Suspect]) -> Markup {
    let elsewhere: Vec<&Suspect> =
        suspects.iter().filter(|suspect| !source::is_shown(sources, function, suspect)).collect();
    html! {
        @if !elsewhere.is_empty() {
            h3 { "Suspect lines elsewhere" }
            ol.suspects {
                @for suspect in elsewhere {
                    @if let Some(file) = function.files.name(suspect.version, suspect.span.file) {
                        li value=(suspect.rank) {
                            code { (file) ":" (suspect.span.line_start) }
                            " " span.place { (wording::version(suspect.version)) }
                            " " (wording::printable(&reasons::suspicion(suspect)))
                        }
                    }
                }
            }
        }
    }
}

/// Sentences as a list, or nothing if there are none.
fn facts(sentences: &[String]) -> Markup {
    html! {
        @if !sentences.is_empty() {
            ul.facts {
                @for sentence in sentences {
                    li { (marked(&wording::printable(sentence))) }
                }
            }
        }
    }
}

fn is_difference(function: &FunctionReport) -> bool {
    Finding::of(function).is_some_and(Finding::is_difference)
}

/// The name of a verdict in style sheets and links.
fn class(standing: Standing) -> &'static str {
    match standing {
        Standing::Regression => "regression",
        Standing::Behaviour => "behaviour",
        Standing::Fix => "fix",
        Standing::Unconfirmed => "unconfirmed",
        Standing::NotAnalysed => "not-analysed",
        Standing::NoDifferenceFound => "no-difference",
        Standing::Accepted => "accepted",
        Standing::EqualWithin => "equal-within",
        Standing::Equal => "equal",
        Standing::Removed => "removed",
        Standing::Added => "added",
        Standing::Unchanged => "unchanged",
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Escaped text, with what stands between back quotes as code.
fn marked(text: &str) -> Markup {
    // What is quoted may have back quotes itself; then nothing tells where it ends.
    if !text.matches('`').count().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The Markdown of our own explanations, which have paragraphs, code blocks and code spans only.
fn prose(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split("```").enumerate() {
            @if index % 2 == 1 {
                pre { code { (part.strip_prefix("rust\n").unwrap_or(part)) } }
            } @else {
                @for paragraph in part.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
                    p { (marked(paragraph)) }
                }
            }
        }
    }
}

/// The page with control characters written as Rust escapes them, since browsers do not show them.
fn visible(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for character in page.chars() {
        match character {
            '\n' | '\t' => out.push(character),
            character if character.is_control() => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}
