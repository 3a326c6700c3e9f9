//! How functions are declared, read off the program: what the harness needs to call one whose source text it does not find.

mod objects;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use regress_core::align::Alignment;
use regress_core::exec::made_by_dependencies;
use regress_core::ir::stand_ins;
use regress_core::ir::{
    Adapter, Adt, AdtKind, Argument, Bound, Const, Fixed, FnId, FnRef, GenericArg, GenericParam, KnownTrait,
    KnownType, Mutability, Name, Origin, Owner, Path, Program, Subst, TraitImpl, TraitRef, Ty, TyKind,
    Variant, Visibility,
};
use regress_core::verdict::Version;

use self::objects::{behind_objects, held_objects, listens};
use super::mentioned::paths_mentioned;
use crate::harness::{
    Declared, DeclaredField, DeclaredType, DeclaredVariant, Handed, Param, Parameter, PathSet, Returns,
};

pub(super) struct Declarations<'p> {
    program: &'p Program,
    /// What may be run by each function that is asked for; none if that is not known.
    mentions: HashMap<FnId, Option<PathSet>>,
}

impl<'p> Declarations<'p> {
    /// For questions about these functions.
    pub fn new(program: &'p Program, functions: impl IntoIterator<Item = FnId>) -> Self {
        Declarations { program, mentions: paths_mentioned(program, functions) }
    }

    /// The function with its generic parameters replaced; none if some are left, or if nothing names it.
    pub fn of(&self, function: FnId, subst: &Subst) -> Option<Declared> {
        let program = self.program;
        let generics = program.generics_in_scope(function);
        if generics.iter().any(|param| subst.get(&param.name).is_none()) {
            return None;
        }
        let item = &program.functions[function];
        let (owner, home) = owner(program, &item.owner, &item.path, subst)?;
        let name = item.path.as_str().rsplit("::").next()?;
        let called = &program.functions[program.in_sources(function)];
        let own = arguments(program, function, &called.generics, &of_called(program, function, subst));
        let adapter = program.adapters.get(&function);
        let callee = match owner {
            Some(owner) => format!("{owner}::{name}{own}"),
            None if item.origin.is_dependency() => {
                format!("{}{own}", program.public_name(&item.path))
            }
            None => format!("{}{own}", item.path),
        };
        Some(Declared {
            callee,
            home,
            params: (item.inputs.iter())
                .map(|ty| match (parameter(program, function, ty, subst), adapter) {
                    (Parameter { kind, ty: None }, Some(_)) => {
                        Parameter { kind, ty: Some(spelled_ty(program, &subst.ty(ty))) }
                    }
                    (parameter, _) => parameter,
                })
                .collect(),
            handed: adapter.map(|adapter| handed(program, adapter)),
            takes: (item.inputs.iter().map(|ty| subst.ty(ty)))
                .flat_map(|ty| types_in(&ty).into_iter().chain(behind_objects(program, &ty)))
                .collect(),
            holds: (item.inputs.iter()).flat_map(|ty| held_objects(program, &subst.ty(ty))).collect(),
            listens: item.inputs.iter().position(|ty| listens(program, &subst.ty(ty))),
            returns: match item.output.kind() {
                TyKind::Never => Returns::Never,
                _ => Returns::Value,
            },
            mentions: self.mentions.get(&function)?.clone()?,
        })
    }
}

/// What the parameters of the function in the sources stand for, given what those of an adapter of it do.
pub(super) fn of_called(program: &Program, function: FnId, subst: &Subst) -> Subst {
    let mut all = subst.clone();
    if let Some(adapter) = program.adapters.get(&function) {
        let in_scope = program.generics_in_scope(adapter.function);
        let given = &in_scope[in_scope.len().saturating_sub(adapter.args.len())..];
        all.extend(&Subst::from_params(given, &subst.args(&adapter.args)));
    }
    all
}

fn handed(program: &Program, adapter: &Adapter) -> Vec<Handed> {
    let handed = adapter.arguments.iter().map(|argument| match argument {
        Argument::Parameter { place, conversion } => Handed::Parameter(*place, conversion.clone()),
        Argument::Fixed { value, .. } => Handed::Fixed(expression(program, value)),
    });
    handed.collect()
}

/// As it is written in the crate that declares what is in it.
fn expression(program: &Program, value: &Fixed) -> String {
    let named = |ty: &Ty| publicly_named(program, ty).to_string();
    match value {
        Fixed::Constant(Const::Int(bits, ty)) => format!("{}{}", ty.display_bits(*bits), ty.name()),
        Fixed::Constant(value) => value.to_string(),
        Fixed::Variant { ty, variant } => format!("<{}>::{variant}", named(ty)),
        Fixed::Call(FnRef::Free { path, .. }) => format!("{path}()"),
        Fixed::Call(FnRef::Inherent { path, self_ty, .. }) => {
            let name = path.as_str().rsplit("::").next().unwrap_or_default();
            format!("<{}>::{name}()", named(self_ty))
        }
        Fixed::Call(FnRef::Trait { trait_ref, method, .. }) => {
            let TraitRef { self_ty, path, args } = trait_ref;
            let trait_ref = TraitRef {
                self_ty: publicly_named(program, self_ty),
                path: path.clone(),
                args: args.clone(),
            };
            format!("{trait_ref}::{method}()")
        }
    }
}

/// What the name of a function begins with if it is no plain path, and what of the crate it belongs to.
fn owner(
    program: &Program,
    owner: &Owner,
    path: &Path,
    subst: &Subst,
) -> Option<(Option<String>, Option<String>)> {
    let home = |ty: &Ty| match ty.kind() {
        TyKind::Adt(path, _) => Some(path.to_string()),
        _ => None,
    };
    match owner {
        Owner::Free => Some((None, Some(path.to_string()))),
        Owner::Inherent { self_ty, .. } => {
            let self_ty = subst.ty(self_ty);
            Some((Some(format!("<{}>", spelled_ty(program, &self_ty))), home(&self_ty)))
        }
        Owner::TraitImpl(id) => {
            let TraitRef { self_ty, path, args } = subst.trait_ref(&program.impls[*id].trait_ref);
            let args: Vec<String> = args.iter().map(|arg| spelled(program, arg)).collect();
            let args = if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
            let path = program.public_name(&path);
            Some((Some(format!("<{} as {path}{args}>", spelled_ty(program, &self_ty))), home(&self_ty)))
        }
        Owner::Trait(trait_path) => {
            let generics = &program.trait_(trait_path)?.generics;
            let arguments: Vec<String> =
                generics.iter().filter_map(|param| subst.get(&param.name)).map(ToString::to_string).collect();
            let arguments =
                if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
            let self_ty = subst.get(&Name::new("Self"))?;
            Some((Some(format!("<{self_ty} as {trait_path}{arguments}>")), Some(trait_path.to_string())))
        }
        Owner::Within(_) => None,
    }
}

/// `::<u8, 3>`; `impl Trait` has no place among them.
fn arguments(program: &Program, function: FnId, generics: &[GenericParam], subst: &Subst) -> String {
    let named = generics.iter().map(|param| &param.name).filter(|name| !is_impl_trait(name));
    let given = named.filter_map(|name| Some(spelled_argument(program, function, name, subst.get(name)?)));
    let arguments: Vec<String> = given.collect();
    if arguments.is_empty() { String::new() } else { format!("::<{}>", arguments.join(", ")) }
}

/// Types of dependencies of which natives have values.
#[derive(Clone, Debug, Default)]
pub(super) struct ForeignTypes {
    /// Field by field.
    by_fields: BTreeSet<Path>,
    /// From functions of their crates alone.
    by_calls: BTreeSet<Path>,
    /// The types that have each trait of which there are trait objects, by their texts.
    objects: BTreeMap<Path, BTreeSet<String>>,
}

impl ForeignTypes {
    fn contains(&self, path: &Path) -> bool {
        self.by_fields.contains(path) || self.by_calls.contains(path)
    }
}

/// Types of dependencies of which both versions can have values: made field by field, because all fields are public and so on within, or by calls. Which are made
/// field by field must not depend on the version, as what is returned is shown by its fields, too: so their crate has to be the same in both, of which the
/// compiler refuses the same, or be one of the tree that defines the type alike in both.
pub(super) fn foreign_types(
    [old, new]: [&Program; 2],
    own: &BTreeSet<Name>,
    is_common: impl Fn(&Name) -> bool,
    is_in_tree: impl Fn(&Name) -> bool,
) -> ForeignTypes {
    let made = made_by_dependencies(old, new);
    let [(mut found, by_calls), (of_new, _)] = [old, new].map(|program| open_types(program, own, &made));
    let is_same = |path: &Path| match (old.adt(path), new.adt(path)) {
        (Some(old), Some(new)) => {
            is_common(&new.origin_crate) || is_in_tree(&new.origin_crate) && is_defined_alike(old, new)
        }
        _ => false,
    };
    found.retain(|path| of_new.contains(path) && is_same(path));
    loop {
        let is_own = |adt: &Adt| own.contains(&adt.origin_crate);
        let can_be_made = |path: &Path| {
            path.is_of_std()
                || found.contains(path)
                || made.contains_key(path)
                || new.adt(path).is_some_and(is_own)
        };
        let all_can = |path: &Path| new.adt(path).is_some_and(|adt| held(adt).iter().all(can_be_made));
        let left: BTreeSet<Path> = found.iter().filter(|path| all_can(path)).cloned().collect();
        if left.len() == found.len() {
            return ForeignTypes { by_fields: left, by_calls, objects: objects::common([old, new], own) };
        }
        found = left;
    }
}

/// Whether the types have the same fields, wherever they stand.
fn is_defined_alike(old: &Adt, new: &Adt) -> bool {
    (old.kind, &old.generics, &old.variants) == (new.kind, &new.generics, &new.variants)
}

/// Those that functions of the crates that are compared take or may be given for a parameter, or what these hold, as far as they can be made if what they
/// hold can; and of all these what is made by calls.
fn open_types(
    program: &Program,
    own: &BTreeSet<Name>,
    made: &BTreeMap<Path, BTreeSet<Path>>,
) -> (BTreeSet<Path>, BTreeSet<Path>) {
    let subjects = || program.functions.iter().filter(|function| function.origin == Origin::Subject);
    // Traits of std are implemented by nearly all there is.
    let asked: BTreeSet<&Path> = subjects()
        .flat_map(|function| &function.bounds)
        .map(|bound| &bound.trait_ref.path)
        .filter(|path| !path.is_of_std())
        .collect();
    let implementors = program
        .impls
        .iter()
        .filter(|item| asked.contains(&item.trait_ref.path))
        .map(|item| &item.trait_ref.self_ty);
    let taken = subjects().flat_map(|function| &function.inputs);
    let mut open: Vec<Path> = taken.chain(implementors).flat_map(types_in).map(Path::from).collect();
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    let (mut found, mut by_calls): (BTreeSet<Path>, BTreeSet<Path>) = Default::default();
    while let Some(path) = open.pop() {
        let Some(adt) = program.adt(&path).filter(|_| !path.is_of_std()) else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        if let Some(given) = made.get(&path) {
            open.extend(given.iter().cloned());
            by_calls.insert(path);
            continue;
        }
        if !own.contains(&adt.origin_crate) {
            if !has_open_fields(adt) {
                continue;
            }
            found.insert(path);
        }
        open.extend(held(adt));
    }
    (found, by_calls)
}

fn held(adt: &Adt) -> Vec<Path> {
    let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
    fields.flat_map(|field| types_in(&field.ty)).map(Path::from).collect()
}

/// Whether another crate can write down a value, as far as the type itself is concerned. Fields with lifetimes are left out: the program does
/// not have these.
fn has_open_fields(adt: &Adt) -> bool {
    let is_plain = |ty: &Ty| {
        let mut plain = true;
        ty.map(
            &mut |part| {
                plain &= !matches!(
                    part.kind(),
                    TyKind::Ref(..) | TyKind::RawPtr(..) | TyKind::Dyn(_) | TyKind::FnPtr { .. }
                );
                part
            },
            &mut |constant| constant,
        );
        plain
    };
    let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
    let is_public = |visibility: Visibility| match adt.kind {
        AdtKind::Enum => true,
        AdtKind::Struct | AdtKind::Union => visibility == Visibility::Public,
    };
    adt.visibility == Visibility::Public
        && adt.kind != AdtKind::Union
        && fields.all(|field| is_public(field.visibility) && is_plain(&field.ty))
}

/// The types of a crate that stand in modules, and these types of others, by the names of the version's own sources.
pub(super) fn declared_types(
    program: &Program,
    crate_name: &str,
    foreign: &ForeignTypes,
) -> Vec<DeclaredType> {
    let debug = Path::new("std::fmt::Debug");
    let shown: HashSet<&Path> = (program.impls_of(&debug).iter())
        .filter_map(|id| match program.impls[*id].trait_ref.self_ty.kind() {
            TyKind::Adt(path, _) => Some(path),
            _ => None,
        })
        .collect();
    let source_name = |text: String| program.moved.source_name(&text);
    let variant = |variant: &Variant| DeclaredVariant {
        name: variant.name.to_string(),
        ctor: variant.ctor,
        fields: (variant.fields.iter())
            .map(|field| DeclaredField {
                name: field.name.to_string(),
                ty: source_name(publicly_named(program, &field.ty).to_string()),
            })
            .collect(),
    };
    let is_own = |adt: &Adt| adt.origin_crate == *crate_name;
    let objects = foreign.objects.iter().filter(|(path, _)| objects::is_of_crate(path, crate_name));
    let objects = objects.map(|(path, types)| objects::declared(program, path, types));
    let declared = program.adts.iter().filter(|adt| is_own(adt) || foreign.contains(&adt.path));
    let written = |path: &Path| program.public_name(path).to_string();
    declared
        .map(|adt| DeclaredType {
            path: source_name(adt.path.to_string()),
            foreign: (!is_own(adt)).then(|| written(&adt.path)),
            kind: adt.kind,
            lifetimes: program.lifetimes.get(&adt.path).copied().unwrap_or(0),
            generics: adt.generics.clone(),
            predicates: adt
                .bounds
                .iter()
                .filter_map(|bound| predicate(program, bound))
                .map(&source_name)
                .collect(),
            variants: adt.variants.iter().map(variant).collect(),
            has_debug: shown.contains(&adt.path),
            hides_fields: foreign.by_calls.contains(&adt.path),
        })
        .chain(objects)
        .collect()
}

/// The bound as a predicate with a comma. None if it names what cannot be written without a lifetime.
fn predicate(program: &Program, bound: &Bound) -> Option<String> {
    let mut has_lifetimes = false;
    let mut look = |part: Ty| {
        has_lifetimes |= matches!(part.kind(), TyKind::Ref(..) | TyKind::Dyn(..));
        part
    };
    bound.trait_ref.map(&mut look, &mut |constant| constant);
    for (_, ty) in &bound.assoc_types {
        ty.map(&mut look, &mut |constant| constant);
    }
    if has_lifetimes {
        return None;
    }
    let named = |ty: &Ty| publicly_named(program, ty).to_string();
    let args = bound.trait_ref.args.iter().map(|arg| spelled(program, arg));
    let asked: Vec<String> =
        args.chain(bound.assoc_types.iter().map(|(name, ty)| format!("{name} = {}", named(ty)))).collect();
    let asked = if asked.is_empty() { String::new() } else { format!("<{}>", asked.join(", ")) };
    let path = &bound.trait_ref.path;
    let path = program.public_name(path);
    Some(format!("{}: {path}{asked}, ", named(&bound.trait_ref.self_ty)))
}

/// The paths of types of which values of this type are made, as far as its own text tells.
fn types_in(ty: &Ty) -> BTreeSet<String> {
    match ty.kind() {
        TyKind::Adt(path, _) if path == KnownType::PhantomData => BTreeSet::new(),
        TyKind::Adt(path, args) => {
            let args = args.iter().filter_map(|arg| match arg {
                GenericArg::Ty(ty) => Some(ty),
                GenericArg::Const(_) => None,
            });
            args.flat_map(types_in).chain([path.to_string()]).collect()
        }
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            types_in(inner)
        }
        TyKind::Tuple(tys) => tys.iter().flat_map(types_in).collect(),
        _ => BTreeSet::new(),
    }
}

/// What a parameter of the function stands for, as it is written in a call of it. The type of a closure has no name: where only the closure itself
/// is handed over, it is inferred; where types have it as an argument, a pointer to it has a name.
pub(super) fn spelled_argument(program: &Program, function: FnId, param: &Name, arg: &GenericArg) -> String {
    match arg {
        GenericArg::Ty(ty) if is_closure(ty) && !is_kept(program, function, param) => "_".into(),
        arg => spelled(program, arg),
    }
}

fn is_closure(ty: &Ty) -> bool {
    stand_ins::as_function(ty).is_some() || stand_ins::as_listening_closure(ty).is_some()
}

fn spelled(program: &Program, arg: &GenericArg) -> String {
    match arg {
        GenericArg::Ty(ty) => spelled_ty(program, ty),
        GenericArg::Const(value) => value.to_string(),
    }
}

/// The type as the crate writes it.
fn spelled_ty(program: &Program, ty: &Ty) -> String {
    let named = publicly_named(program, ty);
    with_pointers(named.to_string(), &named)
}

/// The text with pointers to closures in the place of the stand-ins in the type.
fn with_pointers(text: String, ty: &Ty) -> String {
    let mut closures = BTreeSet::new();
    ty.map(
        &mut |part| {
            if let Some((parameters, answer)) = stand_ins::as_function(&part) {
                closures.insert((part.to_string(), pointer_to_closure(parameters, answer)));
            }
            part
        },
        &mut |constant| constant,
    );
    closures.into_iter().fold(text, |text, (stand_in, pointer)| text.replace(&stand_in, &pointer))
}

fn pointer_to_closure(parameters: &[Ty], answer: &Ty) -> String {
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    format!("&'static dyn std::ops::Fn({}) -> {answer}", parameters.join(", "))
}

/// Whether an argument of the function is of a type that has this parameter in it.
fn is_kept(program: &Program, function: FnId, param: &Name) -> bool {
    let names_it = |ty: &Ty| matches!(ty.kind(), TyKind::Param(name) if name == param);
    program.functions[function].inputs.iter().filter(|ty| !names_it(ty)).any(|ty| {
        let mut found = false;
        ty.map(
            &mut |part| {
                found |= names_it(&part);
                part
            },
            &mut |constant| constant,
        );
        found
    })
}

/// The type by names that lead through no private module, as far as it has such.
fn publicly_named(program: &Program, ty: &Ty) -> Ty {
    ty.map(
        &mut |part| match part.kind() {
            TyKind::Adt(path, args) => Ty::new(TyKind::Adt(program.public_name(path), args.clone())),
            _ => part,
        },
        &mut |constant| constant,
    )
}

fn is_impl_trait(name: &Name) -> bool {
    name.as_str().starts_with("impl ")
}

fn parameter(program: &Program, function: FnId, ty: &Ty, subst: &Subst) -> Parameter {
    let given = subst.ty(ty);
    if let Some((arguments, _)) = stand_ins::as_function(&given) {
        if matches!(ty.kind(), TyKind::Param(name) if is_kept(program, function, name)) {
            return Parameter { kind: Param::Value, ty: Some(spelled_ty(program, &given)) };
        }
        return Parameter { kind: Param::Function { arity: arguments.len() }, ty: Some(given.to_string()) };
    }
    if let Some((arguments, answer)) = stand_ins::as_listening_closure(&given) {
        let ty = format!("{}<{}>", KnownType::Listener.path(), spelled_ty(program, answer));
        return Parameter { kind: Param::Listener { arity: arguments.len() }, ty: Some(ty) };
    }
    // What stands for a parameter may be a reference.
    let lent = if matches!(ty.kind(), TyKind::Param(_)) { &given } else { ty };
    let kind = match lent.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => match pointee.kind() {
            TyKind::Slice(_) => Param::MutSlice,
            TyKind::Dyn(_) => Param::Value,
            TyKind::Adt(path, _) if path == KnownType::Formatter => Param::Formatter,
            _ => Param::MutRef,
        },
        _ => Param::Value,
    };
    let mut unnamed = false;
    let _ = ty.map(
        &mut |ty| {
            unnamed |= matches!(ty.kind(), TyKind::Param(name) if is_impl_trait(name));
            ty
        },
        &mut |constant| constant,
    );
    Parameter { kind, ty: unnamed.then(|| given.to_string()) }
}

/// Types whose `Debug` changed, and those that hold them: what it prints is its own difference, and none of the functions that give such values.
pub(super) fn printed_otherwise(program: &Program, alignment: &Alignment) -> BTreeSet<Path> {
    let printed = program.impls_of(&KnownTrait::Debug.into()).iter().map(|id| &program.impls[*id]);
    let has_changed = |item: &&TraitImpl| {
        item.methods.values().any(|function| alignment.has_no_equal(Version::New, *function))
    };
    let changed = printed.filter(has_changed).filter_map(|item| match item.trait_ref.self_ty.kind() {
        TyKind::Adt(path, _) => Some(path.clone()),
        _ => None,
    });
    with_holders(program, changed.collect())
}

/// The types and those that hold them.
fn with_holders(program: &Program, mut found: BTreeSet<Path>) -> BTreeSet<Path> {
    // Mostly there are none, and the types of all dependencies to look at.
    if found.is_empty() {
        return found;
    }
    loop {
        let before = found.len();
        for adt in program.adts.iter().filter(|adt| !found.contains(&adt.path)).collect::<Vec<_>>() {
            let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
            if fields.any(|field| types_in(&field.ty).iter().any(|path| found.contains(&Path::new(path)))) {
                found.insert(adt.path.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use regress_core::ir::{CtorKind, Field, FnBody, Function, FunctionKind, IntTy};

    use super::*;

    #[test]
    fn what_holds_a_type_with_another_debug_is_printed_otherwise() {
        let mut program = Program::default();
        let list = Ty::adt(KnownType::Vec, vec![GenericArg::Ty(named("k::Inner"))]);
        structure(&mut program, "k::Outer", &[(list, Visibility::Private)]);
        structure(&mut program, "k::Around", &[(named("k::Outer"), Visibility::Public)]);
        structure(&mut program, "k::Inner", &[(int(), Visibility::Public)]);
        structure(&mut program, "k::Other", &[(int(), Visibility::Public)]);
        let found = with_holders(&program, BTreeSet::from([Path::new("k::Inner")]));
        let found: Vec<&str> = found.iter().map(Path::as_str).collect();
        assert_eq!(found, ["k::Around", "k::Inner", "k::Outer"]);
    }

    fn int() -> Ty {
        Ty::int(IntTy::U8)
    }

    fn named(path: &str) -> Ty {
        Ty::adt(path, Vec::new())
    }

    fn structure(program: &mut Program, path: &str, fields: &[(Ty, Visibility)]) {
        let field = |(at, (ty, visibility)): (usize, &(Ty, Visibility))| Field {
            name: at.to_string().as_str().into(),
            ty: ty.clone(),
            visibility: *visibility,
        };
        let fields = fields.iter().enumerate().map(field).collect();
        program.adts.push(Adt {
            path: Path::new(path),
            kind: AdtKind::Struct,
            generics: Vec::new(),
            bounds: Vec::new(),
            variants: vec![Variant { name: "S".into(), ctor: CtorKind::Tuple, fields, discriminant: 0 }],
            discriminant_ty: IntTy::Isize,
            visibility: Visibility::Public,
            origin_crate: path.split("::").next().expect("a crate").into(),
            span: None,
        });
    }

    fn visitor(self_ty: Ty) -> TraitRef {
        TraitRef { self_ty, path: Path::new("other::Visitor"), args: Vec::new() }
    }

    /// `own::f` takes a type of its crate that holds `dep::Outer`, which holds `inner::Point`; and some of `dep` itself; and what implements
    /// `other::Visitor`.
    fn program() -> Program {
        let mut program = Program::default();
        let public = |ty: Ty| (ty, Visibility::Public);
        structure(&mut program, "own::Holder", &[(named("dep::Outer"), Visibility::Private)]);
        structure(&mut program, "dep::Outer", &[public(named("inner::Point"))]);
        structure(&mut program, "inner::Point", &[public(int())]);
        structure(&mut program, "dep::Closed", &[(int(), Visibility::Private)]);
        structure(&mut program, "dep::HoldsClosed", &[public(named("dep::Closed"))]);
        structure(&mut program, "dep::Lent", &[public(Ty::reference(Mutability::Shared, int()))]);
        structure(&mut program, "dep::NotTaken", &[public(int())]);
        structure(&mut program, "other::Given", &[]);
        program.impls.push(TraitImpl {
            generics: Vec::new(),
            trait_ref: visitor(named("other::Given")),
            bounds: Vec::new(),
            equalities: Vec::new(),
            methods: BTreeMap::new(),
            consts: BTreeMap::new(),
            types: BTreeMap::new(),
        });
        let takes = ["own::Holder", "dep::HoldsClosed", "dep::Lent"];
        program.functions.push(Function {
            path: Path::new("own::f"),
            kind: FunctionKind::Fn,
            owner: Owner::Free,
            generics: Vec::new(),
            bounds: vec![Bound {
                trait_ref: visitor(Ty::new(TyKind::Param("V".into()))),
                assoc_types: Vec::new(),
            }],
            inputs: takes.iter().map(|path| named(path)).collect(),
            output: named("dep::NotTaken"),
            visibility: Visibility::Public,
            origin: Origin::Subject,
            span: None,
            body: FnBody::Missing,
        });
        program.build_index();
        program
    }

    #[test]
    fn types_of_the_same_dependencies_are_made_if_all_within_is_public() {
        let own = BTreeSet::from(["own".into()]);
        let found = |common: &[&str]| -> Vec<String> {
            let is_common = |name: &Name| common.contains(&name.as_str());
            let found = foreign_types([&program(), &program()], &own, is_common, |_| false);
            found.by_fields.iter().map(ToString::to_string).collect()
        };
        assert_eq!(found(&["dep", "inner"]), ["dep::Outer", "inner::Point"]);
        assert_eq!(found(&["inner"]), ["inner::Point"]);
        assert_eq!(found(&["other"]), ["other::Given"]);
        // What holds a type that may be another is not made either.
        assert_eq!(found(&["dep"]), Vec::<String>::new());
        // Of a crate of the tree it is enough that the type is the same.
        let of_tree = |new: &Program| -> Vec<String> {
            let found = foreign_types(
                [&program(), new],
                &own,
                |name| name.as_str() == "dep",
                |name| name.as_str() == "inner",
            );
            found.by_fields.iter().map(ToString::to_string).collect()
        };
        assert_eq!(of_tree(&program()), ["dep::Outer", "inner::Point"]);
        let mut other = program();
        let point = other.adts.iter_mut().find(|adt| adt.path.as_str() == "inner::Point").expect("the type");
        point.variants[0].fields.pop();
        assert_eq!(of_tree(&other), Vec::<String>::new());
    }
}
