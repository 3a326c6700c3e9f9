//! What blocks may write, so that an arm that was not taken marks this and nothing else.
//!
//! A call writes through what it is given, and what it is given is mostly a `&mut` made for it, to a whole value of which it
//! changes one field. So two static facts are kept. [`Aliases`]: locals that are never anything but one mutable
//! reference, so that a write through them is a write to the place they were made of. [`Effect`]: which fields behind a
//! parameter a function may write, calls included.
//!
//! Both are for *flat* types only, in which no pointer lies and no cell: whatever is done with a reference to a flat value, by whomever,
//! stays within that value. Where a reference is used for anything but reading and writing through it and handing it
//! to calls, and where it is not known what a call does, the whole value counts as written, and all that can be reached from it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::image::{BodyInfo, Image, MayDefine};
use super::resolve;
use crate::idx::Idx;
use crate::ir::{
    BinOp, Block, BlockId, BlockRole, Body, Callee, Const, FnBody, FnId, FnRef, GenericArg, KnownType,
    LocalId, Mutability, Operand, Place, Program, Projection, Rvalue, Statement, StatementKind,
    TerminatorKind, Ty, TyKind,
};

/// Types nested deeper are taken to hold pointers.
const MAX_DEPTH: usize = 6;

/// What a function may write through one of its parameters, a mutable reference to a flat value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only below these ways from the value.
    Fields(Vec<Vec<Projection>>),
    Unknown,
}

/// What each function may write through each of its parameters; none while it is being computed.
pub type Effects = FxHashMap<(FnId, usize), Option<Rc<Effect>>>;

/// For each local that is nothing but one mutable reference to a flat value: the place it refers to.
#[derive(Debug, Default)]
pub struct Aliases {
    places: FxHashMap<LocalId, Place>,
    /// Parameters that are such references, to places of the caller.
    parameters: FxHashSet<LocalId>,
}

impl Aliases {
    pub fn of(program: &Program, body: &Body) -> Aliases {
        let mut places: FxHashMap<LocalId, Place> = FxHashMap::default();
        for statement in statements(body) {
            if let StatementKind::Assign(to, Rvalue::Ref(Mutability::Mut, of)) = &statement.kind
                && to.projection.is_empty()
                && to.local.index() > body.arg_count
                && refers_to_flat(program, &body.locals[to.local].ty)
            {
                places.insert(to.local, of.clone());
            }
        }
        let uses = Uses::of(body);
        let is_tame = |local: &LocalId, times| {
            uses.assigned.get(local).copied().unwrap_or(0) == times && !uses.escaping.contains(local)
        };
        let is_parameter = |local: &LocalId| (1..=body.arg_count).contains(&local.index());
        places.retain(|local, of| {
            let mut steps = of.projection.iter();
            // The place must stay where it is: a pointer on the way to it could be given another target meanwhile.
            let stays = match steps.next() {
                Some(Projection::Deref) if is_parameter(&of.local) => is_tame(&of.local, 0),
                Some(Projection::Deref) => is_tame(&of.local, 1),
                _ => true,
            };
            is_tame(local, 1) && stays && !steps.any(|step| matches!(step, Projection::Deref))
        });
        let parameters = (1..=body.arg_count)
            .map(LocalId::from_usize)
            .filter(|local| is_tame(local, 0) && refers_to_flat(program, &body.locals[*local].ty))
            .collect();
        Aliases { places, parameters }
    }

    fn is_alias(&self, place: &Place) -> bool {
        place.projection.is_empty() && self.places.contains_key(&place.local)
    }

    /// The locals that the places begin with for which an alias stands, one after the other.
    pub fn on_the_way(&self, alias: LocalId) -> Vec<LocalId> {
        let next = |local: &LocalId| self.places.get(local).map(|place| place.local);
        // As in `resolved`, no chain is longer.
        std::iter::successors(next(&alias), next).take(self.places.len()).collect()
    }

    /// The place without aliases on the way to it.
    fn resolved(&self, place: &Place) -> Place {
        let mut place = place.clone();
        // An alias is made of places that were there before it, so this ends; a malformed body must not make it spin.
        for _ in 0..=self.places.len() {
            match (self.places.get(&place.local), place.projection.first()) {
                (Some(of), Some(Projection::Deref)) => {
                    let rest = place.projection.split_off(1);
                    place = of.clone();
                    place.projection.extend(rest);
                }
                _ => return place,
            }
        }
        place
    }
}

/// How locals are used, as far as it matters for references.
#[derive(Default)]
struct Uses {
    assigned: FxHashMap<LocalId, u32>,
    /// Used for something else than to read and write through it or as an argument.
    escaping: FxHashSet<LocalId>,
}

impl Uses {
    fn of(body: &Body) -> Uses {
        let mut uses = Uses::default();
        for block in body.blocks.iter() {
            uses.block(block);
        }
        uses
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(to, rvalue) => {
                    self.destination(to);
                    self.rvalue(rvalue);
                }
                StatementKind::SetDiscriminant(place, _) => self.whole(place),
                StatementKind::Nop => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Call { callee, args, destination, .. } => {
                self.destination(destination);
                if let Callee::Pointer(operand) = callee {
                    self.operand(operand);
                }
                for arg in args {
                    // As an argument a bare reference is what the effects of calls are about.
                    if !matches!(arg, Operand::Copy(place) | Operand::Move(place) if place.projection.is_empty())
                    {
                        self.operand(arg);
                    }
                }
            }
            TerminatorKind::Drop { place, .. } => self.whole(place),
            TerminatorKind::SwitchInt { discr, .. } => self.operand(discr),
            TerminatorKind::Assert { condition, .. } => self.operand(condition),
            _ => {}
        }
    }

    fn destination(&mut self, place: &Place) {
        if place.projection.is_empty() {
            *self.assigned.entry(place.local).or_insert(0) += 1;
        } else {
            self.whole(place);
        }
    }

    /// A place that begins with a dereference is used as a reference is meant to be.
    fn whole(&mut self, place: &Place) {
        if !matches!(place.projection.first(), Some(Projection::Deref)) {
            self.escaping.insert(place.local);
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if let Operand::Copy(place) | Operand::Move(place) = operand {
            self.whole(place);
        }
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            Rvalue::Use(a)
            | Rvalue::Repeat(a, _)
            | Rvalue::Unary(_, a)
            | Rvalue::Cast(_, a, _)
            | Rvalue::PtrMetadata(a) => self.operand(a),
            Rvalue::Ref(_, of) | Rvalue::RawPtr(_, of) | Rvalue::Discriminant(of) | Rvalue::Len(of) => {
                self.whole(of);
            }
            Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => {
                self.operand(a);
                self.operand(b);
            }
            Rvalue::FatPtr { pointer, metadata, .. } => {
                self.operand(pointer);
                self.operand(metadata);
            }
            Rvalue::Aggregate(_, operands) => operands.iter().for_each(|operand| self.operand(operand)),
            Rvalue::SizeOf(_) | Rvalue::AlignOf(_) => {}
        }
    }
}

/// What these blocks may write.
pub fn of_blocks(image: &Image<'_>, info: &BodyInfo, body: &Body, blocks: &[BlockId]) -> MayDefine {
    let mut writes = Writes { image, aliases: &info.aliases, body, defined: MayDefine::default() };
    for block in blocks {
        writes.block(&body.blocks[*block]);
    }
    writes.defined
}

struct Writes<'w, 'p> {
    image: &'w Image<'p>,
    aliases: &'w Aliases,
    body: &'w Body,
    defined: MayDefine,
}

impl Writes<'_, '_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(place, rvalue) => {
                    self.written(place);
                    let is_known =
                        matches!(rvalue, Rvalue::Ref(Mutability::Mut, _)) && self.aliases.is_alias(place);
                    if !is_known {
                        self.rvalue(rvalue);
                    }
                }
                StatementKind::SetDiscriminant(place, _) => self.written(place),
                StatementKind::Nop => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Call { callee, args, destination, .. } => {
                self.defined.statics = true;
                self.written(destination);
                for (index, arg) in args.iter().enumerate() {
                    self.argument(callee, args.len(), index, arg);
                }
                if let Callee::Pointer(operand) = callee {
                    self.operand(operand);
                }
            }
            TerminatorKind::Drop { place, .. } => {
                self.defined.statics = true;
                self.defined.reachable_from.push(self.aliases.resolved(place));
            }
            _ => {}
        }
    }

    fn written(&mut self, place: &Place) {
        let place = self.aliases.resolved(place);
        let index = place.projection.iter().position(is_index);
        if let Some(index) = index
            && place.projection[index..].contains(&Projection::Deref)
        {
            // Through one of several pointers, on another run through another.
            let pointers = Place { local: place.local, projection: place.projection[..index].to_vec() };
            self.defined.reachable_from.push(pointers);
        }
        self.defined.places.push(place);
    }

    fn argument(&mut self, callee: &Callee, count: usize, index: usize, arg: &Operand) {
        let (Operand::Copy(place) | Operand::Move(place)) = arg else { return self.operand(arg) };
        let is_parameter = place.projection.is_empty() && self.aliases.parameters.contains(&place.local);
        if !is_parameter && !self.aliases.is_alias(place) {
            return self.operand(arg);
        }
        let mut behind = place.clone();
        behind.projection.push(Projection::Deref);
        let behind = self.aliases.resolved(&behind);
        match &*effect_of_call(self.image, callee, count, index) {
            Effect::Fields(ways) => self.defined.places.extend(ways.iter().map(|way| {
                let mut field = behind.clone();
                field.projection.extend(way.iter().cloned());
                field
            })),
            Effect::Unknown => {
                self.defined.places.push(behind.clone());
                self.defined.reachable_from.push(behind);
                self.operand(arg);
            }
        }
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            // A `*const T` may be cast to `*mut T`.
            Rvalue::Ref(Mutability::Mut, place) | Rvalue::RawPtr(_, place) => {
                let place = self.aliases.resolved(place);
                self.defined.places.push(place.clone());
                self.defined.reachable_from.push(place);
            }
            Rvalue::Use(operand) | Rvalue::Cast(_, operand, _) | Rvalue::Repeat(operand, _) => {
                self.operand(operand);
            }
            Rvalue::Aggregate(_, operands) => operands.iter().for_each(|operand| self.operand(operand)),
            Rvalue::FatPtr { pointer, .. } | Rvalue::Binary(BinOp::Offset, pointer, _) => {
                self.operand(pointer);
            }
            Rvalue::Ref(Mutability::Shared, place) => {
                self.defined.shared.push(self.aliases.resolved(place));
            }
            // These read scalars.
            Rvalue::Binary(..)
            | Rvalue::CheckedBinary(..)
            | Rvalue::Unary(..)
            | Rvalue::Discriminant(_)
            | Rvalue::Len(_)
            | Rvalue::PtrMetadata(_)
            | Rvalue::SizeOf(_)
            | Rvalue::AlignOf(_) => {}
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if let Operand::Const(Const::StaticRef(_)) = operand {
            self.defined.statics = true;
        }
        if let Operand::Copy(place) | Operand::Move(place) = operand
            && may_hold_mutable_pointer(&self.body.locals[place.local].ty)
        {
            self.defined.reachable_from.push(self.aliases.resolved(place));
        }
    }
}

/// What a call may write through one of its arguments.
fn effect_of_call(image: &Image<'_>, callee: &Callee, count: usize, index: usize) -> Rc<Effect> {
    let unknown = || Rc::new(Effect::Unknown);
    // Which body a trait's method has depends on types that may still be open.
    let Callee::Fn(fn_ref @ (FnRef::Free { .. } | FnRef::Inherent { .. })) = callee else { return unknown() };
    let Some(resolved) = resolve::resolve(image.program, fn_ref) else { return unknown() };
    let function = resolved.function;
    match &image.program.functions[function].body {
        FnBody::Present(body) if body.arg_count == count => effect(image, function, body, index),
        _ => unknown(),
    }
}

fn effect(image: &Image<'_>, function: FnId, body: &Body, index: usize) -> Rc<Effect> {
    let key = (function, index);
    match image.effects.borrow().get(&key) {
        Some(Some(known)) => return known.clone(),
        // Recursion.
        Some(None) => return Rc::new(Effect::Unknown),
        None => {}
    }
    image.effects.borrow_mut().insert(key, None);
    let found = Rc::new(compute_effect(image, function, body, index));
    image.effects.borrow_mut().insert(key, Some(found.clone()));
    found
}

fn compute_effect(image: &Image<'_>, function: FnId, body: &Body, index: usize) -> Effect {
    let program = image.program;
    let parameter = LocalId::from_usize(index + 1);
    let info = image.info(function, body);
    // What comes back must not lead back to what was handed in.
    let is_known = program.generics_in_scope(function).is_empty()
        && info.aliases.parameters.contains(&parameter)
        && is_flat(program, &program.functions[function].output, 0);
    if !is_known {
        return Effect::Unknown;
    }
    let normal: Vec<BlockId> = body
        .blocks
        .iter_enumerated()
        .filter(|(_, block)| block.role == BlockRole::Normal)
        .map(|(block, _)| block)
        .collect();
    let defined = of_blocks(image, &info, body, &normal);
    let mut ways: Vec<Vec<Projection>> = Vec::new();
    for place in defined.places.iter().chain(&defined.reachable_from) {
        if place.local != parameter {
            continue;
        }
        match place.projection.split_first() {
            Some((Projection::Deref, rest)) => {
                // Indices are locals of the callee, and variants may be others: what is around them counts.
                let fields = rest.iter().take_while(|step| matches!(step, Projection::Field(..)));
                let way: Vec<Projection> = fields.cloned().collect();
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
            // The parameter itself was handed on.
            _ => return Effect::Unknown,
        }
    }
    Effect::Fields(ways)
}

fn is_index(step: &Projection) -> bool {
    matches!(step, Projection::Index(_) | Projection::ConstantIndex { .. } | Projection::Subslice { .. })
}

fn statements(body: &Body) -> impl Iterator<Item = &Statement> {
    body.blocks.iter().flat_map(|block| &block.statements)
}

fn refers_to_flat(program: &Program, ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => is_flat(program, pointee, 0),
        _ => false,
    }
}

/// Whether no pointer lies in values of the type, and nothing that is written through shared references.
fn is_flat(program: &Program, ty: &Ty, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) => true,
        TyKind::Tuple(tys) => tys.iter().all(|ty| is_flat(program, ty, depth + 1)),
        TyKind::Array(elem, _) => is_flat(program, elem, depth + 1),
        TyKind::Adt(path, args) => {
            let Some(adt) = program.adt(path) else { return false };
            // Those of the standard library are models, whose fields need not tell what they hold.
            let is_modelled =
                path.is_of_std() && !matches!(path.known_type(), Some(KnownType::Option | KnownType::Result));
            let flat_args = args.iter().all(|arg| match arg {
                GenericArg::Ty(ty) => is_flat(program, ty, depth + 1),
                GenericArg::Const(_) => true,
            });
            !is_modelled
                && flat_args
                && (0..adt.variants.len()).all(|variant| {
                    adt.field_types(variant, args).iter().all(|ty| is_flat(program, ty, depth + 1))
                })
        }
        _ => false,
    }
}

fn may_hold_mutable_pointer(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str
        | TyKind::Never
        | TyKind::FnDef(_)
        | TyKind::FnPtr { .. } => false,
        TyKind::Tuple(tys) => tys.iter().any(may_hold_mutable_pointer),
        TyKind::Array(ty, _) | TyKind::Slice(ty) => may_hold_mutable_pointer(ty),
        TyKind::Ref(..)
        | TyKind::RawPtr(..)
        | TyKind::Adt(..)
        | TyKind::Param(_)
        | TyKind::Projection { .. }
        | TyKind::Closure(..)
        | TyKind::Dyn(_)
        | TyKind::Unsupported(_) => true,
    }
}
