//! Two hash sets together, as far as the order of their items does not matter.

#![allow(clippy::all)]

use std::collections::HashSet as Real;
use std::panic::{AssertUnwindSafe, catch_unwind};

use std_models::collections::HashSet as Model;
use std_models::iter::Iterator as ModelIterator;
use std_models::ops::{BitAnd, BitOr, BitXor, Sub};

/// What is yielded, with the hint before each.
fn model<'a>(items: impl ModelIterator<Item = &'a u8>) -> Vec<(Option<u8>, (usize, Option<usize>))> {
    let mut items = items;
    let mut found = Vec::new();
    loop {
        let hint = items.size_hint();
        let item = items.next().copied();
        found.push((item, hint));
        if item.is_none() {
            return found;
        }
    }
}

fn real<'a>(items: impl Iterator<Item = &'a u8>) -> Vec<(Option<u8>, (usize, Option<usize>))> {
    let mut items = items;
    let mut found = Vec::new();
    loop {
        let hint = items.size_hint();
        let item = items.next().copied();
        found.push((item, hint));
        if item.is_none() {
            return found;
        }
    }
}

/// What a model yields, if it is not refused.
fn if_known<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Some(value),
        Err(payload) => {
            let message = payload.downcast_ref::<String>().expect("a message");
            assert!(message.starts_with("not modelled: "), "{message}");
            None
        }
    }
}

fn in_order(set: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut items: Vec<u8> = set.into_iter().collect();
    items.sort();
    items
}

#[test]
fn two_sets() {
    let lists: [&[u8]; 6] = [&[], &[1], &[2], &[1, 2], &[2, 3, 4], &[1, 5]];
    let mut known = 0;
    for left in lists {
        for right in lists {
            let (mut a, mut b) = (Model::new(), Model::new());
            assert!(left.iter().all(|item| a.insert(*item)) && right.iter().all(|item| b.insert(*item)));
            let (c, d): (Real<u8>, Real<u8>) =
                (left.iter().copied().collect(), right.iter().copied().collect());
            let found = [
                (if_known(|| model(a.difference(&b))), real(c.difference(&d))),
                (if_known(|| model(a.intersection(&b))), real(c.intersection(&d))),
                (if_known(|| model(a.union(&b))), real(c.union(&d))),
                (if_known(|| model(a.symmetric_difference(&b))), real(c.symmetric_difference(&d))),
                (if_known(|| model(a.union(&b).clone())), real(c.union(&d).clone())),
            ];
            for (model, real) in found {
                if let Some(model) = model {
                    known += 1;
                    assert_eq!(model, real, "{left:?} {right:?}");
                }
            }
            let together = [
                (if_known(|| BitAnd::bitand(&a, &b)), &c & &d),
                (if_known(|| BitOr::bitor(&a, &b)), &c | &d),
                (if_known(|| BitXor::bitxor(&a, &b)), &c ^ &d),
                (if_known(|| Sub::sub(&a, &b)), &c - &d),
            ];
            for (model, real) in together {
                if let Some(model) = model {
                    known += 1;
                    let items = in_order(std::iter::Iterator::filter(0..9u8, |item| model.contains(item)));
                    assert_eq!((items, model.len()), (in_order(real.iter().copied()), real.len()));
                }
            }
        }
    }
    assert!(known > 100, "{known} were modelled");
}
