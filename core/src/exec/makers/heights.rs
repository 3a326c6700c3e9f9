//! How many calls, one within the arguments of the other, it takes to make a value of a type.
//!
//! *Definition.* Types that are put together have height 0. A made type is one higher than the highest type that its lowest maker needs; steps
//! do not count, as they begin with a value. A type without height has makers that lead back to it alone (`From<A> for B` and `From<B> for
//! A`): no value of it can be made.
//!
//! *Limits.* What an enum needs is what all of its variants need, unless one of them needs nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolve::normalize;
use super::Maker;
use crate::ir::{AdtKind, GenericArg, KnownType, Program, Ty, TyKind};

/// The heights of made types, of those that have one.
pub(super) fn heights(by_type: &BTreeMap<Ty, Vec<Maker>>) -> BTreeMap<Ty, u64> {
    let mut heights = BTreeMap::new();
    for height in 1.. {
        let is_next = |(ty, makers): &(&Ty, &Vec<Maker>)| {
            let is_ready = |maker: &Maker| maker.needs.iter().all(|need| heights.contains_key(need));
            !heights.contains_key(*ty) && makers.iter().any(|maker| !maker.is_step() && is_ready(maker))
        };
        let next: Vec<Ty> = by_type.iter().filter(is_next).map(|(ty, _)| ty.clone()).collect();
        if next.is_empty() {
            break;
        }
        heights.extend(next.into_iter().map(|ty| (ty, height)));
    }
    heights
}

/// The made types of which a value of this type always holds one.
pub(super) fn needs(program: &Program, ty: &Ty, is_made: &dyn Fn(&Ty) -> bool) -> BTreeSet<Ty> {
    Needs { program, is_made, open: Vec::new() }.of(ty)
}

struct Needs<'n> {
    program: &'n Program,
    is_made: &'n dyn Fn(&Ty) -> bool,
    /// Types whose fields are being looked at; within themselves they need nothing more.
    open: Vec<Ty>,
}

impl Needs<'_> {
    fn of(&mut self, ty: &Ty) -> BTreeSet<Ty> {
        match ty.kind() {
            TyKind::Tuple(tys) => tys.iter().flat_map(|ty| self.of(ty)).collect(),
            TyKind::Array(part, _) | TyKind::Slice(part) | TyKind::Ref(_, part) | TyKind::RawPtr(_, part) => {
                self.of(part)
            }
            TyKind::Adt(..) if (self.is_made)(ty) => BTreeSet::from([ty.clone()]),
            TyKind::Adt(path, _) if path == KnownType::Option => BTreeSet::new(),
            TyKind::Adt(path, args) => {
                if self.open.contains(ty) {
                    return BTreeSet::new();
                }
                let Some(adt) = self.program.adt(path) else { return self.of_args(args) };
                self.open.push(ty.clone());
                // A collection of std holds what it is a collection of, whatever its fields are.
                let is_collection = path.is_of_std() && adt.kind != AdtKind::Enum;
                let parts = args.iter().filter_map(|arg| match arg {
                    GenericArg::Ty(part) if is_collection => Some(part),
                    _ => None,
                });
                let mut needed: BTreeSet<Ty> = parts.flat_map(|part| self.of(part)).collect();
                let variants: Vec<BTreeSet<Ty>> = (0..adt.variants.len())
                    .map(|variant| {
                        let fields = adt.field_types(variant, args).into_iter();
                        fields.flat_map(|ty| self.of(&normalize(self.program, &ty))).collect()
                    })
                    .collect();
                self.open.pop();
                let is_avoidable = adt.kind == AdtKind::Enum && variants.iter().any(BTreeSet::is_empty);
                if !is_avoidable {
                    needed.extend(variants.into_iter().flatten());
                }
                needed
            }
            _ => BTreeSet::new(),
        }
    }

    /// A type that nothing is known of is taken to hold what it is given.
    fn of_args(&mut self, args: &[GenericArg]) -> BTreeSet<Ty> {
        let types = args.iter().filter_map(|arg| match arg {
            GenericArg::Ty(part) => Some(part),
            GenericArg::Const(_) => None,
        });
        types.flat_map(|part| self.of(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    /// Otherwise lists stand in lists without end, where the models of collections are not linked yet.
    #[test]
    fn a_collection_that_is_not_defined_needs_what_it_is_given() {
        let program = parse::program(
            "struct k::A(u8); fn k::f(_1: std::vec::Vec<(u8, k::A)>) -> () { bb0: { return; } }",
        )
        .expect("a program");
        let input = &program.functions.iter().next().expect("a function").inputs[0];
        let is_made = |ty: &Ty| ty.to_string() == "k::A";
        let needed: Vec<String> = needs(&program, input, &is_made).iter().map(Ty::to_string).collect();
        assert_eq!(needed, ["k::A"]);
    }
}
