//! Functions that are given closures, trait objects, formatters, writers and ranges.

use std::cell::RefCell;
use std::ops::Bound;
use std::rc::Rc;

use regress_tests::native::{Difference, Suite};

use crate::versions::*;

/// Writes down how it is called.
#[derive(Default)]
struct Noted(Rc<RefCell<Vec<String>>>);

macro_rules! noted {
    ($($version:ident)*) => {$(
        impl $version::Sink for Noted {
            fn word(&mut self, at: usize, text: &str) {
                self.0.borrow_mut().push(format!("{at} {text}"));
            }
            fn pause(&mut self, length: u8) -> bool {
                length != 0
            }
            fn end(&self) {
                self.0.borrow_mut().push("end".to_owned());
            }
        }
    )*};
}

noted!(listeners_old listeners_new);

/// Writes down what it is told, for all that were made of one list.
struct Observing(Rc<RefCell<Vec<i32>>>);

macro_rules! observing {
    ($($version:ident)*) => {$(
        impl $version::Observer for Observing {
            fn note(&self, event: i32) {
                self.0.borrow_mut().push(event);
            }
        }
    )*};
}

observing!(observers_old observers_new);

#[derive(Default)]
struct Lines(Vec<(String, u8)>);

/// Keeps what it is told for others to see.
#[derive(Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

macro_rules! lines {
    ($($version:ident)*) => {$(
        impl $version::Log for Lines {
            fn line(&mut self, text: &str, level: u8) {
                self.0.push((text.to_owned(), level));
            }
        }

        impl $version::Sink for Bytes {
            fn put(&mut self, byte: u8) {
                self.0.borrow_mut().push(byte);
            }
        }
    )*};
}

lines!(objects_old objects_new);

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "differ/kept_closures", kept_closures_old, kept_closures_new;
        differs "<Kept as Iterator>::next" Behaviour (vec![7], 1) |items: Vec<u8>, known: u8| {
            Kept { items: items.into_iter(), keeps: |item: &u8| *item == known }.next()
        };
        differs "Rules::answer" Behaviour (1) |x: u8| {
            Rules { first: |name: &str, x: u8| x ^ name.len() as u8, otherwise: 9 }.answer("ab", x)
        };
    }
    claims! { suite, "differ/given_closures", given_closures_old, given_closures_new;
        differs "skipped" Behaviour (vec![1], 1) |bytes: Vec<u8>, known: u8| skipped(&bytes, |byte| byte != known);
        same "kept" |a: char, b: char, known: char| kept(a, b, |c| *c == known);
        same "either" |a: u8, b: u8, known: u8| either(a, b, |x, y| x < y || x == known);
        differs "swapped" Behaviour (1, 2) |a: u8, b: u8| swapped(a, b, |x, y| x < y);
        same "mapped" |value: Option<u16>, known: u16| mapped(value, |x| x ^ known);
        same "permits" |limit: u8, x: u8| {
            let rules = [Policy::Below(limit), Policy::Even, Policy::Custom(|x| x == 1)];
            rules.map(|rule| permits(&rule, x))
        };
        differs "refused" Behaviour (77) |x: u8| refused(&Policy::Even, x);
        differs "trim_dead" Behaviour (vec![1, 1], 1) |items: Vec<u8>, known: u8| {
            let mut items = items;
            trim_dead(&mut items, |item| *item == known);
            items
        };
        differs "rule" Behaviour (9, 5) |x: u8, y: u8| permits(&rule(x), y);
        differs "each" Behaviour (1, 2) |a: u8, b: u8| {
            let mut heard = Vec::new();
            each([a, b], |byte| heard.push(byte));
            heard
        };
    }
    claims! { suite, "differ/objects", objects_old, objects_new;
        differs "is_large" Behaviour (10) |side: u8| is_large(&Square(side));
        differs "total" Behaviour (1) |side: u8| total(&[Box::new(Square(side)), Box::new(Strip { width: 1, length: side })]);
        same "described" |width: u8, length: u8| described(Box::new(Strip { width, length }));
        differs "grown" Behaviour (1, 1) |width: u8, by: u8| {
            let mut strip = Strip { width, length: 7 };
            grown(&mut strip, by);
            strip.length
        };
        differs "told" Behaviour (3) |level: u8| {
            let mut notes = Lines::default();
            told(&mut notes, level);
            notes.0
        };
        differs "each" Behaviour (vec![1, 2]) |bytes: Vec<u8>| {
            let mut heard = Vec::new();
            each(&bytes, &mut |byte| heard.push(byte));
            heard
        };
        differs "applied" Behaviour (1) |x: u8| applied(Box::new(|x| x.wrapping_mul(3)), x);
        differs "passes" Behaviour (9, 3) |least: u8, x: u8| {
            passes(&Rules { all: vec![Box::new(AtLeast(least)), Box::new(AtLeast(2))] }, x)
        };
        differs "shared" Behaviour (1) |x: u8| {
            let rule: Rc<dyn Fn(u8) -> u8> = Rc::new(|x| x.wrapping_mul(3));
            shared(&rule, x)
        };
        differs "filtered" Behaviour (vec![1, 2]) |bytes: Vec<u8>| {
            filtered(&Filter { keeps: std::sync::Arc::new(|byte| byte > 1) }, &bytes)
        };
        differs "mapped" Behaviour (1) |x: u8| mapped(|x| x.wrapping_mul(3), x);
        differs "read" Behaviour (1) |x: u8| read(&format!(" {x}"), |text| text.parse().ok());
        differs "handled" Behaviour (1) |x: u8| {
            handled(&Handlers { first: |x| x > 0, second: Some(|x, y| x.wrapping_add(y)) }, x)
        };
        differs "counted" Behaviour (7) |x: u8| counted(Rc::new(Even), x);
        differs "kept" Behaviour (4) |x: u8| kept(&Kept { check: std::sync::Arc::new(Below(9)) }, x);
        differs "sent" Behaviour (1) |x: u8| {
            let bytes = Rc::default();
            sent(&mut Out { sink: Box::new(Bytes(Rc::clone(&bytes))) }, x);
            bytes.take()
        };
    }
    claims! { suite, "differ/format_options", format_options_old, format_options_new;
        differs "<Size as fmt::Display>::fmt" Behaviour (1) |size: u32| format!("{:.3}", Size(size));
        differs "<Tag as fmt::Display>::fmt" Behaviour (1) |tag: u8| format!("{:#}", Tag(tag));
        differs "<Name as fmt::Display>::fmt" Behaviour (1) |length: u8| {
            format!("{:>300}", Name("x".repeat(length.into())))
        };
        differs "<Pair as fmt::Display>::fmt" Behaviour (1, 2) |a: u8, b: u8| format!("{:4}", Pair(a, b));
        same "<Plain as fmt::Display>::fmt" |x: u8| format!("{0} {0:>5} {0:.1} {0:#09}", Plain(x));
    }
    claims! { suite, "differ/wider_inputs", wider_inputs_old, wider_inputs_new;
        differs "number" Behaviour (1) |digit: u8| {
            let text = format!("_{digit}");
            let mut letters = text.chars().peekable();
            (number(&mut letters), letters.collect::<String>())
        };
        differs "is_at_word" Behaviour (0) |at: usize| is_at_word(&mut "7".char_indices().peekable(), at);
        differs "has_line" Behaviour (0) |at: u8| has_line(&mut format!("#{at}").lines().enumerate());
        differs "to_text" Behaviour (9) |x: u8| {
            let mut text = String::new();
            to_text(x, &mut text).map(|()| text)
        };
        differs "to_bytes" Behaviour (9) |x: u8| {
            let mut bytes = Vec::new();
            to_bytes(x, &mut bytes).map(|()| bytes).map_err(|error| error.kind())
        };
        differs "starts_large" Behaviour (9) |x: u8| starts_large(&mut &[x][..]).map_err(|error| error.kind());
        differs "count_large" Behaviour (vec![9, 1]) |items: Vec<u8>| count_large(&mut items.into_iter());
        differs "is_long" Behaviour (9) |length: u8| is_long(&"x".repeat(length.into()));
        differs "given" Behaviour (1) |x: u8| {
            let mut bytes = Vec::new();
            given(x, &mut bytes).map(|()| bytes).map_err(|error| error.kind())
        };
        differs "given_text" Behaviour (9) |x: u8| {
            let mut text = String::new();
            given_text(x, &mut text).map(|()| text)
        };
        differs "ends" Behaviour (1) |from: u8| width((Bound::Excluded(usize::from(from)), Bound::Unbounded));
        differs "width" Behaviour (1) |from: u8| width((Bound::Excluded(usize::from(from)), Bound::Unbounded));
        same "whole" |x: u8| (whole(), x);
        differs "rounds_up" Behaviour (2) |halves: u8| rounds_up(f64::from(halves) / 4.0);
        differs "shout" Behaviour (1) |x: u8| shout(&x);
        differs "inside::shouted" Behaviour (1) |x: u8| inside::shouted(x);
        differs "<Each as DoubleEndedIterator>::next_back" Behaviour (1, 2) |a: u8, b: u8| {
            let mut bag = Bag::new();
            [a, b, 9].into_iter().for_each(|item| bag.push(item));
            let last = bag.each().next_back().copied();
            last
        };
    }
    claims! { suite, "differ/observers", observers_old, observers_new;
        differs "Hub::tell" Behaviour (7) |event: i32| {
            let (mut hub, heard) = (Hub::new(), Rc::default());
            hub.add(Rc::new(Observing(Rc::clone(&heard))));
            hub.tell(event);
            heard.take()
        };
        differs "Bus::tell" Behaviour (7) |event: i32| {
            let heard = Rc::default();
            Bus::new().with(Box::new(Observing(Rc::clone(&heard)))).tell(event);
            heard.take()
        };
        differs "Guarded::tell" Behaviour (7, 7) |event: i32, limit: i32| {
            let heard = Rc::default();
            Guarded::new(Box::new(Observing(Rc::clone(&heard))), limit).tell(event);
            heard.take()
        };
        differs "Later::run" Behaviour (7) |event: i32| {
            let (mut later, heard) = (Later::new(), Rc::<RefCell<Vec<i32>>>::default());
            let hears = Rc::clone(&heard);
            later.set(Box::new(move |event| hears.borrow_mut().push(event)));
            later.run(event);
            heard.take()
        };
        same "Rules::sum" |x: i32, y: i32| {
            let mut rules = Rules::new();
            rules.on(move |x| x ^ y);
            rules.on(|x| x.wrapping_mul(3));
            rules.sum(x)
        };
    }
    claims! { suite, "differ/listeners", listeners_old, listeners_new;
        differs "report" Behaviour (32) |length: u8| {
            let mut sink = Noted::default();
            report(&mut sink, length);
            sink.0.take()
        };
        differs "finish" Behaviour (1) |at: u8| {
            let notes = Rc::default();
            finish(Noted(Rc::clone(&notes)), at);
            notes.take()
        };
        differs "pauses" Behaviour ([1, 0, 1]) |lengths: [u8; 3]| pauses(&mut Noted::default(), lengths);
        same "quiet" |times: bool| {
            let sink = Noted::default();
            quiet(&sink, times);
            sink.0.take()
        };
        differs "Reader::step" Behaviour (7) |at: u8| {
            let mut reader = Reader::new(Noted::default(), at);
            reader.step();
            reader.into_inner().0.take()
        };
        differs "numbered" Behaviour (7) |first: u8| {
            let mut heard = Vec::new();
            numbered("a", first, |text, number| heard.push((text.to_owned(), number)));
            heard
        };
        differs "changed" Behaviour ([1, 2]) |bytes: [u8; 2]| {
            let mut sum = 0u8;
            changed(bytes, |byte| {
                sum = sum.wrapping_mul(2).wrapping_add(*byte);
                *byte = sum;
            })
        };
    }
}
