//! Conditional drops: before drop elaboration a drop means "if it has not been moved away".
//!
//! A forward analysis tells for each local whether it may hold a value and whether it may hold none where it is dropped. Where
//! both are possible a flag decides at run time, as the compiler itself does it. A value of which only a part was moved away
//! is dropped in parts by the compiler; such functions are refused here, unless the part was all there is to drop.

use std::collections::{BTreeMap, BTreeSet};

use super::body_schema::{
    AggregateKind, Block, DropKind, ExprBody, Operand, Place, PlaceKind, Projection, Rvalue, StatementKind,
    TerminatorKind, UnOp,
};

/// What a conditional drop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropAction {
    /// There is a value.
    Always,
    /// It has been moved away.
    Never,
    /// A flag tells.
    Flagged,
}

/// What to do about the conditional drops of a body.
#[derive(Debug, Default)]
pub struct DropPlan {
    /// By block.
    pub actions: BTreeMap<usize, DropAction>,
    /// Locals whose flags have to be kept.
    pub flagged: BTreeSet<usize>,
}

/// Which states a local may be in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct May {
    full: bool,
    empty: bool,
    partial: bool,
}

impl May {
    const EMPTY: May = May { full: false, empty: true, partial: false };
    const FULL: May = May { full: true, empty: false, partial: false };
    const PARTIAL: May = May { full: false, empty: false, partial: true };

    fn join(self, other: May) -> May {
        May {
            full: self.full || other.full,
            empty: self.empty || other.empty,
            partial: self.partial || other.partial,
        }
    }
}

/// What an event does to a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Filled,
    Emptied,
    PartlyEmptied,
}

/// How a place is part of its local.
pub enum PartOf {
    Whole(usize),
    Part(usize),
    /// Behind a pointer, or a global.
    Elsewhere,
}

pub fn part_of(place: &Place) -> PartOf {
    match &*place.kind {
        PlaceKind::Local(local) => PartOf::Whole(*local),
        PlaceKind::Projection((_, Projection::Deref | Projection::PtrMetadata)) => PartOf::Elsewhere,
        PlaceKind::Projection((inner, _)) => match part_of(inner) {
            PartOf::Whole(local) | PartOf::Part(local) => PartOf::Part(local),
            PartOf::Elsewhere => PartOf::Elsewhere,
        },
        PlaceKind::Global(_) | PlaceKind::Other(_) => PartOf::Elsewhere,
    }
}

/// What the caller knows of places.
pub trait Places {
    /// Whether dropping a value of the place's type does nothing.
    fn needs_no_drop(&self, place: &Place) -> bool;
    /// Whether the place is all of its local that can be dropped: the only field of a variant or struct, the contents of a box.
    fn is_all_of_it(&self, place: &Place) -> bool;
}

/// Decides about all conditional drops of a body.
pub fn plan(body: &ExprBody, places: &dyn Places) -> Result<DropPlan, String> {
    let mut plan = DropPlan::default();
    let mut tracked = BTreeSet::new();
    for (index, block) in body.body.iter().enumerate() {
        let TerminatorKind::Drop(drop) = &block.terminator.kind else { continue };
        match &drop.kind {
            DropKind::Precise => continue,
            DropKind::Other(kind) => return Err(format!("a drop of the kind `{kind}`")),
            DropKind::Conditional => {}
        }
        if places.needs_no_drop(&drop.place) {
            plan.actions.insert(index, DropAction::Never);
            continue;
        }
        match part_of(&drop.place) {
            PartOf::Whole(local) => {
                tracked.insert(local);
            }
            // What a reference leads to cannot be moved away.
            PartOf::Elsewhere => {
                plan.actions.insert(index, DropAction::Always);
            }
            PartOf::Part(_) => return Err("a conditional drop of a part of a value".into()),
        }
    }
    if tracked.is_empty() {
        return Ok(plan);
    }
    let states = states(body, &tracked, places);
    for (index, block) in body.body.iter().enumerate() {
        let TerminatorKind::Drop(drop) = &block.terminator.kind else { continue };
        let (PartOf::Whole(local), false) = (part_of(&drop.place), plan.actions.contains_key(&index)) else {
            continue;
        };
        if matches!(drop.kind, DropKind::Precise) {
            continue;
        }
        let may = states[index].as_ref().and_then(|state| state.get(&local)).copied();
        let action = match may {
            // Not reached without unwinding, which is not carried out.
            None => DropAction::Always,
            Some(May { partial: true, .. }) => {
                return Err(format!("a drop of _{local}, of which a part may have been moved away"));
            }
            Some(May { full: true, empty: false, .. }) => DropAction::Always,
            Some(May { full: false, .. }) => DropAction::Never,
            Some(May { full: true, empty: true, .. }) => {
                plan.flagged.insert(local);
                DropAction::Flagged
            }
        };
        plan.actions.insert(index, action);
    }
    Ok(plan)
}

type State = BTreeMap<usize, May>;

/// What each tracked local may be at the end of each block that is reached without unwinding, before its terminator's own
/// effect.
fn states(body: &ExprBody, tracked: &BTreeSet<usize>, places: &dyn Places) -> Vec<Option<State>> {
    let blocks = &body.body;
    let mut at_entry: Vec<Option<State>> = vec![None; blocks.len()];
    let mut at_end: Vec<Option<State>> = vec![None; blocks.len()];
    let arguments = 1..=body.locals.arg_count;
    let start = |local: &usize| (*local, if arguments.contains(local) { May::FULL } else { May::EMPTY });
    if let Some(first) = at_entry.first_mut() {
        *first = Some(tracked.iter().map(start).collect());
    }
    let mut work: Vec<usize> = vec![0];
    while let Some(index) = work.pop() {
        let (Some(block), Some(Some(entry))) = (blocks.get(index), at_entry.get(index)) else { continue };
        let mut state = entry.clone();
        events(block, places, &mut |local, event| apply(&mut state, local, event));
        at_end[index] = Some(state.clone());
        terminator_events(block, places, &mut |local, event| apply(&mut state, local, event));
        for successor in successors(&block.terminator.kind) {
            let Some(known) = at_entry.get_mut(successor) else { continue };
            let joined = match known {
                None => state.clone(),
                Some(known) => known.iter().map(|(local, may)| (*local, may.join(state[local]))).collect(),
            };
            if known.as_ref() != Some(&joined) {
                *known = Some(joined);
                work.push(successor);
            }
        }
    }
    at_end
}

fn apply(state: &mut State, local: usize, event: Event) {
    if let Some(may) = state.get_mut(&local) {
        *may = match event {
            Event::Filled => May::FULL,
            Event::Emptied => May::EMPTY,
            Event::PartlyEmptied => May::PARTIAL,
        };
    }
}

/// Blocks that control passes to without unwinding.
pub fn successors(terminator: &TerminatorKind) -> Vec<usize> {
    use super::body_schema::Targets;
    match terminator {
        TerminatorKind::Goto(goto) => vec![goto.target],
        TerminatorKind::Switch(switch) => match &switch.targets {
            Targets::If((yes, no)) => vec![*yes, *no],
            Targets::SwitchInt((_, arms, otherwise)) => {
                arms.iter().map(|(_, block)| *block).chain([*otherwise]).collect()
            }
            Targets::Other(_) => Vec::new(),
        },
        TerminatorKind::Call(call) => vec![call.target],
        TerminatorKind::Drop(drop) => vec![drop.target],
        TerminatorKind::Assert(assert) => vec![assert.target],
        TerminatorKind::InlineAsm(_)
        | TerminatorKind::Abort(_)
        | TerminatorKind::Return
        | TerminatorKind::UnwindResume
        | TerminatorKind::Other(_) => Vec::new(),
    }
}

/// What the statements of a block do to locals, in order.
fn events(block: &Block, places: &dyn Places, on: &mut dyn FnMut(usize, Event)) {
    for statement in &block.statements {
        statement_events(&statement.kind, places, on);
    }
}

/// What one statement does to locals.
pub fn statement_events(statement: &StatementKind, places: &dyn Places, on: &mut dyn FnMut(usize, Event)) {
    if let StatementKind::Assign((place, rvalue)) = statement {
        for operand in operands(rvalue) {
            operand_events(operand, places, on);
        }
        if let PartOf::Whole(local) = part_of(place) {
            on(local, Event::Filled);
        }
    }
}

/// What a terminator does to locals where control goes on without unwinding.
pub fn terminator_events(block: &Block, places: &dyn Places, on: &mut dyn FnMut(usize, Event)) {
    match &block.terminator.kind {
        TerminatorKind::Call(call) => {
            for operand in &call.call.args {
                operand_events(operand, places, on);
            }
            if let PartOf::Whole(local) = part_of(&call.call.dest) {
                on(local, Event::Filled);
            }
        }
        TerminatorKind::Drop(drop) => {
            if let PartOf::Whole(local) = part_of(&drop.place) {
                on(local, Event::Emptied);
            }
        }
        _ => {}
    }
}

fn operand_events(operand: &Operand, places: &dyn Places, on: &mut dyn FnMut(usize, Event)) {
    let Operand::Move(place) = operand else { return };
    match part_of(place) {
        PartOf::Whole(local) => on(local, Event::Emptied),
        PartOf::Part(local) if places.is_all_of_it(place) => on(local, Event::Emptied),
        PartOf::Part(_) if places.needs_no_drop(place) => {}
        PartOf::Part(local) => on(local, Event::PartlyEmptied),
        PartOf::Elsewhere => {
            // Moved out of a box: what is left is the box's memory.
            if let Some(local) = box_around(place)
                && places.is_all_of_it(place)
            {
                on(local, Event::Emptied);
            }
        }
    }
}

/// The local that a dereferenced place lies in, if that is one.
fn box_around(place: &Place) -> Option<usize> {
    match &*place.kind {
        PlaceKind::Projection((inner, Projection::Deref)) => match &*inner.kind {
            PlaceKind::Local(local) => Some(*local),
            _ => None,
        },
        _ => None,
    }
}

/// The operands of an rvalue.
fn operands(rvalue: &Rvalue) -> Vec<&Operand> {
    match rvalue {
        Rvalue::Use(operand) => vec![&operand.0],
        Rvalue::BinaryOp((_, a, b)) => vec![a, b],
        Rvalue::UnaryOp((UnOp::Not | UnOp::Neg(_) | UnOp::Cast(_) | UnOp::Other(_), a)) => vec![a],
        Rvalue::Aggregate((
            AggregateKind::Adt { .. }
            | AggregateKind::Array
            | AggregateKind::RawPtr(..)
            | AggregateKind::Other(_),
            operands,
        )) => operands.iter().collect(),
        Rvalue::Repeat((operand, _, _)) => vec![operand],
        Rvalue::Ref(_)
        | Rvalue::RawPtr(_)
        | Rvalue::NullaryOp(_)
        | Rvalue::Discriminant(_)
        | Rvalue::Len(_)
        | Rvalue::Other(_) => Vec::new(),
    }
}
