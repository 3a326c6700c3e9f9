//! Objects: what is called of them is told by where they are made, or who gives them. Of circles nothing changed.

use std::cell::RefCell;
use std::fmt::{Debug, Display, Formatter};
use std::rc::Rc;
use std::sync::Mutex;

#[derive(Debug, Clone, PartialEq)]
pub struct Circle(pub u8);

#[derive(Clone, PartialEq)]
pub struct Square(pub u8);

impl Debug for Square {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "square{}", value!())
    }
}

pub trait Named {
    fn name(&self) -> u8 {
        1
    }
}

pub trait Shape: Named {
    fn area(&self) -> u8;

    fn twice(&self) -> u8 {
        self.area().wrapping_mul(2)
    }
}

impl Named for Circle {}

impl Shape for Circle {
    fn area(&self) -> u8 {
        3
    }
}

impl Named for Square {
    fn name(&self) -> u8 {
        value!()
    }
}

impl Shape for Square {
    fn area(&self) -> u8 {
        value!()
    }
}

pub fn spares_an_object_of_another_type(k: u8) -> u8 {
    let object: Box<dyn Shape> = Box::new(Circle(k));
    object.area()
}

pub fn spares_what_a_failed_assertion_formats(k: usize) -> usize {
    let given = Some(k);
    assert_eq!(given, Some(k));
    k
}

pub fn spares_a_value_that_is_no_object(k: u8) -> u8 {
    let square = Square(k);
    let object: &dyn Shape = &Circle(square.0);
    object.area()
}

pub fn runs_of_an_object(k: u8) -> u8 {
    let object: Box<dyn Shape> = Box::new(Square(k));
    object.area()
}

pub fn runs_by_a_trait_above(k: u8) -> u8 {
    let object: &dyn Shape = &Square(k);
    name_of(object)
}

fn name_of(object: &dyn Shape) -> u8 {
    let above: &dyn Named = object;
    above.name()
}

pub fn runs_what_is_given(object: &dyn Shape) -> u8 {
    object.area()
}

pub fn runs_what_is_given_by_a_trait_above(object: &dyn Shape) -> u8 {
    object.name()
}

pub fn runs_what_is_in_a_slice(objects: &[Box<dyn Shape>]) -> u8 {
    objects.iter().map(|object| object.area()).fold(0, u8::wrapping_add)
}

pub struct Holder {
    pub shape: Box<dyn Shape>,
}

pub fn runs_what_is_held(holder: &Holder) -> u8 {
    holder.shape.area()
}

pub fn runs_what_it_holds(k: u8) -> u8 {
    runs_what_is_held(&Holder { shape: Box::new(Square(k)) })
}

pub fn spares_what_it_holds_of_another_type(k: u8) -> u8 {
    runs_what_is_held(&Holder { shape: Box::new(Circle(k)) })
}

pub fn runs_a_default_method(k: u8) -> u8 {
    let object: &dyn Shape = &Square(k);
    object.twice()
}

pub trait Maker {
    fn make(&self) -> Box<dyn Shape>;
}

pub fn runs_what_a_caller_makes<M: Maker>(maker: &M) -> u8 {
    maker.make().area()
}

pub fn runs_what_an_object_makes(maker: &dyn Maker) -> u8 {
    maker.make().area()
}

pub fn runs_what_a_closure_makes<F: Fn() -> Box<dyn Shape>>(make: F) -> u8 {
    make().area()
}

pub fn runs_what_a_pointer_makes(make: fn() -> Box<dyn Shape>) -> u8 {
    make().area()
}

pub fn runs_what_a_closure_behind_a_pointer_makes(make: &dyn Fn() -> Box<dyn Shape>) -> u8 {
    make().area()
}

pub fn runs_what_an_iterator_gives<I: Iterator<Item = Box<dyn Shape>>>(shapes: I) -> u8 {
    shapes.map(|shape| shape.area()).fold(0, u8::wrapping_add)
}

pub trait Visits {
    fn visit(&self, each: &mut dyn FnMut(&dyn Shape));
}

pub fn runs_what_a_caller_visits<V: Visits>(shapes: &V) -> u8 {
    let mut sum = 0u8;
    shapes.visit(&mut |shape| sum = sum.wrapping_add(shape.area()));
    sum
}

pub trait Visitor {
    fn shape(&mut self, shape: &dyn Shape);

    fn other(&mut self, other: u8);
}

pub struct Sum(pub u8);

impl Visitor for Sum {
    fn shape(&mut self, shape: &dyn Shape) {
        self.0 = self.0.wrapping_add(shape.area());
    }

    fn other(&mut self, other: u8) {
        self.0 = self.0.wrapping_sub(other);
    }
}

pub struct Other(pub u8);

impl Visitor for Other {
    fn shape(&mut self, shape: &dyn Shape) {}

    fn other(&mut self, other: u8) {
        self.0 = other ^ value!();
    }
}

pub trait Accepts {
    fn accept<V: Visitor>(&self, visitor: &mut V);

    fn accept_object(&self, visitor: &mut dyn Visitor);
}

pub fn runs_what_a_visitor_is_given<A: Accepts>(shapes: &A) -> u8 {
    let mut sum = Sum(0);
    shapes.accept(&mut sum);
    sum.0
}

pub fn runs_a_visitor<A: Accepts>(shapes: &A) -> u8 {
    let mut other = Other(0);
    shapes.accept(&mut other);
    other.0
}

pub fn runs_an_object_as_a_visitor<A: Accepts>(shapes: &A) -> u8 {
    let mut other = Other(0);
    shapes.accept_object(&mut other);
    other.0
}

impl Clone for Box<dyn Shape> {
    fn clone(&self) -> Self {
        if self.area() == 3 { Box::new(Circle(0)) } else { Box::new(Circle(9)) }
    }
}

pub fn runs_clone_of_boxes(boxes: &[Box<dyn Shape>]) -> Vec<Box<dyn Shape>> {
    boxes.to_vec()
}

pub static REGISTERED: Mutex<Option<Box<dyn Shape + Send>>> = Mutex::new(None);

pub fn runs_what_was_registered() -> u8 {
    REGISTERED.lock().unwrap().as_ref().map_or(0, |shape| shape.area())
}

pub fn registers(k: u8) {
    *REGISTERED.lock().unwrap() = Some(Box::new(Square(k)));
}

fn hook(k: u8) -> u8 {
    k ^ value!()
}

pub static HOOK: Mutex<Option<fn(u8) -> u8>> = Mutex::new(None);

pub fn sets_the_hook() {
    *HOOK.lock().unwrap() = Some(hook);
}

pub fn runs_the_hook(k: u8) -> u8 {
    HOOK.lock().unwrap().map_or(0, |hook| hook(k))
}

pub static CALLBACK: Mutex<Option<Box<dyn Fn(u8) -> u8 + Send>>> = Mutex::new(None);

pub fn sets_the_callback() {
    *CALLBACK.lock().unwrap() = Some(Box::new(|k| k ^ value!()));
}

pub fn runs_the_callback(k: u8) -> u8 {
    CALLBACK.lock().unwrap().as_ref().map_or(0, |callback| callback(k))
}

thread_local! {
    static LOCAL: RefCell<Option<Box<dyn Shape>>> = const { RefCell::new(None) };
}

pub fn sets_a_local(k: u8) {
    LOCAL.with(|local| *local.borrow_mut() = Some(Box::new(Square(k))));
}

pub fn runs_what_a_local_has() -> u8 {
    LOCAL.with(|local| local.borrow().as_ref().map_or(0, |shape| shape.area()))
}

fn first_of_a_thread() -> Vec<u8> {
    vec![value!()]
}

thread_local! {
    static LAZY: RefCell<Vec<u8>> = RefCell::new(first_of_a_thread());
    static COUNT: std::cell::Cell<u8> = const { std::cell::Cell::new(1) };
    static LOG: RefCell<Vec<u8>> = RefCell::new(vec![1]);
    static CALLBACKS: RefCell<Vec<Box<dyn Fn(u8) -> u8>>> = RefCell::new(Vec::new());
}

pub fn runs_how_a_local_begins() -> u8 {
    LAZY.with(|lazy| lazy.borrow()[0])
}

pub fn spares_a_count() -> u8 {
    COUNT.with(|count| count.replace(count.get().wrapping_add(1)))
}

pub fn spares_a_log(k: u8) -> usize {
    LOG.with(|log| {
        log.borrow_mut().push(k);
        log.borrow().len()
    })
}

pub fn adds_a_callback() {
    CALLBACKS.with(|all| all.borrow_mut().push(Box::new(|k| k ^ value!())));
}

pub fn runs_callbacks_of_a_thread(k: u8) -> u8 {
    CALLBACKS.with(|all| all.borrow().iter().fold(k, |k, callback| callback(k)))
}

pub static TABLE: [&(dyn Shape + Sync); 2] = [&Circle(1), &Square(2)];

pub fn runs_by_a_table(k: usize) -> u8 {
    TABLE[k % 2].area()
}

pub const CONSTANT: &dyn Shape = &Square(1);

pub fn runs_by_a_constant() -> u8 {
    CONSTANT.area()
}

pub const CIRCLE: &dyn Shape = &Circle(1);

pub fn spares_a_constant_of_another_type() -> u8 {
    CIRCLE.area()
}

pub fn runs_debug(k: u8) -> String {
    let object: &dyn Debug = &Square(k);
    format!("{object:?}")
}

pub fn runs_debug_of_what_is_in_a_list(k: u8) -> String {
    let objects: Vec<Box<dyn Debug>> = vec![Box::new(1u8), Box::new(Square(k))];
    format!("{objects:?}")
}

pub fn runs_of_what_a_caller_chooses<S: Shape>(shape: &S) -> u8 {
    let object: &dyn Shape = shape;
    object.area()
}

pub fn runs_at_square(k: u8) -> u8 {
    runs_of_what_a_caller_chooses(&Square(k))
}

pub fn spares_at_circle(k: u8) -> u8 {
    runs_of_what_a_caller_chooses(&Circle(k))
}

pub fn runs_behind_a_counted_pointer(k: u8) -> u8 {
    let object: Rc<dyn Shape> = Rc::new(Square(k));
    object.area()
}

pub struct Tail<T: ?Sized> {
    start: u8,
    tail: T,
}

pub fn runs_of_a_tail(k: u8) -> u8 {
    let object: Box<Tail<dyn Shape>> = Box::new(Tail { start: 1, tail: Square(k) });
    object.tail.area().wrapping_add(object.start)
}

#[derive(Debug)]
pub struct Wrong(pub u8);

impl Display for Wrong {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "wrong{}", value!())
    }
}

impl std::error::Error for Wrong {}

fn checked(k: u8) -> Result<u8, Box<dyn std::error::Error>> {
    if k > 3 {
        Err(Wrong(k))?
    }
    Ok(k)
}

pub fn runs_display_of_an_error(k: u8) -> String {
    match checked(k) {
        Ok(k) => k.to_string(),
        Err(error) => error.to_string(),
    }
}

pub trait Measured {
    fn measure(&self) -> u8;
}

impl<T: Shape + ?Sized> Measured for T {
    fn measure(&self) -> u8 {
        self.area()
    }
}

pub fn runs_an_implementation_for_all(k: u8) -> u8 {
    let object: &dyn Shape = &Square(k);
    object.measure()
}

pub fn runs_an_object_of_an_implementation_for_all(k: u8) -> u8 {
    let object: &dyn Measured = &Square(k);
    object.measure()
}

impl dyn Shape {
    pub fn own(&self) -> u8 {
        self.area()
    }
}

pub fn runs_what_an_object_has_itself(k: u8) -> u8 {
    let object: &dyn Shape = &Square(k);
    object.own()
}
