//! The slices of the machine's one forward pass against those of the slicer that walks a stored trace backward.
//!
//! On programs without pointers, arrays and calls both must be *equal*, once the backward slicer takes endless loops into
//! account as the machine does by design. On all programs those of the machine must hold the paper's. They hold
//! more where this is the price of soundness or speed:
//!
//! * a branch in a loop is in the slice of all that follows (the paper takes it that loops end);
//! * a dereference of a raw pointer may be undefined behaviour, so a branch that decides on one never closes;
//! * an element at an index that depends on the input is all elements, as the paper's own implementation does not do: it
//!   takes the index for a constant, and misses partitions;
//! * a pointer that branches chose may refer elsewhere on other runs, so everything depends on these branches once it
//!   is written through, where the definitions look at the cells of this run alone.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, proptest};

use super::trace::{Trace, run};
use super::trace_slicer::{Rules, Slicer};
use super::{arguments, function, hunt, image, random_input, seed_of};
use crate::exec::SliceId;
use crate::exec::resolve::Resolved;
use crate::explore::call::{Callee, fresh_run};
use crate::explore::{Inputs, Options};
use crate::idx::Idx;
use crate::ir::{FnId, Program, Subst};
use crate::random_programs::{Dialect, Random, program};
use crate::verdict::Version;

/// Inputs that each program is run on.
const RUNS: usize = 3;

/// The events of the branches in each slice of one run of the machine.
struct Sliced {
    /// Of each branch that depends on the input.
    branches: Vec<(usize, BTreeSet<usize>)>,
    output: BTreeSet<usize>,
    steps: u64,
}

fn sliced(program: &Program, input: [u8; 3]) -> Sliced {
    let image = image(program);
    let mut function = function(&image);
    let mut model = function.inputs.model(&arguments(input)).expect("the arguments fit");
    let resolved = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let callee = Callee { version: Version::New, image: &image, resolved };
    let Inputs { types, pool, space, .. } = &mut function.inputs;
    let mut run = fresh_run(pool, Options::default().limits);
    let ended = callee.run(types, space, &mut run, &mut model).expect("the types are bytes");
    let event = |step: u64| usize::try_from(step).expect("runs are short") - 1;
    let events = |slice: SliceId| -> BTreeSet<usize> {
        run.slices.get(slice).iter().map(|branch| event(run.branches[*branch].step)).collect()
    };
    let branches = run.branches.iter().map(|branch| (event(branch.step), events(branch.slice))).collect();
    Sliced { branches, output: events(ended.slice), steps: run.steps }
}

/// Whether the slices of the machine are to be equal to the others, or only to hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    Holds,
}

/// How many branches the machine's slices of the output hold, and how many the others.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    machine: usize,
    backward: usize,
}

fn check(
    seed: u64,
    dialect: Dialect,
    rules: Rules,
    relation: Relation,
    sizes: &mut Sizes,
) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let source = random.program_in(dialect);
    let program = program(&source);
    for _ in 0..RUNS {
        let input = random_input(&mut random);
        let trace: Trace = run(&program, input);
        let slicer = Slicer::new(&program, &trace, rules);
        let fast = sliced(&program, input);
        prop_assert!(fast.steps == trace.events.len() as u64, "seed {seed}: another number of steps");
        // Branches that turn out the same on every input have no condition, so the machine does not number them.
        let numbered: BTreeSet<usize> = fast.branches.iter().map(|(event, _)| *event).collect();
        let only_numbered =
            |slice: BTreeSet<usize>| -> BTreeSet<usize> { slice.intersection(&numbered).copied().collect() };
        let fits = |fast: &BTreeSet<usize>, slow: &BTreeSet<usize>| match relation {
            Relation::Equal => fast == slow,
            Relation::Holds => fast.is_superset(slow),
        };
        for (event, slice) in &fast.branches {
            let slow = only_numbered(slicer.of_branch(*event));
            prop_assert!(
                fits(slice, &slow),
                "seed {seed}, input {input:?}, branch at {event}: machine {slice:?}, backward {slow:?}\n{source:?}"
            );
        }
        let slow = only_numbered(slicer.of_output());
        prop_assert!(
            fits(&fast.output, &slow),
            "seed {seed}, input {input:?}, output: machine {:?}, backward {slow:?}\n{source:?}",
            fast.output
        );
        sizes.machine += fast.output.len();
        sizes.backward += slow.len();
    }
    Ok(())
}

fn check_all(seed: u64, sizes: &mut Sizes) -> Result<(), TestCaseError> {
    check(seed, Dialect::Plain, Rules::LoopsMayNotEnd, Relation::Equal, &mut Sizes::default())?;
    check(seed, Dialect::Plain, Rules::Paper, Relation::Holds, &mut Sizes::default())?;
    check(seed, Dialect::Full, Rules::Paper, Relation::Holds, sizes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slices_are_those_of_a_backward_walk(seed: u64) {
        check_all(seed, &mut Sizes::default())?;
    }
}

/// `REGRESS_PROGRAMS=10000 cargo test -p cargo-regress-core backward_walks -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn slices_are_those_of_backward_walks_on_many_programs() {
    let mut sizes = Sizes::default();
    for index in hunt() {
        if let Err(error) = check_all(seed_of(index), &mut sizes) {
            panic!("program {index}: {error}");
        }
    }
    // What has slices at all puts something to the test.
    assert!(sizes.backward > 0);
    println!("with pointers, arrays and calls: {sizes:?} branches in slices of outputs");
}
