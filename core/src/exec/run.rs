//! What one run shares between the two versions it executes: terms, slices, branch instances, limits, the reasons
//! for which a run stops.

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::slice::{InstanceId, SliceId, Slices};
use super::tree::{Scalar, ScalarTy, Tree};
use crate::idx::IdxVec;
use crate::ir::{BlockId, FnId, Path, Span, Ty};
use crate::term::{TermId, TermPool};
use crate::value::PanicKind;
use crate::verdict::unsupported::{CallTrouble, ItemKind, TypeQuestion, UnshownOutput, Unsupported, Use};
use crate::verdict::{Approximation, LoopOf, Version};

/// State of one run on one input.
pub struct Run<'a> {
    pub pool: &'a mut TermPool,
    pub slices: Slices,
    pub branches: IdxVec<InstanceId, Branch>,
    pub limits: Limits,
    pub steps: u64,
    /// What the run took to be so that may be otherwise.
    pub approximations: Vec<Approximation>,
}

/// Bounds of a run, and what it assumes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Executed statements and terminators of both versions together.
    pub max_steps: u64,
    /// Rounds of one loop whose end depends on the input, per activation of the function.
    pub max_unwind: u64,
    pub max_depth: usize,
    pub panics: PanicPolicy,
    /// When a run is given up that is still going on.
    pub end: Option<TimeLimit>,
}

/// The end of an exploration, for all its runs.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    pub at: Instant,
    /// So long after the beginning of the exploration.
    pub seconds: u64,
}

impl TimeLimit {
    /// `whole` after `started`.
    pub fn after(started: Instant, whole: Duration) -> Option<TimeLimit> {
        let at = started.checked_add(whole)?;
        Some(TimeLimit { at, seconds: whole_seconds(whole) })
    }
}

/// As times are told: at least one second.
pub(crate) fn whole_seconds(time: Duration) -> u64 {
    time.as_secs_f64().round().max(1.0) as u64
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanicPolicy {
    /// Panics are outcomes; whatever follows a check depends on it.
    Outcomes,
    /// Checks are taken to hold and loops to end, as the papers do.
    AssumeNone,
}

impl Default for Limits {
    fn default() -> Self {
        let panics = PanicPolicy::Outcomes;
        Limits { max_steps: 400_000, max_unwind: 64, max_depth: 200, panics, end: None }
    }
}

/// A branch instance whose outcome depends on the input, be it through earlier branches alone: then it has no
/// alternatives.
#[derive(Clone, Debug)]
pub struct Branch {
    pub version: Version,
    pub function: FnId,
    pub block: BlockId,
    /// The step of the run that executed it: its name in a stored trace.
    pub step: u64,
    pub span: Option<Span>,
    pub kind: BranchKind,
    pub side: Side,
    /// What comes of the other ways, by the look of their blocks.
    pub other_ways: OtherWays,
    /// φ: true of exactly the inputs that go the way this run went.
    pub condition: TermId,
    /// One condition for each other way; together with `condition` they cover every input.
    pub alternatives: Vec<TermId>,
    /// Its relevant slice, itself included.
    pub slice: SliceId,
}

/// Which way a branch went: of a switch, whether it led to the block that is tested; of a check, whether its condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// For what is no switch, the block of the branch itself.
    pub tested: BlockId,
    pub leads: bool,
}

impl Side {
    pub fn opposite(self) -> Side {
        Side { leads: !self.leads, ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OtherWays {
    /// The function does not return from there.
    Fail,
    MayReturn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchKind {
    Switch,
    /// An `assert` terminator: overflow, bounds, division.
    Check,
    /// Not in the program: the engine goes on with the one value (index, length, variant) that this run has.
    Concretization,
}

/// Why a run ended before the function returned.
#[derive(Clone, Debug)]
pub enum Stop {
    Panic {
        /// By what raised it.
        kind: PanicKind,
        /// By the words of its message, which are all that a native run knows.
        said: PanicKind,
        message: Option<String>,
        span: Option<Span>,
        slice: SliceId,
    },
    /// A check failed that was assumed to hold; this input is none of ours.
    AssumptionViolated {
        slice: SliceId,
    },
    LoopBound {
        location: String,
        of: LoopOf,
        limit: u64,
        slice: SliceId,
    },
    /// So many functions were being called, the last of which is not.
    CallDepth {
        function: String,
        limit: u64,
        slice: SliceId,
    },
    StepBudget {
        limit: u64,
    },
    /// The exploration was over.
    TimeBudget {
        seconds: u64,
    },
    /// A call with no body and no model.
    OpaqueCall {
        callee: String,
    },
    /// A model of a function of the standard library that leaves this open, in its own words.
    RestrictedModel {
        on: String,
    },
    Unsupported(Unsupported),
}

impl Tree {
    pub(super) fn misused(&self, by: Use) -> Stop {
        Stop::Unsupported(Unsupported::Use { value: self.kind(), by })
    }
}

impl Stop {
    pub(super) fn unshown(ty: &Ty) -> Stop {
        Stop::Unsupported(Unsupported::Output(UnshownOutput::OfType { ty: ty.to_string() }))
    }

    pub(super) fn of_type(ty: &impl Display, asked: TypeQuestion) -> Stop {
        Stop::Unsupported(Unsupported::Type { ty: ty.to_string(), asked })
    }

    pub(crate) fn of_call(callee: &impl Display, trouble: CallTrouble) -> Stop {
        Stop::Unsupported(Unsupported::Call { callee: callee.to_string(), trouble })
    }

    pub(super) fn several_of(item: ItemKind, path: &Path) -> Stop {
        Stop::Unsupported(Unsupported::SeveralOf { item, path: path.to_string() })
    }

    /// What is not known of inputs whose run ends so; nothing of those that violate an assumption, which are none of
    /// ours, and of a panic, which is an outcome.
    pub fn approximation(&self) -> Option<Approximation> {
        match self {
            Stop::LoopBound { location, of, limit, .. } => {
                Some(Approximation::LoopBound { location: location.clone(), of: *of, limit: *limit })
            }
            Stop::CallDepth { function, limit, .. } => {
                Some(Approximation::CallDepth { function: function.clone(), limit: *limit })
            }
            Stop::StepBudget { limit } => Some(Approximation::StepBudget { limit: *limit }),
            Stop::TimeBudget { seconds } => Some(Approximation::TimeBudget { seconds: *seconds }),
            Stop::OpaqueCall { callee } => Some(Approximation::OpaqueCall { callee: callee.clone() }),
            Stop::RestrictedModel { on } => Some(Approximation::RestrictedModel { on: on.clone() }),
            Stop::Unsupported(what) => Some(Approximation::Unsupported { what: what.clone() }),
            Stop::AssumptionViolated { .. } | Stop::Panic { .. } => None,
        }
    }
}

impl<'a> Run<'a> {
    pub fn new(pool: &'a mut TermPool, limits: Limits) -> Self {
        Run {
            pool,
            slices: Slices::default(),
            branches: IdxVec::new(),
            limits,
            steps: 0,
            approximations: Vec::new(),
        }
    }

    /// A scalar from its parts; a term that folded to a constant is dropped.
    pub fn scalar(&mut self, ty: ScalarTy, bits: u128, term: TermId, slice: SliceId) -> Scalar {
        let constant = match ty {
            ScalarTy::Bool => self.pool.as_bool(term).map(u128::from),
            _ => self.pool.as_const(term),
        };
        debug_assert!(
            constant.is_none_or(|c| c == bits),
            "a folded term disagrees with the run: {ty:?} {bits} {constant:?}"
        );
        Scalar { ty, bits, term: if constant.is_some() { None } else { Some(term) }, slice }
    }

    /// The term of a scalar, a constant if it has none.
    pub fn term(&mut self, scalar: &Scalar) -> TermId {
        match (scalar.term, scalar.ty) {
            (Some(term), _) => term,
            (None, ScalarTy::Bool) => self.pool.bool_const(scalar.bits != 0),
            (None, ty) => self.pool.bv_const(scalar.bits, ty.bits() as u16),
        }
    }

    pub fn union(&mut self, a: SliceId, b: SliceId) -> SliceId {
        self.slices.union(a, b)
    }
}
