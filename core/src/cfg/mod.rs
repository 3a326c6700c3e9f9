//! Control flow of one body: order, dominators, post-dominators, loops, regions of branches.
//!
//! Idea: the executor and the slicer ask where a branch stops to matter. That is at its *immediate
//! post-dominator*, the first block that every path from the branch to an end of the function passes. All ends are
//! joined in one virtual exit, so there always is an answer, if need be [`PostDominator::Exit`].
//!
//! What counts as an end of the function:
//! * `Return`, `Resume`, `Abort`, an unsupported terminator, and a call that does not come back;
//! * the failing arm of an `Assert`, always;
//! * a block for which the caller of [`ControlFlow::new`] says that it may panic, in its call, in its drop or before;
//! * an infinite loop, at its header: a loop that has no way out is taken to end there, as otherwise a branch of
//!   which one arm spins for ever would be post-dominated by its other arm, and whether the function ends at all
//!   would depend on nothing.
//!
//! `Unreachable` is no end: it is never reached. Blocks from which nothing but `Unreachable` can be reached are
//! *dead* and do not take part; so the exhaustive `match` of an enum joins after its real arms.
//!
//! Not handled: cleanup blocks and unwinding edges are left out. Asked about a block that is left out (cleanup or
//! dead), every method gives the answer for an isolated block that ends the function.

mod graph;
mod loops;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::idx::{Idx, IdxVec};
use crate::ir::{BlockId, Body};
use graph::FlowGraph;
use loops::LoopForest;

/// Where the influence of a block's branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PostDominator {
    Block(BlockId),
    /// No block lies on all ways out of the function.
    Exit,
}

/// The control-flow facts of one body. Regions are computed when first asked for.
#[derive(Debug)]
pub struct ControlFlow {
    graph: FlowGraph,
    reverse_post_order: Vec<BlockId>,
    dominators: Dominators<NodeIndex>,
    post_dominators: IdxVec<BlockId, PostDominator>,
    loops: LoopForest,
    regions: HashMap<(BlockId, BlockId), OnceLock<Vec<BlockId>>>,
}

impl ControlFlow {
    /// `may_panic` is asked for blocks that would go on: those that end in a call, a drop, a jump or a switch.
    pub fn new(body: &Body, may_panic: &dyn Fn(BlockId) -> bool) -> Self {
        let graph = FlowGraph::new(body, may_panic);
        let reverse_post_order = graph.reverse_post_order();
        let dominators = dominators(&graph);
        let loops = LoopForest::new(&graph, &reverse_post_order);
        let post_dominators = post_dominators(&graph, &loops);
        let regions = graph
            .blocks()
            .flat_map(|block| graph.successors(block).iter().map(move |next| (block, *next)))
            .map(|edge| (edge, OnceLock::new()))
            .collect();
        ControlFlow { graph, reverse_post_order, dominators, post_dominators, loops, regions }
    }

    /// Successors without unwinding, without duplicates, dead blocks left out.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.graph.successors(block)
    }

    /// The inverse of [`ControlFlow::successors`], in ascending order.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.graph.predecessors(block)
    }

    /// The blocks that can be reached from the entry, each before its successors except along back edges.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.reverse_post_order
    }

    /// The closest other block that is on every path from the entry; none for the entry and for blocks that cannot
    /// be reached.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.immediate_dominator(node(block)).map(block_of)
    }

    /// Whether every path from the entry to `block` passes `dominator`; a block dominates itself.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        self.dominators
            .dominators(node(block))
            .is_some_and(|mut all| all.any(|candidate| candidate == node(dominator)))
    }

    /// The closest other block that is on every path from `block` to an end of the function.
    pub fn immediate_post_dominator(&self, block: BlockId) -> PostDominator {
        self.post_dominators[block]
    }

    /// Whether control can come back to the block within one call.
    pub fn in_cycle(&self, block: BlockId) -> bool {
        self.loops.innermost(block).is_some()
    }

    /// Whether going from `from` to `to` leaves a loop that `from` is in, be it the innermost or an outer one.
    pub fn leaves_cycle(&self, from: BlockId, to: BlockId) -> bool {
        self.loops.leaves(from, to)
    }

    /// The header of the innermost loop that going from `from` to `to` stays in; none if it leaves all that `from` is in.
    pub fn stays_in_loop_at(&self, from: BlockId, to: BlockId) -> Option<BlockId> {
        self.loops.header_of_common(from, to)
    }

    /// Whether there is a path, possibly of no step at all, from `from` to `to`.
    pub fn reaches(&self, from: BlockId, to: BlockId) -> bool {
        from == to || self.graph.reachable(from, PostDominator::Exit).contains(&to)
    }

    /// The blocks that can be reached from `successor` before the immediate post-dominator of `branch`, in ascending
    /// order: what the arm may run while it depends on the branch. Holds `branch` itself if the arm leads back to it.
    /// Empty if `successor` is the post-dominator, or no successor of `branch` at all.
    pub fn region(&self, branch: BlockId, successor: BlockId) -> &[BlockId] {
        match self.regions.get(&(branch, successor)) {
            Some(region) => {
                region.get_or_init(|| self.graph.reachable(successor, self.post_dominators[branch]))
            }
            None => &[],
        }
    }
}

fn node(block: BlockId) -> NodeIndex {
    NodeIndex::new(block.index())
}

fn block_of(node: NodeIndex) -> BlockId {
    BlockId::from_usize(node.index())
}

fn dominators(graph: &FlowGraph) -> Dominators<NodeIndex> {
    let mut forward = DiGraph::<(), ()>::new();
    // A body without blocks is malformed, but must not bring the analysis down.
    (0..graph.len().max(1)).for_each(|_| {
        forward.add_node(());
    });
    for block in graph.blocks() {
        for next in graph.successors(block) {
            forward.add_edge(node(block), node(*next), ());
        }
    }
    simple_fast(&forward, NodeIndex::new(0))
}

fn post_dominators(graph: &FlowGraph, loops: &LoopForest) -> IdxVec<BlockId, PostDominator> {
    let exit = NodeIndex::new(graph.len());
    let mut backward = DiGraph::<(), ()>::new();
    (0..=graph.len()).for_each(|_| {
        backward.add_node(());
    });
    for block in graph.blocks() {
        for next in graph.successors(block) {
            backward.add_edge(node(*next), node(block), ());
        }
        if graph.may_end(block) {
            backward.add_edge(exit, node(block), ());
        }
    }
    for header in loops.endless_headers() {
        backward.add_edge(exit, node(*header), ());
    }
    let dominators = simple_fast(&backward, exit);
    graph
        .blocks()
        .map(|block| match dominators.immediate_dominator(node(block)) {
            Some(found) if found != exit => PostDominator::Block(block_of(found)),
            _ => PostDominator::Exit,
        })
        .collect()
}
