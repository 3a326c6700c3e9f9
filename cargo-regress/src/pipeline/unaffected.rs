//! On which inputs alone functions may differ (`regress_core::difference::affected_when`), as notes, and as inputs that are tried first.
//!
//! Like all proofs these are held against native runs: a witness beyond the condition is told as a contradiction.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use regress_core::align::Pair;
use regress_core::difference::AffectedWhen;
use regress_core::ir::{FnId, FunctionKind, Program};
use regress_core::signature::readable::{Names, Printer, may_wrap, simplified};
use regress_core::smt::{Answer, AnySolver, Layered, Solver, SolverLimits};
use regress_core::value::Value;
use regress_core::verdict::{Verdict, Witness};

use super::congruent::Congruent;
use super::discharge::note_proved;
use super::explore::parameters;
use super::load::Loaded;
use super::naming::display_path;
use super::subject::Judgement;
use crate::harness::Row;
use crate::report::{Arithmetic, Note};

/// Longer conditions are not shown: nobody reads them.
const LONGEST: usize = 160;
/// What it may take to leave out of a condition what follows from the rest.
const SIMPLIFYING: Duration = Duration::from_millis(50);

/// Conditions by functions of the new version, and the aligned functions on which each rests.
#[derive(Debug, Default)]
pub(super) struct Unaffected {
    /// Terms are read by one thread at a time.
    conditions: Mutex<BTreeMap<FnId, AffectedWhen>>,
    rests_on: Congruent,
    /// Inputs on which functions may differ, whether or not they are known to differ on no others.
    suspected: BTreeMap<FnId, Vec<Row>>,
}

impl Unaffected {
    /// Of these conditions those that hold.
    pub fn new(
        mut conditions: BTreeMap<FnId, AffectedWhen>,
        holding: BTreeMap<FnId, Vec<FnId>>,
        suspected: BTreeMap<FnId, Vec<Row>>,
    ) -> Unaffected {
        conditions.retain(|id, _| holding.contains_key(id));
        Unaffected { conditions: Mutex::new(conditions), rests_on: holding, suspected }
    }

    /// Inputs on which the function of the new version may differ.
    pub fn suspected(&self, function: FnId) -> &[Row] {
        self.suspected.get(&function).map_or(&[], Vec::as_slice)
    }

    /// Notes on which inputs alone functions may differ.
    pub fn note(&self, loaded: &Loaded, functions: &mut [(&Pair, Judgement)]) {
        let mut conditions = self.conditions.lock().unwrap_or_else(PoisonError::into_inner);
        let program = &loaded.new.program;
        let name = |id: &FnId| display_path(program, *id, loaded.only_crate());
        for (pair, judgement) in functions {
            let Some(new) = pair.new else { continue };
            let Some(condition) = conditions.get_mut(&new) else { continue };
            let condition = RefCell::new(condition);
            let rests_on: Vec<String> = self.rests_on.get(&new).into_iter().flatten().map(name).collect();
            // What a step that changed made is another value in each version.
            let own = &program.functions[new].path;
            let is_made_by_itself =
                |witness: &Witness| witness.inputs.iter().any(|input| input.value.holds_made_by(own));
            let is_beyond = |witness: &Witness| {
                let inputs: Vec<Value> = witness.inputs.iter().map(|input| input.value.clone()).collect();
                condition.borrow().holds_of(program, &inputs) == Some(false)
            };
            // Such a witness neither speaks for the condition nor shows that it does not hold.
            if let Verdict::Differs { witnesses, .. } = &judgement.verdict
                && witnesses.iter().any(|witness| is_made_by_itself(witness) && is_beyond(witness))
            {
                continue;
            }
            let note = || {
                let condition = in_rust(program, new, &mut condition.borrow_mut());
                condition.map(|(condition, arithmetic)| Note::AffectedWhen { condition, arithmetic })
            };
            note_proved(judgement, (&name(&new), &rests_on), is_beyond, note);
        }
    }
}

/// `x > 4 && s.len() == 2 || x == 0`; none if it is too long, or holds of all inputs.
fn in_rust(program: &Program, function: FnId, condition: &mut AffectedWhen) -> Option<(String, Arithmetic)> {
    if program.functions[function].kind != FunctionKind::Fn {
        return None;
    }
    let AffectedWhen { pool, any_of, .. } = condition;
    let mut solver = Layered::new(AnySolver::new());
    let limits = SolverLimits::within(SIMPLIFYING);
    let parameters = parameters(program, function, &program.functions[function].inputs);
    let names = Names::new(program, pool, &parameters);
    let constraints = names.constraints(pool);
    let any_of: Vec<Vec<_>> =
        any_of.iter().map(|facts| simplified(pool, &mut solver, &limits, &constraints, facts)).collect();
    let mut elsewhere = constraints;
    elsewhere.extend(any_of.iter().map(|facts| {
        let all = facts.iter().fold(pool.bool_const(true), |all, fact| pool.and(all, *fact));
        pool.not(all)
    }));
    if solver.check(pool, &elsewhere, &limits) == Answer::Unsat {
        return None;
    }
    let printer = Printer { pool, names: &names, program };
    let alternatives: Vec<String> = any_of
        .iter()
        .map(|facts| {
            let facts = facts.iter().map(|fact| printer.condition(*fact));
            let within = |fact: String| if fact.contains(" || ") { format!("({fact})") } else { fact };
            facts.map(within).collect::<Vec<_>>().join(" && ")
        })
        .collect();
    let text = alternatives.join(" || ");
    if text.len() > LONGEST {
        return None;
    }
    let sums: Vec<_> = any_of.iter().map(|facts| printer.arithmetic(facts)).collect();
    let mut wraps =
        any_of.iter().zip(&sums).map(|(facts, sums)| may_wrap(pool, &mut solver, &limits, facts, sums));
    let arithmetic = if wraps.any(|wraps| wraps) { Arithmetic::Wraps } else { Arithmetic::Exact };
    Some((text, arithmetic))
}
