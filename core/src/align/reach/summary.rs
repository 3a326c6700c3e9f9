//! What an instance leads to whatever else is there, found once for all functions that lead to it.
//!
//! *Idea.* Functions of a crate lead to much the same: of six hundred functions over one type of numbers, each comes to the same five thousand instances. As in
//! [`super::Reach::reached_from`], what is reached without conditions is joined from strongly connected components, and only the conditions (which types are in play, what is
//! handed to unknown code) are looked at for each function anew.

use std::collections::BTreeSet;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instances::{Instance, TooMany};
use super::{Given, Reach, Reached};
use crate::align::uses::{Asks, Exposure};
use crate::idx::Idx;
use crate::ir::{FnId, Subst};

/// What an instance, and all that it leads to, come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// But for functions, of which none is noted.
    reached: Reached,
    /// Numbers of implementations that unknown code may call on what it is handed, by the order in which they were met.
    handed: FixedBitSet,
    asks: Asks,
}

impl Summary {
    fn join(&mut self, other: &Summary) {
        self.reached.join(&other.reached);
        self.handed.union_with(&other.handed);
        self.asks = self.asks.max(other.asks);
    }

    fn differs(&self) -> bool {
        self.reached.different.is_some()
    }
}

impl Reach<'_, '_> {
    /// Whether the function leads to something that differs where these types stand for its parameters.
    pub(super) fn leads_to_difference(
        &self,
        start: FnId,
        subst: &Subst,
        given: Given,
    ) -> Result<bool, TooMany> {
        let mut all = Summary::clone(&*self.summary(self.function_instance(start, subst))?);
        for id in self.given_objects(start, subst) {
            all.reached.waiting.grow_and_insert(id.index());
        }
        let mut entered = FixedBitSet::new();
        let mut exposure = Exposure::Named;
        while !all.differs() {
            if given == Given::CommonTypes && all.reached.exposure > exposure {
                exposure = all.reached.exposure;
                self.join_common(exposure, &mut all)?;
                continue;
            }
            let ready = self.come_into_play(&all.reached, given);
            let handed = self.handed_in(&all, &entered);
            if ready.is_empty() && handed.is_empty() {
                break;
            }
            for place in handed {
                entered.grow_and_insert(place);
                all.join(&*self.summary(self.instances.handed_at(place))?);
            }
            for id in ready {
                all.join(&*self.summary(self.instances.number(Instance::Impl(id)))?);
            }
        }
        Ok(all.differs() || self.difference_in_play(&all.reached, all.asks, given).is_some())
    }

    fn join_common(&self, exposure: Exposure, all: &mut Summary) -> Result<(), TooMany> {
        for id in self.common_impls(exposure) {
            all.join(&*self.summary(self.instances.number(Instance::Impl(id)))?);
        }
        Ok(())
    }

    /// What unknown code may call of what it is handed, where all types of it are there.
    fn handed_in(&self, all: &Summary, entered: &FixedBitSet) -> Vec<usize> {
        let is_ready = |place: &usize| self.is_handed_on(self.instances.handed_at(*place), &all.reached);
        all.handed.difference(entered).filter(is_ready).collect()
    }

    fn summary(&self, start: usize) -> Result<Rc<Summary>, TooMany> {
        if let Some(known) = self.instances.summary(start) {
            return Ok(known);
        }
        let mut graph = DiGraph::new();
        let mut places = FxHashMap::from_iter([(start, graph.add_node(start))]);
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            self.instances.sum_up(graph.node_count())?;
            let from = places[&number];
            let leads = self.leads(number);
            for next in leads.next.iter().copied().collect::<BTreeSet<usize>>() {
                if self.instances.summary(next).is_some() {
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
        for component in kosaraju_scc(&graph) {
            let members: Vec<usize> = component.iter().map(|place| graph[*place]).collect();
            let summary = Rc::new(self.summary_of_component(&members));
            members.iter().for_each(|member| self.instances.note_summary(*member, &summary));
        }
        Ok(self.instances.summary(start).unwrap_or_else(|| unreachable!("the start is in a component")))
    }

    /// That of instances which all lead to each other; what they lead to besides is known.
    fn summary_of_component(&self, members: &[usize]) -> Summary {
        let mut all = Summary::default();
        let mut joined = FxHashSet::default();
        for number in members {
            let leads = self.leads(*number);
            let reached = &mut all.reached;
            match &*self.instances.item(*number) {
                Instance::Function(..) | Instance::Handed(_) => {}
                Instance::Adt(id, ..) => reached.adts.grow_and_insert(id.index()),
                Instance::Impl(id) => reached.impls.grow_and_insert(id.index()),
            }
            leads.waiting.iter().for_each(|id| reached.waiting.grow_and_insert(id.index()));
            reached.exposure = reached.exposure.max(leads.exposure);
            reached.layout = reached.layout.max(leads.layout);
            reached.drops = reached.drops.max(leads.drops);
            if reached.different.is_none() {
                reached.different.clone_from(&leads.different);
            }
            all.asks = all.asks.max(leads.asks);
            for handed in &leads.handed {
                all.handed.grow_and_insert(self.instances.handed_place(*handed));
            }
            for next in &leads.next {
                if let Some(known) = self.instances.summary(*next)
                    && joined.insert(Rc::as_ptr(&known))
                {
                    all.join(&known);
                }
            }
        }
        all
    }
}
