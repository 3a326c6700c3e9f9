//! What names mean: the tables of known items, and the scope in which a piece of text is read.
//!
//! rustc prints local items without their crate's name and items of the standard library under whichever of
//! `core`, `alloc` and `std` the crate can see. Both are brought into the canonical spelling of
//! [`regress_core::ir::path`] here, and nowhere else. A local module may bear the name of a crate (`mod core`), so
//! the local names are asked first.

use std::collections::{BTreeSet, HashMap, HashSet};

use regress_core::ir::{
    AdtKind, Const, ConstTy, CtorKind, GenericArg, GenericArgs, GenericParam, GenericParamKind, Name, Path,
    Signedness, Subst, TraitRef, Ty, TyKind,
};
use serde::{Deserialize, Serialize};

use super::doubts::Doubts;
use super::expanded::GenericsInBodies;

/// The dump whose items stand for those of the standard library.
pub const STD_MIRROR: &str = "std_models";

/// The mirror's module of traits that hold inherent methods.
pub const MIRROR_INHERENT: &str = "std::inherent::";

/// A generic parameter with what is needed to read arguments for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    pub name: Name,
    pub kind: GenericParamKind,
    pub default: Option<GenericArg>,
}

impl Param {
    pub fn ty(name: &str) -> Param {
        Param { name: name.into(), kind: GenericParamKind::Type, default: None }
    }

    pub fn default_type(&self) -> Option<Ty> {
        match &self.default {
            Some(GenericArg::Ty(ty)) => Some(ty.clone()),
            _ => None,
        }
    }

    pub fn generic(&self) -> GenericParam {
        GenericParam { name: self.name.clone(), kind: self.kind }
    }
}

pub fn generics_of(params: &[Param]) -> Vec<GenericParam> {
    params.iter().map(Param::generic).collect()
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdtShape {
    pub kind: AdtKind,
    pub params: Vec<Param>,
    pub variants: Vec<(Name, CtorKind)>,
}

/// What closures need to know about the function they stand in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FnShape {
    pub path: Path,
    pub owner_generics: Vec<GenericParam>,
    /// The type of the inherent implementation, or the trait reference of the trait implementation.
    pub pattern: ShapePattern,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ShapePattern {
    Inherent(Ty),
    Trait(TraitRef),
}

impl ShapePattern {
    /// What its parameters stand for in the target; none if it is not one of its instances.
    pub fn matched_by(&self, target: &ShapePattern) -> Option<Subst> {
        let mut subst = Subst::new();
        let fits = match (self, target) {
            (ShapePattern::Inherent(pattern), ShapePattern::Inherent(ty)) => subst.unify(pattern, ty),
            (ShapePattern::Trait(pattern), ShapePattern::Trait(target)) => {
                let self_is_param = matches!(target.self_ty.kind(), TyKind::Param(name) if name == "Self");
                !self_is_param
                    && pattern.path == target.path
                    && subst.unify(&pattern.self_ty, &target.self_ty)
                    && subst.unify_args(&pattern.args, &target.args)
            }
            _ => false,
        };
        fits.then_some(subst)
    }
}

/// The names of one crate.
#[derive(Clone, Debug, Default)]
pub struct CrateNames {
    /// As it stands in front of canonical paths.
    pub prefix: String,
    /// First and first two segments of every local path.
    locals: HashSet<String>,
    externs: HashSet<String>,
    /// Crates that are brought in below the root or by another name, by the path at which they are.
    brought_in: HashMap<String, String>,
    /// Whether rustdoc listed all local names; without it some are missing.
    pub unlisted: UnlistedNames,
    /// Const parameters of what is declared in bodies, which rustdoc leaves out.
    pub const_parameters_in_bodies: HashSet<String>,
    pub generics_in_bodies: GenericsInBodies,
    /// Type parameters of all that is declared in bodies.
    pub type_parameters_in_bodies: HashSet<String>,
}

impl CrateNames {
    pub fn new(crate_name: &str) -> Self {
        let prefix = if crate_name == STD_MIRROR { "std" } else { crate_name };
        CrateNames {
            prefix: prefix.to_owned(),
            locals: HashSet::new(),
            brought_in: HashMap::new(),
            unlisted: UnlistedNames::MayBeItems,
            const_parameters_in_bodies: HashSet::new(),
            generics_in_bodies: GenericsInBodies::new(),
            type_parameters_in_bodies: HashSet::new(),
            externs: ["std", "core", "alloc", "proc_macro", "test", "_"].map(String::from).into(),
        }
    }

    pub fn add_local(&mut self, first: &str, second: Option<&str>) {
        if !self.locals.contains(first) {
            self.locals.insert(first.to_owned());
        }
        if let Some(second) = second {
            self.locals.insert(format!("{first}::{second}"));
        }
    }

    pub fn add_extern(&mut self, name: &str) {
        if name != self.prefix {
            self.externs.insert(name.to_owned());
        }
    }

    /// Notes that the crate is at this path from the root, as by `extern crate serde as _serde` in a body.
    pub fn bring_in(&mut self, path: &str, name: &str) {
        if path != name && self.externs.contains(name) {
            self.brought_in.insert(path.to_owned(), name.to_owned());
        }
    }

    /// The crate in which the path lies if it goes through where that is brought in, and the path there.
    fn of_brought_in<'s>(&self, segments: &'s [&'s str]) -> Option<(&str, &'s [&'s str])> {
        if self.brought_in.is_empty() {
            return None;
        }
        (1..segments.len()).find_map(|len| {
            let (path, rest) = segments.split_at(len);
            Some((self.brought_in.get(&path.join("::"))?.as_str(), rest))
        })
    }

    /// The first segments of local paths.
    pub fn root_names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(String::as_str).filter(|path| !path.contains("::"))
    }

    pub fn lists(&self, name: &str) -> bool {
        self.locals.contains(name)
    }

    /// Whether another crate of that name is in reach.
    pub fn is_extern(&self, name: &str) -> bool {
        self.externs.contains(name)
    }

    /// The canonical path of what lies at these segments in this crate.
    pub fn path_of_local(&self, segments: &[&str]) -> Path {
        let mut path = self.prefix.clone();
        for segment in segments {
            path.push_str("::");
            path.push_str(segment);
        }
        Path::from(path)
    }

    /// Whether the path begins like one of this crate.
    pub fn is_local(&self, segments: &[&str]) -> bool {
        let Some(first) = segments.first() else { return true };
        if !self.externs.contains(*first) {
            return true;
        }
        match segments.get(1) {
            // The name of a crate brought in as `_` stands for the standard library; but an unnamed constant is printed
            // so as well, and what was brought in there (`_::_serde`) may be any crate's.
            Some(second) if *first == "_" && !super::std_types::is_module(second) => true,
            Some(second) => self.locals.contains(&format!("{first}::{second}")),
            None => self.locals.contains(*first),
        }
    }
}

/// All known items of all dumps, by canonical path.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    pub adts: HashMap<Path, AdtShape>,
    pub traits: HashMap<Path, Vec<Param>>,
    pub fn_params: HashMap<Path, Vec<Param>>,
    /// Functions in implementations by their last name, for the closures in them.
    pub shapes: HashMap<Name, Vec<FnShape>>,
    pub aliases: Aliases,
    /// Type aliases with their parameters and what they stand for.
    pub type_aliases: HashMap<Path, (Vec<Param>, Ty)>,
    /// Modules that share their path with a function or constant in whose body things are declared.
    pub split_paths: HashMap<Path, ItemsInBody>,
    /// What has a name at the root of a crate, re-exports included, of those crates of which that is known.
    pub roots: HashMap<String, HashSet<String>>,
}

/// Re-exports of dependencies: visible path to path of definition.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Aliases {
    /// Of what has items below it.
    pub scopes: HashMap<String, String>,
    pub values: HashMap<String, String>,
    /// Modules that hand on all of these modules of other crates.
    pub globs: HashMap<String, Vec<String>>,
    /// What has a name in some module of a crate that is read, if there are such modules.
    pub items: HashSet<String>,
}

/// What is declared in the body of a function, constant or static.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ItemsInBody {
    Named(BTreeSet<String>),
    Unknown,
}

impl ItemsInBody {
    pub fn may_be(&self, name: &str) -> bool {
        match self {
            ItemsInBody::Named(names) => names.contains(name),
            ItemsInBody::Unknown => true,
        }
    }
}

impl Aliases {
    /// Follows re-exports of the path or of any prefix of it, the longest first, and those of what is found there.
    fn definition_path(&self, mut path: String) -> Path {
        const MOST_STEPS: usize = 8;
        for _ in 0..MOST_STEPS {
            if path.starts_with("std::") {
                return Path::from(super::std_types::usual_path(path));
            }
            match self.handed_on_from(&path) {
                Some(further) if further != path => path = further,
                _ => break,
            }
        }
        Path::from(path)
    }

    /// What the path stands for by a single re-export.
    fn handed_on_from(&self, path: &str) -> Option<String> {
        if let Some(definition) = self.values.get(path) {
            return Some(definition.clone());
        }
        let ends = path.rmatch_indices("::").map(|(end, _)| end);
        let named = std::iter::once(path.len()).chain(ends).find_map(|end| {
            let definition = self.scopes.get(&path[..end])?;
            Some(format!("{definition}{}", &path[end..]))
        });
        named.or_else(|| self.handed_on_by_glob(path))
    }

    /// What the path stands for if a module in it has all that a module of another crate has: an item of that module which this one does not have itself.
    fn handed_on_by_glob(&self, path: &str) -> Option<String> {
        if self.globs.is_empty() {
            return None;
        }
        path.rmatch_indices("::").find_map(|(end, _)| {
            let (module, rest) = (&path[..end], &path[end..]);
            let item = rest[2..].split("::").next().unwrap_or_default();
            let targets = self.globs.get(module)?;
            if self.items.contains(&format!("{module}::{item}")) {
                return None;
            }
            let mut found = targets.iter().filter(|target| self.items.contains(&format!("{target}::{item}")));
            let target = found.next().filter(|_| found.next().is_none())?;
            Some(format!("{target}{rest}"))
        })
    }
}

impl Names {
    pub fn canonical(&self, krate: &CrateNames, segments: &[&str]) -> Path {
        let (first, rest) = match krate.of_brought_in(segments) {
            Some(found) => found,
            None if krate.is_local(segments) => return krate.path_of_local(segments),
            None => (segments[0], &segments[1..]),
        };
        let first = match first {
            "core" | "alloc" | "_" => "std",
            other => other,
        };
        let mut path = first.to_owned();
        for segment in rest {
            path.push_str("::");
            path.push_str(segment);
        }
        if first == "std" {
            return Path::from(super::std_types::usual_path(path));
        }
        self.aliases.definition_path(path)
    }

    pub fn is_adt(&self, path: &str) -> bool {
        self.adts.contains_key(path)
    }

    pub fn variant(&self, adt: &str, variant: &str) -> Option<CtorKind> {
        let shape = self.adts.get(adt)?;
        if shape.kind != AdtKind::Enum {
            return None;
        }
        shape.variants.iter().find(|(name, _)| *name == variant).map(|(_, ctor)| *ctor)
    }

    /// Gives bare numbers the type of their parameter, reads single words as const parameters and paths as constants where one is asked for, and fills in defaults that
    /// rustc leaves out.
    pub fn complete_args(params: &[Param], args: &mut GenericArgs, self_ty: Option<&Ty>) {
        for (param, arg) in params.iter().zip(args.iter_mut()) {
            if let (GenericParamKind::Const(_), GenericArg::Ty(word)) = (param.kind, &*arg) {
                match word.kind() {
                    TyKind::Param(name) => *arg = GenericArg::Const(Const::Param(name.clone())),
                    TyKind::Adt(path, none) if none.is_empty() => {
                        *arg = GenericArg::Const(Const::Unsupported(path.to_string()));
                    }
                    _ => {}
                }
            }
            if let (GenericParamKind::Const(ConstTy::Int(ty)), GenericArg::Const(Const::Int(bits, old))) =
                (param.kind, &arg)
            {
                let value = match old.signedness() {
                    Signedness::Signed => old.sign_extend(*bits) as u128,
                    Signedness::Unsigned => *bits,
                };
                *arg = GenericArg::Const(Const::Int(ty.truncate(value), ty));
            }
        }
        while let Some(default) = params.get(args.len()).and_then(|param| param.default.as_ref()) {
            let generics = generics_of(params);
            let mut subst = Subst::from_params(&generics, args);
            if let Some(self_ty) = self_ty {
                subst.insert("Self".into(), GenericArg::Ty(self_ty.clone()));
            }
            let filled = subst.args(std::slice::from_ref(default));
            args.extend(filled);
        }
    }

    pub fn complete_adt_args(&self, path: &Path, args: &mut GenericArgs) {
        if let Some(shape) = self.adts.get(path) {
            Self::complete_args(&shape.params, args, None);
        }
    }

    pub fn complete_trait_ref(&self, trait_ref: &mut TraitRef) {
        if let Some(params) = self.traits.get(&trait_ref.path) {
            Self::complete_args(params, &mut trait_ref.args, Some(&trait_ref.self_ty));
        }
    }

    /// `<SELF as TRAIT>` the way rustc prints it: arguments equal to the trait's defaults are left out.
    pub fn elided_trait_ref(&self, trait_ref: &TraitRef) -> TraitRef {
        let mut short = trait_ref.clone();
        let Some(params) = self.traits.get(&trait_ref.path) else { return short };
        while let Some(last) = short.args.pop() {
            let mut refilled = short.clone();
            Self::complete_args(params, &mut refilled.args, Some(&short.self_ty));
            if refilled.args != trait_ref.args {
                short.args.push(last);
                break;
            }
        }
        short
    }
}

/// What a single name is that is in no list of the crate's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnlistedNames {
    /// The list is not complete.
    #[default]
    MayBeItems,
    /// A generic parameter of a function around the item, which rustc prints in paths although it is out of scope.
    AreParams,
}

/// How a single name that is neither a known type nor in scope is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownNames {
    /// It is an item of the crate.
    AreItems,
    /// It is a generic parameter: the reading of a header about whose generics nothing else is known.
    AreParams,
}

/// What is known of the item that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemIs {
    /// rustdoc lists it with its parameters.
    Documented,
    /// It may be declared in a body, and have parameters that nothing tells.
    MaybeInBody,
}

/// The scope in which text is read.
#[derive(Clone, Debug)]
pub struct Scope<'t> {
    pub names: &'t Names,
    pub krate: &'t CrateNames,
    /// All generic parameters in scope, `Self` of traits among them.
    pub generics: Vec<GenericParam>,
    pub unknown_names: UnknownNames,
    /// The path to which `promoted[N]` belongs, inside a body.
    pub body_of: Option<Path>,
    pub item: ItemIs,
    /// Statics by the allocations that stand for them in the body.
    pub statics: HashMap<&'t str, Path>,
    pub doubts: Doubts,
}

impl<'t> Scope<'t> {
    pub fn new(names: &'t Names, krate: &'t CrateNames, generics: Vec<GenericParam>) -> Self {
        Scope {
            names,
            krate,
            generics,
            unknown_names: UnknownNames::AreItems,
            body_of: None,
            item: ItemIs::Documented,
            statics: HashMap::new(),
            doubts: Doubts::default(),
        }
    }

    pub fn generic(&self, name: &str) -> Option<&GenericParam> {
        self.generics.iter().find(|param| param.name == name)
    }

    /// The synthetic parameter (`impl Fn(u8) -> u8`) whose text stands at the start of `text`; the longest wins.
    pub fn synthetic(&self, text: &str) -> Option<&GenericParam> {
        self.generics
            .iter()
            .filter(|param| param.name.as_str().starts_with("impl ") && text.starts_with(param.name.as_str()))
            .max_by_key(|param| param.name.as_str().len())
    }

    pub fn canonical(&self, segments: &[&str]) -> Path {
        self.doubt_path(segments);
        self.names.canonical(self.krate, segments)
    }
}

/// Whether a path segment names a type (or variant), by Rust's naming convention.
pub fn names_a_type(segment: &str) -> bool {
    segment.chars().next().is_some_and(char::is_uppercase) && !is_shouting(segment)
}

/// `MAX_LEN`: a constant by convention. A single capital letter counts as a type.
fn is_shouting(segment: &str) -> bool {
    segment.len() > 1
        && segment.contains('_')
        && segment.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
}

pub fn parent_and_name(path: &str) -> Option<(&str, &str)> {
    path.rsplit_once("::")
}

/// The type's part of the path of its inherent items (see [`regress_core::ir::path`]).
pub fn type_head(ty: &Ty) -> String {
    match ty.kind() {
        TyKind::Adt(path, _) => path.to_string(),
        TyKind::Slice(_) => "[T]".to_owned(),
        TyKind::Array(..) => "[T; N]".to_owned(),
        TyKind::RawPtr(regress_core::ir::Mutability::Shared, _) => "*const T".to_owned(),
        TyKind::RawPtr(regress_core::ir::Mutability::Mut, _) => "*mut T".to_owned(),
        _ => ty.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_win_over_crates_of_the_same_name() {
        let names = Names::default();
        let mut krate = CrateNames::new("textwrap");
        krate.add_local("core", Some("Word"));
        let check = |segments: &[&str], expected: &str| {
            assert_eq!(names.canonical(&krate, segments).as_str(), expected);
        };
        check(&["core", "Word"], "textwrap::core::Word");
        check(&["core", "option", "Option"], "std::option::Option");
        check(&["_", "string", "String"], "std::string::String");
        check(&["_", "_serde", "Serialize"], "textwrap::_::_serde::Serialize");
        check(&["wrap"], "textwrap::wrap");
    }

    #[test]
    fn a_crate_may_be_brought_in_anywhere() {
        let names = Names::default();
        let mut krate = CrateNames::new("user");
        krate.add_extern("serde");
        krate.bring_in("lazy::std", "std");
        krate.bring_in("de::_::_serde", "serde");
        krate.bring_in("de::_::other", "unknown");
        let check = |segments: &[&str], expected: &str| {
            assert_eq!(names.canonical(&krate, segments).as_str(), expected);
        };
        check(&["lazy", "std", "sync", "Once"], "std::sync::Once");
        check(&["lazy", "Lazy"], "user::lazy::Lazy");
        check(&["de", "_", "_serde", "de", "Visitor"], "serde::de::Visitor");
        check(&["de", "_", "other", "Name"], "user::de::_::other::Name");
    }

    #[test]
    fn a_word_for_a_const_parameter_is_one() {
        let kind = GenericParamKind::Const(ConstTy::USIZE);
        let params = [Param::ty("T"), Param { kind, ..Param::ty("N") }];
        let word = |name: &str| GenericArg::Ty(Ty::new(TyKind::Param(name.into())));
        let mut args = vec![word("A"), word("LEN")];
        Names::complete_args(&params, &mut args, None);
        assert_eq!(args, [word("A"), GenericArg::Const(Const::Param("LEN".into()))]);
    }

    #[test]
    fn the_mirror_is_the_standard_library() {
        let names = Names::default();
        let krate = CrateNames::new(STD_MIRROR);
        assert_eq!(names.canonical(&krate, &["iter", "Iterator"]).as_str(), "std::iter::Iterator");
        assert_eq!(names.canonical(&krate, &["std", "iter", "Iterator"]).as_str(), "std::iter::Iterator");
    }

    #[test]
    fn re_exports_lead_to_the_definition() {
        let mut names = Names::default();
        let Aliases { scopes, values, globs, items } = &mut names.aliases;
        scopes.insert("dep::Thing".into(), "dep::inner::Thing".into());
        scopes.insert("dep::_core".into(), "std".into());
        scopes.insert("dep::front".into(), "back".into());
        scopes.insert("back::Name".into(), "back::inner::Name".into());
        globs.insert("dep::all".into(), vec!["deep".into(), "other::inner".into()]);
        items.extend(["deep::run", "deep::own", "dep::all::own"].map(str::to_owned));
        values.insert("dep::bytes".into(), "dep::bits::bytes".into());
        let mut krate = CrateNames::new("user");
        krate.add_extern("dep");
        let check = |segments: &[&str], expected: &str| {
            assert_eq!(names.canonical(&krate, segments).as_str(), expected);
        };
        check(&["dep", "Thing", "new"], "dep::inner::Thing::new");
        check(&["dep", "bytes"], "dep::bits::bytes");
        // A module of the function's name.
        check(&["dep", "bytes", "tag"], "dep::bytes::tag");
        check(&["dep", "_core", "cmp", "min"], "std::cmp::min");
        // All of two crates, of which one has the item.
        check(&["dep", "all", "run", "inner"], "deep::run::inner");
        check(&["dep", "all", "own"], "dep::all::own");
        check(&["dep", "all", "unknown"], "dep::all::unknown");
        // In two steps.
        check(&["dep", "front", "Name"], "back::inner::Name");
    }
}
