//! A library that is linked ahead and kept as bytes makes the same programs.

mod common;

use std::collections::BTreeMap;

use common::{CORNERS, DEP, MIRROR, SAMPLE, USER};
use mir_frontend::rustc::{CrateDump, Library, LibraryError, build_program, build_program_on};
use regress_core::ir::Program;

/// All functions as text, by path; ids, which depend on the order of crates, are in no such text.
fn functions(program: &Program) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        let text = format!("{function}\n{:?} {:?}", function.bounds, program.generics_in_scope(id));
        found.entry(function.path.to_string()).or_default().push(text);
    }
    found.values_mut().for_each(|texts| texts.sort());
    found
}

fn types(program: &Program) -> Vec<String> {
    let mut found: Vec<String> = program
        .adts
        .iter()
        .map(|adt| format!("{} {:?} {:?}", adt.path, adt.generics, adt.variants))
        .collect();
    found.sort();
    found
}

/// Implementations without the ids of their methods.
fn impls(program: &Program) -> Vec<String> {
    let of = |item: &regress_core::ir::TraitImpl| {
        let methods: Vec<_> =
            item.methods.iter().map(|(name, id)| (name, &program.functions[*id].path)).collect();
        format!("{:?} {} {:?} {:?} {methods:?}", item.generics, item.trait_ref, item.bounds, item.types)
    };
    let mut found: Vec<String> = program.impls.iter().map(of).collect();
    found.sort();
    found
}

fn kept() -> Vec<u8> {
    Library::link(&[MIRROR]).expect("the dumps are whole").to_bytes().expect("it can be written")
}

#[test]
fn a_program_on_a_kept_library_is_that_of_all_dumps() {
    let library = Library::from_bytes(kept()).expect("it can be read");
    let check = |dumps: &[CrateDump<'static>]| {
        let with_mirror: Vec<_> = dumps.iter().copied().chain([MIRROR]).collect();
        let expected = build_program(&with_mirror).expect("the dumps are whole");
        let found = build_program_on(&library, dumps).expect("the dumps are whole");
        assert_eq!(functions(&found), functions(&expected));
        assert_eq!(types(&found), types(&expected));
        assert_eq!(impls(&found), impls(&expected));
        assert_eq!(found.traits.len(), expected.traits.len());
    };
    check(&[]);
    check(&[SAMPLE]);
    check(&[CORNERS]);
    check(&[USER, DEP]);
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = kept();
    let check = |bytes: Vec<u8>, expected: LibraryError| {
        assert_eq!(Library::from_bytes(bytes).err(), Some(expected));
    };
    check(Vec::new(), LibraryError::Magic);
    check(b"something else".to_vec(), LibraryError::Magic);
    for cut in [8, 11, 12, 19, 20, bytes.len() / 2, bytes.len() - 1] {
        check(bytes[..cut].to_vec(), LibraryError::Checksum);
    }
    for at in (8..bytes.len()).step_by(997) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        check(damaged, LibraryError::Checksum);
    }
}
