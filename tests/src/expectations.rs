//! Reads the expectations off a fixture's lines.
//!
//! ```text
//! pub fn above(x: u32) -> bool { //~ BEHAVIOUR, AFFECTED
//!     x > LIMIT //~ SUSPECT
//! ```
//!
//! A mark in a function's header holds clauses, separated by commas. The first is the verdict, or several of them
//! separated by `|`; then `AFFECTED`, `NO_NEW_PANIC`, `PARTITIONS strategy=count …` or `TAKES kind` may follow. Anywhere else only `SUSPECT` and
//! `NEEDED` may stand. A function in a body is known only if its header has a mark. This is a line scanner, not a Rust parser: it wants what rustfmt would write, namely a body on its own
//! lines and the closing brace of an item in the column where the item began. What does not fit is an error.

use thiserror::Error;

/// A verdict as it is written in a fixture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tag {
    Equal,
    EqualWithin,
    NoDifference,
    NotAnalysed,
    Regression,
    Fix,
    Behaviour,
    /// A difference of any class.
    Differs,
    Unchanged,
    Added,
    Removed,
    Signature,
}

impl Tag {
    const NAMES: [(&'static str, Tag); 12] = [
        ("EQUAL", Tag::Equal),
        ("EQUAL_WITHIN", Tag::EqualWithin),
        ("NO_DIFFERENCE", Tag::NoDifference),
        ("NOT_ANALYSED", Tag::NotAnalysed),
        ("REGRESSION", Tag::Regression),
        ("FIX", Tag::Fix),
        ("BEHAVIOUR", Tag::Behaviour),
        ("DIFFERS", Tag::Differs),
        ("UNCHANGED", Tag::Unchanged),
        ("ADDED", Tag::Added),
        ("REMOVED", Tag::Removed),
        ("SIGNATURE", Tag::Signature),
    ];

    fn of(text: &str) -> Option<Tag> {
        Tag::NAMES.iter().find(|(name, _)| *name == text).map(|&(_, tag)| tag)
    }

    /// As it is written in a fixture.
    pub fn name(self) -> &'static str {
        Tag::NAMES.iter().find(|&&(_, tag)| tag == self).map_or("?", |(name, _)| name)
    }

    /// Says that the versions do the same, as far as they were compared.
    pub fn claims_same(self) -> bool {
        matches!(self, Tag::Equal | Tag::EqualWithin | Tag::NoDifference)
    }

    /// Says that there is an input on which the versions differ.
    pub fn claims_difference(self) -> bool {
        matches!(self, Tag::Regression | Tag::Fix | Tag::Behaviour | Tag::Differs)
    }
}

/// How many parts a strategy is to divide the inputs into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitions {
    pub strategy: String,
    pub count: u64,
}

/// What a header's mark says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Any of these.
    pub verdicts: Vec<Tag>,
    pub kind: ExpectedKind,
    pub partitions: Vec<Partitions>,
    /// What is told of several changes: `alone`, `together`, `either` or `masked`.
    pub takes: Option<String>,
    pub new_panics: NewPanics,
    /// The condition outside of which both versions are proved to do the same.
    pub affected_when: Option<String>,
}

/// What must be said of panics that only the new version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewPanics {
    /// Whatever is true.
    Any,
    ProvedNone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedKind {
    /// Whatever goes with the verdict.
    Any,
    /// The body did not change, something that it uses did.
    Affected,
}

/// One function of a fixture's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// `module::Type::method`, `<Type as Trait>::method`, without generic arguments.
    pub path: String,
    pub name: String,
    pub first_line: u32,
    /// The line on which the body opens.
    pub header_end: u32,
    pub last_line: u32,
    pub expectation: Option<Expectation>,
    /// Lines marked `SUSPECT` in it.
    pub suspects: Vec<u32>,
}

/// A changed line that differences of these functions take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    pub line: u32,
    /// By path; without any, the function that the line lies in.
    pub of: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    pub functions: Vec<Function>,
    /// Lines marked `SUSPECT` outside of functions: changed constants and the like.
    pub loose_suspects: Vec<u32>,
    pub needed: Vec<Needed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct MarkError {
    pub line: u32,
    pub problem: MarkProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MarkProblem {
    #[error("`{0}` is no expectation; see fixtures/README.md for the words there are")]
    UnknownWord(String),
    #[error("`{0}` is not of the form `PARTITIONS strategy=count`")]
    BadPartitions(String),
    #[error("the first word must be a verdict")]
    NoVerdict,
    #[error("only SUSPECT and NEEDED may stand outside of a function's header or a `pub use`")]
    Misplaced,
    #[error("a second expectation in one header")]
    Twice,
    #[error("write the body of `{0}` on lines of its own")]
    OneLineBody(String),
    #[error("`{0}` is not closed by a brace in the column where it begins")]
    Unclosed(String),
}

/// An open `mod`, `impl` or `trait`.
struct Scope {
    indent: usize,
    segment: String,
}

/// A function whose closing brace has not come yet.
struct Open {
    indent: usize,
    state: OpenState,
    function: Function,
    /// What is open in its body.
    inner: Vec<Scope>,
}

#[derive(PartialEq, Eq)]
enum OpenState {
    Header,
    Body,
}

/// The functions of a source text with what is expected of them.
pub fn parse(source: &str) -> Result<Marked, MarkError> {
    let mut marked = Marked::default();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut open: Option<Open> = None;
    for (index, text) in source.lines().enumerate() {
        let line = index as u32 + 1;
        let fail = |problem| MarkError { line, problem };
        let (code, mark) = match text.split_once("//~") {
            Some((code, mark)) => (code.trim_end(), Some(mark.trim())),
            None => (text.split("//").next().unwrap_or("").trim_end(), None),
        };
        let indent = code.len() - code.trim_start().len();
        let code = code.trim();

        if open.is_none() {
            if code.starts_with('}') && scopes.last().is_some_and(|scope| scope.indent == indent) {
                scopes.pop();
            } else if let Some(name) = function_name(code) {
                let path = path_of(&scopes, &name);
                let function = Function {
                    path,
                    name,
                    first_line: line,
                    header_end: line,
                    last_line: line,
                    expectation: None,
                    suspects: Vec::new(),
                };
                open = Some(Open { indent, state: OpenState::Header, function, inner: Vec::new() });
            } else if code.ends_with('{')
                && let Some(segment) = scope_segment(code)
            {
                scopes.push(Scope { indent, segment });
            }
        }

        let needed =
            mark.and_then(|mark| mark.strip_prefix("SUSPECT, ").unwrap_or(mark).strip_prefix("NEEDED"));
        if let Some(names) = needed {
            let mut of: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
            if of.is_empty() {
                let within = open.as_ref().ok_or_else(|| fail(MarkProblem::Misplaced))?;
                of.push(within.function.path.clone());
            }
            marked.needed.push(Needed { line, of });
        }
        let mark = match mark {
            Some(mark) if needed.is_some() => mark.starts_with("SUSPECT").then_some("SUSPECT"),
            mark => mark,
        };
        let Some(current) = &mut open else {
            match mark {
                Some("SUSPECT") => marked.loose_suspects.push(line),
                Some(clauses) => {
                    let name = re_exported_name(code).ok_or_else(|| fail(MarkProblem::Misplaced))?;
                    marked.functions.push(Function {
                        path: path_of(&scopes, &name),
                        name,
                        first_line: line,
                        header_end: line,
                        last_line: line,
                        expectation: Some(parse_clauses(clauses).map_err(fail)?),
                        suspects: Vec::new(),
                    });
                }
                None => {}
            }
            continue;
        };
        let function = &mut current.function;
        function.last_line = line;
        match mark {
            Some("SUSPECT") => function.suspects.push(line),
            Some(clauses) if current.state == OpenState::Body => {
                let name = function_name(code).ok_or_else(|| fail(MarkProblem::Misplaced))?;
                marked.functions.push(Function {
                    path: format!("{}::{}", function.path, path_of(&current.inner, &name)),
                    name,
                    first_line: line,
                    header_end: line,
                    last_line: line,
                    expectation: Some(parse_clauses(clauses).map_err(fail)?),
                    suspects: Vec::new(),
                });
            }
            Some(_) if function.expectation.is_some() => return Err(fail(MarkProblem::Twice)),
            Some(clauses) => function.expectation = Some(parse_clauses(clauses).map_err(fail)?),
            None => {}
        }
        match current.state {
            OpenState::Header if code.ends_with(';') => open = None,
            OpenState::Header if code.ends_with('{') => {
                function.header_end = line;
                current.state = OpenState::Body;
            }
            OpenState::Header if code.ends_with('}') => {
                return Err(fail(MarkProblem::OneLineBody(function.path.clone())));
            }
            OpenState::Header => {}
            OpenState::Body if code.starts_with('}') && indent == current.indent => {
                marked.functions.extend(open.take().map(|open| open.function));
            }
            OpenState::Body if code.starts_with('}') => {
                current.inner.pop_if(|scope| scope.indent == indent);
            }
            OpenState::Body if code.ends_with('{') => {
                current.inner.extend(scope_segment(code).map(|segment| Scope { indent, segment }));
            }
            OpenState::Body => {}
        }
    }
    match open {
        Some(open) => Err(MarkError {
            line: open.function.first_line,
            problem: MarkProblem::Unclosed(open.function.path),
        }),
        None => Ok(marked),
    }
}

fn parse_clauses(text: &str) -> Result<Expectation, MarkProblem> {
    // A condition may have commas, and is the last clause.
    let (text, condition) = match text.split_once(AFFECTED_WHEN) {
        Some((before, condition)) => (before.trim_end_matches([',', ' ']), Some(condition.trim().to_owned())),
        None => (text, None),
    };
    let mut clauses = text.split(',').map(str::trim);
    let first = clauses.next().unwrap_or("");
    if first.is_empty() {
        return Err(MarkProblem::NoVerdict);
    }
    let verdicts = first
        .split('|')
        .map(|word| Tag::of(word.trim()).ok_or_else(|| MarkProblem::UnknownWord(word.trim().to_string())))
        .collect::<Result<Vec<Tag>, MarkProblem>>()?;
    let mut expectation = Expectation {
        verdicts,
        kind: ExpectedKind::Any,
        partitions: Vec::new(),
        takes: None,
        new_panics: NewPanics::Any,
        affected_when: condition,
    };
    for clause in clauses {
        if clause == "AFFECTED" {
            expectation.kind = ExpectedKind::Affected;
        } else if clause == "NO_NEW_PANIC" {
            expectation.new_panics = NewPanics::ProvedNone;
        } else if let Some(kind) = clause.strip_prefix("TAKES ") {
            expectation.takes = Some(kind.trim().to_owned());
        } else if let Some(counts) = clause.strip_prefix("PARTITIONS ") {
            for count in counts.split_whitespace() {
                expectation.partitions.push(
                    parse_partitions(count).ok_or_else(|| MarkProblem::BadPartitions(count.to_string()))?,
                );
            }
        } else {
            return Err(MarkProblem::UnknownWord(clause.to_string()));
        }
    }
    Ok(expectation)
}

/// Before the condition outside of which both versions must be proved to do the same.
const AFFECTED_WHEN: &str = "AFFECTED_WHEN ";

fn parse_partitions(text: &str) -> Option<Partitions> {
    let (strategy, count) = text.split_once('=')?;
    Some(Partitions { strategy: strategy.to_string(), count: count.parse().ok()? })
}

/// The name that `pub use a::f;` or `pub use a::f as g;` gives to a function.
fn re_exported_name(code: &str) -> Option<String> {
    let tree = code.strip_prefix("pub use ")?.strip_suffix(';')?;
    tree.rsplit([':', ' ']).next().map(str::to_owned)
}

/// The name behind `fn`, if the line begins a function.
fn function_name(code: &str) -> Option<String> {
    let mut words = code.split_whitespace();
    let mut word = words.next()?;
    while matches!(word, "pub" | "const" | "unsafe" | "async" | "extern" | "\"C\"" | "\"system\"")
        || word.starts_with("pub(")
    {
        word = words.next()?;
    }
    let name = if word == "fn" { words.next()? } else { return None };
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    Some(name[..end].to_string())
}

/// The path segment that a `mod`, `impl` or `trait` line adds; none for structs, enums and the rest.
fn scope_segment(code: &str) -> Option<String> {
    let code = code.strip_prefix("pub ").unwrap_or(code).trim_end_matches('{').trim();
    if let Some(name) = code.strip_prefix("mod ").or_else(|| code.strip_prefix("trait ")) {
        return Some(without_generics(name.split(':').next().unwrap_or(name)));
    }
    let header = code.strip_prefix("impl")?;
    let header = skip_generics(header).split(" where ").next().unwrap_or("").trim();
    Some(match header.split_once(" for ") {
        Some((of, ty)) => format!("<{} as {}>", without_generics(ty), without_generics(of)),
        None => without_generics(header),
    })
}

/// What follows the `<…>` at the start, if there is one.
fn skip_generics(text: &str) -> &str {
    if !text.starts_with('<') {
        return text;
    }
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // The arrow of a bound on a closure closes nothing.
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

fn without_generics(text: &str) -> String {
    text.split('<').next().unwrap_or(text).trim().to_string()
}

fn path_of(scopes: &[Scope], name: &str) -> String {
    let segments: Vec<&str> = scopes.iter().map(|scope| scope.segment.as_str()).chain([name]).collect();
    segments.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected`: path, first line, last line, verdicts joined by `|`, suspects.
    #[track_caller]
    fn check(source: &str, expected: &[(&str, u32, u32, &str, &[u32])]) {
        let marked = parse(source).unwrap();
        let found: Vec<_> = marked
            .functions
            .iter()
            .map(|function| {
                let verdicts: Vec<&str> = function
                    .expectation
                    .iter()
                    .flat_map(|expectation| &expectation.verdicts)
                    .map(|tag| tag.name())
                    .collect();
                (
                    function.path.as_str(),
                    function.first_line,
                    function.last_line,
                    verdicts.join("|"),
                    function.suspects.as_slice(),
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(path, first, last, verdicts, suspects)| {
                (path, first, last, verdicts.to_string(), suspects)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[track_caller]
    fn check_error(source: &str, line: u32, problem: MarkProblem) {
        assert_eq!(parse(source), Err(MarkError { line, problem }));
    }

    #[test]
    fn a_function_with_alternatives_and_a_suspect() {
        check(
            "pub fn f(x: u32) -> u32 { //~ EQUAL|EQUAL_WITHIN\n    x + 1 //~ SUSPECT\n}\n",
            &[("f", 1, 3, "EQUAL|EQUAL_WITHIN", &[2])],
        );
    }

    #[test]
    fn functions_without_marks_are_listed() {
        check(
            "fn f() {\n}\n\nconst fn g<T: Copy>(x: T) {\n}\n",
            &[("f", 1, 2, "", &[]), ("g", 4, 5, "", &[])],
        );
    }

    #[test]
    fn paths_follow_modules_impls_and_traits() {
        check(
            "mod m {\n    impl<'a> Drop for Mark<'a> {\n        fn drop(&mut self) { //~ UNCHANGED\n        }\n    }\n\
             }\ntrait Cost: Copy {\n    fn cost(&self) -> u32;\n    fn twice(&self) { //~ FIX\n    }\n}\n\
             impl<T: Ord> Heap<T> {\n    pub(crate) fn top(&self) { //~ ADDED\n    }\n}\nfn last() {\n}\n",
            &[
                ("m::<Mark as Drop>::drop", 3, 4, "UNCHANGED", &[]),
                ("Cost::twice", 9, 10, "FIX", &[]),
                ("Heap::top", 13, 14, "ADDED", &[]),
                ("last", 16, 17, "", &[]),
            ],
        );
    }

    #[test]
    fn a_function_in_a_body_is_known_by_its_mark() {
        check(
            "fn f() { //~ EQUAL\n    fn g() {\n    }\n    if x {\n        struct L;\n        impl L {\n            \
             fn h<T>() { //~ FIX\n            }\n        }\n    }\n    fn i() { //~ ADDED\n    }\n}\n",
            &[("f::L::h", 7, 7, "FIX", &[]), ("f::i", 11, 11, "ADDED", &[]), ("f", 1, 13, "EQUAL", &[])],
        );
        check_error("fn f() {\n    g(); //~ EQUAL\n}\n", 2, MarkProblem::Misplaced);
    }

    #[test]
    fn a_header_may_take_several_lines() {
        check(
            "fn f(\n    x: u32,\n) -> u32 { //~ BEHAVIOUR\n    if x > 1 {\n        2\n    } else {\n        3\n    }\n}\n",
            &[("f", 1, 9, "BEHAVIOUR", &[])],
        );
    }

    #[test]
    fn further_clauses() {
        let marked = parse("fn f() { //~ EQUAL, AFFECTED, PARTITIONS rsc=3 dart=8\n}\n").unwrap();
        let expectation = marked.functions[0].expectation.as_ref().unwrap();
        assert_eq!(expectation.kind, ExpectedKind::Affected);
        let counts: Vec<_> =
            expectation.partitions.iter().map(|part| (part.strategy.as_str(), part.count)).collect();
        assert_eq!(counts, [("rsc", 3), ("dart", 8)]);
    }

    #[test]
    fn what_a_difference_takes() {
        let source = "const A: u8 = 1; //~ NEEDED m::f g\n\nfn g() { //~ REGRESSION, TAKES together, NO_NEW_PANIC, AFFECTED_WHEN f(a, 1) || b\n    1 //~ SUSPECT, NEEDED\n}\n";
        let marked = parse(source).unwrap();
        assert_eq!(marked.functions[0].expectation.as_ref().unwrap().takes.as_deref(), Some("together"));
        assert_eq!(marked.functions[0].suspects, [4]);
        assert_eq!(marked.functions[0].expectation.as_ref().unwrap().new_panics, NewPanics::ProvedNone);
        let affected_when = &marked.functions[0].expectation.as_ref().unwrap().affected_when;
        assert_eq!(affected_when.as_deref(), Some("f(a, 1) || b"));
        let needed = |line, of: &[&str]| Needed { line, of: of.iter().map(ToString::to_string).collect() };
        assert_eq!(marked.needed, [needed(1, &["m::f", "g"]), needed(4, &["g"])]);
        check_error("struct A; //~ NEEDED\n", 1, MarkProblem::Misplaced);
    }

    #[test]
    fn suspects_outside_of_functions() {
        let marked =
            parse("const LIMIT: u32 = 1; //~ SUSPECT\n\nstruct S {\n    a: u8, //~ SUSPECT\n}\n").unwrap();
        assert_eq!(marked.loose_suspects, [1, 4]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        check_error("\nfn f() { //~ EQAL\n}\n", 2, MarkProblem::UnknownWord("EQAL".into()));
        check_error("fn f() { //~ EQUAL, OFTEN\n}\n", 1, MarkProblem::UnknownWord("OFTEN".into()));
        check_error("fn f() { //~ EQUAL, PARTITIONS rsc\n}\n", 1, MarkProblem::BadPartitions("rsc".into()));
        check_error("fn f() { //~\n}\n", 1, MarkProblem::NoVerdict);
        check_error("fn f() {\n    1; //~ EQUAL\n}\n", 2, MarkProblem::Misplaced);
        check_error("const A: u8 = 1; //~ FIX\n", 1, MarkProblem::Misplaced);
        check_error("fn f() -> u8 { 1 }\n", 1, MarkProblem::OneLineBody("f".into()));
        check_error("fn f() {\n    1\n", 1, MarkProblem::Unclosed("f".into()));
        check_error("fn f( //~ EQUAL\n) { //~ EQUAL\n}\n", 2, MarkProblem::Twice);
    }
}
