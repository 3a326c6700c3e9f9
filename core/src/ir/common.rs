//! What values of a type have in common, of which the versions have different definitions.
//!
//! *Idea.* An enum that gained a variant, a struct that gained a field: functions that take or give such a type can still be
//! compared. As inputs both versions have the values whose variant has the same fields in both. Of outputs everything is
//! compared but the fields that one version alone has.
//!
//! *Definition.* Two definitions are comparable if kind and parameters are the same and they have a variant of one name in common.
//! In variants of one name (a struct is one variant) fields of one name and type are in both. If one version has more than these and
//! neither has all fields of the other, that is another *representation*: then private fields do not count, as nobody knows
//! what the same name stands for. Values of such a type are had by the functions that make them in both versions.
//!
//! A result is looked at and not handed on, so it need not be of one type in both versions ([`ResultTypes::Other`]): what is of one kind in both is
//! compared, as `observable::outcomes` says.
//!
//! *Not handled.* What is not comparable has no values in common: functions with such a type among their parameters are not compared.
//! Among these are types all of whose variants were renamed, and structs that became enums.

use std::collections::{BTreeMap, BTreeSet};

use super::{Name, Path};
use crate::value::Value;
use crate::verdict::Version;

/// The types that differ between the versions and are comparable, by their paths.
#[derive(Clone, Debug, Default)]
pub struct CommonShapes {
    types: BTreeMap<Path, CommonShape>,
    /// The types that the versions define otherwise and that are not comparable.
    reshaped: BTreeSet<Path>,
    /// Of structs that differ, the fields by which their values are given in both versions.
    pub completed: BTreeMap<Path, GivenFields>,
    pub results: ResultTypes,
}

/// By what a value of a struct is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GivenFields {
    pub names: Vec<Name>,
    pub others: OtherFields,
}

/// Fields that are not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OtherFields {
    /// There are none: the versions have the same in another order.
    None,
    /// One version alone has them, and `Default` says what they are.
    ByDefault,
}

/// The results of two functions that are held against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultTypes {
    #[default]
    Same,
    /// Their types are not the same, or hold a type with nothing in common.
    Other,
}

/// The variants that both versions have; a struct has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonShape {
    pub variants: Vec<CommonVariant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonVariant {
    /// Where it stands in the definitions.
    pub old: usize,
    pub new: usize,
    /// None for a struct.
    pub name: Option<Name>,
    /// The fields that both have, in the new version's order.
    pub fields: Vec<Name>,
    pub extent: Extent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Both versions have the same fields in the same order: a value of one is a value of the other.
    Whole,
    /// One version has fields that the other has not, or in another order.
    Part,
    /// Each version has what the other has not: the versions represent the same by other fields.
    Otherwise,
}

impl CommonShapes {
    pub fn with_results(self, results: ResultTypes) -> CommonShapes {
        CommonShapes { results, ..self }
    }

    pub fn insert(&mut self, path: Path, shape: CommonShape) {
        self.types.insert(path, shape);
    }

    pub fn insert_reshaped(&mut self, path: Path) {
        self.reshaped.insert(path);
    }

    /// Whether a variant of the type is the same in both versions if it has the same name, and another one if it has not.
    pub fn names_variants_alike(&self, path: &Path) -> bool {
        !self.reshaped.contains(path)
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Whether the versions define any type otherwise, comparable or not.
    pub fn any_defined_otherwise(&self) -> bool {
        !self.types.is_empty() || !self.reshaped.is_empty()
    }

    /// The types that the versions define otherwise.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.types.keys()
    }

    /// What both versions have of the type; none if their definitions are the same or not comparable.
    pub fn of(&self, path: &Path) -> Option<&CommonShape> {
        self.types.get(path)
    }

    /// Whether a value of one version is, written in the same way, a value of the other.
    pub fn has(&self, value: &Value) -> bool {
        let is_common = match value {
            Value::Adt { path, .. } if self.completed.contains_key(path) => true,
            Value::Adt { path, variant, .. } => self.of(path).is_none_or(|shape| {
                shape.variants.iter().any(|common| common.name == *variant && common.extent == Extent::Whole)
            }),
            _ => true,
        };
        is_common && value.parts().into_iter().all(|part| self.has(part))
    }
}

impl GivenFields {
    /// What stands for the others in a value.
    pub fn rest(&self) -> Option<(Name, Value)> {
        let leaves_out = self.others == OtherFields::ByDefault;
        leaves_out.then(|| (Name::new(Value::REST), Value::Opaque(Value::REST.to_owned())))
    }
}

impl CommonShape {
    /// The variant that stands at `index` in this version's definition, if the other version has it.
    pub fn variant_at(&self, version: Version, index: usize) -> Option<&CommonVariant> {
        self.variants.iter().find(|variant| variant.index_in(version) == index)
    }

    /// The variants of which a value is a value of both versions.
    pub fn whole_variants(&self) -> impl Iterator<Item = &CommonVariant> {
        self.variants.iter().filter(|variant| variant.extent == Extent::Whole)
    }
}

impl CommonVariant {
    pub fn index_in(&self, version: Version) -> usize {
        match version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CtorKind;

    fn variant(name: &str, extent: Extent) -> CommonVariant {
        CommonVariant { old: 0, new: 1, name: Some(name.into()), fields: Vec::new(), extent }
    }

    fn value(variant: &str) -> Value {
        let path = Path::new("k::E");
        Value::Adt { path, variant: Some(variant.into()), ctor: CtorKind::Unit, fields: Vec::new() }
    }

    #[test]
    fn values_of_whole_variants_are_common_wherever_they_lie() {
        let mut shapes = CommonShapes::default();
        let variants = vec![variant("Kept", Extent::Whole), variant("Grown", Extent::Part)];
        shapes.insert(Path::new("k::E"), CommonShape { variants });
        let within = |variant| Value::Ref(Box::new(Value::Seq(vec![value(variant)])));
        assert!(shapes.has(&within("Kept")));
        assert!(!shapes.has(&within("Grown")));
        assert!(!shapes.has(&within("Added")));
        assert!(CommonShapes::default().has(&within("Added")), "nothing is known to differ");
    }
}
