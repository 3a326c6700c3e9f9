//! Which types are compared as `derive` makes it: by their parts, one after the other.
//!
//! `#[automatically_derived]` may stand on anything, and a derive may be anybody's. So a type counts only where its implementations of `PartialEq`,
//! `PartialOrd` and `Ord` are, token by token, what the compiler writes for it; whoever wrote it, it means the same. The same goes for `Clone`. What the compiler writes changes from release to release: then nothing is recognised, which costs proofs and no more.
//!
//! Limits: types in bodies, those with parameters other than lifetimes, with `where`, and packed ones are not recognised.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::ByParts;
use super::attributes::{is_restriction, spell};
use super::items::Angles;

/// The types and the implementations of a crate, as they come by.
#[derive(Debug, Default)]
pub(super) struct Seen {
    types: HashMap<String, Vec<Form>>,
    /// Spelled, by the path of what they stand in joined to the name of the type, and by the last name of the trait.
    impls: HashMap<(String, String), Vec<String>>,
    /// Something else is called `core`.
    is_core_taken: bool,
}

/// A type as derives see it; none if they are not followed here.
type Form = Option<Shape>;

#[derive(Debug)]
struct Shape {
    name: String,
    /// `<'a>` or nothing.
    generics: String,
    parts: Parts,
}

#[derive(Debug)]
enum Parts {
    Struct(Fields),
    Enum(Vec<(String, Fields)>),
}

/// How values of a struct or a variant are written.
#[derive(Debug)]
enum Fields {
    Unit,
    Tuple(usize),
    Named(Vec<String>),
}

impl Seen {
    pub(super) fn core_is_taken(&mut self) {
        self.is_core_taken = true;
    }

    /// A type: from the keyword on.
    pub(super) fn a_type(&mut self, path: &str, tokens: &[TokenTree]) {
        self.types.entry(path.to_owned()).or_default().push(shape(tokens));
    }

    /// An implementation: from `impl` to its end. `path` is that of a type of its name beside it.
    pub(super) fn an_impl(&mut self, path: &str, of_trait: &str, tokens: &[TokenTree]) {
        let impls = self.impls.entry((path.to_owned(), of_trait.to_owned())).or_default();
        impls.push(spell(tokens.to_vec()));
    }

    /// What is known of the types that are compared by their parts, by path.
    pub(super) fn by_parts(&self) -> HashMap<String, ByParts> {
        let one = |(path, forms): (&String, &Vec<Form>)| match forms.as_slice() {
            [Some(shape)] if !self.is_core_taken => Some((path.clone(), self.of_shape(path, shape)?)),
            _ => None,
        };
        self.types.iter().filter_map(one).collect()
    }

    /// Other implementations of these traits compare with values of other types.
    fn of_shape(&self, path: &str, shape: &Shape) -> Option<ByParts> {
        let of = |name: &str| {
            let found = self.impls.get(&(path.to_owned(), name.to_owned()));
            found.map_or(&[][..], Vec::as_slice)
        };
        let has = |name: &str, expected: &str| spelled(expected).is_some_and(|text| of(name).contains(&text));
        // The compiler takes what is quick to compare first.
        let any_order = |text: &str| spelled(text).map(|text| with_sorted_conditions(&text));
        let eq = any_order(&shape.eq());
        let is_compared = of("PartialEq").iter().any(|text| Some(with_sorted_conditions(text)) == eq)
            && has("PartialOrd", &shape.partial_cmp())
            && has("Ord", &shape.cmp());
        let is_copied = || of("Clone").iter().any(|text| shape.is_copied_by(text).unwrap_or(false));
        let is_cloned = || has("Clone", &shape.clone_written_out()) || is_copied();
        match is_compared {
            true if is_cloned() => Some(ByParts::ComparedAndCloned),
            true => Some(ByParts::Compared),
            false => None,
        }
    }
}

/// The text with what `&&` joins in the order of the alphabet.
fn with_sorted_conditions(text: &str) -> String {
    let sorted = |clause: &str| {
        let mut conditions: Vec<&str> = clause.split("& &").map(str::trim).collect();
        conditions.sort_unstable();
        conditions.join(" & & ")
    };
    let mut out = String::new();
    for piece in text.split_inclusive(['{', '}', ',', '>']) {
        let clause = piece.trim_end_matches(['{', '}', ',', '>']);
        out.push_str(&sorted(clause));
        out.push_str(&piece[clause.len()..]);
    }
    out
}

fn spelled(text: &str) -> Option<String> {
    text.parse::<TokenStream>().ok().map(spell)
}

const EQUAL: &str = "::core::cmp::Ordering::Equal";
const SOME_EQUAL: &str = "::core::option::Option::Some(::core::cmp::Ordering::Equal)";
const DISCRIMINANTS: &str = "let __self_discr = ::core::intrinsics::discriminant_value(self);
    let __arg1_discr = ::core::intrinsics::discriminant_value(other);";
const UNREACHABLE: &str = "unsafe { ::core::intrinsics::unreachable() }";

impl Fields {
    fn names(&self) -> Vec<String> {
        match self {
            Fields::Unit => Vec::new(),
            Fields::Tuple(count) => (0..*count).map(|index| index.to_string()).collect(),
            Fields::Named(names) => names.clone(),
        }
    }

    /// Written with these in the fields' places.
    fn with(&self, head: &str, parts: &[String]) -> String {
        match self {
            Fields::Unit => head.to_owned(),
            Fields::Tuple(_) => format!("{head}({})", parts.join(", ")),
            Fields::Named(names) => {
                let parts = names.iter().zip(parts).map(|(name, part)| format!("{name}: {part}"));
                format!("{head} {{ {} }}", parts.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The fields of both sides of a comparison, bound by patterns.
    fn bound(&self) -> Vec<(String, String)> {
        let count = self.names().len();
        (0..count).map(|index| (format!("__self_{index}"), format!("__arg1_{index}"))).collect()
    }
}

/// What comparing does with each pair of parts.
struct Comparing {
    of_parts: fn(&[(String, String)]) -> String,
    /// Of variants, where they differ.
    of_discriminants: String,
    /// Where nothing is left to compare.
    equal: &'static str,
}

fn all_equal(pairs: &[(String, String)]) -> String {
    match pairs {
        [] => "true".into(),
        pairs => pairs.iter().map(|(a, b)| format!("{a} == {b}")).collect::<Vec<_>>().join(" && "),
    }
}

fn one_by_one(pairs: &[(String, String)], call: &str, equal: &str) -> String {
    match pairs {
        [] => equal.into(),
        [(a, b)] => format!("{call}({a}, {b})"),
        [(a, b), rest @ ..] => {
            let rest = one_by_one(rest, call, equal);
            format!("match {call}({a}, {b}) {{ {equal} => {rest}, cmp => cmp, }}")
        }
    }
}

fn first_partial(pairs: &[(String, String)]) -> String {
    one_by_one(pairs, "::core::cmp::PartialOrd::partial_cmp", SOME_EQUAL)
}

fn first_total(pairs: &[(String, String)]) -> String {
    one_by_one(pairs, "::core::cmp::Ord::cmp", EQUAL)
}

impl Shape {
    fn implementation(&self, of_trait: &str, signature: &str, body: &str) -> String {
        let (name, generics) = (&self.name, &self.generics);
        format!(
            "impl {generics} {of_trait} for {name} {generics} {{ #[inline] fn {signature} {{ {body} }} }}"
        )
    }

    /// The type as it stands in signatures.
    fn ty(&self) -> String {
        format!("{} {}", self.name, self.generics)
    }

    fn eq(&self) -> String {
        let body = match &self.parts {
            Parts::Struct(fields) => all_equal(&of_fields(fields, "self.", "other.")),
            Parts::Enum(variants) => {
                let discriminants = "__self_discr == __arg1_discr";
                match self.arms(variants, all_equal) {
                    Arms::NoVariant => "match *self {}".into(),
                    Arms::OneVariant(None) => "true".into(),
                    Arms::OneVariant(Some(arm)) => format!("match (self, other) {{ {arm}, }}"),
                    Arms::NoField => format!("{DISCRIMINANTS} {discriminants}"),
                    Arms::Some { arms, all } => {
                        let rest = if all { UNREACHABLE } else { "true" };
                        format!(
                            "{DISCRIMINANTS} {discriminants} && match (self, other) {{ {arms}, _ => {rest} }}"
                        )
                    }
                }
            }
        };
        let ty = self.ty();
        self.implementation("::core::cmp::PartialEq", &format!("eq(&self, other: &{ty}) -> bool"), &body)
    }

    fn partial_cmp(&self) -> String {
        let comparing = Comparing {
            of_parts: first_partial,
            of_discriminants: "::core::cmp::PartialOrd::partial_cmp(&__self_discr, &__arg1_discr)".into(),
            equal: SOME_EQUAL,
        };
        let body = self.ordering(&comparing, |arms, _| {
            let differ = &comparing.of_discriminants;
            format!("{DISCRIMINANTS} match (self, other) {{ {arms}, _ => {differ} }}")
        });
        let output = "::core::option::Option<::core::cmp::Ordering>";
        let signature = format!("partial_cmp(&self, other: &{}) -> {output}", self.ty());
        self.implementation("::core::cmp::PartialOrd", &signature, &body)
    }

    fn cmp(&self) -> String {
        let comparing = Comparing {
            of_parts: first_total,
            of_discriminants: "::core::cmp::Ord::cmp(&__self_discr, &__arg1_discr)".into(),
            equal: EQUAL,
        };
        let body = self.ordering(&comparing, |arms, all| {
            let (differ, rest) = (&comparing.of_discriminants, if all { UNREACHABLE } else { EQUAL });
            format!(
                "{DISCRIMINANTS} match {differ} {{ {EQUAL} => match (self, other) {{ {arms}, _ => {rest} }}, cmp => cmp, }}"
            )
        });
        let signature = format!("cmp(&self, other: &{}) -> ::core::cmp::Ordering", self.ty());
        self.implementation("::core::cmp::Ord", &signature, &body)
    }

    /// `mixed` writes what is done with variants of which some have fields, from the arms of these and whether they are all.
    fn ordering(&self, comparing: &Comparing, mixed: impl Fn(&str, bool) -> String) -> String {
        match &self.parts {
            Parts::Struct(fields) => (comparing.of_parts)(&of_fields(fields, "&self.", "&other.")),
            Parts::Enum(variants) => match self.arms(variants, comparing.of_parts) {
                Arms::NoVariant => "match *self {}".into(),
                Arms::OneVariant(None) => comparing.equal.into(),
                Arms::OneVariant(Some(arm)) => format!("match (self, other) {{ {arm}, }}"),
                Arms::NoField => format!("{DISCRIMINANTS} {}", comparing.of_discriminants),
                Arms::Some { arms, all } => mixed(&arms, all),
            },
        }
    }

    fn arms(&self, variants: &[(String, Fields)], of_parts: fn(&[(String, String)]) -> String) -> Arms {
        let with_fields = || variants.iter().filter(|(_, fields)| !fields.names().is_empty());
        let arms: Vec<String> = with_fields()
            .map(|(variant, fields)| {
                let head = format!("{}::{variant}", self.name);
                let bound = fields.bound();
                let (left, right): (Vec<String>, Vec<String>) = bound.iter().cloned().unzip();
                let (left, right) = (fields.with(&head, &left), fields.with(&head, &right));
                format!("({left}, {right}) => {}", of_parts(&bound))
            })
            .collect();
        match (variants.len(), arms.len()) {
            (0, _) => Arms::NoVariant,
            (1, _) => Arms::OneVariant(arms.into_iter().next()),
            (_, 0) => Arms::NoField,
            (count, some) => Arms::Some { arms: arms.join(", "), all: some == count },
        }
    }

    /// For a type that is not `Copy`.
    fn clone_written_out(&self) -> String {
        let clone = |of: String| format!("::core::clone::Clone::clone({of})");
        let name = &self.name;
        let body = match &self.parts {
            Parts::Struct(fields) => {
                let clones: Vec<String> =
                    fields.names().iter().map(|field| clone(format!("&self.{field}"))).collect();
                fields.with(name, &clones)
            }
            Parts::Enum(variants) => match variants.as_slice() {
                [] => "match *self {}".into(),
                [(variant, fields)] if fields.names().is_empty() => format!("{name}::{variant}"),
                variants => {
                    let arms: Vec<String> = variants
                        .iter()
                        .map(|(variant, fields)| {
                            let head = format!("{name}::{variant}");
                            let bound: Vec<String> = fields.bound().into_iter().map(|(own, _)| own).collect();
                            let clones: Vec<String> = bound.iter().cloned().map(clone).collect();
                            format!("{} => {}", fields.with(&head, &bound), fields.with(&head, &clones))
                        })
                        .collect();
                    format!("match self {{ {}, }}", arms.join(", "))
                }
            },
        };
        self.implementation("::core::clone::Clone", &format!("clone(&self) -> {}", self.ty()), &body)
    }

    /// Whether this is the `Clone` of a type that is `Copy`: what stands in front of `*self` only names types.
    fn is_copied_by(&self, written: &str) -> Option<bool> {
        let mark = "__BODY__";
        let around = self.implementation(
            "::core::clone::Clone",
            &format!("clone(&self) -> {}", self.ty()),
            &format!("{mark} *self"),
        );
        let around = spelled(&around)?;
        let (before, after) = around.split_once(mark)?;
        let inner = written.strip_prefix(before)?.strip_suffix(after.trim_start())?;
        let of_type = |statement: &str| {
            let named = statement.trim().strip_prefix("let _ : : : core : : clone : : AssertParamIsClone <");
            named.is_some_and(|ty| !ty.contains(['=', '{', '!']))
        };
        let mut statements: Vec<&str> = inner.split(';').collect();
        let last = statements.pop()?;
        // A semicolon in an array's type is none that ends a statement.
        let mut joined: Vec<String> = Vec::new();
        for statement in statements {
            match joined.last_mut().filter(|known| known.matches('[').count() > known.matches(']').count()) {
                Some(open) => open.push_str(statement),
                None => joined.push(statement.to_owned()),
            }
        }
        Some(last.trim().is_empty() && joined.iter().all(|statement| of_type(statement)))
    }
}

fn of_fields(fields: &Fields, left: &str, right: &str) -> Vec<(String, String)> {
    fields.names().iter().map(|name| (format!("{left}{name}"), format!("{right}{name}"))).collect()
}

enum Arms {
    NoVariant,
    /// With the arm of its fields, if it has any.
    OneVariant(Option<String>),
    NoField,
    Some {
        arms: String,
        /// Whether every variant has fields.
        all: bool,
    },
}

/// Reads a type from its keyword on.
fn shape(tokens: &[TokenTree]) -> Form {
    let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = tokens else { return None };
    let is_body = |token: &TokenTree| match token {
        TokenTree::Group(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    let body = rest.iter().position(is_body)?;
    let generics = generics(&rest[..body])?;
    let parts = match (keyword.to_string().as_str(), &rest[body..]) {
        ("struct", [TokenTree::Punct(_)]) => Parts::Struct(Fields::Unit),
        ("struct", [TokenTree::Group(group)]) if group.delimiter() == Delimiter::Brace => {
            Parts::Struct(fields(group)?)
        }
        ("struct", [TokenTree::Group(group), TokenTree::Punct(_)])
            if group.delimiter() == Delimiter::Parenthesis =>
        {
            Parts::Struct(fields(group)?)
        }
        ("enum", [TokenTree::Group(group)]) => Parts::Enum(variants(group)?),
        _ => return None,
    };
    Some(Shape { name: name.to_string(), generics, parts })
}

/// Lifetimes without bounds, or nothing.
fn generics(tokens: &[TokenTree]) -> Option<String> {
    let mut is_lifetime = false;
    for token in tokens {
        is_lifetime = match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => true,
            TokenTree::Punct(punct) if ['<', '>', ','].contains(&punct.as_char()) => false,
            TokenTree::Ident(_) if is_lifetime => false,
            _ => return None,
        };
    }
    Some(tokens.iter().cloned().collect::<TokenStream>().to_string())
}

fn fields(group: &Group) -> Option<Fields> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let parts = chunks(&tokens, Among::Types);
    if group.delimiter() == Delimiter::Parenthesis {
        return Some(Fields::Tuple(parts.len()));
    }
    let name = |part: &[TokenTree]| match (part.first(), part.get(1)) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(colon))) if colon.as_char() == ':' => {
            Some(name.to_string())
        }
        _ => None,
    };
    Some(Fields::Named(parts.iter().map(|part| name(part)).collect::<Option<_>>()?))
}

fn variants(group: &Group) -> Option<Vec<(String, Fields)>> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let variant = |part: &Vec<TokenTree>| match part.as_slice() {
        [TokenTree::Ident(name)] => Some((name.to_string(), Fields::Unit)),
        [TokenTree::Ident(name), TokenTree::Group(group)] => Some((name.to_string(), fields(group)?)),
        // What the discriminant is says nothing of the parts.
        [TokenTree::Ident(name), TokenTree::Punct(equals), ..] if equals.as_char() == '=' => {
            Some((name.to_string(), Fields::Unit))
        }
        _ => None,
    };
    chunks(&tokens, Among::Expressions).iter().map(variant).collect()
}

/// Where commas stand: in types they part nothing within `<` and `>`, which in expressions are operators.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    Types,
    Expressions,
}

/// What commas part, without attributes and visibility.
fn chunks(tokens: &[TokenTree], among: Among) -> Vec<Vec<TokenTree>> {
    let mut parts: Vec<Vec<TokenTree>> = Vec::new();
    let mut part: Vec<TokenTree> = Vec::new();
    let (mut angles, mut at) = (Angles::default(), 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        angles.pass(token);
        let is = |wanted: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted);
        if is(',') && (angles.depth <= 0 || among == Among::Expressions) {
            parts.push(std::mem::take(&mut part));
        } else if is('#') && part.is_empty() {
            at += 1;
        } else if matches!(token, TokenTree::Ident(word) if word == "pub" && part.is_empty()) {
            at += usize::from(tokens.get(at).is_some_and(is_restriction));
        } else {
            part.push(token.clone());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}
