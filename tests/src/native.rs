//! Runs both versions of a fixture's function natively, side by side in this process, to see that what the fixture
//! claims is a fact. Knows nothing of the engine: the expectations must be true before it is measured by them.
//!
//! Arguments of at most 16 bits in all are tried exhaustively, others by boundary values and random ones. An
//! outcome is the `Debug` text of what the call's expression gives, or the kind of its panic.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Once, mpsc};
use std::thread;
use std::time::Duration;

/// How one call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Returned(String),
    Panicked(PanicKind),
    Hung,
    Aborted,
}

/// Panics are told apart by kind, not by message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanicKind {
    Overflow,
    DivisionByZero,
    Index,
    Unwrap,
    Explicit,
}

/// What the difference of two outcomes means. Ordered from bad to harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    Regression,
    Behaviour,
    Fix,
}

/// What was seen natively of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Same,
    /// The worst class that was seen.
    Differs(Difference),
    /// One version alone gives different outcomes on one input.
    Unsteady,
}

/// The facts by case and function, and what contradicted a claim.
#[derive(Debug, Default)]
pub struct Suite {
    pub facts: BTreeMap<(String, String), Fact>,
    pub failures: Vec<String>,
}

const RANDOM_RUNS: u64 = 20_000;
const PATIENCE: Duration = Duration::from_millis(300);

impl Outcome {
    fn is_good(&self) -> bool {
        matches!(self, Outcome::Returned(_))
    }
}

/// The class of a pair of outcomes; none if they are the same.
pub fn difference(old: &Outcome, new: &Outcome) -> Option<Difference> {
    if old == new {
        return None;
    }
    Some(match (old.is_good(), new.is_good()) {
        (true, false) => Difference::Regression,
        (false, true) => Difference::Fix,
        _ => Difference::Behaviour,
    })
}

impl Suite {
    /// Claims that both versions do the same on every input.
    pub fn same<I: Sample, O: Debug>(
        &mut self,
        case: &str,
        function: &str,
        old: impl Fn(I) -> O,
        new: impl Fn(I) -> O,
    ) {
        for input in inputs::<I>() {
            let was = outcome(|| old(input.clone()));
            let is = outcome(|| new(input.clone()));
            if was != is {
                self.failures
                    .push(format!("{case}: {function}{input:?}: {was:?} and {is:?} should be the same"));
                break;
            }
        }
        self.record(case, function, Fact::Same);
    }

    /// Claims that the witness shows a difference of this class, and that no input shows a worse one.
    pub fn differs<I: Sample, O: Debug>(
        &mut self,
        case: &str,
        function: &str,
        class: Difference,
        witness: I,
        old: impl Fn(I) -> O,
        new: impl Fn(I) -> O,
    ) {
        let class_on = |input: &I| {
            let was = outcome(|| old(input.clone()));
            let is = outcome(|| new(input.clone()));
            (difference(&was, &is), was, is)
        };
        let (found, was, is) = class_on(&witness);
        if found != Some(class) {
            self.failures.push(format!("{case}: {function}{witness:?}: {was:?}, {is:?} is no {class:?}"));
        }
        for input in inputs::<I>() {
            let (found, was, is) = class_on(&input);
            if found.is_some_and(|found| found < class) {
                self.failures
                    .push(format!("{case}: {function}{input:?}: {was:?}, {is:?} is worse than {class:?}"));
                break;
            }
        }
        self.record(case, function, Fact::Differs(class));
    }

    /// Claims that exactly one version goes on for ever on an input, by the class that this makes.
    pub fn hangs<O: Debug>(
        &mut self,
        case: &str,
        function: &str,
        class: Difference,
        old: impl Fn() -> O + Send + 'static,
        new: impl Fn() -> O + Send + 'static,
    ) {
        let was = patient_outcome(old);
        let is = patient_outcome(new);
        if difference(&was, &is) != Some(class) || (was != Outcome::Hung) == (is != Outcome::Hung) {
            self.failures
                .push(format!("{case}: {function}: {was:?}, {is:?} is no {class:?} by an endless loop"));
        }
        self.record(case, function, Fact::Differs(class));
    }

    /// Takes down a difference that was seen in another way, in a process of its own.
    pub fn record(&mut self, case: &str, function: &str, fact: Fact) {
        let key = (case.to_string(), function.to_string());
        if let Some(before) = self.facts.insert(key, fact.clone())
            && before != fact
        {
            self.failures.push(format!("{case}: {function}: claimed to be {before:?} and {fact:?}"));
        }
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the call; a panic is an outcome and prints nothing.
pub fn outcome<O: Debug>(call: impl FnOnce() -> O) -> Outcome {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if QUIET.get() {
                MESSAGE.with_borrow_mut(|message| {
                    *message = info.payload_as_str().unwrap_or_default().to_string();
                });
            } else {
                previous(info);
            }
        }));
    });
    QUIET.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    match result {
        Ok(value) => Outcome::Returned(format!("{value:?}")),
        Err(_) => Outcome::Panicked(MESSAGE.with_borrow(|message| kind_of(message))),
    }
}

fn patient_outcome<O: Debug>(call: impl FnOnce() -> O + Send + 'static) -> Outcome {
    let (sender, receiver) = mpsc::channel();
    // The thread of an endless call cannot be stopped; it ends with the test's process.
    thread::spawn(move || sender.send(outcome(call)));
    receiver.recv_timeout(PATIENCE).unwrap_or(Outcome::Hung)
}

fn kind_of(message: &str) -> PanicKind {
    if message == "attempt to divide by zero"
        || message == "attempt to calculate the remainder with a divisor of zero"
    {
        PanicKind::DivisionByZero
    } else if message.starts_with("attempt to ") && message.ends_with(" with overflow") {
        PanicKind::Overflow
    } else if message.starts_with("index out of bounds") || message.contains("out of range for slice") {
        PanicKind::Index
    } else if message.starts_with("called `Option::unwrap()`")
        || message.starts_with("called `Result::unwrap")
    {
        PanicKind::Unwrap
    } else {
        PanicKind::Explicit
    }
}

/// A small generator (splitmix64): the same inputs each time.
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Argument types that inputs can be made of.
pub trait Sample: Clone + Debug {
    /// Biased to boundaries.
    fn random(random: &mut Random) -> Self;

    /// All values, if they are few.
    fn all() -> Option<Vec<Self>>;
}

const FEW: usize = 1 << 16;

fn inputs<I: Sample>() -> Vec<I> {
    I::all().unwrap_or_else(|| {
        let mut random = Random(1);
        (0..RANDOM_RUNS).map(|_| I::random(&mut random)).collect()
    })
}

macro_rules! sample_integers {
    ($($ty:ty: $all:expr;)*) => {$(
        impl Sample for $ty {
            fn random(random: &mut Random) -> $ty {
                let near = (random.below(9) as $ty).wrapping_sub(4);
                match random.below(5) {
                    0 => near,
                    1 => <$ty>::MAX.wrapping_add(near),
                    2 => (1 as $ty).wrapping_shl(random.below(128) as u32).wrapping_add(near),
                    3 => (random.below(256)) as $ty,
                    _ => ((random.next() as u128) << 64 | random.next() as u128) as $ty,
                }
            }

            fn all() -> Option<Vec<$ty>> {
                $all
            }
        }
    )*};
}

sample_integers! {
    u8: Some((u8::MIN..=u8::MAX).collect());
    i8: Some((i8::MIN..=i8::MAX).collect());
    u16: Some((u16::MIN..=u16::MAX).collect());
    i16: Some((i16::MIN..=i16::MAX).collect());
    u32: None;
    i32: None;
    u64: None;
    i64: None;
    isize: None;
    usize: None;
    i128: None;
}

macro_rules! sample_floats {
    ($($ty:ident $raw:ident;)*) => {$(
        impl Sample for $ty {
            fn random(random: &mut Random) -> $ty {
                let special = [
                    0.0, -0.0, 0.5, 1.0, -1.0, 90.0, 255.0, 256.0, 4.0, $ty::MAX, $ty::MIN, $ty::MIN_POSITIVE,
                    $ty::EPSILON, $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN,
                ];
                match random.below(4) {
                    0 => special[random.below(special.len() as u64) as usize],
                    1 => random.below(2000) as $ty / 8.0 - 100.0,
                    2 => random.below(1 << 20) as $ty / 1000.0,
                    _ => $ty::from_bits(random.next() as $raw),
                }
            }

            fn all() -> Option<Vec<$ty>> {
                None
            }
        }
    )*};
}

sample_floats! {
    f32 u32;
    f64 u64;
}

impl Sample for bool {
    fn random(random: &mut Random) -> bool {
        random.below(2) == 1
    }

    fn all() -> Option<Vec<bool>> {
        Some(vec![false, true])
    }
}

impl Sample for char {
    fn random(random: &mut Random) -> char {
        let code = if random.below(3) < 2 { random.below(0x900) } else { random.below(0x11_0000) };
        char::from_u32(code as u32).unwrap_or('\u{800}')
    }

    fn all() -> Option<Vec<char>> {
        None
    }
}

impl<T: Sample> Sample for Option<T> {
    fn random(random: &mut Random) -> Option<T> {
        (random.below(4) > 0).then(|| T::random(random))
    }

    fn all() -> Option<Vec<Option<T>>> {
        Some(T::all()?.into_iter().map(Some).chain([None]).collect())
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn random(random: &mut Random) -> [T; N] {
        std::array::from_fn(|_| T::random(random))
    }

    fn all() -> Option<Vec<[T; N]>> {
        None
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn random(random: &mut Random) -> Vec<T> {
        (0..random.below(7)).map(|_| T::random(random)).collect()
    }

    fn all() -> Option<Vec<Vec<T>>> {
        None
    }
}

/// Bytes that field lists are made of, for parsers that random bytes hardly pass.
#[derive(Clone, Debug)]
pub struct FieldList(pub Vec<u8>);

/// Half of them of what numbers are written in.
impl Sample for String {
    fn random(random: &mut Random) -> String {
        let of_numbers = b"0123456789+-.eE";
        let is_number = random.below(2) == 0;
        let letter = |random: &mut Random| match is_number {
            true => char::from(of_numbers[random.below(of_numbers.len() as u64) as usize]),
            false => char::random(random),
        };
        (0..random.below(6)).map(|_| letter(random)).collect()
    }

    fn all() -> Option<Vec<String>> {
        None
    }
}

impl Sample for FieldList {
    fn random(random: &mut Random) -> FieldList {
        let alphabet = b"00123456789---,";
        let byte = |random: &mut Random| alphabet[random.below(alphabet.len() as u64) as usize];
        FieldList((0..random.below(6)).map(|_| byte(random)).collect())
    }

    fn all() -> Option<Vec<FieldList>> {
        None
    }
}

macro_rules! sample_tuples {
    ($(($($name:ident $index:tt),+) = $all:expr;)*) => {$(
        impl<$($name: Sample),+> Sample for ($($name,)+) {
            fn random(random: &mut Random) -> Self {
                ($($name::random(random),)+)
            }

            fn all() -> Option<Vec<Self>> {
                $all
            }
        }
    )*};
}

sample_tuples! {
    (A 0) = Some(A::all()?.into_iter().map(|a| (a,)).collect());
    (A 0, B 1) = pairs(A::all()?, B::all()?);
    (A 0, B 1, C 2) = Some(
        pairs(pairs(A::all()?, B::all()?)?, C::all()?)?.into_iter().map(|((a, b), c)| (a, b, c)).collect(),
    );
    (A 0, B 1, C 2, D 3) = None;
}

fn pairs<A: Sample, B: Sample>(left: Vec<A>, right: Vec<B>) -> Option<Vec<(A, B)>> {
    if left.len() * right.len() > FEW {
        return None;
    }
    let with = |a: A| right.clone().into_iter().map(move |b| (a.clone(), b));
    Some(left.into_iter().flat_map(with).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The failures of a suite in which one function was claimed to be the same.
    fn failures_of_same<I: Sample, O: Debug>(old: impl Fn(I) -> O, new: impl Fn(I) -> O) -> usize {
        let mut suite = Suite::default();
        suite.same("case", "function", old, new);
        suite.failures.len()
    }

    #[test]
    fn a_false_claim_of_sameness_is_caught() {
        assert_eq!(failures_of_same(|(x,): (u16,)| x, |(x,)| if x == 31_337 { 0 } else { x }), 1);
        assert_eq!(failures_of_same(|(x,): (u8,)| x / 2, |(x,)| x >> 1), 0);
    }

    #[test]
    fn panics_are_told_apart_by_kind() {
        let dividing = |(x,): (u8,)| 100 / x;
        let asserting = |(x,): (u8,)| {
            assert!(x != 0);
            100 / x
        };
        let guarding = |(x,): (u8,)| {
            if x == 0 {
                panic!("none");
            }
            100 / x
        };
        assert_eq!(failures_of_same(dividing, asserting), 1);
        assert_eq!(failures_of_same(asserting, guarding), 0);
    }

    #[test]
    fn a_worse_class_than_claimed_is_caught() {
        let mut suite = Suite::default();
        let new = |(x,): (u8,)| if x == 7 { panic!("seven") } else { x ^ 1 };
        suite.differs("case", "function", Difference::Behaviour, (0,), |(x,): (u8,)| x, new);
        assert_eq!(suite.failures.len(), 1);
        suite.differs("case", "other", Difference::Regression, (7,), |(x,): (u8,)| x, new);
        assert_eq!(suite.failures.len(), 1);
    }

    #[test]
    fn an_endless_loop_is_seen() {
        let mut suite = Suite::default();
        // Asleep: the thread stays until the process ends.
        let forever = || loop {
            thread::park();
        };
        suite.hangs("case", "function", Difference::Regression, || (), forever);
        suite.hangs("case", "other", Difference::Regression, || (), || ());
        assert_eq!(suite.failures.len(), 1);
    }
}
