//! Which functions of the crate make inputs for both versions.

use std::collections::HashSet;

use regress_core::align::Alignment;
use regress_core::compare::Chooser;
use regress_core::exec::{Maker, Makers};
use regress_core::ir::{FnId, KnownType, Mutability, Subst, Ty, TyKind};
use regress_core::verdict::ChangeKind;

use super::load::Loaded;

/// For values that are put together from fields.
pub(super) fn by_fields(alignment: &Alignment) -> Makers {
    Makers::default().with_completed(alignment.common.completed.clone())
}

/// The makers of what these functions of the new version are given, with what stands for their parameters.
///
/// A step that changed leads to another state in each version. Where both define the type alike, that is a difference of the step and none of the functions that are given
/// the value, so it makes inputs of itself alone; but where the state has objects in it that do something else by their traits, nothing of that is seen of the step itself.
/// What runs nothing that differs at the types that were chosen leads to the same state, although it may run more at those of a caller.
pub(super) fn common(loaded: &Loaded, alignment: &Alignment, subjects: &[(FnId, &Subst)]) -> Makers {
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let mut makers = common_with_changed_steps(loaded, alignment, subjects);
    let unchanged: HashSet<FnId> = (alignment.pairs.iter())
        .filter(|pair| pair.kind == ChangeKind::Unchanged)
        .filter_map(|pair| pair.new)
        .collect();
    // A caller's types may run anything, those that stand for them here do not.
    let others: Vec<&Maker> =
        makers.iter().filter(|maker| maker.is_step() && !unchanged.contains(&maker.new)).collect();
    let at: Vec<(FnId, FnId, &Subst)> =
        others.iter().map(|maker| (maker.old, maker.new, &maker.subst)).collect();
    let same = alignment.same_at(old, new, &at);
    let same_here: HashSet<(FnId, Ty)> = (others.iter().zip(same))
        .filter(|(_, same)| *same)
        .map(|(maker, _)| (maker.new, maker.makes.clone()))
        .collect();
    let is_same = |maker: &Maker| {
        unchanged.contains(&maker.new) || same_here.contains(&(maker.new, maker.makes.clone()))
    };
    let differs = |ty: &Ty| matches!(ty.kind(), TyKind::Adt(path, _) if alignment.common.of(path).is_some());
    let is_hidden = |maker: &Maker| alignment.gives_other_methods(maker.new);
    let compared: HashSet<FnId> = subjects.iter().map(|(subject, _)| *subject).collect();
    makers.retain(|maker| {
        if !maker.is_step() || is_same(maker) || differs(&maker.makes) || is_hidden(maker) {
            return true;
        }
        maker.only_for = Some(maker.new);
        compared.contains(&maker.new)
    });
    makers
}

/// The same with steps that changed, for functions that shall show what these leave.
pub(super) fn common_with_changed_steps(
    loaded: &Loaded,
    alignment: &Alignment,
    subjects: &[(FnId, &Subst)],
) -> Makers {
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let chooser = Chooser::new(old, new);
    // A text that something is made of leads to more states than a number: `impl ToString`.
    let texts =
        [Ty::adt(KnownType::String, Vec::new()), Ty::reference(Mutability::Shared, Ty::new(TyKind::Str))];
    let choose_types =
        |old: FnId, new: FnId| chooser.choose(old, new, &texts).ok().map(|instantiation| instantiation.new);
    Makers::common(old, new, subjects, &choose_types).with_completed(alignment.common.completed.clone())
}
