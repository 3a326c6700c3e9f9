//! What `--test` adds to a crate, taken out again: the tests are then functions like any other.
//!
//! For each test the compiler makes a constant of the same path, the *descriptor*: name, place, whether a panic is expected, and a closure
//! that calls the test. A `main` lists all descriptors. Both are equal in meaning whatever the tests do, hold line numbers, and
//! share the paths of the tests and of their closures.
//!
//! *Limits.* The descriptor stands directly in front of its test in every dump. Where the dumps do not have that form they stay as they are, and what they say of
//! the test can be read in two ways, so that it counts as changed.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A test of a crate, as its harness knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestDescriptor {
    /// The name by which the harness runs it: its path from the crate's root.
    pub name: String,
    /// What else the harness is told (whether it is ignored, whether a panic is expected), but for where the test stands.
    pub settings: String,
}

impl TestDescriptor {
    /// Whether the test passes only if a panic has a certain message.
    pub fn reads_panic(&self) -> bool {
        self.settings.contains("YesWithMessage")
    }
}

/// Fields of a descriptor that say where the test stands.
const PLACES: [&str; 5] = ["source_file", "start_line", "start_col", "end_line", "end_col"];

/// The tests of a crate, by its expanded source, and that source without descriptors. None if it does not consist of Rust's tokens.
pub fn split_tests(expanded: &str) -> Option<(Vec<TestDescriptor>, String)> {
    let stream: TokenStream = expanded.parse().ok()?;
    let mut tests = Vec::new();
    let rest = without_descriptors(stream, &mut tests);
    Some((tests, rest.to_string()))
}

fn without_descriptors(stream: TokenStream, tests: &mut Vec<TestDescriptor>) -> TokenStream {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(marker) = attribute(&tokens, at) {
            let mut words = marker.stream().into_iter();
            match words.next().map(|word| word.to_string()).as_deref() {
                Some("rustc_test_marker") => {
                    let end = end_of(&tokens, at, |token| is_punct(token, ';'));
                    let name = words.last().map(|name| name.to_string()).unwrap_or_default();
                    let settings = settings(tokens[at..end].iter().cloned().collect());
                    tests.push(TestDescriptor { name: unquoted(&name), settings });
                    at = end;
                    continue;
                }
                Some("rustc_main") => {
                    at = end_of(&tokens, at, |token| is_group(token, Delimiter::Brace));
                    continue;
                }
                _ => {}
            }
        }
        // One stands in each module with tests.
        if let Some([first, second, third, end]) = tokens.get(at..at + 4)
            && [first, second, third].map(ToString::to_string) == ["extern", "crate", "test"]
            && is_punct(end, ';')
        {
            at += 4;
            continue;
        }
        kept.push(match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_descriptors(group.stream(), tests));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other.clone(),
        });
        at += 1;
    }
    kept.into_iter().collect()
}

/// What stands in the `#[…]` that begins here.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<&Group> {
    match (tokens.get(at)?, tokens.get(at + 1)?) {
        (TokenTree::Punct(hash), TokenTree::Group(group))
            if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group)
        }
        _ => None,
    }
}

/// Behind the first of such tokens.
fn end_of(tokens: &[TokenTree], start: usize, is_last: impl Fn(&TokenTree) -> bool) -> usize {
    tokens[start..].iter().position(is_last).map_or(tokens.len(), |length| start + length + 1)
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_group(token: &TokenTree, wanted: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == wanted)
}

/// The text of a string literal, in which the compiler writes what is not ASCII as `\u{…}`.
fn unquoted(literal: &str) -> String {
    match syn::parse_str::<syn::LitStr>(literal) {
        Ok(literal) => literal.value(),
        Err(_) => literal.trim_matches('"').to_owned(),
    }
}

/// The fields of a descriptor but for those that say where it stands.
fn settings(descriptor: TokenStream) -> String {
    let mut fields = Vec::new();
    let mut open = vec![descriptor];
    while let Some(stream) = open.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        for field in tokens.split(|token| is_punct(token, ',')) {
            match field {
                [TokenTree::Ident(name), TokenTree::Punct(colon), value @ ..]
                    if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
                {
                    let is_place = PLACES.iter().any(|place| name == place);
                    match value.last() {
                        _ if is_place => {}
                        Some(TokenTree::Group(inner)) if inner.delimiter() == Delimiter::Brace => {
                            open.push(inner.stream());
                        }
                        _ => fields.push(field.iter().cloned().collect::<TokenStream>().to_string()),
                    }
                }
                _ => open.extend(field.iter().filter_map(|token| match token {
                    TokenTree::Group(group) => Some(group.stream()),
                    _ => None,
                })),
            }
        }
    }
    fields.sort();
    fields.join(", ")
}

/// A dump of bodies without descriptors and their `main`.
pub fn bodies_without_harness(dump: &str) -> String {
    let mut kept = String::with_capacity(dump.len());
    let mut state = State::default();
    let mut rest = dump;
    while let Some(line) = rest.split_inclusive('\n').next() {
        let is_header = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '<')
            && !line.starts_with("alloc");
        if is_header {
            let item = match rest.find("\n}\n") {
                Some(end) if line.trim_end().ends_with('{') => &rest[..end],
                _ => line,
            };
            state.enter(line.trim_end(), || item.contains("test_main_static("));
        }
        if state.descriptor.is_none() {
            kept.push_str(line);
        }
        rest = &rest[line.len()..];
    }
    kept
}

/// A dump of control-flow graphs without those of descriptors and their `main`.
pub fn graphs_without_harness(dump: &str) -> String {
    let mut kept = String::with_capacity(dump.len());
    let mut state = State::default();
    for graph in dump.split_inclusive("\nsubgraph ") {
        let label = graph.lines().find_map(|line| line.trim_start().strip_prefix("label=<"));
        if let Some(label) = label {
            let end = label.find("<br align").unwrap_or(label.len());
            let header = label[..end].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            state.enter(&header, || graph.contains("test_main_static("));
        }
        if state.descriptor.is_none() {
            kept.push_str(graph);
        }
    }
    kept
}

/// Whether what comes belongs to a descriptor: its path.
#[derive(Default)]
struct State {
    descriptor: Option<String>,
}

impl State {
    /// At a header: `const NAME: TYPE = {`, or `fn NAME() -> TYPE` for either kind of item.
    fn enter(&mut self, header: &str, lists_tests: impl Fn() -> bool) {
        let is_descriptor = header.trim_end_matches(" = {").ends_with("TestDescAndFn");
        let path = header.strip_prefix("const ").or_else(|| header.strip_prefix("fn ")).unwrap_or(header);
        if is_descriptor && !path.contains("::promoted[") && !path.starts_with("<") {
            let end = path.find(['(', ' ']).unwrap_or(path.len());
            self.descriptor = Some(path[..end].trim_end_matches(':').to_owned());
        } else if header.starts_with("fn main()") && lists_tests() {
            self.descriptor = Some("main".to_owned());
        } else if let Some(descriptor) = &self.descriptor {
            let below = path.strip_prefix(descriptor.as_str());
            if !below.is_some_and(|below| below.starts_with("::")) {
                self.descriptor = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODIES: &str = "fn tests::helper() -> u32 {\n    bb0: {\n    }\n}\n\n\
        const tests::a: tests::test::TestDescAndFn = {\n    let mut _0: u8;\n}\n\nalloc2 (size: 1) {\n    00\n}\n\n\
        fn tests::a::{closure#0}(_1: &{closure@tests::a::{closure#0}}) -> std::result::Result<(), std::string::String> {\n    1\n}\n\n\
        fn tests::a() -> () {\n    own\n}\n\nfn tests::a::{closure#0}(_1: u8) -> u8 {\n    own closure\n}\n\n\
        const tests::a::promoted[0]: &u32 = {\n    own constant\n}\n\n\
        fn main() -> () {\n    _0 = test::test_main_static(move _1);\n}\n\nconst main::promoted[0]: &[&test::TestDescAndFn; 1] = {\n    x\n}\n";

    #[test]
    fn bodies_of_the_harness_go() {
        let kept = bodies_without_harness(BODIES);
        let headers: Vec<&str> = kept.lines().filter(|line| line.ends_with(" {")).collect();
        let expected = [
            "fn tests::helper() -> u32 {",
            "    bb0: {",
            "fn tests::a() -> () {",
            "fn tests::a::{closure#0}(_1: u8) -> u8 {",
            "const tests::a::promoted[0]: &u32 = {",
        ];
        assert_eq!(headers, expected);
        assert!(kept.contains("own constant") && !kept.contains("TestDescAndFn") && !kept.contains("alloc2"));
    }

    #[test]
    fn a_main_of_the_crate_stays() {
        let own = "fn main() -> () {\n    _0 = run();\n}\n";
        assert_eq!(bodies_without_harness(own), own);
    }

    #[test]
    fn graphs_of_the_harness_go() {
        let graph = |header: &str, text: &str| {
            format!("subgraph cluster_Mir {{\n    label=<{header}<br align=\"left\"/>>;\n    {text}\n}}\n")
        };
        let all = [
            graph("fn main() -&gt; ()", "its own"),
            graph("fn tests::a() -&gt; tests::test::TestDescAndFn", "descriptor"),
            graph("fn tests::a::{closure#0}(_1: &amp;u8) -&gt; u8", "call"),
            graph("fn tests::a() -&gt; ()", "test"),
            graph("fn tests::a::{closure#0}(_1: u8) -&gt; u8", "closure of the test"),
            graph("fn main() -&gt; ()", "test_main_static(move _1)"),
        ];
        let kept = graphs_without_harness(&format!("digraph __crate__ {{\n{}}}\n", all.concat()));
        let has = |text: &str| kept.contains(text);
        assert!(has("its own") && has("    test\n") && has("closure of the test"), "{kept}");
        assert!(!has("descriptor") && !has("call") && !has("test_main_static"), "{kept}");
    }

    #[test]
    fn names_that_are_not_ascii_are_those_of_the_source() {
        assert_eq!(unquoted(r#""gr\u{f6}\u{df}e::passt""#), "größe::passt");
        assert_eq!(unquoted(r#""tests::a""#), "tests::a");
    }

    #[test]
    fn descriptors_tell_names_and_settings() {
        let descriptor = |line: u32, panics: &str| {
            format!(
                "mod tests {{ extern crate test; #[rustc_test_marker = \"tests::a\"] #[doc(hidden)] pub const a: test::TestDescAndFn = \
                 test::TestDescAndFn {{ desc: test::TestDesc {{ name: test::StaticTestName(\"tests::a\"), ignore: false, \
                 source_file: \"src/lib.rs\", start_line: {line}usize, should_panic: test::ShouldPanic::{panics} }}, \
                 testfn: test::StaticTestFn(#[coverage(off)] || test::assert_test_result(a())) }}; fn a() {{ f(); }} }} \
                 #[rustc_main] pub fn main() -> () {{ extern crate test; test::test_main_static(&[&a]) }} fn rest() {{}}"
            )
        };
        let read = |text: &str| split_tests(text).unwrap();
        let (tests, rest) = read(&descriptor(1, "No"));
        assert_eq!(tests.iter().map(|test| test.name.as_str()).collect::<Vec<_>>(), ["tests::a"]);
        assert_eq!(rest.split_whitespace().collect::<String>(), "modtests{fna(){f();}}fnrest(){}");
        assert_eq!(tests, read(&descriptor(9, "No")).0);
        assert!(!tests[0].reads_panic());
        let panics = read(&descriptor(1, "YesWithMessage(\"x\")")).0;
        assert_ne!(tests, panics);
        assert!(panics[0].reads_panic());
    }
}
