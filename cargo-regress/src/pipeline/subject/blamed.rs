//! The suspect lines of a difference.

use std::time::Duration;

use regress_core::compare::FunctionPair;
use regress_core::ir::{Ty, TyKind};
use regress_core::localize::Method;
use regress_core::value::Value;
use regress_core::verdict::{Suspect, Verdict, Witness};

use super::{Work, search, witnesses};
use crate::pipeline::explore::search_options;
use crate::pipeline::localize::localize_command;
use crate::pipeline::makers::by_fields;
use crate::pipeline::naming::display_call;
use crate::pipeline::suspects::{DifferingCall, OF_WITNESS, Ranked, Suspects, add_changes, suspects};
use crate::report::Note;
use crate::stats::Stage;

/// Suspect lines of one difference, before what merely changed.
const MOST: usize = 8;
/// What finding them may take.
const LONGEST: Duration = Duration::from_secs(2);
/// Characters of a call that is still worth being pasted.
const LONGEST_CALL: usize = 200;

/// Puts the lines that may be to blame for the first witness into a difference. The note says where no conditions tell them.
pub(super) fn add_suspects(work: &Work<'_>, verdict: &mut Verdict) -> Option<Note> {
    let Verdict::Differs { witnesses, suspects: told, .. } = verdict else { return None };
    let arguments = witnesses::inputs_of(witnesses.first()?);
    let Suspects { lines, blame, behind } =
        work.session.clock.time(Stage::Suspects, || of_call(work, &witnesses[0], &arguments));
    let suspect = |(Ranked { version, span, reason, .. }, rank)| Suspect { version, span, rank, reason };
    *told = lines.into_iter().take(MOST).zip(1..).map(suspect).collect();
    // No hunk was left out to see which of them count, so all that changed is told behind what conditions say.
    let mut changes = Vec::new();
    add_changes(&mut changes, work.loaded, work.alignment, &behind);
    for change in changes {
        let line = |suspect: &Suspect| (suspect.version, suspect.span.file, suspect.span.line_start);
        if !told.iter().any(|known| line(known) == line(&change)) {
            told.push(Suspect { rank: told.len() as u32 + 1, ..change });
        }
    }
    let reason = blame.err()?;
    let call = display_call(&work.loaded.new.program, work.new, work.loaded.only_crate(), &arguments);
    let can_be_given = call.len() <= LONGEST_CALL && !holds_objects(work, &arguments);
    let command = can_be_given.then(|| localize_command(work.session.versions, &call)).flatten();
    Some(Note::NoConditions { reason, command })
}

/// Whether there are trait objects among the arguments, which `cargo regress localize --call` does not read.
fn holds_objects(work: &Work<'_>, arguments: &[Value]) -> bool {
    let is_object = |ty: &Ty| ty.has_part(|part| matches!(part, TyKind::Dyn(_)));
    work.loaded.new.program.functions[work.new].inputs.iter().any(is_object)
        || arguments.iter().any(Value::holds_stand_in)
}

fn of_call(work: &Work<'_>, witness: &Witness, arguments: &[Value]) -> Suspects {
    let made = arguments.iter().any(Value::holds_made);
    let functions = FunctionPair {
        old: work.old,
        new: work.new,
        instantiation: work.harnesses.instantiation(work.old, work.new).unwrap_or_default(),
        makers: if made { work.makers() } else { by_fields(work.alignment) },
    };
    let call = DifferingCall {
        functions: &functions,
        arguments,
        old: &witness.old,
        new: &witness.new,
        discharged: Some(work.discharged),
    };
    let options = search_options(&work.session.options.search, search::budget(work).min(LONGEST));
    suspects(work.loaded, work.alignment, call, options, OF_WITNESS, Method::Rsc)
}
