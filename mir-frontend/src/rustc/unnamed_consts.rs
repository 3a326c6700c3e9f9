//! Items of one name in several `const _: () = { … }` of one module get names of their own.
//!
//! *Idea.* Every `bitflags! { … }` puts a type `InternalBitFlags` into an unnamed constant, and all dumps call it `_::InternalBitFlags`, whichever
//! constant it is of. The dumps list the constants in order, and what stands in one behind its line: so it is known for each item there which
//! constant it is of. The names are then changed in the text of the dumps, before anything is read: `_::InternalBitFlags_of_Flags` is that
//! of the constant that has the implementations of `Flags`. Constructors stand at the end of a dump, in the order of the types.
//!
//! *Limits.* An item of the module itself that mentions such a name (a derive of `Flags`, whose field is of that type) means the one of the only
//! constant whose types it mentions. If it mentions those of several or of none, it is not read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::cfg_headers::GraphHeader;
use super::cursor::is_ident_byte;
use super::expanded::TypeInBody;
use super::identify::last_segment;
use super::items::{Content, CopyOf, ItemKeyword, RawItem};

/// The dumps of a crate in which such names were told apart.
pub struct ToldApart {
    pub mir: String,
    pub graphs: Vec<GraphHeader>,
    pub types_in_bodies: Vec<TypeInBody>,
    /// Items that mention such a name without it being known which is meant, with that name.
    pub untold: HashMap<usize, String>,
}

/// What a crate's dumps say, before any name is changed.
pub struct Dumps<'a> {
    pub mir: &'a str,
    pub items: &'a [RawItem<'a>],
    pub graphs: &'a [GraphHeader],
    /// For each item the position of its graph's header.
    pub graph_of_item: &'a [Option<usize>],
    pub types_in_bodies: &'a [TypeInBody],
}

/// An unnamed constant with items of its own.
#[derive(Debug, Default)]
struct Block {
    /// The items that stand in it.
    items: Vec<usize>,
    /// Names behind the constant's path that they mention.
    mentioned: BTreeSet<String>,
    /// Last names of the types outside that it has implementations of.
    owners: BTreeSet<String>,
}

/// Whether there are several unnamed constants in a dump: a quick look before it is cut up for that.
pub fn may_have_several(mir: &str) -> bool {
    let is_unnamed = |line: &&str| line.starts_with("const ") && line.contains("_: ()");
    mir.lines().filter(is_unnamed).nth(1).is_some()
}

/// Gives names of their own to what several unnamed constants of one path have. None if there is nothing of the kind. `is_type` tells whether the crate
/// has a type at a path within it; `is_crate` whether a path (`_::_serde`) is another crate brought in.
pub fn tell_apart(
    dumps: &Dumps<'_>,
    is_type: &dyn Fn(&str) -> bool,
    is_crate: &dyn Fn(&str) -> bool,
) -> Option<ToldApart> {
    let mut renames = Renames { of_item: vec![Vec::new(); dumps.items.len()], untold: HashMap::new() };
    let mut types_in_bodies = dumps.types_in_bodies.to_vec();
    let mut is_any = false;
    for (path, blocks) in blocks_by_path(dumps, is_type) {
        let of_several = |name: &&String| {
            blocks.iter().filter(|block| block.mentioned.contains(*name)).count() > 1
                && !is_crate(&format!("{path}::{name}"))
        };
        let all: BTreeSet<&String> = blocks.iter().flat_map(|block| &block.mentioned).collect();
        for name in all.into_iter().filter(of_several) {
            is_any = true;
            let having: Vec<&Block> = blocks.iter().filter(|block| block.mentioned.contains(name)).collect();
            let new_names = new_names(name, &having, dumps.mir);
            renames.enter(dumps, &path, name, &having, &new_names);
            rename_types(&mut types_in_bodies, &path, name, &new_names);
        }
    }
    is_any.then(|| {
        let mut graphs = dumps.graphs.to_vec();
        for (item, graph) in dumps.graph_of_item.iter().enumerate() {
            if let Some(graph) = graph {
                graphs[*graph] = graphs[*graph].map_text(|text| renames.applied(item, text));
            }
        }
        let mir = renames.in_mir(dumps);
        ToldApart { mir, graphs, types_in_bodies, untold: renames.untold }
    })
}

/// The unnamed constants of each path that has several, in order.
fn blocks_by_path(dumps: &Dumps<'_>, is_type: &dyn Fn(&str) -> bool) -> BTreeMap<String, Vec<Block>> {
    let mut found: BTreeMap<String, Vec<Block>> = BTreeMap::new();
    for (index, item) in dumps.items.iter().enumerate() {
        let name = item.name();
        let is_itself = name == "_" || name.ends_with("::_");
        if is_itself && item.keyword == ItemKeyword::Const && item.copy_of == CopyOf::Program {
            found.entry(name.to_owned()).or_default().push(Block::default());
            continue;
        }
        let block = path_around(name).and_then(|path| found.get_mut(path)?.last_mut());
        if let Some(block) = block.filter(|_| !is_constructor(item)) {
            block.items.push(index);
        }
    }
    found.retain(|_, blocks| blocks.len() > 1);
    for (path, blocks) in &mut found {
        for block in blocks.iter_mut() {
            for index in &block.items {
                let graph = dumps.graph_of_item[*index].map(|graph| &dumps.graphs[graph]);
                for text in text_of(dumps, *index).chain(graph.map(GraphHeader::text)) {
                    block.mentioned.extend(names_behind(text, path).map(str::to_owned));
                }
                let owner = graph.and_then(|graph| implemented_type(graph.signature(), path));
                block
                    .owners
                    .extend(owner.filter(|owner| is_type(owner)).map(|owner| last_segment(owner).to_owned()));
            }
        }
        let of_one = |owner: &String, blocks: &[Block]| {
            blocks.iter().filter(|block| block.owners.contains(owner)).count() == 1
        };
        let of_one: HashSet<String> = blocks
            .iter()
            .flat_map(|block| &block.owners)
            .filter(|owner| of_one(owner, blocks))
            .cloned()
            .collect();
        blocks.iter_mut().for_each(|block| block.owners.retain(|owner| of_one.contains(owner)));
    }
    found
}

/// The path up to the first unnamed constant, if only modules and functions stand before it.
fn path_around(name: &str) -> Option<&str> {
    let mut at = 0;
    loop {
        let end = name[at..].bytes().position(|byte| !is_ident_byte(byte)).map(|len| at + len)?;
        if end == at || !name[end..].starts_with("::") {
            return None;
        }
        if &name[at..end] == "_" {
            return Some(&name[..end]);
        }
        at = end + 2;
    }
}

/// Whether the item is the constructor of a type or variant: dumps have those at their end.
fn is_constructor(item: &RawItem<'_>) -> bool {
    let Content::Body(body) = item.content else { return false };
    let makes_itself = |line: &str| {
        let made = line.trim_start().strip_prefix("_0 = ").and_then(|made| made.strip_prefix(item.name()));
        made.is_some_and(|rest| (rest.starts_with('(') || rest.starts_with("::<")) && !rest.contains(" -> "))
    };
    item.keyword == ItemKeyword::Fn && body.lines().any(makes_itself)
}

/// The names that directly follow the path in a text.
fn names_behind<'t>(text: &'t str, path: &str) -> impl Iterator<Item = &'t str> {
    let path = format!("{path}::");
    let len = path.len();
    let starts: Vec<usize> = text.match_indices(&path).map(|(at, _)| at).collect();
    starts.into_iter().filter(|at| begins_path(text, *at)).filter_map(move |at| {
        let behind = &text[at + len..];
        let end = behind.bytes().take_while(|byte| is_ident_byte(*byte)).count();
        (end > 0).then(|| &behind[..end])
    })
}

/// Whether no path goes on at this place of the text.
fn begins_path(text: &str, at: usize) -> bool {
    text[..at].bytes().next_back().is_none_or(|byte| !is_ident_byte(byte) && byte != b':')
}

/// The type that the header of a graph names as that of its implementation: `<a::S as T>::f(…`, `a::S::f(…` and `_::<impl a::S>::f(…`.
fn implemented_type<'t>(signature: &'t str, path: &str) -> Option<&'t str> {
    let rest = signature.strip_prefix(path).and_then(|rest| rest.strip_prefix("::")).unwrap_or(signature);
    let ty = match rest.strip_prefix('<') {
        Some(rest) => rest.strip_prefix("impl ").unwrap_or(rest),
        None if rest.len() < signature.len() => return None,
        None => {
            let end = rest.find(['(', '<']).unwrap_or(rest.len());
            rest[..end].trim_end_matches("::").rsplit_once("::")?.0
        }
    };
    let ty = ty.trim_start_matches('&').trim_start_matches("'{erased} ").trim_start_matches("mut ");
    let end = ty.bytes().position(|byte| !is_ident_byte(byte) && byte != b':').unwrap_or(ty.len());
    Some(ty[..end].trim_end_matches(':'))
}

/// What the item of each constant is called from now on.
fn new_names(name: &str, having: &[&Block], mir: &str) -> Vec<String> {
    let mut taken = HashSet::new();
    let new_name = |(number, block): (usize, &&Block)| {
        let mut new_name = match block.owners.first() {
            Some(owner) => format!("{name}_of_{owner}"),
            None => format!("{name}_{number}"),
        };
        while mir.contains(&new_name) || !taken.insert(new_name.clone()) {
            new_name.push('_');
        }
        new_name
    };
    having.iter().enumerate().map(new_name).collect()
}

/// Declarations come in the order of the source; if there are not as many as constants with the name, it is not known which are which.
fn rename_types(types: &mut Vec<TypeInBody>, path: &str, name: &str, new_names: &[String]) {
    let is_one = |ty: &TypeInBody| ty.name == name && !ty.is_in_any_impl() && ty.around.join("::") == path;
    if types.iter().filter(|ty| is_one(ty)).count() != new_names.len() {
        types.retain(|ty| !is_one(ty));
        return;
    }
    for (ty, new_name) in types.iter_mut().filter(|ty| is_one(ty)).zip(new_names) {
        ty.name.clone_from(new_name);
    }
}

/// The text of an item in the MIR dump.
fn text_of<'a>(dumps: &Dumps<'a>, index: usize) -> impl Iterator<Item = &'a str> {
    let item = &dumps.items[index];
    let content = match item.content {
        Content::Body(text) | Content::Value(text) => text,
        Content::Truncated => "",
    };
    [item.header, content].into_iter().chain(item.statics.iter().map(|(_, printed)| *printed))
}

/// For each item what paths in its text become.
struct Renames {
    of_item: Vec<Vec<(String, String)>>,
    untold: HashMap<usize, String>,
}

impl Renames {
    /// Enters what the name behind the path becomes in each item that mentions it.
    fn enter(&mut self, dumps: &Dumps<'_>, path: &str, name: &str, having: &[&Block], new_names: &[String]) {
        let old = format!("{path}::{name}");
        let in_block: HashMap<usize, usize> = having
            .iter()
            .enumerate()
            .flat_map(|(number, block)| block.items.iter().map(move |item| (*item, number)))
            .collect();
        let constructed = constructors(dumps.items, &old, having.len());
        for index in 0..dumps.items.len() {
            let graph = dumps.graph_of_item[index].map(|graph| dumps.graphs[graph].text());
            if !text_of(dumps, index)
                .chain(graph)
                .any(|text| names_behind(text, path).any(|found| found == name))
            {
                continue;
            }
            let of_only_owner = || {
                let mentions = |block: &&Block| {
                    block.owners.iter().any(|owner| text_of(dumps, index).any(|text| has_word(text, owner)))
                };
                let mut found = (0..having.len()).filter(|number| mentions(&having[*number]));
                found.next().filter(|_| found.next().is_none())
            };
            let number = match (in_block.get(&index), constructed.get(&index)) {
                _ if text_of(dumps, index).any(|text| is_in_literal(text, &old)) => None,
                (Some(number), _) => Some(*number),
                (None, Some(number)) => *number,
                (None, None) => of_only_owner(),
            };
            match number {
                Some(number) => {
                    self.of_item[index].push((old.clone(), format!("{path}::{}", new_names[number])));
                }
                None => drop(self.untold.insert(index, old.clone())),
            }
        }
    }

    fn applied(&self, item: usize, text: &str) -> String {
        self.of_item[item].iter().fold(text.to_owned(), |text, (old, new)| replaced(&text, old, new))
    }

    /// The dump with all names changed. Lines that belong to no item stay.
    fn in_mir(&self, dumps: &Dumps<'_>) -> String {
        let mut out = String::with_capacity(dumps.mir.len() + dumps.mir.len() / 8);
        let mut next = 0;
        for (number, line) in (1u32..).zip(dumps.mir.split_inclusive('\n')) {
            while dumps.items.get(next).is_some_and(|item| item.line <= number) {
                next += 1;
            }
            match next.checked_sub(1).filter(|item| !self.of_item[*item].is_empty()) {
                Some(item) => out.push_str(&self.applied(item, line)),
                None => out.push_str(line),
            }
        }
        out
    }
}

/// For each constructor of the type at the path, or of its variants, which of so many types of that path it is of: those of each type come
/// in the same order as the types. None if there are not as many of each.
fn constructors(items: &[RawItem<'_>], path: &str, types: usize) -> HashMap<usize, Option<usize>> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let is_of_path = |item: &RawItem<'_>| {
        item.name().strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    for (index, item) in items.iter().enumerate() {
        if is_of_path(item) && is_constructor(item) {
            by_name.entry(item.name()).or_default().push(index);
        }
    }
    let mut found = HashMap::new();
    for indices in by_name.values() {
        let originals = indices.iter().filter(|index| items[**index].copy_of == CopyOf::Program).count();
        let mut number = None;
        for index in indices {
            if items[*index].copy_of == CopyOf::Program {
                number = Some(number.map_or(0, |number| number + 1));
            }
            found.insert(*index, number.filter(|_| originals == types));
        }
    }
    found
}

/// Whether the path may stand in a string: what is written there stays.
fn is_in_literal(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        // Quotes are also around the ABI of a function's type.
        let quotes = text[line..at].matches('"').count();
        quotes > 2 * text[line..at].matches("extern \"").count()
    })
}

/// Whether the text has the word with no name going on at either side.
fn has_word(text: &str, word: &str) -> bool {
    let is_free = |at: usize| {
        let before = text[..at].bytes().next_back();
        let behind = text[at + word.len()..].bytes().next();
        [before, behind].into_iter().flatten().all(|byte| !is_ident_byte(byte))
    };
    text.match_indices(word).any(|(at, _)| is_free(at))
}

/// The text with one path in place of another, wherever it stands as a whole or with more names behind it.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(old) {
        let goes_on = text[at + old.len()..].bytes().next().is_some_and(is_ident_byte);
        if begins_path(text, at) && !goes_on {
            out.push_str(&text[done..at]);
            out.push_str(new);
            done = at + old.len();
        }
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::super::cfg_headers;
    use super::super::items;
    use super::super::join::join_graphs;
    use super::*;

    /// Two constants with a type `X` each: one with an implementation for `A`, the other with one for `B`.
    const TWO: &str = "fn A::get(_1: &A) -> _::X {\n}\n\
        const _: () = const ();\n\
        fn _::<impl at m.rs:1:1: 1:2>::new() -> _::X {\n    _0 = _::X(const 1_u8);\n}\n\
        const _::<impl at m.rs:1:1: 1:2>::new::promoted[0]: &_::X = {\n}\n\
        fn _::<impl at m.rs:2:1: 2:2>::make() -> A {\n    let mut _1: _::X;\n    let mut _2: _::_serde::S;\n}\n\
        const _: () = const ();\n\
        fn _::<impl at m.rs:1:1: 1:2>::new() -> _::X {\n}\n\
        fn _::<impl at m.rs:2:1: 2:2>::make() -> B {\n    let mut _1: _::X;\n    let mut _2: _::_serde::S;\n}\n";
    const TWO_GRAPHS: [&str; 5] = [
        "A::get(_1: &'{erased} A) -> _::X",
        "_::X::new() -> _::X",
        "<A as T<_::X>>::make() -> A",
        "_::X::new() -> _::X",
        "_::<impl m::B>::make() -> B",
    ];
    const CONSTRUCTORS: &str = "fn _::X(_1: u8) -> _::X {\n    _0 = _::X(move _1);\n}\n\
        // MIR FOR CTFE\nfn _::X(_1: u8) -> _::X {\n    _0 = _::X(move _1);\n}\n\
        fn _::X(_1: u8) -> _::X {\n    _0 = _::X(move _1);\n}\n";

    /// Holds the lines in which names are changed, or of items that remain untold, against the expected ones.
    #[track_caller]
    fn check(more: &str, more_graphs: &[&str], expected: &[&str]) {
        let mir = format!("{TWO}{more}");
        assert!(may_have_several(&mir));
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let label = |path: &&str| format!("  label=<fn {}<br align=\"left\"/>>;\n", escape(path));
        let graphs: String = TWO_GRAPHS.iter().chain(more_graphs).map(label).collect();
        let (items, graphs) = (items::split(&mir), cfg_headers::split(&graphs));
        let graph_of_item = join_graphs(&items, &graphs);
        assert!(graph_of_item.iter().any(Option::is_some), "the graphs do not fit");
        let dumps = Dumps {
            mir: &mir,
            items: &items,
            graphs: &graphs,
            graph_of_item: &graph_of_item,
            types_in_bodies: &[],
        };
        let is_type = |path: &str| ["A", "m::B"].contains(&path);
        let told = tell_apart(&dumps, &is_type, &|path| path == "_::_serde").expect("two constants with `X`");
        let changed = mir.lines().zip(told.mir.lines()).filter(|(old, new)| old != new);
        let untold: BTreeSet<usize> = told.untold.keys().copied().collect();
        let untold = untold.into_iter().map(|item| format!("? {}", items[item].header));
        let found: Vec<String> = changed.map(|(_, new)| new.trim().to_owned()).chain(untold).collect();
        let two = [
            "fn A::get(_1: &A) -> _::X_of_A {",
            "fn _::<impl at m.rs:1:1: 1:2>::new() -> _::X_of_A {",
            "_0 = _::X_of_A(const 1_u8);",
            "const _::<impl at m.rs:1:1: 1:2>::new::promoted[0]: &_::X_of_A = {",
            "let mut _1: _::X_of_A;",
            "fn _::<impl at m.rs:1:1: 1:2>::new() -> _::X_of_B {",
            "let mut _1: _::X_of_B;",
        ];
        assert_eq!(found, [&two[..], expected].concat());
        let graph = told.graphs[3].signature();
        assert_eq!(graph, "_::X_of_B::new() -> _::X_of_B");
    }

    #[test]
    fn items_of_unnamed_constants_are_told_apart() {
        check("", &[], &[]);
    }

    #[test]
    fn constructors_come_in_the_order_of_the_types() {
        let graphs = ["_::X(_1: u8) -> _::X"; 3];
        check(
            CONSTRUCTORS,
            &graphs,
            &[
                "fn _::X_of_A(_1: u8) -> _::X_of_A {",
                "_0 = _::X_of_A(move _1);",
                "fn _::X_of_A(_1: u8) -> _::X_of_A {",
                "_0 = _::X_of_A(move _1);",
                "fn _::X_of_B(_1: u8) -> _::X_of_B {",
                "_0 = _::X_of_B(move _1);",
            ],
        );
        let one = &CONSTRUCTORS[..CONSTRUCTORS.find("// MIR").unwrap()];
        check(one, &graphs[..1], &["? _::X(_1: u8) -> _::X"]);
    }

    #[test]
    fn an_item_outside_means_the_constant_of_the_types_that_it_mentions() {
        let graph = ["f(_1: u8) -> ()"];
        check("fn f(_1: m::B) -> () {\n    let _2: _::X;\n}\n", &graph, &["let _2: _::X_of_B;"]);
        check("fn f(_1: B, _2: &A) -> () {\n    let _2: _::X;\n}\n", &graph, &["? f(_1: B, _2: &A) -> ()"]);
        check("fn f(_1: Aa) -> () {\n    let _2: _::X;\n}\n", &graph, &["? f(_1: Aa) -> ()"]);
        check("fn f(_1: A) -> () {\n    let _2: a::_::X;\n    let _3: _::Xy;\n}\n", &graph, &[]);
    }

    #[test]
    fn what_is_written_in_strings_stays() {
        check(
            "fn f(_1: A) -> () {\n    _2 = const \"_::X\";\n}\n",
            &["f(_1: u8) -> ()"],
            &["? f(_1: A) -> ()"],
        );
        check(
            "fn f(_1: A) -> () {\n    _2 = g as extern \"C\" fn() -> _::X;\n}\n",
            &["f(_1: u8) -> ()"],
            &["_2 = g as extern \"C\" fn() -> _::X_of_A;"],
        );
    }

    #[test]
    fn what_only_one_has_keeps_its_name() {
        let mir = "const _: () = const ();\nfn _::f() -> _::X {\n}\nconst _: () = const ();\nfn _::g() -> () {\n}\n";
        let items = items::split(mir);
        let dumps = Dumps {
            mir,
            items: &items,
            graphs: &[],
            graph_of_item: &vec![None; items.len()],
            types_in_bodies: &[],
        };
        assert!(tell_apart(&dumps, &|_| true, &|_| false).is_none());
    }
}
