//! How a call ends, without what varies from call to call.
//!
//! Of a value remain the variants of enums and booleans, down to the first number, text, sequence or struct, which are `_`:
//! `Ok(5)` and `Ok(7)` end alike, `Err(Error::Empty)` and `Err(Error::TooLong)` do not. Where both versions return, only what
//! differs between them is told: the result, or what is left in a parameter.

use regress_core::ir::KnownType;
use regress_core::value::{Outcome, PanicKind, Value};
use regress_core::verdict::{Class, Witness};

/// What changes in a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub class: Class,
    pub old: String,
    pub new: String,
}

impl Change {
    pub fn of(witness: &Witness) -> Change {
        let (old, new) = match (&witness.old, &witness.new) {
            (
                Outcome::Returned { value: old, mutated: old_left },
                Outcome::Returned { value: new, mutated: new_left },
            ) => returned((old, old_left), (new, new_left)),
            (old, new) => (ending(old), ending(new)),
        };
        Change { class: Class::of(&witness.old, &witness.new), old, new }
    }
}

/// What a function gave back and what it left in its parameters.
type Returned<'v> = (&'v Value, &'v [(usize, Value)]);

fn returned(old: (&Value, &Vec<(usize, Value)>), new: (&Value, &Vec<(usize, Value)>)) -> (String, String) {
    let (old, new): (Returned<'_>, Returned<'_>) = ((old.0, old.1), (new.0, new.1));
    let differs = |parameter: &usize| left(old, *parameter) != left(new, *parameter);
    let parameters: Vec<usize> =
        old.1.iter().chain(new.1).map(|(parameter, _)| *parameter).filter(differs).collect();
    // What cannot be looked into may differ although it does not seem to.
    let result = old.0 != new.0 || parameters.is_empty();
    let tell = |side: Returned<'_>| {
        let mut parts: Vec<String> =
            result.then(|| format!("returns {}", pattern(side.0))).into_iter().collect();
        let mut told: Vec<usize> = Vec::new();
        for parameter in &parameters {
            if !told.contains(parameter) {
                told.push(*parameter);
                let value = left(side, *parameter).map_or("nothing".to_owned(), pattern);
                parts.push(format!("leaves {value} in parameter {}", parameter + 1));
            }
        }
        parts.join(", ")
    };
    (tell(old), tell(new))
}

fn left<'v>(side: Returned<'v>, parameter: usize) -> Option<&'v Value> {
    side.1.iter().find(|(other, _)| *other == parameter).map(|(_, value)| value)
}

fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value, .. } => format!("returns {}", pattern(value)),
        Outcome::Panicked(panic) => format!("panics: {}", kind(panic.kind)),
        Outcome::Hung => "does not end".to_owned(),
        Outcome::OutOfMemory => "takes too much memory".to_owned(),
        Outcome::Aborted(_) => "aborts".to_owned(),
    }
}

/// The names in the file, which must not change.
fn kind(kind: PanicKind) -> &'static str {
    match kind {
        PanicKind::Overflow => "arithmetic overflow",
        PanicKind::DivisionByZero => "division by zero",
        PanicKind::IndexOutOfBounds => "index out of bounds",
        PanicKind::Unwrap => "unwrap",
        PanicKind::Explicit => "explicit",
    }
}

fn pattern(value: &Value) -> String {
    let list = |items: &mut dyn Iterator<Item = &Value>| items.map(pattern).collect::<Vec<_>>().join(", ");
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Tuple(items) => format!("({})", list(&mut items.iter())),
        Value::Ref(inner) => pattern(inner),
        Value::Adt { path, variant: Some(variant), fields, .. } => {
            let last = path.as_str().rsplit("::").next().unwrap_or(path.as_str());
            let is_plain = path == KnownType::Option || path == KnownType::Result;
            let name = if is_plain { variant.to_string() } else { format!("{last}::{variant}") };
            let inside = list(&mut fields.iter().map(|(_, field)| field));
            if fields.is_empty() { name } else { format!("{name}({inside})") }
        }
        Value::Adt { variant: None, .. }
        | Value::Char(_)
        | Value::Int { .. }
        | Value::F32(_)
        | Value::F64(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Made { .. }
        | Value::Opaque(_) => "_".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{CtorKind, IntTy, Name, Path};
    use regress_core::value::Panic;
    use regress_core::verdict::{Confirmation, WitnessOrigin};

    use super::*;

    fn int(value: i128) -> Value {
        Value::int(IntTy::I32, value)
    }

    fn variant(path: &str, name: &str, field: Option<Value>) -> Value {
        let fields: Vec<_> = field.into_iter().map(|field| (Name::new("0"), field)).collect();
        let ctor = if fields.is_empty() { CtorKind::Unit } else { CtorKind::Tuple };
        Value::Adt { path: Path::new(path), variant: Some(Name::new(name)), ctor, fields }
    }

    fn gives(value: Value) -> Outcome {
        Outcome::Returned { value, mutated: Vec::new() }
    }

    fn leaves(value: Value, left: Value) -> Outcome {
        Outcome::Returned { value, mutated: vec![(1, left)] }
    }

    #[track_caller]
    fn check(old: Outcome, new: Outcome, expected: (&str, &str)) {
        let confirmation = Confirmation::Native;
        let origin = WitnessOrigin::Random;
        let change = Change::of(&Witness { inputs: Vec::new(), old, new, confirmation, origin });
        assert_eq!((change.old.as_str(), change.new.as_str()), expected);
    }

    #[test]
    fn numbers_and_texts_are_left_out_and_variants_stay() {
        check(gives(int(1)), gives(int(2)), ("returns _", "returns _"));
        check(gives(Value::Bool(true)), gives(Value::Bool(false)), ("returns true", "returns false"));
        let error = |name| variant("std::result::Result", "Err", Some(variant("p::Error", name, None)));
        let ok = variant("std::result::Result", "Ok", Some(Value::Str("x".into())));
        check(
            gives(error("Empty")),
            gives(error("Long")),
            ("returns Err(Error::Empty)", "returns Err(Error::Long)"),
        );
        check(gives(ok), gives(error("Long")), ("returns Ok(_)", "returns Err(Error::Long)"));
        let pair = |flag| Value::Tuple(vec![Value::Bool(flag), int(3)]);
        check(gives(pair(true)), gives(pair(false)), ("returns (true, _)", "returns (false, _)"));
    }

    #[test]
    fn what_is_the_same_is_not_told() {
        let unit = Value::unit;
        check(
            leaves(unit(), int(1)),
            leaves(unit(), int(2)),
            ("leaves _ in parameter 2", "leaves _ in parameter 2"),
        );
        check(leaves(int(1), int(5)), leaves(int(2), int(5)), ("returns _", "returns _"));
        check(
            leaves(int(1), Value::Bool(true)),
            leaves(int(2), Value::Bool(false)),
            ("returns _, leaves true in parameter 2", "returns _, leaves false in parameter 2"),
        );
    }

    #[test]
    fn other_ends() {
        let panic = |kind| Outcome::Panicked(Panic { kind, message: Some("at 3".into()), location: None });
        check(
            leaves(int(1), int(2)),
            panic(PanicKind::Overflow),
            ("returns _", "panics: arithmetic overflow"),
        );
        check(panic(PanicKind::Unwrap), Outcome::Hung, ("panics: unwrap", "does not end"));
        check(Outcome::Aborted("signal 6".into()), gives(Value::unit()), ("aborts", "returns ()"));
    }
}
