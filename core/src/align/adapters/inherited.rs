//! Methods that one version has from the trait, or from an implementation for more types, and the other writes itself.
//!
//! *Idea.* Callers of `<T as Trait>::method` need not notice that an implementation began to write a method for which the trait has a body, or no longer does; nor
//! that implementations for some types became one for all that have a trait, or the other way round. So the method of the implementation is compared with what callers run in the other
//! version: the trait's own body at this implementation, or the method of the wider one at these types.
//!
//! *Limits.* Both versions have an implementation with the same header and the trait's own body has the types of the written method; or the written implementation has no
//! parameters, and the other version is known to have exactly one for its types. Callers are compared with what they call; nothing follows for them from a proof of this.

use super::writing::Writing;
use super::{callee, only_function};
use crate::exec::resolve::{find_impl, implements, normalize, trait_subst};
use crate::ir::*;

/// For methods of implementations in `from` that the other version has from elsewhere: functions that call it there.
pub(super) fn inherited(from: &Program, program: &Program) -> Vec<(Function, Adapter)> {
    let written = from.functions.iter_enumerated().filter_map(|(id, function)| match &function.owner {
        Owner::TraitImpl(item) if only_function(from, &function.path) == Some(id) => {
            adapter((function, &from.impls[*item]), program)
        }
        _ => None,
    });
    written.collect()
}

/// What callers of a written method run in the other version.
struct Called {
    function: FnId,
    /// What its parameters stand for, its own apart.
    subst: Subst,
    /// Of these, those that the adapter tells.
    args: GenericArgs,
    /// To whom the adapter belongs.
    owner: Owner,
    callee: FnRef,
    span: Option<Span>,
}

fn adapter(written: (&Function, &TraitImpl), program: &Program) -> Option<(Function, Adapter)> {
    if !program.functions_at(&written.0.path).is_empty() {
        return None;
    }
    let Called { function, mut subst, mut args, owner, callee, span } =
        of_trait(written, program).or_else(|| of_wider_implementation(written, program))?;
    let written = written.0;
    let own = identity_args(&written.generics);
    let called = &program.functions[function];
    if matches!(called.body, FnBody::Missing) || called.generics.len() != written.generics.len() {
        return None;
    }
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
    let body = Writing::new(written, written.output.clone());
    let body = body.whole(program, &arguments, &written.inputs, callee);
    args.extend(own);
    let adapter = Adapter { kind: AdapterKind::Inherited, function, args, arguments };
    let body = FnBody::Present(body.into());
    Some((Function { kind: FunctionKind::Adapter, owner, span, body, ..written.clone() }, adapter))
}

fn of_trait((written, written_in): (&Function, &TraitImpl), program: &Program) -> Option<Called> {
    let header = (&written_in.generics, &written_in.trait_ref);
    let of_trait = program.impls_of(&written_in.trait_ref.path).iter();
    let mut alike =
        of_trait.filter(|id| header == (&program.impls[**id].generics, &program.impls[**id].trait_ref));
    let (Some(item), None) = (alike.next(), alike.next()) else { return None };
    let method = Name::new(written.path.last());
    let trait_ref = &written_in.trait_ref;
    let function = *program.trait_(&trait_ref.path)?.default_methods.get(&method)?;
    if program.impls[*item].methods.contains_key(&method) {
        return None;
    }
    let owner = Owner::TraitImpl(*item);
    let in_impl = Function { owner: owner.clone(), ..written.clone() };
    let callee = callee(program, &in_impl, &identity_args(&written.generics));
    let span = place(program, *item);
    let (subst, args) = (trait_subst(program, trait_ref), Vec::new());
    Some(Called { function, subst, args, owner, callee, span })
}

fn of_wider_implementation(
    (written, written_in): (&Function, &TraitImpl),
    program: &Program,
) -> Option<Called> {
    let trait_ref = &written_in.trait_ref;
    if !written_in.generics.is_empty() || implements(program, trait_ref) != Some(true) {
        return None;
    }
    let (item, subst) = find_impl(program, trait_ref)?;
    let method = Name::new(written.path.last());
    let function = *item.methods.get(&method)?;
    if item.generics.is_empty() || item.trait_ref.path.is_of_std() {
        return None;
    }
    let own = identity_args(&written.generics);
    let callee = FnRef::Trait { trait_ref: trait_ref.clone(), method, args: own };
    let args = item.generics.iter().map(|param| subst.get(&param.name).cloned()).collect::<Option<_>>()?;
    // The parameters of the implementation are none of its own.
    let (owner, span) = (Owner::Free, program.functions[function].span);
    Some(Called { function, subst, args, owner, callee, span })
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
