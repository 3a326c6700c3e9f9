//! The functions and types of a crate as its source text has them.
//!
//! Modules are followed from the crate's root file, and items among the statements of bodies are seen ([`nested`]). What only
//! macro expansion contains is not; where macros stand is, and of types the compiler tells ([`declared`]). Nothing is resolved: the glue is written next to the item it is for, where its names mean the same.

mod declared;
mod find;
mod fn_pointers;
mod nested;
mod stand_ins;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use quote::ToTokens;
use regress_core::ir::{GivenFields, Name, OtherFields};
use syn::spanned::Spanned;

pub use self::stand_ins::StandIn;
use self::stand_ins::TraitItem;
use super::effects::{Mentions, macros};
use super::literals::Literals;
use super::request::{HarnessError, Param, Returns};
use super::syntax::{
    AttrForm, cfg_text, collect_idents, collect_literals, either_cfg, for_tests_only, header, held_types,
    ident, lexical, lines, main_body, mentions_debug_derive, normalize, parent, path_attribute, projections,
    relaxed_lints, replace_words, slice, with_lifetimes, without_shebang,
};

/// All that the glue needs to know of a crate.
#[derive(Debug, Default)]
pub struct Scan {
    pub files: BTreeMap<Utf8PathBuf, FileScan>,
    /// The root module is the first.
    pub modules: Vec<Module>,
    pub functions: Vec<FnItem>,
    pub adts: Vec<AdtItem>,
    /// Identifiers in what type aliases stand for, by the alias's name.
    pub aliases: BTreeMap<String, BTreeSet<String>>,
    /// What each macro of the crate may expand to, by name.
    pub macros: BTreeMap<String, Mentions>,
    /// Names under which the crate hands on what acts on the outside world.
    pub exported_effects: BTreeMap<String, String>,
    /// Constants in the values of constants and statics, by name.
    pub constants: BTreeMap<String, Literals>,
    traits: Vec<TraitItem>,
    /// What is declared for types that stand for those of traits, by their numbers.
    pub stand_ins: BTreeMap<usize, StandIn>,
}

/// A file with its text as the copy will have it (no byte order mark, line feeds only) before glue is added.
#[derive(Debug)]
pub struct FileScan {
    pub text: String,
    /// `forbid` and `deny` in attributes: byte ranges to be relaxed.
    pub relaxed: Vec<std::ops::Range<usize>>,
    /// `#![cfg(…)]` of the file, as attributes before an item.
    inner_cfgs: String,
    /// Where the body of the crate's `main` begins.
    pub main_body: Option<usize>,
    /// Lines of `macro_rules!` items.
    pub macro_definitions: Vec<Lines>,
    /// Lines of macro calls that stand for items.
    pub macro_calls: Vec<Lines>,
}

/// From the first to the last line; both count from 1.
pub type Lines = std::ops::RangeInclusive<u32>;

#[derive(Debug)]
pub struct Module {
    /// With the crate's name.
    pub path: String,
    pub file: Utf8PathBuf,
    pub lines: Lines,
    /// Where items can be added: before the closing brace, or at the end of the file.
    pub end: usize,
    /// `#[cfg(…)]` attributes that decide whether the module is there.
    pub cfgs: String,
    pub name: String,
    pub children: Vec<usize>,
    pub scope: Scope,
}

/// What the items of a [`Module`] stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Module,
    /// The body of a function, in which nothing can be named from outside.
    Body {
        /// The module around it.
        home: usize,
    },
}

#[derive(Debug)]
pub struct FnItem {
    pub module: usize,
    pub name: String,
    /// From the first attribute to the line of the body's opening brace.
    pub header: Lines,
    /// How the function is named from its module: `f`, `<T>::f`, `<T as Tr>::f`.
    pub callee: String,
    pub generics: FnGenerics,
    pub cfgs: String,
    pub params: Vec<Param>,
    /// What each parameter is called in the body; none of patterns.
    pub names: Vec<Option<String>>,
    /// Where the body begins, behind its brace.
    pub body: usize,
    /// The parameters whose type is `impl Trait`, with the number of references in front of it.
    pub unnamed: BTreeMap<usize, usize>,
    /// Names of types that it takes values of, as far as the crate may define them.
    pub takes: BTreeSet<String>,
    /// The parameters whose type depends on what generic parameters stand for.
    pub generic: BTreeSet<usize>,
    pub returns: Returns,
    pub passing: Passing,
    /// Why it cannot be called, if something in its signature says so.
    pub obstacle: Option<String>,
    pub mentions: Mentions,
    pub literals: Literals,
}

/// How a function is handed to code that takes what implements `FnOnce`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    ByName,
    /// In a closure that calls it: functions of another ABI and those with `#[target_feature]` do not implement it.
    ByCall,
}

/// Type and constant parameters by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FnGenerics {
    /// Those of the impl or trait, as they occur in the callee.
    pub outer: Vec<String>,
    pub own: Vec<String>,
}

#[derive(Debug)]
pub struct AdtItem {
    pub module: usize,
    pub name: String,
    /// Canonical.
    pub path: String,
    /// How it is written anywhere, if it is of another crate.
    pub foreign: Option<String>,
    /// Whether glue cannot see its fields.
    pub hides_fields: bool,
    pub kind: AdtShape,
    pub cfgs: String,
    pub generics: Vec<Generic>,
    /// Predicates of the `where` clause, each with a comma.
    pub predicates: String,
    pub variants: Vec<VariantItem>,
    pub derives_debug: bool,
    /// Whether what its `Debug` prints says nothing of whether two values are the same.
    pub is_compared_by_parts: bool,
    /// Whether it stands for the fields that both versions have.
    pub completed: Option<Completion>,
}

/// Where the fields have their values from that a value given to both versions does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// This version has none.
    Whole,
    ByDefault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdtShape {
    Struct,
    Enum,
}

#[derive(Debug)]
pub enum Generic {
    Lifetime { name: String, text: String },
    Type { name: String, bounds: String },
    Const { name: String, text: String },
}

impl Generic {
    pub fn name(&self) -> &str {
        match self {
            Generic::Lifetime { name, .. } | Generic::Type { name, .. } | Generic::Const { name, .. } => name,
        }
    }
}

#[derive(Debug)]
pub struct VariantItem {
    pub name: String,
    pub ctor: Ctor,
    pub cfgs: String,
    pub fields: Vec<FieldItem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ctor {
    Unit,
    Tuple,
    Struct,
}

#[derive(Debug)]
pub struct FieldItem {
    pub name: String,
    pub ty: String,
    pub cfgs: String,
    /// Identifiers in its type.
    pub idents: BTreeSet<String>,
    /// Names of types of which it may hold values, as far as the crate may define them.
    pub held: BTreeSet<String>,
    /// Associated types of the definition's parameters in its type.
    pub projections: BTreeSet<String>,
    pub holds: Holds,
}

/// What a field is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Data,
    /// A function pointer that cannot be made: values of an enum are made without it.
    Code,
}

impl AdtItem {
    /// Keeps these fields of a struct, if its text shows all of them.
    pub fn keep_fields(&mut self, given: &GivenFields) {
        let [variant] = self.variants.as_mut_slice() else { return };
        let place = |name: &Name| {
            variant.fields.iter().position(|field| *name == field.name.as_str() && field.cfgs.is_empty())
        };
        let Some(places) = given.names.iter().map(place).collect::<Option<Vec<usize>>>() else { return };
        let mut fields: Vec<Option<FieldItem>> = variant.fields.drain(..).map(Some).collect();
        variant.fields = places.into_iter().filter_map(|place| fields[place].take()).collect();
        let is_left = fields.iter().any(Option::is_some);
        self.completed = match given.others {
            OtherFields::None => None,
            OtherFields::ByDefault if is_left => Some(Completion::ByDefault),
            OtherFields::ByDefault => Some(Completion::Whole),
        };
    }

    /// Whether the definition lets a type parameter stand for `str` or a slice.
    pub fn may_be_unsized(&self, generic: &Generic) -> bool {
        let Generic::Type { name, bounds } = generic else { return false };
        let says_so = |predicate: &str| {
            let (of, bounds) = predicate.split_once(':').unwrap_or_default();
            of.trim() == name && bounds.contains("?Sized")
        };
        bounds.contains("?Sized") || self.predicates.split(',').any(says_so)
    }

    pub fn is_struct(&self) -> bool {
        self.kind == AdtShape::Struct
    }
}

impl VariantItem {
    pub fn holds(&self) -> Holds {
        let code = self.fields.iter().find(|field| field.holds == Holds::Code);
        code.map_or(Holds::Data, |field| field.holds)
    }
}

/// Reads the crate whose root file is `root`; `files` are relative to the workspace's root.
pub fn scan(
    files: &BTreeMap<Utf8PathBuf, String>,
    root: &Utf8Path,
    crate_name: &str,
) -> Result<Scan, HarnessError> {
    if !files.contains_key(root) {
        return Err(HarnessError::NoRoot { path: root.to_owned(), crate_name: crate_name.to_string() });
    }
    let mut scanner = Scanner { files, scan: Scan::default() };
    let dir = parent(root);
    let place = Place { file: root.to_owned(), file_dir: dir.clone(), child_dir: dir };
    scanner.file_module(place, crate_name.to_string(), crate_name.to_string(), String::new())?;
    Ok(scanner.scan)
}

struct Scanner<'a> {
    files: &'a BTreeMap<Utf8PathBuf, String>,
    scan: Scan,
}

/// Where a module stands, and where its child modules' files are.
#[derive(Clone)]
struct Place {
    file: Utf8PathBuf,
    file_dir: Utf8PathBuf,
    child_dir: Utf8PathBuf,
}

impl Scanner<'_> {
    /// Reads a file as a module; none if it is a module's already: another one's, or of one that is declared twice, for two configurations.
    fn file_module(
        &mut self,
        place: Place,
        path: String,
        name: String,
        cfgs: String,
    ) -> Result<Option<usize>, HarnessError> {
        let Some(raw) = self.files.get(&place.file) else { return Ok(None) };
        if let Some(file) = self.scan.files.get(&place.file) {
            let cfgs = cfgs + &file.inner_cfgs;
            let is_known = |module: &&mut Module| module.file == place.file && module.path == path;
            if let Some(known) = self.scan.modules.iter_mut().find(is_known) {
                known.cfgs = either_cfg(&known.cfgs, &cfgs);
            }
            return Ok(None);
        }
        let text = normalize(raw);
        let parsed = syn::parse_file(&without_shebang(&text)).map_err(|error| HarnessError::Source {
            path: place.file.clone(),
            line: error.span().start().line,
            reason: error.to_string(),
        })?;
        let mut relaxed = Vec::new();
        relaxed_lints(&parsed.attrs, &mut relaxed);
        let inner = cfg_text(&parsed.attrs, &text, AttrForm::AsOuter);
        let file = FileScan {
            relaxed,
            inner_cfgs: inner.clone(),
            main_body: main_body(&parsed.items),
            text: text.clone(),
            macro_definitions: Vec::new(),
            macro_calls: Vec::new(),
        };
        self.scan.files.insert(place.file.clone(), file);
        let lines = 1..=u32::MAX;
        let id = self.open(path, &place, (lines, text.len()), cfgs + &inner, name);
        self.items(&parsed.items.iter().collect::<Vec<_>>(), id, &place, &text, &Mentions::default())?;
        Ok(Some(id))
    }

    fn open(
        &mut self,
        path: String,
        place: &Place,
        (lines, end): (Lines, usize),
        cfgs: String,
        name: String,
    ) -> usize {
        self.scan.modules.push(Module {
            path,
            file: place.file.clone(),
            lines,
            end,
            cfgs,
            name,
            children: Vec::new(),
            scope: Scope::Module,
        });
        self.scan.modules.len() - 1
    }

    /// `around` is what is imported where the module or body stands, if its items see that too.
    fn items(
        &mut self,
        items: &[&syn::Item],
        module: usize,
        place: &Place,
        text: &str,
        around: &Mentions,
    ) -> Result<(), HarnessError> {
        let imports = Mentions::imported(items).within(around);
        macros(items, &imports, &mut self.scan.macros);
        self.scan.exported_effects.extend(Mentions::exported(items));
        for item in items {
            match item {
                syn::Item::Mod(item) => self.module(item, module, place, text)?,
                syn::Item::Fn(item) => {
                    self.relax(place, &item.attrs);
                    let header =
                        header(&item.attrs, item.vis.span(), &item.sig, item.block.brace_token.span.open());
                    let context = Context { module, owner: Owner::Module, text, imports: &imports };
                    self.function(&context, &item.attrs, &item.sig, &item.block, header)?;
                }
                syn::Item::Const(item) => self.constant(&item.ident, &item.expr),
                syn::Item::Static(item) => self.constant(&item.ident, &item.expr),
                syn::Item::Macro(item) => self.macro_item(item, place),
                syn::Item::Impl(item) => self.implementation(item, module, place, text, &imports)?,
                syn::Item::Trait(item) => {
                    let cfgs = cfg_text(&item.attrs, text, AttrForm::AsWritten);
                    self.scan.traits.push(stand_ins::read(item, module, cfgs, text));
                    let own = param_names(&item.generics);
                    let arguments =
                        if own.is_empty() { String::new() } else { format!("<{}>", own.join(", ")) };
                    let owner = Owner::Trait {
                        callee: format!("<Self as {}{arguments}>", item.ident),
                        generics: std::iter::once("Self".to_string()).chain(own).collect(),
                    };
                    for member in &item.items {
                        if let syn::TraitItem::Fn(method) = member
                            && let Some(block) = &method.default
                        {
                            let header = header(
                                &method.attrs,
                                method.sig.span(),
                                &method.sig,
                                block.brace_token.span.open(),
                            );
                            let context = Context { module, owner: owner.clone(), text, imports: &imports };
                            self.function(&context, &method.attrs, &method.sig, block, header)?;
                        }
                    }
                }
                syn::Item::Type(item) => {
                    let idents = self.scan.aliases.entry(ident(&item.ident)).or_default();
                    collect_idents(item.ty.to_token_stream(), idents);
                }
                syn::Item::Struct(item) => {
                    let fields = fields(&item.fields, &type_params(&item.generics), text);
                    let variant = VariantItem {
                        name: ident(&item.ident),
                        ctor: ctor(&item.fields),
                        cfgs: String::new(),
                        fields,
                    };
                    self.adt(
                        AdtShape::Struct,
                        &item.attrs,
                        &item.ident,
                        &item.generics,
                        vec![variant],
                        module,
                        text,
                    );
                }
                syn::Item::Enum(item) => {
                    let variants = item
                        .variants
                        .iter()
                        .map(|variant| VariantItem {
                            name: ident(&variant.ident),
                            ctor: ctor(&variant.fields),
                            cfgs: cfg_text(&variant.attrs, text, AttrForm::AsWritten),
                            fields: fields(&variant.fields, &type_params(&item.generics), text),
                        })
                        .collect();
                    self.adt(
                        AdtShape::Enum,
                        &item.attrs,
                        &item.ident,
                        &item.generics,
                        variants,
                        module,
                        text,
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn module(
        &mut self,
        item: &syn::ItemMod,
        parent_id: usize,
        place: &Place,
        text: &str,
    ) -> Result<(), HarnessError> {
        if for_tests_only(&item.attrs) {
            return Ok(());
        }
        self.relax(place, &item.attrs);
        let name = ident(&item.ident);
        let path = format!("{}::{name}", self.scan.modules[parent_id].path);
        let cfgs = cfg_text(&item.attrs, text, AttrForm::AsWritten);
        let child = match &item.content {
            Some((brace, items)) => {
                let place = Place { child_dir: place.child_dir.join(&name), ..place.clone() };
                let end = brace.span.close().byte_range().start;
                let inner = cfg_text(&item.attrs, text, AttrForm::AsOuter);
                let id =
                    self.open(path, &place, (lines(item.span()), end), cfgs + &inner, item.ident.to_string());
                self.items(&items.iter().collect::<Vec<_>>(), id, &place, text, &Mentions::default())?;
                Some(id)
            }
            None => match self.module_file(item, parent_id, place, &name) {
                Some(place) => self.file_module(place, path, item.ident.to_string(), cfgs)?,
                None => None,
            },
        };
        self.scan.modules[parent_id].children.extend(child);
        Ok(())
    }

    /// Where `mod name;` has its source.
    fn module_file(&self, item: &syn::ItemMod, parent_id: usize, place: &Place, name: &str) -> Option<Place> {
        let inline = self.scan.modules[parent_id].end != self.scan.files[&place.file].text.len();
        if let Some(given) = path_attribute(&item.attrs) {
            let base = if inline { &place.child_dir } else { &place.file_dir };
            let file = lexical(&base.join(given));
            let dir = parent(&file);
            return Some(Place { file, file_dir: dir.clone(), child_dir: dir });
        }
        let flat = place.child_dir.join(format!("{name}.rs"));
        let nested = place.child_dir.join(name).join("mod.rs");
        let file = [flat, nested].into_iter().find(|file| self.files.contains_key(file))?;
        Some(Place { file_dir: parent(&file), child_dir: place.child_dir.join(name), file })
    }

    fn implementation(
        &mut self,
        item: &syn::ItemImpl,
        module: usize,
        place: &Place,
        text: &str,
        imports: &Mentions,
    ) -> Result<(), HarnessError> {
        if for_tests_only(&item.attrs) {
            return Ok(());
        }
        self.relax(place, &item.attrs);
        let self_ty = with_lifetimes(slice(text, item.self_ty.span()), "'_");
        let generics = param_names(&item.generics);
        let held = held_types(&item.self_ty);
        let callee = match &item.trait_ {
            Some((path, _)) => {
                let by = BTreeMap::from([("Self", self_ty.clone())]);
                let trait_ = replace_words(&with_lifetimes(slice(text, path.span()), "'_"), &by);
                format!("<{self_ty} as {trait_}>")
            }
            None => format!("<{self_ty}>"),
        };
        let is_slice = matches!(*item.self_ty, syn::Type::Slice(_));
        let owner = Owner::Impl { callee, generics, held, is_slice };
        let cfgs = cfg_text(&item.attrs, text, AttrForm::AsWritten);
        for member in &item.items {
            if let syn::ImplItem::Fn(method) = member {
                self.relax(place, &method.attrs);
                let header = header(
                    &method.attrs,
                    method.vis.span(),
                    &method.sig,
                    method.block.brace_token.span.open(),
                );
                let context = Context { module, owner: owner.clone(), text, imports };
                self.function(&context, &method.attrs, &method.sig, &method.block, header)?;
                if let Some(function) = self.scan.functions.last_mut() {
                    function.cfgs.push_str(&cfgs);
                }
            }
        }
        Ok(())
    }

    fn function(
        &mut self,
        context: &Context<'_>,
        attrs: &[syn::Attribute],
        sig: &syn::Signature,
        block: &syn::Block,
        header: Lines,
    ) -> Result<(), HarnessError> {
        self.body(context, sig, block)?;
        let name = ident(&sig.ident);
        let callee = match &context.owner {
            Owner::Module => sig.ident.to_string(),
            Owner::Trait { callee, .. } | Owner::Impl { callee, .. } => format!("{callee}::{}", sig.ident),
        };
        let outer = match &context.owner {
            Owner::Module => Vec::new(),
            Owner::Trait { generics, .. } | Owner::Impl { generics, .. } => generics.clone(),
        };
        let mut literals = Literals::default();
        let mut mentions = context.imports.clone();
        collect_literals(block.to_token_stream(), &mut literals);
        mentions.read_body(sig, block);
        let item = FnItem {
            module: context.module,
            name,
            header,
            callee,
            generics: FnGenerics { outer, own: param_names(&sig.generics) },
            cfgs: cfg_text(attrs, context.text, AttrForm::AsWritten),
            params: sig.inputs.iter().map(|arg| param(&context.owner, arg)).collect(),
            names: sig.inputs.iter().map(name_of).collect(),
            body: block.brace_token.span.open().byte_range().end,
            unnamed: sig
                .inputs
                .iter()
                .map(impl_trait)
                .enumerate()
                .filter_map(|(at, found)| Some((at, found?)))
                .collect(),
            takes: takes(&context.owner, sig),
            generic: generic_inputs(sig),
            returns: match &sig.output {
                syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Never(_)) => Returns::Never,
                _ => Returns::Value,
            },
            passing: passing(attrs, sig),
            obstacle: obstacle(&context.owner, attrs, sig),
            mentions,
            literals,
        };
        self.scan.functions.push(item);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "struct and enum items share no syn type")]
    fn adt(
        &mut self,
        kind: AdtShape,
        attrs: &[syn::Attribute],
        name: &syn::Ident,
        generics: &syn::Generics,
        variants: Vec<VariantItem>,
        module: usize,
        text: &str,
    ) {
        if for_tests_only(attrs) {
            return;
        }
        let params = generics.params.iter().map(|param| match param {
            syn::GenericParam::Lifetime(param) => Generic::Lifetime {
                name: param.lifetime.to_string(),
                text: slice(text, param.span()).to_string(),
            },
            syn::GenericParam::Type(param) => Generic::Type {
                name: param.ident.to_string(),
                bounds: param
                    .bounds
                    .iter()
                    .map(|bound| format!("{} + ", slice(text, bound.span())))
                    .collect(),
            },
            syn::GenericParam::Const(param) => Generic::Const {
                name: param.ident.to_string(),
                text: format!("const {}: {}", param.ident, slice(text, param.ty.span())),
            },
        });
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let item = AdtItem {
            module,
            name: ident(name),
            path: format!("{}::{}", self.scan.modules[module].path, ident(name)),
            kind,
            cfgs: cfg_text(attrs, text, AttrForm::AsWritten),
            generics: params.collect(),
            predicates: predicates.map(|predicate| format!("{}, ", slice(text, predicate.span()))).collect(),
            variants,
            foreign: None,
            hides_fields: false,
            derives_debug: attrs.iter().any(mentions_debug_derive),
            is_compared_by_parts: false,
            completed: None,
        };
        self.scan.adts.push(item);
    }

    fn constant(&mut self, name: &syn::Ident, value: &syn::Expr) {
        let literals = self.scan.constants.entry(name.to_string()).or_default();
        collect_literals(value.to_token_stream(), literals);
    }

    fn macro_item(&mut self, item: &syn::ItemMacro, place: &Place) {
        if let Some(file) = self.scan.files.get_mut(&place.file) {
            let list = match item.ident {
                Some(_) => &mut file.macro_definitions,
                None => &mut file.macro_calls,
            };
            list.push(lines(item.span()));
        }
    }

    fn relax(&mut self, place: &Place, attrs: &[syn::Attribute]) {
        if let Some(file) = self.scan.files.get_mut(&place.file) {
            relaxed_lints(attrs, &mut file.relaxed);
        }
    }
}

struct Context<'a> {
    module: usize,
    owner: Owner,
    text: &'a str,
    imports: &'a Mentions,
}

#[derive(Clone)]
enum Owner {
    Module,
    /// A trait, with its parameters.
    Trait {
        callee: String,
        generics: Vec<String>,
    },
    Impl {
        callee: String,
        generics: Vec<String>,
        /// Names of types that a value of the type may hold.
        held: BTreeSet<String>,
        is_slice: bool,
    },
}

fn takes(owner: &Owner, sig: &syn::Signature) -> BTreeSet<String> {
    let taken = |input: &syn::FnArg| match (input, owner) {
        (syn::FnArg::Typed(typed), _) => held_types(&typed.ty),
        (syn::FnArg::Receiver(_), Owner::Impl { held, .. }) => held.clone(),
        (syn::FnArg::Receiver(_), Owner::Module | Owner::Trait { .. }) => BTreeSet::new(),
    };
    sig.inputs.iter().flat_map(taken).collect()
}

fn param_names(generics: &syn::Generics) -> Vec<String> {
    generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Lifetime(_) => None,
            syn::GenericParam::Type(param) => Some(param.ident.to_string()),
            syn::GenericParam::Const(param) => Some(param.ident.to_string()),
        })
        .collect()
}

fn passing(attrs: &[syn::Attribute], sig: &syn::Signature) -> Passing {
    let has_features = attrs.iter().any(|attr| attr.path().is_ident("target_feature"));
    let is_plain =
        sig.abi.as_ref().is_none_or(|abi| abi.name.as_ref().is_some_and(|name| name.value() == "Rust"));
    if is_plain && !has_features { Passing::ByName } else { Passing::ByCall }
}

/// Why a function with this signature cannot be called from generated code.
fn obstacle(owner: &Owner, attrs: &[syn::Attribute], sig: &syn::Signature) -> Option<String> {
    const MOST_PARAMS: usize = 16;
    let reason = match owner {
        _ if attrs.iter().any(|attr| ["test", "bench"].iter().any(|name| attr.path().is_ident(name))) => {
            "it is a test"
        }
        Owner::Impl { callee, .. } if callee.ends_with("Drop>") && sig.ident == "drop" => {
            "it is a destructor"
        }
        _ if matches!(sig.safety, syn::Safety::Unsafe(_)) => {
            "it is unsafe: arbitrary inputs would be undefined behaviour"
        }
        _ if sig.asyncness.is_some() => "it is async",
        _ if sig.variadic.is_some() => "it is variadic",
        _ if sig.inputs.len() > MOST_PARAMS => "it has more than 16 parameters",
        Owner::Module if sig.ident == "main" && sig.inputs.is_empty() => "it is the program's entry",
        _ => return None,
    };
    Some(reason.to_string())
}

/// The number of references in front of `impl Trait`, if the parameter is of such a type.
fn impl_trait(arg: &syn::FnArg) -> Option<usize> {
    let syn::FnArg::Typed(arg) = arg else { return None };
    let (mut ty, mut references) = (&*arg.ty, 0);
    while let syn::Type::Reference(inner) = ty {
        (ty, references) = (&inner.elem, references + 1);
    }
    matches!(ty, syn::Type::ImplTrait(_)).then_some(references)
}

/// The parameters whose type names one of the function's own type parameters, or is `impl Trait`.
fn generic_inputs(sig: &syn::Signature) -> BTreeSet<usize> {
    let names = param_names(&sig.generics);
    let is_generic = |arg: &syn::FnArg| {
        let mut idents = BTreeSet::new();
        collect_idents(arg.to_token_stream(), &mut idents);
        impl_trait(arg).is_some() || names.iter().any(|name| idents.contains(name))
    };
    (0..sig.inputs.len()).filter(|index| is_generic(&sig.inputs[*index])).collect()
}

fn name_of(arg: &syn::FnArg) -> Option<String> {
    match arg {
        syn::FnArg::Receiver(_) => Some("self".into()),
        syn::FnArg::Typed(arg) => match &*arg.pat {
            syn::Pat::Ident(pattern) if pattern.subpat.is_none() => Some(pattern.ident.to_string()),
            _ => None,
        },
    }
}

fn param(owner: &Owner, arg: &syn::FnArg) -> Param {
    let ty = match arg {
        syn::FnArg::Receiver(receiver) => match &receiver.kind {
            syn::ReceiverKind::Reference(_, _, Some(_)) => {
                return match owner {
                    Owner::Impl { is_slice: true, .. } => Param::MutSlice,
                    _ => Param::MutRef,
                };
            }
            syn::ReceiverKind::Typed(_, ty) => ty,
            _ => return Param::Value,
        },
        syn::FnArg::Typed(arg) => &arg.ty,
    };
    match &**ty {
        syn::Type::Reference(reference) if reference.mutability.is_some() => match &*reference.elem {
            syn::Type::Slice(_) => Param::MutSlice,
            inner if is_object(inner) => Param::Value,
            syn::Type::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == "Formatter") =>
            {
                Param::Formatter
            }
            _ => Param::MutRef,
        },
        _ => Param::Value,
    }
}

fn is_object(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Paren(inner) => is_object(&inner.elem),
        syn::Type::TraitObject(_) => true,
        _ => false,
    }
}

fn type_params(generics: &syn::Generics) -> BTreeSet<String> {
    generics.type_params().map(|param| ident(&param.ident)).collect()
}

/// `params` are names of type parameters.
fn fields(fields: &syn::Fields, params: &BTreeSet<String>, text: &str) -> Vec<FieldItem> {
    fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let mut idents = BTreeSet::new();
            collect_idents(field.ty.to_token_stream(), &mut idents);
            FieldItem {
                name: field.ident.as_ref().map_or_else(|| index.to_string(), ident),
                ty: slice(text, field.ty.span()).to_string(),
                cfgs: cfg_text(&field.attrs, text, AttrForm::AsWritten),
                idents,
                held: held_types(&field.ty),
                projections: projections(&field.ty, params),
                holds: fn_pointers::held_by(&field.ty),
            }
        })
        .collect()
}

fn ctor(fields: &syn::Fields) -> Ctor {
    match fields {
        syn::Fields::Unit => Ctor::Unit,
        syn::Fields::Unnamed(_) => Ctor::Tuple,
        syn::Fields::Named(_) => Ctor::Struct,
    }
}
