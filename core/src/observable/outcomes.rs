//! Whether two calls ended alike, as far as a caller is said to see.
//!
//! A panic is compared by its kind, not by its message or place: messages are changed in nearly every commit that touches them, and who
//! catches panics to read them is told so by `congruence`. Of which kind a panic is the engine knows by what raised it. A native run knows only the message,
//! and any code may panic in the words of the language (`panic!("attempt to add with overflow")`): so where both versions panic alike natively and only the
//! engine tells them apart, nothing is said ([`Alike::NotTold`]).
//!
//! Results of other types ([`ResultTypes::Other`]) are compared as far as they are of one kind: numbers as numbers whatever their width, texts, sequences
//! by length and elements, tuples as arrays of as many, success and failure (`Some` and `Ok`, `None` and `Err`), a value that only one version wraps in `Some` or `Ok` as itself, and
//! variants of one enum by their names, unless the versions' definitions of it have nothing in common.
//! Everything else says nothing of the versions: types of other names, what is shown as text.

use crate::ir::{CommonShapes, IntTy, KnownType, Name, Path, ResultTypes, Signedness};
use crate::value::{Outcome, PanicKind, Value};

/// What two ends have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    Same,
    Different,
    /// They are not the same, but no native run would show it.
    NotTold,
}

/// Relates two panics, each by what raised it and by what its message says.
pub fn panics(old: (PanicKind, PanicKind), new: (PanicKind, PanicKind)) -> Alike {
    let ((old, old_said), (new, new_said)) = (old, new);
    match (old == new, old_said == new_said) {
        (true, _) => Alike::Same,
        (false, true) => Alike::NotTold,
        (false, false) => Alike::Different,
    }
}

/// Whether two outcomes count as the same: panics by their kind, deaths as such, values by what they are.
pub fn same_outcome(a: &Outcome, b: &Outcome) -> bool {
    same_in_both(&CommonShapes::default(), a, b)
}

/// The same of the outcomes of two versions: of types that differ it goes by what both have.
pub fn same_in_both(common: &CommonShapes, a: &Outcome, b: &Outcome) -> bool {
    let same_value = |a: &Value, b: &Value| same_value(common, a, b);
    match (a, b) {
        (Outcome::Panicked(a), Outcome::Panicked(b)) => a.kind == b.kind,
        (
            Outcome::Returned { value: a, mutated: a_mutated },
            Outcome::Returned { value: b, mutated: b_mutated },
        ) => {
            let same_result = match common.results {
                ResultTypes::Same => same_value(a, b),
                ResultTypes::Other => same_as_far_as_both_tell(common, a, b),
            };
            same_result && same_arguments(common, a_mutated, b_mutated)
        }
        _ => a == b,
    }
}

/// Whether arguments are left alike. Where a type that is defined otherwise has cells in one version alone, only that version shows what is behind a
/// shared reference to it, and that says nothing of the versions.
fn same_arguments(common: &CommonShapes, a: &[(usize, Value)], b: &[(usize, Value)]) -> bool {
    let is_in = |index: usize, all: &[(usize, Value)]| all.iter().any(|(other, _)| *other == index);
    let a_both: Vec<_> = a.iter().filter(|(index, _)| is_in(*index, b)).collect();
    let b_both: Vec<_> = b.iter().filter(|(index, _)| is_in(*index, a)).collect();
    let none_is_left_out = a_both.len() == a.len() && b_both.len() == b.len();
    (none_is_left_out || common.any_defined_otherwise())
        && a_both.iter().zip(&b_both).all(|(a, b)| a.0 == b.0 && same_argument(common, &a.1, &b.1))
}

/// Of such types one version alone shows beside what a `&mut` refers to what that led to before.
fn same_argument(common: &CommonShapes, a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Tuple(pair), other) | (other, Value::Tuple(pair))
            if common.any_defined_otherwise() && !matches!((a, b), (Value::Tuple(_), Value::Tuple(_))) =>
        {
            matches!(pair.first(), Some(Value::Ref(now)) if same_value(common, now, other))
        }
        _ => same_value(common, a, b),
    }
}

/// A value that one version shows as mere text (its type came out of a macro, say) and the other in its parts is not
/// known to differ, nor is one that one version alone knows a way to show (its type has a `Debug` only there). Fields that one version alone has are not compared.
fn same_value(common: &CommonShapes, a: &Value, b: &Value) -> bool {
    let same_value = |a: &Value, b: &Value| same_value(common, a, b);
    let all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b));
    match (a, b) {
        (a, b) if a.is_not_shown() || b.is_not_shown() => true,
        // What only one version has of such values is in their hashes.
        (a, b) if common.any_defined_otherwise() && (a.is_digest() || b.is_digest()) => true,
        (Value::Opaque(a), Value::Opaque(b)) => a == b,
        (Value::Opaque(_), _) | (_, Value::Opaque(_)) => true,
        (Value::Tuple(a), Value::Tuple(b)) | (Value::Seq(a), Value::Seq(b)) => all(a, b),
        (Value::Ref(a), Value::Ref(b)) => same_value(a, b),
        (
            Value::Adt { path, variant, ctor, fields },
            Value::Adt { path: b_path, variant: b_variant, ctor: b_ctor, fields: b_fields },
        ) => {
            // Where the versions define the type in two ways, only what both have counts: a tuple struct may have become one with names.
            let (same_ctor, counts) = match fields_in_common(common, path, variant.as_ref()) {
                Some(names) => (true, Some(names)),
                None => (ctor == b_ctor, None),
            };
            let counts = |name: &Name| counts.is_none_or(|names| names.contains(name));
            let mut compared = in_both(fields, b_fields).filter(|(name, ..)| counts(name));
            (path, variant) == (b_path, b_variant) && same_ctor && compared.all(|(_, a, b)| same_value(a, b))
        }
        _ => a == b,
    }
}

/// Whether two values, of types that need not be the same, do not contradict each other.
fn same_as_far_as_both_tell(common: &CommonShapes, a: &Value, b: &Value) -> bool {
    Told::by_both(common, a, b).is_some()
}

/// What two values, of types that need not be the same, have to do with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Scalars of both that have to be the same, by their places in [`scalars`]. Those of integers are compared as numbers.
    pub pairs: Vec<(usize, usize)>,
    /// What of the values says nothing of the versions.
    pub silent: Silent,
}

/// Whether all of two values can be held against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Silent {
    #[default]
    Nothing,
    /// Some parts of one stand for nothing in the other, or cannot be told to.
    Parts,
}

/// So many scalars a value is made of: booleans, characters, numbers, and the bytes of texts, in the order in which they stand in it. What is shown as
/// mere text counts for none.
pub fn scalars(value: &Value) -> usize {
    match value {
        Value::Bool(_) | Value::Char(_) | Value::Int { .. } | Value::F32(_) | Value::F64(_) => 1,
        Value::Str(text) => text.len(),
        _ => value.parts().into_iter().map(scalars).sum(),
    }
}

impl Told {
    /// None if the values contradict each other.
    pub fn by_both(common: &CommonShapes, a: &Value, b: &Value) -> Option<Told> {
        let mut told = Told::default();
        told.hold(common, At { value: a, first: 0 }, At { value: b, first: 0 }).then_some(told)
    }

    /// Of parts that tell nothing of each other: they do not contradict.
    fn say_nothing(&mut self) -> bool {
        self.silent = Silent::Parts;
        true
    }

    /// Whether the values do not contradict each other.
    fn hold(&mut self, common: &CommonShapes, a: At<'_>, b: At<'_>) -> bool {
        match (Kind::of(a), Kind::of(b)) {
            (Kind::Success(Some(a)), Kind::Success(Some(b))) => self.hold(common, a, b),
            (Kind::Failure(Some(a)), Kind::Failure(Some(b))) => self.hold(common, a, b),
            (Kind::Failure(None), Kind::Failure(None)) => true,
            (Kind::Success(_), Kind::Failure(_)) | (Kind::Failure(_), Kind::Success(_)) => false,
            (Kind::Success(Some(inner)), Kind::Itself(other))
            | (Kind::Itself(inner), Kind::Success(Some(other))) => self.hold(common, inner, other),
            (Kind::Itself(a), Kind::Itself(b)) => self.hold_themselves(common, a, b),
            _ => self.say_nothing(),
        }
    }

    fn hold_themselves(&mut self, common: &CommonShapes, a: At<'_>, b: At<'_>) -> bool {
        let same_scalar = match (a.value, b.value) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => a == b,
            (Value::F64(a), Value::F64(b)) => a == b,
            (Value::Int { ty, bits }, Value::Int { ty: b_ty, bits: b_bits }) => {
                as_number(*ty, *bits) == as_number(*b_ty, *b_bits)
            }
            (Value::Seq(of_a), Value::Seq(of_b)) => {
                return of_a.len() == of_b.len() && self.hold_all(common, a, b);
            }
            (Value::Tuple(of_a), Value::Tuple(of_b) | Value::Seq(of_b))
            | (Value::Seq(of_b), Value::Tuple(of_a))
                if of_a.len() == of_b.len() =>
            {
                return self.hold_all(common, a, b);
            }
            (
                Value::Adt { path, variant, fields, .. },
                Value::Adt { path: b_path, variant: b_variant, fields: b_fields, .. },
            ) if path == b_path && variant == b_variant => {
                let counts = fields_in_common(common, path, variant.as_ref());
                let counts = |name: &Name| counts.is_none_or(|names| names.contains(name));
                let (of_a, of_b) = (a.parts(), b.parts());
                let compared: Vec<(usize, usize)> =
                    places_in_both(fields, b_fields).filter(|(at, _)| counts(&fields[*at].0)).collect();
                if compared.len() < fields.len().max(b_fields.len()) {
                    self.say_nothing();
                }
                return compared.into_iter().all(|(at, other)| self.hold(common, of_a[at], of_b[other]));
            }
            // Variants of one enum are told apart whatever else of the results is of other types.
            (
                Value::Adt { path, variant: Some(_), .. },
                Value::Adt { path: b_path, variant: Some(_), .. },
            ) if path == b_path && common.names_variants_alike(path) => {
                return false;
            }
            _ => return self.say_nothing(),
        };
        self.pairs.extend((0..scalars(a.value)).map(|index| (a.first + index, b.first + index)));
        same_scalar
    }

    fn hold_all(&mut self, common: &CommonShapes, a: At<'_>, b: At<'_>) -> bool {
        a.parts().into_iter().zip(b.parts()).all(|(a, b)| self.hold(common, a, b))
    }
}

/// Part of a value, and the place of its first scalar in the whole.
#[derive(Clone, Copy)]
struct At<'v> {
    value: &'v Value,
    first: usize,
}

impl<'v> At<'v> {
    fn parts(self) -> Vec<At<'v>> {
        let mut first = self.first;
        let parts = self.value.parts().into_iter();
        let placed = parts.map(|value| {
            let part = At { value, first };
            first += scalars(value);
            part
        });
        placed.collect()
    }
}

/// What a value tells whatever its type is called.
enum Kind<'v> {
    /// `Some` or `Ok`, of a value if there is one.
    Success(Option<At<'v>>),
    /// `None` or `Err`, of a value if there is one.
    Failure(Option<At<'v>>),
    /// The value, without references and boxes around it.
    Itself(At<'v>),
}

impl<'v> Kind<'v> {
    fn of(at: At<'v>) -> Kind<'v> {
        let inside = |value| At { value, first: at.first };
        match at.value {
            Value::Ref(inner) => Kind::of(inside(inner)),
            Value::Adt { path, variant: Some(variant), fields, .. } => match variant.as_str() {
                "Some" | "Ok" if may_fail(path) => {
                    Kind::Success(fields.first().map(|(_, value)| inside(value)))
                }
                "None" | "Err" if may_fail(path) => {
                    Kind::Failure(fields.first().map(|(_, value)| inside(value)))
                }
                "Borrowed" | "Owned" if *path == KnownType::Cow && fields.len() == 1 => {
                    Kind::of(inside(&fields[0].1))
                }
                _ => Kind::Itself(at),
            },
            _ => Kind::Itself(at),
        }
    }
}

fn may_fail(path: &Path) -> bool {
    *path == KnownType::Option || *path == KnownType::Result
}

/// The number that the bits of an integer type stand for, apart from those that no signed number reaches.
fn as_number(ty: IntTy, bits: u128) -> (bool, u128) {
    match ty.signedness() {
        Signedness::Signed => {
            let number = ty.sign_extend(bits);
            (number < 0, number.unsigned_abs())
        }
        Signedness::Unsigned => (false, bits),
    }
}

/// The fields of a variant that are compared, if the versions define the type otherwise.
fn fields_in_common<'c>(common: &'c CommonShapes, path: &Path, variant: Option<&Name>) -> Option<&'c [Name]> {
    let shape = common.of(path)?;
    let found = shape.variants.iter().find(|common| common.name.as_ref() == variant)?;
    Some(&found.fields)
}

/// The values of fields that both have, with their names.
fn in_both<'v>(
    a: &'v [(Name, Value)],
    b: &'v [(Name, Value)],
) -> impl Iterator<Item = (&'v Name, &'v Value, &'v Value)> {
    places_in_both(a, b).map(|(at, other)| (&a[at].0, &a[at].1, &b[other].1))
}

/// The places of fields that both have.
fn places_in_both(a: &[(Name, Value)], b: &[(Name, Value)]) -> impl Iterator<Item = (usize, usize)> {
    let in_b = |name: &Name, at: usize| {
        // Nearly always they stand in the same place.
        let same_place = b.get(at).is_some_and(|(other, _)| other == name).then_some(at);
        same_place.or_else(|| b.iter().position(|(other, _)| other == name))
    };
    a.iter().enumerate().filter_map(move |(at, (name, _))| Some((at, in_b(name, at)?)))
}

/// Whether a native outcome has everything that the engine says of it, apart from what the engine says to be opaque:
/// memory that is not initialised, say.
pub fn bears_out(said: &Outcome, native: &Outcome) -> bool {
    fn is_shown(said: &Value, native: &Value) -> bool {
        match (said, native) {
            (Value::Opaque(_), _) => true,
            (_, Value::Opaque(_)) => false,
            (Value::Adt { fields: said, .. }, Value::Adt { fields: native, .. }) => {
                in_both(said, native).all(|(_, said, native)| is_shown(said, native))
            }
            _ => said.parts().into_iter().zip(native.parts()).all(|(said, native)| is_shown(said, native)),
        }
    }
    let values = |outcome: &Outcome| match outcome {
        Outcome::Returned { value, mutated } => {
            let mutated = mutated.iter().map(|(_, value)| value.clone());
            std::iter::once(value.clone()).chain(mutated).collect()
        }
        _ => Vec::new(),
    };
    same_outcome(said, native)
        && values(said).iter().zip(&values(native)).all(|(said, native)| is_shown(said, native))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_told_by_what_raised_them() {
        use PanicKind::*;
        let language = |kind| (kind, kind);
        let words = |kind| (Explicit, kind);
        assert_eq!(panics(language(Overflow), language(Overflow)), Alike::Same);
        assert_eq!(panics(language(Overflow), language(Unwrap)), Alike::Different);
        assert_eq!(panics(language(Overflow), language(Explicit)), Alike::Different);
        assert_eq!(panics(language(Overflow), words(Overflow)), Alike::NotTold);
        assert_eq!(panics(words(Overflow), language(Overflow)), Alike::NotTold);
        assert_eq!(panics(words(Overflow), words(Unwrap)), Alike::Same);
    }

    fn returned(value: Value) -> Outcome {
        Outcome::Returned { value, mutated: Vec::new() }
    }

    #[track_caller]
    fn check(a: Value, b: Value, same: bool) {
        assert_eq!(same_outcome(&returned(a.clone()), &returned(b.clone())), same);
        assert_eq!(same_outcome(&returned(b), &returned(a)), same);
    }

    #[test]
    fn what_one_side_shows_as_text_only_is_no_difference() {
        let text = |text: &str| Value::Opaque(text.into());
        check(text("Err(Bad)"), Value::Bool(true), true);
        check(text("Err(Bad)"), text("Err(Worse)"), false);
        check(text("{}"), text(Value::NOT_SHOWN), true);
        check(
            Value::Tuple(vec![text("1"), text(Value::NOT_SHOWN)]),
            Value::Tuple(vec![text("2"), text("3")]),
            false,
        );
        check(Value::Ref(Box::new(text("x"))), Value::Ref(Box::new(Value::Bool(true))), true);
    }

    #[test]
    fn hashes_of_long_values_say_nothing_where_types_differ() {
        let long = |hash: &str| Value::Opaque(format!("{}300000 bytes, hash {hash}", Value::HASHED));
        let mut common = CommonShapes::default();
        assert!(!same_in_both(&common, &returned(long("a")), &returned(long("b"))));
        common.insert_reshaped(Path::new("c::T"));
        assert!(same_in_both(&common, &returned(long("a")), &returned(long("b"))));
    }

    #[test]
    fn the_rest_of_the_value_still_counts() {
        let pair = |first: bool, second: Value| Value::Tuple(vec![Value::Bool(first), second]);
        let text = Value::Opaque("x".into());
        check(pair(true, text.clone()), pair(true, Value::Char('x')), true);
        check(pair(true, text.clone()), pair(false, Value::Char('x')), false);
        check(Value::Seq(vec![text]), Value::Seq(Vec::new()), false);
    }

    #[test]
    fn what_is_behind_mutable_references_counts() {
        let outcome = |value| Outcome::Returned { value: Value::unit(), mutated: vec![(0, value)] };
        assert!(!same_outcome(&outcome(Value::Bool(true)), &outcome(Value::Bool(false))));
        assert!(same_outcome(&outcome(Value::Bool(true)), &outcome(Value::Opaque("x".into()))));
    }

    #[test]
    fn what_one_version_alone_shows_of_arguments_says_nothing_where_types_differ() {
        let outcome = |mutated| Outcome::Returned { value: Value::unit(), mutated };
        let (shown, hidden) = (
            outcome(vec![(0, Value::Bool(true)), (1, Value::Char('x'))]),
            outcome(vec![(1, Value::Char('x'))]),
        );
        let mut common = CommonShapes::default();
        assert!(!same_in_both(&common, &shown, &hidden));
        common.insert_reshaped(Path::new("k::Reshaped"));
        assert!(same_in_both(&common, &shown, &hidden) && same_in_both(&common, &hidden, &shown));
        assert!(!same_in_both(&common, &shown, &outcome(vec![(1, Value::Char('y'))])));
    }

    #[test]
    fn results_of_other_types_are_compared_by_what_both_tell() {
        let mut other = CommonShapes::default().with_results(ResultTypes::Other);
        other.insert_reshaped(Path::new("k::Reshaped"));
        let check = |a: &Value, b: &Value, same: bool| {
            assert_eq!(same_in_both(&other, &returned(a.clone()), &returned(b.clone())), same, "{a} {b}");
            assert_eq!(same_in_both(&other, &returned(b.clone()), &returned(a.clone())), same, "{b} {a}");
        };
        let int = |ty, bits| Value::Int { ty, bits };
        let of = |ty: KnownType, variant: &str, value: Option<Value>| Value::Adt {
            path: ty.path().into(),
            variant: Some(variant.into()),
            ctor: crate::ir::CtorKind::Tuple,
            fields: value.into_iter().map(|value| ("0".into(), value)).collect(),
        };
        let ok = |value| of(KnownType::Result, "Ok", Some(value));
        let err = |text: &str| of(KnownType::Result, "Err", Some(Value::Str(text.into())));
        let error = |path: &str, variant: &str| Value::Adt {
            path: path.into(),
            variant: Some(variant.into()),
            ctor: crate::ir::CtorKind::Unit,
            fields: Vec::new(),
        };
        let some = |value| of(KnownType::Option, "Some", Some(value));
        let none = of(KnownType::Option, "None", None);
        let (seven, eight) = (int(IntTy::U8, 7), int(IntTy::I64, 8));
        check(&seven, &int(IntTy::U64, 7), true);
        check(&seven, &eight, false);
        check(&int(IntTy::I8, 0xff), &int(IntTy::I32, 0xffff_ffff), true);
        check(&int(IntTy::I8, 0xff), &int(IntTy::U8, 0xff), false);
        check(&ok(seven.clone()), &some(seven.clone()), true);
        check(&ok(seven.clone()), &some(eight.clone()), false);
        check(&err("bad"), &err("bad"), true);
        check(&err("bad"), &err("worse"), false);
        let failed_as = |path: &str, variant: &str| of(KnownType::Result, "Err", Some(error(path, variant)));
        check(&failed_as("k::E", "A"), &failed_as("k::E", "B"), false);
        check(&failed_as("k::E", "A"), &failed_as("k::F", "B"), true);
        check(&failed_as("k::Reshaped", "A"), &failed_as("k::Reshaped", "B"), true);
        check(&error("k::E", "A"), &error("k::F", "A"), true);
        check(&err("bad"), &none, true);
        check(&err("bad"), &ok(seven.clone()), false);
        check(&none, &ok(seven.clone()), false);
        check(&seven, &ok(seven.clone()), true);
        check(&seven, &some(eight.clone()), false);
        check(&seven, &none, true);
        let items = || vec![seven.clone(), eight.clone()];
        check(&Value::Tuple(items()), &Value::Seq(items()), true);
        check(&Value::Tuple(items()), &Value::Seq(vec![eight.clone(), eight.clone()]), false);
        check(&Value::Tuple(items()), &Value::Seq(vec![seven.clone()]), true);
        let text = |text: &str| Value::Str(text.into());
        let owned = |value| of(KnownType::Cow, "Owned", Some(value));
        check(&Value::Ref(Box::new(text("a"))), &owned(text("a")), true);
        check(&Value::Ref(Box::new(text("a"))), &owned(text("b")), false);
        check(&text("a"), &seven, true);
        check(&Value::Seq(vec![seven.clone()]), &Value::Seq(vec![eight]), false);
        check(&Value::Seq(vec![seven.clone()]), &Value::Seq(Vec::new()), false);
        check(&Value::Opaque("one".into()), &Value::Opaque("other".into()), true);
        // What is written through references is of one type.
        let wrote = |value| Outcome::Returned { value: Value::unit(), mutated: vec![(0, value)] };
        assert!(!same_in_both(&other, &wrote(err("bad")), &wrote(err("worse"))));
    }

    #[test]
    fn scalars_are_paired_by_what_they_stand_for() {
        let int = |ty, bits| Value::Int { ty, bits };
        let ok = |value| Value::Adt {
            path: KnownType::Result.path().into(),
            variant: Some("Ok".into()),
            ctor: crate::ir::CtorKind::Tuple,
            fields: vec![("0".into(), value)],
        };
        let pair = |first, second| Value::Tuple(vec![first, second]);
        let text = Value::Str("ab".into());
        let told = |a: &Value, b: &Value| {
            let told =
                Told::by_both(&CommonShapes::default(), a, b).expect("they do not contradict each other");
            (told.pairs, told.silent)
        };
        let (seven, wide) = (int(IntTy::U8, 7), int(IntTy::U32, 7));
        assert_eq!(scalars(&pair(text.clone(), seven.clone())), 3);
        assert_eq!(
            told(&pair(text.clone(), seven.clone()), &ok(pair(text.clone(), wide.clone()))).0,
            [(0, 0), (1, 1), (2, 2)]
        );
        assert_eq!(
            told(&pair(text.clone(), seven.clone()), &pair(Value::Bool(true), wide.clone())),
            (vec![(2, 1)], Silent::Parts)
        );
        assert_eq!(told(&ok(text.clone()), &text).1, Silent::Nothing);
        assert_eq!(Told::by_both(&CommonShapes::default(), &seven, &int(IntTy::U32, 8)), None);
    }

    #[test]
    fn only_what_is_shown_is_borne_out() {
        let outcome = |items: &[Value]| Outcome::Returned {
            value: Value::unit(),
            mutated: vec![(0, Value::Seq(items.to_vec()))],
        };
        let (nothing, seven, eight) =
            (Value::Opaque("uninitialised".into()), Value::Bool(false), Value::Bool(true));
        let said = outcome(&[nothing.clone(), seven.clone()]);
        assert!(bears_out(&said, &outcome(&[eight.clone(), seven.clone()])));
        assert!(!bears_out(&said, &outcome(&[eight.clone(), eight])));
        assert!(!bears_out(&said, &outcome(&[seven, nothing])));
    }
}
