//! Numerical routines, written otherwise and with a slip.

use regress_tests::native::{Difference, Suite};

use crate::versions::*;

pub fn claim(suite: &mut Suite) {
    claims! { suite, "refactor/numeric", numeric_old, numeric_new;
        same "clamped" |steps: u8, start: u32| clamped(u16::from(steps), start);
        same "widths" |n: u8, start: u32| widths(u16::from(n), start);
        same "sign" |x: i32, steps: u8| sign(x, u16::from(steps));
        same "rows" |n: u8| rows(n);
        same "found" |n: u8, start: u32| found(u16::from(n), start);
        same "grown" |start: i16, steps: u8| number(grown(hundredths(start), u32::from(steps)));
        same "shrunk" |start: i16, steps: u8| number(shrunk(hundredths(start), u32::from(steps)));
        same "bessel_i0" |x: i16| number(bessel_i0(hundredths(x)));
        same "ln_gamma" |x: i16| number(ln_gamma(hundredths(x)));
        same "gamma_series" |a: i16, x: i16| number(gamma_series(hundredths(a), hundredths(x), 0.5));
        same "carlson_rc" |x: u16, y: u16| number(carlson_rc(f64::from(x) + 0.5, f64::from(y) + 0.5));
        same "julian_day" |month: u8, day: u8, year: i16| {
            julian_day(i32::from(month % 14), i32::from(day % 33), i32::from(year))
        };
        same "weekday" |day: u8, month: u8, year: i16| {
            weekday(i32::from(day % 33), i32::from(month % 14), i32::from(year))
        };
        same "bisect" |target: i16, low: i8, high: i8| {
            number(bisect(hundredths(target), f64::from(low), f64::from(high)))
        };
        same "secant" |x: i16, y: i16, steps: u8| number(secant(hundredths(x), hundredths(y), u32::from(steps)));
        same "trapezoid" |from: i16, to: i16, n: u8| {
            number(trapezoid(hundredths(from), hundredths(to), u16::from(n)))
        };
        same "wood" |a: i16, b: i16, c: i16, d: i16| {
            number(wood(hundredths(a), hundredths(b), hundredths(c), hundredths(d)))
        };
        same "side_of" |a: i8, b: i8, c: i8, d: i8| {
            side_of(f64::from(a), f64::from(b), f64::from(c), f64::from(d))
        };
        same "times" |a: i32, b: i8| times(a, b);
        same "around" |a: i32, b: u8| around(a, i32::from(b));
        same "sort4" |v: [i32; 4]| sort4(v);
        same "median" |a: i8, b: i8, c: i8| median(a.into(), b.into(), c.into());
        same "power" |x: i16, n: u8| number(power(hundredths(x), u32::from(n)));
        same "ackermann" |m: u8, n: u8| ackermann(u32::from(m % 3), u32::from(n % 8));
        same "folded" |n: i32| folded(n);
        same "digits" |n: i32| digits(n);
        same "beyond" |x: i16| number(beyond(hundredths(x)));
        same "distance" |x: i16, y: i16| number(distance(hundredths(x), hundredths(y)));
        same "recurrence" |first: u32, n: u8| recurrence(first, n);
        same "unlucky" |from: i16, years: u8| unlucky(from.into(), i32::from(from) + i32::from(years));
        same "fibonacci" |n: u8| fibonacci(u32::from(n));
        same "deviate" |seed: u32| number(deviate(seed));
        same "beta_fraction" |a: u16, b: u16, x: u8| {
            number(beta_fraction(f64::from(a), f64::from(b), f64::from(x) / 255.0))
        };
        same "divisor_sum" |n: u8| divisor_sum(u16::from(n));
        same "wrap_angle" |angle: i32| number(wrap_angle(f64::from(angle)));
        same "polar" |r: i16, theta: i16| {
            let (x, y) = polar(hundredths(r), hundredths(theta));
            (number(x), number(y))
        };
        same "minimum" |a: i16, b: i16| number(minimum(hundredths(a), hundredths(b)));
        same "factorial" |n: i16| number(factorial(n.into()));
        same "with_sign" |a: i16, b: i16| number(with_sign(hundredths(a), hundredths(b)));
        same "roots" |a: i8, b: i8, c: i8| {
            let (count, root) = roots(a.into(), b.into(), c.into());
            (count, number(root))
        };
    }
    claims! { suite, "differ/numeric", differ_numeric_old, differ_numeric_new;
        differs "weekday" Behaviour (2, 3, 2026) |day: i32, month: i32, year: i32| weekday(day, month, year);
        differs "side_of" Behaviour (1, 0, 0, 1) |a: i8, b: i8, c: i8, d: i8| {
            side_of(f64::from(a), f64::from(b), f64::from(c), f64::from(d))
        };
        differs "wrap_angle" Behaviour (0) |angle: i32| number(wrap_angle(f64::from(angle)));
        differs "divisor_sum" Behaviour (6) |n: u16| divisor_sum(n);
        differs "around" Behaviour (1, 0) |a: i32, b: u8| around(a, i32::from(b));
        differs "median" Behaviour (3, 1, 2) |a: i8, b: i8, c: i8| median(a.into(), b.into(), c.into());
        differs "power" Behaviour (2, 2) |x: i8, n: u8| number(power(f64::from(x), u32::from(n)));
        differs "fibonacci" Behaviour (3) |n: u8| fibonacci(u32::from(n));
        differs "gamma_series" Behaviour (1, 5) |a: i8, x: i8| number(gamma_series(f64::from(a), f64::from(x), 0.0));
        differs "polar" Behaviour (2, 1) |r: i8, theta: i8| number(polar(f64::from(r), f64::from(theta)).0);
        differs "with_sign" Behaviour (1, 0) |a: i8, b: i8| number(with_sign(f64::from(a), f64::from(b)));
        differs "folded" Behaviour (3) |n: i32| folded(n);
        differs "digits" Behaviour (-1) |n: i32| digits(n);
        differs "distance" Behaviour (0) |x: i8| number(distance(f64::from(x) / 0.0, 1.0));
        differs "recurrence" Behaviour (5, 0) |first: u32, n: u8| recurrence(first, n);
        differs "unlucky" Behaviour (1, 0) |from: i16, years: u8| {
            unlucky(from.into(), i32::from(from) + i32::from(years))
        };
        differs "roots" Behaviour (1, 1, 0) |a: i8, b: i8, c: i8| number(roots(a.into(), b.into(), c.into()).1);
    }
}

/// The bits of a float; which NaN it is does not count.
pub fn number(x: f64) -> Option<u64> {
    (!x.is_nan()).then(|| x.to_bits())
}

pub fn hundredths(x: i16) -> f64 {
    f64::from(x) / 100.0
}
