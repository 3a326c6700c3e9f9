//! The functions of a merge, and how each stands between any two of the four versions.

use std::collections::HashMap;

use regress_core::align::{Alignment, Pair};
use regress_core::ir::{FnId, Program};
use regress_core::verdict::ChangeKind;

use super::judge::Step;
use crate::pipeline::load::Loaded;
use crate::report::merge::Side;

/// Something of each step.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps<T> {
    pub base_ours: T,
    pub base_theirs: T,
    pub ours_merge: T,
    pub theirs_merge: T,
}

impl<T> Steps<T> {
    pub fn of(&self, step: Step) -> &T {
        match step {
            Step::BaseOurs => &self.base_ours,
            Step::BaseTheirs => &self.base_theirs,
            Step::OursMerge => &self.ours_merge,
            Step::TheirsMerge => &self.theirs_merge,
        }
    }

    pub fn of_mut(&mut self, step: Step) -> &mut T {
        match step {
            Step::BaseOurs => &mut self.base_ours,
            Step::BaseTheirs => &mut self.base_theirs,
            Step::OursMerge => &mut self.ours_merge,
            Step::TheirsMerge => &mut self.theirs_merge,
        }
    }
}

/// How a function stands between the versions of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Nothing differs that it may come to run or use.
    Same { old: FnId, new: FnId },
    /// Something may.
    Differs { old: FnId, new: FnId },
    /// Only one of the versions has it, or they have it with other parameters.
    Other,
    /// Neither has it.
    Absent,
}

/// A function of the merge.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// In the merge's program, as the step from ours has it.
    pub merge: FnId,
    pub links: Steps<Link>,
}

impl Function {
    /// Whether a side changes the function or something that it reaches: on the way from the base to the side, or from the other side to the merge.
    fn is_borne_on_by(&self, side: Side) -> bool {
        let bears = |link: &Link| matches!(link, Link::Differs { .. } | Link::Other);
        let steps = Step::ALL.into_iter().filter(|step| step.brings() == side);
        steps.map(|step| self.links.of(step)).any(bears)
    }
}

/// The functions of the merge on which both sides bear, in the order of the sources.
pub(super) fn borne_on_by_both(aligned: &Steps<(Loaded, Alignment)>) -> Vec<Function> {
    let all = matched(aligned);
    all.into_iter()
        .filter(|function| Side::BOTH.into_iter().all(|side| function.is_borne_on_by(side)))
        .collect()
}

/// Each function of the merge, followed back by way of both sides. A function that one side renamed is found by its old name.
fn matched(aligned: &Steps<(Loaded, Alignment)>) -> Vec<Function> {
    let by_path = |step: Step| -> HashMap<&str, &Pair> {
        let (loaded, alignment) = aligned.of(step);
        let path = |id: FnId| loaded.new.program.functions[id].path.as_str();
        alignment.pairs.iter().filter_map(|pair| Some((path(pair.new?), pair))).collect()
    };
    let theirs_to_merge = by_path(Step::TheirsMerge);
    let from_base = [by_path(Step::BaseOurs), by_path(Step::BaseTheirs)];
    let (ours, to_merge) = &aligned.ours_merge;
    // What the function is between the base and a side, by its name in that side.
    let from_base_to = |index: usize, side: &Program, id: Option<FnId>| {
        let name = id.map(|id| side.moved.source_name(side.functions[id].path.as_str()));
        name.map_or(Link::Absent, |name| link(from_base[index].get(name.as_str()).copied()))
    };
    let mut functions = Vec::new();
    for pair in &to_merge.pairs {
        let Some(merge) = pair.new else { continue };
        let path = ours.new.program.functions[merge].path.as_str();
        let theirs = theirs_to_merge.get(path).copied();
        let links = Steps {
            base_ours: from_base_to(0, &ours.old.program, pair.old),
            base_theirs: from_base_to(
                1,
                &aligned.theirs_merge.0.old.program,
                theirs.and_then(|pair| pair.old),
            ),
            ours_merge: link(Some(pair)),
            theirs_merge: link(theirs),
        };
        functions.push(Function { merge, links });
    }
    functions
}

fn link(pair: Option<&Pair>) -> Link {
    match pair {
        None => Link::Absent,
        Some(Pair { kind: ChangeKind::Unchanged, old: Some(old), new: Some(new), .. }) => {
            Link::Same { old: *old, new: *new }
        }
        Some(Pair {
            kind: ChangeKind::Changed | ChangeKind::Affected,
            old: Some(old),
            new: Some(new),
            ..
        }) => Link::Differs { old: *old, new: *new },
        Some(_) => Link::Other,
    }
}

#[cfg(test)]
mod tests {
    use regress_core::idx::Idx;

    use super::*;

    /// Links are letters: `=`, `d`iffers, `o`ther, `-` for absent; base–ours, base–theirs, ours–merge, theirs–merge.
    #[track_caller]
    fn check(links: &str, expected: [bool; 2]) {
        let id = FnId::from_usize(0);
        let link = |letter| match letter {
            b'=' => Link::Same { old: id, new: id },
            b'd' => Link::Differs { old: id, new: id },
            b'o' => Link::Other,
            _ => Link::Absent,
        };
        let [base_ours, base_theirs, ours_merge, theirs_merge] = links.as_bytes() else { panic!("four") };
        let links = Steps {
            base_ours: link(*base_ours),
            base_theirs: link(*base_theirs),
            ours_merge: link(*ours_merge),
            theirs_merge: link(*theirs_merge),
        };
        let function = Function { merge: id, links };
        let bears = Side::BOTH.map(|side| function.is_borne_on_by(side));
        assert_eq!(bears, expected, "{links:?}", links = function.links);
    }

    #[test]
    fn a_side_bears_on_what_it_changes_wherever_that_shows() {
        check("====", [false, false]);
        // Ours changes it, theirs does not.
        check("d==d", [true, false]);
        // Both do.
        check("dddd", [true, true]);
        // Ours has it call something that theirs changes.
        check("d=dd", [true, true]);
        // Theirs has it no longer call what ours changes.
        check("ddd=", [true, true]);
        // Whoever merged left the change of ours out.
        check("d=d=", [true, true]);
    }

    #[test]
    fn a_function_that_one_side_adds_is_borne_on_by_the_other_where_the_merge_differs() {
        check("o-=o", [true, false]);
        check("o-do", [true, true]);
    }
}
