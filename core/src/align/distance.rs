//! How far functions are from those that changed.

use std::collections::{HashMap, VecDeque};

use super::uses::Items;
use crate::ir::{FnId, Origin, Program};

/// For each function of the package that leads to one of `changed` by names in bodies: how many such steps it takes at least.
///
/// Limits: calls that are only dispatched to an implementation are not followed, so this is good for an order of work, not for what may be
/// left out.
pub fn distances(program: &Program, changed: impl IntoIterator<Item = FnId>) -> HashMap<FnId, u32> {
    let items = Items::new(program);
    let own = program.functions.iter_enumerated().filter(|(_, function)| function.origin == Origin::Subject);
    let mut named_by: HashMap<FnId, Vec<FnId>> = HashMap::new();
    for (id, _) in own {
        for named in &items.uses_of_function(id).functions {
            named_by.entry(*named).or_default().push(id);
        }
    }
    let mut distances: HashMap<FnId, u32> = changed.into_iter().map(|id| (id, 0)).collect();
    let mut open: VecDeque<FnId> = distances.keys().copied().collect();
    while let Some(id) = open.pop_front() {
        let further = distances[&id] + 1;
        for caller in named_by.get(&id).into_iter().flatten() {
            distances.entry(*caller).or_insert_with(|| {
                open.push_back(*caller);
                further
            });
        }
    }
    distances
}
