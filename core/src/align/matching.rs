//! Pairs of functions: by path, then by equal bodies.
//!
//! A body match must be unique on both sides and takes the closures and constants within the function along, so two
//! functions that only share their outer shape are not taken for one that moved. Each match makes a path known as
//! renamed, by which more bodies may become equal; so it is done until nothing is found any more.

use std::collections::{BTreeMap, HashMap};

use super::MatchedBy;
use crate::idx::IdxVec;
use crate::ir::canonical::{CanonicalBody, CanonicalSignature, Fingerprint, Renames, root_of};
use crate::ir::{FnBody, FnId, FunctionKind, GenericParam, Origin, Owner, Path, Program, TraitRef, Ty};

pub(super) struct Pairing {
    pub(super) to_new: IdxVec<FnId, Option<FnId>>,
    pub(super) to_old: IdxVec<FnId, Option<FnId>>,
    matched_by: HashMap<FnId, MatchedBy>,
    pub(super) renames: Renames,
}

/// The closures and constants within each function, themselves included, by their path below it.
pub(super) type Parts = HashMap<FnId, BTreeMap<String, FnId>>;

pub(super) fn parts(program: &Program) -> Parts {
    let mut parts = Parts::new();
    for (id, function) in program.functions.iter_enumerated() {
        let root = root_of(program, id);
        let whole = program.functions[root].path.as_str();
        let rest = function.path.as_str().strip_prefix(whole).unwrap_or(function.path.as_str());
        parts.entry(root).or_default().insert(rest.to_string(), id);
    }
    parts
}

impl Pairing {
    pub(super) fn new(old: &Program, new: &Program) -> Pairing {
        let mut pairing = Pairing {
            to_new: old.functions.iter().map(|_| None).collect(),
            to_old: new.functions.iter().map(|_| None).collect(),
            matched_by: HashMap::new(),
            renames: Renames::default(),
        };
        pairing.by_path(old, new);
        let (old_parts, new_parts) = (parts(old), parts(new));
        while pairing.by_body(old, &old_parts, new, &new_parts) > 0 {}
        pairing
    }

    /// How a function of the new version was matched.
    pub(super) fn matched_by(&self, new: FnId) -> MatchedBy {
        self.matched_by.get(&new).copied().unwrap_or(MatchedBy::Nothing)
    }

    fn pair(&mut self, old: FnId, new: FnId, by: MatchedBy) {
        self.to_new[old] = Some(new);
        self.to_old[new] = Some(old);
        self.matched_by.insert(new, by);
    }

    fn by_path(&mut self, old: &Program, new: &Program) {
        let (old_groups, new_groups) = (by_path_and_kind(old), by_path_and_kind(new));
        for (key, olds) in &old_groups {
            let Some(news) = new_groups.get(key) else { continue };
            if let ([old_id], [new_id]) = (olds.as_slice(), news.as_slice()) {
                self.pair(*old_id, *new_id, MatchedBy::Path);
                continue;
            }
            // Inherent implementations for several arguments of one type: told apart by owner and signature.
            for old_id in olds {
                let header = (owner(old, *old_id), signature(old, *old_id));
                let same = |new_id: &&FnId| {
                    self.to_old[**new_id].is_none()
                        && (owner(new, **new_id), signature(new, **new_id)) == header
                };
                let mut found = news.iter().filter(same);
                if let (Some(new_id), None) = (found.next().copied(), found.next()) {
                    self.pair(*old_id, new_id, MatchedBy::Path);
                }
            }
            let open_old: Vec<FnId> = olds.iter().copied().filter(|id| self.to_new[*id].is_none()).collect();
            let open_new: Vec<FnId> = news.iter().copied().filter(|id| self.to_old[*id].is_none()).collect();
            let is_alone = matches!((open_old.as_slice(), open_new.as_slice()), ([_], [_]));
            if is_alone || are_same_in_order((old, &open_old), (new, &open_new)) {
                for (old_id, new_id) in open_old.iter().zip(&open_new) {
                    self.pair(*old_id, *new_id, MatchedBy::Path);
                }
            }
        }
    }

    /// Gives the number of functions matched.
    fn by_body(&mut self, old: &Program, old_parts: &Parts, new: &Program, new_parts: &Parts) -> usize {
        let old_forms = forms(old, old_parts, &self.renames, |id| self.to_new[id].is_none());
        let new_forms = forms(new, new_parts, &Renames::default(), |id| self.to_old[id].is_none());
        let mut matched = 0;
        for (form, olds) in &old_forms {
            let Some(news) = new_forms.get(form) else { continue };
            let ([old_id], [new_id]) = (olds.as_slice(), news.as_slice()) else { continue };
            let (old_id, new_id) = (*old_id, *new_id);
            let same_parts = old_parts[&old_id].iter().zip(&new_parts[&new_id]).all(|(a, b)| {
                let bodies = (
                    CanonicalBody::of(old, *a.1, &self.renames),
                    CanonicalBody::of(new, *b.1, &Renames::default()),
                );
                matches!(bodies, (Some(a), Some(b)) if a.is_same(&b))
            });
            // A path that the other version uses for something else is not free to be renamed to or from.
            let paths = (old.functions[old_id].path.clone(), new.functions[new_id].path.clone());
            let ambiguous = old.functions_at(&paths.0).len() > 1 || new.functions_at(&paths.1).len() > 1;
            let taken = !new.functions_at(&paths.0).is_empty() || !old.functions_at(&paths.1).is_empty();
            if !same_parts || ambiguous || taken {
                continue;
            }
            for (old_part, new_part) in old_parts[&old_id].values().zip(new_parts[&new_id].values()) {
                self.pair(*old_part, *new_part, MatchedBy::Body);
            }
            self.renames.insert(paths.0, paths.1);
            matched += 1;
        }
        matched
    }
}

/// Whether both versions have the same there, which nothing tells apart, in the same order: lengths in headers that one macro writes, in what both versions take from elsewhere. Where it
/// may be another in one of them, what is meant may have moved from one to the other.
fn are_same_in_order((old, olds): (&Program, &[FnId]), (new, news): (&Program, &[FnId])) -> bool {
    let none = Renames::default();
    let are_same = |(a, b): (&FnId, &FnId)| {
        let origins = [old.functions[*a].origin, new.functions[*b].origin];
        let is_common = |origin: &Origin| matches!(origin, Origin::CommonDependency | Origin::StdModel);
        let bodies = || (CanonicalBody::of(old, *a, &none), CanonicalBody::of(new, *b, &none));
        origins.iter().all(is_common)
            && signature(old, *a) == signature(new, *b)
            && matches!(bodies(), (Some(a), Some(b)) if a.is_same(&b))
    };
    olds.len() == news.len() && olds.iter().zip(news).all(are_same)
}

fn by_path_and_kind(program: &Program) -> BTreeMap<(Path, u8), Vec<FnId>> {
    let mut groups: BTreeMap<(Path, u8), Vec<FnId>> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        groups.entry((function.path.clone(), function.kind as u8)).or_default().push(id);
    }
    groups
}

/// What the function, or the one that it is part of, is implemented for.
fn owner(program: &Program, id: FnId) -> Option<(Vec<GenericParam>, Ty, Option<TraitRef>)> {
    match &program.functions[root_of(program, id)].owner {
        Owner::Inherent { generics, self_ty } => Some((generics.clone(), self_ty.clone(), None)),
        Owner::TraitImpl(id) => {
            let item = &program.impls[*id];
            Some((item.generics.clone(), item.trait_ref.self_ty.clone(), Some(item.trait_ref.clone())))
        }
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => None,
    }
}

fn signature(program: &Program, id: FnId) -> CanonicalSignature {
    CanonicalSignature::of(program, id, &Renames::default())
}

/// What a whole function looks like: the forms of its parts under their relative paths, its own first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    parts: Vec<(String, Fingerprint)>,
    signature: Fingerprint,
}

/// The open functions of the package by form; a function of which a part cannot be known has none.
fn forms(
    program: &Program,
    parts: &Parts,
    renames: &Renames,
    is_open: impl Fn(FnId) -> bool,
) -> BTreeMap<Form, Vec<FnId>> {
    let mut forms: BTreeMap<Form, Vec<FnId>> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        let is_candidate = function.origin == Origin::Subject
            && function.kind == FunctionKind::Fn
            && matches!(function.body, FnBody::Present(_))
            && root_of(program, id) == id
            && is_open(id);
        if !is_candidate {
            continue;
        }
        let known: Option<Vec<(String, Fingerprint)>> = parts[&id]
            .iter()
            .map(|(rest, part)| {
                let body = CanonicalBody::of(program, *part, renames)?;
                body.undetermined().is_empty().then(|| (rest.clone(), body.fingerprint()))
            })
            .collect();
        if let Some(parts) = known {
            let signature = CanonicalSignature::of(program, id, renames).fingerprint();
            forms.entry(Form { parts, signature }).or_default().push(id);
        }
    }
    forms
}
