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

/// A closure that notes how it is called, and answers these in turn.
pub struct Listener<Answer> {
    number: ListenerNumber,
    answers: [Answer; 3],
}

impl<Answer: Clone> Listener<Answer> {
    pub fn hear(&self, arguments: &[String]) -> Answer {
        self.answers[self.number.hear("call", arguments) % 3].clone()
    }
}

impl<Answer: Build> Build for Listener<Answer> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(1)?;
        let answers = source.build()?;
        source.close(nest);
        Ok(Listener { number: ListenerNumber::next(), answers })
    }
    fn shape(shape: &mut Shape) {
        if shape.enter(paths::Listener) {
            shape.field::<[Answer; 3]>("answers");
        }
    }
}

impl<Answer: Show> Show for Listener<Answer> {
    fn show(&self, out: &mut String) {
        let fields: [(&str, &dyn Show); 1] = [("answers", &self.answers)];
        json_adt(paths::Listener, "", "struct", &fields, out);
    }
}

/// So many calls are noted. Who calls more often waits for an answer that none of three is.
const MOST_HEARD: usize = 4096;

/// The listener, the method, and the arguments.
type Heard = (usize, String, Vec<Raw>);

std::thread_local! {
    /// How many listeners the arguments of a call have, and how these were called.
    static HEARD: std::cell::RefCell<(usize, Vec<Heard>)> =
        const { std::cell::RefCell::new((0, Vec::new())) };
}

/// Tells the listeners of one call apart.
#[derive(Clone)]
pub struct ListenerNumber(usize);

impl ListenerNumber {
    fn next() -> ListenerNumber {
        HEARD.with(|heard| {
            let mut heard = heard.borrow_mut();
            heard.0 += 1;
            ListenerNumber(heard.0)
        })
    }

    /// Which answer belongs to these arguments.
    pub fn of_arguments(method: &str, arguments: &[String]) -> usize {
        let mut hasher = std::hash::BuildHasher::build_hasher(&Hashes);
        std::hash::Hash::hash(&(method, arguments), &mut hasher);
        (std::hash::Hasher::finish(&hasher) >> 7) as usize
    }

    /// Notes a call; how often this listener was called before.
    pub fn hear(&self, method: &str, arguments: &[String]) -> usize {
        HEARD.with(|heard| {
            let mut heard = heard.borrow_mut();
            if heard.1.len() == MOST_HEARD {
                std::panic!("a listener was called too often")
            }
            let before = heard.1.iter().filter(|call| call.0 == self.0).count();
            let arguments = arguments.iter().map(|argument| Raw(argument.clone())).collect();
            heard.1.push((self.0, String::from(method), arguments));
            before
        })
    }
}

impl Build for ListenerNumber {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.build::<()>()?;
        Ok(ListenerNumber::next())
    }
    fn shape(shape: &mut Shape) {
        <()>::shape(shape);
    }
}

impl Show for ListenerNumber {
    fn show(&self, out: &mut String) {
        ().show(out);
    }
}

pub fn has_heard() -> bool {
    HEARD.with(|heard| !heard.borrow().1.is_empty())
}

/// All calls of listeners so far.
pub fn heard() -> Vec<Heard> {
    HEARD.with(|heard| std::mem::take(&mut heard.borrow_mut().1))
}

fn forget_heard() {
    HEARD.with(|heard| *heard.borrow_mut() = (0, Vec::new()));
}

// Trait objects among the arguments of a call, which are shown as what they are made of.

std::thread_local! {
    /// Where each lies, and what it has for methods.
    static OBJECTS: std::cell::RefCell<Vec<[usize; 2]>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn parts_of_object<Object: ?Sized>(object: &Object) -> Option<[usize; 2]> {
    if std::mem::size_of::<&Object>() != std::mem::size_of::<[usize; 2]>() {
        return None;
    }
    // A reference to a trait object is two pointers.
    Some(unsafe { std::mem::transmute_copy::<&Object, [usize; 2]>(&object) })
}

/// Of each trait all objects that the glue makes are of one type.
pub fn note_object<Object: ?Sized>(object: &Object) {
    if let Some(parts) = parts_of_object(object) {
        OBJECTS.with(|known| known.borrow_mut().push(parts));
    }
}

pub fn show_object<MadeOf: Show, Object: ?Sized>(object: &Object, out: &mut String) {
    let parts = parts_of_object(object);
    let known = parts.filter(|parts| OBJECTS.with(|known| known.borrow().contains(parts)));
    match known {
        // It is one that the glue made, and so of this type.
        Some(parts) => unsafe { &*(parts[0] as *const MadeOf) }.show(out),
        None => out.push_str(&not_shown()),
    }
}

fn forget_objects() {
    OBJECTS.with(|known| known.borrow_mut().clear());
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
    (lent $ty:ident) => { LentArgument<$ty> };
}

/// What is compared with a lent argument. Asked of a type that is still to be inferred, `&'static A: Build` has the compiler try closures that are lent
/// closures without end, and `A: Kept` leaves it waiting.
pub struct LentArgument<A: ?Sized + 'static>(&'static A);

impl<'a, A: PartialEq + ?Sized> PartialEq<&'a A> for LentArgument<A> {
    fn eq(&self, other: &&'a A) -> bool {
        *self.0 == **other
    }
}

/// What a reference can be made to that is never freed.
pub trait Kept: 'static {
    fn build_kept(source: &mut Source) -> Result<&'static Self, Misfit>;
    fn show_kept(&'static self, out: &mut String);
    fn shape_of_kept(shape: &mut Shape);
}

impl<A: ?Sized + 'static> Kept for A
where
    &'static A: Build + Show,
{
    fn build_kept(source: &mut Source) -> Result<&'static A, Misfit> {
        <&'static A>::build(source)
    }
    fn show_kept(&'static self, out: &mut String) {
        <&'static A as Show>::show(&self, out);
    }
    fn shape_of_kept(shape: &mut Shape) {
        <&'static A>::shape(shape);
    }
}

impl<A: Kept + ?Sized> Build for LentArgument<A> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        Ok(LentArgument(A::build_kept(source)?))
    }
    fn shape(shape: &mut Shape) {
        A::shape_of_kept(shape);
    }
}

impl<A: Kept + ?Sized> Show for LentArgument<A> {
    fn show(&self, out: &mut String) {
        A::show_kept(self.0, out);
    }
}

// A `fn` pointer captures nothing: what it answers is looked up under the place that it has among those of its type.

/// So many functions of a type are told apart at a time.
const MOST_FUNCTIONS: usize = 8;

std::thread_local! {
    /// By the type of the table, the table of each place, and the place to be used next.
    static FUNCTIONS: std::cell::RefCell<Vec<(TypeId, [Option<std::rc::Rc<dyn Any>>; MOST_FUNCTIONS], usize)>> =
        const { std::cell::RefCell::new(Vec::new()) };
}

/// The place that is given to the function.
fn keep_function<Table: 'static>(function: Table) -> usize {
    FUNCTIONS.with(|all| {
        let mut all = all.borrow_mut();
        let own = TypeId::of::<Table>();
        let at = match all.iter().position(|(table, ..)| *table == own) {
            Some(at) => at,
            None => {
                all.push((own, Default::default(), 0));
                all.len() - 1
            }
        };
        let (_, places, next) = &mut all[at];
        let place = *next;
        *next = (place + 1) % MOST_FUNCTIONS;
        places[place] = Some(std::rc::Rc::new(function));
        place
    })
}

fn kept_function<Table: 'static>(place: usize) -> std::rc::Rc<dyn Any> {
    let kept = FUNCTIONS.with(|all| {
        let all = all.borrow();
        let of_type = all.iter().find(|(table, ..)| *table == TypeId::of::<Table>());
        of_type.and_then(|(_, places, _)| places[place].clone())
    });
    kept.expect("what a function answers is known to the thread of the call alone")
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

        impl<$($ty: PartialEq + ?Sized + 'static,)* Answer: Build + Show + Clone + 'static> Build
            for fn($(__regress_parameter!($how $ty)),*) -> Answer
        where
            $(__regress_known!($how $ty): Build + Show + Sized,)*
        {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                fn at<$($ty: PartialEq + ?Sized + 'static,)* Answer: Clone + 'static, const PLACE: usize>(
                    $($arg: __regress_parameter!($how $ty)),*
                ) -> Answer
                where
                    $(__regress_known!($how $ty): Sized,)*
                {
                    let kept = kept_function::<Function<($(__regress_known!($how $ty),)*), Answer>>(PLACE);
                    let function = kept.downcast_ref::<Function<($(__regress_known!($how $ty),)*), Answer>>();
                    $answer(function.expect("it is kept by its type") $(, &$arg)*)
                }
                let function: Function<($(__regress_known!($how $ty),)*), Answer> = source.build()?;
                let mut shown = String::new();
                function.show(&mut shown);
                let places: [Self; MOST_FUNCTIONS] = [
                    at::<$($ty,)* Answer, 0>,
                    at::<$($ty,)* Answer, 1>,
                    at::<$($ty,)* Answer, 2>,
                    at::<$($ty,)* Answer, 3>,
                    at::<$($ty,)* Answer, 4>,
                    at::<$($ty,)* Answer, 5>,
                    at::<$($ty,)* Answer, 6>,
                    at::<$($ty,)* Answer, 7>,
                ];
                let pointer = places[keep_function(function)];
                note_lasting(pointer as usize, shown);
                Ok(pointer)
            }
            fn shape(shape: &mut Shape) {
                <Function<($(__regress_known!($how $ty),)*), Answer>>::shape(shape);
            }
        }

        impl<$($ty: ?Sized + 'static,)* Answer: 'static> Show
            for fn($(__regress_parameter!($how $ty)),*) -> Answer
        where
            $(__regress_known!($how $ty): Sized,)*
        {
            fn show(&self, out: &mut String) {
                show_lasting(*self as usize, out);
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

/// The type of a parameter, and what is noted of an argument.
macro_rules! __regress_heard {
    (given $ty:ident) => { $ty };
    (lent $ty:ident) => { &$ty };
    (changed $ty:ident) => { &mut $ty };
}

// Closures behind pointers that may change what they keep, or are given away: listeners.
macro_rules! __regress_listening {
    ($($($how:ident $arg:ident $ty:ident),*;)*) => {$(
        __regress_listening! { [] &'static mut (dyn FnMut($(__regress_heard!($how $ty)),*) -> Answer), leaked; $($arg $ty),* }
        __regress_listening! { [] Box<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer>, Box::new; $($arg $ty),* }
        __regress_listening! { [] Box<dyn FnMut($(__regress_heard!($how $ty)),*) -> Answer>, Box::new; $($arg $ty),* }
        __regress_listening! { [] Box<dyn FnOnce($(__regress_heard!($how $ty)),*) -> Answer>, Box::new; $($arg $ty),* }
        __regress_listening! { [Send] Box<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer + Send>, Box::new; $($arg $ty),* }
        __regress_listening! { [Send] Box<dyn FnMut($(__regress_heard!($how $ty)),*) -> Answer + Send>, Box::new; $($arg $ty),* }
        __regress_listening! { [Send] Box<dyn FnOnce($(__regress_heard!($how $ty)),*) -> Answer + Send>, Box::new; $($arg $ty),* }
        __regress_listening! { [Send + Sync] Box<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer + Send + Sync>, Box::new; $($arg $ty),* }
        __regress_listening! { [] Rc<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer>, Rc::new; $($arg $ty),* }
        __regress_listening! { [] std::sync::Arc<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer>, std::sync::Arc::new; $($arg $ty),* }
        __regress_listening! { [Send + Sync] std::sync::Arc<dyn Fn($(__regress_heard!($how $ty)),*) -> Answer + Send + Sync>, std::sync::Arc::new; $($arg $ty),* }
    )*};
    ([$($auto:tt)*] $pointer:ty, $make:expr; $($arg:ident $ty:ident),*) => {
        impl<$($ty: Show + 'static,)* Answer: Build + Show + Clone + 'static + $($auto)*> Build for $pointer {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                source.open_ref()?;
                let listener: Listener<Answer> = source.build()?;
                let mut shown = String::new();
                listener.show(&mut shown);
                let closure: Self = $make(move |$($arg),*| listener.hear(&[$(shown_as_heard(&$arg)),*]));
                note_lasting(address(&*closure), shown);
                Ok(closure)
            }
            fn shape(shape: &mut Shape) {
                shape.word("&");
                <Listener<Answer>>::shape(shape);
            }
        }

        impl<$($ty: 'static,)* Answer: 'static> Show for $pointer {
            fn show(&self, out: &mut String) {
                out.push_str("{\"ref\":");
                show_lasting(address(&**self), out);
                out.push('}');
            }
        }
    };
}

fn leaked<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

fn shown_as_heard<T: Show>(argument: &T) -> String {
    let mut text = String::new();
    argument.show(&mut text);
    text
}

__regress_listening! {
    ;
    given a A;
    lent a A;
    changed a A;
    given a A, given b B;
    lent a A, given b B;
    changed a A, given b B;
    given a A, lent b B;
    lent a A, lent b B;
    given a A, given b B, given c C;
}
