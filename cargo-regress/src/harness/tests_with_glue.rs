//! Tests, built in a copy of their version that has glue.
//!
//! What rustc refuses of the glue falls back, as in builds of workers, and the tests are built again.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::idx::IdxVec;

use super::build::{MOST_ROUNDS, fall_back, manifests, plan, rendered};
use super::foreign::source_in;
use super::instrument::{Fallbacks, Instrumented, Plan};
use super::manifest::DevDependencies;
use super::refused::Pieces;
use super::request::{HarnessError, HarnessRequest};
use super::testing::BuiltTests;
use super::tree;

/// Which glue, and which tests.
pub(super) struct GlueForTests<'g> {
    /// Files replaced or added, relative to the root of the source tree.
    pub replaced: &'g BTreeMap<Utf8PathBuf, String>,
    pub render: &'g mut dyn FnMut(&Plan, &Fallbacks) -> Instrumented,
    /// Builds tests in the copy.
    pub build: &'g dyn Fn(&Utf8Path) -> Result<BuiltTests, HarnessError>,
}

/// Builds tests until `done` takes them, or nothing is left that could fall back. The folder of the request has to be locked.
pub(super) fn build_until<T>(
    request: &HarnessRequest,
    glue: GlueForTests<'_>,
    mut done: impl FnMut(&Utf8Path, BuiltTests) -> Result<ControlFlow<T, BuiltTests>, HarnessError>,
) -> Result<T, HarnessError> {
    let tree = tree::list(&request.source_root, &request.out_dir)?;
    let plan = plan(request, &tree, &IdxVec::new(), &IdxVec::new())?;
    let mut common = manifests(request, &tree, DevDependencies::Keep)?;
    common.extend(glue.replaced.iter().map(|(path, text)| (path.clone(), text.clone())));
    let copy = source_in(&request.out_dir);
    let mut fallbacks = Fallbacks::new();
    request.refused.take_from(&mut fallbacks, &Pieces::of(&plan, request));
    plan.add_known(&mut fallbacks);
    for _ in 0..MOST_ROUNDS {
        let rendered_glue = (glue.render)(&plan, &fallbacks);
        let mut files = common.clone();
        let own = rendered_glue.files.iter();
        files.extend(own.map(|(path, text)| (request.workspace_dir.join(path), text.clone())));
        tree::write(&request.source_root, &copy, &tree, &files)?;
        let built = match done(&copy, (glue.build)(&copy)?)? {
            ControlFlow::Break(done) => return Ok(done),
            ControlFlow::Continue(built) => built,
        };
        if built.errors.is_empty() || !fall_back(&built.errors, &rendered_glue, &plan, &mut fallbacks) {
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
