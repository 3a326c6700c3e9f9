//! The bare graph: edges between live blocks of normal flow, and which blocks may end the function.

use crate::idx::{Idx, IdxVec};
use crate::ir::{BlockId, BlockRole, Body, TerminatorKind};

use super::PostDominator;

#[derive(Debug)]
pub(super) struct FlowGraph {
    successors: IdxVec<BlockId, Vec<BlockId>>,
    predecessors: IdxVec<BlockId, Vec<BlockId>>,
    ends: IdxVec<BlockId, End>,
}

/// What a block has to do with the virtual exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Control always goes on to a successor.
    Never,
    /// Control may leave the function here.
    Possible,
    /// Not part of the graph: cleanup, or bound for `Unreachable`.
    LeftOut,
}

impl FlowGraph {
    pub(super) fn new(body: &Body, may_panic: &dyn Fn(BlockId) -> bool) -> Self {
        let mut ends: IdxVec<BlockId, End> =
            body.blocks.iter_enumerated().map(|(id, _)| own_end(body, id, may_panic)).collect();
        let mut successors: IdxVec<BlockId, Vec<BlockId>> = ends.iter().map(|_| Vec::new()).collect();
        for (id, block) in body.blocks.iter_enumerated() {
            if ends[id] == End::LeftOut {
                continue;
            }
            let named = without_duplicates(block.terminator.kind.successors());
            let is_normal =
                |next: &BlockId| body.blocks.get(*next).is_some_and(|block| block.role == BlockRole::Normal);
            let (known, strange): (Vec<_>, Vec<_>) = named.into_iter().partition(is_normal);
            successors[id] = known;
            // A way to a cleanup block or to none at all is malformed; what comes then is not known.
            if !strange.is_empty() {
                ends[id] = End::Possible;
            }
        }
        let doomed = doomed(&successors, &ends);
        for id in doomed {
            ends[id] = End::LeftOut;
            successors[id].clear();
        }
        for id in successors.ids() {
            successors[id].retain(|next| ends[*next] != End::LeftOut);
        }
        let predecessors = inverse(&successors);
        FlowGraph { successors, predecessors, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.successors.len()
    }

    pub(super) fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        self.successors.ids()
    }

    pub(super) fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    pub(super) fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    pub(super) fn may_end(&self, block: BlockId) -> bool {
        self.ends[block] != End::Never
    }

    pub(super) fn reverse_post_order(&self) -> Vec<BlockId> {
        if self.len() == 0 {
            return Vec::new();
        }
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        // Each entry is a block and how many of its successors have been entered.
        let mut stack = vec![(BlockId::entry(), 0)];
        seen[0] = true;
        while let Some((block, position)) = stack.pop() {
            // Last successor first, so that the first arm of a branch comes first in the reversed order.
            let next = self.successors[block].iter().rev().nth(position);
            match next {
                Some(next) => {
                    stack.push((block, position + 1));
                    if !std::mem::replace(&mut seen[next.index()], true) {
                        stack.push((*next, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        order
    }

    /// The blocks that can be reached from `start`, itself included, without entering `barrier`; ascending.
    pub(super) fn reachable(&self, start: BlockId, barrier: PostDominator) -> Vec<BlockId> {
        let mut seen = vec![false; self.len()];
        let mut stack = vec![start];
        while let Some(block) = stack.pop() {
            if barrier == PostDominator::Block(block) || std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            stack.extend(self.successors[block].iter().copied());
        }
        self.blocks().filter(|block| seen[block.index()]).collect()
    }
}

fn own_end(body: &Body, id: BlockId, may_panic: &dyn Fn(BlockId) -> bool) -> End {
    let block = &body.blocks[id];
    if block.role == BlockRole::Cleanup {
        return End::LeftOut;
    }
    match &block.terminator.kind {
        TerminatorKind::Return
        | TerminatorKind::Resume
        | TerminatorKind::Abort
        | TerminatorKind::Assert { .. }
        | TerminatorKind::Call { target: None, .. }
        | TerminatorKind::Unsupported(_) => End::Possible,
        TerminatorKind::Drop { .. }
        | TerminatorKind::Call { .. }
        | TerminatorKind::Goto(_)
        | TerminatorKind::SwitchInt { .. } => match may_panic(id) {
            true => End::Possible,
            false => End::Never,
        },
        TerminatorKind::Unreachable => End::Never,
    }
}

/// The blocks from which every path ends in `Unreachable`: what is left when blocks with nowhere to go are taken away
/// again and again. Blocks on an endless loop always have somewhere to go and so are not among them.
fn doomed(successors: &IdxVec<BlockId, Vec<BlockId>>, ends: &IdxVec<BlockId, End>) -> Vec<BlockId> {
    let predecessors = inverse(successors);
    let mut open: IdxVec<BlockId, usize> = successors.iter().map(Vec::len).collect();
    let mut work: Vec<BlockId> =
        successors.ids().filter(|id| open[*id] == 0 && ends[*id] == End::Never).collect();
    let mut doomed = Vec::new();
    while let Some(id) = work.pop() {
        doomed.push(id);
        for before in &predecessors[id] {
            open[*before] -= 1;
            if open[*before] == 0 && ends[*before] == End::Never {
                work.push(*before);
            }
        }
    }
    doomed
}

fn inverse(successors: &IdxVec<BlockId, Vec<BlockId>>) -> IdxVec<BlockId, Vec<BlockId>> {
    let mut predecessors: IdxVec<BlockId, Vec<BlockId>> = successors.iter().map(|_| Vec::new()).collect();
    for (id, targets) in successors.iter_enumerated() {
        for target in targets {
            predecessors[*target].push(id);
        }
    }
    predecessors
}

fn without_duplicates(mut blocks: Vec<BlockId>) -> Vec<BlockId> {
    let mut seen = std::collections::HashSet::new();
    blocks.retain(|block| seen.insert(*block));
    blocks
}
