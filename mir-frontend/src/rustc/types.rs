//! Types and generic arguments.
//!
//! A type that the IR cannot represent (coroutines, pattern types) becomes [`TyKind::Unsupported`] with its text:
//! a function may mention such a type without ever needing to know it.

use regress_core::ir::{
    Const, DynTrait, FloatTy, GenericArg, GenericArgs, GenericParamKind, IntTy, Mutability, Name, Path,
    Subst, TraitRef, Ty, TyKind,
};

use super::cursor::{Cursor, Parsed, fail};
use super::operands::{Sign, int_const};
use super::paths::{ItemPath, path_below};
use super::scope::{Names, Scope, UnknownNames, UnlistedNames, generics_of, type_head};

/// Nesting beyond this is refused instead of overflowing the stack; real types stay far below.
const MAX_DEPTH: u32 = 200;

/// A trait as bounds and `dyn` types name it.
#[derive(Debug)]
pub struct TraitPath {
    pub path: Path,
    pub args: GenericArgs,
    pub assoc_types: Vec<(Name, Ty)>,
}

/// A recursive-descent parser over one piece of text in one scope.
pub struct Parser<'a, 's> {
    pub cur: Cursor<'a>,
    pub scope: &'s Scope<'s>,
    depth: u32,
}

impl<'a, 's> Parser<'a, 's> {
    pub fn new(text: &'a str, scope: &'s Scope<'s>) -> Self {
        Parser { cur: Cursor::new(text), scope, depth: 0 }
    }

    /// Runs `parse` one level deeper.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return fail("nested too deeply");
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Items separated by `, ` up to `close`, which is eaten; a trailing comma is allowed.
    pub fn list_until<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            self.cur.skip_blanks();
            if self.cur.eat(close) {
                return Ok(items);
            }
            items.push(item(self)?);
            self.cur.skip_blanks();
            if !self.cur.eat(",") {
                self.cur.expect(close)?;
                return Ok(items);
            }
        }
    }

    pub fn ty(&mut self) -> Parsed<Ty> {
        self.nested(Self::ty_here)
    }

    fn ty_here(&mut self) -> Parsed<Ty> {
        match self.cur.peek() {
            Some(b'&') => {
                self.cur.eat("&");
                if self.cur.eat_lifetime() {
                    self.cur.skip_blanks();
                }
                let mutability = self.mutability();
                Ok(Ty::reference(mutability, self.ty()?))
            }
            Some(b'*') => {
                self.cur.eat("*");
                let mutability = if self.cur.eat("const ") {
                    Mutability::Shared
                } else {
                    self.cur.expect("mut ")?;
                    Mutability::Mut
                };
                Ok(Ty::new(TyKind::RawPtr(mutability, self.ty()?)))
            }
            Some(b'[') => {
                self.cur.eat("[");
                let element = self.ty()?;
                let ty = if self.cur.eat("; ") {
                    Ty::new(TyKind::Array(element, self.const_arg(IntTy::Usize)?))
                } else {
                    Ty::new(TyKind::Slice(element))
                };
                self.cur.expect("]")?;
                Ok(ty)
            }
            Some(b'(') => self.tuple_or_parenthesised(),
            Some(b'!') => {
                self.cur.eat("!");
                Ok(Ty::new(TyKind::Never))
            }
            Some(b'{') => self.braced_ty(),
            Some(b'<') => self.path_ty(),
            _ => self.word_ty(),
        }
    }

    fn mutability(&mut self) -> Mutability {
        if self.cur.eat("mut ") { Mutability::Mut } else { Mutability::Shared }
    }

    fn tuple_or_parenthesised(&mut self) -> Parsed<Ty> {
        let start = self.cur.pos();
        self.cur.expect("(")?;
        let mut items = Vec::new();
        let mut trailing_comma = true;
        while !self.cur.eat(")") {
            items.push(self.ty()?);
            trailing_comma = self.cur.eat(",");
            self.cur.skip_blanks();
            if !trailing_comma {
                self.cur.expect(")")?;
                break;
            }
        }
        if items.len() == 1 && !trailing_comma {
            if self.cur.looking_at(" is ") {
                // A pattern type: `(u32) is 1..`.
                self.cur.balanced_until(|byte| matches!(byte, b',' | b')' | b'>' | b']' | b';' | b'{'))?;
                return Ok(unsupported(self.cur.since(start)));
            }
            return Ok(items.remove(0));
        }
        Ok(Ty::new(TyKind::Tuple(items)))
    }

    /// `{closure@…}` and the types of coroutines, which have no other name.
    fn braced_ty(&mut self) -> Parsed<Ty> {
        let start = self.cur.pos();
        if self.cur.eat("{closure@") {
            let (path, args) = self.closure_path()?;
            self.cur.expect("}")?;
            return Ok(Ty::new(TyKind::Closure(path, args)));
        }
        self.cur.expect("{")?;
        self.cur.balanced_until(|byte| byte == b'}')?;
        self.cur.expect("}")?;
        Ok(unsupported(self.cur.since(start)))
    }

    fn word_ty(&mut self) -> Parsed<Ty> {
        if self.cur.looking_at_word("fn")
            || self.cur.looking_at("unsafe ")
            || self.cur.looking_at("extern ")
            || self.cur.looking_at("for<")
        {
            return self.fn_ty();
        }
        if self.cur.eat("dyn ") {
            return self.dyn_ty();
        }
        if self.cur.looking_at("impl ") {
            return self.impl_ty();
        }
        let start = self.cur.pos();
        if let Some(word) = self.cur.ident() {
            let is_path = self.cur.looking_at("::") || self.cur.looking_at("<");
            if let Some(primitive) = primitive(word).filter(|_| !is_path) {
                self.scope.doubt_primitive(word);
                return Ok(primitive);
            }
            if let Some(param) = self.scope.generic(word).filter(|_| !is_path) {
                self.scope.doubt_parameter(word);
                return Ok(Ty::new(TyKind::Param(param.name.clone())));
            }
            if !is_path {
                self.scope.doubt_type(word);
            }
            let unlisted =
                self.scope.krate.unlisted == UnlistedNames::AreParams && !self.scope.krate.lists(word);
            if !is_path && (unlisted || self.scope.unknown_names == UnknownNames::AreParams) {
                let path = self.scope.canonical(&[word]);
                if !self.scope.names.is_adt(path.as_str()) {
                    return Ok(Ty::new(TyKind::Param(word.into())));
                }
            }
        }
        self.cur.reset(start);
        self.path_ty()
    }

    /// `impl Trait` in argument position is a generic parameter whose name is its text.
    fn impl_ty(&mut self) -> Parsed<Ty> {
        if let Some(param) = self.scope.synthetic(self.cur.rest()) {
            let name = param.name.clone();
            self.cur.expect(name.as_str())?;
            return Ok(Ty::new(TyKind::Param(name)));
        }
        let text =
            self.cur.balanced_until(|byte| matches!(byte, b',' | b')' | b'>' | b']' | b';' | b'{' | b'='))?;
        if self.scope.unknown_names == UnknownNames::AreParams {
            return Ok(Ty::new(TyKind::Param(text.trim_end().into())));
        }
        Ok(unsupported(text.trim_end()))
    }

    fn eat_binder(&mut self) -> Parsed<()> {
        if self.cur.eat("for<") {
            self.cur.balanced_until(|byte| byte == b'>')?;
            self.cur.expect(">")?;
            self.cur.skip_blanks();
        }
        Ok(())
    }

    /// A function pointer, or with ` {path}` behind it the type of that function item.
    fn fn_ty(&mut self) -> Parsed<Ty> {
        self.eat_binder()?;
        self.cur.eat("unsafe ");
        if self.cur.eat("extern ") {
            self.cur.string_literal()?;
            self.cur.skip_blanks();
        }
        self.cur.expect("fn(")?;
        let start = self.cur.pos();
        let inputs = self
            .list_until(")", |parser| if parser.cur.eat("...") { Ok(None) } else { parser.ty().map(Some) })?;
        let output = if self.cur.eat(" -> ") { self.ty()? } else { Ty::unit() };
        if self.cur.looking_at(" {") && !self.cur.looking_at(" { ") {
            self.cur.expect(" {")?;
            let fn_ref = self.fn_ref()?;
            self.cur.expect("}")?;
            return Ok(Ty::new(TyKind::FnDef(Box::new(fn_ref))));
        }
        match inputs.into_iter().collect::<Option<Vec<Ty>>>() {
            Some(inputs) => Ok(Ty::new(TyKind::FnPtr { inputs, output })),
            None => Ok(unsupported(&format!("fn({}", self.cur.since(start)))),
        }
    }

    fn dyn_ty(&mut self) -> Parsed<Ty> {
        let mut bounds = Vec::new();
        loop {
            if !self.cur.eat_lifetime() {
                bounds.push(self.dyn_bound()?);
            }
            if !self.cur.eat(" + ") {
                return Ok(Ty::object(bounds));
            }
        }
    }

    fn dyn_bound(&mut self) -> Parsed<DynTrait> {
        let parenthesised = self.cur.eat("(");
        self.eat_binder()?;
        let TraitPath { path, args, assoc_types } = self.trait_path()?;
        if parenthesised {
            self.cur.expect(")")?;
        }
        Ok(DynTrait { path, args, assoc_types })
    }

    /// `a::Trait<Args, Item = T>` or `a::FnOnce(A, B) -> C`, with the associated types that it pins.
    pub fn trait_path(&mut self) -> Parsed<TraitPath> {
        let around = match self.cur.eat("<") {
            false => None,
            true => Some(self.method_around()?),
        };
        let mut segments = Vec::new();
        loop {
            segments.push(self.cur.expect_ident()?);
            if self.cur.looking_at("::<") || !self.cur.eat("::") {
                break;
            }
        }
        let path = match around {
            None => self.scope.canonical(&segments),
            Some(base) => format!("{base}::{}", segments.join("::")).into(),
        };
        let mut args = GenericArgs::new();
        let mut assoc_types = Vec::new();
        self.cur.eat("::");
        if self.cur.eat("<") {
            self.list_until(">", |parser| {
                let start = parser.cur.pos();
                if let Some(name) = parser.cur.ident()
                    && parser.cur.eat(" = ")
                {
                    assoc_types.push((name.into(), parser.ty()?));
                    return Ok(());
                }
                parser.cur.reset(start);
                args.extend(parser.generic_arg()?);
                Ok(())
            })?;
        } else if self.cur.eat("(") {
            let inputs = self.list_until(")", Self::ty)?;
            args.push(GenericArg::Ty(Ty::new(TyKind::Tuple(inputs))));
            let output = if self.cur.eat(" -> ") { self.ty()? } else { Ty::unit() };
            assoc_types.push(("Output".into(), output));
        }
        Ok(TraitPath { path, args, assoc_types })
    }

    /// `S as Tr>::` or `S>::` after a `<`: what stands in front of the names of an item in the body of a method, in the path of a trait
    /// that is declared there.
    fn method_around(&mut self) -> Parsed<String> {
        let (self_ty, trait_ref) = self.qualified_self()?;
        self.cur.expect("::")?;
        Ok(match trait_ref {
            Some(trait_ref) => self.trait_base(&trait_ref),
            None => type_head(&self_ty),
        })
    }

    /// The arguments after `<`, up to and with the `>`.
    pub fn generic_args(&mut self) -> Parsed<GenericArgs> {
        let lists = self.list_until(">", Self::generic_arg)?;
        Ok(lists.into_iter().flatten().collect())
    }

    /// None for a lifetime.
    pub fn generic_arg(&mut self) -> Parsed<Option<GenericArg>> {
        if self.cur.eat_lifetime() {
            return Ok(None);
        }
        let is_const = match self.cur.peek() {
            Some(b'0'..=b'9' | b'-' | b'\'') => true,
            Some(b'{') => !self.cur.looking_at("{closure@") && self.cur.looking_at("{ "),
            _ => self.cur.looking_at_word("true") || self.cur.looking_at_word("false"),
        };
        if is_const {
            return Ok(Some(GenericArg::Const(self.const_arg(IntTy::Usize)?)));
        }
        let ty = self.ty()?;
        if let TyKind::Param(name) = ty.kind()
            && self
                .scope
                .generic(name.as_str())
                .is_some_and(|param| matches!(param.kind, GenericParamKind::Const(_)))
        {
            self.scope.doubt_const_parameter(name.as_str());
            return Ok(Some(GenericArg::Const(Const::Param(name.clone()))));
        }
        Ok(Some(GenericArg::Ty(ty)))
    }

    /// A constant in a type: an array's length or a const argument. Bare numbers get the type `bare`; whoever
    /// knows the parameter corrects it.
    pub fn const_arg(&mut self, bare: IntTy) -> Parsed<Const> {
        match self.cur.peek() {
            Some(b'0'..=b'9' | b'-') => {
                let start = self.cur.pos();
                let sign = if self.cur.eat("-") { Sign::Minus } else { Sign::Plus };
                let magnitude = self.cur.number::<u128>()?;
                let ty = if self.cur.eat("_") {
                    let name = self.cur.expect_ident()?;
                    match IntTy::from_name(name) {
                        Some(ty) => ty,
                        None => return fail(format!("`{name}` is no integer type")),
                    }
                } else {
                    // Wide enough to keep the value until its parameter's type is known.
                    match sign {
                        Sign::Minus => IntTy::I128,
                        Sign::Plus if magnitude > u128::from(u64::MAX) => IntTy::U128,
                        Sign::Plus => bare,
                    }
                };
                match int_const(magnitude, sign, ty) {
                    Some(value) => Ok(value),
                    None => fail(format!("`{}` does not fit its type", self.cur.since(start))),
                }
            }
            Some(b'{') => {
                let start = self.cur.pos();
                self.cur.expect("{")?;
                self.cur.balanced_until(|byte| byte == b'}')?;
                self.cur.expect("}")?;
                Ok(Const::Unsupported(self.cur.since(start).to_owned()))
            }
            _ if self.is_definition_path() => {
                let start = self.cur.pos();
                self.cur.balanced_until(|byte| matches!(byte, b']' | b',' | b'>'))?;
                Ok(Const::Unsupported(self.cur.since(start).to_owned()))
            }
            _ => self.constant(),
        }
    }

    /// Whether a constant of another crate follows that was not evaluated: `core::::num::{impl#7}::from_be_bytes::{constant#0}`.
    fn is_definition_path(&self) -> bool {
        let mut probe = self.cur.clone();
        probe.ident().is_some() && probe.looking_at("::::")
    }

    /// `<SELF as TRAIT>` after its `<`; the trait may be missing in `<T>::method`.
    pub fn qualified_self(&mut self) -> Parsed<(Ty, Option<TraitRef>)> {
        let self_ty = self.ty()?;
        if !self.cur.eat(" as ") {
            self.cur.expect(">")?;
            return Ok((self_ty, None));
        }
        let TraitPath { path, args, .. } = self.trait_path()?;
        self.cur.expect(">")?;
        let mut trait_ref = TraitRef { self_ty: self_ty.clone(), path, args };
        self.scope.names.complete_trait_ref(&mut trait_ref);
        Ok((self_ty, Some(trait_ref)))
    }

    /// An ADT, a projection, or a primitive spelled as a path.
    fn path_ty(&mut self) -> Parsed<Ty> {
        let start = self.cur.pos();
        if self.cur.eat("<") {
            let (self_ty, trait_ref) = self.qualified_self()?;
            let Some(trait_ref) = trait_ref else {
                return fail(format!("an associated type of `{self_ty}` without its trait"));
            };
            self.cur.expect("::")?;
            let name = self.cur.expect_ident()?;
            let args =
                if self.cur.eat("::<") || self.cur.eat("<") { self.generic_args()? } else { Vec::new() };
            if self.cur.eat("::") {
                // A type declared in the body of a method.
                let mut path = format!("{}::{name}", self.trait_base(&trait_ref));
                let mut args;
                loop {
                    path.push_str("::");
                    path.push_str(self.cur.expect_ident()?);
                    args = if self.cur.eat("::<") || self.cur.eat("<") {
                        self.generic_args()?
                    } else {
                        Vec::new()
                    };
                    if !self.cur.eat("::") {
                        return Ok(Ty::new(TyKind::Adt(path.into(), args)));
                    }
                }
            }
            if !args.is_empty() {
                return Ok(unsupported(self.cur.since(start)));
            }
            return Ok(Ty::new(TyKind::Projection { trait_ref, name: name.into() }));
        }
        let mut segments = Vec::new();
        let mut args;
        loop {
            if self.cur.looking_at("<impl ") && self.is_impl_segment() {
                return self.ty_in_method();
            }
            if segments.is_empty() || !self.cur.looking_at("{") {
                segments.push(self.cur.expect_ident()?);
            } else {
                // `f::{closure#0}::Local`: a type declared in a closure.
                let from = self.cur.pos();
                self.cur.expect("{")?;
                self.cur.balanced_until(|byte| byte == b'}')?;
                self.cur.expect("}")?;
                segments.push(self.cur.since(from));
            }
            // Only the last segment's arguments are the type's: see `last_args`.
            let here = self.cur.pos();
            if self.cur.eat("::") && self.is_impl_segment() {
                continue;
            }
            self.cur.reset(here);
            args = if self.cur.eat("::<") || self.cur.eat("<") { self.generic_args()? } else { Vec::new() };
            if !self.cur.eat("::") {
                break;
            }
        }
        let path = self.scope.canonical(&segments);
        self.scope.names.complete_adt_args(&path, &mut args);
        Ok(Ty::new(TyKind::Adt(path, args)))
    }
}

impl Parser<'_, '_> {
    /// A type declared in the body of a method whose implementation is named in place: `<impl Tr for S>::method::Local`.
    fn ty_in_method(&mut self) -> Parsed<Ty> {
        let path = self.impl_segment()?;
        let base = match &path {
            ItemPath::OfTrait { trait_ref, .. } => self.trait_base(trait_ref),
            ItemPath::OfType { self_ty, .. } => type_head(self_ty),
            ItemPath::Plain(_) | ItemPath::ImplAt { .. } => return fail("a type known only by a place"),
        };
        let args = path.rest().last().map(|last| last.args.clone()).unwrap_or_default();
        Ok(Ty::new(TyKind::Adt(path_below(&base, path.rest()), args)))
    }
}

pub fn unsupported(text: &str) -> Ty {
    Ty::new(TyKind::Unsupported(text.to_owned()))
}

pub fn primitive(word: &str) -> Option<Ty> {
    Some(Ty::new(match word {
        "bool" => TyKind::Bool,
        "char" => TyKind::Char,
        "str" => TyKind::Str,
        "f32" => TyKind::Float(FloatTy::F32),
        "f64" => TyKind::Float(FloatTy::F64),
        "f16" | "f128" => TyKind::Unsupported(word.to_owned()),
        _ => TyKind::Int(IntTy::from_name(word)?),
    }))
}

/// Parses a whole text as one type.
pub fn parse_ty(text: &str, scope: &Scope<'_>) -> Parsed<Ty> {
    let mut parser = Parser::new(text, scope);
    let ty = parser.ty()?;
    if parser.cur.is_done() { Ok(ty) } else { parser.cur.unexpected("the end of the type") }
}

impl Names {
    /// The type with defaulted arguments filled in and aliases of other crates replaced, for types that did not come from text.
    pub fn complete_ty(&self, ty: &Ty) -> Ty {
        self.complete_within(ty, 0)
    }

    fn complete_within(&self, ty: &Ty, aliases: usize) -> Ty {
        /// Aliases of aliases.
        const MOST_ALIASES: usize = 32;
        ty.map(
            &mut |ty| match ty.kind() {
                TyKind::Adt(path, args) => {
                    let mut args = args.clone();
                    if let Some((params, target)) = self.type_aliases.get(path)
                        && aliases < MOST_ALIASES
                    {
                        Self::complete_args(params, &mut args, None);
                        let target = Subst::from_params(&generics_of(params), &args).ty(target);
                        return self.complete_within(&target, aliases + 1);
                    }
                    self.complete_adt_args(path, &mut args);
                    Ty::new(TyKind::Adt(path.clone(), args))
                }
                TyKind::Projection { trait_ref, name } => {
                    let mut trait_ref = trait_ref.clone();
                    self.complete_trait_ref(&mut trait_ref);
                    Ty::new(TyKind::Projection { trait_ref, name: name.clone() })
                }
                _ => ty,
            },
            &mut |constant| constant,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_parser;
    use super::*;

    fn parse(text: &str) -> Parsed<Ty> {
        with_parser(text, |parser| {
            let ty = parser.ty()?;
            if parser.cur.is_done() { Ok(ty) } else { parser.cur.unexpected("the end") }
        })
    }

    /// `expected` is what the type prints as.
    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).map(|ty| ty.to_string()).as_deref(), Ok(expected), "{text}");
    }

    fn check_unsupported(text: &str) {
        let ty = parse(text).expect(text);
        assert!(matches!(ty.kind(), TyKind::Unsupported(kept) if kept == text), "{text} gave {ty}");
    }

    #[test]
    fn every_form_of_type() {
        for same in
            ["bool", "char", "str", "!", "u128", "isize", "f32", "()", "(u8,)", "(u8, bool)", "[u8]", "T"]
        {
            check(same, same);
        }
        for same in ["[u8; 4]", "[T; N]", "&mut [u8]", "*const u8", "*mut str", "fn(u8, &str) -> bool"] {
            check(same, same);
        }
        check("&'a mut T", "&mut T");
        check("&'{erased} u8", "&u8");
        check("fn()", "fn() -> ()");
        check("unsafe extern \"C\" fn(u8) -> u8", "fn(u8) -> u8");
        check("for<'a> fn(&'a u8) -> &'a u8", "fn(&u8) -> &u8");
        check("data::Point", "krate::data::Point");
        check("std::option::Option<std::vec::Vec<T>>", "std::option::Option<std::vec::Vec<T>>");
        check("core::slice::Iter<'_, u8>", "std::slice::Iter<u8>");
        check("dyn std::fmt::Debug", "dyn std::fmt::Debug");
        check("&dyn std::fmt::Debug + std::marker::Send + '_", "&dyn std::fmt::Debug + std::marker::Send");
        check("&(dyn std::fmt::Debug + std::marker::Send)", "&dyn std::fmt::Debug + std::marker::Send");
        check("impl FnOnce() -> u8", "impl FnOnce() -> u8");
        check("{closure@f::{closure#0}}", "{closure@krate::f::{closure#0}}");
        check("fn(u8) -> u8 {core::num::<impl u8>::reverse_bits}", "fn {u8::reverse_bits}");
        check("<T as Animal>::Food", "<T as krate::Animal>::Food");
        check(
            "<<T as Animal>::Food as std::iter::Iterator>::Item",
            "<<T as krate::Animal>::Food as std::iter::Iterator>::Item",
        );
        check("std::boxed::Box<dyn std::ops::Fn(i32) -> i32>", "std::boxed::Box<dyn std::ops::Fn<(i32,)>>");
    }

    #[test]
    fn arguments_of_const_parameters_get_their_type() {
        let args = match parse("Stack<T, 4>").expect("a type").kind() {
            TyKind::Adt(_, args) => args.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(args[1], GenericArg::Const(Const::int(4, IntTy::I8)));
        let args = match parse("Stack<T, -1>").expect("a type").kind() {
            TyKind::Adt(_, args) => args.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(args[1], GenericArg::Const(Const::int(-1, IntTy::I8)));
        let args = match parse("Stack<u8, N>").expect("a type").kind() {
            TyKind::Adt(_, args) => args.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(args[1], GenericArg::Const(Const::Param("N".into())));
    }

    #[test]
    fn defaults_that_the_compiler_leaves_out_are_filled_in() {
        check("std::ops::ControlFlow<u8>", "std::ops::ControlFlow<u8, ()>");
        check("<T as std::cmp::PartialEq>::X", "<T as std::cmp::PartialEq<T>>::X");
    }

    #[test]
    fn dyn_traits_keep_what_they_pin() {
        let check = |text: &str, name: &str, pinned: &str| {
            let ty = parse(text).expect(text);
            let TyKind::Dyn(bounds) = ty.kind() else { panic!("{ty}") };
            let (assoc, ty) = &bounds[0].assoc_types[0];
            assert_eq!((assoc.as_str(), ty.to_string().as_str()), (name, pinned));
        };
        check("dyn std::iter::Iterator<Item = u8>", "Item", "u8");
        check("dyn for<'a> std::ops::Fn(u8, &'a str) -> bool + std::marker::Send", "Output", "bool");
    }

    #[test]
    fn types_without_representation_keep_their_text() {
        check_unsupported("{async fn body of misc::asy()}");
        check_unsupported("{coroutine@src/misc.rs:2:31: 2:63 (#0)}");
        check_unsupported("(u32) is 1..");
        check_unsupported("(i8) is (i8::MIN..=-1 | 1..)");
        check_unsupported("impl Unknown");
        check_unsupported("f16");
    }

    #[test]
    fn damaged_types_are_refused() {
        for text in
            ["", "&", "[u8", "(u8", "fn(", "*u8", "a::", "dyn ", "<T as Animal>", "Stack<T, 4", "{closure@f}"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        let deep = "&".repeat(100_000) + "u8";
        assert!(parse(&deep).is_err());
    }
}
