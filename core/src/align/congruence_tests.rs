//! Which functions follow from proofs of others: on small programs by hand, and on random ones against programs in which the proved
//! functions are made the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::align;
use super::reach_tests::{mentions, random_program};
use super::testing::{AFFECTED, Build, UNCHANGED, adt, body, free, free_at, int, method, param, start};
use crate::ir::*;
use crate::random_programs::Random;
use crate::verdict::ChangeKind;

fn congruent_by(
    old: Build,
    new: Build,
    proved: &[&str],
    panicking: u64,
) -> BTreeMap<String, BTreeSet<String>> {
    let (old, new) = (old.done(), new.done());
    let name = |id: &FnId| new.functions[*id].path.to_string();
    let proved = proved.iter().map(|path| (new.functions_at(&Path::new(*path))[0], panicking));
    let congruent = align(&old, &new).congruent(&old, &new, &proved.collect());
    congruent.iter().map(|(id, by)| (name(id), by.iter().map(name).collect())).collect()
}

/// Which functions follow, each with the proofs that it rests on; the proved ones never panic.
fn check(version: impl Fn(i128) -> Build, proved: &[&str], expected: &[(&str, &[&str])]) {
    let expected: BTreeMap<String, BTreeSet<String>> = expected
        .iter()
        .map(|(path, by)| (path.to_string(), by.iter().map(|path| path.to_string()).collect()))
        .collect();
    assert_eq!(congruent_by(version(1), version(2), proved, 0), expected);
}

/// Whether `k::caller` follows from `k::leaf`.
fn follows(version: impl Fn(i128) -> Build, panicking: u64) -> bool {
    congruent_by(version(1), version(2), &["k::leaf"], panicking).contains_key("k::caller")
}

#[test]
fn callers_follow_from_what_changed() {
    let version = |result| {
        start()
            .func("k::leaf", result, &[])
            .func("k::other", result, &[])
            .func("k::caller", 1, &[free("k::leaf")])
            .func("k::top", 2, &[free("k::caller"), free("outside::unknown")])
            .func("k::both", 3, &[free("k::leaf"), free("k::other")])
            .func("k::apart", 4, &[])
    };
    check(version, &["k::leaf"], &[("k::caller", &["k::leaf"]), ("k::top", &["k::leaf"])]);
    check(
        version,
        &["k::leaf", "k::other"],
        &[("k::caller", &["k::leaf"]), ("k::top", &["k::leaf"]), ("k::both", &["k::leaf", "k::other"])],
    );
    check(version, &[], &[]);
}

#[test]
fn nothing_follows_where_an_allocator_may_tell() {
    let version = |result| start().func("k::leaf", result, &[]).func("k::caller", 1, &[free("k::leaf")]);
    assert!(follows(version, 0));
    assert!(!follows(|result| version(result).allocator(), 0));
}

#[test]
fn an_affected_function_that_is_proved_is_passed_too() {
    let version = |result| {
        start().func("k::leaf", result, &[]).func("k::middle", 1, &[free("k::leaf")]).func(
            "k::top",
            2,
            &[free("k::middle")],
        )
    };
    check(version, &["k::middle"], &[("k::top", &["k::middle"])]);
}

/// That a method does the same says nothing of whether it is the one that is called.
#[test]
fn what_decides_on_an_implementation_is_no_part_of_a_proof() {
    let program = |length: u8| {
        let text = format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = k::g::<k::W<[u8; 1]>>() -> bb1; }} bb1: {{ return; }} }}
             fn k::g<T>() -> u8 {{ bb0: {{ _0 = <T as k::Tr>::m() -> bb1; }} bb1: {{ return; }} }}
             fn k::direct() -> u8 {{ bb0: {{ _0 = <k::W<[u8; 1]> as k::Tr>::m() -> bb1; }} bb1: {{ return; }} }}
             const k::N() -> usize {{ bb0: {{ _0 = const {length}_usize; return; }} }}
             struct k::W<T>(T);
             impl k::Tr for k::W<[u8; k::N]> {{ fn m() -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }} }}"
        );
        parse::program(&text).unwrap_or_else(|error| panic!("{error}"))
    };
    let (old, new) = (program(1), program(2));
    let is_method = |id: &FnId| matches!(new.functions[*id].owner, Owner::TraitImpl(_));
    let proved: HashMap<FnId, u64> = new.functions.ids().filter(is_method).map(|id| (id, 0)).collect();
    let alignment = align(&old, &new);
    assert!(alignment.pairs.iter().all(|pair| pair.kind != ChangeKind::Unchanged));
    assert_eq!(proved.len(), 1);
    assert_eq!(alignment.congruent(&old, &new, &proved), BTreeMap::new());
}

/// The function that calls it is proved, not the constant itself.
#[test]
fn who_uses_what_changed_himself_does_not_follow() {
    let version = |result| {
        start()
            .func("k::inner", result, &[])
            .func("k::leaf", 1, &[free("k::inner")])
            .func("k::caller", 2, &[free("k::leaf")])
            .func("k::direct", 3, &[free("k::leaf"), free("k::inner")])
    };
    check(version, &["k::leaf"], &[("k::caller", &["k::leaf"])]);
}

/// What only one version's function runs counts as well.
#[test]
fn both_versions_are_looked_at() {
    let version = |result: i128| {
        start()
            .func("k::leaf", result, &[])
            .implement("k::Show", int(), "m", if result == 1 { 5 } else { 6 }, &[])
            .generic("k::caller", 1, &[free("k::leaf"), method("k::Show", param("T"), "m")])
            .func("k::plain", 1, &[free("k::leaf")])
    };
    check(version, &["k::leaf"], &[("k::plain", &["k::leaf"])]);
}

#[test]
fn plain_signatures() {
    let tuple = |parts: &[Ty]| Ty::new(TyKind::Tuple(parts.to_vec()));
    let reference = |mutability, ty: Ty| Ty::new(TyKind::Ref(mutability, ty));
    let shared = |ty: Ty| reference(Mutability::Shared, ty);
    let unique = |ty: Ty| reference(Mutability::Mut, ty);
    let of = |path: &str, ty: Ty| Ty::adt(path, vec![GenericArg::Ty(ty)]);
    let vec = |ty: Ty| of("std::vec::Vec", ty);
    let is_plain = |inputs: &[Ty], output: Ty| {
        let version = |result| {
            start()
                .adt("k::Point", &[int(), vec(int())])
                .adt("k::Shared", &[of("std::cell::Cell", int())])
                .adt("k::List", &[int(), of("std::option::Option", of("std::boxed::Box", adt("k::List")))])
                .func("k::leaf", result, &[])
                .with(|function| {
                    function.inputs = inputs.to_vec();
                    function.output = output.clone();
                })
                .func("k::caller", 1, &[free("k::leaf")])
        };
        follows(version, 0)
    };
    let gives = |ty: Ty| is_plain(&[], ty);
    let takes = |ty: Ty| is_plain(&[ty], int());
    for ty in [int(), tuple(&[int(), vec(int())]), adt("k::Point"), adt("k::List"), Ty::unit()] {
        assert!(gives(ty.clone()) && takes(ty.clone()), "{ty}");
        assert!(takes(shared(ty.clone())) && takes(unique(ty.clone())), "{ty}");
        assert!(gives(shared(ty.clone())), "a reference to {ty} is given");
        assert!(!gives(unique(ty.clone())), "a reference to {ty} is given, to be written to");
        assert!(takes(tuple(&[shared(ty.clone()), int()])), "{ty} is lent within");
        assert!(!takes(tuple(&[unique(ty.clone()), int()])), "{ty} is lent within, to be written to");
        assert!(!takes(unique(shared(ty.clone()))), "a reference to {ty} is given back");
    }
    let float = Ty::new(TyKind::Float(FloatTy::F64));
    let function = Ty::new(TyKind::FnPtr { inputs: vec![int()], output: int() });
    let pointer = Ty::new(TyKind::RawPtr(Mutability::Shared, int()));
    let other =
        [of("std::cell::Cell", int()), of("std::rc::Rc", int()), adt("k::Shared"), adt("outside::Thing")];
    for ty in [float, function, pointer, Ty::new(TyKind::Dyn(Vec::new()))].into_iter().chain(other) {
        for ty in [ty.clone(), vec(ty.clone()), tuple(&[int(), ty])] {
            assert!(!gives(ty.clone()) && !takes(ty.clone()) && !takes(shared(ty.clone())), "{ty}");
        }
    }
}

#[test]
fn generic_functions_are_proved_at_one_choice_of_types() {
    let version = |result| {
        start().generic("k::leaf", result, &[]).func("k::caller", 1, &[free_at("k::leaf", &[int()])])
    };
    assert!(!follows(version, 0));
}

#[test]
fn memory_is_not_to_be_looked_at() {
    let vec = Ty::adt("std::vec::Vec", vec![GenericArg::Ty(int())]);
    let pointer = Ty::new(TyKind::RawPtr(Mutability::Shared, int()));
    let beside = |output: &Ty, mention: Const| {
        let version = |result| {
            start()
                .adt("k::Holder", std::slice::from_ref(&vec))
                .func("k::leaf", result, &[])
                .with(|function| function.output = output.clone())
                .func("k::caller", 1, &[free("k::leaf"), mention.clone()])
        };
        follows(version, 0)
    };
    let looks = [free("std::vec::Vec::capacity"), free("std::ptr::eq"), free("outside::unknown")];
    let reference = Ty::new(TyKind::Ref(Mutability::Shared, int()));
    for output in [vec.clone(), adt("k::Holder"), reference.clone()] {
        assert!(looks.iter().all(|look| !beside(&output, look.clone())), "{output}");
        assert!(beside(&output, free("std::vec::Vec::with_capacity")), "{output}");
    }
    assert!(looks.iter().all(|look| beside(&int(), look.clone())), "there is no memory");
    let with_pointer = |output: &Ty| {
        let version = |result| {
            start()
                .func("k::leaf", result, &[])
                .with(|function| function.output = output.clone())
                .func("k::caller", 1, &[free("k::leaf")])
                .with(|function| {
                    if let FnBody::Present(body) = &mut function.body {
                        let local = Local { ty: pointer.clone(), name: None, span: None };
                        body.change(|body| {
                            body.locals.push(local);
                        });
                    }
                })
        };
        follows(version, 0)
    };
    assert!(with_pointer(&int()) && !with_pointer(&vec) && !with_pointer(&reference));
}

#[test]
fn panics_are_not_to_be_looked_at() {
    let beside = |change: &dyn Fn(Build) -> Build, mentions: &[Const], panicking| {
        let mentions: Vec<Const> = mentions.iter().cloned().chain([free("k::leaf")]).collect();
        let version = |result| change(start().func("k::leaf", result, &[])).func("k::caller", 1, &mentions);
        follows(version, panicking)
    };
    let nothing = |build: Build| build;
    let guard = |build: Build| {
        build.adt("k::Guard", &[]).implement("std::ops::Drop", adt("k::Guard"), "drop", 1, &[])
    };
    let known = |build: Build| build.func("std::panic::catch_unwind", 1, &[]);
    let drops = [super::testing::value_of(adt("k::Guard"))];
    let catches = [free("std::panic::catch_unwind")];
    let unknown = [free("outside::unknown")];
    for (change, mentions) in [
        (&guard as &dyn Fn(Build) -> Build, drops.as_slice()),
        (&known, catches.as_slice()),
        (&nothing, unknown.as_slice()),
    ] {
        assert!(beside(change, mentions, 0), "the proved function never panics: {mentions:?}");
        assert!(!beside(change, mentions, 1), "{mentions:?}");
    }
    assert!(beside(&nothing, &[], 1));
}

/// What a caller brings may look at anything that it is handed, and catch what it calls.
#[test]
fn code_that_is_given_sees_what_is_not_compared() {
    let vec = || Ty::adt("std::vec::Vec", vec![GenericArg::Ty(int())]);
    let pointer = || Ty::new(TyKind::FnPtr { inputs: vec![vec()], output: int() });
    let object = || Ty::reference(Mutability::Shared, Ty::new(TyKind::Dyn(Vec::new())));
    let with_input = |output: Ty, input: Ty| {
        let version = |result| {
            start()
                .adt("k::Looker", &[pointer()])
                .func("k::leaf", result, &[])
                .with(|function| function.output = output.clone())
                .func("k::caller", 1, &[free("k::leaf")])
                .with(|function| function.inputs = vec![input.clone()])
        };
        follows(version, 0)
    };
    let option = |ty: Ty| Ty::adt("std::option::Option", vec![GenericArg::Ty(ty)]);
    for given in [
        pointer(),
        object(),
        adt("k::Looker"),
        option(pointer()),
        Ty::reference(Mutability::Mut, adt("k::Looker")),
    ] {
        assert!(with_input(int(), given.clone()), "there is no memory to be seen by {given}");
        assert!(!with_input(vec(), given.clone()), "{given}");
    }
    assert!(with_input(vec(), int()) && with_input(vec(), vec()));
    let generic = |output: Ty, mentions: &[Const], panicking| {
        let mentions: Vec<Const> = mentions.iter().cloned().chain([free("k::leaf")]).collect();
        let version = |result| {
            start().func("k::leaf", result, &[]).with(|function| function.output = output.clone()).generic(
                "k::caller",
                1,
                &mentions,
            )
        };
        follows(version, panicking)
    };
    assert!(generic(int(), &[], 0) && generic(int(), &[], 1));
    assert!(!generic(vec(), &[], 0));
}

/// Reading a reference as a number needs no raw pointer.
#[test]
fn memory_read_as_something_else_is_looked_at() {
    let vec = Ty::adt("std::vec::Vec", vec![GenericArg::Ty(int())]);
    let with_body = |change: &dyn Fn(&mut Body)| {
        let version = |result| {
            start()
                .func("k::leaf", result, &[])
                .with(|function| function.output = vec.clone())
                .func("k::caller", 1, &[free("k::leaf")])
                .with(|function| {
                    if let FnBody::Present(body) = &mut function.body {
                        body.change(change);
                    }
                })
        };
        follows(version, 0)
    };
    let local = |ty: Ty| {
        move |body: &mut Body| {
            body.locals.push(Local { ty: ty.clone(), name: None, span: None });
        }
    };
    assert!(with_body(&|_| {}));
    assert!(with_body(&local(vec.clone())));
    for path in
        ["std::ptr::NonNull", "std::pin::Pin", "std::sync::atomic::AtomicPtr", "std::thread::JoinHandle"]
    {
        assert!(!with_body(&local(Ty::adt(path, vec![GenericArg::Ty(int())]))), "{path}");
    }
    let cast = |kind: CastKind| {
        move |body: &mut Body| {
            let place = Place::from(LocalId::return_place());
            let value = Rvalue::Cast(kind, Operand::Copy(place.clone()), int());
            let statement = Statement { kind: StatementKind::Assign(place, value), span: None };
            let mut blocks = body.blocks.as_slice().to_vec();
            blocks[0].statements.push(statement);
            body.blocks = crate::idx::IdxVec::from(blocks);
        }
    };
    assert!(with_body(&cast(CastKind::IntToInt)));
    assert!(!with_body(&cast(CastKind::Transmute)) && !with_body(&cast(CastKind::ExposeProvenance)));
}

/// A function that is proved may be given the same body in both versions, one that runs nothing: what is unchanged then is what follows.
#[test]
fn random_programs() {
    let (mut following, mut others) = (0, 0);
    for seed in 1..400 {
        let mut random = Random::new(seed);
        let old = random_program(&mut random);
        let mut new = old.clone();
        let mut proved: HashMap<FnId, u64> = HashMap::new();
        for _ in 0..2 {
            let id = crate::idx::Idx::from_usize(random.below(old.functions.len()));
            new.functions[id].body = body(2, &mentions(&mut random));
            if random.below(4) > 0 && new.generics_in_scope(id).is_empty() {
                proved.insert(id, 0);
            }
        }
        let alignment = align(&old, &new);
        let congruent = alignment.congruent(&old, &new, &proved);
        let (mut old_same, mut new_same) = (old.clone(), new.clone());
        for id in proved.keys() {
            old_same.functions[*id].body = body(0, &[]);
            new_same.functions[*id].body = body(0, &[]);
        }
        let by_definition: HashMap<Option<FnId>, ChangeKind> =
            align(&old_same, &new_same).pairs.iter().map(|pair| (pair.new, pair.kind)).collect();
        for pair in alignment.pairs.iter().filter(|pair| pair.kind == AFFECTED) {
            let id = pair.new.expect("the new version has all functions");
            if proved.contains_key(&id) {
                continue;
            }
            let expected = by_definition[&pair.new] == UNCHANGED;
            assert_eq!(congruent.contains_key(&id), expected, "seed {seed}, {id}");
            *(if expected { &mut following } else { &mut others }) += 1;
        }
    }
    assert!(following > 300 && others > 300, "{following} and {others} are no test of both");
}
