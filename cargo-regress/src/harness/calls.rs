//! The code that is added for one function: how it is called, and how it is entered into the worker's table. Each piece is one line, valid in every
//! edition.
//!
//! Functions are called with arguments whose types are inferred from the call, so no type has to be written down.

use std::fmt::Write as _;

use regress_core::idx::Idx;
use regress_core::value::Success;

use super::callee::Callee;
use super::glue::{ALLOW, looked_at_by};
use super::instrument::Form;
use super::request::{Begins, Gives, MakerId, MakerRequest, Param, Parameter, Returns, SubjectId};
use super::wire::maker_name;

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
                let kept = format!("__s.kept({index}); ");
                match listens {
                    true => mutated.push_str(&if_heard(&heard(index), &kept)),
                    false => mutated.push_str(&kept),
                }
            }
            Param::MutRef => {
                let referred = ty(|ty| kept(ty.trim_start_matches("&mut ")));
                let _ = write!(build, "let mut __a{index}{referred} = {}(__s.build_ref()?); ", kept_new());
                let _ = write!(inputs, "__s.input_ref(&*__a{index}); __s.keep({index}, &*__a{index}); ");
                arguments.push(format!("&mut *__a{index}"));
                let left = format!("__s.left({index}, &*__a{index}); ");
                let with_heard =
                    format!("__s.mutated({index}, &(&*__a{index}, crate::__regress::heard())); ");
                match listens {
                    true => mutated.push_str(&if_heard(&with_heard, &left)),
                    false => mutated.push_str(&left),
                }
            }
            Param::MutSlice => {
                let elements = ty(|ty| {
                    let element = ty.trim_start_matches("&mut [").trim_end_matches(']');
                    kept(&format!("crate::__regress::Vec<{element}>"))
                });
                let _ = write!(build, "let mut __a{index}{elements} = {}(__s.build_slice()?); ", kept_new());
                let _ = write!(inputs, "__s.input_ref(&__a{index}[..]); __s.keep({index}, &*__a{index}); ");
                arguments.push(format!("&mut __a{index}[..]"));
                let _ = write!(mutated, "__s.left({index}, &__a{index}[..]); ");
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
                inputs.push_str("__s.input_formatter(); ");
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

/// Values need not have the listeners that their type may hold: nothing is told of calls then.
fn if_heard(with_heard: &str, without: &str) -> String {
    format!("if crate::__regress::has_heard() {{ {with_heard}}} else {{ {without}}} ")
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
        None if takes_closure || is_adapted || callee.is_by_call() => {
            format!("|{}| {call}", names.join(", "))
        }
        None => callee.text.clone(),
        Some(_) => {
            format!("|{}| crate::__regress::with_formatter(0, move |formatter| {call}).0", names.join(", "))
        }
    };
    let shape = format!("crate::__regress::shape{}{types}({called})", shown.len());
    let run = if formatter.is_some() { "call_formatting" } else { "call" };
    format!(
        "{}{{ let shape = {shape}; {TABLE}.add({number}, shape, crate::__regress::{run}::<crate::__regress::Here, {number}>); }} ",
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
        let lent = if maker.success.changed() == Some(index) { "&mut " } else { "" };
        let _ = write!(arguments, "{lent}a{index}, ");
    }
    let call = format!("{}({arguments})", callee.text);
    let (success, value) = match maker.success {
        Success::Always => ("\"always\"".to_owned(), format!("crate::__regress::Some({call})")),
        Success::Some => ("\"some\"".to_owned(), call),
        Success::Ok => ("\"ok\"".to_owned(), format!("{call}.ok()")),
        Success::After(changed) => {
            let it = format!("a{changed}");
            let value = format!("{{ let mut {it} = {it}; {{ {call}; }} crate::__regress::Some({it}) }}");
            (format!("{{\"after\":{changed}}}"), value)
        }
    };
    let (path, number) = (maker.function.path.as_str(), id.index());
    format!(
        "{}{{ {ALLOW}impl crate::__regress::Makes<{number}> for crate::__regress::Here {{ \
         #[track_caller] fn make(source: &mut crate::__regress::Source, arguments: &mut crate::__regress::Arguments, \
         made: &mut crate::__regress::Made) -> crate::__regress::Result<(), crate::__regress::Misfit> {{ \
         {build}made.put({value}); crate::__regress::Ok(()) }} }} \
         {TABLE}.maker(crate::__regress::Maker {{ callee: {path:?}, name: {:?}, makes: {:?}, success: {success:?}, \
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

/// What the table is called where functions are entered. No item of the crate may bear the name: it would be hidden there.
const TABLE: &str = "__regress_table";

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
        "{ALLOW}impl {} for crate::__regress::Here {{ fn register({TABLE}: &mut crate::__regress::Table) {{ {} }} }} ",
        nested(subject),
        registration(subject, callee)
    )
}

/// The statement that runs [`nested_registration`] from outside of the body.
pub fn registration_from_outside(subject: SubjectId) -> String {
    format!("<crate::__regress::Here as {}>::register({TABLE}); ", nested(subject))
}

fn nested(subject: SubjectId) -> String {
    format!("crate::__regress::Nested<{}>", subject.index())
}

/// What the statements of [`registration`] and [`child_registration`] stand between, in each module.
pub fn registrar() -> (String, &'static str) {
    (format!("{ALLOW}pub(crate) fn __regress_register({TABLE}: &mut crate::__regress::Table) {{ "), "} ")
}

pub fn child_registration(cfgs: &str, module: &str) -> String {
    format!("{cfgs}{{ {module}::__regress_register({TABLE}); }} ")
}

/// An argument as listeners note it.
pub fn shown_as_heard(argument: &str) -> String {
    looked_at_by(&["Show", "Items", "Debug"], &format!("Look(&{argument})"))
}
