//! Casts: between numbers, between pointers, and the same bits as another type.
//!
//! What would read memory as another type than it was written as is refused.

use std::rc::Rc;

use super::eval::{fat_pointer, scalar_ty};
use super::layout;
use super::machine::Machine;
use super::memory::Location;
use super::pointer;
use super::resolve::normalize;
use super::run::{BranchKind, Stop};
use super::std_abstractions::{self, View, view};
use super::tree::{Pointer, Scalar, ScalarTy, Tree};
use crate::ir::{AdtKind, CastKind, FloatTy, IntTy, KnownType, Path, Ty, TyKind};
use crate::term::FloatOp;
use crate::verdict::unsupported::{Cast, UndefinedBehaviour, Unsupported};

impl Machine<'_, '_, '_> {
    pub(super) fn cast(&mut self, kind: CastKind, value: Tree, ty: &Ty) -> Result<Tree, Stop> {
        match (kind, value) {
            (CastKind::IntToInt, Tree::Scalar(scalar)) => {
                let to = scalar_ty(ty)
                    .ok_or_else(|| Stop::Unsupported(Unsupported::Cast(Cast::To { ty: ty.to_string() })))?;
                Ok(self.run.int_to_int(scalar, to).into())
            }
            (CastKind::IntToFloat | CastKind::FloatToInt | CastKind::FloatToFloat, Tree::Scalar(scalar)) => {
                let to = scalar_ty(ty)
                    .ok_or_else(|| Stop::Unsupported(Unsupported::Cast(Cast::To { ty: ty.to_string() })))?;
                let (op, format) = match (scalar.ty, to) {
                    (ScalarTy::Float(from), ScalarTy::Float(to)) if from == to => return Ok(scalar.into()),
                    (ScalarTy::Float(from), ScalarTy::Float(_)) => (FloatOp::Convert, from),
                    (ScalarTy::Float(from), ScalarTy::Int(int)) => {
                        (FloatOp::ToInt(int.signedness(), int.bits() as u16), from)
                    }
                    (ScalarTy::Int(int), ScalarTy::Float(to)) => (FloatOp::FromInt(int.signedness()), to),
                    _ => {
                        return Err(Stop::Unsupported(Unsupported::Cast(Cast::Numbers {
                            kind,
                            to: ty.to_string(),
                        })));
                    }
                };
                Ok(self.run.float_operation(op, format, to, &[scalar]).into())
            }
            (CastKind::WithExposedProvenance, Tree::Scalar(address))
                if layout::is_thin_pointer(self.image.program, ty) =>
            {
                Ok(Tree::Address(address))
            }
            (CastKind::ExposeProvenance, Tree::Address(address)) => Ok(address.into()),
            (CastKind::PtrToPtr | CastKind::Subtype, Tree::Address(address)) => Ok(Tree::Address(address)),
            (CastKind::Transmute, Tree::Address(address)) if scalar_ty(ty) == Some(address.ty) => {
                Ok(address.into())
            }
            (CastKind::Transmute, Tree::Address(address)) if matches!(ty.kind(), TyKind::RawPtr(..)) => {
                Ok(Tree::Address(address))
            }
            (
                CastKind::ReifyFnPointer
                | CastKind::ClosureFnPointer
                | CastKind::UnsafeFnPointer
                | CastKind::FnPtrToPtr
                | CastKind::Subtype,
                value @ (Tree::Fn(..) | Tree::Closure { .. }),
            ) => Ok(value),
            (CastKind::Subtype, value) => Ok(value),
            (CastKind::Transmute, value) => self.transmute(value, ty),
            (kind, value) => Err(Stop::Unsupported(Unsupported::Cast(Cast::Value {
                kind,
                value: value.kind(),
                to: ty.to_string(),
            }))),
        }
    }

    /// A cast of a pointer that is declared as `from`, if that is known.
    pub(super) fn cast_of_pointer(
        &mut self,
        kind: CastKind,
        pointer: Pointer,
        from: Option<&Ty>,
        ty: &Ty,
    ) -> Result<Tree, Stop> {
        let pointees = from.and_then(Ty::pointee).zip(ty.pointee());
        match (kind, pointees) {
            (CastKind::Unsize, Some((from, to))) if matches!(to.kind(), TyKind::Dyn(_)) => {
                Ok(Tree::Pointer(pointer::dynamic(pointer, from)))
            }
            (CastKind::Unsize, _) => self.unsize(pointer, ty),
            (CastKind::Subtype, _) => Ok(Tree::Pointer(pointer)),
            (CastKind::PtrToPtr | CastKind::Transmute, Some((from, to))) => {
                Ok(Tree::Pointer(self.cast_pointer(pointer, from, to)?))
            }
            (CastKind::ExposeProvenance, _) => Err(Stop::Unsupported(Unsupported::Cast(Cast::Address))),
            (kind, _) => {
                let from = from.map(ToString::to_string);
                Err(Stop::Unsupported(Unsupported::Cast(Cast::Pointer { kind, from, to: ty.to_string() })))
            }
        }
    }

    /// A reference-counted pointer to something as one to a slice or `dyn Trait`: its pointer to the content changes.
    pub(super) fn unsize_counted(&mut self, from: &Ty, fields: &[Tree], ty: &Ty) -> Result<Tree, Stop> {
        let unsupported = || {
            Stop::Unsupported(Unsupported::Cast(Cast::Counted { from: from.to_string(), to: ty.to_string() }))
        };
        let (Some(View::Counted(content)), Some(View::Counted(wanted))) = (view(from), view(ty)) else {
            return Err(unsupported());
        };
        let [Tree::Pointer(pointer), counts] = fields else { return Err(unsupported()) };
        let (declared, wanted) = (std_abstractions::boxed(content), std_abstractions::boxed(wanted));
        let content = self.cast_of_pointer(CastKind::Unsize, pointer.clone(), Some(&declared), &wanted)?;
        Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(vec![content, counts.clone()]) })
    }

    pub(super) fn unsize(&mut self, pointer: Pointer, ty: &Ty) -> Result<Tree, Stop> {
        if !matches!(ty.pointee().map(Ty::kind), Some(TyKind::Slice(_))) || pointer.target.window.is_some() {
            return Ok(Tree::Pointer(pointer));
        }
        let len = self.length(&Location::of(&pointer))?;
        fat_pointer(pointer, len)
    }

    /// Reinterprets the bits of scalars and of arrays of scalars.
    fn transmute(&mut self, value: Tree, ty: &Ty) -> Result<Tree, Stop> {
        let unsupported = |value: &Tree| {
            Stop::Unsupported(Unsupported::Cast(Cast::Transmute { value: value.kind(), to: ty.to_string() }))
        };
        match (&value, ty.kind()) {
            (Tree::Scalar(Scalar { ty: ScalarTy::Float(from), .. }), TyKind::Float(to)) if from == to => {
                Ok(value)
            }
            (Tree::Scalar(scalar @ Scalar { ty: ScalarTy::Float(from), .. }), _) => {
                let int = match from {
                    FloatTy::F32 => IntTy::U32,
                    FloatTy::F64 => IntTy::U64,
                };
                let bits = self.float_bits(*from, *scalar, ScalarTy::Int(int))?;
                self.transmute(bits.into(), ty)
            }
            (Tree::Scalar(scalar), TyKind::Float(to)) if scalar.ty.bits() == u32::from(to.bits()) => {
                Ok(self.run.float_of_bits(*to, *scalar).into())
            }
            (Tree::Scalar(scalar), _) if scalar_ty(ty).is_some_and(|to| to.bits() == scalar.ty.bits()) => {
                let to = scalar_ty(ty).expect("just seen");
                if to == ScalarTy::Char && scalar.ty != ScalarTy::Char {
                    self.require_character(*scalar)?;
                }
                Ok(Scalar { ty: to, ..*scalar }.into())
            }
            (Tree::Scalar(scalar), TyKind::Array(elem, _)) => {
                let to = scalar_ty(elem)
                    .filter(|to| matches!(to, ScalarTy::Int(_)))
                    .ok_or_else(|| unsupported(&value))?;
                let width = to.bits();
                if !scalar.ty.bits().is_multiple_of(width) || scalar.ty == ScalarTy::Bool {
                    return Err(unsupported(&value));
                }
                let count = scalar.ty.bits() / width;
                let parts = (0..count).map(|part| {
                    let low = part * width;
                    let bits = to.truncate(scalar.bits >> low);
                    match scalar.term {
                        None => Tree::Scalar(Scalar { ty: to, bits, ..*scalar }),
                        Some(term) => {
                            let term = self.run.pool.extract(term, (low + width - 1) as u16, low as u16);
                            Tree::Scalar(self.run.scalar(to, bits, term, scalar.slice))
                        }
                    }
                });
                Ok(Tree::array(parts.collect()))
            }
            (Tree::Seq { elems, .. }, _)
                if matches!(scalar_ty(ty), Some(ScalarTy::Int(_) | ScalarTy::Char)) =>
            {
                let to = scalar_ty(ty).expect("just seen");
                let mut joined: Option<Scalar> = None;
                let mut width = 0;
                for elem in elems.iter() {
                    let Tree::Scalar(part) = elem else { return Err(unsupported(&value)) };
                    if !matches!(part.ty, ScalarTy::Int(_)) {
                        return Err(unsupported(&value));
                    }
                    joined = Some(match joined {
                        None => *part,
                        Some(low) => {
                            let bits = low.bits | part.bits << width;
                            let slice = self.run.union(low.slice, part.slice);
                            let wide = width + part.ty.bits();
                            if low.term.is_none() && part.term.is_none() {
                                Scalar { bits, slice, ..low }
                            } else {
                                let low_term = match low.term {
                                    Some(term) => term,
                                    None => self.run.pool.bv_const(low.bits, width as u16),
                                };
                                let high_term = self.run.term(part);
                                let term = self.run.pool.concat(high_term, low_term);
                                debug_assert!(wide <= 128);
                                Scalar { ty: to, bits, term: Some(term), slice }
                            }
                        }
                    });
                    width += elem_bits(elem);
                }
                match joined {
                    Some(scalar) if width == to.bits() => Ok(Scalar { ty: to, ..scalar }.into()),
                    _ => Err(unsupported(&value)),
                }
            }
            (Tree::Struct { fields, .. }, _) if fields.len() == 1 => self.transmute(fields[0].clone(), ty),
            (Tree::Scalar(_) | Tree::Seq { .. }, TyKind::RawPtr(..))
                if layout::layout(self.image.program, ty).is_some_and(|layout| layout.size == 8) =>
            {
                match self.transmute(value, &Ty::int(IntTy::Usize))? {
                    Tree::Scalar(address) => Ok(Tree::Address(address)),
                    other => Err(unsupported(&other)),
                }
            }
            (Tree::Scalar(_) | Tree::Seq { .. }, TyKind::Adt(path, _)) => {
                let never_zero = is_never_zero(path);
                let (fields, sized) = self.around_one_field(ty).ok_or_else(|| unsupported(&value))?;
                let content = self.transmute(value, &sized)?;
                if let (true, Tree::Address(bits) | Tree::Scalar(bits)) = (never_zero, &content) {
                    let zero = self.run.equals_const(*bits, 0);
                    self.require(zero, false, BranchKind::Check, None)?;
                    if zero.bits != 0 {
                        let what = UndefinedBehaviour::Zero { ty: path.to_string() };
                        return Err(Stop::Unsupported(Unsupported::UndefinedBehaviour(what)));
                    }
                }
                let fields = fields.into_iter().map(|field| field.unwrap_or_else(|| content.clone()));
                Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields.collect()) })
            }
            _ => Err(unsupported(&value)),
        }
    }

    /// The fields of a struct of which only one has a size, with nothing for that one, and its type. Whatever attributes
    /// the struct has, a transmute to it from what is as large as that field finds it at the beginning, and nothing else.
    fn around_one_field(&self, ty: &Ty) -> Option<(Vec<Option<Tree>>, Ty)> {
        let program = self.image.program;
        let TyKind::Adt(path, args) = ty.kind() else { return None };
        let adt = program.adt(path).filter(|adt| adt.kind == AdtKind::Struct)?;
        // What else the library keeps true of its own fields is not known here.
        let of_library = path.is_of_std() && !is_never_zero(path);
        if program.is_ambiguous_adt(path) || of_library {
            return None;
        }
        let mut sized = None;
        let mut fields = Vec::new();
        for field in adt.field_types(0, args) {
            let field = normalize(program, &field);
            if layout::layout(program, &field).is_some_and(|layout| layout.size == 0) {
                fields.push(Some(layout::uninitialised(program, &field)?));
            } else if sized.replace(field).is_none() {
                fields.push(None);
            } else {
                return None;
            }
        }
        Some((fields, sized?))
    }
}

fn is_never_zero(path: &Path) -> bool {
    // The names of `NonZero` at one integer (`NonZeroU8`) begin like it.
    path == KnownType::NonNull || path.as_str().starts_with(KnownType::NonZero.path())
}

fn elem_bits(tree: &Tree) -> u32 {
    match tree {
        Tree::Scalar(scalar) => scalar.ty.bits(),
        _ => 0,
    }
}
