//! What is found at types, on random programs, against calls that are followed one by one at types without parameters.

use std::collections::BTreeSet;

use crate::align::reach::{Given, Reach};
use crate::align::testing::{
    Build, adt, body, free, free_at, int, method, param, start, value_of, with_drop_behind_reference,
    with_object,
};
use crate::align::types::each_ty;
use crate::align::uses::Items;
use crate::align::{DifferentItem, Differing};
use crate::idx::Idx;
use crate::ir::*;
use crate::random_programs::Random;

const PLAIN: usize = 3;
const GENERIC: usize = 6;
const CLOSED: usize = 6;
const TRAITS: [&str; 2] = ["k::T0", "k::T1"];

fn list_of(ty: Ty) -> Ty {
    Ty::adt("k::List", vec![GenericArg::Ty(ty)])
}

fn object(path: &str) -> Ty {
    let bound = DynTrait { path: Path::new(path), args: Vec::new(), assoc_types: Vec::new() };
    Ty::new(TyKind::Dyn(vec![bound]))
}

fn plain(random: &mut Random) -> Ty {
    adt(&format!("k::A{}", random.below(PLAIN)))
}

/// A type that may hold the parameter, if there is one in scope; not within types of two kinds, of which calls that lead to each other would make too many to be followed.
fn some_type(random: &mut Random, inner: &Option<Ty>) -> Ty {
    let leaf = |random: &mut Random| match inner {
        Some(inner) if random.below(2) == 0 => inner.clone(),
        _ => plain(random),
    };
    match random.below(5) {
        0 => list_of(leaf(random)),
        1 => Ty::new(TyKind::Tuple(vec![plain(random), int()])),
        _ => leaf(random),
    }
}

fn mentions(random: &mut Random, inner: &Option<Ty>) -> Vec<Const> {
    let one = |random: &mut Random| match random.below(9) {
        0 | 1 => free_at(&format!("k::g{}", random.below(GENERIC)), &[some_type(random, inner)]),
        2 => free(&format!("k::f{}", random.below(CLOSED))),
        3 | 4 => method(TRAITS[random.below(2)], some_type(random, inner), ["m", "d"][random.below(2)]),
        5 => method(TRAITS[random.below(2)], object(TRAITS[random.below(2)]), "m"),
        6 => value_of(Ty::reference(Mutability::Mut, some_type(random, inner))),
        _ => value_of(some_type(random, inner)),
    };
    (0..random.below(3)).map(|_| one(random)).collect()
}

/// The body, which may turn a value into an object.
fn with_casts(random: &mut Random, body: &FnBody, inner: &Option<Ty>) -> FnBody {
    if random.below(2) == 0 {
        return body.clone();
    }
    let from = match inner {
        Some(inner) if random.below(2) == 0 => inner.clone(),
        _ => plain(random),
    };
    with_object(body, from, object(TRAITS[random.below(2)]))
}

/// The body, which may drop what is behind a reference.
fn with_drops(random: &mut Random, body: &FnBody, inner: &Option<Ty>) -> FnBody {
    match random.below(4) {
        0 => with_drop_behind_reference(body, some_type(random, inner)),
        _ => body.clone(),
    }
}

fn type_param(name: &str) -> Vec<GenericParam> {
    vec![GenericParam { name: Name::new(name), kind: GenericParamKind::Type }]
}

fn random_program(random: &mut Random) -> Program {
    let mut build: Build = start();
    for path in TRAITS {
        build = build.trait_with_default(path, "d", 1);
    }
    for index in 0..PLAIN {
        build = build.adt(&format!("k::A{index}"), &[]);
    }
    build = build.adt("k::List", &[param("T")]);
    for index in 0..CLOSED {
        build = build.func(&format!("k::f{index}"), 1, &mentions(random, &None));
    }
    for index in 0..GENERIC {
        build = build.func(&format!("k::g{index}"), 1, &mentions(random, &Some(param("T"))));
    }
    for path in TRAITS {
        for index in 0..PLAIN {
            build = build.implement(path, adt(&format!("k::A{index}")), "m", 1, &mentions(random, &None));
        }
        // The parameter has another name, which functions have for theirs.
        build = build.implement(path, list_of(param("T")), "m", 1, &mentions(random, &Some(param("T"))));
    }
    let dropped = if random.below(2) == 0 { adt("k::A0") } else { list_of(param("T")) };
    let is_list = dropped != adt("k::A0");
    build = build.implement(
        "std::ops::Drop",
        dropped,
        "drop",
        1,
        &mentions(random, &is_list.then(|| param("T"))),
    );
    let mut program = build.done();
    for function in program.functions.iter_mut() {
        let path = function.path.as_str();
        let mut inner = None;
        if path.starts_with("k::g") {
            function.generics = type_param("T");
            inner = Some(param("T"));
        }
        if path.ends_with("::d") {
            inner = Some(param("Self"));
            function.body = body(1, &mentions(random, &inner));
        }
        function.body = with_casts(random, &function.body, &inner);
        function.body = with_drops(random, &function.body, &inner);
    }
    for item in program.impls.iter_mut() {
        if matches!(item.trait_ref.self_ty.kind(), TyKind::Adt(_, args) if !args.is_empty()) {
            item.generics = type_param("T");
        }
    }
    for item in program.adts.iter_mut() {
        if item.path == "k::List" {
            item.generics = type_param("T");
        }
    }
    program.build_index();
    program
}

const DEEPEST: usize = 4;

fn arg_depth(arg: &GenericArg) -> usize {
    let GenericArg::Ty(ty) = arg else { return 0 };
    match ty.kind() {
        TyKind::Adt(_, args) => 1 + args.iter().map(arg_depth).max().unwrap_or(0),
        TyKind::Ref(_, ty) => 1 + arg_depth(&GenericArg::Ty(ty.clone())),
        TyKind::Tuple(tys) => {
            1 + tys.iter().map(|ty| arg_depth(&GenericArg::Ty(ty.clone()))).max().unwrap_or(0)
        }
        _ => 1,
    }
}

/// What runs if a function is called at types without parameters.
#[derive(Default)]
struct Runs<'p> {
    functions: Vec<(FnId, Subst)>,
    made: Vec<Ty>,
    /// The traits of whose objects something was called.
    called: BTreeSet<(&'p str, &'p str)>,
    /// Of which types objects were made, by trait.
    objects: BTreeSet<(Path, Ty)>,
}

impl<'p> Runs<'p> {
    fn from(program: &'p Program, start: FnId, subst: Subst) -> Self {
        let mut runs = Runs { functions: vec![(start, subst)], ..Runs::default() };
        let (mut at, mut followed) = (0, 0);
        loop {
            if let Some((id, subst)) = runs.functions.get(at).cloned() {
                at += 1;
                runs.body(program, id, &subst);
            } else if followed < runs.made.len() {
                let ty = runs.made[followed].clone();
                followed += 1;
                runs.call(program, "std::ops::Drop", &ty, "drop");
            } else {
                let before = runs.functions.len();
                for (path, name) in runs.called.clone() {
                    for (_, ty) in runs.objects.clone().iter().filter(|(of, _)| *of == path) {
                        runs.call(program, path, ty, name);
                    }
                }
                if runs.functions.len() == before && followed == runs.made.len() {
                    return runs;
                }
            }
        }
    }

    /// Calls at deeply nested types are left out.
    fn run(&mut self, id: FnId, subst: Subst) {
        let is_deep = subst.iter().any(|(_, arg)| arg_depth(arg) > DEEPEST);
        if !is_deep && !self.functions.contains(&(id, subst.clone())) {
            self.functions.push((id, subst));
        }
    }

    /// A value of the type is there, and dropped.
    fn make(&mut self, ty: &Ty) {
        if arg_depth(&GenericArg::Ty(ty.clone())) > DEEPEST {
            return;
        }
        if !self.made.contains(ty) {
            self.made.push(ty.clone());
        }
        match ty.kind() {
            TyKind::Adt(_, args) => each_ty(args, &mut |ty| self.make(ty)),
            TyKind::Tuple(tys) => tys.iter().for_each(|ty| self.make(ty)),
            // What is behind a reference is there, and nobody drops it for that.
            _ => {}
        }
    }

    fn body(&mut self, program: &'p Program, id: FnId, subst: &Subst) {
        let FnBody::Present(body) = &program.functions[id].body else { return };
        for block in &body.blocks {
            if let TerminatorKind::Drop { place, .. } = &block.terminator.kind
                && let Some(behind) = body.locals[place.local].ty.pointee()
            {
                self.make(&subst.ty(behind));
            }
        }
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            let StatementKind::Assign(_, value) = &statement.kind else { continue };
            if let Rvalue::Cast(_, Operand::Const(Const::ZeroSized(from)), to) = value
                && let (Some(from), Some(TyKind::Dyn(bounds))) = (from.pointee(), to.pointee().map(Ty::kind))
            {
                let from = subst.ty(from);
                if arg_depth(&GenericArg::Ty(from.clone())) <= DEEPEST
                    && !matches!(from.kind(), TyKind::Dyn(_))
                {
                    self.objects.insert((bounds[0].path.clone(), from));
                }
            }
            let Rvalue::Use(Operand::Const(constant)) = value else { continue };
            match constant {
                Const::ZeroSized(ty) => self.make(&subst.ty(ty)),
                Const::Fn(fn_ref) => match &**fn_ref {
                    FnRef::Free { path, args } => {
                        for id in program.functions_at(path) {
                            let generics = &program.functions[*id].generics;
                            self.run(*id, Subst::from_params(generics, &subst.args(args)));
                        }
                    }
                    FnRef::Trait { trait_ref, method, .. } => {
                        let ty = subst.ty(&trait_ref.self_ty);
                        match ty.kind() {
                            TyKind::Dyn(bounds) if bounds.len() > 1 => {
                                let path = trait_ref.path.as_str();
                                values().iter().for_each(|ty| self.call(program, path, ty, method.as_str()));
                            }
                            TyKind::Dyn(_) => {
                                let path = TRAITS.iter().find(|path| trait_ref.path == **path);
                                self.called.extend(path.map(|path| (*path, "m")));
                            }
                            _ => self.call(program, trait_ref.path.as_str(), &ty, method.as_str()),
                        }
                    }
                    FnRef::Inherent { .. } => {}
                },
                _ => {}
            }
        }
    }

    fn call(&mut self, program: &'p Program, path: &str, ty: &Ty, name: &str) {
        for item in program.impls.iter().filter(|item| item.trait_ref.path == path) {
            let mut subst = Subst::new();
            if !subst.unify(&item.trait_ref.self_ty, ty) {
                continue;
            }
            match item.methods.get(name) {
                Some(id) => self.run(*id, subst),
                None => {
                    let default =
                        program.trait_(&Path::new(path)).and_then(|item| item.default_methods.get(name));
                    let mut subst = Subst::new();
                    subst.insert(Name::new("Self"), GenericArg::Ty(ty.clone()));
                    default.into_iter().for_each(|id| self.run(*id, subst.clone()));
                }
            }
        }
    }
}

fn values() -> Vec<Ty> {
    let plain = (0..PLAIN).map(|index| adt(&format!("k::A{index}")));
    plain.clone().chain(plain.map(list_of)).collect()
}

/// An object that is a caller's, told from others by a second trait.
fn object_of_caller(path: &str) -> Ty {
    let bound = |path| DynTrait { path: Path::new(path), args: Vec::new(), assoc_types: Vec::new() };
    Ty::new(TyKind::Dyn(vec![bound(path), bound("std::marker::Send")]))
}

/// The types that a caller chooses here.
fn choices() -> Vec<Ty> {
    values().into_iter().chain(TRAITS.map(object_of_caller)).chain([int()]).collect()
}

#[test]
fn what_runs_is_found_and_fewer_functions_than_at_any_types() {
    let (mut running, mut cleared) = (0, 0);
    for seed in 1..1500 {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let differs = FnId::from_usize(random.below(program.functions.len()));
        let mut differing = Differing::default();
        differing.functions.insert(differs);
        differing.common_adts.extend(program.adts.ids());
        let items = Items::new(&program);
        let reach = Reach::new(&items, &differing);
        for id in program.functions.ids() {
            let function = &program.functions[id];
            let path = function.path.as_str();
            let at: Vec<Subst> = match path.starts_with("k::g") {
                true => {
                    let of = |ty| Subst::from_params(&function.generics, &[GenericArg::Ty(ty)]);
                    choices().into_iter().map(of).collect()
                }
                false if path.starts_with("k::f") => vec![Subst::new()],
                false => continue,
            };
            let runs = |subst| Runs::from(&program, id, subst).functions.iter().any(|(id, _)| *id == differs);
            let expected = at.into_iter().any(runs);
            let found = reach.only_same(id).is_err();
            assert!(found || !expected, "seed {seed}: {path} runs {}", program.functions[differs].path);
            running += usize::from(expected);
            let given = Given::by(items.is_given_any_type(id));
            let summed_up = reach.leads_to_difference(id, &Subst::new(), given);
            let nearest = reach.nearest_difference(id, &Subst::new(), given);
            // A search that goes to what is nearest may end where there is more than can be summed up.
            if let (Ok(summed_up), Ok(nearest)) = (summed_up, nearest) {
                assert_eq!(summed_up, nearest.is_some(), "seed {seed}: {path}");
            }
            let anywhere = reach.difference_anywhere(id);
            assert!(!found || id == differs || anywhere.is_some(), "seed {seed}: {path}");
            cleared += usize::from(!found && matches!(anywhere, Some(DifferentItem::Function(_))));
        }
    }
    assert!(running > 2000 && cleared > 200, "{running} run what differs, {cleared} do not after all");
}
