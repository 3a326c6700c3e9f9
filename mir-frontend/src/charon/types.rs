//! Types, generic arguments and trait references.

use regress_core::ir::{
    Bound, DynTrait, FloatTy, GenericArg, GenericArgs, IntTy, KnownTrait, KnownType, Mutability, Name, Subst,
    TraitRef, Ty, TyKind,
};

use super::context::{AssocKind, Context, Scope, Space};
use super::names::with_args;
use super::schema::{self, Args, BuiltinTy, FloatName, Generics, IntName, LiteralTy, RefKind, TypeId, Var};

/// Traits that say nothing about what a program does.
const MARKERS: &[KnownTrait] = &[
    KnownTrait::Sized,
    KnownTrait::MetaSized,
    KnownTrait::PointeeSized,
    KnownTrait::Destruct,
    KnownTrait::Tuple,
];

/// The trait under which Charon keeps drop glue.
pub const DESTRUCT: KnownTrait = KnownTrait::Destruct;

impl Context<'_> {
    pub fn ty(&self, ty: &schema::Ty, scope: &Scope) -> Ty {
        Ty::new(match &**ty {
            schema::TyKind::Adt(of) => return self.adt_ty(of, scope),
            schema::TyKind::TypeVar(var) => {
                let name = match var {
                    Var::Bound((depth, index)) => scope.ty_param(*depth, *index),
                    Var::Free(index) => scope.free_ty(*index),
                    Var::Other(_) => None,
                };
                match name {
                    Some(name) => TyKind::Param(name.clone()),
                    None => TyKind::Unsupported(format!("a type parameter out of scope ({var:?})")),
                }
            }
            schema::TyKind::Literal(literal) => literal_ty(literal),
            schema::TyKind::Never => TyKind::Never,
            schema::TyKind::Ref((_, to, kind)) => TyKind::Ref(mutability(kind), self.ty(to, scope)),
            schema::TyKind::RawPtr((to, kind)) => TyKind::RawPtr(mutability(kind), self.ty(to, scope)),
            schema::TyKind::TraitType((trait_ref, index, _)) => {
                let id = trait_ref.trait_decl_ref.skip_binder.id;
                match (self.trait_ref(trait_ref, scope), self.assoc_name(id, AssocKind::Type, *index)) {
                    (Some(trait_ref), Some(name)) => TyKind::Projection { trait_ref, name },
                    _ => TyKind::Unsupported("an associated type of an unknown trait".into()),
                }
            }
            schema::TyKind::DynTrait(dynamic) => self.dyn_ty(&dynamic.binder.params, scope),
            schema::TyKind::FnPtr(bound) => {
                let scope = scope.within_regions();
                let signature = &bound.skip_binder;
                if signature.is_variadic {
                    return Ty::new(TyKind::Unsupported("a pointer to a variadic function".into()));
                }
                TyKind::FnPtr {
                    inputs: signature.inputs.iter().map(|ty| self.ty(ty, &scope)).collect(),
                    output: self.ty(&signature.output, &scope),
                }
            }
            schema::TyKind::FnDef(bound) => match self.fn_ref(&bound.skip_binder, &scope.within_regions()) {
                Ok(fn_ref) => TyKind::FnDef(Box::new(fn_ref)),
                Err(reason) => TyKind::Unsupported(reason),
            },
            schema::TyKind::Array((elem, len)) => {
                TyKind::Array(self.ty(elem, scope), self.constant(len, scope))
            }
            schema::TyKind::Slice(elem) => TyKind::Slice(self.ty(elem, scope)),
            schema::TyKind::Error(message) => {
                TyKind::Unsupported(format!("a type that Charon could not translate: {message}"))
            }
            schema::TyKind::Other(tag) => TyKind::Unsupported(format!("a type of the kind `{tag}`")),
        })
    }

    fn adt_ty(&self, of: &schema::TypeRef, scope: &Scope) -> Ty {
        let id = match &of.id {
            TypeId::Tuple | TypeId::Builtin(BuiltinTy::Tuple) => {
                let tys = of.generics.types.iter().map(|ty| self.ty(ty, scope));
                return Ty::new(TyKind::Tuple(tys.collect()));
            }
            TypeId::Builtin(BuiltinTy::Str) => return Ty::new(TyKind::Str),
            TypeId::Builtin(BuiltinTy::Box) => {
                let mut args = self.args(&of.generics, scope);
                args.truncate(1);
                return Ty::adt(KnownType::Box, args);
            }
            TypeId::Builtin(BuiltinTy::Other(tag)) | TypeId::Other(tag) => {
                return Ty::new(TyKind::Unsupported(format!("the built-in type `{tag}`")));
            }
            TypeId::Adt(id) => *id,
        };
        let args = self.args(&of.generics, scope);
        let Some(name) = self.name_of(Space::Type, id) else {
            return Ty::new(TyKind::Unsupported(format!("a type that Charon does not name ({id})")));
        };
        if self.closure(id).is_some() {
            return Ty::new(TyKind::Closure(self.own_path(name), args));
        }
        let path = self.plain_path(name);
        let instance = self.instance_args(name);
        match self.base.adt(&path) {
            // The models know types without the parameters that have defaults: allocators, hashers.
            Some(model) => {
                let mut args = instance.unwrap_or(args);
                args.truncate(model.generics.len());
                Ty::adt(path, args)
            }
            // The executor knows it by its path alone.
            None if path == KnownType::Vec => Ty::adt(path, instance.unwrap_or(args)),
            None => match instance {
                Some(instance) if !instance.is_empty() => Ty::adt(with_args(&path, &instance), Vec::new()),
                _ => Ty::adt(path, args),
            },
        }
    }

    fn dyn_ty(&self, params: &Generics, scope: &Scope) -> TyKind {
        let scope = scope.within(params);
        let mut bounds: Vec<(usize, DynTrait)> = Vec::new();
        for clause in &params.trait_clauses {
            let of = &clause.trait_.skip_binder;
            let Some(trait_ref) = self.trait_of(of, &scope.within_regions()) else {
                return TyKind::Unsupported("a `dyn` of an unknown trait".into());
            };
            if MARKERS.iter().any(|marker| trait_ref.path == *marker) {
                continue;
            }
            bounds.push((
                of.id,
                DynTrait { path: trait_ref.path, args: trait_ref.args, assoc_types: Vec::new() },
            ));
        }
        for constraint in &params.trait_type_constraints {
            let constraint = &constraint.skip_binder;
            let of = &constraint.trait_ref.trait_decl_ref.skip_binder;
            let name = constraint.type_id.and_then(|index| self.assoc_name(of.id, AssocKind::Type, index));
            let bound = bounds.iter_mut().find(|(id, _)| *id == of.id);
            if let (Some(name), Some((_, bound))) = (name, bound) {
                bound.assoc_types.push((name, self.ty(&constraint.ty, &scope.within_regions())));
            }
        }
        if bounds.is_empty() {
            return TyKind::Unsupported("a `dyn` of no known trait".into());
        }
        Ty::object(bounds.into_iter().map(|(_, bound)| bound).collect()).kind().clone()
    }

    /// Types, then constants. The global allocator, which rustc leaves out wherever it names types, is left out.
    pub fn args(&self, args: &Args, scope: &Scope) -> GenericArgs {
        let types = args.types.iter().map(|ty| GenericArg::Ty(self.ty(ty, scope)));
        let consts = args.const_generics.iter().map(|value| GenericArg::Const(self.constant(value, scope)));
        types.chain(consts).filter(|arg| !is_allocator(arg)).collect()
    }

    /// All arguments, for parameters to be replaced by them.
    pub fn all_args(&self, args: &Args, scope: &Scope) -> GenericArgs {
        let types = args.types.iter().map(|ty| GenericArg::Ty(self.ty(ty, scope)));
        let consts = args.const_generics.iter().map(|value| GenericArg::Const(self.constant(value, scope)));
        types.chain(consts).collect()
    }

    /// A trait at its arguments, the first of which is `Self`.
    pub fn trait_of(&self, of: &schema::Ref, scope: &Scope) -> Option<TraitRef> {
        let mut args = self.all_args(&of.generics, scope).into_iter();
        let Some(GenericArg::Ty(self_ty)) = args.next() else { return None };
        Some(TraitRef { self_ty, path: self.trait_path(of.id), args: args.collect() })
    }

    pub fn trait_ref(&self, trait_ref: &schema::TraitRef, scope: &Scope) -> Option<TraitRef> {
        self.trait_of(&trait_ref.trait_decl_ref.skip_binder, &scope.within_regions())
    }

    /// The bounds that generics declare, without markers.
    pub fn bounds(&self, generics: &Generics, scope: &Scope) -> Vec<Bound> {
        let mut bounds: Vec<Bound> = generics
            .trait_clauses
            .iter()
            .filter_map(|clause| self.trait_of(&clause.trait_.skip_binder, &scope.within_regions()))
            .filter(|trait_ref| !MARKERS.iter().any(|marker| trait_ref.path == *marker))
            .map(|trait_ref| Bound { trait_ref, assoc_types: Vec::new() })
            .collect();
        for constraint in &generics.trait_type_constraints {
            let inner = scope.within_regions();
            let constraint = &constraint.skip_binder;
            let of = constraint.trait_ref.trait_decl_ref.skip_binder.id;
            let name = constraint.type_id.and_then(|index| self.assoc_name(of, AssocKind::Type, index));
            let (Some(trait_ref), Some(name)) = (self.trait_ref(&constraint.trait_ref, &inner), name) else {
                continue;
            };
            let ty = self.ty(&constraint.ty, &inner);
            match bounds.iter_mut().find(|bound| bound.trait_ref == trait_ref) {
                Some(bound) => bound.assoc_types.push((name, ty)),
                None => bounds.push(Bound { trait_ref, assoc_types: vec![(name, ty)] }),
            }
        }
        bounds
    }
}

/// Puts arguments in for parameters, and takes the allocators out that come with them.
pub fn put_in(subst: &Subst, ty: &Ty) -> Ty {
    without_allocators(&subst.ty(ty))
}

pub fn put_in_trait_ref(subst: &Subst, trait_ref: &TraitRef) -> TraitRef {
    let closed = subst.trait_ref(trait_ref);
    TraitRef {
        self_ty: without_allocators(&closed.self_ty),
        path: closed.path,
        args: put_in_args(&closed.args),
    }
}

fn put_in_args(args: &[GenericArg]) -> GenericArgs {
    args.iter()
        .filter(|arg| !is_allocator(arg))
        .map(|arg| match arg {
            GenericArg::Ty(ty) => GenericArg::Ty(without_allocators(ty)),
            GenericArg::Const(_) => arg.clone(),
        })
        .collect()
}

fn without_allocators(ty: &Ty) -> Ty {
    ty.map(
        &mut |ty| match ty.kind() {
            TyKind::Adt(path, args) if args.iter().any(is_allocator) => {
                Ty::adt(path.clone(), args.iter().filter(|arg| !is_allocator(arg)).cloned().collect())
            }
            _ => ty,
        },
        &mut |constant| constant,
    )
}

pub fn is_allocator(arg: &GenericArg) -> bool {
    matches!(arg, GenericArg::Ty(ty) if ty.known() == Some(KnownType::Global))
}

pub fn literal_ty(literal: &LiteralTy) -> TyKind {
    match literal {
        LiteralTy::Int(name) | LiteralTy::UInt(name) => match int_ty(name) {
            Some(ty) => TyKind::Int(ty),
            None => TyKind::Unsupported(format!("the integer type {name:?}")),
        },
        LiteralTy::Float(name) => match float_ty(name) {
            Some(ty) => TyKind::Float(ty),
            None => TyKind::Unsupported(format!("the float type {name:?}")),
        },
        LiteralTy::Bool => TyKind::Bool,
        LiteralTy::Char => TyKind::Char,
        LiteralTy::Other(tag) => TyKind::Unsupported(format!("the type `{tag}`")),
    }
}

pub fn int_ty(name: &IntName) -> Option<IntTy> {
    Some(match name {
        IntName::I8 => IntTy::I8,
        IntName::I16 => IntTy::I16,
        IntName::I32 => IntTy::I32,
        IntName::I64 => IntTy::I64,
        IntName::I128 => IntTy::I128,
        IntName::Isize => IntTy::Isize,
        IntName::U8 => IntTy::U8,
        IntName::U16 => IntTy::U16,
        IntName::U32 => IntTy::U32,
        IntName::U64 => IntTy::U64,
        IntName::U128 => IntTy::U128,
        IntName::Usize => IntTy::Usize,
        IntName::Other(_) => return None,
    })
}

pub fn float_ty(name: &FloatName) -> Option<FloatTy> {
    match name {
        FloatName::F32 => Some(FloatTy::F32),
        FloatName::F64 => Some(FloatTy::F64),
        FloatName::F16 | FloatName::F128 | FloatName::Other(_) => None,
    }
}

pub fn mutability(kind: &RefKind) -> Mutability {
    match kind {
        RefKind::Mut => Mutability::Mut,
        RefKind::Shared | RefKind::Other(_) => Mutability::Shared,
    }
}

/// The name of a field as it is written in Rust: `0` for the first of a tuple struct.
pub fn field_name(field: &schema::Field, index: usize) -> Name {
    match &field.name {
        Some(name) if !field.is_positional => name.as_str().into(),
        _ => index.to_string().into(),
    }
}
