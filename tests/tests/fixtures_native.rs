//! The fixtures' expectations are facts: each function that is expected to be equal agrees on all, or many, inputs,
//! and each that is expected to differ has a witness of its class and none of a worse one.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;

use regress_tests::cases;
use regress_tests::expectations::Tag;
use regress_tests::native::{Difference, Fact, FieldList, Suite};

/// Includes both versions of a case, as they are on disk.
macro_rules! versions {
    ($($old:ident $old_path:literal $new:ident $new_path:literal;)*) => {$(
        #[path = $old_path]
        #[allow(warnings, clippy::all)]
        mod $old;
        #[path = $new_path]
        #[allow(warnings, clippy::all)]
        mod $new;
    )*};
}

/// Claims about the functions of one case. Each call is written once and compiled against either version.
macro_rules! claims {
    ($suite:ident, $case:literal, $old:ident, $new:ident;) => {};
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        same $name:literal |$($arg:ident: $ty:ty),+| $call:expr; $($rest:tt)*) => {
        $suite.same(
            $case,
            $name,
            |($($arg,)+): ($($ty,)+)| { use $old::*; $call },
            |($($arg,)+): ($($ty,)+)| { use $new::*; $call },
        );
        claims!($suite, $case, $old, $new; $($rest)*);
    };
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        differs $name:literal $class:ident ($($witness:expr),+) |$($arg:ident: $ty:ty),+| $call:expr;
        $($rest:tt)*) => {
        $suite.differs(
            $case,
            $name,
            Difference::$class,
            ($($witness,)+),
            |($($arg,)+): ($($ty,)+)| { use $old::*; $call },
            |($($arg,)+): ($($ty,)+)| { use $new::*; $call },
        );
        claims!($suite, $case, $old, $new; $($rest)*);
    };
    ($suite:ident, $case:literal, $old:ident, $new:ident;
        hangs $name:literal $class:ident $call:expr; $($rest:tt)*) => {
        $suite.hangs($case, $name, Difference::$class, || { use $old::*; $call }, || { use $new::*; $call });
        claims!($suite, $case, $old, $new; $($rest)*);
    };
}

versions! {
    hard_conditions_old "../../fixtures/bounds/hard_conditions/old/src/lib.rs" hard_conditions_new "../../fixtures/bounds/hard_conditions/new/src/lib.rs";
    long_inputs_old "../../fixtures/bounds/long_inputs/old/src/lib.rs" long_inputs_new "../../fixtures/bounds/long_inputs/new/src/lib.rs";
    long_loops_old "../../fixtures/bounds/long_loops/old/src/lib.rs" long_loops_new "../../fixtures/bounds/long_loops/new/src/lib.rs";
    associated_items_old "../../fixtures/differ/associated_items/old/src/lib.rs" associated_items_new "../../fixtures/differ/associated_items/new/src/lib.rs";
    nested_enums_old "../../fixtures/differ/nested_enums/old/src/lib.rs" nested_enums_new "../../fixtures/differ/nested_enums/new/src/lib.rs";
    wide_integers_old "../../fixtures/differ/wide_integers/old/src/lib.rs" wide_integers_new "../../fixtures/differ/wide_integers/new/src/lib.rs";
    refactor_associated_items_old "../../fixtures/refactor/associated_items/old/src/lib.rs" refactor_associated_items_new "../../fixtures/refactor/associated_items/new/src/lib.rs";
    refactor_wide_integers_old "../../fixtures/refactor/wide_integers/old/src/lib.rs" refactor_wide_integers_new "../../fixtures/refactor/wide_integers/new/src/lib.rs";
    boundary_old "../../fixtures/differ/boundary/old/src/lib.rs" boundary_new "../../fixtures/differ/boundary/new/src/lib.rs";
    casts_old "../../fixtures/differ/casts/old/src/lib.rs" casts_new "../../fixtures/differ/casts/new/src/lib.rs";
    characters_old "../../fixtures/differ/characters/old/src/lib.rs" characters_new "../../fixtures/differ/characters/new/src/lib.rs";
    discriminants_old "../../fixtures/differ/discriminants/old/src/lib.rs" discriminants_new "../../fixtures/differ/discriminants/new/src/lib.rs";
    dispatch_old "../../fixtures/differ/dispatch/old/src/lib.rs" dispatch_new "../../fixtures/differ/dispatch/new/src/lib.rs";
    division_old "../../fixtures/differ/division/old/src/lib.rs" division_new "../../fixtures/differ/division/new/src/lib.rs";
    drop_order_old "../../fixtures/differ/drop_order/old/src/lib.rs" drop_order_new "../../fixtures/differ/drop_order/new/src/lib.rs";
    endless_old "../../fixtures/differ/endless/old/src/lib.rs" endless_new "../../fixtures/differ/endless/new/src/lib.rs";
    errors_old "../../fixtures/differ/errors/old/src/lib.rs" errors_new "../../fixtures/differ/errors/new/src/lib.rs";
    indexing_old "../../fixtures/differ/indexing/old/src/lib.rs" indexing_new "../../fixtures/differ/indexing/new/src/lib.rs";
    magic_old "../../fixtures/differ/magic/old/src/lib.rs" magic_new "../../fixtures/differ/magic/new/src/lib.rs";
    missing_arm_old "../../fixtures/differ/missing_arm/old/src/lib.rs" missing_arm_new "../../fixtures/differ/missing_arm/new/src/lib.rs";
    order_of_writes_old "../../fixtures/differ/order_of_writes/old/src/lib.rs" order_of_writes_new "../../fixtures/differ/order_of_writes/new/src/lib.rs";
    overflow_old "../../fixtures/differ/overflow/old/src/lib.rs" overflow_new "../../fixtures/differ/overflow/new/src/lib.rs";
    precedence_old "../../fixtures/differ/precedence/old/src/lib.rs" precedence_new "../../fixtures/differ/precedence/new/src/lib.rs";
    recursion_old "../../fixtures/differ/recursion/old/src/lib.rs" recursion_new "../../fixtures/differ/recursion/new/src/lib.rs";
    repairs_old "../../fixtures/differ/repairs/old/src/lib.rs" repairs_new "../../fixtures/differ/repairs/new/src/lib.rs";
    shifts_old "../../fixtures/differ/shifts/old/src/lib.rs" shifts_new "../../fixtures/differ/shifts/new/src/lib.rs";
    signs_old "../../fixtures/differ/signs/old/src/lib.rs" signs_new "../../fixtures/differ/signs/new/src/lib.rs";
    statics_old "../../fixtures/differ/statics/old/src/lib.rs" statics_new "../../fixtures/differ/statics/new/src/lib.rs";
    struct_update_old "../../fixtures/differ/struct_update/old/src/lib.rs" struct_update_new "../../fixtures/differ/struct_update/new/src/lib.rs";
    traps_old "../../fixtures/differ/traps/old/src/lib.rs" traps_new "../../fixtures/differ/traps/new/src/lib.rs";
    unwrap_old "../../fixtures/differ/unwrap/old/src/lib.rs" unwrap_new "../../fixtures/differ/unwrap/new/src/lib.rs";
    cut_field_list_old "../../fixtures/papers/cut_field_list/old/src/lib.rs" cut_field_list_new "../../fixtures/papers/cut_field_list/new/src/lib.rs";
    cut_field_list_repaired_old "../../fixtures/papers/cut_field_list_repaired/old/src/lib.rs" cut_field_list_repaired_new "../../fixtures/papers/cut_field_list_repaired/new/src/lib.rs";
    cut_range_buffer_old "../../fixtures/papers/cut_range_buffer/old/src/lib.rs" cut_range_buffer_new "../../fixtures/papers/cut_range_buffer/new/src/lib.rs";
    irrelevant_assignment_old "../../fixtures/papers/irrelevant_assignment/old/src/lib.rs" irrelevant_assignment_new "../../fixtures/papers/irrelevant_assignment/new/src/lib.rs";
    negated_absolute_old "../../fixtures/papers/negated_absolute/old/src/lib.rs" negated_absolute_new "../../fixtures/papers/negated_absolute/new/src/lib.rs";
    shadow_threshold_old "../../fixtures/papers/shadow_threshold/old/src/lib.rs" shadow_threshold_new "../../fixtures/papers/shadow_threshold/new/src/lib.rs";
    shadow_underflow_old "../../fixtures/papers/shadow_underflow/old/src/lib.rs" shadow_underflow_new "../../fixtures/papers/shadow_underflow/new/src/lib.rs";
    three_partitions_old "../../fixtures/papers/three_partitions/old/src/lib.rs" three_partitions_new "../../fixtures/papers/three_partitions/new/src/lib.rs";
    three_partitions_assumed_old "../../fixtures/papers/three_partitions_assumed/old/src/lib.rs" three_partitions_assumed_new "../../fixtures/papers/three_partitions_assumed/new/src/lib.rs";
    arrays_old "../../fixtures/refactor/arrays/old/src/lib.rs" arrays_new "../../fixtures/refactor/arrays/new/src/lib.rs";
    bit_tricks_old "../../fixtures/refactor/bit_tricks/old/src/lib.rs" bit_tricks_new "../../fixtures/refactor/bit_tricks/new/src/lib.rs";
    refactor_casts_old "../../fixtures/refactor/casts/old/src/lib.rs" refactor_casts_new "../../fixtures/refactor/casts/new/src/lib.rs";
    refactor_characters_old "../../fixtures/refactor/characters/old/src/lib.rs" refactor_characters_new "../../fixtures/refactor/characters/new/src/lib.rs";
    commutative_old "../../fixtures/refactor/commutative/old/src/lib.rs" commutative_new "../../fixtures/refactor/commutative/new/src/lib.rs";
    conditions_old "../../fixtures/refactor/conditions/old/src/lib.rs" conditions_new "../../fixtures/refactor/conditions/new/src/lib.rs";
    constants_old "../../fixtures/refactor/constants/old/src/lib.rs" constants_new "../../fixtures/refactor/constants/new/src/lib.rs";
    drop_old "../../fixtures/refactor/drop/old/src/lib.rs" drop_new "../../fixtures/refactor/drop/new/src/lib.rs";
    enums_old "../../fixtures/refactor/enums/old/src/lib.rs" enums_new "../../fixtures/refactor/enums/new/src/lib.rs";
    generics_old "../../fixtures/refactor/generics/old/src/lib.rs" generics_new "../../fixtures/refactor/generics/new/src/lib.rs";
    helpers_old "../../fixtures/refactor/helpers/old/src/lib.rs" helpers_new "../../fixtures/refactor/helpers/new/src/lib.rs";
    impossible_branches_old "../../fixtures/refactor/impossible_branches/old/src/lib.rs" impossible_branches_new "../../fixtures/refactor/impossible_branches/new/src/lib.rs";
    loops_old "../../fixtures/refactor/loops/old/src/lib.rs" loops_new "../../fixtures/refactor/loops/new/src/lib.rs";
    mutable_references_old "../../fixtures/refactor/mutable_references/old/src/lib.rs" mutable_references_new "../../fixtures/refactor/mutable_references/new/src/lib.rs";
    operators_old "../../fixtures/refactor/operators/old/src/lib.rs" operators_new "../../fixtures/refactor/operators/new/src/lib.rs";
    panics_kept_old "../../fixtures/refactor/panics_kept/old/src/lib.rs" panics_kept_new "../../fixtures/refactor/panics_kept/new/src/lib.rs";
    question_mark_old "../../fixtures/refactor/question_mark/old/src/lib.rs" question_mark_new "../../fixtures/refactor/question_mark/new/src/lib.rs";
    refactor_recursion_old "../../fixtures/refactor/recursion/old/src/lib.rs" refactor_recursion_new "../../fixtures/refactor/recursion/new/src/lib.rs";
    slices_old "../../fixtures/refactor/slices/old/src/lib.rs" slices_new "../../fixtures/refactor/slices/new/src/lib.rs";
    structs_old "../../fixtures/refactor/structs/old/src/lib.rs" structs_new "../../fixtures/refactor/structs/new/src/lib.rs";
    sum_formula_old "../../fixtures/refactor/sum_formula/old/src/lib.rs" sum_formula_new "../../fixtures/refactor/sum_formula/new/src/lib.rs";
}

#[allow(unused_imports, clippy::all)]
fn refactorings(suite: &mut Suite) {
    claims! { suite, "refactor/sum_formula", sum_formula_old, sum_formula_new;
        same "triangle_small" |n: u8| triangle_small(n);
        same "triangle_wide" |n: u8| triangle_wide(n);
        same "times_by_addition" |a: u32, b: u32| times_by_addition(a, b);
    }
    claims! { suite, "refactor/conditions", conditions_old, conditions_new;
        same "leap_year" |year: u32| leap_year(year);
        same "outside" |x: i32, low: i32, high: i32| outside(x, low, high);
        same "grade" |points: u8| grade(points);
        same "both_or_neither" |a: bool, b: bool| both_or_neither(a, b);
        same "classify" |x: i32, y: i32| classify(x, y);
    }
    claims! { suite, "refactor/bit_tricks", bit_tricks_old, bit_tricks_new;
        same "is_power_of_two" |x: u32| is_power_of_two(x);
        same "floor_average" |a: u8, b: u8| floor_average(a, b);
        same "is_odd" |x: i32| is_odd(x);
        same "is_negative" |x: i32| is_negative(x);
        same "wrapping_abs" |x: i32| wrapping_abs(x);
        same "times_eight" |x: u32| times_eight(x);
        same "slot" |hash: u32| slot(hash);
        same "swap" |a: u32, b: u32| swap(a, b);
        same "same_sign" |a: i32, b: i32| same_sign(a, b);
        same "parity" |x: u8| parity(x);
    }
    claims! { suite, "refactor/question_mark", question_mark_old, question_mark_new;
        same "digit" |byte: u8| digit(byte);
        same "two_digits" |high: u8, low: u8| two_digits(high, low);
        same "positive" |x: i32| positive(x).map_err(|error| error.0);
        same "half_of_positive" |x: i32| half_of_positive(x).map_err(|error| error.0);
        same "converted" |x: i32| converted(x).map_err(|error| error.code);
    }
    claims! { suite, "refactor/constants", constants_old, constants_new;
        same "within" |x: u32| within(x);
        same "scaled" |x: u32| scaled(x);
        same "days" |month: u8| days(month);
    }
    claims! { suite, "refactor/slices", slices_old, slices_new;
        same "total" |items: Vec<u8>| total(&items);
        same "contains_zero" |items: Vec<u8>| contains_zero(&items);
        same "last_or" |items: Vec<u16>, default: u16| last_or(&items, default);
        same "double_all" |items: Vec<u8>| { let mut items = items; double_all(&mut items); items };
    }
    claims! { suite, "refactor/commutative", commutative_old, commutative_new;
        same "sum" |a: i32, b: i32| sum(a, b);
        same "product" |a: u16, b: u16| product(a, b);
        same "regrouped" |a: u32, b: u32, c: u32| regrouped(a, b, c);
        same "distributed" |a: u8, b: u8, c: u8| distributed(a, b, c);
        same "three_terms" |a: u32, b: u32, c: u32| three_terms(a, b, c);
        same "masked" |a: u64, b: u64, mask: u64| masked(a, b, mask);
    }
    claims! { suite, "refactor/casts", refactor_casts_old, refactor_casts_new;
        same "widen" |x: i8| widen(x);
        same "code" |byte: u8| code(byte);
        same "flag" |on: bool| flag(on);
        same "low_byte" |x: u32| low_byte(x);
        same "sign_extended" |x: u8| sign_extended(x);
        same "in_range" |x: i64| in_range(x);
    }
    claims! { suite, "refactor/enums", enums_old, enums_new;
        same "weight" |i: u8| weight(match i % 3 { 0 => Level::Low, 1 => Level::Middle, _ => Level::High });
        same "cells" |i: u8, width: u8, height: u8| cells(&match i % 3 {
            0 => Shape::Dot,
            1 => Shape::Line(width),
            _ => Shape::Box { width, height },
        });
        same "flat" |i: u8, width: u8, height: u8| flat(&match i % 3 {
            0 => Shape::Dot,
            1 => Shape::Line(width),
            _ => Shape::Box { width, height },
        });
        same "grown" |i: u8| grown(match i % 3 { 0 => Level::Low, 1 => Level::Middle, _ => Level::High }) as u32;
    }
    claims! { suite, "refactor/structs", structs_old, structs_new;
        same "Account::closed" |id: u32, balance: i64, open: bool| {
            let account = Account { id, balance, open }.closed();
            (account.id, account.balance, account.open)
        };
        same "Account::deposit" |balance: i64, amount: u32| {
            let mut account = Account { id: 1, balance, open: true };
            account.deposit(amount);
            (account.id, account.balance, account.open)
        };
        same "Account::usable" |balance: i64, open: bool| Account { id: 1, balance, open }.usable();
        same "sorted" |a: u8, b: u8| { let pair = sorted(Pair(a, b)); (pair.0, pair.1) };
    }
    claims! { suite, "refactor/helpers", helpers_old, helpers_new;
        same "clamp_small" |x: u32| clamp_small(x);
        same "area" |width: u32, height: u32| area(width, height);
        same "ring" |outer: u32, inner: u32| ring(outer, inner);
        same "caller" |x: u32| caller(x);
    }
    claims! { suite, "refactor/generics", generics_old, generics_new;
        same "Measure::doubled" |links: u8, link: u8| Chain { links, link }.doubled();
        same "<Chain as Measure>::length" |links: u8, link: u8| Chain { links, link }.length();
        same "longer" |rod: u16, links: u8, link: u8| longer(&Chain { links, link }, &Rod(rod));
        same "compare" |rod: u16, links: u8, link: u8| compare(Rod(rod), Chain { links, link });
        same "pick" |first: bool, a: u32, b: u32| pick(first, a, b);
        same "twice" |rod: u16| twice(Rod(rod));
    }
    claims! { suite, "refactor/operators", operators_old, operators_new;
        same "<Vec2 as Add>::add" |a: i16, b: i16, c: i16, d: i16| {
            let sum = Vec2 { x: a, y: b } + Vec2 { x: c, y: d };
            (sum.x, sum.y)
        };
        same "<Vec2 as Sub>::sub" |a: i16, b: i16, c: i16, d: i16| {
            let sum = Vec2 { x: a, y: b } - Vec2 { x: c, y: d };
            (sum.x, sum.y)
        };
        same "reflect" |a: i16, b: i16, c: i16, d: i16| {
            let point = reflect(Vec2 { x: a, y: b }, Vec2 { x: c, y: d });
            (point.x, point.y)
        };
        same "back" |a: i16, b: i16, c: i16, d: i16| {
            let point = back(Vec2 { x: a, y: b }, Vec2 { x: c, y: d });
            (point.x, point.y)
        };
    }
    claims! { suite, "refactor/mutable_references", mutable_references_old, mutable_references_new;
        same "exchange" |a: u32, b: u32| { let (mut a, mut b) = (a, b); exchange(&mut a, &mut b); (a, b) };
        same "record" |hits: u32, misses: u32, hit: bool| {
            let mut counter = Counter { hits, misses };
            record(&mut counter, hit);
            (counter.hits, counter.misses)
        };
        same "reset" |hits: u32, misses: u32| {
            let mut counter = Counter { hits, misses };
            reset(&mut counter);
            (counter.hits, counter.misses)
        };
        same "bump" |value: u8| { let mut value = value; (bump(&mut value), value) };
        same "larger" |a: u32, b: u32| {
            let (mut a, mut b) = (a, b);
            *larger(&mut a, &mut b) = 77;
            (a, b)
        };
        same "larger" |a: bool, b: bool| {
            let (mut a, mut b) = (a as u32, b as u32);
            *larger(&mut a, &mut b) = 77;
            (a, b)
        };
        same "clear_larger" |a: u32, b: u32| {
            let (mut a, mut b) = (a, b);
            clear_larger(&mut a, &mut b);
            (a, b)
        };
    }
    claims! { suite, "refactor/recursion", refactor_recursion_old, refactor_recursion_new;
        same "factorial" |n: u8| factorial(n);
        same "fibonacci" |n: u8| fibonacci(n);
        same "gcd" |a: u8, b: u8| gcd(a, b);
        same "bits" |x: u8| bits(x);
    }
    claims! { suite, "refactor/arrays", arrays_old, arrays_new;
        same "sum" |a: [u8; 4]| sum(a);
        same "largest" |a: [i16; 3]| largest(a);
        same "reversed" |a: [u8; 4]| reversed(a);
        same "big_endian" |a: [u8; 4]| big_endian(a);
        same "at" |a: [u8; 8], i: usize| at(&a, i);
        same "rotate" |a: [u8; 3]| { let mut a = a; rotate(&mut a); a };
    }
    claims! { suite, "refactor/impossible_branches", impossible_branches_old, impossible_branches_new;
        same "remainder" |x: u32| remainder(x);
        same "table" |x: u8| table(x);
        same "square_residue" |x: u8| square_residue(x);
        same "absolute" |x: i16| absolute(x);
        same "halves" |x: u32| halves(x);
    }
    claims! { suite, "refactor/panics_kept", panics_kept_old, panics_kept_new;
        same "checked_half" |x: u32| checked_half(x);
        same "told_half" |x: u32| told_half(x);
        same "get" |a: [u8; 4], i: usize| get(&a, i);
        same "need" |x: Option<u8>| need(x);
        same "divide" |a: u32, b: u32| divide(a, b);
        same "last" |a: [u8; 4], count: u8| last(a, count);
    }
    claims! { suite, "refactor/loops", loops_old, loops_new;
        same "first_multiple" |from: u8, of: u8| first_multiple(from, of);
        same "odd_sum" |a: [u8; 4]| odd_sum(a);
        same "pair_with_sum" |a: [u8; 3], goal: u8| pair_with_sum(a, goal);
        same "pair_with_sum" |a: [bool; 3], goal: bool| pair_with_sum(a.map(u8::from), goal as u8);
        same "trailing_zeros" |x: u8| trailing_zeros(x);
    }
    claims! { suite, "refactor/characters", refactor_characters_old, refactor_characters_new;
        same "is_word" |c: char| is_word(c);
        same "hex_value" |byte: u8| hex_value(byte);
        same "lower" |byte: u8| lower(byte);
        same "is_ascii" |c: char| is_ascii(c);
    }
    claims! { suite, "refactor/wide_integers", refactor_wide_integers_old, refactor_wide_integers_new;
        same "join" |high: u64, low: u64| join(high, low);
        same "high_product" |a: u64, b: u64| high_product(a, b);
        same "distance" |a: isize, b: isize| distance(a, b);
        same "negative" |x: i128| negative(x);
        same "aligned" |address: usize| aligned(address);
    }
    claims! { suite, "refactor/associated_items", refactor_associated_items_old, refactor_associated_items_new;
        same "Ring::step" |at: u8| { let mut ring = Ring { at }; ring.step(); ring.at };
        same "in_seconds" |amount: u16| in_seconds::<Hour>(amount);
        same "hours" |amount: u16| hours(amount);
        same "sum" |items: [u8; 5]| sum(items);
        same "sum_of_three" |items: [u8; 3]| sum_of_three(items);
    }
    claims! { suite, "refactor/drop", drop_old, drop_new;
        same "<Tally as Drop>::drop" |log: u32, step: u32| {
            let mut log = log;
            std::mem::drop(Tally { log: &mut log, step });
            log
        };
        same "once" |log: u32, step: u32| { let mut log = log; once(&mut log, step); log };
        same "nested" |log: u32, early: bool| { let mut log = log; (nested(&mut log, early), log) };
    }
}

#[allow(unused_imports, clippy::all)]
fn differences(suite: &mut Suite) {
    claims! { suite, "differ/boundary", boundary_old, boundary_new;
        differs "adult" Behaviour (18) |age: u8| adult(age);
        differs "fits" Behaviour (4096) |x: u32| fits(x);
        differs "sum_first" Regression ([1, 2, 3, 4], 5) |a: [u8; 4], n: u8| sum_first(&a, n);
        differs "sum_up_to" Behaviour (1) |n: u8| sum_up_to(n);
        differs "previous" Regression ([1, 2, 3, 4], 0) |a: [u8; 4], i: usize| previous(&a, i);
    }
    claims! { suite, "differ/overflow", overflow_old, overflow_new;
        differs "plus_one" Regression (u32::MAX) |x: u32| plus_one(x);
        differs "difference" Regression (0, 1) |a: u8, b: u8| difference(a, b);
        differs "middle" Fix (u32::MAX, 1) |low: u32, high: u32| middle(low, high);
        differs "square" Fix (256) |x: u16| square(x);
        differs "hash" Regression (1, u32::MAX) |x: u32, y: u32| hash(x, y);
        differs "sum" Regression (-1, i32::MAX, 1) |a: i32, b: i32, c: i32| sum(a, b, c);
    }
    claims! { suite, "differ/missing_arm", missing_arm_old, missing_arm_new;
        differs "apply" Behaviour (1, 3, 1) |op: u8, a: i16, b: i16|
            apply(match op % 3 { 0 => Op::Add, 1 => Op::Sub, _ => Op::Mul }, a, b);
        differs "days" Behaviour (9, false) |month: u8, leap: bool| days(month, leap);
        differs "colour" Regression (3) |code: u8| colour(code);
        differs "priority" Behaviour (1) |op: u8|
            priority(match op % 3 { 0 => Op::Add, 1 => Op::Sub, _ => Op::Mul });
    }
    claims! { suite, "differ/signs", signs_old, signs_new;
        differs "magnitude" Regression (i32::MIN) |x: i32| magnitude(x);
        differs "weekday" Behaviour (-1) |day: i32| weekday(day);
        differs "below" Behaviour (-1, 0) |a: i32, b: i32| below(a, b);
        differs "halve" Behaviour (-1) |x: i32| halve(x);
        differs "direction" Regression (i16::MIN, 1) |from: i16, to: i16| direction(from, to);
    }
    claims! { suite, "differ/precedence", precedence_old, precedence_new;
        differs "flagged" Behaviour (1, 0) |x: u8, y: u8| flagged(x, y);
        differs "packed" Behaviour (1, 1) |high: u8, low: u8| packed(high, low);
        differs "allowed" Behaviour (true, false, true)
            |admin: bool, owner: bool, locked: bool| allowed(admin, owner, locked);
        differs "linear" Behaviour (1, 0, 2) |a: u32, b: u32, c: u32| linear(a, b, c);
        differs "valid" Behaviour (-1, 0) |x: i32, y: i32| valid(x, y);
    }
    claims! { suite, "differ/shifts", shifts_old, shifts_new;
        differs "mask" Regression (32) |bits: u32| mask(bits);
        differs "top_bit" Behaviour (1 << 30) |x: u32| top_bit(x);
        differs "high_half" Behaviour (1 << 31) |x: u64| high_half(x);
        differs "rotated" Regression (1, 8) |x: u8, by: u8| rotated(x, by);
        differs "sign_fill" Behaviour (-1) |x: i32| sign_fill(x);
    }
    claims! { suite, "differ/casts", casts_old, casts_new;
        differs "total" Behaviour (255, 1) |a: u8, b: u8| total(a, b);
        differs "length" Behaviour (1 << 32) |x: u64| length(x);
        differs "offset" Behaviour (-1) |delta: i8| offset(delta);
        differs "letter" Regression (255) |index: u8| letter(index);
        differs "area" Regression (256, 256) |width: u16, height: u16| area(width, height);
    }
    claims! { suite, "differ/unwrap", unwrap_old, unwrap_new;
        differs "position" Regression ([0, 1, 2], 3) |a: [u8; 3], wanted: u8| position(&a, wanted);
        differs "parsed" Fix (10) |byte: u8| parsed(byte);
        differs "next" Regression (10) |byte: u8| next(byte);
        differs "or_zero" Behaviour (10) |byte: u8| or_zero(byte);
    }
    claims! { suite, "differ/discriminants", discriminants_old, discriminants_new;
        differs "code" Behaviour (1) |i: u8|
            code(match i % 3 { 0 => Status::Ok, 1 => Status::Missing, _ => Status::Broken });
        same "is_error" |i: u8|
            is_error(match i % 3 { 0 => Status::Ok, 1 => Status::Missing, _ => Status::Broken });
        differs "from_code" Behaviour (404) |number: u32| from_code(number).map(|status| match status {
            Status::Ok => "ok",
            Status::Missing => "missing",
            Status::Broken => "broken",
        });
    }
    claims! { suite, "differ/struct_update", struct_update_old, struct_update_new;
        differs "Timer::tick" Behaviour (1, 0, true) |left: u16, rounds: u8, running: bool| {
            let mut timer = Timer { left, rounds, running };
            timer.tick();
            (timer.left, timer.rounds, timer.running)
        };
        differs "Timer::restart" Behaviour (9, 4) |left: u16, rounds: u8| {
            let timer = Timer { left: 1, rounds, running: false }.restart(left);
            (timer.left, timer.rounds, timer.running)
        };
        differs "corners" Behaviour (1, 2) |x: i16, y: i16| corners(x, y);
    }
    claims! { suite, "differ/drop_order", drop_order_old, drop_order_new;
        differs "in_order" Behaviour (0, 0) |first: u32, value: u32| {
            let mut first = first;
            (in_order(&mut first, value), first)
        };
        differs "leaves_scope" Behaviour (0) |log: u32| { let mut log = log; (leaves_scope(&mut log), log) };
        differs "forgotten" Behaviour (1, 2) |log: u32, digit: u32| {
            let mut log = log;
            forgotten(&mut log, digit);
            log
        };
        differs "two" Behaviour (0) |log: u32| { let mut log = log; two(&mut log); log };
    }
    claims! { suite, "differ/endless", endless_old, endless_new;
        hangs "halvings" Regression halvings(5);
        hangs "skip_spaces" Regression skip_spaces(b"x   ") + skip_spaces(b"   x");
        hangs "count_down" Regression count_down(1, 2);
        hangs "until_even" Fix until_even(1);
    }
    claims! { suite, "differ/magic", magic_old, magic_new;
        differs "unlock" Behaviour (0xDEAD_BEEF) |key: u32| unlock(key);
        differs "header" Behaviour (*b"\x7fELF") |bytes: [u8; 4]| header(&bytes);
        differs "combine" Behaviour (0x1234_5678, 0x1234_5678 + 77) |a: u32, b: u32| combine(a, b);
        differs "guarded" Regression (inverse_odd(0x9E37_79B9_7F4A_7C15).wrapping_mul(42)) |x: u64| guarded(x);
        differs "spaced" Behaviour (123_456_789, 370_370_368) |a: i32, b: i32| spaced(a, b);
    }
    claims! { suite, "differ/recursion", recursion_old, recursion_new;
        differs "power" Behaviour (2, 1) |base: u32, exponent: u8| power(base, exponent);
        differs "sum_digits" Behaviour (10) |x: u16| sum_digits(x);
        differs "is_even" Behaviour (1) |n: u8| is_even(n);
        differs "is_odd" Behaviour (0) |n: u8| is_odd(n);
        same "steps" |n: u8| if n == 0 { 0 } else { steps(n) };
    }
    claims! { suite, "differ/statics", statics_old, statics_new;
        differs "above" Behaviour (101) |x: u32| above(x);
        differs "above_half" Behaviour (51) |x: u32| above_half(x);
        differs "entry" Behaviour (3) |i: u8| entry(i);
        same "first_entries" |i: u8| first_entries(i);
        same "far_above" |x: u32| far_above(x);
    }
    claims! { suite, "differ/dispatch", dispatch_old, dispatch_new;
        differs "<Toy as Cost>::cost" Behaviour (0) |price: u16| Toy { price }.cost();
        differs "two_books" Behaviour (10, 0) |a: u16, b: u16| two_books(Book { pages: a }, Book { pages: b });
        differs "two_toys" Behaviour (0, 0) |a: u16, b: u16| two_toys(Toy { price: a }, Toy { price: b });
        differs "toy_cost" Behaviour (0) |price: u16| toy_cost(Toy { price });
    }
    claims! { suite, "differ/indexing", indexing_old, indexing_new;
        differs "first" Regression (vec![]) |items: Vec<u8>| first(&items);
        differs "is_sorted" Regression (vec![1]) |items: Vec<u8>| is_sorted(&items);
        differs "last" Behaviour (vec![1, 2]) |items: Vec<u8>| last(&items);
        differs "set" Behaviour (vec![1, 2], 1, 9) |items: Vec<u8>, i: usize, value: u8| {
            let mut items = items;
            (set(&mut items, i, value), items)
        };
        differs "tail_sum" Behaviour (vec![1, 2]) |items: Vec<u8>| tail_sum(&items);
    }
    claims! { suite, "differ/errors", errors_old, errors_new;
        differs "check" Behaviour (vec![0; 4]) |items: Vec<u8>| check(&items).map_err(|fault| match fault {
            Fault::Empty => (0, 0, 0),
            Fault::TooLong(length) => (1, length, 0),
            Fault::Bad { at, byte } => (2, at, byte),
        });
        differs "ratio" Behaviour (1, 0) |a: u32, b: u32| ratio(a, b);
        differs "both" Behaviour (1, 0, 1) |a: u32, b: u32, c: u32| both(a, b, c);
    }
    claims! { suite, "differ/order_of_writes", order_of_writes_old, order_of_writes_new;
        differs "update" Behaviour (0) |x: u8| { let mut x = x; update(&mut x); x };
        differs "shift" Behaviour (1, 2, 3) |a: u8, b: u8, input: u8| {
            let mut state = State { a, b };
            shift(&mut state, input);
            (state.a, state.b)
        };
        differs "take" Behaviour (Some(1)) |slot: Option<u8>| { let mut slot = slot; (take(&mut slot), slot) };
    }
    claims! { suite, "differ/division", division_old, division_new;
        differs "share" Regression (1, 0) |total: u32, people: u32| share(total, people);
        differs "pages" Fix (1, 0) |items: u32, per_page: u32| pages(items, per_page);
        differs "rounded_up" Regression (u32::MAX) |x: u32| rounded_up(x);
        differs "opposite_share" Regression (i32::MIN, -1) |total: i32, people: i32| opposite_share(total, people);
        differs "wraps" Regression (1, 0) |x: u32, size: u32| wraps(x, size);
    }
    claims! { suite, "differ/characters", characters_old, characters_new;
        differs "is_letter" Behaviour ('z') |c: char| is_letter(c);
        differs "rot13" Behaviour (b'A') |byte: u8| rot13(byte);
        differs "utf8_length" Behaviour ('\u{800}') |c: char| utf8_length(c);
        differs "is_quote" Behaviour ('\'') |c: char| is_quote(c);
    }
    claims! { suite, "differ/repairs", repairs_old, repairs_new;
        differs "at" Fix (vec![], 0) |items: Vec<u8>, i: usize| at(&items, i);
        differs "minus" Fix (0, 1) |a: u32, b: u32| minus(a, b);
        differs "require" Fix (None) |x: Option<u16>| require(x);
        differs "tag" Fix (0xc0) |x: u8| tag(x);
    }
    claims! { suite, "differ/associated_items", associated_items_old, associated_items_new;
        differs "Ring::step" Behaviour (11) |at: u8| { let mut ring = Ring { at }; ring.step(); ring.at };
        differs "hours" Behaviour (1) |amount: u16| hours(amount);
        differs "filled" Behaviour (1) |value: u8| filled::<4>(value);
        differs "three" Behaviour (1) |value: u8| three(value);
    }
    claims! { suite, "differ/nested_enums", nested_enums_old, nested_enums_new;
        differs "next" Behaviour (b'+') |byte: u8| next(byte).map(|token| token.map(|token| match token {
            Token::Number(number) => (0, number),
            Token::Sign { negative } => (1, negative as u8),
            Token::End => (2, 0),
        }));
        differs "is_minus" Behaviour (2, false) |i: u8, negative: bool| is_minus(match i % 3 {
            0 => Token::Number(i),
            1 => Token::Sign { negative },
            _ => Token::End,
        });
        differs "value" Behaviour (Some(None)) |token: Option<Option<u8>>| value(token);
        differs "depth" Behaviour (Some(0)) |state: Option<u8>| depth(state);
    }
    claims! { suite, "differ/wide_integers", wide_integers_old, wide_integers_new;
        differs "join" Behaviour (0, 1 << 63) |high: u64, low: u64| join(high, low);
        differs "sum" Behaviour (u64::MAX, 1) |a: u64, b: u64| sum(a, b);
        differs "negative" Behaviour (1 << 63) |x: i128| negative(x);
        differs "index" Behaviour (3, 3) |offset: i64, length: usize| index(offset, length);
    }
    claims! { suite, "differ/traps", traps_old, traps_new;
        differs "push" Regression ([1, 2], 2, 3) |stack: [u8; 2], top: usize, value: u8| {
            let (mut stack, mut top) = (stack, top);
            (push(&mut stack, &mut top, value), stack, top)
        };
        differs "safe_ratio" Regression (1, 0) |a: u32, b: u32| safe_ratio(a, b);
        differs "pick" Behaviour ([1, 2, 3, 4], 4) |a: [u8; 4], i: usize| pick(&a, i);
        same "step" |x: u8| step(x);
        same "same" |a: u8, b: u8| same(a, b);
    }
}

#[allow(unused_imports, clippy::all)]
fn papers(suite: &mut Suite) {
    claims! { suite, "papers/three_partitions", three_partitions_old, three_partitions_new;
        same "sample" |x: i32, y: i32, z: i32| sample(x, y, z);
    }
    claims! { suite, "papers/three_partitions_assumed", three_partitions_assumed_old, three_partitions_assumed_new;
        same "sample" |x: i32, y: i32, z: i32| sample(x, y, z);
    }
    claims! { suite, "papers/irrelevant_assignment", irrelevant_assignment_old, irrelevant_assignment_new;
        differs "small" Behaviour (2) |x: i32| small(x);
        same "unused" |x: i32| unused(x);
    }
    claims! { suite, "papers/shadow_threshold", shadow_threshold_old, shadow_threshold_new;
        differs "patched" Behaviour (20) |x: i32| patched(x);
        same "weakened" |a: bool, b: bool, x: u8| weakened(a, b, x);
        differs "strengthened" Behaviour (1, 0) |x: i32, y: i32| strengthened(x, y);
    }
    claims! { suite, "papers/shadow_underflow", shadow_underflow_old, shadow_underflow_new;
        differs "foo" Regression ([1, 2, 3], 0) |arr: [u8; 3], x: i32| {
            let mut arr = arr;
            (foo(&mut arr, x), arr)
        };
        differs "reached" Behaviour (i32::MIN) |x: i32| reached(x);
    }
    claims! { suite, "papers/cut_field_list", cut_field_list_old, cut_field_list_new;
        differs "first_field" Regression (FieldList(b"0-".to_vec())) |list: FieldList| {
            first_field(&list.0).map_err(|ListError::Unexpected(byte)| byte)
        };
    }
    claims! { suite, "papers/cut_field_list_repaired", cut_field_list_repaired_old, cut_field_list_repaired_new;
        same "is_digit" |byte: u8| is_digit(byte);
        differs "first_field" Fix (FieldList(b"0-".to_vec())) |list: FieldList| {
            first_field(&list.0).map_err(|error| match error {
                ListError::Unexpected(byte) => Some(byte),
                ListError::FromZero => None,
            })
        };
    }
    claims! { suite, "papers/cut_range_buffer", cut_range_buffer_old, cut_range_buffer_new;
        differs "mark_start" Regression (2, 7, true) |largest_end: u8, open_start: u8, delimiter: bool| {
            mark_start(&Ranges { largest_end, open_start, delimiter })
        };
    }
    claims! { suite, "papers/negated_absolute", negated_absolute_old, negated_absolute_new;
        differs "negated_absolute" Behaviour (-1) |x: i32| negated_absolute(x);
        differs "negated_absolute_checked" Behaviour (-1) |x: i32| negated_absolute_checked(x);
        same "asserted_only" |x: i32| asserted_only(x);
    }
}

#[allow(unused_imports, clippy::all)]
fn bounds(suite: &mut Suite) {
    claims! { suite, "bounds/long_inputs", long_inputs_old, long_inputs_new;
        differs "total" Behaviour (vec![1; 3001]) |items: Vec<u8>| total(&items);
        differs "fits" Behaviour (vec![0; 5000]) |items: Vec<u8>| fits(&items);
        differs "last_index" Regression (vec![0; 65_536]) |items: Vec<u8>| last_index(&items);
    }
    claims! { suite, "bounds/long_loops", long_loops_old, long_loops_new;
        differs "descend" Behaviour (250) |n: u8| descend(n as u16 * 16);
    }
    // A run of a million rounds takes its time: the witness alone.
    let witness = 700_000;
    assert_ne!(long_loops_old::rounds(witness), long_loops_new::rounds(witness));
    suite.record("bounds/long_loops", "rounds", Fact::Differs(Difference::Behaviour));
    claims! { suite, "bounds/hard_conditions", hard_conditions_old, hard_conditions_new;
        differs "secret" Behaviour (0, 0) |x: u64, y: u64| secret(x, y);
        differs "admitted" Behaviour (0x87a6_ea52_7464_98d3) |x: u64| admitted(x);
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse_odd(x: u64) -> u64 {
    (0..6).fold(x, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse))))
}

fn facts() -> Suite {
    let mut suite = Suite::default();
    refactorings(&mut suite);
    differences(&mut suite);
    papers(&mut suite);
    bounds(&mut suite);
    suite
}

/// `steps(0)` of the new version recurses without end, which takes the whole process down.
const STEPS: (&str, &str) = ("differ/recursion", "steps");

#[test]
fn a_lost_base_case_overflows_the_stack() {
    const IN_CHILD: &str = "REGRESS_TESTS_OVERFLOW";
    if env::var_os(IN_CHILD).is_some() {
        println!("{}", recursion_new::steps(0));
        return;
    }
    assert_eq!(recursion_old::steps(0), 0);
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "a_lost_base_case_overflows_the_stack"])
        .env(IN_CHILD, "1")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && error.contains("overflowed its stack"), "{error}");
}

#[test]
fn claims_hold_and_cover_the_expectations() {
    let mut suite = facts();
    assert!(suite.failures.is_empty(), "{}", suite.failures.join("\n"));
    let key = (STEPS.0.to_string(), STEPS.1.to_string());
    assert_eq!(suite.facts.insert(key, Fact::Differs(Difference::Regression)), Some(Fact::Same));

    let mut wrong = Vec::new();
    for ((case, function), verdicts) in expected() {
        let fact = suite.facts.remove(&(case.clone(), function.clone()));
        if !agrees(&verdicts, fact.as_ref()) {
            wrong.push(format!("{case}: {function}: expected {verdicts:?}, known {fact:?}"));
        }
    }
    wrong.extend(suite.facts.keys().map(|(case, function)| format!("{case}: there is no `{function}`")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the lines of the new versions say, by case and path.
fn expected() -> BTreeMap<(String, String), Vec<Tag>> {
    let mut expected = BTreeMap::new();
    for case in cases::all().unwrap_or_else(|error| panic!("{error}")) {
        for function in case.new.functions {
            let verdicts = function.expectation.map(|expectation| expectation.verdicts).unwrap_or_default();
            expected.insert((case.name.clone(), function.path), verdicts);
        }
    }
    expected
}

/// Whether the expectation follows from what is known natively. What is different may still go unnoticed, but never
/// be called equal; what is equal may never be called different.
fn agrees(verdicts: &[Tag], fact: Option<&Fact>) -> bool {
    let claims_equality = verdicts.contains(&Tag::Equal) || verdicts.contains(&Tag::Unchanged);
    match fact {
        Some(Fact::Same) => {
            verdicts.iter().any(|tag| tag.claims_same())
                && !verdicts.iter().any(|tag| tag.claims_difference())
        }
        Some(Fact::Differs(class)) => {
            let tag = match class {
                Difference::Regression => Tag::Regression,
                Difference::Behaviour => Tag::Behaviour,
                Difference::Fix => Tag::Fix,
            };
            !claims_equality && (verdicts.contains(&tag) || verdicts.contains(&Tag::Differs))
        }
        // Functions that one version lacks and unchanged ones need no fact.
        None => {
            verdicts.iter().all(|tag| !tag.claims_same() && !tag.claims_difference())
                || verdicts.contains(&Tag::Unchanged)
        }
    }
}
