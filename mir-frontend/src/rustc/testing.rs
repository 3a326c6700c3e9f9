//! Helpers of the unit tests.

use regress_core::ir::{ConstTy, CtorKind, GenericParam, GenericParamKind};

use super::cursor::Parsed;
use super::scope::{AdtShape, CrateNames, FnShape, Names, Param, Scope};
use super::std_types;
use super::types::Parser;

/// Names as in a crate `krate` with `data::Point { .. }`, `data::Shape { Circle(..), Empty }`, a module and a trait.
fn names() -> Names {
    let mut names = Names::default();
    std_types::add_traits(&mut names);
    for adt in std_types::adts() {
        names.adts.insert(adt.path.clone(), std_types::shape_of(&adt, std_types::params_of(&adt)));
    }
    let shape = |kind, params: &[Param], variants: &[(&str, CtorKind)]| AdtShape {
        kind,
        params: params.to_vec(),
        variants: variants.iter().map(|(name, ctor)| ((*name).into(), *ctor)).collect(),
    };
    use regress_core::ir::AdtKind::{Enum, Struct, Union};
    names.adts.insert("krate::data::Point".into(), shape(Struct, &[], &[("Point", CtorKind::Struct)]));
    let variants = [("Circle", CtorKind::Tuple), ("Empty", CtorKind::Unit)];
    names.adts.insert("krate::data::Shape".into(), shape(Enum, &[], &variants));
    let len =
        Param { kind: GenericParamKind::Const(ConstTy::Int(regress_core::ir::IntTy::I8)), ..Param::ty("N") };
    let stack = shape(Struct, &[Param::ty("T"), len], &[("Stack", CtorKind::Struct)]);
    names.adts.insert("krate::Stack".into(), stack);
    names.adts.insert("krate::U".into(), shape(Union, &[], &[("U", CtorKind::Struct)]));
    names.traits.insert("krate::Animal".into(), Vec::new());
    names
}

/// Runs `parse` over `text` in a scope with the parameters `T`, `N` (a constant) and `impl FnOnce() -> u8`.
pub fn with_parser<T>(text: &str, parse: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>) -> Parsed<T> {
    with_root_items(text, &[], parse)
}

/// The same in a crate that also has a tuple struct, or an item of a module, of each of these names at its root.
pub fn with_root_items<T>(
    text: &str,
    roots: &[&str],
    parse: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>,
) -> Parsed<T> {
    with_items(text, roots, &[], parse)
}

/// The same where functions of implementations are known.
pub fn with_shapes<T>(
    text: &str,
    shapes: &[(&str, FnShape)],
    parse: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>,
) -> Parsed<T> {
    with_items(text, &[], shapes, parse)
}

fn with_items<T>(
    text: &str,
    roots: &[&str],
    shapes: &[(&str, FnShape)],
    parse: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>,
) -> Parsed<T> {
    let mut names = names();
    for (name, shape) in shapes {
        names.shapes.entry((*name).into()).or_default().push(shape.clone());
    }
    let mut krate = CrateNames::new("krate");
    for root in roots {
        if let Some((first, second)) = root.split_once("::") {
            krate.add_local(first, Some(second));
            continue;
        }
        krate.add_local(root, None);
        let variants = vec![((*root).into(), CtorKind::Tuple)];
        let shape = AdtShape { kind: regress_core::ir::AdtKind::Struct, params: Vec::new(), variants };
        names.adts.insert(krate.path_of_local(&[root]), shape);
    }
    let param = |name: &str, kind| GenericParam { name: name.into(), kind };
    let generics = vec![
        param("T", GenericParamKind::Type),
        param("N", GenericParamKind::Const(ConstTy::USIZE)),
        param("impl FnOnce() -> u8", GenericParamKind::Type),
    ];
    let mut scope = Scope::new(&names, &krate, generics);
    scope.body_of = Some("krate::f".into());
    scope.statics.insert("alloc6", "krate::COUNTER".into());
    let mut parser = Parser::new(text, &scope);
    parse(&mut parser)
}
