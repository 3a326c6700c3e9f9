//! Structs that gained a public field, or lost one.
//!
//! *Idea.* Options, settings and the like gain fields from release to release, and callers write `Options { depth: 2, ..Default::default() }`. So both versions have the
//! values whose fields in common are the same, and whose other fields are as `Default` makes them.
//!
//! *Definition.* A type is *completed by default* if it is a struct with names for its fields, all public, without parameters but lifetimes, of which one version has all fields of
//! the other, and that implements `Default` in each version that has more. Values are given by the fields in common.
//!
//! *Limits.* What a new field does when it is set is not seen.

use std::collections::BTreeMap;

use super::uses::Items;
use crate::ir::*;

/// The fields in common of the types that are completed by default.
pub(super) fn completed_by_default(
    old: &Items<'_>,
    new: &Items<'_>,
    common: &CommonShapes,
) -> BTreeMap<Path, GivenFields> {
    let fields_of = |path: &Path| {
        let [variant] = common.of(path)?.variants.as_slice() else { return None };
        if variant.extent != Extent::Part {
            return None;
        }
        let sides = [old, new].map(|items| completed(items.program, path, &variant.fields));
        let [Some(in_old), Some(in_new)] = sides else { return None };
        let others = match (in_old, in_new) {
            (OtherFields::None, OtherFields::None) => OtherFields::None,
            _ => OtherFields::ByDefault,
        };
        Some((path.clone(), GivenFields { names: variant.fields.clone(), others }))
    };
    common.paths().filter_map(fields_of).collect()
}

/// What completes the fields in this version; none if nothing does.
fn completed(program: &Program, path: &Path, given: &[Name]) -> Option<OtherFields> {
    let adt = program.nameable_adt(path)?;
    let [variant] = adt.variants.as_slice() else { return None };
    let is_plain = adt.kind == AdtKind::Struct
        && variant.ctor == CtorKind::Struct
        && adt.generics.is_empty()
        && variant.fields.iter().all(|field| field.visibility == Visibility::Public);
    let has_default = || {
        let defaults = program.impls_of(&KnownTrait::Default.into()).iter();
        let mut made = defaults.map(|id| &program.impls[*id].trait_ref.self_ty);
        made.any(|ty| matches!(ty.kind(), TyKind::Adt(of, _) if of == path))
    };
    match variant.fields.len() == given.len() {
        _ if !is_plain => None,
        true => Some(OtherFields::None),
        false => has_default().then_some(OtherFields::ByDefault),
    }
}

#[cfg(test)]
mod tests {
    use crate::align::align;
    use crate::ir::parse;

    const DEFAULT: &str =
        "impl std::default::Default for k::O { fn default() -> k::O { bb0: { unreachable; } } }";

    /// The fields by which values are given, if there are such.
    #[track_caller]
    fn check(old: &str, new: &str, expected: Option<&[&str]>) {
        let [old, new] =
            [old, new].map(|text| parse::program(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
        let common = align(&old, &new).common;
        let found: Vec<Vec<&str>> = common
            .completed
            .values()
            .map(|given| given.names.iter().map(|name| name.as_str()).collect())
            .collect();
        assert_eq!(found.first().map(Vec::as_slice), expected);
    }

    #[test]
    fn a_struct_that_gained_a_public_field_is_completed() {
        let new = format!("struct k::O {{ pub c: u8, pub a: u8, pub b: bool }} {DEFAULT}");
        check("struct k::O { pub a: u8, pub b: bool }", &new, Some(&["a", "b"]));
        // One that lost it, as well.
        check(&new, "struct k::O { pub a: u8, pub b: bool }", Some(&["a", "b"]));
    }

    #[test]
    fn the_same_fields_in_another_order_need_no_default() {
        let [old, new] = ["pub a: u8, pub b: u16", "pub b: u16, pub a: u8"];
        check(&format!("struct k::O {{ {old} }}"), &format!("struct k::O {{ {new} }}"), Some(&["b", "a"]));
    }

    #[test]
    fn what_has_more_needs_a_default() {
        check("struct k::O { pub a: u8 }", "struct k::O { pub a: u8, pub b: u8 }", None);
        let old = format!("struct k::O {{ pub a: u8 }} {DEFAULT}");
        check(&old, "struct k::O { pub a: u8, pub b: u8 }", None);
    }

    #[test]
    fn private_fields_and_other_types_are_not_completed() {
        let new = |fields: &str| format!("struct k::O {{ {fields} }} {DEFAULT}");
        check("struct k::O { pub a: u8 }", &new("pub a: u8, b: u8"), None);
        check("struct k::O { pub a: u8 }", &new("pub a: u16, pub b: u8"), None);
        check("struct k::O { pub a: u8 }", &new("pub a: u8"), None);
    }
}
