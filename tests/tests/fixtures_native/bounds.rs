//! Differences that short inputs and few rounds do not show.

use regress_tests::native::{Difference, Fact, Suite};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "bounds/long_inputs", long_inputs_old, long_inputs_new;
        differs "total" Behaviour (vec![1; 3001]) |items: Vec<u8>| total(&items);
        differs "fits" Behaviour (vec![0; 5000]) |items: Vec<u8>| fits(&items);
        differs "head_of_block" Behaviour (vec![200; 32]) |items: Vec<u8>| head_of_block(&items);
        differs "last_index" Regression (vec![0; 65_536]) |items: Vec<u8>| last_index(&items);
    }
    claims! { suite, "bounds/long_loops", long_loops_old, long_loops_new;
        differs "descend" Behaviour (250) |n: u8| descend(n as u16 * 16);
    }
    // A run of a million rounds takes its time: the witness alone.
    let witness = 700_000;
    assert_ne!(long_loops_old::rounds(witness), long_loops_new::rounds(witness));
    suite.record("bounds/long_loops", "rounds", Fact::Differs(Difference::Behaviour));
    // What a call leaves behind is seen by the next one.
    claims! { suite, "bounds/variants_left_out", variants_left_out_old, variants_left_out_new;
        same "code" |given: Option<u8>, at: u8| {
            code(&given.map_or(Failure::Missing { line: at.into() }, Failure::Code))
        };
        differs "line" Behaviour (78) |at: u8| line(&Failure::Missing { line: at.into() });
    }
    claims! { suite, "bounds/mutable_statics", mutable_statics_old, mutable_statics_new;
        differs "remember" Behaviour (5) |x: u32| { remember(x); last() };
        differs "remember_one" Behaviour (7_777_777) |x: u32| { remember_one(x); last() };
        differs "remember_within" Behaviour (7_777_777) |x: u32| { remember_within(x); last() };
        differs "count" Behaviour (4) |x: u32| { remember(x / 2); count() };
    }
    claims! { suite, "bounds/shared_statics", shared_statics_old, shared_statics_new;
        differs "count" Behaviour (1) |x: u32| { let before = counted(); count(x); counted() - before };
        differs "count_one" Behaviour (7_777_777) |x: u32| { let before = counted(); count_one(x); counted() - before };
        differs "log" Behaviour (0) |x: u8| { log(x); logged() };
        differs "remember" Behaviour (0) |x: u32| { remember(x); last() };
        differs "name" Behaviour (0) |x: u8| { name(x); named() };
        same "looked_up" |i: u8| looked_up(i);
        differs "next" Behaviour (1) |i: u8| next(i);
    }
    claims! { suite, "bounds/returned_places", returned_places_old, returned_places_new;
        same "smaller" |a: u8, b: u8| { let (mut a, mut b) = (a, b); *smaller(&mut a, &mut b) };
    }
    claims! { suite, "bounds/hard_conditions", hard_conditions_old, hard_conditions_new;
        differs "secret" Behaviour (0, 0) |x: u64, y: u64| secret(x, y);
        differs "admitted" Behaviour (0x87a6_ea52_7464_98d3) |x: u64| admitted(x);
    }
}
