//! Which statements of two bodies differ.
//!
//! Idea: both bodies are laid out in canonical order as sequences of statements and terminators in which a local is
//! known by its role only (return place, argument, a name that both bodies use, else its type) and a target not at all.
//! The longest common subsequence matches them. Then the matches are held against each other: each local has the
//! counterpart that most matches agree on, and a match that wants another one is none; neither is a terminator whose
//! targets go on with statements that are matched elsewhere.
//!
//! The answer guides search and ranks lines; no proof rests on it. It may call a statement changed that is not (moved
//! code is), and two bodies with equal canonical forms have an empty diff.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::idx::Idx;
use crate::ir::canonical::{CanonicalBody, Layout, Numbering, Renames, Rewriter, Scope, Speller};
use crate::ir::{BlockId, Body, FileId, LocalId, Name, Position, Span, StatementKind, TerminatorKind, Ty};

/// What two bodies do not have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementDiff {
    pub old_changed: BTreeSet<Position>,
    pub new_changed: BTreeSet<Position>,
    /// Lines on which changed statements begin.
    pub old_lines: BTreeSet<(FileId, u32)>,
    pub new_lines: BTreeSet<(FileId, u32)>,
    /// The counterparts of the other statements, by position in the old body.
    pub matched: BTreeMap<Position, Position>,
}

/// Compares two bodies, each with the scope that its names are to be read in.
pub fn diff(old: (&Body, &Scope), new: (&Body, &Scope), renames: &Renames) -> StatementDiff {
    let roles = Roles::new(old.0, new.0);
    let no_renames = Renames::default();
    let mut keys = Keys::default();
    let old_items = items(old.0, old.1, renames, &roles.old, &mut keys);
    let new_items = items(new.0, new.1, &no_renames, &roles.new, &mut keys);
    let mut matches = common(&old_items.sequence, &new_items.sequence);

    let old_form = CanonicalBody::new(old.0, old.1, renames);
    if old_form.is_same(&CanonicalBody::new(new.0, new.1, &no_renames)) {
        // Equal forms have equal layouts, whatever their locals are called.
        matches = Matches::new((0..old_items.sequence.len()).map(|index| (index, index)).collect());
    } else {
        let inconsistent: Vec<usize> = matches
            .to_new
            .iter()
            .filter(|(a, b)| !old_items.targets_agree(**a, &new_items, **b, &matches))
            .map(|(a, _)| *a)
            .chain(with_other_locals(&old_items, &new_items, &matches))
            .collect();
        for index in inconsistent {
            if let Some(other) = matches.to_new.remove(&index) {
                matches.to_old.remove(&other);
            }
        }
    }

    let mut diff = StatementDiff::default();
    for (a, b) in &matches.to_new {
        diff.matched.insert(old_items.sequence[*a].position, new_items.sequence[*b].position);
    }
    (diff.old_changed, diff.old_lines) = unmatched(&old_items, &matches.to_new);
    (diff.new_changed, diff.new_lines) = unmatched(&new_items, &matches.to_old);
    diff
}

fn unmatched(
    items: &Items,
    matches: &BTreeMap<usize, usize>,
) -> (BTreeSet<Position>, BTreeSet<(FileId, u32)>) {
    let rest =
        || (0..).zip(&items.sequence).filter(|(index, _)| !matches.contains_key(index)).map(|(_, item)| item);
    let lines = rest().filter_map(|item| item.span).map(|span| (span.file, span.line_start));
    (rest().map(|item| item.position).collect(), lines.collect())
}

/// What a statement or terminator looks like once locals are known by role and targets not at all.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Statement(StatementKind),
    Terminator(TerminatorKind),
}

/// Numbers for shapes, the same for both bodies.
#[derive(Default)]
struct Keys {
    numbers: HashMap<Shape, usize>,
}

impl Keys {
    fn number(&mut self, shape: Shape) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(shape).or_insert(next)
    }
}

struct Item {
    key: usize,
    position: Position,
    span: Option<Span>,
    /// In the order in which they occur; the same number in items with equal keys, as are the targets.
    locals: Vec<LocalId>,
    targets: Vec<BlockId>,
}

struct Items {
    sequence: Vec<Item>,
    /// For each block, the items of the straight line of code that begins with it.
    lines: HashMap<BlockId, std::ops::Range<usize>>,
}

/// Remembers what it was asked about.
struct Recorder<'a> {
    roles: &'a HashMap<LocalId, LocalId>,
    locals: Vec<LocalId>,
    targets: Vec<BlockId>,
}

impl Numbering for Recorder<'_> {
    fn local(&mut self, local: LocalId) -> LocalId {
        self.locals.push(local);
        self.roles.get(&local).copied().unwrap_or(local)
    }

    fn block(&mut self, target: BlockId) -> BlockId {
        self.targets.push(target);
        BlockId::entry()
    }
}

fn items(
    body: &Body,
    scope: &Scope,
    renames: &Renames,
    roles: &HashMap<LocalId, LocalId>,
    keys: &mut Keys,
) -> Items {
    let layout = Layout::new(body);
    let recorder = Recorder { roles, locals: Vec::new(), targets: Vec::new() };
    let mut rewriter = Rewriter { speller: Speller::new(scope, renames), numbering: recorder };
    let mut sequence = Vec::new();
    let mut lines = HashMap::new();
    for chain in &layout.chains {
        let mut starts = Vec::new();
        for (place, id) in chain.iter().enumerate() {
            starts.push((*id, sequence.len()));
            let block = &body.blocks[*id];
            for (index, statement) in block.statements.iter().enumerate() {
                if let Some(kind) = rewriter.statement(&statement.kind) {
                    let key = keys.number(Shape::Statement(kind));
                    sequence.push(rewriter.numbering.item(key, (*id, index), statement.span));
                }
            }
            // A jump to the next block of the chain is no more than a line break.
            if place + 1 == chain.len() {
                let kind = rewriter.terminator(&block.terminator.kind);
                let key = keys.number(Shape::Terminator(kind));
                let position = (*id, block.statements.len());
                sequence.push(rewriter.numbering.item(key, position, block.terminator.span));
            }
        }
        lines.extend(starts.into_iter().map(|(id, start)| (id, start..sequence.len())));
    }
    // Jumping to an empty block is jumping to where it leads.
    let entered = body.blocks.ids().filter_map(|id| Some((id, lines.get(&layout.enter(id)?)?.clone())));
    let lines = entered.collect();
    Items { sequence, lines }
}

impl Recorder<'_> {
    /// Makes an item of what was asked about since the last one.
    fn item(&mut self, key: usize, position: Position, span: Option<Span>) -> Item {
        let (locals, targets) = (std::mem::take(&mut self.locals), std::mem::take(&mut self.targets));
        Item { key, position, span, locals, targets }
    }
}

impl Items {
    /// Whether the targets of two matched terminators go on alike: the first matched item behind the one is matched with
    /// the first matched item behind the other, so far as there are any before the next branch.
    fn targets_agree(&self, own: usize, other: &Items, others: usize, matches: &Matches) -> bool {
        let (own, others) = (&self.sequence[own], &other.sequence[others]);
        own.targets.iter().zip(&others.targets).all(|(a, b)| {
            let first_old =
                self.lines.get(a).and_then(|line| line.clone().find(|at| matches.to_new.contains_key(at)));
            let first_new =
                other.lines.get(b).and_then(|line| line.clone().find(|at| matches.to_old.contains_key(at)));
            match (first_old, first_new) {
                (Some(a), Some(b)) => matches.to_new.get(&a) == Some(&b),
                _ => true,
            }
        })
    }
}

/// Pairs of indices into the two sequences.
struct Matches {
    to_new: BTreeMap<usize, usize>,
    to_old: BTreeMap<usize, usize>,
}

impl Matches {
    fn new(to_new: BTreeMap<usize, usize>) -> Matches {
        let to_old = to_new.iter().map(|(a, b)| (*b, *a)).collect();
        Matches { to_new, to_old }
    }
}

/// The pairs that form a longest common subsequence.
fn common(old: &[Item], new: &[Item]) -> Matches {
    let keys = |items: &[Item]| items.iter().map(|item| item.key).collect::<Vec<_>>();
    let mut to_new = BTreeMap::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(old), &keys(new)) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            to_new.extend((0..len).map(|offset| (old_index + offset, new_index + offset)));
        }
    }
    Matches::new(to_new)
}

/// The matches (by position in the old sequence) that take a local for another one than most others do.
fn with_other_locals(old: &Items, new: &Items, matches: &Matches) -> Vec<usize> {
    let locals = |a: usize, b: usize| {
        old.sequence[a].locals.iter().copied().zip(new.sequence[b].locals.iter().copied())
    };
    let mut votes: BTreeMap<(LocalId, LocalId), usize> = BTreeMap::new();
    for (a, b) in &matches.to_new {
        for pair in locals(*a, *b) {
            *votes.entry(pair).or_default() += 1;
        }
    }
    let mut ranked: Vec<((LocalId, LocalId), usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|(pair, votes)| (std::cmp::Reverse(*votes), *pair));
    let (mut of_old, mut of_new) = (BTreeMap::new(), BTreeMap::new());
    for ((a, b), _) in ranked {
        if !of_old.contains_key(&a) && !of_new.contains_key(&b) {
            of_old.insert(a, b);
            of_new.insert(b, a);
        }
    }
    let agrees = |(a, b): (LocalId, LocalId)| of_old.get(&a) == Some(&b);
    matches.to_new.iter().filter(|(a, b)| !locals(**a, **b).all(agrees)).map(|(a, _)| *a).collect()
}

/// What a local is known by.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Role {
    Return,
    Argument(usize),
    Named(Name, Ty),
    Temporary(Ty),
}

/// For each local of each body the number of its role.
struct Roles {
    old: HashMap<LocalId, LocalId>,
    new: HashMap<LocalId, LocalId>,
}

impl Roles {
    fn new(old: &Body, new: &Body) -> Roles {
        let names = |body: &Body| -> BTreeSet<Name> {
            body.locals.iter().filter_map(|local| local.name.clone()).collect()
        };
        let shared: BTreeSet<Name> = names(old).intersection(&names(new)).cloned().collect();
        let mut numbers: HashMap<Role, LocalId> = HashMap::new();
        let mut number = |body: &Body| {
            let mut roles = HashMap::new();
            for (id, local) in body.locals.iter_enumerated() {
                let role = match (id.index(), &local.name) {
                    (0, _) => Role::Return,
                    (index, _) if index <= body.arg_count => Role::Argument(index),
                    (_, Some(name)) if shared.contains(name) => Role::Named(name.clone(), local.ty.clone()),
                    _ => Role::Temporary(local.ty.clone()),
                };
                let next = LocalId::from_usize(numbers.len());
                roles.insert(id, *numbers.entry(role).or_insert(next));
            }
            roles
        };
        Roles { old: number(old), new: number(new) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::*;

    /// A straight line of `local = local - constant` on lines 1, 2, …, then a return.
    struct Line(&'static [(usize, usize, i128)]);

    const NAMES: [Option<&str>; 5] = [None, Some("x"), Some("a"), Some("b"), None];

    fn statement(line: u32, to: usize, from: usize, minus: i128) -> Statement {
        let local = LocalId::from_usize;
        let minus = Operand::Const(Const::int(minus, IntTy::I32));
        let value = Rvalue::Binary(BinOp::Sub, Operand::Copy(local(from).into()), minus);
        Statement { kind: StatementKind::Assign(local(to).into(), value), span: Some(span(line)) }
    }

    fn span(line: u32) -> Span {
        Span { file: FileId::from_usize(0), line_start: line, col_start: 1, line_end: line, col_end: 2 }
    }

    fn block(statements: Vec<Statement>, kind: TerminatorKind) -> Block {
        Block { statements, terminator: Terminator { kind, span: Some(span(99)) }, role: BlockRole::Normal }
    }

    fn body(blocks: Vec<Block>) -> Body {
        let locals = NAMES
            .iter()
            .map(|name| Local { ty: Ty::int(IntTy::I32), name: name.map(Name::new), span: None })
            .collect();
        Body { locals, arg_count: 1, blocks: blocks.into() }
    }

    fn line(Line(assigns): &Line) -> Vec<Statement> {
        (1..).zip(*assigns).map(|(line, (to, from, minus))| statement(line, *to, *from, *minus)).collect()
    }

    fn diff_of(old: &Body, new: &Body) -> StatementDiff {
        let scope = Scope::new(Path::new("k::f"), &[]);
        diff((old, &scope), (new, &scope), &Renames::default())
    }

    fn lines(found: &BTreeSet<(FileId, u32)>) -> Vec<u32> {
        found.iter().map(|(_, line)| *line).collect()
    }

    /// Which lines differ between two straight lines of code.
    fn check(old: Line, new: Line, old_lines: &[u32], new_lines: &[u32]) {
        let make = |code: &Line| body(vec![block(line(code), TerminatorKind::Return)]);
        let found = diff_of(&make(&old), &make(&new));
        assert_eq!(
            (lines(&found.old_lines), lines(&found.new_lines)),
            (old_lines.to_vec(), new_lines.to_vec())
        );
        assert_eq!(found.old_changed.len(), old_lines.len());
        assert_eq!(found.new_changed.len(), new_lines.len());
    }

    #[test]
    fn equal_code_has_no_difference() {
        check(Line(&[(2, 1, 1), (0, 2, 2)]), Line(&[(2, 1, 1), (0, 2, 2)]), &[], &[]);
    }

    #[test]
    fn another_constant_is_one_line() {
        check(Line(&[(2, 1, 1), (3, 2, 2), (0, 3, 3)]), Line(&[(2, 1, 1), (3, 2, 9), (0, 3, 3)]), &[2], &[2]);
    }

    #[test]
    fn insertion_touches_no_neighbour() {
        check(Line(&[(2, 1, 1), (0, 2, 2)]), Line(&[(2, 1, 1), (4, 1, 7), (0, 2, 2)]), &[], &[2]);
    }

    #[test]
    fn use_of_another_variable_is_seen() {
        check(Line(&[(2, 1, 1), (3, 1, 2), (0, 2, 5)]), Line(&[(2, 1, 1), (3, 1, 2), (0, 3, 5)]), &[3], &[3]);
    }

    #[test]
    fn renamed_variables_are_no_difference() {
        let old = body(vec![block(line(&Line(&[(2, 1, 1), (0, 2, 2)])), TerminatorKind::Return)]);
        let mut new = old.clone();
        new.locals[LocalId::from_usize(2)].name = Some(Name::new("b"));
        new.locals[LocalId::from_usize(3)].name = Some(Name::new("a"));
        assert_eq!(diff_of(&old, &new).old_changed, BTreeSet::new());
    }

    /// A branch on the argument to two blocks that each set the result.
    fn branch(first: usize, second: usize, third: i128) -> Body {
        let id = BlockId::from_usize;
        let switch = TerminatorKind::SwitchInt {
            discr: Operand::Copy(LocalId::from_usize(1).into()),
            targets: vec![(0, id(first))],
            otherwise: Some(id(second)),
        };
        body(vec![
            block(vec![statement(1, 2, 1, third)], switch),
            block(vec![statement(2, 0, 2, 10)], TerminatorKind::Return),
            block(vec![statement(3, 0, 2, 20)], TerminatorKind::Return),
        ])
    }

    #[test]
    fn swapped_arms_are_not_lost() {
        let found = diff_of(&branch(1, 2, 5), &branch(2, 1, 5));
        assert!(!found.old_changed.is_empty() && !found.new_changed.is_empty());
    }

    #[test]
    fn change_before_a_branch_leaves_the_arms_alone() {
        let found = diff_of(&branch(1, 2, 5), &branch(1, 2, 6));
        assert_eq!(found.old_changed, BTreeSet::from([(BlockId::entry(), 0)]));
        assert_eq!(found.new_changed, BTreeSet::from([(BlockId::entry(), 0)]));
        assert_eq!(lines(&found.new_lines), [1]);
        let arms = [(BlockId::from_usize(1), 0), (BlockId::from_usize(2), 1)];
        assert!(arms.iter().all(|at| found.matched[at] == *at));
    }
}
