//! A function that changed, and calls of it by pointers and objects that were put somewhere by another function.

use std::cell::{Cell, RefCell};
use std::mem::{MaybeUninit, transmute, transmute_copy};
use std::rc::Rc;

fn leaf(x: &u8) -> u8 {
    if *x == 7 {
        changed!();
    }
    *x
}
fn other(x: u16) -> u16 {
    x
}

type Pointer = fn(&u8) -> u8;
pub type Compatible = fn(*const u8) -> u8;

#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    one: Pointer,
    many: Vec<Pointer>,
    maybe: Option<Pointer>,
    pair: (u8, Pointer),
    elsewhere: fn(u16) -> u16,
}
impl Held {
    pub fn new() -> Held {
        Held { one: leaf, many: vec![leaf], maybe: Some(leaf), pair: (0, leaf), elsewhere: other }
    }
}
fn calls(f: Pointer, x: u8) -> u8 {
    f(&x)
}
fn calls_any<F: Fn(&u8) -> u8>(f: F, x: u8) -> u8 {
    f(&x)
}
fn calls_lent(f: &Pointer, x: u8) -> u8 {
    f(&x)
}

pub fn runs_field(h: &Held, x: u8) -> u8 {
    (h.one)(&x)
}
pub fn runs_helper(h: &Held, x: u8) -> u8 {
    calls(h.one, x)
}
pub fn runs_generic_helper(h: &Held, x: u8) -> u8 {
    calls_any(h.one, x)
}
pub fn runs_lent(h: &Held, x: u8) -> u8 {
    calls_lent(&h.one, x)
}
pub fn runs_taken_apart(h: Held, x: u8) -> u8 {
    let Held { one, .. } = h;
    calls(one, x)
}
pub fn runs_mapped(h: &Held, x: u8) -> u8 {
    h.maybe.map_or(0, |f| calls(f, x))
}
pub fn runs_each(h: &Held, x: u8) -> u8 {
    h.many.iter().copied().map(|f| calls(f, x)).max().unwrap_or(0)
}
pub fn runs_pair(h: &Held, x: u8) -> u8 {
    let pair = h.pair;
    calls(pair.1, x)
}
pub fn runs_clone(h: &Held, x: u8) -> u8 {
    calls(h.clone().one, x)
}
pub fn runs_clone_of_field(h: &Held, x: u8) -> u8 {
    calls(h.one.clone(), x)
}
impl Held {
    fn get(&self) -> Pointer {
        self.one
    }
    fn visit(&self, mut visitor: impl FnMut(Pointer)) {
        visitor(self.one);
    }
}
pub fn runs_getter(h: &Held, x: u8) -> u8 {
    calls(h.get(), x)
}
pub fn runs_visitor(h: &Held, x: u8) -> u8 {
    let mut found = 0;
    h.visit(|f| found = calls(f, x));
    found
}
pub fn spares_comparison(h: &Held, other: &Held) -> bool {
    h == other
}
pub fn spares_clone(h: &Held) -> Held {
    h.clone()
}
pub fn spares_debug(h: &Held) -> String {
    format!("{h:?}")
}
pub fn spares_other_signature(h: &Held, x: u16) -> u16 {
    calls_other(h.elsewhere, x)
}
fn calls_other(f: fn(u16) -> u16, x: u16) -> u16 {
    f(x)
}
pub fn spares_moved(h: Held) -> (Pointer2, u8) {
    (Pointer2(h.one), 1)
}
pub struct Pointer2(Pointer);

pub struct Objects {
    one: Box<dyn Fn(&u8) -> u8>,
    shared: Rc<dyn Fn(&u8) -> u8>,
    once: Option<Box<dyn FnOnce(&u8) -> u8>>,
    changing: RefCell<Vec<Box<dyn FnMut(&u8) -> u8>>>,
}
impl Objects {
    pub fn new() -> Objects {
        Objects {
            one: Box::new(|x| leaf(x)),
            shared: Rc::new(leaf),
            once: Some(Box::new(|x| leaf(x))),
            changing: RefCell::new(vec![Box::new(|x| leaf(x))]),
        }
    }
}
pub fn runs_object(o: &Objects, x: u8) -> u8 {
    (o.one)(&x)
}
pub fn runs_object_by_helper(o: &Objects, x: u8) -> u8 {
    calls_any(&o.one, x)
}
pub fn runs_shared_object(o: &Objects, x: u8) -> u8 {
    let f = Rc::clone(&o.shared);
    f(&x)
}
pub fn runs_object_once(o: &mut Objects, x: u8) -> u8 {
    o.once.take().map_or(0, |f| f(&x))
}
pub fn runs_changing_object(o: &Objects, x: u8) -> u8 {
    o.changing.borrow_mut().iter_mut().map(|f| f(&x)).max().unwrap_or(0)
}

/// What is called is a type parameter.
pub struct Wrapped<F> {
    f: F,
}
impl<F: Fn(&u8) -> u8> Wrapped<F> {
    fn run(&self, x: u8) -> u8 {
        (self.f)(&x)
    }
    fn run_by_helper(&self, x: u8) -> u8 {
        calls_any(&self.f, x)
    }
}
pub fn wrapped() -> Wrapped<Pointer> {
    Wrapped { f: leaf }
}
pub trait Runs {
    fn go(&self, x: u8) -> u8;
}
impl<F: Fn(&u8) -> u8> Runs for Wrapped<F> {
    fn go(&self, x: u8) -> u8 {
        (self.f)(&x)
    }
}
pub fn runs_wrapped(w: &Wrapped<Pointer>, x: u8) -> u8 {
    w.run(x)
}
pub fn runs_wrapped_by_helper(w: &Wrapped<Pointer>, x: u8) -> u8 {
    w.run_by_helper(x)
}
pub fn runs_wrapped_by_trait(w: &Wrapped<Pointer>, x: u8) -> u8 {
    w.go(x)
}
pub struct Boxed {
    inner: Box<dyn Runs>,
}
impl Boxed {
    pub fn new() -> Boxed {
        Boxed { inner: Box::new(wrapped()) }
    }
}
pub fn runs_boxed(b: &Boxed, x: u8) -> u8 {
    b.inner.go(x)
}

/// Closures that another function made of what it was given, the only ones that take so many numbers.
pub struct Kept {
    f: Box<dyn Fn(u8, u8) -> u8>,
}
impl Kept {
    pub fn of(f: impl Fn(u8, u8) -> u8 + 'static) -> Kept {
        Kept { f: Box::new(move |x, y| f(x, y)) }
    }
    pub fn with_leaf() -> Kept {
        Kept::of(leaf_of_two)
    }
}
fn leaf_of_two(x: u8, y: u8) -> u8 {
    leaf(&x).wrapping_add(y)
}
pub fn runs_kept(kept: &Kept, x: u8) -> u8 {
    (kept.f)(x, 1)
}
pub trait Adds {
    fn add(&self, x: u8, y: u8, z: u8) -> u8;
}
pub struct AddsLeaf;
impl Adds for AddsLeaf {
    fn add(&self, x: u8, y: u8, z: u8) -> u8 {
        leaf_of_two(x, y).wrapping_add(z)
    }
}
pub struct KeptTrait {
    f: Box<dyn Fn(u8, u8, u8) -> u8>,
}
impl KeptTrait {
    pub fn of<A: Adds + 'static>(adds: A) -> KeptTrait {
        KeptTrait { f: Box::new(move |x, y, z| adds.add(x, y, z)) }
    }
}
pub fn runs_kept_trait(kept: &KeptTrait, x: u8) -> u8 {
    (kept.f)(x, 1, 2)
}

/// The address of the function, which nothing but its number leads to.
pub fn address() -> usize {
    leaf as Pointer as usize
}
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Made {
    f: Compatible,
}
pub unsafe fn runs_made(n: usize, x: u8) -> u8 {
    unsafe { transmute::<usize, Compatible>(n)(&x) }
}
pub unsafe fn runs_made_struct(n: usize, x: u8) -> u8 {
    let made: Made = unsafe { transmute(n) };
    (made.f)(&x)
}
pub unsafe fn runs_made_array(n: [usize; 2], x: u8) -> u8 {
    let made: [Made; 2] = unsafe { transmute(n) };
    (made[1].f)(&x)
}
pub unsafe fn runs_copied(n: usize, x: u8) -> u8 {
    let f: Compatible = unsafe { transmute_copy(&n) };
    f(&x)
}
pub unsafe fn runs_cast(n: usize, x: u8) -> u8 {
    let f = (&raw const n).cast::<Compatible>();
    (unsafe { f.read() })(&x)
}
pub unsafe fn runs_cast_struct(n: usize, x: u8) -> u8 {
    let f = (&raw const n).cast::<Made>();
    (unsafe { (*f).f })(&x)
}
pub unsafe fn runs_uninit(n: usize, x: u8) -> u8 {
    let mut made = MaybeUninit::<Made>::uninit();
    unsafe {
        made.as_mut_ptr().cast::<usize>().write(n);
        (made.assume_init().f)(&x)
    }
}
unsafe fn copied<F: Copy>(n: usize) -> F {
    unsafe { transmute_copy(&n) }
}
pub unsafe fn runs_generic_copy(n: usize, x: u8) -> u8 {
    unsafe { copied::<Compatible>(n)(&x) }
}
pub unsafe fn runs_generic_copy_struct(n: usize, x: u8) -> u8 {
    (unsafe { copied::<Made>(n).f })(&x)
}
unsafe fn pointed<F: Copy>(n: usize) -> F {
    unsafe { *(&n as *const usize as *const F) }
}
pub unsafe fn runs_generic_cast(n: usize, x: u8) -> u8 {
    unsafe { pointed::<Compatible>(n)(&x) }
}
pub unsafe fn runs_compatible(h: &Held, x: u8) -> u8 {
    unsafe { transmute::<Pointer, Compatible>(h.one)(&x) }
}
pub fn spares_cell(c: &Cell<u16>) -> u16 {
    c.get()
}
