//! What declarations say beside signatures, types and bodies: attributes, ABIs, items within bodies, symbols.
//!
//! Idea: everything that the compiler was given and that no other part of a [`super::Program`] holds is kept as text in one spelling
//! (tokens after `cfg` and macros, without comments and without attributes known to say nothing about meaning). Texts are only ever compared: what is not
//! understood is then another text, and so a change.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::{AdtId, FnId, ImplId, Name, Path};

/// All of it, for one version. What is absent declares nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Declared {
    /// Of functions, constants and statics; also what stands in their bodies and has no body itself.
    pub functions: HashMap<FnId, String>,
    /// Names in types that functions declare in their bodies.
    pub mentions: HashMap<FnId, BTreeSet<Name>>,
    pub adts: HashMap<AdtId, String>,
    /// Without their methods, where these are known.
    pub traits: HashMap<Path, String>,
    /// How each method of a trait is declared, whether it has a body or not; of traits that a program has once.
    #[serde(default)]
    pub methods: HashMap<Path, BTreeMap<Name, String>>,
    pub impls: HashMap<ImplId, String>,
    /// What belongs to no item: attributes of the crate, `global_asm!`.
    pub frames: BTreeMap<Name, Frame>,
    /// Functions and statics of `extern` blocks.
    pub foreign: HashMap<Path, Foreign>,
    /// Functions and statics by the symbol under which foreign code finds them.
    pub exported: BTreeMap<String, BTreeSet<FnId>>,
    /// What runs or is there without being named: the global allocator, statics that the linker gathers.
    pub ambient: BTreeSet<FnId>,
    /// Functions with `#[track_caller]`.
    pub tracked: BTreeSet<FnId>,
    /// Functions that give an `impl Trait`, with the names that may stand for its traits: bodies show of what type it is, callers are not told.
    pub hidden_results: HashMap<FnId, BTreeSet<Name>>,
    /// Names of all functions that are declared `#[track_caller]`, also of those without a body.
    pub told: BTreeSet<Name>,
    /// Types whose `PartialEq`, `PartialOrd` and `Ord` compare their parts in order and do nothing else, as derived ones do.
    pub compared_by_parts: BTreeSet<AdtId>,
    /// Types that leave their layout to the compiler: they are declared without `repr`.
    pub without_repr: BTreeSet<AdtId>,
    /// Types that stand in the bodies of functions and constants: nothing outside of these can name them.
    pub in_bodies: BTreeSet<Path>,
    /// Items of implementations that could not be told, or not for certain, by their last names: what is referred to under such a name and is defined nowhere may be one of them.
    pub unidentified: BTreeMap<Name, BTreeSet<FnId>>,
    /// Types whose `Clone` clones their parts in order and does nothing else.
    pub cloned_by_parts: BTreeSet<AdtId>,
    /// Names of primitive types that something which was read gives to another type, or may give.
    pub primitives_given: BTreeSet<Name>,
}

/// What a crate has apart from its items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame {
    Known(String),
    /// The compiler did not show its declarations: it is the same as no other.
    Unknown,
}

/// A declaration of something defined elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Foreign {
    pub symbol: String,
    pub text: String,
}

impl Frame {
    pub fn is_same(&self, other: &Frame) -> bool {
        match (self, other) {
            (Frame::Known(a), Frame::Known(b)) => a == b,
            (Frame::Unknown, _) | (_, Frame::Unknown) => false,
        }
    }
}
