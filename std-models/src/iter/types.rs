// The iterator types of `std::iter` and the functions that make them. They stand in a file of their own and are
// included into `iter`, because an item must be defined at the path by which users name it.

#[derive(Clone)]
pub struct Map<I, F> {
    pub(crate) iter: I,
    pub(crate) f: F,
}

#[derive(Clone)]
pub struct Filter<I, P> {
    pub(crate) iter: I,
    pub(crate) predicate: P,
}

#[derive(Clone)]
pub struct FilterMap<I, F> {
    pub(crate) iter: I,
    pub(crate) f: F,
}

#[derive(Clone)]
pub struct Enumerate<I> {
    pub(crate) iter: I,
    pub(crate) count: usize,
}

#[derive(Clone)]
pub struct Rev<I> {
    pub(crate) iter: I,
}

#[derive(Clone)]
pub struct Zip<A, B> {
    pub(crate) a: A,
    pub(crate) b: B,
}

#[derive(Clone)]
pub struct Chain<A, B> {
    pub(crate) a: Option<A>,
    pub(crate) b: Option<B>,
}

#[derive(Clone)]
pub struct Take<I> {
    pub(crate) iter: I,
    pub(crate) n: usize,
}

#[derive(Clone)]
pub struct Skip<I> {
    pub(crate) iter: I,
    pub(crate) n: usize,
}

#[derive(Clone)]
pub struct TakeWhile<I, P> {
    pub(crate) iter: I,
    pub(crate) done: bool,
    pub(crate) predicate: P,
}

#[derive(Clone)]
pub struct SkipWhile<I, P> {
    pub(crate) iter: I,
    pub(crate) done: bool,
    pub(crate) predicate: P,
}

#[derive(Clone)]
pub struct MapWhile<I, P> {
    pub(crate) iter: I,
    pub(crate) predicate: P,
}

#[derive(Clone)]
pub struct Scan<I, St, F> {
    pub(crate) iter: I,
    pub(crate) f: F,
    pub(crate) state: St,
}

#[derive(Clone)]
pub struct StepBy<I> {
    pub(crate) iter: I,
    pub(crate) step_minus_one: usize,
    pub(crate) first_take: bool,
}

#[derive(Clone)]
pub struct Peekable<I: Iterator> {
    pub(crate) iter: I,
    pub(crate) peeked: Option<Option<I::Item>>,
}

#[derive(Clone)]
pub struct Fuse<I> {
    pub(crate) iter: Option<I>,
}

#[derive(Clone)]
pub struct Inspect<I, F> {
    pub(crate) iter: I,
    pub(crate) f: F,
}

#[derive(Clone)]
pub struct Copied<I> {
    pub(crate) iter: I,
}

#[derive(Clone)]
pub struct Cloned<I> {
    pub(crate) iter: I,
}

#[derive(Clone)]
pub struct Cycle<I> {
    pub(crate) original: I,
    pub(crate) iter: I,
}

pub struct FlatMap<I, U: IntoIterator, F> {
    pub(crate) iter: Fuse<I>,
    pub(crate) f: F,
    pub(crate) front: Option<U::IntoIter>,
    pub(crate) back: Option<U::IntoIter>,
}

pub struct Flatten<I: Iterator>
where
    I::Item: IntoIterator,
{
    pub(crate) iter: Fuse<I>,
    pub(crate) front: Option<<I::Item as IntoIterator>::IntoIter>,
    pub(crate) back: Option<<I::Item as IntoIterator>::IntoIter>,
}

pub struct Empty<T> {
    pub(crate) marker: std::marker::PhantomData<T>,
}

#[derive(Clone)]
pub struct Once<T> {
    pub(crate) item: Option<T>,
}

#[derive(Clone)]
pub struct OnceWith<F> {
    pub(crate) make: Option<F>,
}

#[derive(Clone)]
pub struct Repeat<A> {
    pub(crate) element: A,
}

#[derive(Clone)]
pub struct RepeatN<A> {
    pub(crate) element: Option<A>,
    pub(crate) count: usize,
}

#[derive(Clone)]
pub struct RepeatWith<F> {
    pub(crate) repeater: F,
}

#[derive(Clone)]
pub struct FromFn<F> {
    pub(crate) f: F,
}

#[derive(Clone)]
pub struct Successors<T, F> {
    pub(crate) next: Option<T>,
    pub(crate) succ: F,
}

pub fn empty<T>() -> Empty<T> {
    Empty { marker: std::marker::PhantomData }
}

pub fn once<T>(value: T) -> Once<T> {
    Once { item: Some(value) }
}

pub fn once_with<A, F: FnOnce() -> A>(make: F) -> OnceWith<F> {
    OnceWith { make: Some(make) }
}

pub fn repeat<T: Clone>(elt: T) -> Repeat<T> {
    Repeat { element: elt }
}

pub fn repeat_n<T: Clone>(element: T, count: usize) -> RepeatN<T> {
    RepeatN { element: if count == 0 { None } else { Some(element) }, count }
}

pub fn repeat_with<A, F: FnMut() -> A>(repeater: F) -> RepeatWith<F> {
    RepeatWith { repeater }
}

pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> FromFn<F> {
    FromFn { f }
}

pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, succ: F) -> Successors<T, F> {
    Successors { next: first, succ }
}

pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Zip<A::IntoIter, B::IntoIter> {
    Zip { a: a.into_iter(), b: b.into_iter() }
}
