//! Types of the standard library with private fields that a public call builds from numbers: `Duration::new(1, 5)`.
//!
//! One table says what numbers these are and within which limits they lie. Inputs are variables with these limits, whatever
//! the model of the type calls its fields by these names; native runs make the same values by the call (the
//! harness's `made.rs` has the other half of the table).

use crate::ir::IntTy;
use crate::value::Value;

/// One number that a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The field of the model's struct.
    pub field: &'static str,
    pub int: IntTy,
    /// The largest one, as bits of an unsigned number.
    pub last: u128,
}

impl Part {
    const fn any(field: &'static str, int: IntTy) -> Part {
        Part { field, int, last: u128::MAX }
    }

    /// Whether every number of its type will do.
    pub fn is_free(&self) -> bool {
        self.last == u128::MAX
    }

    fn allows(&self, value: &Value) -> bool {
        matches!(value, Value::Int { ty, bits } if *ty == self.int && *bits <= self.last)
    }
}

const NANOS: Part = Part { field: "nanos", int: IntTy::U32, last: 999_999_999 };

const PARTS: &[(&str, &[Part])] = &[
    ("std::time::Duration", &[Part::any("secs", IntTy::U64), NANOS]),
    ("std::time::SystemTime", &[Part::any("secs", IntTy::I64), NANOS]),
];

pub fn parts_of(path: &str) -> Option<&'static [Part]> {
    PARTS.iter().find(|(of, _)| *of == path).map(|(_, parts)| *parts)
}

/// Whether the fields of a value are what the type can be made of.
pub fn allow(parts: &[Part], fields: &[(crate::ir::Name, Value)]) -> bool {
    parts.len() == fields.len()
        && parts
            .iter()
            .all(|part| fields.iter().any(|(name, value)| name.as_str() == part.field && part.allows(value)))
}
