//! Which statements a test executes.
//!
//! A copy of the version gets a *probe* in front of each statement of its functions: a call that notes its number when it is
//! first passed. Stock toolchains cannot read what `-C instrument-coverage` writes; a probe needs no other tool than rustc.
//!
//! *Not seen.* What macros make, `const fn`, expressions without braces (an arm `x => y`, a closure `|x| y`) apart from the statement that
//! they stand in, and code for tests only. Of these nothing is said.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::capture::run_with;
use super::instrument::{Owner, Plan};
use super::request::{HarnessError, HarnessRequest};
use super::scan::Lines;
use super::syntax::{for_tests_only, pass_over_what_the_compiler_evaluates, without_shebang};
use super::testing::Test;

/// A place in front of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Probe {
    /// Relative to the workspace's root.
    pub file: Utf8PathBuf,
    /// In bytes.
    pub at: usize,
    /// Those of the statement.
    pub lines: Lines,
}

/// What a test executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    statements: Vec<(Probe, Passed)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    Yes,
    No,
}

impl Coverage {
    /// Whether the statement that a line belongs to was executed. None if no statement is known there.
    pub fn is_executed(&self, file: &Utf8Path, line: u32) -> Option<bool> {
        let around =
            self.statements.iter().filter(|(probe, _)| probe.file == file && probe.lines.contains(&line));
        // Of several on one line any will do.
        let length = |(probe, passed): &&(Probe, Passed)| {
            (probe.lines.end() - probe.lines.start(), *passed == Passed::No)
        };
        around.min_by_key(length).map(|(_, passed)| *passed == Passed::Yes)
    }
}

/// What the test executes in a version with some files replaced or added, named relative to the root of the source tree. None if there
/// is no such test.
pub fn coverage(
    request: &HarnessRequest,
    replaced: &BTreeMap<Utf8PathBuf, String>,
    test: &Test,
    limit: Duration,
) -> Result<Option<Coverage>, HarnessError> {
    let mut probes: Vec<Option<Probe>> = Vec::new();
    let written =
        run_with(request, replaced, test, limit, "CARGO_REGRESS_COVERAGE", &mut |plan, fallbacks| {
            let is_left = |(number, probe)| (!fallbacks.contains_key(&Owner::Probe(number))).then_some(probe);
            probes = plan.probes().into_iter().enumerate().map(is_left).collect();
            plan.render_with_probes(&probes, fallbacks)
        })?;
    let Some(written) = written else { return Ok(None) };
    let passed: BTreeSet<usize> = written.lines().filter_map(|line| line.parse().ok()).collect();
    let statements = probes.into_iter().enumerate().filter_map(|(number, probe)| {
        Some((probe?, if passed.contains(&number) { Passed::Yes } else { Passed::No }))
    });
    Ok(Some(Coverage { statements: statements.collect() }))
}

impl Plan {
    /// In front of each statement, in the order of files and places.
    fn probes(&self) -> Vec<Probe> {
        self.texts().flat_map(|(file, text)| statements(file, text)).collect()
    }
}

/// The statements of a file's functions.
fn statements(file: &Utf8Path, text: &str) -> Vec<Probe> {
    let Ok(parsed) = syn::parse_file(&without_shebang(text)) else { return Vec::new() };
    let mut found = Statements { file, probes: Vec::new() };
    found.visit_file(&parsed);
    found.probes.sort_by_key(|probe| probe.at);
    found.probes
}

struct Statements<'s> {
    file: &'s Utf8Path,
    probes: Vec<Probe>,
}

/// Nothing is put where it would be evaluated by the compiler.
impl<'ast> Visit<'ast> for Statements<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        for statement in block.stmts.iter().filter(|statement| !matches!(statement, syn::Stmt::Item(_))) {
            let span = statement.span();
            let lines = span.start().line as u32..=span.end().line as u32;
            self.probes.push(Probe { file: self.file.to_owned(), at: span.byte_range().start, lines });
        }
        visit::visit_block(self, block);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !for_tests_only(&item.attrs) {
            self.visit_block(&item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !for_tests_only(&item.attrs) {
            self.visit_block(&item.block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !for_tests_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    pass_over_what_the_compiler_evaluates!();
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "const LEAST: u8 = { 1 };\nfn f(x: u8) -> u8 {\n    if x > LEAST {\n        return g(x);\n    }\n    let y = [x; { 2 }];\n    y[0]\n}\n\
                        const fn g(x: u8) -> u8 {\n    x\n}\n#[cfg(test)]\nmod tests {\n    fn h() { g(1); }\n}\n";

    #[test]
    fn each_statement_that_is_run_has_a_probe() {
        let probes = statements(Utf8Path::new("src/lib.rs"), TEXT);
        let lines: Vec<(u32, u32)> =
            probes.iter().map(|probe| (*probe.lines.start(), *probe.lines.end())).collect();
        assert_eq!(lines, [(3, 5), (4, 4), (6, 6), (7, 7)]);
        assert!(TEXT[probes[1].at..].starts_with("return g(x);"));
    }

    #[test]
    fn a_line_is_as_its_innermost_statement() {
        let passed = [Passed::Yes, Passed::No, Passed::Yes, Passed::Yes];
        let file = Utf8Path::new("src/lib.rs");
        let coverage = Coverage { statements: statements(file, TEXT).into_iter().zip(passed).collect() };
        let executed = |line| coverage.is_executed(file, line);
        assert_eq!([3, 4, 5, 6].map(executed), [Some(true), Some(false), Some(true), Some(true)]);
        assert_eq!((executed(1), executed(10)), (None, None));
        assert_eq!(coverage.is_executed(Utf8Path::new("src/main.rs"), 4), None);
    }
}
