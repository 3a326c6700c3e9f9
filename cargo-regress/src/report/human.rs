//! The report for people, in the look of rustc.
//!
//! First each difference, worst first: what it is, the lines of both versions, a call that shows it, and how much of
//! the input space it takes. Then, a line each, what could not be shown equal, grouped by reason. Then one summary line.
//! Unchanged functions are only counted.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use regress_core::verdict::suspicion::{Effect, Suspicion};
use regress_core::verdict::{
    Approximation, ChangeKind, Confirmation, Ledger, PartitionCount, Proof, Suspect, Verdict, Version,
    Witness, WitnessOrigin,
};

use super::finding::{self, Finding};
use super::one_cause::{OneCause, by_cause};
use super::{FunctionReport, Note, Report, Sources, Standing, reasons, wording};

/// Witnesses shown per function; the JSON document has all.
const WITNESSES: usize = 3;
/// Suspect lines shown per function.
pub(super) const SUSPECTS: usize = 5;
/// Changed lines marked per version of a function.
const MARKED_LINES: usize = 12;
/// Functions shown with a call of those that a difference shows in too, and the length of that.
const ALSO_CALLED: usize = 5;
const LONGEST_ALSO: usize = 160;
/// Names listed per group of functions.
const NAMES: usize = 8;

/// Whether escape codes are written. They are to be filtered by whoever prints, if the output cannot show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colored,
}

/// The whole report, with a line feed at its end.
pub fn render(report: &Report, sources: &dyn Sources, style: Style) -> String {
    let renderer = renderer(style);
    let mut out = Vec::new();
    out.push(format!("{}\n", report.headline()));
    for OneCause { shown, also } in by_cause(&report.functions) {
        if let Some(difference) = Difference::of(shown) {
            out.push(Difference { also, ..difference }.render(report, sources, style));
        }
    }
    for (title, names) in quiet_groups(report) {
        out.push(format!("{}\n  {names}\n", renderer.render(&[Group::with_title(title)])));
    }
    for note in &report.notes {
        out.push(renderer.render(&[Group::with_title(Level::NOTE.secondary_title(note))]) + "\n");
    }
    for stale in &report.stale {
        let title = Level::WARNING.secondary_title(stale.sentence());
        out.push(renderer.render(&[Group::with_title(title)]) + "\n");
    }
    out.push(format!("summary: {}\n", summary(report)));
    out.join("\n")
}

fn renderer(style: Style) -> Renderer {
    match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    }
    .decor_style(DecorStyle::Ascii)
}

/// A function with a difference.
pub(super) struct Difference<'a> {
    function: &'a FunctionReport,
    witnesses: &'a [Witness],
    suspects: &'a [Suspect],
    partitions: PartitionCount,
    ledger: &'a Ledger,
    /// Functions that it shows in too.
    also: Vec<&'a FunctionReport>,
}

impl<'a> Difference<'a> {
    /// None if no difference was found.
    pub(super) fn of(function: &'a FunctionReport) -> Option<Self> {
        let Verdict::Differs { witnesses, suspects, partitions, ledger, .. } = &function.verdict else {
            return None;
        };
        Some(Difference { function, witnesses, suspects, partitions: *partitions, ledger, also: Vec::new() })
    }

    /// What it is, the lines of both versions and what else there is to say.
    pub(super) fn render(&self, report: &Report, sources: &dyn Sources, style: Style) -> String {
        let claim = finding::claim(self.function);
        let mut title = self.level().primary_title(format!("`{}` {claim}", self.function.path));
        if let Some(finding) = Finding::of(self.function) {
            title = title.id(finding.id());
        }
        let mut group = title.elements(Vec::<Origin<'_>>::new());
        // The new version is what the user has in the editor.
        for version in [Version::New, Version::Old] {
            group = self.add_source(group, version, report, sources);
        }
        for note in self.footers() {
            group = group.element(Level::NOTE.message(note));
        }
        renderer(style).render(&[group]) + "\n"
    }

    fn level(&self) -> Level<'static> {
        let standing = self.function.standing();
        let level = match (standing, self.function.counts_as()) {
            (Standing::Regression, Standing::Regression) => Level::ERROR,
            (Standing::Fix, _) => Level::HELP,
            (Standing::Accepted, _) => Level::NOTE,
            _ => Level::WARNING,
        };
        level.with_name(finding::title(standing))
    }

    /// The function's lines of one version, with what is suspect or changed marked.
    fn add_source<'g>(
        &self,
        group: Group<'g>,
        version: Version,
        report: &Report,
        sources: &dyn Sources,
    ) -> Group<'g> {
        let Some(span) = self.function.span_in(version) else { return group };
        let place = place(report, version, &span.file);
        let Some(text) = sources.text(version, &span.file) else {
            return group.element(Origin::path(place).line(span.line_start as usize));
        };
        let lines = LineIndex::new(&text);
        let marks = self.marks(version, &lines);
        if marks.is_empty() {
            return group.element(Origin::path(place).line(span.line_start as usize));
        }
        group.element(Snippet::source(text.clone()).line_start(1).path(place).annotations(marks))
    }

    fn marks(&self, version: Version, lines: &LineIndex) -> Vec<Annotation<'static>> {
        let mut marks = Vec::new();
        let mut marked = Vec::new();
        let file = self.function.span_in(version).map(|span| span.file.as_str());
        for suspect in self.suspects.iter().filter(|suspect| suspect.version == version).take(SUSPECTS) {
            let here = self.function.files.name(version, suspect.span.file) == file;
            let range = lines.columns(
                (suspect.span.line_start, suspect.span.col_start),
                (suspect.span.line_end, suspect.span.col_end),
            );
            if let (true, Some(range)) = (here, range) {
                marked.push(suspect.span.line_start);
                let kind = if suspect.rank == 1 { AnnotationKind::Primary } else { AnnotationKind::Context };
                marks.push(kind.span(range).label(format!(
                    "suspect {}: {}",
                    suspect.rank,
                    self.why(suspect)
                )));
            }
        }
        let changed = self.function.changed_lines.of(version).iter();
        for line in changed.filter(|line| !marked.contains(line)).take(MARKED_LINES) {
            marks.extend(
                lines.content(*line).map(|range| AnnotationKind::Context.span(range).label("changed")),
            );
        }
        if marks.is_empty() {
            // Nothing in the body is to blame: show where the function starts.
            let first = self.function.span_in(version).map_or(1, |span| span.line_start);
            let label = changed_or_callee(self.function);
            marks.extend(lines.content(first).map(|range| AnnotationKind::Context.span(range).label(label)));
        }
        marks
    }

    /// Why the line is a suspect. What the versions did stands among the calls, and what came of several lines is said once.
    fn why(&self, suspect: &Suspect) -> String {
        let Suspicion::Changed { what, effect: Some(effect) } = &suspect.reason else {
            return reasons::suspicion(suspect);
        };
        let mut before = self.suspects.iter().take_while(|other| other.rank < suspect.rank);
        let is_said = match effect {
            Effect::Outcomes { .. } => !self.witnesses.is_empty(),
            Effect::Outputs(_) | Effect::Test { .. } => before.any(
                |other| matches!(&other.reason, Suspicion::Changed { effect: Some(said), .. } if said == effect),
            ),
        };
        match is_said {
            true => reasons::suspicion_of(suspect.version, &Suspicion::Changed { what: *what, effect: None }),
            false => reasons::suspicion(suspect),
        }
    }

    fn footers(&self) -> Vec<String> {
        [self.calls(), self.suspects_elsewhere(), self.remarks(), self.also_in()].concat()
    }

    /// The calls that show it.
    pub(super) fn calls(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for witness in self.witnesses.iter().take(WITNESSES) {
            let call = self.function.call(witness);
            let mut note = format!("`{}` {}", wording::printable(&call), wording::change(witness));
            if let WitnessOrigin::Test { name } = &witness.origin
                && !name.is_empty()
            {
                note.push_str(&format!("\n(the test `{name}` makes this call)"));
            }
            if let Confirmation::Unconfirmed { reason } = &witness.confirmation {
                let reason = reasons::not_run(reason);
                note.push_str(&format!("\n(not seen in a native run: {reason})"));
            }
            notes.push(note);
        }
        if self.witnesses.len() > WITNESSES {
            let more = (self.witnesses.len() - WITNESSES) as u64;
            notes.push(format!("{} like these", wording::count(more, "more call", "more calls")));
        }
        notes
    }

    /// Suspect lines outside of the files that are shown.
    fn suspects_elsewhere(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let file = |version| self.function.span_in(version).map(|span| span.file.as_str());
        for suspect in self.suspects.iter().take(SUSPECTS) {
            let name = self.function.files.name(suspect.version, suspect.span.file);
            if let Some(name) = name.filter(|name| Some(*name) != file(suspect.version)) {
                let (rank, line) = (suspect.rank, suspect.span.line_start);
                let version = wording::version(suspect.version);
                notes.push(format!("suspect {rank}: {name}:{line} ({version}): {}", self.why(suspect)));
            }
        }
        notes
    }

    /// The functions that the same lines are suspected of to show in, some with a call.
    fn also_in(&self) -> Vec<String> {
        if self.also.is_empty() {
            return Vec::new();
        }
        let number = wording::count(
            self.also.len() as u64,
            "more function, which did not change itself",
            "more functions, which did not change themselves",
        );
        let mut note = format!("the same lines are suspect in {number}:");
        let (with_call, rest) = self.also.split_at(self.also.len().min(ALSO_CALLED));
        for function in with_call {
            let first = Difference::of(function)
                .and_then(|difference| difference.witnesses.first())
                .map(|witness| (function.call(witness), wording::change(witness)));
            // Each is cut by itself: what remains has its marks at both ends.
            let within = |text: &str| wording::printable_within(LONGEST_ALSO / 2, text);
            let shown = match first {
                Some((call, change)) => format!("`{}` {}", within(&call), within(&change)),
                None => format!("`{}`", function.path),
            };
            note.push_str(&format!("\n{shown}"));
        }
        let paths: Vec<&str> = rest.iter().map(|function| function.path.as_str()).collect();
        if !paths.is_empty() {
            note.push_str(&format!("\nand {}", listed(&paths)));
        }
        vec![note]
    }

    /// How far the search went, and what else is known of the function.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut notes = Vec::new();
        // What random runs alone found says nothing of partitions.
        if self.partitions.differing > 0 {
            let PartitionCount { explored, differing } = self.partitions;
            let of = wording::count(explored, "explored partition", "explored partitions");
            notes.push(format!(
                "{differing} of {of} of the inputs {}",
                if differing == 1 { "differs" } else { "differ" }
            ));
        }
        if !self.ledger.is_empty() {
            notes.push(format!("the search was limited: {}", entries(self.ledger)));
        }
        notes.extend(self.function.acceptance.sentences());
        notes.extend(self.function.outside.sentence());
        notes.extend(self.function.sentences());
        notes
    }
}

/// What the first line of a function says where no line in it is to blame.
pub(super) fn changed_or_callee(function: &FunctionReport) -> &'static str {
    let is_of_makers = || function.notes.iter().any(|note| matches!(note, Note::MakerDiffers { .. }));
    match function.kind {
        ChangeKind::Affected if is_of_makers() => "not changed itself; what makes its input is",
        ChangeKind::Affected => "not changed itself; a function it calls is",
        _ => "this function",
    }
}

/// The file, before it the revision as git writes it, unless the file is what the user has at hand.
fn place(report: &Report, version: Version, file: &str) -> String {
    place_in(&report.version(version).rev, version, file)
}

pub(super) fn place_in(rev: &str, version: Version, file: &str) -> String {
    let at_hand = version == Version::New && matches!(rev, "working tree" | "HEAD");
    match (at_hand, rev.contains(char::is_whitespace)) {
        (true, _) => file.to_owned(),
        (false, true) => format!("{}:{file}", wording::version(version)),
        (false, false) => format!("{rev}:{file}"),
    }
}

pub(super) fn entries(ledger: &Ledger) -> String {
    let texts: Vec<String> = ledger.entries().iter().map(wording::approximation).collect();
    texts.join("; ")
}

/// Everything that is neither a difference nor unchanged, grouped by what there is to say about it.
fn quiet_groups(report: &Report) -> Vec<(Title<'static>, String)> {
    let mut groups: BTreeMap<(Standing, String), Vec<&str>> = BTreeMap::new();
    for function in &report.functions {
        let standing = function.standing();
        // A difference that is meant is shown with its lines, as all are.
        let Some(reason) = reason(function).filter(|_| standing != Standing::Accepted) else { continue };
        groups.entry((standing, reason)).or_default().push(&function.path);
    }
    groups.into_iter().map(|((standing, reason), names)| quiet_group(standing, &reason, &names)).collect()
}

/// What there is to say of a verdict that is no difference, or a difference that is meant; none of a function that is unchanged.
pub(super) fn reason(function: &FunctionReport) -> Option<String> {
    match (&function.verdict, function.standing()) {
        (Verdict::Differs { .. }, Standing::Accepted) => Some(function.acceptance.sentences().join("; ")),
        (Verdict::Differs { .. }, _) | (_, Standing::Unchanged) => None,
        (Verdict::NotAnalysed { reason }, _) => Some(reasons::not_analysed(reason)),
        (Verdict::NoDifferenceFound { ledger, .. }, _) => Some(limits(ledger)),
        (Verdict::EqualWithin { bounds, .. }, _) => Some(entries(bounds)),
        (Verdict::Unchanged, _) => {
            Some("its own body is unchanged, but what it calls was not compared".to_owned())
        }
        (Verdict::Equal { proof: Proof::Congruent { by } }, _) => Some(follows_from(by)),
        (Verdict::Equal { proof: Proof::Aligned { .. } }, _) => {
            Some("both versions take the same steps on every input".to_owned())
        }
        (Verdict::Equal { proof: Proof::Exhaustive(proof) }, _) => Some(every_input(proof.inputs)),
        (Verdict::Equal { .. } | Verdict::Added | Verdict::Removed, _) => Some(String::new()),
    }
}

/// How a function is equal whose inputs were run one by one.
fn every_input(inputs: u64) -> String {
    match inputs {
        1 => "the one that there is was run".to_owned(),
        more => format!("every one of {} was run", wording::grouped(more)),
    }
}

/// Why a function is equal that was not compared by itself.
fn follows_from(by: &[String]) -> String {
    let mut names: Vec<String> = by.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    if by.len() > NAMES {
        names.push(format!("{} more", by.len() - NAMES));
    }
    match names.as_slice() {
        [] => "its changed callees are proved equal".to_owned(),
        [only] => format!("its only changed callee, {only}, is proved equal"),
        [first @ .., last] => {
            format!("its changed callees, {} and {last}, are proved equal", first.join(", "))
        }
    }
}

/// The reasons why nothing was proved. What would only have bounded a proof tells nothing beside them.
fn limits(ledger: &Ledger) -> String {
    let (void, bounded): (Vec<_>, Vec<_>) = ledger
        .entries()
        .iter()
        .partition(|entry| entry.leaves() == regress_core::verdict::ProofStrength::Void);
    let told = if void.is_empty() { bounded } else { void };
    let texts: Vec<String> =
        told.into_iter().map(|entry: &Approximation| wording::approximation(entry)).collect();
    if texts.is_empty() { "only run on sample inputs".to_owned() } else { texts.join("; ") }
}

fn quiet_group(standing: Standing, reason: &str, names: &[&str]) -> (Title<'static>, String) {
    let number = wording::count(names.len() as u64, "function", "functions");
    let title = match standing {
        Standing::NotAnalysed => {
            Level::WARNING.with_name("not analysed").primary_title(format!("{number}: {reason}"))
        }
        Standing::NoDifferenceFound => Level::NOTE
            .with_name("inconclusive: no difference found")
            .primary_title(format!("{number}: {reason}")),
        Standing::EqualWithin => {
            Level::NOTE.with_name("equal within bounds").primary_title(format!("{number}: {reason}"))
        }
        Standing::Equal => {
            let but = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            Level::NOTE.with_name("proved equal").primary_title(format!("{number}, on every input{but}"))
        }
        Standing::Removed => Level::NOTE.with_name("removed").primary_title(number),
        _ => Level::NOTE.with_name("added").primary_title(number),
    };
    (title, listed(names))
}

fn listed(names: &[&str]) -> String {
    let mut listed: Vec<String> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMES {
        listed.push(format!("and {} more", names.len() - NAMES));
    }
    listed.join(", ")
}

/// The run in one line.
pub(super) fn summary(report: &Report) -> String {
    let counts = report.counts();
    let mut parts = counts.in_words();
    let unchanged =
        wording::count(counts.get(Standing::Unchanged), "function unchanged", "functions unchanged");
    if parts.is_empty() {
        parts.push("no changed functions".to_owned());
    }
    format!("{}; {unchanged} ({:.1} s)", parts.join(", "), report.duration.as_secs_f64())
}

/// Byte positions of lines.
pub(super) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        LineIndex { text, starts }
    }

    /// The bytes of a line without its surrounding white space; none if there is no such line.
    pub(super) fn content(&self, line: u32) -> Option<Range<usize>> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        let line = &self.text[start..end];
        let trimmed = line.trim();
        let start = start + (line.len() - line.trim_start().len());
        (!trimmed.is_empty()).then(|| start..start + trimmed.len())
    }

    /// The bytes between two positions, columns counted in characters from 1, the second exclusive. Of a range over
    /// several lines only the first is taken: marks over many lines hide the code.
    pub(super) fn columns(&self, from: (u32, u32), to: (u32, u32)) -> Option<Range<usize>> {
        let content = self.content(from.0)?;
        let line_start = self.starts[from.0 as usize - 1];
        let offset = |column: u32| {
            let line = &self.text[line_start..content.end];
            let skip = (column as usize).saturating_sub(1);
            line.char_indices().nth(skip).map_or(content.end, |(at, _)| line_start + at)
        };
        let start = offset(from.1).max(content.start);
        let end = if to.0 == from.0 { offset(to.1).min(content.end) } else { content.end };
        Some(if start < end { start..end } else { content })
    }
}
