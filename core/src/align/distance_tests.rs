use super::distance::distances;
use super::testing::{Build, free};
use crate::idx::Idx;
use crate::ir::FnId;

/// Functions as `name: callees`, of which `changed` changed; distances in that order, none where the change is not named.
#[track_caller]
fn check(functions: &[(&str, &[&str])], changed: &[usize], expected: &[Option<u32>]) {
    let build = functions.iter().fold(Build::default(), |build, (path, callees)| {
        let callees: Vec<_> = callees.iter().map(|callee| free(callee)).collect();
        build.func(path, 0, &callees)
    });
    let found = distances(&build.done(), changed.iter().copied().map(FnId::from_usize));
    let found: Vec<_> =
        (0..functions.len()).map(|index| found.get(&FnId::from_usize(index)).copied()).collect();
    assert_eq!(found, expected);
}

#[test]
fn steps_are_counted_from_the_nearest_change() {
    let chain: &[(&str, &[&str])] = &[("k::a", &["k::b"]), ("k::b", &["k::c"]), ("k::c", &[]), ("k::d", &[])];
    check(chain, &[2], &[Some(2), Some(1), Some(0), None]);
    check(chain, &[1, 2], &[Some(1), Some(0), Some(0), None]);
    check(chain, &[], &[None; 4]);
}

#[test]
fn functions_that_call_each_other_end_the_walk() {
    let circle: &[(&str, &[&str])] = &[("k::a", &["k::b"]), ("k::b", &["k::a", "k::c"]), ("k::c", &[])];
    check(circle, &[2], &[Some(2), Some(1), Some(0)]);
}
