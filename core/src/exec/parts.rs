//! Types of the standard library with private fields that a public call builds from numbers: `Duration::new(1, 5)`.
//!
//! The table of what is observable says what numbers these are and within which limits they lie. Inputs are variables with these limits, whatever
//! the model of the type calls its fields by these names; native runs make the same values by the call (the harness's `made.rs`).

use crate::ir::known::shown::Part;
use crate::value::Value;

fn allows(part: &Part, value: &Value) -> bool {
    matches!(value, Value::Int { ty, bits } if *ty == part.int && *bits <= part.last)
}

/// Whether the fields of a value are what the type can be made of.
pub fn allow(parts: &[Part], fields: &[(crate::ir::Name, Value)]) -> bool {
    parts.len() == fields.len()
        && parts
            .iter()
            .all(|part| fields.iter().any(|(name, value)| name.as_str() == part.field && allows(part, value)))
}
