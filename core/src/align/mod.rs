//! Which function of the old version is which of the new one, and which of them may have changed their meaning.
//!
//! Idea: functions are matched by path, the rest by equal canonical bodies. A matched pair is *unchanged* if its
//! canonical bodies are equal and nothing that the old or the new one can reach differs between the versions.
//!
//! * `matching`: pairs of functions
//! * `classify`: what a pair is by itself, and what it leads to
//! * [`moved`](moved()): items that stand in another module
//! * `definitions`: which functions, types, traits and implementations differ
//! * `uses`: what one item refers to; `types`: what is asked of types for that
//! * `completed`: structs that gained a public field
//! * `declarations`: attributes, symbols, what belongs to no item
//! * `layout`: who sees how large types are and where their fields lie
//! * `locations`: functions whose outcome may have places in the source in it
//! * `reach`: everything a function may come to run
//! * `congruence`: functions that are equal because all that changed of what they run is proved equal
//! * [`purity`]: whether all that a call does is to be seen in how it ends
//! * `distance`: how far functions are from those that changed
//! * `outside`: what the program refers to and does not define
//! * [`statements`]: which statements of two bodies differ
//!
//! Invariant: [`ChangeKind::Unchanged`] implies the same behaviour on every input. What is not known counts as
//! changed: a body that the front end could not read, or whose text does not determine its meaning. *Every input* is one that callers of both versions can make: it
//! consists of types that both define, and what is called on it is implemented in both.
//!
//! A type parameter of a generic function stands for any type that both versions define, with all that is implemented
//! for it; so does a trait object that comes in. A function pointer or closure that comes in is an input. Not handled: what a function does by other ways than its body, the items it refers to, what is declared to be
//! there without being named, and its inputs (the size of a type that stands for a parameter).

mod adapters;
mod classify;
mod completed;
mod congruence;
#[cfg(test)]
mod congruence_tests;
mod declarations;
#[cfg(test)]
mod declarations_tests;
mod definitions;
mod distance;
#[cfg(test)]
mod distance_tests;
mod jointly;
mod layout;
#[cfg(test)]
mod layout_tests;
mod locations;
mod matching;
mod moved;
mod outside;
pub mod purity;
mod reach;
#[cfg(test)]
mod reach_tests;
mod shapes;
#[cfg(test)]
mod signature_tests;
pub mod statements;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;
mod told;
mod types;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::idx::IdxVec;
use crate::ir::canonical::{Renames, Scope, root_of};
use crate::ir::{
    AdtId, CommonShapes, FnBody, FnId, Function, FunctionKind, ImplId, KnownTrait, Name, Origin, Owner, Path,
    Program, ResultTypes, Subst,
};
use crate::verdict::{ChangeKind, Version};
pub use adapters::{Reassigned, add_adapters, compare_re_exports};
use classify::{Compared, LeadsTo, Side, compare_pairs, leads_to};
use declarations::ForeignCode;
pub use distance::distances;
pub use jointly::Holding;
use matching::Pairing;
pub use moved::moved;
use outside::Outside;
pub use outside::{LIBRARY, PRIMITIVES, crates_to_read};
pub use reach::Node;
use reach::Reach;
use statements::StatementDiff;
pub use told::{Addresses, Floats, UpTo};
pub use uses::Items;

/// The functions to be reported on, and how all functions of both versions correspond.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// First the new version's functions in program order, then those that only the old version has, in its order.
    pub pairs: Vec<Pair>,
    to_new: IdxVec<FnId, Option<FnId>>,
    to_old: IdxVec<FnId, Option<FnId>>,
    renames: Renames,
    /// By function of the new version.
    causes: HashMap<FnId, Cause>,
    /// Functions of the new version whose results are of another type than in the old one.
    other_results: HashSet<FnId>,
    /// Functions of the new version that may give values of types that they do not tell, on which other things are called than in the old version.
    other_methods: HashSet<FnId>,
    /// What types that differ have in common.
    pub common: CommonShapes,
    differing: BothDiffering,
}

/// The items of each version that have no equal in the other.
#[derive(Clone, Debug)]
struct BothDiffering {
    old: Differing,
    new: Differing,
}

impl BothDiffering {
    fn of(&self, version: Version) -> &Differing {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// Why a function is [`ChangeKind::Affected`]: one thing that it may come to run or use. There may be more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The version in which it was found, to which ids belong.
    pub version: Version,
    pub item: DifferentItem,
}

/// An item of one version that has no equal in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferentItem {
    /// A function, closure, constant or static.
    Function(FnId),
    /// A type of another shape, or with another `Drop`.
    Type(AdtId),
    /// An implementation that the other version does not have, or has with other types or bounds.
    Implementation(ImplId),
    Trait(Path),
    /// Something that is not defined in the program and comes from a crate known to differ.
    OfChangedCrate(Path),
    /// The way in which the program is built; what is another, in words for people.
    Build(String),
    /// A foreign function or static: declared, defined or linked in another way.
    Foreign(Path),
    /// What belongs to no item of a crate: its attributes, `global_asm!`.
    Frame(Name),
    /// What tells names, while some functions bear others.
    Names(Path),
}

/// What is known to differ besides what is in the programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Crates that are not the same in both versions: what comes from them and is not defined in the programs counts as changed.
    pub changed_crates: BTreeSet<Name>,
    /// Crates that are read and need not be the same in both versions: what has a name of theirs and is defined nowhere they may hand on (`pub use inner::*`)
    /// from any crate, another one in each version. It counts as changed.
    pub handing_on: BTreeSet<Name>,
    /// Crates from outside of the repository. What they implement for types of their own counts where something that is reached names the types, not where
    /// a caller may choose them: who passes a value of another crate has chosen that crate's code with it.
    pub elsewhere: BTreeSet<Name>,
    /// Why code that is not Rust may be other code: libraries that are linked, in words for people. Functions without a body count as changed.
    pub foreign_code: Option<String>,
    /// Why everything may do something else although its text is the same, in words for people.
    pub everything: Option<String>,
}

/// A function in both versions, or in the one that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub old: Option<FnId>,
    pub new: Option<FnId>,
    pub kind: ChangeKind,
    pub matched_by: MatchedBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MatchedBy {
    Path,
    /// The only function without a counterpart on either side with this body and signature: renamed or moved.
    Body,
    /// There is no counterpart.
    Nothing,
}

impl Alignment {
    /// The new version's function for one of the old version, of whatever origin and kind.
    pub fn to_new(&self, old: FnId) -> Option<FnId> {
        self.to_new.get(old).copied().flatten()
    }

    /// The old version's function for one of the new version, of whatever origin and kind.
    pub fn to_old(&self, new: FnId) -> Option<FnId> {
        self.to_old.get(new).copied().flatten()
    }

    /// Whether both versions give results of one type, with values in common.
    pub fn results(&self, new: FnId) -> ResultTypes {
        if self.other_results.contains(&new) { ResultTypes::Other } else { ResultTypes::Same }
    }

    /// What values of both versions have in common where this function of the new version takes or gives them.
    pub fn common_for(&self, new: FnId) -> CommonShapes {
        self.common.clone().with_results(self.results(new))
    }

    /// Whether on what the function of the new version gives, or leaves, a caller may call methods that are not the same in both versions, of types that it
    /// is not told (`dyn Trait`, `impl Trait`). Such values are not shown to be equal by what they consist of.
    pub fn gives_other_methods(&self, new: FnId) -> bool {
        self.other_methods.contains(&new)
    }

    /// Whether the function of this version, of whatever crate, has no equal in the other by its own body and signature.
    pub fn has_no_equal(&self, version: Version, function: FnId) -> bool {
        self.differing.of(version).functions.contains(&function)
    }

    /// The names that items of the old version have in the new one.
    pub fn renames(&self) -> &Renames {
        &self.renames
    }

    /// Why the function of the new version is [`ChangeKind::Affected`], if it is.
    pub fn cause(&self, new: FnId) -> Option<&Cause> {
        self.causes.get(&new)
    }

    /// The same where these types stand for the parameters of the function, in each version: other types may lead to another cause.
    pub fn cause_at(&self, old: (&Program, FnId, &Subst), new: (&Program, FnId, &Subst)) -> Option<Cause> {
        let general = self.cause(new.1)?;
        let found = |version, (program, id, subst): (&Program, FnId, &Subst), differing| {
            let items = Items::new(program);
            let item = Reach::new(&items, differing).difference_for(id, subst)?;
            Some(Cause { item, version })
        };
        found(Version::New, new, &self.differing.new)
            .or_else(|| found(Version::Old, old, &self.differing.old))
            .or_else(|| Some(general.clone()))
    }

    /// For each affected function of the new version the items through which its cause is reached, itself first and the one that refers to the cause last;
    /// all are of the version of the cause. None where that is no item.
    pub fn routes(&self, old: &Program, new: &Program) -> HashMap<FnId, Vec<Node>> {
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let in_old = Reach::new(&old_items, &self.differing.old);
        let in_new = Reach::new(&new_items, &self.differing.new);
        let route = |(id, cause): (&FnId, &Cause)| {
            let nodes = match cause.version {
                Version::New => in_new.route(*id),
                Version::Old => self.to_old(*id).map(|id| in_old.route(id)).unwrap_or_default(),
            };
            (*id, nodes)
        };
        self.causes.iter().map(route).collect()
    }

    /// Of functions of both versions (old, then new) whether each may come to run only what is the same in both, where these types stand for its
    /// parameters. At types that a caller chooses more can be run.
    pub fn same_at(&self, old: &Program, new: &Program, functions: &[(FnId, FnId, &Subst)]) -> Vec<bool> {
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let in_old = Reach::new(&old_items, &self.differing.old);
        let in_new = Reach::new(&new_items, &self.differing.new);
        let is_same = |(old, new, subst): &(FnId, FnId, &Subst)| {
            in_new.is_same_at(*new, subst) && in_old.is_same_at(*old, subst)
        };
        functions.iter().map(is_same).collect()
    }

    /// The statements in which two functions differ, if both have a body.
    pub fn statements(&self, old: (&Program, FnId), new: (&Program, FnId)) -> Option<StatementDiff> {
        let (old, new) = ((old.0, old.0.in_sources(old.1)), (new.0, new.0.in_sources(new.1)));
        match (&old.0.functions[old.1].body, &new.0.functions[new.1].body) {
            (FnBody::Present(old_body), FnBody::Present(new_body)) => {
                let (old_scope, new_scope) = (Scope::of(old.0, old.1), Scope::of(new.0, new.1));
                Some(statements::diff((old_body, &old_scope), (new_body, &new_scope), &self.renames))
            }
            _ => None,
        }
    }
}

/// For each start the functions that it may come to run, itself among them. What only a caller's choice of types brings
/// in is left out.
pub fn functions_reached(program: &Program, starts: &[FnId]) -> Vec<HashSet<FnId>> {
    let items = Items::new(program);
    let nothing_differs = Differing::default();
    let reach = Reach::new(&items, &nothing_differs);
    starts.iter().map(|start| reach.functions(*start)).collect()
}

/// For each start the paths of all functions that it may come to run, and of all that it may come to refer to and the program does not define.
/// Whatever a caller may choose is among it.
pub fn names_reached(program: &Program, starts: &[FnId]) -> Vec<BTreeSet<Path>> {
    let items = Items::new(program);
    let differing = Differing { common_adts: program.adts.ids().collect(), ..Differing::default() };
    let reach = Reach::new(&items, &differing);
    let names = |start: &FnId| {
        let defined = reach.functions(*start).into_iter().map(|id| program.functions[id].path.clone());
        defined.chain(reach.undefined(&[*start]).into_iter().cloned()).collect()
    };
    starts.iter().map(names).collect()
}

/// For each start what is named by the code that it may come to run, models of the standard library apart: items, and the types of values.
pub fn names_in_code(program: &Program, starts: &[FnId]) -> Vec<BTreeSet<Path>> {
    let items = Items::new(program);
    let nothing_differs = Differing::default();
    let reach = Reach::new(&items, &nothing_differs);
    let names = |start: &FnId| {
        let reached = reach.functions(*start).into_iter();
        let code = reached.filter(|id| program.functions[*id].origin != Origin::StdModel);
        code.flat_map(|id| {
            let types = purity::types_of_body(&program.functions[id]);
            reach.named_by(id).cloned().chain(types).collect::<Vec<_>>()
        })
        .collect()
    };
    starts.iter().map(names).collect()
}

/// The items of one version that have no equal in the other.
#[derive(Clone, Debug, Default)]
struct Differing {
    functions: HashSet<FnId>,
    /// Functions to which it matters which of their calls is which.
    telling_places: HashSet<FnId>,
    adts: HashSet<AdtId>,
    /// Those of `adts` whose values cannot be compared any more: not just other discriminants, and nothing in common.
    reshaped: HashSet<AdtId>,
    /// Types for which `Drop` is implemented in one version only, or otherwise.
    drops: HashSet<AdtId>,
    impls: HashSet<ImplId>,
    /// Those of `impls` that no unchanged function can come to use.
    inert: HashSet<ImplId>,
    traits: HashSet<Path>,
    /// Types that both versions define, whatever their shape.
    common_adts: HashSet<AdtId>,
    /// Types of crates from elsewhere, and what these implement for them.
    adts_elsewhere: HashSet<AdtId>,
    impls_elsewhere: HashSet<ImplId>,
    outside: Outside,
    foreign_code: Option<String>,
    everything: Option<String>,
    /// Paths of foreign items.
    foreign: BTreeSet<Path>,
    frames: BTreeSet<Name>,
    names: SameNames,
}

impl Differing {
    /// Whether all items have an equal, so that nothing that any of them leads to is another.
    fn is_nothing(&self) -> bool {
        let Differing {
            functions,
            adts,
            reshaped,
            drops,
            impls,
            traits,
            outside,
            foreign_code,
            everything,
            foreign,
            frames,
            names,
            // These say of others which of them count, or are among them.
            telling_places: _,
            inert: _,
            common_adts: _,
            adts_elsewhere: _,
            impls_elsewhere: _,
        } = self;
        let has_same_items =
            functions.is_empty() && adts.is_empty() && reshaped.is_empty() && drops.is_empty();
        let has_same_traits = impls.is_empty() && traits.is_empty();
        let has_same_surroundings = outside.is_same()
            && foreign_code.is_none()
            && everything.is_none()
            && foreign.is_empty()
            && frames.is_empty();
        has_same_items && has_same_traits && has_same_surroundings && *names == SameNames::Yes
    }
}

/// Whether functions that are the same are called the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SameNames {
    #[default]
    Yes,
    No,
}

/// Matches the functions of two versions and classifies those of the package itself. What neither version defines is
/// taken to be the same in both.
pub fn align(old: &Program, new: &Program) -> Alignment {
    align_with(old, new, &Surroundings::default())
}

/// Like [`align`], when it is known what else differs (a dependency was updated, the profile changed).
pub fn align_with(old: &Program, new: &Program, surroundings: &Surroundings) -> Alignment {
    align_items(&mut Items::new(old), &mut Items::new(new), surroundings)
}

/// The same, where more is asked of what the items of both versions refer to.
pub fn align_items(
    old_items: &mut Items<'_>,
    new_items: &mut Items<'_>,
    surroundings: &Surroundings,
) -> Alignment {
    let (old, new) = (old_items.program, new_items.program);
    let pairing = Pairing::new(old, new);
    let (in_old, in_new, common) = differing_items(old_items, new_items, &pairing, surroundings);
    let old_side = Side::new(Version::Old, old_items, &in_old, &common);
    let new_side = Side::new(Version::New, new_items, &in_new, &common);
    let compared = compare_pairs(&old_side, &new_side, &pairing);
    let starts = |of: fn(&Compared) -> FnId| {
        let mut starts = BTreeMap::new();
        for found in compared.values() {
            if let Some(asked) = found.itself.asks() {
                let known = starts.entry(of(found)).or_insert(asked);
                *known = asked.max(*known);
            }
        }
        starts
    };
    let (old_starts, new_starts) = (starts(|compared| compared.old), starts(|compared| compared.new));
    let (old_leads, new_leads) = rayon::join(
        || leads_to(old_items, &in_old, &old_starts),
        || leads_to(new_items, &in_new, &new_starts),
    );
    let (old_inherited, new_inherited) = (adapters::of_inherited(old), adapters::of_inherited(new));
    let changed = |old_id, new_id| {
        let (kind, matched_by) = (ChangeKind::Changed, MatchedBy::Path);
        Pair { old: Some(old_id), new: Some(new_id), kind, matched_by }
    };

    let mut pairs = Vec::new();
    let mut causes = HashMap::new();
    let mut other_results = HashSet::new();
    let mut other_methods = HashSet::new();
    for new_id in new.functions.ids().filter(|id| is_reported(new, *id)) {
        pairs.push(match compared.get(&new_id) {
            Some(found) => {
                let (of_old, of_new) = (old_leads.get(&found.old), new_leads.get(&found.new));
                if found.itself.results() == ResultTypes::Other {
                    other_results.insert(found.new);
                }
                if [of_old, of_new].into_iter().flatten().any(|leads| leads.gives_other_methods) {
                    other_methods.insert(found.new);
                }
                // What only the old version ran is gone, what only the new one runs has come.
                let cause = |version, leads: Option<&LeadsTo>| {
                    let item = leads?.different.clone()?;
                    Some(Cause { version, item })
                };
                let cause = cause(Version::New, of_new).or_else(|| cause(Version::Old, of_old));
                let kind = found.itself.kind(cause.is_some());
                if kind == ChangeKind::Affected
                    && let Some(cause) = cause
                {
                    causes.insert(found.new, cause);
                }
                let matched_by = pairing.matched_by(new_id);
                Pair { old: Some(found.old), new: Some(found.new), kind, matched_by }
            }
            None => match old_inherited.get(&new.functions[new_id].path) {
                Some(old_id) => changed(*old_id, new_id),
                None => {
                    let (kind, matched_by) = (ChangeKind::Added, MatchedBy::Nothing);
                    Pair { old: None, new: Some(new_id), kind, matched_by }
                }
            },
        });
    }
    for old_id in old.functions.ids().filter(|id| is_reported(old, *id)) {
        if pairing.to_new[old_id].is_none()
            && let Some(new_id) = new_inherited.get(&old.functions[old_id].path)
        {
            pairs.push(changed(old_id, *new_id));
        } else if !pairing.to_new[old_id].is_some_and(|id| is_reported(new, id)) {
            let (kind, matched_by) = (ChangeKind::Removed, MatchedBy::Nothing);
            pairs.push(Pair { old: Some(old_id), new: None, kind, matched_by });
        }
    }
    let Pairing { mut to_new, mut to_old, renames, .. } = pairing;
    for pair in &pairs {
        if let (Some(old_id), Some(new_id)) = (pair.old, pair.new) {
            to_new[old_id].get_or_insert(new_id);
            to_old[new_id].get_or_insert(old_id);
        }
    }
    let differing = BothDiffering { old: in_old, new: in_new };
    Alignment { pairs, to_new, to_old, renames, causes, other_results, other_methods, common, differing }
}

/// The items of each version that have no equal in the other, and what types that differ have in common.
fn differing_items(
    old_items: &Items<'_>,
    new_items: &Items<'_>,
    pairing: &Pairing,
    surroundings: &Surroundings,
) -> (Differing, Differing, CommonShapes) {
    let (old, new) = (old_items.program, new_items.program);
    let (mut in_old, mut in_new, common) = definitions::compare(old_items, new_items, pairing);
    for (differing, program) in [(&mut in_old, old), (&mut in_new, new)] {
        differing.outside = Outside::new(program, surroundings);
        outside::note_elsewhere(program, surroundings, differing);
        differing.foreign_code.clone_from(&surroundings.foreign_code);
        differing.everything.clone_from(&surroundings.everything);
    }
    // A crate that is not known may define any symbol.
    let is_known = surroundings.changed_crates.is_empty() && surroundings.foreign_code.is_none();
    let foreign = if is_known { ForeignCode::Same } else { ForeignCode::Unknown };
    let foreign = declarations::differing_foreign(old, new, pairing, foreign);
    let frames = declarations::differing_frames(old, new);
    let is_named_alike = pairing.renames.is_empty() && old.moved.is_empty();
    let names = if is_named_alike { SameNames::Yes } else { SameNames::No };
    let (moved_in_old, moved_in_new) = locations::differing(old_items, new_items, pairing);
    for (differing, moved) in [(&mut in_old, moved_in_old), (&mut in_new, moved_in_new)] {
        differing.telling_places.extend(&moved);
        differing.functions.extend(moved);
        (differing.foreign, differing.frames, differing.names) = (foreign.clone(), frames.clone(), names);
    }
    in_old.telling_places.extend(locations::telling(old_items));
    in_new.telling_places.extend(locations::telling(new_items));
    (in_old, in_new, common)
}

/// What `#[derive(Eq)]` has the compiler check, in one release or another: it is never called, and stable code can neither call nor write it.
const CHECKS_OF_DERIVES: [&str; 2] = ["::assert_receiver_is_total_eq", "::assert_fields_are_eq"];

fn is_check_of_derive(program: &Program, function: &Function) -> bool {
    let is_of_eq =
        matches!(function.owner, Owner::TraitImpl(id) if program.impls[id].trait_ref.path == KnownTrait::Eq);
    is_of_eq && CHECKS_OF_DERIVES.iter().any(|name| function.path.as_str().ends_with(name))
}

/// Functions and methods of the package that have a body; closures and constants are parts of them.
fn is_reported(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    if is_check_of_derive(program, function) {
        return false;
    }
    function.origin == Origin::Subject
        && function.kind == FunctionKind::Fn
        && !matches!(function.body, FnBody::Missing)
        && root_of(program, id) == id
}
