// Written by `cargo regress` into a copy of the crate: builds inputs, runs one function, shows what came out.
// Valid in every edition, with or without the standard prelude. No dependencies, no unsafe code.
#![allow(warnings)]

use crate::__regress_std as std;
pub use crate::__regress_std::fmt::Debug;
pub use crate::__regress_std::mem::forget;
pub use crate::__regress_std::prelude::v1::*;

use crate::__regress_std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use crate::__regress_std::fmt::{self, Write as FmtWrite};
use crate::__regress_std::io::{BufRead, BufReader, BufWriter, Write as IoWrite};
use crate::__regress_std::os::unix::net::UnixStream;
use crate::__regress_std::sync::Mutex;

/// A value that can be made from a token stream, or drawn at random.
pub trait Build: Sized {
    fn build(source: &mut Source) -> Result<Self, Misfit>;
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
}

enum Origin {
    Tokens { tokens: Vec<String>, at: usize },
    Random(Random),
}

struct Random {
    state: u64,
    max_len: usize,
    max_depth: usize,
    depth: usize,
    ints: Vec<u128>,
    texts: Vec<String>,
    recent: Vec<u128>,
    recent_texts: Vec<String>,
    class: Class,
}

/// What characters and bytes are drawn from while one sequence is made.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Any,
    Digits,
    Hex,
    Lower,
    Pair(char, char),
    Numeric,
}

const PUNCTUATION: &str = " .,:;-+_/\\'\"()[]{}<>=*!?#@%&|~^$`\t\n";
const WIDE: &str = "\u{e9}\u{df}\u{20ac}\u{6f22}\u{1f600}\u{130}\u{3b1}\u{300}\u{7f}\u{80}\u{ff}\u{d7ff}\u{e000}\u{ffff}\u{10ffff}\u{660}";

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }

    fn wide(&mut self) -> u128 {
        ((self.next() as u128) << 64) | self.next() as u128
    }

    fn pick(&mut self, text: &str) -> char {
        let at = self.below(text.chars().count());
        text.chars().nth(at).unwrap_or('a')
    }

    fn int(&mut self, bits: u32, signed: bool) -> u128 {
        let mask = if bits == 128 { u128::MAX } else { (1u128 << bits) - 1 };
        if bits == 8 && self.class != Class::Any {
            let drawn = self.character() as u32;
            return (drawn as u128) & mask;
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
            63..=75 if !self.ints.is_empty() => {
                let at = self.below(self.ints.len());
                self.ints[at].wrapping_add([0, 0, 0, 1, u128::MAX][self.below(5)])
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

    fn character(&mut self) -> char {
        match self.class {
            Class::Digits => return self.pick("0123456789"),
            Class::Hex => return self.pick("0123456789abcdefABCDEF"),
            Class::Lower => return self.pick("abcdefghijklmnopqrstuvwxyz"),
            Class::Pair(a, b) => return if self.below(2) == 0 { a } else { b },
            Class::Numeric => return self.pick("0123456789.-+eE_xX"),
            Class::Any => {}
        }
        match self.below(100) {
            0..=29 => self.pick("abcxyzABCXYZ"),
            30..=49 => self.pick("0123456789"),
            50..=73 => self.pick(PUNCTUATION),
            74..=79 => self.below(128) as u8 as char,
            80..=87 if !self.texts.is_empty() => {
                let at = self.below(self.texts.len());
                let text = self.texts[at].clone();
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
        match self.below(10) {
            0 => Class::Digits,
            1 => Class::Hex,
            2 => Class::Lower,
            3 => Class::Pair(self.character(), self.character()),
            4 => Class::Numeric,
            _ => Class::Any,
        }
    }

    fn length(&mut self) -> usize {
        if self.depth > self.max_depth {
            return 0;
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
        if !self.recent_texts.is_empty() && self.below(5) == 0 {
            let at = self.below(self.recent_texts.len());
            let mut text = self.recent_texts[at].clone();
            match self.below(4) {
                0 => {
                    text.pop();
                }
                1 if text.chars().count() < self.max_len => text.push(self.character()),
                _ => {}
            }
            return text;
        }
        let text = self.new_text();
        if self.recent_texts.len() < 8 {
            self.recent_texts.push(text.clone());
        }
        text
    }

    fn new_text(&mut self) -> String {
        let outer = self.class;
        self.class = Class::Any;
        let class = self.class();
        self.class = class;
        let length = self.length();
        let mut text = String::new();
        while text.chars().count() < length {
            if class == Class::Any && !self.texts.is_empty() && self.below(8) == 0 {
                let at = self.below(self.texts.len());
                text.push_str(&self.texts[at].clone());
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

impl Source {
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
        }
    }

    fn number(&mut self, wanted: &str) -> Result<u128, Misfit> {
        let text = self.token(wanted)?;
        text.parse::<u128>().map_err(|_| Misfit(std::format!("not a number: {}", text)))
    }

    fn random(&mut self) -> Option<&mut Random> {
        match self.origin {
            Origin::Random(ref mut random) => Some(random),
            Origin::Tokens { .. } => None,
        }
    }

    fn int(&mut self, name: &str, bits: u32, signed: bool) -> Result<u128, Misfit> {
        if let Some(random) = self.random() {
            return Ok(random.int(bits, signed));
        }
        let wanted = std::format!("{}:", name);
        let value = self.number(&wanted)?;
        if bits < 128 && value >> bits != 0 {
            return Err(Misfit(std::format!("{} does not fit {}", value, name)));
        }
        Ok(value)
    }

    /// Opens a sequence; its length. Every `open_…` is closed by [`Source::close`].
    pub fn open_seq(&mut self) -> Result<Nest, Misfit> {
        if let Some(random) = self.random() {
            let outer = random.class;
            if outer == Class::Any {
                random.class = random.class();
            }
            let length = random.length();
            random.depth += 1;
            return Ok(Nest { length, class: outer });
        }
        let length = self.number("q")? as usize;
        Ok(Nest { length, class: Class::Any })
    }

    /// Opens a sequence that has a fixed length.
    pub fn open_array(&mut self, length: usize) -> Result<Nest, Misfit> {
        let mut nest = self.open_seq()?;
        if self.random().is_none() && nest.length != length {
            return Err(Misfit(std::format!("{} elements for an array of {}", nest.length, length)));
        }
        nest.length = length;
        Ok(nest)
    }

    pub fn open_tuple(&mut self, length: usize) -> Result<(), Misfit> {
        if self.random().is_some() || self.number("t")? as usize == length {
            return Ok(());
        }
        Err(Misfit(std::format!("not a tuple of {}", length)))
    }

    pub fn open_ref(&mut self) -> Result<(), Misfit> {
        if self.random().is_some() { Ok(()) } else { self.token("r").map(|_| ()) }
    }

    pub fn open_struct(&mut self, fields: usize) -> Result<Nest, Misfit> {
        self.descend()?;
        if self.random().is_none() {
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
        let name = String::from(self.token("v")?);
        match variants.iter().find(|v| v.0 == name) {
            Some(variant) => Ok((variant.0, nest)),
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
        String::from_utf8(bytes).map_err(|_| Misfit(String::from("a string that is not UTF-8")))
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
}

impl Shape {
    /// Whether the definition is still to be written.
    pub fn enter(&mut self, path: &str) -> bool {
        self.text.push_str(path);
        self.seen.insert(String::from(path))
    }
    pub fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }
    pub fn field<T: Build>(&mut self, name: &str) {
        self.text.push_str(name);
        self.text.push(':');
        T::shape(self);
        self.text.push(',');
    }
}

pub fn shape_of(write: impl FnOnce(&mut Shape)) -> String {
    let mut shape = Shape { text: String::new(), seen: BTreeSet::new() };
    write(&mut shape);
    shape.text
}

macro_rules! __regress_shapes {
    ($($name:ident($($param:ident)*);)*) => {$(
        pub fn $name<$($param: Build,)* Output, Function: FnOnce($($param),*) -> Output>(_: Function) -> String {
            shape_of(|shape| { $($param::shape(shape); shape.word(";");)* })
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
}

// ---------------------------------------------------------------------------------------------------------------
// Building and showing the types of the standard library

pub fn json_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => {
                let _ = std::write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn json_list<'a>(kind: &str, items: impl Iterator<Item = &'a dyn Show>, out: &mut String) {
    let _ = std::write!(out, "{{\"{}\":[", kind);
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        item.show(out);
    }
    out.push_str("]}");
}

/// A struct (`variant` empty) or a variant of an enum.
pub fn json_adt(path: &str, variant: &str, ctor: &str, fields: &[(&str, &dyn Show)], out: &mut String) {
    out.push_str("{\"adt\":{\"path\":");
    json_text(path, out);
    out.push_str(",\"variant\":");
    if variant.is_empty() {
        out.push_str("null");
    } else {
        json_text(variant, out);
    }
    let _ = std::write!(out, ",\"ctor\":\"{}\",\"fields\":[", ctor);
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push('[');
        json_text(field.0, out);
        out.push(',');
        field.1.show(out);
        out.push(']');
    }
    out.push_str("]}}");
}

fn json_ref<T: Show + ?Sized>(value: &T, out: &mut String) {
    out.push_str("{\"ref\":");
    value.show(out);
    out.push('}');
}

macro_rules! __regress_ints {
    ($($ty:ident $bits:literal $signed:literal $unsigned:ident;)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                source.int(std::stringify!($ty), $bits, $signed).map(|bits| bits as $ty)
            }
            fn shape(shape: &mut Shape) {
                shape.word(std::stringify!($ty));
            }
        }
        impl Show for $ty {
            fn show(&self, out: &mut String) {
                let _ = std::write!(out, "{{\"int\":{{\"ty\":\"{}\",\"bits\":\"{}\"}}}}", std::stringify!($ty), *self as $unsigned);
            }
        }
    )*};
}

__regress_ints! {
    u8 8 false u8; u16 16 false u16; u32 32 false u32; u64 64 false u64; u128 128 false u128; usize 64 false usize;
    i8 8 true u8; i16 16 true u16; i32 32 true u32; i64 64 true u64; i128 128 true u128; isize 64 true usize;
}

macro_rules! __regress_floats {
    ($($ty:ident $tag:literal $bits:literal $raw:ident $nan:literal;)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                if let Some(random) = source.random() {
                    let special = [
                        0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 10.0, 0.1, std::$ty::NAN, std::$ty::INFINITY,
                        std::$ty::NEG_INFINITY, std::$ty::MAX, std::$ty::MIN, std::$ty::MIN_POSITIVE, std::$ty::EPSILON,
                    ];
                    return Ok(match random.below(4) {
                        0 | 1 => special[random.below(special.len())],
                        2 => random.int(16, true) as u16 as i16 as $ty / [1.0, 2.0, 10.0, 100.0][random.below(4)],
                        _ => $ty::from_bits(random.wide() as $raw),
                    });
                }
                source.number($tag).map(|bits| $ty::from_bits(bits as $raw))
            }
            fn shape(shape: &mut Shape) {
                shape.word(std::stringify!($ty));
            }
        }
        impl Show for $ty {
            // Which NaN an operation gives is not defined, so all are shown as one.
            fn show(&self, out: &mut String) {
                let bits: $raw = if self.is_nan() { $nan } else { self.to_bits() };
                let _ = std::write!(out, "{{\"{}\":{}}}", std::stringify!($ty), bits);
            }
        }
    )*};
}

__regress_floats! {
    f32 "f32:" 32 u32 0x7fc0_0000;
    f64 "f64:" 64 u64 0x7ff8_0000_0000_0000;
}

impl Build for bool {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        if let Some(random) = source.random() {
            return Ok(random.below(2) == 1);
        }
        source.number("b").map(|bits| bits == 1)
    }
    fn shape(shape: &mut Shape) {
        shape.word("bool");
    }
}

impl Show for bool {
    fn show(&self, out: &mut String) {
        let _ = std::write!(out, "{{\"bool\":{}}}", self);
    }
}

impl Build for char {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        if let Some(random) = source.random() {
            return Ok(random.character());
        }
        let code = source.number("c")?;
        std::char::from_u32(code as u32).ok_or_else(|| Misfit(std::format!("no character {}", code)))
    }
    fn shape(shape: &mut Shape) {
        shape.word("char");
    }
}

impl Show for char {
    fn show(&self, out: &mut String) {
        let mut text = String::new();
        text.push(*self);
        out.push_str("{\"char\":");
        json_text(&text, out);
        out.push('}');
    }
}

impl Show for str {
    fn show(&self, out: &mut String) {
        out.push_str("{\"str\":");
        json_text(self, out);
        out.push('}');
    }
}

impl Show for String {
    fn show(&self, out: &mut String) {
        self.as_str().show(out);
    }
}

impl Build for String {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.text()
    }
    fn shape(shape: &mut Shape) {
        shape.word("str");
    }
}

impl Build for &'static str {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        Ok(Box::leak(source.text()?.into_boxed_str()))
    }
    fn shape(shape: &mut Shape) {
        shape.word("&str");
    }
}

impl Build for Box<str> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        source.text().map(String::into_boxed_str)
    }
    fn shape(shape: &mut Shape) {
        shape.word("&str");
    }
}

impl Build for () {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_tuple(0)
    }
    fn shape(shape: &mut Shape) {
        shape.word("()");
    }
}

impl Show for () {
    fn show(&self, out: &mut String) {
        out.push_str("{\"tuple\":[]}");
    }
}

macro_rules! __regress_tuples {
    ($($length:literal: $($param:ident $at:tt)*;)*) => {$(
        impl<$($param: Build),*> Build for ($($param,)*) {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                source.open_tuple($length)?;
                Ok(($($param::build(source)?,)*))
            }
            fn shape(shape: &mut Shape) {
                shape.word("(");
                $(shape.field::<$param>("");)*
                shape.word(")");
            }
        }
        impl<$($param: Show),*> Show for ($($param,)*) {
            fn show(&self, out: &mut String) {
                let items: [&dyn Show; $length] = [$(&self.$at),*];
                json_list("tuple", items.iter().map(|item| *item), out);
            }
        }
    )*};
}

__regress_tuples! {
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

fn elements<T: Build>(nest: &Nest, source: &mut Source) -> Result<Vec<T>, Misfit> {
    let mut items = Vec::new();
    for _ in 0..nest.length {
        items.push(T::build(source)?);
    }
    Ok(items)
}

fn sequence<T: Build>(source: &mut Source) -> Result<Vec<T>, Misfit> {
    let nest = source.open_seq()?;
    let items = elements(&nest, source)?;
    source.close(nest);
    Ok(items)
}

fn sequence_shape<T: Build>(shape: &mut Shape) {
    shape.word("[");
    T::shape(shape);
    shape.word("]");
}

impl<T: Show> Show for [T] {
    fn show(&self, out: &mut String) {
        json_list("seq", self.iter().map(|item| item as &dyn Show), out);
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    fn show(&self, out: &mut String) {
        self[..].show(out);
    }
}

impl<T: Build, const N: usize> Build for [T; N] {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_array(N)?;
        let items: Vec<T> = elements(&nest, source)?;
        source.close(nest);
        <[T; N] as std::convert::TryFrom<Vec<T>>>::try_from(items).map_err(|_| Misfit(String::from("array length")))
    }
    fn shape(shape: &mut Shape) {
        let _ = std::write!(shape.text, "{}*", N);
        sequence_shape::<T>(shape);
    }
}

impl<T: Show> Show for Vec<T> {
    fn show(&self, out: &mut String) {
        self[..].show(out);
    }
}

impl<T: Build> Build for Vec<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        sequence(source)
    }
    fn shape(shape: &mut Shape) {
        sequence_shape::<T>(shape);
    }
}

macro_rules! __regress_sequences {
    ($($ty:ident $($bound:ident)*;)*) => {$(
        impl<T: Build $(+ std::$bound)*> Build for $ty<T> where Self: std::iter::FromIterator<T> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                sequence(source).map(|items: Vec<T>| items.into_iter().collect())
            }
            fn shape(shape: &mut Shape) {
                sequence_shape::<T>(shape);
            }
        }
    )*};
}

__regress_sequences! {
    VecDeque;
    BTreeSet;
    HashSet;
}

impl<T: Show> Show for VecDeque<T> {
    fn show(&self, out: &mut String) {
        json_list("seq", self.iter().map(|item| item as &dyn Show), out);
    }
}

impl<T: Show> Show for BTreeSet<T> {
    fn show(&self, out: &mut String) {
        json_list("seq", self.iter().map(|item| item as &dyn Show), out);
    }
}

struct Raw(String);

impl Show for Raw {
    fn show(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

/// Hash tables have no order that means anything: theirs is that of the text.
fn unordered(mut items: Vec<Raw>, out: &mut String) {
    items.sort_by(|a, b| a.0.cmp(&b.0));
    json_list("seq", items.iter().map(|item| item as &dyn Show), out);
}

fn raw<T: Show>(item: &T) -> Raw {
    let mut text = String::new();
    item.show(&mut text);
    Raw(text)
}

fn entry<K: Show, V: Show>(key: &K, value: &V) -> Raw {
    let mut text = String::new();
    let pair: [&dyn Show; 2] = [key, value];
    json_list("tuple", pair.iter().map(|item| *item), &mut text);
    Raw(text)
}

impl<T: Show, S> Show for HashSet<T, S> {
    fn show(&self, out: &mut String) {
        unordered(self.iter().map(raw).collect(), out);
    }
}

impl<K: Show, V: Show, S> Show for HashMap<K, V, S> {
    fn show(&self, out: &mut String) {
        unordered(self.iter().map(|(key, value)| entry(key, value)).collect(), out);
    }
}

impl<K: Show, V: Show> Show for BTreeMap<K, V> {
    fn show(&self, out: &mut String) {
        let items: Vec<Raw> = self.iter().map(|(key, value)| entry(key, value)).collect();
        json_list("seq", items.iter().map(|item| item as &dyn Show), out);
    }
}

impl<K: Build + Ord, V: Build> Build for BTreeMap<K, V> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        sequence(source).map(|items: Vec<(K, V)>| items.into_iter().collect())
    }
    fn shape(shape: &mut Shape) {
        sequence_shape::<(K, V)>(shape);
    }
}

impl<K: Build + Eq + std::hash::Hash, V: Build> Build for HashMap<K, V> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        sequence(source).map(|items: Vec<(K, V)>| items.into_iter().collect())
    }
    fn shape(shape: &mut Shape) {
        sequence_shape::<(K, V)>(shape);
    }
}

impl<T: Build> Build for &'static [T] {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        Ok(Box::leak(sequence(source)?.into_boxed_slice()))
    }
    fn shape(shape: &mut Shape) {
        shape.word("&");
        sequence_shape::<T>(shape);
    }
}

impl<T: Build> Build for &'static mut [T] {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        Ok(Box::leak(sequence(source)?.into_boxed_slice()))
    }
    fn shape(shape: &mut Shape) {
        shape.word("&");
        sequence_shape::<T>(shape);
    }
}

impl<T: Build> Build for Box<[T]> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        sequence(source).map(Vec::into_boxed_slice)
    }
    fn shape(shape: &mut Shape) {
        shape.word("&");
        sequence_shape::<T>(shape);
    }
}

macro_rules! __regress_pointers {
    ($($ty:ty, $make:expr;)*) => {$(
        impl<T: Build> Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                source.open_ref()?;
                Ok($make(T::build(source)?))
            }
            fn shape(shape: &mut Shape) {
                shape.word("&");
                T::shape(shape);
            }
        }
    )*};
}

__regress_pointers! {
    &'static T, |value| -> &'static T { Box::leak(Box::new(value)) };
    &'static mut T, |value| Box::leak(Box::new(value));
    Box<T>, Box::new;
    std::rc::Rc<T>, std::rc::Rc::new;
    std::sync::Arc<T>, std::sync::Arc::new;
}

macro_rules! __regress_show_pointers {
    ($($ty:ty;)*) => {$(
        impl<T: Show + ?Sized> Show for $ty {
            fn show(&self, out: &mut String) {
                json_ref(&**self, out);
            }
        }
    )*};
}

__regress_show_pointers! {
    &T;
    &mut T;
    Box<T>;
    std::rc::Rc<T>;
    std::sync::Arc<T>;
}

impl<T: Build> Build for Option<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("None", false), ("Some", true)])?;
        let value = if variant == "Some" { Some(T::build(source)?) } else { None };
        source.close(nest);
        Ok(value)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Option<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show> Show for Option<T> {
    fn show(&self, out: &mut String) {
        match *self {
            Some(ref value) => json_adt("std::option::Option", "Some", "tuple", &[("0", value)], out),
            None => json_adt("std::option::Option", "None", "unit", &[], out),
        }
    }
}

impl<T: Build, E: Build> Build for Result<T, E> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("Ok", false), ("Err", false)])?;
        let value = if variant == "Ok" { Ok(T::build(source)?) } else { Err(E::build(source)?) };
        source.close(nest);
        Ok(value)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Result<");
        T::shape(shape);
        shape.word(",");
        E::shape(shape);
        shape.word(">");
    }
}

impl<T: Show, E: Show> Show for Result<T, E> {
    fn show(&self, out: &mut String) {
        match *self {
            Ok(ref value) => json_adt("std::result::Result", "Ok", "tuple", &[("0", value)], out),
            Err(ref value) => json_adt("std::result::Result", "Err", "tuple", &[("0", value)], out),
        }
    }
}

impl Build for std::cmp::Ordering {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("Less", false), ("Equal", false), ("Greater", false)])?;
        source.close(nest);
        Ok(match variant {
            "Less" => std::cmp::Ordering::Less,
            "Equal" => std::cmp::Ordering::Equal,
            _ => std::cmp::Ordering::Greater,
        })
    }
    fn shape(shape: &mut Shape) {
        shape.word("Ordering");
    }
}

impl Show for std::cmp::Ordering {
    fn show(&self, out: &mut String) {
        let variant = match *self {
            std::cmp::Ordering::Less => "Less",
            std::cmp::Ordering::Equal => "Equal",
            std::cmp::Ordering::Greater => "Greater",
        };
        json_adt("std::cmp::Ordering", variant, "unit", &[], out);
    }
}

macro_rules! __regress_structs {
    ($($path:literal $ctor:literal $ty:ident { $($name:literal $field:tt $param:ident),* };)*) => {$(
        impl<$($param: Build),*> Build for __regress_first!($ty $($param)*) {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct([$($name),*].len())?;
                let value = $ty { $($field: source.build()?),* };
                source.close(nest);
                Ok(value)
            }
            fn shape(shape: &mut Shape) {
                shape.word($path);
                $(shape.field::<$param>($name);)*
            }
        }
        impl<$($param: Show),*> Show for __regress_first!($ty $($param)*) {
            fn show(&self, out: &mut String) {
                json_adt($path, "", $ctor, &[$(($name, &self.$field)),*], out);
            }
        }
    )*};
}

macro_rules! __regress_first {
    ($ty:ident $first:ident $($rest:ident)*) => { $ty<$first> };
}

use crate::__regress_std::cmp::Reverse;
use crate::__regress_std::num::Wrapping;
use crate::__regress_std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

__regress_structs! {
    "std::cmp::Reverse" "tuple" Reverse { "0" 0 T };
    "std::num::Wrapping" "tuple" Wrapping { "0" 0 T };
    "std::ops::RangeFrom" "struct" RangeFrom { "start" start T };
    "std::ops::RangeTo" "struct" RangeTo { "end" end T };
    "std::ops::RangeToInclusive" "struct" RangeToInclusive { "end" end T };
}

impl<T: Build> Build for Range<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(2)?;
        let value = Range { start: source.build()?, end: source.build()? };
        source.close(nest);
        Ok(value)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Range<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show> Show for Range<T> {
    fn show(&self, out: &mut String) {
        json_adt("std::ops::Range", "", "struct", &[("start", &self.start), ("end", &self.end)], out);
    }
}

// A range that was iterated to its end is not built, and is shown as such.
impl<T: Build> Build for RangeInclusive<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(3)?;
        let (start, end) = (source.build()?, source.build()?);
        if !random && source.build::<bool>()? {
            return Err(Misfit(String::from("an exhausted range cannot be built")));
        }
        source.close(nest);
        Ok(RangeInclusive::new(start, end))
    }
    fn shape(shape: &mut Shape) {
        shape.word("RangeInclusive<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show + PartialOrd> Show for RangeInclusive<T> {
    fn show(&self, out: &mut String) {
        let exhausted = self.is_empty() && self.start() <= self.end();
        let fields: [(&str, &dyn Show); 3] = [("start", self.start()), ("end", self.end()), ("exhausted", &exhausted)];
        json_adt("std::ops::RangeInclusive", "", "struct", &fields, out);
    }
}

impl Build for RangeFull {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(RangeFull)
    }
    fn shape(shape: &mut Shape) {
        shape.word("RangeFull");
    }
}

impl Show for RangeFull {
    fn show(&self, out: &mut String) {
        json_adt("std::ops::RangeFull", "", "unit", &[], out);
    }
}

impl<T: ?Sized> Build for std::marker::PhantomData<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(std::marker::PhantomData)
    }
    fn shape(shape: &mut Shape) {
        shape.word("PhantomData");
    }
}

impl<T: ?Sized> Show for std::marker::PhantomData<T> {
    fn show(&self, out: &mut String) {
        json_adt("std::marker::PhantomData", "", "unit", &[], out);
    }
}

impl<'a, T: Show + ToOwned + ?Sized> Show for std::borrow::Cow<'a, T>
where
    T::Owned: Show,
{
    fn show(&self, out: &mut String) {
        match *self {
            std::borrow::Cow::Borrowed(value) => {
                json_adt("std::borrow::Cow", "Borrowed", "tuple", &[("0", &value)], out)
            }
            std::borrow::Cow::Owned(ref value) => json_adt("std::borrow::Cow", "Owned", "tuple", &[("0", value)], out),
        }
    }
}

/// Types of std whose fields are nobody's business: what `Debug` says of them.
pub fn opaque<T: fmt::Debug + ?Sized>(value: &T, out: &mut String) {
    out.push_str("{\"opaque\":");
    json_text(&without_addresses(&std::format!("{:?}", value)), out);
    out.push('}');
}

/// Addresses differ from process to process and mean nothing.
fn without_addresses(text: &str) -> String {
    const SHORTEST: usize = 6;
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].bytes().take_while(|byte| byte.is_ascii_hexdigit()).count();
        out.push_str(&rest[..at + 2]);
        if digits >= SHORTEST {
            out.push('\u{2026}');
        } else {
            out.push_str(&rest[at + 2..at + 2 + digits]);
        }
        rest = &rest[at + 2 + digits..];
    }
    out.push_str(rest);
    out
}

macro_rules! __regress_opaque {
    ($($ty:ty;)*) => {$(
        impl Show for $ty {
            fn show(&self, out: &mut String) {
                opaque(self, out);
            }
        }
    )*};
}

__regress_opaque! {
    fmt::Error;
    std::convert::Infallible;
    std::num::ParseIntError;
    std::num::ParseFloatError;
    std::num::TryFromIntError;
    std::str::ParseBoolError;
    std::str::Utf8Error;
    std::string::FromUtf8Error;
    std::string::FromUtf16Error;
    std::char::CharTryFromError;
    std::char::ParseCharError;
    std::char::DecodeUtf16Error;
    std::array::TryFromSliceError;
    std::time::Duration;
    std::io::ErrorKind;
    std::io::Error;
}

// ---------------------------------------------------------------------------------------------------------------
// One run

pub type Call = fn(&mut Session) -> Result<(), Misfit>;

pub struct Session {
    source: Source,
    link: Link,
    index: u64,
    arguments: usize,
    inputs: String,
    outcome: String,
    mutated: String,
    returned: bool,
}

struct Link {
    reader: BufReader<UnixStream>,
    writer: BufWriter<UnixStream>,
}

struct PanicRecord {
    message: Option<String>,
    location: Option<String>,
}

static PANIC: Mutex<Option<PanicRecord>> = Mutex::new(None);

/// Longer values are told by their length and hash.
const SHOWN_IN_FULL: usize = 200_000;

/// So are values whose JSON is nested deeper: reading it takes stack.
const DEEPEST: usize = 400;

fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn shown<T: Show + ?Sized>(value: &T) -> String {
    let mut text = String::new();
    value.show(&mut text);
    if text.len() <= SHOWN_IN_FULL && nesting(&text) <= DEEPEST {
        return text;
    }
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in text.bytes() {
        hash = (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
    }
    std::format!("{{\"opaque\":\"a value of {} bytes, hash {:016x}\"}}", text.len(), hash)
}

impl Session {
    pub fn build<T: Build>(&mut self) -> Result<T, Misfit> {
        T::build(&mut self.source)
    }

    /// What a `&mut` parameter refers to.
    pub fn build_ref<T: Build>(&mut self) -> Result<T, Misfit> {
        self.source.open_ref()?;
        T::build(&mut self.source)
    }

    /// What a `&mut [T]` parameter refers to.
    pub fn build_slice<T: Build>(&mut self) -> Result<Vec<T>, Misfit> {
        self.source.open_ref()?;
        sequence(&mut self.source)
    }

    pub fn input<T: Show + ?Sized>(&mut self, value: &T) {
        if self.arguments > 0 {
            self.inputs.push(',');
        }
        self.arguments += 1;
        let text = shown(value);
        self.inputs.push_str(&text);
    }

    pub fn input_ref<T: Show + ?Sized>(&mut self, value: &T) {
        self.input(&value);
    }

    pub fn input_opaque(&mut self, name: &str) {
        let mut text = String::from("{\"opaque\":");
        json_text(name, &mut text);
        text.push('}');
        self.input(&Raw(text));
    }

    pub fn run(&mut self, call: impl FnOnce(&mut String)) {
        if let Origin::Tokens { ref tokens, at } = self.source.origin {
            if at != tokens.len() {
                self.outcome = std::format!("M {} tokens were left over\n", tokens.len() - at);
                return;
            }
        }
        let _ = std::write!(self.link.writer, "B {} [{}]\n", self.index, self.inputs);
        let _ = self.link.writer.flush();
        let mut value = String::new();
        *PANIC.lock().unwrap_or_else(|poison| poison.into_inner()) = None;
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(&mut value)));
        match result {
            Ok(()) => {
                self.returned = true;
                self.outcome = value;
            }
            Err(payload) => {
                forget(payload);
                let record = PANIC.lock().unwrap_or_else(|poison| poison.into_inner()).take();
                let mut text = String::from("O {\"panic\":{\"message\":");
                let (message, location) = match record {
                    Some(record) => (record.message, record.location),
                    None => (None, None),
                };
                json_optional(message, &mut text);
                text.push_str(",\"location\":");
                json_optional(location, &mut text);
                text.push_str("}}\n");
                self.outcome = text;
            }
        }
    }

    pub fn returned<T: Show + ?Sized>(value: &T, out: &mut String) {
        *out = shown(value);
    }

    /// For values that can only be shown as `Debug` does.
    pub fn returned_debug<T: fmt::Debug + ?Sized>(value: &T, out: &mut String) {
        let mut text = String::new();
        opaque(value, &mut text);
        *out = shown(&Raw(text));
    }

    pub fn mutated<T: Show + ?Sized>(&mut self, position: usize, value: &T) {
        if !self.returned {
            return;
        }
        if !self.mutated.is_empty() {
            self.mutated.push(',');
        }
        let text = shown(value);
        let _ = std::write!(self.mutated, "[{},{}]", position, text);
    }

    fn finish(&mut self) {
        if self.returned {
            let _ = std::write!(
                self.link.writer,
                "O {{\"returned\":{{\"value\":{},\"mutated\":[{}]}}}}\n",
                self.outcome,
                self.mutated
            );
        } else {
            let _ = self.link.writer.write_all(self.outcome.as_bytes());
        }
    }

    fn reset(&mut self, origin: Origin, index: u64) {
        self.source = Source { origin };
        self.index = index;
        self.arguments = 0;
        self.inputs.clear();
        self.outcome.clear();
        self.mutated.clear();
        self.returned = false;
    }

    fn step(&mut self, call: Call) {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(self)));
        match result {
            Ok(Ok(())) => self.finish(),
            Ok(Err(Misfit(reason))) => {
                let _ = std::write!(self.link.writer, "M {}\n", reason);
            }
            Err(payload) => {
                forget(payload);
                let _ = self.link.writer.write_all(b"M making or showing a value panicked\n");
            }
        }
    }
}

/// Runs `call` with a formatter as `{}` gives; what was written.
pub fn with_formatter(call: impl FnOnce(&mut fmt::Formatter) -> fmt::Result) -> (fmt::Result, String) {
    struct Once<F>(std::cell::RefCell<Option<F>>);
    impl<F: FnOnce(&mut fmt::Formatter) -> fmt::Result> fmt::Display for Once<F> {
        fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            match self.0.borrow_mut().take() {
                Some(call) => call(formatter),
                None => Ok(()),
            }
        }
    }
    let mut text = String::new();
    let result = std::write!(text, "{}", Once(std::cell::RefCell::new(Some(call))));
    (result, text)
}

fn json_optional(text: Option<String>, out: &mut String) {
    match text {
        Some(text) => json_text(&text, out),
        None => out.push_str("null"),
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The worker

pub struct Table {
    entries: Vec<(usize, String, Call)>,
}

impl Table {
    pub fn add(&mut self, id: usize, shape: String, call: Call) {
        self.entries.push((id, shape, call));
    }
}

/// Serves the parent and exits, if this process was started as a worker; else does nothing.
pub fn main() {
    let socket = match std::env::var_os("CARGO_REGRESS_WORKER") {
        Some(socket) => socket,
        None => return,
    };
    // An endless loop must not outlive the parent.
    let parent = std::os::unix::process::parent_id();
    std::thread::spawn(move || {
        while std::os::unix::process::parent_id() == parent {
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        std::process::exit(82);
    });
    let worker = std::thread::Builder::new().name(String::from("worker")).stack_size(STACK).spawn(move || serve(&socket));
    let code = match worker.map(|thread| thread.join()) {
        Ok(Ok(Some(()))) => 0,
        _ => 81,
    };
    std::process::exit(code);
}

const STACK: usize = 16 << 20;

fn serve(socket: &std::ffi::OsStr) -> Option<()> {
    let stream = UnixStream::connect(socket).ok()?;
    let link = Link { reader: BufReader::new(stream.try_clone().ok()?), writer: BufWriter::new(stream) };
    let worker = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&'static str>()
            .map(|text| String::from(*text))
            .or_else(|| payload.downcast_ref::<String>().cloned());
        let location = info.location().map(|at| std::format!("{}:{}:{}", at.file(), at.line(), at.column()));
        if std::thread::current().id() == worker {
            *PANIC.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(PanicRecord { message, location });
        }
    }));
    let mut table = Table { entries: Vec::new() };
    crate::__regress_register(&mut table);
    let mut ints = Vec::new();
    let mut texts = Vec::new();
    let mut session = Session {
        source: Source { origin: Origin::Tokens { tokens: Vec::new(), at: 0 } },
        link,
        index: 0,
        arguments: 0,
        inputs: String::new(),
        outcome: String::new(),
        mutated: String::new(),
        returned: false,
    };
    loop {
        let mut line = String::new();
        if session.link.reader.read_line(&mut line).ok()? == 0 {
            return Some(());
        }
        let mut words = line.split_whitespace().map(String::from);
        let command = words.next()?;
        match command.as_str() {
            "list" => {
                for entry in table.entries.iter() {
                    std::write!(session.link.writer, "S {} {}\n", entry.0, entry.1).ok()?;
                }
            }
            "dictionary" => {
                ints.clear();
                texts.clear();
                let mut source = Source { origin: Origin::Tokens { tokens: Vec::new(), at: 0 } };
                for word in words {
                    source.origin = Origin::Tokens { tokens: std::vec![word.clone()], at: 0 };
                    match source.text() {
                        Ok(text) => texts.push(text),
                        Err(_) => ints.push(word.parse().ok()?),
                    }
                }
            }
            "call" => {
                let id: usize = words.next()?.parse().ok()?;
                let call = table.entries.iter().find(|entry| entry.0 == id)?.2;
                session.reset(Origin::Tokens { tokens: words.collect(), at: 0 }, 0);
                session.step(call);
            }
            "random" => {
                let numbers: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
                if numbers.len() != 6 {
                    return None;
                }
                let call = table.entries.iter().find(|entry| entry.0 as u64 == numbers[0])?.2;
                for index in numbers[2]..numbers[3] {
                    let random = Random {
                        state: numbers[1] ^ index.wrapping_mul(0xd134_2543_de82_ef95),
                        max_len: numbers[4] as usize,
                        max_depth: numbers[5] as usize,
                        depth: 0,
                        ints: ints.clone(),
                        texts: texts.clone(),
                        recent: Vec::new(),
                        recent_texts: Vec::new(),
                        class: Class::Any,
                    };
                    session.reset(Origin::Random(random), index);
                    session.step(call);
                }
            }
            _ => return None,
        }
        session.link.writer.write_all(b".\n").ok()?;
        session.link.writer.flush().ok()?;
    }
}
