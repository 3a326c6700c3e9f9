//! What a parameter is given that the other version has not.

use std::collections::BTreeMap;

use crate::exec::resolve::find_impl;
use crate::idx::Idx;
use crate::ir::*;

/// What most callers in the program pass at this place; or else the default of the type, if it is known to have one.
pub(super) fn fixed(program: &Program, called: &Function, place: usize) -> Option<Fixed> {
    let mut passed: BTreeMap<Fixed, usize> = BTreeMap::new();
    for function in program.functions.iter().filter(|function| function.origin == Origin::Subject) {
        let FnBody::Present(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            let TerminatorKind::Call { callee: Callee::Fn(callee), args, .. } = &block.terminator.kind else {
                continue;
            };
            if names(program, callee, called)
                && let Some(value) = args.get(place).and_then(|operand| value_of(body, operand))
                && is_closed(&value)
            {
                *passed.entry(value).or_default() += 1;
            }
        }
    }
    let most = passed.into_iter().max_by_key(|(_, times)| *times).map(|(value, _)| value);
    most.or_else(|| default_of(program, &called.inputs[place]))
}

/// Whether it means the same everywhere, as no parameter of type is in it.
fn is_closed(value: &Fixed) -> bool {
    let mut is_closed = true;
    let mut constants_closed = true;
    let on_ty = &mut |part: Ty| {
        is_closed &=
            !matches!(part.kind(), TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Closure(..));
        part
    };
    let on_const = &mut |constant: Const| {
        constants_closed &= !matches!(constant, Const::Param(_));
        constant
    };
    match value {
        Fixed::Constant(_) => {}
        Fixed::Variant { ty, .. } => {
            ty.map(on_ty, on_const);
        }
        Fixed::Call(callee) => {
            callee.map(on_ty, on_const);
        }
    }
    is_closed && constants_closed
}

/// Of types for which a default is what they are made for, such as options. A number's is as good as any other.
fn default_of(program: &Program, ty: &Ty) -> Option<Fixed> {
    let is_meant = |path: &Path| !path.is_of_std() || *path == KnownType::Option;
    if !matches!(ty.kind(), TyKind::Adt(path, _) if is_meant(path)) {
        return None;
    }
    let trait_ref = TraitRef { self_ty: ty.clone(), path: KnownTrait::Default.into(), args: Vec::new() };
    let has_default = find_impl(program, &trait_ref).is_some();
    let default = Fixed::Call(FnRef::Trait { trait_ref, method: Name::new("default"), args: Vec::new() });
    (has_default && is_closed(&default)).then_some(default)
}

fn names(program: &Program, callee: &FnRef, called: &Function) -> bool {
    match (callee, &called.owner) {
        (FnRef::Free { path, .. } | FnRef::Inherent { path, .. }, _) => *path == called.path,
        (FnRef::Trait { trait_ref, method, .. }, Owner::TraitImpl(id)) => {
            program.impls[*id].trait_ref.path == trait_ref.path
                && called.path.as_str().rsplit("::").next() == Some(method.as_str())
        }
        _ => false,
    }
}

/// What an operand is, if it is one thing and can be written anywhere.
fn value_of(body: &Body, operand: &Operand) -> Option<Fixed> {
    let place = match operand {
        Operand::Const(value) => return constant(value),
        Operand::Copy(place) | Operand::Move(place) => place,
    };
    if !place.projection.is_empty() || place.local.index() <= body.arg_count {
        return None;
    }
    let mut written = Vec::new();
    for block in body.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(to, value) if to.local == place.local => {
                    written.push(written_anywhere(value))
                }
                _ => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Call { callee, args, destination, .. } if destination.local == place.local => {
                written.push(match callee {
                    Callee::Fn(callee) if args.is_empty() => Some(Fixed::Call(callee.clone())),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    match written.as_slice() {
        [value] => value.clone(),
        _ => None,
    }
}

fn written_anywhere(value: &Rvalue) -> Option<Fixed> {
    match value {
        Rvalue::Use(Operand::Const(value)) => constant(value),
        Rvalue::Aggregate(AggregateKind::Adt { ty, variant }, fields) if fields.is_empty() => match variant {
            Some(VariantRef::Name(variant)) => {
                Some(Fixed::Variant { ty: ty.clone(), variant: variant.clone() })
            }
            Some(VariantRef::Index(_)) | None => None,
        },
        _ => None,
    }
}

fn constant(value: &Const) -> Option<Fixed> {
    matches!(value, Const::Bool(_) | Const::Char(_) | Const::Int(..) | Const::Str(_))
        .then(|| Fixed::Constant(value.clone()))
}
