//! Which variant an enum is of: a variable like any other, among those that inputs may have.

use super::super::resolve::normalize;
use super::super::tree::{Scalar, ScalarTy};
use super::{At, Builder, InputError, InputSpace, Unbuilt, is_one_of, nests, unbuilt};
use crate::ir::{Adt, CommonShape, GenericArg, Path, Ty, TyKind};
use crate::verdict::LeftOut;

impl Builder<'_, '_, '_, '_> {
    pub(super) fn common(&self, path: &Path) -> Option<&CommonShape> {
        self.machine.image.common().of(path)
    }

    /// Which variant it is. The variable of an enum that differs between the versions has the new version's numbers, of those
    /// variants that are the same in both; what this version calls them follows from it.
    pub(super) fn tag(&mut self, ty: &Ty, adt: &Adt, at: At<'_>) -> Result<Scalar, Unbuilt> {
        let TyKind::Adt(path, args) = ty.kind() else { unreachable!("the caller matched an ADT") };
        let flat = self.allowed_variants(adt, args, at);
        let version = self.machine.version;
        let own_and_new: Option<Vec<(usize, usize)>> = self.common(path).map(|shape| {
            let both = shape.whole_variants().map(|variant| (variant.index_in(version), variant.new));
            both.filter(|(own, _)| flat.contains(own)).collect()
        });
        let allowed = match &own_and_new {
            Some(pairs) => pairs.iter().map(|(_, new)| *new).collect(),
            None => flat,
        };
        let Some(first) = allowed.first().copied() else {
            return Err(match own_and_new {
                Some(_) => InputError::OtherFields(ty.to_string()).into(),
                None => unbuilt(ty),
            });
        };
        if own_and_new.is_some() {
            self.leave_out(LeftOut::OfOneVersion { ty: path.to_string() });
        }
        let tag = self.scalar(format!("{}.tag", at.name), ScalarTy::Tag, first as u128, |pool, tag| {
            Some(is_one_of(pool, tag, &allowed))
        })?;
        let own = match own_and_new {
            Some(pairs) => self.own_tag(tag, &pairs, ty)?,
            None => tag,
        };
        match own.as_usize() < adt.variants.len() {
            true => Ok(own),
            false => Err(InputError::Mismatch(ty.to_string()).into()),
        }
    }

    /// The tag in this version's numbers; each pair has them and the new version's.
    fn own_tag(&mut self, tag: Scalar, pairs: &[(usize, usize)], ty: &Ty) -> Result<Scalar, Unbuilt> {
        if pairs.iter().all(|(own, new)| own == new) {
            return Ok(tag);
        }
        let Some((own, _)) = pairs.iter().find(|(_, new)| *new == tag.as_usize()) else {
            return Err(InputError::Mismatch(ty.to_string()).into());
        };
        let pool = &mut *self.machine.run.pool;
        let term = tag.term.map(|variable| {
            let last = pool.bv_const(pairs.last().map_or(0, |(own, _)| *own) as u128, 16);
            pairs.iter().rev().skip(1).fold(last, |rest, (own, new)| {
                let (own, new) = (pool.bv_const(*own as u128, 16), pool.bv_const(*new as u128, 16));
                let is_it = pool.eq(variable, new);
                pool.ite(is_it, own, rest)
            })
        });
        Ok(Scalar { bits: *own as u128, term, ..tag })
    }

    /// The variants an enum may be of at this depth: none that hold what cannot be built, if there are others, and beyond the bound only those that
    /// do not nest further, if possible without anything that would have to be made.
    fn allowed_variants(&mut self, adt: &Adt, args: &[GenericArg], at: At<'_>) -> Vec<usize> {
        let fields_of = |variant: &usize| adt.variants[*variant].fields.iter();
        let program = self.program();
        let (mut data, mut left_out) = (Vec::new(), Vec::new());
        for variant in 0..adt.variants.len() {
            let InputSpace { buildable, makers, .. } = &mut *self.space;
            let types = adt.field_types(variant, args);
            match types.iter().find(|ty| !buildable.may_be_built(program, makers, ty)) {
                Some(ty) => left_out.push((variant, ty.clone())),
                None => data.push(variant),
            }
        }
        // Then it is the type that cannot be built, which whoever tries says.
        if data.is_empty() {
            return left_out.into_iter().map(|(variant, _)| variant).collect();
        }
        for (variant, ty) in left_out {
            let variant = format!("{}::{}", adt.path, adt.variants[variant].name);
            self.leave_out(match ty.kind() {
                TyKind::FnPtr { .. } => LeftOut::FunctionPointers { variant },
                _ => LeftOut::Unbuilt { variant, ty: ty.to_string() },
            });
        }
        let ty = Ty::new(TyKind::Adt(adt.path.clone(), args.to_vec()));
        if !self.is_at_the_bound(&ty, at) {
            return data;
        }
        let is_flat = |variant: &usize| fields_of(variant).all(|field| !nests(&field.ty));
        let flat: Vec<usize> = data.iter().copied().filter(is_flat).collect();
        let makes_nothing = |variant: &usize| {
            let mut fields = adt.field_types(*variant, args).into_iter();
            fields.all(|ty| self.space.makers.needs_none(program, &normalize(program, &ty)))
        };
        let unmade: Vec<usize> = flat.iter().copied().filter(makes_nothing).collect();
        let allowed = if unmade.is_empty() { flat } else { unmade };
        if allowed.len() < data.len() {
            self.note_depth(&ty);
        }
        allowed
    }
}
