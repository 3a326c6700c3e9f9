//! `cargo regress bisect`: the first commit at which a call or test does something else.
//!
//! * [`search`]: which commit is judged next
//!
//! What a commit does is asked of the pipeline; here is the order of the questions, and the report.

mod search;

use std::time::Instant;

use self::search::{Known, Search, State};
use crate::args::{BisectOptions, LocalizeOptions, MessageFormat};
use crate::comparison::loudness;
use crate::delivery::write_each;
use crate::error::{Error, in_full};
use crate::progress::{self, Progress};
use crate::report::bisect::{self as report, BisectReport, CommitStanding, Ends, Found};
use crate::report::localize::{LocalizeReport, Subject};
use crate::report::{Sources, WithSources};
use crate::versions::{self, Commit, History, Place, Versions};

/// What a search asks of the pipeline.
pub struct Localizing<L, E, S> {
    /// The lines behind a call or test.
    pub localize: L,
    /// How a call or test ends at both ends of a history.
    pub history_ends: E,
    /// How a commit in between stands.
    pub commit_standing: S,
}

/// Searches and reports; the exit code.
pub fn complete<L, E, S>(options: &BisectOptions, localizing: Localizing<L, E, S>) -> Result<u8, Error>
where
    E: FnOnce(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Ends>,
    S: FnMut(
        &LocalizeOptions,
        &Place,
        (&Versions, &Versions),
        &dyn Progress,
    ) -> anyhow::Result<CommitStanding>,
    L: FnOnce(
        &LocalizeOptions,
        &Place,
        &Versions,
        &dyn Progress,
    ) -> anyhow::Result<WithSources<LocalizeReport>>,
{
    let started = Instant::now();
    let Localizing { localize, history_ends, mut commit_standing } = localizing;
    let common = options.between("", "").options();
    let progress = progress::for_stderr(loudness(&common));
    let place = versions::locate(&common)?;
    let comparison = options.comparison(None);
    let history = versions::history(&place, &options.range, &comparison, progress.as_ref())?;
    let between = Between { options, place: &place, progress: progress.as_ref() };

    let (good, bad) = (&history.good.oid, &history.commits[0].oid);
    let (asked, versions) = between.versions(good, bad)?;
    let ends = history_ends(&asked, &place, &versions, progress.as_ref())?;
    let mut judged = Vec::new();
    let mut sources: Option<Box<dyn Sources>> = None;
    let found = match ends {
        Ends::Alike { .. } => Found::Nothing,
        Ends::Differ { .. } => {
            let judge = |commit: &Commit| -> anyhow::Result<CommitStanding> {
                let (asked, since_good) = between.versions(good, &commit.oid)?;
                let (_, until_bad) = between.versions(&commit.oid, bad)?;
                commit_standing(&asked, &place, (&since_good, &until_bad), progress.as_ref())
            };
            match search(&history, judge, &mut judged, progress.as_ref()) {
                Err(places) => Found::OneOf(places),
                Ok(at) => {
                    let localized = between.localized(&history.commits[at], localize);
                    let localized = localized.map(|WithSources { report, sources: of_commit }| {
                        sources = Some(of_commit);
                        Box::new(report)
                    });
                    Found::Commit { at, localized: localized.map_err(|error| in_full(&error)) }
                }
            }
        }
    };
    drop(progress);
    let report =
        BisectReport { subject: subject(options), history, ends, judged, found, duration: started.elapsed() };
    write_each(&options.output.reports, |format, style| {
        Ok(match format {
            MessageFormat::Json => report::json(&report)?,
            _ => report::human(&report, sources.as_deref(), style),
        })
    })?;
    Ok(report.exit_code())
}

/// The place of the first bad commit, or of those that it may be.
fn search(
    history: &History,
    mut judge: impl FnMut(&Commit) -> anyhow::Result<CommitStanding>,
    judged: &mut Vec<(usize, CommitStanding)>,
    progress: &dyn Progress,
) -> Result<usize, Vec<usize>> {
    let parents = history.commits.iter().map(|commit| commit.parents.clone()).collect();
    let mut search = Search::new(parents, 0);
    loop {
        let (next, suspects) = match search.state() {
            State::Judge { next, suspects } => (next, suspects),
            State::Found(at) => return Ok(at),
            State::OneOf(places) => return Err(places),
        };
        let commit = &history.commits[next];
        progress.step(&format!("Judging {} ({suspects} commits left)", commit.label));
        let standing =
            judge(commit).unwrap_or_else(|error| CommitStanding::Unknown { reason: in_full(&error) });
        search.learn(next, known(&standing));
        judged.push((next, standing));
    }
}

fn known(standing: &CommitStanding) -> Known {
    match standing {
        CommitStanding::UnaffectedSinceGood | CommitStanding::Good { .. } => Known::Good,
        CommitStanding::UnaffectedUntilBad | CommitStanding::Bad { .. } => Known::Bad,
        CommitStanding::Unknown { .. } => Known::Nothing,
    }
}

fn subject(options: &BisectOptions) -> Subject {
    match (&options.call, &options.test) {
        (Some(call), _) => Subject::Call(call.trim().to_owned()),
        (None, test) => Subject::Test(test.clone().unwrap_or_default()),
    }
}

/// Pairs of commits, laid out.
struct Between<'b> {
    options: &'b BisectOptions,
    place: &'b Place,
    progress: &'b dyn Progress,
}

impl Between<'_> {
    fn versions(&self, old: &str, new: &str) -> anyhow::Result<(LocalizeOptions, Versions)> {
        let asked = self.options.between(old, new);
        let packages = &asked.packages.workspace.package;
        let versions = versions::resolve(self.place, &asked.comparison, packages, self.progress)?;
        Ok((asked, versions))
    }

    /// What a commit changed, localized.
    fn localized(
        &self,
        commit: &Commit,
        localize: impl FnOnce(
            &LocalizeOptions,
            &Place,
            &Versions,
            &dyn Progress,
        ) -> anyhow::Result<WithSources<LocalizeReport>>,
    ) -> anyhow::Result<WithSources<LocalizeReport>> {
        let Some(parent) = &commit.first_parent else {
            anyhow::bail!("it is the first commit of the repository");
        };
        let started = Instant::now();
        let (asked, versions) = self.versions(parent, &commit.rev)?;
        let mut localized = localize(&asked, self.place, &versions, self.progress)?;
        localized.report.duration = started.elapsed();
        Ok(localized)
    }
}
