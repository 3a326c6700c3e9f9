//! What stands in constants that rustdoc does not show.
//!
//! *Idea.* rustdoc writes `{ _ }` for an argument like `{ A + 1 }`, calls of macros as they stand, and `k::::T::{constant#0}` for one in an alias. Its value is known to nobody here, but how it is worked out is in
//! the declaration of the item that it stands in, and in what names there are given to. So a digest of these and all their names are put in its place: constants are
//! compared, and asked what they name. What rustdoc shows gets the names as well that those shown are given to (`use a::B as A`).
//!
//! *Limit.* They name more than is meant. One whose declaration is not found stays as it is, and may use anything.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use regress_core::ir::{Bound, Const, FnId, Owner, Program, TraitRef, Ty};

use super::attach::{Index, head};
use super::items::names_in;
use super::{ImplHeader, Item, Kind};

/// Names them in the items of the program that come after those of `below`.
pub(super) fn name_constants(program: &mut Program, below: &Program, index: &Index<'_>) {
    for id in program.adts.ids().skip(below.adts.len()) {
        let adt = &mut program.adts[id];
        let (mut variants, mut bounds) = (mem::take(&mut adt.variants), mem::take(&mut adt.bounds));
        let naming = Naming::new(index, || texts(&index.at(Kind::Adt, &program.adts[id].path), text));
        for field in variants.iter_mut().flat_map(|variant| &mut variant.fields) {
            naming.name_in_ty(&mut field.ty);
        }
        naming.name_in_bounds(&mut bounds);
        let adt = &mut program.adts[id];
        (adt.variants, adt.bounds) = (variants, bounds);
    }
    for id in program.traits.ids().skip(below.traits.len()) {
        let path = program.traits[id].path.clone();
        let naming = Naming::new(index, || texts(&index.at(Kind::Trait, &path), text));
        let item = &mut program.traits[id];
        item.supertraits.iter_mut().for_each(|bound| naming.name_in(bound));
        item.default_types.values_mut().for_each(|ty| naming.name_in_ty(ty));
    }
    for id in program.impls.ids().skip(below.impls.len()) {
        let mut item = program.impls[id].clone();
        let naming = Naming::new(index, || texts(&index.of_impl(program, id), whole));
        naming.name_in(&mut item.trait_ref);
        item.bounds.iter_mut().for_each(|bound| naming.name_in(bound));
        item.types.values_mut().for_each(|ty| naming.name_in_ty(ty));
        for (known, pattern) in &mut item.equalities {
            naming.name_in_ty(known);
            naming.name_in_ty(pattern);
        }
        program.impls[id] = item;
    }
    for id in program.functions.ids().skip(below.functions.len()) {
        let function = &mut program.functions[id];
        let (mut inputs, mut bounds) = (mem::take(&mut function.inputs), mem::take(&mut function.bounds));
        let (mut output, mut owner) = (function.output.clone(), function.owner.clone());
        let naming = Naming::new(index, || around_function(program, index, id));
        inputs.iter_mut().chain([&mut output]).for_each(|ty| naming.name_in_ty(ty));
        naming.name_in_bounds(&mut bounds);
        if let Owner::Inherent { self_ty, .. } = &mut owner {
            naming.name_in_ty(self_ty);
        }
        let function = &mut program.functions[id];
        (function.inputs, function.output, function.bounds, function.owner) = (inputs, output, bounds, owner);
    }
}

/// The headers of a function, and of the implementation that it stands in.
fn around_function(program: &Program, index: &Index<'_>, id: FnId) -> String {
    let function = &program.functions[id];
    let own = index.of_function(program, &function.path, &function.owner);
    let around: Vec<&Item> = match &function.owner {
        Owner::Inherent { self_ty, .. } => {
            index.impls.matching(&ImplHeader { of_trait: None, self_ty: head(self_ty) })
        }
        Owner::TraitImpl(id) => index.of_impl(program, *id),
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => Vec::new(),
    };
    texts(&own, |item| &item.header_with_constants) + "\n" + &texts(&around, whole)
}

fn texts(items: &[&Item], text: impl Fn(&Item) -> &str) -> String {
    items.iter().map(|item| text(item)).collect::<Vec<_>>().join("\n")
}

fn text(item: &Item) -> &str {
    &item.text
}

fn whole(item: &Item) -> &str {
    &item.whole
}

/// What is known of the constants of an item.
struct Naming<'i, F> {
    index: &'i Index<'i>,
    /// What is declared around them; blank if that is not known.
    text: LazyCell<String, F>,
}

impl<'i, F: FnOnce() -> String> Naming<'i, F> {
    fn new(index: &'i Index<'i>, text: F) -> Naming<'i, F> {
        Naming { index, text: LazyCell::new(text) }
    }

    fn constant(&self, constant: Const) -> Const {
        let Const::Unsupported(shown) = constant else { return constant };
        let is_shown = is_shown(&shown);
        let around = if is_shown { "" } else { self.text.as_str() };
        if !is_shown && around.trim().is_empty() {
            return Const::Unsupported(shown);
        }
        let named: BTreeSet<String> = names_in(&shown).chain(names_in(around)).collect();
        let names = self.index.closed(named.clone());
        if is_shown && names == named {
            return Const::Unsupported(shown);
        }
        let mut digest = DefaultHasher::new();
        (&shown, around, self.index.meanings(&names)).hash(&mut digest);
        let names: Vec<String> = names.into_iter().collect();
        Const::Unsupported(format!("{{ {} }}#{:x}", names.join(" "), digest.finish()))
    }

    fn name_in_ty(&self, ty: &mut Ty) {
        *ty = ty.map(&mut |part| part, &mut |constant| self.constant(constant));
    }

    fn name_in(&self, bound: &mut TraitRef) {
        *bound = bound.map(&mut |part| part, &mut |constant| self.constant(constant));
    }

    fn name_in_bounds(&self, bounds: &mut [Bound]) {
        for bound in bounds {
            self.name_in(&mut bound.trait_ref);
            bound.assoc_types.iter_mut().for_each(|(_, ty)| self.name_in_ty(ty));
        }
    }
}

/// Whether rustdoc says how the value is worked out: it shows what the source has, so not where macros are called, attributes may take something away, or a macro
/// around it has put something in.
fn is_shown(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    !text.contains(['#', '$']) && words.all(|word| word != "_") && !may_call_macro(text)
}

/// Whether the text may have `name!(…)`, with whatever brackets.
fn may_call_macro(text: &str) -> bool {
    text.match_indices('!').any(|(at, mark)| {
        let (before, after) = (text[..at].trim_end(), text[at + mark.len()..].trim_start());
        before.ends_with(|c: char| c.is_alphanumeric() || c == '_') && after.starts_with(['(', '[', '{'])
    })
}
