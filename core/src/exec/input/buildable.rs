//! Of which types no input can be built at all, so that enums leave out the variants that hold them.
//!
//! *Limits.* What is only too large, or made by functions that may fail, is taken for buildable: building it says what is wrong.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::cells::is_cell;
use super::super::makers::Makers;
use super::super::resolve::normalize;
use super::super::std_abstractions::{View, view};
use super::collections::collection;
use super::{Elements, is_formatter, owned_sequence};
use crate::ir::stand_ins;
use crate::ir::{AdtKind, KnownType, Path, Program, Ty, TyKind, Visibility};

/// What was found out of types.
#[derive(Debug, Default)]
pub(super) struct Buildable {
    known: FxHashMap<Ty, bool>,
}

impl Buildable {
    /// Whether there may be inputs of the type.
    pub fn may_be_built(&mut self, program: &Program, makers: &Makers, ty: &Ty) -> bool {
        if let Some(known) = self.known.get(ty) {
            return *known;
        }
        let mut looking = Looking { program, makers, open: FxHashSet::default() };
        let found = looking.at(&normalize(program, ty));
        self.known.insert(ty.clone(), found);
        found
    }
}

struct Looking<'l> {
    program: &'l Program,
    makers: &'l Makers,
    /// Types that are being looked at. Those that hold themselves are buildable if all else that they hold is.
    open: FxHashSet<Ty>,
}

impl Looking<'_> {
    fn at(&mut self, ty: &Ty) -> bool {
        match ty.kind() {
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => true,
            TyKind::Tuple(tys) => tys.iter().all(|ty| self.at(ty)),
            TyKind::Array(part, _) | TyKind::Slice(part) | TyKind::Ref(_, part) => self.at(part),
            TyKind::Adt(path, _) if path == KnownType::Box => ty.pointee().is_some_and(|part| self.at(part)),
            TyKind::Adt(path, _) => self.at_adt(ty, path),
            _ => false,
        }
    }

    fn at_adt(&mut self, ty: &Ty, path: &Path) -> bool {
        match owned_sequence(ty) {
            Some(Elements::Any(element)) => return self.at(&element),
            Some(Elements::Text) => return true,
            None => {}
        }
        if let Some(of) = collection(ty) {
            return self.at(&of.item);
        }
        let is_made = !self.makers.of(ty).is_empty();
        if is_made || path == KnownType::MaybeUninit || is_formatter(ty) || stand_ins::is_recorder(ty) {
            return true;
        }
        match view(ty) {
            Some(View::Counted(content)) => return self.at(&content),
            Some(_) => return true,
            None => {}
        }
        let Some(adt) = self.program.nameable_adt(path) else { return false };
        let TyKind::Adt(_, args) = ty.kind() else { return false };
        let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
        let hides_fields = fields.any(|field| field.visibility == Visibility::Private);
        if path.is_of_std() && (hides_fields || is_cell(ty)) || !self.open.insert(ty.clone()) {
            return !path.is_of_std();
        }
        let mut is_whole = |variant: usize| {
            let types = adt.field_types(variant, args);
            types.iter().all(|part| self.at(&normalize(self.program, part)))
        };
        let found = match adt.kind {
            AdtKind::Struct => is_whole(0),
            AdtKind::Enum => (0..adt.variants.len()).any(&mut is_whole),
            AdtKind::Union => false,
        };
        self.open.remove(ty);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::Idx;
    use crate::ir::{FnId, parse};

    const ITEMS: &str = "struct k::Plain { x: u8, next: std::boxed::Box<k::Rest> }
        enum k::Rest { End, More(k::Plain) }
        struct k::Code { f: fn(u8) -> u8 }
        enum k::Either { Data(u8), Code(k::Code) }
        enum k::Neither { Code(k::Code), Raw(*const u8) }";

    #[track_caller]
    fn check(ty: &str, expected: bool) {
        let text = format!("fn k::f(_1: {ty}) -> () {{ bb0: {{ return; }} }} {ITEMS}");
        let program = parse::program(&text).unwrap_or_else(|error| panic!("{error}"));
        let ty = &program.functions[FnId::from_usize(0)].inputs[0];
        let found = Buildable::default().may_be_built(&program, &Makers::default(), ty);
        assert_eq!(found, expected, "{ty}");
    }

    #[test]
    fn types_that_hold_what_cannot_be_built_cannot_be_built() {
        for ty in ["u8", "&str", "[u8; 3]", "std::vec::Vec<(char, f64)>", "k::Plain", "k::Rest", "k::Either"]
        {
            check(ty, true);
        }
        for ty in ["fn(u8) -> u8", "*const u8", "k::Code", "&[k::Code]", "(u8, k::Neither)", "k::Neither"] {
            check(ty, false);
        }
        check("std::vec::Vec<k::Either>", true);
        check("std::boxed::Box<fn(u8) -> u8>", false);
    }
}
