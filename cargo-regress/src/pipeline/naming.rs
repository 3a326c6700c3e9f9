//! How functions are called in the report: canonical paths, without the crate's name where only one crate is compared.

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, FnId, Program, SourceFile, Span};

use crate::report::ReportSpan;

/// The path of a function as the report shows it.
pub(super) fn display_path(program: &Program, function: FnId, only_crate: Option<&str>) -> String {
    let path = program.functions[function].path.as_str();
    match only_crate {
        Some(name) => without_crate(path, name),
        None => path.to_string(),
    }
}

/// Removes `name::` wherever a path begins in `text`.
fn without_crate(text: &str, name: &str) -> String {
    let prefix = format!("{name}::");
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&prefix) {
        let (before, after) = rest.split_at(at);
        shown.push_str(before);
        let inside_a_path = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if inside_a_path {
            shown.push_str(&prefix);
        }
        rest = &after[prefix.len()..];
    }
    shown.push_str(rest);
    shown
}

pub(super) fn report_span(files: &IdxVec<FileId, SourceFile>, span: Option<Span>) -> Option<ReportSpan> {
    let span = span?;
    let file = files.get(span.file)?.path.clone();
    Some(ReportSpan { file, line_start: span.line_start, line_end: span.line_end })
}

#[cfg(test)]
mod tests {
    use super::without_crate;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(without_crate(path, "semver"), expected);
    }

    #[test]
    fn crate_names_go_at_the_start_of_paths_only() {
        check("semver::parse::number", "parse::number");
        check("<semver::Version as std::cmp::Ord>::cmp", "<Version as std::cmp::Ord>::cmp");
        check("other::semver::x", "other::semver::x");
        check("<std::option::Option<semver::Op> as semver::Tr>::f", "<std::option::Option<Op> as Tr>::f");
        check("my_semver::x", "my_semver::x");
    }
}
