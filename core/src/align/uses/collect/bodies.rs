//! What the statements and terminators of a body refer to.

use super::super::super::types::is_non_null;
use super::super::Held;
use super::{Code, Collector};
use crate::idx::Idx as _;
use crate::ir::*;

impl<'a> Collector<'_, 'a> {
    pub fn body(&mut self, body: &'a Body) {
        self.body = Some(body);
        body.locals.iter().for_each(|local| self.ty(&local.ty));
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(place, rvalue) => {
                        self.place(place);
                        self.read_from_fields.clear();
                        self.rvalue(rvalue);
                        self.read_to(place);
                    }
                    StatementKind::SetDiscriminant(place, _) => {
                        let ty = self.place(place);
                        self.shape(ty.as_ref());
                    }
                    StatementKind::Nop => {}
                }
            }
            self.terminator(&block.terminator.kind);
        }
        if self.hides_drops {
            body.locals.iter().for_each(|local| self.ty_held(&local.ty, Held::ByUnknown));
        }
        if self.hides_objects && self.at.is_some() {
            let types: Vec<Ty> = body.locals.iter().map(|local| self.closed(&local.ty)).collect();
            self.given_objects(&types);
        }
    }

    /// The type of what is at the place, if it is known.
    fn place(&mut self, place: &Place) -> Option<Ty> {
        let mut ty = self.body.map(|body| self.closed(&body.locals[place.local].ty));
        for projection in &place.projection {
            ty = match projection {
                Projection::Deref => ty.as_ref().and_then(Ty::pointee).cloned(),
                Projection::Field(index, field) => {
                    self.shape(ty.as_ref());
                    if let Some(field) = field {
                        self.ty_held(field, Held::Lent);
                        self.field_of(ty.as_ref(), field);
                    }
                    let in_tuple = || match ty.as_ref()?.kind() {
                        TyKind::Tuple(tys) => tys.get(index.index()).cloned(),
                        _ => None,
                    };
                    field.as_ref().map(|field| self.closed(field)).or_else(in_tuple)
                }
                Projection::Downcast(_) => {
                    self.shape(ty.as_ref());
                    ty
                }
                Projection::Index(_) | Projection::ConstantIndex { .. } => match ty.as_ref().map(Ty::kind) {
                    Some(TyKind::Array(elem, _) | TyKind::Slice(elem)) => Some(elem.clone()),
                    _ => None,
                },
                Projection::Subslice { .. } => ty,
            };
        }
        ty
    }

    /// The same of a place that is dropped, or of which the value is moved to where it may be.
    fn owned_place(&mut self, place: &Place) -> Option<Ty> {
        let ty = self.place(place);
        match &ty {
            Some(ty) => self.ty(ty),
            None => self.hides_drops = true,
        }
        ty
    }

    /// The type of the operand, if it is known.
    fn operand(&mut self, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Copy(place) => self.place(place),
            Operand::Move(place) => self.owned_place(place),
            Operand::Const(constant) => {
                self.constant(constant);
                match constant {
                    Const::Int(_, ty) => Some(Ty::int(*ty)),
                    Const::Bool(_) => Some(Ty::new(TyKind::Bool)),
                    Const::Char(_) => Some(Ty::new(TyKind::Char)),
                    Const::ZeroSized(ty) => Some(ty.clone()),
                    Const::Fn(fn_ref) => Some(Ty::new(TyKind::FnDef(fn_ref.clone()))),
                    _ => None,
                }
            }
        }
    }

    fn cast(&mut self, kind: CastKind, from: Option<&Ty>, to: &Ty) {
        match kind {
            // A box is looked into by way of the pointer in it.
            CastKind::Transmute
                if from.is_some_and(is_non_null) && matches!(to.kind(), TyKind::RawPtr(..)) => {}
            CastKind::Transmute
            | CastKind::PtrToPtr
            | CastKind::FnPtrToPtr
            | CastKind::ExposeProvenance
            | CastKind::WithExposedProvenance => {
                self.layout(from);
                self.layout(Some(to));
                // Also of a pointer of another type: that may have been made of anything.
                if self.code == Code::Read && from != Some(to) {
                    self.called_by_made_pointers(from.map_or(&[], std::slice::from_ref), to);
                }
            }
            CastKind::IntToInt => {
                if from.is_some_and(|ty| matches!(ty.kind(), TyKind::Adt(..))) {
                    self.shape(from);
                }
            }
            CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::FloatToFloat
            | CastKind::Unsize
            | CastKind::ReifyFnPointer
            | CastKind::ClosureFnPointer
            | CastKind::UnsafeFnPointer
            | CastKind::Subtype => {}
        }
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            Rvalue::Use(a) | Rvalue::Unary(_, a) | Rvalue::PtrMetadata(a) => {
                self.operand(a);
            }
            Rvalue::Ref(_, place) | Rvalue::RawPtr(_, place) | Rvalue::Len(place) => {
                self.place(place);
            }
            Rvalue::Discriminant(place) => {
                let ty = self.place(place);
                self.shape(ty.as_ref());
            }
            Rvalue::Repeat(a, len) => {
                self.operand(a);
                self.constant(len);
            }
            Rvalue::Binary(BinOp::Offset, a, b) => {
                let pointer = self.operand(a);
                self.layout(pointer.as_ref());
                self.operand(b);
            }
            Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => {
                self.operand(a);
                self.operand(b);
            }
            Rvalue::Cast(kind, a, ty) => {
                let from = self.operand(a);
                self.ty(ty);
                self.cast(*kind, from.as_ref(), ty);
                if self.at.is_some() && *kind != CastKind::Subtype {
                    let (from, to) = (from.map(|from| self.closed(&from)), self.closed(ty));
                    let from = from.filter(|from| *kind == CastKind::Unsize || *from == to);
                    self.made_object(from.as_ref(), &to);
                }
            }
            Rvalue::FatPtr { pointer, metadata, ty } => {
                let thin = self.operand(pointer);
                self.operand(metadata);
                self.ty(ty);
                self.layout(thin.as_ref());
                self.layout(Some(ty));
                if self.at.is_some() {
                    let ty = self.closed(ty);
                    self.made_object(None, &ty);
                }
            }
            Rvalue::Aggregate(kind, operands) => {
                match kind {
                    AggregateKind::Tuple | AggregateKind::Array => {}
                    AggregateKind::Adt { ty, .. } => {
                        self.ty(ty);
                        self.shape(Some(ty));
                    }
                    AggregateKind::Closure { path, args } => {
                        let args = &self.closed_args(args);
                        self.instances_at(path, args, None);
                        self.args(args);
                    }
                }
                for operand in operands {
                    self.operand(operand);
                }
            }
            Rvalue::SizeOf(ty) | Rvalue::AlignOf(ty) => {
                self.ty(ty);
                self.layout(Some(ty));
            }
        }
    }

    fn terminator(&mut self, terminator: &TerminatorKind) {
        match terminator {
            TerminatorKind::SwitchInt { discr, .. } => {
                self.operand(discr);
            }
            TerminatorKind::Drop { place, .. } => {
                self.owned_place(place);
                self.read_from_fields.clear();
            }
            TerminatorKind::Call { callee, args, destination, .. } => {
                self.unknown_callee = false;
                match callee {
                    Callee::Fn(fn_ref) => self.fn_ref(fn_ref),
                    Callee::Pointer(operand) => {
                        let pointer = self.operand(operand);
                        self.calls_unknown();
                        // Who hands over a pointer names the function.
                        if !self.is_argument(operand) {
                            self.called_by_pointer(pointer.as_ref(), args);
                        }
                    }
                }
                let is_unknown = self.unknown_callee;
                let args: Vec<Option<Ty>> = args.iter().map(|operand| self.operand(operand)).collect();
                self.read_by_call(callee, destination);
                let result = self.place(destination);
                self.read_from_fields.clear();
                if let (Callee::Fn(callee), Some(result)) = (callee, &result) {
                    self.made_by_call(callee, &args, result);
                }
                if is_unknown {
                    self.given_by_call(args, result);
                }
            }
            TerminatorKind::Assert { condition, check, .. } => {
                self.operand(condition);
                match check {
                    Check::Overflow(_, a, b) | Check::BoundsCheck { len: a, index: b } => {
                        self.operand(a);
                        self.operand(b);
                    }
                    Check::OverflowNeg(a)
                    | Check::OverflowShift(_, a)
                    | Check::DivisionByZero(a)
                    | Check::RemainderByZero(a) => {
                        self.operand(a);
                    }
                    Check::Other(_) => {}
                }
            }
            TerminatorKind::Goto(_)
            | TerminatorKind::Return
            | TerminatorKind::Resume
            | TerminatorKind::Unreachable
            | TerminatorKind::Abort => {}
            TerminatorKind::Unsupported(_) => (self.hides_objects, self.hides_drops) = (true, true),
        }
    }
}
