//! What is used of bodies: control-flow graphs, statements, places.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::schema::{ConstExpr, FnPtr, Literal, LiteralTy, PathElem, Ref, RefKind, Skip_, Span, Ty, TypeRef};
use super::shapes::{FirstOf, Skip, drain, record, tagged};

record! {
    pub struct ExprBody {
        locals: Locals,
        body: Vec<Block>,
    }
}

record! {
    pub struct Locals {
        arg_count: usize,
        locals: Vec<Local>,
    }
}

record! {
    pub struct Local {
        name: Option<String> = None,
        ty: Ty,
    }
}

record! {
    pub struct Block {
        statements: Vec<Statement>,
        terminator: Terminator,
    }
}

record! {
    pub struct Statement {
        span: Span,
        kind: StatementKind,
    }
}

tagged! {
    pub enum StatementKind {
        Assign((Place, Rvalue)),
        SetDiscriminant((Place, usize)),
        StorageLive(Skip_),
        StorageDead(Skip_),
        PlaceMention(Skip_),
        Borrowck(Skip_),
        Assert(AssertStatement),
        CopyNonOverlapping(Skip_),
        Nop,
    }
}

record! {
    pub struct AssertStatement {
        on_failure: Abort,
    }
}

record! {
    pub struct Terminator {
        span: Span,
        kind: TerminatorKind,
    }
}

tagged! {
    pub enum TerminatorKind {
        Goto(Goto),
        Switch(Box<Switch>),
        Call(Box<CallTerminator>),
        Drop(Box<DropTerminator>),
        Assert(Box<AssertTerminator>),
        InlineAsm(Skip_),
        Abort(Abort),
        Return,
        UnwindResume,
    }
}

record! {
    pub struct Goto {
        target: usize,
    }
}

record! {
    pub struct Switch {
        discr: Operand,
        targets: Targets,
    }
}

tagged! {
    pub enum Targets {
        If((usize, usize)),
        SwitchInt((LiteralTy, Vec<(Literal, usize)>, usize)),
    }
}

record! {
    pub struct CallTerminator {
        call: Call,
        target: usize,
        on_unwind: usize,
    }
}

record! {
    pub struct Call {
        func: FnOperand,
        args: Vec<Operand>,
        dest: Place,
    }
}

tagged! {
    pub enum FnOperand {
        Regular(FnPtr),
        Dynamic(Operand),
    }
}

record! {
    pub struct DropTerminator {
        kind: DropKind,
        place: Place,
        target: usize,
        on_unwind: usize,
    }
}

tagged! {
    pub enum DropKind {
        /// What is there is dropped.
        Precise,
        /// It is dropped if it has not been moved away.
        Conditional,
    }
}

record! {
    pub struct AssertTerminator {
        assert: Assert,
        target: usize,
        on_unwind: usize,
    }
}

record! {
    pub struct Assert {
        cond: Operand,
        expected: bool,
        check_kind: Option<CheckKind> = None,
    }
}

tagged! {
    pub enum CheckKind {
        Overflow((BinOp, Operand, Operand)),
        OverflowNeg(Operand),
        DivisionByZero(Operand),
        RemainderByZero(Operand),
        BoundsCheck(Box<BoundsCheck>),
    }
}

record! {
    pub struct BoundsCheck {
        len: Operand,
        index: Operand,
    }
}

tagged! {
    pub enum Abort {
        Panic(Option<Vec<PathElem>>),
        UndefinedBehavior,
        UnwindTerminate,
    }
}

tagged! {
    pub enum Operand {
        Copy(Place),
        Move(Place),
        Const(ConstExpr),
    }
}

record! {
    pub struct Place {
        kind: Box<PlaceKind>,
        ty: Ty,
    }
}

tagged! {
    pub enum PlaceKind {
        Local(usize),
        Projection((Place, Projection)),
        Global(Ref),
    }
}

tagged! {
    pub enum Projection {
        Deref,
        Field((FieldOf, usize)),
        PtrMetadata,
        Index(Box<Index>),
        Subslice(Box<Subslice>),
    }
}

record! {
    pub struct Index {
        offset: Operand,
        from_end: bool,
    }
}

record! {
    pub struct Subslice {
        from: Operand,
        to: Operand,
        from_end: bool,
    }
}

/// The variant that a field belongs to: `null` or an index, and up to 0.1.237 an object that says what kind of type it is.
#[derive(Clone, Copy, Debug)]
pub struct FieldOf(pub Option<usize>);

impl<'de> Deserialize<'de> for FieldOf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Kinds;
        impl<'de> Visitor<'de> for Kinds {
            type Value = FieldOf;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a variant or nothing")
            }
            fn visit_unit<E>(self) -> Result<FieldOf, E> {
                Ok(FieldOf(None))
            }
            fn visit_u64<E>(self, variant: u64) -> Result<FieldOf, E> {
                Ok(FieldOf(usize::try_from(variant).ok()))
            }
            fn visit_str<E>(self, _: &str) -> Result<FieldOf, E> {
                Ok(FieldOf(None))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldOf, A::Error> {
                let mut variant = None;
                while let Some(key) = map.next_key::<String>()? {
                    if key == "Adt" {
                        variant = map.next_value::<(Skip_, Option<usize>)>()?.1;
                    } else {
                        map.next_value::<Skip>()?;
                    }
                }
                Ok(FieldOf(variant))
            }
        }
        deserializer.deserialize_any(Kinds)
    }
}

tagged! {
    pub enum Rvalue {
        Use(FirstOf<Operand>),
        Ref(Box<Borrow>),
        RawPtr(Box<Borrow>),
        BinaryOp((BinOp, Operand, Operand)),
        UnaryOp((UnOp, Operand)),
        NullaryOp((NullOp, Ty)),
        Discriminant(Place),
        Aggregate((AggregateKind, Vec<Operand>)),
        Len((Place, Skip_, Skip_)),
        Repeat((Operand, Ty, ConstExpr)),
    }
}

record! {
    pub struct Borrow {
        place: Place,
        kind: BorrowKind,
    }
}

tagged! {
    pub enum BorrowKind {
        Shared,
        Mut,
        TwoPhaseMut,
        Shallow,
        UniqueImmutable,
    }
}

tagged! {
    pub enum BinOp {
        Eq, Lt, Le, Ne, Ge, Gt, BitXor, BitAnd, BitOr, AddChecked, SubChecked, MulChecked, Offset, Cmp,
        Add(Overflow),
        Sub(Overflow),
        Mul(Overflow),
        Div(Overflow),
        Rem(Overflow),
        Shl(Overflow),
        Shr(Overflow),
    }
}

tagged! {
    /// What happens where the result does not fit.
    pub enum Overflow {
        Wrap,
        UB,
        Panic,
    }
}

tagged! {
    pub enum UnOp {
        Not,
        Neg(Overflow),
        Cast(CastKind),
    }
}

tagged! {
    pub enum CastKind {
        Scalar((LiteralTy, LiteralTy)),
        RawPtr((Ty, Ty)),
        FnPtr((Ty, Ty)),
        Unsize((Ty, Ty, Skip_)),
        Transmute((Ty, Ty)),
        Concretize((Ty, Ty)),
    }
}

tagged! {
    pub enum NullOp {
        SizeOf,
        AlignOf,
        UbChecks,
    }
}

/// What an aggregate makes: `{"Adt": [type, variant, field]}`, `{"Array": …}`, `{"RawPtr": [pointee, kind]}`.
#[derive(Clone, Debug)]
pub enum AggregateKind {
    Adt { ty: TypeRef, variant: Option<usize>, union_field: Option<usize> },
    Array,
    RawPtr(Ty, RefKind),
    Other(String),
}

impl<'de> Deserialize<'de> for AggregateKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Kinds;
        impl<'de> Visitor<'de> for Kinds {
            type Value = AggregateKind;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an aggregate")
            }
            fn visit_str<E>(self, tag: &str) -> Result<AggregateKind, E> {
                Ok(AggregateKind::Other(tag.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AggregateKind, A::Error> {
                let tag: String =
                    map.next_key()?.ok_or_else(|| A::Error::custom("an object without a tag"))?;
                Ok(match tag.as_str() {
                    "Adt" => {
                        let (ty, variant, union_field) = map.next_value()?;
                        AggregateKind::Adt { ty, variant, union_field }
                    }
                    "Array" => {
                        map.next_value::<Skip>()?;
                        AggregateKind::Array
                    }
                    "RawPtr" => {
                        let (ty, kind) = map.next_value()?;
                        AggregateKind::RawPtr(ty, kind)
                    }
                    _ => {
                        map.next_value::<Skip>()?;
                        AggregateKind::Other(tag)
                    }
                })
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AggregateKind, A::Error> {
                drain(&mut seq)?;
                Ok(AggregateKind::Other("a list".into()))
            }
        }
        deserializer.deserialize_any(Kinds)
    }
}
