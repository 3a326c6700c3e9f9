//! Interior mutability: memory that is written through shared references.
//!
//! *Idea.* Whatever does this in Rust does it through an `UnsafeCell`, so a shared reference lets go of exactly the cells
//! behind it. In memory a cell is a struct of that type, found by looking; in types it is found by following fields.
//! What shared references lead to is then an input *and* an output like what is behind `&mut`, and an arm that was not
//! taken may have written the cells behind each shared reference that it holds or makes.
//!
//! A `static` with a cell in it is state that no caller passes, like a `static mut`, unless it is a `LazyLock` whose
//! content has no cells: whoever looks at that finds the same value.

use rustc_hash::FxHashSet;

use super::resolve::normalize;
use super::tree::Tree;
use crate::ir::{GenericArg, KnownType, Mutability, Program, Ty, TyKind};

/// Of types nested deeper it is not told what they hold.
const MAX_TYPE_DEPTH: usize = 32;

/// Whether anything in memory can be written through shared references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    #[default]
    None,
    Some,
}

/// What of interest a value of some type may hold, however far behind references.
#[derive(Clone, Debug, Default)]
pub struct Holdings {
    pub mutable_references: Found,
    pub shared_references: Found,
    pub cells: Found,
    /// Reference-counted pointers. They are shared references, and have counts that clones and drops write.
    pub counted: Found,
    pub raw_pointers: Found,
    /// Types of which it cannot be told.
    pub unknown: Found,
    /// What can be written through references, or holds what can.
    behind: Vec<Ty>,
    seen: FxHashSet<Ty>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Found {
    #[default]
    No,
    Yes,
}

pub fn is_cell(ty: &Ty) -> bool {
    ty.known() == Some(KnownType::UnsafeCell)
}

/// `Rc`, `Arc` and their weak pointers.
pub fn is_counted(ty: &Ty) -> bool {
    ty.known().is_some_and(KnownType::is_shared)
}

impl Holdings {
    pub fn of(program: &Program, ty: &Ty) -> Holdings {
        let mut holdings = Holdings::default();
        holdings.add(program, ty, 0);
        holdings
    }

    /// Whether the caller sees through such an argument what the function did to memory.
    pub fn shows_writes(&self) -> bool {
        self.mutable_references == Found::Yes
            || (self.shared_references == Found::Yes && self.cells == Found::Yes)
    }

    fn add(&mut self, program: &Program, ty: &Ty, depth: usize) {
        if !self.seen.insert(ty.clone()) {
            return;
        }
        if depth > MAX_TYPE_DEPTH {
            self.unknown = Found::Yes;
            return;
        }
        match ty.kind() {
            TyKind::Ref(Mutability::Mut, inner) => {
                self.mutable_references = Found::Yes;
                self.behind.push(inner.clone());
                self.add(program, inner, depth + 1);
            }
            TyKind::Ref(Mutability::Shared, inner) => {
                self.shared_references = Found::Yes;
                self.behind.push(inner.clone());
                self.add(program, inner, depth + 1);
            }
            TyKind::RawPtr(..) => self.raw_pointers = Found::Yes,
            TyKind::Slice(inner) | TyKind::Array(inner, _) => self.add(program, inner, depth + 1),
            TyKind::Tuple(tys) => tys.iter().for_each(|ty| self.add(program, ty, depth + 1)),
            TyKind::Adt(path, args) => {
                if is_cell(ty) {
                    self.cells = Found::Yes;
                }
                for arg in args {
                    if let GenericArg::Ty(arg) = arg {
                        self.behind.extend(is_counted(ty).then(|| arg.clone()));
                        self.add(program, arg, depth + 1);
                    }
                }
                if is_counted(ty) {
                    self.shared_references = Found::Yes;
                    self.counted = Found::Yes;
                    return;
                }
                let Some(adt) = program.adt(path) else {
                    self.unknown = Found::Yes;
                    return;
                };
                for variant in 0..adt.variants.len() {
                    for field in adt.field_types(variant, args) {
                        self.add(program, &normalize(program, &field), depth + 1);
                    }
                }
            }
            // Nothing is known of what these hold.
            TyKind::Dyn(_)
            | TyKind::Param(_)
            | TyKind::Projection { .. }
            | TyKind::Closure(..)
            | TyKind::Unsupported(_) => {
                self.unknown = Found::Yes;
            }
            _ => {}
        }
    }
}

/// Whether a call that is given a value of the type may leave other references behind those in it than it finds there.
pub fn replaces_references(program: &Program, ty: &Ty) -> bool {
    Holdings::of(program, ty).behind.iter().any(|inner| Holdings::of(program, inner).shows_writes())
}

/// Whether values of a static's type are the same for whoever looks at them.
pub fn is_constant(program: &Program, ty: &Ty) -> bool {
    let content = match ty.kind() {
        TyKind::Adt(path, args) if path == KnownType::LazyLock => match args.first() {
            Some(GenericArg::Ty(content)) => content,
            _ => return false,
        },
        _ => ty,
    };
    let holdings = Holdings::of(program, content);
    [holdings.cells, holdings.counted, holdings.unknown].iter().all(|found| *found == Found::No)
}

/// Whether values of the type can be changed through shared references.
pub fn has_cells(program: &Program, ty: &Ty) -> bool {
    Holdings::of(program, ty).cells == Found::Yes
}

/// Whether there is a cell in the value, which is written through each reference to it.
pub fn holds_cell(tree: &Tree) -> bool {
    matches!(tree, Tree::Struct { ty, .. } if is_cell(ty)) || tree.children().iter().any(holds_cell)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::exec::memory::{Location, Mark, Memory};
    use crate::exec::run::{Limits, Run};
    use crate::exec::slice::{InstanceId, SliceId};
    use crate::exec::tree::{AllocId, Scalar};
    use crate::idx::Idx;
    use crate::ir::IntTy;
    use crate::term::TermPool;

    fn cell_ty() -> Ty {
        Ty::adt(KnownType::UnsafeCell, vec![GenericArg::Ty(Ty::int(IntTy::U8))])
    }

    fn shared(ty: Ty) -> Ty {
        Ty::new(TyKind::Ref(Mutability::Shared, ty))
    }

    #[track_caller]
    fn check_shows_writes(ty: Ty, expected: bool) {
        assert_eq!(Holdings::of(&Program::default(), &ty).shows_writes(), expected, "{ty}");
    }

    #[test]
    fn callers_see_writes_behind_references() {
        let byte = || Ty::int(IntTy::U8);
        check_shows_writes(byte(), false);
        check_shows_writes(shared(byte()), false);
        check_shows_writes(cell_ty(), false);
        check_shows_writes(shared(cell_ty()), true);
        check_shows_writes(shared(Ty::new(TyKind::Slice(shared(cell_ty())))), true);
        check_shows_writes(Ty::new(TyKind::Tuple(vec![byte(), shared(cell_ty())])), true);
        check_shows_writes(Ty::new(TyKind::Ref(Mutability::Mut, byte())), true);
        let counted = |ty| Ty::adt(KnownType::Rc, vec![GenericArg::Ty(ty)]);
        check_shows_writes(counted(byte()), false);
        check_shows_writes(counted(cell_ty()), true);
    }

    #[test]
    fn what_is_nested_too_deep_is_not_known() {
        let nested = |depth| (0..depth).fold(cell_ty(), |inner, _| Ty::new(TyKind::Tuple(vec![inner])));
        let holdings = |depth| Holdings::of(&Program::default(), &nested(depth));
        assert_eq!(holdings(8).cells, Found::Yes);
        assert_eq!(holdings(80).unknown, Found::Yes);
        let unread = Ty::new(TyKind::Unsupported("impl k::Any".into()));
        assert_eq!(Holdings::of(&Program::default(), &unread).unknown, Found::Yes);
    }

    #[test]
    fn statics_of_types_that_are_not_known_are_no_constants() {
        let program = Program::default();
        let lazy = |ty| Ty::adt(KnownType::LazyLock, vec![GenericArg::Ty(ty)]);
        assert!(is_constant(&program, &Ty::int(IntTy::U8)));
        assert!(is_constant(&program, &lazy(Ty::int(IntTy::U8))));
        assert!(!is_constant(&program, &cell_ty()));
        assert!(!is_constant(&program, &lazy(cell_ty())));
        assert!(!is_constant(&program, &Ty::adt("k::Unknown", Vec::new())));
    }

    /// `(0, cell of 0)`, where a shared pointer leads, and whether the slices of both got the mark.
    fn marked(cells: Cells) -> (bool, bool) {
        let mut pool = TermPool::new();
        let mut run = Run::new(&mut pool, Limits::default());
        let slice = run.slices.with(SliceId::empty(), InstanceId::from_usize(0));
        let cell = Tree::Struct { ty: cell_ty(), fields: Rc::new(vec![Scalar::usize(0).into()]) };
        let mut memory = Memory { cells, ..Memory::default() };
        let target: AllocId = memory.allocate(Tree::tuple(vec![Scalar::usize(0).into(), cell]));
        let pointer = Tree::Pointer(Location::root(target).pointer(Mutability::Shared));
        memory.taint_reachable(&mut run, &pointer, Mark::data(slice));
        let is_marked = |tree: &Tree| match tree {
            Tree::Scalar(scalar) => scalar.slice == slice,
            other => panic!("{other:?} is no leaf"),
        };
        let [plain, cell] = memory.allocs[target].children() else { panic!("a pair") };
        (is_marked(plain), is_marked(&cell.children()[0]))
    }

    #[test]
    fn arms_not_taken_write_cells_behind_shared_references_and_nothing_else() {
        assert_eq!(marked(Cells::Some), (false, true));
        assert_eq!(marked(Cells::None), (false, false));
    }
}
