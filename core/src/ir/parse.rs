//! Programs from text, for tests: what [`super::pretty`] prints, and shorter forms of it.
//!
//! A text is a list of items, with comments behind `//`:
//!
//! ```text
//! struct k::Point { x: i32, y: i32 }
//! enum std::option::Option<T> { None, Some(T) }
//! fn k::double(_1: i32) -> i32 {
//!     let _2: i32;
//!     bb0: {
//!         _2 = Mul(copy _1, const 2_i32);
//!         _0 = copy _2;
//!         return;
//!     }
//! }
//! impl std::clone::Clone for k::Point {
//!     fn clone(_1: &k::Point) -> k::Point { … }
//! }
//! ```
//!
//! * The locals of the signature need no `let`.
//! * A name of one segment is a parameter in types and constants, and a function in calls; `` `S` `` is the path.
//! * A number without a type is a `usize`.
//! * Statements and terminators have the span where they stand in the text, in a file named [`FILE`].
//! * A closure, promoted or inline constant belongs to the function that its path begins with.
//! * Everything is of the crate itself. What else declarations say is not in the text: a test sets it.

mod bodies;
mod cursor;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeMap;

use cursor::Cursor;
pub use cursor::{ParseError, Parsed};

use super::*;
use crate::idx::Idx;

/// The file that spans of parsed bodies are in.
pub const FILE: &str = "program.mir";

/// The program of a text, indexed.
pub fn program(text: &str) -> Parsed<Program> {
    let mut cursor = Cursor::new(text);
    let mut program = Program::default();
    program.files.push(SourceFile { path: FILE.into() });
    while !cursor.is_done() {
        cursor.item(&mut program)?;
    }
    let ids: BTreeMap<Path, FnId> =
        program.functions.iter_enumerated().map(|(id, function)| (function.path.clone(), id)).collect();
    for function in program.functions.iter_mut() {
        let parent = function.path.as_str().rsplit_once("::").filter(|(_, last)| last.contains(['#', '[']));
        if let Some(parent) = parent.and_then(|(parent, _)| ids.get(parent)) {
            function.owner = Owner::Within(*parent);
        }
    }
    program.build_index();
    Ok(program)
}

/// The constant of a text.
pub fn constant(text: &str) -> Parsed<Const> {
    let mut cursor = Cursor::new(text);
    let constant = cursor.constant()?;
    if cursor.is_done() { Ok(constant) } else { cursor.expected("the end") }
}

const KINDS: [(&str, FunctionKind); 8] = [
    ("fn", FunctionKind::Fn),
    ("adapter", FunctionKind::Adapter),
    ("closure", FunctionKind::Closure),
    ("constructor", FunctionKind::Constructor),
    ("const", FunctionKind::Const),
    ("static", FunctionKind::Static),
    ("promoted", FunctionKind::Promoted),
    ("test", FunctionKind::Test),
];

impl Cursor<'_> {
    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        if self.eat_word("impl") {
            return self.implementation(program);
        }
        let mut discriminant_ty = IntTy::Isize;
        if self.eat("#[repr(") {
            let Some(ty) = IntTy::from_name(self.peek_word()) else {
                return self.expected("an integer type");
            };
            discriminant_ty = ty;
            self.word()?;
            self.expect(")]")?;
        }
        let visibility = self.visibility();
        let kind = match self.peek_word() {
            "struct" => AdtKind::Struct,
            "enum" => AdtKind::Enum,
            "union" => AdtKind::Union,
            _ => {
                let function = self.function(visibility, Self::path)?;
                program.functions.push(function);
                return Ok(());
            }
        };
        self.word()?;
        let adt = self.adt(kind, visibility, discriminant_ty)?;
        program.adts.push(adt);
        Ok(())
    }

    fn visibility(&mut self) -> Visibility {
        if self.eat_word("pub") { Visibility::Public } else { Visibility::Private }
    }

    fn generics(&mut self) -> Parsed<Vec<GenericParam>> {
        if !self.eat("<") {
            return Ok(Vec::new());
        }
        self.list(">", |cursor| {
            if !cursor.eat_word("const") {
                return Ok(GenericParam { name: cursor.name()?, kind: GenericParamKind::Type });
            }
            let name = cursor.name()?;
            let ty = match cursor.eat(":") {
                true => cursor.const_ty()?,
                false => ConstTy::USIZE,
            };
            Ok(GenericParam { name, kind: GenericParamKind::Const(ty) })
        })
    }

    fn adt(&mut self, kind: AdtKind, visibility: Visibility, discriminant_ty: IntTy) -> Parsed<Adt> {
        let (path, generics) = (self.path()?, self.generics()?);
        let (origin_crate, name) = {
            let text = path.as_str();
            let first = text.split_once("::").map_or(text, |(first, _)| first);
            let last = text.rsplit_once("::").map_or(text, |(_, last)| last);
            (Name::new(first), Name::new(last))
        };
        let variants = match kind {
            AdtKind::Struct | AdtKind::Union => {
                let (ctor, fields) = self.fields()?;
                if ctor != CtorKind::Struct {
                    self.expect(";")?;
                }
                vec![Variant { name, ctor, fields, discriminant: 0 }]
            }
            AdtKind::Enum => {
                self.expect("{")?;
                let mut variants = self.list("}", |cursor| {
                    let (name, (ctor, fields)) = (cursor.name()?, cursor.fields()?);
                    let given = if cursor.eat("=") { Some(cursor.number::<i128>()?) } else { None };
                    Ok((Variant { name, ctor, fields, discriminant: 0 }, given))
                })?;
                let mut next = 0;
                for (variant, given) in &mut variants {
                    variant.discriminant = given.unwrap_or(next);
                    next = variant.discriminant + 1;
                }
                variants.into_iter().map(|(variant, _)| variant).collect()
            }
        };
        let bounds = Vec::new();
        Ok(Adt {
            path,
            kind,
            generics,
            bounds,
            variants,
            discriminant_ty,
            visibility,
            origin_crate,
            span: None,
        })
    }

    fn fields(&mut self) -> Parsed<(CtorKind, Vec<Field>)> {
        if self.eat("{") {
            let field = |cursor: &mut Self| {
                let (visibility, name) = (cursor.visibility(), cursor.name()?);
                cursor.expect(":")?;
                Ok(Field { name, ty: cursor.ty()?, visibility })
            };
            return Ok((CtorKind::Struct, self.list("}", field)?));
        }
        if !self.eat("(") {
            return Ok((CtorKind::Unit, Vec::new()));
        }
        let field = |cursor: &mut Self| Ok((cursor.visibility(), cursor.ty()?));
        let fields = (0..).zip(self.list(")", field)?).map(|(index, (visibility, ty)): (u32, _)| Field {
            name: Name::new(index.to_string()),
            ty,
            visibility,
        });
        Ok((CtorKind::Tuple, fields.collect()))
    }

    fn function(
        &mut self,
        visibility: Visibility,
        path: impl FnOnce(&mut Self) -> Parsed<Path>,
    ) -> Parsed<Function> {
        let Some((word, kind)) = KINDS.into_iter().find(|(word, _)| *word == self.peek_word()) else {
            return self.expected("an item: `fn`, `const`, `static`, `struct`, `enum`, `union`, `impl`, …");
        };
        self.eat_word(word);
        let kind = match kind {
            FunctionKind::Static if self.eat_word("mut") => FunctionKind::StaticMut,
            kind => kind,
        };
        let (path, generics) = (path(self)?, self.generics()?);
        self.expect("(")?;
        let params = self.list(")", |cursor| {
            let start = cursor.here();
            let index = cursor.numbered("_")?;
            cursor.expect(":")?;
            Ok((index, start, cursor.ty()?))
        })?;
        if let Some((_, (_, start, _))) = (1..).zip(&params).find(|(index, param)| *index != param.0) {
            self.reset(*start);
            return self.expected("parameters in order, from `_1` on");
        }
        let inputs: Vec<Ty> = params.into_iter().map(|(_, _, ty)| ty).collect();
        self.expect("->")?;
        let output = self.ty()?;
        let body = if self.eat(";") {
            FnBody::Missing
        } else if self.eat_word("unreadable") {
            let line = if self.looking_at("\"") { None } else { Some(self.number()?) };
            let reason = self.string()?;
            self.expect(";")?;
            FnBody::Unreadable { reason, line }
        } else {
            FnBody::Present(self.body(&inputs, &output)?.into())
        };
        Ok(Function {
            path,
            kind,
            owner: Owner::Free,
            generics,
            bounds: Vec::new(),
            inputs,
            output,
            visibility,
            origin: Origin::Subject,
            span: None,
            body,
        })
    }

    /// `impl<GENERICS> TRAIT<ARGS> for TYPE { type NAME = TYPE; fn name(…) … }`
    fn implementation(&mut self, program: &mut Program) -> Parsed<()> {
        let generics = self.generics()?;
        let (path, args) = (self.path()?, self.angle()?);
        if !self.eat_word("for") {
            return self.expected("`for`");
        }
        let trait_ref = TraitRef { self_ty: self.ty()?, path, args };
        let id = ImplId::from_usize(program.impls.len());
        let mut implementation = TraitImpl {
            generics,
            trait_ref: trait_ref.clone(),
            bounds: Vec::new(),
            equalities: Vec::new(),
            methods: BTreeMap::new(),
            consts: BTreeMap::new(),
            types: BTreeMap::new(),
        };
        self.expect("{")?;
        while !self.eat("}") {
            if self.eat_word("type") {
                let name = self.name()?;
                self.expect("=")?;
                implementation.types.insert(name, self.ty()?);
                self.expect(";")?;
                continue;
            }
            let method = |cursor: &mut Self| Ok(Path::new(format!("{trait_ref}::{}", cursor.name()?)));
            let mut function = self.function(Visibility::Public, method)?;
            function.owner = Owner::TraitImpl(id);
            let name = Name::new(function.path.last());
            let members = match function.kind {
                FunctionKind::Const => &mut implementation.consts,
                _ => &mut implementation.methods,
            };
            members.insert(name, program.functions.push(function));
        }
        program.impls.push(implementation);
        Ok(())
    }
}
