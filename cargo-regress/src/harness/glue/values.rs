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

fn json_option<T: Show>(value: Option<&T>, out: &mut String) {
    match value {
        Some(value) => json_adt(paths::Option, "Some", "tuple", &[("0", value)], out),
        None => json_adt(paths::Option, "None", "unit", &[], out),
    }
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
            fn size(domain: &mut Domain) -> u64 {
                if $bits <= 16 { 1 << ($bits % 64) } else { domain.open() }
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
                    return Ok($ty::from_bits(random.float_bits($bits) as $raw));
                }
                let bits = source.number($tag)?;
                source.told.push(Choice::Wide(bits));
                Ok($ty::from_bits(bits as $raw))
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
            return Ok(random.flag());
        }
        if let Some(digit) = source.listed(2) {
            return digit.map(|digit| digit == 1);
        }
        let bits = source.number("b")?;
        source.told.push(Choice::Below(bits as u64));
        Ok(bits == 1)
    }
    fn size(_: &mut Domain) -> u64 {
        2
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
            return Ok(random.single_character());
        }
        if let Some(digit) = source.listed(CHARACTERS) {
            return listed_character(digit?);
        }
        let code = source.number("c")?;
        let c = std::char::from_u32(code as u32).ok_or_else(|| Misfit(std::format!("no character {}", code)))?;
        source.told.push(Choice::Char(c));
        Ok(c)
    }
    fn size(_: &mut Domain) -> u64 {
        CHARACTERS as u64
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
        shape.shares = true;
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
    fn size(_: &mut Domain) -> u64 {
        1
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
            fn size(domain: &mut Domain) -> u64 {
                let mut size = 1;
                $(size = domain.times::<$param>(size);)*
                size
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
    9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

fn elements<T: Build>(nest: &Nest, source: &mut Source) -> Result<Vec<T>, Misfit> {
    let mut items = Vec::new();
    for _ in 0..nest.length {
        items.push(T::build(source)?);
    }
    Ok(items)
}

fn sequence<T: Build>(source: &mut Source) -> Result<Vec<T>, Misfit> {
    // What `T` is can be asked of `'static` types only, and need not be one.
    let of_bytes = std::any::type_name::<T>() == "u8";
    let nest = if of_bytes { source.open_bytes()? } else { source.open_seq()? };
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
    fn size(domain: &mut Domain) -> u64 {
        let mut size = 1;
        for _ in 0..N {
            size = domain.times::<T>(size);
            // Nothing is left to be found out.
            if !domain.is_small || size <= 1 {
                break;
            }
        }
        size
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
    LinkedList;
}

impl<T: Show> Show for LinkedList<T> {
    fn show(&self, out: &mut String) {
        json_list("seq", self.iter().map(|item| item as &dyn Show), out);
    }
}

/// In the order in which it lies there, which makes the same heap again.
impl<T: Show> Show for BinaryHeap<T> {
    fn show(&self, out: &mut String) {
        let items: Vec<&T> = self.iter().collect();
        json_adt(paths::BinaryHeap, "", "struct", &[("heap", &LeftBehind(&items))], out);
    }
}

impl<T: Build + Ord> Build for BinaryHeap<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let items: Vec<T> = source.build()?;
        source.close(nest);
        Ok(items.into_iter().collect())
    }
    fn shape(shape: &mut Shape) {
        shape.word("BinaryHeap<");
        T::shape(shape);
        shape.word(">");
    }
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

/// A field that holds a function pointer, which has nothing to be shown.
pub struct Code;

impl Show for Code {
    fn show(&self, out: &mut String) {
        out.push_str("{\"opaque\":\"a function pointer\"}");
    }
}

/// In the place of fields that one version alone has.
pub struct Rest;

impl Show for Rest {
    fn show(&self, out: &mut String) {
        out.push_str(&std::format!("{{\"opaque\":\"{}\"}}", REST));
    }
}

pub struct Raw(String);

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
