//! What all steps of lowering share: the document, the models, and what each item's number means.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use regress_core::ir::{ConstTy, GenericParam, GenericParamKind, Name, Path, Program};

use super::names::last_ident;
use super::schema::{Body, ClosureKind, Crate, Generics, ItemId, PathElem, Source, TypeDecl, TypeSource};
use crate::rustc::{Names, add_std_traits};

/// The kinds of items that have numbers of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Type,
    Fun,
    Global,
    TraitDecl,
    TraitImpl,
}

/// A document that is being lowered on top of `base`, the program of the models.
pub struct Context<'c> {
    pub krate: &'c Crate,
    pub base: &'c Program,
    /// Defaulted parameters of std's traits, which paths leave out.
    pub names: Names,
    item_names: HashMap<(Space, usize), &'c [PathElem]>,
    /// Types of closures by their implementations of the `Fn` traits.
    closure_of_impl: HashMap<usize, usize>,
    /// Names of closures, as [`key_of`] spells them.
    closure_names: HashSet<String>,
    /// Paths of names, by where the names are kept.
    pub paths: RefCell<HashMap<(*const PathElem, usize), Path>>,
    /// Default methods that the file has, by trait.
    pub defaults: HashSet<(usize, &'c str)>,
    /// How many names are being spelled inside of one another.
    pub spelling: Cell<usize>,
}

/// What the innermost and outer binders declare.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    binders: Vec<Binder>,
}

#[derive(Clone, Debug, Default)]
struct Binder {
    types: Vec<Name>,
    consts: Vec<Name>,
}

impl Scope {
    pub fn of(generics: &Generics) -> Scope {
        Scope::default().within(generics)
    }

    /// The scope inside of another binder.
    pub fn within(&self, generics: &Generics) -> Scope {
        let names = |params: &[super::schema::Param]| {
            params.iter().map(|param| Name::from(param.name.as_str())).collect()
        };
        let binder = Binder { types: names(&generics.types), consts: names(&generics.const_generics) };
        let mut binders = self.binders.clone();
        binders.push(binder);
        Scope { binders }
    }

    /// The scope inside of a binder of lifetimes.
    pub fn within_regions(&self) -> Scope {
        let mut binders = self.binders.clone();
        binders.push(Binder::default());
        Scope { binders }
    }

    pub fn ty_param(&self, depth: usize, index: usize) -> Option<&Name> {
        self.binder(depth)?.types.get(index)
    }

    pub fn const_param(&self, depth: usize, index: usize) -> Option<&Name> {
        self.binder(depth)?.consts.get(index)
    }

    pub fn free_ty(&self, index: usize) -> Option<&Name> {
        self.binders.first()?.types.get(index)
    }

    pub fn free_const(&self, index: usize) -> Option<&Name> {
        self.binders.first()?.consts.get(index)
    }

    fn binder(&self, depth: usize) -> Option<&Binder> {
        let at = self.binders.len().checked_sub(depth + 1)?;
        self.binders.get(at)
    }
}

/// Parameters in the order in which arguments are listed here: types, then constants.
pub fn params(generics: &Generics) -> Vec<GenericParam> {
    let types = generics.types.iter().map(|param| (param, GenericParamKind::Type));
    let consts = generics.const_generics.iter().map(|param| (param, GenericParamKind::Const(ConstTy::USIZE)));
    types.chain(consts).map(|(param, kind)| GenericParam { name: param.name.as_str().into(), kind }).collect()
}

impl<'c> Context<'c> {
    pub fn new(krate: &'c Crate, base: &'c Program) -> Context<'c> {
        let mut names = Names::default();
        add_std_traits(&mut names);
        let mut context = Context {
            krate,
            base,
            names,
            item_names: HashMap::new(),
            closure_of_impl: HashMap::new(),
            closure_names: HashSet::new(),
            paths: RefCell::default(),
            defaults: HashSet::new(),
            spelling: Cell::new(0),
        };
        for item in &krate.item_names {
            let key = match item.key {
                ItemId::Type(id) => (Space::Type, id),
                ItemId::Fun(id) => (Space::Fun, id),
                ItemId::Global(id) => (Space::Global, id),
                ItemId::TraitDecl(id) => (Space::TraitDecl, id),
                ItemId::TraitImpl(id) => (Space::TraitImpl, id),
                ItemId::Other(_) => continue,
            };
            context.item_names.insert(key, &item.value);
        }
        for decl in krate.fun_decls.iter().flatten() {
            let (Source::TraitDefault(of) | Source::TraitDecl(of)) = &decl.src else { continue };
            let is_default = of.has_default && !matches!(decl.body, Body::TraitMethodWithoutDefault);
            if let (Some(name), true) = (last_ident(&decl.item_meta.name), is_default) {
                context.defaults.insert((of.trait_ref.id, name));
            }
        }
        for decl in krate.type_decls.iter().flatten() {
            let TypeSource::Closure(source) = &decl.src else { continue };
            context.closure_names.insert(key_of(&decl.item_meta.name));
            let info = &source.info;
            for of_impl in [&info.fn_once_impl, &info.fn_mut_impl, &info.fn_impl].into_iter().flatten() {
                context.closure_of_impl.insert(of_impl.skip_binder.id, decl.def_id);
            }
        }
        context
    }

    /// The name of an item, also of one that could not be translated.
    pub fn name_of(&self, space: Space, id: usize) -> Option<&'c [PathElem]> {
        let krate = self.krate;
        let declared = match space {
            Space::Type => krate.type_decls.get(id).and_then(Option::as_ref).map(|item| &item.item_meta),
            Space::Fun => krate.fun_decls.get(id).and_then(Option::as_ref).map(|item| &item.item_meta),
            Space::Global => krate.global_decls.get(id).and_then(Option::as_ref).map(|item| &item.item_meta),
            Space::TraitDecl => {
                krate.trait_decls.get(id).and_then(Option::as_ref).map(|item| &item.item_meta)
            }
            Space::TraitImpl => {
                krate.trait_impls.get(id).and_then(Option::as_ref).map(|item| &item.item_meta)
            }
        };
        declared.map(|meta| meta.name.as_slice()).or_else(|| self.item_names.get(&(space, id)).copied())
    }

    /// The declaration of a closure's type.
    pub fn closure(&self, id: usize) -> Option<&'c TypeDecl> {
        let decl = self.krate.type_decls.get(id)?.as_ref()?;
        matches!(decl.src, TypeSource::Closure(_)).then_some(decl)
    }

    /// The closure whose call an implementation of a `Fn` trait is.
    pub fn closure_of_impl(&self, id: usize) -> Option<&'c TypeDecl> {
        self.closure(*self.closure_of_impl.get(&id)?)
    }

    /// The implementation that holds a closure's own body; the others hand on to it.
    pub fn body_impl_of(&self, closure: &TypeDecl) -> Option<usize> {
        let TypeSource::Closure(source) = &closure.src else { return None };
        let info = &source.info;
        let of_impl = match info.kind {
            ClosureKind::Fn => &info.fn_impl,
            ClosureKind::FnMut => &info.fn_mut_impl,
            ClosureKind::FnOnce => &info.fn_once_impl,
            ClosureKind::Other(_) => &None,
        };
        of_impl.as_ref().map(|of_impl| of_impl.skip_binder.id)
    }

    /// Whether a name, or the beginning of one, is that of a closure.
    pub fn names_closure(&self, name: &[PathElem]) -> bool {
        self.closure_names.contains(&key_of(name))
    }

    pub fn trait_path(&self, id: usize) -> Path {
        match self.name_of(Space::TraitDecl, id) {
            Some(name) => self.plain_path(name),
            None => Path::from(format!("?trait{id}")),
        }
    }

    pub fn assoc_name(&self, trait_id: usize, of: AssocKind, index: usize) -> Option<Name> {
        let names = self.krate.assoc_item_names.get(trait_id)?.as_ref()?;
        let list = match of {
            AssocKind::Type => &names.types,
            AssocKind::Method => &names.methods,
            AssocKind::Const => &names.consts,
        };
        list.get(index).map(|name| name.as_str().into())
    }
}

/// What an associated item is.
#[derive(Clone, Copy, Debug)]
pub enum AssocKind {
    Type,
    Method,
    Const,
}

/// A spelling of names that is only compared. Types in it are spelled by the numbers of implementations where there are some.
fn key_of(name: &[PathElem]) -> String {
    let mut key = String::new();
    for elem in name {
        match elem {
            PathElem::Ident((text, disambiguator)) => key.push_str(&format!("::{text}#{disambiguator}")),
            PathElem::Impl(of) => key.push_str(&format!("::{of:?}")),
            PathElem::Instantiated(args) => key.push_str(&format!("::{:?}", args.skip_binder)),
            PathElem::Target(_) | PathElem::Other(_) => {}
        }
    }
    key
}
