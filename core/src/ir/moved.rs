//! Items that have another path in the other version: types, traits and functions of modules that were renamed or taken apart.
//!
//! *Idea.* A path is the name of an item, and all that compares versions goes by it. So the old version is read under the new
//! version's names: [`Moved::apply_to`] respells every path in its program. Where its sources are concerned (what is written into a copy of
//! them has to compile), [`Moved::source_name`] gives the old names back.
//!
//! *Definition.* Each pair is the old and the new path of one item. What stands below a type or trait (methods, variants) and within a function
//! (closures, promoted constants) moves along. Other items of a function's body do not.
//!
//! **Invariant:** no old path is that of an item of the new version, and no new path that of one of the old: so names mean one item, and both
//! directions are functions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::canonical::{Numbering, Renames, Rewriter, Scope, Speller};
use super::*;

/// Old and new paths, in pairs; empty for a version under its own names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    to_new: BTreeMap<String, Target>,
    to_old: BTreeMap<String, Target>,
}

/// Where an item has gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Target {
    path: String,
    namespace: Namespace,
}

/// In which of Rust's namespaces an item is: a module may have a function's name, but no type's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Namespace {
    /// Types and traits.
    Types,
    /// Functions, constants and statics.
    Values,
}

impl Moved {
    pub fn insert(&mut self, namespace: Namespace, old: &Path, new: &Path) {
        let target = |path: &Path| Target { path: path.to_string(), namespace };
        self.to_new.insert(old.to_string(), target(new));
        self.to_old.insert(new.to_string(), target(old));
    }

    pub fn is_empty(&self) -> bool {
        self.to_new.is_empty()
    }

    /// The new path of what has an old one; none if nothing in it moved.
    pub fn new_path(&self, path: &Path) -> Option<Path> {
        match respelled(path.as_str(), &self.to_new) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(Path::new(text)),
        }
    }

    /// What the old version's sources call that which a text (a path, a type, a call) calls by new names.
    pub fn source_name(&self, text: &str) -> String {
        respelled(text, &self.to_old).into_owned()
    }

    /// What the new version calls that which a text calls by names of the old version's sources.
    pub fn new_name(&self, text: &str) -> String {
        respelled(text, &self.to_new).into_owned()
    }

    /// Gives the items of the old version the names that they have in the new one.
    pub fn apply_to(self, program: &mut Program) {
        if self.is_empty() {
            return;
        }
        let scope = Scope::new(Path::new(""), &[]);
        let renames = Renames::of_moved(self);
        let speller = Speller::new(&scope, &renames);
        let fields = program.adts.iter_mut().flat_map(|adt| {
            adt.path = speller.path(&adt.path);
            respell_bounds(&mut adt.bounds, &speller);
            adt.variants.iter_mut().flat_map(|variant| &mut variant.fields)
        });
        fields.for_each(|field| field.ty = speller.ty(&field.ty));
        for item in program.traits.iter_mut() {
            item.path = speller.path(&item.path);
            item.default_types.values_mut().for_each(|ty| *ty = speller.ty(ty));
            item.supertraits.iter_mut().for_each(|bound| *bound = speller.trait_ref(bound));
        }
        for item in program.impls.iter_mut() {
            item.trait_ref = speller.trait_ref(&item.trait_ref);
            item.bounds.iter_mut().for_each(|bound| *bound = speller.trait_ref(bound));
            for (of, is) in &mut item.equalities {
                (*of, *is) = (speller.ty(of), speller.ty(is));
            }
            item.types.values_mut().for_each(|ty| *ty = speller.ty(ty));
        }
        // A model names nothing of the crate.
        let functions = program.functions.iter_mut().filter(|function| function.origin != Origin::StdModel);
        for function in functions {
            respell_signature(function, &speller);
            if let FnBody::Present(body) = &mut function.body {
                body.change(|body| respell_body(body, Speller::new(&scope, &renames)));
            }
        }
        program.named_types.iter_mut().for_each(|ty| *ty = speller.ty(ty));
        let declared = &mut program.declared;
        declared.traits = std::mem::take(&mut declared.traits)
            .into_iter()
            .map(|(path, text)| (speller.path(&path), text))
            .collect();
        declared.methods = std::mem::take(&mut declared.methods)
            .into_iter()
            .map(|(path, methods)| (speller.path(&path), methods))
            .collect();
        declared.foreign = std::mem::take(&mut declared.foreign)
            .into_iter()
            .map(|(path, foreign)| (speller.path(&path), foreign))
            .collect();
        program.moved = renames.into_moved();
        program.build_index();
    }
}

fn respell_bounds(bounds: &mut [Bound], speller: &Speller<'_>) {
    for bound in bounds {
        bound.trait_ref = speller.trait_ref(&bound.trait_ref);
        bound.assoc_types.iter_mut().for_each(|(_, ty)| *ty = speller.ty(ty));
    }
}

fn respell_signature(function: &mut Function, speller: &Speller<'_>) {
    function.path = speller.path(&function.path);
    match &mut function.owner {
        Owner::Inherent { self_ty, .. } => *self_ty = speller.ty(self_ty),
        Owner::Trait(path) => *path = speller.path(path),
        Owner::Free | Owner::TraitImpl(_) | Owner::Within(_) => {}
    }
    respell_bounds(&mut function.bounds, speller);
    function.inputs.iter_mut().for_each(|ty| *ty = speller.ty(ty));
    function.output = speller.ty(&function.output);
}

fn respell_body(body: &mut Body, speller: Speller<'_>) {
    body.locals.iter_mut().for_each(|local| local.ty = speller.ty(&local.ty));
    let mut rewriter = Rewriter { speller, numbering: AsTheyAre };
    for block in body.blocks.iter_mut() {
        for statement in &mut block.statements {
            // What does nothing names nothing.
            if let Some(kind) = rewriter.statement(&statement.kind) {
                statement.kind = kind;
            }
        }
        block.terminator.kind = rewriter.terminator(&block.terminator.kind);
    }
}

/// Locals and blocks keep their numbers.
struct AsTheyAre;

impl Numbering for AsTheyAre {
    fn local(&mut self, local: LocalId) -> LocalId {
        local
    }

    fn block(&mut self, target: BlockId) -> BlockId {
        target
    }
}

/// The text with other paths in it. A path is the longest run of letters, digits, `_` and `:`.
fn respelled<'t>(text: &'t str, names: &BTreeMap<String, Target>) -> Cow<'t, str> {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut out = String::new();
    let mut done = 0;
    let mut rest = 0;
    while let Some(start) = text[rest..].find(is_of_path).map(|at| rest + at) {
        let length = text[start..].find(|c| !is_of_path(c)).unwrap_or(text.len() - start);
        let run = &text[start..start + length];
        if let Some((end, target)) = moved_beginning(run, names) {
            out.push_str(&text[done..start]);
            out.push_str(target);
            done = start + end;
        }
        rest = start + length;
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[done..]),
    }
}

/// How much of a path is the name of an item that moved, and where that is.
fn moved_beginning<'n>(run: &str, names: &'n BTreeMap<String, Target>) -> Option<(usize, &'n str)> {
    // Behind the last colons stands what is part of a function: arguments, or a closure.
    let path = run.trim_end_matches(':');
    let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| Some((end, names.get(&path[..end])?)))
        .find(|(end, target)| {
            target.namespace == Namespace::Types || ["", "::promoted"].contains(&&path[*end..])
        })
        .map(|(end, target)| (end, target.path.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved() -> Moved {
        let mut moved = Moved::default();
        let path = |text: &str| Path::new(text);
        moved.insert(Namespace::Types, &path("k::Date"), &path("k::date::Date"));
        moved.insert(Namespace::Types, &path("k::escapei::Error"), &path("k::escape::Error"));
        moved.insert(Namespace::Values, &path("k::parse"), &path("k::parsers::parse"));
        moved
    }

    #[track_caller]
    fn check(old: &str, new: &str) {
        assert_eq!(moved().new_name(old), new);
        assert_eq!(moved().source_name(new), old);
    }

    #[test]
    fn what_stands_below_a_type_moves_along() {
        check("k::Date", "k::date::Date");
        check("k::Date::new", "k::date::Date::new");
        check("<k::Date as std::fmt::Display>::fmt", "<k::date::Date as std::fmt::Display>::fmt");
        check(
            "std::result::Result<(k::Date, u8), &k::escapei::Error>",
            "std::result::Result<(k::date::Date, u8), &k::escape::Error>",
        );
    }

    #[test]
    fn a_function_takes_its_parts_along_and_no_module_of_its_name() {
        check("k::parse", "k::parsers::parse");
        check("k::parse::<u8>", "k::parsers::parse::<u8>");
        check("k::parse::{closure#0}", "k::parsers::parse::{closure#0}");
        check("k::parse::promoted[0]", "k::parsers::parse::promoted[0]");
        check("k::parse::Inner", "k::parse::Inner");
    }

    #[test]
    fn names_that_only_begin_alike_stay() {
        check("k::Dates", "k::Dates");
        check("lib::k::Date", "lib::k::Date");
        check("k::parse_all", "k::parse_all");
        check("std::vec::Vec<u8>", "std::vec::Vec<u8>");
    }
}
