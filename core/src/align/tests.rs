//! What becomes of each function when one thing in its program changes.

use super::testing::*;
use super::*;
use crate::idx::Idx;
use crate::ir::*;

#[test]
fn callers_of_a_changed_function_are_affected() {
    let version = |result| {
        start()
            .func("k::leaf", result, &[])
            .func("k::middle", 1, &[free("k::leaf")])
            .func("k::top", 2, &[free("k::middle"), free("std::mem::take")])
            .func("k::apart", 3, &[free("std::mem::take")])
    };
    check(
        version(1),
        version(2),
        &[("k::leaf", CHANGED), ("k::middle", AFFECTED), ("k::top", AFFECTED), ("k::apart", UNCHANGED)],
    );
}

#[test]
fn added_and_removed() {
    check(
        start().func("k::a", 1, &[]).func("k::b", 2, &[]),
        start().func("k::a", 1, &[]).func("k::c", 3, &[]),
        &[("k::a", UNCHANGED), ("k::b", REMOVED), ("k::c", ADDED)],
    );
}

#[test]
fn constants_are_parts() {
    let version = |value| {
        start().constant("k::LIMIT", value).func("k::f", 1, &[named("k::LIMIT")]).func("k::g", 1, &[])
    };
    check(version(1), version(2), &[("k::f", AFFECTED), ("k::g", UNCHANGED)]);
}

#[test]
fn changed_closure_changes_its_function() {
    let version = |result| {
        let closure = Ty::new(TyKind::Closure(Path::new("k::f::{closure#0}"), Vec::new()));
        start().func("k::f", 1, &[value_of(closure)]).closure("k::f", result).func(
            "k::caller",
            1,
            &[free("k::f")],
        )
    };
    check(version(1), version(2), &[("k::f", CHANGED), ("k::caller", AFFECTED)]);
}

#[test]
fn renamed_function_is_found_and_its_callers_stay() {
    let version = |name: &str| {
        start().func(name, 77, &[]).func("k::caller", 2, &[free(name)]).func(
            "k::other",
            3,
            &[free("k::caller")],
        )
    };
    let (old, new) = (version("k::old_name").done(), version("k::m::new_name").done());
    let alignment = align(&old, &new);
    assert_eq!(alignment.pairs[0].matched_by, MatchedBy::Body);
    assert_eq!(alignment.pairs[0].old, Some(FnId::from_usize(0)));
    assert!(alignment.pairs.iter().all(|pair| pair.kind == UNCHANGED));
    assert_eq!(alignment.pairs[1].matched_by, MatchedBy::Path);
}

#[test]
fn renamed_callee_lets_its_renamed_caller_be_found() {
    let version = |leaf: &str, top: &str| start().func(leaf, 77, &[]).func(top, 2, &[free(leaf)]);
    check(version("k::a", "k::b"), version("k::x", "k::y"), &[("k::x", UNCHANGED), ("k::y", UNCHANGED)]);
}

#[test]
fn two_equal_bodies_are_not_told_apart() {
    check(
        start().func("k::a", 1, &[]).func("k::b", 1, &[]),
        start().func("k::x", 1, &[]),
        &[("k::a", REMOVED), ("k::b", REMOVED), ("k::x", ADDED)],
    );
}

#[test]
fn moved_function_takes_its_closures_along() {
    let version = |path: &str, result| {
        let closure = Ty::new(TyKind::Closure(Path::new(format!("{path}::{{closure#0}}")), Vec::new()));
        start().func(path, 1, &[value_of(closure)]).closure(path, result)
    };
    check(version("k::f", 1), version("k::g", 1), &[("k::g", UNCHANGED)]);
    check(version("k::f", 1), version("k::g", 2), &[("k::f", REMOVED), ("k::g", ADDED)]);
}

#[test]
fn what_the_compiler_checks_of_derives_is_no_function_to_report() {
    let version = |result| {
        start().adt("k::A", &[int()]).implement(
            "std::cmp::Eq",
            adt("k::A"),
            "assert_receiver_is_total_eq",
            result,
            &[],
        )
    };
    check(version(1), version(2), &[]);
    // A trait of the crate may have a method of that name.
    let version = |result| {
        start().adt("k::A", &[int()]).implement("k::Eq", adt("k::A"), "assert_fields_are_eq", result, &[])
    };
    check(version(1), version(2), &[("<k::A as k::Eq>::assert_fields_are_eq", CHANGED)]);
}

#[test]
fn call_on_a_known_type_goes_to_its_implementation() {
    let version = |result| {
        start()
            .adt("k::A", &[])
            .adt("k::B", &[])
            .implement("k::Tr", adt("k::A"), "m", 1, &[])
            .implement("k::Tr", adt("k::B"), "m", result, &[])
            .func("k::on_a", 1, &[method("k::Tr", adt("k::A"), "m")])
            .func("k::on_b", 1, &[method("k::Tr", adt("k::B"), "m")])
    };
    check(
        version(1),
        version(2),
        &[
            ("<k::A as k::Tr>::m", UNCHANGED),
            ("<k::B as k::Tr>::m", CHANGED),
            ("k::on_a", UNCHANGED),
            ("k::on_b", AFFECTED),
        ],
    );
}

#[test]
fn call_on_a_parameter_goes_wherever_its_caller_may_have_it_go() {
    let version = |result| {
        start()
            .adt("k::A", &[])
            .adt("k::B", &[])
            .implement("k::Tr", adt("k::A"), "m", 1, &[])
            .implement("k::Tr", adt("k::B"), "m", result, &[])
            .generic("k::generic", 1, &[method("k::Tr", param("T"), "m")])
            .func("k::with_a", 1, &[free_at("k::generic", &[adt("k::A")])])
            .func("k::with_b", 1, &[free_at("k::generic", &[adt("k::B")])])
            .func("k::uses_b_only", 1, &[value_of(adt("k::B"))])
    };
    check(
        version(1),
        version(2),
        &[
            ("<k::A as k::Tr>::m", UNCHANGED),
            ("<k::B as k::Tr>::m", CHANGED),
            ("k::generic", AFFECTED),
            ("k::with_a", UNCHANGED),
            ("k::with_b", AFFECTED),
            ("k::uses_b_only", UNCHANGED),
        ],
    );
}

#[test]
fn call_on_a_trait_object_goes_to_types_of_which_objects_were_made() {
    let object = Ty::new(TyKind::Dyn(vec![DynTrait {
        path: Path::new("k::Tr"),
        args: Vec::new(),
        assoc_types: Vec::new(),
    }]));
    let version = |result| {
        start()
            .adt("k::A", &[])
            .adt("k::B", &[])
            .implement("k::Tr", adt("k::A"), "m", 1, &[])
            .implement("k::Tr", adt("k::B"), "m", result, &[])
            .func("k::through", 1, &[method("k::Tr", object.clone(), "m")])
            .with(|f| f.inputs = vec![Ty::reference(Mutability::Shared, object.clone())])
            .adt("k::Holder", &[Ty::adt("std::boxed::Box", vec![GenericArg::Ty(object.clone())])])
            .func("k::through_field", 1, &[method("k::Tr", object.clone(), "m")])
            .with(|f| f.inputs = vec![adt("k::Holder")])
            .func("k::with_a", 1, &[value_of(adt("k::B")), free("k::through")])
            .with(|f| f.body = with_object(&f.body, adt("k::A"), object.clone()))
            .func("k::with_b", 1, &[free("k::through")])
            .with(|f| f.body = with_object(&f.body, adt("k::B"), object.clone()))
    };
    check(
        version(1),
        version(2),
        &[
            ("<k::A as k::Tr>::m", UNCHANGED),
            ("<k::B as k::Tr>::m", CHANGED),
            ("k::through", AFFECTED),
            ("k::through_field", AFFECTED),
            ("k::with_a", UNCHANGED),
            ("k::with_b", AFFECTED),
        ],
    );
}

#[test]
fn unknown_code_may_use_what_is_implemented_for_its_types() {
    let version = |result| {
        start()
            .adt("k::A", &[])
            .implement("std::cmp::Ord", adt("k::A"), "cmp", result, &[])
            .func("k::sorts", 1, &[free_at("std::slice::sort", &[adt("k::A")])])
            .func(
                "k::keeps_in_a_tree",
                1,
                &[value_of(Ty::adt("std::collections::BTreeSet", vec![GenericArg::Ty(adt("k::A"))]))],
            )
            .func("k::holds", 1, &[value_of(adt("k::A"))])
    };
    check(
        version(1),
        version(2),
        &[
            ("<k::A as std::cmp::Ord>::cmp", CHANGED),
            ("k::sorts", AFFECTED),
            ("k::keeps_in_a_tree", AFFECTED),
            ("k::holds", UNCHANGED),
        ],
    );
}

#[test]
fn drop_runs_wherever_there_is_a_value() {
    let version = |result| {
        start()
            .adt("k::Guard", &[])
            .adt("k::Holder", &[adt("k::Guard")])
            .implement("std::ops::Drop", adt("k::Guard"), "drop", result, &[])
            .func("k::holds", 1, &[value_of(adt("k::Holder"))])
            .func("k::is_lent", 1, &[value_of(Ty::reference(Mutability::Mut, adt("k::Holder")))])
            .func("k::replaces", 1, &[])
            .with(|function| function.body = with_drop_behind_reference(&function.body, adt("k::Holder")))
            .generic("k::replaces_any", 1, &[])
            .with(|function| function.body = with_drop_behind_reference(&function.body, param("T")))
            .func("k::has_replaced", 1, &[free_at("k::replaces_any", &[adt("k::Holder")])])
            .generic("k::is_lent_any", 1, &[value_of(Ty::reference(Mutability::Mut, param("T")))])
            .func("k::lends", 1, &[free_at("k::is_lent_any", &[adt("k::Holder")])])
            .func("k::apart", 1, &[])
    };
    check(
        version(1),
        version(2),
        &[
            ("<k::Guard as std::ops::Drop>::drop", CHANGED),
            ("k::holds", AFFECTED),
            ("k::is_lent", UNCHANGED),
            ("k::replaces", AFFECTED),
            ("k::replaces_any", AFFECTED),
            ("k::has_replaced", AFFECTED),
            ("k::is_lent_any", UNCHANGED),
            ("k::lends", UNCHANGED),
            ("k::apart", UNCHANGED),
        ],
    );
}

#[test]
fn what_a_destructor_of_std_calls_affects_who_makes_the_value() {
    let version = |result| {
        start()
            .adt("std::vec::Splice", &[])
            .func("k::next", result, &[])
            .implement("std::ops::Drop", adt("std::vec::Splice"), "drop", 1, &[free("k::next")])
            .generic("k::is_handed_any", 1, &[value_of(param("T"))])
            .func("k::makes", 1, &[value_of(adt("std::vec::Splice"))])
    };
    let expected = [
        ("k::next", CHANGED),
        ("<std::vec::Splice as std::ops::Drop>::drop", AFFECTED),
        ("k::is_handed_any", UNCHANGED),
        ("k::makes", AFFECTED),
    ];
    check(version(1), version(2), &expected);
    let version = |result| {
        start()
            .adt("k::Guard", &[])
            .implement("std::ops::Drop", adt("k::Guard"), "drop", result, &[])
            .generic("k::is_handed_any", 1, &[value_of(param("T"))])
            .generic("k::is_lent_any", 1, &[value_of(Ty::reference(Mutability::Shared, param("T")))])
    };
    let expected = [
        ("<k::Guard as std::ops::Drop>::drop", CHANGED),
        ("k::is_handed_any", AFFECTED),
        ("k::is_lent_any", UNCHANGED),
    ];
    check(version(1), version(2), &expected);
}

#[test]
fn drop_that_comes_to_a_type_affects_its_users() {
    let without = || start().adt("k::Guard", &[]).func("k::holds", 1, &[value_of(adt("k::Guard"))]);
    check(
        without(),
        without().implement("std::ops::Drop", adt("k::Guard"), "drop", 1, &[]),
        &[("k::holds", AFFECTED), ("<k::Guard as std::ops::Drop>::drop", ADDED)],
    );
}

#[test]
fn default_method_that_is_overridden_from_now_on() {
    let without = || {
        let mut build = start().adt("k::A", &[]).trait_with_default("k::Tr", "m", 1);
        build.program.impls.push(TraitImpl {
            generics: Vec::new(),
            trait_ref: TraitRef { self_ty: adt("k::A"), path: Path::new("k::Tr"), args: Vec::new() },
            bounds: Vec::new(),
            equalities: Vec::new(),
            methods: BTreeMap::new(),
            consts: BTreeMap::new(),
            types: BTreeMap::new(),
        });
        build.func("k::calls", 1, &[method("k::Tr", adt("k::A"), "m")])
    };
    let mut with = without();
    with.program.impls = IdxVec::new();
    let with = with.implement("k::Tr", adt("k::A"), "m", 2, &[]);
    check(without(), with, &[("k::Tr::m", UNCHANGED), ("k::calls", AFFECTED), ("<k::A as k::Tr>::m", ADDED)]);
}

#[test]
fn changed_default_method() {
    let version = |result| {
        start().adt("k::A", &[]).trait_with_default("k::Tr", "m", result).func(
            "k::calls",
            1,
            &[method("k::Tr", adt("k::A"), "m")],
        )
    };
    check(version(1), version(2), &[("k::Tr::m", CHANGED), ("k::calls", AFFECTED)]);
}

#[test]
fn dependencies_count_but_are_not_reported() {
    let version = |result| {
        start().func("dep::helper", result, &[]).with(|f| f.origin = Origin::Dependency).func(
            "k::f",
            1,
            &[free("dep::helper")],
        )
    };
    check(version(1), version(2), &[("k::f", AFFECTED)]);
}

#[test]
fn unreadable_functions_are_never_unchanged() {
    let version = || {
        start()
            .func("k::f", 1, &[])
            .with(|f| f.body = FnBody::Unreadable { reason: "strange".to_string(), line: None })
            .func("k::g", 1, &[free("k::f")])
            .done()
    };
    let found = kinds(&version(), &version());
    assert_eq!(found["k::f"], CHANGED);
    assert_eq!(found["k::g"], AFFECTED);
}

#[test]
fn foreign_functions_are_known_by_name() {
    let version = || {
        start().func("k::c_function", 1, &[]).with(|f| f.body = FnBody::Missing).func(
            "k::g",
            1,
            &[free("k::c_function")],
        )
    };
    check(version(), version(), &[("k::g", UNCHANGED)]);
}

#[test]
fn inherent_methods_for_several_arguments_are_told_apart() {
    let version = |for_u8: i128, for_i32: i128| {
        let method = |build: Build, arg: Ty, result| {
            build.func("k::S::get", result, &[]).with(|f| {
                let self_ty = Ty::adt("k::S", vec![GenericArg::Ty(arg)]);
                f.inputs = vec![self_ty.clone()];
                f.owner = Owner::Inherent { generics: Vec::new(), self_ty };
            })
        };
        method(method(start(), Ty::int(IntTy::U8), for_u8), int(), for_i32).done()
    };
    let (old, new) = (version(1, 2), version(1, 3));
    let alignment = align(&old, &new);
    let found: Vec<_> = alignment.pairs.iter().map(|pair| (pair.old, pair.kind)).collect();
    let id = FnId::from_usize;
    assert_eq!(found, [(Some(id(0)), UNCHANGED), (Some(id(1)), CHANGED)]);
}

#[test]
fn renamed_type_parameter_is_no_change() {
    let version = |name: &str| {
        start().func("k::f", 1, &[value_of(param(name))]).with(|f| {
            f.generics = vec![GenericParam { name: Name::new(name), kind: GenericParamKind::Type }];
            f.inputs = vec![param(name)];
        })
    };
    check(version("T"), version("U"), &[("k::f", UNCHANGED)]);
}

#[test]
fn parameters_of_the_implementation_swapped_behind_an_unchanged_body() {
    // impl<A, B> S<A, B> { fn f() { A } }  →  impl<B, A> S<A, B> { fn f() { B } }: now the second argument.
    let version = |names: [&str; 2], used: &str| {
        start().func("k::S::f", 1, &[value_of(param(used))]).with(|f| {
            let kind = GenericParamKind::Type;
            f.owner = Owner::Inherent {
                generics: names.iter().map(|name| GenericParam { name: Name::new(name), kind }).collect(),
                self_ty: Ty::adt("k::S", vec![GenericArg::Ty(param("A")), GenericArg::Ty(param("B"))]),
            };
        })
    };
    check(version(["A", "B"], "A"), version(["B", "A"], "B"), &[("k::S::f", SIGNATURE)]);
}

#[test]
fn recursion_ends() {
    let version = |result| {
        start().func("k::even", 1, &[free("k::odd")]).func("k::odd", result, &[free("k::even")]).func(
            "k::own",
            1,
            &[free("k::own")],
        )
    };
    check(version(1), version(2), &[("k::even", AFFECTED), ("k::odd", CHANGED), ("k::own", UNCHANGED)]);
}

#[test]
fn function_that_became_a_constant_of_the_same_path() {
    check(
        start().func("k::f", 1, &[]),
        start().constant("k::f", 1).func("k::g", 5, &[named("k::f")]),
        &[("k::f", REMOVED), ("k::g", ADDED)],
    );
}

#[test]
fn updated_crates_change_what_calls_into_them() {
    let version = || {
        start()
            .func("k::calls", 1, &[free("dep::inner::run")])
            .func("k::top", 1, &[free("k::calls")])
            .func("k::other", 1, &[free("other_dep::run"), free("k::dep::run")])
            .func("k::implemented", 1, &[free("<u8 as dep::Tr>::m")])
            .func("k::holds", 1, &[value_of(adt("dep::Thing"))])
            .func("k::dep::run", 1, &[])
            .done()
    };
    let crates =
        Surroundings { changed_crates: BTreeSet::from([Name::new("dep")]), ..Surroundings::default() };
    let found: Vec<ChangeKind> =
        align_with(&version(), &version(), &crates).pairs.iter().map(|pair| pair.kind).collect();
    assert_eq!(found, [AFFECTED, AFFECTED, UNCHANGED, AFFECTED, AFFECTED, UNCHANGED]);
}

#[test]
fn types_of_crates_from_elsewhere_are_no_choice_of_a_caller() {
    let version = |result| {
        start()
            .adt("dep::Guard", &[])
            .implement("std::ops::Drop", adt("dep::Guard"), "drop", result, &[])
            .generic("k::is_handed_any", 1, &[value_of(param("T"))])
            .func("k::hands", 1, &[free_at("k::is_handed_any", &[adt("dep::Guard")])])
            .done()
    };
    let kinds = |crates: &[&str]| {
        let elsewhere = crates.iter().map(Name::new).collect();
        let surroundings = Surroundings { elsewhere, ..Surroundings::default() };
        let alignment = align_with(&version(1), &version(2), &surroundings);
        alignment.pairs.iter().map(|pair| pair.kind).collect::<Vec<_>>()[1..].to_vec()
    };
    assert_eq!(kinds(&[]), [AFFECTED, AFFECTED]);
    assert_eq!(kinds(&["dep"]), [UNCHANGED, AFFECTED]);
}

#[test]
fn what_is_nowhere_in_the_program_may_be_of_an_updated_crate() {
    // `extern crate dep as short` makes `dep::run` print as `short::run`.
    let version = || {
        start()
            .func("k::renamed", 1, &[free("k::short::run")])
            .func("k::method", 1, &[free("<k::short::Thing as std::ops::Not>::not")])
            .func("k::known", 1, &[free("k::inner::missing"), free("std::nowhere::run")])
            .func("k::inner::there", 1, &[])
            .done()
    };
    let kinds = |crates: &[&str]| -> Vec<ChangeKind> {
        let changed_crates = crates.iter().map(Name::new).collect();
        let crates = Surroundings { changed_crates, ..Surroundings::default() };
        align_with(&version(), &version(), &crates).pairs.iter().map(|pair| pair.kind).collect()
    };
    assert_eq!(kinds(&["dep"]), [AFFECTED, AFFECTED, UNCHANGED, UNCHANGED]);
    assert_eq!(kinds(&[]), [UNCHANGED; 4]);
}

#[test]
fn the_build_is_part_of_a_version() {
    let version = || {
        start()
            .func("k::foreign", 1, &[free("k::imported")])
            .func("k::top", 1, &[free("k::foreign")])
            .func("k::library", 1, &[free("std::fs::read")])
            .func("k::own", 1, &[])
            .done()
    };
    let check = |surroundings: Surroundings, expected: [ChangeKind; 4]| {
        let alignment = align_with(&version(), &version(), &surroundings);
        let found: Vec<ChangeKind> = alignment.pairs.iter().map(|pair| pair.kind).collect();
        assert_eq!(found, expected, "{surroundings:?}");
        for cause in alignment.pairs.iter().filter_map(|pair| alignment.cause(pair.new?)) {
            assert_eq!(cause.item, DifferentItem::Build("why".to_owned()));
        }
    };
    let why = || Some("why".to_owned());
    check(Surroundings::default(), [UNCHANGED; 4]);
    check(
        Surroundings { foreign_code: why(), ..Surroundings::default() },
        [AFFECTED, AFFECTED, UNCHANGED, UNCHANGED],
    );
    check(Surroundings { everything: why(), ..Surroundings::default() }, [AFFECTED; 4]);
}

#[test]
fn crates_are_read_for_what_is_reached_only() {
    let program = start()
        .func("k::calls", 1, &[free("dep::inner::run")])
        .func("k::top", 1, &[free("k::calls")])
        .func("k::other", 1, &[free("k::dep::run")])
        .func("k::implemented", 1, &[free("<u8 as tr::Tr>::m")])
        .func("k::holds", 1, &[value_of(adt("ty::Thing"))])
        .func("k::dep::run", 1, &[])
        .func("k::bounded", 1, &[])
        .with(|function| {
            let trait_ref = TraitRef { self_ty: param("T"), path: Path::new("num::Float"), args: Vec::new() };
            function.bounds = vec![Bound { trait_ref, assoc_types: Vec::new() }];
        })
        .done();
    let candidates = ["dep", "num", "tr", "ty", "unused"].map(Name::new).into();
    let check = |function: &str, expected: &[&str]| {
        let found = crates_to_read(
            &mut Items::new(&program),
            program.functions_at(&Path::new(function)),
            &candidates,
        );
        assert_eq!(found.iter().map(Name::as_str).collect::<Vec<_>>(), expected, "{function}");
    };
    check("k::calls", &["dep"]);
    check("k::top", &["dep"]);
    check("k::other", &[]);
    check("k::implemented", &["tr"]);
    check("k::holds", &["ty"]);
    // Which types have the trait, only its crate says.
    check("k::bounded", &["num"]);
}

#[test]
fn items_of_a_common_dependency_are_the_same_even_if_they_cannot_be_read() {
    let version = |origin| {
        start()
            .func("dep::run", 1, &[])
            .with(|function| {
                function.body = FnBody::Unreadable { reason: "a line".into(), line: None };
                function.origin = origin;
            })
            .func("k::calls", 1, &[free("dep::run")])
            .done()
    };
    let check = |origin, expected| {
        let kinds = align(&version(origin), &version(origin)).pairs;
        assert_eq!(kinds.iter().map(|pair| pair.kind).collect::<Vec<_>>(), [expected]);
    };
    check(Origin::CommonDependency, UNCHANGED);
    check(Origin::Dependency, AFFECTED);
}

#[test]
fn affected_functions_say_through_what() {
    let version = |result| {
        start()
            .func("k::leaf", result, &[])
            .func("k::middle", 1, &[free("k::leaf")])
            .func("k::top", 2, &[free("k::middle")])
            .done()
    };
    let alignment = align(&version(1), &version(2));
    let leaf = DifferentItem::Function(FnId::from_usize(0));
    let cause = Cause { version: crate::verdict::Version::New, item: leaf };
    assert_eq!(alignment.cause(FnId::from_usize(2)), Some(&cause));
    assert_eq!(alignment.cause(FnId::from_usize(0)), None);
}
