//! The function and the arguments that the user names, in the notation of the reports: `path::function(ARGS)`.

use anyhow::Context;
use regress_core::align::Alignment;
use regress_core::compare::{Chooser, FunctionPair, choose_instantiation};
use regress_core::exec::{Image, Makers, PanicPolicy};
use regress_core::ir::FnId;
use regress_core::value::Value;

use super::literal;
use crate::pipeline::explore::find;
use crate::pipeline::load::Loaded;
use crate::pipeline::makers;
use crate::report::reasons;

/// A call that both versions can be asked to make.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub functions: FunctionPair,
    pub inputs: Vec<Value>,
}

/// Splits `path::function(ARGS)` into path and arguments.
fn split(text: &str) -> anyhow::Result<(String, Vec<syn::Expr>)> {
    let text = text.trim();
    // A path may be one that Rust has no expression for (`<T as Trait>::f` with canonical names), so it is cut off first.
    let open =
        opening_parenthesis(text).with_context(|| format!("`{text}` is no call: `function(ARGUMENTS)`"))?;
    let path = text[..open].trim();
    let call: syn::ExprCall = syn::parse_str(&format!("f{}", &text[open..]))
        .map_err(|error| anyhow::anyhow!("the arguments in `{text}` are no Rust expressions: {error}"))?;
    anyhow::ensure!(!path.is_empty(), "`{text}` names no function");
    Ok((path.to_owned(), call.args.into_iter().collect()))
}

/// Where the arguments begin: the first parenthesis outside of angle brackets.
fn opening_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            // Not that of an arrow.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return Some(at),
            _ => {}
        }
        before = character;
    }
    None
}

/// The call that the text names.
pub(super) fn parse(loaded: &Loaded, alignment: &Alignment, text: &str) -> anyhow::Result<Call> {
    let (path, arguments) = split(text)?;
    let new = find(loaded, &path)?;
    let old = alignment
        .to_old(new)
        .with_context(|| format!("`{path}` is in the new version only, or its signature changed"))?;
    let chosen = subject(loaded, old, new)?;
    let chooser = Chooser::new(&loaded.old.program, &loaded.new.program);
    let others = chooser.others(old, new, &chosen.instantiation).into_iter();
    let others = others.map(|instantiation| FunctionPair { instantiation, ..chosen.clone() });
    let read = |subject| read(loaded, alignment, (&path, subject), &arguments);
    // A call at types that others have is read as one at these.
    read(chosen.clone()).or_else(|error| others.map(read).find_map(Result::ok).ok_or(error))
}

/// The call of the function at these types.
fn read(
    loaded: &Loaded,
    alignment: &Alignment,
    (path, subject): (&str, FunctionPair),
    arguments: &[syn::Expr],
) -> anyhow::Result<Call> {
    let new = subject.new;
    let makers = makers::common(loaded, alignment, &[(new, &subject.instantiation.new)]);
    let types = types(loaded, &subject)?;
    anyhow::ensure!(
        types.len() == arguments.len(),
        "`{path}` takes {} arguments, not {}",
        types.len(),
        arguments.len()
    );
    let reader = literal::Reader { program: &loaded.new.program, makers: &makers };
    let inputs = arguments
        .iter()
        .zip(&types)
        .map(|(argument, ty)| reader.value(argument, ty).map_err(|reason| anyhow::anyhow!("{reason}")))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let is_made = inputs.iter().any(Value::holds_made);
    let subject =
        FunctionPair { makers: if is_made { makers } else { makers::by_fields(alignment) }, ..subject };
    Ok(Call { functions: subject, inputs })
}

/// Both functions, with types for their generic parameters.
pub(super) fn subject(loaded: &Loaded, old: FnId, new: FnId) -> anyhow::Result<FunctionPair> {
    let instantiation = choose_instantiation((&loaded.old.program, old), (&loaded.new.program, new))
        .map_err(|reason| {
            anyhow::anyhow!("no types for its generic parameters: {}", reasons::refused(&reason))
        })?;
    Ok(FunctionPair { old, new, instantiation, makers: Makers::default() })
}

pub(super) fn types(loaded: &Loaded, subject: &FunctionPair) -> anyhow::Result<Vec<regress_core::ir::Ty>> {
    let old = Image::new(&loaded.old.program, PanicPolicy::Outcomes);
    let new = Image::new(&loaded.new.program, PanicPolicy::Outcomes);
    regress_core::localize::types(&old, &new, subject)
        .map_err(|reason| anyhow::anyhow!(reasons::refused(&reason)))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, usize)>) {
        let got = split(text).ok().map(|(path, arguments)| (path, arguments.len()));
        assert_eq!(got, expected.map(|(path, count)| (path.to_owned(), count)), "{text}");
    }

    #[test]
    fn calls_are_split_into_path_and_arguments() {
        check("f()", Some(("f", 0)));
        check("a::T::f(1, b\"x\", (2, 3))", Some(("a::T::f", 3)));
        check("<T as Tr<fn() -> u8>>::f(\"a(b\")", Some(("<T as Tr<fn() -> u8>>::f", 1)));
        check("f", None);
        check("f(1", None);
        check("(1)", None);
    }
}
