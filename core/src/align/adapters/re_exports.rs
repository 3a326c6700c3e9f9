//! Functions by the names that `pub use` gives them.
//!
//! *Idea.* `pub use slow::sum` that became `pub use fast::sum` changes what callers of `sum` run, though neither function changed. So the functions for which a name
//! stands are compared: each version has a function of that name which calls the one it stands for.
//!
//! *Limits.* Of types, traits, constants and statics it is told that the name stands for another one ([`Reassigned`]); they are not compared.

use std::collections::{BTreeSet, HashSet};

use super::writing::Writing;
use super::{callee, only_function};
use crate::ir::*;

/// A public name that stands for another item than in the old version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reassigned {
    pub name: Path,
    /// Paths of definition, as the new version has them.
    pub old: Path,
    pub new: Path,
}

/// Adds a function for each public name that stands for another function than before. Returns the names of other items.
pub fn compare_re_exports(old: &mut Program, new: &mut Program) -> Vec<Reassigned> {
    let is_own = |function: &&Function| function.origin == Origin::Subject;
    let crates: HashSet<&str> =
        new.functions.iter().filter(is_own).map(|function| function.path.crate_name()).collect();
    let names = old.re_exports.keys().chain(new.re_exports.keys());
    let names: BTreeSet<_> = names.filter(|(_, name)| crates.contains(name.crate_name())).cloned().collect();
    let (mut added, mut not_compared) = ([Vec::new(), Vec::new()], Vec::new());
    for key in names {
        let (Some(of_old), Some(of_new)) = (stands_for(old, &key), stands_for(new, &key)) else { continue };
        if of_old == of_new {
            continue;
        }
        let (namespace, name) = key;
        let both = [(&*old, &of_old), (&*new, &of_new)]
            .map(|(program, definition)| named(program, &name, definition));
        match both {
            [Some(in_old), Some(in_new)] if namespace == Namespace::Values => {
                for (added, named) in added.iter_mut().zip([in_old, in_new]) {
                    added.extend(match named {
                        Named::Itself => None,
                        Named::Calling(function) => Some(*function),
                    });
                }
            }
            _ => not_compared.push(Reassigned { name, old: of_old, new: of_new }),
        }
    }
    for (program, added) in [old, new].into_iter().zip(added) {
        if !added.is_empty() {
            added.into_iter().for_each(|function| {
                program.functions.push(function);
            });
            program.build_index();
        }
    }
    not_compared
}

/// The path of definition of what has the public name, as the new version has it. What stands there takes the place of what a glob brings in.
fn stands_for(program: &Program, key: &(Namespace, Path)) -> Option<Path> {
    let (namespace, name) = key;
    let is_defined_here = match namespace {
        Namespace::Values => !program.functions_at(name).is_empty(),
        Namespace::Types => program.adt_id(name).is_some() || program.trait_(name).is_some(),
    };
    if is_defined_here {
        return Some(name.clone());
    }
    let definition = &program.re_exports.get(key)?.definition;
    Some(program.moved.new_path(definition).unwrap_or_else(|| definition.clone()))
}

/// What stands for a function under a public name.
enum Named {
    /// It is defined there.
    Itself,
    Calling(Box<Function>),
}

/// None for what is no function of which callers name nothing else.
fn named(program: &Program, name: &Path, definition: &Path) -> Option<Named> {
    let id = only_function(program, definition)?;
    if definition == name {
        return Some(Named::Itself);
    }
    let called = &program.functions[id];
    if !program.functions_at(name).is_empty() {
        return None;
    }
    let arguments: Vec<Argument> =
        (0..called.inputs.len()).map(|place| Argument::Parameter { place, conversion: Vec::new() }).collect();
    let callee = callee(program, called, &identity_args(&called.generics));
    let body = Writing::new(called, called.output.clone());
    let body = body.whole(program, &arguments, &called.inputs, callee);
    let visibility = Visibility::Public;
    let path = name.clone();
    Some(Named::Calling(Box::new(Function {
        path,
        visibility,
        span: program.re_exports.get(&(Namespace::Values, name.clone())).and_then(|item| item.span),
        body: FnBody::Present(body.into()),
        ..called.clone()
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::align;
    use crate::ir::parse;
    use crate::verdict::ChangeKind;

    /// Two types and three functions, in which `name` stands for `definition`.
    fn program(namespace: Namespace, name: &str, definition: &str) -> Program {
        let text = "struct k::a::T { x: u8 } struct k::b::T { x: u8 }
            fn k::a::f(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }
            fn k::b::f(_1: u8) -> u8 { bb0: { _0 = Not(copy _1); return; } }
            fn k::there(_1: u8) -> u8 { bb0: { _0 = Not(copy _1); return; } }";
        let mut program = parse::program(text).unwrap();
        let item = ReExport { definition: Path::new(definition), span: None };
        program.re_exports.insert((namespace, Path::new(name)), item);
        program
    }

    /// What is reported of the name, and which names are told to be of other items.
    fn compared(mut old: Program, mut new: Program, name: &str) -> (Option<ChangeKind>, Vec<String>) {
        let others = compare_re_exports(&mut old, &mut new);
        let alignment = align(&old, &new);
        let has_name = |id: FnId| new.functions[id].path.as_str() == name;
        let pair = alignment.pairs.iter().find(|pair| pair.new.is_some_and(has_name));
        (pair.map(|pair| pair.kind), others.into_iter().map(|other| other.name.to_string()).collect())
    }

    #[test]
    fn a_name_that_stands_for_another_function_is_compared() {
        let of = |definition| program(Namespace::Values, "k::g", definition);
        assert_eq!(compared(of("k::a::f"), of("k::b::f"), "k::g"), (Some(ChangeKind::Changed), vec![]));
        assert_eq!(compared(of("k::a::f"), of("k::a::f"), "k::g"), (None, vec![]));
    }

    #[test]
    fn a_definition_may_give_way_to_a_re_export() {
        let mut new = program(Namespace::Values, "k::there", "k::a::f");
        let moved_away = new.functions_at(&Path::new("k::there"))[0];
        new.functions[moved_away].path = Path::new("k::elsewhere");
        new.build_index();
        let old = program(Namespace::Values, "k::g", "k::a::f");
        assert_eq!(compared(old, new, "k::there"), (Some(ChangeKind::Changed), vec![]));
    }

    #[test]
    fn a_definition_takes_the_place_of_what_a_glob_brings_in() {
        let of = |definition| program(Namespace::Values, "k::there", definition);
        assert_eq!(compared(of("k::a::f"), of("k::b::f"), "k::there"), (Some(ChangeKind::Unchanged), vec![]));
    }

    #[test]
    fn types_are_told_and_not_compared() {
        let of = |definition| program(Namespace::Types, "k::T", definition);
        assert_eq!(compared(of("k::a::T"), of("k::b::T"), "k::T"), (None, vec!["k::T".into()]));
    }
}
