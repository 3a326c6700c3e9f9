//! Why functions are not executed, symbolically or natively. The words are made where reports are.
//!
//! Strings are rendered types, names of items, and what compilers, harnesses and panics say.

use serde::{Deserialize, Serialize};

use super::unsupported::Unsupported;
use super::{LoopOf, Version};

/// Why a function has no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotAnalysed {
    SignatureChanged(Signatures),
    InOneVersionOnly,
    Refused(Refused),
    /// No run came to an end that could be compared.
    Stopped(StoppedBy),
    /// It tells panics from returns, which native runs see and this build does not.
    LooksAtPanics,
    /// The time for the whole run, of so many seconds, was over before its turn.
    OutOfTime {
        seconds: u64,
    },
    /// The engine panicked with these words.
    InternalError {
        panic: String,
    },
}

/// What a function takes and gives in each version, as `(u8) -> bool`; the same text in both if the definition of a type in it is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signatures {
    pub old: String,
    pub new: String,
}

/// Why a symbolic search did not begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    NoBody,
    /// The front end could not read the line of the dump.
    Unreadable {
        line: Option<u32>,
        said: String,
    },
    Generic(OpenGenerics),
    /// Whether it may be called with these types is not known, as it was not run with them.
    Uncalled {
        types: String,
        why: NotRun,
    },
    Input(InputError),
    /// The types of the parameters are not the same in both versions.
    ParametersDiffer,
}

/// Why nothing was chosen for generic parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenGenerics {
    /// The versions have other parameters.
    Differ,
    Unchosen {
        parameter: String,
    },
    NothingFits,
    /// With nothing that was tried for the parameter all of these bounds are met.
    NothingMeets {
        parameter: String,
        bounds: Vec<String>,
    },
    /// No type that was tried for the parameter has all of these traits.
    NothingHas {
        parameter: String,
        traits: Vec<String>,
    },
}

/// Why no argument of a type can be built.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputError {
    Type(String),
    /// It differs between the versions.
    Mismatch(String),
    /// It has other fields in each version, and nothing in both makes one.
    OtherFields(String),
    /// It has more parts than are built.
    TooLarge {
        parts: u64,
    },
}

/// What ended the first run of those that all ended early.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    OpaqueCall {
        callee: String,
    },
    RestrictedModel {
        on: String,
    },
    Unsupported(Unsupported),
    StepBudget {
        limit: u64,
    },
    LoopBound {
        location: String,
        #[serde(default)]
        of: LoopOf,
        limit: u64,
    },
    CallDepth {
        function: String,
        limit: u64,
    },
    TimeBudget {
        seconds: u64,
    },
}

/// Why a function, or one call of it, was not run natively.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRun {
    /// Two files of Charon's are compared.
    NoSources,
    /// Its place in the sources is not known.
    NoPlace,
    /// What it gives may hang on where the crate lies, and harnesses lie elsewhere.
    PlaceSeen,
    /// A call that was found, and not tried.
    NotTried,
    /// The call was run and shows nothing; only the contents of `MaybeUninit` differ.
    OnlyContents,
    /// The call was run, and a part of its outcome cannot be shown: what differs may lie there.
    PartHidden,
    /// The versions differ on the call, but only as each makes its inputs otherwise.
    MadeOtherwise,
    /// In the words of the harness, of the compiler that refused it, or of the process that ran.
    Said(String),
}

/// What both versions were read or built without, though one of them has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherBuild {
    /// A panic ends the process in this version only.
    PanicEnds { only: Version },
    /// The toolchain file of the version asks for another release than the one both are compiled by.
    Toolchain { of: Version, asked: String, used: String },
    /// The versions name, in cargo's configuration, different programs in the place of the compiler or around it.
    Compiler { setting: String },
    /// The global allocator changed, of which no model of the standard library knows.
    Allocator,
    /// The types of the crate are known as rustdoc sees them, and it asks whether it is documented.
    AsksForDoc { crate_name: String },
    /// The crate has the name of a crate of the standard library, or of a primitive type, and what it defines cannot be told from what is there.
    NamedLikeLibrary { crate_name: String },
    /// The toolchain that the version asks for cannot be had; rustup says why.
    NoToolchain { of: Version, said: String, used: String },
}
