//! Function bodies: locals, basic blocks, statements, terminators, places, operands, constants.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FloatTy, FnRef, GenericArgs, IntTy, Mutability, Name, Path, Span, TraitRef, Ty};
use crate::idx::{Idx, IdxVec};

crate::define_ids! {
    /// A local of a body: `_0` is the return place, `_1..=_n` the arguments, the rest temporaries and variables.
    LocalId = "_";
    /// A basic block; `bb0` is the entry.
    BlockId = "bb";
    /// A field of one variant of an ADT, of a tuple or of a closure, in declaration order.
    FieldId = "f";
}

/// A control-flow graph.
/// A statement of a block, or its terminator behind the last one.
pub type Position = (BlockId, usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Body {
    pub locals: IdxVec<LocalId, Local>,
    /// Arguments are locals `1..=arg_count`.
    pub arg_count: usize,
    pub blocks: IdxVec<BlockId, Block>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Local {
    pub ty: Ty,
    /// The user's name for it, if it has one.
    pub name: Option<Name>,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub terminator: Terminator,
    pub role: BlockRole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlockRole {
    Normal,
    /// Reached by unwinding only.
    Cleanup,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StatementKind {
    Assign(Place, Rvalue),
    /// Makes the enum at the place be of this variant; its fields are written separately.
    SetDiscriminant(Place, VariantIdx),
    Nop,
}

/// The index of a variant in its enum's declaration.
pub type VariantIdx = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Terminator {
    pub kind: TerminatorKind,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TerminatorKind {
    Goto(BlockId),
    /// Compares raw bits (a `bool` is 0 or 1, a `char` its code point, a negative integer its two's complement).
    SwitchInt {
        discr: Operand,
        targets: Vec<(u128, BlockId)>,
        otherwise: Option<BlockId>,
    },
    Return,
    /// Continues unwinding in the caller.
    Resume,
    Unreachable,
    /// Ends the process: a panic within a panic.
    Abort,
    Drop {
        place: Place,
        target: BlockId,
        unwind: Option<BlockId>,
    },
    Call {
        callee: Callee,
        args: Vec<Operand>,
        destination: Place,
        target: Option<BlockId>,
        unwind: Option<BlockId>,
    },
    Assert {
        condition: Operand,
        expected: bool,
        check: Check,
        target: BlockId,
        unwind: Option<BlockId>,
    },
    /// Inline assembly, coroutine steps, tail calls: what no engine here runs.
    Unsupported(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Callee {
    Fn(FnRef),
    /// A call through a function pointer.
    Pointer(Operand),
}

/// What an `Assert` terminator checks; its failing arm panics with this.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Check {
    Overflow(BinOp, Operand, Operand),
    OverflowNeg(Operand),
    /// Shift by at least the width.
    OverflowShift(BinOp, Operand),
    DivisionByZero(Operand),
    RemainderByZero(Operand),
    BoundsCheck {
        len: Operand,
        index: Operand,
    },
    /// Resumed coroutines and the like; the text of the message.
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub local: LocalId,
    pub projection: Vec<Projection>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Projection {
    Deref,
    /// A field of the struct, tuple, closure or (after [`Projection::Downcast`]) variant; with its type as declared
    /// at this place, if the front end knows it.
    Field(FieldId, Option<Ty>),
    Downcast(VariantRef),
    Index(LocalId),
    ConstantIndex {
        offset: u64,
        from: SequenceEnd,
    },
    /// `[from..to]`, or `[from..len - to]` when `end` is [`SequenceEnd::Back`].
    Subslice {
        from: u64,
        to: u64,
        end: SequenceEnd,
    },
}

/// A variant by name, or by index where it has none (coroutine states, Charon).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VariantRef {
    Name(Name),
    Index(VariantIdx),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SequenceEnd {
    Front,
    Back,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operand {
    Copy(Place),
    Move(Place),
    Const(Const),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rvalue {
    Use(Operand),
    Ref(Mutability, Place),
    RawPtr(Mutability, Place),
    Repeat(Operand, Const),
    Binary(BinOp, Operand, Operand),
    /// Gives `(result, overflowed)`; `op` is `Add`, `Sub` or `Mul`.
    CheckedBinary(BinOp, Operand, Operand),
    Unary(UnOp, Operand),
    Cast(CastKind, Operand, Ty),
    Discriminant(Place),
    /// The length of the array or slice at the place.
    Len(Place),
    /// The length or vtable of a fat pointer.
    PtrMetadata(Operand),
    /// A fat pointer from a thin one and metadata.
    FatPtr {
        pointer: Operand,
        metadata: Operand,
        ty: Ty,
    },
    Aggregate(AggregateKind, Vec<Operand>),
    /// `size_of`, `align_of`
    SizeOf(Ty),
    AlignOf(Ty),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AggregateKind {
    Tuple,
    Array,
    /// `ty` is the struct, enum or union; operands are its fields in declaration order.
    Adt {
        ty: Ty,
        variant: Option<VariantRef>,
    },
    Closure {
        path: Path,
        args: GenericArgs,
    },
}

/// Arithmetic wraps; checks are separate terminators. `Div`, `Rem`, shifts have their operands checked beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitXor,
    BitAnd,
    BitOr,
    Shl,
    Shr,
    Eq,
    Lt,
    Le,
    Ne,
    Ge,
    Gt,
    /// Three-way comparison, an `Ordering`.
    Cmp,
    /// Pointer arithmetic in elements.
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnOp {
    Not,
    Neg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CastKind {
    IntToInt,
    IntToFloat,
    FloatToInt,
    FloatToFloat,
    /// Between raw pointers, and other casts that leave the pointer as it is (`MutToConst`, `ArrayToPointer`).
    PtrToPtr,
    FnPtrToPtr,
    /// `[T; N]` to `[T]`, or a type to `dyn Trait`, behind a pointer.
    Unsize,
    ReifyFnPointer,
    ClosureFnPointer,
    UnsafeFnPointer,
    Transmute,
    Subtype,
    ExposeProvenance,
    WithExposedProvenance,
}

/// A constant, as far as its text or the compiler's own evaluation gives it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Const {
    Bool(bool),
    Char(char),
    /// Bits truncated to the width of the type.
    Int(u128, IntTy),
    /// IEEE bits.
    Float(u64, FloatTy),
    Str(String),
    /// A `&[u8; N]`.
    ByteStr(Vec<u8>),
    Tuple(Vec<Const>),
    Array(Vec<Const>),
    Adt {
        ty: Ty,
        variant: Option<Name>,
        fields: Vec<Const>,
    },
    /// A reference to a constant that lives for ever.
    Ref(Box<Const>),
    Param(Name),
    Fn(Box<FnRef>),
    /// A named or promoted constant, or an inline one (`f::{constant#0}`), evaluated by running its body.
    Item {
        path: Path,
        args: GenericArgs,
    },
    AssocConst {
        trait_ref: TraitRef,
        name: Name,
    },
    /// An associated constant of an inherent implementation.
    InherentConst {
        path: Path,
        self_ty: Ty,
    },
    /// The address of a static.
    StaticRef(Path),
    ZeroSized(Ty),
    Uninit,
    /// Text that means a constant this program cannot represent.
    Unsupported(String),
}

impl Const {
    /// Whether this only names the value, or says how to work it out.
    pub fn stands_elsewhere(&self) -> bool {
        matches!(
            self,
            Const::Item { .. }
                | Const::AssocConst { .. }
                | Const::InherentConst { .. }
                | Const::Unsupported(_)
        )
    }

    pub fn int(value: i128, ty: IntTy) -> Const {
        Const::Int(ty.truncate(value as u128), ty)
    }

    /// The value of a constant `usize` (or other unsigned integer).
    pub fn as_index(&self) -> Option<u64> {
        match self {
            Const::Int(bits, _) => u64::try_from(*bits).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &[Const]| items.iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ");
        match self {
            Const::Bool(value) => write!(f, "{value}"),
            Const::Char(value) => write!(f, "{value:?}"),
            Const::Int(bits, ty) => f.write_str(&ty.display_bits(*bits)),
            Const::Float(bits, FloatTy::F32) => write!(f, "{:?}f32", f32::from_bits(*bits as u32)),
            Const::Float(bits, FloatTy::F64) => write!(f, "{:?}f64", f64::from_bits(*bits)),
            Const::Str(text) => write!(f, "{text:?}"),
            Const::ByteStr(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
            Const::Tuple(items) => write!(f, "({})", list(items)),
            Const::Array(items) => write!(f, "[{}]", list(items)),
            Const::Adt { ty, variant: Some(variant), fields } => {
                write!(f, "{ty}::{variant}({})", list(fields))
            }
            Const::Adt { ty, variant: None, fields } => write!(f, "{ty}({})", list(fields)),
            Const::Ref(inner) => write!(f, "&{inner}"),
            Const::Param(name) => write!(f, "{name}"),
            Const::Fn(fn_ref) => write!(f, "{fn_ref}"),
            Const::Item { path, .. } => write!(f, "{path}"),
            Const::AssocConst { trait_ref, name } => write!(f, "{trait_ref}::{name}"),
            Const::InherentConst { path, .. } => write!(f, "{path}"),
            Const::StaticRef(path) => write!(f, "&{path}"),
            Const::ZeroSized(ty) => write!(f, "ZeroSized: {ty}"),
            Const::Uninit => f.write_str("<uninit>"),
            Const::Unsupported(text) => f.write_str(text),
        }
    }
}

impl fmt::Debug for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<LocalId> for Place {
    fn from(local: LocalId) -> Place {
        Place { local, projection: Vec::new() }
    }
}

impl LocalId {
    /// Where the return value is put.
    pub fn return_place() -> LocalId {
        LocalId::from_usize(0)
    }
}

impl BlockId {
    pub fn entry() -> BlockId {
        BlockId::from_usize(0)
    }
}

impl Body {
    pub fn args(&self) -> impl Iterator<Item = LocalId> + use<> {
        (1..=self.arg_count).map(LocalId::from_usize)
    }
}

impl Place {
    /// The locals on the way to the place: its root and its indices.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> + '_ {
        let indices = self.projection.iter().filter_map(|step| match step {
            Projection::Index(index) => Some(*index),
            _ => None,
        });
        std::iter::once(self.local).chain(indices)
    }
}

impl Operand {
    /// The place it is read from.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Operand::Copy(place) | Operand::Move(place) => Some(place),
            Operand::Const(_) => None,
        }
    }
}

impl Rvalue {
    /// The operands, in their order.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Rvalue::Use(a)
            | Rvalue::Repeat(a, _)
            | Rvalue::Unary(_, a)
            | Rvalue::Cast(_, a, _)
            | Rvalue::PtrMetadata(a) => vec![a],
            Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => vec![a, b],
            Rvalue::FatPtr { pointer, metadata, .. } => vec![pointer, metadata],
            Rvalue::Aggregate(_, operands) => operands.iter().collect(),
            Rvalue::Ref(..)
            | Rvalue::RawPtr(..)
            | Rvalue::Discriminant(_)
            | Rvalue::Len(_)
            | Rvalue::SizeOf(_)
            | Rvalue::AlignOf(_) => Vec::new(),
        }
    }

    /// The places that are read, borrowed or measured.
    pub fn places(&self) -> Vec<&Place> {
        match self {
            Rvalue::Ref(_, of) | Rvalue::RawPtr(_, of) | Rvalue::Discriminant(of) | Rvalue::Len(of) => {
                vec![of]
            }
            _ => self.operands().into_iter().filter_map(Operand::place).collect(),
        }
    }
}

impl TerminatorKind {
    /// The operands, a pointer that is called before what it is given.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            TerminatorKind::SwitchInt { discr: operand, .. }
            | TerminatorKind::Assert { condition: operand, .. } => vec![operand],
            TerminatorKind::Call { callee, args, .. } => {
                let pointer = match callee {
                    Callee::Pointer(pointer) => Some(pointer),
                    Callee::Fn(_) => None,
                };
                pointer.into_iter().chain(args).collect()
            }
            TerminatorKind::Drop { .. }
            | TerminatorKind::Goto(_)
            | TerminatorKind::Return
            | TerminatorKind::Resume
            | TerminatorKind::Unreachable
            | TerminatorKind::Abort
            | TerminatorKind::Unsupported(_) => Vec::new(),
        }
    }

    /// The places that are read or dropped; the return place is not among them, nor where a call puts its result.
    pub fn places(&self) -> Vec<&Place> {
        match self {
            TerminatorKind::Drop { place, .. } => vec![place],
            _ => self.operands().into_iter().filter_map(Operand::place).collect(),
        }
    }

    /// The blocks control may pass to without unwinding.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            TerminatorKind::Goto(target) => vec![*target],
            TerminatorKind::SwitchInt { targets, otherwise, .. } => {
                targets.iter().map(|(_, target)| *target).chain(*otherwise).collect()
            }
            TerminatorKind::Drop { target, .. } | TerminatorKind::Assert { target, .. } => vec![*target],
            TerminatorKind::Call { target, .. } => target.iter().copied().collect(),
            TerminatorKind::Return
            | TerminatorKind::Resume
            | TerminatorKind::Unreachable
            | TerminatorKind::Abort
            | TerminatorKind::Unsupported(_) => Vec::new(),
        }
    }

    /// The block that unwinding enters, if there is something to clean up.
    pub fn unwind(&self) -> Option<BlockId> {
        match self {
            TerminatorKind::Drop { unwind, .. }
            | TerminatorKind::Call { unwind, .. }
            | TerminatorKind::Assert { unwind, .. } => *unwind,
            _ => None,
        }
    }
}
