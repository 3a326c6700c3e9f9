//! What rustdoc's JSON says about a crate: types, traits, implementations, generics, visibility.
//!
//! The format changes with every few releases, so it is read field by field from a [`serde_json::Value`] and
//! whatever is missing is simply not known. Types that cannot be expressed are [`regress_core::ir::TyKind::Unsupported`];
//! nothing is guessed.
//!
//! * [`types`]: types and generics
//! * [`items`]: structs, enums, unions, traits, implementations, functions
//! * [`reach`]: what can be named from outside, and under which names

mod items;
mod reach;
mod types;

use std::collections::{BTreeMap, HashMap, HashSet};

use regress_core::ir::{Adt, Bound, Const, Name, Namespace, Path, TraitRef, Ty, Visibility};
use serde::Deserialize;
use serde_json::Value;

use super::error::FrontendError;
use super::scope::{Param, STD_MIRROR};
use super::std_types::visible_path;

/// A place in the source, not yet tied to a program's files. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocSpan {
    pub file: String,
    pub start: (u32, u32),
    pub end: (u32, u32),
}

/// A function, constant or static.
#[derive(Clone, Debug)]
pub struct FnDoc {
    pub params: Vec<Param>,
    pub span: Option<DocSpan>,
    pub visibility: Visibility,
    /// Declared on its own parameters.
    pub bounds: Vec<Bound>,
    /// The value of an associated constant that is a plain literal.
    pub literal: Option<Const>,
}

#[derive(Clone, Debug)]
pub struct AdtDoc {
    pub adt: Adt,
    pub params: Vec<Param>,
    /// How many there are: they are not among the parameters.
    pub lifetimes: usize,
    pub span: Option<DocSpan>,
}

#[derive(Clone, Debug)]
pub struct TraitDoc {
    pub path: Path,
    pub visibility: Visibility,
    pub params: Vec<Param>,
    pub supertraits: Vec<TraitRef>,
    pub items: BTreeMap<Name, FnDoc>,
    pub types: BTreeMap<Name, Ty>,
}

#[derive(Clone, Debug)]
pub struct ImplDoc {
    pub params: Vec<Param>,
    pub trait_ref: Option<TraitRef>,
    pub self_ty: Ty,
    pub bounds: Vec<Bound>,
    pub types: BTreeMap<Name, Ty>,
    pub items: BTreeMap<Name, FnDoc>,
    pub span: Option<DocSpan>,
}

/// A re-export, or a name by which a crate is brought in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    pub visible: String,
    pub definition: String,
    pub of: AliasOf,
}

/// What is re-exported. A module and a function may have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AliasOf {
    /// A crate, module, type or trait, below which items have their paths.
    Scope,
    /// A function, constant or static.
    Value,
}

/// A public name of what is defined elsewhere, and the `use` that gives it.
#[derive(Clone, Debug)]
pub struct ReExportDoc {
    pub namespace: Namespace,
    pub name: Path,
    pub definition: Path,
    pub span: Option<DocSpan>,
}

/// All of it, for one crate.
#[derive(Clone, Debug, Default)]
pub struct Docs {
    pub adts: Vec<AdtDoc>,
    pub traits: Vec<TraitDoc>,
    pub impls: Vec<ImplDoc>,
    /// Free functions, constants and statics.
    pub functions: HashMap<Path, FnDoc>,
    pub externs: Vec<String>,
    pub aliases: Vec<Alias>,
    /// Modules that hand on all of a module of another crate, and that module.
    pub globs: Vec<(String, Path)>,
    /// Whether there is a re-export at the root of which is not known what it hands on.
    pub hands_on_unlisted: bool,
    /// The crate's type aliases, with their parameters and what they stand for.
    pub type_aliases: Vec<(Path, Vec<Param>, Ty)>,
    /// What the crate's type aliases stand for, where all arguments are stated (`type Bytes = Map<u8>`).
    pub named_types: Vec<Ty>,
    /// Path of definition to one by which other crates may name the item, where these are not the same.
    pub public_names: Vec<(Path, Path)>,
    /// What is brought in by name comes before what a glob brings in, and takes its place.
    pub re_exports: Vec<ReExportDoc>,
    /// First and second segments of local paths.
    pub locals: Vec<(String, Option<String>)>,
    pub modules: Vec<Path>,
}

/// Types may be nested as deeply as rustc lets them be.
fn parsed(json: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let root = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(root)
}

/// Reads the JSON of the crate that has this name in the program.
pub fn read(crate_name: &str, json: &str) -> Result<Docs, FrontendError> {
    let root = parsed(json)
        .map_err(|source| FrontendError::RustdocSyntax { crate_name: crate_name.to_owned(), source })?;
    let shape = |missing| FrontendError::RustdocShape { crate_name: crate_name.to_owned(), missing };
    let index = root["index"].as_object().ok_or_else(|| shape("index"))?;
    let paths = root["paths"].as_object().ok_or_else(|| shape("paths"))?;
    let prefix = if crate_name == STD_MIRROR { "std" } else { crate_name };
    let mut reader = Reader {
        index,
        paths,
        prefix,
        std_crates: std_crates(&root),
        reachable: HashSet::new(),
        const_params: HashSet::new(),
    };
    let mut docs = Docs { externs: extern_names(&root), ..Docs::default() };
    let root_id = id_text(&root["root"]).ok_or_else(|| shape("root"))?;
    reader.reach(&root_id, &mut docs);
    reader.items(&mut docs);
    Ok(docs)
}

struct Reader<'a> {
    index: &'a serde_json::Map<String, Value>,
    paths: &'a serde_json::Map<String, Value>,
    prefix: &'a str,
    /// Numbers of the crates that make up the standard library.
    std_crates: HashSet<u64>,
    /// Items that can be named from outside.
    reachable: HashSet<String>,
    /// Names of the const parameters in scope: where a constant is expected, rustdoc gives source text.
    const_params: HashSet<String>,
}

/// Ids were strings in older formats and are numbers in newer ones.
fn id_text(id: &Value) -> Option<String> {
    match id {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn std_crates(root: &Value) -> HashSet<u64> {
    let Some(crates) = root["external_crates"].as_object() else { return HashSet::new() };
    crates
        .iter()
        .filter(|(_, krate)| matches!(text(&krate["name"]), "std" | "core" | "alloc"))
        .filter_map(|(id, _)| id.parse().ok())
        .collect()
}

fn extern_names(root: &Value) -> Vec<String> {
    let Some(crates) = root["external_crates"].as_object() else { return Vec::new() };
    let crates = crates.values().filter(|krate| !is_private_to_library(krate));
    crates.map(|krate| text(&krate["name"]).to_owned()).collect()
}

/// Crates of the sysroot that programs can name.
const NAMED_IN_SYSROOT: &[&str] = &["std", "core", "alloc", "proc_macro", "test", "std_detect"];

/// Whether only the standard library depends on the crate (`object`, `memchr`), whose public items do not show it: no body of another crate names it. Formats that do
/// not say where a crate lies leave that open.
fn is_private_to_library(krate: &Value) -> bool {
    let name = text(&krate["name"]);
    text(&krate["path"]).replace('\\', "/").contains("/lib/rustlib/")
        && !NAMED_IN_SYSROOT.contains(&name)
        && !name.starts_with("rustc_")
}

/// The single kind of an item and what belongs to it.
fn inner(item: &Value) -> Option<(&str, &Value)> {
    let (kind, value) = item["inner"].as_object()?.iter().next()?;
    Some((kind, value))
}

fn span(item: &Value) -> Option<DocSpan> {
    let span = &item["span"];
    let pair = |value: &Value| {
        let number = |index: usize| value[index].as_u64().and_then(|number| u32::try_from(number).ok());
        Some((number(0)?, number(1)?))
    };
    Some(DocSpan {
        file: span["filename"].as_str()?.to_owned(),
        start: pair(&span["begin"])?,
        end: pair(&span["end"])?,
    })
}

impl<'a> Reader<'a> {
    fn item(&self, id: &Value) -> Option<&'a Value> {
        self.index.get(&id_text(id)?)
    }

    /// The canonical path of an item and the kind of thing it is.
    fn path_of(&self, id: &str) -> Option<(Path, &'a str)> {
        let entry = self.paths.get(id)?;
        let segments: Vec<&str> = array(&entry["path"]).iter().map(text).collect();
        let crate_id = entry["crate_id"].as_u64()?;
        let path = if crate_id == 0 {
            std::iter::once(self.prefix)
                .chain(segments.into_iter().skip(1))
                .collect::<Vec<_>>()
                .join("::")
                .into()
        } else if self.std_crates.contains(&crate_id) {
            visible_path(&segments)
        } else {
            segments.join("::").into()
        };
        Some((path, text(&entry["kind"])))
    }

    fn is_reachable(&self, id: &str) -> Visibility {
        if self.reachable.contains(id) { Visibility::Public } else { Visibility::Private }
    }

    /// Ids of local items in a fixed order.
    fn local_ids(&self) -> Vec<&'a String> {
        let mut ids: Vec<&String> = self
            .index
            .iter()
            .filter(|(_, item)| item["crate_id"].as_u64() == Some(0))
            .map(|(id, _)| id)
            .collect();
        ids.sort_by_key(|id| (id.parse::<u64>().unwrap_or(u64::MAX), id.as_str()));
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_only_the_library_can_name_are_no_externs() {
        let krate =
            |name: &str, path: &str| serde_json::json!({ "name": name, "html_root_url": null, "path": path });
        let of_sysroot = |name: &str| krate(name, "/toolchain/lib/rustlib/x86_64/lib/librlib.rmeta");
        let root = serde_json::json!({ "external_crates": {
            "1": of_sysroot("std"),
            "2": of_sysroot("object"),
            "3": krate("memchr", "/target/debug/deps/libmemchr.rmeta"),
            "4": { "name": "gimli", "html_root_url": null },
        } });
        let mut found = extern_names(&root);
        found.sort();
        assert_eq!(found, ["gimli", "memchr", "std"]);
    }

    #[test]
    fn types_may_be_nested_deeply() {
        let nested = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
        assert!(parsed(&nested).is_ok());
        assert!(parsed("[1] 2").is_err());
    }
}
