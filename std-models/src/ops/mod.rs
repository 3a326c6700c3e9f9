//! `std::ops`: operator traits and their implementations for primitives, `?`, indexing and range types.
//!
//! * `arith`: arithmetic and bit operators on values and references
//! * `try_trait`: `?` for `Option`, `Result`, `ControlFlow`
//! * `index`: `Index` and `IndexMut` of arrays, slices and `str`
//! * `range`: ranges as sets (`contains`, `RangeBounds`)

mod arith;
mod index;
mod range;
mod try_trait;

use std::ops::{Bound, ControlFlow};

/// What `?` does with a value.
pub trait Try: FromResidual<<Self as Try>::Residual> {
    type Output;
    type Residual;
    fn from_output(output: Self::Output) -> Self;
    fn branch(self) -> ControlFlow<Self::Residual, Self::Output>;
}

pub trait FromResidual<R> {
    fn from_residual(residual: R) -> Self;
}

macro_rules! binary_traits {
    ($($name:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        pub trait $name<Rhs = Self> {
            type Output;
            fn $method(self, rhs: Rhs) -> Self::Output;
        }
        pub trait $assign<Rhs = Self> {
            fn $assign_method(&mut self, rhs: Rhs);
        }
    )*};
}

binary_traits! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
    Shl shl ShlAssign shl_assign;
    Shr shr ShrAssign shr_assign;
}

pub trait Neg {
    type Output;
    fn neg(self) -> Self::Output;
}

pub trait Not {
    type Output;
    fn not(self) -> Self::Output;
}

pub trait Index<Idx: ?Sized> {
    type Output: ?Sized;
    fn index(&self, index: Idx) -> &Self::Output;
}

pub trait IndexMut<Idx: ?Sized>: Index<Idx> {
    fn index_mut(&mut self, index: Idx) -> &mut Self::Output;
}

pub trait Deref {
    type Target: ?Sized;
    fn deref(&self) -> &Self::Target;
}

pub trait DerefMut: Deref {
    fn deref_mut(&mut self) -> &mut Self::Target;
}

impl<T: ?Sized> Deref for &T {
    type Target = T;
    fn deref(&self) -> &T {
        *self
    }
}

impl<T: ?Sized> Deref for &mut T {
    type Target = T;
    fn deref(&self) -> &T {
        *self
    }
}

impl<T: ?Sized> DerefMut for &mut T {
    fn deref_mut(&mut self) -> &mut T {
        *self
    }
}

pub trait RangeBounds<T: ?Sized> {
    fn start_bound(&self) -> Bound<&T>;
    fn end_bound(&self) -> Bound<&T>;
    fn contains<U>(&self, item: &U) -> bool
    where
        T: PartialOrd<U>,
        U: ?Sized + PartialOrd<T>,
    {
        let after_start = match self.start_bound() {
            Bound::Included(start) => *start <= *item,
            Bound::Excluded(start) => *start < *item,
            Bound::Unbounded => true,
        };
        if !after_start {
            return false;
        }
        match self.end_bound() {
            Bound::Included(end) => *item <= *end,
            Bound::Excluded(end) => *item < *end,
            Bound::Unbounded => true,
        }
    }
}

/// `start..=end`. As an iterator it is over once `exhausted` is set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RangeInclusive<Idx> {
    pub(crate) start: Idx,
    pub(crate) end: Idx,
    pub(crate) exhausted: bool,
}
