//! What is looked up in a scan.

use std::collections::BTreeSet;

use camino::Utf8Path;

use super::{AdtItem, AdtShape, FieldItem, FnItem, Generic, Module, Scan, Scope};
use crate::harness::literals::Literals;

impl Scan {
    /// The functions that stand at that line under that name.
    pub fn functions_at(&self, file: &Utf8Path, line: u32, name: &str) -> Vec<usize> {
        let is_it = |function: &FnItem| {
            function.name == name
                && function.header.contains(&line)
                && self.modules[function.module].file == file
        };
        (0..self.functions.len()).filter(|index| is_it(&self.functions[*index])).collect()
    }

    /// Whether a macro that makes items is called on that line.
    pub fn calls_macro(&self, file: &Utf8Path, line: u32) -> bool {
        self.files.get(file).is_some_and(|file| file.macro_calls.iter().any(|lines| lines.contains(&line)))
    }

    /// The innermost module around a line; none for the text of a macro's definition, which may be used anywhere.
    pub fn module_at(&self, file: &Utf8Path, line: u32) -> Option<usize> {
        if self.files.get(file)?.macro_definitions.iter().any(|lines| lines.contains(&line)) {
            return None;
        }
        let around = |module: &Module| {
            module.scope == Scope::Module && module.file == file && module.lines.contains(&line)
        };
        let length = |index: &usize| {
            let lines = &self.modules[*index].lines;
            lines.end() - lines.start()
        };
        (0..self.modules.len()).filter(|index| around(&self.modules[*index])).min_by_key(length)
    }

    /// The module of that path, or the nearest one around what has the path.
    pub fn module_of(&self, path: &str) -> Option<usize> {
        let holds = |module: &Module| {
            let rest = path.strip_prefix(&module.path);
            module.scope == Scope::Module
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let depth = |index: &usize| self.modules[*index].path.len();
        (0..self.modules.len()).filter(|index| holds(&self.modules[*index])).max_by_key(depth)
    }

    /// The constants in a function and in what it mentions by name, nearest first, up to a limit.
    pub fn literals(&self, function: usize) -> Literals {
        const MOST: usize = 96;
        let mut found = Literals::default();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open = std::collections::VecDeque::from([&self.functions[function]]);
        while let Some(function) = open.pop_front() {
            found.add(&function.literals);
            for name in function.mentions.names() {
                if !seen.insert(name) || found.ints.len() + found.texts.len() > MOST {
                    continue;
                }
                if let Some(literals) = self.constants.get(name) {
                    found.add(literals);
                }
                open.extend(self.functions.iter().filter(|function| function.name == *name));
            }
        }
        found
    }

    /// Types whose last field has no size of its own (`str`, `[T]`), as its text says, or the name of such a type.
    pub fn unsized_types(&self) -> BTreeSet<usize> {
        let last_field = |adt: &AdtItem| match (adt.kind, adt.variants.as_slice()) {
            (AdtShape::Struct, [only]) => only.fields.last().map(|field| field.ty.trim().to_owned()),
            _ => None,
        };
        let is_unsized = |found: &BTreeSet<usize>, adt: usize| {
            let item = &self.adts[adt];
            let Some(ty) = last_field(item) else { return false };
            let is_slice = ty.starts_with('[') && !ty.contains(';');
            let name = ty.split('<').next().unwrap_or(&ty);
            let name = name.rsplit("::").next().unwrap_or(name).trim();
            let is_known = ["str", "Path", "OsStr", "CStr"].contains(&name) || ty.starts_with("dyn ");
            is_slice || is_known || self.adt_named(name, item.module).is_some_and(|adt| found.contains(&adt))
        };
        self.types_until_no_more(is_unsized)
    }

    /// These types, and all that may hold a value of one.
    pub fn all_that_hold(&self, is_one: impl Fn(&AdtItem) -> bool) -> BTreeSet<usize> {
        let holds_one = |found: &BTreeSet<usize>, adt: usize| {
            let item = &self.adts[adt];
            let fields = item.variants.iter().flat_map(|variant| &variant.fields);
            let mut names = fields.flat_map(|field| &field.held);
            names.any(|name| self.adt_named(name, item.module).is_some_and(|held| found.contains(&held)))
        };
        self.types_until_no_more(|found, adt| is_one(&self.adts[adt]) || holds_one(found, adt))
    }

    /// The types that belong to those found before, looked for until there are no more.
    fn types_until_no_more(&self, belongs: impl Fn(&BTreeSet<usize>, usize) -> bool) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        loop {
            let is_new = |adt: &usize| !found.contains(adt) && belongs(&found, *adt);
            let more: Vec<usize> = (0..self.adts.len()).filter(is_new).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Whether the type has a `Debug`, derived or written out, that values can be told apart by.
    pub fn has_debug(&self, adt: usize) -> bool {
        let adt = &self.adts[adt];
        let written = |function: &FnItem| {
            let self_ty = function.callee.strip_prefix('<').and_then(|rest| rest.split_once(" as "));
            self_ty.is_some_and(|(ty, trait_)| {
                let ty = ty.split('<').next().unwrap_or(ty).rsplit("::").next();
                ty == Some(adt.name.as_str()) && trait_.contains("Debug>")
            })
        };
        !adt.is_compared_by_parts && (adt.derives_debug || self.functions.iter().any(written))
    }

    /// The type that is meant by a name in a module: the one of that module, or else the only one of the crate, or else of those of others.
    pub fn adt_named(&self, name: &str, module: usize) -> Option<usize> {
        let named = (0..self.adts.len()).filter(|adt| self.adts[*adt].name == name);
        let (foreign, own): (Vec<usize>, Vec<usize>) =
            named.partition(|adt| self.adts[*adt].foreign.is_some());
        let only = |mut found: Vec<usize>| if found.len() == 1 { found.pop() } else { None };
        let here = own.iter().copied().filter(|adt| self.adts[*adt].module == module).collect();
        let is_own = !own.is_empty();
        only(here).or_else(|| only(own)).or_else(|| only(foreign).filter(|_| !is_own))
    }

    /// Types that an implementation for the type has to ask something of, beside the type's parameters: associated types of these in its fields,
    /// and types of fields that ask the like in turn. A field that is not compiled in every configuration may name types that are not there; what is
    /// associated with parameters is.
    pub fn asked_of_fields<'s>(&'s self, adt: &'s AdtItem) -> BTreeSet<&'s str> {
        let mut asked = BTreeSet::new();
        let fields =
            adt.variants.iter().flat_map(|variant| variant.fields.iter().map(move |of| (variant, of)));
        for (variant, field) in fields {
            asked.extend(field.projections.iter().map(String::as_str));
            let is_there = variant.cfgs.is_empty() && field.cfgs.is_empty();
            // A type that asks something of itself would never be found to have it.
            if is_there && self.holds_projections(field, adt.module) && !self.leads_back(field, &adt.name) {
                asked.insert(&field.ty);
            }
        }
        asked
    }

    /// The types of fields in which a parameter stands that may have no size: whether they can be built is not told by the parameter.
    pub fn fields_of_unsized<'s>(&'s self, adt: &'s AdtItem) -> impl Iterator<Item = &'s str> {
        let is_unsized = |generic: &&Generic| adt.may_be_unsized(generic);
        let names: Vec<&str> = adt.generics.iter().filter(is_unsized).map(Generic::name).collect();
        let variants = adt.variants.iter().filter(|variant| variant.cfgs.is_empty());
        let fields = variants.flat_map(|variant| &variant.fields).filter(|field| field.cfgs.is_empty());
        let holds_one = move |field: &&FieldItem| {
            names.iter().any(|name| field.idents.contains(*name)) && !self.leads_back(field, &adt.name)
        };
        fields.filter(holds_one).map(|field| field.ty.as_str())
    }

    /// Whether a type of the crate in the field's type has, however deep within, fields of associated types of its parameters.
    fn holds_projections(&self, field: &FieldItem, module: usize) -> bool {
        let held = |field: &FieldItem, module: usize| -> Vec<usize> {
            let behind = field.held.iter().filter_map(|name| self.aliases.get(name)).flatten();
            field.held.iter().chain(behind).filter_map(|name| self.adt_named(name, module)).collect()
        };
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut open = held(field, module);
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let adt = &self.adts[at];
            for field in adt.variants.iter().flat_map(|variant| &variant.fields) {
                if !field.projections.is_empty() {
                    return true;
                }
                open.extend(held(field, adt.module));
            }
        }
        false
    }

    /// Whether a value of the type can contain one of the same type again, judged by names.
    pub fn leads_back(&self, field: &FieldItem, name: &str) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = field.idents.iter().map(String::as_str).collect();
        while let Some(ident) = open.pop() {
            if ident == name {
                return true;
            }
            if !seen.insert(ident) {
                continue;
            }
            open.extend(self.aliases.get(ident).into_iter().flatten().map(String::as_str));
            for adt in self.adts.iter().filter(|adt| adt.name == ident) {
                let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
                open.extend(fields.flat_map(|field| field.idents.iter().map(String::as_str)));
            }
        }
        false
    }
}
