//! Which models of the standard library may be put in the place of calls: those that do what the library does to the last detail.
//!
//! Others leave out how much room there is, or in whose words a panic is. And what adaptors and consumers of iterators call is not always written in the
//! library: `for_each` calls `fold`, `Filter::next` calls `find`, and an iterator of the program may have its own of these. So their models are exact
//! where all iterators are the library's.

use super::silent::drops_silently;
use crate::exec::questions::{asks_what_cannot_be_told, is_asked_by_next, is_iterator_of_std};
use crate::ir::{Body, FnBody, FnId, Function, GenericArg, IntTy, Name, Origin, Program, Subst};

/// Paths, or the beginnings of paths where they end with `::` or `<`: models that are exact for all types.
const FOR_ALL_TYPES: &[&str] = &[
    "<std::ops::Range<",
    "<std::ops::RangeInclusive<",
    "std::ops::Range::",
    "std::ops::RangeInclusive::",
    "<&[T] as std::iter::IntoIterator>::into_iter",
    "<&mut [T] as std::iter::IntoIterator>::into_iter",
    "<&std::vec::Vec<T> as std::iter::IntoIterator>::into_iter",
    "<I as std::iter::IntoIterator>::into_iter",
    "<std::iter::Cloned<I> as std::iter::Iterator>::next",
    "<std::iter::Copied<I> as std::iter::Iterator>::next",
    "<std::iter::Enumerate<I> as std::iter::Iterator>::next",
    "<std::iter::Inspect<I, F> as std::iter::Iterator>::next",
    "<std::iter::Map<I, F> as std::iter::Iterator>::next",
    "<std::iter::MapWhile<I, P> as std::iter::Iterator>::next",
    "<std::iter::Rev<I> as std::iter::Iterator>::next",
    "<std::iter::Take<I> as std::iter::Iterator>::next",
    "<std::iter::TakeWhile<I, P> as std::iter::Iterator>::next",
    "<std::option::Option<T> as std::ops::FromResidual<",
    "<std::option::Option<T> as std::ops::Try>::",
    "<std::result::Result<T, E> as std::ops::Try>::",
    "<std::result::Result<T, F> as std::ops::FromResidual<",
    "<std::slice::Iter<T> as std::iter::DoubleEndedIterator>::next_back",
    "<std::slice::Iter<T> as std::iter::DoubleEndedIterator>::nth_back",
    "<std::slice::Iter<T> as std::iter::Iterator>::next",
    "<std::slice::Iter<T> as std::iter::Iterator>::nth",
    "<std::slice::Iter<T> as std::iter::Iterator>::size_hint",
    "[T]::contains",
    "[T]::first",
    "[T]::is_empty",
    "[T]::iter",
    "[T]::iter_mut",
    "std::iter::Iterator::chain",
    "std::iter::Iterator::cloned",
    "std::iter::Iterator::copied",
    "std::iter::Iterator::enumerate",
    "std::iter::Iterator::filter",
    "std::iter::Iterator::filter_map",
    "std::iter::Iterator::inspect",
    "std::iter::Iterator::map",
    "std::iter::Iterator::map_while",
    "std::iter::Iterator::rev",
    "std::iter::Iterator::skip",
    "std::iter::Iterator::skip_while",
    "std::iter::Iterator::take",
    "std::iter::Iterator::take_while",
    "std::iter::Iterator::zip",
    "std::slice::iter_of",
    "std::option::Option::",
    "std::result::Result::",
    "std::cmp::",
    // Old names of other methods.
    "str::trim_left",
    "str::trim_left_matches",
    "str::trim_right",
    "str::trim_right_matches",
];

/// Models that are exact if these of their type parameters are iterators of the standard library.
const FOR_ITERATORS_OF_STD: &[(&str, &[&str])] = &[
    ("<std::iter::Chain<A, B> as std::iter::Iterator>::next", &["A", "B"]),
    ("<std::iter::Filter<I, P> as std::iter::Iterator>::count", &["I"]),
    ("<std::iter::Filter<I, P> as std::iter::Iterator>::next", &["I"]),
    ("<std::iter::FilterMap<I, F> as std::iter::Iterator>::next", &["I"]),
    ("<std::iter::Skip<I> as std::iter::Iterator>::next", &["I"]),
    ("<std::iter::SkipWhile<I, P> as std::iter::Iterator>::next", &["I"]),
    ("<std::iter::StepBy<I> as std::iter::Iterator>::next", &["I"]),
    ("<std::iter::Zip<A, B> as std::iter::Iterator>::next", &["A", "B"]),
    ("<std::iter::Zip<A, B> as std::iter::Iterator>::size_hint", &["A", "B"]),
    ("std::iter::Iterator::all", &["Self"]),
    ("std::iter::Iterator::any", &["Self"]),
    ("std::iter::Iterator::count", &["Self"]),
    ("std::iter::Iterator::find", &["Self"]),
    ("std::iter::Iterator::find_map", &["Self"]),
    ("std::iter::Iterator::fold", &["Self"]),
    ("std::iter::Iterator::for_each", &["Self"]),
    ("std::iter::Iterator::last", &["Self"]),
    ("std::iter::Iterator::max", &["Self"]),
    ("std::iter::Iterator::max_by", &["Self"]),
    ("std::iter::Iterator::max_by_key", &["Self"]),
    ("std::iter::Iterator::min", &["Self"]),
    ("std::iter::Iterator::min_by", &["Self"]),
    ("std::iter::Iterator::min_by_key", &["Self"]),
    ("std::iter::Iterator::nth", &["Self"]),
    ("std::iter::Iterator::position", &["Self"]),
    ("std::iter::Iterator::product", &["Self"]),
    ("std::iter::Iterator::reduce", &["Self"]),
    ("std::iter::Iterator::step_by", &["Self"]),
    ("std::iter::Iterator::sum", &["Self"]),
    ("std::iter::Iterator::try_fold", &["Self"]),
    ("std::iter::Iterator::try_for_each", &["Self"]),
];

/// Whether the body may say all that there is to say of a call; see [`is_exact_at`].
pub fn is_exact(function: &Function) -> bool {
    function.origin != Origin::StdModel || is_exact_for_all(function) || iterators_of(function).is_some()
}

fn is_exact_for_all(function: &Function) -> bool {
    let path = function.path.as_str();
    let is_listed =
        FOR_ALL_TYPES.iter().any(|listed| match listed.ends_with("::") || listed.ends_with('<') {
            true => path.starts_with(listed),
            false => path == *listed,
        });
    let name = path.rsplit("::").next().unwrap_or_default();
    let panics =
        ["unwrap", "expect", "unwrap_err", "expect_err", "unwrap_unchecked", "clamp"].contains(&name);
    is_listed && !panics || is_operator_of_numbers(path) || is_absolute_value(path)
}

/// Whether the path is that of `i32::abs` and the like, which negates in the words of the language.
fn is_absolute_value(path: &str) -> bool {
    path.strip_suffix("::abs").is_some_and(|owner| IntTy::from_name(owner).is_some())
}

/// Whether the path is that of an operator on numbers or truth values, or on references to them, as `<&u8 as std::ops::Rem<u8>>::rem`. What it checks it checks in the words of the language.
fn is_operator_of_numbers(path: &str) -> bool {
    let implementation = path.strip_prefix('<').and_then(|path| path.split_once(" as std::ops::"));
    implementation.is_some_and(|(ty, _)| {
        let of = ty.rsplit(['&', ' ']).next().unwrap_or_default();
        is_number(of) || of == "bool"
    })
}

fn is_number(ty: &str) -> bool {
    IntTy::from_name(ty).is_some() || matches!(ty, "f32" | "f64")
}

/// Which type parameters of a model must be iterators of the standard library, if it is exact then.
fn iterators_of(function: &Function) -> Option<&'static [&'static str]> {
    let path = function.path.as_str();
    let row = FOR_ITERATORS_OF_STD.iter().find(|(listed, _)| path == *listed);
    row.map(|(_, params)| *params).or_else(|| is_of_numbers(path).then_some(&["I"][..]))
}

/// Whether the path is that of a sum or a product of numbers, as `<u8 as std::iter::Sum<&'a u8>>::sum`.
fn is_of_numbers(path: &str) -> bool {
    let implementation = path.strip_prefix('<').and_then(|path| path.split_once(" as std::iter::"));
    implementation.is_some_and(|(ty, of_trait)| {
        is_number(ty) && (of_trait.starts_with("Sum") || of_trait.starts_with("Product"))
    })
}

/// Whether the body says all that there is to say of a call with these types. Models need not drop what they are given when the library does: so nobody may
/// see that.
pub fn is_exact_at(program: &Program, caller: &Body, callee: FnId, given: &Subst) -> bool {
    let function = &program.functions[callee];
    if function.origin != Origin::StdModel {
        return true;
    }
    let are_dropped_silently = given.iter().all(|(_, arg)| match arg {
        GenericArg::Ty(ty) => drops_silently(program, caller, ty),
        GenericArg::Const(_) => true,
    });
    let is_of_std = |param: &&str| match given.get(&Name::new(param)) {
        Some(GenericArg::Ty(ty)) => is_iterator_of_std(ty) && is_asked_by_next(program, ty),
        _ => false,
    };
    let is_told = match &function.body {
        FnBody::Present(body) => !asks_what_cannot_be_told(program, body, given),
        _ => true,
    };
    are_dropped_silently
        && is_told
        && (is_exact_for_all(function)
            || iterators_of(function).is_some_and(|params| params.iter().all(is_of_std)))
}
