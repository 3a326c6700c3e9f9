//! Canonical paths ([`regress_core::ir::path`]) of what Charon names by lists of elements.

use regress_core::ir::{GenericArg, Path};

use super::context::{Context, Scope};
use super::schema::{ImplElem, PathElem};
use crate::rustc::{type_head, visible_path};

/// Names stand in types, and types in names; no real file nests them deeper.
const DEEPEST: usize = 24;

impl Context<'_> {
    /// The path of an item without its instantiation.
    pub fn plain_path(&self, name: &[PathElem]) -> Path {
        let key = (name.as_ptr(), name.len());
        if let Some(known) = self.paths.borrow().get(&key) {
            return known.clone();
        }
        if self.spelling.get() >= DEEPEST {
            return Path::from("?endless");
        }
        self.spelling.set(self.spelling.get() + 1);
        let path = self.spell(name);
        self.spelling.set(self.spelling.get() - 1);
        self.paths.borrow_mut().insert(key, path.clone());
        path
    }

    fn spell(&self, name: &[PathElem]) -> Path {
        let mut base: Option<String> = None;
        let mut segments: Vec<String> = Vec::new();
        for (index, elem) in name.iter().enumerate() {
            match elem {
                PathElem::Ident((text, disambiguator)) => {
                    if self.names_closure(&name[..=index]) {
                        segments.push(format!("{{closure#{disambiguator}}}"));
                    } else if *disambiguator > 0 {
                        segments.push(format!("{text}#{disambiguator}"));
                    } else {
                        segments.push(text.clone());
                    }
                }
                PathElem::Impl(ImplElem::Trait(id)) => {
                    segments.clear();
                    base = Some(self.impl_base(*id));
                }
                PathElem::Impl(ImplElem::Ty(bound)) => {
                    segments.clear();
                    base = Some(type_head(&self.ty(&bound.skip_binder, &Scope::of(&bound.params))));
                }
                PathElem::Impl(ImplElem::Other(_))
                | PathElem::Instantiated(_)
                | PathElem::Target(_)
                | PathElem::Other(_) => {}
            }
        }
        if let Some(base) = base {
            return if segments.is_empty() {
                base.into()
            } else {
                format!("{base}::{}", segments.join("::")).into()
            };
        }
        match segments.first().map(String::as_str) {
            Some("core" | "alloc" | "std") => {
                let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
                visible_path(&segments)
            }
            _ => segments.join("::").into(),
        }
    }

    /// What stands in front of the items of an implementation: `<SELF as TRAIT>`, or a closure's path.
    fn impl_base(&self, id: usize) -> String {
        if let Some(closure) = self.closure_of_impl(id) {
            return self.plain_path(&closure.item_meta.name).to_string();
        }
        match self.krate.trait_impls.get(id).and_then(Option::as_ref) {
            Some(item) => match self.trait_of(&item.impl_trait, &Scope::of(&item.generics)) {
                Some(trait_ref) => self.names.elided_trait_ref(&trait_ref).to_string(),
                None => format!("?impl{id}"),
            },
            None => format!("?impl{id}"),
        }
    }

    /// The arguments of the copy of a generic item that Charon made, if the name is of one.
    pub fn instance_args(&self, name: &[PathElem]) -> Option<Vec<GenericArg>> {
        name.iter().rev().find_map(|elem| match elem {
            PathElem::Instantiated(args) => Some(self.args(&args.skip_binder, &Scope::of(&args.params))),
            _ => None,
        })
    }

    /// The path of an item that stands for itself alone: copies of one generic item are told apart by their arguments.
    pub fn own_path(&self, name: &[PathElem]) -> Path {
        let plain = self.plain_path(name);
        match self.instance_args(name) {
            Some(args) if !args.is_empty() => with_args(&plain, &args),
            _ => plain,
        }
    }
}

/// `path::<args>`
pub fn with_args(path: &Path, args: &[GenericArg]) -> Path {
    let args: Vec<String> = args.iter().map(GenericArg::to_string).collect();
    format!("{path}::<{}>", args.join(", ")).into()
}

/// The last identifier of a name.
pub fn last_ident(name: &[PathElem]) -> Option<&str> {
    name.iter().rev().find_map(|elem| match elem {
        PathElem::Ident((text, _)) => Some(text.as_str()),
        _ => None,
    })
}

/// The crate that a name begins with.
pub fn crate_of(name: &[PathElem]) -> &str {
    match name.first() {
        Some(PathElem::Ident((text, _))) => text,
        _ => "",
    }
}

/// Whether a name is that of an item of the standard library.
pub fn is_std(name: &[PathElem]) -> bool {
    matches!(crate_of(name), "core" | "alloc" | "std")
}
