//! Both versions at once, path by path, until all paths are covered by states that were seen.
//!
//! Which side goes first is a matter of power, not of trust: whatever order is taken, both versions have done what they do on the path. So a branch of one
//! side is taken whenever the other waits, effects are made by both at once, and where paths meet both wait for each other.
//!
//! **Invariant:** a state that is covered by one seen before has gone on in both versions since, so no version can go round without the other. For
//! a round leads through the head of a loop, and where one version waits at one the other leaves alone only what is no head, or a head for one that stands behind it in
//! the order of blocks. Of these no round is made: it leads back somewhere, and that began where both left.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::Obstacle;
use super::both::{Alone, Both, Since, evaluate_where_it_agrees};
use super::bounds::{Bound, guesses};
use super::code::{Code, JoinKind};
use super::cover::covers;
use super::join::{Guesses, join};
use super::new_panics::{Claim, Handled};
use super::numbers::{JoinId, Node, Numbers};
use super::side::{Attempt, Cause, End, Side, State, Stop, Way};
use crate::align::Addresses;
use crate::idx::Idx;
use crate::ir::{BlockId, LocalId};
use crate::smt::{Solver, Unrounded};
use crate::term::TermId;
use crate::verdict::Version;

/// How far a product goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub steps: usize,
    pub numbers: usize,
    pub questions: usize,
    pub question: Duration,
    /// That are kept apart where paths meet outside of loops.
    pub states: usize,
    pub until: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        let question = Duration::from_millis(200);
        Limits { steps: 4_000, numbers: 200_000, questions: 400, question, states: 4, until: None }
    }
}

/// States that are kept apart at the head of a loop, by what tells them apart ([`Both::modes`]).
const MOST_MODES: usize = 4;
/// Rounds of a loop of one version, with conditions that are not constant, while the other one waits.
const MOST_ROUNDS_ALONE: usize = 3;
/// How often all that is kept is followed once more.
const MOST_CHECKS: usize = 4;
/// How often states are joined at one pair of blocks.
const MOST_JOINS: usize = 64;
/// How often they are joined by what is only guessed.
const MOST_JOINS_OF_GUESSES: usize = 8;

/// The states at one pair of blocks where paths meet.
#[derive(Debug)]
pub struct Meeting {
    pub id: JoinId,
    pub states: Vec<Both>,
    /// How often each state was replaced by one that covers more.
    generations: Vec<usize>,
    joins: usize,
}

pub struct Product<'p, 'a> {
    pub old: &'p Code<'a>,
    pub new: &'p Code<'a>,
    pub numbers: Numbers,
    pub solver: &'p mut dyn Solver,
    pub limits: Limits,
    claim: Claim<'p, 'a>,
    steps: usize,
    pub questions: usize,
    /// Bounds that may hold at heads of loops; guessed in a first attempt, assumed in a second one.
    bounds: BTreeMap<(BlockId, BlockId), BTreeSet<Bound>>,
    attempt: Attempts,
    at_difference: AtDifference,
    /// What the solver is asked.
    pub unrounded: Unrounded,
    pub meetings: BTreeMap<(BlockId, BlockId), Meeting>,
}

/// Facts of a state where the versions may differ.
pub type Residue = BTreeSet<TermId>;

/// What is done where the versions may differ.
#[derive(Clone, Debug)]
pub enum AtDifference {
    Fail,
    /// What is known there is kept, and other paths are followed.
    Keep(Vec<Residue>),
}

/// So many states where the versions may differ are looked at.
const MOST_RESIDUES: usize = 64;

/// Whether bounds are being guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempts {
    /// Where the versions do not agree, other paths are followed a little longer, to see what their counters are compared with.
    First {
        disagreements: usize,
    },
    Second,
}

/// Disagreements after which the first attempt ends.
const MOST_DISAGREEMENTS: usize = 32;

/// What becomes of a state that has come to where paths meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is kept, joined with others if need be, until all that arrive are covered.
    Kept,
    /// It has to be covered by what is kept.
    Checked,
}

impl<'p, 'a> Product<'p, 'a> {
    pub fn new(
        old: &'p Code<'a>,
        new: &'p Code<'a>,
        claim: Claim<'p, 'a>,
        at_difference: AtDifference,
        solver: &'p mut dyn Solver,
        limits: Limits,
    ) -> Self {
        Product {
            claim,
            old,
            new,
            numbers: Numbers::default(),
            solver,
            limits,
            steps: 0,
            questions: 0,
            bounds: BTreeMap::new(),
            attempt: Attempts::First { disagreements: 0 },
            at_difference,
            unrounded: Unrounded::default(),
            meetings: BTreeMap::new(),
        }
    }

    /// What was kept.
    pub fn residues(&mut self) -> Vec<Residue> {
        match &mut self.at_difference {
            AtDifference::Fail => Vec::new(),
            AtDifference::Keep(residues) => std::mem::take(residues),
        }
    }

    /// What is to be kept of the state if the versions may differ there; nothing if that fails anyway.
    fn residue_of(&self, both: &Both) -> Residue {
        match self.at_difference {
            AtDifference::Fail => Residue::new(),
            AtDifference::Keep(_) => both.facts.clone(),
        }
    }

    /// Goes on after what failed on paths where these facts hold, if that can be done.
    fn unless_kept(&mut self, done: Result<(), Obstacle>, facts: &Residue) -> Result<(), Obstacle> {
        use Obstacle::{Effects, Ends, Unfollowed, UnknownType};
        match (done, &mut self.at_difference) {
            (Err(Ends | Effects | Unfollowed(_) | UnknownType), AtDifference::Keep(residues)) => {
                if !residues.contains(facts) {
                    residues.push(facts.clone());
                }
                if residues.len() > MOST_RESIDUES { Err(Obstacle::TooLarge) } else { Ok(()) }
            }
            (done, _) => done,
        }
    }

    pub fn at_entry(&mut self) -> Result<Both, Obstacle> {
        let old = State::at_entry(self.old, &mut self.numbers)?;
        let new = State::at_entry(self.new, &mut self.numbers)?;
        Ok(Both { old, new, facts: BTreeSet::new(), alone: Alone::default(), since: None })
    }

    /// Follows all paths from the entry, a second time with bounds on counters if both versions seem not to agree.
    pub fn explore(&mut self, entry: Both) -> Result<(), Obstacle> {
        let found = self.follow(entry.clone(), Arrival::Kept);
        let is_open = match &self.at_difference {
            AtDifference::Fail => matches!(found, Err(Obstacle::Ends | Obstacle::Effects)),
            AtDifference::Keep(residues) => found.is_ok() && !residues.is_empty(),
        };
        if !is_open || self.bounds.values().all(BTreeSet::is_empty) {
            return found;
        }
        self.attempt = Attempts::Second;
        // What is kept is that of the second attempt.
        self.residues();
        (self.steps, self.questions) = (0, 0);
        for meeting in self.meetings.values_mut() {
            (meeting.states, meeting.generations, meeting.joins) = (Vec::new(), Vec::new(), 0);
        }
        self.follow(entry, Arrival::Kept)
    }

    /// Follows all paths from here to ends, or to states that are covered. Fails where both versions need not end alike.
    fn follow(&mut self, start: Both, arrival: Arrival) -> Result<(), Obstacle> {
        let mut open = VecDeque::from([start]);
        let mut first = Ok(());
        // Depth first; after a disagreement what was put off longest, as what comes from one state disagrees likewise.
        while let Some(both) = if first.is_ok() { open.pop_back() } else { open.pop_front() } {
            if arrival == Arrival::Kept && self.is_replaced(&both) {
                continue;
            }
            self.steps += 1;
            if self.limits.until.is_some_and(|until| Instant::now() > until) {
                return Err(Obstacle::OutOfTime);
            }
            if self.steps > self.limits.steps || self.numbers.count() > self.limits.numbers {
                return Err(Obstacle::TooLarge);
            }
            let facts = self.residue_of(&both);
            let done = self.step(both, arrival, &mut open);
            let done = self.unless_kept(done, &facts);
            if matches!(done, Err(Obstacle::Ends | Obstacle::Effects)) && self.may_guess() {
                first = first.and(done);
            } else {
                done?;
            }
        }
        first
    }

    /// Whether it is worth while to look at other paths although this one has failed.
    fn may_guess(&mut self) -> bool {
        let is_joined = self.meetings.values().any(|meeting| meeting.joins > 0);
        match &mut self.attempt {
            Attempts::First { disagreements } if is_joined && *disagreements < MOST_DISAGREEMENTS => {
                *disagreements += 1;
                true
            }
            _ => false,
        }
    }

    /// Checks what was explored. What is not covered is explored first: it was covered once by a state that was forgotten since.
    pub fn check_until_closed(&mut self, entry: Both) -> Result<(), Obstacle> {
        for _ in 0..MOST_CHECKS {
            match self.check(entry.clone()) {
                Err(Obstacle::Refused) => self.follow_from_all(entry.clone(), Arrival::Kept)?,
                checked => return checked,
            }
        }
        Err(Obstacle::Refused)
    }

    /// Follows each state that is kept, and the entry, once more: all that this leads to must be covered.
    pub fn check(&mut self, entry: Both) -> Result<(), Obstacle> {
        self.follow_from_all(entry, Arrival::Checked)
    }

    fn follow_from_all(&mut self, entry: Both, arrival: Arrival) -> Result<(), Obstacle> {
        (self.steps, self.questions) = (0, 0);
        self.follow(entry, arrival)?;
        let kept: Vec<Both> =
            self.meetings.values().flat_map(|meeting| meeting.states.iter().cloned()).collect();
        for both in kept {
            let facts = self.residue_of(&both);
            match self.leave_meeting(both) {
                Ok(both) => self.follow(both, arrival)?,
                Err(obstacle) => self.unless_kept(Err(obstacle), &facts)?,
            }
        }
        Ok(())
    }

    fn step(&mut self, mut both: Both, arrival: Arrival, open: &mut VecDeque<Both>) -> Result<(), Obstacle> {
        if let Claim::NoNewPanic(image) = self.claim
            && self.step_towards_panics(image, &both, open)? == Handled::Done
        {
            return Ok(());
        }
        match (both.old.stop.clone(), both.new.stop.clone()) {
            (Stop::End(End::Unreachable), _) | (_, Stop::End(End::Unreachable)) => {}
            (Stop::End(a), Stop::End(b)) => {
                if !self.end_alike(&both, &a, &b) && !self.is_impossible(&both) {
                    return Err(Obstacle::Ends);
                }
            }
            (Stop::Join(a, old_kind), Stop::Join(b, new_kind)) => {
                let kind = match (old_kind, new_kind) {
                    (JoinKind::Header, JoinKind::Header) => JoinKind::Header,
                    _ => JoinKind::Plain,
                };
                if let Some(both) = self.arrive((a, b), kind, both, arrival)? {
                    open.push_back(self.leave_meeting(both)?);
                }
            }
            (Stop::Branch(old_arms), Stop::Branch(new_arms)) if are_on_the_same(&old_arms, &new_arms) => {
                for (condition, old_way) in &old_arms {
                    let Some((_, new_way)) = new_arms.iter().find(|(other, _)| other == condition) else {
                        continue;
                    };
                    if let Some(both) = self.under(&both, *condition) {
                        self.take(&[(Which::Old, old_way), (Which::New, new_way)], both, open)?;
                    }
                }
            }
            (Stop::Branch(arms), _) if waits(&both.new.stop) && self.first_to_go(&both) == Which::Old => {
                for (condition, way) in arms {
                    if let Some(both) = self.under(&both, condition) {
                        self.take(&[(Which::Old, &way)], both, open)?;
                    }
                }
            }
            (_, Stop::Branch(arms)) if waits(&both.old.stop) => {
                for (condition, way) in arms {
                    if let Some(both) = self.under(&both, condition) {
                        self.take(&[(Which::New, &way)], both, open)?;
                    }
                }
            }
            (Stop::Join(block, kind), _) => {
                if self.may_go_alone(kind, &mut both)? {
                    both.old = self.leave(Which::Old, both.old, block)?;
                    open.push_back(both);
                }
            }
            (_, Stop::Join(block, kind)) => {
                if self.may_go_alone(kind, &mut both)? {
                    both.new = self.leave(Which::New, both.new, block)?;
                    open.push_back(both);
                }
            }
            (Stop::Effect(a), Stop::Effect(b)) => {
                if self.is_same_effect(&both, &a, &b) {
                    self.happen(both, &a, &b, open)?;
                } else if !self.is_impossible(&both) {
                    return Err(Obstacle::Effects);
                }
            }
            (Stop::Branch(_), _) | (_, Stop::Branch(_)) => unreachable!("the other side waits"),
            (Stop::Effect(_), Stop::End(_)) | (Stop::End(_), Stop::Effect(_)) => {
                if !self.is_impossible(&both) {
                    return Err(Obstacle::Effects);
                }
            }
        }
        Ok(())
    }

    /// Whether one version goes on from where its paths meet, with the other one at an effect or an end: not if there are no such paths. A loop is followed so as long
    /// as its conditions are constant, else for a few rounds.
    fn may_go_alone(&mut self, kind: JoinKind, both: &mut Both) -> Result<bool, Obstacle> {
        if kind == JoinKind::Plain {
            return Ok(true);
        }
        if both.alone.facts == both.facts.len() && both.alone.rounds > 0 {
            return Ok(true);
        }
        both.alone.rounds += 1;
        both.alone.facts = both.facts.len();
        let is_last = both.alone.rounds > MOST_ROUNDS_ALONE;
        if (both.alone.rounds == 1 || is_last) && self.is_impossible(both) {
            return Ok(false);
        }
        match (is_last, &both.old.stop, &both.new.stop) {
            (false, ..) => Ok(true),
            (true, Stop::Effect(_), _) | (true, _, Stop::Effect(_)) => Err(Obstacle::Effects),
            (true, ..) => Err(Obstacle::Ends),
        }
    }

    pub fn addresses(&self) -> Addresses {
        self.numbers.addresses
    }

    pub fn side(&mut self, which: Which, state: State) -> Side<'_, 'a> {
        let code = match which {
            Which::Old => self.old,
            Which::New => self.new,
        };
        Side { code, numbers: &mut self.numbers, state }
    }

    /// Takes arms of branches under the conditions that lead there.
    fn take(
        &mut self,
        ways: &[(Which, &Way)],
        both: Both,
        open: &mut VecDeque<Both>,
    ) -> Result<(), Obstacle> {
        let mut taken = both;
        for (which, way) in ways {
            let gone = self.go(*which, &mut taken, way);
            if gone.is_err() {
                let facts = self.residue_of(&taken);
                return self.unless_kept(gone, &facts);
            }
        }
        open.push_back(taken);
        Ok(())
    }

    fn go(&mut self, which: Which, both: &mut Both, way: &Way) -> Result<(), Obstacle> {
        let state = match which {
            Which::Old => &mut both.old,
            Which::New => &mut both.new,
        };
        let mut side = self.side(which, state.clone());
        side.go(way)?;
        *state = side.state;
        Ok(())
    }

    /// The state where the version has left the places before the next branch at which its paths meet; none if there is an obstacle.
    pub fn until_branch(&mut self, which: Which, mut state: State) -> Option<State> {
        while let Stop::Join(block, JoinKind::Plain) = state.stop {
            state = self.leave(which, state, block).ok()?;
        }
        Some(state)
    }

    fn leave(&mut self, which: Which, state: State, block: BlockId) -> Result<State, Obstacle> {
        let mut side = self.side(which, state);
        side.leave(block)?;
        Ok(side.state)
    }

    /// Goes on from where paths meet. One that is not at the head of a loop goes alone to it where the other one is at one, so that both begin their rounds at once; and so does
    /// one at the head of a loop that does nothing before an inner one.
    fn leave_meeting(&mut self, mut both: Both) -> Result<Both, Obstacle> {
        let (Stop::Join(a, old_kind), Stop::Join(b, new_kind)) = (&both.old.stop, &both.new.stop) else {
            return Err(Obstacle::Malformed);
        };
        let (a, b) = (*a, *b);
        if (*old_kind, *new_kind) == (JoinKind::Header, JoinKind::Header) {
            let old = self.leave(Which::Old, both.old.clone(), a)?;
            let new = self.leave(Which::New, both.new.clone(), b)?;
            match (is_at_inner_head(a, &old), is_at_inner_head(b, &new)) {
                (true, false) => both.old = old,
                (false, true) => both.new = new,
                (false, false) | (true, true) => (both.old, both.new) = (old, new),
            }
            return Ok(both);
        }
        let (old_leaves, new_leaves) = match (old_kind, new_kind) {
            (JoinKind::Header, JoinKind::Plain) => (false, true),
            (JoinKind::Plain, JoinKind::Header) => (true, false),
            _ => (true, true),
        };
        if old_leaves {
            both.old = self.leave(Which::Old, both.old, a)?;
        }
        if new_leaves {
            both.new = self.leave(Which::New, both.new, b)?;
        }
        Ok(both)
    }

    /// What goes on from where paths meet: nothing if that was seen.
    fn arrive(
        &mut self,
        at: (BlockId, BlockId),
        kind: JoinKind,
        mut both: Both,
        arrival: Arrival,
    ) -> Result<Option<Both>, Obstacle> {
        self.forget(at, &mut both);
        both.alone = Alone::default();
        let stored = self.meetings.get(&at).map_or(&[][..], |meeting| &meeting.states);
        evaluate_where_it_agrees(&mut self.numbers, &mut both, stored);
        let stored = stored.to_vec();
        self.hold_alike(&mut both, &stored);
        let next = JoinId::from_usize(self.meetings.len());
        let meeting = self.meetings.entry(at).or_insert(Meeting {
            id: next,
            states: Vec::new(),
            generations: Vec::new(),
            joins: 0,
        });
        let id = meeting.id;
        let states = meeting.states.clone();
        if kind == JoinKind::Header && matches!(self.attempt, Attempts::First { .. }) {
            for state in states.iter().filter(|state| state.is_alike(&both)) {
                let guesses = guesses(&mut self.numbers, id, state, &both);
                self.bounds.entry(at).or_default().extend(guesses);
            }
        }
        for state in &states {
            let Some(required) = covers(&mut self.numbers, id, state, &both) else { continue };
            if required.into_iter().all(|fact| self.holds(&both, fact)) {
                return Ok(None);
            }
        }
        // What does not come here must not widen what does.
        if !states.is_empty() && self.is_impossible(&both) {
            return Ok(None);
        }
        if arrival == Arrival::Checked {
            return Err(Obstacle::Refused);
        }
        let numbers = &mut self.numbers;
        let Some(meeting) = self.meetings.get_mut(&at) else { return Err(Obstacle::Malformed) };
        let last = meeting.states.iter().rposition(|state| state.is_alike(&both));
        let modes = both.modes(numbers);
        let of_mode =
            meeting.states.iter().rposition(|state| state.is_alike(&both) && state.modes(numbers) == modes);
        let (alike, most) = match kind {
            JoinKind::Plain => (of_mode.or(last), self.limits.states),
            JoinKind::Header if meeting.states.len() < MOST_MODES => (of_mode, 0),
            JoinKind::Header => (of_mode.or(last), 0),
        };
        match alike {
            Some(last) if meeting.states.len() >= most => {
                meeting.joins += 1;
                if meeting.joins > MOST_JOINS {
                    return Err(Obstacle::TooLarge);
                }
                let stored = meeting.states[last].clone();
                let guesses =
                    if meeting.joins > MOST_JOINS_OF_GUESSES { Guesses::Dropped } else { Guesses::Made };
                let mut joined = join(numbers, id, (&stored, &both), guesses);
                self.assume_bounds(at, [&stored, &both], &mut joined);
                let Some(meeting) = self.meetings.get_mut(&at) else { return Err(Obstacle::Malformed) };
                meeting.generations[last] += 1;
                if kind == JoinKind::Header {
                    joined.since = Some(Since { at, state: last, generation: meeting.generations[last] });
                }
                meeting.states[last] = joined.clone();
                self.drop_replaced();
                Ok(Some(joined))
            }
            _ => {
                if kind == JoinKind::Header {
                    both.since = Some(Since { at, state: meeting.states.len(), generation: 0 });
                }
                meeting.states.push(both.clone());
                meeting.generations.push(0);
                Ok(Some(both))
            }
        }
    }

    /// Whether the state comes from one at the head of a loop that another one has taken the place of: what follows from that covers it.
    fn is_replaced(&self, both: &Both) -> bool {
        both.since.is_some_and(|since| {
            let meeting = self.meetings.get(&since.at);
            meeting.and_then(|meeting| meeting.generations.get(since.state)) != Some(&since.generation)
        })
    }

    /// Forgets where paths meet what comes from a state that was replaced, so that it does not widen what comes now.
    fn drop_replaced(&mut self) {
        let replaced: Vec<((BlockId, BlockId), Vec<bool>)> = self
            .meetings
            .iter()
            .map(|(at, meeting)| (*at, meeting.states.iter().map(|both| self.is_replaced(both)).collect()))
            .collect();
        for (at, is_replaced) in replaced {
            let Some(meeting) = self.meetings.get_mut(&at) else { continue };
            // Heads of loops keep theirs: others count them.
            let mut kept = is_replaced.iter().map(|is_replaced| !is_replaced);
            if meeting.states.iter().all(|both| both.since.is_none_or(|since| since.at != at)) {
                meeting.states.retain(|_| kept.next().unwrap_or(true));
                meeting.generations.truncate(meeting.states.len());
            }
        }
    }

    /// Adds bounds to what is known of a state that stands for two: those that hold in both.
    fn assume_bounds(&mut self, at: (BlockId, BlockId), parts: [&Both; 2], joined: &mut Both) {
        if self.attempt != Attempts::Second {
            return;
        }
        for bound in self.bounds.get(&at).cloned().unwrap_or_default() {
            let says = |of: &Both, numbers: &mut Numbers| {
                let term = bound.part.scalar(numbers, &of.places())?;
                let is_of_sort = numbers.pool.sort(term) == bound.sort(&numbers.pool);
                is_of_sort.then(|| bound.of(&mut numbers.pool, term))
            };
            let holds = parts.iter().all(|part| {
                says(part, &mut self.numbers).is_some_and(|condition| self.holds(part, condition))
            });
            if let Some(fact) = says(joined, &mut self.numbers).filter(|_| holds)
                && self.numbers.pool.as_bool(fact).is_none()
            {
                joined.facts.insert(fact);
            }
        }
    }

    /// Locals that nobody reads any more hold nothing, in each version something of its own.
    fn forget(&mut self, (a, b): (BlockId, BlockId), both: &mut Both) {
        for (code, state, block, version) in
            [(self.old, &mut both.old, a, Version::Old), (self.new, &mut both.new, b, Version::New)]
        {
            let dead = self.numbers.of(Node::Dead(version));
            for (local, number) in state.locals.iter_mut().enumerate() {
                if !code.is_live_at(block, LocalId::from_usize(local)) {
                    *number = dead;
                }
            }
        }
    }

    /// The state on the paths where the condition holds; none if there are none.
    fn under(&mut self, both: &Both, condition: TermId) -> Option<Both> {
        let pool = &mut self.numbers.pool;
        if pool.as_bool(condition) == Some(false) {
            return None;
        }
        let facts: Vec<TermId> = both.facts.iter().copied().collect();
        for fact in facts {
            let together = pool.and(fact, condition);
            if pool.as_bool(together) == Some(false) {
                return None;
            }
        }
        let mut both = both.clone();
        if pool.as_bool(condition).is_none() {
            both.facts.insert(condition);
        }
        Some(both)
    }

    fn end_alike(&mut self, both: &Both, a: &End, b: &End) -> bool {
        let ends = match (a, b) {
            (End::Returned(a), End::Returned(b)) => self.is_same(both, *a, *b),
            (End::Unwound(a), End::Unwound(b)) => self.is_same_cause(both, a, b),
            (End::Aborted, End::Aborted) => true,
            _ => false,
        };
        ends && self.is_same(both, both.old.memory, both.new.memory)
    }

    fn is_same_cause(&mut self, both: &Both, a: &Cause, b: &Cause) -> bool {
        match (a, b) {
            (Cause::Effect(a), Cause::Effect(b)) => a == b,
            _ => a.is_alike(b) && self.are_same(both, a.numbers(), b.numbers()),
        }
    }

    pub fn is_same_effect(&mut self, both: &Both, a: &Attempt, b: &Attempt) -> bool {
        // Whoever is called may ask whether something unwinds.
        let are_in_clean_up_alike = match (&both.old.cause, &both.new.cause) {
            (None, None) => true,
            (Some(old), Some(new)) => self.is_same_cause(both, old, new),
            _ => false,
        };
        are_in_clean_up_alike
            && a.effect == b.effect
            && a.target.is_some() == b.target.is_some()
            && both.old.escaped == both.new.escaped
            && a.operands.len() == b.operands.len()
            && a.operands.iter().zip(&b.operands).all(|(a, b)| self.is_same(both, *a, *b))
    }

    /// Both versions make the effect: it ends alike, in one of two ways.
    fn happen(
        &mut self,
        both: Both,
        a: &Attempt,
        b: &Attempt,
        open: &mut VecDeque<Both>,
    ) -> Result<(), Obstacle> {
        let memory = self.numbers.of(Node::After(Box::new(a.effect.clone()), a.operands.clone()));
        if a.unwind.is_some() || b.unwind.is_some() {
            let unwound = self.numbers.of(Node::Unwound(memory));
            let mut both = both.clone();
            for (which, attempt) in [(Which::Old, a), (Which::New, b)] {
                let state = match which {
                    Which::Old => &mut both.old,
                    Which::New => &mut both.new,
                };
                let mut side = self.side(which, state.clone());
                side.set_memory(unwound);
                side.unwind(Cause::Effect(unwound), attempt.unwind)?;
                *state = side.state;
            }
            open.push_back(both);
        }
        let mut both = both;
        both.alone = Alone::default();
        let mut side = self.side(Which::Old, both.old);
        side.after(a, memory)?;
        both.old = side.state;
        let mut side = self.side(Which::New, both.new);
        side.after(b, memory)?;
        both.new = side.state;
        open.push_back(both);
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Old,
    New,
}

/// Whether both branches ask the same, so that both are taken at once.
fn are_on_the_same(old: &[(TermId, Way)], new: &[(TermId, Way)]) -> bool {
    let conditions =
        |arms: &[(TermId, Way)]| arms.iter().map(|(condition, _)| *condition).collect::<BTreeSet<_>>();
    old.len() == new.len() && conditions(old).len() == old.len() && conditions(old) == conditions(new)
}

/// Whether a version that has left the head of a loop stands at the head of a loop behind it.
fn is_at_inner_head(left: BlockId, state: &State) -> bool {
    matches!(state.stop, Stop::Join(block, JoinKind::Header) if block > left)
}

/// Whether the side has nothing to do as long as the other has branches: it is at a branch too, at the head of a loop, at an effect or an end.
fn waits(stop: &Stop) -> bool {
    !matches!(stop, Stop::Join(_, JoinKind::Plain))
}
