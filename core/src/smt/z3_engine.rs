//! What a helper does to have a question answered by Z3.
//!
//! Each question goes to a fresh solver built from a pipeline of tactics, all in the context of the present thread:
//! that was measured faster than incremental solving, in the median and in the tail. Terms are translated once per
//! pool and remembered.
//!
//! Limits: the engine holds references into its thread's context and is therefore bound to the thread that made it.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool};
use z3::{Context, Params, SatResult, Tactic};

use super::helper::Line;
use super::integers::Arithmetic;
use super::z3_float::{Floats, Operand};
use super::{Answer, UnknownReason, integers, tried};
use crate::term::{
    Addition, BvOp, Linear, Mirror, Model, Overflow, Sort, Term, TermId, TermPool, VarId, bits,
};

/// In this order; one that the linked version does not know is left out.
const PIPELINE: [&str; 5] = ["simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "smt"];

/// Bytes that all questions together may take up while they are decided; whichever asks for more ends. Products of wide floats come to gigabytes within seconds.
const MOST_MEMORY: u32 = 700_000_000;
static LIMIT_MEMORY: Once = Once::new();

#[derive(Clone)]
enum Ast {
    Bool(Bool),
    Bv(BV),
}

/// Whether Z3 is told all that the terms of a question mean.
#[derive(Clone, Copy)]
enum Knowledge {
    Full,
    Partial,
}

/// What Z3 is told of divisions, which are hard for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Divisions {
    Exact,
    /// Within which limits the results are. What cannot hold then cannot hold at all.
    Ranges,
}

/// Terms of one pool as Z3 is given them.
struct Translation {
    divisions: Divisions,
    asts: FxHashMap<TermId, Ast>,
}

/// One question to a helper.
pub(super) struct Question {
    /// What the helper has not seen of the pool yet.
    pub addition: Addition,
    pub stage: Stage,
    pub assertions: Vec<TermId>,
    /// Z3's own count of work; 0 is no limit.
    pub resources: u32,
}

/// How a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Of integers.
    Integers(Arithmetic),
    /// With divisions that may have any result in their range.
    WithoutDivisions,
    /// As it is: the only stage that always says something.
    Exact,
}

/// What is to be tried before the question is asked as it is.
pub(super) fn attempts(pool: &TermPool, assertions: &[TermId]) -> Vec<Stage> {
    let below = pool.below(assertions);
    let mut attempts = Vec::new();
    if integers::applies(pool, &below) {
        attempts.extend([Arithmetic::Simplex, Arithmetic::Usual].map(Stage::Integers));
    }
    // What is told of floats is told once, of the exact terms.
    let has_floats = below.iter().any(|t| matches!(pool.term(*t), Term::Float(..)));
    if !has_floats && below.iter().any(|t| is_division(pool, *t)) {
        attempts.push(Stage::WithoutDivisions);
    }
    attempts
}

/// The work of a helper.
pub(super) fn serve(line: Line<Question, Option<Answer>>) {
    LIMIT_MEMORY.call_once(|| z3::set_global_param("memory_high_watermark", &MOST_MEMORY.to_string()));
    let context = Context::thread_local();
    let handle = context.handle();
    let mut engine = Engine::new();
    let mut mirror = Mirror::default();
    line.serve(
        move || handle.interrupt(),
        |question, stop| {
            mirror.follow(question.addition);
            engine.answer(mirror.pool(), question.stage, &question.assertions, question.resources, stop)
        },
    );
}

/// Z3 in the context of this thread.
struct Engine {
    tactic: Tactic,
    /// The pool that the translations belong to.
    pool: Option<u64>,
    exact: Translation,
    coarse: Translation,
    floats: Floats,
}

/// The work was broken off.
struct Stopped;

impl Translation {
    fn new(divisions: Divisions) -> Translation {
        Translation { divisions, asts: FxHashMap::default() }
    }

    fn bool(&self, t: TermId) -> Bool {
        match &self.asts[&t] {
            Ast::Bool(ast) => ast.clone(),
            Ast::Bv(_) => unreachable!("sorts of terms are checked as they are built"),
        }
    }

    fn bv(&self, t: TermId) -> BV {
        match &self.asts[&t] {
            Ast::Bv(ast) => ast.clone(),
            Ast::Bool(_) => unreachable!("sorts of terms are checked as they are built"),
        }
    }

    /// Translates `t` and all below it.
    fn translate(
        &mut self,
        pool: &TermPool,
        t: TermId,
        floats: &mut Floats,
        stop: &AtomicBool,
    ) -> Result<(), Stopped> {
        let mut stack = vec![t];
        while let Some(&term) = stack.last() {
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            if self.asts.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !self.leaves_out(pool, term) {
                pool.term(term).for_each_child(|child| {
                    if !self.asts.contains_key(&child) {
                        stack.push(child);
                    }
                });
            }
            if stack.len() == before {
                let ast = self.node(pool, term, floats);
                self.asts.insert(term, ast);
                stack.pop();
            }
        }
        Ok(())
    }

    fn leaves_out(&self, pool: &TermPool, t: TermId) -> bool {
        self.divisions == Divisions::Ranges && is_division(pool, t)
    }

    /// One term whose operands have been translated.
    fn node(&mut self, pool: &TermPool, t: TermId, floats: &mut Floats) -> Ast {
        let width = u32::from(pool.width(t));
        if self.leaves_out(pool, t) {
            return Ast::Bv(BV::fresh_const("division", width));
        }
        match pool.term(t) {
            Term::Bool(value) => Ast::Bool(Bool::from_bool(*value)),
            Term::Bv { bits, width } => Ast::Bv(number(*bits, *width)),
            Term::Var(var) => match pool.sort(t) {
                Sort::Bool => Ast::Bool(Bool::new_const(var.to_string())),
                Sort::Bv(_) => Ast::Bv(BV::new_const(var.to_string(), width)),
            },
            Term::Not(a) => Ast::Bool(self.bool(*a).not()),
            Term::And(a, b) => Ast::Bool(Bool::and(&[self.bool(*a), self.bool(*b)])),
            Term::Ite(c, a, b) => match pool.sort(t) {
                Sort::Bool => Ast::Bool(self.bool(*c).ite(&self.bool(*a), &self.bool(*b))),
                Sort::Bv(_) => Ast::Bv(self.bool(*c).ite(&self.bv(*a), &self.bv(*b))),
            },
            Term::Eq(a, b) => match pool.sort(*a) {
                Sort::Bool => Ast::Bool(self.bool(*a).iff(self.bool(*b))),
                Sort::Bv(_) => Ast::Bool(self.bv(*a).eq(self.bv(*b))),
            },
            Term::Ult(a, b) => Ast::Bool(self.bv(*a).bvult(self.bv(*b))),
            Term::Slt(a, b) => Ast::Bool(self.bv(*a).bvslt(self.bv(*b))),
            Term::Overflow(op, a, b) => Ast::Bool(overflow(*op, &self.bv(*a), &self.bv(*b))),
            Term::Sum(linear) => Ast::Bv(self.sum(pool, linear)),
            Term::Product(factors) => {
                let product = factors.iter().map(|factor| self.bv(*factor)).reduce(|a, b| a.bvmul(&b));
                Ast::Bv(product.unwrap_or_else(|| number(1, width as u16)))
            }
            Term::Bin(op, a, b) => {
                let (a, b) = (self.bv(*a), self.bv(*b));
                Ast::Bv(match op {
                    BvOp::Udiv => a.bvudiv(&b),
                    BvOp::Sdiv => a.bvsdiv(&b),
                    BvOp::Urem => a.bvurem(&b),
                    BvOp::Srem => a.bvsrem(&b),
                    BvOp::And => a.bvand(&b),
                    BvOp::Or => a.bvor(&b),
                    BvOp::Xor => a.bvxor(&b),
                    BvOp::Shl => a.bvshl(&b),
                    BvOp::Lshr => a.bvlshr(&b),
                    BvOp::Ashr => a.bvashr(&b),
                })
            }
            Term::Extract { of, hi, lo } => Ast::Bv(self.bv(*of).extract(u32::from(*hi), u32::from(*lo))),
            Term::Float(op, ty, args) => {
                let operands: Vec<Operand> = args
                    .iter()
                    .map(|arg| Operand { term: *arg, bits: self.bv(*arg), constant: pool.as_const(*arg) })
                    .collect();
                Ast::Bv(floats.operation(t, *op, *ty, &operands))
            }
            Term::Zext { of, .. } => Ast::Bv(self.bv(*of).zero_ext(width - u32::from(pool.width(*of)))),
            Term::Sext { of, .. } => Ast::Bv(self.bv(*of).sign_ext(width - u32::from(pool.width(*of)))),
        }
    }

    /// Parts without common bits are joined by `or` instead of an adder, coefficients that are powers of two become
    /// shifts, `-1 - x` becomes a complement.
    fn sum(&self, pool: &TermPool, linear: &Linear) -> BV {
        let width = linear.width;
        let all = bits::mask(width);
        if let ([(term, coefficient)], true) = (linear.monomials.as_slice(), linear.constant == all)
            && *coefficient == all
        {
            return self.bv(*term).bvnot();
        }
        let disjoint = pool.is_disjoint(linear);
        let mut sum = (linear.constant != 0).then(|| number(linear.constant, width));
        for (term, coefficient) in &linear.monomials {
            let ast = self.bv(*term);
            let negated = all - coefficient + 1;
            sum = Some(match sum {
                None if *coefficient == all => ast.bvneg(),
                Some(sum) if *coefficient == all => sum.bvsub(&ast),
                Some(sum) if negated.is_power_of_two() && !coefficient.is_power_of_two() => {
                    sum.bvsub(scaled(&ast, negated, width))
                }
                None => scaled(&ast, *coefficient, width),
                Some(sum) if disjoint => sum.bvor(scaled(&ast, *coefficient, width)),
                Some(sum) => sum.bvadd(scaled(&ast, *coefficient, width)),
            });
        }
        sum.unwrap_or_else(|| number(0, width))
    }
}

/// A tactic of Z3's for each of the names, one after the other; one that the linked version does not know is left out.
///
/// None of them may start a timer of its own, as the tactics for logics (`QF_LIA`) do.
pub(super) fn pipeline(names: &[&str]) -> Tactic {
    let known: Vec<String> = Tactic::list_all().into_iter().flatten().collect();
    names
        .iter()
        .filter(|name| known.iter().any(|other| other == *name))
        .map(|name| Tactic::new(name))
        .reduce(|pipeline, next| pipeline.and_then(&next))
        .unwrap_or_else(Tactic::create_skip)
}

/// A solver with a limit of work. That it is no limit of time is on purpose, see [`super::z3_solver`]; and Z3 is not to put a
/// handler of its own in the place of that for Ctrl-C, which it does without regard to other threads.
pub(super) fn solver(tactic: &Tactic, resources: u32) -> z3::Solver {
    let solver = tactic.solver();
    let mut params = Params::new();
    params.set_u32("rlimit", resources);
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    solver
}

impl Engine {
    fn new() -> Self {
        Engine {
            tactic: pipeline(&PIPELINE),
            pool: None,
            exact: Translation::new(Divisions::Exact),
            coarse: Translation::new(Divisions::Ranges),
            floats: Floats::default(),
        }
    }

    /// None if the stage does not tell. That the work was stopped is known to who stopped it.
    fn answer(
        &mut self,
        pool: &TermPool,
        stage: Stage,
        assertions: &[TermId],
        resources: u32,
        stop: &AtomicBool,
    ) -> Option<Answer> {
        if self.pool != Some(pool.identity()) {
            self.exact.asts.clear();
            self.coarse.asts.clear();
            self.floats.clear();
            self.pool = Some(pool.identity());
        }
        match stage {
            Stage::Integers(arithmetic) => {
                integers::ask(pool, assertions, pool.below(assertions), (arithmetic, resources))
            }
            Stage::WithoutDivisions => match self.without_divisions(pool, assertions, resources, stop) {
                Ok(SatResult::Unsat) => Some(Answer::Unsat),
                Ok(SatResult::Sat | SatResult::Unknown) | Err(Stopped) => None,
            },
            Stage::Exact => self.run(pool, assertions, resources, stop).ok(),
        }
    }

    /// Whether the assertions can hold with divisions that give anything within their ranges.
    fn without_divisions(
        &mut self,
        pool: &TermPool,
        assertions: &[TermId],
        resources: u32,
        stop: &AtomicBool,
    ) -> Result<SatResult, Stopped> {
        for assertion in assertions {
            self.coarse.translate(pool, *assertion, &mut self.floats, stop)?;
        }
        let solver = solver(&self.tactic, resources);
        for assertion in assertions {
            solver.assert(self.coarse.bool(*assertion));
        }
        for division in pool.below(assertions).into_iter().filter(|t| is_division(pool, *t)) {
            // One inside of another is not met.
            let Some(Ast::Bv(ast)) = self.coarse.asts.get(&division) else { continue };
            let (facts, width) = (pool.facts(division), pool.width(division));
            solver.assert(ast.bvuge(number(facts.min, width)));
            solver.assert(ast.bvule(number(facts.max, width)));
        }
        Ok(solver.check())
    }

    fn run(
        &mut self,
        pool: &TermPool,
        assertions: &[TermId],
        resources: u32,
        stop: &AtomicBool,
    ) -> Result<Answer, Stopped> {
        for assertion in assertions {
            self.exact.translate(pool, *assertion, &mut self.floats, stop)?;
        }
        let solver = solver(&self.tactic, resources);
        for assertion in assertions {
            solver.assert(self.exact.bool(*assertion));
        }
        let mut knowledge = Knowledge::Full;
        for t in pool.below(assertions) {
            self.floats.definitions_of(t).iter().for_each(|definition| solver.assert(definition));
            if self.floats.is_untold(t) {
                knowledge = Knowledge::Partial;
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        Ok(match solver.check() {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(reason(&solver.get_reason_unknown().unwrap_or_default())),
            SatResult::Sat => match solver.get_model() {
                None => Answer::Unknown(UnknownReason::Other("no model was given".to_string())),
                Some(found) => {
                    let mut vars: Vec<VarId> =
                        assertions.iter().flat_map(|assertion| pool.vars_in(*assertion).to_vec()).collect();
                    vars.sort_unstable();
                    vars.dedup();
                    let values = vars.into_iter().map(|var| Some((var, self.value(pool, &found, var)?)));
                    match values.collect::<Option<Model>>() {
                        Some(model) => match (tried(pool, assertions, model), knowledge) {
                            (Answer::Unknown(UnknownReason::WrongModel { .. }), Knowledge::Partial) => {
                                let text = "it is not told all operations on floats".to_string();
                                Answer::Unknown(UnknownReason::Other(text))
                            }
                            (answer, _) => answer,
                        },
                        None => {
                            let text = "the value of a variable could not be read".to_string();
                            Answer::Unknown(UnknownReason::Other(text))
                        }
                    }
                }
            },
        })
    }

    fn value(&self, pool: &TermPool, model: &z3::Model, var: VarId) -> Option<u128> {
        match self.exact.asts.get(&pool.var_term(var))? {
            Ast::Bool(ast) => Some(u128::from(model.eval(ast, true)?.as_bool()?)),
            Ast::Bv(ast) => {
                let value = model.eval(ast, true)?;
                let width = u32::from(pool.var_info(var).sort.bits());
                if width <= 64 {
                    return Some(u128::from(value.as_u64()?));
                }
                let part = |hi, lo| model.eval(&value.extract(hi, lo), true)?.as_u64();
                Some(u128::from(part(width - 1, 64)?) << 64 | u128::from(part(63, 0)?))
            }
        }
    }
}

fn is_division(pool: &TermPool, t: TermId) -> bool {
    matches!(pool.term(t), Term::Bin(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem, ..))
}

pub(super) fn number(bits: u128, width: u16) -> BV {
    let low = |bits: u128, width| BV::from_u64(bits as u64, width);
    match u32::from(width) {
        width @ ..=64 => low(bits, width),
        width => low(bits >> 64, width - 64).concat(low(bits & u128::from(u64::MAX), 64)),
    }
}

fn scaled(ast: &BV, coefficient: u128, width: u16) -> BV {
    if coefficient == 1 {
        return ast.clone();
    }
    if !coefficient.is_power_of_two() {
        return ast.bvmul(number(coefficient, width));
    }
    let shift = coefficient.trailing_zeros();
    ast.extract(u32::from(width) - 1 - shift, 0).concat(BV::from_u64(0, shift))
}

/// Overflow in terms of one bit more.
///
/// Z3 has predicates of its own, but with the one for signed products its 4.8.12 gives wrong models as soon as the
/// preprocessing has eliminated a variable by it; the tests of this module show it when it is used.
fn overflow(op: Overflow, a: &BV, b: &BV) -> Bool {
    let width = a.get_size();
    let bit = |t: &BV, index| t.extract(index, index);
    let zero = BV::from_u64(0, 1);
    let (wide, lost) = match op {
        Overflow::AddUnsigned => (a.zero_ext(1).bvadd(b.zero_ext(1)), None),
        Overflow::AddSigned => (a.sign_ext(1).bvadd(b.sign_ext(1)), None),
        Overflow::SubSigned => (a.sign_ext(1).bvsub(b.sign_ext(1)), None),
        Overflow::MulUnsigned => (a.zero_ext(1).bvmul(b.zero_ext(1)), high_product(a, b, width)),
        Overflow::MulSigned => {
            // x is |a| or |a| - 1: what two such values reach together, the true product reaches as well.
            let magnitude = |t: &BV| match width {
                1 => t.bvxor(t),
                _ => t.bvxor(bit(t, width - 1).sign_ext(width - 1)),
            };
            let reached = high_product(&magnitude(a), &magnitude(b), width - 1);
            (a.sign_ext(1).bvmul(b.sign_ext(1)), reached)
        }
    };
    let last = match op {
        Overflow::AddUnsigned | Overflow::MulUnsigned => bit(&wide, width).eq(&zero).not(),
        // The result fits iff its sign is the one that the lower bits would have.
        _ => bit(&wide, width).eq(bit(&wide, width - 1)).not(),
    };
    match lost {
        Some(lost) => Bool::or(&[last, lost.eq(zero).not()]),
        None => last,
    }
}

/// One bit: whether some places `i` of `a` and `j` of `b` with `i + j >= limit` are both set, so that the product
/// reaches `2^limit`. None if there are no such places.
fn high_product(a: &BV, b: &BV, limit: u32) -> Option<BV> {
    let places = a.get_size();
    let bit = |t: &BV, index| t.extract(index, index);
    // Any bit of `b` at the place reached or above.
    let mut above: Option<BV> = None;
    let mut any: Option<BV> = None;
    let mut reached = places;
    for i in 0..places {
        let Some(least) = limit.checked_sub(i) else { break };
        while reached > least {
            reached -= 1;
            let next = bit(b, reached);
            above = Some(above.map_or_else(|| next.clone(), |above| above.bvor(&next)));
        }
        if let Some(above) = &above {
            let both = bit(a, i).bvand(above);
            any = Some(any.map_or_else(|| both.clone(), |any| any.bvor(&both)));
        }
    }
    any
}

/// Z3 calls it "canceled" as well when a tactic has used up its work, so that only who interrupts knows that it was interrupted.
fn reason(text: &str) -> UnknownReason {
    if ["resource", "timeout", "cancel", "interrupted"].iter().any(|word| text.contains(word)) {
        UnknownReason::ResourceLimit
    } else if text.contains("memout") || text.contains("memory") {
        UnknownReason::Memory
    } else {
        UnknownReason::Other(text.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: UnknownReason) {
        assert_eq!(reason(text), expected);
    }

    #[test]
    fn what_ended_the_work_is_read_off_what_z3_says() {
        check("max. resource limit exceeded", UnknownReason::ResourceLimit);
        check("canceled", UnknownReason::ResourceLimit);
        check("memout", UnknownReason::Memory);
        check("max. memory exceeded", UnknownReason::Memory);
        check("(incomplete quantifiers)", UnknownReason::Other("(incomplete quantifiers)".to_string()));
    }
}
