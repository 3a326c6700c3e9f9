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

mod layout;
mod rewrite;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::*;
use crate::idx::{Idx, IdxVec};
pub(crate) use layout::Layout;
pub(crate) use rewrite::{Numbering, Rewriter};
pub(crate) use spelling::Speller;
pub use spelling::{CanonicalSignature, Renames, Scope, root_of};

/// A body in canonical form.
#[derive(Clone, Debug)]
pub struct CanonicalBody {
    body: Body,
    undetermined: Vec<String>,
    names: IdxVec<LocalId, Option<Name>>,
    names_own: bool,
}

/// A hash that is the same in every run of the same build of this program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

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
        let mut rewriter =
            Rewriter { speller: Speller::new(scope, renames), numbering: Canonical::new(body, &layout) };
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
            .numbering
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
        let name = |id: &LocalId| body.locals.get(*id).and_then(|local| local.name.clone());
        let names = rewriter.numbering.order.iter().map(name).collect();
        let names_own = rewriter.speller.names_own();
        let undetermined = rewriter.speller.into_undetermined();
        CanonicalBody {
            body: Body { locals, arg_count: body.arg_count, blocks },
            undetermined,
            names,
            names_own,
        }
    }

    /// Whether both do the same as long as the items they name do.
    pub fn is_same(&self, other: &CanonicalBody) -> bool {
        self.undetermined.is_empty() && other.undetermined.is_empty() && self.body == other.body
    }

    /// Equal for equal bodies. Different ones differ as surely as 128 bits allow; [`CanonicalBody::is_same`] is exact.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&(&self.body, &self.undetermined))
    }

    /// The body itself, for printing and for further analysis.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Whether it names the function itself, or something within it.
    pub fn names_own(&self) -> bool {
        self.names_own
    }

    /// The body with the names that locals have in the sources, which say nothing about meaning.
    pub fn named_body(&self) -> Body {
        let mut body = self.body.clone();
        for (local, name) in body.locals.iter_mut().zip(&self.names) {
            local.name.clone_from(name);
        }
        body
    }

    /// The pieces of text whose meaning the text alone does not determine.
    pub fn undetermined(&self) -> &[String] {
        &self.undetermined
    }
}

/// Canonical numbers: of locals given out as they are asked for, of blocks by the layout.
struct Canonical<'a> {
    layout: &'a Layout,
    numbers: HashMap<LocalId, LocalId>,
    /// The old id of each new one.
    order: IdxVec<LocalId, LocalId>,
}

impl<'a> Canonical<'a> {
    fn new(body: &Body, layout: &'a Layout) -> Self {
        let mut canonical = Canonical { layout, numbers: HashMap::new(), order: IdxVec::new() };
        canonical.local(LocalId::return_place());
        body.args().for_each(|arg| {
            canonical.local(arg);
        });
        canonical
    }
}

impl Numbering for Canonical<'_> {
    fn local(&mut self, local: LocalId) -> LocalId {
        *self.numbers.entry(local).or_insert_with(|| self.order.push(local))
    }

    /// A target that does not exist gets a number that no block has.
    fn block(&mut self, target: BlockId) -> BlockId {
        let missing = || BlockId::from_usize(u32::MAX as usize);
        let entered = self.layout.enter(target);
        entered.and_then(|head| self.layout.numbers.get(&head).copied()).unwrap_or_else(missing)
    }
}

impl Fingerprint {
    fn of(value: &impl Hash) -> Fingerprint {
        let mut hasher = Fnv128::default();
        value.hash(&mut hasher);
        Fingerprint(hasher.state)
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
