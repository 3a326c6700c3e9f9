//! Values: operands, constants, operations.

use super::*;

/// An array of so many equal items is one of as many items.
const MOST_REPEATED: u128 = 16;

impl Side<'_, '_> {
    pub(super) fn typed(&mut self, value: Number, ty: Option<&Ty>) -> Number {
        if ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Tuple(tys) if tys.is_empty())) {
            return self.numbers.of(Node::Aggregate(Box::new(AggregateKind::Tuple), Vec::new()));
        }
        self.numbers.typed(value, ty.and_then(scalar_of))
    }

    pub(super) fn operand_ty(&self, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.code.place_ty(place),
            Operand::Const(constant) => Some(Ty::new(match constant {
                Const::Bool(_) => TyKind::Bool,
                Const::Char(_) => TyKind::Char,
                Const::Int(_, ty) => TyKind::Int(*ty),
                Const::Float(_, ty) => TyKind::Float(*ty),
                Const::Item { path, .. } => {
                    return self
                        .code
                        .constants
                        .get(path)
                        .map(|code| code.body.locals[LocalId::return_place()].ty.clone());
                }
                _ => return None,
            })),
        }
    }

    pub(super) fn operand(&mut self, operand: &Operand, ty: Option<ScalarTy>) -> Result<Number, Obstacle> {
        let value = match operand {
            Operand::Copy(place) | Operand::Move(place) => self.read_place(place)?,
            Operand::Const(constant) => self.constant(constant)?,
        };
        Ok(self.numbers.typed(value, ty))
    }

    pub(super) fn constant(&mut self, constant: &Const) -> Result<Number, Obstacle> {
        let pool = &mut self.numbers.pool;
        let term = match constant {
            Const::Bool(value) => pool.bool_const(*value),
            Const::Char(value) => pool.bv_const(u128::from(u32::from(*value)), 32),
            Const::Int(bits, ty) => pool.bv_const(*bits, ty.bits() as u16),
            Const::Float(bits, ty) if ty.is_nan(u128::from(*bits)) => match self.code.floats {
                Floats::ToTheBit => return Ok(self.numbers.of(Node::Const(constant.clone()))),
                Floats::UpToNan => pool.bv_const(ty.nan(), ty.bits()),
            },
            Const::Float(bits, ty) => pool.bv_const(u128::from(*bits), ty.bits()),
            Const::Uninit => return Ok(self.numbers.of(Node::Uninit)),
            Const::Item { path, .. } if path.as_str().starts_with(OWN) => {
                if let Some(value) = self.code.constants.get(path).and_then(|code| self.value_of(code)) {
                    return Ok(value);
                }
                let body = self.computed(path)?;
                return Ok(self.numbers.of(Node::Computed(Box::new(body))));
            }
            Const::Item { path, .. } => {
                let value = self.code.constants.get(path).and_then(|code| self.value_of(code));
                let value = value.filter(|value| self.numbers.constant(*value).is_some());
                return Ok(value.unwrap_or_else(|| self.numbers.of(Node::Const(constant.clone()))));
            }
            Const::Unsupported(_) => return Err(Obstacle::Unfollowed(Unfollowed::Constant)),
            other => return Ok(self.numbers.of(Node::Const(other.clone()))),
        };
        Ok(self.numbers.term(term))
    }

    /// What the body of a constant gives, if it only computes, on one path.
    fn value_of(&mut self, code: &Code<'_>) -> Option<Number> {
        let state = State::at_entry(code, self.numbers).ok()?;
        let Stop::End(End::Returned(value)) = state.stop else { return None };
        let is_alone = state.memory == self.numbers.of(Node::Memory);
        (is_alone && self.numbers.slots_in(value).is_empty()).then_some(value)
    }

    /// What a promoted or inline constant of the function computes: it is known by its body, as their numbers differ between versions.
    pub(super) fn computed(&self, path: &Path) -> Result<Body, Obstacle> {
        let Code { program, function, renames, .. } = self.code;
        let root = canonical::root_of(program, *function);
        let rest = path.as_str().strip_prefix(OWN).unwrap_or_default();
        let own = Path::new(format!("{}{rest}", program.functions[root].path));
        let [id] = program.functions_at(&own) else {
            return Err(Obstacle::Unfollowed(Unfollowed::Constant));
        };
        let body =
            CanonicalBody::of(program, *id, renames).ok_or(Obstacle::Unfollowed(Unfollowed::Constant))?;
        if !body.undetermined().is_empty() || body.names_own() {
            return Err(Obstacle::Unfollowed(Unfollowed::Constant));
        }
        Ok(body.body().clone())
    }

    pub(super) fn apply(&mut self, operator: Operator, operands: Vec<Number>) -> Number {
        self.numbers.of(Node::Apply(Box::new(operator), operands))
    }

    pub(super) fn rvalue(&mut self, value: &Rvalue, ty: Option<&Ty>) -> Result<Number, Obstacle> {
        Ok(match value {
            Rvalue::Use(operand) => self.operand(operand, ty.and_then(scalar_of))?,
            Rvalue::Ref(mutability, place) | Rvalue::RawPtr(mutability, place) => {
                self.address(*mutability, place)?
            }
            Rvalue::Repeat(operand, count) => {
                let operand = self.operand(operand, None)?;
                match count {
                    Const::Int(count, _) if *count <= MOST_REPEATED => {
                        let items = std::iter::repeat_n(operand, *count as usize).collect();
                        self.numbers.of(Node::Aggregate(Box::new(AggregateKind::Array), items))
                    }
                    _ => self.apply(Operator::Repeat(count.clone()), vec![operand]),
                }
            }
            Rvalue::Binary(op, a, b) => self.binary(*op, a, b)?,
            Rvalue::CheckedBinary(op, a, b) => self.checked(*op, a, b)?,
            Rvalue::Unary(op, a) => self.unary(*op, a)?,
            Rvalue::Cast(kind, a, to) => self.cast(*kind, a, to)?,
            Rvalue::Discriminant(place) => {
                let of = self.read_place(place)?;
                match (self.known_discriminant(of), ty.and_then(scalar_of)) {
                    (Some(value), Some(ty)) => {
                        let term = self.numbers.pool.bv_const(ty.truncate(value as u128), ty.bits() as u16);
                        self.numbers.term(term)
                    }
                    _ => self.apply(Operator::Discriminant, vec![of]),
                }
            }
            Rvalue::Len(place) => match place.projection.split_last() {
                Some((Projection::Deref, rest)) => {
                    let pointer = Place { local: place.local, projection: rest.to_vec() };
                    let pointer = self.read_place(&pointer)?;
                    self.apply(Operator::Metadata, vec![pointer])
                }
                _ => {
                    let of = self.read_place(place)?;
                    self.apply(Operator::Length, vec![of])
                }
            },
            Rvalue::PtrMetadata(pointer) => {
                let pointer = self.operand(pointer, None)?;
                self.apply(Operator::Metadata, vec![pointer])
            }
            Rvalue::FatPtr { pointer, metadata, ty } => {
                let operands = vec![self.operand(pointer, None)?, self.operand(metadata, None)?];
                self.apply(Operator::FatPointer(ty.clone()), operands)
            }
            Rvalue::Aggregate(kind, operands) => {
                if let AggregateKind::Adt { ty, .. } = kind
                    && is_union(self.code.program, ty)
                {
                    return Err(Obstacle::Unfollowed(Unfollowed::Union));
                }
                let operands =
                    operands.iter().map(|operand| self.operand(operand, None)).collect::<Result<_, _>>()?;
                self.numbers.of(Node::Aggregate(Box::new(kind.clone()), operands))
            }
            Rvalue::SizeOf(ty) => self.apply(Operator::SizeOf(ty.clone()), Vec::new()),
            Rvalue::AlignOf(ty) => self.apply(Operator::AlignOf(ty.clone()), Vec::new()),
        })
    }

    pub(super) fn known_discriminant(&self, of: Number) -> Option<i128> {
        let Node::Aggregate(kind, _) = self.numbers.node(of) else { return None };
        let AggregateKind::Adt { ty, variant: Some(variant) } = &**kind else { return None };
        let TyKind::Adt(path, _) = ty.kind() else { return None };
        let adt = self.code.program.adt(path).filter(|_| !self.code.program.is_ambiguous_adt(path))?;
        let index = match variant {
            VariantRef::Name(name) => adt.variant_named(name)?,
            VariantRef::Index(index) => *index as usize,
        };
        Some(adt.variants.get(index)?.discriminant)
    }

    /// Both operands with the type of scalars that they have; none if they have none.
    pub(super) fn scalars(
        &mut self,
        a: &Operand,
        b: &Operand,
    ) -> Result<Option<(ScalarTy, TermId, TermId)>, Obstacle> {
        let found = self.operand_ty(a).or_else(|| self.operand_ty(b));
        let Some(ty) = found.and_then(|ty| scalar_of(&ty)) else { return Ok(None) };
        let (x, y) = (self.operand(a, Some(ty))?, self.operand(b, Some(ty))?);
        let (x, y) = (self.numbers.as_term(x, ty.sort()), self.numbers.as_term(y, ty.sort()));
        Ok(x.zip(y).map(|(x, y)| (ty, x, y)))
    }

    pub(super) fn binary(&mut self, op: BinOp, a: &Operand, b: &Operand) -> Result<Number, Obstacle> {
        let term = match op {
            BinOp::Shl | BinOp::Shr => {
                let scalar = |ty: Option<Ty>| ty.and_then(|ty| scalar_of(&ty)).ok_or(Obstacle::UnknownType);
                let (ty, by) = (scalar(self.operand_ty(a))?, scalar(self.operand_ty(b))?);
                let (x, y) = (self.operand(a, Some(ty))?, self.operand(b, Some(by))?);
                let x = self.numbers.as_term(x, ty.sort()).ok_or(Obstacle::Malformed)?;
                let y = self.numbers.as_term(y, by.sort()).ok_or(Obstacle::Malformed)?;
                let pool = &mut self.numbers.pool;
                let y = terms::shift_amount(pool, ty, by, y);
                Some(terms::binary(pool, op, ty, x, y))
            }
            BinOp::Cmp | BinOp::Offset => None,
            _ => match self.scalars(a, b)? {
                Some((ScalarTy::Float(ty), x, y)) => {
                    let pool = &mut self.numbers.pool;
                    match (terms::float_operation(op), self.code.floats) {
                        (Some(op), Floats::UpToNan) => Some(pool.float(op, ty, &[x, y])),
                        // Which NaN comes out of it depends on the order of operands.
                        (Some(_), Floats::ToTheBit) => None,
                        (None, _) => terms::float_comparison(pool, op, ty, x, y),
                    }
                }
                Some((ty, x, y)) => Some(terms::binary(&mut self.numbers.pool, op, ty, x, y)),
                None => None,
            },
        };
        if let Some(term) = term {
            return Ok(self.numbers.term(term));
        }
        let scalars = [a, b].map(|operand| self.operand_ty(operand).and_then(|ty| scalar_of(&ty)));
        if scalars.iter().all(Option::is_none) {
            return Err(Obstacle::Unfollowed(Unfollowed::ComparedAddresses));
        }
        let operands = vec![self.operand(a, None)?, self.operand(b, None)?];
        let [ty, other] = scalars;
        Ok(self.apply(Operator::Binary(op, ty.or(other)), operands))
    }

    pub(super) fn checked(&mut self, op: BinOp, a: &Operand, b: &Operand) -> Result<Number, Obstacle> {
        let Some((ty, x, y)) = self.scalars(a, b)? else { return Err(Obstacle::UnknownType) };
        let pool = &mut self.numbers.pool;
        let Some(overflows) = terms::overflow(pool, op, ty, x, y) else { return Err(Obstacle::Malformed) };
        let value = terms::binary(pool, op, ty, x, y);
        let operands = vec![self.numbers.term(value), self.numbers.term(overflows)];
        Ok(self.numbers.of(Node::Aggregate(Box::new(AggregateKind::Tuple), operands)))
    }

    pub(super) fn unary(&mut self, op: UnOp, a: &Operand) -> Result<Number, Obstacle> {
        let ty = self.operand_ty(a).and_then(|ty| scalar_of(&ty));
        let x = self.operand(a, ty)?;
        let term = ty.and_then(|ty| Some((ty, self.numbers.as_term(x, ty.sort())?)));
        let pool = &mut self.numbers.pool;
        let term = match (term, op) {
            (Some((ScalarTy::Float(ty), x)), UnOp::Neg) if self.code.floats == Floats::UpToNan => {
                pool.float_neg(ty, x)
            }
            (Some((ScalarTy::Float(_), _)), _) | (None, _) => {
                return Ok(self.apply(Operator::Unary(op, ty), vec![x]));
            }
            (Some((ty, x)), _) => terms::unary(pool, op, ty, x),
        };
        Ok(self.numbers.term(term))
    }

    pub(super) fn cast(&mut self, kind: CastKind, a: &Operand, to: &Ty) -> Result<Number, Obstacle> {
        let from_ty = self.operand_ty(a);
        let from = from_ty.as_ref().and_then(scalar_of);
        let x = self.operand(a, from)?;
        let scalars = from.zip(scalar_of(to));
        let term = scalars.and_then(|(from, _)| self.numbers.as_term(x, from.sort()));
        if let (Some((from, to)), Some(x)) = (scalars, term) {
            let pool = &mut self.numbers.pool;
            let term = match (kind, from, to) {
                (CastKind::IntToInt, _, _) => Some(terms::int_to_int(pool, from, to, x)),
                (CastKind::FloatToInt, ScalarTy::Float(from), ScalarTy::Int(to)) => {
                    Some(pool.float(FloatOp::ToInt(to.signedness(), to.bits() as u16), from, &[x]))
                }
                (CastKind::IntToFloat, ScalarTy::Int(from), ScalarTy::Float(to)) => {
                    Some(pool.float(FloatOp::FromInt(from.signedness()), to, &[x]))
                }
                (CastKind::FloatToFloat, ScalarTy::Float(from), ScalarTy::Float(to))
                    if self.code.floats == Floats::UpToNan =>
                {
                    Some(if from == to { x } else { pool.float(FloatOp::Convert, from, &[x]) })
                }
                _ => None,
            };
            if let Some(term) = term {
                return Ok(self.numbers.term(term));
            }
        }
        let tells_address = match kind {
            CastKind::ExposeProvenance | CastKind::WithExposedProvenance => true,
            CastKind::Transmute => from.is_none(),
            _ => false,
        };
        if tells_address {
            return Err(Obstacle::Unfollowed(Unfollowed::AddressAsNumber));
        }
        // What a `dyn` pointer does goes by the type that it was made of, and so does what is made of bits.
        let goes_by_type = kind == CastKind::Unsize || matches!(self.numbers.node(x), Node::Scalar(_));
        if goes_by_type && from_ty.is_none() {
            return Err(Obstacle::UnknownType);
        }
        Ok(self.apply(Operator::Cast { kind, from: from_ty, to: to.clone() }, vec![x]))
    }
}
