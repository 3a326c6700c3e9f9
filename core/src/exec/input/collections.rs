//! Sets, maps and deques as inputs: a sequence, and what holds of the keys in it.
//!
//! *Idea.* The models of these types keep their items in a list: trees in the order of the keys, tables in the order of insertion, which nothing may show. So a value of one is a
//! sequence of which the keys ascend, or differ from each other.
//!
//! *Limits.* Keys are numbers, truth values, characters and texts, whose order is the compiler's and the library's. A table with a hasher of its own is not built.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{At, Builder, Elements, Unbuilt, unbuilt};
use crate::exec::tree::Tree;
use crate::ir::{GenericArg, KnownType, Signedness, Ty, TyKind};
use crate::term::{TermId, to_signed};
use crate::value::Value;

/// A collection that holds its items in a list.
pub(super) struct Collection {
    pub(super) item: Ty,
    keys: Keys,
}

/// What holds of the keys of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// There are none.
    None,
    Ascend(Key),
    Differ(Key),
}

/// Which part of an item is its key, and of what kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    place: Place,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Item,
    FirstOfPair,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Number(Signedness),
    Text,
}

/// What the type is a collection of; none if it is none, or one of keys of another kind.
pub(super) fn collection(ty: &Ty) -> Option<Collection> {
    let TyKind::Adt(path, args) = ty.kind() else { return None };
    let arg = |index: usize| match args.get(index) {
        Some(GenericArg::Ty(ty)) => Some(ty.clone()),
        _ => None,
    };
    let pair = || Some(Ty::new(TyKind::Tuple(vec![arg(0)?, arg(1)?])));
    let key = |place| Some(Key { place, kind: kind_of(&arg(0)?)? });
    let (item, keys, own_args) = match path.known_type()? {
        KnownType::VecDeque => (arg(0)?, Keys::None, 1),
        KnownType::BTreeSet => (arg(0)?, Keys::Ascend(key(Place::Item)?), 1),
        KnownType::BTreeMap => (pair()?, Keys::Ascend(key(Place::FirstOfPair)?), 2),
        KnownType::HashSet => (arg(0)?, Keys::Differ(key(Place::Item)?), 1),
        KnownType::HashMap => (pair()?, Keys::Differ(key(Place::FirstOfPair)?), 2),
        _ => return None,
    };
    let is_plain = args.iter().skip(own_args).all(is_default);
    is_plain.then_some(Collection { item, keys })
}

/// Whether the hasher or the allocator is the one that the library takes.
fn is_default(arg: &GenericArg) -> bool {
    let GenericArg::Ty(ty) = arg else { return false };
    let name = match ty.kind() {
        TyKind::Adt(path, _) if path.is_of_std() => path.as_str().rsplit("::").next(),
        _ => None,
    };
    matches!(name, Some("RandomState" | "Global"))
}

fn kind_of(ty: &Ty) -> Option<Kind> {
    match ty.kind() {
        TyKind::Bool => Some(Kind::Bool),
        TyKind::Char => Some(Kind::Number(Signedness::Unsigned)),
        TyKind::Int(int) => Some(Kind::Number(int.signedness())),
        TyKind::Str => Some(Kind::Text),
        TyKind::Ref(_, pointee) => kind_of(pointee),
        TyKind::Adt(path, _) if path == KnownType::String => Some(Kind::Text),
        _ => None,
    }
}

impl Collection {
    /// The items as a value of the collection keeps them, of those that it is given in some order; none where two have one key.
    pub(super) fn in_order(&self, items: &[Value]) -> Option<Vec<Value>> {
        let mut items = items.to_vec();
        let (Keys::Ascend(key) | Keys::Differ(key)) = self.keys else { return Some(items) };
        let mut keys: Vec<&Value> = items.iter().map(|item| key.of(item)).collect::<Option<_>>()?;
        keys.sort_by(|a, b| order(a, b));
        if keys.windows(2).any(|pair| order(pair[0], pair[1]) == Ordering::Equal) {
            return None;
        }
        if let Keys::Ascend(_) = self.keys {
            let of = |item: &Value| key.of(item).cloned();
            items.sort_by(|a, b| of(a).zip(of(b)).map_or(Ordering::Equal, |(a, b)| order(&a, &b)));
        }
        Some(items)
    }
}

impl Key {
    fn of(self, item: &Value) -> Option<&Value> {
        match (self.place, item) {
            (Place::Item, item) => Some(item),
            (Place::FirstOfPair, Value::Tuple(pair)) => pair.first(),
            (Place::FirstOfPair, _) => None,
        }
    }

    /// What the key of an item is called.
    fn name(self, item: &str) -> String {
        match self.place {
            Place::Item => item.to_owned(),
            Place::FirstOfPair => format!("{item}.0"),
        }
    }
}

/// As `Ord` of the keys' type has it.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Char(a), Value::Char(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Int { ty, bits: a }, Value::Int { bits: b, .. }) => match ty.signedness() {
            Signedness::Signed => {
                let signed = |bits| to_signed(bits, ty.bits() as u16);
                signed(*a).cmp(&signed(*b))
            }
            Signedness::Unsigned => a.cmp(b),
        },
        (Value::Ref(a), b) => order(a, b),
        (a, Value::Ref(b)) => order(a, b),
        // Of one type they are of one kind.
        _ => Ordering::Equal,
    }
}

impl Builder<'_, '_, '_, '_> {
    pub(super) fn collection(&mut self, ty: &Ty, of: &Collection, at: At<'_>) -> Result<Tree, Unbuilt> {
        let TyKind::Adt(path, _) = ty.kind() else { return Err(unbuilt(ty)) };
        let adt = self.program().nameable_adt(path).ok_or_else(|| unbuilt(ty))?;
        // The models of another toolchain's library might be made of other fields.
        let [variant] = adt.variants.as_slice() else { return Err(unbuilt(ty)) };
        if variant.fields.len() != 1 {
            return Err(unbuilt(ty));
        }
        let is_known = self.space.term(&format!("{}.len", at.name)).is_some();
        let below = At { depth: at.depth + 1, ..at };
        let (items, len) =
            self.within(ty, |builder| builder.sequence(&Elements::Any(of.item.clone()), below))?;
        if !is_known && let (Tree::Seq { elems, .. }, Some(len)) = (&items, len.term) {
            self.constrain_keys(of.keys, at.name, elems.len(), len).ok_or_else(|| unbuilt(ty))?;
        }
        Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(vec![items]) })
    }

    /// Says of the first `len` of so many items what holds of their keys.
    fn constrain_keys(&mut self, keys: Keys, name: &str, count: usize, len: TermId) -> Option<()> {
        let key_name = |key: Key, index: usize| key.name(&format!("{name}[{index}]"));
        for second in 1..count {
            let holds: Vec<TermId> = match keys {
                Keys::None => break,
                Keys::Ascend(key) => {
                    let (a, b) = (key_name(key, second - 1), key_name(key, second));
                    vec![self.is_less(key.kind, &a, &b)?]
                }
                Keys::Differ(key) => {
                    let other = key_name(key, second);
                    let equal = |first| self.is_equal(key.kind, &key_name(key, first), &other);
                    let equal: Vec<TermId> = (0..second).map(equal).collect::<Option<_>>()?;
                    equal.into_iter().map(|equal| self.machine.run.pool.not(equal)).collect()
                }
            };
            let pool = &mut *self.machine.run.pool;
            let index = pool.bv_const(second as u128, 64);
            let is_there = pool.ult(index, len);
            let holds = pool.and_all(&holds);
            let constraint = pool.implies(is_there, holds);
            self.space.constraints.push(constraint);
        }
        Some(())
    }

    /// That the key of the one name comes before that of the other.
    fn is_less(&mut self, kind: Kind, a: &str, b: &str) -> Option<TermId> {
        if kind == Kind::Text {
            return self.is_text_less(a, b);
        }
        let (a, b) = (self.space.term(a)?, self.space.term(b)?);
        let pool = &mut *self.machine.run.pool;
        Some(match kind {
            Kind::Bool => {
                let not_a = pool.not(a);
                pool.and(not_a, b)
            }
            Kind::Number(Signedness::Signed) => pool.slt(a, b),
            Kind::Number(Signedness::Unsigned) | Kind::Text => pool.ult(a, b),
        })
    }

    /// From the last byte to the first: the texts are the same until one ends, or has the smaller byte.
    fn is_text_less(&mut self, a: &str, b: &str) -> Option<TermId> {
        let texts = self.texts(a, b)?;
        let pool = &mut *self.machine.run.pool;
        let mut less = pool.bool_const(false);
        for (index, (x, y)) in texts.bytes.iter().enumerate().rev() {
            let index = pool.bv_const(index as u128, 64);
            let (a_ends, b_goes_on) = (pool.ule(texts.a_len, index), pool.ult(index, texts.b_len));
            let (is_smaller, is_same) = (pool.ult(*x, *y), pool.eq(*x, *y));
            let later = pool.and(is_same, less);
            let decided = pool.or_all(&[a_ends, is_smaller, later]);
            less = pool.and(b_goes_on, decided);
        }
        Some(less)
    }

    fn is_equal(&mut self, kind: Kind, a: &str, b: &str) -> Option<TermId> {
        if kind != Kind::Text {
            let (a, b) = (self.space.term(a)?, self.space.term(b)?);
            return Some(self.machine.run.pool.eq(a, b));
        }
        let texts = self.texts(a, b)?;
        let pool = &mut *self.machine.run.pool;
        let mut equal = pool.eq(texts.a_len, texts.b_len);
        for (index, (x, y)) in texts.bytes.iter().enumerate() {
            let index = pool.bv_const(index as u128, 64);
            let (is_over, is_same) = (pool.ule(texts.a_len, index), pool.eq(*x, *y));
            let holds = pool.or(is_over, is_same);
            equal = pool.and(equal, holds);
        }
        Some(equal)
    }

    fn texts(&self, a: &str, b: &str) -> Option<Texts> {
        let byte = |name: &str, index| self.space.term(&format!("{name}[{index}]"));
        let bytes = |index| Some((byte(a, index)?, byte(b, index)?));
        Some(Texts {
            a_len: self.space.term(&format!("{a}.len"))?,
            b_len: self.space.term(&format!("{b}.len"))?,
            bytes: (0..self.space.bounds.max_len).map(bytes).collect::<Option<_>>()?,
        })
    }
}

/// Two texts: their lengths, and the bytes that both have room for.
struct Texts {
    a_len: TermId,
    b_len: TermId,
    bytes: Vec<(TermId, TermId)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::Idx;
    use crate::ir::{FnId, IntTy, parse};

    fn of(ty: &str) -> Option<Collection> {
        let text =
            format!("fn k::f<T>(_1: {ty}) -> () {{ bb0: {{ return; }} }} struct k::Hasher {{ x: u8 }}");
        let program = parse::program(&text).expect("items in the textual form");
        collection(&program.functions[FnId::from_usize(0)].inputs[0])
    }

    fn int(ty: IntTy, value: i128) -> Value {
        Value::Int { ty, bits: value as u128 & ((1 << ty.bits()) - 1) }
    }

    #[test]
    fn keys_are_of_kinds_whose_order_is_known() {
        let check = |ty: &str, expected: bool| assert_eq!(of(ty).is_some(), expected, "{ty}");
        check("std::collections::VecDeque<f64>", true);
        check("std::collections::BTreeSet<i16>", true);
        check("std::collections::BTreeSet<f64>", false);
        check("std::collections::BTreeSet<(u8, u8)>", false);
        check("std::collections::BTreeMap<std::string::String, f64>", true);
        check("std::collections::HashMap<&str, u8>", true);
        check("std::collections::HashMap<u8, u8, std::hash::RandomState>", true);
        check("std::collections::HashMap<u8, u8, k::Hasher>", false);
        check("std::collections::HashSet<T>", false);
        check("std::vec::Vec<u8>", false);
    }

    #[test]
    fn given_items_stand_as_the_collection_keeps_them() {
        let numbers = |values: &[i128]| values.iter().map(|value| int(IntTy::I8, *value)).collect::<Vec<_>>();
        let check = |ty: &str, given: &[i128], kept: Option<&[i128]>| {
            let found = of(ty).expect("a collection").in_order(&numbers(given));
            assert_eq!(found, kept.map(numbers), "{ty} {given:?}");
        };
        check("std::collections::BTreeSet<i8>", &[3, -1, 0], Some(&[-1, 0, 3]));
        check("std::collections::BTreeSet<i8>", &[3, -1, 3], None);
        check("std::collections::HashSet<i8>", &[3, -1], Some(&[3, -1]));
        check("std::collections::HashSet<i8>", &[3, 3], None);
        check("std::collections::VecDeque<i8>", &[3, 3], Some(&[3, 3]));
    }

    #[test]
    fn entries_are_ordered_by_their_first_parts() {
        let entry = |key: &str, value| Value::Tuple(vec![Value::Str(key.into()), int(IntTy::U8, value)]);
        let map = of("std::collections::BTreeMap<std::string::String, u8>").expect("a collection");
        let given = [entry("b", 1), entry("ab", 3), entry("a", 2)];
        let kept = vec![entry("a", 2), entry("ab", 3), entry("b", 1)];
        assert_eq!(map.in_order(&given), Some(kept));
        assert_eq!(map.in_order(&[entry("a", 1), entry("a", 2)]), None);
    }
}
