//! What an item refers to where it is known at which types it runs.
//!
//! *Idea.* The body of a generic function refers to less once its parameters stand for something: a call on a trait goes to the implementations for that
//! type, not to all. Functions are followed with what their parameters stand for (an *instance*), so `[T]::iter` called on bytes leads to nothing that a program
//! implements for its own iterators.
//!
//! *Definition.* A parameter of the function from which one starts, or whatever nobody has chosen, stands for itself, [`opaque`]: a call of a trait on it may go to any
//! implementation, as in the rest of [`super`]. All other parameters are replaced, and projections of which one implementation is the only one that may be meant.
//!
//! *Models* say of the standard library which traits it calls, not which of their items: by whatever item a model calls a trait, all items of the implementations
//! for the type count, and so do those of the other traits of a comparison, by one of which the library implements another.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::super::types::{holds, is_open, may_implement};
use super::collect::{Code, Collector};
use super::library::{is_order, on_items, runs_nothing};
use super::{Asks, Held, Items, is_comparison};
use crate::exec::{intrinsics, resolve};
use crate::ir::*;

/// The traits of what can be called.
pub(super) const CALLS: [&str; 3] = ["std::ops::Fn", "std::ops::FnMut", "std::ops::FnOnce"];
/// What the executor does in the place of the bodies of its models: of types it looks at how large they are and at what is implemented for them, and runs nothing but
/// `Drop`, which comes with the type.
const PRIMITIVES: &str = "std::intrinsics::";
/// What a model calls where it does not say what std does.
pub(super) const UNMODELLED: &str = "std::intrinsics::unmodelled";
/// Types within types that are followed; a call at larger ones is a call at any.
const MOST_PARTS: usize = 48;
/// Projections that lead to projections.
const MOST_STEPS: usize = 8;

/// A parameter that stands for nothing that is known, named so that no function has one of that name.
pub(super) fn opaque(name: &Name) -> Name {
    if is_opaque(name) { name.clone() } else { Name::new(format!("{name}#")) }
}

fn is_opaque(name: &Name) -> bool {
    name.as_str().ends_with('#')
}

/// A parameter of code that is called by code which is not known: it stands for something that this was handed, so for nothing that is not known to be handed to it.
fn handed(name: &Name) -> Name {
    if is_opaque(name) { name.clone() } else { Name::new(format!("{name}?#")) }
}

fn is_handed(name: &Name) -> bool {
    name.as_str().ends_with("?#")
}

/// A parameter of what is called by a pointer or an object: it stands for something that whoever made that had.
pub(super) fn made_elsewhere(name: &Name) -> Name {
    if is_opaque(name) { name.clone() } else { Name::new(format!("{name}!#")) }
}

pub(super) fn is_made_elsewhere(part: &TyKind) -> bool {
    matches!(part, TyKind::Param(name) if name.as_str().ends_with("!#"))
}

/// Whether a caller's choice may be part of the type, or something that is not known.
pub(super) fn is_open_to_choice(ty: &Ty) -> bool {
    let is_of_handed = |part: &TyKind| matches!(part, TyKind::Param(name) if is_handed(name));
    holds(ty, &|part| match part {
        TyKind::Param(name) => !is_handed(name),
        TyKind::Projection { trait_ref, .. } => !holds(&trait_ref.self_ty, &is_of_handed),
        TyKind::Unsupported(_) => true,
        _ => false,
    })
}

impl Items<'_> {
    /// What all parameters in scope of a function stand for: those that are missing for themselves.
    pub(in super::super) fn completed(&self, function: FnId, known: &Subst) -> Subst {
        completed(&self.program.generics_in_scope(function), known)
    }

    pub(in super::super) fn completed_type(&self, adt: AdtId, known: &Subst) -> Subst {
        completed(&self.program.adts[adt].generics, known)
    }

    /// What the parameters of an implementation, or of a function of one, stand for where code that is not known calls it.
    pub(in super::super) fn handed_impl(&self, id: ImplId, known: &Subst) -> Subst {
        completed_by(&self.program.impls[id].generics, followed(known), handed)
    }

    pub(in super::super) fn handed_function(&self, function: FnId, known: &Subst) -> Subst {
        completed_by(&self.program.generics_in_scope(function), followed(known), handed)
    }

    /// The associated types of the implementation where these stand for its parameters.
    pub(in super::super) fn types_of_impl(&self, id: ImplId, subst: &Subst) -> Vec<Ty> {
        let types = self.program.impls[id].types.values();
        types.map(|ty| self.closed(ty, subst, &mut BTreeSet::new())).collect()
    }

    /// The type with its parameters replaced, and projections as far as it is known which type they are: by the implementations that are added to `by`, for
    /// what stands in the place of a projection does not tell that the other version may have another type there.
    pub(super) fn closed(&self, ty: &Ty, subst: &Subst, by: &mut BTreeSet<ImplId>) -> Ty {
        self.closed_at(ty, subst, 0, by)
    }

    fn closed_at(&self, ty: &Ty, subst: &Subst, step: usize, by: &mut BTreeSet<ImplId>) -> Ty {
        if is_closed(ty) {
            return ty.clone();
        }
        ty.map(
            &mut |part| match part.kind() {
                TyKind::Param(name) if is_opaque(name) => part,
                TyKind::Param(name) => match subst.get(name) {
                    Some(GenericArg::Ty(ty)) => ty.clone(),
                    _ => Ty::new(TyKind::Param(opaque(name))),
                },
                TyKind::Projection { trait_ref, name } if step < MOST_STEPS => {
                    self.projected(trait_ref, name, step + 1, by).unwrap_or(part)
                }
                _ => part,
            },
            &mut |constant| closed_const(constant, subst),
        )
    }

    pub(super) fn closed_args(
        &self,
        args: &[GenericArg],
        subst: &Subst,
        by: &mut BTreeSet<ImplId>,
    ) -> GenericArgs {
        args.iter()
            .map(|arg| match arg {
                GenericArg::Ty(ty) => GenericArg::Ty(self.closed(ty, subst, by)),
                GenericArg::Const(constant) => GenericArg::Const(closed_const(constant.clone(), subst)),
            })
            .collect()
    }

    pub(super) fn closed_trait_ref(
        &self,
        trait_ref: &TraitRef,
        subst: &Subst,
        by: &mut BTreeSet<ImplId>,
    ) -> TraitRef {
        TraitRef {
            self_ty: self.closed(&trait_ref.self_ty, subst, by),
            path: trait_ref.path.clone(),
            args: self.closed_args(&trait_ref.args, subst, by),
        }
    }

    /// The type that `<Self as Trait>::name` is; none if that is not known.
    fn projected(
        &self,
        trait_ref: &TraitRef,
        name: &Name,
        step: usize,
        by: &mut BTreeSet<ImplId>,
    ) -> Option<Ty> {
        if is_callable(&trait_ref.self_ty) && name == "Output" {
            let whole = TyKind::Projection { trait_ref: trait_ref.clone(), name: name.clone() };
            let known = resolve::normalize(self.program, &Ty::new(whole));
            let is_known = !matches!(known.kind(), TyKind::Projection { .. });
            return is_known.then(|| self.closed_at(&known, &Subst::new(), step, by));
        }
        let known = self.only_impls.borrow().get(trait_ref).copied();
        let id = known.unwrap_or_else(|| {
            let found = self.only_impl(trait_ref);
            self.only_impls.borrow_mut().insert(trait_ref.clone(), found);
            found
        })?;
        by.insert(id);
        let subst = self.impl_subst(id, trait_ref, step, by)?;
        Some(self.closed_at(self.program.impls[id].types.get(name)?, &subst, step, by))
    }

    /// The one implementation that may be meant.
    ///
    /// Two implementations that are both for one type are told apart by bounds; one for any type whatever is not for a type that has its own (coherence).
    fn only_impl(&self, trait_ref: &TraitRef) -> Option<ImplId> {
        let (blanket, specific): (Vec<ImplId>, Vec<ImplId>) =
            self.candidates(trait_ref).partition(|id| self.is_blanket(*id));
        match (specific.as_slice(), blanket.as_slice()) {
            ([one], []) => Some(*one),
            ([one], _) | ([], [one]) => self.bounds_hold(*one, trait_ref).then_some(*one),
            _ => None,
        }
    }

    pub(super) fn is_blanket(&self, id: ImplId) -> bool {
        let self_ty = &self.program.impls[id].trait_ref.self_ty;
        matches!(self_ty.kind(), TyKind::Param(_) | TyKind::Projection { .. })
    }

    /// Whether what an implementation for any type asks of this one is implemented for it by name, or by one of the library's for all types (`From<T>` for `T`).
    pub(super) fn bounds_hold(&self, id: ImplId, trait_ref: &TraitRef) -> bool {
        // It follows from the implementations that there are whether bounds hold, and who asks looks at all of these.
        let mut by = BTreeSet::new();
        let Some(subst) = self.impl_subst(id, trait_ref, MOST_STEPS, &mut by) else { return false };
        let program = self.program;
        let is_implemented = |bound: &TraitRef| {
            let bound = self.closed_trait_ref(bound, &subst, &mut by);
            let is_for_all = |id: ImplId| {
                let item = &program.impls[id];
                let of_model = |id: &FnId| program.functions[*id].origin == Origin::StdModel;
                let is_unbounded = item.bounds.is_empty() && item.methods.values().any(of_model);
                is_unbounded && self.impl_subst(id, &bound, MOST_STEPS, &mut BTreeSet::new()).is_some()
            };
            let is_for_it = |id: &ImplId| {
                may_implement(&program.impls[*id].trait_ref, &bound)
                    && (!self.is_blanket(*id) || is_for_all(*id))
            };
            !is_head_open(&bound.self_ty) && program.impls_of(&bound.path).iter().any(is_for_it)
        };
        program.impls[id].bounds.iter().all(is_implemented)
    }

    /// What the parameters of an implementation stand for in that of what is asked for; none if it is not for all that is asked for.
    pub(super) fn impl_subst(
        &self,
        id: ImplId,
        asked: &TraitRef,
        step: usize,
        by: &mut BTreeSet<ImplId>,
    ) -> Option<Subst> {
        let item = &self.program.impls[id];
        let mut subst = Subst::new();
        // An argument that is not printed is the default, `Self`.
        let count = item.trait_ref.args.len().max(asked.args.len());
        let full = |of: &TraitRef| {
            let mut args = of.args.clone();
            args.resize(count, GenericArg::Ty(of.self_ty.clone()));
            args
        };
        let is_for_it = subst.unify(&item.trait_ref.self_ty, &asked.self_ty)
            && subst.unify_args(&full(&item.trait_ref), &full(asked));
        if !is_for_it {
            return None;
        }
        for (known, pattern) in item.equalities.iter().filter(|_| step < MOST_STEPS) {
            let known = self.closed_at(&subst.ty(known), &Subst::new(), step + 1, by);
            let mut bound = subst.clone();
            if !is_head_open(&known) && bound.unify(pattern, &known) {
                subst = bound;
            }
        }
        Some(completed(&item.generics, &subst))
    }
}

/// The function, and if it is a closure those around it: what stands in a closure is bound by what is declared there.
pub(super) fn around(program: &Program, id: FnId) -> impl Iterator<Item = &Function> {
    std::iter::successors(Some(&program.functions[id]), |function| match function.owner {
        Owner::Within(parent) => Some(&program.functions[parent]),
        _ => None,
    })
}

fn completed(params: &[GenericParam], known: &Subst) -> Subst {
    completed_by(params, known, opaque)
}

/// What is known of parameters; those of which nothing is known stand for a parameter of the name that they are given.
pub(super) fn completed_by(params: &[GenericParam], known: &Subst, named: fn(&Name) -> Name) -> Subst {
    let itself = |param: &GenericParam| match param.kind {
        GenericParamKind::Type => GenericArg::Ty(Ty::new(TyKind::Param(named(&param.name)))),
        _ => GenericArg::Const(Const::Param(named(&param.name))),
    };
    let of = |param: &GenericParam| known.get(&param.name).cloned().unwrap_or_else(|| itself(param));
    let mut subst = Subst::new();
    params.iter().for_each(|param| subst.insert(param.name.clone(), of(param)));
    subst
}

fn closed_const(constant: Const, subst: &Subst) -> Const {
    match &constant {
        Const::Param(name) if is_opaque(name) => constant,
        Const::Param(name) => match subst.get(name) {
            Some(GenericArg::Const(value)) => value.clone(),
            _ => Const::Param(opaque(name)),
        },
        _ => constant,
    }
}

/// Whether nothing in the type stands for something else that may be known.
fn is_closed(ty: &Ty) -> bool {
    !ty.find(&mut |part| match part {
        TyPart::Ty(ty) => match ty.kind() {
            TyKind::Param(name) => !is_opaque(name),
            TyKind::Projection { .. } => true,
            _ => false,
        },
        TyPart::Const(constant) => matches!(constant, Const::Param(_)),
    })
}

fn is_callable(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Closure(..) | TyKind::FnDef(_) | TyKind::FnPtr { .. } => true,
        TyKind::Ref(_, callable) => is_callable(callable),
        _ => false,
    }
}

/// Whether nothing is known of the type, so that an implementation for any type may be for it.
pub(super) fn is_head_open(ty: &Ty) -> bool {
    matches!(
        ty.kind(),
        TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Dyn(_) | TyKind::Unsupported(_)
    )
}

/// Whether the executor has the function, so that it is known to call nothing.
pub(super) fn is_intrinsic(path: &Path, args: &[GenericArg], self_ty: Option<&Ty>) -> bool {
    let (path, args) = (path.clone(), args.to_vec());
    intrinsics::calls_nothing(&match self_ty.cloned() {
        Some(self_ty) => FnRef::Inherent { path, self_ty, args },
        None => FnRef::Free { path, args },
    })
}

/// What parameters stand for, unless it is too large to be followed.
fn followed(known: &Subst) -> &Subst {
    static NOTHING: LazyLock<Subst> = LazyLock::new(Subst::new);
    if parts(known) > MOST_PARTS { &NOTHING } else { known }
}

/// How many types stand in what the parameters stand for.
fn parts(subst: &Subst) -> usize {
    let mut count = 0;
    for (_, arg) in subst.iter() {
        if let GenericArg::Ty(ty) = arg {
            ty.each_part(&mut |_| count += 1);
        }
    }
    count
}

impl Collector<'_, '_> {
    /// Refers to the function at these arguments.
    pub(super) fn instance(&mut self, id: FnId, known: &Subst) {
        self.uses.functions.insert(id);
        if self.at.is_none() {
            return;
        }
        let subst = self.items.completed(id, followed(known));
        self.uses.instances.insert((id, subst));
    }

    /// A function or constant by its path, of which all that are found may be meant.
    pub(super) fn instances_at(&mut self, path: &Path, args: &[GenericArg], self_ty: Option<&Ty>) {
        for id in self.items.program.functions_at(path) {
            let function = &self.items.program.functions[*id];
            let in_scope = self.items.program.generics_in_scope(*id);
            let mut subst = Subst::new();
            if let (Owner::Inherent { self_ty: pattern, .. }, Some(ty)) = (&function.owner, self_ty)
                && !subst.unify(pattern, ty)
            {
                subst = Subst::new();
            }
            let params = if in_scope.len() == args.len() { &in_scope } else { &function.generics };
            subst.extend(&Subst::from_params(params, args));
            self.instance(*id, &subst);
        }
    }

    /// A method or constant of a trait, by the type on which it is called. Values of the types in the call are owned by what is called, if that is not known to tell itself
    /// what it drops.
    pub(super) fn trait_item_at(&mut self, trait_ref: &TraitRef, name: &Name, args: &[GenericArg]) -> Held {
        if runs_nothing(trait_ref) {
            return Held::Lent;
        }
        if let Some(on_items) = on_items(trait_ref) {
            return self.trait_item_at(&on_items, name, args);
        }
        let program = self.items.program;
        let item = program.trait_(&trait_ref.path);
        let default =
            item.and_then(|item| item.default_methods.get(name).or_else(|| item.default_consts.get(name)));
        let inherits = |this: &mut Self| {
            if let Some(id) = default {
                let mut subst = resolve::trait_subst(program, trait_ref);
                subst.extend(&Subst::from_params(&program.functions[*id].generics, args));
                this.instance(*id, &subst);
            }
        };
        if is_head_open(&trait_ref.self_ty) {
            inherits(self);
            self.calls_unknown();
            self.unidentified(name);
            if !self.is_called_of_object(trait_ref) {
                self.any_impl_for(trait_ref);
            }
            // Whoever made that has its types in play.
            if holds(&trait_ref.self_ty, &is_made_elsewhere) {
                for id in self.candidates(trait_ref) {
                    self.uses.impls.insert(id);
                    self.all_items(id, &Subst::new());
                }
            }
            self.hand_over(trait_ref, name, args);
            return Held::Owned;
        }
        // What is called is there by its type.
        if self.is_called_by_type(trait_ref) {
            inherits(self);
            if !matches!(trait_ref.self_ty.kind(), TyKind::Closure(..)) {
                self.calls_unknown();
            }
            if let TyKind::FnPtr { .. } = trait_ref.self_ty.kind() {
                self.called_by_pointer(Some(&trait_ref.self_ty), &[]);
            }
            return Held::Owned;
        }
        let (mut is_inherited, mut calls_unknown_default, mut tells_drops) = (false, false, true);
        // What the standard library calls is told by the traits that a model calls, not by their items.
        let is_by_model = self.code == Code::Model
            || default.is_some_and(|id| program.functions[*id].origin == Origin::StdModel);
        let candidates = self.candidates(trait_ref);
        for id in &candidates {
            let item = &program.impls[*id];
            self.uses.impls.insert(*id);
            let own = item.methods.get(name).or_else(|| item.consts.get(name)).copied();
            calls_unknown_default |= own.is_none() && default.is_none();
            if own.is_none() {
                is_inherited = true;
                self.unidentified(name);
            }
            let subst = self.items.impl_subst(*id, trait_ref, 0, &mut self.uses.impls).unwrap_or_default();
            tells_drops &= own.is_some_and(|own| self.tells_drops(own));
            if let Some(own) = own {
                let mut subst = subst.clone();
                subst.extend(&Subst::from_params(&program.functions[own].generics, args));
                self.instance(own, &subst);
            }
            if is_by_model {
                self.all_items_of_program(*id, &subst);
            }
        }
        if is_by_model && is_comparison(&trait_ref.path) && self.may_compare_otherwise(&trait_ref.path) {
            self.comparisons(trait_ref);
        }
        let is_certain = |id: &ImplId| !self.items.is_blanket(*id) || self.items.bounds_hold(*id, trait_ref);
        let is_implemented = candidates.iter().any(is_certain);
        // An implementation that has the item itself never runs the one of the trait, which may call this one of a reference, and so on without end.
        if is_inherited || !is_implemented {
            inherits(self);
        }
        if calls_unknown_default || !is_implemented {
            self.unidentified(name);
            if self.is_never_converted(trait_ref) {
                return Held::Owned;
            }
            self.unknown_impl(trait_ref, args);
        }
        if is_implemented && tells_drops { Held::Lent } else { Held::Owned }
    }

    /// Any implementation of the trait may run that is for its arguments: of `T: Into<u64>`, what gives a `u64`. One for types of the library alone needs no value of a type of the program.
    fn any_impl_for(&mut self, trait_ref: &TraitRef) {
        let is_told = |arg: &GenericArg| matches!(arg, GenericArg::Ty(ty) if !is_head_open(ty));
        if is_comparison(&trait_ref.path) || !trait_ref.args.iter().any(is_told) {
            return self.any_impl(&trait_ref.path);
        }
        self.any_item_of(&trait_ref.path);
        for id in self.candidates(trait_ref) {
            if self.items.adts_of_impl(id).next().is_some() {
                self.uses.add_possible(&[id]);
                continue;
            }
            let mut subst = Subst::new();
            if !subst.unify_args(&self.items.program.impls[id].trait_ref.args, &trait_ref.args) {
                subst = Subst::new();
            }
            self.uses.impls.insert(id);
            self.all_items(id, &subst);
        }
    }

    /// Whether there is no such conversion, so that nothing runs what asks for it: from or into a type of the program the standard library has none but its own for any
    /// types, and all others are known. Operators of numbers, which a macro writes for each, are candidates at each other's types.
    fn is_never_converted(&self, trait_ref: &TraitRef) -> bool {
        let Some(GenericArg::Ty(arg)) = trait_ref.args.first() else { return false };
        let (from, into) = match trait_ref.path.as_str() {
            "std::convert::From" => (arg, &trait_ref.self_ty),
            "std::convert::Into" => (&trait_ref.self_ty, arg),
            _ => return false,
        };
        let is_of_program = |part: &TyKind| match part {
            TyKind::Adt(path, _) => !path.is_of_std() && !self.items.adts_at(path).is_empty(),
            _ => false,
        };
        let args = vec![GenericArg::Ty(from.clone())];
        let asked = TraitRef { self_ty: into.clone(), path: Path::new("std::convert::From"), args };
        (holds(from, &is_of_program) || holds(into, &is_of_program))
            && !is_open(from)
            && !is_open(into)
            && self.all_known(from, &[GenericArg::Ty(into.clone())])
            && !matches!(from.kind(), TyKind::Never)
            && self.candidates(&asked).is_empty()
    }

    /// What runs when a value of the type is dropped.
    pub(super) fn destructor(&mut self, id: ImplId, of: &TraitRef) {
        self.uses.impls.insert(id);
        let subst = self.items.impl_subst(id, of, 0, &mut self.uses.impls).unwrap_or_default();
        self.all_items(id, &subst);
    }

    /// Whatever the function's bounds let it call: a model that does not say what is called stands for code that may call all of it.
    pub(super) fn unmodelled(&mut self, id: FnId) {
        let Some(subst) = self.at else { return };
        let program = self.items.program;
        let mut called: Vec<TraitRef> = Vec::new();
        for function in around(program, id) {
            let by = &mut self.uses.impls;
            let bounds = function.bounds.iter();
            called.extend(bounds.map(|bound| self.items.closed_trait_ref(&bound.trait_ref, subst, by)));
            if let (Owner::Trait(path), Some(GenericArg::Ty(self_ty))) =
                (&function.owner, subst.get(&Name::new("Self")))
            {
                called.push(TraitRef { self_ty: self_ty.clone(), path: path.clone(), args: Vec::new() });
            }
        }
        for trait_ref in called {
            self.trait_ref(&trait_ref);
            if is_head_open(&trait_ref.self_ty) {
                if !self.is_called_of_object(&trait_ref) {
                    self.any_impl_for(&trait_ref);
                }
                continue;
            }
            for item in self.candidates(&trait_ref) {
                self.uses.impls.insert(item);
                let subst =
                    self.items.impl_subst(item, &trait_ref, 0, &mut self.uses.impls).unwrap_or_default();
                // Those of models lead to what they hold.
                self.all_items(item, &subst);
            }
            if is_comparison(&trait_ref.path) {
                self.comparisons(&trait_ref);
            }
        }
    }

    /// Whether the function is one of the executor's primitives: it depends on what is implemented for its types.
    pub(super) fn is_primitive(&mut self, function: &Function) -> bool {
        let Some(subst) = self.at else { return false };
        if self.code != Code::Model || !function.path.as_str().starts_with(PRIMITIVES) {
            return false;
        }
        let types: Vec<&Ty> = subst
            .iter()
            .filter_map(|(_, arg)| match arg {
                GenericArg::Ty(ty) => Some(ty),
                GenericArg::Const(_) => None,
            })
            .collect();
        if types.iter().any(|ty| is_open(ty)) {
            self.uses.asks = Asks::OfAllInPlay;
        }
        let mut adts = BTreeSet::new();
        for ty in types {
            self.ty(ty);
            self.items.adts_in(ty, &mut adts);
        }
        let impls = adts.iter().flat_map(|adt| self.items.impls_of_adt(*adt));
        self.uses.impls.extend(impls.copied());
        true
    }

    /// Whether the trait is one by which functions and closures are called, and the type such a one.
    pub(super) fn is_called_by_type(&self, trait_ref: &TraitRef) -> bool {
        is_callable(&trait_ref.self_ty) && CALLS.contains(&trait_ref.path.as_str())
    }

    pub(super) fn all_items(&mut self, id: ImplId, subst: &Subst) {
        let program = self.items.program;
        let item = &program.impls[id];
        for function in item.methods.values().chain(item.consts.values()) {
            self.instance(*function, subst);
        }
    }

    /// The same of what the models do not implement themselves: of that, a model calls by name what it means.
    fn all_items_of_program(&mut self, id: ImplId, subst: &Subst) {
        let program = self.items.program;
        let item = &program.impls[id];
        let mut items = item.methods.values().chain(item.consts.values());
        if items.any(|function| program.functions[*function].origin != Origin::StdModel) {
            self.all_items(id, subst);
        }
    }

    /// Whether the library may ask for the order of values where its model calls this trait. Where no bound lets it, it asks whether they are equal and no more: it
    /// has the bounds of its model.
    pub(super) fn may_compare_otherwise(&self, called: &Path) -> bool {
        let Some(id) = self.function.filter(|_| self.code == Code::Model) else {
            return is_order(called);
        };
        let program = self.items.program;
        let is_bound = |function: &Function| {
            matches!(&function.owner, Owner::Trait(path) if is_order(path))
                || function.bounds.iter().any(|bound| is_order(&bound.trait_ref.path))
        };
        is_order(called) || around(program, id).any(is_bound)
    }

    /// Whatever is compared of values of the type.
    fn comparisons(&mut self, trait_ref: &TraitRef) {
        for id in self.items.comparisons.clone() {
            let item = &self.items.program.impls[id].trait_ref;
            let asked = TraitRef { path: item.path.clone(), ..trait_ref.clone() };
            if may_implement(item, &asked) {
                self.uses.impls.insert(id);
                let subst = self.items.impl_subst(id, &asked, 0, &mut self.uses.impls).unwrap_or_default();
                self.all_items_of_program(id, &subst);
            }
        }
    }

    /// The type at these arguments.
    pub(super) fn type_at(&mut self, id: AdtId, args: &[GenericArg], held: Held) {
        self.uses.adts.insert(id);
        if self.at.is_none() {
            return;
        }
        let known = Subst::from_params(&self.items.program.adts[id].generics, args);
        self.uses.adt_instances.insert((id, self.items.completed_type(id, followed(&known)), held));
    }
}
