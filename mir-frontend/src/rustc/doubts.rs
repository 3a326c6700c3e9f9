//! Where the text of MIR can be read in two ways.
//!
//! rustc prints for people: items of the crate without the crate's name, types of the language and generic parameters by a
//! single word, modules called `core` as the crate of that name. So one text may stand for two things, and nothing around it says for
//! which. What the crate defines tells whether that can happen at all; where it does, the reading is written down as a *doubt* of
//! the scope, and whoever reads the item refuses it ([`Scope::doubt`]). A doubt that comes up while another reading is tried stays: a proof
//! lost is better than a wrong one.
//!
//! | text | stands for |
//! |---|---|
//! | `u32`, `bool`, `str` | the type of the language, or a type at the crate's root |
//! | `T` | a generic parameter, or a type at the crate's root |
//! | `const N` | a const parameter, or a constant (static, unit struct) at the crate's root |
//! | `u32::MAX` | the greatest number, or an item of a module or type `u32` at the crate's root |
//! | `core::mem::swap` | an item of the library (or another crate), or of a module `core` at the crate's root |
//! | `f::S` | an item of a module `f`, or one declared in the body of a function `f` beside it |
//! | `UbChecks`, `NaN_f64` | a value of rustc's own, or an item at the crate's root |
//! | `Add(copy _1, copy _2)` | an operator, or the constructor of a struct at the crate's root |
//!
//! The last is decided: the place that is assigned has a type, and no operator gives a struct of the crate ([`Either`]).

use std::cell::OnceCell;

use regress_core::idx::IdxVec;
use regress_core::ir::{AggregateKind, KnownType, Local, LocalId, Place, Projection, Rvalue, Ty, TyKind};

use super::cursor::{Parsed, fail};
use super::scope::{CrateNames, ItemIs, Names, Scope};

/// The first doubt that came up in a scope.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    first: OnceCell<String>,
}

impl Scope<'_> {
    /// Notes that the text can be read in two ways.
    pub fn doubt(&self, text: &str, one: &str, other: &str) {
        // Only the first is told.
        let _ = self.doubts.first.set(format!("`{text}` is both {one} and {other} in this crate"));
    }

    /// Why what was read in this scope cannot be relied on.
    pub fn doubtful(&self) -> Option<&str> {
        self.doubts.first.get().map(String::as_str)
    }

    /// Whether a single word is the name of a type at the crate's root.
    fn is_root_type(&self, word: &str) -> bool {
        self.krate.lists(word) && self.names.is_adt(self.krate.path_of_local(&[word]).as_str())
    }

    /// A word is about to be read as a type of the language.
    pub fn doubt_primitive(&self, word: &str) {
        if self.is_root_type(word) {
            self.doubt(word, "a type of the language", "a type of its own");
        }
    }

    /// A word is about to be read as a type parameter.
    pub fn doubt_parameter(&self, word: &str) {
        if self.is_root_type(word) {
            self.doubt(word, "a generic parameter", "a type");
        }
    }

    /// A word is about to be read as something else than a parameter in scope.
    pub fn doubt_type(&self, word: &str) {
        let may_be_parameter = || self.krate.type_parameters_in_bodies.contains(word);
        if self.item == ItemIs::MaybeInBody && may_be_parameter() && self.is_root_type(word) {
            self.doubt(word, "a type", "a generic parameter of what is declared in a body");
        }
    }

    /// A word is about to be read as a const parameter.
    pub fn doubt_const_parameter(&self, word: &str) {
        if self.krate.lists(word) {
            self.doubt(word, "a generic parameter", "an item");
        }
    }

    /// A word is about to be read as a constant.
    pub fn doubt_constant(&self, word: &str) {
        if self.krate.const_parameters_in_bodies.contains(word) {
            self.doubt(word, "an item", "a generic parameter of what is declared in a body");
        }
    }

    /// `u32::MAX` is about to be read as what the language defines.
    pub fn doubt_number(&self, primitive: &str, name: &str) {
        if self.krate.lists(primitive)
            && (self.krate.lists(&format!("{primitive}::{name}")) || self.is_root_type(primitive))
        {
            self.doubt(&format!("{primitive}::{name}"), "a number of the language", "an item");
        }
    }

    /// A word of rustc's own is about to be read.
    pub fn doubt_word(&self, word: &str) {
        if self.krate.lists(word) {
            self.doubt(word, "a word of the compiler", "an item");
        }
    }

    /// Whether the crate that the first segment names may have the second at its root.
    fn may_be_at_root_of_other(&self, segments: &[&str]) -> bool {
        let [first, second, ..] = segments else { return false };
        self.names.roots.get(*first).is_none_or(|names| names.contains(*second))
    }

    /// A path is about to be made canonical.
    pub fn doubt_path(&self, segments: &[&str]) {
        if self.krate.may_be_of_other_crate(segments) && self.may_be_at_root_of_other(segments) {
            self.doubt(&segments[..2].join("::"), "a path into another crate", "one of its own");
        }
        let split = &self.names.split_paths;
        let may_be_in_body = |len: usize| {
            let around = split.get(&self.krate.path_of_local(&segments[..len]));
            around.is_some_and(|items| items.may_be(segments[len]))
        };
        if !split.is_empty() && (1..segments.len()).any(may_be_in_body) {
            self.doubt(&segments.join("::"), "an item of a module", "one in the body of a function");
        }
    }
}

impl CrateNames {
    /// Whether the path, though there are local items that begin like it, may lead into another crate: into the standard library
    /// through one of its modules, into others with any name.
    fn may_be_of_other_crate(&self, segments: &[&str]) -> bool {
        let [first, second, ..] = segments else { return false };
        if !self.is_extern(first) || !self.is_local(segments) {
            return false;
        }
        match *first {
            "std" | "core" | "alloc" | "_" => super::std_types::is_module(second),
            _ => true,
        }
    }
}

/// `WORD(…)` where `WORD` is an operator and a struct of the crate.
#[derive(Debug)]
pub struct Either {
    pub word: String,
    pub operator: Option<Rvalue>,
    pub constructor: Option<Rvalue>,
}

impl Either {
    /// What is meant, by the type of the place that the value is assigned to.
    pub fn decide(self, place: &Place, locals: &[Option<Local>]) -> Parsed<Rvalue> {
        let Either { word, operator, constructor } = self;
        let built = match &constructor {
            Some(Rvalue::Aggregate(AggregateKind::Adt { ty, .. }, _)) => Some(ty.clone()),
            _ => None,
        };
        let assigned = |local: LocalId| {
            locals
                .get(regress_core::idx::Idx::index(local))
                .and_then(Option::as_ref)
                .map(|local| local.ty.clone())
        };
        let meant = match (type_of_place(place, &assigned), built) {
            (_, None) => operator,
            (Some(assigned), Some(built)) => match (assigned.kind(), built.kind()) {
                (TyKind::Adt(of, _), TyKind::Adt(built, _)) if of == built => constructor,
                (
                    TyKind::Adt(..)
                    | TyKind::Bool
                    | TyKind::Int(_)
                    | TyKind::Float(_)
                    | TyKind::Tuple(_)
                    | TyKind::RawPtr(..),
                    _,
                ) => operator,
                _ => None,
            },
            (None, Some(_)) => None,
        };
        match meant {
            Some(value) => Ok(value),
            None => fail(format!("`{word}` is both an operator and a type in this crate")),
        }
    }
}

/// The type of a place as far as the text says it.
pub fn type_of_place(place: &Place, local: &impl Fn(LocalId) -> Option<Ty>) -> Option<Ty> {
    let mut ty = local(place.local);
    for projection in &place.projection {
        ty = match projection {
            Projection::Field(_, declared) => declared.clone(),
            Projection::Deref => ty.as_ref().and_then(pointed_to),
            Projection::Index(_) | Projection::ConstantIndex { .. } => ty.as_ref().and_then(element),
            Projection::Subslice { .. } => None,
            // The fields of a variant say their types themselves.
            Projection::Downcast(_) => None,
        };
    }
    ty
}

pub fn pointed_to(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Ref(_, target) | TyKind::RawPtr(_, target) => Some(target.clone()),
        _ => None,
    }
}

pub fn element(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Array(element, _) | TyKind::Slice(element) => Some(element.clone()),
        _ => None,
    }
}

/// Whether a value can be what the place is declared to hold, judged by the outermost constructor of the types. A reading that says otherwise
/// is wrong, whatever led to it.
pub fn check_assigned(
    place: &Place,
    value: &Rvalue,
    locals: &IdxVec<LocalId, Local>,
    names: &Names,
) -> Result<(), String> {
    let Some(declared) = type_of_place(place, &|local| locals.get(local).map(|local| local.ty.clone()))
    else {
        return Ok(());
    };
    let fits = match (value, declared.kind()) {
        // Not known, or known only after normalisation.
        (_, TyKind::Projection { .. } | TyKind::Unsupported(_)) => true,
        (Rvalue::Aggregate(AggregateKind::Adt { ty, .. }, _), kind) => match (ty.kind(), kind) {
            // Variants that another crate re-exports are printed without their enum.
            (TyKind::Adt(built, _), TyKind::Adt(of, _)) => {
                built == of || !names.is_adt(built.as_str()) && !names.is_adt(of.as_str())
            }
            _ => false,
        },
        (Rvalue::Aggregate(AggregateKind::Tuple, values), TyKind::Tuple(parts)) => {
            values.len() == parts.len()
        }
        (Rvalue::Aggregate(AggregateKind::Array, _) | Rvalue::Repeat(..), kind) => {
            // A place within the wrappers of `vec![…]` is read as the whole: see `places`.
            matches!(kind, TyKind::Array(..))
                || matches!(kind, TyKind::Adt(path, _) if path == KnownType::MaybeUninit)
        }
        (Rvalue::Aggregate(AggregateKind::Tuple, _), _) => false,
        (Rvalue::CheckedBinary(..), kind) => matches!(kind, TyKind::Tuple(parts) if parts.len() == 2),
        (Rvalue::Binary(..) | Rvalue::Unary(..), TyKind::Adt(path, _)) => path == KnownType::Ordering,
        (Rvalue::Binary(..) | Rvalue::Unary(..) | Rvalue::Discriminant(_) | Rvalue::Len(_), kind) => {
            !matches!(
                kind,
                TyKind::Adt(..)
                    | TyKind::Tuple(_)
                    | TyKind::Array(..)
                    | TyKind::Ref(..)
                    | TyKind::Closure(..)
            )
        }
        (Rvalue::SizeOf(_) | Rvalue::AlignOf(_), kind) => matches!(kind, TyKind::Int(_)),
        _ => true,
    };
    match fits {
        true => Ok(()),
        false => Err(format!("a value that is no `{declared}` is assigned to one")),
    }
}

#[cfg(test)]
mod tests {
    use regress_core::idx::Idx;
    use regress_core::ir::{BinOp, Mutability};

    use super::super::terminators::Line;
    use super::super::testing::{with_parser, with_root_items};
    use super::super::types::{Parser, parse_ty};
    use super::*;

    /// What a line of a body is read as, in a crate that has the items at its root; the locals are `_0`, `_1`, ….
    fn read(roots: &[&str], locals: &[&str], line: &str) -> Parsed<Rvalue> {
        with_root_items(line, roots, |parser| {
            let types = locals.iter().map(|text| parse_ty(text, parser.scope).expect(text));
            let locals: Vec<Option<Local>> =
                types.map(|ty| Some(Local { ty, name: None, span: None })).collect();
            match parser.line()? {
                Line::Either(place, either) => either.decide(&place, &locals),
                Line::Statement(regress_core::ir::StatementKind::Assign(_, value)) => Ok(value),
                other => fail(format!("{other:?}")),
            }
        })
    }

    fn is_built(value: &Parsed<Rvalue>) -> bool {
        matches!(value, Ok(Rvalue::Aggregate(AggregateKind::Adt { .. }, _)))
    }

    #[test]
    fn an_operator_is_told_from_a_struct_by_what_is_assigned() {
        let add = "_0 = Add(copy _1, copy _2);";
        assert!(is_built(&read(&["Add"], &["Add", "u8", "u8"], add)));
        assert!(matches!(read(&["Add"], &["u8"], add), Ok(Rvalue::Binary(BinOp::Add, ..))));
        assert!(matches!(read(&[], &["u8"], add), Ok(Rvalue::Binary(BinOp::Add, ..))));
        assert!(is_built(&read(&["Add"], &["&Add"], "(*_0) = Add(copy _1, copy _2);")));
        assert!(is_built(&read(&["Add"], &["u8"], "(_0.1: Add) = Add(copy _1, copy _2);")));
        assert!(matches!(read(&["Not"], &["bool"], "_0 = Not(copy _1);"), Ok(Rvalue::Unary(..))));
        assert!(is_built(&read(&["Not"], &["Not"], "_0 = Not(copy _1);")));
        assert!(is_built(&read(&["Len"], &["Len"], "_0 = Len(copy _1);")));
        assert!(matches!(read(&["Len"], &["usize"], "_0 = Len(_1);"), Ok(Rvalue::Len(_))));
        assert!(matches!(
            read(&["discriminant"], &["isize"], "_0 = discriminant(_1);"),
            Ok(Rvalue::Discriminant(_))
        ));
        assert!(is_built(&read(&["SizeOf"], &["SizeOf"], "_0 = SizeOf(move _1);")));
        // What the place holds is not known.
        for unknown in ["T", "<T as Animal>::Food"] {
            assert!(read(&["Add"], &[unknown], add).is_err(), "{unknown}");
        }
        assert!(read(&["Add"], &[], add).is_err());
    }

    #[test]
    fn a_call_is_no_operator() {
        let line = |roots: &[&str], text: &str| with_root_items(text, roots, |parser| parser.line());
        for word in ["Lt", "Not", "Offset", "AddWithOverflow"] {
            let text = format!("_0 = {word}(copy _1, copy _2) -> [return: bb1, unwind continue];");
            assert!(matches!(line(&[word], &text), Ok(Line::Terminator(_))), "{word}");
        }
    }

    #[test]
    fn doubts_come_of_what_the_crate_defines() {
        let doubt = |roots: &[&str], text: &str| {
            with_root_items(text, roots, |parser| {
                let _ = parser.line();
                Ok(parser.scope.doubtful().is_some())
            })
            .unwrap()
        };
        let check = |roots: &[&str], text: &str| {
            assert!(doubt(roots, text), "{text}");
            assert!(!doubt(&[], text), "{text} without {roots:?}");
        };
        check(&["u32"], "_0 = copy _1 as u32 (IntToInt);");
        check(&["T"], "_0 = g::<T>(copy _1) -> [return: bb1, unwind continue];");
        check(&["N"], "_0 = const N;");
        check(&["u16", "u16::MAX"], "_0 = const u16::MAX;");
        check(&["std", "std::mem"], "_0 = std::mem::take::<u8>(copy _1) -> [return: bb1, unwind continue];");
        check(&["UbChecks"], "_0 = UbChecks;");
        check(&["NaN_f64"], "_0 = const NaN_f64;");
        assert!(!doubt(
            &["core", "core::Word"],
            "_0 = core::Word::f(copy _1) -> [return: bb1, unwind continue];"
        ));
    }

    #[test]
    fn a_const_parameter_of_an_item_in_a_body_may_be_called_as_a_constant() {
        let mut krate = CrateNames::new("k");
        krate.const_parameters_in_bodies.insert("N".to_owned());
        let names = Names::default();
        let is_doubtful = |text: &str| {
            let scope = Scope::new(&names, &krate, Vec::new());
            let constant = Parser::new(text, &scope).constant();
            assert!(constant.is_ok(), "{constant:?}");
            scope.doubtful().is_some()
        };
        assert!(is_doubtful("N"));
        assert!(!is_doubtful("M"));
        assert!(!is_doubtful("m::N"));
    }

    #[test]
    fn a_type_parameter_is_no_constant() {
        let constant = with_parser("T", |parser| parser.constant());
        assert!(!matches!(constant, Ok(regress_core::ir::Const::Param(_))), "{constant:?}");
    }

    #[test]
    fn what_does_not_fit_its_place_is_refused() {
        let fits = |ty: &str, value: &str| {
            with_root_items(value, &[], |parser| {
                let ty = parse_ty(ty, parser.scope)?;
                let locals = IdxVec::from(vec![Local { ty, name: None, span: None }]);
                let place = Place::from(LocalId::from_usize(0));
                match parser.line()? {
                    Line::Statement(regress_core::ir::StatementKind::Assign(_, value)) => {
                        Ok(check_assigned(&place, &value, &locals, parser.scope.names).is_ok())
                    }
                    other => fail(format!("{other:?}")),
                }
            })
        };
        assert_eq!(fits("u8", "_0 = Add(copy _1, copy _2);"), Ok(true));
        assert_eq!(fits("data::Point", "_0 = Add(copy _1, copy _2);"), Ok(false));
        assert_eq!(fits("data::Shape", "_0 = data::Shape::Circle(copy _1);"), Ok(true));
        assert_eq!(fits("data::Point", "_0 = data::Shape::Circle(copy _1);"), Ok(false));
        assert_eq!(fits("T", "_0 = data::Shape::Circle(copy _1);"), Ok(false));
        assert_eq!(fits("<T as Animal>::Food", "_0 = data::Shape::Circle(copy _1);"), Ok(true));
        assert_eq!(fits("(u8, bool)", "_0 = AddWithOverflow(copy _1, copy _2);"), Ok(true));
        assert_eq!(fits("u8", "_0 = AddWithOverflow(copy _1, copy _2);"), Ok(false));
        let shared = Ty::reference(Mutability::Shared, Ty::unit());
        assert_eq!(pointed_to(&shared), Some(Ty::unit()));
    }
}
