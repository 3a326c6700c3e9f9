//! Functions that are equal because all that changed of what they may run is proved equal.
//!
//! *Idea.* A function whose own body did not change does the same as before if each changed function that it may run does: a call with
//! equal arguments then ends equally. No run is needed, so this holds for loops without bound, and for functions that call what no
//! engine can execute.
//!
//! *Definition.* Let `P` be functions that are proved equal on every input and *plain*. An affected function is congruent by `P` if
//! nothing differs that it reaches (see [`super::reach`]) without passing through a function of `P`, in either version.
//!
//! That equal arguments give equal ends must hold for every caller, so a function is plain only if what it takes and gives has nothing
//! that a caller may tell apart and the comparison does not:
//!
//! * It gives values without raw pointers, closures, trait objects and `&mut`. Floating-point numbers are left out for the bits of their NaNs,
//!   maps and sets for their order, reference-counted pointers for their sharing.
//! * It takes such values; a `&mut` only as a parameter itself, and to what has no references. Nothing that it takes or gives can be written through a shared
//!   reference, so it does not matter which of them are one.
//! * It is not generic: its proof is for one choice of types.
//!
//! Nor may the caller ask for what is not compared. If a function of `P` gives values that own or refer to memory: where it lies, and how much
//! there is beyond what is used. If it panics on some input: the message of the panic, or what is left behind `&mut` when it unwinds. So by functions that give memory,
//! or may panic, only such callers are congruent that reach no unknown code outside of the standard library; the former none that ask
//! for a capacity, have raw pointers or show addresses, the latter none with anything of `std::panic` and `std::thread`, or with a `Drop` of the crate or
//! its dependencies.
//!
//! *Limits.* Conditions are on all that a function may reach, not on the calls that it makes.
//!
//! *Source.* The proof rule for procedures of B. Godlin, O. Strichman: Regression verification, DAC 2009, without its mutual
//! assumption: the functions of `P` are proved by themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::outside::plain_parts;
use super::reach::Reach;
use super::uses::{Items, holds, is_drop, last_segment};
use super::{Alignment, Differing};
use crate::ir::*;
use crate::verdict::{ChangeKind, Explored};

/// Last segments of functions that tell how much memory there is.
const CAPACITIES: &[&str] = &["capacity", "spare_capacity_mut"];
/// What shows addresses without a raw pointer in sight.
const ADDRESSES: &[&str] = &["fmt::Pointer", "std::ptr::eq", "std::ptr::addr_eq", "std::ptr::hash"];
/// Where panics can be looked at.
const PANICS_SEEN: &[&str] = &["std::panic::", "std::thread::", "core::panic::"];

/// Crates whose functions look at panics in those places only.
const LIBRARY: &[&str] = &["std", "core", "alloc"];

/// What of the calls of a function is not compared, although it is proved equal and plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Untold {
    /// The memory that it gives, or refers to.
    memory: Presence,
    /// Its panics.
    panics: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    There,
    Nowhere,
}

impl Presence {
    fn of(is_there: bool) -> Presence {
        if is_there { Presence::There } else { Presence::Nowhere }
    }
}

impl Alignment {
    /// The other affected functions of the new version that are congruent by those that are `proved` equal on every input, each with the
    /// functions on whose proofs that rests. `proved` are functions of the new version.
    pub fn congruent(
        &self,
        old: &Program,
        new: &Program,
        proved: &HashMap<FnId, Explored>,
    ) -> BTreeMap<FnId, Vec<FnId>> {
        let plain = |id: FnId| {
            is_plain_function(new, id) && self.to_old(id).is_some_and(|id| is_plain_function(old, id))
        };
        let untold = |id: FnId, proof: &Explored| Untold {
            memory: Presence::of(gives_memory(new, id)),
            panics: Presence::of(proof.panicking > 0),
        };
        let by: HashMap<FnId, Untold> = proved
            .iter()
            .filter(|(id, _)| plain(**id))
            .map(|(id, proof)| (*id, untold(*id, proof)))
            .collect();
        if by.is_empty() {
            return BTreeMap::new();
        }
        let by_old: HashMap<FnId, Untold> =
            by.iter().filter_map(|(id, untold)| Some((self.to_old(*id)?, *untold))).collect();
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let old_side = Beyond::new(&old_items, &self.differing.old, &by_old);
        let new_side = Beyond::new(&new_items, &self.differing.new, &by);
        let affected = self.pairs.iter().filter(|pair| pair.kind == ChangeKind::Affected);
        let mut congruent = BTreeMap::new();
        for (old_id, new_id) in affected.filter_map(|pair| Some((pair.old?, pair.new?))) {
            if proved.contains_key(&new_id) {
                continue;
            }
            if let (Some(in_old), Some(mut by)) = (old_side.rests_on(old_id), new_side.rests_on(new_id)) {
                by.extend(in_old.into_iter().filter_map(|id| self.to_new(id)));
                congruent.insert(new_id, by.into_iter().collect());
            }
        }
        congruent
    }
}

/// What one version's functions reach without passing through functions that are proved equal.
struct Beyond<'b, 'a> {
    items: &'b Items<'a>,
    proved: &'b HashMap<FnId, Untold>,
    reach: Reach<'b, 'a>,
}

impl<'b, 'a> Beyond<'b, 'a> {
    fn new(items: &'b Items<'a>, differing: &'b Differing, proved: &'b HashMap<FnId, Untold>) -> Self {
        let ids: HashSet<FnId> = proved.keys().copied().collect();
        Beyond { items, proved, reach: Reach::beyond(items, differing, ids) }
    }

    /// The proved functions that the function leads to; none if something else differs, or if it may ask for what is not compared.
    fn rests_on(&self, id: FnId) -> Option<BTreeSet<FnId>> {
        self.reach.only_same(id).ok()?;
        let program = self.items.program;
        let reached = self.reach.functions(id);
        let by: BTreeSet<FnId> = reached.iter().copied().filter(|id| self.proved.contains_key(id)).collect();
        let is_untold =
            |what: fn(&Untold) -> Presence| by.iter().any(|id| what(&self.proved[id]) == Presence::There);
        let (memory, panics) = (is_untold(|untold| untold.memory), is_untold(|untold| untold.panics));
        if !memory && !panics {
            return Some(by);
        }
        let undefined = self.reach.undefined(&[id]);
        let is_hidden = |id: &FnId| {
            let function = &program.functions[*id];
            !matches!(function.body, FnBody::Present(_)) && function.origin != Origin::StdModel
        };
        if reached.iter().any(is_hidden) || !undefined.iter().all(|path| is_of_library(path)) {
            return None;
        }
        // What models of the library do among themselves shows nothing to anybody.
        let code = reached.iter().filter(|id| program.functions[**id].origin != Origin::StdModel);
        let named: BTreeSet<&Path> = code.flat_map(|id| self.reach.named_by(*id)).collect();
        let looks_at_memory = |path: &&Path| {
            CAPACITIES.contains(&last_segment(path))
                || ADDRESSES.iter().any(|shown| path.as_str().contains(shown))
        };
        let has_pointers = |id: &FnId| has_raw_pointers(&program.functions[*id]);
        if memory && (named.iter().any(looks_at_memory) || reached.iter().any(has_pointers)) {
            return None;
        }
        let sees_panics = |path: &&Path| PANICS_SEEN.iter().any(|module| path.as_str().starts_with(module));
        let drops = |id: &FnId| self.is_foreign_drop(*id);
        if panics && (named.iter().any(sees_panics) || reached.iter().any(drops)) {
            return None;
        }
        Some(by)
    }

    /// Whether it is run when a value goes out of scope, and is no model.
    fn is_foreign_drop(&self, id: FnId) -> bool {
        let program = self.items.program;
        let function = &program.functions[id];
        let Owner::TraitImpl(of) = function.owner else { return false };
        function.origin != Origin::StdModel && is_drop(&program.impls[of].trait_ref.path)
    }
}

/// Whether the path names nothing outside of the standard library. Names that stand alone are those of primitive types and
/// parameters.
fn is_of_library(path: &Path) -> bool {
    plain_parts(path.as_str()).all(|part| match part.split_once("::") {
        Some((root, _)) => LIBRARY.contains(&root) || PRIMITIVES.contains(&root),
        None => true,
    })
}

const PRIMITIVES: &[&str] = &[
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64",
];

/// Types of the standard library whose values are what their arguments are.
const OWNING: &[&str] = &[
    "std::boxed::Box",
    "std::cmp::Ordering",
    "std::num::Wrapping",
    "std::ops::Range",
    "std::ops::RangeFrom",
    "std::ops::RangeInclusive",
    "std::ops::RangeTo",
    "std::option::Option",
    "std::result::Result",
    "std::string::String",
    "std::vec::Vec",
];

/// What may stand in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// No references.
    Owned,
    /// Shared references too.
    Lent,
}

/// Whether its proof holds for every caller; see above.
fn is_plain_function(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    let is_taken = |ty: &Ty| match ty.kind() {
        TyKind::Ref(Mutability::Mut, target) => is_plain(program, target, Within::Owned),
        _ => is_plain(program, ty, Within::Lent),
    };
    program.generics_in_scope(id).is_empty()
        && function.inputs.iter().all(is_taken)
        && is_plain(program, &function.output, Within::Lent)
}

fn is_plain(program: &Program, ty: &Ty, within: Within) -> bool {
    is_plain_but_for(program, ty, within, &mut BTreeSet::new())
}

/// Types in `seen` are looked at further up.
fn is_plain_but_for(program: &Program, ty: &Ty, within: Within, seen: &mut BTreeSet<Path>) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Str | TyKind::Never => true,
        TyKind::Tuple(parts) => parts.iter().all(|part| is_plain_but_for(program, part, within, seen)),
        TyKind::Array(part, _) | TyKind::Slice(part) => is_plain_but_for(program, part, within, seen),
        TyKind::Ref(Mutability::Shared, target) => {
            within == Within::Lent && is_plain_but_for(program, target, within, seen)
        }
        TyKind::Adt(path, args) => {
            let mut types = args.iter().filter_map(|arg| match arg {
                GenericArg::Ty(ty) => Some(ty),
                GenericArg::Const(_) => None,
            });
            if !types.all(|ty| is_plain_but_for(program, ty, within, seen)) {
                return false;
            }
            if OWNING.contains(&path.as_str()) || seen.contains(path) {
                return true;
            }
            let Some(adt) = program.adt(path).filter(|adt| is_own(program, adt)) else { return false };
            seen.insert(path.clone());
            let fields: Vec<Ty> =
                (0..adt.variants.len()).flat_map(|variant| adt.field_types(variant, args)).collect();
            fields.iter().all(|field| is_plain_but_for(program, field, within, seen))
        }
        TyKind::Float(_)
        | TyKind::Ref(Mutability::Mut, _)
        | TyKind::RawPtr(..)
        | TyKind::Closure(..)
        | TyKind::Projection { .. }
        | TyKind::FnPtr { .. }
        | TyKind::FnDef(_)
        | TyKind::Dyn(_)
        | TyKind::Param(_)
        | TyKind::Unsupported(_) => false,
    }
}

/// Whether values that the function gives, or leaves behind `&mut`, own or refer to memory.
fn gives_memory(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    let left_behind = function.inputs.iter().filter_map(|ty| match ty.kind() {
        TyKind::Ref(Mutability::Mut, target) => Some(target),
        _ => None,
    });
    let mut open: Vec<Ty> = left_behind.chain([&function.output]).cloned().collect();
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        match ty.kind() {
            TyKind::Tuple(parts) => open.extend(parts.iter().cloned()),
            TyKind::Array(part, _) | TyKind::Slice(part) => open.push(part.clone()),
            TyKind::Ref(..) => return true,
            TyKind::Adt(path, _) if OWNING_MEMORY.contains(&path.as_str()) => return true,
            TyKind::Adt(path, args) => {
                open.extend(args.iter().filter_map(|arg| match arg {
                    GenericArg::Ty(ty) => Some(ty.clone()),
                    GenericArg::Const(_) => None,
                }));
                if let Some(adt) = program.adt(path).filter(|_| seen.insert(path.clone())) {
                    open.extend((0..adt.variants.len()).flat_map(|variant| adt.field_types(variant, args)));
                }
            }
            _ => {}
        }
    }
    false
}

const OWNING_MEMORY: &[&str] = &["std::boxed::Box", "std::string::String", "std::vec::Vec"];

/// Whether it works with raw pointers; those in models stand for what the library does.
fn has_raw_pointers(function: &Function) -> bool {
    let is_pointer = |part: &TyKind| matches!(part, TyKind::RawPtr(..));
    match &function.body {
        FnBody::Present(body) if function.origin != Origin::StdModel => {
            body.locals.iter().any(|local| holds(&local.ty, &is_pointer))
        }
        _ => false,
    }
}

/// Whether all there is to a value of the type is in its fields, as they are declared.
fn is_own(program: &Program, adt: &Adt) -> bool {
    adt.kind != AdtKind::Union
        && !["std", "core", "alloc"].contains(&adt.origin_crate.as_str())
        && !program.is_ambiguous_adt(&adt.path)
}
