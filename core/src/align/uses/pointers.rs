//! Pointers to functions, and other values by which something is called: what these may call.
//!
//! *Idea.* Who names a function or a closure refers to it, so a call of what a caller hands over adds nothing: the caller has named it, or was handed it as well. That does not hold
//! of what is *read from a field* of a type of the program: whoever made that value has put a function there, and neither the one that reads nor its caller names it.
//! Nor of a pointer that is made of something else.
//!
//! *Definition.* What may be called are the functions and closures that are anywhere *kept as values* and fit the type: for a pointer that is called and is no argument; for what
//! is read from a field and goes on to anything but formatting, comparison or another value of the program, from a field of which it is read again (a clone goes where its result
//! goes); for a pointer that comes of a cast, or of a function of the standard library that makes one of other memory, all that may be called as its type.
//!
//! A type parameter counts as what its bounds say that it is called as, unless it is a caller's choice: what a closure captured that another function made was chosen by that.
//!
//! *Limits.* What a generic function behind a pointer calls of a parameter that its signature does not name (`g::<A> as fn(u8) -> u8`), and what an implementation behind an object
//! hands on of its fields, is not followed. A pointer to memory in which there is a pointer to a function
//! counts as made where a type says so, not where it is an address.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::collect::{Code, Collector};
use super::instance::{CALLS, around, completed_by, is_made_elsewhere, made_elsewhere};
use super::{Fields, Items, is_comparison, is_formatting};
use crate::align::types::{each_ty, holds, may_be_passed_as, may_match};
use crate::idx::Idx as _;
use crate::ir::*;

/// By what something may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Callable {
    Pointer {
        inputs: Vec<Ty>,
        output: Ty,
    },
    /// Of a trait by which something is called.
    Object {
        inputs: Vec<Ty>,
        output: Ty,
    },
}

/// How the type of a function has to fit that of a pointer by which it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fits {
    Type,
    /// What is passed is passed in the same way.
    Abi,
}

/// Functions and closures that are anywhere kept as values.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// All functions that are named without being called.
    functions: BTreeSet<FnId>,
    /// All closures.
    closures: BTreeSet<FnId>,
    /// Those that are turned into pointers.
    closures_made_pointers: BTreeSet<FnId>,
    /// Whether one is turned into a pointer, or called by one, of which it is not known which it is.
    hides_closures: bool,
}

impl Kept {
    fn all(&self) -> impl Iterator<Item = FnId> + '_ {
        self.functions.iter().chain(&self.closures).copied()
    }

    fn behind_pointers(&self) -> impl Iterator<Item = FnId> + '_ {
        let closures = if self.hides_closures { &self.closures } else { &self.closures_made_pointers };
        self.functions.iter().chain(closures).copied()
    }
}

impl Items<'_> {
    /// What may be behind pointers and objects.
    fn kept_as_values(&self) -> &Kept {
        self.kept_as_values.get_or_init(|| {
            let program = self.program;
            let of_program =
                program.functions.iter_enumerated().filter(|(_, item)| item.origin != Origin::StdModel);
            let mut kept = Kept::default();
            // A body that is not known may name any.
            let mut is_hidden = false;
            for (id, function) in of_program {
                if function.kind == FunctionKind::Closure {
                    kept.closures.insert(id);
                }
                let body = match &function.body {
                    FnBody::Present(body) => body,
                    FnBody::Unreadable { .. } => {
                        is_hidden = true;
                        continue;
                    }
                    FnBody::Missing => continue,
                };
                for fn_ref in values_of_functions(body) {
                    // `call::<F>` calls the closure that `F` is.
                    fn_ref.find(&mut |part| {
                        match part {
                            TyPart::Ty(ty) => match ty.kind() {
                                TyKind::Closure(path, _) => {
                                    kept.closures_made_pointers.extend(program.functions_at(path));
                                }
                                TyKind::Param(_) | TyKind::Projection { .. } => kept.hides_closures = true,
                                _ => {}
                            },
                            TyPart::Const(_) => {}
                        }
                        false
                    });
                    match fn_ref {
                        FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => {
                            kept.functions.extend(program.functions_at(path));
                        }
                        FnRef::Trait { trait_ref, method, .. } => {
                            let impls = program.impls_of(&trait_ref.path).iter();
                            kept.functions
                                .extend(impls.filter_map(|id| program.impls[*id].methods.get(method)));
                            let item = program.trait_(&trait_ref.path);
                            kept.functions.extend(item.and_then(|item| item.default_methods.get(method)));
                        }
                    }
                }
                for closure in closures_made_pointers(body) {
                    match closure.map(|path| program.functions_at(path)) {
                        Some(ids) if !ids.is_empty() => kept.closures_made_pointers.extend(ids),
                        _ => kept.hides_closures = true,
                    }
                }
            }
            if is_hidden {
                let is_function = |item: &Function| {
                    item.origin != Origin::StdModel
                        && matches!(item.kind, FunctionKind::Fn | FunctionKind::Constructor)
                };
                let all = program.functions.iter_enumerated();
                kept.functions.extend(all.filter(|(_, item)| is_function(item)).map(|(id, _)| id));
                kept.hides_closures = true;
            }
            kept
        })
    }
}

/// Whether it points to memory that may be taken for that of another type.
fn is_memory(ty: &Ty) -> bool {
    holds(ty, &|part| match part {
        TyKind::RawPtr(..) => true,
        TyKind::Adt(path, _) => path.as_str() == "std::ptr::NonNull",
        _ => false,
    })
}

/// Whether a type in it may stand for another, or is not understood.
fn is_undecided(ty: &Ty) -> bool {
    holds(ty, &|part| matches!(part, TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_)))
}

/// The pointers to functions, and the objects that are called, that are parts of a type.
fn callables_in(ty: &Ty) -> Vec<Callable> {
    let mut found = Vec::new();
    ty.each_part(&mut |part| found.extend(callables_of(part.kind())));
    found
}

/// The same of one type without its parts.
fn callables_of(part: &TyKind) -> Vec<Callable> {
    match part {
        TyKind::FnPtr { inputs, output } => {
            vec![Callable::Pointer { inputs: inputs.clone(), output: output.clone() }]
        }
        TyKind::Dyn(bounds) => bounds.iter().filter_map(callable_object).collect(),
        _ => Vec::new(),
    }
}

/// An object, if its trait is one by which something is called.
fn callable_object(bound: &DynTrait) -> Option<Callable> {
    if !CALLS.contains(&bound.path.as_str()) {
        return None;
    }
    let Some(GenericArg::Ty(taken)) = bound.args.first() else { return None };
    let TyKind::Tuple(inputs) = taken.kind() else { return None };
    let output = bound.assoc_types.iter().find(|(name, _)| name == "Output").map(|(_, ty)| ty.clone());
    // `dyn Fn(u8)` gives nothing.
    Some(Callable::Object { inputs: inputs.clone(), output: output.unwrap_or_else(Ty::unit) })
}

/// The closures that a body turns into pointers to functions, as far as it is known which.
fn closures_made_pointers(body: &Body) -> impl Iterator<Item = Option<&Path>> {
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Cast(CastKind::ClosureFnPointer, closure, _)) => {
            let ty = match closure {
                Operand::Copy(place) | Operand::Move(place) if place.projection.is_empty() => {
                    Some(&body.locals[place.local].ty)
                }
                Operand::Const(Const::ZeroSized(ty)) => Some(ty),
                _ => None,
            };
            Some(ty.and_then(|ty| match ty.kind() {
                TyKind::Closure(path, _) => Some(path),
                _ => None,
            }))
        }
        _ => None,
    })
}

/// The functions that a body names without calling them.
fn values_of_functions(body: &Body) -> impl Iterator<Item = &FnRef> {
    body.blocks.iter().flat_map(operands_of).filter_map(|operand| match operand {
        Operand::Const(Const::Fn(fn_ref)) => Some(&**fn_ref),
        _ => None,
    })
}

fn operands_of(block: &Block) -> Vec<&Operand> {
    let mut operands = block.terminator.kind.operands();
    for statement in &block.statements {
        if let StatementKind::Assign(_, value) = &statement.kind {
            operands.extend(value.operands());
        }
    }
    operands
}

impl Collector<'_, '_> {
    /// What is called by a pointer to a function is any of the type of which there are pointers; of a type that is not known, any that takes as many arguments.
    pub(super) fn called_by_pointer(&mut self, pointer: Option<&Ty>, args: &[Operand]) {
        let pointer = pointer.map(|ty| self.closed(ty));
        let anything = || Ty::new(TyKind::Param(Name::new("_")));
        let called = match pointer.as_ref().map(Ty::kind) {
            Some(TyKind::FnPtr { inputs, output }) => {
                Callable::Pointer { inputs: inputs.clone(), output: output.clone() }
            }
            _ => Callable::Pointer { inputs: vec![anything(); args.len()], output: anything() },
        };
        self.called_as_any_of(&[called], Fits::Type);
    }

    /// What is called by pointers to functions that are made of something else, where values of some types are taken for one of another: any function that may be called as one
    /// of the pointers in that, or in its fields, which is none in those. Where memory in which there are pointers is taken for other memory, they may be written as that.
    pub(super) fn called_by_made_pointers(&mut self, from: &[Ty], to: &Ty) {
        let from: Vec<Ty> = from.iter().map(|ty| self.closed(ty)).collect();
        let to = self.closed(to);
        let (before, after) = (self.pointers_within(&from), self.pointers_within(std::slice::from_ref(&to)));
        // What lies in fields was put there by others.
        let named: Vec<Callable> = from.iter().flat_map(callables_in).collect();
        let made = after.iter().filter(|pointer| !named.contains(pointer));
        let written = before.iter().filter(|pointer| is_memory(&to) && !after.contains(pointer));
        let called: Vec<Callable> = made.chain(written).cloned().collect();
        self.called_as_any_of(&called, Fits::Abi);
    }

    /// What is called by the pointers and objects within values of the types, and in the memory that they point to: anybody may have put any there, that call others in turn.
    pub(super) fn called_by_whatever_is_in(&mut self, types: &[Ty]) {
        if self.callables_within(types).is_empty() {
            return;
        }
        for id in self.items.kept_as_values().all() {
            let subst =
                completed_by(&self.items.program.generics_in_scope(id), &Subst::new(), made_elsewhere);
            self.instance(id, &subst);
        }
    }

    fn pointers_within(&self, types: &[Ty]) -> Vec<Callable> {
        let mut found = self.callables_within(types);
        found.retain(|callable| matches!(callable, Callable::Pointer { .. }));
        found
    }

    fn callables_within(&self, types: &[Ty]) -> Vec<Callable> {
        let found: RefCell<Vec<Callable>> = RefCell::default();
        let note = |part: &TyKind| {
            found.borrow_mut().extend(callables_of(part));
            false
        };
        self.items.holds_within(types, Fields::OfProgram, &note);
        found.into_inner()
    }

    /// The same of a call that may look at memory as another type.
    pub(super) fn made_by_call(&mut self, callee: &FnRef, args: &[Option<Ty>], result: &Ty) {
        let copies_memory =
            matches!(callee, FnRef::Free { path, .. } if path.as_str() == "std::mem::transmute_copy");
        if self.code == Code::Read && (copies_memory || is_memory(&self.closed(result))) {
            let args: Vec<Ty> = args.iter().flatten().cloned().collect();
            self.called_by_made_pointers(&args, result);
        }
    }

    /// Notes by what something may be called in a field, if its value is of a type of the program or a closure, whose fields others have filled.
    pub(super) fn field_of(&mut self, of: Option<&Ty>, field: &Ty) {
        let is_filled_elsewhere = match of.map(Ty::kind) {
            Some(TyKind::Adt(path, _)) => !path.is_of_std(),
            Some(TyKind::Closure(..)) => true,
            _ => false,
        };
        if self.code == Code::Read && is_filled_elsewhere {
            let declared = field;
            let field = self.closed(declared);
            self.read_from_fields.extend(callables_in(&field));
            let by_bounds = self.called_by_bounds(declared, &field);
            self.read_from_fields.extend(by_bounds);
        }
    }

    /// As what a parameter in the type is called, by its bounds, if what stands for it is not a caller's choice alone: what is called by a pointer or an object was made by
    /// another function, and so may have been a value with an implementation.
    fn called_by_bounds(&mut self, declared: &Ty, field: &Ty) -> Vec<Callable> {
        let Some(id) = self.function.filter(|_| is_undecided(field)) else { return Vec::new() };
        let program = self.items.program;
        let may_be_made_elsewhere = self.at.is_none()
            || matches!(program.functions[id].owner, Owner::TraitImpl(_))
            || holds(field, &is_made_elsewhere);
        if !may_be_made_elsewhere {
            return Vec::new();
        }
        let bounds = around(program, id).flat_map(|function| &function.bounds);
        let called = bounds.filter(|bound| {
            holds(&bound.trait_ref.self_ty, &|param| {
                matches!(param, TyKind::Param(_)) && holds(declared, &|part| part == param)
            })
        });
        let objects = called.filter_map(|Bound { trait_ref, assoc_types }| {
            let args = self.closed_args(&trait_ref.args);
            let assoc_types = assoc_types.iter().map(|(name, ty)| (name.clone(), self.closed(ty))).collect();
            callable_object(&DynTrait { path: trait_ref.path.clone(), args, assoc_types })
        });
        objects.collect()
    }

    /// Where it is not known at which types functions run, one of the program that runs at a type by which something is called may call any such.
    pub(super) fn run_at(&mut self, callee: &FnRef) {
        let (FnRef::Free { path, args } | FnRef::Inherent { path, args, .. }) = callee else { return };
        if self.at.is_none() && self.code == Code::Read && !path.is_of_std() {
            let mut types = Vec::new();
            each_ty(args, &mut |ty| types.push(ty.clone()));
            if let FnRef::Inherent { self_ty, .. } = callee {
                types.push(self_ty.clone());
            }
            for ty in &types {
                self.called_by_made_pointers(&[], ty);
                self.called_as_any_of(&callables_in(ty), Fits::Type);
            }
        }
    }

    /// What was noted is read and goes to a place.
    pub(super) fn read_to(&mut self, place: &Place) {
        let read = std::mem::take(&mut self.read_from_fields);
        if !read.is_empty() && self.goes_on(place, &mut BTreeSet::new()) {
            self.called_as_any_of(&read, Fits::Type);
        }
    }

    /// What was noted is handed to a call.
    pub(super) fn read_by_call(&mut self, callee: &Callee, destination: &Place) {
        let read = std::mem::take(&mut self.read_from_fields);
        if !read.is_empty() && self.is_called_with(callee, destination, &mut BTreeSet::new()) {
            self.called_as_any_of(&read, Fits::Type);
        }
    }

    fn called_as_any_of(&mut self, callables: &[Callable], fits: Fits) {
        for callable in callables {
            match callable {
                Callable::Pointer { inputs, output } => {
                    let kept = self.items.kept_as_values().behind_pointers();
                    self.called_as(kept, inputs, output, fits);
                }
                Callable::Object { inputs, output } => {
                    let kept = self.items.kept_as_values().all();
                    self.called_as(kept, inputs, output, fits);
                }
            }
        }
    }

    /// Whether what is put there may come to something that calls it, without being read from a field again.
    fn goes_on(&mut self, to: &Place, seen: &mut BTreeSet<LocalId>) -> bool {
        let Some(body) = self.body else { return true };
        let ty = self.closed(&body.locals[to.local].ty);
        if callables_in(&ty).is_empty() && !is_undecided(&ty) {
            return false;
        }
        if !to.projection.is_empty() || to.local.index() <= body.arg_count {
            return true;
        }
        if !seen.insert(to.local) {
            return false;
        }
        let is_read = |place: &Place| place.local == to.local;
        body.blocks.iter().any(|block| {
            let by_statement = block.statements.iter().any(|statement| match &statement.kind {
                StatementKind::Assign(next, value) => {
                    value.places().into_iter().any(is_read) && self.goes_on(next, seen)
                }
                StatementKind::SetDiscriminant(..) | StatementKind::Nop => false,
            });
            by_statement
                || match &block.terminator.kind {
                    TerminatorKind::Call { callee, destination, .. } => {
                        block.terminator.kind.places().into_iter().any(is_read)
                            && self.is_called_with(callee, destination, seen)
                    }
                    _ => false,
                }
        })
    }

    /// Whether the call may call what it is handed, or gives it to something that may.
    fn is_called_with(&mut self, callee: &Callee, destination: &Place, seen: &mut BTreeSet<LocalId>) -> bool {
        match callee {
            Callee::Fn(fn_ref) => match fn_ref {
                FnRef::Trait { trait_ref, .. } if is_comparison(&trait_ref.path) => false,
                FnRef::Trait { trait_ref, .. } if is_formatting(&trait_ref.path) => false,
                FnRef::Trait { trait_ref, .. } if trait_ref.path == KnownTrait::Hash => false,
                FnRef::Trait { trait_ref, .. } if trait_ref.path == KnownTrait::Clone => {
                    self.goes_on(destination, seen)
                }
                _ => true,
            },
            Callee::Pointer(_) => true,
        }
    }

    /// One of these is called as a function that takes and gives these types.
    fn called_as(&mut self, kept: impl Iterator<Item = FnId>, inputs: &[Ty], output: &Ty, fits: Fits) {
        let program = self.items.program;
        for id in kept {
            let function = &program.functions[id];
            // A closure that captures nothing.
            let skipped = usize::from(function.kind == FunctionKind::Closure);
            let taken = function.inputs.get(skipped..).unwrap_or_default();
            let may_be = match fits {
                Fits::Type => may_match,
                Fits::Abi => may_be_passed_as,
            };
            let is_meant = taken.len() == inputs.len()
                && taken.iter().zip(inputs).all(|(a, b)| may_be(a, b))
                && may_be(&function.output, output);
            if is_meant {
                // `Into::into` called as `fn(u8) -> u16` is that of these types.
                let mut subst = Subst::new();
                let mut pairs = taken.iter().zip(inputs).chain([(&function.output, output)]);
                let is_of_type = |(own, called): (&Ty, &Ty)| {
                    fits == Fits::Type && !is_undecided(called) && subst.unify(own, called)
                };
                if !pairs.all(is_of_type) {
                    subst = Subst::new();
                }
                let subst = completed_by(&program.generics_in_scope(id), &subst, made_elsewhere);
                self.instance(id, &subst);
            }
        }
    }

    /// Whether the operand is what a parameter is at the call, or a copy of it.
    pub(super) fn is_argument(&self, operand: &Operand) -> bool {
        let (Operand::Copy(place) | Operand::Move(place), Some(body)) = (operand, self.body) else {
            return false;
        };
        let assigned = |local: LocalId| {
            let statements = body.blocks.iter().flat_map(|block| &block.statements);
            let of_statements = statements.filter_map(move |statement| match &statement.kind {
                StatementKind::Assign(to, value) if to.local == local => Some(Some(value)),
                // What is lent may be written by others.
                StatementKind::Assign(_, Rvalue::Ref(_, lent) | Rvalue::RawPtr(_, lent))
                    if lent.local == local =>
                {
                    Some(None)
                }
                StatementKind::SetDiscriminant(to, _) if to.local == local => Some(None),
                _ => None,
            });
            let by_calls = body.blocks.iter().filter_map(move |block| match &block.terminator.kind {
                TerminatorKind::Call { destination, .. } if destination.local == local => Some(None),
                _ => None,
            });
            of_statements.chain(by_calls)
        };
        let is_param = |local: LocalId| (1..=body.arg_count).contains(&local.index());
        let is_given = |local: LocalId| is_param(local) && assigned(local).next().is_none();
        let is_copy = |value: Option<&Rvalue>| match value {
            Some(Rvalue::Use(Operand::Copy(from) | Operand::Move(from))) => {
                from.projection.is_empty() && is_given(from.local)
            }
            _ => false,
        };
        place.projection.is_empty()
            && (is_given(place.local) || (!is_param(place.local) && assigned(place.local).all(is_copy)))
    }
}
