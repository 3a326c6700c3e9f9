//! Functions whose signature changed so that callers need not notice: they are called as before.
//!
//! *Idea.* Where `&Vec<T>` became `&[T]`, `u16` became `u32` or `T` became `impl Into<T>`, a call that was written for one version does in the other
//! what it did, or is easily brought to it. So the versions can be compared on the arguments that the narrower signature takes.
//!
//! *Definition.* An *adapter* is a function that takes what one version's function takes, converts each argument ([`ConversionStep`]) and
//! hands it to the other version's. It stands in the program of the latter and is compared in its place.
//! A conversion is there for each parameter of the narrower signature, or the functions are not compared. A parameter that the other version alone has, by its
//! name, is given what most callers there pass, if that can be written anywhere ([`Fixed`]), or its type's default.
//! Parameters of type that one version alone has (`impl Into<T>`) stand for the type that the other has in this place.
//!
//! *Limits.* What is proved equal is the function as callers of the narrower signature call it. Callers themselves are compared with the function that they call,
//! so an adapter says nothing of these. What is lent and has to be dropped is dropped after the call and not within it; if the result may refer to it there is no adapter.

use std::collections::{BTreeMap, HashMap};

use crate::exec::questions::is_copy;
use crate::exec::resolve::{find_impl, needs_drop, normalize};
use crate::idx::{Idx, IdxVec};
use crate::ir::canonical::{CanonicalSignature, Renames};
use crate::ir::*;

/// Adds adapters for functions of one path that take other types, to the version which takes more.
pub fn add_adapters(old: &mut Program, new: &mut Program) {
    let mut to_old = Vec::new();
    let mut to_new = Vec::new();
    for (new_id, function) in new.functions.iter_enumerated() {
        let Some(old_id) = only_function(old, &function.path) else { continue };
        if only_function(new, &function.path) != Some(new_id) || takes_the_same((old, old_id), (new, new_id))
        {
            continue;
        }
        match adapter((old, old_id), (new, new_id)) {
            Some(found) => to_new.push(found),
            None => to_old.extend(adapter((new, new_id), (old, old_id))),
        }
    }
    for (program, added) in [(old, to_old), (new, to_new)] {
        for (function, adapter) in added {
            let id = program.functions.push(function);
            program.adapters.insert(id, adapter);
        }
    }
}

/// The adapter of each function that has one.
pub(super) fn by_function(program: &Program) -> HashMap<FnId, FnId> {
    program.adapters.iter().map(|(id, adapter)| (adapter.function, *id)).collect()
}

fn only_function(program: &Program, path: &Path) -> Option<FnId> {
    let [id] = program.functions_at(path) else { return None };
    let function = &program.functions[*id];
    let is_own = function.origin == Origin::Subject
        && function.kind == FunctionKind::Fn
        && !matches!(function.body, FnBody::Missing)
        && !matches!(function.owner, Owner::Within(_));
    is_own.then_some(*id)
}

fn takes_the_same((old, old_id): (&Program, FnId), (new, new_id): (&Program, FnId)) -> bool {
    let signature = |program, id| CanonicalSignature::of(program, id, &Renames::default());
    signature(old, old_id).takes_the_same(&signature(new, new_id))
}

/// A function that takes what `from` takes and calls `to`, for the program of the latter.
fn adapter(
    (from_program, from): (&Program, FnId),
    (program, to): (&Program, FnId),
) -> Option<(Function, Adapter)> {
    let taken = &from_program.functions[from];
    let called = &program.functions[to];
    if !same_owner((from_program, &taken.owner), (program, &called.owner)) {
        return None;
    }
    let mut args = Subst::new();
    let in_scope = from_program.generics_in_scope(from);
    for (param, arg) in in_scope.iter().zip(identity_args(&in_scope)) {
        args.insert(param.name.clone(), arg);
    }
    let mut search = Search { program, args, refers: refers(&called.output) };
    let mut arguments = Vec::new();
    for (place, name) in places(taken, called)? {
        let wanted = &called.inputs[arguments.len()];
        arguments.push(match place {
            Some(place) => {
                let conversion = search.conversion(&taken.inputs[place], wanted, 0)?;
                Argument::Parameter { place, conversion }
            }
            None => Argument::Fixed { name, value: fixed(program, called, arguments.len())? },
        });
    }
    let own = called.generics.iter().map(|param| search.args.get(&param.name).cloned());
    let own = own.collect::<Option<GenericArgs>>()?;
    let callee = callee(program, called, &own);
    let output = search.args.ty(&called.output);
    let types: Vec<Ty> = called.inputs.iter().map(|ty| search.args.ty(ty)).collect();
    let body = Writing::new(taken, output.clone()).whole(program, &arguments, &types, callee);
    let function = Function {
        kind: FunctionKind::Adapter,
        generics: taken.generics.clone(),
        bounds: taken.bounds.clone(),
        inputs: taken.inputs.clone(),
        output,
        body: FnBody::Present(body.into()),
        ..called.clone()
    };
    Some((function, Adapter { function: to, args: own, arguments }))
}

/// Which parameter each of the callee's is, or none and its name; none if that cannot be told.
fn places(taken: &Function, called: &Function) -> Option<Vec<(Option<usize>, Option<Name>)>> {
    if taken.inputs.len() == called.inputs.len() {
        return Some((0..taken.inputs.len()).map(|place| (Some(place), None)).collect());
    }
    let taken_names = parameter_names(taken);
    let mut next = 0;
    let mut places = Vec::new();
    for name in parameter_names(called) {
        let name = name?;
        let is_next = taken_names.get(next).is_some_and(|taken| taken.as_ref() == Some(&name));
        if is_next {
            places.push((Some(next), None));
            next += 1;
        } else if taken_names.contains(&Some(name.clone())) {
            return None;
        } else {
            places.push((None, Some(name)));
        }
    }
    (next == taken.inputs.len() && places.len() == called.inputs.len()).then_some(places)
}

/// As far as they have one.
fn parameter_names(function: &Function) -> Vec<Option<Name>> {
    match &function.body {
        FnBody::Present(body) => body.args().map(|local| body.locals[local].name.clone()).collect(),
        FnBody::Unreadable { .. } | FnBody::Missing => Vec::new(),
    }
}

/// What most callers in the program pass at this place; or else the default of the type, if it is known to have one.
fn fixed(program: &Program, called: &Function, place: usize) -> Option<Fixed> {
    let mut passed: BTreeMap<Fixed, usize> = BTreeMap::new();
    for function in program.functions.iter().filter(|function| function.origin == Origin::Subject) {
        let FnBody::Present(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            let TerminatorKind::Call { callee: Callee::Fn(callee), args, .. } = &block.terminator.kind else {
                continue;
            };
            if names(program, callee, called)
                && let Some(value) = args.get(place).and_then(|operand| value_of(body, operand))
                && is_closed(&value)
            {
                *passed.entry(value).or_default() += 1;
            }
        }
    }
    let most = passed.into_iter().max_by_key(|(_, times)| *times).map(|(value, _)| value);
    most.or_else(|| default_of(program, &called.inputs[place]))
}

/// Whether it means the same everywhere, as no parameter of type is in it.
fn is_closed(value: &Fixed) -> bool {
    let mut is_closed = true;
    let mut constants_closed = true;
    let on_ty = &mut |part: Ty| {
        is_closed &=
            !matches!(part.kind(), TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Closure(..));
        part
    };
    let on_const = &mut |constant: Const| {
        constants_closed &= !matches!(constant, Const::Param(_));
        constant
    };
    match value {
        Fixed::Constant(_) => {}
        Fixed::Variant { ty, .. } => {
            ty.map(on_ty, on_const);
        }
        Fixed::Call(callee) => {
            callee.map(on_ty, on_const);
        }
    }
    is_closed && constants_closed
}

fn default_of(program: &Program, ty: &Ty) -> Option<Fixed> {
    let trait_ref = TraitRef { self_ty: ty.clone(), path: KnownTrait::Default.into(), args: Vec::new() };
    let has_default = find_impl(program, &trait_ref).is_some();
    let default = Fixed::Call(FnRef::Trait { trait_ref, method: Name::new("default"), args: Vec::new() });
    (has_default && is_closed(&default)).then_some(default)
}

fn names(program: &Program, callee: &FnRef, called: &Function) -> bool {
    match (callee, &called.owner) {
        (FnRef::Free { path, .. } | FnRef::Inherent { path, .. }, _) => *path == called.path,
        (FnRef::Trait { trait_ref, method, .. }, Owner::TraitImpl(id)) => {
            program.impls[*id].trait_ref.path == trait_ref.path
                && called.path.as_str().rsplit("::").next() == Some(method.as_str())
        }
        _ => false,
    }
}

/// What an operand is, if it is one thing and can be written anywhere.
fn value_of(body: &Body, operand: &Operand) -> Option<Fixed> {
    let place = match operand {
        Operand::Const(value) => return constant(value),
        Operand::Copy(place) | Operand::Move(place) => place,
    };
    if !place.projection.is_empty() || place.local.index() <= body.arg_count {
        return None;
    }
    let mut written = Vec::new();
    for block in body.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(to, value) if to.local == place.local => {
                    written.push(written_anywhere(value))
                }
                _ => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Call { callee, args, destination, .. } if destination.local == place.local => {
                written.push(match callee {
                    Callee::Fn(callee) if args.is_empty() => Some(Fixed::Call(callee.clone())),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    match written.as_slice() {
        [value] => value.clone(),
        _ => None,
    }
}

fn written_anywhere(value: &Rvalue) -> Option<Fixed> {
    match value {
        Rvalue::Use(Operand::Const(value)) => constant(value),
        Rvalue::Aggregate(AggregateKind::Adt { ty, variant }, fields) if fields.is_empty() => match variant {
            Some(VariantRef::Name(variant)) => {
                Some(Fixed::Variant { ty: ty.clone(), variant: variant.clone() })
            }
            Some(VariantRef::Index(_)) | None => None,
        },
        _ => None,
    }
}

fn constant(value: &Const) -> Option<Fixed> {
    matches!(value, Const::Bool(_) | Const::Char(_) | Const::Int(..) | Const::Str(_))
        .then(|| Fixed::Constant(value.clone()))
}

/// Whether both stand in modules, or in implementations for the same types.
fn same_owner((a_program, a): (&Program, &Owner), (b_program, b): (&Program, &Owner)) -> bool {
    match (a, b) {
        (Owner::TraitImpl(a), Owner::TraitImpl(b)) => {
            let (a, b) = (&a_program.impls[*a], &b_program.impls[*b]);
            (&a.generics, &a.trait_ref) == (&b.generics, &b.trait_ref)
        }
        (Owner::Trait(_) | Owner::Within(_), _) => false,
        _ => a == b,
    }
}

fn callee(program: &Program, called: &Function, own: &[GenericArg]) -> FnRef {
    let (path, args) = (called.path.clone(), own.to_vec());
    match &called.owner {
        Owner::Inherent { self_ty, .. } => FnRef::Inherent { path, self_ty: self_ty.clone(), args },
        Owner::TraitImpl(id) => {
            let name = path.as_str().rsplit("::").next().unwrap_or_default();
            let trait_ref = program.impls[*id].trait_ref.clone();
            FnRef::Trait { trait_ref, method: Name::new(name), args }
        }
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => FnRef::Free { path, args },
    }
}

/// Whether a value of the type may refer to what the call was lent.
fn refers(ty: &Ty) -> bool {
    let mut found = false;
    let _ = ty.map(
        &mut |part| {
            found |=
                !matches!(
                    part.kind(),
                    TyKind::Bool
                        | TyKind::Char
                        | TyKind::Int(_)
                        | TyKind::Float(_)
                        | TyKind::Never
                        | TyKind::Tuple(_)
                        | TyKind::Array(..)
                ) && !matches!(part.known(), Some(KnownType::String | KnownType::Vec | KnownType::Option));
            part
        },
        &mut |constant| constant,
    );
    found
}

/// Conversions from the types of one version to those of the other.
struct Search<'p> {
    /// That of the function that is called.
    program: &'p Program,
    /// What the function's parameters stand for, as far as it is known.
    args: Subst,
    /// Whether the result may refer to arguments.
    refers: bool,
}

/// More steps than these in a row are no caller's.
const MOST_STEPS: usize = 4;

impl Search<'_> {
    fn conversion(&mut self, from: &Ty, to: &Ty, depth: usize) -> Option<Conversion> {
        if depth > MOST_STEPS {
            return None;
        }
        if self.is_the_same(from, to) {
            return Some(Vec::new());
        }
        let step = |step: ConversionStep, rest: Conversion| [vec![step], rest].concat();
        match (from.kind(), to.kind()) {
            (TyKind::Int(small), TyKind::Int(large)) => {
                has_all_values(*large, *small).then(|| vec![ConversionStep::Widen(to.clone())])
            }
            (_, TyKind::Adt(path, args))
                if path == KnownType::Option && from.known() != Some(KnownType::Option) =>
            {
                let [GenericArg::Ty(inner), ..] = args.as_slice() else { return None };
                let mut steps = self.conversion(from, inner, depth + 1)?;
                steps.push(ConversionStep::Wrap(self.args.ty(to)));
                Some(steps)
            }
            (TyKind::Ref(Mutability::Mut, given), TyKind::Ref(Mutability::Shared, _)) => {
                let rest =
                    self.conversion(&Ty::reference(Mutability::Shared, given.clone()), to, depth + 1)?;
                Some(step(ConversionStep::Reborrow, rest))
            }
            (TyKind::Ref(given_as, given), TyKind::Ref(wanted_as, wanted)) if given_as == wanted_as => {
                let next = match (given.kind(), wanted.kind()) {
                    (TyKind::Array(element, _), TyKind::Slice(_)) => {
                        let slice = Ty::new(TyKind::Slice(element.clone()));
                        Some((ConversionStep::Unsize(*given_as, slice.clone()), slice))
                    }
                    _ => self
                        .target(given)
                        .map(|target| (ConversionStep::Deref(*given_as, target.clone()), target)),
                };
                let (first, target) = next?;
                Some(step(first, self.conversion(&Ty::reference(*given_as, target), to, depth + 1)?))
            }
            (TyKind::Ref(..), TyKind::Ref(..)) => None,
            (TyKind::Ref(Mutability::Shared, given), _) if is_copy(self.program, given) == Some(true) => {
                Some(step(ConversionStep::Copy, self.conversion(given, to, depth + 1)?))
            }
            (_, TyKind::Ref(Mutability::Shared, _)) if !self.refers || !needs_drop(self.program, from) => {
                let lent = Ty::reference(Mutability::Shared, from.clone());
                Some(step(ConversionStep::Lend, self.conversion(&lent, to, depth + 1)?))
            }
            _ => None,
        }
    }

    /// Whether both are one type, once parameters that this version alone has stand for what the other has.
    fn is_the_same(&mut self, from: &Ty, to: &Ty) -> bool {
        let mut args = self.args.clone();
        let fits = args.unify(to, from) && args.ty(to) == *from;
        if fits {
            self.args = args;
        }
        fits
    }

    /// `T::Target`, if the type derefs to another.
    fn target(&self, ty: &Ty) -> Option<Ty> {
        if let TyKind::Adt(..) = ty.kind() {
            let trait_ref =
                TraitRef { self_ty: ty.clone(), path: KnownTrait::Deref.into(), args: Vec::new() };
            let target = Ty::new(TyKind::Projection { trait_ref, name: Name::new("Target") });
            let known = normalize(self.program, &target);
            return (known != target).then_some(known);
        }
        None
    }
}

fn has_all_values(large: IntTy, small: IntTy) -> bool {
    match (small.signedness(), large.signedness()) {
        (Signedness::Unsigned, Signedness::Signed) => large.bits() > small.bits(),
        (Signedness::Signed, Signedness::Unsigned) => false,
        _ => large.bits() >= small.bits(),
    }
}

/// The body of an adapter, as it is written.
struct Writing {
    locals: IdxVec<LocalId, Local>,
    arg_count: usize,
    blocks: IdxVec<BlockId, Block>,
    /// Of the block that is being written.
    statements: Vec<Statement>,
    /// What is dropped after the call.
    lent: Vec<LocalId>,
}

impl Writing {
    /// `taken` is the function whose parameters it has, by their names.
    fn new(taken: &Function, output: Ty) -> Writing {
        let mut writing = Writing {
            locals: IdxVec::new(),
            arg_count: taken.inputs.len(),
            blocks: IdxVec::new(),
            statements: Vec::new(),
            lent: Vec::new(),
        };
        writing.local(output);
        let names = parameter_names(taken);
        for (index, ty) in taken.inputs.iter().enumerate() {
            let name = names.get(index).cloned().flatten();
            writing.locals.push(Local { ty: ty.clone(), name, span: None });
        }
        writing
    }

    /// `types` are those of the arguments.
    fn whole(mut self, program: &Program, arguments: &[Argument], types: &[Ty], callee: FnRef) -> Body {
        let mut args = Vec::new();
        for (argument, ty) in arguments.iter().zip(types) {
            args.push(match argument {
                Argument::Parameter { place, conversion } => {
                    let first = LocalId::from_usize(place + 1);
                    let at = conversion.iter().fold(first, |at, step| self.step(program, at, step));
                    Operand::Move(at.into())
                }
                Argument::Fixed { value, .. } => self.fixed(value, ty),
            });
        }
        // Blocks to come: the call, a drop for each that was lent, the return; then drops and the end of unwinding.
        let call = self.blocks.len();
        let drops = self.lent.len();
        let block = BlockId::from_usize;
        let unwind = (drops > 0).then(|| block(call + drops + 2));
        let target = Some(block(call + 1));
        let destination = LocalId::return_place().into();
        self.end(TerminatorKind::Call { callee: Callee::Fn(callee), args, destination, target, unwind });
        let lent = std::mem::take(&mut self.lent);
        for (index, local) in lent.iter().enumerate() {
            // What panics while it is dropped leaves the others, which are not many.
            self.end(TerminatorKind::Drop {
                place: (*local).into(),
                target: block(call + index + 2),
                unwind: None,
            });
        }
        self.end(TerminatorKind::Return);
        if unwind.is_some() {
            for (index, local) in lent.iter().enumerate() {
                let target = block(call + drops + index + 3);
                self.end_as(
                    BlockRole::Cleanup,
                    TerminatorKind::Drop { place: (*local).into(), target, unwind: None },
                );
            }
            self.end_as(BlockRole::Cleanup, TerminatorKind::Resume);
        }
        Body { locals: self.locals, arg_count: self.arg_count, blocks: self.blocks }
    }

    fn fixed(&mut self, value: &Fixed, ty: &Ty) -> Operand {
        match value {
            Fixed::Constant(value) => Operand::Const(value.clone()),
            Fixed::Variant { ty, variant } => {
                let at = self.local(ty.clone());
                let kind =
                    AggregateKind::Adt { ty: ty.clone(), variant: Some(VariantRef::Name(variant.clone())) };
                let value = Rvalue::Aggregate(kind, Vec::new());
                self.statements.push(Statement { kind: StatementKind::Assign(at.into(), value), span: None });
                Operand::Move(at.into())
            }
            Fixed::Call(callee) => {
                let at = self.local(ty.clone());
                self.call(callee.clone(), Vec::new(), at);
                Operand::Move(at.into())
            }
        }
    }

    /// A call that ends the block.
    fn call(&mut self, callee: FnRef, args: Vec<Operand>, to: LocalId) {
        let target = Some(BlockId::from_usize(self.blocks.len() + 1));
        let callee = Callee::Fn(callee);
        self.end(TerminatorKind::Call { callee, args, destination: to.into(), target, unwind: None });
    }

    /// Where the value is after the step.
    fn step(&mut self, program: &Program, at: LocalId, step: &ConversionStep) -> LocalId {
        let ty = self.locals[at].ty.clone();
        let behind = || Place { local: at, projection: vec![Projection::Deref] };
        let pointee = || ty.pointee().cloned().unwrap_or_else(|| ty.clone());
        let (ty, value) = match step {
            ConversionStep::Lend => {
                if needs_drop(program, &ty) {
                    self.lent.push(at);
                }
                (Ty::reference(Mutability::Shared, ty.clone()), Rvalue::Ref(Mutability::Shared, at.into()))
            }
            ConversionStep::Reborrow => {
                (Ty::reference(Mutability::Shared, pointee()), Rvalue::Ref(Mutability::Shared, behind()))
            }
            ConversionStep::Copy => (pointee(), Rvalue::Use(Operand::Copy(behind()))),
            ConversionStep::Unsize(mutability, target) => {
                let wide = Ty::reference(*mutability, target.clone());
                (wide.clone(), Rvalue::Cast(CastKind::Unsize, Operand::Move(at.into()), wide))
            }
            ConversionStep::Widen(target) => {
                (target.clone(), Rvalue::Cast(CastKind::IntToInt, Operand::Move(at.into()), target.clone()))
            }
            ConversionStep::Wrap(target) => {
                let variant = Some(VariantRef::Name(Name::new("Some")));
                let kind = AggregateKind::Adt { ty: target.clone(), variant };
                (target.clone(), Rvalue::Aggregate(kind, vec![Operand::Move(at.into())]))
            }
            ConversionStep::Deref(mutability, target) => {
                let (path, method) = match mutability {
                    Mutability::Shared => (KnownTrait::Deref, "deref"),
                    Mutability::Mut => (KnownTrait::DerefMut, "deref_mut"),
                };
                let trait_ref = TraitRef { self_ty: pointee(), path: path.into(), args: Vec::new() };
                let callee = FnRef::Trait { trait_ref, method: Name::new(method), args: Vec::new() };
                let to = self.local(Ty::reference(*mutability, target.clone()));
                self.call(callee, vec![Operand::Move(at.into())], to);
                return to;
            }
        };
        let to = self.local(ty);
        self.statements.push(Statement { kind: StatementKind::Assign(to.into(), value), span: None });
        to
    }

    fn local(&mut self, ty: Ty) -> LocalId {
        self.locals.push(Local { ty, name: None, span: None })
    }

    fn end(&mut self, kind: TerminatorKind) {
        self.end_as(BlockRole::Normal, kind);
    }

    fn end_as(&mut self, role: BlockRole, kind: TerminatorKind) {
        let statements = std::mem::take(&mut self.statements);
        self.blocks.push(Block { statements, terminator: Terminator { kind, span: None }, role });
    }
}
