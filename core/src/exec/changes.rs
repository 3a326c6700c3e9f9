//! Which changes each statement of a version belongs to.
//!
//! A run of a version that knows its changes carries them in slices, like branches: what a changed statement writes depends on its change,
//! and so does what a changed branch decides. The rules of slices take them on from there. So the slice of an output tells on which changes
//! it depends, in one forward pass.

use rustc_hash::FxHashMap;

use crate::ir::{FnId, Position};

crate::define_ids! {
    /// One change between two versions; whoever compares them numbers them.
    ChangeId = "c";
}

/// The changes of one version's statements. Bodies that are not here did not change.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    of: FxHashMap<FnId, FxHashMap<Position, Vec<ChangeId>>>,
}

impl Changes {
    /// Says that a statement, or the terminator behind the last one of a block, belongs to a change.
    pub fn add(&mut self, function: FnId, position: Position, change: ChangeId) {
        let here = self.of.entry(function).or_default().entry(position).or_default();
        if !here.contains(&change) {
            here.push(change);
        }
    }

    pub fn at(&self, function: FnId, position: Position) -> &[ChangeId] {
        let here = self.of.get(&function).and_then(|body| body.get(&position));
        here.map_or(&[], Vec::as_slice)
    }
}
