//! The slicing criterion: what a caller can see of a call when it is over.
//!
//! The return value and what `&mut` parameters refer to, down to the leaves. Shape is made concrete on the way (one
//! more branch for each variant or length that is still a term), so that two outputs of one partition either have the
//! same leaves in the same places or differ. What else there is to see of a value, and is no output, is listed in `crate::observable`.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::input::{is_formatter, scalar_value};
use super::layout;
use super::lent::Place;
use super::machine::Machine;
use super::memory::Location;
use super::resolve::normalize;
use super::run::Stop;
use super::slice::SliceId;
use super::std_abstractions::{self, List, View, inside_some, view};
use super::tree::{Scalar, SeenAs, Tree};
use crate::ir::known::shown::Shown;
use crate::ir::{AdtKind, CtorKind, Extent, GenericArg, KnownType, Mutability, Name, Path, Ty, TyKind};
use crate::value::Value;
use crate::verdict::unsupported::{UnshownOutput, Unsupported};

/// References nested deeper than this are taken for a cycle.
const MAX_DEPTH: usize = 64;

/// All leaves of an output in a fixed order, with the concrete value they make up.
#[derive(Clone, Debug)]
pub struct Output {
    pub value: Value,
    /// What no native run can look at, in the order of the value: the contents of its `MaybeUninit`s, what an `impl Trait`
    /// is made of, and of which types a `dyn Trait` is; then what an argument [no longer leads to](Machine::add_places).
    pub hidden: Vec<Value>,
    pub leaves: Vec<Scalar>,
    pub slice: SliceId,
    /// What is in none of the above, as the versions define a type otherwise.
    pub left_out: BTreeSet<NotCompared>,
    /// The places behind references in it that can be written through these.
    pub places: Vec<Place>,
}

/// Part of a value of a type that the versions define otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotCompared {
    /// A field that only one version has, or of a type with nothing in common: its name, and its type's path.
    Field(Name, Path),
    /// What the other version represents otherwise ([`Extent::Otherwise`]).
    State(Path),
}

impl Output {
    /// The value with what is in each `MaybeUninit`; none if one lies in another.
    pub fn with_contents(&self) -> Option<Value> {
        let mut hidden = self.hidden.iter();
        let value = fill(&self.value, &mut hidden)?;
        hidden.next().is_none().then_some(value)
    }
}

fn fill<'h>(value: &Value, hidden: &mut impl Iterator<Item = &'h Value>) -> Option<Value> {
    if *value == Value::maybe_uninit() {
        return hidden.next().cloned();
    }
    let mut filled = value.clone();
    for part in filled.parts_mut() {
        *part = fill(part, hidden)?;
    }
    Some(filled)
}

impl Machine<'_, '_, '_> {
    /// Flattens a value of the closed type `ty`.
    pub fn output(&mut self, tree: Tree, ty: &Ty) -> Result<Output, Stop> {
        let mut output = Output {
            value: Value::unit(),
            hidden: Vec::new(),
            leaves: Vec::new(),
            slice: SliceId::empty(),
            left_out: BTreeSet::new(),
            places: Vec::new(),
        };
        output.value = self.flatten(tree, ty, &mut output, 0)?;
        Ok(output)
    }

    /// Adds the leaves of another value. Gives the concrete one.
    pub fn add_output(&mut self, tree: Tree, ty: &Ty, output: &mut Output) -> Result<Value, Stop> {
        self.flatten(tree, ty, output, 0)
    }

    pub(super) fn flatten(
        &mut self,
        tree: Tree,
        ty: &Ty,
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop::Unsupported(Unsupported::Output(UnshownOutput::NestedTooDeeply)));
        }
        match (tree, ty.kind()) {
            (tree, _) if ty.known().and_then(KnownType::shown) == Some(Shown::Hidden) => {
                let hidden = self.flatten_maybe_uninit(tree, ty, output, depth)?;
                output.hidden.push(hidden);
                Ok(Value::maybe_uninit())
            }
            // Of a formatter a caller sees what was written to its string.
            (Tree::Struct { ty, fields }, _) if is_formatter(&ty) => {
                let text = Ty::adt(KnownType::String, Vec::new());
                let to_text = SeenAs::Dyn(text.clone());
                let buffer = fields.iter().find_map(|field| match field {
                    Tree::Pointer(pointer) if pointer.target.seen_as == to_text => Some(pointer),
                    _ => None,
                });
                let Some(buffer) = buffer else {
                    return Err(Stop::Unsupported(Unsupported::Output(UnshownOutput::Formatter)));
                };
                output.slice = self.run.union(output.slice, buffer.slice);
                let written = self.read(Location::of(buffer))?;
                self.flatten(written, &text, output, depth + 1)
            }
            (Tree::Scalar(scalar), _) => {
                output.slice = self.run.union(output.slice, scalar.slice);
                output.leaves.push(scalar);
                Ok(scalar_value(scalar.ty, scalar.bits))
            }
            // It points to nothing, so the number is all there is to it.
            (Tree::Address(address), _) => {
                output.slice = self.run.union(output.slice, address.slice);
                output.leaves.push(address);
                Ok(scalar_value(address.ty, address.bits))
            }
            (Tree::Pointer(pointer), _) => {
                let Some(pointee) = ty.pointee().cloned() else {
                    return Err(Stop::unshown(ty));
                };
                output.slice = self.run.union(output.slice, pointer.slice);
                // A `None` of one type shows no more than one of another, and what is called on it goes by the type.
                if let (SeenAs::Dyn(made_of), TyKind::Dyn(_)) = (&pointer.target.seen_as, pointee.kind())
                    && matches!(made_of.kind(), TyKind::Adt(_, args) if !args.is_empty())
                {
                    output.hidden.push(Value::Opaque(made_of.to_string()));
                }
                self.note_place(&pointer, ty, &pointee, output);
                let target = self.read(Location::of(&pointer))?;
                let value = self.flatten(target, &pointee, output, depth + 1)?;
                Ok(Value::Ref(Box::new(value)))
            }
            (tree @ Tree::Seq { .. }, TyKind::Adt(path, args)) => {
                match (path.known_type().and_then(KnownType::shown), args.first()) {
                    (Some(Shown::Text), _) => self.flatten(tree, &Ty::new(TyKind::Str), output, depth),
                    (Some(Shown::Elements), Some(GenericArg::Ty(elem))) => {
                        let slice = Ty::new(TyKind::Slice(elem.clone()));
                        self.flatten(tree, &slice, output, depth)
                    }
                    _ => Err(Stop::unshown(ty)),
                }
            }
            (Tree::Seq { elems, len }, TyKind::Str) => {
                let len = self.concretize(len)?;
                let mut bytes = Vec::new();
                for elem in elems.iter().take(len.as_usize()).cloned() {
                    match self.flatten(elem, &Ty::int(crate::ir::IntTy::U8), output, depth + 1)? {
                        Value::Int { bits, .. } => bytes.push(bits as u8),
                        other => {
                            return Err(Stop::Unsupported(Unsupported::Output(UnshownOutput::ByteOfText {
                                value: other.to_string(),
                            })));
                        }
                    }
                }
                // The length is part of the output even where no byte is.
                output.slice = self.run.union(output.slice, len.slice);
                Ok(Value::Str(String::from_utf8_lossy(&bytes).into_owned()))
            }
            (Tree::Seq { elems, len }, TyKind::Slice(elem_ty) | TyKind::Array(elem_ty, _)) => {
                let len = self.concretize(len)?;
                output.slice = self.run.union(output.slice, len.slice);
                let items = elems.iter().take(len.as_usize()).cloned();
                let values = items.map(|elem| self.flatten(elem, elem_ty, output, depth + 1));
                Ok(Value::Seq(values.collect::<Result<_, _>>()?))
            }
            (Tree::Tuple(fields), TyKind::Tuple(tys)) if fields.len() == tys.len() => {
                let values = fields
                    .iter()
                    .cloned()
                    .zip(tys)
                    .map(|(field, ty)| self.flatten(field, ty, output, depth + 1));
                Ok(Value::Tuple(values.collect::<Result<_, _>>()?))
            }
            (Tree::Struct { ty, fields }, _) if matches!(view(&ty), Some(View::Rest(_))) => {
                self.flatten_rest(&ty, &fields, output, depth)
            }
            (Tree::Struct { ty, fields }, _) if matches!(view(&ty), Some(View::Cell(_) | View::Guard)) => {
                self.flatten_cell(&ty, &fields, output, depth)
            }
            (Tree::Struct { ty, fields }, _) if matches!(view(&ty), Some(View::Counted(_))) => {
                let (Some(View::Counted(content)), Some(pointer)) = (view(&ty), fields.first()) else {
                    return Err(Stop::unshown(&ty));
                };
                if let Tree::Pointer(pointer) = pointer {
                    let shared = Ty::reference(Mutability::Shared, content.clone());
                    self.note_place(pointer, &shared, &content, output);
                }
                self.flatten(pointer.clone(), &std_abstractions::boxed(content), output, depth + 1)
            }
            (Tree::Struct { ty, .. }, _)
                if matches!(ty.kind(), TyKind::Adt(path, _) if std_abstractions::has_own_fields(path))
                    && view(&ty).is_none() =>
            {
                Err(Stop::unshown(&ty))
            }
            (Tree::Struct { ty, fields }, _)
                if matches!(
                    ty.known().and_then(KnownType::shown),
                    Some(Shown::Elements | Shown::Unordered)
                ) =>
            {
                self.flatten_collection(&ty, &fields, output, depth)
            }
            (Tree::Struct { ty, fields }, _) => self.flatten_adt(&ty, None, &fields, output, depth),
            (Tree::Enum { ty, tag, fields }, _) => {
                let tag = self.concretize(tag)?;
                output.slice = self.run.union(output.slice, tag.slice);
                self.flatten_adt(&ty, Some(tag.as_usize()), &fields, output, depth)
            }
            (other, _) => Err(Stop::Unsupported(Unsupported::Output(UnshownOutput::Unlike {
                value: other.kind(),
                ty: ty.to_string(),
            }))),
        }
    }

    /// What is in a `MaybeUninit`. Unsafe code sees whether it was initialised, if only by what a reader may do, so
    /// both versions have to agree on it.
    fn flatten_maybe_uninit(
        &mut self,
        tree: Tree,
        ty: &Ty,
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        let content = layout::wrapped(ty).cloned();
        match (tree, content) {
            (Tree::Uninit, _) => {
                // Memory that was not written has no slice. That it was not may depend on any branch there was.
                output.slice = self.whole_path(output.slice);
                Ok(Value::Opaque("uninitialised".into()))
            }
            (tree, Some(content)) if is_whole(&tree) => self.flatten(tree, &content, output, depth + 1),
            _ => Err(Stop::Unsupported(Unsupported::Output(UnshownOutput::PartlyInitialised {
                ty: ty.to_string(),
            }))),
        }
    }

    fn whole_path(&mut self, slice: SliceId) -> SliceId {
        let all: Vec<SliceId> = self.run.branches.iter().map(|branch| branch.slice).collect();
        all.into_iter().fold(slice, |slice, branch| self.run.union(slice, branch))
    }

    /// A collection, as the list that its model is. A hash table is shown so only where it has no order: native runs show more than one
    /// entry in an order of their own.
    fn flatten_collection(
        &mut self,
        ty: &Ty,
        fields: &[Tree],
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        let unknown = || Stop::unshown(ty);
        let value = self.flatten_adt(ty, None, fields, output, depth)?;
        let Value::Adt { fields: shown, .. } = &value else { return Err(unknown()) };
        let [(_, Value::Seq(items))] = shown.as_slice() else { return Err(unknown()) };
        let is_shown = ty.known().and_then(KnownType::shown) == Some(Shown::Elements) || items.len() < 2;
        Ok(if is_shown { Value::Seq(items.clone()) } else { value })
    }

    /// An iterator of the standard library, as the list of what it has left.
    fn flatten_rest(
        &mut self,
        ty: &Ty,
        fields: &[Tree],
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        let unknown = || Stop::unshown(ty);
        let (Some(View::Rest(rest)), TyKind::Adt(path, _)) = (view(ty), ty.kind()) else {
            return Err(unknown());
        };
        let adt = self.image.program.adt(path).ok_or_else(unknown)?;
        let field = |name: &str| {
            let index = adt.variants.first()?.fields.iter().position(|field| field.name == name)?;
            fields.get(index).cloned()
        };
        let (Some(list), Some(Tree::Scalar(front)), Some(Tree::Scalar(back))) =
            (field(rest.field), field("front"), field("back"))
        else {
            return Err(unknown());
        };
        let (front, back) = (self.concretize(front)?, self.concretize(back)?);
        let positions = self.run.union(front.slice, back.slice);
        output.slice = self.run.union(output.slice, positions);
        let list = match list {
            Tree::Pointer(pointer) => {
                output.slice = self.run.union(output.slice, pointer.slice);
                let list_ty = rest.list.ty();
                let pointee = list_ty.pointee().cloned().ok_or_else(unknown)?;
                self.note_place(&pointer, &list_ty, &pointee, output);
                self.read(Location::of(&pointer))?
            }
            owned => owned,
        };
        let Tree::Seq { elems, .. } = list else { return Err(unknown()) };
        let left = elems.get(front.as_usize()..back.as_usize()).ok_or_else(unknown)?;
        let left: Option<Vec<Tree>> = match &rest.list {
            List::Owned(_) => left.iter().map(inside_some).collect(),
            List::Slice(_) | List::Text | List::Bytes => Some(left.to_vec()),
        };
        let left = left.ok_or_else(unknown)?;
        let len = Scalar::usize(left.len());
        let left = Tree::Seq { elems: Rc::new(left), len };
        let list_ty = rest.list.ty();
        let value = match &rest.list {
            List::Owned(_) => self.flatten(left, &list_ty, output, depth + 1)?,
            List::Slice(_) | List::Text | List::Bytes => {
                let pointee = list_ty.pointee().cloned().ok_or_else(unknown)?;
                Value::Ref(Box::new(self.flatten(left, &pointee, output, depth + 1)?))
            }
        };
        let fields = vec![(rest.field.into(), value)];
        Ok(Value::Adt { path: path.clone(), variant: None, ctor: CtorKind::Struct, fields })
    }

    /// What is in a cell, and whether it is borrowed; what a guard guards.
    fn flatten_cell(
        &mut self,
        ty: &Ty,
        fields: &[Tree],
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        let unknown = || Stop::unshown(ty);
        let TyKind::Adt(path, args) = ty.kind() else { return Err(unknown()) };
        let Some(View::Cell(cell)) = view(ty) else {
            let pointer = fields.first().filter(|field| matches!(field, Tree::Pointer(_)));
            let guarded = args.iter().find_map(|arg| match arg {
                GenericArg::Ty(guarded) => Some(guarded.clone()),
                _ => None,
            });
            let (Some(pointer), Some(guarded)) = (pointer, guarded) else { return Err(unknown()) };
            let reference = Ty::new(TyKind::Ref(Mutability::Shared, guarded));
            return self.flatten(pointer.clone(), &reference, output, depth + 1);
        };
        let Some((Tree::Struct { fields: content, .. }, states)) = fields.split_last() else {
            return Err(unknown());
        };
        let content = content.first().cloned().ok_or_else(unknown)?;
        let content = self.flatten(content, &cell.content, output, depth + 1)?;
        let mut borrowed = false;
        for state in states {
            let borrows = std_abstractions::innermost(state).ok_or_else(unknown)?;
            let borrows = self.concretize(borrows)?;
            output.slice = self.run.union(output.slice, borrows.slice);
            output.leaves.push(borrows);
            borrowed = borrows.bits != 0;
        }
        Ok(cell.value(path, content, Value::Bool(borrowed)))
    }

    fn flatten_adt(
        &mut self,
        ty: &Ty,
        variant: Option<usize>,
        fields: &[Tree],
        output: &mut Output,
        depth: usize,
    ) -> Result<Value, Stop> {
        let TyKind::Adt(path, args) = ty.kind() else {
            return Err(Stop::unshown(ty));
        };
        let program = self.image.program;
        let Some(adt) = program.adt(path) else {
            return Err(Stop::unshown(ty));
        };
        let index = variant.unwrap_or(0);
        let Some(declared) = adt.variants.get(index) else {
            return Err(Stop::unshown(ty));
        };
        let types = adt.field_types(index, args);
        let shared = self.image.common().of(path).and_then(|shape| shape.variant_at(self.version, index));
        let order: Vec<usize> = match shared {
            // Both versions in one order, and only what both have.
            Some(shared) => {
                let position = |name: &Name| declared.fields.iter().position(|field| field.name == *name);
                let order: Vec<usize> = shared.fields.iter().filter_map(position).collect();
                let left_out = declared.fields.iter().filter(|field| !shared.fields.contains(&field.name));
                output.left_out.extend(left_out.map(|field| match shared.extent {
                    Extent::Otherwise => NotCompared::State(path.clone()),
                    Extent::Whole | Extent::Part => NotCompared::Field(field.name.clone(), path.clone()),
                }));
                order
            }
            None => (0..fields.len()).collect(),
        };
        let mut values: Vec<(Name, Value)> = Vec::new();
        for index in order {
            let (Some(field), Some(declared), Some(ty)) =
                (fields.get(index), declared.fields.get(index), types.get(index))
            else {
                return Err(Stop::unshown(ty));
            };
            let ty = normalize(program, ty);
            values.push((declared.name.clone(), self.flatten(field.clone(), &ty, output, depth + 1)?));
        }
        let variant = (adt.kind == AdtKind::Enum).then(|| declared.name.clone());
        // What is shown must not say how the version defines the variant.
        let is_otherwise = shared.is_some_and(|shared| shared.extent == Extent::Otherwise);
        let ctor = if is_otherwise { CtorKind::Struct } else { declared.ctor };
        Ok(Value::Adt { path: path.clone(), variant, ctor, fields: values })
    }
}

/// Whether there is nothing uninitialised in it, pointers apart.
fn is_whole(tree: &Tree) -> bool {
    !matches!(tree, Tree::Uninit) && tree.children().iter().all(is_whole)
}
