//! How a merge stands to both of its sides, for people and for programs.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use regress_core::evidence::Doubt;
use regress_core::observable::same_outcome;
use regress_core::value::Outcome;
use regress_core::verdict::Class;
use regress_core::verdict::not_analysed::NotRun;
use serde_json::{Value as Json, json};

use super::human::Style;
use super::json::outcome as outcome_record;
use super::{Finding, ReportSpan, VersionInfo, reasons, wording};
use crate::args::FailOn;

/// Changed lines shown of one side; the JSON document has all.
const LINES: usize = 4;
/// Calls shown of one function.
const CALLS: usize = 2;
/// Functions without expectation that are shown with a call; the others are named.
const APART: usize = 5;
/// Names listed of what could not be judged.
const NAMES: usize = 8;

/// One of the branches that were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Ours,
    Theirs,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Ours, Side::Theirs];

    pub fn other(self) -> Side {
        match self {
            Side::Ours => Side::Theirs,
            Side::Theirs => Side::Ours,
        }
    }
}

/// Something of each of the four versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Four<T> {
    pub base: T,
    pub ours: T,
    pub theirs: T,
    pub merge: T,
}

impl<T> Four<T> {
    pub fn side(&self, side: Side) -> &T {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }
}

/// Whose outcome a merge is expected to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expected {
    /// That of the base, for neither side gives another.
    Base,
    /// That of the only side that gives another than the base.
    Of(Side),
    /// That of both sides, which give the same, and another than the base.
    BothSides,
}

impl Expected {
    /// What is expected, of the outcomes of all four.
    pub fn of(self, outcomes: &Four<Outcome>) -> &Outcome {
        match self {
            Expected::Base => &outcomes.base,
            Expected::Of(side) => outcomes.side(side),
            Expected::BothSides => &outcomes.ours,
        }
    }
}

/// What was found of a merge.
#[derive(Clone, Debug)]
pub struct MergeReport {
    pub versions: Four<VersionInfo>,
    pub front_end: Option<String>,
    /// The merge does not compile, although both sides do: the first error of the compiler.
    pub broken: Option<String>,
    /// Functions that do what neither branch does.
    pub interactions: Vec<Interaction>,
    /// Functions on whose merged behaviour nothing is to be expected.
    pub apart: Vec<Apart>,
    /// Functions that could not be judged.
    pub open: Vec<(String, Open)>,
    /// Functions on which both branches bear.
    pub functions: u64,
    /// Inputs that all four versions were asked for.
    pub inputs: u64,
    pub notes: Vec<String>,
    pub duration: std::time::Duration,
}

/// A function that does what neither branch does.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub path: String,
    /// Where it stands in the merge.
    pub span: Option<ReportSpan>,
    /// Calls that show it; there is one at least.
    pub calls: Vec<Call<Expected>>,
    /// What each branch changed of what it reaches.
    pub changes: Vec<Change>,
    /// Another function that interacts and that this one may run, so that it is likely the same interaction.
    pub through: Option<String>,
}

impl Interaction {
    /// What is wrong, as the title of the report.
    fn claim(&self, report: &MergeReport) -> String {
        match self.calls.first() {
            Some(Call { outcomes, expected: Expected::Of(side), .. })
                if same_outcome(&outcomes.base, &outcomes.merge) =>
            {
                format!("`{}` loses in the merge what {} makes it do", self.path, report.name(*side))
            }
            _ => format!("`{}` does what neither branch does", self.path),
        }
    }
}

/// One call, run natively on all four versions, and what is known of what the merge should give.
#[derive(Clone, Debug)]
pub struct Call<E> {
    pub text: String,
    pub outcomes: Four<Outcome>,
    pub expected: E,
}

/// A function of which nothing says what the merge should do.
#[derive(Clone, Debug)]
pub struct Apart {
    pub path: String,
    pub span: Option<ReportSpan>,
    pub what: Unexpected,
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug)]
pub enum Unexpected {
    /// Both branches differ from the base, and from each other.
    SidesDiffer { call: Call<()> },
    /// Only one branch has the function in this form, and the merge does something else than that branch.
    OnlyOn { side: Side, call: String, there: Outcome, merge: Outcome },
}

/// What a branch changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub side: Side,
    /// The function, or what else it is.
    pub item: String,
    pub file: Option<String>,
    /// Lines of the side's version, with their text.
    pub lines: Vec<(u32, String)>,
}

/// Why a function could not be judged.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// One of the versions cannot be run.
    NotRun(NotRun),
    /// Its generic parameters stand for other types between some of the versions than between others.
    OtherInstances,
    /// Its parameters have other types in some of the versions, or it is not in all that it would have to be in.
    NotInAll,
    /// No input could be given to all four versions.
    NoCommonInput,
    /// What differed may be no difference.
    Doubtful { call: String, doubt: Doubt },
    /// Time ran out.
    OutOfTime,
}

impl Open {
    /// The name in the JSON document.
    pub fn kind(&self) -> &'static str {
        match self {
            Open::NotRun(_) => "not_run",
            Open::OtherInstances => "other_instances",
            Open::NotInAll => "not_in_all",
            Open::NoCommonInput => "no_common_input",
            Open::Doubtful { .. } => "doubtful",
            Open::OutOfTime => "out_of_time",
        }
    }

    pub fn text(&self) -> String {
        match self {
            Open::NotRun(reason) => format!("it cannot be run: {}", reasons::not_run(reason)),
            Open::OtherInstances => {
                "its generic parameters do not stand for the same types in all versions".to_owned()
            }
            Open::NotInAll => "not all four versions have it with these parameters".to_owned(),
            Open::NoCommonInput => "no input could be given to all four versions".to_owned(),
            Open::Doubtful { call, doubt } => {
                let why = match doubt {
                    Doubt::DifferedOnce { .. } => "ended otherwise once, and not again",
                    Doubt::NotDeterministic { .. } => "ends otherwise from run to run",
                    Doubt::TooSlow { .. } => "is too slow to tell",
                    Doubt::TooLarge { .. } => "takes more memory than runs are given",
                    Doubt::NotRepeatable { .. } => "cannot be run again",
                };
                format!("`{}` {why}", wording::printable(call))
            }
            Open::OutOfTime => "the time was over".to_owned(),
        }
    }
}

impl MergeReport {
    /// 100 if something was found that makes the command fail: nobody meant an interaction, so it counts as a regression.
    pub fn exit_code(&self, fail_on: FailOn) -> u8 {
        let interacts = self.broken.is_some() || !self.interactions.is_empty();
        let is_open = !self.apart.is_empty() || !self.open.is_empty();
        let fails = interacts && fail_on >= FailOn::Regression || is_open && fail_on >= FailOn::Unknown;
        if fails { crate::exit::FINDING } else { 0 }
    }

    /// The last line.
    pub fn summary(&self) -> String {
        let functions = wording::count(self.functions, "function", "functions");
        let scope = format!(
            "{functions} on which both branches bear, {} run on all four versions",
            wording::count(self.inputs, "input", "inputs")
        );
        let mut found = Vec::new();
        match self.interactions.len() as u64 {
            _ if self.broken.is_some() => {
                return "the merge does not compile, although both branches do".to_owned();
            }
            0 => found.push("no interaction found".to_owned()),
            interactions => found.push(wording::count(interactions, "interaction", "interactions")),
        }
        for (number, word) in [(self.apart.len(), "without expectation"), (self.open.len(), "not judged")] {
            if number > 0 {
                found.push(format!("{number} {word}"));
            }
        }
        format!("{} ({scope})", found.join(", "))
    }

    fn name(&self, side: Side) -> &str {
        &self.versions.side(side).rev
    }
}

/// The whole report, with a line feed at its end.
pub fn human(report: &MergeReport, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    }
    .decor_style(DecorStyle::Ascii);
    let Four { base, ours, theirs, merge } = &report.versions;
    let front_end = report.front_end.as_ref().map(|name| format!(", as read by {name}")).unwrap_or_default();
    let mut out = vec![format!(
        "judging {} by {} and {}, from {}{front_end}\n",
        merge.label, ours.label, theirs.label, base.label
    )];
    if let Some(error) = &report.broken {
        let title = Level::ERROR.with_name("interaction").primary_title("the merge does not compile");
        let group = title
            .id(Finding::Interaction.id())
            .element(Level::NOTE.message(format!("{} and {} compile", ours.rev, theirs.rev)));
        out.push(format!("{}\n\n{}\n", renderer.render(&[group]), indented(error)));
    }
    for interaction in report.interactions.iter().filter(|interaction| interaction.through.is_none()) {
        let claim = interaction.claim(report);
        let title = Level::ERROR.with_name("interaction").primary_title(claim).id(Finding::Interaction.id());
        let group = with_changes(report, title.elements(Vec::<Origin<'_>>::new()), &interaction.changes);
        let calls = interaction.calls.iter().take(CALLS);
        let notes = calls.map(|call| four_outcomes(report, call, Some(call.expected)));
        let notes = notes.chain(also_in(report, &interaction.path));
        let group = notes.fold(group, |group, note| group.element(Level::NOTE.message(note)));
        out.push(renderer.render(&[group]) + "\n");
    }
    for apart in report.apart.iter().take(APART) {
        let (claim, note) = match &apart.what {
            Unexpected::SidesDiffer { call } => (
                format!("both branches change what `{}` does, each in its way", apart.path),
                four_outcomes(report, call, None),
            ),
            Unexpected::OnlyOn { side, call, there, merge } => (
                format!(
                    "`{}`, which only {} has like this, does something else in the merge",
                    apart.path,
                    report.name(*side)
                ),
                format!(
                    "`{}` {} on {}; the merge {}",
                    wording::printable(call),
                    wording::printable(&wording::past(there)),
                    report.name(*side),
                    wording::printable(&wording::present(merge))
                ),
            ),
        };
        let title = Level::WARNING.with_name("no expectation").primary_title(claim);
        let group = with_changes(report, title.elements(Vec::<Origin<'_>>::new()), &apart.changes);
        out.push(renderer.render(&[group.element(Level::NOTE.message(note))]) + "\n");
    }
    if let Some(more) = report.apart.get(APART..).filter(|more| !more.is_empty()) {
        let names: Vec<String> = more.iter().map(|apart| format!("  `{}`\n", apart.path)).collect();
        let title = Level::WARNING.with_name("no expectation").primary_title("in the same way of");
        out.push(format!("{}\n{}", renderer.render(&[Group::with_title(title)]), names.concat()));
    }
    if !report.open.is_empty() {
        let named = report.open.iter().take(NAMES).map(|(path, why)| format!("  `{path}`: {}\n", why.text()));
        let more = report.open.len().saturating_sub(NAMES);
        let more = if more > 0 { format!("  and {more} more\n") } else { String::new() };
        let title = Level::NOTE.with_name("not judged").primary_title("whether the branches interact in");
        out.push(format!(
            "{}\n{}{more}",
            renderer.render(&[Group::with_title(title)]),
            named.collect::<String>()
        ));
    }
    for note in &report.notes {
        out.push(renderer.render(&[Group::with_title(Level::NOTE.secondary_title(note))]) + "\n");
    }
    out.push(format!("summary: {}, {:.1} s\n", report.summary(), report.duration.as_secs_f64()));
    out.join("\n")
}

/// The functions in which an interaction likely shows too.
fn also_in(report: &MergeReport, path: &str) -> Option<String> {
    let shows = |other: &&Interaction| other.through.as_deref() == Some(path);
    let names: Vec<String> =
        report.interactions.iter().filter(shows).map(|other| format!("`{}`", other.path)).collect();
    let more = names.len().saturating_sub(NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("seen in what may run it, too: {shown}{more}"))
}

/// What each branch changed, the first lines of each.
fn with_changes<'g>(report: &MergeReport, mut group: Group<'g>, changes: &'g [Change]) -> Group<'g> {
    for side in Side::BOTH {
        let name = report.name(side);
        let mut left = LINES;
        for change in changes.iter().filter(|change| change.side == side) {
            let Some(file) = &change.file else {
                group = group.element(Level::NOTE.message(format!("{name} changes {}", change.item)));
                continue;
            };
            for (line, text) in change.lines.iter().take(left) {
                left -= 1;
                let end = text.trim_end().len();
                let start = end - text.trim().len();
                let mark = AnnotationKind::Primary.span(start..end).label(format!("changed on {name}"));
                let snippet = Snippet::source(text.clone()).line_start(*line as usize);
                group = group.element(snippet.path(format!("{file} ({name})")).annotation(mark));
            }
        }
    }
    group
}

/// "`f(3)` returned `1` in the merge base, `1` on main, `2` on feature; the merge returns `3`, `2` was expected".
fn four_outcomes<E>(report: &MergeReport, call: &Call<E>, expected: Option<Expected>) -> String {
    let Four { base, ours, theirs, merge } = &call.outcomes;
    let said = |outcome: &Outcome, first: &Outcome| {
        let whole = wording::past(outcome);
        // The verb need not be said again.
        match (outcome, first) {
            (Outcome::Returned { .. }, Outcome::Returned { .. }) => {
                whole.strip_prefix("returned ").unwrap_or(&whole).to_owned()
            }
            _ => whole,
        }
    };
    let mut text = format!(
        "`{}` {} in the merge base, {} on {}, {} on {}; the merge {}",
        call.text,
        wording::past(base),
        said(ours, base),
        report.name(Side::Ours),
        said(theirs, base),
        report.name(Side::Theirs),
        wording::present(merge),
    );
    if let Some(expected) = expected {
        let expected = expected.of(&call.outcomes);
        match expected {
            Outcome::Returned { .. } => {
                let value = wording::past(expected);
                text += &format!(", {} was expected", value.strip_prefix("returned ").unwrap_or(&value));
            }
            Outcome::Panicked(_) | Outcome::Aborted(_) | Outcome::Hung | Outcome::OutOfMemory => {
                text += &format!(", it was expected that it {}", wording::present(expected));
            }
        }
    }
    wording::printable(&text)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The whole report, for programs.
pub fn json(report: &MergeReport) -> Result<String, serde_json::Error> {
    let version = |info: &VersionInfo| json!({ "rev": info.rev, "oid": info.oid, "label": info.label });
    let Four { base, ours, theirs, merge } = &report.versions;
    let broken = report.broken.as_ref();
    let build =
        broken.map(|error| json!({ "id": Finding::Interaction.id(), "kind": "build", "error": error }));
    let behaviour = report.interactions.iter().map(|found| {
        json!({
            "id": Finding::Interaction.id(),
            "kind": "behaviour",
            "path": found.path,
            "span": span(found.span.as_ref()),
            "calls": found.calls.iter().map(interacting_call).collect::<Json>(),
            "changes": changes(report, &found.changes),
            "through": found.through,
        })
    });
    let document = json!({
        "schema_version": super::json::SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "base": version(base),
        "ours": version(ours),
        "theirs": version(theirs),
        "merge": version(merge),
        "interactions": build.into_iter().chain(behaviour).collect::<Json>(),
        "no_expectation": report.apart.iter().map(|apart| without_expectation(report, apart)).collect::<Json>(),
        "not_judged": report
            .open
            .iter()
            .map(|(path, why)| json!({ "path": path, "kind": why.kind(), "text": why.text() }))
            .collect::<Json>(),
        "counts": { "functions": report.functions, "inputs": report.inputs },
        "notes": report.notes,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Ours => "ours",
        Side::Theirs => "theirs",
    }
}

fn span(span: Option<&ReportSpan>) -> Json {
    span.map_or(
        Json::Null,
        |span| json!({ "file": span.file, "line_start": span.line_start, "line_end": span.line_end }),
    )
}

fn outcomes(outcomes: &Four<Outcome>) -> Json {
    json!({
        "base": outcome_record(&outcomes.base),
        "ours": outcome_record(&outcomes.ours),
        "theirs": outcome_record(&outcomes.theirs),
        "merge": outcome_record(&outcomes.merge),
    })
}

fn interacting_call(call: &Call<Expected>) -> Json {
    let expected = match call.expected {
        Expected::Base => "base",
        Expected::Of(side) => side_name(side),
        Expected::BothSides => "both",
    };
    let class = Class::of(call.expected.of(&call.outcomes), &call.outcomes.merge);
    json!({ "call": call.text, "outcomes": outcomes(&call.outcomes), "expected": expected, "class": class })
}

fn without_expectation(report: &MergeReport, apart: &Apart) -> Json {
    let (kind, call, shown, side) = match &apart.what {
        Unexpected::SidesDiffer { call } => ("sides_differ", &call.text, outcomes(&call.outcomes), None),
        Unexpected::OnlyOn { side, call, there, merge } => {
            let there = outcome_record(there);
            let outcomes = json!({ side_name(*side): there, "merge": outcome_record(merge) });
            ("one_side_only", call, outcomes, Some(side_name(*side)))
        }
    };
    json!({
        "kind": kind,
        "path": apart.path,
        "span": span(apart.span.as_ref()),
        "side": side,
        "call": call,
        "outcomes": shown,
        "changes": changes(report, &apart.changes),
    })
}

fn changes(report: &MergeReport, changes: &[Change]) -> Json {
    let change = |change: &Change| {
        let lines: Vec<u32> = change.lines.iter().map(|(line, _)| *line).collect();
        let Change { side, item, file, .. } = change;
        let (name, rev) = (side_name(*side), report.name(*side));
        json!({ "side": name, "rev": rev, "item": item, "file": file, "lines": lines })
    };
    changes.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;
    use regress_core::value::Value;

    use super::*;

    fn number(number: u8) -> Outcome {
        Outcome::Returned { value: Value::int(IntTy::U8, number.into()), mutated: Vec::new() }
    }

    fn report() -> MergeReport {
        let version = |rev: &str| VersionInfo { rev: rev.into(), oid: None, label: rev.into() };
        MergeReport {
            versions: Four {
                base: version("base"),
                ours: version("main"),
                theirs: version("topic"),
                merge: version("the merge"),
            },
            front_end: None,
            broken: None,
            interactions: Vec::new(),
            apart: Vec::new(),
            open: Vec::new(),
            functions: 1,
            inputs: 2,
            notes: Vec::new(),
            duration: std::time::Duration::ZERO,
        }
    }

    fn interaction(path: &str, through: Option<&str>, merge: Outcome) -> Interaction {
        let outcomes = Four { base: number(1), ours: number(2), theirs: number(1), merge };
        let call = Call { text: format!("{path}()"), outcomes, expected: Expected::Of(Side::Ours) };
        Interaction {
            path: path.into(),
            span: None,
            calls: vec![call],
            changes: Vec::new(),
            through: through.map(str::to_owned),
        }
    }

    #[test]
    fn what_nobody_meant_counts_as_a_regression() {
        let check = |report: &MergeReport, expected: [u8; 4]| {
            let levels = [FailOn::Never, FailOn::Regression, FailOn::Difference, FailOn::Unknown];
            assert_eq!(levels.map(|level| report.exit_code(level)), expected);
        };
        check(&report(), [0, 0, 0, 0]);
        let interactions = vec![interaction("f", None, number(3))];
        check(&MergeReport { interactions, ..report() }, [0, 100, 100, 100]);
        check(&MergeReport { broken: Some("error".into()), ..report() }, [0, 100, 100, 100]);
        let open = vec![("f".to_owned(), Open::NotInAll)];
        check(&MergeReport { open, ..report() }, [0, 0, 0, 100]);
    }

    #[test]
    fn an_interaction_is_told_with_its_four_outcomes_and_what_may_run_it() {
        let interactions = vec![
            interaction("outer", Some("inner"), number(3)),
            interaction("inner", None, number(3)),
            interaction("lost", None, number(1)),
        ];
        let text = human(&MergeReport { interactions, ..report() }, Style::Plain);
        for words in [
            "interaction[REG0015]: `inner` does what neither branch does",
            "`inner()` returned `1` in the merge base, `2` on main, `1` on topic; the merge returns `3`, `2` was expected",
            "seen in what may run it, too: `outer`",
            "interaction[REG0015]: `lost` loses in the merge what main makes it do",
            "summary: 3 interactions (1 function on which both branches bear, 2 inputs run on all four versions)",
        ] {
            assert!(text.contains(words), "{words}:\n{text}");
        }
        assert!(!text.contains("`outer` does"), "{text}");
    }

    #[test]
    fn outcomes_of_several_kinds_are_told_in_full() {
        let outcomes =
            Four { base: Outcome::Hung, ours: number(2), theirs: Outcome::Hung, merge: Outcome::Hung };
        let call = Call { text: "f()".into(), outcomes, expected: () };
        let text = four_outcomes(&report(), &call, None);
        let expected = "`f()` did not end in the merge base, returned `2` on main, did not end on topic; the merge does not end";
        assert_eq!(text, expected);
        let text = four_outcomes(&report(), &call, Some(Expected::Base));
        assert_eq!(text, format!("{expected}, it was expected that it does not end"));
    }
}
