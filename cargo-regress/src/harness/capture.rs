//! The arguments with which tests call functions of the crate.
//!
//! A copy of the version gets, besides the glue that shows values, one statement at the beginning of each of the functions,
//! which writes the arguments down. Then tests are run in this copy: one ([`capture`]), or all of the package ([`capture_all`]). A statement
//! that rustc refuses (an argument cannot be shown, the function is `const`) is dropped, and the functions further in count. Generic
//! functions also tell what their parameters stand for; their arguments are shown if they are of usual types.
//!
//! *Limits.* Of all tests, only those that can be run confined are: they reach no network and write to a folder of their own, so some fail, and
//! what they call before that counts. Examples in documentation are not run.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::idx::Idx;
use regress_core::value::Value;

use super::commands::end_within;
use super::confine;
use super::executable;
use super::instrument::{Fallbacks, Instrumented, Plan};
use super::request::{HarnessError, HarnessRequest, SubjectId};
use super::testing::{self, BuiltTests, Test, TestBinary, TestEnd};
use super::tests_with_glue::{GlueForTests, build_until};
use super::wire;

/// A call that a test makes.
#[derive(Clone, Debug, PartialEq)]
pub struct CapturedCall {
    pub subject: SubjectId,
    /// What the generic parameters stand for, in the words of `std::any::type_name`.
    pub types: Vec<String>,
    /// The test that makes it; none where a thread of its own does.
    pub test: Option<String>,
    pub inputs: Vec<Value>,
}

/// Which calls are written down.
const CALLS_FROM_OUTSIDE: &str = "CARGO_REGRESS_CAPTURE";
const ALL_CALLS: &str = "CARGO_REGRESS_CAPTURE_ALL";

/// The calls of the functions of the request that the test makes from outside of these functions, in order.
pub fn capture(
    request: &HarnessRequest,
    test: &Test,
    limit: Duration,
) -> Result<Vec<CapturedCall>, HarnessError> {
    let none = BTreeMap::new();
    let written = run_with(request, &none, test, limit, CALLS_FROM_OUTSIDE, &mut |plan, fallbacks| {
        plan.render_with_captures(fallbacks, &request.subjects)
    })?;
    Ok(read(&written.unwrap_or_default()))
}

/// The calls of the functions of the request that all tests of the package make, inner calls too. Tests that do not compile are left out, and a
/// program of tests that takes longer than the limit is ended.
pub fn capture_all(request: &HarnessRequest, limit: Duration) -> Result<Vec<CapturedCall>, HarnessError> {
    let confinement = confine::here();
    if !(confinement.files && confinement.network) {
        return Ok(Vec::new());
    }
    let _building = executable::lock(&request.out_dir)?;
    let mut render =
        |plan: &Plan, fallbacks: &Fallbacks| plan.render_with_captures(fallbacks, &request.subjects);
    let build = |copy: &Utf8Path| testing::build(request, copy);
    let glue = GlueForTests { replaced: &BTreeMap::new(), render: &mut render, build: &build };
    let mut last: Option<(Utf8PathBuf, BuiltTests)> = None;
    let built = build_until(request, glue, |copy, built| {
        if built.errors.is_empty() && built.refused.is_empty() {
            return Ok(ControlFlow::Break((copy.to_owned(), built)));
        }
        let (errors, refused) = (built.errors.clone(), built.refused.clone());
        last = Some((copy.to_owned(), built));
        Ok(ControlFlow::Continue(BuiltTests { errors, refused, ..BuiltTests::default() }))
    });
    // What is refused is no glue in the end: the tests that do not need it are there.
    let (copy, built) = match (built, last) {
        (Err(HarnessError::DoesNotCompile { .. }), Some(last)) if !last.1.programs.is_empty() => last,
        (built, _) => built?,
    };
    let directory = testing::package_directory(request, &copy);
    let mut calls = Vec::new();
    for (binary, program) in &built.programs {
        let left = request.cargo.until.map(|until| until.saturating_duration_since(Instant::now()));
        let limit = left.map_or(limit, |left| left.min(limit));
        let of_program = run_all(program, &directory, &request.out_dir, limit)?;
        calls.extend(of_program.into_iter().map(|call| call.with_test_of(binary)));
    }
    Ok(calls)
}

/// Runs all tests of a program, which writes to a folder below this one only, and hands on what they call.
fn run_all(
    program: &Utf8Path,
    directory: &Utf8Path,
    below: &Utf8Path,
    limit: Duration,
) -> Result<Vec<CapturedCall>, HarnessError> {
    let own = tempfile::Builder::new().prefix("tests-").tempdir_in(below);
    let own = own.map_err(HarnessError::io("create a folder in", below))?;
    let written = own.path().join("written");
    let mut command = Command::new(program);
    command
        .env(ALL_CALLS, &written)
        .env("CARGO_MANIFEST_DIR", directory)
        .env("TMPDIR", own.path())
        .env("RUST_BACKTRACE", "0")
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    end_within(command, limit, own.path())?;
    Ok(read(&fs::read_to_string(&written).unwrap_or_default()))
}

impl CapturedCall {
    /// With the name of the program's file for a test whose name is not known.
    fn with_test_of(mut self, binary: &TestBinary) -> CapturedCall {
        if let (None, TestBinary::Integration(name)) = (&self.test, binary) {
            self.test = Some(name.clone());
        }
        self
    }
}

/// Runs the test in a copy with these files replaced or added and with what is rendered, and hands on what is written to the file
/// that the variable names. Pieces that do not compile fall back. None if there is no such test.
pub(super) fn run_with(
    request: &HarnessRequest,
    replaced: &BTreeMap<Utf8PathBuf, String>,
    test: &Test,
    limit: Duration,
    variable: &str,
    render: &mut dyn FnMut(&Plan, &Fallbacks) -> Instrumented,
) -> Result<Option<String>, HarnessError> {
    let _building = executable::lock(&request.out_dir)?;
    let build = |copy: &Utf8Path| testing::build_one(request, copy, test);
    let file = request.out_dir.join("written");
    build_until(request, GlueForTests { replaced, render, build: &build }, |copy, built| {
        let _ = fs::remove_file(&file);
        Ok(match testing::run(request, copy, &built, test, &[(variable, file.as_str())], limit)? {
            Some(TestEnd::Absent) => ControlFlow::Break(None),
            Some(_) => ControlFlow::Break(Some(fs::read_to_string(&file).unwrap_or_default())),
            None => ControlFlow::Continue(built),
        })
    })
}

/// Lines that are not understood hold values that cannot be looked into; they are left out.
fn read(text: &str) -> Vec<CapturedCall> {
    text.lines()
        .filter_map(|line| {
            let mut parts = line.splitn(4, '\t');
            let subject = SubjectId::from_usize(parts.next()?.parse().ok()?);
            let types = serde_json::from_str(parts.next()?).ok()?;
            let test = serde_json::from_str(parts.next()?).ok()?;
            Some(CapturedCall { subject, types, test, inputs: wire::values(parts.next()?).ok()? })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text =
            "1\t[\"u8\"]\t\"tests::adds\"\t[{\"ref\":{\"str\":\"3\"}}]\n0\t[]\tnull\t[]\n2\t[]\tnull\t[nul";
        let calls = read(text);
        assert_eq!(calls.len(), 2, "a line that was cut short is left out: {calls:?}");
        assert_eq!((calls[0].subject.index(), calls[0].test.as_deref()), (1, Some("tests::adds")));
        assert_eq!((calls[1].types.len(), &calls[1].test, calls[1].inputs.len()), (0, &None, 0));
    }
}
