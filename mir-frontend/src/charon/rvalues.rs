//! Statements and rvalues.

use regress_core::ir::{
    AggregateKind, BinOp, CastKind, Const, FnRef, KnownType, Mutability, Operand, Rvalue, StatementKind, Ty,
    TyKind, UnOp,
};

use super::bodies::BodyLowering;
use super::body_schema as charon;
use super::schema::{self, LiteralTy, TypeId};
use super::types::mutability;
use crate::rustc::whole_box;

impl BodyLowering<'_, '_> {
    pub fn statement(&mut self, statement: &charon::StatementKind) -> Result<(), String> {
        match statement {
            charon::StatementKind::Assign((place, rvalue)) => {
                if self.load_method(place, rvalue)? {
                    return Ok(());
                }
                let rvalue = self.rvalue(rvalue, &place.ty)?;
                let place = self.place(place)?;
                self.push(StatementKind::Assign(place, rvalue));
                Ok(())
            }
            charon::StatementKind::SetDiscriminant((place, variant)) => {
                let variant = u32::try_from(*variant).map_err(|_| "a variant of a huge number")?;
                let place = self.place(place)?;
                self.push(StatementKind::SetDiscriminant(place, variant));
                Ok(())
            }
            charon::StatementKind::StorageLive(_)
            | charon::StatementKind::StorageDead(_)
            | charon::StatementKind::PlaceMention(_)
            | charon::StatementKind::Borrowck(_)
            | charon::StatementKind::Nop => Ok(()),
            // What the compiler takes to hold; if it does not, behaviour is undefined.
            charon::StatementKind::Assert(assert) => match assert.on_failure {
                charon::Abort::UndefinedBehavior => Ok(()),
                _ => Err("an assertion among statements; leave out `--reconstruct-asserts`".into()),
            },
            charon::StatementKind::CopyNonOverlapping(_) => Err("a copy of memory by an intrinsic".into()),
            charon::StatementKind::Other(tag) => Err(format!("a statement of the kind `{tag}`")),
        }
    }

    /// Monomorphized code loads the method of a trait object into a local first: the local stands for the method.
    fn load_method(&mut self, place: &charon::Place, rvalue: &charon::Rvalue) -> Result<bool, String> {
        let (charon::PlaceKind::Local(local), charon::Rvalue::UnaryOp((charon::UnOp::Cast(_), operand))) =
            (&*place.kind, rvalue)
        else {
            return Ok(false);
        };
        let Some(method) = self.method_of_vtable(operand)? else { return Ok(false) };
        self.methods.insert(*local, method);
        Ok(true)
    }

    /// The method that a local stands for.
    pub fn loaded_method(&self, operand: &charon::Operand) -> Option<FnRef> {
        let (charon::Operand::Copy(place) | charon::Operand::Move(place)) = operand else { return None };
        match &*place.kind {
            charon::PlaceKind::Local(local) => self.methods.get(local).cloned(),
            _ => None,
        }
    }

    fn rvalue(&mut self, rvalue: &charon::Rvalue, into: &schema::Ty) -> Result<Rvalue, String> {
        Ok(match rvalue {
            charon::Rvalue::Use(operand) => match &operand.0 {
                charon::Operand::Copy(place) | charon::Operand::Move(place) if ends_in_metadata(place) => {
                    self.metadata(place)?
                }
                operand => Rvalue::Use(self.operand(operand)?),
            },
            charon::Rvalue::Ref(borrow) => {
                let kind = match &borrow.kind {
                    charon::BorrowKind::Mut
                    | charon::BorrowKind::TwoPhaseMut
                    | charon::BorrowKind::UniqueImmutable => Mutability::Mut,
                    charon::BorrowKind::Shared | charon::BorrowKind::Shallow => Mutability::Shared,
                    charon::BorrowKind::Other(tag) => return Err(format!("a reference of the kind `{tag}`")),
                };
                Rvalue::Ref(kind, self.place(&borrow.place)?)
            }
            charon::Rvalue::RawPtr(borrow) => {
                let kind = match &borrow.kind {
                    charon::BorrowKind::Mut => Mutability::Mut,
                    _ => Mutability::Shared,
                };
                Rvalue::RawPtr(kind, self.place(&borrow.place)?)
            }
            charon::Rvalue::BinaryOp((op, left, right)) => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                match op {
                    charon::BinOp::AddChecked => Rvalue::CheckedBinary(BinOp::Add, left, right),
                    charon::BinOp::SubChecked => Rvalue::CheckedBinary(BinOp::Sub, left, right),
                    charon::BinOp::MulChecked => Rvalue::CheckedBinary(BinOp::Mul, left, right),
                    op => Rvalue::Binary(bin_op(op)?, left, right),
                }
            }
            charon::Rvalue::UnaryOp((op, operand)) => match op {
                charon::UnOp::Not => Rvalue::Unary(UnOp::Not, self.operand(operand)?),
                charon::UnOp::Neg(charon::Overflow::Panic) => return Err(reconstructed()),
                charon::UnOp::Neg(_) => Rvalue::Unary(UnOp::Neg, self.operand(operand)?),
                charon::UnOp::Cast(cast) => self.cast(cast, operand)?,
                charon::UnOp::Other(tag) => return Err(format!("the operation `{tag}`")),
            },
            charon::Rvalue::NullaryOp((op, ty)) => match op {
                charon::NullOp::SizeOf => Rvalue::SizeOf(self.ty(ty)),
                charon::NullOp::AlignOf => Rvalue::AlignOf(self.ty(ty)),
                // Preconditions of unsafe functions are not checked by the standard library as it is shipped.
                charon::NullOp::UbChecks => Rvalue::Use(Operand::Const(Const::Bool(false))),
                charon::NullOp::Other(tag) => return Err(format!("the operation `{tag}`")),
            },
            charon::Rvalue::Discriminant(place) => Rvalue::Discriminant(self.place(place)?),
            charon::Rvalue::Aggregate((kind, fields)) => self.aggregate(kind, fields, into)?,
            charon::Rvalue::Len((place, _, _)) => Rvalue::Len(self.place(place)?),
            charon::Rvalue::Repeat((operand, _, count)) => {
                let count = self.cx.constant(count, self.scope);
                Rvalue::Repeat(self.operand(operand)?, count)
            }
            charon::Rvalue::Other(tag) => return Err(format!("an rvalue of the kind `{tag}`")),
        })
    }

    /// The metadata that a place names.
    fn metadata(&mut self, place: &charon::Place) -> Result<Rvalue, String> {
        match &*place.kind {
            charon::PlaceKind::Projection((pointer, charon::Projection::PtrMetadata)) => {
                Ok(Rvalue::PtrMetadata(Operand::Copy(self.place(pointer)?)))
            }
            _ => Err("metadata of no pointer".into()),
        }
    }

    fn cast(&mut self, cast: &charon::CastKind, operand: &charon::Operand) -> Result<Rvalue, String> {
        let operand = self.operand(operand)?;
        Ok(match cast {
            charon::CastKind::Scalar((from, to)) => {
                let kind = match (from, to) {
                    (LiteralTy::Float(_), LiteralTy::Float(_)) => CastKind::FloatToFloat,
                    (LiteralTy::Float(_), _) => CastKind::FloatToInt,
                    (_, LiteralTy::Float(_)) => CastKind::IntToFloat,
                    _ => CastKind::IntToInt,
                };
                Rvalue::Cast(kind, operand, Ty::new(super::types::literal_ty(to)))
            }
            charon::CastKind::RawPtr((from, to)) => {
                let (from, to) = (self.ty(from), self.ty(to));
                let kind = match (from.kind(), to.kind()) {
                    (TyKind::RawPtr(..) | TyKind::Ref(..), TyKind::RawPtr(..)) => CastKind::PtrToPtr,
                    (TyKind::RawPtr(..), TyKind::Int(_)) => CastKind::ExposeProvenance,
                    (TyKind::Int(_), TyKind::RawPtr(..)) => CastKind::WithExposedProvenance,
                    (TyKind::FnPtr { .. }, TyKind::RawPtr(..)) => CastKind::FnPtrToPtr,
                    _ => return Err(format!("a pointer cast from {from} to {to}")),
                };
                Rvalue::Cast(kind, operand, to)
            }
            charon::CastKind::FnPtr((from, to)) => {
                let (from, to) = (self.ty(from), self.ty(to));
                let kind = match from.kind() {
                    TyKind::FnDef(_) => CastKind::ReifyFnPointer,
                    TyKind::Closure(..) => CastKind::ClosureFnPointer,
                    TyKind::FnPtr { .. } => CastKind::UnsafeFnPointer,
                    _ => return Err(format!("a cast of {from} to a function pointer")),
                };
                Rvalue::Cast(kind, operand, to)
            }
            charon::CastKind::Unsize((_, to, _)) => Rvalue::Cast(CastKind::Unsize, operand, self.ty(to)),
            charon::CastKind::Transmute((_, to)) => {
                let to = self.ty(to);
                Rvalue::Cast(CastKind::Transmute, whole_box(operand, &to), to)
            }
            charon::CastKind::Concretize(_) => return Err("a trait object taken for its type".into()),
            charon::CastKind::Other(tag) => return Err(format!("a cast of the kind `{tag}`")),
        })
    }

    fn aggregate(
        &mut self,
        kind: &charon::AggregateKind,
        fields: &[charon::Operand],
        into: &schema::Ty,
    ) -> Result<Rvalue, String> {
        let operands = self.operands(fields)?;
        Ok(match kind {
            charon::AggregateKind::Array => Rvalue::Aggregate(AggregateKind::Array, operands),
            charon::AggregateKind::RawPtr(to, kind) => match <[Operand; 2]>::try_from(operands) {
                Ok([pointer, metadata]) => {
                    let ty = Ty::new(TyKind::RawPtr(mutability(kind), self.ty(to)));
                    Rvalue::FatPtr { pointer, metadata, ty }
                }
                Err(operands) => return Err(format!("a pointer made of {} parts", operands.len())),
            },
            charon::AggregateKind::Adt { ty, variant, union_field } => {
                if union_field.is_some() {
                    return self.union(into, operands);
                }
                match &ty.id {
                    TypeId::Tuple | TypeId::Builtin(schema::BuiltinTy::Tuple) => {
                        Rvalue::Aggregate(AggregateKind::Tuple, operands)
                    }
                    _ => {
                        let made = self.ty(into);
                        match made.kind() {
                            TyKind::Closure(path, args) => {
                                let kind = AggregateKind::Closure { path: path.clone(), args: args.clone() };
                                Rvalue::Aggregate(kind, operands)
                            }
                            TyKind::Adt(path, _) => {
                                if let Some(reason) = self.made_otherwise(path, *variant, operands.len()) {
                                    return Err(reason);
                                }
                                let variant = match variant {
                                    Some(index) => Some(self.variant(into, *index)?),
                                    None => None,
                                };
                                Rvalue::Aggregate(AggregateKind::Adt { ty: made, variant }, operands)
                            }
                            _ => return Err(format!("a value of {made} made of its parts")),
                        }
                    }
                }
            }
            charon::AggregateKind::Other(tag) => return Err(format!("an aggregate of the kind `{tag}`")),
        })
    }

    /// Why a value of a modelled type cannot be made of these parts.
    fn made_otherwise(
        &self,
        path: &regress_core::ir::Path,
        variant: Option<usize>,
        fields: usize,
    ) -> Option<String> {
        let model = self.cx.base.adt(path)?;
        let theirs = model.variants.get(variant.unwrap_or(0)).map(|variant| variant.fields.len());
        (theirs != Some(fields))
            .then(|| format!("a value of {path} made of its parts, which is modelled otherwise"))
    }

    fn union(&self, into: &schema::Ty, operands: Vec<Operand>) -> Result<Rvalue, String> {
        let ty = self.ty(into);
        match ty.kind() {
            TyKind::Adt(path, _) if path == KnownType::MaybeUninit => {
                Ok(Rvalue::Aggregate(AggregateKind::Adt { ty, variant: None }, operands))
            }
            _ => Err(format!("a value of the union {ty}")),
        }
    }
}

fn ends_in_metadata(place: &charon::Place) -> bool {
    matches!(&*place.kind, charon::PlaceKind::Projection((_, charon::Projection::PtrMetadata)))
}

fn reconstructed() -> String {
    "arithmetic that panics by itself; leave out `--reconstruct-fallible-operations`".into()
}

pub fn bin_op(op: &charon::BinOp) -> Result<BinOp, String> {
    use charon::BinOp as C;
    let arithmetic = |op: BinOp, overflow: &charon::Overflow| match overflow {
        charon::Overflow::Wrap | charon::Overflow::UB => Ok(op),
        charon::Overflow::Panic => Err(reconstructed()),
        charon::Overflow::Other(tag) => Err(format!("arithmetic with the overflow mode `{tag}`")),
    };
    Ok(match op {
        C::Eq => BinOp::Eq,
        C::Lt => BinOp::Lt,
        C::Le => BinOp::Le,
        C::Ne => BinOp::Ne,
        C::Ge => BinOp::Ge,
        C::Gt => BinOp::Gt,
        C::BitXor => BinOp::BitXor,
        C::BitAnd => BinOp::BitAnd,
        C::BitOr => BinOp::BitOr,
        C::Offset => BinOp::Offset,
        C::Cmp => BinOp::Cmp,
        C::Add(overflow) => return arithmetic(BinOp::Add, overflow),
        C::Sub(overflow) => return arithmetic(BinOp::Sub, overflow),
        C::Mul(overflow) => return arithmetic(BinOp::Mul, overflow),
        C::Div(overflow) => return arithmetic(BinOp::Div, overflow),
        C::Rem(overflow) => return arithmetic(BinOp::Rem, overflow),
        C::Shl(overflow) => return arithmetic(BinOp::Shl, overflow),
        C::Shr(overflow) => return arithmetic(BinOp::Shr, overflow),
        C::AddChecked | C::SubChecked | C::MulChecked => {
            return Err("a checked operation where none can be".into());
        }
        C::Other(tag) => return Err(format!("the operator `{tag}`")),
    })
}
