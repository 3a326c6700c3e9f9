//! Callees that the machine knows: what it carries out itself instead of running a body, by path.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::float::{FloatMethod, float_ty};
use super::intrinsics::{IntOp, Intrinsic, SeqOp};
use super::layout;
use super::memory_ops::{MemoryOp, Overlap};
use super::pointer::Arithmetic;
use super::questions::Question;
use crate::ir::{
    BinOp, FloatTy, FnRef, IntTy, KnownTrait, KnownType, Mutability, Name, Path, TraitRef, Ty, TyKind,
};
use crate::value::PanicKind;

type Rows = &'static [(&'static str, Intrinsic)];

/// Functions by name, within a module of the standard library.
const FUNCTIONS: &[(&str, Rows)] = &[
    ("boxed", &[("box_assume_init_into_vec_unsafe", Intrinsic::Memory(MemoryOp::BoxIntoVec))]),
    ("hint", &[("black_box", Intrinsic::Identity), ("must_use", Intrinsic::Identity)]),
    (
        "mem",
        &[
            ("align_of", Intrinsic::Memory(MemoryOp::AlignOf)),
            ("forget", Intrinsic::Forget),
            ("needs_drop", Intrinsic::Memory(MemoryOp::NeedsDrop)),
            ("replace", Intrinsic::Replace),
            ("size_of", Intrinsic::SizeOf),
            ("swap", Intrinsic::Swap),
            ("zeroed", Intrinsic::Memory(MemoryOp::Zeroed)),
        ],
    ),
    (
        "option",
        &[
            ("expect_failed", Intrinsic::Panic(None)),
            ("unwrap_failed", Intrinsic::Panic(Some(PanicKind::Unwrap))),
        ],
    ),
    ("panicking", &[("panic_bounds_check", Intrinsic::Panic(Some(PanicKind::IndexOutOfBounds)))]),
    ("result", &[("unwrap_failed", Intrinsic::Panic(Some(PanicKind::Unwrap)))]),
    (
        "rt",
        &[
            ("begin_panic", Intrinsic::Panic(None)),
            ("panic_display", Intrinsic::Panic(None)),
            ("panic_fmt", Intrinsic::Panic(None)),
        ],
    ),
    ("str", &[("from_utf8_unchecked", Intrinsic::SamePointer)]),
    ("intrinsics", OF_MODELS),
];

/// The functions of the models that have no body here: those there serve native tests.
const OF_MODELS: Rows = &[
    ("array_from_options", Intrinsic::SeqFromOptions),
    ("array_mut", Intrinsic::SamePointer),
    ("array_of_none", Intrinsic::ArrayOfNone),
    ("array_ref", Intrinsic::SamePointer),
    ("array_to_options", Intrinsic::SeqToOptions),
    ("cell_mut", Intrinsic::Memory(MemoryOp::CellContent)),
    ("char_of", Intrinsic::CharOf),
    ("copy_of", Intrinsic::CloneOf),
    ("digits_of_f32", Intrinsic::DigitsOfFloat(FloatTy::F32)),
    ("digits_of_f64", Intrinsic::DigitsOfFloat(FloatTy::F64)),
    ("f32_of_text", Intrinsic::FloatOfText(FloatTy::F32)),
    ("f64_of_text", Intrinsic::FloatOfText(FloatTy::F64)),
    ("is_text", Intrinsic::IsText),
    ("is_shown_as_it_is", Intrinsic::ShownAsItIs),
    ("ptr_copy", Intrinsic::Memory(MemoryOp::Copy(Overlap::Allowed))),
    ("ptr_copy_nonoverlapping", Intrinsic::Memory(MemoryOp::Copy(Overlap::Undefined))),
    ("ptr_distance", Intrinsic::Memory(MemoryOp::Distance)),
    ("ptr_drop", Intrinsic::Memory(MemoryOp::DropInPlace)),
    ("ptr_is_null", Intrinsic::Memory(MemoryOp::IsNull)),
    ("ptr_offset", Intrinsic::Memory(MemoryOp::Offset(Arithmetic::InBounds))),
    ("ptr_read", Intrinsic::Memory(MemoryOp::Read)),
    ("ptr_read_unaligned", Intrinsic::Memory(MemoryOp::ReadUnaligned)),
    ("ptr_wrapping_offset", Intrinsic::Memory(MemoryOp::Offset(Arithmetic::Wrapping))),
    ("ptr_write", Intrinsic::Memory(MemoryOp::Write)),
    ("ptr_write_unaligned", Intrinsic::Memory(MemoryOp::WriteUnaligned)),
    ("same_allocation", Intrinsic::Memory(MemoryOp::SameAllocation)),
    ("same_box", Intrinsic::Memory(MemoryOp::SameBox)),
    ("slice_of_one", Intrinsic::SliceOfOne),
    ("slice_of_raw", Intrinsic::Memory(MemoryOp::SliceFrom)),
    ("slice_of_raw_mut", Intrinsic::Memory(MemoryOp::SliceFrom)),
    ("split_mut", Intrinsic::SplitMut),
    ("str_of_bytes", Intrinsic::SamePointer),
    ("str_of_bytes_mut", Intrinsic::SamePointer),
    ("subslice", Intrinsic::Subslice(Mutability::Shared)),
    ("subslice_mut", Intrinsic::Subslice(Mutability::Mut)),
    ("vec_from_options", Intrinsic::SeqFromOptions),
    ("vec_to_options", Intrinsic::SeqToOptions),
    // What models ask about their types.
    ("asks_unseen", Intrinsic::Asks(Question::AsksUnseen)),
    ("has_no_size", Intrinsic::Asks(Question::HasNoSize)),
    ("compares_lengths", Intrinsic::Asks(Question::ComparesLengths)),
    ("hash_follows_eq", Intrinsic::Asks(Question::HashFollowsEq)),
    ("hint_is_written", Intrinsic::Asks(Question::HintIsWritten)),
    ("is_copy", Intrinsic::Asks(Question::IsCopy)),
    ("is_eq", Intrinsic::Asks(Question::IsEq)),
    ("is_found_plainly", Intrinsic::Asks(Question::IsFoundPlainly)),
    ("is_fused", Intrinsic::Asks(Question::IsFused)),
    ("is_plain", Intrinsic::Asks(Question::IsPlain)),
    ("is_unseen", Intrinsic::Asks(Question::IsUnseen)),
    ("needs_drop", Intrinsic::Asks(Question::NeedsDrop)),
    ("skips_unseen", Intrinsic::Asks(Question::SkipsUnseen)),
    ("zips_by_index", Intrinsic::Asks(Question::ZipsByIndex)),
];

/// Inherent methods by name.
const METHODS: &[(&str, Rows)] = &[
    ("[T]", &[("into_vec", Intrinsic::Memory(MemoryOp::BoxIntoVec)), ("len", Intrinsic::SliceLen)]),
    (
        "str",
        &[
            ("as_bytes", Intrinsic::SamePointer),
            ("as_bytes_mut", Intrinsic::SamePointer),
            ("into_string", Intrinsic::Memory(MemoryOp::BoxIntoVec)),
            ("len", Intrinsic::SliceLen),
        ],
    ),
    // What compilers before 1.95 make of format strings; the models know the later encoding.
    (
        KnownType::Arguments.path(),
        &[
            ("new_const", Intrinsic::FormatLiteral),
            ("new_v1", Intrinsic::FormatPieces),
            ("new_v1_formatted", Intrinsic::FormatPieces),
        ],
    ),
    (KnownType::FmtArgument.path(), &[("none", Intrinsic::FormatPieces)]),
    (
        KnownType::Box.path(),
        &[
            ("assume_init", Intrinsic::Memory(MemoryOp::Wrap)),
            ("from_raw", Intrinsic::Memory(MemoryOp::Wrap)),
            ("into_raw", Intrinsic::Memory(MemoryOp::Wrap)),
            ("leak", Intrinsic::Memory(MemoryOp::Wrap)),
            ("new", Intrinsic::BoxNew),
            ("new_uninit", Intrinsic::Memory(MemoryOp::BoxUninit)),
        ],
    ),
    (KnownType::Vec.path(), OF_VEC),
    (KnownType::String.path(), OF_STRING),
    (
        KnownType::MaybeUninit.path(),
        &[
            ("as_mut_ptr", Intrinsic::Memory(MemoryOp::SamePlace)),
            ("as_ptr", Intrinsic::Memory(MemoryOp::SamePlace)),
            ("assume_init", Intrinsic::Memory(MemoryOp::Wrap)),
            ("assume_init_drop", Intrinsic::Memory(MemoryOp::DropInPlace)),
            ("assume_init_mut", Intrinsic::Memory(MemoryOp::SamePlace)),
            ("assume_init_read", Intrinsic::Memory(MemoryOp::Read)),
            ("assume_init_ref", Intrinsic::Memory(MemoryOp::SamePlace)),
            ("new", Intrinsic::Memory(MemoryOp::Wrap)),
            ("uninit", Intrinsic::Memory(MemoryOp::Uninit)),
            ("write", Intrinsic::Memory(MemoryOp::WriteInto)),
            ("zeroed", Intrinsic::Memory(MemoryOp::Zeroed)),
        ],
    ),
    (
        KnownType::ManuallyDrop.path(),
        &[
            ("drop", Intrinsic::Memory(MemoryOp::DropInPlace)),
            ("into_inner", Intrinsic::Memory(MemoryOp::Wrap)),
            ("new", Intrinsic::Memory(MemoryOp::Wrap)),
            ("take", Intrinsic::Memory(MemoryOp::Read)),
        ],
    ),
    (
        KnownType::UnsafeCell.path(),
        &[
            ("get", Intrinsic::Memory(MemoryOp::CellContent)),
            ("get_mut", Intrinsic::Memory(MemoryOp::CellContent)),
            ("into_inner", Intrinsic::Memory(MemoryOp::CellInto)),
            ("new", Intrinsic::Memory(MemoryOp::CellNew)),
            ("raw_get", Intrinsic::Memory(MemoryOp::CellContent)),
        ],
    ),
];

/// Of `Vec`.
const OF_VEC: Rows = &[
    ("as_mut_slice", Intrinsic::Seq(SeqOp::View(Mutability::Mut))),
    ("as_slice", Intrinsic::Seq(SeqOp::View(Mutability::Shared))),
    ("into_boxed_slice", Intrinsic::Memory(MemoryOp::BoxedSlice)),
    ("len", Intrinsic::Seq(SeqOp::Len)),
    ("new", Intrinsic::Seq(SeqOp::New)),
    ("pop", Intrinsic::Seq(SeqOp::Pop)),
    ("push", Intrinsic::Seq(SeqOp::Push)),
];

/// Of `String`, as far as a sequence of bytes does the same: a character may be several of them, so its `push` and `pop` are models.
const OF_STRING: Rows = &[
    ("as_mut_vec", Intrinsic::SamePointer),
    ("as_mut_str", Intrinsic::Seq(SeqOp::View(Mutability::Mut))),
    ("as_str", Intrinsic::Seq(SeqOp::View(Mutability::Shared))),
    ("into_boxed_str", Intrinsic::Memory(MemoryOp::BoxedSlice)),
    ("len", Intrinsic::Seq(SeqOp::Len)),
    ("new", Intrinsic::Seq(SeqOp::New)),
    ("push_str", Intrinsic::Seq(SeqOp::PushStr)),
];

type ByPath = FxHashMap<String, Intrinsic>;

fn by_path(table: &[(&str, Rows)]) -> ByPath {
    let rows = table.iter().flat_map(|(owner, rows)| rows.iter().map(move |row| (*owner, row)));
    rows.map(|(owner, (name, intrinsic))| (format!("{owner}::{name}"), intrinsic.clone())).collect()
}

/// Recognises a callee.
pub fn classify(fn_ref: &FnRef) -> Option<Intrinsic> {
    match fn_ref {
        FnRef::Free { path, .. } => function(path),
        FnRef::Inherent { path, .. } => method(path),
        FnRef::Trait { trait_ref, method, .. } => of_trait(trait_ref, method),
    }
}

fn function(path: &Path) -> Option<Intrinsic> {
    static FOUND: LazyLock<ByPath> = LazyLock::new(|| by_path(FUNCTIONS));
    let in_std = path.in_std()?;
    if let Some(intrinsic) = FOUND.get(in_std) {
        return Some(intrinsic.clone());
    }
    let (module, name) = in_std.split_once("::")?;
    match module {
        "panicking" if name.starts_with("assert_failed") => Some(Intrinsic::Panic(Some(PanicKind::Explicit))),
        "panicking" => Some(Intrinsic::Panic(None)),
        // What is not carried out here is not known here.
        "intrinsics" => Some(Intrinsic::Unmodelled),
        _ => None,
    }
}

fn method(path: &Path) -> Option<Intrinsic> {
    static FOUND: LazyLock<ByPath> = LazyLock::new(|| by_path(METHODS));
    if let Some(intrinsic) = FOUND.get(path.as_str()) {
        return Some(intrinsic.clone());
    }
    let (owner, name) = path.as_str().rsplit_once("::")?;
    if let Some(ty) = IntTy::from_name(owner) {
        return int_op(name).map(|op| Intrinsic::Int(ty, op));
    }
    if let Some(ty) = float_ty(owner) {
        return FloatMethod::named(name).map(|method| Intrinsic::Float(ty, method));
    }
    let pieces = [KnownType::FmtPlaceholder, KnownType::FmtUnsafeArg];
    pieces.iter().any(|ty| ty.path() == owner).then_some(Intrinsic::FormatPieces)
}

fn of_trait(trait_ref: &TraitRef, method: &Name) -> Option<Intrinsic> {
    let self_ty = &trait_ref.self_ty;
    let intrinsic = match (trait_ref.path.known_trait()?, method.as_str()) {
        (KnownTrait::Deref, "deref") | (KnownTrait::DerefMut, "deref_mut") => {
            layout::wrapped(self_ty)?;
            Intrinsic::Memory(MemoryOp::SamePlace)
        }
        // `Box` frees its memory so; its content is dropped apart from that.
        (KnownTrait::Drop, "drop") if self_ty.known() == Some(KnownType::Box) => {
            Intrinsic::Memory(MemoryOp::FreeBox)
        }
        // Only what is `Copy` can be cloned while it may be uninitialised.
        (KnownTrait::Clone, "clone") if self_ty.known() == Some(KnownType::MaybeUninit) => {
            Intrinsic::Memory(MemoryOp::Read)
        }
        (KnownTrait::Clone, "clone") if is_copy(self_ty) => Intrinsic::CloneOf,
        _ => return None,
    };
    Some(intrinsic)
}

fn int_op(method: &str) -> Option<IntOp> {
    Some(match method {
        "wrapping_add" => IntOp::Wrapping(BinOp::Add),
        "wrapping_sub" => IntOp::Wrapping(BinOp::Sub),
        "wrapping_mul" => IntOp::Wrapping(BinOp::Mul),
        "wrapping_shl" => IntOp::Wrapping(BinOp::Shl),
        "wrapping_shr" => IntOp::Wrapping(BinOp::Shr),
        "wrapping_neg" => IntOp::WrappingNeg,
        "overflowing_add" => IntOp::Overflowing(BinOp::Add),
        "overflowing_sub" => IntOp::Overflowing(BinOp::Sub),
        "overflowing_mul" => IntOp::Overflowing(BinOp::Mul),
        "leading_zeros" => IntOp::LeadingZeros,
        "trailing_zeros" => IntOp::TrailingZeros,
        "count_ones" => IntOp::CountOnes,
        _ => return None,
    })
}

fn is_copy(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Ref(Mutability::Shared, _)
        | TyKind::RawPtr(..)
        | TyKind::FnDef(_)
        | TyKind::FnPtr { .. }
        | TyKind::Never => true,
        TyKind::Tuple(tys) => tys.iter().all(is_copy),
        TyKind::Array(ty, _) => is_copy(ty),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
