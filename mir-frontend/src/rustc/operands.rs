//! Operands and constants.
//!
//! What rustc evaluated is a value here; what it left unevaluated names an item whose body can be run. Raw memory
//! (`{alloc3: &[u8]}` of anything but a static, `Indirect { … }`) is [`Const::Unsupported`] with its text, so that
//! a function is readable as long as nothing needs that constant.

use regress_core::ir::{Const, FloatTy, IntTy, Operand, Path, Signedness};

use super::cursor::{Parsed, fail};
use super::paths::{ItemPath, variant_name};
use super::types::Parser;
use super::whereabouts::names_a_place;

impl Parser<'_, '_> {
    pub fn operand(&mut self) -> Parsed<Operand> {
        self.cur.eat("no_retag ");
        if self.cur.eat("copy ") || self.cur.eat("deref_copy ") {
            return Ok(Operand::Copy(self.place()?));
        }
        if self.cur.eat("move ") {
            return Ok(Operand::Move(self.place()?));
        }
        if self.cur.eat("const ") {
            return Ok(Operand::Const(self.constant()?));
        }
        for check in ["UbChecks", "OverflowChecks", "ContractChecks"] {
            if self.cur.eat_word(check) {
                self.scope.doubt_word(check);
                return Ok(Operand::Const(Const::Unsupported(check.to_owned())));
            }
        }
        // A function item is the only operand without a keyword.
        Ok(Operand::Const(Const::Fn(Box::new(self.fn_ref()?))))
    }

    pub fn operands_until(&mut self, close: &str) -> Parsed<Vec<Operand>> {
        self.list_until(close, Self::operand)
    }

    /// A constant without the keyword `const`.
    pub fn constant(&mut self) -> Parsed<Const> {
        self.nested(Self::constant_here)
    }

    fn constant_here(&mut self) -> Parsed<Const> {
        match self.cur.peek() {
            Some(b'0'..=b'9' | b'-' | b'+') => self.number_literal(),
            Some(b'"') => {
                let text = self.cur.string_literal()?;
                Ok(if names_a_place(&text) { of_a_place(&text) } else { Const::Str(text) })
            }
            Some(b'\'') => Ok(Const::Char(self.cur.char_literal()?)),
            Some(b'*') if self.cur.looking_at("*b\"") => {
                self.cur.expect("*")?;
                let bytes = self.cur.byte_string_literal()?;
                Ok(Const::Array(bytes.into_iter().map(|byte| Const::Int(byte.into(), IntTy::U8)).collect()))
            }
            Some(b'b') if self.cur.looking_at("b\"") => {
                let bytes = self.cur.byte_string_literal()?;
                let text = String::from_utf8_lossy(&bytes);
                Ok(if names_a_place(&text) { of_a_place(&text) } else { Const::ByteStr(bytes) })
            }
            Some(b'(') => self.tuple_constant(),
            Some(b'[') => {
                self.cur.expect("[")?;
                let first = self.list_until("]", Self::element_constant)?;
                Ok(Const::Array(first))
            }
            Some(b'{') => self.braced_constant(),
            Some(b'&') => {
                self.cur.expect("&")?;
                Ok(Const::Ref(Box::new(self.constant()?)))
            }
            Some(b'<') if self.cur.looking_at("<static(") => self.static_by_def_path(),
            Some(b'<') if self.cur.eat("<uninit>") => Ok(Const::Uninit),
            _ => self.word_constant(),
        }
    }

    fn element_constant(&mut self) -> Parsed<Const> {
        self.cur.eat("const ");
        self.constant()
    }

    fn tuple_constant(&mut self) -> Parsed<Const> {
        self.cur.expect("(")?;
        Ok(Const::Tuple(self.list_until(")", Self::element_constant)?))
    }

    /// `1_u8`, `-3_i32`, `2.5f64`, `1.0000000000000001E+300f64`, `+Inf_f32`.
    fn number_literal(&mut self) -> Parsed<Const> {
        let start = self.cur.pos();
        let negative = self.cur.eat("-");
        if !negative {
            self.cur.eat("+");
        }
        if self.cur.looking_at("Inf_") || self.cur.looking_at("NaN_") {
            return self.special_float(negative);
        }
        let Some(digits) = self.cur.digits() else { return self.cur.unexpected("a number") };
        if self.cur.eat("_") {
            let suffix = self.cur.expect_ident()?;
            let Some(ty) = IntTy::from_name(suffix) else {
                return fail(format!("`{suffix}` is no integer type"));
            };
            let Ok(magnitude) = digits.parse::<u128>() else {
                return fail(format!("`{digits}` is out of range"));
            };
            return match int_const(magnitude, negative_sign(negative), ty) {
                Some(value) => Ok(value),
                None => fail(format!("`{}` does not fit its type", self.cur.since(start))),
            };
        }
        if self.cur.eat(".") {
            self.cur.digits();
        }
        if self.cur.eat("E") || self.cur.eat("e") {
            let _ = self.cur.eat("+") || self.cur.eat("-");
            self.cur.digits();
        }
        let text = self.cur.since(start).to_owned();
        let text = text.trim_start_matches('+');
        if self.cur.eat_word("f64") {
            return match text.parse::<f64>() {
                Ok(value) => Ok(Const::Float(value.to_bits(), FloatTy::F64)),
                Err(_) => fail(format!("`{text}` is no number")),
            };
        }
        if self.cur.eat_word("f32") {
            return match text.parse::<f32>() {
                Ok(value) => Ok(Const::Float(value.to_bits().into(), FloatTy::F32)),
                Err(_) => fail(format!("`{text}` is no number")),
            };
        }
        if self.cur.eat_word("f16") || self.cur.eat_word("f128") {
            return Ok(Const::Unsupported(self.cur.since(start).to_owned()));
        }
        self.cur.unexpected("the suffix of a number")
    }

    fn special_float(&mut self, negative: bool) -> Parsed<Const> {
        let magnitude = if self.cur.eat("Inf_") {
            f64::INFINITY
        } else {
            self.cur.expect("NaN_")?;
            f64::NAN
        };
        let value = if negative { -magnitude } else { magnitude };
        if self.cur.eat_word("f64") {
            Ok(Const::Float(value.to_bits(), FloatTy::F64))
        } else if self.cur.eat_word("f32") {
            Ok(Const::Float((value as f32).to_bits().into(), FloatTy::F32))
        } else {
            self.cur.unexpected("`f32` or `f64`")
        }
    }

    /// `{alloc3: *mut u32}`, `{transmute(0x00): T}`, `{0x4 as *const u8}`
    fn braced_constant(&mut self) -> Parsed<Const> {
        let start = self.cur.pos();
        if self.cur.looking_at("{closure@") {
            let ty = self.ty()?;
            return Ok(Const::ZeroSized(ty));
        }
        self.cur.expect("{")?;
        if self.cur.looking_at("alloc") {
            let name_start = self.cur.pos();
            self.cur.ident();
            if let Some(path) = self.scope.statics.get(self.cur.since(name_start)).cloned()
                && self.cur.eat(": ")
            {
                self.ty()?;
                self.cur.expect("}")?;
                return Ok(Const::StaticRef(path));
            }
        }
        self.cur.balanced_until(|byte| byte == b'}')?;
        self.cur.expect("}")?;
        Ok(Const::Unsupported(self.cur.since(start).to_owned()))
    }

    /// The static that a table of an allocation names.
    pub fn static_path(&mut self) -> Parsed<Path> {
        let path = self.item_path()?;
        match (self.resolve_const(&path)?, &path) {
            (Const::Item { path, .. } | Const::InherentConst { path, .. }, _) => Ok(path),
            // A static may have the name of its type.
            (Const::Adt { .. }, ItemPath::Plain(segments)) => Ok(self.plain_path(segments)),
            (other, _) => fail(format!("`{other}` is no static")),
        }
    }

    /// `<static(DefId(0:49 ~ krate[230a]::module::TABLE))>`
    fn static_by_def_path(&mut self) -> Parsed<Const> {
        self.cur.expect("<static(DefId(")?;
        let text = self.cur.balanced_until(|byte| byte == b')')?;
        self.cur.expect("))>")?;
        Ok(match self.def_path(text) {
            Some(path) => Const::StaticRef(path),
            None => Const::Unsupported(format!("<static(DefId({text}))>")),
        })
    }

    /// The canonical path in `0:49 ~ krate[230a]::module::TABLE`. The definition's path, unlike printed ones, always
    /// begins with the crate, and
    /// numbers implementations.
    fn def_path(&self, text: &str) -> Option<Path> {
        let (_, path) = text.split_once(" ~ ")?;
        let (krate, rest) = path.split_once("::")?;
        let krate = krate.split_once('[')?.0;
        if rest.contains("{impl#") {
            // The tables behind the body print the name in full; the static is there, among others perhaps.
            let suffix = format!("::{}", without_number(rest.rsplit("::").next()?));
            let mut fitting = self.scope.statics.values().filter(|path| path.as_str().ends_with(&suffix));
            let path = fitting.next()?;
            return fitting.all(|other| other == path).then(|| path.clone());
        }
        let names: Vec<&str> = rest.split("::").map(without_number).collect();
        if text.starts_with("0:") {
            return Some(format!("{}::{}", self.scope.krate.prefix, names.join("::")).into());
        }
        let all: Vec<&str> = std::iter::once(krate).chain(names).collect();
        Some(self.scope.canonical(&all))
    }

    fn word_constant(&mut self) -> Parsed<Const> {
        if self.cur.eat_word("true") {
            return Ok(Const::Bool(true));
        }
        if self.cur.eat_word("false") {
            return Ok(Const::Bool(false));
        }
        if self.cur.looking_at("NaN_") || self.cur.looking_at("Inf_") {
            self.scope.doubt_word(self.cur.clone().expect_ident()?);
            return self.special_float(false);
        }
        if self.cur.eat("ZeroSized: ") {
            return Ok(Const::ZeroSized(self.ty()?));
        }
        for raw in ["Slice {", "Indirect {", "Indirect(", "Scalar("] {
            if self.cur.looking_at(raw) {
                let start = self.cur.pos();
                self.cur.balanced_until(|byte| byte == b':')?;
                self.cur.expect(": ")?;
                self.ty()?;
                return Ok(Const::Unsupported(self.cur.since(start).to_owned()));
            }
        }
        self.path_constant()
    }

    /// A named constant, or a value of a struct or enum: `P::A`, `O::Some(1_u8)`, `S {{ f: 1_u8 }}`.
    fn path_constant(&mut self) -> Parsed<Const> {
        let start = self.cur.pos();
        let path = self.item_path()?;
        // What is called is a constant itself: `const <A as Tr>::F(move _2) -> …`.
        let is_called =
            ["(copy ", "(move ", "(const ", "() -> "].iter().any(|start| self.cur.looking_at(start));
        if !is_called && self.cur.eat("(") {
            if self.cur.since(start).starts_with("fn(") {
                return fail("a function type is no constant");
            }
            // `UsizeNoHighBit(0_usize is 0..=9)`: the range is the type's, not the value's.
            let fields = self.list_until(")", |parser| {
                let value = parser.element_constant()?;
                if parser.cur.eat(" is ") {
                    parser.cur.balanced_until(|byte| matches!(byte, b')' | b','))?;
                }
                Ok(value)
            })?;
            let (ty, variant) = self.resolve_constructor(&path)?;
            return Ok(Const::Adt { ty, variant: variant.and_then(variant_name), fields });
        }
        if self.cur.eat(" {{") {
            self.cur.skip_blanks();
            let fields = if self.cur.eat("}}") {
                Vec::new()
            } else {
                let mut fields = Vec::new();
                loop {
                    self.field_name()?;
                    fields.push(self.element_constant()?);
                    if !self.cur.eat(", ") {
                        break;
                    }
                }
                self.cur.skip_blanks();
                self.cur.expect("}}")?;
                fields
            };
            let (ty, variant) = self.resolve_constructor(&path)?;
            return Ok(Const::Adt { ty, variant: variant.and_then(variant_name), fields });
        }
        self.resolve_const(&path)
    }

    /// `name: ` in front of a field's value; tuple fields are numbers.
    pub fn field_name(&mut self) -> Parsed<()> {
        if self.cur.digits().is_none() {
            self.cur.expect_ident()?;
        }
        self.cur.expect(": ")
    }
}

/// The sign in front of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
}

fn negative_sign(negative: bool) -> Sign {
    if negative { Sign::Minus } else { Sign::Plus }
}

/// The constant of that sign and magnitude, if the type has it.
pub fn int_const(magnitude: u128, sign: Sign, ty: IntTy) -> Option<Const> {
    let half = 1u128 << (ty.bits() - 1);
    let fits = match (sign, ty.signedness()) {
        (Sign::Plus, Signedness::Unsigned) => ty.truncate(magnitude) == magnitude,
        (Sign::Plus, Signedness::Signed) => magnitude < half,
        (Sign::Minus, Signedness::Signed) => magnitude <= half,
        (Sign::Minus, Signedness::Unsigned) => magnitude == 0,
    };
    let value = if sign == Sign::Minus { magnitude.wrapping_neg() } else { magnitude };
    fits.then(|| Const::Int(ty.truncate(value), ty))
}

/// Nobody knows where the crate lies in the hands of its user.
fn of_a_place(text: &str) -> Const {
    Const::Unsupported(format!("the text {text:?}, which says where the crate lies"))
}

/// A part of a definition's path without what tells items of one name in one body apart (`K#1`): others print the name alone.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests;
