//! Loops and how they nest.
//!
//! Idea: a strongly connected component with an edge in it is a loop; its header is its first block in reverse
//! post-order. Without the header, what is still strongly connected is an inner loop. For reducible graphs, which is
//! all that Rust's control structures make, these are the natural loops (those of one header taken as one).

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::graph::FlowGraph;
use crate::idx::{Idx, IdxVec};
use crate::ir::BlockId;

crate::define_ids! {
    LoopId = "loop";
}

#[derive(Debug)]
pub(super) struct LoopForest {
    /// The members of each loop, by block number. Inner loops come behind those that they are in.
    loops: IdxVec<LoopId, Vec<bool>>,
    headers: IdxVec<LoopId, BlockId>,
    innermost: IdxVec<BlockId, Option<LoopId>>,
    endless_headers: Vec<BlockId>,
}

/// Whether a set of blocks is looked at as it is, or with the header of a loop taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outermost,
    Inner,
}

impl LoopForest {
    pub(super) fn new(graph: &FlowGraph, reverse_post_order: &[BlockId]) -> Self {
        // Blocks that the entry does not reach come last, in their own order: they still get their loops.
        let mut rank = vec![usize::MAX; graph.len()];
        for (position, block) in reverse_post_order.iter().enumerate() {
            rank[block.index()] = position;
        }
        let mut forest = LoopForest {
            loops: IdxVec::new(),
            headers: IdxVec::new(),
            innermost: graph.blocks().map(|_| None).collect(),
            endless_headers: Vec::new(),
        };
        let mut work: Vec<(Vec<BlockId>, Depth)> = vec![(graph.blocks().collect(), Depth::Outermost)];
        while let Some((blocks, depth)) = work.pop() {
            for component in cyclic_components(graph, &blocks) {
                let mut members = vec![false; graph.len()];
                component.iter().for_each(|block| members[block.index()] = true);
                let Some(header) =
                    component.iter().copied().min_by_key(|block| (rank[block.index()], *block))
                else {
                    continue;
                };
                let has_way_out = component.iter().any(|block| {
                    graph.may_end(*block)
                        || graph.successors(*block).iter().any(|next| !members[next.index()])
                });
                if depth == Depth::Outermost && !has_way_out {
                    forest.endless_headers.push(header);
                }
                let id = forest.loops.push(members);
                forest.headers.push(header);
                component.iter().for_each(|block| forest.innermost[*block] = Some(id));
                let inner = component.into_iter().filter(|block| *block != header).collect();
                work.push((inner, Depth::Inner));
            }
        }
        forest
    }

    pub(super) fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// Headers of loops that control cannot leave.
    pub(super) fn endless_headers(&self) -> &[BlockId] {
        &self.endless_headers
    }

    /// The header of the innermost loop that both blocks are in.
    pub(super) fn header_of_common(&self, a: BlockId, b: BlockId) -> Option<BlockId> {
        let is_in = |members: &Vec<bool>| members[a.index()] && members[b.index()];
        let mut common = self.loops.iter().zip(self.headers.iter()).filter(|(members, _)| is_in(members));
        common.next_back().map(|(_, header)| *header)
    }

    pub(super) fn leaves(&self, from: BlockId, to: BlockId) -> bool {
        // An outer loop holds all blocks of an inner one, so the innermost is the first to be left.
        self.innermost(from).is_some_and(|id| !self.loops[id][to.index()])
    }
}

/// The strongly connected components of the graph restricted to `blocks` that have an edge in them.
fn cyclic_components(graph: &FlowGraph, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
    let mut part = DiGraph::<BlockId, ()>::new();
    let mut nodes: Vec<Option<NodeIndex>> = vec![None; graph.len()];
    for block in blocks {
        nodes[block.index()] = Some(part.add_node(*block));
    }
    for block in blocks {
        for next in graph.successors(*block) {
            if let (Some(from), Some(to)) = (nodes[block.index()], nodes[next.index()]) {
                part.add_edge(from, to, ());
            }
        }
    }
    // The other algorithm of the library recurses once per block.
    kosaraju_scc(&part)
        .into_iter()
        .filter(|component| component.len() > 1 || part.contains_edge(component[0], component[0]))
        .map(|component| component.into_iter().map(|node| part[node]).collect())
        .collect()
}
