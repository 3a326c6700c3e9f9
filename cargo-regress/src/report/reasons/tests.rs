//! What is said of each reason.

use regress_core::exec::InputError;
use regress_core::ir::{BinOp, CastKind, IntTy, UnOp};
use regress_core::localize::NotLocalized;
use regress_core::smt::UnknownReason;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::not_analysed::{
    NotAnalysed, NotRun, OpenGenerics, OtherBuild, Refused, Signatures, StoppedBy,
};
use regress_core::verdict::suspicion::{Across, Changed, Decision, Effect, Moved, OutputsPart, Suspicion};
use regress_core::verdict::unsupported::{
    Bounded, CallTrouble, Cast, Control, Dropped, ItemKind, OnNumbers, OpaqueConstant, PointerUse, Positions,
    TypeQuestion, UndefinedBehaviour, UnshownOutput, Unsupported, Use, ValueKind, Written,
};
use regress_core::verdict::{LoopOf, RestsOn, Version};

use super::{not_analysed, not_localized, rests_on, suspicion_of, unknown, unsupported};

/// A type, a path, a name.
fn t() -> String {
    "k::T".to_owned()
}

#[track_caller]
fn check(what: Unsupported, expected: &str) {
    assert_eq!(unsupported(&what), expected);
}

#[test]
fn outputs() {
    let check = |output, expected| check(Unsupported::Output(output), expected);
    check(UnshownOutput::OfType { ty: t() }, "an output of type k::T");
    let value = ValueKind::Closure;
    check(UnshownOutput::Unlike { value, ty: t() }, "a closure of type k::T in the output");
    check(UnshownOutput::PartlyInitialised { ty: t() }, "a value of type k::T that is initialised in part");
    check(UnshownOutput::NestedTooDeeply, "an output nested too deeply");
    check(
        UnshownOutput::OtherMethods,
        "values whose types the caller is not told, for which something is implemented otherwise, in the output",
    );
    check(UnshownOutput::Formatter, "a formatter that writes elsewhere");
    check(UnshownOutput::ByteOfText { value: "200".to_owned() }, "the byte 200 in a string");
    check(UnshownOutput::NoValue, "an outcome without a value");
}

#[test]
fn values_and_what_they_are_used_for() {
    let check_kind = |value, expected: &str| {
        check(Unsupported::Use { value, by: Use::Deref }, &format!("a dereference of {expected}"));
    };
    check_kind(ValueKind::Uninitialised, "uninitialised memory");
    check_kind(ValueKind::Scalar("u8".to_owned()), "a u8");
    check_kind(ValueKind::Adt(t()), "a k::T");
    check_kind(ValueKind::Pointer, "a pointer");
    check_kind(ValueKind::Address, "a pointer made of a number");
    check_kind(ValueKind::Tuple, "a tuple");
    check_kind(ValueKind::Array, "an array");
    check_kind(ValueKind::Closure, "a closure");
    check_kind(ValueKind::Function, "a function");
    let check = |by, expected| check(Unsupported::Use { value: ValueKind::Tuple, by }, expected);
    check(Use::Call, "a call of a tuple");
    check(Use::Operator(BinOp::Eq), "Eq on a tuple");
    check(Use::PointerArithmetic, "pointer arithmetic on a tuple");
    check(Use::NullTest, "whether a tuple is null");
    check(Use::SliceStart, "a slice from a tuple");
    check(Use::Length, "the length of a tuple");
    check(Use::Metadata, "the metadata of a tuple");
    check(Use::FatPointer, "a fat pointer from a tuple");
    check(Use::Discriminant, "the discriminant of a tuple");
    check(Use::SetVariant, "setting the variant of a tuple");
    check(Use::Number, "a tuple where a number was expected");
    check(Use::Sequence, "a tuple where a sequence was expected");
    check(Use::DropOfClosure, "a drop of a closure that is a tuple");
}

#[test]
fn types() {
    let check = |asked, expected| check(Unsupported::Type { ty: t(), asked }, expected);
    check(TypeQuestion::Size, "the size of k::T");
    check(TypeQuestion::Alignment, "the alignment of k::T");
    check(TypeQuestion::NeedsDrop, "whether a k::T needs to be dropped");
    check(TypeQuestion::ZeroSized, "a zero-sized value of k::T");
    check(TypeQuestion::Zeroed, "a k::T whose bytes are zero");
    check(TypeQuestion::UninitialisedMemory, "uninitialised memory for a k::T");
    check(TypeQuestion::Value, "a value of k::T");
    check(TypeQuestion::Constant, "a constant of type k::T");
    check(TypeQuestion::Union, "the union k::T");
    check(TypeQuestion::NoVariant, "a value of k::T without a variant");
    let name = "V".to_owned();
    check(TypeQuestion::UndeclaredVariant { name }, "the variant k::T::V, which is not declared");
    check(TypeQuestion::VariantOfUnknown, "a variant of the unknown enum k::T");
    check(TypeQuestion::DiscriminantOfUnknown, "the discriminant of the unknown enum k::T");
}

#[test]
fn numbers_and_casts() {
    let check_numbers = |numbers, expected| check(Unsupported::Numbers(numbers), expected);
    check_numbers(OnNumbers::OnFloats(BinOp::BitAnd), "BitAnd on floats");
    check_numbers(OnNumbers::OfFloat(UnOp::Not), "Not of a float");
    check_numbers(OnNumbers::Checked(BinOp::Div), "checked Div");
    check_numbers(OnNumbers::BitsOfNan, "the bits or the sign of a NaN");
    check_numbers(OnNumbers::DivisionByUncheckedZero, "division by an unchecked zero");
    let (ty, op) = ("u8".to_owned(), "CountOnes".to_owned());
    check_numbers(OnNumbers::Arguments { ty, op, given: 2 }, "u8: CountOnes with 2 arguments");
    check_numbers(OnNumbers::ArrayOf { count: 70_000 }, "an array of 70000 elements");
    let check = |cast, expected| check(Unsupported::Cast(cast), expected);
    check(Cast::To { ty: t() }, "a cast to k::T");
    let kind = CastKind::IntToFloat;
    check(Cast::Numbers { kind, to: t() }, "the cast IntToFloat to k::T");
    let value = ValueKind::Pointer;
    check(Cast::Value { kind, value, to: t() }, "the cast IntToFloat of a pointer to k::T");
    let kind = CastKind::PtrToPtr;
    let from = Some("*const u8".to_owned());
    check(Cast::Pointer { kind, from, to: t() }, "the cast PtrToPtr of a *const u8 to k::T");
    check(Cast::Pointer { kind, from: None, to: t() }, "the cast PtrToPtr of a pointer to k::T");
    check(Cast::Counted { from: "Rc<u8>".to_owned(), to: t() }, "the cast of a Rc<u8> to k::T");
    check(Cast::Transmute { value: ValueKind::Array, to: t() }, "a transmute of an array to k::T");
    check(Cast::Address, "the address of a pointer as a number");
}

#[test]
fn pointers_and_undefined_behaviour() {
    let check_pointer = |pointer, expected| check(Unsupported::Pointer(pointer), expected);
    check_pointer(
        PointerUse::ArithmeticOnCast { ty: t() },
        "arithmetic on a pointer to a k::T that was cast",
    );
    check_pointer(PointerUse::ArithmeticOnLone, "arithmetic on a pointer to no element of a sequence");
    check_pointer(PointerUse::SliceFromLone, "a slice from a pointer to no element of a sequence");
    check_pointer(
        PointerUse::NoRoom(Positions::Distance),
        "the distance of pointers to what may take no room",
    );
    check_pointer(
        PointerUse::Apart(Positions::Comparison),
        "a comparison of pointers that do not point into one sequence",
    );
    check_pointer(
        PointerUse::Apart(Positions::Copy),
        "a copy between places that must not overlap of pointers that do not point into one sequence",
    );
    check_pointer(PointerUse::AddressWithPointer, "a comparison of an address with a pointer");
    check_pointer(
        PointerUse::MayHaveMoved,
        "a comparison of addresses in a vector or string, whose elements may have moved",
    );
    check_pointer(
        PointerUse::AsOtherType { ty: t() },
        "an access to a k::T through a pointer to another type",
    );
    check_pointer(
        PointerUse::UncheckedBounds,
        "an access through a raw pointer whose bounds were not looked at",
    );
    check_pointer(PointerUse::Unsized, "assignment to an unsized place");
    check_pointer(
        PointerUse::WriteThroughShared,
        "a write through a pointer that comes from a shared reference",
    );
    check_pointer(PointerUse::OpenPart, "a copy of a part of a sequence whose bounds depend on the input");
    check_pointer(PointerUse::NotConcrete, "an access that cannot be made concrete");
    let check = |what, expected: &str| {
        check(Unsupported::UndefinedBehaviour(what), &format!("undefined behaviour: {expected}"));
    };
    check(UndefinedBehaviour::OutOfBounds(Bounded::Pointer), "a pointer out of bounds is used");
    check(UndefinedBehaviour::OutOfBounds(Bounded::PointerArithmetic), "pointer arithmetic out of bounds");
    check(UndefinedBehaviour::OutOfBounds(Bounded::Slice), "a slice out of bounds");
    check(UndefinedBehaviour::OutOfBounds(Bounded::Array), "an array out of bounds");
    check(UndefinedBehaviour::OverlappingCopy, "a copy between places that overlap");
    check(UndefinedBehaviour::NoCharacter, "a number taken for a character that is none");
    check(UndefinedBehaviour::ReadThrough(ValueKind::Address), "a read through a pointer made of a number");
    check(UndefinedBehaviour::WriteThrough(ValueKind::Function), "a write through a function");
    check(
        UndefinedBehaviour::WriteThroughShared,
        "a write through a pointer that comes from a shared reference",
    );
    check(UndefinedBehaviour::Zero { ty: t() }, "zero as a k::T");
}

#[test]
fn drops_control_and_calls() {
    let check_drop = |dropped, expected| check(Unsupported::Drop(dropped), expected);
    check_drop(Dropped::OfType { ty: t() }, "a drop of a k::T");
    check_drop(Dropped::NoDestructor { ty: t() }, "the destructor of k::T, which has no body here");
    check_drop(Dropped::NotA { ty: t() }, "a drop of a k::T that is none");
    check_drop(Dropped::UnknownDyn { ty: t() }, "a drop of a k::T of unknown type");
    check_drop(Dropped::PlaceOfUnknownType, "a drop of a place of unknown type");
    check_drop(Dropped::VectorOfUnknownType, "a drop of a vector of unknown type");
    check_drop(Dropped::BoxOfNone, "a drop of a box that is none");
    check_drop(Dropped::UnknownCapture, "a drop of a closure that owns a value of unknown type");
    let check_control = |control, expected| check(Unsupported::Control(control), expected);
    check_control(Control::Unreachable, "control reached `unreachable`");
    check_control(Control::CleanUp, "control reached a clean-up block");
    check_control(Control::Returned, "a function declared to diverge returned");
    check_control(Control::NoArm, "a switch without an arm for its value");
    check_control(Control::HeldUpPanic, "a panic that clean-up may not let out");
    check_control(Control::Terminator { text: "asm!()".to_owned() }, "asm!()");
    let check = |trouble, expected| check(Unsupported::Call { callee: "k::f".to_owned(), trouble }, expected);
    check(CallTrouble::Returned, "k::f returned");
    check(CallTrouble::Arguments { given: 1, taken: 2 }, "a call of k::f with 1 arguments, which takes 2");
    check(CallTrouble::NoArguments, "a call of k::f without arguments");
    check(CallTrouble::NoType, "k::f without its type");
    check(CallTrouble::Result, "the result of k::f");
    check(CallTrouble::MadeNone, "an argument that `k::f` makes");
}

#[test]
fn items_and_the_rest() {
    let several = |item| Unsupported::SeveralOf { item, path: t() };
    check(several(ItemKind::Type), "the type k::T, of which there are several");
    check(several(ItemKind::Constant), "the constant k::T, of which there are several");
    check(several(ItemKind::Closure), "the closure k::T, of which there are several");
    let written = |written| Unsupported::Static { path: t(), written };
    check(written(Written::Directly), "the mutable static `k::T`");
    check(written(Written::ThroughCells), "the static `k::T`, which can be written");
    let name = "N".to_owned();
    check(Unsupported::Constant(OpaqueConstant::Param { name }), "the generic constant N without a value");
    let text = "{alloc1}".to_owned();
    check(Unsupported::Constant(OpaqueConstant::Text { text }), "the constant `{alloc1}`");
    let (trait_path, method) = ("std::iter::Iterator".to_owned(), "fold".to_owned());
    check(
        Unsupported::Override { trait_path, self_ty: t(), method },
        "what the standard library calls of `std::iter::Iterator` for `k::T`, which has its own `fold`",
    );
    check(Unsupported::Uninitialised, "a read of memory that the engine holds to be uninitialised");
    check(Unsupported::PartialSequence, "a sequence some of whose elements may be missing");
    check(Unsupported::BoxOfNoSequence, "a vector made of a box that holds no sequence");
    check(
        Unsupported::PanicsOfTheLanguage,
        "panics in the words of the language, which only what raised them tells apart",
    );
    check(Unsupported::Refused(Refused::NoBody), "it has no body");
    check(Unsupported::NotShown(NotRun::NoPlace), "its place in the sources is not known");
    let check = |build, expected| check(Unsupported::Build(build), expected);
    check(OtherBuild::Allocator, "the global allocator changed, and a proof takes it that memory can be had");
    check(
        OtherBuild::Compiler { setting: "rustc-wrapper".to_owned() },
        "`build.rustc-wrapper` in `.cargo/config.toml` is not the same in both versions, and what such a program does with the code is not known",
    );
    check(
        OtherBuild::PanicEnds { only: Version::New },
        "the panic strategy changed: a panic ends the process in the new version only",
    );
    let used = || "1.95.0".to_owned();
    check(
        OtherBuild::Toolchain { of: Version::Old, asked: "1.80.0".to_owned(), used: used() },
        "the toolchain file of the old version asks for rustc 1.80.0, and both versions are compiled by rustc 1.95.0",
    );
    check(
        OtherBuild::NoToolchain { of: Version::New, said: "error: offline".to_owned(), used: used() },
        "the toolchain that the new version asks for cannot be had (error: offline), and both versions are compiled by rustc 1.95.0",
    );
}

#[test]
fn functions_that_are_not_analysed() {
    fn check(reason: NotAnalysed, expected: &str) {
        assert_eq!(not_analysed(&reason), expected);
    }
    let signatures = |old: &str| {
        NotAnalysed::SignatureChanged(Signatures { old: old.to_owned(), new: "(u8) -> E".to_owned() })
    };
    check(
        signatures("(u16) -> E"),
        "its signature changed, so the versions have no inputs in common: it was `(u16) -> E`, and is `(u8) -> E`",
    );
    check(
        signatures("(u8) -> E"),
        "a type that it takes is defined otherwise, so the versions have no inputs in common: `(u8) -> E`",
    );
    check(NotAnalysed::InOneVersionOnly, "it exists in one version only");
    check(
        NotAnalysed::LooksAtPanics,
        "it catches panics or looks at them, and they end the process in this build (panic = \"abort\") but not in native runs",
    );
    check(
        NotAnalysed::OutOfTime { seconds: 60 },
        "the time for the whole run (60 s) was over before its turn",
    );
    check(NotAnalysed::InternalError { panic: "a == b".to_owned() }, "internal error: a == b");
    let check_stopped = |by, expected| check(NotAnalysed::Stopped(by), expected);
    let callee = "libc::read".to_owned();
    check_stopped(StoppedBy::OpaqueCall { callee }, "it calls `libc::read`, which has no body here");
    let on = "the value of a hash".to_owned();
    check_stopped(
        StoppedBy::RestrictedModel { on },
        "the model of the standard library leaves open the value of a hash",
    );
    check_stopped(
        StoppedBy::Unsupported(Unsupported::Cast(Cast::To { ty: t() })),
        "the engine does not support a cast to k::T",
    );
    check_stopped(StoppedBy::StepBudget { limit: 9 }, "no run ended within 9 steps");
    let location = "src/lib.rs:3".to_owned();
    check_stopped(
        StoppedBy::LoopBound { location: location.clone(), of: LoopOf::Program, limit: 64 },
        "no run left the loop at src/lib.rs:3 within 64 rounds",
    );
    check_stopped(
        StoppedBy::LoopBound { location, of: LoopOf::Std, limit: 64 },
        "no run left a loop of the standard library in the call at src/lib.rs:3 within 64 rounds",
    );
    check_stopped(
        StoppedBy::CallDepth { function: "k::f".to_owned(), limit: 200 },
        "no run ended within 200 calls within one another, the last of `k::f`",
    );
    check_stopped(StoppedBy::TimeBudget { seconds: 10 }, "no run ended within 10 s");
    let check = |refused, expected| check(NotAnalysed::Refused(refused), expected);
    check(Refused::NoBody, "it has no body");
    let said = || "odd".to_owned();
    check(
        Refused::Unreadable { line: Some(7), said: said() },
        "its MIR cannot be read (line 7 of the dump): odd",
    );
    check(Refused::Unreadable { line: None, said: said() }, "its MIR cannot be read: odd");
    check(
        Refused::Uncalled { types: "T = i32".to_owned(), why: NotRun::Said("it is async".to_owned()) },
        "it is generic, and whether it may be called with T = i32 is not known: it is async",
    );
    check(Refused::ParametersDiffer, "the parameter types differ");
    check(Refused::Input(InputError::Type(t())), "an argument of type `k::T` cannot be built yet");
    check(Refused::Input(InputError::Mismatch(t())), "the type `k::T` differs between the versions");
    check(
        Refused::Input(InputError::TooLarge { parts: 10 }),
        "an argument has more than 10 parts; a smaller --max-len makes sequences shorter",
    );
    check(
        Refused::Input(InputError::OtherFields(t())),
        "an argument of type `k::T` has other fields in each version, and nothing in both makes one",
    );
    let check = |why, expected| check(Refused::Generic(why), expected);
    check(OpenGenerics::Differ, "it is generic, and its parameters differ between the versions");
    let parameter = || "P".to_owned();
    check(OpenGenerics::Unchosen { parameter: parameter() }, "it is generic, and nothing was chosen for `P`");
    check(OpenGenerics::NothingFits, "it is generic, and none of the types tried fits");
    let meets = |bounds: &[&str]| OpenGenerics::NothingMeets {
        parameter: parameter(),
        bounds: bounds.iter().map(ToString::to_string).collect(),
    };
    check(meets(&[]), "it is generic, and nothing that was tried for `P` fits");
    check(
        meets(&["[u8; P]: k::A", "[T; P]: k::B"]),
        "it is generic, and nothing that was tried for `P` meets `[u8; P]: k::A`, `[T; P]: k::B`",
    );
    let traits = vec!["k::A".to_owned(), "k::B".to_owned()];
    check(
        OpenGenerics::NothingHas { parameter: parameter(), traits },
        "it is generic, and none of the types tried for `P` has k::A, k::B",
    );
    let many = ["k::A", "k::B", "k::C", "k::D", "k::E", "k::F"].map(str::to_owned).to_vec();
    check(
        OpenGenerics::NothingHas { parameter: parameter(), traits: many },
        "it is generic, and none of the types tried for `P` has k::A, k::B, k::C, k::D and 2 more",
    );
}

#[test]
fn calls_that_are_not_run() {
    let check = |reason, expected: &str| assert_eq!(super::not_run(&reason), expected);
    check(NotRun::NoSources, "two files of Charon's are compared, without sources to build");
    check(
        NotRun::PlaceSeen,
        "what it gives may hang on where the crate lies, and the harnesses lie elsewhere",
    );
    check(NotRun::NotTried, "it was not tried");
    check(NotRun::PartHidden, "a part of the result has no `Debug`, and its fields cannot be shown");
    check(
        NotRun::MadeOtherwise,
        "each version makes its inputs otherwise, and given the same they do the same",
    );
    check(NotRun::OnlyContents, "only the contents of `MaybeUninit` differ");
    check(NotRun::Said("it is a test".to_owned()), "it is a test");
    let check = |reason, expected: &str| assert_eq!(not_localized(&reason), expected);
    check(NotLocalized::Refused(Refused::NoBody), "it has no body");
    check(NotLocalized::Count { taken: 2, given: 1 }, "it takes 2 arguments, not 1");
    check(
        NotLocalized::Argument { value: "\"é\"".to_owned(), ty: "&str".to_owned() },
        "`\"é\"` is not among the values of `&str` that are executed symbolically",
    );
    check(NotLocalized::OutsideInputs, "the arguments are not among those that are executed symbolically");
    check(NotLocalized::Contradiction, "the engine contradicts itself on this call");
    let maker = "k::T::new".to_owned();
    check(NotLocalized::NotMade { maker }, "`k::T::new` makes no value of these arguments");
}

#[test]
fn solvers_that_give_no_answer() {
    let check = |reason, expected: &str| assert_eq!(unknown(&reason), expected);
    check(UnknownReason::ResourceLimit, "the solver's resource limit was reached");
    check(UnknownReason::Timeout, "the solver's time was up");
    check(UnknownReason::Memory, "the solver came to more memory than it is given");
    check(UnknownReason::GivenUp, "the solver did not answer an interrupt and was given up");
    let assertion = "x < 3".to_owned();
    check(UnknownReason::WrongModel { assertion }, "the solver's model does not satisfy x < 3");
    check(UnknownReason::Other("(incomplete)".to_owned()), "the solver gave up: (incomplete)");
}

#[test]
fn suspect_lines() {
    fn moved(name: &str, here: i128, there: i128) -> Moved {
        let value = |number| Value::int(IntTy::I32, number);
        Moved { name: name.to_owned(), here: value(here), there: value(there) }
    }
    let decides = |moved: Vec<Moved>, across| {
        Suspicion::Decides(Decision { condition: "x >= 3".to_owned(), moved, across })
    };
    let check = |version, reason, expected: &str| assert_eq!(suspicion_of(version, &reason), expected);
    check(Version::New, decides(Vec::new(), Across::Agree), "only the new version checks `x >= 3` here");
    check(
        Version::New,
        decides(vec![moved("x", 3, 2)], Across::Agree),
        "only the new version treats `x` = 3 and `x` = 2 differently here (`x >= 3`); for `x` = 2 both versions agree",
    );
    check(
        Version::Old,
        decides(vec![moved("x", 3, 2)], Across::Differ),
        "only the old version treats `x` = 3 and `x` = 2 differently here (`x >= 3`); for `x` = 2 the versions differ too",
    );
    let four = ["a", "b", "c", "d"].map(|name| moved(name, 1, 0)).to_vec();
    check(
        Version::Old,
        decides(four, Across::Unknown),
        "only the old version treats `a` = 1, `b` = 1, `c` = 1, … and `a` = 0, `b` = 0, `c` = 0, … differently here (`x >= 3`)",
    );
    let changed = |what, effect| Suspicion::Changed { what, effect };
    check(Version::New, changed(Changed::Statement, None), "a statement changed here");
    check(Version::Old, changed(Changed::FormerStatement, None), "a statement stood here that changed");
    let part = OutputsPart { old: "x + 1".to_owned(), new: "x + 2".to_owned() };
    check(
        Version::New,
        changed(Changed::Line, Some(Effect::Outputs(part))),
        "this line changed; on such a call the old version computes `x + 1`, the new one `x + 2`",
    );
    let returned = Outcome::Returned { value: Value::Bool(true), mutated: Vec::new() };
    check(
        Version::New,
        changed(Changed::Line, Some(Effect::Outcomes { old: returned, new: Outcome::Hung })),
        "this line changed; the old version returned `true`, the new one does not end",
    );
    let says = "left: 1".to_owned();
    check(
        Version::New,
        changed(Changed::Line, Some(Effect::Test { says })),
        "this line changed; the test says: left: 1",
    );
}

#[test]
fn what_contradicted_proofs_rest_on() {
    let check = |basis, expected: &str| assert_eq!(rests_on(&basis), expected);
    let names =
        |count| ["a", "b", "c", "d", "e", "f", "g"][..count].iter().map(ToString::to_string).collect();
    let models = |count| RestsOn::Exploration { models: names(count) };
    check(models(0), "the exploration");
    check(models(2), "the exploration, with the models a, b");
    check(models(7), "the exploration, with a, b, c, d, e, f and 1 other models");
    check(RestsOn::Proofs { of: names(0) }, "what follows from proofs");
    check(RestsOn::Proofs { of: names(2) }, "what follows from the proofs of a, b");
}
