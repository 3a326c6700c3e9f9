//! Where a body uses raw pointers. Such a use may be undefined behaviour, which ends a run like a panic does.

use crate::idx::Idx;
use crate::ir::{
    BlockId, Body, CastKind, KnownType, LocalId, Operand, Place, Projection, Rvalue, StatementKind,
    TerminatorKind, Ty, TyKind,
};

/// Whether a raw pointer is dereferenced in the block. Those that compiled code takes out of a box are none here.
pub fn used_in(body: &Body, block: BlockId) -> bool {
    let block = &body.blocks[block];
    let is_raw = |place: &Place| is_raw(body, place);
    let in_statements = block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Assign(to, rvalue) => is_raw(to) || rvalue.places().into_iter().any(is_raw),
        StatementKind::SetDiscriminant(to, _) => is_raw(to),
        StatementKind::Nop => false,
    });
    let terminator = &block.terminator.kind;
    in_statements
        || matches!(terminator, TerminatorKind::Call { destination, .. } if is_raw(destination))
        || terminator.places().into_iter().any(is_raw)
}

/// Whether the way to the place leads through a raw pointer.
fn is_raw(body: &Body, place: &Place) -> bool {
    let mut ty = Some(body.locals[place.local].ty.clone());
    for (index, projection) in place.projection.iter().enumerate() {
        ty = match projection {
            Projection::Deref => {
                let raw = ty.as_ref().is_none_or(|ty| matches!(ty.kind(), TyKind::RawPtr(..)));
                if raw && !(index == 0 && comes_from_a_box(body, place.local)) {
                    return true;
                }
                ty.as_ref().and_then(Ty::pointee).cloned()
            }
            Projection::Field(_, field) => field.clone(),
            Projection::Downcast(_) | Projection::Subslice { .. } => ty,
            Projection::Index(_) | Projection::ConstantIndex { .. } => match ty.as_ref().map(Ty::kind) {
                Some(TyKind::Array(elem, _) | TyKind::Slice(elem)) => Some(elem.clone()),
                _ => None,
            },
        };
    }
    false
}

/// Whether the local is assigned nothing but the pointers of boxes: how rustc writes the dereference of a box.
fn comes_from_a_box(body: &Body, local: LocalId) -> bool {
    let is_argument = (1..=body.arg_count).contains(&local.index());
    let by_call = body.blocks.iter().any(|block| {
        matches!(&block.terminator.kind, TerminatorKind::Call { destination, .. } if destination.local == local)
    });
    if is_argument || by_call {
        return false;
    }
    let mut assigned = body.blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| {
        match &statement.kind {
            StatementKind::Assign(to, rvalue) if to.local == local && to.projection.is_empty() => {
                Some(rvalue)
            }
            _ => None,
        }
    });
    assigned.all(|rvalue| match rvalue {
        Rvalue::Cast(CastKind::Transmute, Operand::Copy(of) | Operand::Move(of), _) => {
            let ty = match of.projection.last() {
                None => Some(&body.locals[of.local].ty),
                Some(Projection::Field(_, ty)) => ty.as_ref(),
                Some(Projection::Deref) => body.locals[of.local].ty.pointee(),
                Some(_) => None,
            };
            matches!(ty.map(Ty::kind), Some(TyKind::Adt(path, _)) if path == KnownType::Box)
        }
        _ => false,
    })
}
