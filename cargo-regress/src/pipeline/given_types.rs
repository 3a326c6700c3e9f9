//! What generic parameters stand for in a captured call.

use regress_core::compare::{FunctionPair, Instantiation};
use regress_core::exec::Makers;
use regress_core::ir::{FloatTy, FnId, GenericArg, IntTy, KnownType, Mutability, Ty, TyKind};

use crate::pipeline::load::Loaded;

/// Both functions at the types of a call. None if a type is not a usual one, or the versions have other parameters.
pub(super) fn subject(loaded: &Loaded, (old, new): (FnId, FnId), types: &[String]) -> Option<FunctionPair> {
    let types: Vec<Ty> = types.iter().map(|name| named(name)).collect::<Option<_>>()?;
    let instantiation = Instantiation::given((&loaded.old.program, old), (&loaded.new.program, new), &types)?;
    Some(FunctionPair { old, new, instantiation, makers: Makers::default() })
}

/// A type by the name that `std::any::type_name` has for it.
fn named(name: &str) -> Option<Ty> {
    if let Some(inner) = name.strip_prefix('&') {
        return Some(Ty::reference(Mutability::Shared, named(inner)?));
    }
    if let Some(inner) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Some(Ty::new(TyKind::Slice(named(inner)?)));
    }
    if let Some(inner) = name.strip_prefix("alloc::vec::Vec<").and_then(|rest| rest.strip_suffix('>')) {
        return Some(Ty::adt(KnownType::Vec, vec![GenericArg::Ty(named(inner)?)]));
    }
    Some(match name {
        "bool" => Ty::new(TyKind::Bool),
        "char" => Ty::new(TyKind::Char),
        "str" => Ty::new(TyKind::Str),
        "f32" => Ty::new(TyKind::Float(FloatTy::F32)),
        "f64" => Ty::new(TyKind::Float(FloatTy::F64)),
        "alloc::string::String" => Ty::adt(KnownType::String, Vec::new()),
        _ => Ty::int(IntTy::from_name(name)?),
    })
}

#[cfg(test)]
mod tests {
    use super::named;

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(named(name).map(|ty| ty.to_string()).as_deref(), expected, "{name}");
    }

    #[test]
    fn usual_types_are_known_by_their_names() {
        check(std::any::type_name::<i32>(), Some("i32"));
        check(std::any::type_name::<&'static str>(), Some("&str"));
        check(std::any::type_name::<&[u8]>(), Some("&[u8]"));
        check(std::any::type_name::<Vec<String>>(), Some("std::vec::Vec<std::string::String>"));
        check(std::any::type_name::<std::time::Duration>(), None);
        check("[u8; 3]", None);
    }
}
