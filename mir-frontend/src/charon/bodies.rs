//! A body: its locals, its blocks, and which of them only unwinding reaches.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::exec::resolve;
use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{
    AggregateKind, Block, BlockId, BlockRole, Body, Const, FileId, FnRef, KnownType, Local, LocalId, Operand,
    Place, Rvalue, Span, Statement, StatementKind, Terminator, TerminatorKind, Ty, TyKind,
};

use super::body_schema as charon;
use super::context::{Context, Scope};
use super::drops::{self, DropPlan, Event, Places};
use super::schema;

/// How the parameters of a body are passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameters {
    AsWritten,
    /// A closure's call takes its arguments as one tuple, of these types; here they are parameters of their own.
    Tupled(Vec<Ty>),
}

/// Source files by Charon's numbers.
pub type FileIds = BTreeMap<usize, FileId>;

/// A body that is being lowered.
pub struct BodyLowering<'b, 'c> {
    pub cx: &'b Context<'c>,
    pub scope: &'b Scope,
    files: &'b FileIds,
    source: &'b charon::ExprBody,
    locals: IdxVec<LocalId, Local>,
    /// Where Charon's locals are.
    place_of: Vec<LocalId>,
    blocks: Vec<Block>,
    /// Statements of the block that is being lowered.
    pub statements: Vec<Statement>,
    plan: DropPlan,
    flags: BTreeMap<usize, LocalId>,
    /// Methods of trait objects that locals were given.
    pub methods: BTreeMap<usize, FnRef>,
    /// Blocks made here, behind those of Charon.
    extra: Vec<Block>,
    pub span: Option<Span>,
    pub is_local: bool,
    /// The block that is being lowered.
    current: usize,
}

/// Lowers a control-flow graph, or says what in it is not understood.
pub fn lower_body(
    cx: &Context<'_>,
    scope: &Scope,
    files: &FileIds,
    source: &charon::ExprBody,
    parameters: &Parameters,
    is_local: bool,
) -> Result<Body, String> {
    let mut lowering = BodyLowering {
        cx,
        scope,
        files,
        source,
        locals: IdxVec::new(),
        place_of: Vec::new(),
        blocks: Vec::new(),
        statements: Vec::new(),
        plan: DropPlan::default(),
        flags: BTreeMap::new(),
        methods: BTreeMap::new(),
        extra: Vec::new(),
        span: None,
        is_local,
        current: 0,
    };
    lowering.plan = drops::plan(source, &lowering)?;
    let arg_count = lowering.declare(parameters)?;
    for index in 0..source.body.len() {
        let block = lowering.block(index).map_err(|reason| format!("bb{index}: {reason}"))?;
        lowering.blocks.push(block);
    }
    if lowering.blocks.is_empty() {
        return Err("a body without blocks".into());
    }
    lowering.start(parameters);
    let BodyLowering { locals, mut blocks, extra, .. } = lowering;
    blocks.extend(extra);
    let body = Body { locals, arg_count, blocks: IdxVec::from(blocks) };
    check(&body)?;
    Ok(with_roles(body))
}

impl Places for BodyLowering<'_, '_> {
    fn needs_no_drop(&self, place: &charon::Place) -> bool {
        let ty = self.cx.ty(&place.ty, self.scope);
        !resolve::needs_drop(self.cx.base, &ty)
    }

    fn is_all_of_it(&self, place: &charon::Place) -> bool {
        let charon::PlaceKind::Projection((inner, projection)) = &*place.kind else { return false };
        if !matches!(&*inner.kind, charon::PlaceKind::Local(_)) {
            return false;
        }
        match projection {
            charon::Projection::Deref => self.cx.ty(&inner.ty, self.scope).known() == Some(KnownType::Box),
            charon::Projection::Field((variant, _)) => self.cx.field_count(&inner.ty, variant.0) == Some(1),
            _ => false,
        }
    }
}

impl BodyLowering<'_, '_> {
    fn declare(&mut self, parameters: &Parameters) -> Result<usize, String> {
        let source = &self.source.locals;
        let as_written = source.arg_count;
        if source.locals.len() <= as_written {
            return Err("fewer locals than arguments".into());
        }
        let declared: Vec<Local> = source
            .locals
            .iter()
            .map(|local| Local {
                ty: self.cx.ty(&local.ty, self.scope),
                name: local.name.as_deref().map(Into::into),
                span: None,
            })
            .collect();
        let mut arg_count = as_written;
        match parameters {
            Parameters::AsWritten => {
                for local in declared {
                    let id = self.locals.push(local);
                    self.place_of.push(id);
                }
            }
            Parameters::Tupled(tys) => {
                if as_written != 2 {
                    return Err(format!("a call of a closure with {as_written} arguments"));
                }
                arg_count = 1 + tys.len();
                let mut declared = declared.into_iter();
                for _ in 0..2 {
                    let id = self.locals.push(declared.next().ok_or("fewer locals than arguments")?);
                    self.place_of.push(id);
                }
                for ty in tys {
                    self.locals.push(Local { ty: ty.clone(), name: None, span: None });
                }
                for local in declared {
                    let id = self.locals.push(local);
                    self.place_of.push(id);
                }
            }
        }
        for local in self.plan.flagged.clone() {
            let flag = self.temporary(Ty::new(TyKind::Bool));
            self.flags.insert(local, flag);
        }
        Ok(arg_count)
    }

    /// What has to be done before the first statement: the tuple of a closure's arguments, flags.
    fn start(&mut self, parameters: &Parameters) {
        let mut first = Vec::new();
        if let Parameters::Tupled(tys) = parameters {
            let parts =
                (0..tys.len()).map(|index| Operand::Move(Place::from(LocalId::from_usize(2 + index))));
            let tuple = Rvalue::Aggregate(AggregateKind::Tuple, parts.collect());
            first.push(StatementKind::Assign(Place::from(self.place_of[2]), tuple));
        }
        for (local, flag) in &self.flags {
            let is_argument = (1..=self.source.locals.arg_count).contains(local);
            first.push(set_flag(*flag, is_argument));
        }
        let first = first.into_iter().map(|kind| Statement { kind, span: None });
        let entry = &mut self.blocks[0].statements;
        *entry = first.chain(std::mem::take(entry)).collect();
    }

    fn block(&mut self, index: usize) -> Result<Block, String> {
        let source = self.source;
        let block = &source.body[index];
        self.current = index;
        for statement in &block.statements {
            self.span = self.span_of(&statement.span);
            self.statement(&statement.kind)?;
            self.flag_events(|places, on| drops::statement_events(&statement.kind, places, on));
        }
        self.span = self.span_of(&block.terminator.span);
        let kind = match &block.terminator.kind {
            charon::TerminatorKind::Drop(drop) => self.drop(index, drop)?,
            other => self.terminator(other)?,
        };
        let kind = self.keep_flags_behind(block, kind);
        let statements = std::mem::take(&mut self.statements);
        Ok(Block { statements, terminator: Terminator { kind, span: self.span }, role: BlockRole::Normal })
    }

    /// Follows with the flags what happens to their locals.
    fn flag_events(&mut self, events: impl Fn(&dyn Places, &mut dyn FnMut(usize, Event))) {
        if self.flags.is_empty() {
            return;
        }
        let mut seen = Vec::new();
        events(self, &mut |local, event| seen.push((local, event)));
        for (local, event) in seen {
            if let Some(flag) = self.flags.get(&local) {
                let kind = set_flag(*flag, event == Event::Filled);
                self.push(kind);
            }
        }
    }

    /// Flags that a call or drop changes are changed where control goes on.
    fn keep_flags_behind(&mut self, block: &charon::Block, mut kind: TerminatorKind) -> TerminatorKind {
        if self.flags.is_empty() {
            return kind;
        }
        let mut seen = Vec::new();
        drops::terminator_events(block, self, &mut |local, event| seen.push((local, event)));
        let changes: Vec<Statement> = seen
            .into_iter()
            .filter_map(|(local, event)| Some(set_flag(*self.flags.get(&local)?, event == Event::Filled)))
            .map(|kind| Statement { kind, span: None })
            .collect();
        if changes.is_empty() {
            return kind;
        }
        let target = match &mut kind {
            TerminatorKind::Call { target: Some(target), .. }
            | TerminatorKind::Drop { target, .. }
            | TerminatorKind::Goto(target) => target,
            _ => return kind,
        };
        let next = *target;
        let block = Block {
            statements: changes,
            terminator: Terminator { kind: TerminatorKind::Goto(next), span: None },
            role: BlockRole::Normal,
        };
        *target = BlockId::from_usize(self.source.body.len() + self.extra.len());
        self.extra.push(block);
        kind
    }

    fn drop(&mut self, index: usize, drop: &charon::DropTerminator) -> Result<TerminatorKind, String> {
        let target = block_id(drop.target);
        let action = self.plan.actions.get(&index).copied().unwrap_or(drops::DropAction::Always);
        if action == drops::DropAction::Never {
            return Ok(TerminatorKind::Goto(target));
        }
        let place = self.place(&drop.place)?;
        let kind = TerminatorKind::Drop { place, target, unwind: self.unwind(drop.on_unwind) };
        let (drops::DropAction::Flagged, drops::PartOf::Whole(local)) = (action, drops::part_of(&drop.place))
        else {
            return Ok(kind);
        };
        let flag = *self.flags.get(&local).ok_or("a drop flag that was not foreseen")?;
        let dropping = BlockId::from_usize(self.source.body.len() + self.extra.len());
        self.extra.push(Block {
            statements: Vec::new(),
            terminator: Terminator { kind, span: self.span },
            role: BlockRole::Normal,
        });
        Ok(TerminatorKind::SwitchInt {
            discr: Operand::Copy(Place::from(flag)),
            targets: vec![(0, target)],
            otherwise: Some(dropping),
        })
    }

    pub fn temporary(&mut self, ty: Ty) -> LocalId {
        self.locals.push(Local { ty, name: None, span: None })
    }

    pub fn push(&mut self, kind: StatementKind) {
        self.statements.push(Statement { kind, span: self.span });
    }

    pub fn local(&self, index: usize) -> Result<LocalId, String> {
        self.place_of.get(index).copied().ok_or_else(|| format!("the local {index} is not declared"))
    }

    pub fn ty(&self, ty: &schema::Ty) -> Ty {
        self.cx.ty(ty, self.scope)
    }

    /// The local of that type that was given its value last before the end of the current block: in it, or by the one call
    /// that leads to it.
    pub fn last_made(&self, ty: KnownType) -> Option<LocalId> {
        let local_of = |place: &charon::Place| match (&*place.kind, self.ty(&place.ty).kind()) {
            (charon::PlaceKind::Local(local), TyKind::Adt(made, _)) if made == ty => self.local(*local).ok(),
            _ => None,
        };
        let here = self.source.body[self.current].statements.iter().rev().find_map(|statement| {
            match &statement.kind {
                charon::StatementKind::Assign((place, _)) => local_of(place),
                _ => None,
            }
        });
        if here.is_some() {
            return here;
        }
        let mut before = self
            .source
            .body
            .iter()
            .filter(|block| drops::successors(&block.terminator.kind).contains(&self.current));
        match (before.next().map(|block| &block.terminator.kind), before.next()) {
            (Some(charon::TerminatorKind::Call(call)), None) => local_of(&call.call.dest),
            _ => None,
        }
    }

    /// Where unwinding goes, if there is anything to do there.
    pub fn unwind(&self, block: usize) -> Option<BlockId> {
        match self.source.body.get(block) {
            Some(to)
                if to.statements.is_empty()
                    && matches!(to.terminator.kind, charon::TerminatorKind::UnwindResume) =>
            {
                None
            }
            Some(_) => Some(block_id(block)),
            None => None,
        }
    }

    fn span_of(&self, span: &schema::Span) -> Option<Span> {
        lower_span(span, self.files)
    }
}

pub fn lower_span(span: &schema::Span, files: &FileIds) -> Option<Span> {
    let data = &span.data;
    // How Charon writes that there is none.
    if (data.end.line, data.end.col) <= (1, 0) {
        return None;
    }
    Some(Span {
        file: *files.get(&data.file_id)?,
        line_start: data.beg.line,
        col_start: data.beg.col + 1,
        line_end: data.end.line,
        col_end: data.end.col + 1,
    })
}

/// Our number of a block. A number too large for any body becomes one that no body has.
pub fn block_id(index: usize) -> BlockId {
    BlockId::from_usize(index.min(u32::MAX as usize))
}

fn set_flag(flag: LocalId, value: bool) -> StatementKind {
    StatementKind::Assign(Place::from(flag), Rvalue::Use(Operand::Const(Const::Bool(value))))
}

/// Whether all blocks and locals that are named are there.
fn check(body: &Body) -> Result<(), String> {
    let count = body.blocks.len();
    for block in body.blocks.iter() {
        let kind = &block.terminator.kind;
        if kind.successors().into_iter().chain(kind.unwind()).any(|target| target.index() >= count) {
            return Err("a jump to a block that is not there".into());
        }
    }
    Ok(())
}

/// Blocks that no way but unwinding leads to are clean-up.
fn with_roles(mut body: Body) -> Body {
    let mut normal = BTreeSet::from([BlockId::entry()]);
    let mut work = vec![BlockId::entry()];
    while let Some(block) = work.pop() {
        for successor in body.blocks[block].terminator.kind.successors() {
            if normal.insert(successor) {
                work.push(successor);
            }
        }
    }
    for (index, block) in body.blocks.iter_mut().enumerate() {
        if !normal.contains(&BlockId::from_usize(index)) {
            block.role = BlockRole::Cleanup;
        }
    }
    body
}
