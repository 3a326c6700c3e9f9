//! Logic gates as clauses of a SAT solver, after Tseitin: each gate is a literal that clauses bind to its inputs.
//!
//! *Idea.* A gate whose output follows from what is known of its inputs is not made, and the same gate is made once. So constants run through
//! circuits, and what both versions of a function compute alike is one literal.
//!
//! *Limits.* A question has a budget of [work](Meter): clauses, conflicts and decisions, which are the same on every run, and the clock as a guard. When it is
//! spent no gate is made any more, and literals that stand in their place mean nothing: whoever has built something asks [`Gates::spent`] before
//! anything is concluded from it.

use std::cell::Cell;
use std::time::Instant;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::FxHashMap;

/// A question has no more clauses than this, whatever work is allowed: it bounds the memory.
const MOST_CLAUSES: u64 = 2_000_000;
/// A conflict counts as much as so many clauses: that is about what it takes.
const WORK_OF_CONFLICT: u64 = 200;
/// The clock is read once in so many events.
const CLOCK_EVERY: u32 = 64;

/// Why a question was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    Work,
    Time,
}

/// Counts the work on a question.
struct Meter {
    work: Cell<u64>,
    allowed: u64,
    clauses: u64,
    events: Cell<u32>,
    deadline: Option<Instant>,
    is_late: Cell<bool>,
}

impl Meter {
    fn add(&self, work: u64) {
        self.work.set(self.work.get().saturating_add(work));
        self.events.set(self.events.get() + 1);
        if self.events.get() >= CLOCK_EVERY {
            self.events.set(0);
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.is_late.set(true);
            }
        }
    }

    fn spent(&self) -> Option<Spent> {
        if self.work.get() > self.allowed || self.clauses > MOST_CLAUSES {
            Some(Spent::Work)
        } else {
            self.is_late.get().then_some(Spent::Time)
        }
    }
}

impl Callbacks for Meter {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.add(WORK_OF_CONFLICT + clause.len() as u64);
    }

    /// Asked once for each decision.
    fn stop(&self) -> bool {
        self.add(1);
        self.spent().is_some()
    }
}

/// A gate with its inputs in one order and one polarity.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3([Lit; 3]),
    Majority([Lit; 3]),
    Select(Lit, Lit, Lit),
}

/// What the solver says of all clauses together.
pub(super) enum Outcome {
    Sat,
    Unsat,
    Spent(Spent),
}

/// See the module's text.
pub(super) struct Gates {
    solver: Solver<Meter>,
    yes: Lit,
    made: FxHashMap<Gate, Lit>,
    buffer: Vec<Lit>,
}

impl Gates {
    /// With so much work allowed, until then.
    pub fn new(work: u64, deadline: Option<Instant>) -> Gates {
        let meter = Meter {
            work: Cell::new(0),
            allowed: work,
            clauses: 0,
            events: Cell::new(0),
            deadline,
            is_late: Cell::new(false),
        };
        let mut solver = Solver::new(SolverOpts::default(), meter);
        let yes = Lit::new(solver.new_var_default(), true);
        let mut gates = Gates { solver, yes, made: FxHashMap::default(), buffer: Vec::new() };
        gates.clause(&[yes]);
        gates
    }

    pub fn spent(&self) -> Option<Spent> {
        self.solver.cb().spent()
    }

    /// Counts work that is none of clauses.
    pub fn charge(&self, work: u64) {
        self.solver.cb().add(work);
    }

    #[cfg(test)]
    pub fn work(&self) -> u64 {
        self.solver.cb().work.get()
    }

    pub fn solve(&mut self) -> Outcome {
        if let Some(spent) = self.spent() {
            return Outcome::Spent(spent);
        }
        let found = self.solver.solve_limited(&[]);
        if found == lbool::TRUE {
            Outcome::Sat
        } else if found == lbool::FALSE {
            Outcome::Unsat
        } else {
            Outcome::Spent(self.spent().unwrap_or(Spent::Work))
        }
    }

    /// The value in the model that was found last.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// At least one of them holds.
    pub fn clause(&mut self, lits: &[Lit]) {
        if self.spent().is_some() {
            return;
        }
        let meter = self.solver.cb_mut();
        meter.clauses += 1;
        meter.add(1);
        self.buffer.clear();
        self.buffer.extend_from_slice(lits);
        // What it returns, whether the clauses can still hold, is asked in the end.
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    pub fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    /// The value of a literal that is a constant.
    pub fn known(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.yes.var()).then_some(lit == self.yes)
    }

    /// A literal of which nothing is known.
    pub fn fresh(&mut self) -> Lit {
        if self.spent().is_some() {
            return self.yes;
        }
        Lit::new(self.solver.new_var_default(), true)
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Gates, Lit)) -> Lit {
        if let Some(output) = self.made.get(&gate) {
            return *output;
        }
        let output = self.fresh();
        clauses(self, output);
        self.made.insert(gate, output);
        output
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return self.constant(false),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.gate(Gate::And(a, b), |gates, output| {
            gates.clause(&[!output, a]);
            gates.clause(&[!output, b]);
            gates.clause(&[output, !a, !b]);
        })
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(value), _) => return b ^ value,
            (_, Some(value)) => return a ^ value,
            _ if a.var() == b.var() => return self.constant(a != b),
            _ => {}
        }
        let negated = a.sign() != b.sign();
        let (a, b) = (positive(a), positive(b));
        let (a, b) = (a.min(b), a.max(b));
        let output = self.gate(Gate::Xor(a, b), |gates, output| {
            gates.clause(&[!output, a, b]);
            gates.clause(&[!output, !a, !b]);
            gates.clause(&[output, !a, b]);
            gates.clause(&[output, a, !b]);
        });
        output ^ negated
    }

    /// Whether an odd number of the three holds.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let inputs = [a, b, c];
        let is_plain = inputs.iter().all(|lit| self.known(*lit).is_none());
        if !is_plain || a.var() == b.var() || b.var() == c.var() || a.var() == c.var() {
            let first = self.xor(a, b);
            return self.xor(first, c);
        }
        let negated = inputs.iter().filter(|lit| !lit.sign()).count() % 2 == 1;
        let mut inputs = inputs.map(positive);
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let output = self.gate(Gate::Xor3(inputs), |gates, output| {
            for signs in 0..8u32 {
                let flipped = |lit: Lit, place: u32| lit ^ (signs >> place & 1 == 1);
                // Inputs that are as the clause does not want them have one parity.
                let odd = signs.count_ones() % 2 == 1;
                gates.clause(&[flipped(a, 0), flipped(b, 1), flipped(c, 2), output ^ !odd]);
            }
        });
        output ^ negated
    }

    /// Whether at least two of the three hold.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (one, other, third) in [(a, b, c), (a, c, b), (b, c, a)] {
            if one == other {
                return one;
            }
            if one == !other {
                return third;
            }
            match self.known(third) {
                Some(true) => return self.or(one, other),
                Some(false) => return self.and(one, other),
                None => {}
            }
        }
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let negated = !inputs[0].sign();
        let inputs = inputs.map(|lit| lit ^ negated);
        let [a, b, c] = inputs;
        let output = self.gate(Gate::Majority(inputs), |gates, output| {
            for (one, other) in [(a, b), (a, c), (b, c)] {
                gates.clause(&[!output, one, other]);
                gates.clause(&[output, !one, !other]);
            }
        });
        output ^ negated
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn select(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (condition, then, otherwise) = match condition.sign() {
            true => (condition, then, otherwise),
            false => (!condition, otherwise, then),
        };
        match (self.known(condition), self.known(then), self.known(otherwise)) {
            (Some(true), ..) => return then,
            (Some(false), ..) => return otherwise,
            _ if then == otherwise => return then,
            _ if then == !otherwise => return !self.xor(condition, then),
            (_, Some(true), _) => return self.or(condition, otherwise),
            (_, Some(false), _) => return self.and(!condition, otherwise),
            (_, _, Some(true)) => return self.or(!condition, then),
            (_, _, Some(false)) => return self.and(condition, then),
            _ if condition == then => return self.or(condition, otherwise),
            _ if condition == !then => return self.and(!condition, otherwise),
            _ if condition == otherwise => return self.and(condition, then),
            _ if condition == !otherwise => return self.or(!condition, then),
            _ => {}
        }
        let negated = !then.sign();
        let (then, otherwise) = (then ^ negated, otherwise ^ negated);
        let output = self.gate(Gate::Select(condition, then, otherwise), |gates, output| {
            gates.clause(&[!condition, !then, output]);
            gates.clause(&[!condition, then, !output]);
            gates.clause(&[condition, !otherwise, output]);
            gates.clause(&[condition, otherwise, !output]);
            // These follow, but not by unit propagation.
            gates.clause(&[!then, !otherwise, output]);
            gates.clause(&[then, otherwise, !output]);
        });
        output ^ negated
    }

    /// Whether all hold.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut inputs: Vec<Lit> =
            lits.iter().copied().filter(|lit| self.known(*lit) != Some(true)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.iter().any(|lit| self.known(*lit) == Some(false)) {
            return self.constant(false);
        }
        match inputs[..] {
            [] => self.constant(true),
            [one] => one,
            [one, other] => self.and(one, other),
            _ => {
                let output = self.fresh();
                for input in &inputs {
                    self.clause(&[!output, *input]);
                }
                let mut back: Vec<Lit> = inputs.iter().map(|lit| !*lit).collect();
                back.push(output);
                self.clause(&back);
                output
            }
        }
    }

    /// Whether at least one holds.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        !self.all(&negated)
    }
}

fn positive(lit: Lit) -> Lit {
    if lit.sign() { lit } else { !lit }
}
