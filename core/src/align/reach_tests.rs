//! What is reached, on random programs, against the definition followed step by step: all rules again and again until
//! none adds anything, for each function anew.

use std::collections::{BTreeSet, HashSet};

use super::layout::Layout;
use super::reach::Reach;
use super::testing::{Build, adt, free, free_at, int, method, param, start, value_of};
use super::uses::{Exposure, Items, Openness, Uses, is_drop};
use super::{Differing, functions_reached};
use crate::idx::Idx;
use crate::ir::{AdtId, Const, FnId, ImplId, Program, Ty, TyKind};
use crate::random_programs::Random;

const TYPES: usize = 5;
const FUNCTIONS: usize = 14;
const TRAITS: [&str; 3] = ["k::Show", "std::ops::Drop", "std::cmp::PartialEq"];

#[derive(Default)]
struct Plain {
    functions: BTreeSet<FnId>,
    adts: BTreeSet<AdtId>,
    impls: BTreeSet<ImplId>,
    waiting: BTreeSet<ImplId>,
    exposure: Exposure,
    layout: Layout,
    differs: bool,
}

/// The implementations for the type that count, and whether the library can call each.
fn impls_of(items: &Items<'_>, differing: &Differing, adt: AdtId) -> Vec<(ImplId, bool)> {
    let used = items.impls_of_adt(adt).iter().filter(|id| !differing.inert.contains(id));
    let by_library = |id: &ImplId| {
        let path = &items.program.impls[*id].trait_ref.path;
        path.as_str().starts_with("std::") || items.program.traits.iter().all(|item| item.path != *path)
    };
    used.map(|id| (*id, by_library(id))).collect()
}

impl Plain {
    fn follow(&mut self, items: &Items<'_>, differing: &Differing, uses: &Uses) {
        let is_used = |id: &&FnId| {
            let inert = differing.inert.iter().map(|id| &items.program.impls[*id]);
            !inert.flat_map(|item| item.methods.values()).any(|unused| unused == *id)
        };
        self.functions.extend(uses.functions.iter().filter(is_used));
        self.adts.extend(&uses.adts);
        for (id, _) in uses.exposed.iter().flat_map(|adt| impls_of(items, differing, *adt)) {
            self.impls.insert(id);
        }
        for (id, by_library) in
            uses.exposed_to_library.iter().flat_map(|adt| impls_of(items, differing, *adt))
        {
            if by_library {
                self.impls.insert(id);
            }
        }
        self.waiting.extend(uses.possible_impls().filter(|id| !differing.inert.contains(id)));
        self.exposure = self.exposure.max(uses.exposure);
        self.layout = self.layout.max(uses.layout);
        self.differs |= uses.shaped.iter().any(|id| differing.adts.contains(id));
        self.differs |= uses.traits.iter().any(|path| differing.traits.contains(path))
            || uses.impls.iter().any(|id| differing.impls.contains(id) && !differing.inert.contains(id));
    }

    fn size(&self) -> usize {
        self.functions.len() + self.adts.len() + self.impls.len() + self.waiting.len()
    }
}

fn by_definition(program: &Program, differing: &Differing, begin: FnId) -> Plain {
    let items = Items::new(program);
    let mut plain = Plain { functions: BTreeSet::from([begin]), ..Plain::default() };
    let given: HashSet<AdtId> = match items.takes_any_type(begin) {
        Openness::Open => differing.common_adts.clone(),
        Openness::Closed => HashSet::new(),
    };
    for id in given.iter().flat_map(|adt| items.impls_of_adt(*adt)) {
        if is_drop(&program.impls[*id].trait_ref.path) && !differing.impls_elsewhere.contains(id) {
            plain.impls.insert(*id);
        }
    }
    loop {
        let before = plain.size();
        for id in plain.functions.clone() {
            plain.follow(&items, differing, items.uses_of_function(id));
        }
        for id in plain.adts.clone() {
            plain.follow(&items, differing, &items.uses_of_adt(id));
        }
        let in_play: HashSet<AdtId> = plain.adts.iter().chain(&given).copied().collect();
        // Those of other crates count only if no type of theirs is just a caller's choice.
        let may_count = |id: &ImplId| {
            !differing.impls_elsewhere.contains(id)
                || items.adts_of_impl(*id).all(|adt| plain.adts.contains(&adt))
        };
        let ready = plain
            .waiting
            .iter()
            .filter(|id| items.adts_of_impl(**id).all(|adt| in_play.contains(&adt)) && may_count(id));
        let ready = ready.copied().collect::<Vec<_>>();
        let of_types = in_play.iter().flat_map(|adt| impls_of(&items, differing, *adt));
        let of_types = of_types.filter(|(id, _)| may_count(id)).collect::<Vec<_>>();
        plain.impls.extend(ready);
        for (id, by_library) in of_types {
            if plain.exposure == Exposure::AllInPlay
                || plain.exposure == Exposure::InPlayToLibrary && by_library
            {
                plain.impls.insert(id);
            }
        }
        for id in &plain.impls {
            let item = &program.impls[*id];
            plain.functions.extend(item.methods.values().chain(item.consts.values()));
        }
        if plain.size() == before {
            break;
        }
    }
    let is_inert = |id: &FnId| {
        differing.inert.iter().any(|item| program.impls[*item].methods.values().any(|unused| unused == id))
    };
    plain.differs |= plain.functions.iter().any(|id| differing.functions.contains(id) && !is_inert(id))
        || plain.impls.iter().any(|id| differing.impls.contains(id))
        || plain.adts.iter().any(|id| differing.adts.contains(id) || differing.drops.contains(id))
        || plain.layout == Layout::OfAllInPlay
            && given.iter().any(|id| differing.adts.contains(id) && !differing.adts_elsewhere.contains(id));
    plain
}

fn some_type(random: &mut Random) -> Ty {
    let named = |random: &mut Random| adt(&format!("k::A{}", random.below(TYPES)));
    match random.below(8) {
        0 => param("T"),
        1 => int(),
        2 => Ty::new(TyKind::Tuple(vec![named(random), named(random)])),
        _ => named(random),
    }
}

pub(super) fn mentions(random: &mut Random) -> Vec<Const> {
    let one = |random: &mut Random| match random.below(6) {
        0 | 1 => free(&format!("k::f{}", random.below(FUNCTIONS))),
        2 => method(TRAITS[random.below(TRAITS.len())], some_type(random), "m"),
        3 => free_at(["outside::unknown", "std::mem::take"][random.below(2)], &[some_type(random)]),
        _ => value_of(some_type(random)),
    };
    (0..random.below(3)).map(|_| one(random)).collect()
}

pub(super) fn random_program(random: &mut Random) -> Program {
    let mut build: Build = start();
    if random.below(2) == 0 {
        build = build.trait_with_default(TRAITS[0], "other", 1);
    }
    for index in 0..TYPES {
        let fields: Vec<Ty> = (0..random.below(2)).map(|_| some_type(random)).collect();
        build = build.adt(&format!("k::A{index}"), &fields);
    }
    for index in 0..FUNCTIONS {
        let (path, mentions) = (format!("k::f{index}"), mentions(random));
        build = match random.below(4) {
            0 => build.generic(&path, 1, &mentions),
            _ => build.func(&path, 1, &mentions),
        };
    }
    for _ in 0..6 {
        let (of, self_ty) = (TRAITS[random.below(TRAITS.len())], some_type(random));
        build = build.implement(of, self_ty, "m", 1, &mentions(random));
    }
    build.done()
}

fn random_difference(random: &mut Random, program: &Program) -> Differing {
    let mut differing = Differing::default();
    for id in program.adts.ids().filter(|_| random.below(3) > 0) {
        differing.common_adts.insert(id);
    }
    differing.adts_elsewhere = program.adts.ids().filter(|_| random.below(4) == 0).collect();
    differing.impls_elsewhere = program.impls.ids().filter(|_| random.below(4) == 0).collect();
    match random.below(3) {
        0 => drop(differing.functions.insert(FnId::from_usize(random.below(program.functions.len())))),
        1 => drop(differing.adts.insert(AdtId::from_usize(random.below(TYPES)))),
        _ => {
            let id = ImplId::from_usize(random.below(program.impls.len()));
            differing.impls.insert(id);
            if random.below(3) == 0 && !is_drop(&program.impls[id].trait_ref.path) {
                differing.inert.insert(id);
                differing.functions.extend(program.impls[id].methods.values());
            }
        }
    }
    differing
}

#[test]
fn shared_searches_find_what_the_definition_says() {
    let (mut with_difference, mut without) = (0, 0);
    for seed in 1..400 {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let starts: Vec<FnId> = program.functions.ids().collect();
        let nothing_differs = Differing::default();
        for (start, reached) in starts.iter().zip(functions_reached(&program, &starts)) {
            let expected = by_definition(&program, &nothing_differs, *start).functions;
            assert_eq!(reached.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}, {start}");
        }
        let differing = random_difference(&mut random, &program);
        let items = Items::new(&program);
        let reach = Reach::new(&items, &differing);
        for start in starts {
            let expected = by_definition(&program, &differing, start).differs;
            assert_eq!(reach.difference_anywhere(start).is_some(), expected, "seed {seed}, {start}");
            *(if expected { &mut with_difference } else { &mut without }) += 1;
        }
    }
    assert!(with_difference > 500 && without > 500, "{with_difference} and {without} are no test of both");
}
