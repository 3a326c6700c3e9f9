//! What a call names: by its canonical path wherever the models or the crate know it so, else by the body that Charon has
//! of it.
//!
//! In a polymorphic file callees have arguments. In a monomorphized one each copy is an item of its own, whose arguments stand in its
//! name; those of the method and of what it stands in are one list there, and how many are the method's own, the model says.

use regress_core::exec::resolve::resolve;
use regress_core::ir::{FnRef, GenericArg, KnownTrait, Name, Subst, TyKind};

use super::context::{AssocKind, Context, Scope, Space, params};
use super::names::last_ident;
use super::schema::{self, Body, FnPtr, FnPtrKind, FunDecl, FunId, ImplElem, PathElem, Source};
use super::types::{is_allocator, put_in, put_in_trait_ref};

impl Context<'_> {
    pub fn fn_ref(&self, callee: &FnPtr, scope: &Scope) -> Result<FnRef, String> {
        match &callee.kind {
            FnPtrKind::Trait(of) => {
                let id = of.trait_ref.trait_decl_ref.skip_binder.id;
                let trait_ref = self.trait_ref(&of.trait_ref, scope).ok_or("a method of an unknown trait")?;
                let method =
                    self.assoc_name(id, AssocKind::Method, of.method).ok_or("a method without a name")?;
                Ok(FnRef::Trait { trait_ref, method, args: self.args(&callee.generics, scope) })
            }
            FnPtrKind::Fun(FunId::Regular(id)) => self.fun_ref(*id, &callee.generics, scope),
            FnPtrKind::Fun(FunId::Other(tag)) | FnPtrKind::Other(tag) => Err(format!(
                "a call of Charon's built-in function `{tag}`; leave out the flag that makes such calls"
            )),
        }
    }

    fn fun_ref(&self, id: usize, args: &schema::Args, scope: &Scope) -> Result<FnRef, String> {
        let Some(decl) = self.krate.fun_decls.get(id).and_then(Option::as_ref) else {
            let name = self
                .name_of(Space::Fun, id)
                .ok_or_else(|| format!("a function that Charon does not name ({id})"))?;
            return Ok(FnRef::Free { path: self.plain_path(name), args: self.args(args, scope) });
        };
        let canonical = self.canonical_ref(decl, args, scope)?;
        if self.instance_args(&decl.item_meta.name).is_none()
            || decl.item_meta.is_local && self.is_closure_call(decl)
        {
            if decl.item_meta.is_local || self.is_known(&canonical) || !self.has_closed_body(decl) {
                return Ok(canonical);
            }
            return Ok(FnRef::Free { path: self.own_path(&decl.item_meta.name), args: Vec::new() });
        }
        if !decl.item_meta.is_local && self.is_known(&canonical) {
            return Ok(canonical);
        }
        if decl.item_meta.is_local || self.has_closed_body(decl) {
            return Ok(FnRef::Free { path: self.own_path(&decl.item_meta.name), args: Vec::new() });
        }
        Ok(canonical)
    }

    fn is_closure_call(&self, decl: &FunDecl) -> bool {
        matches!(&decl.src, Source::TraitImpl(of) if self.closure_of_impl(of.impl_ref.id).is_some())
    }

    /// The reference by which rustc would name the callee.
    pub fn canonical_ref(&self, decl: &FunDecl, args: &schema::Args, scope: &Scope) -> Result<FnRef, String> {
        let name = &decl.item_meta.name;
        let own = Scope::of(&decl.generics);
        let args = self.all_args(args, scope);
        let subst = Subst::from_params(&params(&decl.generics), &args);
        let instance = self.instance_args(name);
        // Types and constants are separate lists: those of the owner come first in each.
        let own_args = |types: usize, consts: usize| {
            let is_ty = |arg: &&GenericArg| matches!(arg, GenericArg::Ty(_));
            let of_method = args.iter().filter(is_ty).skip(types);
            let rest = args.iter().filter(|arg| !is_ty(arg)).skip(consts);
            of_method.chain(rest).filter(|arg| !is_allocator(arg)).cloned().collect::<Vec<_>>()
        };
        let of_trait = match &decl.src {
            Source::TraitImpl(of) => {
                let count = self
                    .krate
                    .trait_impls
                    .get(of.impl_ref.id)
                    .and_then(Option::as_ref)
                    .map_or((0, 0), |item| (item.generics.types.len(), item.generics.const_generics.len()));
                Some((&of.trait_ref, count))
            }
            Source::TraitDefault(of) | Source::TraitDecl(of) => {
                let count = self
                    .krate
                    .trait_decls
                    .get(of.trait_ref.id)
                    .and_then(Option::as_ref)
                    .map_or((1, 0), |item| (item.generics.types.len(), item.generics.const_generics.len()));
                Some((&of.trait_ref, count))
            }
            _ => None,
        };
        if let Some((of, (types, consts))) = of_trait {
            let trait_ref = self.trait_of(of, &own).ok_or("a method of an unknown trait")?;
            let trait_ref = put_in_trait_ref(&subst, &trait_ref);
            let method: Name = last_ident(name).ok_or("a method without a name")?.into();
            let args = match &instance {
                None => own_args(types, consts),
                Some(_) => Vec::new(),
            };
            let fn_ref = FnRef::Trait { trait_ref, method, args };
            return Ok(self.with_last_args(fn_ref, instance));
        }
        let of_type = name.iter().rev().find_map(|elem| match elem {
            PathElem::Impl(ImplElem::Ty(bound)) => Some(bound),
            _ => None,
        });
        match of_type {
            Some(bound) => {
                let self_ty = put_in(&subst, &self.ty(&bound.skip_binder, &Scope::of(&bound.params)));
                let args = match &instance {
                    None => own_args(bound.params.types.len(), bound.params.const_generics.len()),
                    Some(_) => Vec::new(),
                };
                let fn_ref = FnRef::Inherent { path: self.plain_path(name), self_ty, args };
                Ok(self.with_last_args(fn_ref, instance))
            }
            None => {
                let args =
                    instance.unwrap_or_else(|| args.into_iter().filter(|arg| !is_allocator(arg)).collect());
                Ok(FnRef::Free { path: self.plain_path(name), args })
            }
        }
    }

    /// Gives a method of a model the last of the arguments of a copy: as many as it has parameters of its own.
    fn with_last_args(&self, fn_ref: FnRef, instance: Option<Vec<GenericArg>>) -> FnRef {
        let Some(instance) = instance else { return fn_ref };
        let count = resolve(self.base, &fn_ref)
            .map_or(0, |resolved| self.base.functions[resolved.function].generics.len());
        let last = instance[instance.len().saturating_sub(count)..].to_vec();
        match fn_ref {
            FnRef::Trait { trait_ref, method, .. } => FnRef::Trait { trait_ref, method, args: last },
            FnRef::Inherent { path, self_ty, .. } => FnRef::Inherent { path, self_ty, args: last },
            free => free,
        }
    }

    /// Whether the executor has a meaning for the callee without Charon's body.
    fn is_known(&self, fn_ref: &FnRef) -> bool {
        if let FnRef::Trait { trait_ref, .. } = fn_ref {
            let callable = trait_ref.path.known_trait().is_some_and(KnownTrait::is_call);
            let open = matches!(
                trait_ref.self_ty.kind(),
                TyKind::Dyn(_) | TyKind::Param(_) | TyKind::Projection { .. }
            );
            if callable || open {
                return true;
            }
        }
        regress_core::exec::knows(fn_ref) || resolve(self.base, fn_ref).is_some()
    }

    /// Whether there is a body of the function without parameters.
    pub fn has_closed_body(&self, decl: &FunDecl) -> bool {
        matches!(decl.body, Body::Unstructured(_)) && params(&decl.generics).is_empty()
    }
}
