//! Which function a path means.

use regress_core::ir::{FnBody, FnId, FunctionKind, Origin, Program};

use crate::pipeline::load::Loaded;
use crate::report::paths::without_crate;

/// So many candidates are named.
const NAMED: usize = 8;

/// The one function of the selected crates whose path is, or ends with, `path`.
pub(in crate::pipeline) fn find(loaded: &Loaded, path: &str) -> anyhow::Result<FnId> {
    let program = &loaded.new.program;
    let crates: Vec<&str> =
        loaded.new.extraction.crates.iter().map(|dump| dump.crate_name.as_str()).collect();
    let known = candidates(program);
    let wanted = path.trim();
    let spellings = |function: FnId| -> Vec<String> {
        let whole = program.functions[function].path.to_string();
        let short = crates.iter().map(|name| without_crate(&whole, name));
        short.chain([whole.clone()]).collect()
    };
    let exact: Vec<FnId> = known
        .iter()
        .copied()
        .filter(|function| spellings(*function).iter().any(|path| path == wanted))
        .collect();
    let ends = |path: &String| {
        path.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    let found = match exact.is_empty() {
        false => exact,
        true => known.iter().copied().filter(|function| spellings(*function).iter().any(ends)).collect(),
    };
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let last = wanted.rsplit("::").next().unwrap_or(wanted);
            let near =
                known.iter().filter(|function| program.functions[**function].path.as_str().contains(last));
            let names = listed(program, near.copied());
            // Where no name is near, it may be a path that is not understood.
            let hint = match names.is_empty() {
                true => "; its path is written as in the crate, such as `module::Type::method`".to_owned(),
                false => with_names("; there are", &names),
            };
            anyhow::bail!("there is no function `{wanted}`{hint}")
        }
        several => {
            let names = listed(program, several.iter().copied());
            anyhow::bail!("`{wanted}` may be one of several functions{}", with_names(":", &names))
        }
    }
}

/// What can be called: not constants, closures or tests.
fn candidates(program: &Program) -> Vec<FnId> {
    program
        .functions
        .iter_enumerated()
        .filter(|(_, function)| {
            function.origin == Origin::Subject
                && function.kind == FunctionKind::Fn
                && !matches!(function.body, FnBody::Missing)
        })
        .map(|(id, _)| id)
        .collect()
}

fn listed(program: &Program, functions: impl Iterator<Item = FnId>) -> Vec<String> {
    functions.take(NAMED).map(|function| format!("`{}`", program.functions[function].path)).collect()
}

fn with_names(before: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("{before} {}", names.join(", ")) }
}
