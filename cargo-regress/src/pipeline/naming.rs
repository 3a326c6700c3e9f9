//! How functions are called in the report: canonical paths, without the crate's name where only one crate is compared.

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, FnId, Program, SourceFile, Span};

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

pub(super) fn report_span(files: &IdxVec<FileId, SourceFile>, span: Option<Span>) -> Option<ReportSpan> {
    let span = span?;
    let file = files.get(span.file)?.path.clone();
    Some(ReportSpan { file, line_start: span.line_start, line_end: span.line_end })
}
