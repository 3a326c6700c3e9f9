//! What a caller from outside of the crate can see of a difference in a private function.
//!
//! A public function that may run the private one is affected by the change and so was compared itself; what came of
//! that is put beside the difference. Callers that only a choice of types from outside brings in are not known. Whoever calls the crate believes a public witness first.

use regress_core::align::{Alignment, functions_reached};
use regress_core::ir::{FnId, FunctionKind, Program, Visibility};
use regress_core::verdict::Verdict;

use super::load::Loaded;
use crate::report::{FunctionReport, PublicCaller, SeenFromOutside};

/// Fills in, for each difference in a private function, what its public callers show. The reports are parallel to the
/// pairs of the alignment.
pub(super) fn look_from_outside(loaded: &Loaded, alignment: &Alignment, reports: &mut [FunctionReport]) {
    let program = &loaded.new.program;
    let new_ids: Vec<Option<FnId>> = alignment.pairs.iter().map(|pair| pair.new).collect();
    let is_difference = |report: &FunctionReport| matches!(report.verdict, Verdict::Differs { .. });
    let of_reports = || new_ids.iter().zip(&*reports).enumerate();
    let inside: Vec<usize> = of_reports()
        .filter(|(_, (id, report))| is_difference(report) && id.is_some_and(|id| !is_entry(program, id)))
        .map(|(index, _)| index)
        .collect();
    if inside.is_empty() {
        return;
    }
    let entries: Vec<(usize, FnId)> = of_reports()
        .filter(|(_, (_, report))| report.verdict != Verdict::Unchanged)
        .filter_map(|(index, (id, _))| id.filter(|id| is_entry(program, *id)).map(|id| (index, id)))
        .collect();
    let starts: Vec<FnId> = entries.iter().map(|(_, id)| *id).collect();
    let reached = functions_reached(program, &starts);
    for index in inside {
        let Some(id) = new_ids[index].map(|id| program.in_sources(id)) else { continue };
        let callers = entries.iter().zip(&reached).filter(|(_, reached)| reached.contains(&id));
        let seen = callers.map(|((caller, _), _)| public_caller(&reports[*caller])).collect();
        reports[index].outside = SeenFromOutside::through(seen);
    }
}

/// Whether code outside of the crate can run the function by its name.
pub(super) fn is_entry(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    let in_root = function.path.as_str().matches("::").count() == 1;
    let is_main = in_root && function.path.as_str().ends_with("::main") && function.kind == FunctionKind::Fn;
    function.visibility == Visibility::Public || is_main
}

fn public_caller(report: &FunctionReport) -> PublicCaller {
    let witness = match &report.verdict {
        Verdict::Differs { witnesses, .. } => witnesses.first().map(|witness| report.call(witness)),
        _ => None,
    };
    PublicCaller { path: report.path.clone(), standing: report.standing(), witness }
}
