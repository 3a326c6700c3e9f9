//! What implementations of the standard library call, where no model says it.
//!
//! *Idea.* A parameter may stand for any type of the library, and not all of these are modelled. By which traits their implementations call what they hold is told by
//! the library's documentation: an implementation can call nothing but its bounds. So the tables here go by trait: by what any type of the library may call if it is called by
//! that trait (`PartialEq` of a `HashMap` hashes, that of a `Pin` dereferences).
//!
//! *Limits.* Destructors are not among them: what `BufWriter` or `PeekMut` do when they are dropped counts where the type is named.

use crate::ir::{KnownTrait, Path, TraitRef, TyKind};

/// Types of the library that are not defined in the program, whose values run nothing by being there but `Drop` of what they hold. What is done with them is called by its name; and where
/// a trait is called on a parameter or an object that such a value stands for, they call the same trait of what they hold, as references, slices and tuples do.
pub(super) const FORWARDING: &[&str] = &[
    "std::boxed::Box",
    "std::cell::UnsafeCell",
    "std::marker::PhantomData",
    "std::mem::ManuallyDrop",
    "std::mem::MaybeUninit",
    "std::ptr::NonNull",
    "std::vec::Vec",
];

/// Types behind which stands whatever has `Wake`.
pub(super) const WAKERS: &[&str] = &["std::task::Context", "std::task::Waker"];

/// What types of the library call on arguments that their models do not have: `S` of `HashMap<K, V, S>`.
pub(super) const OF_HIDDEN_ARGUMENTS: Traits =
    &[called(&["std::clone::Clone", "std::default::Default", "std::hash::BuildHasher", "std::hash::Hasher"])];

/// Whether a call of the trait runs nothing, whatever the type holds: it gives a reference to what a type of the library holds, which no other crate can have implemented
/// otherwise.
pub(super) fn runs_nothing(trait_ref: &TraitRef) -> bool {
    match (trait_ref.path.known_trait(), trait_ref.self_ty.kind()) {
        (Some(KnownTrait::Deref | KnownTrait::DerefMut), TyKind::Adt(path, _)) => {
            FORWARDING.contains(&path.as_str())
        }
        _ => false,
    }
}

/// The call that one of a trait stands for: where a slice is cloned (`Rc::make_mut`), its items are.
pub(super) fn on_items(trait_ref: &TraitRef) -> Option<TraitRef> {
    match (trait_ref.path.known_trait(), trait_ref.self_ty.kind()) {
        (Some(KnownTrait::Clone), TyKind::Slice(item)) => {
            Some(TraitRef { self_ty: item.clone(), ..trait_ref.clone() })
        }
        _ => None,
    }
}

/// A trait that a bound asks for beside the one that is called, with a method that each implementation has to define, so that one is seen wherever there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    pub path: &'static str,
    pub method: &'static str,
}

const HASH: Bound = Bound { path: "std::hash::Hash", method: "hash" };
const ORD: Bound = Bound { path: "std::cmp::Ord", method: "cmp" };
const PARTIAL_ORD: Bound = Bound { path: "std::cmp::PartialOrd", method: "partial_cmp" };

/// Paths of traits that may be called, and of which types: those that have what the bound says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    pub paths: &'static [&'static str],
    pub on: Option<Bound>,
}

const fn called(paths: &'static [&'static str]) -> Called {
    Called { paths, on: None }
}

pub(super) type Traits = &'static [Called];

/// What finds an element by its hash: of elements, and of what is looked up and hashes.
const KEYS: Called =
    Called { paths: &["std::cmp::Eq", "std::cmp::PartialEq", "std::hash::Hash"], on: Some(HASH) };
const LOOKING_UP: Called = called(&["std::borrow::Borrow", "std::hash::BuildHasher", "std::hash::Hasher"]);
const ORDER: Called = Called { paths: &["std::cmp::Ord", "std::cmp::PartialOrd"], on: Some(ORD) };
const ITERATION: Called = called(&[
    "std::iter::DoubleEndedIterator",
    "std::iter::ExactSizeIterator",
    "std::iter::IntoIterator",
    "std::iter::Iterator",
]);
const READING: Called = called(&["std::io::BufRead", "std::io::Read"]);
const BORROWING: Called = called(&["std::borrow::Borrow", "std::borrow::ToOwned"]);

/// What an iterator that is given away may be asked, and what collections of the library ask of its items. Other collections are their caller's.
const OF_ITERATORS: Traits = &[
    KEYS,
    LOOKING_UP,
    ORDER,
    ITERATION,
    BORROWING,
    called(&[
        "std::clone::Clone",
        "std::convert::AsRef",
        "std::default::Default",
        "std::iter::Extend",
        "std::ops::Deref",
    ]),
];

/// The traits that implementations of a trait of the library may call on the parameters of its methods, where its bounds on these are known: `Hash::hash<H: Hasher>`,
/// `FromIterator::from_iter<I: IntoIterator>` and the like.
pub(super) fn called_on_parameters(path: &Path) -> Option<Traits> {
    match path.known_trait()? {
        KnownTrait::Hash => Some(const { &[called(&["std::hash::Hasher"])] }),
        KnownTrait::FromIterator | KnownTrait::Extend | KnownTrait::Sum | KnownTrait::Product => {
            Some(OF_ITERATORS)
        }
        _ => None,
    }
}

/// What sets and maps ask of what they hold.
const OF_COLLECTIONS: Traits =
    &[KEYS, LOOKING_UP, ORDER, called(&["std::clone::Clone", "std::default::Default"])];

/// The other traits by which implementations of a comparison by types of the library compare what these hold. Who has an order has an equality as well, so of types without one
/// none is called; and who asks whether values are equal asks for no order.
pub(super) fn compared_by(path: &Path) -> Traits {
    const EQUALITY: &[&str] = &["std::cmp::Eq", "std::cmp::PartialEq"];
    const ALL: &[&str] = &["std::cmp::Eq", "std::cmp::Ord", "std::cmp::PartialEq", "std::cmp::PartialOrd"];
    match path.as_str() {
        "std::cmp::PartialEq" | "std::cmp::Eq" => const { &[called(EQUALITY)] },
        "std::cmp::PartialOrd" => const { &[Called { paths: ALL, on: Some(PARTIAL_ORD) }] },
        "std::cmp::Ord" => const { &[Called { paths: ALL, on: Some(ORD) }] },
        _ => &[],
    }
}

pub(super) fn is_order(path: &Path) -> bool {
    *path == KnownTrait::PartialOrd || *path == KnownTrait::Ord
}

/// The traits that implementations of a trait by types of the library may call on what these hold, beside the trait itself.
pub(super) fn called_by_implementations(path: &Path) -> Traits {
    let Some(name) = path.as_str().strip_prefix("std::") else { return &[] };
    match name {
        // Maps and sets; `Pin` and `Cow` give what they stand for.
        "cmp::PartialEq" | "cmp::Eq" => const { &[KEYS, LOOKING_UP, called(&["std::ops::Deref"])] },
        "cmp::PartialOrd" | "cmp::Ord" | "hash::Hash" => {
            const { &[called(&["std::borrow::Borrow", "std::ops::Deref"])] }
        }
        // `BuildHasherDefault`.
        "hash::BuildHasher" => const { &[called(&["std::default::Default", "std::hash::Hasher"])] },
        // What two sets have in common is looked for where it is shown. The iterators that are then run are the library's own.
        "fmt::Debug" | "ops::Index" | "ops::IndexMut" => OF_COLLECTIONS,
        "ops::BitAnd" | "ops::BitOr" | "ops::BitXor" | "ops::Sub" => OF_COLLECTIONS,
        "iter::Extend" | "iter::FromIterator" => {
            const { &[KEYS, LOOKING_UP, ORDER, ITERATION, called(&["std::clone::Clone", "std::default::Default"])] }
        }
        // `Cow`.
        "clone::Clone" | "convert::AsRef" | "fmt::Display" | "ops::Deref" => &[BORROWING],
        // Adaptors, sets, and what is read line by line.
        "iter::Iterator" | "iter::DoubleEndedIterator" | "iter::ExactSizeIterator" | "iter::IntoIterator" => {
            const { &[KEYS, LOOKING_UP, ORDER, ITERATION, READING, called(&["std::clone::Clone"])] }
        }
        "io::BufRead" | "io::Read" | "io::Seek" | "io::Write" => {
            const { &[READING, called(&["std::convert::AsMut", "std::convert::AsRef", "std::io::Write"])] }
        }
        "future::Future" | "future::IntoFuture" => {
            const { &[called(&["std::future::Future", "std::ops::Deref", "std::ops::DerefMut"])] }
        }
        // `Result<T, E>`.
        "process::Termination" => const { &[called(&["std::fmt::Debug"])] },
        "string::ToString" => const { &[called(&["std::fmt::Display"])] },
        _ => &[],
    }
}
