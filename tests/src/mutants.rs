//! Small changes to a source file, each a slip that a programmer might make: one operator is another, a negation is gone, a
//! number is off by one.
//!
//! What stands inside macro calls and definitions, in tests and in attributes is left alone.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One change to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Bytes of the file that are replaced.
    pub at: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    pub from: String,
    pub to: String,
}

impl Mutant {
    /// The file with the change in it.
    pub fn apply(&self, source: &str) -> String {
        format!("{}{}{}", &source[..self.at.start], self.to, &source[self.at.end..])
    }
}

/// All mutants of a file, in the order in which they stand in it; none if it cannot be parsed.
pub fn mutants(source: &str) -> Vec<Mutant> {
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    let mut finder = Finder { source, found: Vec::new() };
    finder.visit_file(&file);
    finder.found.sort_by_key(|mutant| mutant.at.start);
    finder.found
}

struct Finder<'s> {
    source: &'s str,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn replace(&mut self, span: Span, to: impl Into<String>) {
        let at = span.byte_range();
        let Some(from) = self.source.get(at.clone()) else { return };
        self.found.push(Mutant { line: span.start().line, from: from.to_owned(), to: to.into(), at });
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        // `x + 0` is `x - 0`: no change at all.
        let of_nothing = matches!(expr.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_)) && is_zero(&expr.right);
        if let Some(other) = other_operator(&expr.op).filter(|_| !of_nothing) {
            self.replace(expr.op.span(), other);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        if let syn::UnOp::Not(not) = &expr.op {
            self.replace(not.span(), "");
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_lit(&mut self, expr: &'ast syn::ExprLit) {
        if let syn::Lit::Int(int) = &expr.lit
            && let Ok(value) = int.base10_parse::<u128>()
            && let Some(next) = value.checked_add(1)
        {
            self.replace(int.span(), format!("{next}{}", int.suffix()));
        }
    }
}

fn is_zero(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
            int.base10_parse().is_ok_and(|value: u128| value == 0)
        }
        _ => false,
    }
}

/// `#[test]`, `#[cfg(test)]` and the like.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => {
            attribute.path().is_ident("cfg") && list.tokens.to_string().split_whitespace().eq(["test"])
        }
        _ => attribute.path().is_ident("test"),
    })
}

/// The operator that a slip makes of this one.
fn other_operator(op: &syn::BinOp) -> Option<&'static str> {
    use syn::BinOp as Op;
    Some(match op {
        Op::Add(_) => "-",
        Op::Sub(_) => "+",
        Op::Mul(_) => "+",
        Op::Div(_) => "*",
        Op::Rem(_) => "/",
        Op::And(_) => "||",
        Op::Or(_) => "&&",
        Op::BitXor(_) => "|",
        Op::BitAnd(_) => "|",
        Op::BitOr(_) => "&",
        Op::Shl(_) => ">>",
        Op::Shr(_) => "<<",
        Op::Eq(_) => "!=",
        Op::Ne(_) => "==",
        Op::Lt(_) => "<=",
        Op::Le(_) => "<",
        Op::Gt(_) => ">=",
        Op::Ge(_) => ">",
        Op::AddAssign(_) => "-=",
        Op::SubAssign(_) => "+=",
        Op::MulAssign(_) => "+=",
        Op::DivAssign(_) => "*=",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes, as `line: from -> to`.
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<String> = mutants(source)
            .iter()
            .map(|mutant| format!("{}: {} -> {}", mutant.line, mutant.from, mutant.to))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn operators_negations_and_numbers_are_changed() {
        check(
            "fn f(x: u8) -> bool {\n    !(x + 2 < 7u8)\n}",
            &["2: ! -> ", "2: + -> -", "2: 2 -> 3", "2: < -> <=", "2: 7u8 -> 8u8"],
        );
    }

    #[test]
    fn what_means_the_same_is_no_change() {
        check("fn f(x: u8) -> u8 { x + 0 }", &["1: 0 -> 1"]);
        check("fn f(x: u8) -> u8 { 0 - x }", &["1: 0 -> 1", "1: - -> +"]);
    }

    #[test]
    fn tests_macros_and_attributes_are_left_alone() {
        check("#[cfg(test)]\nmod tests { fn f() -> u8 { 1 } }\n#[test]\nfn t() { g(1) }", &[]);
        check("#[repr(align(8))]\nstruct S;\nfn f() { assert!(1 < 2); }", &[]);
        check("fn f( {", &[]);
    }

    #[test]
    fn only_the_place_of_the_change_differs() {
        // Columns are not bytes: there is a wide character before the operator.
        let source = "fn f(s: &str) -> bool { s == \"é\" && s != \"x\" }";
        let mutants = mutants(source);
        let texts: Vec<String> = mutants.iter().map(|mutant| mutant.apply(source)).collect();
        assert_eq!(texts[1], "fn f(s: &str) -> bool { s == \"é\" || s != \"x\" }");
        assert_eq!(texts[2], "fn f(s: &str) -> bool { s == \"é\" && s == \"x\" }");
    }
}
