//! What the compiler was given apart from bodies: declarations with their attributes, after `cfg` and macros.
//!
//! Source is `-Zunpretty=expanded`. It is exact where source text is not (`cfg`, macros, derives, `include!`), and costs no more than expansion; rustdoc's
//! JSON knows neither `global_asm!` nor items in bodies, and drops attributes from release to release. The text is cut into tokens and items; expressions
//! are not parsed, so that syntax that only the compiler's own macros use does no harm.
//!
//! * [`attributes`]: which attributes count, and the spelling in which declarations are compared
//! * [`items`]: the items, those in bodies among them
//! * [`types_in_bodies`]: what types that stand in bodies are made of
//! * [`derives`]: types that are compared by their parts
//! * [`attach`]: whose declaration is whose in a program
//! * [`constants`]: what stands in constants that rustdoc does not show
//! * [`documentation`]: whether the documented crate has the same types
//!
//! What is not recognised as an item is part of the crate's frame: another frame is another crate.

mod attach;
mod attributes;
mod constants;
mod derives;
mod documentation;
mod items;
mod symbols;
#[cfg(test)]
mod tests;
mod types_in_bodies;

use std::collections::{BTreeMap, BTreeSet};

use regress_core::ir::GenericParam;

pub use attach::{CrateDeclarations, declare};
pub(super) use attach::{head, last};
pub use documentation::is_same_but_for_documentation;
pub(super) use types_in_bodies::TypeInBody;

/// By the names of the function around and of the function in its body (`f::inner`): what each of these declares, and none for what is not read.
pub(super) type GenericsInBodies = BTreeMap<String, BTreeSet<Option<Vec<GenericParam>>>>;

/// The declarations of a crate.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    items: Vec<Item>,
    frame: Vec<String>,
    /// The names of items that are declared in bodies, by the path from the crate's root of the function, constant or static, without `r#`. Bodies in
    /// implementations are left out: what they declare has a type or trait in its path.
    items_in_bodies: BTreeMap<String, BTreeSet<String>>,
    /// Crates that are brought in (`extern crate`), by the path at which they are. None stands for several crates at one path, as bodies of one name have.
    extern_crates: BTreeMap<String, Option<String>>,
    types_in_bodies: Vec<TypeInBody>,
    /// The names of const parameters of what is declared in bodies.
    const_parameters_in_bodies: BTreeSet<String>,
    /// The same of type parameters.
    type_parameters_in_bodies: BTreeSet<String>,
    /// Type and const parameters of the functions that are declared in bodies.
    generics_in_bodies: GenericsInBodies,
}

impl Declarations {
    /// What is declared in the body of the function, constant or static at this path from the crate's root. What only brings names into
    /// scope (`use`, `type`) is no item.
    pub(super) fn items_in_body_of(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.items_in_bodies.get(path)
    }

    pub(super) fn const_parameters_in_bodies(&self) -> impl Iterator<Item = &String> {
        self.const_parameters_in_bodies.iter()
    }

    pub(super) fn type_parameters_in_bodies(&self) -> impl Iterator<Item = &String> {
        self.type_parameters_in_bodies.iter()
    }

    pub(super) fn generics_in_bodies(&self) -> &GenericsInBodies {
        &self.generics_in_bodies
    }

    pub(super) fn types_in_bodies(&self) -> &[TypeInBody] {
        &self.types_in_bodies
    }

    /// Paths from the crate's root at which other crates are, and the names of these.
    pub(super) fn extern_crates(&self) -> impl Iterator<Item = (&str, &str)> {
        self.extern_crates.iter().filter_map(|(path, name)| Some((path.as_str(), name.as_deref()?)))
    }
}

/// Reads the expanded source of a crate. None if it does not consist of Rust's tokens.
pub fn read(text: &str) -> Option<Declarations> {
    let stream = text.parse().ok()?;
    Some(items::read(stream))
}

#[derive(Clone, Debug)]
struct Item {
    kind: Kind,
    /// From the crate's root, as in `module::name`; methods have that of the module they stand in.
    path: String,
    name: String,
    header: Option<ImplHeader>,
    /// What counts of the declaration; empty if nothing does.
    text: String,
    /// Of a trait, whose text has none of them: how each method is declared.
    methods: BTreeMap<String, String>,
    /// Of an implementation: its header and its types, which count where nothing resolves them.
    whole: String,
    /// Names in the declaration; of an implementation those in `whole`.
    words: BTreeSet<String>,
    /// The header of a function, if a constant is worked out there.
    header_with_constants: String,
    symbol: Option<String>,
    calls: Calls,
    presence: Presence,
    /// Names in the type of the result, if some part of it is an `impl Trait`.
    hidden_result: BTreeSet<String>,
    /// Of a type in a module.
    by_parts: Option<ByParts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Also constants and statics.
    Function,
    Adt,
    Trait,
    Impl,
    /// Of an `extern` block.
    Foreign,
    /// What only gives names: `use`, `type`.
    Naming,
}

/// The last names of the trait and the type of an implementation, as far as they have any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ImplHeader {
    of_trait: Option<String>,
    self_ty: Option<String>,
}

impl TypeInBody {
    /// Whether the item around it can be one of such an implementation, by the last names of its trait and type.
    pub(super) fn is_in_impl(&self, of_trait: Option<&str>, self_ty: Option<&str>) -> bool {
        self.header.as_ref().is_some_and(|header| {
            header.of_trait.as_deref() == of_trait && header.self_ty.as_deref() == self_ty
        })
    }

    pub(super) fn is_in_any_impl(&self) -> bool {
        self.header.is_some()
    }
}

/// Whether a function is told where it was called from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    Plain,
    Tracked,
}

/// Whether an item runs or is there without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Named,
    Ambient,
}

/// What the implementations of a type do with its parts, one after the other, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByParts {
    Compared,
    ComparedAndCloned,
}
