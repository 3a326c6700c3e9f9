//! Right-hand sides of assignments.

use regress_core::idx::Idx;
use regress_core::ir::{
    AggregateKind, BinOp, CastKind, Const, Mutability, Operand, Place, Projection, Rvalue, Ty, TyKind, UnOp,
};

use super::cursor::{Parsed, fail};
use super::paths::ItemPath;
use super::types::Parser;

/// What stands behind `place = `: a value, or the beginning of a call.
#[derive(Debug)]
pub enum RightHandSide<'a> {
    Value(Rvalue),
    /// A path and its operands in parentheses; a call if an arrow follows, else a tuple constructor.
    PathWithOperands(ItemPath<'a>, Vec<Operand>),
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
        if self.cur.looking_at("/*tls*/") {
            return fail("thread-local statics are not supported");
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
            && let Some(value) = self.operator(word)?
        {
            return Ok(RightHandSide::Value(value));
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
fn whole_box(operand: Operand, to: &Ty) -> Operand {
    let through = |place: &Place| {
        let [rest @ .., Projection::Field(outer, Some(unique)), Projection::Field(inner, Some(non_null))] =
            place.projection.as_slice()
        else {
            return None;
        };
        let is = |ty: &Ty, name: &str| matches!(ty.kind(), TyKind::Adt(path, _) if path == name);
        let is_pointer = matches!(to.kind(), TyKind::RawPtr(..));
        (outer.index() == 0
            && inner.index() == 0
            && is_pointer
            && is(unique, "std::ptr::Unique")
            && is(non_null, "std::ptr::NonNull"))
        .then(|| Place { local: place.local, projection: rest.to_vec() })
    };
    match &operand {
        Operand::Copy(place) | Operand::Move(place) => through(place).map_or(operand.clone(), Operand::Copy),
        Operand::Const(_) => operand,
    }
}
