//! The machine: frames, the step loop, branches and their regions.
//!
//! Slices follow the rules of the design: *data* and *control* as values are written, *potential* when the region of
//! a branch closes. Two contexts say what control depends on:
//!
//! * `control`: the branches whose region is open; joined to every value written.
//! * `sticky`: branches after which *everything* depends on them, because one of their arms may not come back
//!   (a panic, an endless loop). It only grows, so it is joined to branch slices and to the output, not to each value.
//!
//! A store through a pointer that branches chose goes elsewhere on other runs. Within an arm of such a branch there is
//! nothing to that: the other arms do not come by here. Everywhere else it makes everything depend on the branch, even
//! where `control` holds the branch for another reason (a condition that depends on it in turn). So `open` says which
//! regions are being executed, and each pointer which of them, and what else, it was chosen by.

use std::rc::Rc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Cells;
use super::image::{BodyInfo, Image, MutableStatics};
use super::memory::{Mark, Memory};
use super::resolve::Resolved;
use super::run::{Branch, BranchKind, OtherWays, PanicPolicy, Run, Side, Stop};
use super::slice::{InstanceId, SliceId};
use super::tree::{AllocId, Scalar, ScalarTy, Tree};
use crate::cfg::PostDominator;
use crate::idx::Idx;
use crate::ir::{
    BlockId, Body, Callee, Check, FnId, LocalId, Operand, Origin, Path, Place, Span, StatementKind, Subst,
    Terminator, TerminatorKind,
};
use crate::term::TermId;
use crate::value::PanicKind;
use crate::verdict::unsupported::{CallTrouble, Control, Unsupported};
use crate::verdict::{LoopOf, Version};

/// So many steps are taken before it is looked whether the time is over.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// One version of the program, executing.
pub struct Machine<'m, 'p, 'r> {
    pub image: &'m Image<'p>,
    pub version: Version,
    pub run: &'m mut Run<'r>,
    pub memory: Memory,
    pub(super) frames: Vec<Frame<'p>>,
    pub(super) control: SliceId,
    /// The tokens of the regions being executed.
    pub(super) open: SliceId,
    pub(super) sticky: SliceId,
    pub(super) statics: FxHashMap<Path, AllocId>,
    /// Branches whose untaken arms might have written statics that were not touched yet.
    pub(super) untouched_statics: SliceId,
    pub(super) constants: FxHashMap<(FnId, Vec<crate::ir::GenericArg>), Tree>,
    /// Where vectors and strings lie that were viewed as slices. Their elements move when they grow, to where nobody knows.
    pub(super) viewed: FxHashSet<AllocId>,
}

pub(super) struct Frame<'p> {
    pub function: FnId,
    pub body: &'p Body,
    pub info: Rc<BodyInfo>,
    pub subst: Rc<Subst>,
    pub locals: Vec<AllocId>,
    block: BlockId,
    statement: usize,
    /// Where the caller goes on; none if the machine is to stop when this frame returns.
    continuation: Option<Continuation>,
    regions: Vec<Region>,
    caller_control: SliceId,
    caller_open: SliceId,
    /// How often a decision of a block stayed in the loop with that header.
    rounds: FxHashMap<(BlockId, BlockId), u64>,
}

#[derive(Clone)]
struct Continuation {
    destination: Place,
    target: Option<BlockId>,
}

/// The blocks between a branch and its immediate post-dominator, being executed.
struct Region {
    branch: BlockId,
    /// Where the branch could have gone instead.
    others: Vec<BlockId>,
    closes: PostDominator,
    slice: SliceId,
    /// Itself: its branch instance if it has one.
    token: SliceId,
    outer_control: SliceId,
    outer_open: SliceId,
}

/// A way a branch can go: the condition under which it does, and where it leads.
struct Arm {
    condition: TermId,
}

/// One decision of a switch: its arms, if it depends on the input, and where it could have led instead.
struct Test {
    side: Side,
    arms: Option<(Arm, Vec<Arm>)>,
    others: Vec<BlockId>,
}

/// Which way a branch goes, and what there is on the others.
#[derive(Clone, Copy)]
struct Way {
    kind: BranchKind,
    side: Side,
    other_ways: OtherWays,
}

/// Blocks that are looked at to see that a function does not return from one: a message is put together before a panic.
const BLOCKS_TO_A_PANIC: usize = 6;

/// Whether a block leads straight to a call that does not return.
fn fails(body: &Body, mut block: BlockId) -> bool {
    for _ in 0..BLOCKS_TO_A_PANIC {
        match &body.blocks[block].terminator.kind {
            TerminatorKind::Call { target: None, .. } => return true,
            TerminatorKind::Call { target: Some(target), .. }
            | TerminatorKind::Goto(target)
            | TerminatorKind::Drop { target, .. } => block = *target,
            _ => return false,
        }
    }
    false
}

impl<'p> Frame<'p> {
    /// The terminator of the block that is being executed.
    pub(super) fn terminator(&self) -> &'p TerminatorKind {
        &self.body.blocks[self.block].terminator.kind
    }

    /// Whether the machine stops when this frame returns.
    pub(super) fn is_waited_for(&self) -> bool {
        self.continuation.is_none()
    }
}

impl<'m, 'p, 'r> Machine<'m, 'p, 'r> {
    pub fn new(image: &'m Image<'p>, version: Version, run: &'m mut Run<'r>) -> Self {
        Machine {
            image,
            version,
            run,
            memory: Memory::default(),
            frames: Vec::new(),
            control: SliceId::empty(),
            open: SliceId::empty(),
            sticky: SliceId::empty(),
            statics: FxHashMap::default(),
            untouched_statics: SliceId::empty(),
            constants: FxHashMap::default(),
            viewed: FxHashSet::default(),
        }
    }

    /// Everything the end of the run depends on, whatever the output holds.
    pub fn sticky(&self) -> SliceId {
        self.sticky
    }

    /// Runs a function to its end and gives its return value.
    pub fn call_and_wait(&mut self, callee: Resolved, args: Vec<Tree>) -> Result<Tree, Stop> {
        let depth = self.frames.len();
        self.push_frame(callee, args, None)?;
        loop {
            if let Some(value) = self.step()? {
                debug_assert_eq!(self.frames.len(), depth);
                return Ok(value);
            }
        }
    }

    pub(super) fn push_frame(
        &mut self,
        callee: Resolved,
        args: Vec<Tree>,
        continuation: Option<(Place, Option<BlockId>)>,
    ) -> Result<(), Stop> {
        if self.frames.len() >= self.run.limits.max_depth {
            let limit = self.run.limits.max_depth as u64;
            let function = self.image.program.functions[callee.function].path.to_string();
            return Err(Stop::CallDepth { function, limit, slice: self.context() });
        }
        let program = self.image.program;
        let Some(body) = self.image.body(callee.function) else {
            return Err(Stop::OpaqueCall { callee: program.functions[callee.function].path.to_string() });
        };
        if body.arg_count != args.len() {
            let trouble = CallTrouble::Arguments { given: args.len() as u32, taken: body.arg_count as u32 };
            return Err(Stop::of_call(&program.functions[callee.function].path, trouble));
        }
        let mut values = args.into_iter();
        let locals = body
            .locals
            .ids()
            .map(|local| {
                let is_arg = (1..=body.arg_count).contains(&local.index());
                let value = if is_arg { values.next().unwrap_or(Tree::Uninit) } else { Tree::Uninit };
                self.memory.allocate(value)
            })
            .collect();
        self.frames.push(Frame {
            function: callee.function,
            body,
            info: self.image.info(callee.function, body),
            subst: Rc::new(callee.subst),
            locals,
            block: BlockId::entry(),
            statement: 0,
            continuation: continuation.map(|(destination, target)| Continuation { destination, target }),
            regions: Vec::new(),
            caller_control: self.control,
            caller_open: self.open,
            rounds: FxHashMap::default(),
        });
        Ok(())
    }

    pub(super) fn frame(&self) -> &Frame<'p> {
        self.frames.last().expect("a machine that steps has a frame")
    }

    fn frame_mut(&mut self) -> &mut Frame<'p> {
        self.frames.last_mut().expect("a machine that steps has a frame")
    }

    /// What whatever happens now depends on.
    pub(super) fn context(&mut self) -> SliceId {
        self.run.union(self.control, self.sticky)
    }

    /// These branches decided what is called or where something is written, so that what they touch on other runs is not
    /// seen on this one: everything depends on them. Within their own regions that is known already.
    pub(super) fn depend_on(&mut self, chosen_by: Mark) {
        if !self.is_within_arms_of(chosen_by) {
            self.sticky = self.run.union(self.sticky, chosen_by.slice);
        }
    }

    /// Whether what happens now happens on no run on which the branches go another way, or is known to depend on them.
    fn is_within_arms_of(&mut self, chosen_by: Mark) -> bool {
        let known = self.run.union(self.open, self.sticky);
        self.run.slices.is_subset(chosen_by.chosen, known)
    }

    /// Executes one statement or terminator; the return value if the outermost waited-for frame returned.
    fn step(&mut self) -> Result<Option<Tree>, Stop> {
        self.execute().map_err(|stop| self.unwound(stop))
    }

    fn execute(&mut self) -> Result<Option<Tree>, Stop> {
        self.run.steps += 1;
        if self.run.steps > self.run.limits.max_steps {
            return Err(Stop::StepBudget { limit: self.run.limits.max_steps });
        }
        self.look_at_time(self.run.steps)?;
        let frame = self.frame();
        let body = frame.body;
        let block = &body.blocks[frame.block];
        if let Some(statement) = block.statements.get(frame.statement) {
            let changes = self.changes_here();
            self.frame_mut().statement += 1;
            self.under(changes, |machine| machine.perform(&statement.kind))?;
            return Ok(None);
        }
        let changes = self.changes_here();
        self.terminate(&block.terminator, changes)
    }

    /// Ends the run where its time is over; looks at the clock only now and then, by what was counted.
    pub(super) fn look_at_time(&self, count: u64) -> Result<(), Stop> {
        match self.run.limits.end {
            Some(end) if count.is_multiple_of(STEPS_BETWEEN_LOOKS) && Instant::now() > end.at => {
                Err(Stop::TimeBudget { seconds: end.seconds })
            }
            _ => Ok(()),
        }
    }

    fn perform(&mut self, statement: &'p StatementKind) -> Result<(), Stop> {
        match statement {
            StatementKind::Assign(place, rvalue) => {
                let value = self.rvalue(rvalue)?;
                self.assign(place, value)
            }
            StatementKind::SetDiscriminant(place, variant) => self.set_discriminant(place, *variant),
            StatementKind::Nop => Ok(()),
        }
    }

    /// The changes that what is executed next belongs to; the empty set unless these are asked for.
    fn changes_here(&mut self) -> SliceId {
        let Some(changes) = self.image.changes else { return SliceId::empty() };
        let frame = self.frame();
        let here = changes.at(frame.function, (frame.block, frame.statement));
        self.run.slices.of_changes(here)
    }

    /// Does something that no region ends in, and what it writes and decides depends on these changes. They do not change what is
    /// executed after it.
    fn under<T>(
        &mut self,
        changes: SliceId,
        act: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let control = self.control;
        self.control = self.run.union(control, changes);
        let done = act(self);
        self.control = control;
        done
    }

    fn terminate(&mut self, terminator: &'p Terminator, changes: SliceId) -> Result<Option<Tree>, Stop> {
        match &terminator.kind {
            TerminatorKind::Goto(target) => {
                // Where it would have gone instead, no arm of a branch says.
                self.sticky = self.run.union(self.sticky, changes);
                self.go_to(*target)?;
            }
            TerminatorKind::SwitchInt { discr, targets, otherwise } => {
                let discr = self.scalar_operand(discr)?;
                let discr = Scalar { slice: self.run.union(discr.slice, changes), ..discr };
                self.switch(discr, targets, *otherwise, terminator.span)?;
            }
            TerminatorKind::Return => return self.return_from_frame(),
            TerminatorKind::Drop { place, target, .. } => {
                self.under(changes, |machine| machine.drop_place(place))?;
                self.go_to(*target)?;
            }
            TerminatorKind::Call { callee, args, destination, target, .. } => {
                let (outer, depth) = (self.control, self.frames.len());
                let within = self.run.union(outer, changes);
                self.control = within;
                let called = self.call(callee, args, destination, *target, terminator.span);
                // What was called is under the change while it runs, what follows is not. Where the call is over already, a region may have ended.
                if self.frames.len() > depth {
                    self.frame_mut().caller_control = outer;
                } else if self.control == within {
                    self.control = outer;
                }
                called?;
            }
            TerminatorKind::Assert { condition, expected, check, target, .. } => {
                self.under(changes, |machine| machine.check(condition, *expected, check, terminator.span))?;
                self.go_to(*target)?;
            }
            TerminatorKind::Unreachable => {
                return Err(Stop::Unsupported(Unsupported::Control(Control::Unreachable)));
            }
            TerminatorKind::Resume | TerminatorKind::Abort => {
                return Err(Stop::Unsupported(Unsupported::Control(Control::CleanUp)));
            }
            TerminatorKind::Unsupported(what) => {
                return Err(Stop::Unsupported(Unsupported::Control(Control::Terminator {
                    text: what.clone(),
                })));
            }
        }
        Ok(None)
    }

    /// Enters a block of the current frame, closing the regions that end there.
    pub(super) fn go_to(&mut self, target: BlockId) -> Result<(), Stop> {
        let here = PostDominator::Block(target);
        while self.frame().regions.iter().any(|region| region.closes == here) {
            self.close_region();
        }
        let frame = self.frame_mut();
        frame.block = target;
        frame.statement = 0;
        Ok(())
    }

    fn return_from_frame(&mut self) -> Result<Option<Tree>, Stop> {
        while !self.frame().regions.is_empty() {
            self.close_region();
        }
        let return_place = self.frame().locals[LocalId::return_place().index()];
        let value = std::mem::replace(&mut self.memory.allocs[return_place], Tree::Uninit);
        let value = match value {
            // A function that returns `()` may never write its return place.
            Tree::Uninit => Tree::unit(),
            value => value,
        };
        let frame = self.frames.pop().expect("a frame returns");
        self.control = frame.caller_control;
        self.open = frame.caller_open;
        let Some(Continuation { destination, target }) = frame.continuation else {
            return Ok(Some(value));
        };
        self.assign(&destination, value)?;
        match target {
            Some(target) => self.go_to(target)?,
            None => return Err(Stop::Unsupported(Unsupported::Control(Control::Returned))),
        }
        Ok(None)
    }

    /// Closes the innermost region: what its other arms might have written depends on the branch.
    fn close_region(&mut self) {
        let Some(region) = self.frame_mut().regions.pop() else { return };
        self.control = region.outer_control;
        self.open = region.outer_open;
        let mark = Mark { slice: region.slice, chosen: region.token };
        let (info, body) = (self.frame().info.clone(), self.frame().body);
        for successor in region.others.iter().copied() {
            let defined = info.may_define(self.image, body, region.branch, successor);
            for place in &defined.places {
                if let Some(location) = self.locate_softly(place) {
                    self.memory.taint(self.run, &location, mark);
                    self.depend_on_target(&region, location.mark());
                }
            }
            for place in &defined.reachable_from {
                self.taint_reachable_from(place, &region, mark);
            }
            if self.memory.cells == Cells::Some {
                for place in &defined.shared {
                    if let Some(location) = self.locate_softly(place) {
                        self.memory.taint_cells(self.run, &location, mark);
                        self.depend_on_target(&region, location.mark());
                    }
                    self.taint_reachable_from(place, &region, mark);
                }
            }
            if defined.statics {
                self.taint_statics(region.slice);
                // The other arm might touch a mutable static, which is an output that is not looked at: it has to be
                // run, so that it is refused.
                if self.image.mutable_statics() == MutableStatics::Some {
                    self.sticky = self.run.union(self.sticky, region.slice);
                }
            }
        }
    }

    fn taint_reachable_from(&mut self, place: &Place, region: &Region, mark: Mark) {
        let Some(location) = self.locate_softly(place) else { return };
        let tree = match self.memory.read(self.run, &location) {
            Ok(tree) => tree,
            // Which of several pointers it is depends on the input: it may be any.
            Err(_) => self.memory.as_far_as_known(&location).clone(),
        };
        let chosen_by = self.memory.taint_reachable(self.run, &tree, mark);
        self.depend_on_target(region, chosen_by);
    }

    /// An arm not taken may have written through a pointer that other branches chose. What that pointer refers to on
    /// other runs cannot be marked on this one.
    fn depend_on_target(&mut self, region: &Region, chosen_by: Mark) {
        if !self.is_within_arms_of(chosen_by) {
            let both = self.run.union(region.slice, chosen_by.slice);
            self.sticky = self.run.union(self.sticky, both);
        }
    }

    fn switch(
        &mut self,
        discr: Scalar,
        targets: &[(u128, BlockId)],
        otherwise: Option<BlockId>,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let taken = targets
            .iter()
            .find(|(value, _)| *value == discr.bits)
            .map(|(_, target)| *target)
            .or(otherwise)
            .ok_or(Stop::Unsupported(Unsupported::Control(Control::NoArm)))?;
        let block = self.frame().block;
        for Test { side, arms, others } in self.tests(discr, targets, otherwise, taken) {
            self.branch(discr.slice, arms, others, side, span)?;
        }
        if discr.term.is_some()
            && let Some(header) = self.frame().info.flow.stays_in_loop_at(block, taken)
        {
            let context = self.context();
            let at_header = self.frame().body.blocks[header].terminator.span;
            let leaves_inner = self.frame().info.flow.leaves_cycle(block, taken);
            let span = self.users_span(if leaves_inner { at_header } else { span });
            self.count_round((block, header), context, span)?;
        }
        self.go_to(taken)
    }

    /// The decisions that a switch comes to, in order: for one block after the other whether the value leads there, until it
    /// does. So what an arm does depends on the arms before it and on itself, as in a chain of `if`s, and not on
    /// which of the others it would be. Values that lead to the same block are one arm.
    fn tests(
        &mut self,
        discr: Scalar,
        targets: &[(u128, BlockId)],
        otherwise: Option<BlockId>,
        taken: BlockId,
    ) -> Vec<Test> {
        let body = self.frame().body;
        let is_dead = |block: BlockId| {
            let block = &body.blocks[block];
            block.statements.is_empty() && matches!(block.terminator.kind, TerminatorKind::Unreachable)
        };
        let otherwise = otherwise.filter(|block| *block == taken || !is_dead(*block));
        let mut blocks: Vec<BlockId> = Vec::new();
        for (_, target) in targets {
            if Some(*target) != otherwise && !blocks.contains(target) {
                blocks.push(*target);
            }
        }
        if discr.term.is_none() {
            let others = blocks.into_iter().chain(otherwise).filter(|block| *block != taken).collect();
            return vec![Test { side: Side { tested: taken, leads: true }, arms: None, others }];
        }
        let mut tests = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let values: Vec<TermId> = targets
                .iter()
                .filter(|(_, target)| target == block)
                .map(|(value, _)| {
                    let equal = self.run.equals_const(discr, *value);
                    self.run.term(&equal)
                })
                .collect();
            let leads_here = self.run.pool.or_all(&values);
            let elsewhere = self.run.pool.not(leads_here);
            let side = Side { tested: *block, leads: *block == taken };
            if *block != taken {
                let arms = (Arm { condition: elsewhere }, vec![Arm { condition: leads_here }]);
                tests.push(Test { side, arms: Some(arms), others: vec![*block] });
                continue;
            }
            let others: Vec<BlockId> = blocks[index + 1..].iter().copied().chain(otherwise).collect();
            // The last arm of all is taken where the others are not.
            if !others.is_empty() {
                let arms = (Arm { condition: leads_here }, vec![Arm { condition: elsewhere }]);
                tests.push(Test { side, arms: Some(arms), others });
            }
            break;
        }
        tests
    }

    /// Registers a branch: its instance if it has conditions over the input, its region, or that nothing after it is
    /// independent of it.
    fn branch(
        &mut self,
        discr_slice: SliceId,
        arms: Option<(Arm, Vec<Arm>)>,
        others: Vec<BlockId>,
        side: Side,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let block = self.frame().block;
        let body = self.frame().body;
        let other_ways = match others.iter().all(|other| fails(body, *other)) {
            true => OtherWays::Fail,
            false => OtherWays::MayReturn,
        };
        let way = Way { kind: BranchKind::Switch, side, other_ways };
        let (slice, instance) = self.branch_slice(discr_slice, arms, way, span);
        if slice == SliceId::empty() {
            return Ok(());
        }
        let info = self.frame().info.clone();
        let in_cycle = info.flow.in_cycle(block);
        let assume_none = self.run.limits.panics == PanicPolicy::AssumeNone;
        let closes = info.flow.immediate_post_dominator(block);
        if !assume_none && (in_cycle || closes == PostDominator::Exit) {
            self.sticky = self.run.union(self.sticky, slice);
        } else {
            let (outer_control, outer_open) = (self.control, self.open);
            let token = match instance {
                Some(instance) => self.run.slices.with(SliceId::empty(), instance),
                None => self.run.slices.token(),
            };
            let region = Region { branch: block, others, closes, slice, token, outer_control, outer_open };
            self.frame_mut().regions.push(region);
            self.control = self.run.union(outer_control, slice);
            self.open = self.run.union(outer_open, token);
        }
        Ok(())
    }

    /// The relevant slice of a branch instance, and itself, included in it, if it has a condition over the input.
    fn branch_slice(
        &mut self,
        discr_slice: SliceId,
        arms: Option<(Arm, Vec<Arm>)>,
        Way { kind, side, other_ways }: Way,
        span: Option<Span>,
    ) -> (SliceId, Option<InstanceId>) {
        let context = self.context();
        let slice = self.run.union(discr_slice, context);
        // Without other ways there is nothing to branch on.
        let others: Vec<TermId> = arms
            .iter()
            .flat_map(|(_, others)| others)
            .map(|arm| arm.condition)
            .filter(|condition| self.run.pool.as_bool(*condition) != Some(false))
            .collect();
        let condition = match (arms, others.is_empty()) {
            (Some((taken, _)), false) => taken.condition,
            // It goes another way where earlier branches do. Among the conditions it has none, but its place in their order
            // counts: what it leads to on other runs comes before what does not depend on it.
            _ if kind == BranchKind::Switch && !self.run.slices.is_subset(discr_slice, context) => {
                self.run.pool.bool_const(true)
            }
            _ => return (slice, None),
        };
        let id = InstanceId::from_usize(self.run.branches.len());
        let slice = self.run.slices.with(slice, id);
        let span = self.users_span(span);
        let frame = self.frames.last();
        self.run.branches.push(Branch {
            version: self.version,
            function: frame.map_or(FnId::from_usize(0), |frame| frame.function),
            block: frame.map_or(BlockId::entry(), |frame| frame.block),
            step: self.run.steps,
            span,
            kind,
            side,
            other_ways,
            condition,
            alternatives: others,
            slice,
        });
        (slice, Some(id))
    }

    /// Where the user sees the branch: for one within a model of the standard library, the call that led there.
    fn users_span(&self, span: Option<Span>) -> Option<Span> {
        let is_model =
            |frame: &&Frame<'p>| self.image.program.functions[frame.function].origin == Origin::StdModel;
        let models = self.frames.iter().rev().take_while(is_model).count();
        match self.frames.iter().rev().nth(models) {
            Some(frame) if models > 0 => frame.body.blocks[frame.block].terminator.span,
            _ => span,
        }
    }

    /// The function of the user that runs, be it that it runs a model.
    fn users_function(&self) -> &'p Path {
        let functions = &self.image.program.functions;
        let is_users = |frame: &&Frame<'p>| functions[frame.function].origin != Origin::StdModel;
        let frame = self.frames.iter().rev().find(is_users).unwrap_or_else(|| self.frame());
        &functions[frame.function].path
    }

    /// The model that runs and cannot tell what it does at these types. Users know it by the name of what it models.
    pub(super) fn model_that_asks(&self) -> String {
        self.image.program.functions[self.frame().function].path.to_string()
    }

    /// Counts a round of a loop, by a decision to stay in it: a loop of so many rounds leaves it once more, which is no round.
    fn count_round(
        &mut self,
        decision: (BlockId, BlockId),
        slice: SliceId,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let limit = self.run.limits.max_unwind;
        let rounds = self.frame_mut().rounds.entry(decision).or_insert(0);
        *rounds += 1;
        if *rounds <= limit {
            return Ok(());
        }
        let program = self.image.program;
        let function = &program.functions[self.frame().function];
        // What a macro of std expands to has its place there.
        let is_of_users = |span: &Span| !program.files[span.file].path.starts_with('/');
        let location = match span.filter(is_of_users) {
            Some(span) => format!("{}:{}", program.files[span.file].path, span.line_start),
            None => self.users_function().to_string(),
        };
        let of = if function.origin == Origin::StdModel { LoopOf::Std } else { LoopOf::Program };
        Err(Stop::LoopBound { location, of, limit, slice })
    }

    fn check(
        &mut self,
        condition: &Operand,
        expected: bool,
        check: &Check,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let condition = self.scalar_operand(condition)?;
        let holds = (condition.bits != 0) == expected;
        let kind = PanicKind::of_check(check);
        self.require(condition, expected, BranchKind::Check, span)?;
        if holds {
            return Ok(());
        }
        Err(Stop::Panic { kind, said: kind, message: None, span, slice: self.sticky })
    }

    /// A check: a branch one arm of which panics. Whatever comes after depends on it.
    ///
    /// A check whose condition folded to a constant adds no condition, but its slice still joins the context.
    pub(super) fn require(
        &mut self,
        condition: Scalar,
        expected: bool,
        kind: BranchKind,
        span: Option<Span>,
    ) -> Result<(), Stop> {
        let holds = (condition.bits != 0) == expected;
        if self.run.limits.panics == PanicPolicy::AssumeNone && holds && kind == BranchKind::Check {
            return Ok(());
        }
        let other_ways = match (kind, holds) {
            (BranchKind::Check, true) => OtherWays::Fail,
            _ => OtherWays::MayReturn,
        };
        let slice = self.decide(condition, kind, other_ways, span);
        self.sticky = self.run.union(self.sticky, slice);
        if self.run.limits.panics == PanicPolicy::AssumeNone && !holds && kind == BranchKind::Check {
            return Err(Stop::AssumptionViolated { slice: self.sticky });
        }
        Ok(())
    }

    /// A branch on whether a condition is what it is on this run: its relevant slice.
    fn decide(
        &mut self,
        condition: Scalar,
        kind: BranchKind,
        other_ways: OtherWays,
        span: Option<Span>,
    ) -> SliceId {
        let arms = condition.term.map(|term| {
            let negated = self.run.pool.not(term);
            let (taken, other) = if condition.bits != 0 { (term, negated) } else { (negated, term) };
            (Arm { condition: taken }, vec![Arm { condition: other }])
        });
        let side = Side {
            tested: self.frames.last().map_or(BlockId::entry(), |frame| frame.block),
            leads: condition.bits != 0,
        };
        self.branch_slice(condition.slice, arms, Way { kind, side, other_ways }, span).0
    }

    /// Goes on with the one value this run has, where nothing depends on which one it is but what the caller marks
    /// with the slice that comes back. Other values are other runs, as far as what is marked is looked at.
    pub(super) fn settle(&mut self, scalar: Scalar) -> Scalar {
        if scalar.term.is_none() {
            return scalar;
        }
        let same = match scalar.ty {
            ScalarTy::Bool => scalar,
            _ => self.run.equals_const(scalar, scalar.bits),
        };
        let slice = self.decide(same, BranchKind::Concretization, OtherWays::MayReturn, None);
        Scalar { term: None, slice, ..scalar }
    }

    /// Goes on with the one value this run has, and everything depends on which one it is.
    pub fn concretize(&mut self, scalar: Scalar) -> Result<Scalar, Stop> {
        let slice = self.settle(scalar).slice;
        self.sticky = self.run.union(self.sticky, slice);
        Ok(Scalar { term: None, ..scalar })
    }

    pub(super) fn resolve_callee(&mut self, callee: &Callee) -> Result<super::call::Target, Stop> {
        match callee {
            Callee::Fn(fn_ref) => Ok(super::call::Target::Named(self.close_fn_ref(fn_ref))),
            Callee::Pointer(operand) => Ok(super::call::Target::Value(self.operand(operand)?)),
        }
    }
}
