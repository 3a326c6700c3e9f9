//! One document on top of the models: which items it brings, and how many of its functions could be lowered.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::ir::{
    Callee, Const, FnBody, FnId, FnRef, FunctionKind, Operand, Origin, Path, Program, Rvalue, StatementKind,
    TerminatorKind, Unwinding,
};

use super::context::Context;
use super::error::CharonError;
use super::items::{ItemLowering, NotAFunction, Shell, Translation, What};
use super::read::Document;
use super::schema::GlobalKind;

/// Frames of the lowering are large where nothing is optimised.
const STACK: usize = 256 << 20;

/// How much of a document was lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Functions of the crate itself: methods, closures, constants and statics among them.
    pub local: usize,
    pub lowered: usize,
    /// Why the others were not, with how many.
    pub reasons: BTreeMap<String, usize>,
    /// Declarations that are no functions of the crate.
    pub not_functions: BTreeMap<NotAFunction, usize>,
    /// Bodies of other crates that were lowered because no model has them.
    pub foreign: usize,
}

/// The program of a document.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub program: Program,
    pub share: Share,
}

/// Makes the program of a document; `models` is that of the standard library's models.
pub fn lower(document: &Document, models: &Program) -> Result<Lowered, CharonError> {
    std::thread::scope(|scope| {
        let work = || lower_here(document, models);
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
            Ok(work) => Ok(work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            Err(error) => Err(CharonError::NoThread(error)),
        }
    })
}

fn lower_here(document: &Document, models: &Program) -> Lowered {
    let cx = Context::new(&document.krate, models);
    let mut items = ItemLowering::new(&cx, Origin::Subject);
    let mut share = Share::default();
    items.types();
    items.traits_and_impls();
    // Types are looked up while bodies are lowered.
    let mut shells: Vec<Shell<'_>> = Vec::new();
    for decl in document.krate.fun_decls.iter().flatten().filter(|decl| decl.item_meta.is_local) {
        match cx.role_of(decl) {
            Ok(what) => shells.push(Shell { path: cx.function_path(&what), what }),
            Err(why) => *share.not_functions.entry(why).or_default() += 1,
        }
    }
    for decl in document.krate.global_decls.iter().flatten().filter(|decl| decl.item_meta.is_local) {
        if super::names::last_ident(&decl.item_meta.name) == Some("{vtable}") {
            *share.not_functions.entry(NotAFunction::VTable).or_default() += 1;
            continue;
        }
        let what = What::Global(decl);
        shells.push(Shell { path: cx.function_path(&what), what });
    }
    let first = items.program.functions.len();
    let count = shells.len();
    items.functions(&shells);
    bring_in_what_is_called(&cx, &mut items, &mut share);
    items.absent_members(if document.has_errors { Translation::WithErrors } else { Translation::Whole });
    let mut program = items.program;
    for function in program.functions.iter().skip(first).take(count) {
        share.local += 1;
        match &function.body {
            FnBody::Present(_) => share.lowered += 1,
            FnBody::Missing => *share.reasons.entry("Charon has no body of it".into()).or_default() += 1,
            FnBody::Unreadable { reason, .. } => *share.reasons.entry(reason.clone()).or_default() += 1,
        }
    }
    // Ends by `Abort(Panic)`, which has no edge for unwinding.
    program.unwinding = Unwinding::NotOfPanics;
    program.build_index();
    Lowered { program, share }
}

/// Bodies of other crates that lowered bodies call by the name of Charon's copy, and what these call in turn.
fn bring_in_what_is_called<'c>(cx: &Context<'c>, items: &mut ItemLowering<'_, 'c>, share: &mut Share) {
    let mut by_path: BTreeMap<Path, What<'c>> = BTreeMap::new();
    for decl in cx.krate.fun_decls.iter().flatten().filter(|decl| !decl.item_meta.is_local) {
        if cx.has_closed_body(decl)
            && let Ok(what) = cx.role_of(decl)
        {
            by_path.entry(cx.function_path(&what)).or_insert(what);
        }
    }
    for decl in cx.krate.global_decls.iter().flatten().filter(|decl| !decl.item_meta.is_local) {
        if !matches!(decl.global_kind, GlobalKind::ThreadLocal) {
            let what = What::Global(decl);
            by_path.entry(cx.function_path(&what)).or_insert(what);
        }
    }
    let mut known: BTreeSet<Path> =
        items.program.functions.iter().map(|function| function.path.clone()).collect();
    let mut next = cx.base.functions.len();
    loop {
        let mut wanted: Vec<Shell<'c>> = Vec::new();
        for function in items.program.functions.iter().skip(next) {
            for path in named(&function.body) {
                if let Some(what) = by_path.get(&path)
                    && known.insert(path.clone())
                {
                    wanted.push(Shell { path, what: *what });
                }
            }
        }
        next = items.program.functions.len();
        if wanted.is_empty() {
            return;
        }
        share.foreign += wanted.len();
        items.functions(&wanted);
    }
}

/// Paths of functions, closures and constants that a body names.
fn named(body: &FnBody) -> Vec<Path> {
    let FnBody::Present(body) = body else { return Vec::new() };
    let mut paths = Vec::new();
    for block in body.blocks.iter() {
        for statement in &block.statements {
            let StatementKind::Assign(_, rvalue) = &statement.kind else { continue };
            let operands: Vec<&Operand> = match rvalue {
                Rvalue::Use(a) | Rvalue::Repeat(a, _) | Rvalue::Unary(_, a) | Rvalue::Cast(_, a, _) => {
                    vec![a]
                }
                Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => vec![a, b],
                Rvalue::Aggregate(kind, fields) => {
                    if let regress_core::ir::AggregateKind::Closure { path, .. } = kind {
                        paths.push(path.clone());
                    }
                    fields.iter().collect()
                }
                _ => Vec::new(),
            };
            for operand in operands {
                if let Operand::Const(constant) = operand {
                    const_paths(constant, &mut paths);
                }
            }
        }
        if let TerminatorKind::Call { callee, args, .. } = &block.terminator.kind {
            if let Callee::Fn(FnRef::Free { path, .. }) = callee {
                paths.push(path.clone());
            }
            for arg in args {
                if let Operand::Const(constant) = arg {
                    const_paths(constant, &mut paths);
                }
            }
        }
    }
    paths
}

fn const_paths(constant: &Const, paths: &mut Vec<Path>) {
    match constant {
        Const::Fn(fn_ref) => {
            if let FnRef::Free { path, .. } = &**fn_ref {
                paths.push(path.clone());
            }
        }
        Const::Item { path, .. } | Const::StaticRef(path) => paths.push(path.clone()),
        Const::Ref(inner) => const_paths(inner, paths),
        Const::Tuple(items) | Const::Array(items) => items.iter().for_each(|item| const_paths(item, paths)),
        Const::Adt { fields, .. } => fields.iter().for_each(|item| const_paths(item, paths)),
        _ => {}
    }
}

impl Lowered {
    /// The functions of the crate itself.
    pub fn local(&self) -> impl Iterator<Item = FnId> {
        let program = &self.program;
        program
            .functions
            .iter_enumerated()
            .filter(|(_, function)| function.origin == Origin::Subject && function.kind != FunctionKind::Test)
            .map(|(id, _)| id)
    }
}
