//! Literals that stand together in sources, tests, examples and documentation.
//!
//! *Idea.* `assert_eq!(parse("1 day", 3), …)` has an input of `parse` in it, and so has the line `("1 day", 3, …)` of a table in a test of `parse`.
//! Nothing is resolved or run for that: the literals of a group of tokens are a [`Row`], and an input is drawn from it by taking, whenever a text is
//! asked for, the row's next text, and so with numbers and lengths. Rows of calls of the function come first, before those beside a mention
//! of its name; and what one version alone has comes before what both have, as a change often comes with its test.
//!
//! *Limits.* Functions are told by the last part of their names. What is computed is not seen, and what comes from files is not either. Callers
//! are followed two steps, so that a test which calls `check("1 day", 3)` is seen by way of what `check` calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use camino::Utf8PathBuf;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use regress_core::value::Value;

use super::shape::{Kind, shape};
use crate::harness::syntax::ident;

/// Rows by how near they are to a function, and all other texts. Copies share all of it.
#[derive(Clone, Debug, Default)]
pub struct Written {
    near: Arc<BTreeMap<Arc<Row>, Rank>>,
    /// Texts from anywhere, of one version or of each.
    elsewhere: Vec<Arc<Texts>>,
    /// Those that one version alone has.
    changed: Arc<BTreeSet<String>>,
    /// What is tried, once that was asked: each batch of runs asks.
    rows: Arc<OnceLock<Vec<Row>>>,
}

/// All texts of a crate.
#[derive(Debug, Default)]
struct Texts {
    all: BTreeSet<String>,
    /// Those that may be inputs of any function, best first.
    varied: Vec<String>,
}

/// Literals in the order in which they stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub Vec<Scalar>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    Text(String),
    Char(char),
    /// Two's complement.
    Int(u128),
    /// The bits of a float of 64 bits.
    Float(u64),
    Bool(bool),
    /// A sequence of so many elements begins.
    Length(usize),
}

/// What a row has to do with a function; the first comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The arguments of a call, in one version alone.
    CalledChanged,
    Called,
    /// In an item that mentions the function, in one version alone.
    BesideChanged,
    Beside,
}

/// So many rows of each rank, at most.
const MOST_OF_RANK: usize = 100;
/// So many texts that one version alone has.
const MOST_CHANGED: usize = 60;
/// And so many rows in all.
const MOST: usize = 400;
/// Texts from anywhere are only short.
const LONGEST_ELSEWHERE: usize = 64;
/// Bytes of all texts of rows.
const MOST_BYTES: usize = 1 << 14;

impl Written {
    pub(super) fn of_both(old: &Written, new: &Written) -> Written {
        let mut near = BTreeMap::new();
        for (one, other) in [(old, new), (new, old)] {
            for (row, rank) in one.near.iter() {
                let rank = match (other.near.get(row), rank) {
                    (Some(there), here) => *there.min(here),
                    (None, Rank::Called) => Rank::CalledChanged,
                    (None, Rank::Beside) => Rank::BesideChanged,
                    (None, rank) => *rank,
                };
                near.insert(Arc::clone(row), rank);
            }
        }
        let changed = match (old.elsewhere.as_slice(), new.elsewhere.as_slice()) {
            ([old], [new]) => old.all.symmetric_difference(&new.all).cloned().collect(),
            _ => BTreeSet::new(),
        };
        let elsewhere = old.elsewhere.iter().chain(&new.elsewhere).cloned().collect();
        Written { near: Arc::new(near), elsewhere, changed: Arc::new(changed), rows: Arc::default() }
    }

    pub(super) fn add(&mut self, other: &Written) {
        let near = Arc::make_mut(&mut self.near);
        for (row, rank) in other.near.iter() {
            let known = near.entry(Arc::clone(row)).or_insert(*rank);
            *known = (*known).min(*rank);
        }
        Arc::make_mut(&mut self.changed).extend(other.changed.iter().cloned());
        self.elsewhere.extend(other.elsewhere.iter().cloned());
        self.rows = Arc::default();
    }

    /// The rows that are tried, best first.
    pub fn rows(&self) -> &[Row] {
        self.rows.get_or_init(|| self.best())
    }

    fn best(&self) -> Vec<Row> {
        let of_rank = |rank| {
            let mut rows: Vec<&Row> =
                self.near.iter().filter(|(_, of)| **of == rank).map(|(row, _)| &**row).collect();
            rows.sort_by_key(|row| (row.size(), *row));
            rows.into_iter().take(MOST_OF_RANK).cloned()
        };
        let alone = |text: &String| Row::of_text(text.clone());
        let mut changed: Vec<&String> = self.changed.iter().collect();
        changed.sort_by_key(|text| (text.len(), *text));
        let rest = self.elsewhere.iter().flat_map(|texts| &texts.varied);
        let rows = of_rank(Rank::CalledChanged)
            .chain(of_rank(Rank::Called))
            .chain(of_rank(Rank::BesideChanged))
            .chain(changed.into_iter().take(MOST_CHANGED).map(alone))
            .chain(of_rank(Rank::Beside))
            .chain(rest.map(alone));
        let (mut seen, mut bytes) = (BTreeSet::new(), 0);
        let mut is_wanted = |row: &Row| {
            let fits = bytes + row.size() <= MOST_BYTES;
            let wanted = fits && seen.insert(row.clone());
            bytes += if wanted { row.size() } else { 0 };
            wanted
        };
        rows.filter(|row| is_wanted(row)).take(MOST).collect()
    }

    /// Texts of all rows.
    pub fn texts(&self) -> BTreeSet<String> {
        self.rows().iter().flat_map(|row| &row.0).filter_map(Scalar::text).cloned().collect()
    }

    /// The same, with these rows before all others.
    pub fn beginning_with(&self, rows: &[Row]) -> Written {
        let all: Vec<Row> = rows.iter().chain(self.rows()).cloned().collect();
        Written { rows: Arc::new(OnceLock::from(all)), ..self.clone() }
    }

    /// These and nothing else.
    pub fn of_rows(rows: Vec<Row>) -> Written {
        Written { rows: Arc::new(OnceLock::from(rows)), ..Written::default() }
    }
}

impl Texts {
    fn new(all: BTreeSet<String>) -> Texts {
        let varied = most_varied(all.iter().filter(|text| text.len() <= LONGEST_ELSEWHERE).collect());
        Texts { varied: varied.into_iter().take(MOST).cloned().collect(), all }
    }
}

/// The shortest text of each shape, then the next one of each: the names in a table are many, short and alike, and would leave no room for what tests
/// give a parser.
fn most_varied(mut texts: Vec<&String>) -> Vec<&String> {
    texts.sort_by_key(|text| (text.len(), *text));
    let mut of_shape: BTreeMap<Vec<Kind>, usize> = BTreeMap::new();
    let mut in_turn: Vec<(usize, &String)> = texts
        .into_iter()
        .map(|text| {
            let seen = of_shape.entry(shape(text)).or_default();
            *seen += 1;
            (*seen, text)
        })
        .collect();
    in_turn.sort_by_key(|(turn, _)| *turn);
    in_turn.into_iter().map(|(_, text)| text).collect()
}

impl Row {
    pub fn of_text(text: String) -> Row {
        Row(vec![Scalar::Text(text)])
    }

    /// What values are made of; none if that is much, or says nothing.
    pub fn of_values<'v>(values: impl IntoIterator<Item = &'v Value>) -> Option<Row> {
        let mut row = Row(Vec::new());
        values.into_iter().for_each(|value| row.add(value));
        (row.0.len() <= LONGEST_ROW && row.says_anything()).then_some(row)
    }

    fn add(&mut self, value: &Value) {
        let scalar = match value {
            Value::Str(text) => Scalar::Text(text.clone()),
            Value::Char(c) => Scalar::Char(*c),
            Value::Int { bits, .. } => Scalar::Int(*bits),
            Value::F32(bits) => Scalar::Float(f64::from(f32::from_bits(*bits)).to_bits()),
            Value::F64(bits) => Scalar::Float(*bits),
            Value::Bool(value) => Scalar::Bool(*value),
            Value::Seq(items) => match text_of(items).filter(|text| !text.is_empty()) {
                Some(text) => Scalar::Text(text),
                None => {
                    self.0.push(Scalar::Length(items.len()));
                    return items.iter().for_each(|item| self.add(item));
                }
            },
            _ => return value.parts().into_iter().for_each(|part| self.add(part)),
        };
        self.0.push(scalar);
    }

    /// How much there is of it, in bytes of texts and numbers.
    fn size(&self) -> usize {
        self.0.iter().map(|scalar| if let Scalar::Text(text) = scalar { 1 + text.len() } else { 1 }).sum()
    }

    /// Indices and counts stand everywhere.
    fn is_one_number(&self) -> bool {
        matches!(self.0.as_slice(), [Scalar::Int(_)])
    }

    fn says_anything(&self) -> bool {
        self.0.iter().any(|scalar| !matches!(scalar, Scalar::Bool(_) | Scalar::Length(_)))
    }
}

/// The text that a sequence of bytes is.
pub fn text_of(items: &[Value]) -> Option<String> {
    let byte = |item: &Value| match item {
        Value::Int { ty, bits } if ty.bits() == 8 => Some(*bits as u8),
        _ => None,
    };
    String::from_utf8(items.iter().map(byte).collect::<Option<_>>()?).ok()
}

impl Scalar {
    fn text(&self) -> Option<&String> {
        match self {
            Scalar::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The items of a crate's sources and its documentation's examples, with their rows.
#[derive(Debug, Default)]
pub struct Samples {
    items: Vec<Sample>,
    /// Of identifiers, the items in which they stand.
    by_name: BTreeMap<String, Vec<usize>>,
    texts: Arc<Texts>,
}

#[derive(Debug)]
struct Sample {
    /// What the item is called.
    name: Option<String>,
    rows: Vec<Found>,
}

/// A row with the name in front of its parentheses.
#[derive(Debug)]
struct Found {
    called: Option<String>,
    row: Arc<Row>,
}

/// More is generated, or data.
const LARGEST_FILE: usize = 1 << 20;
const LONGEST_ROW: usize = 24;
/// Calls on longer ones may take long, and there are many of them.
const LONGEST_TEXT: usize = 256;
/// What these are given is for people to read.
const WORDS: &[&str] = &[
    "expect",
    "panic",
    "unreachable",
    "unimplemented",
    "todo",
    "print",
    "println",
    "eprint",
    "eprintln",
    "compile_error",
];
/// Names by which a function may be called directly or by another one.
const MOST_NAMES: usize = 16;
/// A name in more items than that tells nothing of who calls the function, and not all of them are looked at.
const MOST_ITEMS: usize = 200;

impl Samples {
    /// Of Rust sources by their paths.
    pub fn of(files: &BTreeMap<Utf8PathBuf, String>) -> Samples {
        let mut samples = Samples::default();
        let mut texts = BTreeSet::new();
        for text in files.values().filter(|text| text.len() <= LARGEST_FILE) {
            match syn::parse_file(text) {
                Ok(file) => samples.add_items(&file.items),
                // What is no Rust (a test of how errors are told) may have tokens.
                Err(_) => samples.add(None, text.parse().unwrap_or_default()),
            }
            for example in examples(text) {
                samples.add(None, example.parse().unwrap_or_default());
            }
            texts.extend(quoted(text));
        }
        let rows = samples.items.iter().flat_map(|item| &item.rows);
        texts.extend(rows.flat_map(|found| &found.row.0).filter_map(Scalar::text).cloned());
        texts.retain(|text| !text.is_empty() && text.len() <= LONGEST_TEXT);
        samples.texts = Arc::new(Texts::new(texts));
        samples
    }

    fn add_items(&mut self, items: &[syn::Item]) {
        for item in items {
            match item {
                syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) => self.add_items(items),
                syn::Item::Impl(item) => {
                    for item in &item.items {
                        let name = match item {
                            syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
                            _ => None,
                        };
                        self.add(name, item.to_token_stream());
                    }
                }
                syn::Item::Use(_) => {}
                item => self.add(name_of(item), item.to_token_stream()),
            }
        }
    }

    fn add(&mut self, name: Option<String>, tokens: TokenStream) {
        let (mut names, mut rows) = (BTreeSet::new(), Vec::new());
        collect(tokens, &mut names, &mut rows);
        if names.is_empty() {
            return;
        }
        let index = self.items.len();
        for name in names {
            self.by_name.entry(name).or_default().push(index);
        }
        self.items.push(Sample { name, rows });
    }

    /// What stands beside the function's name, or beside the names of types that it takes.
    pub fn about(&self, function: &str, types: &BTreeSet<String>) -> Written {
        let names = self.names(function);
        let of_types = types.iter().map(String::as_str);
        let items: BTreeSet<usize> = (names.iter().copied().chain(of_types))
            .flat_map(|name| self.with_name(name).iter().take(MOST_ITEMS))
            .copied()
            .collect();
        let found = || items.iter().flat_map(|item| &self.items[*item].rows);
        let is_call = |found: &&Found| found.called.as_deref().is_some_and(|called| names.contains(&called));
        let mut near = BTreeMap::new();
        for found in found().filter(is_call).take(MOST) {
            near.insert(Arc::clone(&found.row), Rank::Called);
        }
        for found in found().filter(|found| !found.row.is_one_number()) {
            if near.len() >= 2 * MOST {
                break;
            }
            near.entry(Arc::clone(&found.row)).or_insert(Rank::Beside);
        }
        Written { near: Arc::new(near), elsewhere: vec![Arc::clone(&self.texts)], ..Written::default() }
    }

    /// The function's name, those by which std calls it, and the names of what mentions these, two steps on.
    fn names<'n>(&'n self, function: &'n str) -> Vec<&'n str> {
        let mut names = vec![function];
        names.extend(called_as(function));
        let mut from = 0;
        for _ in 0..2 {
            let last = names.len();
            for at in from..last {
                let items = self.with_name(names[at]);
                if items.len() > MOST_ITEMS {
                    continue;
                }
                for item in items {
                    match self.items[*item].name.as_deref() {
                        Some(name)
                            if !names.contains(&name)
                                && names.len() < MOST_NAMES
                                && self.is_mentioned_elsewhere(name, *item) =>
                        {
                            names.push(name);
                        }
                        _ => {}
                    }
                }
            }
            from = last;
        }
        names
    }

    /// Tests are not.
    fn is_mentioned_elsewhere(&self, name: &str, own: usize) -> bool {
        self.with_name(name).iter().any(|item| *item != own)
    }

    fn with_name(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}

fn name_of(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Fn(item) => Some(item.sig.ident.to_string()),
        // The rules of a macro that it defines.
        syn::Item::Macro(item) => item.ident.as_ref().map(ToString::to_string),
        syn::Item::Const(item) => Some(item.ident.to_string()),
        syn::Item::Static(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// Methods of std that lead to a function of this name.
fn called_as(function: &str) -> &'static [&'static str] {
    match function {
        "from_str" => &["parse"],
        "from" => &["into"],
        "try_from" => &["try_into"],
        "fmt" => &["to_string", "format"],
        _ => &[],
    }
}

/// Identifiers and rows of a stream of tokens.
fn collect(tokens: TokenStream, names: &mut BTreeSet<String>, rows: &mut Vec<Found>) {
    let mut last: Option<String> = None;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                let name = ident(&name);
                names.insert(name.clone());
                last = Some(name);
            }
            // `check!("1 day")`, `parse::<u8>("1")`
            TokenTree::Punct(punct) if "!:<>&'".contains(punct.as_char()) => {}
            TokenTree::Group(group) => {
                let called = match group.delimiter() {
                    Delimiter::Parenthesis => last.take(),
                    _ => None,
                };
                last = None;
                let is_words = called.as_deref().is_some_and(|called| WORDS.contains(&called));
                if is_documentation(&group) {
                    continue;
                }
                if is_words {
                    collect(group.stream(), names, &mut Vec::new());
                    continue;
                }
                if group.delimiter() != Delimiter::Brace
                    && let Some(scalars) = row(group.stream(), group.delimiter())
                    && scalars.len() <= LONGEST_ROW
                {
                    let row = Row(scalars);
                    if row.says_anything() {
                        rows.push(Found { called, row: Arc::new(row) });
                    }
                }
                if group.delimiter() == Delimiter::Bracket {
                    let row = |row| Found { called: None, row: Arc::new(row) };
                    rows.extend(neighbours(group.stream()).into_iter().map(row));
                }
                collect(group.stream(), names, rows);
            }
            TokenTree::Literal(literal) => {
                last = None;
                // A text that stands alone (`let input = "…"`, `"…".parse()`) is a row.
                if let Some(text @ Scalar::Text(_)) = scalar(literal, false) {
                    rows.push(Found { called: None, row: Arc::new(Row(vec![text])) });
                }
            }
            TokenTree::Punct(_) => last = None,
        }
    }
}

/// Whether it is the inside of `#[doc = "…"]`, which is what comments become.
fn is_documentation(group: &proc_macro2::Group) -> bool {
    let first = group.stream().into_iter().next();
    let is_doc = matches!(first, Some(TokenTree::Ident(name)) if name == "doc");
    is_doc && group.delimiter() == Delimiter::Bracket
}

/// The literals in a group, with those of groups inside; none if statements stand in it.
fn row(tokens: TokenStream, delimiter: Delimiter) -> Option<Vec<Scalar>> {
    let mut found = Vec::new();
    let mut is_negative = false;
    let (mut commas, mut repeats, mut ends_open) = (0, false, false);
    // Behind what is a value, `-` takes one from the other.
    let mut behind_value = false;
    for token in tokens {
        let was_negative = std::mem::replace(&mut is_negative, false);
        let is_comma = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
        ends_open = !is_comma;
        match token {
            TokenTree::Literal(literal) => {
                found.extend(scalar(literal, was_negative));
                behind_value = true;
            }
            TokenTree::Ident(name) => {
                match name.to_string().as_str() {
                    "true" => found.push(Scalar::Bool(true)),
                    "false" => found.push(Scalar::Bool(false)),
                    _ => {}
                }
                behind_value = true;
            }
            TokenTree::Group(group) => {
                found.extend(row(group.stream(), group.delimiter())?);
                behind_value = true;
            }
            TokenTree::Punct(punct) => {
                match punct.as_char() {
                    ',' => commas += 1,
                    ';' if delimiter == Delimiter::Bracket => repeats = true,
                    ';' => return None,
                    '-' => is_negative = !behind_value,
                    _ => {}
                }
                behind_value = false;
            }
        }
        if found.len() > LONGEST_ROW {
            return None;
        }
    }
    if delimiter != Delimiter::Bracket {
        return Some(found);
    }
    match (repeats, found.as_slice()) {
        // `[0; 4]`
        (true, [element, Scalar::Int(count)]) if *count < LONGEST_ROW as u128 => {
            let mut all = vec![Scalar::Length(*count as usize)];
            all.extend(std::iter::repeat_n(element.clone(), *count as usize));
            Some(all)
        }
        (true, _) => Some(found),
        (false, _) => {
            found.insert(0, Scalar::Length(commas + usize::from(ends_open)));
            Some(found)
        }
    }
}

/// Lines of a table with the next one each: what is done one after the other (`insert` of two routes that are in each other's way) is often written as a table.
fn neighbours(table: TokenStream) -> Vec<Row> {
    let tokens: Vec<TokenTree> = table.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let has_text = |row: &Vec<Scalar>| row.iter().any(|scalar| scalar.text().is_some());
    let lines: Vec<Option<Vec<Scalar>>> = tokens
        .split(is_comma)
        .map(|line| row(line.iter().cloned().collect(), Delimiter::None).filter(has_text))
        .collect();
    // Two lines are the whole table.
    if lines.len() < 3 {
        return Vec::new();
    }
    let both = |pair: &[Option<Vec<Scalar>>]| match pair {
        [Some(one), Some(other)] => Some(Row([one.as_slice(), other].concat())),
        _ => None,
    };
    lines.windows(2).filter_map(both).filter(|row| row.0.len() <= LONGEST_ROW).collect()
}

fn scalar(literal: proc_macro2::Literal, is_negative: bool) -> Option<Scalar> {
    let signed = |value: u128| if is_negative { value.wrapping_neg() } else { value };
    match syn::Lit::new(literal) {
        syn::Lit::Str(text) => Some(Scalar::Text(text.value())).filter(is_not_too_long),
        syn::Lit::ByteStr(bytes) => {
            String::from_utf8(bytes.value()).ok().map(Scalar::Text).filter(is_not_too_long)
        }
        syn::Lit::Char(value) => Some(Scalar::Char(value.value())),
        syn::Lit::Byte(value) => Some(Scalar::Int(value.value().into())),
        syn::Lit::Int(value) => value.base10_parse().ok().map(|value| Scalar::Int(signed(value))),
        syn::Lit::Float(value) => {
            let value: f64 = value.base10_parse().ok()?;
            Some(Scalar::Float(if is_negative { -value } else { value }.to_bits()))
        }
        _ => None,
    }
}

fn is_not_too_long(scalar: &Scalar) -> bool {
    !matches!(scalar, Scalar::Text(text) if text.len() > LONGEST_TEXT)
}

/// The Rust code in documentation, block by block.
fn examples(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines().map(str::trim_start) {
        let documented = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(content) = documented.map(|content| content.strip_prefix(' ').unwrap_or(content)) else {
            open = None;
            continue;
        };
        if content.trim_start().starts_with("```") {
            match open.take() {
                Some(block) => found.push(block),
                None => open = Some(String::new()),
            }
        } else if let Some(block) = &mut open {
            // Hidden lines.
            block.push_str(content.strip_prefix("# ").unwrap_or(content));
            block.push('\n');
        }
    }
    found
}

/// What stands between quotation marks and backquotes in comments.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::trim_start).filter(|line| line.starts_with("//")).flat_map(|line| {
        let between = |mark| line.split(mark).skip(1).step_by(2).map(str::to_string);
        between('"').chain(between('`')).filter(|text| text.len() <= LONGEST_ELSEWHERE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(text: &str) -> Samples {
        Samples::of(&[("lib.rs".into(), text.to_owned())].into())
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.to_owned())
    }

    #[track_caller]
    fn check_first(source: &str, function: &str, expected: &[Scalar]) {
        let rows = samples(source).about(function, &BTreeSet::new()).rows().to_vec();
        assert_eq!(rows.first().map(|row| row.0.as_slice()), Some(expected), "{rows:?}");
    }

    #[test]
    fn arguments_of_calls_come_first() {
        let source = r#"
            const A: &str = "x";
            fn other() { wanted(g(-1), "ab", [2.5, -0.5], true, b'c', 'd'); }
        "#;
        let float = |value: f64| Scalar::Float(value.to_bits());
        let expected = [
            Scalar::Int(u128::MAX),
            text("ab"),
            Scalar::Length(2),
            float(2.5),
            float(-0.5),
            Scalar::Bool(true),
            Scalar::Int(99),
            Scalar::Char('d'),
        ];
        check_first(source, "wanted", &expected);
    }

    #[test]
    fn helpers_and_macros_of_tests_are_followed() {
        check_first(
            r#"fn check(a: &str) { wanted(a); } #[test] fn test() { check("ab"); unrelated("c"); }"#,
            "wanted",
            &[text("ab")],
        );
        check_first(
            r#"macro_rules! check { ($a:expr) => { wanted($a) }; } #[test] fn test() { check!("ab"); unrelated("c") }"#,
            "wanted",
            &[text("ab")],
        );
    }

    #[test]
    fn tests_take_no_room_from_helpers() {
        let tests: String =
            (0..2 * MOST_NAMES).map(|n| format!("#[test] fn a{n}() {{ wanted(\"c\"); }} ")).collect();
        let helper = r#"struct Case(&'static str, char); impl Case { fn run(self) { wanted(self.0) } }"#;
        let source = format!(r#"{tests} {helper} #[test] fn test() {{ Case("ab", 'c').run() }}"#);
        let rows = samples(&source).about("wanted", &BTreeSet::new()).rows().to_vec();
        assert!(rows.contains(&Row(vec![text("ab"), Scalar::Char('c')])), "{rows:?}");
    }

    #[test]
    fn documentation_has_calls() {
        let source = "/// Reads.\n///\n/// ```\n/// # use a::wanted;\n/// wanted(\"ab\");\n/// ```\nfn f() { unrelated(\"c\") }";
        check_first(source, "wanted", &[text("ab")]);
    }

    #[test]
    fn lines_of_tables_are_rows() {
        let source = r#"#[test] fn test() { for (a, n) in [("ab", 1), ("c", 7 - 2)] { wanted(a, n) } }"#;
        let rows = samples(source).about("wanted", &BTreeSet::new()).rows().to_vec();
        for expected in [vec![text("ab"), Scalar::Int(1)], vec![text("c"), Scalar::Int(7), Scalar::Int(2)]] {
            assert!(rows.contains(&Row(expected)), "{rows:?}");
        }
    }

    #[test]
    fn a_line_of_a_table_stands_before_the_next_one() {
        let source =
            r#"#[test] fn test() { check(vec![("ab", Ok(())), ("c", Err("d")), ("e", Ok(()))], wanted) }"#;
        let rows = samples(source).about("wanted", &BTreeSet::new()).rows().to_vec();
        for expected in [vec![text("ab"), text("c"), text("d")], vec![text("c"), text("d"), text("e")]] {
            assert!(rows.contains(&Row(expected)), "{rows:?}");
        }
    }

    #[test]
    fn names_leave_room_for_texts_of_other_shapes() {
        let names: Vec<String> = (0..500).map(|number| format!("\"{}\"", letters(number))).collect();
        let date = "Thu, 10-Sep-69 20:00:00 GMT; path=/a";
        let source = format!("const NAMES: &[&str] = &[{}]; const OTHER: &str = {date:?};", names.join(", "));
        let rows = samples(&source).about("wanted", &BTreeSet::new()).rows().to_vec();
        assert_eq!(rows.len(), MOST);
        assert!(rows.contains(&Row::of_text(date.to_owned())) && rows.contains(&Row::of_text(letters(0))));
    }

    /// Others for each number.
    fn letters(number: usize) -> String {
        [number / 26, number % 26].map(|digit| char::from(b'a' + digit as u8)).iter().collect()
    }

    #[test]
    fn what_one_version_has_alone_comes_before_what_both_have() {
        let about = |source| samples(source).about("wanted", &BTreeSet::new());
        let old = about(r#"fn test() { wanted("a"); }"#);
        let new = about(r#"fn test() { wanted("a"); wanted("a long one"); }"#);
        let rows = Written::of_both(&old, &new).rows().to_vec();
        assert_eq!(rows[..2], [Row(vec![text("a long one")]), Row(vec![text("a")])]);
    }
}
