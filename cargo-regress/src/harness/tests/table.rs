//! The code that is added for native runs against the table of std's types.

use std::collections::BTreeSet;

use regress_core::ir::known::shown::{Behind, Content, Shown};
use regress_core::ir::{FloatTy, KnownType};

use super::super::glue;

/// How a macro of the runtime shows the types that it is given.
fn shown_by(name: &str) -> Option<fn(Shown) -> bool> {
    let by: fn(Shown) -> bool = match name {
        "__regress_cells" | "__regress_borrowed" => |shown| matches!(shown, Shown::Cell(..)),
        "__regress_atomics" => |shown| matches!(shown, Shown::Cell(Content::Int(_) | Content::Bool, ..)),
        "__regress_guards" => |shown| shown == Shown::Behind(Behind::Guard),
        "__regress_counted" => |shown| shown == Shown::Behind(Behind::Counted),
        "__regress_show_pointers" => |shown| shown == Shown::Behind(Behind::Owned),
        "__regress_structs"
        | "__regress_system_texts"
        | "__regress_errors_of_two_kinds"
        | "__regress_errors_of_one_kind" => |shown| shown == Shown::Fields,
        "__regress_made" | "__regress_addresses" => |shown| matches!(shown, Shown::Parts(_)),
        "__regress_nonzero" => |shown| shown == Shown::NonZero,
        "__regress_texts_iterated" | "__regress_adapted" | "__regress_lent_items" | "__regress_buffered" => {
            |shown| shown == Shown::Natively
        }
        "__regress_opaque" => |shown| shown == Shown::Debug,
        _ => return None,
    };
    Some(by)
}

/// The row of a type that is named by the end of its path.
fn shown(name: &str) -> Option<Shown> {
    let name = if name.starts_with("NonZero") { "NonZero" } else { name };
    let ends = |path: &str| path == name || path.ends_with(&format!("::{name}"));
    let rows: Vec<Shown> =
        KnownType::ALL.iter().filter(|ty| ends(ty.path())).filter_map(|ty| ty.shown()).collect();
    match rows.as_slice() {
        [] => None,
        [first, others @ ..] => {
            assert!(others.iter().all(|other| other == first), "`{name}` is several types");
            Some(*first)
        }
    }
}

/// The head of a type, without its arguments.
fn head(ty: &str) -> &str {
    ty.split('<').next().unwrap_or_default().trim()
}

/// What the macros of the runtime are called with: the macro's name, and what stands between semicolons.
fn invocations(runtime: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for block in runtime.split("\n__regress_").skip(1) {
        let Some((name, rest)) = block.split_once("! {\n") else { continue };
        let body = rest.split("\n}").next().unwrap_or_default();
        let name = &runtime[block.as_ptr() as usize - runtime.as_ptr() as usize - "__regress_".len()..]
            [.."__regress_".len() + name.len()];
        // An entry of several lines has semicolons in it.
        let entries: Vec<&str> = match body.contains("\n        ") {
            true => body.lines().filter(|line| !line.starts_with("     ")).map(str::trim).collect(),
            false => body.split(';').map(str::trim).filter(|entry| !entry.is_empty()).collect(),
        };
        found.extend(entries.into_iter().map(|entry| (name, entry)));
    }
    found
}

#[test]
fn every_type_that_is_shown_natively_has_a_row() {
    let runtime = glue::runtime();
    let mut seen = 0;
    for (name, entry) in invocations(&runtime) {
        let Some(by) = shown_by(name) else { continue };
        // `Cell T, …`, `AtomicU8 u8`, `rc Rc`, `std::fmt::Error`
        let mut words = entry.split_whitespace();
        let first = words.next().unwrap_or_default();
        let ty = match first {
            "rc" | "sync" => words.next().unwrap_or_default(),
            other => other,
        };
        let found = shown(head(ty));
        assert!(found.is_some_and(by), "{name} shows `{ty}`, the table says {found:?}");
        seen += 1;
    }
    assert!(seen > 50, "only {seen} types were read");
}

#[test]
fn every_macro_that_shows_types_is_known() {
    // Numbers, tuples, closures and trait objects behind pointers, and what has the form of a macro only because of its length.
    let of_language = [
        "__regress_ints",
        "__regress_floats",
        "__regress_tuples",
        "__regress_listening",
        "__regress_std_objects",
    ];
    for definition in glue::PARTS.split("macro_rules! ").skip(1) {
        let (name, body) = definition.split_once(' ').expect("a name");
        let body = body.split("\n}").next().unwrap_or_default();
        if body.contains(" Show for ") {
            assert!(shown_by(name).is_some() || of_language.contains(&name), "{name} is not looked at");
        }
    }
}

#[test]
fn every_type_that_is_shown_by_hand_has_a_row() {
    // Of the language, and of the runtime itself.
    let others = ["&'a mut T", "&'a T", "[T]", "[T; N]", "()", "bool", "char", "str"];
    let own = [
        "Code",
        "Rest",
        "Raw",
        "Written",
        "Held",
        "Items",
        "LeftInside",
        "LeftBehind",
        "LeftSlice",
        "LentSlice",
        "UnitVariant",
        "LentArgument",
        "ListenerNumber",
    ];
    for line in glue::PARTS.lines() {
        let Some((_, ty)) = line.split_once(" Show for ") else { continue };
        let ty = ty.split(" {").next().unwrap_or_default();
        if !line.trim_start().starts_with("impl") || ty.contains('$') || others.contains(&ty) {
            continue;
        }
        let ty = head(ty);
        assert!(own.contains(&ty) || shown(ty).is_some(), "`{ty}` is shown and is not in the table");
    }
}

#[test]
fn every_path_that_is_written_has_a_row() {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names: BTreeSet<&str> = glue::PARTS
        .split("paths::")
        .skip(1)
        .map(|text| text.split(|c| !is_name(c)).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        let row = KnownType::ALL.iter().find(|ty| format!("{ty:?}") == name);
        assert!(row.is_some_and(|ty| ty.shown().is_some()), "`{name}` is not in the table");
    }
    // What is written otherwise would not be looked at.
    let by_hand = ["std", "core", "alloc"].map(|name| format!("\"{name}::"));
    let lines = glue::PARTS.lines().filter(|line| by_hand.iter().any(|start| line.contains(start)));
    let is_of_compiler =
        |line: &str| line.contains("alloc::vec::Vec<") || line.contains("alloc::string::String");
    assert_eq!(lines.filter(|line| !is_of_compiler(line)).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn all_nans_are_shown_as_the_engine_s() {
    for (ty, name) in [(FloatTy::F32, "f32"), (FloatTy::F64, "f64")] {
        let line =
            glue::PARTS.lines().find(|line| line.trim_start().starts_with(&format!("{name} \"{name}:\"")));
        let literal =
            line.and_then(|line| line.trim_end_matches(';').split_whitespace().last()).expect("a NaN");
        let digits: String = literal.trim_start_matches("0x").chars().filter(|c| *c != '_').collect();
        assert_eq!(u64::from_str_radix(&digits, 16).ok().map(u128::from), Some(ty.nan()), "{name}");
    }
}
