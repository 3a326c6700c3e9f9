//! What functions may come to run that has no meaning here: the reason, told of the code alone, why some runs of them stop.
//!
//! *Idea.* Bodies are followed from each function through calls, closures and constants, at the types at which they are used, as far as these are known without running
//! anything. Each reference to which the engine would find nothing is a gap.
//!
//! *Limits.* What a parameter, a trait object or a pointer to a function stands for is not known, so no call on one is followed or is a gap. Clean-up after a panic is
//! not looked at. Whether any input leads to a gap is not known either. At most [`MOST`] instances are followed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::intrinsics;
use super::resolve::{self, Resolved};
use crate::ir::{
    AggregateKind, BlockRole, Body, Callee, Const, FnBody, FnId, FnRef, GenericArg, KnownTrait, Name,
    Operand, Owner, Path, Program, Rvalue, StatementKind, Subst, TerminatorKind, TraitRef, Ty, TyKind,
};

/// Instances that are followed.
const MOST: usize = 20_000;

/// Something that has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// A function or a method of a type, by whichever arguments.
    Function(Path),
    Method {
        trait_ref: TraitRef,
        name: Name,
    },
    Constant(Path),
    AssocConst {
        trait_ref: TraitRef,
        name: Name,
    },
    /// What the front end made nothing of.
    Literal(String),
    Type(Path),
    /// A body that the front end could not read, of the function of this path.
    Unreadable {
        path: Path,
        reason: String,
    },
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    pub found: BTreeMap<Gap, Met>,
    pub followed: Followed,
}

/// How far bodies were followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    ToTheEnd,
    /// There are more than [`MOST`] instances.
    InPart,
}

/// Where a gap is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// A function in whose body it stands.
    pub within: FnId,
    /// Of the functions that were asked for, those that lead to it.
    pub from: BTreeSet<FnId>,
}

/// What all the functions lead to that has no meaning.
pub fn gaps(program: &Program, starts: &[FnId]) -> Gaps {
    let mut walk = Walk {
        program,
        numbers: HashMap::new(),
        instances: Vec::new(),
        leads: Vec::new(),
        resolved: HashMap::new(),
        normal: HashMap::new(),
        followed: Followed::ToTheEnd,
    };
    for start in starts {
        walk.add(Resolved { function: *start, subst: Subst::new() });
    }
    let mut at = 0;
    while at < walk.instances.len() {
        let leads = walk.leads_of(at);
        walk.leads.push(leads);
        at += 1;
    }
    Gaps { found: walk.by_gap(starts.len()), followed: walk.followed }
}

/// What an instance refers to directly.
#[derive(Default)]
struct Leads {
    next: Vec<usize>,
    gaps: BTreeSet<Gap>,
}

struct Walk<'p> {
    program: &'p Program,
    numbers: HashMap<(FnId, Subst), usize>,
    instances: Vec<(FnId, Subst)>,
    /// As far as they were looked at.
    leads: Vec<Leads>,
    /// What was found for references and types that were met: holding implementations against them is most of the work.
    resolved: HashMap<FnRef, Option<Resolved>>,
    normal: HashMap<Ty, Ty>,
    followed: Followed,
}

impl Walk<'_> {
    /// The instance's number; none if too many are followed.
    fn add(&mut self, Resolved { function, subst }: Resolved) -> Option<usize> {
        let key = (function, subst);
        if let Some(known) = self.numbers.get(&key) {
            return Some(*known);
        }
        let number = self.instances.len();
        if number >= MOST {
            self.followed = Followed::InPart;
            return None;
        }
        self.instances.push(key.clone());
        self.numbers.insert(key, number);
        Some(number)
    }

    fn resolved(&mut self, callee: &FnRef) -> Option<Resolved> {
        if let Some(known) = self.resolved.get(callee) {
            return known.clone();
        }
        let found = resolve::resolve(self.program, callee);
        self.resolved.insert(callee.clone(), found.clone());
        found
    }

    fn normal(&mut self, ty: &Ty) -> Ty {
        if let Some(known) = self.normal.get(ty) {
            return known.clone();
        }
        let normal = resolve::normalize(self.program, ty);
        self.normal.insert(ty.clone(), normal.clone());
        normal
    }

    fn leads_of(&mut self, at: usize) -> Leads {
        let (function, subst) = self.instances[at].clone();
        let program = self.program;
        let mut found = Leads::default();
        let item = &program.functions[function];
        let body = match &item.body {
            FnBody::Present(body) => body,
            FnBody::Unreadable { reason, .. } => {
                found.gaps.insert(Gap::Unreadable { path: item.path.clone(), reason: reason.clone() });
                return found;
            }
            _ => return found,
        };
        let mut look = Look { walk: self, subst: &subst, found };
        look.at_body(body);
        look.found
    }

    /// For each gap the starts, which are the first instances, that lead to it.
    fn by_gap(&self, starts: usize) -> BTreeMap<Gap, Met> {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.instances.len()];
        for (caller, leads) in self.leads.iter().enumerate() {
            leads.next.iter().for_each(|next| callers[*next].push(caller));
        }
        let mut places: BTreeMap<&Gap, Vec<usize>> = BTreeMap::new();
        for (at, leads) in self.leads.iter().enumerate() {
            leads.gaps.iter().for_each(|gap| places.entry(gap).or_default().push(at));
        }
        let met = |places: Vec<usize>| {
            let within = self.instances[places[0]].0;
            let mut seen = fixedbitset::FixedBitSet::with_capacity(self.instances.len());
            let mut open = places;
            let mut from = BTreeSet::new();
            while let Some(at) = open.pop() {
                if seen.put(at) {
                    continue;
                }
                if at < starts {
                    from.insert(self.instances[at].0);
                }
                open.extend(&callers[at]);
            }
            Met { within, from }
        };
        places.into_iter().map(|(gap, places)| (gap.clone(), met(places))).collect()
    }
}

/// A look at one body.
struct Look<'w, 'p> {
    walk: &'w mut Walk<'p>,
    subst: &'w Subst,
    found: Leads,
}

impl Look<'_, '_> {
    fn at_body(&mut self, body: &Body) {
        for local in &body.locals {
            self.at_ty(&local.ty);
        }
        for block in body.blocks.iter().filter(|block| block.role == BlockRole::Normal) {
            for statement in &block.statements {
                let StatementKind::Assign(_, value) = &statement.kind else { continue };
                value.operands().into_iter().for_each(|operand| self.at_operand(operand));
                if let Rvalue::Aggregate(AggregateKind::Closure { path, args }, _) = value {
                    self.at_closure(path, &self.subst.args(args));
                }
            }
            let terminator = &block.terminator.kind;
            if let TerminatorKind::Call { callee: Callee::Fn(callee), .. } = terminator {
                self.at_callee(callee);
            }
            terminator.operands().into_iter().for_each(|operand| self.at_operand(operand));
        }
    }

    fn at_operand(&mut self, operand: &Operand) {
        if let Operand::Const(constant) = operand {
            self.at_const(constant);
        }
    }

    fn at_const(&mut self, constant: &Const) {
        let program = self.walk.program;
        match constant {
            Const::Tuple(items) | Const::Array(items) => items.iter().for_each(|item| self.at_const(item)),
            Const::Adt { fields, .. } => fields.iter().for_each(|field| self.at_const(field)),
            Const::Ref(inner) => self.at_const(inner),
            Const::Fn(fn_ref) => self.at_callee(fn_ref),
            Const::ZeroSized(ty) => match ty.kind() {
                TyKind::FnDef(fn_ref) => self.at_callee(fn_ref),
                TyKind::Closure(path, args) => self.at_closure(path, &self.subst.args(args)),
                _ => {}
            },
            Const::Item { path, args } => match program.functions_at(path) {
                [] => self.gap(Gap::Constant(path.clone())),
                several => {
                    for function in several {
                        let subst = match program.functions[*function].owner {
                            Owner::Within(_) => self.subst.clone(),
                            _ => {
                                let args = self.subst.args(args);
                                Subst::from_params(&program.functions[*function].generics, &args)
                            }
                        };
                        self.go_to(Resolved { function: *function, subst });
                    }
                }
            },
            Const::AssocConst { trait_ref, name } => {
                let trait_ref = self.close_trait_ref(trait_ref);
                if resolve::is_undecided(&trait_ref.self_ty) {
                    return;
                }
                match resolve::assoc_const(program, &trait_ref, name) {
                    Some(resolved) => self.go_to(resolved),
                    None => self.gap(Gap::AssocConst { trait_ref, name: name.clone() }),
                }
            }
            Const::InherentConst { path, self_ty } => {
                let self_ty = self.walk.normal(&self.subst.ty(self_ty));
                let callee = FnRef::Inherent { path: path.clone(), self_ty, args: Vec::new() };
                match resolve::resolve(program, &callee) {
                    Some(resolved) => self.go_to(resolved),
                    None => self.gap(Gap::Constant(path.clone())),
                }
            }
            Const::StaticRef(path) if program.functions_at(path).is_empty() => {
                self.gap(Gap::Constant(path.clone()));
            }
            Const::StaticRef(_) => {}
            Const::Unsupported(text) => self.gap(Gap::Literal(text.clone())),
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Str(_)
            | Const::ByteStr(_)
            | Const::Param(_)
            | Const::Uninit => {}
        }
    }

    fn at_callee(&mut self, callee: &FnRef) {
        let program = self.walk.program;
        let walk = &mut *self.walk;
        let callee = self.subst.fn_ref(callee).map(&mut |ty| walk.normal(&ty), &mut |constant| constant);
        if intrinsics::knows(&callee) || program.constructed_by(&callee).is_some() {
            return;
        }
        if let FnRef::Trait { trait_ref, .. } = &callee {
            let is_call = trait_ref.path.known_trait().is_some_and(KnownTrait::is_call);
            let is_open = |arg: &GenericArg| matches!(arg, GenericArg::Ty(ty) if resolve::is_undecided(ty));
            if is_call || resolve::is_undecided(&trait_ref.self_ty) || trait_ref.args.iter().any(is_open) {
                return;
            }
        }
        match (walk.resolved(&callee), callee) {
            (Some(resolved), _) => self.go_to(resolved),
            (None, FnRef::Trait { trait_ref, method, .. }) => {
                self.gap(Gap::Method { trait_ref, name: method });
            }
            (None, FnRef::Free { path, .. } | FnRef::Inherent { path, .. }) => self.gap(Gap::Function(path)),
        }
    }

    fn at_closure(&mut self, path: &Path, args: &[GenericArg]) {
        let program = self.walk.program;
        match program.functions_at(path) {
            [] => self.gap(Gap::Function(path.clone())),
            several => {
                for function in several {
                    let subst = Subst::from_params(&program.generics_in_scope(*function), args);
                    self.go_to(Resolved { function: *function, subst });
                }
            }
        }
    }

    /// A value of the type may be there, which may have to be built or dropped.
    fn at_ty(&mut self, ty: &Ty) {
        let program = self.walk.program;
        let ty = self.walk.normal(&self.subst.ty(ty));
        let mut unknown = BTreeSet::new();
        ty.each_part(&mut |part| {
            if let TyKind::Adt(path, _) = part.kind()
                && program.adt(path).is_none()
                && path.known_type().is_none()
            {
                unknown.insert(path.clone());
            }
        });
        unknown.into_iter().for_each(|path| self.gap(Gap::Type(path)));
    }

    fn close_trait_ref(&mut self, trait_ref: &TraitRef) -> TraitRef {
        let closed = self.subst.trait_ref(trait_ref);
        TraitRef { self_ty: self.walk.normal(&closed.self_ty), ..closed }
    }

    fn go_to(&mut self, instance: Resolved) {
        self.found.next.extend(self.walk.add(instance));
    }

    fn gap(&mut self, gap: Gap) {
        self.found.gaps.insert(gap);
    }
}
