//! Which functions must not be run on arbitrary inputs, because they may reach files, processes or the network.
//!
//! A function is held back if its body mentions such an API, or the name of a function of the crate that is held
//! back. Judged by names alone, so it errs towards holding back. Not seen: what dependencies do; the caller, who has
//! the call graph, must not ask for functions that reach them with effects.
//!
//! [`locals`]: names of variables and fields, which are not those of functions.

mod locals;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens;

use super::path_set::PathSet;
use super::scan::{FnItem, Scan};
use locals::Locals;

/// Modules of std that act on the world outside the process.
const STD_MODULES: [&str; 5] = ["fs", "process", "net", "os", "env"];

/// Of these modules it is what is called in them that decides. What is listed of `env` only reads; what is listed of `process` ends the
/// worker at most, which is an outcome.
const HARMLESS_CALLS: [(&str, &[&str]); 2] = [
    ("env", &["var", "var_os", "vars", "args", "args_os"]),
    ("process", &["abort", "exit", "id", "ExitCode", "Termination"]),
];

/// Items of the other modules that only hold data, or have a text of the system as bytes.
const HARMLESS_TYPES: [&str; 11] = [
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "SocketAddr",
    "SocketAddrV4",
    "SocketAddrV6",
    "AddrParseError",
    "raw",
    "ffi",
    "OsStrExt",
    "OsStringExt",
];

/// Crates whose business is the outside world.
const CRATES: [&str; 24] = [
    "libc",
    "nix",
    "rustix",
    "winapi",
    "windows",
    "windows_sys",
    "tokio",
    "async_std",
    "smol",
    "reqwest",
    "ureq",
    "hyper",
    "curl",
    "git2",
    "gix",
    "tempfile",
    "walkdir",
    "fs_err",
    "fs_extra",
    "rusqlite",
    "memmap2",
    "ctrlc",
    "signal_hook",
    "duct",
];

/// Methods that are called without their name being written.
const IMPLICIT: [&str; 20] = [
    "drop",
    "deref",
    "deref_mut",
    "index",
    "index_mut",
    "fmt",
    "next",
    "into_iter",
    "eq",
    "cmp",
    "partial_cmp",
    "from",
    "hash",
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "neg",
    "not",
];

/// Macros of the standard library that call what a type implements of `io::Write` or `fmt::Write`.
const WRITING_MACROS: [&str; 2] = ["write", "writeln"];

/// What these may come to call.
const WRITING_METHODS: [&str; 6] =
    ["write", "write_all", "write_char", "write_fmt", "write_str", "write_vectored"];

/// The names in a piece of code, and the first effect among them.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// Of all but macros.
    names: BTreeSet<String>,
    /// Those of them that may be called: what a path ends in, but for those after a type.
    called: BTreeSet<String>,
    /// What stands right after a type, with the type's name: `("Saved", "new")`.
    of_types: BTreeSet<(String, String)>,
    /// Of macros that are called.
    macros: BTreeSet<String>,
    /// Variables and fields in the arguments of macros that are named like macros of the standard library, with the macro's name. A macro
    /// of the crate may call functions of these names.
    given: BTreeSet<(String, String)>,
    effect: Option<String>,
    /// Names that stand for an effect in this module, with what they stand for.
    imported: BTreeMap<String, String>,
    /// Names that stand for one of the modules of which it is the call that decides.
    modules: BTreeMap<String, &'static str>,
    /// Modules that are declared around, which a path means rather than a crate of their name.
    declared: BTreeSet<String>,
}

impl Mentions {
    /// What the `use` items among these bring into scope.
    pub fn imported(items: &[&syn::Item]) -> Mentions {
        let declared = items.iter().filter_map(|item| match item {
            syn::Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        });
        let mut mentions = Mentions { declared: declared.collect(), ..Mentions::default() };
        for item in items {
            match item {
                syn::Item::Use(item) => mentions.import(&item.tree, &mut Vec::new()),
                syn::Item::ForeignMod(item) => mentions.foreign(item),
                _ => {}
            }
        }
        mentions
    }

    /// The effect that a path names here.
    fn effect_of(&self, path: &[String]) -> Option<String> {
        let is_declared = path.first().is_some_and(|first| self.declared.contains(first));
        effect_of(path).filter(|effect| !is_declared || !CRATES.contains(&effect.as_str()))
    }

    /// With what is imported around where these names are used.
    pub fn within(mut self, around: &Mentions) -> Mentions {
        for (name, effect) in &around.imported {
            self.imported.entry(name.clone()).or_insert_with(|| effect.clone());
        }
        for (name, module) in &around.modules {
            self.modules.entry(name.clone()).or_insert(module);
        }
        self
    }

    /// Effects that other modules of the crate may import from here under these names.
    pub fn exported(items: &[&syn::Item]) -> BTreeMap<String, String> {
        let mut mentions = Mentions::default();
        for item in items {
            match item {
                syn::Item::Use(item) if !matches!(item.vis, syn::Visibility::Inherited) => {
                    mentions.import(&item.tree, &mut Vec::new());
                }
                syn::Item::ForeignMod(item) => mentions.foreign(item),
                _ => {}
            }
        }
        let ends_more = mentions.modules.into_iter().filter(|(_, module)| *module == "process");
        mentions.imported.extend(ends_more.map(|(name, module)| (name, format!("std::{module}"))));
        mentions.imported
    }

    fn foreign(&mut self, block: &syn::ItemForeignMod) {
        for member in &block.items {
            if let syn::ForeignItem::Fn(function) = member {
                let name = function.sig.ident.to_string();
                self.imported.insert(name.clone(), format!("foreign function {name}"));
            }
        }
    }

    fn import(&mut self, tree: &syn::UseTree, prefix: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix);
                prefix.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix);
                }
            }
            syn::UseTree::Name(name) => self.bind(prefix, &name.ident, &name.ident),
            syn::UseTree::Rename(rename) => self.bind(prefix, &rename.ident, &rename.rename),
            syn::UseTree::Glob(_) => {
                if prefix.as_slice() == ["std"] {
                    for module in STD_MODULES {
                        self.imported.insert(module.to_string(), format!("std::{module}"));
                    }
                }
                let deciding = deciding_module(prefix).map(|(module, _)| format!("std::{module}"));
                if let Some(effect) = deciding.or_else(|| self.effect_of(prefix)) {
                    // Any name may come from here.
                    self.effect.get_or_insert(effect);
                }
            }
        }
    }

    fn bind(&mut self, prefix: &[String], name: &syn::Ident, bound: &syn::Ident) {
        let name = name.to_string();
        let mut path = prefix.to_vec();
        let bound =
            if name == "self" { prefix.last().cloned().unwrap_or_default() } else { bound.to_string() };
        if name != "self" {
            path.push(name);
        }
        match deciding_module(&path) {
            Some((module, None)) => {
                self.modules.insert(bound, module);
            }
            _ => {
                let effect = self.effect_of(&path);
                self.imported.extend(effect.map(|effect| (bound, effect)));
            }
        }
    }

    pub fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Adds those of a function's body.
    pub fn read_body(&mut self, sig: &syn::Signature, block: &syn::Block) {
        self.read(block.to_token_stream(), &Locals::of(sig, block));
    }

    fn read(&mut self, code: TokenStream, locals: &Locals) {
        let mut path: Vec<String> = Vec::new();
        let mut separators = 0;
        for token in code {
            match token {
                TokenTree::Ident(ident) => {
                    if separators < 2 {
                        self.note(&mut path);
                    }
                    separators = 0;
                    match locals.at(&ident) {
                        None => path.push(ident.to_string()),
                        Some(macros) => {
                            let name = ident.to_string();
                            self.given.extend(macros.iter().map(|of| (of.clone(), name.clone())));
                            self.names.insert(name);
                        }
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => separators += 1,
                // Not the `!=` that compares.
                TokenTree::Punct(punct) if punct.as_char() == '!' && punct.spacing() == Spacing::Alone => {
                    if let Some(name) = path.last() {
                        self.macros.insert(name.clone());
                    }
                    self.note_effect(&mut path);
                }
                TokenTree::Group(group) => {
                    self.note(&mut path);
                    self.read(group.stream(), locals);
                }
                _ => self.note(&mut path),
            }
        }
        self.note(&mut path);
    }

    /// Takes a path that has come to its end.
    fn note(&mut self, path: &mut Vec<String>) {
        self.names.extend(path.iter().cloned());
        match path.as_slice() {
            [around @ .., ty, name] if ty.starts_with(char::is_uppercase) => {
                self.of_types.insert((ty.clone(), name.clone()));
                // The type itself may stand for an effect.
                self.called.extend(around.iter().chain([ty]).cloned());
            }
            names => self.called.extend(names.iter().cloned()),
        }
        self.note_effect(path);
    }

    fn note_effect(&mut self, path: &mut Vec<String>) {
        if let Some(first) = path.first() {
            let known = self.imported.get(first).cloned();
            if let Some(module) = self.modules.get(first) {
                path.splice(0..1, ["std".to_string(), module.to_string()]);
            }
            if let Some(effect) = known.or_else(|| self.effect_of(path)) {
                self.effect.get_or_insert(effect);
            }
        }
        path.clear();
    }
}

/// The effect that a path names.
fn effect_of(path: &[String]) -> Option<String> {
    let first = path.first()?;
    let last = path.last()?;
    if let Some((module, called)) = deciding_module(path) {
        // A statement that imports more than one can see, as `use std::process::{self, Command}` in a body, counts as an effect.
        let Some(called) = called else { return (module == "process").then(|| format!("std::{module}")) };
        let harmless = HARMLESS_CALLS.iter().any(|(of, calls)| *of == module && calls.contains(&called));
        return (!harmless).then(|| format!("std::{module}::{called}"));
    }
    if first == "std" && path.get(1).is_some_and(|second| STD_MODULES.contains(&second.as_str())) {
        let harmless = path[2..].iter().any(|segment| HARMLESS_TYPES.contains(&segment.as_str()));
        return (!harmless).then(|| path[..path.len().min(3)].join("::"));
    }
    let foreign = CRATES.contains(&first.as_str()) && (path.len() > 1 || first == last && first == "libc");
    foreign.then(|| first.clone())
}

/// Where a path leads into a module of which it is the call that decides, that module and what is named in it.
fn deciding_module(path: &[String]) -> Option<(&'static str, Option<&str>)> {
    let within = match path {
        [first, rest @ ..] if first == "std" => rest,
        // Imported by a statement of the body.
        [first, ..] if first == "env" => path,
        [first, second, ..] if first == "process" && second == "Command" => path,
        _ => return None,
    };
    let (module, _) =
        HARMLESS_CALLS.iter().find(|(module, _)| within.first().is_some_and(|first| first == module))?;
    Some((module, within.get(1).map(String::as_str)))
}

/// Names of what may reach an effect, each with one.
#[derive(Debug, Default)]
struct Tainted {
    functions: BTreeMap<String, String>,
    /// Those of them that belong to a type itself, with its name.
    of_types: BTreeMap<(String, String), String>,
    /// All functions of the crate that belong to a type itself, tainted or not.
    known_of_types: BTreeSet<(String, String)>,
    /// Those of them that implement a method of a trait: code that knows the trait alone may call them.
    methods: BTreeMap<String, String>,
    macros: BTreeMap<String, String>,
    /// All macros of the crate, tainted or not.
    known_macros: BTreeSet<String>,
    /// If what is called without a name may.
    everything: Option<String>,
}

impl Tainted {
    fn len(&self) -> usize {
        let named = self.functions.len() + self.of_types.len() + self.methods.len() + self.macros.len();
        named + usize::from(self.everything.is_some())
    }

    fn of_macro(&self, name: &str) -> Option<&String> {
        let written = WRITING_MACROS.contains(&name).then_some(WRITING_METHODS);
        let by_writing = || written.iter().flatten().find_map(|method| self.methods.get(*method));
        self.macros.get(name).or_else(by_writing)
    }

    /// What stands after a type is that type's own function, if the crate has one by these names; else any of the name.
    fn of_type(&self, ty: &str, name: &str) -> Option<&String> {
        let both = (ty.to_owned(), name.to_owned());
        match self.known_of_types.contains(&both) {
            true => self.of_types.get(&both),
            false => self.functions.get(name),
        }
    }

    /// The effect that code with these names may reach. `own` is what `Self` is there.
    fn reached_by(&self, mentions: &Mentions, own: Option<&str>) -> Option<String> {
        let of_type = |(ty, name): &(String, String)| match (ty.as_str(), own) {
            ("Self", Some(own)) => self.of_type(own, name),
            (ty, _) => self.of_type(ty, name),
        };
        let by_function = || {
            let called = mentions.called.iter().find_map(|name| self.functions.get(name));
            let given = || mentions.given.iter().filter(|(of, _)| self.known_macros.contains(of));
            let by_own_macro = || given().find_map(|(_, name)| self.functions.get(name));
            called.or_else(by_own_macro).or_else(|| mentions.of_types.iter().find_map(of_type))
        };
        let by_macro = || mentions.macros.iter().find_map(|name| self.of_macro(name));
        let effect = mentions.effect.as_ref().or_else(by_function).or_else(by_macro);
        effect.or(self.everything.as_ref()).cloned()
    }

    /// The effect of what is called by a path: of an item of the standard library, what the crate implements of its traits.
    fn of_path(&self, segments: &[String]) -> Option<String> {
        if matches!(segments.first()?.as_str(), "std" | "core" | "alloc") {
            return self.methods.get(segments.last()?).cloned();
        }
        match segments {
            [.., ty, name] => self.of_type(ty, name),
            _ => self.functions.get(segments.last()?),
        }
        .cloned()
    }
}

/// What may be reached from where.
#[derive(Debug, Default)]
pub struct Effects {
    /// For each function of the scan, the effect that it may reach.
    pub of_functions: Vec<Option<String>>,
    tainted: Tainted,
    /// What was found out of the table of paths that was looked at last.
    of_table: RefCell<OfTable>,
}

/// The effects that the paths of a table may reach.
#[derive(Debug, Default)]
struct OfTable {
    table: Arc<[String]>,
    /// With the places of these paths in the table; in the order of their names, so that the same one is told whatever the order of the table is.
    effects: Vec<(usize, String)>,
}

impl Effects {
    /// The effect that code may reach in which these paths occur.
    pub fn of_paths(&self, paths: &PathSet) -> Option<String> {
        if let Some(effect) = &self.tainted.everything {
            return Some(effect.clone());
        }
        let mut known = self.of_table.borrow_mut();
        if !Arc::ptr_eq(&known.table, paths.table()) {
            *known = self.in_table(paths.table());
        }
        paths.first_of(&known.effects).cloned()
    }

    fn in_table(&self, table: &Arc<[String]>) -> OfTable {
        let by_path = |(place, path): (usize, &String)| {
            let segments: Vec<String> = path.split("::").map(str::to_string).collect();
            let tainted = || self.tainted.of_path(&segments);
            Some((place, effect_of(&segments).or_else(tainted)?))
        };
        let mut effects: Vec<(usize, String)> = table.iter().enumerate().filter_map(by_path).collect();
        effects.sort_by_key(|(place, _)| &table[*place]);
        OfTable { table: Arc::clone(table), effects }
    }
}

pub fn reachable_effects(scan: &Scan) -> Effects {
    let exported = &scan.exported_effects;
    let of_types = scan.functions.iter().filter_map(of_type_itself);
    let mut tainted = Tainted {
        functions: exported.clone(),
        methods: exported.clone(),
        known_of_types: of_types.collect(),
        known_macros: scan.macros.keys().cloned().collect(),
        ..Tainted::default()
    };
    let mut effects: Vec<Option<String>> = vec![None; scan.functions.len()];
    loop {
        let before = tainted.len();
        for (name, mentions) in &scan.macros {
            if let Some(effect) = tainted.reached_by(mentions, None) {
                tainted.macros.entry(name.clone()).or_insert(effect);
            }
        }
        for (function, slot) in scan.functions.iter().zip(&mut effects) {
            let own = self_type(&function.callee);
            let Some(effect) = tainted.reached_by(&function.mentions, own) else { continue };
            if let Some(both) = of_type_itself(function) {
                tainted.of_types.entry(both).or_insert_with(|| effect.clone());
            }
            if function.callee.contains(" as ") {
                if IMPLICIT.contains(&function.name.as_str()) {
                    tainted.everything.get_or_insert_with(|| effect.clone());
                }
                tainted.methods.entry(function.name.clone()).or_insert_with(|| effect.clone());
            }
            tainted.functions.entry(function.name.clone()).or_insert_with(|| effect.clone());
            slot.get_or_insert(effect);
        }
        if tainted.len() == before {
            return Effects { of_functions: effects, tainted, of_table: RefCell::default() };
        }
    }
}

/// The name of the type in `<a::Saved::<T>>::new` and `<a::Saved as Tr>::new`.
fn self_type(callee: &str) -> Option<&str> {
    let (ty, _) = callee.strip_prefix('<')?.split_once([' ', '<', '>'])?;
    let name = ty.trim_end_matches("::").rsplit("::").next()?;
    name.starts_with(char::is_uppercase).then_some(name)
}

/// A function of a type, not of a trait that it implements, with the type's name.
fn of_type_itself(function: &FnItem) -> Option<(String, String)> {
    let is_of_trait = function.callee.contains(" as ");
    let ty = self_type(&function.callee).filter(|_| !is_of_trait)?;
    Some((ty.to_owned(), function.name.clone()))
}

/// What the macros among these items mention.
pub fn macros(items: &[&syn::Item], imports: &Mentions, into: &mut BTreeMap<String, Mentions>) {
    for item in items {
        if let syn::Item::Macro(syn::ItemMacro { ident: Some(name), mac, .. }) = item {
            let mut mentions = imports.clone();
            mentions.read(mac.tokens.to_token_stream(), &Locals::default());
            into.insert(name.to_string(), mentions);
        }
    }
}
