//! Which functions, types, traits and implementations have no equal in the other version.
//!
//! Types and traits are compared by their definitions, implementations by what they implement for what and under which
//! bounds; the bodies of their methods are functions like any other. Visibility, spans and the names of parameters do
//! not count, the order of fields and variants does.
//!
//! What a version has more than once (two releases of one dependency under one name) is compared as a set.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Differing;
use super::completed::completed_by_default;
use super::declarations::{same_declaration, same_without_body};
use super::matching::Pairing;
use super::shapes::leave_out_unlike;
use super::types::may_implement;
use super::uses::{Items, chosen_by_library, is_drop};
use crate::idx::IdxVec;
use crate::ir::canonical::{CanonicalBody, CanonicalSignature, Renames, Scope, Speller};
use crate::ir::*;

/// What differs in the old version, and what in the new one; and what types that differ have in common.
pub(super) fn compare(
    old: &Items<'_>,
    new: &Items<'_>,
    pairing: &Pairing,
) -> (Differing, Differing, CommonShapes) {
    let mut in_old = Differing::default();
    let mut in_new = Differing::default();
    compare_functions(old.program, new.program, pairing, &mut in_old, &mut in_new);

    let (old_adts, new_adts) = (adt_forms(old.program), adt_forms(new.program));
    let mut common = CommonShapes::default();
    for (path, group) in &old_adts {
        if let ([(old_form, old_id)], Some([(new_form, new_id)])) =
            (group.as_slice(), new_adts.get(path).map(Vec::as_slice))
            && old_form.without_discriminants() != new_form.without_discriminants()
            && let Some(shape) =
                common_shape((old_form, old.program, *old_id), (new_form, new.program, *new_id))
        {
            common.insert(path.clone(), shape);
        }
    }
    for (adts, others, differing) in
        [(&old_adts, &new_adts, &mut in_old), (&new_adts, &old_adts, &mut in_new)]
    {
        for (path, group) in adts {
            let other = others.get(path);
            let ids = group.iter().map(|(_, id)| *id);
            if other.is_some() {
                differing.common_adts.extend(ids.clone());
            }
            let same = other.is_some_and(|other| {
                other.iter().map(|(form, _)| form).eq(group.iter().map(|(form, _)| form))
            });
            if !same {
                differing.adts.extend(ids.clone());
            }
            let same_values = other.is_some_and(|other| {
                let values = |group: &[(AdtForm, AdtId)]| {
                    group.iter().map(|(form, _)| form.without_discriminants()).collect::<Vec<_>>()
                };
                values(other) == values(group)
            });
            if !same_values && common.of(path).is_none() {
                common.insert_reshaped(path.clone());
                differing.reshaped.extend(ids);
            }
        }
    }

    leave_out_unlike((old, &in_old), (new, &in_new), &mut common);
    common.completed = completed_by_default(old, new, &common);

    let (old_traits, new_traits) = (trait_forms(old.program), trait_forms(new.program));
    let paths: HashSet<&Path> = old_traits.keys().chain(new_traits.keys()).collect();
    let mut of_one_version: HashMap<&Path, BTreeSet<&Name>> = HashMap::new();
    for path in paths {
        match same_traits(old_traits.get(path), new_traits.get(path)) {
            None => {
                in_old.traits.insert(path.clone());
                in_new.traits.insert(path.clone());
            }
            Some(lone) => {
                of_one_version.insert(path, lone);
            }
        }
    }

    let impl_forms = |program| impl_forms(program, &of_one_version);
    let (old_impls, new_impls) = (impl_forms(old.program), impl_forms(new.program));
    for (impls, others, items, differing) in
        [(&old_impls, &new_impls, old, &mut in_old), (&new_impls, &old_impls, new, &mut in_new)]
    {
        for (form, ids) in impls {
            if others.get(form).is_some_and(|other| other.len() == ids.len()) {
                continue;
            }
            for id in ids {
                differing.impls.insert(*id);
                if is_drop(&items.program.impls[*id].trait_ref.path) {
                    differing.drops.extend(items.adts_of_impl(*id));
                }
            }
        }
    }
    in_old.inert = inert(old, new, &in_old.impls, &pairing.to_new);
    in_new.inert = inert(new, old, &in_new.impls, &pairing.to_old);
    (in_old, in_new, common)
}

/// The implementations among `differing` that nothing that both versions have can come to use.
///
/// What an unchanged function calls of traits is implemented in both versions, whatever types it is called with. So an implementation of one version is used by it only in the
/// place of one of the other. It is inert if the other version has none that may be for the same types: neither the program, which holds all implementations
/// of a trait of its own crates, nor the standard library, in which those for any type whatever are of few traits and of references and boxes.
fn inert(
    items: &Items<'_>,
    other: &Items<'_>,
    differing: &HashSet<ImplId>,
    to_other: &IdxVec<FnId, Option<FnId>>,
) -> HashSet<ImplId> {
    let root = |path: &Path| path.crate_name().to_owned();
    let subjects = items.program.functions.iter().filter(|function| function.origin == Origin::Subject);
    let roots: HashSet<String> = subjects.map(|function| root(&function.path)).collect();
    let is_inert = |id: &ImplId| {
        let item = &items.program.impls[*id];
        let path = &item.trait_ref.path;
        let is_whole = match path.is_of_std() {
            true => !chosen_by_library(path) && is_by_itself(items, &item.trait_ref.self_ty),
            false => items.program.trait_(path).is_some() && roots.contains(&root(path)),
        };
        let may_be_for_the_same =
            |of_other: &ImplId| may_implement(&other.program.impls[*of_other].trait_ref, &item.trait_ref);
        // What was renamed is called by either name.
        let is_alone = item.methods.values().chain(item.consts.values()).all(|id| to_other[*id].is_none());
        is_whole && is_alone && !other.program.impls_of(path).iter().any(may_be_for_the_same)
    };
    differing.iter().copied().filter(is_inert).collect()
}

/// Whether the standard library implements things for the type only where it says so by its name.
fn is_by_itself(items: &Items<'_>, ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, _) => !path.is_of_std() && !items.adts_at(path).is_empty(),
        TyKind::Array(..)
        | TyKind::Slice(_)
        | TyKind::Tuple(_)
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str => true,
        _ => false,
    }
}

/// What both definitions have, if they are comparable (see [`crate::ir::common`]).
fn common_shape(
    (old, old_program, old_id): (&AdtForm, &Program, AdtId),
    (new, new_program, new_id): (&AdtForm, &Program, AdtId),
) -> Option<CommonShape> {
    let is_enum = old.kind == AdtKind::Enum as u8;
    if old.kind != new.kind || old.kind == AdtKind::Union as u8 || old.generics != new.generics {
        return None;
    }
    let names = |form: &AdtForm| -> BTreeSet<Name> {
        form.variants.iter().map(|variant| variant.name.clone()).collect()
    };
    if is_enum && names(old) != names(new) && names(old).is_disjoint(&names(new)) {
        return None;
    }
    let mut variants = Vec::new();
    for (new_index, in_new) in new.variants.iter().enumerate() {
        let found = old.variants.iter().position(|variant| !is_enum || variant.name == in_new.name);
        let Some(old_index) = found else { continue };
        let in_old = &old.variants[old_index];
        let has_public = |program: &Program, id: AdtId, variant: usize, name: &Name| {
            let fields = &program.adts[id].variants[variant].fields;
            fields.iter().any(|field| field.name == *name && field.visibility == Visibility::Public)
        };
        let is_public = |name: &Name| {
            is_enum
                || has_public(old_program, old_id, old_index, name)
                    && has_public(new_program, new_id, new_index, name)
        };
        // What a private field means may have changed with those beside it.
        let is_extended = is_extended(in_old, in_new);
        let is_common = |(name, ty): &&(Name, Ty)| {
            in_old.fields.iter().any(|(old_name, old_ty)| old_name == name && old_ty == ty)
                && (is_extended || is_public(name))
        };
        variants.push(CommonVariant {
            old: old_index,
            new: new_index,
            name: is_enum.then(|| in_new.name.clone()),
            fields: match in_old.ctor == in_new.ctor {
                true => in_new.fields.iter().filter(is_common).map(|(name, _)| name.clone()).collect(),
                false => Vec::new(),
            },
            extent: match in_old.fields == in_new.fields {
                _ if !is_extended => Extent::Otherwise,
                true => Extent::Whole,
                false => Extent::Part,
            },
        });
    }
    Some(CommonShape { variants })
}

/// Whether one version has all fields of the other, of the same types.
fn is_extended(old: &VariantForm, new: &VariantForm) -> bool {
    let names = |variant: &VariantForm| variant.fields.iter().map(|(name, _)| name.clone()).collect();
    let type_in_old = |name: &Name| old.fields.iter().find(|(other, _)| other == name).map(|(_, ty)| ty);
    old.ctor == new.ctor
        && one_has_all(names(old), names(new))
        && new.fields.iter().all(|(name, ty)| type_in_old(name).is_none_or(|old_ty| old_ty == ty))
}

/// Whether one of two sets of names is within the other. To nothing, however, there is nothing in common.
fn one_has_all(old: BTreeSet<Name>, new: BTreeSet<Name>) -> bool {
    old == new || (!old.is_empty() && !new.is_empty() && (old.is_subset(&new) || new.is_subset(&old)))
}

fn compare_functions(
    old: &Program,
    new: &Program,
    pairing: &Pairing,
    in_old: &mut Differing,
    in_new: &mut Differing,
) {
    let may_differ = |program: &Program, id: &FnId| program.functions[*id].origin != Origin::CommonDependency;
    let lone = old.functions.ids().filter(|id| pairing.to_new[*id].is_none());
    in_old.functions.extend(lone.filter(|id| may_differ(old, id)));
    for new_id in new.functions.ids().filter(|id| may_differ(new, id)) {
        match pairing.to_old[new_id] {
            None => {
                in_new.functions.insert(new_id);
            }
            Some(old_id) if !same_function(old, old_id, new, new_id, &pairing.renames) => {
                in_old.functions.insert(old_id);
                in_new.functions.insert(new_id);
            }
            Some(_) => {}
        }
    }
}

/// Whether both have the same signature and body, what they refer to aside.
fn same_function(old: &Program, old_id: FnId, new: &Program, new_id: FnId, renames: &Renames) -> bool {
    if CanonicalSignature::of(old, old_id, renames)
        != CanonicalSignature::of(new, new_id, &Renames::default())
    {
        return false;
    }
    if !same_declaration(old, old_id, new, new_id) {
        return false;
    }
    let is_model = |program: &Program, id: FnId| program.functions[id].origin == Origin::StdModel;
    match (&old.functions[old_id].body, &new.functions[new_id].body) {
        // Both programs have the models from one place, and a model names nothing of what was renamed.
        (FnBody::Present(one), FnBody::Present(other)) if is_model(old, old_id) && one.is_one_with(other) => {
            true
        }
        (FnBody::Present(_), FnBody::Present(_)) => {
            let old_body = CanonicalBody::of(old, old_id, renames);
            let new_body = CanonicalBody::of(new, new_id, &Renames::default());
            matches!((old_body, new_body), (Some(old_body), Some(new_body)) if old_body.is_same(&new_body))
        }
        // Foreign functions, intrinsics, required methods: known by their names and declarations.
        (FnBody::Missing, FnBody::Missing) => same_without_body(old, old_id, new, new_id),
        // Of functions that could not be read it is not known whether they are the same, except that models are this
        // program's own and come from one source.
        (FnBody::Unreadable { reason: a, .. }, FnBody::Unreadable { reason: b, .. }) => {
            a == b && is_model(old, old_id) && is_model(new, new_id)
        }
        _ => false,
    }
}

/// A definition with everything about it that can change what code using it does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AdtForm {
    kind: u8,
    generics: Vec<GenericParamKind>,
    discriminant_ty: IntTy,
    variants: Vec<VariantForm>,
    /// Tokens with attributes: `repr` decides on layouts, and what is not known may.
    declared: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct VariantForm {
    name: Name,
    ctor: u8,
    discriminant: i128,
    fields: Vec<(Name, Ty)>,
}

impl AdtForm {
    /// What is left if only the values count, not the numbers that stand for variants, nor how they lie in memory.
    fn without_discriminants(&self) -> AdtForm {
        let variants = self.variants.iter().map(|variant| VariantForm { discriminant: 0, ..variant.clone() });
        AdtForm {
            discriminant_ty: IntTy::Isize,
            variants: variants.collect(),
            declared: None,
            ..self.clone()
        }
    }
}

fn adt_forms(program: &Program) -> HashMap<Path, Vec<(AdtForm, AdtId)>> {
    let mut forms: HashMap<Path, Vec<(AdtForm, AdtId)>> = HashMap::new();
    for (id, adt) in program.adts.iter_enumerated() {
        forms.entry(adt.path.clone()).or_default().push((adt_form(program, id, adt), id));
    }
    forms.values_mut().for_each(|group| group.sort());
    forms
}

fn adt_form(program: &Program, id: AdtId, adt: &Adt) -> AdtForm {
    let scope = Scope::new(adt.path.clone(), &adt.generics);
    let renames = Renames::default();
    let speller = Speller::new(&scope, &renames);
    let variants = adt
        .variants
        .iter()
        .map(|variant| VariantForm {
            name: variant.name.clone(),
            ctor: variant.ctor as u8,
            discriminant: variant.discriminant,
            fields: variant.fields.iter().map(|field| (field.name.clone(), speller.ty(&field.ty))).collect(),
        })
        .collect();
    AdtForm {
        kind: adt.kind as u8,
        generics: adt.generics.iter().map(|param| param.kind).collect(),
        discriminant_ty: adt.discriminant_ty,
        variants,
        declared: program.declared.adts.get(&id).cloned(),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TraitForm {
    generics: Vec<GenericParamKind>,
    default_types: BTreeMap<Name, Ty>,
    /// Which constants have defaults; their bodies are compared as functions, and so are those of methods.
    default_consts: Vec<Name>,
    supertraits: Vec<TraitRef>,
    /// Tokens with attributes, methods apart.
    declared: Option<String>,
    methods: Methods,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Methods {
    /// All, with their tokens and attributes.
    Known(BTreeMap<Name, Method>),
    /// Those that have a default.
    WithDefault(Vec<Name>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Method {
    declared: String,
    has_default: bool,
}

impl TraitForm {
    fn without_methods(&self) -> TraitForm {
        TraitForm { methods: Methods::WithDefault(Vec::new()), ..self.clone() }
    }
}

/// The methods that one version alone has, if what uses the traits at one path is else the same.
///
/// What both versions have in common calls none of these: a call names its method, and code that is not read and may call any counts as different itself.
fn same_traits<'f>(
    old: Option<&'f Vec<TraitForm>>,
    new: Option<&'f Vec<TraitForm>>,
) -> Option<BTreeSet<&'f Name>> {
    if let (Some([one]), Some([other])) = (old.map(Vec::as_slice), new.map(Vec::as_slice))
        && let (Methods::Known(methods), Methods::Known(others)) = (&one.methods, &other.methods)
    {
        let is_same = |(name, method): (&Name, &Method)| others.get(name).is_none_or(|other| other == method);
        let same = one.without_methods() == other.without_methods() && methods.iter().all(is_same);
        let of_one = |a: &'f BTreeMap<Name, Method>, b: &'f BTreeMap<Name, Method>| {
            a.keys().filter(|name| !b.contains_key(*name)).collect::<Vec<_>>()
        };
        return same.then(|| of_one(methods, others).into_iter().chain(of_one(others, methods)).collect());
    }
    (old == new).then(BTreeSet::new)
}

fn trait_forms(program: &Program) -> BTreeMap<Path, Vec<TraitForm>> {
    let mut forms: BTreeMap<Path, Vec<TraitForm>> = BTreeMap::new();
    for item in &program.traits {
        let scope = Scope::new(item.path.clone(), &item.generics);
        let renames = Renames::default();
        let speller = Speller::new(&scope, &renames);
        let mut supertraits: Vec<TraitRef> =
            item.supertraits.iter().map(|bound| speller.trait_ref(bound)).collect();
        supertraits.sort();
        forms.entry(item.path.clone()).or_default().push(TraitForm {
            generics: item.generics.iter().map(|param| param.kind).collect(),
            default_types: spell_types(&speller, &item.default_types),
            default_consts: item.default_consts.keys().cloned().collect(),
            supertraits,
            declared: program.declared.traits.get(&item.path).cloned(),
            methods: methods(program, item),
        });
    }
    forms.values_mut().for_each(|group| group.sort());
    forms
}

fn methods(program: &Program, item: &Trait) -> Methods {
    let defaults = || item.default_methods.keys();
    // Declarations are attached by name: one that does not have all methods with a body is of something else.
    let known = program.declared.methods.get(&item.path);
    let Some(known) = known.filter(|known| defaults().all(|name| known.contains_key(name))) else {
        return Methods::WithDefault(defaults().cloned().collect());
    };
    let method = |(name, declared): (&Name, &String)| {
        let has_default = item.default_methods.contains_key(name);
        (name.clone(), Method { declared: declared.clone(), has_default })
    };
    Methods::Known(known.iter().map(method).collect())
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ImplForm {
    generics: Vec<GenericParamKind>,
    trait_ref: TraitRef,
    bounds: Vec<TraitRef>,
    types: BTreeMap<Name, Ty>,
    /// Which items it has itself rather than by default, those apart that the trait has in one version alone.
    items: Vec<Name>,
    /// Attributes and whatever else is not resolved above.
    declared: Option<String>,
}

fn impl_forms(
    program: &Program,
    of_one_version: &HashMap<&Path, BTreeSet<&Name>>,
) -> BTreeMap<ImplForm, Vec<ImplId>> {
    let mut forms: BTreeMap<ImplForm, Vec<ImplId>> = BTreeMap::new();
    for (id, item) in program.impls.iter_enumerated() {
        // No function has this path, so nothing is spelled relative to it.
        let scope = Scope::new(Path::new("{impl}"), &item.generics);
        let renames = Renames::default();
        let speller = Speller::new(&scope, &renames);
        let mut bounds: Vec<TraitRef> = item.bounds.iter().map(|bound| speller.trait_ref(bound)).collect();
        bounds.sort();
        let lone = of_one_version.get(&item.trait_ref.path);
        let is_lone = |name: &Name| lone.is_some_and(|lone| lone.contains(name));
        let form = ImplForm {
            generics: item.generics.iter().map(|param| param.kind).collect(),
            trait_ref: speller.trait_ref(&item.trait_ref),
            bounds,
            types: spell_types(&speller, &item.types),
            items: item
                .methods
                .keys()
                .filter(|name| !is_lone(name))
                .chain(item.consts.keys())
                .cloned()
                .collect(),
            declared: program.declared.impls.get(&id).cloned(),
        };
        forms.entry(form).or_default().push(id);
    }
    forms
}

fn spell_types(speller: &Speller<'_>, types: &BTreeMap<Name, Ty>) -> BTreeMap<Name, Ty> {
    types.iter().map(|(name, ty)| (name.clone(), speller.ty(ty))).collect()
}
