//! Claims about functions that do not repeat: one version alone gives two results for one input. Those that are slow repeat.

use std::thread;

use regress_tests::native::{Fact, Suite};

use crate::versions::{by_chance_new as new, by_chance_old as old};

const CASE: &str = "attack/by_chance";
const CALLS: usize = 100_000;
const THREADS: usize = 16;

pub fn claim(suite: &mut Suite) {
    unsteady(
        suite,
        "counted",
        [one_after_another(|| old::counted(3)), one_after_another(|| new::counted(3))],
    );
    unsteady(
        suite,
        "at_random",
        [one_after_another(|| old::at_random(3)), one_after_another(|| new::at_random(3))],
    );
    unsteady(
        suite,
        "in_time",
        [one_after_another(|| old::in_time(3)), one_after_another(|| new::in_time(3))],
    );
    unsteady(
        suite,
        "now_and_then",
        [one_after_another(|| old::now_and_then(3)), one_after_another(|| new::now_and_then(3))],
    );
    unsteady(suite, "at_address", [side_by_side(|| old::at_address(3)), side_by_side(|| new::at_address(3))]);
    same(suite, "slow", [old::slow(3) == 3, new::slow(3) == 3]);
    same(suite, "many_rounds", [5, 77].map(|x| old::many_rounds(x) == new::many_rounds(x)));
}

/// Whether equal calls in one thread give different results.
fn one_after_another<T: PartialEq>(call: impl Fn() -> T) -> bool {
    let first = call();
    (0..CALLS).any(|_| call() != first)
}

/// Whether equal calls in threads that live at the same time give different results.
fn side_by_side<T: PartialEq + Send + 'static>(call: fn() -> T) -> bool {
    let threads: Vec<_> = (0..THREADS).map(|_| thread::spawn(call)).collect();
    let results: Vec<T> = threads.into_iter().filter_map(|thread| thread.join().ok()).collect();
    results.iter().any(|result| *result != results[0])
}

fn unsteady(suite: &mut Suite, function: &str, versions: [bool; 2]) {
    if versions.contains(&false) {
        suite.failures.push(format!("{CASE}: {function}: equal calls of one version gave equal results"));
    }
    suite.record(CASE, function, Fact::Unsteady);
}

fn same(suite: &mut Suite, function: &str, agreed: [bool; 2]) {
    if agreed.contains(&false) {
        suite.failures.push(format!("{CASE}: {function}: the versions differ"));
    }
    suite.record(CASE, function, Fact::Same);
}
