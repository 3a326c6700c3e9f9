//! Relevant slices by definitions 1 to 6 of the paper: the trace is stored and walked backward, once for each criterion.
//!
//! Nothing here is fast, and nothing is shared with `exec` or `cfg`: control dependence is decided by looking for ways
//! around a block, and what an arm may define by walking all of its paths.

use std::collections::{BTreeMap, BTreeSet};

use super::trace::{BEHIND_Z, Cell, Content, Event, Kind, Memory, Trace, Write, body};
use crate::idx::Idx;
use crate::ir::{
    BlockId, Body, Callee, FnId, FnRef, Operand, Place, Program, Projection, Rvalue, StatementKind,
    TerminatorKind,
};

/// What else the slices of the machine hold by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The definitions to the letter.
    Paper,
    /// A branch in a loop may lead into a loop without end: control dependence that takes these into account.
    LoopsMayNotEnd,
}

pub struct Slicer<'t> {
    program: &'t Program,
    trace: &'t Trace,
    rules: Rules,
    may_define: BTreeMap<usize, BTreeSet<Cell>>,
}

impl<'t> Slicer<'t> {
    pub fn new(program: &'t Program, trace: &'t Trace, rules: Rules) -> Self {
        let mut slicer = Slicer { program, trace, rules, may_define: BTreeMap::new() };
        for (at, event) in trace.events.iter().enumerate() {
            if let Kind::Fork { others, memory, .. } = &event.kind {
                let defined = slicer.defined_otherwise(event, others, memory);
                slicer.may_define.insert(at, defined);
            }
        }
        slicer
    }

    /// The branches in the relevant slice of a branch, itself included.
    pub fn of_branch(&self, at: usize) -> BTreeSet<usize> {
        self.closure(vec![Need::Event(at)])
    }

    /// The branches in the relevant slice of what a caller sees.
    pub fn of_output(&self) -> BTreeSet<usize> {
        let last = self.trace.events.len() - 1;
        let mut needs = vec![Need::Event(last)];
        if let Kind::Return = self.trace.events[last].kind {
            needs.push(Need::Value(Cell { frame: 0, local: 0, element: 0 }, last));
            needs.push(Need::Value(BEHIND_Z, last));
        }
        self.closure(needs)
    }

    fn closure(&self, mut needs: Vec<Need>) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut branches = BTreeSet::new();
        while let Some(need) = needs.pop() {
            if !seen.insert(need) {
                continue;
            }
            match need {
                Need::Event(at) => {
                    if let Kind::Fork { reads, .. } = &self.trace.events[at].kind {
                        branches.insert(at);
                        needs.extend(reads.iter().map(|cell| Need::Value(*cell, at)));
                    }
                    needs.extend(self.control(at).map(Need::Event));
                }
                Need::Value(cell, at) => {
                    // Data: the last write before.
                    let written = (0..at).rev().find_map(|before| {
                        let writes = &self.trace.events[before].writes;
                        writes.iter().find(|write| write.cell == cell).map(|write| (before, write))
                    });
                    if let Some((before, Write { from, .. })) = written {
                        needs.push(Need::Event(before));
                        needs.extend(from.iter().map(|cell| Need::Value(*cell, before)));
                    }
                    // Potential: a branch since then whose other arm may write it.
                    let since = written.map_or(0, |(before, _)| before + 1);
                    needs.extend(
                        self.may_define
                            .range(since..at)
                            .filter(|(_, cells)| cells.contains(&cell))
                            .map(|(fork, _)| Need::Event(*fork)),
                    );
                }
            }
        }
        branches
    }

    fn body_of(&self, event: &Event) -> &'t Body {
        body(self.program, self.trace.functions[event.frame])
    }

    /// The event that the execution of this one directly depends on: the last one in its frame from which it could have
    /// been missed; if there is none, what the call depends on.
    fn control(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let body = self.body_of(event);
        let fork = (0..at).rev().find(|before| {
            let earlier = &self.trace.events[*before];
            earlier.frame == event.frame
                && matches!(earlier.kind, Kind::Fork { .. })
                && self.can_miss(body, earlier.block, event.block)
        });
        fork.or_else(|| self.control(self.trace.called_by[event.frame]?))
    }

    /// What may be written if the branch goes another way, until the ways meet again.
    fn defined_otherwise(&self, event: &Event, others: &[BlockId], memory: &Memory) -> BTreeSet<Cell> {
        let body = self.body_of(event);
        let meeting: Vec<BlockId> =
            body.blocks.ids().filter(|block| !self.can_miss(body, event.block, *block)).collect();
        let pointers: Memory = memory
            .iter()
            .filter(|(_, content)| matches!(content, Content::PointsTo(_)))
            .map(|(cell, content)| (*cell, *content))
            .collect();
        let mut arms = Arms { program: self.program, defined: BTreeSet::new() };
        for other in others {
            arms.walk(body, event.frame, *other, &meeting, pointers.clone());
        }
        arms.defined
    }

    /// Whether some way from behind `from` to an end of the function does not pass `block`.
    fn can_miss(&self, body: &Body, from: BlockId, block: BlockId) -> bool {
        let mut seen = BTreeSet::new();
        let mut next = self.ways_on(body, from);
        while let Some(step) = next.pop() {
            match step {
                None => return true,
                Some(here) if here != block && seen.insert(here) => next.extend(self.ways_on(body, here)),
                Some(_) => {}
            }
        }
        false
    }

    fn ways_on(&self, body: &Body, block: BlockId) -> Vec<Option<BlockId>> {
        let mut ways = ways_out(body, block);
        let in_loop = ways.iter().flatten().any(|next| reaches(body, *next, block));
        if self.rules == Rules::LoopsMayNotEnd && in_loop && ways.len() > 1 {
            ways.push(None);
        }
        ways
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Why the event came to be executed and, of a branch, why it went its way.
    Event(usize),
    /// Why the cell has its value when the event reads it.
    Value(Cell, usize),
}

/// The blocks that may come next; none for the end of the function.
fn ways_out(body: &Body, block: BlockId) -> Vec<Option<BlockId>> {
    match &body.blocks[block].terminator.kind {
        TerminatorKind::Goto(target) => vec![Some(*target)],
        TerminatorKind::SwitchInt { targets, otherwise, .. } => {
            targets.iter().map(|(_, target)| *target).chain(*otherwise).map(Some).collect()
        }
        TerminatorKind::Assert { target, .. } => vec![Some(*target), None],
        TerminatorKind::Call { target, .. } => vec![*target],
        _ => vec![None],
    }
}

fn reaches(body: &Body, from: BlockId, to: BlockId) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(here) = next.pop() {
        if here == to {
            return true;
        }
        if seen.insert(here) {
            next.extend(ways_out(body, here).into_iter().flatten());
        }
    }
    false
}

/// All paths of arms that were not taken; numbers are left open, pointers are followed.
struct Arms<'p> {
    program: &'p Program,
    defined: BTreeSet<Cell>,
}

/// The size of the one array.
const ELEMENTS: usize = 4;

impl Arms<'_> {
    fn walk(&mut self, body: &Body, frame: usize, start: BlockId, meeting: &[BlockId], pointers: Memory) {
        let mut seen: Vec<(BlockId, Memory)> = Vec::new();
        let mut next = vec![(start, pointers)];
        while let Some((block, mut pointers)) = next.pop() {
            if meeting.contains(&block) || seen.contains(&(block, pointers.clone())) {
                continue;
            }
            seen.push((block, pointers.clone()));
            for statement in &body.blocks[block].statements {
                if let StatementKind::Assign(place, rvalue) = &statement.kind {
                    self.assign(frame, place, rvalue, &mut pointers);
                }
            }
            if let TerminatorKind::Call { callee, args, .. } = &body.blocks[block].terminator.kind {
                self.call(callee, frame, args, &pointers);
            }
            next.extend(ways_out(body, block).into_iter().flatten().map(|block| (block, pointers.clone())));
        }
    }

    fn call(&mut self, callee: &Callee, frame: usize, args: &[Operand], pointers: &Memory) {
        let Callee::Fn(FnRef::Free { path, .. }) = callee else { panic!("a call of {callee:?}") };
        let callee: FnId = self.program.functions_at(path)[0];
        let inner = frame + 1;
        let mut passed = pointers.clone();
        for (index, argument) in args.iter().enumerate() {
            if let Some(target) = pointer(frame, argument, pointers) {
                passed.insert(Cell { frame: inner, local: index + 1, element: 0 }, Content::PointsTo(target));
            }
        }
        self.walk(body(self.program, callee), inner, BlockId::entry(), &[], passed);
    }

    fn assign(&mut self, frame: usize, place: &Place, rvalue: &Rvalue, pointers: &mut Memory) {
        let cell = target(frame, place, pointers);
        if place.projection.iter().any(|step| matches!(step, Projection::Index(_))) {
            self.defined.extend((0..ELEMENTS).map(|element| Cell { element, ..cell }));
            return;
        }
        self.defined.insert(cell);
        let to = match rvalue {
            Rvalue::RawPtr(_, of) => Some(target(frame, of, pointers)),
            Rvalue::Use(operand) => pointer(frame, operand, pointers),
            _ => None,
        };
        if let Some(to) = to {
            pointers.insert(cell, Content::PointsTo(to));
        }
    }
}

fn pointer(frame: usize, operand: &Operand, pointers: &Memory) -> Option<Cell> {
    let (Operand::Copy(place) | Operand::Move(place)) = operand else { return None };
    match pointers.get(&target(frame, place, pointers)) {
        Some(Content::PointsTo(cell)) => Some(*cell),
        _ => None,
    }
}

fn target(frame: usize, place: &Place, pointers: &Memory) -> Cell {
    let mut cell = Cell { frame, local: place.local.index(), element: 0 };
    for projection in &place.projection {
        if let (Projection::Deref, Some(Content::PointsTo(to))) = (projection, pointers.get(&cell)) {
            cell = *to;
        }
    }
    cell
}
