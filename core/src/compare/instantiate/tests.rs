use super::*;
use crate::idx::{Idx, IdxVec};
use crate::ir::{
    Adt, Block, BlockRole, Body, Callee, ConstTy, FnBody, FnRef, Function, FunctionKind, IntTy, KnownType,
    Local, LocalId, Origin, Path, Terminator, TerminatorKind, Trait, TraitImpl, Visibility,
};

fn param(name: &str) -> Ty {
    Ty::new(TyKind::Param(name.into()))
}

fn on(self_ty: Ty, path: &str) -> TraitRef {
    TraitRef { self_ty, path: Path::new(path), args: Vec::new() }
}

fn method(self_ty: Ty, path: &str) -> FnRef {
    FnRef::Trait { trait_ref: on(self_ty, path), method: "m".into(), args: Vec::new() }
}

/// A function `k::name` whose body only calls.
fn function(
    program: &mut Program,
    name: &str,
    generics: &[(&str, GenericParamKind)],
    calls: &[FnRef],
) -> FnId {
    let block = |kind| Block {
        statements: Vec::new(),
        terminator: Terminator { kind, span: None },
        role: BlockRole::Normal,
    };
    let call = |callee: &FnRef| {
        block(TerminatorKind::Call {
            callee: Callee::Fn(callee.clone()),
            args: Vec::new(),
            destination: LocalId::return_place().into(),
            target: None,
            unwind: None,
        })
    };
    let blocks: Vec<Block> = calls.iter().map(call).chain([block(TerminatorKind::Return)]).collect();
    let locals = IdxVec::from(vec![Local { ty: Ty::unit(), name: None, span: None }]);
    program.functions.push(Function {
        path: Path::new(format!("k::{name}")),
        kind: FunctionKind::Fn,
        owner: Owner::Free,
        generics: generics
            .iter()
            .map(|(name, kind)| GenericParam { name: (*name).into(), kind: *kind })
            .collect(),
        bounds: Vec::new(),
        inputs: Vec::new(),
        output: Ty::unit(),
        visibility: Visibility::Public,
        origin: Origin::Subject,
        span: None,
        body: FnBody::Present(Body { locals, arg_count: 0, blocks: blocks.into() }.into()),
    })
}

/// A program in which `u8` and `k::Own` implement `k::Tr`, and only `k::Own` implements `k::Rare`, and a type that has no name outside of a constant. Arrays of one, of four and of any number of
/// things implement `k::Row`.
fn program() -> Program {
    let mut program = Program::default();
    let own = || Ty::adt("k::Own", Vec::new());
    let array = |len| Ty::new(TyKind::Array(param("X"), len));
    let of_len = |len| array(Const::int(len, IntTy::Usize));
    let in_a_constant = Ty::adt("k::_::Own", Vec::new());
    let implementors =
        [(Ty::int(IntTy::U8), "k::Tr"), (own(), "k::Tr"), (in_a_constant, "k::Rare"), (own(), "k::Rare")];
    for (self_ty, path) in implementors {
        program.impls.push(implemented_for(on(self_ty, path), &[]));
    }
    for len in [1, 4] {
        program.impls.push(implemented_for(on(of_len(len), "k::Row"), &["X"]));
    }
    let of_any = array(Const::Param("N".into()));
    let mut rows = implemented_for(on(of_any, "k::Row"), &["X"]);
    rows.generics
        .push(GenericParam { name: "N".into(), kind: GenericParamKind::Const(ConstTy::Int(IntTy::Usize)) });
    program.impls.push(rows);
    program
}

const TYPE: GenericParamKind = GenericParamKind::Type;

/// What is chosen for `k::f` with these parameters and calls.
#[track_caller]
fn check(generics: &[(&str, GenericParamKind)], calls: &[FnRef], expected: Result<&str, OpenGenerics>) {
    let mut program = program();
    function(&mut program, "g", &[("X", TYPE)], &[method(param("X"), "k::Tr")]);
    let f = function(&mut program, "f", generics, calls);
    program.build_index();
    let chosen = choose((&program, f), (&program, f)).map(|chosen| chosen.to_string());
    match (chosen, expected) {
        (Ok(chosen), Ok(expected)) => assert_eq!(chosen, expected),
        (Err(reason), Err(expected)) => assert_eq!(reason, Refused::Generic(expected)),
        (chosen, expected) => panic!("{chosen:?} instead of {expected:?}"),
    }
}

fn nothing_has(parameter: &str, traits: &[&str]) -> OpenGenerics {
    let traits = traits.iter().map(ToString::to_string).collect();
    OpenGenerics::NothingHas { parameter: parameter.to_owned(), traits }
}

/// `k::g::<T>`, which calls `<T as k::Tr>::m`.
fn to_g() -> FnRef {
    FnRef::Free { path: Path::new("k::g"), args: vec![GenericArg::Ty(param("T"))] }
}

#[test]
fn nothing_is_chosen_for_a_function_without_parameters() {
    check(&[], &[], Ok(""));
}

#[test]
fn a_parameter_without_demands_is_a_small_integer() {
    check(&[("T", TYPE)], &[], Ok("T = i32"));
}

#[test]
fn a_parameter_is_of_a_type_that_has_what_is_called_on_it() {
    check(&[("T", TYPE)], &[method(param("T"), "k::Tr")], Ok("T = u8"));
    check(&[("T", TYPE)], &[method(param("T"), "k::Tr"), method(param("T"), "k::Rare")], Ok("T = k::Own"));
}

#[test]
fn generic_implementations_are_taken_at_one_type() {
    check(&[("T", TYPE)], &[method(param("T"), "k::Row")], Ok("T = [i32; 4]"));
    let both = [method(param("T"), "k::Row"), method(param("T"), "k::Tr")];
    check(&[("T", TYPE)], &both, Err(nothing_has("T", &["k::Row", "k::Tr"])));
}

#[test]
fn an_implementation_for_all_that_have_another_trait_is_one_for_each_of_those() {
    let mut program = program();
    let of_all = |of: &str, bound: &str| TraitImpl {
        bounds: vec![on(param("X"), bound)],
        ..implemented_for(on(param("X"), of), &["X"])
    };
    program.impls.push(of_all("k::Blanket", "k::Rare"));
    // `u8` comes first among what has `k::Tr`, but does not have both.
    let both = of_all("k::Both", "k::Tr");
    let bounds = both.bounds.iter().cloned().chain([on(param("X"), "k::Rare")]).collect();
    let one = Ty::adt("k::One", vec![GenericArg::Ty(param("X"))]);
    program.impls.push(TraitImpl { trait_ref: on(one, "k::Both"), bounds, ..both });
    let pair = Ty::adt("k::Pair", vec![GenericArg::Ty(param("X"))]);
    program.impls.push(TraitImpl { trait_ref: on(pair, "k::Paired"), ..of_all("k::Paired", "k::Blanket") });
    let f = function(&mut program, "f", &[("T", TYPE)], &[method(param("T"), "k::Blanket")]);
    let g = function(&mut program, "g", &[("T", TYPE)], &[method(param("T"), "k::Paired")]);
    let h = function(&mut program, "h", &[("T", TYPE)], &[method(param("T"), "k::Both")]);
    program.build_index();
    let chosen = |id| choose((&program, id), (&program, id)).expect("there is one").to_string();
    assert_eq!(chosen(f), "T = k::Own");
    assert_eq!(chosen(g), "T = k::Pair<k::Own>");
    assert_eq!(chosen(h), "T = k::One<k::Own>");
}

#[test]
fn demands_of_called_functions_count() {
    check(&[("T", TYPE)], &[to_g()], Ok("T = u8"));
}

#[test]
fn parameters_are_chosen_each_by_its_own_demands() {
    check(&[("S", TYPE), ("T", TYPE)], &[method(param("T"), "k::Rare")], Ok("S = i32, T = k::Own"));
}

#[test]
fn constants_are_lengths() {
    check(&[("N", GenericParamKind::Const(ConstTy::USIZE))], &[], Ok("N = 3"));
}

#[test]
fn what_the_language_copies_is_copied() {
    let copied = method(param("T"), "std::marker::Copy");
    check(&[("T", TYPE)], &[copied], Ok("T = i32"));
}

/// Not all traits of the library are modelled for all types, so the compiler is asked about these.
#[test]
fn where_nothing_has_all_that_is_asked_the_traits_of_the_program_decide() {
    let mut parsed = program();
    let text = || on(Ty::new(TyKind::Bool), "std::str::FromStr");
    parsed.impls.push(TraitImpl { trait_ref: text(), ..parsed.impls[ImplId::from_usize(0)].clone() });
    let calls = [method(param("T"), "k::Rare"), method(param("T"), "std::str::FromStr")];
    let f = function(&mut parsed, "f", &[("T", TYPE)], &calls);
    parsed.build_index();
    let chosen = choose((&parsed, f), (&parsed, f)).expect("a choice");
    assert_eq!(chosen.to_string(), "T = k::Own");
}

#[test]
fn what_no_type_has_is_told() {
    check(&[("T", TYPE)], &[method(param("T"), "k::Absent")], Err(nothing_has("T", &["k::Absent"])));
}

#[test]
fn both_versions_must_be_content() {
    let mut program = program();
    let old = function(&mut program, "f", &[("A", TYPE)], &[method(param("A"), "k::Rare")]);
    let new = function(&mut program, "f", &[("B", TYPE)], &[method(param("B"), "k::Tr")]);
    program.build_index();
    let chosen = choose((&program, old), (&program, new)).unwrap();
    assert_eq!(chosen.to_string(), "B = k::Own");
    let own = GenericArg::Ty(Ty::adt("k::Own", Vec::new()));
    assert_eq!(chosen.old.get(&"A".into()), Some(&own));
    assert_eq!(chosen.new.get(&"B".into()), Some(&own));
}

#[test]
fn a_wanted_type_comes_first_where_it_fits() {
    let mut program = program();
    let of_own =
        FnRef::Free { path: Path::new("k::f"), args: vec![GenericArg::Ty(Ty::adt("k::Own", Vec::new()))] };
    let f = function(&mut program, "f", &[("T", TYPE)], &[method(param("T"), "k::Tr")]);
    program.build_index();
    let chosen = |program: &Program, wanted: &[Ty]| {
        Chooser::new(program, program).choose(f, f, wanted).unwrap().to_string()
    };
    let (own, character) = (Ty::adt("k::Own", Vec::new()), Ty::new(TyKind::Char));
    assert_eq!(chosen(&program, &[]), "T = u8");
    assert_eq!(chosen(&program, std::slice::from_ref(&own)), "T = k::Own");
    assert_eq!(chosen(&program, &[character, own]), "T = k::Own", "char has no `m`");
    // What the program calls it with comes before what it may be called with, but not before what is wanted.
    function(&mut program, "caller", &[], &[of_own]);
    assert_eq!(chosen(&program, &[]), "T = k::Own");
    assert_eq!(chosen(&program, &[Ty::int(IntTy::U8)]), "T = u8");
}

/// What is chosen for `k::f` with these declared bounds.
#[track_caller]
fn check_declared(
    generics: &[(&str, GenericParamKind)],
    bounds: Vec<Bound>,
    expected: Result<&str, OpenGenerics>,
) {
    let mut program = program();
    let vec = Ty::adt("std::vec::Vec", vec![GenericArg::Ty(param("T"))]);
    program.impls.push(TraitImpl {
        generics: vec![GenericParam { name: "T".into(), kind: TYPE }],
        trait_ref: on(vec, "std::iter::IntoIterator"),
        bounds: Vec::new(),
        equalities: Vec::new(),
        methods: Default::default(),
        consts: Default::default(),
        types: [("Item".into(), param("T"))].into(),
    });
    let f = function(&mut program, "f", generics, &[]);
    program.functions[f].bounds = bounds;
    program.build_index();
    let chosen = choose((&program, f), (&program, f)).map(|chosen| chosen.to_string());
    match (chosen, expected) {
        (Ok(chosen), Ok(expected)) => assert_eq!(chosen, expected),
        (Err(reason), Err(expected)) => assert_eq!(reason, Refused::Generic(expected)),
        (chosen, expected) => panic!("{chosen:?} instead of {expected:?}"),
    }
}

fn bound(name: &str, path: &str, assoc_types: &[(&str, Ty)]) -> Bound {
    let assoc_types = assoc_types.iter().map(|(name, ty)| ((*name).into(), ty.clone())).collect();
    Bound { trait_ref: on(param(name), path), assoc_types }
}

#[test]
fn declared_bounds_count_though_no_body_uses_them() {
    check_declared(&[("T", TYPE)], vec![bound("T", "k::Rare", &[])], Ok("T = k::Own"));
}

/// What is chosen for a method of `impl<T: …> k::Tr for k::Own<T>`, which does nothing.
#[track_caller]
fn check_method_of_impl(bound_by: &str, expected: Result<&str, OpenGenerics>) {
    let mut program = program();
    let self_ty = Ty::adt("k::Own", vec![GenericArg::Ty(param("T"))]);
    let mut of_own = implemented_for(on(self_ty, "k::Shown"), &["T"]);
    of_own.bounds = vec![on(param("T"), bound_by)];
    program.impls.push(of_own);
    let id = ImplId::from_usize(program.impls.len() - 1);
    let f = function(&mut program, "f", &[], &[]);
    program.functions[f].owner = Owner::TraitImpl(id);
    program.build_index();
    let chosen = choose((&program, f), (&program, f)).map(|chosen| chosen.to_string());
    assert_eq!(chosen, expected.map(str::to_owned).map_err(Refused::Generic));
}

#[test]
fn what_is_asked_for_an_implementation_and_not_known_is_for_the_compiler() {
    check_method_of_impl("k::Rare", Ok("T = k::Own"));
    check_method_of_impl("k::Absent", Err(nothing_has("T", &["k::Absent"])));
    check_method_of_impl("numbers::Whole", Ok("T = i32"));
    check_method_of_impl("std::marker::Send", Ok("T = i32"));
}

#[test]
fn traits_that_nearly_all_types_have_are_left_to_the_compiler() {
    check_declared(&[("T", TYPE)], vec![bound("T", "std::fmt::Debug", &[])], Ok("T = i32"));
    check_declared(
        &[("T", TYPE)],
        vec![bound("T", "std::marker::Copy", &[]), bound("T", "std::iter::IntoIterator", &[])],
        Err(nothing_has("T", &["std::marker::Copy", "std::iter::IntoIterator"])),
    );
}

/// The further choices for `k::f<T>` of which these traits are asked.
#[track_caller]
fn check_others(asked: &[&str], expected: &[&str]) {
    let mut program = program();
    let of_users = [("k::Tr", Visibility::Private), ("k::Rare", Visibility::Public)];
    for (path, visibility) in of_users {
        program.traits.push(Trait {
            path: Path::new(path),
            visibility,
            generics: Vec::new(),
            default_methods: Default::default(),
            default_consts: Default::default(),
            default_types: Default::default(),
            supertraits: Vec::new(),
        });
    }
    let f = function(&mut program, "f", &[("T", TYPE)], &[]);
    program.functions[f].bounds = asked.iter().map(|path| bound("T", path, &[])).collect();
    program.build_index();
    let chooser = Chooser::new(&program, &program);
    let chosen = chooser.choose(f, f, &[]).expect("there is a choice");
    let others = chooser.others(f, f, &chosen);
    assert_eq!(others.iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{asked:?}");
}

#[test]
fn further_choices_are_other_constants() {
    let mut program = program();
    let kinds = [("N", ConstTy::Int(IntTy::Usize)), ("B", ConstTy::Bool), ("C", ConstTy::Char)];
    let params = kinds.map(|(name, ty)| (name, GenericParamKind::Const(ty)));
    let f = function(&mut program, "f", &params, &[]);
    program.build_index();
    let chooser = Chooser::new(&program, &program);
    let chosen = chooser.choose(f, f, &[]).expect("there is a choice");
    assert_eq!(chosen.to_string(), "N = 3, B = true, C = 'c'");
    let others = chooser.others(f, f, &chosen);
    assert_eq!(
        others.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "N = 8, B = true, C = 'c'",
            "N = 0, B = true, C = 'c'",
            "N = 1, B = true, C = 'c'",
            // The other value of a flag is worth a place among the first ones.
            "N = 3, B = false, C = 'c'"
        ]
    );
    assert!(others.iter().all(|other| other.has_other_constants(&chosen)));
    assert!(!chosen.has_other_constants(&chosen));
}

#[test]
fn further_choices_are_types_that_tell_more() {
    check_others(&[], &["T = std::string::String", "T = ()"]);
    check_others(&["std::cmp::PartialOrd"], &["T = f64", "T = std::string::String"]);
    check_others(&["std::cmp::PartialOrd", "std::marker::Copy"], &["T = f64"]);
    check_others(&["std::cmp::Ord"], &["T = std::string::String"]);
    // Another implementor than `u8`.
    check_others(&["k::Tr"], &["T = k::Own"]);
    // What users may do.
    check_others(&["k::Rare"], &["T = a type whose k::Rare answers one of three values"]);
    check_others(
        &["k::Rare", "std::clone::Clone"],
        &["T = a type whose k::Rare answers one of three values"],
    );
}

#[test]
fn what_an_iterator_is_to_yield_is_yielded() {
    let text = Ty::reference(Mutability::Shared, Ty::new(TyKind::Str));
    let yields = |ty: Ty| vec![bound("I", "std::iter::IntoIterator", &[("Item", ty)])];
    check_declared(&[("I", TYPE)], yields(text), Ok("I = std::vec::Vec<&str>"));
    // The element is a parameter that is chosen later, and has to fit.
    let mut bounds = yields(param("T"));
    bounds.push(bound("T", "k::Tr", &[]));
    check_declared(&[("I", TYPE), ("T", TYPE)], bounds, Ok("I = std::vec::Vec<u8>, T = u8"));
}

#[test]
fn what_a_bound_implies_is_asked_for() {
    let iterator = |self_ty| on(self_ty, "std::iter::Iterator");
    let list = Ty::adt(KnownType::VecIntoIter, vec![GenericArg::Ty(param("T"))]);
    let implementation = |name: &str, trait_ref, bounds| TraitImpl {
        generics: vec![GenericParam { name: name.into(), kind: TYPE }],
        trait_ref,
        bounds,
        equalities: Vec::new(),
        methods: Default::default(),
        consts: Default::default(),
        types: Default::default(),
    };
    let check = |supertraits: Vec<TraitRef>, bounds: Vec<TraitRef>, expected: &str| {
        let mut program = program();
        program.impls.push(implementation("T", iterator(list.clone()), Vec::new()));
        program.impls.push(implementation("I", on(param("I"), "k::Further"), bounds));
        program.traits.push(Trait {
            path: Path::new("k::Further"),
            visibility: Visibility::Public,
            generics: Vec::new(),
            default_methods: Default::default(),
            default_consts: Default::default(),
            default_types: Default::default(),
            supertraits,
        });
        let f = function(&mut program, "f", &[("I", TYPE)], &[]);
        program.functions[f].bounds = vec![bound("I", "k::Further", &[])];
        program.build_index();
        assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), expected);
    };
    check(Vec::new(), Vec::new(), "I = i32");
    check(vec![iterator(param("Self"))], Vec::new(), "I = std::vec::IntoIter<i32>");
    check(Vec::new(), vec![iterator(param("I"))], "I = std::vec::IntoIter<i32>");
}

#[test]
fn types_that_callers_use_come_first() {
    let text = GenericArg::Ty(Ty::reference(Mutability::Shared, Ty::new(TyKind::Str)));
    let mut program = program();
    let f = function(&mut program, "f", &[("T", TYPE)], &[]);
    let calls = |arg| FnRef::Free { path: Path::new("k::f"), args: vec![arg] };
    // What a generic caller hands on is not closed.
    function(&mut program, "generic", &[("U", TYPE)], &[calls(GenericArg::Ty(param("U")))]);
    function(&mut program, "caller", &[], &[calls(text)]);
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "T = &str");
}

#[test]
fn private_types_of_the_models_are_no_candidates() {
    let mut program = program();
    let helper = || Ty::adt("std::collections::Fed", Vec::new());
    program.adts.push(crate::ir::Adt {
        path: Path::new("std::collections::Fed"),
        kind: crate::ir::AdtKind::Struct,
        generics: Vec::new(),
        bounds: Vec::new(),
        variants: Vec::new(),
        discriminant_ty: IntTy::Isize,
        visibility: Visibility::Private,
        origin_crate: "std".into(),
        span: None,
    });
    program.impls.push(TraitImpl {
        generics: Vec::new(),
        trait_ref: on(helper(), "std::hash::Hasher"),
        bounds: Vec::new(),
        equalities: Vec::new(),
        methods: Default::default(),
        consts: Default::default(),
        types: Default::default(),
    });
    let f = function(&mut program, "f", &[("H", TYPE)], &[method(param("H"), "std::hash::Hasher")]);
    program.build_index();
    let reason = choose((&program, f), (&program, f)).unwrap_err();
    assert_eq!(reason, Refused::Generic(nothing_has("H", &["std::hash::Hasher"])));
}

#[test]
fn a_type_of_which_there_are_only_references_comes_last() {
    let mut program = program();
    for (name, last) in
        [("k::Bytes", Ty::new(TyKind::Slice(Ty::int(IntTy::U8)))), ("k::Owned", Ty::new(TyKind::Char))]
    {
        let field = crate::ir::Field { name: "last".into(), ty: last, visibility: Visibility::Private };
        let ctor = crate::ir::CtorKind::Struct;
        let whole = crate::ir::Variant { name: name.into(), ctor, fields: vec![field], discriminant: 0 };
        program.adts.push(crate::ir::Adt {
            path: Path::new(name),
            kind: crate::ir::AdtKind::Struct,
            generics: Vec::new(),
            bounds: Vec::new(),
            variants: vec![whole],
            discriminant_ty: IntTy::Isize,
            visibility: Visibility::Public,
            origin_crate: "k".into(),
            span: None,
        });
        program.impls.push(implemented_for(on(Ty::adt(name, Vec::new()), "k::Seen"), &[]));
    }
    let f = function(&mut program, "f", &[("T", TYPE)], &[method(param("T"), "k::Seen")]);
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "T = k::Owned");
}

#[test]
fn what_a_demand_is_made_of_is_looked_up() {
    let mut program = program();
    let plain = |trait_ref, types| TraitImpl {
        generics: Vec::new(),
        trait_ref,
        bounds: Vec::new(),
        equalities: Vec::new(),
        methods: Default::default(),
        consts: Default::default(),
        types,
    };
    let of = |arg| TraitRef { args: vec![GenericArg::Ty(arg)], ..on(Ty::adt("k::Own", Vec::new()), "k::Of") };
    program.impls.push(plain(of(Ty::new(TyKind::Char)), Default::default()));
    let items = on(Ty::adt("k::Items", Vec::new()), "k::Yields");
    program.impls.push(plain(items.clone(), [("Item".into(), Ty::new(TyKind::Char))].into()));
    let item = Ty::new(TyKind::Projection { trait_ref: items, name: "Item".into() });
    let trait_ref = TraitRef { self_ty: param("T"), ..of(item) };
    let call = FnRef::Trait { trait_ref, method: "m".into(), args: Vec::new() };
    let f = function(&mut program, "f", &[("T", TYPE)], &[call]);
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "T = k::Own");
}

#[test]
fn a_type_with_which_other_methods_can_be_called_comes_first() {
    let mut program = program();
    let whole = Ty::adt("k::Whole", vec![GenericArg::Ty(param("T"))]);
    let len = function(&mut program, "len", &[], &[]);
    let add = function(&mut program, "add", &[], &[]);
    for id in [len, add] {
        let generics = vec![GenericParam { name: "T".into(), kind: TYPE }];
        program.functions[id].owner = Owner::Inherent { generics, self_ty: whole.clone() };
    }
    program.functions[add].bounds =
        vec![Bound { trait_ref: on(param("T"), "k::Rare"), assoc_types: Vec::new() }];
    program.build_index();
    assert_eq!(choose((&program, len), (&program, len)).unwrap().to_string(), "T = k::Own");
}

fn implemented_for(trait_ref: TraitRef, generics: &[&str]) -> TraitImpl {
    TraitImpl {
        generics: generics.iter().map(|name| GenericParam { name: (*name).into(), kind: TYPE }).collect(),
        trait_ref,
        bounds: Vec::new(),
        equalities: Vec::new(),
        methods: Default::default(),
        consts: Default::default(),
        types: Default::default(),
    }
}

#[test]
fn a_hasher_is_no_number() {
    let mut program = program();
    program.impls.push(implemented_for(on(Ty::adt("k::Own", Vec::new()), "std::hash::Hasher"), &[]));
    let f = function(&mut program, "f", &[("H", TYPE)], &[]);
    program.functions[f].bounds = vec![bound("H", "std::hash::Hasher", &[])];
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "H = k::Own");
}

/// A program in which vectors are iterated over, and every type is borrowed as itself.
fn with_vectors() -> Program {
    let mut program = program();
    let vec = Ty::adt("std::vec::Vec", vec![GenericArg::Ty(param("T"))]);
    let items = [("Item".into(), param("T"))].into();
    let iterated = implemented_for(on(vec, "std::iter::IntoIterator"), &["T"]);
    program.impls.push(TraitImpl { types: items, ..iterated });
    let itself = TraitRef { args: vec![GenericArg::Ty(param("T"))], ..on(param("T"), "std::borrow::Borrow") };
    program.impls.push(implemented_for(itself, &["T"]));
    program
}

#[test]
fn what_is_yielded_may_be_the_type_itself() {
    let mut program = with_vectors();
    let f = function(&mut program, "f", &[("I", TYPE)], &[]);
    let own = Ty::adt("k::Own", Vec::new());
    program.functions[f].owner = Owner::Inherent { generics: Vec::new(), self_ty: own };
    program.functions[f].bounds = vec![bound("I", "std::iter::IntoIterator", &[("Item", param("Self"))])];
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "I = std::vec::Vec<k::Own>");
}

#[test]
fn bounds_on_what_is_yielded_say_what_that_is() {
    let mut program = with_vectors();
    let f = function(&mut program, "f", &[("I", TYPE)], &[]);
    let yielding = on(param("I"), "std::iter::IntoIterator");
    let item = Ty::new(TyKind::Projection { trait_ref: yielding, name: "Item".into() });
    let own = GenericArg::Ty(Ty::adt("k::Own", Vec::new()));
    let borrowed = TraitRef { args: vec![own], ..on(item, "std::borrow::Borrow") };
    program.functions[f].bounds = vec![
        bound("I", "std::iter::IntoIterator", &[]),
        Bound { trait_ref: borrowed, assoc_types: Vec::new() },
    ];
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "I = std::vec::Vec<k::Own>");
}

/// `name: path<ty>`
fn bound_to(name: &str, path: &str, ty: Ty) -> Bound {
    let trait_ref = TraitRef { args: vec![GenericArg::Ty(ty)], ..on(param(name), path) };
    Bound { trait_ref, assoc_types: Vec::new() }
}

/// What is chosen where texts and slices can be looked at, and characters and strings become strings.
#[track_caller]
fn check_conversions(generics: &[(&str, GenericParamKind)], bounds: Vec<Bound>, expected: &str) {
    let mut program = with_vectors();
    let mut implements = |self_ty: Ty, path: &str, ty: Ty, generics: &[&str]| {
        let trait_ref = TraitRef { args: vec![GenericArg::Ty(ty)], ..on(self_ty, path) };
        program.impls.push(implemented_for(trait_ref, generics));
    };
    let string = || Ty::adt(KnownType::String, Vec::new());
    implements(Ty::new(TyKind::Str), "std::convert::AsRef", Ty::new(TyKind::Str), &[]);
    implements(string(), "std::convert::AsRef", Ty::new(TyKind::Str), &[]);
    implements(Ty::new(TyKind::Char), "std::convert::Into", string(), &[]);
    implements(string(), "std::convert::Into", string(), &[]);
    let through =
        TraitRef { args: vec![GenericArg::Ty(param("U"))], ..on(param("T"), "std::convert::AsRef") };
    let of_reference = TraitRef { self_ty: Ty::reference(Mutability::Shared, param("T")), ..through.clone() };
    program.impls.push(TraitImpl { bounds: vec![through], ..implemented_for(of_reference, &["T", "U"]) });
    let f = function(&mut program, "f", generics, &[]);
    program.functions[f].bounds = bounds;
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), expected);
}

#[test]
fn paths_can_be_looked_at_as_paths() {
    let path = || Ty::adt(KnownType::Path, Vec::new());
    let as_path = |name| bound_to(name, "std::convert::AsRef", path());
    check_conversions(&[("P", TYPE)], vec![as_path("P")], "P = &std::path::Path");
    let os = bound_to("P", "std::convert::AsRef", Ty::adt(KnownType::OsStr, Vec::new()));
    check_conversions(&[("P", TYPE)], vec![os], "P = &std::ffi::OsStr");
    let yields = bound("I", "std::iter::IntoIterator", &[("Item", param("P"))]);
    check_conversions(
        &[("I", TYPE), ("P", TYPE)],
        vec![yields, as_path("P")],
        "I = std::vec::Vec<&std::path::Path>, P = &std::path::Path",
    );
}

#[test]
fn what_is_asked_for_comes_before_what_becomes_it() {
    let text = bound_to("T", "std::convert::AsRef", Ty::new(TyKind::Str));
    check_conversions(&[("T", TYPE)], vec![text], "T = &str");
    let string = bound_to("T", "std::convert::Into", Ty::adt(KnownType::String, Vec::new()));
    check_conversions(&[("T", TYPE)], vec![string], "T = std::string::String");
}

#[test]
fn what_is_called_with_what_becomes_a_type_is_also_tried_with_the_type() {
    let mut program = program();
    let own = || Ty::adt("k::Own", Vec::new());
    let into_own = |ty| TraitRef { args: vec![GenericArg::Ty(own())], ..on(ty, "std::convert::Into") };
    for ty in [Ty::int(IntTy::U8), own()] {
        program.impls.push(implemented_for(into_own(ty), &[]));
    }
    let f = function(&mut program, "f", &[("T", TYPE)], &[]);
    program.functions[f].bounds = vec![bound_to("T", "std::convert::Into", own())];
    let of_u8 = FnRef::Free { path: Path::new("k::f"), args: vec![GenericArg::Ty(Ty::int(IntTy::U8))] };
    function(&mut program, "calls", &[], &[of_u8]);
    program.build_index();
    let chooser = Chooser::new(&program, &program);
    let chosen = chooser.choose(f, f, &[]).expect("there is a choice");
    assert_eq!(chosen.to_string(), "T = u8");
    assert_eq!(chooser.others(f, f, &chosen)[0].to_string(), "T = k::Own");
}

#[test]
fn traits_of_std_that_are_not_modelled_rule_no_type_out() {
    let vec = Ty::adt("std::vec::Vec", vec![GenericArg::Ty(param("T"))]);
    check(&[("T", TYPE)], &[method(vec, "std::ops::DerefMut")], Ok("T = i32"));
}

#[test]
fn what_is_asked_of_types_made_of_a_constant_is_told() {
    let row = Ty::new(TyKind::Array(Ty::int(IntTy::U8), Const::Param("N".into())));
    let reason = OpenGenerics::NothingMeets {
        parameter: "N".to_owned(),
        bounds: vec!["[u8; N]: k::Absent".to_owned()],
    };
    check(&[("N", GenericParamKind::Const(ConstTy::USIZE))], &[method(row, "k::Absent")], Err(reason));
}

#[test]
fn constants_are_of_the_type_that_is_declared() {
    let of = |ty| GenericParamKind::Const(ty);
    check(&[("N", of(ConstTy::Int(IntTy::I8)))], &[], Ok("N = 3"));
    check(&[("A", of(ConstTy::Char)), ("B", of(ConstTy::Char))], &[], Ok("A = 'a', B = 'b'"));
    check(&[("FAST", of(ConstTy::Bool))], &[], Ok("FAST = true"));
}

#[test]
fn type_aliases_say_what_a_type_is_meant_for() {
    let mut program = program();
    let star = |args: Vec<GenericArg>| Ty::adt("k::Pattern", args);
    let constant = |c| GenericArg::Const(Const::Char(c));
    let f = function(&mut program, "Pattern::f", &[], &[]);
    program.functions[f].owner = Owner::Inherent {
        generics: vec![GenericParam { name: "C".into(), kind: GenericParamKind::Const(ConstTy::Char) }],
        self_ty: star(vec![GenericArg::Const(Const::Param("C".into()))]),
    };
    program.named_types =
        vec![Ty::adt("k::Other", vec![constant('!')]), star(vec![constant('*')]), star(vec![constant('%')])];
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "C = '*'");
}

#[test]
fn what_a_trait_takes_is_what_it_is_implemented_for() {
    let mut program = program();
    let shared = |ty| Ty::reference(Mutability::Shared, ty);
    let taking = |self_ty, taken| TraitRef { args: vec![GenericArg::Ty(taken)], ..on(self_ty, "k::Residue") };
    program.impls.push(TraitImpl {
        trait_ref: taking(Ty::int(IntTy::U8), shared(Ty::int(IntTy::U8))),
        ..program.impls.iter().next().expect("there are some").clone()
    });
    let f = function(&mut program, "f", &[("S", TYPE), ("M", TYPE)], &[]);
    program.functions[f].bounds =
        vec![Bound { trait_ref: taking(param("S"), param("M")), assoc_types: Vec::new() }];
    program.build_index();
    assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), "S = u8, M = &u8");
}

/// `dep::Name`, a struct of another crate with one field of this type.
fn of_dependency(program: &mut Program, name: &str, field: Ty, visibility: Visibility) -> Ty {
    let path = Path::new(format!("dep::{name}"));
    let fields = vec![crate::ir::Field { name: "0".into(), ty: field, visibility }];
    program.adts.push(Adt {
        path: path.clone(),
        kind: crate::ir::AdtKind::Struct,
        generics: Vec::new(),
        bounds: Vec::new(),
        variants: vec![crate::ir::Variant {
            name: name.into(),
            ctor: crate::ir::CtorKind::Tuple,
            fields,
            discriminant: 0,
        }],
        discriminant_ty: IntTy::Isize,
        visibility: Visibility::Public,
        origin_crate: "dep".into(),
        span: None,
    });
    Ty::new(TyKind::Adt(path, Vec::new()))
}

#[test]
fn what_a_dependency_keeps_to_itself_is_the_last_choice() {
    let check = |visibility, calls: &[FnRef], expected: &str| {
        let mut program = program();
        let kept = of_dependency(&mut program, "Kept", Ty::int(IntTy::U8), visibility);
        let within = of_dependency(&mut program, "Within", kept, Visibility::Public);
        program.impls.push(TraitImpl {
            trait_ref: on(within.clone(), "k::Foreign"),
            ..program.impls.iter().next().expect("there are some").clone()
        });
        let f = function(&mut program, "f", &[("T", TYPE)], calls);
        let call = FnRef::Free { path: Path::new("k::f"), args: vec![GenericArg::Ty(within)] };
        function(&mut program, "caller", &[], &[call]);
        program.build_index();
        assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), expected);
    };
    check(Visibility::Public, &[], "T = dep::Within");
    check(Visibility::Private, &[], "T = i32");
    // Nothing else has the trait.
    check(Visibility::Private, &[method(param("T"), "k::Foreign")], "T = dep::Within");
}

#[test]
fn what_is_put_together_of_a_parameter_is_chosen_after_it() {
    let answers = |ty: Ty| {
        let args = vec![GenericArg::Ty(Ty::new(TyKind::Tuple(vec![Ty::int(IntTy::U8)])))];
        let trait_ref = TraitRef { args, ..on(param("F"), "std::ops::FnMut") };
        Bound { trait_ref, assoc_types: vec![("Output".into(), ty)] }
    };
    let option = Ty::adt(KnownType::Option, vec![GenericArg::Ty(param("T"))]);
    let closure =
        |answer| format!("a pure closure (u8) -> {answer} with one answer to all arguments but two");
    check_declared(
        &[("F", TYPE), ("T", TYPE)],
        vec![answers(option), bound("T", "k::Rare", &[])],
        Ok(&format!("F = {}, T = k::Own", closure("std::option::Option<k::Own>"))),
    );
    check_declared(
        &[("T", TYPE), ("F", TYPE)],
        vec![answers(param("T"))],
        Ok(&format!("T = i32, F = {}", closure("i32"))),
    );
}

#[test]
fn a_parameter_is_what_the_definition_of_its_type_says_where_nobody_says_it() {
    let check = |default: Ty, expected: &str| {
        let mut program = program();
        let f = function(&mut program, "f", &[("T", TYPE), ("C", TYPE)], &[]);
        let heap = Ty::adt("k::Heap", ["T", "C"].map(|name| GenericArg::Ty(param(name))).into());
        program.functions[f].inputs = vec![Ty::reference(Mutability::Shared, heap)];
        program.param_defaults.insert(Path::new("k::Heap"), vec![None, Some(default)]);
        program.build_index();
        assert_eq!(choose((&program, f), (&program, f)).unwrap().to_string(), expected);
    };
    check(Ty::adt("k::Own", Vec::new()), "T = i32, C = k::Own");
    check(Ty::int(IntTy::U32), "T = i32, C = u32");
    check(Ty::adt("std::hash::RandomState", Vec::new()), "T = i32, C = i32");
}
