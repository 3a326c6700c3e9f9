//! Constants of a crate's sources that are worth trying as inputs.
//!
//! Those of a function's body and of what it names decide what it does ([`Literals`]). What tests, examples, documentation and callers pass to it
//! is what its authors had in mind: it is tried as it stands, call by call ([`written`]).

pub mod shape;
mod written;

use std::collections::BTreeSet;

pub use written::{Row, Samples, Scalar, Written, text_of};

/// Constants in a function's body and what it mentions, and what is passed to it.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    pub ints: BTreeSet<u128>,
    /// The bits of floats of 64 bits.
    pub floats: BTreeSet<u64>,
    pub texts: BTreeSet<String>,
    /// What stands together in the sources, tests and documentation: each is an input of its own.
    pub written: Written,
    /// Those that one version alone has: what a change is about.
    pub changed: Changed,
}

/// Constants of changed statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub ints: BTreeSet<u128>,
    pub floats: BTreeSet<u64>,
    pub texts: BTreeSet<String>,
}

impl Literals {
    /// Those of two versions.
    pub fn of_both(old: &Literals, new: &Literals) -> Literals {
        let changed = Changed {
            ints: old.ints.symmetric_difference(&new.ints).copied().collect(),
            floats: old.floats.symmetric_difference(&new.floats).copied().collect(),
            texts: old.texts.symmetric_difference(&new.texts).cloned().collect(),
        };
        let mut both =
            Literals { changed, written: Written::of_both(&old.written, &new.written), ..old.clone() };
        both.add_of_body(new);
        both
    }

    /// Adds those of a function that changed, to which another may lead.
    pub fn add_of_changed(&mut self, changed: &Literals) {
        self.add_of_body(changed);
        self.changed.ints.extend(&changed.changed.ints);
        self.changed.floats.extend(&changed.changed.floats);
        self.changed.texts.extend(changed.changed.texts.iter().cloned());
    }

    /// Adds all that is not about changes.
    pub fn add(&mut self, other: &Literals) {
        self.add_of_body(other);
        self.written.add(&other.written);
    }

    fn add_of_body(&mut self, other: &Literals) {
        self.ints.extend(&other.ints);
        self.floats.extend(&other.floats);
        self.texts.extend(other.texts.iter().cloned());
    }
}
