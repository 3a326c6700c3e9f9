//! The symbolic search of one pair, and what it may take.

use std::time::Duration;

use regress_core::compare::{self, Comparison, FunctionPair, worst_class};
use regress_core::evidence::NativeEvidence;
use regress_core::exec::{Image, Makers};
use regress_core::explore::Options;
use regress_core::explore::direction::Order;
use regress_core::ir::FnBody;
use regress_core::value::Value;
use regress_core::verdict::not_analysed::{NotRun, Refused};
use regress_core::verdict::unsupported::{UnshownOutput, Unsupported};
use regress_core::verdict::{Approximation, Class};

use super::evidence::Native;
use super::{Work, fuzzing, witnesses};
use crate::args::Direction;
use crate::budget::Deadline;
use crate::pipeline::explore::search_options;
use crate::stats::{Count, Stage};

/// Inputs handed from the random runs to the search.
const MOST_SEEDS: usize = 3;
/// What a search that has begun is given in any case; less says nothing.
const LEAST_BUDGET: Duration = Duration::from_millis(100);

/// What is left for the function: of its turn, or of the whole run.
pub(super) fn budget(work: &Work<'_>) -> Duration {
    let left_of_turn = work.most.saturating_sub(work.spent());
    let left = work.session.options.budget.deadline.map(Deadline::remaining);
    left.map_or(left_of_turn, |left| left_of_turn.min(left)).max(LEAST_BUDGET)
}

/// Explores the little program that runs both versions and compares, on values that are put together from fields, or made. It begins with inputs that differ and
/// with what fuzzing left behind.
pub(super) fn compare(
    work: &Work<'_>,
    native: &Result<Native, NotRun>,
    (evidence, fuzzed): (&NativeEvidence, &[Vec<Value>]),
    makers: Makers,
) -> Comparison {
    let search = &work.session.options.search;
    let budget = budget(work).saturating_sub(fuzzing::reserved(work)).max(LEAST_BUDGET);
    // A regression that random inputs found needs only its partitions. A milder difference may hide one.
    let outcomes = evidence.confirmed.iter().map(|witness| (&witness.old, &witness.new));
    let order = match work.session.options.budget.search {
        Direction::Shadow => Order::Directed,
        Direction::Blind => Order::LastFirst,
    };
    let options = match worst_class(outcomes) {
        Some(Class::Regression) => search_options(search, budget / 3),
        _ => search_options(search, budget),
    };
    let options = Options { order, ..options };
    let panics = options.limits.panics;
    let common = &work.alignment.common_for(work.new);
    let old = Image::new(&work.loaded.old.program, panics).with_common(common);
    let new = Image::new(&work.loaded.new.program, panics).with_common(common);
    for (program, function) in [(&work.loaded.old.program, work.old), (&work.loaded.new.program, work.new)] {
        match &program.functions[function].body {
            FnBody::Present(_) => {}
            FnBody::Unreadable { reason, line } => {
                return Comparison::refused(Refused::Unreadable { line: *line, said: reason.clone() });
            }
            FnBody::Missing => return Comparison::refused(Refused::NoBody),
        }
    }
    let instantiation = match work.harnesses.instantiation(work.old, work.new) {
        Ok(instantiation) => instantiation,
        Err(reason) => return Comparison::refused(reason),
    };
    // Charon states all bounds; and what is found there is not confirmed anyway.
    let bounds_are_known = work.session.options.frontend.files().is_some();
    if let (false, false, Err(reason)) = (instantiation.is_empty(), bounds_are_known, native) {
        // Only the compiler knows all bounds: runs at types that it refuses, or was not asked about, mean nothing.
        let (types, why) = (instantiation.to_string(), reason.clone());
        return Comparison::refused(Refused::Uncalled { types, why });
    }
    let pair = FunctionPair { old: work.old, new: work.new, instantiation, makers };
    let confirmed = evidence.confirmed.iter().take(MOST_SEEDS).map(witnesses::inputs_of);
    let seeds: Vec<Vec<Value>> = confirmed.chain(fuzzed.iter().cloned()).collect();
    let clock = &work.session.clock;
    let mut comparison = clock.time(Stage::Search, || compare::compare(&old, &new, pair, &options, &seeds));
    if let Some(types) = work.fixed_arguments() {
        comparison.ledger.note(Approximation::Instantiated { types });
    }
    if work.alignment.gives_other_methods(work.new) {
        let what = Unsupported::Output(UnshownOutput::OtherMethods);
        comparison.ledger.note(Approximation::Unsupported { what });
    }
    clock.count(Count::Searches, 1);
    clock.count(Count::SymbolicRuns, comparison.runs);
    clock.count(Count::Partitions, comparison.partitions.explored);
    clock.count(Count::SolverQueries, comparison.solver_queries);
    comparison
}
