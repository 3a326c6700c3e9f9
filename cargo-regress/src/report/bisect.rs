//! The first bad commit of a history, for people and for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::human::Style;
use super::localize::{self, CaseRecord, LocalizeReport, Subject};
use super::{Sources, wording};
use crate::versions::{Commit, History};

/// Commits listed of those that could not be judged; the JSON document has all.
const NAMED: usize = 8;

/// How a call or test ends at the good and at the bad commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    Alike { how: String },
    Differ { old: String, new: String },
}

/// How a commit stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitStanding {
    /// Nothing differs from the good commit that the call may run or use.
    UnaffectedSinceGood,
    /// Nothing differs from the bad commit that the call may run or use.
    UnaffectedUntilBad,
    /// It was run, and ended as at the good commit.
    Good { how: String },
    /// It was run, and ended otherwise than at the good commit.
    Bad { how: String },
    /// The commit does not build, or cannot make the call.
    Unknown { reason: String },
}

impl CommitStanding {
    fn record(&self) -> (StandingRecord, By, Option<String>) {
        match self {
            CommitStanding::UnaffectedSinceGood => (StandingRecord::Good, By::Alignment, None),
            CommitStanding::UnaffectedUntilBad => (StandingRecord::Bad, By::Alignment, None),
            CommitStanding::Good { how } => (StandingRecord::Good, By::Run, Some(how.clone())),
            CommitStanding::Bad { how } => (StandingRecord::Bad, By::Run, Some(how.clone())),
            CommitStanding::Unknown { reason } => (StandingRecord::Unknown, By::Run, Some(reason.clone())),
        }
    }
}

/// What a search for the first bad commit found.
#[derive(Clone, Debug)]
pub struct BisectReport {
    pub subject: Subject,
    pub history: History,
    pub ends: Ends,
    /// The commits that were judged, by their places in the history, in this order.
    pub judged: Vec<(usize, CommitStanding)>,
    pub found: Found,
    pub duration: std::time::Duration,
}

#[derive(Clone, Debug)]
pub enum Found {
    /// The call or test does the same at both ends.
    Nothing,
    /// The first bad commit, and its change localized, or why it was not.
    Commit { at: usize, localized: Result<Box<LocalizeReport>, String> },
    /// One of these is the first bad commit; the others cannot be judged.
    OneOf(Vec<usize>),
}

impl BisectReport {
    /// 100 if the commit was found, 101 if it could not be told which it is.
    pub fn exit_code(&self) -> u8 {
        match self.found {
            Found::Nothing => 0,
            Found::Commit { .. } => crate::exit::FINDING,
            Found::OneOf(_) => crate::exit::INCOMPLETE,
        }
    }

    /// How it ends at a commit that was found bad by a run; else at the bad end.
    fn bad_end(&self, at: usize) -> Option<&str> {
        let run = self.judged.iter().find_map(|(judged, standing)| match standing {
            CommitStanding::Bad { how } if *judged == at => Some(how.as_str()),
            _ => None,
        });
        let at_the_end = match &self.ends {
            Ends::Differ { new, .. } => Some(new.as_str()),
            Ends::Alike { .. } => None,
        };
        run.or(at_the_end)
    }
}

/// The whole report, with a line feed at its end.
pub fn human(report: &BisectReport, sources: Option<&dyn Sources>, style: Style) -> String {
    let History { good, commits } = &report.history;
    let bad = &commits[0];
    let subject = localize::name(&report.subject);
    let mut out = format!("bisecting {} from {} to {}\n\n", count_of(commits.len()), good.label, bad.label);
    match (&report.found, &report.ends) {
        (Found::Nothing, Ends::Alike { how }) => {
            out.push_str(&format!("nothing to find: {subject} {how} at both ends\n"));
        }
        (Found::Commit { at, localized }, Ends::Differ { old, .. }) => {
            let commit = &commits[*at];
            let now = report.bad_end(*at).unwrap_or_default();
            out.push_str(&format!(
                "first bad commit: {} ({})\n  = note: {subject} {old} before it, and {now} from it on\n",
                commit.label, commit.author
            ));
            out.push_str(&notes(report));
            match (localized, sources) {
                (Ok(localized), Some(sources)) => {
                    out.push('\n');
                    out.push_str(&localize::human(localized, sources, style));
                }
                (Err(reason), _) => {
                    out.push_str(&format!("  = note: its lines were not localized: {reason}\n"))
                }
                (Ok(_), None) => {}
            }
        }
        (Found::OneOf(places), _) => {
            out.push_str(&format!(
                "the first bad commit is one of {}, all but one of which cannot be judged:\n",
                places.len()
            ));
            for at in places.iter().take(NAMED) {
                out.push_str(&format!("  {}{}\n", commits[*at].label, why_unknown(report, *at)));
            }
            if places.len() > NAMED {
                out.push_str(&format!("  and {} more\n", places.len() - NAMED));
            }
            out.push_str(&notes(report));
        }
        // What is found differs at the ends.
        (Found::Nothing, Ends::Differ { .. }) | (Found::Commit { .. }, Ends::Alike { .. }) => {}
    }
    out.push_str(&format!(
        "\nsummary: {} of {} judged ({:.1} s)\n",
        report.judged.len(),
        count_of(commits.len()),
        report.duration.as_secs_f64()
    ));
    out
}

fn count_of(commits: usize) -> String {
    wording::count(commits as u64, "commit", "commits")
}

/// What the commits were judged by.
fn notes(report: &BisectReport) -> String {
    let of = |wanted: By| report.judged.iter().filter(|(_, standing)| standing.record().1 == wanted).count();
    let (run, aligned) = (of(By::Run), of(By::Alignment));
    let mut out = String::new();
    if aligned > 0 {
        out.push_str(&format!(
            "  = note: {} judged without a run, as nothing differs there that the call may run or use; {run} run\n",
            count_of(aligned)
        ));
    }
    let unknown = report
        .judged
        .iter()
        .filter(|(_, standing)| matches!(standing, CommitStanding::Unknown { .. }))
        .count();
    if unknown > 0 && matches!(report.found, Found::Commit { .. }) {
        out.push_str(&format!("  = note: {} passed over, as they cannot be judged\n", count_of(unknown)));
    }
    out
}

fn why_unknown(report: &BisectReport, at: usize) -> String {
    let reason = report.judged.iter().find_map(|(judged, standing)| match standing {
        CommitStanding::Unknown { reason } if *judged == at => reason.lines().next(),
        _ => None,
    });
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub schema_version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    pub good: CommitRecord,
    pub bad: CommitRecord,
    /// How many commits the range has.
    pub commits: usize,
    /// The commits that were judged, in this order.
    pub judged: Vec<JudgedRecord>,
    /// The first bad commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<CommitRecord>,
    /// If it could not be told: the commits that it may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<CommitRecord>,
    /// The lines of the first bad commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub localized: Option<CaseRecord>,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitRecord {
    pub commit: String,
    /// Abbreviated, with its subject.
    pub label: String,
    pub author: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedRecord {
    pub commit: String,
    pub standing: StandingRecord,
    pub by: By,
    /// How the call or test ended, or why the commit cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StandingRecord {
    Good,
    Bad,
    Unknown,
}

/// What a commit was judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Nothing differs that the call may run or use.
    Alignment,
    /// It was built and run, or that was tried.
    Run,
}

/// The report as one JSON document; its fields are described in `docs/book/src/bisect.md`.
pub fn json(report: &BisectReport) -> Result<String, serde_json::Error> {
    let commits = &report.history.commits;
    let (call, test) = match &report.subject {
        Subject::Call(call) => (Some(call.clone()), None),
        Subject::Test(test) => (None, Some(test.clone())),
    };
    let judged = report.judged.iter().map(|(at, standing)| {
        let (standing, by, how) = standing.record();
        JudgedRecord { commit: commits[*at].oid.clone(), standing, by, how }
    });
    let (first_bad, one_of, localized) = match &report.found {
        Found::Nothing => (None, Vec::new(), None),
        Found::Commit { at, localized } => {
            let case = localized.as_ref().ok().and_then(|report| report.cases.first());
            (Some(record(&commits[*at])), Vec::new(), case.map(localize::record))
        }
        Found::OneOf(places) => (None, places.iter().map(|at| record(&commits[*at])).collect(), None),
    };
    let document = Document {
        schema_version: SCHEMA_VERSION,
        call,
        test,
        good: record(&report.history.good),
        bad: record(&commits[0]),
        commits: commits.len(),
        judged: judged.collect(),
        first_bad,
        one_of,
        localized,
        seconds: report.duration.as_secs_f64(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn record(commit: &Commit) -> CommitRecord {
    CommitRecord { commit: commit.oid.clone(), label: commit.label.clone(), author: commit.author.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(name: &str) -> Commit {
        Commit {
            oid: name.repeat(40),
            rev: name.repeat(7),
            label: format!("{name} edit"),
            author: "A. Developer".into(),
            parents: Vec::new(),
            first_parent: None,
        }
    }

    fn report(found: Found) -> BisectReport {
        BisectReport {
            subject: Subject::Call("f(1)".into()),
            history: History { good: commit("a"), commits: vec![commit("d"), commit("c"), commit("b")] },
            ends: Ends::Differ { old: "returns `1`".into(), new: "returns `3`".into() },
            judged: vec![
                (1, CommitStanding::Bad { how: "returns `2`".into() }),
                (2, CommitStanding::UnaffectedSinceGood),
            ],
            found,
            duration: std::time::Duration::ZERO,
        }
    }

    #[test]
    fn people_see_the_commit_and_what_it_did() {
        let found = Found::Commit { at: 1, localized: Err("it does not build".into()) };
        let text = human(&report(found), None, Style::Plain);
        for part in [
            "bisecting 3 commits from a edit to d edit\n",
            "first bad commit: c edit (A. Developer)\n",
            "`f(1)` returns `1` before it, and returns `2` from it on\n",
            "1 commit judged without a run",
            "its lines were not localized: it does not build\n",
            "summary: 2 of 3 commits judged",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn commits_that_cannot_be_judged_are_named_with_the_reason() {
        let mut report = report(Found::OneOf(vec![0, 1]));
        report.judged = vec![(1, CommitStanding::Unknown { reason: "it does not compile\nerror: …".into() })];
        let text = human(&report, None, Style::Plain);
        assert!(
            text.contains("is one of 2,") && text.contains("  d edit\n  c edit: it does not compile\n"),
            "{text}"
        );
        assert_eq!(report.exit_code(), 101);
    }

    #[test]
    fn the_document_is_read_as_it_was_written() {
        let found = Found::Commit { at: 1, localized: Err(String::new()) };
        let text = json(&report(found)).expect("it can be written");
        let document: Document = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(document.first_bad.map(|commit| commit.label).as_deref(), Some("c edit"));
        let standings: Vec<(StandingRecord, By)> =
            document.judged.iter().map(|judged| (judged.standing, judged.by)).collect();
        assert_eq!(standings, [(StandingRecord::Bad, By::Run), (StandingRecord::Good, By::Alignment)]);
    }
}
