//! The stack of prefixes still to be explored (Algorithm 1 of the paper).

use rustc_hash::FxHashSet;

use super::Condition;
use crate::term::TermId;

/// Conditions to be solved.
#[derive(Clone, Debug)]
pub struct Prefix {
    pub conditions: Vec<TermId>,
}

#[derive(Debug, Default)]
pub struct Frontier {
    stack: Vec<Prefix>,
    pushed: FxHashSet<Vec<TermId>>,
}

impl Frontier {
    pub fn pop(&mut self) -> Option<Prefix> {
        self.stack.pop()
    }

    /// Pushes every negated prefix of a run's conditions. `explored` is the prefix that the run was to satisfy: its own
    /// negations were pushed with it, so pushing starts behind it. Where the run's conditions do not begin with it (the
    /// slices of the two runs were not precise enough), pushing starts where they part.
    pub fn extend(&mut self, conditions: &[Condition], explored: &[TermId]) {
        let shared =
            conditions.iter().zip(explored).take_while(|(condition, term)| condition.holds == **term).count();
        let mut prefix: Vec<TermId> = conditions[..shared].iter().map(|condition| condition.holds).collect();
        for condition in &conditions[shared..] {
            for alternative in &condition.alternatives {
                let mut negated = prefix.clone();
                negated.push(*alternative);
                if self.pushed.insert(negated.clone()) {
                    self.stack.push(Prefix { conditions: negated });
                }
            }
            prefix.push(condition.holds);
        }
    }
}
