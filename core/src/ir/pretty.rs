//! Text of functions, bodies and types in the manner of rustc's MIR, for people and for tests.
//!
//! The text says all of a body but its spans, and all of a function but what it is declared in, its bounds and where it
//! comes from. `parse` reads it back in tests. Equal text is not what equal meaning is: whoever compares bodies uses [`super::canonical`].

mod full;

use std::fmt::{self, Display, Formatter};

use super::*;
pub use full::{Full, RESERVED};
use full::{callee_path, length, made};

fn list<T: Display>(items: &[T]) -> String {
    items.iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn generics(params: &[GenericParam]) -> String {
    if params.is_empty() { String::new() } else { format!("<{}>", list(params)) }
}

fn public(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "pub ",
        Visibility::Private => "",
    }
}

impl Display for Adt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.discriminant_ty != IntTy::Isize {
            writeln!(f, "#[repr({})]", self.discriminant_ty)?;
        }
        let kind = match self.kind {
            AdtKind::Struct => "struct",
            AdtKind::Enum => "enum",
            AdtKind::Union => "union",
        };
        write!(
            f,
            "{}{kind} {}{}",
            public(self.visibility),
            callee_path(&self.path),
            generics(&self.generics)
        )?;
        match (self.kind, self.variants.as_slice()) {
            (AdtKind::Struct | AdtKind::Union, [only]) => match only.ctor {
                CtorKind::Struct => writeln!(f, " {}", fields(only)),
                CtorKind::Unit | CtorKind::Tuple => writeln!(f, "{};", fields(only)),
            },
            (_, variants) => {
                writeln!(f, " {{")?;
                for variant in variants {
                    let gap = if variant.ctor == CtorKind::Struct { " " } else { "" };
                    writeln!(f, "    {}{gap}{} = {},", variant.name, fields(variant), variant.discriminant)?;
                }
                writeln!(f, "}}")
            }
        }
    }
}

fn fields(variant: &Variant) -> String {
    let tys: Vec<String> = variant
        .fields
        .iter()
        .map(|field| match variant.ctor {
            CtorKind::Struct => {
                format!("{}{}: {}", public(field.visibility), field.name, Full(&field.ty))
            }
            CtorKind::Unit | CtorKind::Tuple => format!("{}{}", public(field.visibility), Full(&field.ty)),
        })
        .collect();
    match variant.ctor {
        CtorKind::Unit => String::new(),
        CtorKind::Tuple => format!("({})", tys.join(", ")),
        CtorKind::Struct => format!("{{ {} }}", tys.join(", ")),
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FunctionKind::Fn => "fn",
            FunctionKind::Adapter => "adapter",
            FunctionKind::Closure => "closure",
            FunctionKind::Constructor => "constructor",
            FunctionKind::Const => "const",
            FunctionKind::Static => "static",
            FunctionKind::StaticMut => "static mut",
            FunctionKind::Promoted => "promoted",
            FunctionKind::Test => "test",
        };
        let inputs: Vec<String> =
            (1..).zip(&self.inputs).map(|(index, ty)| format!("_{index}: {}", Full(ty))).collect();
        let (path, generics) = (callee_path(&self.path), generics(&self.generics));
        let (visibility, output) = (public(self.visibility), Full(&self.output));
        write!(f, "{visibility}{kind} {path}{generics}({}) -> {output}", inputs.join(", "))?;
        match &self.body {
            FnBody::Present(body) => write!(f, " {}", **body),
            FnBody::Unreadable { reason, line: Some(line) } => writeln!(f, " unreadable {line} {reason:?};"),
            FnBody::Unreadable { reason, line: None } => writeln!(f, " unreadable {reason:?};"),
            FnBody::Missing => writeln!(f, ";"),
        }
    }
}

impl Display for GenericParam {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.kind {
            GenericParamKind::Type => write!(f, "{}", self.name),
            GenericParamKind::Const(ConstTy::USIZE) => write!(f, "const {}", self.name),
            GenericParamKind::Const(ty) => write!(f, "const {}: {}", self.name, ty.name()),
        }
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{{")?;
        for (id, local) in self.locals.iter_enumerated() {
            let word = if self.args().any(|arg| arg == id) { "arg" } else { "let" };
            writeln!(f, "    {word} {id}: {};", Full(&local.ty))?;
        }
        for (id, local) in self.locals.iter_enumerated() {
            if let Some(name) = &local.name {
                writeln!(f, "    debug {name} => {id};")?;
            }
        }
        for (id, block) in self.blocks.iter_enumerated() {
            let role = match block.role {
                BlockRole::Normal => "",
                BlockRole::Cleanup => " (cleanup)",
            };
            writeln!(f, "\n    {id}{role}: {{")?;
            for statement in &block.statements {
                writeln!(f, "        {statement};")?;
            }
            writeln!(f, "        {};", block.terminator)?;
            writeln!(f, "    }}")?;
        }
        writeln!(f, "}}")
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl Display for StatementKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StatementKind::Assign(place, rvalue) => write!(f, "{place} = {rvalue}"),
            StatementKind::SetDiscriminant(place, variant) => write!(f, "discriminant({place}) = {variant}"),
            StatementKind::Nop => f.write_str("nop"),
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl Display for TerminatorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TerminatorKind::Goto(target) => write!(f, "goto -> {target}"),
            TerminatorKind::SwitchInt { discr, targets, otherwise } => {
                let arms: Vec<String> = targets
                    .iter()
                    .map(|(value, target)| format!("{value}: {target}"))
                    .chain(otherwise.map(|target| format!("otherwise: {target}")))
                    .collect();
                write!(f, "switchInt({discr}) -> [{}]", arms.join(", "))
            }
            TerminatorKind::Return => f.write_str("return"),
            TerminatorKind::Resume => f.write_str("resume"),
            TerminatorKind::Unreachable => f.write_str("unreachable"),
            TerminatorKind::Abort => f.write_str("abort"),
            TerminatorKind::Drop { place, target, unwind } => {
                write!(f, "drop({place}) -> {}", ways(Some(*target), *unwind))
            }
            TerminatorKind::Call { callee, args, destination, target, unwind } => {
                write!(f, "{destination} = {callee}({}) -> {}", list(args), ways(*target, *unwind))
            }
            TerminatorKind::Assert { condition, expected, check, target, unwind } => {
                let sign = if *expected { "" } else { "!" };
                write!(f, "assert({sign}{condition}, {check}) -> {}", ways(Some(*target), *unwind))
            }
            TerminatorKind::Unsupported(text) => write!(f, "unsupported({text:?})"),
        }
    }
}

/// The normal and the unwinding successor.
fn ways(target: Option<BlockId>, unwind: Option<BlockId>) -> String {
    match (target, unwind) {
        (Some(target), None) => target.to_string(),
        (Some(target), Some(unwind)) => format!("[return: {target}, unwind: {unwind}]"),
        (None, Some(unwind)) => format!("[unwind: {unwind}]"),
        (None, None) => "!".to_string(),
    }
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Fn(fn_ref) => write!(f, "{}", Full(fn_ref)),
            Callee::Pointer(operand) => write!(f, "({operand})"),
        }
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Check::Overflow(op, a, b) => write!(f, "overflow {op:?}({a}, {b})"),
            Check::OverflowNeg(a) => write!(f, "overflow Neg({a})"),
            Check::OverflowShift(op, by) => write!(f, "overflow {op:?} by {by}"),
            Check::DivisionByZero(a) => write!(f, "division of {a} by zero"),
            Check::RemainderByZero(a) => write!(f, "remainder of {a} by zero"),
            Check::BoundsCheck { len, index } => write!(f, "index {index} below {len}"),
            Check::Other(text) => write!(f, "{text:?}"),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = self.local.to_string();
        for projection in &self.projection {
            text = match projection {
                Projection::Deref => format!("(*{text})"),
                Projection::Field(field, Some(ty)) => {
                    format!("({text}.{}: {})", field_number(*field), Full(ty))
                }
                Projection::Field(field, None) => format!("{text}.{}", field_number(*field)),
                Projection::Downcast(variant) => format!("({text} as {variant})"),
                Projection::Index(local) => format!("{text}[{local}]"),
                Projection::ConstantIndex { offset, from: SequenceEnd::Front } => format!("{text}[{offset}]"),
                Projection::ConstantIndex { offset, from: SequenceEnd::Back } => format!("{text}[-{offset}]"),
                Projection::Subslice { from, to, end: SequenceEnd::Front } => format!("{text}[{from}..{to}]"),
                Projection::Subslice { from, to, end: SequenceEnd::Back } => format!("{text}[{from}..-{to}]"),
            };
        }
        f.write_str(&text)
    }
}

fn field_number(field: FieldId) -> usize {
    crate::idx::Idx::index(field)
}

impl Display for VariantRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            VariantRef::Name(name) => write!(f, "{name}"),
            VariantRef::Index(index) => write!(f, "variant#{index}"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Copy(place) => write!(f, "copy {place}"),
            Operand::Move(place) => write!(f, "move {place}"),
            Operand::Const(constant) => write!(f, "const {}", Full(constant)),
        }
    }
}

impl Display for Rvalue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rvalue::Use(operand) => write!(f, "{operand}"),
            Rvalue::Ref(Mutability::Shared, place) => write!(f, "&{place}"),
            Rvalue::Ref(Mutability::Mut, place) => write!(f, "&mut {place}"),
            Rvalue::RawPtr(Mutability::Shared, place) => write!(f, "&raw const {place}"),
            Rvalue::RawPtr(Mutability::Mut, place) => write!(f, "&raw mut {place}"),
            Rvalue::Repeat(operand, len) => write!(f, "[{operand}; {}]", length(len)),
            Rvalue::Binary(op, a, b) => write!(f, "{op:?}({a}, {b})"),
            Rvalue::CheckedBinary(op, a, b) => write!(f, "{op:?}WithOverflow({a}, {b})"),
            Rvalue::Unary(op, a) => write!(f, "{op:?}({a})"),
            Rvalue::Cast(kind, operand, ty) => write!(f, "{operand} as {} ({kind:?})", Full(ty)),
            Rvalue::Discriminant(place) => write!(f, "discriminant({place})"),
            Rvalue::Len(place) => write!(f, "Len({place})"),
            Rvalue::PtrMetadata(operand) => write!(f, "PtrMetadata({operand})"),
            Rvalue::FatPtr { pointer, metadata, ty } => {
                write!(f, "{} from ({pointer}, {metadata})", Full(ty))
            }
            Rvalue::Aggregate(kind, operands) => match kind {
                AggregateKind::Tuple if operands.len() == 1 => write!(f, "({},)", operands[0]),
                AggregateKind::Tuple => write!(f, "({})", list(operands)),
                AggregateKind::Array => write!(f, "[{}]", list(operands)),
                AggregateKind::Adt { ty, variant } => {
                    f.write_str(&made(ty, variant.as_ref(), &list(operands)))
                }
                AggregateKind::Closure { path, args } => {
                    let ty = Ty::new(TyKind::Closure(path.clone(), args.clone()));
                    write!(f, "{} {{{}}}", Full(&ty), list(operands))
                }
            },
            Rvalue::SizeOf(ty) => write!(f, "SizeOf({})", Full(ty)),
            Rvalue::AlignOf(ty) => write!(f, "AlignOf({})", Full(ty)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::Idx;

    fn local(index: usize) -> LocalId {
        LocalId::from_usize(index)
    }

    fn copy(index: usize) -> Operand {
        Operand::Copy(local(index).into())
    }

    fn check(item: impl Display, expected: &str) {
        assert_eq!(item.to_string(), expected);
    }

    #[test]
    fn places_nest_from_the_inside() {
        let place = Place {
            local: local(2),
            projection: vec![
                Projection::Deref,
                Projection::Downcast(VariantRef::Name(Name::new("Some"))),
                Projection::Field(FieldId::from_usize(0), Some(Ty::int(IntTy::U8))),
            ],
        };
        check(place, "(((*_2) as Some).0: u8)");
    }

    #[test]
    fn operands_carry_integer_types() {
        check(Operand::Const(Const::int(-3, IntTy::I8)), "const -3_i8");
        check(Operand::Const(Const::Bool(true)), "const true");
    }

    #[test]
    fn terminators_show_both_ways_out() {
        let block = BlockId::from_usize;
        let assert = TerminatorKind::Assert {
            condition: copy(3),
            expected: false,
            check: Check::Overflow(BinOp::Add, copy(1), copy(2)),
            target: block(1),
            unwind: Some(block(4)),
        };
        check(assert, "assert(!copy _3, overflow Add(copy _1, copy _2)) -> [return: bb1, unwind: bb4]");
        let switch = TerminatorKind::SwitchInt {
            discr: copy(1),
            targets: vec![(0, block(1)), (7, block(2))],
            otherwise: Some(block(3)),
        };
        check(switch, "switchInt(copy _1) -> [0: bb1, 7: bb2, otherwise: bb3]");
    }

    #[test]
    fn whole_function() {
        let text = "pub fn k::double(_1: i32) -> i32 {
    let _0: i32;
    arg _1: i32;
    debug x => _1;

    bb0: {
        _0 = Mul(copy _1, const 2_i32);
        return;
    }
}
";
        let read = crate::ir::parse::program(text).expect("it is a program");
        check(&read.functions[FnId::from_usize(0)], text);
    }
}
