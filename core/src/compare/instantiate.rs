//! Types for the parameters of a generic subject.
//!
//! *Idea.* A body stays polymorphic until it runs, so a generic function is compared at one choice of types. What a
//! choice has to offer is read off what the bodies of both versions do: each trait method that they, their closures or
//! the generic functions they hand their parameters to call on a parameter demands an implementation. Small types
//! come first, then whatever the program itself implements the demanded traits for.
//!
//! *Not handled.* Bounds that no body uses and equations between associated types are not seen here; only the compiler
//! knows them, so a choice counts once a native call with it has compiled. Parameters that stand for closures have no
//! candidates.

use std::collections::HashSet;
use std::fmt;

use crate::exec::resolve::{find_impl, normalize, resolve};
use crate::ir::{
    Body, Callee, Const, FnBody, FnId, FnRef, GenericArg, GenericParam, GenericParamKind, ImplId, IntTy,
    Mutability, Name, Operand, Owner, Path, Program, Rvalue, StatementKind, Subst, TerminatorKind, TraitRef,
    Ty, TyKind,
};

/// How deep generic calls are followed for what they demand.
const MAX_DEPTH: usize = 6;
/// Choices tried before the search is given up.
const MAX_CHOICES: usize = 20_000;
/// What a constant parameter stands for: long enough for an order among elements to matter.
const CONSTANT: i128 = 3;

/// What the generic parameters of both versions stand for; empty for a function without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instantiation {
    pub old: Subst,
    pub new: Subst,
    /// By the names that the new version gives the parameters, outermost first.
    args: Vec<(Name, GenericArg)>,
}

impl Instantiation {
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }
}

/// `T = i32, N = 3`
impl fmt::Display for Instantiation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, arg)) in self.args.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name} = {arg}")?;
        }
        Ok(())
    }
}

/// Chooses for both versions alike, or tells why nothing fits.
pub fn choose(old: (&Program, FnId), new: (&Program, FnId)) -> Result<Instantiation, String> {
    let (old_params, new_params) = (old.0.generics_in_scope(old.1), new.0.generics_in_scope(new.1));
    let kinds = |params: &[GenericParam]| params.iter().map(|param| param.kind).collect::<Vec<_>>();
    if kinds(&old_params) != kinds(&new_params) {
        return Err("it is generic, and its parameters differ between the versions".into());
    }
    if new_params.is_empty() {
        return Ok(Instantiation::default());
    }
    let sides = [Side::new(old, old_params), Side::new(new, new_params)];
    let mut choice = Choice { sides: &sides, tried: 0, furthest: 0 };
    let mut args = Vec::new();
    if !choice.extend(&mut args) {
        return Err(sides[1].no_choice(choice.furthest));
    }
    let [old, new] = sides;
    Ok(Instantiation {
        old: Subst::from_params(&old.params, &args),
        new: Subst::from_params(&new.params, &args),
        args: new.params.into_iter().map(|param| param.name).zip(args).collect(),
    })
}

/// One version: its parameters, and what is demanded of them.
struct Side<'p> {
    program: &'p Program,
    params: Vec<GenericParam>,
    demands: Vec<TraitRef>,
    /// The trait and name of the default method that is compared, if it is one.
    default_method: Option<(Path, Name)>,
}

impl<'p> Side<'p> {
    fn new((program, function): (&'p Program, FnId), params: Vec<GenericParam>) -> Self {
        let mut collector = Collector { program, demands: Vec::new(), visited: HashSet::new() };
        collector.owner(function);
        collector.function(function, &Subst::new(), 0);
        let item = &program.functions[function];
        let default_method = match &item.owner {
            Owner::Trait(path) => {
                item.path.as_str().rsplit("::").next().map(|name| (path.clone(), Name::new(name)))
            }
            _ => None,
        };
        Side { program, params, demands: collector.demands, default_method }
    }

    fn no_choice(&self, furthest: usize) -> String {
        let Some(param) = self.params.get(furthest) else {
            return "it is generic, and none of the types tried fits".into();
        };
        let needs: Vec<String> = self
            .demands
            .iter()
            .filter(|demand| *demand.self_ty.kind() == TyKind::Param(param.name.clone()))
            .map(|demand| demand.path.to_string())
            .collect();
        format!("it is generic, and none of the types tried for `{}` has {}", param.name, needs.join(", "))
    }

    /// Whether every demand on the first `args` parameters alone is met.
    fn met(&self, args: &[GenericArg]) -> bool {
        let subst = Subst::from_params(&self.params, args);
        self.keeps_default(&subst)
            && self.demands.iter().all(|demand| {
                let closed = subst.trait_ref(demand);
                // What names a later parameter is asked once that is chosen.
                mentions_param(&closed) || implemented(self.program, &closed)
            })
    }

    /// A call of a default method on a type that overrides it runs something else.
    fn keeps_default(&self, subst: &Subst) -> bool {
        let (Some((path, method)), Some(GenericArg::Ty(self_ty))) =
            (&self.default_method, subst.get(&Name::new("Self")))
        else {
            return true;
        };
        let has_override = |id: &ImplId| {
            let item = &self.program.impls[*id];
            Subst::new().unify(&item.trait_ref.self_ty, self_ty) && item.methods.contains_key(method)
        };
        !self.program.impls_of(path).iter().any(has_override)
    }

    /// The types that implement what is demanded of the parameter.
    fn implementors(&self, param: &Name) -> Vec<Ty> {
        let mut found = Vec::new();
        for demand in &self.demands {
            if *demand.self_ty.kind() != TyKind::Param(param.clone()) {
                continue;
            }
            for id in self.program.impls_of(&demand.path) {
                let ty = &self.program.impls[*id].trait_ref.self_ty;
                if !is_open(ty) && !found.contains(ty) {
                    found.push(ty.clone());
                }
            }
        }
        found
    }
}

struct Choice<'s, 'p> {
    sides: &'s [Side<'p>; 2],
    tried: usize,
    /// The first parameter that nothing was found for.
    furthest: usize,
}

impl Choice<'_, '_> {
    fn extend(&mut self, args: &mut Vec<GenericArg>) -> bool {
        self.furthest = self.furthest.max(args.len());
        let Some(param) = self.sides[1].params.get(args.len()) else { return true };
        for candidate in self.candidates(param) {
            self.tried += 1;
            if self.tried > MAX_CHOICES {
                return false;
            }
            args.push(candidate);
            if self.sides.iter().all(|side| side.met(args)) && self.extend(args) {
                return true;
            }
            args.pop();
        }
        false
    }

    fn candidates(&self, param: &GenericParam) -> Vec<GenericArg> {
        match param.kind {
            GenericParamKind::Const => vec![GenericArg::Const(Const::int(CONSTANT, IntTy::Usize))],
            GenericParamKind::Type => {
                let mut types = usual_types();
                for ty in self.sides[1].implementors(&param.name) {
                    if !types.contains(&ty) {
                        types.push(ty);
                    }
                }
                types.into_iter().map(GenericArg::Ty).collect()
            }
        }
    }
}

/// Types that both the engine and native runs can make values of, the simplest first.
fn usual_types() -> Vec<Ty> {
    let int = |ty| Ty::int(ty);
    let shared = |kind| Ty::reference(Mutability::Shared, Ty::new(kind));
    let vec = |elem| Ty::adt("std::vec::Vec", vec![GenericArg::Ty(elem)]);
    vec![
        int(IntTy::I32),
        int(IntTy::U8),
        int(IntTy::Usize),
        int(IntTy::U64),
        Ty::new(TyKind::Char),
        Ty::new(TyKind::Bool),
        shared(TyKind::Slice(int(IntTy::U8))),
        shared(TyKind::Str),
        Ty::adt("std::string::String", Vec::new()),
        vec(int(IntTy::I32)),
        vec(int(IntTy::U8)),
    ]
}

fn implemented(program: &Program, demand: &TraitRef) -> bool {
    let demand = TraitRef { self_ty: normalize(program, &demand.self_ty), ..demand.clone() };
    find_impl(program, &demand).is_some()
}

fn is_open(ty: &Ty) -> bool {
    let open = std::cell::Cell::new(false);
    ty.map(
        &mut |part| {
            open.set(open.get() || matches!(part.kind(), TyKind::Param(_)));
            part
        },
        &mut |constant| {
            open.set(open.get() || matches!(constant, Const::Param(_)));
            constant
        },
    );
    open.get()
}

fn mentions_param(trait_ref: &TraitRef) -> bool {
    is_open(&trait_ref.self_ty) || trait_ref.args.iter().any(is_open_arg)
}

fn is_open_arg(arg: &GenericArg) -> bool {
    match arg {
        GenericArg::Ty(ty) => is_open(ty),
        GenericArg::Const(constant) => matches!(constant, Const::Param(_)),
    }
}

struct Collector<'p> {
    program: &'p Program,
    demands: Vec<TraitRef>,
    visited: HashSet<(FnId, Subst)>,
}

impl Collector<'_> {
    fn demand(&mut self, trait_ref: TraitRef) {
        if mentions_param(&trait_ref) && !self.demands.contains(&trait_ref) {
            self.demands.push(trait_ref);
        }
    }

    /// What the item that the subject stands in demands.
    fn owner(&mut self, function: FnId) {
        match &self.program.functions[function].owner {
            Owner::TraitImpl(id) => {
                self.program.impls[*id].bounds.iter().for_each(|bound| self.demand(bound.clone()));
            }
            Owner::Trait(path) => {
                let params =
                    self.program.trait_(path).map(|item| item.generics.as_slice()).unwrap_or_default();
                let self_ty = Ty::new(TyKind::Param("Self".into()));
                self.demand(TraitRef { self_ty, path: path.clone(), args: crate::ir::identity_args(params) });
            }
            Owner::Within(parent) => self.owner(*parent),
            Owner::Free | Owner::Inherent { .. } => {}
        }
    }

    /// What the body demands, with its parameters replaced by what they stand for in terms of the subject's.
    fn function(&mut self, function: FnId, subst: &Subst, depth: usize) {
        if depth > MAX_DEPTH || !self.visited.insert((function, subst.clone())) {
            return;
        }
        if let FnBody::Present(body) = &self.program.functions[function].body {
            for used in used_items(body) {
                match used {
                    Used::Fn(callee) => self.call(&subst.fn_ref(callee), depth),
                    Used::Const(trait_ref) => self.demand(subst.trait_ref(trait_ref)),
                }
            }
        }
        let within = |(id, other): (FnId, &crate::ir::Function)| {
            (other.owner == Owner::Within(function)).then_some(id)
        };
        let closures: Vec<FnId> = self.program.functions.iter_enumerated().filter_map(within).collect();
        for closure in closures {
            self.function(closure, subst, depth + 1);
        }
    }

    fn call(&mut self, callee: &FnRef, depth: usize) {
        let (path, self_ty, args) = match callee {
            FnRef::Trait { trait_ref, .. } if mentions_param(trait_ref) => {
                return self.demand(trait_ref.clone());
            }
            // A method of a known type that is handed a parameter: `value.hash::<H>(state)`.
            FnRef::Trait { args, .. } => {
                if args.iter().any(is_open_arg)
                    && let Some(method) = resolve(self.program, callee)
                {
                    self.function(method.function, &method.subst, depth + 1);
                }
                return;
            }
            FnRef::Free { path, args } => (path, None, args),
            FnRef::Inherent { path, self_ty, args } => (path, Some(self_ty), args),
        };
        for function in self.program.functions_at(path) {
            let item = &self.program.functions[*function];
            let mut subst = Subst::new();
            if let (Owner::Inherent { self_ty: pattern, .. }, Some(self_ty)) = (&item.owner, self_ty)
                && !subst.unify(pattern, self_ty)
            {
                continue;
            }
            subst.extend(&Subst::from_params(&item.generics, args));
            let generics = self.program.generics_in_scope(*function);
            // A parameter left unbound would be taken for one of the subject's of that name.
            if !generics.is_empty() && generics.iter().all(|param| subst.get(&param.name).is_some()) {
                self.function(*function, &subst, depth + 1);
            }
        }
    }
}

enum Used<'b> {
    Fn(&'b FnRef),
    Const(&'b TraitRef),
}

/// The functions and associated constants that a body names.
fn used_items(body: &Body) -> Vec<Used<'_>> {
    let mut used = Vec::new();
    for block in &body.blocks {
        for statement in &block.statements {
            if let StatementKind::Assign(_, rvalue) = &statement.kind {
                operands(rvalue).into_iter().for_each(|operand| operand_items(operand, &mut used));
            }
        }
        if let TerminatorKind::Call { callee, args, .. } = &block.terminator.kind {
            match callee {
                Callee::Fn(fn_ref) => used.push(Used::Fn(fn_ref)),
                Callee::Pointer(operand) => operand_items(operand, &mut used),
            }
            args.iter().for_each(|operand| operand_items(operand, &mut used));
        }
    }
    used
}

fn operand_items<'b>(operand: &'b Operand, used: &mut Vec<Used<'b>>) {
    match operand {
        Operand::Const(Const::Fn(fn_ref)) => used.push(Used::Fn(fn_ref)),
        Operand::Const(Const::AssocConst { trait_ref, .. }) => used.push(Used::Const(trait_ref)),
        _ => {}
    }
}

fn operands(rvalue: &Rvalue) -> Vec<&Operand> {
    match rvalue {
        Rvalue::Use(operand)
        | Rvalue::Repeat(operand, _)
        | Rvalue::Unary(_, operand)
        | Rvalue::Cast(_, operand, _)
        | Rvalue::PtrMetadata(operand) => vec![operand],
        Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => vec![a, b],
        Rvalue::FatPtr { pointer, metadata, .. } => vec![pointer, metadata],
        Rvalue::Aggregate(_, operands) => operands.iter().collect(),
        Rvalue::Ref(..)
        | Rvalue::RawPtr(..)
        | Rvalue::Discriminant(_)
        | Rvalue::Len(_)
        | Rvalue::SizeOf(_)
        | Rvalue::AlignOf(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
