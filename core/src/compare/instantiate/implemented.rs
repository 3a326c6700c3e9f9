//! Which traits a type has, as far as the program and the models say. The compiler has the last word.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use crate::exec::layout::tail;
use crate::exec::resolve::{find_impl, normalize};
use crate::ir::stand_ins;
use crate::ir::{GenericArg, KnownTrait, KnownType, Mutability, Name, Path, Program, TraitRef, Ty, TyKind};

use super::{callers, foreign, is_as_ref};

/// What a program implements, as far as it was asked before.
pub(super) struct Implemented<'p> {
    pub(super) program: &'p Program,
    known: RefCell<HashMap<TraitRef, bool>>,
    /// What it calls; asked of the new version only.
    pub(super) calls: OnceCell<callers::Calls>,
    own_crates: OnceCell<HashSet<Name>>,
}

impl<'p> Implemented<'p> {
    pub(super) fn by(program: &'p Program) -> Implemented<'p> {
        Implemented {
            program,
            known: RefCell::default(),
            calls: OnceCell::new(),
            own_crates: OnceCell::new(),
        }
    }

    pub(super) fn has(&self, demand: &TraitRef) -> bool {
        if let Some(known) = self.known.borrow().get(demand) {
            return *known;
        }
        let has = implemented(self.program, demand);
        self.known.borrow_mut().insert(demand.clone(), has);
        has
    }

    /// Whether values of the type may be had: not if a dependency keeps them to itself, or if there are but references to them.
    pub(super) fn can_have(&self, ty: &Ty) -> bool {
        foreign::is_open(self.program, self.own_crates(), ty) && !is_unsized_struct(self.program, ty)
    }

    pub(super) fn own_crates(&self) -> &HashSet<Name> {
        self.own_crates.get_or_init(|| foreign::own_crates(self.program))
    }
}

/// Whether the type is a struct that ends in a slice, a text or a trait object.
fn is_unsized_struct(program: &Program, ty: &Ty) -> bool {
    let is_adt = matches!(ty.kind(), TyKind::Adt(..));
    is_adt && matches!(tail(program, ty).kind(), TyKind::Slice(_) | TyKind::Str | TyKind::Dyn(_))
}

/// Starts of the paths of traits of std that the compiler, not the models, should be asked about.
const COMMON_TRAITS: [&str; 7] =
    ["clone::", "cmp::", "default::", "fmt::Debug", "fmt::Display", "marker::", "panic::"];

pub(super) fn is_common(path: &Path) -> bool {
    path.begins_in_std(&COMMON_TRAITS) || *path == KnownTrait::Hash
}

/// Whether copying the bits copies the value. Types of the program are left to the compiler.
pub(super) fn is_plain(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, _) => !path.is_of_std(),
        TyKind::Ref(mutability, _) => *mutability == Mutability::Shared,
        TyKind::Tuple(tys) => tys.iter().all(is_plain),
        TyKind::Array(elem, _) => is_plain(elem),
        _ => true,
    }
}

/// A path or another text of the system, or a reference to one.
pub(super) fn is_of_system(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(_, inner) => is_of_system(inner),
        TyKind::Adt(path, _) => matches!(
            path.known_type(),
            Some(KnownType::Path | KnownType::PathBuf | KnownType::OsStr | KnownType::OsString)
        ),
        _ => false,
    }
}

/// Whether it is asked whether one text of the system can be looked at as another. No model says so. Text that is not of the system can be, too,
/// but where it may lead to a file only a path shall be built: native runs know what to beware of with those.
fn is_seen_as_of_system(self_ty: &Ty, demand: &TraitRef) -> bool {
    let is_unsized = |arg: &GenericArg| match arg {
        GenericArg::Ty(ty) => match ty.kind() {
            TyKind::Adt(path, _) => {
                matches!(path.known_type(), Some(KnownType::Path | KnownType::OsStr))
            }
            _ => false,
        },
        GenericArg::Const(_) => false,
    };
    is_as_ref(&demand.path) && demand.args.first().is_some_and(is_unsized) && is_of_system(self_ty)
}

fn implemented(program: &Program, demand: &TraitRef) -> bool {
    let self_ty = normalize(program, &demand.self_ty);
    if is_seen_as_of_system(&self_ty, demand) {
        return true;
    }
    // What the language itself copies has no implementation that could be found.
    if demand.path == KnownTrait::Copy && !matches!(self_ty.kind(), TyKind::Adt(..)) {
        return is_plain(&self_ty);
    }
    if let TyKind::Adt(path, _) = self_ty.kind()
        && let Some(heard) = stand_ins::listened_to(path.as_str())
    {
        return demand.path == heard
            || match stand_ins::is_answerer(path.as_str()) {
                true => {
                    demand.path.begins_in_std(&["clone::", "fmt::Debug", "marker::"])
                        && demand.path != KnownTrait::Copy
                }
                false => is_common(&demand.path),
            };
    }
    if stand_ins::as_listening_closure(&self_ty).is_some() {
        return demand.path.known_trait().is_some_and(KnownTrait::is_call) || is_common(&demand.path);
    }
    if let Some((parameters, _)) = stand_ins::as_function(&self_ty)
        && demand.path.known_trait().is_some_and(KnownTrait::is_call)
    {
        return match demand.args.first() {
            Some(GenericArg::Ty(arguments)) => match normalize(program, arguments).kind() {
                TyKind::Tuple(tys) => stand_ins::takes(parameters, tys),
                _ => false,
            },
            _ => false,
        };
    }
    let known = |arg: &GenericArg| match arg {
        GenericArg::Ty(ty) => GenericArg::Ty(normalize(program, ty)),
        other => other.clone(),
    };
    let args = demand.args.iter().map(known).collect();
    // Whether a closure can be called is no question of implementations.
    matches!(self_ty.kind(), TyKind::Closure(..) | TyKind::FnDef(_) | TyKind::FnPtr { .. } | TyKind::Dyn(_))
        || find_impl(program, &TraitRef { self_ty, args, path: demand.path.clone() }).is_some()
}
