//! Values of `dyn` types: what is called of them is told by where they are made.
//!
//! *Idea.* A method that is called on a `dyn Trait` is that of a type of which a value was turned into one. So what counts, where it is known at which types functions
//! run, are these casts, as for what a compiler generates code for, and not the calls: `assert_eq!` on numbers calls `Debug` on a `dyn Debug`, and no `Debug` of the program.
//!
//! *Definition.* A cast of `A` to `dyn Trait` refers to all items that `Trait`, and what it stands upon, have for `A`. Code that is not known makes such values of what it is
//! handed, of which everything counts anyway, or has them of a caller: for the objects in what is *given* (in the types that a start, or an implementation that a caller's choice
//! brings into play, takes; in what a call gives that goes to a caller's choice or to code that is not known), implementations count once their types are in play, like those
//! of a parameter. Statics may have been given one by anybody: all implementations count.
//!
//! Formatters and messages are not looked into: what one writes to, or is told to show, is chosen by who makes it.
//!
//! *Limits.* A value that is put together from its parts (`transmute`) may be any, so is given.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use super::collect::Collector;
use super::instance::is_head_open;
use super::{Drops, Fields, Items, Unknown, is_formatting};
use crate::align::types::{each_ty, holds, is_hidden, may_match};
use crate::exec::resolve;
use crate::ir::*;

impl Items<'_> {
    /// The implementations of traits of whose objects some are in what a function takes where these types stand for its parameters.
    pub(in super::super) fn impls_of_given_objects(&self, function: FnId, subst: &Subst) -> Vec<ImplId> {
        let function = &self.program.functions[function];
        let types: Vec<Ty> =
            function.inputs.iter().chain([&function.output]).map(|ty| subst.ty(ty)).collect();
        self.impls_of_objects_in(&types)
    }

    /// The same of what an implementation is for, and of what its functions take.
    pub(in super::super) fn impls_of_objects_given_to(&self, id: ImplId) -> Vec<ImplId> {
        let item = &self.program.impls[id];
        let functions = item.methods.values().map(|id| &self.program.functions[*id]);
        let mut types: Vec<Ty> = functions
            .flat_map(|function| function.inputs.iter().chain([&function.output]))
            .cloned()
            .collect();
        types.push(item.trait_ref.self_ty.clone());
        each_ty(&item.trait_ref.args, &mut |ty| types.push(ty.clone()));
        types.extend(item.types.values().cloned());
        self.impls_of_objects_in(&types)
    }

    fn impls_of_objects_in(&self, types: &[Ty]) -> Vec<ImplId> {
        let named = self.named_objects_in(types);
        let mut impls: Vec<ImplId> =
            named.iter().flat_map(|path| self.program.impls_of(path)).copied().collect();
        for above in self.objects_in(types).difference(&named) {
            impls.extend(self.impls_above(&named, above));
        }
        impls
    }

    /// Implementations of a trait that others stand upon, for types that have one of these.
    fn impls_above(&self, named: &BTreeSet<Path>, above: &Path) -> Vec<ImplId> {
        let program = self.program;
        let is_error = |path: &Path| *path == KnownTrait::Error;
        // `IntoInnerError<BufWriter<M>>` is an error that shows the `M`.
        let held =
            (named.iter().any(is_error) && *above == KnownTrait::Debug).then(|| Path::new("std::io::Write"));
        let bases: Vec<&TraitImpl> = (named.iter().chain(&held))
            .flat_map(|path| program.impls_of(path))
            .map(|id| &program.impls[*id])
            .collect();
        let is_of_base = |id: &ImplId| {
            let item = &program.impls[*id];
            let mut of_type =
                bases.iter().filter(|base| may_match(&base.trait_ref.self_ty, &item.trait_ref.self_ty));
            of_type.any(|base| !(is_forwarding(base) && is_forwarding(item)))
        };
        program.impls_of(above).iter().copied().filter(is_of_base).collect()
    }

    /// The traits of the objects anywhere within values of the types, and those that they stand upon.
    fn objects_in(&self, types: &[Ty]) -> BTreeSet<Path> {
        let mut traits = self.named_objects_in(types);
        self.add_supertraits(&mut traits, |_| true);
        traits
    }

    /// The traits of the objects anywhere within values of the types.
    fn named_objects_in(&self, types: &[Ty]) -> BTreeSet<Path> {
        let found = RefCell::new(BTreeSet::new());
        let note = |part: &TyKind| {
            if let TyKind::Dyn(bounds) = part {
                found.borrow_mut().extend(bounds.iter().map(|bound| bound.path.clone()));
            }
            false
        };
        // What is called may be handed objects, or give some.
        let mut of_callables = Vec::new();
        for ty in types {
            self.signatures_in(ty, &mut of_callables);
        }
        self.holds_within(types.iter().chain(&of_callables), Fields::AllButFormatting, &note);
        found.into_inner()
    }

    /// Adds what those of the traits stand upon that are to be followed.
    fn add_supertraits(&self, traits: &mut BTreeSet<Path>, is_followed: impl Fn(&Path) -> bool) {
        let mut open: Vec<Path> = traits.iter().filter(|path| is_followed(path)).cloned().collect();
        while let Some(item) = open.pop().map(|path| self.program.trait_(&path)) {
            let above = item.into_iter().flat_map(|item| &item.supertraits).map(|above| above.path.clone());
            open.extend(above.filter(|path| traits.insert(path.clone()) && is_followed(path)));
        }
    }

    /// The types that closures and functions, whose types are parts of the type, take and give.
    fn signatures_in(&self, ty: &Ty, found: &mut Vec<Ty>) {
        let seen: RefCell<Vec<FnId>> = RefCell::default();
        holds(ty, &|part| {
            let path = match part {
                TyKind::Closure(path, _) => Some(path),
                TyKind::FnDef(fn_ref) => match &**fn_ref {
                    FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => Some(path),
                    FnRef::Trait { .. } => None,
                },
                _ => None,
            };
            seen.borrow_mut()
                .extend(path.into_iter().flat_map(|path| self.program.functions_at(path).iter().copied()));
            false
        });
        for id in seen.into_inner() {
            let function = &self.program.functions[id];
            found.extend(function.inputs.iter().chain([&function.output]).cloned());
        }
    }
}

/// Whether it is for a reference, or something else around a value, whose type implements the trait as well, so that this does what that does.
fn is_forwarding(item: &TraitImpl) -> bool {
    let inner = match item.trait_ref.self_ty.kind() {
        TyKind::Ref(_, inner) => inner,
        TyKind::Adt(path, args) if path.is_of_std() => match args.first() {
            Some(GenericArg::Ty(inner)) => inner,
            _ => return false,
        },
        _ => return false,
    };
    matches!(inner.kind(), TyKind::Param(_))
        && item.bounds.iter().any(|bound| bound.self_ty == *inner && bound.path == item.trait_ref.path)
}

impl Collector<'_, '_> {
    /// Objects within values of these types are there that nothing reached has made.
    pub(super) fn given_objects(&mut self, types: &[Ty]) {
        let named = self.items.named_objects_in(types);
        let mut traits = named.clone();
        // What is an error and shown is no collection: of types of the library, those alone that are errors count.
        let is_followed = |path: &Path| self.at.is_none() || *path != KnownTrait::Error;
        self.items.add_supertraits(&mut traits, is_followed);
        for path in &traits {
            self.any_impl(path);
        }
        for path in self.items.objects_in(types).difference(&traits) {
            self.of_objects(&named, path);
        }
    }

    /// Anybody may have left an object or a pointer to a function there, of a type that nothing reached names.
    pub(super) fn left_in_static(&mut self, ty: &Ty) {
        let types = std::slice::from_ref(ty);
        for path in self.items.objects_in(types) {
            self.any_impl(&path);
            for id in self.items.program.impls_of(&path) {
                self.uses.impls.insert(*id);
                self.all_items(*id, &Subst::new());
            }
        }
        self.called_by_whatever_is_in(types);
    }

    /// A value of the one type is turned into one of the other, in which something may be an object.
    pub(super) fn made_object(&mut self, from: Option<&Ty>, to: &Ty) {
        if !from.is_some_and(|from| self.objects_of(from, to)) {
            self.given_objects(std::slice::from_ref(to));
        }
    }

    /// A value of the type is handed to code that may turn it into an object of the trait, and calls nothing else.
    pub(super) fn shown_as(&mut self, ty: &Ty, path: &Path) {
        let bound = DynTrait { path: path.clone(), args: Vec::new(), assoc_types: Vec::new() };
        let object = Ty::new(TyKind::Dyn(vec![bound]));
        self.made_object(Some(ty), &object);
    }

    /// Whether it is known of which types the objects are.
    fn objects_of(&mut self, from: &Ty, to: &Ty) -> bool {
        match (from.kind(), to.kind()) {
            // What stands above the trait of an object counts where that was made.
            (TyKind::Dyn(_), TyKind::Dyn(_)) => true,
            (_, TyKind::Dyn(bounds)) => {
                self.methods_of_object(from, bounds);
                true
            }
            (TyKind::Ref(_, from) | TyKind::RawPtr(_, from), TyKind::Ref(_, to) | TyKind::RawPtr(_, to))
            | (TyKind::Array(from, _), TyKind::Slice(to)) => self.objects_of(from, to),
            (TyKind::Adt(path, from), TyKind::Adt(other, to)) if path == other => {
                from.iter().zip(to).all(|pair| match pair {
                    (GenericArg::Ty(from), GenericArg::Ty(to)) => self.objects_of(from, to),
                    _ => true,
                })
            }
            _ => from == to || !holds(to, &is_hidden),
        }
    }

    /// All that may be called of an object of the type by these traits.
    fn methods_of_object(&mut self, ty: &Ty, bounds: &[DynTrait]) {
        if is_head_open(ty) {
            return self.objects_of_anything(ty, bounds);
        }
        let program = self.items.program;
        let of_bound = |bound: &DynTrait| TraitRef {
            self_ty: ty.clone(),
            path: bound.path.clone(),
            args: bound.args.clone(),
        };
        let mut open: Vec<TraitRef> = bounds.iter().map(of_bound).collect();
        let mut seen = HashSet::new();
        while let Some(trait_ref) = open.pop() {
            if !seen.insert(trait_ref.clone()) {
                continue;
            }
            let subst = resolve::trait_subst(program, &trait_ref);
            if let Some(item) = program.trait_(&trait_ref.path) {
                let above = item.supertraits.iter();
                open.extend(
                    above.map(|above| self.items.closed_trait_ref(above, &subst, &mut self.uses.impls)),
                );
            }
            self.items_of_object(&trait_ref, &subst);
        }
    }

    /// The same of a type that may be any which implements the traits. Of what these stand upon, implementations count for such types alone: whoever turns any error into a
    /// `dyn Error` calls no `Display` of what is no error.
    fn objects_of_anything(&mut self, ty: &Ty, bounds: &[DynTrait]) {
        let named: BTreeSet<Path> = bounds.iter().map(|bound| bound.path.clone()).collect();
        for bound in bounds {
            self.any_impl(&bound.path);
            // What that of the library stands upon is known where it is not read.
            if bound.path == KnownTrait::Error && self.items.program.trait_(&bound.path).is_none() {
                for above in ["std::fmt::Debug", "std::fmt::Display"] {
                    self.of_objects(&named, &Path::new(above));
                }
            } else {
                self.expose_unknown_trait(ty, &bound.path);
            }
        }
        let object = Ty::new(TyKind::Dyn(bounds.to_vec()));
        for above in self.items.objects_in(&[object]).difference(&named) {
            self.of_objects(&named, above);
        }
    }

    /// What is called by a trait of objects that others stand upon.
    fn of_objects(&mut self, named: &BTreeSet<Path>, above: &Path) {
        self.trait_path(above);
        let defaults = self.items.program.trait_(above).into_iter().flat_map(|item| &item.default_methods);
        for (name, default) in defaults {
            self.unidentified(name);
            self.instance(*default, &Subst::new());
        }
        self.uses.add_possible(&self.items.impls_above(named, above));
    }

    fn items_of_object(&mut self, trait_ref: &TraitRef, subst: &Subst) {
        let program = self.items.program;
        self.trait_ref(trait_ref);
        if self.is_called_by_type(trait_ref) {
            return;
        }
        let item = program.trait_(&trait_ref.path);
        let candidates = self.candidates(trait_ref);
        let is_certain = |id: &ImplId| !self.items.is_blanket(*id) || self.items.bounds_hold(*id, trait_ref);
        let is_known = item.is_some() && candidates.iter().any(is_certain);
        for (name, default) in item.into_iter().flat_map(|item| &item.default_methods) {
            let is_own = |id: &ImplId| program.impls[*id].methods.contains_key(name);
            if !is_known || !candidates.iter().all(is_own) {
                self.unidentified(name);
                self.instance(*default, subst);
            }
        }
        for id in &candidates {
            self.uses.impls.insert(*id);
            let subst = self.items.impl_subst(*id, trait_ref, 0, &mut self.uses.impls).unwrap_or_default();
            self.all_items(*id, &subst);
        }
        if !is_known {
            self.unknown_impl(trait_ref, &[]);
        }
        self.expose_unknown_trait(&trait_ref.self_ty, &trait_ref.path);
    }

    /// Of a trait that is not known, what it stands upon may be called as well.
    fn expose_unknown_trait(&mut self, ty: &Ty, path: &Path) {
        if self.items.program.trait_(path).is_none() && !is_formatting(path) {
            let to = if path.is_of_std() { Unknown::Formatter } else { Unknown::Anyone };
            self.expose(ty, to);
        }
    }

    /// Whether a call of the trait on an object of one of these goes where the object was made.
    pub(super) fn is_called_of_object(&self, trait_ref: &TraitRef) -> bool {
        let TyKind::Dyn(bounds) = trait_ref.self_ty.kind() else { return false };
        self.items.program.is_trait_of_object(bounds, &trait_ref.path)
    }

    /// Code is called of which it is not known what it gives.
    pub(super) fn calls_unknown(&mut self) {
        self.unknown_callee = true;
        self.uses.drops = Drops::OfAllInPlay;
    }

    /// What comes back of a call of such code: its result, and what it may write to or hand to what it is given to call. A reference to an object stays what it is.
    pub(super) fn given_by_call(&mut self, args: Vec<Option<Ty>>, result: Option<Ty>) {
        if self.at.is_none() {
            return;
        }
        let mut types: Vec<Ty> = result.into_iter().collect();
        for ty in args.into_iter().flatten() {
            match ty.pointee().map(Ty::kind) {
                // What is called is handed objects by who calls it.
                Some(TyKind::Dyn(bounds)) => {
                    for bound in bounds {
                        each_ty(&bound.args, &mut |ty| types.push(ty.clone()));
                    }
                }
                _ => types.push(ty),
            }
        }
        self.given_objects(&types);
    }
}
