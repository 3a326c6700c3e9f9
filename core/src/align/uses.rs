//! What one item refers to: functions, types, implementations that a call on a trait may come to.
//!
//! Everything is over-approximated, as an edge too many costs a comparison and one too few a wrong "unchanged":
//!
//! * A call on a trait may go to every implementation whose `Self` type could be the one called on. On a closed type it
//!   goes to the method named and its default; on a parameter or a `dyn` type to all items of the implementation (which,
//!   in [`super::reach`], counts only once its types are in play; where it is known at which types functions run, what is called of a `dyn` type is told by where its values
//!   are made: [`objects`]). Comparison traits are one family, as
//!   the library implements them for tuples and slices by each other.
//! * A function that neither version knows the body of may call whatever is implemented for the types it is
//!   instantiated with. So may the code behind a type that is not defined in the program (an unmodelled collection), but for boxes and vectors. Code of
//!   the standard library can name no trait of another crate, so it calls only implementations of its own.
//! * A type stands for the types of its fields, and for `Drop` of each of them. Where it is known at which types functions run, one behind a reference is only [`Held::Lent`]:
//!   it is dropped by who has it by value, or by a body that says so.
//! * A body *depends on the definition* of the types whose fields, variants or discriminants it names ([`Uses::shaped`]), and of those whose
//!   layout it asks for or relies on ([`super::layout`]).

mod collect;
mod heads;
mod instance;
mod library;
mod objects;
mod openness;
mod pointers;
mod unknown;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use self::collect::{Code, Collector};
use self::heads::ByHead;
use self::library::Bound;
use self::openness::Fields;
pub(super) use self::openness::Openness;
use self::pointers::Kept;
pub(super) use self::unknown::{Unknown, is_formatting};
use super::layout::Layout;
use super::types::{each_ty, holds, holds_object, may_implement, may_match};
use crate::idx::{Idx, IdxVec};
use crate::ir::*;

/// A version's items with the look-ups that references need, and what they refer to, as far as that was asked.
pub struct Items<'a> {
    pub(super) program: &'a Program,
    adts: FxHashMap<&'a Path, Vec<AdtId>>,
    /// The types of the program that are in play wherever an implementation is used: those of its `Self` type and trait arguments.
    impl_adts: IdxVec<ImplId, BTreeSet<AdtId>>,
    /// The implementations that name a type there.
    adt_impls: IdxVec<AdtId, Vec<ImplId>>,
    /// The implementations of comparison traits.
    comparisons: Vec<ImplId>,
    /// Those of a trait, for types that have another one, where that was asked.
    impls_on: RefCell<FxHashMap<OnBound, Arc<FixedBitSet>>>,
    /// Those of a trait by the heads of their types, where that was asked.
    by_head: RefCell<FxHashMap<Path, Arc<ByHead>>>,
    /// The implementations for objects, or with them.
    impls_for_objects: Vec<ImplId>,
    /// Functions that belong to no known trait, implementation or function, by what their path stands below: a trait that is declared in a body is not known,
    /// and its default items stand below its path.
    below: FxHashMap<&'a str, Vec<FnId>>,
    /// Types, constants, statics and functions by the last part of their path.
    named: FxHashMap<&'a str, Named>,
    /// What functions refer to, found out as it is needed.
    function_uses: IdxVec<FnId, OnceCell<Uses>>,
    /// What decides on which types an implementation is for, where that was asked.
    choices: IdxVec<ImplId, OnceCell<Choices>>,
    /// Closures and functions of which pointers may be anywhere, where that was asked.
    kept_as_values: OnceCell<Kept>,
    /// Which implementation a trait reference means, where that was asked.
    only_impls: RefCell<FxHashMap<TraitRef, Option<ImplId>>>,
    /// How often an implementation was held against a trait reference, which is most of the work.
    comparisons_made: Cell<usize>,
}

/// A trait, and what the types must have of which implementations of it are meant.
type OnBound = (Path, Option<Bound>);

/// What decides on which types an implementation is for, beside their names.
#[derive(Debug, Default)]
struct Choices {
    functions: BTreeSet<FnId>,
    impls: BTreeSet<ImplId>,
    unknown: BTreeSet<Path>,
}

impl Uses {
    /// Implementations any item of which may run if their types are in play.
    pub(super) fn possible_impls(&self) -> impl Iterator<Item = ImplId> + '_ {
        self.possible.ones().map(ImplId::from_usize)
    }

    pub(super) fn is_possible(&self, id: ImplId) -> bool {
        self.possible.contains(id.index())
    }

    fn add_possible<'i>(&mut self, impls: impl IntoIterator<Item = &'i ImplId>) {
        impls.into_iter().for_each(|id| self.possible.grow_and_insert(id.index()));
    }

    /// Takes over what decides on whether an implementation is the one that is meant. Gives the implementations that were not known to be used.
    fn join_choices(&mut self, choices: &Choices) -> Vec<ImplId> {
        self.functions.extend(&choices.functions);
        self.unknown.extend(choices.unknown.iter().cloned());
        choices.impls.iter().copied().filter(|id| self.impls.insert(*id)).collect()
    }
}

/// What shares the last part of its path.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) adts: Vec<AdtId>,
    /// Constants and statics.
    pub(super) values: Vec<FnId>,
    pub(super) functions: Vec<FnId>,
}

/// What an item refers to directly.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) functions: BTreeSet<FnId>,
    pub(super) adts: BTreeSet<AdtId>,
    /// Those of `functions` and `adts` of which it is known at which arguments they are meant, where that is looked at.
    pub(super) instances: FxHashSet<(FnId, Subst)>,
    pub(super) adt_instances: FxHashSet<(AdtId, Subst, Held)>,
    /// Types handed to code that is not known: everything implemented for them may run.
    pub(super) exposed: BTreeSet<AdtId>,
    /// Types handed to code of the standard library that is not known and formats nothing: what it implements for them may run, of its other traits.
    pub(super) exposed_to_library: BTreeSet<AdtId>,
    /// The same for other code of the standard library, with the traits of formatting.
    pub(super) exposed_to_formatters: BTreeSet<AdtId>,
    /// All types that are handed to code that is not known, as they are at these arguments, where that is looked at.
    pub(super) handed: Vec<(Ty, Unknown)>,
    /// Types on whose definition this depends, rather than on values of them being there.
    pub(super) shaped: BTreeSet<AdtId>,
    pub(super) layout: Layout,
    /// Implementations that this may be dispatched to.
    pub(super) impls: BTreeSet<ImplId>,
    /// By number: [`Uses::possible_impls`].
    possible: FixedBitSet,
    pub(super) traits: BTreeSet<Path>,
    pub(super) exposure: Exposure,
    pub(super) asks: Asks,
    pub(super) drops: Drops,
    /// Functions, constants, types and traits that the program does not define.
    pub(super) unknown: BTreeSet<Path>,
    /// Items of `extern` blocks.
    pub(super) foreign: BTreeSet<Path>,
}

/// How values of a type are there, so whether what names it may drop one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Held {
    /// Behind a reference or a raw pointer.
    Lent,
    /// By value; what these refer to is lent.
    Owned,
    /// By code that is not known, which may put another value behind a reference.
    ByUnknown,
}

/// Whether values are dropped whose types are not named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Drops {
    #[default]
    OfNamed,
    /// Those of a parameter or an object.
    OfAllInPlay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignaturePart {
    Inputs,
    Output,
}

/// Of which types it is asked what is implemented for them, besides those that are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asks {
    #[default]
    OfNamed,
    /// Whatever a parameter stands for, so any that is in play.
    OfAllInPlay,
}

/// Which types unknown code is handed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exposure {
    /// Those in [`Uses::exposed`], [`Uses::exposed_to_library`] and [`Uses::exposed_to_formatters`].
    #[default]
    Named,
    /// Any that is in play, by code of the standard library that formats nothing.
    InPlayToLibrary,
    /// Any that is in play, by the standard library.
    InPlayToFormatters,
    /// Whatever a parameter stands for, so any that is in play.
    AllInPlay,
}

impl Exposure {
    /// Whose code is handed whatever is in play.
    pub(super) fn to(self) -> Option<Unknown> {
        match self {
            Exposure::Named => None,
            Exposure::InPlayToLibrary => Some(Unknown::Library),
            Exposure::InPlayToFormatters => Some(Unknown::Formatter),
            Exposure::AllInPlay => Some(Unknown::Anyone),
        }
    }
}

/// Whether the trait is the one whose method runs when a value goes out of scope. Another trait of that name may be
/// taken for it, which does no harm.
pub(super) fn is_drop(path: &Path) -> bool {
    last_segment(path) == "Drop"
}

fn is_comparison(path: &Path) -> bool {
    ["PartialEq", "Eq", "PartialOrd", "Ord"].contains(&last_segment(path))
}

/// The type with something unknown in the place of each projection.
fn without_projections(ty: &Ty) -> Ty {
    ty.map(
        &mut |part| match part.kind() {
            TyKind::Projection { name, .. } => Ty::new(TyKind::Param(name.clone())),
            _ => part,
        },
        &mut |constant| constant,
    )
}

pub(super) fn last_segment(path: &Path) -> &str {
    // A `:` alone stands in no path, and one character is found faster than two.
    path.as_str().rsplit(':').next().unwrap_or_default()
}

/// Traits of the standard library that it implements for all types of some kind, so that another implementation may take the place of its own;
/// and those by which it chooses among implementations of its own.
const CHOSEN_BY_LIBRARY: &[&str] = &[
    "Any",
    "Copy",
    "Drop",
    "Eq",
    "Fn",
    "FnMut",
    "FnOnce",
    "FusedIterator",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Ord",
    "Pattern",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
];

/// Whether the standard library itself may implement the trait, which is its own, for any type; or ask whether a type implements it.
pub(super) fn chosen_by_library(path: &Path) -> bool {
    CHOSEN_BY_LIBRARY.contains(&last_segment(path))
}

/// What a message is told to show.
const ARGUMENT: &str = "std::fmt::rt::Argument";
/// The model of what calls the formatting trait that an argument of `format_args!` was made for, and what makes such arguments.
const SHOWS_ARGUMENT: &str = "std::fmt::rt::Argument::show";
const MAKES_ARGUMENT: &str = "std::fmt::rt::Argument::new_";

impl<'a> Items<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut adts: FxHashMap<&Path, Vec<AdtId>> = FxHashMap::default();
        for (id, adt) in program.adts.iter_enumerated() {
            adts.entry(&adt.path).or_default().push(id);
        }
        let mut items = Items {
            program,
            adts,
            impl_adts: IdxVec::new(),
            adt_impls: program.adts.iter().map(|_| Vec::new()).collect(),
            comparisons: Vec::new(),
            impls_on: RefCell::default(),
            by_head: RefCell::default(),
            impls_for_objects: Vec::new(),
            below: FxHashMap::default(),
            named: FxHashMap::default(),
            function_uses: program.functions.iter().map(|_| OnceCell::new()).collect(),
            choices: program.impls.iter().map(|_| OnceCell::new()).collect(),
            kept_as_values: OnceCell::new(),
            only_impls: RefCell::default(),
            comparisons_made: Cell::new(0),
        };
        for (id, adt) in program.adts.iter_enumerated() {
            items.named.entry(last_segment(&adt.path)).or_default().adts.push(id);
        }
        for (id, function) in program.functions.iter_enumerated() {
            let named = items.named.entry(last_segment(&function.path)).or_default();
            match function.kind {
                FunctionKind::Const | FunctionKind::Static => named.values.push(id),
                FunctionKind::Fn => named.functions.push(id),
                _ => {}
            }
            if function.origin != Origin::StdModel
                && function.owner == Owner::Free
                && let Some((parent, _)) = function.path.as_str().rsplit_once("::")
            {
                items.below.entry(parent).or_default().push(id);
            }
        }
        for (id, item) in program.impls.iter_enumerated() {
            let mut has_object = holds_object(&item.trait_ref.self_ty);
            each_ty(&item.trait_ref.args, &mut |ty| has_object |= holds_object(ty));
            if has_object {
                items.impls_for_objects.push(id);
            }
            let mut found = BTreeSet::new();
            let mut note = |ty: &Ty| items.adts_in(ty, &mut found);
            note(&item.trait_ref.self_ty);
            each_ty(&item.trait_ref.args, &mut note);
            found.iter().for_each(|adt| items.adt_impls[*adt].push(id));
            if is_comparison(&item.trait_ref.path) {
                items.comparisons.push(id);
            }
            // Nobody needs a value of `K` for what is implemented for `<K as Trait>::Out`.
            let mut in_play = BTreeSet::new();
            let mut note = |ty: &Ty| items.adts_in(&without_projections(ty), &mut in_play);
            note(&item.trait_ref.self_ty);
            each_ty(&item.trait_ref.args, &mut note);
            items.impl_adts.push(in_play);
        }
        items
    }

    /// What has a path that ends in this name.
    pub(super) fn named(&self, name: &str) -> Option<&Named> {
        self.named.get(name)
    }

    /// What may be default items of a trait that is not known.
    pub(super) fn defaults_of_unknown(&self, path: &Path) -> &[FnId] {
        match self.program.trait_(path) {
            Some(_) => &[],
            None => self.below.get(path.as_str()).map_or(&[], Vec::as_slice),
        }
    }

    /// The implementations that the trait reference may mean.
    pub(super) fn candidates<'s>(&'s self, trait_ref: &'s TraitRef) -> impl Iterator<Item = ImplId> + 's {
        let program = self.program;
        let all = program.impls_of(&trait_ref.path);
        let places = self.by_head(&trait_ref.path).places(&trait_ref.self_ty);
        let of_head: Vec<ImplId> = match places {
            Some(places) => places.into_iter().map(|place| all[place]).collect(),
            None => all.to_vec(),
        };
        self.comparisons_made.set(self.comparisons_made.get() + of_head.len());
        of_head.into_iter().filter(move |id| may_implement(&program.impls[*id].trait_ref, trait_ref))
    }

    fn by_head(&self, path: &Path) -> Arc<ByHead> {
        if let Some(known) = self.by_head.borrow().get(path) {
            return Arc::clone(known);
        }
        let table = Arc::new(ByHead::new(self.program, self.program.impls_of(path)));
        self.by_head.borrow_mut().insert(path.clone(), Arc::clone(&table));
        table
    }

    /// The implementations of a trait that compares or hashes, for types that may have what the bound says. Whoever implements that for a type of the program is in it, as nobody can
    /// for a type of another crate; of other types it is not known. Those of models are not among them: they do the same with what their types hold.
    fn impls_on(&self, path: &Path, bound: Option<Bound>) -> Arc<FixedBitSet> {
        let asked = (path.clone(), bound);
        if let Some(known) = self.impls_on.borrow().get(&asked) {
            return Arc::clone(known);
        }
        let program = self.program;
        let is_of_model = |id: &FnId| program.functions[*id].origin == Origin::StdModel;
        let may_have = |bound: Bound, self_ty: &Ty| {
            let TyKind::Adt(of, _) = self_ty.kind() else { return true };
            let is_unseen = program.declared.unidentified.contains_key(&Name::new(bound.method));
            let is_elsewhere = of.is_of_std() || program.adt(of).is_none();
            // What holds it may have its own, as `&A` and `Box<A>`, and compares it as the library does.
            let is_it = |part: &TyKind| matches!(part, TyKind::Adt(path, _) if path == of);
            let mut bounding = program.impls_of(&Path::new(bound.path)).iter();
            let has_bound = |id: &ImplId| {
                let ty = &program.impls[*id].trait_ref.self_ty;
                may_match(ty, self_ty) || holds(ty, &is_it)
            };
            is_unseen || is_elsewhere || bounding.any(has_bound)
        };
        let may_be_called = |id: &&ImplId| {
            let item = &program.impls[**id];
            let by_model = !item.methods.is_empty() && item.methods.values().all(is_of_model);
            !by_model && bound.is_none_or(|bound| may_have(bound, &item.trait_ref.self_ty))
        };
        let mut found = FixedBitSet::with_capacity(program.impls.len());
        program.impls_of(path).iter().filter(may_be_called).for_each(|id| found.insert(id.index()));
        let found = Arc::new(found);
        self.impls_on.borrow_mut().insert(asked, Arc::clone(&found));
        found
    }

    pub(super) fn comparisons_made(&self) -> usize {
        self.comparisons_made.get()
    }

    pub(super) fn adts_of_impl(&self, id: ImplId) -> impl Iterator<Item = AdtId> + '_ {
        self.impl_adts[id].iter().copied()
    }

    pub(super) fn impls_of_adt(&self, id: AdtId) -> &[ImplId] {
        &self.adt_impls[id]
    }

    pub(super) fn adts_at(&self, path: &Path) -> &[AdtId] {
        self.adts.get(path).map_or(&[], Vec::as_slice)
    }

    /// The types of the program named anywhere in a type.
    pub(super) fn adts_in(&self, ty: &Ty, found: &mut BTreeSet<AdtId>) {
        ty.each_part(&mut |part| {
            if let TyKind::Adt(path, _) = part.kind() {
                found.extend(self.adts_at(path));
            }
        });
    }

    pub(super) fn uses_of_function(&self, id: FnId) -> &Uses {
        self.function_uses[id].get_or_init(|| self.find_uses(id))
    }

    fn find_uses(&self, id: FnId) -> Uses {
        self.uses_of_function_by(id, Collector::new(self))
    }

    /// What it refers to where its parameters stand for these.
    pub(super) fn uses_of_function_at(&self, id: FnId, subst: &Subst) -> Uses {
        self.uses_of_function_by(id, Collector::at(self, subst))
    }

    pub(super) fn uses_of_signature_at(&self, id: FnId, subst: &Subst) -> Uses {
        self.uses_of_signature_by(id, Collector::at(self, subst))
    }

    /// What remains of what a function refers to where its body is passed over. That it does the same says nothing of whether it is the one that is called.
    fn uses_of_signature_by(&self, id: FnId, mut collector: Collector<'_, 'a>) -> Uses {
        let function = &self.program.functions[id];
        collector.signature(function);
        self.choose(function, &mut collector);
        collector.into_uses()
    }

    fn uses_of_function_by(&self, id: FnId, mut collector: Collector<'_, 'a>) -> Uses {
        let function = &self.program.functions[id];
        if function.origin == Origin::StdModel {
            collector.code = Code::Model;
        }
        collector.function = Some(id);
        collector.signature(function);
        if collector.is_primitive(function) {
            return collector.into_uses();
        }
        // Whoever makes an argument to be formatted runs what formats it: what arguments a body is given, it cannot tell.
        if collector.at.is_some() && function.path.as_str() == SHOWS_ARGUMENT {
            return collector.into_uses();
        }
        if function.path.as_str().starts_with(MAKES_ARGUMENT) {
            collector.unmodelled(id);
        }
        collector.bound_types(function);
        collector.mentions(id);
        if matches!(function.kind, FunctionKind::Static | FunctionKind::StaticMut) {
            collector.left_in_static(&function.output);
        }
        collector.foreign(&function.path);
        match (&function.body, function.origin) {
            (FnBody::Present(body), _) => collector.body(body),
            // Primitives of the executor: they run nothing that is implemented for their types but `Drop`, which
            // comes with the type.
            (FnBody::Missing, Origin::StdModel) => {}
            (FnBody::Missing | FnBody::Unreadable { .. }, _) => {
                collector.uses.layout = Layout::OfAllInPlay;
                let types = function.inputs.iter().chain([&function.output]);
                types.for_each(|ty| collector.expose(ty, Unknown::Anyone));
            }
        }
        self.choose(function, &mut collector);
        collector.into_uses()
    }

    /// Adds what decides on whether the function is the one that is meant where it is called.
    fn choose(&self, function: &Function, collector: &mut Collector<'_, 'a>) {
        match &function.owner {
            Owner::TraitImpl(of) => drop(collector.uses.join_choices(self.choices(*of))),
            Owner::Inherent { self_ty, generics } => collector.choices_in(self_ty, generics),
            Owner::Free | Owner::Trait(_) | Owner::Within(_) => {}
        }
    }

    /// What decides on which types an implementation is for: constants and projections in its header. It may be for others when these change.
    fn choices(&self, id: ImplId) -> &Choices {
        self.choices[id].get_or_init(|| {
            let item = &self.program.impls[id];
            let mut collector = Collector::new(self);
            for trait_ref in [&item.trait_ref].into_iter().chain(&item.bounds) {
                collector.choices_in(&trait_ref.self_ty, &item.generics);
                collector.choices_in_args(&trait_ref.args, &item.generics);
            }
            item.equalities.iter().for_each(|(_, ty)| collector.choices_in(ty, &item.generics));
            let Uses { functions, impls, unknown, .. } = collector.uses;
            Choices { functions, impls, unknown }
        })
    }

    pub(super) fn uses_of_signature(&self, id: FnId) -> Uses {
        self.uses_of_signature_by(id, Collector::new(self))
    }

    pub(super) fn uses_of_signature_part(&self, id: FnId, part: SignaturePart) -> Uses {
        let mut collector = Collector::new(self);
        let function = &self.program.functions[id];
        match part {
            SignaturePart::Inputs => function.inputs.iter().for_each(|ty| collector.ty(ty)),
            SignaturePart::Output => collector.ty(&function.output),
        }
        collector.into_uses()
    }

    /// The types that fields of a type name: those that `counts` accepts by the variant's index and the field.
    pub(super) fn adts_of_fields(
        &self,
        id: AdtId,
        counts: impl Fn(usize, &Field) -> bool,
    ) -> BTreeSet<AdtId> {
        let mut found = BTreeSet::new();
        for (index, variant) in self.program.adts[id].variants.iter().enumerate() {
            for field in variant.fields.iter().filter(|field| counts(index, field)) {
                self.adts_in(&field.ty, &mut found);
            }
        }
        found
    }

    /// What a value of the type refers to by being there.
    pub(super) fn uses_of_adt(&self, id: AdtId) -> Uses {
        let mut collector = Collector::new(self);
        for ty in self.types_of_fields(id) {
            collector.ty(ty);
        }
        for item in self.impls_of_adt(id) {
            let implementation = &self.program.impls[*item];
            // A projection from this type gives one of these.
            implementation.types.values().for_each(|ty| collector.ty(ty));
            if is_drop(&implementation.trait_ref.path) {
                collector.uses.impls.insert(*item);
                collector.uses.functions.extend(implementation.methods.values().copied());
            }
        }
        collector.into_uses()
    }

    /// The types of fields. What a message is told to show is its maker's, who names it: one without arguments shows nothing. Of other types a `dyn` may be called by
    /// whoever has a value, also by unknown code.
    fn types_of_fields(&self, id: AdtId) -> impl Iterator<Item = &Ty> {
        let adt = &self.program.adts[id];
        let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
        fields.filter(|_| adt.path.as_str() != ARGUMENT).map(|field| &field.ty)
    }

    /// What a value of the type at these arguments refers to by being there. Projections from it are known where they are named.
    pub(super) fn uses_of_adt_at(&self, id: AdtId, subst: &Subst, held: Held) -> Uses {
        let mut collector = Collector::at(self, subst);
        let adt = &self.program.adts[id];
        for ty in self.types_of_fields(id) {
            collector.ty_held(ty, held);
        }
        if held == Held::Lent {
            return collector.into_uses();
        }
        let args: GenericArgs =
            adt.generics.iter().filter_map(|param| subst.get(&param.name).cloned()).collect();
        for item in self.impls_of_adt(id) {
            let implemented = &self.program.impls[*item].trait_ref;
            if is_drop(&implemented.path) {
                let self_ty = Ty::new(TyKind::Adt(adt.path.clone(), args.clone()));
                collector.destructor(*item, &TraitRef { self_ty, ..implemented.clone() });
            }
        }
        collector.into_uses()
    }
}
