//! What other functions show of a difference that is in private fields alone.
//!
//! *Idea.* A function may leave another value behind than before, which is seen only by what is done with it then: `next_flag` leaves another state, and
//! `word`, which did not change, panics on it. So where nothing but private fields was seen to differ, the public functions that take such a value
//! are run natively on values that the crate makes, here also by steps that changed. What they show is told with the function that leaves the value: nothing is said of theirs,
//! which may be proved equal. A new panic of theirs makes it a regression.
//!
//! *Limits.* Random inputs alone are run, at one choice of types. Of the calls that show a difference the worst [`MOST_TOLD`] are told.

use std::collections::BTreeSet;
use std::time::Duration;

use rayon::prelude::*;
use regress_core::align::Pair;
use regress_core::compare::{Chooser, Instantiation};
use regress_core::exec::{Maker, Makers};
use regress_core::ir::{FnId, FunctionKind, Mutability, Origin, Path, Program, Ty, TyKind};
use regress_core::value::Value;
use regress_core::verdict::{Class, Verdict, Witness};

use super::aligned::Aligned;
use super::invariants::{callees, private_results};
use super::naming::display_call;
use super::subject::{self, Judgement, LeftValue};
use super::{Session, outside};
use crate::report::Note;

/// With less time left, nothing is built.
const LEAST_TIME: Duration = Duration::from_secs(8);
/// So many functions are run.
const MOST_RUN: usize = 48;
/// Witnesses of one function that leave a value to be looked at.
const MOST_LEFT: usize = 6;
/// So many calls that show a difference are told: a value that is another one may be seen by all that its type offers.
const MOST_TOLD: usize = 3;

/// Looks for functions that show what others are seen to differ by in private fields alone, and notes it.
pub(super) fn look(session: &Session<'_>, aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    // All steps of a merge are run by one harness.
    if session.options.search.random_runs == 0 || session.options.merged.asked().is_some() {
        return;
    }
    let leaving = leaving(aligned, functions);
    let differing: BTreeSet<Path> = leaving.iter().flat_map(|leaving| leaving.types.clone()).collect();
    let observers = observers(aligned, functions, &differing);
    let is_late = session.options.budget.deadline.is_some_and(|deadline| deadline.remaining() < LEAST_TIME);
    if observers.is_empty() || is_late {
        return;
    }
    session.progress.step("Looking for what shows a difference in private fields");
    let of_leaving = leaving.iter().map(|Leaving { old, new, at, .. }| (*old, *new, at.clone()));
    let of_observers = observers.iter().map(|Observer { old, new, at, .. }| (*old, *new, at.clone()));
    // A step makes values where it is run itself.
    let subjects: Vec<(FnId, FnId, Instantiation)> = of_leaving.chain(of_observers).collect();
    let Aligned { loaded, alignment, .. } = aligned;
    let Ok(built) = session.build_harnesses_of_observers(loaded, alignment, &subjects) else { return };
    let left: Vec<LeftValue> = leaving.iter().flat_map(|leaving| leaving.values(built.makers())).collect();
    let mut shown: Vec<(&Observer, Witness)> = observers
        .par_iter()
        .filter(|_| !session.options.budget.is_over())
        .filter_map(|observer| {
            let _token = session.jobserver.token();
            let pair = functions[observer.number].0;
            Some((observer, subject::seen_by_observer(session, aligned, &built, pair, &left)?))
        })
        .collect();
    shown.sort_by_key(|(observer, seen)| (Class::of(&seen.old, &seen.new), observer.number));
    let program = &loaded.new.program;
    let told = shown.into_iter().filter_map(|(observer, witness)| {
        let inputs: Vec<Value> = witness.inputs.iter().map(|input| input.value.clone()).collect();
        let made_by = callees(inputs.iter());
        let by = leaving.iter().find(|leaving| made_by.contains(&program.functions[leaving.new].path))?;
        let call = display_call(program, observer.new, loaded.only_crate(), &inputs);
        Some((by.number, Note::SeenBy { call, witness: witness.into() }))
    });
    for (number, note) in told.take(MOST_TOLD) {
        functions[number].1.notes.push(note);
    }
}

/// A function that is seen to differ in private fields of these types alone, on these inputs.
struct Leaving {
    number: usize,
    old: FnId,
    new: FnId,
    at: Instantiation,
    types: BTreeSet<Path>,
    inputs: Vec<Vec<Value>>,
}

impl Leaving {
    fn values(&self, makers: &Makers) -> Vec<LeftValue> {
        let own: Vec<&Maker> = makers.iter().filter(|maker| maker.new == self.new).collect();
        let of_inputs = |inputs: &Vec<Value>| {
            own.iter().filter_map(|maker| LeftValue::of(maker, inputs.clone())).collect::<Vec<LeftValue>>()
        };
        self.inputs.iter().flat_map(of_inputs).collect()
    }
}

fn leaving(aligned: &Aligned, functions: &[(&Pair, Judgement)]) -> Vec<Leaving> {
    let program = &aligned.loaded.new.program;
    let of_pair = |(number, (pair, judgement)): (usize, &(&Pair, Judgement))| {
        let types = private_results(program, &judgement.verdict)?;
        let Verdict::Differs { witnesses, .. } = &judgement.verdict else { return None };
        let (old, new) = (pair.old?, pair.new?);
        let at = aligned.harnesses.instantiation(old, new).ok()?;
        let seen = witnesses.iter().chain(&judgement.unshown).take(MOST_LEFT);
        let inputs = seen.map(|seen| seen.inputs.iter().map(|input| input.value.clone()).collect()).collect();
        Some(Leaving { number, old, new, at, types, inputs })
    };
    functions.iter().enumerate().filter_map(of_pair).collect()
}

/// A function that takes a value of which private fields were seen to differ, by its number among all, at these types.
struct Observer {
    number: usize,
    old: FnId,
    new: FnId,
    at: Instantiation,
}

/// Public functions of which no difference is known. What only looks at a value comes before what may change it.
fn observers(
    aligned: &Aligned,
    functions: &[(&Pair, Judgement)],
    differing: &BTreeSet<Path>,
) -> Vec<Observer> {
    if differing.is_empty() {
        return Vec::new();
    }
    let Aligned { loaded, harnesses, .. } = aligned;
    let (old_program, new_program) = (&loaded.old.program, &loaded.new.program);
    let is_it = |part: &TyKind| matches!(part, TyKind::Adt(path, _) if differing.contains(path));
    let takes = |id: FnId| new_program.functions[id].inputs.iter().any(|input| input.has_part(is_it));
    let mut taking: Vec<(usize, FnId, FnId)> = functions
        .iter()
        .enumerate()
        .filter(|(_, (_, judgement))| !judgement.differs())
        .filter_map(|(number, (pair, _))| Some((number, pair.old?, pair.new?)))
        .filter(|(_, _, new)| is_callable(new_program, *new) && takes(*new))
        .collect();
    let is_lent = |input: &Ty| matches!(input.kind(), TyKind::Ref(Mutability::Mut, of) if of.has_part(is_it));
    let changes = |id: FnId| new_program.functions[id].inputs.iter().any(is_lent);
    taking.sort_by_key(|(number, _, new)| (changes(*new), *number));
    taking.truncate(MOST_RUN);
    let chooser = Chooser::new(old_program, new_program);
    let at = |old: FnId, new: FnId| match harnesses.chosen(old, new) {
        Some(chosen) => chosen.ok(),
        None => chooser.choose(old, new, &[]).ok(),
    };
    taking
        .into_iter()
        .filter_map(|(number, old, new)| Some(Observer { number, old, new, at: at(old, new)? }))
        .collect()
}

/// Whether callers of the crate reach the function.
fn is_callable(program: &Program, id: FnId) -> bool {
    let function = &program.functions[id];
    function.kind == FunctionKind::Fn && function.origin == Origin::Subject && outside::is_entry(program, id)
}
