//! What differs when nothing but a declaration does.

use std::collections::{BTreeMap, BTreeSet};

use super::testing::{Build, UNCHANGED, adt, free, start, value_of};
use super::*;
use crate::idx::Idx;
use crate::ir::{Foreign, Frame};

/// A caller `k::f` of the type `k::A` and of the foreign `k::ext`, a bystander `k::g`, and `k::code`, which may be exported.
fn program(declare: impl FnOnce(&mut Program)) -> Program {
    let built: Build = start()
        .adt("k::A", &[])
        .func("k::code", 7, &[])
        .func("k::f", 1, &[value_of(adt("k::A"))])
        .func("k::h", 1, &[free("k::ext")])
        .func("k::g", 1, &[]);
    let mut program = built.done();
    let foreign = Foreign { symbol: "code".into(), text: "fn ext() -> u8".into() };
    program.declared.foreign.insert(Path::new("k::ext"), foreign);
    program.declared.frames.insert(Name::new("k"), Frame::Known(String::new()));
    declare(&mut program);
    program
}

fn affected(old: &Program, new: &Program, foreign: &ForeignCode) -> Vec<String> {
    let foreign_code = (*foreign == ForeignCode::Unknown).then(|| "a library".to_owned());
    let alignment = align_with(old, new, &Surroundings { foreign_code, ..Surroundings::default() });
    let kinds: BTreeMap<String, ChangeKind> = alignment
        .pairs
        .iter()
        .filter_map(|pair| Some((new.functions[pair.new?].path.to_string(), pair.kind)))
        .collect();
    kinds.into_iter().filter(|(_, kind)| *kind != UNCHANGED).map(|(path, _)| path).collect()
}

#[track_caller]
fn check(change: impl FnOnce(&mut Program), expected: &[&str]) {
    let (old, new) = (program(|_| {}), program(change));
    assert_eq!(affected(&old, &new, &ForeignCode::Same), expected);
    assert_eq!(affected(&new, &old, &ForeignCode::Same), expected);
}

fn code() -> FnId {
    FnId::from_usize(0)
}

#[test]
fn nothing_differs_from_itself() {
    check(|_| {}, &[]);
}

#[test]
fn attributes_of_a_type_bear_on_what_uses_it() {
    let id = AdtId::from_usize(0);
    check(|program| drop(program.declared.adts.insert(id, "#[repr(C)]".into())), &["k::f"]);
}

#[test]
fn attributes_of_a_function_are_part_of_it() {
    check(|program| drop(program.declared.functions.insert(code(), "#[cold_fusion]".into())), &["k::code"]);
}

#[test]
fn another_frame_is_another_crate() {
    let changes = [Frame::Known("global_asm!(\"nop\")".into()), Frame::Unknown];
    for frame in changes {
        let change = |program: &mut Program| drop(program.declared.frames.insert(Name::new("k"), frame));
        check(change, &["k::code", "k::f", "k::g", "k::h"]);
    }
}

#[test]
fn a_symbol_leads_to_who_exports_it() {
    let export = |program: &mut Program| {
        program.declared.exported.insert("code".into(), BTreeSet::from([code()]));
    };
    check(export, &["k::h"]);
    let renamed = |program: &mut Program| {
        program.declared.foreign.get_mut(&Path::new("k::ext")).unwrap().symbol = "other".into();
    };
    check(renamed, &["k::h"]);
    // The function behind the symbol is run.
    let (old, mut new) = (program(export), program(export));
    new.declared.functions.insert(code(), "other".into());
    assert_eq!(affected(&old, &new, &ForeignCode::Same), ["k::code", "k::h"]);
}

#[test]
fn foreign_code_is_the_same_unless_somebody_says_otherwise() {
    let (old, new) = (program(|_| {}), program(|_| {}));
    assert!(affected(&old, &new, &ForeignCode::Same).is_empty());
    assert_eq!(affected(&old, &new, &ForeignCode::Unknown), ["k::h"]);
}

#[test]
fn what_is_there_without_a_name_bears_on_all() {
    let ambient = |text: &'static str| {
        move |program: &mut Program| {
            program.declared.ambient.insert(code());
            program.declared.functions.insert(code(), text.into());
        }
    };
    let (old, new) = (program(ambient("#[used]")), program(ambient("#[used] #[strange]")));
    assert_eq!(affected(&old, &new, &ForeignCode::Same), ["k::code", "k::f", "k::g", "k::h"]);
}
