//! Types of which nobody can see that a value is dropped.

use std::collections::HashSet;

use super::code::{OWN, closures_made};
use crate::exec::resolve::normalize;
use crate::ir::*;

/// Types nested deeper are not looked into.
const MAX_TYPE_DEPTH: usize = 24;

/// Whether a type is made of the language's and the library's own.
fn names_std_only(ty: &Ty) -> bool {
    !ty.has_part(|part| match part {
        TyKind::Adt(path, _) => !path.is_of_std(),
        TyKind::Dyn(_)
        | TyKind::Param(_)
        | TyKind::Projection { .. }
        | TyKind::Closure(..)
        | TyKind::FnDef(_)
        | TyKind::Unsupported(_) => true,
        _ => false,
    })
}

/// Whether nobody can see that a value of the type is dropped: at most memory is given back, and not to an allocator of the program's own. The body is that of
/// who drops it: it says what its closures capture.
pub fn drops_silently(program: &Program, body: &Body, ty: &Ty) -> bool {
    silently((program, body), ty, &mut HashSet::new(), 0)
}

/// What a closure captures that the body makes, wherever it does; none if that cannot be told.
fn captures((program, body): (&Program, &Body), closure: &Path) -> Option<Vec<Ty>> {
    let functions = program.functions_at(closure);
    let is_generic = |id: &FnId| !program.generics_in_scope(*id).is_empty();
    // Elsewhere there may be closures of the same path that capture other types.
    if !closure.as_str().starts_with(OWN) && (functions.is_empty() || functions.iter().any(is_generic)) {
        return None;
    }
    let mut types = None;
    for (_, operands) in closures_made(body).filter(|(path, _)| *path == closure) {
        let types = types.get_or_insert_with(Vec::new);
        for operand in operands {
            let place = operand.place().filter(|place| place.projection.is_empty())?;
            types.push(body.locals[place.local].ty.clone());
        }
    }
    types
}

/// Modules of the standard library whose types give back memory when they are dropped, and drop what they hold, which is of the types that they are
/// given.
const OWNING: &[&str] = &[
    "std::alloc::",
    "std::array::",
    "std::boxed::Box",
    "std::char::",
    "std::cmp::",
    "std::collections::",
    "std::convert::",
    "std::fmt::",
    "std::marker::",
    "std::mem::ManuallyDrop",
    "std::mem::MaybeUninit",
    "std::num::",
    "std::ops::Bound",
    "std::ops::ControlFlow",
    "std::ops::Range",
    "std::option::",
    "std::result::Result",
    "std::slice::",
    "std::string::",
    "std::time::",
    "std::vec::IntoIter",
    "std::vec::Vec",
];

/// Of these what owns no memory but in what it holds, which is of the types that it is given.
const WITHOUT_MEMORY: &[&str] = &[
    "std::array::",
    "std::char::",
    "std::cmp::",
    "std::convert::",
    "std::marker::",
    "std::mem::ManuallyDrop",
    "std::mem::MaybeUninit",
    "std::num::",
    "std::ops::Bound",
    "std::ops::ControlFlow",
    "std::ops::Range",
    "std::option::",
    "std::result::Result",
    "std::slice::",
    "std::time::",
];

/// Adaptors that hold nothing but the iterators and closures that they are given.
const ADAPTORS: &[&str] = &[
    "std::iter::Chain",
    "std::iter::Cloned",
    "std::iter::Copied",
    "std::iter::Enumerate",
    "std::iter::Filter",
    "std::iter::FilterMap",
    "std::iter::Inspect",
    "std::iter::Map",
    "std::iter::MapWhile",
    "std::iter::Rev",
    "std::iter::Scan",
    "std::iter::Skip",
    "std::iter::SkipWhile",
    "std::iter::StepBy",
    "std::iter::Take",
    "std::iter::TakeWhile",
    "std::iter::Zip",
];

/// Those whose types may hold what associated types of the types say that they are given: what a `Cow` owns, the item that a `Peekable` has seen.
const HOLDING_ASSOCIATED: &[&str] = &["std::borrow::Cow", "std::iter::", "std::str::"];

fn silently((program, body): (&Program, &Body), ty: &Ty, seen: &mut HashSet<Ty>, depth: usize) -> bool {
    if depth > MAX_TYPE_DEPTH {
        return false;
    }
    if !seen.insert(ty.clone()) {
        return true;
    }
    let mut all = |mut tys: &mut dyn Iterator<Item = Ty>| {
        Iterator::all(&mut tys, |ty| silently((program, body), &ty, seen, depth + 1))
    };
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str
        | TyKind::Never
        | TyKind::Ref(..)
        | TyKind::RawPtr(..)
        | TyKind::FnPtr { .. }
        | TyKind::FnDef(_) => true,
        TyKind::Tuple(tys) => all(&mut tys.iter().cloned()),
        TyKind::Array(elem, _) | TyKind::Slice(elem) => all(&mut std::iter::once(elem.clone())),
        TyKind::Adt(path, args) if path.is_of_std() => {
            let types = args.iter().filter_map(|arg| match arg {
                GenericArg::Ty(ty) => Some(ty.clone()),
                GenericArg::Const(_) => None,
            });
            // A drain closes the gap that it has made.
            let is_of = |starts: &[&str]| starts.iter().any(|start| path.as_str().starts_with(start));
            // What implementations of the library associate with its own types is made of these.
            let is_adaptor = ADAPTORS.contains(&path.as_str());
            let is_owning = (is_of(OWNING) || is_adaptor || is_of(HOLDING_ASSOCIATED) && names_std_only(ty))
                && !path.as_str().contains("Drain")
                && !path.as_str().contains("PeekMut")
                && (is_of(WITHOUT_MEMORY) || is_adaptor || !program.has_own_allocator());
            is_owning && all(&mut { types })
        }
        TyKind::Adt(path, args) => {
            let Some(adt) = program.adt(path) else { return false };
            let is_of_type =
                |implemented: &Ty| matches!(implemented.kind(), TyKind::Adt(other, _) if other == path);
            let impls = program.impls_of(&Path::new(KnownTrait::Drop.path()));
            let has_drop = impls.iter().any(|id| is_of_type(&program.impls[*id].trait_ref.self_ty));
            if has_drop || adt.kind == AdtKind::Union || program.is_ambiguous_adt(path) {
                return false;
            }
            let fields = (0..adt.variants.len()).flat_map(|variant| adt.field_types(variant, args));
            all(&mut fields.map(|field| normalize(program, &field)))
        }
        TyKind::Closure(path, _) => match captures((program, body), path) {
            Some(types) => all(&mut types.into_iter()),
            None => false,
        },
        TyKind::Dyn(_) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => false,
    }
}
