// ---------------------------------------------------------------------------------------------------------------
// What stands for generic parameters that no type of the standard library can stand for (`std_models::stand_ins`)

/// A hasher that keeps what it is fed, and in which pieces.
pub struct Recorder {
    bytes: Vec<u8>,
    pieces: Vec<usize>,
}

impl std::hash::Hasher for Recorder {
    fn finish(&self) -> u64 {
        std::panic!("the value of a hash was asked for")
    }
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.pieces.push(bytes.len());
    }
}

impl Build for Recorder {
    // It always begins without anything in it.
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        if source.random().is_none() {
            let nest = source.open_struct(2)?;
            let given = (source.build::<Vec<u8>>()?, source.build::<Vec<usize>>()?);
            source.close(nest);
            if !given.0.is_empty() || !given.1.is_empty() {
                return Err(Misfit(String::from("a recorder that has something in it")));
            }
        }
        Ok(Recorder { bytes: Vec::new(), pieces: Vec::new() })
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::Recorder);
    }
}

impl Show for Recorder {
    fn show(&self, out: &mut String) {
        let fields: [(&str, &dyn Show); 2] = [("bytes", &self.bytes), ("pieces", &self.pieces)];
        json_adt(paths::Recorder, "", "struct", &fields, out);
    }
}

/// Makes hashers that all compute one function: FNV-1a.
#[derive(Clone, Debug, Default)]
pub struct Hashes;

#[derive(Clone, Debug)]
pub struct FixedHasher {
    state: u64,
}

impl std::hash::Hasher for FixedHasher {
    fn finish(&self) -> u64 {
        self.state
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.state = (self.state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl std::hash::BuildHasher for Hashes {
    type Hasher = FixedHasher;
    fn build_hasher(&self) -> FixedHasher {
        FixedHasher { state: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Build for Hashes {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(Hashes)
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::Hashes);
    }
}

impl Show for Hashes {
    fn show(&self, out: &mut String) {
        json_adt(paths::Hashes, "", "unit", &[], out);
    }
}

impl Show for FixedHasher {
    fn show(&self, out: &mut String) {
        let fields: [(&str, &dyn Show); 1] = [("state", &self.state)];
        json_adt(paths::FixedHasher, "", "struct", &fields, out);
    }
}

/// A pure function: what it is for two arguments, and for all others.
pub struct Function<Arguments, Answer> {
    answers: [(Arguments, Answer); 2],
    otherwise: Answer,
}

impl<Arguments: Build, Answer: Build> Build for Function<Arguments, Answer> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(2)?;
        let value = Function { answers: source.build()?, otherwise: source.build()? };
        source.close(nest);
        Ok(value)
    }
    fn shape(shape: &mut Shape) {
        if shape.enter(paths::Function) {
            shape.field::<(Arguments, Answer)>("answers");
        }
    }
}

impl<Arguments: Show, Answer: Show> Show for Function<Arguments, Answer> {
    fn show(&self, out: &mut String) {
        let fields: [(&str, &dyn Show); 2] = [("answers", &self.answers), ("otherwise", &self.otherwise)];
        json_adt(paths::Function, "", "struct", &fields, out);
    }
}

// The arguments of a call may live shorter than those in the table, so they are of types of their own.
macro_rules! __regress_answers {
    ($($name:ident($($at:tt $arg:ident $ty:ident $own:ident)*);)*) => {$(
        pub fn $name<$($ty, $own: PartialEq<$ty>,)* Answer: Clone>(
            function: &Function<($($own,)*), Answer>,
            $($arg: &$ty,)*
        ) -> Answer {
            for known in &function.answers {
                if true $(&& (known.0).$at == *$arg)* {
                    return known.1.clone();
                }
            }
            function.otherwise.clone()
        }
    )*};
}

__regress_answers! {
    answer0();
    answer1(0 a A OwnA);
    answer2(0 a A OwnA 1 b B OwnB);
    answer3(0 a A OwnA 1 b B OwnB 2 c C OwnC);
}

// A type that keeps a closure needs a name for the closure's type. A pointer to one has such a name, can be called, copied and kept; what it
// points to is never freed.

/// So many closures are known by what they answer; a call is handed far fewer.
const MOST_LASTING: usize = 256;

std::thread_local! {
    /// Where the latest closures lie, and how each is shown.
    static LASTING: std::cell::RefCell<std::collections::VecDeque<(usize, String)>> =
        const { std::cell::RefCell::new(std::collections::VecDeque::new()) };
}

fn note_lasting(place: usize, shown: String) {
    LASTING.with(|known| {
        let mut known = known.borrow_mut();
        if known.len() == MOST_LASTING {
            known.pop_front();
        }
        known.push_back((place, shown));
    })
}

/// What is answered, if it is known: the crate has pointers to closures of its own.
fn show_lasting(place: usize, out: &mut String) {
    LASTING.with(|known| {
        let known = known.borrow();
        match known.iter().rev().find(|(known, _)| *known == place) {
            Some((_, shown)) => out.push_str(shown),
            None => out.push_str(&not_shown()),
        }
    })
}

/// The type of a parameter: what is given, or what is lent for the call.
macro_rules! __regress_parameter {
    (given $ty:ident) => { $ty };
    (lent $ty:ident) => { &$ty };
}

/// The type of what is compared with an argument.
macro_rules! __regress_known {
    (given $ty:ident) => { $ty };
    (lent $ty:ident) => { &'static $ty };
}

macro_rules! __regress_lasting {
    ($($answer:ident($($how:ident $arg:ident $ty:ident),*);)*) => {$(
        impl<$($ty: PartialEq + ?Sized + 'static,)* Answer: Build + Show + Clone + 'static> Build
            for &'static dyn Fn($(__regress_parameter!($how $ty)),*) -> Answer
        where
            $(__regress_known!($how $ty): Build + Show + Sized,)*
        {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let function: Function<($(__regress_known!($how $ty),)*), Answer> = source.build()?;
                let mut shown = String::new();
                function.show(&mut shown);
                let closure = move |$($arg: __regress_parameter!($how $ty)),*| $answer(&function $(, &$arg)*);
                let lasting: Self = Box::leak(Box::new(closure));
                note_lasting(address(lasting), shown);
                Ok(lasting)
            }
            fn shape(shape: &mut Shape) {
                <Function<($(__regress_known!($how $ty),)*), Answer>>::shape(shape);
            }
        }

        impl<$($ty: ?Sized + 'static,)* Answer: 'static> Show
            for &'static dyn Fn($(__regress_parameter!($how $ty)),*) -> Answer
        where
            $(__regress_known!($how $ty): Sized,)*
        {
            fn show(&self, out: &mut String) {
                show_lasting(address(*self), out);
            }
        }
    )*};
}

__regress_lasting! {
    answer0();
    answer1(given a A);
    answer1(lent a A);
    answer2(given a A, given b B);
    answer2(lent a A, given b B);
    answer2(given a A, lent b B);
    answer2(lent a A, lent b B);
    answer3(given a A, given b B, given c C);
    answer3(lent a A, given b B, given c C);
    answer3(given a A, lent b B, given c C);
    answer3(given a A, given b B, lent c C);
    answer3(lent a A, lent b B, given c C);
    answer3(lent a A, given b B, lent c C);
    answer3(given a A, lent b B, lent c C);
    answer3(lent a A, lent b B, lent c C);
}
