//! Upward-exposed uses: the locals whose values from before an arm the arm may use.
//!
//! *Idea.* A compiler's temporary that holds a reference is assigned in the arm that uses it. If the arm was taken before, the
//! temporary still holds the reference of then; what the arm would do with it now, it would not do with that one.
//!
//! *Definition.* A local is exposed at a block of the arm if a path within the arm leads from the beginning of that block
//! to a use of the local without an assignment to the whole of it in between. A local of which a reference is taken
//! anywhere in the body is always exposed, for the reference may be used in its place; and with an exposed alias
//! ([`Aliases`]) that which the place behind it begins with, for what is written there is told of that place.
//!
//! *Source.* Liveness as in A. Aho, M. Lam, R. Sethi, J. Ullman: Compilers, section 9.2.5, within one region.

use rustc_hash::{FxHashMap, FxHashSet};

use super::writes::Aliases;
use crate::cfg::ControlFlow;
use crate::ir::{Block, BlockId, Body, LocalId, Place, Projection, Rvalue, StatementKind, TerminatorKind};

/// The locals that are exposed at the beginning of `entry`, one of the `blocks` of an arm.
#[derive(Debug)]
pub struct Exposed {
    at_entry: FxHashSet<LocalId>,
}

impl Exposed {
    pub fn of(
        body: &Body,
        flow: &ControlFlow,
        aliases: &Aliases,
        blocks: &[BlockId],
        entry: BlockId,
    ) -> Exposed {
        let mut exposed: FxHashMap<BlockId, FxHashSet<LocalId>> = FxHashMap::default();
        loop {
            let mut grown = false;
            // Backward, so that most arms are done in one round.
            for id in blocks.iter().rev() {
                let mut here = FxHashSet::default();
                for next in flow.successors(*id) {
                    here.extend(exposed.get(next).into_iter().flatten().copied());
                }
                before(&body.blocks[*id], &mut here);
                let known = exposed.entry(*id).or_default();
                grown |= here.len() > known.len();
                *known = here;
            }
            if !grown {
                break;
            }
        }
        let mut at_entry = exposed.remove(&entry).unwrap_or_default();
        let stand_for: Vec<LocalId> = at_entry.iter().flat_map(|local| aliases.on_the_way(*local)).collect();
        at_entry.extend(stand_for);
        at_entry.extend(borrowed(body));
        Exposed { at_entry }
    }

    pub fn contains(&self, local: LocalId) -> bool {
        self.at_entry.contains(&local)
    }
}

/// From what is exposed at the end of a block to what is exposed at its beginning.
fn before(block: &Block, exposed: &mut FxHashSet<LocalId>) {
    let terminator = &block.terminator.kind;
    if let TerminatorKind::Call { destination, .. } = terminator {
        assigned(destination, exposed);
    }
    used(terminator.places(), exposed);
    if matches!(terminator, TerminatorKind::Return) {
        exposed.insert(LocalId::return_place());
    }
    for statement in block.statements.iter().rev() {
        match &statement.kind {
            StatementKind::Assign(to, rvalue) => {
                assigned(to, exposed);
                used(rvalue.places(), exposed);
            }
            StatementKind::SetDiscriminant(place, _) => used(vec![place], exposed),
            StatementKind::Nop => {}
        }
    }
}

fn assigned(place: &Place, exposed: &mut FxHashSet<LocalId>) {
    if place.projection.is_empty() {
        exposed.remove(&place.local);
    } else {
        // The rest of the local stays, and a pointer on the way is followed.
        exposed.extend(place.locals());
    }
}

fn used(places: Vec<&Place>, exposed: &mut FxHashSet<LocalId>) {
    exposed.extend(places.into_iter().flat_map(Place::locals));
}

/// Locals to which references are made.
fn borrowed(body: &Body) -> impl Iterator<Item = LocalId> + '_ {
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Ref(_, of) | Rvalue::RawPtr(_, of))
            if !of.projection.contains(&Projection::Deref) =>
        {
            Some(of.local)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::{Idx, IdxVec};
    use crate::ir::{
        BlockRole, Const, IntTy, Local, Mutability, Operand, Program, Statement, Terminator, Ty,
    };

    fn local(index: usize) -> LocalId {
        LocalId::from_usize(index)
    }

    fn assign(to: impl Into<Place>, rvalue: Rvalue) -> Statement {
        Statement { kind: StatementKind::Assign(to.into(), rvalue), span: None }
    }

    fn behind(index: usize) -> Place {
        Place { local: local(index), projection: vec![Projection::Deref] }
    }

    fn one() -> Rvalue {
        Rvalue::Use(Operand::Const(Const::int(1, IntTy::U8)))
    }

    /// Blocks that end in the jump or `if _1` to the given blocks, or return.
    fn check(blocks: Vec<(Vec<Statement>, Vec<usize>)>, expected: &[usize]) {
        let blocks = blocks.into_iter().map(|(statements, next)| {
            let block = |at: usize| BlockId::from_usize(at);
            let kind = match next[..] {
                [] => TerminatorKind::Return,
                [one] => TerminatorKind::Goto(block(one)),
                [one, other, ..] => TerminatorKind::SwitchInt {
                    discr: Operand::Copy(local(1).into()),
                    targets: vec![(0, block(one))],
                    otherwise: Some(block(other)),
                },
            };
            Block { statements, terminator: Terminator { kind, span: None }, role: BlockRole::Normal }
        });
        let locals = (0..5).map(|_| Local { ty: Ty::int(IntTy::U8), name: None, span: None }).collect();
        let body = Body { locals, arg_count: 1, blocks: blocks.collect::<IdxVec<_, _>>() };
        let flow = ControlFlow::new(&body, &|_| false);
        let all: Vec<BlockId> = body.blocks.ids().collect();
        let aliases = Aliases::of(&Program::default(), &body);
        let exposed = Exposed::of(&body, &flow, &aliases, &all, BlockId::entry());
        let found: Vec<usize> = (0..5).filter(|index| exposed.contains(local(*index))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_assigned_first_is_not_exposed() {
        check(vec![(vec![assign(local(2), one()), assign(behind(2), one())], vec![])], &[0]);
        check(vec![(vec![assign(behind(2), one()), assign(local(2), one())], vec![])], &[0, 2]);
    }

    #[test]
    fn what_is_assigned_on_one_way_only_is_exposed() {
        let first = || (vec![], vec![1, 2]);
        let assigns = || (vec![assign(local(2), one())], vec![3]);
        let last = || (vec![assign(behind(2), one())], vec![]);
        check(vec![first(), assigns(), (vec![], vec![3]), last()], &[0, 1, 2]);
        check(vec![first(), assigns(), assigns(), last()], &[0, 1]);
    }

    #[test]
    fn what_a_later_round_uses_before_it_assigns_is_exposed() {
        let head = (vec![], vec![1, 2]);
        let body = (vec![assign(behind(2), one()), assign(local(2), one())], vec![0]);
        check(vec![head, body, (vec![], vec![])], &[0, 1, 2]);
    }

    #[test]
    fn what_a_reference_was_taken_of_is_exposed() {
        let reference = Rvalue::Ref(Mutability::Mut, local(2).into());
        check(vec![(vec![assign(local(2), one()), assign(local(3), reference)], vec![])], &[0, 2]);
    }
}
