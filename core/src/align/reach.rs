//! Everything that a function may come to run, and whether any of it differs between the versions.
//!
//! Idea (rapid type analysis): starting from the function, follow what items refer to. An implementation that a call on
//! a parameter or a `dyn` type might go to counts as soon as all types it is for have come into play: a value of a
//! type cannot be there without something reached naming the type. For a function that is generic or takes trait
//! objects, every type that both versions define is in play, as its caller may choose it.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::uses::{Exposure, Items, Openness, Uses, is_drop};
use super::{DifferentItem, Differing};
use crate::idx::IdxVec;
use crate::ir::{AdtId, FnId, ImplId, Path};

/// What refers to what in one version, found out as it is needed.
pub(super) struct Reach<'r, 'a> {
    items: &'r Items<'a>,
    differing: &'r Differing,
    function_uses: IdxVec<FnId, OnceCell<Uses>>,
    adt_uses: IdxVec<AdtId, OnceCell<Uses>>,
}

/// One search.
#[derive(Default)]
struct Search {
    functions: HashSet<FnId>,
    adts: HashSet<AdtId>,
    impls: HashSet<ImplId>,
    /// Implementations that wait for their types to come into play.
    waiting: BTreeSet<ImplId>,
    exposure: Exposure,
    open_functions: Vec<FnId>,
    open_adts: Vec<AdtId>,
    /// Types that a caller may put in the place of a parameter.
    given_adts: HashSet<AdtId>,
}

impl<'r, 'a> Reach<'r, 'a> {
    pub(super) fn new(items: &'r Items<'a>, differing: &'r Differing) -> Self {
        Reach {
            items,
            differing,
            function_uses: items.program.functions.iter().map(|_| OnceCell::new()).collect(),
            adt_uses: items.program.adts.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// Fails with the first thing found that is not the same in the other version.
    pub(super) fn only_same(&self, start: FnId) -> Result<(), DifferentItem> {
        self.search(&mut Search::default(), start)
    }

    /// All functions that the function may come to run, if nothing is said to differ.
    pub(super) fn functions(&self, start: FnId) -> HashSet<FnId> {
        let mut search = Search::default();
        // Where nothing differs no search ends early.
        let _ = self.search(&mut search, start);
        search.functions
    }

    /// All that the functions may come to refer to and the program does not define, if nothing is said to differ.
    pub(super) fn undefined(&self, starts: &[FnId]) -> BTreeSet<&Path> {
        let mut search = Search::default();
        for start in starts {
            // Where nothing differs no search ends early.
            if self.search(&mut search, *start).is_err() {
                break;
            }
        }
        let of_functions = search.functions.iter().filter_map(|id| self.function_uses[*id].get());
        let of_adts = search.adts.iter().filter_map(|id| self.adt_uses[*id].get());
        of_functions.chain(of_adts).flat_map(|uses| &uses.unknown).collect()
    }

    fn search(&self, search: &mut Search, start: FnId) -> Result<(), DifferentItem> {
        self.function(search, start)?;
        if self.items.takes_any_type(start) == Openness::Open {
            search.given_adts = self.differing.common_adts.clone();
            for adt in &self.differing.common_adts {
                for id in self.items.impls_of_adt(*adt) {
                    if is_drop(&self.items.program.impls[*id].trait_ref.path) {
                        self.whole_impl(search, *id)?;
                    }
                }
            }
        }
        loop {
            while let Some(id) = search.open_functions.pop() {
                let uses = self.function_uses[id].get_or_init(|| self.items.uses_of_function(id));
                self.follow(search, uses)?;
            }
            while let Some(id) = search.open_adts.pop() {
                let uses = self.adt_uses[id].get_or_init(|| self.items.uses_of_adt(id));
                self.follow(search, uses)?;
            }
            if search.open_functions.is_empty() && self.come_into_play(search)? == 0 {
                return Ok(());
            }
        }
    }

    fn follow(&self, search: &mut Search, uses: &Uses) -> Result<(), DifferentItem> {
        if let Some(path) = uses.traits.iter().find(|path| self.differing.traits.contains(*path)) {
            return Err(DifferentItem::Trait(path.clone()));
        }
        if let Some(id) = uses.impls.iter().find(|id| self.differing.impls.contains(id)) {
            return Err(DifferentItem::Implementation(*id));
        }
        if let Some(path) = uses.unknown.iter().find(|path| self.differing.is_of_changed_crate(path)) {
            return Err(DifferentItem::OfChangedCrate(path.clone()));
        }
        for id in &uses.functions {
            self.function(search, *id)?;
        }
        for id in &uses.adts {
            self.adt(search, *id)?;
        }
        for id in uses.exposed.iter().flat_map(|adt| self.items.impls_of_adt(*adt)) {
            self.whole_impl(search, *id)?;
        }
        search.waiting.extend(uses.possible_impls.iter().filter(|id| !search.impls.contains(id)));
        if uses.exposure == Exposure::AllInPlay {
            search.exposure = Exposure::AllInPlay;
        }
        Ok(())
    }

    /// Follows the implementations whose types are all in play by now; gives how many.
    fn come_into_play(&self, search: &mut Search) -> Result<usize, DifferentItem> {
        let in_play = |adt: &AdtId| search.adts.contains(adt) || search.given_adts.contains(adt);
        let mut ready: BTreeSet<ImplId> = search
            .waiting
            .iter()
            .copied()
            .filter(|id| self.items.adts_of_impl(*id).all(|adt| in_play(&adt)))
            .collect();
        if search.exposure == Exposure::AllInPlay {
            let all = search.adts.iter().chain(&search.given_adts);
            ready.extend(all.flat_map(|adt| self.items.impls_of_adt(*adt)).copied());
        }
        ready.retain(|id| !search.impls.contains(id));
        for id in &ready {
            search.waiting.remove(id);
            self.whole_impl(search, *id)?;
        }
        Ok(ready.len())
    }

    fn function(&self, search: &mut Search, id: FnId) -> Result<(), DifferentItem> {
        if self.differing.functions.contains(&id) {
            return Err(DifferentItem::Function(id));
        }
        if search.functions.insert(id) {
            search.open_functions.push(id);
        }
        Ok(())
    }

    fn adt(&self, search: &mut Search, id: AdtId) -> Result<(), DifferentItem> {
        if self.differing.adts.contains(&id) || self.differing.drops.contains(&id) {
            return Err(DifferentItem::Type(id));
        }
        if search.adts.insert(id) {
            search.open_adts.push(id);
        }
        Ok(())
    }

    /// Everything in the implementation may run.
    fn whole_impl(&self, search: &mut Search, id: ImplId) -> Result<(), DifferentItem> {
        if self.differing.impls.contains(&id) {
            return Err(DifferentItem::Implementation(id));
        }
        if search.impls.insert(id) {
            let item = &self.items.program.impls[id];
            for function in item.methods.values().chain(item.consts.values()) {
                self.function(search, *function)?;
            }
        }
        Ok(())
    }
}
