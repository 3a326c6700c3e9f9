//! The same search with each solver that is built in: what each answers, and what is proved by it.
//!
//! The search alone is what is compared, without native runs and without the proofs that need no search, as it is the search that asks.

use rayon::prelude::*;
use regress_core::compare::{self, Comparison, FunctionPair, choose_instantiation};
use regress_core::exec::{Image, Makers};
use regress_core::explore::Options as SearchOptions;
use regress_core::ir::FnId;
use regress_core::smt::{Backend, Statistics};
use regress_core::verdict::Verdict;

use super::super::Session;
use super::super::aligned::needs_work;
use super::super::explore::search_options;
use super::super::load::{Loaded, Running};
use crate::args::Options;
use crate::progress::Progress;
use crate::versions::{Place, Versions};

/// One function by each solver, in the order of [`Backend::ALL`].
#[derive(Clone, Debug)]
pub struct BySolvers {
    pub path: String,
    pub searches: Vec<SolverSearch>,
}

/// What a search came to that had one of the solvers.
#[derive(Clone, Debug)]
pub struct SolverSearch {
    pub end: SearchEnd,
    pub answers: Statistics,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchEnd {
    Proved,
    ProvedWithin,
    /// An input was found on which the versions differ.
    Differs,
    /// No difference was found, and nothing proved.
    Open,
    /// Nothing could be run.
    NotRun,
}

impl SearchEnd {
    fn of(comparison: &Comparison) -> SearchEnd {
        if !comparison.candidates.is_empty() {
            return SearchEnd::Differs;
        }
        match comparison.verdict_without_difference() {
            Verdict::Equal { .. } => SearchEnd::Proved,
            Verdict::EqualWithin { .. } => SearchEnd::ProvedWithin,
            Verdict::NotAnalysed { .. } => SearchEnd::NotRun,
            _ => SearchEnd::Open,
        }
    }
}

/// Searches each function that both versions have and that may differ, once with each solver.
pub fn solvers(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Vec<BySolvers>> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, alignment) = session.load(Running::Compared)?;
        let pairs: Vec<(FnId, FnId)> = alignment
            .pairs
            .iter()
            .filter(|pair| needs_work(pair))
            .filter_map(|pair| Some((pair.old?, pair.new?)))
            .collect();
        let search = search_options(&options.search, options.search.function_budget());
        let by_solvers = pairs.par_iter().map(|(old, new)| {
            let common = alignment.common_for(*new);
            let images = [&loaded.old.program, &loaded.new.program]
                .map(|program| Image::new(program, search.limits.panics).with_common(&common));
            let searches = Backend::ALL.iter().map(|solver| {
                let options = SearchOptions { solver: *solver, ..search };
                one(&loaded, (*old, *new), &images, &options)
            });
            BySolvers {
                path: loaded.new.program.functions[*new].path.to_string(),
                searches: searches.collect(),
            }
        });
        Ok(by_solvers.collect())
    })
}

fn one(
    loaded: &Loaded,
    (old, new): (FnId, FnId),
    [old_image, new_image]: &[Image<'_>; 2],
    options: &SearchOptions,
) -> SolverSearch {
    let types = choose_instantiation((&loaded.old.program, old), (&loaded.new.program, new));
    let comparison = match types {
        Ok(instantiation) => {
            let pair = FunctionPair { old, new, instantiation, makers: Makers::default() };
            compare::compare(old_image, new_image, pair, options, &[])
        }
        Err(reason) => Comparison::refused(reason),
    };
    SolverSearch { end: SearchEnd::of(&comparison), answers: comparison.answers }
}
