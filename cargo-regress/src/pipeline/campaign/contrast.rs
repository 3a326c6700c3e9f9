//! Functions explored by relevant slice conditions and by paths, in one space of terms, so that both can be held against
//! each other.

use std::collections::BTreeSet;
use std::time::Duration;

use regress_core::exec::Image;
use regress_core::exec::resolve::Resolved;
use regress_core::explore::{Completeness, Options as SearchOptions, Strategy};
use regress_core::ir::{FnId, Program};
use regress_core::signature::{Agreement, Exploration, Function};
use regress_core::smt::SolverLimits;
use regress_core::term::TermId;

use super::super::Session;
use super::super::explore::{find, resolved, search_options};
use super::super::load::{Loaded, Running};
use crate::args::Options;
use crate::progress::Progress;
use crate::report::reasons;
use crate::versions::{Place, Versions};

/// One function, explored both ways.
#[derive(Clone, Debug)]
pub struct Contrast {
    pub path: String,
    pub rsc: Exploration,
    pub dart: Exploration,
    /// Where both finished.
    pub agreement: Option<Agreement>,
    /// Relevant slice conditions of the paths that were explored: all of them, and those that the exploration by
    /// conditions reached too. Slices hold more than they need where this is the price of soundness, so the conditions of a
    /// path may be more than those of the partition that it lies in; it is reached if they hold all of these.
    pub conditions: usize,
    pub reached: usize,
}

/// Functions of one program, ready to be explored.
#[derive(Debug)]
pub struct Explorable {
    pub program: Program,
    /// As many as there were paths, in their order.
    pub callees: Vec<Resolved>,
    pub options: SearchOptions,
}

/// For one question of the agreement.
const AGREEING: Duration = Duration::from_secs(2);

/// Explores the functions of these paths, one after the other.
pub fn contrast(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    paths: &[&str],
    mut seen: impl FnMut(&Contrast) + Send,
) -> anyhow::Result<()> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, _) = session.load(Running::All)?;
        for path in paths {
            seen(&one(options, &loaded, find(&loaded, path)?)?);
        }
        Ok(())
    })
}

/// The program of the working tree, and the functions of these paths in it.
pub fn explorable(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    paths: &[&str],
) -> anyhow::Result<Explorable> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, _) = session.load(Running::All)?;
        let callee = |path: &&str| resolved(&loaded.new.program, find(&loaded, path)?);
        let callees = paths.iter().map(callee).collect::<anyhow::Result<_>>()?;
        Ok(Explorable {
            callees,
            options: search_options(&options.search, options.search.function_budget()),
            program: loaded.new.program,
        })
    })
}

fn one(options: &Options, loaded: &Loaded, function: FnId) -> anyhow::Result<Contrast> {
    let program = &loaded.new.program;
    let search = search_options(&options.search, options.search.function_budget());
    let image = Image::new(program, search.limits.panics);
    let callee = resolved(program, function)?;
    let mut explored =
        Function::new(&image, callee, search).map_err(|reason| anyhow::anyhow!(reasons::refused(&reason)))?;
    let no_input = |error| anyhow::anyhow!(reasons::input_error(&error));
    let rsc = explored.explore(Strategy::Rsc, &[]).map_err(no_input)?;
    let dart = explored.explore(Strategy::Dart, &[]).map_err(no_input)?;
    let conditions = |exploration: &Exploration| -> BTreeSet<Vec<TermId>> {
        exploration.partitions.iter().map(|partition| partition.relevant.clone()).collect()
    };
    let (by_slices, by_paths) = (conditions(&rsc), conditions(&dart));
    let finished = |exploration: &Exploration| exploration.completeness != Completeness::Partial;
    let agreement = (finished(&rsc) && finished(&dart))
        .then(|| explored.agreement(&rsc, &dart, &SolverLimits::within(AGREEING)));
    Ok(Contrast {
        path: program.functions[function].path.to_string(),
        agreement,
        conditions: by_paths.len(),
        reached: by_paths.iter().filter(|of_path| is_reached(of_path, &by_slices)).count(),
        rsc,
        dart,
    })
}

/// Whether some partition asks for nothing but what the path satisfies. Both are sorted.
fn is_reached(of_path: &[TermId], by_slices: &BTreeSet<Vec<TermId>>) -> bool {
    by_slices.contains(of_path)
        || by_slices
            .iter()
            .any(|partition| partition.iter().all(|condition| of_path.binary_search(condition).is_ok()))
}
