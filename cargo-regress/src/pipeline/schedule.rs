//! The order of work.
//!
//! *Idea (anytime algorithms).* A run that has a time to keep (`--total-timeout`) goes in rounds over all functions: random native runs,
//! then a first look, fuzzing, a short search, and what `--timeout` allows. So whenever the time is over, each function has had its share, and one that takes
//! long keeps none from its turn. Without a time each function is judged to its end at once.
//!
//! Functions whose own body changed come first: they have native runs, a first look, fuzzing where that leaves them open, and a short search before any other
//! has its native runs. Then half of what is left goes to longer searches of them, as what is proved of them spares others theirs.
//! Of the others those next to a change come first, and of these the public ones. What follows from proofs of changed functions ([`congruent`]), or takes the same steps in both versions ([`super::discharge`]), is run natively and not searched.
//!
//! Of many functions the last ones can be run only after a while, as cargo builds them while the first are compared. They have their native runs as soon as they can be run and what changed
//! has had its short searches, whatever round the others are in.
//!
//! **Invariant:** a later turn drops nothing that native runs showed in an earlier one.
//!
//! Dean and Boddy, "An analysis of time-dependent planning", AAAI 1988.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use regress_core::align::{Pair, distances};
use regress_core::ir::{FnId, Program, Visibility};
use regress_core::value::Value;
use regress_core::verdict::{ChangeKind, Class, Verdict, Witness};

use super::aligned::{Aligned, needs_work};
use super::load::Loaded;
use super::naming::display_call;
use super::subject::{self, Begun, Effort, Judgement, More, Turn};
use super::{ANALYSIS_STACK, Session, congruent, other_types, test_calls};
use crate::budget::Deadline;
use crate::report::{Reach, short};
use regress_core::verdict::not_analysed::NotAnalysed;

/// A short search gets this part of what a function may take.
const SHORT_PART: u32 = 8;
/// A short search gets no less.
const LEAST_SHORT: Duration = Duration::from_secs(1);
/// What needs no more than that is judged before anything that needs more.
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// Native runs that are shorter say nothing.
const LEAST_RUNS: Duration = Duration::from_millis(100);
/// Fuzzing of one function that is shorter finds little, and what is longer is left for the end.
const LEAST_FUZZED: Duration = Duration::from_millis(300);
const MOST_FUZZED: Duration = Duration::from_secs(5);
/// How often it is asked whether what is built later is there.
const LOOK: Duration = Duration::from_millis(20);

/// One pass over some of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    who: ChangeKind,
    round: Round,
    within: Within,
}

/// What is done for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Random native runs; all of them together take at most half of the time that is left.
    NativeRuns,
    /// What is still open and was not searched as long before is searched, so long each.
    Search(Duration),
    /// What is still open is fuzzed; all of them together take what the pass has.
    Fuzzing,
}

/// Which part of the time that is left when it begins a pass has; then it ends, and with it the turn of who has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    All,
    Half,
    Quarter,
}

impl Within {
    /// When a pass ends that begins now; none if it may take all that the run has.
    fn until(self, deadline: Option<Deadline>) -> Option<Instant> {
        let part = match self {
            Within::All => return None,
            Within::Half => 2,
            Within::Quarter => 4,
        };
        Some(Instant::now() + deadline?.remaining() / part)
    }
}

/// A pair and what is known of it.
struct Case<'a> {
    pair: &'a Pair,
    begun: Option<Begun>,
    /// What its longest search was given, if it was not cut short by the end of the run.
    searched: Duration,
}

/// Judges these pairs, which come out in the same order.
pub(super) fn judge_all<'a>(
    session: &Session<'_>,
    aligned: &Aligned,
    pairs: &[&'a Pair],
) -> Vec<(&'a Pair, Judgement)> {
    let deadline = session.options.budget.deadline;
    let longest = session.options.search.function_budget();
    let mut cases: Vec<Mutex<Case<'a>>> =
        pairs.iter().map(|pair| Mutex::new(Case { pair, begun: None, searched: Duration::ZERO })).collect();
    let order = in_order(&aligned.loaded.new.program, pairs, deadline).into_iter();
    let order = order.filter(|number| needs_work(pairs[*number]));
    let (changed, affected): (Vec<usize>, Vec<usize>) =
        order.partition(|number| pairs[*number].kind == ChangeKind::Changed);
    let comes_later = |number: &usize| match pairs[*number] {
        Pair { old: Some(old), new: Some(new), .. } => aligned.harnesses.comes_later(*old, *new),
        _ => false,
    };
    let later = Queue::of(affected.iter().copied().filter(comes_later).collect());
    session.read_test_calls(aligned);
    std::thread::scope(|scope| {
        if !aligned.harnesses.is_whole() {
            scope.spawn(|| session.build_later(&aligned.loaded, &aligned.harnesses));
        }
        // Whether it is the turn of what did not change itself.
        let mut others_begin = false;
        for Step { who, round, within } in steps(longest, deadline) {
            let order: Vec<usize> = match (who, round) {
                (_, Round::Fuzzing) if !subject::can_fuzz(session, aligned) => continue,
                (_, Round::Fuzzing) => worth_fuzzing(&mut cases, &changed),
                (ChangeKind::Changed, _) => changed.clone(),
                (_, Round::NativeRuns) => {
                    affected.iter().copied().filter(|number| !comes_later(number)).collect()
                }
                (_, Round::Search(_)) => affected.clone(),
            };
            let mut follows: HashSet<FnId> = aligned.discharged.functions().collect();
            if (who, round.is_search()) == (ChangeKind::Affected, true) {
                follows.extend(following(aligned, &mut cases));
            }
            session.progress.step(round.name(deadline));
            session.progress.set_total(order.len() as u64);
            let until = within.until(deadline);
            let waiting = AtomicUsize::new(order.len());
            others_begin |= who == ChangeKind::Affected;
            let turns =
                Turns { session, aligned, round, until, waiting, later: others_begin.then_some(&later) };
            turns.take(&cases, order, &follows);
            // All had native runs, and what changed was searched: what is open now may stay open.
            if (who, round) == (ChangeKind::Affected, Round::NativeRuns) && is_any_open(&mut cases) {
                scope.spawn(|| session.capture_test_calls(aligned));
                let open = open_pairs(&mut cases);
                let look = move || other_types::look(session, aligned, &open);
                let thread = std::thread::Builder::new().stack_size(ANALYSIS_STACK);
                // It is done at the end if no thread can be had.
                let _ = thread.spawn_scoped(scope, look);
            }
        }
    });
    other_types::look(session, aligned, &open_pairs(&mut cases));
    let cases = cases.into_iter().map(|case| case.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut judged: Vec<(&Pair, Judgement)> =
        cases.map(|case| (case.pair, case.ended(&aligned.loaded, longest, deadline))).collect();
    other_types::put_in(aligned, &mut judged);
    judged
}

impl Round {
    fn is_search(self) -> bool {
        matches!(self, Round::Search(_))
    }

    fn name(self, deadline: Option<Deadline>) -> &'static str {
        match (self, deadline) {
            (_, None) => "Comparing",
            (Round::NativeRuns, Some(_)) => "Comparing: random runs",
            (Round::Search(_), Some(_)) => "Comparing: search",
            (Round::Fuzzing, Some(_)) => "Comparing: fuzzing",
        }
    }
}

/// The passes of a run in which a function may take so much.
fn steps(most: Duration, deadline: Option<Deadline>) -> Vec<Step> {
    use ChangeKind::{Affected, Changed};
    let step = |who, round| Step { who, round, within: Within::All };
    let both = |round| [step(Changed, round), step(Affected, round)];
    if deadline.is_none() {
        return both(Round::Search(most)).to_vec();
    }
    let short = (most / SHORT_PART).max(LEAST_SHORT);
    let is_worth_it = 2 * short <= most;
    let (look, first) = (Round::Search(FIRST_LOOK), Round::Search(if is_worth_it { short } else { most }));
    let half = |step| Step { within: Within::Half, ..step };
    let mut steps = vec![step(Changed, Round::NativeRuns), half(step(Changed, look))];
    if short >= 2 * LEAST_SHORT {
        steps.push(half(step(Changed, Round::Search(LEAST_SHORT))));
    }
    let fuzzing = Step { within: Within::Quarter, ..step(Changed, Round::Fuzzing) };
    steps.extend([fuzzing, half(step(Changed, first)), step(Affected, Round::NativeRuns)]);
    if is_worth_it {
        steps.extend([half(step(Changed, Round::Search(most))), step(Affected, look), step(Affected, first)]);
    } else {
        steps.push(step(Affected, look));
    }
    steps.extend(both(Round::Search(most)));
    steps
}

/// The numbers of the pairs in the order of their turns: functions whose own body changed, those that are affected, and all others.
pub(super) fn in_order(program: &Program, pairs: &[&Pair], deadline: Option<Deadline>) -> Vec<usize> {
    let changed = pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
    let changed = changed.filter_map(|pair| Some(program.in_sources(pair.new?)));
    let distances = match deadline {
        Some(_) => distances(program, changed),
        None => HashMap::new(),
    };
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|number| {
        let pair = pairs[*number];
        match pair.kind {
            ChangeKind::Changed => (0, None),
            ChangeKind::Affected if deadline.is_some() => {
                let visibility = |new: FnId| program.functions[new].visibility;
                (1, pair.new.map(|new| nearness(&distances, new, visibility(new))))
            }
            ChangeKind::Affected => (1, None),
            _ => (2, None),
        }
    });
    order
}

/// Less is sooner.
fn nearness(distances: &HashMap<FnId, u32>, function: FnId, visibility: Visibility) -> (u32, bool) {
    (distances.get(&function).copied().unwrap_or(u32::MAX), visibility != Visibility::Public)
}

/// Whether something is to be found out of a function that had a turn.
fn is_any_open(cases: &mut [Mutex<Case<'_>>]) -> bool {
    let cases = cases.iter_mut().map(|case| case.get_mut().unwrap_or_else(PoisonError::into_inner));
    let judged = cases.filter_map(|case| Some((case.pair, &case.begun.as_ref()?.judgement.verdict)));
    test_calls::is_any_open(judged)
}

/// Those of the functions of which their turns so far show too little, and fuzzing may show more.
fn worth_fuzzing(cases: &mut [Mutex<Case<'_>>], functions: &[usize]) -> Vec<usize> {
    let mut is_open = |number: &usize| {
        let case = cases[*number].get_mut().unwrap_or_else(PoisonError::into_inner);
        case.begun.as_ref().is_some_and(Begun::is_worth_fuzzing)
    };
    functions.iter().copied().filter(|number| is_open(number)).collect()
}

/// The pairs of which something is to be found out although they had a turn.
fn open_pairs<'a>(cases: &mut [Mutex<Case<'a>>]) -> Vec<&'a Pair> {
    let cases = cases.iter_mut().map(|case| case.get_mut().unwrap_or_else(PoisonError::into_inner));
    let is_open = |case: &&mut Case<'a>| {
        case.begun.as_ref().is_some_and(|begun| test_calls::may_differ(&begun.judgement.verdict))
    };
    cases.filter(is_open).map(|case| case.pair).collect()
}

/// Functions that need no search, by what is known of those that changed.
fn following(aligned: &Aligned, cases: &mut [Mutex<Case<'_>>]) -> HashSet<FnId> {
    let cases = cases.iter_mut().map(|case| case.get_mut().unwrap_or_else(PoisonError::into_inner));
    let judged = cases.filter_map(|case| Some((case.pair, &case.begun.as_ref()?.judgement)));
    congruent::of_changed(&aligned.loaded, &aligned.alignment, judged)
}

/// The turns of one round.
struct Turns<'t> {
    session: &'t Session<'t>,
    aligned: &'t Aligned,
    round: Round,
    /// When the pass is over: what others wait for is not to be late by one that takes long.
    until: Option<Instant>,
    /// Functions that had no turn in this round yet.
    waiting: AtomicUsize,
    /// Functions whose native runs are due when they can be run, once it is their turn.
    later: Option<&'t Queue>,
}

/// Numbers of functions, each of which is given out once.
struct Queue {
    numbers: Vec<usize>,
    next: AtomicUsize,
}

impl Queue {
    fn of(numbers: Vec<usize>) -> Queue {
        Queue { numbers, next: AtomicUsize::new(0) }
    }

    fn next(&self) -> Option<usize> {
        self.numbers.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    fn left(&self) -> usize {
        self.numbers.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }
}

impl Turns<'_> {
    /// Gives each of these its turn, in this order, as threads become free.
    fn take(&self, cases: &[Mutex<Case<'_>>], order: Vec<usize>, following: &HashSet<FnId>) {
        let queue = Queue::of(order);
        let is_over = || self.until.is_some_and(|until| Instant::now() > until);
        let case = |number: usize| cases[number].lock().unwrap_or_else(PoisonError::into_inner);
        let threads = rayon::current_num_threads();
        rayon::scope(|scope| {
            for number in 0..threads {
                let (queue, case, is_over) = (&queue, &case, &is_over);
                // Half of the threads, if there are several, are left to the compiler as long as it builds what comes later.
                let yields_to_builds = 2 * number >= threads.max(2);
                scope.spawn(move |_| {
                    loop {
                        while yields_to_builds
                            && !self.aligned.harnesses.is_whole()
                            && !self.session.options.budget.is_over()
                            && !is_over()
                            && queue.left() > 0
                        {
                            std::thread::sleep(LOOK);
                        }
                        let later = self.later.filter(|_| self.aligned.harnesses.is_whole());
                        if let Some(later) = later
                            && let Some(number) = later.next()
                        {
                            self.run_natively(&mut case(number), later.left());
                            continue;
                        }
                        let Some(number) = queue.next().filter(|_| !is_over()) else { break };
                        let mut case = case(number);
                        let follows = case.pair.new.is_some_and(|new| following.contains(&new));
                        self.give(&mut case, follows);
                    }
                });
            }
        });
    }

    /// Native runs alone, of a function for which so many others wait.
    fn run_natively(&self, case: &mut Case<'_>, waiting: usize) {
        if self.session.options.budget.is_over() || case.begun.is_some() {
            return;
        }
        let _token = self.session.jobserver.token();
        self.turn(case, Effort::NativeRuns, self.share(waiting + 1));
    }

    /// Waits until the function can be run, or the time is over.
    fn wait_for_build(&self, pair: &Pair) {
        let (Some(old), Some(new)) = (pair.old, pair.new) else { return };
        let harnesses = &self.aligned.harnesses;
        while harnesses.comes_later(old, new)
            && !harnesses.is_whole()
            && !self.session.options.budget.is_over()
        {
            std::thread::sleep(LOOK);
        }
    }

    /// Fuzzes the function for its share of the pass.
    fn fuzz(&self, case: &mut Case<'_>) {
        let waiting = self.waiting.fetch_sub(1, Ordering::Relaxed).max(1) as u32;
        let threads = rayon::current_num_threads() as u32;
        let most = (self.left() * threads.min(waiting) / waiting).clamp(LEAST_FUZZED, MOST_FUZZED);
        let Some(begun) = case.begun.take() else { return };
        let known = begun.judgement.confirmed_class();
        let begun = subject::fuzz(self.session, self.aligned, case.pair, most, begun);
        if begun.judgement.confirmed_class() != known {
            self.tell(case.pair, &begun.judgement);
        }
        case.begun = Some(begun);
    }

    /// The function's turn, if there is time and something left to do.
    fn give(&self, case: &mut Case<'_>, follows: bool) {
        self.wait_for_build(case.pair);
        let is_done = |begun: &Begun| begun.more == More::Nothing;
        let was_searched = matches!(self.round, Round::Search(most) if case.searched >= most);
        let is_over = self.session.options.budget.is_over();
        // A search that ended may have ended for what it cannot do.
        let is_done = self.round != Round::Fuzzing && case.begun.as_ref().is_some_and(is_done);
        if is_over || was_searched || is_done {
            return;
        }
        let _token = self.session.jobserver.token();
        let left = self.left();
        match self.round {
            Round::Fuzzing => self.fuzz(case),
            Round::NativeRuns => {
                let waiting = self.waiting.fetch_sub(1, Ordering::Relaxed);
                self.turn(case, Effort::NativeRuns, self.share(waiting));
            }
            Round::Search(most) if follows => {
                if case.begun.is_none() {
                    self.turn(case, Effort::NativeRuns, most.min(left));
                }
                match &mut case.begun {
                    Some(begun) if begun.evidence.confirmed.is_empty() => begun.more = More::Nothing,
                    _ => self.turn(case, Effort::Whole, most.min(left)),
                }
            }
            Round::Search(most) => self.turn(case, Effort::Whole, most.min(left)),
        }
        if let Round::Search(most) = self.round
            && left >= most
            && !self.session.options.budget.is_over()
        {
            case.searched = most;
        }
        self.session.progress.advance();
    }

    fn turn(&self, case: &mut Case<'_>, effort: Effort, most: Duration) {
        let spent = case.begun.as_ref().map_or(Duration::ZERO, |begun| begun.spent);
        let left = self.longest().saturating_sub(spent);
        let turn = Turn { effort, most: most.min(left), left };
        let known = case.begun.as_ref().and_then(|begun| begun.judgement.confirmed_class());
        let begun = subject::judge(self.session, self.aligned, case.pair, turn, case.begun.take());
        if begun.judgement.confirmed_class() != known {
            self.tell(case.pair, &begun.judgement);
        }
        case.begun = Some(begun);
    }

    /// Tells those who wait for the report what was found.
    fn tell(&self, pair: &Pair, judgement: &Judgement) {
        let Verdict::Differs { witnesses, .. } = &judgement.verdict else { return };
        let program = &self.aligned.loaded.new.program;
        let class = judgement.confirmed_class();
        let shows = |witness: &&Witness| Some(Class::of(&witness.old, &witness.new)) == class;
        if let (Some(class), Some(new), Some(witness)) = (class, pair.new, witnesses.iter().find(shows)) {
            let inputs: Vec<Value> = witness.inputs.iter().map(|input| input.value.clone()).collect();
            let call = display_call(program, new, self.aligned.loaded.only_crate(), &inputs);
            self.session.progress.found(&short::found(class, &call, witness));
        }
    }

    /// What native runs of a function may take so that all that wait have theirs, itself among them, and half of the time is left.
    fn share(&self, waiting: usize) -> Duration {
        let threads = rayon::current_num_threads() as u32;
        let left = self.session.options.budget.deadline.map_or(Duration::MAX, Deadline::remaining);
        share(left, threads, waiting.max(1) as u32).clamp(LEAST_RUNS, self.longest().max(LEAST_RUNS))
    }

    /// What is left of the pass, and of the run.
    fn left(&self) -> Duration {
        let of_run = self.session.options.budget.deadline.map_or(Duration::MAX, Deadline::remaining);
        self.until.map_or(of_run, |until| of_run.min(until.saturating_duration_since(Instant::now())))
    }

    fn longest(&self) -> Duration {
        self.session.options.search.function_budget()
    }
}

/// A part of half of the time that is left, where so many wait for one of the threads.
fn share(left: Duration, threads: u32, waiting: u32) -> Duration {
    left.saturating_mul(threads) / (2 * waiting)
}

impl Case<'_> {
    /// What is said of the pair now that all turns are over.
    fn ended(self, loaded: &Loaded, longest: Duration, deadline: Option<Deadline>) -> Judgement {
        let is_through = self.searched >= longest;
        match (self.begun, deadline) {
            (None, Some(deadline)) if needs_work(self.pair) => {
                let reason = NotAnalysed::OutOfTime { seconds: deadline.seconds() };
                Judgement { reach: Reach::OutOfTime, ..Verdict::NotAnalysed { reason }.into() }
            }
            (None, _) => subject::without_work(loaded, self.pair).into(),
            (Some(begun), _) if is_through || begun.more == More::Nothing => begun.judgement,
            (Some(begun), deadline) => begun.judgement.seen_at_the_end_of(deadline),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// `changed: runs`, `affected: 2.5 s`; what has half of the time ends with `/2`.
    fn shown(step: &Step) -> String {
        let who = if step.who == ChangeKind::Changed { "changed" } else { "affected" };
        let what = match step.round {
            Round::NativeRuns => "runs".to_owned(),
            Round::Search(most) => format!("{} s", most.as_secs_f32()),
            Round::Fuzzing => "fuzzing".to_owned(),
        };
        let part = match step.within {
            Within::All => "",
            Within::Half => " /2",
            Within::Quarter => " /4",
        };
        format!("{who}: {what}{part}")
    }

    #[test]
    fn a_run_with_a_time_goes_in_rounds() {
        let deadline = Some(Deadline::after(Instant::now(), 60));
        let check = |most, deadline, expected: &str| {
            let steps: Vec<String> = steps(seconds(most), deadline).iter().map(shown).collect();
            assert_eq!(steps.join(", "), expected);
        };
        check(10, None, "changed: 10 s, affected: 10 s");
        let check_rounds = |most, short: &str| {
            let long = format!("{most} s");
            let brief = if short == "2.5 s" { "changed: 1 s /2, " } else { "" };
            let begin = format!(
                "changed: runs, changed: 0.1 s /2, {brief}changed: fuzzing /4, changed: {short} /2, affected: runs"
            );
            let short = format!("changed: {long} /2, affected: 0.1 s, affected: {short}");
            check(most, deadline, &format!("{begin}, {short}, changed: {long}, affected: {long}"));
        };
        check_rounds(20, "2.5 s");
        check_rounds(4, "1 s");
        let begin = "changed: runs, changed: 0.1 s /2, changed: fuzzing /4, changed: 1 s /2, affected: runs, affected: 0.1 s";
        check(1, deadline, &format!("{begin}, changed: 1 s, affected: 1 s"));
    }

    #[test]
    fn shares_leave_half_of_the_time() {
        // Two threads have 60 s for 30 functions: 4 s each would be all of it.
        assert_eq!(share(seconds(60), 2, 30), seconds(2));
        assert_eq!(share(seconds(0), 2, 30), seconds(0));
        // What quick ones leave is for the others.
        assert_eq!(share(seconds(60), 2, 1), seconds(60));
    }

    #[test]
    fn functions_next_to_a_change_come_first_and_public_ones_of_these() {
        let id = |number: usize| regress_core::idx::Idx::from_usize(number);
        let distances: HashMap<FnId, u32> = HashMap::from([(id(0), 2), (id(1), 1), (id(2), 1)]);
        let mut functions = [
            (id(3), Visibility::Public),
            (id(0), Visibility::Public),
            (id(1), Visibility::Private),
            (id(2), Visibility::Public),
        ];
        functions.sort_by_key(|(function, visibility)| nearness(&distances, *function, *visibility));
        assert_eq!(functions.map(|(function, _)| function), [id(2), id(1), id(0), id(3)]);
    }
}
