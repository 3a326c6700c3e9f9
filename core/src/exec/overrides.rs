//! Methods that a type implements itself although their trait has a body for them.
//!
//! The library calls such methods where it likes: `sum` calls `fold`, `skip` calls `nth`, `&mut H` passes `write_u64` on. A model calls what
//! the tests of traces saw the library call, on types whose implementations have the methods of [`FOLLOWED`]. Of any
//! other method of an implementation it cannot be told when the library calls it, so a model that meets such an implementation is
//! not followed any further. A body of a trait's own is not taken either where the type is one of the library's and holds a type that has a body of its own: the
//! library may pass the call on.
//!
//! *Limits.* Traits beyond [`FOLLOWED`] have no methods with bodies, or none that can be written outside of the library.

use rustc_hash::FxHashMap;

use super::resolve::Resolved;
use crate::ir::{GenericArg, ImplId, KnownTrait, Name, Origin, Owner, Path, Program, TraitRef, Ty, TyKind};
use crate::verdict::unsupported::Unsupported;

/// Traits with methods that have bodies, in groups that the library uses together: which methods models call as it does.
const FOLLOWED: &[(Group, KnownTrait, &[&str])] = &[
    (Group::Iterators, KnownTrait::Iterator, &["next", "size_hint"]),
    (Group::Iterators, KnownTrait::DoubleEndedIterator, &["next_back"]),
    (Group::Iterators, KnownTrait::ExactSizeIterator, &["len"]),
    (Group::Orders, KnownTrait::PartialEq, &["eq", "ne"]),
    (Group::Orders, KnownTrait::PartialOrd, &["partial_cmp", "lt", "le", "gt", "ge"]),
    (Group::Orders, KnownTrait::Ord, &["cmp"]),
    (Group::Clones, KnownTrait::Clone, &["clone", "clone_from"]),
    (Group::Clones, KnownTrait::ToOwned, &["to_owned"]),
    (Group::Hashes, KnownTrait::Hash, &["hash"]),
    (
        Group::Hashers,
        KnownTrait::Hasher,
        &[
            "finish",
            "write",
            "write_u8",
            "write_u16",
            "write_u32",
            "write_u64",
            "write_u128",
            "write_usize",
            "write_i8",
            "write_i16",
            "write_i32",
            "write_i64",
            "write_i128",
            "write_isize",
        ],
    ),
    (Group::Hashers, KnownTrait::BuildHasher, &["build_hasher"]),
    (Group::Formatting, KnownTrait::FmtWrite, &["write_str", "write_char"]),
    (Group::Reading, KnownTrait::Read, &["read"]),
    (Group::Reading, KnownTrait::BufRead, &["fill_buf", "consume"]),
    (Group::Writing, KnownTrait::Write, &["write", "flush"]),
    (Group::Seeking, KnownTrait::Seek, &["seek"]),
    (Group::Errors, KnownTrait::Error, &["source"]),
    (Group::Ranges, KnownTrait::RangeBounds, &["start_bound", "end_bound"]),
    (Group::Wakers, KnownTrait::Wake, &["wake"]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Iterators,
    Orders,
    Clones,
    Hashes,
    Hashers,
    Formatting,
    Reading,
    Writing,
    Seeking,
    Errors,
    Ranges,
    Wakers,
}

/// A method that an implementation of the program has.
#[derive(Debug)]
struct Written {
    group: Group,
    item: ImplId,
    method: Name,
}

/// What the implementations of one program have written themselves.
#[derive(Debug, Default)]
pub struct Overrides {
    by_trait: FxHashMap<Path, Vec<Written>>,
    /// Those that no model is known to call as the library does.
    unfollowed: Vec<Written>,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Model,
    Program,
}

impl Overrides {
    pub fn of(program: &Program) -> Overrides {
        let mut overrides = Overrides::default();
        for (group, item, followed) in FOLLOWED {
            let path = Path::from(*item);
            for id in program.impls_of(&path) {
                for (method, function) in &program.impls[*id].methods {
                    if program.functions[*function].origin == Origin::StdModel {
                        continue;
                    }
                    let written = || Written { group: *group, item: *id, method: method.clone() };
                    overrides.by_trait.entry(path.clone()).or_default().push(written());
                    if !followed.iter().any(|name| method == name) {
                        overrides.unfollowed.push(written());
                    }
                }
            }
        }
        overrides
    }

    /// What stands against running the body that a call of a trait's method was resolved to.
    pub fn against(
        &self,
        program: &Program,
        caller: Caller,
        (trait_ref, method): (&TraitRef, &Name),
        resolved: &Resolved,
    ) -> Option<Unsupported> {
        if self.by_trait.is_empty() {
            return None;
        }
        let function = &program.functions[resolved.function];
        match &function.owner {
            Owner::TraitImpl(item) if caller == Caller::Model && function.origin != Origin::StdModel => {
                self.of_a_model(program, *item)
            }
            Owner::Trait(path) if function.origin == Origin::StdModel => {
                self.passed_on(program, path, method, &trait_ref.self_ty)
            }
            _ => None,
        }
    }

    /// A model calls a method of this implementation.
    fn of_a_model(&self, program: &Program, called: ImplId) -> Option<Unsupported> {
        let called = &program.impls[called].trait_ref;
        let group = FOLLOWED.iter().find(|(_, item, _)| called.path == *item)?.0;
        self.unfollowed
            .iter()
            .filter(|written| written.group == group)
            .find(|written| may_be_one(&program.impls[written.item].trait_ref.self_ty, &called.self_ty))
            .map(|written| told(program, written))
    }

    /// A body of a trait's own runs for a type of the library.
    fn passed_on(&self, program: &Program, path: &Path, method: &Name, self_ty: &Ty) -> Option<Unsupported> {
        let written = self.by_trait.get(path)?;
        let is_of_program = matches!(self_ty.kind(), TyKind::Adt(head, _) if !head.is_of_std());
        if is_of_program {
            return None;
        }
        written
            .iter()
            .filter(|written| &written.method == method)
            .find(|written| holds(self_ty, &program.impls[written.item].trait_ref.self_ty))
            .map(|written| told(program, written))
    }
}

fn told(program: &Program, written: &Written) -> Unsupported {
    let trait_ref = &program.impls[written.item].trait_ref;
    Unsupported::Override {
        trait_path: trait_ref.path.to_string(),
        self_ty: trait_ref.self_ty.to_string(),
        method: written.method.to_string(),
    }
}

/// The type that an implementation is for, references taken off. None is any type.
fn head(ty: &Ty) -> Option<&Path> {
    match ty.kind() {
        TyKind::Adt(path, _) => Some(path),
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) => head(inner),
        _ => None,
    }
}

fn may_be_one(a: &Ty, b: &Ty) -> bool {
    match (head(a), head(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// Whether a value of the type may lead to one that the implementation for `pattern` is for.
fn holds(ty: &Ty, pattern: &Ty) -> bool {
    let of =
        |args: &[GenericArg]| args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if holds(ty, pattern)));
    match ty.kind() {
        TyKind::Adt(path, args) => head(pattern).is_none_or(|head| head == path) || of(args),
        TyKind::Closure(_, args) => of(args),
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            holds(inner, pattern)
        }
        TyKind::Tuple(tys) => tys.iter().any(|ty| holds(ty, pattern)),
        TyKind::Dyn(_) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => true,
        _ => false,
    }
}
