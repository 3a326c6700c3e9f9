//! Constants.

use regress_core::ir::{Const, FloatTy, IntTy, Path, Subst, Ty, TyKind};

use super::context::{AssocKind, Context, Scope, Space, params};
use super::names::{is_std, last_ident};
use super::schema::{
    self, Args, ConstExpr, ConstKind, GlobalKind, ImplElem, Literal, PathElem, ScalarValue, Source,
    TypeDeclKind, TypeId, Var,
};
use super::types::{float_ty, int_ty, put_in, put_in_trait_ref};
use crate::rustc::{float_const, numeric_const};

impl Context<'_> {
    pub fn constant(&self, constant: &ConstExpr, scope: &Scope) -> Const {
        match &*constant.kind {
            ConstKind::Literal(literal) => literal_const(literal),
            ConstKind::Adt((variant, fields)) => self.adt_const(constant, *variant, fields, scope),
            ConstKind::Array(items) => {
                Const::Array(items.iter().map(|item| self.constant(item, scope)).collect())
            }
            ConstKind::Global(of) => self.global_const(of.id, &of.generics, scope),
            ConstKind::TraitConst((trait_ref, index)) => {
                let id = trait_ref.trait_decl_ref.skip_binder.id;
                match (self.trait_ref(trait_ref, scope), self.assoc_name(id, AssocKind::Const, *index)) {
                    (Some(trait_ref), Some(name)) => Const::AssocConst { trait_ref, name },
                    _ => Const::Unsupported("an associated constant of an unknown trait".into()),
                }
            }
            ConstKind::Ref((inner, None)) => Const::Ref(Box::new(self.constant(inner, scope))),
            ConstKind::Ref((_, Some(_))) => {
                Const::Unsupported("a constant reference to something unsized".into())
            }
            ConstKind::Var(var) => {
                let name = match var {
                    Var::Bound((depth, index)) => scope.const_param(*depth, *index),
                    Var::Free(index) => scope.free_const(*index),
                    Var::Other(_) => None,
                };
                match name {
                    Some(name) => Const::Param(name.clone()),
                    None => Const::Unsupported(format!("a constant parameter out of scope ({var:?})")),
                }
            }
            ConstKind::FnDef(of) | ConstKind::FnPtr(of) => match self.fn_ref(of, scope) {
                Ok(fn_ref) => Const::Fn(Box::new(fn_ref)),
                Err(reason) => Const::Unsupported(reason),
            },
            ConstKind::Call(_) => Const::Unsupported("a constant that is a call".into()),
            ConstKind::RawMemory(_) => Const::Unsupported("a constant given as bytes".into()),
            ConstKind::Opaque(why) => {
                Const::Unsupported(format!("a constant that Charon could not evaluate: {why}"))
            }
            ConstKind::Other(tag) => Const::Unsupported(format!("a constant of the kind `{tag}`")),
        }
    }

    fn adt_const(
        &self,
        constant: &ConstExpr,
        variant: Option<usize>,
        fields: &[ConstExpr],
        scope: &Scope,
    ) -> Const {
        let ty = self.ty(&constant.ty, scope);
        let fields: Vec<Const> = fields.iter().map(|field| self.constant(field, scope)).collect();
        match ty.kind() {
            TyKind::Tuple(_) => Const::Tuple(fields),
            TyKind::Closure(..) if fields.is_empty() => Const::ZeroSized(ty),
            TyKind::Adt(..) => {
                let variant = match variant {
                    None => None,
                    Some(index) => match self.variant_name(&constant.ty, index) {
                        Some(name) => Some(name.into()),
                        None => return Const::Unsupported(format!("variant {index} of {ty}")),
                    },
                };
                Const::Adt { ty, variant, fields }
            }
            _ => Const::Unsupported(format!("a constant of the type {ty}")),
        }
    }

    /// The name of a variant, from the declaration of its enum.
    pub fn variant_name(&self, ty: &schema::Ty, index: usize) -> Option<&str> {
        let schema::TyKind::Adt(of) = &**ty else { return None };
        let TypeId::Adt(id) = &of.id else { return None };
        match &self.krate.type_decls.get(*id)?.as_ref()?.kind {
            TypeDeclKind::Enum(variants) => variants.get(index).map(|variant| variant.name.as_str()),
            _ => None,
        }
    }

    /// The value of a named constant (not of a static).
    pub fn global_const(&self, id: usize, args: &Args, scope: &Scope) -> Const {
        let Some(decl) = self.krate.global_decls.get(id).and_then(Option::as_ref) else {
            return match self.name_of(Space::Global, id) {
                Some(name) => self.foreign_const(name, None),
                None => Const::Unsupported(format!("a constant that Charon does not name ({id})")),
            };
        };
        let name = &decl.item_meta.name;
        if matches!(decl.global_kind, GlobalKind::Static | GlobalKind::ThreadLocal) {
            return Const::Unsupported(format!("the value of the static {}", self.own_path(name)));
        }
        if !decl.item_meta.is_local
            && let Some(value) = &decl.value
            && !matches!(&*value.kind, ConstKind::Call(_))
        {
            return self.constant(value, &Scope::of(&decl.generics));
        }
        let own = Scope::of(&decl.generics);
        let subst = Subst::from_params(&params(&decl.generics), &self.all_args(args, scope));
        let assoc_name = last_ident(name).unwrap_or("?");
        let of_trait = match &decl.src {
            Source::TraitImpl(of) => Some(&of.trait_ref),
            Source::TraitDefault(of) | Source::TraitDecl(of) => Some(&of.trait_ref),
            _ => None,
        };
        if let Some(of_trait) = of_trait {
            return match self.trait_of(of_trait, &own) {
                Some(trait_ref) => Const::AssocConst {
                    trait_ref: put_in_trait_ref(&subst, &trait_ref),
                    name: assoc_name.into(),
                },
                None => Const::Unsupported("an associated constant of an unknown trait".into()),
            };
        }
        let self_ty = name.iter().rev().find_map(|elem| match elem {
            PathElem::Impl(ImplElem::Ty(bound)) => {
                Some(put_in(&subst, &self.ty(&bound.skip_binder, &Scope::of(&bound.params))))
            }
            _ => None,
        });
        if !decl.item_meta.is_local {
            return self.foreign_const(name, self_ty);
        }
        match self_ty {
            Some(self_ty) => Const::InherentConst { path: self.own_path(name), self_ty },
            None => Const::Item { path: self.own_path(name), args: self.args(args, scope) },
        }
    }

    /// A constant of another crate without a value.
    fn foreign_const(&self, name: &[PathElem], self_ty: Option<Ty>) -> Const {
        let last = last_ident(name).unwrap_or("?");
        let path: Path = self.plain_path(name);
        if is_std(name) {
            let known = match &self_ty {
                Some(self_ty) => numeric_const(self_ty, last),
                None => float_const(path.as_str()),
            };
            if let Some(known) = known {
                return known;
            }
        }
        match self_ty {
            Some(self_ty) => Const::InherentConst { path, self_ty },
            None => Const::Item { path, args: Vec::new() },
        }
    }
}

pub fn literal_const(literal: &Literal) -> Const {
    match literal {
        Literal::Scalar(value) => match scalar(value) {
            Some((bits, ty)) => Const::Int(bits, ty),
            None => Const::Unsupported(format!("the number {value:?}")),
        },
        Literal::Float(value) => match (float_ty(&value.ty), value.value.as_str()) {
            (Some(FloatTy::F64), text) => match text.parse::<f64>() {
                Ok(value) => Const::Float(value.to_bits(), FloatTy::F64),
                Err(_) => Const::Unsupported(format!("the float {text}")),
            },
            (Some(FloatTy::F32), text) => match text.parse::<f32>() {
                Ok(value) => Const::Float(value.to_bits().into(), FloatTy::F32),
                Err(_) => Const::Unsupported(format!("the float {text}")),
            },
            (None, text) => Const::Unsupported(format!("the float {text}")),
        },
        Literal::Bool(value) => Const::Bool(*value),
        Literal::Char(value) => Const::Char(*value),
        Literal::Str(text) => Const::Str(text.clone()),
        Literal::ByteStr(bytes) => Const::ByteStr(bytes.clone()),
        Literal::Other(tag) => Const::Unsupported(format!("a literal of the kind `{tag}`")),
    }
}

/// Bits and type of a number that fits its type.
pub fn scalar(value: &ScalarValue) -> Option<(u128, IntTy)> {
    match value {
        ScalarValue::Signed((ty, text)) => {
            let (ty, value) = (int_ty(ty)?, text.parse::<i128>().ok()?);
            let bits = ty.truncate(value as u128);
            (ty.sign_extend(bits) == value).then_some((bits, ty))
        }
        ScalarValue::Unsigned((ty, text)) => {
            let (ty, value) = (int_ty(ty)?, text.parse::<u128>().ok()?);
            (ty.truncate(value) == value).then_some((value, ty))
        }
        ScalarValue::Other(_) => None,
    }
}

/// The bits that a `SwitchInt` compares with.
pub fn switch_bits(literal: &Literal) -> Option<u128> {
    match literal {
        Literal::Scalar(value) => scalar(value).map(|(bits, _)| bits),
        Literal::Bool(value) => Some((*value).into()),
        Literal::Char(value) => Some(u32::from(*value).into()),
        _ => None,
    }
}
