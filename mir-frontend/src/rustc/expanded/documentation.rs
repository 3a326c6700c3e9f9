//! Whether the documented crate has the types of the crate that is built.
//!
//! *Idea.* rustdoc sets `doc`, so what it says of types may be of another crate. It is of the same where both sources are the same when expanded, but for attributes of documentation and lints,
//! and but for what is there for the links of documentation alone:
//! * `use a::b::Name;`, if nothing else can be meant by `Name` because of it. An import is private: it gives a name to the module that it stands in, to paths into this module, and to modules
//!   below with a glob import of a module (`use super::*`). Where it takes the place of what a glob gives, paths into the module from elsewhere are errors. What a module
//!   declares or imports by name comes before what globs give. In the crate's root, an import also gives a name to imports and `::Name` everywhere, in the edition 2015.
//! * `extern crate name;` and `mod name {}`, if no `name` stands in the crate.
//!
//! An alias (`type A = B;`) that is public and one for all of the crate are the same within the crate.
//!
//! A trait that is imported so can be meant by bodies only, whose types rustdoc does not tell, and by constants of traits, where two that fit are an error.
//!
//! *Limit.* Names are looked for as words, whatever they stand for. Any other difference makes another crate.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Attributes that say nothing about the program.
const ATTRIBUTES: [&str; 6] = ["allow", "deny", "doc", "feature", "forbid", "warn"];

/// Whether the expanded source with `doc` set has the types of the one without. Not if one does not consist of Rust's tokens.
pub fn is_same_but_for_documentation(built: &str, documented: &str) -> bool {
    let (Ok(built), Ok(documented)) = (built.parse(), documented.parse()) else { return false };
    let (built, documented) = (nodes(built), nodes(documented));
    if built == documented {
        return true;
    }
    let mut extra = Vec::new();
    if !find_extra(&built, &documented, &mut Vec::new(), &mut extra) {
        return false;
    }
    let mut modules = Modules::default();
    collect(&built, Within::Module, &mut Vec::new(), &mut modules);
    extra.iter().all(|extra| extra.means_nothing(&modules))
}

/// A token, where attributes that do not count are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Word(String),
    Sign(char),
    /// `::`
    Colons,
    Literal(String),
    Group(Delimiter, Vec<Node>),
}

impl Node {
    fn is_word(&self, word: &str) -> bool {
        matches!(self, Node::Word(name) if name == word)
    }

    fn is_sign(&self, sign: char) -> bool {
        matches!(self, Node::Sign(other) if *other == sign)
    }
}

fn nodes(stream: TokenStream) -> Vec<Node> {
    let mut found = Vec::new();
    let mut after_colon = false;
    for token in stream {
        let is_second = mem::take(&mut after_colon);
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ':' && is_second => {
                found.pop();
                found.push(Node::Colons);
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                after_colon = sign.spacing() == Spacing::Joint;
                found.push(Node::Sign(':'));
            }
            TokenTree::Ident(word) => {
                let word = word.to_string();
                found.push(Node::Word(word.strip_prefix("r#").unwrap_or(&word).to_owned()));
            }
            TokenTree::Punct(sign) => found.push(Node::Sign(sign.as_char())),
            TokenTree::Literal(literal) => found.push(Node::Literal(literal.to_string())),
            TokenTree::Group(group) => {
                let inner = nodes(group.stream());
                let is_left_out = group.delimiter() == Delimiter::Bracket
                    && ATTRIBUTES.iter().any(|name| inner.first().is_some_and(|first| first.is_word(name)));
                match found.as_slice() {
                    [before @ .., Node::Sign('#')] | [before @ .., Node::Sign('#'), Node::Sign('!')]
                        if is_left_out =>
                    {
                        found.truncate(before.len());
                    }
                    _ => found.push(Node::Group(group.delimiter(), inner)),
                }
            }
        }
    }
    found
}

/// Cuts what stands in a module or block behind `;` and `{…}`, but imports behind `;` alone. The same tokens are always cut alike.
fn pieces(nodes: &[Node]) -> Vec<&[Node]> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, node) in nodes.iter().enumerate() {
        let ends = match node {
            Node::Group(Delimiter::Brace, _) => !is_import(&nodes[begin..at]),
            other => other.is_sign(';'),
        };
        if ends {
            found.push(&nodes[begin..=at]);
            begin = at + 1;
        }
    }
    if begin < nodes.len() {
        found.push(&nodes[begin..]);
    }
    found
}

fn is_import(piece: &[Node]) -> bool {
    match piece {
        [Node::Sign('#'), Node::Group(Delimiter::Bracket, _), rest @ ..] => is_import(rest),
        [first, Node::Group(Delimiter::Parenthesis, _), rest @ ..] if first.is_word("pub") => is_import(rest),
        [first, rest @ ..] if first.is_word("pub") => is_import(rest),
        [first, ..] => first.is_word("use"),
        [] => false,
    }
}

/// The module that the piece is, and what stands in it.
fn module(piece: &[Node]) -> Option<(&str, &[Node])> {
    match piece {
        [.., word, Node::Word(name), Node::Group(Delimiter::Brace, inner)] if word.is_word("mod") => {
            Some((name, inner))
        }
        _ => None,
    }
}

/// What only the documented crate has.
#[derive(Debug, PartialEq, Eq)]
enum Extra {
    Import {
        module: Vec<String>,
        names: Vec<String>,
    },
    /// A crate, or a module without items.
    Name(String),
}

/// Finds what only the documented source has. Not if there is another difference. `path` is of the module around.
fn find_extra(built: &[Node], documented: &[Node], path: &mut Vec<String>, found: &mut Vec<Extra>) -> bool {
    let (built, documented) = (pieces(built), pieces(documented));
    let mut built = built.into_iter().peekable();
    for piece in documented {
        if built.next_if(|other| is_same_piece(other, piece)).is_some() {
            continue;
        }
        if let Some(extra) = extra(piece, path) {
            found.push(extra);
            continue;
        }
        if !built.next().is_some_and(|other| find_extra_within(other, piece, path, found)) {
            return false;
        }
    }
    built.next().is_none()
}

/// Whether both pieces say the same to the crate that they stand in. An alias that is there for all of the crate and one that is public mean the same in it.
fn is_same_piece(built: &[Node], documented: &[Node]) -> bool {
    built == documented
        || matches!((alias(built), alias(documented)), (Some(built), Some(documented)) if built == documented)
}

/// The declaration of a type's alias that all of the crate may name, without its visibility.
fn alias(piece: &[Node]) -> Option<&[Node]> {
    let rest = match piece {
        [public, Node::Group(Delimiter::Parenthesis, within), rest @ ..] if public.is_word("pub") => {
            matches!(within.as_slice(), [all] if all.is_word("crate")).then_some(rest)?
        }
        [public, rest @ ..] if public.is_word("pub") => rest,
        _ => return None,
    };
    rest.first().is_some_and(|first| first.is_word("type")).then_some(rest)
}

/// As [`find_extra`], of what stands in braces of one piece.
fn find_extra_within(
    built: &[Node],
    documented: &[Node],
    path: &mut Vec<String>,
    found: &mut Vec<Extra>,
) -> bool {
    let name = module(built).map(|(name, _)| name.to_owned());
    let is_module = name.is_some();
    path.extend(name);
    let same = built.len() == documented.len()
        && built.iter().zip(documented).all(|pair| match pair {
            (Node::Group(Delimiter::Brace, one), Node::Group(Delimiter::Brace, other)) => {
                find_extra(one, other, path, found)
            }
            (one, other) => one == other,
        });
    if is_module {
        path.pop();
    }
    same
}

fn extra(piece: &[Node], path: &[String]) -> Option<Extra> {
    match piece {
        [first, rest @ ..] if first.is_word("use") => {
            Some(Extra::Import { module: path.to_vec(), names: names(rest)? })
        }
        [first, second, Node::Word(name), Node::Sign(';')]
            if first.is_word("extern") && second.is_word("crate") =>
        {
            Some(Extra::Name(name.clone()))
        }
        _ => match module(piece) {
            Some((name, [])) if piece.len() == 3 || piece.len() == 4 && piece[0].is_word("pub") => {
                Some(Extra::Name(name.to_owned()))
            }
            _ => None,
        },
    }
}

/// The names that an import gives, and maybe more of those in it. None for globs, and for `self` in braces.
fn names(import: &[Node]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for (at, node) in import.iter().enumerate() {
        match node {
            Node::Sign('*') => return None,
            Node::Word(word) if !matches!(import.get(at + 1), Some(Node::Colons)) => match word.as_str() {
                "self" => return None,
                "as" | "_" => {}
                name => found.push(name.to_owned()),
            },
            Node::Group(_, inner) => found.extend(names(inner)?),
            _ => {}
        }
    }
    Some(found)
}

/// The modules of a crate, and what may be said of them.
#[derive(Debug, Default)]
struct Modules {
    /// By their paths. What stands in bodies belongs to the module around; those of one path are one.
    by_path: BTreeMap<Vec<String>, Module>,
    /// What modules may be called.
    names: BTreeSet<String>,
    /// What constants, statics (not `static mut`, which no type asks for) and functions are called: each may have the name of a type.
    values: BTreeSet<String>,
}

/// What stands in a module, without the modules in it.
#[derive(Debug, Default)]
struct Module {
    words: BTreeSet<String>,
    /// Those that begin the path of an import, or one with `::` in front.
    begin_paths: BTreeSet<String>,
    /// The last names before `*` in imports.
    globs: BTreeSet<String>,
    /// Whether some of them stand in the module itself, so that paths into it may mean what they give.
    gives_globs: bool,
    /// Whether some of them stand in bodies, where what they give comes before what the module has.
    globs_in_bodies: bool,
    /// Types and traits that it declares, and what it imports by names in capitals.
    has: BTreeSet<String>,
}

/// Where a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Module,
    Body,
}

fn collect(nodes: &[Node], within: Within, path: &mut Vec<String>, modules: &mut Modules) {
    let mut words = BTreeSet::new();
    let mut before: Option<&Node> = None;
    for piece in pieces(nodes) {
        let inner_module = module(piece);
        let around = modules.by_path.entry(path.clone()).or_default();
        if is_import(piece) && !is_prelude(piece) {
            let globs = globs(piece, "use");
            around.gives_globs |= within == Within::Module && !globs.is_empty();
            around.globs_in_bodies |= within == Within::Body && !globs.is_empty();
            around.globs.extend(globs);
        }
        if within == Within::Module {
            around.has.extend(declared_or_imported(piece));
        }
        begin_paths(piece, &mut around.begin_paths);
        for node in piece {
            match node {
                Node::Word(word) => {
                    if before.is_some_and(|before| before.is_word("as") || before.is_word("mod")) {
                        modules.names.insert(word.clone());
                    }
                    if before.is_some_and(|before| VALUES.iter().any(|keyword| before.is_word(keyword))) {
                        modules.values.insert(word.clone());
                    }
                    words.insert(word.clone());
                }
                Node::Group(_, inner) if inner_module.is_none() => {
                    collect(inner, Within::Body, path, modules);
                }
                Node::Group(..) | Node::Sign(_) | Node::Colons | Node::Literal(_) => {}
            }
            before = Some(node);
        }
        if let Some((name, inner)) = inner_module {
            path.push(name.to_owned());
            collect(inner, Within::Module, path, modules);
            path.pop();
        }
    }
    modules.by_path.entry(path.clone()).or_default().words.extend(words);
}

/// Keywords before the names of values.
const VALUES: [&str; 3] = ["const", "static", "fn"];

/// The type or trait that an item of a module declares, or the names in capitals that an import gives for sure.
fn declared_or_imported(piece: &[Node]) -> Vec<String> {
    match piece {
        [Node::Sign('#'), Node::Group(Delimiter::Bracket, _), rest @ ..] => declared_or_imported(rest),
        [first, Node::Group(Delimiter::Parenthesis, _), rest @ ..] if first.is_word("pub") => {
            declared_or_imported(rest)
        }
        [first, rest @ ..] if first.is_word("pub") || first.is_word("unsafe") => declared_or_imported(rest),
        [first, rest @ ..] if first.is_word("use") => imported(rest),
        [first, Node::Word(name), ..]
            if ["struct", "enum", "union", "trait", "type"].iter().any(|word| first.is_word(word)) =>
        {
            vec![name.clone()]
        }
        _ => Vec::new(),
    }
}

fn imported(import: &[Node]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, node) in import.iter().enumerate() {
        let is_last = |next: &Node| !matches!(next, Node::Colons) && !next.is_word("as");
        match node {
            Node::Word(name) if import.get(at + 1).is_none_or(is_last) => {
                let is_capital = name.starts_with(|first: char| first.is_ascii_uppercase());
                found.extend(is_capital.then(|| name.clone()));
            }
            Node::Group(_, inner) => found.extend(imported(inner)),
            _ => {}
        }
    }
    found
}

/// The last names before `*`; empty if there is none.
fn globs(import: &[Node], prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut last = prefix;
    for node in import {
        match node {
            Node::Word(word) => last = word,
            Node::Sign(',') => last = prefix,
            Node::Sign('*') => {
                found.insert(last.to_owned());
            }
            Node::Group(_, inner) => found.extend(globs(inner, last)),
            Node::Sign(_) | Node::Colons | Node::Literal(_) => {}
        }
    }
    found
}

fn is_prelude(piece: &[Node]) -> bool {
    match piece {
        [Node::Sign('#'), Node::Group(_, inner), ..] => {
            inner.first().is_some_and(|word| word.is_word("prelude_import"))
        }
        _ => false,
    }
}

/// Words behind `use`, `use ::` and a `::` that no name stands before. Those of groups there all count.
fn begin_paths(nodes: &[Node], found: &mut BTreeSet<String>) {
    let mut begins = false;
    for (at, node) in nodes.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &nodes[before]);
        match node {
            Node::Word(word) if begins => {
                found.insert(word.clone());
            }
            Node::Group(_, inner) if begins => words(inner, found),
            _ => {}
        }
        begins = match node {
            Node::Colons => begins || !matches!(before, Some(Node::Word(word)) if is_name(word)),
            node => node.is_word("use"),
        };
    }
}

/// Whether a path may go on behind the word.
fn is_name(word: &str) -> bool {
    matches!(word, "self" | "super" | "crate" | "Self") || syn::parse_str::<syn::Ident>(word).is_ok()
}

fn words(nodes: &[Node], found: &mut BTreeSet<String>) {
    for node in nodes {
        match node {
            Node::Word(word) => {
                found.insert(word.clone());
            }
            Node::Group(_, inner) => words(inner, found),
            Node::Sign(_) | Node::Colons | Node::Literal(_) => {}
        }
    }
}

impl Modules {
    fn stands(&self, name: &str) -> bool {
        self.by_path.values().any(|module| module.words.contains(name))
    }

    fn begins_path(&self, name: &str) -> bool {
        self.by_path.values().any(|module| module.begin_paths.contains(name))
    }

    /// Whether the name stands where a glob may give what modules of this crate import.
    fn stands_beside_glob(&self, name: &str) -> bool {
        let is_module = |glob: &String| {
            matches!(glob.as_str(), "use" | "crate" | "self" | "super") || self.names.contains(glob)
        };
        let may_be_given = |module: &Module| {
            let has = module.has.contains(name) && !module.globs_in_bodies && !self.values.contains(name);
            module.words.contains(name) && !has && module.globs.iter().any(is_module)
        };
        self.by_path.values().any(may_be_given)
    }

    /// Whether the name stands in a module within this one, from which a path may lead to what is private here.
    fn stands_within(&self, module: &[String], name: &str) -> bool {
        let is_within = |path: &[String]| path.len() > module.len() && path.starts_with(module);
        self.by_path.iter().any(|(path, inner)| is_within(path) && inner.words.contains(name))
    }
}

impl Extra {
    /// Whether nothing in the crate that is built means something else because of it.
    fn means_nothing(&self, modules: &Modules) -> bool {
        match self {
            Extra::Name(name) => !modules.stands(name),
            Extra::Import { module, names } => {
                let Some(around) = modules.by_path.get(module) else { return false };
                names.iter().all(|name| {
                    if module.is_empty() && modules.begins_path(name) {
                        !modules.stands(name)
                    } else {
                        let is_within = around.gives_globs && modules.stands_within(module, name);
                        !(around.words.contains(name) || is_within || modules.stands_beside_glob(name))
                    }
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(built: &str, added: &str, expected: bool) {
        let documented = built.replace("@", added);
        let built = built.replace("@", "");
        assert_eq!(is_same_but_for_documentation(&built, &documented), expected, "{built}\n+ {added}");
    }

    #[test]
    fn attributes_of_documentation_and_lints_do_not_count() {
        check("pub fn f() {} @ pub struct S;", "#[doc = \"x\"]", true);
        check("pub fn f() {} @ pub struct S;", "#[allow(unused)] /// text\n", true);
        check("@ pub fn f() {}", "#![warn(missing_docs)]", true);
        check("pub fn f() {} @ pub struct S;", "#[repr(C)]", false);
        check("pub struct S @;", "(u8)", false);
        check("pub const S: &str = \"a\n@b\";", "/// text\n", false);
        check("fn f() { @ g() }", "h();", false);
    }

    #[test]
    fn whether_an_alias_is_public_outside_of_the_crate_does_not_count() {
        check("pub @ type Code = u8;", "(crate)", true);
        check("pub @ type Code = u8;", "(super)", false);
        check("pub @ struct Code(u8);", "(crate)", false);
        check("@ type Code = u8;", "pub", false);
        check("pub type Code = u8 @;", "+ 'static", false);
    }

    #[test]
    fn an_import_for_links_counts_where_its_name_stands() {
        check("@ mod a { pub struct Name; } fn f() {}", "use a::Name;", true);
        check("@ mod a { pub struct Name; } pub fn f(_: Name) {}", "use a::Name;", false);
        check("@ mod a { pub struct Name; } pub fn f() { let _: [u8; Name]; }", "use a::Name;", false);
        check("@ mod a { pub struct Name; } mod b { use super::*; }", "use a::Name;", true);
        check("@ mod a { pub struct Name; } mod b { use super::*; fn f(_: Name) {} }", "use a::Name;", false);
        check("@ use b::*; mod a { pub struct Name; } mod b {}", "use a::Name;", false);
        check("@ pub use b::{c::*}; mod a { pub struct Name; } mod b {}", "use a::Name;", false);
        check("#[prelude_import] use std::prelude::*; @ mod a { pub struct Name; }", "use a::Name;", true);
        check("mod m { @ } mod a { pub struct Name; } fn f(_: a::Name) {}", "use super::a::Name;", true);
        check("mod m { @ fn f(_: Name) {} }", "use super::a::Name;", false);
        check("fn f() { @ g::<a::Name>() } mod a { pub struct Name; }", "use a::Name;", false);
        check("fn f() { @ g() } mod a { pub struct Name; }", "use a::Name;", true);
    }

    #[test]
    fn globs_of_modules_give_what_these_import() {
        let glob = |glob: &str| {
            format!("@ mod a {{ pub struct Name; pub enum E {{}} }} mod b {{ {glob} fn f(_: Name) {{}} }}")
        };
        check(&glob("use super::a::{E::*, Name};"), "use a::Name;", true);
        check(&glob("use super::a::E::{*}; use ext::*;"), "use a::Name;", true);
        check(&glob("use super::a::{*, E};"), "use a::Name;", false);
        check(&glob("use super::{*, a::E};"), "use a::Name;", false);
        check(&glob("use super::{*, a::Name};"), "use a::Name;", true);
        check(&glob("use crate::a::{self, E, *};"), "use a::Name;", false);
        check(&glob("use super as up; use up::*;"), "use a::Name;", false);
        check(&glob("use ::*;"), "use a::Name;", false);
        check(&glob("fn g() { use super::*; }"), "use a::Name;", false);
        check(
            "@ fn f() { use a::E::*; } mod a { pub struct Name; } fn g(_: a::Name) {}",
            "use a::Name;",
            false,
        );
        check("@ fn f() { use a::E::*; } mod a { pub struct Name; }", "use a::Name;", true);
        check("@ use a::E::*; mod a { pub struct Name; }", "use a::Name;", false);
    }

    #[test]
    fn an_import_for_links_in_the_place_of_what_a_glob_gives() {
        // Paths into `m` from elsewhere would be errors, as the import is private.
        check("pub struct Name; mod m { use a::*; @ } mod a {}", "use crate::Name;", true);
        check("pub struct Name; mod m { use a::*; @ fn f(_: Name) {} } mod a {}", "use crate::Name;", false);
        check(
            "pub struct Name; mod m { use a::*; @ mod n { fn f(_: super::Name) {} } }",
            "use crate::Name;",
            false,
        );
        check("pub struct Name; mod m { use a::*; @ mod n { fn f() {} } }", "use crate::Name;", true);
        // `b` has its own.
        let beside = |has: &str| {
            format!("mod m {{ use a::*; @ }} mod a {{}} mod b {{ use m::*; {has} fn f(_: Name) {{}} }}")
        };
        check(&beside(""), "use crate::Name;", false);
        check(&beside("pub struct Name;"), "use crate::Name;", true);
        check(&beside("pub unsafe trait Name {}"), "use crate::Name;", true);
        check(&beside("pub(crate) use c::{d::E, Name};"), "use crate::Name;", true);
        check(&beside("use c::Name as E;"), "use crate::Name;", false);
        check(&beside("fn g() { use m::*; } struct Name;"), "use crate::Name;", false);
        check(&beside("mod c { struct Name; }"), "use crate::Name;", false);
        check(&beside("const Name: usize = 1; struct Name {}"), "use crate::Name;", false);
    }

    #[test]
    fn an_import_in_the_root_is_meant_by_paths_of_the_edition_2015() {
        check("@ mod a {} mod m { use b::X; fn f(_: X) {} }", "use a::b;", false);
        check("@ mod a {} mod m { pub use ::b::X; fn f(_: X) {} }", "use a::b;", false);
        check("@ mod a {} mod m { use {c, b::X}; fn f(_: X) {} }", "use a::b;", false);
        check("@ mod a {} mod m { fn f(_: u8, _: ::b::X) {} }", "use a::b;", false);
        check("@ mod a {} mod m { fn f(_: Vec<::b::X>) {} }", "use a::b;", false);
        check("@ mod a {} mod m { fn f() -> ::b::X {} }", "use a::b;", false);
        check("@ mod a {} mod m { fn f(_: &mut ::b::X) {} }", "use a::b;", false);
        check("@ mod a {} mod m { use crate::a::b; fn f(_: b::X) {} }", "use a::b;", true);
        check("mod n { @ } mod m { use b::X; fn f(_: X) {} }", "use a::b;", true);
    }

    #[test]
    fn names_of_an_import_are_those_it_gives() {
        check("@ mod x { fn f(_: B) {} } fn f(_: A) {}", "use a::{B, c::A as D};", false);
        check("@ mod x { fn f(_: B) {} } fn f(_: D) {}", "use a::{B, c::A as D};", false);
        check("@ mod x { fn f(_: B) {} } fn f(_: a::E) {}", "use a::{B, c::A as D};", true);
        check("@ fn f() {}", "use a::*;", false);
        check("@ fn f() {}", "use a::{self};", false);
        check("@ fn f() {}", "use a::T as _;", true);
        check("@ fn f() {}", "pub use a::T;", false);
        check("@ fn f() {}", "#[macro_use] use a::T;", false);
        check("fn r#T() {} @", "use a::T;", false);
    }

    #[test]
    fn a_crate_or_an_empty_module_counts_where_its_name_stands() {
        check("@ fn f() {}", "extern crate std;", true);
        check("@ mod a { fn f() { std::g() } }", "extern crate std;", false);
        check("@ fn f() {}", "extern crate core as std;", false);
        check("@ fn f() {}", "pub mod guide { //! text\n }", true);
        check("@ fn f() {}", "pub mod guide { impl T for S {} }", false);
        check("@ fn f() { guide::g() }", "mod guide {}", false);
        check("@ fn f() {}", "type W = u8;", false);
    }
}
