//! Claims about how the standard library calls the code of a crate.

use std::io::{BufWriter, Write};

use regress_tests::native::{Difference, Suite};

use super::versions::*;

pub fn claim(suite: &mut Suite) {
    claims! { suite, "attack/std_calls", std_calls_old, std_calls_new;
        differs "truncate" Behaviour (0) |x: u8| truncate(x);
        differs "fill" Behaviour (0) |x: u8| fill(x);
        differs "leaked" Behaviour (0) |x: u8| leaked(x);
        differs "sorted" Behaviour (1, 2) |x: u8, y: u8| sorted(x, y);
        differs "sorted_by_key" Behaviour (1, 2) |x: u8, y: u8| sorted_by_key(x, y);
        differs "set_built" Behaviour (1, 2) |x: u8, y: u8| set_built(x, y);
        differs "keys_asked_for" Behaviour (1, 2) |x: u8, y: u8| keys_asked_for(x, y);
        differs "pairs" Behaviour (1, 2) |x: u8, y: u8| pairs(x, y);
        differs "one_pointer" Behaviour (1) |x: u8| one_pointer(x);
        differs "zipped" Behaviour (1) |x: u8| zipped(x);
        differs "boasted" Fix (77) |x: u8| boasted(x);
        differs "room" Fix (0x1fff_ffff_ffff_ffff) |n: u64| room(n);
        differs "marked" Regression (0xc678_a699_055d_b264) |x: u64| marked(x);
        differs "borrowed" Regression (0xc678_a699_055d_b264) |x: u64| borrowed(x);
        same "derived" |x: u8, y: u8, z: u8| derived(x, y, z);
        same "mapped" |x: u8, y: u8| mapped(x, y);
        same "hashed" |x: u8, y: u8| hashed(x, y);
        same "set_asked" |x: u8| set_asked(x);
        same "cut" |x: u8, y: u8, n: usize| cut(x, y, n);
    }
    claims! { suite, "attack/shown_errors", shown_errors_old, shown_errors_new;
        differs "<Sink as fmt::Debug>::fmt" Behaviour (0) |x: u8| format!("{:?}", Sink(x));
        same "<Sink as Write>::write" |room: u8, bytes: Vec<u8>| Sink(room).write(&bytes).ok();
        differs "shown" Behaviour (0) |room: u8| {
            let mut writer = BufWriter::new(Sink(room));
            let written = writer.write_all(&[1]).is_ok();
            (written, writer.into_inner().err().map(|error| shown(&error)))
        };
        differs "<Rank as PartialOrd>::partial_cmp" Behaviour (0, 1) |a: u8, b: u8| Rank(a).partial_cmp(&Rank(b));
        differs "<Rank as Ord>::cmp" Behaviour (0, 1) |a: u8, b: u8| Rank(a).cmp(&Rank(b));
        differs "first" Behaviour (vec![0, 1]) |ranks: Vec<u8>| {
            first(&ranks.into_iter().map(Rank).collect::<Vec<Rank>>())
        };
    }
    claims! { suite, "attack/std_pieces", std_pieces_old, std_pieces_new;
        differs "text" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| text(x);
        differs "escape" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| escape(x);
        differs "no_text" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| no_text(x);
        differs "character" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| character(x);
        differs "whole_unit" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| whole_unit(x);
        differs "part_of_unit" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| part_of_unit(x);
        differs "counted" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| counted(x);
        differs "passed_over" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| passed_over(x);
        differs "last_of_repeated" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| last_of_repeated(x);
        differs "last_of_chain" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| last_of_chain(x);
        differs "last_of_flattened" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| last_of_flattened(x);
        differs "from_the_back" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| from_the_back(x);
        differs "fused" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| fused(x);
        differs "last_of_skipped" Behaviour (0x7889_1a2b_3c4d_5e6f) |x: u64| last_of_skipped(x);
    }
    const NEEDLE: u64 = 0x1234_5678_9abc_def1;
    claims! { suite, "attack/overridden", overridden_old, overridden_new;
        differs "<Long as ExactSizeIterator>::len" Behaviour (3, NEEDLE) |n: u8, k: u64| Long(n, k).len();
        differs "sum" Behaviour (3, NEEDLE) |n: u8, k: u64| sum(n, k);
        differs "<Down as Iterator>::fold" Behaviour (3, NEEDLE) |n: u8, k: u64| sum(n, k);
        differs "<Down as Iterator>::nth" Behaviour (3, NEEDLE) |n: u8, k: u64| skipped(n, k);
        differs "<Fed as Hasher>::write_u64" Behaviour (NEEDLE) |k: u64| passed_on(k);
        differs "<Part as Hash>::hash_slice" Behaviour (NEEDLE) |k: u64| in_one_piece(k);
        differs "<Failed as Error>::source" Behaviour (NEEDLE) |k: u64| behind_a_reference(k);
        differs "<Copied as Clone>::clone_from" Behaviour (NEEDLE) |k: u64| cow(k);
        differs "<Rank as Ord>::max" Behaviour (NEEDLE, 0) |a: u64, b: u64| higher(a, b);
        differs "greatest" Behaviour (3, NEEDLE) |n: u8, k: u64| greatest(n, k);
        differs "skipped" Behaviour (3, NEEDLE) |n: u8, k: u64| skipped(n, k);
        differs "boxed" Behaviour (3, NEEDLE) |n: u8, k: u64| boxed(n, k);
        same "one_by_one" |n: u8, k: u64| one_by_one(n, k);
        differs "from_behind" Behaviour (3, NEEDLE) |n: u8, k: u64| from_behind(n, k);
        differs "fused" Behaviour (NEEDLE) |k: u64| fused(k);
        differs "flattened" Behaviour (NEEDLE) |k: u64| flattened(k);
        differs "passed_on" Behaviour (NEEDLE) |k: u64| passed_on(k);
        differs "in_one_piece" Behaviour (NEEDLE) |k: u64| in_one_piece(k);
        differs "behind_a_reference" Behaviour (NEEDLE) |k: u64| behind_a_reference(k);
        differs "cow" Behaviour (NEEDLE) |k: u64| cow(k);
        same "pair" |k: u64| pair(k);
        differs "higher" Behaviour (NEEDLE, 0) |a: u64, b: u64| higher(a, b);
    }
}
