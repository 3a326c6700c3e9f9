//! What one item refers to: functions, types, implementations that a call on a trait may come to.
//!
//! Everything is over-approximated, as an edge too many costs a comparison and one too few a wrong "unchanged":
//!
//! * A call on a trait may go to every implementation whose `Self` type could be the one called on. On a closed type it
//!   goes to the method named and its default; on a parameter or a `dyn` type to all items of the implementation (which,
//!   in [`super::reach`], counts only once its types are in play). Comparison traits are one family, as
//!   the library implements them for tuples and slices by each other.
//! * A function that neither version knows the body of may call whatever is implemented for the types it is
//!   instantiated with. So may the code behind a type that is not defined in the program (an unmodelled collection).
//! * A type stands for the types of its fields, and for `Drop` of each of them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::behind_symbol;
use crate::idx::IdxVec;
use crate::ir::*;

/// A version's items with the look-ups that references need.
pub(super) struct Items<'a> {
    pub(super) program: &'a Program,
    adts: FxHashMap<&'a Path, Vec<AdtId>>,
    /// The types of the program named in each implementation's `Self` type or trait arguments.
    impl_adts: IdxVec<ImplId, BTreeSet<AdtId>>,
    /// The inverse.
    adt_impls: IdxVec<AdtId, Vec<ImplId>>,
    /// The implementations of comparison traits.
    comparisons: Vec<ImplId>,
}

/// What an item refers to directly.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) functions: BTreeSet<FnId>,
    pub(super) adts: BTreeSet<AdtId>,
    /// Types handed to code that is not known: everything implemented for them may run.
    pub(super) exposed: BTreeSet<AdtId>,
    /// Implementations that this may be dispatched to.
    pub(super) impls: BTreeSet<ImplId>,
    /// Implementations any item of which may run if their types are in play.
    pub(super) possible_impls: BTreeSet<ImplId>,
    pub(super) traits: BTreeSet<Path>,
    pub(super) exposure: Exposure,
    /// Functions, constants, types and traits that the program does not define.
    pub(super) unknown: BTreeSet<Path>,
    /// Items of `extern` blocks.
    pub(super) foreign: BTreeSet<Path>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignaturePart {
    Inputs,
    Output,
}

/// Whether the types of the values that a function may be given are all known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Openness {
    Open,
    Closed,
}

/// Which types unknown code is handed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Exposure {
    /// Those in [`Uses::exposed`].
    #[default]
    Named,
    /// Whatever a parameter stands for, so any that is in play.
    AllInPlay,
}

/// Whether the trait is the one whose method runs when a value goes out of scope. Another trait of that name may be
/// taken for it, which does no harm.
pub(super) fn is_drop(path: &Path) -> bool {
    last_segment(path) == "Drop"
}

fn is_comparison(path: &Path) -> bool {
    ["PartialEq", "Eq", "PartialOrd", "Ord"].contains(&last_segment(path))
}

pub(super) fn last_segment(path: &Path) -> &str {
    path.as_str().rsplit("::").next().unwrap_or_default()
}

impl<'a> Items<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let mut adts: FxHashMap<&Path, Vec<AdtId>> = FxHashMap::default();
        for (id, adt) in program.adts.iter_enumerated() {
            adts.entry(&adt.path).or_default().push(id);
        }
        let mut items = Items {
            program,
            adts,
            impl_adts: IdxVec::new(),
            adt_impls: program.adts.iter().map(|_| Vec::new()).collect(),
            comparisons: Vec::new(),
        };
        for (id, item) in program.impls.iter_enumerated() {
            let mut found = BTreeSet::new();
            let mut note = |ty: &Ty| items.adts_in(ty, &mut found);
            note(&item.trait_ref.self_ty);
            each_ty(&item.trait_ref.args, &mut note);
            found.iter().for_each(|adt| items.adt_impls[*adt].push(id));
            if is_comparison(&item.trait_ref.path) {
                items.comparisons.push(id);
            }
            items.impl_adts.push(found);
        }
        items
    }

    pub(super) fn adts_of_impl(&self, id: ImplId) -> impl Iterator<Item = AdtId> + '_ {
        self.impl_adts[id].iter().copied()
    }

    pub(super) fn impls_of_adt(&self, id: AdtId) -> &[ImplId] {
        &self.adt_impls[id]
    }

    fn adts_at(&self, path: &Path) -> &[AdtId] {
        self.adts.get(path).map_or(&[], Vec::as_slice)
    }

    /// The types of the program named anywhere in a type.
    fn adts_in(&self, ty: &Ty, found: &mut BTreeSet<AdtId>) {
        let seen = RefCell::new(BTreeSet::new());
        ty.map(
            &mut |part| {
                if let TyKind::Adt(path, _) = part.kind() {
                    seen.borrow_mut().extend(self.adts_at(path).iter().copied());
                }
                part
            },
            &mut |constant| constant,
        );
        found.append(&mut seen.into_inner());
    }

    pub(super) fn uses_of_function(&self, id: FnId) -> Uses {
        let function = &self.program.functions[id];
        let mut collector = Collector::new(self);
        collector.signature(function);
        collector.mentions(id);
        collector.foreign(&function.path);
        match (&function.body, function.origin) {
            (FnBody::Present(body), _) => collector.body(body),
            // Primitives of the executor: they run nothing that is implemented for their types but `Drop`, which
            // comes with the type.
            (FnBody::Missing, Origin::StdModel) => {}
            (FnBody::Missing | FnBody::Unreadable { .. }, _) => {
                function.inputs.iter().chain([&function.output]).for_each(|ty| collector.expose(ty));
            }
        }
        collector.uses
    }

    pub(super) fn uses_of_signature(&self, id: FnId) -> Uses {
        let mut collector = Collector::new(self);
        collector.signature(&self.program.functions[id]);
        collector.uses
    }

    pub(super) fn uses_of_signature_part(&self, id: FnId, part: SignaturePart) -> Uses {
        let mut collector = Collector::new(self);
        let function = &self.program.functions[id];
        match part {
            SignaturePart::Inputs => function.inputs.iter().for_each(|ty| collector.ty(ty)),
            SignaturePart::Output => collector.ty(&function.output),
        }
        collector.uses
    }

    /// Whether a caller may hand the function values of types that its signature does not name: it has type parameters,
    /// or trait objects come in, be it deep within an argument.
    pub(super) fn takes_any_type(&self, id: FnId) -> Openness {
        let function = &self.program.functions[id];
        let generics = self.program.generics_in_scope(id);
        let mut seen = BTreeSet::new();
        for ty in function.inputs.iter().chain([&function.output]) {
            if is_open(ty) {
                return Openness::Open;
            }
            self.adts_in(ty, &mut seen);
        }
        let mut open: Vec<AdtId> = seen.iter().copied().collect();
        while let Some(adt) = open.pop() {
            for field in self.program.adts[adt].variants.iter().flat_map(|variant| &variant.fields) {
                if holds(&field.ty, &|part| matches!(part, TyKind::Dyn(_) | TyKind::Unsupported(_))) {
                    return Openness::Open;
                }
            }
            let fields = self.adts_of_fields(adt, |_, _| true);
            open.extend(fields.into_iter().filter(|field| seen.insert(*field)));
        }
        match generics.iter().any(|param| param.kind == GenericParamKind::Type) {
            true => Openness::Open,
            false => Openness::Closed,
        }
    }

    /// The types that fields of a type name: those that `counts` accepts by the variant's index and the field.
    pub(super) fn adts_of_fields(
        &self,
        id: AdtId,
        counts: impl Fn(usize, &Field) -> bool,
    ) -> BTreeSet<AdtId> {
        let mut found = BTreeSet::new();
        for (index, variant) in self.program.adts[id].variants.iter().enumerate() {
            for field in variant.fields.iter().filter(|field| counts(index, field)) {
                self.adts_in(&field.ty, &mut found);
            }
        }
        found
    }

    /// What a value of the type refers to by being there.
    pub(super) fn uses_of_adt(&self, id: AdtId) -> Uses {
        let mut collector = Collector::new(self);
        for field in self.program.adts[id].variants.iter().flat_map(|variant| &variant.fields) {
            collector.ty(&field.ty);
        }
        for item in self.impls_of_adt(id) {
            let implementation = &self.program.impls[*item];
            // A projection from this type gives one of these.
            implementation.types.values().for_each(|ty| collector.ty(ty));
            if is_drop(&implementation.trait_ref.path) {
                collector.uses.impls.insert(*item);
                collector.uses.functions.extend(implementation.methods.values().copied());
            }
        }
        collector.uses
    }
}

fn each_ty(args: &[GenericArg], on_ty: &mut dyn FnMut(&Ty)) {
    for arg in args {
        if let GenericArg::Ty(ty) = arg {
            on_ty(ty);
        }
    }
}

struct Collector<'i, 'a> {
    items: &'i Items<'a>,
    uses: Uses,
    seen_types: FxHashSet<Ty>,
    exposed_types: FxHashSet<Ty>,
    /// Traits of which any implementation may run.
    any_of: FxHashSet<Path>,
}

impl<'i, 'a> Collector<'i, 'a> {
    fn new(items: &'i Items<'a>) -> Self {
        Collector {
            items,
            uses: Uses::default(),
            seen_types: FxHashSet::default(),
            exposed_types: FxHashSet::default(),
            any_of: FxHashSet::default(),
        }
    }

    fn signature(&mut self, function: &Function) {
        function.inputs.iter().chain([&function.output]).for_each(|ty| self.ty(ty));
    }

    /// What a symbol may lead to.
    fn foreign(&mut self, path: &Path) {
        if let Some(foreign) = self.program().declared.foreign.get(path) {
            self.uses.foreign.insert(path.clone());
            self.uses.functions.extend(behind_symbol(self.program(), foreign));
        }
    }

    /// Types, constants and crates that types in the function's body may mean by a name.
    fn mentions(&mut self, id: FnId) {
        let Some(names) = self.program().declared.mentions.get(&id) else { return };
        let is_meant = |path: &Path| names.contains(&Name::new(last_segment(path)));
        let adts = self.program().adts.iter_enumerated();
        self.uses.adts.extend(adts.filter(|(_, adt)| is_meant(&adt.path)).map(|(id, _)| id));
        let constants = self.program().functions.iter_enumerated().filter(|(_, function)| {
            matches!(function.kind, FunctionKind::Const | FunctionKind::Static) && is_meant(&function.path)
        });
        self.uses.functions.extend(constants.map(|(id, _)| id));
        self.uses.unknown.extend(names.iter().map(|name| Path::new(format!("{name}::_"))));
    }

    fn program(&self) -> &'a Program {
        self.items.program
    }

    fn ty(&mut self, ty: &Ty) {
        if !self.seen_types.insert(ty.clone()) {
            return;
        }
        match ty.kind() {
            TyKind::Adt(path, args) => {
                let known = self.items.adts_at(path);
                self.uses.adts.extend(known.iter().copied());
                if known.is_empty() {
                    self.uses.unknown.insert(path.clone());
                    self.expose_args(args);
                }
                self.args(args);
            }
            TyKind::Closure(path, args) => {
                self.uses.functions.extend(self.program().functions_at(path).iter().copied());
                self.args(args);
            }
            TyKind::Tuple(tys) => tys.iter().for_each(|ty| self.ty(ty)),
            TyKind::Array(ty, len) => {
                self.ty(ty);
                self.constant(len);
            }
            TyKind::Slice(ty) | TyKind::Ref(_, ty) | TyKind::RawPtr(_, ty) => self.ty(ty),
            TyKind::Projection { trait_ref, .. } => {
                self.trait_ref(trait_ref);
                for id in self.candidates(trait_ref) {
                    self.uses.impls.insert(id);
                    self.program().impls[id].types.values().for_each(|ty| self.ty(ty));
                }
            }
            TyKind::FnPtr { inputs, output } => {
                inputs.iter().for_each(|ty| self.ty(ty));
                self.ty(output);
            }
            TyKind::FnDef(fn_ref) => self.fn_ref(fn_ref),
            TyKind::Dyn(bounds) => {
                for bound in bounds {
                    self.any_impl(&bound.path);
                    self.args(&bound.args);
                    bound.assoc_types.iter().for_each(|(_, ty)| self.ty(ty));
                }
            }
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Unsupported(_) => {}
        }
    }

    fn args(&mut self, args: &[GenericArg]) {
        for arg in args {
            match arg {
                GenericArg::Ty(ty) => self.ty(ty),
                GenericArg::Const(constant) => self.constant(constant),
            }
        }
    }

    /// Unknown code works on values of the type.
    fn expose(&mut self, ty: &Ty) {
        self.ty(ty);
        if self.exposed_types.insert(ty.clone()) {
            self.items.adts_in(ty, &mut self.uses.exposed);
            if is_open(ty) {
                self.uses.exposure = Exposure::AllInPlay;
            }
        }
    }

    fn expose_args(&mut self, args: &[GenericArg]) {
        each_ty(args, &mut |ty| self.expose(ty));
    }

    fn trait_path(&mut self, path: &Path) {
        self.uses.traits.insert(path.clone());
        if self.program().trait_(path).is_none() {
            self.uses.unknown.insert(path.clone());
        }
    }

    fn trait_ref(&mut self, trait_ref: &TraitRef) {
        self.trait_path(&trait_ref.path);
        self.ty(&trait_ref.self_ty);
        self.args(&trait_ref.args);
    }

    /// Any implementation of the trait may run, as far as its types are in play.
    fn any_impl(&mut self, path: &Path) {
        if !self.any_of.insert(path.clone()) {
            return;
        }
        self.trait_path(path);
        self.uses.possible_impls.extend(self.program().impls_of(path).iter().copied());
        if let Some(item) = self.program().trait_(path) {
            self.uses.functions.extend(item.default_methods.values().copied());
            self.uses.functions.extend(item.default_consts.values().copied());
        }
        if is_comparison(path) {
            self.uses.possible_impls.extend(self.items.comparisons.iter().copied());
        }
    }

    /// The implementations that the trait reference may mean.
    fn candidates(&self, trait_ref: &TraitRef) -> Vec<ImplId> {
        let program = self.program();
        let may_be = |id: &ImplId| {
            let implemented = &program.impls[*id].trait_ref;
            may_match(&implemented.self_ty, &trait_ref.self_ty)
                && may_match_args(&implemented.args, &trait_ref.args)
        };
        program.impls_of(&trait_ref.path).iter().copied().filter(may_be).collect()
    }

    /// A method or constant of a trait.
    fn trait_item(&mut self, trait_ref: &TraitRef, name: &Name, args: &[GenericArg]) {
        self.trait_ref(trait_ref);
        self.args(args);
        if is_open(&trait_ref.self_ty) {
            self.any_impl(&trait_ref.path);
            return;
        }
        let program = self.program();
        if let Some(item) = program.trait_(&trait_ref.path) {
            self.uses.functions.extend(item.default_methods.get(name).copied());
            self.uses.functions.extend(item.default_consts.get(name).copied());
        }
        let candidates = self.candidates(trait_ref);
        for id in &candidates {
            let item = &program.impls[*id];
            self.uses.impls.insert(*id);
            self.uses.functions.extend(item.methods.get(name).copied());
            self.uses.functions.extend(item.consts.get(name).copied());
        }
        let is_specific = |id: &ImplId| {
            !matches!(
                program.impls[*id].trait_ref.self_ty.kind(),
                TyKind::Param(_) | TyKind::Projection { .. }
            )
        };
        if !candidates.iter().any(is_specific) {
            self.expose(&trait_ref.self_ty);
            self.expose_args(&trait_ref.args);
            self.expose_args(args);
        }
    }

    /// A function or constant by its path.
    fn item(&mut self, path: &Path, args: &[GenericArg], self_ty: Option<&Ty>) {
        self.args(args);
        self_ty.into_iter().for_each(|ty| self.ty(ty));
        let found = self.program().functions_at(path);
        self.uses.functions.extend(found.iter().copied());
        self.foreign(path);
        let constructed = path.as_str().rsplit_once("::").map(|(owner, _)| Path::new(owner));
        let is_constructor = !self.items.adts_at(path).is_empty()
            || constructed.is_some_and(|owner| self_ty.is_none() && !self.items.adts_at(&owner).is_empty());
        if found.is_empty() && !is_constructor {
            self.uses.unknown.insert(path.clone());
            self.expose_args(args);
            self_ty.into_iter().for_each(|ty| self.expose(ty));
        }
    }

    fn fn_ref(&mut self, fn_ref: &FnRef) {
        match fn_ref {
            FnRef::Free { path, args } => self.item(path, args, None),
            FnRef::Inherent { path, self_ty, args } => self.item(path, args, Some(self_ty)),
            FnRef::Trait { trait_ref, method, args } => self.trait_item(trait_ref, method, args),
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Tuple(items) | Const::Array(items) => items.iter().for_each(|item| self.constant(item)),
            Const::Adt { ty, fields, .. } => {
                self.ty(ty);
                fields.iter().for_each(|field| self.constant(field));
            }
            Const::Ref(inner) => self.constant(inner),
            Const::Fn(fn_ref) => self.fn_ref(fn_ref),
            Const::Item { path, args } => self.item(path, args, None),
            Const::AssocConst { trait_ref, name } => self.trait_item(trait_ref, name, &[]),
            Const::InherentConst { path, self_ty } => self.item(path, &[], Some(self_ty)),
            Const::StaticRef(path) => self.item(path, &[], None),
            Const::ZeroSized(ty) => self.ty(ty),
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Str(_)
            | Const::ByteStr(_)
            | Const::Param(_)
            | Const::Uninit
            | Const::Unsupported(_) => {}
        }
    }

    fn body(&mut self, body: &Body) {
        body.locals.iter().for_each(|local| self.ty(&local.ty));
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(place, rvalue) => {
                        self.place(place);
                        self.rvalue(rvalue);
                    }
                    StatementKind::SetDiscriminant(place, _) => self.place(place),
                    StatementKind::Nop => {}
                }
            }
            self.terminator(&block.terminator.kind);
        }
    }

    fn place(&mut self, place: &Place) {
        for projection in &place.projection {
            if let Projection::Field(_, Some(ty)) = projection {
                self.ty(ty);
            }
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.place(place),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    fn rvalue(&mut self, rvalue: &Rvalue) {
        match rvalue {
            Rvalue::Use(a) | Rvalue::Unary(_, a) | Rvalue::PtrMetadata(a) => self.operand(a),
            Rvalue::Ref(_, place)
            | Rvalue::RawPtr(_, place)
            | Rvalue::Discriminant(place)
            | Rvalue::Len(place) => self.place(place),
            Rvalue::Repeat(a, len) => {
                self.operand(a);
                self.constant(len);
            }
            Rvalue::Binary(_, a, b) | Rvalue::CheckedBinary(_, a, b) => {
                self.operand(a);
                self.operand(b);
            }
            Rvalue::Cast(_, a, ty) => {
                self.operand(a);
                self.ty(ty);
            }
            Rvalue::FatPtr { pointer, metadata, ty } => {
                self.operand(pointer);
                self.operand(metadata);
                self.ty(ty);
            }
            Rvalue::Aggregate(kind, operands) => {
                match kind {
                    AggregateKind::Tuple | AggregateKind::Array => {}
                    AggregateKind::Adt { ty, .. } => self.ty(ty),
                    AggregateKind::Closure { path, args } => {
                        self.uses.functions.extend(self.program().functions_at(path).iter().copied());
                        self.args(args);
                    }
                }
                operands.iter().for_each(|operand| self.operand(operand));
            }
            Rvalue::SizeOf(ty) | Rvalue::AlignOf(ty) => self.ty(ty),
        }
    }

    fn terminator(&mut self, terminator: &TerminatorKind) {
        match terminator {
            TerminatorKind::SwitchInt { discr, .. } => self.operand(discr),
            TerminatorKind::Drop { place, .. } => self.place(place),
            TerminatorKind::Call { callee, args, destination, .. } => {
                match callee {
                    Callee::Fn(fn_ref) => self.fn_ref(fn_ref),
                    Callee::Pointer(operand) => self.operand(operand),
                }
                args.iter().for_each(|operand| self.operand(operand));
                self.place(destination);
            }
            TerminatorKind::Assert { condition, check, .. } => {
                self.operand(condition);
                match check {
                    Check::Overflow(_, a, b) | Check::BoundsCheck { len: a, index: b } => {
                        self.operand(a);
                        self.operand(b);
                    }
                    Check::OverflowNeg(a)
                    | Check::OverflowShift(_, a)
                    | Check::DivisionByZero(a)
                    | Check::RemainderByZero(a) => self.operand(a),
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
}

/// Whether which type this is depends on what stands for parameters, or on the value at run time.
fn is_open(ty: &Ty) -> bool {
    holds(ty, &|part| {
        matches!(part, TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Dyn(_) | TyKind::Unsupported(_))
    })
}

/// Whether some part of the type, or the type itself, is such.
pub(super) fn holds(ty: &Ty, is_such: &dyn Fn(&TyKind) -> bool) -> bool {
    let found = Cell::new(false);
    // Mapping a type onto itself visits every part of it.
    ty.map(
        &mut |part| {
            found.set(found.get() || is_such(part.kind()));
            part
        },
        &mut |constant| constant,
    );
    found.get()
}

/// Whether two types may be one once parameters on either side are filled in. Errs towards yes.
fn may_match(a: &Ty, b: &Ty) -> bool {
    use TyKind::*;
    match (a.kind(), b.kind()) {
        (Param(_) | Projection { .. } | Unsupported(_), _)
        | (_, Param(_) | Projection { .. } | Unsupported(_)) => true,
        (Adt(p, ps), Adt(q, qs)) | (Closure(p, ps), Closure(q, qs)) => p == q && may_match_args(ps, qs),
        (Tuple(ps), Tuple(qs)) => ps.len() == qs.len() && ps.iter().zip(qs).all(|(p, q)| may_match(p, q)),
        // Lengths are not looked at.
        (Array(p, _), Array(q, _)) | (Slice(p), Slice(q)) => may_match(p, q),
        (Ref(m, p), Ref(n, q)) | (RawPtr(m, p), RawPtr(n, q)) => m == n && may_match(p, q),
        (FnPtr { inputs: pi, .. }, FnPtr { inputs: qi, .. }) => pi.len() == qi.len(),
        (FnDef(_), FnDef(_)) => true,
        (Dyn(ps), Dyn(qs)) => ps.iter().any(|p| qs.iter().any(|q| p.path == q.path)),
        (p, q) => p == q,
    }
}

/// Missing arguments are defaulted ones, so they match.
fn may_match_args(a: &[GenericArg], b: &[GenericArg]) -> bool {
    a.iter().zip(b).all(|pair| match pair {
        (GenericArg::Ty(a), GenericArg::Ty(b)) => may_match(a, b),
        _ => true,
    })
}
