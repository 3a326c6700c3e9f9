//! How each subject is called: what its source text says of it, or else what the compiler does.
//!
//! The text comes first, because its names mean what they say in the module where it stands. Functions that a macro or
//! a derive made have no text; several of one name on one line cannot be told apart by it. These are named in full, from the
//! module in which they or their type are declared; whether that is allowed there is for rustc to say.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::ir::{ConversionStep, KnownType, Name};

use super::effects::Effects;
use super::request::{Declared, Handed, Param, Parameter, Returns, SubjectRequest};
use super::scan::{FnItem, Passing, Scan};
use super::syntax::replace_words;

/// How a subject is called.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The module of the scan that the call is to stand in.
    pub module: usize,
    pub cfgs: String,
    /// How the function is named from there, with its generic arguments.
    pub text: String,
    pub params: Vec<Parameter>,
    /// What the function is handed, if that is not just its parameters.
    pub handed: Option<Vec<Handed>>,
    pub returns: Returns,
    /// The parameter for which is shown what listeners heard.
    pub listens: Option<usize>,
    /// Types of the scan of which its arguments are made.
    pub takes: BTreeSet<usize>,
    /// The function of the scan, if its source text is known.
    pub function: Option<usize>,
    pub passing: Passing,
}

impl Callee {
    pub fn is_by_call(&self) -> bool {
        self.passing == Passing::ByCall
    }

    /// The place of the formatter among the parameters.
    pub fn formatter(&self) -> Option<usize> {
        self.params.iter().position(|param| param.kind == Param::Formatter)
    }

    /// What the function is handed, given the texts of its parameters.
    pub fn handed(&self, parameters: &[String]) -> String {
        let Some(handed) = &self.handed else { return parameters.join(", ") };
        let texts = handed.iter().map(|handed| match handed {
            Handed::Parameter(place, steps) => converted(parameters[*place].clone(), steps),
            Handed::Fixed(text) => text.clone(),
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// Whether the function is given a reference to the parameter that its caller gives away.
    pub fn lends(&self, index: usize) -> bool {
        let lends = |handed: &Handed| matches!(handed, Handed::Parameter(place, steps) if *place == index && steps.contains(&ConversionStep::Lend));
        self.handed.iter().flatten().any(lends)
    }
}

/// The argument after these steps. What the compiler does by itself is left to it.
fn converted(argument: String, steps: &[ConversionStep]) -> String {
    steps.iter().fold(argument, |text, step| match step {
        ConversionStep::Lend => format!("&{text}"),
        ConversionStep::Copy => format!("*{text}"),
        ConversionStep::Widen(_) => format!("({text}) as _"),
        ConversionStep::Wrap(_) => format!("crate::__regress::Some({text})"),
        ConversionStep::Reborrow | ConversionStep::Deref(..) | ConversionStep::Unsize(..) => text,
    })
}

/// How the subject is called, or why it cannot be.
pub fn find(
    scan: &Scan,
    effects: &Effects,
    crate_name: &str,
    subject: &SubjectRequest,
) -> Result<Callee, String> {
    let name = subject.path.as_str().rsplit("::").next().unwrap_or_default();
    if name.starts_with('{') || name.starts_with("promoted[") {
        return Err("it has no name to call it by".to_string());
    }
    if keeps_listener(subject) {
        return Err("the calls of a closure that it keeps cannot be noted".to_string());
    }
    let mut found = scan.functions_at(&subject.file, subject.line, name);
    if subject.declared.is_some() {
        // What a derive makes stands on the line of the type, as what is written there of another trait may.
        let of_trait = trait_name(subject.path.as_str());
        let may_be_it =
            |of_other: Option<&str>| of_trait.is_none() || of_other.is_none() || of_other == of_trait;
        found.retain(|function| may_be_it(trait_name(&scan.functions[*function].callee)));
    }
    for function in &found {
        if let Some(obstacle) = &scan.functions[*function].obstacle {
            return Err(obstacle.clone());
        }
        if let Some(effect) = &effects.of_functions[*function] {
            return Err(held_back(effect));
        }
    }
    match (found.as_slice(), &subject.declared) {
        ([function], None) => written(scan, *function, crate_name, subject),
        ([function], Some(_)) if !scan.calls_macro(&subject.file, subject.line) => {
            written(scan, *function, crate_name, subject)
        }
        (_, Some(declared)) => made(scan, effects, crate_name, subject, declared),
        ([], None) => {
            Err("its source was not found: it is made by a macro, or stands inside another function"
                .to_string())
        }
        (_, None) => Err("several functions of its name stand on its line".to_string()),
    }
}

/// Whether a type of the subject has a closure among its arguments whose calls would be noted: its type has no name.
fn keeps_listener(subject: &SubjectRequest) -> bool {
    let given = subject.instantiation.values();
    let callee = subject.declared.iter().map(|declared| &declared.callee);
    given.chain(callee).any(|text| text.contains(KnownType::Listener.path()))
}

/// The name of the trait in `<T as path::Trait<A>>::f`.
fn trait_name(callee: &str) -> Option<&str> {
    let text = callee.strip_prefix('<')?;
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '<' | '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if text[..at].ends_with('-') => {}
            '>' if depth == 0 => return None,
            '>' => depth -= 1,
            ' ' if depth == 0 && text[at..].starts_with(" as ") => {
                let path = text[at + " as ".len()..].split(['<', '>']).next()?;
                return path.rsplit("::").next().map(str::trim);
            }
            _ => {}
        }
    }
    None
}

fn held_back(effect: &str) -> String {
    format!("it may reach {effect}, which is not to be run on arbitrary inputs")
}

/// A function by its source text.
fn written(
    scan: &Scan,
    function: usize,
    crate_name: &str,
    subject: &SubjectRequest,
) -> Result<Callee, String> {
    let item = &scan.functions[function];
    let text = match &subject.declared {
        // What an item of a parameter is (`[A::Item]`) cannot be asked of the type that stands for it without the trait.
        Some(declared) if item.generics.outer.iter().any(|name| has_item_of(&item.callee, name)) => {
            type_in_crate(&declared.callee, crate_name)
        }
        _ => instantiate(item, crate_name, &subject.instantiation)?,
    };
    let known = subject.declared.as_ref().map(|declared| declared.params.as_slice()).unwrap_or_default();
    let ty = |index: usize| Some(type_in_crate(known.get(index)?.ty.as_ref()?, crate_name));
    if item.unnamed.keys().any(|index| ty(*index).is_none()) {
        return Err("it is generic: a parameter is `impl Trait`, and was not given a type".to_string());
    }
    let params = match subject.declared.as_ref().filter(|declared| declared.handed.is_some()) {
        // The text has those of the function, which are not what it is called with.
        Some(adapted) => declared_params(adapted, crate_name),
        None => (item.params.iter().enumerate())
            // That a parameter is a closure, or stands for a reference, only its type tells, which the text does not.
            .map(|(index, kind)| match known.get(index).map(|known| known.kind) {
                Some(kind @ (Param::Function { .. } | Param::Listener { .. } | Param::MutRef)) => {
                    Parameter { kind, ty: ty(index) }
                }
                _ => Parameter { kind: *kind, ty: ty(index) },
            })
            .collect(),
    };
    Ok(Callee {
        module: item.module,
        cfgs: item.cfgs.clone(),
        text,
        params,
        handed: subject.declared.as_ref().and_then(|declared| handed(declared, crate_name)),
        returns: item.returns,
        listens: subject.declared.as_ref().and_then(|declared| declared.listens),
        takes: taken(scan, subject, Some(item)),
        function: Some(function),
        passing: item.passing,
    })
}

/// Whether the text has a path that begins with the name.
fn has_item_of(text: &str, name: &str) -> bool {
    let path = format!("{name}::");
    text.match_indices(&path)
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))
}

/// A function that only the compiler knows.
fn made(
    scan: &Scan,
    effects: &Effects,
    crate_name: &str,
    subject: &SubjectRequest,
    declared: &Declared,
) -> Result<Callee, String> {
    if let Some(effect) = effects.of_paths(&declared.mentions) {
        return Err(held_back(&effect));
    }
    if declared.callee.ends_with(" as std::ops::Drop>::drop") {
        return Err("it is a destructor".to_string());
    }
    let mut home = None;
    if let Some(path) = &declared.home
        && let Some(module) = scan.module_of(path)
    {
        let rest = &path[scan.modules[module].path.len()..];
        if rest.trim_start_matches("::").contains("::") {
            return Err("it stands inside another function, or belongs to what does".to_string());
        }
        home = Some(module);
    }
    let module = match declared.callee.starts_with('<') {
        // What an implementation hides from other modules is seen from where it stands.
        true => scan.module_at(&subject.file, subject.line).or(home),
        false => home,
    };
    Ok(Callee {
        module: module.unwrap_or(0),
        cfgs: String::new(),
        text: type_in_crate(&declared.callee, crate_name),
        params: declared_params(declared, crate_name),
        handed: handed(declared, crate_name),
        returns: declared.returns,
        listens: declared.listens,
        takes: taken(scan, subject, None),
        function: None,
        passing: Passing::ByName,
    })
}

fn declared_params(declared: &Declared, crate_name: &str) -> Vec<Parameter> {
    let params = declared.params.iter().map(|param| Parameter {
        kind: param.kind,
        ty: param.ty.as_ref().map(|ty| type_in_crate(ty, crate_name)),
    });
    params.collect()
}

fn handed(declared: &Declared, crate_name: &str) -> Option<Vec<Handed>> {
    let handed = declared.handed.as_ref()?.iter().map(|handed| match handed {
        Handed::Fixed(text) => Handed::Fixed(type_in_crate(text, crate_name)),
        Handed::Parameter(..) => handed.clone(),
    });
    Some(handed.collect())
}

/// The types of the scan that the compiler or, if there is any, the source text names in the parameters.
fn taken(scan: &Scan, subject: &SubjectRequest, item: Option<&FnItem>) -> BTreeSet<usize> {
    match (&subject.declared, item) {
        (Some(declared), _) => {
            let is_taken = |adt: &usize| declared.takes.contains(&scan.adts[*adt].path);
            (0..scan.adts.len()).filter(is_taken).collect()
        }
        (None, Some(item)) => {
            item.takes.iter().filter_map(|name| scan.adt_named(name, item.module)).collect()
        }
        (None, None) => BTreeSet::new(),
    }
}

/// The callee with its generic arguments.
fn instantiate(
    function: &FnItem,
    crate_name: &str,
    instantiation: &BTreeMap<Name, String>,
) -> Result<String, String> {
    let argument = |name: &String| match instantiation.get(name.as_str()) {
        Some(text) => Ok(type_in_crate(text, crate_name)),
        None => Err(format!("it is generic, and `{name}` was not given a type")),
    };
    let mut outer: BTreeMap<&str, String> = BTreeMap::new();
    for name in &function.generics.outer {
        outer.insert(name, argument(name)?);
    }
    let own = function.generics.own.iter().map(argument).collect::<Result<Vec<String>, String>>()?;
    let mut text = replace_words(&function.callee, &outer);
    if !own.is_empty() {
        text.push_str(&format!("::<{}>", own.join(", ")));
    }
    Ok(text)
}

/// A canonical type as it is written inside the crate, whatever names are in scope there.
pub(super) fn type_in_crate(text: &str, crate_name: &str) -> String {
    let roots =
        BTreeMap::from([(crate_name, "crate".to_string()), ("std", "crate::__regress_std".to_string())]);
    // What stands for closures and hashers is of the harness, not of the library.
    replace_words(text, &roots).replace("crate::__regress_std::stand_ins::", "crate::__regress::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_in_callees() {
        let check =
            |callee: &str, expected: Option<&str>| assert_eq!(trait_name(callee), expected, "{callee}");
        check("<E as std::fmt::Debug>::fmt", Some("Debug"));
        check("<<K as Ty<u8>>::T as k::Tell<fn(u8) -> u8>>::tell", Some("Tell"));
        check("<fn(u8) -> u8 as Tr>::f", Some("Tr"));
        check("<E>::f", None);
        check("k::f", None);
    }
}
