//! What declarations say differently: of functions, of foreign items, of whole crates.
//!
//! A foreign function or static is known by its declaration and by what its symbol leads to: functions of the program that export it, or code outside of the
//! program. The latter may call whatever the program exports, and is the same only if nobody says otherwise ([`super::Surroundings`]).

use std::collections::{BTreeMap, BTreeSet};

use super::matching::Pairing;
use crate::ir::{FnId, Foreign, Frame, Name, Origin, Path, Program};

/// Code outside of the program's crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForeignCode {
    Same,
    /// It need not be the same in both versions.
    Unknown,
}

/// Whether both versions declare the function alike. Its body is compared elsewhere.
pub(super) fn same_declaration(old: &Program, old_id: FnId, new: &Program, new_id: FnId) -> bool {
    old.declared.functions.get(&old_id) == new.declared.functions.get(&new_id)
}

/// Whether two functions without a body are the same: models are, foreign functions by what is said of them.
pub(super) fn same_without_body(old: &Program, old_id: FnId, new: &Program, new_id: FnId) -> bool {
    let of = |program: &Program, id: FnId| {
        let function = &program.functions[id];
        (function.origin == Origin::StdModel, program.declared.foreign.get(&function.path).cloned())
    };
    of(old, old_id) == of(new, new_id)
}

/// Crates of which what belongs to no item is not the same. A crate that only one version has is another matter.
pub(super) fn differing_frames(old: &Program, new: &Program) -> BTreeSet<Name> {
    let differs = |(name, frame): &(&Name, &Frame)| {
        new.declared.frames.get(*name).is_some_and(|other| !frame.is_same(other))
    };
    old.declared.frames.iter().filter(differs).map(|(name, _)| name.clone()).collect()
}

/// Paths of foreign items that are not the same.
pub(super) fn differing_foreign(
    old: &Program,
    new: &Program,
    pairing: &Pairing,
    code: ForeignCode,
) -> BTreeSet<Path> {
    let exports = |program: &Program, is_new: bool| -> BTreeMap<String, BTreeSet<Option<FnId>>> {
        let of = |id: &FnId| if is_new { Some(*id) } else { pairing.to_new[*id] };
        let exported = program.declared.exported.iter();
        exported.map(|(symbol, ids)| (symbol.clone(), ids.iter().map(of).collect())).collect()
    };
    let (old_exports, new_exports) = (exports(old, false), exports(new, true));
    let same_exports = old_exports == new_exports;
    let paths = old.declared.foreign.keys().chain(new.declared.foreign.keys());
    let differs = |path: &&Path| {
        let (Some(a), Some(b)) = (old.declared.foreign.get(*path), new.declared.foreign.get(*path)) else {
            return true;
        };
        let means = |foreign: &Foreign, exports: &BTreeMap<String, BTreeSet<Option<FnId>>>| {
            exports.get(&foreign.symbol).cloned()
        };
        let (in_old, in_new) = (means(a, &old_exports), means(b, &new_exports));
        let is_outside = in_old.is_none() || in_new.is_none();
        a != b || in_old != in_new || (is_outside && (!same_exports || code == ForeignCode::Unknown))
    };
    paths.filter(differs).cloned().collect()
}

/// The functions that a foreign item may come to: those of its symbol, or for code outside of the program all that are exported.
pub(super) fn behind_symbol(program: &Program, foreign: &Foreign) -> BTreeSet<FnId> {
    match program.declared.exported.get(&foreign.symbol) {
        Some(ids) => ids.clone(),
        None => program.declared.exported.values().flatten().copied().collect(),
    }
}

/// Names by which a body in the crate asks for names: those of types and of functions are part of what it gives.
pub(super) fn tells_names(path: &Path) -> bool {
    path.as_str().contains("any::type_name")
}
