//! Types whose definition no source text shows, because a macro makes them or another crate has them: as the compiler knows them.

use std::collections::BTreeSet;

use regress_core::ir::{AdtKind, CtorKind, GenericParam, GenericParamKind, stand_ins};

use super::super::callee::type_in_crate;
use super::super::request::{DeclaredField, DeclaredType, DeclaredVariant};
use super::super::syntax::{collect_idents, held_types, projections};
use super::fn_pointers::held_by;
use super::{AdtItem, AdtShape, Ctor, FieldItem, Generic, Scan, VariantItem};

impl Scan {
    /// Adds the types of which the sources say nothing, where the module that they are in is known; of those that trait objects are made of only what is
    /// taken.
    pub fn add_declared(&mut self, types: &[DeclaredType], taken: &BTreeSet<&str>, crate_name: &str) {
        let written: BTreeSet<String> = self.adts.iter().map(|adt| adt.path.clone()).collect();
        let is_wanted = |declared: &&DeclaredType| {
            let path = declared.path.as_str();
            !written.contains(path) && (stand_ins::object_of(path).is_none() || taken.contains(path))
        };
        for declared in types.iter().filter(is_wanted) {
            let kind = match declared.kind {
                AdtKind::Struct => AdtShape::Struct,
                AdtKind::Enum => AdtShape::Enum,
                // Which of its fields is set nobody knows.
                AdtKind::Union => continue,
            };
            let Some((parent, name)) = declared.path.rsplit_once("::") else { continue };
            let module = match &declared.foreign {
                Some(_) => Some(0),
                None => self.module_of(parent).filter(|module| self.modules[*module].path == parent),
            };
            let types = declared.generics.iter().filter(|param| param.kind == GenericParamKind::Type);
            let types = types.map(|param| param.name.to_string()).collect();
            // What cannot be seen is not written.
            let none = DeclaredVariant { name: name.to_owned(), ctor: CtorKind::Unit, fields: Vec::new() };
            let shown = if declared.hides_fields { std::slice::from_ref(&none) } else { &declared.variants };
            let variants = shown.iter().map(|declared| variant(declared, &types, crate_name)).collect();
            if let (Some(module), Some(variants)) = (module, variants) {
                self.adts.push(AdtItem {
                    module,
                    name: name.to_owned(),
                    path: declared.path.clone(),
                    foreign: declared.foreign.as_ref().map(|name| format!("::{name}")),
                    hides_fields: declared.hides_fields,
                    kind,
                    cfgs: String::new(),
                    generics: (0..declared.lifetimes)
                        .map(lifetime)
                        .chain(declared.generics.iter().map(generic))
                        .collect(),
                    predicates: type_in_crate(&declared.predicates, crate_name),
                    variants,
                    derives_debug: declared.has_debug,
                    is_compared_by_parts: false,
                    completed: None,
                });
            }
        }
    }
}

fn variant(declared: &DeclaredVariant, types: &BTreeSet<String>, crate_name: &str) -> Option<VariantItem> {
    Some(VariantItem {
        name: declared.name.clone(),
        ctor: match declared.ctor {
            CtorKind::Unit => Ctor::Unit,
            CtorKind::Tuple => Ctor::Tuple,
            CtorKind::Struct => Ctor::Struct,
        },
        cfgs: String::new(),
        fields: declared
            .fields
            .iter()
            .map(|declared| field(declared, types, crate_name))
            .collect::<Option<_>>()?,
    })
}

/// None if the type has no text that is Rust.
pub(super) fn field(
    declared: &DeclaredField,
    types: &BTreeSet<String>,
    crate_name: &str,
) -> Option<FieldItem> {
    let ty = type_in_crate(&declared.ty, crate_name);
    let parsed: syn::Type = syn::parse_str(&ty).ok()?;
    let mut idents = BTreeSet::new();
    collect_idents(ty.parse().ok()?, &mut idents);
    Some(FieldItem {
        name: declared.name.clone(),
        held: held_types(&parsed),
        projections: projections(&parsed, types),
        holds: held_by(&parsed),
        cfgs: String::new(),
        idents,
        ty,
    })
}

fn lifetime(at: usize) -> Generic {
    let name = format!("'l{at}");
    Generic::Lifetime { text: name.clone(), name }
}

fn generic(param: &GenericParam) -> Generic {
    let name = param.name.to_string();
    match param.kind {
        GenericParamKind::Type => Generic::Type { name, bounds: String::new() },
        GenericParamKind::Const(ty) => Generic::Const { text: format!("const {name}: {}", ty.name()), name },
    }
}
