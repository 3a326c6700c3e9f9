//! Makers: which functions make values, and that whoever follows them comes to an end.

use super::super::Makers;
use super::*;
use crate::ir::{Owner, Path, Ty};

const TYPES: &str = "struct k::A(u8); struct k::B(u8); enum std::option::Option<T> { None, Some(T) }
    fn start(_1: k::A, _2: k::B) -> () { bb0: { return; } }";

/// By the type, what makes it, of which the lower ones have a `*`.
#[track_caller]
fn check_makers(functions: &str, expected: &[(&str, &str)]) {
    let program = program(&format!("{TYPES} {functions}"));
    let makers =
        Makers::common(&program, &program, &[(FnId::from_usize(0), &Subst::default())], &|_, _| None);
    for (name, expected) in expected {
        let is_it = |ty: &&Ty| ty.to_string() == *name;
        let inputs = &program.functions[FnId::from_usize(0)].inputs;
        let ty = inputs.iter().find(is_it).unwrap_or_else(|| panic!("{name} is no parameter"));
        let lower = makers.lower(ty);
        let shown = makers.of(ty).iter().enumerate().map(|(index, maker)| {
            format!("{}{}", maker.callee, if lower.contains(&index) { "*" } else { "" })
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), *expected, "for {name}");
    }
}

fn function(name: &str, parameters: &str, output: &str) -> String {
    format!("pub fn {name}({parameters}) -> {output} {{ bb0: {{ unreachable; }} }}")
}

#[test]
fn functions_that_make_values_of_each_other_alone_make_none() {
    let both = [function("a_of_b", "_1: k::B", "k::A"), function("b_of_a", "_1: k::A", "k::B")].concat();
    check_makers(&both, &[("k::A", ""), ("k::B", "")]);
}

#[test]
fn a_maker_is_lower_if_it_needs_nothing_as_high_as_what_it_makes() {
    let both = [
        function("a_of_b", "_1: k::B", "k::A"),
        function("a_of_u8", "_1: u8", "k::A"),
        function("b_of_a", "_1: k::A", "k::B"),
        function("b_of_list", "_1: &[k::A]", "k::B"),
    ];
    check_makers(&both.concat(), &[("k::A", "a_of_b a_of_u8*"), ("k::B", "b_of_a* b_of_list*")]);
}

#[test]
fn what_may_be_left_out_is_not_needed() {
    let both = [
        function("a_of_b", "_1: std::option::Option<k::B>", "k::A"),
        function("b_of_a", "_1: std::option::Option<k::A>", "k::B"),
    ];
    check_makers(&both.concat(), &[("k::A", "a_of_b*"), ("k::B", "b_of_a*")]);
}

/// What an iterator did so far is a state of it. What other traits change, or what is lent, is not.
#[test]
fn asking_an_iterator_for_the_next_item_is_a_step() {
    let next = |output: &str| {
        let body = "{ bb0: { unreachable; } }";
        [
            function("new", "_1: u8", "k::A"),
            format!("impl std::iter::Iterator for k::A {{ fn next(_1: &mut k::A) -> {output} {body} fn nth(_1: &mut k::A, _2: usize) -> {output} {body} }}"),
            format!("impl k::Feed for k::A {{ fn next(_1: &mut k::A) -> u8 {body} }}"),
        ]
        .concat()
    };
    check_makers(&next("std::option::Option<u8>"), &[("k::A", "new* <k::A as std::iter::Iterator>::next")]);
    check_makers(&next("(u8, &u8)"), &[("k::A", "new*")]);
}

/// Makes methods of `A`, which it gives, of all functions but `start`.
fn make_inherent(program: &mut Program) -> Ty {
    let of = program.functions[FnId::from_usize(0)].inputs[0].clone();
    for function in program.functions.iter_mut().skip(1) {
        function.owner = Owner::Inherent { generics: Vec::new(), self_ty: of.clone() };
    }
    of
}

/// Methods of `A` by this output, with an argument each, after `new`.
#[track_caller]
fn check_steps(steps: &[(&str, &str, &str)], expected: &str) {
    check_steps_of(TYPES, steps, expected);
}

#[track_caller]
fn check_steps_of(types: &str, steps: &[(&str, &str, &str)], expected: &str) {
    let step =
        |(name, first, output): &(&str, &str, &str)| function(name, &format!("_1: {first}, _2: u8"), output);
    let steps: String = steps.iter().map(step).collect();
    let mut program = program(&format!("{types} {} {steps}", function("new", "", "k::A")));
    let (start, self_ty) = (FnId::from_usize(0), make_inherent(&mut program));
    let makers = Makers::common(&program, &program, &[(start, &Subst::default())], &|_, _| None);
    let callees: Vec<&str> = makers.of(&self_ty).iter().map(|maker| maker.callee.as_str()).collect();
    assert_eq!(callees.join(" "), expected);
}

#[test]
fn methods_that_are_called_in_a_row_are_steps() {
    let steps = [
        ("add", "&mut k::A", "&mut k::A"),
        ("set", "&mut k::A", "()"),
        ("try_add", "&mut k::A", "std::option::Option<&mut k::A>"),
        ("slot", "&mut k::A", "&mut u8"),
    ];
    // What lends something else comes last.
    check_steps(&steps, "new add set try_add slot");
}

#[test]
fn what_reads_a_type_with_cells_is_a_step_that_comes_last() {
    let steps = [
        ("a_look", "&k::A", "std::option::Option<u8>"),
        ("add", "&mut k::A", "()"),
        ("part", "&k::A", "&u8"),
    ];
    check_steps(&steps, "new add");
    let with_cell = TYPES.replace("k::A(u8)", "k::A(std::cell::UnsafeCell<u8>)");
    check_steps_of(&with_cell, &steps, "new add a_look");
}

#[test]
fn what_gives_away_what_a_container_holds_is_a_step() {
    let method = |name: &str, output: &str| {
        format!("pub fn {name}<T>(_1: &mut k::Stack<T>) -> {output} {{ bb0: {{ unreachable; }} }}")
    };
    let mut program = program(&format!(
        "struct k::Stack<T>(u8); enum std::option::Option<T> {{ None, Some(T) }}
         fn start(_1: k::Stack<u8>) -> () {{ bb0: {{ return; }} }} {} {} {} {}",
        function("new", "", "k::Stack<u8>"),
        method("look", "std::option::Option<&T>"),
        method("pop", "std::option::Option<T>"),
        method("two", "[T; 2]"),
    ));
    for function in program.functions.iter_mut().skip(2) {
        let TyKind::Ref(_, self_ty) = function.inputs[0].kind() else { panic!("a method") };
        function.owner = Owner::Inherent { generics: function.generics.clone(), self_ty: self_ty.clone() };
    }
    let start = FnId::from_usize(0);
    let makers = Makers::common(&program, &program, &[(start, &Subst::default())], &|_, _| None);
    let of = &program.functions[start].inputs[0];
    let callees: Vec<&str> = makers.of(of).iter().map(|maker| maker.callee.as_str()).collect();
    assert_eq!(callees.join(" "), "new pop two look");
}

#[test]
fn what_gives_a_value_of_another_type_is_a_step_of_the_one_that_it_changes() {
    let steps = [("insert", "&mut k::A", "k::B"), ("try_insert", "&mut k::A", "std::option::Option<k::B>")];
    check_steps(&steps, "new insert try_insert");
}

/// Those that leave it as it is come after the others, and are fewer.
#[test]
fn what_makes_a_value_from_one_that_it_is_lent_is_a_step() {
    let steps = [
        ("a_join", "&k::A", "k::A"),
        ("b_find", "&k::A", "std::option::Option<k::A>"),
        ("c_more", "&k::A", "k::A"),
        ("push", "&mut k::A", "()"),
        ("to_b", "&k::A", "k::B"),
        ("with", "k::A", "k::A"),
    ];
    check_steps(&steps, "new push with a_join b_find");
}

/// An arena that holds ids needs none to be made, and ids are had from one. What joins two of them changes the arena.
#[test]
fn ids_are_had_from_an_arena_and_functions_of_ids_change_it() {
    let mut program = program(&format!(
        "struct k::Id(u8); struct k::Arena(u8, std::option::Option<k::Id>);
         enum std::option::Option<T> {{ None, Some(T) }}
         fn start(_1: k::Id, _2: k::Arena) -> () {{ bb0: {{ return; }} }} {} {} {} {} {} {}",
        function("new", "", "k::Arena"),
        function("add", "_1: &mut k::Arena, _2: u8", "k::Id"),
        function("detach", "_1: k::Id, _2: &mut k::Arena", "()"),
        function("append", "_1: k::Id, _2: k::Id, _3: &mut k::Arena", "bool"),
        function("lends", "_1: k::Id, _2: &mut k::Arena", "&mut u8"),
        function("parent", "_1: k::Id, _2: &k::Arena", "std::option::Option<k::Id>"),
    ));
    for function in program.functions.iter_mut().skip(2) {
        let first = &function.inputs[0];
        let self_ty = first.pointee().unwrap_or(first).clone();
        function.owner = Owner::Inherent { generics: Vec::new(), self_ty };
    }
    let start = FnId::from_usize(0);
    let makers = Makers::common(&program, &program, &[(start, &Subst::default())], &|_, _| None);
    let names = |makers: &Makers, input: usize| {
        let of = makers.of(&program.functions[start].inputs[input]).iter();
        of.map(|maker| format!("{} {:?}", maker.callee, maker.success)).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(names(&makers, 0), "add Always");
    assert_eq!(names(&makers, 1), "new Always, add After(0), append After(2), detach After(1)");
    let of_data = makers.of_data();
    assert_eq!(names(&of_data, 0), "");
    assert_eq!(names(&of_data, 1), "new Always, add After(0)");
}

#[test]
fn what_holds_code_is_made_though_all_fields_are_public() {
    let types = "struct k::Open { pub x: u8 } struct k::Code { pub x: u8, pub f: fn(u8) -> u8 }
        fn start(_1: k::Open, _2: k::Code) -> () { bb0: { return; } }";
    let both = [function("open", "_1: u8", "k::Open"), function("code", "_1: u8", "k::Code")].concat();
    let program = program(&format!("{types} {both}"));
    let start = FnId::from_usize(0);
    let makers = Makers::common(&program, &program, &[(start, &Subst::default())], &|_, _| None);
    let callees: Vec<&str> = makers.iter().map(|maker| maker.callee.as_str()).collect();
    assert_eq!(callees, ["code"]);
}

/// Native runs can hand in trait objects. What was not followed is known, if the type may keep it.
#[test]
fn what_is_given_code_is_kept_for_native_runs_and_noted() {
    let types = "struct k::A(u8); struct k::Keeps(k::Inner); struct k::Inner(std::boxed::Box<dyn k::T>);
        fn start(_1: k::A, _2: k::Keeps) -> () { bb0: { return; } }";
    let made = |ty: &str| {
        let name = |name: &str| format!("{name}_{}", ty.replace("k::", ""));
        [
            function(&name("new"), "", ty),
            function(&name("of_object"), "_1: std::boxed::Box<dyn k::T>", ty),
            function(&name("of_function"), "_1: fn(u8) -> u8", ty),
        ]
        .concat()
    };
    let program = program(&format!("{types} {} {}", made("k::A"), made("k::Keeps")));
    let start = FnId::from_usize(0);
    let makers = Makers::common(&program, &program, &[(start, &Subst::default())], &|_, _| None);
    let check = |ty: &Ty, expected: &str, of_data: &str, left_out: &[&str]| {
        let names = |makers: &Makers| {
            makers.of(ty).iter().map(|maker| maker.callee.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&makers), expected);
        let data = makers.clone().of_data();
        assert_eq!(names(&data), of_data);
        assert_eq!(data.given_code(ty).map(|path| path.as_str()).collect::<Vec<_>>(), left_out);
    };
    let [plain, keeps] = [0, 1].map(|index| program.functions[start].inputs[index].clone());
    check(&plain, "new_A of_object_A", "new_A", &[]);
    check(&keeps, "new_Keeps of_object_Keeps", "new_Keeps", &["of_function_Keeps", "of_object_Keeps"]);
}

/// What it is lent to write to is no value that the executor makes.
#[test]
fn a_step_that_is_lent_something_is_for_native_runs() {
    let steps = [
        function("fill", "_1: &mut k::A, _2: &mut [u8]", "usize"),
        function("tell", "_1: &mut k::A, _2: &mut k::B, _3: u8", "()"),
        function("show", "_1: &mut k::A, _2: &mut std::fmt::Formatter", "()"),
        function("push", "_1: &mut k::A, _2: u8", "()"),
    ];
    let types = format!("{TYPES} {} {}", function("new", "", "k::A"), steps.concat());
    let mut program = program(&types);
    let ty = make_inherent(&mut program);
    let start = FnId::from_usize(0);
    let common =
        |program: &Program| Makers::common(program, program, &[(start, &Subst::default())], &|_, _| None);
    let names = |makers: &Makers| {
        makers.of(&ty).iter().map(|maker| maker.callee.to_string()).collect::<Vec<_>>().join(" ")
    };
    let makers = common(&program);
    assert_eq!(names(&makers), "new push fill tell");
    assert_eq!(names(&makers.of_data()), "new push");
    // What has a lifetime may keep what it is lent, which outlives it.
    program.lifetimes.insert(Path::new("k::A"), 1);
    assert_eq!(names(&common(&program)), "new push fill tell");
}

/// `push` is no better than the first four, and makes inputs of itself.
#[test]
fn a_method_that_is_compared_is_a_step_in_front_of_itself() {
    let step = |name: &str| function(name, "_1: &mut k::A, _2: u8", "()");
    let steps: String = ["aa", "ab", "ac", "ad", "push", "put"].map(step).concat();
    let mut program = program(&format!("{TYPES} {} {steps}", function("new", "", "k::A")));
    make_inherent(&mut program);
    let of_name =
        |name: &str| program.functions.ids().find(|id| program.functions[*id].path.as_str() == name);
    let [start, push, put] = ["start", "push", "put"].map(|name| of_name(name).expect("a function"));
    let subst = Subst::default();
    let makers = Makers::common(&program, &program, &[(start, &subst), (push, &subst)], &|_, _| None);
    let ty = &program.functions[start].inputs[0];
    let names = |makers: Makers| {
        makers.of(ty).iter().map(|maker| maker.callee.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(makers.of_subject(push)), "new aa ab ac ad push");
    assert_eq!(names(makers.of_subject(start)), "new aa ab ac ad");
    assert_eq!(names(makers.of_subject(put)), "new aa ab ac ad");
    assert_eq!(makers.of_all(), makers.of_subject(start));
}
