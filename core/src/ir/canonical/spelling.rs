//! Names in the canonical form: paths relative to the function, parameters by number, renamed items by their new path.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::Fingerprint;
use crate::ir::*;

/// What names mean in a body: where it stands, and which parameters are in scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The function whose own path, and those of what is within, are spelled relative to it.
    root: Option<Path>,
    params: BTreeMap<Name, usize>,
    /// What is put in the place of parameters, already spelled.
    given: BTreeMap<Name, GenericArg>,
}

/// Functions of the old version that have another path in the new one, and other items if they are still under their old names.
#[derive(Clone, Debug, Default)]
pub struct Renames {
    paths: BTreeMap<Path, Path>,
    moved: Moved,
}

impl Renames {
    pub fn insert(&mut self, old: Path, new: Path) {
        self.paths.insert(old, new);
    }

    pub(crate) fn of_moved(moved: Moved) -> Renames {
        Renames { moved, ..Renames::default() }
    }

    pub(crate) fn into_moved(self) -> Moved {
        self.moved
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.moved.is_empty()
    }

    /// The new path, be it that of a renamed function or of something declared within one.
    fn apply(&self, path: &Path) -> Option<Path> {
        if !self.moved.is_empty() {
            return self.moved.new_path(path);
        }
        let is_part = path.as_str().contains("::{") || path.as_str().contains("::promoted[");
        match self.paths.get(path) {
            None if is_part => self
                .paths
                .iter()
                .find_map(|(old, new)| relative(path, old).map(|rest| Path::new(format!("{new}{rest}")))),
            found => found.cloned(),
        }
    }
}

impl Scope {
    /// The scope of a function's body. Closures and promoted constants stand in that of the function around them.
    pub fn of(program: &Program, function: FnId) -> Scope {
        let root = program.functions[root_of(program, function)].path.clone();
        Scope::new(root, &program.generics_in_scope(function))
    }

    pub fn new(root: Path, generics: &[GenericParam]) -> Scope {
        let params = generics.iter().enumerate().map(|(index, param)| (param.name.clone(), index)).collect();
        Scope { root: Some(root), params, given: BTreeMap::new() }
    }

    /// Of a body that stands in another one, with these arguments in the place of its parameters.
    pub fn inlined(given: &Subst) -> Scope {
        let given = given.iter().map(|(name, arg)| (name.clone(), arg.clone())).collect();
        Scope { root: None, params: BTreeMap::new(), given }
    }
}

/// The function that a closure, promoted or inline constant is part of; any other function is its own root.
pub fn root_of(program: &Program, function: FnId) -> FnId {
    let mut root = function;
    // A chain of parents longer than the program has functions can only be a malformed circle.
    for _ in 0..program.functions.len() {
        match &program.functions[root].owner {
            Owner::Within(parent) if program.functions.get(*parent).is_some() => root = *parent,
            _ => break,
        }
    }
    root
}

/// Spells paths, types and constants independently of where the function stands and how its parameters are called.
pub(crate) struct Speller<'a> {
    scope: &'a Scope,
    renames: &'a Renames,
    undetermined: RefCell<Vec<String>>,
    names_own: Cell<bool>,
}

/// What is left of `path` below `base`: empty for `base` itself. Only closures, promoted and inline constants are
/// below a function in this sense: a module may have a function's name, and its items are no part of the function.
fn relative<'p>(path: &'p Path, base: &Path) -> Option<&'p str> {
    let rest = path.as_str().strip_prefix(base.as_str())?;
    (rest.is_empty() || rest.starts_with("::{") || rest.starts_with("::promoted[")).then_some(rest)
}

impl<'a> Speller<'a> {
    pub(crate) fn new(scope: &'a Scope, renames: &'a Renames) -> Self {
        Speller { scope, renames, undetermined: Default::default(), names_own: Cell::new(false) }
    }

    /// Whether a path was spelled relative to the function.
    pub(crate) fn names_own(&self) -> bool {
        self.names_own.get()
    }

    pub(crate) fn into_undetermined(self) -> Vec<String> {
        self.undetermined.into_inner()
    }

    pub(crate) fn not_understood(&self, text: String) -> Ty {
        self.undetermined.borrow_mut().push(text.clone());
        Ty::new(TyKind::Unsupported(text))
    }

    pub(crate) fn note_text(&self, text: &str) {
        if names_an_allocation(text) {
            self.undetermined.borrow_mut().push(text.to_string());
        }
    }

    pub(crate) fn path(&self, path: &Path) -> Path {
        match self.scope.root.as_ref().and_then(|root| relative(path, root)) {
            Some(rest) => {
                self.names_own.set(true);
                Path::new(format!("{{self}}{rest}"))
            }
            None => self.renames.apply(path).unwrap_or_else(|| path.clone()),
        }
    }

    fn param(&self, name: &Name) -> Name {
        match self.scope.params.get(name) {
            Some(index) => Name::new(format!("{{param {index}}}")),
            None => {
                self.undetermined.borrow_mut().push(format!("the parameter `{name}`, which is not in scope"));
                name.clone()
            }
        }
    }

    pub(crate) fn ty(&self, ty: &Ty) -> Ty {
        ty.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant))
    }

    /// Respells a type whose parts are done already.
    fn head(&self, ty: Ty) -> Ty {
        let kind = match ty.kind() {
            TyKind::Adt(path, args) => TyKind::Adt(self.path(path), args.clone()),
            TyKind::Closure(path, args) => TyKind::Closure(self.path(path), args.clone()),
            TyKind::Param(name) => match self.scope.given.get(name) {
                Some(GenericArg::Ty(given)) => return given.clone(),
                _ => TyKind::Param(self.param(name)),
            },
            TyKind::Projection { trait_ref, name } => {
                TyKind::Projection { trait_ref: self.trait_head(trait_ref.clone()), name: name.clone() }
            }
            TyKind::FnDef(fn_ref) => TyKind::FnDef(Box::new(self.fn_head(fn_ref.as_ref().clone()))),
            TyKind::Dyn(bounds) => TyKind::Dyn(
                bounds
                    .iter()
                    .map(|bound| DynTrait { path: self.path(&bound.path), ..bound.clone() })
                    .collect(),
            ),
            TyKind::Unsupported(text) => {
                self.note_text(text);
                return ty;
            }
            _ => return ty,
        };
        Ty::new(kind)
    }

    pub(crate) fn args(&self, args: &GenericArgs) -> GenericArgs {
        args.iter()
            .map(|arg| match arg {
                GenericArg::Ty(ty) => GenericArg::Ty(self.ty(ty)),
                GenericArg::Const(constant) => GenericArg::Const(self.constant(constant)),
            })
            .collect()
    }

    fn trait_head(&self, trait_ref: TraitRef) -> TraitRef {
        TraitRef { path: self.path(&trait_ref.path), ..trait_ref }
    }

    pub(crate) fn trait_ref(&self, trait_ref: &TraitRef) -> TraitRef {
        self.trait_head(trait_ref.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant)))
    }

    fn fn_head(&self, fn_ref: FnRef) -> FnRef {
        match fn_ref {
            FnRef::Free { path, args } => FnRef::Free { path: self.path(&path), args },
            FnRef::Inherent { path, self_ty, args } => {
                FnRef::Inherent { path: self.path(&path), self_ty, args }
            }
            FnRef::Trait { trait_ref, method, args } => {
                FnRef::Trait { trait_ref: self.trait_head(trait_ref), method, args }
            }
        }
    }

    pub(crate) fn fn_ref(&self, fn_ref: &FnRef) -> FnRef {
        self.fn_head(fn_ref.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant)))
    }

    fn constants(&self, constants: &[Const]) -> Vec<Const> {
        constants.iter().map(|constant| self.constant(constant)).collect()
    }

    pub(crate) fn constant(&self, constant: &Const) -> Const {
        match constant {
            Const::Tuple(items) => Const::Tuple(self.constants(items)),
            Const::Array(items) => Const::Array(self.constants(items)),
            Const::Adt { ty, variant, fields } => {
                Const::Adt { ty: self.ty(ty), variant: variant.clone(), fields: self.constants(fields) }
            }
            Const::Ref(inner) => Const::Ref(Box::new(self.constant(inner))),
            Const::Param(name) => match self.scope.given.get(name) {
                Some(GenericArg::Const(given)) => given.clone(),
                _ => Const::Param(self.param(name)),
            },
            Const::Fn(fn_ref) => Const::Fn(Box::new(self.fn_ref(fn_ref))),
            Const::Item { path, args } => Const::Item { path: self.path(path), args: self.args(args) },
            Const::AssocConst { trait_ref, name } => {
                Const::AssocConst { trait_ref: self.trait_ref(trait_ref), name: name.clone() }
            }
            Const::InherentConst { path, self_ty } => {
                Const::InherentConst { path: self.path(path), self_ty: self.ty(self_ty) }
            }
            Const::StaticRef(path) => Const::StaticRef(self.path(path)),
            Const::ZeroSized(ty) => Const::ZeroSized(self.ty(ty)),
            Const::Unsupported(text) => {
                self.note_text(text);
                constant.clone()
            }
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Str(_)
            | Const::ByteStr(_)
            | Const::Uninit => constant.clone(),
        }
    }
}

/// Whether text that was not understood names one of the compiler's numbered allocations.
fn names_an_allocation(text: &str) -> bool {
    text.match_indices("alloc").any(|(at, word)| {
        text[at + word.len()..].trim_start_matches('_').starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What callers and inputs of a function see of it, spelled independently of its path and its parameters' names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalSignature {
    generics: Vec<GenericParamKind>,
    /// What the generics in scope belong to: with them, the numbers of parameters get their meaning.
    header: Header,
    inputs: Vec<Ty>,
    output: Ty,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Header {
    /// No parameters but the function's own.
    Plain,
    Inherent(Ty),
    TraitImpl(TraitRef),
    Trait(Path),
}

impl CanonicalSignature {
    pub fn of(program: &Program, function: FnId, renames: &Renames) -> CanonicalSignature {
        let scope = Scope::of(program, function);
        let speller = Speller::new(&scope, renames);
        let item = &program.functions[function];
        let header = match &program.functions[root_of(program, function)].owner {
            Owner::Inherent { generics, self_ty } if !generics.is_empty() => {
                Header::Inherent(speller.ty(self_ty))
            }
            Owner::TraitImpl(id) if !program.impls[*id].generics.is_empty() => {
                Header::TraitImpl(speller.trait_ref(&program.impls[*id].trait_ref))
            }
            Owner::Trait(path) => Header::Trait(speller.path(path)),
            _ => Header::Plain,
        };
        CanonicalSignature {
            generics: program.generics_in_scope(function).into_iter().map(|param| param.kind).collect(),
            header,
            inputs: item.inputs.iter().map(|ty| speller.ty(ty)).collect(),
            output: speller.ty(&item.output),
        }
    }

    /// Whether both take the same, whatever they give.
    pub fn takes_the_same(&self, other: &CanonicalSignature) -> bool {
        (&self.generics, &self.header, &self.inputs) == (&other.generics, &other.header, &other.inputs)
    }

    /// Equal for equal signatures.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}
