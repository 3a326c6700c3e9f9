//! Whether all that a call does is to be seen in how it ends, and hangs on its arguments alone.
//!
//! *Definition.* A function is *pure* here if a call with equal arguments ends equally whenever and wherever it is made, and leaves nothing behind but what it gives
//! and what is behind its `&mut` parameters. So to have seen it end on an input is to know it there, which is what a proof by running every input rests on.
//!
//! *Idea.* Over everything that the function may come to run ([`super::reach`]), each body is looked at by itself, and each name of the standard library is
//! held against a list of what is known to do nothing but compute. What nobody has judged is not pure. So there are none of these within reach:
//!
//! * bodies that nobody has read, foreign code, assembler;
//! * a `static mut`, a static with a cell or unknown content, thread locals;
//! * raw pointers, unions, `transmute`, addresses ([`crate::observable::looks`]): beside what they tell, what is read through them need not be defined, and what
//!   is not defined proves nothing when it is run;
//! * of the standard library: input and output, environment, clocks, threads, atomics and cells, hash tables (their order), the place of a caller, names of types,
//!   what is unchecked, floating-point functions whose precision is left open.
//!
//! *Limits.* Names and bodies are judged, not runs: a function that prints in an arm that is never taken is not pure. Functions of the standard library are taken
//! for what they are documented to do; the code of the program that they call is looked at like any other.
//!
//! *Source.* Pure methods of J. Cheon and G. Leavens, JML (2002): no side effects, and results that are determined; the analysis is that of A. Sălcianu and
//! M. Rinard, VMCAI 2005, without its heap: here memory that is not the caller's is let be.

use std::collections::BTreeSet;

use super::Differing;
use super::outside::{names_library_only, plain_parts};
use super::reach::Reach;
use super::uses::{Items, last_segment};
use crate::exec::cells::{self, Found, Holdings};
use crate::ir::*;
use crate::observable::looks::{self, Defined, Sees};
use crate::observable::{self, Aspect};

/// Starts of paths behind `std::` of what does nothing but compute, but for [`DOING_MORE`].
const COMPUTING: &[&str] = &[
    "array::",
    "ascii::",
    "borrow::",
    "boxed::",
    "char::",
    "clone::",
    "cmp::",
    "collections::binary_heap::",
    "collections::BinaryHeap",
    "collections::btree",
    "collections::BTree",
    "collections::linked_list::",
    "collections::LinkedList",
    "collections::vec_deque::",
    "collections::VecDeque",
    "convert::",
    "default::",
    "error::",
    "f32::",
    "f64::",
    "fmt::",
    "hash::Hash",
    "iter::",
    "marker::",
    "mem::drop",
    "mem::forget",
    "mem::replace",
    "mem::swap",
    "mem::take",
    "net::Ip",
    "num::",
    "ops::",
    "option::",
    "panicking::",
    "result::",
    "rt::",
    "slice::",
    "str::",
    "string::",
    "time::Duration",
    "vec::",
];

/// Last names of what does more in these modules, in whatever type.
const DOING_MORE: &[&str] = &[
    // What they are given may break what others rely on.
    "as_bytes_mut",
    "as_mut_vec",
    "assume_init",
    "set_len",
    "zeroed",
    // Of no fixed precision: another machine may give another number.
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "exp_m1",
    "gamma",
    "hypot",
    "ln",
    "ln_1p",
    "ln_gamma",
    "log",
    "log10",
    "log2",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
];

/// A function that is pure.
///
/// Invariant: made by [`pure_function`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pure {
    _made_here: (),
}

/// Why a function is not known to be pure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impure {
    /// The body of a function within reach is not known.
    Unread(Path),
    /// A static that can change.
    State(Path),
    /// The body of the function works with addresses, or reads memory as another type.
    Memory(Path),
    /// An item that nobody has said to do nothing but compute.
    Unjudged(Path),
    /// What it gives, or leaves behind `&mut`, has this beside what is compared.
    NotCompared(Aspect),
    /// It gives what can be written through shared references.
    Cells,
    /// It may put another reference in the place of one that it is given: what that led to is not seen when the call is over.
    References,
    /// It stands for as many functions as there are types.
    Generic,
}

/// Whether the function is pure, on whatever it is given of the types that it names.
pub fn pure_function(program: &Program, id: FnId) -> Result<Pure, Impure> {
    judge_signature(program, id)?;
    let items = Items::new(program);
    let nothing_differs = Differing::default();
    let reach = Reach::new(&items, &nothing_differs);
    let mut reached: Vec<FnId> = reach.functions(id).into_iter().collect();
    reached.sort_unstable();
    let mut judged: BTreeSet<Path> = BTreeSet::new();
    for id in reached {
        let function = &program.functions[id];
        // Models stand for what the library does: it is judged by the name under which the program knows it.
        if function.origin == Origin::StdModel {
            continue;
        }
        judge_body(program, function)?;
        let named = reach.named_by(id).cloned().chain(types_of_body(function));
        for path in named {
            if !is_of_program(program, &path) && !judged.contains(&path) {
                judge_name(program, &path)?;
                judged.insert(path);
            }
        }
    }
    // What types bring with them that the program does not define.
    for path in reach.undefined(&[id]) {
        let is_new = !judged.contains(path) && !is_of_program(program, path);
        if is_new && !names_library_only(path) {
            return Err(Impure::Unjudged(path.clone()));
        }
    }
    Ok(Pure { _made_here: () })
}

#[cfg(test)]
impl Pure {
    /// For tests of what follows from it.
    pub(crate) fn assumed() -> Pure {
        Pure { _made_here: () }
    }
}

fn judge_body(program: &Program, function: &Function) -> Result<(), Impure> {
    let path = || function.path.clone();
    if !matches!(function.body, FnBody::Present(_)) {
        return Err(Impure::Unread(path()));
    }
    let is_state = match function.kind {
        FunctionKind::StaticMut => true,
        FunctionKind::Static => !cells::is_constant(program, &function.output),
        _ => false,
    };
    match () {
        () if is_state => Err(Impure::State(path())),
        () if looks::body(program, function) == Sees::Memory => Err(Impure::Memory(path())),
        () => Ok(()),
    }
}

/// Whether all that the function gives or leaves behind is compared.
fn judge_signature(program: &Program, id: FnId) -> Result<(), Impure> {
    if !program.generics_in_scope(id).is_empty() {
        return Err(Impure::Generic);
    }
    let function = &program.functions[id];
    let left_behind = function.inputs.iter().filter_map(|ty| match ty.kind() {
        TyKind::Ref(Mutability::Mut, target) => Some(target),
        _ => None,
    });
    for ty in left_behind.chain([&function.output]) {
        let never_compared = [Aspect::Address, Aspect::Capacity, Aspect::Lent, Aspect::NanBits];
        let mut hidden = observable::uncompared(program, ty).into_iter();
        if let Some(aspect) = hidden.find(|aspect| !never_compared.contains(aspect)) {
            return Err(Impure::NotCompared(aspect));
        }
        let holdings = Holdings::of(program, ty);
        if holdings.cells == Found::Yes || holdings.counted == Found::Yes {
            return Err(Impure::Cells);
        }
    }
    match function.inputs.iter().any(|ty| cells::replaces_references(program, ty)) {
        true => Err(Impure::References),
        false => Ok(()),
    }
}

/// The types that values of the body are of.
pub(super) fn types_of_body(function: &Function) -> BTreeSet<Path> {
    let mut found = BTreeSet::new();
    if let FnBody::Present(body) = &function.body {
        for local in &body.locals {
            local.ty.each_part(&mut |part| match part.kind() {
                TyKind::Adt(path, _) => {
                    found.insert(path.clone());
                }
                // Named as nothing is.
                TyKind::Unsupported(_) => {
                    found.insert(Path::new("?::unsupported"));
                }
                _ => {}
            });
        }
    }
    found
}

/// Whether the path leads to what is read of the program itself, and so is looked at where it is reached.
fn is_of_program(program: &Program, path: &Path) -> bool {
    let functions = program.functions_at(path);
    let is_read = |id: &FnId| program.functions[*id].origin != Origin::StdModel;
    match program.adt(path) {
        Some(adt) => adt.origin_crate != "std",
        None if functions.is_empty() => program.trait_(path).is_some() && !path.is_of_std(),
        None => functions.iter().all(is_read),
    }
}

/// Judges an item that is not of the program.
fn judge_name(program: &Program, path: &Path) -> Result<(), Impure> {
    let is_modelled = !program.functions_at(path).is_empty()
        || program.adt(path).is_some()
        || program.trait_(path).is_some();
    let defined = if is_modelled { Defined::Modelled } else { Defined::Nowhere };
    let last = last_segment(path);
    let does_more = DOING_MORE.contains(&last) || path.as_str().contains("unchecked");
    let is_pure = names_library_only(path)
        && looks::library_item(path, defined) == Sees::Nothing
        && !does_more
        && plain_parts(path.as_str()).all(only_computes);
    if is_pure { Ok(()) } else { Err(Impure::Unjudged(path.clone())) }
}

/// Of a plain piece of a path: a name that stands alone, one of a primitive type, or one of the library that is on the list.
fn only_computes(part: &str) -> bool {
    let behind = ["std::", "core::", "alloc::"].iter().find_map(|root| part.strip_prefix(root));
    behind.is_none_or(|behind| {
        COMPUTING.iter().any(|start| behind.starts_with(start) || start.strip_suffix("::") == Some(behind))
    })
}

#[cfg(test)]
#[path = "purity_tests.rs"]
mod tests;
