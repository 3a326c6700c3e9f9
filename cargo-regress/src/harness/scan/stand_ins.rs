//! Types that are declared beside a trait of the crate, so that there are values that have it.
//!
//! A *listener* has a trait that nothing in the crate implements: it notes how its methods are called, and what they answer are its fields. An
//! *answerer* has one that users implement beside the crate: which of its fields a method with `&self` answers follows from the arguments, and that
//! it was called is not noted. An *object* is an enum of the types that implement a trait, and hands its methods on to them: trait objects are made of
//! it. All are built and shown as types of the crate are, and what rustc refuses of them takes with it what would be called with them.
//!
//! *Limits.* Above the traits stand only `Debug` and what the compiler sees to, and objects are of traits without parameters. Methods take `self` by
//! reference and have no parameters of types; a trait with other items that must be given has none of these.

use std::collections::BTreeSet;

use regress_core::ir::{Path, stand_ins};
use syn::spanned::Spanned as _;

use super::super::calls::shown_as_heard;
use super::super::glue::ALLOW;
use super::super::request::DeclaredField;
use super::super::syntax::{slice, with_lifetimes};
use super::{AdtItem, AdtShape, Ctor, Scan, VariantItem, declared};

/// What each method of a listener answers in turn.
const ANSWERS: usize = 3;

/// A trait by its methods.
#[derive(Debug)]
pub struct TraitItem {
    pub module: usize,
    pub name: String,
    pub cfgs: String,
    generics: Generics,
    methods: Vec<Method>,
    debug: Debug,
    /// Whether there are items that have to be given and cannot be.
    lacks: Lacks,
}

/// The parameters of a trait.
#[derive(Debug, Default)]
struct Generics {
    /// As they are declared, from `<` on: `<'a, K: Hash, V>`.
    declared: String,
    /// As they are named: `<'a, K, V>`.
    named: String,
    /// Those that stand for types and constants.
    names: Vec<String>,
}

impl Generics {
    /// None if an implementation for all of them cannot be written in the words of the trait.
    fn read(generics: &syn::Generics, text: &str) -> Option<Generics> {
        if generics.params.is_empty() && generics.where_clause.is_none() {
            return Some(Generics::default());
        }
        let mut given = Vec::new();
        let mut names = Vec::new();
        for param in &generics.params {
            given.push(match param {
                syn::GenericParam::Lifetime(param) => param.lifetime.to_string(),
                syn::GenericParam::Type(param) if param.default.is_none() => param.ident.to_string(),
                syn::GenericParam::Const(param) if param.default.is_none() => param.ident.to_string(),
                _ => return None,
            });
            if !matches!(param, syn::GenericParam::Lifetime(_)) {
                names.extend(given.last().cloned());
            }
        }
        let declared = slice(text, generics.span()).replace('\n', " ");
        let is_plain = generics.where_clause.is_none();
        is_plain.then(|| Generics { declared, named: format!("<{}>", given.join(", ")), names })
    }

    /// Whether a type is another one for other arguments.
    fn are_in(&self, ty: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        ty.split(|c| !is_word(c)).any(|word| self.names.iter().any(|name| name == word))
    }
}

/// Whether what has the trait has to have a `Debug`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Debug {
    Asked,
    NotAsked,
}

/// What of a trait cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lacks {
    Nothing,
    /// Methods that have a body of the trait's own.
    Defaults,
    Required,
}

#[derive(Debug)]
struct Method {
    name: String,
    /// From `<` on: `<'a>(&'a mut self, a0: &str) -> u8`.
    signature: String,
    arity: usize,
    receiver: Receiver,
    answer: Answer,
    need: Need,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    Shared,
    Mutable,
}

#[derive(Debug)]
enum Answer {
    Nothing,
    /// A value of this type can be kept to be given.
    Value(String),
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Required,
    Default,
}

/// What is declared for a type that stands for those of a trait.
#[derive(Debug)]
pub struct StandIn {
    pub items: Vec<String>,
}

impl StandIn {
    pub fn text(&self) -> String {
        self.items.iter().map(|item| format!("{ALLOW}{item}")).collect()
    }
}

pub(super) fn read(item: &syn::ItemTrait, module: usize, cfgs: String, text: &str) -> TraitItem {
    let mut methods = Vec::new();
    let above: Vec<Above> = item.supertraits.iter().map(above).collect();
    let generics = Generics::read(&item.generics, text);
    let mut lacks = match generics.is_some() && !above.contains(&Above::Other) {
        true => Lacks::Nothing,
        false => Lacks::Required,
    };
    let debug = match above.contains(&Above::Debug) {
        true => Debug::Asked,
        false => Debug::NotAsked,
    };
    for member in &item.items {
        let lacking = match member {
            syn::TraitItem::Fn(method) => {
                let read = method_of(method, text);
                let is_read = read.is_some();
                methods.extend(read);
                match is_read {
                    true => Lacks::Nothing,
                    // Nobody calls it on a trait object.
                    false if method.default.is_some() && is_for_sized_alone(&method.sig) => Lacks::Nothing,
                    false if method.default.is_some() => Lacks::Defaults,
                    false => Lacks::Required,
                }
            }
            syn::TraitItem::Const(item) if item.default.is_some() => Lacks::Nothing,
            _ => Lacks::Required,
        };
        lacks = lacks.max(lacking);
    }
    let generics = generics.unwrap_or_default();
    TraitItem { module, name: item.ident.to_string(), cfgs, generics, methods, debug, lacks }
}

/// What stands above a trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Above {
    /// A lifetime, or a trait that no one writes an implementation of.
    OfCompiler,
    Debug,
    Other,
}

fn above(bound: &syn::TypeParamBound) -> Above {
    let bound = match bound {
        syn::TypeParamBound::Lifetime(_) => return Above::OfCompiler,
        syn::TypeParamBound::Trait(bound) if bound.lifetimes.is_none() => bound,
        _ => return Above::Other,
    };
    let Some(last) = bound.path.segments.last() else { return Above::Other };
    match last.ident.to_string().as_str() {
        "Any" | "Send" | "Sized" | "Sync" => Above::OfCompiler,
        "Debug" => Above::Debug,
        _ => Above::Other,
    }
}

fn is_for_sized_alone(sig: &syn::Signature) -> bool {
    let has_types = sig.generics.params.iter().any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    has_types || sig.generics.where_clause.is_some() || sig.receiver().is_none()
}

fn method_of(method: &syn::TraitItemFn, text: &str) -> Option<Method> {
    let sig = &method.sig;
    let is_plain = sig.asyncness.is_none()
        && !matches!(sig.safety, syn::Safety::Unsafe(_))
        && !method.attrs.iter().any(|attr| attr.path().is_ident("cfg"));
    let mut inputs = sig.inputs.iter();
    let Some(syn::FnArg::Receiver(receiver)) = inputs.next() else { return None };
    let by_reference = matches!(receiver.kind, syn::ReceiverKind::Reference(..));
    if is_for_sized_alone(sig) || !is_plain || !by_reference {
        return None;
    }
    let mut signature = slice(text, receiver.span()).to_owned();
    for (at, input) in inputs.clone().enumerate() {
        let syn::FnArg::Typed(input) = input else { return None };
        let ty = slice(text, input.ty.span());
        if ty.contains("impl ") {
            return None;
        }
        signature.push_str(&format!(", a{at}: {ty}"));
    }
    let (answer, output) = match &sig.output {
        syn::ReturnType::Default => (Answer::Nothing, String::new()),
        syn::ReturnType::Type(_, ty) => {
            let ty = slice(text, ty.span());
            let is_value = !["Self", "impl ", "dyn ", "&mut ", "!"].iter().any(|part| ty.contains(part));
            let answer = if is_value { Answer::Value(ty.to_owned()) } else { Answer::Other };
            (answer, format!(" -> {ty}"))
        }
    };
    let generics = match sig.generics.params.is_empty() {
        true => "",
        false => slice(text, sig.generics.span()),
    };
    Some(Method {
        name: sig.ident.to_string(),
        signature: format!("{generics}({signature}){output}").replace('\n', " "),
        arity: inputs.count(),
        receiver: if receiver.mutability.is_some() { Receiver::Mutable } else { Receiver::Shared },
        answer,
        need: if method.default.is_some() { Need::Default } else { Need::Required },
    })
}

impl Scan {
    /// Declares the types of these paths that stand for those of traits.
    pub fn add_stand_ins(&mut self, wanted: &BTreeSet<&str>, crate_name: &str) {
        for path in wanted {
            let (heard, object) = (stand_ins::listened_to(path), stand_ins::object_of(path));
            let Some(trait_path) = heard.as_ref().or(object.as_ref()) else { continue };
            let of_trait = |item: &&TraitItem| {
                format!("{}::{}", self.modules[item.module].path, item.name) == trait_path.as_str()
            };
            let Some(item) = self.traits.iter().find(of_trait) else { continue };
            let asked = self.files.values().flat_map(|file| beside(&item.name, &file.text)).collect();
            if object.is_some() {
                let declared = self.adts.iter().position(|adt| adt.path == **path);
                let Some((index, items)) =
                    declared.and_then(|index| Some((index, object_of(item, &asked, &self.adts[index])?)))
                else {
                    continue;
                };
                self.stand_ins.insert(index, StandIn { items });
            } else if let Some((adt, items)) = listener(item, &asked, path, crate_name) {
                self.stand_ins.insert(self.adts.len(), StandIn { items });
                self.adts.push(adt);
            }
        }
    }

    /// The trait for which the type of this path stands, if nothing can be declared for it.
    pub fn trait_without_values(&self, path: &str) -> Option<Path> {
        let of_trait = stand_ins::listened_to(path).or_else(|| stand_ins::object_of(path))?;
        let is_declared = self.stand_ins.keys().any(|adt| self.adts[*adt].path == path);
        (!is_declared).then_some(of_trait)
    }
}

/// `self.a(…)` as each variant has it.
fn object_of(item: &TraitItem, beside: &BTreeSet<&str>, adt: &AdtItem) -> Option<Vec<String>> {
    if item.lacks > Lacks::Nothing || adt.variants.is_empty() || !item.generics.declared.is_empty() {
        return None;
    }
    let cfgs = &item.cfgs;
    let name = &adt.name;
    let fields: String =
        adt.variants.iter().map(|variant| format!("{}({}), ", variant.name, variant.fields[0].ty)).collect();
    let methods: String = (item.methods.iter())
        .map(|method| {
            let arguments: String = (0..method.arity).map(|at| format!(", a{at}")).collect();
            let arms: String = (adt.variants.iter())
                .map(|variant| {
                    format!("{name}::{}(x) => {}::{}(x{arguments}), ", variant.name, item.name, method.name)
                })
                .collect();
            format!("fn {}{} {{ match self {{ {arms}}} }} ", method.name, method.signature)
        })
        .collect();
    let mut items = vec![
        format!("{cfgs}pub enum {name} {{ {fields}}} "),
        format!("{cfgs}impl {} for {name} {{ {methods}}} ", item.name),
    ];
    if item.debug == Debug::Asked {
        let arms: String = (adt.variants.iter())
            .map(|variant| format!("{name}::{}(x) => crate::__regress::Debug::fmt(x, f), ", variant.name))
            .collect();
        items.push(debug_impl(cfgs, name, &format!("match self {{ {arms}}}")));
    }
    items.extend(object_items(item, beside, name));
    Some(items)
}

fn debug_impl(cfgs: &str, name: &str, body: &str) -> String {
    let result = "crate::__regress::Result<(), crate::__regress_std::fmt::Error>";
    format!(
        "{cfgs}impl crate::__regress::Debug for {name} {{ \
         fn fmt(&self, f: &mut crate::__regress::Formatter) -> {result} {{ {body} }} }} "
    )
}

fn listener(
    item: &TraitItem,
    beside: &BTreeSet<&str>,
    path: &str,
    crate_name: &str,
) -> Option<(AdtItem, Vec<String>)> {
    if item.lacks == Lacks::Required {
        return None;
    }
    let kind = match stand_ins::is_answerer(path) {
        true => stand_ins::ANSWERER,
        false => stand_ins::LISTENER,
    };
    let name = format!("{kind}{}", item.name);
    let mut declared_fields =
        vec![(stand_ins::LISTENER_NUMBER.to_owned(), "crate::__regress::ListenerNumber".to_owned())];
    let mut methods = String::new();
    for method in &item.methods {
        let arguments: Vec<String> = (0..method.arity).map(|at| shown_as_heard(&format!("a{at}"))).collect();
        let (name, arguments, number) = (&method.name, arguments.join(", "), stand_ins::LISTENER_NUMBER);
        let follows = kind == stand_ins::ANSWERER && method.receiver == Receiver::Shared;
        let asked = match follows {
            true => format!("crate::__regress::ListenerNumber::of_arguments({name:?}, &[{arguments}])"),
            false => format!("self.{number}.hear({name:?}, &[{arguments}])"),
        };
        let body = match &method.answer {
            Answer::Nothing if follows => String::new(),
            Answer::Nothing => format!("{asked};"),
            Answer::Value(ty) if !item.generics.are_in(ty) => {
                let ty = with_lifetimes(ty, "'static");
                declared_fields.push((name.clone(), format!("[{ty}; {ANSWERS}]")));
                format!("let at = {asked} % {ANSWERS}; crate::__regress::Clone::clone(&self.{name}[at])")
            }
            _ if method.need == Need::Default => continue,
            _ => return None,
        };
        methods.push_str(&format!("fn {name}{} {{ {body} }} ", method.signature));
    }
    let definition: String = declared_fields.iter().map(|(name, ty)| format!("{name}: {ty}, ")).collect();
    let fields = declared_fields
        .iter()
        .map(|(name, ty)| {
            let declared_field = DeclaredField { name: name.clone(), ty: ty.clone() };
            declared::field(&declared_field, &BTreeSet::new(), crate_name)
        })
        .collect::<Option<_>>()?;
    let cfgs = item.cfgs.clone();
    let Generics { declared, named, .. } = &item.generics;
    let mut items = vec![
        format!("{cfgs}pub struct {name} {{ {definition} }} "),
        format!("{cfgs}impl{declared} {}{named} for {name} {{ {methods} }} ", item.name),
    ];
    if kind == stand_ins::ANSWERER {
        let cloned: String = (declared_fields.iter())
            .map(|(field, _)| format!("{field}: crate::__regress::Clone::clone(&self.{field}), "))
            .collect();
        items.push(format!(
            "{cfgs}impl crate::__regress::Clone for {name} {{ fn clone(&self) -> Self {{ {name} {{ {cloned} }} }} }} "
        ));
    }
    if item.debug == Debug::Asked || kind == stand_ins::ANSWERER {
        items.push(debug_impl(&cfgs, &name, "f.write_str(\"a listener\")"));
    }
    if declared.is_empty() && kind == stand_ins::LISTENER {
        items.extend(object_items(item, beside, &name));
    }
    let variant = VariantItem { name: name.clone(), ctor: Ctor::Struct, cfgs: String::new(), fields };
    let adt = AdtItem {
        module: item.module,
        name,
        path: path.to_owned(),
        foreign: None,
        hides_fields: false,
        kind: AdtShape::Struct,
        cfgs,
        generics: Vec::new(),
        predicates: String::new(),
        variants: vec![variant],
        derives_debug: false,
        is_compared_by_parts: false,
        completed: None,
    };
    Some((adt, items))
}

/// What the compiler sees to and trait objects may be asked for beside their trait.
const BESIDE: [&str; 3] = ["Send", "Sync", "Send + Sync"];

/// What trait objects of a trait are asked for beside it, as far as the text says.
fn beside(trait_name: &str, text: &str) -> BTreeSet<&'static str> {
    let is_asked = |beside: &&'static str| {
        let object = format!("dyn {trait_name} + {beside}");
        let ends_there = |(at, found): (usize, &str)| {
            let behind = text[at + found.len()..].trim_start();
            !behind.starts_with("+ S") && !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        };
        text.match_indices(&object).any(ends_there)
    };
    let reversed = text.contains(&format!("dyn {trait_name} + Sync + Send"));
    BESIDE.into_iter().filter(|beside| is_asked(beside) || reversed && *beside == "Send + Sync").collect()
}

/// What lets trait objects of a trait be built and shown: they are made of the type.
fn object_items(item: &TraitItem, beside: &BTreeSet<&str>, made_of: &str) -> Vec<String> {
    let objects = beside.iter().map(|beside| format!("dyn {} + {beside}", item.name));
    let objects = [format!("dyn {}", item.name)].into_iter().chain(objects);
    objects.flat_map(|object| items_of_object(&item.cfgs, &object, made_of)).collect()
}

fn items_of_object(cfgs: &str, object: &str, made_of: &str) -> Vec<String> {
    const RUNTIME: &str = "crate::__regress";
    // A pointer to a value of the type becomes one to a trait object, by which that is noted where it lies, and that one what is built.
    let build = |of: &str,
                 [of_trait, build, shape]: [&str; 3],
                 built: &str,
                 pointer: &str,
                 shaped: &str,
                 make: &str| {
        format!(
            "{cfgs}impl {RUNTIME}::{of_trait} for {of} {{ \
             fn {build}(source: &mut {RUNTIME}::Source) -> {RUNTIME}::Result<{built}, {RUNTIME}::Misfit> {{ \
             let value: {pointer}<{made_of}> = source.build()?; let value: {pointer}<{object}> = value; \
             {RUNTIME}::note_object(&*value); {RUNTIME}::Ok({make}) }} \
             fn {shape}(shape: &mut {RUNTIME}::Shape) {{ <{shaped} as {RUNTIME}::Build>::shape(shape) }} }} "
        )
    };
    let boxed = format!("{RUNTIME}::Box");
    let own = |of: &str, make: &str| {
        let shaped = of.replace(object, made_of);
        build(of, ["Build", "build", "shape"], "Self", &boxed, &shaped, make)
    };
    let counted = |of_trait: &str, pointer: &str| {
        let (built, shaped) = (format!("{pointer}<Self>"), format!("{pointer}<{made_of}>"));
        build(object, [of_trait, "counted", "counted_shape"], &built, pointer, &shaped, "value")
    };
    vec![
        own(&format!("{boxed}<{object}>"), "value"),
        own(&format!("&'static ({object})"), &format!("source.share_object::<{made_of}, _>(value)")),
        own(&format!("&'static mut ({object})"), "source.lend(value)"),
        // Only of what is the crate's itself, and so not of such pointers, another crate's trait can be implemented.
        counted("BuildRc", "crate::__regress_std::rc::Rc"),
        counted("BuildArc", "crate::__regress_std::sync::Arc"),
        format!(
            "{cfgs}impl<'a> {RUNTIME}::Show for {object} + 'a {{ \
             fn show(&self, out: &mut {RUNTIME}::String) {{ {RUNTIME}::show_object::<{made_of}, Self>(self, out) }} }} "
        ),
    ]
}
