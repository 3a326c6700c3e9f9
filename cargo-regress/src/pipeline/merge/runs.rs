//! One function on all four versions, natively.
//!
//! Each step has a worker for either of its versions. An input is first called once on each version; what then speaks against the merge is made
//! smaller and asked of each step as any difference is ([`Both::replay`]), so no interaction is told that does not come out again. Between
//! versions of a step in which nothing differs that the function may run, outcomes are the same without a run.

use std::collections::HashMap;
use std::time::Instant;

use regress_core::evidence::{Doubt, Replay};
use regress_core::observable::{same_in_both, same_outcome};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::functions::{Function, Link, Steps};
use super::judge::{Judged, Relation, Relations, Step, Which, judge};
use crate::harness::{Asked, Both, Care, Literals, Patience, RandomPlan, SubjectId, Worker, smaller_where};
use crate::pipeline::Session;
use crate::pipeline::aligned::Aligned;
use crate::report::merge::{Expected, Four, Open, Side};

/// Calls that show one interaction.
const MOST_SHOWN: usize = 2;
/// Suspected inputs that are asked for until as many are confirmed.
const MOST_ASKED: usize = 12;

/// What came of one function.
pub(super) struct Ran {
    /// Inputs that were run on all four versions.
    pub inputs: u64,
    pub end: End,
}

/// Inputs with the outcomes of all four versions.
pub(super) type Calls<E> = Vec<(Vec<Value>, Four<Outcome>, E)>;

pub(super) enum End {
    AsExpected,
    /// One call at least.
    Interaction(Calls<Expected>),
    NoExpectation(Box<(Vec<Value>, Four<Outcome>)>),
    Doubtful(Vec<Value>, Doubt),
}

/// An input that was run once on each version and speaks against the merge.
struct Suspected {
    inputs: Vec<Value>,
    judged: Judged,
}

/// What a function is run on.
pub(super) enum Inputs {
    /// Random ones.
    Drawn,
    Known(Vec<Vec<Value>>),
    KnownAndDrawn(Vec<Vec<Value>>),
}

/// What two runs of one function say together.
pub(super) fn both(first: Result<Ran, Open>, second: Option<Result<Ran, Open>>) -> Result<Ran, Open> {
    match (first, second) {
        (Ok(first), Some(Ok(second))) => {
            let end = if first.end.rank() < second.end.rank() { first.end } else { second.end };
            Ok(Ran { inputs: first.inputs + second.inputs, end })
        }
        (Ok(ran), _) | (Err(_), Some(Ok(ran))) => Ok(ran),
        (Err(why), None) | (Err(_), Some(Err(why))) => Err(why),
    }
}

impl End {
    /// Less tells more.
    fn rank(&self) -> u8 {
        match self {
            End::Interaction(_) => 0,
            End::NoExpectation(_) => 1,
            End::Doubtful(..) => 2,
            End::AsExpected => 3,
        }
    }
}

/// Runs a function on inputs, and tells what holds of all versions.
pub(super) fn run(
    session: &Session<'_>,
    aligned: &Steps<Aligned>,
    function: &Function,
    inputs: Inputs,
) -> Result<Ran, Open> {
    let (known, draws) = match inputs {
        Inputs::Drawn => (Vec::new(), session.options.search.random_runs),
        Inputs::Known(known) => (known, 0),
        Inputs::KnownAndDrawn(known) => (known, session.options.search.random_runs),
    };
    let mut runner = Runner::of(session, aligned, function)?;
    let until = Instant::now() + session.options.search.function_budget();
    let is_over = || Instant::now() > until || session.options.budget.is_over();
    let (mut ran, mut suspected) = (0, Vec::new());
    for inputs in known {
        if is_over() {
            break;
        }
        let Some(outcomes) = runner.once(&inputs) else { continue };
        ran += 1;
        suspected.extend(Suspected::of(inputs, runner.judged(&outcomes)));
    }
    let search = &session.options.search;
    if draws > 0 && !is_over() {
        let plan = RandomPlan {
            max_len: search.max_len,
            literals: runner.literals.clone(),
            ..RandomPlan::new(search.seed, draws)
        };
        for (inputs, outcomes) in runner.at_random(&plan) {
            ran += 1;
            suspected.extend(Suspected::of(inputs, runner.judged(&outcomes)));
        }
    }
    if ran == 0 {
        return Err(if is_over() { Open::OutOfTime } else { Open::NoCommonInput });
    }
    suspected.sort_by_key(|seen| (seen.rank(), length(&seen.inputs)));
    let end = runner.confirmed(suspected, is_over);
    Ok(Ran { inputs: ran, end })
}

fn length(inputs: &[Value]) -> usize {
    inputs.iter().map(|input| input.to_string().len()).sum()
}

impl Suspected {
    fn of(inputs: Vec<Value>, judged: Judged) -> Option<Suspected> {
        (judged != Judged::AsExpected).then_some(Suspected { inputs, judged })
    }

    /// Less tells more.
    fn rank(&self) -> u8 {
        match self.judged {
            Judged::Interaction(_) => 0,
            Judged::NoExpectation | Judged::AsExpected => 1,
        }
    }
}

/// What is between two versions of the function.
enum Between {
    /// Nothing that it may run.
    Nothing,
    Something(Box<Both>),
}

struct Runner {
    steps: Steps<Between>,
    literals: Literals,
}

impl Runner {
    fn of(session: &Session<'_>, aligned: &Steps<Aligned>, function: &Function) -> Result<Runner, Open> {
        let until = session.options.budget.deadline.map(|deadline| deadline.end());
        let limits = session.options.search.call_limits();
        let mut literals: Option<Literals> = None;
        let mut instances: HashMap<Which, String> = HashMap::new();
        let mut between = |step: Step| {
            let (old, new) = match *function.links.of(step) {
                Link::Same { .. } => return Ok(Between::Nothing),
                Link::Differs { old, new } => (old, new),
                Link::Other | Link::Absent => return Err(Open::NotInAll),
            };
            let harnesses = &aligned.of(step).harnesses;
            let both = harnesses.both((old, new), limits, Patience::new(until)).map_err(Open::NotRun)?;
            if let Ok(chosen) = harnesses.instantiation(old, new) {
                let ends = step.ends();
                for (which, subst) in [(ends.0, &chosen.old), (ends.1, &chosen.new)] {
                    let types: Vec<String> =
                        subst.iter().map(|(name, arg)| format!("{name}={arg:?}")).collect();
                    let types = types.join(", ");
                    if instances.insert(which, types.clone()).is_some_and(|known| known != types) {
                        return Err(Open::OtherInstances);
                    }
                }
            }
            let texts = harnesses.literals(old, new);
            match &mut literals {
                Some(literals) => literals.add(&texts),
                None => literals = Some(texts),
            }
            Ok(Between::Something(Box::new(both)))
        };
        let steps = Steps {
            base_ours: between(Step::BaseOurs)?,
            base_theirs: between(Step::BaseTheirs)?,
            ours_merge: between(Step::OursMerge)?,
            theirs_merge: between(Step::TheirsMerge)?,
        };
        Ok(Runner { steps, literals: literals.unwrap_or_default() })
    }

    fn both(&mut self, step: Step) -> Option<&mut Both> {
        match self.steps.of_mut(step) {
            Between::Something(both) => Some(both),
            Between::Nothing => None,
        }
    }

    /// What runs a version; none if nothing differs between it and its neighbours.
    fn worker(&mut self, which: Which) -> Option<(&mut Worker, SubjectId)> {
        let has = |step: &Step| matches!(self.steps.of(*step), Between::Something(_));
        let ends = |step: &Step| step.ends().0 == which || step.ends().1 == which;
        let step = Step::ALL.into_iter().find(|step| has(step) && ends(step))?;
        let both = self.both(step)?;
        let (worker, subject) = if step.ends().0 == which { &mut both.old } else { &mut both.new };
        Some((worker, *subject))
    }

    /// How each version ends on an input, run once; none if one of them has no such input.
    fn once(&mut self, inputs: &[Value]) -> Option<Four<Outcome>> {
        for step in Step::ALL {
            if let Some(both) = self.both(step)
                && !inputs.iter().all(|input| both.common.has(input))
            {
                return None;
            }
        }
        let mut seen = Four::default();
        for which in ALL {
            if let Some((worker, subject)) = self.worker(which) {
                *of_mut(&mut seen, which) = Some(worker.call(subject, inputs).ok()?);
            }
        }
        self.completed(seen)
    }

    /// Random inputs that all versions drew alike, with their outcomes.
    fn at_random(&mut self, plan: &RandomPlan) -> Vec<(Vec<Value>, Four<Outcome>)> {
        let mut runs: HashMap<u64, (Vec<Value>, Four<Option<Outcome>>)> = HashMap::new();
        for which in ALL {
            let Some((worker, subject)) = self.worker(which) else { continue };
            // What cannot be drawn in one version has no outcome there, and so is not completed.
            for run in worker.random(subject, plan).unwrap_or_default() {
                let (inputs, outcomes) =
                    runs.entry(run.index).or_insert_with(|| (run.inputs.clone(), Four::default()));
                if *inputs == run.inputs {
                    *of_mut(outcomes, which) = Some(run.outcome);
                }
            }
        }
        let mut runs: Vec<_> = runs.into_iter().collect();
        runs.sort_by_key(|(index, _)| *index);
        runs.into_iter().filter_map(|(_, (inputs, seen))| Some((inputs, self.completed(seen)?))).collect()
    }

    /// With outcomes of versions that are not run themselves; none if one is missing.
    fn completed(&self, mut seen: Four<Option<Outcome>>) -> Option<Four<Outcome>> {
        // Two steps lead from any version to any other.
        for step in [Step::ALL, Step::ALL].concat() {
            let (old, new) = step.ends();
            if let Between::Nothing = self.steps.of(step) {
                let known = of_mut(&mut seen, old).clone().or_else(|| of_mut(&mut seen, new).clone());
                of_mut(&mut seen, old).clone_from(&known);
                *of_mut(&mut seen, new) = known;
            }
        }
        Some(Four { base: seen.base?, ours: seen.ours?, theirs: seen.theirs?, merge: seen.merge? })
    }

    fn judged(&self, outcomes: &Four<Outcome>) -> Judged {
        judge(self.relations(outcomes, |step| {
            let (old, new) = step.ends();
            match self.steps.of(step) {
                Between::Nothing => Relation::Same,
                Between::Something(both) => {
                    Relation::of_same(same_in_both(&both.common, of(outcomes, old), of(outcomes, new)))
                }
            }
        }))
    }

    fn relations(&self, outcomes: &Four<Outcome>, of: impl Fn(Step) -> Relation) -> Relations {
        Relations {
            base_ours: of(Step::BaseOurs),
            base_theirs: of(Step::BaseTheirs),
            ours_merge: of(Step::OursMerge),
            theirs_merge: of(Step::TheirsMerge),
            sides: Relation::of_same(same_outcome(&outcomes.ours, &outcomes.theirs)),
        }
    }

    /// The first of the suspected inputs that come out again.
    fn confirmed(&mut self, suspected: Vec<Suspected>, is_over: impl Fn() -> bool) -> End {
        let (mut interactions, mut apart, mut doubt): (Calls<Expected>, _, _) = (Vec::new(), None, None);
        for Suspected { inputs, judged } in suspected.into_iter().take(MOST_ASKED) {
            let is_settled = apart.is_some() && judged == Judged::NoExpectation;
            let is_shown = !interactions.is_empty() && judged == Judged::NoExpectation;
            if interactions.len() >= MOST_SHOWN || is_settled || is_shown || is_over() {
                continue;
            }
            let smaller = smaller_where(inputs.clone(), |inputs| {
                let outcomes = self.once(inputs);
                outcomes.is_some_and(|outcomes| self.judged(&outcomes) == judged)
            });
            if interactions.iter().any(|(known, ..)| *known == smaller) {
                continue;
            }
            let (mut shown, mut told) = (smaller, None);
            for candidate in [shown.clone(), inputs] {
                let this = self.asked(&candidate);
                let is_it = this.as_ref().is_ok_and(|(_, again)| *again == judged);
                (shown, told) = (candidate, Some(this));
                if is_it {
                    break;
                }
            }
            match told {
                Some(Ok((outcomes, Judged::Interaction(expected)))) => {
                    interactions.push((shown, outcomes, expected));
                }
                Some(Ok((outcomes, Judged::NoExpectation))) => apart = apart.or(Some((shown, outcomes))),
                Some(Ok((_, Judged::AsExpected))) | None => {}
                Some(Err(why)) => doubt = doubt.or(Some((shown, why))),
            }
        }
        match (interactions.is_empty(), apart, doubt) {
            (false, ..) => End::Interaction(interactions),
            (true, Some((inputs, outcomes)), _) => End::NoExpectation(Box::new((inputs, outcomes))),
            (true, None, Some((inputs, doubt))) => End::Doubtful(inputs, doubt),
            (true, None, None) => End::AsExpected,
        }
    }

    /// How each version ends, and what that says of the merge, after as many runs as it takes to know.
    fn asked(&mut self, inputs: &[Value]) -> Result<(Four<Outcome>, Judged), Doubt> {
        let mut seen: Four<Option<Outcome>> = Four::default();
        let mut known: Steps<Option<Relation>> = Steps::default();
        for step in Step::ALL {
            let Some(both) = self.both(step) else {
                *known.of_mut(step) = Some(Relation::Same);
                continue;
            };
            let replay = both
                .replay(&Asked::of(inputs), Care::Finding)
                .map_err(|error| Doubt::NotRepeatable { reason: error.to_string() })?;
            let (old, new, relation) = match replay {
                Replay::Same { old, new } => (old, new, Relation::Same),
                Replay::Differs { old, new } => (old, new, Relation::Differs),
                Replay::Doubtful(doubt) => return Err(doubt),
            };
            *known.of_mut(step) = Some(relation);
            let (old_end, new_end) = step.ends();
            for (which, outcome, version) in [(old_end, old, Version::Old), (new_end, new, Version::New)] {
                // Each version is in two steps.
                match of_mut(&mut seen, which) {
                    Some(before) if !same_outcome(before, &outcome) => {
                        return Err(Doubt::NotDeterministic { version });
                    }
                    slot => *slot = Some(outcome),
                }
            }
        }
        let outcomes = self
            .completed(seen)
            .ok_or_else(|| Doubt::NotRepeatable { reason: "a version was not run".to_owned() })?;
        let judged = judge(self.relations(&outcomes, |step| known.of(step).unwrap_or(Relation::Same)));
        Ok((outcomes, judged))
    }
}

const ALL: [Which; 4] = [Which::Base, Which::Of(Side::Ours), Which::Of(Side::Theirs), Which::Merge];

fn of<T>(four: &Four<T>, which: Which) -> &T {
    match which {
        Which::Base => &four.base,
        Which::Of(side) => four.side(side),
        Which::Merge => &four.merge,
    }
}

fn of_mut<T>(four: &mut Four<T>, which: Which) -> &mut T {
    match which {
        Which::Base => &mut four.base,
        Which::Of(Side::Ours) => &mut four.ours,
        Which::Of(Side::Theirs) => &mut four.theirs,
        Which::Merge => &mut four.merge,
    }
}
