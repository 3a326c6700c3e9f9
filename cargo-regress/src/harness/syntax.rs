//! Small questions to syntax trees and to source text.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::spanned::Spanned;

use super::literals::Literals;
use super::scan::Lines;

/// For a visitor that puts something into code that is run: what the compiler evaluates is passed over.
macro_rules! pass_over_what_the_compiler_evaluates {
    () => {
        fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
        fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
        fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
        fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
        fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
        fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
        fn visit_type(&mut self, _: &'ast syn::Type) {}
        fn visit_path(&mut self, _: &'ast syn::Path) {}
        fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
            self.visit_expr(&repeat.expr);
        }
    };
}

pub(super) use pass_over_what_the_compiler_evaluates;

pub fn collect_idents(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            TokenTree::Group(group) => collect_idents(group.stream(), into),
            _ => {}
        }
    }
}

/// Names of types of which a value of the type may hold values, if this crate defines them: a path that begins with another crate or
/// module is passed over, as are pointers to functions, what stands for a trait, and what `PhantomData` is of.
pub fn held_types(ty: &syn::Type) -> BTreeSet<String> {
    #[derive(Default)]
    struct Held(BTreeSet<String>);
    impl<'ast> syn::visit::Visit<'ast> for Held {
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}

        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {}

        fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {}

        fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
            let (Some(first), Some(last)) = (ty.path.segments.first(), ty.path.segments.last()) else {
                return;
            };
            if last.ident == "PhantomData" {
                return;
            }
            let within = ["crate", "self", "super"].iter().any(|root| first.ident == root);
            if ty.qself.is_none() && (within || ty.path.segments.len() == 1) {
                self.0.insert(ident(&last.ident));
            }
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut held = Held::default();
    syn::visit::Visit::visit_type(&mut held, ty);
    held.0
}

/// Associated types of these type parameters in the type, as they are written.
pub fn projections(ty: &syn::Type, params: &BTreeSet<String>) -> BTreeSet<String> {
    struct Projections<'p> {
        params: &'p BTreeSet<String>,
        found: BTreeSet<String>,
    }
    impl<'ast> syn::visit::Visit<'ast> for Projections<'_> {
        fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
            let is_param = |ty: &syn::Type| {
                let text = ty.to_token_stream().to_string();
                self.params.contains(&text)
            };
            let is_projection = match &ty.qself {
                Some(of) => is_param(&of.ty),
                None => {
                    let first = ty.path.segments.first();
                    ty.path.segments.len() > 1
                        && first.is_some_and(|first| self.params.contains(&ident(&first.ident)))
                }
            };
            match is_projection {
                true => {
                    self.found.insert(ty.to_token_stream().to_string());
                }
                false => syn::visit::visit_type_path(self, ty),
            }
        }
    }
    let mut projections = Projections { params, found: BTreeSet::new() };
    syn::visit::Visit::visit_type(&mut projections, ty);
    projections.found
}

pub fn collect_literals(tokens: TokenStream, into: &mut Literals) {
    const LONGEST: usize = 64;
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => match syn::Lit::new(literal) {
                syn::Lit::Int(value) => into.ints.extend(value.base10_parse::<u128>().ok()),
                syn::Lit::Float(value) => {
                    into.floats.extend(value.base10_parse::<f64>().ok().map(f64::to_bits))
                }
                syn::Lit::Char(value) => {
                    into.texts.insert(value.value().to_string());
                }
                syn::Lit::Byte(value) => {
                    into.ints.insert(value.value().into());
                }
                syn::Lit::Str(value) if (1..=LONGEST).contains(&value.value().len()) => {
                    into.texts.insert(value.value());
                }
                syn::Lit::ByteStr(value) if value.value().len() <= LONGEST => {
                    into.texts.extend(String::from_utf8(value.value()).ok().filter(|text| !text.is_empty()));
                }
                _ => {}
            },
            TokenTree::Group(group) => collect_literals(group.stream(), into),
            _ => {}
        }
    }
}

/// An identifier as paths have it, without `r#`.
pub fn ident(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_string).unwrap_or(text)
}

pub fn slice(text: &str, span: proc_macro2::Span) -> &str {
    text.get(span.byte_range()).unwrap_or_default()
}

pub fn header(
    attrs: &[syn::Attribute],
    visibility: proc_macro2::Span,
    sig: &syn::Signature,
    body: proc_macro2::Span,
) -> Lines {
    let starts = attrs.iter().map(|attr| attr.span()).chain([visibility, sig.span()]);
    // The span of an absent visibility is that of no text at all and points to line 1.
    let first = starts.filter(|span| !span.byte_range().is_empty()).map(|span| span.start().line).min();
    line_number(first.unwrap_or(0))..=line_number(body.end().line)
}

pub fn lines(span: proc_macro2::Span) -> Lines {
    line_number(span.start().line)..=line_number(span.end().line)
}

fn line_number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

pub enum AttrForm {
    /// Attributes as they stand before an item.
    AsWritten,
    /// Inner attributes, rewritten to stand before an item.
    AsOuter,
}

/// The `#[cfg(…)]` attributes in one line.
pub fn cfg_text(attrs: &[syn::Attribute], text: &str, form: AttrForm) -> String {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"))
        .filter(|attr| matches!(attr.style, syn::AttrStyle::Inner(_)) == matches!(form, AttrForm::AsOuter))
        .map(|attr| format!("#[{}] ", slice(text, attr.meta.span()).replace('\n', " ")))
        .collect()
}

/// The attributes of what is there where all of the one or all of the other hold; none where either has none.
pub fn either_cfg(one: &str, two: &str) -> String {
    let all_of = |cfgs: &str| -> String {
        let attrs = syn::Attribute::parse_outer.parse_str(cfgs).unwrap_or_default();
        let conditions = attrs.iter().filter_map(|attr| attr.parse_args::<TokenStream>().ok());
        let conditions: Vec<String> = conditions.map(|condition| condition.to_string()).collect();
        conditions.join(", ")
    };
    match (all_of(one), all_of(two)) {
        (one, two) if one.is_empty() || two.is_empty() => String::new(),
        (one, two) => format!("#[cfg(any(all({one}), all({two})))] "),
    }
}

pub fn for_tests_only(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

pub fn path_attribute(attrs: &[syn::Attribute]) -> Option<String> {
    attrs.iter().find(|attr| attr.path().is_ident("path")).and_then(|attr| match &attr.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }),
            ..
        }) => Some(path.value()),
        _ => None,
    })
}

/// Lints that the generated code must be free of: `forbid(…)` and `deny(…)`, under `cfg_attr` too.
pub fn relaxed_lints(attrs: &[syn::Attribute], into: &mut Vec<std::ops::Range<usize>>) {
    fn walk(tokens: TokenStream, into: &mut Vec<std::ops::Range<usize>>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if ident == "forbid" || ident == "deny" => {
                    into.push(ident.span().byte_range());
                }
                TokenTree::Group(group) => walk(group.stream(), into),
                _ => {}
            }
        }
    }
    for attr in attrs {
        let lint = ["forbid", "deny", "cfg_attr"].iter().any(|name| attr.path().is_ident(name));
        if lint {
            walk(attr.meta.to_token_stream(), into);
        }
    }
}

pub fn mentions_debug_derive(attr: &syn::Attribute) -> bool {
    let mut idents = BTreeSet::new();
    collect_idents(attr.meta.to_token_stream(), &mut idents);
    idents.contains("derive") && idents.contains("Debug")
}

pub fn main_body(items: &[syn::Item]) -> Option<usize> {
    items.iter().find_map(|item| match item {
        syn::Item::Fn(item) if item.sig.ident == "main" => {
            Some(item.block.brace_token.span.open().byte_range().end)
        }
        _ => None,
    })
}

/// Replaces every lifetime in the text of a type.
pub fn with_lifetimes(text: &str, lifetime: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\'') {
        let name: String = rest[at + 1..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let after = at + 1 + name.len();
        if name.is_empty() || rest[after..].starts_with('\'') {
            // A character literal among generic arguments.
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
        } else {
            out.push_str(&rest[..at]);
            out.push_str(lifetime);
            rest = &rest[after..];
        }
    }
    out + rest
}

pub fn normalize(raw: &str) -> String {
    raw.strip_prefix('\u{feff}').unwrap_or(raw).replace("\r\n", "\n")
}

/// Blanks a `#!` line, so that offsets stay what they are.
pub fn without_shebang(text: &str) -> String {
    let attribute = text.strip_prefix("#!").is_some_and(|rest| rest.trim_start().starts_with('['));
    if !text.starts_with("#!") || attribute {
        return text.to_string();
    }
    let line = text.find('\n').unwrap_or(text.len());
    " ".repeat(line) + &text[line..]
}

pub fn parent(path: &Utf8Path) -> Utf8PathBuf {
    path.parent().map(Utf8Path::to_owned).unwrap_or_default()
}

/// Resolves `.` and `..` in the text of a path.
pub fn lexical(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            camino::Utf8Component::CurDir => {}
            camino::Utf8Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Replaces identifiers that are not part of a longer path.
pub fn replace_words(text: &str, by: &BTreeMap<&str, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let word = &rest[start..];
        let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        out.push_str(&rest[..start]);
        let (word, after) = word.split_at(end);
        let segment = out.ends_with("::") || out.ends_with('\'');
        match by.get(word).filter(|_| !segment) {
            Some(replacement) => out.push_str(replacement),
            None => out.push_str(word),
        }
        rest = after;
    }
    out + rest
}
