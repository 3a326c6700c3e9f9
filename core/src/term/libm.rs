//! Functions of floats whose precision Rust leaves open: trigonometry, powers, logarithms.
//!
//! *Idea.* What is proved must not rest on which number they give, so to the solver each is an uninterpreted function: it gives the same for the same
//! arguments, and nothing else is known. On constants, and on the arguments of a run, it gives what the library of this machine gives, which is what a native run shows next.
//!
//! *Limits.* Rust allows another result on another machine, with another compiler, even in another place of one program. Who calls one of them notes in the
//! ledger that this was left out ([`crate::verdict::Approximation::UnspecifiedPrecision`]).

use crate::ir::FloatTy;

/// The functions of one float, of two, and that of a float and an `i32`.
macro_rules! functions {
    (one: $($one:ident $one_name:ident),*; two: $($two:ident $two_name:ident),*;) => {
        /// A method of `f32` and `f64`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LibmFn {
            $($one,)*
            $($two,)*
            /// Of a float and an `i32`.
            PowI,
        }

        impl LibmFn {
            pub const ALL: &'static [LibmFn] = &[$(LibmFn::$one,)* $(LibmFn::$two,)* LibmFn::PowI];

            /// The name of the method.
            pub fn name(self) -> &'static str {
                match self {
                    $(LibmFn::$one => stringify!($one_name),)*
                    $(LibmFn::$two => stringify!($two_name),)*
                    LibmFn::PowI => "powi",
                }
            }

            /// How many arguments it takes, the float whose method it is among them.
            pub fn arity(self) -> usize {
                match self {
                    $(LibmFn::$one => 1,)*
                    $(LibmFn::$two)|* | LibmFn::PowI => 2,
                }
            }
        }

        fn of_32_bits(function: LibmFn, first: u128, second: u128) -> f32 {
            let [a, b] = [first, second].map(|bits| f32::from_bits(bits as u32));
            match function {
                $(LibmFn::$one => a.$one_name(),)*
                $(LibmFn::$two => a.$two_name(b),)*
                LibmFn::PowI => a.powi(second as u32 as i32),
            }
        }

        fn of_64_bits(function: LibmFn, first: u128, second: u128) -> f64 {
            let [a, b] = [first, second].map(|bits| f64::from_bits(bits as u64));
            match function {
                $(LibmFn::$one => a.$one_name(),)*
                $(LibmFn::$two => a.$two_name(b),)*
                LibmFn::PowI => a.powi(second as u32 as i32),
            }
        }
    };
}

functions! {
    one: Acos acos, Acosh acosh, Asin asin, Asinh asinh, Atan atan, Atanh atanh, Cbrt cbrt, Cos cos, Cosh cosh, Exp exp,
        Exp2 exp2, ExpM1 exp_m1, Ln ln, Ln1p ln_1p, Log10 log10, Log2 log2, Sin sin, Sinh sinh, Tan tan, Tanh tanh;
    two: Atan2 atan2, Hypot hypot, Log log, PowF powf;
}

impl LibmFn {
    pub fn named(method: &str) -> Option<LibmFn> {
        LibmFn::ALL.iter().copied().find(|function| function.name() == method)
    }
}

/// What this machine's library gives for the bits of the arguments; canonical, as they are.
pub(super) fn apply(function: LibmFn, ty: FloatTy, args: &[u128]) -> u128 {
    let (first, second) = (args[0], args.get(1).copied().unwrap_or(0));
    ty.canonical(match ty {
        FloatTy::F32 => of_32_bits(function, first, second).to_bits().into(),
        FloatTy::F64 => of_64_bits(function, first, second).to_bits().into(),
    })
}
