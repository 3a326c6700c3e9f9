//! The arguments with which a test calls functions of the crate.
//!
//! A copy of the version gets, besides the glue that shows values, one statement at the beginning of each of the functions:
//! if no other of them is being executed, it writes the arguments down. Then the test is run in this copy. A statement
//! that rustc refuses (an argument cannot be shown, the function is `const`) is dropped, and the functions further in count. Generic
//! functions also tell what their parameters stand for; their arguments are shown if they are of usual types.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use camino::Utf8PathBuf;
use regress_core::idx::{Idx, IdxVec};
use regress_core::value::Value;

use super::build::{MOST_ROUNDS, fall_back, manifests, plan, rendered};
use super::executable;
use super::foreign::source_in;
use super::instrument::{Fallbacks, Instrumented, Plan};
use super::manifest::DevDependencies;
use super::request::{HarnessError, HarnessRequest, SubjectId};
use super::testing::{self, Test, TestEnd};
use super::tree;
use super::wire;

/// A call that a test makes.
#[derive(Clone, Debug, PartialEq)]
pub struct CapturedCall {
    pub subject: SubjectId,
    /// What the generic parameters stand for, in the words of `std::any::type_name`.
    pub types: Vec<String>,
    pub inputs: Vec<Value>,
}

/// The calls of the functions of the request that the test makes from outside of these functions, in order.
pub fn capture(
    request: &HarnessRequest,
    test: &Test,
    limit: Duration,
) -> Result<Vec<CapturedCall>, HarnessError> {
    let none = BTreeMap::new();
    let written = run_with(request, &none, test, limit, "CARGO_REGRESS_CAPTURE", &mut |plan, fallbacks| {
        plan.render_with_captures(fallbacks, &request.subjects)
    })?;
    Ok(read(&written.unwrap_or_default()))
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
    let tree = tree::list(&request.source_root, &request.out_dir)?;
    let plan = plan(request, &tree, &IdxVec::new(), &IdxVec::new())?;
    let mut common = manifests(request, &tree, DevDependencies::Keep)?;
    common.extend(replaced.iter().map(|(path, text)| (path.clone(), text.clone())));
    let copy = source_in(&request.out_dir);
    let mut fallbacks = Fallbacks::new();
    for _ in 0..MOST_ROUNDS {
        let glue = render(&plan, &fallbacks);
        let mut files = common.clone();
        let own = glue.files.iter().map(|(path, text)| (request.workspace_dir.join(path), text.clone()));
        files.extend(own);
        tree::write(&request.source_root, &copy, &tree, &files)?;
        let built = testing::build_one(request, &copy, test)?;
        let file = request.out_dir.join("written");
        let _ = fs::remove_file(&file);
        match testing::run(request, &copy, &built, test, &[(variable, file.as_str())], limit)? {
            Some(TestEnd::Absent) => return Ok(None),
            Some(_) => return Ok(Some(fs::read_to_string(&file).unwrap_or_default())),
            None => {}
        }
        if built.errors.is_empty() || !fall_back(&built.errors, &glue, &plan, &mut fallbacks) {
            let errors = if built.errors.is_empty() { built.refused } else { rendered(&built.errors) };
            return Err(HarnessError::DoesNotCompile { package: request.package.clone(), errors });
        }
    }
    Err(HarnessError::TooManyRounds {
        package: request.package.clone(),
        rounds: MOST_ROUNDS,
        errors: String::new(),
    })
}

/// Lines that are not understood hold values that cannot be looked into; they are left out.
fn read(text: &str) -> Vec<CapturedCall> {
    text.lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let subject = SubjectId::from_usize(parts.next()?.parse().ok()?);
            let types = serde_json::from_str(parts.next()?).ok()?;
            Some(CapturedCall { subject, types, inputs: wire::values(parts.next()?).ok()? })
        })
        .collect()
}
