//! From the text that stock rustc prints to a [`regress_core::ir::Program`].
//!
//! Three dumps of each crate are read: MIR (the bodies), control-flow graphs (only their headers, which name the
//! type and trait of implementations) and rustdoc's JSON (types, generics, visibility); a fourth, `stable-mir`,
//! where the first drops captures of closures. All of it is pure: the caller makes the dumps.
//!
//! The text is meant for people and changes from release to release, so parsing is strict: what is not understood
//! makes its function [`regress_core::ir::FnBody::Unreadable`], with the reason, and no other.
//!
//! * [`cursor`], [`types`], [`paths`], [`places`], [`operands`], [`rvalues`], [`terminators`], [`bodies`]: the grammar
//! * [`scope`]: what names mean; [`doubts`]: which text can be read in two ways
//! * [`items`], [`cfg_headers`], [`join`], [`rustdoc`], [`spans`], [`std_types`]: the sources
//! * [`expanded`]: what declarations say beside types, signatures and bodies
//! * [`identify`]: what each item is; [`types_in_bodies`]: types that only sources and bodies show, [`field_types`]: those of fields
//! * [`test_harness`]: what `--test` adds to a crate, taken out again
//! * [`documented`]: functions of other crates by what their documentation says
//! * [`link`]: everything together; [`library`]: what is linked once for all programs

mod bodies;
mod cfg_headers;
mod cursor;
mod documented;
mod doubts;
mod error;
mod expanded;
mod field_types;
mod identify;
mod items;
mod join;
mod library;
mod link;
mod operands;
mod paths;
mod places;
pub mod replay;
mod rustdoc;
mod rvalues;
mod scope;
pub mod settings;
mod spans;
mod std_types;
mod terminators;
mod test_harness;
#[cfg(test)]
mod testing;
mod types;
mod types_in_bodies;
mod unnamed_consts;
mod whereabouts;

use regress_core::ir::Origin;

pub use error::FrontendError;
pub use expanded::{
    CrateDeclarations, Declarations, declare, is_same_but_for_documentation, read as read_expanded,
};
pub use library::{Library, LibraryError};
pub use link::{build_program, build_program_on, lacks_captures};
// What both front ends spell alike.
pub use rustdoc::{Docs, read as read_rustdoc};
pub(crate) use rvalues::whole_box;
pub use scope::STD_MIRROR;
pub(crate) use scope::{Names, type_head};
pub(crate) use std_types::{add_traits as add_std_traits, float_const, numeric_const, visible_path};
pub use test_harness::{TestDescriptor, bodies_without_harness, graphs_without_harness, split_tests};
pub use whereabouts::{names_a_place, with_places_hidden};

/// The dumps of one crate.
#[derive(Clone, Copy, Debug)]
pub struct CrateDump<'a> {
    pub crate_name: &'a str,
    pub origin: Origin,
    /// `-Zunpretty=mir`
    pub mir: &'a str,
    /// `-Zunpretty=mir-cfg`
    pub cfg: &'a str,
    pub rustdoc: Option<Rustdoc<'a>>,
    /// `-Zunpretty=stable-mir`
    pub stable_mir: Option<&'a str>,
    /// `-Zunpretty=expanded`, of which only is asked here what is declared in bodies.
    pub declarations: Option<&'a Declarations>,
}

impl<'a> CrateDump<'a> {
    pub fn declares(&self) -> CrateDeclarations<'a> {
        CrateDeclarations { crate_name: self.crate_name, declarations: self.declarations }
    }
}

/// rustdoc's JSON with private and hidden items.
#[derive(Clone, Copy, Debug)]
pub enum Rustdoc<'a> {
    Json(&'a str),
    /// What [`read_rustdoc`] made of it: who builds several programs with a crate reads it once.
    Read(&'a Docs),
}
