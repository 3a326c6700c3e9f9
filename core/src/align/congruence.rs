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
//! that a caller may tell apart and the comparison does not, memory apart. What there is to tell apart is listed in [`crate::observable`], by type:
//!
//! * It gives values, or shared references to such, without any other [`Aspect`] than where they lie and how much room there is.
//! * It takes such values; a `&mut` only as a parameter itself, and to what has no references. Nothing that it takes or gives can be written through a shared
//!   reference, so it does not matter which of them are one.
//! * It is not generic: its proof is for one choice of types.
//!
//! Nor may the caller ask for what is not compared, itself or by code that it reaches or that *its* caller gives it (a closure, an `fn`, a `dyn`, a type in the
//! place of a parameter: nobody knows what that looks at). If a function of `P` gives values that own or refer to memory: where it lies, and how much
//! there is beyond what is used. If it panics on some input: the message of the panic, or what is left behind `&mut` when it unwinds. So
//!
//! * by functions that give memory only such callers are congruent that are given no code, and reach none that may look at memory
//!   ([`crate::observable::looks`]: of the library only what is known not to);
//! * by functions that may panic only such as reach nothing of `std::panic` and `std::thread`, no `Drop` of the crate or its dependencies, and no unknown code
//!   outside of the standard library, and that make nothing to be called where they are given code, which might catch what it calls.
//!
//! Nor does anything follow where the program has a global allocator of its own: that sees each allocation, of which proofs tell nothing.
//!
//! *Limits.* Conditions are on all that a function may reach, not on the calls that it makes.
//!
//! *Source.* The proof rule for procedures of B. Godlin, O. Strichman: Regression verification, DAC 2009, without its mutual
//! assumption: the functions of `P` are proved by themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::outside::names_library_only;
use super::reach::Reach;
use super::types::holds;
use super::uses::{Items, is_drop};
use super::{Alignment, Differing, Pair};
use crate::ir::*;
use crate::observable::given::{self, Given};
use crate::observable::looks::{self, Defined, Sees};
use crate::observable::{self, Aspect};
use crate::verdict::ChangeKind;

/// Where panics can be looked at.
const PANICS_SEEN: &[&str] = &["std::panic::", "std::thread::", "core::panic::"];

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
    /// functions on whose proofs that rests. `proved` are functions of the new version, each with the [panics](crate::verdict::Proof::panicking) that
    /// its proof tells of.
    pub fn congruent(
        &self,
        old: &Program,
        new: &Program,
        proved: &HashMap<FnId, u64>,
    ) -> BTreeMap<FnId, Vec<FnId>> {
        let (by_old, by) = self.holding(old, new, proved);
        if by.is_empty() {
            return BTreeMap::new();
        }
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let nowhere = HashSet::new();
        let old_side = Beyond::new(&old_items, &self.differing.old, &by_old, &nowhere);
        let new_side = Beyond::new(&new_items, &self.differing.new, &by, &nowhere);
        let gives_the_same = |pair: &&Pair| pair.new.is_some_and(|id| self.results(id) == ResultTypes::Same);
        let affected = self.pairs.iter().filter(|pair| pair.kind == ChangeKind::Affected);
        let affected = affected.filter(gives_the_same);
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

    /// Whether a run of each of the functions of the new version does what a run of the old one does, given functions that the run does not enter: nothing differs that
    /// it may come to run or use without them, functions of `proved` apart, as with [`Alignment::congruent`].
    ///
    /// What one version is seen to enter suffices. As long as both have run the same code, they enter the same; so the first function that
    /// one enters and the other does not, or that differs, would have been entered by the run that was seen.
    pub fn same_in_run(
        &self,
        old: &Program,
        new: &Program,
        proved: &HashMap<FnId, u64>,
        runs: &[(FnId, HashSet<FnId>)],
    ) -> Vec<bool> {
        let (by_old, by) = self.holding(old, new, proved);
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let is_same = |(id, not_entered): &(FnId, HashSet<FnId>)| {
            let before = not_entered.iter().filter_map(|id| self.to_old(*id)).collect();
            let new_side = Beyond::new(&new_items, &self.differing.new, &by, not_entered);
            let old_side = Beyond::new(&old_items, &self.differing.old, &by_old, &before);
            let old_id = self.to_old(*id).filter(|_| !not_entered.contains(id));
            old_id
                .is_some_and(|old_id| old_side.rests_on(old_id).is_some() && new_side.rests_on(*id).is_some())
        };
        runs.iter().map(is_same).collect()
    }

    /// The functions of both versions whose proofs hold for every caller, with what these do not tell.
    fn holding(
        &self,
        old: &Program,
        new: &Program,
        proved: &HashMap<FnId, u64>,
    ) -> (HashMap<FnId, Untold>, HashMap<FnId, Untold>) {
        let plain = |id: FnId| {
            is_plain_function(new, id) && self.to_old(id).is_some_and(|id| is_plain_function(old, id))
        };
        let untold = |id: FnId, panicking: u64| Untold {
            memory: Presence::of(gives_memory(new, id)),
            panics: Presence::of(panicking > 0),
        };
        let by: HashMap<FnId, Untold> = proved
            .iter()
            .filter(|(id, _)| plain(**id))
            .map(|(id, panicking)| (*id, untold(*id, *panicking)))
            .collect();
        let by_old = by.iter().filter_map(|(id, untold)| Some((self.to_old(*id)?, *untold))).collect();
        (by_old, by)
    }
}

/// What one version's functions reach without passing through functions that are proved equal, or that are not entered.
struct Beyond<'b, 'a> {
    items: &'b Items<'a>,
    proved: &'b HashMap<FnId, Untold>,
    not_entered: &'b HashSet<FnId>,
    reach: Reach<'b, 'a>,
}

impl<'b, 'a> Beyond<'b, 'a> {
    fn new(
        items: &'b Items<'a>,
        differing: &'b Differing,
        proved: &'b HashMap<FnId, Untold>,
        not_entered: &'b HashSet<FnId>,
    ) -> Self {
        let ids = proved.keys().chain(not_entered).copied().collect();
        Beyond { items, proved, not_entered, reach: Reach::beyond(items, differing, ids) }
    }

    /// The proved functions that the function leads to; none if something else differs, or if it may ask for what is not compared.
    fn rests_on(&self, id: FnId) -> Option<BTreeSet<FnId>> {
        self.reach.only_same(id).ok()?;
        let program = self.items.program;
        let mut reached = self.reach.functions(id);
        reached.retain(|id| !self.not_entered.contains(id));
        let by: BTreeSet<FnId> = reached.iter().copied().filter(|id| self.proved.contains_key(id)).collect();
        let is_untold =
            |what: fn(&Untold) -> Presence| by.iter().any(|id| what(&self.proved[id]) == Presence::There);
        if !by.is_empty() && program.has_own_allocator() {
            return None;
        }
        let (memory, panics) = (is_untold(|untold| untold.memory), is_untold(|untold| untold.panics));
        if !memory && !panics {
            return Some(by);
        }
        let undefined = self.reach.undefined(&[id]);
        let is_hidden = |id: &FnId| {
            let function = &program.functions[*id];
            !matches!(function.body, FnBody::Present(_)) && function.origin != Origin::StdModel
        };
        if reached.iter().any(is_hidden) || !undefined.iter().all(|path| names_library_only(path)) {
            return None;
        }
        // What models of the library do among themselves shows nothing to anybody; nor is anything of what was proved passed through.
        let is_code =
            |id: &&FnId| program.functions[**id].origin != Origin::StdModel && !self.proved.contains_key(*id);
        let code: Vec<FnId> = reached.iter().filter(is_code).copied().collect();
        let named: BTreeSet<&Path> = code.iter().flat_map(|id| self.reach.named_by(*id)).collect();
        let is_given = given::to_function(program, id) == Given::Code;
        let looks = |id: &FnId| looks::body(program, &program.functions[*id]) == Sees::Memory;
        let asks = |path: &&Path| asks_for_memory(program, path);
        let looks_at_memory = || is_given || code.iter().any(looks) || named.iter().any(asks);
        if memory && looks_at_memory() {
            return None;
        }
        if panics && is_given && code.iter().any(|id| makes_callables(&program.functions[*id])) {
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

/// Whether what the path names shows memory. What is read is looked into instead, models apart: they stand for what the library does.
pub(super) fn asks_for_memory(program: &Program, path: &Path) -> bool {
    let mut functions = program.functions_at(path).iter();
    let is_read = functions.any(|id| program.functions[*id].origin != Origin::StdModel);
    let is_known = is_read
        || program.adt(path).is_some_and(|adt| adt.origin_crate != "std")
        || program.trait_(path).is_some() && !path.is_of_std();
    let is_modelled = !program.functions_at(path).is_empty()
        || program.adt(path).is_some()
        || program.trait_(path).is_some();
    let defined = if is_modelled { Defined::Modelled } else { Defined::Nowhere };
    !is_known && looks::library_item(path, defined) == Sees::Memory
}

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
    observable::uncompared(program, ty).into_iter().all(|aspect| match aspect {
        // Whether it is asked for is seen by who asks.
        Aspect::Address | Aspect::Capacity => true,
        Aspect::Lent => within == Within::Lent,
        Aspect::Written
        | Aspect::Sharing
        | Aspect::NanBits
        | Aspect::Order
        | Aspect::Code
        | Aspect::Unknown => false,
    })
}

/// Whether values that the function gives, or leaves behind `&mut`, own or refer to memory.
fn gives_memory(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    let left_behind = function.inputs.iter().filter_map(|ty| match ty.kind() {
        TyKind::Ref(Mutability::Mut, target) => Some(target),
        _ => None,
    });
    let has_memory = |ty: &Ty| {
        let aspects = observable::uncompared(program, ty);
        [Aspect::Address, Aspect::Capacity].iter().any(|aspect| aspects.contains(aspect))
    };
    left_behind.chain([&function.output]).any(has_memory)
}

/// Whether it has something at hand that can be called.
fn makes_callables(function: &Function) -> bool {
    let is_callable = |part: &TyKind| {
        matches!(part, TyKind::Closure(..) | TyKind::FnPtr { .. } | TyKind::FnDef(_) | TyKind::Dyn(_))
    };
    let FnBody::Present(body) = &function.body else { return true };
    let is_function =
        |operand: &Operand| matches!(operand, Operand::Const(Const::Fn(_) | Const::ZeroSized(_)));
    body.locals.iter().any(|local| holds(&local.ty, &is_callable))
        || body.blocks.iter().any(|block| match &block.terminator.kind {
            TerminatorKind::Call { args, .. } => args.iter().any(is_function),
            _ => false,
        })
}
