//! The prefixes still to be explored (Algorithm 1 of the paper): a stack, and in front of it those that promise something.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::Condition;
use super::direction::{Decided, Order, Outlook, Promise, Seen, TURN_OF_THE_REST};
use crate::term::TermId;

/// Conditions to be solved.
#[derive(Clone, Debug)]
pub struct Prefix {
    pub conditions: Vec<TermId>,
    /// Of the last of them, which is the negated one.
    outlook: Outlook,
}

#[derive(Debug)]
pub struct Frontier {
    order: Order,
    stack: Vec<Prefix>,
    /// By [`Promise`], the first found first: a divergence's neighbours come before what lies far behind it.
    promising: [VecDeque<Prefix>; Promise::Nothing as usize],
    pushed: FxHashSet<Vec<TermId>>,
    seen: Seen,
    popped: u64,
}

/// Whether a run went a side of a branch that no run went before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    NewSide,
    Nothing,
}

impl Prefix {
    /// Whether it leads to the other side of a branch that one version alone decides by.
    pub fn is_divergence(&self) -> bool {
        self.outlook.decided == Decided::ByOne
    }
}

impl Frontier {
    pub fn new(order: Order) -> Frontier {
        Frontier {
            order,
            stack: Vec::new(),
            promising: Default::default(),
            pushed: FxHashSet::default(),
            seen: Seen::default(),
            popped: 0,
        }
    }

    pub fn pop(&mut self) -> Option<Prefix> {
        self.popped += 1;
        let is_turn_of_the_rest = self.popped.is_multiple_of(TURN_OF_THE_REST);
        if is_turn_of_the_rest && let Some(prefix) = self.stack.pop() {
            return Some(prefix);
        }
        for rank in 0..self.promising.len() {
            while let Some(prefix) = self.promising[rank].pop_front() {
                // Runs since it was pushed may have shown what it promised.
                let promise = prefix.outlook.promise(&self.seen);
                if promise as usize == rank {
                    self.seen.try_out(&prefix.outlook, promise);
                    return Some(prefix);
                }
                self.put(prefix, promise);
            }
        }
        self.stack.pop()
    }

    fn put(&mut self, prefix: Prefix, promise: Promise) {
        match self.promising.get_mut(promise as usize) {
            Some(queue) => queue.push_back(prefix),
            None => self.stack.push(prefix),
        }
    }

    /// Pushes every negated prefix of a run's conditions. `explored` is the prefix that the run was to satisfy: its own
    /// negations were pushed with it, so pushing starts behind it. Where the run's conditions do not begin with it (the
    /// slices of the two runs were not precise enough), pushing starts where they part.
    pub fn extend(&mut self, conditions: &[Condition], explored: &[TermId]) -> Learned {
        let mut learned = Learned::Nothing;
        for condition in conditions {
            if self.seen.note(&condition.outlook) {
                learned = Learned::NewSide;
            }
        }
        let shared =
            conditions.iter().zip(explored).take_while(|(condition, term)| condition.holds == **term).count();
        let mut prefix: Vec<TermId> = conditions[..shared].iter().map(|condition| condition.holds).collect();
        for condition in &conditions[shared..] {
            for alternative in &condition.alternatives {
                let mut negated = prefix.clone();
                negated.push(*alternative);
                if self.pushed.insert(negated.clone()) {
                    let promise = match self.order {
                        Order::LastFirst => Promise::Nothing,
                        Order::Directed => condition.outlook.promise(&self.seen),
                    };
                    self.put(Prefix { conditions: negated, outlook: condition.outlook }, promise);
                }
            }
            prefix.push(condition.holds);
        }
        learned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{InstanceId, Side};
    use crate::explore::direction::{Failing, Place};
    use crate::idx::Idx;
    use crate::ir::{BlockId, FnId};
    use crate::term::{Sort, TermPool};
    use crate::verdict::Version;

    /// One run whose conditions have these outlooks at different branches; the numbers of the conditions in the order in which they are negated.
    #[track_caller]
    fn check(order: Order, outlooks: &[(Decided, Failing)], expected: &[usize]) {
        let mut pool = TermPool::new();
        let conditions: Vec<Condition> = outlooks
            .iter()
            .enumerate()
            .map(|(number, (decided, failing))| {
                let holds = pool.var(&format!("c{number}"), Sort::Bool);
                let place = Place {
                    version: Version::New,
                    function: FnId::from_usize(0),
                    block: BlockId::from_usize(number),
                    side: Side { tested: BlockId::from_usize(number), leads: true },
                };
                Condition {
                    instance: InstanceId::from_usize(number),
                    holds,
                    alternatives: vec![pool.not(holds)],
                    outlook: Outlook { place: Some(place), decided: *decided, failing: *failing },
                }
            })
            .collect();
        let mut frontier = Frontier::new(order);
        assert_eq!(frontier.extend(&conditions, &[]), Learned::NewSide);
        assert_eq!(frontier.extend(&conditions, &[]), Learned::Nothing);
        let popped: Vec<usize> =
            std::iter::from_fn(|| frontier.pop()).map(|prefix| prefix.conditions.len() - 1).collect();
        assert_eq!(popped, expected);
    }

    #[test]
    fn what_the_new_version_alone_fails_at_comes_first() {
        use Decided::{ByBoth, ByOne};
        use Failing::{OnlyNew, Otherwise};
        let outlooks = [
            (ByBoth, Otherwise),
            (ByOne, Otherwise),
            (ByBoth, OnlyNew),
            (ByOne, OnlyNew),
            (ByOne, Otherwise),
        ];
        check(Order::Directed, &outlooks, &[2, 3, 1, 4, 0]);
        check(Order::LastFirst, &outlooks, &[4, 3, 2, 1, 0]);
    }

    #[test]
    fn every_prefix_comes_out_once() {
        let outlooks = vec![(Decided::ByOne, Failing::Otherwise); 9];
        check(Order::Directed, &outlooks, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
