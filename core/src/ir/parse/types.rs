//! Types, constants, paths and callees.

use super::cursor::{Cursor, Parsed};
use crate::ir::pretty::RESERVED;
use crate::ir::*;

impl Cursor<'_> {
    fn plain_path(&mut self) -> Parsed<String> {
        let mut path = self.word()?.to_string();
        loop {
            if path.ends_with("promoted") && self.eat("[") {
                let index: usize = self.number()?;
                self.expect("]")?;
                path.push_str(&format!("[{index}]"));
            }
            let start = self.end();
            if !self.eat("::") {
                return Ok(path);
            }
            if self.eat("{") {
                let (name, _) = (self.word()?, self.expect("#")?);
                let index: usize = self.number()?;
                self.expect("}")?;
                path.push_str(&format!("::{{{name}#{index}}}"));
            } else if self.looking_at("<") {
                self.reset(start);
                return Ok(path);
            } else {
                path.push_str(&format!("::{}", self.word()?));
            }
        }
    }

    /// A path where a single word is one too.
    pub(super) fn path(&mut self) -> Parsed<Path> {
        if self.looking_at("`") { self.quoted('`').map(Path::new) } else { self.plain_path().map(Path::new) }
    }

    /// A path where a single word is the name of a parameter.
    fn path_or_param(&mut self) -> Parsed<Result<Path, Name>> {
        if self.looking_at("`") {
            return Ok(Ok(self.path()?));
        }
        if self.eat_word("param") {
            return Ok(Err(Name::new(self.string()?)));
        }
        if RESERVED.contains(&self.peek_word()) {
            return self.expected("a path");
        }
        let path = self.plain_path()?;
        Ok(if path.contains("::") { Ok(Path::new(path)) } else { Err(Name::new(path)) })
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
        // Fields of tuple structs are numbers.
        let word = self.peek_word();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Name::new(self.number::<u32>()?.to_string()));
        }
        self.word().map(Name::new)
    }

    /// `<A, const 3_u8>`; nothing is no arguments.
    pub(super) fn angle(&mut self) -> Parsed<GenericArgs> {
        if self.eat("<") { self.list(">", Self::generic_arg) } else { Ok(Vec::new()) }
    }

    fn turbofish(&mut self) -> Parsed<GenericArgs> {
        if self.eat("::<") { self.list(">", Self::generic_arg) } else { Ok(Vec::new()) }
    }

    fn generic_arg(&mut self) -> Parsed<GenericArg> {
        if self.looking_at("const") && self.eat_word("const") {
            return self.constant().map(GenericArg::Const);
        }
        self.ty().map(GenericArg::Ty)
    }

    pub(super) fn ty(&mut self) -> Parsed<Ty> {
        Ok(Ty::new(self.ty_kind()?))
    }

    fn ty_kind(&mut self) -> Parsed<TyKind> {
        let mutability =
            |cursor: &mut Self| if cursor.eat_word("mut") { Mutability::Mut } else { Mutability::Shared };
        if self.eat("!") {
            return Ok(TyKind::Never);
        }
        if self.eat("&") {
            return Ok(TyKind::Ref(mutability(self), self.ty()?));
        }
        if self.eat("*") {
            if !self.eat_word("const") && self.peek_word() != "mut" {
                return self.expected("`const` or `mut`");
            }
            return Ok(TyKind::RawPtr(mutability(self), self.ty()?));
        }
        if self.eat("(") {
            return self.list(")", Self::ty).map(TyKind::Tuple);
        }
        if self.eat("[") {
            let ty = self.ty()?;
            if self.eat(";") {
                let len = self.constant()?;
                self.expect("]")?;
                return Ok(TyKind::Array(ty, len));
            }
            self.expect("]")?;
            return Ok(TyKind::Slice(ty));
        }
        if self.eat("{closure@") {
            let (path, args) = (self.path()?, self.angle()?);
            self.expect("}")?;
            return Ok(TyKind::Closure(path, args));
        }
        if self.eat("<") {
            let trait_ref = self.trait_ref()?;
            self.expect("::")?;
            return Ok(TyKind::Projection { trait_ref, name: self.name()? });
        }
        let word = self.peek_word();
        let primitive = match (word, IntTy::from_name(word)) {
            (_, Some(int)) => Some(TyKind::Int(int)),
            ("bool", _) => Some(TyKind::Bool),
            ("char", _) => Some(TyKind::Char),
            ("str", _) => Some(TyKind::Str),
            ("f32", _) => Some(TyKind::Float(FloatTy::F32)),
            ("f64", _) => Some(TyKind::Float(FloatTy::F64)),
            _ => None,
        };
        if let Some(primitive) = primitive {
            self.eat_word(word);
            return Ok(primitive);
        }
        if self.eat_word("fn") {
            if self.looking_at("{") {
                return self.fn_item().map(|fn_ref| TyKind::FnDef(Box::new(fn_ref)));
            }
            self.expect("(")?;
            let inputs = self.list(")", Self::ty)?;
            self.expect("->")?;
            return Ok(TyKind::FnPtr { inputs, output: self.ty()? });
        }
        if self.eat_word("dyn") {
            return self.dyn_traits().map(TyKind::Dyn);
        }
        if self.eat_word("unsupported") {
            return self.string().map(TyKind::Unsupported);
        }
        match self.either(Self::path_or_param, |cursor| cursor.expected("a type"))? {
            Ok(path) => Ok(TyKind::Adt(path, self.angle()?)),
            Err(param) => Ok(TyKind::Param(param)),
        }
    }

    pub(super) fn const_ty(&mut self) -> Parsed<ConstTy> {
        match ConstTy::from_name(self.word()?) {
            Some(ty) => Ok(ty),
            None => self.expected("the type of a constant"),
        }
    }

    fn dyn_traits(&mut self) -> Parsed<Vec<DynTrait>> {
        let mut bounds = Vec::new();
        if self.eat("()") {
            return Ok(bounds);
        }
        loop {
            let mut bound = DynTrait { path: self.path()?, args: Vec::new(), assoc_types: Vec::new() };
            if self.eat("<") {
                let args = self.list(">", |cursor| {
                    let equality = |cursor: &mut Self| {
                        let (name, _) = (cursor.name()?, cursor.expect("=")?);
                        Ok(Err((name, cursor.ty()?)))
                    };
                    cursor.either(equality, |cursor| cursor.generic_arg().map(Ok))
                })?;
                for arg in args {
                    match arg {
                        Ok(arg) => bound.args.push(arg),
                        Err(assoc_type) => bound.assoc_types.push(assoc_type),
                    }
                }
            }
            bounds.push(bound);
            if !self.eat("+") {
                return Ok(bounds);
            }
        }
    }

    /// `SELF as TRAIT<ARGS>>`, behind the `<`.
    fn trait_ref(&mut self) -> Parsed<TraitRef> {
        let self_ty = self.ty()?;
        if !self.eat_word("as") {
            return self.expected("`as`");
        }
        let trait_ref = TraitRef { self_ty, path: self.path()?, args: self.angle()? };
        self.expect(">")?;
        Ok(trait_ref)
    }

    /// `SELF>`, behind the `<`, and the path of what is implemented for it.
    fn inherent(&mut self) -> Parsed<(Ty, Path)> {
        let self_ty = self.ty()?;
        self.expect(">")?;
        self.expect("::")?;
        Ok((self_ty, self.path()?))
    }

    /// `{CALLEE}`
    fn fn_item(&mut self) -> Parsed<FnRef> {
        self.expect("{")?;
        let fn_ref = self.fn_ref()?;
        self.expect("}")?;
        Ok(fn_ref)
    }

    pub(super) fn fn_ref(&mut self) -> Parsed<FnRef> {
        if !self.eat("<") {
            return Ok(FnRef::Free { path: self.path()?, args: self.turbofish()? });
        }
        self.either(
            |cursor| {
                let (trait_ref, _) = (cursor.trait_ref()?, cursor.expect("::")?);
                Ok(FnRef::Trait { trait_ref, method: cursor.name()?, args: cursor.turbofish()? })
            },
            |cursor| {
                let (self_ty, path) = cursor.inherent()?;
                Ok(FnRef::Inherent { path, self_ty, args: cursor.turbofish()? })
            },
        )
    }

    pub(super) fn constant(&mut self) -> Parsed<Const> {
        if self.eat("&") {
            if self.eat_word("static") {
                return self.path().map(Const::StaticRef);
            }
            return Ok(Const::Ref(Box::new(self.constant()?)));
        }
        if self.eat("(") {
            return self.list(")", Self::constant).map(Const::Tuple);
        }
        if self.eat("[") {
            return self.list("]", Self::constant).map(Const::Array);
        }
        if self.looking_at("\"") {
            return self.string().map(Const::Str);
        }
        if self.looking_at("'") {
            return self.char().map(Const::Char);
        }
        if self.eat("b\"") {
            self.reset(self.end() - 1);
            return self.bytes().map(Const::ByteStr);
        }
        if self.looking_at("-") || self.peek_word().starts_with(|c: char| c.is_ascii_digit()) {
            return self.numeric();
        }
        let start = self.here();
        let keyword = match self.peek_word() {
            "true" => Some(Const::Bool(true)),
            "false" => Some(Const::Bool(false)),
            "uninit" => Some(Const::Uninit),
            _ => None,
        };
        if let Some(keyword) = keyword {
            self.word()?;
            return Ok(keyword);
        }
        if self.eat_word("ZeroSized") {
            self.expect(":")?;
            return self.ty().map(Const::ZeroSized);
        }
        if self.eat_word("unsupported") {
            return self.string().map(Const::Unsupported);
        }
        if self.eat_word("fn") && self.looking_at("{") {
            return self.fn_item().map(|fn_ref| Const::Fn(Box::new(fn_ref)));
        }
        self.reset(start);
        self.either(Self::adt_constant, Self::named_constant)
    }

    fn numeric(&mut self) -> Parsed<Const> {
        let start = self.here();
        let text = self.numeral();
        let float = |digits: &str, ty: FloatTy| {
            let digits = digits.strip_suffix('_').unwrap_or(digits);
            let bits = match (digits.strip_prefix("0x"), ty) {
                (Some(hex), _) => u64::from_str_radix(hex, 16).ok()?,
                (None, FloatTy::F32) => digits.parse::<f32>().ok()?.to_bits().into(),
                (None, FloatTy::F64) => digits.parse::<f64>().ok()?.to_bits(),
            };
            Some(Const::Float(bits, ty))
        };
        let int = || {
            let (digits, ty) = match text.split_once('_') {
                Some((digits, ty)) => (digits, IntTy::from_name(ty)?),
                None => (text, IntTy::Usize),
            };
            let value =
                digits.parse::<i128>().map(|value| value as u128).or_else(|_| digits.parse::<u128>()).ok()?;
            Some(Const::Int(ty.truncate(value), ty))
        };
        let found = match (text.strip_suffix("f32"), text.strip_suffix("f64")) {
            (Some(digits), _) => float(digits, FloatTy::F32),
            (_, Some(digits)) => float(digits, FloatTy::F64),
            _ => int(),
        };
        found.map_or_else(
            || {
                self.reset(start);
                self.expected("a number with its type, as `3_u8` or `1.5f64`")
            },
            Ok,
        )
    }

    /// `STRUCT<ARGS> {FIELDS}`, `ENUM::VARIANT(FIELDS)` or `ENUM<ARGS>::VARIANT(FIELDS)`.
    pub(super) fn made<T>(
        &mut self,
        field: impl Fn(&mut Self) -> Parsed<T>,
    ) -> Parsed<(Ty, Option<VariantRef>, Vec<T>)> {
        let ty = self.ty()?;
        if self.eat("::") {
            let variant = self.variant_ref()?;
            self.expect("(")?;
            return Ok((ty, Some(variant), self.list(")", field)?));
        }
        if !self.eat("(") {
            self.expect("{")?;
            return Ok((ty, None, self.list("}", field)?));
        }
        let TyKind::Adt(path, _) = ty.kind() else { return self.expected("the fields of a variant") };
        let Some((of, variant)) = path.as_str().rsplit_once("::") else {
            return self.expected("the fields of a variant");
        };
        let variant = VariantRef::Name(Name::new(variant));
        Ok((Ty::adt(of, Vec::new()), Some(variant), self.list(")", field)?))
    }

    fn adt_constant(&mut self) -> Parsed<Const> {
        let (ty, variant, fields) = self.made(Self::constant)?;
        let variant = match variant {
            Some(VariantRef::Index(_)) => return self.expected("the name of a variant"),
            Some(VariantRef::Name(name)) => Some(name),
            None => None,
        };
        Ok(Const::Adt { ty, variant, fields })
    }

    fn named_constant(&mut self) -> Parsed<Const> {
        if self.eat("<") {
            return self.either(
                |cursor| {
                    let (trait_ref, _) = (cursor.trait_ref()?, cursor.expect("::")?);
                    Ok(Const::AssocConst { trait_ref, name: cursor.name()? })
                },
                |cursor| {
                    let (self_ty, path) = cursor.inherent()?;
                    Ok(Const::InherentConst { path, self_ty })
                },
            );
        }
        match self.path_or_param()? {
            Ok(path) => Ok(Const::Item { path, args: self.turbofish()? }),
            Err(param) => Ok(Const::Param(param)),
        }
    }
}
