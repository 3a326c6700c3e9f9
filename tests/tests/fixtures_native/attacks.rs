//! What differs, and was once said to be the same.

use std::cell::Cell;

use regress_tests::native::{Difference, Suite};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "attack/cells", attack_cells_old, attack_cells_new;
        differs "argument" Behaviour (0, 0x5eed_5eed_5eed) |x: u8, c: u64| { let cell = Cell::new(x); argument(&cell, c); cell };
        differs "local" Behaviour (0x5eed_5eed_5eed) |c: u64| local(c);
        differs "by_call" Behaviour (0x5eed_5eed_5eed) |c: u64| by_call(c);
        differs "by_object" Behaviour (0x5eed_5eed_5eed) |c: u64| by_object(c);
        differs "by_closure" Behaviour (0x5eed_5eed_5eed) |c: u64| by_closure(c);
        differs "by_guard" Behaviour (0x5eed_5eed_5eed) |c: u64| by_guard(c);
        differs "by_forgotten_guard" Behaviour (0x5eed_5eed_5eed) |c: u64| by_forgotten_guard(c);
        differs "chosen" Behaviour (true, 0x5eed_5eed_5eed) |left: bool, c: u64| chosen(left, c);
        differs "redirected" Behaviour (true, 0x5eed_5eed_5eed) |left: bool, c: u64| redirected(left, c);
        differs "by_index" Behaviour (2, 0x5eed_5eed_5eed) |i: usize, c: u64| by_index(i, c);
        differs "behind_cell" Behaviour (0x5eed_5eed_5eed) |c: u64| behind_cell(c);
        differs "exchanged" Behaviour (0) |c: u64| exchanged(c);
    }
    claims! { suite, "attack/chosen", chosen_old, chosen_new;
        differs "other" Behaviour (0) |x: u8| other(x);
        differs "among" Behaviour (0, 77) |i: u8, z: u8| among(i, z);
        differs "function_pointer" Behaviour (0, 77) |x: u8, c: u8| function_pointer(x, c);
        differs "closure_reference" Behaviour (0, 77) |x: u8, c: u8| closure_reference(x, c);
        differs "redirected" Behaviour (77) |z: u8| redirected(z);
        differs "forgotten" Behaviour (77) |z: u8| forgotten(z);
        differs "redirected_and_guarded" Behaviour (77, 78) |z: u8, x: u8| redirected_and_guarded(z, x);
        differs "overwrite" Behaviour (0) |x: u8| { let mut x = x; overwrite(&mut x); x };
        differs "function_pointer_guarded" Behaviour (0x5eed_5eed_5eed) |c: u64| function_pointer_guarded(c);
        differs "dynamic_guarded" Behaviour (0x5eed_5eed_5eed) |c: u64| dynamic_guarded(c);
        differs "raw_and_guarded" Behaviour (0x5eed_5eed_5eed) |c: u64| raw_and_guarded(c);
        differs "raw_by_index" Behaviour (0x5eed_5eed_5eed) |c: u64| raw_by_index(c);
        differs "element_by_pointer" Behaviour (0x5eed_5eed_5eed) |c: u64| element_by_pointer(c);
    }
    claims! { suite, "attack/defaults", defaults_old, defaults_new;
        differs "<Plain as Step>::step" Behaviour (2_012_174_047) |x: u32| <Plain as Step>::step(x);
        differs "by_inner_function" Behaviour (2_012_174_047) |x: u32| by_inner_function(x);
        differs "by_inner_method" Behaviour (2_012_174_047) |x: u32| by_inner_method(x);
        differs "unit_by_inner_function" Behaviour (0) |x: u32| unit_by_inner_function(x);
        // Of what stands in bodies, natives see what the functions around give.
        differs "by_inner_function::step_of" Behaviour (2_012_174_047) |x: u32| by_inner_function(x);
        differs "by_inner_method::Local::step_of" Behaviour (2_012_174_047) |x: u32| by_inner_method(x);
        differs "unit_by_inner_function::unit_of" Behaviour (0) |x: u32| unit_by_inner_function(x);
        differs "<Held as Step>::step" Behaviour (2_012_174_047) |x: u32| <Held<6> as Step>::step(x);
        differs "by_named_constant" Behaviour (2_012_174_047) |x: u32| by_named_constant(x);
        differs "<Held as Count>::count" Behaviour (2_012_174_047) |x: u32| <Held<6> as Count>::count(x);
        differs "by_one_of_two" Behaviour (2_012_174_047) |x: u32| by_one_of_two(x);
        differs "<Box as Step>::step" Behaviour (2_012_174_047) |x: u32| {
            <Box<dyn std::error::Error + Send + Sync> as Step>::step(x)
        };
        differs "step_of_out" Behaviour (2_012_174_047) |x: u32| step_of_out::<u8>(x);
        differs "by_object" Behaviour (2_012_174_047) |x: u32| by_object(x);
        differs "size_by_number" Behaviour (0) |_x: u8| size_by_number();
    }
    claims! { suite, "attack/own_iterators", own_iterators_old, own_iterators_new;
        differs "each" Behaviour (0) |from: u8| each(from);
        differs "counted" Behaviour (0) |from: u8| counted(from);
        differs "even" Behaviour (1) |from: u8| even(from);
        differs "mapped" Behaviour (0) |from: u8| mapped(from);
        differs "greatest" Behaviour (1) |from: u8| greatest(from);
        differs "added_up" Behaviour (0) |from: u8| added_up(from);
        differs "after_the_first" Behaviour (1) |from: u8| after_the_first(from);
        same "has_three" |from: u8| has_three(from);
    }
    claims! { suite, "attack/asked_in_vain", asked_in_vain_old, asked_in_vain_new;
        differs "zipped" Behaviour (1) |length: u8| zipped(&vec![1; length.into()], &[]);
        differs "skipped" Behaviour (1) |n: u8| skipped(&[1], n);
        same "unseen" |a: [u8; 4], b: [u8; 3]| unseen(&a, &b);
    }
    claims! { suite, "attack/same_names", same_names_old, same_names_new;
        differs "table" Behaviour (0) |x: u8| table(x);
    }
    claims! { suite, "attack/shapes_and_places", shapes_and_places_old, shapes_and_places_new;
        differs "captured" Behaviour (1_311_768_467_463_790_321) |key: u64| captured(key);
        differs "stays_where_it_is" Behaviour (60_000, 1_311_768_467_463_790_321) |room: u16, key: u64| {
            stays_where_it_is(room, key)
        };
        differs "replaced" Behaviour (1_311_768_467_463_790_321) |key: u64| replaced(key);
    }
    claims! { suite, "attack/headers", headers_old, headers_new;
        differs "by_argument" Behaviour (0) |x: u32| by_argument(x);
        differs "by_self_type" Behaviour (0) |x: u32| by_self_type(x);
        differs "size" Behaviour (0) |_x: u8| size();
        differs "size_of_kind" Behaviour (0) |_x: u8| size_of_kind::<Lengths>();
        differs "size_by_kind" Behaviour (0) |_x: u8| size_by_kind();
        differs "number_of" Behaviour (0) |_x: u8| number_of::<u16>();
        differs "constant_by_projection" Behaviour (0) |x: u32| constant_by_projection(x);
        differs "by_projection" Behaviour (2_012_174_047) |x: u32| by_projection(x);
        differs "by_bound" Behaviour (2_012_174_047) |x: u32| by_bound(x);
        differs "<Wrapped as Run>::run" Behaviour (2_012_174_047) |x: u32| Wrapped(Plain(1)).run(x);
        differs "size_of_worked" Behaviour (0) |_x: u8| size_of_worked();
        differs "size_of_aliased" Behaviour (0) |_x: u8| size_of_aliased();
        differs "size_of_levelled" Behaviour (0) |_x: u8| size_of_levelled();
        differs "size_of_measured" Behaviour (0) |_x: u8| size_of_measured();
        differs "size_of_out" Behaviour (0) |_x: u8| size_of_out::<Worked>();
        differs "size_by_projection" Behaviour (0) |_x: u8| size_by_projection();
        differs "size_by_renamed" Behaviour (0) |_x: u8| size_by_renamed();
        differs "size_by_rewritten" Behaviour (0) |_x: u8| size_by_rewritten();
        differs "by_worked_self_type" Behaviour (0) |x: u32| by_worked_self_type(x);
        differs "by_worked_constant" Behaviour (0) |x: u32| by_worked_constant(x);
        differs "by_inherent" Behaviour (0) |x: u32| by_inherent(x);
        differs "size_by_macro" Behaviour (0) |_x: u8| size_by_macro();
        differs "size_by_filled" Behaviour (0) |_x: u8| size_by_filled();
        same "twice" |x: u8| twice(x as usize);
        same "<S as ByConstant>::number" |_x: u8| <S as ByConstant<{ A + 4 }>>::number();
        same "W::own" |_x: u8| W::<{ A + 6 }>::own();
        same "<S as ByArgument>::number" |_x: u8| ByArgument::<[u8; A]>::number(&S);
        same "<W as BySelfType>::number" |_x: u8| <W<{ A }> as BySelfType>::number();
    }
    claims! { suite, "attack/written_through", written_through_old, written_through_new;
        differs "bump" Behaviour (0) |low: u8| {
            let mut counters = Counters { low, high: 2, table: [0; 3] };
            bump(&mut counters);
            counters.high
        };
        differs "bump_inside" Behaviour (0) |low: u8| {
            let mut counters = Counters { low, high: 2, table: [0; 3] };
            bump_inside(&mut counters);
            counters.high
        };
        differs "write_held" Behaviour (0) |low: u8| {
            let mut counters = Counters { low, high: 2, table: [0; 3] };
            write_held(Holder { of: &mut counters });
            counters.low
        };
        differs "choose" Behaviour (1) |depth: u8| {
            let mut counters = Counters { low: 0, high: 2, table: [0; 3] };
            choose(&mut counters, depth % 4);
            counters.table[2]
        };
        differs "high_after" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab) |c: u64| high_after(c);
        differs "given_back" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab) |c: u64| given_back(c);
        differs "held" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab) |c: u64| held(c);
        differs "left_behind" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab, 0)
            |c: u64, second: u8| left_behind(c, second);
        differs "recursive" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab) |c: u64| recursive(c);
        differs "borrowed_before" Behaviour (0x5eed_5eed_5eed ^ 0x0123_4567_89ab) |c: u64| {
            let inner = Counters { low: 1, high: 2, table: [0; 3] };
            borrowed_before(&mut Outer { inner, other: 0 }, c)
        };
    }
    claims! { suite, "attack/told_apart", told_apart_old, told_apart_new;
        same "made" |_x: u8| made();
        differs "has_room" Behaviour (0) |_x: u8| has_room();
        same "checked" |x: u8| checked(x);
        differs "message" Behaviour (10) |x: u8| message(x);
        same "late" |x: u8| { let mut seen = 0; (late(x, &mut seen), seen) };
        differs "left_behind" Behaviour (0) |x: u8| left_behind(x);
        same "first" |x: u8| first(if x == 0 { "aa" } else { "b" }).to_owned();
        same "one_of" |begin: bool| *one_of(begin);
        differs "is_first" Behaviour (true) |begin: bool| is_first(begin);
        differs "which" Behaviour (true) |begin: bool| which(begin);
        differs "place" Behaviour (0) |x: u8| place(if x == 0 { "aa" } else { "b" });
    }
    claims! { suite, "attack/erased", erased_old, erased_new;
        differs "nothing_of_another_type" Behaviour (0) |_x: u8| {
            use {erased_new::Name as _, erased_old::Name as _};
            nothing_of_another_type().name()
        };
    }
    claims! { suite, "attack/open_types", open_types_old, open_types_new;
        differs "<Square as Shape>::corners" Behaviour (0) |_x: u8| Square.corners();
        differs "<Square as Shape>::touch" Regression (0) |_x: u8| Square.touch();
        differs "overridden" Behaviour (0) |x: u8| overridden(x);
        differs "generic_touch" Regression (77) |x: u8| generic_touch(x);
        differs "touch_at" Regression (77) |x: u8| touch_at(&Square, x);
    }
}
