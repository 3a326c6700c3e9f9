//! Constants and statics, which are functions without arguments here.

use regress_core::idx::IdxVec;
use regress_core::ir::{
    Block, BlockRole, Body, CastKind, Const, FunctionKind, Local, LocalId, Mutability, Operand, Place,
    Rvalue, Statement, StatementKind, Terminator, TerminatorKind, Ty,
};

use super::body_schema::{self as charon, PlaceKind, StatementKind as Source};
use super::context::{Context, Scope};
use super::schema::{Body as FunBody, ConstExpr, ConstKind, FnPtrKind, FunId, GlobalDecl, GlobalKind};

/// The function that computes the value, if it is computed.
pub fn initializer(decl: &GlobalDecl) -> Option<usize> {
    if let Some(init) = decl.init {
        return Some(init);
    }
    match &*decl.value.as_ref()?.kind {
        ConstKind::Call((callee, args)) if args.is_empty() => match &callee.kind {
            FnPtrKind::Fun(FunId::Regular(id)) => Some(*id),
            _ => None,
        },
        _ => None,
    }
}

/// The body of a constant whose value Charon evaluated.
pub fn value_body(cx: &Context<'_>, value: &ConstExpr, ty: Ty, scope: &Scope) -> Result<Body, String> {
    let mut locals = IdxVec::from(vec![Local { ty: ty.clone(), name: None, span: None }]);
    let mut statements = Vec::new();
    let assign =
        |place: Place, value: Rvalue| Statement { kind: StatementKind::Assign(place, value), span: None };
    let result = Place::from(LocalId::return_place());
    match &*value.kind {
        // A slice is an array whose length has been forgotten.
        ConstKind::Ref((inner, Some(_))) => {
            let array = Const::Ref(Box::new(cx.constant(inner, scope)));
            let array_ty = Ty::reference(Mutability::Shared, cx.ty(&inner.ty, scope));
            let local = locals.push(Local { ty: array_ty, name: None, span: None });
            statements.push(assign(Place::from(local), Rvalue::Use(Operand::Const(array))));
            let cast = Rvalue::Cast(CastKind::Unsize, Operand::Move(Place::from(local)), ty);
            statements.push(assign(result, cast));
        }
        _ => {
            let value = cx.constant(value, scope);
            if let Const::Unsupported(reason) = value {
                return Err(reason);
            }
            statements.push(assign(result, Rvalue::Use(Operand::Const(value))));
        }
    }
    let terminator = Terminator { kind: TerminatorKind::Return, span: None };
    let block = Block { statements, terminator, role: BlockRole::Normal };
    Ok(Body { locals, arg_count: 0, blocks: IdxVec::from(vec![block]) })
}

/// What a global is. Charon does not say which statics are `mut`: the source text does, where it is there, and so does code that
/// writes to one. A static of which neither is known may be either.
pub fn kind(cx: &Context<'_>, decl: &GlobalDecl) -> FunctionKind {
    match decl.global_kind {
        GlobalKind::Static | GlobalKind::ThreadLocal => {}
        GlobalKind::NamedConst | GlobalKind::AnonConst | GlobalKind::Other(_) => return FunctionKind::Const,
    }
    match &decl.item_meta.source_text {
        Some(text) => {
            let words: Vec<&str> = text.split_whitespace().take(8).collect();
            let is_mut = words.windows(2).any(|pair| pair == ["static", "mut"]);
            // A macro's text says nothing.
            if is_mut || !words.contains(&"static") { FunctionKind::StaticMut } else { FunctionKind::Static }
        }
        None if is_written(cx, decl.def_id) => FunctionKind::StaticMut,
        None => FunctionKind::Static,
    }
}

/// Whether any body of the file takes the global's address to write, or writes to it.
fn is_written(cx: &Context<'_>, id: usize) -> bool {
    let bodies = cx.krate.fun_decls.iter().flatten().filter_map(|decl| match &decl.body {
        FunBody::Unstructured(body) => Some(body),
        _ => None,
    });
    let is_it = |place: &charon::Place| root_global(place) == Some(id);
    bodies.flat_map(|body| &body.body).any(|block| {
        let written = block.statements.iter().any(|statement| match &statement.kind {
            Source::Assign((place, rvalue)) => {
                is_it(place)
                    || match rvalue {
                        charon::Rvalue::Ref(borrow) | charon::Rvalue::RawPtr(borrow) => {
                            is_it(&borrow.place) && !matches!(borrow.kind, charon::BorrowKind::Shared)
                        }
                        _ => false,
                    }
            }
            _ => false,
        });
        written
            || match &block.terminator.kind {
                charon::TerminatorKind::Call(call) => is_it(&call.call.dest),
                _ => false,
            }
    })
}

fn root_global(place: &charon::Place) -> Option<usize> {
    match &*place.kind {
        PlaceKind::Global(of) => Some(of.id),
        PlaceKind::Projection((inner, charon::Projection::Field(_) | charon::Projection::Index(_))) => {
            root_global(inner)
        }
        _ => None,
    }
}
