//! One `#[test]` for each partition: the example, and what it gives.
//!
//! The tests are a module for the end of the file that defines the function, for only there private functions and fields
//! can be named. What cannot be written down as Rust is left out with a comment that says why.

use std::fmt::Write as _;

use regress_core::ir::{FnId, Mutability, Owner, Program, Ty, TyKind};
use regress_core::signature::{Ending, Exploration, OutputOf, Partition};
use regress_core::value::Value;

use super::source::{At, Form};
use crate::report::reasons;
use crate::report::signature::SignaturePartition;

pub(super) struct Subject<'a> {
    pub program: &'a Program,
    pub function: FnId,
    pub types: &'a [Ty],
    pub exploration: &'a Exploration,
    pub described: &'a [SignaturePartition],
}

/// The module of tests.
pub(super) fn tests(subject: &Subject<'_>) -> String {
    let function = &subject.program.functions[subject.function];
    let path = function.path.as_str();
    let at = beside(subject.program, subject.function);
    let stem = identifier(path.rsplit("::").next().unwrap_or(path));
    let mut text = format!("#[cfg(test)]\nmod {stem}_partitions {{\n");
    for (index, partition) in subject.exploration.partitions.iter().enumerate() {
        let described = subject.described.get(index);
        let conditions = described.map(|described| described.conditions.as_slice()).unwrap_or_default();
        let condition = match conditions {
            [] => "always".to_owned(),
            conditions => conditions.join(" && "),
        };
        match test(&at, subject, partition) {
            Ok((attribute, body)) => {
                let _ = write!(
                    text,
                    "\n// {}\n#[test]\n{attribute}fn {stem}_{}() {{\n{body}}}\n",
                    one_line(&condition),
                    index + 1
                );
            }
            Err(reason) => {
                let _ = write!(text, "\n// Partition {} is left out: {}\n", index + 1, one_line(&reason));
            }
        }
    }
    text.push_str("}\n");
    text
}

/// At the end of the file that defines the function.
pub(in crate::pipeline) fn beside(program: &Program, function: FnId) -> At<'_> {
    let path = program.functions[function].path.as_str();
    let crate_name = path.trim_start_matches('<').split("::").next().unwrap_or(path);
    At { program, crate_name, module: module_of(program, function) }
}

/// Attributes and body of one test.
fn test(at: &At<'_>, subject: &Subject<'_>, partition: &Partition) -> Result<(String, String), String> {
    let seen: Option<Vec<(OutputOf, Value)>> = match &partition.ending {
        Ending::Returned(outputs) => {
            Some(outputs.iter().map(|output| (output.of, output.value.clone())).collect())
        }
        Ending::Panicked { .. } => None,
        Ending::Stopped(stop) => return Err(reasons::stop(stop)),
    };
    let call = Call {
        function: subject.function,
        types: subject.types,
        output: &subject.program.functions[subject.function].output,
        inputs: &partition.inputs,
    };
    call.test(at, seen.as_deref())
}

/// A call of a function with concrete inputs.
pub(in crate::pipeline) struct Call<'a> {
    pub function: FnId,
    /// Of the parameters, without generic ones.
    pub types: &'a [Ty],
    pub output: &'a Ty,
    pub inputs: &'a [Value],
}

impl Call<'_> {
    /// Attributes and body of a test that the call shows this, or that it panics. The error tells what cannot be written.
    pub(in crate::pipeline) fn test(
        &self,
        at: &At<'_>,
        seen: Option<&[(OutputOf, Value)]>,
    ) -> Result<(String, String), String> {
        let mut body = String::new();
        let mut args = Vec::new();
        for (index, (value, ty)) in self.inputs.iter().zip(self.types).enumerate() {
            args.push(argument(at, &mut body, index, value, ty)?);
        }
        let call = format!("{}({})", callee(at, self.function)?, args.join(", "));
        let Some(seen) = seen else {
            let _ = writeln!(body, "let _ = {call};");
            return Ok(("#[should_panic]\n".into(), body));
        };
        for (of, value) in seen {
            match of {
                OutputOf::Return if *value == Value::unit() => {
                    let _ = writeln!(body, "{call};");
                }
                OutputOf::Return => {
                    let _ = writeln!(body, "let result = {call};");
                }
                OutputOf::Argument(_) => {}
            }
        }
        for (of, value) in seen.iter().filter(|(_, value)| *value != Value::unit()) {
            let (name, ty) = match of {
                OutputOf::Return => ("result".to_owned(), self.output.clone()),
                OutputOf::Argument(index) => {
                    let ty = self.types.get(*index).and_then(Ty::pointee).cloned();
                    (format!("arg{index}"), ty.ok_or("an argument that holds a `&mut` further inside")?)
                }
            };
            body.push_str(&assertion(at, value, &name, &ty)?);
        }
        Ok((String::new(), body))
    }
}

/// The argument as it is passed; what has to be a variable is declared before.
fn argument(at: &At<'_>, body: &mut String, index: usize, value: &Value, ty: &Ty) -> Result<String, String> {
    let (Value::Ref(inner), TyKind::Ref(Mutability::Mut, pointee)) = (value, ty.kind()) else {
        return at.write(value, ty, Form::Expression);
    };
    let written = at.write(inner, pointee, Form::Expression)?;
    let declared = match (&**inner, pointee.kind()) {
        (Value::Seq(items), TyKind::Slice(elem)) if items.is_empty() => {
            format!(": [{}; 0]", at.name(&elem.to_string()))
        }
        (_, TyKind::Str) => return Err("a mutable text".into()),
        _ => String::new(),
    };
    let _ = writeln!(body, "let mut arg{index}{declared} = {written};");
    Ok(format!("&mut arg{index}"))
}

fn assertion(at: &At<'_>, value: &Value, name: &str, ty: &Ty) -> Result<String, String> {
    if holds_float(value) {
        let expected = at.write(value, ty, Form::Expression)?;
        // A float that is no number is not equal to itself; its text is.
        return Ok(format!("assert_eq!(format!(\"{{:?}}\", {name}), format!(\"{{:?}}\", {expected}));\n"));
    }
    if at.is_comparable(ty) {
        let expected = at.write(value, ty, Form::Expression)?;
        return Ok(format!("assert_eq!({name}, {expected});\n"));
    }
    let expected = at.write(value, ty, Form::Pattern)?;
    Ok(format!("assert!(matches!({name}, {expected}));\n"))
}

fn holds_float(value: &Value) -> bool {
    match value {
        Value::F32(_) | Value::F64(_) => true,
        Value::Tuple(items) | Value::Seq(items) => items.iter().any(holds_float),
        Value::Adt { fields, .. } => fields.iter().any(|(_, field)| holds_float(field)),
        Value::Ref(inner) => holds_float(inner),
        _ => false,
    }
}

/// How the function is named in a call.
fn callee(at: &At<'_>, function: FnId) -> Result<String, String> {
    let path = &at.program.functions[function].path;
    if path.as_str().contains('{') {
        return Err(format!("`{path}` cannot be named"));
    }
    Ok(at.name(path.as_str()))
}

/// The module that the function stands in.
fn module_of(program: &Program, function: FnId) -> &str {
    let function = &program.functions[function];
    fn module(path: &str) -> &str {
        path.rsplit_once("::").map_or(path, |(module, _)| module)
    }
    let path = function.path.as_str();
    match &function.owner {
        Owner::Free => module(path),
        // A method stands in the module of its type, as far as can be told from its path.
        _ => {
            let ty = path.trim_start_matches('<');
            let ty = ty.split([' ', '>']).next().unwrap_or(ty);
            if path.starts_with('<') { module(ty) } else { module(module(path)) }
        }
    }
}

pub(in crate::pipeline) fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

pub(in crate::pipeline) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
