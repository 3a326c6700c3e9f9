//! No proof of equality of random programs in two versions may fall to any input that is tried; and none rests on what a value that is left behind no longer shows.

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, proptest};

use super::{FunctionPair, Instantiation, compare};
use crate::exec::{Image, Makers};
use crate::explore::direction::Order;
use crate::explore::{Options, Strategy};
use crate::idx::Idx;
use crate::ir::{FnId, parse};
use crate::random_programs::{Dialect, Random, interpret, program};
use crate::verdict::Verdict;

/// Compares a random program with a changed one; whether equality was proved.
fn check(seed: u64, dialect: Dialect) -> Result<bool, TestCaseError> {
    let mut random = Random::new(seed);
    let old = random.program();
    let mut new = old.clone();
    for _ in 0..1 + random.below(2) {
        random.change(&mut new.0, 2, false);
    }
    let (old, new) = (dialect.of(old), dialect.of(new));
    let (old_program, new_program) = (program(&old), program(&new));
    let images = (
        Image::new(&old_program, crate::exec::PanicPolicy::Outcomes),
        Image::new(&new_program, crate::exec::PanicPolicy::Outcomes),
    );
    let instantiation = Instantiation::default();
    let subject = FunctionPair {
        old: FnId::from_usize(0),
        new: FnId::from_usize(0),
        instantiation,
        makers: Makers::default(),
    };
    let in_order = |order| {
        let options = Options { strategy: Strategy::Rsc, order, ..Options::default() };
        compare(&images.0, &images.1, subject.clone(), &options, &[])
    };
    let [blind, directed] = [Order::LastFirst, Order::Directed].map(in_order);
    // The order of the search is no part of what is proved.
    let is_short_of_time = blind.short_of_time || directed.short_of_time;
    let verdict = directed.verdict_without_difference();
    prop_assert!(
        is_short_of_time
            || std::mem::discriminant(&verdict)
                == std::mem::discriminant(&blind.verdict_without_difference()),
        "seed {seed}: {verdict:?}, but blindly {:?}\n{old:?}\n{new:?}",
        blind.verdict_without_difference()
    );
    prop_assert!(!matches!(verdict, Verdict::NotAnalysed { .. }), "{verdict:?}\n{old:?}");
    if !matches!(verdict, Verdict::Equal { .. } | Verdict::EqualWithin { .. }) {
        return Ok(false);
    }
    let bytes = [0u8, 1, 2, 3, 4, 5, 75, 76, 77, 78, 79, 127, 128, 178, 179, 250, 252, 253, 254, 255];
    for x in bytes {
        for y in bytes {
            for z in [0, 1, 77, 255] {
                let ends = (interpret(&old, [x, y, z]), interpret(&new, [x, y, z]));
                prop_assert!(
                    ends.0 == ends.1,
                    "seed {seed}: proved equal, but on {:?}: {ends:?}\nold {old:?}\nnew {new:?}",
                    [x, y, z]
                );
            }
        }
    }
    Ok(true)
}

/// What is said of the first functions of two program texts.
fn verdict(old: &str, new: &str) -> Verdict {
    let program = |text| parse::program(text).unwrap_or_else(|error| panic!("{error}"));
    let (old, new) = (program(old), program(new));
    let [of_old, of_new] =
        [&old, &new].map(|program| Image::new(program, crate::exec::PanicPolicy::Outcomes));
    let first = FnId::from_usize(0);
    let (instantiation, makers) = Default::default();
    let pair = FunctionPair { old: first, new: first, instantiation, makers };
    compare(&of_old, &of_new, pair, &Options::default(), &[]).verdict_without_difference()
}

fn is_proof(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Equal { .. } | Verdict::EqualWithin { .. })
}

/// A slot that is written through, and another reference put into it.
fn writes_and_replaces(slot: &str, to: &str, written: &str) -> String {
    format!(
        "struct k::Slot {{ to: &mut u8 }}
         fn f(_1: &mut {slot}, _2: &mut u8) -> () {{ let _3: &mut u8;
            bb0: {{ _3 = move ({to}.0: &mut u8); (*_3) = {written}; ({to}.0: &mut u8) = move _2; return; }} }}"
    )
}

#[test]
fn what_was_lent_is_compared_when_another_reference_stands_in_its_place() {
    for (slot, to) in [("k::Slot", "(*_1)"), ("&mut k::Slot", "(*(*_1))")] {
        let writes = |written| writes_and_replaces(slot, to, written);
        let one = writes("const 1_u8");
        assert!(!is_proof(&verdict(&one, &writes("const 2_u8"))), "{slot}");
        let also_one = verdict(&one, &writes("Sub(const 3_u8, const 2_u8)"));
        // Which reference it is that is left there is not compared.
        assert!(matches!(also_one, Verdict::EqualWithin { .. }), "{slot}: {also_one:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_proof_of_a_random_program_falls(seed: u64) {
        check(seed, Dialect::Full)?;
        check(seed, Dialect::Lists)?;
    }
}

/// For long hunts: `REGRESS_PROGRAMS=5000 cargo test -p cargo-regress-core random_programs -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    let count = std::env::var("REGRESS_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(5000u64);
    let start = std::env::var("REGRESS_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    for dialect in [Dialect::Full, Dialect::Lists] {
        let mut proved = 0;
        for index in start..start + count {
            let seed = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            match check(seed, dialect) {
                Ok(equal) => proved += u64::from(equal),
                Err(error) => panic!("program {index} in {dialect:?}: {error}"),
            }
        }
        assert!(
            proved * 20 > count,
            "only {proved} of {count} were proved equal: nothing was put to the test"
        );
    }
}

/// A comparison whose solver hangs ends, and proves nothing by it.
#[cfg(feature = "z3")]
#[test]
fn a_solver_that_hangs_is_given_up_and_leaves_no_proof() {
    use std::time::{Duration, Instant};

    use crate::smt::{UnknownReason, with_a_stuck_solver};
    use crate::verdict::Approximation;

    let reason = UnknownReason::GivenUp;
    let has_met_it = |seed| {
        let (program_of_seed, options) = (
            program(&Dialect::Full.of(Random::new(seed).program())),
            Options {
                timeout: Duration::from_secs(5),
                query_timeout: Duration::from_millis(100),
                ..Options::default()
            },
        );
        let mut other = Random::new(seed);
        let mut changed = other.program();
        other.change(&mut changed.0, 2, false);
        let changed = program(&Dialect::Full.of(changed));
        let images = (
            Image::new(&program_of_seed, crate::exec::PanicPolicy::Outcomes),
            Image::new(&changed, crate::exec::PanicPolicy::Outcomes),
        );
        let subject = FunctionPair {
            old: FnId::from_usize(0),
            new: FnId::from_usize(0),
            instantiation: Instantiation::default(),
            makers: Makers::default(),
        };
        let start = Instant::now();
        let comparison = with_a_stuck_solver(|| compare(&images.0, &images.1, subject, &options, &[]));
        assert!(start.elapsed() < Duration::from_secs(60), "seed {seed} takes {:?}", start.elapsed());
        let is_it = |entry: &Approximation| *entry == Approximation::SolverUnknown { reason: reason.clone() };
        let met = comparison.ledger.entries().iter().any(is_it);
        if met {
            let verdict = comparison.verdict_without_difference();
            let is_proof = matches!(verdict, Verdict::Equal { .. } | Verdict::EqualWithin { .. });
            assert!(!is_proof, "seed {seed}: {verdict:?}");
        }
        met
    };
    assert!((0..500u64).any(has_met_it), "no program needs the solver");
}
