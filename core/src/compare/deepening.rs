//! Shorter inputs, where there is no time for all.
//!
//! *Idea (iterative deepening; bounded exhaustive testing).* How many partitions there are grows fast with the lengths that sequences may have. Where a part of the
//! time does not suffice for the bounds that were asked for, the rest goes to all inputs of up to two elements, then to those of up to
//! four, and so on. The longest lengths of which everything is known are the bounds of the statement.
//!
//! *Limits.* What was found of longer inputs is not lost: candidates of the first search stand, and its samples are run natively.
//!
//! R. Korf: Depth-first iterative-deepening, Artificial Intelligence 27, 1985. C. Boyapati, S. Khurshid, D. Marinov: Korat, ISSTA 2002.

use std::time::Instant;

use super::Comparison;
use super::pair::FunctionPair;
use super::search::{MOST_SAMPLES, compare_within};
use crate::exec::{Image, InputBounds, InputError};
use crate::explore::Options;
use crate::value::Value;
use crate::verdict::not_analysed::Refused;
use crate::verdict::{Approximation, Verdict};

/// What inputs of all lengths within the bounds have of the time, if it is not enough for them.
const SHARE_OF_ALL: u32 = 2;
/// Shorter inputs say too little: with two elements there is an order, and one may be there twice.
const SHORTEST: u64 = 2;

/// Compares two functions; `seeds` are inputs to start from (native random runs found them interesting).
pub fn compare(
    old: &Image<'_>,
    new: &Image<'_>,
    pair: FunctionPair,
    options: &Options,
    seeds: &[Vec<Value>],
) -> Comparison {
    let begun = Instant::now();
    let lengths = shorter_lengths(options.bounds.max_len);
    let most_if_bounded = match lengths.is_empty() {
        true => options.timeout,
        false => options.timeout / SHARE_OF_ALL,
    };
    let all = compare_within(old, new, pair.clone(), options, most_if_bounded, seeds);
    if !gains_by_shorter(&all) {
        return all;
    }
    let (mut said, mut others) = (all, Vec::new());
    for max_len in lengths {
        let timeout = options.timeout.saturating_sub(begun.elapsed());
        if timeout.is_zero() {
            break;
        }
        let bounds = InputBounds { max_len, max_depth: options.bounds.max_depth.min(max_len) };
        let options = Options { bounds, timeout, ..*options };
        let shorter = compare_within(old, new, pair.clone(), &options, timeout, seeds);
        let (is_proof, differs) = (is_bounded_proof(&shorter), !shorter.candidates.is_empty());
        let says_more = is_proof || differs || said.refused.is_some();
        others.push(if says_more { std::mem::replace(&mut said, shorter) } else { shorter });
        if !is_proof {
            break;
        }
    }
    with_others(said, others)
}

/// The lengths below this one that are tried, in turn.
fn shorter_lengths(max_len: u64) -> Vec<u64> {
    std::iter::successors(Some(SHORTEST), |len| len.checked_mul(2)).take_while(|len| *len < max_len).collect()
}

/// Whether all that is missing may be that inputs are long.
fn gains_by_shorter(all: &Comparison) -> bool {
    let is_proof =
        matches!(all.verdict_without_difference(), Verdict::Equal { .. } | Verdict::EqualWithin { .. });
    let may_be_shorter = match &all.refused {
        Some(reason) => matches!(reason, Refused::Input(InputError::TooLarge { .. })),
        None => all.ledger.bounds_lengths(),
    };
    // Where the engine contradicts itself, it is not believed of shorter inputs either.
    let contradicts = |entry: &Approximation| matches!(entry, Approximation::EngineMismatch { .. });
    !is_proof && may_be_shorter && all.candidates.is_empty() && !all.ledger.entries().iter().any(contradicts)
}

fn is_bounded_proof(shorter: &Comparison) -> bool {
    matches!(shorter.verdict_without_difference(), Verdict::EqualWithin { .. })
}

/// What is said, with what was run besides. Longer inputs are still open.
fn with_others(mut said: Comparison, others: Vec<Comparison>) -> Comparison {
    for other in others {
        said.runs += other.runs;
        said.solver_queries += other.solver_queries;
        said.answers.merge(&other.answers);
        said.short_of_time |= other.short_of_time;
        said.samples.extend(other.samples);
    }
    said.samples.truncate(MOST_SAMPLES);
    said
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exec::PanicPolicy;
    use crate::idx::Idx;
    use crate::ir::{FnId, parse};

    /// Four ways to go for each element: 87,381 partitions for up to eight of them.
    const FOUR_WAYS: &str = "fn k::f(_1: &[u8]) -> u64 {
        let _2: usize;
        let _3: usize;
        let _4: bool;
        let _5: u8;
        bb0: { _0 = const 1_u64; _2 = const 0_usize; _3 = PtrMetadata(copy _1); goto -> bb1; }
        bb1: { _4 = Lt(copy _2, copy _3); switchInt(copy _4) -> [0: bb8, otherwise: bb2]; }
        bb2: { _5 = copy (*_1)[_2]; _0 = Mul(copy _0, const 4_u64);
               switchInt(copy _5) -> [0: bb3, 1: bb4, 2: bb5, otherwise: bb6]; }
        bb3: { goto -> bb7; }
        bb4: { _0 = Add(copy _0, const 1_u64); goto -> bb7; }
        bb5: { _0 = Add(copy _0, const 2_u64); goto -> bb7; }
        bb6: { _0 = Add(copy _0, const 3_u64); goto -> bb7; }
        bb7: { _2 = Add(copy _2, const 1_usize); goto -> bb1; }
        bb8: { return; }
    }";

    /// Compares them in a time that is too short for eight elements.
    fn compared(old: &str, new: &str) -> Comparison {
        let program = |text| parse::program(text).unwrap_or_else(|error| panic!("{error}"));
        let (old, new) = (program(old), program(new));
        let [of_old, of_new] = [&old, &new].map(|program| Image::new(program, PanicPolicy::Outcomes));
        let first = FnId::from_usize(0);
        let (instantiation, makers) = Default::default();
        let pair = FunctionPair { old: first, new: first, instantiation, makers };
        let options = Options { timeout: Duration::from_secs(4), ..Options::default() };
        compare(&of_old, &of_new, pair, &options, &[])
    }

    #[test]
    fn shorter_inputs_are_proved_where_there_is_no_time_for_all() {
        let shifted = FOUR_WAYS.replace("Mul(copy _0, const 4_u64)", "Shl(copy _0, const 2_u32)");
        let comparison = compared(FOUR_WAYS, &shifted);
        let Verdict::EqualWithin { bounds, .. } = comparison.verdict_without_difference() else {
            panic!("{comparison:?}");
        };
        let is_shorter =
            |entry: &Approximation| matches!(entry, Approximation::InputLength { max_len: 2 | 4 });
        assert!(bounds.entries().iter().any(is_shorter), "{bounds:?}");
        assert!(comparison.short_of_time);
    }

    #[test]
    fn lengths_double_up_to_what_was_asked_for() {
        assert_eq!(shorter_lengths(8), [2, 4]);
        assert_eq!(shorter_lengths(33), [2, 4, 8, 16, 32]);
        assert!(shorter_lengths(2).is_empty());
        assert!(shorter_lengths(0).is_empty());
    }
}
