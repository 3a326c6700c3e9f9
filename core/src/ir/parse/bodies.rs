//! Bodies: locals, blocks, statements, terminators, places, operands.

use super::cursor::{Cursor, Parsed};
use crate::idx::{Idx, IdxVec};
use crate::ir::*;

const BINARY: [(&str, BinOp); 18] = [
    ("Add", BinOp::Add),
    ("Sub", BinOp::Sub),
    ("Mul", BinOp::Mul),
    ("Div", BinOp::Div),
    ("Rem", BinOp::Rem),
    ("BitXor", BinOp::BitXor),
    ("BitAnd", BinOp::BitAnd),
    ("BitOr", BinOp::BitOr),
    ("Shl", BinOp::Shl),
    ("Shr", BinOp::Shr),
    ("Eq", BinOp::Eq),
    ("Lt", BinOp::Lt),
    ("Le", BinOp::Le),
    ("Ne", BinOp::Ne),
    ("Ge", BinOp::Ge),
    ("Gt", BinOp::Gt),
    ("Cmp", BinOp::Cmp),
    ("Offset", BinOp::Offset),
];

const CASTS: [(&str, CastKind); 14] = [
    ("IntToInt", CastKind::IntToInt),
    ("IntToFloat", CastKind::IntToFloat),
    ("FloatToInt", CastKind::FloatToInt),
    ("FloatToFloat", CastKind::FloatToFloat),
    ("PtrToPtr", CastKind::PtrToPtr),
    ("FnPtrToPtr", CastKind::FnPtrToPtr),
    ("Unsize", CastKind::Unsize),
    ("ReifyFnPointer", CastKind::ReifyFnPointer),
    ("ClosureFnPointer", CastKind::ClosureFnPointer),
    ("UnsafeFnPointer", CastKind::UnsafeFnPointer),
    ("Transmute", CastKind::Transmute),
    ("Subtype", CastKind::Subtype),
    ("ExposeProvenance", CastKind::ExposeProvenance),
    ("WithExposedProvenance", CastKind::WithExposedProvenance),
];

fn named<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// What stands in a block.
enum Line {
    Statement(StatementKind),
    Terminator(TerminatorKind),
}

impl Cursor<'_> {
    /// `{ locals blocks }`. Locals that the signature gives need not be declared.
    pub(super) fn body(&mut self, inputs: &[Ty], output: &Ty) -> Parsed<Body> {
        self.expect("{")?;
        let local = |ty: Ty| Local { ty, name: None, span: None };
        let mut locals: IdxVec<LocalId, Local> =
            std::iter::once(output).chain(inputs).cloned().map(local).collect();
        let mut arg_count = inputs.len();
        loop {
            let is_arg = self.eat_word("arg");
            if !is_arg && !self.eat_word("let") {
                break;
            }
            let start = self.here();
            let index = self.numbered("_")?;
            if index == 0 {
                // All of them are declared, whatever the signature says.
                (locals, arg_count) = (IdxVec::new(), 0);
            }
            if index != locals.len() {
                self.reset(start);
                return self.expected(format!("`_{}`", locals.len()));
            }
            self.expect(":")?;
            locals.push(local(self.ty()?));
            arg_count += usize::from(is_arg);
            self.expect(";")?;
        }
        while self.eat_word("debug") {
            let name = self.name()?;
            self.expect("=>")?;
            let start = self.here();
            let id = self.local()?;
            if locals.get(id).is_none() {
                self.reset(start);
                return self.expected("a local that is declared");
            }
            locals[id].name = Some(name);
            self.expect(";")?;
        }
        let mut blocks = IdxVec::new();
        while !self.eat("}") {
            let start = self.here();
            if self.numbered("bb")? != blocks.len() {
                self.reset(start);
                return self.expected(format!("`bb{}`", blocks.len()));
            }
            blocks.push(self.block_content()?);
        }
        Ok(Body { locals, arg_count, blocks })
    }

    fn block_content(&mut self) -> Parsed<Block> {
        let role = if self.eat("(cleanup)") { BlockRole::Cleanup } else { BlockRole::Normal };
        self.expect(":")?;
        self.expect("{")?;
        let mut statements = Vec::new();
        loop {
            let start = self.here();
            let line = self.line()?;
            let ((line_start, col_start), (line_end, col_end)) =
                (self.line_and_column(start), self.line_and_column(self.end()));
            let file = FileId::from_usize(0);
            let span = Some(Span { file, line_start, col_start, line_end, col_end });
            self.expect(";")?;
            match line {
                Line::Statement(kind) => statements.push(Statement { kind, span }),
                Line::Terminator(kind) => {
                    self.expect("}")?;
                    return Ok(Block { statements, terminator: Terminator { kind, span }, role });
                }
            }
        }
    }

    fn line(&mut self) -> Parsed<Line> {
        let start = self.here();
        let word = self.peek_word();
        if self.eat_word("nop") {
            return Ok(Line::Statement(StatementKind::Nop));
        }
        if self.eat_word("discriminant") {
            self.expect("(")?;
            let place = self.place()?;
            self.expect(")")?;
            self.expect("=")?;
            return Ok(Line::Statement(StatementKind::SetDiscriminant(place, self.number()?)));
        }
        if word.is_empty() || word.starts_with('_') {
            let place = self.place()?;
            self.expect("=")?;
            let destination = place.clone();
            return self.either(
                move |cursor| cursor.call(destination).map(Line::Terminator),
                move |cursor| Ok(Line::Statement(StatementKind::Assign(place, cursor.rvalue()?))),
            );
        }
        self.word()?;
        let kind = match word {
            "goto" => {
                self.expect("->")?;
                TerminatorKind::Goto(self.block()?)
            }
            "switchInt" => self.switch()?,
            "return" => TerminatorKind::Return,
            "resume" => TerminatorKind::Resume,
            "unreachable" => TerminatorKind::Unreachable,
            "abort" => TerminatorKind::Abort,
            "unsupported" => {
                self.expect("(")?;
                let text = self.string()?;
                self.expect(")")?;
                TerminatorKind::Unsupported(text)
            }
            "drop" => {
                self.expect("(")?;
                let place = self.place()?;
                self.expect(")")?;
                let (target, unwind) = self.ways()?;
                TerminatorKind::Drop { place, target: self.must_return(target)?, unwind }
            }
            "assert" => self.assertion()?,
            _ => {
                self.reset(start);
                return self.expected("a statement or a terminator");
            }
        };
        Ok(Line::Terminator(kind))
    }

    fn switch(&mut self) -> Parsed<TerminatorKind> {
        self.expect("(")?;
        let discr = self.operand()?;
        self.expect(")")?;
        self.expect("->")?;
        self.expect("[")?;
        let arms = self.list("]", |cursor| {
            let value = if cursor.eat_word("otherwise") { None } else { Some(cursor.number()?) };
            cursor.expect(":")?;
            Ok((value, cursor.block()?))
        })?;
        let otherwise = arms.iter().find(|(value, _)| value.is_none()).map(|(_, target)| *target);
        let targets = arms.into_iter().filter_map(|(value, target)| Some((value?, target))).collect();
        Ok(TerminatorKind::SwitchInt { discr, targets, otherwise })
    }

    fn assertion(&mut self) -> Parsed<TerminatorKind> {
        self.expect("(")?;
        let expected = !self.eat("!");
        let condition = self.operand()?;
        self.expect(",")?;
        let check = self.check()?;
        self.expect(")")?;
        let (target, unwind) = self.ways()?;
        Ok(TerminatorKind::Assert { condition, expected, check, target: self.must_return(target)?, unwind })
    }

    fn check(&mut self) -> Parsed<Check> {
        if self.looking_at("\"") {
            return self.string().map(Check::Other);
        }
        let start = self.here();
        match self.word()? {
            "overflow" if self.eat_word("Neg") => {
                self.expect("(")?;
                let operand = self.operand()?;
                self.expect(")")?;
                Ok(Check::OverflowNeg(operand))
            }
            "overflow" => {
                let op = self.binary_op()?;
                if self.eat_word("by") {
                    return Ok(Check::OverflowShift(op, self.operand()?));
                }
                let (a, b) = self.two_operands()?;
                Ok(Check::Overflow(op, a, b))
            }
            word @ ("division" | "remainder") => {
                self.expect_word("of")?;
                let operand = self.operand()?;
                self.expect_word("by")?;
                self.expect_word("zero")?;
                Ok(match word {
                    "division" => Check::DivisionByZero(operand),
                    _ => Check::RemainderByZero(operand),
                })
            }
            "index" => {
                let index = self.operand()?;
                self.expect_word("below")?;
                Ok(Check::BoundsCheck { index, len: self.operand()? })
            }
            _ => {
                self.reset(start);
                self.expected("what is checked")
            }
        }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(format!("`{word}`")) }
    }

    fn binary_op(&mut self) -> Parsed<BinOp> {
        match named(&BINARY, self.peek_word()) {
            Some(op) => self.word().map(|_| op),
            None => self.expected("an operator"),
        }
    }

    fn two_operands(&mut self) -> Parsed<(Operand, Operand)> {
        self.expect("(")?;
        let a = self.operand()?;
        self.expect(",")?;
        let b = self.operand()?;
        self.expect(")")?;
        Ok((a, b))
    }

    fn block(&mut self) -> Parsed<BlockId> {
        self.numbered("bb").map(BlockId::from_usize)
    }

    fn local(&mut self) -> Parsed<LocalId> {
        self.numbered("_").map(LocalId::from_usize)
    }

    /// `-> bb1`, `-> [return: bb1, unwind: bb2]`, `-> [unwind: bb2]` or `-> !`
    fn ways(&mut self) -> Parsed<(Option<BlockId>, Option<BlockId>)> {
        self.expect("->")?;
        if self.eat("!") {
            return Ok((None, None));
        }
        if !self.eat("[") {
            return Ok((Some(self.block()?), None));
        }
        let mut target = None;
        if self.eat_word("return") {
            self.expect(":")?;
            target = Some(self.block()?);
            self.expect(",")?;
        }
        self.expect_word("unwind")?;
        self.expect(":")?;
        let unwind = Some(self.block()?);
        self.expect("]")?;
        Ok((target, unwind))
    }

    fn must_return(&mut self, target: Option<BlockId>) -> Parsed<BlockId> {
        target.map_or_else(|| self.expected("a block to go on in"), Ok)
    }

    /// Behind the `=`.
    fn call(&mut self, destination: Place) -> Parsed<TerminatorKind> {
        let callee = if self.eat("(") {
            let pointer = self.operand()?;
            self.expect(")")?;
            Callee::Pointer(pointer)
        } else {
            Callee::Fn(self.fn_ref()?)
        };
        self.expect("(")?;
        let args = self.list(")", Self::operand)?;
        let (target, unwind) = self.ways()?;
        Ok(TerminatorKind::Call { callee, args, destination, target, unwind })
    }

    pub(super) fn place(&mut self) -> Parsed<Place> {
        let mut place = if self.eat("(") {
            let mut place = if self.eat("*") {
                let mut place = self.place()?;
                place.projection.push(Projection::Deref);
                place
            } else {
                self.place()?
            };
            if self.eat_word("as") {
                place.projection.push(Projection::Downcast(self.variant_ref()?));
            } else if self.eat(":") {
                let ty = self.ty()?;
                match place.projection.last_mut() {
                    Some(Projection::Field(_, declared)) => *declared = Some(ty),
                    _ => return self.expected("a field in front of its type"),
                }
            }
            self.expect(")")?;
            place
        } else {
            self.local()?.into()
        };
        loop {
            let projection = if self.eat(".") {
                Projection::Field(FieldId::from_usize(self.number()?), None)
            } else if self.eat("[") {
                self.element()?
            } else {
                return Ok(place);
            };
            place.projection.push(projection);
        }
    }

    /// `_1]`, `3]`, `-3]`, `1..3]` or `1..-2]`
    fn element(&mut self) -> Parsed<Projection> {
        let end = |cursor: &mut Self| if cursor.eat("-") { SequenceEnd::Back } else { SequenceEnd::Front };
        let projection = if self.looking_at("_") {
            Projection::Index(self.local()?)
        } else {
            let from = end(self);
            let offset = self.number()?;
            if self.eat("..") {
                let end = end(self);
                Projection::Subslice { from: offset, to: self.number()?, end }
            } else {
                Projection::ConstantIndex { offset, from }
            }
        };
        self.expect("]")?;
        Ok(projection)
    }

    pub(super) fn variant_ref(&mut self) -> Parsed<VariantRef> {
        if self.eat("variant#") {
            return self.number().map(VariantRef::Index);
        }
        self.name().map(VariantRef::Name)
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        if self.eat_word("copy") {
            self.place().map(Operand::Copy)
        } else if self.eat_word("move") {
            self.place().map(Operand::Move)
        } else if self.eat_word("const") {
            self.constant().map(Operand::Const)
        } else {
            self.expected("`copy`, `move` or `const`")
        }
    }

    fn rvalue(&mut self) -> Parsed<Rvalue> {
        let word = self.peek_word();
        if self.looking_at("&") || self.looking_at("*") {
            return self.either(Self::fat_pointer, Self::borrow);
        }
        if matches!(word, "copy" | "move" | "const") {
            let operand = self.operand()?;
            if !self.eat_word("as") {
                return Ok(Rvalue::Use(operand));
            }
            let ty = self.ty()?;
            self.expect("(")?;
            let Some(kind) = named(&CASTS, self.peek_word()) else { return self.expected("a kind of cast") };
            self.word()?;
            self.expect(")")?;
            return Ok(Rvalue::Cast(kind, operand, ty));
        }
        if self.eat("(") {
            let operands = self.list(")", Self::operand)?;
            return Ok(Rvalue::Aggregate(AggregateKind::Tuple, operands));
        }
        if self.eat("[") {
            if self.eat("]") {
                return Ok(Rvalue::Aggregate(AggregateKind::Array, Vec::new()));
            }
            let start = self.here();
            let first = self.operand()?;
            if self.eat(";") {
                let len = self.constant()?;
                self.expect("]")?;
                return Ok(Rvalue::Repeat(first, len));
            }
            self.reset(start);
            let operands = self.list("]", Self::operand)?;
            return Ok(Rvalue::Aggregate(AggregateKind::Array, operands));
        }
        self.either(|cursor| cursor.operation(word), Self::aggregate)
    }

    /// `TYPE from (pointer, metadata)`
    fn fat_pointer(&mut self) -> Parsed<Rvalue> {
        let ty = self.ty()?;
        self.expect_word("from")?;
        let (pointer, metadata) = self.two_operands()?;
        Ok(Rvalue::FatPtr { pointer, metadata, ty })
    }

    fn borrow(&mut self) -> Parsed<Rvalue> {
        self.expect("&")?;
        let is_raw = self.eat_word("raw");
        let mutability = if self.eat_word("mut") { Mutability::Mut } else { Mutability::Shared };
        if is_raw && mutability == Mutability::Shared {
            self.expect_word("const")?;
        }
        let place = self.place()?;
        Ok(if is_raw { Rvalue::RawPtr(mutability, place) } else { Rvalue::Ref(mutability, place) })
    }

    /// `WORD(…)`
    fn operation(&mut self, word: &str) -> Parsed<Rvalue> {
        let checked = word.strip_suffix("WithOverflow").and_then(|word| named(&BINARY, word));
        let binary = named(&BINARY, word);
        let is_known =
            matches!(word, "Not" | "Neg" | "discriminant" | "Len" | "PtrMetadata" | "SizeOf" | "AlignOf");
        if checked.is_none() && binary.is_none() && !is_known {
            return self.expected("a value");
        }
        self.word()?;
        if let Some(op) = checked {
            return self.two_operands().map(|(a, b)| Rvalue::CheckedBinary(op, a, b));
        }
        if let Some(op) = binary {
            return self.two_operands().map(|(a, b)| Rvalue::Binary(op, a, b));
        }
        self.expect("(")?;
        let rvalue = match word {
            "Not" => Rvalue::Unary(UnOp::Not, self.operand()?),
            "Neg" => Rvalue::Unary(UnOp::Neg, self.operand()?),
            "discriminant" => Rvalue::Discriminant(self.place()?),
            "Len" => Rvalue::Len(self.place()?),
            "PtrMetadata" => Rvalue::PtrMetadata(self.operand()?),
            "SizeOf" => Rvalue::SizeOf(self.ty()?),
            _ => Rvalue::AlignOf(self.ty()?),
        };
        self.expect(")")?;
        Ok(rvalue)
    }

    fn aggregate(&mut self) -> Parsed<Rvalue> {
        let (ty, variant, operands) = self.made(Self::operand)?;
        let kind = match ty.kind() {
            TyKind::Closure(path, args) => AggregateKind::Closure { path: path.clone(), args: args.clone() },
            _ => AggregateKind::Adt { ty, variant },
        };
        Ok(Rvalue::Aggregate(kind, operands))
    }
}
