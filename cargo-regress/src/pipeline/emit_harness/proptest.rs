//! The harness as a test for each function, run by proptest.
//!
//! Both versions are called on the same value. What is compared is the `Debug` text of what each returns, for types of the crate are other types in each
//! version; that both panic counts as the same, whatever they say.

use std::fmt::Write as _;

use regress_core::ir::FloatTy;

use super::condition::fits;
use super::plain::{Plain, tuple};
use super::{Condition, LeftOut, Subject, call};

/// Tuples of more values are no strategies.
const MOST_PARAMETERS: usize = 12;

const HEAD: &str = r##"//! Calls both versions of each function on the same values. Written by `cargo regress --emit-proptest`; run it by `cargo test`.
//!
//! A test holds if both versions return values of one `Debug` text, or both panic. `prop_assume!` leaves out inputs on which the versions are proved
//! to do the same. Calls on which they were seen to differ are among the inputs.

#![cfg(test)]
#![allow(dead_code, deprecated, unused_imports, unused_macros)]

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;

/// The `Debug` text of what the call returns, or that it panics.
fn outcome<T: Debug>(call: impl FnOnce() -> T) -> Result<String, &'static str> {
    catch_unwind(AssertUnwindSafe(|| format!("{:?}", call()))).map_err(|_| "panics")
}

/// Any number; small ones, and those that stand in a condition, more often.
macro_rules! number {
    ($ty:ident) => {
        prop_oneof![2 => any::<$ty>(), 1 => (0 as $ty)..=16]
    };
    ($ty:ident, $($known:literal),+) => {
        prop_oneof![2 => any::<$ty>(), 1 => (0 as $ty)..=16, 2 => prop::sample::select(vec![$($known as $ty),+])]
    };
}

/// Plain texts, and any others.
fn text() -> impl Strategy<Value = String> + Clone {
    prop_oneof![r"[ -~\n\t]{0,12}", r"(?s).{0,12}"]
}

proptest! {
    // A condition may hold of few inputs.
    #![proptest_config(ProptestConfig { max_global_rejects: 65_536, ..ProptestConfig::default() })]
"##;

/// The source, with what is left out as comments at its end.
pub(super) fn source(subjects: &[Subject], left_out: &[LeftOut]) -> String {
    let mut text = HEAD.to_owned();
    let mut left_out = left_out.to_vec();
    for subject in subjects {
        match test(subject) {
            Ok(test) => text.push_str(&test),
            Err(reason) => left_out.push(LeftOut { path: subject.path.clone(), reason }),
        }
    }
    text.push_str("}\n");
    text.push_str(&LeftOut::comments(left_out));
    text
}

fn test(subject: &Subject) -> Result<String, String> {
    subject.shown.clone()?;
    if subject.parameters.len() > MOST_PARAMETERS {
        return Err(format!("it has more than {MOST_PARAMETERS} parameters"));
    }
    let mut text = String::new();
    let _ = writeln!(text, "\n    // `{}`", subject.path);
    if let Some(Condition::Shown(condition)) = &subject.condition {
        let _ = writeln!(
            text,
            "    // Only inputs with `{condition}` are affected (proved). This is not assumed: as code it may not compile, or panic."
        );
    }
    let names = tuple(subject.parameters.iter().map(|parameter| parameter.name.clone()));
    let _ = writeln!(text, "    #[test]\n    fn {}({names} in {}) {{", subject.name, inputs(subject));
    if let Some(Condition::Code { text: condition, .. }) = &subject.condition {
        let _ = writeln!(text, "        prop_assume!({condition});");
    }
    let _ = writeln!(text, "        prop_assert_eq!(");
    // The result may borrow from what is changed, so its text comes first.
    let shown = |call: &str, changed: Vec<String>| {
        let changed: String = changed.iter().map(|name| format!(", {name}")).collect();
        format!("(format!(\"{{:?}}\", {call}){changed})")
    };
    for callee in [&subject.old, &subject.new] {
        let call = call(callee, &subject.parameters, shown);
        let _ = writeln!(text, "            crate::outcome(|| {call}),");
    }
    let _ = writeln!(text, "        );\n    }}");
    Ok(text)
}

/// The strategy for all parameters, as one tuple.
fn inputs(subject: &Subject) -> String {
    let numbers = match &subject.condition {
        Some(Condition::Code { numbers, .. }) => numbers.as_slice(),
        _ => &[],
    };
    if subject.parameters.is_empty() {
        return "Just(())".into();
    }
    let any = tuple(subject.parameters.iter().map(|parameter| strategy(&parameter.ty, numbers)));
    if subject.seen.is_empty() {
        return any;
    }
    let seen = subject.seen.iter().map(|values| format!(", 1 => Just({})", tuple(values.iter().cloned())));
    format!("prop_oneof![{} => {any}{}]", 9 * subject.seen.len(), seen.collect::<String>())
}

/// Makes values of the type; of numbers also these and their neighbours.
fn strategy(ty: &Plain, numbers: &[i128]) -> String {
    let of = |ty: &Plain| strategy(ty, numbers);
    match ty {
        Plain::Bool => "any::<bool>()".into(),
        Plain::Char => "any::<char>()".into(),
        Plain::Float(FloatTy::F32) => "prop::num::f32::ANY".into(),
        Plain::Float(FloatTy::F64) => "prop::num::f64::ANY".into(),
        Plain::Text => "text()".into(),
        Plain::Int(int) => {
            let around = numbers.iter().flat_map(|number| {
                [number.checked_sub(1), Some(*number), number.checked_add(1)].into_iter().flatten()
            });
            let known: std::collections::BTreeSet<i128> =
                around.filter(|number| fits(*number, *int)).collect();
            let known: String = known.into_iter().map(|number| format!(", {number}")).collect();
            format!("number!({}{known})", int.name())
        }
        Plain::List(inner) => format!("prop::collection::vec({}, 0..12)", of(inner)),
        Plain::Array(inner, length) => format!("prop::array::uniform::<_, {length}>({})", of(inner)),
        Plain::Tuple(parts) if parts.is_empty() => "Just(())".into(),
        Plain::Tuple(parts) => tuple(parts.iter().map(of)),
        Plain::Option(inner) => format!("prop::option::of({})", of(inner)),
        Plain::Result(ok, err) => format!("prop::result::maybe_ok({}, {})", of(ok), of(err)),
        Plain::Boxed(inner) => format!("{}.prop_map(Box::new)", of(inner)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{parameter, subject};
    use super::*;

    #[track_caller]
    fn check(subject: &Subject, expected: &[&str]) {
        let text = test(subject).expect("it is a test");
        for line in expected {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn a_test_calls_both_versions() {
        check(
            &subject(vec![parameter("amount", Plain::Text)]),
            &[
                "#[test]\n    fn same_fee((amount,) in (text(),)) {\n",
                "crate::outcome(|| old::fee(amount.clone())),\n",
                "crate::outcome(|| new::fee(amount.clone())),\n",
            ],
        );
        check(&subject(Vec::new()), &["fn same_fee(() in Just(())) {", "crate::outcome(|| old::fee()),"]);
    }

    #[test]
    fn what_was_seen_and_what_conditions_say_is_tried() {
        let mut fee = subject(vec![parameter("amount", Plain::Int(regress_core::ir::IntTy::U8))]);
        fee.condition = Some(Condition::Code { text: "amount > 254".into(), numbers: vec![254] });
        fee.seen = vec![vec!["7_u8".into()]];
        check(
            &fee,
            &[
                "in prop_oneof![9 => (number!(u8, 253, 254, 255),), 1 => Just((7_u8,))]) {",
                "        prop_assume!(amount > 254);\n",
            ],
        );
    }

    #[test]
    fn a_condition_that_is_no_code_is_a_comment() {
        let mut fee = subject(vec![parameter("amount", Plain::Bool)]);
        fee.condition = Some(Condition::Shown("f(amount) == 1".into()));
        check(&fee, &["// Only inputs with `f(amount) == 1` are affected (proved). This is not assumed"]);
        assert!(!test(&fee).expect("a test").contains("prop_assume"));
    }

    #[test]
    fn changed_arguments_are_compared() {
        let mut list = parameter("list", Plain::List(Box::new(Plain::Bool)));
        list.pass = super::super::plain::Pass::Mutable(super::super::plain::View::Slice);
        check(
            &subject(vec![list]),
            &["|| { let mut list = list.clone(); (format!(\"{:?}\", old::fee(list.as_mut_slice())), list) }"],
        );
    }

    #[test]
    fn what_is_left_out_is_told_at_the_end() {
        let mut fee = subject(Vec::new());
        fee.shown = Err("its result cannot be shown".into());
        let left = [LeftOut { path: "other".into(), reason: "it is private".into() }];
        let text = source(&[fee], &left);
        assert!(
            text.ends_with(
                "}\n\n// Left out:\n// `other`: it is private\n// `fee`: its result cannot be shown\n"
            ),
            "{text}"
        );
    }
}
