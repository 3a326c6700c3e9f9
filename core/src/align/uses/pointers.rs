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
//! *Limits.* What stands behind a generic parameter is told where it is known at which types functions run. A pointer to memory in which there is a pointer to a function
//! counts as made where a type says so, not where it is an address.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::collect::{Code, Collector};
use super::instance::{CALLS, around};
use super::{Fields, Items, is_comparison, is_formatting};
use crate::align::types::{each_ty, holds, may_be_passed_as, may_match};
use crate::idx::Idx as _;
use crate::ir::*;

/// Types of the standard library that look at memory as a type of the caller's choice.
const VIEWS: [&str; 2] = ["std::ptr::NonNull", "std::mem::MaybeUninit"];

/// By what something may be called.
#[derive(Debug)]
pub(super) enum Callable {
    Signature {
        inputs: Vec<Ty>,
        output: Ty,
    },
    /// A type parameter that may stand for something that is called.
    Param,
}

/// How the type of a function has to fit that of a pointer by which it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fits {
    Type,
    /// What is passed is passed in the same way.
    Abi,
}

impl Items<'_> {
    /// All closures, and all functions that are named without being called.
    pub(super) fn kept_as_values(&self) -> &[FnId] {
        self.kept_as_values.get_or_init(|| {
            let program = self.program;
            let of_program =
                program.functions.iter_enumerated().filter(|(_, item)| item.origin != Origin::StdModel);
            let mut found = BTreeSet::new();
            for (id, function) in of_program {
                if function.kind == FunctionKind::Closure {
                    found.insert(id);
                }
                let FnBody::Present(body) = &function.body else { continue };
                for fn_ref in values_of_functions(body) {
                    match fn_ref {
                        FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => {
                            found.extend(program.functions_at(path));
                        }
                        FnRef::Trait { trait_ref, method, .. } => {
                            let impls = program.impls_of(&trait_ref.path).iter();
                            found.extend(impls.filter_map(|id| program.impls[*id].methods.get(method)));
                            let item = program.trait_(&trait_ref.path);
                            found.extend(item.and_then(|item| item.default_methods.get(method)));
                        }
                    }
                }
            }
            found.into_iter().collect()
        })
    }
}

/// Whether a type in it may stand for another, or is not understood.
fn is_undecided(ty: &Ty) -> bool {
    holds(ty, &|part| matches!(part, TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_)))
}

/// The pointers to functions, and the objects that are called, that are parts of a type.
fn callables_in(ty: &Ty) -> Vec<Callable> {
    let mut found = Vec::new();
    ty.each_part(&mut |part| match part.kind() {
        TyKind::FnPtr { inputs, output } => {
            found.push(Callable::Signature { inputs: inputs.clone(), output: output.clone() });
        }
        TyKind::Dyn(bounds) => found.extend(bounds.iter().filter_map(callable_object)),
        _ => {}
    });
    found
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
    Some(Callable::Signature { inputs: inputs.clone(), output: output.unwrap_or_else(Ty::unit) })
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
    /// A pointer to a function may be to any of which there are pointers.
    pub(super) fn any_function(&mut self) {
        for id in self.items.kept_as_values() {
            self.instance(*id, &Subst::new());
        }
    }

    /// What is called by a pointer to a function is any of the type of which there are pointers; of a type that is not known, any that takes as many arguments.
    pub(super) fn called_by_pointer(&mut self, pointer: Option<&Ty>, args: &[Operand]) {
        let pointer = pointer.map(|ty| self.closed(ty));
        match pointer.as_ref().map(Ty::kind) {
            Some(TyKind::FnPtr { inputs, output }) => self.called_as(inputs, output, Fits::Type),
            _ => {
                let anything = Ty::new(TyKind::Param(Name::new("_")));
                self.called_as(&vec![anything.clone(); args.len()], &anything, Fits::Type);
            }
        }
    }

    /// What is called by pointers to functions in a type, or in its fields, a value of which is made of something else: any function that may be called as one of these types.
    pub(super) fn called_by_made_pointers(&mut self, ty: &Ty) {
        let pointers: RefCell<Vec<Callable>> = RefCell::default();
        let note = |part: &TyKind| {
            if let TyKind::FnPtr { inputs, output } = part {
                let pointer = Callable::Signature { inputs: inputs.clone(), output: output.clone() };
                pointers.borrow_mut().push(pointer);
            }
            false
        };
        self.items.holds_within([&self.closed(ty)], Fields::OfProgram, &note);
        self.called_as_any_of(&pointers.into_inner(), Fits::Abi);
    }

    /// The same of what a call gives that may look at memory as another type.
    pub(super) fn made_by_call(&mut self, callee: &FnRef, result: &Ty) {
        if self.code == Code::Model {
            return;
        }
        let result = self.closed(result);
        let is_memory = |part: &TyKind| match part {
            TyKind::RawPtr(..) => true,
            TyKind::Adt(path, _) => VIEWS.contains(&path.as_str()),
            _ => false,
        };
        let copies_memory =
            matches!(callee, FnRef::Free { path, .. } if path.as_str() == "std::mem::transmute_copy");
        if copies_memory || holds(&result, &is_memory) {
            self.called_by_made_pointers(&result);
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
            if is_undecided(&field) && self.is_called_by_bound(declared) {
                self.read_from_fields.push(Callable::Param);
            }
        }
    }

    /// Whether a bound says that a parameter in the type is something that is called, and what stands for it is not a caller's choice alone: an implementation may be reached
    /// by an object that another function made.
    fn is_called_by_bound(&self, ty: &Ty) -> bool {
        let Some(id) = self.function else { return false };
        let program = self.items.program;
        let is_choice_of_caller =
            self.at.is_some() && !matches!(program.functions[id].owner, Owner::TraitImpl(_));
        let is_such = |bound: &Bound| {
            CALLS.contains(&bound.trait_ref.path.as_str())
                && holds(ty, &|part| part == bound.trait_ref.self_ty.kind())
        };
        !is_choice_of_caller && around(program, id).any(|function| function.bounds.iter().any(is_such))
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
                self.called_by_made_pointers(ty);
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
                Callable::Signature { inputs, output } => self.called_as(inputs, output, fits),
                Callable::Param => self.any_function(),
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

    fn called_as(&mut self, inputs: &[Ty], output: &Ty, fits: Fits) {
        let program = self.items.program;
        for id in self.items.kept_as_values() {
            let function = &program.functions[*id];
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
                self.instance(*id, &subst);
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
