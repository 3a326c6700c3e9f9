//! Code that looks at memory: at addresses, or at how much there is of it.
//!
//! Lists are of what is known *not* to look. A function or type of the standard library that nobody has judged looks; so does whatever works
//! with raw pointers, reads values as others (`transmute`, unions) or is assembler.

use super::given::{self, Given};
use crate::ir::*;

/// Starts of paths behind `std::`: modules none of whose items look, but for [`LOOKERS`] and [`POINTERS`], and items of others.
const UNSEEING: &[&str] = &[
    "array::",
    "borrow::",
    "boxed::",
    "char::",
    "clone::",
    "cmp::",
    "collections::",
    "convert::",
    "default::",
    "error::",
    "fmt::",
    "hash::",
    "iter::",
    "marker::",
    "num::",
    "ops::",
    "option::",
    "result::",
    "slice::",
    "str::",
    "string::",
    "time::",
    "vec::",
    "panicking::",
    "rt::",
    // Of the others only these.
    "hint::assert_unchecked",
    "hint::black_box",
    "hint::must_use",
    "hint::spin_loop",
    "hint::unreachable_unchecked",
    "io::_eprint",
    "io::_print",
    "mem::drop",
    "mem::forget",
    "mem::replace",
    "mem::size_of",
    "mem::swap",
    "mem::take",
    "mem::ManuallyDrop",
    "mem::discriminant",
    "mem::Discriminant",
];

/// Last names of what does look, in whatever type.
const LOOKERS: &[&str] = &[
    "addr",
    "align_offset",
    "align_to",
    "align_to_mut",
    "allocator",
    "as_mut_ptr",
    "as_mut_ptr_range",
    "as_non_null_ptr",
    "as_ptr",
    "as_ptr_range",
    "as_simd",
    "as_simd_mut",
    "as_slice_of_cells",
    "capacity",
    "element_offset",
    "expose_provenance",
    "from_raw",
    "from_raw_parts",
    "into_non_null",
    "into_raw",
    "into_raw_parts",
    "is_aligned",
    "is_aligned_to",
    "new_pointer",
    "ptr_eq",
    "spare_capacity_mut",
    "split_at_spare_mut",
    "strong_count",
    "subslice_range",
    "substr_range",
    "weak_count",
];

/// Traits and types that stand for addresses.
const POINTERS: &[&str] = &[
    "fmt::Pointer",
    "std::ptr::",
    "std::alloc::",
    "std::sync::atomic::AtomicPtr",
    "std::any::",
    "std::pin::",
    "std::mem::transmute",
    "std::mem::MaybeUninit",
    "std::slice::from_raw_parts",
];

/// Whether code that is handed a value sees where it lies, or how much room it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    Memory,
    Nothing,
}

/// Whether an item of the standard library sees the memory of what it is handed, or stands for such.
pub fn library_item(path: &Path, defined: Defined) -> Sees {
    let text = path.as_str();
    let last = text.rsplit("::").next().unwrap_or_default();
    if LOOKERS.contains(&last) || POINTERS.iter().any(|pointer| text.contains(pointer)) {
        return Sees::Memory;
    }
    // Methods of primitive types, implementations and names that stand alone do not.
    let is_unseeing = !path.is_of_std() || defined == Defined::Modelled || path.begins_in_std(UNSEEING);
    if is_unseeing { Sees::Nothing } else { Sees::Memory }
}

/// Whether a model says what the item does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defined {
    Modelled,
    Nowhere,
}

/// Whether the body of a function, itself, may see where values lie: not by what it calls.
pub fn body(program: &Program, function: &Function) -> Sees {
    let FnBody::Present(body) = &function.body else { return Sees::Memory };
    let in_locals = body.locals.iter().any(|local| is_telling(program, &local.ty));
    let in_code = body.blocks.iter().any(|block| {
        let by_statement = block.statements.iter().any(|statement| match &statement.kind {
            StatementKind::Assign(place, value) => {
                place_is_telling(program, place) || value_is_telling(program, value)
            }
            StatementKind::SetDiscriminant(..) | StatementKind::Nop => false,
        });
        by_statement || matches!(block.terminator.kind, TerminatorKind::Unsupported(_))
    });
    let from_outside = given::by_static(program, function) == Given::Code;
    if in_locals || in_code || from_outside { Sees::Memory } else { Sees::Nothing }
}

/// Whether a value of the type tells an address, or is one that can be read as something else.
fn is_telling(program: &Program, ty: &Ty) -> bool {
    ty.has_part(|part| match part {
        TyKind::RawPtr(..) => true,
        TyKind::Adt(path, _) => match program.adt(path) {
            Some(adt) if adt.kind == AdtKind::Union => true,
            Some(adt) if adt.origin_crate.as_str() == "std" => {
                library_item(path, Defined::Modelled) == Sees::Memory
            }
            Some(_) => false,
            None if path.is_of_std() => library_item(path, Defined::Nowhere) == Sees::Memory,
            None => true,
        },
        _ => false,
    })
}

fn place_is_telling(program: &Program, place: &Place) -> bool {
    place.projection.iter().any(|projection| match projection {
        Projection::Field(_, Some(ty)) => is_telling(program, ty),
        _ => false,
    })
}

fn value_is_telling(program: &Program, value: &Rvalue) -> bool {
    let of_operand = |operand: &Operand| match operand {
        Operand::Copy(place) | Operand::Move(place) => place_is_telling(program, place),
        Operand::Const(_) => false,
    };
    match value {
        Rvalue::RawPtr(..) | Rvalue::FatPtr { .. } => true,
        Rvalue::Cast(kind, operand, ty) => {
            let reads_as_another = matches!(
                kind,
                CastKind::Transmute | CastKind::ExposeProvenance | CastKind::WithExposedProvenance
            );
            reads_as_another || is_telling(program, ty) || of_operand(operand)
        }
        Rvalue::Use(operand) | Rvalue::Repeat(operand, _) => of_operand(operand),
        Rvalue::Ref(_, place) => place_is_telling(program, place),
        Rvalue::Aggregate(_, operands) => operands.iter().any(of_operand),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
