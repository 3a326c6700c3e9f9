//! Reasons in words: why functions are not analysed, runs stop, calls are not run natively, solvers give up.
//!
//! * this file: each as a clause that goes behind "it is not analysed:" and the like
//! * [`suspicion`]: why lines are suspects
//! * [`unsupported`]: what the engine does not do, as a noun

mod suspicion;
#[cfg(test)]
mod tests;
mod unsupported;

use regress_core::exec::{InputError, Stop};
use regress_core::localize::NotLocalized;
use regress_core::smt::UnknownReason;
use regress_core::verdict::not_analysed::{
    NotAnalysed, NotRun, OpenGenerics, OtherBuild, Refused, Signatures, StoppedBy,
};

use super::wording;
use regress_core::verdict::{LoopOf, RestsOn};
pub use suspicion::{effect, suspicion, suspicion_of};
pub use unsupported::unsupported;

/// Models that are named where a proof is contradicted.
const SHOWN_MODELS: usize = 6;

/// Why a function has no verdict.
pub fn not_analysed(reason: &NotAnalysed) -> String {
    match reason {
        NotAnalysed::SignatureChanged(Signatures { old, new }) if old == new => {
            format!("a type that it takes is defined otherwise, so the versions have no inputs in common: `{new}`")
        }
        NotAnalysed::SignatureChanged(Signatures { old, new }) => {
            format!(
                "its signature changed, so the versions have no inputs in common: it was `{old}`, and is `{new}`"
            )
        }
        NotAnalysed::InOneVersionOnly => "it exists in one version only".to_owned(),
        NotAnalysed::Refused(why) => refused(why),
        NotAnalysed::Stopped(by) => stopped_by(by),
        NotAnalysed::LooksAtPanics => {
            "it catches panics or looks at them, and they end the process in this build (panic = \"abort\") but not in native runs"
                .to_owned()
        }
        NotAnalysed::OutOfTime { seconds } => {
            format!("{} was over before its turn", wording::whole_run(*seconds))
        }
        NotAnalysed::InternalError { panic } => format!("internal error: {panic}"),
    }
}

/// A loop by its place, or that of the call into std.
pub(super) fn loop_at(of: LoopOf, location: &str) -> String {
    match of {
        LoopOf::Program => format!("the loop at {location}"),
        LoopOf::Std => format!("a loop of the standard library in the call at {location}"),
    }
}

fn stopped_by(by: &StoppedBy) -> String {
    match by {
        StoppedBy::OpaqueCall { callee } => opaque_call(callee),
        StoppedBy::RestrictedModel { on } => wording::restricted_model(on),
        StoppedBy::Unsupported(what) => format!("the engine does not support {}", unsupported(what)),
        StoppedBy::StepBudget { limit } => format!("no run ended within {limit} steps"),
        StoppedBy::LoopBound { location, of, limit } => {
            format!("no run left {} within {limit} rounds", loop_at(*of, location))
        }
        StoppedBy::CallDepth { function, limit } => {
            format!("no run ended within {limit} calls within one another, the last of `{function}`")
        }
        StoppedBy::TimeBudget { seconds } => format!("no run ended within {seconds} s"),
    }
}

fn opaque_call(callee: &str) -> String {
    format!("it calls `{}`, which has no body here", wording::abridged(callee))
}

/// Why a search did not begin.
pub fn refused(reason: &Refused) -> String {
    match reason {
        Refused::NoBody => "it has no body".to_owned(),
        Refused::Unreadable { line: Some(line), said } => {
            format!("its MIR cannot be read (line {line} of the dump): {said}")
        }
        Refused::Unreadable { line: None, said } => format!("its MIR cannot be read: {said}"),
        Refused::Generic(why) => format!("it is generic, and {}", open_generics(why)),
        Refused::Uncalled { types, why } => {
            let why = not_run(why);
            format!("it is generic, and whether it may be called with {types} is not known: {why}")
        }
        Refused::Input(error) => input_error(error),
        Refused::ParametersDiffer => "the parameter types differ".to_owned(),
    }
}

fn open_generics(why: &OpenGenerics) -> String {
    match why {
        OpenGenerics::Differ => "its parameters differ between the versions".to_owned(),
        OpenGenerics::Unchosen { parameter } => format!("nothing was chosen for `{parameter}`"),
        OpenGenerics::NothingFits => "none of the types tried fits".to_owned(),
        OpenGenerics::NothingMeets { parameter, bounds } if bounds.is_empty() => {
            format!("nothing that was tried for `{parameter}` fits")
        }
        OpenGenerics::NothingMeets { parameter, bounds } => {
            let bounds: Vec<String> = bounds.iter().map(|bound| format!("`{bound}`")).collect();
            format!("nothing that was tried for `{parameter}` meets {}", some(&bounds))
        }
        OpenGenerics::NothingHas { parameter, traits } => {
            format!("none of the types tried for `{parameter}` has {}", some(traits))
        }
    }
}

/// The first of them, and how many more there are: what a trait asks of a type besides may be a long list.
fn some(names: &[String]) -> String {
    const MOST: usize = 4;
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Why no argument can be built.
pub fn input_error(error: &InputError) -> String {
    match error {
        InputError::Type(ty) => format!("an argument of type `{ty}` cannot be built yet"),
        InputError::Mismatch(ty) => format!("the type `{ty}` differs between the versions"),
        InputError::TooLarge { parts } => {
            format!("an argument has more than {parts} parts; a smaller --max-len makes sequences shorter")
        }
        InputError::OtherFields(ty) => {
            format!(
                "an argument of type `{ty}` has other fields in each version, and nothing in both makes one"
            )
        }
    }
}

/// Why a function or a call was not run natively.
pub fn not_run(reason: &NotRun) -> String {
    match reason {
        NotRun::NoSources => "two files of Charon's are compared, without sources to build",
        NotRun::NoPlace => "its place in the sources is not known",
        NotRun::PlaceSeen => {
            "what it gives may hang on where the crate lies, and the harnesses lie elsewhere"
        }
        NotRun::NotTried => "it was not tried",
        NotRun::PartHidden => "a part of the result has no `Debug`, and its fields cannot be shown",
        NotRun::MadeOtherwise => {
            "each version makes its inputs otherwise, and given the same they do the same"
        }
        NotRun::OnlyContents => "only the contents of `MaybeUninit` differ",
        NotRun::Said(words) => words,
    }
    .to_owned()
}

/// What the build of one version is that the other's is not.
pub fn other_build(build: &OtherBuild) -> String {
    let compiled_by = |used: &str| format!("both versions are compiled by rustc {used}");
    match build {
        OtherBuild::PanicEnds { only } => {
            let which = wording::version(*only);
            format!("the panic strategy changed: a panic ends the process in the {which} version only")
        }
        OtherBuild::Toolchain { of, asked, used } => {
            let (name, used) = (wording::version(*of), compiled_by(used));
            format!("the toolchain file of the {name} version asks for rustc {asked}, and {used}")
        }
        OtherBuild::Compiler { setting } => format!(
            "`build.{setting}` in `.cargo/config.toml` is not the same in both versions, and what such a program does with the code is not known"
        ),
        OtherBuild::Allocator => {
            "the global allocator changed, and a proof takes it that memory can be had".to_owned()
        }
        OtherBuild::AsksForDoc { crate_name } => format!(
            "`{crate_name}` asks whether it is being documented (`cfg(doc)`), and its types are known as rustdoc sees them: nothing is proved"
        ),
        OtherBuild::NamedLikeLibrary { crate_name } => format!(
            "a dependency is called `{crate_name}`, and what it defines cannot be told from the standard library: nothing is proved"
        ),
        OtherBuild::NoToolchain { of, said, used } => {
            let (name, used) = (wording::version(*of), compiled_by(used));
            format!("the toolchain that the {name} version asks for cannot be had ({said}), and {used}")
        }
    }
}

/// Why the solver gave no answer.
pub fn unknown(reason: &UnknownReason) -> String {
    match reason {
        UnknownReason::ResourceLimit => "the solver's resource limit was reached".to_owned(),
        UnknownReason::Timeout => "the solver's time was up".to_owned(),
        UnknownReason::Memory => "the solver came to more memory than it is given".to_owned(),
        UnknownReason::GivenUp => "the solver did not answer an interrupt and was given up".to_owned(),
        UnknownReason::WrongModel { assertion } => {
            format!("the solver's model does not satisfy {assertion}")
        }
        UnknownReason::Other(text) => format!("the solver gave up: {text}"),
    }
}

/// Why a run ended before the function returned.
pub fn stop(stop: &Stop) -> String {
    match stop {
        Stop::Panic { message, .. } => format!("a panic: {}", message.as_deref().unwrap_or("no message")),
        Stop::AssumptionViolated { .. } => "a check failed that was taken to hold".to_owned(),
        Stop::LoopBound { location, of, limit, .. } => {
            format!("more than {limit} rounds of {}", loop_at(*of, location))
        }
        Stop::CallDepth { function, limit, .. } => {
            format!("more than {limit} calls within one another, the last of `{function}`")
        }
        Stop::StepBudget { limit } => format!("more than {limit} steps"),
        Stop::TimeBudget { seconds } => format!("more than {seconds} s"),
        Stop::OpaqueCall { callee } => opaque_call(callee),
        Stop::RestrictedModel { on } => wording::restricted_model(on),
        Stop::Unsupported(what) => format!("unsupported: {}", unsupported(what)),
    }
}

/// What a proof rests on that was contradicted.
pub fn rests_on(basis: &RestsOn) -> String {
    match basis {
        RestsOn::Exploration { models } if models.is_empty() => "the exploration".to_owned(),
        RestsOn::Exploration { models } if models.len() > SHOWN_MODELS => {
            let (shown, others) = models.split_at(SHOWN_MODELS);
            format!("the exploration, with {} and {} other models", shown.join(", "), others.len())
        }
        RestsOn::Exploration { models } => {
            format!("the exploration, with the models {}", models.join(", "))
        }
        RestsOn::Proofs { of } if of.is_empty() => "what follows from proofs".to_owned(),
        RestsOn::Proofs { of } => format!("what follows from the proofs of {}", of.join(", ")),
    }
}

/// Why a call is not localized.
pub fn not_localized(reason: &NotLocalized) -> String {
    match reason {
        NotLocalized::Refused(Refused::Input(InputError::Type(ty))) => {
            format!("values of `{ty}` are not executed symbolically")
        }
        NotLocalized::Refused(why) => refused(why),
        NotLocalized::Count { taken, given } => format!("it takes {taken} arguments, not {given}"),
        NotLocalized::Argument { value, ty } => {
            let value = suspicion::short(&value.to_string());
            format!("`{value}` is not among the values of `{ty}` that are executed symbolically")
        }
        NotLocalized::OutsideInputs => {
            "the arguments are not among those that are executed symbolically".to_owned()
        }
        NotLocalized::Contradiction => "the engine contradicts itself on this call".to_owned(),
        NotLocalized::NotMade { maker } => format!("`{maker}` makes no value of these arguments"),
    }
}
