//! Equal relevant slice conditions mean equal symbolic outputs; all of them are reached from wherever the search begins;
//! and they are not if the conditions are left in the order of execution.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, proptest};

use super::{arguments, function, hunt, image, random_input, seed_of};
use crate::explore::Completeness;
use crate::explore::Strategy;
use crate::ir::BinOp;
use crate::random_programs::{Cond, Dialect, Expr, Random, Stmt, program};
use crate::signature::{Function, Partition};
use crate::smt::{Answer, AnySolver, Layered, Solver, SolverLimits};
use crate::term::TermId;

/// Inputs that each program is run on.
const RUNS: usize = 12;

fn partition(function: &mut Function<'_, '_>, input: [u8; 3], strategy: Strategy) -> Partition {
    let model = function.inputs.model(&arguments(input)).expect("the arguments fit");
    function.visit(model, strategy).expect("the types are bytes")
}

/// Theorem 1 on the runs of one program, and that the inputs of a partition are those that satisfy its condition.
fn equal_conditions_equal_outputs(seed: u64, dialect: Dialect) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let source = random.program_in(dialect);
    let program = program(&source);
    let image = image(&program);
    let mut function = function(&image);
    let runs: Vec<Partition> =
        (0..RUNS).map(|_| partition(&mut function, random_input(&mut random), Strategy::Rsc)).collect();
    for a in &runs {
        for b in &runs {
            let inside = a
                .conditions
                .iter()
                .all(|condition| function.inputs.pool.eval(condition.holds, &b.model) != 0);
            prop_assert!(
                inside || a.relevant != b.relevant,
                "seed {seed}: {:?} does not satisfy its own condition\n{source:?}",
                b.inputs
            );
            if !inside {
                continue;
            }
            prop_assert!(
                a.ending.is_same_as(&b.ending),
                "seed {seed}: one condition, two outputs on {:?} and {:?}\n{source:?}",
                a.inputs,
                b.inputs
            );
            prop_assert!(
                dialect != Dialect::Plain || a.relevant == b.relevant,
                "seed {seed}: {:?} lies in the partition of {:?} and makes another one\n{source:?}",
                b.inputs,
                a.inputs
            );
        }
    }
    Ok(())
}

/// Whether two explorations say the same: where the inputs of their partitions meet, outputs are equal.
fn is_same_function(function: &mut Function<'_, '_>, a: &[Partition], b: &[Partition]) -> bool {
    let mut solver = Layered::new(AnySolver::new());
    a.iter().all(|one| {
        b.iter().all(|other| {
            let conditions = one.conditions.iter().chain(&other.conditions);
            let mut both = function.inputs.space.constraints.clone();
            both.extend(conditions.map(|condition| condition.holds));
            // Endings of different kinds differ on every input.
            both.extend(function.difference(&one.ending, &other.ending));
            solver.check(&function.inputs.pool, &both, &SolverLimits::default()) == Answer::Unsat
        })
    })
}

/// Theorem 2: the same function from each of several first inputs, and no input is left; where slices are exact, by the
/// same conditions.
fn any_start_reaches_all(seed: u64, dialect: Dialect) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let source = random.program_in(dialect);
    let program = program(&source);
    let image = image(&program);
    let mut function = function(&image);
    let mut seen: Option<BTreeSet<Vec<TermId>>> = None;
    let mut said: Option<Vec<Partition>> = None;
    for _ in 0..3 {
        let first = random_input(&mut random);
        let exploration = function.explore(Strategy::Rsc, &[arguments(first)]).expect("the types are bytes");
        prop_assert!(
            exploration.completeness == Completeness::Proved,
            "seed {seed}: {:?} from {first:?}\n{source:?}",
            exploration.completeness
        );
        let reached: BTreeSet<Vec<TermId>> =
            exploration.partitions.iter().map(|partition| partition.relevant.clone()).collect();
        // Coverage is mostly seen by the answers to the prefixes; the solver has to say the same of the whole.
        let outside = function
            .inputs
            .outside(exploration.partitions.iter().map(|partition| partition.conditions.as_slice()));
        let answer =
            Layered::new(AnySolver::new()).check(&function.inputs.pool, &outside, &SolverLimits::default());
        prop_assert!(
            answer == Answer::Unsat,
            "seed {seed}: taken for all partitions from {first:?}, but {answer:?}\n{source:?}"
        );
        if let Some(before) = &said {
            prop_assert!(
                is_same_function(&mut function, before, &exploration.partitions),
                "seed {seed}: from {first:?} another function than from elsewhere\n{source:?}"
            );
        }
        said = Some(exploration.partitions.clone());
        // The theorem presupposes that slices hold what is relevant and nothing else. Where arms copy pointers they hold
        // more, and how much more depends on the run: conditions are then cut differently from another start.
        if dialect != Dialect::Plain {
            continue;
        }
        // What is asked in the end finds what the prefixes did not lead to; there must be nothing to find.
        prop_assert!(
            exploration.effort.found_last == 0,
            "seed {seed}: from {first:?} the search missed {} partitions\n{source:?}",
            exploration.effort.found_last
        );
        if let Some(before) = &seen {
            prop_assert!(
                *before == reached,
                "seed {seed}: from {first:?} {} conditions are reached, from elsewhere {}\n{source:?}",
                reached.len(),
                before.len()
            );
        }
        seen = Some(reached);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equal_conditions_have_equal_outputs(seed: u64) {
        equal_conditions_equal_outputs(seed, Dialect::Plain)?;
        equal_conditions_equal_outputs(seed, Dialect::Full)?;
        equal_conditions_equal_outputs(seed, Dialect::Lists)?;
    }

    #[test]
    fn all_conditions_are_reached_from_any_input(seed: u64) {
        any_start_reaches_all(seed, Dialect::Plain)?;
        any_start_reaches_all(seed, Dialect::Full)?;
        any_start_reaches_all(seed, Dialect::Lists)?;
    }
}

/// `REGRESS_PROGRAMS=10000 cargo test -p cargo-regress-core the_theorems -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn the_theorems_hold_on_many_programs() {
    for index in hunt() {
        let seed = seed_of(index);
        let checks = [
            equal_conditions_equal_outputs(seed, Dialect::Plain),
            equal_conditions_equal_outputs(seed, Dialect::Full),
            equal_conditions_equal_outputs(seed, Dialect::Lists),
            any_start_reaches_all(seed, Dialect::Plain),
            any_start_reaches_all(seed, Dialect::Full),
            any_start_reaches_all(seed, Dialect::Lists),
        ];
        for check in checks {
            if let Err(error) = check {
                panic!("program {index}: {error}");
            }
        }
    }
}

/// Figure 1 of the paper. `z` takes no part in what is returned.
fn figure_1() -> (Vec<Stmt>, Expr) {
    let (x, y) = (|| Expr::Var(0), || Expr::Var(1));
    let (a, b) = (2, 3);
    let sum = Expr::Op(BinOp::Add, Box::new(x()), Box::new(y()));
    let square = Expr::Op(BinOp::BitAnd, Box::new(Expr::Var(4)), Box::new(Expr::Const(3)));
    let stmts = vec![
        Stmt::Assign(b, Expr::Const(2)),
        Stmt::If(Cond(BinOp::Lt, y(), x()), vec![Stmt::Assign(a, x())], vec![Stmt::Assign(a, y())]),
        Stmt::If(Cond(BinOp::Lt, Expr::Const(10), sum), vec![Stmt::Assign(b, Expr::Var(a))], vec![]),
        Stmt::If(Cond(BinOp::Lt, square, Expr::Const(2)), vec![Stmt::Assign(a, Expr::Const(1))], vec![]),
    ];
    (stmts, Expr::Var(b))
}

/// The conditions of the slice in execution order, as a search that only put slices in the place of paths would take them.
fn unordered(partition: &Partition) -> Vec<TermId> {
    let mut conditions = partition.conditions.clone();
    conditions.sort_by_key(|condition| condition.instance);
    conditions.into_iter().map(|condition| condition.holds).collect()
}

/// Section 2 of the paper, table 1: depth first, negating from behind the prefix on, without `reorder`.
fn plain_search_over_slices(function: &mut Function<'_, '_>, first: [u8; 3]) -> BTreeSet<Vec<TermId>> {
    let mut solver = Layered::new(AnySolver::new());
    let mut reached = BTreeSet::new();
    let first = partition(function, first, Strategy::Rsc);
    let mut stack: Vec<Vec<TermId>> = Vec::new();
    let mut execute = |function: &mut Function<'_, '_>,
                       stack: &mut Vec<Vec<TermId>>,
                       partition: Partition,
                       behind: usize| {
        let conditions = unordered(&partition);
        for negated in behind..conditions.len() {
            let mut prefix = conditions[..negated].to_vec();
            prefix.push(function.inputs.pool.not(conditions[negated]));
            stack.push(prefix);
        }
        reached.insert(partition.relevant);
    };
    execute(function, &mut stack, first, 0);
    while let Some(prefix) = stack.pop() {
        let mut assertions = function.inputs.space.constraints.clone();
        assertions.extend(&prefix);
        if let Answer::Sat(model) = solver.check(&function.inputs.pool, &assertions, &SolverLimits::default())
        {
            let next = function.visit(model, Strategy::Rsc).expect("the types are bytes");
            execute(function, &mut stack, next, prefix.len());
        }
    }
    reached
}

#[test]
fn without_reordering_a_partition_of_figure_1_is_missed() {
    let program = program(&figure_1());
    let image = image(&program);
    let mut function = function(&image);
    let first = [6, 2, 2];
    let exploration = function.explore(Strategy::Rsc, &[arguments(first)]).expect("the types are bytes");
    let all: BTreeSet<Vec<TermId>> =
        exploration.partitions.iter().map(|partition| partition.relevant.clone()).collect();
    assert_eq!((exploration.completeness, all.len()), (Completeness::Proved, 3));
    let reached = plain_search_over_slices(&mut function, first);
    assert!(reached.is_subset(&all));
    let missed: Vec<_> = all.difference(&reached).collect();
    assert_eq!(missed.len(), 1, "two of three partitions are reached");
    // The one that is missed: x + y > 10, but x <= y.
    let model = function.inputs.model(&arguments([5, 9, 0])).expect("the arguments fit");
    assert!(missed[0].iter().all(|condition| function.inputs.pool.eval(*condition, &model) != 0));
}

#[test]
fn figure_1_has_eight_paths_of_which_three_are_explored() {
    let program = program(&figure_1());
    let image = image(&program);
    let mut function = function(&image);
    let mut paths = BTreeMap::new();
    for strategy in [Strategy::Rsc, Strategy::Dart] {
        let exploration = function.explore(strategy, &[]).expect("the types are bytes");
        assert_eq!(exploration.completeness, Completeness::Proved);
        paths.insert(format!("{strategy:?}"), exploration);
    }
    assert_eq!((paths["Rsc"].partitions.len(), paths["Dart"].partitions.len()), (3, 8));
    let agreement = function.agreement(&paths["Rsc"], &paths["Dart"], &SolverLimits::default());
    assert_eq!((agreement.paths, agreement.undecided), (8, 0));
    assert!(agreement.disagreements.is_empty(), "{agreement:?}");
}

#[test]
fn a_signature_that_lacks_a_partition_or_has_a_wrong_output_disagrees_with_the_paths() {
    let program = program(&figure_1());
    let image = image(&program);
    let mut function = function(&image);
    let whole = function.explore(Strategy::Rsc, &[]).expect("the types are bytes");
    let paths = function.explore(Strategy::Dart, &[]).expect("the types are bytes");
    let mut lacking = whole.clone();
    lacking.partitions.pop();
    assert!(!function.agreement(&lacking, &paths, &SolverLimits::default()).disagreements.is_empty());
    let mut wrong = whole;
    let other = wrong.partitions[1].ending.clone();
    wrong.partitions[0].ending = other;
    assert!(!function.agreement(&wrong, &paths, &SolverLimits::default()).disagreements.is_empty());
}

#[test]
fn a_list_that_grows_in_arms_matters_to_what_is_read_of_it_alone() {
    let grows_if = |var| {
        let cond = Cond(BinOp::Eq, Expr::Var(var), Expr::Const(1));
        Stmt::If(cond, vec![Stmt::Push(Expr::Const(7))], Vec::new())
    };
    let conditions = |result| {
        let program = program(&(vec![Stmt::NewList, grows_if(0), grows_if(1)], result));
        let image = image(&program);
        partition(&mut function(&image), [1, 1, 0], Strategy::Rsc).conditions.len()
    };
    assert_eq!(conditions(Expr::Const(3)), 0);
    assert_eq!(conditions(Expr::Length), 2);
}
