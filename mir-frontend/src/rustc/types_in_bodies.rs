//! Types declared in bodies become types of the program.
//!
//! *Idea.* What they are called follows from the item around; kind, variants and parameters are in the expanded source
//! ([`super::expanded`]), and so are the types of simple fields. The others show wherever a body uses the field, as MIR tells the type of each.
//!
//! *Limits.* A type some field of which shows nowhere stays unknown, as does one that shares its path with another (those of two blocks of one function do), and a
//! generic one whose fields show only at other types than parameters.

use std::collections::btree_map::{BTreeMap, Entry};
use std::collections::{HashMap, HashSet};

use regress_core::ir::{Adt, Field, Function, FunctionKind, Name, Path, Variant, Visibility};

use super::expanded::{TypeInBody, head, last};
use super::field_types::{FieldTypes, Wanted};
use super::identify::{Identified, OwnerDraft, Shell};
use super::scope::{AdtShape, Names, Param, parent_and_name};

/// How many functions around a type, from the method outwards, are held against methods: a function in a method is one more.
const MOST_NESTED: usize = 3;

/// A type and the path it has in the program.
pub struct Found<'d> {
    path: Path,
    declared: &'d TypeInBody,
}

/// The types of a crate that have a path of their own, which are then known by their shapes.
pub fn find<'d>(
    declared: &'d [TypeInBody],
    prefix: &str,
    identified: &Identified,
    names: &mut Names,
) -> Vec<Found<'d>> {
    let closures = closures_by_function(identified);
    let paths = declared.iter().flat_map(|declared| {
        let around = paths_around(declared, prefix, identified);
        let in_closures = around.iter().flat_map(|path| closures.get(path.as_str()).into_iter().flatten());
        let bases: Vec<String> = in_closures.map(ToString::to_string).chain(around.iter().cloned()).collect();
        let path = |base: String| Path::new(format!("{base}::{}", declared.name));
        bases.into_iter().map(move |base| Found { path: path(base), declared })
    });
    let mut at_path: BTreeMap<Path, Option<&TypeInBody>> = BTreeMap::new();
    for Found { path, declared } in paths {
        match at_path.entry(path) {
            Entry::Vacant(entry) => {
                entry.insert(Some(declared));
            }
            // Those of methods of one name may be alike, and then it does not matter which is meant.
            Entry::Occupied(mut entry) => {
                let known = entry.get().filter(|known| known.is_like(declared));
                entry.insert(known);
            }
        }
    }
    let is_new = |(path, _): &(Path, &TypeInBody)| !names.adts.contains_key(path);
    let alone = at_path.into_iter().filter_map(|(path, declared)| Some((path, declared?))).filter(is_new);
    let found: Vec<Found<'d>> = alone.map(|(path, declared)| Found { path, declared }).collect();
    for Found { path, declared } in &found {
        let params = declared.generics.iter();
        let shape = AdtShape {
            kind: declared.kind,
            params: params
                .map(|param| Param { name: param.name.clone(), kind: param.kind, default: None })
                .collect(),
            variants: declared
                .variants
                .iter()
                .map(|variant| (Name::new(&variant.name), variant.ctor))
                .collect(),
        };
        names.adts.insert(path.clone(), shape);
    }
    found
}

/// The closures within each function, at any depth: sources do not say which of them a type stands in.
fn closures_by_function(identified: &Identified) -> HashMap<&str, Vec<&Path>> {
    let mut found: HashMap<&str, Vec<&Path>> = HashMap::new();
    for shell in identified.shells.iter().filter(|shell| shell.kind == FunctionKind::Closure) {
        if let Some(at) = shell.path.as_str().find("::{closure#") {
            found.entry(&shell.path.as_str()[..at]).or_default().push(&shell.path);
        }
    }
    found
}

/// What the declaration may stand in: several items where macros made implementations alike.
fn paths_around(declared: &TypeInBody, prefix: &str, identified: &Identified) -> HashSet<String> {
    let around = &declared.around;
    if !declared.is_in_any_impl() {
        return HashSet::from([format!("{prefix}::{}", around.join("::"))]);
    }
    for nested in 0..MOST_NESTED.min(around.len()) {
        let (outer, within) = around.split_at(around.len() - nested);
        let Some(method) = outer.last() else { break };
        let is_around = |shell: &&Shell| {
            parent_and_name(shell.path.as_str()).is_some_and(|(_, name)| name == method)
                && is_method_of(declared, shell, identified)
        };
        let below: String = within.iter().map(|name| format!("::{name}")).collect();
        let path = |shell: &Shell| format!("{}{below}", shell.path);
        let found: HashSet<String> = identified.shells.iter().filter(is_around).map(path).collect();
        if !found.is_empty() {
            return found;
        }
    }
    HashSet::new()
}

fn is_method_of(declared: &TypeInBody, shell: &Shell, identified: &Identified) -> bool {
    match &shell.owner {
        OwnerDraft::Inherent { self_ty, .. } => declared.is_in_impl(None, head(self_ty).as_deref()),
        OwnerDraft::Impl(draft) => {
            let trait_ref = &identified.impls[*draft].trait_ref;
            declared.is_in_impl(Some(last(trait_ref.path.as_str())), head(&trait_ref.self_ty).as_deref())
        }
        OwnerDraft::Free | OwnerDraft::Trait(_) | OwnerDraft::Within(_) | OwnerDraft::Unknown => false,
    }
}

/// The types all of whose fields are known, by the bodies of their crate.
pub fn completed(found: &[Found<'_>], prefix: &str, functions: &[Function]) -> Vec<Adt> {
    if found.is_empty() {
        return Vec::new();
    }
    let wanted = found.iter().map(|found| {
        let variants = found.declared.variants.iter().map(|variant| variant.name.as_str()).collect();
        (&found.path, Wanted { generics: &found.declared.generics, variants })
    });
    let shown = FieldTypes::shown(wanted.collect(), functions);
    let field = |of: &Found<'_>, variant: usize, at: usize| {
        let declared = &of.declared.variants[variant].fields[at];
        let ty = declared.ty.clone().or_else(|| shown.of(&of.path, variant, at))?;
        Some(Field { name: Name::new(&declared.name), ty, visibility: Visibility::Private })
    };
    let variant = |of: &Found<'_>, number: usize| {
        let declared = &of.declared.variants[number];
        let fields = (0..declared.fields.len()).map(|at| field(of, number, at)).collect::<Option<_>>()?;
        let (name, ctor, discriminant) = (Name::new(&declared.name), declared.ctor, declared.discriminant);
        Some(Variant { name, ctor, fields, discriminant })
    };
    let adt = |of: &Found<'_>| {
        let variants = (0..of.declared.variants.len()).map(|number| variant(of, number));
        Some(Adt {
            path: of.path.clone(),
            kind: of.declared.kind,
            generics: of.declared.generics.clone(),
            bounds: Vec::new(),
            variants: variants.collect::<Option<_>>()?,
            discriminant_ty: of.declared.discriminant_ty,
            visibility: Visibility::Private,
            origin_crate: Name::new(prefix),
            span: None,
        })
    };
    found.iter().filter_map(adt).collect()
}
