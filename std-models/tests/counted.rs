//! `Rc` and `Weak`: the models against the real ones, by long sequences of operations on both. `Arc` is the same text.

use std::cell::Cell;

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize
    }
}

/// A value that counts how often one was dropped.
#[derive(Debug)]
struct Counted<'a>(u8, &'a Cell<u32>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.1.set(self.1.get() + 1);
    }
}

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        Counted(self.0.wrapping_add(1), self.1)
    }
}

macro_rules! sequence {
    ($name:ident $rc:path, $weak:path, $deref:path, $clone:path) => {
        fn $name(seed: u64) -> Vec<(usize, usize)> {
            use $clone as Clone;
            use $deref as Deref;
            use $rc as Rc;
            use $weak as Weak;
            let dropped = Cell::new(0);
            let mut numbers = Numbers(seed);
            let mut strong = vec![Rc::new(Counted(1, &dropped)), Rc::new(Counted(2, &dropped))];
            let mut weak: Vec<Weak<Counted<'_>>> = vec![Weak::new()];
            let mut seen = Vec::new();
            for _ in 0..200 {
                let (what, at, other) = (numbers.next() % 11, numbers.next(), numbers.next());
                if strong.is_empty() {
                    strong.push(Rc::new(Counted(7, &dropped)));
                }
                let (at, other) = (at % strong.len(), other % strong.len());
                let result = match what {
                    0 => {
                        let again = Clone::clone(&strong[at]);
                        strong.push(again);
                        0
                    }
                    1 => {
                        strong.swap_remove(at);
                        1
                    }
                    2 => {
                        weak.push(Rc::downgrade(&strong[at]));
                        2
                    }
                    3 => match weak[other % weak.len()].upgrade() {
                        Some(upgraded) => {
                            strong.push(upgraded);
                            1
                        }
                        None => 0,
                    },
                    4 => Rc::ptr_eq(&strong[at], &strong[other]) as usize,
                    5 => Rc::get_mut(&mut strong[at]).map_or(0, |value| {
                        value.0 = value.0.wrapping_mul(3);
                        1
                    }),
                    6 => {
                        Rc::make_mut(&mut strong[at]).0 ^= 5;
                        6
                    }
                    7 => match Rc::try_unwrap(strong.swap_remove(at)) {
                        Ok(value) => value.0.into(),
                        Err(pointer) => {
                            strong.push(pointer);
                            1000
                        }
                    },
                    8 => Rc::into_inner(strong.swap_remove(at)).map_or(1000, |value| value.0.into()),
                    9 => {
                        let index = other % weak.len();
                        let again = Clone::clone(&weak[index]);
                        let equal = again.ptr_eq(&weak[0]);
                        weak.push(again);
                        weak.swap_remove(index);
                        equal as usize
                    }
                    _ => Rc::unwrap_or_clone(strong.swap_remove(at)).0.into(),
                };
                seen.push((what, result));
                for pointer in &strong {
                    seen.push((Rc::strong_count(pointer), Rc::weak_count(pointer)));
                    seen.push((usize::from(Deref::deref(pointer).0), dropped.get() as usize));
                }
                for pointer in &weak {
                    seen.push((pointer.strong_count(), pointer.weak_count()));
                }
            }
            drop((strong, weak));
            seen.push((0, dropped.get() as usize));
            seen
        }
    };
}

sequence!(model std_models::rc::Rc, std_models::rc::Weak, std_models::ops::Deref, std_models::clone::Clone);
sequence!(model_arc std_models::sync::Arc, std_models::sync::Weak, std_models::ops::Deref, std_models::clone::Clone);
sequence!(real std::rc::Rc, std::rc::Weak, std::ops::Deref, std::clone::Clone);
sequence!(real_arc std::sync::Arc, std::sync::Weak, std::ops::Deref, std::clone::Clone);

#[test]
fn counts_and_drops() {
    for seed in 0..300 {
        let expected = real(seed);
        assert_eq!(model(seed), expected, "{seed}");
        assert_eq!(real_arc(seed), expected, "{seed}");
        assert_eq!(model_arc(seed), expected, "{seed}");
    }
}

#[test]
fn texts_and_slices() {
    use std_models::convert::From;
    use std_models::ops::Deref;
    use std_models::rc::Rc;
    for text in ["", "a", "\u{e9}t\u{e9}"] {
        let model: Rc<str> = From::from(text);
        assert_eq!(Deref::deref(&model), text);
        let again = std_models::clone::Clone::clone(&model);
        assert!(Rc::ptr_eq(&model, &again));
        assert!(!Rc::ptr_eq(&model, &From::from(text.to_string())));
        let items: Rc<[u8]> = From::from(text.as_bytes());
        assert_eq!(Deref::deref(&items), text.as_bytes());
        assert!(std_models::cmp::PartialEq::eq(&items, &From::from(text.as_bytes().to_vec())));
    }
}
