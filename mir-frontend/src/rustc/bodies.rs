//! Bodies: declarations of locals, then blocks.
//!
//! A body is read as a whole or not at all. Besides the grammar it is checked that every local and block that is
//! named exists, so that whoever runs the body need not.

use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{
    Block, BlockId, BlockRole, Body, Callee, Check, Local, LocalId, Name, Operand, Place, Projection, Rvalue,
    Span, Statement, StatementKind, Terminator, TerminatorKind, Ty, TyKind,
};

use super::cursor::Parsed;
use super::doubts::check_assigned;
use super::scope::Scope;
use super::spans::Files;
use super::terminators::{Line, end_of_process};
use super::types::Parser;

/// Why a body could not be read, and in which line of the dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub reason: String,
    pub line: u32,
}

/// The text of a body: the lines between its braces, the first of which has the number `first_line`.
#[derive(Clone, Copy, Debug)]
pub struct BodyText<'a> {
    pub text: &'a str,
    pub first_line: u32,
}

#[derive(Default)]
struct Builder {
    locals: Vec<Option<Local>>,
    blocks: Vec<Block>,
    open: Option<OpenBlock>,
}

struct OpenBlock {
    role: BlockRole,
    statements: Vec<Statement>,
    terminator: Option<Terminator>,
}

/// Refuses local numbers that no real body has, before memory is set aside for them.
const MAX_LOCALS: usize = 1 << 20;

pub fn parse_body(
    source: BodyText<'_>,
    inputs: &[Ty],
    scope: &Scope<'_>,
    files: &mut Files,
) -> Result<Body, Unreadable> {
    let mut builder = Builder { locals: vec![None], ..Builder::default() };
    builder.locals.extend(inputs.iter().map(|ty| Some(Local { ty: ty.clone(), name: None, span: None })));
    let mut debug_lines = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let number = source.first_line + index as u32;
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if line.starts_with("debug ") {
            debug_lines.push(line);
            continue;
        }
        builder
            .line(line, scope, files)
            .map_err(|error| Unreadable { reason: format!("{error} in `{}`", shown(line)), line: number })?;
    }
    for line in debug_lines {
        name_local(line, &mut builder.locals);
    }
    let end = source.first_line + source.text.lines().count() as u32;
    builder.finish(inputs.len(), scope).map_err(|reason| Unreadable { reason, line: end })
}

/// A line as it is quoted in a reason.
fn shown(line: &str) -> &str {
    let line = line.split(" // ").next().unwrap_or(line).trim_end();
    match line.char_indices().nth(200) {
        Some((end, _)) => &line[..end],
        None => line,
    }
}

/// `debug x => _1;` Names for parts of places and for constants are of no use here.
fn name_local(line: &str, locals: &mut [Option<Local>]) {
    let Some((name, value)) = line.strip_prefix("debug ").and_then(|rest| rest.split_once(" => _")) else {
        return;
    };
    let Some((digits, _)) = value.split_once(';') else { return };
    let Ok(index) = digits.parse::<usize>() else { return };
    if let Some(Some(local)) = locals.get_mut(index)
        && local.name.is_none()
    {
        local.name = Some(Name::new(name));
    }
}

impl Builder {
    fn line(&mut self, line: &str, scope: &Scope<'_>, files: &mut Files) -> Parsed<()> {
        if self.open.is_none() {
            if let Some(rest) = line.strip_prefix("let ") {
                return self.declaration(rest.strip_prefix("mut ").unwrap_or(rest), scope, files);
            }
            if line.starts_with("scope ") && line.ends_with('{') || line == "}" {
                return Ok(());
            }
            return self.open_block(line, scope);
        }
        if line == "}" {
            return self.close_block();
        }
        let mut parser = Parser::new(line, scope);
        let parsed = parser.line()?;
        let span = comment_span(&parser, files)?;
        let open = match &mut self.open {
            Some(open) if open.terminator.is_none() => open,
            _ => return super::cursor::fail("a line behind the terminator of its block"),
        };
        match parsed {
            Line::Statement(kind) => open.statements.push(Statement { kind, span }),
            Line::Either(place, either) => {
                let value = either.decide(&place, &self.locals)?;
                open.statements.push(Statement { kind: StatementKind::Assign(place, value), span });
            }
            Line::Terminator(kind) => open.terminator = Some(Terminator { kind, span }),
            Line::Nothing => {}
        }
        Ok(())
    }

    fn declaration(&mut self, text: &str, scope: &Scope<'_>, files: &mut Files) -> Parsed<()> {
        let mut parser = Parser::new(text, scope);
        let index = parser.local()?.index();
        parser.cur.expect(": ")?;
        let ty = parser.ty()?;
        parser.cur.expect(";")?;
        let span = comment_span(&parser, files)?;
        if index >= MAX_LOCALS {
            return super::cursor::fail("a local beyond any real number of locals");
        }
        if self.locals.len() <= index {
            self.locals.resize(index + 1, None);
        }
        self.locals[index] = Some(Local { ty, name: None, span });
        Ok(())
    }

    /// `bb3: {` or `bb3 (cleanup): {`
    fn open_block(&mut self, line: &str, scope: &Scope<'_>) -> Parsed<()> {
        let mut parser = Parser::new(line, scope);
        parser.cur.expect("bb")?;
        let index: usize = parser.cur.number::<u32>()? as usize;
        let role = if parser.cur.eat(" (cleanup)") { BlockRole::Cleanup } else { BlockRole::Normal };
        parser.cur.expect(": {")?;
        if index != self.blocks.len() {
            return super::cursor::fail("blocks out of order");
        }
        self.open = Some(OpenBlock { role, statements: Vec::new(), terminator: None });
        Ok(())
    }

    fn close_block(&mut self) -> Parsed<()> {
        match self.open.take() {
            Some(OpenBlock { role, statements, terminator: Some(terminator) }) => {
                self.blocks.push(Block { statements, terminator, role });
                Ok(())
            }
            _ => super::cursor::fail("a block without terminator"),
        }
    }

    fn finish(self, arg_count: usize, scope: &Scope<'_>) -> Result<Body, String> {
        if self.open.is_some() || self.blocks.is_empty() {
            return Err("the body ends within a block".to_owned());
        }
        let mut locals = Vec::with_capacity(self.locals.len());
        for (index, local) in self.locals.into_iter().enumerate() {
            match local {
                Some(local) => locals.push(local),
                // Passes may leave gaps: such a local is never used, which is checked below.
                None if index > 0 => locals.push(unused_local()),
                None => return Err("the return place is not declared".to_owned()),
            }
        }
        let mut blocks = self.blocks;
        end_the_process(&mut blocks);
        let body = Body { locals: IdxVec::from(locals), arg_count, blocks: IdxVec::from(blocks) };
        check_ids(&body)?;
        check_types(&body, scope)?;
        Ok(body)
    }
}

const UNDECLARED: &str = "<undeclared>";

/// Gives the body a block in which the process ends, if unwinding leads to one.
fn end_the_process(blocks: &mut Vec<Block>) {
    let end = BlockId::from_usize(blocks.len());
    let mut is_needed = false;
    for block in blocks.iter_mut() {
        let (TerminatorKind::Drop { unwind, .. }
        | TerminatorKind::Call { unwind, .. }
        | TerminatorKind::Assert { unwind, .. }) = &mut block.terminator.kind
        else {
            continue;
        };
        if *unwind == Some(end_of_process()) {
            *unwind = Some(end);
            is_needed = true;
        }
    }
    if is_needed {
        let terminator = Terminator { kind: TerminatorKind::Abort, span: None };
        blocks.push(Block { statements: Vec::new(), terminator, role: BlockRole::Cleanup });
    }
}

fn unused_local() -> Local {
    Local { ty: Ty::new(TyKind::Unsupported(UNDECLARED.to_owned())), name: None, span: None }
}

fn comment_span(parser: &Parser<'_, '_>, files: &mut Files) -> Parsed<Option<Span>> {
    let rest = parser.cur.rest().trim_start();
    if rest.is_empty() {
        return Ok(None);
    }
    if !rest.starts_with("//") {
        return parser.cur.unexpected("the end of the line");
    }
    Ok(files.span_of_comment(rest))
}

/// Whether all that is assigned fits the place's type, as far as both are known.
fn check_types(body: &Body, scope: &Scope<'_>) -> Result<(), String> {
    body.blocks.iter().flat_map(|block| &block.statements).try_for_each(|statement| match &statement.kind {
        StatementKind::Assign(place, value) => check_assigned(place, value, &body.locals, scope.names),
        StatementKind::SetDiscriminant(..) | StatementKind::Nop => Ok(()),
    })
}

/// Whether all blocks and locals that the body names exist.
fn check_ids(body: &Body) -> Result<(), String> {
    let mut checker = Checker { body, wrong: None };
    for block in body.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(place, value) => {
                    checker.place(place);
                    visit_rvalue(value, &mut |place| checker.place(place));
                }
                StatementKind::SetDiscriminant(place, _) => checker.place(place),
                StatementKind::Nop => {}
            }
        }
        let kind = &block.terminator.kind;
        for target in kind.successors().into_iter().chain(kind.unwind()) {
            checker.block(target);
        }
        visit_terminator(kind, &mut |place| checker.place(place));
    }
    match checker.wrong {
        Some(wrong) => Err(wrong),
        None => Ok(()),
    }
}

struct Checker<'a> {
    body: &'a Body,
    wrong: Option<String>,
}

impl Checker<'_> {
    fn place(&mut self, place: &Place) {
        self.local(place.local);
        for projection in &place.projection {
            if let Projection::Index(local) = projection {
                self.local(*local);
            }
        }
    }

    fn local(&mut self, local: LocalId) {
        let declared =
            self.body.locals.get(local).is_some_and(
                |known| !matches!(known.ty.kind(), TyKind::Unsupported(text) if text == UNDECLARED),
            );
        if !declared {
            self.wrong.get_or_insert_with(|| format!("the local {local} is used but not declared"));
        }
    }

    fn block(&mut self, block: BlockId) {
        if self.body.blocks.get(block).is_none() {
            self.wrong.get_or_insert_with(|| format!("the block {block} does not exist"));
        }
    }
}

fn visit_operand(operand: &Operand, on_place: &mut dyn FnMut(&Place)) {
    match operand {
        Operand::Copy(place) | Operand::Move(place) => on_place(place),
        Operand::Const(_) => {}
    }
}

fn visit_rvalue(value: &Rvalue, on_place: &mut dyn FnMut(&Place)) {
    match value {
        Rvalue::Ref(_, place)
        | Rvalue::RawPtr(_, place)
        | Rvalue::Discriminant(place)
        | Rvalue::Len(place) => on_place(place),
        Rvalue::Use(operand)
        | Rvalue::Repeat(operand, _)
        | Rvalue::Unary(_, operand)
        | Rvalue::Cast(_, operand, _)
        | Rvalue::PtrMetadata(operand) => visit_operand(operand, on_place),
        Rvalue::Binary(_, left, right) | Rvalue::CheckedBinary(_, left, right) => {
            visit_operand(left, on_place);
            visit_operand(right, on_place);
        }
        Rvalue::FatPtr { pointer, metadata, .. } => {
            visit_operand(pointer, on_place);
            visit_operand(metadata, on_place);
        }
        Rvalue::Aggregate(_, operands) => {
            operands.iter().for_each(|operand| visit_operand(operand, on_place));
        }
        Rvalue::SizeOf(_) | Rvalue::AlignOf(_) => {}
    }
}

fn visit_terminator(kind: &TerminatorKind, on_place: &mut dyn FnMut(&Place)) {
    match kind {
        TerminatorKind::SwitchInt { discr, .. } => visit_operand(discr, on_place),
        TerminatorKind::Drop { place, .. } => on_place(place),
        TerminatorKind::Call { callee, args, destination, .. } => {
            if let Callee::Pointer(operand) = callee {
                visit_operand(operand, on_place);
            }
            args.iter().for_each(|operand| visit_operand(operand, on_place));
            on_place(destination);
        }
        TerminatorKind::Assert { condition, check, .. } => {
            visit_operand(condition, on_place);
            match check {
                Check::Overflow(_, left, right) | Check::BoundsCheck { len: left, index: right } => {
                    visit_operand(left, on_place);
                    visit_operand(right, on_place);
                }
                Check::OverflowNeg(operand)
                | Check::OverflowShift(_, operand)
                | Check::DivisionByZero(operand)
                | Check::RemainderByZero(operand) => visit_operand(operand, on_place),
                Check::Other(_) => {}
            }
        }
        TerminatorKind::Goto(_)
        | TerminatorKind::Return
        | TerminatorKind::Resume
        | TerminatorKind::Unreachable
        | TerminatorKind::Abort
        | TerminatorKind::Unsupported(_) => {}
    }
}

/// First to last position in the body, in the file where it begins: the item's extent where nothing better is
/// known.
pub fn extent(body: &Body) -> Option<Span> {
    let spans = || {
        let statements = body.blocks.iter().flat_map(|block| {
            block.statements.iter().map(|statement| statement.span).chain([block.terminator.span])
        });
        body.locals.iter().map(|local| local.span).chain(statements).flatten()
    };
    let first = spans().next()?;
    Some(spans().filter(|span| span.file == first.file).fold(first, |whole, span| {
        let start = (whole.line_start, whole.col_start).min((span.line_start, span.col_start));
        let end = (whole.line_end, whole.col_end).max((span.line_end, span.col_end));
        Span { file: whole.file, line_start: start.0, col_start: start.1, line_end: end.0, col_end: end.1 }
    }))
}
