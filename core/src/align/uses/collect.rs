//! What the parts of one item refer to: its signature, its body, the types in both.
//!
//! [`types`]: what types refer to; [`bodies`]: statements and terminators.

mod bodies;
mod types;

use rustc_hash::FxHashSet;

use super::super::declarations::behind_symbol;
use super::super::layout::Layout;
use super::super::types::{each_ty, holds, is_open};
use super::instance::{UNMODELLED, is_intrinsic, opaque};
use super::library::{
    Bound, Called, Traits, called_by_implementations, called_on_parameters, compared_by, is_order,
};
use super::pointers::Callable;
use super::unknown::{Unknown, traits_called_by};
use super::{Held, Items, Uses, chosen_by_library, is_comparison, last_segment};
use crate::ir::*;

/// Whose code is looked at. Models show the layout of types to nobody who does not ask for it by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Read,
    Model,
}

/// Projections within the type of which there is a projection. `<R::Target as Tr>::E` in the implementation of `Tr` for every `R` leads to one more without end.
const MOST_PROJECTIONS: usize = 3;

fn projections_in(ty: &Ty) -> usize {
    let mut count = 0;
    ty.each_part(&mut |part| count += usize::from(matches!(part.kind(), TyKind::Projection { .. })));
    count
}

/// The projection of a type that may be any.
fn projection_of_anything(trait_ref: &TraitRef, name: &Name) -> Ty {
    let anything = Ty::new(TyKind::Param(opaque(&Name::new("_"))));
    let trait_ref = TraitRef { self_ty: anything, path: trait_ref.path.clone(), args: Vec::new() };
    Ty::new(TyKind::Projection { trait_ref, name: name.clone() })
}

/// The words of a text, without lifetimes: `'_` is no constant that is inferred.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    words.filter(|word| !word.is_empty() && !word.starts_with('\''))
}

/// Whether a type names all that values of it consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    Named,
    Open,
}

pub(super) struct Collector<'i, 'a> {
    pub items: &'i Items<'a>,
    pub uses: Uses,
    pub code: Code,
    /// What the parameters in scope stand for, if that is looked at.
    pub at: Option<&'i Subst>,
    /// Whose body is looked at.
    pub function: Option<FnId>,
    /// That of the function, which types its places.
    pub body: Option<&'a Body>,
    seen_types: FxHashSet<(Ty, Held)>,
    exposed_types: FxHashSet<(Ty, Unknown)>,
    laid_out: FxHashSet<Ty>,
    /// Traits of which any implementation may run.
    any_of: FxHashSet<(Path, Option<Bound>)>,
    /// By what something may be called that the statement or terminator looked at reads from a field.
    pub read_from_fields: Vec<Callable>,
    /// Whether the call that is looked at may go to code that is not known.
    pub unknown_callee: bool,
    /// Whether something in the body is not known that may hold objects.
    hides_objects: bool,
    /// Whether something in the body is dropped, or may be, of which the type is not known.
    hides_drops: bool,
}

impl<'i, 'a> Collector<'i, 'a> {
    pub fn new(items: &'i Items<'a>) -> Self {
        Collector {
            items,
            uses: Uses::default(),
            code: Code::Read,
            at: None,
            function: None,
            body: None,
            seen_types: FxHashSet::default(),
            exposed_types: FxHashSet::default(),
            laid_out: FxHashSet::default(),
            any_of: FxHashSet::default(),
            read_from_fields: Vec::new(),
            unknown_callee: false,
            hides_objects: false,
            hides_drops: false,
        }
    }

    /// Of an item whose parameters stand for these.
    pub fn at(items: &'i Items<'a>, subst: &'i Subst) -> Self {
        Collector { at: Some(subst), ..Collector::new(items) }
    }

    /// What was found, and what decides on whether the implementations are the ones that are meant.
    pub fn into_uses(self) -> Uses {
        let Collector { items, mut uses, .. } = self;
        let mut open: Vec<ImplId> = uses.impls.iter().copied().collect();
        while let Some(choices) = open.pop().map(|id| items.choices(id)) {
            open.extend(uses.join_choices(choices));
        }
        uses
    }

    /// What decides on which type the text of a header means: its constants, and its projections, unless they are those of a parameter. `generics` are those that the
    /// header declares.
    pub fn choices_in(&mut self, ty: &Ty, generics: &[GenericParam]) {
        let (mut types, mut constants) = (Vec::new(), Vec::new());
        ty.find(&mut |part| {
            match part {
                TyPart::Ty(part) => {
                    let is_chosen = match part.kind() {
                        TyKind::Projection { .. } => !holds(part, &|part| matches!(part, TyKind::Param(_))),
                        TyKind::Unsupported(_) => true,
                        _ => false,
                    };
                    types.extend(is_chosen.then(|| part.clone()));
                }
                TyPart::Const(constant) => constants.push(constant.clone()),
            }
            false
        });
        types.iter().for_each(|ty| self.ty(ty));
        constants.iter().for_each(|constant| self.choice(constant, generics));
    }

    pub fn choices_in_args(&mut self, args: &[GenericArg], generics: &[GenericParam]) {
        for arg in args {
            match arg {
                GenericArg::Ty(ty) => self.choices_in(ty, generics),
                GenericArg::Const(constant) => self.choice(constant, generics),
            }
        }
    }

    /// A constant in a header, and every one whose name stands in its text: a header may name it from where it stands. A parameter hides what else has its name.
    fn choice(&mut self, constant: &Const, generics: &[GenericParam]) {
        let is_const = |param: &GenericParam| matches!(param.kind, GenericParamKind::Const(_));
        if let Const::Param(name) = constant
            && generics.iter().any(|param| is_const(param) && param.name == *name)
        {
            return;
        }
        if !matches!(constant, Const::Unsupported(_)) {
            self.constant(constant);
        }
        self.values_named_in(&constant.to_string());
    }

    /// What has its name in the text of a constant: constants, statics and functions, and types, whose sizes and discriminants are constants. Where the text does not
    /// show how it is worked out that is anything.
    fn values_named_in(&mut self, text: &str) {
        if words_of(text).any(|word| word == "_") || text.contains("{constant#") {
            self.uses.functions.extend(self.program().functions.ids());
            self.layout(None);
        }
        for named in words_of(text).filter_map(|word| self.items.named(word)) {
            self.uses.functions.extend(named.values.iter().chain(&named.functions));
            self.uses.adts.extend(&named.adts);
            self.uses.shaped.extend(&named.adts);
        }
    }

    pub fn signature(&mut self, function: &Function) {
        function.inputs.iter().chain([&function.output]).for_each(|ty| self.ty(ty));
    }

    /// What a symbol may lead to.
    pub fn foreign(&mut self, path: &Path) {
        if let Some(foreign) = self.program().declared.foreign.get(path) {
            self.uses.foreign.insert(path.clone());
            self.uses.layout = Layout::OfAllInPlay;
            self.uses.functions.extend(behind_symbol(self.program(), foreign));
        }
    }

    /// Types, constants and crates that types in the function's body may mean by a name.
    pub fn mentions(&mut self, id: FnId) {
        let Some(names) = self.program().declared.mentions.get(&id) else { return };
        for named in names.iter().filter_map(|name| self.items.named(name.as_str())) {
            self.uses.adts.extend(&named.adts);
            self.uses.shaped.extend(&named.adts);
            self.uses.functions.extend(&named.values);
        }
        self.uses.unknown.extend(names.iter().map(|name| Path::new(format!("{name}::_"))));
    }

    fn program(&self) -> &'a Program {
        self.items.program
    }

    /// The type at what the parameters stand for.
    pub(super) fn closed(&mut self, ty: &Ty) -> Ty {
        match self.at {
            Some(subst) => self.items.closed(ty, subst, &mut self.uses.impls),
            None => ty.clone(),
        }
    }

    pub(super) fn closed_args(&mut self, args: &[GenericArg]) -> GenericArgs {
        match self.at {
            Some(subst) => self.items.closed_args(args, subst, &mut self.uses.impls),
            None => args.to_vec(),
        }
    }

    fn closed_trait_ref(&mut self, trait_ref: &TraitRef) -> TraitRef {
        match self.at {
            Some(subst) => self.items.closed_trait_ref(trait_ref, subst, &mut self.uses.impls),
            None => trait_ref.clone(),
        }
    }

    pub(super) fn trait_path(&mut self, path: &Path) {
        self.uses.traits.insert(path.clone());
        if self.program().trait_(path).is_none() {
            self.uses.unknown.insert(path.clone());
        }
    }

    pub(super) fn trait_ref(&mut self, trait_ref: &TraitRef) {
        self.trait_ref_held(trait_ref, Held::Owned);
    }

    fn trait_ref_held(&mut self, trait_ref: &TraitRef, held: Held) {
        self.trait_path(&trait_ref.path);
        self.ty_held(&trait_ref.self_ty, held);
        self.args_held(&trait_ref.args, held);
    }

    /// Any implementation of the trait may run, as far as its types are in play.
    pub(super) fn any_impl(&mut self, path: &Path) {
        self.any_impl_on(path, None);
    }

    /// The same of types for which a bound says more.
    fn any_impl_on(&mut self, path: &Path, on: Option<Bound>) {
        if self.any_of.contains(&(path.clone(), None)) || !self.any_of.insert((path.clone(), on)) {
            return;
        }
        match is_comparison(path) || *path == KnownTrait::Hash {
            true => self.uses.possible.union_with(&self.items.impls_on(path, on)),
            false => self.uses.add_possible(self.program().impls_of(path)),
        }
        if is_comparison(path) {
            let order = Path::from(KnownTrait::PartialOrd);
            // A model with a bound that lets it ask for an order stands for code that may do so.
            let asked = if self.may_compare_otherwise(path) && !is_order(path) { &order } else { path };
            for Called { paths, on: bound } in compared_by(asked) {
                paths.iter().for_each(|path| self.any_impl_on(&Path::new(*path), on.or(*bound)));
            }
            // What has an order is found by it, not by its hash.
            let has_order = on.is_some_and(|bound| is_order(&Path::new(bound.path)));
            return self.any_item_of(if has_order { &order } else { path });
        }
        self.any_item_of(path);
    }

    /// What comes with any implementation of a trait: what those of the library call, and default items.
    pub(super) fn any_item_of(&mut self, path: &Path) {
        self.trait_path(path);
        self.any_impl_of(called_by_implementations(path));
        self.uses.functions.extend(self.items.defaults_of_unknown(path));
        // At known types the default item that is called is, and what it calls follows from its body.
        if let Some(item) = self.program().trait_(path).filter(|_| self.at.is_none()) {
            self.uses.functions.extend(item.default_methods.values().copied());
            self.uses.functions.extend(item.default_consts.values().copied());
        }
    }

    fn any_impl_of(&mut self, traits: &[Called]) {
        for Called { paths, on } in traits {
            paths.iter().for_each(|path| self.any_impl_on(&Path::new(*path), *on));
        }
    }

    pub(super) fn candidates(&self, trait_ref: &TraitRef) -> Vec<ImplId> {
        self.items.candidates(trait_ref).collect()
    }

    /// Whether the function tells itself what it drops, where it is known at which types it runs.
    pub(super) fn tells_drops(&self, id: FnId) -> bool {
        matches!(self.program().functions[id].body, FnBody::Present(_))
    }

    /// A method or constant of a trait.
    fn trait_item(&mut self, trait_ref: &TraitRef, name: &Name, args: &[GenericArg]) {
        let (trait_ref, args) = (&self.closed_trait_ref(trait_ref), &self.closed_args(args));
        let held = match self.at {
            Some(_) => self.trait_item_at(trait_ref, name, args),
            None => Held::ByUnknown,
        };
        self.trait_ref_held(trait_ref, held);
        self.args_held(args, held);
        // A trait that is not read may have code for all types.
        if self.program().trait_(&trait_ref.path).is_none() && !trait_ref.path.is_of_std() {
            self.layout(Some(&trait_ref.self_ty));
            each_ty(&trait_ref.args, &mut |ty| self.layout(Some(ty)));
            each_ty(args, &mut |ty| self.layout(Some(ty)));
            self.uses.functions.extend(self.items.defaults_of_unknown(&trait_ref.path));
        }
        if self.at.is_some() {
            return;
        }
        let is_open = is_open(&trait_ref.self_ty);
        if is_open && !self.implemented_by_name(trait_ref) {
            self.unidentified(name);
            self.any_impl(&trait_ref.path);
            self.hand_over(trait_ref, name, args);
            return;
        }
        let program = self.program();
        let mut default = None;
        if let Some(item) = program.trait_(&trait_ref.path) {
            default = item.default_methods.get(name).or_else(|| item.default_consts.get(name)).copied();
            self.uses.functions.extend(default);
        }
        let candidates = self.candidates(trait_ref);
        let mut calls_unknown_default = false;
        for id in &candidates {
            let item = &program.impls[*id];
            self.uses.impls.insert(*id);
            let own = item.methods.get(name).or_else(|| item.consts.get(name)).copied();
            self.uses.functions.extend(own);
            if own.is_none() {
                self.unidentified(name);
            }
            calls_unknown_default |= own.is_none() && default.is_none();
        }
        let is_specific = |id: &ImplId| {
            !matches!(
                program.impls[*id].trait_ref.self_ty.kind(),
                TyKind::Param(_) | TyKind::Projection { .. }
            )
        };
        if calls_unknown_default || !candidates.iter().any(is_specific) {
            self.unidentified(name);
            self.unknown_impl(trait_ref, args);
        }
    }

    /// A method of a type that a caller chooses may call what its bounds say of its own parameters. What the library's methods do by default is known.
    pub(super) fn hand_over(&mut self, trait_ref: &TraitRef, name: &Name, args: &[GenericArg]) {
        if let Some(called) = called_on_parameters(&trait_ref.path) {
            return each_ty(args, &mut |ty| self.hand_to_implementor(ty, called));
        }
        let item = self.program().trait_(&trait_ref.path).filter(|item| item.path.is_of_std());
        if item.is_none_or(|item| !item.default_methods.contains_key(name)) {
            self.expose_args(args, Unknown::at(&trait_ref.path));
        }
    }

    /// Code of a caller's choice works on values of the type, and calls of what is open in it nothing but these traits.
    fn hand_to_implementor(&mut self, ty: &Ty, called: Traits) {
        if self.hand_on(ty, Unknown::Library) == Parts::Open {
            self.any_impl_of(called);
        }
    }

    /// An item of the name that is defined nowhere may be of an implementation that could not be told.
    pub(super) fn unidentified(&mut self, name: &Name) {
        let known = self.program().declared.unidentified.get(name);
        self.uses.functions.extend(known.into_iter().flatten());
    }

    /// The same of a path. A constant without a name (`{constant#0}`) is only meant where it stands, so in its own crate.
    fn unidentified_at(&mut self, path: &Path) {
        let name = Name::new(last_segment(path));
        if !name.as_str().starts_with("{constant#") {
            return self.unidentified(&name);
        }
        let root = |path: &Path| path.crate_name().to_owned();
        let program = self.program();
        let Some(known) = program.declared.unidentified.get(&name) else { return };
        let own = root(path);
        let is_crate = program.functions.iter().any(|function| root(&function.path) == own);
        let may_be_meant = |id: &FnId| {
            let other = root(&program.functions[*id].path);
            !is_crate || other.starts_with('<') || other == own
        };
        let known = known.iter().copied();
        self.uses.functions.extend(known.filter(may_be_meant));
    }

    /// A trait is called for which the program may not have the implementation.
    pub(super) fn unknown_impl(&mut self, trait_ref: &TraitRef, args: &[GenericArg]) {
        self.calls_unknown();
        if is_open(&trait_ref.self_ty) {
            self.any_impl(&trait_ref.path);
        }
        let of_library = trait_ref.path.is_of_std() && self.all_known(&trait_ref.self_ty, &trait_ref.args);
        let to = if of_library { Unknown::at(&trait_ref.path) } else { Unknown::Anyone };
        self.expose(&trait_ref.self_ty, to);
        self.expose_args(&trait_ref.args, to);
        // Whoever implements `Hash` for a type calls of a hasher what `Hasher` says.
        let of_hasher = called_on_parameters(&trait_ref.path)
            .filter(|_| of_library && trait_ref.path == KnownTrait::Hash);
        match of_hasher {
            Some(called) => each_ty(args, &mut |ty| self.hand_to_implementor(ty, called)),
            None => self.expose_args(args, to),
        }
    }

    /// Whether the trait is implemented for the type by implementations for types of its name alone, all of which are in the program. That may be open in its arguments.
    fn implemented_by_name(&self, trait_ref: &TraitRef) -> bool {
        let TyKind::Adt(path, _) = trait_ref.self_ty.kind() else { return false };
        let of_program = |path: &Path| self.program().adt(path).is_some() && !path.is_of_std();
        let is_whole = match trait_ref.path.is_of_std() {
            true => !chosen_by_library(&trait_ref.path) && !is_comparison(&trait_ref.path),
            false => self.program().trait_(&trait_ref.path).is_some(),
        };
        is_whole && of_program(path)
    }

    /// Whether all types that are named are defined in the program or in the standard library: no other crate implements anything for them.
    pub(super) fn all_known(&self, ty: &Ty, args: &[GenericArg]) -> bool {
        let is_foreign = |part: &TyKind| match part {
            TyKind::Adt(path, _) => !path.is_of_std() && self.items.adts_at(path).is_empty(),
            TyKind::Unsupported(_) => true,
            _ => false,
        };
        let mut known = !holds(ty, &is_foreign);
        each_ty(args, &mut |ty| known &= !holds(ty, &is_foreign));
        known
    }

    /// A function or constant by its path.
    fn item(&mut self, path: &Path, args: &[GenericArg], self_ty: Option<&Ty>) {
        let (args, self_ty) = (&self.closed_args(args), self_ty.map(|ty| self.closed(ty)));
        let self_ty = self_ty.as_ref();
        let found = self.program().functions_at(path);
        let held = match !found.is_empty() && found.iter().all(|id| self.tells_drops(*id)) {
            true => Held::Lent,
            false => Held::Owned,
        };
        self.args_held(args, held);
        self_ty.into_iter().for_each(|ty| self.ty_held(ty, held));
        self.instances_at(path, args, self_ty);
        if let (Code::Model, Some(id)) = (self.code, self.function)
            && path.as_str() == UNMODELLED
        {
            self.unmodelled(id);
        }
        self.foreign(path);
        let constructed = path.as_str().rsplit_once("::").map(|(owner, _)| Path::new(owner));
        let is_constructor = !self.items.adts_at(path).is_empty()
            || constructed
                .as_ref()
                .is_some_and(|owner| self_ty.is_none() && !self.items.adts_at(owner).is_empty());
        let has_body = |id: &FnId| {
            let function = &self.program().functions[*id];
            matches!(function.body, FnBody::Present(_)) || function.origin == Origin::StdModel
        };
        if path.as_str() == UNMODELLED || !found.iter().all(has_body) {
            self.calls_unknown();
        }
        let is_read = |id: &FnId| self.program().functions[*id].origin != Origin::StdModel;
        if !found.iter().any(is_read) && !is_constructor {
            self.layout_for(path, args, self_ty);
        }
        // What looks like a variant of a type may be its constant.
        if found.is_empty() {
            self.unidentified_at(path);
        }
        if found.is_empty() && is_constructor {
            self.uses.shaped.extend(self.items.adts_at(path));
            constructed.iter().for_each(|owner| self.uses.shaped.extend(self.items.adts_at(owner)));
        }
        if found.is_empty() && !is_constructor {
            let to = Unknown::at(path);
            self.uses.unknown.insert(path.clone());
            if self.at.is_some() && is_intrinsic(path, args, self_ty) {
                return;
            }
            if let (Some(_), Some(called)) = (self.at, traits_called_by(path)) {
                for called in called {
                    each_ty(args, &mut |ty| self.shown_as(ty, &Path::new(*called)));
                }
                // What comes of it may hold objects.
                if called.is_empty() {
                    self.calls_unknown();
                }
                return;
            }
            self.calls_unknown();
            self.expose_args(args, to);
            self_ty.into_iter().for_each(|ty| self.expose(ty, to));
        }
    }

    fn fn_ref(&mut self, fn_ref: &FnRef) {
        self.run_at(fn_ref);
        match fn_ref {
            FnRef::Free { path, args } => self.item(path, args, None),
            FnRef::Inherent { path, self_ty, args } => self.item(path, args, Some(self_ty)),
            FnRef::Trait { trait_ref, method, args } => self.trait_item(trait_ref, method, args),
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Tuple(items) | Const::Array(items) => items.iter().for_each(|item| self.constant(item)),
            Const::Adt { ty, fields, .. } => {
                self.ty(ty);
                self.shape(Some(ty));
                fields.iter().for_each(|field| self.constant(field));
            }
            Const::Ref(inner) => self.constant(inner),
            Const::Fn(fn_ref) => self.fn_ref(fn_ref),
            Const::Item { path, args } => self.item(path, args, None),
            Const::AssocConst { trait_ref, name } => self.trait_item(trait_ref, name, &[]),
            Const::InherentConst { path, self_ty } => self.item(path, &[], Some(self_ty)),
            Const::StaticRef(path) => {
                self.hides_objects |= self.program().functions_at(path).is_empty();
                self.item(path, &[], None);
            }
            Const::ZeroSized(ty) => {
                self.ty(ty);
                // A whole value.
                if !matches!(ty.kind(), TyKind::Closure(..) | TyKind::FnDef(_)) {
                    self.layout(Some(ty));
                }
            }
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Str(_)
            | Const::ByteStr(_)
            | Const::Param(_)
            | Const::Uninit => {}
            Const::Unsupported(text) => {
                self.hides_objects = true;
                self.layout(None);
                self.values_named_in(text);
            }
        }
    }
}
