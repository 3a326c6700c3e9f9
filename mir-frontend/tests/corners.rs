//! Items in unusual places: in methods, in macros, behind `impl Trait` (`data/corners.rs`).

mod common;

use std::sync::LazyLock;

use common::{CORNERS, body, function, id_of, program, unreadable};
use mir_frontend::rustc::CrateDump;
use regress_core::ir::{
    Callee, Const, FnBody, FnRef, GenericArg, Operand, Owner, Path, Program, Rvalue, StatementKind,
    TerminatorKind, TyKind,
};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| program(&[CORNERS]));

fn callees(path: &str) -> Vec<FnRef> {
    let blocks = body(&PROGRAM, path).blocks.iter();
    blocks
        .filter_map(|block| match &block.terminator.kind {
            TerminatorKind::Call { callee: Callee::Fn(callee), .. } => Some(callee.clone()),
            _ => None,
        })
        .collect()
}

fn assigned_constants(path: &str) -> Vec<Const> {
    let statements = body(&PROGRAM, path).blocks.iter().flat_map(|block| &block.statements);
    statements
        .filter_map(|statement| match &statement.kind {
            StatementKind::Assign(_, Rvalue::Use(Operand::Const(value))) => Some(value.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn only_thread_locals_are_unreadable() {
    let unreadable = unreadable(&PROGRAM);
    assert!(unreadable.iter().all(|(_, reason)| reason.contains("thread-local")), "{unreadable:?}");
}

#[test]
fn items_in_methods_are_found_under_the_names_that_calls_use() {
    let check = |within: &str, callee: &str| {
        assert!(
            callees(within).iter().any(|found| found.to_string().starts_with(callee)),
            "{:?}",
            callees(within)
        );
        id_of(&PROGRAM, callee);
    };
    check("corners::Tr::m", "corners::Tr::m::helper");
    check("<corners::W<T> as corners::Tr>::m", "<corners::W<T> as corners::Tr>::m::helper");
    check("<corners::W<T> as corners::Tr>::m", "<corners::W<T> as corners::Tr>::m::L::g");
    check("corners::W::go", "corners::W::go::inner");
    let statics: Vec<String> = assigned_constants("<corners::W<T> as corners::Tr>::m")
        .iter()
        .filter(|value| matches!(value, Const::StaticRef(_)))
        .map(ToString::to_string)
        .collect();
    assert!(!statics.is_empty());
    for name in statics {
        assert_eq!(name, "&<corners::W<T> as corners::Tr>::m::S");
        id_of(&PROGRAM, name.trim_start_matches('&'));
    }
}

#[test]
fn implementations_in_methods_are_of_the_types_declared_there() {
    let local = "<corners::W<T> as corners::Tr>::m::L";
    let owner = &function(&PROGRAM, &format!("{local}::g")).owner;
    assert!(matches!(owner, Owner::Inherent { self_ty, .. } if self_ty.to_string() == local));
    id_of(&PROGRAM, &format!("<{local} as std::clone::Clone>::clone"));
}

/// Their MIR headers are all alike, and there is nothing else to tell them apart but the value.
#[test]
fn constants_of_implementations_by_macro_have_their_own_value() {
    let value = |self_ty: &str| {
        let id = id_of(&PROGRAM, &format!("<{self_ty} as corners::K>::V"));
        let Owner::TraitImpl(owner) = PROGRAM.functions[id].owner else { panic!("{self_ty}") };
        assert_eq!(PROGRAM.impls[owner].trait_ref.self_ty.to_string(), self_ty);
        assert_eq!(PROGRAM.impls[owner].consts["V"], id);
        assigned_constants(PROGRAM.functions[id].path.as_str())
    };
    let u8_const = |value| vec![Const::int(value, regress_core::ir::IntTy::U8)];
    assert_eq!(value("u8"), u8_const(1));
    assert_eq!(value("u16"), u8_const(2));
    assert_eq!(value("corners::W<u8>"), u8_const(3));
    assert_eq!(value("bool"), u8_const(4));
}

#[test]
fn const_arguments_have_the_type_of_their_parameter() {
    use regress_core::ir::IntTy;
    let calls = callees("corners::negs");
    let [FnRef::Inherent { self_ty, .. }] = &calls[..] else { panic!("{calls:?}") };
    let TyKind::Adt(path, args) = self_ty.kind() else { panic!("{self_ty}") };
    assert_eq!(path, "corners::Neg");
    let expected = [Const::int(-3, IntTy::I8), Const::Bool(true), Const::Char('x')].map(GenericArg::Const);
    assert_eq!(args[..], expected);
    // The default of a const parameter, and an argument of a method's own.
    assert_eq!(function(&PROGRAM, "corners::arr").inputs[0].to_string(), "corners::Arr<u8, 3>");
    let conv = callees("corners::arr").into_iter().find(|callee| callee.to_string().contains("conv"));
    let Some(FnRef::Inherent { args, .. }) = conv else { panic!() };
    assert_eq!(args, [GenericArg::Const(Const::int(2, IntTy::Usize))]);
}

#[test]
fn closures_behind_opaque_types_have_their_arguments() {
    let output = &function(&PROGRAM, "corners::make_adder").output;
    assert_eq!(output.to_string(), "{closure@corners::make_adder::{closure#0}}");
    // In the caller the method's closure is named with the caller's type for `T`.
    let locals = &body(&PROGRAM, "corners::use_mk").locals;
    let closure = locals.iter().find_map(|local| match local.ty.kind() {
        TyKind::Closure(path, args) => Some((path.clone(), args.clone())),
        _ => None,
    });
    let (path, args) = closure.expect("a closure");
    assert_eq!(path, Path::from("corners::W::mk::{closure#0}"));
    assert_eq!(args.iter().map(ToString::to_string).collect::<Vec<_>>(), ["u8"]);
}

#[test]
fn functions_as_arguments_are_constants() {
    let mut functions = Vec::new();
    for block in body(&PROGRAM, "corners::maps").blocks.iter() {
        if let TerminatorKind::Call { args, .. } = &block.terminator.kind {
            functions.extend(args.iter().filter_map(|arg| match arg {
                Operand::Const(Const::Fn(callee)) => Some(callee.to_string()),
                _ => None,
            }));
        }
    }
    assert_eq!(
        functions,
        [
            "<u8 as std::string::ToString>::to_string",
            "std::option::Option::Some::<std::string::String>",
            "std::option::Option::unwrap",
        ]
    );
}

#[test]
fn every_function_is_there() {
    // One for each item with a body in the dump but the copies for compile-time evaluation.
    let headers = CORNERS.mir.lines().filter(|line| {
        let is_item = ["fn ", "const ", "static "].iter().any(|start| line.starts_with(start))
            || line.contains("::{constant#") && line.ends_with("= {") && !line.starts_with([' ', '/']);
        is_item && !line.starts_with("//")
    });
    let copies = CORNERS.mir.lines().filter(|line| line.starts_with("// MIR FOR CTFE")).count();
    assert_eq!(PROGRAM.functions.len(), headers.count() - copies);
    assert!(PROGRAM.functions.iter().all(|function| !matches!(function.body, FnBody::Missing)));
}

#[test]
fn a_function_in_a_method_may_have_a_parameter_of_the_implementations_name() {
    // `fn helper<T: Clone>(u: T) -> T` in a method of `impl<T: Clone> Tr for W<T>`.
    let renamed = |text: &str| -> &'static str {
        let is_of_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let bytes = text.as_bytes();
        let is_word = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            !is_of_word(before) && !is_of_word(bytes.get(at + 1))
        };
        let letter = |(at, c): (usize, char)| if c == 'U' && is_word(at) { 'T' } else { c };
        text.char_indices().map(letter).collect::<String>().leak()
    };
    let dump = CrateDump { mir: renamed(CORNERS.mir), cfg: renamed(CORNERS.cfg), ..CORNERS };
    let program = program(&[dump]);
    let helper = function(&program, "<corners::W<T> as corners::Tr>::m::helper");
    let names: Vec<&str> = helper.generics.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["T"]);
}
