//! Damaged dumps give errors or unreadable functions, never a panic, and never touch functions that are whole.

mod common;

use common::{DEP, MIRROR};
use mir_frontend::rustc::{CrateDump, Rustdoc, build_program};
use regress_core::ir::FnBody;

/// A small generator of its own, so that every run damages alike.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Cuts, repeats, swaps or replaces a stretch of the text.
fn damage(text: &str, random: &mut Random) -> String {
    let start = char_boundary(text, random.below(text.len()));
    let end = char_boundary(text, start + random.below(40)).max(start);
    let stretch = &text[start..end];
    let inserted = match random.below(6) {
        0 => return text[..start].to_owned(),
        1 => String::new(),
        2 => stretch.repeat(3),
        3 => stretch.chars().rev().collect(),
        4 => ["(", "<", "{", "\"", "'", "[", "::", "é", "_9999999999", "bb77", "/#", "\n", "}\n", "&lt;"]
            [random.below(14)]
        .repeat(1 + random.below(3)),
        _ => {
            let from = char_boundary(text, random.below(text.len()));
            text[from..char_boundary(text, from + 30).max(from)].to_owned()
        }
    };
    format!("{}{inserted}{}", &text[..start], &text[end..])
}

fn check_survives(dump: CrateDump<'_>) {
    if let Ok(program) = build_program(&[dump]) {
        // Whatever is called readable must hold together.
        for function in program.functions.iter() {
            if let FnBody::Present(body) = &function.body {
                assert!(body.arg_count < body.locals.len());
                for target in body.blocks.iter().flat_map(|block| block.terminator.kind.successors()) {
                    assert!(body.blocks.get(target).is_some());
                }
            }
        }
    }
}

fn json_of<'a>(dump: &CrateDump<'a>) -> &'a str {
    match dump.rustdoc {
        Some(Rustdoc::Json(json)) => json,
        Some(Rustdoc::Read(_)) | None => "",
    }
}

#[test]
fn damaged_text_never_panics() {
    let mut random = Random(7);
    for whole in [DEP, MIRROR] {
        for _ in 0..150 {
            let mir = damage(whole.mir, &mut random);
            check_survives(CrateDump { mir: &mir, ..whole });
            let cfg = damage(whole.cfg, &mut random);
            check_survives(CrateDump { cfg: &cfg, ..whole });
        }
        for _ in 0..50 {
            let json = damage(json_of(&whole), &mut random);
            check_survives(CrateDump { rustdoc: Some(Rustdoc::Json(&json)), ..whole });
        }
    }
}

/// JSON that parses but says other things than rustdoc would.
#[test]
fn strange_json_never_panics() {
    let json = json_of(&DEP);
    for (from, to) in [
        ("\"items\"", "\"itemz\""),
        ("\"id\":", "\"ID\":"),
        ("\"kind\"", "\"kynd\""),
        ("\"path\":[", "\"path\":[[],"),
        ("[3,", "[-3,"),
        ("\"generic\"", "\"generik\""),
        ("\"type\"", "\"typo\""),
        ("\"struct\"", "\"enum\""),
        ("\"trait\"", "\"impl\""),
    ] {
        let strange = json.replace(from, to);
        assert_ne!(strange, json, "{from}");
        check_survives(CrateDump { rustdoc: Some(Rustdoc::Json(&strange)), ..DEP });
    }
}

#[test]
fn damage_to_one_function_is_its_own() {
    let whole = build_program(&[DEP]).expect("whole").functions.len();
    let mir = DEP.mir.replace("_0 = copy _1;", "_0 = copied _1;");
    assert_ne!(mir, DEP.mir);
    let program = build_program(&[CrateDump { mir: &mir, ..DEP }]).expect("readable as a file");
    assert_eq!(program.functions.len(), whole);
    let reasons: Vec<(&str, &str)> = program
        .functions
        .iter()
        .filter_map(|function| match &function.body {
            FnBody::Unreadable { reason, line: Some(_) } => Some((function.path.as_str(), reason.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert_eq!(reasons[0].0, "dep::inner::helper");
    assert!(reasons[0].1.contains("copied _1"), "{}", reasons[0].1);
}

/// A dump that ends in the middle keeps what came before and says what is lost.
#[test]
fn a_truncated_dump_keeps_its_beginning() {
    let cut = DEP.mir.rfind("bb0: {").expect("a body");
    let program = build_program(&[CrateDump { mir: &DEP.mir[..cut], ..DEP }]).expect("readable as a file");
    let last = program.functions.iter().last().expect("functions");
    assert!(matches!(&last.body, FnBody::Unreadable { reason, .. } if reason.contains("ends within")));
    let rest = program.functions.iter().filter(|function| matches!(function.body, FnBody::Unreadable { .. }));
    assert_eq!(rest.count(), 1);
}
