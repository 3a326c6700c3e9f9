//! The types at which the program itself calls a generic function.

use std::collections::HashMap;

use super::demands::{Used, used_items};
use super::{is_open, is_open_arg};
use crate::ir::{
    FnBody, FnId, FnRef, GenericArg, GenericParam, KnownType, Mutability, Name, Origin, Owner, Path, Program,
    Subst, Ty, TyKind,
};

/// What the crates under comparison call, by name, each in program order.
pub struct Calls {
    of_functions: HashMap<Path, Vec<FnRef>>,
    /// By trait and name.
    of_methods: HashMap<(Path, Name), Vec<FnRef>>,
}

impl Calls {
    pub fn of(program: &Program) -> Calls {
        let mut calls = Calls { of_functions: HashMap::new(), of_methods: HashMap::new() };
        let callers = program.functions.iter().filter(|function| function.origin == Origin::Subject);
        for caller in callers {
            let FnBody::Present(body) = &caller.body else { continue };
            for used in used_items(body) {
                let Used::Fn(callee) = used else { continue };
                match callee {
                    FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => {
                        calls.of_functions.entry(path.clone()).or_default().push(callee.clone());
                    }
                    FnRef::Trait { trait_ref, method, .. } => {
                        let name = (trait_ref.path.clone(), method.clone());
                        calls.of_methods.entry(name).or_default().push(callee.clone());
                    }
                }
            }
        }
        calls
    }

    /// What may be calls of the function; all that are, are among them.
    fn candidates(&self, program: &Program, function: FnId) -> Vec<&FnRef> {
        let item = &program.functions[function];
        let Owner::TraitImpl(id) = &item.owner else {
            return self.of_functions.get(&item.path).into_iter().flatten().collect();
        };
        let implementation = &program.impls[*id];
        let names = implementation.methods.iter().filter(|(_, method)| **method == function);
        let trait_path = &implementation.trait_ref.path;
        let of_name = |(name, _): (&Name, _)| self.of_methods.get(&(trait_path.clone(), name.clone()));
        names.filter_map(of_name).flatten().collect()
    }
}

/// Arguments of calls in the crates under comparison, those that inputs can be made for, in program order. What
/// other functions hand on from their own parameters is no choice of types.
pub fn choices(
    program: &Program,
    calls: &Calls,
    subject: FnId,
    params: &[GenericParam],
) -> Vec<Vec<GenericArg>> {
    let mut found: Vec<Vec<GenericArg>> = Vec::new();
    for callee in calls.candidates(program, subject) {
        if let Some(args) = arguments(program, subject, params, callee)
            && args.iter().all(can_be_input)
            && !found.contains(&args)
        {
            found.push(args);
        }
    }
    found
}

/// Arguments of the type that a method belongs to, as the crates' type aliases state them. What a method's own parameters
/// stand for, no alias says.
pub fn named(program: &Program, subject: FnId, params: &[GenericParam]) -> Vec<Vec<GenericArg>> {
    let pattern = match &program.functions[subject].owner {
        Owner::Inherent { self_ty, .. } => self_ty,
        Owner::TraitImpl(id) => &program.impls[*id].trait_ref.self_ty,
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => return Vec::new(),
    };
    let mut found: Vec<Vec<GenericArg>> = Vec::new();
    for ty in &program.named_types {
        let mut subst = Subst::new();
        if !subst.unify(pattern, ty) {
            continue;
        }
        let args: Option<Vec<_>> = params.iter().map(|param| subst.get(&param.name).cloned()).collect();
        found.extend(args.filter(|args| args.iter().all(can_be_input)));
    }
    found
}

/// What the call puts in for all parameters in scope, if it is one of the subject.
fn arguments(
    program: &Program,
    subject: FnId,
    params: &[GenericParam],
    callee: &FnRef,
) -> Option<Vec<GenericArg>> {
    let function = &program.functions[subject];
    let mut subst = Subst::new();
    let own = match (callee, &function.owner) {
        (FnRef::Free { path, args }, Owner::Free) if *path == function.path => args,
        (FnRef::Inherent { path, self_ty, args }, Owner::Inherent { self_ty: pattern, .. })
            if *path == function.path && subst.unify(pattern, self_ty) =>
        {
            args
        }
        (FnRef::Trait { trait_ref, method, args }, Owner::TraitImpl(id)) => {
            let item = &program.impls[*id];
            let is_it = item.trait_ref.path == trait_ref.path && item.methods.get(method) == Some(&subject);
            if !is_it
                || !subst.unify(&item.trait_ref.self_ty, &trait_ref.self_ty)
                || !subst.unify_args(&item.trait_ref.args, &trait_ref.args)
            {
                return None;
            }
            args
        }
        _ => return None,
    };
    subst.extend(&Subst::from_params(&function.generics, own));
    let args = params.iter().map(|param| subst.get(&param.name).cloned()).collect::<Option<Vec<_>>>()?;
    (!args.iter().any(is_open_arg)).then_some(args)
}

/// Whether values of the type can be made natively and symbolically. It may turn out later that they cannot.
fn can_be_input(arg: &GenericArg) -> bool {
    match arg {
        GenericArg::Const(_) => true,
        GenericArg::Ty(ty) => !is_open(ty) && can_be_made(ty),
    }
}

pub(super) fn can_be_made(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Int(_) | TyKind::Bool | TyKind::Char | TyKind::Str => true,
        TyKind::Ref(Mutability::Shared, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            can_be_made(inner)
        }
        TyKind::Tuple(tys) => tys.iter().all(can_be_made),
        TyKind::Adt(path, args) => {
            let is_usual = matches!(
                path.known_type(),
                Some(KnownType::Vec | KnownType::String | KnownType::Option | KnownType::Box)
            );
            (is_usual || !path.is_of_std())
                && args.iter().all(|arg| !matches!(arg, GenericArg::Ty(ty) if !can_be_made(ty)))
        }
        _ => false,
    }
}
