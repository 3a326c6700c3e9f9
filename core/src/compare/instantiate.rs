//! Types for the parameters of a generic subject.
//!
//! *Idea.* A body stays polymorphic until it runs, so a generic function is compared at one choice of types. The types
//! at which the program itself calls it come first, then those of its type aliases. Otherwise a choice has to offer what is declared, and what the
//! bodies of both versions do: each trait method that they, their closures or the generic functions they hand their
//! parameters to call on a parameter demands an implementation. Small types come first, then those that bounds ask for,
//! then whatever the program itself implements the demanded traits for.
//!
//! *Not handled.* The front end may not know all bounds, and not all traits of the standard library are modelled; only the
//! compiler knows, so a choice counts once a native call with it has compiled. Closures and hashers have stand-ins
//! ([`stand_ins`]); listeners, for closures that only have effects and for traits that nothing implements, are not executed.
//!
//! [`demands`]: what is asked of the parameters; [`callers`]: at which types the program calls the subject, or names its type; [`defaults`]: what its type says of them; [`foreign`]: of which
//! types of dependencies nobody outside can have values; [`implemented`]: which traits a type has; [`implementors`]: which types have a trait;
//! [`order`]: which parameter is chosen first; [`others`]: further choices for native runs; [`usual`]: what is tried whatever is asked.

mod callers;
mod defaults;
mod demands;
mod foreign;
mod implemented;
mod implementors;
mod order;
mod others;
mod usual;

use std::fmt;

use crate::exec::resolve::normalize;
use crate::ir::stand_ins;
use crate::ir::{
    Bound, Const, FnId, GenericArg, GenericParam, GenericParamKind, ImplId, KnownTrait, KnownType,
    Mutability, Name, Owner, Path, Program, Subst, Trait, TraitRef, Ty, TyKind, Visibility,
};
use crate::verdict::not_analysed::{OpenGenerics, Refused};
use demands::Demands;
pub(super) use demands::{Used, used_items};
use implemented::{Implemented, is_common, is_of_system, is_plain};
use usual::{sequences, usual_constant, usual_elements, usual_types};

/// Choices tried before the search is given up.
const MAX_CHOICES: usize = 20_000;
/// Further choices for one function, of types and of constants.
const MOST_OTHERS: usize = 4;
/// What a constant parameter stands for: long enough for an order among elements to matter.
const CONSTANT: i128 = 3;

/// What the generic parameters of both versions stand for; empty for a function without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instantiation {
    pub old: Subst,
    pub new: Subst,
    /// By the names that the new version gives the parameters, outermost first.
    args: Vec<(Name, GenericArg)>,
}

impl Instantiation {
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    /// These types for the parameters of both versions, in order. None if these are not as many type parameters in both.
    pub fn given(old: (&Program, FnId), new: (&Program, FnId), types: &[Ty]) -> Option<Instantiation> {
        let sides = [old, new].map(|(program, function)| program.generics_in_scope(function));
        let takes_them = |params: &Vec<GenericParam>| {
            params.len() == types.len() && params.iter().all(|param| param.kind == GenericParamKind::Type)
        };
        let args: Vec<GenericArg> = types.iter().cloned().map(GenericArg::Ty).collect();
        let [old, new] = sides;
        (takes_them(&old) && takes_them(&new)).then(|| Instantiation {
            old: Subst::from_params(&old, &args),
            new: Subst::from_params(&new, &args),
            args: new.into_iter().map(|param| param.name).zip(args.clone()).collect(),
        })
    }
}

/// `T = i32, N = 3`
impl fmt::Display for Instantiation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, arg)) in self.args.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let described = match arg {
                GenericArg::Ty(ty) => stand_ins::described(ty),
                GenericArg::Const(_) => None,
            };
            match described {
                Some(words) => write!(f, "{separator}{name} = {words}")?,
                None => write!(f, "{separator}{name} = {arg}")?,
            }
        }
        Ok(())
    }
}

/// Chooses for both versions alike, or tells why nothing fits.
pub fn choose(old: (&Program, FnId), new: (&Program, FnId)) -> Result<Instantiation, Refused> {
    Chooser::new(old.0, new.0).choose(old.1, new.1, &[])
}

/// Chooses for many functions of two programs, and remembers what these implement.
pub struct Chooser<'p> {
    old: Implemented<'p>,
    new: Implemented<'p>,
}

impl<'p> Chooser<'p> {
    pub fn new(old: &'p Program, new: &'p Program) -> Chooser<'p> {
        Chooser { old: Implemented::by(old), new: Implemented::by(new) }
    }

    /// [`choose`], but a choice that has one of the types of `wanted` comes before others. A function that did not change
    /// itself may come to what did only at such types.
    pub fn choose(&self, old: FnId, new: FnId, wanted: &[Ty]) -> Result<Instantiation, Refused> {
        let wanted: Vec<&Ty> = wanted.iter().filter(|ty| callers::can_be_made(ty)).collect();
        match self.sides(old, new)? {
            Some(sides) => choose_reaching(sides, &wanted),
            None => Ok(Instantiation::default()),
        }
    }

    /// Further choices, at which native runs may show what they cannot show at the chosen types.
    pub fn others(&self, old: FnId, new: FnId, chosen: &Instantiation) -> Vec<Instantiation> {
        let sides = || self.sides(old, new).ok().flatten();
        let mut found: Vec<Instantiation> = Vec::new();
        for ty in sides().map_or_else(Vec::new, |sides| others::candidates(&sides, chosen)) {
            let Some(sides) = sides() else { break };
            let other = choose_reaching(sides, &[&ty]).ok().filter(|other| other.has(&ty));
            found.extend(other.filter(|other| !found.contains(other)));
            if found.len() == MOST_OTHERS {
                break;
            }
        }
        let constants = sides().map(|sides| others::with_other_constants(&sides, chosen)).unwrap_or_default();
        found.extend(constants.into_iter().take(MOST_OTHERS));
        found
    }

    /// Both versions of a function, without types yet; none if it has no parameters.
    fn sides(&self, old: FnId, new: FnId) -> Result<Option<[Side<'_>; 2]>, Refused> {
        let [old_params, new_params] =
            [(&self.old, old), (&self.new, new)].map(|(known, id)| known.program.generics_in_scope(id));
        let kinds = |params: &[GenericParam]| params.iter().map(|param| param.kind).collect::<Vec<_>>();
        let kinds_of_new = kinds(&new_params);
        if kinds(&old_params) != kinds_of_new {
            return Err(Refused::Generic(OpenGenerics::Differ));
        }
        let both = || [Side::new((&self.old, old), old_params), Side::new((&self.new, new), new_params)];
        Ok((!kinds_of_new.is_empty()).then(both))
    }
}

fn choose_reaching(mut sides: [Side<'_>; 2], wanted: &[&Ty]) -> Result<Instantiation, Refused> {
    let order = order::of_choice(&sides[1].params, &sides[1].demands.declared);
    sides.iter_mut().for_each(|side| side.params = order.put(std::mem::take(&mut side.params)));
    let can_be_had = |ty: &&Ty| sides.iter().all(|side| side.can_name(ty));
    let wanted: Vec<&Ty> = wanted.iter().copied().filter(can_be_had).collect();
    let Side { known, program, function, params, .. } = &sides[1];
    let calls = known.calls.get_or_init(|| callers::Calls::of(program));
    let mut called = callers::choices(program, calls, *function, params);
    called.extend(callers::named(program, *function, params));
    let args = choose_args(&sides, called.clone(), &wanted).or_else(|reason| {
        sides.iter_mut().for_each(|side| side.demands.called.retain(models_know_of_it));
        let found = choose_args(&sides, called.clone(), &wanted);
        found.or_else(|_| {
            sides.iter_mut().for_each(|side| side.demands.leave_to_compiler());
            choose_args(&sides, called, &wanted).map_err(|_| reason)
        })
    })?;
    let args = telling(&sides, args);
    let [old, new] = sides;
    let named = new.params.iter().map(|param| param.name.clone()).zip(args.iter().cloned());
    Ok(Instantiation {
        old: Subst::from_params(&old.params, &args),
        new: Subst::from_params(&new.params, &args),
        args: order.undo(named.collect()),
    })
}

/// The same with types whose values tell more: where a writer is given away, a reference to one, as what was written to a writer that is dropped nobody
/// sees, and a text in place of a formatter; in place of `..`, of which there is one, a pair of bounds.
fn telling(sides: &[Side<'_>; 2], mut args: Vec<GenericArg>) -> Vec<GenericArg> {
    let side = &sides[1];
    let inputs = &side.program.functions[side.function].inputs;
    for (at, param) in side.params.iter().enumerate() {
        let GenericArg::Ty(ty) = &args[at] else { continue };
        let is_given =
            inputs.iter().any(|ty| matches!(ty.kind(), TyKind::Param(name) if *name == param.name));
        let mut demanded = side.demanded_of(&param.name);
        let is_formatter =
            matches!(ty.kind(), TyKind::Ref(_, of) if of.known() == Some(KnownType::Formatter));
        let better = match ty.known() {
            _ if is_formatter && demanded.any(|bound| bound.path == KnownTrait::FmtWrite) => {
                Some(Ty::reference(Mutability::Mut, Ty::adt(KnownType::String, Vec::new())))
            }
            Some(KnownType::Vec | KnownType::String) if is_given && demanded.any(is_writer) => {
                Some(Ty::reference(Mutability::Mut, ty.clone()))
            }
            Some(KnownType::RangeFull) => {
                let bounds = demanded.find(|bound| bound.path == KnownTrait::RangeBounds);
                let subst = Subst::from_params(&side.params, &args);
                bounds.and_then(|bound| side.closed_by(bound.args.first()?, &subst)).map(any_bounds)
            }
            _ => None,
        };
        if let Some(better) = better {
            let before = std::mem::replace(&mut args[at], GenericArg::Ty(better));
            if !sides.iter().all(|side| side.met(&args)) {
                args[at] = before;
            }
        }
    }
    args
}

fn is_writer(bound: &TraitRef) -> bool {
    matches!(bound.path.known_trait(), Some(KnownTrait::Write | KnownTrait::FmtWrite))
}

/// `(Bound<T>, Bound<T>)`: all ranges.
fn any_bounds(of: Ty) -> Ty {
    let bound = Ty::adt(KnownType::Bound, vec![GenericArg::Ty(of)]);
    Ty::new(TyKind::Tuple(vec![bound.clone(), bound]))
}

/// Whether something without the trait would be known not to have it. Not all traits of std are modelled for its types (`usize: SliceIndex<[T]>`,
/// `ManuallyDrop<T>: Deref`), and what is asked of these hardly tells which parameters to choose.
fn models_know_of_it(demand: &TraitRef) -> bool {
    let is_of_parameter = matches!(demand.self_ty.kind(), TyKind::Param(_) | TyKind::Projection { .. });
    is_of_parameter || !demand.path.is_of_std()
}

/// What the parameters stand for: what they do where the program calls the subject, or else what meets all demands.
fn choose_args(
    sides: &[Side<'_>; 2],
    mut called: Vec<Vec<GenericArg>>,
    wanted: &[&Ty],
) -> Result<Vec<GenericArg>, Refused> {
    let reaches = |args: &Vec<GenericArg>| {
        args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if wanted.contains(&ty)))
    };
    let can_have = |args: &Vec<GenericArg>| {
        let can_have = |ty: &Ty| sides.iter().all(|side| side.known.can_have(ty) && side.can_name(ty));
        args.iter().all(|arg| !matches!(arg, GenericArg::Ty(ty) if !can_have(ty)))
    };
    let mut choice = Choice { sides, wanted, tried: 0, furthest: 0 };
    called.retain(|args| sides.iter().all(|side| side.met(args)));
    called.sort_by_key(|args| !can_have(args));
    let none_can_be_had = !called.first().is_some_and(can_have);
    let mut args = called.iter().find(|args| reaches(args) && can_have(args)).cloned().unwrap_or_default();
    if args.is_empty() {
        let found = (none_can_be_had || !wanted.is_empty()) && choice.extend(&mut args);
        let is_better = found && (reaches(&args) || none_can_be_had && can_have(&args));
        match called.into_iter().next() {
            Some(called) if !is_better => args = called,
            None if !found => return Err(Refused::Generic(sides[1].no_choice(choice.furthest))),
            _ => {}
        }
    }
    Ok(args)
}

/// One version: its parameters, and what is demanded of them.
struct Side<'p> {
    program: &'p Program,
    known: &'p Implemented<'p>,
    function: FnId,
    params: Vec<GenericParam>,
    demands: Demands,
    /// What other methods of the type that the subject belongs to ask of its parameters.
    wished: Vec<TraitRef>,
    /// The trait and name of the default method that is compared, if it is one.
    default_method: Option<(Path, Name)>,
}

impl<'p> Side<'p> {
    fn new((known, function): (&'p Implemented<'p>, FnId), params: Vec<GenericParam>) -> Self {
        let program = known.program;
        let item = &program.functions[function];
        let default_method = match &item.owner {
            Owner::Trait(path) => {
                item.path.as_str().rsplit("::").next().map(|name| (path.clone(), Name::new(name)))
            }
            _ => None,
        };
        let wished = wished(program, function);
        Side {
            program,
            known,
            function,
            wished,
            params,
            demands: Demands::of(program, function),
            default_method,
        }
    }

    /// Whether callers of the function can name the type: one that its crate hides in another module they cannot, if they may stand anywhere.
    fn can_name(&self, ty: &Ty) -> bool {
        let function = &self.program.functions[self.function];
        let is_hidden = |path: &Path| {
            let Some(adt) = self.program.adt(path) else { return false };
            let module = path.as_str().rsplit_once("::").map_or("", |(module, _)| module);
            let is_beside =
                function.path.as_str().strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
            !path.is_of_std() && adt.visibility == Visibility::Private && !is_beside
        };
        let is_named = !ty.has_part(|part| matches!(part, TyKind::Adt(path, _) if is_hidden(path)));
        is_named || function.visibility == Visibility::Private
    }

    fn no_choice(&self, furthest: usize) -> OpenGenerics {
        let Some(param) = self.params.get(furthest) else {
            return OpenGenerics::NothingFits;
        };
        let mut traits: Vec<String> = Vec::new();
        let mut on_others: Vec<String> = Vec::new();
        let declared = self.demands.declared.iter().map(|bound| &bound.trait_ref);
        for demand in self.demands.called.iter().chain(declared) {
            let (list, told) = match demand.self_ty.kind() {
                TyKind::Param(name) if *name == param.name => (&mut traits, demand.path.to_string()),
                _ if mentions(demand, param) => {
                    (&mut on_others, format!("{}: {}", demand.self_ty, demand.path))
                }
                _ => continue,
            };
            if !list.contains(&told) {
                list.push(told);
            }
        }
        let parameter = param.name.to_string();
        match traits.is_empty() {
            true => OpenGenerics::NothingMeets { parameter, bounds: on_others },
            false => OpenGenerics::NothingHas { parameter, traits },
        }
    }

    /// Whether every demand on the first `args` parameters alone is met.
    fn met(&self, args: &[GenericArg]) -> bool {
        let subst = Subst::from_params(&self.params, args);
        self.keeps_default(&subst)
            && self.demands.called.iter().all(|demand| {
                let closed = subst.trait_ref(demand);
                // What names a later parameter is asked once that is chosen.
                mentions_param(&closed) || self.known.has(&closed)
            })
            && self.demands.declared.iter().all(|bound| self.keeps_bound(bound, &subst))
    }

    fn keeps_bound(&self, bound: &Bound, subst: &Subst) -> bool {
        let closed = subst.trait_ref(&bound.trait_ref);
        if mentions_param(&closed) {
            return true;
        }
        if closed.path == KnownTrait::Copy {
            return is_plain(&normalize(self.program, &closed.self_ty));
        }
        if closed.path.known_trait().is_some_and(KnownTrait::is_call) {
            return self.known.has(&closed);
        }
        if matches!(closed.self_ty.kind(), TyKind::Float(_)) && others::is_total(&closed) {
            return false;
        }
        // Nearly all types have these, and not all of their implementations are modelled.
        if is_common(&closed.path) || self.program.impls_of(&closed.path).is_empty() {
            return true;
        }
        self.known.has(&closed)
            && bound.assoc_types.iter().all(|(name, ty)| {
                let projection = TyKind::Projection { trait_ref: closed.clone(), name: name.clone() };
                let is = normalize(self.program, &Ty::new(projection));
                let asked = normalize(self.program, &subst.ty(ty));
                is_open(&asked) || matches!(is.kind(), TyKind::Projection { .. }) || is == asked
            })
    }

    /// The traits that the parameter has to have.
    fn demanded_of<'s>(&'s self, param: &Name) -> impl Iterator<Item = &'s TraitRef> + use<'s, 'p> {
        let ty = TyKind::Param(param.clone());
        let declared = self.demands.declared.iter().map(|bound| &bound.trait_ref);
        self.demands.called.iter().chain(declared).filter(move |demand| *demand.self_ty.kind() == ty)
    }

    /// Whether most of the methods of the type can be called with this type for the parameter, so that its values can be in many states.
    fn grants_wishes(&self, param: &Name, ty: &Ty) -> bool {
        let granted = |wish: &TraitRef| self.known.has(&TraitRef { self_ty: ty.clone(), ..wish.clone() });
        self.wished_of(param).all(granted)
    }

    fn wished_of(&self, param: &Name) -> impl Iterator<Item = &TraitRef> {
        let ty = TyKind::Param(param.clone());
        self.wished.iter().filter(move |wish| *wish.self_ty.kind() == ty)
    }

    /// Types that the declared bounds ask for, in terms of the parameters chosen so far.
    fn asked_for(&self, param: &Name, subst: &Subst) -> Vec<Ty> {
        let ty = TyKind::Param(param.clone());
        let of_param = self.demands.declared.iter().filter(|bound| *bound.trait_ref.self_ty.kind() == ty);
        let mut types = Vec::new();
        for bound in of_param {
            let named = |wanted: &str| {
                bound.assoc_types.iter().find(|(name, _)| name == wanted).map(|(_, ty)| subst.ty(ty))
            };
            if let (true, Some(GenericArg::Ty(arguments)), Some(answer)) = (
                bound.trait_ref.path.known_trait().is_some_and(KnownTrait::is_call),
                bound.trait_ref.args.first(),
                named("Output"),
            ) {
                let normal = |ty: &Ty| normalize(self.program, ty);
                let (arguments, answer) = (normal(&subst.ty(arguments)), normal(&answer));
                types.extend(stand_ins::function(&arguments, &answer));
                types.extend(stand_ins::listening_closure(&arguments, &answer));
                continue;
            }
            if let (Some(KnownTrait::RangeBounds), Some(arg)) =
                (bound.trait_ref.path.known_trait(), bound.trait_ref.args.first())
            {
                types.extend(self.closed_by(arg, subst).map(any_bounds));
            }
            let item = named("Item");
            let first = bound.trait_ref.args.first();
            let elem = match (item, first) {
                (Some(ty), _) => Some(ty),
                (None, Some(GenericArg::Ty(ty))) => Some(subst.ty(ty)),
                _ => None,
            };
            let elems = match elem.as_ref().map(|elem| (is_open(elem), elem.kind())) {
                Some((false, _)) => elem.into_iter().collect(),
                Some((true, TyKind::Param(elem))) => {
                    let mut elems = self.asked_for_itself(elem, subst);
                    elems.extend(self.elements_asked_for(param, subst));
                    elems
                }
                _ => self.elements_asked_for(param, subst),
            };
            types.extend(sequences(&bound.trait_ref.path, elems));
        }
        types.extend(self.asked_for_itself(param, subst));
        types
    }

    /// Types that declared bounds name, where a value of the type itself will do: `P: AsRef<Path>`, `N: Into<u64>`.
    fn asked_for_itself(&self, param: &Name, subst: &Subst) -> Vec<Ty> {
        let ty = TyKind::Param(param.clone());
        let declared = self.demands.declared.iter().map(|bound| &bound.trait_ref);
        let of_param = declared.filter(|trait_ref| *trait_ref.self_ty.kind() == ty);
        let named = of_param.filter_map(|trait_ref| {
            let had = || self.closed_by(trait_ref.args.first()?, subst);
            match () {
                () if trait_ref.path.begins_in_std(&HAD_BY_THEMSELVES) => had(),
                () if is_as_ref(&trait_ref.path) => Some(Ty::reference(Mutability::Shared, had()?)),
                () => None,
            }
        });
        named.collect()
    }

    /// The type that an argument is once the parameters chosen so far are known.
    fn closed_by(&self, arg: &GenericArg, subst: &Subst) -> Option<Ty> {
        let GenericArg::Ty(ty) = arg else { return None };
        Some(normalize(self.program, &subst.ty(ty))).filter(|ty| !is_open(ty))
    }

    /// Types that may be what the parameter yields, by bounds on that: `I::Item: Borrow<Point>` is had by `Point`.
    fn elements_asked_for(&self, param: &Name, subst: &Subst) -> Vec<Ty> {
        let of_param = TyKind::Param(param.clone());
        let mut elems = Vec::new();
        for Bound { trait_ref, .. } in &self.demands.declared {
            let TyKind::Projection { trait_ref: yielding, name } = trait_ref.self_ty.kind() else { continue };
            if name != "Item" || *yielding.self_ty.kind() != of_param {
                continue;
            }
            let by_itself =
                trait_ref.args.first().filter(|_| trait_ref.path.begins_in_std(&HAD_BY_THEMSELVES));
            elems.extend(by_itself.and_then(|arg| self.closed_by(arg, subst)));
        }
        elems.extend(usual_elements());
        elems
    }

    /// A call of a default method on a type that overrides it runs something else.
    fn keeps_default(&self, subst: &Subst) -> bool {
        let (Some((path, method)), Some(GenericArg::Ty(self_ty))) =
            (&self.default_method, subst.get(&Name::new("Self")))
        else {
            return true;
        };
        let has_override = |id: &ImplId| {
            let item = &self.program.impls[*id];
            Subst::new().unify(&item.trait_ref.self_ty, self_ty) && item.methods.contains_key(method)
        };
        !self.program.impls_of(path).iter().any(has_override)
    }

    /// The types that implement what is demanded of the parameter, or wished.
    fn implementors(&self, param: &Name, subst: &Subst) -> Vec<Ty> {
        let asked = self.demanded_of(param).chain(self.wished_of(param));
        implementors::of_traits(self.program, asked.map(|demand| subst.trait_ref(demand)))
    }

    /// Listeners for traits of the crate that nothing implements.
    fn listeners(&self, param: &Name) -> Vec<Ty> {
        let declared = self.declarable(param).filter(|item| self.program.impls_of(&item.path).is_empty());
        declared.map(|item| stand_ins::listener(&item.path)).collect()
    }

    /// Answerers for traits that users implement, and types of the crate do, too.
    fn answerers(&self, param: &Name) -> Vec<Ty> {
        let is_of_users = |item: &&Trait| {
            item.visibility == Visibility::Public && !self.program.impls_of(&item.path).is_empty()
        };
        self.declarable(param).filter(is_of_users).map(|item| stand_ins::answerer(&item.path)).collect()
    }

    /// Traits of the crate that are asked of the parameter, and of which the harness may be able to write an implementation.
    fn declarable(&self, param: &Name) -> impl Iterator<Item = &'p Trait> + use<'_, 'p> {
        let ty = TyKind::Param(param.clone());
        let declared = self.demands.declared.iter().map(|bound| &bound.trait_ref);
        let own = declared.filter(move |bound| {
            *bound.self_ty.kind() == ty
                && self.known.own_crates().contains(&Name::new(bound.path.crate_name()))
        });
        own.filter_map(|bound| self.program.trait_(&bound.path)).filter(|item| {
            let mut others = item.supertraits.iter();
            item.default_types.is_empty()
                && others.all(|other| other.path.begins_in_std(&["any::", "fmt::Debug", "marker::"]))
        })
    }

    /// The types at which a demanded trait is implemented where it takes the parameter as an argument: `&u8` by `impl Residue<&u8> for u8`.
    fn taken_by_implementations(&self, param: &Name, subst: &Subst) -> Vec<Ty> {
        let of_param = GenericArg::Ty(Ty::new(TyKind::Param(param.clone())));
        let declared = self.demands.declared.iter().map(|bound| &bound.trait_ref);
        let mut types = Vec::new();
        for demand in self.demands.called.iter().chain(declared) {
            let Some(place) = demand.args.iter().position(|arg| *arg == of_param) else { continue };
            let self_ty = normalize(self.program, &subst.ty(&demand.self_ty));
            for id in self.program.impls_of(&demand.path) {
                let implemented = &self.program.impls[*id].trait_ref;
                let is_of_it = is_open(&self_ty) || Subst::new().unify(&implemented.self_ty, &self_ty);
                if let (true, Some(GenericArg::Ty(ty))) = (is_of_it, implemented.args.get(place))
                    && !is_open(ty)
                {
                    types.push(ty.clone());
                }
            }
        }
        types
    }
}

struct Choice<'s, 'p> {
    sides: &'s [Side<'p>; 2],
    /// Types that are tried first where they are among the candidates.
    wanted: &'s [&'s Ty],
    tried: usize,
    /// The first parameter that nothing was found for.
    furthest: usize,
}

impl Choice<'_, '_> {
    fn extend(&mut self, args: &mut Vec<GenericArg>) -> bool {
        self.furthest = self.furthest.max(args.len());
        let Some(param) = self.sides[1].params.get(args.len()) else { return true };
        for candidate in self.candidates(param, args) {
            self.tried += 1;
            if self.tried > MAX_CHOICES {
                return false;
            }
            args.push(candidate);
            if self.sides.iter().all(|side| side.met(args)) && self.extend(args) {
                return true;
            }
            args.pop();
        }
        false
    }

    fn candidates(&self, param: &GenericParam, chosen: &[GenericArg]) -> Vec<GenericArg> {
        match param.kind {
            GenericParamKind::Const(ty) => vec![GenericArg::Const(usual_constant(ty, chosen.len()))],
            GenericParamKind::Type => {
                let side = &self.sides[1];
                let subst = Subst::from_params(&side.params, chosen);
                let mut types = usual_types();
                let offered = side.asked_for(&param.name, &subst).into_iter();
                let taken = side.taken_by_implementations(&param.name, &subst);
                let heard = side.listeners(&param.name);
                // They are for further choices alone.
                let answer = side.answerers(&param.name).into_iter().filter(|ty| self.wanted.contains(&ty));
                let implementing = side.implementors(&param.name, &subst).into_iter().chain(taken);
                for ty in offered.chain(implementing).chain(heard).chain(answer) {
                    if !types.contains(&ty) {
                        types.push(ty);
                    }
                }
                // It has the values of all that can be converted to it.
                let mut asked = side.asked_for_itself(&param.name, &subst);
                asked.retain(|ty| {
                    is_of_system(ty) || matches!(ty.kind(), TyKind::Float(_)) || usual_types().contains(ty)
                });
                let defaults = defaults::of_param(side.program, side.function, &param.name);
                types.extend(defaults.iter().filter(|ty| !types.contains(ty)).cloned().collect::<Vec<Ty>>());
                let can_have = |ty: &Ty| self.sides.iter().all(|side| side.known.can_have(ty));
                types.sort_by_key(|ty| {
                    let is_wanted = self.wanted.contains(&ty);
                    (
                        !can_have(ty),
                        !is_wanted,
                        !defaults.contains(ty),
                        !side.grants_wishes(&param.name, ty),
                        !asked.contains(ty),
                    )
                });
                types.into_iter().map(GenericArg::Ty).collect()
            }
        }
    }
}

/// What the methods of a type with parameters ask of these, in terms of the parameters of one of them. Traits that nearly all types
/// have, traits with arguments and such as nothing here implements say nothing about which type to choose.
fn wished(program: &Program, function: FnId) -> Vec<TraitRef> {
    let of_type = |owner: &Owner| match owner {
        Owner::Inherent { self_ty, .. } => Some(self_ty.clone()),
        Owner::TraitImpl(id) => Some(program.impls[*id].trait_ref.self_ty.clone()),
        _ => None,
    };
    let Some(own) = of_type(&program.functions[function].owner) else { return Vec::new() };
    let TyKind::Adt(path, own_args) = own.kind() else { return Vec::new() };
    let mut wished: Vec<TraitRef> = Vec::new();
    for other in program.functions.iter() {
        let Owner::Inherent { self_ty, .. } = &other.owner else { continue };
        let TyKind::Adt(other_path, args) = self_ty.kind() else { continue };
        if other_path != path {
            continue;
        }
        for Bound { trait_ref, .. } in &other.bounds {
            let place = args.iter().position(|arg| *arg == GenericArg::Ty(trait_ref.self_ty.clone()));
            let (Some(GenericArg::Ty(own)), true) =
                (place.and_then(|place| own_args.get(place)), trait_ref.args.is_empty())
            else {
                continue;
            };
            let says_something = !is_common(&trait_ref.path)
                && trait_ref.path != KnownTrait::Copy
                && !program.impls_of(&trait_ref.path).is_empty();
            let wish = TraitRef { self_ty: own.clone(), ..trait_ref.clone() };
            if matches!(own.kind(), TyKind::Param(_)) && says_something && !wished.contains(&wish) {
                wished.push(wish);
            }
        }
    }
    wished
}

/// Starts of the paths of traits that every type has of itself: `T: Into<T>`.
const HAD_BY_THEMSELVES: [&str; 2] = ["convert::Into", "borrow::Borrow"];

fn is_as_ref(path: &Path) -> bool {
    path.begins_in_std(&["convert::AsRef"])
}

fn is_open(ty: &Ty) -> bool {
    ty.has_param()
}

fn mentions_param(trait_ref: &TraitRef) -> bool {
    is_open(&trait_ref.self_ty) || trait_ref.args.iter().any(is_open_arg)
}

/// Whether the parameter occurs.
fn mentions(trait_ref: &TraitRef, param: &GenericParam) -> bool {
    let other = match param.kind {
        GenericParamKind::Type => GenericArg::Ty(Ty::unit()),
        GenericParamKind::Const(_) => GenericArg::Const(Const::Uninit),
    };
    Subst::from_params(std::slice::from_ref(param), &[other]).trait_ref(trait_ref) != *trait_ref
}

fn is_open_arg(arg: &GenericArg) -> bool {
    match arg {
        GenericArg::Ty(ty) => is_open(ty),
        GenericArg::Const(constant) => matches!(constant, Const::Param(_)),
    }
}

#[cfg(test)]
mod tests;
