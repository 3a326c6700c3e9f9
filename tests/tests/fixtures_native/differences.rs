//! What differs, and on which input.

use std::hash::Hash;

use regress_tests::native::{Difference, Fact, Suite};

use crate::times::{duration, time};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, RwLock};

use crate::fed;
use crate::versions::*;

/// Hashes alike in every process.
type SipHashes = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

fn digits(numbers: &[u8]) -> String {
    numbers.iter().map(|number| char::from(b'0' + number % 10)).collect()
}

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "differ/containers", containers_old, containers_new;
        same "Stack::last" |items: Vec<i32>| {
            let mut stack = Stack::<i32, 3>::new();
            items.iter().for_each(|item| { stack.push(*item); });
            stack.last()
        };
        differs "Stack::free" Behaviour (vec![1, 2]) |items: Vec<i32>| {
            let mut stack = Stack::<i32, 3>::new();
            items.iter().for_each(|item| { stack.push(*item); });
            stack.free()
        };
        differs "NotEmpty::largest" Behaviour (2, vec![1]) |first: i32, others: Vec<i32>| {
            others.into_iter().fold(NotEmpty::of(first), NotEmpty::with).largest()
        };
        same "NotEmpty::count" |first: i32, others: Vec<i32>| {
            others.into_iter().fold(NotEmpty::of(first), NotEmpty::with).count()
        };
    }
    claims! { suite, "differ/another_form", differ_another_form_old, differ_another_form_new;
        differs "total" Behaviour (7) |first: u32| total(&[first, 2]);
        differs "largest" Behaviour (1, 2) |a: i32, b: i32| largest(&[a, b]);
        differs "position" Behaviour (3) |wanted: u8| position(&[3, 4], wanted);
        differs "parse" Behaviour (100) |number: u8| parse(&number.to_string());
        differs "join" Behaviour (3) |count: u8| join(&vec!["a".to_owned(); usize::from(count)], "-");
        differs "matrix" Behaviour (3) |n: u8| matrix(usize::from(n));
    }
    claims! { suite, "differ/other_steps", other_steps_old, other_steps_new;
        differs "sum" Behaviour (1) |_x: u8| sum(&[1e16, 1.0, -1e16]).to_bits();
        differs "both" Behaviour (1, 2) |a: u8, b: u8| both(Vec::new(), a, b);
        differs "popped" Behaviour (vec![1]) |items: Vec<u8>| popped(items);
        differs "rounded" Regression (1, 0) |x: u32, to: u32| rounded(x, to);
        differs "power" Behaviour (2, 1) |base: u32, exponent: u8| power(base, exponent);
        differs "moved" Behaviour (1, 2) |from: u8, to: u8| {
            let (mut from, mut to) = (from, to);
            moved(&mut from, &mut to);
            (from, to)
        };
        differs "alternating" Behaviour (2) |count: u8| alternating(count);
    }
    claims! { suite, "differ/representations", representations_old, representations_new;
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
        differs "Cart::total" Behaviour (1, 1, 2) |what: u8, one: u8, other: u8| { let mut c = Cart::new(); c.add(what, one); c.add(what, other); c.add(7, 7); c.total() };
        differs "Name::is_empty" Behaviour (' ') |letter: char| Name::new(&letter.to_string()).is_empty();
        differs "Name::initial" Behaviour (' ') |letter: char| Name::new(&letter.to_string()).initial();
        differs "Access::may_read" Behaviour (2) |level: u8| Access::of(level).may_read();
        same "Access::may_write" |level: u8| Access::of(level).may_write();
        differs "Span::contains" Behaviour (1, 2, 2) |start: u16, end: u16, at: u16| Span::new(start, end).map(|span| span.contains(at));
        same "Span::len" |start: u16, end: u16| Span::new(start, end).map(|span| span.len());
        differs "Percent::value" Behaviour (100, 200) |percent: u8, by: u8| Percent::of(percent).more(by).value();
        differs "Colour::name" Behaviour (3) |times: u8| { let mut c = Colour::new(); for _ in 0..times { c.next(); } c.name() };
        differs "Sum::mean" Behaviour (1, 1) |one: u32, other: u32| { let mut s = Sum::new(); s.add(one); s.add(other); s.mean() };
        differs "Limit::is_over" Behaviour (40000, 50000) |most: u16, count: u32| (Limit::at(most).is_over(count), Limit::none().is_over(count));
        differs "Place::is_left_of" Behaviour (1, 2, 2, 0) |x: i16, y: i16, u: i16, v: i16| Place::at(x, y).turned().turned().is_left_of(&Place::at(u, v));
        differs "Switches::any" Behaviour (true, false) |left: bool, right: bool| { let mut s = Switches::new(left, right); s.flip_left(); s.any() };
    }
    claims! { suite, "differ/moved", moved_old, moved_new;
        same "escape::Span::new" |start: u8, end: u8| { let span = Span::new(start, end); (span.length(), format!("{span:?}")) };
        same "escape::Span::length" |start: u8, end: u8| Span::new(start, end).length();
        differs "escape::Span::holds" Behaviour (1, 2) |start: u8, end: u8| Span::new(start, end).holds(end);
        differs "escape::shifted" Behaviour (true, 0) |open: bool, by: u8| {
            format!("{:?}", shifted(if open { Kind::Open } else { Kind::Close(by) }))
        };
        same "escape::is_open" |open: bool, by: u8| is_open(if open { Kind::Open } else { Kind::Close(by) });
        same "escape::depth" |open: bool, by: u8| depth(if open { Kind::Open } else { Kind::Close(by) });
        differs "numbers::clamp_to_ten" Behaviour (11) |x: u32| clamp_to_ten(x);
        same "is_empty" |start: u8, end: u8| is_empty(&Span::new(start, end));
        differs "closing" Behaviour (0) |by: u8| format!("{:?}", closing(by));
    }
    claims! { suite, "differ/paths", paths_old, paths_new;
        differs "with_suffix" Behaviour (0) |_x: u8| with_suffix(std::path::Path::new("a.b"), "c").display().to_string();
        same "depth" |a: u8, b: u8| depth(format!("{}/{}", char::from(a), char::from(b)).into());
        differs "is_hidden" Behaviour (0) |_x: u8| is_hidden(".".as_ref());
        differs "is_own" Behaviour (10) |first: u8| is_own(std::net::Ipv4Addr::new(first, 0, 0, 1));
        same "width" |v4: bool| {
            let v6 = std::net::Ipv6Addr::LOCALHOST.into();
            width(&if v4 { std::net::Ipv4Addr::LOCALHOST.into() } else { v6 })
        };
    }
    claims! { suite, "differ/counted", differ_counted_old, differ_counted_new;
        differs "bump" Behaviour (0) |x: u8| { let cell = Rc::new(Cell::new(x)); bump(cell.clone()); cell };
        differs "push" Behaviour (0) |x: u8| { let list = Rc::new(RefCell::new(vec![])); push(&list, x); list };
        differs "count" Behaviour (0) |x: u8| count(x);
        differs "only" Behaviour (0) |x: u8| only(Arc::new(x));
        differs "copied" Behaviour (0) |x: u8| copied(x);
        differs "same" Behaviour (0) |x: u8| same(x);
        differs "tail" Behaviour (1) |len: u8| tail(Rc::from("aaaaaaaa".get(..usize::from(len % 9)).unwrap()));
        differs "rarely" Behaviour (0x5eed_5eed_5eed) |c: u64| rarely(c);
    }
    claims! { suite, "differ/cells", differ_cells_old, differ_cells_new;
        differs "Counter::step" Behaviour (0) |x: u8| { let c = Counter { count: Cell::new(x) }; c.step(); c.count };
        differs "step" Behaviour (0) |x: u8| { let c = Cell::new(x); step(&c); c };
        differs "step_twice_referred" Behaviour (255) |x: u8| { let c = Cell::new(x); step_twice_referred(&&c); c };
        differs "step_within" Behaviour (0) |x: u8| { let c = Cell::new(x); step_within(Some(&c)); c };
        differs "step_third" Behaviour (0) |x: u8| { let c = [x; 4].map(Cell::new); step_third(&c); c };
        differs "remember" Behaviour (0, 128) |len: u8, x: u8| {
            let list = RefCell::new(vec![len; usize::from(len % 9)]);
            (remember(&list, x), list)
        };
        differs "nested" Regression (0) |x: u8| nested(&RefCell::new(x));
        differs "first" Behaviour (0, 1) |x: u8, y: u8| *first(&RefCell::new((x, y)));
        differs "ticket" Behaviour (0) |x: u8| { let next = AtomicU8::new(x); (ticket(&next), next) };
        differs "store" Behaviour (1, 2) |x: u8, y: u8| { let cell = RwLock::new(x); store(&cell, y); cell };
        differs "leave_borrowed" Behaviour (0) |x: u8| {
            let cell = RefCell::new(x);
            leave_borrowed(&cell);
            cell.try_borrow_mut().is_err()
        };
    }
    claims! { suite, "invariants/makers", makers_old, makers_new;
        same "half" |n: u32| Even::new(n).map(|e| half(&e));
        differs "quarter" Behaviour (2) |n: u32| Even::new(n).map(|e| quarter(&e));
        same "least" |n: u32, m: u32| Even::new(n).zip(Even::new(m)).map(|(e, other)| least(&e, other));
        differs "Percent::new" Behaviour (100) |n: u8| Percent::new(n).is_some();
        same "rest" |n: u8| Percent::new(n % 100).map(|p| rest(&p));
        differs "is_three" Behaviour (3) |times: u8| {
            let mut counter = Counter::default();
            (0..times).for_each(|_| counter.bump());
            is_three(&counter)
        };
        same "doubled" |n: u8| Digit::parse(&n.to_string()).ok().map(|d| doubled(&d));
        same "first" |letters: [u8; 8]| Word::new(letters).map(|w| first(&w));
        differs "is_short" Behaviour ([1, 0, 0, 0, 1, 0, 0, 0]) |letters: [u8; 8]|
            Word::new(letters).map(|w| is_short(&w));
        differs "is_last" Behaviour (8) |n: u8| Digit::parse(&n.to_string()).ok().map(|d| is_last(&d));
    }
    claims! { suite, "invariants/steps", steps_old, steps_new;
        differs "read" Behaviour (1) |skipped: u8| {
            let mut bits = Bits::new(&[]);
            bits.skip(skipped);
            read(&bits.from_here())
        };
        differs "depth" Behaviour (0) |length: u8| depth(&Route::root().join(&"x".repeat(length.into())));
        differs "holds" Behaviour (1, 2) |a: u8, b: u8| holds(Order::default().item(a).item(b), b);
        differs "last" Behaviour (1, 2) |a: u8, b: u8| last(&Sample::from_iter([a, b]));
        differs "is_rising" Behaviour (1, 1) |a: u8, b: u8| {
            let mut log = Log::default();
            log.extend([a, b]);
            is_rising(&log)
        };
    }
    claims! { suite, "differ/raw_pointers", differ_raw_pointers_old, differ_raw_pointers_new;
        differs "element" Behaviour ([0, 0, 0, 1], 3) |a: [u8; 4], i: usize| element(&a, i);
        differs "distance" Behaviour ([0, 0, 0, 0], 1) |a: [u32; 4], i: u8| distance(&a, i);
        differs "tail" Behaviour ([1, 0, 0, 0]) |a: [u8; 4]| tail(&a);
        differs "shift" Behaviour ([0, 0, 1, 0]) |a: [u8; 4]| shift(a);
        differs "replace" Behaviour (0, 0) |x: u8, y: u8| replace(x, y);
        differs "closure_ends" Behaviour (0) |x: u8| closure_ends(x);
        differs "object_ends" Behaviour (0, 777) |x: u8, c: u16| object_ends(x, c);
    }
    claims! { suite, "differ/std_promises", differ_std_promises_old, differ_std_promises_new;
        differs "digit" Behaviour (0) |c: u8| digit(c);
        differs "low" Behaviour (200) |x: u32| low(x);
        differs "third" Behaviour (2) |x: u8| third(x);
        differs "half" Behaviour (2) |x: u8| half(x);
        differs "cut" Behaviour (1, 2, 3) |a: u8, b: u8, c: u8| cut(a, b, c);
        differs "part" Behaviour (0) |at: u8| part(at);
        differs "written" Behaviour (25) |c: u8| written(c);
        differs "exchanged" Behaviour ([1, 2, 3, 4]) |items: [u8; 4]| exchanged(items);
        differs "filled" Behaviour ([1, 2, 3], 9) |items: [u8; 3], with: u8| filled(items, with);
        differs "same_place" Behaviour ([0, 0, 0], 0) |items: [u16; 3], i: u8| same_place(&items, i);
        differs "size" Behaviour ([0, 0, 0, 0], 4) |items: [u32; 4], n: u8| size(&items, n);
        differs "copied" Behaviour (0) |x: u16| copied(x);
    }
    claims! { suite, "differ/std_words", differ_std_words_old, differ_std_words_new;
        differs "told" Behaviour (200) |n: i16| told(n);
        differs "shown" Behaviour (0) |n: u8| shown(std::num::NonZero::new(n | 1).expect("it is odd"));
        differs "odd" Behaviour (0) |n: u8| odd(n);
        differs "left" Behaviour ([1, 2, 3]) |items: [u8; 3]| left(&items);
        differs "host" Behaviour ([1, 2, 3, 4]) |address: [u8; 4]| host(address.into());
        differs "spelled" Behaviour (1) |d: u8| spelled(d);
        differs "room" Behaviour (1) |n: u8| room(n);
    }
    claims! { suite, "differ/std_pieces", differ_std_pieces_old, differ_std_pieces_new;
        differs "then_some" Behaviour (4) |x: u8| then_some(x);
        differs "then" Regression (1) |x: u8| then(x);
        differs "cloned" Behaviour (0, 0) |a: u8, b: u8| cloned(a, b);
        differs "named" Behaviour (false) |c: bool| named(c);
        differs "boxed" Behaviour (4, 0) |a: u8, b: u8| boxed(a, b);
        differs "spliced" Behaviour (1, 2) |a: u8, b: u8| spliced(a, b);
        differs "room" Behaviour (200) |n: u8| room(n);
        differs "greatest" Behaviour (9, 0) |a: u8, b: u8| greatest(a, b);
        differs "difference" Behaviour (1, 1) |a: u8, b: u8| difference(a, b);
        differs "escaped" Behaviour (0) |c: u8| escaped(c);
        differs "capitals" Behaviour ([b'a', 0]) |bytes: [u8; 2]| capitals(bytes);
        differs "chunks" Behaviour ([255, 0, 0]) |bytes: [u8; 3]| chunks(bytes);
        differs "between" Behaviour (3) |x: u8| between(x);
        differs "once" Behaviour (0) |x: u8| once(x);
    }
    claims! { suite, "differ/boundary", boundary_old, boundary_new;
        differs "adult" Behaviour (18) |age: u8| adult(age);
        differs "fits" Behaviour (4096) |x: u32| fits(x);
        differs "sum_first" Regression ([1, 2, 3, 4], 5) |a: [u8; 4], n: u8| sum_first(&a, n);
        differs "sum_up_to" Behaviour (1) |n: u8| sum_up_to(n);
        differs "previous" Regression ([1, 2, 3, 4], 0) |a: [u8; 4], i: usize| previous(&a, i);
    }
    claims! { suite, "differ/formatting", differ_formatting_old, differ_formatting_new;
        differs "<Version as fmt::Display>::fmt" Behaviour (1, 2, 1) |major: u8, minor: u8, patch: u8|
            format!("{}", Version { major, minor, patch });
        differs "clock" Behaviour (61) |minutes: u16| clock(minutes);
        differs "colour" Behaviour (15) |red: u8| colour(red);
        differs "quoted" Behaviour (99) |kind: u8| quoted(kind);
        differs "offset" Behaviour (-1) |hours: i8| offset(hours);
        differs "version" Behaviour (1) |patch: u8| version(patch);
        differs "checked" Fix (77) |x: u8| checked(x);
    }
    claims! { suite, "differ/floats", differ_floats_old, differ_floats_new;
        differs "clamped" Behaviour (f64::NAN) |x: f64| clamped(x);
        differs "accepted" Behaviour (f32::NAN) |x: f32| accepted(x);
        differs "total" Behaviour (1e300, -1e300, 1.0) |a: f64, b: f64, c: f64| total(a, b, c);
        differs "absolute" Behaviour (-0.0) |x: f64| absolute(x);
        differs "cents" Behaviour (0.005) |x: f64| cents(x);
        differs "to_byte" Behaviour (256.0) |x: f32| to_byte(x);
        differs "at" Regression ([1, 2, 3, 4], 4.0) |items: [u8; 4], x: f32| at(&items, x);
        differs "magic" Behaviour (42.25) |x: f32| magic(x);
        differs "tiny" Behaviour (1e-300) |x: f64| tiny(x);
        differs "across" Behaviour (0.0) |angle: f64| across(angle);
        differs "power" Behaviour (2.0, 3.0) |x: f64, y: f64| power(x, y);
        differs "ordinary" Behaviour (0.0) |x: f32| ordinary(x);
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
    claims! { suite, "differ/declared_bounds", declared_bounds_old, declared_bounds_new;
        differs "total_length" Behaviour (0) |words: u8| total_length(["a"; 3].into_iter().take(usize::from(words % 4)));
        same "count" |len: u8| count(&[const { Stone(1) }; 9][..usize::from(len % 10)]);
        differs "first_is" Behaviour (0, 1) |len: u8, wanted: i32| first_is(&[1, 1, 1][..usize::from(len % 4)], wanted);
        differs "starts_with_dash" Behaviour (0) |len: u8| starts_with_dash(&['-', 'x'][..usize::from(len % 3)]);
        differs "Pattern::is_open" Behaviour (true) |front: bool|
            Pattern::<'*'>(String::from(if front { "*a" } else { "a*" })).is_open();
        differs "<Shared as Weight>::weight" Behaviour (1, 1) |low: i32, high: i32| Shared(low, high).weight();
        differs "Further::has_further" Behaviour (vec![1, 2], 2) |bytes: Vec<u8>, n: usize| bytes.into_iter().has_further(n);
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
    claims! { suite, "attack/types_in_bodies", attack_types_in_bodies_old, attack_types_in_bodies_new;
        differs "Rights::level" Behaviour (2) |x: u8| Rights(x).level();
        differs "Others::level" Behaviour (0) |x: u8| Others(x).level();
        differs "alone::Solo::grade" Behaviour (0) |x: u8| alone::Solo(x).grade();
        differs "of_two_blocks" Behaviour (201) |x: u8| of_two_blocks(x);
        differs "in_a_closure" Behaviour (true) |x: bool| in_a_closure(x);
        differs "generic" Behaviour (0) |x: u8| generic(x);
        differs "uses_generic" Behaviour (0) |x: u8| uses_generic(x);
    }
    claims! { suite, "attack/items_in_bodies", items_in_bodies_old, items_in_bodies_new;
        differs "Flags::has_second" Behaviour (2) |x: u32| Flags(x).has_second();
        differs "Flags::masked" Behaviour (8) |x: u32| Flags(x).masked();
        differs "Flags::limited" Behaviour (8) |x: u32| Flags(x).limited();
        differs "overridden" Behaviour (0) |x: u32| overridden(x);
        differs "Flags::scaled" Behaviour (1) |x: u32| Flags(x).scaled();
        differs "Flags::stepped" Behaviour (0) |x: u32| Flags(x).stepped();
        differs "Flags::by_object" Behaviour (0) |x: u32| Flags(x).by_object();
        differs "Flags::by_type" Behaviour (0) |x: u32| Flags(x).by_type();
        differs "first" Behaviour (0) |x: u32| first(x);
        differs "second" Behaviour (0) |x: u32| second(x);
        differs "of_left" Behaviour (0) |x: u32| of_left(x);
        differs "of_right" Behaviour (0) |x: u32| of_right(x);
    }
    claims! { suite, "attack/projected", projected_old, projected_new;
        differs "size" Behaviour (0) |x: usize| size::<Changed>() ^ x;
        differs "made" Behaviour (0) |x: u32| made::<Changed>() ^ x;
        same "by_bound" |x: u32| by_bound(Kept) ^ x;
        same "<(T,) as Report>::report" |x: u32| (Kept,).report() ^ x;
        differs "size_of_changed" Behaviour (0) |x: usize| size_of_changed(x);
        differs "size_within" Behaviour (0) |x: usize| size_within(x);
        differs "made_of_changed" Behaviour (0) |x: u32| made_of_changed(x);
        differs "bound_to_changed" Behaviour (0) |x: u32| bound_to_changed(x);
        differs "held" Behaviour (0) |x: usize| held(x);
        differs "reported" Behaviour (0) |x: u32| reported(x);
    }
    claims! { suite, "differ/types_in_bodies", types_in_bodies_old, types_in_bodies_new;
        differs "grade" Behaviour (100) |x: u8| grade(x);
        differs "bracketed" Behaviour (3) |x: u8| { let mut out = Vec::new(); bracketed(&mut out, x); out };
        differs "may_write" Behaviour (4) |bits: u8| may_write(bits);
        differs "Meter::step" Behaviour (1, true) |at: u8, up: bool| Meter::new(at).step(up);
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
        differs "lent_by_closure" Behaviour (3_784_795) |log: u32| {
            let mut log = log;
            (lent_by_closure(&mut log), log)
        };
        differs "lent_in_box" Behaviour (3_784_795) |log: u32| {
            let mut log = log;
            (lent_in_box(&mut log), log)
        };
    }
    claims! { suite, "differ/magic", magic_old, magic_new;
        differs "unlock" Behaviour (0xDEAD_BEEF) |key: u32| unlock(key);
        differs "header" Behaviour (*b"\x7fELF") |bytes: [u8; 4]| header(&bytes);
        differs "combine" Behaviour (0x1234_5678, 0x1234_5678 + 77) |a: u32, b: u32| combine(a, b);
        differs "guarded" Regression (inverse_odd(0x9E37_79B9_7F4A_7C15).wrapping_mul(42)) |x: u64| guarded(x);
        differs "spaced" Behaviour (123_456_789, 370_370_368) |a: i32, b: i32| spaced(a, b);
    }
    claims! { suite, "differ/needles", needles_old, needles_new;
        differs "known" Behaviour (1) |which: u8| known(["retry-after", "proxy-status", "proxy"][usize::from(which % 3)]);
        differs "framed" Behaviour (109) |sum: u8| framed(&[0x7e, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, sum]);
        differs "folded" Behaviour (11, '\u{34a}') |before: u8, c: char| {
            folded(&format!("{}{c}", "a".repeat(usize::from(before % 32))))
        };
        differs "is_digest" Behaviour (39, 'x') |before: u8, c: char| {
            is_digest(&format!("{}{c}", "a".repeat(usize::from(before % 64))))
        };
        differs "decode" Behaviour (2) |last: u8| decode(&[128, 128, 128, 128, 128, 128, 128, 128, 128, last]);
        differs "day" Behaviour (1) |number: i32| day(100_000 + number % 50);
        differs "year" Behaviour (1960) |number: u16| year(format!("Sun, 06 Nov {:04}", number % 10_000).as_bytes());
    }
    claims! { suite, "differ/small_domains", differ_small_domains_old, differ_small_domains_new;
        differs "read_again" Behaviour (inverse_odd(40_503).wrapping_mul(31_337) as u16) |number: u16| read_again(number);
        differs "loud" Behaviour ('\u{1fb7}') |letter: char| loud(letter);
        differs "above_level" Behaviour (1) |level: u8| {
            set_level(7);
            above_level(level)
        };
        differs "noted" Behaviour (1) |number: u8| {
            noted(number);
            seen()
        };
    }
    claims! { suite, "differ/worse_class", worse_class_old, worse_class_new;
        differs "rounded" Regression (inverse_odd(2_654_435_761).wrapping_mul(41) as u32)
            |amount: u32| rounded(amount);
        differs "weighed" Regression (inverse_odd(2_654_435_761).wrapping_mul(123) as u32, 1)
            |id: u32, weight: u32| weighed(id, weight);
        differs "packet" Regression (1, 0x5b) |first: u8, last: u8| packet(&[first, 0xca, 0, 0xfe, 0, last]);
        differs "area" Regression (inverse_odd(7).wrapping_mul(1_234).wrapping_sub(40_503) as u16, u16::MAX)
            |outer: u16, inner: u16| area(&Shape::Ring { outer, inner });
        differs "repaired" Behaviour (2, 1) |a: u32, b: u32| repaired(a, b);
        differs "half_repaired" Behaviour (inverse_odd(0x9E37_79B1).wrapping_mul(99) as u32, 1)
            |a: u32, b: u32| half_repaired(a, b);
    }
    claims! { suite, "differ/recursion", recursion_old, recursion_new;
        differs "power" Behaviour (2, 1) |base: u32, exponent: u8| power(base, exponent);
        differs "sum_digits" Behaviour (10) |x: u16| sum_digits(x);
        differs "is_even" Behaviour (1) |n: u8| is_even(n);
        differs "is_odd" Behaviour (0) |n: u8| is_odd(n);
        same "steps" |n: u8| if n == 0 { 0 } else { steps(n) };
    }
    claims! { suite, "differ/iterators_inside", iterators_inside_old, iterators_inside_new;
        same "Reader::next_byte" |a: u8, b: u8, line: u8| {
            let bytes = [a, b];
            let mut reader = reader(&bytes, line);
            let first = reader.next_byte();
            (first, reader.next_byte(), reader.next_byte(), reader.line())
        };
        differs "Reader::skip_one" Behaviour (1, 2, 9) |a: u8, b: u8, line: u8| {
            let bytes = [a, b];
            let mut reader = reader(&bytes, line);
            reader.skip_one();
            reader.rest().as_slice().to_vec()
        };
        same "Reader::rest" |a: u8, b: u8, line: u8| reader(&[a, b], line).rest().as_slice().to_vec();
        same "first_two" |a: u8, b: u8, c: char| first_two(format!("{}{}{c}", a as char, b as char).chars());
        differs "without_first" Behaviour ('x') |c: char| without_first(c.to_string().chars()).as_str().to_string();
        same "both_ends" |a: u8, b: u8| both_ends(std::str::from_utf8(&[a % 128, b % 128][..(a as usize + b as usize) % 3]).unwrap().bytes());
        differs "popped" Behaviour (1, 2) |a: u16, b: u16| {
            let (item, rest) = popped(vec![a, b].into_iter());
            (item, rest.as_slice().to_vec())
        };
        same "share" |all: u8, parts: u8| share(all, std::num::NonZeroU8::new(parts).unwrap_or(std::num::NonZeroU8::MIN));
        differs "within" Behaviour (1, 5, 5) |start: u8, end: u8, x: u8| within(start..=end, x);
    }
    claims! { suite, "differ/lent_inside", lent_inside_old, lent_inside_new;
        same "put" |a: u8, mark: u8, x: u8| {
            let mut out = [a; 2];
            put(Sink { out: &mut out, mark }, x);
            out
        };
        differs "put_masked" Behaviour (0, 128, 0) |a: u8, mark: u8, x: u8| {
            let mut out = [a; 2];
            put_masked(Sink { out: &mut out, mark }, x);
            out
        };
        same "sort" |a: u8, b: u8| {
            let (mut a, mut b) = (a, b);
            sort((&mut a, &mut b));
            (a, b)
        };
        differs "step" Behaviour (65535, true) |x: u16, there: bool| {
            let mut x = x;
            (step(there.then_some(&mut x)), x)
        };
        differs "leave" Behaviour (0, true, 0) |x: u16, there: bool, mark: u16| {
            let mut x = x;
            leave(&mut there.then_some(&mut x), mark);
            x
        };
        same "leave_one" |x: u16, there: bool| {
            let mut x = x;
            leave_one(&mut there.then_some(&mut x));
            x
        };
        differs "advance" Behaviour (0, 128) |a: u8, byte: u8| {
            let mut out = [a; 2];
            advance(&mut &mut out[..], byte);
            out
        };
        differs "exchange" Behaviour (1, 2) |a: u8, b: u8| {
            let (mut a, mut b) = (a, b);
            exchange(&mut Two { a: &mut a, b: &mut b });
            (a, b)
        };
    }
    claims! { suite, "differ/made_by_macros", made_by_macros_old, made_by_macros_new;
        same "double" |x: u8, y: u16, z: i32| (Widths::double(x), Widths::double(y), Widths::double(z));
        differs "low" Behaviour (128) |x: u16| Low::low(x);
        same "is_odd" |a: u8, b: u8, c: u16, d: u16| (Pair(a, b).is_odd(), Pair(c, d).is_odd());
        differs "below" Behaviour (7) |x: u8| below([x; 4]);
        differs "row_after" Behaviour (0, 1) |row: u8, by: u8| row_after(Row(row), by);
        differs "weight" Behaviour (0) |_x: u8| weight(&Level::Middle);
        differs "left" Behaviour (vec![]) |bytes: Vec<u8>| left(&Ahead { next: Some(1), rest: bytes.into_iter() });
        differs "Pending::waiting" Behaviour (vec![], 1) |bytes: Vec<u8>, count: u8| {
            Pending::waiting(&Pending::new(bytes.into_iter(), count))
        };
    }
    claims! { suite, "differ/captured", captured_old, captured_new;
        differs "chosen" Behaviour (0, 1, Some(0)) |b: u32, c: u32, extra: Option<u32>| {
            chosen(&Parts { a: 7, b, c }, extra)
        };
        same "reordered" |a: u32, b: u32, extra: Option<u32>| reordered(&Parts { a, b, c: 3 }, extra);
    }
    claims! { suite, "differ/hashed", hashed_old, hashed_new;
        same "<Name as Hash>::hash" |id: u16, kind: u8| fed(|state| Name { id, kind }.hash(state));
        differs "<Tag as Hash>::hash" Behaviour (1, 2) |id: u16, kind: u8| fed(|state| Tag { id, kind }.hash(state));
        same "feed" |values: Vec<u8>| fed(|state| feed(&values, state));
        differs "feed_pieces" Behaviour (1, 2) |a: u8, b: u8| fed(|state| feed_pieces(a, b, state));
        differs "scale" Behaviour (2) |x: u8| scale(x);
        differs "<Scaled as Hash>::hash" Behaviour (2) |x: u8| fed(|state| Scaled(x).hash(state));
        differs "bucket" Behaviour (0) |key: u8| bucket(&SipHashes::default(), key);
        same "hash_of_pair" |a: u8, b: u8| hash_of_pair(&SipHashes::default(), a, b);
        same "Buckets::with" |_any: u8| Buckets::with(SipHashes::default()).lists;
        same "Buckets::insert" |keys: Vec<u8>| {
            let mut buckets = Buckets::with(SipHashes::default());
            keys.iter().for_each(|key| buckets.insert(*key));
            buckets.lists
        };
        differs "Buckets::len" Behaviour (vec![0]) |keys: Vec<u8>| {
            let mut buckets = Buckets::with(SipHashes::default());
            keys.iter().for_each(|key| buckets.insert(*key));
            buckets.len()
        };
    }
    // What both versions tell of results that are of another type in each.
    claims! { suite, "differ/other_results", other_results_old, other_results_new;
        same "first_digit" |text: Vec<u8>| first_digit(&digits(&text)).ok();
        differs "last_digit" Behaviour (vec![1, 2]) |text: Vec<u8>| last_digit(&digits(&text)).ok();
        differs "small" Behaviour (100) |x: u16| small(x).ok();
        same "half" |x: u16| u64::from(half(x));
        differs "negated" Behaviour (1) |x: i8| i128::from(negated(x));
        same "named" |x: u8| String::from(named(x));
        differs "below" Fix (200) |x: u8| { below(x); };
        same "least" |items: Vec<u8>| least(&items).into_iter().next();
        same "tenth" |x: u32| Option::<u32>::from(tenth(x)).unwrap_or_default();
        differs "within" Behaviour (201) |x: u16| within(x).is_err_and(|reason| reason == Reason::High);
    }
    claims! { suite, "differ/nested_items", nested_items_old, nested_items_new;
        same "doubled" |x: u32| doubled(x);
        differs "tripled" Behaviour (0) |x: u32| tripled(x);
        differs "Meter::read" Behaviour (0, 0) |start: u16, by: u16| Meter { start }.read(by);
        same "span" |start: u8, end: u8| span(start, end);
    }
    claims! { suite, "differ/declared_in_bodies", declared_in_bodies_old, declared_in_bodies_new;
        differs "<Flags as fmt::Display>::fmt" Behaviour (2) |bits: u8| Flags { bits }.to_string();
        differs "Flags::all" Behaviour (0) |_unused: u8| Flags::all().bits;
        differs "Flags::new" Behaviour (8) |bits: u8| Flags::new(bits).bits;
        differs "can_write" Behaviour (8) |bits: u8| can_write(bits);
        same "can_read" |bits: u8| can_read(bits);
        differs "low" Behaviour (16) |bits: u8| Soft::new(bits).low();
        differs "is_soft" Behaviour (16) |bits: u8| is_soft(bits);
        differs "mark" Behaviour (0) |bits: u8| mark(bits);
        differs "add_mark" Behaviour (0) |bits: u8| add_mark(bits);
        same "add_soft_mark" |bits: u8| add_soft_mark(bits);
    }
    claims! { suite, "differ/statics", statics_old, statics_new;
        differs "above" Behaviour (101) |x: u32| above(x);
        differs "above_half" Behaviour (51) |x: u32| above_half(x);
        differs "entry" Behaviour (3) |i: u8| entry(i);
        same "first_entries" |i: u8| first_entries(i);
        same "far_above" |x: u32| far_above(x);
    }
    claims! { suite, "differ/dispatch", dispatch_old, dispatch_new;
        differs "Cost::with_tax" Behaviour (0) |price: u16| Toy { price }.with_tax();
        differs "<Book as Cost>::with_tax" Behaviour (10) |pages: u16| Book { pages }.with_tax();
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
        differs "<Start as AsRef>::as_ref" Behaviour (2) |at: u8| Start([1, 2, 3], at).as_ref().to_vec();
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
        differs "pages" Behaviour (2) |length: u8| pages(&Source::Text("x".repeat(length as usize)));
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
    claims! { suite, "differ/std_texts", differ_std_texts_old, differ_std_texts_new;
        differs "escape" Behaviour (1, 0) |a: u8, b: u8| escape(&text(a, b)).into_owned();
        differs "escaped" Behaviour (1, 0) |a: u8, b: u8| escaped(a, b);
        differs "without_end" Regression (3, 0) |a: u8, b: u8| without_end(a, b);
        differs "cut" Regression (0, 4) |a: u8, at: u8| cut(a, at);
        differs "lossy" Behaviour (0x80) |a: u8| lossy(a);
    }
    claims! { suite, "differ/std_collections", differ_std_collections_old, differ_std_collections_new;
        differs "first_wins" Behaviour (1, 1) |a: u8, b: u8| first_wins(a, b);
        differs "looked_up" Regression (1, 2) |a: u8, key: u8| looked_up(a, key);
        differs "smallest" Behaviour (1, 2) |a: u8, b: u8| smallest(a, b);
        differs "served" Behaviour (1, 2, 3) |a: u8, b: u8, c: u8| served(a, b, c);
        differs "second" Behaviour (1, 2) |a: u8, b: u8| second(a, b);
        differs "only_entry" Behaviour (7) |a: u8| only_entry(a);
        differs "<Name as Hash>::hash" Behaviour (b'A') |name: u8| fed(|state| Name(name).hash(state));
        differs "known" Behaviour (b'a', b'A') |name: u8, asked: u8| known(name, asked);
    }
    // Both give out any of the items, other ones at each call: as sets of outcomes they are the same.
    let outcomes =
        |run: fn(u8, u8) -> Option<u8>| (0..64).map(|_| run(1, 2)).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(
        outcomes(differ_std_collections_old::any_order),
        outcomes(differ_std_collections_new::any_order)
    );
    suite.record("differ/std_collections", "any_order", Fact::Same);
    claims! { suite, "differ/std_numbers", differ_std_numbers_old, differ_std_numbers_new;
        differs "next" Behaviour (255) |x: u8| next(x);
        differs "left" Regression (0, 1) |total: u16, spent: u16| left(total, spent);
        differs "timeout" Behaviour (1_500) |millis: u64| timeout(millis);
        differs "rest" Behaviour (1) |millis: u16| rest(millis);
    }
    claims! { suite, "differ/std_times", differ_std_times_old, differ_std_times_new;
        differs "is_up" Behaviour (0, 1) |secs: u64, nanos: u32| is_up(duration(secs, nanos));
        differs "later" Regression (i64::MAX, 0, 1) |secs: i64, nanos: u32, by: u64| later(time(secs, nanos), duration(by, 0));
        differs "year_of" Regression (-1, 0) |secs: i64, nanos: u32| year_of(time(secs, nanos));
        differs "waited" Regression (true, 5, 3) |is_since: bool, since: u32, now: u32| {
            let start = std::time::Instant::now();
            let after = |secs: u32| start + duration(u64::from(secs), 0);
            waited(is_since.then(|| after(since)), after(now))
        };
        differs "put" Behaviour (100) |n: u8| put(&mut [std::mem::MaybeUninit::new(0); 4], n).to_string();
        differs "wrapped" Behaviour (250) |x: u8| wrapped(x);
    }
    claims! { suite, "differ/deep_parser", deep_parser_old, deep_parser_new;
        differs "is_key" Behaviour (b"open-ses".to_vec()) |text: Vec<u8>| std::str::from_utf8(&text).is_ok_and(is_key);
        differs "read" Behaviour (b"open-ses".to_vec()) |text: Vec<u8>| std::str::from_utf8(&text).ok().and_then(read);
        differs "is_letter" Behaviour ('\u{c081}') |character: char| is_letter(character);
        differs "is_word" Behaviour ('\u{c081}') |character: char| is_word(&character.to_string());
        differs "open" Regression (10) |top: u8| open(&mut [0; 10], &mut usize::from(top % 11), 1);
        differs "is_shallow" Regression (11) |braces: u8| is_shallow(&b"{{{{{{{{{{{"[..usize::from(braces % 12)]);
    }
    claims! { suite, "differ/buffers", buffers_old, buffers_new;
        differs "digits" Behaviour (7777) |n: u16| text_of(n);
        differs "text_of" Behaviour (7777) |n: u16| text_of(n);
        differs "big_endian" Behaviour (0x1234) |n: u16| bytes_of(n);
        differs "bytes_of" Behaviour (0x1234) |n: u16| bytes_of(n);
    }
    // What both versions have: the variants are named, and of `Options` the common fields.
    claims! { suite, "differ/grown_types", grown_types_old, grown_types_new;
        same "check" |x: u8| check(x).map_err(|fault| (fault.name(), code(&fault)));
        differs "check_more" Behaviour (77) |x: u8| check_more(x).map_err(|fault| fault.name());
        same "Fault::name" |x: u8| Fault::Bad(x).name();
        differs "code" Behaviour (777) |at: usize| code(&Fault::Long { at });
        same "place" |at: usize, x: u8| (place(&Fault::Long { at }), place(&Fault::Bad(x)), place(&Fault::Empty));
        same "wide" |width: u8| { let options = wide(width); (options.width, options.depth) };
        differs "deep" Behaviour (99) |width: u8| { let options = deep(width); (options.width, options.depth) };
        same "<Settings as Default>::default" |x: u8| { let settings = Settings::default(); (settings.width, settings.depth, x) };
        differs "reach" Behaviour (Some(3), 3) |depth: Option<u8>, x: u8| reach(&Settings { depth, ..Settings::default() }, x);
        same "span" |width: u8, depth: Option<u8>| span(Settings { width, depth, ..Settings::default() });
        same "Config::new" |limit: u8, x: u8| Config::new(limit).allows(x);
        same "Config::allows" |limit: u8, x: u8| Config::new(limit).allows(x);
        differs "Config::refuses" Behaviour (1, 123) |limit: u8, x: u8| Config::new(limit).refuses(x);
        same "Order::of" |count: u8| Order::of(count).count();
        differs "Order::doubled" Behaviour (42) |count: u8| Order::doubled(count).0.count();
        same "Order::count" |count: u8| Order::of(count).count();
        differs "<Order as std::fmt::Debug>::fmt" Behaviour (1) |count: u8| format!("{:?}", Order::of(count));
        differs "Level::of" Behaviour (200) |x: u8| named(x);
        differs "named" Behaviour (200) |x: u8| named(x);
        same "Level::height" |x: u8| (Level::Mid(x).height(), Level::Low.height());
        differs "Level::depth" Behaviour (77) |x: u8| Level::Mid(x).depth();
        same "Remembering::new" |first: u8, second: u8| Remembering::new(first, second).sum();
        same "Remembering::first" |first: u8, second: u8| Remembering::new(first, second).first();
        same "Remembering::sum" |first: u8, second: u8| Remembering::new(first, second).sum();
        differs "Remembering::second" Behaviour (1, 2) |first: u8, second: u8| Remembering::new(first, second).second();
    }
    claims! { suite, "differ/made_otherwise", made_otherwise_old, made_otherwise_new;
        differs "Span::parse" Behaviour (2) |digit: u8| Span::parse(&format!("{}m", digit % 10)).map(|span| span.seconds());
        same "Span::is_long" |digit: u8| Span::parse(&format!("{}s", digit % 10)).map(|span| span.is_long());
        differs "Span::twice" Behaviour (3) |digit: u8| Span::parse(&format!("{}s", digit % 10)).map(|span| span.twice());
        differs "Pair::of" Behaviour (1, true) |number: u8, is_one: bool| Pair::of(number, is_one).tag();
        differs "Pair::increase" Regression (1, true) |number: u8, is_one: bool| Pair::of(number, is_one).increase();
    }
    claims! { suite, "differ/other_abi", other_abi_old, other_abi_new;
        differs "half" Behaviour (1) |number: u8| half(number);
        differs "is_title" Behaviour (0) |length: u8| is_title(&b"Title"[..usize::from(length % 6)]);
        differs "take" Behaviour (9) |left: u8| { let mut left = left; (take(&mut left, None), left) };
        differs "t" Behaviour (5) |number: u8| t(number);
    }
    claims! { suite, "differ/other_types", other_types_old, other_types_new;
        differs "is_value" Behaviour (0) |divisor: u8| is_value(&(0.0 / f64::from(divisor)));
        differs "at_least" Behaviour (0) |divisor: u8| at_least(0.0 / f64::from(divisor), 1.0);
        same "at_most" |value: u8, most: u8| at_most(value, most);
        differs "is_far" Regression (3, 4) |a: u8, b: u8| is_far(a, b);
        differs "has_room" Behaviour (1) |depth: u8| (has_room(&Hole(depth)), has_room(&Square(depth)));
        differs "Load::empty" Behaviour (3) |len: u8| {
            struct Length;
            impl<K> Weight<K> for Length {
                fn weigh(&self, _: &K, len: u8) -> u8 {
                    len
                }
            }
            let mut load = Load::new(Length);
            load.put((), len);
            load.empty();
            load.sum()
        };
        same "is_bit" |bit: u8| is_bit(&Bit(bit));
        differs "Words::keeps" Behaviour (0) |least: i8| {
            Words { tongue: &Shifty, words: "".split(' ').enumerate(), least }.keeps("neuf")
        };
        differs "Words::first" Behaviour (0) |least: i8| {
            Words { tongue: &Shifty, words: "neuf".split(' ').enumerate(), least }.first()
        };
        differs "first_word" Behaviour (0) |least: i8| first_word(&Shifty, "neuf", least);
        differs "<T as Encoding>::first_of" Behaviour (65) |byte: u8| <Upper as Encoding>::first_of([byte]);
        differs "Span::is_empty" Behaviour (0) |divisor: u8| Span { from: 0.0 / f64::from(divisor), to: 1.0 }.is_empty();
    }
    claims! { suite, "differ/collections", collections_old, collections_new;
        same "smallest" |items: Vec<i16>| smallest(&items.into_iter().collect());
        same "is_ascending" |items: Vec<(u8, u8)>| is_ascending(&items.into_iter().collect());
        same "named" |items: Vec<(String, u8)>, value: u8| {
            let mut map: std::collections::BTreeMap<String, u8> = items.into_iter().collect();
            map.insert("ab".to_owned(), value);
            named(&map)
        };
        same "known" |items: Vec<(u16, u8)>, key: u16| known(&items.into_iter().collect(), key);
        same "twice" |items: Vec<u32>| twice(&items.into_iter().chain([7]).collect());
        same "front" |items: Vec<u8>| front(&items.into_iter().collect());
        differs "sum" Behaviour (1) |item: i16| sum(&[item, -777].into_iter().collect());
        differs "mark" Behaviour (1) |value: u8| {
            let mut map = [(1, value), (2, value), (123_456, value)].into_iter().collect();
            mark(&mut map);
            map
        };
        differs "pair" Behaviour (1) |other: u32| pair(&[(other & 7, 0), (123_456, 654_321)].into_iter().collect());
        differs "turn" Behaviour (1) |first: u32| turn(&mut [first, 99_999].into_iter().collect());
    }
    claims! { suite, "differ/arenas", arenas_old, arenas_new;
        differs "NodeId::weight_below" Behaviour (1) |weight: u32| {
            let mut arena = Arena::new();
            let (root, child) = (arena.new_node(weight), arena.new_node(weight));
            root.append(child, &mut arena);
            root.weight_below(&arena)
        };
        same "NodeId::is_root" |is_child: bool| {
            let mut arena = Arena::new();
            let (root, child) = (arena.new_node(0), arena.new_node(1));
            if is_child {
                root.append(child, &mut arena);
            }
            (root.is_root(&arena), child.is_root(&arena))
        };
    }
    claims! { suite, "differ/filled_by_steps", filled_by_steps_old, filled_by_steps_new;
        same "Line::new" |x: u8| Line::new(x).is_blank();
        differs "Line::is_blank" Behaviour (0) |x: u8| Line::new(if x == 0 { "" } else { "a" }).is_blank();
        differs "<Mark as Ord>::cmp" Behaviour (1, 2) |a: u8, b: u8| Mark(a).cmp(&Mark(b));
        differs "<Mark as PartialOrd>::partial_cmp" Behaviour (1, 2) |a: u8, b: u8| Mark(a).partial_cmp(&Mark(b));
        same "Spans::new" |x: u8| (x, Spans::<u8>::new().starts().count());
        differs "Spans::put" Behaviour (1, 2) |start: u8, end: u8| {
            let mut spans = Spans::new();
            spans.put(Mark(start), Mark(end));
            spans.starts().next().map(|mark| mark.0)
        };
        differs "Pile::taken" Behaviour (1) |item: u8| { let mut pile = Pile::of(item); pile.pop(); pile.taken() };
        differs "Rows::first" Behaviour (3, 1) |more: u8, fewer: u8| {
            let rows = Rows::new();
            rows.first(more);
            rows.first(fewer)
        };
        same "Chain::of_small" |entry: u8| { let mut chain = Chain::of_small(); (chain.push(entry), chain.len()) };
        differs "Chain::push" Behaviour (1) |entry: u8| {
            let mut chain = Chain::of_small();
            let first = chain.push(entry);
            (first, chain.push(entry), chain.len())
        };
        same "Spans::starts" |start: u8, end: u8| { let mut spans = Spans::new(); spans.put(start, end); spans.starts().count() };
        differs "<Starts as Iterator>::next" Behaviour (1, 2) |start: u8, other: u8| {
            let mut spans = Spans::new();
            spans.put(start, 9);
            spans.put(other, 9);
            let first = spans.starts().next();
            first
        };
        differs "<Starts as std::fmt::Debug>::fmt" Behaviour (1) |x: u8| {
            let mut spans = Spans::new();
            spans.put(x, 9);
            let text = format!("{:?}", spans.starts());
            text
        };
    }
    claims! { suite, "unchanged/signatures", signatures_old, signatures_new;
        same "widened" |x: u16| u64::from(widened(x.into()));
    }
    // Each version is called in its own way where one text does not do for both.
    claims! { suite, "differ/other_signatures", other_signatures_old, other_signatures_new;
        same "total" |numbers: Vec<u8>| total(&numbers);
        differs "largest" Behaviour (vec![77]) |numbers: Vec<u8>| largest(&numbers);
        same "width" |x: u32| width(&x.to_string());
        same "unboxed" |number: u32| unboxed(&Box::new(number));
        same "half" |number: u16| half(number.into());
        differs "double" Behaviour (40_000) |number: u16| double(number.into());
        same "third" |number: u16| third(number.into());
        same "reach" |x: u8, y: u8| reach_of(x, y);
        same "reach_of" |x: u8, y: u8| reach_of(x, y);
        differs "height" Behaviour (200, 1) |x: u8, y: u8| height_of(x, y);
        differs "height_of" Behaviour (200, 1) |x: u8, y: u8| height_of(x, y);
        same "length" |x: u32| length_of(x.to_string());
        same "length_of" |x: u32| length_of(x.to_string());
        same "next" |number: u32| next(number);
        differs "previous" Behaviour (0) |number: u32| previous(number);
        same "limited" |limit: u8| limited_to(limit);
        same "limited_to" |limit: u8| limited_to(limit);
        same "Log::count" |bytes: Vec<u8>, wanted: Vec<u8>| Log { bytes }.count(&wanted);
        differs "Log::clear" Behaviour (vec![99]) |target: Vec<u8>| cleared(target);
        same "scaled" |number: u8| scaled_by_three(number);
        same "scaled_by_three" |number: u8| scaled_by_three(number);
        same "pieces" |x: u16| pieces_of(x);
        same "pieces_of" |x: u16| pieces_of(x);
        same "rest_of" |x: u16| rest_of(x);
        differs "cleared" Behaviour (vec![99]) |target: Vec<u8>| cleared(target);
    }
    claims! { suite, "differ/inherited", inherited_old, inherited_new;
        same "<Square as Shape>::doubled" |side: u32| Square(side).doubled();
        differs "<Square as Shape>::is_flat" Behaviour (1) |side: u32| Square(side).is_flat();
        differs "is_flat_square" Behaviour (1) |side: u32| is_flat_square(side);
        differs "<Square as Shape>::named" Behaviour (1, 1) |side: u32, more: u8| Square(side).named(more);
        same "<Many as Shape>::side" |items: Vec<u8>| Many { items }.side();
        same "Shape::doubled" |side: u32| Kept(side).doubled();
        same "Shape::is_flat" |side: u32| Kept(side).is_flat();
        same "Shape::named" |side: u32, more: u8| Kept(side).named(more);
        differs "<Many as Shape>::doubled" Behaviour (vec![]) |items: Vec<u8>| Many { items }.doubled();
        differs "<Evens as Iterator>::size_hint" Behaviour (0) |count: u8| Evens(count).size_hint();
        differs "<Evens as Iterator>::nth" Behaviour (2, 2) |count: u8, n: usize| { let mut evens = Evens(count); (evens.nth(n), evens.0) };
        differs "<Release as PartialOrd>::lt" Behaviour (1, 1) |major: u8, minor: u8| Release { major, minor } < Release { major: 1, minor: 1 };
        same "<Release as PartialOrd>::gt" |major: u8, minor: u8| Release { major, minor } > Release { major: 1, minor: 1 };
        differs "is_older" Behaviour (2, 1) |major: u8, minor: u8| is_older(major, minor);
    }
    claims! { suite, "differ/at_types", at_types_old, at_types_new;
        differs "<Circle as Area>::area" Behaviour (1) |radius: u32| Circle(radius).area();
        differs "twice" Behaviour (1) |radius: u32| of_circle(radius);
        differs "of_circle" Behaviour (1) |radius: u32| of_circle(radius);
        same "of_square" |side: u32| of_square(side);
        differs "<Steps as Iterator>::next" Behaviour (9) |count: u8| Steps(count).next();
        differs "sum_of_steps" Behaviour (9) |count: u8| sum_of_steps(count);
        same "sum_of_bytes" |bytes: Vec<u8>| sum_of_bytes(&bytes);
        differs "<Folded as Iterator>::fold" Behaviour (2) |count: u8| Folded(count).fold(0, |all: u32, one| all + one);
        differs "sum_of_folded" Behaviour (2) |count: u8| sum_of_folded(count);
        differs "<Key as PartialOrd>::lt" Behaviour (1, 2) |a: u8, b: u8| Key(a) < Key(b);
        differs "first_of_keys" Behaviour (1, 2) |a: u8, b: u8| first_of_keys(a, b);
        same "first_of_bytes" |a: u8, b: u8| first_of_bytes(a, b);
        differs "<Loud as fmt::Write>::write_str" Behaviour (3) |side: u32| loud(side);
        same "quiet" |side: u32| quiet(side);
        differs "loud" Behaviour (3) |side: u32| loud(side);
        differs "<Shown as fmt::Display>::fmt" Behaviour (vec![b'a']) |text: Vec<u8>| Shown(String::from_utf8_lossy(&text).into_owned()).to_string();
        same "Shown::tail" |text: Vec<u8>| Shown(format!("x{}", String::from_utf8_lossy(&text))).tail().to_owned();
        differs "Part::begins" Behaviour (7) |from: u8| begins_in_text(Part { whole: "ab", from });
        differs "begins_in_text" Behaviour (7) |from: u8| begins_in_text(Part { whole: "ab", from });
        differs "begins_in_bytes" Behaviour (7) |from: u8| begins_in_bytes(&Part { whole: b"ab", from });
    }
    claims! { suite, "differ/std_io", differ_std_io_old, differ_std_io_new;
        differs "pair" Behaviour (vec![1]) |bytes: Vec<u8>| pair(&bytes[..]);
        differs "framed" Behaviour (7) |x: u8| {
            let mut text = Vec::new();
            framed(&mut text, x).map(|()| text)
        };
        differs "even" Behaviour (77_777) |x: u32| even(x);
        differs "lines" Behaviour (vec![10]) |text: Vec<u8>| lines(&text);
        differs "back" Behaviour (vec![1], 0) |bytes: Vec<u8>, by: i64| back(&bytes, by);
        differs "third" Behaviour (vec![1, 2, 3]) |bytes: Vec<u8>| third(&mut std::io::Cursor::new(bytes));
    }
    claims! { suite, "differ/std_slices", differ_std_slices_old, differ_std_slices_new;
        differs "parts" Behaviour (1, 1, 0) |a: u8, b: u8, c: u8| parts(a, b, c);
        differs "first_of_pair" Behaviour (1, 1, 1) |a: u8, b: u8, c: u8| first_of_pair(a, b, c);
        differs "is_rising" Behaviour (1, 0, 5) |a: i16, b: i16, c: i16| is_rising(a, b, c);
        differs "tail" Regression (1, 2, 3) |a: u8, b: u8, from: u8| tail(a, b, from);
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse_odd(x: u64) -> u64 {
    (0..6).fold(x, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse))))
}
