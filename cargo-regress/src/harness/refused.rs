//! What rustc refused of the glue, by names that other builds have as well.
//!
//! *Idea.* Each refusal costs a pass of the compiler, and what follows from it another: a type that cannot be shown takes those that hold
//! it with it, and these the functions that return them. Both versions of a crate and both parts of a build mostly have the same pieces
//! refused, so what one build found out the next begins with. A function is compared only if both versions can run it, so
//! nothing is lost that the other version could.
//!
//! The new version begins when a first pass over the old one is through, and asks before each of its own what is known by then. When it is
//! built it has at least what the old one lacks taken from it, if need be by one more pass: what one version shows and the other cannot would be a difference.
//!
//! *Limits.* A name that stands for several pieces in a build (types under different conditions) is not carried over.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Condvar, Mutex, PoisonError};

use regress_core::idx::IdxVec;

use super::instrument::{Fallback, Fallbacks, Owner, Plan};
use super::request::HarnessRequest;

/// What is left of pieces of glue, and why it is no more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RefusedGlue(BTreeMap<Piece, Fallback>);

/// Whether a build has less than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Nothing,
    More,
}

/// A piece of glue by the paths of what it is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Piece {
    Show(String),
    Build(String),
    ShowVariant(String, String),
    BuildVariant(String, String),
    Subject(String),
    Maker { function: String, makes: String },
}

impl RefusedGlue {
    pub(super) fn of(fallbacks: &Fallbacks, pieces: &Pieces) -> RefusedGlue {
        let named = |(piece, owner): (&Piece, &Owner)| Some((piece.clone(), fallbacks.get(owner)?.clone()));
        RefusedGlue(pieces.0.iter().filter_map(named).collect())
    }

    /// Takes what was refused from the build of these pieces; whether that is more than was taken before.
    pub(super) fn take_from(&self, fallbacks: &mut Fallbacks, pieces: &Pieces) -> Taken {
        let mut taken = Taken::Nothing;
        for (piece, fallback) in &self.0 {
            let Some(owner) = pieces.0.get(piece) else { continue };
            let before = fallbacks.get(owner).map(|fallback| fallback.form);
            if before < Some(fallback.form) {
                fallbacks.insert(*owner, fallback.clone());
                taken = Taken::More;
            }
        }
        taken
    }
}

/// The pieces of one build that have a name of their own.
pub(super) struct Pieces(BTreeMap<Piece, Owner>);

impl Pieces {
    pub fn of(plan: &Plan, request: &HarnessRequest) -> Pieces {
        let adts = plan.adt_paths().enumerate().flat_map(|(adt, path)| {
            [
                (Piece::Show(path.to_owned()), Owner::Show(adt)),
                (Piece::Build(path.to_owned()), Owner::Build(adt)),
            ]
        });
        let variants =
            plan.adt_paths().zip(plan.variants()).enumerate().flat_map(|(adt, (path, variants))| {
                let pieces = move |(number, name): (usize, &str)| {
                    let names = (path.to_owned(), name.to_owned());
                    [
                        (
                            Piece::ShowVariant(names.0.clone(), names.1.clone()),
                            Owner::ShowVariant(adt, number),
                        ),
                        (Piece::BuildVariant(names.0, names.1), Owner::BuildVariant(adt, number)),
                    ]
                };
                variants.into_iter().enumerate().flat_map(pieces).collect::<Vec<_>>()
            });
        let subjects = named(&request.subjects, |id, subject| {
            (Piece::Subject(subject.path.to_string()), Owner::Subject(id))
        });
        let makers = named(&request.makers, |id, maker| {
            let (function, makes) = (maker.function.path.to_string(), maker.makes.clone());
            (Piece::Maker { function, makes }, Owner::Maker(id))
        });
        let mut owners: BTreeMap<Piece, Vec<Owner>> = BTreeMap::new();
        for (piece, owner) in adts.chain(variants).chain(subjects).chain(makers) {
            owners.entry(piece).or_default().push(owner);
        }
        let alone = |(piece, owners): (Piece, Vec<Owner>)| match owners.as_slice() {
            [owner] => Some((piece, *owner)),
            _ => None,
        };
        Pieces(owners.into_iter().filter_map(alone).collect())
    }
}

fn named<I: regress_core::idx::Idx, T>(
    items: &IdxVec<I, T>,
    name: impl Fn(I, &T) -> (Piece, Owner),
) -> impl Iterator<Item = (Piece, Owner)> {
    items.iter_enumerated().map(move |(id, item)| name(id, item))
}

/// What the builds of one version found out of the glue of each crate, for those of the other.
#[derive(Default)]
pub struct Refusals {
    state: Mutex<FoundOut>,
    changed: Condvar,
}

#[derive(Default)]
struct FoundOut {
    by_crate: HashMap<String, (RefusedGlue, Known)>,
    is_over: bool,
}

/// How much is known of a crate's glue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// What a pass of the compiler refused; the next may refuse more.
    InPart,
    /// The compiler accepted the rest.
    Whole,
}

impl Refusals {
    pub fn tell(&self, crate_name: &str, refused: RefusedGlue, known: Known) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.by_crate.insert(crate_name.to_owned(), (refused, known));
        self.changed.notify_all();
    }

    /// When it is dropped, nothing more is found out.
    pub fn ending(&self) -> Ending<'_> {
        Ending(self)
    }

    fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.changed.notify_all();
    }

    /// What was found out of a crate, as soon as so much is known, or nothing more is found out.
    pub fn wait(&self, crate_name: &str, least: Known) -> RefusedGlue {
        let is_open = |state: &mut FoundOut| {
            let known = state.by_crate.get(crate_name).map(|(_, known)| *known);
            !state.is_over && known.is_none_or(|known| known < least)
        };
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.changed.wait_while(state, is_open).unwrap_or_else(PoisonError::into_inner);
        state.by_crate.get(crate_name).map(|(refused, _)| refused.clone()).unwrap_or_default()
    }
}

/// With it ends what is found out, whatever becomes of the build.
pub struct Ending<'e>(&'e Refusals);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::super::instrument::Form;
    use super::*;

    fn refused(path: &str) -> RefusedGlue {
        let fallback = Fallback { form: Form::Dropped, reason: "it is odd".to_owned() };
        RefusedGlue(BTreeMap::from([(Piece::Show(path.to_owned()), fallback)]))
    }

    #[test]
    fn whoever_waits_hears_of_its_crate_or_that_there_is_nothing_more() {
        let refusals = Refusals::default();
        std::thread::scope(|scope| {
            let wait = |name, least| refusals.wait(name, least);
            let waiting = [("near", Known::InPart), ("near", Known::Whole), ("far", Known::InPart)];
            let waiting = waiting.map(|(name, least)| scope.spawn(move || (name, least, wait(name, least))));
            let ending = refusals.ending();
            let [in_part, whole, far] = waiting;
            refusals.tell("near", refused("near::Odd"), Known::InPart);
            assert_eq!(in_part.join().expect("it ends").2, refused("near::Odd"));
            assert!(!whole.is_finished() && !far.is_finished());
            refusals.tell("near", refused("near::Odder"), Known::Whole);
            assert_eq!(whole.join().expect("it ends").2, refused("near::Odder"));
            drop(ending);
            assert_eq!(far.join().expect("it ends").2, RefusedGlue::default());
        });
        assert_eq!(refusals.wait("near", Known::Whole), refused("near::Odder"));
    }
}
