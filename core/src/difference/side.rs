//! One version's way from where paths meet to the next thing that both have to agree on.
//!
//! What only computes is done at once: values get numbers. A way ends at a branch, at an effect (a call, a drop that somebody may see), where paths
//! meet, or at an end.

mod places;
mod total;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, JoinKind, OWN};
use super::numbers::{Effect, Node, Number, Numbers, Operator, SlotId, Step, VariantName};
use super::silent::drops_silently;
use super::{Obstacle, Unfollowed};
use crate::align::Floats;
use crate::exec::terms;
use crate::exec::tree::ScalarTy;
use crate::idx::{Idx, IdxVec};
use crate::ir::canonical::CanonicalBody;
use crate::ir::*;
use crate::term::{FloatOp, TermId};

/// What one version has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub locals: IdxVec<LocalId, Number>,
    pub slots: BTreeMap<SlotId, Number>,
    /// Slots whose addresses others may have: an effect may read and write them.
    pub escaped: BTreeSet<SlotId>,
    pub memory: Number,
    /// What is unwinding, in clean-up blocks.
    pub cause: Option<Cause>,
    pub stop: Stop,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    Join(BlockId, JoinKind),
    /// Exactly one of the conditions holds.
    Branch(Vec<(TermId, Way)>),
    Effect(Box<Attempt>),
    End(End),
}

/// Where an arm of a branch leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    Block(BlockId),
    Panic(Failure, Option<BlockId>),
}

/// An effect that is about to happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub effect: Effect,
    /// Memory first.
    pub operands: Vec<Number>,
    pub destination: Option<Place>,
    pub target: Option<BlockId>,
    pub unwind: Option<BlockId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Returned(Number),
    Unwound(Cause),
    Aborted,
    /// Never reached.
    Unreachable,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    Check(Failure),
    Effect(Number),
}

/// A check that fails. Whoever catches the panic is given all of its words, so kinds of panics are not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub words: Words,
    /// What the message shows.
    pub shown: Vec<Number>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    Overflow(BinOp),
    OverflowNeg,
    DivisionByZero,
    RemainderByZero,
    OutOfBounds,
    Other(String),
}

impl Cause {
    /// The values that it depends on.
    pub fn numbers(&self) -> &[Number] {
        match self {
            Cause::Check(failure) => &failure.shown,
            Cause::Effect(number) => std::slice::from_ref(number),
        }
    }

    pub fn numbers_mut(&mut self) -> &mut [Number] {
        match self {
            Cause::Check(failure) => &mut failure.shown,
            Cause::Effect(number) => std::slice::from_mut(number),
        }
    }

    /// Whether both are the same but for the values that they depend on.
    pub fn is_alike(&self, other: &Cause) -> bool {
        match (self, other) {
            (Cause::Check(a), Cause::Check(b)) => a.words == b.words && a.shown.len() == b.shown.len(),
            (Cause::Effect(_), Cause::Effect(_)) => true,
            _ => false,
        }
    }
}

use self::places::Location;

/// One version on its way.
pub struct Side<'s, 'a> {
    pub code: &'s Code<'a>,
    pub numbers: &'s mut Numbers,
    pub state: State,
}

impl State {
    /// At the entry, with arguments that both versions are given.
    pub fn at_entry(code: &Code<'_>, numbers: &mut Numbers) -> Result<State, Obstacle> {
        let uninit = numbers.of(Node::Uninit);
        let memory = numbers.of(Node::Memory);
        let stop = Stop::End(End::Unreachable);
        let slots = code.slots.values().map(|slot| (*slot, uninit)).collect();
        let locals = code.body.locals.iter().map(|_| uninit).collect();
        let mut state = State { locals, slots, escaped: BTreeSet::new(), memory, cause: None, stop };
        for arg in code.body.args() {
            let number = numbers.of(Node::Argument(arg.index() - 1));
            let number = numbers.typed(number, scalar_of(&code.body.locals[arg].ty));
            match code.slots.get(&arg) {
                Some(slot) => *state.slots.entry(*slot).or_insert(number) = number,
                None => state.locals[arg] = number,
            }
        }
        let mut side = Side { code, numbers, state };
        side.enter(BlockId::entry())?;
        Ok(side.state)
    }
}

impl<'s, 'a> Side<'s, 'a> {
    /// Goes on behind a block where paths meet.
    pub fn leave(&mut self, block: BlockId) -> Result<(), Obstacle> {
        self.run_from(block)
    }

    pub fn go(&mut self, way: &Way) -> Result<(), Obstacle> {
        match way {
            Way::Block(block) => self.enter(*block),
            Way::Panic(failure, unwind) => self.unwind(Cause::Check(failure.clone()), *unwind),
        }
    }

    pub fn unwind(&mut self, cause: Cause, to: Option<BlockId>) -> Result<(), Obstacle> {
        match to {
            Some(block) => {
                self.state.cause = Some(cause);
                self.enter(block)
            }
            None => {
                // A panic in a clean-up block ends the process.
                let end = if self.state.cause.is_some() { End::Aborted } else { End::Unwound(cause) };
                self.state.stop = Stop::End(end);
                Ok(())
            }
        }
    }

    /// The effect has happened, with this memory after it.
    pub fn after(&mut self, attempt: &Attempt, memory: Number) -> Result<(), Obstacle> {
        self.set_memory(memory);
        if let Some(destination) = &attempt.destination {
            let result = self.numbers.of(Node::Result(memory));
            let result = self.typed(result, self.code.place_ty(destination).as_ref());
            self.assign(destination, result)?;
        }
        match attempt.target {
            Some(target) => self.enter(target),
            // It is never left so.
            None => {
                self.state.stop = Stop::End(End::Unreachable);
                Ok(())
            }
        }
    }

    /// Others may have written what has escaped.
    pub fn set_memory(&mut self, memory: Number) {
        self.state.memory = memory;
        for slot in self.state.escaped.clone() {
            let pointer = self.numbers.of(Node::SlotAddress(slot, Vec::new()));
            let content = self.numbers.of(Node::Load { memory: Some(memory), pointer });
            self.state.slots.insert(slot, content);
        }
    }

    fn enter(&mut self, block: BlockId) -> Result<(), Obstacle> {
        match self.code.joins.get(&block) {
            Some(kind) => {
                self.state.stop = Stop::Join(block, *kind);
                Ok(())
            }
            None => self.run_from(block),
        }
    }

    fn run_from(&mut self, mut at: BlockId) -> Result<(), Obstacle> {
        let code = self.code;
        loop {
            let block = code.body.blocks.get(at).ok_or(Obstacle::Malformed)?;
            for statement in &block.statements {
                self.statement(&statement.kind)?;
            }
            at = match self.terminator(&block.terminator.kind)? {
                Some(next) if !code.joins.contains_key(&next) => next,
                Some(next) => {
                    self.state.stop = Stop::Join(next, code.joins[&next]);
                    return Ok(());
                }
                None => return Ok(()),
            };
        }
    }

    fn statement(&mut self, statement: &StatementKind) -> Result<(), Obstacle> {
        match statement {
            StatementKind::Nop => Ok(()),
            StatementKind::SetDiscriminant(..) => Err(Obstacle::Unfollowed(Unfollowed::SetVariant)),
            StatementKind::Assign(place, value) => {
                let ty = self.code.place_ty(place);
                let value = self.rvalue(value, ty.as_ref())?;
                let value = self.typed(value, ty.as_ref());
                self.assign(place, value)
            }
        }
    }

    /// The block that follows; none if the way has ended, with what is in the state.
    fn terminator(&mut self, terminator: &TerminatorKind) -> Result<Option<BlockId>, Obstacle> {
        let stop = match terminator {
            TerminatorKind::Goto(target) => return Ok(Some(*target)),
            TerminatorKind::SwitchInt { discr, targets, otherwise } => {
                return self.switch(discr, targets, *otherwise);
            }
            TerminatorKind::Return => {
                let place = Place::from(LocalId::return_place());
                Stop::End(End::Returned(self.read_place(&place)?))
            }
            TerminatorKind::Resume => {
                let cause = self.state.cause.clone().ok_or(Obstacle::Malformed)?;
                Stop::End(End::Unwound(cause))
            }
            TerminatorKind::Unreachable => Stop::End(End::Unreachable),
            TerminatorKind::Abort => Stop::End(End::Aborted),
            TerminatorKind::Drop { place, target, unwind } => {
                let ty = self.code.place_ty(place).ok_or(Obstacle::UnknownType)?;
                if drops_silently(self.code.program, &self.code.body, &ty) {
                    return Ok(Some(*target));
                }
                let value = self.address_or_value(place)?;
                let operands = self.effect_operands(&[value])?;
                let (target, unwind) = (Some(*target), *unwind);
                let effect = Effect::Drop(ty);
                Stop::Effect(Box::new(Attempt { effect, operands, destination: None, target, unwind }))
            }
            TerminatorKind::Call { callee, args, destination, target, unwind } => {
                let named = match callee {
                    Callee::Fn(callee) => is_unchecked(callee),
                    Callee::Pointer(_) => false,
                };
                let types = args.iter().map(|arg| self.operand_ty(arg));
                let mut types = types.chain([self.code.place_ty(destination)]).flatten();
                // Whether such a call is defined is for nobody to see.
                if named || types.any(|ty| has_raw_pointer(&ty)) {
                    return Err(Obstacle::Unfollowed(Unfollowed::UncheckedCall));
                }
                let mut operands = Vec::new();
                if let Callee::Pointer(pointer) = callee {
                    operands.push(self.operand(pointer, None)?);
                }
                for arg in args {
                    operands.push(self.operand(arg, None)?);
                }
                let effect = match callee {
                    Callee::Fn(callee) => {
                        if let (Some(target), Some(value)) = (target, self.total(callee, args, &operands)?) {
                            let value = self.typed(value, self.code.place_ty(destination).as_ref());
                            self.assign(destination, value)?;
                            return Ok(Some(*target));
                        }
                        Effect::Call(callee.clone())
                    }
                    Callee::Pointer(_) => Effect::CallPointer,
                };
                let operands = self.effect_operands(&operands)?;
                let (destination, target, unwind) = (Some(destination.clone()), *target, *unwind);
                Stop::Effect(Box::new(Attempt { effect, operands, destination, target, unwind }))
            }
            TerminatorKind::Assert { condition, expected, check, target, unwind } => {
                let condition = self.operand(condition, Some(ScalarTy::Bool))?;
                let sort = ScalarTy::Bool.sort();
                let holds = self.numbers.as_term(condition, sort).ok_or(Obstacle::Malformed)?;
                let fails = self.numbers.pool.not(holds);
                let (passes, fails) = if *expected { (holds, fails) } else { (fails, holds) };
                if self.numbers.pool.as_bool(passes) == Some(true) {
                    return Ok(Some(*target));
                }
                let panic = Way::Panic(self.failure(check)?, *unwind);
                Stop::Branch(vec![(passes, Way::Block(*target)), (fails, panic)])
            }
            TerminatorKind::Unsupported(_) => return Err(Obstacle::Unfollowed(Unfollowed::Terminator)),
        };
        self.state.stop = stop;
        Ok(None)
    }

    fn failure(&mut self, check: &Check) -> Result<Failure, Obstacle> {
        let mut shown = Vec::new();
        let words = match check {
            Check::Overflow(op, ..) | Check::OverflowShift(op, _) => Words::Overflow(*op),
            Check::OverflowNeg(_) => Words::OverflowNeg,
            Check::DivisionByZero(_) => Words::DivisionByZero,
            Check::RemainderByZero(_) => Words::RemainderByZero,
            Check::BoundsCheck { len, index } => {
                let ty = Some(ScalarTy::Int(IntTy::Usize));
                shown.extend([self.operand(len, ty)?, self.operand(index, ty)?]);
                Words::OutOfBounds
            }
            Check::Other(text) => Words::Other(text.clone()),
        };
        Ok(Failure { words, shown })
    }

    fn switch(
        &mut self,
        discr: &Operand,
        targets: &[(u128, BlockId)],
        otherwise: Option<BlockId>,
    ) -> Result<Option<BlockId>, Obstacle> {
        let ty = self.operand_ty(discr).and_then(|ty| scalar_of(&ty)).ok_or(Obstacle::UnknownType)?;
        let value = self.operand(discr, Some(ty))?;
        let value = self.numbers.as_term(value, ty.sort()).ok_or(Obstacle::Malformed)?;
        let pool = &mut self.numbers.pool;
        let mut arms = Vec::new();
        let mut none_before = pool.bool_const(true);
        for (bits, target) in targets {
            let equal = match ty {
                ScalarTy::Bool if *bits == 0 => pool.not(value),
                ScalarTy::Bool => value,
                _ => {
                    let constant = pool.bv_const(*bits, ty.bits() as u16);
                    pool.eq(value, constant)
                }
            };
            let condition = pool.and(none_before, equal);
            arms.push((condition, Way::Block(*target)));
            let differs = pool.not(equal);
            none_before = pool.and(none_before, differs);
        }
        if let Some(otherwise) = otherwise {
            arms.push((none_before, Way::Block(otherwise)));
        }
        arms.retain(|(condition, _)| pool.as_bool(*condition) != Some(false));
        if let [(condition, Way::Block(target))] = arms.as_slice()
            && pool.as_bool(*condition) == Some(true)
        {
            return Ok(Some(*target));
        }
        self.state.stop = Stop::Branch(arms);
        Ok(None)
    }

    /// Memory, the operands, and what is in the slots that whoever gets these can reach, which escape with them.
    fn effect_operands(&mut self, operands: &[Number]) -> Result<Vec<Number>, Obstacle> {
        self.check_references(operands)?;
        self.escape(operands);
        let contents = self.state.escaped.iter().map(|slot| self.state.slots[slot]);
        Ok([self.state.memory].into_iter().chain(operands.iter().copied()).chain(contents).collect())
    }

    fn escape(&mut self, operands: &[Number]) {
        let mut open: Vec<SlotId> = operands
            .iter()
            .flat_map(|operand| self.numbers.slots_in(*operand).iter().copied().collect::<Vec<_>>())
            .collect();
        // What was written to a slot since it has escaped may hold the address of another.
        open.extend(self.state.escaped.iter().copied());
        let mut seen = BTreeSet::new();
        while let Some(slot) = open.pop() {
            if seen.insert(slot) {
                let content = self.state.slots[&slot];
                open.extend(self.numbers.slots_in(content).iter().copied());
            }
        }
        self.state.escaped.extend(seen);
    }

    /// A reference to a value that nobody writes is known by the value. Where two of them are to equal values somebody might ask whether they are to one.
    fn check_references(&mut self, operands: &[Number]) -> Result<(), Obstacle> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Number> = operands.to_vec();
        let mut steps = 0;
        while let Some(number) = open.pop() {
            steps += 1;
            if steps > MAX_OPERANDS {
                return Err(Obstacle::TooLarge);
            }
            match self.numbers.node(number) {
                Node::Reference(value) => {
                    if !found.insert(number) {
                        return Err(Obstacle::Unfollowed(Unfollowed::EqualReferences));
                    }
                    open.push(*value);
                    self.numbers.hand_over(number, self.state.memory);
                }
                Node::Load { .. }
                | Node::Result(_)
                | Node::After(..)
                | Node::Unwound(_)
                | Node::Phi { .. } => {}
                _ => open.extend(self.numbers.operands(number)),
            }
        }
        Ok(())
    }

    /// What is dropped: where it lies, or what it is.
    fn address_or_value(&mut self, place: &Place) -> Result<Number, Obstacle> {
        match self.resolve(place)? {
            Location::Slot(slot, path) => Ok(self.numbers.of(Node::SlotAddress(slot, path))),
            Location::Memory(pointer, path) => Ok(self.interior(pointer, path)),
            location => self.read(&location),
        }
    }
}

/// Operands deeper than so many numbers are not looked through.
const MAX_OPERANDS: usize = 10_000;

pub fn scalar_of(ty: &Ty) -> Option<ScalarTy> {
    match ty.kind() {
        TyKind::Bool => Some(ScalarTy::Bool),
        TyKind::Char => Some(ScalarTy::Char),
        TyKind::Int(int) => Some(ScalarTy::Int(*int)),
        TyKind::Float(float) => Some(ScalarTy::Float(*float)),
        _ => None,
    }
}

/// Whether the name says that the caller has to see to it that the call is defined.
fn is_unchecked(callee: &FnRef) -> bool {
    let name = match callee {
        FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => path.as_str(),
        FnRef::Trait { method, .. } => method.as_str(),
    };
    let last = name.rsplit("::").next().unwrap_or_default();
    name.contains("unchecked")
        || ["assume_init", "set_len", "zeroed", "as_mut_vec", "as_bytes_mut"].contains(&last)
}

fn has_raw_pointer(ty: &Ty) -> bool {
    ty.has_part(|part| matches!(part, TyKind::RawPtr(..)))
}

fn is_union(program: &Program, ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, _) => program.adt(path).is_some_and(|adt| adt.kind == AdtKind::Union),
        _ => false,
    }
}
