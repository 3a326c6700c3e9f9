//! Paths of items in expressions, headers and closure types, and what they resolve to.
//!
//! Three spellings occur: plain (`a::b::<T>::c`), qualified (`<S as Tr>::c`) and through an implementation named in
//! place (`core::num::<impl u32>::c`, `m::<impl Tr for S>::c`, and in headers `m::<impl at file:1:2: 3:4>::c`).
//! Whether `a::B::c` is a method, a variant or a function of a module is decided by the tables of known types;
//! for types of unknown crates by Rust's naming convention.

use regress_core::ir::{
    Const, FnRef, GenericArg, GenericArgs, GenericParam, Name, Path, Subst, TraitRef, Ty, TyKind, VariantRef,
    identity_args,
};

use super::cursor::{Parsed, fail};
use super::scope::{FnShape, MIRROR_INHERENT, Names, ShapePattern, names_a_type, type_head};
use super::types::{Parser, TraitPath, primitive};

#[derive(Clone, Debug, PartialEq)]
pub struct Segment<'a> {
    pub name: &'a str,
    pub args: GenericArgs,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ItemPath<'a> {
    Plain(Vec<Segment<'a>>),
    /// An item of a type's inherent implementation.
    OfType {
        self_ty: Ty,
        rest: Vec<Segment<'a>>,
    },
    OfTrait {
        trait_ref: TraitRef,
        rest: Vec<Segment<'a>>,
    },
    /// As MIR headers print it; the implementation is known by its place only.
    ImplAt {
        at: &'a str,
        rest: Vec<Segment<'a>>,
    },
}

impl<'a> ItemPath<'a> {
    pub fn rest(&self) -> &[Segment<'a>] {
        match self {
            ItemPath::Plain(segments) => segments,
            ItemPath::OfType { rest, .. }
            | ItemPath::OfTrait { rest, .. }
            | ItemPath::ImplAt { rest, .. } => rest,
        }
    }
}

impl<'a> Parser<'a, '_> {
    pub fn item_path(&mut self) -> Parsed<ItemPath<'a>> {
        self.nested(Self::item_path_here)
    }

    fn item_path_here(&mut self) -> Parsed<ItemPath<'a>> {
        if self.cur.looking_at("<") && !self.is_impl_segment() {
            self.cur.expect("<")?;
            let (self_ty, trait_ref) = self.qualified_self()?;
            let rest = self.path_rest()?;
            return Ok(match trait_ref {
                Some(trait_ref) => ItemPath::OfTrait { trait_ref, rest },
                None => ItemPath::OfType { self_ty, rest },
            });
        }
        let mut segments: Vec<Segment<'a>> = Vec::new();
        loop {
            if self.cur.looking_at("<impl ") && self.is_impl_segment() {
                return self.impl_segment();
            }
            segments.push(self.segment()?);
            if !self.cur.eat("::") {
                return Ok(ItemPath::Plain(segments));
            }
        }
    }

    /// `::a::<T>::b`, each with its `::`.
    fn path_rest(&mut self) -> Parsed<Vec<Segment<'a>>> {
        let mut rest = Vec::new();
        while self.cur.eat("::") {
            rest.push(self.segment()?);
        }
        if rest.is_empty() { self.cur.unexpected("`::` and a name") } else { Ok(rest) }
    }

    fn segment(&mut self) -> Parsed<Segment<'a>> {
        let start = self.cur.pos();
        if self.cur.eat("{") {
            // `{closure#0}`, `{constant#0}`
            self.cur.expect_ident()?;
            self.cur.expect("#")?;
            self.cur.number::<u32>()?;
            self.cur.expect("}")?;
        } else {
            // A field's default or length names the field, and tuple fields are numbers.
            let name = match self.cur.digits() {
                Some(digits) => digits,
                None => self.cur.expect_ident()?,
            };
            if name == "promoted" && self.cur.eat("[") {
                self.cur.number::<u32>()?;
                self.cur.expect("]")?;
            }
        }
        let mut name = self.cur.since(start);
        name = name.strip_prefix("r#").unwrap_or(name);
        let here = self.cur.pos();
        let args = if self.cur.eat("::<") || self.cur.eat("<") {
            // `num::<impl u32>::…` names an implementation, not arguments; `Option::<impl Tr>::None` has an argument.
            self.cur.reset(here);
            if self.cur.eat("::") && !names_a_type(name) && self.is_impl_segment() {
                self.cur.reset(here);
                return Ok(Segment { name, args: Vec::new() });
            }
            self.cur.eat("<");
            self.generic_args()?
        } else {
            Vec::new()
        };
        Ok(Segment { name, args })
    }

    /// Whether the `<impl …>` here names an implementation: something follows it, it is no synthetic generic
    /// parameter handed on as an argument, and no such parameter's item (`<impl Tr as Tr>::f`).
    pub fn is_impl_segment(&self) -> bool {
        let mut probe = self.cur.clone();
        if !probe.eat("<") || !probe.looking_at("impl ") || self.scope.synthetic(probe.rest()).is_some() {
            return false;
        }
        if probe.looking_at("impl at ") {
            return true;
        }
        while probe.balanced_until(|byte| matches!(byte, b'>' | b',' | b' ')).is_ok() && probe.eat(" ") {
            if probe.looking_at("as ") {
                return false;
            }
        }
        probe.looking_at(">::")
    }

    pub fn impl_segment(&mut self) -> Parsed<ItemPath<'a>> {
        if self.cur.eat("<impl at ") {
            let rest = self.cur.rest();
            let Some(end) = rest.find('>') else { return self.cur.unexpected("`>` after `<impl at`") };
            let at = &rest[..end];
            self.cur.expect(at)?;
            self.cur.expect(">")?;
            return Ok(ItemPath::ImplAt { at, rest: self.path_rest()? });
        }
        self.cur.expect("<impl ")?;
        let start = self.cur.pos();
        // `impl Tr for S` or `impl S`: a trait's path is followed by ` for `.
        if let Ok(TraitPath { path, args, .. }) = self.trait_path()
            && self.cur.eat(" for ")
        {
            let self_ty = self.ty()?;
            self.cur.expect(">")?;
            let mut trait_ref = TraitRef { self_ty, path, args };
            self.scope.names.complete_trait_ref(&mut trait_ref);
            return Ok(ItemPath::OfTrait { trait_ref, rest: self.path_rest()? });
        }
        self.cur.reset(start);
        let self_ty = self.ty()?;
        self.cur.expect(">")?;
        Ok(ItemPath::OfType { self_ty, rest: self.path_rest()? })
    }

    pub fn fn_ref(&mut self) -> Parsed<FnRef> {
        let path = self.item_path()?;
        self.resolve_fn(&path)
    }

    pub fn resolve_fn(&self, path: &ItemPath<'a>) -> Parsed<FnRef> {
        match path {
            ItemPath::OfTrait { trait_ref, rest } => {
                let [method] = rest.as_slice() else {
                    let base = self.trait_base(trait_ref);
                    return Ok(item_of_method(&base, rest));
                };
                if is_mirror_inherent(&trait_ref.path) {
                    return Ok(FnRef::Inherent {
                        path: format!("{}::{}", type_head(&trait_ref.self_ty), method.name).into(),
                        self_ty: trait_ref.self_ty.clone(),
                        args: method.args.clone(),
                    });
                }
                Ok(FnRef::Trait {
                    trait_ref: trait_ref.clone(),
                    method: method.name.into(),
                    args: method.args.clone(),
                })
            }
            ItemPath::OfType { self_ty, rest } => {
                let [method] = rest.as_slice() else {
                    return Ok(item_of_method(&type_head(self_ty), rest));
                };
                let path: Path = format!("{}::{}", type_head(self_ty), method.name).into();
                let args = self.completed_fn_args(&path, method.args.clone());
                Ok(FnRef::Inherent { path, self_ty: self_ty.clone(), args })
            }
            ItemPath::ImplAt { at, .. } => fail(format!("a function known only by `<impl at {at}>`")),
            ItemPath::Plain(segments) => Ok(self.resolve_plain_fn(segments)),
        }
    }

    fn completed_fn_args(&self, path: &Path, mut args: GenericArgs) -> GenericArgs {
        if let Some(params) = self.scope.names.fn_params.get(path) {
            Names::complete_args(params, &mut args, None);
        }
        args
    }

    fn resolve_plain_fn(&self, segments: &[Segment<'a>]) -> FnRef {
        let names = self.scope.names;
        let path = self.plain_path(segments);
        let free = |path: Path| {
            // What is declared in a generic function or method sees none of its generics.
            let args = last_args(segments);
            FnRef::Free { args: self.completed_fn_args(&path, args), path }
        };
        let Some((last, parents)) = segments.split_last().filter(|(_, parents)| !parents.is_empty()) else {
            return free(path);
        };
        let parent = self.plain_path(parents);
        if names.variant(parent.as_str(), last.name).is_some() || names.is_adt(path.as_str()) {
            let adt = if names.is_adt(path.as_str()) { &path } else { &parent };
            let mut args = if names.is_adt(path.as_str()) { last_args(segments) } else { adt_args(segments) };
            names.complete_adt_args(adt, &mut args);
            return FnRef::Free { path, args };
        }
        if names.traits.contains_key(&parent) {
            let mut args = last_args(parents);
            let self_ty = match args.first() {
                Some(GenericArg::Ty(ty)) if self.scope.generic("Self").is_none() => {
                    let ty = ty.clone();
                    args.remove(0);
                    ty
                }
                _ => Ty::new(TyKind::Param("Self".into())),
            };
            let trait_ref = TraitRef { self_ty, path: parent, args };
            return FnRef::Trait { trait_ref, method: last.name.into(), args: last.args.clone() };
        }
        let is_type = names.is_adt(parent.as_str())
            || parents.last().is_some_and(|segment| names_a_type(segment.name)) && !names_a_type(last.name);
        if !is_type {
            return free(path);
        }
        let mut args = last_args(parents);
        names.complete_adt_args(&parent, &mut args);
        let args_of_method = self.completed_fn_args(&path, last.args.clone());
        FnRef::Inherent { self_ty: Ty::new(TyKind::Adt(parent, args)), path, args: args_of_method }
    }

    pub fn plain_path(&self, segments: &[Segment<'a>]) -> Path {
        let names: Vec<&str> = segments.iter().map(|segment| segment.name).collect();
        self.scope.canonical(&names)
    }

    /// The struct or the enum and its variant that a path before `{`, `(` or nothing builds.
    pub fn resolve_constructor(&self, path: &ItemPath<'a>) -> Parsed<(Ty, Option<VariantRef>)> {
        let segments = match path {
            ItemPath::Plain(segments) => segments,
            // A type declared in the body of a method.
            ItemPath::OfTrait { trait_ref, rest } => {
                return local_constructor(self.scope.names, &self.trait_base(trait_ref), rest);
            }
            ItemPath::OfType { self_ty, rest } => {
                return local_constructor(self.scope.names, &type_head(self_ty), rest);
            }
            ItemPath::ImplAt { .. } => return fail("a constructor known only by its implementation's place"),
        };
        let names = self.scope.names;
        let whole = self.plain_path(segments);
        let adt = |path: Path, mut args: GenericArgs| {
            names.complete_adt_args(&path, &mut args);
            Ty::new(TyKind::Adt(path, args))
        };
        if names.is_adt(whole.as_str()) {
            return Ok((adt(whole, last_args(segments)), None));
        }
        if let Some((last, parents)) = segments.split_last()
            && let Some(owner) = parents.last()
        {
            let parent = self.plain_path(parents);
            let known = names.variant(parent.as_str(), last.name).is_some();
            // An item declared in a function is in no table; an enum's name then still looks like a type's.
            let assumed =
                !names.is_adt(parent.as_str()) && names_a_type(owner.name) && names_a_type(last.name);
            if known || assumed {
                return Ok((adt(parent, adt_args(segments)), Some(VariantRef::Name(last.name.into()))));
            }
            if names.is_adt(parent.as_str()) {
                return fail(format!("`{parent}` has no variant `{}`", last.name));
            }
        }
        if segments.last().is_some_and(|last| names_a_type(last.name) || names_a_unit(last.name)) {
            return Ok((adt(whole, last_args(segments)), None));
        }
        fail(format!("`{whole}` is no known type to build"))
    }

    /// What stands in front of the names of a trait's or an implementation's items.
    pub fn trait_base(&self, trait_ref: &TraitRef) -> String {
        match trait_ref.self_ty.kind() {
            TyKind::Param(name) if name == "Self" => trait_ref.path.to_string(),
            _ => self.scope.names.elided_trait_ref(trait_ref).to_string(),
        }
    }

    /// The path of a closure's body and the arguments for all generics in scope there.
    pub fn closure_path(&mut self) -> Parsed<(Path, GenericArgs)> {
        let path = self.item_path()?;
        self.resolve_nested(&path)
    }

    /// The path of an item within a function (`f::<T>::{closure#0}`), with the function's arguments.
    pub fn resolve_nested(&self, path: &ItemPath<'a>) -> Parsed<(Path, GenericArgs)> {
        let rest = path.rest();
        let Some(split) = rest.iter().position(|segment| segment.name.starts_with('{')) else {
            return fail("an item within a function was expected");
        };
        let (base, nested) = rest.split_at(split);
        let suffix: String = nested.iter().map(|segment| format!("::{}", segment.name)).collect();
        let Some((function, parents)) = base.split_last() else {
            // Directly below an implementation: a length in its header.
            let owner = match path {
                ItemPath::OfType { self_ty, .. } => type_head(self_ty),
                ItemPath::OfTrait { trait_ref, .. } => trait_ref.to_string(),
                _ => return fail("an item within a function without that function"),
            };
            return Ok((format!("{owner}{suffix}").into(), Vec::new()));
        };
        if base.len() > 1 {
            // In a function that is declared in a method, and sees none of its generics.
            let outer = match path {
                ItemPath::OfTrait { trait_ref, .. } => Some(self.trait_base(trait_ref)),
                ItemPath::OfType { self_ty, .. } => Some(type_head(self_ty)),
                ItemPath::Plain(_) | ItemPath::ImplAt { .. } => None,
            };
            if let Some(outer) = outer {
                return Ok((format!("{}{suffix}", path_below(&outer, base)).into(), function.args.clone()));
            }
        }
        let (target, fallback, owner_args) = match path {
            ItemPath::Plain(_) => {
                let whole = self.plain_path(base);
                let parent = self.plain_path(parents);
                let is_type = self.scope.names.is_adt(parent.as_str())
                    || parents.last().is_some_and(|segment| names_a_type(segment.name));
                let mut args = if is_type { last_args(parents) } else { Vec::new() };
                self.scope.names.complete_adt_args(&parent, &mut args);
                (ShapePattern::Inherent(Ty::new(TyKind::Adt(parent, args.clone()))), whole, args)
            }
            ItemPath::OfType { self_ty, .. } => {
                let whole = format!("{}::{}", type_head(self_ty), function.name).into();
                (ShapePattern::Inherent(self_ty.clone()), whole, ty_args(self_ty))
            }
            ItemPath::OfTrait { trait_ref, .. } if is_mirror_inherent(&trait_ref.path) => {
                let self_ty = &trait_ref.self_ty;
                let whole = format!("{}::{}", type_head(self_ty), function.name).into();
                (ShapePattern::Inherent(self_ty.clone()), whole, ty_args(self_ty))
            }
            ItemPath::OfTrait { trait_ref, .. } => {
                // A default method's closure, unless an implementation is found below.
                let whole = format!("{}::{}", trait_ref.path, function.name).into();
                let mut args = vec![GenericArg::Ty(trait_ref.self_ty.clone())];
                args.extend(trait_ref.args.iter().cloned());
                (ShapePattern::Trait(trait_ref.clone()), whole, args)
            }
            ItemPath::ImplAt { at, .. } => return fail(format!("a closure known only by `<impl at {at}>`")),
        };
        let (path, mut args) = self.find_shape(&target, function.name).unwrap_or((fallback, owner_args));
        args.extend(function.args.iter().cloned());
        args.extend(nested.iter().flat_map(|segment| segment.args.iter().cloned()));
        Ok((format!("{path}{suffix}").into(), args))
    }

    /// The function of an implementation that the closure's path goes through, with the implementation's generics
    /// bound.
    fn find_shape(&self, target: &ShapePattern, name: &str) -> Option<(Path, GenericArgs)> {
        let shapes = self.scope.names.shapes.get(name)?;
        let fitting: Vec<(&FnShape, Subst)> =
            shapes.iter().filter_map(|shape| Some((shape, shape.pattern.matched_by(target)?))).collect();
        // One for all types of a kind fits too, and is not meant where one is for these types.
        let is_most_special = |(shape, _): &&(&FnShape, Subst)| {
            fitting.iter().all(|(other, _)| other.pattern.matched_by(&shape.pattern).is_some())
        };
        let (shape, subst) = fitting.iter().find(is_most_special).or(fitting.first())?;
        let args = shape.owner_generics.iter().map(|param| self.owner_arg(param, shape, subst)).collect();
        Some((shape.path.clone(), args))
    }

    /// What a parameter of an implementation stands for in the path of a closure. A parameter that only the
    /// bounds mention (`B` in `impl<B, F: Fn() -> B> Tr for S<F>`) is not printed: where the implementation's own
    /// body is read it stands for itself, elsewhere it is not known.
    fn owner_arg(&self, param: &GenericParam, shape: &FnShape, subst: &Subst) -> GenericArg {
        if let Some(arg) = subst.get(&param.name) {
            return arg.clone();
        }
        let stands_for_itself = |param: &GenericParam| {
            let own = identity_args(std::slice::from_ref(param));
            subst.get(&param.name).is_none_or(|arg| own.first() == Some(arg))
        };
        let in_own_body = shape.owner_generics.iter().all(stands_for_itself)
            && shape.owner_generics.iter().all(|param| self.scope.generics.contains(param));
        match in_own_body {
            true => identity_args(std::slice::from_ref(param)).remove(0),
            false => GenericArg::Ty(super::types::unsupported(&format!("{} of {}", param.name, shape.path))),
        }
    }

    /// A constant named by a path.
    pub fn resolve_const(&self, path: &ItemPath<'a>) -> Parsed<Const> {
        let rest = path.rest();
        let Some(last) = rest.last() else { return fail("an empty path") };
        if last.name.starts_with("promoted[") {
            // The index refers to the body it stands in.
            let Some(owner) = &self.scope.body_of else { return fail("a promoted constant outside a body") };
            let args = identity_args(&self.scope.generics);
            return Ok(Const::Item { path: format!("{owner}::{}", last.name).into(), args });
        }
        if rest.iter().any(|segment| segment.name.starts_with('{')) {
            let (path, args) = self.resolve_nested(path)?;
            return Ok(Const::Item { path, args });
        }
        match path {
            ItemPath::OfTrait { trait_ref, rest } => {
                let [name] = rest.as_slice() else {
                    let base = self.trait_base(trait_ref);
                    return Ok(const_of_method(&base, rest));
                };
                if is_mirror_inherent(&trait_ref.path) {
                    return Ok(inherent_const(&trait_ref.self_ty, name.name));
                }
                Ok(Const::AssocConst { trait_ref: trait_ref.clone(), name: name.name.into() })
            }
            ItemPath::OfType { self_ty, rest } => {
                let [name] = rest.as_slice() else { return Ok(const_of_method(&type_head(self_ty), rest)) };
                Ok(inherent_const(self_ty, name.name))
            }
            ItemPath::ImplAt { at, .. } => fail(format!("a constant known only by `<impl at {at}>`")),
            ItemPath::Plain(segments) => self.resolve_plain_const(segments),
        }
    }

    fn resolve_plain_const(&self, segments: &[Segment<'a>]) -> Parsed<Const> {
        let names = self.scope.names;
        let path = self.plain_path(segments);
        if let [only] = segments
            && let Some(param) = self.scope.generic(only.name)
            && matches!(param.kind, regress_core::ir::GenericParamKind::Const(_))
        {
            self.scope.doubt_const_parameter(only.name);
            return Ok(Const::Param(param.name.clone()));
        }
        if names.is_adt(path.as_str()) {
            let (ty, _) = self.resolve_constructor(&ItemPath::Plain(segments.to_vec()))?;
            return Ok(Const::Adt { ty, variant: None, fields: Vec::new() });
        }
        let Some((last, parents)) = segments.split_last().filter(|(_, parents)| !parents.is_empty()) else {
            segments.iter().for_each(|segment| self.scope.doubt_constant(segment.name));
            return Ok(Const::Item { path, args: last_args(segments) });
        };
        let parent = self.plain_path(parents);
        if names.variant(parent.as_str(), last.name).is_some() {
            let (ty, variant) = self.resolve_constructor(&ItemPath::Plain(segments.to_vec()))?;
            return Ok(Const::Adt { ty, variant: variant.and_then(variant_name), fields: Vec::new() });
        }
        // `i32::MIN`, and the old modules `std::u32::MAX`.
        let owner = parents.last().map_or("", |segment| segment.name);
        let in_std = parent.as_str().strip_prefix("std::").is_some_and(|module| module == owner);
        if (parents.len() == 1 || in_std)
            && let Some(ty) = primitive(owner)
            && let Some(value) = super::std_types::numeric_const(&ty, last.name)
        {
            self.scope.doubt_number(owner, last.name);
            return Ok(value);
        }
        if let Some(value) = super::std_types::float_const(path.as_str()) {
            return Ok(value);
        }
        if names.is_adt(parent.as_str()) || names_a_type(owner) {
            let mut args = last_args(parents);
            names.complete_adt_args(&parent, &mut args);
            return Ok(Const::InherentConst { path, self_ty: Ty::new(TyKind::Adt(parent, args)) });
        }
        Ok(Const::Item { path, args: last_args(segments) })
    }
}

/// A value of a struct or enum declared in the body of a method. Where it is in no table, it goes by convention: the names of types and variants, and nothing
/// else here, begin with a capital.
fn local_constructor(names: &Names, base: &str, rest: &[Segment<'_>]) -> Parsed<(Ty, Option<VariantRef>)> {
    let ty = |segments: &[Segment<'_>], args| Ty::new(TyKind::Adt(path_below(base, segments), args));
    let by_names = |owner: &Segment<'_>, last: &Segment<'_>| {
        let of = path_below(base, &rest[..rest.len() - 1]);
        match names.is_adt(of.as_str()) {
            true => names.variant(of.as_str(), last.name).is_some(),
            false => names_a_type(owner.name) && names_a_type(last.name),
        }
    };
    match rest {
        [_, .., owner, last] if by_names(owner, last) => {
            let variant = VariantRef::Name(last.name.into());
            Ok((ty(&rest[..rest.len() - 1], adt_args(rest)), Some(variant)))
        }
        [_, .., last] if names.is_adt(path_below(base, rest).as_str()) || names_a_type(last.name) => {
            Ok((ty(rest, last_args(rest)), None))
        }
        _ => fail(format!("`{}` is no known type to build", path_below(base, rest))),
    }
}

/// A function or method declared in the body of a method.
fn item_of_method(base: &str, rest: &[Segment<'_>]) -> FnRef {
    let args = last_args(rest);
    if let [_, .., owner, last] = rest
        && names_a_type(owner.name)
        && !names_a_type(last.name)
    {
        let parents = &rest[..rest.len() - 1];
        let self_ty = Ty::new(TyKind::Adt(path_below(base, parents), last_args(parents)));
        return FnRef::Inherent { path: path_below(base, rest), self_ty, args };
    }
    FnRef::Free { path: path_below(base, rest), args }
}

fn const_of_method(base: &str, rest: &[Segment<'_>]) -> Const {
    let args = rest.last().map(|last| last.args.clone()).unwrap_or_default();
    Const::Item { path: path_below(base, rest), args }
}

pub fn path_below(base: &str, rest: &[Segment<'_>]) -> Path {
    let names: Vec<&str> = rest.iter().map(|segment| segment.name).collect();
    format!("{base}::{}", names.join("::")).into()
}

fn inherent_const(self_ty: &Ty, name: &str) -> Const {
    super::std_types::numeric_const(self_ty, name).unwrap_or_else(|| Const::InherentConst {
        path: format!("{}::{name}", type_head(self_ty)).into(),
        self_ty: self_ty.clone(),
    })
}

/// Whether the trait only serves the mirror to state inherent methods.
pub fn is_mirror_inherent(trait_path: &Path) -> bool {
    trait_path.as_str().starts_with(MIRROR_INHERENT)
}

fn names_a_unit(segment: &str) -> bool {
    segment.chars().next().is_some_and(char::is_uppercase)
}

/// The arguments of the last segment. Those of earlier ones belong to functions around the item, whose generics it
/// cannot see.
pub fn last_args(segments: &[Segment<'_>]) -> GenericArgs {
    segments.last().map(|last| last.args.clone()).unwrap_or_default()
}

/// The arguments of a type named by a path to it or to one of its variants.
fn adt_args(segments: &[Segment<'_>]) -> GenericArgs {
    let two = &segments[segments.len().saturating_sub(2)..];
    two.iter().flat_map(|segment| segment.args.iter().cloned()).collect()
}

fn ty_args(ty: &Ty) -> GenericArgs {
    match ty.kind() {
        TyKind::Adt(_, args) => args.clone(),
        _ => Vec::new(),
    }
}

/// The name of a variant that is known by name.
pub fn variant_name(variant: VariantRef) -> Option<Name> {
    match variant {
        VariantRef::Name(name) => Some(name),
        VariantRef::Index(_) => None,
    }
}

#[cfg(test)]
mod tests;
