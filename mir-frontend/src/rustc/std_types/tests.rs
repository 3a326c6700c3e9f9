use super::*;

#[test]
fn every_line_of_the_table_is_read() {
    let adts = adts();
    assert_eq!(adts.len(), declarations().count());
    let find = |path: &str| adts.iter().find(|adt| adt.path == path).expect(path);
    let option = find("std::option::Option");
    assert_eq!(option.variants[1].fields[0].ty.to_string(), "T");
    assert_eq!(option.variants[1].ctor, CtorKind::Tuple);
    let ordering = find("std::cmp::Ordering");
    let discriminants: Vec<i128> = ordering.variants.iter().map(|variant| variant.discriminant).collect();
    assert_eq!(discriminants, [-1, 0, 1]);
    assert_eq!(ordering.discriminant_ty, IntTy::I8);
    let inclusive = find("std::ops::RangeInclusive");
    let fields: Vec<&str> = inclusive.variants[0].fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["start", "end", "exhausted"]);
    assert!(find("std::convert::Infallible").variants.is_empty());
    assert_eq!(find("std::result::Result").generics.len(), 2);
    assert_eq!(find("std::mem::MaybeUninit").kind, AdtKind::Union);
    assert_eq!(find("std::fmt::Error").variants[0].ctor, CtorKind::Unit);
}

#[test]
fn limits_of_integers() {
    let check = |ty: IntTy, name: &str, expected: &str| {
        assert_eq!(numeric_const(&Ty::int(ty), name).map(|c| c.to_string()).as_deref(), Some(expected));
    };
    check(IntTy::I8, "MIN", "-128");
    check(IntTy::I8, "MAX", "127");
    check(IntTy::U128, "MAX", &u128::MAX.to_string());
    check(IntTy::I128, "MIN", &i128::MIN.to_string());
    check(IntTy::Usize, "BITS", "64");
    assert_eq!(numeric_const(&Ty::int(IntTy::U8), "EPSILON"), None);
}

#[test]
fn definitions_become_visible_paths() {
    let check = |definition: &str, visible: &str| {
        let segments: Vec<&str> = definition.split("::").collect();
        assert_eq!(visible_path(&segments).as_str(), visible);
    };
    check("core::iter::adapters::map::Map", "std::iter::Map");
    check("core::option::Option", "std::option::Option");
    check("std::collections::hash::map::HashMap", "std::collections::HashMap");
    check("alloc::collections::btree::map::entry::Entry", "std::collections::btree_map::Entry");
    check("core::sync::atomic::AtomicU32", "std::sync::atomic::AtomicU32");
    check("core::cmp::Ordering", "std::cmp::Ordering");
}
