//! Structs, enums, unions, traits, implementations and functions of rustdoc's JSON.

use std::collections::BTreeMap;

use regress_core::ir::{
    Adt, AdtKind, CtorKind, Field, GenericArg, IntTy, Name, Subst, Ty, TyKind, Variant, Visibility,
};
use serde_json::Value;

use super::super::scope::generics_of;
use super::{AdtDoc, Docs, FnDoc, ImplDoc, Reader, TraitDoc, array, inner, span, text};

impl Reader<'_> {
    pub(super) fn items(&mut self, docs: &mut Docs) {
        for id in self.local_ids() {
            let item = &self.index[id];
            let Some((kind, content)) = inner(item) else { continue };
            self.enter(&content["generics"]);
            match kind {
                "struct" | "enum" | "union" => docs.adts.extend(self.adt(id, item, kind, content)),
                "trait" => docs.traits.extend(self.trait_(id, content)),
                "type_alias" => {
                    let ty = self.ty(&content["type"]);
                    if array(&content["generics"]["params"]).is_empty() {
                        docs.named_types.push(ty.clone());
                    }
                    if let Some((path, _)) = self.path_of(id) {
                        docs.type_aliases.push((path, self.params(&content["generics"]), ty));
                    }
                }
                "impl" => docs.impls.extend(self.implementation(item, content)),
                "function" | "constant" | "static" => {
                    // Items of implementations and traits have no path of their own.
                    if let Some((path, _)) = self.path_of(id) {
                        docs.functions.insert(path, self.function(item, content, self.is_reachable(id)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Makes the const parameters of an item known to its constants.
    fn enter(&mut self, generics: &Value) {
        self.const_params.clear();
        self.enter_too(generics);
    }

    fn enter_too(&mut self, generics: &Value) {
        for param in array(&generics["params"]) {
            if param["kind"]["const"].is_object() {
                self.const_params.insert(text(&param["name"]).to_owned());
            }
        }
    }

    fn function(&self, item: &Value, content: &Value, visibility: Visibility) -> FnDoc {
        FnDoc {
            params: self.params(&content["generics"]),
            span: span(item),
            visibility,
            bounds: self.bounds(&content["generics"]),
            literal: self.literal(content),
        }
    }

    fn adt(&self, id: &str, item: &Value, kind: &str, content: &Value) -> Option<AdtDoc> {
        let (path, _) = self.path_of(id)?;
        let params = self.params(&content["generics"]);
        let name = Name::new(text(&item["name"]));
        let (kind, variants) = match kind {
            "enum" => (AdtKind::Enum, self.enum_variants(content)?),
            "union" => {
                let fields = self.fields(array(&content["fields"]), Visibility::Private)?;
                let variant = Variant { name, ctor: CtorKind::Struct, fields, discriminant: 0 };
                (AdtKind::Union, vec![variant])
            }
            _ => {
                let (ctor, fields) = self.constructor(&content["kind"], Visibility::Private)?;
                (AdtKind::Struct, vec![Variant { name, ctor, fields, discriminant: 0 }])
            }
        };
        let adt = Adt {
            path,
            kind,
            generics: generics_of(&params),
            bounds: self.bounds(&content["generics"]),
            variants,
            discriminant_ty: repr_int(item).unwrap_or(IntTy::Isize),
            visibility: self.is_reachable(id),
            origin_crate: self.prefix.into(),
            span: None,
        };
        let is_lifetime = |param: &&Value| !param["kind"]["lifetime"].is_null();
        let lifetimes = array(&content["generics"]["params"]).iter().filter(is_lifetime).count();
        Some(AdtDoc { adt, params, lifetimes, span: span(item) })
    }

    fn enum_variants(&self, content: &Value) -> Option<Vec<Variant>> {
        let mut next = 0i128;
        array(&content["variants"])
            .iter()
            .map(|id| {
                let item = self.item(id)?;
                let (_, variant) = inner(item)?;
                if let Some(value) = variant["discriminant"]["value"].as_str() {
                    next = value.parse().ok()?;
                }
                // The fields of a variant are as visible as the enum.
                let (ctor, fields) = self.constructor(&variant["kind"], Visibility::Public)?;
                let discriminant = next;
                next = next.wrapping_add(1);
                Some(Variant { name: text(&item["name"]).into(), ctor, fields, discriminant })
            })
            .collect()
    }

    /// `default` is the visibility of a field without any.
    fn constructor(&self, kind: &Value, default: Visibility) -> Option<(CtorKind, Vec<Field>)> {
        if kind.is_string() {
            return Some((CtorKind::Unit, Vec::new()));
        }
        if let Some(fields) = kind["tuple"].as_array() {
            return Some((CtorKind::Tuple, self.fields(fields, default)?));
        }
        let named = if kind["plain"].is_object() { &kind["plain"] } else { &kind["struct"] };
        Some((CtorKind::Struct, self.fields(named["fields"].as_array()?, default)?))
    }

    fn fields(&self, ids: &[Value], default: Visibility) -> Option<Vec<Field>> {
        ids.iter()
            .map(|id| {
                let item = self.item(id)?;
                let (_, ty) = inner(item)?;
                let visibility = match item["visibility"].as_str() {
                    Some("public") => Visibility::Public,
                    Some("default") => default,
                    _ => Visibility::Private,
                };
                Some(Field { name: text(&item["name"]).into(), ty: self.ty(ty), visibility })
            })
            .collect()
    }

    fn trait_(&mut self, id: &str, content: &Value) -> Option<TraitDoc> {
        let (path, _) = self.path_of(id)?;
        let visibility = self.is_reachable(id);
        let self_ty = Ty::new(TyKind::Param("Self".into()));
        let mut supertraits = Vec::new();
        self.add_bounds(&content["bounds"], &self_ty, &mut supertraits);
        let mut items = BTreeMap::new();
        let mut types = BTreeMap::new();
        for child in array(&content["items"]) {
            let Some(item) = self.item(child) else { continue };
            let name = Name::new(text(&item["name"]));
            match inner(item) {
                Some(("assoc_type", assoc)) => {
                    let default = if assoc["type"].is_null() { &assoc["default"] } else { &assoc["type"] };
                    if !default.is_null() {
                        types.insert(name, self.ty(default));
                    }
                }
                Some((_, member)) => {
                    self.enter_too(&member["generics"]);
                    items.insert(name, self.function(item, member, visibility));
                }
                None => {}
            }
        }
        let supertraits = supertraits.into_iter().map(|bound| bound.trait_ref).collect();
        Some(TraitDoc {
            path,
            visibility,
            params: self.params(&content["generics"]),
            supertraits,
            items,
            types,
        })
    }

    /// None for what rustdoc adds by itself: auto traits and blanket implementations of other crates.
    fn implementation(&mut self, item: &Value, content: &Value) -> Option<ImplDoc> {
        let is_set = |key: &str| content[key].as_bool() == Some(true);
        if is_set("is_synthetic") || is_set("synthetic") || is_set("is_negative") || is_set("negative") {
            return None;
        }
        if !content["blanket_impl"].is_null() {
            return None;
        }
        let self_ty = self.ty(&content["for"]);
        let trait_ref = match &content["trait"] {
            Value::Null => None,
            value => Some(self.trait_ref(value, self_ty.clone())?),
        };
        let in_public_trait = match &trait_ref {
            Some(_) => super::id_text(&content["trait"]["id"]).is_some_and(|id| {
                !self.index.contains_key(&id)
                    || self.index[&id]["crate_id"].as_u64() != Some(0)
                    || self.reachable.contains(&id)
            }),
            None => false,
        };
        let type_is_public = self.ty_is_public(&content["for"]);
        let mut self_subst = Subst::new();
        self_subst.insert("Self".into(), GenericArg::Ty(self_ty.clone()));
        let mut items = BTreeMap::new();
        let mut types = BTreeMap::new();
        for child in array(&content["items"]) {
            let Some(item) = self.item(child) else { continue };
            let name = Name::new(text(&item["name"]));
            match inner(item) {
                Some(("assoc_type", assoc)) => {
                    let value = if assoc["type"].is_null() { &assoc["default"] } else { &assoc["type"] };
                    types.insert(name, self_subst.ty(&self.ty(value)));
                }
                Some((_, member)) => {
                    let named_public = item["visibility"].as_str() == Some("public") || in_public_trait;
                    let visibility = match named_public && type_is_public {
                        true => Visibility::Public,
                        false => Visibility::Private,
                    };
                    self.enter_too(&member["generics"]);
                    let mut function = self.function(item, member, visibility);
                    if takes_impl_trait(member)
                        && !function.params.iter().any(|param| param.name.as_str().starts_with("impl "))
                        && let Some(declared) = self.method_of_trait(&content["trait"], name.as_str())
                    {
                        // Of implementations for a parameter rustdoc leaves out what `impl Trait` stands for.
                        function.params = self.params(&declared["generics"]);
                        function.bounds = self.bounds(&declared["generics"]);
                    }
                    items.insert(name, function);
                }
                None => {}
            }
        }
        Some(ImplDoc {
            params: self.params(&content["generics"]),
            trait_ref,
            self_ty,
            bounds: self.bounds(&content["generics"]),
            types,
            items,
            span: span(item),
        })
    }

    /// The method of the name as a trait of the crate declares it.
    fn method_of_trait(&self, of_trait: &Value, name: &str) -> Option<&Value> {
        let (_, content) = self.index.get(&super::id_text(&of_trait["id"])?).and_then(inner)?;
        let items = array(&content["items"]).iter().filter_map(|child| self.item(child));
        items.into_iter().find(|item| text(&item["name"]) == name).and_then(inner).map(|(_, member)| member)
    }

    /// Whether the head of a type can be named from outside; foreign and primitive types can.
    fn ty_is_public(&self, ty: &Value) -> bool {
        if let Some(referee) = ty.get("borrowed_ref") {
            return self.ty_is_public(&referee["type"]);
        }
        let Some(id) = ty.get("resolved_path").and_then(|path| super::id_text(&path["id"])) else {
            return true;
        };
        let is_local = self.index.get(&id).is_some_and(|item| item["crate_id"].as_u64() == Some(0));
        !is_local || self.reachable.contains(&id)
    }
}

/// The integer of `#[repr(…)]`. Newer formats give it as data, older ones as text.
fn repr_int(item: &Value) -> Option<IntTy> {
    array(&item["attrs"]).iter().find_map(|attr| {
        let int = attr["repr"]["int"].as_str();
        let textual = || {
            let text = attr.as_str().or_else(|| attr["other"].as_str())?;
            let inner = text.split_once("repr(")?.1.split(')').next()?;
            inner.split(',').find_map(|word| IntTy::from_name(word.trim()))
        };
        int.and_then(IntTy::from_name).or_else(textual)
    })
}

/// Whether a parameter of the function is an `impl Trait`, or made of one.
fn takes_impl_trait(function: &Value) -> bool {
    fn holds(value: &Value) -> bool {
        match value {
            Value::Object(fields) => fields.contains_key("impl_trait") || fields.values().any(holds),
            Value::Array(parts) => parts.iter().any(holds),
            _ => false,
        }
    }
    holds(&function["sig"]["inputs"])
}
