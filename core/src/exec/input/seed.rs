//! Concrete arguments as values of the variables.

use super::super::eval::scalar_ty;
use super::super::resolve::normalize;
use super::super::std_abstractions::{self, View, view};
use super::super::tree::ScalarTy;
use super::super::{layout, parts};
use super::collections::collection;
use super::{
    Elements, InputSpace, argument_name, choice_name, field_name, field_type, is_formatter, owned_sequence,
};
use crate::ir::{AdtKind, FloatTy, IntTy, KnownType, Program, Ty, TyKind, stand_ins};
use crate::term::{Model, Sort, TermPool};
use crate::value::Value;

impl InputSpace {
    /// Writes a concrete argument into the model; `false` if it lies outside the bounds or does not fit the type.
    pub fn seed(
        &mut self,
        program: &Program,
        pool: &mut TermPool,
        model: &mut Model,
        name: &str,
        ty: &Ty,
        value: &Value,
    ) -> bool {
        match (ty.kind(), value) {
            (TyKind::Ref(_, pointee), value) if is_formatter(pointee) => *value == Value::formatter(),
            (TyKind::Adt(..), value) if stand_ins::is_recorder(ty) => {
                *value == self.value(program, pool, model, name, ty)
            }
            (TyKind::Ref(_, pointee), Value::Ref(inner)) => {
                self.seed(program, pool, model, name, pointee, inner)
            }
            // A `&str` may come with or without its reference.
            (TyKind::Ref(_, pointee), Value::Str(_) | Value::Seq(_)) => {
                self.seed(program, pool, model, name, pointee, value)
            }
            (TyKind::Str, Value::Str(text)) => {
                let fits = text.is_ascii() && text.len() as u64 <= self.bounds.max_len;
                fits && self.seed_bits(pool, model, format!("{name}.len"), usize_sort(), text.len() as u128)
                    && text.bytes().enumerate().all(|(i, byte)| {
                        self.seed_bits(pool, model, format!("{name}[{i}]"), Sort::Bv(8), byte.into())
                    })
            }
            (TyKind::Slice(elem), Value::Seq(items)) => {
                items.len() as u64 <= self.bounds.max_len
                    && self.seed_bits(pool, model, format!("{name}.len"), usize_sort(), items.len() as u128)
                    && items
                        .iter()
                        .enumerate()
                        .all(|(i, item)| self.seed(program, pool, model, &format!("{name}[{i}]"), elem, item))
            }
            (TyKind::Array(elem, _), Value::Seq(items)) => items
                .iter()
                .enumerate()
                .all(|(i, item)| self.seed(program, pool, model, &format!("{name}[{i}]"), elem, item)),
            (TyKind::Tuple(tys), Value::Tuple(items)) => tys
                .iter()
                .zip(items)
                .enumerate()
                .all(|(i, (ty, item))| self.seed(program, pool, model, &format!("{name}.{i}"), ty, item)),
            (TyKind::Adt(..), Value::Str(_) | Value::Seq(_)) => match owned_sequence(ty) {
                Some(Elements::Any(elem)) => {
                    self.seed(program, pool, model, name, &Ty::new(TyKind::Slice(elem)), value)
                }
                Some(Elements::Text) => self.seed(program, pool, model, name, &Ty::new(TyKind::Str), value),
                None => match (collection(ty), value) {
                    (Some(of), Value::Seq(items)) => of.in_order(items).is_some_and(|items| {
                        let list = Ty::new(TyKind::Slice(of.item.clone()));
                        self.seed(program, pool, model, name, &list, &Value::Seq(items))
                    }),
                    _ => false,
                },
            },
            (TyKind::Adt(..), Value::Ref(_)) if matches!(view(ty), Some(View::Counted(_))) => {
                let Some(View::Counted(content)) = view(ty) else { unreachable!("just seen") };
                self.seed(program, pool, model, name, &std_abstractions::boxed(content), value)
            }
            (TyKind::Adt(path, _), Value::Ref(inner)) if path == KnownType::Box => match ty.pointee() {
                Some(pointee) => self.seed(program, pool, model, name, &pointee.clone(), inner),
                None => false,
            },
            (TyKind::Adt(..), Value::Adt { fields, .. }) if matches!(view(ty), Some(View::Rest(_))) => {
                let Some(View::Rest(rest)) = view(ty) else { unreachable!("just seen") };
                match fields.as_slice() {
                    [(_, list)] if rest.list.allows(list) => {
                        self.seed(program, pool, model, name, &rest.list.ty(), list)
                    }
                    _ => false,
                }
            }
            (TyKind::Adt(path, _), Value::Int { .. }) if path == KnownType::MaybeUninit => {
                match layout::wrapped(ty) {
                    Some(content) => self.seed(program, pool, model, name, &content.clone(), value),
                    None => false,
                }
            }
            (TyKind::Adt(..), Value::Made { callee, args, .. }) => {
                let makers = self.makers.of(ty).to_vec();
                let Some(choice) = makers.iter().position(|maker| maker.callee == *callee) else {
                    return false;
                };
                let inputs = &makers[choice].inputs;
                inputs.len() == args.len()
                    && self.seed_bits(pool, model, choice_name(name), ScalarTy::Tag.sort(), choice as u128)
                    && inputs.iter().zip(args).enumerate().all(|(index, (ty, value))| {
                        self.seed(program, pool, model, &argument_name(name, choice, index), ty, value)
                    })
            }
            // What only fields can make is none of these inputs.
            (TyKind::Adt(..), Value::Adt { .. }) if !self.makers.of(ty).is_empty() => false,
            (TyKind::Adt(..), Value::Adt { fields, .. }) if matches!(view(ty), Some(View::Cell(_))) => {
                let Some(View::Cell(cell)) = view(ty) else { unreachable!("just seen") };
                let free = fields.iter().skip(1).all(|(_, state)| *state == Value::Bool(false));
                match fields.first() {
                    Some((_, content)) if free => {
                        self.seed(program, pool, model, &format!("{name}.value"), &cell.content, content)
                    }
                    _ => false,
                }
            }
            (TyKind::Adt(path, args), Value::Adt { fields, .. }) if self.makers.completed(path).is_some() => {
                let (Some(adt), Some(given)) = (program.adt(path), self.makers.completed(path)) else {
                    return false;
                };
                let leaves_others_out = fields.iter().any(|(field, _)| field == Value::REST);
                leaves_others_out == given.rest().is_some()
                    && given.names.clone().iter().all(|field| {
                        let Some((_, value)) = fields.iter().find(|(other, _)| other == field) else {
                            return false;
                        };
                        let below = field_name(adt, name, 0, field.as_str());
                        self.seed(program, pool, model, &below, &field_type(program, adt, args, field), value)
                    })
            }
            (TyKind::Adt(path, args), Value::Adt { variant, fields, .. }) => {
                let Some(adt) = program.adt(path) else { return false };
                if let Some(View::Parts(parts)) = view(ty)
                    && !parts::allow(parts, fields)
                {
                    return false;
                }
                let index = match variant {
                    None => 0,
                    Some(variant) => match adt.variant_named(variant) {
                        Some(index) => index,
                        None => return false,
                    },
                };
                let Some(declared) = adt.variants.get(index) else { return false };
                if adt.kind == AdtKind::Enum
                    && !self.seed_bits(
                        pool,
                        model,
                        format!("{name}.tag"),
                        ScalarTy::Tag.sort(),
                        index as u128,
                    )
                {
                    return false;
                }
                let types = adt.field_types(index, args);
                declared.fields.iter().zip(types).zip(fields).all(|((field, ty), (_, value))| {
                    let below = field_name(adt, name, index, field.name.as_str());
                    self.seed(program, pool, model, &below, &normalize(program, &ty), value)
                })
            }
            _ => match (scalar_ty(ty), value) {
                (Some(ScalarTy::Bool), Value::Bool(b)) => {
                    self.seed_bits(pool, model, name.into(), Sort::Bool, (*b).into())
                }
                (Some(ScalarTy::Char), Value::Char(c)) => {
                    self.seed_bits(pool, model, name.into(), Sort::Bv(32), u32::from(*c).into())
                }
                (Some(ScalarTy::Float(ty)), Value::F32(_) | Value::F64(_)) => {
                    let bits = match (ty, value) {
                        (FloatTy::F32, Value::F32(bits)) => u128::from(*bits),
                        (FloatTy::F64, Value::F64(bits)) => u128::from(*bits),
                        _ => return false,
                    };
                    self.seed_bits(pool, model, name.into(), Sort::Bv(ty.bits()), ty.canonical(bits))
                }
                (Some(scalar @ ScalarTy::Int(_)), Value::Int { bits, .. }) => {
                    self.seed_bits(pool, model, name.into(), scalar.sort(), *bits)
                }
                _ => false,
            },
        }
    }

    fn seed_bits(
        &mut self,
        pool: &mut TermPool,
        model: &mut Model,
        name: String,
        sort: Sort,
        bits: u128,
    ) -> bool {
        let Some((term, known)) = self.vars.get(&name) else {
            // The variable is created, with its constraint, by the run that meets it; until then its bits wait.
            self.pending.insert(name, bits);
            return true;
        };
        if *known != sort {
            return false;
        }
        let var = pool.var_of(*term).expect("a variable is a variable");
        model.set(var, bits);
        true
    }
}

fn usize_sort() -> Sort {
    ScalarTy::Int(IntTy::Usize).sort()
}
