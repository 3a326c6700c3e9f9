//! What one function of the working tree does: its partitions, said as Rust.
//!
//! * [`find`]: which function is meant
//! * [`emit`]: one test for each partition; also the body of a test of one call
//! * [`source`]: values as Rust source

pub(super) mod emit;
mod find;
pub(super) mod source;

use std::time::Duration;

use regress_core::compare::choose_instantiation;
use regress_core::exec::resolve::Resolved;
use regress_core::exec::{Image, InputBounds, Limits, PanicPolicy};
use regress_core::explore::direction::Order;
use regress_core::explore::{Options as SearchOptions, Strategy as CoreStrategy};
use regress_core::ir::{FnBody, FnId, Program, Ty};
use regress_core::signature::readable::{Names, Printer, simplified};
use regress_core::signature::{Exploration, Function, Partition};
use regress_core::smt::{AnySolver, Backend, Layered, SolverLimits};

use super::Session;
use super::load::{Loaded, Running};
use super::naming::{display_path, report_span};
use crate::args::{ExploreOptions, SearchArgs, Strategy};
use crate::progress::Progress;
use crate::report::reasons;
use crate::report::signature::{NamedValue, Signature, SignaturePartition};
use crate::versions::{Place, Versions};

pub(super) use find::find;

/// For one question of the simplification.
const SIMPLIFYING: Duration = Duration::from_millis(200);

/// Explores the function that the options name.
pub fn explore(
    options: &ExploreOptions,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Signature> {
    let common = options.options();
    Session::with(&common, place, versions, progress, |session| {
        let (loaded, _) = session.load(Running::All)?;
        let function = find(&loaded, &options.path)?;
        progress.step("Exploring");
        signature(&loaded, function, &common.search)
    })
}

/// A function of a program with the types that its generic parameters stand for.
pub(super) fn resolved(program: &Program, function: FnId) -> anyhow::Result<Resolved> {
    let chosen = choose_instantiation((program, function), (program, function))
        .map_err(|reason| anyhow::anyhow!("no types for its parameters: {}", reasons::refused(&reason)))?;
    Ok(Resolved { function, subst: chosen.new })
}

/// How far a search goes by the user's options, in at most this time.
pub(super) fn search_options(search: &SearchArgs, budget: Duration) -> SearchOptions {
    let panics = if search.assume_no_panic { PanicPolicy::AssumeNone } else { PanicPolicy::Outcomes };
    SearchOptions {
        strategy: match search.strategy {
            Strategy::Rsc => CoreStrategy::Rsc,
            Strategy::Dart => CoreStrategy::Dart,
        },
        order: Order::LastFirst,
        limits: Limits { max_unwind: search.unwind, panics, ..Limits::default() },
        bounds: InputBounds { max_len: search.max_len, ..InputBounds::default() },
        timeout: budget,
        query_timeout: (budget / 4).max(Duration::from_millis(500)),
        solver: Backend::default(),
    }
}

fn signature(loaded: &Loaded, function: FnId, search: &SearchArgs) -> anyhow::Result<Signature> {
    let program = &loaded.new.program;
    let options = search_options(search, search.function_budget());
    let image = Image::new(program, options.limits.panics);
    let callee = resolved(program, function)?;
    let mut explored = Function::new(&image, callee.clone(), options)
        .map_err(|reason| anyhow::anyhow!(reasons::refused(&reason)))?;
    let exploration = explored
        .explore(options.strategy, &[])
        .map_err(|error| anyhow::anyhow!(reasons::input_error(&error)))?;
    let item = &program.functions[function];
    let path = display_path(program, function, loaded.only_crate());
    let parameters = parameters(program, function, explored.types());
    let partitions = describe(&mut explored, &exploration, &parameters, &path);
    let output = callee.subst.ty(&item.output);
    let listed: Vec<String> =
        parameters.iter().map(|(name, ty)| format!("{name}: {}", last_segments(&ty.to_string()))).collect();
    let declaration = format!("fn {path}({}) -> {}", listed.join(", "), last_segments(&output.to_string()));
    let tests = emit::tests(&emit::Subject {
        program,
        function,
        types: explored.types(),
        exploration: &exploration,
        described: &partitions,
    });
    let place =
        report_span(&program.files, item.span).map(|span| format!("{}:{}", span.file, span.line_start));
    Ok(Signature {
        path,
        declaration: declaration.trim_end_matches(" -> ()").to_owned(),
        place,
        strategy: match options.strategy {
            CoreStrategy::Rsc => "rsc",
            CoreStrategy::Dart => "dart",
        },
        partitions,
        completeness: exploration.completeness,
        ledger: exploration.ledger.clone(),
        effort: exploration.effort.clone(),
        tests,
    })
}

/// Types without the modules that they stand in: `Option<u8>`.
fn last_segments(ty: &str) -> String {
    let mut short = String::with_capacity(ty.len());
    let mut rest = ty;
    while let Some(at) = rest.find("::") {
        let kept = rest[..at]
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |last| last + rest[last..].chars().next().map_or(1, char::len_utf8));
        short.push_str(&rest[..kept]);
        rest = &rest[at + 2..];
    }
    short + rest
}

/// The parameters by name; those that are patterns by position.
pub(super) fn parameters(program: &Program, function: FnId, types: &[Ty]) -> Vec<(String, Ty)> {
    let names: Vec<Option<String>> = match &program.functions[function].body {
        FnBody::Present(body) => {
            body.args().map(|local| body.locals[local].name.as_ref().map(ToString::to_string)).collect()
        }
        _ => Vec::new(),
    };
    let name = |index: usize| names.get(index).cloned().flatten().unwrap_or_else(|| format!("arg{index}"));
    types.iter().enumerate().map(|(index, ty)| (name(index), ty.clone())).collect()
}

fn describe(
    explored: &mut Function<'_, '_>,
    exploration: &Exploration,
    parameters: &[(String, Ty)],
    path: &str,
) -> Vec<SignaturePartition> {
    let program = explored.image().program;
    let constraints = explored.inputs.space.constraints.clone();
    let mut solver = Layered::new(AnySolver::new());
    let limits = SolverLimits::within(SIMPLIFYING);
    let kept: Vec<Vec<_>> = exploration
        .partitions
        .iter()
        .map(|partition| {
            let conditions = in_source_order(partition);
            simplified(&mut explored.inputs.pool, &mut solver, &limits, &constraints, &conditions)
        })
        .collect();
    let names = Names::new(program, &explored.inputs.pool, parameters);
    let printer = Printer { pool: &explored.inputs.pool, names: &names, program };
    let one = |(partition, kept): (&Partition, Vec<_>)| {
        let args: Vec<String> = partition.inputs.iter().map(ToString::to_string).collect();
        let inputs = parameters.iter().zip(&partition.inputs);
        SignaturePartition {
            conditions: kept.into_iter().map(|condition| printer.condition(condition)).collect(),
            output: printer
                .ending(&partition.ending)
                .unwrap_or_else(|stop| vec![format!("not followed to the end: {}", reasons::stop(stop))]),
            inputs: inputs
                .map(|((name, _), value)| NamedValue { name: name.clone(), value: value.clone() })
                .collect(),
            call: format!("{path}({})", args.join(", ")),
        }
    };
    exploration.partitions.iter().zip(kept).map(one).collect()
}

/// The conditions in the order in which the program asked for them.
fn in_source_order(partition: &Partition) -> Vec<regress_core::term::TermId> {
    let mut conditions: Vec<_> = partition.conditions.iter().collect();
    conditions.sort_by_key(|condition| condition.instance);
    conditions.into_iter().map(|condition| condition.holds).collect()
}

#[cfg(test)]
mod tests {
    use super::last_segments;

    #[test]
    fn modules_of_types_are_left_out() {
        assert_eq!(last_segments("&mut a::b::Point"), "&mut Point");
        assert_eq!(last_segments("std::option::Option<[a::T; 3]>"), "Option<[T; 3]>");
        assert_eq!(last_segments("(u8, &str)"), "(u8, &str)");
    }
}
