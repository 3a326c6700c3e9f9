//! What follows from a refusal: which types cannot be built or shown because a type that they hold cannot, and which functions cannot be
//! called because they take such a type.
//!
//! *Idea.* The compiler tells of one level only: while an implementation is there, whoever asks for it is content, whatever becomes of
//! its body. A chain of types would cost a pass of the compiler for each link. So what a refusal leads to is worked out before the
//! next pass.
//!
//! *Limits.* Types are found by name, in the same module or as the only one of the crate. What is missed the compiler refuses; a field
//! whose type only has the name of another one loses its type a way of being built.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;

use super::instrument::{BUILT, Fallback, Fallbacks, Form, Owner, SHOWN};
use super::scan::{AdtItem, Generic, Holds, Scan, VariantItem};

/// Adds what follows. `called` are the functions that glue calls, with the types of which their arguments are
/// made; `is_made` tells whether functions are left that make values of a type of
/// the scan.
pub fn follow(
    scan: &Scan,
    called: &[(Owner, &BTreeSet<usize>)],
    is_made: impl Fn(usize, &Fallbacks) -> bool,
    fallbacks: &mut Fallbacks,
) {
    loop {
        let unmade: Vec<usize> = (fallbacks.iter())
            .filter_map(|(owner, fallback)| match (owner, fallback.form) {
                (Owner::Build(adt), Form::Made) if !is_made(*adt, fallbacks) => Some(*adt),
                _ => None,
            })
            .collect();
        for adt in &unmade {
            if let Some(fallback) = fallbacks.get_mut(&Owner::Build(*adt)) {
                fallback.form = Form::Dropped;
            }
        }
        let mut more: Vec<(Owner, Fallback)> = Vec::new();
        for (owner, takes) in called {
            let refused = takes.iter().find(|adt| dropped(fallbacks, &Owner::Build(**adt)));
            more.extend(refused.map(|adt| (*owner, built(&scan.adts[*adt].name))));
        }
        for (index, adt) in scan.adts.iter().enumerate() {
            more.extend(build_of(scan, index, adt, fallbacks));
            more.extend(show_of(scan, index, adt, fallbacks));
        }
        let mut any = !unmade.is_empty();
        for (owner, mut fallback) in more {
            if let Owner::Build(adt) = owner
                && is_made(adt, fallbacks)
            {
                fallback.form = Form::Made;
            }
            if let Entry::Vacant(place) = fallbacks.entry(owner) {
                place.insert(fallback);
                any = true;
            }
        }
        if !any {
            return;
        }
    }
}

/// Why values of the type, or of some of its variants, cannot be built field by field.
fn build_of(scan: &Scan, index: usize, adt: &AdtItem, fallbacks: &Fallbacks) -> Vec<(Owner, Fallback)> {
    let lends = adt.generics.iter().any(|generic| matches!(generic, Generic::Lifetime { .. }));
    let refused = |variant: &VariantItem| {
        held(scan, adt, variant).find_map(|held| {
            let shown_alike = lends && shown_less(scan, held, fallbacks);
            (dropped(fallbacks, &Owner::Build(held)) || shown_alike).then(|| built(&scan.adts[held].name))
        })
    };
    if adt.is_struct() {
        let refused = adt.variants.iter().find_map(refused);
        return refused.map(|fallback| (Owner::Build(index), fallback)).into_iter().collect();
    }
    let mut found = Vec::new();
    let mut usable = false;
    let mut first: Option<Fallback> = None;
    for (number, variant) in adt.variants.iter().enumerate() {
        let owner = Owner::BuildVariant(index, number);
        let fallback = fallbacks.get(&owner).cloned().or_else(|| {
            let fallback = refused(variant)?;
            found.push((owner, fallback.clone()));
            Some(fallback)
        });
        let recursive = variant.fields.iter().any(|field| scan.leads_back(field, &adt.name));
        usable |= fallback.is_none() && variant.holds() == Holds::Data && !recursive;
        first = first.or(fallback);
    }
    if let (false, Some(first)) = (usable, first) {
        found.push((Owner::Build(index), first));
    }
    found
}

/// Why values of the type, or of some of its variants, cannot be shown field by field.
fn show_of(scan: &Scan, index: usize, adt: &AdtItem, fallbacks: &Fallbacks) -> Vec<(Owner, Fallback)> {
    let has_debug = scan.has_debug(index);
    let of_variant = |(number, variant): (usize, &VariantItem)| {
        let held = held(scan, adt, variant).find(|held| match fallbacks.get(&Owner::Show(*held)) {
            // Which types it is of is known here, and mostly they have a `Debug`.
            Some(fallback) if fallback.form == Form::Debug && !is_of_types(adt) => false,
            _ => shown_less(scan, *held, fallbacks),
        })?;
        let reason = format!("a value of the type `{}` {SHOWN}", scan.adts[held].name);
        let owner = if adt.is_struct() { Owner::Show(index) } else { Owner::ShowVariant(index, number) };
        Some((owner, Fallback { form: if has_debug { Form::Debug } else { Form::LookedAt }, reason }))
    };
    adt.variants.iter().enumerate().filter_map(of_variant).collect()
}

/// Whether that type is not shown, or only where the types it is of have a `Debug`.
fn shown_less(scan: &Scan, adt: usize, fallbacks: &Fallbacks) -> bool {
    let of_types = || is_of_types(&scan.adts[adt]);
    let variants = 0..scan.adts[adt].variants.len();
    match fallbacks.get(&Owner::Show(adt)).map(|fallback| fallback.form) {
        Some(Form::Debug) => of_types(),
        Some(Form::LookedAt) => false,
        Some(Form::Made | Form::Dropped) => true,
        None => {
            let by_debug = |number| {
                let fallback = fallbacks.get(&Owner::ShowVariant(adt, number));
                fallback.is_some_and(|fallback| fallback.form == Form::Debug)
            };
            of_types() && variants.into_iter().any(by_debug)
        }
    }
}

fn is_of_types(adt: &AdtItem) -> bool {
    adt.generics.iter().any(|generic| matches!(generic, Generic::Type { .. }))
}

fn dropped(fallbacks: &Fallbacks, owner: &Owner) -> bool {
    fallbacks.get(owner).is_some_and(|fallback| fallback.form == Form::Dropped)
}

fn built(name: &str) -> Fallback {
    Fallback { form: Form::Dropped, reason: format!("a value of the type `{name}` {BUILT}") }
}

/// The types of the crate that a value of the variant may hold.
fn held<'s>(scan: &'s Scan, adt: &'s AdtItem, variant: &'s VariantItem) -> impl Iterator<Item = usize> + 's {
    let names = variant.fields.iter().flat_map(|field| &field.held);
    names.filter_map(|name| scan.adt_named(name, adt.module)).filter(|held| scan.adts[*held].path != adt.path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use camino::{Utf8Path, Utf8PathBuf};

    use regress_core::idx::Idx;

    use super::super::request::SubjectId;
    use super::super::scan::{FnItem, scan};
    use super::*;

    /// The types of the source that are refused to build once `Odd` is, and those refused to show; variants as `Type::Variant`.
    fn check(source: &str, expected: &str) {
        let files = BTreeMap::from([(Utf8PathBuf::from("lib.rs"), source.to_owned())]);
        let scan = scan(&files, Utf8Path::new("lib.rs"), "c").expect("it is Rust");
        let odd = scan.adts.iter().position(|adt| adt.name == "Odd").expect("there is one");
        let refused = Fallback { form: Form::Dropped, reason: "it is odd".to_owned() };
        let mut fallbacks =
            Fallbacks::from([(Owner::Build(odd), refused.clone()), (Owner::Show(odd), refused)]);
        let taken = |function: &FnItem| {
            function.takes.iter().filter_map(|name| scan.adt_named(name, function.module)).collect()
        };
        let takes: Vec<BTreeSet<usize>> = scan.functions.iter().map(taken).collect();
        let called = |(at, takes)| (Owner::Subject(SubjectId::from_usize(at)), takes);
        let called: Vec<_> = takes.iter().enumerate().map(called).collect();
        follow(&scan, &called, |_, _| false, &mut fallbacks);
        let name = |adt: usize| scan.adts[adt].name.as_str();
        let told: Vec<String> = (fallbacks.keys())
            .filter_map(|owner| match *owner {
                Owner::Build(adt) if adt != odd => Some(format!("build {}", name(adt))),
                Owner::Show(adt) if adt != odd => Some(format!("show {}", name(adt))),
                Owner::BuildVariant(adt, variant) => {
                    Some(format!("build {}::{}", name(adt), scan.adts[adt].variants[variant].name))
                }
                Owner::ShowVariant(adt, variant) => {
                    Some(format!("show {}::{}", name(adt), scan.adts[adt].variants[variant].name))
                }
                Owner::Subject(function) => Some(format!("call {}", scan.functions[function.index()].callee)),
                _ => None,
            })
            .collect();
        assert_eq!(told.join(", "), expected, "{source}");
    }

    #[test]
    fn whatever_holds_a_refused_type_is_refused() {
        check("struct Odd; struct A(Vec<Odd>); struct B { a: A } struct C(u8);", "show A, build A, build B");
    }

    #[test]
    fn what_holds_no_value_of_it_is_not() {
        check(
            "struct Odd; struct A(std::marker::PhantomData<Odd>); struct B(fn(Odd) -> u8); struct C(other::Odd);",
            "",
        );
    }

    #[test]
    fn an_enum_is_built_from_the_variants_that_are_left() {
        check("struct Odd; enum E { A, B(Odd) } struct S(E);", "show E::B, build E::B");
        check("struct Odd; enum E { A(Box<E>), B(Odd) }", "build E, show E::B, build E::B");
    }

    #[test]
    fn an_enum_with_debug_is_shown_by_it_only_where_it_must() {
        check("struct Odd; #[derive(Debug)] enum E { A, B(Odd) } struct S(E);", "show E::B, build E::B");
        check(
            "struct Odd; #[derive(Debug)] enum E<T> { A(T), B(Odd) } struct S<T>(E<T>);",
            "show S, show E::B, build E::B",
        );
    }

    /// A generic type that is shown by its `Debug` asks its parameters for theirs.
    #[test]
    fn what_is_shown_by_debug_hinders_only_what_has_parameters() {
        let source = "struct Odd<T>(T); #[derive(Debug)] struct Plain(Odd<u8>); #[derive(Debug)] struct Of<T>(Odd<T>);";
        let files = BTreeMap::from([(Utf8PathBuf::from("lib.rs"), source.to_owned())]);
        let scan = scan(&files, Utf8Path::new("lib.rs"), "c").expect("it is Rust");
        let of_name = |name: &str| scan.adts.iter().position(|adt| adt.name == name).expect("there is one");
        let fallback = Fallback { form: Form::Debug, reason: "it is odd".to_owned() };
        let mut fallbacks = Fallbacks::from([(Owner::Show(of_name("Odd")), fallback)]);
        follow(&scan, &[], |_, _| false, &mut fallbacks);
        assert!(!fallbacks.contains_key(&Owner::Show(of_name("Plain"))));
        assert!(fallbacks.contains_key(&Owner::Show(of_name("Of"))));
    }

    #[test]
    fn functions_that_take_it_cannot_be_called() {
        check(
            "struct Odd; impl Odd { fn m(&self) {} fn n() {} } fn f(a: &[Odd]) {} fn g() -> Odd { Odd } fn h(a: impl Fn(Odd)) {}",
            "call <Odd>::m, call f",
        );
    }

    #[test]
    fn of_types_with_one_name_the_nearer_is_meant() {
        check("struct Odd; mod m { struct Odd2; struct Odd3(Odd2); } struct A(m::Odd3);", "");
        check(
            "mod m { struct Odd; struct A(Odd); } mod n { struct B(super::m::A); }",
            "show A, build A, build B",
        );
    }
}
