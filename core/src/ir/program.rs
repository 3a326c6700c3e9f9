//! The items of one version of a program and how they are looked up.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{
    Adapter, Declared, DynTrait, FileId, FnRef, GenericArg, GenericArgs, GenericParam, IntTy, Moved, Name,
    Namespace, Path, SharedBody, SourceFile, Span, Subst, TraitRef, Ty, TyKind,
};
use crate::idx::IdxVec;

crate::define_ids! {
    FnId = "fn";
    AdtId = "adt";
    ImplId = "impl";
    TraitId = "trait";
}

/// One version of a package with everything the executor may reach from it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    pub files: IdxVec<FileId, SourceFile>,
    /// A number for each line of those files that were read: lines of one number are the same text.
    #[serde(skip)]
    pub lines: BTreeMap<FileId, Vec<u64>>,
    pub adts: IdxVec<AdtId, Adt>,
    pub functions: IdxVec<FnId, Function>,
    pub impls: IdxVec<ImplId, TraitImpl>,
    pub traits: IdxVec<TraitId, Trait>,
    /// What the functions call that are there for the sake of the other version's callers.
    pub adapters: BTreeMap<FnId, Adapter>,
    pub declared: Declared,
    /// Path of definition to one by which other crates may name the item, where its own leads through private modules. For people and compilers; meaning
    /// does not depend on it.
    pub public_names: BTreeMap<Path, Path>,
    /// By public name.
    pub re_exports: BTreeMap<(Namespace, Path), ReExport>,
    /// Paths of definition (of modules, too) to names that other crates have for them: they hand them on.
    pub handed_on: BTreeMap<Path, Vec<Path>>,
    /// The crates that the sources under comparison can name. Others are named as these hand them on.
    pub direct_crates: BTreeSet<Name>,
    /// How many lifetimes types have, of those that have some: these are not among their `generics`.
    pub lifetimes: BTreeMap<Path, usize>,
    /// What the parameters of types are where nobody says it, by their place, of types of which a parameter has such a default.
    pub param_defaults: BTreeMap<Path, Vec<Option<Ty>>>,
    /// What the crates' type aliases without parameters stand for: at which arguments a generic type is meant to be used.
    pub named_types: Vec<Ty>,
    pub unwinding: Unwinding,
    /// Items of an old version that go by the names which they have in the new one.
    pub moved: Moved,
    #[serde(skip)]
    index: Index,
}

/// What a public name stands for that is not the item's own path (`pub use`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReExport {
    pub definition: Path,
    /// Of the `use`.
    pub span: Option<Span>,
}

/// Whether bodies say which clean-up a panic runs on its way out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unwinding {
    #[default]
    Stated,
    /// Of calls and checks only: where a body itself panics, any of its locals may be dropped.
    NotOfPanics,
}

#[derive(Clone, Debug, Default)]
struct Index {
    functions: FxHashMap<Path, Vec<FnId>>,
    /// Closures, promoted constants and the like, by what they are directly within.
    within: FxHashMap<FnId, Vec<FnId>>,
    adts: FxHashMap<Path, AdtId>,
    ambiguous_adts: FxHashSet<Path>,
    traits: FxHashMap<Path, TraitId>,
    impls: FxHashMap<Path, Vec<ImplId>>,
}

/// A function, or a constant or static seen as a function without arguments that computes its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    pub path: Path,
    pub kind: FunctionKind,
    pub owner: Owner,
    /// Its own generic parameters; those of its owner are in [`Owner`].
    pub generics: Vec<GenericParam>,
    /// Declared on its own parameters and on those of the implementation it stands in, as far as the front end knows.
    pub bounds: Vec<Bound>,
    pub inputs: Vec<Ty>,
    pub output: Ty,
    pub visibility: Visibility,
    pub origin: Origin,
    /// From the first to the last character of the item, if known.
    pub span: Option<Span>,
    pub body: FnBody,
}

/// A declared bound: `T: Trait<Args, Name = Ty>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bound {
    pub trait_ref: TraitRef,
    /// What associated types of the trait have to be.
    pub assoc_types: Vec<(Name, Ty)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FunctionKind {
    Fn,
    Closure,
    /// A tuple struct's or variant's constructor used as a function.
    Constructor,
    Const,
    Static,
    /// `static mut`: its value outlives calls.
    StaticMut,
    Promoted,
    /// Calls another function as a caller of the other version does; nothing calls it ([`Adapter`]).
    Adapter,
    /// A `#[test]` function or what the test harness makes of it.
    Test,
}

/// What a function is declared in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// A module, or the body of another function.
    Free,
    /// `impl<generics> self_ty`
    Inherent {
        generics: Vec<GenericParam>,
        self_ty: Ty,
    },
    TraitImpl(ImplId),
    /// A default method; `Self` and the trait's parameters are in scope.
    Trait(Path),
    /// A closure, promoted or inline constant: the generics of its parent are in scope.
    Within(FnId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Visibility {
    /// Nameable from outside the crate.
    Public,
    Private,
}

/// Which part of the world an item comes from; only [`Origin::Subject`] functions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    Subject,
    /// A dependency that need not be the same in both versions.
    Dependency,
    /// A dependency of which both versions use the same release, compiled alike. Its items are the same in both.
    CommonDependency,
    /// A model of a standard-library function.
    StdModel,
}

impl Origin {
    pub fn is_dependency(self) -> bool {
        matches!(self, Origin::Dependency | Origin::CommonDependency)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FnBody {
    Present(SharedBody),
    /// The front end could not read it.
    Unreadable {
        reason: String,
        line: Option<u32>,
    },
    /// There is none to be had (foreign function, intrinsic, required trait method).
    Missing,
}

/// A struct, enum or union. A struct has one variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Adt {
    pub path: Path,
    pub kind: AdtKind,
    pub generics: Vec<GenericParam>,
    /// What its definition asks of the parameters, as far as the front end knows.
    pub bounds: Vec<Bound>,
    pub variants: Vec<Variant>,
    /// The type that `discriminant(place)` yields for an enum; `isize` unless `repr` says otherwise.
    pub discriminant_ty: IntTy,
    pub visibility: Visibility,
    pub origin_crate: Name,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AdtKind {
    Struct,
    Enum,
    Union,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variant {
    pub name: Name,
    pub ctor: CtorKind,
    pub fields: Vec<Field>,
    /// Mathematical value of the discriminant.
    pub discriminant: i128,
}

/// How values of a variant are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CtorKind {
    /// `V`
    Unit,
    /// `V(a, b)`
    Tuple,
    /// `V { x: a }`
    Struct,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    pub name: Name,
    pub ty: Ty,
    pub visibility: Visibility,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trait {
    pub path: Path,
    /// Whether users of the crate may implement it. Front ends that cannot tell say that they may not.
    pub visibility: Visibility,
    /// Without `Self`.
    pub generics: Vec<GenericParam>,
    /// Methods with a default body.
    pub default_methods: BTreeMap<Name, FnId>,
    pub default_consts: BTreeMap<Name, FnId>,
    pub default_types: BTreeMap<Name, Ty>,
    pub supertraits: Vec<TraitRef>,
}

/// `impl<generics> trait_ref`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraitImpl {
    pub generics: Vec<GenericParam>,
    pub trait_ref: TraitRef,
    /// Bounds on the generics, with which overlapping blanket implementations are told apart.
    pub bounds: Vec<TraitRef>,
    /// What bounds say of associated types: the projection, and the type that it is (`F: FnMut(A) -> B`). Parameters
    /// that stand nowhere else in the implementation are known by these.
    pub equalities: Vec<(Ty, Ty)>,
    pub methods: BTreeMap<Name, FnId>,
    pub consts: BTreeMap<Name, FnId>,
    pub types: BTreeMap<Name, Ty>,
}

impl Program {
    /// Builds the look-up tables; to be called once all items are in place.
    pub fn build_index(&mut self) {
        let mut index = Index::default();
        for (id, function) in self.functions.iter_enumerated() {
            if function.kind == FunctionKind::Adapter {
                continue;
            }
            index.functions.entry(function.path.clone()).or_default().push(id);
            if let Owner::Within(parent) = &function.owner {
                index.within.entry(*parent).or_default().push(id);
            }
        }
        for (id, adt) in self.adts.iter_enumerated() {
            let first = *index.adts.entry(adt.path.clone()).or_insert(id);
            if first != id {
                index.ambiguous_adts.insert(adt.path.clone());
            }
        }
        for (id, item) in self.traits.iter_enumerated() {
            index.traits.entry(item.path.clone()).or_insert(id);
        }
        for (id, item) in self.impls.iter_enumerated() {
            index.impls.entry(item.trait_ref.path.clone()).or_default().push(id);
        }
        self.index = index;
    }

    /// Whether it has a global allocator of its own, or functions in the place of those by which the system's one has its memory: their code sees each allocation and
    /// each release, and may tell of them.
    pub fn has_own_allocator(&self) -> bool {
        let is_allocating = |id: &FnId| self.functions[*id].path.as_str().ends_with("::__rust_alloc");
        let of_system = ["aligned_alloc", "calloc", "free", "malloc", "posix_memalign", "realloc"];
        self.declared.ambient.iter().any(is_allocating)
            || of_system.iter().any(|symbol| self.declared.exported.contains_key(*symbol))
    }

    /// The function of the sources: itself, or what the adapter calls.
    pub fn in_sources(&self, function: FnId) -> FnId {
        self.adapters.get(&function).map_or(function, |adapter| adapter.function)
    }

    /// A path by which the sources under comparison may name the item.
    pub fn public_name(&self, path: &Path) -> Path {
        let own = self.public_names.get(path).unwrap_or(path);
        let is_direct = |path: &Path| {
            let first = path.crate_name();
            self.direct_crates.contains(&Name::new(first))
        };
        if self.direct_crates.is_empty() || own.is_of_std() || is_direct(own) {
            return own.clone();
        }
        let named = |text: &str| {
            let names = self.handed_on.get(&Path::new(text))?.iter();
            names.filter(|name| is_direct(name)).min_by_key(|name| name.as_str().len())
        };
        let text = own.as_str();
        // Of the modules around it the innermost that is handed on.
        let in_module = || {
            let mut ends = text.rmatch_indices("::").map(|(at, _)| at);
            ends.find_map(|end| Some(Path::new(format!("{}{}", named(&text[..end])?, &text[end..]))))
        };
        let itself = named(path.as_str()).or_else(|| named(text));
        itself.cloned().or_else(in_module).unwrap_or_else(|| own.clone())
    }

    /// The type of that path; none if it is not defined here.
    pub fn adt(&self, path: &Path) -> Option<&Adt> {
        self.adt_id(path).map(|id| &self.adts[id])
    }

    /// The same, unless nothing outside of a body can name it: values of it can then be made by no input.
    pub fn nameable_adt(&self, path: &Path) -> Option<&Adt> {
        self.adt(path).filter(|_| !self.declared.in_bodies.contains(path))
    }

    pub fn adt_id(&self, path: &Path) -> Option<AdtId> {
        self.index.adts.get(path).copied()
    }

    /// Whether several types share the path, as those in different blocks of one function do: [`Program::adt`] gives one of
    /// them, which need not be the one meant.
    pub fn is_ambiguous_adt(&self, path: &Path) -> bool {
        self.index.ambiguous_adts.contains(path)
    }

    pub fn trait_(&self, path: &Path) -> Option<&Trait> {
        self.index.traits.get(path).map(|id| &self.traits[*id])
    }

    /// Whether an object of these traits has the methods of this one, so that a call of it goes where the object was made: it is one of them, or they
    /// stand upon it as far as is known. Any other trait is implemented for the object itself (`impl Debug for dyn Any`).
    pub fn is_trait_of_object(&self, object: &[DynTrait], of: &Path) -> bool {
        let mut open: Vec<&Path> = object.iter().map(|bound| &bound.path).collect();
        let mut seen = BTreeSet::new();
        while let Some(path) = open.pop() {
            if path == of
                || path
                    .known_trait()
                    .zip(of.known_trait())
                    .is_some_and(|(one, other)| one.is_call() && other.is_call())
            {
                return true;
            }
            let item = self.trait_(path).filter(|_| seen.insert(path));
            open.extend(item.into_iter().flat_map(|item| &item.supertraits).map(|above| &above.path));
        }
        false
    }

    /// What the function builds if it is the constructor of a type that is known here (`Option::Some`, handed on as a function): the type and the variant.
    pub fn constructed_by(&self, fn_ref: &FnRef) -> Option<(Ty, Option<Name>)> {
        let FnRef::Free { path, args } = fn_ref else { return None };
        let is_function = |variant: &Variant| variant.ctor == CtorKind::Tuple;
        if let Some(adt) = self.adt(path) {
            let is_constructor = adt.kind == AdtKind::Struct && is_function(&adt.variants[0]);
            return is_constructor.then(|| (Ty::new(TyKind::Adt(path.clone(), args.clone())), None));
        }
        let (of, name) = path.as_str().rsplit_once("::")?;
        let (of, name) = (Path::new(of), Name::new(name));
        let adt = self.adt(&of).filter(|adt| adt.kind == AdtKind::Enum)?;
        let variant = &adt.variants[adt.variant_named(&name)?];
        is_function(variant).then(|| (Ty::new(TyKind::Adt(of, args.clone())), Some(name)))
    }

    /// All functions of that path: several where inherent implementations differ only in generic arguments.
    pub fn functions_at(&self, path: &Path) -> &[FnId] {
        self.index.functions.get(path).map_or(&[], Vec::as_slice)
    }

    /// Closures, promoted constants and the like that are directly within the function.
    pub fn functions_within(&self, function: FnId) -> &[FnId] {
        self.index.within.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The implementations of the trait.
    pub fn impls_of(&self, trait_path: &Path) -> &[ImplId] {
        self.index.impls.get(trait_path).map_or(&[], Vec::as_slice)
    }

    /// All generic parameters in scope in the function's body, outermost first.
    pub fn generics_in_scope(&self, function: FnId) -> Vec<GenericParam> {
        let function = &self.functions[function];
        let mut generics = match &function.owner {
            Owner::Free => Vec::new(),
            Owner::Inherent { generics, .. } => generics.clone(),
            Owner::TraitImpl(id) => self.impls[*id].generics.clone(),
            Owner::Trait(path) => {
                let own = self.trait_(path).map(|item| item.generics.clone()).unwrap_or_default();
                let self_param =
                    GenericParam { name: Name::new("Self"), kind: super::GenericParamKind::Type };
                std::iter::once(self_param).chain(own).collect()
            }
            Owner::Within(parent) => self.generics_in_scope(*parent),
        };
        generics.extend(function.generics.iter().cloned());
        generics
    }
}

impl Adt {
    /// The field types of a variant of this ADT at the given arguments.
    pub fn field_types(&self, variant: usize, args: &[GenericArg]) -> Vec<Ty> {
        let subst = Subst::from_params(&self.generics, args);
        self.variants[variant].fields.iter().map(|field| subst.ty(&field.ty)).collect()
    }

    pub fn variant_named(&self, name: &Name) -> Option<usize> {
        self.variants.iter().position(|variant| variant.name == *name)
    }
}

/// Arguments that are the parameters themselves: `<T, N>` inside `impl<T, const N: usize>`.
pub fn identity_args(generics: &[GenericParam]) -> GenericArgs {
    generics
        .iter()
        .map(|param| match param.kind {
            super::GenericParamKind::Type => {
                GenericArg::Ty(Ty::new(super::TyKind::Param(param.name.clone())))
            }
            super::GenericParamKind::Const(_) => GenericArg::Const(super::Const::Param(param.name.clone())),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crate_hands_on_goes_by_its_name() {
        let mut program = Program::default();
        let path = |text: &str| Path::new(text);
        let (inner, shown) = (path("deep::de::ignored::Any"), path("deep::de::Any"));
        program.public_names.insert(inner.clone(), shown.clone());
        let names = ["other::__private::de", "front::de"].map(path);
        program.handed_on.insert(path("deep::de"), names.to_vec());
        program.handed_on.insert(path("deep::de::Visit"), vec![path("front::Visit")]);
        let check = |program: &Program, of: &str, expected: &str| {
            assert_eq!(program.public_name(&path(of)), path(expected), "{of}");
        };
        // As long as nobody says which crates can be named.
        check(&program, inner.as_str(), shown.as_str());
        program.direct_crates = ["own", "front"].map(Name::new).into();
        check(&program, inner.as_str(), "front::de::Any");
        check(&program, "deep::de::Visit", "front::Visit");
        check(&program, "deep::de::value::Unit", "front::de::value::Unit");
        check(&program, "deep::desert::Unit", "deep::desert::Unit");
        check(&program, "own::S", "own::S");
        check(&program, "std::fmt::Debug", "std::fmt::Debug");
        program.direct_crates.insert("deep".into());
        check(&program, inner.as_str(), shown.as_str());
    }
}
