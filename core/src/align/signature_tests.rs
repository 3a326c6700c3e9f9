//! Functions whose signature, or a type in it, changes.

use super::testing::*;
use super::*;
use crate::ir::*;

#[test]
fn type_in_the_signature_that_grew() {
    let version = |fields: &[Ty]| {
        start()
            .adt("k::Inner", fields)
            .func("k::takes", 1, &[])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, adt("k::Inner"))])
    };
    check(version(&[int()]), version(&[int(), int()]), &[("k::takes", AFFECTED)]);
    check(version(&[]), version(&[int()]), &[("k::takes", AFFECTED)]);
    let (old, new) = (version(&[int()]).done(), version(&[int(), int()]).done());
    let shape = align(&old, &new).common.of(&Path::new("k::Inner")).cloned().expect("they are comparable");
    assert_eq!((shape.variants[0].fields.len(), shape.variants[0].extent), (1, Extent::Part));
}

#[test]
fn enums_are_comparable_if_they_have_a_variant_in_common() {
    let version = |names: &[&str]| {
        let variant = |name: &&str| Variant {
            name: Name::new(*name),
            ctor: CtorKind::Unit,
            fields: Vec::new(),
            discriminant: 0,
        };
        let variants: Vec<Variant> = names.iter().map(variant).collect();
        start()
            .adt("k::E", &[])
            .with_adt(|adt| (adt.kind, adt.variants) = (AdtKind::Enum, variants))
            .func("k::takes", 1, &[])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, adt("k::E"))])
    };
    check(version(&["A", "B"]), version(&["B", "C"]), &[("k::takes", AFFECTED)]);
    check(version(&["A"]), version(&["C"]), &[("k::takes", SIGNATURE)]);
    let (old, new) = (version(&["A", "B"]).done(), version(&["B", "C"]).done());
    let shape = align(&old, &new).common.of(&Path::new("k::E")).cloned().expect("they are comparable");
    let places: Vec<_> = shape.variants.iter().map(|both| (both.old, both.new, both.extent)).collect();
    assert_eq!(places, [(1, 0, Extent::Whole)]);
}

#[test]
fn of_an_enum_the_variants_without_unlike_types_are_common() {
    let version = |inner: &str, outer: &str| {
        let text = format!(
            "enum k::Inner {{ {inner} }} struct k::Holder {{ inner: k::Inner }} enum k::Outer {{ {outer} }}
             fn k::takes(_1: &k::Outer) -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }}"
        );
        crate::ir::parse::program(&text).unwrap_or_else(|error| panic!("{error}"))
    };
    let shape = |outer: &str| {
        let (old, new) = (version("A", outer), version("B", outer));
        let alignment = align(&old, &new);
        let shape = alignment.common.of(&Path::new("k::Outer")).cloned();
        let left = |shape: CommonShape| {
            shape.variants.iter().map(|both| (both.fields.len(), both.extent)).collect::<Vec<_>>()
        };
        (alignment.pairs[0].kind, shape.map(left).unwrap_or_default())
    };
    let in_part = (AFFECTED, vec![(0, Extent::Whole), (1, Extent::Part)]);
    assert_eq!(shape("Plain, Has(u8, k::Inner)"), in_part);
    assert_eq!(shape("Plain, Has(u8, k::Holder)"), in_part);
    assert_eq!(shape("Plain, Has(u8, std::vec::Vec<k::Holder>)"), in_part);
    assert_eq!(shape("Has(u8, k::Inner)").0, SIGNATURE);
}

#[test]
fn other_parameter_types_are_another_signature() {
    let version =
        |ty: Ty| start().func("k::f", 1, &[]).with(|f| f.inputs = vec![ty]).func("k::g", 1, &[free("k::f")]);
    check(version(int()), version(Ty::int(IntTy::U8)), &[("k::f", SIGNATURE), ("k::g", AFFECTED)]);
}

/// Kinds with whether the results are of one type.
#[track_caller]
fn check_results(old: Build, new: Build, expected: &[(&str, ChangeKind, ResultTypes)]) {
    let (old, new) = (old.done(), new.done());
    let alignment = align(&old, &new);
    let told: Vec<(&str, ChangeKind, ResultTypes)> = alignment
        .pairs
        .iter()
        .filter_map(|pair| {
            let id = pair.new?;
            Some((new.functions[id].path.as_str(), pair.kind, alignment.results(id)))
        })
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn results_of_another_type_leave_the_inputs_in_common() {
    let version = |ty: Ty| {
        start().func("k::f", 1, &[]).with(|f| f.output = ty).func("k::g", 1, &[free("k::f")]).func(
            "k::h",
            1,
            &[],
        )
    };
    check_results(
        version(int()),
        version(Ty::int(IntTy::U8)),
        &[
            ("k::f", CHANGED, ResultTypes::Other),
            ("k::g", AFFECTED, ResultTypes::Same),
            ("k::h", UNCHANGED, ResultTypes::Same),
        ],
    );
}

#[test]
fn a_result_that_became_an_enum_is_of_another_type_however_deep_it_lies() {
    let version = |kind| {
        start()
            .adt("k::Inner", &[int()])
            .with_adt(|adt| adt.kind = kind)
            .adt("k::Outer", &[adt("k::Inner")])
            .func("k::makes", 1, &[])
            .with(|f| f.output = adt("k::Outer"))
            .func("k::takes", 1, &[])
            .with(|f| {
                f.inputs = vec![adt("k::Outer")];
                f.output = adt("k::Outer");
            })
    };
    check_results(
        version(AdtKind::Struct),
        version(AdtKind::Enum),
        &[("k::makes", AFFECTED, ResultTypes::Other), ("k::takes", SIGNATURE, ResultTypes::Same)],
    );
}

#[test]
fn type_in_the_signature_with_another_shape() {
    let version = |field: Ty| {
        start()
            .adt("k::Inner", &[field])
            .adt("k::Outer", &[adt("k::Inner")])
            .func("k::takes", 1, &[])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, adt("k::Outer"))])
            .func("k::makes", 1, &[value_of(adt("k::Outer"))])
            .func("k::apart", 1, &[])
    };
    check(
        version(int()),
        version(Ty::int(IntTy::U8)),
        &[("k::takes", AFFECTED), ("k::makes", AFFECTED), ("k::apart", UNCHANGED)],
    );
    let (old, new) = (version(int()).done(), version(Ty::int(IntTy::U8)).done());
    let shape = align(&old, &new).common.of(&Path::new("k::Inner")).cloned().expect("they are comparable");
    assert_eq!((shape.variants[0].fields.len(), shape.variants[0].extent), (0, Extent::Otherwise));
}

#[test]
fn of_another_representation_public_fields_count() {
    let version = |last: Ty, first: Visibility| {
        start()
            .adt("k::Inner", &[int(), last])
            .with_adt(|adt| adt.variants[0].fields[0].visibility = first)
            .func("k::takes", 1, &[])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, adt("k::Inner"))])
    };
    for (first, expected) in [(Visibility::Public, vec![Name::new("0")]), (Visibility::Private, Vec::new())] {
        let (old, new) = (version(int(), first).done(), version(Ty::int(IntTy::U8), first).done());
        let shape =
            align(&old, &new).common.of(&Path::new("k::Inner")).cloned().expect("they are comparable");
        assert_eq!(shape.variants[0].fields, expected);
    }
}

#[test]
fn an_implementation_for_a_type_of_one_version_leaves_signatures_as_they_are() {
    let version = || {
        let trait_ref = TraitRef { self_ty: param("T"), path: Path::new("k::Object"), args: Vec::new() };
        let projection = Ty::new(TyKind::Projection { trait_ref, name: Name::new("Envelope") });
        start()
            .adt("k::Old", &[])
            .implement("k::Object", adt("k::Old"), "m", 1, &[])
            .generic("k::takes", 1, &[])
            .with(|f| f.inputs = vec![projection])
    };
    let added = || version().adt("k::Added", &[]).implement("k::Object", adt("k::Added"), "m", 1, &[]);
    let expected = [
        ("<k::Old as k::Object>::m", UNCHANGED),
        ("k::takes", AFFECTED),
        ("<k::Added as k::Object>::m", ADDED),
    ];
    check(version(), added(), &expected);
    let for_what_both_have = || version().implement("k::Object", int(), "m", 1, &[]);
    let expected =
        [("<k::Old as k::Object>::m", UNCHANGED), ("k::takes", SIGNATURE), ("<i32 as k::Object>::m", ADDED)];
    check(version(), for_what_both_have(), &expected);
}

#[test]
fn a_struct_that_became_an_enum_is_another_signature() {
    let version = |kind| {
        start()
            .adt("k::Inner", &[int()])
            .with_adt(|adt| adt.kind = kind)
            .func("k::takes", 1, &[])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, adt("k::Inner"))])
    };
    check(version(AdtKind::Struct), version(AdtKind::Enum), &[("k::takes", SIGNATURE)]);
}
