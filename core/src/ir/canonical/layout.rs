//! The order of blocks in the canonical form, and which of them are one.

use std::collections::{HashMap, HashSet};

use crate::idx::{Idx, IdxVec};
use crate::ir::{BlockId, BlockRole, Body, StatementKind, TerminatorKind};

/// Which blocks of the original make up each block of the canonical body, and in which order.
pub(crate) struct Layout {
    /// Where entering a block leads once empty blocks are skipped.
    forward: IdxVec<BlockId, BlockId>,
    pub(crate) chains: Vec<Vec<BlockId>>,
    pub(crate) numbers: HashMap<BlockId, BlockId>,
}

impl Layout {
    pub(crate) fn new(body: &Body) -> Layout {
        let forward: IdxVec<BlockId, BlockId> = body.blocks.ids().map(|id| skip_empty(body, id)).collect();
        let mut layout = Layout { forward, chains: Vec::new(), numbers: HashMap::new() };
        if body.blocks.is_empty() {
            return layout;
        }
        let start = layout.forward[BlockId::entry()];
        let mut order = layout.reverse_post_order(body, &[start], BlockRole::Normal);
        let unwinds: Vec<BlockId> =
            order.iter().filter_map(|id| layout.enter(body.blocks[*id].terminator.kind.unwind()?)).collect();
        order.extend(layout.reverse_post_order(body, &unwinds, BlockRole::Cleanup));
        // Well-formed bodies never come from cleanup back to normal flow; others keep each block once.
        let mut seen = HashSet::new();
        order.retain(|id| seen.insert(*id));

        let mut entries: HashMap<BlockId, usize> = HashMap::from([(start, 1)]);
        for id in &order {
            for next in layout.all_successors(body, *id) {
                *entries.entry(next).or_default() += 1;
            }
        }
        let joined = |id: BlockId| match &body.blocks[id].terminator.kind {
            TerminatorKind::Goto(target) => layout
                .enter(*target)
                .filter(|next| entries[next] == 1 && body.blocks[*next].role == body.blocks[id].role),
            _ => None,
        };
        let inner: HashSet<BlockId> = order.iter().filter_map(|id| joined(*id)).collect();
        let mut chains = Vec::new();
        for head in order.iter().filter(|id| !inner.contains(id)) {
            chains.push(std::iter::successors(Some(*head), |id| joined(*id)).collect::<Vec<_>>());
        }
        for (index, chain) in chains.iter().enumerate() {
            layout.numbers.insert(chain[0], BlockId::from_usize(index));
        }
        layout.chains = chains;
        layout
    }

    /// The block that a jump to `target` gets to; none if there is no such block.
    pub(crate) fn enter(&self, target: BlockId) -> Option<BlockId> {
        self.forward.get(target).copied()
    }

    /// Successors in canonical order, unwinding left out.
    fn successors(&self, body: &Body, id: BlockId) -> Vec<BlockId> {
        let targets = match &body.blocks[id].terminator.kind {
            TerminatorKind::SwitchInt { targets, otherwise, .. } => {
                sorted_arms(targets).into_iter().map(|(_, target)| target).chain(*otherwise).collect()
            }
            other => other.successors(),
        };
        targets.into_iter().filter_map(|target| self.enter(target)).collect()
    }

    fn all_successors(&self, body: &Body, id: BlockId) -> Vec<BlockId> {
        let mut all = self.successors(body, id);
        all.extend(body.blocks[id].terminator.kind.unwind().and_then(|target| self.enter(target)));
        all
    }

    /// Blocks of the role and whatever they lead to without unwinding; each comes before its successors except along
    /// back edges, and what an earlier start reaches before what only a later one does.
    fn reverse_post_order(&self, body: &Body, starts: &[BlockId], role: BlockRole) -> Vec<BlockId> {
        let mut seen = vec![false; body.blocks.len()];
        let mut order = Vec::new();
        for start in starts.iter().rev() {
            let mut stack = vec![(*start, self.arms_last_first(body, *start, role))];
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            while let Some((id, open)) = stack.last_mut() {
                match open.pop() {
                    Some(next) if std::mem::replace(&mut seen[next.index()], true) => {}
                    Some(next) => stack.push((next, self.arms_last_first(body, next, role))),
                    None => {
                        order.push(*id);
                        stack.pop();
                    }
                }
            }
        }
        order.reverse();
        order
    }

    /// A stack of successors of which the last arm is on top: it has to be finished first to come last in the end.
    fn arms_last_first(&self, body: &Body, id: BlockId, role: BlockRole) -> Vec<BlockId> {
        match role {
            BlockRole::Normal => self.successors(body, id),
            // A cleanup block that unwinds itself goes on to other cleanup blocks.
            BlockRole::Cleanup => self.all_successors(body, id),
        }
    }
}

/// Follows jumps through blocks in which nothing happens. Stops where a circle of such blocks closes.
fn skip_empty(body: &Body, start: BlockId) -> BlockId {
    let mut seen = HashSet::from([start]);
    let mut at = start;
    loop {
        let block = &body.blocks[at];
        let nothing_happens = block.statements.iter().all(|s| s.kind == StatementKind::Nop);
        let TerminatorKind::Goto(next) = block.terminator.kind else { return at };
        let same_role = body.blocks.get(next).is_some_and(|target| target.role == block.role);
        if !nothing_happens || !same_role {
            return at;
        }
        if !seen.insert(next) {
            return next;
        }
        at = next;
    }
}

/// By value; of two arms for one value, of which only the first can be taken, the first stays in front.
pub(crate) fn sorted_arms(targets: &[(u128, BlockId)]) -> Vec<(u128, BlockId)> {
    let mut arms = targets.to_vec();
    arms.sort_by_key(|(value, _)| *value);
    arms
}
