//! Functions of other crates in whose place stands what their documentation says.
//!
//! What many programs call and what is written in instructions of processors (SIMD), the engine could not follow. The restatements are part of the models of the
//! standard library (its module `documented`), and are taken only for functions of the same signature, in crates of which both versions of a program use one release: that their
//! meaning is the documented one is then the crate's word, and natives run the crate itself.

use regress_core::ir::{FnBody, FnId, Origin, Path, Program};

/// Crate, module within it and the functions there, one set of which is restated: the first of which the crate has all.
const DOCUMENTED: &[(&str, &str, &[&[&str]])] = &[(
    "memchr",
    "memchr::memchr",
    &[
        &["memchr_raw", "memchr2_raw", "memchr3_raw", "memrchr_raw", "memrchr2_raw", "memrchr3_raw"],
        &["memchr", "memchr2", "memchr3", "memrchr", "memrchr2", "memrchr3"],
    ],
)];

/// Puts the restatements in the place of the bodies that the crate's functions, from the first on, have.
pub fn restate(program: &mut Program, crate_name: &str, origin: Origin, first: usize) {
    if origin != Origin::CommonDependency {
        return;
    }
    for (name, module, sets) in DOCUMENTED.iter().filter(|(name, ..)| *name == crate_name) {
        let restated = sets.iter().find_map(|set| {
            set.iter()
                .map(|function| pair(program, name, module, function, first))
                .collect::<Option<Vec<_>>>()
        });
        for (function, model) in restated.into_iter().flatten() {
            program.functions[function].body = program.functions[model].body.clone();
        }
    }
}

/// The crate's function and what restates it, if both are there and take and give the same.
fn pair(program: &Program, name: &str, module: &str, function: &str, first: usize) -> Option<(FnId, FnId)> {
    let at = |path: Path, from: usize| {
        let mut found = program.functions.iter_enumerated().skip(from).filter(|(_, item)| item.path == path);
        found.next().filter(|_| found.next().is_none())
    };
    let (own, item) = at(Path::new(format!("{module}::{function}")), first)?;
    let (model, restated) = at(Path::new(format!("std::documented::{name}::{function}")), 0)?;
    let is_present = matches!(restated.body, FnBody::Present(_));
    let signature = |item: &regress_core::ir::Function| (item.inputs.clone(), item.output.clone());
    (is_present && signature(item) == signature(restated)).then_some((own, model))
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{Const, Operand, Rvalue, StatementKind};

    use super::super::{CrateDump, build_program};
    use super::*;

    const NAMES: [&str; 6] = ["memchr", "memchr2", "memchr3", "memrchr", "memrchr2", "memrchr3"];

    /// Functions that each give the number.
    fn functions(module: &str, suffix: &str, input: &str, result: u8) -> String {
        let function = |name: &str| {
            format!(
                "fn {module}::{name}{suffix}(_1: {input}) -> u8 {{\n    let mut _0: u8;\n\n    \
                 bb0: {{\n        _0 = const {result}_u8;\n        return;\n    }}\n}}\n\n"
            )
        };
        NAMES.map(function).concat()
    }

    fn given_by(body: &FnBody) -> Option<u128> {
        let FnBody::Present(body) = body else { return None };
        match &body.blocks.iter().next()?.statements.first()?.kind {
            StatementKind::Assign(_, Rvalue::Use(Operand::Const(Const::Int(bits, _)))) => Some(*bits),
            _ => None,
        }
    }

    /// What functions of a crate `memchr` that give 1 and take this do where the restatements give 7.
    #[track_caller]
    fn check(suffix: &str, input: &str, origin: Origin, expected: u128) {
        let models = functions("documented::memchr", suffix, "u8", 7);
        let own = functions("memchr", suffix, input, 1);
        let dump = |crate_name, origin, mir| CrateDump {
            crate_name,
            origin,
            mir,
            cfg: "",
            rustdoc: None,
            stable_mir: None,
            declarations: None,
        };
        let dumps = [dump("std_models", Origin::StdModel, &models), dump("memchr", origin, &own)];
        let program = build_program(&dumps).unwrap();
        for name in NAMES {
            let path = Path::new(format!("memchr::memchr::{name}{suffix}"));
            let [function] = program.functions_at(&path) else { panic!("one `{path}`") };
            assert_eq!(given_by(&program.functions[*function].body), Some(expected), "{path}");
        }
    }

    #[test]
    fn functions_of_a_common_release_are_restated() {
        check("", "u8", Origin::CommonDependency, 7);
        check("_raw", "u8", Origin::CommonDependency, 7);
        // Each version may have a release of its own, or it is what is compared.
        check("", "u8", Origin::Dependency, 1);
        check("", "u8", Origin::Subject, 1);
        // Of other types, so of other functions.
        check("", "u16", Origin::CommonDependency, 1);
    }
}
