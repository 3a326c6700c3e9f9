//! Graphs written by hand, with the answers worked out by hand.

use super::{ControlFlow, PostDominator};
use crate::idx::Idx;
use crate::ir::*;
use End::*;

/// How a block ends, with block numbers for targets.
enum End {
    Return,
    Goto(usize),
    Switch(&'static [usize]),
    Unreachable,
    Assert(usize),
    /// A call that may panic.
    RiskyCall(usize),
    SafeCall(usize),
    DivergingCall,
    /// A `Resume` in a cleanup block.
    Cleanup,
}

fn block(index: usize) -> BlockId {
    BlockId::from_usize(index)
}

fn terminator(end: &End) -> TerminatorKind {
    let call = |target: Option<usize>| TerminatorKind::Call {
        callee: Callee::Fn(FnRef::Free { path: Path::new("t::g"), args: Vec::new() }),
        args: Vec::new(),
        destination: LocalId::return_place().into(),
        target: target.map(block),
        unwind: None,
    };
    match end {
        Return => TerminatorKind::Return,
        Goto(target) => TerminatorKind::Goto(block(*target)),
        Switch(targets) => TerminatorKind::SwitchInt {
            discr: Operand::Copy(LocalId::from_usize(1).into()),
            targets: targets.iter().enumerate().map(|(value, to)| (value as u128, block(*to))).collect(),
            otherwise: None,
        },
        Unreachable => TerminatorKind::Unreachable,
        Assert(target) => TerminatorKind::Assert {
            condition: Operand::Copy(LocalId::from_usize(1).into()),
            expected: true,
            check: Check::Other("check".to_string()),
            target: block(*target),
            unwind: None,
        },
        RiskyCall(target) | SafeCall(target) => call(Some(*target)),
        DivergingCall => call(None),
        Cleanup => TerminatorKind::Resume,
    }
}

fn flow(ends: &[End]) -> ControlFlow {
    let blocks = ends
        .iter()
        .map(|end| Block {
            statements: Vec::new(),
            terminator: Terminator { kind: terminator(end), span: None },
            role: match end {
                Cleanup => BlockRole::Cleanup,
                _ => BlockRole::Normal,
            },
        })
        .collect();
    let local = Local { ty: Ty::int(IntTy::I32), name: None, span: None };
    let body = Body { locals: vec![local.clone(), local].into(), arg_count: 1, blocks };
    ControlFlow::new(&body, &|id| matches!(ends[id.index()], RiskyCall(_)))
}

/// `expected[i]` is the post-dominator of block `i`, the exit where it is none.
fn check_post_dominators(ends: &[End], expected: &[Option<usize>]) {
    let flow = flow(ends);
    let found: Vec<Option<usize>> = (0..ends.len())
        .map(|index| match flow.immediate_post_dominator(block(index)) {
            PostDominator::Block(id) => Some(id.index()),
            PostDominator::Exit => None,
        })
        .collect();
    assert_eq!(found, expected);
}

fn numbers(blocks: &[BlockId]) -> Vec<usize> {
    blocks.iter().map(|id| id.index()).collect()
}

#[test]
fn diamond_joins_below_its_arms() {
    check_post_dominators(&[Switch(&[1, 2]), Goto(3), Goto(3), Return], &[Some(3), Some(3), Some(3), None]);
}

#[test]
fn arms_that_return_apart_join_at_the_exit() {
    check_post_dominators(&[Switch(&[1, 2]), Return, Return], &[None, None, None]);
}

#[test]
fn early_return_in_one_arm() {
    // 0 -> 1 | 2; 1 returns; 2 -> 3 | 4; both join at 5.
    check_post_dominators(
        &[Switch(&[1, 2]), Return, Switch(&[3, 4]), Goto(5), Goto(5), Return],
        &[None, None, Some(5), Some(5), Some(5), None],
    );
}

#[test]
fn unreachable_arm_is_no_way_out() {
    check_post_dominators(
        &[Switch(&[1, 2, 3]), Goto(4), Goto(4), Unreachable, Return],
        &[Some(4), Some(4), Some(4), None, None],
    );
}

#[test]
fn block_that_only_leads_to_unreachable_is_dead_too() {
    let ends = [Switch(&[1, 2]), Return, Goto(3), Unreachable];
    check_post_dominators(&ends, &[Some(1), None, None, None]);
    assert_eq!(numbers(flow(&ends).successors(block(0))), [1]);
    assert_eq!(numbers(flow(&ends).reverse_post_order()), [0, 1]);
}

#[test]
fn assert_has_an_edge_to_the_exit() {
    // The check in one arm keeps the branch open; a branch without checks closes.
    check_post_dominators(&[Switch(&[1, 2]), Assert(3), Goto(3), Return], &[None, None, Some(3), None]);
}

#[test]
fn only_calls_that_may_panic_have_an_edge_to_the_exit() {
    check_post_dominators(
        &[Switch(&[1, 2]), SafeCall(3), Goto(3), RiskyCall(4), Return],
        &[Some(3), Some(3), Some(3), None, None],
    );
    check_post_dominators(&[Switch(&[1, 2]), RiskyCall(3), Goto(3), Return], &[None, None, Some(3), None]);
}

#[test]
fn diverging_call_is_an_exit() {
    check_post_dominators(&[Switch(&[1, 2]), DivergingCall, Return], &[None, None, None]);
}

/// `while c { if d { } }`: 0 head, 1 body branch, 2 and 3 its arms, 4 latch, 5 after.
const WHILE_IF: [End; 6] = [Switch(&[1, 5]), Switch(&[2, 3]), Goto(4), Goto(4), Goto(0), Return];

#[test]
fn loop_with_a_branch_in_it() {
    check_post_dominators(&WHILE_IF, &[Some(5), Some(4), Some(4), Some(4), Some(0), None]);
    let flow = flow(&WHILE_IF);
    let in_cycle: Vec<bool> = (0..6).map(|index| flow.in_cycle(block(index))).collect();
    assert_eq!(in_cycle, [true, true, true, true, true, false]);
    assert!(flow.leaves_cycle(block(0), block(5)));
    assert!(!flow.leaves_cycle(block(0), block(1)));
    assert!(!flow.leaves_cycle(block(5), block(0)));
}

#[test]
fn regions_stop_at_the_post_dominator() {
    let flow = flow(&WHILE_IF);
    assert_eq!(numbers(flow.region(block(1), block(2))), [2]);
    assert_eq!(numbers(flow.region(block(1), block(3))), [3]);
    assert_eq!(numbers(flow.region(block(0), block(1))), [0, 1, 2, 3, 4], "the loop leads back to its head");
    assert_eq!(numbers(flow.region(block(0), block(5))), [] as [usize; 0]);
    assert_eq!(numbers(flow.region(block(1), block(5))), [] as [usize; 0], "not a successor");
}

#[test]
fn region_of_an_early_return_reaches_the_exit() {
    let flow = flow(&[Switch(&[1, 2]), Return, Goto(3), Return]);
    assert_eq!(numbers(flow.region(block(0), block(1))), [1]);
    assert_eq!(numbers(flow.region(block(0), block(2))), [2, 3]);
}

#[test]
fn inner_loop_is_left_before_the_outer() {
    // 0 outer head -> 1 | 5; 1 inner head -> 2 | 3; 2 -> 1; 3 -> 0; 5 returns; 4 is not reached.
    let flow = flow(&[Switch(&[1, 5]), Switch(&[2, 3]), Goto(1), Goto(0), Return, Return]);
    assert!(flow.leaves_cycle(block(1), block(3)), "leaves the inner loop");
    assert!(!flow.leaves_cycle(block(3), block(0)));
    assert!(!flow.leaves_cycle(block(0), block(1)), "enters the inner loop");
    assert!(flow.leaves_cycle(block(0), block(5)));
    assert!(flow.leaves_cycle(block(2), block(5)));
    assert!(!flow.in_cycle(block(4)));
}

#[test]
fn break_out_of_two_loops() {
    // 0 -> 1; 1 -> 2 | 0; 2 -> 1 | 3; 3 returns. The only way out is from the inner loop.
    let ends = [Goto(1), Switch(&[2, 0]), Switch(&[1, 3]), Return];
    check_post_dominators(&ends, &[Some(1), Some(2), Some(3), None]);
    assert!(flow(&ends).leaves_cycle(block(2), block(3)));
    assert!(flow(&ends).leaves_cycle(block(1), block(0)));
}

#[test]
fn endless_loop_ends_at_its_header() {
    // One arm spins between 1 and 2, the other returns.
    let ends = [Switch(&[1, 3]), Goto(2), Goto(1), Return];
    check_post_dominators(&ends, &[None, None, Some(1), None]);
    assert_eq!(numbers(flow(&ends).region(block(0), block(1))), [1, 2]);
    check_post_dominators(&[Goto(0)], &[None]);
}

#[test]
fn branch_within_an_endless_loop_still_joins() {
    // 0 head -> 1; 1 -> 2 | 3; both -> 4; 4 -> 0.
    check_post_dominators(
        &[Goto(1), Switch(&[2, 3]), Goto(4), Goto(4), Goto(0)],
        &[None, Some(4), Some(4), Some(4), Some(0)],
    );
}

#[test]
fn loop_whose_only_way_out_is_unreachable_is_endless() {
    check_post_dominators(
        &[Switch(&[1, 4]), Switch(&[2, 3]), Goto(1), Unreachable, Return],
        &[None, None, Some(1), None, None],
    );
}

#[test]
fn loop_with_a_panicking_call_is_not_endless() {
    check_post_dominators(&[Goto(1), RiskyCall(2), Goto(1)], &[Some(1), None, Some(1)]);
}

#[test]
fn cleanup_blocks_are_left_out() {
    let flow = flow(&[Goto(1), Return, Cleanup]);
    assert_eq!(numbers(flow.reverse_post_order()), [0, 1]);
    assert_eq!(flow.immediate_post_dominator(block(2)), PostDominator::Exit);
    assert!(!flow.in_cycle(block(2)));
}

#[test]
fn dominators_of_a_diamond() {
    let flow = flow(&[Switch(&[1, 2]), Goto(3), Goto(3), Return, Goto(3)]);
    assert_eq!(flow.immediate_dominator(block(3)), Some(block(0)));
    assert_eq!(flow.immediate_dominator(block(1)), Some(block(0)));
    assert_eq!(flow.immediate_dominator(block(0)), None);
    assert!(flow.dominates(block(0), block(3)));
    assert!(flow.dominates(block(3), block(3)));
    assert!(!flow.dominates(block(1), block(3)));
    assert_eq!(numbers(flow.predecessors(block(3))), [1, 2, 4]);
    assert!(flow.reaches(block(0), block(3)) && flow.reaches(block(1), block(1)));
    assert!(!flow.reaches(block(1), block(2)));
}

#[test]
fn order_puts_joins_after_all_arms() {
    assert_eq!(
        numbers(flow(&[Switch(&[2, 1]), Goto(3), Goto(3), Return]).reverse_post_order()),
        [0, 2, 1, 3]
    );
}

#[test]
fn duplicate_targets_are_one_edge() {
    let flow = flow(&[Switch(&[1, 1]), Return]);
    assert_eq!(numbers(flow.successors(block(0))), [1]);
    assert_eq!(flow.immediate_post_dominator(block(0)), PostDominator::Block(block(1)));
}

#[test]
fn target_out_of_range_is_a_way_out() {
    let flow = flow(&[Switch(&[1, 9]), Return]);
    assert_eq!(numbers(flow.successors(block(0))), [1]);
    assert_eq!(flow.immediate_post_dominator(block(0)), PostDominator::Exit);
}

#[test]
fn long_bodies_need_no_deep_stack() {
    let len = 100_000;
    let ends: Vec<End> =
        (0..len).map(|index| if index + 1 < len { Goto(index + 1) } else { Return }).collect();
    let flow = flow(&ends);
    assert_eq!(flow.immediate_post_dominator(block(0)), PostDominator::Block(block(1)));
    assert_eq!(flow.reverse_post_order().len(), len);
}
