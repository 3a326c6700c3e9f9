//! What is demanded of a subject's generic parameters: by declared bounds, and by the bodies it reaches.

use std::collections::HashSet;

use super::foreign::own_crates;
use super::usual::sequence;
use super::{is_open_arg, mentions_param};
use crate::exec::resolve::resolve;
use crate::ir::{
    Body, Bound, Callee, Const, FnBody, FnId, FnRef, GenericArg, KnownTrait, Operand, Owner, Path, Program,
    StatementKind, Subst, TerminatorKind, TraitRef, Ty, TyKind, identity_args,
};

/// How deep generic calls are followed for what they demand.
const MAX_DEPTH: usize = 6;

/// What the bodies that a subject reaches demand of its parameters, and what is declared of them.
pub(super) struct Demands {
    /// Traits whose methods are called on parameters.
    pub called: Vec<TraitRef>,
    pub declared: Vec<Bound>,
}

impl Demands {
    pub fn of(program: &Program, function: FnId) -> Demands {
        let mut collector = Collector { program, demands: Vec::new(), visited: HashSet::new() };
        collector.owner(function);
        collector.function(function, &Subst::new(), 0);
        Demands { called: collector.demands, declared: declared(program, function) }
    }

    /// Leaves out what is asked of the standard library's traits where something else is asked, too, but for those by which candidates are put together. Not
    /// all of these are modelled for all types (`f64: FromStr`), so that what fits otherwise is for the compiler to judge.
    pub fn leave_to_compiler(&mut self) {
        let declared = self.declared.iter().map(|bound| &bound.trait_ref);
        let others = declared.chain(&self.called).filter(|trait_ref| !trait_ref.path.is_of_std());
        let has_others: HashSet<Ty> = others.map(|trait_ref| trait_ref.self_ty.clone()).collect();
        let stays = |trait_ref: &TraitRef| {
            let path = &trait_ref.path;
            let is_call = path.known_trait().is_some_and(KnownTrait::is_call);
            !path.is_of_std()
                || is_call
                || sequence(path).is_some()
                || !has_others.contains(&trait_ref.self_ty)
        };
        self.called.retain(stays);
        self.declared.retain(|bound| stays(&bound.trait_ref));
    }
}

/// The bounds on the function's parameters. Those of a method that an implementation has without any written down
/// (a derived one) are those of the trait's method.
fn declared(program: &Program, function: FnId) -> Vec<Bound> {
    let item = &program.functions[function];
    let mut bounds = item.bounds.clone();
    if let (Owner::TraitImpl(id), Some((_, name))) = (&item.owner, item.path.as_str().rsplit_once("::")) {
        let trait_path = &program.impls[*id].trait_ref.path;
        let required = Path::new(format!("{trait_path}::{name}"));
        for id in program.functions_at(&required) {
            let method = &program.functions[*id];
            if method.owner != Owner::Trait(trait_path.clone())
                || method.generics.len() != item.generics.len()
            {
                continue;
            }
            let own = Subst::from_params(&method.generics, &identity_args(&item.generics));
            let is_own = |bound: &&Bound| match bound.trait_ref.self_ty.kind() {
                TyKind::Param(name) => method.generics.iter().any(|param| param.name == *name),
                _ => false,
            };
            bounds.extend(method.bounds.iter().filter(is_own).map(|bound| Bound {
                trait_ref: own.trait_ref(&bound.trait_ref),
                assoc_types: bound.assoc_types.iter().map(|(name, ty)| (name.clone(), own.ty(ty))).collect(),
            }));
        }
    }
    if let Owner::Trait(path) = &item.owner {
        bounds.push(Bound { trait_ref: of_self(program, path), assoc_types: Vec::new() });
    }
    let bounds = match self_type(program, function) {
        Some(self_ty) => with_self(bounds, self_ty),
        None => bounds,
    };
    with_implied(program, bounds)
}

/// `Self: Trait`, in a method that the trait has.
fn of_self(program: &Program, path: &Path) -> TraitRef {
    let params = program.trait_(path).map(|item| item.generics.as_slice()).unwrap_or_default();
    let self_ty = Ty::new(TyKind::Param("Self".into()));
    TraitRef { self_ty, path: path.clone(), args: identity_args(params) }
}

/// The bounds, with what they say besides: a type that has a trait has those above it, and if the trait is implemented for all types that
/// meet some bounds and for no others, it meets these.
fn with_implied(program: &Program, mut bounds: Vec<Bound>) -> Vec<Bound> {
    let mut next = 0;
    while let Some(bound) = bounds.get(next).filter(|_| bounds.len() < MAX_BOUNDS) {
        next += 1;
        let TraitRef { self_ty, path, args } = &bound.trait_ref;
        let Some(item) = program.trait_(path) else { continue };
        let mut subst = Subst::from_params(&item.generics, args);
        subst.insert("Self".into(), GenericArg::Ty(self_ty.clone()));
        let mut implied: Vec<TraitRef> =
            item.supertraits.iter().map(|above| subst.trait_ref(above)).collect();
        if let [only] = program.impls_of(path) {
            let only = &program.impls[*only];
            let mut subst = Subst::new();
            if matches!(only.trait_ref.self_ty.kind(), TyKind::Param(_))
                && subst.unify(&only.trait_ref.self_ty, self_ty)
            {
                implied.extend(only.bounds.iter().map(|bound| subst.trait_ref(bound)));
            }
        }
        for trait_ref in implied {
            if bounds.iter().all(|bound| bound.trait_ref != trait_ref) {
                bounds.push(Bound { trait_ref, assoc_types: Vec::new() });
            }
        }
    }
    bounds
}

/// Bounds of bounds are looked up to so many.
const MAX_BOUNDS: usize = 64;

/// What `Self` is in the item that the function stands in.
fn self_type(program: &Program, function: FnId) -> Option<Ty> {
    match &program.functions[function].owner {
        Owner::TraitImpl(id) => Some(program.impls[*id].trait_ref.self_ty.clone()),
        Owner::Inherent { self_ty, .. } => Some(self_ty.clone()),
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => None,
    }
}

/// `I: Iterator<Item = Self>` of an implementation, in terms of the type that it is for.
fn with_self(bounds: Vec<Bound>, self_ty: Ty) -> Vec<Bound> {
    let mut subst = Subst::new();
    subst.insert("Self".into(), GenericArg::Ty(self_ty));
    let said = |bound: Bound| Bound {
        trait_ref: subst.trait_ref(&bound.trait_ref),
        assoc_types: bound.assoc_types.iter().map(|(name, ty)| (name.clone(), subst.ty(ty))).collect(),
    };
    bounds.into_iter().map(said).collect()
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
                let bounds = &self.program.impls[*id].bounds;
                let known = bounds.iter().filter(|bound| !is_for_the_compiler(self.program, &bound.path));
                known.for_each(|bound| self.demand(bound.clone()));
            }
            Owner::Trait(path) => self.demand(of_self(self.program, path)),
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
        for within in self.program.functions_within(function) {
            self.function(*within, subst, depth + 1);
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

pub enum Used<'b> {
    Fn(&'b FnRef),
    Const(&'b TraitRef),
}

/// Whether nothing here can tell which types have the trait: they have it by what they are made of (`Send`), or it is one of a dependency of which no
/// implementation was read, and none is run.
fn is_for_the_compiler(program: &Program, path: &Path) -> bool {
    let is_own = || own_crates(program).iter().any(|own| own.as_str() == path.crate_name());
    let is_unread = || program.impls_of(path).is_empty() && !path.is_of_std() && !is_own();
    path.known_trait().is_some_and(KnownTrait::is_auto) || is_unread()
}

/// The functions and associated constants that a body names.
pub fn used_items(body: &Body) -> Vec<Used<'_>> {
    let mut used = Vec::new();
    for block in &body.blocks {
        for statement in &block.statements {
            if let StatementKind::Assign(_, rvalue) = &statement.kind {
                rvalue.operands().into_iter().for_each(|operand| operand_items(operand, &mut used));
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
