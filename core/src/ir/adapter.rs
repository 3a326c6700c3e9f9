//! Functions that call another one as a caller of the other version calls it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Const, FnId, FnRef, GenericArgs, Mutability, Name, Ty};

/// What a function of [`super::FunctionKind::Adapter`] calls, and how it comes by the arguments. It has the path, the place and the visibility of what it
/// calls, and the parameters that this has in the other version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adapter {
    pub kind: AdapterKind,
    pub function: FnId,
    /// The function's own generic arguments, in terms of the adapter's parameters; before them those of its implementation, where that is for more types.
    pub args: GenericArgs,
    /// What the function is handed, in its order.
    pub arguments: Vec<Argument>,
}

/// Why there is an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdapterKind {
    /// The other version's function takes something else.
    Signature,
    /// The other version's implementation has the method itself, which this one has from the trait, or from an implementation for more types: that is what
    /// the adapter calls. Its place is that of the implementation.
    Inherited,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// A parameter of the adapter, by its place.
    Parameter { place: usize, conversion: Conversion },
    /// For a parameter that the other version has not: what the callers in this version pass.
    Fixed { name: Option<Name>, value: Fixed },
}

/// A value that can be written anywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fixed {
    Constant(Const),
    /// One without fields.
    Variant {
        ty: Ty,
        variant: Name,
    },
    /// What a function without parameters gives, such as `default`.
    Call(FnRef),
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fixed::Constant(value) => write!(f, "{value}"),
            Fixed::Variant { ty, variant } => write!(f, "{ty}::{variant}"),
            Fixed::Call(FnRef::Trait { trait_ref, method, .. }) => {
                write!(f, "{}::{method}()", trait_ref.self_ty)
            }
            Fixed::Call(callee) => write!(f, "{callee}()"),
        }
    }
}

impl Adapter {
    /// What is not compared for all of its values, each with its parameter's name.
    pub fn fixed(&self) -> impl Iterator<Item = (Option<&Name>, &Fixed)> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Fixed { name, value } => Some((name.as_ref(), value)),
            Argument::Parameter { .. } => None,
        })
    }
}

/// Steps from a value of one type to one of another, in order. A caller writes the same text or nearly so; no value is lost.
pub type Conversion = Vec<ConversionStep>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversionStep {
    /// `T` to `&T`; dropped after the call.
    Lend,
    /// `&mut T` to `&T`.
    Reborrow,
    /// `&T` to `&T::Target`, or with `&mut`.
    Deref(Mutability, Ty),
    /// `&[T; N]` to `&[T]`, or with `&mut`.
    Unsize(Mutability, Ty),
    /// `&T` to a `T` that is `Copy`.
    Copy,
    /// An integer to a type that has all of its values.
    Widen(Ty),
    /// `T` to `Option<T>`, by `Some`.
    Wrap(Ty),
}
