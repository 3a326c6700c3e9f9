//! One page for the browser, complete in itself: it loads nothing, works without scripts but for copying and keys, and follows the
//! system's light or dark colours.
//!
//! * this file: the page, its sections, escaping
//! * [`source`]: both versions side by side
//! * [`regions`]: which inputs differ, along one or two numbers
//! * [`graph`]: which of the changed functions may run which
//!
//! All text that comes from the code that is compared goes through [`escaped`].

mod graph;
mod regions;
mod source;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use regress_core::verdict::{Confirmation, Proof, Suspect, Verdict, Witness};

use super::finding::{self, Finding};
use super::{FunctionReport, Report, Sources, Standing, human, reasons, wording};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page, with a line feed at its end.
pub fn render(report: &Report, sources: &dyn Sources) -> String {
    let page = Page { report, sources };
    let title = format!("{} with {}", report.old.rev, report.new.rev);
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Nothing is loaded, whatever a text of the compared code may try.
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n",
    );
    let _ = write!(
        out,
        "<title>cargo regress: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&title)
    );
    out.push_str("<a class=\"skip\" href=\"#main\">To the findings</a>\n");
    page.header(&mut out);
    page.navigation(&mut out);
    out.push_str("<main id=\"main\" tabindex=\"-1\">\n");
    page.differences(&mut out);
    graph::write(&mut out, report);
    page.quiet(&mut out);
    page.notes(&mut out);
    page.explanations(&mut out);
    out.push_str("</main>\n");
    out.push_str(KEYS);
    let _ = write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

const KEYS: &str = "\
<dialog id=\"keys\" aria-labelledby=\"keys-title\">
<h2 id=\"keys-title\">Keys</h2>
<dl>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous difference</dd>
<dt><kbd>c</kbd></dt><dd>copy its first call</dd>
<dt><kbd>/</kbd></dt><dd>filter the functions</dd>
<dt><kbd>?</kbd></dt><dd>this list</dd>
</dl>
<form method=\"dialog\"><button>Close</button></form>
</dialog>
<p id=\"said\" class=\"said\" role=\"status\"></p>
";

struct Page<'r> {
    report: &'r Report,
    sources: &'r dyn Sources,
}

impl Page<'_> {
    fn header(&self, out: &mut String) {
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
        let _ = write!(
            out,
            "<header class=\"top\">\n<p class=\"tool\">cargo regress</p>\n<h1>{}</h1>\n<dl class=\"versions\">\n\
             <dt>before</dt><dd>{}</dd>\n<dt>now</dt><dd>{}</dd>\n",
            escaped(&title),
            escaped(&report.old.label),
            escaped(&report.new.label)
        );
        if let Some(front_end) = &report.front_end {
            let _ = writeln!(out, "<dt>read by</dt><dd>{}</dd>", escaped(front_end));
        }
        let unchanged =
            wording::count(counts.get(Standing::Unchanged), "function unchanged", "functions unchanged");
        let all = words.iter().chain([&unchanged]).map(String::as_str).collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "<dt>result</dt><dd>{}</dd>\n<dt>took</dt><dd>{:.1} s</dd>\n</dl>\n</header>",
            escaped(&all),
            report.duration.as_secs_f64()
        );
    }

    /// All functions by verdict, with a filter.
    fn navigation(&self, out: &mut String) {
        out.push_str(
            "<nav aria-label=\"Functions\">\n<label class=\"filter\"><span>Filter</span>\
             <input id=\"filter\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n",
        );
        let mut numbers = 0_usize;
        for standing in Standing::ALL {
            let functions: Vec<&FunctionReport> =
                self.report.functions.iter().filter(|function| function.standing() == standing).collect();
            if functions.is_empty() {
                continue;
            }
            let open = if standing == Standing::Unchanged { "" } else { " open" };
            let _ = writeln!(
                out,
                "<details{open}><summary class=\"{}\">{} <span class=\"count\">{}</span></summary>\n<ul>",
                class(standing),
                finding::title(standing),
                functions.len()
            );
            for function in functions {
                let path = escaped(&function.path);
                if is_difference(function) {
                    numbers += 1;
                    let _ = writeln!(out, "<li><a href=\"#f{numbers}\"><code>{path}</code></a></li>");
                } else if standing == Standing::Unchanged {
                    let _ = writeln!(out, "<li><code>{path}</code></li>");
                } else {
                    let _ =
                        writeln!(out, "<li><a href=\"#{}\"><code>{path}</code></a></li>", class(standing));
                }
            }
            out.push_str("</ul></details>\n");
        }
        out.push_str("<p class=\"hint\">Press <kbd>?</kbd> for keys.</p>\n</nav>\n");
    }

    fn differences(&self, out: &mut String) {
        let differing = self.report.functions.iter().filter(|function| is_difference(function));
        for (index, function) in differing.enumerate() {
            self.difference(out, index + 1, function);
        }
    }

    fn difference(&self, out: &mut String, number: usize, function: &FunctionReport) {
        let Verdict::Differs { witnesses, suspects, partitions, ledger, .. } = &function.verdict else {
            return;
        };
        let standing = function.standing();
        let _ = write!(
            out,
            "<article id=\"f{number}\" class=\"difference {}\" tabindex=\"-1\" aria-labelledby=\"t{number}\">\n<p class=\"kind\">\
             <span class=\"verdict\">{}</span>",
            class(standing),
            finding::title(standing)
        );
        if let Some(finding) = Finding::of(function) {
            let id = finding.id();
            let _ = write!(out, " <a href=\"#{id}\" title=\"{}\">{id}</a>", escaped(finding.summary()));
        }
        if let Some(place) = finding::place(function) {
            let _ = write!(out, " <code>{}:{}</code>", escaped(&place.file), place.line_start);
        }
        let _ = write!(
            out,
            "</p>\n<h2 id=\"t{number}\"><code>{}</code> {}</h2>\n",
            escaped(&function.path),
            escaped(&finding::claim(function))
        );
        calls(out, function, witnesses);
        source::write(out, self.report, self.sources, function);
        suspicions(out, self.sources, function, suspects);
        if let Some(samples) = self.report.pictures.samples.get(&function.path) {
            regions::write(out, samples);
        }
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
        list(out, "facts", &notes);
        out.push_str("</article>\n");
    }

    /// What is no difference, by verdict and reason.
    fn quiet(&self, out: &mut String) {
        let mut groups: BTreeMap<Standing, BTreeMap<String, Vec<&FunctionReport>>> = BTreeMap::new();
        for function in &self.report.functions {
            if let Some(reason) = human::reason(function) {
                groups.entry(function.standing()).or_default().entry(reason).or_default().push(function);
            }
        }
        for (standing, reasons) in groups {
            let number: usize = reasons.values().map(Vec::len).sum();
            let _ = write!(
                out,
                "<section id=\"{0}\" class=\"quiet {0}\" tabindex=\"-1\">\n<h2><span class=\"verdict\">{1}</span> \
                 <span class=\"count\">{number}</span></h2>\n",
                class(standing),
                finding::title(standing)
            );
            let finding = reasons.values().flatten().find_map(|function| Finding::of(function));
            if let Some(finding) = finding {
                let _ = writeln!(
                    out,
                    "<p class=\"meaning\">{} <a href=\"#{1}\">{1}</a></p>",
                    escaped(finding.summary()),
                    finding.id()
                );
            }
            if standing == Standing::Equal {
                out.push_str("<p class=\"meaning\">Both versions do the same on every input.</p>\n");
            }
            for (reason, functions) in reasons {
                if !reason.is_empty() {
                    let _ = writeln!(out, "<h3>{}</h3>", escaped(&wording::printable(&reason)));
                }
                out.push_str("<ul class=\"names\">\n");
                for function in functions {
                    let _ = write!(out, "<li><code>{}</code>", escaped(&function.path));
                    if let Some((_, span)) = function.span() {
                        let _ = write!(
                            out,
                            " <span class=\"place\">{}:{}</span>",
                            escaped(&span.file),
                            span.line_start
                        );
                    }
                    if let Verdict::Equal { proof: Proof::Explored(proof) }
                    | Verdict::EqualWithin { proof, .. } = &function.verdict
                    {
                        let number = proof.partitions.explored;
                        let parts = wording::count(number, "partition", "partitions");
                        let _ = write!(out, " <span class=\"place\">{parts} of the inputs</span>");
                    }
                    out.push_str("</li>\n");
                }
                out.push_str("</ul>\n");
            }
            out.push_str("</section>\n");
        }
    }

    fn notes(&self, out: &mut String) {
        let notes = self.report.all_notes();
        if !notes.is_empty() {
            out.push_str("<section class=\"quiet\">\n<h2>Of the whole run</h2>\n");
            list(out, "facts", &notes);
            out.push_str("</section>\n");
        }
    }

    /// The kinds of findings that occur.
    fn explanations(&self, out: &mut String) {
        let mut kinds: Vec<Finding> = self.report.functions.iter().filter_map(Finding::of).collect();
        kinds.sort();
        kinds.dedup();
        if kinds.is_empty() {
            return;
        }
        out.push_str("<section class=\"quiet\">\n<h2>What the ids mean</h2>\n");
        for kind in kinds {
            // The first line is the title.
            let text = kind.explanation().split_once("\n\n").map_or("", |(_, text)| text);
            let _ = write!(
                out,
                "<details id=\"{0}\" class=\"explanation\"><summary><span class=\"id\">{0}</span> {1}</summary>\n{2}</details>\n",
                kind.id(),
                escaped(kind.summary()),
                prose(text)
            );
        }
        out.push_str("</section>\n");
    }
}

/// The calls on which the versions differ, each with a button that copies it.
fn calls(out: &mut String, function: &FunctionReport, witnesses: &[Witness]) {
    out.push_str(
        "<table class=\"calls\">\n<thead><tr><th scope=\"col\">call</th><th scope=\"col\">before</th>\
         <th scope=\"col\">now</th><td></td></tr></thead>\n<tbody>\n",
    );
    for witness in witnesses {
        let call = function.call(witness);
        let unseen = match &witness.confirmation {
            Confirmation::Native => String::new(),
            Confirmation::Unconfirmed { reason } => {
                format!(
                    "<br><span class=\"place\">not seen in a native run: {}</span>",
                    escaped(&reasons::not_run(reason))
                )
            }
        };
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code>{unseen}</td><td>{}</td><td>{}</td>\
             <td><button type=\"button\" class=\"copy\" data-copy=\"{}\">Copy</button></td></tr>",
            escaped(&wording::printable(&call)),
            marked(&wording::printable(&wording::past(&witness.old))),
            marked(&wording::printable(&wording::present(&witness.new))),
            escaped(&call)
        );
    }
    out.push_str("</tbody>\n</table>\n");
}

/// Suspect lines that are not among those shown, the most suspect first.
fn suspicions(out: &mut String, sources: &dyn Sources, function: &FunctionReport, suspects: &[Suspect]) {
    let elsewhere: Vec<&Suspect> =
        suspects.iter().filter(|suspect| !source::is_shown(sources, function, suspect)).collect();
    if elsewhere.is_empty() {
        return;
    }
    out.push_str("<h3>Suspect lines elsewhere</h3>\n<ol class=\"suspects\">\n");
    for suspect in elsewhere {
        let Some(file) = function.files.name(suspect.version, suspect.span.file) else { continue };
        let _ = writeln!(
            out,
            "<li value=\"{}\"><code>{}:{}</code> <span class=\"place\">{}</span> {}</li>",
            suspect.rank,
            escaped(file),
            suspect.span.line_start,
            wording::version(suspect.version),
            escaped(&wording::printable(&reasons::suspicion(suspect)))
        );
    }
    out.push_str("</ol>\n");
}

fn list(out: &mut String, class: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "<ul class=\"{class}\">");
    for item in items {
        let _ = writeln!(out, "<li>{}</li>", marked(&wording::printable(item)));
    }
    out.push_str("</ul>\n");
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

/// Text as it may stand between tags and in attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            character if character.is_control() => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}

/// Escaped text, with what stands between back quotes as code.
fn marked(text: &str) -> String {
    let text = escaped(text);
    // What is quoted may have back quotes itself; then nothing tells where it ends.
    if !text.matches('`').count().is_multiple_of(2) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        out.push_str(part);
    }
    out
}

/// The Markdown of our own explanations, which have paragraphs, code blocks and code spans only.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 1 {
            let code = part.strip_prefix("rust\n").unwrap_or(part);
            let _ = writeln!(out, "<pre><code>{}</code></pre>", escaped(code));
            continue;
        }
        for paragraph in part.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            let _ = writeln!(out, "<p>{}</p>", marked(paragraph));
        }
    }
    out
}
