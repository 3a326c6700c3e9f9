//! Places: `_1`, `(*_1)`, `((_7 as Some).0: T)`, `_1[_5]`, `(*_1)[2:-2]`.

use regress_core::idx::Idx;
use regress_core::ir::{FieldId, KnownType, LocalId, Name, Place, Projection, SequenceEnd, VariantRef};

use super::cursor::{Parsed, fail};
use super::types::Parser;

impl Parser<'_, '_> {
    pub fn local(&mut self) -> Parsed<LocalId> {
        if !self.cur.looking_at("_") {
            return self.cur.unexpected("a local");
        }
        self.cur.expect("_")?;
        Ok(LocalId::from_usize(self.cur.number::<u32>()? as usize))
    }

    pub fn place(&mut self) -> Parsed<Place> {
        self.nested(Self::place_here)
    }

    fn place_here(&mut self) -> Parsed<Place> {
        let mut place = if self.cur.eat("(") {
            self.parenthesised_place()?
        } else if self.cur.looking_at("unwrap_binder!(") || self.cur.looking_at("wrap_binder!(") {
            return fail("unsafe binders are not supported");
        } else {
            Place::from(self.local()?)
        };
        while self.cur.eat("[") {
            let projection = self.index()?;
            place.projection.push(projection);
        }
        Ok(without_wrapper_fields(place))
    }

    /// After `(`: a dereference, a downcast or a field, up to the matching `)`.
    fn parenthesised_place(&mut self) -> Parsed<Place> {
        if self.cur.eat("*") {
            let mut place = self.place()?;
            self.cur.expect(")")?;
            place.projection.push(Projection::Deref);
            return Ok(place);
        }
        let mut place = self.place()?;
        if self.cur.eat(" as ") {
            let variant = if self.cur.eat("variant#") {
                VariantRef::Index(self.cur.number()?)
            } else {
                VariantRef::Name(Name::new(self.cur.expect_ident()?))
            };
            self.cur.expect(")")?;
            place.projection.push(Projection::Downcast(variant));
            return Ok(place);
        }
        self.cur.expect(".")?;
        let field = FieldId::from_usize(self.cur.number::<u32>()? as usize);
        self.cur.expect(": ")?;
        let ty = self.ty()?;
        self.cur.expect(")")?;
        place.projection.push(Projection::Field(field, Some(ty)));
        Ok(place)
    }

    /// After `[`, up to and with `]`.
    fn index(&mut self) -> Parsed<Projection> {
        if self.cur.looking_at("_") {
            let local = self.local()?;
            self.cur.expect("]")?;
            return Ok(Projection::Index(local));
        }
        let from_back = self.cur.eat("-");
        let first = match self.cur.looking_at(":") && !from_back {
            // `[:-1]`
            true => 0,
            false => self.cur.number::<u64>()?,
        };
        let projection = if self.cur.eat(" of ") {
            // The number is the least length that the pattern needs; it has been tested already.
            self.cur.number::<u64>()?;
            let from = if from_back { SequenceEnd::Back } else { SequenceEnd::Front };
            Projection::ConstantIndex { offset: first, from }
        } else if from_back {
            return self.cur.unexpected("` of `");
        } else if self.cur.eat("..") {
            let to = self.cur.number::<u64>()?;
            Projection::Subslice { from: first, to, end: SequenceEnd::Front }
        } else {
            self.cur.expect(":")?;
            let to = if self.cur.eat("-") { self.cur.number::<u64>()? } else { 0 };
            Projection::Subslice { from: first, to, end: SequenceEnd::Back }
        };
        self.cur.expect("]")?;
        Ok(projection)
    }
}

/// What `vec![a, b]` writes goes through the private fields of `MaybeUninit` and `ManuallyDrop`, which are in memory what
/// they wrap: `((((*_3).1: ManuallyDrop<A>).0: MaybeDangling<A>).0: A)` is `(*_3)`.
fn without_wrapper_fields(mut place: Place) -> Place {
    let field = |projection: &Projection, index: usize, ty: KnownType| match projection {
        Projection::Field(field, Some(of)) => field.index() == index && of.known() == Some(ty),
        _ => false,
    };
    let end = place.projection.len();
    // No other code can name the last field.
    if let [.., Projection::Deref, wrapper, dangling, Projection::Field(last, _)] =
        place.projection.as_slice()
        && last.index() == 0
        && field(wrapper, 1, KnownType::ManuallyDrop)
        && field(dangling, 0, KnownType::MaybeDangling)
    {
        place.projection.truncate(end - 3);
    }
    place
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy::U8;
    use regress_core::ir::Ty;

    use super::super::testing::with_parser;
    use super::*;

    fn check(text: &str, local: usize, projection: &[Projection]) {
        let place = with_parser(text, |parser| parser.place());
        assert_eq!(
            place,
            Ok(Place { local: LocalId::from_usize(local), projection: projection.to_vec() }),
            "{text}"
        );
    }

    fn field(index: usize) -> Projection {
        Projection::Field(FieldId::from_usize(index), Some(Ty::int(U8)))
    }

    #[test]
    fn every_form_of_place() {
        let variant = |name: &str| Projection::Downcast(VariantRef::Name(name.into()));
        let back = |offset| Projection::ConstantIndex { offset, from: SequenceEnd::Back };
        let front = |offset| Projection::ConstantIndex { offset, from: SequenceEnd::Front };
        let slice = |from, to, end| Projection::Subslice { from, to, end };
        check("_12", 12, &[]);
        check("(*_1)", 1, &[Projection::Deref]);
        check("(_1.0: u8)", 1, &[field(0)]);
        check("((_7 as Some).0: u8)", 7, &[variant("Some"), field(0)]);
        check("((*_2) as variant#3)", 2, &[Projection::Deref, Projection::Downcast(VariantRef::Index(3))]);
        check("_1[_5]", 1, &[Projection::Index(LocalId::from_usize(5))]);
        check("_1[0 of 3]", 1, &[front(0)]);
        check("(*_1)[-1 of 4]", 1, &[Projection::Deref, back(1)]);
        check("(*_1)[2:-2]", 1, &[Projection::Deref, slice(2, 2, SequenceEnd::Back)]);
        check("_1[1:]", 1, &[slice(1, 0, SequenceEnd::Back)]);
        check("_1[:-1]", 1, &[slice(0, 1, SequenceEnd::Back)]);
        check("_1[1..3]", 1, &[slice(1, 3, SequenceEnd::Front)]);
        check(
            "(*((*_1).2: u8))[_3]",
            1,
            &[Projection::Deref, field(2), Projection::Deref, Projection::Index(LocalId::from_usize(3))],
        );
    }

    #[test]
    fn damaged_places_are_refused() {
        for text in ["", "_", "(*_1", "(_1.0)", "_1[", "_1[-1]", "_99999999999", "(_1 as )", "(((((("] {
            let result = with_parser(text, |parser| {
                let place = parser.place()?;
                if parser.cur.is_done() { Ok(place) } else { fail("rest") }
            });
            assert!(result.is_err(), "{text} gave {result:?}");
        }
    }
}
