//! What the conditions of both runs of a call blame.

use regress_core::align::Alignment;
use regress_core::exec::Image;
use regress_core::explore::Options;
use regress_core::localize::{self, Blame, Method};
use regress_core::observable::same_in_both;

use super::DifferingCall;
use crate::pipeline::load::Loaded;
use crate::pipeline::naming::parameter_name;
use crate::report::reasons;
use crate::report::wording;

/// What the conditions of both runs blame; or why they cannot be held against each other. What the engine sees counts
/// only where it is what happens natively; of types that differ between the versions it has what both have.
pub(in crate::pipeline) fn blame(
    loaded: &Loaded,
    alignment: &Alignment,
    call: DifferingCall<'_>,
    options: Options,
    method: Method,
) -> Result<Blame, String> {
    let common = alignment.common_for(call.functions.new);
    let image = |program| Image::new(program, options.limits.panics).with_common(&common);
    let images = (image(&loaded.old.program), image(&loaded.new.program));
    let name = |index| parameter_name(&loaded.new.program, call.functions.new, index);
    let names: Vec<String> = (0..call.arguments.len()).map(name).collect();
    let blame =
        localize::localize(&images.0, &images.1, call.functions, &options, method, call.arguments, &names)
            .map_err(|reason| reasons::not_localized(&reason))?;
    for (version, engine, native) in [("old", &blame.old, call.old), ("new", &blame.new, call.new)] {
        match engine {
            Some(engine) if !same_in_both(&common, engine, native) => {
                return Err(format!(
                    "the {version} version {} natively, but the engine says that it {}",
                    wording::present(native),
                    wording::present(engine)
                ));
            }
            _ => {}
        }
    }
    if blame.old.is_none() && blame.new.is_none() && blame.branches.is_empty() {
        let reasons: Vec<String> = blame.ledger.entries().iter().map(wording::approximation).collect();
        return Err(format!("neither run could be followed to its end: {}", reasons.join("; ")));
    }
    Ok(blame)
}
