//! Symbolic inputs: for each parameter type a tree of variables, the same variables in every run and both versions.
//!
//! Shape is data: which variant an enum is of and how long a sequence is are variables like any other; one run has
//! one shape. Limits, noted in the ledger: sequences have at most `max_len` elements, values that stand in each other end after `max_depth` levels, but not before
//! two values of a recursive type do, strings are ASCII. Types that cannot be built are reported by name.
//!
//! Values of a type that has makers ([`Makers`]) are made by running one of these in front of the function: the inputs are
//! its arguments, each version runs its own body of it, and where it gives no value there is no input.

mod buildable;
mod collections;
mod library;
mod nesting;
mod seed;
mod variants;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::buildable::Buildable;
use self::collections::collection;
use super::cells::{Found, Holdings, is_cell};
use super::eval::scalar_ty;
use super::layout;
use super::machine::Machine;
use super::makers::{MOST_STEPS, Makers};
use super::memory::Location;
use super::resolve::{Resolved, normalize, resolve};
use super::run::Stop;
use super::slice::SliceId;
use super::std_abstractions::{self, View, view};
use super::tree::{Scalar, ScalarTy, Tree, Window};
use crate::ir::known::shown::Shown;
use crate::ir::stand_ins;
use crate::ir::{
    Adt, AdtKind, CtorKind, FloatTy, FnRef, GenericArg, GivenFields, IntTy, KnownTrait, KnownType,
    Mutability, Name, OtherFields, Path, Program, TraitRef, Ty, TyKind, Visibility,
};
use crate::term::{Model, Sort, TermId, TermPool};
use crate::value::{Success, Value};
pub use crate::verdict::not_analysed::InputError;
use crate::verdict::unsupported::CallTrouble;
use crate::verdict::{Approximation, Ledger, LeftOut, Version};

/// Bounds on what inputs are considered.
#[derive(Clone, Copy, Debug)]
pub struct InputBounds {
    pub max_len: u64,
    pub max_depth: u64,
}

impl Default for InputBounds {
    fn default() -> Self {
        InputBounds { max_len: 8, max_depth: 4 }
    }
}

/// The longest array built element by element.
const MAX_ARRAY: u64 = 256;
/// The most parts of one argument, arguments of the calls that make it among them.
const MAX_PARTS: u64 = 1 << 16;
/// Values of a recursive type that stand within each other at least, however many types lie between them.
const LEAST_LEVELS: u64 = 2;
/// Values that stand within each other: a bound for whatever does not come to an end by itself.
const MAX_NESTING: u64 = 64;

/// The variables of all parameters and what is known of them.
#[derive(Debug)]
pub struct InputSpace {
    pub bounds: InputBounds,
    /// What every input satisfies: variants exist, characters are valid, lengths are within bounds.
    pub constraints: Vec<TermId>,
    pub ledger: Ledger,
    /// By which functions values of some types are made; of other types they are put together from fields.
    makers: Makers,
    vars: FxHashMap<String, (TermId, Sort)>,
    /// Bits for variables that no run has met yet.
    pending: FxHashMap<String, u128>,
    /// The cell behind a shared reference that was met first.
    first_shared_cell: Option<String>,
    buildable: Buildable,
    /// What values of types may hold, of the types of which that was asked.
    held: FxHashMap<Ty, Rc<BTreeSet<Ty>>>,
}

/// Why there is no argument in a run.
#[derive(Clone, Debug)]
pub enum Unbuilt {
    Input(InputError),
    /// The function that was to make a value did not come to an end.
    Stopped(Stop),
    /// The function that was to make a value panicked or gave none: on this input there is no call to speak of.
    NotMade {
        maker: Path,
        slice: SliceId,
    },
}

impl From<InputError> for Unbuilt {
    fn from(error: InputError) -> Self {
        Unbuilt::Input(error)
    }
}

fn unbuilt(ty: &Ty) -> Unbuilt {
    Unbuilt::Input(InputError::Type(ty.to_string()))
}

/// What building and reading inputs share.
#[derive(Clone, Copy)]
struct At<'a> {
    name: &'a str,
    depth: u64,
    /// Steps that lead on from the value, of those that make it.
    steps: u64,
}

impl InputSpace {
    pub fn new(bounds: InputBounds, makers: Makers) -> Self {
        InputSpace {
            bounds,
            constraints: Vec::new(),
            ledger: Ledger::default(),
            makers: makers.of_data(),
            vars: FxHashMap::default(),
            pending: FxHashMap::default(),
            first_shared_cell: None,
            buildable: Buildable::default(),
            held: FxHashMap::default(),
        }
    }

    /// The argument of type `ty` called `name`, with the bits that `model` gives its variables. Variables met for the
    /// first time are created, constrained, and given a first valid value in `model`.
    pub fn build(
        &mut self,
        machine: &mut Machine<'_, '_, '_>,
        model: &mut Model,
        name: &str,
        ty: &Ty,
    ) -> Result<Tree, Unbuilt> {
        Builder { space: self, machine, model, parts: 0, around: Vec::new() }
            .tree(ty, At { name, depth: 0, steps: 0 })
    }

    fn scalar(
        &mut self,
        pool: &mut TermPool,
        model: &mut Model,
        name: String,
        ty: ScalarTy,
        default: u128,
        constrain: impl FnOnce(&mut TermPool, TermId) -> Option<TermId>,
    ) -> Result<Scalar, InputError> {
        let term = self.variable(pool, name, ty.sort(), constrain)?;
        let var = pool.var_of(term).expect("a variable is a variable");
        if !model.mentions(var) {
            model.set(var, default);
        }
        Ok(Scalar { ty, bits: model.get(var), term: Some(term), slice: SliceId::empty() })
    }

    fn variable(
        &mut self,
        pool: &mut TermPool,
        name: String,
        sort: Sort,
        constrain: impl FnOnce(&mut TermPool, TermId) -> Option<TermId>,
    ) -> Result<TermId, InputError> {
        if let Some((term, known)) = self.vars.get(&name) {
            return if *known == sort { Ok(*term) } else { Err(InputError::Mismatch(name)) };
        }
        let term = pool.var(&name, sort);
        if let Some(constraint) = constrain(pool, term) {
            self.constraints.push(constraint);
        }
        self.vars.insert(name, (term, sort));
        Ok(term)
    }

    /// The variable of this name, if a run has met it.
    fn term(&self, name: &str) -> Option<TermId> {
        self.vars.get(name).map(|(term, _)| *term)
    }

    /// The concrete argument that the model stands for.
    pub fn value(&self, program: &Program, pool: &TermPool, model: &Model, name: &str, ty: &Ty) -> Value {
        let bits = |name: &str| {
            self.vars.get(name).and_then(|(term, _)| pool.var_of(*term)).map_or(0, |var| model.get(var))
        };
        match ty.kind() {
            TyKind::Ref(_, pointee) if is_formatter(pointee) => Value::formatter(),
            TyKind::Ref(_, pointee) => Value::Ref(Box::new(self.value(program, pool, model, name, pointee))),
            TyKind::Str => {
                let len = bits(&format!("{name}.len"));
                let text = (0..len).map(|i| char::from(bits(&format!("{name}[{i}]")) as u8)).collect();
                Value::Str(text)
            }
            TyKind::Slice(elem) => {
                let len = bits(&format!("{name}.len"));
                Value::Seq(
                    (0..len)
                        .map(|i| self.value(program, pool, model, &format!("{name}[{i}]"), elem))
                        .collect(),
                )
            }
            TyKind::Array(elem, len) => Value::Seq(
                (0..len.as_index().unwrap_or(0))
                    .map(|i| self.value(program, pool, model, &format!("{name}[{i}]"), elem))
                    .collect(),
            ),
            TyKind::Tuple(tys) => Value::Tuple(
                tys.iter()
                    .enumerate()
                    .map(|(i, ty)| self.value(program, pool, model, &format!("{name}.{i}"), ty))
                    .collect(),
            ),
            TyKind::Adt(..) if owned_sequence(ty).is_some() => {
                let unsized_ty = match owned_sequence(ty) {
                    Some(Elements::Any(elem)) => Ty::new(TyKind::Slice(elem)),
                    _ => Ty::new(TyKind::Str),
                };
                self.value(program, pool, model, name, &unsized_ty)
            }
            TyKind::Adt(path, _) if view(ty).is_some_and(|view| matches!(view, View::Rest(_))) => {
                let Some(View::Rest(rest)) = view(ty) else { unreachable!("just seen") };
                let list = self.value(program, pool, model, name, &rest.list.ty());
                Value::Adt {
                    path: path.clone(),
                    variant: None,
                    ctor: CtorKind::Struct,
                    fields: vec![(rest.field.into(), list)],
                }
            }
            TyKind::Adt(..) if collection(ty).is_some() => {
                let of = collection(ty).expect("just seen");
                self.value(program, pool, model, name, &Ty::new(TyKind::Slice(of.item)))
            }
            TyKind::Adt(path, _) if path == KnownType::MaybeUninit => match layout::wrapped(ty) {
                Some(content) if matches!(content.kind(), TyKind::Int(_)) => {
                    self.value(program, pool, model, name, content)
                }
                _ => Value::Opaque(ty.to_string()),
            },
            TyKind::Adt(path, _) if matches!(view(ty), Some(View::Cell(_))) => {
                let Some(View::Cell(cell)) = view(ty) else { unreachable!("just seen") };
                let content = self.value(program, pool, model, &format!("{name}.value"), &cell.content);
                cell.value(path, content, Value::Bool(false))
            }
            TyKind::Adt(..) if matches!(view(ty), Some(View::Counted(_))) => {
                let Some(View::Counted(content)) = view(ty) else { unreachable!("just seen") };
                self.value(program, pool, model, name, &std_abstractions::boxed(content))
            }
            TyKind::Adt(path, _) if path == KnownType::Box => match ty.pointee() {
                Some(pointee) => Value::Ref(Box::new(self.value(program, pool, model, name, pointee))),
                None => Value::Opaque(ty.to_string()),
            },
            TyKind::Adt(..) if !self.makers.of(ty).is_empty() => {
                let choice = bits(&choice_name(name)) as usize;
                let Some(maker) = self.makers.of(ty).get(choice) else {
                    return Value::Opaque(ty.to_string());
                };
                let argument = |(index, ty): (usize, &Ty)| {
                    self.value(program, pool, model, &argument_name(name, choice, index), ty)
                };
                Value::Made {
                    callee: maker.callee.clone(),
                    args: maker.inputs.iter().enumerate().map(argument).collect(),
                    success: maker.success,
                }
            }
            TyKind::Adt(path, args) if self.makers.completed(path).is_some() => {
                let (Some(adt), Some(given)) = (program.adt(path), self.makers.completed(path)) else {
                    return Value::Opaque(ty.to_string());
                };
                let given_field = |field: &Name| {
                    let below = field_name(adt, name, 0, field.as_str());
                    (
                        field.clone(),
                        self.value(program, pool, model, &below, &field_type(program, adt, args, field)),
                    )
                };
                let fields = given.names.iter().map(given_field).chain(given.rest()).collect();
                Value::Adt { path: path.clone(), variant: None, ctor: CtorKind::Struct, fields }
            }
            TyKind::Adt(path, args) => {
                let Some(adt) = program.adt(path) else { return Value::Opaque(ty.to_string()) };
                let variant = match adt.kind {
                    AdtKind::Enum => bits(&format!("{name}.tag")) as usize,
                    _ => 0,
                };
                let Some(declared) = adt.variants.get(variant) else { return Value::Opaque(ty.to_string()) };
                let fields = declared
                    .fields
                    .iter()
                    .zip(adt.field_types(variant, args))
                    .map(|(field, ty)| {
                        let below = field_name(adt, name, variant, field.name.as_str());
                        (
                            field.name.clone(),
                            self.value(program, pool, model, &below, &normalize(program, &ty)),
                        )
                    })
                    .collect();
                let variant = (adt.kind == AdtKind::Enum).then(|| declared.name.clone());
                Value::Adt { path: path.clone(), variant, ctor: declared.ctor, fields }
            }
            _ => match scalar_ty(ty) {
                Some(scalar) => scalar_value(scalar, bits(name)),
                None => Value::Opaque(ty.to_string()),
            },
        }
    }
}

/// The type of the field of this name of a struct that has one.
fn field_type(program: &Program, adt: &Adt, args: &[GenericArg], name: &Name) -> Ty {
    let place = adt.variants[0].fields.iter().position(|field| field.name == *name);
    let ty = place.and_then(|place| adt.field_types(0, args).into_iter().nth(place));
    ty.map_or_else(Ty::unit, |ty| normalize(program, &ty))
}

fn field_name(adt: &Adt, name: &str, variant: usize, field: &str) -> String {
    match adt.kind {
        AdtKind::Enum => format!("{name}@{}.{field}", adt.variants[variant].name),
        _ => format!("{name}.{field}"),
    }
}

/// Which function makes a value.
fn choice_name(name: &str) -> String {
    format!("{name}.maker")
}

/// An argument of that function.
fn argument_name(name: &str, maker: usize, index: usize) -> String {
    format!("{name}!{maker}.{index}")
}

/// A concrete leaf as a value.
pub fn scalar_value(ty: ScalarTy, bits: u128) -> Value {
    match ty {
        ScalarTy::Bool => Value::Bool(bits != 0),
        ScalarTy::Char => match u32::try_from(bits).ok().and_then(char::from_u32) {
            Some(c) => Value::Char(c),
            None => Value::Opaque(format!("char {bits:#x}")),
        },
        ScalarTy::Int(ty) => Value::Int { ty, bits },
        ScalarTy::Float(FloatTy::F32) => Value::F32(bits as u32),
        ScalarTy::Float(FloatTy::F64) => Value::F64(bits as u64),
        ScalarTy::Tag => Value::Opaque("tag".into()),
    }
}

struct Builder<'b, 'm, 'p, 'r> {
    space: &'b mut InputSpace,
    machine: &'b mut Machine<'m, 'p, 'r>,
    model: &'b mut Model,
    /// Built so far.
    parts: u64,
    /// The types that what is being built stands in, from the outermost on. A value that a step changes does not stand in what comes of it.
    around: Vec<Ty>,
}

impl<'p> Builder<'_, '_, 'p, '_> {
    fn program(&self) -> &'p Program {
        self.machine.image.program
    }

    fn tree(&mut self, ty: &Ty, at: At<'_>) -> Result<Tree, Unbuilt> {
        self.parts += 1;
        if self.parts > MAX_PARTS || at.depth > MAX_NESTING {
            return Err(InputError::TooLarge { parts: MAX_PARTS }.into());
        }
        self.machine.look_at_time(self.parts).map_err(Unbuilt::Stopped)?;
        match ty.kind() {
            TyKind::Bool => self.leaf(at, ScalarTy::Bool, |_, _| None),
            TyKind::Char => self.leaf(at, ScalarTy::Char, |pool, c| Some(valid_char(pool, c))),
            TyKind::Int(int) => self.leaf(at, ScalarTy::Int(*int), |_, _| None),
            TyKind::Float(float) => {
                self.leaf(at, ScalarTy::Float(*float), |pool, x| Some(one_nan(pool, *float, x)))
            }
            TyKind::Tuple(tys) => {
                let fields = tys
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| self.tree(ty, At { name: &format!("{}.{i}", at.name), ..at }))
                    .collect::<Result<_, _>>()?;
                Ok(Tree::tuple(fields))
            }
            TyKind::Array(elem, len) => {
                let len = len.as_index().filter(|len| *len <= MAX_ARRAY);
                let len = len.ok_or_else(|| unbuilt(ty))?;
                Ok(Tree::array(self.elements(elem, len, at)?))
            }
            TyKind::Ref(mutability, pointee) => self.reference(*mutability, pointee, at),
            TyKind::Adt(path, _) if path == KnownType::Box => match ty.pointee().cloned() {
                Some(pointee) => self.reference(Mutability::Mut, &pointee, At { depth: at.depth + 1, ..at }),
                None => Err(unbuilt(ty)),
            },
            TyKind::Adt(..) if owned_sequence(ty).is_some() => {
                let elem = owned_sequence(ty).expect("just seen");
                Ok(self.sequence(&elem, at)?.0)
            }
            TyKind::Adt(..) if collection(ty).is_some() => {
                let of = collection(ty).expect("just seen");
                self.collection(ty, &of, at)
            }
            TyKind::Adt(path, _) if path == KnownType::MaybeUninit => self.maybe_uninit(ty, at),
            TyKind::Adt(..) if is_formatter(ty) => self.formatter(ty),
            TyKind::Adt(..) if !self.space.makers.of(ty).is_empty() => self.made(ty, at),
            // It begins without anything in it.
            TyKind::Adt(..) if stand_ins::is_recorder(ty) => {
                let fields = vec![Tree::array(Vec::new()), Tree::array(Vec::new())];
                Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
            }
            TyKind::Adt(..) => self.adt(ty, at),
            _ => Err(unbuilt(ty)),
        }
    }

    /// What one of the crate's functions makes, run on arguments that are inputs themselves.
    fn made(&mut self, made: &Ty, at: At<'_>) -> Result<Tree, Unbuilt> {
        let by =
            self.space.makers.of(made).iter().map(|maker| maker.at_chosen_types(self.program())).collect();
        self.space.ledger.note(Approximation::AsMade { ty: made.to_string(), by });
        for maker in self.space.makers.given_code(made) {
            let (ty, maker) = (made.to_string(), maker.to_string());
            self.space.ledger.note(Approximation::MakerLeftOut { ty, maker });
        }
        let has_steps = self.space.makers.without_steps(made).len() < self.space.makers.of(made).len();
        if has_steps {
            self.space.ledger.note(Approximation::CallSequence { ty: made.to_string(), most: MOST_STEPS });
        }
        let makers = self.space.makers.of(made).to_vec();
        let allowed: Vec<usize> = match at.steps < MOST_STEPS {
            _ if at.depth >= self.space.bounds.max_depth => self.space.makers.lower(made),
            true => (0..makers.len()).collect(),
            false => (0..self.space.makers.without_steps(made).len()).collect(),
        };
        if at.depth >= self.space.bounds.max_depth && allowed.len() < makers.len() {
            self.note_depth(made);
        }
        let first = *allowed.first().ok_or_else(|| unbuilt(made))?;
        let choice = self.scalar(choice_name(at.name), ScalarTy::Tag, first as u128, |pool, choice| {
            Some(is_one_of(pool, choice, &allowed))
        })?;
        let choice = self.machine.concretize(choice).map_err(Unbuilt::Stopped)?;
        let maker = makers
            .get(choice.as_usize())
            .ok_or_else(|| Unbuilt::Input(InputError::Mismatch(made.to_string())))?;
        let mut arguments = Vec::new();
        let steps = at.steps + u64::from(maker.is_step());
        for (index, ty) in maker.inputs.iter().enumerate() {
            let name = argument_name(at.name, choice.as_usize(), index);
            let at = At { name: &name, depth: at.depth + 1, steps };
            arguments.push(match maker.begins_with() == Some(index) {
                true => self.tree(ty, at)?,
                false => self.within(made, |builder| builder.tree(ty, at))?,
            });
        }
        let changed = maker.success.changed().and_then(|changed| arguments.get_mut(changed)).map(|changed| {
            let value = std::mem::replace(changed, Tree::tuple(Vec::new()));
            let location = Location::root(self.machine.memory.allocate(value));
            *changed = Tree::Pointer(location.pointer(Mutability::Mut));
            location
        });
        let function = match self.machine.version {
            Version::Old => maker.old,
            Version::New => maker.new,
        };
        let callee = Resolved { function, subst: maker.subst.clone() };
        let not_made = |slice| Unbuilt::NotMade { maker: maker.callee.clone(), slice };
        let result = match self.machine.call_and_wait(callee, arguments) {
            Ok(result) => result,
            Err(Stop::Panic { slice, .. }) => return Err(not_made(slice)),
            Err(stop) => return Err(Unbuilt::Stopped(stop)),
        };
        let wanted = match (maker.success, changed) {
            (_, Some(location)) => return self.machine.read(location).map_err(Unbuilt::Stopped),
            (Success::Always | Success::After(_), None) => return Ok(result),
            (Success::Some, None) => "Some",
            (Success::Ok, None) => "Ok",
        };
        let Tree::Enum { ty, tag, fields } = result else {
            return Err(Unbuilt::Stopped(Stop::of_call(&maker.callee, CallTrouble::Result)));
        };
        // From here on the run exists only because the call succeeded, or ends because it did not.
        let tag = self.machine.concretize(tag).map_err(Unbuilt::Stopped)?;
        let adt = match ty.kind() {
            TyKind::Adt(path, _) => self.program().adt(path),
            _ => None,
        };
        let variant = adt.and_then(|adt| adt.variants.get(tag.as_usize()));
        match (variant, fields.as_slice()) {
            (Some(variant), [value]) if variant.name == *wanted => Ok(value.clone()),
            (Some(variant), _) if variant.name != *wanted => Err(not_made(self.machine.sticky())),
            _ => Err(Unbuilt::Stopped(Stop::of_call(&maker.callee, CallTrouble::Result))),
        }
    }

    fn leave_out(&mut self, what: LeftOut) {
        self.space.ledger.note(Approximation::InputAlphabet { what });
    }

    /// Memory that need not be initialised. Where it can hold numbers it holds some: what passes it on is then seen to. Else
    /// nothing may be read of it before it is written. Of either the ledger tells.
    fn maybe_uninit(&mut self, ty: &Ty, at: At<'_>) -> Result<Tree, Unbuilt> {
        if let Some(content) = layout::wrapped(ty).filter(|content| matches!(content.kind(), TyKind::Int(_)))
        {
            self.leave_out(LeftOut::UninitialisedNumbers);
            return self.tree(&content.clone(), at);
        }
        self.leave_out(LeftOut::InitialisedOthers);
        let tree = layout::uninitialised(self.program(), ty).ok_or_else(|| unbuilt(ty))?;
        self.machine.memory.note_cells(&tree);
        Ok(tree)
    }

    fn leaf(
        &mut self,
        at: At<'_>,
        ty: ScalarTy,
        constrain: impl FnOnce(&mut TermPool, TermId) -> Option<TermId>,
    ) -> Result<Tree, Unbuilt> {
        self.scalar(at.name.to_string(), ty, 0, constrain).map(Tree::Scalar)
    }

    fn scalar(
        &mut self,
        name: String,
        ty: ScalarTy,
        default: u128,
        constrain: impl FnOnce(&mut TermPool, TermId) -> Option<TermId>,
    ) -> Result<Scalar, Unbuilt> {
        let default = self.space.pending.get(&name).copied().unwrap_or(default);
        Ok(self.space.scalar(self.machine.run.pool, self.model, name, ty, default, constrain)?)
    }

    fn elements(&mut self, elem: &Ty, count: u64, at: At<'_>) -> Result<Vec<Tree>, Unbuilt> {
        (0..count).map(|i| self.tree(elem, At { name: &format!("{}[{i}]", at.name), ..at })).collect()
    }

    fn reference(&mut self, mutability: Mutability, pointee: &Ty, at: At<'_>) -> Result<Tree, Unbuilt> {
        let elem = match pointee.kind() {
            TyKind::Slice(elem) => Some(Elements::Any(elem.clone())),
            TyKind::Str => Some(Elements::Text),
            _ => None,
        };
        if mutability == Mutability::Shared && Holdings::of(self.program(), pointee).cells == Found::Yes {
            self.share_cell(at);
        }
        let Some(elem) = elem else {
            let target = self.tree(pointee, at)?;
            let alloc = self.machine.memory.allocate(target);
            return Ok(Tree::Pointer(Location::root(alloc).pointer(mutability)));
        };
        let (sequence, len) = self.sequence(&elem, at)?;
        let alloc = self.machine.memory.allocate(sequence);
        let mut location = Location::root(alloc);
        location.window = Some(Window { start: Scalar::usize(0), len });
        Ok(Tree::Pointer(location.pointer(mutability)))
    }

    /// A sequence of any length within the bound, and that length.
    fn sequence(&mut self, elem: &Elements, at: At<'_>) -> Result<(Tree, Scalar), Unbuilt> {
        let max_len = match elem {
            Elements::Any(elem) if self.ends_here(elem, at) => 0,
            _ => self.space.bounds.max_len,
        };
        self.space.ledger.note(Approximation::InputLength { max_len: self.space.bounds.max_len });
        let mut len =
            self.scalar(format!("{}.len", at.name), ScalarTy::Int(IntTy::Usize), 0, |pool, len| {
                let max = pool.bv_const(max_len.into(), 64);
                Some(pool.ule(len, max))
            })?;
        // A value that somebody gives may be deeper. It is none of these inputs, as the constraint tells who asks for it.
        if len.bits > max_len.into() {
            len.bits = 0;
        }
        let elems = match elem {
            Elements::Any(elem) => self.elements(elem, max_len, at)?,
            Elements::Text => {
                self.leave_out(LeftOut::OtherThanAscii);
                (0..max_len)
                    .map(|i| {
                        let name = format!("{}[{i}]", at.name);
                        let byte = self.scalar(name, ScalarTy::Int(IntTy::U8), 0, |pool, byte| {
                            let last = pool.bv_const(0x7f, 8);
                            Some(pool.ule(byte, last))
                        });
                        byte.map(Tree::Scalar)
                    })
                    .collect::<Result<Vec<_>, _>>()?
            }
        };
        Ok((Tree::Seq { elems: Rc::new(elems), len }, len))
    }

    /// Whether a sequence of these is empty because they would hold others like themselves beyond the bound.
    fn ends_here(&mut self, elem: &Ty, at: At<'_>) -> bool {
        let ends = self.is_at_the_bound(elem, at) && nesting::holds_itself(&self.held(elem), elem);
        if ends {
            self.note_depth(elem);
        }
        ends
    }

    fn adt(&mut self, ty: &Ty, at: At<'_>) -> Result<Tree, Unbuilt> {
        let TyKind::Adt(path, args) = ty.kind() else { unreachable!("the caller matched an ADT") };
        let program = self.program();
        let adt = program.nameable_adt(path).ok_or_else(|| unbuilt(ty))?;
        if let Some(view) = view(ty) {
            let fields = self.view(adt, ty, &view, at)?;
            return Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) });
        }
        // The private fields of a library type are in a relation that only the library knows.
        let hides_fields = adt
            .variants
            .iter()
            .flat_map(|variant| &variant.fields)
            .any(|field| field.visibility == Visibility::Private);
        if path.is_of_std() && (hides_fields || is_cell(ty)) {
            return Err(unbuilt(ty));
        }
        match adt.kind {
            AdtKind::Union => Err(unbuilt(ty)),
            AdtKind::Struct => {
                if let Some(given) = self.space.makers.completed(path).cloned() {
                    return self.completed(ty, adt, &given, at);
                }
                if self.common(path).is_some_and(|shape| shape.whole_variants().next().is_none()) {
                    return Err(InputError::OtherFields(ty.to_string()).into());
                }
                let fields = self.within(ty, |builder| builder.fields(adt, 0, args, at))?;
                Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
            }
            AdtKind::Enum => {
                let tag = self.tag(ty, adt, at)?;
                let fields = self.within(ty, |builder| builder.fields(adt, tag.as_usize(), args, at))?;
                Ok(Tree::Enum { ty: ty.clone(), tag, fields: Rc::new(fields) })
            }
        }
    }

    fn fields(
        &mut self,
        adt: &Adt,
        variant: usize,
        args: &[crate::ir::GenericArg],
        at: At<'_>,
    ) -> Result<Vec<Tree>, Unbuilt> {
        let types = adt.field_types(variant, args);
        adt.variants[variant]
            .fields
            .iter()
            .zip(types)
            .map(|(field, ty)| {
                let name = field_name(adt, at.name, variant, field.name.as_str());
                self.tree(&normalize(self.program(), &ty), At { name: &name, depth: at.depth + 1, ..at })
            })
            .collect()
    }

    /// A struct with these fields as inputs, and the others as `Default` makes them.
    fn completed(&mut self, ty: &Ty, adt: &Adt, given: &GivenFields, at: At<'_>) -> Result<Tree, Unbuilt> {
        let TyKind::Adt(path, args) = ty.kind() else { unreachable!("the caller matched an ADT") };
        if given.others == OtherFields::ByDefault {
            self.leave_out(LeftOut::OfOneVersion { ty: path.to_string() });
        }
        let declared = &adt.variants[0].fields;
        let mut fields = match declared.iter().all(|field| given.names.contains(&field.name)) {
            true => Vec::new(),
            false => self.default_fields(ty)?,
        };
        fields.resize(declared.len(), Tree::Uninit);
        let types = adt.field_types(0, args);
        for ((field, of_field), value) in declared.iter().zip(types).zip(&mut fields) {
            if given.names.contains(&field.name) {
                let name = field_name(adt, at.name, 0, field.name.as_str());
                let at = At { name: &name, depth: at.depth + 1, ..at };
                let given = normalize(self.program(), &of_field);
                *value = self.within(ty, |builder| builder.tree(&given, at))?;
            }
        }
        Ok(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
    }

    fn default_fields(&mut self, ty: &Ty) -> Result<Vec<Tree>, Unbuilt> {
        let trait_ref = TraitRef { self_ty: ty.clone(), path: KnownTrait::Default.into(), args: Vec::new() };
        let callee = FnRef::Trait { trait_ref, method: "default".into(), args: Vec::new() };
        let found = resolve(self.program(), &callee).ok_or_else(|| unbuilt(ty))?;
        match self.machine.call_and_wait(found, Vec::new()).map_err(Unbuilt::Stopped)? {
            Tree::Struct { fields, .. } => Ok(fields.to_vec()),
            _ => Err(unbuilt(ty)),
        }
    }

    /// Builds something that stands in a value of the type.
    fn within<T>(&mut self, ty: &Ty, build: impl FnOnce(&mut Self) -> T) -> T {
        self.around.push(ty.clone());
        let built = build(self);
        self.around.pop();
        built
    }

    /// The types of values that a value of the type may hold.
    fn held(&mut self, ty: &Ty) -> Rc<BTreeSet<Ty>> {
        let program = self.machine.image.program;
        let of_new = || Rc::new(nesting::held(program, ty));
        Rc::clone(self.space.held.entry(ty.clone()).or_insert_with(of_new))
    }

    /// How many values stand around one of this type, one in the other, of the type of which there are most; of types that it is, or may hold.
    fn levels(&mut self, ty: &Ty) -> u64 {
        let held = self.held(ty);
        let is_of_it = |other: &&Ty| *other == ty || held.contains(*other);
        let count = |ty: &Ty| self.around.iter().filter(|other| *other == ty).count();
        self.around.iter().filter(is_of_it).map(count).max().unwrap_or(0) as u64
    }

    /// Whether values of the type that could go on without end are to end here: it is deep enough, and types that hold themselves through many others had
    /// their levels, too.
    fn is_at_the_bound(&mut self, ty: &Ty, at: At<'_>) -> bool {
        let max_depth = self.space.bounds.max_depth;
        at.depth >= max_depth && self.levels(ty) >= max_depth.min(LEAST_LEVELS)
    }

    /// Values of the type end here.
    fn note_depth(&mut self, ty: &Ty) {
        let max_depth = self.levels(ty).max(1);
        self.space.ledger.note(Approximation::InputDepth { max_depth });
    }
}

/// That a number is among these, which ascend.
fn is_one_of(pool: &mut TermPool, number: TermId, allowed: &[usize]) -> TermId {
    if allowed.iter().copied().eq(0..allowed.len()) {
        let count = pool.bv_const(allowed.len() as u128, 16);
        return pool.ult(number, count);
    }
    let options: Vec<TermId> = allowed
        .iter()
        .map(|index| {
            let index = pool.bv_const(*index as u128, 16);
            pool.eq(number, index)
        })
        .collect();
    pool.or_all(&options)
}

/// Whether values of the type are formatters, which are made and shown by what they write.
pub fn is_formatter(ty: &Ty) -> bool {
    ty.known().and_then(KnownType::shown) == Some(Shown::Written)
}

/// What a sequence consists of.
enum Elements {
    Any(Ty),
    /// The bytes of a string.
    Text,
}

/// The elements of a `Vec` or `String`.
fn owned_sequence(ty: &Ty) -> Option<Elements> {
    match ty.kind() {
        TyKind::Adt(path, _) if path == KnownType::String => Some(Elements::Text),
        TyKind::Adt(path, args) if path == KnownType::Vec => match args.first() {
            Some(GenericArg::Ty(elem)) => Some(Elements::Any(elem.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a field type may hold a value as deep again: anything behind a pointer to an ADT.
fn nests(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(..) | TyKind::Ref(..) => {
            ty.pointee().is_some_and(|pointee| matches!(pointee.kind(), TyKind::Adt(..)))
        }
        TyKind::Tuple(tys) => tys.iter().any(nests),
        TyKind::Array(elem, _) | TyKind::Slice(elem) => nests(elem),
        _ => false,
    }
}

/// A number, or the one NaN. No function can tell the others from it: what reads the bits of a NaN is not run.
fn one_nan(pool: &mut TermPool, ty: FloatTy, x: TermId) -> TermId {
    let is_nan = pool.float_is_nan(ty, x);
    let nan = pool.bv_const(ty.nan(), ty.bits());
    let is_ours = pool.eq(x, nan);
    pool.implies(is_nan, is_ours)
}

/// A Unicode scalar value.
fn valid_char(pool: &mut TermPool, c: TermId) -> TermId {
    let (surrogates, after, limit) =
        (pool.bv_const(0xd800, 32), pool.bv_const(0xe000, 32), pool.bv_const(0x11_0000, 32));
    let low = pool.ult(c, surrogates);
    let above = pool.ule(after, c);
    let below = pool.ult(c, limit);
    let high = pool.and(above, below);
    pool.or(low, high)
}
