//! What can be named from outside the crate, and under which other names.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet, VecDeque};

use regress_core::ir::{Namespace, Path};
use serde_json::Value;

use super::{Alias, AliasOf, DocSpan, Docs, ReExportDoc, Reader, array, id_text, inner, span, text};

/// Re-exports may form circles; modules nested deeper than this are not followed.
const MAX_DEPTH: usize = 64;
/// The longest public names, in segments, and so many modules under all of their names: modules that hand on each other have names without end.
const MOST_SEGMENTS: usize = 8;
const MOST_MODULES: usize = 4096;

impl Reader<'_> {
    /// Walks the public items from the crate's root and collects re-exports and local names.
    pub(super) fn reach(&mut self, root: &str, docs: &mut Docs) {
        self.reach_module(root, 0);
        let prefix = self.prefix.to_owned();
        self.aliases_in(root, &prefix, 0, docs);
        // The models' own modules are not those of the standard library.
        if self.prefix != "std" {
            docs.public_names = self.public_names(root, &mut docs.re_exports);
        }
        for entry in self.paths.values().filter(|entry| entry["crate_id"].as_u64() == Some(0)) {
            let path = array(&entry["path"]);
            if text(&entry["kind"]) == "module" {
                let segments: Vec<&str> =
                    std::iter::once(self.prefix).chain(path.iter().skip(1).map(text)).collect();
                docs.modules.push(segments.join("::").into());
            }
            if let Some(first) = path.get(1) {
                docs.locals.push((text(first).to_owned(), path.get(2).map(|second| text(second).to_owned())));
            }
        }
    }

    fn reach_module(&mut self, id: &str, depth: usize) {
        if depth > MAX_DEPTH || !self.reachable.insert(id.to_owned()) {
            return;
        }
        let Some(("module", module)) = self.index.get(id).and_then(inner) else { return };
        for child in array(&module["items"]) {
            self.reach_child(child, depth);
        }
    }

    fn reach_child(&mut self, id: &Value, depth: usize) {
        let (Some(item), Some(id)) = (self.item(id), id_text(id)) else { return };
        if item["visibility"].as_str() != Some("public") {
            return;
        }
        match inner(item) {
            Some(("module", _)) => self.reach_module(&id, depth + 1),
            Some(("use" | "import", import)) => {
                let Some(target) = id_text(&import["id"]) else { return };
                let target_item = self.index.get(&target);
                match target_item.and_then(inner) {
                    Some(("module", module)) if import["is_glob"].as_bool() == Some(true) => {
                        // The module itself stays unnamed; what is public in it is now reachable.
                        if depth <= MAX_DEPTH {
                            for child in array(&module["items"]) {
                                self.reach_child(child, depth + 1);
                            }
                        }
                    }
                    Some(("module", _)) => self.reach_module(&target, depth + 1),
                    _ => {
                        self.reachable.insert(target);
                    }
                }
            }
            _ => {
                self.reachable.insert(id);
            }
        }
    }

    /// Each module is entered by all of its public paths, the shortest first, as long as these are not many.
    fn public_names(&self, root: &str, re_exports: &mut Vec<ReExportDoc>) -> Vec<(Path, Path)> {
        let mut names: BTreeMap<Path, Path> = BTreeMap::new();
        let mut note = |id: &str, name: String, import: Option<DocSpan>| {
            let Some((definition, kind)) = self.path_of(id) else { return };
            let name = Path::from(name);
            if let Some(namespace) = namespace_of(kind)
                && definition != name
            {
                let (name, definition) = (name.clone(), definition.clone());
                re_exports.push(ReExportDoc { namespace, name, definition, span: import });
            }
            match names.entry(definition) {
                Entry::Vacant(entry) => {
                    entry.insert(name);
                }
                Entry::Occupied(mut entry) if *entry.key() == name => {
                    entry.insert(name);
                }
                Entry::Occupied(_) => {}
            }
        };
        let mut known = HashSet::from([root.to_owned()]);
        let mut entered = HashSet::from([(root.to_owned(), self.prefix.to_owned())]);
        // The last is the `use` by which the module came in.
        let mut open = VecDeque::from([(root.to_owned(), self.prefix.to_owned(), None)]);
        while let Some((module, path, import)) = open.pop_front() {
            let Some(("module", module)) = self.index.get(&module).and_then(inner) else { continue };
            for child in array(&module["items"]) {
                let (Some(item), Some(id)) = (self.item(child), id_text(child)) else { continue };
                if item["visibility"].as_str() != Some("public") {
                    continue;
                }
                let (target, own, is_glob, import) = match inner(item) {
                    Some(("use" | "import", content)) => {
                        let Some(target) = id_text(&content["id"]) else { continue };
                        (
                            target,
                            text(&content["name"]),
                            content["is_glob"].as_bool() == Some(true),
                            span(item),
                        )
                    }
                    _ => (id, text(&item["name"]), false, import.clone()),
                };
                let below = if is_glob { path.clone() } else { format!("{path}::{own}") };
                match self.index.get(&target).and_then(inner) {
                    Some(("module", _)) => {
                        let is_first = known.insert(target.clone());
                        let is_short = below.matches("::").count() <= MOST_SEGMENTS;
                        let may_enter = is_first || is_short && entered.len() < MOST_MODULES;
                        if may_enter && entered.insert((target.clone(), below.clone())) {
                            open.push_back((target, below, import));
                        }
                    }
                    // Variants of an enum.
                    _ if is_glob => {}
                    _ => note(&target, below, import),
                }
            }
        }
        names.into_iter().filter(|(definition, name)| definition != name).collect()
    }

    fn aliases_in(&self, module: &str, path: &str, depth: usize, docs: &mut Docs) {
        let Some(("module", module)) = self.index.get(module).and_then(inner) else { return };
        if depth > MAX_DEPTH {
            return;
        }
        let named = self.named_in(module);
        for child in array(&module["items"]) {
            let (Some(item), Some(id)) = (self.item(child), id_text(child)) else { continue };
            match inner(item) {
                Some(("module", _)) => {
                    let path = format!("{path}::{}", text(&item["name"]));
                    self.aliases_in(&id, &path, depth + 1, docs);
                }
                Some(("use" | "import", import)) => self.alias(import, path, &named, docs),
                Some(("extern_crate", krate)) => alias_of_crate(krate, path, docs),
                _ => {}
            }
        }
    }

    /// What the module defines or brings in by name: it takes the place of what a glob brings in.
    fn named_in(&self, module: &Value) -> HashSet<(AliasOf, String)> {
        let mut named = HashSet::new();
        for item in array(&module["items"]).iter().filter_map(|child| self.item(child)) {
            let (kind, name) = match inner(item) {
                Some(("use" | "import", import)) if import["is_glob"].as_bool() == Some(true) => continue,
                Some(("use" | "import", import)) => {
                    let target = id_text(&import["id"]).and_then(|id| Some(self.path_of(&id)?.1));
                    (target, text(&import["name"]))
                }
                Some((kind, _)) => (Some(kind), text(&item["name"])),
                None => continue,
            };
            named.extend(kind.and_then(alias_of).map(|of| (of, name.to_owned())));
            // Its constructor is a value.
            if kind == Some("struct") {
                named.insert((AliasOf::Value, name.to_owned()));
            }
        }
        named
    }

    fn alias(&self, import: &Value, path: &str, named: &HashSet<(AliasOf, String)>, docs: &mut Docs) {
        docs.hands_on_unlisted |= path == self.prefix && self.hands_on_unlisted(import);
        let Some(target) = id_text(&import["id"]) else { return };
        let mut note = |name: &str, definition: &Path, of| {
            let visible = format!("{path}::{name}");
            docs.aliases.push(Alias { visible, definition: definition.to_string(), of });
        };
        if import["is_glob"].as_bool() == Some(true) {
            if self.index.get(&target).and_then(inner).is_none_or(|(kind, _)| kind != "module") {
                // Of another crate only its name is told.
                if let Some((definition, "module")) = self.path_of(&target) {
                    docs.globs.push((path.to_owned(), definition));
                }
                return;
            }
            for (name, definition, of) in self.handed_on_by_glob(&target) {
                if !named.contains(&(of, name.to_owned())) {
                    note(name, &definition, of);
                }
            }
        } else if let Some((definition, kind)) = self.path_of(&target)
            && let Some(of) = alias_of(kind)
        {
            note(text(&import["name"]), &definition, of);
            // rustc prints a renamed function under its own name.
            if let Some((_, own_name)) = definition.as_str().rsplit_once("::") {
                note(own_name, &definition, of);
            }
        }
    }

    /// What a module of this crate hands on by a glob, with its names there and paths of definition: what it defines, and what it brings in
    /// publicly itself. What a module names takes the place of what its globs bring in.
    fn handed_on_by_glob(&self, module: &str) -> Vec<(&str, Path, AliasOf)> {
        let (mut found, mut entered) = (Vec::new(), HashSet::new());
        let mut hidden: HashSet<(AliasOf, String)> = HashSet::new();
        let mut open = VecDeque::from([module.to_owned()]);
        while let Some(module) = open.pop_front() {
            let Some(("module", content)) = self.index.get(&module).and_then(inner) else { continue };
            if !entered.insert(module) {
                continue;
            }
            let named = self.named_in(content);
            for child in array(&content["items"]) {
                let (Some(item), Some(id)) = (self.item(child), id_text(child)) else { continue };
                let (name, target) = match inner(item) {
                    Some(("use" | "import", import)) => {
                        let is_public = item["visibility"].as_str() == Some("public");
                        let Some(target) = id_text(&import["id"]).filter(|_| is_public) else { continue };
                        if import["is_glob"].as_bool() == Some(true) {
                            open.push_back(target);
                            continue;
                        }
                        (import["name"].as_str(), target)
                    }
                    _ => (item["name"].as_str(), id),
                };
                if let (Some(name), Some((definition, kind))) = (name, self.path_of(&target))
                    && let Some(of) = alias_of(kind)
                    && !hidden.contains(&(of, name.to_owned()))
                {
                    found.push((name, definition, of));
                }
            }
            hidden.extend(named);
        }
        found
    }

    /// Whether the import hands on more than [`Self::alias`] finds.
    fn hands_on_unlisted(&self, import: &Value) -> bool {
        let Some(target) = id_text(&import["id"]) else { return true };
        if import["is_glob"].as_bool() != Some(true) {
            return false;
        }
        let (mut entered, mut open) = (HashSet::new(), vec![target]);
        while let Some(module) = open.pop() {
            let Some(("module", content)) = self.index.get(&module).and_then(inner) else { return true };
            if !entered.insert(module) {
                continue;
            }
            for child in array(&content["items"]) {
                match self.item(child).and_then(inner) {
                    None | Some(("extern_crate", _)) => return true,
                    Some(("use" | "import", import)) if import["is_glob"].as_bool() == Some(true) => {
                        let Some(target) = id_text(&import["id"]) else { return true };
                        open.push(target);
                    }
                    Some(_) => {}
                }
            }
        }
        false
    }
}

/// By what the name of such an item (rustdoc's `ItemKind`) leads on; none if MIR does not name it.
fn alias_of(kind: &str) -> Option<AliasOf> {
    match kind {
        "function" | "constant" | "static" => Some(AliasOf::Value),
        "macro" | "proc_attribute" | "proc_derive" => None,
        _ => Some(AliasOf::Scope),
    }
}

/// `extern crate std as lib;`, which rustc may print by either name. Which of both is the crate's own differs from format to format.
fn alias_of_crate(krate: &Value, path: &str, docs: &mut Docs) {
    let shown: Vec<&str> = [&krate["name"], &krate["rename"]].into_iter().filter_map(Value::as_str).collect();
    let is_crate = |name: &&&str| docs.externs.iter().any(|known| known == **name);
    let definition = match shown.iter().find(is_crate).or(shown.first()).copied() {
        Some("core" | "alloc") => "std",
        Some(name) => name,
        None => return,
    };
    for name in &shown {
        let (visible, definition) = (format!("{path}::{name}"), definition.to_owned());
        docs.aliases.push(Alias { visible, definition, of: AliasOf::Scope });
    }
}

/// In which namespace such an item has its name; none for what is no type, trait or value.
fn namespace_of(kind: &str) -> Option<Namespace> {
    match kind {
        "function" | "constant" | "static" => Some(Namespace::Values),
        "struct" | "enum" | "union" | "trait" | "type_alias" => Some(Namespace::Types),
        _ => None,
    }
}
