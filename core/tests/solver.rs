//! Z3 under load: many short questions on many threads, interrupted at random. In a process of its own, as its threads are counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regress_core::smt::{Answer, Solver, SolverLimits, UnknownReason, Z3Solver, stuck_threads};
use regress_core::term::{Sort, TermId, TermPool};

const THREADS: u64 = 8;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 8
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

struct Question {
    assertions: Vec<TermId>,
    /// Whether it is known to have an answer.
    holds: Option<bool>,
}

/// Products, quotients and orders of three variables: some that hold for a planted input, some that cannot hold.
fn question(pool: &mut TermPool, vars: &[TermId], random: &mut Random) -> Question {
    let width = 16;
    let number = |pool: &mut TermPool, bits: u64| pool.bv_const(u128::from(bits & 0xffff), width);
    let values: Vec<u64> = vars.iter().map(|_| random.below(1 << width)).collect();
    let (a, b, c) = (vars[0], vars[1], vars[2]);
    let product = pool.mul(a, b);
    let planted = number(pool, values[0].wrapping_mul(values[1]));
    let by = 3 + random.below(200);
    let by_term = number(pool, by);
    let quotient = pool.udiv(c, by_term);
    let quotient_value = number(pool, values[2] / by);
    let is_product = pool.eq(product, planted);
    let is_quotient = pool.eq(quotient, quotient_value);
    match random.below(4) {
        0 => Question { assertions: vec![is_product], holds: Some(true) },
        1 => Question { assertions: vec![is_quotient, is_product], holds: Some(true) },
        2 => {
            // A quotient by at least 3 is below 2^15.
            let limit = number(pool, 0x8000);
            let sum = pool.add(quotient, product);
            let zero = number(pool, 0);
            let no_product = pool.eq(product, zero);
            let small = pool.ult(sum, limit);
            let large = pool.not(small);
            Question { assertions: vec![no_product, large], holds: Some(false) }
        }
        _ => {
            let other = pool.mul(product, c);
            let number = number(pool, random.next());
            Question { assertions: vec![pool.eq(other, number), is_quotient], holds: None }
        }
    }
}

/// Asks so many questions in all, and waits until no thread hangs; how many of them ran out of time.
fn ask(count: u64, time: impl Fn(&mut Random) -> Duration + Sync) -> u64 {
    let (interrupted, given_up) = (AtomicU64::new(0), AtomicU64::new(0));
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS.min(count) {
            let (interrupted, given_up, next, time) = (&interrupted, &given_up, &next, &time);
            scope.spawn(move || {
                let mut random = Random(thread);
                while next.load(Ordering::Relaxed) < count {
                    let mut pool = TermPool::new();
                    let vars: Vec<TermId> =
                        ["a", "b", "c"].iter().map(|name| pool.var(name, Sort::Bv(16))).collect();
                    let mut z3 = Z3Solver::new();
                    for _ in 0..50 {
                        next.fetch_add(1, Ordering::Relaxed);
                        let Question { assertions, holds } = question(&mut pool, &vars, &mut random);
                        let limits = SolverLimits { time: time(&mut random), ..SolverLimits::default() };
                        let start = Instant::now();
                        let answer = z3.check(&pool, &assertions, &limits);
                        // Three stages of two seconds of grace, and a busy machine.
                        assert!(start.elapsed() < limits.time * 2 + Duration::from_secs(30));
                        match (answer, holds) {
                            (Answer::Unknown(UnknownReason::Timeout | UnknownReason::ResourceLimit), _) => {
                                interrupted.fetch_add(1, Ordering::Relaxed);
                            }
                            // On a busy machine a thread may get no time to answer in; that it does in the end is seen below.
                            (Answer::Unknown(UnknownReason::GivenUp), _) => {
                                given_up.fetch_add(1, Ordering::Relaxed);
                                break;
                            }
                            (Answer::Sat(_), Some(true) | None) | (Answer::Unsat, Some(false) | None) => {}
                            (answer, holds) => panic!("{answer:?}, but it is known: {holds:?}"),
                        }
                    }
                }
            });
        }
    });
    println!("{count} questions: {interrupted:?} interrupted, {given_up:?} threads given up");
    let start = Instant::now();
    while stuck_threads() > 0 {
        assert!(start.elapsed() < Duration::from_secs(120), "{} threads hang", stuck_threads());
        thread::sleep(Duration::from_millis(20));
    }
    interrupted.into_inner()
}

#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// A timer of Z3's would be a thread more.
#[cfg(target_os = "linux")]
fn starts_no_thread_but_its_own() {
    let before = threads();
    let mut pool = TermPool::new();
    let vars: Vec<TermId> = ["a", "b", "c"].iter().map(|name| pool.var(name, Sort::Bv(16))).collect();
    let mut random = Random(77);
    let mut z3 = Z3Solver::new();
    let limits = SolverLimits { time: Duration::from_secs(600), ..SolverLimits::default() };
    for _ in 0..20 {
        let Question { assertions, .. } = question(&mut pool, &vars, &mut random);
        z3.check(&pool, &assertions, &limits);
    }
    assert_eq!(threads(), before + 2, "one that asks Z3 and one that interrupts it");
}

#[test]
fn questions_that_are_interrupted_at_random_end() {
    #[cfg(target_os = "linux")]
    starts_no_thread_but_its_own();
    let interrupted = ask(1_000, |random| Duration::from_micros(1_000 + random.below(30_000)));
    assert!(interrupted > 0);
}

/// `cargo test --release -p cargo-regress-core --test solver -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_questions_end() {
    let start = Instant::now();
    ask(100_000, |random| Duration::from_micros(1_000 + random.below(20_000)));
    println!("{:?}", start.elapsed());
}
