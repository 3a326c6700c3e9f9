//! Everything that a function may come to run, and whether any of it differs between the versions.
//!
//! Idea (rapid type analysis): starting from the function, follow what items refer to. An implementation that a call on
//! a parameter or a `dyn` type might go to counts as soon as all types it is for have come into play: a value of a
//! type cannot be there without something reached naming the type. For a function that is generic or takes trait
//! objects, every type that both versions define is in play, as its caller may choose it.
//!
//! A type that differs counts where it is named. One that a caller chooses counts where the function, or what it runs, relies on the layout of its parameters
//! ([`super::layout`]). An implementation that one version lacks counts unless nothing in the other could have been used in its place ([`Differing::inert`]).
//!
//! A caller runs what it is not told of: of a `dyn` or `impl Trait` that the function gives it calls the trait's methods ([`Reach::difference_in_hidden`]).
//!
//! What an item leads to without such conditions is the same for every start. It is found once for each strongly
//! connected component of the graph of references and joined from there ([`Reach::reached_from`]); only the conditions
//! are looked at for each start anew. For starts whose caller chooses types, an implementation whose types are all among those that
//! it may choose is there without condition, so they have a graph of their own with more references. For `n` items that takes at most `2n²` bits.

mod handed;
mod instances;
#[cfg(test)]
mod instances_tests;
mod summary;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use self::instances::Instances;
use super::declarations::tells_names;
use super::layout::Layout;
use super::outside::is_of_library;
use super::uses::{Drops, Exposure, Items, Openness, Unknown, Uses, is_drop, is_formatting};
use super::{DifferentItem, Differing, SameNames};
use crate::idx::{Idx, IdxVec};
use crate::ir::{AdtId, FnBody, FnId, ImplId, Origin, Path, Trait};

/// What refers to what in one version, found out as it is needed.
pub(super) struct Reach<'r, 'a> {
    items: &'r Items<'a>,
    differing: &'r Differing,
    /// Functions that count as the same in both versions, whatever they run.
    passed: HashSet<FnId>,
    /// Functions of implementations that cannot come to be used.
    unused: HashSet<FnId>,
    /// What the signatures of `passed` refer to.
    signature_uses: IdxVec<FnId, OnceCell<Uses>>,
    adt_uses: IdxVec<AdtId, OnceCell<Uses>>,
    /// By what is given, and the item's number.
    known: [Vec<OnceCell<Rc<Reached>>>; 2],
    /// What the types that a caller may put in the place of a parameter bring with them.
    given: OnceCell<Reached>,
    /// The same where unknown code is handed whatever is in play: by whose code it is.
    given_to_library: OnceCell<Reached>,
    given_to_formatters: OnceCell<Reached>,
    given_to_anyone: OnceCell<Reached>,
    instances: Instances,
}

/// What is numbered: functions first, then types, then implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Function(FnId),
    Adt(AdtId),
    Impl(ImplId),
}

/// Items that are reached.
#[derive(Clone, Debug, Default)]
struct Reached {
    functions: FixedBitSet,
    adts: FixedBitSet,
    impls: FixedBitSet,
    /// Implementations that count if their types come into play.
    waiting: FixedBitSet,
    exposure: Exposure,
    /// Whose layout is looked at.
    layout: Layout,
    /// Whether what is dropped is known by its type, where that is looked at.
    drops: Drops,
    /// One of the items, or something that they refer to, is not the same in the other version.
    different: Option<DifferentItem>,
}

/// Types that are in play without being reached: those that a caller chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Nothing,
    CommonTypes,
}

impl Given {
    fn by(openness: Openness) -> Given {
        match openness {
            Openness::Open => Given::CommonTypes,
            Openness::Closed => Given::Nothing,
        }
    }
}

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    SomethingDiffers,
    AllIsReached,
}

impl<'r, 'a> Reach<'r, 'a> {
    pub(super) fn new(items: &'r Items<'a>, differing: &'r Differing) -> Self {
        Reach::beyond(items, differing, HashSet::new())
    }

    /// What is reached without passing through some functions: they are taken for the same in both versions, and of them only what their
    /// signatures refer to is followed.
    pub(super) fn beyond(items: &'r Items<'a>, differing: &'r Differing, passed: HashSet<FnId>) -> Self {
        let program = items.program;
        let nodes = program.functions.len() + program.adts.len() + program.impls.len();
        let inert = differing.inert.iter().map(|id| &program.impls[*id]);
        let unused =
            inert.flat_map(|item| item.methods.values().chain(item.consts.values())).copied().collect();
        Reach {
            items,
            differing,
            passed,
            unused,
            signature_uses: program.functions.iter().map(|_| OnceCell::new()).collect(),
            adt_uses: program.adts.iter().map(|_| OnceCell::new()).collect(),
            known: [(); 2].map(|()| (0..nodes).map(|_| OnceCell::new()).collect()),
            given: OnceCell::new(),
            given_to_library: OnceCell::new(),
            given_to_formatters: OnceCell::new(),
            given_to_anyone: OnceCell::new(),
            instances: Instances::default(),
        }
    }

    /// Fails with one thing that is not the same in the other version.
    pub(super) fn only_same(&self, start: FnId) -> Result<(), DifferentItem> {
        if let Some(what) = &self.differing.everything {
            return Err(DifferentItem::Build(what.clone()));
        }
        // What is nearest explains most.
        let itself = self.difference_at(Node::Function(start)).or_else(|| self.difference_in_values(start));
        let found = itself.or_else(|| self.difference_at_types(start, self.difference_anywhere(start)?));
        match found.or_else(|| self.difference_in_hidden(start)) {
            Some(item) => Err(item),
            None => Ok(()),
        }
    }

    /// One thing that is not the same of what the function may come to run, whatever parameters stand for.
    pub(super) fn difference_anywhere(&self, start: FnId) -> Option<DifferentItem> {
        let by_name = || self.reached_from(Node::Function(start), Given::Nothing).different.clone();
        by_name().or_else(|| self.search(&[start], Until::SomethingDiffers).different)
    }

    /// One thing that is not the same of what a caller may run by the traits of values whose types it is not told: of what implements these for the types
    /// that the function brings into play.
    pub(super) fn difference_in_hidden(&self, start: FnId) -> Option<DifferentItem> {
        self.reached_in_hidden(start).different
    }

    /// All functions that the function, and who calls what it gives, may come to run; fails with one thing that is not the same in the other version.
    pub(super) fn functions_if_same(&self, start: FnId) -> Result<FixedBitSet, DifferentItem> {
        self.only_same(start)?;
        let mut functions = self.search(&[start], Until::AllIsReached).functions;
        functions.union_with(&self.reached_in_hidden(start).functions);
        Ok(functions)
    }

    /// Whether the function is of an implementation that cannot come to be used.
    pub(super) fn is_unused(&self, id: FnId) -> bool {
        self.unused.contains(&id)
    }

    /// What a caller may run by the traits of values whose types it is not told, beside what the function runs.
    fn reached_in_hidden(&self, start: FnId) -> Reached {
        let traits = self.items.hidden_traits(start);
        if traits.is_empty() {
            return Reached::default();
        }
        let program = self.items.program;
        let given = self.given_for(start);
        let in_play = self.search(&[start], Until::AllIsReached).adts;
        let mut hidden = Reached { adts: in_play, ..Reached::default() };
        let mut handed = Exposure::Named;
        while hidden.different.is_none() {
            if given == Given::CommonTypes && hidden.exposure > handed {
                handed = hidden.exposure;
                hidden.join(self.given_to(handed));
                continue;
            }
            let is_called = |id: &ImplId| {
                let mut adts = self.items.adts_of_impl(*id);
                traits.may_be(&program.impls[*id].trait_ref.path)
                    && !self.differing.inert.contains(id)
                    && !hidden.impls.contains(id.index())
                    && adts.all(|adt| hidden.adts.contains(adt.index()))
            };
            let called: BTreeSet<ImplId> = program.impls.ids().filter(is_called).collect();
            for id in &called {
                let path = &program.impls[*id].trait_ref.path;
                if self.differing.traits.contains(path) {
                    return Reached { different: Some(DifferentItem::Trait(path.clone())), ..hidden };
                }
                let defaults =
                    |item: &'a Trait| item.default_methods.values().chain(item.default_consts.values());
                for default in program.trait_(path).into_iter().flat_map(defaults) {
                    hidden.join(&self.reached_from(Node::Function(*default), given));
                }
            }
            let ready = self.come_into_play(&hidden, given);
            if called.is_empty() && ready.is_empty() {
                break;
            }
            for id in called.into_iter().chain(ready) {
                hidden.join(&self.reached_from(Node::Impl(id), given));
            }
        }
        hidden
    }

    /// What the caller of a function chooses.
    fn given_for(&self, start: FnId) -> Given {
        Given::by(self.items.takes_any_type(start))
    }

    /// A type that values consist of which the function takes or gives: it is compared by what both versions have of it.
    fn difference_in_values(&self, start: FnId) -> Option<DifferentItem> {
        let mut seen = self.items.uses_of_signature(start).adts;
        let mut open: Vec<AdtId> = seen.iter().copied().collect();
        while let Some(adt) = open.pop() {
            if self.differing.adts.contains(&adt) {
                return Some(DifferentItem::Type(adt));
            }
            let fields = self.items.adts_of_fields(adt, |_, _| true);
            open.extend(fields.into_iter().filter(|id| seen.insert(*id)));
        }
        None
    }

    /// The items through which the function leads to the nearest that refers to something that differs, itself first. Before an implementation that
    /// counts because its types are in play stands the item that made the call on whatever is in play. Empty if nothing differs but what belongs to no item.
    pub(super) fn route(&self, start: FnId) -> Vec<Node> {
        if self.difference_at(Node::Function(start)).is_none()
            && let Some(route) = self.route_at_types(start)
        {
            return route;
        }
        let mut from: FxHashMap<Node, Option<Node>> = FxHashMap::from_iter([(Node::Function(start), None)]);
        let mut order = vec![Node::Function(start)];
        let mut reached = Reached::default();
        let mut at = 0;
        let given = self.given_for(start);
        loop {
            while let Some(node) = order.get(at).copied() {
                at += 1;
                if self.difference_at(node).is_some() {
                    return route_to(&from, node);
                }
                reached.take_in(node, self.uses(node), &self.differing.inert);
                for next in self.successors(node, Given::Nothing) {
                    from.entry(next).or_insert_with(|| {
                        order.push(next);
                        Some(node)
                    });
                }
            }
            let ready = self.come_into_play(&reached, given);
            if ready.is_empty() {
                let looks =
                    |node: &&Node| self.uses(**node).is_some_and(|uses| uses.layout == Layout::OfAllInPlay);
                return order.iter().find(looks).map_or_else(Vec::new, |node| route_to(&from, *node));
            }
            for id in ready {
                let may_call = |node: &&Node| {
                    self.uses(**node)
                        .is_some_and(|uses| uses.is_possible(id) || uses.exposure != Exposure::Named)
                };
                let caller = order.iter().find(may_call).copied();
                from.entry(Node::Impl(id)).or_insert_with(|| {
                    order.push(Node::Impl(id));
                    caller
                });
            }
        }
    }

    /// All functions that the function may come to run, if nothing is said to differ.
    pub(super) fn functions(&self, start: FnId) -> HashSet<FnId> {
        self.search(&[start], Until::SomethingDiffers).functions.ones().map(FnId::from_usize).collect()
    }

    /// The functions that one refers to itself, defined or not; so does what it calls of traits, whatever may be meant.
    pub(super) fn named_by(&self, id: FnId) -> impl Iterator<Item = &Path> {
        let uses = self.uses_of_function(id);
        let defined = uses.functions.iter().map(|id| &self.items.program.functions[*id].path);
        defined.chain(&uses.unknown)
    }

    /// All that the functions may come to refer to and the program does not define, if nothing is said to differ.
    pub(super) fn undefined(&self, starts: &[FnId]) -> BTreeSet<&Path> {
        self.undefined_in(&self.search(starts, Until::SomethingDiffers))
    }

    /// The same of functions about none of which is asked alone, where nothing differs.
    pub(super) fn undefined_of_all(&self, starts: &[FnId]) -> BTreeSet<&Path> {
        self.undefined_in(&self.reached_from_all(starts))
    }

    fn undefined_in(&self, reached: &Reached) -> BTreeSet<&Path> {
        let of_functions = reached.functions.ones().map(|id| self.uses_of_function(FnId::from_usize(id)));
        let of_adts = reached.adts.ones().map(|id| self.uses_of_adt(AdtId::from_usize(id)));
        of_functions.chain(of_adts).flat_map(|uses| &uses.unknown).collect()
    }

    /// Everything that one of the functions may come to run or use. What a single one leads to is not kept for others, so this takes one look at each item.
    fn reached_from_all(&self, starts: &[FnId]) -> Reached {
        let mut all = Reached::default();
        self.join_ambient(&mut all);
        let given = self.given_for_all(starts);
        let mut open: Vec<Node> = starts.iter().copied().map(Node::Function).collect();
        let mut seen: FxHashSet<Node> = open.iter().copied().collect();
        let mut handed = None;
        loop {
            while let Some(node) = open.pop() {
                all.take_in(node, self.uses(node), &self.differing.inert);
                open.extend(self.successors(node, given).into_iter().filter(|next| seen.insert(*next)));
            }
            let mut impls = self.come_into_play(&all, given);
            if given == Given::CommonTypes && handed < Some(all.exposure) {
                handed = Some(all.exposure);
                impls.extend(self.common_impls(all.exposure));
            }
            open.extend(impls.into_iter().map(Node::Impl).filter(|next| seen.insert(*next)));
            if open.is_empty() {
                return all;
            }
        }
    }

    /// What the callers of functions choose, if nothing is asked of one of them alone.
    fn given_for_all(&self, starts: &[FnId]) -> Given {
        let is_given = |start: &FnId| self.given_for(*start) == Given::CommonTypes;
        if starts.iter().any(is_given) { Given::CommonTypes } else { Given::Nothing }
    }

    /// Everything that one of the functions may come to run or use.
    fn search(&self, starts: &[FnId], until: Until) -> Reached {
        let different = self.differing.frames.first().cloned().map(DifferentItem::Frame);
        let mut all = Reached { different, ..Reached::default() };
        self.join_ambient(&mut all);
        let given = self.given_for_all(starts);
        for start in starts {
            all.join(&self.reached_from(Node::Function(*start), given));
        }
        if given == Given::CommonTypes {
            all.join(self.given_to(Exposure::Named));
        }
        let mut handed = Exposure::Named;
        while until == Until::AllIsReached || all.different.is_none() {
            if given == Given::CommonTypes && all.exposure > handed {
                handed = all.exposure;
                all.join(self.given_to(handed));
                continue;
            }
            let ready = self.come_into_play(&all, given);
            if ready.is_empty() {
                break;
            }
            for id in ready {
                if !all.impls.contains(id.index()) {
                    all.join(&self.reached_from(Node::Impl(id), given));
                }
            }
        }
        // Those that are reached were looked at; these a caller chooses.
        if all.different.is_none() && all.layout == Layout::OfAllInPlay && given == Given::CommonTypes {
            all.different = self.chosen_type_that_differs();
        }
        all
    }

    fn chosen_type_that_differs(&self) -> Option<DifferentItem> {
        let Differing { adts, adts_elsewhere, .. } = self.differing;
        let differs = |adt: &&AdtId| adts.contains(*adt) && !adts_elsewhere.contains(*adt);
        self.differing.common_adts.iter().filter(differs).min().copied().map(DifferentItem::Type)
    }

    /// The implementations for the type, or with it, that may be used.
    fn impls_of_adt(&self, adt: AdtId) -> impl Iterator<Item = ImplId> + '_ {
        self.items.impls_of_adt(adt).iter().copied().filter(|id| !self.differing.inert.contains(id))
    }

    /// Those of them that code which is handed a value of it can come to call: the standard library knows no trait of the program.
    fn impls_for(&self, adt: AdtId, to: Unknown) -> impl Iterator<Item = ImplId> + '_ {
        let program = self.items.program;
        let may_know = move |id: &ImplId| {
            let path = &program.impls[*id].trait_ref.path;
            let is_of_library = || path.is_of_std() || program.trait_(path).is_none();
            match to {
                Unknown::Library => is_of_library() && !is_formatting(path),
                Unknown::Formatter => is_of_library(),
                Unknown::Anyone => true,
            }
        };
        self.impls_of_adt(adt).filter(may_know)
    }

    fn all_impls_for(&self, adts: impl Iterator<Item = AdtId>, to: Unknown) -> Vec<ImplId> {
        adts.flat_map(|adt| self.impls_for(adt, to)).collect()
    }

    /// What is there without being named, with everything that is implemented for its type.
    fn join_ambient(&self, all: &mut Reached) {
        for id in &self.items.program.declared.ambient {
            // An allocator is told how large everything is.
            all.layout = Layout::OfAllInPlay;
            let node = Node::Function(*id);
            all.join(&self.reached_from(node, Given::Nothing));
            if all.different.is_none() {
                all.different = self.difference_at(node);
            }
            let adts = self.items.uses_of_signature(*id).adts;
            for item in adts.iter().flat_map(|adt| self.impls_of_adt(*adt)) {
                all.join(&self.reached_from(Node::Impl(item), Given::Nothing));
            }
        }
    }

    /// What a caller chooses is dropped, and unknown code that is handed it may call what is implemented for it.
    fn given_to(&self, exposure: Exposure) -> &Reached {
        let known = match exposure {
            Exposure::Named => &self.given,
            Exposure::InPlayToLibrary => &self.given_to_library,
            Exposure::InPlayToFormatters => &self.given_to_formatters,
            Exposure::AllInPlay => &self.given_to_anyone,
        };
        known.get_or_init(|| {
            let mut all = Reached::default();
            for id in self.common_impls(exposure) {
                if !all.impls.contains(id.index()) {
                    all.join(&self.reached_from(Node::Impl(id), Given::CommonTypes));
                }
            }
            all
        })
    }

    /// Implementations that unknown code may call of what a caller chooses, or that are called where it is dropped.
    fn common_impls(&self, exposure: Exposure) -> Vec<ImplId> {
        let adts = self.differing.common_adts.iter().copied();
        let mut impls: Vec<ImplId> = match exposure.to() {
            Some(to) => self.all_impls_for(adts, to),
            None => adts
                .filter(|adt| self.is_dropped_as_chosen(*adt))
                .flat_map(|adt| self.destructors(adt))
                .collect(),
        };
        impls.retain(|id| !self.differing.impls_elsewhere.contains(id));
        impls
    }

    /// What destructors of the standard library call of what they hold (`Splice`, `BufWriter`) is seen where a caller makes such a value.
    fn is_dropped_as_chosen(&self, adt: AdtId) -> bool {
        !is_of_library(&self.items.program.adts[adt].path)
    }

    fn destructors(&self, adt: AdtId) -> impl Iterator<Item = ImplId> + '_ {
        let is_destructor = |id: &ImplId| is_drop(&self.items.program.impls[*id].trait_ref.path);
        self.items.impls_of_adt(adt).iter().copied().filter(is_destructor)
    }

    /// What may run where something is dropped that may be of any type in play.
    fn destructors_in_play<'s>(
        &'s self,
        reached: &'s Reached,
        given: Given,
    ) -> impl Iterator<Item = ImplId> + 's {
        let adts = self.items.program.adts.ids();
        let in_play = move |adt: &AdtId| {
            reached.adts.contains(adt.index())
                || (self.is_chosen(*adt, given) && self.is_dropped_as_chosen(*adt))
        };
        adts.filter(in_play).flat_map(move |adt| self.destructors(adt))
    }

    /// The implementations that are not reached yet and whose types are all in play by now.
    fn come_into_play(&self, reached: &Reached, given: Given) -> Vec<ImplId> {
        let in_play = |adt: AdtId| reached.adts.contains(adt.index()) || self.is_chosen(adt, given);
        let is_new =
            |id: &ImplId| !reached.impls.contains(id.index()) && self.is_there_or_own(*id, &reached.adts);
        let waiting = reached.waiting.difference(&reached.impls).map(ImplId::from_usize);
        let is_ready = |id: &ImplId| {
            self.items.adts_of_impl(*id).all(in_play) && self.is_there_or_own(*id, &reached.adts)
        };
        let mut ready: Vec<ImplId> = waiting.filter(is_ready).collect();
        let adts = self.items.program.adts.ids().filter(|adt| in_play(*adt));
        let called = reached.exposure.to().map(|to| self.all_impls_for(adts, to)).unwrap_or_default();
        ready.extend(called.into_iter().filter(is_new));
        if reached.drops == Drops::OfAllInPlay {
            ready.extend(self.destructors_in_play(reached, given).filter(is_new));
        }
        ready.sort_unstable();
        ready.dedup();
        ready
    }

    /// Whether the implementation is one that a caller's choice may bring into play, or its types are reached without.
    fn is_there_or_own(&self, id: ImplId, reached: &FixedBitSet) -> bool {
        !self.differing.impls_elsewhere.contains(&id)
            || self.items.adts_of_impl(id).all(|adt| reached.contains(adt.index()))
    }

    /// Whether values of the type may come from a caller, who may choose it.
    fn is_chosen(&self, adt: AdtId, given: Given) -> bool {
        given == Given::CommonTypes && self.differing.common_adts.contains(&adt)
    }

    /// What the item leads to whatever types are in play besides those that are given.
    fn reached_from(&self, start: Node, given: Given) -> Rc<Reached> {
        let known = &self.known[given as usize];
        if let Some(known) = known[self.number(start)].get() {
            return Rc::clone(known);
        }
        let mut graph = DiGraph::new();
        let mut places = FxHashMap::from_iter([(start, graph.add_node(start))]);
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let from = places[&node];
            for next in self.successors(node, given) {
                if known[self.number(next)].get().is_some() {
                    continue;
                }
                let to = *places.entry(next).or_insert_with(|| {
                    open.push(next);
                    graph.add_node(next)
                });
                graph.add_edge(from, to, ());
            }
        }
        // Components come after those that they lead to.
        for mut component in kosaraju_scc(&graph) {
            component.sort_unstable();
            let members: Vec<Node> = component.iter().map(|place| graph[*place]).collect();
            let reached = Rc::new(self.reached_from_component(&members, given));
            for member in members {
                known[self.number(member)].get_or_init(|| Rc::clone(&reached));
            }
        }
        Rc::clone(known[self.number(start)].get_or_init(|| unreachable!("the start is in a component")))
    }

    /// What the items lead to, which all lead to each other; what they lead to besides is known.
    fn reached_from_component(&self, members: &[Node], given: Given) -> Reached {
        let different = members.iter().find_map(|member| self.difference_at(*member));
        let mut reached = Reached { different, ..Reached::default() };
        for member in members {
            reached.take_in(*member, self.uses(*member), &self.differing.inert);
        }
        let mut joined = FxHashSet::default();
        for next in members.iter().flat_map(|member| self.successors(*member, given)) {
            if let Some(known) = self.known[given as usize][self.number(next)].get()
                && joined.insert(Rc::as_ptr(known))
            {
                reached.join(known);
            }
        }
        reached
    }

    /// What the item refers to, so that it may run or be there where these types are in play.
    fn successors(&self, node: Node, given: Given) -> Vec<Node> {
        match self.uses(node) {
            Some(uses) => {
                let exposed = [
                    (&uses.exposed, Unknown::Anyone),
                    (&uses.exposed_to_formatters, Unknown::Formatter),
                    (&uses.exposed_to_library, Unknown::Library),
                ];
                let exposed =
                    exposed.into_iter().flat_map(|(adts, to)| self.all_impls_for(adts.iter().copied(), to));
                let used = uses.functions.iter().filter(|id| !self.unused.contains(id));
                let functions = used.copied().map(Node::Function);
                let adts = uses.adts.iter().copied().map(Node::Adt);
                let in_play = |id: &ImplId| {
                    !self.differing.inert.contains(id)
                        && !self.differing.impls_elsewhere.contains(id)
                        && self.items.adts_of_impl(*id).all(|adt| self.is_chosen(adt, given))
                };
                let possible = uses.possible_impls().filter(in_play);
                functions.chain(adts).chain(exposed.chain(possible).map(Node::Impl)).collect()
            }
            None => self.functions_of_impl(node).map(Node::Function).collect(),
        }
    }

    /// Everything in an implementation may run.
    fn functions_of_impl(&self, node: Node) -> impl Iterator<Item = FnId> + '_ {
        let item = match node {
            Node::Impl(id) => Some(&self.items.program.impls[id]),
            Node::Function(_) | Node::Adt(_) => None,
        };
        item.into_iter().flat_map(|item| item.methods.values().chain(item.consts.values())).copied()
    }

    /// What makes the item itself, or something that it refers to, another than in the other version.
    fn difference_at(&self, node: Node) -> Option<DifferentItem> {
        self.difference_in(node, self.uses(node))
    }

    /// The same where the item refers to these; of an implementation that is not asked.
    fn difference_in(&self, node: Node, uses: Option<&Uses>) -> Option<DifferentItem> {
        let differing = self.differing;
        let of_function = |id: &FnId| {
            let differs =
                differing.functions.contains(id) && !self.passed.contains(id) && !self.unused.contains(id);
            differs.then_some(DifferentItem::Function(*id)).or_else(|| self.foreign_code_of(*id))
        };
        let of_adt = |id: &AdtId| {
            let differs = differing.adts.contains(id) || differing.drops.contains(id);
            differs.then_some(DifferentItem::Type(*id))
        };
        let is_used = |id: &ImplId| differing.impls.contains(id) && !differing.inert.contains(id);
        let of_impl = |id: &ImplId| is_used(id).then_some(DifferentItem::Implementation(*id));
        let itself = match &node {
            Node::Function(id) => of_function(id),
            Node::Adt(id) => of_adt(id),
            Node::Impl(id) => of_impl(id),
        };
        let Some(uses) = uses else {
            return itself.or_else(|| self.functions_of_impl(node).find_map(|id| of_function(&id)));
        };
        let of_trait =
            |path: &Path| differing.traits.contains(path).then(|| DifferentItem::Trait(path.clone()));
        let of_outside = |path: &Path| {
            let changed = differing.outside.may_have_changed(path);
            let foreign = differing.foreign_code.as_ref().filter(|_| !is_of_library(path));
            let foreign = foreign.map(|what| DifferentItem::Build(what.clone()));
            changed.then(|| DifferentItem::OfChangedCrate(path.clone())).or(foreign)
        };
        let of_foreign =
            |path: &Path| differing.foreign.contains(path).then(|| DifferentItem::Foreign(path.clone()));
        let is_model =
            matches!(node, Node::Function(id) if self.items.program.functions[id].origin == Origin::StdModel);
        let of_names = |path: &Path| {
            // Models go by what of std a name begins with.
            let told = differing.names == SameNames::No && tells_names(path) && !is_model;
            told.then(|| DifferentItem::Names(path.clone()))
        };
        itself
            .or_else(|| uses.foreign.iter().find_map(of_foreign))
            .or_else(|| uses.unknown.iter().find_map(of_names))
            .or_else(|| uses.traits.iter().find_map(of_trait))
            .or_else(|| uses.impls.iter().find_map(of_impl))
            .or_else(|| uses.unknown.iter().find_map(of_outside))
            .or_else(|| uses.functions.iter().find_map(of_function))
            .or_else(|| uses.shaped.iter().find_map(of_adt))
            .or_else(|| uses.adts.iter().find_map(of_adt))
    }

    /// The function may be foreign code, if that differs: it has no body and is of no model.
    fn foreign_code_of(&self, id: FnId) -> Option<DifferentItem> {
        let what = self.differing.foreign_code.as_ref()?;
        let function = &self.items.program.functions[id];
        let may_be_foreign = matches!(function.body, FnBody::Missing) && function.origin != Origin::StdModel;
        may_be_foreign.then(|| DifferentItem::Build(what.clone()))
    }

    /// None for an implementation.
    fn uses(&self, node: Node) -> Option<&Uses> {
        match node {
            Node::Function(id) => Some(self.uses_of_function(id)),
            Node::Adt(id) => Some(self.uses_of_adt(id)),
            Node::Impl(_) => None,
        }
    }

    fn uses_of_function(&self, id: FnId) -> &Uses {
        match self.passed.contains(&id) {
            true => self.signature_uses[id].get_or_init(|| self.items.uses_of_signature(id)),
            false => self.items.uses_of_function(id),
        }
    }

    fn uses_of_adt(&self, id: AdtId) -> &Uses {
        self.adt_uses[id].get_or_init(|| self.items.uses_of_adt(id))
    }

    fn number(&self, node: Node) -> usize {
        let program = self.items.program;
        match node {
            Node::Function(id) => id.index(),
            Node::Adt(id) => program.functions.len() + id.index(),
            Node::Impl(id) => program.functions.len() + program.adts.len() + id.index(),
        }
    }
}

/// From the start to the item.
fn route_to(from: &FxHashMap<Node, Option<Node>>, end: Node) -> Vec<Node> {
    let mut route: Vec<Node> =
        std::iter::successors(Some(end), |node| from.get(node).copied().flatten()).collect();
    route.reverse();
    route
}

impl Reached {
    /// The item itself, and what it says of others that may count.
    fn take_in(&mut self, node: Node, uses: Option<&Uses>, inert: &HashSet<ImplId>) {
        match node {
            Node::Function(id) => self.functions.grow_and_insert(id.index()),
            Node::Adt(id) => self.adts.grow_and_insert(id.index()),
            Node::Impl(id) => self.impls.grow_and_insert(id.index()),
        }
        if let Some(uses) = uses {
            let possible = uses.possible_impls().filter(|id| !inert.contains(id));
            possible.for_each(|id| self.waiting.grow_and_insert(id.index()));
            self.exposure = self.exposure.max(uses.exposure);
            self.layout = self.layout.max(uses.layout);
        }
    }

    fn join(&mut self, other: &Reached) {
        self.functions.union_with(&other.functions);
        self.adts.union_with(&other.adts);
        self.impls.union_with(&other.impls);
        self.waiting.union_with(&other.waiting);
        self.exposure = self.exposure.max(other.exposure);
        self.layout = self.layout.max(other.layout);
        self.drops = self.drops.max(other.drops);
        if self.different.is_none() {
            self.different.clone_from(&other.different);
        }
    }
}
