//! Types of the standard library as inputs, made as their constructors make them: see [`crate::exec::std_abstractions`].

use std::rc::Rc;

use super::{At, Builder, Elements, InputError, Unbuilt, field_name, unbuilt};
use crate::exec::cells::{Cells, Found, Holdings};
use crate::exec::eval::scalar_ty;
use crate::exec::memory::Location;
use crate::exec::std_abstractions::{self, CellView, List, SOME, View};
use crate::exec::tree::{Scalar, ScalarTy, SeenAs, Tree, Window};
use crate::ir::known::shown::{State, Users};
use crate::ir::{Adt, GenericArg, GenericArgs, IntTy, KnownType, Mutability, Ty, TyKind};
use crate::verdict::LeftOut;

/// A blank to fill with and no alignment, in the encoding of the model.
const DEFAULT_FORMAT_FLAGS: u128 = 0x6000_0020;

impl Builder<'_, '_, '_, '_> {
    /// A formatter as `{}` gives, writing to a new string. The model of the type says what fields there are.
    pub(super) fn formatter(&mut self, ty: &Ty) -> Result<Tree, Unbuilt> {
        let adt = match ty.kind() {
            TyKind::Adt(path, _) => self.program().adt(path),
            _ => None,
        };
        let [declared] = adt.map_or(&[][..], |adt| &adt.variants) else {
            return Err(unbuilt(ty));
        };
        self.leave_out(LeftOut::FormattingOptions);
        let mut fields = Vec::new();
        for field in &declared.fields {
            let number =
                |bits| Scalar::concrete(scalar_ty(&field.ty).unwrap_or(ScalarTy::Int(IntTy::U32)), bits);
            fields.push(match field.name.as_str() {
                "flags" => number(DEFAULT_FORMAT_FLAGS).into(),
                "width" | "precision" => number(0).into(),
                "buf" => {
                    let text = self.machine.memory.allocate(Tree::array(Vec::new()));
                    let mut buffer = Location::root(text);
                    buffer.seen_as = SeenAs::Dyn(Ty::adt(KnownType::String, Vec::new()));
                    Tree::Pointer(buffer.pointer(Mutability::Mut))
                }
                _ => return Err(unbuilt(ty)),
            });
        }
        Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
    }

    /// The fields of a struct of the standard library, as its constructor makes them.
    pub(super) fn view(&mut self, adt: &Adt, ty: &Ty, view: &View, at: At<'_>) -> Result<Vec<Tree>, Unbuilt> {
        let unknown = || unbuilt(ty);
        let declared = &adt.variants.first().ok_or_else(unknown)?.fields;
        let mut known: Vec<(&str, Tree)> = Vec::new();
        let below = |field: &str| field_name(adt, at.name, 0, field);
        match view {
            View::Rest(rest) => {
                let elements = match &rest.list {
                    List::Slice(elem) | List::Owned(elem) => Elements::Any(elem.clone()),
                    List::Text | List::Bytes => Elements::Text,
                };
                let (sequence, len) = self.sequence(&elements, At { depth: at.depth + 1, ..at })?;
                let list = match (&rest.list, sequence) {
                    (List::Owned(elem), Tree::Seq { elems, len }) => {
                        let args: GenericArgs = [GenericArg::Ty(elem.clone())].into_iter().collect();
                        let option = Ty::new(TyKind::Adt(KnownType::Option.into(), args));
                        let some = |elem: &Tree| Tree::Enum {
                            ty: option.clone(),
                            tag: Scalar::concrete(ScalarTy::Tag, SOME as u128),
                            fields: Rc::new(vec![elem.clone()]),
                        };
                        Tree::Seq { elems: Rc::new(elems.iter().map(some).collect()), len }
                    }
                    (_, sequence) => {
                        let mut location = Location::root(self.machine.memory.allocate(sequence));
                        location.window = Some(Window { start: Scalar::usize(0), len });
                        Tree::Pointer(location.pointer(Mutability::Shared))
                    }
                };
                known.push((rest.field, list));
                known.push(("front", Tree::Scalar(Scalar::usize(0))));
                known.push(("back", Tree::Scalar(len)));
            }
            View::NonZero(int) => {
                let name = below("0");
                let value = self.scalar(name, ScalarTy::Int(*int), 1, |pool, value| {
                    let zero = pool.bv_const(0, ScalarTy::Int(*int).bits() as u16);
                    let is_zero = pool.eq(value, zero);
                    Some(pool.not(is_zero))
                })?;
                known.push(("0", Tree::Scalar(value)));
            }
            View::Parts(parts) => {
                for part in *parts {
                    let number =
                        self.scalar(below(part.field), ScalarTy::Int(part.int), 0, |pool, number| {
                            let last = pool.bv_const(part.last, part.int.bits() as u16);
                            (!part.is_free()).then(|| pool.ule(number, last))
                        })?;
                    known.push((part.field, Tree::Scalar(number)));
                }
            }
            View::Cell(cell) => return self.cell(adt, cell, at),
            View::Guard => return Err(unknown()),
            View::Counted(content) => return self.counted(content, at),
            View::Inclusive(ty) => {
                for field in ["start", "end"] {
                    let bound = self.tree(ty, At { name: &below(field), depth: at.depth + 1, ..at })?;
                    known.push((field, bound));
                }
                known.push(("exhausted", Tree::Scalar(Scalar::bool(false))));
            }
        }
        // The models of another toolchain's library might be made of other fields.
        if declared.len() != known.len() {
            return Err(unknown());
        }
        let fields = declared.iter().map(|field| {
            let found = known.iter().find(|(name, _)| field.name == *name);
            found.map(|(_, tree)| tree.clone()).ok_or_else(unknown)
        });
        fields.collect()
    }

    /// The fields of a cell or lock that nobody has borrowed.
    pub(super) fn cell(&mut self, adt: &Adt, cell: &CellView, at: At<'_>) -> Result<Vec<Tree>, Unbuilt> {
        let name = format!("{}.value", at.name);
        let value = self.tree(&cell.content, At { name: &name, depth: at.depth + 1, ..at })?;
        if cell.users == Users::AnyThread {
            self.leave_out(LeftOut::OtherThreads);
        }
        let mut fields = Vec::new();
        if cell.state == State::Borrows {
            self.leave_out(LeftOut::BorrowedCells);
            fields.push(std_abstractions::cell_of(
                Ty::int(IntTy::Isize),
                Scalar::concrete(ScalarTy::Int(IntTy::Isize), 0).into(),
            ));
        }
        fields.push(std_abstractions::unsafe_cell_of(cell.content.clone(), value));
        self.machine.memory.cells = Cells::Some;
        let declared = adt.variants.first().map_or(0, |variant| variant.fields.len());
        if declared == fields.len() {
            Ok(fields)
        } else {
            Err(Unbuilt::Input(InputError::Type(adt.path.to_string())))
        }
    }

    /// Two shared references may lead to one cell. Here they never do.
    pub(super) fn share_cell(&mut self, at: At<'_>) {
        match &self.space.first_shared_cell {
            None => self.space.first_shared_cell = Some(at.name.to_string()),
            Some(first) if first == at.name => {}
            Some(_) => self.leave_out(LeftOut::SharedCells),
        }
    }

    /// The fields of a reference-counted pointer: the only one, except that the caller keeps one where it could see what is
    /// written behind it.
    pub(super) fn counted(&mut self, content: &Ty, at: At<'_>) -> Result<Vec<Tree>, Unbuilt> {
        self.leave_out(LeftOut::OtherOwners);
        let mut pointers = 1;
        if Holdings::of(self.program(), content).cells == Found::Yes {
            self.share_cell(at);
            pointers += 1;
        }
        let content = self.reference(Mutability::Mut, content, At { depth: at.depth + 1, ..at })?;
        let counts = self.machine.memory.allocate(std_abstractions::counts(pointers));
        self.machine.memory.cells = Cells::Some;
        Ok(vec![content, Tree::Pointer(Location::root(counts).pointer(Mutability::Mut))])
    }
}
