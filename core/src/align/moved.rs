//! Items that moved: types, traits and functions that stand in another module of the new version.
//!
//! *Idea.* A type keeps its name when its module is renamed or taken apart, and so do most functions. An item that one version alone has
//! under its path is the same as one that the other alone has under its path if both have one name and look alike, and nothing else has that name.
//! Where several have it, the modules decide: if other items went from one module to the other, this one did too.
//!
//! *Definition.* Types look alike if both are structs or both enums with as many parameters and share a field or variant (or have none). Functions
//! look alike if their signatures are the same, given that types moved. Functions that went with their module need no equal signature.
//!
//! *Limits.* Items of bodies, and items that changed their names, are not looked for here ([`super::matching`] finds renamed functions by their bodies).
//! Two items of one name that have nothing to do with each other may be taken for one that moved and changed. Then they are compared as such; nothing is
//! taken for unchanged or equal that is not.
//!
//! S. Kim, K. Pan and E. J. Whitehead, "When functions change their names: automatic detection of origin relationships", WCRE 2005.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::ir::canonical::{CanonicalSignature, Renames};
use crate::ir::{
    Adt, AdtKind, CtorKind, FnId, FunctionKind, Moved, Name, Namespace, Origin, Owner, Path, Program,
};

/// The items of the package that moved between these versions, each under its own names.
pub fn moved(old: &Program, new: &Program) -> Moved {
    let (old_items, new_items) = (Items::of(old), Items::of(new));
    let mut search = Search {
        programs: [old, new],
        old: old_items.types.keys().filter(|path| !new_items.types.contains_key(*path)).collect(),
        new: new_items.types.keys().filter(|path| !old_items.types.contains_key(*path)).collect(),
        moved: Moved::default(),
        modules: BTreeMap::new(),
    };
    if !search.old.is_empty() && !search.new.is_empty() {
        search.pair(Namespace::Types, |old, new| old_items.types[old].looks_like(&new_items.types[new]));
    }
    search.old = old_items.functions.keys().filter(|path| !new_items.functions.contains_key(*path)).collect();
    search.new = new_items.functions.keys().filter(|path| !old_items.functions.contains_key(*path)).collect();
    if search.old.is_empty() || search.new.is_empty() {
        return search.moved;
    }
    let renames = Renames::of_moved(search.moved.clone());
    search.pair(Namespace::Values, |old_path, new_path| {
        let (old_id, new_id) = (old_items.functions[old_path], new_items.functions[new_path]);
        old.functions[old_id].kind == new.functions[new_id].kind
            && CanonicalSignature::of(old, old_id, &renames)
                == CanonicalSignature::of(new, new_id, &Renames::default())
    });
    search.moved
}

/// The items of a version that may have moved, by their paths. Those of which several have one path are left out.
struct Items<'p> {
    types: BTreeMap<Path, Look<'p>>,
    /// Free functions, constants and statics.
    functions: BTreeMap<Path, FnId>,
}

/// What there is to see of a type or trait without following names.
enum Look<'p> {
    Adt(&'p Adt),
    Trait { parameters: usize, methods: BTreeSet<&'p Name> },
}

impl<'p> Items<'p> {
    fn of(program: &'p Program) -> Items<'p> {
        let own = |function: &&_| is_own(function);
        let crates: HashSet<&str> =
            program.functions.iter().filter(own).filter_map(|function| crate_of(&function.path)).collect();
        let is_of_package = |path: &Path| crate_of(path).is_some_and(|name| crates.contains(name));
        let in_module = |path: &Path| {
            parent(path).is_none_or(|parent| program.functions_at(&Path::new(parent)).is_empty())
        };
        let is_item = |path: &Path| is_of_package(path) && in_module(path);
        let adts = program.adts.iter().filter(|adt| !program.is_ambiguous_adt(&adt.path));
        let adts = adts.filter(|adt| is_item(&adt.path)).map(|adt| (adt.path.clone(), Look::Adt(adt)));
        let traits = program.traits.iter().filter(|item| is_item(&item.path)).map(|item| {
            let methods = item.default_methods.keys().collect();
            (item.path.clone(), Look::Trait { parameters: item.generics.len(), methods })
        });
        let functions = program.functions.iter_enumerated().filter(|(_, function)| {
            is_own(function)
                && function.owner == Owner::Free
                && matches!(function.kind, FunctionKind::Fn | FunctionKind::Const | FunctionKind::Static)
                && program.functions_at(&function.path).len() == 1
                && in_module(&function.path)
        });
        Items {
            types: adts.chain(traits).collect(),
            functions: functions.map(|(id, function)| (function.path.clone(), id)).collect(),
        }
    }
}

fn is_own(function: &crate::ir::Function) -> bool {
    function.origin == Origin::Subject
}

impl Look<'_> {
    fn looks_like(&self, other: &Look<'_>) -> bool {
        match (self, other) {
            (Look::Adt(old), Look::Adt(new)) => {
                old.kind == new.kind && old.generics.len() == new.generics.len() && share_a_part(old, new)
            }
            (
                Look::Trait { parameters, methods },
                Look::Trait { parameters: others, methods: other_methods },
            ) => parameters == others && (methods == other_methods || !methods.is_disjoint(other_methods)),
            _ => false,
        }
    }
}

fn share_a_part(old: &Adt, new: &Adt) -> bool {
    let names = |adt: &Adt| -> BTreeSet<Name> {
        match adt.kind {
            AdtKind::Enum => adt.variants.iter().map(|variant| variant.name.clone()).collect(),
            AdtKind::Struct | AdtKind::Union => {
                let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
                fields.map(|field| field.name.clone()).collect()
            }
        }
    };
    let is_tuple = |adt: &Adt| adt.variants.iter().any(|variant| variant.ctor == CtorKind::Tuple);
    let (old_names, new_names) = (names(old), names(new));
    // Fields of tuple structs have no names: it takes as many of them.
    match adt_is_struct(old) && (is_tuple(old) || is_tuple(new)) {
        true => is_tuple(old) == is_tuple(new) && old_names == new_names,
        false => old_names == new_names || !old_names.is_disjoint(&new_names),
    }
}

fn adt_is_struct(adt: &Adt) -> bool {
    adt.kind == AdtKind::Struct
}

/// The search for pairs among the items that one version alone has under their paths.
struct Search<'i> {
    programs: [&'i Program; 2],
    old: BTreeSet<&'i Path>,
    new: BTreeSet<&'i Path>,
    moved: Moved,
    /// How many items went from an old to a new module.
    modules: BTreeMap<(String, String), usize>,
}

impl Search<'_> {
    fn pair(&mut self, namespace: Namespace, look_alike: impl Fn(&Path, &Path) -> bool) {
        let old: BTreeMap<&str, Vec<&Path>> = by_name(&self.old);
        let new: BTreeMap<&str, Vec<&Path>> = by_name(&self.new);
        let mut open = Vec::new();
        for (name, olds) in &old {
            let Some(news) = new.get(name) else { continue };
            match (olds.as_slice(), news.as_slice()) {
                ([old], [new]) if look_alike(old, new) => self.add(namespace, old, new),
                _ => open.push((olds, news)),
            }
        }
        let mut taken: HashSet<&Path> = HashSet::new();
        for (olds, news) in open {
            for old in olds {
                let went_along =
                    news.iter().filter(|new| !taken.contains(**new) && self.went_along(old, new));
                if let [new] = went_along.collect::<Vec<_>>().as_slice() {
                    taken.insert(new);
                    self.add(namespace, old, new);
                }
            }
        }
    }

    fn add(&mut self, namespace: Namespace, old: &Path, new: &Path) {
        let [old_program, new_program] = self.programs;
        if is_taken(new_program, old) || is_taken(old_program, new) {
            return;
        }
        self.moved.insert(namespace, old, new);
        *self.modules.entry(modules_of(old, new)).or_default() += 1;
    }

    /// Whether other items went from the one's module to the other's.
    fn went_along(&self, old: &Path, new: &Path) -> bool {
        self.modules.contains_key(&modules_of(old, new))
    }
}

/// Whether anything has the path, though it be nothing that can move.
fn is_taken(program: &Program, path: &Path) -> bool {
    program.adt_id(path).is_some() || program.trait_(path).is_some() || !program.functions_at(path).is_empty()
}

fn modules_of(old: &Path, new: &Path) -> (String, String) {
    let module = |path: &Path| parent(path).unwrap_or_default().to_owned();
    (module(old), module(new))
}

fn by_name<'p>(paths: &BTreeSet<&'p Path>) -> BTreeMap<&'p str, Vec<&'p Path>> {
    let mut named: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        let name = path.last();
        named.entry(name).or_default().push(path);
    }
    named
}

fn parent(path: &Path) -> Option<&str> {
    path.as_str().rsplit_once("::").map(|(parent, _)| parent)
}

/// The crate of an item that is no item of an implementation.
fn crate_of(path: &Path) -> Option<&str> {
    let first = path.crate_name();
    first.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-').then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::align;
    use crate::ir::parse;
    use crate::verdict::ChangeKind::{self, Affected, Changed, Unchanged};

    fn program(text: &str) -> Program {
        parse::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// What becomes of the functions of the new version.
    #[track_caller]
    fn check(old: &str, new: &str, expected: &[(&str, ChangeKind)]) {
        let (mut old, new) = (program(old), program(new));
        moved(&old, &new).apply_to(&mut old);
        let alignment = align(&old, &new);
        let kinds: Vec<(&str, ChangeKind)> = alignment
            .pairs
            .iter()
            .map(|pair| match (pair.old, pair.new) {
                (_, Some(id)) => (new.functions[id].path.as_str(), pair.kind),
                (Some(id), None) => (old.functions[id].path.as_str(), pair.kind),
                (None, None) => unreachable!("a pair of nothing"),
            })
            .collect();
        assert_eq!(kinds, expected);
    }

    const PLAIN: &str = "bb0: { _0 = copy (_1.0: u8); return; }";

    #[test]
    fn a_type_of_a_renamed_module_is_the_same() {
        check(
            &format!("struct k::old::P {{ a: u8 }} fn k::f(_1: k::old::P) -> u8 {{ {PLAIN} }}"),
            &format!("struct k::new::P {{ a: u8 }} fn k::f(_1: k::new::P) -> u8 {{ {PLAIN} }}"),
            &[("k::f", Unchanged)],
        );
    }

    #[test]
    fn a_type_that_moved_and_changed_affects_what_uses_it() {
        check(
            &format!("struct k::old::P {{ a: u8 }} fn k::f(_1: k::old::P) -> u8 {{ {PLAIN} }}"),
            &format!("struct k::new::P {{ a: u8, b: u8 }} fn k::f(_1: k::new::P) -> u8 {{ {PLAIN} }}"),
            &[("k::f", Affected)],
        );
    }

    #[test]
    fn types_without_a_common_part_are_others() {
        check(
            &format!("struct k::old::P {{ a: u8 }} fn k::f(_1: k::old::P) -> u8 {{ {PLAIN} }}"),
            &format!("struct k::new::P {{ b: u8 }} fn k::f(_1: k::new::P) -> u8 {{ {PLAIN} }}"),
            &[("k::f", ChangeKind::SignatureChanged)],
        );
    }

    #[test]
    fn a_function_that_moved_and_changed_keeps_its_partner() {
        check(
            "fn k::old::f(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }
             fn k::g(_1: u8) -> u8 { bb0: { _0 = k::old::f(copy _1) -> bb1; } bb1: { return; } }",
            "fn k::new::f(_1: u8) -> u8 { bb0: { _0 = Not(copy _1); return; } }
             fn k::g(_1: u8) -> u8 { bb0: { _0 = k::new::f(copy _1) -> bb1; } bb1: { return; } }",
            &[("k::new::f", Changed), ("k::g", Affected)],
        );
    }

    #[test]
    fn functions_of_one_name_are_told_apart_by_where_others_went() {
        let text = |a: &str, b: &str, result: u8| {
            format!(
                "fn k::{a}::f(_1: u8) -> u8 {{ bb0: {{ _0 = copy _1; return; }} }}
                 fn k::{a}::only_a(_1: u8) -> u8 {{ bb0: {{ _0 = copy _1; return; }} }}
                 fn k::{b}::f(_1: u8) -> u8 {{ bb0: {{ _0 = const {result}_u8; return; }} }}
                 fn k::{b}::only_b(_1: u8) -> u8 {{ bb0: {{ _0 = copy _1; return; }} }}"
            )
        };
        check(
            &text("a", "b", 1),
            &text("x", "y", 2),
            &[
                ("k::x::f", Unchanged),
                ("k::x::only_a", Unchanged),
                ("k::y::f", Changed),
                ("k::y::only_b", Unchanged),
            ],
        );
    }

    #[test]
    fn a_name_that_stays_in_one_version_is_not_taken() {
        let f = |path: &str| format!("fn {path}(_1: u8) -> u8 {{ bb0: {{ _0 = copy _1; return; }} }}");
        let (old, new) = (program(&f("k::a::f")), program(&format!("{}{}", f("k::a::f"), f("k::b::f"))));
        assert!(moved(&old, &new).is_empty());
    }
}
