//! The canonical form of a body: what is left of it when everything that cannot change its meaning is taken away.
//!
//! Idea: two bodies with equal canonical forms do the same, given that the items they name do the same. Taken away:
//!
//! * spans, user's names, `Nop`s, blocks and locals that nothing refers to;
//! * the numbering of locals (now by first occurrence; return place and arguments stay) and of blocks (now in reverse
//!   post-order of normal flow, then cleanup blocks), the order of the arms of a `SwitchInt`;
//! * the cutting of straight-line code into blocks: empty blocks are skipped, single-entry ones joined to where they
//!   are entered from;
//! * the path of the function itself: it, its closures and its unnamed constants are spelled relative to `{self}`, so
//!   a moved function keeps its form;
//! * the names of generic parameters: they are numbered as they come into scope.
//!
//! Not taken away: anything that needs knowledge of what operations mean. Constants that hold a source location
//! (`line!()`) are constants like any other.
//!
//! Limit: text that the front end did not understand is kept as text. Where such text names something that means
//! something else in each run of the compiler (`alloc12`), equal text does not mean equal constants; the canonical form
//! then says so ([`CanonicalBody::undetermined`]) and is the same as no other, not even as itself.

mod layout;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::*;
use crate::idx::{Idx, IdxVec};
use layout::{Layout, sorted_arms};
pub(crate) use spelling::Speller;
pub use spelling::{CanonicalSignature, Renames, Scope, root_of};

/// A body in canonical form.
#[derive(Clone, Debug)]
pub struct CanonicalBody {
    body: Body,
    undetermined: Vec<String>,
}

/// A hash that is the same in every run of the same build of this program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

impl CanonicalBody {
    /// The canonical form of a function's body, if it has one, with renamed items spelled the new way.
    pub fn of(program: &Program, function: FnId, renames: &Renames) -> Option<CanonicalBody> {
        match &program.functions[function].body {
            FnBody::Present(body) => Some(CanonicalBody::new(body, &Scope::of(program, function), renames)),
            FnBody::Unreadable { .. } | FnBody::Missing => None,
        }
    }

    pub fn new(body: &Body, scope: &Scope, renames: &Renames) -> CanonicalBody {
        let layout = Layout::new(body);
        let mut rewriter = Rewriter {
            layout: &layout,
            speller: Speller::new(scope, renames),
            locals: LocalNumbers::new(body),
        };
        let blocks = layout
            .chains
            .iter()
            .map(|chain| {
                let mut statements = Vec::new();
                for id in chain {
                    let kinds =
                        body.blocks[*id].statements.iter().filter_map(|s| rewriter.statement(&s.kind));
                    statements.extend(kinds.map(|kind| Statement { kind, span: None }));
                }
                let last = &body.blocks[chain[chain.len() - 1]];
                let terminator = Terminator { kind: rewriter.terminator(&last.terminator.kind), span: None };
                Block { statements, terminator, role: last.role }
            })
            .collect();
        let locals = rewriter
            .locals
            .order
            .iter()
            .map(|id| {
                let ty = match body.locals.get(*id) {
                    Some(local) => rewriter.speller.ty(&local.ty),
                    None => rewriter.speller.not_understood(format!("local {id} is not declared")),
                };
                Local { ty, name: None, span: None }
            })
            .collect();
        let undetermined = rewriter.speller.into_undetermined();
        CanonicalBody { body: Body { locals, arg_count: body.arg_count, blocks }, undetermined }
    }

    /// Whether both do the same as long as the items they name do.
    pub fn is_same(&self, other: &CanonicalBody) -> bool {
        self.undetermined.is_empty() && other.undetermined.is_empty() && self.body == other.body
    }

    /// Equal for equal bodies. Different ones differ as surely as 128 bits allow; [`CanonicalBody::is_same`] is exact.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&(&self.body, &self.undetermined))
    }

    /// The body itself, for printing and for further analysis.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The pieces of text whose meaning the text alone does not determine.
    pub fn undetermined(&self) -> &[String] {
        &self.undetermined
    }
}

/// The new numbers of locals, given out as they are asked for.
struct LocalNumbers {
    numbers: HashMap<LocalId, LocalId>,
    /// The old id of each new one.
    order: IdxVec<LocalId, LocalId>,
}

impl LocalNumbers {
    fn new(body: &Body) -> LocalNumbers {
        let mut locals = LocalNumbers { numbers: HashMap::new(), order: IdxVec::new() };
        locals.number(LocalId::return_place());
        body.args().for_each(|arg| {
            locals.number(arg);
        });
        locals
    }

    fn number(&mut self, local: LocalId) -> LocalId {
        *self.numbers.entry(local).or_insert_with(|| self.order.push(local))
    }
}

/// Rewrites statements and terminators one after the other, in canonical order.
struct Rewriter<'a> {
    layout: &'a Layout,
    speller: Speller<'a>,
    locals: LocalNumbers,
}

impl Rewriter<'_> {
    fn place(&mut self, place: &Place) -> Place {
        let local = self.locals.number(place.local);
        let projection = place
            .projection
            .iter()
            .map(|projection| match projection {
                Projection::Index(local) => Projection::Index(self.locals.number(*local)),
                Projection::Field(field, ty) => {
                    Projection::Field(*field, ty.as_ref().map(|ty| self.speller.ty(ty)))
                }
                Projection::Deref
                | Projection::Downcast(_)
                | Projection::ConstantIndex { .. }
                | Projection::Subslice { .. } => projection.clone(),
            })
            .collect();
        Place { local, projection }
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Copy(place) => Operand::Copy(self.place(place)),
            Operand::Move(place) => Operand::Move(self.place(place)),
            Operand::Const(constant) => Operand::Const(self.speller.constant(constant)),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    fn rvalue(&mut self, rvalue: &Rvalue) -> Rvalue {
        match rvalue {
            Rvalue::Use(a) => Rvalue::Use(self.operand(a)),
            Rvalue::Ref(mutability, place) => Rvalue::Ref(*mutability, self.place(place)),
            Rvalue::RawPtr(mutability, place) => Rvalue::RawPtr(*mutability, self.place(place)),
            Rvalue::Repeat(a, len) => Rvalue::Repeat(self.operand(a), self.speller.constant(len)),
            Rvalue::Binary(op, a, b) => Rvalue::Binary(*op, self.operand(a), self.operand(b)),
            Rvalue::CheckedBinary(op, a, b) => Rvalue::CheckedBinary(*op, self.operand(a), self.operand(b)),
            Rvalue::Unary(op, a) => Rvalue::Unary(*op, self.operand(a)),
            Rvalue::Cast(kind, a, ty) => Rvalue::Cast(*kind, self.operand(a), self.speller.ty(ty)),
            Rvalue::Discriminant(place) => Rvalue::Discriminant(self.place(place)),
            Rvalue::Len(place) => Rvalue::Len(self.place(place)),
            Rvalue::PtrMetadata(a) => Rvalue::PtrMetadata(self.operand(a)),
            Rvalue::FatPtr { pointer, metadata, ty } => Rvalue::FatPtr {
                pointer: self.operand(pointer),
                metadata: self.operand(metadata),
                ty: self.speller.ty(ty),
            },
            Rvalue::Aggregate(kind, operands) => {
                let kind = match kind {
                    AggregateKind::Tuple => AggregateKind::Tuple,
                    AggregateKind::Array => AggregateKind::Array,
                    AggregateKind::Adt { ty, variant } => {
                        AggregateKind::Adt { ty: self.speller.ty(ty), variant: variant.clone() }
                    }
                    AggregateKind::Closure { path, args } => AggregateKind::Closure {
                        path: self.speller.path(path),
                        args: self.speller.args(args),
                    },
                };
                Rvalue::Aggregate(kind, self.operands(operands))
            }
            Rvalue::SizeOf(ty) => Rvalue::SizeOf(self.speller.ty(ty)),
            Rvalue::AlignOf(ty) => Rvalue::AlignOf(self.speller.ty(ty)),
        }
    }

    /// None for a statement that does nothing.
    fn statement(&mut self, statement: &StatementKind) -> Option<StatementKind> {
        match statement {
            StatementKind::Assign(place, rvalue) => {
                let place = self.place(place);
                Some(StatementKind::Assign(place, self.rvalue(rvalue)))
            }
            StatementKind::SetDiscriminant(place, variant) => {
                Some(StatementKind::SetDiscriminant(self.place(place), *variant))
            }
            StatementKind::Nop => None,
        }
    }

    /// A target that does not exist gets a number that no block has.
    fn block(&self, target: BlockId) -> BlockId {
        let missing = || BlockId::from_usize(u32::MAX as usize);
        let entered = self.layout.enter(target);
        entered.and_then(|head| self.layout.numbers.get(&head).copied()).unwrap_or_else(missing)
    }

    fn terminator(&mut self, terminator: &TerminatorKind) -> TerminatorKind {
        match terminator {
            TerminatorKind::Goto(target) => TerminatorKind::Goto(self.block(*target)),
            TerminatorKind::SwitchInt { discr, targets, otherwise } => TerminatorKind::SwitchInt {
                discr: self.operand(discr),
                targets: sorted_arms(targets)
                    .into_iter()
                    .map(|(value, target)| (value, self.block(target)))
                    .collect(),
                otherwise: otherwise.map(|target| self.block(target)),
            },
            TerminatorKind::Drop { place, target, unwind } => TerminatorKind::Drop {
                place: self.place(place),
                target: self.block(*target),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Call { callee, args, destination, target, unwind } => TerminatorKind::Call {
                callee: match callee {
                    Callee::Fn(fn_ref) => Callee::Fn(self.speller.fn_ref(fn_ref)),
                    Callee::Pointer(operand) => Callee::Pointer(self.operand(operand)),
                },
                args: self.operands(args),
                destination: self.place(destination),
                target: target.map(|target| self.block(target)),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Assert { condition, expected, check, target, unwind } => TerminatorKind::Assert {
                condition: self.operand(condition),
                expected: *expected,
                check: self.check(check),
                target: self.block(*target),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Unsupported(text) => {
                self.speller.note_text(text);
                terminator.clone()
            }
            TerminatorKind::Return
            | TerminatorKind::Resume
            | TerminatorKind::Unreachable
            | TerminatorKind::Abort => terminator.clone(),
        }
    }

    fn check(&mut self, check: &Check) -> Check {
        match check {
            Check::Overflow(op, a, b) => Check::Overflow(*op, self.operand(a), self.operand(b)),
            Check::OverflowNeg(a) => Check::OverflowNeg(self.operand(a)),
            Check::OverflowShift(op, by) => Check::OverflowShift(*op, self.operand(by)),
            Check::DivisionByZero(a) => Check::DivisionByZero(self.operand(a)),
            Check::RemainderByZero(a) => Check::RemainderByZero(self.operand(a)),
            Check::BoundsCheck { len, index } => {
                Check::BoundsCheck { len: self.operand(len), index: self.operand(index) }
            }
            Check::Other(text) => Check::Other(text.clone()),
        }
    }
}

impl Fingerprint {
    fn of(value: &impl Hash) -> Fingerprint {
        let mut hasher = Fnv128::default();
        value.hash(&mut hasher);
        Fingerprint(hasher.state)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// FNV-1a with 128 bits: no seed, so the same in every run.
struct Fnv128 {
    state: u128,
}

impl Default for Fnv128 {
    fn default() -> Self {
        Fnv128 { state: 0x6c62272e07bb014262b821756295c58d }
    }
}

impl Hasher for Fnv128 {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.state ^= u128::from(*byte);
            self.state = self.state.wrapping_mul(0x0000000001000000000000000000013b);
        }
    }

    fn finish(&self) -> u64 {
        self.state as u64
    }
}
