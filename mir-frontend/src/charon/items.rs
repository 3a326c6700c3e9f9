//! Items: what of Charon's declarations becomes a type, a trait, an implementation or a function here.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::idx::Idx;
use regress_core::ir::{
    Adt, AdtKind, CtorKind, Field, FnBody, FnId, Function, FunctionKind, GenericParam, ImplId, IntTy,
    KnownTrait, Mutability, Name, Origin, Owner, Path, Program, SourceFile, Trait, TraitImpl, TraitRef, Ty,
    TyKind, Variant, Visibility,
};

use super::bodies::{FileIds, Parameters, lower_body, lower_span};
use super::body_schema as charon;
use super::constants::scalar;
use super::context::{AssocKind, Context, Scope, params};
use super::globals;
use super::names::{crate_of, is_std, last_ident};
use super::schema::{
    self, Body, FileName, FunDecl, Generics, ImplElem, Literal, PathElem, Source, Told, TypeDecl,
    TypeDeclKind, TypeSource,
};
use super::types::{DESTRUCT, field_name};

/// A function of the program that is being made.
pub struct Shell<'c> {
    pub path: Path,
    pub what: What<'c>,
}

/// What a function is made of.
#[derive(Clone, Copy)]
pub enum What<'c> {
    Fun(&'c FunDecl),
    /// The call of a closure, with the closure's type.
    Closure(&'c FunDecl, &'c TypeDecl),
    /// A constant or static.
    Global(&'c schema::GlobalDecl),
}

/// How Charon calls `#[track_caller]`.
const TRACKED: &str = "TrackCaller";

/// Attributes that say nothing of what a program does, by Charon's name for those that it knows and by their path for others.
const WITHOUT_MEANING: [&str; 16] = [
    "DocComment",
    "Inline",
    "NonExhaustive",
    "MustUse",
    "Deprecated",
    "Deprecation",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "must_use",
    "doc",
    "deprecated",
    "cold",
    "rustfmt::skip",
];

/// What attributes say, in one text; empty if they say nothing of what a program does.
fn declared(attributes: &[Told]) -> String {
    let counts = |told: &&Told| name_of(&told.0).is_none_or(|name| !WITHOUT_MEANING.contains(&name));
    let texts: Vec<String> = attributes.iter().filter(counts).map(|told| told.0.to_string()).collect();
    texts.join(" ")
}

/// `{"Builtin": {NAME: …}}`, `{"Builtin": NAME}`, `{"Unknown": {"path": NAME, …}}` or `{NAME: …}`
fn name_of(attribute: &serde_json::Value) -> Option<&str> {
    use serde_json::Value;
    match attribute {
        Value::Object(map) => {
            let (tag, inner) = map.iter().next()?;
            match (tag.as_str(), inner) {
                ("Builtin", Value::String(name)) => Some(name),
                ("Builtin", Value::Object(inner)) => inner.keys().next().map(String::as_str),
                ("Unknown", inner) => inner.get("path").and_then(Value::as_str),
                _ => Some(tag),
            }
        }
        Value::String(name) => Some(name),
        _ => None,
    }
}

/// All that a type's declaration says beside its parts: attributes, and how its values lie in memory.
fn declared_type(decl: &TypeDecl) -> String {
    format!("{} {}", declared(&decl.item_meta.attr_info.attributes), decl.layout.0)
}

/// Why a declared function is no function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotAFunction {
    /// Drop glue: drops are done by type here.
    DropGlue,
    /// Entries of vtables, and the tables: methods of trait objects are found by type here.
    VTable,
    /// Implementations of `Fn` traits that hand on to the closure's own body.
    ClosureForwarding,
    /// The initial value of a constant or static, which has an entry as such.
    Initializer,
    /// A method that a trait requires: it has no body.
    Required,
    /// A copy of a default method.
    CopyOfDefault,
}

impl<'c> Context<'c> {
    /// What the declaration is here.
    pub fn role_of(&self, decl: &'c FunDecl) -> Result<What<'c>, NotAFunction> {
        if decl.is_global_initializer.is_some() {
            return Err(NotAFunction::Initializer);
        }
        match &decl.src {
            Source::GlobalInitializer(_) => Err(NotAFunction::Initializer),
            Source::VTableShim
            | Source::VTableMethodShim
            | Source::VTableInstance(_)
            | Source::VTableInstanceMono => Err(NotAFunction::VTable),
            Source::TraitImpl(of) => {
                if let Some(closure) = self.closure_of_impl(of.impl_ref.id) {
                    return match self.body_impl_of(closure) == Some(of.impl_ref.id) {
                        true => Ok(What::Closure(decl, closure)),
                        false => Err(NotAFunction::ClosureForwarding),
                    };
                }
                if self.trait_path(of.trait_ref.id) == DESTRUCT {
                    return Err(NotAFunction::DropGlue);
                }
                // Charon says of methods without default, too, that they do not override one.
                let name = last_ident(&decl.item_meta.name).unwrap_or_default();
                if of.reuses_default
                    && self.defaults.contains(&(of.trait_ref.id, name))
                    && self.instance_args(&decl.item_meta.name).is_none()
                {
                    return Err(NotAFunction::CopyOfDefault);
                }
                Ok(What::Fun(decl))
            }
            Source::TraitDecl(_) | Source::TraitDefault(_) => {
                let of = match &decl.src {
                    Source::TraitDecl(of) | Source::TraitDefault(of) => of,
                    _ => return Ok(What::Fun(decl)),
                };
                if self.trait_path(of.trait_ref.id) == DESTRUCT {
                    return Err(NotAFunction::DropGlue);
                }
                match decl.body {
                    Body::TraitMethodWithoutDefault => Err(NotAFunction::Required),
                    _ => Ok(What::Fun(decl)),
                }
            }
            _ => match last_ident(&decl.item_meta.name) {
                Some("{vtable}") => Err(NotAFunction::VTable),
                _ => Ok(What::Fun(decl)),
            },
        }
    }

    /// The path under which the function stands in the program.
    pub fn function_path(&self, what: &What<'_>) -> Path {
        match what {
            What::Fun(decl) => self.own_path(&decl.item_meta.name),
            What::Closure(_, closure) => self.own_path(&closure.item_meta.name),
            What::Global(decl) => self.own_path(&decl.item_meta.name),
        }
    }
}

/// What Charon says of a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    Whole,
    /// Something was not translated and is left out.
    WithErrors,
}

/// Makes functions, types, traits and implementations, and numbers them behind those of the models.
pub struct ItemLowering<'l, 'c> {
    pub cx: &'l Context<'c>,
    pub files: FileIds,
    pub program: Program,
    /// Our numbers of Charon's implementations.
    impls: BTreeMap<usize, ImplId>,
    origin: Origin,
}

impl<'l, 'c> ItemLowering<'l, 'c> {
    pub fn new(cx: &'l Context<'c>, origin: Origin) -> Self {
        let mut program = cx.base.clone();
        let mut files = FileIds::new();
        for file in &cx.krate.files {
            // Where the standard library's macros put a statement helps nobody.
            if let FileName::Local(path) | FileName::Virtual(path) = &file.name
                && is_of_std(path)
            {
                continue;
            }
            let path = match &file.name {
                FileName::Local(path) | FileName::Virtual(path) | FileName::NotReal(path) => path.clone(),
                FileName::Other(tag) => format!("<{tag}>"),
            };
            files.insert(file.id, program.files.push(SourceFile { path }));
        }
        ItemLowering { cx, files, program, impls: BTreeMap::new(), origin }
    }

    pub fn types(&mut self) {
        let mut known: BTreeSet<Path> = self.program.adts.iter().map(|adt| adt.path.clone()).collect();
        for decl in self.cx.krate.type_decls.iter().flatten() {
            if matches!(decl.src, TypeSource::Closure(_) | TypeSource::VTable(_) | TypeSource::VTableTy(_)) {
                continue;
            }
            if self.cx.base.adt(&self.cx.plain_path(&decl.item_meta.name)).is_some() {
                continue;
            }
            if let Some(adt) = self.adt(decl)
                && (known.insert(adt.path.clone()) || decl.item_meta.is_local)
            {
                let id = self.program.adts.push(adt);
                self.program.declared.adts.insert(id, declared_type(decl));
            }
        }
    }

    /// Whether the path is that of a tuple struct or variant: as a function it makes one.
    fn is_constructor(&self, path: &Path) -> bool {
        let parent = path.as_str().rsplit_once("::");
        self.program.adts.iter().any(|adt| match (adt.kind, parent) {
            (AdtKind::Enum, Some((parent, name))) => {
                adt.path == parent && adt.variants.iter().any(|variant| variant.name == *name)
            }
            _ => adt.path == *path,
        })
    }

    fn adt(&self, decl: &TypeDecl) -> Option<Adt> {
        let scope = Scope::of(&decl.generics);
        let path = self.cx.own_path(&decl.item_meta.name);
        let name = last_ident(&decl.item_meta.name).unwrap_or("?");
        let fields = |fields: &[schema::Field]| -> Vec<Field> {
            let field = |(index, field): (usize, &schema::Field)| Field {
                name: field_name(field, index),
                ty: self.cx.ty(&field.ty, &scope),
                visibility: visibility(field.attr_info.public),
            };
            fields.iter().enumerate().map(field).collect()
        };
        let one = |list: &[schema::Field]| Variant {
            name: name.into(),
            ctor: ctor_of(list),
            fields: fields(list),
            discriminant: 0,
        };
        let mut discriminant_ty = IntTy::Isize;
        let (kind, variants) = match &decl.kind {
            TypeDeclKind::Struct(list) => (AdtKind::Struct, vec![one(list)]),
            TypeDeclKind::Union(list) => (AdtKind::Union, vec![one(list)]),
            TypeDeclKind::Enum(list) => {
                let mut variants = Vec::new();
                for variant in list {
                    let Literal::Scalar(value) = &variant.discriminant else { return None };
                    let (bits, ty) = scalar(value)?;
                    discriminant_ty = ty;
                    variants.push(Variant {
                        name: variant.name.as_str().into(),
                        ctor: ctor_of(&variant.fields),
                        fields: fields(&variant.fields),
                        discriminant: ty.sign_extend(bits),
                    });
                }
                (AdtKind::Enum, variants)
            }
            TypeDeclKind::Opaque
            | TypeDeclKind::Alias(_)
            | TypeDeclKind::Error(_)
            | TypeDeclKind::Other(_) => return None,
        };
        Some(Adt {
            path,
            kind,
            generics: without_allocator(params(&decl.generics), &decl.item_meta.name),
            bounds: Vec::new(),
            variants,
            discriminant_ty,
            visibility: visibility(decl.item_meta.attr_info.public),
            origin_crate: crate_of(&decl.item_meta.name).into(),
            span: lower_span(&decl.item_meta.span, &self.files),
        })
    }

    /// Traits and implementations, still without members.
    pub fn traits_and_impls(&mut self) {
        for (id, decl) in self.cx.krate.trait_decls.iter().enumerate() {
            let Some(decl) = decl else { continue };
            let path = self.cx.trait_path(id);
            if is_std(&decl.item_meta.name) || path == DESTRUCT || self.cx.base.trait_(&path).is_some() {
                continue;
            }
            let scope = Scope::of(&decl.generics);
            let supertraits = decl
                .implied_clauses
                .iter()
                .filter_map(|clause| self.cx.trait_of(&clause.trait_.skip_binder, &scope.within_regions()))
                .filter(|of| matches!(of.self_ty.kind(), TyKind::Param(name) if *name == "Self"))
                .filter(|of| !of.path.begins_in_std(&["marker::"]));
            let trait_ = Trait {
                path,
                visibility: Visibility::Private,
                generics: params(&decl.generics).into_iter().skip(1).collect(),
                default_methods: BTreeMap::new(),
                default_consts: BTreeMap::new(),
                default_types: BTreeMap::new(),
                supertraits: supertraits.collect(),
            };
            self.program.traits.push(trait_);
        }
        for decl in self.cx.krate.trait_impls.iter().flatten() {
            if self.cx.closure_of_impl(decl.def_id).is_some() {
                continue;
            }
            let scope = Scope::of(&decl.generics);
            let Some(trait_ref) = self.cx.trait_of(&decl.impl_trait, &scope) else { continue };
            let is_wanted = self.is_wanted(&decl.item_meta.name, decl.item_meta.is_local)
                || self.is_unknown_destructor(&trait_ref);
            if trait_ref.path == DESTRUCT || !is_wanted {
                continue;
            }
            let mut types = BTreeMap::new();
            for (index, ty) in decl.types.iter().enumerate() {
                let name = self.cx.assoc_name(decl.impl_trait.id, AssocKind::Type, index);
                if let (Some(ty), Some(name)) = (ty, name)
                    && params(&ty.params).is_empty()
                {
                    let inner = scope.within(&ty.params);
                    types.insert(name, self.cx.ty(&ty.skip_binder.value, &inner));
                }
            }
            let bounds = self.cx.bounds(&decl.generics, &scope);
            let equalities = bounds.iter().flat_map(|bound| {
                let projection = |name: &Name| {
                    Ty::new(TyKind::Projection { trait_ref: bound.trait_ref.clone(), name: name.clone() })
                };
                bound.assoc_types.iter().map(move |(name, ty)| (projection(name), ty.clone()))
            });
            let equalities = equalities.collect();
            let id = self.program.impls.push(TraitImpl {
                generics: params(&decl.generics),
                trait_ref,
                bounds: bounds.into_iter().map(|bound| bound.trait_ref).collect(),
                equalities,
                methods: BTreeMap::new(),
                consts: BTreeMap::new(),
                types,
            });
            self.impls.insert(decl.def_id, id);
        }
    }

    /// Whether items of that name come into the program of themselves: those of crates, not of the standard library.
    fn is_wanted(&self, name: &[PathElem], is_local: bool) -> bool {
        is_local || !is_std(name)
    }

    /// Whether it is the destructor of a type that no model has.
    fn is_unknown_destructor(&self, of: &TraitRef) -> bool {
        of.path == KnownTrait::Drop
            && matches!(of.self_ty.kind(), TyKind::Adt(path, _) if self.cx.base.adt(path).is_none())
    }

    /// Gives implementations the members that Charon did not translate, as functions that cannot be read: a destructor
    /// that is not there would be passed over, and in place of a method its default would be run. If all went well,
    /// what is not there is a default.
    pub fn absent_members(&mut self, translation: Translation) {
        let mut absent: Vec<(usize, Name)> = Vec::new();
        for def_id in self.impls.keys() {
            if self.program.impls[self.impls[def_id]].trait_ref.path == KnownTrait::Drop {
                absent.push((*def_id, "drop".into()));
            }
        }
        for item in self.cx.krate.item_names.iter().filter(|_| translation == Translation::WithErrors) {
            let schema::ItemId::Fun(id) = item.key else { continue };
            if let [.., PathElem::Impl(ImplElem::Trait(def_id)), PathElem::Ident((name, _))] = &*item.value
                && self.cx.krate.fun_decls.get(id).is_none_or(Option::is_none)
            {
                absent.push((*def_id, name.as_str().into()));
            }
        }
        for (def_id, name) in absent {
            let Some(id) = self.impls.get(&def_id).copied() else { continue };
            let item = &self.program.impls[id];
            if item.methods.contains_key(&name) {
                continue;
            }
            let decl = self.cx.krate.trait_impls.get(def_id).and_then(Option::as_ref);
            let self_ty = item.trait_ref.self_ty.clone();
            let function = self.program.functions.push(Function {
                path: format!("<{self_ty} as {}>::{name}", item.trait_ref.path).into(),
                kind: FunctionKind::Fn,
                owner: Owner::TraitImpl(id),
                generics: Vec::new(),
                bounds: Vec::new(),
                inputs: vec![Ty::reference(Mutability::Mut, self_ty)],
                output: Ty::unit(),
                visibility: Visibility::Private,
                origin: self.origin_of(decl.is_some_and(|decl| decl.item_meta.is_local)),
                span: None,
                body: FnBody::Unreadable { reason: "Charon has no body of it".into(), line: None },
            });
            self.program.impls[id].methods.insert(name, function);
        }
    }

    /// Puts the functions into the program; their numbers follow those of the models in the order given.
    pub fn functions(&mut self, shells: &[Shell<'c>]) {
        let first = self.program.functions.len();
        let by_path: BTreeMap<&Path, FnId> = shells
            .iter()
            .enumerate()
            .map(|(index, shell)| (&shell.path, FnId::from_usize(first + index)))
            .collect();
        for (index, shell) in shells.iter().enumerate() {
            let id = FnId::from_usize(first + index);
            let function = self.function(shell, &by_path);
            self.enter_member(shell, &function, id);
            let attributes = match shell.what {
                What::Fun(decl) | What::Closure(decl, _) => &decl.item_meta.attr_info.attributes,
                What::Global(decl) => &decl.item_meta.attr_info.attributes,
            };
            let text = declared(attributes);
            if attributes.iter().any(|told| name_of(&told.0) == Some(TRACKED)) {
                self.program.declared.tracked.insert(id);
                self.program.declared.told.extend(function.path.as_str().rsplit("::").next().map(Name::from));
            }
            if !text.is_empty() {
                self.program.declared.functions.insert(id, text);
            }
            self.program.functions.push(function);
        }
    }

    /// Makes a function known to its implementation or trait.
    fn enter_member(&mut self, shell: &Shell<'_>, function: &Function, id: FnId) {
        let (src, name) = match shell.what {
            What::Fun(decl) => (&decl.src, &decl.item_meta.name),
            What::Global(decl) => (&decl.src, &decl.item_meta.name),
            What::Closure(..) => return,
        };
        let Some(name) = last_ident(name) else { return };
        let is_const = function.kind == FunctionKind::Const;
        match (&function.owner, src) {
            (Owner::TraitImpl(of), _) => {
                let item = &mut self.program.impls[*of];
                let into = if is_const { &mut item.consts } else { &mut item.methods };
                into.entry(Name::from(name)).or_insert(id);
            }
            (Owner::Trait(path), _) => {
                let Some(item) = self.program.traits.iter_mut().find(|item| item.path == *path) else {
                    return;
                };
                let into = if is_const { &mut item.default_consts } else { &mut item.default_methods };
                into.entry(Name::from(name)).or_insert(id);
            }
            _ => {}
        }
    }

    fn function(&mut self, shell: &Shell<'c>, by_path: &BTreeMap<&Path, FnId>) -> Function {
        match shell.what {
            What::Fun(decl) => self.plain_function(shell, decl),
            What::Closure(decl, closure) => self.closure(shell, decl, closure, by_path),
            What::Global(decl) => self.global(shell, decl),
        }
    }

    fn plain_function(&mut self, shell: &Shell<'_>, decl: &FunDecl) -> Function {
        let scope = Scope::of(&decl.generics);
        let (owner, generics) = self.owner(&decl.src, &decl.item_meta.name, &decl.generics);
        let body = match decl.signature.is_variadic {
            true => FnBody::Unreadable { reason: "a variadic function".into(), line: None },
            false => self.body(&decl.body, &scope, &Parameters::AsWritten, decl.item_meta.is_local),
        };
        Function {
            path: shell.path.clone(),
            kind: if self.is_constructor(&shell.path) { FunctionKind::Constructor } else { FunctionKind::Fn },
            owner,
            generics,
            bounds: self.cx.bounds(&decl.generics, &scope),
            inputs: decl.signature.inputs.iter().map(|ty| self.cx.ty(ty, &scope)).collect(),
            output: self.cx.ty(&decl.signature.output, &scope),
            visibility: visibility(decl.item_meta.attr_info.public),
            origin: self.origin_of(decl.item_meta.is_local),
            span: lower_span(&decl.item_meta.span, &self.files),
            body,
        }
    }

    fn closure(
        &mut self,
        shell: &Shell<'_>,
        decl: &FunDecl,
        closure: &TypeDecl,
        by_path: &BTreeMap<&Path, FnId>,
    ) -> Function {
        let scope = Scope::of(&decl.generics);
        let mut inputs: Vec<Ty> = decl.signature.inputs.iter().map(|ty| self.cx.ty(ty, &scope)).collect();
        let tupled = match inputs.pop().map(|ty| ty.kind().clone()) {
            Some(TyKind::Tuple(tys)) if inputs.len() == 1 => Some(tys),
            _ => None,
        };
        let parent = shell.path.as_str().rsplit_once("::").and_then(|(parent, _)| {
            let parent = by_path.iter().find(|(path, _)| path.as_str() == parent);
            parent.map(|(_, id)| *id)
        });
        let body = match &tupled {
            Some(tys) => {
                inputs.extend(tys.iter().cloned());
                self.body(&decl.body, &scope, &Parameters::Tupled(tys.clone()), true)
            }
            None => {
                FnBody::Unreadable { reason: "a closure whose arguments are no tuple".into(), line: None }
            }
        };
        let generics = if parent.is_some() { Vec::new() } else { params(&closure.generics) };
        Function {
            path: shell.path.clone(),
            kind: FunctionKind::Closure,
            owner: parent.map_or(Owner::Free, Owner::Within),
            generics,
            bounds: self.cx.bounds(&decl.generics, &scope),
            inputs,
            output: self.cx.ty(&decl.signature.output, &scope),
            visibility: Visibility::Private,
            origin: self.origin_of(decl.item_meta.is_local),
            span: lower_span(&closure.item_meta.span, &self.files),
            body,
        }
    }

    fn global(&mut self, shell: &Shell<'_>, decl: &schema::GlobalDecl) -> Function {
        let scope = Scope::of(&decl.generics);
        let (owner, generics) = self.owner(&decl.src, &decl.item_meta.name, &decl.generics);
        let output = self.cx.ty(&decl.ty, &scope);
        let body = match globals::initializer(decl).and_then(|id| self.cx.krate.fun_decls.get(id)?.as_ref()) {
            Some(init) => self.body(
                &init.body,
                &Scope::of(&init.generics),
                &Parameters::AsWritten,
                decl.item_meta.is_local,
            ),
            None => match &decl.value {
                Some(value) => match globals::value_body(self.cx, value, output.clone(), &scope) {
                    Ok(body) => FnBody::Present(body.into()),
                    Err(reason) => FnBody::Unreadable { reason, line: None },
                },
                None => FnBody::Missing,
            },
        };
        Function {
            path: shell.path.clone(),
            kind: globals::kind(self.cx, decl),
            owner,
            generics,
            bounds: self.cx.bounds(&decl.generics, &scope),
            inputs: Vec::new(),
            output,
            visibility: visibility(decl.item_meta.attr_info.public),
            origin: self.origin_of(decl.item_meta.is_local),
            span: lower_span(&decl.item_meta.span, &self.files),
            body,
        }
    }

    fn origin_of(&self, is_local: bool) -> Origin {
        if is_local { self.origin } else { Origin::Dependency }
    }

    /// What an item stands in, and which of its parameters are its own. Charon lists those of the owner first.
    fn owner(&self, src: &Source, name: &[PathElem], generics: &Generics) -> (Owner, Vec<GenericParam>) {
        let beyond = |types: usize, consts: usize| {
            let own = Generics {
                types: generics.types.iter().skip(types).cloned().collect(),
                const_generics: generics.const_generics.iter().skip(consts).cloned().collect(),
                ..generics.clone()
            };
            params(&own)
        };
        match src {
            Source::TraitImpl(of) => {
                let decl = self.cx.krate.trait_impls.get(of.impl_ref.id).and_then(Option::as_ref);
                if let (Some(decl), Some(id)) = (decl, self.impls.get(&of.impl_ref.id)) {
                    let own = beyond(decl.generics.types.len(), decl.generics.const_generics.len());
                    return (Owner::TraitImpl(*id), own);
                }
            }
            // A copy for certain types belongs to no trait any more.
            Source::TraitDefault(of) | Source::TraitDecl(of) if self.cx.instance_args(name).is_none() => {
                let decl = self.cx.krate.trait_decls.get(of.trait_ref.id).and_then(Option::as_ref);
                let path = self.cx.trait_path(of.trait_ref.id);
                if let Some(decl) = decl
                    && generics.types.first().is_some_and(|first| first.name == "Self")
                {
                    let own = beyond(decl.generics.types.len(), decl.generics.const_generics.len());
                    return (Owner::Trait(path), own);
                }
            }
            _ => {}
        }
        let of_type = name.iter().rev().find_map(|elem| match elem {
            PathElem::Impl(ImplElem::Ty(bound)) => Some(bound),
            _ => None,
        });
        match of_type {
            Some(bound) => {
                let owner = Owner::Inherent {
                    generics: params(&bound.params),
                    self_ty: self.cx.ty(&bound.skip_binder, &Scope::of(&bound.params)),
                };
                (owner, beyond(bound.params.types.len(), bound.params.const_generics.len()))
            }
            None => (Owner::Free, params(generics)),
        }
    }

    fn body(&self, body: &Body, scope: &Scope, parameters: &Parameters, is_local: bool) -> FnBody {
        let lowered = match body {
            Body::Unstructured(body) => self.graph(body, scope, parameters, is_local),
            Body::Structured(_) => Err("its body is structured (LLBC)".into()),
            Body::Error(error) => Err(format!("Charon could not translate it: {}", error.msg)),
            Body::Other(tag) => Err(format!("a body of the kind `{tag}`")),
            Body::Opaque if is_local => Err("it was made opaque when Charon was called".into()),
            Body::Opaque
            | Body::Missing
            | Body::Extern(_)
            | Body::Intrinsic(_)
            | Body::TraitMethodWithoutDefault => return FnBody::Missing,
        };
        match lowered {
            Ok(body) => FnBody::Present(body.into()),
            Err(reason) => FnBody::Unreadable { reason, line: None },
        }
    }

    fn graph(
        &self,
        body: &charon::ExprBody,
        scope: &Scope,
        parameters: &Parameters,
        is_local: bool,
    ) -> Result<regress_core::ir::Body, String> {
        lower_body(self.cx, scope, &self.files, body, parameters, is_local)
    }
}

/// Whether a file is one of the standard library's sources.
fn is_of_std(path: &str) -> bool {
    ["core/src/", "alloc/src/", "std/src/", "/rustc/"].iter().any(|prefix| path.starts_with(prefix))
}

fn visibility(public: bool) -> Visibility {
    if public { Visibility::Public } else { Visibility::Private }
}

fn ctor_of(fields: &[schema::Field]) -> CtorKind {
    match fields {
        [] => CtorKind::Unit,
        [first, ..] if first.is_positional || first.name.is_none() => CtorKind::Tuple,
        _ => CtorKind::Struct,
    }
}

/// Types of the standard library have their allocator as last parameter, and are used without it.
fn without_allocator(mut generics: Vec<GenericParam>, name: &[PathElem]) -> Vec<GenericParam> {
    if is_std(name) && generics.len() > 1 && generics.last().is_some_and(|param| param.name == "A") {
        generics.pop();
    }
    generics
}
