//! Reading and writing memory trees, symbolic indices included.
//!
//! A symbolic index over leaves becomes an if-then-else over the whole sequence. Where the elements cannot be
//! merged (different variants, different pointers), the access says so and the machine goes on with the index of
//! this run as one more branch, so nothing is lost but one run per index.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::cells::{self, Cells};
use super::run::{Run, Stop};
use super::slice::SliceId;
use super::tree::{AllocId, Bounds, Pointer, Scalar, SeenAs, Step, Target, Tree, Window};
use crate::idx::IdxVec;
use crate::ir::{BinOp, Mutability};
use crate::verdict::unsupported::{PointerUse, Unsupported};

/// Sequences longer than this are not turned into one if-then-else.
const MAX_MERGED_ELEMENTS: usize = 300;

/// Allocations of one version in one run. They are never freed: a run is short.
#[derive(Debug, Default)]
pub struct Memory {
    pub allocs: IdxVec<AllocId, Tree>,
    /// Whether a cell was ever made.
    pub cells: Cells,
}

/// A place resolved against memory.
#[derive(Clone, Debug)]
pub struct Location {
    pub alloc: AllocId,
    pub path: Vec<Step>,
    pub window: Option<Window>,
    /// Of the pointers and indices that led here.
    pub slice: SliceId,
    /// Which branches decide that it is here: see [`Pointer::chosen`].
    pub chosen: SliceId,
    /// Of the last pointer on the way.
    pub mutability: Mutability,
    pub bounds: Bounds,
    pub seen_as: SeenAs,
}

/// What keeps an access from being one term.
#[derive(Debug)]
pub enum Obstacle {
    /// The index at this step of the path has to be taken as the value of this run.
    Concretize(usize),
    Stop(Stop),
}

impl From<Stop> for Obstacle {
    fn from(stop: Stop) -> Self {
        Obstacle::Stop(stop)
    }
}

impl Location {
    pub fn root(alloc: AllocId) -> Location {
        Location {
            alloc,
            path: Vec::new(),
            window: None,
            slice: SliceId::empty(),
            chosen: SliceId::empty(),
            mutability: Mutability::Mut,
            bounds: Bounds::Known,
            seen_as: SeenAs::Declared,
        }
    }

    pub fn pointer(&self, mutability: Mutability) -> Pointer {
        Pointer {
            target: Target {
                alloc: self.alloc,
                path: Rc::from(self.path.as_slice()),
                window: self.window,
                mutability,
                bounds: self.bounds,
                seen_as: self.seen_as.clone(),
            },
            slice: self.slice,
            chosen: self.chosen,
        }
    }

    pub fn of(pointer: &Pointer) -> Location {
        Location {
            alloc: pointer.target.alloc,
            path: pointer.target.path.to_vec(),
            window: pointer.target.window,
            slice: pointer.slice,
            chosen: pointer.chosen,
            mutability: pointer.target.mutability,
            bounds: pointer.target.bounds,
            seen_as: pointer.target.seen_as.clone(),
        }
    }

    /// Whether what is at the location is of the type that the pointer to it has.
    pub fn accessible(&self) -> Result<(), Stop> {
        match &self.seen_as {
            SeenAs::Foreign(ty) => {
                Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::AsOtherType { ty: ty.to_string() })))
            }
            SeenAs::Declared | SeenAs::Dyn(_) => Ok(()),
        }
    }

    /// Reading and writing further ask for bounds that were looked at.
    fn ready(&self) -> Result<(), Stop> {
        self.accessible()?;
        match self.bounds {
            Bounds::Known => Ok(()),
            Bounds::Unchecked => Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::UncheckedBounds))),
        }
    }

    pub fn mark(&self) -> Mark {
        Mark { slice: self.slice, chosen: self.chosen }
    }

    pub fn step(mut self, step: Step) -> Location {
        self.path.push(step);
        self.window = None;
        if matches!(self.seen_as, SeenAs::Dyn(_)) {
            self.seen_as = SeenAs::Declared;
        }
        self
    }
}

impl Memory {
    pub fn allocate(&mut self, tree: Tree) -> AllocId {
        self.allocs.push(tree)
    }

    /// Takes notice of cells in a new value.
    pub fn note_cells(&mut self, tree: &Tree) {
        if cells::holds_cell(tree) {
            self.cells = Cells::Some;
        }
    }

    pub fn read(&self, run: &mut Run<'_>, location: &Location) -> Result<Tree, Obstacle> {
        location.ready()?;
        let tree = read_below(run, &self.allocs[location.alloc], &location.path, 0)?;
        let tree = match location.window {
            None => tree,
            Some(window) => {
                // Other runs may begin and end elsewhere.
                let bounds = run.union(window.start.slice, window.len.slice);
                add_slice(run, windowed(&tree, window)?, bounds)
            }
        };
        Ok(add_mark(run, tree, location.mark()))
    }

    /// Puts `tree` at the location; `location.slice` joins what is written.
    pub fn write(&mut self, run: &mut Run<'_>, location: &Location, tree: Tree) -> Result<(), Obstacle> {
        if location.window.is_some() {
            return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::Unsized)).into());
        }
        location.ready()?;
        let tree = add_mark(run, tree, location.mark());
        let root = &mut self.allocs[location.alloc];
        if location.path.is_empty() {
            *root = tree;
            return Ok(());
        }
        write_below(run, root, &location.path, 0, tree)
    }

    /// Adds `mark` to everything at the location, without following pointers. A location that does not exist on
    /// this run (the variant is another one, nothing was written yet) has nothing to add to.
    pub fn taint(&mut self, run: &mut Run<'_>, location: &Location, mark: Mark) {
        add_mark_in(run, self.as_far_as_known(location), mark);
    }

    /// Adds `mark` to the cells at the location, without following pointers.
    pub fn taint_cells(&mut self, run: &mut Run<'_>, location: &Location, mark: Mark) {
        if self.cells == Cells::Some {
            add_mark_to_cells(run, self.as_far_as_known(location), mark);
        }
    }

    /// What is at the location, or the part of memory around it as far as other runs have the same.
    pub fn as_far_as_known(&mut self, location: &Location) -> &mut Tree {
        let mut tree = &mut self.allocs[location.alloc];
        for step in &location.path {
            let index = match step {
                Step::Field(index) => *index,
                // Another run may index elsewhere.
                Step::Index(_) => break,
            };
            if index >= tree.children().len() {
                break;
            }
            tree = &mut tree.children_mut()[index];
        }
        tree
    }

    /// Adds `mark` to all memory that can be written through the pointers in `tree`. Gives what those pointers depend on.
    /// Through shared pointers the cells can be written, and what further pointers there allow.
    pub fn taint_reachable(&mut self, run: &mut Run<'_>, tree: &Tree, mark: Mark) -> Mark {
        let mut chosen_by = Mark::default();
        let mut pending = Vec::new();
        let mut seen: FxHashSet<(AllocId, Mutability, Vec<usize>)> = FxHashSet::default();
        let cells = self.cells;
        writing_pointers(tree, cells, &mut pending);
        while let Some(Pointer { target, slice, chosen }) = pending.pop() {
            chosen_by = chosen_by.and(run, Mark { slice, chosen });
            let way = target.path.iter().map(|step| match step {
                Step::Field(index) => *index,
                Step::Index(index) => index.as_usize(),
            });
            if !seen.insert((target.alloc, target.mutability, way.collect())) {
                continue;
            }
            let location = Location { path: target.path.to_vec(), ..Location::root(target.alloc) };
            match target.mutability {
                Mutability::Mut => self.taint(run, &location, mark),
                Mutability::Shared => self.taint_cells(run, &location, mark),
            }
            writing_pointers(&self.allocs[target.alloc].clone(), cells, &mut pending);
        }
        chosen_by
    }
}

/// The pointers through which something can be written: where there are cells, all.
fn writing_pointers(tree: &Tree, cells: Cells, found: &mut Vec<Pointer>) {
    if let Tree::Pointer(pointer) = tree {
        if pointer.target.mutability == Mutability::Mut || cells == Cells::Some {
            found.push(pointer.clone());
        }
        return;
    }
    for child in tree.children() {
        writing_pointers(child, cells, found);
    }
}

fn uninitialised() -> Obstacle {
    Stop::Unsupported(Unsupported::Uninitialised).into()
}

/// What is found in each element that an open index may name. Not all have what only one variant has; then the index is taken as that of this run.
fn of_each_element<T>(depth: usize, found: Result<T, Obstacle>) -> Result<T, Obstacle> {
    found.map_err(|obstacle| match obstacle {
        Obstacle::Stop(Stop::Unsupported(Unsupported::Uninitialised)) => Obstacle::Concretize(depth),
        other => other,
    })
}

fn read_below(run: &mut Run<'_>, tree: &Tree, path: &[Step], depth: usize) -> Result<Tree, Obstacle> {
    let Some(step) = path.get(depth) else {
        return Ok(tree.clone());
    };
    match step {
        Step::Field(index) => {
            let child = tree.children().get(*index).ok_or_else(uninitialised)?;
            read_below(run, child, path, depth + 1)
        }
        Step::Index(index) if index.term.is_none() => {
            let child = tree.children().get(index.as_usize()).ok_or_else(uninitialised)?;
            let value = read_below(run, child, path, depth + 1)?;
            Ok(add_slice(run, value, index.slice))
        }
        Step::Index(index) => {
            let elems = tree.children();
            if elems.len() > MAX_MERGED_ELEMENTS {
                return Err(Obstacle::Concretize(depth));
            }
            let mut merged: Option<Tree> = None;
            for (position, elem) in elems.iter().enumerate() {
                let value = of_each_element(depth, read_below(run, elem, path, depth + 1))?;
                let Some(rest) = merged.take() else {
                    merged = Some(add_slice(run, value, index.slice));
                    continue;
                };
                let here = run.equals_const(*index, position as u128);
                merged = Some(merge(run, here, &value, &rest).ok_or(Obstacle::Concretize(depth))?);
            }
            merged.ok_or_else(uninitialised)
        }
    }
}

fn write_below(
    run: &mut Run<'_>,
    tree: &mut Tree,
    path: &[Step],
    depth: usize,
    value: Tree,
) -> Result<(), Obstacle> {
    let Some(step) = path.get(depth) else {
        *tree = value;
        return Ok(());
    };
    match step {
        Step::Field(index) => {
            if matches!(tree, Tree::Uninit) {
                // Field-wise initialisation of a tuple or struct that was never whole before.
                *tree = Tree::Tuple(Rc::new(vec![Tree::Uninit; index + 1]));
            }
            if let Tree::Tuple(fields) = tree
                && fields.len() <= *index
            {
                Rc::make_mut(fields).resize(index + 1, Tree::Uninit);
            }
            let child = tree.children_mut().get_mut(*index).ok_or_else(uninitialised)?;
            write_below(run, child, path, depth + 1, value)
        }
        Step::Index(index) if index.term.is_none() => {
            // Where branches decided on the index, the elements passed over would be written on other runs.
            add_mark_in(run, tree, Mark::data(index.slice));
            let value = add_slice(run, value, index.slice);
            let child = tree.children_mut().get_mut(index.as_usize()).ok_or_else(uninitialised)?;
            write_below(run, child, path, depth + 1, value)
        }
        Step::Index(index) => {
            let count = tree.children().len();
            if count > MAX_MERGED_ELEMENTS {
                return Err(Obstacle::Concretize(depth));
            }
            // All elements are computed before any is stored: an obstacle must leave memory as it was.
            let mut updated = Vec::with_capacity(count);
            for position in 0..count {
                let old = tree.children()[position].clone();
                let mut new = old.clone();
                of_each_element(depth, write_below(run, &mut new, path, depth + 1, value.clone()))?;
                let here = run.equals_const(*index, position as u128);
                updated.push(merge(run, here, &new, &old).ok_or(Obstacle::Concretize(depth))?);
            }
            tree.children_mut().clone_from_slice(&updated);
            Ok(())
        }
    }
}

fn windowed(tree: &Tree, window: Window) -> Result<Tree, Obstacle> {
    let Tree::Seq { elems, .. } = tree else {
        return Ok(tree.clone());
    };
    if window.start.term.is_some() || window.len.term.is_some() {
        return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::OpenPart)).into());
    }
    let (start, len) = (window.start.as_usize(), window.len.as_usize());
    // An input may be an iterator whose ends have nothing to do with its sequence.
    let part = start.checked_add(len).and_then(|end| elems.get(start..end)).ok_or_else(uninitialised)?;
    Ok(Tree::Seq { elems: Rc::new(part.to_vec()), len: window.len })
}

/// Adds `slice` to every leaf and pointer of the tree; what pointers point to is left alone.
pub fn add_slice(run: &mut Run<'_>, tree: Tree, slice: SliceId) -> Tree {
    add_mark(run, tree, Mark::data(slice))
}

/// What is added to the slices in a value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    pub slice: SliceId,
    /// For pointers: see [`Pointer::chosen`].
    pub chosen: SliceId,
}

impl Mark {
    /// The dependence is one on data: pointers are chosen by it for as long as they live.
    pub fn data(slice: SliceId) -> Mark {
        Mark { slice, chosen: slice }
    }

    pub fn and(self, run: &mut Run<'_>, other: Mark) -> Mark {
        Mark { slice: run.union(self.slice, other.slice), chosen: run.union(self.chosen, other.chosen) }
    }
}

pub fn add_mark(run: &mut Run<'_>, tree: Tree, mark: Mark) -> Tree {
    let mut tree = tree;
    add_mark_in(run, &mut tree, mark);
    tree
}

fn add_mark_in(run: &mut Run<'_>, tree: &mut Tree, mark: Mark) {
    let slice = mark.slice;
    if slice == SliceId::empty() && mark.chosen == SliceId::empty() {
        return;
    }
    match tree {
        Tree::Uninit => return,
        Tree::Fn(_, of) => {
            *of = run.union(*of, slice);
            return;
        }
        Tree::Scalar(scalar) | Tree::Address(scalar) => {
            scalar.slice = run.union(scalar.slice, slice);
            return;
        }
        Tree::Pointer(pointer) => {
            pointer.slice = run.union(pointer.slice, slice);
            pointer.chosen = run.union(pointer.chosen, mark.chosen);
            if let Some(window) = &mut pointer.target.window {
                window.start.slice = run.union(window.start.slice, slice);
                window.len.slice = run.union(window.len.slice, slice);
            }
            return;
        }
        Tree::Enum { tag: scalar, .. } | Tree::Seq { len: scalar, .. } => {
            scalar.slice = run.union(scalar.slice, slice);
        }
        Tree::Closure { slice: of, .. } => *of = run.union(*of, slice),
        Tree::Tuple(_) | Tree::Struct { .. } => {}
    }
    for child in tree.children_mut() {
        add_mark_in(run, child, mark);
    }
}

fn add_mark_to_cells(run: &mut Run<'_>, tree: &mut Tree, mark: Mark) {
    match tree {
        Tree::Struct { ty, .. } if cells::is_cell(ty) => add_mark_in(run, tree, mark),
        _ => tree.children_mut().iter_mut().for_each(|child| add_mark_to_cells(run, child, mark)),
    }
}

/// `if condition { a } else { b }`, or none if the two have different shapes.
pub fn merge(run: &mut Run<'_>, condition: Scalar, a: &Tree, b: &Tree) -> Option<Tree> {
    let all = |run: &mut Run<'_>, xs: &[Tree], ys: &[Tree]| -> Option<Rc<Vec<Tree>>> {
        if xs.len() != ys.len() {
            return None;
        }
        xs.iter().zip(ys).map(|(x, y)| merge(run, condition, x, y)).collect::<Option<Vec<_>>>().map(Rc::new)
    };
    Some(match (a, b) {
        (Tree::Uninit, Tree::Uninit) => Tree::Uninit,
        (Tree::Scalar(x), Tree::Scalar(y)) if x.ty == y.ty => Tree::Scalar(run.select(condition, *x, *y)),
        (Tree::Address(x), Tree::Address(y)) => Tree::Address(run.select(condition, *x, *y)),
        (Tree::Tuple(xs), Tree::Tuple(ys)) => Tree::Tuple(all(run, xs, ys)?),
        (Tree::Struct { ty, fields: xs }, Tree::Struct { ty: other, fields: ys }) if ty == other => {
            Tree::Struct { ty: ty.clone(), fields: all(run, xs, ys)? }
        }
        (Tree::Enum { ty, tag: s, fields: xs }, Tree::Enum { ty: other, tag: t, fields: ys })
            if ty == other && (s.bits == t.bits || (xs.is_empty() && ys.is_empty())) =>
        {
            // With fields, the variants must also agree on the other inputs of the partition: only constant tags do.
            if !(xs.is_empty() && ys.is_empty()) && (s.term.is_some() || t.term.is_some()) {
                return None;
            }
            let fields = all(run, xs, ys)?;
            Tree::Enum { ty: ty.clone(), tag: run.select(condition, *s, *t), fields }
        }
        (Tree::Seq { elems: xs, len: s }, Tree::Seq { elems: ys, len: t }) => {
            Tree::Seq { elems: all(run, xs, ys)?, len: run.select(condition, *s, *t) }
        }
        (Tree::Pointer(x), Tree::Pointer(y)) if same_target(run, x, y) => {
            let mut merged = x.clone();
            merged.slice = run.union(x.slice, y.slice);
            merged.slice = run.union(merged.slice, condition.slice);
            merged.chosen = run.union(x.chosen, y.chosen);
            merged.chosen = run.union(merged.chosen, condition.slice);
            if let (Some(v), Some(w)) = (x.target.window, y.target.window) {
                merged.target.window = Some(Window {
                    start: run.select(condition, v.start, w.start),
                    len: run.select(condition, v.len, w.len),
                });
            }
            Tree::Pointer(merged)
        }
        (Tree::Fn(x, s), Tree::Fn(y, t)) if x == y => {
            let slice = run.union(*s, *t);
            Tree::Fn(x.clone(), run.union(slice, condition.slice))
        }
        (
            Tree::Closure { path, args, captures: xs, slice: s, types },
            Tree::Closure { path: other, args: other_args, captures: ys, slice: t, .. },
        ) if path == other && args == other_args => {
            let captures = all(run, xs, ys)?;
            let slice = run.union(*s, *t);
            let slice = run.union(slice, condition.slice);
            Tree::Closure { path: path.clone(), args: args.clone(), captures, types: types.clone(), slice }
        }
        _ => return None,
    })
}

/// Both point to the same allocation by the same way; windows may differ.
fn same_target(run: &mut Run<'_>, a: &Pointer, b: &Pointer) -> bool {
    a.target.alloc == b.target.alloc
        && a.target.window.is_some() == b.target.window.is_some()
        && a.target.seen_as == b.target.seen_as
        && a.target.bounds == b.target.bounds
        && a.target.path.len() == b.target.path.len()
        && a.target.path.iter().zip(b.target.path.iter()).all(|(x, y)| match (x, y) {
            (Step::Field(x), Step::Field(y)) => x == y,
            (Step::Index(x), Step::Index(y)) => x.bits == y.bits && run.term(x) == run.term(y),
            _ => false,
        })
}

impl Run<'_> {
    /// The index of element `index` of a windowed sequence in the whole one.
    pub fn window_index(&mut self, window: Option<Window>, index: Scalar) -> Result<Scalar, Stop> {
        match window {
            None => Ok(index),
            Some(window) => self.binary(BinOp::Add, window.start, index),
        }
    }
}
