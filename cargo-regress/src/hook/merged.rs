//! One merge, after git made it: judged within a time, and left as it is.

use std::ffi::OsString;
use std::time::Instant;

use super::directory;
use crate::args::HookRunOptions;
use crate::budget::Deadline;
use crate::config;
use crate::delivery::say;
use crate::error::Error;
use crate::exit::{FINDING, INCOMPLETE};
use crate::merge::{self, JudgeMerge};

/// Judges HEAD if it is a merge commit; the exit code, which git does not look at. A merge that moved the branch only, or was squashed, leaves no
/// merge commit, and nothing is said of it.
pub fn run_after_merge(options: &HookRunOptions, judge: impl JudgeMerge) -> Result<u8, Error> {
    let deadline = Deadline::after(Instant::now(), options.total_timeout);
    let repository = directory::open()?;
    let head = repository.head().and_then(|head| head.peel_to_commit());
    if !head.is_ok_and(|head| head.parent_count() == 2) {
        return Ok(0);
    }
    let mut words: Vec<OsString> = ["cargo-regress", "--merge=HEAD"].map(OsString::from).into();
    words.extend(options.no_config.then(|| OsString::from("--no-config")));
    words.extend(options.comparison.iter().cloned());
    let mut judged = config::comparison(words)?;
    judged.budget.deadline = Some(deadline);
    match merge::judge_and_deliver(&judged, judge) {
        Ok(FINDING) => {
            say("the merge is made; see above how its branches interact");
            Ok(FINDING)
        }
        Ok(code) => Ok(code),
        Err(error @ (Error::Output(_) | Error::Json(_) | Error::Usage(_))) => Err(error),
        Err(error) => {
            say(&format!("the merge could not be judged: {error}"));
            Ok(if options.strict { INCOMPLETE } else { 0 })
        }
    }
}
