//! The body of an adapter.

use super::parameter_names;
use crate::exec::resolve::needs_drop;
use crate::idx::{Idx, IdxVec};
use crate::ir::*;

/// The body of an adapter, as it is written.
pub(super) struct Writing {
    locals: IdxVec<LocalId, Local>,
    arg_count: usize,
    blocks: IdxVec<BlockId, Block>,
    /// Of the block that is being written.
    statements: Vec<Statement>,
    /// What is dropped after the call.
    lent: Vec<LocalId>,
}

impl Writing {
    /// `taken` is the function whose parameters it has, by their names.
    pub fn new(taken: &Function, output: Ty) -> Writing {
        let mut writing = Writing {
            locals: IdxVec::new(),
            arg_count: taken.inputs.len(),
            blocks: IdxVec::new(),
            statements: Vec::new(),
            lent: Vec::new(),
        };
        writing.local(output);
        let names = parameter_names(taken);
        for (index, ty) in taken.inputs.iter().enumerate() {
            let name = names.get(index).cloned().flatten();
            writing.locals.push(Local { ty: ty.clone(), name, span: None });
        }
        writing
    }

    /// `types` are those of the arguments.
    pub fn whole(mut self, program: &Program, arguments: &[Argument], types: &[Ty], callee: FnRef) -> Body {
        let mut args = Vec::new();
        for (argument, ty) in arguments.iter().zip(types) {
            args.push(match argument {
                Argument::Parameter { place, conversion } => {
                    let first = LocalId::from_usize(place + 1);
                    let at = conversion.iter().fold(first, |at, step| self.step(program, at, step));
                    Operand::Move(at.into())
                }
                Argument::Fixed { value, .. } => self.fixed(value, ty),
            });
        }
        // Blocks to come: the call, a drop for each that was lent, the return; then drops and the end of unwinding.
        let call = self.blocks.len();
        let drops = self.lent.len();
        let block = BlockId::from_usize;
        let unwind = (drops > 0).then(|| block(call + drops + 2));
        let target = Some(block(call + 1));
        let destination = LocalId::return_place().into();
        self.end(TerminatorKind::Call { callee: Callee::Fn(callee), args, destination, target, unwind });
        let lent = std::mem::take(&mut self.lent);
        for (index, local) in lent.iter().enumerate() {
            // What panics while it is dropped leaves the others, which are not many.
            self.end(TerminatorKind::Drop {
                place: (*local).into(),
                target: block(call + index + 2),
                unwind: None,
            });
        }
        self.end(TerminatorKind::Return);
        if unwind.is_some() {
            for (index, local) in lent.iter().enumerate() {
                let target = block(call + drops + index + 3);
                self.end_as(
                    BlockRole::Cleanup,
                    TerminatorKind::Drop { place: (*local).into(), target, unwind: None },
                );
            }
            self.end_as(BlockRole::Cleanup, TerminatorKind::Resume);
        }
        Body { locals: self.locals, arg_count: self.arg_count, blocks: self.blocks }
    }

    fn fixed(&mut self, value: &Fixed, ty: &Ty) -> Operand {
        match value {
            Fixed::Constant(value) => Operand::Const(value.clone()),
            Fixed::Variant { ty, variant } => {
                let at = self.local(ty.clone());
                let kind =
                    AggregateKind::Adt { ty: ty.clone(), variant: Some(VariantRef::Name(variant.clone())) };
                self.assign(at, Rvalue::Aggregate(kind, Vec::new()));
                Operand::Move(at.into())
            }
            Fixed::Call(callee) => {
                let at = self.local(ty.clone());
                self.call(callee.clone(), Vec::new(), at);
                Operand::Move(at.into())
            }
        }
    }

    /// A call that ends the block.
    fn call(&mut self, callee: FnRef, args: Vec<Operand>, to: LocalId) {
        let target = Some(BlockId::from_usize(self.blocks.len() + 1));
        let callee = Callee::Fn(callee);
        self.end(TerminatorKind::Call { callee, args, destination: to.into(), target, unwind: None });
    }

    /// Where the value is after the step.
    fn step(&mut self, program: &Program, at: LocalId, step: &ConversionStep) -> LocalId {
        let ty = self.locals[at].ty.clone();
        let behind = || Place { local: at, projection: vec![Projection::Deref] };
        let pointee = || ty.pointee().cloned().unwrap_or_else(|| ty.clone());
        let (ty, value) = match step {
            ConversionStep::Lend => {
                if needs_drop(program, &ty) {
                    self.lent.push(at);
                }
                (Ty::reference(Mutability::Shared, ty.clone()), Rvalue::Ref(Mutability::Shared, at.into()))
            }
            ConversionStep::Reborrow => {
                (Ty::reference(Mutability::Shared, pointee()), Rvalue::Ref(Mutability::Shared, behind()))
            }
            ConversionStep::Copy => (pointee(), Rvalue::Use(Operand::Copy(behind()))),
            ConversionStep::Unsize(mutability, target) => {
                let wide = Ty::reference(*mutability, target.clone());
                (wide.clone(), Rvalue::Cast(CastKind::Unsize, Operand::Move(at.into()), wide))
            }
            ConversionStep::Widen(target) => {
                (target.clone(), Rvalue::Cast(CastKind::IntToInt, Operand::Move(at.into()), target.clone()))
            }
            ConversionStep::Wrap(target) => {
                let variant = Some(VariantRef::Name(Name::new("Some")));
                let kind = AggregateKind::Adt { ty: target.clone(), variant };
                (target.clone(), Rvalue::Aggregate(kind, vec![Operand::Move(at.into())]))
            }
            ConversionStep::Deref(mutability, target) => {
                let (path, method) = match mutability {
                    Mutability::Shared => (KnownTrait::Deref, "deref"),
                    Mutability::Mut => (KnownTrait::DerefMut, "deref_mut"),
                };
                let trait_ref = TraitRef { self_ty: pointee(), path: path.into(), args: Vec::new() };
                let callee = FnRef::Trait { trait_ref, method: Name::new(method), args: Vec::new() };
                let to = self.local(Ty::reference(*mutability, target.clone()));
                self.call(callee, vec![Operand::Move(at.into())], to);
                return to;
            }
        };
        let to = self.local(ty);
        self.assign(to, value);
        to
    }

    fn assign(&mut self, to: LocalId, value: Rvalue) {
        self.statements.push(Statement { kind: StatementKind::Assign(to.into(), value), span: None });
    }

    fn local(&mut self, ty: Ty) -> LocalId {
        self.locals.push(Local { ty, name: None, span: None })
    }

    fn end(&mut self, kind: TerminatorKind) {
        self.end_as(BlockRole::Normal, kind);
    }

    fn end_as(&mut self, role: BlockRole, kind: TerminatorKind) {
        let statements = std::mem::take(&mut self.statements);
        self.blocks.push(Block { statements, terminator: Terminator { kind, span: None }, role });
    }
}
