//! Overflow checks in code that takes them over from the crate it is compiled into.
//!
//! Functions of the standard library that are marked `#[rustc_inherit_overflow_checks]` (`i32::abs`, `pow`, `Sum`, `Add::add` …) have the
//! checks in their MIR, and the crate that has them compiled leaves them out where it is built without overflow checks. So does it with
//! inlined and generic functions of other crates. That holds for overflow of `+`, `-`, `*`, negation and shifts; divisions and indices are always
//! checked.
//!
//! Limit: if crates of one program are not built alike, it depends on the linker which copy of a generic function is run. There a check
//! that fails stops the run.
//!
//! *Source.* rustc: `AssertKind::is_optional_overflow_check` and its use in `rustc_codegen_ssa::mir::block`.

use super::{BinOp, Block, BlockId, Body, Check, FnBody, Origin, Program, Terminator, TerminatorKind};

/// Whether the crates of a program are built with overflow checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowChecks {
    On,
    Off,
    /// Some are, some are not.
    Mixed,
}

impl OverflowChecks {
    /// What the crates have in common; `On` if there are none.
    pub fn of_all(crates: impl IntoIterator<Item = bool>) -> OverflowChecks {
        let (mut on, mut off) = (false, false);
        for checked in crates {
            on |= checked;
            off |= !checked;
        }
        match (on, off) {
            (true, true) => OverflowChecks::Mixed,
            (false, true) => OverflowChecks::Off,
            (_, false) => OverflowChecks::On,
        }
    }
}

/// Makes the bodies of a program what they are when it is built with these checks. Its models have all of them.
pub fn inherit_overflow_checks(program: &mut Program, checks: OverflowChecks) {
    for function in program.functions.iter_mut() {
        let FnBody::Present(body) = &mut function.body else { continue };
        match (checks, function.origin) {
            (OverflowChecks::On, _) => {}
            (OverflowChecks::Off, Origin::StdModel) => body.change(leave_out),
            // All are built without checks, so there is none in their own code.
            (OverflowChecks::Off, _) => {}
            (OverflowChecks::Mixed, _) => body.change(stop_at_failures),
        }
    }
}

fn is_inherited(check: &Check) -> bool {
    match check {
        Check::Overflow(op, ..) | Check::OverflowShift(op, _) => {
            matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr)
        }
        Check::OverflowNeg(_) => true,
        Check::DivisionByZero(_)
        | Check::RemainderByZero(_)
        | Check::BoundsCheck { .. }
        | Check::Other(_) => false,
    }
}

fn leave_out(body: &mut Body) {
    for block in body.blocks.iter_mut() {
        if let TerminatorKind::Assert { check, target, .. } = &block.terminator.kind
            && is_inherited(check)
        {
            block.terminator.kind = TerminatorKind::Goto(*target);
        }
    }
}

fn stop_at_failures(body: &mut Body) {
    let checked: Vec<BlockId> = body
        .blocks
        .iter_enumerated()
        .filter(|(_, block)| matches!(&block.terminator.kind, TerminatorKind::Assert { check, .. } if is_inherited(check)))
        .map(|(id, _)| id)
        .collect();
    for id in checked {
        let Terminator { kind, span } = body.blocks[id].terminator.clone();
        let role = body.blocks[id].role;
        let TerminatorKind::Assert { condition, expected, target, .. } = kind else { continue };
        let what =
            "an overflow where some crates are built with overflow checks and others without".to_owned();
        let failed = body.blocks.push(Block {
            statements: Vec::new(),
            terminator: Terminator { kind: TerminatorKind::Unsupported(what), span },
            role,
        });
        let kind = TerminatorKind::SwitchInt {
            discr: condition,
            targets: vec![(u128::from(expected), target)],
            otherwise: Some(failed),
        };
        body.blocks[id].terminator.kind = kind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_built_alike_or_not() {
        let check = |crates: &[bool], expected: OverflowChecks| {
            assert_eq!(OverflowChecks::of_all(crates.iter().copied()), expected, "{crates:?}");
        };
        check(&[], OverflowChecks::On);
        check(&[true, true], OverflowChecks::On);
        check(&[false], OverflowChecks::Off);
        check(&[false, true, false], OverflowChecks::Mixed);
    }
}
