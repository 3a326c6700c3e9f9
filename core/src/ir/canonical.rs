//! The canonical form of a body: what is left of it when everything that cannot change its meaning is taken away.
//!
//! Idea: two bodies with equal canonical forms do the same, given that the items they name do the same. Taken away:
//!
//! * spans, user's names, `Nop`s, blocks and locals that nothing refers to;
//! * the numbering of locals (now by first occurrence; return place and arguments stay) and of blocks (now in reverse
//!   post-order of normal flow, then cleanup blocks), the order of the arms of a `SwitchInt`;
//! * the cutting of straight-line code into blocks: empty blocks are skipped, single-entry ones joined to where they
//!   are entered from;
//! * the path of the function itself: it, its closures and its unnamed constants are spelled relative to `{self}`, so
//!   a moved function keeps its form;
//! * the names of generic parameters: they are numbered as they come into scope.
//!
//! Not taken away: anything that needs knowledge of what operations mean. Constants that hold a source location
//! (`line!()`) are constants like any other.
//!
//! Limit: text that the front end did not understand is kept as text. Where such text names something that means
//! something else in each run of the compiler (`alloc12`), equal text does not mean equal constants; the canonical form
//! then says so ([`CanonicalBody::undetermined`]) and is the same as no other, not even as itself.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::*;
use crate::idx::{Idx, IdxVec};

/// A body in canonical form.
#[derive(Clone, Debug)]
pub struct CanonicalBody {
    body: Body,
    undetermined: Vec<String>,
}

/// A hash that is the same in every run of the same build of this program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

/// What names mean in a body: where it stands, and which parameters are in scope.
#[derive(Clone, Debug)]
pub struct Scope {
    root: Path,
    params: BTreeMap<Name, usize>,
}

/// Functions of the old version that have another path in the new one.
#[derive(Clone, Debug, Default)]
pub struct Renames {
    paths: BTreeMap<Path, Path>,
}

impl Renames {
    pub fn insert(&mut self, old: Path, new: Path) {
        self.paths.insert(old, new);
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The new path, be it that of a renamed function or of something declared within one.
    fn apply(&self, path: &Path) -> Option<Path> {
        self.paths
            .iter()
            .find_map(|(old, new)| relative(path, old).map(|rest| Path::new(format!("{new}{rest}"))))
    }
}

impl Scope {
    /// The scope of a function's body. Closures and promoted constants stand in that of the function around them.
    pub fn of(program: &Program, function: FnId) -> Scope {
        let root = program.functions[root_of(program, function)].path.clone();
        Scope::new(root, &program.generics_in_scope(function))
    }

    pub fn new(root: Path, generics: &[GenericParam]) -> Scope {
        let params = generics.iter().enumerate().map(|(index, param)| (param.name.clone(), index)).collect();
        Scope { root, params }
    }
}

/// The function that a closure, promoted or inline constant is part of; any other function is its own root.
pub fn root_of(program: &Program, function: FnId) -> FnId {
    let mut root = function;
    // A chain of parents longer than the program has functions can only be a malformed circle.
    for _ in 0..program.functions.len() {
        match &program.functions[root].owner {
            Owner::Within(parent) if program.functions.get(*parent).is_some() => root = *parent,
            _ => break,
        }
    }
    root
}

impl CanonicalBody {
    /// The canonical form of a function's body, if it has one, with renamed items spelled the new way.
    pub fn of(program: &Program, function: FnId, renames: &Renames) -> Option<CanonicalBody> {
        match &program.functions[function].body {
            FnBody::Present(body) => Some(CanonicalBody::new(body, &Scope::of(program, function), renames)),
            FnBody::Unreadable { .. } | FnBody::Missing => None,
        }
    }

    pub fn new(body: &Body, scope: &Scope, renames: &Renames) -> CanonicalBody {
        let layout = Layout::new(body);
        let mut rewriter = Rewriter {
            layout: &layout,
            speller: Speller::new(scope, renames),
            locals: LocalNumbers::new(body),
        };
        let blocks = layout
            .chains
            .iter()
            .map(|chain| {
                let mut statements = Vec::new();
                for id in chain {
                    let kinds =
                        body.blocks[*id].statements.iter().filter_map(|s| rewriter.statement(&s.kind));
                    statements.extend(kinds.map(|kind| Statement { kind, span: None }));
                }
                let last = &body.blocks[chain[chain.len() - 1]];
                let terminator = Terminator { kind: rewriter.terminator(&last.terminator.kind), span: None };
                Block { statements, terminator, role: last.role }
            })
            .collect();
        let locals = rewriter
            .locals
            .order
            .iter()
            .map(|id| {
                let ty = match body.locals.get(*id) {
                    Some(local) => rewriter.speller.ty(&local.ty),
                    None => rewriter.speller.not_understood(format!("local {id} is not declared")),
                };
                Local { ty, name: None, span: None }
            })
            .collect();
        let undetermined = rewriter.speller.undetermined.into_inner();
        CanonicalBody { body: Body { locals, arg_count: body.arg_count, blocks }, undetermined }
    }

    /// Whether both do the same as long as the items they name do.
    pub fn is_same(&self, other: &CanonicalBody) -> bool {
        self.undetermined.is_empty() && other.undetermined.is_empty() && self.body == other.body
    }

    /// Equal for equal bodies. Different ones differ as surely as 128 bits allow; [`CanonicalBody::is_same`] is exact.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Fnv128::default();
        self.body.hash(&mut hasher);
        self.undetermined.hash(&mut hasher);
        Fingerprint(hasher.state)
    }

    /// The body itself, for printing and for further analysis.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The pieces of text whose meaning the text alone does not determine.
    pub fn undetermined(&self) -> &[String] {
        &self.undetermined
    }
}

/// Which blocks of the original make up each block of the canonical body, and in which order.
struct Layout {
    /// Where entering a block leads once empty blocks are skipped.
    forward: IdxVec<BlockId, BlockId>,
    chains: Vec<Vec<BlockId>>,
    numbers: HashMap<BlockId, BlockId>,
}

impl Layout {
    fn new(body: &Body) -> Layout {
        let forward: IdxVec<BlockId, BlockId> = body.blocks.ids().map(|id| skip_empty(body, id)).collect();
        let mut layout = Layout { forward, chains: Vec::new(), numbers: HashMap::new() };
        if body.blocks.is_empty() {
            return layout;
        }
        let start = layout.forward[BlockId::entry()];
        let mut order = layout.reverse_post_order(body, &[start], BlockRole::Normal);
        let unwinds: Vec<BlockId> =
            order.iter().filter_map(|id| layout.enter(body.blocks[*id].terminator.kind.unwind()?)).collect();
        order.extend(layout.reverse_post_order(body, &unwinds, BlockRole::Cleanup));
        // Well-formed bodies never come from cleanup back to normal flow; others keep each block once.
        let mut seen = HashSet::new();
        order.retain(|id| seen.insert(*id));

        let mut entries: HashMap<BlockId, usize> = HashMap::from([(start, 1)]);
        for id in &order {
            for next in layout.all_successors(body, *id) {
                *entries.entry(next).or_default() += 1;
            }
        }
        let joined = |id: BlockId| match &body.blocks[id].terminator.kind {
            TerminatorKind::Goto(target) => layout
                .enter(*target)
                .filter(|next| entries[next] == 1 && body.blocks[*next].role == body.blocks[id].role),
            _ => None,
        };
        let inner: HashSet<BlockId> = order.iter().filter_map(|id| joined(*id)).collect();
        let mut chains = Vec::new();
        for head in order.iter().filter(|id| !inner.contains(id)) {
            chains.push(std::iter::successors(Some(*head), |id| joined(*id)).collect::<Vec<_>>());
        }
        for (index, chain) in chains.iter().enumerate() {
            layout.numbers.insert(chain[0], BlockId::from_usize(index));
        }
        layout.chains = chains;
        layout
    }

    /// The block that a jump to `target` gets to; none if there is no such block.
    fn enter(&self, target: BlockId) -> Option<BlockId> {
        self.forward.get(target).copied()
    }

    /// Successors in canonical order, unwinding left out.
    fn successors(&self, body: &Body, id: BlockId) -> Vec<BlockId> {
        let targets = match &body.blocks[id].terminator.kind {
            TerminatorKind::SwitchInt { targets, otherwise, .. } => {
                sorted_arms(targets).into_iter().map(|(_, target)| target).chain(*otherwise).collect()
            }
            other => other.successors(),
        };
        targets.into_iter().filter_map(|target| self.enter(target)).collect()
    }

    fn all_successors(&self, body: &Body, id: BlockId) -> Vec<BlockId> {
        let mut all = self.successors(body, id);
        all.extend(body.blocks[id].terminator.kind.unwind().and_then(|target| self.enter(target)));
        all
    }

    /// Blocks of the role and whatever they lead to without unwinding; each comes before its successors except along
    /// back edges, and what an earlier start reaches before what only a later one does.
    fn reverse_post_order(&self, body: &Body, starts: &[BlockId], role: BlockRole) -> Vec<BlockId> {
        let mut seen = vec![false; body.blocks.len()];
        let mut order = Vec::new();
        for start in starts.iter().rev() {
            let mut stack = vec![(*start, self.arms_last_first(body, *start, role))];
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            while let Some((id, open)) = stack.last_mut() {
                match open.pop() {
                    Some(next) if std::mem::replace(&mut seen[next.index()], true) => {}
                    Some(next) => stack.push((next, self.arms_last_first(body, next, role))),
                    None => {
                        order.push(*id);
                        stack.pop();
                    }
                }
            }
        }
        order.reverse();
        order
    }

    /// A stack of successors of which the last arm is on top: it has to be finished first to come last in the end.
    fn arms_last_first(&self, body: &Body, id: BlockId, role: BlockRole) -> Vec<BlockId> {
        match role {
            BlockRole::Normal => self.successors(body, id),
            // A cleanup block that unwinds itself goes on to other cleanup blocks.
            BlockRole::Cleanup => self.all_successors(body, id),
        }
    }
}

/// Follows jumps through blocks in which nothing happens. Stops where a circle of such blocks closes.
fn skip_empty(body: &Body, start: BlockId) -> BlockId {
    let mut seen = vec![start];
    let mut at = start;
    loop {
        let block = &body.blocks[at];
        let nothing_happens = block.statements.iter().all(|s| s.kind == StatementKind::Nop);
        let TerminatorKind::Goto(next) = block.terminator.kind else { return at };
        let same_role = body.blocks.get(next).is_some_and(|target| target.role == block.role);
        if !nothing_happens || !same_role {
            return at;
        }
        if seen.contains(&next) {
            return next;
        }
        seen.push(next);
        at = next;
    }
}

/// By value; of two arms for one value, of which only the first can be taken, the first stays in front.
fn sorted_arms(targets: &[(u128, BlockId)]) -> Vec<(u128, BlockId)> {
    let mut arms = targets.to_vec();
    arms.sort_by_key(|(value, _)| *value);
    arms
}

/// The new numbers of locals, given out as they are asked for.
struct LocalNumbers {
    numbers: HashMap<LocalId, LocalId>,
    /// The old id of each new one.
    order: IdxVec<LocalId, LocalId>,
}

impl LocalNumbers {
    fn new(body: &Body) -> LocalNumbers {
        let mut locals = LocalNumbers { numbers: HashMap::new(), order: IdxVec::new() };
        locals.number(LocalId::return_place());
        body.args().for_each(|arg| {
            locals.number(arg);
        });
        locals
    }

    fn number(&mut self, local: LocalId) -> LocalId {
        *self.numbers.entry(local).or_insert_with(|| self.order.push(local))
    }
}

/// Spells paths, types and constants independently of where the function stands and how its parameters are called.
struct Speller<'a> {
    scope: &'a Scope,
    renames: &'a Renames,
    undetermined: std::cell::RefCell<Vec<String>>,
}

/// What is left of `path` below `base`: empty for `base` itself. Only closures, promoted and inline constants are
/// below a function in this sense: a module may have a function's name, and its items are no part of the function.
fn relative<'p>(path: &'p Path, base: &Path) -> Option<&'p str> {
    let rest = path.as_str().strip_prefix(base.as_str())?;
    (rest.is_empty() || rest.starts_with("::{") || rest.starts_with("::promoted[")).then_some(rest)
}

impl<'a> Speller<'a> {
    fn new(scope: &'a Scope, renames: &'a Renames) -> Self {
        Speller { scope, renames, undetermined: Default::default() }
    }

    fn not_understood(&self, text: String) -> Ty {
        self.undetermined.borrow_mut().push(text.clone());
        Ty::new(TyKind::Unsupported(text))
    }

    fn note_text(&self, text: &str) {
        if names_an_allocation(text) {
            self.undetermined.borrow_mut().push(text.to_string());
        }
    }

    fn path(&self, path: &Path) -> Path {
        match relative(path, &self.scope.root) {
            Some(rest) => Path::new(format!("{{self}}{rest}")),
            None => self.renames.apply(path).unwrap_or_else(|| path.clone()),
        }
    }

    fn param(&self, name: &Name) -> Name {
        match self.scope.params.get(name) {
            Some(index) => Name::new(format!("{{param {index}}}")),
            None => name.clone(),
        }
    }

    fn ty(&self, ty: &Ty) -> Ty {
        ty.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant))
    }

    /// Respells a type whose parts are done already.
    fn head(&self, ty: Ty) -> Ty {
        let kind = match ty.kind() {
            TyKind::Adt(path, args) => TyKind::Adt(self.path(path), args.clone()),
            TyKind::Closure(path, args) => TyKind::Closure(self.path(path), args.clone()),
            TyKind::Param(name) => TyKind::Param(self.param(name)),
            TyKind::Projection { trait_ref, name } => {
                TyKind::Projection { trait_ref: self.trait_head(trait_ref.clone()), name: name.clone() }
            }
            TyKind::FnDef(fn_ref) => TyKind::FnDef(Box::new(self.fn_head(fn_ref.as_ref().clone()))),
            TyKind::Dyn(bounds) => TyKind::Dyn(
                bounds
                    .iter()
                    .map(|bound| DynTrait { path: self.path(&bound.path), ..bound.clone() })
                    .collect(),
            ),
            TyKind::Unsupported(text) => {
                self.note_text(text);
                return ty;
            }
            _ => return ty,
        };
        Ty::new(kind)
    }

    fn args(&self, args: &GenericArgs) -> GenericArgs {
        args.iter()
            .map(|arg| match arg {
                GenericArg::Ty(ty) => GenericArg::Ty(self.ty(ty)),
                GenericArg::Const(constant) => GenericArg::Const(self.constant(constant)),
            })
            .collect()
    }

    fn trait_head(&self, trait_ref: TraitRef) -> TraitRef {
        TraitRef { path: self.path(&trait_ref.path), ..trait_ref }
    }

    fn trait_ref(&self, trait_ref: &TraitRef) -> TraitRef {
        self.trait_head(trait_ref.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant)))
    }

    fn fn_head(&self, fn_ref: FnRef) -> FnRef {
        match fn_ref {
            FnRef::Free { path, args } => FnRef::Free { path: self.path(&path), args },
            FnRef::Inherent { path, self_ty, args } => {
                FnRef::Inherent { path: self.path(&path), self_ty, args }
            }
            FnRef::Trait { trait_ref, method, args } => {
                FnRef::Trait { trait_ref: self.trait_head(trait_ref), method, args }
            }
        }
    }

    fn fn_ref(&self, fn_ref: &FnRef) -> FnRef {
        self.fn_head(fn_ref.map(&mut |ty| self.head(ty), &mut |constant| self.constant(&constant)))
    }

    fn constants(&self, constants: &[Const]) -> Vec<Const> {
        constants.iter().map(|constant| self.constant(constant)).collect()
    }

    fn constant(&self, constant: &Const) -> Const {
        match constant {
            Const::Tuple(items) => Const::Tuple(self.constants(items)),
            Const::Array(items) => Const::Array(self.constants(items)),
            Const::Adt { ty, variant, fields } => {
                Const::Adt { ty: self.ty(ty), variant: variant.clone(), fields: self.constants(fields) }
            }
            Const::Ref(inner) => Const::Ref(Box::new(self.constant(inner))),
            Const::Param(name) => Const::Param(self.param(name)),
            Const::Fn(fn_ref) => Const::Fn(Box::new(self.fn_ref(fn_ref))),
            Const::Item { path, args } => Const::Item { path: self.path(path), args: self.args(args) },
            Const::AssocConst { trait_ref, name } => {
                Const::AssocConst { trait_ref: self.trait_ref(trait_ref), name: name.clone() }
            }
            Const::InherentConst { path, self_ty } => {
                Const::InherentConst { path: self.path(path), self_ty: self.ty(self_ty) }
            }
            Const::StaticRef(path) => Const::StaticRef(self.path(path)),
            Const::ZeroSized(ty) => Const::ZeroSized(self.ty(ty)),
            Const::Unsupported(text) => {
                self.note_text(text);
                constant.clone()
            }
            Const::Bool(_)
            | Const::Char(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Str(_)
            | Const::ByteStr(_)
            | Const::Uninit => constant.clone(),
        }
    }
}

/// Whether text that was not understood names one of the compiler's numbered allocations.
fn names_an_allocation(text: &str) -> bool {
    text.match_indices("alloc").any(|(at, word)| {
        text[at + word.len()..].trim_start_matches('_').starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Rewrites statements and terminators one after the other, in canonical order.
struct Rewriter<'a> {
    layout: &'a Layout,
    speller: Speller<'a>,
    locals: LocalNumbers,
}

impl Rewriter<'_> {
    fn place(&mut self, place: &Place) -> Place {
        let local = self.locals.number(place.local);
        let projection = place
            .projection
            .iter()
            .map(|projection| match projection {
                Projection::Index(local) => Projection::Index(self.locals.number(*local)),
                Projection::Field(field, ty) => {
                    Projection::Field(*field, ty.as_ref().map(|ty| self.speller.ty(ty)))
                }
                Projection::Deref
                | Projection::Downcast(_)
                | Projection::ConstantIndex { .. }
                | Projection::Subslice { .. } => projection.clone(),
            })
            .collect();
        Place { local, projection }
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Copy(place) => Operand::Copy(self.place(place)),
            Operand::Move(place) => Operand::Move(self.place(place)),
            Operand::Const(constant) => Operand::Const(self.speller.constant(constant)),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    fn rvalue(&mut self, rvalue: &Rvalue) -> Rvalue {
        match rvalue {
            Rvalue::Use(a) => Rvalue::Use(self.operand(a)),
            Rvalue::Ref(mutability, place) => Rvalue::Ref(*mutability, self.place(place)),
            Rvalue::RawPtr(mutability, place) => Rvalue::RawPtr(*mutability, self.place(place)),
            Rvalue::Repeat(a, len) => Rvalue::Repeat(self.operand(a), self.speller.constant(len)),
            Rvalue::Binary(op, a, b) => Rvalue::Binary(*op, self.operand(a), self.operand(b)),
            Rvalue::CheckedBinary(op, a, b) => Rvalue::CheckedBinary(*op, self.operand(a), self.operand(b)),
            Rvalue::Unary(op, a) => Rvalue::Unary(*op, self.operand(a)),
            Rvalue::Cast(kind, a, ty) => Rvalue::Cast(*kind, self.operand(a), self.speller.ty(ty)),
            Rvalue::Discriminant(place) => Rvalue::Discriminant(self.place(place)),
            Rvalue::Len(place) => Rvalue::Len(self.place(place)),
            Rvalue::PtrMetadata(a) => Rvalue::PtrMetadata(self.operand(a)),
            Rvalue::FatPtr { pointer, metadata, ty } => Rvalue::FatPtr {
                pointer: self.operand(pointer),
                metadata: self.operand(metadata),
                ty: self.speller.ty(ty),
            },
            Rvalue::Aggregate(kind, operands) => {
                let kind = match kind {
                    AggregateKind::Tuple => AggregateKind::Tuple,
                    AggregateKind::Array => AggregateKind::Array,
                    AggregateKind::Adt { ty, variant } => {
                        AggregateKind::Adt { ty: self.speller.ty(ty), variant: variant.clone() }
                    }
                    AggregateKind::Closure { path, args } => AggregateKind::Closure {
                        path: self.speller.path(path),
                        args: self.speller.args(args),
                    },
                };
                Rvalue::Aggregate(kind, self.operands(operands))
            }
            Rvalue::SizeOf(ty) => Rvalue::SizeOf(self.speller.ty(ty)),
            Rvalue::AlignOf(ty) => Rvalue::AlignOf(self.speller.ty(ty)),
        }
    }

    /// None for a statement that does nothing.
    fn statement(&mut self, statement: &StatementKind) -> Option<StatementKind> {
        match statement {
            StatementKind::Assign(place, rvalue) => {
                let place = self.place(place);
                Some(StatementKind::Assign(place, self.rvalue(rvalue)))
            }
            StatementKind::SetDiscriminant(place, variant) => {
                Some(StatementKind::SetDiscriminant(self.place(place), *variant))
            }
            StatementKind::Nop => None,
        }
    }

    /// A target that does not exist gets a number that no block has.
    fn block(&self, target: BlockId) -> BlockId {
        let missing = || BlockId::from_usize(u32::MAX as usize);
        let entered = self.layout.enter(target);
        entered.and_then(|head| self.layout.numbers.get(&head).copied()).unwrap_or_else(missing)
    }

    fn terminator(&mut self, terminator: &TerminatorKind) -> TerminatorKind {
        match terminator {
            TerminatorKind::Goto(target) => TerminatorKind::Goto(self.block(*target)),
            TerminatorKind::SwitchInt { discr, targets, otherwise } => TerminatorKind::SwitchInt {
                discr: self.operand(discr),
                targets: sorted_arms(targets)
                    .into_iter()
                    .map(|(value, target)| (value, self.block(target)))
                    .collect(),
                otherwise: otherwise.map(|target| self.block(target)),
            },
            TerminatorKind::Drop { place, target, unwind } => TerminatorKind::Drop {
                place: self.place(place),
                target: self.block(*target),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Call { callee, args, destination, target, unwind } => TerminatorKind::Call {
                callee: match callee {
                    Callee::Fn(fn_ref) => Callee::Fn(self.speller.fn_ref(fn_ref)),
                    Callee::Pointer(operand) => Callee::Pointer(self.operand(operand)),
                },
                args: self.operands(args),
                destination: self.place(destination),
                target: target.map(|target| self.block(target)),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Assert { condition, expected, check, target, unwind } => TerminatorKind::Assert {
                condition: self.operand(condition),
                expected: *expected,
                check: self.check(check),
                target: self.block(*target),
                unwind: unwind.map(|target| self.block(target)),
            },
            TerminatorKind::Unsupported(text) => {
                self.speller.note_text(text);
                terminator.clone()
            }
            TerminatorKind::Return
            | TerminatorKind::Resume
            | TerminatorKind::Unreachable
            | TerminatorKind::Abort => terminator.clone(),
        }
    }

    fn check(&mut self, check: &Check) -> Check {
        match check {
            Check::Overflow(op, a, b) => Check::Overflow(*op, self.operand(a), self.operand(b)),
            Check::OverflowNeg(a) => Check::OverflowNeg(self.operand(a)),
            Check::OverflowShift(op, by) => Check::OverflowShift(*op, self.operand(by)),
            Check::DivisionByZero(a) => Check::DivisionByZero(self.operand(a)),
            Check::RemainderByZero(a) => Check::RemainderByZero(self.operand(a)),
            Check::BoundsCheck { len, index } => {
                Check::BoundsCheck { len: self.operand(len), index: self.operand(index) }
            }
            Check::Other(text) => Check::Other(text.clone()),
        }
    }
}

/// What callers and inputs of a function see of it, spelled independently of its path and its parameters' names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalSignature {
    generics: Vec<GenericParamKind>,
    inputs: Vec<Ty>,
    output: Ty,
}

impl CanonicalSignature {
    pub fn of(program: &Program, function: FnId, renames: &Renames) -> CanonicalSignature {
        let scope = Scope::of(program, function);
        let speller = Speller::new(&scope, renames);
        let function_data = &program.functions[function];
        CanonicalSignature {
            generics: program.generics_in_scope(function).into_iter().map(|param| param.kind).collect(),
            inputs: function_data.inputs.iter().map(|ty| speller.ty(ty)).collect(),
            output: speller.ty(&function_data.output),
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// FNV-1a with 128 bits: no seed, so the same in every run.
struct Fnv128 {
    state: u128,
}

impl Default for Fnv128 {
    fn default() -> Self {
        Fnv128 { state: 0x6c62272e07bb014262b821756295c58d }
    }
}

impl Hasher for Fnv128 {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.state ^= u128::from(*byte);
            self.state = self.state.wrapping_mul(0x0000000001000000000000000000013b);
        }
    }

    fn finish(&self) -> u64 {
        self.state as u64
    }
}
