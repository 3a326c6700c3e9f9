//! The dumps under `tests/data`, each of the crate whose source lies beside it, made by rustc 1.95 with private items
//! in the JSON and comments that the parser skips taken out.

#![allow(dead_code)]

use mir_frontend::rustc::{CrateDump, Rustdoc, build_program};
use regress_core::ir::{Body, FnBody, FnId, Function, Origin, Path, Program};

pub const SAMPLE: CrateDump<'static> = CrateDump {
    crate_name: "sample",
    origin: Origin::Subject,
    mir: include_str!("../data/sample.mir"),
    cfg: include_str!("../data/sample.cfg"),
    rustdoc: Some(Rustdoc::Json(include_str!("../data/sample.json"))),
    stable_mir: Some(include_str!("../data/sample.smir")),
    declarations: None,
};

/// Items in unusual places.
pub const CORNERS: CrateDump<'static> = CrateDump {
    crate_name: "corners",
    origin: Origin::Subject,
    mir: include_str!("../data/corners.mir"),
    cfg: include_str!("../data/corners.cfg"),
    rustdoc: Some(Rustdoc::Json(include_str!("../data/corners.json"))),
    stable_mir: None,
    declarations: None,
};

pub const MIRROR: CrateDump<'static> = CrateDump {
    crate_name: "std_models",
    origin: Origin::StdModel,
    mir: include_str!("../data/std_models.mir"),
    cfg: include_str!("../data/std_models.cfg"),
    rustdoc: Some(Rustdoc::Json(include_str!("../data/std_models.json"))),
    stable_mir: None,
    declarations: None,
};

pub const DEP: CrateDump<'static> = CrateDump {
    crate_name: "dep",
    origin: Origin::Dependency,
    mir: include_str!("../data/dep.mir"),
    cfg: include_str!("../data/dep.cfg"),
    rustdoc: Some(Rustdoc::Json(include_str!("../data/dep.json"))),
    stable_mir: None,
    declarations: None,
};

pub const USER: CrateDump<'static> = CrateDump {
    crate_name: "user",
    origin: Origin::Subject,
    mir: include_str!("../data/user.mir"),
    cfg: include_str!("../data/user.cfg"),
    rustdoc: Some(Rustdoc::Json(include_str!("../data/user.json"))),
    stable_mir: None,
    declarations: None,
};

pub fn program(dumps: &[CrateDump<'_>]) -> Program {
    build_program(dumps).expect("the dumps are whole")
}

/// The only function of that path.
pub fn id_of(program: &Program, path: &str) -> FnId {
    match program.functions_at(&Path::from(path)) {
        [id] => *id,
        found => panic!("{} functions at {path}", found.len()),
    }
}

pub fn function<'p>(program: &'p Program, path: &str) -> &'p Function {
    &program.functions[id_of(program, path)]
}

pub fn body<'p>(program: &'p Program, path: &str) -> &'p Body {
    match &function(program, path).body {
        FnBody::Present(body) => body,
        other => panic!("{path}: {other:?}"),
    }
}

/// Functions that could not be read, with the reasons.
pub fn unreadable(program: &Program) -> Vec<(String, String)> {
    program
        .functions
        .iter()
        .filter_map(|function| match &function.body {
            FnBody::Unreadable { reason, .. } => Some((function.path.to_string(), reason.clone())),
            _ => None,
        })
        .collect()
}
