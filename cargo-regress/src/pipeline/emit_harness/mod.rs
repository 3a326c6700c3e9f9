//! A harness of both versions: a crate that depends on the old and on the new one, and calls each public function of both on the same values.
//!
//! * this file: which functions can be called from outside, at which types
//! * [`plain`]: types of which a harness makes values by itself
//! * [`results`]: what of a result can be compared
//! * [`condition`]: conditions of the report as code
//! * [`callee`]: how a function is named from outside
//! * [`proptest`], [`kani`]: the texts
//!
//! *Limits.* Parameters are plain data: values of types of the crate are other types in each version. A function that was not run natively is left out, for the
//! reason may be that it must not be run, or that it cannot be called. Whatever is left out is told at the end of the text.

mod callee;
mod condition;
mod kani;
mod plain;
mod proptest;
mod results;

use std::collections::BTreeMap;

use regress_core::exec::resolve;
use regress_core::ir::{FnId, FunctionKind, Origin, Program, Ty, TyKind, Visibility};
use regress_core::value::Value;
use regress_core::verdict::{ChangeKind, Verdict, Witness};

use super::Session;
use super::aligned::Aligned;
use super::explore::emit::{identifier, one_line};
use super::explore::parameters;
use super::explore::source::{At, Form};
use super::load::{Loaded, program_name, selection};
use crate::extract::TargetKind;
use crate::report::harness::{EmittedHarness, HarnessLibrary, HarnessTrees};
use crate::report::{Arithmetic, FunctionReport, Note, reasons};
use callee::Side;
use plain::{Parameter, Pass, Plain, View};

/// So many calls on which the versions were seen to differ are among the inputs of a function, none of which is longer.
const MOST_SEEN: usize = 4;
const LONGEST_VALUE: usize = 400;

/// A function that a harness can call in both versions.
#[derive(Clone, Debug)]
struct Subject {
    /// As the report calls it.
    path: String,
    /// Of the test; no two are the same.
    name: String,
    parameters: Vec<Parameter>,
    /// What is called, in each version.
    old: String,
    new: String,
    condition: Option<Condition>,
    /// Inputs on which the versions were seen to differ, a value for each parameter.
    seen: Vec<Vec<String>>,
    /// Whether the result has a text by which versions can be compared.
    shown: Result<(), String>,
    /// Whether results of both versions can be held against each other.
    comparable: Result<(), String>,
    returns_nothing: bool,
    /// Whether the result may hold a reference.
    borrows: bool,
}

/// On which inputs alone the function may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    /// As an expression of the parameters, and the numbers in it.
    Code { text: String, numbers: Vec<i128> },
    /// For people.
    Shown(String),
}

/// A call of the function. Where it changes arguments it is given copies, and `with_changed` makes one value of the call and of these, by their names.
fn call(
    callee: &str,
    parameters: &[Parameter],
    with_changed: impl Fn(&str, Vec<String>) -> String,
) -> String {
    let arguments: Vec<String> = parameters.iter().map(Parameter::argument).collect();
    let call = format!("{callee}({})", arguments.join(", "));
    let changed: Vec<&Parameter> = parameters.iter().filter(|parameter| parameter.is_mutable()).collect();
    if changed.is_empty() {
        return call;
    }
    let copy = |parameter: &&Parameter| format!("let mut {} = {}; ", parameter.name, parameter.copy());
    let copies: String = changed.iter().map(copy).collect();
    let names = changed.iter().map(|parameter| parameter.name.clone()).collect();
    format!("{{ {copies}{} }}", with_changed(&call, names))
}

/// A function that stands in no harness.
#[derive(Clone, Debug)]
struct LeftOut {
    path: String,
    reason: String,
}

impl LeftOut {
    fn comments(all: Vec<LeftOut>) -> String {
        if all.is_empty() {
            return String::new();
        }
        let lines = all
            .iter()
            .map(|LeftOut { path, reason }| format!("// `{}`: {}\n", one_line(path), one_line(reason)));
        format!("\n// Left out:\n{}", lines.collect::<String>())
    }
}

/// The harness of all functions that may have changed.
pub(super) fn harness(
    session: &Session<'_>,
    aligned: &Aligned,
    reports: &[FunctionReport],
) -> EmittedHarness {
    let loaded = &aligned.loaded;
    if session.options.frontend.files().is_some() {
        return EmittedHarness::default();
    }
    let libraries = libraries(session, loaded);
    let (mut subjects, mut left_out) = (Vec::new(), Vec::new());
    for (pair, report) in aligned.with_pairs(reports) {
        let may_differ = matches!(report.kind, ChangeKind::Changed | ChangeKind::Affected)
            && !matches!(report.verdict, Verdict::Unchanged);
        let (Some(old), Some(new), true) = (pair.old, pair.new, may_differ) else { continue };
        if loaded.new.program.functions[new].kind != FunctionKind::Fn {
            continue;
        }
        match subject(aligned, &libraries, (old, new), report) {
            Ok(subject) => subjects.push(subject),
            Err(reason) => left_out.push(LeftOut { path: report.path.clone(), reason }),
        }
    }
    if let Some(reason) = not_linked(loaded) {
        let all = subjects.drain(..).map(|subject| LeftOut { path: subject.path, reason: reason.clone() });
        left_out.extend(all);
    }
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for subject in &mut subjects {
        let number = numbers.entry(subject.name.clone()).and_modify(|number| *number += 1).or_insert(1);
        if *number > 1 {
            subject.name = format!("{}_number_{number}", subject.name);
        }
    }
    let [old, new] = [&session.versions.old, &session.versions.new];
    EmittedHarness {
        trees: Some(HarnessTrees {
            old: old.root.clone(),
            new: new.root.clone(),
            labels: [old.label.clone(), new.label.clone()],
            lock: new.package_root.join("Cargo.lock"),
        }),
        libraries,
        features: selection(session.options).features,
        proptest: proptest::source(&subjects, &left_out),
        kani: kani::source(&subjects, &left_out),
    }
}

/// What keeps both versions from standing in one program.
fn not_linked(loaded: &Loaded) -> Option<String> {
    let exported = |program: &Program| {
        let mut symbols = program.declared.exported.iter();
        let is_own = |id: &FnId| program.functions[*id].origin == Origin::Subject;
        symbols.find(|(_, ids)| ids.iter().any(is_own)).map(|(symbol, _)| symbol.clone())
    };
    let symbol = exported(&loaded.old.program).and(exported(&loaded.new.program))?;
    Some(format!(
        "the crate exports symbols (`{symbol}`), so both versions cannot be linked into one program"
    ))
}

/// The libraries that both versions have.
fn libraries(session: &Session<'_>, loaded: &Loaded) -> Vec<HarnessLibrary> {
    let [old, new] = [(&loaded.old, &session.versions.old), (&loaded.new, &session.versions.new)].map(
        |(version, tree)| {
            let crates = &version.extraction.crates;
            let of = |dump: &crate::extract::CrateDumpFiles| {
                let inside = dump.manifest_dir.strip_prefix(&tree.root).ok()?;
                Some((program_name(dump, crates), (dump.package_name.clone(), inside.to_owned())))
            };
            let found = crates.iter().filter(|dump| dump.target == TargetKind::Library).filter_map(of);
            found.collect::<BTreeMap<_, _>>()
        },
    );
    let both: Vec<_> = new.into_iter().filter(|(name, _)| old.contains_key(name)).collect();
    let is_only = both.len() == 1;
    let alias = |version: &str, name: &str| match is_only {
        true => version.to_owned(),
        false => format!("{version}_{name}"),
    };
    let library = |(name, new): (String, _)| HarnessLibrary {
        aliases: [alias("old", &name), alias("new", &name)],
        packages: [old[&name].clone(), new],
        crate_name: name,
    };
    both.into_iter().map(library).collect()
}

/// The function as both versions have it; the error says why it is left out.
fn subject(
    aligned: &Aligned,
    libraries: &[HarnessLibrary],
    (old, new): (FnId, FnId),
    report: &FunctionReport,
) -> Result<Subject, String> {
    let loaded = &aligned.loaded;
    let programs = [&loaded.old.program, &loaded.new.program];
    for (program, function) in programs.into_iter().zip([old, new]) {
        if program.in_sources(function) != function {
            return Err("one call does not fit both versions".into());
        }
        if program.functions[function].visibility != Visibility::Public {
            return Err("it cannot be named from outside of the crate".into());
        }
    }
    let not_run = report.notes.iter().find_map(|note| match note {
        Note::NotRun { reason } => Some(format!("it was not run: {}", reasons::not_run(reason))),
        Note::ShapesDiffer => Some("its parameters are not alike in both versions".into()),
        _ => None,
    });
    if let Some(reason) = not_run {
        return Err(reason);
    }
    if loaded.front_end.starts_with("Charon") {
        return Err("Charon does not say by which path it can be named from outside".into());
    }
    let is_at_others = report.notes.iter().any(|note| matches!(note, Note::AtTypes { .. }));
    let at_others = aligned.other_types.of(new).filter(|_| is_at_others).cloned();
    let chosen = match at_others {
        Some(chosen) => chosen,
        None => aligned.harnesses.instantiation(old, new).map_err(|refused| reasons::refused(&refused))?,
    };
    let substs = [&chosen.old, &chosen.new];
    let mut types = [(old, 0), (new, 1)].map(|(function, side)| -> Vec<Ty> {
        let item = &programs[side].functions[function];
        let all = item.inputs.iter().chain([&item.output]);
        all.map(|ty| resolve::normalize(programs[side], &substs[side].ty(ty))).collect()
    });
    let [old_output, output] = types.each_mut().map(|types| types.pop().unwrap_or_else(Ty::unit));
    let [old_inputs, inputs] = types;
    if old_inputs != inputs {
        return Err("its parameters are of other types in the old version".into());
    }
    let parameters = named(&loaded.new.program, new, &inputs)?;
    let [old_callee, new_callee] = [(old, 0), (new, 1)].map(|(function, side)| {
        Side { program: programs[side], libraries, version: side, subst: substs[side] }.callee(function)
    });
    let hidden = [(old, 0), (new, 1)]
        .into_iter()
        .any(|(function, side)| programs[side].declared.hidden_results.contains_key(&function));
    let (shown, comparable) = match hidden {
        true => {
            let reason =
                || Err("its result is an `impl Trait`, of which nothing else is known outside".into());
            (reason(), reason())
        }
        false => (
            results::shown(programs[0], &old_output).and(results::shown(programs[1], &output)),
            match old_output == output {
                true => results::comparable(&output),
                false => Err("its result is of another type in the old version".into()),
            },
        ),
    };
    let last = report.path.rsplit("::").next().unwrap_or(&report.path);
    Ok(Subject {
        path: report.path.clone(),
        name: format!("same_{}", identifier(&in_words(&report.path, last))),
        condition: condition(report, &parameters),
        seen: seen(&loaded.new.program, report, &inputs),
        parameters,
        old: old_callee?,
        new: new_callee?,
        shown,
        comparable,
        returns_nothing: output == Ty::unit(),
        borrows: results::borrows(&output),
    })
}

/// `Even::whole` as `even_whole`.
fn in_words(path: &str, last: &str) -> String {
    let words: Vec<String> = path
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { last.to_owned() } else { words.join("_") }
}

/// The parameters with names that stand for variables.
fn named(program: &Program, function: FnId, inputs: &[Ty]) -> Result<Vec<Parameter>, String> {
    let mut parameters_so_far: Vec<Parameter> = Vec::new();
    for (index, (name, ty)) in parameters(program, function, inputs).into_iter().enumerate() {
        let Some((plain, pass)) = Plain::of_parameter(&ty) else {
            return Err(format!("`{name}` is of type `{ty}`, which is no plain data"));
        };
        let is_variable = name.starts_with(|first: char| first.is_ascii_lowercase())
            && syn::parse_str::<syn::Ident>(&name).is_ok()
            && parameters_so_far.iter().all(|other| other.name != name);
        let name = if is_variable { name } else { format!("argument_{}", index + 1) };
        parameters_so_far.push(Parameter { name, ty: plain, pass });
    }
    Ok(parameters_so_far)
}

fn condition(report: &FunctionReport, parameters: &[Parameter]) -> Option<Condition> {
    report.notes.iter().find_map(|note| match note {
        Note::AffectedWhen { condition, arithmetic } => {
            let code = Some(*arithmetic).filter(|arithmetic| *arithmetic == Arithmetic::Exact);
            let text = one_line(condition);
            Some(match code.and_then(|_| condition::numbers(condition, parameters)) {
                Some(numbers) => Condition::Code { text, numbers },
                None => Condition::Shown(text),
            })
        }
        _ => None,
    })
}

/// Calls on which the versions differ, as far as their arguments can be written down.
fn seen(program: &Program, report: &FunctionReport, inputs: &[Ty]) -> Vec<Vec<String>> {
    let at = At { program, crate_name: "", module: "" };
    let written = |witness: &Witness| -> Option<Vec<String>> {
        let values = witness.inputs.iter().zip(inputs).map(|(input, ty)| held(&at, &input.value, ty));
        values.collect::<Option<Vec<String>>>().filter(|values| values.len() == inputs.len())
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    for values in report.witnesses().iter().chain(&report.unshown).filter_map(written) {
        if !values.is_empty() && !all.contains(&values) && all.len() < MOST_SEEN {
            all.push(values);
        }
    }
    all
}

/// The value as the harness holds it.
fn held(at: &At<'_>, value: &Value, ty: &Ty) -> Option<String> {
    let (_, pass) = Plain::of_parameter(ty)?;
    let text = match (pass, value, ty.kind()) {
        (Pass::Value, value, _) => at.write(value, ty, Form::Expression).ok()?,
        (Pass::Shared(View::Text), Value::Ref(inner), _) => match &**inner {
            Value::Str(text) => format!("String::from({text:?})"),
            _ => return None,
        },
        (Pass::Shared(_) | Pass::Mutable(_), Value::Ref(inner), TyKind::Ref(_, pointee)) => {
            let written = at.write(inner, pointee, Form::Expression).ok()?;
            match pointee.kind() {
                TyKind::Slice(_) => format!("vec!{written}"),
                _ => written,
            }
        }
        _ => return None,
    };
    (text.len() <= LONGEST_VALUE).then_some(text)
}

#[cfg(test)]
mod testing {
    use super::*;

    pub fn parameter(name: &str, ty: Plain) -> Parameter {
        Parameter { name: name.into(), ty, pass: Pass::Value }
    }

    /// `fee`, of which everything can be compared.
    pub fn subject(parameters: Vec<Parameter>) -> Subject {
        Subject {
            path: "fee".into(),
            name: "same_fee".into(),
            parameters,
            old: "old::fee".into(),
            new: "new::fee".into(),
            condition: None,
            seen: Vec::new(),
            shown: Ok(()),
            comparable: Ok(()),
            returns_nothing: false,
            borrows: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{GenericArg, IntTy, Mutability, Path};

    use super::*;

    #[test]
    fn names_of_tests_are_words() {
        for (path, expected) in [
            ("fee", "fee"),
            ("money::Even::whole", "money_even_whole"),
            ("<str as Twice>::twice", "str_as_twice_twice"),
        ] {
            assert_eq!(in_words(path, path), expected);
        }
    }

    #[test]
    fn values_are_written_as_they_are_held() {
        let program = Program::default();
        let at = At { program: &program, crate_name: "", module: "" };
        let byte = Ty::int(IntTy::U8);
        let borrowed = |ty: Ty| Ty::new(TyKind::Ref(Mutability::Shared, ty));
        let value = |number: i128| Value::int(IntTy::U8, number);
        let behind = |value: Value| Value::Ref(Box::new(value));
        let vec = Ty::new(TyKind::Adt(Path::new("std::vec::Vec"), vec![GenericArg::Ty(byte.clone())]));
        for (value, ty, expected) in [
            (value(7), byte.clone(), "7_u8"),
            (behind(value(7)), borrowed(byte.clone()), "7_u8"),
            (behind(Value::Str("é".into())), borrowed(Ty::new(TyKind::Str)), "String::from(\"é\")"),
            (
                behind(Value::Seq(vec![value(1)])),
                borrowed(Ty::new(TyKind::Slice(byte.clone()))),
                "vec![1_u8]",
            ),
            (Value::Seq(Vec::new()), vec, "vec![]"),
        ] {
            assert_eq!(held(&at, &value, &ty).as_deref(), Some(expected), "{ty}");
        }
    }
}
