//! Locals that are still read: what the others hold need not be known where paths meet.
//!
//! *Definition.* A local is live at the beginning of a block if some path from there reads it, or writes a part of it, before it is written as a whole.
//!
//! *Source.* Live variables, the classical backward data flow (A. Aho, M. Lam, R. Sethi, J. Ullman, *Compilers*, 9.2.5).

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use crate::idx::Idx;
use crate::ir::*;

/// The live locals at the beginning of each of these blocks.
pub fn live_at(body: &Body, blocks: impl Iterator<Item = BlockId>) -> HashMap<BlockId, FixedBitSet> {
    let mut live: Vec<FixedBitSet> = vec![FixedBitSet::with_capacity(body.locals.len()); body.blocks.len()];
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (id, block) in body.blocks.iter_enumerated().collect::<Vec<_>>().into_iter().rev() {
            let found = before(block, &live);
            is_changed |= found != live[id.index()];
            live[id.index()] = found;
        }
    }
    blocks.map(|block| (block, live[block.index()].clone())).collect()
}

fn before(block: &Block, live: &[FixedBitSet]) -> FixedBitSet {
    let kind = &block.terminator.kind;
    let mut found = FixedBitSet::with_capacity(live.first().map_or(0, FixedBitSet::len));
    for next in kind.successors() {
        found.union_with(&live[next.index()]);
    }
    if let TerminatorKind::Call { destination, .. } = kind {
        write(&mut found, destination);
    }
    // A call that unwinds has not written its destination.
    if let Some(next) = kind.unwind() {
        found.union_with(&live[next.index()]);
    }
    if matches!(kind, TerminatorKind::Return) {
        found.insert(LocalId::return_place().index());
    }
    kind.places().into_iter().for_each(|place| read(&mut found, place));
    for statement in block.statements.iter().rev() {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                write(&mut found, place);
                value.places().into_iter().for_each(|place| read(&mut found, place));
            }
            StatementKind::SetDiscriminant(place, _) => read(&mut found, place),
            StatementKind::Nop => {}
        }
    }
    found
}

fn read(live: &mut FixedBitSet, place: &Place) {
    place.locals().for_each(|local| live.insert(local.index()));
}

fn write(live: &mut FixedBitSet, place: &Place) {
    match place.projection.is_empty() {
        true => live.set(place.local.index(), false),
        false => read(live, place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    #[track_caller]
    fn check(text: &str, block: usize, expected: &[usize]) {
        let program = parse::program(text).unwrap_or_else(|error| panic!("{error}"));
        let FnBody::Present(body) = &program.functions[FnId::from_usize(0)].body else { panic!("no body") };
        let block = BlockId::from_usize(block);
        let live = live_at(body, std::iter::once(block));
        assert_eq!(live[&block].ones().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_read_in_a_later_turn_is_live_at_the_head() {
        let text = "fn k::f(_1: u32) -> u32 {
            let _2: u32;
            let _3: u32;
            let _4: bool;
            let _5: u32;
            bb0: { _2 = const 0_u32; _3 = const 0_u32; _5 = copy _1; goto -> bb1; }
            bb1: { _4 = Lt(copy _2, copy _1); switchInt(move _4) -> [0: bb3, otherwise: bb2]; }
            bb2: { _5 = copy _2; _3 = Add(copy _3, copy _5); _2 = Add(copy _2, const 1_u32); goto -> bb1; }
            bb3: { _0 = copy _3; return; }
        }";
        check(text, 1, &[1, 2, 3]);
        check(text, 3, &[3]);
    }

    #[test]
    fn a_part_that_is_written_keeps_the_rest() {
        let text = "fn k::f(_1: u32) -> (u32, u32) {
            let _2: (u32, u32);
            bb0: { goto -> bb1; }
            bb1: { (_2.0: u32) = copy _1; goto -> bb2; }
            bb2: { _0 = copy _2; return; }
        }";
        check(text, 1, &[1, 2]);
    }

    #[test]
    fn a_call_that_unwinds_has_not_written_its_destination() {
        let text = |read_in_cleanup: &str| {
            format!(
                "fn k::f(_1: u32) -> u32 {{
                    let _2: u32;
                    let _3: u32;
                    bb0: {{ _2 = copy _1; goto -> bb1; }}
                    bb1: {{ _2 = k::g(copy _1) -> [return: bb2, unwind: bb3]; }}
                    bb2: {{ _0 = copy _2; return; }}
                    bb3 (cleanup): {{ {read_in_cleanup} resume; }}
                }}"
            )
        };
        check(&text("_3 = copy _2;"), 1, &[1, 2]);
        check(&text(""), 1, &[1]);
    }
}
