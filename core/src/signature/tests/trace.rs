//! A second interpreter for the bodies of random programs, which shares nothing with the machine: it runs on bytes alone
//! and writes down every step, with the memory cells that it read and wrote.

use std::collections::BTreeMap;

use crate::idx::Idx;
use crate::ir::{
    AggregateKind, BinOp, BlockId, Body, Callee, Const, FnBody, FnId, FnRef, Operand, Place, Program,
    Projection, Rvalue, StatementKind, TerminatorKind,
};

/// A byte, flag or pointer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub frame: usize,
    pub local: usize,
    pub element: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Number(u64),
    PointsTo(Cell),
}

pub type Memory = BTreeMap<Cell, Content>;

/// The frame of what the caller of the program owns.
pub const CALLER: usize = usize::MAX;
/// What the third argument refers to.
pub const BEHIND_Z: Cell = Cell { frame: CALLER, local: 0, element: 0 };

#[derive(Clone, Debug)]
pub struct Write {
    pub cell: Cell,
    /// What the value was computed from.
    pub from: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Plain,
    /// A choice between successors, with the memory at that time; the arm taken left out.
    Fork {
        reads: Vec<Cell>,

        others: Vec<BlockId>,
        memory: Memory,
    },
    Return,
}

/// One step of a run.
#[derive(Clone, Debug)]
pub struct Event {
    pub frame: usize,
    pub block: BlockId,
    pub writes: Vec<Write>,
    pub kind: Kind,
}

/// What a run left behind. The event of step n is the one at n - 1.
#[derive(Debug)]
pub struct Trace {
    pub events: Vec<Event>,
    pub functions: Vec<FnId>,
    /// The event that called each frame.
    pub called_by: Vec<Option<usize>>,
}

pub fn body(program: &Program, function: FnId) -> &Body {
    match &program.functions[function].body {
        FnBody::Present(body) => body,
        other => panic!("a random program without a body: {other:?}"),
    }
}

struct Interpreter<'p> {
    program: &'p Program,
    memory: Memory,
    trace: Trace,
}

/// Runs the program on two bytes and a reference to a third.
pub fn run(program: &Program, [x, y, z]: [u8; 3]) -> Trace {
    let trace = Trace { events: Vec::new(), functions: Vec::new(), called_by: Vec::new() };
    let mut interpreter = Interpreter { program, memory: Memory::new(), trace };
    interpreter.memory.insert(BEHIND_Z, Content::Number(z.into()));
    let arguments = [Content::Number(x.into()), Content::Number(y.into()), Content::PointsTo(BEHIND_Z)];
    interpreter.call(FnId::from_usize(0), &arguments, None);
    interpreter.trace
}

enum Ended {
    Returned,
    Panicked,
}

impl Interpreter<'_> {
    fn call(&mut self, function: FnId, arguments: &[Content], caller: Option<(usize, Cell)>) -> Ended {
        let frame = self.trace.functions.len();
        self.trace.functions.push(function);
        self.trace.called_by.push(caller.map(|(event, _)| event));
        for (index, argument) in arguments.iter().enumerate() {
            self.memory.insert(Cell { frame, local: index + 1, element: 0 }, *argument);
        }
        let body = body(self.program, function);
        let mut block = BlockId::entry();
        loop {
            for statement in &body.blocks[block].statements {
                let StatementKind::Assign(place, rvalue) = &statement.kind else {
                    panic!("not in random programs: {statement:?}")
                };
                let writes = self.assign(frame, place, rvalue);
                self.trace.events.push(Event { frame, block, writes, kind: Kind::Plain });
            }
            let mut event = Event { frame, block, writes: Vec::new(), kind: Kind::Plain };
            match &body.blocks[block].terminator.kind {
                TerminatorKind::Goto(target) => {
                    self.trace.events.push(event);
                    block = *target;
                }
                TerminatorKind::SwitchInt { discr, targets, otherwise } => {
                    let (value, reads) = self.number(frame, discr);
                    let hit = targets.iter().find(|(of, _)| *of == u128::from(value)).map(|(_, to)| *to);
                    let taken = hit.or(*otherwise).expect("a switch has an arm for each value");
                    let all = targets.iter().map(|(_, to)| *to).chain(*otherwise);
                    let others = all.filter(|to| *to != taken).collect();
                    event.kind = Kind::Fork { reads, others, memory: self.memory.clone() };
                    self.trace.events.push(event);
                    block = taken;
                }
                TerminatorKind::Assert { condition, expected, target, .. } => {
                    let (value, reads) = self.number(frame, condition);
                    let holds = (value != 0) == *expected;
                    let (taken, others) = if holds { (Some(*target), vec![]) } else { (None, vec![*target]) };
                    event.kind = Kind::Fork { reads, others, memory: self.memory.clone() };
                    self.trace.events.push(event);
                    match taken {
                        Some(target) => block = target,
                        None => return Ended::Panicked,
                    }
                }
                TerminatorKind::Call { callee, args, destination, target, .. } => {
                    let Callee::Fn(FnRef::Free { path, .. }) = callee else { panic!("a call of {callee:?}") };
                    let callee = self.program.functions_at(path)[0];
                    let called = self.trace.functions.len();
                    let mut contents = Vec::new();
                    for (index, argument) in args.iter().enumerate() {
                        let (content, from) = self.operand(frame, argument);
                        contents.push(content);
                        let cell = Cell { frame: called, local: index + 1, element: 0 };
                        event.writes.push(Write { cell, from });
                    }
                    let at = self.trace.events.len();
                    self.trace.events.push(event);
                    let result = Cell { frame, local: destination.local.index(), element: 0 };
                    if let Ended::Panicked = self.call(callee, &contents, Some((at, result))) {
                        return Ended::Panicked;
                    }
                    block = target.expect("the callee returns");
                }
                TerminatorKind::Return => {
                    event.kind = Kind::Return;
                    if let Some((_, cell)) = caller {
                        event.writes.push(Write { cell, from: vec![Cell { frame, local: 0, element: 0 }] });
                    }
                    self.trace.events.push(event);
                    return Ended::Returned;
                }
                other => panic!("not in random programs: {other:?}"),
            }
        }
    }

    fn assign(&mut self, frame: usize, place: &Place, rvalue: &Rvalue) -> Vec<Write> {
        let (cell, on_the_way) = self.cell(frame, place);
        if let Rvalue::Aggregate(AggregateKind::Array, items) = rvalue {
            let mut writes = Vec::new();
            for (element, item) in items.iter().enumerate() {
                let (content, from) = self.operand(frame, item);
                let cell = Cell { element, ..cell };
                self.memory.insert(cell, content);
                writes.push(Write { cell, from });
            }
            return writes;
        }
        let (content, mut from) = match rvalue {
            Rvalue::Use(operand) => self.operand(frame, operand),
            Rvalue::Cast(_, operand, _) => self.operand(frame, operand),
            Rvalue::RawPtr(_, of) => {
                let (target, from) = self.cell(frame, of);
                (Content::PointsTo(target), from)
            }
            Rvalue::Binary(op, a, b) => {
                let ((a, mut from), (b, others)) = (self.number(frame, a), self.number(frame, b));
                from.extend(others);
                let byte = match op {
                    BinOp::Add => (a + b) & 0xff,
                    BinOp::Sub => (a + 0x100 - b) & 0xff,
                    BinOp::BitXor => a ^ b,
                    BinOp::BitAnd => a & b,
                    BinOp::Lt => (a < b).into(),
                    BinOp::Eq => (a == b).into(),
                    other => panic!("not in random programs: {other:?}"),
                };
                (Content::Number(byte), from)
            }
            other => panic!("not in random programs: {other:?}"),
        };
        from.extend(on_the_way);
        self.memory.insert(cell, content);
        vec![Write { cell, from }]
    }

    /// The cell that a place names now, and what was read to find it.
    fn cell(&self, frame: usize, place: &Place) -> (Cell, Vec<Cell>) {
        let mut cell = Cell { frame, local: place.local.index(), element: 0 };
        let mut read = Vec::new();
        for projection in &place.projection {
            match projection {
                Projection::Deref => {
                    read.push(cell);
                    match self.memory[&cell] {
                        Content::PointsTo(target) => cell = target,
                        Content::Number(number) => panic!("{number} is dereferenced"),
                    }
                }
                Projection::Index(local) => {
                    let index = Cell { frame, local: local.index(), element: 0 };
                    read.push(index);
                    match self.memory[&index] {
                        Content::Number(number) => cell.element = number as usize,
                        Content::PointsTo(_) => panic!("a pointer for an index"),
                    }
                }
                other => panic!("not in random programs: {other:?}"),
            }
        }
        (cell, read)
    }

    fn operand(&self, frame: usize, operand: &Operand) -> (Content, Vec<Cell>) {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => {
                let (cell, mut read) = self.cell(frame, place);
                read.push(cell);
                (self.memory[&cell], read)
            }
            Operand::Const(Const::Int(bits, _)) => (Content::Number(*bits as u64), Vec::new()),
            Operand::Const(other) => panic!("not in random programs: {other:?}"),
        }
    }

    fn number(&self, frame: usize, operand: &Operand) -> (u64, Vec<Cell>) {
        match self.operand(frame, operand) {
            (Content::Number(number), read) => (number, read),
            (Content::PointsTo(cell), _) => panic!("a pointer to {cell:?} for a number"),
        }
    }
}
