//! Whether anything differs of what a function may come to run, at the types at which it runs it.
//!
//! *Idea (rapid type analysis over instances).* [`super::Reach`] follows functions whatever their parameters stand for, so one call of `[T]::iter` leads to every
//! iterator of the program. Where it finds something that differs, functions are followed once more with what their parameters stand for
//! ([`super::super::uses`]), and only what differs among these counts.
//!
//! *Definition.* The rules are those of [`super::Reach`], for instances in the place of functions and types. Implementations that count because their types are in play are
//! followed at any arguments, those that unknown code may call of what it is handed at the arguments of that ([`super::handed`]). A search that comes to more than [`MOST`] instances is given up, and so are all once they came to [`MOST_TOGETHER`], or to [`MOST_COMPARISONS`]: then what was found
//! before stands.
//!
//! D. Bacon, P. Sweeney: Fast static analysis of C++ virtual function calls, OOPSLA 1996; F. Tip, J. Palsberg: Scalable propagation-based call graph construction
//! algorithms, OOPSLA 2000.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::handed::Handed;
use super::summary::Summary;
use super::{Given, Node, Reach, Reached};
use crate::align::DifferentItem;
use crate::align::layout::Layout;
use crate::align::uses::{Asks, Drops, Exposure, Held, Uses};
use crate::idx::Idx;
use crate::ir::{AdtId, FnId, ImplId, Subst};

/// Instances that one search comes to, and all searches of one version together.
const MOST: usize = 20_000;
const MOST_TOGETHER: usize = 100_000;
/// Implementations held against calls, in all searches of one version.
const MOST_COMPARISONS: usize = 500_000;

/// An item at what its parameters stand for. An implementation is one for any arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Instance {
    Function(FnId, Subst),
    Adt(AdtId, Subst, Held),
    Impl(ImplId),
    /// An implementation of which unknown code may call anything.
    Handed(Handed),
}

/// All instances that were met, by number, and what each leads to as far as that was asked.
#[derive(Default)]
pub(super) struct Instances {
    numbers: RefCell<FxHashMap<Rc<Instance>, usize>>,
    items: RefCell<Vec<Rc<Instance>>>,
    leads: RefCell<Vec<Option<Rc<Leads>>>>,
    summaries: RefCell<FxHashMap<usize, Rc<Summary>>>,
    /// Numbers of those that unknown code may call, in the order in which they were met, and the place of each in it.
    handed: RefCell<Vec<usize>>,
    places_of_handed: RefCell<FxHashMap<usize, usize>>,
    summed_up: Cell<usize>,
    searched: Cell<usize>,
    compared: Cell<usize>,
}

/// What an instance leads to directly.
#[derive(Debug, Default)]
pub(super) struct Leads {
    pub different: Option<DifferentItem>,
    pub next: Vec<usize>,
    /// Implementations that count if their types come into play.
    pub waiting: Vec<ImplId>,
    /// Those that unknown code may call on what it is handed, if their other types are there as well: not just because a caller may choose them, as what a caller
    /// chooses is handed on as what it is, a parameter.
    pub handed: Vec<usize>,
    pub exposure: Exposure,
    pub layout: Layout,
    pub asks: Asks,
    pub drops: Drops,
}

impl Instances {
    pub(super) fn number(&self, instance: Instance) -> usize {
        if let Some(known) = self.numbers.borrow().get(&instance) {
            return *known;
        }
        let instance = Rc::new(instance);
        let number = self.items.borrow().len();
        self.items.borrow_mut().push(Rc::clone(&instance));
        self.leads.borrow_mut().push(None);
        self.numbers.borrow_mut().insert(instance, number);
        number
    }

    pub(super) fn item(&self, number: usize) -> Rc<Instance> {
        Rc::clone(&self.items.borrow()[number])
    }

    pub(super) fn summary(&self, number: usize) -> Option<Rc<Summary>> {
        self.summaries.borrow().get(&number).cloned()
    }

    pub(super) fn note_summary(&self, number: usize, summary: &Rc<Summary>) {
        self.summaries.borrow_mut().insert(number, Rc::clone(summary));
    }

    /// The instance that stands at this place among those that unknown code may call.
    pub(super) fn handed_at(&self, place: usize) -> usize {
        self.handed.borrow()[place]
    }

    pub(super) fn handed_place(&self, number: usize) -> usize {
        *self.places_of_handed.borrow_mut().entry(number).or_insert_with(|| {
            let mut handed = self.handed.borrow_mut();
            handed.push(number);
            handed.len() - 1
        })
    }

    /// Counts one more that is summed up, where so many are summed up together.
    pub(super) fn sum_up(&self, together: usize) -> Result<(), TooMany> {
        self.visit(&self.summed_up, together)
    }

    fn visit(&self, count: &Cell<usize>, together: usize) -> Result<(), TooMany> {
        count.set(count.get() + 1);
        let is_too_much =
            together > MOST || count.get() > MOST_TOGETHER || self.compared.get() > MOST_COMPARISONS;
        if is_too_much { Err(TooMany) } else { Ok(()) }
    }
}

/// One search, which goes to what is nearest first.
#[derive(Default)]
struct Search {
    seen: FixedBitSet,
    /// What was found, in this order, and at which place in it stands what it was found through.
    order: Vec<(usize, Option<usize>)>,
    /// At which place stands what may call the implementation.
    callers: FxHashMap<ImplId, usize>,
    /// Implementations that unknown code may call on what it is handed, and at which place stands what hands it on.
    handed: FxHashMap<usize, usize>,
}

impl Search {
    fn add(&mut self, number: usize, through: Option<usize>) {
        self.seen.grow(number + 1);
        if !self.seen.put(number) {
            self.order.push((number, through));
        }
    }
}

/// What was found: something that differs, and through what the function leads to it, itself first.
type Found = Option<(DifferentItem, Vec<Node>)>;

/// There are more instances than are followed.
pub(super) struct TooMany;

impl Reach<'_, '_> {
    /// Something that differs among what the function may come to run, of which `found` was found without regard to types.
    pub(super) fn difference_at_types(&self, start: FnId, found: DifferentItem) -> Option<DifferentItem> {
        match self.search_instances(start) {
            Ok(found) => found.map(|(item, _)| item),
            Err(TooMany) => Some(found),
        }
    }

    /// Whether nothing that differs is among what the function may come to run where these types stand for its parameters. They are then no caller's choice.
    pub(in super::super) fn is_same_at(&self, start: FnId, subst: &Subst) -> bool {
        let given = Given::by(self.items.is_given_any_type_at(start, subst));
        matches!(self.search_from(start, subst, given), Ok(None))
    }

    /// Something that differs among what the function may come to run where these types stand for its parameters; none if that is not known either.
    pub(in super::super) fn difference_for(&self, start: FnId, subst: &Subst) -> Option<DifferentItem> {
        let given = Given::by(self.items.is_given_any_type_at(start, subst));
        self.search_from(start, subst, given).ok().flatten().map(|(item, _)| item)
    }

    /// The way to what differs, if it is known at types.
    pub(super) fn route_at_types(&self, start: FnId) -> Option<Vec<Node>> {
        self.search_instances(start).ok().flatten().map(|(_, route)| route)
    }

    fn search_instances(&self, start: FnId) -> Result<Found, TooMany> {
        let given = Given::by(self.items.is_given_any_type(start));
        self.search_from(start, &Subst::new(), given)
    }

    fn search_from(&self, start: FnId, subst: &Subst, given: Given) -> Result<Found, TooMany> {
        if !self.differing.frames.is_empty() || !self.items.program.declared.ambient.is_empty() {
            return Err(TooMany);
        }
        if !self.leads_to_difference(start, subst, given)? {
            return Ok(None);
        }
        self.nearest_difference(start, subst, given)
    }

    /// What may be called of objects that the caller hands over.
    pub(super) fn given_objects(&self, start: FnId, subst: &Subst) -> Vec<ImplId> {
        self.used(self.items.impls_of_given_objects(start, subst))
    }

    /// Looks at each instance anew, the nearest first.
    pub(super) fn nearest_difference(
        &self,
        start: FnId,
        subst: &Subst,
        given: Given,
    ) -> Result<Found, TooMany> {
        let (mut reached, mut search) = (Reached::default(), Search::default());
        search.add(self.function_instance(start, subst), None);
        for id in self.given_objects(start, subst) {
            reached.waiting.grow_and_insert(id.index());
            search.callers.insert(id, 0);
        }
        let (mut exposure, mut asks, mut at) = (Exposure::Named, Asks::OfNamed, 0);
        loop {
            while let Some((number, _)) = search.order.get(at).copied() {
                let leads = self.leads(number);
                if let Some(different) = &leads.different {
                    return Ok(Some((different.clone(), self.route_of(&search, at))));
                }
                match *self.instances.items.borrow()[number] {
                    Instance::Function(..) | Instance::Handed(_) => {}
                    Instance::Adt(id, ..) => reached.adts.grow_and_insert(id.index()),
                    Instance::Impl(id) => reached.impls.grow_and_insert(id.index()),
                }
                for id in &leads.waiting {
                    reached.waiting.grow_and_insert(id.index());
                    search.callers.entry(*id).or_insert(at);
                }
                for handed in &leads.handed {
                    search.handed.entry(*handed).or_insert(at);
                }
                reached.exposure = reached.exposure.max(leads.exposure);
                reached.layout = reached.layout.max(leads.layout);
                reached.drops = reached.drops.max(leads.drops);
                asks = asks.max(leads.asks);
                leads.next.iter().for_each(|next| search.add(*next, Some(at)));
                self.instances.visit(&self.instances.searched, search.order.len())?;
                at += 1;
            }
            if given == Given::CommonTypes && reached.exposure > exposure {
                exposure = reached.exposure;
                self.add_common(exposure, &mut search);
                continue;
            }
            let ready = self.come_into_play(&reached, given);
            let handed = self.handed_on(&search, &reached);
            if ready.is_empty() && handed.is_empty() {
                break;
            }
            handed.into_iter().for_each(|(number, through)| search.add(number, Some(through)));
            for id in ready {
                let through = search.callers.get(&id).copied();
                search.add(self.instances.number(Instance::Impl(id)), through);
            }
        }
        let different = self.difference_in_play(&reached, asks, given);
        Ok(different.map(|different| (different, vec![Node::Function(start)])))
    }

    /// What unknown code may call of what it is handed, where all types of it are there, in a fixed order.
    fn handed_on(&self, search: &Search, reached: &Reached) -> Vec<(usize, usize)> {
        let new = search.handed.iter().filter(|(number, _)| !search.seen.contains(**number));
        let mut ready: Vec<_> = new
            .map(|(number, at)| (*number, *at))
            .filter(|(number, _)| self.is_handed_on(*number, reached))
            .collect();
        ready.sort_unstable();
        ready
    }

    /// Whether all types are there of what unknown code may call.
    pub(super) fn is_handed_on(&self, number: usize, reached: &Reached) -> bool {
        let is_there = |adt: AdtId| reached.adts.contains(adt.index());
        match &*self.instances.item(number) {
            Instance::Handed(handed) => self.items.adts_of_impl(handed.id).all(is_there),
            Instance::Function(..) | Instance::Adt(..) | Instance::Impl(_) => true,
        }
    }

    /// Something that differs of what is in play, where all that is reached is the same: what is asked of types, and how they are laid out.
    pub(super) fn difference_in_play(
        &self,
        reached: &Reached,
        asks: Asks,
        given: Given,
    ) -> Option<DifferentItem> {
        let answers = asks == Asks::OfAllInPlay;
        let looks = reached.layout == Layout::OfAllInPlay && given == Given::CommonTypes;
        let answer = answers.then(|| self.answer_that_differs(reached, given)).flatten();
        answer.or_else(|| self.chosen_type_that_differs().filter(|_| looks))
    }

    /// An implementation of a trait of the standard library, which one version lacks or has otherwise, for types that are in play.
    fn answer_that_differs(&self, reached: &Reached, given: Given) -> Option<DifferentItem> {
        let program = self.items.program;
        let in_play = |adt: AdtId| reached.adts.contains(adt.index()) || self.is_chosen(adt, given);
        let answers = |id: &&ImplId| {
            let is_used = !self.differing.inert.contains(*id);
            let is_asked = program.impls[**id].trait_ref.path.is_of_std()
                || program.trait_(&program.impls[**id].trait_ref.path).is_none();
            is_used
                && is_asked
                && self.items.adts_of_impl(**id).all(in_play)
                && self.is_there_or_own(**id, &reached.adts)
        };
        self.differing.impls.iter().filter(answers).min().copied().map(DifferentItem::Implementation)
    }

    fn add_common(&self, exposure: Exposure, search: &mut Search) {
        for id in self.common_impls(exposure) {
            search.add(self.instances.number(Instance::Impl(id)), None);
        }
    }

    fn route_of(&self, search: &Search, end: usize) -> Vec<Node> {
        let places = std::iter::successors(Some(end), |at| search.order[*at].1);
        let node = |at: usize| match *self.instances.items.borrow()[search.order[at].0] {
            Instance::Function(id, _) => Node::Function(id),
            Instance::Adt(id, ..) => Node::Adt(id),
            Instance::Impl(id) | Instance::Handed(Handed { id, .. }) => Node::Impl(id),
        };
        let mut route: Vec<Node> = places.map(node).collect();
        route.reverse();
        route
    }

    pub(super) fn function_instance(&self, id: FnId, known: &Subst) -> usize {
        self.instances.number(Instance::Function(id, self.items.completed(id, known)))
    }

    pub(super) fn leads(&self, number: usize) -> Rc<Leads> {
        if let Some(known) = &self.instances.leads.borrow()[number] {
            return Rc::clone(known);
        }
        let instance = self.instances.item(number);
        let compared = self.items.comparisons_made();
        let leads = Rc::new(match &*instance {
            Instance::Function(id, subst) => {
                let uses = match self.passed.contains(id) {
                    true => self.items.uses_of_signature_at(*id, subst),
                    false => self.items.uses_of_function_at(*id, subst),
                };
                self.leads_by(Node::Function(*id), &uses)
            }
            Instance::Adt(id, subst, held) => {
                self.leads_by(Node::Adt(*id), &self.items.uses_of_adt_at(*id, subst, *held))
            }
            Instance::Impl(id) => {
                let node = Node::Impl(*id);
                let functions = self.functions_of_impl(node).filter(|id| !self.unused.contains(id));
                let next = functions.map(|id| self.function_instance(id, &Subst::new())).collect();
                let waiting = self.used(self.items.impls_of_objects_given_to(*id));
                Leads { different: self.difference_at(node), next, waiting, ..Leads::default() }
            }
            Instance::Handed(handed) => {
                let functions = self.functions_of_handed(handed).into_iter();
                let function = |(id, subst)| self.instances.number(Instance::Function(id, subst));
                Leads {
                    different: self.difference_at(Node::Impl(handed.id)),
                    next: functions.map(function).collect(),
                    handed: self.numbers_of(self.handed_by(handed)),
                    waiting: self.used(self.items.impls_of_objects_given_to(handed.id)),
                    ..Leads::default()
                }
            }
        });
        let compared = self.items.comparisons_made() - compared;
        self.instances.compared.set(self.instances.compared.get() + compared);
        self.instances.leads.borrow_mut()[number] = Some(Rc::clone(&leads));
        leads
    }

    fn numbers_of(&self, handed: Vec<Handed>) -> Vec<usize> {
        handed.into_iter().map(|handed| self.instances.number(Instance::Handed(handed))).collect()
    }

    /// Those that may come to be used.
    fn used(&self, impls: impl IntoIterator<Item = ImplId>) -> Vec<ImplId> {
        impls.into_iter().filter(|id| !self.differing.inert.contains(id)).collect()
    }

    fn leads_by(&self, node: Node, uses: &Uses) -> Leads {
        let mut next = Vec::new();
        for (id, subst) in uses.instances.iter().filter(|(id, _)| !self.unused.contains(id)) {
            next.push(self.instances.number(Instance::Function(*id, subst.clone())));
        }
        for (id, subst, held) in &uses.adt_instances {
            next.push(self.instances.number(Instance::Adt(*id, subst.clone(), *held)));
        }
        // Of these it is not known at which arguments they are meant.
        let is_known = |id: &FnId| uses.instances.iter().any(|(known, _)| known == id);
        for id in uses.functions.iter().filter(|id| !self.unused.contains(id) && !is_known(id)) {
            next.push(self.function_instance(*id, &Subst::new()));
        }
        let is_known = |id: &AdtId| uses.adt_instances.iter().any(|(known, ..)| known == id);
        for id in uses.adts.iter().filter(|id| !is_known(id)) {
            let subst = self.items.completed_type(*id, &Subst::new());
            next.push(self.instances.number(Instance::Adt(*id, subst, Held::ByUnknown)));
        }
        let handed = uses.handed.iter().flat_map(|(ty, to)| self.handed_with(ty, *to)).collect();
        let handed = self.numbers_of(handed);
        Leads {
            different: self.difference_in(node, Some(uses)),
            next,
            waiting: self.used(uses.possible_impls()),
            handed,
            exposure: uses.exposure,
            layout: uses.layout,
            asks: uses.asks,
            drops: uses.drops,
        }
    }
}
