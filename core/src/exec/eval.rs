//! Places, operands, constants and rvalues.

use std::rc::Rc;

use super::cells;
use super::layout;
use super::machine::Machine;
use super::memory::{Location, Mark, Obstacle, add_mark};
use super::pointer::Arithmetic;
use super::resolve;
use super::run::Stop;
use super::slice::SliceId;
use super::std_abstractions;
use super::tree::{AllocId, Pointer, Scalar, ScalarTy, Step, Target, Tree, Window};
use crate::idx::Idx;
use crate::ir::{
    AdtKind, AggregateKind, BinOp, CastKind, Const, FnId, FnRef, FunctionKind, GenericArg, IntTy, KnownType,
    LocalId, Mutability, Operand, Owner, Path, Place, Projection, Rvalue, SequenceEnd, Subst, Ty, TyKind,
    UnOp, VariantRef,
};
use crate::verdict::unsupported::{
    ItemKind, OnNumbers, OpaqueConstant, PointerUse, TypeQuestion, Unsupported, Use,
};

impl<'p> Machine<'_, 'p, '_> {
    /// The type with the frame's parameters replaced and projections rewritten.
    pub(super) fn close_ty(&self, ty: &Ty) -> Ty {
        let subst = &self.frame().subst;
        if subst.is_empty() && !matches!(ty.kind(), TyKind::Projection { .. } | TyKind::Adt(..)) {
            return ty.clone();
        }
        resolve::normalize(self.image.program, &subst.ty(ty))
    }

    pub(super) fn close_fn_ref(&self, fn_ref: &FnRef) -> FnRef {
        let program = self.image.program;
        let closed = self.frame().subst.fn_ref(fn_ref);
        closed.map(
            &mut |ty| match ty.kind() {
                TyKind::Projection { .. } => resolve::normalize(program, &ty),
                _ => ty,
            },
            &mut |constant| constant,
        )
    }

    /// Turns an access with an obstacle into one without, at the price of a branch.
    fn overcome(&mut self, location: &mut Location, obstacle: Obstacle) -> Result<(), Stop> {
        match obstacle {
            Obstacle::Stop(stop) => Err(stop),
            Obstacle::Concretize(step) => {
                if let Some(Step::Index(index)) = location.path.get(step).copied() {
                    // What is read is marked with the index, and so is the sequence that is written to.
                    location.path[step] = Step::Index(self.settle(index));
                    return Ok(());
                }
                Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::NotConcrete)))
            }
        }
    }

    pub(super) fn read(&mut self, mut location: Location) -> Result<Tree, Stop> {
        if let Some(window) = &mut location.window {
            window.start = self.settle(window.start);
            window.len = self.settle(window.len);
        }
        loop {
            match self.memory.read(self.run, &location) {
                Ok(tree) => return Ok(tree),
                Err(obstacle) => self.overcome(&mut location, obstacle)?,
            }
        }
    }

    pub(super) fn write(&mut self, mut location: Location, value: Tree) -> Result<(), Stop> {
        // Where branches chose the pointer, what it would point to otherwise is written on other runs.
        self.depend_on(location.mark());
        // A pointer overwritten in an arm stays on runs that go another way, and what it refers to may be written there.
        let here = Mark { slice: self.control, chosen: self.open };
        if self.control != SliceId::empty() {
            let overwritten = match self.memory.read(self.run, &location) {
                Ok(tree) => tree,
                Err(_) => self.memory.allocs[location.alloc].clone(),
            };
            self.memory.taint_reachable(self.run, &overwritten, here);
        }
        let value = add_mark(self.run, value, here);
        loop {
            match self.memory.write(self.run, &location, value.clone()) {
                Ok(()) => return Ok(()),
                Err(obstacle) => self.overcome(&mut location, obstacle)?,
            }
        }
    }

    pub(super) fn assign(&mut self, place: &Place, value: Tree) -> Result<(), Stop> {
        let location = self.locate(place)?;
        if location.mutability == Mutability::Shared && !place.projection.is_empty() {
            return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::WriteThroughShared)));
        }
        self.write(location, value)
    }

    pub(super) fn read_place(&mut self, place: &Place) -> Result<Tree, Stop> {
        if place.projection.is_empty() {
            return Ok(self.memory.allocs[self.local(place.local)].clone());
        }
        let location = self.locate(place)?;
        self.read(location)
    }

    fn local(&self, local: LocalId) -> AllocId {
        self.frame().locals[local.index()]
    }

    /// Resolves a place against memory.
    pub(super) fn locate(&mut self, place: &Place) -> Result<Location, Stop> {
        let mut location = Location::root(self.local(place.local));
        for projection in &place.projection {
            location = self.project(location, projection)?;
        }
        Ok(location)
    }

    fn project(&mut self, location: Location, projection: &Projection) -> Result<Location, Stop> {
        match projection {
            Projection::Deref => match self.read(location)? {
                Tree::Pointer(pointer) => self.behind(&pointer),
                other => Err(other.misused(Use::Deref)),
            },
            Projection::Field(field, _) => Ok(location.step(Step::Field(field.index()))),
            Projection::Downcast(_) => Ok(location),
            Projection::Index(local) => {
                let index = self.memory.allocs[self.local(*local)].clone();
                let index = expect_scalar(index)?;
                self.element(location, index)
            }
            Projection::ConstantIndex { offset, from } => {
                let offset = Scalar::usize(*offset as usize);
                let index = match from {
                    SequenceEnd::Front => offset,
                    SequenceEnd::Back => {
                        let len = self.length(&location)?;
                        self.run.binary(BinOp::Sub, len, offset)?
                    }
                };
                self.element(location, index)
            }
            Projection::Subslice { from, to, end } => {
                let len = self.length(&location)?;
                let start = Scalar::usize(*from as usize);
                let stop = match end {
                    SequenceEnd::Front => Scalar::usize(*to as usize),
                    SequenceEnd::Back => self.run.binary(BinOp::Sub, len, Scalar::usize(*to as usize))?,
                };
                self.subslice(location, start, stop)
            }
        }
    }

    /// Element `index` of the sequence at the location.
    pub(super) fn element(&mut self, location: Location, index: Scalar) -> Result<Location, Stop> {
        let index = self.run.window_index(location.window, index)?;
        Ok(location.step(Step::Index(index)))
    }

    /// `[start..stop]` of the sequence at the location; bounds are the caller's to check.
    pub(super) fn subslice(
        &mut self,
        location: Location,
        start: Scalar,
        stop: Scalar,
    ) -> Result<Location, Stop> {
        let len = self.run.binary(BinOp::Sub, stop, start)?;
        let start = self.run.window_index(location.window, start)?;
        Ok(Location { window: Some(Window { start, len }), ..location })
    }

    /// The length of the sequence at the location.
    pub(super) fn length(&mut self, location: &Location) -> Result<Scalar, Stop> {
        if let Some(window) = location.window {
            let mut len = window.len;
            len.slice = self.run.union(len.slice, location.slice);
            return Ok(len);
        }
        match self.read(location.clone())? {
            Tree::Seq { len, .. } => Ok(len),
            other => Err(other.misused(Use::Length)),
        }
    }

    /// Resolves a place as far as memory has it on this run, without side effects: for marking what might have been
    /// written there.
    pub(super) fn locate_softly(&mut self, place: &Place) -> Option<Location> {
        let mut location = Location::root(self.local(place.local));
        for projection in &place.projection {
            location = match projection {
                Projection::Deref => match self.memory.read(self.run, &location) {
                    Ok(Tree::Pointer(pointer)) => Location::of(&pointer),
                    _ => return None,
                },
                Projection::Field(field, _) => location.step(Step::Field(field.index())),
                Projection::Downcast(_) => location,
                // Marking goes no further than the sequence: another input may index elsewhere.
                Projection::Index(_) | Projection::ConstantIndex { .. } | Projection::Subslice { .. } => {
                    return Some(Location { window: None, ..location });
                }
            };
        }
        Some(location)
    }

    pub(super) fn operand(&mut self, operand: &Operand) -> Result<Tree, Stop> {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.read_place(place),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    pub(super) fn scalar_operand(&mut self, operand: &Operand) -> Result<Scalar, Stop> {
        expect_scalar(self.operand(operand)?)
    }

    pub(super) fn constant(&mut self, constant: &Const) -> Result<Tree, Stop> {
        Ok(match constant {
            Const::Bool(value) => Scalar::bool(*value).into(),
            Const::Char(value) => Scalar::concrete(ScalarTy::Char, u128::from(u32::from(*value))).into(),
            Const::Int(bits, ty) => Scalar::concrete(ScalarTy::Int(*ty), *bits).into(),
            Const::Float(bits, ty) => {
                Scalar::concrete(ScalarTy::Float(*ty), ty.canonical(u128::from(*bits))).into()
            }
            Const::Str(text) => self.string(text.as_bytes()),
            Const::ByteStr(bytes) => {
                let elems = byte_trees(bytes);
                self.reference_to(Tree::array(elems))
            }
            Const::Tuple(items) => Tree::tuple(self.constants(items)?),
            Const::Array(items) => Tree::array(self.constants(items)?),
            // A compiler that writes them out does so with the fields of its own library.
            Const::Adt { ty, .. } if matches!(ty.kind(), TyKind::Adt(path, _) if std_abstractions::has_own_fields(path)) =>
            {
                return Err(Stop::of_type(ty, TypeQuestion::Constant));
            }
            Const::Adt { ty, variant, fields } => {
                let fields = self.constants(fields)?;
                let variant = variant.clone().map(VariantRef::Name);
                self.adt(&self.close_ty(ty), variant.as_ref(), fields)?
            }
            Const::Ref(inner) => {
                let value = self.constant(inner)?;
                self.reference_to(value)
            }
            Const::Param(name) => match self.frame().subst.get(name).cloned() {
                Some(GenericArg::Const(value)) => self.constant(&value)?,
                _ => {
                    return Err(Stop::Unsupported(Unsupported::Constant(OpaqueConstant::Param {
                        name: name.to_string(),
                    })));
                }
            },
            Const::Fn(fn_ref) => Tree::Fn(Rc::new(self.close_fn_ref(fn_ref)), SliceId::empty()),
            Const::Item { path, args } => {
                let args = self.frame().subst.args(args);
                match self.item(path) {
                    Ok(function) => self.evaluate_item(function, &args, None)?,
                    Err(refusal) => self.value_of_all(path, &args)?.ok_or(refusal)?.into(),
                }
            }
            Const::AssocConst { trait_ref, name } => {
                let closed = self.frame().subst.trait_ref(trait_ref);
                let trait_ref = crate::ir::TraitRef {
                    self_ty: resolve::normalize(self.image.program, &closed.self_ty),
                    ..closed
                };
                let found = resolve::assoc_const(self.image.program, &trait_ref, name);
                let Some(resolve::Resolved { function, subst }) = found else {
                    return Err(Stop::OpaqueCall { callee: format!("{trait_ref}::{name}") });
                };
                self.evaluate_item(function, &[], Some(subst))?
            }
            Const::InherentConst { path, self_ty } => {
                let self_ty = self.close_ty(self_ty);
                let callee = FnRef::Inherent { path: path.clone(), self_ty, args: Vec::new() };
                match resolve::resolve(self.image.program, &callee) {
                    Some(resolved) => self.evaluate_item(resolved.function, &[], Some(resolved.subst))?,
                    None => return Err(Stop::OpaqueCall { callee: path.to_string() }),
                }
            }
            Const::StaticRef(path) => {
                let alloc = self.static_alloc(path)?;
                Tree::Pointer(Location::root(alloc).pointer(Mutability::Mut))
            }
            Const::ZeroSized(ty) => self.zero_sized(&self.close_ty(ty))?,
            Const::Uninit => Tree::Uninit,
            Const::Unsupported(text) => {
                return Err(Stop::Unsupported(Unsupported::Constant(OpaqueConstant::Text {
                    text: text.clone(),
                })));
            }
        })
    }

    fn constants(&mut self, items: &[Const]) -> Result<Vec<Tree>, Stop> {
        items.iter().map(|item| self.constant(item)).collect()
    }

    /// A pointer to a new allocation that nothing writes to.
    pub(super) fn reference_to(&mut self, value: Tree) -> Tree {
        let alloc = self.memory.allocate(value);
        Tree::Pointer(Location::root(alloc).pointer(Mutability::Shared))
    }

    /// A `&str` or `&[u8]` to these bytes.
    pub(super) fn string(&mut self, bytes: &[u8]) -> Tree {
        let alloc = self.memory.allocate(Tree::array(byte_trees(bytes)));
        let mut location = Location::root(alloc);
        location.window = Some(Window { start: Scalar::usize(0), len: Scalar::usize(bytes.len()) });
        Tree::Pointer(location.pointer(Mutability::Shared))
    }

    fn zero_sized(&mut self, ty: &Ty) -> Result<Tree, Stop> {
        match ty.kind() {
            TyKind::Tuple(tys) => {
                let fields = tys.iter().map(|ty| self.zero_sized(ty)).collect::<Result<_, _>>()?;
                Ok(Tree::tuple(fields))
            }
            TyKind::FnDef(fn_ref) => Ok(Tree::Fn(Rc::new((**fn_ref).clone()), SliceId::empty())),
            TyKind::Closure(path, args) => Ok(Tree::Closure {
                path: path.clone(),
                args: args.clone(),
                captures: Rc::default(),
                types: Rc::default(),
                slice: SliceId::empty(),
            }),
            TyKind::Adt(path, _) if self.image.program.is_ambiguous_adt(path) => {
                Err(Stop::several_of(ItemKind::Type, path))
            }
            TyKind::Adt(path, args) => {
                let field_types = match self.image.program.adt(path) {
                    Some(adt) if adt.kind == AdtKind::Struct => adt.field_types(0, args),
                    Some(_) => return Err(Stop::of_type(ty, TypeQuestion::ZeroSized)),
                    None => Vec::new(),
                };
                let fields: Vec<Tree> = field_types
                    .iter()
                    .map(|field| self.zero_sized(&resolve::normalize(self.image.program, field)))
                    .collect::<Result<_, _>>()?;
                Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
            }
            TyKind::Array(_, _) => Ok(Tree::array(Vec::new())),
            _ => Err(Stop::of_type(ty, TypeQuestion::ZeroSized)),
        }
    }

    pub(super) fn item(&self, path: &Path) -> Result<FnId, Stop> {
        match self.image.program.functions_at(path) {
            [] => Err(Stop::OpaqueCall { callee: format!("constant {path}") }),
            [only] => Ok(*only),
            // Items in different blocks of one function may share a path. Promoted constants of implementations that
            // differ in generic arguments do so too, but are known by the function they stand in.
            several => {
                let here = Owner::Within(self.frame().function);
                let mut within = several.iter().filter(|id| self.image.program.functions[**id].owner == here);
                match (within.next(), within.next()) {
                    (Some(only), None) => Ok(*only),
                    _ => Err(Stop::several_of(ItemKind::Constant, path)),
                }
            }
        }
    }

    /// The number that all constants of the path are: which of them is meant then makes no difference. None if they are not constants that stand alone, or not one number.
    fn value_of_all(&mut self, path: &Path, args: &[GenericArg]) -> Result<Option<Scalar>, Stop> {
        let program = self.image.program;
        let several = program.functions_at(path);
        let stands_alone = |id: &FnId| {
            let item = &program.functions[*id];
            item.kind == FunctionKind::Const && !matches!(item.owner, Owner::Within(_))
        };
        if !several.iter().all(stands_alone) {
            return Ok(None);
        }
        let mut common: Option<Scalar> = None;
        for id in several {
            let Tree::Scalar(value @ Scalar { term: None, .. }) = self.evaluate_item(*id, args, None)? else {
                return Ok(None);
            };
            match common {
                Some(known) if (known.ty, known.bits) != (value.ty, value.bits) => return Ok(None),
                _ => common = Some(value),
            }
        }
        Ok(common)
    }

    /// The value of a constant, computed by its body outside of all control context: it is the same on every input.
    fn evaluate_item(
        &mut self,
        function: FnId,
        args: &[GenericArg],
        subst: Option<Subst>,
    ) -> Result<Tree, Stop> {
        let item = &self.image.program.functions[function];
        if matches!(item.kind, FunctionKind::Static | FunctionKind::StaticMut) {
            let alloc = self.static_alloc(&item.path)?;
            return Ok(self.memory.allocs[alloc].clone());
        }
        let subst = match (subst, &item.owner) {
            (Some(subst), _) => subst,
            // A promoted or inline constant sees the parameters of the body it stands in.
            (None, Owner::Within(_)) => (*self.frame().subst).clone(),
            (None, _) => Subst::from_params(&item.generics, args),
        };
        let key = (function, Vec::new());
        if subst.is_empty()
            && let Some(known) = self.constants.get(&key)
        {
            return Ok(known.clone());
        }
        let cacheable = subst.is_empty();
        let value = self.outside_of_control(|machine| {
            machine.call_and_wait(resolve::Resolved { function, subst }, Vec::new())
        })?;
        if cacheable {
            self.constants.insert(key, value.clone());
        }
        Ok(value)
    }

    pub(super) fn outside_of_control<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (control, open, sticky) = (self.control, self.open, self.sticky);
        self.control = SliceId::empty();
        self.open = SliceId::empty();
        self.sticky = SliceId::empty();
        let result = run(self);
        self.control = control;
        self.open = open;
        self.sticky = sticky;
        result
    }

    /// A struct or enum value from its fields in declaration order.
    pub(super) fn adt(&self, ty: &Ty, variant: Option<&VariantRef>, fields: Vec<Tree>) -> Result<Tree, Stop> {
        let TyKind::Adt(path, _) = ty.kind() else {
            return Err(Stop::of_type(ty, TypeQuestion::Value));
        };
        if self.image.program.is_ambiguous_adt(path) {
            return Err(Stop::several_of(ItemKind::Type, path));
        }
        let fields = Rc::new(fields);
        let Some(adt) = self.image.program.adt(path) else {
            return match variant {
                None => Ok(Tree::Struct { ty: ty.clone(), fields }),
                Some(_) => Err(Stop::of_type(path, TypeQuestion::VariantOfUnknown)),
            };
        };
        match (adt.kind, variant) {
            (AdtKind::Struct, _) => Ok(Tree::Struct { ty: ty.clone(), fields }),
            (AdtKind::Union, _) => Err(Stop::of_type(path, TypeQuestion::Union)),
            (AdtKind::Enum, Some(variant)) => {
                let index = match variant {
                    VariantRef::Index(index) => *index as usize,
                    VariantRef::Name(name) => adt.variant_named(name).ok_or_else(|| {
                        Stop::of_type(path, TypeQuestion::UndeclaredVariant { name: name.to_string() })
                    })?,
                };
                Ok(Tree::Enum { ty: ty.clone(), tag: Scalar::concrete(ScalarTy::Tag, index as u128), fields })
            }
            (AdtKind::Enum, None) => Err(Stop::of_type(path, TypeQuestion::NoVariant)),
        }
    }

    pub(super) fn set_discriminant(&mut self, place: &Place, variant: u32) -> Result<(), Stop> {
        match self.read_place(place)? {
            Tree::Enum { ty, .. } => {
                let fields = match ty.kind() {
                    TyKind::Adt(path, _) => self
                        .image
                        .program
                        .adt(path)
                        .and_then(|adt| adt.variants.get(variant as usize))
                        .map_or(0, |variant| variant.fields.len()),
                    _ => 0,
                };
                let value = self.adt(&ty, Some(&VariantRef::Index(variant)), vec![Tree::Uninit; fields])?;
                self.assign(place, value)
            }
            other => Err(other.misused(Use::SetVariant)),
        }
    }

    pub(super) fn rvalue(&mut self, rvalue: &Rvalue) -> Result<Tree, Stop> {
        Ok(match rvalue {
            Rvalue::Use(operand) => self.operand(operand)?,
            Rvalue::Ref(mutability, place) => {
                let location = self.locate(place)?;
                Tree::Pointer(location.pointer(*mutability))
            }
            Rvalue::RawPtr(_, place) => {
                // A `*const T` can be cast to `*mut T`: what may be written is decided by the place.
                let location = self.locate(place)?;
                let mutability = location.mutability;
                Tree::Pointer(location.pointer(mutability))
            }
            Rvalue::Repeat(operand, count) => {
                let value = self.operand(operand)?;
                let count = self.constant(count)?;
                let count = expect_scalar(count)?.as_usize();
                if count > 1 << 16 {
                    return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::ArrayOf {
                        count: count as u64,
                    })));
                }
                Tree::array(vec![value; count])
            }
            Rvalue::Binary(BinOp::Cmp, a, b) => {
                let (a, b) = (self.scalar_operand(a)?, self.scalar_operand(b)?);
                self.three_way(a, b)?
            }
            Rvalue::Binary(op, a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                match (a, b) {
                    (Tree::Scalar(a), Tree::Scalar(b)) => self.run.binary(*op, a, b)?.into(),
                    (pointer, Tree::Scalar(delta)) if *op == BinOp::Offset => {
                        self.offset(&pointer, delta, Arithmetic::InBounds)?
                    }
                    (a @ (Tree::Pointer(_) | Tree::Address(_)), b) => {
                        self.compare_pointers(*op, &a, &b)?.into()
                    }
                    // `()` compared in generic code; pointers are not ordered here.
                    (a, _) => return Err(a.misused(Use::Operator(*op))),
                }
            }
            Rvalue::CheckedBinary(op, a, b) => {
                let (a, b) = (self.scalar_operand(a)?, self.scalar_operand(b)?);
                let (value, overflowed) = self.run.checked_binary(*op, a, b)?;
                Tree::tuple(vec![value.into(), overflowed.into()])
            }
            Rvalue::Unary(op, operand) => {
                let value = self.scalar_operand(operand)?;
                self.run.unary(*op, value)?.into()
            }
            Rvalue::Cast(kind, operand, ty) => {
                let value = self.operand(operand)?;
                let ty = self.close_ty(ty);
                match value {
                    Tree::Pointer(pointer) => {
                        let from = self.operand_ty(operand);
                        self.cast_of_pointer(*kind, pointer, from.as_ref(), &ty)?
                    }
                    Tree::Struct { ty: from, fields }
                        if *kind == CastKind::Unsize && cells::is_counted(&from) =>
                    {
                        self.unsize_counted(&from, &fields, &ty)?
                    }
                    value => self.cast(*kind, value, &ty)?,
                }
            }
            Rvalue::Discriminant(place) => {
                let value = self.read_place(place)?;
                self.discriminant(&value)?.into()
            }
            Rvalue::Len(place) => {
                let location = self.locate(place)?;
                self.length(&location)?.into()
            }
            Rvalue::PtrMetadata(operand) => match self.operand(operand)? {
                Tree::Pointer(pointer) => self.length(&Location::of(&pointer))?.into(),
                other => return Err(other.misused(Use::Metadata)),
            },
            Rvalue::FatPtr { pointer, metadata, .. } => {
                let (pointer, len) = (self.operand(pointer)?, self.scalar_operand(metadata)?);
                match pointer {
                    Tree::Pointer(pointer) => fat_pointer(pointer, len)?,
                    other => {
                        return Err(other.misused(Use::FatPointer));
                    }
                }
            }
            Rvalue::Aggregate(kind, operands) => {
                let fields =
                    operands.iter().map(|operand| self.operand(operand)).collect::<Result<Vec<_>, _>>()?;
                match kind {
                    AggregateKind::Tuple => Tree::tuple(fields),
                    AggregateKind::Array => Tree::array(fields),
                    AggregateKind::Adt { ty, variant } => {
                        self.adt(&self.close_ty(ty), variant.as_ref(), fields)?
                    }
                    AggregateKind::Closure { path, args } => {
                        let args = if args.is_empty() {
                            self.own_generic_args()
                        } else {
                            self.frame().subst.args(args)
                        };
                        let types = operands.iter().map(|operand| self.operand_ty(operand)).collect();
                        Tree::Closure {
                            path: path.clone(),
                            args,
                            captures: Rc::new(fields),
                            types: Rc::new(types),
                            slice: SliceId::empty(),
                        }
                    }
                }
            }
            Rvalue::SizeOf(ty) => Scalar::usize(self.size_of(&self.close_ty(ty))?).into(),
            Rvalue::AlignOf(ty) => Scalar::usize(self.align_of(&self.close_ty(ty))?).into(),
        })
    }

    /// The arguments of the current body's generic parameters: what a closure made here has in scope.
    fn own_generic_args(&self) -> Vec<GenericArg> {
        let params = self.image.program.generics_in_scope(self.frame().function);
        params.iter().filter_map(|param| self.frame().subst.get(&param.name).cloned()).collect()
    }

    /// An `Ordering` whose tag is a term: no branch is needed to compare.
    pub(super) fn three_way(&mut self, a: Scalar, b: Scalar) -> Result<Tree, Stop> {
        let less = self.run.binary(BinOp::Lt, a, b)?;
        let equal = self.run.binary(BinOp::Eq, a, b)?;
        let tag = |index| Scalar::concrete(ScalarTy::Tag, index);
        let not_less = self.run.select(equal, tag(1), tag(2));
        let tag = self.run.select(less, tag(0), not_less);
        Ok(Tree::Enum { ty: Ty::adt(KnownType::Ordering, Vec::new()), tag, fields: Rc::default() })
    }

    /// The discriminant value of an enum, as a leaf of the enum's discriminant type.
    pub(super) fn discriminant(&mut self, value: &Tree) -> Result<Scalar, Stop> {
        let Tree::Enum { ty, tag, .. } = value else {
            return Err(value.misused(Use::Discriminant));
        };
        let TyKind::Adt(path, _) = ty.kind() else { unreachable!("enums have ADT types") };
        let adt = self
            .image
            .program
            .adt(path)
            .ok_or_else(|| Stop::of_type(path, TypeQuestion::DiscriminantOfUnknown))?;
        let int = ScalarTy::Int(adt.discriminant_ty);
        let identity =
            adt.variants.iter().enumerate().all(|(index, variant)| variant.discriminant == index as i128);
        if identity || tag.term.is_none() {
            if tag.term.is_some() {
                return Ok(self.run.int_to_int(*tag, int));
            }
            let bits = adt.variants.get(tag.as_usize()).map_or(0, |variant| variant.discriminant as u128);
            return Ok(Scalar { slice: tag.slice, ..Scalar::concrete(int, bits) });
        }
        let value_of = |index: usize| Scalar::concrete(int, adt.variants[index].discriminant as u128);
        let mut result = value_of(adt.variants.len() - 1);
        for index in (0..adt.variants.len() - 1).rev() {
            let here = self.run.equals_const(*tag, index as u128);
            result = self.run.select(here, value_of(index), result);
        }
        Ok(result)
    }

    /// The size of types whose layout is certain.
    pub(super) fn size_of(&self, ty: &Ty) -> Result<usize, Stop> {
        match layout::layout(self.image.program, ty) {
            Some(layout) => Ok(layout.size as usize),
            None => Err(Stop::of_type(ty, TypeQuestion::Size)),
        }
    }

    pub(super) fn align_of(&self, ty: &Ty) -> Result<usize, Stop> {
        match layout::layout(self.image.program, ty) {
            Some(layout) => Ok(layout.align as usize),
            None => Err(Stop::of_type(ty, TypeQuestion::Alignment)),
        }
    }

    pub(super) fn unary_scalar(&mut self, op: UnOp, value: Scalar) -> Result<Scalar, Stop> {
        self.run.unary(op, value)
    }
}

pub(super) fn fat_pointer(pointer: Pointer, len: Scalar) -> Result<Tree, Stop> {
    let window = match pointer.target.window {
        Some(window) => Window { len, ..window },
        None => Window { start: Scalar::usize(0), len },
    };
    Ok(Tree::Pointer(Pointer { target: Target { window: Some(window), ..pointer.target }, ..pointer }))
}

/// The leaf type of a scalar type.
pub fn scalar_ty(ty: &Ty) -> Option<ScalarTy> {
    match ty.kind() {
        TyKind::Bool => Some(ScalarTy::Bool),
        TyKind::Char => Some(ScalarTy::Char),
        TyKind::Int(int) => Some(ScalarTy::Int(*int)),
        TyKind::Float(float) => Some(ScalarTy::Float(*float)),
        _ => None,
    }
}

pub(super) fn expect_scalar(tree: Tree) -> Result<Scalar, Stop> {
    match tree {
        Tree::Scalar(scalar) => Ok(scalar),
        other => Err(other.misused(Use::Number)),
    }
}

fn byte_trees(bytes: &[u8]) -> Vec<Tree> {
    bytes.iter().map(|byte| Scalar::concrete(ScalarTy::Int(IntTy::U8), u128::from(*byte)).into()).collect()
}
