//! How functions are called in the report: canonical paths, without the crate's name where only one crate is compared.

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, FnBody, FnId, Origin, Program, SourceFile, Span};
use regress_core::value::Value;

use crate::report::ReportSpan;
use crate::report::paths::without_crate;

/// The path of a function as the report shows it.
pub(super) fn display_path(program: &Program, function: FnId, only_crate: Option<&str>) -> String {
    let path = program.functions[function].path.as_str();
    match only_crate {
        Some(name) => without_crate(path, name),
        None => path.to_string(),
    }
}

/// The same by the names of the version's own sources.
pub(super) fn path_in_sources(program: &Program, function: FnId, only_crate: Option<&str>) -> String {
    let path = program.moved.source_name(program.functions[function].path.as_str());
    only_crate.map_or_else(|| path.clone(), |name| without_crate(&path, name))
}

/// A call as the report shows it, and as `cargo regress localize --call` takes it.
pub(super) fn display_call(
    program: &Program,
    function: FnId,
    only_crate: Option<&str>,
    arguments: &[Value],
) -> String {
    let values: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    format!("{}({})", display_path(program, function, only_crate), values.join(", "))
}

/// What a parameter is called. One that is a pattern is told by its position.
pub(super) fn parameter_name(program: &Program, function: FnId, index: usize) -> String {
    let known = match &program.functions[function].body {
        FnBody::Present(body) => body.args().nth(index).and_then(|local| body.locals[local].name.as_ref()),
        _ => None,
    };
    known.map_or_else(|| format!("argument {}", index + 1), ToString::to_string)
}

/// Where the function stands: of a method that is the trait's own, the text of that if the program has it, else the implementation.
pub(super) fn function_span(program: &Program, function: FnId) -> Option<ReportSpan> {
    let in_sources = program.in_sources(function);
    let shown = if program.functions[in_sources].origin == Origin::Subject { in_sources } else { function };
    report_span(&program.files, program.functions[shown].span)
}

pub(super) fn report_span(files: &IdxVec<FileId, SourceFile>, span: Option<Span>) -> Option<ReportSpan> {
    let span = span?;
    let file = files.get(span.file)?.path.clone();
    Some(ReportSpan { file, line_start: span.line_start, line_end: span.line_end })
}
