//! Statements and terminators with other names in them.

use super::layout::sorted_arms;
use super::spelling::Speller;
use crate::ir::*;

/// Rewrites statements and terminators one after the other, in canonical order.
pub(crate) struct Rewriter<'a, N> {
    pub(crate) speller: Speller<'a>,
    pub(crate) numbering: N,
}

/// What becomes of locals and blocks.
pub(crate) trait Numbering {
    fn local(&mut self, local: LocalId) -> LocalId;
    fn block(&mut self, target: BlockId) -> BlockId;
}

impl<N: Numbering> Rewriter<'_, N> {
    fn place(&mut self, place: &Place) -> Place {
        let local = self.numbering.local(place.local);
        let projection = place
            .projection
            .iter()
            .map(|projection| match projection {
                Projection::Index(local) => Projection::Index(self.numbering.local(*local)),
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
    pub(crate) fn statement(&mut self, statement: &StatementKind) -> Option<StatementKind> {
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

    pub(crate) fn terminator(&mut self, terminator: &TerminatorKind) -> TerminatorKind {
        match terminator {
            TerminatorKind::Goto(target) => TerminatorKind::Goto(self.numbering.block(*target)),
            TerminatorKind::SwitchInt { discr, targets, otherwise } => TerminatorKind::SwitchInt {
                discr: self.operand(discr),
                targets: sorted_arms(targets)
                    .into_iter()
                    .map(|(value, target)| (value, self.numbering.block(target)))
                    .collect(),
                otherwise: otherwise.map(|target| self.numbering.block(target)),
            },
            TerminatorKind::Drop { place, target, unwind } => TerminatorKind::Drop {
                place: self.place(place),
                target: self.numbering.block(*target),
                unwind: unwind.map(|target| self.numbering.block(target)),
            },
            TerminatorKind::Call { callee, args, destination, target, unwind } => TerminatorKind::Call {
                callee: match callee {
                    Callee::Fn(fn_ref) => Callee::Fn(self.speller.fn_ref(fn_ref)),
                    Callee::Pointer(operand) => Callee::Pointer(self.operand(operand)),
                },
                args: self.operands(args),
                destination: self.place(destination),
                target: target.map(|target| self.numbering.block(target)),
                unwind: unwind.map(|target| self.numbering.block(target)),
            },
            TerminatorKind::Assert { condition, expected, check, target, unwind } => TerminatorKind::Assert {
                condition: self.operand(condition),
                expected: *expected,
                check: self.check(check),
                target: self.numbering.block(*target),
                unwind: unwind.map(|target| self.numbering.block(target)),
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
