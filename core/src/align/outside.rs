//! What a program refers to and does not define: items of crates that were not read.
//!
//! Such an item is known by its path alone. Usually the path begins with the name of its crate; but a crate that was
//! brought in under another name (`extern crate foreign as short`) looks like a module of the crate that did so. So
//! an undefined item in a place of the program that nothing else is in may belong to any crate.

use std::collections::{BTreeSet, HashSet};

use super::reach::Reach;
use super::types::{each_ty, holds};
use super::uses::Items;
use super::{Differing, Surroundings};
use crate::ir::{FnId, Name, Origin, Owner, Path, Program, TraitRef, TyKind};

/// The crates that are not the same in both versions, and the places that the program itself defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    changed: BTreeSet<Name>,
    /// Crates that may hand on what others define.
    handing_on: BTreeSet<Name>,
    /// Functions and statics of `extern` blocks: what is behind these is told by the blocks.
    foreign: HashSet<Path>,
    /// Names of the crates that the program consists of, models apart.
    own: BTreeSet<String>,
    /// Paths of modules and items.
    places: HashSet<String>,
}

impl Outside {
    pub(super) fn new(program: &Program, surroundings: &Surroundings) -> Outside {
        let Surroundings { changed_crates: changed, handing_on, .. } = surroundings;
        let mut outside = Outside {
            changed: changed.clone(),
            handing_on: handing_on.clone(),
            foreign: program.declared.foreign.keys().cloned().collect(),
            ..Outside::default()
        };
        if changed.is_empty() {
            return outside;
        }
        let functions = program.functions.iter().filter(|function| function.origin != Origin::StdModel);
        let functions = functions.map(|function| &function.path);
        let types = program.adts.iter().map(|adt| &adt.path).filter(|path| !path.is_of_std());
        let traits = program.traits.iter().map(|item| &item.path).filter(|path| !path.is_of_std());
        for path in functions.chain(types).chain(traits) {
            let mut place = plain_parts(path.as_str()).next().unwrap_or_default();
            // What is implemented for a type of the library has a path that begins there.
            if let Some((root, _)) = place.split_once("::").filter(|(root, _)| !LIBRARY.contains(root)) {
                outside.own.insert(root.to_owned());
            }
            while outside.places.insert(place.to_owned()) {
                match place.rsplit_once("::") {
                    Some((parent, _)) => place = parent,
                    None => break,
                }
            }
        }
        outside
    }

    /// Whether all crates are the same in both versions, those included that items may be handed on from.
    pub(super) fn is_same(&self) -> bool {
        self.changed.is_empty() && self.handing_on.is_empty()
    }

    /// Whether the undefined item may be of a crate that is not the same in both versions. `<A as B>::c` has several
    /// parts.
    pub(super) fn may_have_changed(&self, path: &Path) -> bool {
        self.changed.iter().any(|name| has_part_of_crate(path, name))
            || (!self.changed.is_empty() && plain_parts(path.as_str()).any(|part| self.is_nowhere(part)))
            || self.is_handed_on(path)
    }

    /// Whether nobody knows which crate the item is of.
    fn is_handed_on(&self, path: &Path) -> bool {
        self.handing_on.iter().any(|name| has_part_of_crate(path, name)) && !self.foreign.contains(path)
    }

    /// Whether the path leads to a place of the program's own crates that nothing known is in.
    fn is_nowhere(&self, part: &str) -> bool {
        let Some((parent, _)) = part.rsplit_once("::") else { return false };
        let root = parent.split("::").next().unwrap_or_default();
        self.own.contains(root) && !self.places.contains(parent)
    }
}

/// The crates of the standard library.
pub const LIBRARY: &[&str] = &["std", "core", "alloc"];

/// Whether all parts of the path are of the standard library, whose code is that of the toolchain.
pub(super) fn is_of_library(path: &Path) -> bool {
    plain_parts(path.as_str()).filter(|part| part.contains("::")).all(|part| {
        let root = part.split("::").next().unwrap_or_default();
        LIBRARY.contains(&root)
    }) && path.as_str().contains("::")
}

/// Notes the types of crates from elsewhere, and what these implement: where the trait and all types are of such crates or of the standard library, and not all are of
/// the library, no other crate may implement it.
pub(super) fn note_elsewhere(program: &Program, surroundings: &Surroundings, differing: &mut Differing) {
    let is_elsewhere = |path: &Path| surroundings.elsewhere.contains(&Name::new(path.crate_name()));
    let of_elsewhere = program.adts.iter_enumerated().filter(|(_, adt)| is_elsewhere(&adt.path));
    differing.adts_elsewhere = of_elsewhere.map(|(id, _)| id).collect();
    let names_elsewhere = |part: &TyKind| matches!(part, TyKind::Adt(path, _) if is_elsewhere(path));
    let may_be_own = |part: &TyKind| match part {
        TyKind::Adt(path, _) => !is_elsewhere(path) && !path.is_of_std(),
        TyKind::Dyn(..) | TyKind::Unsupported(_) | TyKind::Projection { .. } => true,
        _ => false,
    };
    let implemented = program.impls.iter_enumerated().filter(|(_, item)| {
        let TraitRef { self_ty, path, args } = &item.trait_ref;
        let mut types = vec![self_ty.clone()];
        each_ty(args, &mut |ty| types.push(ty.clone()));
        let some = |is_such: &dyn Fn(&TyKind) -> bool| types.iter().any(|ty| holds(ty, is_such));
        (is_elsewhere(path) || path.is_of_std() && some(&names_elsewhere)) && !some(&may_be_own)
    });
    differing.impls_elsewhere = implemented.map(|(id, _)| id).collect();
}

/// Whether the path names nothing outside of the standard library. Names that stand alone are those of primitive types and
/// parameters.
pub(super) fn names_library_only(path: &Path) -> bool {
    plain_parts(path.as_str()).all(|part| match part.split_once("::") {
        Some((root, _)) => LIBRARY.contains(&root) || PRIMITIVES.contains(&root),
        None => true,
    })
}

/// Types that have no path, whose names may begin one.
pub const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64",
];

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The maximal pieces of names joined by `::` that begin with a name.
pub(super) fn plain_parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(|c: char| !is_name(c) && c != ':')
        .filter(|part| !part.starts_with(':'))
        .map(|part| part.trim_end_matches(':'))
        .filter(|part| !part.is_empty())
}

/// Whether any part of the path begins with the crate.
fn has_part_of_crate(path: &Path, name: &Name) -> bool {
    let text = path.as_str();
    text.match_indices(name.as_str()).any(|(at, name)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        after.starts_with("::") && !before.ends_with(|c| is_name(c) || c == ':')
    })
}

/// Which of the crates have to be read to run the functions: those that define something that the functions may come
/// to refer to and the program does not define.
///
/// An implementation of a foreign trait for a foreign type is in the crate of one of the two, and wherever it may be run
/// both are referred to. So it is enough to look at what is mentioned. The traits that are asked of parameters are, too: their crates say which types have
/// them.
pub fn crates_to_read(
    items: &mut Items<'_>,
    functions: &[FnId],
    candidates: &BTreeSet<Name>,
) -> BTreeSet<Name> {
    if functions.is_empty() || candidates.is_empty() {
        return BTreeSet::new();
    }
    let program = items.program;
    // Nothing differs from the program itself, and a caller may choose any of its types.
    let differing = Differing { common_adts: program.adts.ids().collect(), ..Differing::default() };
    let reach = Reach::new(items, &differing);
    let mut undefined = reach.undefined_of_all(functions);
    undefined.extend(undefined_bounds(program, functions));
    let is_mentioned = |name: &&Name| undefined.iter().any(|path| has_part_of_crate(path, name));
    candidates.iter().filter(is_mentioned).cloned().collect()
}

/// The traits asked of the functions' parameters that the program does not define, by bounds and by what these say besides.
fn undefined_bounds<'p>(program: &'p Program, functions: &[FnId]) -> Vec<&'p Path> {
    let mut open: Vec<&Path> = Vec::new();
    for id in functions {
        let function = &program.functions[*id];
        open.extend(function.bounds.iter().map(|bound| &bound.trait_ref.path));
        if let Owner::TraitImpl(id) = &function.owner {
            open.extend(program.impls[*id].bounds.iter().map(|bound| &bound.path));
        }
    }
    let mut seen: HashSet<&Path> = HashSet::new();
    let mut undefined = Vec::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path) {
            continue;
        }
        let Some(item) = program.trait_(path) else {
            undefined.push(path);
            continue;
        };
        open.extend(item.supertraits.iter().map(|above| &above.path));
        for id in program.impls_of(path) {
            open.extend(program.impls[*id].bounds.iter().map(|bound| &bound.path));
        }
    }
    undefined
}
