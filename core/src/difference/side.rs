//! One version's way from where paths meet to the next thing that both have to agree on.
//!
//! What only computes is done at once: values get numbers. A way ends at a branch, at an effect (a call, a drop that somebody may see), where paths
//! meet, or at an end.

use std::collections::{BTreeMap, BTreeSet};

use super::Obstacle;
use super::code::{Code, JoinKind, drops_silently};
use super::numbers::{Effect, Node, Number, Numbers, Operator, SlotId, Step, VariantName};
use crate::exec::terms;
use crate::exec::tree::ScalarTy;
use crate::idx::{Idx, IdxVec};
use crate::ir::canonical::CanonicalBody;
use crate::ir::*;
use crate::term::{FloatOp, TermId};
use crate::value::PanicKind;

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
    Panic(PanicKind, Option<BlockId>),
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
    Check(PanicKind),
    Effect(Number),
}

/// Where a place is.
enum Location {
    Local(LocalId, Vec<Step>),
    Slot(SlotId, Vec<Step>),
    Value(Number, Vec<Step>),
    Memory(Number, Vec<Step>),
}

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
            Way::Panic(kind, unwind) => self.unwind(Cause::Check(*kind), *unwind),
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
            StatementKind::SetDiscriminant(..) => Err(Obstacle::Unsupported("a variant that is set apart")),
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
                if drops_silently(self.code.program, &ty) {
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
                    return Err(Obstacle::Unsupported("a call with raw pointers, or that may be undefined"));
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
                let panic = Way::Panic(PanicKind::of_check(check), *unwind);
                Stop::Branch(vec![(passes, Way::Block(*target)), (fails, panic)])
            }
            TerminatorKind::Unsupported(_) => return Err(Obstacle::Unsupported("an unknown terminator")),
        };
        self.state.stop = stop;
        Ok(None)
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
    fn check_references(&self, operands: &[Number]) -> Result<(), Obstacle> {
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
                        return Err(Obstacle::Unsupported("two references to equal values"));
                    }
                    open.push(*value);
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

    // Places.

    fn resolve(&mut self, place: &Place) -> Result<Location, Obstacle> {
        let mut location = match self.code.slots.get(&place.local) {
            Some(slot) => Location::Slot(*slot, Vec::new()),
            None => Location::Local(place.local, Vec::new()),
        };
        let mut ty = Some(self.code.body.locals[place.local].ty.clone());
        for step in &place.projection {
            match step {
                Projection::Deref => {
                    let is_pointer = ty.as_ref().is_some_and(|ty| {
                        matches!(ty.kind(), TyKind::Ref(..)) || ty.known() == Some(KnownType::Box)
                    });
                    if !is_pointer {
                        return Err(Obstacle::Unsupported("a raw pointer"));
                    }
                    let pointer = self.read(&location)?;
                    location = self.behind(pointer)?;
                }
                other => {
                    let is_union = ty.as_ref().is_some_and(|ty| is_union(self.code.program, ty));
                    if is_union {
                        return Err(Obstacle::Unsupported("a union"));
                    }
                    let step = self.step(other)?;
                    match &mut location {
                        Location::Local(_, path)
                        | Location::Slot(_, path)
                        | Location::Value(_, path)
                        | Location::Memory(_, path) => path.push(step),
                    }
                }
            }
            ty = ty.and_then(|ty| self.code.step_ty(&ty, step));
        }
        Ok(location)
    }

    fn step(&mut self, projection: &Projection) -> Result<Step, Obstacle> {
        Ok(match projection {
            Projection::Field(field, _) => Step::Field(*field),
            Projection::Downcast(variant) => Step::Variant(VariantName::of(variant)),
            Projection::Index(local) => Step::Index(self.read_place(&Place::from(*local))?),
            Projection::ConstantIndex { offset, from } => {
                Step::At { offset: *offset, from_back: *from == SequenceEnd::Back }
            }
            Projection::Subslice { from, to, end } => {
                Step::Subslice { from: *from, to: *to, to_back: *end == SequenceEnd::Back }
            }
            Projection::Deref => return Err(Obstacle::Malformed),
        })
    }

    /// What a pointer leads to.
    fn behind(&mut self, pointer: Number) -> Result<Location, Obstacle> {
        let is_hidden = !self.numbers.slots_in(pointer).is_empty();
        match self.numbers.node(pointer) {
            Node::Reference(value) => Ok(Location::Value(*value, Vec::new())),
            Node::SlotAddress(slot, path) => Ok(Location::Slot(*slot, path.clone())),
            Node::Interior(of, path) => Ok(Location::Memory(*of, path.clone())),
            // An array as a slice is the same memory.
            Node::Apply(operator, operands)
                if matches!(&**operator, Operator::Cast(CastKind::Unsize, to)
                    if to.pointee().is_some_and(|ty| matches!(ty.kind(), TyKind::Slice(_)))) =>
            {
                let of = operands[0];
                self.behind(of)
            }
            _ if is_hidden => Err(Obstacle::Unsupported("a pointer that was made otherwise")),
            _ => Ok(Location::Memory(pointer, Vec::new())),
        }
    }

    fn read(&mut self, location: &Location) -> Result<Number, Obstacle> {
        Ok(match location {
            Location::Local(local, path) => self.numbers.parts(self.state.locals[*local], path),
            Location::Slot(slot, path) => self.numbers.parts(self.state.slots[slot], path),
            Location::Value(value, path) => self.numbers.parts(*value, path),
            Location::Memory(pointer, path) => {
                let whole = self.load(*pointer);
                self.numbers.parts(whole, path)
            }
        })
    }

    fn load(&mut self, pointer: Number) -> Number {
        let memory = (!self.is_frozen(pointer)).then_some(self.state.memory);
        if let Some(memory) = memory
            && let Node::After(effect, operands) = self.numbers.node(memory)
            && let (Effect::Store, [_, written, value, ..]) = (&**effect, operands.as_slice())
            && *written == pointer
        {
            return *value;
        }
        self.numbers.of(Node::Load { memory, pointer })
    }

    /// Whether nobody can write what is behind the pointer as long as the function runs.
    fn is_frozen(&self, pointer: Number) -> bool {
        match self.numbers.node(pointer) {
            Node::Argument(index) => self.code.is_frozen[*index],
            Node::Const(constant) => !matches!(constant, Const::StaticRef(_)),
            Node::Computed(_) | Node::Load { memory: None, .. } => true,
            Node::Part(of, _) | Node::Interior(of, _) => self.is_frozen(*of),
            Node::Apply(operator, operands) => {
                matches!(**operator, Operator::Cast(CastKind::Unsize | CastKind::Subtype, _))
                    && self.is_frozen(operands[0])
            }
            _ => false,
        }
    }

    fn read_place(&mut self, place: &Place) -> Result<Number, Obstacle> {
        let location = self.resolve(place)?;
        let value = self.read(&location)?;
        Ok(self.typed(value, self.code.place_ty(place).as_ref()))
    }

    fn assign(&mut self, place: &Place, value: Number) -> Result<(), Obstacle> {
        match self.resolve(place)? {
            Location::Local(local, path) => {
                self.state.locals[local] = self.numbers.with(self.state.locals[local], &path, value);
            }
            Location::Slot(slot, path) => {
                let content = self.numbers.with(self.state.slots[&slot], &path, value);
                self.state.slots.insert(slot, content);
            }
            Location::Value(..) => return Err(Obstacle::Unsupported("a write through a shared reference")),
            Location::Memory(pointer, path) => {
                if self.is_frozen(pointer) {
                    return Err(Obstacle::Unsupported("a write through a shared reference"));
                }
                let before = self.load(pointer);
                let value = self.numbers.with(before, &path, value);
                self.store(pointer, value);
            }
        }
        Ok(())
    }

    fn store(&mut self, pointer: Number, value: Number) {
        self.escape(&[value]);
        let memory = self.state.memory;
        let contents: Vec<Number> = self.state.escaped.iter().map(|slot| self.state.slots[slot]).collect();
        // Two writes to one place, with nothing between them, are the second.
        let before = match self.numbers.node(memory) {
            Node::After(effect, operands)
                if **effect == Effect::Store
                    && contents.is_empty()
                    && operands.len() == 3
                    && operands[1] == pointer =>
            {
                operands[0]
            }
            _ => memory,
        };
        let operands = [before, pointer, value].into_iter().chain(contents).collect();
        let memory = self.numbers.of(Node::After(Box::new(Effect::Store), operands));
        self.set_memory(memory);
    }

    fn interior(&mut self, pointer: Number, path: Vec<Step>) -> Number {
        match path.is_empty() {
            true => pointer,
            false => self.numbers.of(Node::Interior(pointer, path)),
        }
    }

    fn address(&mut self, mutability: Mutability, place: &Place) -> Result<Number, Obstacle> {
        if let Some((Projection::Deref, rest)) = place.projection.split_last() {
            // A pointer that is made of another one is that one, with what it knows of what it points to.
            let pointer = Place { local: place.local, projection: rest.to_vec() };
            self.resolve(place)?;
            return self.read_place(&pointer);
        }
        Ok(match self.resolve(place)? {
            Location::Slot(slot, path) => self.numbers.of(Node::SlotAddress(slot, path)),
            Location::Memory(pointer, path) => self.interior(pointer, path),
            _ if mutability == Mutability::Mut => return Err(Obstacle::Malformed),
            location => {
                let value = self.read(&location)?;
                let value = self.typed(value, self.code.place_ty(place).as_ref());
                self.numbers.of(Node::Reference(value))
            }
        })
    }

    // Values.

    fn typed(&mut self, value: Number, ty: Option<&Ty>) -> Number {
        if ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Tuple(tys) if tys.is_empty())) {
            return self.numbers.of(Node::Aggregate(Box::new(AggregateKind::Tuple), Vec::new()));
        }
        self.numbers.typed(value, ty.and_then(scalar_of))
    }

    fn operand_ty(&self, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.code.place_ty(place),
            Operand::Const(constant) => Some(Ty::new(match constant {
                Const::Bool(_) => TyKind::Bool,
                Const::Char(_) => TyKind::Char,
                Const::Int(_, ty) => TyKind::Int(*ty),
                Const::Float(_, ty) => TyKind::Float(*ty),
                _ => return None,
            })),
        }
    }

    fn operand(&mut self, operand: &Operand, ty: Option<ScalarTy>) -> Result<Number, Obstacle> {
        let value = match operand {
            Operand::Copy(place) | Operand::Move(place) => self.read_place(place)?,
            Operand::Const(constant) => self.constant(constant)?,
        };
        Ok(self.numbers.typed(value, ty))
    }

    fn constant(&mut self, constant: &Const) -> Result<Number, Obstacle> {
        let pool = &mut self.numbers.pool;
        let term = match constant {
            Const::Bool(value) => pool.bool_const(*value),
            Const::Char(value) => pool.bv_const(u128::from(u32::from(*value)), 32),
            Const::Int(bits, ty) => pool.bv_const(*bits, ty.bits() as u16),
            // Which NaN it is may be asked of it.
            Const::Float(bits, ty) if ty.is_nan(u128::from(*bits)) => {
                return Ok(self.numbers.of(Node::Const(constant.clone())));
            }
            Const::Float(bits, ty) => pool.bv_const(u128::from(*bits), ty.bits()),
            Const::Uninit => return Ok(self.numbers.of(Node::Uninit)),
            Const::Item { path, .. } if path.as_str().starts_with(OWN) => {
                let body = self.computed(path)?;
                return Ok(self.numbers.of(Node::Computed(Box::new(body))));
            }
            Const::Unsupported(_) => return Err(Obstacle::Unsupported("a constant that is not understood")),
            other => return Ok(self.numbers.of(Node::Const(other.clone()))),
        };
        Ok(self.numbers.term(term))
    }

    /// What a promoted or inline constant of the function computes: it is known by its body, as their numbers differ between versions.
    fn computed(&self, path: &Path) -> Result<Body, Obstacle> {
        let Code { program, function, renames, .. } = self.code;
        let root = canonical::root_of(program, *function);
        let rest = path.as_str().strip_prefix(OWN).unwrap_or_default();
        let own = Path::new(format!("{}{rest}", program.functions[root].path));
        let [id] = program.functions_at(&own) else {
            return Err(Obstacle::Unsupported("a constant of several bodies"));
        };
        let body = CanonicalBody::of(program, *id, renames)
            .ok_or(Obstacle::Unsupported("a constant without a body"))?;
        if !body.undetermined().is_empty() || format!("{:?}", body.body()).contains(OWN) {
            return Err(Obstacle::Unsupported("a constant that is not understood"));
        }
        Ok(body.body().clone())
    }

    fn apply(&mut self, operator: Operator, operands: Vec<Number>) -> Number {
        self.numbers.of(Node::Apply(Box::new(operator), operands))
    }

    fn rvalue(&mut self, value: &Rvalue, ty: Option<&Ty>) -> Result<Number, Obstacle> {
        Ok(match value {
            Rvalue::Use(operand) => self.operand(operand, ty.and_then(scalar_of))?,
            Rvalue::Ref(mutability, place) | Rvalue::RawPtr(mutability, place) => {
                self.address(*mutability, place)?
            }
            Rvalue::Repeat(operand, count) => {
                let operand = self.operand(operand, None)?;
                self.apply(Operator::Repeat(count.clone()), vec![operand])
            }
            Rvalue::Binary(op, a, b) => self.binary(*op, a, b)?,
            Rvalue::CheckedBinary(op, a, b) => self.checked(*op, a, b)?,
            Rvalue::Unary(op, a) => self.unary(*op, a)?,
            Rvalue::Cast(kind, a, to) => self.cast(*kind, a, to)?,
            Rvalue::Discriminant(place) => {
                let of = self.read_place(place)?;
                match (self.known_discriminant(of), ty.and_then(scalar_of)) {
                    (Some(value), Some(ty)) => {
                        let term = self.numbers.pool.bv_const(ty.truncate(value as u128), ty.bits() as u16);
                        self.numbers.term(term)
                    }
                    _ => self.apply(Operator::Discriminant, vec![of]),
                }
            }
            Rvalue::Len(place) => match place.projection.split_last() {
                Some((Projection::Deref, rest)) => {
                    let pointer = Place { local: place.local, projection: rest.to_vec() };
                    let pointer = self.read_place(&pointer)?;
                    self.apply(Operator::Metadata, vec![pointer])
                }
                _ => {
                    let of = self.read_place(place)?;
                    self.apply(Operator::Length, vec![of])
                }
            },
            Rvalue::PtrMetadata(pointer) => {
                let pointer = self.operand(pointer, None)?;
                self.apply(Operator::Metadata, vec![pointer])
            }
            Rvalue::FatPtr { pointer, metadata, ty } => {
                let operands = vec![self.operand(pointer, None)?, self.operand(metadata, None)?];
                self.apply(Operator::FatPointer(ty.clone()), operands)
            }
            Rvalue::Aggregate(kind, operands) => {
                if let AggregateKind::Adt { ty, .. } = kind
                    && is_union(self.code.program, ty)
                {
                    return Err(Obstacle::Unsupported("a union"));
                }
                let operands =
                    operands.iter().map(|operand| self.operand(operand, None)).collect::<Result<_, _>>()?;
                self.numbers.of(Node::Aggregate(Box::new(kind.clone()), operands))
            }
            Rvalue::SizeOf(ty) => self.apply(Operator::SizeOf(ty.clone()), Vec::new()),
            Rvalue::AlignOf(ty) => self.apply(Operator::AlignOf(ty.clone()), Vec::new()),
        })
    }

    fn known_discriminant(&self, of: Number) -> Option<i128> {
        let Node::Aggregate(kind, _) = self.numbers.node(of) else { return None };
        let AggregateKind::Adt { ty, variant: Some(variant) } = &**kind else { return None };
        let TyKind::Adt(path, _) = ty.kind() else { return None };
        let adt = self.code.program.adt(path).filter(|_| !self.code.program.is_ambiguous_adt(path))?;
        let index = match variant {
            VariantRef::Name(name) => adt.variant_named(name)?,
            VariantRef::Index(index) => *index as usize,
        };
        Some(adt.variants.get(index)?.discriminant)
    }

    /// Both operands with the type of scalars that they have; none if they have none.
    fn scalars(&mut self, a: &Operand, b: &Operand) -> Result<Option<(ScalarTy, TermId, TermId)>, Obstacle> {
        let found = self.operand_ty(a).or_else(|| self.operand_ty(b));
        let Some(ty) = found.and_then(|ty| scalar_of(&ty)) else { return Ok(None) };
        let (x, y) = (self.operand(a, Some(ty))?, self.operand(b, Some(ty))?);
        let (x, y) = (self.numbers.as_term(x, ty.sort()), self.numbers.as_term(y, ty.sort()));
        Ok(x.zip(y).map(|(x, y)| (ty, x, y)))
    }

    fn binary(&mut self, op: BinOp, a: &Operand, b: &Operand) -> Result<Number, Obstacle> {
        let term = match op {
            BinOp::Shl | BinOp::Shr => {
                let scalar = |ty: Option<Ty>| ty.and_then(|ty| scalar_of(&ty)).ok_or(Obstacle::UnknownType);
                let (ty, by) = (scalar(self.operand_ty(a))?, scalar(self.operand_ty(b))?);
                let (x, y) = (self.operand(a, Some(ty))?, self.operand(b, Some(by))?);
                let x = self.numbers.as_term(x, ty.sort()).ok_or(Obstacle::Malformed)?;
                let y = self.numbers.as_term(y, by.sort()).ok_or(Obstacle::Malformed)?;
                let pool = &mut self.numbers.pool;
                let y = terms::shift_amount(pool, ty, by, y);
                Some(terms::binary(pool, op, ty, x, y))
            }
            BinOp::Cmp | BinOp::Offset => None,
            _ => match self.scalars(a, b)? {
                // None for arithmetic: which NaN comes out of it depends on the order of operands, and callers may look at it.
                Some((ScalarTy::Float(ty), x, y)) => {
                    terms::float_comparison(&mut self.numbers.pool, op, ty, x, y)
                }
                Some((ty, x, y)) => Some(terms::binary(&mut self.numbers.pool, op, ty, x, y)),
                None => None,
            },
        };
        if let Some(term) = term {
            return Ok(self.numbers.term(term));
        }
        let scalars = [a, b].map(|operand| self.operand_ty(operand).and_then(|ty| scalar_of(&ty)));
        if scalars.iter().all(Option::is_none) {
            return Err(Obstacle::Unsupported("a comparison of addresses"));
        }
        let operands = vec![self.operand(a, None)?, self.operand(b, None)?];
        Ok(self.apply(Operator::Binary(op), operands))
    }

    fn checked(&mut self, op: BinOp, a: &Operand, b: &Operand) -> Result<Number, Obstacle> {
        let Some((ty, x, y)) = self.scalars(a, b)? else { return Err(Obstacle::UnknownType) };
        let pool = &mut self.numbers.pool;
        let Some(overflows) = terms::overflow(pool, op, ty, x, y) else { return Err(Obstacle::Malformed) };
        let value = terms::binary(pool, op, ty, x, y);
        let operands = vec![self.numbers.term(value), self.numbers.term(overflows)];
        Ok(self.numbers.of(Node::Aggregate(Box::new(AggregateKind::Tuple), operands)))
    }

    fn unary(&mut self, op: UnOp, a: &Operand) -> Result<Number, Obstacle> {
        let ty = self.operand_ty(a).and_then(|ty| scalar_of(&ty));
        let x = self.operand(a, ty)?;
        let term = ty.and_then(|ty| Some((ty, self.numbers.as_term(x, ty.sort())?)));
        let pool = &mut self.numbers.pool;
        let term = match (term, op) {
            (Some((ScalarTy::Float(_), _)), _) | (None, _) => {
                return Ok(self.apply(Operator::Unary(op), vec![x]));
            }
            (Some((ty, x)), _) => terms::unary(pool, op, ty, x),
        };
        Ok(self.numbers.term(term))
    }

    fn cast(&mut self, kind: CastKind, a: &Operand, to: &Ty) -> Result<Number, Obstacle> {
        let from = self.operand_ty(a).and_then(|ty| scalar_of(&ty));
        let x = self.operand(a, from)?;
        let scalars = from.zip(scalar_of(to));
        let term = scalars.and_then(|(from, _)| self.numbers.as_term(x, from.sort()));
        if let (Some((from, to)), Some(x)) = (scalars, term) {
            let pool = &mut self.numbers.pool;
            let term = match (kind, from, to) {
                (CastKind::IntToInt, _, _) => Some(terms::int_to_int(pool, from, to, x)),
                (CastKind::FloatToInt, ScalarTy::Float(from), ScalarTy::Int(to)) => {
                    Some(pool.float(FloatOp::ToInt(to.signedness(), to.bits() as u16), from, &[x]))
                }
                (CastKind::IntToFloat, ScalarTy::Int(from), ScalarTy::Float(to)) => {
                    Some(pool.float(FloatOp::FromInt(from.signedness()), to, &[x]))
                }
                _ => None,
            };
            if let Some(term) = term {
                return Ok(self.numbers.term(term));
            }
        }
        let tells_address = match kind {
            CastKind::ExposeProvenance | CastKind::WithExposedProvenance => true,
            CastKind::Transmute => from.is_none(),
            _ => false,
        };
        if tells_address {
            return Err(Obstacle::Unsupported("an address as a number"));
        }
        Ok(self.apply(Operator::Cast(kind, to.clone()), vec![x]))
    }

    /// What a call gives that neither writes, panics nor reads anything but its arguments; none for any other.
    fn total(
        &mut self,
        callee: &FnRef,
        args: &[Operand],
        operands: &[Number],
    ) -> Result<Option<Number>, Obstacle> {
        let FnRef::Inherent { path, .. } = callee else { return Ok(None) };
        let Some((owner, name)) = path.as_str().rsplit_once("::") else { return Ok(None) };
        let is_scalar = |arg: &Operand| self.operand_ty(arg).is_some_and(|ty| scalar_of(&ty).is_some());
        if !args.iter().all(is_scalar) {
            return Ok(None);
        }
        let is_int = IntTy::from_name(owner).is_some();
        if let (Some(op), true, [a, b]) = (wrapping(name), is_int, args) {
            return self.binary(op, a, b).map(Some);
        }
        let is_total = match owner {
            "f32" | "f64" => TOTAL_ON_FLOATS.contains(&name),
            _ if is_int => TOTAL_ON_INTS.iter().any(|start| name.starts_with(start)),
            "char" => TOTAL_ON_CHARS.contains(&name),
            _ => false,
        };
        if !is_total {
            return Ok(None);
        }
        Ok(Some(self.apply(Operator::Total(callee.clone()), operands.to_vec())))
    }
}

/// How canonical bodies begin the paths of what is within the function.
const OWN: &str = "{self}";
/// Operands deeper than so many numbers are not looked through.
const MAX_OPERANDS: usize = 10_000;

/// Methods of floats that give a result for all arguments.
const TOTAL_ON_FLOATS: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "floor",
    "fract",
    "hypot",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_sign_negative",
    "is_sign_positive",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "max",
    "min",
    "mul_add",
    "powf",
    "powi",
    "recip",
    "round",
    "signum",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
    "trunc",
];

/// Starts of the names of methods of integers that give a result for all arguments.
const TOTAL_ON_INTS: &[&str] = &[
    "checked_",
    "count_ones",
    "count_zeros",
    "leading_",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_neg",
    "overflowing_sub",
    "reverse_bits",
    "rotate_",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "swap_bytes",
    "to_be",
    "to_le",
    "trailing_",
    "unsigned_abs",
    "wrapping_abs",
    "wrapping_neg",
];

const TOTAL_ON_CHARS: &[&str] = &[
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii",
    "is_control",
    "is_lowercase",
    "is_numeric",
    "is_uppercase",
    "is_whitespace",
    "len_utf16",
    "len_utf8",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
];

fn wrapping(name: &str) -> Option<BinOp> {
    Some(match name {
        "wrapping_add" => BinOp::Add,
        "wrapping_sub" => BinOp::Sub,
        "wrapping_mul" => BinOp::Mul,
        _ => return None,
    })
}

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
    let mut found = false;
    ty.map(
        &mut |part| {
            found |= matches!(part.kind(), TyKind::RawPtr(..));
            part
        },
        &mut |constant| constant,
    );
    found
}

fn is_union(program: &Program, ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, _) => program.adt(path).is_some_and(|adt| adt.kind == AdtKind::Union),
        _ => false,
    }
}
