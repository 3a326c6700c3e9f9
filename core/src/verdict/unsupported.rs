//! What the executor does not do, by what it met. The words are made where reports are.
//!
//! Strings are rendered types, names of items, values, and text of the program.

use serde::{Deserialize, Serialize};

use super::not_analysed::{NotRun, OtherBuild, Refused};
use crate::ir::{BinOp, CastKind, UnOp};

/// Something in the program that a run stops at, or a comparison cannot tell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsupported {
    /// A value to be shown.
    Output(UnshownOutput),
    /// A value of this kind, put to a use that takes another.
    Use {
        value: ValueKind,
        by: Use,
    },
    /// What would have to be known of the type.
    Type {
        ty: String,
        asked: TypeQuestion,
    },
    Numbers(OnNumbers),
    Cast(Cast),
    Pointer(PointerUse),
    /// The program may only do so by a mistake; nothing is said of what comes of it.
    UndefinedBehaviour(UndefinedBehaviour),
    /// Uninitialised memory is read, as far as the engine knows.
    Uninitialised,
    Drop(Dropped),
    Control(Control),
    Call {
        callee: String,
        trouble: CallTrouble,
    },
    /// Several items of one name, of which it is not known which is meant.
    SeveralOf {
        item: ItemKind,
        path: String,
    },
    Static {
        path: String,
        written: Written,
    },
    Constant(OpaqueConstant),
    /// A method that an implementation has although its trait has a body for it: the standard library may call it unseen.
    Override {
        trait_path: String,
        self_ty: String,
        method: String,
    },
    /// A sequence some of whose elements may be there or not.
    PartialSequence,
    /// A box, taken for one of a vector, that holds no sequence.
    BoxOfNoSequence,
    /// Panics with words of the language, which only what raised them tells apart.
    PanicsOfTheLanguage,
    /// The function was run natively only, as the search did not begin.
    Refused(Refused),
    /// The engine sees a difference that nobody sees, and nothing was run natively.
    NotShown(NotRun),
    /// The build of one version.
    Build(OtherBuild),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnshownOutput {
    OfType {
        ty: String,
    },
    /// What is there is no value of its type.
    Unlike {
        value: ValueKind,
        ty: String,
    },
    PartlyInitialised {
        ty: String,
    },
    NestedTooDeeply,
    /// Values of types that the caller is not told, for which something is implemented otherwise in the other version.
    OtherMethods,
    /// A `Formatter` that does not write to the text it was made with.
    Formatter,
    /// Text with a byte that is this value.
    ByteOfText {
        value: String,
    },
    /// An end without a value.
    NoValue,
}

/// What a value is, of those of the executor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    Uninitialised,
    /// `u8`, `float(f64)`, `bool`
    Scalar(String),
    Pointer,
    /// A pointer made of a number.
    Address,
    Tuple,
    /// A struct or an enum.
    Adt(String),
    Array,
    Closure,
    Function,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    Call,
    Operator(BinOp),
    Deref,
    PointerArithmetic,
    NullTest,
    /// The start of a slice, which is made of a pointer and a length.
    SliceStart,
    Length,
    Metadata,
    FatPointer,
    Discriminant,
    SetVariant,
    Number,
    Sequence,
    DropOfClosure,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeQuestion {
    Size,
    Alignment,
    NeedsDrop,
    /// Its value of no size.
    ZeroSized,
    /// Its value whose bytes are zero.
    Zeroed,
    /// Its memory before anything is written.
    UninitialisedMemory,
    /// A value of what is no struct, enum or union.
    Value,
    /// A value in the form that constants have, which knows other fields than the models.
    Constant,
    Union,
    /// A value of an enum that does not say which.
    NoVariant,
    UndeclaredVariant {
        name: String,
    },
    /// A variant of an enum whose declaration is not known.
    VariantOfUnknown,
    DiscriminantOfUnknown,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnNumbers {
    OnFloats(BinOp),
    OfFloat(UnOp),
    Checked(BinOp),
    /// The bits or the sign of a NaN.
    BitsOfNan,
    DivisionByUncheckedZero,
    /// An integer intrinsic with so many arguments.
    Arguments {
        ty: String,
        op: String,
        given: u32,
    },
    ArrayOf {
        count: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cast {
    /// A cast to what is no scalar.
    To {
        ty: String,
    },
    Numbers {
        kind: CastKind,
        to: String,
    },
    Value {
        kind: CastKind,
        value: ValueKind,
        to: String,
    },
    Pointer {
        kind: CastKind,
        from: Option<String>,
        to: String,
    },
    /// A reference-counted pointer as one to a slice or `dyn Trait`.
    Counted {
        from: String,
        to: String,
    },
    Transmute {
        value: ValueKind,
        to: String,
    },
    /// The address of a pointer as a number.
    Address,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointerUse {
    /// Arithmetic on a pointer that was cast to point to this type.
    ArithmeticOnCast {
        ty: String,
    },
    /// Arithmetic on a pointer to no element of a sequence.
    ArithmeticOnLone,
    /// A slice from a pointer to no element of a sequence.
    SliceFromLone,
    /// Positions of pointers to what may take no room.
    NoRoom(Positions),
    /// Positions of pointers that do not point into one sequence.
    Apart(Positions),
    AddressWithPointer,
    /// Addresses of elements of a vector or string, which may have moved.
    MayHaveMoved,
    /// This type is accessed through a pointer to another.
    AsOtherType {
        ty: String,
    },
    UncheckedBounds,
    Unsized,
    WriteThroughShared,
    /// A copy of a part of a sequence whose bounds depend on the input.
    OpenPart,
    /// An access that hangs on the input and cannot be made concrete.
    NotConcrete,
}

/// For what positions of pointers are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Positions {
    Comparison,
    Distance,
    /// A copy between places that must not overlap.
    Copy,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndefinedBehaviour {
    OutOfBounds(Bounded),
    OverlappingCopy,
    NoCharacter,
    ReadThrough(ValueKind),
    WriteThrough(ValueKind),
    WriteThroughShared,
    /// Zero as a value of a type that is never zero.
    Zero {
        ty: String,
    },
}

/// What has to stay within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bounded {
    Pointer,
    PointerArithmetic,
    Slice,
    Array,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    OfType {
        ty: String,
    },
    /// The destructor of the type has no body here.
    NoDestructor {
        ty: String,
    },
    /// What is there is no value of the type.
    NotA {
        ty: String,
    },
    /// A `dyn Trait` of which it is not known what it is.
    UnknownDyn {
        ty: String,
    },
    PlaceOfUnknownType,
    VectorOfUnknownType,
    BoxOfNone,
    /// A closure that owns a value of unknown type.
    UnknownCapture,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// `unreachable` was reached.
    Unreachable,
    /// A clean-up block was reached without a panic.
    CleanUp,
    /// A function that is declared to diverge returned.
    Returned,
    NoArm,
    /// A panic that clean-up may not let out.
    HeldUpPanic,
    /// A terminator that only its text is known of.
    Terminator {
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallTrouble {
    Returned,
    Arguments {
        given: u32,
        taken: u32,
    },
    NoArguments,
    /// The type that the call is about is not given.
    NoType,
    /// What it returns is no `Some` or `Ok`, and no `None` or `Err`.
    Result,
    /// It makes an argument, and made none.
    MadeNone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    Type,
    Constant,
    Closure,
}

/// How a static can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    /// It is a `static mut`.
    Directly,
    /// Through what it leads to.
    ThroughCells,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpaqueConstant {
    /// The value of a generic parameter is not known.
    Param { name: String },
    /// Only its text is known.
    Text { text: String },
}
