//! Terminators: calls, checks, panics, drops that Charon spells as calls.

use regress_core::ir::{
    BinOp, Callee, Check, Const, FnRef, KnownType, Operand, Path, Place, Projection, Rvalue, StatementKind,
    TerminatorKind, Ty, TyKind,
};

use super::bodies::{BodyLowering, block_id};
use super::body_schema as charon;
use super::constants::switch_bits;
use super::context::AssocKind;
use super::names::last_ident;
use super::rvalues::bin_op;
use super::schema::{self, PathElem, TypeId, TypeSource, VTableField};
use super::types::DESTRUCT;

impl BodyLowering<'_, '_> {
    pub fn terminator(&mut self, terminator: &charon::TerminatorKind) -> Result<TerminatorKind, String> {
        let block = block_id;
        Ok(match terminator {
            charon::TerminatorKind::Goto(goto) => TerminatorKind::Goto(block(goto.target)),
            charon::TerminatorKind::Switch(switch) => self.switch(switch)?,
            charon::TerminatorKind::Call(call) => self.call(call)?,
            charon::TerminatorKind::Assert(assert) => self.assert(assert)?,
            charon::TerminatorKind::Abort(abort) => self.abort(abort)?,
            charon::TerminatorKind::Return => TerminatorKind::Return,
            charon::TerminatorKind::UnwindResume => TerminatorKind::Resume,
            charon::TerminatorKind::InlineAsm(_) => TerminatorKind::Unsupported("inline assembly".into()),
            charon::TerminatorKind::Drop(_) => return Err("a drop that was not foreseen".into()),
            charon::TerminatorKind::Other(tag) => {
                TerminatorKind::Unsupported(format!("a terminator of the kind `{tag}`"))
            }
        })
    }

    fn switch(&mut self, switch: &charon::Switch) -> Result<TerminatorKind, String> {
        let block = block_id;
        let discr = self.operand(&switch.discr)?;
        let (targets, otherwise) = match &switch.targets {
            charon::Targets::If((yes, no)) => (vec![(0, block(*no))], block(*yes)),
            charon::Targets::SwitchInt((_, arms, otherwise)) => {
                let arms = arms.iter().map(|(value, target)| Some((switch_bits(value)?, block(*target))));
                let arms =
                    arms.collect::<Option<Vec<_>>>().ok_or("a switch over values that are no numbers")?;
                (arms, block(*otherwise))
            }
            charon::Targets::Other(tag) => return Err(format!("a switch of the kind `{tag}`")),
        };
        Ok(TerminatorKind::SwitchInt { discr, targets, otherwise: Some(otherwise) })
    }

    fn call(&mut self, terminator: &charon::CallTerminator) -> Result<TerminatorKind, String> {
        let call = &terminator.call;
        let callee = match &call.func {
            charon::FnOperand::Regular(of) => Callee::Fn(self.cx.fn_ref(of, self.scope)?),
            charon::FnOperand::Dynamic(operand) => {
                match (self.method_of_vtable(operand)?, self.loaded_method(operand)) {
                    (Some(fn_ref), _) | (None, Some(fn_ref)) => Callee::Fn(fn_ref),
                    (None, None) => Callee::Pointer(self.operand(operand)?),
                }
            }
            charon::FnOperand::Other(tag) => return Err(format!("a callee of the kind `{tag}`")),
        };
        if let Callee::Fn(fn_ref) = &callee
            && is_drop_glue(fn_ref)
        {
            return self.drop_by_call(terminator);
        }
        if let Callee::Fn(FnRef::Free { path, .. }) = &callee
            && path == "std::intrinsics::discriminant_value"
        {
            return self.discriminant_by_call(terminator);
        }
        let callee = match callee {
            Callee::Fn(fn_ref) if self.is_foreign_panic(&fn_ref) => {
                return self.panic_with_kind(&fn_ref);
            }
            other => other,
        };
        let args = self.operands(&call.args)?;
        let destination = self.place(&call.dest)?;
        let never = matches!(self.ty(&call.dest.ty).kind(), TyKind::Never);
        Ok(TerminatorKind::Call {
            callee,
            args,
            destination,
            target: (!never).then(|| block_id(terminator.target)),
            unwind: self.unwind(terminator.on_unwind),
        })
    }

    /// `drop_glue(&mut x)` is the drop of `x`. Where the reference is made just before, it is not needed.
    fn drop_by_call(&mut self, terminator: &charon::CallTerminator) -> Result<TerminatorKind, String> {
        let [argument] = terminator.call.args.as_slice() else {
            return Err("drop glue with several arguments".into());
        };
        let (Operand::Move(pointer) | Operand::Copy(pointer)) = self.operand(argument)? else {
            return Err("drop glue of a constant".into());
        };
        let place = match self.statements.last().map(|statement| &statement.kind) {
            Some(StatementKind::Assign(to, Rvalue::Ref(_, of) | Rvalue::RawPtr(_, of)))
                if *to == pointer && to.projection.is_empty() =>
            {
                let of = of.clone();
                self.statements.pop();
                of
            }
            _ => {
                let mut place = pointer;
                place.projection.push(Projection::Deref);
                place
            }
        };
        Ok(TerminatorKind::Drop {
            place,
            target: block_id(terminator.target),
            unwind: self.unwind(terminator.on_unwind),
        })
    }

    /// The intrinsic behind derived comparisons. The compiler makes an operation of it later than Charon looks.
    fn discriminant_by_call(
        &mut self,
        terminator: &charon::CallTerminator,
    ) -> Result<TerminatorKind, String> {
        let [argument] = terminator.call.args.as_slice() else {
            return Err("the discriminant of several values".into());
        };
        let (Operand::Move(mut of) | Operand::Copy(mut of)) = self.operand(argument)? else {
            return Err("the discriminant of a constant".into());
        };
        of.projection.push(Projection::Deref);
        let destination = self.place(&terminator.call.dest)?;
        self.push(StatementKind::Assign(destination, Rvalue::Discriminant(of)));
        Ok(TerminatorKind::Goto(block_id(terminator.target)))
    }

    /// Calls of `dyn` methods are written as calls of what is in a field of the vtable.
    pub fn method_of_vtable(&mut self, operand: &charon::Operand) -> Result<Option<FnRef>, String> {
        let (charon::Operand::Copy(place) | charon::Operand::Move(place)) = operand else { return Ok(None) };
        let charon::PlaceKind::Projection((vtable, charon::Projection::Field((_, field)))) = &*place.kind
        else {
            return Ok(None);
        };
        let charon::PlaceKind::Projection((metadata, charon::Projection::Deref)) = &*vtable.kind else {
            return Ok(None);
        };
        let charon::PlaceKind::Projection((pointer, charon::Projection::PtrMetadata)) = &*metadata.kind
        else {
            return Ok(None);
        };
        let schema::TyKind::Adt(of) = &*vtable.ty else { return Ok(None) };
        let TypeId::Adt(id) = &of.id else { return Ok(None) };
        let decl = self.cx.krate.type_decls.get(*id).and_then(Option::as_ref);
        let Some(TypeSource::VTable(table) | TypeSource::VTableTy(table)) = decl.map(|decl| &decl.src) else {
            return Ok(None);
        };
        let pointee = match &*pointer.ty {
            schema::TyKind::Ref((_, to, _)) | schema::TyKind::RawPtr((to, _)) => to,
            _ => return Err("a method of what is behind no plain pointer".into()),
        };
        let schema::TyKind::DynTrait(dynamic) = &**pointee else {
            return Err("a method of a vtable that belongs to no trait object".into());
        };
        let self_ty = self.ty(pointee);
        let TyKind::Dyn(bounds) = self_ty.kind() else { return Err(format!("a method of {self_ty}")) };
        let clause = dynamic.binder.params.trait_clauses.first().ok_or("a trait object without a trait")?;
        let bound = bounds.first().ok_or("a trait object without a trait")?;
        let trait_id = clause.trait_.skip_binder.id;
        match table.field_map.get(*field) {
            Some(VTableField::Method(method)) => {
                let method = self
                    .cx
                    .assoc_name(trait_id, AssocKind::Method, *method)
                    .ok_or("a method without a name")?;
                let trait_ref = regress_core::ir::TraitRef {
                    path: bound.path.clone(),
                    args: bound.args.clone(),
                    self_ty,
                };
                Ok(Some(FnRef::Trait { trait_ref, method, args: Vec::new() }))
            }
            Some(VTableField::Drop) => {
                let trait_ref =
                    regress_core::ir::TraitRef { path: Path::from(DESTRUCT), args: Vec::new(), self_ty };
                Ok(Some(FnRef::Trait { trait_ref, method: "drop_glue".into(), args: Vec::new() }))
            }
            _ => Err("a call through a vtable of what is no method".into()),
        }
    }

    fn assert(&mut self, terminator: &charon::AssertTerminator) -> Result<TerminatorKind, String> {
        let assert = &terminator.assert;
        let check = match &assert.check_kind {
            Some(charon::CheckKind::Overflow((op, left, right))) => {
                let op = match op {
                    charon::BinOp::AddChecked => BinOp::Add,
                    charon::BinOp::SubChecked => BinOp::Sub,
                    charon::BinOp::MulChecked => BinOp::Mul,
                    op => bin_op(op)?,
                };
                match op {
                    BinOp::Shl | BinOp::Shr => Check::OverflowShift(op, self.told(right)),
                    _ => Check::Overflow(op, self.told(left), self.told(right)),
                }
            }
            Some(charon::CheckKind::OverflowNeg(operand)) => Check::OverflowNeg(self.told(operand)),
            Some(charon::CheckKind::DivisionByZero(operand)) => Check::DivisionByZero(self.told(operand)),
            Some(charon::CheckKind::RemainderByZero(operand)) => Check::RemainderByZero(self.told(operand)),
            Some(charon::CheckKind::BoundsCheck(check)) => {
                Check::BoundsCheck { len: self.told(&check.len), index: self.told(&check.index) }
            }
            Some(charon::CheckKind::Other(tag)) => return Err(format!("a check of the kind `{tag}`")),
            None => return Err("a check that does not say what it checks".into()),
        };
        Ok(TerminatorKind::Assert {
            condition: self.operand(&assert.cond)?,
            expected: assert.expected,
            check,
            target: block_id(terminator.target),
            unwind: self.unwind(terminator.on_unwind),
        })
    }

    /// An operand that is only told of in a message. Charon drops locals that nothing else uses.
    fn told(&mut self, operand: &charon::Operand) -> Operand {
        self.operand(operand).unwrap_or(Operand::Const(Const::Uninit))
    }

    fn abort(&mut self, abort: &charon::Abort) -> Result<TerminatorKind, String> {
        match abort {
            charon::Abort::UndefinedBehavior => Ok(TerminatorKind::Unreachable),
            charon::Abort::UnwindTerminate => Ok(TerminatorKind::Abort),
            charon::Abort::Panic(Some(name)) => self.panic(name),
            charon::Abort::Panic(None) => Err("a panic of an unknown kind".into()),
            charon::Abort::Other(tag) => Err(format!("an end of the kind `{tag}`")),
        }
    }

    /// Charon keeps which function panics, and no more. The message of a formatted panic is still made in front of it; of
    /// the others in the crate itself, all are explicit ones. In code of the standard library the message would tell
    /// what kind of panic it is.
    fn panic(&mut self, name: &[PathElem]) -> Result<TerminatorKind, String> {
        let path = self.cx.plain_path(name);
        let arguments = self.last_made(KnownType::Arguments);
        let args = match (last_ident(name), arguments) {
            (Some("panic_fmt" | "panic_nounwind_fmt"), Some(message)) => {
                vec![Operand::Move(Place::from(message))]
            }
            _ if !self.is_local => {
                return Err(format!(
                    "a panic of the standard library ({path}) whose message Charon does not keep"
                ));
            }
            _ => Vec::new(),
        };
        Ok(self.diverging_call(path, args))
    }

    fn diverging_call(&mut self, path: Path, args: Vec<Operand>) -> TerminatorKind {
        let never = self.temporary(Ty::new(TyKind::Never));
        TerminatorKind::Call {
            callee: Callee::Fn(FnRef::Free { path, args: Vec::new() }),
            args,
            destination: Place::from(never),
            target: None,
            unwind: None,
        }
    }

    /// Functions that say by their name what they panic with.
    fn is_foreign_panic(&self, fn_ref: &FnRef) -> bool {
        matches!(fn_ref, FnRef::Free { path, .. } if panic_message(path.as_str()).is_some())
    }

    fn panic_with_kind(&mut self, fn_ref: &FnRef) -> Result<TerminatorKind, String> {
        let FnRef::Free { path, .. } = fn_ref else { return Err("a panic of an unknown kind".into()) };
        let message = panic_message(path.as_str()).ok_or("a panic of an unknown kind")?;
        let args = vec![Operand::Const(Const::Str(message.into()))];
        Ok(self.diverging_call(path.clone(), args))
    }
}

fn is_drop_glue(fn_ref: &FnRef) -> bool {
    match fn_ref {
        FnRef::Trait { trait_ref, .. } => trait_ref.path == DESTRUCT,
        _ => false,
    }
}

/// The messages of the compiler's own panics, as far as they tell kinds apart.
fn panic_message(path: &str) -> Option<&'static str> {
    let name = path.rsplit("::").next()?.strip_prefix("panic_const_")?;
    match name {
        "div_by_zero" => Some("attempt to divide by zero"),
        "rem_by_zero" => Some("attempt to calculate the remainder with a divisor of zero"),
        name if name.ends_with("_overflow") => Some("attempt to compute with overflow"),
        _ => None,
    }
}
