//! Calls: panics, intrinsics, closures, resolved bodies; and drop glue.

use std::rc::Rc;

use super::builtins;
use super::intrinsics::{self, Intrinsic};
use super::layout;
use super::machine::{Frame, Machine};
use super::memory::{Location, Mark};
use super::overrides::Caller;
use super::resolve::{self, Destructor, Resolved};
use super::run::Stop;
use super::tree::{Scalar, ScalarTy, SeenAs, Step, Tree};
use crate::idx::Idx;
use crate::ir::stand_ins;
use crate::ir::{
    AdtKind, BlockId, Callee, FnRef, GenericArg, KnownTrait, KnownType, Mutability, Operand, Origin, Place,
    Projection, Span, Subst, TraitRef, Ty, TyKind, VariantRef,
};
use crate::value::PanicKind;
use crate::verdict::unsupported::{CallTrouble, Dropped, ItemKind, Unsupported, Use};

/// What is called.
pub enum Target {
    Named(FnRef),
    /// A function pointer or closure.
    Value(Tree),
}

impl<'p> Machine<'_, 'p, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        args: &[Operand],
        destination: &Place,
        target: Option<BlockId>,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let callee = self.resolve_callee(callee)?;
        let args = args.iter().map(|arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
        match callee {
            Target::Named(fn_ref) => self.call_named(&fn_ref, args, destination, target, span),
            Target::Value(value) => self.call_value(value, args, destination, target, span),
        }
    }

    fn call_named(
        &mut self,
        fn_ref: &FnRef,
        args: Vec<Tree>,
        destination: &Place,
        target: Option<BlockId>,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        match builtins::classify(fn_ref) {
            Some(Intrinsic::Panic(kind)) => return Err(self.panic(kind, &args, span)),
            Some(intrinsic) => {
                if let Some(value) = intrinsics::evaluate(self, &intrinsic, fn_ref, &args)? {
                    self.assign(destination, value)?;
                    return match target {
                        Some(target) => self.go_to(target),
                        None => Err(Stop::of_call(fn_ref, CallTrouble::Returned)),
                    };
                }
            }
            None => {}
        }
        if let FnRef::Trait { trait_ref, method, .. } = fn_ref
            && trait_ref.path.known_trait().is_some_and(KnownTrait::is_call)
        {
            let mut args = args.into_iter();
            let (Some(callable), Some(packed)) = (args.next(), args.next()) else {
                return Err(Stop::of_call(method, CallTrouble::NoArguments));
            };
            let args = packed.children().to_vec();
            if trait_ref.path == KnownTrait::FnOnce
                && let Some(closure) = self.lent_and_dropped(&callable, &trait_ref.self_ty)?
            {
                return self.call_and_drop(closure, args, destination, target);
            }
            return match is_one_function(&trait_ref.self_ty) {
                true => self.invoke(callable, args, destination, target, span),
                false => self.call_value(callable, args, destination, target, span),
            };
        }
        if let Some(resolved) = resolve::resolve(self.image.program, fn_ref) {
            self.check_overrides(fn_ref, &resolved)?;
            return self.push_frame(resolved, args, Some((destination.clone(), target)));
        }
        if let Some((fn_ref, resolved)) = self.resolve_by_receiver(fn_ref, &args) {
            self.check_overrides(&fn_ref, &resolved)?;
            return self.push_frame(resolved, args, Some((destination.clone(), target)));
        }
        match (self.image.program.constructed_by(fn_ref), target) {
            (Some((ty, variant)), Some(target)) => {
                let variant = variant.map(VariantRef::Name);
                let value = self.adt(&ty, variant.as_ref(), args)?;
                self.assign(destination, value)?;
                self.go_to(target)
            }
            _ => Err(Stop::OpaqueCall { callee: fn_ref.to_string() }),
        }
    }

    /// Stops where the library may call what its model does not.
    fn check_overrides(&self, fn_ref: &FnRef, resolved: &Resolved) -> Result<(), Stop> {
        let FnRef::Trait { trait_ref, method, .. } = fn_ref else { return Ok(()) };
        let program = self.image.program;
        let is_model = self.frames.last().is_some_and(|frame| resolve::is_model(program, frame.function));
        let caller = if is_model { Caller::Model } else { Caller::Program };
        match self.image.overrides.against(program, caller, (trait_ref, method), resolved) {
            Some(written) => Err(Stop::Unsupported(written)),
            None => Ok(()),
        }
    }

    /// Calls a function pointer or `dyn Fn`: which function that is may have been decided by branches.
    fn call_value(
        &mut self,
        callable: Tree,
        args: Vec<Tree>,
        destination: &Place,
        target: Option<BlockId>,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let chosen_by = match &callable {
            Tree::Fn(_, slice) | Tree::Closure { slice, .. } => Mark::data(*slice),
            Tree::Pointer(pointer) => Location::of(pointer).mark(),
            _ => Mark::default(),
        };
        // With another callee everything may go otherwise, what is written and whether it comes back included.
        self.depend_on(chosen_by);
        self.invoke(callable, args, destination, target, span)
    }

    /// Calls a function pointer, a function item or a closure (by value or behind a reference).
    fn invoke(
        &mut self,
        callable: Tree,
        args: Vec<Tree>,
        destination: &Place,
        target: Option<BlockId>,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        match &callable {
            Tree::Fn(fn_ref, _) => self.call_named(&fn_ref.clone(), args, destination, target, span),
            Tree::Struct { ty, .. } if stand_ins::as_function(ty).is_some() => {
                let answer = stand_ins::answer(ty.clone());
                let alloc = self.memory.allocate(callable);
                let receiver = Tree::Pointer(Location::root(alloc).pointer(Mutability::Shared));
                let looked_at = |arg| match arg {
                    Tree::Pointer(pointer) => {
                        Tree::Pointer(Location::of(&pointer).pointer(Mutability::Shared))
                    }
                    arg => arg,
                };
                let args = Tree::tuple(args.into_iter().map(looked_at).collect());
                self.call_named(&answer, vec![receiver, args], destination, target, span)
            }
            Tree::Closure { path, args: generic_args, .. } => {
                let resolved = self.closure_body(path, generic_args)?;
                let receiver = if self.takes_self_by_reference(&resolved) {
                    let alloc = self.memory.allocate(callable);
                    Tree::Pointer(Location::root(alloc).pointer(Mutability::Mut))
                } else {
                    callable
                };
                self.push_closure_frame(resolved, receiver, args, destination, target)
            }
            Tree::Pointer(pointer) => match self.read(Location::of(pointer))? {
                Tree::Closure { path, args: generic_args, .. } => {
                    let resolved = self.closure_body(&path, &generic_args)?;
                    let receiver = if self.takes_self_by_reference(&resolved) {
                        callable
                    } else {
                        self.read(Location::of(pointer))?
                    };
                    self.push_closure_frame(resolved, receiver, args, destination, target)
                }
                inner => self.call_value(inner, args, destination, target, span),
            },
            other => Err(other.misused(Use::Call)),
        }
    }

    /// The closure that `FnOnce` consumes, where its body is lent it: then nobody drops what it captures but who calls. None where there is nothing to drop.
    fn lent_and_dropped(&mut self, callable: &Tree, self_ty: &Ty) -> Result<Option<Location>, Stop> {
        let (place, value) = match callable {
            Tree::Closure { .. } => (None, callable.clone()),
            // What is behind a reference is its owner's to drop.
            Tree::Pointer(pointer) if self_ty.known() == Some(KnownType::Box) => {
                self.depend_on(Location::of(pointer).mark());
                let location = Location { seen_as: SeenAs::Declared, ..Location::of(pointer) };
                let value = self.read(location.clone())?;
                (Some(location), value)
            }
            _ => return Ok(None),
        };
        if let (Tree::Pointer(_), Some(pointee)) = (&value, self_ty.pointee()) {
            return self.lent_and_dropped(&value, &pointee.clone());
        }
        let Tree::Closure { path, args, captures, types, .. } = &value else { return Ok(None) };
        let program = self.image.program;
        let may_be_dropped = captures.iter().zip(types.iter()).any(|(capture, ty)| match ty {
            Some(ty) => resolve::needs_drop(program, ty),
            None => !matches!(capture, Tree::Scalar(_) | Tree::Fn(..)),
        });
        if !may_be_dropped || !self.takes_self_by_reference(&self.closure_body(path, args)?) {
            return Ok(None);
        }
        Ok(Some(place.unwrap_or_else(|| Location::root(self.memory.allocate(value)))))
    }

    /// Calls a closure that lies there, and drops it.
    fn call_and_drop(
        &mut self,
        closure: Location,
        args: Vec<Tree>,
        destination: &Place,
        target: Option<BlockId>,
    ) -> Result<(), Stop> {
        let Tree::Closure { path, args: generic_args, .. } = self.read(closure.clone())? else {
            return Err(Stop::Unsupported(Unsupported::Drop(Dropped::UnknownCapture)));
        };
        let resolved = self.closure_body(&path, &generic_args)?;
        let receiver = Tree::Pointer(closure.clone().pointer(Mutability::Mut));
        let result = self.call_and_wait(resolved, std::iter::once(receiver).chain(args).collect())?;
        self.drop_at(&Ty::new(TyKind::Closure(path.clone(), generic_args)), closure)?;
        self.assign(destination, result)?;
        match target {
            Some(target) => self.go_to(target),
            None => Err(Stop::of_call(&path, CallTrouble::Returned)),
        }
    }

    fn push_closure_frame(
        &mut self,
        resolved: Resolved,
        receiver: Tree,
        args: Vec<Tree>,
        destination: &Place,
        target: Option<BlockId>,
    ) -> Result<(), Stop> {
        let args = std::iter::once(receiver).chain(args).collect();
        self.push_frame(resolved, args, Some((destination.clone(), target)))
    }

    fn closure_body(&self, path: &crate::ir::Path, args: &[GenericArg]) -> Result<Resolved, Stop> {
        let program = self.image.program;
        let function = match program.functions_at(path) {
            [] => return Err(Stop::OpaqueCall { callee: format!("closure {path}") }),
            [only] => *only,
            _ => return Err(Stop::several_of(ItemKind::Closure, path)),
        };
        let subst = Subst::from_params(&program.generics_in_scope(function), args);
        Ok(Resolved { function, subst })
    }

    /// Whether the first argument is the receiver. One that is called otherwise says nothing of `Self`.
    fn takes_self(&self, resolved: &Resolved) -> bool {
        let body = self.image.body(resolved.function);
        let first = body.and_then(|body| Some(&body.locals[body.args().next()?]));
        first.and_then(|local| local.name.as_ref()).is_some_and(|name| *name == "self")
    }

    fn takes_self_by_reference(&self, resolved: &Resolved) -> bool {
        let first = self.image.program.functions[resolved.function].inputs.first();
        let first = first.cloned().or_else(|| {
            let body = self.image.body(resolved.function)?;
            body.args().next().map(|local| body.locals[local].ty.clone())
        });
        first.is_some_and(|ty| matches!(ty.kind(), TyKind::Ref(..)))
    }

    /// Resolves a method by the type that its receiver has on this run: `dyn Trait`, and projections that the front end
    /// left open.
    fn resolve_by_receiver(&mut self, fn_ref: &FnRef, args: &[Tree]) -> Option<(FnRef, Resolved)> {
        let FnRef::Trait { trait_ref, method, args: method_args } = fn_ref else { return None };
        let is_object = match trait_ref.self_ty.kind() {
            TyKind::Dyn(bounds) if self.image.program.is_trait_of_object(bounds, &trait_ref.path) => true,
            TyKind::Projection { .. } | TyKind::Param(_) => false,
            _ => return None,
        };
        let receiver = args.first()?;
        let self_ty = match receiver {
            Tree::Pointer(pointer) => {
                self.depend_on(Location::of(pointer).mark());
                match &pointer.target.seen_as {
                    SeenAs::Dyn(ty) => ty.clone(),
                    SeenAs::Foreign(_) => return None,
                    SeenAs::Declared => {
                        let receiver = self.memory.read(self.run, &Location::of(pointer)).ok()?;
                        type_of(&receiver)?
                    }
                }
            }
            other => type_of(other)?,
        };
        let trait_ref = TraitRef { self_ty, ..trait_ref.clone() };
        let closed = FnRef::Trait { trait_ref, method: method.clone(), args: method_args.clone() };
        let resolved = resolve::resolve(self.image.program, &closed)?;
        let is_reference = matches!(receiver, Tree::Pointer(_));
        let is_receiver =
            || self.takes_self(&resolved) && self.takes_self_by_reference(&resolved) == is_reference;
        (is_object || is_receiver()).then_some((closed, resolved))
    }

    fn panic(&mut self, kind: Option<PanicKind>, args: &[Tree], span: Option<Span>) -> Stop {
        let message = args.first().and_then(|arg| self.text(arg));
        let said =
            kind.unwrap_or_else(|| message.as_deref().map_or(PanicKind::Explicit, PanicKind::of_message));
        // Models of the library panic in its words and for its reasons. Any other code does so by itself, whatever it says.
        let is_library =
            |frame: &Frame<'_>| self.image.program.functions[frame.function].origin == Origin::StdModel;
        let raised_by_library = self.frames.last().is_none_or(is_library);
        let kind = kind.unwrap_or(if raised_by_library { said } else { PanicKind::Explicit });
        let slice = self.context();
        Stop::Panic { kind, said, message, span, slice }
    }

    /// The text of a `&str`, or of `fmt::Arguments` made of one literal, if it is the same on every input.
    pub(super) fn text(&mut self, tree: &Tree) -> Option<String> {
        match tree {
            Tree::Struct { fields, .. } => self.text(fields.first()?),
            // The model of `fmt::Arguments` is a literal in its first variant.
            Tree::Enum { tag: Scalar { bits: 0, .. }, fields, .. } => self.text(fields.first()?),
            Tree::Pointer(pointer) => {
                let location = Location::of(pointer);
                if location.window.is_some_and(|w| w.start.term.is_some() || w.len.term.is_some()) {
                    return None;
                }
                let read = self.memory.read(self.run, &location).ok()?;
                let Tree::Seq { elems, .. } = &read else { return self.text(&read) };
                let bytes = elems.iter().map(|elem| match elem {
                    Tree::Scalar(Scalar { bits, term: None, .. }) => u8::try_from(*bits).ok(),
                    _ => None,
                });
                String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
            }
            _ => None,
        }
    }

    /// Runs the drop glue of the place's type.
    pub(super) fn drop_place(&mut self, place: &Place) -> Result<(), Stop> {
        let Some(ty) = self.place_ty(place) else {
            return Err(Stop::Unsupported(Unsupported::Drop(Dropped::PlaceOfUnknownType)));
        };
        if !resolve::needs_drop(self.image.program, &ty) {
            return Ok(());
        }
        let location = self.locate(place)?;
        self.drop_at(&ty, location)
    }

    pub(super) fn drop_at(&mut self, ty: &Ty, location: Location) -> Result<(), Stop> {
        let program = self.image.program;
        if !resolve::needs_drop(program, ty) {
            return Ok(());
        }
        if layout::wrapped(ty).is_some() {
            return Ok(());
        }
        match resolve::destructor(program, ty) {
            Destructor::None => {}
            Destructor::Runs(method) => {
                let receiver = Tree::Pointer(location.clone().pointer(Mutability::Mut));
                self.call_and_wait(method, vec![receiver])?;
            }
            Destructor::Absent => {
                return Err(Stop::Unsupported(Unsupported::Drop(Dropped::NoDestructor {
                    ty: ty.to_string(),
                })));
            }
        }
        match ty.kind() {
            TyKind::Tuple(tys) => {
                for (index, ty) in tys.iter().enumerate() {
                    self.drop_at(ty, location.clone().step(Step::Field(index)))?;
                }
                Ok(())
            }
            TyKind::Array(elem, _) | TyKind::Slice(elem) => self.drop_elements(elem, location),
            TyKind::Adt(path, _) if path == KnownType::Box => {
                let pointee = ty.pointee().cloned();
                match (self.read(location)?, pointee) {
                    (Tree::Pointer(pointer), Some(pointee)) => {
                        self.depend_on(Location::of(&pointer).mark());
                        self.drop_at(&pointee, Location::of(&pointer))
                    }
                    _ => Err(Stop::Unsupported(Unsupported::Drop(Dropped::BoxOfNone))),
                }
            }
            TyKind::Adt(path, args) if path == KnownType::Vec => match args.first() {
                Some(GenericArg::Ty(elem)) => self.drop_elements(elem, location),
                _ => Err(Stop::Unsupported(Unsupported::Drop(Dropped::VectorOfUnknownType))),
            },
            TyKind::Adt(path, args) => {
                let Some(adt) = program.adt(path) else {
                    return Err(Stop::OpaqueCall { callee: format!("drop of {path}") });
                };
                let variant = match adt.kind {
                    AdtKind::Struct => 0,
                    AdtKind::Union => return Ok(()),
                    AdtKind::Enum => match self.read(location.clone())? {
                        Tree::Enum { tag, .. } => {
                            let droppable = (0..adt.variants.len()).any(|variant| {
                                adt.field_types(variant, args)
                                    .iter()
                                    .any(|ty| resolve::needs_drop(program, ty))
                            });
                            if !droppable {
                                return Ok(());
                            }
                            self.concretize(tag)?.as_usize()
                        }
                        _ => {
                            return Err(Stop::Unsupported(Unsupported::Drop(Dropped::NotA {
                                ty: path.to_string(),
                            })));
                        }
                    },
                };
                for (index, ty) in adt.field_types(variant, args).iter().enumerate() {
                    let ty = resolve::normalize(program, ty);
                    self.drop_at(&ty, location.clone().step(Step::Field(index)))?;
                }
                Ok(())
            }
            TyKind::Closure(..) => match self.read(location.clone())? {
                Tree::Closure { captures, types, .. } => {
                    for (index, capture) in captures.iter().enumerate() {
                        match types.get(index).cloned().flatten() {
                            Some(ty) => self.drop_at(&ty, location.clone().step(Step::Field(index)))?,
                            None if matches!(capture, Tree::Scalar(_) | Tree::Fn(..)) => {}
                            None => {
                                return Err(Stop::Unsupported(Unsupported::Drop(Dropped::UnknownCapture)));
                            }
                        }
                    }
                    Ok(())
                }
                other => Err(other.misused(Use::DropOfClosure)),
            },
            TyKind::Dyn(_) => match location.seen_as.clone() {
                SeenAs::Dyn(real) => self.drop_at(&real, Location { seen_as: SeenAs::Declared, ..location }),
                _ => Err(Stop::Unsupported(Unsupported::Drop(Dropped::UnknownDyn { ty: ty.to_string() }))),
            },
            _ => Err(Stop::Unsupported(Unsupported::Drop(Dropped::OfType { ty: ty.to_string() }))),
        }
    }

    fn drop_elements(&mut self, elem: &Ty, location: Location) -> Result<(), Stop> {
        let len = self.length(&location)?;
        let len = self.concretize(len)?;
        for index in 0..len.as_usize() {
            let element = self.element(location.clone(), Scalar::usize(index))?;
            self.drop_at(elem, element)?;
        }
        Ok(())
    }

    /// The closed type of a place, from declarations.
    pub(super) fn place_ty(&self, place: &Place) -> Option<Ty> {
        let frame = self.frame();
        let mut ty = self.close_ty(&frame.body.locals[place.local].ty);
        for projection in &place.projection {
            ty = match projection {
                Projection::Deref => ty.pointee()?.clone(),
                Projection::Field(_, Some(field)) => self.close_ty(field),
                Projection::Field(index, None) => match ty.kind() {
                    TyKind::Tuple(tys) => tys.get(index.index())?.clone(),
                    TyKind::Adt(path, args) => {
                        let adt = self.image.program.adt(path)?;
                        adt.field_types(0, args).get(index.index())?.clone()
                    }
                    _ => return None,
                },
                Projection::Downcast(_) | Projection::Subslice { .. } => ty,
                Projection::Index(_) | Projection::ConstantIndex { .. } => match ty.kind() {
                    TyKind::Array(elem, _) | TyKind::Slice(elem) => elem.clone(),
                    _ => return None,
                },
            };
        }
        Some(ty)
    }
}

/// Whether all values of a callable type are one function, whatever they capture.
fn is_one_function(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Closure(..) | TyKind::FnDef(_) => true,
        TyKind::Ref(_, inner) => is_one_function(inner),
        _ => false,
    }
}

/// The type of a value, as far as the value tells.
fn type_of(tree: &Tree) -> Option<Ty> {
    match tree {
        Tree::Struct { ty, .. } | Tree::Enum { ty, .. } => Some(ty.clone()),
        Tree::Closure { path, args, .. } => Some(Ty::new(TyKind::Closure(path.clone(), args.clone()))),
        Tree::Fn(fn_ref, _) => Some(Ty::new(TyKind::FnDef(Box::new(Rc::unwrap_or_clone(fn_ref.clone()))))),
        Tree::Tuple(fields) => {
            Some(Ty::new(TyKind::Tuple(fields.iter().map(type_of).collect::<Option<Vec<_>>>()?)))
        }
        Tree::Scalar(scalar) => Some(Ty::new(match scalar.ty {
            ScalarTy::Bool => TyKind::Bool,
            ScalarTy::Char => TyKind::Char,
            ScalarTy::Int(ty) => TyKind::Int(ty),
            ScalarTy::Float(ty) => TyKind::Float(ty),
            ScalarTy::Tag => return None,
        })),
        Tree::Uninit | Tree::Pointer(_) | Tree::Address(_) | Tree::Seq { .. } => None,
    }
}
