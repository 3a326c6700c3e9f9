// Cells and locks: what is in them, and whether that is borrowed. What a function did to those behind shared references is
// shown after the call.

/// What stands for a value while nobody can be in the middle of writing it: this is the only thread that has it, and
/// the function that it was lent to has returned.
fn peek<'a, T: ?Sized>(place: *const T) -> &'a T {
    unsafe { &*place }
}

macro_rules! __regress_cells {
    ($($ty:ident $content:ty, $make:expr, |$cell:ident| $look:expr;)*) => {$(
        impl<T: Build> Build for $ty<T> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let value: $content = source.build()?;
                source.close(nest);
                Ok($make(value))
            }
            fn shape(shape: &mut Shape) {
                shape.cells = true;
                shape.word(paths::$ty);
                shape.field::<$content>("value");
            }
        }
        impl<T: Show> Show for $ty<T> {
            fn show(&self, out: &mut String) {
                let $cell = self;
                json_adt(paths::$ty, "", "struct", &[("value", $look)], out);
            }
        }
    )*};
}

use crate::__regress_std::cell::{Cell, OnceCell, RefCell};
use crate::__regress_std::sync::{OnceLock, RwLock};

__regress_cells! {
    Cell T, Cell::new, |cell| peek(cell.as_ptr());
    OnceCell Option<T>,
        |value| { let cell = OnceCell::new(); if let Some(value) = value { let _ = cell.set(value); } cell },
        |cell| &Written(cell.get());
    OnceLock Option<T>,
        |value| { let cell = OnceLock::new(); if let Some(value) = value { let _ = cell.set(value); } cell },
        |cell| &Written(cell.get());
}

/// What is in a cell that is written once, without the reference by which that is seen.
struct Written<'a, T: 'a>(Option<&'a T>);

impl<'a, T: Show> Show for Written<'a, T> {
    fn show(&self, out: &mut String) {
        json_option(self.0, out)
    }
}

macro_rules! __regress_borrowed {
    ($($ty:ident |$cell:ident| $borrowed:expr, $look:expr;)*) => {$(
        impl<T: Build> Build for $ty<T> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let random = source.random().is_some();
                let nest = source.open_struct(2)?;
                let value: T = source.build()?;
                if !random && source.build::<bool>()? {
                    return Err(Misfit(String::from("what is borrowed cannot be built")));
                }
                source.close(nest);
                Ok($ty::new(value))
            }
            fn shape(shape: &mut Shape) {
                shape.cells = true;
                shape.word(paths::$ty);
                shape.field::<T>("value");
            }
        }
        impl<T: Show> Show for $ty<T> {
            fn show(&self, out: &mut String) {
                let $cell = self;
                let borrowed: bool = $borrowed;
                json_adt(paths::$ty, "", "struct", &[("value", $look), ("borrowed", &borrowed)], out);
            }
        }
    )*};
}

/// A lock that is held shows nothing else.
struct Held;

impl Show for Held {
    fn show(&self, out: &mut String) {
        out.push_str("{\"opaque\":\"a lock that is held\"}");
    }
}

__regress_borrowed! {
    RefCell |cell| cell.try_borrow_mut().is_err(), peek(cell.as_ptr());
    Mutex |cell| would_block(&cell.try_lock()),
        match cell.try_lock() {
            Ok(ref guard) => peek(&**guard) as &dyn Show,
            Err(std::sync::TryLockError::Poisoned(ref poison)) => peek(&**poison.get_ref()) as &dyn Show,
            Err(std::sync::TryLockError::WouldBlock) => &Held as &dyn Show,
        };
    RwLock |cell| would_block(&cell.try_write()),
        match cell.try_read() {
            Ok(ref guard) => peek(&**guard) as &dyn Show,
            Err(std::sync::TryLockError::Poisoned(ref poison)) => peek(&**poison.get_ref()) as &dyn Show,
            Err(std::sync::TryLockError::WouldBlock) => &Held as &dyn Show,
        };
}

fn would_block<G>(tried: &Result<G, std::sync::TryLockError<G>>) -> bool {
    match *tried {
        Err(std::sync::TryLockError::WouldBlock) => true,
        _ => false,
    }
}

macro_rules! __regress_atomics {
    ($($ty:ident $content:ident;)*) => {$(
        impl Build for std::sync::atomic::$ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct(1)?;
                let value: $content = source.build()?;
                source.close(nest);
                Ok(std::sync::atomic::$ty::new(value))
            }
            fn shape(shape: &mut Shape) {
                shape.cells = true;
                shape.word(std::stringify!($ty));
            }
        }
        impl Show for std::sync::atomic::$ty {
            fn show(&self, out: &mut String) {
                let value = self.load(std::sync::atomic::Ordering::SeqCst);
                json_adt(paths::$ty, "", "struct", &[("value", &value)], out);
            }
        }
    )*};
}

__regress_atomics! {
    AtomicBool bool;
    AtomicU8 u8; AtomicU16 u16; AtomicU32 u32; AtomicU64 u64; AtomicUsize usize;
    AtomicI8 i8; AtomicI16 i16; AtomicI32 i32; AtomicI64 i64; AtomicIsize isize;
}

macro_rules! __regress_guards {
    ($($ty:ty;)*) => {$(
        impl<'a, T: Show + ?Sized> Show for $ty {
            fn show(&self, out: &mut String) {
                json_ref(&**self, out);
            }
        }
    )*};
}

/// Whether there are cells in values of the type.
fn has_cells<T: Build>() -> bool {
    let mut shape = Shape::new();
    T::shape(&mut shape);
    shape.cells
}

std::thread_local! {
    /// Where there are cells behind shared references in the arguments of this run.
    static SHARED: RefCell<Vec<String>> = RefCell::new(Vec::new());
}

impl Source {
    /// A shared reference that lasts as long as the process. Where there are cells behind it, its place is remembered.
    fn share<T: Build + Show + 'static>(&mut self, value: T) -> &'static T {
        if !has_cells::<T>() {
            return Box::leak(Box::new(value));
        }
        let place: &'static T = self.lend(Box::new(value));
        remember_shared(place);
        place
    }

    /// The same of a trait object, which is made of a value of the type.
    pub fn share_object<T: Build, Object: Show + ?Sized + 'static>(&mut self, value: Box<Object>) -> &'static Object {
        if !has_cells::<T>() {
            return Box::leak(value);
        }
        let place: &'static Object = self.lend(value);
        remember_shared(place);
        place
    }

    fn share_slice<T: Build + Show + 'static>(&mut self, items: Vec<T>) -> &'static [T] {
        if !has_cells::<T>() {
            return Box::leak(items.into_boxed_slice());
        }
        let place: &'static [T] = self.lend(items.into_boxed_slice());
        remember_shared(place);
        place
    }
}

macro_rules! __regress_counted {
    ($($module:ident $ty:ident $counted:ident;)*) => {$(
        /// What lies behind such pointers: trait objects of a crate can be said to be built, pointers to them cannot.
        pub trait $counted {
            fn counted(source: &mut Source) -> Result<std::$module::$ty<Self>, Misfit>;
            fn counted_shape(shape: &mut Shape);
        }
        impl<T: $counted + ?Sized> Build for std::$module::$ty<T> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                <T as $counted>::counted(source)
            }
            fn shape(shape: &mut Shape) {
                <T as $counted>::counted_shape(shape);
            }
        }
        impl<T: Build + Show + 'static> $counted for T {
            fn counted(source: &mut Source) -> Result<std::$module::$ty<Self>, Misfit> {
                source.open_ref()?;
                let pointer = std::$module::$ty::new(T::build(source)?);
                // Where the caller could see what is written, it keeps a pointer.
                if has_cells::<T>() {
                    let kept = pointer.clone();
                    remember_shared::<T>(&*kept);
                    source.lent.push(Lent {
                        address: address::<T>(&*kept),
                        type_name: std::any::type_name::<T>(),
                        show: Box::new(move |out| (*kept).show(out)),
                    });
                }
                Ok(pointer)
            }
            fn counted_shape(shape: &mut Shape) {
                shape.shares = true;
                shape.word("&");
                T::shape(shape);
            }
        }
        impl $counted for str {
            fn counted(source: &mut Source) -> Result<std::$module::$ty<Self>, Misfit> {
                source.open_ref()?;
                source.text().map(|text| std::$module::$ty::from(text))
            }
            fn counted_shape(shape: &mut Shape) {
                shape.shares = true;
                shape.word("&str");
            }
        }
        impl<T: Build + Show> $counted for [T] {
            fn counted(source: &mut Source) -> Result<std::$module::$ty<Self>, Misfit> {
                if has_cells::<T>() {
                    return Err(Misfit(String::from("a counted slice of cells cannot be built")));
                }
                source.open_ref()?;
                let items: Vec<T> = sequence(source)?;
                Ok(std::$module::$ty::from(items))
            }
            fn counted_shape(shape: &mut Shape) {
                shape.shares = true;
                shape.word("&");
                sequence_shape::<T>(shape);
            }
        }
        impl<T: Show + ?Sized> Show for std::$module::$ty<T> {
            fn show(&self, out: &mut String) {
                (&&**self).show(out)
            }
        }
    )*};
}

__regress_counted! {
    rc Rc BuildRc;
    sync Arc BuildArc;
}

fn remember_shared<T: ?Sized>(place: &T) {
    let text = hole(address::<T>(place), std::any::type_name::<T>());
    SHARED.with(|shared| shared.borrow_mut().push(text));
}

fn is_shared<T: ?Sized>(place: &T) -> Option<String> {
    let text = hole(address::<T>(place), std::any::type_name::<T>());
    let known = SHARED.with(|shared| shared.borrow().contains(&text));
    if known { Some(text) } else { None }
}

/// A result may give something back when it is dropped, which would be seen in what the arguments refer to.
pub fn let_go<T>(value: T) {
    if SHARED.with(|shared| shared.borrow().is_empty()) {
        drop(value);
    } else {
        forget(value);
    }
}
