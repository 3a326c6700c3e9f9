// Pointers, and the structs and enums of the standard library.

impl<T: Build + Show> Build for &'static [T] {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        let items = sequence(source)?;
        Ok(source.share_slice(items))
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("&");
        sequence_shape::<T>(shape);
    }
}

impl<T: Build + Show> Build for &'static mut [T] {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        let items: Vec<T> = sequence(source)?;
        Ok(source.lend(items.into_boxed_slice()))
    }
    fn shape(shape: &mut Shape) {
        shape.lends = true;
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
            fn size(domain: &mut Domain) -> u64 {
                domain.times::<T>(1)
            }
            fn shape(shape: &mut Shape) {
                shape.word("&");
                T::shape(shape);
            }
        }
    )*};
}

impl<T: Build + Show> Build for &'static T {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        let value = T::build(source)?;
        Ok(source.share(value))
    }
    fn size(domain: &mut Domain) -> u64 {
        domain.times::<T>(1)
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("&");
        T::shape(shape);
    }
}

__regress_pointers! {
    Box<T>, Box::new;
}

impl<T: Build + Show> Build for &'static mut T {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        let value = T::build(source)?;
        Ok(source.lend(Box::new(value)))
    }
    fn size(domain: &mut Domain) -> u64 {
        domain.times::<T>(1)
    }
    fn shape(shape: &mut Shape) {
        shape.lends = true;
        shape.word("&");
        T::shape(shape);
    }
}

std::thread_local! {
    /// Whether what is behind a `&mut` is left open, to be shown later.
    static HOLES: std::cell::Cell<bool> = std::cell::Cell::new(false);
}

/// Stands before and after a hole. JSON has no such character.
const HOLE: char = '\u{1}';

fn hole(address: usize, type_name: &str) -> String {
    std::format!("{} {}", address, type_name)
}

fn address<T: ?Sized>(place: *const T) -> usize {
    place as *const () as usize
}

impl<'a, T: Show + ?Sized> Show for &'a mut T {
    fn show(&self, out: &mut String) {
        if HOLES.with(|holes| holes.get()) {
            out.push(HOLE);
            out.push_str(&hole(address::<T>(&**self), std::any::type_name::<T>()));
            out.push(HOLE);
        } else {
            json_ref(&**self, out);
        }
    }
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

impl<'a, T: Show + ?Sized> Show for &'a T {
    fn show(&self, out: &mut String) {
        let shared = if HOLES.with(|holes| holes.get()) { is_shared::<T>(&**self) } else { None };
        match shared {
            Some(text) => {
                out.push(HOLE);
                out.push_str(&text);
                out.push(HOLE);
            }
            None => json_ref(&**self, out),
        }
    }
}

__regress_show_pointers! {
    Box<T>;
}

impl<T: Build> Build for Option<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("None", false), ("Some", true)])?;
        let value = if variant == "Some" { Some(T::build(source)?) } else { None };
        source.close(nest);
        Ok(value)
    }
    fn size(domain: &mut Domain) -> u64 {
        let some = domain.times::<T>(1);
        domain.plus(1, some)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Option<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show> Show for Option<T> {
    fn show(&self, out: &mut String) {
        json_option(self.as_ref(), out)
    }
}

impl<T: Build, E: Build> Build for Result<T, E> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("Ok", false), ("Err", false)])?;
        let value = if variant == "Ok" { Ok(T::build(source)?) } else { Err(E::build(source)?) };
        source.close(nest);
        Ok(value)
    }
    fn size(domain: &mut Domain) -> u64 {
        let (ok, err) = (domain.times::<T>(1), domain.times::<E>(1));
        domain.plus(ok, err)
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
            Ok(ref value) => json_adt(paths::Result, "Ok", "tuple", &[("0", value)], out),
            Err(ref value) => json_adt(paths::Result, "Err", "tuple", &[("0", value)], out),
        }
    }
}

impl<T: Build> Build for std::ops::Bound<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("Included", false), ("Excluded", false), ("Unbounded", false)])?;
        let bound = match variant {
            "Included" => std::ops::Bound::Included(T::build(source)?),
            "Excluded" => std::ops::Bound::Excluded(T::build(source)?),
            _ => std::ops::Bound::Unbounded,
        };
        source.close(nest);
        Ok(bound)
    }
    fn size(domain: &mut Domain) -> u64 {
        let (included, excluded) = (domain.times::<T>(1), domain.times::<T>(1));
        let bounded = domain.plus(included, excluded);
        domain.plus(1, bounded)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Bound<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show> Show for std::ops::Bound<T> {
    fn show(&self, out: &mut String) {
        match *self {
            std::ops::Bound::Included(ref value) => json_adt(paths::Bound, "Included", "tuple", &[("0", value)], out),
            std::ops::Bound::Excluded(ref value) => json_adt(paths::Bound, "Excluded", "tuple", &[("0", value)], out),
            std::ops::Bound::Unbounded => json_adt(paths::Bound, "Unbounded", "unit", &[], out),
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
    fn size(_: &mut Domain) -> u64 {
        3
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
        json_adt(paths::Ordering, variant, "unit", &[], out);
    }
}

macro_rules! __regress_structs {
    ($($ty:ident $ctor:literal { $($name:literal $field:tt $param:ident),* };)*) => {$(
        impl<$($param: Build),*> Build for __regress_first!($ty $($param)*) {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct([$($name),*].len())?;
                let value = $ty { $($field: source.build()?),* };
                source.close(nest);
                Ok(value)
            }
            fn size(domain: &mut Domain) -> u64 {
                let mut size = 1;
                $(size = domain.times::<$param>(size);)*
                size
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
                $(shape.field::<$param>($name);)*
            }
        }
        impl<$($param: Show),*> Show for __regress_first!($ty $($param)*) {
            fn show(&self, out: &mut String) {
                json_adt(paths::$ty, "", $ctor, &[$(($name, &self.$field)),*], out);
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
    Reverse "tuple" { "0" 0 T };
    Wrapping "tuple" { "0" 0 T };
    RangeFrom "struct" { "start" start T };
    RangeTo "struct" { "end" end T };
    RangeToInclusive "struct" { "end" end T };
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
        json_adt(paths::Range, "", "struct", &[("start", &self.start), ("end", &self.end)], out);
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
        json_adt(paths::RangeInclusive, "", "struct", &fields, out);
    }
}

impl Build for RangeFull {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(RangeFull)
    }
    fn size(_: &mut Domain) -> u64 {
        1
    }
    fn shape(shape: &mut Shape) {
        shape.word("RangeFull");
    }
}

impl Show for RangeFull {
    fn show(&self, out: &mut String) {
        json_adt(paths::RangeFull, "", "unit", &[], out);
    }
}

impl<T: ?Sized> Build for std::marker::PhantomData<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(std::marker::PhantomData)
    }
    fn size(_: &mut Domain) -> u64 {
        1
    }
    fn shape(shape: &mut Shape) {
        shape.word("PhantomData");
    }
}

impl<T: ?Sized> Show for std::marker::PhantomData<T> {
    fn show(&self, out: &mut String) {
        json_adt(paths::PhantomData, "", "unit", &[], out);
    }
}

impl<T: ToOwned + ?Sized> Build for std::borrow::Cow<'static, T>
where
    &'static T: Build,
    T::Owned: Build,
{
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("Borrowed", false), ("Owned", false)])?;
        let value = if variant == "Borrowed" {
            std::borrow::Cow::Borrowed(<&'static T>::build(source)?)
        } else {
            std::borrow::Cow::Owned(<T::Owned>::build(source)?)
        };
        source.close(nest);
        Ok(value)
    }
    fn size(domain: &mut Domain) -> u64 {
        let (borrowed, owned) = (domain.times::<&'static T>(1), domain.times::<T::Owned>(1));
        domain.plus(borrowed, owned)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Cow<");
        <&'static T>::shape(shape);
        shape.word(">");
    }
}

impl<'a, T: Show + ToOwned + ?Sized> Show for std::borrow::Cow<'a, T>
where
    T::Owned: Show,
{
    fn show(&self, out: &mut String) {
        match *self {
            std::borrow::Cow::Borrowed(value) => {
                json_adt(paths::Cow, "Borrowed", "tuple", &[("0", &value)], out)
            }
            std::borrow::Cow::Owned(ref value) => json_adt(paths::Cow, "Owned", "tuple", &[("0", value)], out),
        }
    }
}

// An iterator is the list of what it will still yield.

impl<T: Build + Show> Build for std::slice::Iter<'static, T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let list: &'static [T] = source.build()?;
        source.close(nest);
        Ok(list.iter())
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("slice::Iter");
        sequence_shape::<T>(shape);
    }
}

impl<'a, T: Show> Show for std::slice::Iter<'a, T> {
    fn show(&self, out: &mut String) {
        json_adt(paths::SliceIter, "", "struct", &[("slice", &self.as_slice())], out);
    }
}

impl<T: Build + Show> Build for std::slice::IterMut<'static, T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let list: &'static mut [T] = source.build()?;
        source.close(nest);
        Ok(list.iter_mut())
    }
    fn shape(shape: &mut Shape) {
        shape.lends = true;
        shape.word("IterMut<");
        T::shape(shape);
        shape.word(">");
    }
}

/// What an iterator over a `&mut [T]` leads to.
struct LentSlice<'a, T: 'a>(&'a [T]);

impl<'a, T: Show> Show for LentSlice<'a, T> {
    fn show(&self, out: &mut String) {
        if HOLES.with(|holes| holes.get()) {
            out.push(HOLE);
            out.push_str(&hole(address::<[T]>(self.0), std::any::type_name::<[T]>()));
            out.push(HOLE);
        } else {
            json_ref(self.0, out);
        }
    }
}

impl<'a, T: Show> Show for std::slice::IterMut<'a, T> {
    fn show(&self, out: &mut String) {
        json_adt(paths::SliceIterMut, "", "struct", &[("left", &LentSlice(self.as_slice()))], out);
    }
}

impl Build for std::str::Chars<'static> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let text: &'static str = source.build()?;
        source.close(nest);
        Ok(text.chars())
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("str::Chars");
    }
}

impl<'a> Show for std::str::Chars<'a> {
    fn show(&self, out: &mut String) {
        json_adt(paths::Chars, "", "struct", &[("text", &self.as_str())], out);
    }
}

impl Build for std::str::Bytes<'static> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let text = if source.random().is_some() {
            source.text()?
        } else {
            let bytes: &'static [u8] = source.build()?;
            String::from_utf8(bytes.to_vec()).map_err(|_| Misfit(String::from("bytes that are not UTF-8")))?
        };
        source.close(nest);
        let text: &'static str = Box::leak(text.into_boxed_str());
        Ok(text.bytes())
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("str::Bytes");
    }
}

impl<'a> Show for std::str::Bytes<'a> {
    fn show(&self, out: &mut String) {
        let left: Vec<u8> = self.clone().collect();
        json_adt(paths::Bytes, "", "struct", &[("bytes", &&left[..])], out);
    }
}

impl<T: Build> Build for std::vec::IntoIter<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let list: Vec<T> = source.build()?;
        source.close(nest);
        Ok(list.into_iter())
    }
    fn shape(shape: &mut Shape) {
        shape.word("vec::IntoIter");
        sequence_shape::<T>(shape);
    }
}

struct Items<'a, T: 'a>(&'a [T]);

impl<'a, T: Show> Show for Items<'a, T> {
    fn show(&self, out: &mut String) {
        self.0.show(out);
    }
}

impl<T: Show> Show for std::vec::IntoIter<T> {
    fn show(&self, out: &mut String) {
        json_adt(paths::VecIntoIter, "", "struct", &[("items", &Items(self.as_slice()))], out);
    }
}

macro_rules! __regress_nonzero {
    ($($ty:ident $int:ident;)*) => {$(
        impl Build for std::num::$ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let random = source.random().is_some();
                if let Some(digit) = source.listed(((1u64 << (8 * std::mem::size_of::<$int>() as u32 % 32)) - 1) as u32) {
                    return std::num::$ty::new((digit? + 1) as $int).ok_or_else(|| Misfit(String::from("zero")));
                }
                let nest = source.open_struct(1)?;
                let value: $int = source.build()?;
                source.close(nest);
                match std::num::$ty::new(if random && value == 0 { 1 } else { value }) {
                    Some(value) => Ok(value),
                    None => Err(Misfit(String::from("zero for a number that is not zero"))),
                }
            }
            fn size(domain: &mut Domain) -> u64 {
                let numbers = domain.times::<$int>(1);
                std::cmp::max(numbers, 1) - 1
            }
            fn shape(shape: &mut Shape) {
                shape.word(std::stringify!($ty));
            }
        }
        impl Show for std::num::$ty {
            fn show(&self, out: &mut String) {
                json_adt(paths::NonZero, "", "tuple", &[("0", &self.get())], out);
            }
        }
    )*};
}

__regress_nonzero! {
    NonZeroU8 u8; NonZeroU16 u16; NonZeroU32 u32; NonZeroU64 u64; NonZeroU128 u128; NonZeroUsize usize;
    NonZeroI8 i8; NonZeroI16 i16; NonZeroI32 i32; NonZeroI64 i64; NonZeroI128 i128; NonZeroIsize isize;
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
