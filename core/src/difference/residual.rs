//! Residual: the condition outside of which a change cannot be seen.
//!
//! *Idea.* Where the product comes to two ends or effects that may differ, the facts of its state hold. So an input on which the versions differ satisfies the facts of one
//! of these states, as far as they speak of parameters; on all others both do the same.
//!
//! *Definition.* The residual is the disjunction over the states where the versions may differ, or of which the product cannot tell, of those of their facts that are over what parameters hold
//! when the call begins. To leave out a fact only widens it.
//!
//! *Limits.* Facts about what calls give, and about floats, are left out, as are long ones. Of many states only what all have in common is kept.
//!
//! *Source.* M.-C. Jakobs: Difference verification with dataflow analysis (diffDP), iFM 2023, whose condition is an automaton over the new
//! version's paths; here it is a formula that users can read.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::code::Code;
use super::numbers::{Node, Number, Numbers, Operator, Step, VariantName};
use super::product::{Limits, Product, Residue};
use crate::align::{Floats, UpTo};
use crate::exec::resolve::normalize;
use crate::idx::Idx;
use crate::ir::{
    Adt, AdtKind, Field, GenericArg, KnownType, LocalId, Program, SequenceEnd, Ty, TyKind, Visibility,
};
use crate::smt::{Answer, Solver, SolverLimits};
use crate::term::{Model, Sort, Term, TermId, TermPool, VarId};
use crate::value::Value;

/// More alternatives are not told apart.
const MOST_ALTERNATIVES: usize = 4;
/// Facts of more terms are left out.
const MOST_TERMS: usize = 24;

/// Inputs on which the versions may differ: those that satisfy one of the alternatives, each of which is a conjunction.
#[derive(Debug)]
pub struct AffectedWhen {
    /// Its variables have the names of an input space: `arg0.len`, `arg1.field`, `arg0[2]`.
    pub pool: TermPool,
    pub any_of: Vec<Vec<TermId>>,
    pub up_to: UpTo,
}

impl Product<'_, '_> {
    /// On which inputs alone the versions may differ, when all paths were followed. None if that is all of them, or there are none.
    pub(super) fn affected_when(mut self) -> Option<AffectedWhen> {
        let residues = self.residues();
        if residues.is_empty() {
            return None;
        }
        let up_to = UpTo { floats: Floats::ToTheBit, addresses: self.addresses() };
        match self.residual(&residues) {
            Residual::Anywhere => None,
            Residual::Within(any_of) => Some(AffectedWhen { pool: self.numbers.pool, any_of, up_to }),
        }
    }

    fn residual(&mut self, residues: &[Residue]) -> Residual {
        let limits = SolverLimits::within(self.limits.question);
        residual(&mut self.numbers, self.new, residues, self.solver, &limits)
    }
}

/// What is known of where the versions may differ.
enum Residual {
    /// Nothing: they may differ on all inputs.
    Anywhere,
    Within(Vec<Vec<TermId>>),
}

/// The residual of states where the versions may differ, over parameters of the new function.
fn residual(
    numbers: &mut Numbers,
    code: &Code<'_>,
    residues: &[Residue],
    solver: &mut dyn Solver,
    limits: &SolverLimits,
) -> Residual {
    let mut parameters = Parameters { numbers, code, renamed: FxHashMap::default(), by_way: BTreeMap::new() };
    let mut any_of: Vec<BTreeSet<TermId>> = Vec::new();
    for residue in residues {
        let facts: BTreeSet<TermId> =
            residue.iter().filter_map(|fact| parameters.over_parameters(*fact)).collect();
        if !any_of.contains(&facts) {
            any_of.push(facts);
        }
    }
    let pool = &mut numbers.pool;
    merge(pool, &mut any_of);
    if any_of.len() > MOST_ALTERNATIVES {
        let common = any_of.iter().skip(1).fold(any_of[0].clone(), |common, facts| &common & facts);
        any_of = vec![common];
    }
    if any_of.iter().any(BTreeSet::is_empty) || holds_always(pool, &any_of, solver, limits) {
        return Residual::Anywhere;
    }
    Residual::Within(any_of.into_iter().map(|facts| facts.into_iter().collect()).collect())
}

/// Leaves out alternatives that others cover, and joins two that tell apart one fact alone.
fn merge(pool: &mut TermPool, any_of: &mut Vec<BTreeSet<TermId>>) {
    loop {
        let all = any_of.clone();
        let is_covered = |index: usize, facts: &BTreeSet<TermId>| {
            let covers = |(other, general): (usize, &BTreeSet<TermId>)| {
                other != index && general.is_subset(facts) && (general.len() < facts.len() || other < index)
            };
            all.iter().enumerate().any(covers)
        };
        *any_of = all
            .iter()
            .enumerate()
            .filter(|(index, facts)| !is_covered(*index, facts))
            .map(|(_, facts)| facts.clone())
            .collect();
        let pairs = (0..any_of.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let found = pairs.into_iter().find_map(|(a, b)| {
            let alone = |x: &BTreeSet<TermId>, y: &BTreeSet<TermId>| {
                let mut alone = x.difference(y);
                alone.next().copied().filter(|_| alone.next().is_none())
            };
            let (x, y) = (alone(&any_of[a], &any_of[b])?, alone(&any_of[b], &any_of[a])?);
            (pool.not(x) == y).then(|| (a, b, &any_of[a] & &any_of[b]))
        });
        let Some((a, b, joined)) = found else { return };
        any_of[a] = joined;
        any_of.remove(b);
    }
}

fn holds_always(
    pool: &mut TermPool,
    any_of: &[BTreeSet<TermId>],
    solver: &mut dyn Solver,
    limits: &SolverLimits,
) -> bool {
    let none: Vec<TermId> = any_of
        .iter()
        .map(|facts| {
            let all = facts.iter().copied().reduce(|a, b| pool.and(a, b));
            let all = all.unwrap_or_else(|| pool.bool_const(true));
            pool.not(all)
        })
        .collect();
    solver.check(pool, &none, limits) == Answer::Unsat
}

/// What numbers say of what parameters hold when the call begins.
struct Parameters<'n, 'a> {
    numbers: &'n mut Numbers,
    code: &'n Code<'a>,
    /// Variables in the place of those that stand for a part of a parameter.
    renamed: FxHashMap<TermId, TermId>,
    by_way: BTreeMap<String, TermId>,
}

/// A way into a parameter, as an input space names it, and the type there.
struct Way {
    text: String,
    ty: Ty,
}

impl Parameters<'_, '_> {
    /// The fact, if it is about parameters alone.
    fn over_parameters(&mut self, fact: TermId) -> Option<TermId> {
        let below = self.numbers.pool.below(&[fact]);
        let is_float = |term: &TermId| matches!(self.numbers.pool.term(*term), Term::Float(..));
        if below.len() > MOST_TERMS || below.iter().any(is_float) {
            return None;
        }
        for var in self.numbers.pool.vars_in(fact).iter() {
            let var = self.numbers.pool.var_term(*var);
            if self.renamed.contains_key(&var) {
                continue;
            }
            let number = self.numbers.term(var);
            let way = self.way(number)?.text;
            let sort = self.numbers.pool.sort(var);
            let named = match self.by_way.get(&way) {
                Some(named) if self.numbers.pool.sort(*named) == sort => *named,
                Some(_) => return None,
                None => self.numbers.pool.var(&way, sort),
            };
            self.by_way.insert(way, named);
            self.renamed.insert(var, named);
        }
        Some(self.numbers.pool.substitute(fact, &self.renamed))
    }

    fn way(&self, number: Number) -> Option<Way> {
        let number = self.numbers.origin(number);
        match self.numbers.node(number) {
            Node::Argument(index) => {
                let ty = self.code.body.locals[LocalId::from_usize(index + 1)].ty.clone();
                Some(Way { text: format!("arg{index}"), ty })
            }
            Node::Load { memory, pointer } => {
                let is_at_entry = memory.is_none_or(|memory| *self.numbers.node(memory) == Node::Memory);
                is_at_entry.then_some(())?;
                self.behind(*pointer)
            }
            Node::Part(of, Step::Field(field)) => {
                if let Node::Part(of, Step::Variant(variant)) = self.numbers.node(*of) {
                    return self.field_of_variant(self.way(*of)?, variant, field.index());
                }
                self.field(self.way(*of)?, field.index())
            }
            Node::Part(of, step) => self.element(self.way(*of)?, step),
            Node::Apply(operator, operands) => match (&**operator, operands.as_slice()) {
                (Operator::Metadata, [pointer]) => {
                    let way = self.behind(*pointer)?;
                    is_sequence(&way.ty).then(|| Way { text: format!("{}.len", way.text), ty: way.ty })
                }
                (Operator::Length, [of]) => {
                    let way = self.way(*of)?;
                    is_sequence(&way.ty).then(|| Way { text: format!("{}.len", way.text), ty: way.ty })
                }
                (Operator::Discriminant, [of]) => {
                    let way = self.way(*of)?;
                    let (adt, _) = self.adt(&way.ty)?;
                    let in_order = |(index, discriminant): (usize, i128)| discriminant == index as i128;
                    let discriminants = adt.variants.iter().map(|variant| variant.discriminant);
                    let are_indices = discriminants.enumerate().all(in_order);
                    (adt.kind == AdtKind::Enum && are_indices)
                        .then(|| Way { text: format!("{}.tag", way.text), ty: way.ty })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a pointer leads to, whose text is that of the pointer.
    fn behind(&self, pointer: Number) -> Option<Way> {
        match self.numbers.node(self.numbers.origin(pointer)) {
            Node::Interior(of, path) => path.iter().try_fold(self.behind(*of)?, |way, step| match step {
                Step::Field(field) => self.field(way, field.index()),
                step => self.element(way, step),
            }),
            Node::Reference(of) => self.way(*of),
            // The elements have the text of what owns them.
            Node::Apply(operator, operands) if **operator == Operator::Contents => self.way(operands[0]),
            _ => {
                let way = self.way(pointer)?;
                let is_plain = matches!(way.ty.kind(), TyKind::Ref(..));
                let ty = way.ty.pointee().filter(|_| is_plain)?.clone();
                Some(Way { ty, ..way })
            }
        }
    }

    fn adt<'t>(&self, ty: &'t Ty) -> Option<(&Adt, &'t [GenericArg])> {
        let TyKind::Adt(path, args) = ty.kind() else { return None };
        let program = self.code.program;
        Some((program.adt(path).filter(|_| !program.is_ambiguous_adt(path))?, args))
    }

    fn field(&self, way: Way, index: usize) -> Option<Way> {
        let Way { text, ty } = way;
        if let TyKind::Tuple(tys) = ty.kind() {
            return Some(Way { text: format!("{text}.{index}"), ty: tys.get(index)?.clone() });
        }
        let (adt, args) = self.adt(&ty)?;
        (adt.kind == AdtKind::Struct).then_some(())?;
        let Field { name, visibility, .. } = adt.variants.first()?.fields.get(index)?;
        // Users cannot name what std keeps to itself.
        (!adt.path.is_of_std() || *visibility == Visibility::Public).then_some(())?;
        let ty = normalize(self.code.program, adt.field_types(0, args).get(index)?);
        Some(Way { text: format!("{text}.{name}"), ty })
    }

    fn field_of_variant(&self, way: Way, variant: &VariantName, index: usize) -> Option<Way> {
        let (adt, args) = self.adt(&way.ty)?;
        let number = match variant {
            VariantName::Name(name) => adt.variants.iter().position(|known| known.name == *name)?,
            VariantName::Index(index) => *index as usize,
        };
        let declared = adt.variants.get(number)?;
        let name = &declared.fields.get(index)?.name;
        let ty = normalize(self.code.program, adt.field_types(number, args).get(index)?);
        Some(Way { text: format!("{}@{}.{name}", way.text, declared.name), ty })
    }

    fn element(&self, way: Way, step: &Step) -> Option<Way> {
        let index = match step {
            Step::Index(index) => self.numbers.constant(*index)?,
            Step::At { offset, from: SequenceEnd::Front } => u128::from(*offset),
            _ => return None,
        };
        let ty = element(&way.ty)?;
        Some(Way { text: format!("{}[{index}]", way.text), ty })
    }
}

fn is_sequence(ty: &Ty) -> bool {
    let is_text = |ty: &Ty| *ty.kind() == TyKind::Str || ty.known() == Some(KnownType::String);
    element(ty).is_some() || is_text(ty)
}

fn element(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Slice(element) | TyKind::Array(element, _) => Some(element.clone()),
        TyKind::Adt(path, args) if *path == KnownType::Vec => match args.first() {
            Some(GenericArg::Ty(element)) => Some(element.clone()),
            _ => None,
        },
        _ => None,
    }
}

impl AffectedWhen {
    /// Whether the inputs are among those on which the versions may differ; none if that cannot be told.
    pub fn holds_of(&self, program: &Program, inputs: &[Value]) -> Option<bool> {
        let terms: Vec<TermId> = self.any_of.iter().flatten().copied().collect();
        let mut unknown: BTreeSet<VarId> = BTreeSet::new();
        let mut model = Model::new();
        for (var, info) in self.pool.vars() {
            match bits_at(program, inputs, &info.name) {
                Some(bits) => model.set(var, bits),
                None => {
                    unknown.insert(var);
                }
            }
        }
        // An alternative that hangs on a part that is not there may be one of another variant, which a fact beside it says.
        let truth = |term: &TermId| {
            let is_told = self.pool.vars_in(*term).iter().all(|var| !unknown.contains(var));
            is_told.then(|| self.pool.eval_bool(*term, &model))
        };
        let known: BTreeMap<TermId, Option<bool>> = terms.iter().map(|term| (*term, truth(term))).collect();
        let alternative = |facts: &Vec<TermId>| {
            let truths: Vec<Option<bool>> = facts.iter().map(|fact| known[fact]).collect();
            match truths.contains(&Some(false)) {
                true => Some(false),
                false => truths.iter().all(Option::is_some).then_some(true),
            }
        };
        let alternatives: Vec<Option<bool>> = self.any_of.iter().map(alternative).collect();
        match alternatives.contains(&Some(true)) {
            true => Some(true),
            false => alternatives.iter().all(|holds| *holds == Some(false)).then_some(false),
        }
    }

    /// Inputs of these types on which it holds, up to so many for each alternative, as far as the time goes: the integers, characters and truths among them. An alternative that
    /// asks for something else has none.
    pub fn examples(
        &mut self,
        types: &[Ty],
        solver: &mut dyn Solver,
        limits: Limits,
        most: usize,
    ) -> Vec<Vec<Value>> {
        let is_late = || limits.until.is_some_and(|until| Instant::now() > until);
        let limits_of_question = SolverLimits::within(limits.question);
        let is_scalar = |ty: &Ty| matches!(ty.kind(), TyKind::Int(_) | TyKind::Char | TyKind::Bool);
        let scalars: Vec<(String, &Ty)> = (types.iter().enumerate())
            .filter(|(_, ty)| is_scalar(ty))
            .map(|(index, ty)| (format!("arg{index}"), ty))
            .collect();
        let is_asked_for = |name: &str| scalars.iter().any(|(of_scalar, _)| of_scalar == name);
        let mut found: Vec<Vec<Value>> = Vec::new();
        let pool = &mut self.pool;
        for facts in &self.any_of {
            let vars: BTreeSet<VarId> = facts.iter().flat_map(|fact| pool.vars_in(*fact).to_vec()).collect();
            // What is said of parts of other parameters no scalar can make true.
            if vars.is_empty() || !vars.iter().all(|var| is_asked_for(&pool.var_info(*var).name)) {
                continue;
            }
            let mut asked = facts.clone();
            for _ in 0..most {
                if is_late() {
                    return found;
                }
                let Answer::Sat(model) = solver.check(pool, &asked, &limits_of_question) else { break };
                let bits: BTreeMap<String, u128> =
                    (vars.iter()).map(|var| (pool.var_info(*var).name.clone(), model.get(*var))).collect();
                let values =
                    scalars.iter().map(|(name, ty)| scalar(ty, bits.get(name).copied().unwrap_or(1)));
                found.extend(values.collect::<Option<Vec<Value>>>());
                let mut is_other = pool.bool_const(false);
                for var in &vars {
                    let bits = model.get(*var);
                    let term = pool.var_term(*var);
                    let value = match pool.sort(term) {
                        Sort::Bool => pool.bool_const(bits != 0),
                        Sort::Bv(width) => pool.bv_const(bits, width),
                    };
                    let differs = pool.ne(term, value);
                    is_other = pool.or(is_other, differs);
                }
                asked.push(is_other);
            }
        }
        found
    }
}

fn scalar(ty: &Ty, bits: u128) -> Option<Value> {
    Some(match ty.kind() {
        TyKind::Int(ty) => Value::Int { ty: *ty, bits: ty.truncate(bits) },
        TyKind::Bool => Value::Bool(bits != 0),
        TyKind::Char => Value::Char(char::from_u32(u32::try_from(bits).ok()?)?),
        _ => return None,
    })
}

/// The bits of a part of the inputs, by the way to it.
fn bits_at(program: &Program, inputs: &[Value], way: &str) -> Option<u128> {
    let rest = way.strip_prefix("arg")?;
    let (number, mut rest) = rest.split_at(rest.find(['.', '[', '@']).unwrap_or(rest.len()));
    let mut value = inputs.get(number.parse::<usize>().ok()?)?.clone();
    loop {
        while let Value::Ref(inner) = value {
            value = *inner;
        }
        if rest.is_empty() {
            return match value {
                Value::Bool(truth) => Some(u128::from(truth)),
                Value::Char(c) => Some(u128::from(u32::from(c))),
                Value::Int { bits, .. } => Some(bits),
                _ => None,
            };
        }
        let (step, after) = match rest.strip_prefix('[') {
            Some(index) => index.split_once(']')?,
            None => rest[1..].split_at(rest[1..].find(['.', '[', '@']).unwrap_or(rest.len() - 1)),
        };
        value = match (rest.as_bytes()[0], value) {
            (b'.', Value::Str(text)) if step == "len" => return Some(text.len() as u128),
            (b'.', Value::Seq(items)) if step == "len" => return Some(items.len() as u128),
            (b'.', Value::Adt { path, variant: Some(variant), .. }) if step == "tag" => {
                let variants = &program.adt(&path)?.variants;
                return Some(variants.iter().position(|known| known.name == variant)? as u128);
            }
            (b'@', Value::Adt { path, variant: Some(variant), ctor, fields }) => {
                (variant.as_str() == step).then_some(())?;
                Value::Adt { path, variant: None, ctor, fields }
            }
            (b'.', Value::Adt { variant: None, fields, .. }) => {
                fields.into_iter().find(|(name, _)| name.as_str() == step)?.1
            }
            (b'.', Value::Tuple(items)) => items.into_iter().nth(step.parse().ok()?)?,
            (b'[', Value::Seq(items)) => items.into_iter().nth(step.parse().ok()?)?,
            (b'[', Value::Str(text)) => {
                return Some(u128::from(*text.as_bytes().get(step.parse::<usize>().ok()?)?));
            }
            _ => return None,
        };
        rest = after;
    }
}
