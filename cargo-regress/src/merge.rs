//! `cargo regress --merge`: a merge that git calls clean, judged by what it does.

use std::time::Instant;

use crate::args::{MessageFormat, Options};
use crate::comparison::loudness;
use crate::delivery::write_each;
use crate::error::Error;
use crate::progress::{self, Progress};
use crate::report::merge::{self, MergeReport};
use crate::versions::{self, MergeVersions, Place};

/// Judges four versions.
pub trait JudgeMerge:
    FnOnce(&Options, &Place, &MergeVersions, &dyn Progress) -> anyhow::Result<MergeReport>
{
}

impl<F> JudgeMerge for F where
    F: FnOnce(&Options, &Place, &MergeVersions, &dyn Progress) -> anyhow::Result<MergeReport>
{
}

/// Finds the four versions, judges the merge and reports; the exit code.
pub fn complete(options: &Options, judge: impl JudgeMerge) -> Result<u8, Error> {
    let mut options = options.clone();
    options.budget.start(Instant::now());
    judge_and_deliver(&options, judge)
}

/// The same. The time that the options allow has begun before.
pub fn judge_and_deliver(options: &Options, judge: impl JudgeMerge) -> Result<u8, Error> {
    let Some(merged) = options.merged.asked() else {
        return Err(anyhow::anyhow!("no merge is asked for").into());
    };
    let started = Instant::now();
    let progress = progress::for_stderr(loudness(options));
    let place = versions::locate(options)?;
    let packages = &options.packages.workspace.package;
    let four = versions::resolve_merge(&place, merged, &options.comparison, packages, progress.as_ref())?;
    let mut report = judge(options, &place, &four, progress.as_ref())?;
    report.duration = started.elapsed();
    // The bar goes before the report comes.
    drop(progress);
    write_each(&options.output.reports, |format, style| {
        Ok(match format {
            MessageFormat::Json => merge::json(&report)?,
            _ => merge::human(&report, style),
        })
    })?;
    Ok(report.exit_code(options.output.fail_on))
}
