//! The harness as a proof for each function, checked by Kani.

use std::fmt::Write as _;

use super::plain::{Parameter, Plain, tuple};
use super::{Condition, LeftOut, Subject, call};

const HEAD: &str = "\
//! Calls both versions of each function on the same symbolic values. Written by `cargo regress --emit-kani`; run it by `cargo kani`.
//!
//! A proof holds if both versions return equal values, and neither panics. That both panic is not told from a difference: Kani reports each panic by itself,
//! in whichever version. `kani::assume` leaves out inputs on which the versions are proved to do the same. Loops whose length depends on
//! the input need a bound: `cargo kani --default-unwind 16`.

#![cfg(kani)]
#![allow(dead_code, deprecated)]
";

/// The source, with what is left out as comments at its end.
pub(super) fn source(subjects: &[Subject], left_out: &[LeftOut]) -> String {
    let mut text = HEAD.to_owned();
    let mut left_out = left_out.to_vec();
    for subject in subjects {
        match proof(subject) {
            Ok(proof) => text.push_str(&proof),
            Err(reason) => left_out.push(LeftOut { path: subject.path.clone(), reason }),
        }
    }
    text.push_str(&LeftOut::comments(left_out));
    text
}

fn proof(subject: &Subject) -> Result<String, String> {
    for Parameter { name, ty, .. } in &subject.parameters {
        if !is_symbolic(ty) {
            return Err(format!("Kani makes no bounded values of `{}`, of which `{name}` is", ty.name()));
        }
    }
    let changes = subject.parameters.iter().any(Parameter::is_mutable);
    subject.comparable.clone()?;
    if subject.returns_nothing && !changes {
        return Err("it returns nothing that could be compared".into());
    }
    if subject.borrows && changes {
        return Err("its result may borrow from an argument that it changes".into());
    }
    let mut text = String::new();
    let _ = writeln!(text, "\n// `{}`", subject.path);
    if let Some(Condition::Shown(condition)) = &subject.condition {
        let _ = writeln!(
            text,
            "// Only inputs with `{condition}` are affected (proved). This is not assumed: as code it may not compile, or panic."
        );
    }
    let _ = writeln!(text, "#[kani::proof]\nfn {}() {{", subject.name);
    for Parameter { name, ty, .. } in &subject.parameters {
        let _ = writeln!(text, "    let {name}: {} = kani::any();", ty.name());
    }
    if let Some(Condition::Code { text: condition, .. }) = &subject.condition {
        let _ = writeln!(text, "    kani::assume({condition});");
    }
    let [old, new] = [&subject.old, &subject.new].map(|callee| {
        call(callee, &subject.parameters, |call, changed| {
            tuple(std::iter::once(call.to_owned()).chain(changed))
        })
    });
    let _ = writeln!(text, "    assert_eq!({old}, {new});\n}}");
    Ok(text)
}

/// Whether `kani::any` makes all values of the type. It does of floats too, but then equality is not what is to be shown: NaN is not equal to itself.
fn is_symbolic(ty: &Plain) -> bool {
    ty.all(&|ty| {
        matches!(
            ty,
            Plain::Bool
                | Plain::Char
                | Plain::Int(_)
                | Plain::Array(..)
                | Plain::Tuple(_)
                | Plain::Option(_)
                | Plain::Result(..)
        )
    })
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;

    use super::super::testing::{parameter, subject};
    use super::*;

    fn byte() -> Plain {
        Plain::Int(IntTy::U8)
    }

    #[track_caller]
    fn refused(subject: &Subject, expected: &str) {
        assert_eq!(proof(subject), Err(expected.into()));
    }

    #[test]
    fn a_proof_compares_results_under_the_condition() {
        let mut fee = subject(vec![
            parameter("amount", byte()),
            parameter("kind", Plain::Option(Box::new(Plain::Array(Box::new(Plain::Bool), 2)))),
        ]);
        fee.condition = Some(Condition::Code { text: "amount > 4".into(), numbers: vec![4] });
        let expected = "\n// `fee`\n#[kani::proof]\nfn same_fee() {\n    let amount: u8 = kani::any();\n    \
                        let kind: Option<[bool; 2]> = kani::any();\n    kani::assume(amount > 4);\n    \
                        assert_eq!(old::fee(amount, kind), new::fee(amount, kind));\n}\n";
        assert_eq!(proof(&fee).as_deref(), Ok(expected));
    }

    #[test]
    fn changed_arguments_are_compared() {
        let mut byte = parameter("byte", byte());
        byte.pass = super::super::plain::Pass::Mutable(super::super::plain::View::Whole);
        let mut fee = subject(vec![byte]);
        fee.returns_nothing = true;
        let text = proof(&fee).expect("a proof");
        assert!(text.contains("assert_eq!({ let mut byte = byte; (old::fee(&mut byte), byte) }, "), "{text}");
        fee.borrows = true;
        refused(&fee, "its result may borrow from an argument that it changes");
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let mut fee = subject(vec![parameter("text", Plain::Text)]);
        refused(&fee, "Kani makes no bounded values of `String`, of which `text` is");
        fee.parameters.clear();
        fee.returns_nothing = true;
        refused(&fee, "it returns nothing that could be compared");
        fee.comparable = Err("its result is a float".into());
        refused(&fee, "its result is a float");
    }
}
