//! What text, proofs and callers can get wrong about a value: how it is named, where it lies, how a call of it ended.

use regress_tests::native::{Difference, Suite};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    const NEEDLE: u64 = 0x1234_5678_9abc_def1;
    const MASK: u64 = 0xfeed_0000_0000_beef;
    claims! { suite, "attack/names", names_old, names_new;
        same "std::mem::replace" |a: u8, b: u8| std::mem::replace(&mut a.clone(), b);
        same "Lt" |a: u8, b: u8| Lt(a, b);
        differs "ordered" Behaviour (NEEDLE, 0) |a: u64, b: u64| { let v = ordered(a, b); (v.0, v.1) };
        same "same_sum" |a: u64, b: u64| { let v = same_sum(a, b); (v.0, v.1) };
        same "operator" |a: u64, b: u64| operator(a, b);
        differs "masks" Behaviour (MASK, 0) |a: u64, b: u64| { let v = masks(a, b); (v.0, v.1) };
        differs "flag" Behaviour (true) |a: bool| flag(a);
        same "opposite" |a: bool| opposite(a);
        same "compared" |a: u8, b: u8| compared(a, b);
        differs "wide" Behaviour (1 << 63) |a: u64| wide(a);
        same "through_reference" |a: u64, b: u64| { let mut v = Add(0, 0); through_reference(&mut v, a, b); (v.0, v.1) };
        same "called" |a: u8, b: u8| called(a, b);
        differs "inner" Behaviour (0) |_x: u8| inner::<3>();
        differs "limit" Behaviour (0) |_x: u8| limit();
        differs "greatest" Behaviour (0) |_x: u8| greatest();
        differs "replaced" Behaviour (0, 1) |a: u8, b: u8| replaced(a, b);
        same "shared::code" |x: u8| shared::code(shared::Error(x));
        differs "shared" Behaviour (0x1234_5678) |x: u32| shared(x).0;
        same "holds::first" |x: u8| holds::first(holds::Mark(x, 1));
        differs "holds" Behaviour (0) |x: u8| holds(x);
    }
    claims! { suite, "attack/observed", observed_old, observed_new;
        same "made" |n: u8| made(n);
        same "length" |n: u8| length(n);
        same "last" |n: u8| last(n);
        differs "by_pointer" Behaviour (0) |n: u8| by_pointer(n, |items| items.capacity() >= 40);
        differs "by_object" Behaviour (0) |n: u8| by_object(n, &|items: &Vec<u8>| items.capacity() >= 40);
        differs "by_field" Behaviour (0) |n: u8| by_field(n, &Looker { look: |items| items.capacity() >= 40 });
        differs "by_bound" Behaviour (0) |n: u8| {
            struct Room;
            impl Look for Room {
                fn look(&self, items: &Vec<u8>) -> bool {
                    items.capacity() >= 40
                }
            }
            by_bound(n, Room)
        };
        same "one_of" |first: bool| *one_of(first);
        same "content" |first: bool| content(first);
        differs "by_text" Behaviour (true) |first: bool| by_text(first);
        differs "by_non_null" Behaviour (true) |first: bool| by_non_null(first);
        differs "by_pin" Behaviour (true) |first: bool| by_pin(first);
        differs "by_transmute" Behaviour (true) |first: bool| by_transmute(first);
        differs "by_union" Behaviour (true) |first: bool| by_union(first);
        same "eight" |_x: u8| eight().to_vec();
        differs "by_alignment" Behaviour (0) |_x: u8| by_alignment();
        same "in_the_words_of_overflow" |x: u8| in_the_words_of_overflow(x);
        same "in_the_words_of_unwrap" |x: u8| in_the_words_of_unwrap(Some(x).filter(|x| *x > 9));
        same "in_its_own_words" |x: u8| in_its_own_words(x);
    }
    // Either version is called from the same place: the tokens of the call are those of one line.
    claims! { suite, "attack/told_places", told_places_old, told_places_new;
        same "line" |x: u32| line(x);
        same "column" |x: u32| column(x);
        same "is_odd" |x: u32| is_odd(x);
        same "file_len" |x: u32| file_len(x % 1000);
        same "handed_on" |x: u32| handed_on(x);
        differs "off_by_one" Behaviour (0) |x: u32| off_by_one(x);
        same "Mark::new" |x: u32| Mark::new(x).sum();
        same "Mark::sum" |x: u32| Mark::new(x).sum();
        same "Mark::distance" |x: u32| Mark::new(x).distance();
        same "<u8 as Placed>::place" |x: u8, y: u32| x.place(y);
        same "into" |x: u32| { let mut out = 0; into(x, &mut out); out };
    }
    claims! { suite, "refactor/given_collections", given_collections_old, given_collections_new;
        same "map" |x: u8, y: u8| map(x, y);
        same "set" |x: u8, y: u8| set(x, y);
        same "deque" |x: u8, y: u8| deque(x, y);
        same "nested" |x: u8| nested(x);
        same "table" |x: u8, y: u8| table(x, y).get(&x).copied();
        differs "last_wins" Behaviour (3, 3) |x: u8, y: u8| last_wins(x, y);
    }
    claims! { suite, "differ/re_exports", re_exports_old, re_exports_new;
        differs "add" Behaviour (200, 100) |x: u8, y: u8| add(x, y);
        differs "last" Behaviour ([1, 2]) |list: [u8; 2]| last(&list);
        same "half" |x: u32| half(x);
        same "mostly::fifth" |x: u32| mostly::fifth(x);
        differs "quarter" Behaviour (4) |x: u8| quarter(x);
        same "parts::quarter" |x: u8| parts::quarter(x);
    }
}
