// Written by `cargo regress` into a copy of the crate: builds inputs, runs one function, shows what came out.
// Valid in every edition, with or without the standard prelude. No dependencies.
#![allow(warnings)]

use crate::__regress_std as std;
pub use crate::__regress_std::fmt::{Debug, Formatter};
pub use crate::__regress_std::mem::{forget, ManuallyDrop};
pub use crate::__regress_std::prelude::v1::*;

use crate::__regress_std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use crate::__regress_std::fmt::{self, Write as FmtWrite};
use crate::__regress_std::io::{BufRead, BufReader, BufWriter, Write as IoWrite};
use crate::__regress_std::os::unix::net::UnixStream;
use crate::__regress_std::rc::Rc;
use crate::__regress_std::sync::Mutex;

/// A value that can be made from a token stream, or drawn at random.
pub trait Build: Sized {
    fn build(source: &mut Source) -> Result<Self, Misfit>;
    /// How many values there are.
    fn size(domain: &mut Domain) -> u64 {
        domain.open()
    }
    fn shape(shape: &mut Shape);
}

/// A value that can be written as the JSON form of `regress_core::value::Value`.
pub trait Show {
    fn show(&self, out: &mut String);
}

/// The tokens do not describe a value of the wanted type.
pub struct Misfit(pub String);

pub fn no_variant<T>(name: &str) -> Result<T, Misfit> {
    Err(Misfit(std::format!("no variant {}", name)))
}

// ---------------------------------------------------------------------------------------------------------------
// Where values come from

pub struct Source {
    origin: Origin,
    /// What `&mut` within arguments refer to.
    lent: Vec<Lent>,
    /// The choices that the tokens read so far stand for.
    told: Vec<Choice>,
}

/// A place that outlives the call it is lent to.
struct Lent {
    address: usize,
    type_name: &'static str,
    show: Box<dyn Fn(&mut String)>,
}

enum Origin {
    Tokens { tokens: Vec<String>, at: usize },
    Random(Random),
    /// All inputs that there are, one after the other.
    Listed(Listing),
}

/// One decision of a random source. An input is what its choices make of the parameters' types, so a change of a choice is an
/// input of the same types again.
#[derive(Clone, PartialEq)]
enum Choice {
    Below(u64),
    Wide(u128),
    /// With its width in bits.
    Int(u128, u32),
    Char(char),
    Text(String),
    Length(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Below,
    Wide,
    Int,
    Char,
    Text,
    Length,
}

impl Choice {
    fn kind(&self) -> Kind {
        match *self {
            Choice::Below(_) => Kind::Below,
            Choice::Wide(_) => Kind::Wide,
            Choice::Int(..) => Kind::Int,
            Choice::Char(_) => Kind::Char,
            Choice::Text(_) => Kind::Text,
            Choice::Length(_) => Kind::Length,
        }
    }
}

/// Choices to take as long as they are of the kind that is asked for, and those that were taken or drawn.
#[derive(Default)]
struct Tape {
    is_on: bool,
    given: Vec<Choice>,
    at: usize,
    taken: Vec<Choice>,
    /// Draws that are part of a choice are none themselves.
    inside: usize,
}

struct Random {
    state: u64,
    tape: Tape,
    max_len: usize,
    /// Elements that sequences may still have beyond `max_len`.
    long: usize,
    /// Whether integers are near zero.
    small: bool,
    max_depth: usize,
    depth: usize,
    known: Rc<Dictionary>,
    recent: Vec<u128>,
    recent_floats: Vec<f64>,
    recent_texts: Vec<String>,
    class: Class,
    /// The row that this run begins with, or what is left of it.
    due: Vec<Due>,
    /// What is left of a text whose bytes are being drawn, the next byte last.
    spelled: Vec<u8>,
    /// How many calls that make values the arguments drawn are for.
    making: usize,
    /// Calls that changed the value that is being made so far.
    steps: usize,
    /// So many may be in a row.
    most_steps: usize,
    /// Calls that failed on the way to the value that is being made.
    failed_steps: usize,
    /// Whether values are made by the crate's functions where there are any.
    as_made: bool,
}

/// What characters and bytes are drawn from while one sequence is made.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Any,
    Digits,
    Hex,
    Lower,
    Pair(char, char),
    /// A few characters from one on: their encodings begin alike.
    Kin(char),
    Numeric,
}

const PUNCTUATION: &str = " .,:;-+_/\\'\"()[]{}<>=*!?#@%&|~^$`\t\n";
const WIDE: &str = "\u{aa}\u{2102}\u{1c5}\u{24d0}\u{fb01}\u{a0}\u{200d}\u{e9}\u{df}\u{20ac}\u{6f22}\u{1f600}\u{130}\u{3b1}\u{300}\u{7f}\u{80}\u{ff}\u{d7ff}\u{e000}\u{ffff}\u{10ffff}\u{660}";

/// The longest sequence that is drawn.
const LONGEST: usize = 256;
/// The largest constant that counts as small.
const LARGEST_SMALL: u128 = 4096;

/// The largest `usize` that a call which makes values is given, as it may be a capacity. Larger ones end the process for want of memory, but for those beyond
/// `isize::MAX`, on which the call panics.
const LARGEST_CAPACITY: u128 = 0xffff;

fn bounded_capacity(capacity: u128) -> u128 {
    if capacity > std::isize::MAX as u128 { capacity } else { capacity & LARGEST_CAPACITY }
}

fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 }
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// How much was drawn so far: sources that began alike and stand alike have drawn the same.
    fn drawn(&self) -> String {
        std::format!("{:x} {}", self.state, self.tape.at)
    }

    /// What the tape has, or else what is drawn.
    fn choose(&mut self, kind: Kind, draw: impl FnOnce(&mut Random) -> Choice) -> Choice {
        if !self.tape.is_on || self.tape.inside > 0 {
            return draw(self);
        }
        let given = self.tape.given.get(self.tape.at).filter(|choice| choice.kind() == kind).cloned();
        self.tape.at += 1;
        let choice = match given {
            Some(choice) => choice,
            None => self.aside(draw),
        };
        self.tape.taken.push(choice.clone());
        choice
    }

    /// Draws without a choice.
    fn aside<T>(&mut self, draw: impl FnOnce(&mut Random) -> T) -> T {
        self.tape.inside += 1;
        let drawn = draw(self);
        self.tape.inside -= 1;
        drawn
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        match self.choose(Kind::Below, |random| Choice::Below(random.next() % bound as u64)) {
            Choice::Below(number) => (number % bound as u64) as usize,
            _ => 0,
        }
    }

    fn wide(&mut self) -> u128 {
        let draw = |random: &mut Random| Choice::Wide(((random.next() as u128) << 64) | random.next() as u128);
        match self.choose(Kind::Wide, draw) {
            Choice::Wide(bits) => bits,
            _ => 0,
        }
    }

    fn pick(&mut self, text: &str) -> char {
        let at = self.below(text.chars().count());
        text.chars().nth(at).unwrap_or('a')
    }

    fn int(&mut self, bits: u32, signed: bool) -> u128 {
        let draw = |random: &mut Random| {
            let due = if random.spelled.is_empty() { random.due_int() } else { None };
            due.unwrap_or_else(|| random.drawn_int(bits, signed))
        };
        match self.choose(Kind::Int, |random| Choice::Int(draw(random), bits)) {
            Choice::Int(value, _) => value & mask(bits),
            _ => 0,
        }
    }

    fn drawn_int(&mut self, bits: u32, signed: bool) -> u128 {
        let mask = mask(bits);
        if let Some(byte) = self.spelled.pop() {
            return byte as u128;
        }
        if bits == 8 && self.class != Class::Any {
            let drawn = self.character() as u32;
            return (drawn as u128) & mask;
        }
        // A capacity that nobody has memory for ends the process.
        let may_be_capacity = self.making > 0 && bits == 64 && !signed;
        if self.small && bits > 8 || may_be_capacity && self.below(2) == 0 {
            return self.small_int(signed) & mask;
        }
        let max = if signed { mask >> 1 } else { mask };
        let min = if signed { (mask >> 1) + 1 } else { 0 };
        let value = match self.below(100) {
            0..=8 => 0,
            9..=15 => 1,
            16..=21 => max,
            22..=26 => if signed { min } else { max - 1 },
            27..=31 => if signed { mask } else { 2 },
            32..=49 => self.below(17) as u128,
            50..=54 => 0u128.wrapping_sub(self.below(17) as u128),
            55..=62 => {
                let power = 1u128 << self.below(bits as usize);
                power.wrapping_add(self.below(3) as u128).wrapping_sub(1)
            }
            63..=75 if !self.known.ints.is_empty() => {
                let at = self.below(self.known.ints.len());
                self.known.ints[at].wrapping_add([0, 0, 0, 1, u128::MAX][self.below(5)])
            }
            76..=82 if !self.recent.is_empty() => {
                let at = self.below(self.recent.len());
                self.recent[at]
            }
            83..=88 if bits == 8 => self.character() as u32 as u128,
            83..=91 => self.below(257) as u128,
            92..=95 => {
                let width = self.below(bits as usize) as u32 + 1;
                self.wide() >> (128 - width)
            }
            _ => self.wide(),
        } & mask;
        if self.recent.len() < 8 {
            self.recent.push(value);
        } else {
            let at = self.below(8);
            self.recent[at] = value;
        }
        value
    }

    fn small_int(&mut self, signed: bool) -> u128 {
        let value = match self.below(11) {
            0..=5 => self.below(17) as u128,
            6..=7 => self.below(LONGEST + 1) as u128,
            _ => match self.known.ints.len() {
                0 => self.below(3) as u128,
                number => {
                    let at = self.below(number);
                    let literal = self.known.ints[at];
                    if literal <= LARGEST_SMALL { literal } else { self.below(65) as u128 }
                }
            },
        };
        if signed && self.below(4) == 0 { 0u128.wrapping_sub(value) } else { value }
    }

    fn character(&mut self) -> char {
        match self.choose(Kind::Char, |random| Choice::Char(random.drawn_character())) {
            Choice::Char(c) => c,
            _ => 'a',
        }
    }

    fn drawn_character(&mut self) -> char {
        match self.class {
            Class::Digits => return self.pick("0123456789"),
            Class::Hex => return self.pick("0123456789abcdefABCDEF"),
            Class::Lower => return self.pick("abcdefghijklmnopqrstuvwxyz"),
            Class::Pair(a, b) => return if self.below(2) == 0 { a } else { b },
            Class::Kin(first) => {
                let next = first as u32 + self.below(3) as u32;
                return std::char::from_u32(next).unwrap_or(first);
            }
            Class::Numeric => return self.pick("0123456789.-+eE_xX"),
            Class::Any => {}
        }
        match self.below(100) {
            0..=29 => self.pick("abcxyzABCXYZ"),
            30..=49 => self.pick("0123456789"),
            50..=73 => self.pick(PUNCTUATION),
            74..=79 => self.below(128) as u8 as char,
            80..=87 if !self.known.texts.is_empty() => {
                let at = self.below(self.known.texts.len());
                let text = self.known.texts[at].clone();
                self.pick(&text)
            }
            88..=95 => self.pick(WIDE),
            _ => {
                let code = self.below(0x11_0000) as u32;
                std::char::from_u32(code).unwrap_or('a')
            }
        }
    }

    fn class(&mut self) -> Class {
        self.aside(|random| match random.below(10) {
            0 => Class::Digits,
            1 => Class::Hex,
            2 => Class::Lower,
            3 => Class::Pair(random.character(), random.character()),
            4 => Class::Numeric,
            5 => Class::Kin(random.pick(WIDE)),
            _ => Class::Any,
        })
    }

    fn length(&mut self) -> usize {
        if self.depth > self.max_depth {
            return 0;
        }
        self.chosen_length(Random::drawn_length)
    }

    /// Of a sequence that is no text.
    fn sequence_length(&mut self) -> usize {
        if self.depth > self.max_depth {
            return 0;
        }
        self.chosen_length(|random| random.due_length().unwrap_or_else(|| random.drawn_length()))
    }

    fn chosen_length(&mut self, draw: impl FnOnce(&mut Random) -> usize) -> usize {
        match self.choose(Kind::Length, |random| Choice::Length(draw(random))) {
            Choice::Length(length) => length,
            _ => 0,
        }
    }

    fn drawn_length(&mut self) -> usize {
        if self.long > self.max_len && self.below(2) == 0 {
            let most = [2 * self.max_len, 40, 64, LONGEST][self.below(4)];
            let length = std::cmp::min(self.below(most + 1), self.long);
            self.long -= length;
            return length;
        }
        match self.below(100) {
            0..=11 => 0,
            12..=29 => 1,
            30..=44 => 2,
            45..=59 => 3,
            _ => self.below(self.max_len + 1),
        }
        .min(self.max_len)
    }

    /// Now and then an earlier text again, or one that is nearly the same.
    fn text(&mut self) -> String {
        match self.choose(Kind::Text, |random| Choice::Text(random.drawn_text())) {
            Choice::Text(text) => text,
            _ => String::new(),
        }
    }

    fn drawn_text(&mut self) -> String {
        if !self.recent_texts.is_empty() && self.below(5) == 0 {
            let at = self.below(self.recent_texts.len());
            let mut text = self.recent_texts[at].clone();
            for _ in 0..EDITS[self.below(EDITS.len())] {
                text = self.edited(text);
            }
            return text;
        }
        let text = self.new_text();
        if self.recent_texts.len() < 8 {
            self.recent_texts.push(text.clone());
        }
        text
    }

    /// A text, or what one change of characters or of a word makes of it: texts that are compared with each other should have much in common.
    fn edited(&mut self, text: String) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        let has_room = characters.len() < self.max_len;
        let at = self.below(characters.len());
        match self.below(10) {
            0 => {
                characters.pop();
            }
            1 if has_room => characters.push(self.character()),
            2 if has_room => characters.insert(at, self.character()),
            3 | 4 if at > 0 => characters.swap(at - 1, at),
            5 if at < characters.len() => {
                characters.remove(at);
            }
            6 | 7 => self.replace_word(&mut characters, at),
            8 => characters.truncate(at),
            _ => {}
        }
        characters.into_iter().collect()
    }

    /// Puts another word into the place of the one at, or next after, that character: routes, versions and keys are told apart by a word.
    fn replace_word(&mut self, characters: &mut Vec<char>, at: usize) {
        let is_in_word = |character: &char| character.is_alphanumeric();
        let begin = match characters.iter().skip(at).position(is_in_word) {
            Some(behind) => at + behind,
            None => return,
        };
        let before = characters[..begin].iter().rev().take_while(|character| is_in_word(character)).count();
        let behind = characters[begin..].iter().take_while(|character| is_in_word(character)).count();
        let word = if characters[begin].is_numeric() { "7" } else { ["x", "y", "ab"][self.below(3)] };
        characters.splice(begin - before..begin + behind, word.chars());
    }

    fn new_text(&mut self) -> String {
        if let Some(text) = self.due_text() {
            return text;
        }
        let of_four = if self.making > 0 { 3 } else { 1 };
        if !self.known.corpus.is_empty() && self.below(4) < of_four {
            return self.known_text();
        }
        let outer = self.class;
        self.class = Class::Any;
        let class = self.class();
        self.class = class;
        let length = self.length();
        let mut text = String::new();
        while text.chars().count() < length {
            if class == Class::Any && !self.known.texts.is_empty() && self.below(8) == 0 {
                let at = self.below(self.known.texts.len());
                text.push_str(&self.known.texts[at].clone());
                if self.below(2) == 0 {
                    break;
                }
            } else {
                let next = self.character();
                text.push(next);
            }
        }
        self.class = outer;
        text
    }
}

/// How often an earlier text is changed.
const EDITS: [usize; 6] = [1, 1, 1, 2, 3, 4];

impl Source {
    fn new(origin: Origin) -> Source {
        Source { origin, lent: Vec::new(), told: Vec::new() }
    }

    /// Lends a value for as long as the process lives, and remembers where it is.
    pub fn lend<T: Show + ?Sized + 'static>(&mut self, value: Box<T>) -> &'static mut T {
        let place: *mut T = Box::into_raw(value);
        self.lent.push(Lent {
            address: address(place),
            type_name: std::any::type_name::<T>(),
            // The place is never freed, and the function that it was lent to has returned when it is read.
            show: Box::new(move |out| unsafe { &*place }.show(out)),
        });
        // Nothing else refers to the place until then.
        unsafe { &mut *place }
    }

    fn token(&mut self, wanted: &str) -> Result<&str, Misfit> {
        match self.origin {
            Origin::Tokens { ref tokens, ref mut at } => {
                *at += 1;
                match tokens.get(*at - 1) {
                    Some(token) if token.starts_with(wanted) => Ok(&token[wanted.len()..]),
                    Some(token) => Err(Misfit(std::format!("expected {} at token {}, found {}", wanted, *at, token))),
                    None => Err(Misfit(std::format!("expected {} at token {}, found the end", wanted, *at))),
                }
            }
            Origin::Random(_) => Err(Misfit(String::from("a token was asked of a random source"))),
            Origin::Listed(_) => Err(Misfit(String::from("values of this type are too many"))),
        }
    }

    fn number(&mut self, wanted: &str) -> Result<u128, Misfit> {
        let text = self.token(wanted)?;
        text.parse::<u128>().map_err(|_| Misfit(std::format!("not a number: {}", text)))
    }

    fn random(&mut self) -> Option<&mut Random> {
        match self.origin {
            Origin::Random(ref mut random) => Some(random),
            Origin::Tokens { .. } | Origin::Listed(_) => None,
        }
    }

    fn int(&mut self, name: &str, bits: u32, signed: bool) -> Result<u128, Misfit> {
        if let Some(random) = self.random() {
            let number = random.int(bits, signed);
            return Ok(if name == "usize" && random.making > 0 { bounded_capacity(number) } else { number });
        }
        if bits <= 16 {
            if let Some(digit) = self.listed(1 << bits) {
                return digit.map(|digit| digit as u128);
            }
        }
        let wanted = std::format!("{}:", name);
        let value = self.number(&wanted)?;
        if bits < 128 && value >> bits != 0 {
            return Err(Misfit(std::format!("{} does not fit {}", value, name)));
        }
        self.told.push(Choice::Int(value, bits));
        Ok(value)
    }

    /// Opens a sequence; its length. Every `open_…` is closed by [`Source::close`].
    pub fn open_seq(&mut self) -> Result<Nest, Misfit> {
        if let Some(random) = self.random() {
            let outer = random.class;
            if outer == Class::Any {
                random.class = random.class();
            }
            let length = random.sequence_length();
            random.depth += 1;
            return Ok(Nest { length, class: outer });
        }
        let length = self.number("q")? as usize;
        self.told.push(Choice::Length(length));
        Ok(Nest { length, class: Class::Any })
    }

    /// Opens a sequence of bytes, which may be those of a text.
    pub fn open_bytes(&mut self) -> Result<Nest, Misfit> {
        if let Some(random) = self.random() {
            let outer = random.class;
            if outer == Class::Any {
                random.class = random.class();
            }
            let length = random.chosen_length(|random| {
                let drawn = if random.depth > random.max_depth { 0 } else { random.drawn_length() };
                let text = match random.due_text() {
                    Some(text) => text,
                    None if !random.known.corpus.is_empty() && random.below(4) == 0 => random.known_text(),
                    None => return random.due_length().unwrap_or(drawn),
                };
                random.spelled = text.into_bytes();
                random.spelled.reverse();
                random.spelled.len()
            });
            random.depth += 1;
            return Ok(Nest { length, class: outer });
        }
        self.open_seq()
    }

    /// Opens a sequence that has a fixed length.
    pub fn open_array(&mut self, length: usize) -> Result<Nest, Misfit> {
        if let Origin::Listed(_) = self.origin {
            return Ok(Nest { length, class: Class::Any });
        }
        let mut nest = self.open_seq()?;
        if self.random().is_none() && nest.length != length {
            return Err(Misfit(std::format!("{} elements for an array of {}", nest.length, length)));
        }
        nest.length = length;
        Ok(nest)
    }

    pub fn open_tuple(&mut self, length: usize) -> Result<(), Misfit> {
        if !self.is_told() || self.number("t")? as usize == length {
            return Ok(());
        }
        Err(Misfit(std::format!("not a tuple of {}", length)))
    }

    pub fn open_ref(&mut self) -> Result<(), Misfit> {
        if !self.is_told() { Ok(()) } else { self.token("r").map(|_| ()) }
    }

    pub fn open_struct(&mut self, fields: usize) -> Result<Nest, Misfit> {
        self.descend()?;
        if self.is_told() {
            let given = self.number("k")? as usize;
            if given != fields {
                return Err(Misfit(std::format!("{} fields for a struct of {}", given, fields)));
            }
        }
        Ok(Nest { length: fields, class: Class::Any })
    }

    fn descend(&mut self) -> Result<(), Misfit> {
        if let Some(random) = self.random() {
            random.depth += 1;
            if random.depth > 4 * random.max_depth + 64 {
                return Err(Misfit(String::from("a value of this type has no end")));
            }
        }
        Ok(())
    }

    /// The variant to make. Variants marked `true` can lead back to their own type.
    pub fn open_variant(&mut self, variants: &[(&'static str, bool)]) -> Result<(&'static str, Nest), Misfit> {
        self.descend()?;
        let nest = Nest { length: 0, class: Class::Any };
        if let Some(random) = self.random() {
            let flat: Vec<&'static str> = variants.iter().filter(|v| !v.1).map(|v| v.0).collect();
            if random.depth > random.max_depth && !flat.is_empty() {
                return Ok((flat[random.below(flat.len())], nest));
            }
            if variants.is_empty() {
                return Err(Misfit(String::from("an enum without variants has no values")));
            }
            return Ok((variants[random.below(variants.len())].0, nest));
        }
        if let Some(digit) = self.listed(variants.len() as u32) {
            return Ok((variants[digit? as usize].0, nest));
        }
        let name = String::from(self.token("v")?);
        match variants.iter().position(|v| v.0 == name) {
            Some(at) => {
                self.told.push(Choice::Below(at as u64));
                Ok((variants[at].0, nest))
            }
            None => Err(Misfit(std::format!("no variant {}", name))),
        }
    }

    pub fn close(&mut self, nest: Nest) {
        if let Some(random) = self.random() {
            random.depth = random.depth.saturating_sub(1);
            random.class = nest.class;
        }
    }

    pub fn build<T: Build>(&mut self) -> Result<T, Misfit> {
        T::build(self)
    }

    fn text(&mut self) -> Result<String, Misfit> {
        if let Some(random) = self.random() {
            return Ok(random.text());
        }
        let hex = String::from(self.token("s")?);
        let mut bytes = Vec::new();
        for at in (0..hex.len() / 2).map(|at| 2 * at) {
            let byte = u8::from_str_radix(&hex[at..at + 2], 16).map_err(|_| Misfit(std::format!("not hex: {}", hex)))?;
            bytes.push(byte);
        }
        let text = String::from_utf8(bytes).map_err(|_| Misfit(String::from("a string that is not UTF-8")))?;
        self.told.push(Choice::Text(text.clone()));
        Ok(text)
    }
}

/// What [`Source::close`] restores.
pub struct Nest {
    pub length: usize,
    class: Class,
}

// ---------------------------------------------------------------------------------------------------------------
// The shape of types: equal shapes draw equal values from equal seeds

pub struct Shape {
    pub text: String,
    seen: BTreeSet<String>,
    /// Whether there is a `&mut` in it.
    lends: bool,
    /// Whether there is a `&` in it.
    shares: bool,
    /// Whether there is anything in it that can be written through a `&`.
    cells: bool,
}

impl Shape {
    fn new() -> Shape {
        Shape { text: String::new(), seen: BTreeSet::new(), lends: false, shares: false, cells: false }
    }
    /// Whether the definition is still to be written.
    pub fn enter(&mut self, path: &str) -> bool {
        self.text.push_str(path);
        self.seen.insert(String::from(path))
    }
    pub fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }
    /// Names what makes values of the type.
    pub fn made<T: 'static>(&mut self) {
        let (others, steps) = maker_names::<T>();
        for name in others.into_iter().chain(steps) {
            self.text.push('+');
            self.text.push_str(name);
        }
    }
    pub fn field<T: Build>(&mut self, name: &str) {
        self.text.push_str(name);
        self.text.push(':');
        T::shape(self);
        self.text.push(',');
    }
}

/// The types of a function's parameters.
pub struct Parameters {
    shape: String,
    /// How many inputs there are, if they are few.
    inputs: Option<u64>,
}

std::thread_local! {
    /// What was asked before: by the names of types.
    static LENDS: RefCell<std::collections::BTreeMap<&'static str, bool>> = RefCell::new(std::collections::BTreeMap::new());
}

fn lends<T: Build>() -> bool {
    let name = std::any::type_name::<T>();
    if let Some(known) = LENDS.with(|lends| lends.borrow().get(name).cloned()) {
        return known;
    }
    let mut shape = Shape::new();
    T::shape(&mut shape);
    let lends = shape.lends || (shape.shares && shape.cells);
    LENDS.with(|known| known.borrow_mut().insert(name, lends));
    lends
}

macro_rules! __regress_shapes {
    ($($name:ident($($param:ident)*);)*) => {$(
        pub fn $name<$($param: Build,)* Output, Function: FnOnce($($param),*) -> Output>(_: Function) -> Parameters {
            let mut shape = Shape::new();
            let mut domain = Domain::new();
            let mut size = 1;
            $($param::shape(&mut shape); shape.word(";"); size = domain.times::<$param>(size);)*
            Parameters { shape: shape.text, inputs: domain.told(size) }
        }
    )*};
}

__regress_shapes! {
    shape0();
    shape1(A);
    shape2(A B);
    shape3(A B C);
    shape4(A B C D);
    shape5(A B C D E);
    shape6(A B C D E F);
    shape7(A B C D E F G);
    shape8(A B C D E F G H);
    shape9(A B C D E F G H I);
    shape10(A B C D E F G H I J);
    shape11(A B C D E F G H I J K);
    shape12(A B C D E F G H I J K L);
    shape13(A B C D E F G H I J K L M);
    shape14(A B C D E F G H I J K L M N);
    shape15(A B C D E F G H I J K L M N O);
    shape16(A B C D E F G H I J K L M N O P);
}
