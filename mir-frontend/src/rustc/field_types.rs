//! The types of fields, as bodies show them.
//!
//! *Idea.* MIR says of each field that it uses of which type that is, with constants worked out; and of what is put into a field.
//!
//! *Limits.* Of a generic type only where its parameters stand for parameters. What bodies show of several types is not known.

use std::collections::{HashMap, HashSet};

use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{
    Adt, AdtId, AggregateKind, Body, Const, Field, FnBody, Function, GenericArg, GenericParam, Path, Place,
    Projection, Rvalue, StatementKind, Subst, TerminatorKind, Ty, TyKind, VariantRef,
};

use super::doubts::{element, pointed_to};

/// A type whose fields are looked for.
pub struct Wanted<'d> {
    pub generics: &'d [GenericParam],
    /// The names of its variants.
    pub variants: Vec<&'d str>,
}

/// The types of fields that bodies show.
pub struct FieldTypes<'d> {
    wanted: HashMap<&'d Path, Wanted<'d>>,
    /// By type, variant and field. None if bodies show several.
    fields: HashMap<(Path, usize, usize), Option<Ty>>,
}

impl<'d> FieldTypes<'d> {
    /// What the bodies of these functions show of the types that are wanted.
    pub fn shown(wanted: HashMap<&'d Path, Wanted<'d>>, functions: &[Function]) -> FieldTypes<'d> {
        let mut found = FieldTypes { wanted, fields: HashMap::new() };
        for function in functions {
            if let FnBody::Present(body) = &function.body {
                found.body(body);
            }
        }
        found
    }
}

impl FieldTypes<'_> {
    pub fn of(&self, path: &Path, variant: usize, field: usize) -> Option<Ty> {
        self.fields.get(&(path.clone(), variant, field)).cloned().flatten()
    }

    fn body(&mut self, body: &Body) {
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(place, rvalue) => {
                        self.place(place, body);
                        rvalue.places().into_iter().for_each(|place| self.place(place, body));
                        self.aggregate(rvalue, body);
                    }
                    StatementKind::SetDiscriminant(place, _) => self.place(place, body),
                    StatementKind::Nop => {}
                }
            }
            let terminator = &block.terminator.kind;
            terminator.places().into_iter().for_each(|place| self.place(place, body));
            if let TerminatorKind::Call { destination, .. } = terminator {
                self.place(destination, body);
            }
        }
    }

    /// `((*_1).0: T)` shows the type of a field of what `_1` points to.
    fn place(&mut self, place: &Place, body: &Body) {
        let mut ty = body.locals.get(place.local).map(|local| local.ty.clone());
        let mut variant = None;
        for projection in &place.projection {
            let now = ty.take();
            ty = match projection {
                Projection::Field(field, declared) => {
                    if let (Some(of), Some(declared)) = (&now, declared) {
                        self.show(of, variant.take(), field.index(), declared);
                    }
                    declared.clone()
                }
                Projection::Downcast(to) => {
                    variant = Some(to);
                    now
                }
                Projection::Deref => now.as_ref().and_then(pointed_to),
                Projection::Index(_) | Projection::ConstantIndex { .. } => now.as_ref().and_then(element),
                Projection::Subslice { .. } => None,
            };
        }
    }

    /// `S { x: move _2 }` shows the type of a field by that of the operand.
    fn aggregate(&mut self, rvalue: &Rvalue, body: &Body) {
        let Rvalue::Aggregate(AggregateKind::Adt { ty, variant }, operands) = rvalue else { return };
        for (at, operand) in operands.iter().enumerate() {
            let Some(place) = operand.place().filter(|place| place.projection.is_empty()) else { continue };
            if let Some(local) = body.locals.get(place.local) {
                self.show(ty, variant.as_ref(), at, &local.ty);
            }
        }
    }

    fn show(&mut self, of: &Ty, variant: Option<&VariantRef>, field: usize, ty: &Ty) {
        let TyKind::Adt(path, args) = of.kind() else { return };
        let Some(declared) = self.wanted.get(path) else { return };
        let variant = match variant {
            None => 0,
            Some(VariantRef::Index(index)) => *index as usize,
            Some(VariantRef::Name(name)) => {
                match declared.variants.iter().position(|variant| name.as_str() == *variant) {
                    Some(found) => found,
                    None => return,
                }
            }
        };
        let Some(ty) = in_own_parameters(ty, declared.generics, args) else { return };
        let known = self.fields.entry((path.clone(), variant, field)).or_insert_with(|| Some(ty.clone()));
        if known.as_ref() != Some(&ty) {
            *known = None;
        }
    }
}

/// The type as the declaration would say it, where its parameters stand for parameters that differ from each other.
fn in_own_parameters(ty: &Ty, generics: &[GenericParam], args: &[GenericArg]) -> Option<Ty> {
    if generics.is_empty() {
        return Some(ty.clone());
    }
    let mut back = Subst::new();
    let mut seen = HashSet::new();
    for (own, arg) in generics.iter().zip(args) {
        let (name, own) = match arg {
            GenericArg::Ty(arg) => {
                let TyKind::Param(name) = arg.kind() else { return None };
                (name, GenericArg::Ty(Ty::new(TyKind::Param(own.name.clone()))))
            }
            GenericArg::Const(Const::Param(name)) => {
                (name, GenericArg::Const(Const::Param(own.name.clone())))
            }
            GenericArg::Const(_) => return None,
        };
        if !seen.insert(name.clone()) {
            return None;
        }
        back.insert(name.clone(), own);
    }
    (args.len() == generics.len()).then(|| back.ty(ty))
}

/// Puts the constants into the types of fields that documentation leaves open there (`[u8; SIZE / 2]`, `Tree<{ Self::arity() }>`), as far as bodies show their values.
/// The functions are those of the crate with this prefix.
pub fn work_out_constants(adts: &mut IdxVec<AdtId, Adt>, prefix: &str, functions: &[Function]) {
    let is_wanted = |adt: &&Adt| adt.origin_crate == *prefix && fields(adt).any(|field| is_open(&field.ty));
    let wanted = adts.iter().filter(is_wanted).map(|adt| {
        let variants = adt.variants.iter().map(|variant| variant.name.as_str()).collect();
        (&adt.path, Wanted { generics: &adt.generics, variants })
    });
    let wanted: HashMap<&Path, Wanted<'_>> = wanted.collect();
    if wanted.is_empty() {
        return;
    }
    let FieldTypes { fields: shown, .. } = FieldTypes::shown(wanted, functions);
    for adt in adts.iter_mut() {
        for (number, variant) in adt.variants.iter_mut().enumerate() {
            for (at, field) in variant.fields.iter_mut().enumerate().filter(|(_, field)| is_open(&field.ty)) {
                let Some(Some(ty)) = shown.get(&(adt.path.clone(), number, at)) else { continue };
                if without_constants(ty) == without_constants(&field.ty) {
                    field.ty = ty.clone();
                }
            }
        }
    }
}

fn fields(adt: &Adt) -> impl Iterator<Item = &Field> {
    adt.variants.iter().flat_map(|variant| &variant.fields)
}

/// Whether the type has a constant whose value is not known.
fn is_open(ty: &Ty) -> bool {
    ty.has_constant(|constant| matches!(constant, Const::Unsupported(_)))
}

fn without_constants(ty: &Ty) -> Ty {
    ty.map(&mut |part| part, &mut |_| Const::Uninit)
}
