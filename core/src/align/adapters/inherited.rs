//! Methods that one version has from the trait and the other writes itself.
//!
//! *Idea.* Callers of `<T as Trait>::method` need not notice that an implementation began to write a method for which the trait has a body, or no longer does. So
//! the method of the implementation is compared with the trait's own body at this implementation.
//!
//! *Limits.* Both versions have an implementation with the same header, and the trait's own body has the types of the written method. Callers are compared with what
//! they call; nothing follows for them from a proof of this.

use super::writing::Writing;
use super::{callee, only_function};
use crate::exec::resolve::{normalize, trait_subst};
use crate::ir::*;

/// For methods of implementations in `from` that the other version has from the trait: functions that call it there.
pub(super) fn inherited(from: &Program, program: &Program) -> Vec<(Function, Adapter)> {
    let written = from.functions.iter_enumerated().filter_map(|(id, function)| match &function.owner {
        Owner::TraitImpl(item) if only_function(from, &function.path) == Some(id) => {
            adapter((function, &from.impls[*item]), program)
        }
        _ => None,
    });
    written.collect()
}

fn adapter((written, written_in): (&Function, &TraitImpl), program: &Program) -> Option<(Function, Adapter)> {
    if !program.functions_at(&written.path).is_empty() {
        return None;
    }
    let header = (&written_in.generics, &written_in.trait_ref);
    let of_trait = program.impls_of(&written_in.trait_ref.path).iter();
    let mut alike =
        of_trait.filter(|id| header == (&program.impls[**id].generics, &program.impls[**id].trait_ref));
    let (Some(item), None) = (alike.next(), alike.next()) else { return None };
    let method = Name::new(written.path.last());
    let trait_ref = &written_in.trait_ref;
    let function = *program.trait_(&trait_ref.path)?.default_methods.get(&method)?;
    let own = identity_args(&written.generics);
    let called = &program.functions[function];
    if program.impls[*item].methods.contains_key(&method)
        || matches!(called.body, FnBody::Missing)
        || called.generics.len() != written.generics.len()
    {
        return None;
    }
    let mut subst = trait_subst(program, trait_ref);
    subst.extend(&Subst::from_params(&called.generics, &own));
    let is_same =
        |(ours, theirs): (&Ty, &Ty)| normalize(program, &subst.ty(ours)) == normalize(program, theirs);
    let types = || called.inputs.iter().zip(&written.inputs).chain([(&called.output, &written.output)]);
    if called.inputs.len() != written.inputs.len() || !types().all(is_same) {
        return None;
    }
    let arguments: Vec<Argument> = (0..written.inputs.len())
        .map(|place| Argument::Parameter { place, conversion: Vec::new() })
        .collect();
    let in_impl = Function { owner: Owner::TraitImpl(*item), ..written.clone() };
    let callee = callee(program, &in_impl, &own);
    let body = Writing::new(written, written.output.clone());
    let body = body.whole(program, &arguments, &written.inputs, callee);
    let adapter = Adapter { kind: AdapterKind::Inherited, function, args: own, arguments };
    let span = place(program, *item);
    Some((
        Function { kind: FunctionKind::Adapter, span, body: FnBody::Present(body.into()), ..in_impl },
        adapter,
    ))
}

/// From where the implementation can be called: where another of its methods stands, or the type that it is for.
fn place(program: &Program, item: ImplId) -> Option<Span> {
    let item = &program.impls[item];
    let of_method = item.methods.values().find_map(|id| program.functions[*id].span);
    of_method.or_else(|| match item.trait_ref.self_ty.kind() {
        TyKind::Adt(path, _) => program.adt(path)?.span,
        _ => None,
    })
}
