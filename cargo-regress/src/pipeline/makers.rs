//! Which functions of the crate make inputs for both versions.

use std::collections::HashSet;

use regress_core::align::Alignment;
use regress_core::compare::Chooser;
use regress_core::exec::Makers;
use regress_core::ir::{FnId, Subst, Ty, TyKind};
use regress_core::verdict::ChangeKind;

use super::load::Loaded;

/// The makers of what these functions of the new version are given, with what stands for their parameters.
///
/// A step that changed leads to another state in each version. Where both define the type alike, that is a difference of the step, which
/// its own comparison shows, and none of the functions that are given the value.
pub(super) fn common(loaded: &Loaded, alignment: &Alignment, subjects: &[(FnId, &Subst)]) -> Makers {
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let chooser = Chooser::new(old, new);
    let choose_types =
        |old: FnId, new: FnId| chooser.choose(old, new, &[]).ok().map(|instantiation| instantiation.new);
    let mut makers = Makers::common(old, new, subjects, &choose_types);
    let unchanged: HashSet<FnId> = (alignment.pairs.iter())
        .filter(|pair| pair.kind == ChangeKind::Unchanged)
        .filter_map(|pair| pair.new)
        .collect();
    let differs = |ty: &Ty| matches!(ty.kind(), TyKind::Adt(path, _) if alignment.common.of(path).is_some());
    makers.retain(|maker| !maker.is_step() || unchanged.contains(&maker.new) || differs(&maker.makes));
    makers
}
