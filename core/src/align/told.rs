//! Whether code may ask for what is not told of values: which NaN a float is, or of which sign; where values lie.
//!
//! *Idea.* Rust leaves open which NaN an operation gives. Two runs whose floats are the same but for that go on alike as long as nobody asks; so whatever
//! was shown for one NaN alone ([`Floats::UpToNan`]) holds of a function that reaches nothing that does. In the same way two runs go on alike that hand over references to equal
//! values ([`Addresses::Untold`]), as long as nobody asks where these lie.
//!
//! *Definition.* Code asks for an address if it reads memory as another type, makes a number of a pointer, compares pointers, or is not known: bodies that nobody has
//! read, foreign code, and what a caller gives. It asks which NaN it is if it does that, or names a method that shows the bits or the sign of a float.

use fixedbitset::FixedBitSet;

use super::congruence::asks_for_memory;
use super::outside::names_library_only;
use super::reach::Reach;
use crate::idx::Idx;
use crate::ir::*;
use crate::observable::given::{self, Given};
use crate::observable::looks::{self, Sees};

/// When two floats are the same. Rust leaves open which NaN an operation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Floats {
    /// When they are computed by the same operations on the same operands in the same order: to the bit.
    ToTheBit,
    /// When they are the same number, or both are a NaN. What is aligned so does the same as far as nobody asks which NaN it is, or of which sign
    /// ([`super::Alignment::hold_jointly`]).
    UpToNan,
}

/// Whether two effects that follow each other may be handed references to equal values of which it is not known whether they are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Addresses {
    #[default]
    Told,
    Untold,
}

/// What two functions that take the same steps are the same up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpTo {
    pub floats: Floats,
    pub addresses: Addresses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    WhichNan,
    Addresses,
}

/// Methods of `f32` and `f64` that show bits, or a sign that a NaN has too.
const ASKING: &[&str] = &[
    "copysign",
    "is_negative",
    "is_positive",
    "is_sign_negative",
    "is_sign_positive",
    "to_be_bytes",
    "to_bits",
    "to_le_bytes",
    "to_ne_bytes",
    "total_cmp",
];

/// Whether a function, which reaches these, may ask.
pub(super) fn asks(
    what: Asked,
    program: &Program,
    (reach, id): (&Reach<'_, '_>, FnId),
    reached: &FixedBitSet,
) -> bool {
    let functions = || reached.ones().map(FnId::from_usize);
    let is_hidden = |id: FnId| {
        let function = &program.functions[id];
        !matches!(function.body, FnBody::Present(_)) && function.origin != Origin::StdModel
    };
    let is_code = |id: &FnId| program.functions[*id].origin != Origin::StdModel;
    let is_asking =
        |path: &Path| what == Asked::WhichNan && names_asking(path) || asks_for_memory(program, path);
    given::to_function(program, id) == Given::Code
        || functions().any(is_hidden)
        || !reach.undefined(&[id]).iter().all(|path| names_library_only(path))
        || functions().filter(is_code).any(|id| {
            looks::body(program, &program.functions[id]) == Sees::Memory
                || reach.named_by(id).into_iter().any(is_asking)
        })
}

fn names_asking(path: &Path) -> bool {
    let text = path.as_str();
    let last = text.rsplit("::").next().unwrap_or_default();
    ASKING.contains(&last) && !is_of_integers(text)
}

/// Integers have methods of these names too.
fn is_of_integers(path: &str) -> bool {
    path.rsplit_once("::").is_some_and(|(owner, _)| IntTy::from_name(owner).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_floats_are_asked_for_by_name() {
        for path in
            ["f64::to_bits", "f64::is_negative", "f32::copysign", "f64::total_cmp", "std::f64::to_le_bytes"]
        {
            assert!(names_asking(&Path::new(path)), "{path}");
        }
        for path in ["u32::to_le_bytes", "f64::sqrt", "f64::from_bits", "f64::is_nan"] {
            assert!(!names_asking(&Path::new(path)), "{path}");
        }
    }
}
