//! Where places are, what is read of them and written to them.

use super::*;

/// Where a place is.
pub(super) enum Location {
    Local(LocalId, Vec<Step>),
    Slot(SlotId, Vec<Step>),
    Value(Number, Vec<Step>),
    Memory(Number, Vec<Step>),
}

impl Side<'_, '_> {
    pub(super) fn resolve(&mut self, place: &Place) -> Result<Location, Obstacle> {
        let mut location = match self.code.slots.get(&place.local) {
            Some(slot) => Location::Slot(*slot, Vec::new()),
            None => Location::Local(place.local, Vec::new()),
        };
        let mut ty = Some(self.code.body.locals[place.local].ty.clone());
        for step in &place.projection {
            match step {
                Projection::Deref => {
                    let is_pointer = ty.as_ref().is_some_and(|ty| {
                        matches!(ty.kind(), TyKind::Ref(..)) || ty.known() == Some(KnownType::Box)
                    });
                    if !is_pointer {
                        return Err(Obstacle::Unfollowed(Unfollowed::RawPointer));
                    }
                    let pointer = self.read(&location)?;
                    location = self.behind(pointer)?;
                }
                other => {
                    let is_union = ty.as_ref().is_some_and(|ty| is_union(self.code.program, ty));
                    if is_union {
                        return Err(Obstacle::Unfollowed(Unfollowed::Union));
                    }
                    let step = self.step(other)?;
                    match &mut location {
                        Location::Local(_, path)
                        | Location::Slot(_, path)
                        | Location::Value(_, path)
                        | Location::Memory(_, path) => path.push(step),
                    }
                }
            }
            ty = ty.and_then(|ty| self.code.step_ty(&ty, step));
        }
        Ok(location)
    }

    pub(super) fn step(&mut self, projection: &Projection) -> Result<Step, Obstacle> {
        Ok(match projection {
            Projection::Field(field, _) => Step::Field(*field),
            Projection::Downcast(variant) => Step::Variant(VariantName::of(variant)),
            Projection::Index(local) => Step::Index(self.read_place(&Place::from(*local))?),
            Projection::ConstantIndex { offset, from } => Step::At { offset: *offset, from: *from },
            Projection::Subslice { from, to, end } => Step::Subslice { from: *from, to: *to, end: *end },
            Projection::Deref => return Err(Obstacle::Malformed),
        })
    }

    /// What a pointer leads to.
    pub(super) fn behind(&mut self, pointer: Number) -> Result<Location, Obstacle> {
        let is_hidden = !self.numbers.slots_in(pointer).is_empty();
        match self.numbers.node(pointer) {
            Node::Reference(value) => Ok(Location::Value(*value, Vec::new())),
            Node::SlotAddress(slot, path) => Ok(Location::Slot(*slot, path.clone())),
            Node::Interior(of, path) => Ok(Location::Memory(*of, path.clone())),
            // An array as a slice is the same memory.
            Node::Apply(operator, operands)
                if matches!(&**operator, Operator::Cast { kind: CastKind::Unsize, to, .. }
                    if to.pointee().is_some_and(|ty| matches!(ty.kind(), TyKind::Slice(_)))) =>
            {
                let of = operands[0];
                self.behind(of)
            }
            _ if is_hidden => Err(Obstacle::Unfollowed(Unfollowed::HiddenPointer)),
            _ => Ok(Location::Memory(pointer, Vec::new())),
        }
    }

    pub(super) fn read(&mut self, location: &Location) -> Result<Number, Obstacle> {
        Ok(match location {
            Location::Local(local, path) => self.numbers.parts(self.state.locals[*local], path),
            Location::Slot(slot, path) => self.numbers.parts(self.state.slots[slot], path),
            Location::Value(value, path) => self.numbers.parts(*value, path),
            Location::Memory(pointer, path) => {
                let whole = self.load(*pointer);
                self.numbers.parts(whole, path)
            }
        })
    }

    pub(super) fn load(&mut self, pointer: Number) -> Number {
        let memory = (!self.is_frozen(pointer)).then_some(self.state.memory);
        if let Some(memory) = memory
            && let Node::After(effect, operands) = self.numbers.node(memory)
            && let (Effect::Store, [_, written, value, ..]) = (&**effect, operands.as_slice())
            && *written == pointer
        {
            return *value;
        }
        self.numbers.of(Node::Load { memory, pointer })
    }

    /// Whether nobody can write what is behind the pointer as long as the function runs.
    pub(super) fn is_frozen(&self, pointer: Number) -> bool {
        match self.numbers.node(pointer) {
            Node::Argument(index) => self.code.is_frozen[*index],
            Node::Const(constant) => !matches!(constant, Const::StaticRef(_)),
            Node::Computed(_) | Node::Load { memory: None, .. } => true,
            Node::Part(of, _) | Node::Interior(of, _) => self.is_frozen(*of),
            Node::Apply(operator, operands) => {
                let leads_on = matches!(
                    **operator,
                    Operator::Cast { kind: CastKind::Unsize | CastKind::Subtype, .. } | Operator::Contents
                );
                leads_on && self.is_frozen(operands[0])
            }
            _ => false,
        }
    }

    pub(super) fn read_place(&mut self, place: &Place) -> Result<Number, Obstacle> {
        let location = self.resolve(place)?;
        let value = self.read(&location)?;
        Ok(self.typed(value, self.code.place_ty(place).as_ref()))
    }

    pub(super) fn assign(&mut self, place: &Place, value: Number) -> Result<(), Obstacle> {
        match self.resolve(place)? {
            Location::Local(local, path) => {
                self.state.locals[local] = self.numbers.with(self.state.locals[local], &path, value);
            }
            Location::Slot(slot, path) => {
                let content = self.numbers.with(self.state.slots[&slot], &path, value);
                self.state.slots.insert(slot, content);
            }
            Location::Value(..) => return Err(Obstacle::Unfollowed(Unfollowed::WriteThroughShared)),
            Location::Memory(pointer, path) => {
                if self.is_frozen(pointer) {
                    return Err(Obstacle::Unfollowed(Unfollowed::WriteThroughShared));
                }
                let before = self.load(pointer);
                let value = self.numbers.with(before, &path, value);
                self.store(pointer, value);
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, pointer: Number, value: Number) {
        self.escape(&[value]);
        let memory = self.state.memory;
        let contents: Vec<Number> = self.state.escaped.iter().map(|slot| self.state.slots[slot]).collect();
        // Two writes to one place, with nothing between them, are the second.
        let before = match self.numbers.node(memory) {
            Node::After(effect, operands)
                if **effect == Effect::Store
                    && contents.is_empty()
                    && operands.len() == 3
                    && operands[1] == pointer =>
            {
                operands[0]
            }
            _ => memory,
        };
        let operands = [before, pointer, value].into_iter().chain(contents).collect();
        let memory = self.numbers.of(Node::After(Box::new(Effect::Store), operands));
        self.set_memory(memory);
    }

    pub(super) fn interior(&mut self, pointer: Number, path: Vec<Step>) -> Number {
        match path.is_empty() {
            true => pointer,
            false => self.numbers.of(Node::Interior(pointer, path)),
        }
    }

    pub(super) fn address(&mut self, mutability: Mutability, place: &Place) -> Result<Number, Obstacle> {
        if let Some((Projection::Deref, rest)) = place.projection.split_last() {
            // A pointer that is made of another one is that one, with what it knows of what it points to.
            let pointer = Place { local: place.local, projection: rest.to_vec() };
            self.resolve(place)?;
            return self.read_place(&pointer);
        }
        Ok(match self.resolve(place)? {
            Location::Slot(slot, path) => self.numbers.of(Node::SlotAddress(slot, path)),
            Location::Memory(pointer, path) => self.interior(pointer, path),
            _ if mutability == Mutability::Mut => return Err(Obstacle::Malformed),
            location => {
                let value = self.read(&location)?;
                let value = self.typed(value, self.code.place_ty(place).as_ref());
                self.numbers.of(Node::Reference(value))
            }
        })
    }
}
