//! Questions on iterators of the library: what it takes them for, and who sees how often they are asked for items.
//!
//! The library (1.95) has ways of its own for iterators of which it knows more, so consumers may ask an iterator, and with it a closure of the program, more or
//! less often than `next` does. Where it is not known which way it goes, nothing is told.

use std::iter;

use super::{Question, all, answer, implementation, is_copy, is_of_std, type_args};
use crate::exec::resolve::{implements, needs_drop};
use crate::ir::known::iterates::{Fused, Iterates, Keeps, Source};
use crate::ir::{GenericArg, KnownTrait, KnownType, Mutability, Path, Program, Ty, TyKind};

/// What is asked of an iterator of std and of all that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layers {
    /// Their length is trusted.
    TrustedLen,
    /// Their items are had by position.
    ByIndex,
}

impl Layers {
    fn has_source(self, source: Source) -> bool {
        match source {
            Source::ByPosition => true,
            Source::Counted => self == Layers::TrustedLen,
            Source::Called => false,
        }
    }

    fn has_adaptor(self, keeps: Keeps) -> bool {
        match keeps {
            Keeps::Positions => true,
            Keeps::Length => self == Layers::TrustedLen,
            Keeps::Nothing => false,
        }
    }
}

fn iterates(path: &Path) -> Iterates {
    path.known_type().map_or(Iterates::Unknown, |ty| ty.row().iterates)
}

/// None where it cannot be told.
pub(super) fn is_fused(program: &Program, ty: &Ty) -> Option<bool> {
    match ty.kind() {
        TyKind::Ref(Mutability::Mut, inner) => is_fused(program, inner),
        TyKind::Dyn(_) => Some(false),
        TyKind::Adt(path, args) => match iterates(path) {
            Iterates::Adaptor { of, fused: Fused::AsInside, .. } => {
                let mut inside = type_args(args).take(of).map(|ty| is_fused(program, ty));
                let first = inside.next()?;
                all(iter::once(first).chain(inside))
            }
            Iterates::Adaptor { fused: Fused::Always, .. } => Some(true),
            Iterates::Adaptor { fused: Fused::Never, .. } | Iterates::Source(Source::Called) => Some(false),
            Iterates::Source(Source::ByPosition | Source::Counted) => Some(true),
            // All iterators of these modules are.
            Iterates::Unknown if path.begins_in_std(&["str::", "collections::"]) => Some(true),
            Iterates::Unknown if path.is_of_std() => None,
            Iterates::Unknown => {
                program.adt(path)?;
                implements(program, &implementation(KnownTrait::FusedIterator, ty))
            }
        },
        _ => None,
    }
}

fn is_layered(ty: &Ty, layers: Layers, program: &Program) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else {
        // A mutable reference is an iterator of its own, which is never had by position.
        return matches!(ty.kind(), TyKind::Ref(Mutability::Mut, inner)
            if layers == Layers::TrustedLen && is_layered(inner, layers, program));
    };
    match iterates(path) {
        // Of numbers that are not counted by a machine word, and of characters, no item is had by its position.
        Iterates::Source(_) if path == KnownType::Range && layers == Layers::ByIndex => {
            type_args(args).all(|ty| matches!(ty.kind(), TyKind::Int(int) if int.bits() <= 64))
        }
        Iterates::Source(source) if layers.has_source(source) => true,
        // Vectors by value, where items are copied only.
        Iterates::Source(_) if path == KnownType::VecIntoIter && layers == Layers::TrustedLen => {
            type_args(args).all(|ty| is_copy(program, ty) == Some(true))
        }
        Iterates::Adaptor { of, keeps, .. } => {
            layers.has_adaptor(keeps)
                && type_args(args).take(of).all(|inner| is_layered(inner, layers, program))
        }
        Iterates::Source(_) | Iterates::Unknown => false,
    }
}

/// Whether `eq` compares lengths before it asks for items, and somebody sees that; none where it cannot be told.
pub(super) fn compares_lengths(program: &Program, a: &Ty, b: &Ty) -> Option<bool> {
    if is_silent(program, a) && is_silent(program, b) {
        return Some(false);
    }
    if [a, b].into_iter().all(|ty| is_layered(ty, Layers::TrustedLen, program)) {
        return Some(true);
    }
    [a, b].into_iter().any(has_no_trusted_len).then_some(false)
}

/// None where it cannot be told, nor how often consumers ask either of them for items: the library (1.95) has ways of its own for iterators with items by position, and
/// others for those whose length it trusts (`fold` asks no longer iterator in vain, `next` does).
pub(super) fn zips_by_index(program: &Program, a: &Ty, b: &Ty) -> Option<bool> {
    if is_silent(program, a) && is_silent(program, b) {
        return Some(false);
    }
    if [a, b].into_iter().all(|ty| is_layered(ty, Layers::ByIndex, program)) {
        return Some(calls_code(a));
    }
    [a, b].into_iter().any(has_no_trusted_len).then_some(false)
}

/// Whether the library is sure not to trust the length of the iterator, so that it has no items by position either. Nobody else can say that of a type of their own.
pub(super) fn has_no_trusted_len(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(Mutability::Mut, inner) => has_no_trusted_len(inner),
        TyKind::Dyn(_) => true,
        TyKind::Adt(path, args) => match path.known_type() {
            Some(
                KnownType::Filter
                | KnownType::FilterMap
                | KnownType::TakeWhile
                | KnownType::SkipWhile
                | KnownType::MapWhile
                | KnownType::Scan
                | KnownType::FromFn
                | KnownType::Chars,
            ) => true,
            Some(KnownType::Box) => type_args(args).take(1).any(has_no_trusted_len),
            _ => match iterates(path) {
                Iterates::Adaptor { of, keeps: Keeps::Positions | Keeps::Length, .. } => {
                    type_args(args).take(of).any(has_no_trusted_len)
                }
                _ => !path.is_of_std(),
            },
        },
        _ => false,
    }
}

/// Whether nobody sees how often the iterator is asked for items, but by what it gives.
pub(super) fn is_silent(program: &Program, ty: &Ty) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else { return false };
    let items = || type_args(args).all(|ty| !needs_drop(program, ty));
    let Some(known) = path.known_type() else { return is_silent_source(path, args, items) };
    match known {
        KnownType::SliceIter
        | KnownType::SliceIterMut
        | KnownType::Chunks
        | KnownType::ChunksMut
        | KnownType::ChunksExact
        | KnownType::ChunksExactMut
        | KnownType::RChunks
        | KnownType::Windows
        | KnownType::Bytes
        | KnownType::Chars
        | KnownType::OptionIter
        | KnownType::OptionIterMut
        | KnownType::Empty => true,
        KnownType::Range | KnownType::RangeInclusive => {
            type_args(args).all(|ty| matches!(ty.kind(), TyKind::Int(_) | TyKind::Char))
        }
        KnownType::VecIntoIter | KnownType::ArrayIntoIter | KnownType::Once => items(),
        // A clone may do anything.
        KnownType::Cloned => {
            type_args(args).take(1).all(|inner| is_silent(program, inner) && gives_copies(program, inner))
        }
        KnownType::Copied
        | KnownType::Enumerate
        | KnownType::Rev
        | KnownType::Take
        | KnownType::Skip
        | KnownType::StepBy
        | KnownType::Fuse
        | KnownType::Peekable
        | KnownType::Chain
        | KnownType::Zip => {
            let Iterates::Adaptor { of, .. } = iterates(path) else { return false };
            type_args(args).take(of).all(|inner| is_silent(program, inner))
        }
        _ => is_silent_source(path, args, items),
    }
}

/// The same of iterators of which no table knows more than the module.
fn is_silent_source(path: &Path, args: &[GenericArg], drops_nothing: impl Fn() -> bool) -> bool {
    let name = path.last();
    let gives_references =
        !["Into", "Drain", "Extract", "Splice"].iter().any(|start| name.starts_with(start));
    iterates(path) == Iterates::Unknown
        && path.begins_in_std(&ASK_NO_ITERATOR)
        && !type_args(args).any(may_be_called)
        && (gives_references || drops_nothing())
}

/// Modules of the library whose iterators ask no other iterator for items, but closures for what belongs together.
const ASK_NO_ITERATOR: [&str; 4] = ["collections::", "slice::", "str::", "vec::"];

/// Whether a closure or what calls one is within.
fn may_be_called(ty: &Ty) -> bool {
    let mut found = false;
    let mut look = |part: Ty| {
        found |= matches!(
            part.kind(),
            TyKind::Closure(..) | TyKind::FnDef(_) | TyKind::FnPtr { .. } | TyKind::Dyn(_) | TyKind::Param(_)
        );
        part
    };
    ty.map(&mut look, &mut |constant| constant);
    found
}

/// Whether the iterator gives references to what the library copies where it is to be cloned.
fn gives_copies(program: &Program, ty: &Ty) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else { return false };
    match path.known_type() {
        Some(KnownType::SliceIter) => {
            type_args(args).all(|item| is_of_std(item) && is_copy(program, item) == Some(true))
        }
        Some(KnownType::Rev | KnownType::Take | KnownType::Skip | KnownType::StepBy) => {
            type_args(args).take(1).all(|inner| gives_copies(program, inner))
        }
        _ => false,
    }
}

/// Whether a `skip` is within that asks for what it leaves out, so that it is seen.
pub(super) fn skips_what_is_seen(program: &Program, ty: &Ty) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else { return false };
    let inside = || type_args(args).any(|inner| skips_what_is_seen(program, inner));
    path == KnownType::Skip && !type_args(args).take(1).all(|inner| is_silent(program, inner)) || inside()
}

/// Whether consumers are known to ask the iterator, and all that it adapts, for items as often as `next` does.
pub(crate) fn is_asked_by_next(program: &Program, ty: &Ty) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else { return true };
    let inside: Vec<&Ty> = type_args(args).collect();
    let is_known = match (path.known_type(), inside.as_slice()) {
        (Some(KnownType::Zip), [a, b]) => zips_by_index(program, a, b).is_some(),
        (Some(KnownType::Take), [ty]) => answer(program, Question::SkipsUnseen, &[ty]).is_some(),
        _ => true,
    };
    is_known && inside.into_iter().all(|ty| is_asked_by_next(program, ty))
}

/// Whether the type and all iterators that it adapts are the library's.
pub(crate) fn is_iterator_of_std(ty: &Ty) -> bool {
    let TyKind::Adt(path, args) = ty.kind() else { return false };
    match iterates(path) {
        Iterates::Source(_) => true,
        Iterates::Adaptor { of, .. } => type_args(args).take(of).all(is_iterator_of_std),
        Iterates::Unknown => path.begins_in_std(&ASK_NO_ITERATOR),
    }
}

/// Whether to take an item off a std iterator runs code of the program: a closure, or a clone.
fn calls_code(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, args) => {
            matches!(path.known_type(), Some(KnownType::Map | KnownType::Cloned))
                || type_args(args).any(calls_code)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Question;
    use super::super::tests::{adt, byte, check};
    use super::*;

    #[test]
    fn iterators_are_known_by_their_layers() {
        let items = || adt(KnownType::SliceIter, vec![byte()]);
        let mapped = || adt(KnownType::Map, vec![items(), adt("k::F", vec![])]);
        let filtered = || adt(KnownType::Filter, vec![items(), adt("k::F", vec![])]);
        check(Question::ComparesLengths, &[&mapped(), &items()], Some(true));
        check(Question::ComparesLengths, &[&mapped(), &filtered()], Some(false));
        check(Question::ComparesLengths, &[&items(), &items()], Some(false));
        let by_key = adt("std::collections::btree_map::Iter", vec![byte(), byte()]);
        check(Question::ComparesLengths, &[&by_key, &items()], Some(false));
        // Its length may be trusted or not.
        let skipped = adt(KnownType::Skip, vec![mapped()]);
        check(Question::ComparesLengths, &[&skipped, &items()], None);
        check(Question::ZipsByIndex, &[&mapped(), &items()], Some(true));
        check(Question::ZipsByIndex, &[&items(), &mapped()], Some(false));
        check(Question::ZipsByIndex, &[&mapped(), &filtered()], Some(false));
        // Neither a way that is known, nor sure to be the plain one.
        let reversed = || adt(KnownType::Rev, vec![items()]);
        check(Question::ZipsByIndex, &[&mapped(), &reversed()], None);
        check(Question::ZipsByIndex, &[&items(), &reversed()], Some(false));
        let characters = adt(KnownType::Range, vec![Ty::new(TyKind::Char)]);
        check(Question::ZipsByIndex, &[&mapped(), &characters], None);
        check(Question::ZipsByIndex, &[&mapped(), &adt(KnownType::Range, vec![byte()])], Some(true));
        check(Question::ZipsByIndex, &[&mapped(), &adt("k::Own", vec![])], Some(false));
    }

    #[test]
    fn what_is_skipped_may_be_seen() {
        let items = || adt(KnownType::SliceIter, vec![byte()]);
        let skipped = |ty: Ty| adt(KnownType::Skip, vec![ty]);
        let mapped = || adt(KnownType::Map, vec![items(), adt("k::F", vec![])]);
        let filtered = || adt(KnownType::Filter, vec![mapped(), adt("k::F", vec![])]);
        check(Question::SkipsUnseen, &[&skipped(items())], Some(true));
        check(Question::SkipsUnseen, &[&mapped()], Some(true));
        check(Question::SkipsUnseen, &[&skipped(mapped())], None);
        check(Question::SkipsUnseen, &[&adt(KnownType::Rev, vec![skipped(mapped())])], None);
        check(Question::SkipsUnseen, &[&skipped(filtered())], None);
        check(Question::AsksUnseen, &[&skipped(items())], Some(true));
        check(Question::AsksUnseen, &[&mapped()], None);
    }
}
