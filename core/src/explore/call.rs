//! One version of a function on one input: how its call ends, and what that depends on.

use super::parameter_name;
use crate::exec::cells::{Found, Holdings, replaces_references};
use crate::exec::input::is_formatter;
use crate::exec::lent::Lent;
use crate::exec::resolve::{Resolved, normalize};
use crate::exec::run::Limits;
use crate::exec::tree::Tree;
use crate::exec::{Image, InputError, InputSpace, Machine, NotCompared, Output, Run, SliceId, Stop, Unbuilt};
use crate::ir::{FnBody, Mutability, Path, Program, Ty, TyKind};
use crate::term::{Model, TermPool};
use crate::value::{Outcome, Panic, PanicKind, Value};
use crate::verdict::not_analysed::{OpenGenerics, Refused};
use crate::verdict::{Approximation, Ledger, LeftOut, Version};

/// How one version's call ended, and what that depends on.
#[derive(Clone, Debug)]
pub struct Ended {
    pub end: End,
    pub slice: SliceId,
    /// The part of the slice that the end depends on whatever is looked at of the output.
    pub sticky: SliceId,
}

#[derive(Clone, Debug)]
pub enum End {
    Returned(Box<Returned>),
    Panicked {
        /// By what raised it.
        kind: PanicKind,
        /// By the words of its message.
        said: PanicKind,
        message: Option<String>,
        location: Option<String>,
    },
    /// A function that was to make an argument gave none, so the function was not called.
    NotMade {
        maker: Path,
    },
    Stopped(Stop),
}

#[derive(Clone, Debug)]
pub struct Returned {
    pub value: Output,
    /// What `&mut` parameters refer to afterwards, and arguments that hold a `&mut` further inside, as they are
    /// afterwards; by parameter position. What a `&mut` parameter refers to may hold such references itself: then it is a pair, of that and of what was there
    /// when the call began, with what its references lead to afterwards: `(&None, Some(&1))`.
    pub mutated: Vec<(usize, Output)>,
}

impl Returned {
    /// Everything a caller can see, in a fixed order.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        std::iter::once(&self.value).chain(self.mutated.iter().map(|(_, output)| output))
    }

    /// The parameters through which a caller can see something.
    pub fn arguments(&self) -> impl Iterator<Item = usize> {
        self.mutated.iter().map(|(index, _)| *index)
    }
}

/// A function of one version, with what its generic parameters stand for.
#[derive(Clone)]
pub struct Callee<'i, 'p> {
    pub version: Version,
    pub image: &'i Image<'p>,
    pub resolved: Resolved,
}

impl Callee<'_, '_> {
    /// The closed parameter types, or why there are none.
    pub fn types(&self) -> Result<Vec<Ty>, Refused> {
        let (program, subst) = (self.image.program, &self.resolved.subst);
        let generics = program.generics_in_scope(self.resolved.function);
        if let Some(open) = generics.iter().find(|param| subst.get(&param.name).is_none()) {
            return Err(Refused::Generic(OpenGenerics::Unchosen { parameter: open.name.to_string() }));
        }
        let inputs = &program.functions[self.resolved.function].inputs;
        Ok(inputs.iter().map(|ty| normalize(program, &subst.ty(ty))).collect())
    }

    /// The error tells why there is nothing to be run.
    pub fn has_body(&self) -> Result<(), Refused> {
        match &self.image.program.functions[self.resolved.function].body {
            FnBody::Present(_) => Ok(()),
            FnBody::Unreadable { reason, line } => {
                Err(Refused::Unreadable { line: *line, said: reason.clone() })
            }
            FnBody::Missing => Err(Refused::NoBody),
        }
    }

    /// The call with these arguments.
    pub fn call_text(&self, arguments: &[Value]) -> String {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        format!("{}({})", self.image.program.functions[self.resolved.function].path, arguments.join(", "))
    }

    /// Runs the function on the input of `model`, which is completed where it leaves variables open.
    pub fn run(
        &self,
        types: &[Ty],
        space: &mut InputSpace,
        run: &mut Run<'_>,
        model: &mut Model,
    ) -> Result<Ended, InputError> {
        let (image, version, callee) = (self.image, self.version, &self.resolved);
        let output = &image.program.functions[callee.function].output;
        let result = normalize(image.program, &callee.subst.ty(output));
        note_identities(image.program, types, &result, &mut space.ledger);
        let mut machine = Machine::new(image, version, run);
        let mut args = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let name = parameter_name(index);
            match space.build(&mut machine, model, &name, ty) {
                Ok(arg) => args.push(arg),
                Err(Unbuilt::Input(error)) => return Err(error),
                Err(Unbuilt::Stopped(stop)) => {
                    let slice = machine.sticky();
                    return Ok(Ended { end: End::Stopped(stop), slice, sticky: slice });
                }
                Err(Unbuilt::NotMade { maker, slice }) => {
                    let sticky = machine.sticky();
                    let slice = machine.run.union(slice, sticky);
                    return Ok(Ended { end: End::NotMade { maker }, slice, sticky });
                }
            }
        }
        let (end, slice) = match finish(&mut machine, callee.clone(), &args, types) {
            Ok((returned, slice)) => {
                for left_out in returned.outputs().flat_map(|output| &output.left_out) {
                    space.ledger.note(match left_out {
                        NotCompared::Field(name, ty) => {
                            let field = format!("`{name}` of `{ty}`");
                            Approximation::InputAlphabet { what: LeftOut::FieldOfOneVersion { field } }
                        }
                        NotCompared::State(ty) => Approximation::StateNotCompared { ty: ty.to_string() },
                    });
                }
                (End::Returned(Box::new(returned)), slice)
            }
            Err(Stop::Panic { kind, said, message, span, slice }) => {
                let location = span.map(|span| {
                    format!("{}:{}:{}", image.program.files[span.file].path, span.line_start, span.col_start)
                });
                (End::Panicked { kind, said, message, location }, slice)
            }
            Err(stop) => (End::Stopped(stop), SliceId::empty()),
        };
        let sticky = machine.sticky();
        let slice = machine.run.union(slice, sticky);
        Ok(Ended { end, slice, sticky })
    }
}

/// Values have no identity, so what leads to one place in a result and what leads to two that are equal is the same here.
fn note_identities(program: &Program, types: &[Ty], result: &Ty, ledger: &mut Ledger) {
    let counted = |ty: &Ty| Holdings::of(program, ty).counted == Found::Yes;
    if types.iter().chain([result]).any(counted) {
        let what = LeftOut::IdentityOfCounted;
        ledger.note(Approximation::InputAlphabet { what });
    }
    let of_result = Holdings::of(program, result);
    let leads_to_cells = of_result.cells == Found::Yes && of_result.shared_references == Found::Yes;
    // Nor is it compared which references are left behind others.
    let is_left =
        types.iter().any(|ty| !ty.pointee().is_some_and(is_formatter) && replaces_references(program, ty));
    if leads_to_cells || of_result.mutable_references == Found::Yes || is_left {
        let what = LeftOut::IdentityOfReferences;
        ledger.note(Approximation::InputAlphabet { what });
    }
}

fn finish(
    machine: &mut Machine<'_, '_, '_>,
    callee: Resolved,
    args: &[Tree],
    types: &[Ty],
) -> Result<(Returned, SliceId), Stop> {
    let function = &machine.image.program.functions[callee.function];
    let output_ty = normalize(machine.image.program, &callee.subst.ty(&function.output));
    let lent = args.iter().zip(types).map(|(arg, ty)| machine.lent_in(arg, ty));
    let lent: Vec<Lent> = lent.collect::<Result<_, _>>()?;
    let value = machine.call_and_wait(callee, args.to_vec())?;
    let mut value = machine.output(value, &output_ty)?;
    if let TyKind::Unsupported(text) = output_ty.kind() {
        // Of an `impl Trait` a caller sees what it does. What it is made of has to be equal for a proof, but shows no one
        // a difference.
        value.hidden.push(std::mem::replace(&mut value.value, Value::Opaque(text.clone())));
    }
    let mut slice = value.slice;
    let mut mutated = Vec::new();
    for ((index, (arg, ty)), lent) in args.iter().zip(types).enumerate().zip(lent) {
        let reach = mutable_reach(machine.image.program, ty);
        if reach == MutableReach::Nothing {
            continue;
        }
        let mut output = machine.output(arg.clone(), ty)?;
        if let Some((before, ty)) = lent.before {
            let before = machine.add_output(before, &ty, &mut output)?;
            output.value = Value::Tuple(vec![output.value, before]);
        } else if reach == MutableReach::Pointee {
            output.value = pointee_value(output.value);
        }
        machine.add_places(&lent.places, &mut output)?;
        slice = machine.run.union(slice, output.slice);
        mutated.push((index, output));
    }
    Ok((Returned { value, mutated }, slice))
}

/// What a caller can see changed through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MutableReach {
    Nothing,
    /// The argument is a `&mut`.
    Pointee,
    /// A `&mut` lies somewhere within the argument, or a cell behind a shared reference.
    Within,
}

fn mutable_reach(program: &Program, ty: &Ty) -> MutableReach {
    match ty.kind() {
        TyKind::Ref(Mutability::Mut, _) => MutableReach::Pointee,
        _ if Holdings::of(program, ty).shows_writes() => MutableReach::Within,
        _ => MutableReach::Nothing,
    }
}

impl Ended {
    /// The concrete outcome, as a native run would report it. A run that the engine gave up has none.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_by(|output| Some(output.value.clone()))
    }

    /// The concrete outcome with what is in each `MaybeUninit`; none if that cannot be told.
    pub fn outcome_with_contents(&self) -> Option<Outcome> {
        self.outcome_by(Output::with_contents)
    }

    fn outcome_by(&self, shown: impl Fn(&Output) -> Option<Value>) -> Option<Outcome> {
        match &self.end {
            End::Returned(returned) => {
                let mutated = returned.mutated.iter().map(|(index, output)| Some((*index, shown(output)?)));
                Some(Outcome::Returned {
                    value: shown(&returned.value)?,
                    mutated: mutated.collect::<Option<_>>()?,
                })
            }
            End::Panicked { said, message, location, .. } => Some(Outcome::Panicked(Panic {
                kind: *said,
                message: message.clone(),
                location: location.clone(),
            })),
            End::Stopped(Stop::LoopBound { .. } | Stop::CallDepth { .. }) => Some(Outcome::Hung),
            End::Stopped(_) | End::NotMade { .. } => None,
        }
    }
}

/// A `&mut T` parameter is shown as the `T` behind it.
fn pointee_value(value: Value) -> Value {
    match value {
        Value::Ref(inner) => *inner,
        other => other,
    }
}

/// Whether terms and concrete bits agree on this run, an independent check of the executor on itself.
pub fn consistent(
    pool: &TermPool,
    model: &Model,
    run_branches: &[crate::exec::Branch],
    ends: &[&Ended],
) -> bool {
    let conditions_hold = run_branches.iter().all(|branch| pool.eval(branch.condition, model) != 0);
    let leaves = ends.iter().flat_map(|ended| match &ended.end {
        End::Returned(returned) => {
            returned.outputs().flat_map(|output| output.leaves.iter()).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    });
    conditions_hold
        && leaves.into_iter().all(|leaf| leaf.term.is_none_or(|term| pool.eval(term, model) == leaf.bits))
}

/// A fresh run on a pool.
pub fn fresh_run(pool: &mut TermPool, limits: Limits) -> Run<'_> {
    Run::new(pool, limits)
}
