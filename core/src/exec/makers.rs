//! Functions by which a crate itself makes values of its types.
//!
//! *Idea.* A type with private fields may keep something true of them, and some fields hold what nobody can write down (an
//! address, code behind a pointer). Values of such a type are had by calling what the crate has for it: associated functions and the like that
//! give a `T`, an `Option<T>` or a `Result<T, _>` from arguments that can be built in turn. Methods that change a value lead on
//! from there: `let mut c = Cart::new(); c.add("a", 1);`.
//!
//! *Definition.* The makers of a type are functions of the crate, and for a type of a dependency also the public ones of dependencies: the same in name, parameters and kind of result in both
//! versions. Parameters of their own (`fn from<I: Into<T>>(…)`) stand for what is chosen for them. If any of them can be called from outside of the crate, only those count: what
//! is private may take arguments that the crate never hands to it. A *step* is a method of which the same holds, and whose first argument
//! is a value of the type: by `self` and `&self` it gives the next one (`Config::new().with_padding(true)`, `path.join("a")`), by `&mut self`, and by `&self` of a type with cells, the next one is that
//! argument after the call ([`Success::After`]). `Iterator::next` is one, too. A method that is compared is always a step in front of itself: `insert` into what `insert` made.
//! So is what changes a value that it is lent at another place, `NodeId::append(self, child: NodeId, arena: &mut Arena)`; and what asks such a value is a maker,
//! `Arena::new_node(&mut self, u32) -> NodeId`, although nodes hold ids: they are had from an arena that is made in the same way. Only native runs take these two.
//!
//! A maker that is given trait objects (`hub.add(observer)`), or lent something to write to (`parser.advance(&mut performer, byte)`), is for native runs alone. The executor makes no values by these, nor by functions that are given closures, and notes
//! each of them ([`Makers::given_code`]): a type that keeps callbacks would otherwise be called equal without any.
//!
//! *Not handled.* What the functions make that is not the whole of their result; steps that return something borrowed and change what they are given.

mod heights;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::cells;
use super::resolve::normalize;
use crate::ir::stand_ins;
use crate::ir::{
    Adt, AdtKind, Const, FnBody, FnId, Function, FunctionKind, GenericArg, GivenFields, KnownTrait,
    KnownType, Mutability, Name, Origin, Owner, Path, Program, Subst, Ty, TyKind, Visibility,
};
use crate::value::Success;

/// A function that makes values of a type, in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Its canonical path, which is also how it is told from the others.
    pub callee: Path,
    /// The type, with the arguments that it has here.
    pub makes: Ty,
    /// What stands for the parameters of the function, which have the same names in both versions.
    pub subst: Subst,
    /// What it is called with; of a step that changes its first argument that is the type itself, not a reference to it.
    pub inputs: Vec<Ty>,
    /// The made types of which its arguments always hold a value, its own apart.
    needs: BTreeSet<Ty>,
    pub success: Success,
    /// Whether it has parameters that its type leaves open, for which something was chosen.
    pub is_chosen: bool,
    pub given: Given,
    /// The function of the new version whose inputs alone it makes: itself, if what it makes may differ between the versions, or others matter more to all.
    pub only_for: Option<FnId>,
    pub old: FnId,
    pub new: FnId,
}

impl Maker {
    /// Whether it makes a value from one that there is.
    pub fn is_step(&self) -> bool {
        self.begins_with().is_some()
    }

    /// The position of the argument that is a value of the type.
    pub fn begins_with(&self) -> Option<usize> {
        let begins = |first: &Ty| begins_with(first, &self.makes).then_some(0);
        self.success.changed().or_else(|| self.inputs.first().and_then(begins))
    }

    /// Its path, with what was chosen for its parameters.
    pub fn at_chosen_types(&self, program: &Program) -> String {
        let own = program.functions[self.new].generics.iter();
        let args: Vec<String> =
            own.filter_map(|param| self.subst.get(&param.name)).map(ToString::to_string).collect();
        match self.is_chosen && !args.is_empty() {
            true => format!("{}::<{}>", self.callee, args.join(", ")),
            false => self.callee.to_string(),
        }
    }

    /// Whether the value from which it makes another stays as it is.
    fn is_by_reference(&self) -> bool {
        self.inputs.first().is_some_and(|first| shared(first) == Some(&self.makes))
    }
}

/// What a maker is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    Data,
    /// Data that it may change as well: only native runs make values by it.
    Lent,
    /// Trait objects as well, which only native runs can make.
    Objects,
    /// Functions or closures of its caller. Such a maker is noted alone: what stands for a closure becomes one in a subject's own call only.
    Callables,
}

/// The makers of each type, best first; steps follow the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Makers {
    by_type: BTreeMap<Ty, Vec<Maker>>,
    /// Functions that make values of a type that keeps code, and are given code: trait objects, closures, functions.
    given_code: BTreeMap<Ty, BTreeSet<Path>>,
    /// Structs of which values are given by these fields, and `Default` says the others.
    completed: BTreeMap<Path, GivenFields>,
    /// Of all types in `by_type`; see [`heights`].
    heights: BTreeMap<Ty, u64>,
}

/// More of them would reach hardly any further states.
const MOST_PER_TYPE: usize = 3;
const MOST_PARAMS: usize = 8;
const MOST_STEPS_PER_TYPE: usize = 4;
/// Those besides that leave the value as it is from which they make another.
const MOST_BY_REFERENCE: usize = 2;
/// Those besides that only native runs can call, and as many steps.
const MOST_NATIVE: usize = 2;
/// Steps besides that change a value they are lent as another argument than the first. One that joins two parts has others that part them.
const MOST_LINKS: usize = 4;
/// Steps that lead from a made value to another, at most.
pub const MOST_STEPS: u64 = 3;
/// Types that are looked at. Parameters may be nested in each other without end.
const MOST_TYPES: usize = 300;
/// Traits whose methods make values from something else.
const TRAITS: [KnownTrait; 6] = [
    KnownTrait::FromStr,
    KnownTrait::From,
    KnownTrait::TryFrom,
    KnownTrait::Default,
    KnownTrait::IntoIterator,
    KnownTrait::FromIterator,
];

/// Methods of traits that change a value.
const STEPS: [(KnownTrait, &str); 3] = [
    (KnownTrait::Iterator, "next"),
    (KnownTrait::DoubleEndedIterator, "next_back"),
    (KnownTrait::Extend, "extend"),
];

impl Makers {
    /// What makes the types of which the parameters of these functions of the new version consist, with what stands for their own
    /// parameters. `choose_types` gives what stands for the parameters of a function of both versions, if anything does.
    pub fn common(
        old: &Program,
        new: &Program,
        subjects: &[(FnId, &Subst)],
        choose_types: &dyn Fn(FnId, FnId) -> Option<Subst>,
    ) -> Makers {
        let candidates = candidates(old, new);
        let inputs_of = |(id, subst): &(FnId, &Subst)| {
            let inputs = new.functions[*id].inputs.iter();
            inputs.map(|ty| normalize(new, &subst.ty(ty))).collect::<Vec<_>>()
        };
        let compared: BTreeSet<FnId> = subjects.iter().map(|(id, _)| *id).collect();
        let mut open: Vec<Ty> = subjects.iter().flat_map(inputs_of).collect();
        let mut makers = Makers::default();
        let mut seen: BTreeSet<Ty> = BTreeSet::new();
        while let Some(ty) = open.pop() {
            for (ty, path, args) in adts_in(&ty) {
                if seen.len() >= MOST_TYPES || !seen.insert(ty.clone()) {
                    continue;
                }
                let Some(adt) = new.nameable_adt(&path) else { continue };
                open.extend(field_types(new, adt, &args));
                let Some(found) = candidates.get(&path).filter(|_| is_made(adt)) else { continue };
                let found: Vec<Maker> =
                    found.iter().filter_map(|maker| maker.at(new, &ty, choose_types)).collect();
                let given_code = found.iter().filter(|maker| maker.given > Given::Lent);
                let given_code: BTreeSet<Path> = given_code.map(|maker| maker.callee.clone()).collect();
                if !given_code.is_empty() && keeps_code(new, &ty) {
                    makers.given_code.insert(ty.clone(), given_code);
                }
                let found = found.into_iter().filter(|maker| maker.given != Given::Callables);
                let (data, others) = found.partition(|maker| maker.given == Given::Data);
                let chosen = with_native(new, choose(new, data, &compared), others);
                open.extend(chosen.iter().flat_map(|maker| maker.inputs.clone()));
                if !chosen.is_empty() {
                    makers.by_type.insert(ty, chosen);
                }
            }
        }
        makers.note_needs(new);
        makers.retain(|_| true);
        makers
    }

    /// Those that make inputs of this function of the new version.
    pub fn of_subject(&self, subject: FnId) -> Makers {
        self.given(|only_for| only_for.is_none_or(|only| only == subject))
    }

    /// Those that make inputs of all functions.
    pub fn of_all(&self) -> Makers {
        self.given(|only_for| only_for.is_none())
    }

    /// What is left out are steps, which no height hangs on.
    fn given(&self, is_given: impl Fn(Option<FnId>) -> bool) -> Makers {
        let given = |makers: &Vec<Maker>| {
            makers.iter().filter(|maker| is_given(maker.only_for)).cloned().collect::<Vec<Maker>>()
        };
        let by_type = self.by_type.iter().map(|(ty, makers)| (ty.clone(), given(makers))).collect();
        Makers {
            by_type,
            given_code: self.given_code.clone(),
            completed: self.completed.clone(),
            heights: self.heights.clone(),
        }
    }

    /// The same for types that `Default` completes ([`CommonShapes::completed`](crate::ir::CommonShapes)).
    pub fn with_completed(self, completed: BTreeMap<Path, GivenFields>) -> Makers {
        Makers { completed, ..self }
    }

    /// By what a value of the struct is given, if the versions have other fields.
    pub fn completed(&self, path: &Path) -> Option<&GivenFields> {
        self.completed.get(path)
    }

    /// Those that are given data alone.
    pub fn of_data(mut self) -> Makers {
        self.retain(|maker| maker.given == Given::Data);
        self
    }

    /// The functions that make values of the type and are given code that the type may keep.
    pub fn given_code(&self, ty: &Ty) -> impl Iterator<Item = &Path> {
        self.given_code.get(ty).into_iter().flatten()
    }

    fn note_needs(&mut self, program: &Program) {
        let made: BTreeSet<Ty> = self.by_type.keys().cloned().collect();
        for maker in self.by_type.values_mut().flatten() {
            let inputs = maker.inputs.iter().filter(|input| !begins_with(input, &maker.makes));
            maker.needs =
                inputs.flat_map(|input| heights::needs(program, input, &|ty| made.contains(ty))).collect();
        }
    }

    /// The numbers of the makers that need no value of the type, and nothing as high as it: whoever takes one of these comes to an end.
    pub fn lower(&self, ty: &Ty) -> Vec<usize> {
        let height = |ty: &Ty| self.heights.get(ty).copied().unwrap_or(0);
        let is_lower = |maker: &Maker| maker.needs.iter().all(|need| height(need) < height(ty));
        let makers = self.without_steps(ty).iter().enumerate();
        makers.filter(|(_, maker)| is_lower(maker)).map(|(index, _)| index).collect()
    }

    /// Whether a value of the type can be had without making any.
    pub fn needs_none(&self, program: &Program, ty: &Ty) -> bool {
        heights::needs(program, ty, &|ty| !self.of(ty).is_empty()).is_empty()
    }

    pub fn of(&self, ty: &Ty) -> &[Maker] {
        self.by_type.get(ty).map_or(&[], Vec::as_slice)
    }

    /// Whether there are any for the type with some arguments.
    pub fn has_some_of(&self, path: &Path) -> bool {
        self.by_type.keys().any(|ty| matches!(ty.kind(), TyKind::Adt(made, _) if made == path))
    }

    /// Those that need no value of the type.
    pub fn without_steps(&self, ty: &Ty) -> &[Maker] {
        let all = self.of(ty);
        let steps = all.iter().rev().take_while(|maker| maker.is_step()).count();
        &all[..all.len() - steps]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Maker> {
        self.by_type.values().flatten()
    }

    pub fn is_empty(&self) -> bool {
        self.by_type.is_empty()
    }

    /// Keeps those that the caller can use, and of them those that come to an end.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Maker) -> bool) {
        for makers in self.by_type.values_mut() {
            makers.retain_mut(&mut keep);
        }
        self.heights = heights::heights(&self.by_type);
        for makers in self.by_type.values_mut() {
            let can_need = |ty: &Ty| self.heights.contains_key(ty);
            makers.retain(|maker| maker.needs.iter().all(can_need));
        }
        // A step leads nowhere without a value to begin with.
        self.by_type.retain(|_, makers| !makers.iter().all(Maker::is_step));
    }
}

/// Types of dependencies of which functions that anybody can call make values, with the types of what these are given.
pub fn made_by_dependencies(old: &Program, new: &Program) -> BTreeMap<Path, BTreeSet<Path>> {
    let mut found: BTreeMap<Path, BTreeSet<Path>> = BTreeMap::new();
    for (path, candidates) in candidates(old, new) {
        let functions = candidates.iter().map(|candidate| &new.functions[candidate.new]);
        for function in functions.filter(|function| function.origin.is_dependency()) {
            let given = function.inputs.iter().flat_map(adts_in).map(|(_, path, _)| path);
            found.entry(path.clone()).or_default().extend(given);
        }
    }
    found
}

/// Whether only the type's own module can write all fields.
pub fn hides_fields(adt: &Adt) -> bool {
    let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
    fields.any(|field| field.visibility == Visibility::Private)
}

/// Whether values of the type are had from the crate's functions: some fields only its own module can write, or hold code behind a
/// pointer, which nobody can write down.
fn is_made(adt: &Adt) -> bool {
    let holds_code = |ty: &Ty| ty.has_part(|part| matches!(part, TyKind::Dyn(_) | TyKind::FnPtr { .. }));
    let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
    hides_fields(adt) || fields.any(|field| holds_code(&field.ty))
}

/// A function that makes values of a type whose parameters may be open.
struct Candidate {
    makes: Ty,
    success: Success,
    /// What it is given at least.
    given: Given,
    old: FnId,
    new: FnId,
}

/// The functions that make values in both versions, by the path of the type.
fn candidates(old: &Program, new: &Program) -> BTreeMap<Path, Vec<Candidate>> {
    let mut candidates: BTreeMap<Path, Vec<Candidate>> = BTreeMap::new();
    for (id, function) in new.functions.iter_enumerated() {
        // What is put into a collection may give a value of another type, as `insert(&mut self, T) -> Key` does.
        let ways = [made(new, function), changed(new, function), linked(new, function)];
        for (makes, success, given) in ways.into_iter().flatten() {
            let TyKind::Adt(path, _) = makes.kind() else { continue };
            let Some(other) = counterpart(old, new, id) else { break };
            let candidate = Candidate { makes: makes.clone(), success, given, old: other, new: id };
            candidates.entry(path.clone()).or_default().push(candidate);
        }
    }
    candidates
}

impl Candidate {
    /// The maker of this type, if all arguments are data and something stands for what the type leaves open.
    fn at(
        &self,
        program: &Program,
        ty: &Ty,
        choose_types: &dyn Fn(FnId, FnId) -> Option<Subst>,
    ) -> Option<Maker> {
        let mut subst = Subst::new();
        let is_bound = |subst: &Subst| {
            program.generics_in_scope(self.new).iter().all(|param| subst.get(&param.name).is_some())
        };
        if !subst.unify(&self.makes, ty) {
            return None;
        }
        // Which type it makes is not known where a constant says so, and no call can name one with a constant that nobody can write down.
        if self.makes.has_constant(Const::stands_elsewhere)
            || ty.has_constant(|constant| matches!(constant, Const::Unsupported(_)))
        {
            return None;
        }
        let is_chosen = !is_bound(&subst);
        if is_chosen {
            let mut all = choose_types(self.old, self.new)?;
            all.extend(&subst);
            subst = all;
        }
        let function = &program.functions[self.new];
        let mut inputs: Vec<Ty> =
            function.inputs.iter().map(|input| normalize(program, &subst.ty(input))).collect();
        if let Some(changed) = self.success.changed() {
            // It is lent the value that it changes.
            inputs[changed] = ty.clone();
        }
        let mut maker = Maker {
            callee: function.path.clone(),
            makes: ty.clone(),
            subst,
            inputs,
            needs: BTreeSet::new(),
            success: self.success,
            is_chosen,
            given: self.given,
            only_for: None,
            old: self.old,
            new: self.new,
        };
        // A step begins with a value that is made in turn.
        let begins_with = maker.begins_with();
        let arguments = maker.inputs.iter().enumerate().filter(|(index, _)| Some(*index) != begins_with);
        maker.given =
            arguments.map(|(_, ty)| given(ty)).try_fold(self.given, |all, one| Some(all.max(one?)))?;
        Some(maker)
    }
}

/// A type of which a function makes values, how, and what it is given at least.
type Way<'f> = (&'f Ty, Success, Given);

/// The type that the function makes.
fn made<'f>(program: &Program, function: &'f Function) -> Option<Way<'f>> {
    if !is_candidate(function) || !may_make(program, function) {
        return None;
    }
    let (ty, success) = result(function)?;
    let path = made_by(program, function, ty)?;
    let leads_back = |ty: &&Ty| mentions(program, ty, path);
    let mut leading = function.inputs.iter().filter(leads_back).peekable();
    let given = if leading.peek().is_some() { Given::Lent } else { Given::Data };
    // Another value that may hold some is made in turn, and need not.
    let is_asked =
        |ty: &Ty| ty.pointee().and_then(|asked| guarded(program, asked)).is_some_and(|asked| asked != path);
    leading.all(is_asked).then_some((ty, success, given))
}

/// The type of which the method makes a value from another.
fn changed<'f>(program: &Program, function: &'f Function) -> Option<Way<'f>> {
    let (first, others) = function.inputs.split_first()?;
    let (ty, success) = match first.kind() {
        TyKind::Ref(Mutability::Mut, pointee) if owns_all(&function.output) || lent(function).is_some() => {
            (pointee, Success::After(0))
        }
        TyKind::Adt(..) | TyKind::Ref(Mutability::Shared, _) => match (result(function), first.kind()) {
            (Some((made, success)), _) if begins_with(first, made) => (made, success),
            (_, TyKind::Ref(_, pointee))
                if owns_all(&function.output) && cells::has_cells(program, pointee) =>
            {
                (pointee, Success::After(0))
            }
            _ => return None,
        },
        _ => return None,
    };
    let path = made_by(program, function, ty)?;
    let is_step = is_candidate(function)
        && may_change(program, function)
        && !others.iter().any(|ty| mentions(program, ty, path));
    is_step.then_some((ty, success, Given::Data))
}

/// The type of which the function changes a value that it is lent behind its first argument.
fn linked<'f>(program: &Program, function: &'f Function) -> Option<Way<'f>> {
    let lent = |ty: &'f Ty| match ty.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => Some(pointee),
        _ => None,
    };
    let mut all = function.inputs.iter().enumerate().filter_map(|(at, ty)| Some((at, lent(ty)?)));
    let (Some((at, ty)), None) = (all.next(), all.next()) else { return None };
    let path = made_by(program, function, ty)?;
    let others = function.inputs.iter().enumerate().filter(|(other, _)| *other != at);
    let is_link = at > 0
        && is_candidate(function)
        && matches!(function.owner, Owner::Free | Owner::Inherent { .. })
        && owns_all(&function.output)
        && !others.map(|(_, ty)| ty).any(|ty| mentions(program, ty, path));
    is_link.then_some((ty, Success::After(at), Given::Lent))
}

/// Whether a function with this first argument makes a value of the type from another.
fn begins_with(first: &Ty, makes: &Ty) -> bool {
    first == makes || shared(first) == Some(makes)
}

/// What the type is a shared reference to.
fn shared(ty: &Ty) -> Option<&Ty> {
    match ty.kind() {
        TyKind::Ref(Mutability::Shared, pointee) => Some(pointee),
        _ => None,
    }
}

fn is_candidate(function: &Function) -> bool {
    let is_open = match function.origin {
        Origin::Subject => true,
        Origin::Dependency | Origin::CommonDependency => is_public(function) && !is_not_for_callers(function),
        Origin::StdModel => false,
    };
    is_open
        && function.kind == FunctionKind::Fn
        && function.inputs.len() <= MOST_PARAMS
        && matches!(function.body, FnBody::Present(_))
}

/// Whether the function is by its name one that is unsafe, or for macros of its crate alone. The compiler tells for certain which are unsafe, and takes longer.
fn is_not_for_callers(function: &Function) -> bool {
    let name = function.path.as_str().rsplit(':').next().unwrap_or_default();
    name.contains("unchecked") || name.starts_with("from_raw") || name.starts_with("__")
}

/// The path of a struct of which values are made.
fn guarded<'t>(program: &Program, ty: &'t Ty) -> Option<&'t Path> {
    let TyKind::Adt(path, _) = ty.kind() else { return None };
    let is_guarded =
        program.nameable_adt(path).is_some_and(|adt| adt.kind == AdtKind::Struct && is_made(adt));
    (is_guarded && !path.is_of_std()).then_some(path)
}

/// The same, if what makes it is handed out with it.
fn made_by<'t>(program: &Program, function: &Function, ty: &'t Ty) -> Option<&'t Path> {
    let path = guarded(program, ty)?;
    (function.origin == Origin::Subject || can_be_written(program, path)).then_some(path)
}

/// Whether the crates that are compared have a name for the type of a dependency, which says all of it.
fn can_be_written(program: &Program, path: &Path) -> bool {
    let name = program.public_name(path);
    let mut segments = name.as_str().split("::");
    program.adt(path).is_some_and(|adt| adt.visibility == Visibility::Public)
        && segments.next().is_some_and(|first| program.direct_crates.contains(&Name::new(first)))
        && !segments.any(|segment| segment.starts_with("__"))
        && !program.lifetimes.contains_key(path)
}

/// The type of which the function gives a value, and how.
fn result(function: &Function) -> Option<(&Ty, Success)> {
    let TyKind::Adt(path, args) = function.output.kind() else { return None };
    Some(match args.first() {
        Some(GenericArg::Ty(inner)) if path == KnownType::Option => (inner, Success::Some),
        Some(GenericArg::Ty(inner)) if path == KnownType::Result => (inner, Success::Ok),
        _ => (&function.output, Success::Always),
    })
}

/// Whether nothing in the value can lead back to what the function was lent.
fn owns_all(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Never => true,
        TyKind::Str => true,
        // What is given away belongs to who chose the type.
        TyKind::Param(_) | TyKind::Projection { .. } => true,
        TyKind::Array(of, _) | TyKind::Slice(of) => owns_all(of),
        TyKind::Tuple(tys) => tys.iter().all(owns_all),
        TyKind::Adt(_, args) => args.iter().all(|arg| match arg {
            GenericArg::Ty(ty) => owns_all(ty),
            GenericArg::Const(_) => true,
        }),
        _ => false,
    }
}

/// The reference that the function gives, for which nothing is left to do: `fn add(&mut self, …) -> &mut Self`, `fn slot(&mut self, …) -> Option<&mut T>`.
fn lent(function: &Function) -> Option<&Ty> {
    let given = match result(function) {
        Some((given, _)) => given,
        None => &function.output,
    };
    matches!(given.kind(), TyKind::Ref(..)).then_some(given)
}

/// Clones, conversions between states and the like, which are methods of traits of the standard library, make nothing new.
fn may_make(program: &Program, function: &Function) -> bool {
    match &function.owner {
        Owner::Free | Owner::Inherent { .. } => true,
        Owner::TraitImpl(id) => {
            let of = &program.impls[*id].trait_ref.path;
            !of.is_of_std() || TRAITS.iter().any(|item| of == item)
        }
        Owner::Trait(_) | Owner::Within(_) => false,
    }
}

/// Methods of the type itself, and what an iterator does where it is asked for the next item.
fn may_change(program: &Program, function: &Function) -> bool {
    let name = function.path.last();
    match &function.owner {
        Owner::Inherent { .. } => true,
        Owner::TraitImpl(id) => {
            let path = &program.impls[*id].trait_ref.path;
            STEPS.iter().any(|(item, method)| path == item && name == *method)
        }
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => false,
    }
}

/// The function of the old version that is called alike.
fn counterpart(old: &Program, new: &Program, id: FnId) -> Option<FnId> {
    let function = &new.functions[id];
    let [only] = old.functions_at(&function.path) else { return None };
    let other = &old.functions[*only];
    let parameters = |program: &Program, id: FnId| -> Vec<_> {
        program.generics_in_scope(id).into_iter().map(|param| (param.name, param.kind)).collect()
    };
    let same = other.inputs == function.inputs
        && other.output == function.output
        && other.kind == function.kind
        && other.origin == function.origin
        && matches!(other.body, FnBody::Present(_))
        && parameters(old, *only) == parameters(new, id);
    same.then_some(*only)
}

/// What an argument of the type is; none if that is not known.
fn given(ty: &Ty) -> Option<Given> {
    let all = |tys: &mut dyn Iterator<Item = &Ty>| {
        tys.map(given).try_fold(Given::Data, |all, one| Some(all.max(one?)))
    };
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => Some(Given::Data),
        TyKind::Tuple(tys) => all(&mut tys.iter()),
        TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Ref(Mutability::Shared, elem) => given(elem),
        TyKind::Ref(Mutability::Mut, lent) => match lent.kind() {
            TyKind::Adt(path, _) if path == KnownType::Formatter => None,
            _ => given(lent).map(|given| given.max(Given::Lent)),
        },
        TyKind::Adt(..) if stand_ins::is_recorder(ty) => None,
        TyKind::Adt(..) if stand_ins::as_function(ty).is_some() => Some(Given::Callables),
        TyKind::Adt(_, args) => all(&mut args.iter().filter_map(|arg| match arg {
            GenericArg::Ty(ty) => Some(ty),
            GenericArg::Const(_) => None,
        })),
        TyKind::Dyn(_) => Some(Given::Objects),
        TyKind::FnPtr { .. } => Some(Given::Callables),
        _ => None,
    }
}

/// The best, in an order that depends on nothing but the program; then the steps, and those that only lead to themselves.
fn choose(program: &Program, candidates: Vec<Maker>, compared: &BTreeSet<FnId>) -> Vec<Maker> {
    let (steps, others): (Vec<Maker>, Vec<Maker>) = candidates.into_iter().partition(Maker::is_step);
    let of_trait = |maker: &Maker| maker.callee.as_str().starts_with('<');
    // Without parameters one state can be reached; with fewer of them more inputs succeed.
    let mut chosen = best(program, others, MOST_PER_TYPE, |maker| {
        (
            maker.inputs.is_empty(),
            maker.is_chosen,
            of_trait(maker),
            maker.success,
            maker.inputs.len(),
            maker.callee.clone(),
        )
    });
    if !chosen.is_empty() {
        let lone = |maker: &Maker| maker.inputs.len() == 1;
        let own: Vec<Maker> = steps.iter().filter(|maker| compared.contains(&maker.new)).cloned().collect();
        let changed = |maker: &Maker| {
            let inputs = &program.functions[maker.new].inputs;
            maker.success.changed().and_then(|changed| inputs.get(changed))
        };
        // What only lends a part of the value mostly changes nothing.
        let lends_part = |maker: &Maker| {
            changed(maker)
                .is_some_and(|it| lent(&program.functions[maker.new]).is_some_and(|part| part != it))
        };
        // What is lent for reading mostly changes nothing either, though the type has cells.
        let is_lent_for_reading = |maker: &Maker| changed(maker).is_some_and(|it| shared(it).is_some());
        let rank = |maker: &Maker| {
            (
                lends_part(maker) || is_lent_for_reading(maker),
                maker.is_chosen,
                !holds_an_argument(maker),
                lone(maker),
                maker.inputs.len(),
                maker.callee.clone(),
            )
        };
        let (by_reference, steps) = steps.into_iter().partition(Maker::is_by_reference);
        chosen.extend(best(program, steps, MOST_STEPS_PER_TYPE, rank));
        chosen.extend(best(program, by_reference, MOST_BY_REFERENCE, rank));
        for maker in own {
            if !chosen.iter().any(|other| other.new == maker.new) {
                chosen.push(Maker { only_for: Some(maker.new), ..maker });
            }
        }
    }
    chosen
}

/// The same with some that only native runs can call. They take no place from others.
fn with_native(program: &Program, chosen: Vec<Maker>, given: Vec<Maker>) -> Vec<Maker> {
    let (steps, others): (Vec<Maker>, Vec<Maker>) = given.into_iter().partition(Maker::is_step);
    let (links, steps): (Vec<Maker>, Vec<Maker>) =
        steps.into_iter().partition(|maker| maker.success.changed().is_some_and(|changed| changed > 0));
    let rank = |maker: &Maker| (maker.is_chosen, maker.success, maker.inputs.len(), maker.callee.clone());
    // The more it is told of what is there, the more it can do with it.
    let told = |maker: &Maker| maker.inputs.iter().filter(|ty| guarded(program, ty).is_some()).count();
    let (mut all, chosen_steps): (Vec<Maker>, Vec<Maker>) =
        chosen.into_iter().partition(|maker| !maker.is_step());
    all.extend(best(program, others, MOST_NATIVE, rank));
    all.extend(chosen_steps);
    all.extend(best(program, steps, MOST_NATIVE, rank));
    all.extend(best(program, links, MOST_LINKS, |maker| (Reverse(told(maker)), rank(maker))));
    all
}

/// Whether other crates can call it, as far as it can be named: whoever has the value can call what a trait says.
fn is_public(function: &Function) -> bool {
    matches!(function.owner, Owner::TraitImpl(_)) || function.visibility == Visibility::Public
}

/// Whether a step is given what the type is of: `insert(K, V)` says more of a map than `reserve(usize)`.
fn holds_an_argument(maker: &Maker) -> bool {
    let TyKind::Adt(_, args) = maker.makes.kind() else { return false };
    let is_argument = |input: &Ty| args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if ty == input));
    maker.inputs.iter().skip(1).any(is_argument)
}

/// The first of the public ones, or of all if there is none.
fn best<K: Ord>(
    program: &Program,
    mut makers: Vec<Maker>,
    most: usize,
    rank: impl Fn(&Maker) -> K,
) -> Vec<Maker> {
    let is_public = |maker: &Maker| is_public(&program.functions[maker.new]);
    if makers.iter().any(is_public) {
        makers.retain(is_public);
    }
    makers.sort_by_key(rank);
    makers.truncate(most);
    makers
}

/// Types with a path that occur in a type, with path and arguments.
fn adts_in(ty: &Ty) -> Vec<(Ty, Path, Vec<GenericArg>)> {
    let mut found = Vec::new();
    let _ = ty.map(
        &mut |ty| {
            if let TyKind::Adt(path, args) = ty.kind() {
                found.push((ty.clone(), path.clone(), args.clone()));
            }
            ty
        },
        &mut |constant| constant,
    );
    found
}

fn field_types(program: &Program, adt: &Adt, args: &[GenericArg]) -> Vec<Ty> {
    let types = (0..adt.variants.len()).flat_map(|index| adt.field_types(index, args));
    types.map(|ty| normalize(program, &ty)).collect()
}

/// Whether there can be trait objects, functions or closures in a value of the type.
fn keeps_code(program: &Program, ty: &Ty) -> bool {
    let mut open = vec![ty.clone()];
    let mut seen: BTreeSet<Ty> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        let mut found = false;
        ty.each_part(&mut |part| {
            let is_code = matches!(part.kind(), TyKind::Dyn(_) | TyKind::FnPtr { .. });
            found |= is_code || stand_ins::as_function(part).is_some();
        });
        if found {
            return true;
        }
        for (ty, path, args) in adts_in(&ty) {
            // What a type of std keeps is what it is told.
            if !path.is_of_std()
                && seen.insert(ty)
                && seen.len() < MOST_TYPES
                && let Some(adt) = program.adt(&path)
            {
                open.extend(field_types(program, adt, &args));
            }
        }
    }
    false
}

/// Whether values of the type may hold one of the other.
fn mentions(program: &Program, ty: &Ty, wanted: &Path) -> bool {
    let mut open = vec![ty.clone()];
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        for (_, path, _) in adts_in(&ty) {
            if path == *wanted {
                return true;
            }
            if seen.insert(path.clone())
                && let Some(adt) = program.adt(&path)
            {
                let fields = adt.variants.iter().flat_map(|variant| &variant.fields);
                open.extend(fields.map(|field| field.ty.clone()));
            }
        }
    }
    false
}
