//! Where two long outcomes first differ: `state` of parameter 1.

use regress_core::value::{Outcome, Value};

/// The innermost part in which both have another value.
pub(super) struct FirstDifference<'v> {
    /// Of which parameter it is what the call leaves there; none if it is in the result.
    parameter: Option<usize>,
    /// Fields and indices that lead there: `stream.pos`, `[3].0`.
    path: String,
    old: &'v Value,
    new: &'v Value,
}

impl FirstDifference<'_> {
    /// ``(`state` of parameter 1: `A`, now `B`)``
    pub fn sentence(&self) -> String {
        let of = match self.parameter {
            Some(parameter) => format!("parameter {}", parameter + 1),
            None => "the result".to_owned(),
        };
        format!("(`{}` of {of}: `{}`, now `{}`)", self.path, self.old, self.new)
    }
}

/// None if not both return, or if nothing is gained, since they differ as a whole.
pub(super) fn first_difference<'v>(old: &'v Outcome, new: &'v Outcome) -> Option<FirstDifference<'v>> {
    let (
        Outcome::Returned { value: old, mutated: old_left },
        Outcome::Returned { value: new, mutated: new_left },
    ) = (old, new)
    else {
        return None;
    };
    let left = old_left.iter().zip(new_left).map(|((at, old), (_, new))| (Some(*at), old, new));
    let (parameter, old, new) =
        std::iter::once((None, old, new)).chain(left).find(|(_, old, new)| old != new)?;
    let mut path = String::new();
    let (old, new) = descend(old, new, &mut path);
    (!path.is_empty()).then_some(FirstDifference { parameter, path, old, new })
}

fn descend<'v>(old: &'v Value, new: &'v Value, path: &mut String) -> (&'v Value, &'v Value) {
    let (step, inner_old, inner_new) = match (old, new) {
        (Value::Ref(old), Value::Ref(new)) => (String::new(), &**old, &**new),
        (Value::Seq(of_old), Value::Seq(of_new)) | (Value::Tuple(of_old), Value::Tuple(of_new))
            if of_old.len() == of_new.len() =>
        {
            let Some(at) = of_old.iter().zip(of_new).position(|(old, new)| old != new) else {
                return (old, new);
            };
            let step = if matches!(old, Value::Seq(_)) { format!("[{at}]") } else { format!(".{at}") };
            (step, &of_old[at], &of_new[at])
        }
        (
            Value::Adt { path: of_old, variant, fields, .. },
            Value::Adt { path: of_new, variant: new_variant, fields: new_fields, .. },
        ) if of_old == of_new && variant == new_variant && fields.len() == new_fields.len() => {
            match fields.iter().zip(new_fields).find(|(old, new)| old != new) {
                Some(((name, old), (new_name, new))) if name == new_name => (format!(".{name}"), old, new),
                _ => return (old, new),
            }
        }
        _ => return (old, new),
    };
    path.push_str(if path.is_empty() { step.trim_start_matches('.') } else { &step });
    descend(inner_old, inner_new, path)
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{CtorKind, IntTy, Name, Path};

    use super::*;

    fn number(number: i128) -> Value {
        Value::int(IntTy::U8, number)
    }

    fn state(at: Value, name: &str) -> Value {
        let fields = vec![(Name::new("at"), at), (Name::new("name"), Value::Str(name.to_owned()))];
        Value::Adt { path: Path::new("k::State"), variant: None, ctor: CtorKind::Struct, fields }
    }

    #[track_caller]
    fn check(old: (Value, Vec<Value>), new: (Value, Vec<Value>), expected: Option<&str>) {
        let outcome = |(value, left): (Value, Vec<Value>)| Outcome::Returned {
            value,
            mutated: left.into_iter().enumerate().collect(),
        };
        let (old, new) = (outcome(old), outcome(new));
        assert_eq!(first_difference(&old, &new).map(|found| found.sentence()).as_deref(), expected);
    }

    #[test]
    fn the_part_that_differs_is_named() {
        let list =
            |last| Value::Seq(vec![number(1), state(Value::Tuple(vec![number(0), number(last)]), "x")]);
        check((list(3), vec![]), (list(4), vec![]), Some("(`[1].at.1` of the result: `3`, now `4`)"));
        let left = |name| vec![number(7), Value::Ref(Box::new(state(number(1), name)))];
        check(
            (number(1), left("a")),
            (number(1), left("b")),
            Some("(`name` of parameter 2: `\"a\"`, now `\"b\"`)"),
        );
        check((number(1), vec![]), (number(2), vec![]), None);
        check((Value::Seq(vec![]), vec![]), (list(1), vec![]), None);
    }
}
