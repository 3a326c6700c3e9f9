//! What types refer to: what is run for their values, how these are laid out, and to whom they are shown.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::super::super::layout::{Layout, sees_layout};
use super::super::super::outside::names_library_only;
use super::super::super::types::{each_ty, holds, holds_object, is_open};
use super::super::instance::{is_head_open, is_open_to_choice};
use super::super::library::{FORWARDING, OF_HIDDEN_ARGUMENTS, WAKERS};
use super::super::unknown::Unknown;
use super::super::{Drops, Exposure, Held, last_segment};
use super::{Code, Collector, MOST_PROJECTIONS, Parts, projection_of_anything, projections_in, words_of};
use crate::ir::*;

impl<'a> Collector<'_, 'a> {
    /// What is run where a value is dropped of a type that is not defined in the program, but implements `Drop` there: one in a body that could not be told from
    /// another of its name.
    fn destructors_of_undefined(&mut self, path: &Path) {
        let program = self.program();
        for id in program.impls_of(&KnownTrait::Drop.into()) {
            let item = &program.impls[*id];
            if matches!(item.trait_ref.self_ty.kind(), TyKind::Adt(of, _) if of == path) {
                self.uses.impls.insert(*id);
                self.uses.functions.extend(item.methods.values().copied());
            }
        }
    }

    /// Values of the type may be there and dropped.
    pub fn ty(&mut self, ty: &Ty) {
        self.ty_held(ty, Held::Owned);
    }

    pub fn ty_held(&mut self, ty: &Ty, held: Held) {
        let ty = &self.closed(ty);
        // Where it is not known at which types functions run, all types are taken for those of values.
        let held = if self.at.is_none() { Held::ByUnknown } else { held };
        if !self.seen_types.insert((ty.clone(), held)) {
            return;
        }
        if held != Held::Lent && is_head_open(ty) {
            self.uses.drops = Drops::OfAllInPlay;
        }
        match ty.kind() {
            TyKind::Adt(path, args) => {
                let known = self.items.adts_at(path);
                known.iter().for_each(|id| self.type_at(*id, args, held));
                // It keeps an object without saying so.
                if WAKERS.contains(&path.as_str()) {
                    self.any_impl(&KnownTrait::Wake.into());
                }
                // Models of tables have no parameter for what hashes.
                let told = known.iter().map(|id| self.program().adts[*id].generics.len()).max();
                if let Some(hidden) = told.filter(|_| path.is_of_std()).and_then(|told| args.get(told..)) {
                    each_ty(hidden, &mut |ty| self.hand_to_implementor(ty, OF_HIDDEN_ARGUMENTS));
                }
                if known.is_empty() {
                    self.uses.unknown.insert(path.clone());
                    self.destructors_of_undefined(path);
                    if !FORWARDING.contains(&path.as_str()) {
                        self.expose_args(args, Unknown::at(path));
                    }
                }
                self.args_held(args, held);
            }
            TyKind::Closure(path, args) => {
                self.instances_at(path, args, None);
                self.args_held(args, held);
            }
            TyKind::Tuple(tys) => tys.iter().for_each(|ty| self.ty_held(ty, held)),
            TyKind::Array(ty, len) => {
                self.ty_held(ty, held);
                self.constant(len);
            }
            TyKind::Slice(ty) => self.ty_held(ty, held),
            TyKind::Ref(_, ty) | TyKind::RawPtr(_, ty) => match held {
                Held::Lent | Held::Owned => self.ty_held(ty, Held::Lent),
                Held::ByUnknown => self.ty_held(ty, held),
            },
            TyKind::Projection { trait_ref, name } => {
                self.trait_ref(trait_ref);
                if projections_in(&trait_ref.self_ty) > MOST_PROJECTIONS {
                    return self.ty_held(&projection_of_anything(trait_ref, name), held);
                }
                for id in self.candidates(trait_ref) {
                    self.uses.impls.insert(id);
                    let by = &mut self.uses.impls;
                    let subst = self.at.and_then(|_| self.items.impl_subst(id, trait_ref, 0, by));
                    for ty in self.program().impls[id].types.values() {
                        let subst = subst.clone().unwrap_or_default();
                        let ty = match self.at {
                            Some(_) => self.items.closed(ty, &subst, &mut self.uses.impls),
                            None => ty.clone(),
                        };
                        self.ty_held(&ty, held);
                    }
                }
            }
            TyKind::FnPtr { inputs, output } => {
                inputs.iter().for_each(|ty| self.ty(ty));
                self.ty(output);
            }
            TyKind::FnDef(fn_ref) => self.fn_ref(fn_ref),
            TyKind::Dyn(bounds) => {
                for bound in bounds {
                    match self.at {
                        None => self.any_impl(&bound.path),
                        Some(_) => self.trait_path(&bound.path),
                    }
                    self.args(&bound.args);
                    bound.assoc_types.iter().for_each(|(_, ty)| self.ty(ty));
                }
            }
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Param(_) => {}
            TyKind::Unsupported(text) => {
                self.uses.layout = Layout::OfAllInPlay;
                self.named_in(text);
            }
        }
    }

    /// Of a type that is known by its text alone, every type and trait counts of which the name stands in it: `<T as Trait>::Generic<u8>`.
    fn named_in(&mut self, text: &str) {
        let words: FxHashSet<&str> = words_of(text).collect();
        let program = self.program();
        let is_named = |path: &Path| !path.is_of_std() && words.contains(last_segment(path));
        let adts = program.adts.iter_enumerated().filter(|(_, adt)| is_named(&adt.path));
        self.uses.adts.extend(adts.map(|(id, _)| id));
        self.values_named_in(text);
        for item in program.traits.iter().filter(|item| is_named(&item.path)) {
            self.any_impl(&item.path);
            self.uses.impls.extend(program.impls_of(&item.path));
        }
    }

    /// The types of traits that bounds give a name: what it stands for is told by the implementation.
    pub fn bound_types(&mut self, function: &Function) {
        for bound in &function.bounds {
            for (name, ty) in &bound.assoc_types {
                if holds(ty, &|part| matches!(part, TyKind::Param(_))) {
                    let trait_ref = bound.trait_ref.clone();
                    self.ty(&Ty::new(TyKind::Projection { trait_ref, name: name.clone() }));
                }
            }
        }
    }

    pub(super) fn args(&mut self, args: &[GenericArg]) {
        self.args_held(args, Held::Owned);
    }

    pub(super) fn args_held(&mut self, args: &[GenericArg], held: Held) {
        for arg in args {
            match arg {
                GenericArg::Ty(ty) => self.ty_held(ty, held),
                GenericArg::Const(constant) => self.constant(constant),
            }
        }
    }

    /// Unknown code works on values of the type.
    pub fn expose(&mut self, ty: &Ty, to: Unknown) {
        if self.hand_on(ty, to) == Parts::Open {
            let exposure = match to {
                Unknown::Library => Exposure::InPlayToLibrary,
                Unknown::Formatter => Exposure::InPlayToFormatters,
                Unknown::Anyone => Exposure::AllInPlay,
            };
            self.uses.exposure = self.uses.exposure.max(exposure);
        }
    }

    /// Unknown code is handed values of the type. What it may call of those that the type names is noted.
    pub(super) fn hand_on(&mut self, ty: &Ty, to: Unknown) -> Parts {
        let ty = &self.closed(ty);
        self.ty_held(ty, Held::ByUnknown);
        let has_object = holds_object(ty);
        // Where it is known at which types this runs, what is called of an object counts where that was made, or given.
        let is_open = is_open_to_choice(ty) || (has_object && self.at.is_none());
        let parts = if is_open { Parts::Open } else { Parts::Named };
        if !self.exposed_types.insert((ty.clone(), to)) {
            return parts;
        }
        if self.at.is_some() {
            self.uses.handed.push((ty.clone(), to));
        }
        let exposed = match to {
            Unknown::Library => &mut self.uses.exposed_to_library,
            Unknown::Formatter => &mut self.uses.exposed_to_formatters,
            Unknown::Anyone => &mut self.uses.exposed,
        };
        self.items.adts_in(ty, exposed);
        if has_object {
            self.uses.add_possible(&self.items.impls_for_objects);
        }
        parts
    }

    pub(super) fn expose_args(&mut self, args: &[GenericArg], to: Unknown) {
        each_ty(args, &mut |ty| self.expose(ty, to));
    }

    /// The body depends on what the outermost type of a value consists of.
    pub(super) fn shape(&mut self, ty: Option<&Ty>) {
        if self.code == Code::Model {
            return;
        }
        let ty = ty.map(|ty| self.closed(ty));
        let ty = ty.as_ref();
        match ty.map(Ty::kind) {
            Some(TyKind::Adt(path, _)) => {
                let adts = self.items.adts_at(path);
                self.uses.shaped.extend(adts.iter().copied());
                // Its fields lie upon each other.
                if adts.iter().any(|id| self.program().adts[*id].kind == AdtKind::Union) {
                    self.layout(ty);
                }
            }
            Some(TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_)) | None => {
                self.uses.layout = Layout::OfAllInPlay;
            }
            Some(_) => {}
        }
    }

    /// The body depends on the layout of a type, or on that of whatever is behind it.
    pub(super) fn layout(&mut self, ty: Option<&Ty>) {
        if self.code == Code::Model {
            return;
        }
        let Some(ty) = ty.map(|ty| self.closed(ty)) else {
            self.uses.layout = Layout::OfAllInPlay;
            return;
        };
        let ty = &ty;
        if !self.laid_out.insert(ty.clone()) {
            return;
        }
        if is_open(ty) {
            self.uses.layout = Layout::OfAllInPlay;
        }
        let mut found = BTreeSet::new();
        self.items.adts_in(ty, &mut found);
        let mut open: Vec<AdtId> = found.iter().copied().collect();
        while let Some(adt) = open.pop() {
            let fields = self.program().adts[adt].variants.iter().flat_map(|variant| &variant.fields);
            let is_hidden =
                |part: &TyKind| matches!(part, TyKind::Projection { .. } | TyKind::Unsupported(_));
            if fields.into_iter().any(|field| holds(&field.ty, &is_hidden)) {
                self.uses.layout = Layout::OfAllInPlay;
            }
            let fields = self.items.adts_of_fields(adt, |_, _| true);
            open.extend(fields.into_iter().filter(|id| found.insert(*id)));
        }
        self.uses.shaped.append(&mut found);
    }

    /// An item of the library, or one that is not known, is handed the types.
    pub(super) fn layout_for(&mut self, path: &Path, args: &[GenericArg], self_ty: Option<&Ty>) {
        if self.code == Code::Model || !sees_layout(path) {
            return;
        }
        if !names_library_only(path) || (args.is_empty() && self_ty.is_none()) {
            self.uses.layout = Layout::OfAllInPlay;
        }
        each_ty(args, &mut |ty| self.layout(Some(ty)));
        self_ty.into_iter().for_each(|ty| self.layout(Some(ty)));
    }
}
