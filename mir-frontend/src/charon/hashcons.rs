//! Types and trait references that Charon writes out once and refers to by number afterwards.
//!
//! `{"HashConsedValue": [id, value]}` is the first occurrence in the document, `{"Deduplicated": id}` each later one. Reading
//! is in document order and children come first, so a number is known before it is used. The tables belong to the reading
//! of one document: they are put up for its thread before and taken down after it ([`with_tables`]).
//!
//! Sharing makes small texts of huge types. So the size that a type would have written out is counted, and what is beyond all
//! reason is refused.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::schema::{TraitRefContents, TyKind};
use super::shapes::{Skip, drain};

/// Types that would be larger than this if written out are refused.
const MOST_NODES: u64 = 200_000;
/// Types nested deeper than this are refused.
const DEEPEST: u64 = 200;

/// A value that is written out once in a document.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

#[derive(Default)]
struct Tables {
    types: HashMap<u64, Entry<TyKind>>,
    trait_refs: HashMap<u64, Entry<TraitRefContents>>,
    /// Nodes read so far, repeated ones as often as they occur.
    nodes: u64,
    /// The depth of what was read last, below the value being read.
    depth: u64,
}

struct Entry<T> {
    value: Arc<T>,
    nodes: u64,
    depth: u64,
}

thread_local! {
    static TABLES: RefCell<Option<Tables>> = const { RefCell::new(None) };
}

/// Reads one document with tables of its own.
pub fn with_tables<T>(read: impl FnOnce() -> T) -> T {
    struct TakeDown;
    impl Drop for TakeDown {
        fn drop(&mut self) {
            TABLES.with(|tables| tables.borrow_mut().take());
        }
    }
    TABLES.with(|tables| *tables.borrow_mut() = Some(Tables::default()));
    let _take_down = TakeDown;
    read()
}

fn tables<T, E: Error>(work: impl FnOnce(&mut Tables) -> Result<T, E>) -> Result<T, E> {
    TABLES.with(|tables| match tables.borrow_mut().as_mut() {
        Some(tables) => work(tables),
        None => Err(E::custom("types are read within a document only")),
    })
}

/// What is written out once.
pub trait HashConsed: Sized + 'static {
    const WHAT: &'static str;
    fn enter(tables: &mut Tables_<'_>, id: u64, value: Entry_<Self>);
    fn find(tables: &Tables_<'_>, id: u64) -> Option<(Arc<Self>, u64, u64)>;
}

/// The tables as [`HashConsed`] sees them.
pub struct Tables_<'t>(&'t mut Tables);
/// An entry as [`HashConsed`] sees it.
pub struct Entry_<T>(Entry<T>);

impl HashConsed for TyKind {
    const WHAT: &'static str = "type";
    fn enter(tables: &mut Tables_<'_>, id: u64, value: Entry_<Self>) {
        tables.0.types.insert(id, value.0);
    }
    fn find(tables: &Tables_<'_>, id: u64) -> Option<(Arc<Self>, u64, u64)> {
        tables.0.types.get(&id).map(|entry| (entry.value.clone(), entry.nodes, entry.depth))
    }
}

impl HashConsed for TraitRefContents {
    const WHAT: &'static str = "trait reference";
    fn enter(tables: &mut Tables_<'_>, id: u64, value: Entry_<Self>) {
        tables.0.trait_refs.insert(id, value.0);
    }
    fn find(tables: &Tables_<'_>, id: u64) -> Option<(Arc<Self>, u64, u64)> {
        tables.0.trait_refs.get(&id).map(|entry| (entry.value.clone(), entry.nodes, entry.depth))
    }
}

/// Reads something and measures it: its nodes written out, and its depth.
fn measured<T, E: Error>(read: impl FnOnce() -> Result<T, E>) -> Result<(T, u64, u64), E> {
    let (nodes_before, depth_beside) = tables(|tables| {
        let before = (tables.nodes, tables.depth);
        tables.depth = 0;
        Ok::<_, E>(before)
    })?;
    let value = read()?;
    tables(|tables| {
        tables.nodes = tables.nodes.saturating_add(1);
        let nodes = tables.nodes - nodes_before;
        let depth = tables.depth + 1;
        if nodes > MOST_NODES || depth > DEEPEST {
            return Err(E::custom("a type of unreasonable size"));
        }
        tables.depth = depth.max(depth_beside);
        Ok((value, nodes, depth))
    })
}

/// The pair of number and contents.
struct Numbered<T>(Arc<T>);

impl<'de, T: HashConsed + Deserialize<'de>> Deserialize<'de> for Numbered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair<T>(PhantomData<T>);
        impl<'de, T: HashConsed + Deserialize<'de>> Visitor<'de> for Pair<T> {
            type Value = Numbered<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number and a {}", T::WHAT)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Numbered<T>, A::Error> {
                let id: u64 = seq.next_element()?.ok_or_else(|| A::Error::custom("no number"))?;
                let (value, nodes, depth) = measured(|| {
                    seq.next_element::<T>()?.ok_or_else(|| A::Error::custom("a number without a value"))
                })?;
                drain(&mut seq)?;
                let value = Arc::new(value);
                tables(|tables| {
                    T::enter(&mut Tables_(tables), id, Entry_(Entry { value: value.clone(), nodes, depth }));
                    Ok::<_, A::Error>(())
                })?;
                Ok(Numbered(value))
            }
        }
        deserializer.deserialize_seq(Pair(PhantomData))
    }
}

impl<'de, T: HashConsed + Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Occurrence<T>(PhantomData<T>);
        impl<'de, T: HashConsed + Deserialize<'de>> Visitor<'de> for Occurrence<T> {
            type Value = Shared<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a {}", T::WHAT)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shared<T>, A::Error> {
                let key: String = map.next_key()?.ok_or_else(|| A::Error::custom("an empty object"))?;
                let value = match key.as_str() {
                    "HashConsedValue" => map.next_value::<Numbered<T>>()?.0,
                    "Deduplicated" => {
                        let id: u64 = map.next_value()?;
                        tables(|tables| {
                            let found = T::find(&Tables_(tables), id);
                            let Some((value, nodes, depth)) = found else {
                                return Err(A::Error::custom(format!(
                                    "{} {id} is used before it is written",
                                    T::WHAT
                                )));
                            };
                            tables.nodes = tables.nodes.saturating_add(nodes);
                            tables.depth = tables.depth.max(depth);
                            Ok(value)
                        })?
                    }
                    "Untagged" => Arc::new(measured(|| map.next_value::<T>())?.0),
                    other => {
                        return Err(A::Error::custom(format!("`{other}` where a {} was expected", T::WHAT)));
                    }
                };
                while map.next_key::<String>()?.is_some() {
                    map.next_value::<Skip>()?;
                }
                Ok(Shared(value))
            }
        }
        deserializer.deserialize_map(Occurrence(PhantomData))
    }
}

/// A numbered value in a field that nobody reads: whether it is a type or a trait reference, its first key tells.
pub struct Unread;

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair;
        impl<'de> Visitor<'de> for Pair {
            type Value = Unread;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number and a type or trait reference")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Unread, A::Error> {
                let id: u64 = seq.next_element()?.ok_or_else(|| A::Error::custom("no number"))?;
                let (value, nodes, depth) = measured(|| {
                    seq.next_element::<Either>()?.ok_or_else(|| A::Error::custom("a number without a value"))
                })?;
                drain(&mut seq)?;
                tables(|tables| {
                    let mut tables = Tables_(tables);
                    match value {
                        Either::Type(value) => {
                            let value = Arc::new(*value);
                            TyKind::enter(&mut tables, id, Entry_(Entry { value, nodes, depth }));
                        }
                        Either::TraitRef(value) => {
                            let value = Arc::new(*value);
                            TraitRefContents::enter(&mut tables, id, Entry_(Entry { value, nodes, depth }));
                        }
                    }
                    Ok::<_, A::Error>(Unread)
                })
            }
        }
        deserializer.deserialize_seq(Pair)
    }
}

enum Either {
    Type(Box<TyKind>),
    TraitRef(Box<TraitRefContents>),
}

impl<'de> Deserialize<'de> for Either {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByKey;
        impl<'de> Visitor<'de> for ByKey {
            type Value = Either;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type or a trait reference")
            }
            fn visit_str<E: Error>(self, tag: &str) -> Result<Either, E> {
                Ok(Either::Type(Box::new(TyKind::from_name(tag))))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Either, A::Error> {
                let key: String = map.next_key()?.ok_or_else(|| A::Error::custom("an empty object"))?;
                if matches!(key.as_str(), "kind" | "trait_decl_ref") {
                    let contents = TraitRefContents::from_entries(Some(key), &mut map)?;
                    return Ok(Either::TraitRef(Box::new(contents)));
                }
                let kind = TyKind::from_entry(&key, &mut map)?;
                while map.next_key::<String>()?.is_some() {
                    map.next_value::<Skip>()?;
                }
                Ok(Either::Type(Box::new(kind)))
            }
        }
        deserializer.deserialize_any(ByKey)
    }
}
