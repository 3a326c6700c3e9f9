//! What is refactored does the same.

use regress_tests::native::Suite;

use crate::times::{duration, time};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::atomic::AtomicU16;
use std::sync::{Arc, Mutex};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "refactor/representations", same_representations_old, same_representations_new;
        same "Cart::new" |_x: u8| drop(Cart::new());
        same "Cart::add" |what: u8, price: u8| Cart::new().add(what, price);
        same "Name::new" |letter: char| drop(Name::new(&letter.to_string()));
        same "Access::of" |level: u8| drop(Access::of(level));
        same "Span::new" |start: u16, end: u16| Span::new(start, end).is_some();
        same "Percent::of" |percent: u8| drop(Percent::of(percent));
        same "Percent::more" |percent: u8, by: u8| drop(Percent::of(percent).more(by));
        same "Colour::new" |_x: u8| drop(Colour::new());
        same "Colour::next" |_x: u8| Colour::new().next();
        same "Sum::new" |_x: u8| drop(Sum::new());
        same "Sum::add" |number: u32| Sum::new().add(number);
        same "Limit::none" |_x: u8| drop(Limit::none());
        same "Limit::at" |most: u16| drop(Limit::at(most));
        same "Place::at" |x: i16, y: i16| drop(Place::at(x, y));
        same "Place::turned" |x: i16, y: i16| drop(Place::at(x, y).turned());
        same "Switches::new" |left: bool, right: bool| drop(Switches::new(left, right));
        same "Switches::flip_left" |left: bool, right: bool| Switches::new(left, right).flip_left();
        same "Cart::total" |what: u8, one: u8, other: u8| { let mut c = Cart::new(); c.add(what, one); c.add(what, other); c.add(7, 7); c.total() };
        same "Name::is_empty" |letter: char| Name::new(&letter.to_string()).is_empty();
        same "Name::initial" |letter: char| Name::new(&letter.to_string()).initial();
        same "Access::may_read" |level: u8| Access::of(level).may_read();
        same "Access::may_write" |level: u8| Access::of(level).may_write();
        same "Span::contains" |start: u16, end: u16, at: u16| Span::new(start, end).map(|span| span.contains(at));
        same "Span::len" |start: u16, end: u16| Span::new(start, end).map(|span| span.len());
        same "Percent::value" |percent: u8, by: u8| Percent::of(percent).more(by).value();
        same "Colour::name" |times: u8| { let mut c = Colour::new(); for _ in 0..times { c.next(); } c.name() };
        same "Sum::mean" |one: u32, other: u32| { let mut s = Sum::new(); s.add(one); s.add(other); s.mean() };
        same "Limit::is_over" |most: u16, count: u32| (Limit::at(most).is_over(count), Limit::none().is_over(count));
        same "Place::is_left_of" |x: i16, y: i16, u: i16, v: i16| Place::at(x, y).turned().turned().is_left_of(&Place::at(u, v));
        same "Switches::any" |left: bool, right: bool| { let mut s = Switches::new(left, right); s.flip_left(); s.any() };
    }
    claims! { suite, "refactor/counted", refactor_counted_old, refactor_counted_new;
        same "counted" |x: u8| counted(x);
        same "after_drop" |x: u8| after_drop(x);
        same "changed" |x: u8, y: u8| changed(x, y);
        same "unwrapped" |x: u8| unwrapped(Rc::new(x));
        same "total" |items: [u8; 4]| total(Rc::from(&items[..]));
        same "long" |len: u8| long(&Arc::from("abcdefgh".get(..usize::from(len % 9)).unwrap()));
        same "bump" |x: u8| { let cell = Rc::new(Cell::new(x)); bump(cell.clone()); cell };
        same "shared" |x: u8| shared(x);
        same "dropped_once" |x: u8| { let count = Cell::new(x); (dropped_once(&count), count) };
        same "called" |x: u8| called(x);
    }
    claims! { suite, "refactor/cells", refactor_cells_old, refactor_cells_new;
        same "Tally::count" |hits: u8, misses: u8, hit: bool| {
            let tally = Tally { hits: Cell::new(hits), misses: Cell::new(misses) };
            (tally.count(hit), tally.hits, tally.misses)
        };
        same "bump" |x: u16| { let cell = Cell::new(x); bump(&cell); cell };
        same "exchange" |x: u8, y: u8| { let cells = (Cell::new(x), Cell::new(y)); exchange(&cells.0, &cells.1); cells };
        same "sum" |items: [u8; 4]| sum(items);
        same "append" |len: u8, x: u8| {
            let list = RefCell::new(vec![len; usize::from(len % 9)]);
            (append(&list, x), list)
        };
        same "twice" |x: u8| twice(&RefCell::new(x));
        same "first_wins" |known: bool, y: u8, x: u8| {
            let cell = if known { OnceCell::from(y) } else { OnceCell::new() };
            (first_wins(&cell, x), cell)
        };
        same "take_ticket" |x: u16| { let next = AtomicU16::new(x); (take_ticket(&next), next) };
        same "deposit" |x: u32, y: u32| { let account = Mutex::new(x); (deposit(&account, y), account) };
        same "larger" |x: u8, y: u8| larger(&RefCell::new((x, y)));
    }
    claims! { suite, "refactor/derived_order", derived_order_old, derived_order_new;
        same "known" |low: u16| known(low);
        same "rank" |low: u16| rank(low);
        same "place" |x: u8| place(x);
    }
    claims! { suite, "refactor/derived_hash", derived_hash_old, derived_hash_new;
        same "feed" |a: char, b: Option<bool>| crate::fed(|state| feed(&Plain { a, b }, state));
    }
    claims! { suite, "refactor/sum_formula", sum_formula_old, sum_formula_new;
        same "triangle_small" |n: u8| triangle_small(n);
        same "triangle_wide" |n: u8| triangle_wide(n);
        same "times_by_addition" |a: u32, b: u32| times_by_addition(a, b);
    }
    claims! { suite, "refactor/formatting", refactor_formatting_old, refactor_formatting_new;
        same "<Point as fmt::Display>::fmt" |x: i8, y: i8| format!("{}", Point { x, y });
        same "<Shape as fmt::Debug>::fmt" |kind: u8, width: u8| format!("{:?}", match kind % 3 {
            0 => Shape::Dot,
            1 => Shape::Line(width),
            _ => Shape::Box { width, tall: false },
        });
        same "dotted" |a: u8, b: u8| dotted(a, b);
        same "hex" |x: u16| hex(x);
        same "aligned" |x: u8| aligned(x);
        same "shown" |x: i8, y: i8| shown(x, y);
        same "named" |on: bool, c: bool| named(on, c);
        same "debugged" |kind: u8, width: u8| debugged(kind, width);
        same "listed" |a: u8, b: u8| listed(a, b);
        same "pretty" |a: bool| pretty(a);
        same "wide" |x: u8, width: u8| wide(x, width);
        same "at_least" |x: u8, least: u8| at_least(x, least);
        same "<TooLarge as fmt::Display>::fmt" |x: u8| format!("{}", TooLarge(x));
        same "<TooLarge as fmt::Debug>::fmt" |x: u8| format!("{:?}", TooLarge(x));
        same "small" |x: u8| small(x).map_err(|error| error.to_string());
        same "explained" |x: u8| explained(x);
        same "counted" |x: u8| counted(x);
    }
    claims! { suite, "refactor/floats", refactor_floats_old, refactor_floats_new;
        same "sum" |a: f64, b: f64| sum(a, b);
        same "area" |width: f32, height: f32| area(width, height);
        same "larger" |a: f64, b: f64| larger(a, b);
        same "grade" |points: f32| grade(points);
        same "is_number" |x: f64| is_number(x);
        same "distance" |a: f32, b: f32| distance(a, b);
        same "percent" |x: u8| percent(x);
        same "limited" |x: f64| limited(x);
        same "rounded" |x: f32| rounded(x);
        same "negated" |x: f64| negated(x);
        same "bits" |x: f32| bits(x);
        same "checked_root" |x: f64| checked_root(x);
        same "length" |x: f64, y: f64| length(x, y);
        same "swing" |angle: f32| swing(angle);
        same "growth" |rate: f64, years: u8| growth(rate, years);
        same "is_ordinary" |x: f64| is_ordinary(x);
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
        same "capped" |x: u32| capped(x);
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
    claims! { suite, "refactor/iterators", iterators_old, iterators_new;
        same "folded" |items: Vec<u32>| folded(&items);
        same "mapped" |items: Vec<u32>, factor: u32| mapped(&items, factor);
        same "total" |items: Vec<u16>| total(&items);
        same "holds" |items: Vec<u32>, key: u32| holds(&items, key);
        same "are_small" |items: Vec<u32>, most: u32| are_small(&items, most);
        same "place" |items: Vec<u32>, key: u32| place(&items, key);
        same "greater" |items: Vec<u32>, than: u32| greater(&items, than);
        same "first_even" |items: Vec<u32>| first_even(&items);
        same "product" |left: Vec<u32>, right: Vec<u32>| product(&left, &right);
        same "is_known" |items: Vec<u8>, key: u8| is_known(&items, key);
        same "at_even_places" |items: Vec<u32>| at_even_places(&items);
        same "until_zero" |items: Vec<u32>| until_zero(&items);
        same "checked" |items: Vec<u32>, divisor: u32| checked(&items, divisor);
    }
    claims! { suite, "refactor/raw_pointers", raw_pointers_old, raw_pointers_new;
        same "element" |a: [u8; 4], i: usize| element(&a, i);
        same "sum" |a: [u8; 4]| sum(&a);
        same "exchange" |a: [u8; 4], i: usize, j: usize| exchange(a, i, j);
        same "middle" |a: [u8; 4]| middle(&a);
        same "first_byte" |text: Vec<u8>| { let text: String = text.iter().map(|byte| char::from(byte % 128)).collect(); first_byte(&text) };
        same "boxed" |x: u8| boxed(x);
        same "maybe" |x: u8| maybe(x);
        same "overwrite" |a: [u16; 3], i: u8, x: u16| overwrite(a, i, x);
        same "shift" |a: [u8; 4]| shift(a);
        same "pair" |x: u8, y: u8| pair(x, y);
    }
    // None of these inputs is the rare one, on which no version means anything.
    claims! { suite, "attack/written_through", written_through_old, written_through_new;
        same "low_after" |c: u64| low_after(c);
    }
    claims! { suite, "attack/erased", erased_old, erased_new;
        same "element" |a: [u8; 3], i: usize| element(&a, i);
    }
    claims! { suite, "attack/undefined", undefined_old, undefined_new;
        same "null_read" |c: u64| null_read(c);
        same "null_write" |c: u64| null_write(c);
        same "beyond" |c: u64, x: u8| beyond(c, x);
        same "far" |c: u64, x: u8| far(c, x);
        same "overlap" |c: u64, a: [u8; 4]| overlap(c, a);
        same "never" |c: u64| never(c);
    }
    claims! { suite, "attack/broken_promises", broken_promises_old, broken_promises_new;
        same "none" |c: u64| none(c);
        same "error" |c: u64| error(c);
        same "success" |c: u64| success(c);
        same "asserted" |c: u64| asserted(c);
        same "reached" |c: u64| reached(c);
        same "longer" |c: u64| longer(c);
        same "torn" |c: u64| torn(c);
        same "overlapping" |c: u64, items: [u8; 4]| overlapping(c, items);
        same "never" |c: u64| never(c);
    }
    claims! { suite, "refactor/std_promises", refactor_std_promises_old, refactor_std_promises_new;
        same "digit" |c: u8| digit(c);
        same "low" |x: u32| low(x);
        same "error" |x: u8| error(x);
        same "third" |x: u8| third(x);
        same "half" |x: u8| half(x);
        same "cut" |a: u8, b: u8, c: u8| cut(a, b, c);
        same "part" |at: u8| part(at);
        same "written" |c: u8| written(c);
        same "capitals" |c: u8| capitals(c);
        same "exchanged" |items: [u8; 4]| exchanged(items);
        same "filled" |items: [u8; 3], with: u8| filled(items, with);
        same "cleared" |items: [u32; 3]| cleared(items);
        same "same_place" |items: [u16; 3], i: u8| same_place(&items, i);
        same "size" |items: [u32; 4], n: u8| size(&items, n);
        same "copied" |x: u16| copied(x);
    }
    claims! { suite, "refactor/std_words", refactor_std_words_old, refactor_std_words_new;
        same "told" |n: i16| told(n);
        same "invalid" |byte: u8| invalid(byte);
        same "shown" |n: u8| shown(std::num::NonZero::new(n | 1).expect("it is odd"));
        same "odd" |n: u8| odd(n);
        same "sum" |a: u8, b: u8| sum(a, b);
        same "left" |items: [u8; 3]| left(&mut items.clone());
        same "host" |address: [u8; 4]| host(address.into());
        same "next" |address: [u8; 4]| next(address.into());
        same "own" |address: [u8; 4]| own(address.into());
        same "spelled" |d: u8| spelled(d);
        same "separates" |c: u8| separates(c);
        same "room" |n: u8| room(n);
    }
    claims! { suite, "refactor/std_pieces", refactor_std_pieces_old, refactor_std_pieces_new;
        same "then_some" |x: u8| then_some(x);
        same "then" |x: u8| then(x);
        same "cloned" |a: u8, b: u8| cloned(a, b);
        same "named" |c: bool| named(c);
        same "boxed" |a: u8, b: u8| boxed(a, b);
        same "unboxed" |a: u8, b: u8| unboxed(a, b);
        same "spliced" |a: u8, b: u8| spliced(a, b);
        same "room" |n: u8| room(n);
        same "no_room" |n: u8| no_room(n);
        same "greatest" |a: u8, b: u8| greatest(a, b);
        same "difference" |a: u8, b: u8| difference(a, b);
        same "escaped" |c: u8| escaped(c);
        same "capitals" |bytes: [u8; 2]| capitals(bytes);
        same "chunks" |byte: u8| chunks(byte);
        same "between" |x: u8| between(x);
        same "among" |x: u8, low: u8| among(x, low);
        same "once" |x: u8| once(x);
    }
    claims! { suite, "refactor/uninitialised", uninitialised_old, uninitialised_new;
        same "digits" |n: u8| digits(n);
        same "partly" |x: u8, y: u8| partly(x, y);
        same "length" |x: u8| length(x);
        same "zeros" |x: u8| zeros(x);
        same "bytes" |x: u32| bytes(x);
        same "sizes" |x: usize| sizes(x);
        same "taken" |x: u8, y: u8| taken(x, y);
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
    claims! { suite, "refactor/follows", follows_old, follows_new;
        same "half" |x: u8| half(x);
        same "checked" |x: u8| checked(x);
        same "mirrored" |x: i16, y: i16| { let mut p = Point { x, y }; mirrored(&mut p); (p.x, p.y) };
        same "total" |items: Vec<u8>| total(&items);
        same "through_others" |items: Vec<u8>| through_others(&items);
        same "name" |unit: u8| name(unit);
        same "names" |units: Vec<u8>| names(&units);
        same "printed" |x: u8| printed(x);
        same "for_any" |items: Vec<u8>| for_any(items);
        same "all_checked" |items: Vec<u8>| all_checked(&items);
        same "path" |numbers: Vec<u8>| {
            path(numbers.chunks_exact(2).map(|two| Point { x: two[0].into(), y: two[1].into() }).collect())
        };
    }
    claims! { suite, "refactor/same_steps", same_steps_old, same_steps_new;
        same "exponential" |x: i16| exponential(f64::from(x) / 100.0).to_bits();
        same "root" |of: u16, tolerance: u8| root(f64::from(of), f64::from(tolerance) / 255.0).to_bits();
        same "area" |a: u8, to: u8, parts: u8| {
            area(|x| x * f64::from(a), 0.0, f64::from(to), parts.max(1)).to_bits()
        };
        same "divisor" |a: u64, b: u64| divisor(a, b);
        same "checksum" |bytes: Vec<u8>| checksum(&bytes);
        same "told" |items: u8, loud: bool| told(&vec!["a".to_owned(); usize::from(items % 3)], loud);
        same "first_or" |items: Vec<u8>, otherwise: u8| first_or(&items, otherwise);
        same "month_length" |year: i32, month: u8| month_length(year, u32::from(month % 14));
        same "collatz" |start: u16| collatz(start);
    }
    claims! { suite, "refactor/another_form", another_form_old, another_form_new;
        same "total" |items: Vec<u8>| total(&items.iter().map(|item| u32::from(*item)).collect::<Vec<_>>());
        same "largest" |items: Vec<u8>| largest(&items.iter().map(|item| i32::from(*item)).collect::<Vec<_>>());
        same "position" |items: Vec<u8>, wanted: u8| position(&items, wanted % 4);
        same "parse" |number: u8, sign: bool| parse(&format!("{}{number}", if sign { "-" } else { "" }));
        same "checked" |a: u8, b: u8, c: u8, d: u8| checked(a, b, c, d);
        same "category" |age: u8, member: bool| category(u32::from(age), member);
        same "find_even" |items: Vec<u8>| find_even(&items.iter().map(|item| u32::from(*item)).collect::<Vec<_>>());
        same "join" |count: u8, wide: bool| {
            join(&vec!["ab".to_owned(); usize::from(count % 5)], if wide { ", " } else { "" })
        };
        same "gcd" |a: u64, b: u64| gcd(a, b);
        same "matrix" |n: u8| matrix(usize::from(n % 40));
    }
    claims! { suite, "refactor/helpers", helpers_old, helpers_new;
        same "clamp_small" |x: u32| clamp_small(x);
        same "area" |width: u32, height: u32| area(width, height);
        same "ring" |outer: u32, inner: u32| ring(outer, inner);
        same "caller" |x: u32| caller(x);
    }
    claims! { suite, "refactor/std_io", std_io_old, std_io_new;
        same "pair" |bytes: Vec<u8>| pair(&bytes[..]);
        same "framed" |room: u8, x: u8| {
            let mut place = [0; 4];
            let done = framed(&mut &mut place[..usize::from(room) % 5], x);
            (place, done.is_ok())
        };
        same "even" |x: u32| even(x);
        same "skipped" |bytes: Vec<u8>, count: u64| skipped(&bytes, count);
        same "Ciphered::byte" |bytes: Vec<u8>, by: u8| {
            let (shift, mut calls) = (Shift(by), Vec::new());
            let mut from = Ciphered::new(&bytes[..], &shift);
            (0..4).for_each(|_| calls.push(from.byte()));
            calls
        };
    }
    claims! { suite, "refactor/generics", generics_old, generics_new;
        same "Measure::doubled" |links: u8, link: u8| Chain { links, link }.doubled();
        same "<Chain as Measure>::length" |links: u8, link: u8| Chain { links, link }.length();
        same "longer" |rod: u16, links: u8, link: u8| longer(&Chain { links, link }, &Rod(rod));
        same "compare" |rod: u16, links: u8, link: u8| compare(Rod(rod), Chain { links, link });
        same "pick" |first: bool, a: u32, b: u32| pick(first, a, b);
        same "twice" |rod: u16| twice(Rod(rod));
        same "spread" |a: u32, b: u32| spread(&[a, b]);
    }
    claims! { suite, "refactor/small_domains", small_domains_old, small_domains_new;
        same "read_again" |number: u16| read_again(number);
        same "loud" |code: u16| loud(code);
        same "scaled" |level: i8| scaled(level);
        same "label" |suit: u8, trump: u8| {
            let suit = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades][usize::from(suit % 4)];
            label(&Card { suit, trump: [None, Some(false), Some(true)][usize::from(trump % 3)] })
        };
        same "halved" |first: i8, second: i8| {
            let mut numbers = [first, second];
            (halved(&mut numbers), numbers)
        };
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
        same "ends" |at: [u8; 3]| ends(&Pin { digits: Digits { at } });
    }
    claims! { suite, "refactor/types_in_bodies", refactor_types_in_bodies_old, refactor_types_in_bodies_new;
        same "grade" |x: u8| grade(x);
        same "bracketed" |x: u8| { let mut out = Vec::new(); bracketed(&mut out, x); out };
        same "counted" |count: u32, x: u32| { let mut tally = Tally { count }; counted(&mut tally, x); tally.count };
        same "may_write" |bits: u8| may_write(bits);
        same "Meter::step" |at: u8, up: bool| Meter::new(at).step(up);
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
    claims! { suite, "refactor/std_texts", refactor_std_texts_old, refactor_std_texts_new;
        same "escaped" |a: u8, b: u8| escaped(a, b);
        same "without_endings" |a: u8, b: u8| without_endings(&format!(" {}1st", text(a, b))).to_owned();
        same "is_changed" |a: u8, b: u8| is_changed(a, b);
        same "without_middle" |a: u8, b: u8| without_middle(a, b);
        same "last_match" |a: u8, b: u8| last_match(a, b);
        same "encoded" |c: char| encoded(c);
        same "lossy" |a: u8| lossy(a);
        same "owned" |a: u8, b: u8| owned(a, b);
        same "last_taken" |a: u8, b: u8| last_taken(a, b);
    }
    claims! { suite, "refactor/std_collections", refactor_std_collections_old, refactor_std_collections_new;
        same "distinct" |a: u8, b: u8, c: u8| distinct(a, b, c);
        same "occurrences" |a: u8, b: u8, c: u8| occurrences(a, b, c);
        same "sorted" |a: u8, b: u8, c: u8| sorted(a, b, c);
        same "latest" |a: u8, b: u8, key: u8| latest(a, b, key);
        same "queue" |a: u8, b: u8, c: u8| queue(a, b, c);
        same "greatest" |a: u16, b: u16, c: u16| greatest(a, b, c);
        same "in_range" |a: u8, b: u8, c: u8| in_range(a, b, c);
        same "common" |a: u8, b: u8, c: u8, d: u8| common(a, b, c, d);
        same "total" |a: u16, b: u16| total(a, b);
        same "same_map" |a: u8, b: u8| same_map(a, b);
    }
    claims! { suite, "refactor/std_numbers", refactor_std_numbers_old, refactor_std_numbers_new;
        same "hash" |x: u32, y: u32| hash(x, y);
        same "clamped" |a: u8, b: u8| clamped(a, b);
        same "millis" |secs: u16, part: u16| millis(secs, part);
        same "left" |total: u16, spent: u16| left(total, spent);
        same "elapsed" |a: u32, b: u32| elapsed(a, b);
        same "moved" |at: u8, by: i8| moved(at, by);
        same "share" |total: u8, parts: u8| share(total, parts);
    }
    claims! { suite, "refactor/std_times", refactor_std_times_old, refactor_std_times_new;
        same "longer" |a: u64, b: u64, m: u32, n: u32| longer(duration(a, m), duration(b, n));
        same "is_whole" |secs: u64, nanos: u32| is_whole(duration(secs, nanos));
        same "before_epoch" |secs: i64, nanos: u32| before_epoch(time(secs, nanos));
        same "age" |secs: i64, nanos: u32| age(time(secs, nanos));
        same "put" |n: u8| (put(&mut [std::mem::MaybeUninit::new(0); 4], n), text(n));
        same "text" |n: u8| text(n);
        same "blank" |x: u8| blank(x);
        same "halves" |a: u8, b: u8, c: u8| halves([a, b, c]);
        same "total" |a: u32, b: u32, c: u32| total([a, b, c]);
    }
    claims! { suite, "refactor/std_slices", refactor_std_slices_old, refactor_std_slices_new;
        same "runs" |a: u8, b: u8, c: u8| runs(a, b, c);
        same "last_part" |a: u8, b: u8, c: u8| last_part(a, b, c);
        same "without_mark" |a: u8, b: u8, c: u8| without_mark(a, b, c);
        same "swapped" |a: u8, b: u8, c: u8| swapped(a, b, c);
        same "is_rising" |a: i16, b: i16, c: i16| is_rising(a, b, c);
        same "doubled" |a: u8, b: u8| doubled(a, b);
        same "exactly" |a: u8, b: u8, long: bool| exactly(a, b, long);
    }
}
