//! Code that a function is given: what its caller brings and it may call.
//!
//! A type parameter stands for any type with any implementation, a `dyn` for any value, an `fn` for any function; each may lie within an
//! argument, in a result (whoever gets it is somebody else) or in a static that others fill.

use std::collections::BTreeSet;

use crate::ir::{Function, FunctionKind, GenericParamKind, Path, Program, Ty, TyKind};

/// Whether code may come into a function from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    Code,
    Nothing,
}

/// Whether the function's caller may give it code.
pub fn to_function(program: &Program, id: crate::ir::FnId) -> Given {
    let function = &program.functions[id];
    let is_generic = program.generics_in_scope(id).iter().any(|param| param.kind == GenericParamKind::Type);
    of(is_generic || leads_to_code(program, &function.inputs))
}

/// Whether a static may hold code that somebody else put there.
pub fn by_static(program: &Program, function: &Function) -> Given {
    let is_static = matches!(function.kind, FunctionKind::Static | FunctionKind::StaticMut);
    of(is_static && leads_to_code(program, std::slice::from_ref(&function.output)))
}

fn of(is_given: bool) -> Given {
    if is_given { Given::Code } else { Given::Nothing }
}

/// Whether something that can be called, or whose type only the run tells, lies within a value of one of the types.
fn leads_to_code(program: &Program, types: &[Ty]) -> bool {
    let mut open: Vec<Ty> = types.to_vec();
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        let (mut found, mut named) = (false, Vec::new());
        ty.each_part(&mut |part| match part.kind() {
            TyKind::FnPtr { .. }
            | TyKind::Dyn(_)
            | TyKind::Param(_)
            | TyKind::Projection { .. }
            | TyKind::Closure(..)
            | TyKind::Unsupported(_) => found = true,
            TyKind::Adt(path, _) => named.push(path.clone()),
            _ => {}
        });
        if found {
            return true;
        }
        for path in named {
            // Fields of library types are those of the models.
            let Some(adt) = program.adt(&path).filter(|adt| adt.origin_crate.as_str() != "std") else {
                continue;
            };
            if seen.insert(path) {
                let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
                open.extend(fields.map(|field| closed(&field.ty, adt)));
            }
        }
    }
    false
}

/// A field's type without the type's own parameters, whose arguments are looked at where the type is named.
fn closed(ty: &Ty, adt: &crate::ir::Adt) -> Ty {
    ty.map(
        &mut |part| match part.kind() {
            TyKind::Param(name) if adt.generics.iter().any(|param| param.name == *name) => Ty::unit(),
            _ => part,
        },
        &mut |constant| constant,
    )
}
