use super::*;
use crate::idx::{Idx, IdxVec};
use crate::ir::{
    Adt, AdtKind, Block, BlockRole, CtorKind, Field, IntTy, Local, LocalId, Statement, Subst, Terminator,
    TraitImpl, Variant,
};

fn even() -> Ty {
    Ty::adt("k::Even", Vec::new())
}

/// A program with a type `k::Even(u32)`.
fn program(field: Visibility) -> Program {
    let mut program = Program::default();
    let field = Field { name: "0".into(), ty: Ty::int(IntTy::U32), visibility: field };
    program.adts.push(Adt {
        path: Path::new("k::Even"),
        kind: AdtKind::Struct,
        generics: Vec::new(),
        bounds: Vec::new(),
        variants: vec![Variant {
            name: "Even".into(),
            ctor: CtorKind::Tuple,
            fields: vec![field],
            discriminant: 0,
        }],
        discriminant_ty: IntTy::Isize,
        visibility: Visibility::Public,
        origin_crate: "k".into(),
        span: None,
    });
    program
}

/// A function `k::name` with these locals (the first is what it returns) and statements.
fn function(
    program: &mut Program,
    name: &str,
    visibility: Visibility,
    locals: &[Ty],
    does: &[StatementKind],
) {
    let local = |ty: &Ty| Local { ty: ty.clone(), name: None, span: None };
    let statement = |kind: &StatementKind| Statement { kind: kind.clone(), span: None };
    let block = Block {
        statements: does.iter().map(statement).collect(),
        terminator: Terminator { kind: TerminatorKind::Return, span: None },
        role: BlockRole::Normal,
    };
    let body = Body {
        locals: locals.iter().map(local).collect::<Vec<_>>().into(),
        arg_count: locals.len() - 1,
        blocks: IdxVec::from(vec![block]),
    };
    program.functions.push(Function {
        path: Path::new(format!("k::{name}")),
        kind: FunctionKind::Fn,
        owner: Owner::Free,
        generics: Vec::new(),
        bounds: Vec::new(),
        inputs: locals[1..].to_vec(),
        output: locals[0].clone(),
        visibility,
        origin: Origin::Subject,
        span: None,
        body: FnBody::Present(body.into()),
    });
}

fn makes_an_even() -> StatementKind {
    let kind = AggregateKind::Adt { ty: even(), variant: None };
    StatementKind::Assign(LocalId::return_place().into(), Rvalue::Aggregate(kind, Vec::new()))
}

/// The makers of `k::Even` for a function `k::subject(&Even)`, and whether they make all there are.
fn of(mut program: Program) -> (Vec<String>, bool) {
    let shared = Ty::new(TyKind::Ref(Mutability::Shared, even()));
    function(&mut program, "subject", Visibility::Public, &[Ty::unit(), shared], &[]);
    program.build_index();
    let subject = program.functions_at(&Path::new("k::subject"))[0];
    let makers = Makers::common(&program, &program, &[(subject, &Subst::new())], &|_, _| None);
    let path = Path::new("k::Even");
    let names = makers.of(&even()).iter().map(|maker| format!("{} {:?}", maker.callee, maker.success));
    (names.collect(), only_made(&program, &program, &makers, &path))
}

fn with_maker() -> Program {
    let mut program = program(Visibility::Private);
    let number = Ty::int(IntTy::U32);
    function(&mut program, "make", Visibility::Public, &[even(), number], &[makes_an_even()]);
    program
}

#[track_caller]
fn check(program: Program, makers: &[&str], closed: bool) {
    let (found, only) = of(program);
    assert_eq!(found, makers);
    assert_eq!(only, closed);
}

#[test]
fn values_come_from_makers_only() {
    check(with_maker(), &["k::make Always"], true);
}

#[test]
fn public_makers_come_before_private_ones() {
    let mut program = with_maker();
    let number = Ty::int(IntTy::U32);
    function(&mut program, "raw", Visibility::Private, &[even(), number], &[makes_an_even()]);
    // What is made by other functions there can be all the same.
    check(program, &["k::make Always"], false);
}

#[test]
fn results_count_by_what_is_in_them() {
    let mut program = program(Visibility::Private);
    let option = Ty::adt("std::option::Option", vec![GenericArg::Ty(even())]);
    let result = vec![GenericArg::Ty(even()), GenericArg::Ty(Ty::unit())];
    let result = Ty::adt("std::result::Result", result);
    let text = Ty::new(TyKind::Ref(Mutability::Shared, Ty::new(TyKind::Str)));
    function(&mut program, "parse", Visibility::Public, &[result, text], &[makes_an_even()]);
    function(&mut program, "find", Visibility::Public, &[option, Ty::int(IntTy::U8)], &[makes_an_even()]);
    // One that needs such a value makes nothing new of its own.
    function(&mut program, "next", Visibility::Public, &[even(), even()], &[]);
    check(program, &["k::find Some", "k::parse Ok"], true);
}

#[test]
fn what_was_refused_may_be_handed_back() {
    for (error, closed) in [("k::Other", true), ("k::Refused", false)] {
        let mut program = program(Visibility::Private);
        let mut refused = program.adts[crate::ir::AdtId::from_usize(0)].clone();
        refused.path = Path::new("k::Refused");
        refused.variants[0].fields[0].ty = even();
        program.adts.push(refused);
        let result = [even(), Ty::adt(error, Vec::new())].map(GenericArg::Ty);
        let result = Ty::adt("std::result::Result", result.to_vec());
        let number = Ty::int(IntTy::U32);
        function(&mut program, "make", Visibility::Public, &[result, number], &[makes_an_even()]);
        check(program, &["k::make Ok"], closed);
    }
}

#[test]
fn a_clone_may_be_another_value() {
    for (derived, closed) in [(true, true), (false, false)] {
        let mut program = with_maker();
        program.impls.push(TraitImpl {
            generics: Vec::new(),
            trait_ref: TraitRef { self_ty: even(), path: KnownTrait::Clone.into(), args: Vec::new() },
            bounds: Vec::new(),
            equalities: Vec::new(),
            methods: Default::default(),
            consts: Default::default(),
            types: Default::default(),
        });
        if derived {
            program.declared.cloned_by_parts.insert(crate::ir::AdtId::from_usize(0));
        }
        check(program, &["k::make Always"], closed);
    }
}

#[test]
fn fields_that_anybody_can_write_need_no_makers() {
    let mut program = program(Visibility::Public);
    function(&mut program, "make", Visibility::Public, &[even(), Ty::int(IntTy::U32)], &[makes_an_even()]);
    check(program, &[], false);
}

#[test]
fn what_can_be_written_through_a_shared_reference_is_not_closed() {
    for (field, closed) in [("std::vec::Vec", true), ("std::cell::Cell", false)] {
        let mut program = with_maker();
        let path = crate::idx::Idx::from_usize(0);
        let adt: &mut Adt = &mut program.adts[path];
        adt.variants[0].fields[0].ty = Ty::adt(field, vec![GenericArg::Ty(Ty::int(IntTy::U8))]);
        check(program, &["k::make Always"], closed);
    }
}

#[test]
fn what_may_change_a_value_makes_further_ones() {
    let mut changed = with_maker();
    let lent = Ty::new(TyKind::Ref(Mutability::Mut, even()));
    function(&mut changed, "bump", Visibility::Public, &[Ty::unit(), lent], &[]);
    check(changed, &["k::make Always"], false);
    let mut written = with_maker();
    let field = Place {
        local: LocalId::return_place(),
        projection: vec![Projection::Field(crate::idx::Idx::from_usize(0), Some(Ty::int(IntTy::U32)))],
    };
    let writes = StatementKind::Assign(field, Rvalue::SizeOf(Ty::unit()));
    function(&mut written, "set", Visibility::Public, &[even(), even()], &[writes]);
    check(written, &["k::make Always"], false);
    let mut reinterpreted = with_maker();
    let number = crate::ir::Operand::Copy(LocalId::return_place().into());
    let cast = Rvalue::Cast(CastKind::Transmute, number, even());
    let casts = StatementKind::Assign(LocalId::return_place().into(), cast);
    function(&mut reinterpreted, "cast", Visibility::Public, &[even(), even()], &[casts]);
    check(reinterpreted, &["k::make Always"], false);
}

/// A function of the crate that has a local of this type.
fn with_local(ty: TyKind) -> Program {
    let mut program = with_maker();
    function(&mut program, "handles", Visibility::Public, &[Ty::unit(), Ty::new(ty)], &[]);
    program
}

#[test]
fn pointers_to_what_holds_values_may_make_them() {
    let raw = |pointee: Ty| TyKind::RawPtr(Mutability::Shared, pointee);
    let slice = |ty: Ty| Ty::new(TyKind::Slice(ty));
    check(with_local(raw(slice(even()))), &["k::make Always"], false);
    check(with_local(raw(Ty::new(TyKind::Tuple(vec![even(), Ty::unit()])))), &["k::make Always"], false);
    // In a generic function a parameter may stand for the type.
    check(with_local(raw(Ty::new(TyKind::Param("T".into())))), &["k::make Always"], false);
    check(with_local(raw(slice(Ty::int(IntTy::U32)))), &["k::make Always"], true);
    check(with_local(TyKind::Ref(Mutability::Mut, slice(even()))), &["k::make Always"], true);
}

#[test]
fn a_union_may_make_values_of_bits() {
    let mut program = with_maker();
    let mut union = program.adts[crate::ir::AdtId::from_usize(0)].clone();
    union.path = Path::new("k::Bits");
    union.kind = AdtKind::Union;
    union.variants[0].fields[0].ty = even();
    program.adts.push(union.clone());
    check(program, &["k::make Always"], false);
    // That of the standard library is read by functions, which are asked about where they are called.
    let mut program = with_maker();
    union.path = Path::new("std::mem::MaybeUninit");
    union.variants[0].fields[0].ty = Ty::new(TyKind::Param("T".into()));
    program.adts.push(union);
    check(program, &["k::make Always"], true);
    let read = "std::boxed::Box::assume_init";
    check(with_call(read, vec![GenericArg::Ty(even())]), &["k::make Always"], false);
}

/// A function of the crate that calls another one, which gives a value of the type.
fn with_call(path: &str, args: Vec<GenericArg>) -> Program {
    let mut program = with_maker();
    function(&mut program, "calls", Visibility::Private, &[Ty::unit(), Ty::new(TyKind::Slice(even()))], &[]);
    let last = program.functions.len() - 1;
    let FnBody::Present(body) = &mut program.functions[FnId::from_usize(last)].body else { unreachable!() };
    let call = TerminatorKind::Call {
        callee: Callee::Fn(FnRef::Free { path: Path::new(path), args }),
        args: Vec::new(),
        destination: LocalId::from_usize(1).into(),
        target: None,
        unwind: None,
    };
    body.change(|body| body.blocks[crate::ir::BlockId::from_usize(0)].terminator.kind = call);
    program
}

#[test]
fn code_that_is_not_read_may_make_values() {
    let of_type = || vec![GenericArg::Ty(even())];
    check(with_call("k::foreign", Vec::new()), &["k::make Always"], false);
    check(with_call("other::cast", of_type()), &["k::make Always"], false);
    check(with_call("std::slice::align_to", of_type()), &["k::make Always"], false);
    check(with_call("std::slice::to_vec", of_type()), &["k::make Always"], true);
}
