// ---------------------------------------------------------------------------------------------------------------
// Iterators over other iterators: told by what the one inside would have left, had nobody looked ahead

/// An iterator that is told by what it yields.
pub trait ToldByItems: Iterator {
    /// Shows the iterator that yields these.
    fn show_by(items: Vec<Self::Item>, out: &mut String);
}

/// The iterator inside of another one, by what that one yields.
struct LeftInside<I: Iterator>(std::cell::Cell<Vec<I::Item>>);

impl<I: Iterator> LeftInside<I> {
    fn of(items: Vec<I::Item>) -> LeftInside<I> {
        LeftInside(std::cell::Cell::new(items))
    }
}

impl<I: ToldByItems> Show for LeftInside<I> {
    fn show(&self, out: &mut String) {
        I::show_by(self.0.take(), out);
    }
}

/// A list of references, as the list that they lead to.
struct LeftBehind<'a, T: 'a>(&'a [&'a T]);

impl<'a, T: Show> Show for LeftBehind<'a, T> {
    fn show(&self, out: &mut String) {
        json_list("seq", self.0.iter().map(|item| *item as &dyn Show), out);
    }
}

/// The iterator over the references to these.
struct LeftSlice<'a, T: 'a>(&'a [T]);

impl<'a, T: Show> Show for LeftSlice<'a, T> {
    fn show(&self, out: &mut String) {
        let items: Vec<&T> = self.0.iter().collect();
        json_adt(paths::SliceIter, "", "struct", &[("slice", &&LeftBehind(&items))], out);
    }
}

impl<'a> ToldByItems for std::str::Chars<'a> {
    fn show_by(items: Vec<char>, out: &mut String) {
        let text: String = items.into_iter().collect();
        json_adt(paths::Chars, "", "struct", &[("text", &&text[..])], out);
    }
}

impl<'a> ToldByItems for std::str::Bytes<'a> {
    fn show_by(items: Vec<u8>, out: &mut String) {
        json_adt(paths::Bytes, "", "struct", &[("bytes", &&items[..])], out);
    }
}

impl<'a, T: Show> ToldByItems for std::slice::Iter<'a, T> {
    fn show_by(items: Vec<&'a T>, out: &mut String) {
        json_adt(paths::SliceIter, "", "struct", &[("slice", &&LeftBehind(&items))], out);
    }
}

impl<T: Show> ToldByItems for std::vec::IntoIter<T> {
    fn show_by(items: Vec<T>, out: &mut String) {
        json_adt(paths::VecIntoIter, "", "struct", &[("items", &Items(&items))], out);
    }
}

impl<'a> ToldByItems for std::str::CharIndices<'a> {
    fn show_by(items: Vec<(usize, char)>, out: &mut String) {
        let from = items.first().map_or(0, |item| item.0);
        let text: String = items.into_iter().map(|item| item.1).collect();
        json_adt(paths::CharIndices, "", "struct", &[("left", &&text[..]), ("from", &from)], out);
    }
}

/// Each line with an end of its own, before which a carriage return would be one of it.
impl<'a> ToldByItems for std::str::Lines<'a> {
    fn show_by(items: Vec<&'a str>, out: &mut String) {
        let end = |line: &str| if line.ends_with('\r') { "\r\n" } else { "\n" };
        let text: String = items.into_iter().map(|line| String::from(line) + end(line)).collect();
        json_adt(paths::Lines, "", "struct", &[("left", &&text[..])], out);
    }
}

impl<'a> ToldByItems for std::str::SplitWhitespace<'a> {
    fn show_by(items: Vec<&'a str>, out: &mut String) {
        let text = items.join(" ");
        json_adt(paths::SplitWhitespace, "", "struct", &[("left", &&text[..])], out);
    }
}

impl<'a, T: Show + Copy> ToldByItems for std::iter::Copied<std::slice::Iter<'a, T>> {
    fn show_by(items: Vec<T>, out: &mut String) {
        json_adt(paths::Copied, "", "struct", &[("left", &LeftSlice(&items))], out);
    }
}

impl<'a, T: Show + Clone> ToldByItems for std::iter::Cloned<std::slice::Iter<'a, T>> {
    fn show_by(items: Vec<T>, out: &mut String) {
        json_adt(paths::Cloned, "", "struct", &[("left", &LeftSlice(&items))], out);
    }
}

impl<I: ToldByItems> ToldByItems for std::iter::Enumerate<I> {
    fn show_by(items: Vec<(usize, I::Item)>, out: &mut String) {
        let from = items.first().map_or(0, |item| item.0);
        let inside = LeftInside::<I>::of(items.into_iter().map(|item| item.1).collect());
        json_adt(paths::Enumerate, "", "struct", &[("left", &inside), ("from", &from)], out);
    }
}

impl<I: ToldByItems + DoubleEndedIterator> ToldByItems for std::iter::Rev<I> {
    fn show_by(items: Vec<I::Item>, out: &mut String) {
        let inside = LeftInside::<I>::of(items.into_iter().rev().collect());
        json_adt(paths::Rev, "", "struct", &[("left", &inside)], out);
    }
}

/// What counts its items from nought on can be had nowhere else.
fn from_nought(source: &mut Source) -> Result<(), Misfit> {
    if source.random().is_some() {
        return Ok(());
    }
    match source.build()? {
        0usize => Ok(()),
        from => Err(Misfit(std::format!("an iterator that has counted to {}", from))),
    }
}

macro_rules! __regress_texts_iterated {
    ($($ty:ident $method:ident;)*) => {$(
        impl Build for std::str::$ty<'static> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let text: &'static str = source.build()?;
                source.close(nest);
                Ok(text.$method())
            }
            fn shape(shape: &mut Shape) {
                shape.shares = true;
                shape.word(std::stringify!($ty));
            }
        }
        impl<'a> Show for std::str::$ty<'a> {
            fn show(&self, out: &mut String) {
                Self::show_by(self.clone().collect(), out);
            }
        }
    )*};
}

__regress_texts_iterated! {
    Lines lines;
    SplitWhitespace split_whitespace;
}

impl Build for std::str::CharIndices<'static> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(2)?;
        let text: &'static str = source.build()?;
        from_nought(source)?;
        source.close(nest);
        Ok(text.char_indices())
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("CharIndices");
    }
}

impl<'a> Show for std::str::CharIndices<'a> {
    fn show(&self, out: &mut String) {
        Self::show_by(self.clone().collect(), out);
    }
}

// Adaptors that let everything pass are made; of others that yield the same nobody knows.
macro_rules! __regress_adapted {
    ($($ty:ident $method:ident($($argument:expr)*);)*) => {$(
        impl<I: ToldByItems> ToldByItems for std::iter::$ty<I> {
            fn show_by(items: Vec<I::Item>, out: &mut String) {
                json_adt(paths::$ty, "", "struct", &[("left", &LeftInside::<I>::of(items))], out);
            }
        }

        impl<I: Build + Iterator> Build for std::iter::$ty<I> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let inside = I::build(source)?;
                source.close(nest);
                Ok(inside.$method($($argument)*))
            }
            fn shape(shape: &mut Shape) {
                shape.word(std::stringify!($ty));
                shape.field::<I>("");
            }
        }

        impl<I: ToldByItems + Clone> Show for std::iter::$ty<I>
        where
            I::Item: Clone,
        {
            fn show(&self, out: &mut String) {
                Self::show_by(self.clone().collect(), out);
            }
        }
    )*};
}

__regress_adapted! {
    Peekable peekable();
    Fuse fuse();
    Take take(std::usize::MAX);
    Skip skip(0);
    StepBy step_by(1);
}

macro_rules! __regress_lent_items {
    ($($ty:ident $method:ident $bound:ident;)*) => {$(
        impl<T: Build + Show + $bound + 'static> Build for std::iter::$ty<std::slice::Iter<'static, T>> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let items: std::slice::Iter<'static, T> = source.build()?;
                source.close(nest);
                Ok(items.$method())
            }
            fn shape(shape: &mut Shape) {
                shape.word(std::stringify!($ty));
                shape.field::<std::slice::Iter<'static, T>>("");
            }
        }

        impl<'a, T: Show + $bound> Show for std::iter::$ty<std::slice::Iter<'a, T>> {
            fn show(&self, out: &mut String) {
                Self::show_by(self.clone().collect(), out);
            }
        }
    )*};
}

__regress_lent_items! {
    Copied copied Copy;
    Cloned cloned Clone;
}

impl<I: Build + Iterator> Build for std::iter::Enumerate<I> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(2)?;
        let inside = I::build(source)?;
        from_nought(source)?;
        source.close(nest);
        Ok(inside.enumerate())
    }
    fn shape(shape: &mut Shape) {
        shape.word("Enumerate<");
        I::shape(shape);
        shape.word(">");
    }
}

impl<I: ToldByItems + Clone> Show for std::iter::Enumerate<I> {
    fn show(&self, out: &mut String) {
        Self::show_by(self.clone().collect(), out);
    }
}

impl<I: Build + DoubleEndedIterator> Build for std::iter::Rev<I> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let inside = I::build(source)?;
        source.close(nest);
        Ok(inside.rev())
    }
    fn shape(shape: &mut Shape) {
        shape.word("Rev<");
        I::shape(shape);
        shape.word(">");
    }
}

impl<I: ToldByItems + DoubleEndedIterator + Clone> Show for std::iter::Rev<I> {
    fn show(&self, out: &mut String) {
        Self::show_by(self.clone().collect(), out);
    }
}
