//! `std::fmt::rt`: a value beside the way it is to be shown.

use super::{
    Binary, Debug, Display, Formatter, LowerExp, LowerHex, Octal, Pointer, Result, UpperExp, UpperHex,
};
use crate::intrinsics;

#[derive(Clone, Copy)]
pub enum Argument<'a> {
    Display(&'a dyn Display),
    Debug(&'a dyn Debug),
    LowerHex(&'a dyn LowerHex),
    UpperHex(&'a dyn UpperHex),
    Octal(&'a dyn Octal),
    Binary(&'a dyn Binary),
    LowerExp(&'a dyn LowerExp),
    UpperExp(&'a dyn UpperExp),
    Pointer(&'a dyn Pointer),
    /// A width or precision.
    Count(u16),
}

impl<'a> Argument<'a> {
    pub fn new_display<T: Display>(x: &'a T) -> Argument<'a> {
        Argument::Display(x)
    }
    pub fn new_debug<T: Debug>(x: &'a T) -> Argument<'a> {
        Argument::Debug(x)
    }
    pub fn new_lower_hex<T: LowerHex>(x: &'a T) -> Argument<'a> {
        Argument::LowerHex(x)
    }
    pub fn new_upper_hex<T: UpperHex>(x: &'a T) -> Argument<'a> {
        Argument::UpperHex(x)
    }
    pub fn new_octal<T: Octal>(x: &'a T) -> Argument<'a> {
        Argument::Octal(x)
    }
    pub fn new_binary<T: Binary>(x: &'a T) -> Argument<'a> {
        Argument::Binary(x)
    }
    pub fn new_lower_exp<T: LowerExp>(x: &'a T) -> Argument<'a> {
        Argument::LowerExp(x)
    }
    pub fn new_upper_exp<T: UpperExp>(x: &'a T) -> Argument<'a> {
        Argument::UpperExp(x)
    }
    pub fn new_pointer<T: Pointer>(x: &'a T) -> Argument<'a> {
        Argument::Pointer(x)
    }
    pub fn from_usize(x: &'a usize) -> Argument<'a> {
        if *x > u16::MAX as usize {
            panic!("Formatting argument out of range");
        }
        Argument::Count(*x as u16)
    }

    pub(crate) fn show(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Argument::Display(value) => Display::fmt(*value, f),
            Argument::Debug(value) => Debug::fmt(*value, f),
            Argument::LowerHex(value) => LowerHex::fmt(*value, f),
            Argument::UpperHex(value) => UpperHex::fmt(*value, f),
            Argument::Octal(value) => Octal::fmt(*value, f),
            Argument::Binary(value) => Binary::fmt(*value, f),
            Argument::LowerExp(value) => LowerExp::fmt(*value, f),
            Argument::UpperExp(value) => UpperExp::fmt(*value, f),
            Argument::Pointer(value) => Pointer::fmt(*value, f),
            Argument::Count(_) => intrinsics::unmodelled("a width or precision shown as a value"),
        }
    }
}
