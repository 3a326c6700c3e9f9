//! Statics: made when they are first touched, and refused if what they hold can change.

use rustc_hash::FxHashSet;

use super::cells;
use super::machine::Machine;
use super::memory::{Location, Mark, add_slice};
use super::resolve;
use super::run::Stop;
use super::slice::SliceId;
use super::tree::{AllocId, Tree};
use crate::ir::{FunctionKind, Path, Subst};
use crate::verdict::unsupported::{Unsupported, Written};

impl Machine<'_, '_, '_> {
    pub(super) fn static_alloc(&mut self, path: &Path) -> Result<AllocId, Stop> {
        if let Some(alloc) = self.statics.get(path) {
            return Ok(*alloc);
        }
        let function = self.item(path)?;
        // Its value is an input and an output that no caller passes: equal results from its first value prove nothing.
        if self.image.program.functions[function].kind == FunctionKind::StaticMut {
            return Err(Stop::Unsupported(Unsupported::Static {
                path: path.to_string(),
                written: Written::Directly,
            }));
        }
        let value = self.outside_of_control(|machine| {
            machine.call_and_wait(resolve::Resolved { function, subst: Subst::new() }, Vec::new())
        })?;
        // So is that of a static that can be written through shared references.
        let ty = &self.image.program.functions[function].output;
        if !cells::is_constant(self.image.program, ty) && self.leads_to_cell(&value) {
            return Err(Stop::Unsupported(Unsupported::Static {
                path: path.to_string(),
                written: Written::ThroughCells,
            }));
        }
        let value = add_slice(self.run, value, self.untouched_statics);
        let alloc = self.memory.allocate(value);
        self.statics.insert(path.clone(), alloc);
        Ok(alloc)
    }

    /// Whether there is a cell in the value or behind its pointers.
    fn leads_to_cell(&self, value: &Tree) -> bool {
        let mut pending = vec![value.clone()];
        let mut seen = FxHashSet::default();
        while let Some(tree) = pending.pop() {
            if cells::holds_cell(&tree) {
                return true;
            }
            if let Tree::Pointer(pointer) = &tree {
                if seen.insert(pointer.target.alloc) {
                    pending.push(self.memory.allocs[pointer.target.alloc].clone());
                }
            } else {
                pending.extend(tree.children().iter().cloned());
            }
        }
        false
    }

    /// Marks all statics, those included that are first touched later.
    pub(super) fn taint_statics(&mut self, slice: SliceId) {
        for alloc in self.statics.values() {
            self.memory.taint(self.run, &Location::root(*alloc), Mark::data(slice));
        }
        self.untouched_statics = self.run.union(self.untouched_statics, slice);
    }
}
