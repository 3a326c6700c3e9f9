//! Places and operands.
//!
//! Charon's places may begin at a global or end in the metadata of a pointer, and index by any operand. Here places begin at a
//! local, and what is not one is put into a temporary first.

use regress_core::idx::Idx;
use regress_core::ir::{
    Const, FieldId, IntTy, KnownType, LocalId, Mutability, Operand, Path, Place, Projection, Rvalue,
    SequenceEnd, StatementKind, Ty, TyKind, VariantRef,
};

use super::bodies::BodyLowering;
use super::body_schema as charon;
use super::context::Context;
use super::names::is_std;
use super::schema::{self, GlobalKind, TypeDeclKind, TypeId};

impl Context<'_> {
    /// How many fields the type, or a variant of it, has; none if that is not known.
    pub fn field_count(&self, ty: &schema::Ty, variant: Option<usize>) -> Option<usize> {
        let schema::TyKind::Adt(of) = &**ty else { return None };
        match &of.id {
            TypeId::Adt(id) => match (&self.krate.type_decls.get(*id)?.as_ref()?.kind, variant) {
                (TypeDeclKind::Struct(fields), None) => Some(fields.len()),
                (TypeDeclKind::Enum(variants), Some(variant)) => Some(variants.get(variant)?.fields.len()),
                _ => None,
            },
            TypeId::Tuple | TypeId::Builtin(schema::BuiltinTy::Tuple) => Some(of.generics.types.len()),
            _ => None,
        }
    }

    /// Why a field of a type cannot be reached: the models make the type of something else than Charon's file does.
    fn inside_of_model(&self, ty: &schema::Ty, variant: Option<usize>, field: usize) -> Option<String> {
        let schema::TyKind::Adt(of) = &**ty else { return None };
        let TypeId::Adt(id) = &of.id else { return None };
        let decl = self.krate.type_decls.get(*id)?.as_ref()?;
        if !is_std(&decl.item_meta.name) {
            return None;
        }
        let path = self.plain_path(&decl.item_meta.name);
        let model = self.base.adt(&path)?;
        // A box is the pointer in it, however it is spelled.
        if matches!(path.known_type(), Some(KnownType::Box | KnownType::Unique | KnownType::NonNull)) {
            return None;
        }
        let here = match (&decl.kind, variant) {
            (TypeDeclKind::Struct(fields) | TypeDeclKind::Union(fields), _) => fields,
            (TypeDeclKind::Enum(variants), Some(variant)) => &variants.get(variant)?.fields,
            _ => return Some(format!("a field of {path}, whose fields Charon does not know")),
        };
        let theirs = model.variants.get(variant.unwrap_or(0)).map(|variant| &variant.fields);
        let names = here.iter().enumerate().map(|(index, field)| super::types::field_name(field, index));
        let same = theirs.is_some_and(|theirs| theirs.iter().map(|field| field.name.clone()).eq(names));
        if same { None } else { Some(format!("field {field} of {path}, which is modelled by other fields")) }
    }

    /// The path of a static, if the global is one.
    pub fn static_path(&self, id: usize) -> Option<Path> {
        match self.krate.global_decls.get(id).and_then(Option::as_ref) {
            Some(decl) => {
                matches!(decl.global_kind, GlobalKind::Static).then(|| self.own_path(&decl.item_meta.name))
            }
            None => None,
        }
    }
}

impl BodyLowering<'_, '_> {
    pub fn place(&mut self, place: &charon::Place) -> Result<Place, String> {
        match &*place.kind {
            charon::PlaceKind::Local(local) => Ok(Place::from(self.local(*local)?)),
            charon::PlaceKind::Global(of) => self.global(of, &place.ty),
            charon::PlaceKind::Projection((inner, projection)) => self.project(inner, projection, &place.ty),
            charon::PlaceKind::Other(tag) => Err(format!("a place of the kind `{tag}`")),
        }
    }

    fn project(
        &mut self,
        inner: &charon::Place,
        projection: &charon::Projection,
        ty: &schema::Ty,
    ) -> Result<Place, String> {
        if let charon::Projection::PtrMetadata = projection {
            let pointer = self.place(inner)?;
            let temporary = self.temporary(self.ty(ty));
            let metadata = Rvalue::PtrMetadata(Operand::Copy(pointer));
            self.push(StatementKind::Assign(Place::from(temporary), metadata));
            return Ok(Place::from(temporary));
        }
        let mut place = self.place(inner)?;
        match projection {
            charon::Projection::Deref => place.projection.push(Projection::Deref),
            charon::Projection::Field((variant, field)) => {
                if let Some(reason) = self.cx.inside_of_model(&inner.ty, variant.0, *field) {
                    return Err(reason);
                }
                if let Some(variant) = variant.0 {
                    let variant = self.variant(&inner.ty, variant)?;
                    place.projection.push(Projection::Downcast(variant));
                }
                place.projection.push(Projection::Field(
                    FieldId::from_usize((*field).min(u32::MAX as usize)),
                    Some(self.ty(ty)),
                ));
            }
            charon::Projection::Index(index) => {
                let element = match (self.index(&index.offset)?, index.from_end) {
                    (Ok(offset), false) => Projection::ConstantIndex { offset, from: SequenceEnd::Front },
                    (Ok(offset), true) => Projection::ConstantIndex { offset, from: SequenceEnd::Back },
                    (Err(local), false) => Projection::Index(local),
                    (Err(_), true) => return Err("an index from the end that is not constant".into()),
                };
                place.projection.push(element);
            }
            charon::Projection::Subslice(part) => {
                let (Ok(from), Ok(to)) = (self.index(&part.from)?, self.index(&part.to)?) else {
                    return Err("a part of a slice whose bounds are not constant".into());
                };
                let end = if part.from_end { SequenceEnd::Back } else { SequenceEnd::Front };
                place.projection.push(Projection::Subslice { from, to, end });
            }
            charon::Projection::PtrMetadata => {}
            charon::Projection::Other(tag) => return Err(format!("a projection of the kind `{tag}`")),
        }
        Ok(place)
    }

    /// A constant index, or the local that holds one.
    fn index(&mut self, offset: &charon::Operand) -> Result<Result<u64, LocalId>, String> {
        match self.operand(offset)? {
            Operand::Const(constant) => {
                if let Some(index) = constant.as_index() {
                    return Ok(Ok(index));
                }
                let temporary = self.temporary(Ty::int(IntTy::Usize));
                let value = Rvalue::Use(Operand::Const(constant));
                self.push(StatementKind::Assign(Place::from(temporary), value));
                Ok(Err(temporary))
            }
            Operand::Copy(place) | Operand::Move(place) if place.projection.is_empty() => {
                Ok(Err(place.local))
            }
            other => {
                let temporary = self.temporary(Ty::int(IntTy::Usize));
                self.push(StatementKind::Assign(Place::from(temporary), Rvalue::Use(other)));
                Ok(Err(temporary))
            }
        }
    }

    /// A static, or the value of a constant, behind a pointer to it.
    fn global(&mut self, of: &schema::Ref, ty: &schema::Ty) -> Result<Place, String> {
        let ty = self.ty(ty);
        let (constant, mutability) = match self.cx.static_path(of.id) {
            Some(path) => (Const::StaticRef(path), Mutability::Mut),
            None => {
                let value = self.cx.global_const(of.id, &of.generics, self.scope);
                (Const::Ref(Box::new(value)), Mutability::Shared)
            }
        };
        let temporary = self.temporary(Ty::reference(mutability, ty));
        self.push(StatementKind::Assign(Place::from(temporary), Rvalue::Use(Operand::Const(constant))));
        Ok(Place { local: temporary, projection: vec![Projection::Deref] })
    }

    pub fn variant(&self, ty: &schema::Ty, index: usize) -> Result<VariantRef, String> {
        match self.cx.variant_name(ty, index) {
            Some(name) => Ok(VariantRef::Name(name.into())),
            None => match self.ty(ty).kind() {
                TyKind::Adt(path, _) => {
                    match self.cx.base.adt(path).and_then(|adt| adt.variants.get(index)) {
                        Some(variant) => Ok(VariantRef::Name(variant.name.clone())),
                        None => Err(format!("variant {index} of {path}, which is not declared")),
                    }
                }
                other => Err(format!("variant {index} of {other:?}")),
            },
        }
    }

    pub fn operand(&mut self, operand: &charon::Operand) -> Result<Operand, String> {
        match operand {
            charon::Operand::Copy(place) => {
                // The value of a constant needs no pointer to it.
                if let charon::PlaceKind::Global(of) = &*place.kind
                    && self.cx.static_path(of.id).is_none()
                {
                    return Ok(Operand::Const(self.cx.global_const(of.id, &of.generics, self.scope)));
                }
                Ok(Operand::Copy(self.place(place)?))
            }
            charon::Operand::Move(place) => Ok(Operand::Move(self.place(place)?)),
            charon::Operand::Const(constant) => Ok(Operand::Const(self.cx.constant(constant, self.scope))),
            charon::Operand::Other(tag) => Err(format!("an operand of the kind `{tag}`")),
        }
    }

    pub fn operands(&mut self, operands: &[charon::Operand]) -> Result<Vec<Operand>, String> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }
}
