//! What callers may hand a function, and call of what it gives: whether the types of these values are all known.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::{ARGUMENT, Items, last_segment};
use crate::align::types::{holds, is_hidden, is_open};
use crate::ir::*;

/// Whether the types of the values that a function may be given are all known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Openness {
    Open,
    Closed,
}

/// Into which types to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fields {
    All,
    AllButFormatters,
    /// Nor what a message is told to show: who makes an argument of it runs what formats that.
    AllButFormatting,
    /// Not those of the standard library.
    OfProgram,
}

/// Traits, by which something may be called.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Traits {
    pub(in super::super) paths: BTreeSet<Path>,
    pub(in super::super) others: Others,
}

/// Which traits besides those that are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Others {
    #[default]
    None,
    OfLibrary,
    Any,
}

impl Traits {
    pub(in super::super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.others == Others::None
    }

    pub(in super::super) fn may_be(&self, path: &Path) -> bool {
        match self.others {
            Others::Any => true,
            Others::OfLibrary => path.is_of_std() || self.paths.contains(path),
            Others::None => self.paths.contains(path),
        }
    }
}

impl Items<'_> {
    /// Whether a caller may hand the function values of types that its signature does not name: it has type parameters,
    /// or trait objects come in, be it deep within an argument.
    pub(in super::super) fn takes_any_type(&self, id: FnId) -> Openness {
        self.openness(id, Fields::All)
    }

    /// The same but for what a formatter writes to: that is its caller's, and what it does is seen where it is chosen.
    pub(in super::super) fn is_given_any_type(&self, id: FnId) -> Openness {
        self.openness(id, Fields::AllButFormatters)
    }

    /// The same where these types stand for its parameters.
    pub(in super::super) fn is_given_any_type_at(&self, id: FnId, subst: &Subst) -> Openness {
        let function = &self.program.functions[id];
        let generics = self.program.generics_in_scope(id);
        let types: Vec<Ty> =
            function.inputs.iter().chain([&function.output]).map(|ty| subst.ty(ty)).collect();
        let is_left =
            |param: &GenericParam| param.kind == GenericParamKind::Type && subst.get(&param.name).is_none();
        let is_open = types.iter().any(is_open)
            || self.holds_within(&types, Fields::AllButFormatters, &is_hidden)
            || generics.iter().any(is_left);
        if is_open { Openness::Open } else { Openness::Closed }
    }

    fn openness(&self, id: FnId, within: Fields) -> Openness {
        let function = &self.program.functions[id];
        let generics = self.program.generics_in_scope(id);
        let types = || function.inputs.iter().chain([&function.output]);
        let is_open = types().any(is_open)
            || self.holds_within(types(), within, &is_hidden)
            || generics.iter().any(|param| param.kind == GenericParamKind::Type);
        if is_open { Openness::Open } else { Openness::Closed }
    }

    /// The traits by which a caller may call what it is not told of: those of a `dyn` or `impl Trait` that the function gives, or may leave in what it is given
    /// to write to. Types of the standard library have of these only what they are instantiated with.
    pub(in super::super) fn hidden_traits(&self, id: FnId) -> Traits {
        let function = &self.program.functions[id];
        let may_be_written = |part: &TyKind| match part {
            TyKind::Ref(mutability, _) => *mutability == Mutability::Mut,
            TyKind::RawPtr(..) | TyKind::Unsupported(_) => true,
            TyKind::Adt(path, _) => {
                ["std::cell::", "std::sync::"].iter().any(|module| path.as_str().starts_with(module))
            }
            _ => false,
        };
        let found = RefCell::new(Traits::default());
        let note = |part: &TyKind| {
            match part {
                TyKind::Dyn(bounds) => {
                    found.borrow_mut().paths.extend(bounds.iter().map(|bound| bound.path.clone()));
                }
                TyKind::Unsupported(_) => found.borrow_mut().others = Others::Any,
                _ => {}
            }
            false
        };
        let written =
            function.inputs.iter().filter(|ty| self.holds_within([*ty], Fields::OfProgram, &may_be_written));
        self.holds_within(written.chain([&function.output]), Fields::OfProgram, &note);
        let mut traits = found.into_inner();
        if let Some(names) = self.program.declared.hidden_results.get(&id) {
            let is_meant = |path: &&Path| names.contains(&Name::new(last_segment(path)));
            let known = self.program.traits.iter().map(|item| &item.path);
            let implemented = self.program.impls.iter().map(|item| &item.trait_ref.path);
            let meant: BTreeSet<Path> = known.chain(implemented).filter(is_meant).cloned().collect();
            if meant.is_empty() {
                traits.others = Others::Any;
            }
            traits.paths.extend(meant);
        }
        let mut open: Vec<Path> = traits.paths.iter().cloned().collect();
        while let Some(path) = open.pop() {
            match self.program.trait_(&path) {
                Some(item) => {
                    let above = item.supertraits.iter().map(|bound| &bound.path);
                    open.extend(above.filter(|path| traits.paths.insert((*path).clone())).cloned());
                }
                // What it stands upon is not known.
                None => traits.others = traits.others.max(Others::OfLibrary),
            }
        }
        traits
    }

    /// Whether some part of the types, of their fields or of what these consist of, is such.
    pub(super) fn holds_within<'t>(
        &self,
        types: impl IntoIterator<Item = &'t Ty>,
        of: Fields,
        is_such: &dyn Fn(&TyKind) -> bool,
    ) -> bool {
        let is_followed = |adt: AdtId| {
            let path = &self.program.adts[adt].path;
            match of {
                Fields::All => true,
                Fields::AllButFormatters => path.known_type() != Some(KnownType::Formatter),
                Fields::AllButFormatting => {
                    path.known_type() != Some(KnownType::Formatter) && path.as_str() != ARGUMENT
                }
                Fields::OfProgram => !path.is_of_std(),
            }
        };
        let mut seen = BTreeSet::new();
        for ty in types {
            if holds(ty, is_such) {
                return true;
            }
            self.adts_in(ty, &mut seen);
        }
        let mut open: Vec<AdtId> = seen.iter().copied().collect();
        while let Some(adt) = open.pop() {
            if !is_followed(adt) {
                continue;
            }
            let mut fields = self.program.adts[adt].variants.iter().flat_map(|variant| &variant.fields);
            if fields.any(|field| holds(&field.ty, is_such)) {
                return true;
            }
            let fields = self.adts_of_fields(adt, |_, _| true);
            open.extend(fields.into_iter().filter(|field| seen.insert(*field)));
        }
        false
    }
}
