//! What is left of the time of a whole run, spent on functions of which nothing was found.
//!
//! *Idea (anytime algorithms).* The rounds end when each function has had all that `--timeout` allows. A search that cannot get through a function
//! leaves it with some thousand random inputs then, although many more could be run in what `--total-timeout` leaves. So those functions
//! have further inputs, the changed ones first; and so have those that were seen to differ in private fields alone, as that may be all that hides a difference in results. Changed functions that are still open, or equal within bounds alone, are fuzzed again then, for a part of the run: what bounds leave out may be
//! all that there is to see. So are public functions that may run a private one that differs, where none shows it: whether a caller can see the difference is what a reader
//! asks first. In what is left of that part, public functions are fuzzed that are affected and still open. Proofs are left alone.

use std::collections::HashSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::{Pair, functions_reached};
use regress_core::ir::{FnId, Program};
use regress_core::verdict::{ChangeKind, Verdict};

use super::Session;
use super::aligned::Aligned;
use super::outside::is_entry;
use super::subject::{self, Judgement};

/// So many times as many inputs as before, at most.
const MORE: u64 = 20;
/// This part of the time of the run is not used.
const PART_LEFT: u32 = 10;
/// A turn begins its inputs at the first, and those with long sequences follow them.
const BEGUN_TWICE: u64 = 2;

/// Fuzzing takes at most this part of the time of the run.
const PART_FUZZED: u32 = 4;
/// Fuzzing of one function that is longer or shorter is not worth it.
const MOST_FUZZED: Duration = Duration::from_secs(20);
const LEAST_FUZZED: Duration = Duration::from_secs(1);

/// The numbers of inputs that no turn of so many runs has had.
fn further(runs: u64) -> Range<u64> {
    let first = BEGUN_TWICE * runs;
    first..first + MORE * runs
}

/// Judges functions again that show a difference on further inputs.
pub(super) fn run_more(session: &Session<'_>, aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    let Some(deadline) = session.options.budget.deadline else { return };
    // A run that ends in time leaves its results to the next one.
    let whole = Duration::from_secs(deadline.seconds());
    let mut options = session.options.clone();
    options.budget.deadline = Some(deadline.for_all_but(whole / PART_LEFT));
    let session = &session.with_options(&options);
    session.progress.step("Running more random inputs through what is still open");
    let is_faint = |judgement: &Judgement| subject::is_faint(aligned, &judgement.verdict);
    let inputs = further(session.options.search.random_runs);
    for kind in [ChangeKind::Changed, ChangeKind::Affected] {
        functions
            .par_iter_mut()
            .filter(|(pair, judgement)| pair.kind == kind && (is_silent(judgement) || is_faint(judgement)))
            .filter(|_| !session.options.budget.is_over())
            .for_each(|(pair, judgement)| {
                let _token = session.jobserver.token();
                let again = subject::judge_on_more_inputs(session, aligned, pair, inputs.clone());
                if let Some(again) = again.filter(|again| is_silent(judgement) || !is_faint(again)) {
                    let reach = judgement.reach;
                    *judgement = Judgement { reach, ..again };
                }
            });
    }
    fuzz_more(session, aligned, functions);
}

/// Judges functions again of which fuzzing shows more: those that changed, and those that may show what a private one does; then the public ones of which nothing else is known.
fn fuzz_more(session: &Session<'_>, aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    let Some(deadline) = session.options.budget.deadline else { return };
    let program = &aligned.loaded.new.program;
    let callers = open_callers(program, functions);
    let all = deadline.remaining().min(Duration::from_secs(deadline.seconds()) / PART_FUZZED);
    let ends = Instant::now() + all;
    session.progress.step("Fuzzing what is still open");
    fuzz_these(session, aligned, functions, ends, |pair, judgement| {
        let is_faint = subject::is_faint(aligned, &judgement.verdict);
        let is_caller = pair.new.is_some_and(|new| callers.contains(&new));
        is_caller || pair.kind == ChangeKind::Changed && (is_open(judgement) || is_faint)
    });
    fuzz_these(session, aligned, functions, ends, |pair, judgement| {
        let is_public = pair.new.is_some_and(|new| is_entry(program, new));
        pair.kind == ChangeKind::Affected && is_public && is_silent(judgement)
    });
}

/// The same of those of the functions that are meant, until then.
fn fuzz_these(
    session: &Session<'_>,
    aligned: &Aligned,
    functions: &mut [(&Pair, Judgement)],
    ends: Instant,
    is_meant: impl Fn(&Pair, &Judgement) -> bool,
) {
    let mut open: Vec<&mut (&Pair, Judgement)> =
        functions.iter_mut().filter(|(pair, judgement)| is_meant(pair, judgement)).collect();
    // Of what is equal within bounds more is known.
    open.sort_by_key(|(_, judgement)| !is_silent(judgement));
    let each = each_of(open.len(), ends.saturating_duration_since(Instant::now()));
    open.into_par_iter().for_each(|(pair, judgement)| {
        let left = ends.saturating_duration_since(Instant::now());
        if left < LEAST_FUZZED {
            return;
        }
        let _token = session.jobserver.token();
        let again = subject::judge_by_more_fuzzing(session, aligned, pair, each.min(left));
        let says_more = |again: &Judgement| is_open(judgement) || !subject::is_faint(aligned, &again.verdict);
        if let Some(again) = again.filter(says_more) {
            let reach = judgement.reach;
            *judgement = Judgement { reach, ..again };
        }
    });
}

/// Public functions that show no difference, and may run a private one that differs and that no public function shows.
fn open_callers(program: &Program, functions: &[(&Pair, Judgement)]) -> HashSet<FnId> {
    let differing = functions.iter().filter(|(_, judgement)| judgement.confirmed_class().is_some());
    let (seen, mut hidden): (HashSet<FnId>, HashSet<FnId>) =
        differing.filter_map(|(pair, _)| pair.new).partition(|id| is_entry(program, *id));
    if hidden.is_empty() {
        return HashSet::new();
    }
    let seen: Vec<FnId> = seen.into_iter().collect();
    for reached in functions_reached(program, &seen) {
        hidden.retain(|id| !reached.contains(&program.in_sources(*id)));
    }
    let open = functions.iter().filter(|(_, judgement)| is_open(judgement));
    let open: Vec<FnId> = open.filter_map(|(pair, _)| pair.new.filter(|id| is_entry(program, *id))).collect();
    let reached = functions_reached(program, &open);
    let may_show =
        |reached: &HashSet<FnId>| hidden.iter().any(|id| reached.contains(&program.in_sources(*id)));
    open.into_iter().zip(&reached).filter(|(_, reached)| may_show(reached)).map(|(id, _)| id).collect()
}

/// What each of so many functions gets of a time.
fn each_of(functions: usize, all: Duration) -> Duration {
    let threads = rayon::current_num_threads().min(functions.max(1));
    let share = all * threads as u32 / functions.max(1) as u32;
    share.clamp(LEAST_FUZZED, MOST_FUZZED)
}

fn is_silent(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::NoDifferenceFound { .. })
}

fn is_open(judgement: &Judgement) -> bool {
    is_silent(judgement) || matches!(judgement.verdict, Verdict::EqualWithin { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_fuzzed_has_time_for_it() {
        let seconds = Duration::from_secs;
        assert_eq!(each_of(1, seconds(15)), seconds(15));
        assert_eq!(each_of(1, seconds(60)), MOST_FUZZED);
        assert_eq!(each_of(1000, seconds(15)), LEAST_FUZZED);
    }

    #[test]
    fn no_input_is_run_twice() {
        // Of a thousand inputs a quarter more are long.
        assert_eq!(further(1000), 2000..22_000);
        assert!(further(0).is_empty());
    }
}
