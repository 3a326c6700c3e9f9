//! More methods of numbers: additions of the other signedness, arithmetic that the caller vouches for.

/// Methods of `integer types`.
pub trait UncheckedMethods: Sized {
    unsafe fn unchecked_add(self, rhs: Self) -> Self;
    unsafe fn unchecked_sub(self, rhs: Self) -> Self;
    unsafe fn unchecked_mul(self, rhs: Self) -> Self;
}

/// Methods of the signed integer types, with an unsigned operand.
pub trait SignedMixedMethods<U>: Sized {
    fn overflowing_add_unsigned(self, rhs: U) -> (Self, bool);
    fn overflowing_sub_unsigned(self, rhs: U) -> (Self, bool);
    fn midpoint(self, rhs: Self) -> Self;
}

/// Methods of the unsigned integer types, with a signed operand.
pub trait UnsignedMixedMethods<S>: Sized {
    fn checked_sub_signed(self, rhs: S) -> Option<Self>;
    fn saturating_sub_signed(self, rhs: S) -> Self;
    fn wrapping_sub_signed(self, rhs: S) -> Self;
    fn overflowing_sub_signed(self, rhs: S) -> (Self, bool);
}

/// Methods of `bool`.
pub trait BoolMethods: Sized {
    fn then_some<T>(self, t: T) -> Option<T>;
    fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T>;
}
