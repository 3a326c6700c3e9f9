//! Bodies put in the place of calls, where the product has to see into what is called.
//!
//! A function that only one version has is called by no name that the other knows; so its calls are replaced by its body, always. Others are where a
//! first attempt has failed.
//!
//! *Limits.* Calls that one body is known for: of free functions and methods of types, of traits on types without parameters, of closures. Not in clean-up,
//! not again within itself, and only up to a size.

use std::collections::HashSet;

use super::code::OWN;
use super::exact::is_exact_at;
use crate::exec::questions;
use crate::exec::resolve::{normalize, resolve};
use crate::idx::{Idx, IdxVec};
use crate::ir::canonical::{CanonicalBody, Numbering, Renames, Rewriter, Scope, Speller, root_of};
use crate::ir::*;

/// What is put in the place of its calls.
#[derive(Clone, Copy)]
pub struct Choice<'c> {
    pub is_inlined: &'c dyn Fn(FnId) -> bool,
    /// Blocks that a body may have.
    pub most_blocks: usize,
}

/// How deep calls of what was inlined are inlined.
const MAX_DEPTH: usize = 6;
/// Blocks that all may have together.
const MAX_BLOCKS: usize = 800;

/// The body of a function, in canonical form, with the bodies of some calls in their place.
pub fn inlined(program: &Program, function: FnId, renames: &Renames, body: Body, choice: Choice<'_>) -> Body {
    let mut work = Work { program, function, renames, choice, body, seen: HashSet::new() };
    // Of each block by which calls it came in.
    let mut calls: Vec<Vec<FnId>> = vec![vec![function]; work.body.blocks.len()];
    let mut at = 0;
    let mut is_changed = false;
    while at < work.body.blocks.len() && work.body.blocks.len() < MAX_BLOCKS {
        let block = BlockId::from_usize(at);
        if work.answer(block) || work.call_by_name(block) {
            is_changed = true;
        }
        if let Some(callee) = work.inline(block, &calls[at]) {
            let within: Vec<FnId> = calls[at].iter().copied().chain([callee]).collect();
            calls.resize(work.body.blocks.len(), within);
            is_changed = true;
        }
        at += 1;
    }
    if !is_changed {
        return work.body;
    }
    CanonicalBody::new(&work.body, &Scope::inlined(&Subst::default()), &Renames::default()).named_body()
}

struct Work<'w> {
    program: &'w Program,
    function: FnId,
    renames: &'w Renames,
    choice: Choice<'w>,
    body: Body,
    /// Functions whose bodies cannot be put anywhere.
    seen: HashSet<FnId>,
}

/// A call that is replaced.
struct Call {
    callee: FnId,
    given: Subst,
    /// One for each parameter, and statements before.
    args: Vec<Operand>,
    before: Vec<StatementKind>,
}

impl Work<'_> {
    /// Puts the body of what the block calls in its place, and says whose it was.
    fn inline(&mut self, at: BlockId, within: &[FnId]) -> Option<FnId> {
        if within.len() > MAX_DEPTH || self.body.blocks[at].role == BlockRole::Cleanup {
            return None;
        }
        let TerminatorKind::Call { callee: Callee::Fn(fn_ref), args, destination, target, unwind } =
            self.body.blocks[at].terminator.kind.clone()
        else {
            return None;
        };
        let call = self.resolve(&self.normalized(&fn_ref), args)?;
        let is_wanted = !within.contains(&call.callee)
            && !self.seen.contains(&call.callee)
            && (self.choice.is_inlined)(call.callee)
            && is_exact_at(self.program, &self.body, call.callee, &call.given);
        if !is_wanted {
            return None;
        }
        let Some(callee) = self.body_of(&call) else {
            self.seen.insert(call.callee);
            return None;
        };
        if callee.arg_count != call.args.len() {
            return None;
        }
        self.splice(at, call.before, call.args, &callee, (destination, target, unwind));
        Some(call.callee)
    }

    /// Whether the block asks what only models ask, about its types: the answer is put in the place of the call.
    fn answer(&mut self, at: BlockId) -> bool {
        let TerminatorKind::Call { callee: Callee::Fn(fn_ref), destination, target: Some(target), .. } =
            &self.body.blocks[at].terminator.kind
        else {
            return false;
        };
        // By a renamed path another item might be found.
        if !self.renames.is_empty() {
            return false;
        }
        let Some(answer) = questions::asked(self.program, &self.with_names(fn_ref)) else { return false };
        let answer = Rvalue::Use(Operand::Const(Const::Bool(answer)));
        let kind = StatementKind::Assign(destination.clone(), answer);
        let target = *target;
        let block = &mut self.body.blocks[at];
        block.statements.push(Statement { kind, span: None });
        block.terminator.kind = TerminatorKind::Goto(target);
        true
    }

    /// Whether the block calls a value of a function's own type (`.map(u32::from)`): it calls that function then.
    fn call_by_name(&mut self, at: BlockId) -> bool {
        let TerminatorKind::Call { callee: Callee::Fn(fn_ref), args, destination, target, unwind } =
            self.body.blocks[at].terminator.kind.clone()
        else {
            return false;
        };
        let FnRef::Trait { trait_ref, .. } = &fn_ref else { return false };
        let is_call = trait_ref.path.known_trait().is_some_and(KnownTrait::is_call);
        let TyKind::FnDef(named) = trait_ref.self_ty.kind() else { return false };
        let (true, [_, packed]) = (is_call, args.as_slice()) else { return false };
        let Some((before, args)) = self.unpacked(packed.clone()) else { return false };
        let block = &mut self.body.blocks[at];
        block.statements.push(Statement { kind: before, span: None });
        let callee = Callee::Fn((**named).clone());
        block.terminator.kind = TerminatorKind::Call { callee, args, destination, target, unwind };
        true
    }

    fn body_of(&self, call: &Call) -> Option<Body> {
        let function = &self.program.functions[call.callee];
        let FnBody::Present(body) = &function.body else { return None };
        let params = self.program.generics_in_scope(call.callee);
        if body.blocks.len() > self.choice.most_blocks
            || params.iter().any(|param| call.given.get(&param.name).is_none())
        {
            return None;
        }
        let canonical = CanonicalBody::new(body, &Scope::inlined(&call.given), self.renames);
        if !canonical.undetermined().is_empty() {
            return None;
        }
        let mut body = canonical.named_body();
        for local in body.locals.iter_mut() {
            local.ty = self.without_names(&normalize(self.program, &self.with_names_in(&local.ty)));
        }
        Some(body)
    }

    fn resolve(&mut self, fn_ref: &FnRef, args: Vec<Operand>) -> Option<Call> {
        if let FnRef::Trait { trait_ref, .. } = fn_ref {
            let is_call = trait_ref.path.known_trait().is_some_and(KnownTrait::is_call);
            if let (TyKind::Closure(path, closure_args), true) = (trait_ref.self_ty.kind(), is_call) {
                return self.closure(path, closure_args, args);
            }
            let types =
                std::iter::once(&trait_ref.self_ty).chain(trait_ref.args.iter().filter_map(
                    |arg| match arg {
                        GenericArg::Ty(ty) => Some(ty),
                        GenericArg::Const(_) => None,
                    },
                ));
            if !types.into_iter().all(Ty::is_closed) {
                return None;
            }
        }
        let resolved = resolve(self.program, &self.with_names(fn_ref))?;
        let mut given = Subst::new();
        for (name, arg) in resolved.subst.iter() {
            let arg = match arg {
                GenericArg::Ty(ty) => GenericArg::Ty(self.without_names(ty)),
                GenericArg::Const(_) => arg.clone(),
            };
            given.insert(name.clone(), arg);
        }
        Some(Call { callee: resolved.function, given, args, before: Vec::new() })
    }

    /// With associated types replaced by what they are, where that is known.
    fn normalized(&self, fn_ref: &FnRef) -> FnRef {
        let of = |ty: Ty| match ty.kind() {
            TyKind::Projection { .. } => {
                self.without_names(&normalize(self.program, &self.with_names_in(&ty)))
            }
            _ => ty,
        };
        fn_ref.map(&mut { of }, &mut |constant| constant)
    }

    /// What the program calls the function's own closures, which a canonical body calls relative to the function. The type of what they return is only found by that.
    fn with_names(&self, fn_ref: &FnRef) -> FnRef {
        fn_ref.map(&mut |ty| self.with_name(ty), &mut |constant| constant)
    }

    fn with_names_in(&self, ty: &Ty) -> Ty {
        ty.map(&mut |ty| self.with_name(ty), &mut |constant| constant)
    }

    fn with_name(&self, ty: Ty) -> Ty {
        match (self.root_path(), ty.kind()) {
            (Some(root), TyKind::Closure(path, args)) => match path.as_str().strip_prefix(OWN) {
                Some(rest) => Ty::new(TyKind::Closure(Path::new(format!("{root}{rest}")), args.clone())),
                None => ty,
            },
            _ => ty,
        }
    }

    fn without_names(&self, ty: &Ty) -> Ty {
        let without = |ty: Ty| match (self.root_path(), ty.kind()) {
            (Some(root), TyKind::Closure(path, args)) => match path.as_str().strip_prefix(root.as_str()) {
                Some(rest) if rest.starts_with("::") => {
                    Ty::new(TyKind::Closure(Path::new(format!("{OWN}{rest}")), args.clone()))
                }
                _ => ty,
            },
            _ => ty,
        };
        ty.map(&mut { without }, &mut |constant| constant)
    }

    /// The path of the function, if its own closures are called the same in the program and in the body but for it.
    fn root_path(&self) -> Option<&Path> {
        let root = root_of(self.program, self.function);
        let is_called_alike = self.renames.is_empty() && self.program.generics_in_scope(root).is_empty();
        is_called_alike.then(|| &self.program.functions[root].path)
    }

    /// A call of a closure, whose arguments come as one tuple.
    fn closure(&mut self, path: &Path, closure_args: &GenericArgs, args: Vec<Operand>) -> Option<Call> {
        let root = &self.program.functions[root_of(self.program, self.function)].path;
        let path = match path.as_str().strip_prefix(OWN) {
            Some(rest) => Path::new(format!("{root}{rest}")),
            None => path.clone(),
        };
        let [callee] = self.program.functions_at(&path) else { return None };
        let given = Subst::from_params(&self.program.generics_in_scope(*callee), closure_args);
        let function = &self.program.functions[*callee];
        let [receiver, packed] = <[Operand; 2]>::try_from(args).ok()?;
        let mut before = Vec::new();
        let takes_reference = match &function.body {
            FnBody::Present(body) => match body.args().next().map(|arg| body.locals[arg].ty.kind().clone()) {
                Some(TyKind::Ref(mutability, _)) => Some(mutability),
                _ => None,
            },
            _ => return None,
        };
        let receiver_ty = self.operand_ty(&receiver)?;
        let receiver = match (takes_reference, receiver_ty.kind()) {
            (Some(_), TyKind::Ref(..)) | (None, TyKind::Closure(..)) => receiver,
            (Some(mutability), TyKind::Closure(..)) => {
                let holder = self.local(receiver_ty.clone());
                let reference = self.local(Ty::reference(mutability, receiver_ty));
                before.push(StatementKind::Assign(holder.into(), Rvalue::Use(receiver)));
                before.push(StatementKind::Assign(reference.into(), Rvalue::Ref(mutability, holder.into())));
                Operand::Move(reference.into())
            }
            _ => return None,
        };
        let (unpacks, fields) = self.unpacked(packed)?;
        before.push(unpacks);
        let args = std::iter::once(receiver).chain(fields).collect();
        Some(Call { callee: *callee, given, args, before })
    }

    /// A statement that takes hold of a tuple, and its fields.
    fn unpacked(&mut self, packed: Operand) -> Option<(StatementKind, Vec<Operand>)> {
        let packed_ty = self.operand_ty(&packed)?;
        let TyKind::Tuple(types) = packed_ty.kind().clone() else { return None };
        let holder = self.local(packed_ty);
        let field = |(index, ty): (usize, Ty)| {
            let projection = vec![Projection::Field(FieldId::from_usize(index), Some(ty))];
            Operand::Move(Place { local: holder, projection })
        };
        let fields = types.into_iter().enumerate().map(field).collect();
        Some((StatementKind::Assign(holder.into(), Rvalue::Use(packed)), fields))
    }

    fn operand_ty(&self, operand: &Operand) -> Option<Ty> {
        let place = operand.place().filter(|place| place.projection.is_empty())?;
        Some(self.body.locals[place.local].ty.clone())
    }

    fn local(&mut self, ty: Ty) -> LocalId {
        self.body.locals.push(Local { ty, name: None, span: None })
    }

    fn splice(
        &mut self,
        at: BlockId,
        before: Vec<StatementKind>,
        args: Vec<Operand>,
        callee: &Body,
        (destination, target, unwind): (Place, Option<BlockId>, Option<BlockId>),
    ) {
        let (locals, blocks) = (self.body.locals.len(), self.body.blocks.len());
        let scope = Scope::inlined(&Subst::default());
        let renames = Renames::default();
        let mut rewriter =
            Rewriter { speller: Speller::new(&scope, &renames), numbering: Offset { locals, blocks } };
        let local = |id: LocalId| LocalId::from_usize(id.index() + locals);
        let mut added = IdxVec::<BlockId, Block>::new();
        for block in &callee.blocks {
            let mut statements: Vec<Statement> = block
                .statements
                .iter()
                .filter_map(|statement| rewriter.statement(&statement.kind))
                .map(|kind| Statement { kind, span: None })
                .collect();
            let mut kind = rewriter.terminator(&block.terminator.kind);
            match &mut kind {
                TerminatorKind::Return => {
                    let result = Operand::Move(local(LocalId::return_place()).into());
                    let kind_of_result = StatementKind::Assign(destination.clone(), Rvalue::Use(result));
                    statements.push(Statement { kind: kind_of_result, span: None });
                    kind = target.map_or(TerminatorKind::Unreachable, TerminatorKind::Goto);
                }
                TerminatorKind::Resume => kind = unwind.map_or(TerminatorKind::Resume, TerminatorKind::Goto),
                TerminatorKind::Call { unwind: way, .. }
                | TerminatorKind::Drop { unwind: way, .. }
                | TerminatorKind::Assert { unwind: way, .. }
                    if block.role == BlockRole::Normal =>
                {
                    *way = way.or(unwind);
                }
                _ => {}
            }
            added.push(Block { statements, terminator: Terminator { kind, span: None }, role: block.role });
        }
        for local in &callee.locals {
            self.body.locals.push(local.clone());
        }
        for block in &added {
            self.body.blocks.push(block.clone());
        }
        let block = &mut self.body.blocks[at];
        let assign = |(index, arg): (usize, Operand)| {
            StatementKind::Assign(local(LocalId::from_usize(index + 1)).into(), Rvalue::Use(arg))
        };
        let assigns = before.into_iter().chain(args.into_iter().enumerate().map(assign));
        block.statements.extend(assigns.map(|kind| Statement { kind, span: None }));
        block.terminator.kind = TerminatorKind::Goto(BlockId::from_usize(blocks));
    }
}

/// Locals and blocks behind those that are there.
struct Offset {
    locals: usize,
    blocks: usize,
}

impl Numbering for Offset {
    fn local(&mut self, local: LocalId) -> LocalId {
        LocalId::from_usize(local.index() + self.locals)
    }

    fn block(&mut self, target: BlockId) -> BlockId {
        BlockId::from_usize(target.index() + self.blocks)
    }
}
