//! For which changes of a parameter there is an adapter, in which version, and what it does to the argument.

use super::*;
use crate::align::{align, functions_reached};
use crate::ir::{Argument, ConversionStep, Mutability, parse};
use crate::verdict::ChangeKind;

const TYPES: &str = "struct k::Plain { a: u8 } impl std::marker::Copy for k::Plain { }
    struct k::Owner { a: u8 } impl std::ops::Drop for k::Owner { fn drop(_1: &mut k::Owner) -> () { bb0: { return; } } }
    impl<T> std::ops::Deref for std::vec::Vec<T> { type Target = [T]; }
    impl<T> std::ops::DerefMut for std::vec::Vec<T> { }
    impl std::ops::Deref for std::string::String { type Target = str; }";

fn program(text: &str) -> Program {
    let text = format!("{text}\n{TYPES}");
    parse::program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn described(step: &ConversionStep) -> &'static str {
    match step {
        ConversionStep::Lend => "lend",
        ConversionStep::Reborrow => "reborrow",
        ConversionStep::Deref(Mutability::Shared, _) => "deref",
        ConversionStep::Deref(Mutability::Mut, _) => "deref_mut",
        ConversionStep::Unsize(..) => "unsize",
        ConversionStep::Copy => "copy",
        ConversionStep::Widen(_) => "widen",
        ConversionStep::Wrap(_) => "wrap",
    }
}

/// The adapter of `k::f` with these generics, parameters and results, as `new: STEPS of the first; STEPS of the second …`.
fn found(old: &str, new: &str) -> String {
    let body = "{ bb0: { unreachable; } }";
    let (mut old, mut new) =
        (program(&format!("fn k::f{old} {body}")), program(&format!("fn k::f{new} {body}")));
    add_adapters(&mut old, &mut new);
    let told = |name: &str, program: &Program| {
        let adapter = program.adapters.values().next()?;
        let handed = |argument: &Argument| match argument {
            Argument::Parameter { conversion, .. } => {
                conversion.iter().map(described).collect::<Vec<_>>().join(", ")
            }
            Argument::Fixed { value, .. } => value.to_string(),
        };
        let all: Vec<String> = adapter.arguments.iter().map(handed).collect();
        Some(format!("{name}: {}", all.join("; ")))
    };
    let kind = align(&old, &new).pairs[0].kind;
    let found = told("new", &new).or_else(|| told("old", &old));
    let expected = if found.is_some() { ChangeKind::Changed } else { ChangeKind::SignatureChanged };
    assert_eq!(kind, expected);
    found.unwrap_or_default()
}

#[track_caller]
fn check(narrow: &str, wide: &str, steps: &str) {
    let of = |ty: &str| format!("(_1: {ty}) -> u8");
    assert_eq!(found(&of(narrow), &of(wide)), format!("new: {steps}"));
    if !steps.contains("lend") && steps != "copy" {
        assert_eq!(found(&of(wide), &of(narrow)), format!("old: {steps}"), "the other way");
    }
}

#[track_caller]
fn check_none(one: &str, other: &str) {
    let of = |ty: &str| format!("(_1: {ty}) -> u8");
    assert_eq!(found(&of(one), &of(other)), "");
    assert_eq!(found(&of(other), &of(one)), "", "the other way");
}

#[test]
fn integers_go_where_all_of_their_values_are() {
    check("u8", "u16", "widen");
    check("u8", "i16", "widen");
    check("u32", "usize", "widen");
    check("i8", "isize", "widen");
    check_none("u8", "i8");
    check_none("u8", "bool");
}

#[test]
fn references_go_where_the_compiler_takes_them() {
    check("&std::vec::Vec<u8>", "&[u8]", "deref");
    check("&mut std::vec::Vec<u8>", "&mut [u8]", "deref_mut");
    check("&mut std::vec::Vec<u8>", "&[u8]", "reborrow, deref");
    check("&std::string::String", "&str", "deref");
    check("&[u8; 3]", "&[u8]", "unsize");
    check("&mut u8", "&u8", "reborrow");
    check_none("&std::vec::Vec<u8>", "&[u16]");
    check_none("&std::vec::Vec<u8>", "&mut [u8]");
}

#[test]
fn what_is_given_may_be_lent_and_what_is_copied_given() {
    check("k::Plain", "&k::Plain", "lend");
    check("&k::Plain", "k::Plain", "copy");
    check("&u8", "u16", "copy, widen");
    check("std::vec::Vec<u8>", "&[u8]", "lend, deref");
    check("k::Owner", "&k::Owner", "lend");
    check_none("std::string::String", "std::vec::Vec<u8>");
}

#[test]
fn what_is_there_may_be_optional() {
    check("u8", "std::option::Option<u8>", "wrap");
    check("&std::string::String", "std::option::Option<&str>", "deref, wrap");
    check_none("std::option::Option<u8>", "std::option::Option<u16>");
}

#[test]
fn a_parameter_of_type_stands_for_what_the_other_version_has() {
    let of = |new: &str| found("(_1: u8, _2: bool) -> u8", new);
    assert_eq!(of("<T>(_1: T, _2: bool) -> u8"), "new: ; ");
    assert_eq!(of("<T>(_1: T, _2: T) -> u8"), "", "both at once are not of one type");
    assert_eq!(of("<T>(_1: u16, _2: bool) -> u8"), "", "nothing tells what it stands for");
    assert_eq!(found("<T>(_1: T) -> u8", "<T>(_1: &T) -> u8"), "new: lend");
    assert_eq!(found("<T>(_1: &T) -> u8", "<T>(_1: T) -> u8"), "new: ", "it stands for a reference");
}

#[test]
fn all_parameters_are_converted_one_way() {
    assert_eq!(found("(_1: u8, _2: u8) -> u8", "(_1: u16, _2: u8) -> u8"), "new: widen; ");
    assert_eq!(found("(_1: u8, _2: u16) -> u8", "(_1: u16, _2: u8) -> u8"), "");
    assert_eq!(found("(_1: u8) -> u8", "(_1: u8, _2: u8) -> u8"), "", "nothing is passed for it");
}

#[test]
fn a_parameter_more_is_given_what_callers_pass() {
    let version = |params: &str, calls: &[&str]| {
        let calls: String = (calls.iter().enumerate())
            .map(|(index, call)| format!("fn k::g{index}() -> u8 {{ let _1: k::E; {call} }}"))
            .collect();
        program(&format!(
            "fn k::f({params}) -> u8 {{ bb0: {{ unreachable; }} }} enum k::E {{ A, B(u8) }}
             impl std::default::Default for k::E {{ fn default() -> k::E {{ bb0: {{ unreachable; }} }} }}
             fn k::some() -> k::E {{ bb0: {{ unreachable; }} }} {calls}"
        ))
    };
    let given = |params: &str, calls: &[&str]| {
        let (mut old, mut new) = (version("_1: u8", &["bb0: { unreachable; }"]), version(params, calls));
        add_adapters(&mut old, &mut new);
        let fixed =
            |adapter: &Adapter| adapter.fixed().map(|(_, value)| value.to_string()).collect::<Vec<_>>();
        new.adapters.values().flat_map(fixed).collect::<Vec<_>>()
    };
    let three = "bb0: { _0 = k::f(const 1_u8, const 3_u8) -> bb1; } bb1: { return; }";
    let four = "bb0: { _0 = k::f(const 1_u8, const 4_u8) -> bb1; } bb1: { return; }";
    assert_eq!(given("_1: u8, _2: u8", &[three]), ["3"]);
    assert_eq!(given("_1: u8, _2: u8", &[three, four, four]), ["4"]);
    assert_eq!(
        given("_1: u8, _2: u8", &["bb0: { _0 = k::f(const 1_u8, move _0) -> bb1; } bb1: { return; }"]),
        [""; 0]
    );
    let variant = "bb0: { _1 = k::E::A(); _0 = k::f(const 1_u8, move _1) -> bb1; } bb1: { return; }";
    assert_eq!(given("_1: u8, _2: k::E", &[variant]), ["k::E::A"]);
    let call =
        "bb0: { _1 = k::some() -> bb1; } bb1: { _0 = k::f(const 1_u8, move _1) -> bb2; } bb2: { return; }";
    assert_eq!(given("_1: u8, _2: k::E", &[call]), ["k::some()"]);
    let either = "bb0: { _1 = k::E::A(); _1 = k::E::B(const 1_u8); _0 = k::f(const 1_u8, move _1) -> bb1; } bb1: { return; }";
    assert_eq!(given("_1: u8, _2: k::E", &[either]), ["k::E::default()"]);
}

#[test]
fn a_result_that_may_refer_to_what_was_lent_has_no_adapter_that_drops_it() {
    assert_eq!(found("(_1: k::Owner) -> &u8", "(_1: &k::Owner) -> &u8"), "");
    assert_eq!(found("(_1: k::Plain) -> &u8", "(_1: &k::Plain) -> &u8"), "new: lend");
}

#[test]
fn callers_are_compared_with_what_they_call() {
    let version = |param: &str, arg: &str| {
        program(&format!(
            "fn k::f(_1: {param}) -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }}
             fn k::g() -> u8 {{ bb0: {{ _0 = k::f({arg}) -> bb1; }} bb1: {{ return; }} }}"
        ))
    };
    let (mut old, mut new) = (version("u8", "const 1_u8"), version("u16", "const 1_u16"));
    add_adapters(&mut old, &mut new);
    let alignment = align(&old, &new);
    let [adapted, caller] = [0, 1].map(|index| &alignment.pairs[index]);
    let function = adapted.new.map(|id| new.in_sources(id));
    assert_ne!(adapted.new, function);
    assert_eq!(alignment.to_new(adapted.old.expect("it is there")), function);
    assert_eq!((adapted.kind, caller.kind), (ChangeKind::Changed, ChangeKind::Changed));
    let run = functions_reached(&new, &[caller.new.expect("it is there")]);
    assert!(!run[0].contains(&adapted.new.expect("it is there")));
}

/// Whether `<k::S as k::T>::f` is compared, and in which version it is the trait's own, for these implementations.
#[track_caller]
fn check_inherited(old: &str, new: &str, expected: &[&str]) {
    let of = |item: &str| {
        let text = "fn k::T::f<Self>(_1: &Self, _2: u8) -> u8 { bb0: { _0 = copy _2; return; } } struct k::S { a: u8 }";
        let mut program = program(&format!("{text} {item}"));
        let path = Path::new("k::T");
        let default = program.functions_at(&Path::new("k::T::f"))[0];
        program.functions[default].generics.clear();
        program.functions[default].owner = Owner::Trait(path.clone());
        program.traits.push(Trait {
            path,
            visibility: Visibility::Public,
            generics: Vec::new(),
            default_methods: [(Name::new("f"), default)].into(),
            default_consts: Default::default(),
            default_types: Default::default(),
            supertraits: Vec::new(),
        });
        program.build_index();
        program
    };
    let (mut old, mut new) = (of(old), of(new));
    add_adapters(&mut old, &mut new);
    let inherited = |name: &'static str, program: &Program| {
        program.adapters.values().any(|adapter| adapter.kind == AdapterKind::Inherited).then_some(name)
    };
    let told: Vec<&str> = inherited("old", &old).into_iter().chain(inherited("new", &new)).collect();
    assert_eq!(told, expected);
    let alignment = align(&old, &new);
    let written: Vec<ChangeKind> = alignment
        .pairs
        .iter()
        .filter(|pair| pair.new.is_some_and(|id| new.functions[id].path.as_str() == "<k::S as k::T>::f"))
        .map(|pair| pair.kind)
        .collect();
    let is_compared = !expected.is_empty();
    assert_eq!(written == [ChangeKind::Changed], is_compared, "{written:?}");
}

#[test]
fn a_method_is_compared_with_the_traits_own() {
    let without = "impl k::T for k::S { }";
    let with = "impl k::T for k::S { fn f(_1: &k::S, _2: u8) -> u8 { bb0: { _0 = const 0_u8; return; } } }";
    check_inherited(without, with, &["old"]);
    check_inherited(with, without, &["new"]);
    // It is not implemented at all.
    check_inherited("", with, &[]);
    check_inherited(with, "", &[]);
}

/// The kinds of change of `<u8 as k::T>::f` in an alignment of programs with these implementations.
#[track_caller]
fn check_wider(old: &str, new: &str, expected: &[ChangeKind]) {
    let of = |items: &str| {
        let mut program = program(items);
        program.build_index();
        program
    };
    let (mut old, mut new) = (of(old), of(new));
    add_adapters(&mut old, &mut new);
    let alignment = align(&old, &new);
    let is_it = |program: &Program, id: Option<FnId>| {
        id.is_some_and(|id| program.functions[id].path.as_str() == "<u8 as k::T>::f")
    };
    let found: Vec<ChangeKind> = alignment
        .pairs
        .iter()
        .filter(|pair| is_it(&new, pair.new) || is_it(&old, pair.old))
        .map(|pair| pair.kind)
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_method_is_compared_with_that_of_an_implementation_for_more_types() {
    let of_u8 = "impl k::T for u8 { fn f(_1: u8) -> u8 { bb0: { _0 = const 0_u8; return; } } }";
    let of_all = "impl<X> k::T for X { fn f(_1: X) -> X { bb0: { _0 = move _1; return; } } }";
    let of_slices = "impl<X> k::T for [X] { fn f(_1: u8) -> u8 { bb0: { _0 = move _1; return; } } }";
    check_wider(of_u8, of_all, &[ChangeKind::Changed]);
    check_wider(of_all, of_u8, &[ChangeKind::Changed]);
    // What is there for other types is not for this one.
    check_wider(of_u8, of_slices, &[ChangeKind::Removed]);
    check_wider(of_slices, of_u8, &[ChangeKind::Added]);
}
