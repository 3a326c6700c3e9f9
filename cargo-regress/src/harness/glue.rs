//! The code that is added for one type or one function. Each piece is one line, valid in every edition.
//!
//! Functions are called with arguments whose types are inferred from the call, so no type has to be written down;
//! whether a type can be built and shown is for the compiler to say (see [`super::build`](mod@super::build)).

use std::fmt::Write as _;

use regress_core::idx::Idx;
use regress_core::ir::KnownType;
use regress_core::ir::known::shown::{Behind, Shown};
use regress_core::value::{PanicKind, Success, Value};

use super::callee::Callee;
use super::instrument::Form;
use super::request::{
    Begins, Gives, MakerId, MakerRequest, Param, Parameter, Returns, SubjectId, WorkerKind,
};
use super::runtime_crate;
use super::scan::{AdtItem, AdtShape, Ctor, FnItem, Generic, Holds, Scan, StandIn, VariantItem};
use super::wire::maker_name;

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
        "const WORDS_OF_LANGUAGE: [&'static str; {}] = {:?};\nconst NOT_SHOWN: &'static str = {:?};\n",
        PanicKind::WORDS.len(),
        PanicKind::WORDS,
        Value::NOT_SHOWN
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
    "\n",
    include_str!("glue/look.rs"),
    "\n",
    include_str!("glue/stand_ins.rs"),
    "\n",
    include_str!("glue/made.rs"),
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

const ALLOW: &str = "#[allow(warnings)] #[doc(hidden)] ";

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
            let look = looked_at_by(&["Debug"], "Look(self)");
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
fn looked_at_by(ways: &[&str], look: &str) -> String {
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
            size.push((format!("let mut size = 1; {}size", field_sizes(only)), None));
            let mut count = String::from("let mut count = 0; ");
            for field in &only.fields {
                let _ = write!(count, "{}{{ count += 1; }} ", field.cfgs);
            }
            let value = constructor(&written(adt), only);
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
                    format!("{}{:?} => {}, ", variant.cfgs, variant.name, constructor(&path, variant)),
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

fn constructor(path: &str, variant: &VariantItem) -> String {
    let mut fields = String::new();
    for field in &variant.fields {
        let _ = write!(fields, "{}{}: source.build()?, ", field.cfgs, raw(&field.name));
    }
    format!("{path} {{ {fields} }}")
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

/// What is declared beside a trait for a type that has it.
pub fn stand_in(stand_in: &StandIn) -> String {
    stand_in.items.iter().map(|item| format!("{ALLOW}{item}")).collect()
}

/// What lets trait objects of a trait be built and shown: they are made of the type.
pub fn object_items(cfgs: &str, trait_name: &str, made_of: &str) -> Vec<String> {
    let boxed = format!("crate::__regress::Box<{made_of}>");
    let build = |of: &str, make: &str| {
        format!(
            "{cfgs}impl crate::__regress::Build for {of} {{ \
             fn build(source: &mut crate::__regress::Source) -> crate::__regress::Result<Self, crate::__regress::Misfit> {{ \
             let value: {boxed} = source.build()?; let value: crate::__regress::Box<dyn {trait_name}> = value; \
             crate::__regress::note_object(&*value); {make} }} \
             fn shape(shape: &mut crate::__regress::Shape) {{ <{of_stand_in} as crate::__regress::Build>::shape(shape) }} }} ",
            of_stand_in = of.replace(&format!("dyn {trait_name}"), made_of),
        )
    };
    vec![
        build(&format!("crate::__regress::Box<dyn {trait_name}>"), "crate::__regress::Ok(value)"),
        build(
            &format!("&'static dyn {trait_name}"),
            &format!("crate::__regress::Ok(source.share_object::<{made_of}, _>(value))"),
        ),
        build(&format!("&'static mut dyn {trait_name}"), "crate::__regress::Ok(source.lend(value))"),
        format!(
            "{cfgs}impl<'a> crate::__regress::Show for dyn {trait_name} + 'a {{ \
             fn show(&self, out: &mut crate::__regress::String) {{ crate::__regress::show_object::<{made_of}, Self>(self, out) }} }} "
        ),
    ]
}

/// An argument as listeners note it.
pub fn shown_as_heard(argument: &str) -> String {
    looked_at_by(&["Show", "Items", "Debug"], &format!("Look(&{argument})"))
}

/// What calls a subject. It hands its caller's place on, which is in the runtime and so the same in both versions: a function with
/// `#[track_caller]` may give it back.
pub fn call_fn(subject: SubjectId, callee: &Callee, form: Option<Form>) -> String {
    let mut build = String::new();
    let mut inputs = String::new();
    let mut arguments: Vec<String> = Vec::new();
    let mut mutated = String::new();
    for (index, param) in callee.params.iter().enumerate() {
        let listens = callee.listens == Some(index);
        let ty = |wrapped: fn(&str) -> String| match &param.ty {
            Some(ty) => format!(": {}", wrapped(ty)),
            None => String::new(),
        };
        match param.kind {
            Param::Value => {
                let _ = write!(build, "let __a{index}{} = __s.build()?; ", ty(str::to_string));
                let _ = write!(inputs, "__s.input(&__a{index}); __s.keep({index}, &__a{index}); ");
                arguments.push(format!("__a{index}"));
                match listens {
                    true => mutated.push_str(&heard(index)),
                    false => mutated.push_str(&format!("__s.kept({index}); ")),
                }
            }
            Param::MutRef => {
                let referred = ty(|ty| kept(ty.trim_start_matches("&mut ")));
                let _ = write!(build, "let mut __a{index}{referred} = {}(__s.build_ref()?); ", kept_new());
                let _ = write!(inputs, "__s.input_ref(&*__a{index}); ");
                arguments.push(format!("&mut *__a{index}"));
                let left = match listens {
                    true => format!("&(&*__a{index}, crate::__regress::heard())"),
                    false => format!("&*__a{index}"),
                };
                let _ = write!(mutated, "__s.mutated({index}, {left}); ");
            }
            Param::MutSlice => {
                let elements = ty(|ty| {
                    let element = ty.trim_start_matches("&mut [").trim_end_matches(']');
                    kept(&format!("crate::__regress::Vec<{element}>"))
                });
                let _ = write!(build, "let mut __a{index}{elements} = {}(__s.build_slice()?); ", kept_new());
                let _ = write!(inputs, "__s.input_ref(&__a{index}[..]); ");
                arguments.push(format!("&mut __a{index}[..]"));
                let _ = write!(mutated, "__s.mutated({index}, &__a{index}[..]); ");
            }
            Param::Function { arity } => {
                let _ = write!(build, "let __a{index}{} = __s.build()?; ", ty(str::to_string));
                let _ = write!(inputs, "__s.input(&__a{index}); ");
                arguments.push(closure(&format!("__a{index}"), arity));
            }
            Param::Listener { arity } => {
                let _ = write!(build, "let __a{index}{} = __s.build()?; ", ty(str::to_string));
                let _ = write!(inputs, "__s.input(&__a{index}); ");
                arguments.push(listening_closure(&format!("__a{index}"), arity));
                if listens {
                    mutated.push_str(&heard(index));
                }
            }
            Param::Formatter => {
                inputs.push_str("__s.input_opaque(\"fmt::Formatter\"); ");
                arguments.push("__formatter".to_string());
                let _ = write!(mutated, "__s.formatted({index}); ");
            }
        }
    }
    let call = format!("{}({})", callee.text, callee.handed(&arguments));
    let body = match callee.returns {
        Returns::Never => format!("{call};"),
        Returns::Value if form == Some(Form::LookedAt) => {
            let looked_at = looked_at_by(&["Items", "Debug"], "look_at_result(value)");
            format!("let value = {call}; let text = {looked_at}; __s.returned_looked_at(text);")
        }
        Returns::Value => {
            format!("let value = {call}; __s.returned(&value); crate::__regress::let_go(value);")
        }
    };
    let formatter = match callee.formatter() {
        Some(_) => ", __formatter: &mut crate::__regress::Formatter",
        None => "",
    };
    format!(
        "{ALLOW}{}impl {} for crate::__regress::Here {{ \
         #[track_caller] fn call(__s: &mut crate::__regress::Session{formatter}) -> crate::__regress::Result<(), crate::__regress::Misfit> {{ \
         {build}{inputs}if __s.begin() {{ {body} __s.end(); }} {mutated}crate::__regress::Ok(()) }} }} ",
        callee.cfgs,
        called(subject, callee),
    )
}

/// What tells the calls that listeners noted, for this parameter.
fn heard(index: usize) -> String {
    format!("__s.mutated({index}, &crate::__regress::heard()); ")
}

/// A place whose content is not dropped: the call may have left it in any state.
fn kept(ty: &str) -> String {
    format!("crate::__regress::ManuallyDrop<{ty}>")
}

fn kept_new() -> &'static str {
    "crate::__regress::ManuallyDrop::new"
}

/// The trait of the runtime by which a subject is called.
fn called(subject: SubjectId, callee: &Callee) -> String {
    let name = if callee.formatter().is_some() { "Formats" } else { "Subject" };
    format!("crate::__regress::{name}<{}>", subject.index())
}

/// The statement that enters a subject into the worker's table.
pub fn registration(subject: SubjectId, callee: &Callee) -> String {
    let number = subject.index();
    let formatter = callee.formatter();
    let shown: Vec<usize> = (0..callee.params.len()).filter(|index| Some(*index) != formatter).collect();
    let types: String = match shown.iter().any(|index| callee.params[*index].ty.is_some()) {
        true => {
            let types = shown.iter().map(|index| callee.params[*index].ty.as_deref().unwrap_or("_"));
            format!("::<{}>", types.chain(["_", "_"]).collect::<Vec<_>>().join(", "))
        }
        false => String::new(),
    };
    let names: Vec<String> = shown.iter().map(|index| format!("a{index}")).collect();
    let arguments = callee.params.iter().enumerate().map(|(index, param)| match param.kind {
        Param::Formatter => "formatter".to_string(),
        Param::Function { arity } => closure(&format!("a{index}"), arity),
        Param::Listener { arity } => listening_closure(&format!("a{index}"), arity),
        // Never run: what it gives may refer to what it is lent.
        Param::Value if callee.lends(index) => {
            let std = "crate::__regress_std::boxed::Box";
            format!("(*{std}::leak({std}::new(a{index})))")
        }
        Param::Value | Param::MutRef | Param::MutSlice => format!("a{index}"),
    });
    let call = format!("{}({})", callee.text, callee.handed(&arguments.collect::<Vec<_>>()));
    let is_adapted = callee.handed.is_some();
    let is_closure =
        |param: &Parameter| matches!(param.kind, Param::Function { .. } | Param::Listener { .. });
    let takes_closure = callee.params.iter().any(is_closure);
    let called = match formatter {
        None if takes_closure || is_adapted => format!("|{}| {call}", names.join(", ")),
        None => callee.text.clone(),
        Some(_) => {
            format!("|{}| crate::__regress::with_formatter(move |formatter| {call}).0", names.join(", "))
        }
    };
    let shape = format!("crate::__regress::shape{}{types}({called})", shown.len());
    let run = if formatter.is_some() { "call_formatting" } else { "call" };
    format!(
        "{}{{ let shape = {shape}; t.add({number}, shape, crate::__regress::{run}::<crate::__regress::Here, {number}>); }} ",
        callee.cfgs
    )
}

/// The statement that enters a function into the table of those that make values. Like a subject it is told the runtime's place. The
/// closure is never called: it says what type is made. `own` is the subject that the maker is, if it is one.
pub fn maker_registration(
    id: MakerId,
    maker: &MakerRequest,
    callee: &Callee,
    own: Option<SubjectId>,
) -> String {
    let only_for = match (maker.gives, own) {
        (Gives::ToAll, _) => String::from("crate::__regress::OnlyFor::Any"),
        (Gives::ToItself, Some(own)) => format!("crate::__regress::OnlyFor::Subject({})", own.index()),
        (Gives::ToItself, None) => String::from("crate::__regress::OnlyFor::None"),
    };
    let mut build = String::new();
    let mut arguments = String::new();
    for index in 0..callee.params.len() {
        let _ = write!(build, "let a{index} = source.build()?; arguments.add(&a{index}); ");
        let _ = write!(arguments, "a{index}, ");
    }
    let call = format!("{}({arguments})", callee.text);
    let (success, value) = match maker.success {
        Success::Always => ("always", format!("crate::__regress::Some({call})")),
        Success::Some => ("some", call),
        Success::Ok => ("ok", format!("{call}.ok()")),
        Success::After => {
            let others = arguments.strip_prefix("a0, ").unwrap_or_default();
            let step = format!("{}(&mut a0, {others})", callee.text);
            ("after", format!("{{ let mut a0 = a0; {{ {step}; }} crate::__regress::Some(a0) }}"))
        }
    };
    let (path, number) = (maker.function.path.as_str(), id.index());
    format!(
        "{}{{ {ALLOW}impl crate::__regress::Makes<{number}> for crate::__regress::Here {{ \
         #[track_caller] fn make(source: &mut crate::__regress::Source, arguments: &mut crate::__regress::Arguments, \
         made: &mut crate::__regress::Made) -> crate::__regress::Result<(), crate::__regress::Misfit> {{ \
         {build}made.put({value}); crate::__regress::Ok(()) }} }} \
         t.maker(crate::__regress::Maker {{ callee: {path:?}, name: {:?}, makes: {:?}, success: {success:?}, \
         is_step: {}, only_for: {}, make: crate::__regress::make::<crate::__regress::Here, {number}> }}, \
         |source: &mut crate::__regress::Source, arguments: &mut crate::__regress::Arguments| {{ \
         {build}crate::__regress::Ok({value}) }}); }} ",
        callee.cfgs,
        maker_name(path),
        maker.makes,
        maker.begins == Begins::WithAnother,
        only_for,
    )
}

/// The closure that a stand-in becomes where it is handed over. Its type follows from what the function asks for.
fn closure(stand_in: &str, arity: usize) -> String {
    let names: Vec<String> = (0..arity).map(|index| format!("x{index}")).collect();
    let lent: String = names.iter().map(|name| format!(", &{name}")).collect();
    format!("move |{}| crate::__regress::answer{arity}(&{stand_in}{lent})", names.join(", "))
}

/// The closure that a listener becomes where it is handed over.
fn listening_closure(listener: &str, arity: usize) -> String {
    let names: Vec<String> = (0..arity).map(|index| format!("x{index}")).collect();
    let heard: Vec<String> = names.iter().map(|name| shown_as_heard(name)).collect();
    format!("move |{}| {listener}.hear(&[{}])", names.join(", "), heard.join(", "))
}

/// What enters a subject that stands in a body. Implementations hold wherever they stand.
pub fn nested_registration(subject: SubjectId, callee: &Callee) -> String {
    format!(
        "{ALLOW}impl {} for crate::__regress::Here {{ fn register(t: &mut crate::__regress::Table) {{ {} }} }} ",
        nested(subject),
        registration(subject, callee)
    )
}

/// The statement that runs [`nested_registration`] from outside of the body.
pub fn registration_from_outside(subject: SubjectId) -> String {
    format!("<crate::__regress::Here as {}>::register(t); ", nested(subject))
}

fn nested(subject: SubjectId) -> String {
    format!("crate::__regress::Nested<{}>", subject.index())
}

/// What the statements of [`registration`] and [`child_registration`] stand between, in each module.
pub fn registrar() -> (String, &'static str) {
    (format!("{ALLOW}pub(crate) fn __regress_register(t: &mut crate::__regress::Table) {{ "), "} ")
}

pub fn child_registration(cfgs: &str, module: &str) -> String {
    format!("{cfgs}{{ {module}::__regress_register(t); }} ")
}

/// The type as it is written in the module that its glue stands in.
fn written(adt: &AdtItem) -> String {
    adt.foreign.clone().unwrap_or_else(|| raw(&adt.name))
}

/// A name as source has it. The raw form names the same thing and is right for keywords of every edition.
fn raw(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { name.to_string() } else { format!("r#{name}") }
}
