//! Static facts about one version's bodies, computed once and shared by all runs on it: control flow, which calls may
//! not come back, what the arms of a branch may define.
//!
//! All of it over-approximates: a place too many costs precision, one too few would cost soundness.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::cells;
use super::changes::Changes;
use super::exposed::Exposed;
use super::intrinsics;
use super::overrides::Overrides;
use super::raw;
use super::resolve;
use super::run::PanicPolicy;
use super::unwinding::Stubborn;
use super::writes::{self, Aliases, Effects};
use crate::cfg::ControlFlow;
use crate::ir::{
    BlockId, BlockRole, Body, Callee, CommonShapes, FnBody, FnId, FnRef, FunctionKind, Place, Program,
    Projection, TerminatorKind,
};

/// One version of the program with what is known of its bodies.
pub struct Image<'p> {
    pub program: &'p Program,
    /// What this version's types have in common with those of the version that it is compared with.
    common: CommonShapes,
    /// Which changes its statements belong to, for runs that ask what depends on them.
    pub(super) changes: Option<&'p Changes>,
    panics: PanicPolicy,
    statics: MutableStatics,
    pub(super) overrides: Overrides,
    stubborn: OnceCell<Stubborn>,
    infos: RefCell<FxHashMap<FnId, Rc<BodyInfo>>>,
    diverges: RefCell<FxHashMap<FnId, Divergence>>,
    pub(super) effects: RefCell<Effects>,
}

/// Whether a call can leave something behind that neither its result nor its arguments show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutableStatics {
    None,
    Some,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Divergence {
    /// Being computed: meeting it again means recursion, which may not end.
    InProgress,
    Known(MayDiverge),
}

/// Whether a call may end otherwise than by returning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayDiverge {
    No,
    Yes,
}

/// What is known of one body.
pub struct BodyInfo {
    pub flow: ControlFlow,
    pub aliases: Aliases,
    /// Keyed by branch block and successor.
    may_define: RefCell<FxHashMap<(BlockId, BlockId), Rc<MayDefine>>>,
}

/// What the blocks of a region may write.
#[derive(Debug, Default)]
pub struct MayDefine {
    /// Written or mutably borrowed there.
    pub places: Vec<Place>,
    /// All that can be written through the pointers held here may be written.
    pub reachable_from: Vec<Place>,
    /// Borrowed there by a shared reference, so the cells in it may be written, and what its pointers allow.
    pub shared: Vec<Place>,
    /// Functions are called or addresses of statics taken there, so any mutable static may be written.
    pub statics: bool,
}

impl<'p> Image<'p> {
    pub fn new(program: &'p Program, panics: PanicPolicy) -> Self {
        let any = program.functions.iter().any(|function| match function.kind {
            FunctionKind::StaticMut => true,
            FunctionKind::Static => !cells::is_constant(program, &function.output),
            _ => false,
        });
        let statics = if any { MutableStatics::Some } else { MutableStatics::None };
        Image {
            program,
            common: CommonShapes::default(),
            changes: None,
            panics,
            statics,
            overrides: Overrides::of(program),
            stubborn: OnceCell::new(),
            infos: RefCell::default(),
            diverges: RefCell::default(),
            effects: RefCell::default(),
        }
    }

    /// For a comparison with a version in which some types have other definitions. Both versions' images need the same.
    pub fn with_common(self, common: &CommonShapes) -> Self {
        Image { common: common.clone(), ..self }
    }

    /// For runs whose slices tell changes too.
    pub fn with_changes(self, changes: &'p Changes) -> Self {
        Image { changes: Some(changes), ..self }
    }

    pub fn common(&self) -> &CommonShapes {
        &self.common
    }

    pub fn mutable_statics(&self) -> MutableStatics {
        self.statics
    }

    pub fn body(&self, function: FnId) -> Option<&'p Body> {
        match &self.program.functions[function].body {
            FnBody::Present(body) => Some(body),
            _ => None,
        }
    }

    pub fn info(&self, function: FnId, body: &Body) -> Rc<BodyInfo> {
        if let Some(info) = self.infos.borrow().get(&function) {
            return info.clone();
        }
        let info = Rc::new(self.analyse(function, body));
        self.infos.borrow_mut().insert(function, info.clone());
        info
    }

    fn analyse(&self, _function: FnId, body: &Body) -> BodyInfo {
        let flow = match self.panics {
            PanicPolicy::AssumeNone => ControlFlow::new(&without_panics(body), &|_| false),
            PanicPolicy::Outcomes => {
                let plain = ControlFlow::new(body, &|_| false);
                ControlFlow::new(body, &|block| {
                    // A branch in a loop may decide to stay there for ever; so may a call, on an iterator say.
                    let decides = matches!(
                        body.blocks[block].terminator.kind,
                        TerminatorKind::Call { .. }
                            | TerminatorKind::Drop { .. }
                            | TerminatorKind::SwitchInt { .. }
                    );
                    (decides && plain.in_cycle(block))
                        || self.terminator_may_diverge(body, block) == MayDiverge::Yes
                        || raw::used_in(body, block)
                })
            }
        };
        BodyInfo { flow, aliases: Aliases::of(self.program, body), may_define: RefCell::default() }
    }

    /// Whether a call or drop that ends the block may not come back.
    fn terminator_may_diverge(&self, body: &Body, block: BlockId) -> MayDiverge {
        match &body.blocks[block].terminator.kind {
            TerminatorKind::Call { callee: Callee::Fn(fn_ref), .. } => self.call_may_diverge(fn_ref),
            TerminatorKind::Call { callee: Callee::Pointer(_), .. } => MayDiverge::Yes,
            TerminatorKind::Drop { place, .. } => {
                // The local owns what is dropped unless a reference is followed on the way.
                let through_reference = place.projection.iter().any(|step| matches!(step, Projection::Deref));
                let ty = &body.locals[place.local].ty;
                MayDiverge::from(through_reference || resolve::needs_drop(self.program, ty))
            }
            _ => MayDiverge::No,
        }
    }

    pub fn call_may_diverge(&self, fn_ref: &FnRef) -> MayDiverge {
        if intrinsics::is_total(fn_ref) {
            return MayDiverge::No;
        }
        match resolve::resolve(self.program, fn_ref) {
            Some(resolved) => self.may_diverge(resolved.function),
            None => MayDiverge::Yes,
        }
    }

    pub(super) fn stubborn(&self) -> &Stubborn {
        self.stubborn.get_or_init(|| Stubborn::of(self))
    }

    pub(super) fn may_diverge(&self, function: FnId) -> MayDiverge {
        match self.diverges.borrow().get(&function) {
            Some(Divergence::Known(known)) => return *known,
            Some(Divergence::InProgress) => return MayDiverge::Yes,
            None => {}
        }
        self.diverges.borrow_mut().insert(function, Divergence::InProgress);
        let answer = match self.body(function) {
            Some(body) => self.body_may_diverge(body),
            None => MayDiverge::Yes,
        };
        self.diverges.borrow_mut().insert(function, Divergence::Known(answer));
        answer
    }

    fn body_may_diverge(&self, body: &Body) -> MayDiverge {
        let flow = ControlFlow::new(body, &|_| false);
        let diverges =
            body.blocks.iter_enumerated().filter(|(_, block)| block.role == BlockRole::Normal).any(
                |(id, block)| match &block.terminator.kind {
                    TerminatorKind::Assert { .. }
                    | TerminatorKind::Unsupported(_)
                    | TerminatorKind::Abort => true,
                    TerminatorKind::Call { target: None, .. } => true,
                    _ => {
                        flow.in_cycle(id)
                            || self.terminator_may_diverge(body, id) == MayDiverge::Yes
                            || raw::used_in(body, id)
                    }
                },
            );
        MayDiverge::from(diverges)
    }
}

impl From<bool> for MayDiverge {
    fn from(may: bool) -> Self {
        if may { MayDiverge::Yes } else { MayDiverge::No }
    }
}

/// The body as it is if checks always hold and panicking arms are never taken.
fn without_panics(body: &Body) -> Body {
    let mut body = body.clone();
    for block in body.blocks.iter_mut() {
        match &block.terminator.kind {
            TerminatorKind::Assert { target, .. } => block.terminator.kind = TerminatorKind::Goto(*target),
            TerminatorKind::Call { target: None, .. } => block.terminator.kind = TerminatorKind::Unreachable,
            _ => {}
        }
    }
    body
}

impl MayDefine {
    /// Leaves out what would be reached through pointers that the arm assigns before it follows them. What these are
    /// assigned is held on its own.
    fn retain_exposed(&mut self, exposed: &Exposed) {
        let follows_exposed =
            |place: &Place| !place.projection.contains(&Projection::Deref) || exposed.contains(place.local);
        self.places.retain(follows_exposed);
        self.shared.retain(follows_exposed);
        self.reachable_from.retain(|place| exposed.contains(place.local));
    }
}

impl BodyInfo {
    /// What may be written between the branch at the end of `branch` and its immediate post-dominator if
    /// `successor` is taken.
    pub fn may_define(
        &self,
        image: &Image<'_>,
        body: &Body,
        branch: BlockId,
        successor: BlockId,
    ) -> Rc<MayDefine> {
        if let Some(known) = self.may_define.borrow().get(&(branch, successor)) {
            return known.clone();
        }
        let blocks = self.flow.region(branch, successor);
        let mut defined = writes::of_blocks(image, self, body, blocks);
        defined.retain_exposed(&Exposed::of(body, &self.flow, &self.aliases, blocks, successor));
        let defined = Rc::new(defined);
        self.may_define.borrow_mut().insert((branch, successor), defined.clone());
        defined
    }
}
