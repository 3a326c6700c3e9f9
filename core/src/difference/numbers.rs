//! Numbers of values, shared by both versions: what has one number in both is the same value.
//!
//! A number stands for an operation on other numbers (hash consing), so what both versions compute alike has one number, whatever it is called and
//! whenever it is computed. Scalars are terms ([`crate::term`]), which are normalised as they are built.
//!
//! **Invariant:** a number never changes its meaning on the way to an end of both versions: memory has a number too, and what is read of it has that in it.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::align::Addresses;
use crate::exec::tree::ScalarTy;
use crate::idx::{Idx, IdxVec};
use crate::ir::*;
use crate::term::{Sort, TermId, TermPool, VarId};
use crate::verdict::Version;

crate::define_ids! {
    /// A value, of whatever type.
    Number = "#";
    /// A local of either version that can be written through a pointer; corresponding locals of both versions are one slot.
    SlotId = "slot";
    /// A pair of blocks where both versions' paths meet again.
    JoinId = "join";
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The parameter of this index, from 0.
    Argument(usize),
    /// What `before` and `after` have become one at, by joining paths.
    Phi {
        at: JoinId,
        before: Number,
        after: Number,
    },
    Scalar(TermId),
    Const(Const),
    /// What a promoted or inline constant computes, by its body.
    Computed(Box<Body>),
    /// Never written.
    Uninit,
    /// What a local of this version holds that is not read any more.
    Dead(Version),
    Aggregate(Box<AggregateKind>, Vec<Number>),
    /// Part of a value.
    Part(Number, Step),
    /// The first value with this part replaced by the second.
    With(Number, Vec<Step>, Number),
    /// A shared reference to a value that nobody writes as long as it is there.
    Reference(Number),
    SlotAddress(SlotId, Vec<Step>),
    /// A pointer to a part of what another one points to.
    Interior(Number, Vec<Step>),
    /// What memory has behind a pointer; no memory for what nobody can write during the call.
    Load {
        memory: Option<Number>,
        pointer: Number,
    },
    Apply(Box<Operator>, Vec<Number>),
    /// The memory that a caller hands over, and the world.
    Memory,
    /// Memory and world after an effect, of which the first operand is what they were before.
    After(Box<Effect>, Vec<Number>),
    /// The same where the effect did not return but unwinds.
    Unwound(Number),
    /// What a call gives, by the memory after it.
    Result(Number),
}

/// A way into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Field(FieldId),
    Variant(VariantName),
    Index(Number),
    At { offset: u64, from: SequenceEnd },
    Subslice { from: u64, to: u64, end: SequenceEnd },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VariantName {
    Name(Name),
    Index(VariantIdx),
}

/// An operation of which nothing is known but that it gives equal results for equal operands.
///
/// Numbers have no types: an `i8` and a `u8` of the same bits are one, as are arrays of them. So whatever goes by the types of its operands names these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Binary(BinOp, Option<ScalarTy>),
    Unary(UnOp, Option<ScalarTy>),
    Cast {
        kind: CastKind,
        from: Option<Ty>,
        to: Ty,
    },
    Repeat(Const),
    Discriminant,
    Length,
    Metadata,
    /// The pointer to the elements that a `Vec` or `String` owns.
    Contents,
    FatPointer(Ty),
    SizeOf(Ty),
    AlignOf(Ty),
    /// A function that neither writes nor panics, and reads nothing but its arguments.
    Total(FnRef),
}

/// What may change memory or the world, or not come back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    Call(FnRef),
    /// Of the first operand behind memory.
    CallPointer,
    Drop(Ty),
    Store,
}

/// All numbers of one product.
#[derive(Default)]
pub struct Numbers {
    pub pool: TermPool,
    nodes: IdxVec<Number, Node>,
    interned: HashMap<Node, Number>,
    /// Variables that stand for values that are no terms otherwise.
    variables: HashMap<(Number, Sort), TermId>,
    origins: HashMap<VarId, Number>,
    joins: HashMap<Number, Rc<BTreeSet<JoinId>>>,
    slots: HashMap<Number, Rc<BTreeSet<SlotId>>>,
    /// References to values that nobody writes, with the memory before the effect that was handed them.
    handed: HashMap<Number, Number>,
    pub addresses: Addresses,
}

impl Numbers {
    pub fn of(&mut self, node: Node) -> Number {
        if let Some(number) = self.interned.get(&node) {
            return *number;
        }
        let number = self.nodes.push(node.clone());
        self.interned.insert(node, number);
        number
    }

    pub fn node(&self, number: Number) -> &Node {
        &self.nodes[number]
    }

    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    pub fn term(&mut self, term: TermId) -> Number {
        self.of(Node::Scalar(term))
    }

    /// The value as a term of this sort; none if it is one of another sort.
    pub fn as_term(&mut self, number: Number, sort: Sort) -> Option<TermId> {
        if let Node::Scalar(term) = self.nodes[number] {
            return (self.pool.sort(term) == sort).then_some(term);
        }
        if let Some(term) = self.variables.get(&(number, sort)) {
            return Some(*term);
        }
        let term = self.pool.var(&number.to_string(), sort);
        self.variables.insert((number, sort), term);
        self.origins.insert(self.pool.var_of(term)?, number);
        Some(term)
    }

    /// The value as one of this type: scalars are terms.
    pub fn typed(&mut self, number: Number, ty: Option<ScalarTy>) -> Number {
        match ty.and_then(|ty| self.as_term(number, ty.sort())) {
            Some(term) => self.term(term),
            None => number,
        }
    }

    /// The number behind a term that is nothing but a variable.
    pub fn origin(&self, number: Number) -> Number {
        let Node::Scalar(term) = self.nodes[number] else { return number };
        self.pool.var_of(term).and_then(|var| self.origins.get(&var)).copied().unwrap_or(number)
    }

    pub fn origin_of(&self, var: VarId) -> Option<Number> {
        self.origins.get(&var).copied()
    }

    /// The joins whose [`Node::Phi`] the value depends on.
    pub fn joins_in(&mut self, number: Number) -> Rc<BTreeSet<JoinId>> {
        if let Some(known) = self.joins.get(&number) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        if let Node::Phi { at, .. } = self.nodes[number] {
            found.insert(at);
        }
        // What is told apart at a join is a free value: what it has come from does not matter.
        if !matches!(self.nodes[number], Node::Phi { .. }) {
            for operand in self.operands(number) {
                found.extend(self.joins_in(operand).iter().copied());
            }
        }
        let found = Rc::new(found);
        self.joins.insert(number, Rc::clone(&found));
        found
    }

    pub fn joins_in_term(&mut self, term: TermId) -> BTreeSet<JoinId> {
        let origins: Vec<Number> =
            self.pool.vars_in(term).iter().filter_map(|var| self.origins.get(var)).copied().collect();
        origins
            .into_iter()
            .flat_map(|number| self.joins_in(number).iter().copied().collect::<Vec<_>>())
            .collect()
    }

    /// Notes that an effect is handed a reference to a value that nobody writes. It is known by the value; which of several equal values it is to, in two effects
    /// that follow each other, is not.
    pub fn hand_over(&mut self, reference: Number, memory: Number) {
        if *self.handed.entry(reference).or_insert(memory) != memory {
            self.addresses = Addresses::Untold;
        }
    }

    /// The slots whose addresses are within the value.
    pub fn slots_in(&mut self, number: Number) -> Rc<BTreeSet<SlotId>> {
        if let Some(known) = self.slots.get(&number) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        match &self.nodes[number] {
            Node::SlotAddress(slot, _) => {
                found.insert(*slot);
            }
            // What a call gives is not looked into: its arguments have escaped.
            Node::Result(_) | Node::Load { .. } | Node::After(..) | Node::Unwound(_) => {}
            // What became one may have been an address before.
            Node::Phi { before, after, .. } => {
                for number in [*before, *after] {
                    found.extend(self.slots_in(number).iter().copied());
                }
            }
            _ => {
                for operand in self.operands(number) {
                    found.extend(self.slots_in(operand).iter().copied());
                }
            }
        }
        let found = Rc::new(found);
        self.slots.insert(number, Rc::clone(&found));
        found
    }

    /// The numbers that this one is made of; of a term those of its variables.
    pub fn operands(&self, number: Number) -> Vec<Number> {
        let steps = |steps: &[Step]| -> Vec<Number> {
            let index = |step: &Step| if let Step::Index(index) = step { Some(*index) } else { None };
            steps.iter().filter_map(index).collect()
        };
        match &self.nodes[number] {
            Node::Argument(_)
            | Node::Const(_)
            | Node::Computed(_)
            | Node::Uninit
            | Node::Dead(_)
            | Node::Memory => Vec::new(),
            Node::Scalar(term) => {
                self.pool.vars_in(*term).iter().filter_map(|var| self.origins.get(var)).copied().collect()
            }
            Node::Phi { before, after, .. } => vec![*before, *after],
            Node::Aggregate(_, operands) | Node::Apply(_, operands) | Node::After(_, operands) => {
                operands.clone()
            }
            Node::Part(of, step) => std::iter::once(*of).chain(steps(std::slice::from_ref(step))).collect(),
            Node::With(of, path, value) => [*of, *value].into_iter().chain(steps(path)).collect(),
            Node::Interior(of, path) => std::iter::once(*of).chain(steps(path)).collect(),
            Node::SlotAddress(_, path) => steps(path),
            Node::Reference(of) | Node::Unwound(of) | Node::Result(of) => vec![*of],
            Node::Load { memory, pointer } => memory.iter().chain([pointer]).copied().collect(),
        }
    }

    /// Part of a value.
    pub fn part(&mut self, of: Number, step: &Step) -> Number {
        match (&self.nodes[of], step) {
            (Node::Uninit, _) => return of,
            (Node::Aggregate(kind, _), Step::Variant(name)) => {
                if let AggregateKind::Adt { variant: Some(variant), .. } = &**kind
                    && VariantName::of(variant) == *name
                {
                    return of;
                }
            }
            (Node::Aggregate(kind, operands), Step::Field(field)) => {
                let is_whole = !matches!(**kind, AggregateKind::Array);
                if let Some(operand) = operands.get(field.index()).filter(|_| is_whole) {
                    return *operand;
                }
            }
            (Node::Aggregate(kind, operands), Step::At { offset, from: SequenceEnd::Front }) => {
                if let (AggregateKind::Array, Some(operand)) = (&**kind, operands.get(*offset as usize)) {
                    return *operand;
                }
            }
            (Node::Aggregate(kind, operands), Step::Index(index)) => {
                if let (AggregateKind::Array, Some(index)) = (&**kind, self.constant(*index))
                    && let Some(operand) = operands.get(index as usize)
                {
                    return *operand;
                }
            }
            (Node::With(base, path, value), _) => {
                let (base, path, value) = (*base, path.clone(), *value);
                if path[0] == *step {
                    return match path.len() {
                        1 => value,
                        _ => {
                            let inner = self.part(base, step);
                            self.with(inner, &path[1..], value)
                        }
                    };
                }
                if self.are_apart(&path[0], step) {
                    return self.part(base, step);
                }
            }
            _ => {}
        }
        self.of(Node::Part(of, step.clone()))
    }

    pub fn parts(&mut self, of: Number, path: &[Step]) -> Number {
        path.iter().fold(of, |of, step| self.part(of, step))
    }

    /// The value with a part replaced.
    pub fn with(&mut self, of: Number, path: &[Step], value: Number) -> Number {
        let Some(first) = path.first() else { return value };
        match &self.nodes[of] {
            Node::Aggregate(kind, operands) => {
                let place = match (&**kind, first) {
                    (AggregateKind::Array, Step::Index(index)) => {
                        self.constant(*index).and_then(|index| usize::try_from(index).ok())
                    }
                    (AggregateKind::Array, Step::At { offset, from: SequenceEnd::Front }) => {
                        Some(*offset as usize)
                    }
                    (AggregateKind::Array, _) => None,
                    (_, Step::Field(field)) => Some(field.index()),
                    _ => None,
                };
                if let Some(place) = place.filter(|place| *place < operands.len()) {
                    let (kind, mut operands) = (kind.clone(), operands.clone());
                    operands[place] = self.with(operands[place], &path[1..], value);
                    return self.of(Node::Aggregate(kind, operands));
                }
            }
            Node::With(base, written, before) => {
                let (base, written, before) = (*base, written.clone(), *before);
                if written.starts_with(path) && written.len() == path.len() {
                    return self.with(base, path, value);
                }
                // Fields that are written one after the other are kept in one order.
                if matches!((first, &written[0]), (Step::Field(a), Step::Field(b)) if a < b) {
                    let inner = self.with(base, path, value);
                    return self.of(Node::With(inner, written, before));
                }
            }
            _ => {}
        }
        self.of(Node::With(of, path.to_vec(), value))
    }

    /// Whether two steps lead to parts that share nothing.
    fn are_apart(&self, a: &Step, b: &Step) -> bool {
        match (a, b) {
            (Step::Field(a), Step::Field(b)) => a != b,
            (Step::Index(a), Step::Index(b)) => {
                matches!((self.constant(*a), self.constant(*b)), (Some(a), Some(b)) if a != b)
            }
            _ => false,
        }
    }

    /// The bits of a constant scalar.
    pub fn constant(&self, number: Number) -> Option<u128> {
        match self.nodes[number] {
            Node::Scalar(term) => self.pool.as_const(term),
            _ => None,
        }
    }
}

impl VariantName {
    pub fn of(variant: &VariantRef) -> VariantName {
        match variant {
            VariantRef::Name(name) => VariantName::Name(name.clone()),
            VariantRef::Index(index) => VariantName::Index(*index),
        }
    }
}
