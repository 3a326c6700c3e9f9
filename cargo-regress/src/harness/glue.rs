//! The code that is added for one type. Each piece is one line, valid in every edition; [`super::calls`] has those that call functions.
//!
//! Whether a type can be built and shown is for the compiler to say (see [`super::build`](mod@super::build)).

use std::fmt::Write as _;

use regress_core::idx::Idx;
use regress_core::ir::KnownType;
use regress_core::ir::known::shown::{Behind, Shown};
use regress_core::value::{PanicKind, Value};

use super::request::{Param, SubjectId, WorkerKind};
use super::runtime_crate;
use super::scan::{AdtItem, AdtShape, Completion, Ctor, FnItem, Generic, Holds, Scan, VariantItem};

/// The runtime as a module: one file.
pub fn runtime() -> String {
    runtime_with(include_str!("glue/no_fuzzing.rs"))
}

fn runtime_with(fuzzing: &str) -> String {
    format!("{}\n{fuzzing}{}{}{}", PARTS, library_paths(), library_types(), words())
}

/// By what a panic of the language may be told from others, and others from one; and what is said of what cannot be shown.
fn words() -> String {
    format!(
        "const WORDS_OF_LANGUAGE: [&'static str; {}] = {:?};\nconst NOT_SHOWN: &'static str = {:?};\nconst HASHED: &'static str = {:?};\nconst REST: &'static str = {:?};\n",
        PanicKind::WORDS.len(),
        PanicKind::WORDS,
        Value::NOT_SHOWN,
        Value::HASHED,
        Value::REST
    )
}

/// `paths::Vec` is what a `Vec` is called where a value is told.
fn library_paths() -> String {
    let shown = KnownType::ALL.iter().filter(|ty| ty.shown().is_some());
    let paths: Vec<String> =
        shown.map(|ty| format!("    pub const {ty:?}: &'static str = {:?};\n", ty.path())).collect();
    format!("#[allow(non_upper_case_globals)]\nmod paths {{\n{}}}\n", paths.concat())
}

/// The runtime as the root of a crate.
pub fn runtime_root(worker: WorkerKind) -> String {
    let runtime = match worker {
        WorkerKind::Plain => runtime(),
        WorkerKind::Instrumented => {
            runtime_with(concat!(include_str!("glue/fuzzing.rs"), "\n", include_str!("glue/sancov.rs")))
        }
    };
    format!("{runtime}\nextern crate std as __regress_std;\n")
}

/// Types of the standard library that are shown alike, as their table has them.
fn library_types() -> String {
    let of = |name: &str, arguments: &str, is_shown: fn(Shown) -> bool| {
        let types = KnownType::ALL.iter().filter(|ty| ty.shown().is_some_and(is_shown));
        let types: Vec<String> = types.map(|ty| format!("    {}{arguments};\n", ty.path())).collect();
        format!("{name}! {{\n{}}}\n", types.concat())
    };
    [
        of("__regress_opaque", "", |shown| shown == Shown::Debug),
        of("__regress_guards", "<'a, T>", |shown| shown == Shown::Behind(Behind::Guard)),
    ]
    .concat()
}

/// What of the runtime is written by hand.
pub(super) const PARTS: &str = concat!(
    include_str!("glue/source.rs"),
    "\n",
    include_str!("glue/values.rs"),
    "\n",
    include_str!("glue/pointers.rs"),
    include_str!("glue/iterators.rs"),
    "\n",
    include_str!("glue/look.rs"),
    "\n",
    include_str!("glue/stand_ins.rs"),
    "\n",
    include_str!("glue/std_objects.rs"),
    "\n",
    include_str!("glue/made.rs"),
    "\n",
    include_str!("glue/errors.rs"),
    "\n",
    include_str!("glue/dictionary.rs"),
    "\n",
    include_str!("glue/makers.rs"),
    "\n",
    include_str!("glue/cells.rs"),
    "\n",
    include_str!("glue/session.rs"),
    "\n",
    include_str!("glue/listing.rs"),
    "\n",
    include_str!("glue/capture.rs"),
    include_str!("glue/coverage.rs"),
);

use super::syntax::with_lifetimes;

pub(super) const ALLOW: &str = "#[allow(warnings)] #[doc(hidden)] ";

/// How values of a type are had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Field by field.
    Fields,
    /// By functions of the crate, because some field cannot be built.
    Made,
    /// Whichever the source of values asks for.
    Either,
}

/// Where a copy has the runtime from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// A module of the crate.
    Module,
    /// A crate of its own, compiled once for all (see [`runtime_crate`](super::runtime_crate)).
    Linked(WorkerKind),
}

/// What the root of the crate gets: the runtime, and `__regress`, which has it together with what has to be the crate's own.
pub fn root_items(runtime: Runtime, runtime_file: &str) -> String {
    let runtime = match runtime {
        Runtime::Module => format!("{ALLOW}#[path = {runtime_file:?}] pub mod __regress_runtime; "),
        Runtime::Linked(worker) => {
            format!(
                "/* {:016x} */ #[allow(warnings)] extern crate __regress_runtime; ",
                runtime_crate::stamp(worker)
            )
        }
    };
    format!(
        "#[allow(warnings)] extern crate std as __regress_std; {runtime}\
         {ALLOW}pub mod __regress {{ \
         pub use crate::__regress_runtime::*; \
         pub struct Here; \
         pub fn main() {{ crate::__regress_runtime::main(crate::__regress_register) }} }} "
    )
}

/// The statement that writes down the arguments of a function; none if one of them is a pattern.
pub fn capture_statement(id: SubjectId, function: &FnItem) -> Option<String> {
    let mut shown = String::new();
    for (index, (param, name)) in function.params.iter().zip(&function.names).enumerate() {
        let name = name.as_ref()?;
        let _ = match param {
            Param::Formatter => {
                write!(shown, "crate::__regress::captured_opaque(\"fmt::Formatter\", __regress_shown); ")
            }
            _ if function.generic.contains(&index) => {
                write!(shown, "crate::__regress::captured_as_it_is(&{name}, __regress_shown); ")
            }
            _ => write!(shown, "crate::__regress::captured(&{name}, __regress_shown); "),
        };
    }
    // The compiler puts parameters without a name behind those that have one.
    let mut types: Vec<String> = function
        .generics
        .own
        .iter()
        .map(|name| format!("crate::__regress_std::any::type_name::<{name}>()"))
        .collect();
    for (index, references) in &function.unnamed {
        let name = function.names.get(*index)?.as_ref()?;
        let value = match references {
            0 => format!("&{name}"),
            more => format!("{}{name}", "*".repeat(more - 1)),
        };
        types.push(format!("crate::__regress::name_of_type({value})"));
    }
    let (index, types) = (id.index(), types.join(", "));
    Some(format!(
        " let __regress_entered = crate::__regress::enter({index}, &[{types}], |__regress_shown| {{ {shown}}}); "
    ))
}

/// In front of a statement.
pub fn probe_statement(number: usize) -> String {
    format!("crate::__regress::reached({number}); ")
}

/// Text, with the place of the variant that it is for.
type Piece = (String, Option<usize>);

/// How a value, or one variant of an enum, is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    ByFields,
    /// As `Debug` shows it.
    ByDebug,
    /// By what it yields, if it is an iterator, or else each field as far as the compiler knows a way.
    LookedAt,
}

/// `impl Show` for a type, in pieces: those that are for a variant of an enum come with its place.
pub fn show_impl(scan: &Scan, adt: &AdtItem, ways: Ways, how: impl Fn(usize) -> How) -> Vec<Piece> {
    let mut arms: Vec<Piece> = Vec::new();
    let (mut debug, mut looked_at) = (false, false);
    for (number, variant) in adt.variants.iter().enumerate() {
        let how = how(number);
        let (field_type, json) = match how {
            How::LookedAt => ("crate::__regress::String", "json_looked_at"),
            How::ByFields | How::ByDebug => ("&dyn crate::__regress::Show", "json_adt"),
        };
        let mut pattern = String::new();
        let mut shown = String::new();
        for (index, field) in variant.fields.iter().enumerate() {
            let _ = write!(pattern, "{}{}: ref f{index}, ", field.cfgs, raw(&field.name));
            let value = match field.holds {
                Holds::Data => format!("f{index}"),
                Holds::Code => "&crate::__regress::Code".to_string(),
            };
            let value = match how {
                How::LookedAt => looked_at_by(&["Show", "Items", "Debug"], &format!("Look({value})")),
                How::ByFields | How::ByDebug => format!("{value} as {field_type}"),
            };
            let _ = write!(shown, "{}fields.push(({:?}, {value})); ", field.cfgs, field.name);
        }
        if let Some(completion) = adt.completed {
            let rest = match how {
                How::LookedAt => looked_at_by(&["Show"], "Look(&crate::__regress::Rest)"),
                How::ByFields | How::ByDebug => format!("&crate::__regress::Rest as {field_type}"),
            };
            let _ = write!(shown, "fields.push(({:?}, {rest})); ", Value::REST);
            if completion == Completion::ByDefault {
                pattern.push_str("..");
            }
        }
        let (constructor, name) = match adt.kind {
            AdtShape::Struct => (written(adt), ""),
            AdtShape::Enum => (format!("{}::{}", written(adt), raw(&variant.name)), variant.name.as_str()),
        };
        let ctor = match variant.ctor {
            Ctor::Unit => "unit",
            Ctor::Tuple => "tuple",
            Ctor::Struct => "struct",
        };
        let place = (adt.kind == AdtShape::Enum).then_some(number);
        looked_at |= how == How::LookedAt;
        if how == How::ByDebug {
            debug = true;
            let arm =
                format!("{}{constructor} {{ .. }} => crate::__regress::opaque(self, out), ", variant.cfgs);
            arms.push((arm, None));
            continue;
        }
        if adt.hides_fields {
            let ways: &[&str] = if adt.is_compared_by_parts { &[] } else { &["Debug"] };
            let look = looked_at_by(ways, "Look(self)");
            arms.push((format!("_ => {{ let looked_at = {look}; out.push_str(&looked_at) }} "), place));
            continue;
        }
        let arm = format!(
            "{}{constructor} {{ {pattern} }} => {{ \
             let mut fields: crate::__regress::Vec<(&str, {field_type})> = crate::__regress::Vec::new(); \
             {shown}crate::__regress::{json}({:?}, {name:?}, {ctor:?}, &fields, out) }} ",
            variant.cfgs, adt.path,
        );
        arms.push((arm, place));
    }
    let header = if debug {
        debug_header(scan, adt)
    } else {
        impl_header(scan, adt, "Show", Some("Show"), Lifetimes::Kept)
    };
    let begin = format!(
        "{ALLOW}{}{header} {{ fn show(&self, out: &mut crate::__regress::String) {{ {}{}match *self {{ ",
        adt.cfgs,
        recall(adt, ways),
        match looked_at {
            true => format!(
                "if crate::__regress::shows_items(&{}, out) {{ return; }} ",
                looked_at_by(&["Items"], "Look(self)")
            ),
            false => String::new(),
        }
    );
    [(begin, None)].into_iter().chain(arms).chain([("} } } ".to_string(), None)]).collect()
}

/// What the runtime sees of a value by the first of these ways that the compiler knows for its type. A method is looked for without taking
/// references away first, so the earliest way is that of the most references.
pub(super) fn looked_at_by(ways: &[&str], look: &str) -> String {
    let traits: String = ways.iter().map(|way| format!("use crate::__regress::LookBy{way} as _; ")).collect();
    format!(
        "{{ {traits}use crate::__regress::LookAtNothing as _; ({}crate::__regress::{look}).__regress_look() }}",
        "&".repeat(FIRST_LOOK),
    )
}

/// References in front of a value by which the earliest of all ways is found.
const FIRST_LOOK: usize = 4;

/// `impl Show` for a type with fields that cannot be shown, but with a `Debug`.
pub fn debug_impl(scan: &Scan, adt: &AdtItem, ways: Ways) -> String {
    // The type itself says what its `Debug` asks of parameters.
    let header = impl_header(scan, adt, "Show", None, Lifetimes::Kept);
    format!(
        "{ALLOW}{}{header}Self: crate::__regress::Debug {{ fn show(&self, out: &mut crate::__regress::String) {{ {}crate::__regress::opaque(self, out) }} }} ",
        adt.cfgs,
        recall(adt, ways),
    )
}

/// What a type's `Debug` asks for may be more than that its parameters have one.
fn debug_header(scan: &Scan, adt: &AdtItem) -> String {
    let asked = Some("Show + crate::__regress::Debug");
    let header = impl_header(scan, adt, "Show", asked, Lifetimes::Kept);
    format!("{header}Self: crate::__regress::Debug")
}

/// An input is shown as the call that made it.
fn recall(adt: &AdtItem, ways: Ways) -> String {
    match ways {
        Ways::Fields => String::new(),
        Ways::Made | Ways::Either => {
            format!("if crate::__regress::recall({:?}, self, out) {{ return; }} ", adt.path)
        }
    }
}

/// `impl Build` for a type, in pieces: those that are for a variant of an enum come with its place. Only variants that are left are built.
pub fn build_impl(scan: &Scan, adt: &AdtItem, ways: Ways, is_left: impl Fn(usize) -> bool) -> Vec<Piece> {
    let mut build: Vec<Piece> = Vec::new();
    let mut shape: Vec<Piece> = Vec::new();
    let mut size: Vec<Piece> = Vec::new();
    match (adt.kind, adt.variants.as_slice()) {
        (AdtShape::Struct, [only]) => {
            size.push((
                match adt.completed {
                    None => format!("let mut size = 1; {}size", field_sizes(only)),
                    // A value of one version alone is none of these.
                    Some(_) => "domain.open()".to_string(),
                },
                None,
            ));
            let mut count = String::from("let mut count = 0; ");
            for field in &only.fields {
                let _ = write!(count, "{}{{ count += 1; }} ", field.cfgs);
            }
            let value = constructor(&written(adt), only, rest_of_value(adt));
            build.push((
                format!(
                    "{count}let nest = source.open_struct(count)?; let value: Self = {value}; source.close(nest); "
                ),
                None,
            ));
            shape.push((field_shapes(only), None));
        }
        _ => {
            let mut names = String::from(
                "let mut variants: crate::__regress::Vec<(&'static str, bool)> = crate::__regress::Vec::new(); ",
            );
            let mut arms: Vec<Piece> = Vec::new();
            size.push(("let mut all = 0; ".to_string(), None));
            for (number, variant) in adt.variants.iter().enumerate() {
                if variant.holds() == Holds::Code || !is_left(number) {
                    // It is never made.
                    let open = format!(
                        "{}{{ let size = domain.open(); all = domain.plus(all, size); }} ",
                        variant.cfgs
                    );
                    size.push((open, None));
                    continue;
                }
                let sizes = field_sizes(variant);
                size.push((
                    format!("{}{{ let mut size = 1; {sizes}all = domain.plus(all, size); }} ", variant.cfgs),
                    Some(number),
                ));
                let recursive = variant.fields.iter().any(|field| scan.leads_back(field, &adt.name));
                let _ = write!(names, "{}variants.push(({:?}, {recursive})); ", variant.cfgs, variant.name);
                let path = format!("{}::{}", written(adt), raw(&variant.name));
                arms.push((
                    format!("{}{:?} => {}, ", variant.cfgs, variant.name, constructor(&path, variant, "")),
                    Some(number),
                ));
                let word = format!("|{}", variant.name);
                shape.push((
                    format!("{}{{ shape.word({word:?}); {}}} ", variant.cfgs, field_shapes(variant)),
                    Some(number),
                ));
            }
            size.push(("all".to_string(), None));
            names.push_str(
                "let (variant, nest) = source.open_variant(&variants)?; let value: Self = match variant { ",
            );
            build.push((names, None));
            build.extend(arms);
            build.push((
                "other => return crate::__regress::no_variant(other) }; source.close(nest); ".to_string(),
                None,
            ));
        }
    }
    // What is lent is shown after the call, so a reference to a parameter can be built only if that can be shown.
    let lends = adt.generics.iter().any(|generic| matches!(generic, Generic::Lifetime { .. }));
    let bounds = if lends { "Build + crate::__regress::Show" } else { "Build" };
    let header = impl_header(scan, adt, "Build", Some(bounds), Lifetimes::Static);
    let by_fields = ways != Ways::Made;
    let begin = match ways {
        Ways::Fields => "",
        Ways::Either => "if source.wants_made::<Self>() { return source.make(); } ",
        Ways::Made => "source.make()",
    };
    let end = if by_fields { "crate::__regress::Ok(value)" } else { "" };
    let made = if ways == Ways::Fields { "" } else { "shape.made::<Self>(); " };
    let mut pieces = vec![(
        format!(
            "{ALLOW}{}{header} {{ \
             fn build(source: &mut crate::__regress::Source) -> crate::__regress::Result<Self, crate::__regress::Misfit> {{ {begin}",
            adt.cfgs,
        ),
        None,
    )];
    if !by_fields {
        size = vec![("domain.open()".to_string(), None)];
    }
    pieces.extend(build.into_iter().filter(|_| by_fields));
    pieces.push((format!("{end} }} fn size(domain: &mut crate::__regress::Domain) -> u64 {{ "), None));
    pieces.extend(size);
    pieces.push((
        format!(
            "}} \
             fn shape(shape: &mut crate::__regress::Shape) {{ if shape.enter({:?}) {{ shape.word(\"{{\"); ",
            adt.path,
        ),
        None,
    ));
    pieces.extend(shape.into_iter().filter(|_| by_fields));
    pieces.push((format!("{made}shape.word(\"}}\"); }} }} }} "), None));
    pieces
}

/// What stands behind the fields that are told.
fn rest_of_value(adt: &AdtItem) -> &'static str {
    match adt.completed {
        None | Some(Completion::Whole) => "",
        Some(Completion::ByDefault) => "..crate::__regress_std::default::Default::default()",
    }
}

fn constructor(path: &str, variant: &VariantItem, rest: &str) -> String {
    let mut fields = String::new();
    for field in &variant.fields {
        let _ = write!(fields, "{}{}: source.build()?, ", field.cfgs, raw(&field.name));
    }
    format!("{path} {{ {fields}{rest} }}")
}

fn field_sizes(variant: &VariantItem) -> String {
    let mut sizes = String::new();
    for field in &variant.fields {
        let ty = with_lifetimes(&field.ty, "'static").replace('\n', " ");
        let _ = write!(sizes, "{}{{ size = domain.times::<{ty}>(size); }} ", field.cfgs);
    }
    sizes
}

fn field_shapes(variant: &VariantItem) -> String {
    let mut shape = String::new();
    for field in &variant.fields {
        let ty = with_lifetimes(&field.ty, "'static").replace('\n', " ");
        let _ = write!(shape, "{}{{ shape.field::<{ty}>({:?}); }} ", field.cfgs, field.name);
    }
    shape
}

enum Lifetimes {
    Kept,
    Static,
}

/// `asked_of_params` is asked of type parameters and of [`Scan::asked_of_fields`].
fn impl_header(
    scan: &Scan,
    adt: &AdtItem,
    trait_name: &str,
    asked_of_params: Option<&str>,
    lifetimes: Lifetimes,
) -> String {
    let adapt = |text: &str| match lifetimes {
        Lifetimes::Kept => text.replace('\n', " "),
        Lifetimes::Static => with_lifetimes(text, "'static").replace('\n', " "),
    };
    let mut params = String::new();
    let mut args = String::new();
    for generic in &adt.generics {
        match (generic, &lifetimes) {
            (Generic::Lifetime { name, text }, Lifetimes::Kept) => {
                let _ = write!(params, "{text}, ");
                let _ = write!(args, "{name}, ");
            }
            (Generic::Lifetime { .. }, Lifetimes::Static) => args.push_str("'static, "),
            (Generic::Type { name, bounds }, _) => {
                // Only what has a size is built: what holds it, a reference say.
                let asked = match adt.may_be_unsized(generic) && trait_name == "Build" {
                    true => {
                        asked_of_params.and_then(|asked| asked.strip_prefix("Build + ")).map(str::to_owned)
                    }
                    false => asked_of_params.map(|asked| format!("crate::__regress::{asked}")),
                };
                let lasting = matches!(lifetimes, Lifetimes::Static).then(|| "'static".to_owned());
                let asked: Vec<String> = asked.into_iter().chain(lasting).collect();
                let _ = write!(params, "{name}: {}{}, ", adapt(bounds), asked.join(" + "));
                let _ = write!(args, "{name}, ");
            }
            (Generic::Const { name, text }, _) => {
                let _ = write!(params, "{text}, ");
                let _ = write!(args, "{name}, ");
            }
        }
    }
    let mut predicates = adapt(&adt.predicates);
    let of_unsized = scan.fields_of_unsized(adt).filter(|_| trait_name == "Build");
    let of_fields = scan.asked_of_fields(adt).into_iter().chain(of_unsized);
    for (of_field, asked) in of_fields.filter_map(|of_field| Some((of_field, asked_of_params?))) {
        let _ = write!(predicates, "{}: crate::__regress::{asked}, ", adapt(of_field));
    }
    let name = written(adt);
    format!("impl<{params}> crate::__regress::{trait_name} for {name}<{args}> where {predicates}")
}

/// The type as it is written in the module that its glue stands in.
fn written(adt: &AdtItem) -> String {
    adt.foreign.clone().unwrap_or_else(|| raw(&adt.name))
}

/// A name as source has it. The raw form names the same thing and is right for keywords of every edition.
fn raw(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { name.to_string() } else { format!("r#{name}") }
}
