//! Small programs built by hand, for the tests of alignment.

use std::collections::BTreeMap;

use super::*;
use crate::idx::Idx;
use crate::ir::*;

/// A program under construction. A body is a list of what it mentions and the constant it returns.
#[derive(Clone, Default)]
pub(super) struct Build {
    pub(super) program: Program,
}

pub(super) fn int() -> Ty {
    Ty::int(IntTy::I32)
}

pub(super) fn adt(path: &str) -> Ty {
    Ty::adt(path, Vec::new())
}

pub(super) fn param(name: &str) -> Ty {
    Ty::new(TyKind::Param(Name::new(name)))
}

pub(super) fn free(path: &str) -> Const {
    free_at(path, &[])
}

pub(super) fn free_at(path: &str, args: &[Ty]) -> Const {
    let args = args.iter().cloned().map(GenericArg::Ty).collect();
    Const::Fn(Box::new(FnRef::Free { path: Path::new(path), args }))
}

pub(super) fn method(trait_path: &str, self_ty: Ty, name: &str) -> Const {
    let trait_ref = TraitRef { self_ty, path: Path::new(trait_path), args: Vec::new() };
    Const::Fn(Box::new(FnRef::Trait { trait_ref, method: Name::new(name), args: Vec::new() }))
}

pub(super) fn named(path: &str) -> Const {
    Const::Item { path: Path::new(path), args: Vec::new() }
}

/// A value of the type is made.
pub(super) fn value_of(ty: Ty) -> Const {
    Const::ZeroSized(ty)
}

/// The body with a reference to the type turned into one to the object before all else.
pub(super) fn with_object(body: &FnBody, ty: Ty, object: Ty) -> FnBody {
    let FnBody::Present(shared) = body else { return body.clone() };
    let mut body = Body::clone(shared);
    let reference = |ty| Ty::reference(Mutability::Shared, ty);
    let from = Operand::Const(Const::ZeroSized(reference(ty)));
    let value = Rvalue::Cast(CastKind::Unsize, from, reference(object));
    let kind = StatementKind::Assign(LocalId::return_place().into(), value);
    body.blocks[BlockId::from_usize(0)].statements.insert(0, Statement { kind, span: None });
    FnBody::Present(body.into())
}

/// The body with what is behind a reference to the type dropped at its end, as where another value is put there.
pub(super) fn with_drop_behind_reference(body: &FnBody, ty: Ty) -> FnBody {
    let FnBody::Present(shared) = body else { return body.clone() };
    let mut body = Body::clone(shared);
    let local = body.locals.push(Local { ty: Ty::reference(Mutability::Mut, ty), name: None, span: None });
    let place = Place { local, projection: vec![Projection::Deref] };
    let first = BlockId::from_usize(0);
    let terminator = body.blocks[first].terminator.clone();
    let target = body.blocks.push(Block { statements: Vec::new(), terminator, role: BlockRole::Normal });
    body.blocks[first].terminator.kind = TerminatorKind::Drop { place, target, unwind: None };
    FnBody::Present(body.into())
}

pub(super) fn body(result: i128, mentions: &[Const]) -> FnBody {
    let local = |ty| Local { ty, name: None, span: None };
    let mut locals: IdxVec<LocalId, Local> = IdxVec::new();
    locals.push(local(int()));
    let mut statements = Vec::new();
    for mention in mentions {
        let temp = locals.push(local(Ty::unit()));
        let value = Rvalue::Use(Operand::Const(mention.clone()));
        statements.push(Statement { kind: StatementKind::Assign(temp.into(), value), span: None });
    }
    let value = Rvalue::Use(Operand::Const(Const::int(result, IntTy::I32)));
    let kind = StatementKind::Assign(LocalId::return_place().into(), value);
    statements.push(Statement { kind, span: None });
    let terminator = Terminator { kind: TerminatorKind::Return, span: None };
    let block = Block { statements, terminator, role: BlockRole::Normal };
    FnBody::Present(Body { locals, arg_count: 0, blocks: vec![block].into() }.into())
}

impl Build {
    pub(super) fn push(&mut self, path: &str, kind: FunctionKind, owner: Owner, body: FnBody) -> FnId {
        self.program.functions.push(Function {
            path: Path::new(path),
            kind,
            owner,
            generics: Vec::new(),
            bounds: Vec::new(),
            inputs: Vec::new(),
            output: int(),
            visibility: Visibility::Public,
            origin: Origin::Subject,
            span: None,
            body,
        })
    }

    pub(super) fn func(mut self, path: &str, result: i128, mentions: &[Const]) -> Self {
        self.push(path, FunctionKind::Fn, Owner::Free, body(result, mentions));
        self
    }

    /// A global allocator of its own.
    pub(super) fn allocator(mut self) -> Self {
        let id = self.push("k::_::__rust_alloc", FunctionKind::Fn, Owner::Free, body(0, &[]));
        self.program.declared.ambient.insert(id);
        self
    }

    /// `fn path<T>()`
    pub(super) fn generic(mut self, path: &str, result: i128, mentions: &[Const]) -> Self {
        let id = self.push(path, FunctionKind::Fn, Owner::Free, body(result, mentions));
        self.program.functions[id].generics =
            vec![GenericParam { name: Name::new("T"), kind: GenericParamKind::Type }];
        self
    }

    /// Changes the type added last.
    pub(super) fn with_adt(mut self, change: impl FnOnce(&mut Adt)) -> Self {
        let last = self.program.adts.ids().next_back().expect("a type was added");
        change(&mut self.program.adts[last]);
        self
    }

    /// Changes the function added last.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Function)) -> Self {
        if let Some(function) = self.program.functions.iter_mut().last() {
            change(function);
        }
        self
    }

    pub(super) fn constant(mut self, path: &str, result: i128) -> Self {
        self.push(path, FunctionKind::Const, Owner::Free, body(result, &[]));
        self
    }

    /// A closure of the function at `parent`.
    pub(super) fn closure(mut self, parent: &str, result: i128) -> Self {
        let owner = Owner::Within(
            self.program
                .functions
                .ids()
                .find(|id| self.program.functions[*id].path == parent)
                .expect("parent first"),
        );
        self.push(&format!("{parent}::{{closure#0}}"), FunctionKind::Closure, owner, body(result, &[]));
        self
    }

    pub(super) fn adt(mut self, path: &str, fields: &[Ty]) -> Self {
        let fields = (0..)
            .zip(fields)
            .map(|(index, ty): (u32, &Ty)| Field {
                name: Name::new(index.to_string()),
                ty: ty.clone(),
                visibility: Visibility::Public,
            })
            .collect();
        self.program.adts.push(Adt {
            path: Path::new(path),
            kind: AdtKind::Struct,
            generics: Vec::new(),
            bounds: Vec::new(),
            variants: vec![Variant { name: Name::new("S"), ctor: CtorKind::Tuple, fields, discriminant: 0 }],
            discriminant_ty: IntTy::Isize,
            visibility: Visibility::Public,
            origin_crate: Name::new("k"),
            span: None,
        });
        self
    }

    /// `impl trait for self_ty` with one method.
    pub(super) fn implement(
        mut self,
        trait_path: &str,
        self_ty: Ty,
        name: &str,
        result: i128,
        mentions: &[Const],
    ) -> Self {
        let id = ImplId::from_usize(self.program.impls.len());
        let path = format!("<{self_ty} as {trait_path}>::{name}");
        let function = self.push(&path, FunctionKind::Fn, Owner::TraitImpl(id), body(result, mentions));
        self.program.impls.push(TraitImpl {
            generics: Vec::new(),
            trait_ref: TraitRef { self_ty, path: Path::new(trait_path), args: Vec::new() },
            bounds: Vec::new(),
            equalities: Vec::new(),
            methods: BTreeMap::from([(Name::new(name), function)]),
            consts: BTreeMap::new(),
            types: BTreeMap::new(),
        });
        self
    }

    /// A trait with one default method.
    pub(super) fn trait_with_default(mut self, path: &str, name: &str, result: i128) -> Self {
        let function = self.push(
            &format!("{path}::{name}"),
            FunctionKind::Fn,
            Owner::Trait(Path::new(path)),
            body(result, &[]),
        );
        self.program.traits.push(Trait {
            path: Path::new(path),
            visibility: Visibility::Public,
            generics: Vec::new(),
            default_methods: BTreeMap::from([(Name::new(name), function)]),
            default_consts: BTreeMap::new(),
            default_types: BTreeMap::new(),
            supertraits: Vec::new(),
        });
        self
    }

    pub(super) fn done(mut self) -> Program {
        self.program.build_index();
        self.program
    }
}

pub(super) const UNCHANGED: ChangeKind = ChangeKind::Unchanged;
pub(super) const CHANGED: ChangeKind = ChangeKind::Changed;
pub(super) const AFFECTED: ChangeKind = ChangeKind::Affected;
pub(super) const ADDED: ChangeKind = ChangeKind::Added;
pub(super) const REMOVED: ChangeKind = ChangeKind::Removed;
pub(super) const SIGNATURE: ChangeKind = ChangeKind::SignatureChanged;

pub(super) fn kinds(old: &Program, new: &Program) -> BTreeMap<String, ChangeKind> {
    let path = |pair: &Pair| match (pair.new, pair.old) {
        (Some(id), _) => new.functions[id].path.to_string(),
        (None, Some(id)) => old.functions[id].path.to_string(),
        (None, None) => "nothing".to_string(),
    };
    align(old, new).pairs.iter().map(|pair| (path(pair), pair.kind)).collect()
}

/// What each function becomes, by its path in the new version where it is there.
pub(super) fn check(old: Build, new: Build, expected: &[(&str, ChangeKind)]) {
    let expected: BTreeMap<String, ChangeKind> =
        expected.iter().map(|(path, kind)| (path.to_string(), *kind)).collect();
    let (old, new) = (old.done(), new.done());
    assert_eq!(kinds(&old, &new), expected);
    for version in [&old, &new] {
        let all = kinds(version, version);
        assert!(all.values().all(|kind| *kind == UNCHANGED), "against itself: {all:?}");
    }
}

pub(super) fn start() -> Build {
    Build::default()
}
