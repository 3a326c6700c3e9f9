//! Cuts the tokens of a crate into items.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use regress_core::ir::IntTy;

use super::attributes::{Attribute, is_restriction, spell};
use super::derives::Seen;
use super::{Calls, Declarations, ImplHeader, Item, Kind, Presence, TypeInBody, symbols, types_in_bodies};

pub(super) fn read(stream: TokenStream) -> Declarations {
    let mut reader = Reader { found: Declarations::default(), seen: Seen::default() };
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut inner = Inner::default();
    reader.items(&tokens, &Place::default(), &mut inner);
    reader.found.frame.extend(inner.texts);
    reader.found.frame.sort();
    let Declarations { items, types_in_bodies, .. } = &mut reader.found;
    let of_library = |item: &Item| ["std", "core", "alloc"].iter().any(|name| item.words.contains(*name));
    let is_taken = |name: &str| {
        let gives = |item: &Item| match item.kind {
            Kind::Adt => item.name == name,
            Kind::Naming if item.name.is_empty() => item.words.contains(name) && !of_library(item),
            Kind::Naming => item.name == name,
            _ => false,
        };
        items.iter().any(gives)
    };
    types_in_bodies.iter_mut().for_each(|declared| types_in_bodies::forget_ambiguous(declared, &is_taken));
    let by_parts = reader.seen.by_parts();
    for item in reader.found.items.iter_mut().filter(|item| item.kind == Kind::Adt) {
        item.by_parts = by_parts.get(&item.path).copied();
    }
    reader.found
}

struct Reader {
    found: Declarations,
    seen: Seen,
}

/// Where items stand.
#[derive(Clone, Debug, Default)]
struct Place {
    path: Vec<String>,
    within: Within,
    header: Option<ImplHeader>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Module,
    /// An implementation or trait.
    Owner,
    Body,
}

/// What belongs to what stands around: to a body, to an implementation or trait, to the crate.
#[derive(Default)]
struct Inner {
    texts: Vec<String>,
    words: BTreeSet<String>,
}

impl Place {
    fn name(&self, name: &str) -> String {
        self.path.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
    }

    fn below(&self, name: &str, within: Within) -> Place {
        let path = self.path.iter().cloned().chain([name.to_owned()]).collect();
        Place { path, within, header: None }
    }
}

/// Attributes of what runs or is there without being named. The compiler replaces `#[global_allocator]` by functions of internal symbols.
const AMBIENT: &[&str] =
    &["global_allocator", "link_section", "panic_handler", "rustc_std_internal_symbol", "used"];

/// Words that may stand in front of `fn` and of some other items.
const QUALIFIERS: &[&str] = &["const", "async", "unsafe", "safe", "default", "gen", "extern", "auto"];

impl Reader {
    /// Everything in a module, an implementation, a trait or a block.
    fn items(&mut self, tokens: &[TokenTree], place: &Place, inner: &mut Inner) {
        let mut at = 0;
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut begins = true;
        while at < tokens.len() {
            if let Some((attribute, next)) = attribute_at(tokens, at) {
                match attribute {
                    Some((Outer::Yes, attribute)) => attributes.push(attribute),
                    Some((Outer::No, attribute)) => inner.texts.push(format!("#![{}]", attribute.text)),
                    None => {}
                }
                at = next;
                continue;
            }
            if begins || place.within != Within::Body {
                if let Some(next) = self.item(tokens, at, &attributes, place, inner) {
                    if place.within == Within::Body {
                        const_parameters(&tokens[at..next], &mut self.found.const_parameters_in_bodies);
                        type_parameters(&tokens[at..next], &mut self.found.type_parameters_in_bodies);
                    }
                    if place.within == Within::Body && place.header.is_none() {
                        let around: Vec<&str> = place.path.iter().map(|name| without_raw(name)).collect();
                        let names = names_in_paths(&tokens[at..next]);
                        self.found.items_in_bodies.entry(around.join("::")).or_default().extend(names);
                    }
                    attributes.clear();
                    at = next;
                    begins = true;
                    continue;
                }
                if place.within != Within::Body {
                    // Not known what it is, so it belongs to whatever it stands in.
                    let end = end_of_unknown(tokens, at);
                    let attributes = attributes.drain(..).map(|attribute| format!("#[{}] ", attribute.text));
                    inner.texts.push(attributes.collect::<String>() + &spell(tokens[at..end].to_vec()));
                    at = end;
                    continue;
                }
            }
            // An attribute of a statement or expression.
            inner.texts.extend(attributes.drain(..).map(|attribute| format!("#[{}]", attribute.text)));
            begins = match &tokens[at] {
                TokenTree::Group(group) => {
                    self.group(group, place, inner);
                    group.delimiter() == Delimiter::Brace
                }
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            at += 1;
        }
        inner.texts.extend(attributes.iter().map(|attribute| format!("#[{}]", attribute.text)));
    }

    /// Looks for blocks, and for items in them.
    fn body(&mut self, tokens: &[TokenTree], place: &Place, inner: &mut Inner) {
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.group(group, place, inner);
            }
        }
    }

    fn group(&mut self, group: &Group, place: &Place, inner: &mut Inner) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        match group.delimiter() {
            Delimiter::Brace => self.items(&tokens, place, inner),
            _ => self.body(&tokens, place, inner),
        }
    }

    /// The item that begins here, if one does; gives where it ends.
    fn item(
        &mut self,
        tokens: &[TokenTree],
        start: usize,
        attributes: &[Attribute],
        place: &Place,
        inner: &mut Inner,
    ) -> Option<usize> {
        let mut at = start;
        if word_at(tokens, at) == Some("pub".into()) {
            at += 1 + usize::from(tokens.get(at + 1).is_some_and(is_restriction));
        }
        let begins = at;
        let mut qualifiers: Vec<String> = Vec::new();
        loop {
            match tokens.get(at)? {
                TokenTree::Ident(word) if QUALIFIERS.iter().any(|known| word == known) => {
                    qualifiers.push(word.to_string());
                }
                TokenTree::Literal(abi) if qualifiers.last().is_some_and(|word| word == "extern") => {
                    qualifiers.push(abi.to_string());
                }
                TokenTree::Group(block)
                    if block.delimiter() == Delimiter::Brace
                        && qualifiers.iter().any(|word| word == "extern") =>
                {
                    self.foreign(block, attributes, &qualifiers, place, inner);
                    return Some(at + 1);
                }
                _ => break,
            }
            at += 1;
        }
        let word = word_at(tokens, at)?;
        let name = word_at(tokens, at + 1);
        let last = qualifiers.last().map(String::as_str);
        match (word.as_str(), name) {
            ("fn", Some(name)) => {
                if place.within == Within::Body {
                    self.function_in_body(without_raw(&name), &tokens[at + 2..], place);
                }
                Some(self.function(tokens, at, &name, attributes, &qualifiers, place))
            }
            ("crate", _) if last == Some("extern") => {
                let end = end_of_statement(tokens, at);
                if spell(tokens[at..end].to_vec()).ends_with("as core ;") {
                    self.seen.core_is_taken();
                }
                self.extern_crate(&tokens[at..end], place);
                Some(end)
            }
            (name, _) if last == Some("const") && is_colon(tokens.get(at + 1)) => {
                Some(self.constant(tokens, at, name, "const", attributes, place))
            }
            ("static", Some(next)) => {
                let (at, mutable) = if next == "mut" { (at + 2, "static mut") } else { (at + 1, "static") };
                let name = word_at(tokens, at).filter(|_| is_colon(tokens.get(at + 1)))?;
                Some(self.constant(tokens, at, &name, mutable, attributes, place))
            }
            ("struct" | "enum" | "union", Some(name)) => {
                let end = end_of_adt(tokens, at);
                match place.within {
                    Within::Module => self.seen.a_type(&place.name(&name), &tokens[at..end]),
                    Within::Body => self.type_in_body(&tokens[at..end], attributes, place),
                    Within::Owner => {}
                }
                self.whole(Kind::Adt, &name, &tokens[at..end], attributes, place, inner);
                Some(end)
            }
            ("type", Some(name)) => {
                let end = end_of_statement(tokens, at);
                match place.within {
                    // Whoever owns it says what it is.
                    Within::Owner => {
                        inner.texts.push(spelled(attributes, &tokens[at..end]));
                    }
                    _ => self.whole(Kind::Naming, &name, &tokens[at..end], attributes, place, inner),
                }
                Some(end)
            }
            ("use", _) => {
                let end = end_of_statement(tokens, at);
                self.whole(Kind::Naming, "", &tokens[at..end], attributes, place, inner);
                Some(end)
            }
            ("mod", Some(name)) => {
                let Some(TokenTree::Group(group)) = tokens.get(at + 2) else {
                    return Some(end_of_statement(tokens, at));
                };
                inner.texts.extend(attributes.iter().map(|a| format!("mod {name} #[{}]", a.text)));
                let content: Vec<TokenTree> = group.stream().into_iter().collect();
                self.items(&content, &place.below(&name, Within::Module), inner);
                Some(at + 3)
            }
            ("trait", Some(name)) => {
                let end = end_of_header(tokens, at);
                let mut own = Inner::default();
                let mut methods = BTreeMap::new();
                if let Some(TokenTree::Group(group)) = tokens.get(end) {
                    let content: Vec<TokenTree> = group.stream().into_iter().collect();
                    let (of_methods, others): (Vec<_>, Vec<_>) =
                        self.signatures(&content).into_iter().partition(|(method, _)| method.is_some());
                    let named = of_methods.into_iter().filter_map(|(method, text)| Some((method?, text)));
                    methods.extend(named);
                    own.texts.extend(others.into_iter().map(|(_, text)| text));
                    let below = place.below(&name, Within::Owner);
                    self.items(&content, &below, &mut own);
                }
                let header = spelled(attributes, &tokens[begins..end]);
                let text = [header].into_iter().chain(own.texts).collect::<Vec<_>>().join("\n");
                self.add(Item { text, methods, words: own.words, ..item(Kind::Trait, &name, place) });
                Some((end + 1).min(tokens.len()))
            }
            ("impl", _) => {
                let end = end_of_header(tokens, at);
                let header = impl_header(&tokens[at..end]);
                let mut own = Inner::default();
                if let Some(TokenTree::Group(group)) = tokens.get(end) {
                    let content: Vec<TokenTree> = group.stream().into_iter().collect();
                    let below =
                        Place { within: Within::Owner, header: Some(header.clone()), ..place.clone() };
                    self.items(&content, &below, &mut own);
                }
                let (of_trait, self_ty) = (header.of_trait.as_deref(), header.self_ty.as_deref());
                if let (Within::Module, Some(of_trait), Some(self_ty)) = (place.within, of_trait, self_ty) {
                    let end = (end + 1).min(tokens.len());
                    self.seen.an_impl(&place.name(self_ty), of_trait, &tokens[begins..end]);
                }
                // Types and bounds are compared where they are resolved.
                let (types, texts) = own.texts.into_iter().partition(|text| text.starts_with("type "));
                own.texts = texts;
                let types: Vec<String> = types;
                let mut words = BTreeSet::new();
                words_of(&tokens[at..end], &mut words);
                words.extend(types.iter().flat_map(|text| names_in(text)));
                let whole = [spell(tokens[at..end].to_vec())].into_iter().chain(types).collect::<Vec<_>>();
                let kept = qualifiers.iter().filter(|word| *word == "default").cloned();
                let polarity = tokens[at..end].iter().filter_map(|token| match token {
                    TokenTree::Punct(punct) if punct.as_char() == '!' => Some("!".to_owned()),
                    _ => None,
                });
                let attributes = attributes.iter().map(|attribute| format!("#[{}]", attribute.text));
                let text: Vec<String> = attributes.chain(kept).chain(polarity).chain(own.texts).collect();
                let (text, whole) = (text.join(" "), whole.join(" "));
                self.add(Item { text, whole, words, header: Some(header), ..item(Kind::Impl, "", place) });
                Some((end + 1).min(tokens.len()))
            }
            ("macro_rules", None) if is_bang(tokens.get(at + 1)) => {
                let end = at + 4;
                let is_statement = matches!(tokens.get(end), Some(TokenTree::Punct(p)) if p.as_char() == ';');
                Some((end + usize::from(is_statement)).min(tokens.len()))
            }
            ("macro", Some(_)) => {
                let braces = |token: &TokenTree| matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
                Some(tokens[at..].iter().position(braces).map_or(tokens.len(), |found| at + found + 1))
            }
            _ => None,
        }
    }

    /// Notes the parameters of a function, given what stands behind its name.
    fn function_in_body(&mut self, name: &str, tokens: &[TokenTree], place: &Place) {
        let generics = match tokens.first() {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => {
                let text = tokens[..generics_end(tokens)].iter().cloned().collect();
                syn::parse2(text).ok().and_then(|generics| types_in_bodies::params(&generics))
            }
            _ => Some(Vec::new()),
        };
        let around = place.path.last().map_or("", |around| without_raw(around));
        self.found.generics_in_bodies.entry(format!("{around}::{name}")).or_default().insert(generics);
    }

    fn type_in_body(&mut self, tokens: &[TokenTree], attributes: &[Attribute], place: &Place) {
        let repr = attributes.iter().find(|attribute| attribute.name == "repr").map(|repr| repr.text.clone());
        let words = repr.as_deref().unwrap_or_default().split(|c: char| !c.is_alphanumeric());
        let repr = words.into_iter().find_map(IntTy::from_name);
        let read = types_in_bodies::read(tokens.iter().cloned().collect(), repr);
        let around = place.path.iter().map(|name| without_raw(name).to_owned()).collect();
        let read = read.map(|read| TypeInBody { around, header: place.header.clone(), ..read });
        self.found.types_in_bodies.extend(read);
    }

    /// `crate NAME;` or `crate NAME as OTHER;`
    fn extern_crate(&mut self, tokens: &[TokenTree], place: &Place) {
        let Some(name) = word_at(tokens, 1).filter(|name| name != "self") else { return };
        let is_renamed = word_at(tokens, 2).is_some_and(|word| word == "as");
        let shown = if is_renamed { word_at(tokens, 3) } else { Some(name.clone()) };
        let Some(shown) = shown.filter(|shown| shown != "_") else { return };
        let around: Vec<&str> = place.path.iter().map(|name| without_raw(name)).collect();
        let path = around.into_iter().chain([shown.as_str()]).collect::<Vec<_>>().join("::");
        let known = self.found.extern_crates.entry(path).or_insert_with(|| Some(name.clone()));
        if known.as_ref() != Some(&name) {
            *known = None;
        }
    }

    /// What only has a name and tokens.
    fn whole(
        &mut self,
        kind: Kind,
        name: &str,
        tokens: &[TokenTree],
        attributes: &[Attribute],
        place: &Place,
        inner: &mut Inner,
    ) {
        let text = spelled(attributes, tokens);
        let mut words = BTreeSet::new();
        words_of(tokens, &mut words);
        if place.within == Within::Body && kind == Kind::Adt {
            inner.texts.push(text.clone());
            inner.words.extend(words.clone());
        }
        self.add(Item { text, words, ..item(kind, name, place) });
    }

    fn function(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        name: &str,
        attributes: &[Attribute],
        qualifiers: &[String],
        place: &Place,
    ) -> usize {
        let end = end_of_header(tokens, at);
        let mut own = Inner::default();
        if let Some(TokenTree::Group(body)) = tokens.get(end) {
            let below = place.below(name, Within::Body);
            self.group(body, &Place { header: place.header.clone(), ..below }, &mut own);
        }
        // `const` says nothing of what a call at run time does, and `async` shows in the body.
        let kept: Vec<&str> =
            qualifiers.iter().map(String::as_str).filter(|word| !["const", "async"].contains(word)).collect();
        let item = declared(name, kept.join(" "), attributes, own, place);
        let header = &tokens[at..end];
        let (hidden_result, header_with_constants) = (hidden_result(header), header_with_constants(header));
        self.add(Item { hidden_result, header_with_constants, ..item });
        (end + 1).min(tokens.len())
    }

    fn constant(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        name: &str,
        keyword: &str,
        attributes: &[Attribute],
        place: &Place,
    ) -> usize {
        let end = end_of_statement(tokens, at);
        let mut own = Inner::default();
        self.body(&tokens[at..end], &place.below(name, Within::Body), &mut own);
        let kept = if keyword == "static mut" { keyword } else { "" };
        self.add(declared(name, kept.to_owned(), attributes, own, place));
        end
    }

    /// An `extern` block.
    fn foreign(
        &mut self,
        block: &Group,
        attributes: &[Attribute],
        qualifiers: &[String],
        place: &Place,
        inner: &mut Inner,
    ) {
        let tokens: Vec<TokenTree> = block.stream().into_iter().collect();
        let around = format!("{} {}", spelled(attributes, &[]), qualifiers.join(" "));
        let mut own: Vec<Attribute> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if let Some((attribute, next)) = attribute_at(&tokens, at) {
                own.extend(attribute.map(|(_, attribute)| attribute));
                at = next;
                continue;
            }
            let end = end_of_statement(&tokens, at);
            let declaration = &tokens[at..end];
            let text = format!("{around} {}", spelled(&own, declaration));
            let keyword = declaration.iter().position(
                |token| matches!(token, TokenTree::Ident(word) if word == "fn" || word == "static" || word == "type"),
            );
            let name = keyword.and_then(|at| match word_at(declaration, at + 1) {
                Some(word) if word == "mut" => word_at(declaration, at + 2),
                word => word,
            });
            match name {
                Some(name) => {
                    let linked = own.iter().find(|attribute| attribute.name == "link_name");
                    let symbol = linked.and_then(Attribute::value).unwrap_or_else(|| name.clone());
                    self.add(Item { text, symbol: Some(symbol), ..item(Kind::Foreign, &name, place) });
                }
                None => inner.texts.push(text),
            }
            own.clear();
            at = end;
        }
    }

    /// The declarations in a trait: methods without their bodies, constants without their values, types as they stand.
    fn signatures(&self, tokens: &[TokenTree]) -> Vec<(Option<String>, String)> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut attributes = Vec::new();
        while at < tokens.len() {
            if let Some((attribute, next)) = attribute_at(tokens, at) {
                attributes.extend(attribute.map(|(_, attribute)| attribute));
                at = next;
                continue;
            }
            let keyword = (at..tokens.len())
                .take_while(|at| {
                    word_at(tokens, *at).is_some() || matches!(tokens[*at], TokenTree::Literal(_))
                })
                .find(|at| word_at(tokens, *at).as_deref() == Some("fn"));
            let is_function = keyword.is_some();
            let method =
                keyword.and_then(|at| word_at(tokens, at + 1)).map(|name| without_raw(&name).to_owned());
            let end = match is_function {
                true => end_of_header(tokens, at),
                false => end_of_statement(tokens, at),
            };
            let equals = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == '=');
            let shown = match word_at(tokens, at).as_deref() {
                Some("const") if !is_function => {
                    tokens[at..end].iter().position(equals).map_or(end, |found| at + found)
                }
                _ => end,
            };
            let text = match is_function {
                true => spelled(&attributes, &without_patterns(&tokens[at..shown])),
                false => spelled(&attributes, &tokens[at..shown]),
            };
            found.push((method, text));
            attributes.clear();
            at = if is_function { end + 1 } else { end };
        }
        found
    }

    fn add(&mut self, item: Item) {
        self.found.items.push(item);
    }
}

/// The names under which an item, and what it holds, stand in paths below the body that it is declared in: several for a block of foreign items,
/// none for what only brings names into scope, and for implementations, whose items are known by type and trait.
fn names_in_paths(item: &[TokenTree]) -> Vec<String> {
    let named = |at: usize| word_at(item, at).map(|name| without_raw(&name).to_owned()).into_iter().collect();
    for (at, token) in item.iter().enumerate() {
        let next = word_at(item, at + 1);
        match (token, next.as_deref()) {
            (TokenTree::Group(block), _) if block.delimiter() == Delimiter::Brace => {
                let tokens: Vec<TokenTree> = block.stream().into_iter().collect();
                return tokens.split_inclusive(ends_statement).flat_map(names_in_paths).collect();
            }
            (TokenTree::Ident(word), next) => match (word.to_string().as_str(), next) {
                ("use" | "type" | "macro_rules" | "impl", _) | ("extern", Some("crate")) => {
                    return Vec::new();
                }
                ("static", Some("mut")) => return named(at + 2),
                ("fn" | "static" | "struct" | "enum" | "union" | "mod" | "trait" | "macro", Some(_)) => {
                    return named(at + 1);
                }
                ("const", Some(_)) if is_colon(item.get(at + 2)) => return named(at + 1),
                _ => {}
            },
            _ => {}
        }
    }
    Vec::new()
}

fn without_raw(name: &str) -> &str {
    name.trim_start_matches("r#")
}

fn item(kind: Kind, name: &str, place: &Place) -> Item {
    Item {
        kind,
        path: place.name(name),
        name: name.to_owned(),
        header: None,
        text: String::new(),
        methods: BTreeMap::new(),
        whole: String::new(),
        words: BTreeSet::new(),
        header_with_constants: String::new(),
        symbol: None,
        calls: Calls::Plain,
        presence: Presence::Named,
        hidden_result: BTreeSet::new(),
        by_parts: None,
    }
}

/// A function, constant or static.
fn declared(name: &str, kept: String, attributes: &[Attribute], own: Inner, place: &Place) -> Item {
    let has = |names: &[&str]| attributes.iter().any(|attribute| names.contains(&attribute.name.as_str()));
    let of = |wanted: &str| attributes.iter().find(|attribute| attribute.name == wanted);
    let mut texts: Vec<String> =
        attributes.iter().map(|attribute| format!("#[{}]", attribute.text)).collect();
    texts.sort();
    texts.push(kept);
    texts.extend(own.texts);
    texts.retain(|text| !text.is_empty());
    let symbol =
        of("export_name").and_then(Attribute::value).or_else(|| of("no_mangle").map(|_| name.to_owned()));
    Item {
        text: texts.join("\n"),
        words: own.words,
        header: place.header.clone(),
        calls: if has(&["track_caller"]) { Calls::Tracked } else { Calls::Plain },
        presence: match has(AMBIENT) || symbol.as_deref().is_some_and(symbols::is_of_c) {
            true => Presence::Ambient,
            false => Presence::Named,
        },
        symbol,
        ..item(Kind::Function, name, place)
    }
}

/// The names of all const parameters that are declared: `<const N: usize, …>`.
fn const_parameters(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            const_parameters(&group.stream().into_iter().collect::<Vec<_>>(), found);
        }
    }
    for four in tokens.windows(4) {
        let [
            TokenTree::Punct(before),
            TokenTree::Ident(word),
            TokenTree::Ident(name),
            TokenTree::Punct(after),
        ] = four
        else {
            continue;
        };
        if ['<', ','].contains(&before.as_char()) && word == "const" && after.as_char() == ':' {
            found.insert(name.to_string());
        }
    }
}

/// The names of all type parameters that are declared: behind `fn f`, `struct S`, `impl` and the like.
fn type_parameters(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    const DECLARE: [&str; 6] = ["fn", "struct", "enum", "union", "trait", "type"];
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            type_parameters(&group.stream().into_iter().collect::<Vec<_>>(), found);
        }
        let is_open = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '<');
        let word = |back: usize| at.checked_sub(back).and_then(|at| word_at(tokens, at));
        let declares = word(1).is_some_and(|word| word == "impl")
            || word(2).is_some_and(|word| DECLARE.iter().any(|keyword| word == *keyword));
        if is_open && declares {
            let text = tokens[at..at + generics_end(&tokens[at..])].iter().cloned().collect();
            let generics = syn::parse2::<syn::Generics>(text).unwrap_or_default();
            found
                .extend(generics.type_params().map(|param| without_raw(&param.ident.to_string()).to_owned()));
        }
    }
}

/// The header of a function, if a constant is worked out there.
fn header_with_constants(header: &[TokenTree]) -> String {
    let is_block =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    if has_token(header, &is_block) { spell(header.to_vec()) } else { String::new() }
}

/// The names in the type of a function's result, if its header says `impl` there.
fn hidden_result(header: &[TokenTree]) -> BTreeSet<String> {
    let arrow = header.windows(2).position(|pair| match pair {
        [TokenTree::Punct(a), TokenTree::Punct(b)] => (a.as_char(), b.as_char()) == ('-', '>'),
        _ => false,
    });
    let behind = arrow.map(|at| &header[at..]).unwrap_or_default();
    let mut words = BTreeSet::new();
    if names_impl(behind) {
        words_of(behind, &mut words);
    }
    words
}

fn names_impl(tokens: &[TokenTree]) -> bool {
    has_token(tokens, &|token| matches!(token, TokenTree::Ident(word) if word == "impl"))
}

/// Whether there is such a token, also in groups.
fn has_token(tokens: &[TokenTree], is_wanted: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.iter().any(|token| {
        let within = |group: &Group| has_token(&group.stream().into_iter().collect::<Vec<_>>(), is_wanted);
        is_wanted(token) || matches!(token, TokenTree::Group(group) if within(group))
    })
}

fn spelled(attributes: &[Attribute], tokens: &[TokenTree]) -> String {
    let mut shown: Vec<String> =
        attributes.iter().map(|attribute| format!("#[{}]", attribute.text)).collect();
    shown.sort();
    shown.push(spell(tokens.to_vec()));
    shown.join(" ")
}

enum Outer {
    Yes,
    No,
}

/// The attribute here, if it counts, and where it ends.
fn attribute_at(tokens: &[TokenTree], at: usize) -> Option<(Option<(Outer, Attribute)>, usize)> {
    let is = |at: usize, wanted: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == wanted);
    if !is(at, '#') {
        return None;
    }
    let (outer, at) = if is(at + 1, '!') { (Outer::No, at + 2) } else { (Outer::Yes, at + 1) };
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Some((Attribute::read(group.stream()).map(|attribute| (outer, attribute)), at + 1))
        }
        _ => None,
    }
}

/// An identifier or keyword.
fn word_at(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn is_bang(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '!')
}

/// Behind the next semicolon.
fn end_of_statement(tokens: &[TokenTree], at: usize) -> usize {
    tokens[at..].iter().position(ends_statement).map_or(tokens.len(), |found| at + found + 1)
}

fn ends_statement(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

/// At the braces or the semicolon behind a header. Braces among generic arguments are none.
fn end_of_header(tokens: &[TokenTree], at: usize) -> usize {
    let mut angles = Angles::default();
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return index,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && angles.depth <= 0 => {
                return index;
            }
            _ => angles.pass(token),
        }
    }
    tokens.len()
}

/// How deep within `<` and `>` a position is.
#[derive(Default)]
pub(super) struct Angles {
    pub(super) depth: i32,
    before: Option<char>,
}

impl Angles {
    /// The `>` of an arrow closes nothing.
    pub(super) fn pass(&mut self, token: &TokenTree) {
        let now = match token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        match now {
            Some('<') => self.depth += 1,
            Some('>') if !matches!(self.before, Some('-' | '=')) => self.depth -= 1,
            _ => {}
        }
        self.before = now;
    }
}

/// Behind a struct, enum or union.
fn end_of_adt(tokens: &[TokenTree], at: usize) -> usize {
    (end_of_header(tokens, at) + 1).min(tokens.len())
}

/// Behind what is no known item: a macro call with what belongs to it.
fn end_of_unknown(tokens: &[TokenTree], at: usize) -> usize {
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return index + 1,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The names in an implementation's header, which begins with `impl`.
fn impl_header(tokens: &[TokenTree]) -> ImplHeader {
    let mut rest = &tokens[1.min(tokens.len())..];
    if matches!(rest.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '<') {
        rest = &rest[generics_end(rest)..];
    }
    while matches!(rest.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!')
        || matches!(rest.first(), Some(TokenTree::Ident(word)) if word == "const")
    {
        rest = &rest[1..];
    }
    let mut angles = Angles::default();
    let split = rest.iter().enumerate().position(|(index, token)| {
        angles.pass(token);
        let binds = matches!(rest.get(index + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == '<');
        angles.depth == 0 && !binds && matches!(token, TokenTree::Ident(word) if word == "for")
    });
    match split {
        Some(at) => ImplHeader { of_trait: head(&rest[..at]), self_ty: head(&rest[at + 1..]) },
        None => ImplHeader { of_trait: None, self_ty: head(rest) },
    }
}

/// Behind the `>` that closes the first `<`.
fn generics_end(tokens: &[TokenTree]) -> usize {
    let mut angles = Angles::default();
    for (index, token) in tokens.iter().enumerate() {
        angles.pass(token);
        if angles.depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The last name of a path; none for a type that is no path.
fn head(tokens: &[TokenTree]) -> Option<String> {
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(word)
                if ["dyn", "impl", "fn", "unsafe", "extern", "for"].iter().any(|w| word == w) =>
            {
                return None;
            }
            TokenTree::Ident(word) if word == "where" => break,
            TokenTree::Ident(word) => last = Some(word.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(punct) if punct.as_char() == '<' => break,
            _ => return last.filter(|_| false),
        }
    }
    last
}

/// A method's header with parameters as types alone.
fn without_patterns(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let params = tokens.iter().position(
        |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis),
    );
    let mut tokens = tokens.to_vec();
    if let Some(at) = params
        && let TokenTree::Group(group) = &tokens[at]
    {
        let mut kept: Vec<TokenTree> = Vec::new();
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut begins = true;
        let mut index = 0;
        while index < inner.len() {
            // `name:` at the beginning of a parameter, unless it is `self`.
            let skips = begins
                && is_colon(inner.get(index + 1))
                && word_at(&inner, index).is_some_and(|word| word != "self");
            if skips {
                index += 2;
                begins = false;
                continue;
            }
            begins = matches!(&inner[index], TokenTree::Punct(punct) if punct.as_char() == ',');
            kept.push(inner[index].clone());
            index += 1;
        }
        tokens[at] = Group::new(Delimiter::Parenthesis, kept.into_iter().collect()).into();
    }
    tokens
}

/// Words that name nothing of the crate.
const COMMON_WORDS: &[&str] = &[
    "_", "alloc", "as", "const", "core", "crate", "dyn", "enum", "fn", "for", "impl", "mut", "pub", "self",
    "std", "struct", "super", "type", "union", "use", "where",
];

/// The same of a text in which tokens are spelled.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty() && !COMMON_WORDS.contains(word)).map(str::to_owned)
}

fn words_of(tokens: &[TokenTree], words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) if !COMMON_WORDS.iter().any(|common| word == common) => {
                words.insert(word.to_string());
            }
            TokenTree::Group(group) => words_of(&group.stream().into_iter().collect::<Vec<_>>(), words),
            _ => {}
        }
    }
}
