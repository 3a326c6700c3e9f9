//! One version's body with what the product asks of it: which locals are memory, where paths meet, what drops do.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;

use super::inline::{Choice, inlined};
use super::live::live_at;
use super::numbers::SlotId;
use crate::align::Floats;
use crate::exec::cells::{Found, Holdings};
use crate::exec::resolve::normalize;
use crate::idx::Idx;
use crate::ir::canonical::{CanonicalBody, Renames, Scope, root_of};
use crate::ir::*;

/// How canonical bodies begin the paths of what is within the function.
pub const OWN: &str = "{self}";

/// One side of a product.
pub struct Code<'a> {
    pub program: &'a Program,
    pub function: FnId,
    pub renames: &'a Renames,
    pub floats: Floats,
    /// In canonical form: both versions name things alike.
    pub body: Body,
    /// Locals that can be written through a pointer. All others change where they are assigned only.
    pub slots: HashMap<LocalId, SlotId>,
    /// Blocks that several lead to.
    pub joins: HashMap<BlockId, JoinKind>,
    /// The locals that are still read behind these blocks.
    live: HashMap<BlockId, FixedBitSet>,
    /// Constants by their paths in the body, where these are looked into.
    pub constants: HashMap<Path, Code<'a>>,
    /// For each parameter, whether nothing that it leads to can be written as long as the function runs.
    pub is_frozen: Vec<bool>,
}

/// The closures that a body makes, each with the operands that it captures, wherever it is made.
pub fn closures_made(body: &Body) -> impl Iterator<Item = (&Path, &[Operand])> {
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Assign(_, Rvalue::Aggregate(AggregateKind::Closure { path, .. }, operands)) => {
            Some((path, operands.as_slice()))
        }
        _ => None,
    })
}

/// What a closure captures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Captured {
    OfType(Ty),
    Constant(Const),
    Unknown,
}

/// The closures of one path that are not of the same type in both versions: they capture other types, or it is not known which. Numbers have no types, so the type of a
/// closure must tell.
pub fn closures_of_other_types(old: &Code<'_>, new: &Code<'_>) -> BTreeSet<Path> {
    let (in_old, in_new) = (old.closures(), new.closures());
    let names = |ty: &Ty, closures: &BTreeSet<Path>| {
        let mut found = false;
        let mut look = |part: Ty| {
            found |= matches!(part.kind(), TyKind::Closure(path, _) if closures.contains(path));
            part
        };
        ty.map(&mut look, &mut |constant| constant);
        found
    };
    let is_other = |path: &Path, closures: &BTreeSet<Path>| {
        in_old.get(path) != in_new.get(path)
            || in_old.get(path).into_iter().flatten().flatten().any(|captured| match captured {
                Captured::OfType(ty) => names(ty, closures),
                Captured::Constant(_) => false,
                Captured::Unknown => true,
            })
    };
    let mut others = BTreeSet::new();
    loop {
        let paths = in_old.keys().filter(|path| in_new.contains_key(*path));
        let found: BTreeSet<Path> =
            paths.filter(|path| is_other(path, &others)).map(|path| (*path).clone()).collect();
        if found == others {
            return others;
        }
        others = found;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// An edge leads back to it.
    Header,
    Plain,
}

impl<'a> Code<'a> {
    /// None without a body that is wholly understood.
    pub fn new(
        program: &'a Program,
        function: FnId,
        renames: &'a Renames,
        floats: Floats,
        choice: Choice<'_>,
    ) -> Option<Code<'a>> {
        let canonical = CanonicalBody::of(program, function, renames)?;
        if !canonical.undetermined().is_empty() || program.unwinding != Unwinding::Stated {
            return None;
        }
        let body = inlined(program, function, renames, canonical.named_body(), choice);
        Some(Code::of_body(program, function, renames, floats, body))
    }

    fn of_body(
        program: &'a Program,
        function: FnId,
        renames: &'a Renames,
        floats: Floats,
        body: Body,
    ) -> Code<'a> {
        let joins = joins(&body);
        // What is behind a shared reference that a caller gives stays as it is; what a parameter owns may be given away to be written.
        let is_lent = |ty: &Ty| matches!(ty.kind(), TyKind::Ref(Mutability::Shared, _));
        let is_frozen = body
            .args()
            .map(|arg| &body.locals[arg].ty)
            .map(|ty| is_lent(ty) && is_frozen(program, ty))
            .collect();
        let live = live_at(&body, joins.keys().copied());
        let (slots, constants) = (HashMap::new(), HashMap::new());
        Code { program, function, renames, floats, body, slots, joins, live, constants, is_frozen }
    }

    /// Gives these closures other paths: they are of other types than those of the same paths in the other version.
    pub fn told_apart(self, closures: &BTreeSet<Path>) -> Code<'a> {
        if closures.is_empty() {
            return self;
        }
        let mut renames = Renames::default();
        for path in closures {
            renames.insert(path.clone(), Path::new(format!("{path}::{{of other types}}")));
        }
        let scope = Scope::inlined(&Subst::default());
        let body = CanonicalBody::new(&self.body, &scope, &renames).named_body();
        Code::of_body(self.program, self.function, self.renames, self.floats, body)
    }

    /// The closures that the body makes, each with what it captures, wherever it is made.
    fn closures(&self) -> BTreeMap<&Path, BTreeSet<Vec<Captured>>> {
        let mut closures: BTreeMap<&Path, BTreeSet<Vec<Captured>>> = BTreeMap::new();
        for (path, operands) in closures_made(&self.body) {
            let captured = |operand: &Operand| match operand {
                Operand::Const(constant) => Captured::Constant(constant.clone()),
                Operand::Copy(place) | Operand::Move(place) => {
                    self.place_ty(place).map_or(Captured::Unknown, Captured::OfType)
                }
            };
            closures.entry(path).or_default().insert(operands.iter().map(captured).collect());
        }
        closures
    }

    /// Looks into promoted and inline constants.
    pub fn look_into_constants(&mut self, choice: Choice<'_>) {
        let (program, renames) = (self.program, self.renames);
        let root = root_of(program, self.function);
        for id in program.functions_within(root) {
            let function = &program.functions[*id];
            let is_constant = matches!(function.kind, FunctionKind::Promoted | FunctionKind::Const);
            let rest = function.path.as_str().strip_prefix(program.functions[root].path.as_str());
            let code = Code::new(program, *id, renames, self.floats, choice);
            if let (true, Some(rest), Some(code)) = (is_constant, rest, code)
                && memory_locals(&code).is_empty()
            {
                self.constants.insert(Path::new(format!("{OWN}{rest}")), code);
            }
        }
    }

    /// Looks into the constants of the program that the body names.
    pub fn look_into_items(&mut self, choice: Choice<'_>) {
        let program = self.program;
        let blocks = self.body.blocks.iter();
        let operands = blocks.flat_map(|block| {
            let of_statements = block.statements.iter().filter_map(|statement| match &statement.kind {
                StatementKind::Assign(_, value) => Some(value.operands()),
                _ => None,
            });
            of_statements.flatten().chain(block.terminator.kind.operands())
        });
        let path_of = |operand: &Operand| match operand {
            Operand::Const(Const::Item { path, args }) if args.is_empty() => Some(path.clone()),
            _ => None,
        };
        for path in operands.filter_map(path_of).collect::<BTreeSet<_>>() {
            if let [id] = program.functions_at(&path)
                && program.functions[*id].kind == FunctionKind::Const
                && program.functions[*id].origin == Origin::Subject
                && program.generics_in_scope(*id).is_empty()
                && let Some(code) = Code::new(program, *id, self.renames, self.floats, choice)
                && memory_locals(&code).is_empty()
            {
                self.constants.insert(path, code);
            }
        }
    }

    /// Whether the local is read behind this block, where paths meet; memory always may be.
    pub fn is_live_at(&self, block: BlockId, local: LocalId) -> bool {
        self.slots.contains_key(&local)
            || self.live.get(&block).is_none_or(|live| live.contains(local.index()))
    }

    /// The declared type of a place; none where it is not told.
    pub fn place_ty(&self, place: &Place) -> Option<Ty> {
        let mut ty = self.body.locals[place.local].ty.clone();
        for step in &place.projection {
            ty = self.step_ty(&ty, step)?;
        }
        Some(ty)
    }

    pub fn step_ty(&self, ty: &Ty, step: &Projection) -> Option<Ty> {
        Some(match step {
            Projection::Deref => ty.pointee()?.clone(),
            Projection::Field(_, Some(field)) => normalize(self.program, field),
            Projection::Field(index, None) => match ty.kind() {
                TyKind::Tuple(tys) => tys.get(index.index())?.clone(),
                TyKind::Adt(path, args) => {
                    let adt = self.program.adt(path).filter(|adt| adt.variants.len() == 1)?;
                    adt.field_types(0, args).get(index.index())?.clone()
                }
                _ => return None,
            },
            Projection::Downcast(_) | Projection::Subslice { .. } => ty.clone(),
            Projection::Index(_) | Projection::ConstantIndex { .. } => match ty.kind() {
                TyKind::Array(elem, _) | TyKind::Slice(elem) => elem.clone(),
                _ => return None,
            },
        })
    }
}

/// Gives corresponding locals of both versions that are memory one slot: parameters by position, then locals by name and type, then by type, in order.
pub fn assign_slots(old: &mut Code<'_>, new: &mut Code<'_>) {
    let mut open = [memory_locals(old), memory_locals(new)];
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        SlotId::from_usize(next - 1)
    };
    let args = 1 + old.body.arg_count;
    type Key<'k> = &'k dyn Fn(&Body, LocalId) -> Option<String>;
    let keys: [Key<'_>; 3] = [
        &|_, local| (local.index() < args).then(|| local.to_string()),
        &|body, local| {
            let Local { ty, name, .. } = &body.locals[local];
            name.as_ref().map(|name| format!("{name}: {ty}"))
        },
        &|body, local| Some(body.locals[local].ty.to_string()),
    ];
    for key in keys {
        let mut of_old: BTreeMap<String, Vec<LocalId>> = BTreeMap::new();
        for local in open[0].iter().rev() {
            if let Some(key) = key(&old.body, *local) {
                of_old.entry(key).or_default().push(*local);
            }
        }
        for local in std::mem::take(&mut open[1]) {
            let found = key(&new.body, local).and_then(|key| of_old.get_mut(&key)?.pop());
            match found {
                Some(other) => {
                    let slot = fresh();
                    old.slots.insert(other, slot);
                    new.slots.insert(local, slot);
                }
                None => open[1].push(local),
            }
        }
        open[0].retain(|local| !old.slots.contains_key(local));
    }
    let [of_old, of_new] = open;
    old.slots.extend(of_old.into_iter().map(|local| (local, fresh())));
    new.slots.extend(of_new.into_iter().map(|local| (local, fresh())));
}

/// Locals of which a pointer is made through which they may be written.
fn memory_locals(code: &Code<'_>) -> Vec<LocalId> {
    let mut found = HashSet::new();
    let statements = code.body.blocks.iter().flat_map(|block| &block.statements);
    for statement in statements {
        let StatementKind::Assign(_, Rvalue::Ref(mutability, place) | Rvalue::RawPtr(mutability, place)) =
            &statement.kind
        else {
            continue;
        };
        // What is behind a pointer is no part of the local.
        if place.projection.contains(&Projection::Deref) {
            continue;
        }
        let is_raw = matches!(&statement.kind, StatementKind::Assign(_, Rvalue::RawPtr(..)));
        let is_written = *mutability == Mutability::Mut
            || is_raw
            || !is_frozen(code.program, &code.body.locals[place.local].ty);
        if is_written {
            found.insert(place.local);
        }
    }
    let mut found: Vec<LocalId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Whether a value of the type leads to nothing that can be written as long as a shared reference to it is there.
fn is_frozen(program: &Program, ty: &Ty) -> bool {
    let holdings = Holdings::of(program, &normalize(program, ty));
    [holdings.mutable_references, holdings.cells, holdings.counted, holdings.raw_pointers, holdings.unknown]
        .iter()
        .all(|found| *found == Found::No)
}

fn joins(body: &Body) -> HashMap<BlockId, JoinKind> {
    let mut entries: HashMap<BlockId, usize> = HashMap::from([(BlockId::entry(), 1)]);
    let mut headers = HashSet::new();
    for (id, block) in body.blocks.iter_enumerated() {
        let kind = &block.terminator.kind;
        for next in kind.successors().into_iter().chain(kind.unwind()) {
            *entries.entry(next).or_default() += 1;
            // Blocks of a canonical body are in reverse postorder.
            if next <= id {
                headers.insert(next);
            }
        }
    }
    let joins = entries.into_iter().filter(|(id, count)| *count > 1 || headers.contains(id));
    let kind = |id: BlockId| if headers.contains(&id) { JoinKind::Header } else { JoinKind::Plain };
    joins.map(|(id, _)| (id, kind(id))).collect()
}
