//! Which functions tests enter.
//!
//! A copy of the version gets a *probe* at the beginning of each function of the library: a call that notes its number when it is first passed, in whatever thread.
//! All tests are built in this copy once, and run one by one.
//!
//! *Not observed*, and so not told of: what macros make, `const fn` (which the compiler may run), `async fn` (which is entered when it is polled), and what stands under
//! an attribute that is not known: it may be a macro that puts other code in front of the body.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::coverage::Probe;
use super::executable::{self, FolderLock};
use super::instrument::{Fallbacks, Owner, Plan};
use super::request::{HarnessError, HarnessRequest};
use super::scan::Lines;
use super::syntax::{for_tests_only, pass_over_what_the_compiler_evaluates, without_shebang};
use super::testing::{self, BuiltTests, Test, TestEnd};
use super::tests_with_glue::{GlueForTests, build_until};

/// A function with a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the workspace's root.
    pub file: Utf8PathBuf,
    pub name: String,
    /// From the first attribute to the line of the body's opening brace.
    pub header: Lines,
    /// Behind that brace, in bytes.
    at: usize,
}

/// The tests of a package, built with probes.
pub struct ProbedTests {
    /// By the number of the probe; none if it does not compile.
    pub entries: Vec<Option<Entry>>,
    request: HarnessRequest,
    built: BuiltTests,
    copy: Utf8PathBuf,
    _building: FolderLock,
}

impl ProbedTests {
    /// Builds the tests of the package of a library.
    pub fn build(request: HarnessRequest) -> Result<ProbedTests, HarnessError> {
        let building = executable::lock(&request.out_dir)?;
        let mut entries: Vec<Option<Entry>> = Vec::new();
        let mut render = |plan: &Plan, fallbacks: &Fallbacks| {
            let all = plan.texts().flat_map(|(file, text)| self::entries(file, text));
            let is_left = |(number, entry): (usize, Entry)| {
                (!fallbacks.contains_key(&Owner::Probe(number))).then_some(entry)
            };
            entries = all.enumerate().map(is_left).collect();
            let probe =
                |entry: &Entry| Probe { file: entry.file.clone(), at: entry.at, lines: entry.header.clone() };
            let probes: Vec<Option<Probe>> = entries.iter().map(|entry| entry.as_ref().map(probe)).collect();
            plan.render_with_probes(&probes, fallbacks)
        };
        let build = |copy: &Utf8Path| testing::build(&request, copy);
        let glue = GlueForTests { replaced: &BTreeMap::new(), render: &mut render, build: &build };
        let (built, copy) = build_until(&request, glue, |copy, built| {
            let is_whole = built.errors.is_empty() && built.refused.is_empty();
            Ok(if is_whole {
                ControlFlow::Break((built, copy.to_owned()))
            } else {
                ControlFlow::Continue(built)
            })
        })?;
        Ok(ProbedTests { entries, request, built, copy, _building: building })
    }

    /// The numbers of the probes that the test passes. None unless it passes itself.
    pub fn run(
        &self,
        test: &Test,
        number: usize,
        limit: Duration,
    ) -> Result<Option<BTreeSet<usize>>, HarnessError> {
        let file = self.request.out_dir.join(format!("entered-{number}"));
        let _ = fs::remove_file(&file);
        let env = [("CARGO_REGRESS_COVERAGE", file.as_str())];
        let end = testing::run(&self.request, &self.copy, &self.built, test, &env, limit)?;
        // A test that enters nothing writes nothing.
        let written = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(&file);
        let numbers: BTreeSet<usize> = written.lines().filter_map(|line| line.parse().ok()).collect();
        Ok((end == Some(TestEnd::Passed)).then_some(numbers))
    }
}

/// Attributes that leave a function what it is.
const HARMLESS: [&str; 27] = [
    "allow",
    "cfg",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "ignore",
    "inline",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "path",
    "rustfmt",
    "rustversion",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "unsafe",
    "warn",
];

fn are_harmless(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        let is_known = |name: Option<String>| name.is_some_and(|name| HARMLESS.contains(&name.as_str()));
        let name = attribute.path().segments.first().map(|segment| segment.ident.to_string());
        match &attribute.meta {
            syn::Meta::List(list) if attribute.path().is_ident("cfg_attr") => {
                // What stands behind the condition.
                let tokens: Vec<_> = list.tokens.clone().into_iter().collect();
                let mut parts = tokens.split(
                    |token| matches!(token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ','),
                );
                parts.next();
                parts
                    .filter(|part| !part.is_empty())
                    .all(|part| is_known(part.first().map(ToString::to_string)))
            }
            _ => is_known(name),
        }
    })
}

/// The functions of a file that can have a probe.
fn entries(file: &Utf8Path, text: &str) -> Vec<Entry> {
    let Ok(parsed) = syn::parse_file(&without_shebang(text)) else { return Vec::new() };
    let mut found = Entries { file, entries: Vec::new() };
    found.visit_file(&parsed);
    found.entries.sort_by_key(|entry| entry.at);
    found.entries
}

struct Entries<'s> {
    file: &'s Utf8Path,
    entries: Vec<Entry>,
}

impl Entries<'_> {
    /// Whether the function can have one; whatever it is, its body may hold others.
    fn function(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, block: &syn::Block) {
        if !are_harmless(attributes) || for_tests_only(attributes) {
            return;
        }
        if signature.constness.is_none() && signature.asyncness.is_none() {
            let brace = block.brace_token.span.open();
            let first = attributes.first().map_or_else(|| signature.span(), syn::spanned::Spanned::span);
            self.entries.push(Entry {
                file: self.file.to_owned(),
                name: signature.ident.to_string(),
                header: first.start().line as u32..=brace.start().line as u32,
                at: brace.byte_range().end,
            });
        }
        visit::visit_block(self, block);
    }
}

impl<'ast> Visit<'ast> for Entries<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if are_harmless(&item.attrs) && !for_tests_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if are_harmless(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        if are_harmless(&item.attrs) {
            visit::visit_item_trait(self, item);
        }
    }

    pass_over_what_the_compiler_evaluates!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_surely_entered_at_its_body_has_a_probe() {
        let text = "/// Some.\n#[inline]\npub fn a(x: u8)\n    -> u8\n{\n    fn inner() {}\n    x\n}\nconst fn b() {}\nasync fn c() {}\n\
                    #[cached]\nfn d() {}\n#[cfg_attr(docs, doc(hidden))]\nfn e() {}\n#[cfg_attr(feature = \"x\", traced)]\nfn f() {}\n\
                    #[async_trait]\nimpl T for S { fn g() {} }\nimpl S { fn h(&self) { } }\ntrait T { fn g(); fn i() { } }\n\
                    made! { fn j() {} }\n#[cfg(test)]\nmod tests { fn k() {} }\n";
        let found = entries(Utf8Path::new("src/lib.rs"), text);
        let names: Vec<&str> = found.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["a", "inner", "e", "h", "i"]);
        assert_eq!(found[0].header, 1..=5);
        assert!(text[found[0].at..].starts_with("\n    fn inner"));
    }
}
