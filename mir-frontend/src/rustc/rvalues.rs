//! Right-hand sides of assignments.

use regress_core::idx::Idx;
use regress_core::ir::{
    AggregateKind, BinOp, CastKind, Const, KnownType, Mutability, Operand, Place, Projection, Rvalue, Ty,
    TyKind, UnOp,
};

use super::cursor::{Parsed, fail};
use super::doubts::Either;
use super::paths::ItemPath;
use super::types::Parser;

/// What stands behind `place = `: a value, or the beginning of a call.
#[derive(Debug)]
pub enum RightHandSide<'a> {
    Value(Rvalue),
    /// A path and its operands in parentheses; a call if an arrow follows, else a tuple constructor.
    PathWithOperands(ItemPath<'a>, Vec<Operand>),
    /// An operator, or the constructor of a struct of that name.
    Either(Either),
}

fn binary_op(word: &str) -> Option<BinOp> {
    Some(match word {
        "Add" | "AddUnchecked" => BinOp::Add,
        "Sub" | "SubUnchecked" => BinOp::Sub,
        "Mul" | "MulUnchecked" => BinOp::Mul,
        "Div" => BinOp::Div,
        "Rem" => BinOp::Rem,
        "BitXor" => BinOp::BitXor,
        "BitAnd" => BinOp::BitAnd,
        "BitOr" => BinOp::BitOr,
        "Shl" | "ShlUnchecked" => BinOp::Shl,
        "Shr" | "ShrUnchecked" => BinOp::Shr,
        "Eq" => BinOp::Eq,
        "Lt" => BinOp::Lt,
        "Le" => BinOp::Le,
        "Ne" => BinOp::Ne,
        "Ge" => BinOp::Ge,
        "Gt" => BinOp::Gt,
        "Cmp" => BinOp::Cmp,
        "Offset" => BinOp::Offset,
        _ => return None,
    })
}

fn checked_op(word: &str) -> Option<BinOp> {
    Some(match word {
        "AddWithOverflow" => BinOp::Add,
        "SubWithOverflow" => BinOp::Sub,
        "MulWithOverflow" => BinOp::Mul,
        _ => return None,
    })
}

impl<'a> Parser<'a, '_> {
    pub fn right_hand_side(&mut self) -> Parsed<RightHandSide<'a>> {
        match self.cur.peek() {
            Some(b'&') => self.reference().map(RightHandSide::Value),
            Some(b'[') => self.array().map(RightHandSide::Value),
            Some(b'(') => {
                self.cur.expect("(")?;
                let items = self.operands_until(")")?;
                Ok(RightHandSide::Value(Rvalue::Aggregate(AggregateKind::Tuple, items)))
            }
            Some(b'{') => self.closure().map(RightHandSide::Value),
            Some(b'*') => self.fat_pointer().map(RightHandSide::Value),
            _ if self.is_keyword_operand() => {
                let operand = self.operand()?;
                self.use_or_cast(operand).map(RightHandSide::Value)
            }
            _ => self.operator_or_path(),
        }
    }

    fn is_keyword_operand(&self) -> bool {
        ["copy ", "move ", "const ", "no_retag ", "deref_copy "].iter().any(|word| self.cur.looking_at(word))
            || ["UbChecks", "OverflowChecks", "ContractChecks"]
                .iter()
                .any(|word| self.cur.looking_at_word(word))
    }

    fn reference(&mut self) -> Parsed<Rvalue> {
        self.cur.expect("&")?;
        // The static of this thread; a body runs on one.
        if self.cur.eat("/*tls*/ ") {
            self.cur.eat("mut ");
            return Ok(Rvalue::Use(Operand::Const(Const::StaticRef(self.static_path()?))));
        }
        if self.cur.eat("raw ") {
            let mutability = if self.cur.eat("const ") {
                self.cur.eat("(fake) ");
                Mutability::Shared
            } else {
                self.cur.expect("mut ")?;
                Mutability::Mut
            };
            return Ok(Rvalue::RawPtr(mutability, self.place()?));
        }
        if self.cur.eat_lifetime() {
            self.cur.skip_blanks();
        }
        if self.cur.eat("fake ") {
            // A shallow borrow for match guards; nothing can be done through it.
            self.cur.eat("shallow ");
            return Ok(Rvalue::Ref(Mutability::Shared, self.place()?));
        }
        let mutability = if self.cur.eat("mut ") { Mutability::Mut } else { Mutability::Shared };
        Ok(Rvalue::Ref(mutability, self.place()?))
    }

    fn array(&mut self) -> Parsed<Rvalue> {
        self.cur.expect("[")?;
        if self.cur.eat("]") {
            return Ok(Rvalue::Aggregate(AggregateKind::Array, Vec::new()));
        }
        let first = self.operand()?;
        if self.cur.eat("; ") {
            let len = self.const_arg(regress_core::ir::IntTy::Usize)?;
            self.cur.expect("]")?;
            return Ok(Rvalue::Repeat(first, len));
        }
        let mut items = vec![first];
        if self.cur.eat(", ") {
            items.extend(self.operands_until("]")?);
        } else {
            self.cur.expect("]")?;
        }
        Ok(Rvalue::Aggregate(AggregateKind::Array, items))
    }

    fn closure(&mut self) -> Parsed<Rvalue> {
        if !self.cur.looking_at("{closure@") {
            let text = self.cur.rest();
            return fail(format!(
                "coroutines are not supported: `{}`",
                text.split(" (#").next().unwrap_or(text)
            ));
        }
        let ty = self.ty()?;
        let TyKind::Closure(path, args) = ty.kind() else { return fail("a closure was expected") };
        let kind = AggregateKind::Closure { path: path.clone(), args: args.clone() };
        let captures = if self.cur.eat(" { ") { self.named_operands()? } else { Vec::new() };
        Ok(Rvalue::Aggregate(kind, captures))
    }

    /// `a: move _1, b: copy _2 }` after the opening brace.
    fn named_operands(&mut self) -> Parsed<Vec<Operand>> {
        self.list_until("}", |parser| {
            parser.field_name()?;
            parser.operand()
        })
    }

    /// `*const [T] from (copy _1, copy _2)`
    fn fat_pointer(&mut self) -> Parsed<Rvalue> {
        let ty = self.ty()?;
        self.cur.expect(" from (")?;
        let pointer = self.operand()?;
        self.cur.expect(", ")?;
        let metadata = self.operand()?;
        self.cur.expect(")")?;
        Ok(Rvalue::FatPtr { pointer, metadata, ty })
    }

    fn use_or_cast(&mut self, operand: Operand) -> Parsed<Rvalue> {
        if !self.cur.eat(" as ") {
            return Ok(Rvalue::Use(operand));
        }
        let ty = self.ty()?;
        self.cur.expect(" (")?;
        let text = self.cur.balanced_until(|byte| byte == b')')?;
        self.cur.expect(")")?;
        let kind = cast_kind(text)?;
        let operand = if kind == CastKind::Transmute { whole_box(operand, &ty) } else { operand };
        Ok(Rvalue::Cast(kind, operand, ty))
    }

    /// What begins with a word: an operator, an aggregate, a unit value, a function item under a cast, a call.
    fn operator_or_path(&mut self) -> Parsed<RightHandSide<'a>> {
        let start = self.cur.pos();
        if let Some(word) = self.cur.ident()
            && self.cur.eat("(")
        {
            if !self.scope.krate.lists(word) {
                if let Some(value) = self.operator(word)? {
                    return Ok(RightHandSide::Value(value));
                }
            } else if let Some(either) = self.operator_or_item(word, start) {
                return Ok(RightHandSide::Either(either));
            }
        }
        self.cur.reset(start);
        let path = self.item_path()?;
        if self.cur.eat("(") {
            let operands = self.operands_until(")")?;
            return Ok(RightHandSide::PathWithOperands(path, operands));
        }
        if self.cur.eat(" { ") {
            let operands = self.named_operands()?;
            return self.aggregate(&path, operands).map(RightHandSide::Value);
        }
        if self.cur.looking_at(" as ") {
            let operand = Operand::Const(Const::Fn(Box::new(self.resolve_fn(&path)?)));
            return self.use_or_cast(operand).map(RightHandSide::Value);
        }
        if let Ok((ty, variant)) = self.resolve_constructor(&path) {
            return Ok(RightHandSide::Value(Rvalue::Aggregate(
                AggregateKind::Adt { ty, variant },
                Vec::new(),
            )));
        }
        let item = self.resolve_fn(&path)?;
        Ok(RightHandSide::Value(Rvalue::Use(Operand::Const(Const::Fn(Box::new(item))))))
    }

    /// Both readings of `WORD(…)`, after its `(`, where the crate defines a `WORD` too. None if it is no operator: then it is a call (which
    /// no operator is) or only the crate's.
    fn operator_or_item(&mut self, word: &str, start: usize) -> Option<Either> {
        let operator = self.operator(word).ok().flatten();
        let end = self.cur.pos();
        if operator.is_none() || self.cur.looking_at(" -> ") {
            return None;
        }
        self.cur.reset(start);
        let constructor = self.constructor();
        let end = if constructor.is_some() { self.cur.pos() } else { end };
        self.cur.reset(end);
        Some(Either { word: word.to_owned(), operator, constructor })
    }

    /// `PATH(…)` as a struct with its fields.
    fn constructor(&mut self) -> Option<Rvalue> {
        let path = self.item_path().ok()?;
        self.cur.expect("(").ok()?;
        let operands = self.operands_until(")").ok()?;
        self.aggregate(&path, operands).ok()
    }

    pub fn aggregate(&self, path: &ItemPath<'a>, operands: Vec<Operand>) -> Parsed<Rvalue> {
        let (ty, variant) = self.resolve_constructor(path)?;
        if let TyKind::Adt(adt, _) = ty.kind()
            && let Some(shape) = self.scope.names.adts.get(adt)
            && shape.kind == regress_core::ir::AdtKind::Union
        {
            return fail(format!(
                "a literal of union `{adt}`: the compiler does not print which field is written"
            ));
        }
        Ok(Rvalue::Aggregate(AggregateKind::Adt { ty, variant }, operands))
    }

    /// The operator `word`, after its `(`. None if there is no such operator.
    fn operator(&mut self, word: &str) -> Parsed<Option<Rvalue>> {
        if let Some(op) = binary_op(word) {
            let (left, right) = self.two_operands()?;
            return Ok(Some(Rvalue::Binary(op, left, right)));
        }
        if let Some(op) = checked_op(word) {
            let (left, right) = self.two_operands()?;
            return Ok(Some(Rvalue::CheckedBinary(op, left, right)));
        }
        let value = match word {
            "Not" => Rvalue::Unary(UnOp::Not, self.operand()?),
            "Neg" => Rvalue::Unary(UnOp::Neg, self.operand()?),
            "discriminant" => Rvalue::Discriminant(self.place()?),
            "Len" => Rvalue::Len(self.place()?),
            "PtrMetadata" => Rvalue::PtrMetadata(self.operand()?),
            "SizeOf" => Rvalue::SizeOf(self.ty()?),
            "AlignOf" => Rvalue::AlignOf(self.ty()?),
            _ => return Ok(None),
        };
        self.cur.expect(")")?;
        Ok(Some(value))
    }

    fn two_operands(&mut self) -> Parsed<(Operand, Operand)> {
        let left = self.operand()?;
        self.cur.expect(", ")?;
        let right = self.operand()?;
        self.cur.expect(")")?;
        Ok((left, right))
    }
}

fn cast_kind(text: &str) -> Parsed<CastKind> {
    Ok(match text {
        "IntToInt" => CastKind::IntToInt,
        "IntToFloat" => CastKind::IntToFloat,
        "FloatToInt" => CastKind::FloatToInt,
        "FloatToFloat" => CastKind::FloatToFloat,
        "PtrToPtr" => CastKind::PtrToPtr,
        "FnPtrToPtr" => CastKind::FnPtrToPtr,
        "Transmute" => CastKind::Transmute,
        "Subtype" => CastKind::Subtype,
        "PointerExposeProvenance" => CastKind::ExposeProvenance,
        "PointerWithExposedProvenance" => CastKind::WithExposedProvenance,
        _ => {
            let Some(coercion) = text.strip_prefix("PointerCoercion(") else {
                return fail(format!("unknown cast `{text}`"));
            };
            let kind = coercion.split([',', '(', ')']).next().unwrap_or_default();
            match kind {
                "Unsize" => CastKind::Unsize,
                "ReifyFnPointer" => CastKind::ReifyFnPointer,
                "ClosureFnPointer" => CastKind::ClosureFnPointer,
                "UnsafeFnPointer" => CastKind::UnsafeFnPointer,
                "MutToConstPointer" | "ArrayToPointer" => CastKind::PtrToPtr,
                _ => return fail(format!("unknown pointer coercion `{text}`")),
            }
        }
    })
}

/// A dereferenced `Box` reaches into the box for its pointer: `((_1.0: Unique<T>).0: NonNull<T>) as *const T`. The
/// box stands for that pointer here, so that nothing need know what a box is made of.
pub fn whole_box(operand: Operand, to: &Ty) -> Operand {
    let through = |place: &Place| {
        let [rest @ .., Projection::Field(outer, Some(unique)), Projection::Field(inner, Some(non_null))] =
            place.projection.as_slice()
        else {
            return None;
        };
        let is_pointer = matches!(to.kind(), TyKind::RawPtr(..));
        (outer.index() == 0
            && inner.index() == 0
            && is_pointer
            && unique.known() == Some(KnownType::Unique)
            && non_null.known() == Some(KnownType::NonNull))
        .then(|| Place { local: place.local, projection: rest.to_vec() })
    };
    match &operand {
        Operand::Copy(place) | Operand::Move(place) => through(place).map_or(operand.clone(), Operand::Copy),
        Operand::Const(_) => operand,
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{FieldId, FnRef, IntTy, LocalId, VariantRef};

    use super::super::testing::with_parser;
    use super::*;

    fn parse(text: &str) -> Parsed<Rvalue> {
        with_parser(text, |parser| {
            let value = match parser.right_hand_side()? {
                RightHandSide::Value(value) => value,
                RightHandSide::PathWithOperands(path, operands) => parser.aggregate(&path, operands)?,
                RightHandSide::Either(_) => return fail("two readings"),
            };
            if parser.cur.is_done() { Ok(value) } else { parser.cur.unexpected("the end") }
        })
    }

    fn check(text: &str, expected: Rvalue) {
        assert_eq!(parse(text), Ok(expected), "{text}");
    }

    fn place(index: usize) -> Place {
        Place::from(LocalId::from_usize(index))
    }

    fn copy(index: usize) -> Operand {
        Operand::Copy(place(index))
    }

    fn moved(index: usize) -> Operand {
        Operand::Move(place(index))
    }

    fn int(value: i128) -> Operand {
        Operand::Const(Const::int(value, IntTy::I32))
    }

    fn ty(text: &str) -> Ty {
        with_parser(text, |parser| parser.ty()).expect(text)
    }

    #[test]
    fn operators() {
        check("Add(copy _1, const 2_i32)", Rvalue::Binary(BinOp::Add, copy(1), int(2)));
        check("AddUnchecked(copy _1, copy _2)", Rvalue::Binary(BinOp::Add, copy(1), copy(2)));
        check("SubWithOverflow(copy _1, move _2)", Rvalue::CheckedBinary(BinOp::Sub, copy(1), moved(2)));
        check("Cmp(copy _1, copy _2)", Rvalue::Binary(BinOp::Cmp, copy(1), copy(2)));
        check("Offset(copy _1, copy _2)", Rvalue::Binary(BinOp::Offset, copy(1), copy(2)));
        check("Not(move _1)", Rvalue::Unary(UnOp::Not, moved(1)));
        check("Neg(copy _1)", Rvalue::Unary(UnOp::Neg, copy(1)));
        check("discriminant(_7)", Rvalue::Discriminant(place(7)));
        check("Len(_7)", Rvalue::Len(place(7)));
        check("PtrMetadata(copy _1)", Rvalue::PtrMetadata(copy(1)));
        check("SizeOf(u8)", Rvalue::SizeOf(ty("u8")));
        check("AlignOf(T)", Rvalue::AlignOf(ty("T")));
    }

    #[test]
    fn references_and_pointers() {
        check("&_1", Rvalue::Ref(Mutability::Shared, place(1)));
        check("&mut _1", Rvalue::Ref(Mutability::Mut, place(1)));
        check("&raw const _1", Rvalue::RawPtr(Mutability::Shared, place(1)));
        check("&raw mut _1", Rvalue::RawPtr(Mutability::Mut, place(1)));
        check("&raw const (fake) _1", Rvalue::RawPtr(Mutability::Shared, place(1)));
        let fat = Rvalue::FatPtr { pointer: copy(1), metadata: copy(2), ty: ty("*const [u8]") };
        check("*const [u8] from (copy _1, copy _2)", fat);
        let of_thread = Rvalue::Use(Operand::Const(Const::StaticRef("krate::COUNTER".into())));
        check("&/*tls*/ COUNTER", of_thread.clone());
        check("&/*tls*/ mut COUNTER", of_thread);
    }

    #[test]
    fn aggregates() {
        let adt = |text: &str, variant: Option<&str>| AggregateKind::Adt {
            ty: ty(text),
            variant: variant.map(|name| VariantRef::Name(name.into())),
        };
        check("[copy _1; 16]", Rvalue::Repeat(copy(1), Const::int(16, IntTy::Usize)));
        check("[move _2; N]", Rvalue::Repeat(moved(2), Const::Param("N".into())));
        check("[]", Rvalue::Aggregate(AggregateKind::Array, vec![]));
        check("[move _1, const 2_i32]", Rvalue::Aggregate(AggregateKind::Array, vec![moved(1), int(2)]));
        check("(move _1,)", Rvalue::Aggregate(AggregateKind::Tuple, vec![moved(1)]));
        check("()", Rvalue::Aggregate(AggregateKind::Tuple, vec![]));
        check(
            "data::Point { x: move _1, y: copy _2 }",
            Rvalue::Aggregate(adt("data::Point", None), vec![moved(1), copy(2)]),
        );
        check(
            "std::option::Option::<u32>::Some(move _4)",
            Rvalue::Aggregate(adt("std::option::Option<u32>", Some("Some")), vec![moved(4)]),
        );
        check("data::Shape::Empty", Rvalue::Aggregate(adt("data::Shape", Some("Empty")), vec![]));
        let closure = AggregateKind::Closure { path: "krate::f::{closure#0}".into(), args: vec![] };
        check(
            "{closure@f::{closure#0}} { v: move _3, n: move _4 }",
            Rvalue::Aggregate(closure.clone(), vec![moved(3), moved(4)]),
        );
        check("{closure@f::{closure#0}}", Rvalue::Aggregate(closure, vec![]));
        // The field's name in a literal of a union is not the one that is written.
        assert!(parse("U { a: const 1.5f32 }").is_err());
        assert!(parse("{coroutine@src/misc.rs:2:31: 2:63 (#0)} { x: copy _1 }").is_err());
    }

    #[test]
    fn casts() {
        let cast = |kind, operand, to: &str| Rvalue::Cast(kind, operand, ty(to));
        for (text, kind) in [
            ("IntToInt", CastKind::IntToInt),
            ("FloatToInt", CastKind::FloatToInt),
            ("FloatToFloat", CastKind::FloatToFloat),
            ("IntToFloat", CastKind::IntToFloat),
            ("PtrToPtr", CastKind::PtrToPtr),
            ("FnPtrToPtr", CastKind::FnPtrToPtr),
            ("Transmute", CastKind::Transmute),
            ("Subtype", CastKind::Subtype),
            ("PointerExposeProvenance", CastKind::ExposeProvenance),
            ("PointerWithExposedProvenance", CastKind::WithExposedProvenance),
            ("PointerCoercion(Unsize, Implicit)", CastKind::Unsize),
            ("PointerCoercion(ReifyFnPointer(Safe), AsCast)", CastKind::ReifyFnPointer),
            ("PointerCoercion(ClosureFnPointer(Safe), Implicit)", CastKind::ClosureFnPointer),
            ("PointerCoercion(UnsafeFnPointer, Implicit)", CastKind::UnsafeFnPointer),
            ("PointerCoercion(MutToConstPointer, AsCast)", CastKind::PtrToPtr),
            ("PointerCoercion(ArrayToPointer, AsCast)", CastKind::PtrToPtr),
        ] {
            check(&format!("move _1 as u8 ({text})"), cast(kind, moved(1), "u8"));
        }
        assert!(parse("move _1 as u8 (Guess)").is_err());
        let item = FnRef::Free { path: "krate::plus".into(), args: vec![] };
        check(
            "plus as fn(u8) -> u8 (PointerCoercion(ReifyFnPointer(Safe), Implicit))",
            cast(CastKind::ReifyFnPointer, Operand::Const(Const::Fn(Box::new(item))), "fn(u8) -> u8"),
        );
    }

    #[test]
    fn a_dereferenced_box_is_the_box_itself() {
        let text = "copy (((*_2).0: std::ptr::Unique<T>).0: std::ptr::NonNull<T>) as *const T (Transmute)";
        let boxed = Place { local: LocalId::from_usize(2), projection: vec![Projection::Deref] };
        check(text, Rvalue::Cast(CastKind::Transmute, Operand::Copy(boxed), ty("*const T")));
        // Any other transmutation of a field stays one of that field.
        let other = "copy (_2.0: u8) as i8 (Transmute)";
        let field = Projection::Field(FieldId::from_usize(0), Some(ty("u8")));
        let place = Place { local: LocalId::from_usize(2), projection: vec![field] };
        check(other, Rvalue::Cast(CastKind::Transmute, Operand::Copy(place), ty("i8")));
    }
}
