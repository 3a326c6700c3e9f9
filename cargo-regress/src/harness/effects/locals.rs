//! Which names in a function's body are those of its variables, of fields or of labels, so that no function is meant.
//!
//! Follows the rules of scopes. What it cannot follow it does not list: such a name counts as a function's.
//!
//! *Not listed.* Names in items among the statements, and in arguments of macros other than those of the standard library that
//! take expressions. Variables whose pattern or statement has an attribute may be absent, so they hide nothing. A block that
//! imports all names of a module hides the variables around it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// Macros of the standard library whose arguments are expressions.
const OF_EXPRESSIONS: [&str; 18] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// The places in the source text where no function is meant, each with the macros in whose arguments it is.
#[derive(Debug, Default)]
pub struct Locals {
    found: BTreeMap<usize, Vec<String>>,
    scopes: Vec<Scope>,
    macros: Vec<String>,
}

#[derive(Debug, Default)]
struct Scope {
    names: BTreeSet<String>,
    /// Whether names from elsewhere may hide the variables around it.
    imports_all: bool,
}

impl Locals {
    /// Those in the body of a function.
    pub fn of(sig: &syn::Signature, block: &syn::Block) -> Locals {
        let mut locals = Locals::default();
        locals.scoped(|locals| {
            for input in &sig.inputs {
                match input {
                    syn::FnArg::Typed(input) => locals.bind(&input.attrs, &input.pat),
                    syn::FnArg::Receiver(_) => {}
                }
            }
            locals.visit_block(block);
        });
        locals
    }

    /// The macros in whose arguments the name stands, outermost first. None if it may be a function's.
    pub fn at(&self, name: &syn::Ident) -> Option<&[String]> {
        self.found.get(&place(name)?).map(Vec::as_slice)
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope::default());
        visit(self);
        self.scopes.pop();
    }

    fn add(&mut self, name: &syn::Ident) {
        self.found.extend(place(name).map(|place| (place, self.macros.clone())));
    }

    fn is_variable(&self, name: &syn::Ident) -> bool {
        let name = name.to_string();
        for scope in self.scopes.iter().rev() {
            if scope.names.contains(&name) {
                return true;
            }
            if scope.imports_all {
                return false;
            }
        }
        false
    }

    /// The variables of the pattern are in scope from here on, if it is sure to be compiled.
    fn bind(&mut self, attrs: &[syn::Attribute], pat: &syn::Pat) {
        if attrs.is_empty() && !has_attribute(pat.to_token_stream()) {
            self.visit_pat(pat);
        } else {
            self.scoped(|locals| locals.visit_pat(pat));
        }
    }

    /// What a macro of the standard library is given.
    fn arguments(&mut self, name: String, tokens: &TokenStream) {
        let listed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let repeated = |input: ParseStream<'_>| {
            let elem: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok([elem, input.parse()?])
        };
        let arguments: Vec<syn::Expr> = match listed.parse2(tokens.clone()) {
            Ok(arguments) => arguments.into_iter().collect(),
            Err(_) => repeated.parse2(tokens.clone()).map(Vec::from).unwrap_or_default(),
        };
        self.macros.push(name);
        for argument in &arguments {
            self.scoped(|locals| locals.visit_expr(argument));
        }
        self.macros.pop();
    }
}

/// Where the name stands. None of names that come from no text.
fn place(name: &syn::Ident) -> Option<usize> {
    let range = name.span().byte_range();
    (!range.is_empty()).then_some(range.start)
}

fn has_attribute(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Group(group) => has_attribute(group.stream()),
        _ => false,
    })
}

fn imports_all(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Path(path) => imports_all(&path.tree),
        syn::UseTree::Group(group) => group.items.iter().any(imports_all),
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) => false,
    }
}

impl<'ast> Visit<'ast> for Locals {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let imports = |statement: &syn::Stmt| match statement {
            syn::Stmt::Item(syn::Item::Use(item)) => imports_all(&item.tree),
            _ => false,
        };
        let imports_all = block.stmts.iter().any(imports);
        self.scopes.push(Scope { names: BTreeSet::new(), imports_all });
        visit::visit_block(self, block);
        self.scopes.pop();
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            visit::visit_local_init(self, init);
        }
        self.bind(&local.attrs, &local.pat);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.scoped(|locals| {
            for input in &closure.inputs {
                locals.bind(&[], input);
            }
            locals.visit_expr(&closure.body);
        });
    }

    fn visit_expr_for_loop(&mut self, item: &'ast syn::ExprForLoop) {
        item.label.iter().for_each(|label| self.visit_label(label));
        self.visit_expr(&item.expr);
        self.scoped(|locals| {
            locals.bind(&[], &item.pat);
            locals.visit_block(&item.body);
        });
    }

    fn visit_expr_if(&mut self, item: &'ast syn::ExprIf) {
        self.scoped(|locals| {
            locals.visit_expr(&item.cond);
            locals.visit_block(&item.then_branch);
        });
        item.else_branch.iter().for_each(|(_, branch)| self.visit_expr(branch));
    }

    fn visit_expr_while(&mut self, item: &'ast syn::ExprWhile) {
        self.scoped(|locals| visit::visit_expr_while(locals, item));
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|locals| {
            locals.bind(&[], &arm.pat);
            locals.visit_expr(&arm.body);
        });
    }

    fn visit_expr_let(&mut self, item: &'ast syn::ExprLet) {
        self.visit_expr(&item.expr);
        self.bind(&[], &item.pat);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.add(&pat.ident);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(pat.ident.to_string());
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if let (syn::Member::Named(name), Some(_)) = (&field.member, &field.colon_token) {
            self.add(name);
        }
        self.visit_pat(&field.pat);
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if let (syn::Member::Named(name), Some(_)) = (&field.member, &field.colon_token) {
            self.add(name);
        }
        self.visit_expr(&field.expr);
    }

    fn visit_expr_field(&mut self, item: &'ast syn::ExprField) {
        if let syn::Member::Named(name) = &item.member {
            self.add(name);
        }
        self.visit_expr(&item.base);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.add(&lifetime.ident);
    }

    fn visit_expr_path(&mut self, item: &'ast syn::ExprPath) {
        match item.path.get_ident().filter(|_| item.qself.is_none()) {
            Some(name) if self.is_variable(name) => self.add(name),
            _ => visit::visit_expr_path(self, item),
        }
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let segments: Vec<String> =
            item.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let name = match segments.as_slice() {
            [name] => name,
            [first, name] if matches!(first.as_str(), "std" | "core" | "alloc") => name,
            _ => return,
        };
        if OF_EXPRESSIONS.contains(&name.as_str()) {
            self.arguments(name.clone(), &item.tokens);
        }
    }
}
