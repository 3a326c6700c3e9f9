//! Gives a program's items their declarations.
//!
//! Free items are found by path. Methods and implementations are found by the last names of trait and type; where a name is an alias that
//! nothing here resolves, every declaration that might be meant counts. Declarations that say nothing are the rule, so that this is seldom felt.

use std::collections::{BTreeSet, HashMap};

use regress_core::align::PRIMITIVES;
use regress_core::ir::{
    AggregateKind, Body, Callee, Const, FnBody, FnId, FnRef, Foreign, Frame, FunctionKind, GenericArg,
    ImplId, Name, Operand, Origin, Owner, Path, Place, Program, Projection, Rvalue, StatementKind,
    TerminatorKind, TraitRef, Ty, TyKind, canonical::root_of,
};

use super::constants::name_constants;
use super::items::names_in;
use super::{ByParts, Calls, Declarations, ImplHeader, Item, Kind, Presence};

/// What is known of the declarations of a crate, under the crate's name in the program.
#[derive(Clone, Copy, Debug)]
pub struct CrateDeclarations<'a> {
    pub crate_name: &'a str,
    /// None if the compiler did not show them.
    pub declarations: Option<&'a Declarations>,
}

/// Enters the declarations of these crates, which stand above those of `below`, whose items come first and are declared already. What names of `below` mean is told there:
/// it knows nothing of the crates above.
pub fn declare(program: &mut Program, below: &Program, crates: &[CrateDeclarations<'_>]) {
    let index = Index::new(program, crates);
    name_constants(program, below, &index);
    let mut declared = std::mem::take(&mut program.declared);
    let known: Vec<&str> =
        declared.frames.keys().map(Name::as_str).chain(crates.iter().map(|known| known.crate_name)).collect();
    let undefined = undefined(program, &known);
    for id in program.functions.ids().skip(below.functions.len()) {
        let function = &program.functions[id];
        let is_item = !matches!(
            function.kind,
            FunctionKind::Closure | FunctionKind::Promoted | FunctionKind::Constructor
        );
        if !is_item || function.origin == Origin::StdModel || root_of(program, id) != id {
            continue;
        }
        let items = index.of_function(program, &function.path, &function.owner);
        if let Some(text) = joined(&items) {
            declared.functions.insert(id, text);
        }
        for item in &items {
            if let Some(symbol) = &item.symbol {
                declared.exported.entry(symbol.clone()).or_default().insert(id);
            }
            if item.calls == Calls::Tracked {
                declared.tracked.insert(id);
            }
            if item.presence == Presence::Ambient {
                declared.ambient.insert(id);
            }
        }
        let hidden = index.closed(items.iter().flat_map(|item| item.hidden_result.clone()).collect());
        if !hidden.is_empty() {
            declared.hidden_results.insert(id, hidden.into_iter().map(Name::new).collect());
        }
        // What names mean there is the same in both versions.
        if function.origin == Origin::CommonDependency {
            continue;
        }
        let words = items.iter().flat_map(|item| item.words.clone());
        let of_traits = undefined.get(&id).map(|undefined| index.of_traits(&undefined.traits));
        let undefined = undefined.get(&id).into_iter().flat_map(|undefined| &undefined.types).cloned();
        let in_impls = of_traits.iter().flatten().flat_map(|item| item.words.iter().cloned());
        let words = index.closed(words.chain(undefined).chain(in_impls).collect());
        if let Some(of_traits) = of_traits.filter(|items| !items.is_empty()) {
            let texts: BTreeSet<String> = of_traits
                .iter()
                .map(|item| format!("\n{}: {} {}", item.path, item.text, item.whole))
                .collect();
            declared.functions.entry(id).or_default().extend(texts);
        }
        if !words.is_empty() {
            // Names mean what the crate says they mean, wherever it says so.
            let meant = index.meanings(&words);
            declared.functions.entry(id).or_default().push_str(&meant);
            declared.mentions.insert(id, words.into_iter().map(Name::new).collect());
        }
    }
    for (id, adt) in program.adts.iter_enumerated().skip(below.adts.len()) {
        let items = index.at(Kind::Adt, &adt.path);
        if let Some(text) = joined(&items) {
            declared.adts.insert(id, text);
        }
        if !items.is_empty() && items.iter().all(|item| !item.text.contains("repr")) {
            declared.without_repr.insert(id);
        }
        if let [Item { by_parts: Some(by_parts), .. }] = items.as_slice() {
            declared.compared_by_parts.insert(id);
            if *by_parts == ByParts::ComparedAndCloned {
                declared.cloned_by_parts.insert(id);
            }
        }
    }
    for item in program.traits.iter().skip(below.traits.len()) {
        let items = index.at(Kind::Trait, &item.path);
        let mut text = joined(&items);
        if let [Item { methods, .. }] = items.as_slice() {
            let methods = methods.iter().map(|(name, text)| (Name::new(name), text.clone())).collect();
            declared.methods.insert(item.path.clone(), methods);
        } else {
            // Which of several is meant is not known.
            let methods = items.iter().flat_map(|item| item.methods.values()).map(String::as_str);
            let all: Vec<&str> = text.as_deref().into_iter().chain(methods).collect();
            text = (!all.is_empty()).then(|| all.join("\n"));
        }
        if let Some(text) = text {
            declared.traits.insert(item.path.clone(), text);
        }
    }
    for id in program.impls.ids().skip(below.impls.len()) {
        if let Some(text) = joined(&index.of_impl(program, id)) {
            declared.impls.insert(id, text);
        }
    }
    let given = PRIMITIVES.iter().filter(|name| index.by_given_name.contains_key(*name));
    declared.primitives_given.extend(given.map(Name::new));
    for known in crates {
        let frame = match known.declarations {
            Some(declarations) => Frame::Known(declarations.frame.join("\n")),
            None => Frame::Unknown,
        };
        declared.frames.insert(Name::new(known.crate_name), frame);
        let items = || known.declarations.into_iter().flat_map(|known| &known.items);
        let told = items().filter(|item| item.calls == Calls::Tracked);
        declared.told.extend(told.map(|item| Name::new(&item.name)));
        let foreign = known.declarations.into_iter().flat_map(|known| &known.items);
        for item in foreign.filter(|item| item.kind == Kind::Foreign) {
            let path = Path::new(format!("{}::{}", known.crate_name, item.path));
            let symbol = item.symbol.clone().unwrap_or_else(|| item.name.clone());
            // Two declarations at one path stand in two bodies.
            let text = match declared.foreign.remove(&path) {
                Some(other) if other.symbol != symbol => format!("{} {symbol} {}", other.text, item.text),
                _ => item.text.clone(),
            };
            declared.foreign.insert(path, Foreign { symbol, text });
        }
    }
    program.declared = declared;
}

/// What a function uses and the program does not define.
#[derive(Default)]
struct Undefined {
    /// Names of types.
    types: BTreeSet<String>,
    /// Names of traits of the crates that are read, and words that may be some.
    traits: BTreeSet<String>,
}

/// The types and traits that bodies use and that the program does not define, by the function that is written around: types are declared in bodies, in a way that leaves
/// open which of several is meant, and traits that are declared in bodies are never defined. Whether they are the same, only their declarations tell.
///
/// `crates` are those that are known.
fn undefined(program: &Program, crates: &[&str]) -> HashMap<FnId, Undefined> {
    let mut found: HashMap<FnId, Undefined> = HashMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        let may_differ = matches!(function.origin, Origin::Subject | Origin::Dependency);
        let FnBody::Present(body) = &function.body else { continue };
        if !may_differ {
            continue;
        }
        let mut names = Undefined::default();
        let mut look = Look { program, crates, names: &mut names };
        function.bounds.iter().for_each(|bound| look.trait_ref(&bound.trait_ref));
        look.body(body);
        if !names.types.is_empty() || !names.traits.is_empty() {
            let known = found.entry(root_of(program, id)).or_default();
            known.types.extend(names.types);
            known.traits.extend(names.traits);
        }
    }
    found
}

struct Look<'l> {
    program: &'l Program,
    crates: &'l [&'l str],
    names: &'l mut Undefined,
}

impl Look<'_> {
    fn trait_path(&mut self, path: &Path) {
        let is_known =
            |path: &Path| path.as_str().split("::").next().is_some_and(|name| self.crates.contains(&name));
        if self.program.trait_(path).is_none() && is_known(path) {
            self.names.traits.insert(last(path.as_str()).to_owned());
        }
    }

    fn trait_ref(&mut self, trait_ref: &TraitRef) {
        self.trait_path(&trait_ref.path);
        self.ty(&trait_ref.self_ty);
        for arg in &trait_ref.args {
            if let GenericArg::Ty(ty) = arg {
                self.ty(ty);
            }
        }
    }

    fn ty(&mut self, ty: &Ty) {
        ty.map(
            &mut |part| {
                self.head(&part);
                part
            },
            &mut |constant| constant,
        );
    }

    fn head(&mut self, part: &Ty) {
        match part.kind() {
            TyKind::Adt(path, _) if !path.is_of_std() && self.program.adt(path).is_none() => {
                self.names.types.insert(last(path.as_str()).to_owned());
            }
            TyKind::Projection { trait_ref, .. } => self.trait_path(&trait_ref.path),
            TyKind::FnDef(fn_ref) => {
                if let FnRef::Trait { trait_ref, .. } = &**fn_ref {
                    self.trait_path(&trait_ref.path);
                }
            }
            // Known by its text alone.
            TyKind::Unsupported(text) => self.names.traits.extend(names_in(text)),
            TyKind::Dyn(bounds) => bounds.iter().for_each(|bound| self.trait_path(&bound.path)),
            _ => {}
        }
    }

    fn fn_ref(&mut self, fn_ref: &FnRef) {
        self.ty(&Ty::new(TyKind::FnDef(Box::new(fn_ref.clone()))));
    }

    /// What a body names: the types of locals, fields, values that it builds or converts to, and what it calls and which constants it uses.
    fn body(&mut self, body: &Body) {
        body.locals.iter().for_each(|local| self.ty(&local.ty));
        for block in &body.blocks {
            for statement in &block.statements {
                let StatementKind::Assign(place, value) = &statement.kind else { continue };
                value.places().into_iter().chain([place]).for_each(|place| self.fields(place));
                self.constants(value.operands());
                match value {
                    Rvalue::Aggregate(AggregateKind::Adt { ty, .. }, _)
                    | Rvalue::Cast(_, _, ty)
                    | Rvalue::SizeOf(ty)
                    | Rvalue::AlignOf(ty) => self.ty(ty),
                    _ => {}
                }
            }
            let terminator = &block.terminator.kind;
            terminator.places().into_iter().for_each(|place| self.fields(place));
            self.constants(terminator.operands());
            if let TerminatorKind::Call { callee: Callee::Fn(fn_ref), .. } = terminator {
                self.fn_ref(fn_ref);
            }
        }
    }

    fn fields(&mut self, place: &Place) {
        for projection in &place.projection {
            if let Projection::Field(_, Some(ty)) = projection {
                self.ty(ty);
            }
        }
    }

    fn constants(&mut self, operands: Vec<&Operand>) {
        for operand in operands {
            if let Operand::Const(constant) = operand {
                self.constant(constant);
            }
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Adt { ty, fields, .. } => {
                self.ty(ty);
                fields.iter().for_each(|field| self.constant(field));
            }
            Const::Tuple(items) | Const::Array(items) => items.iter().for_each(|item| self.constant(item)),
            Const::Ref(inner) => self.constant(inner),
            Const::ZeroSized(ty) | Const::InherentConst { self_ty: ty, .. } => self.ty(ty),
            Const::Fn(fn_ref) => self.fn_ref(fn_ref),
            Const::AssocConst { trait_ref, .. } => self.trait_ref(trait_ref),
            _ => {}
        }
    }
}

/// What several declarations say together; none if they say nothing.
fn joined(items: &[&Item]) -> Option<String> {
    let mut texts: Vec<&str> =
        items.iter().map(|item| item.text.as_str()).filter(|text| !text.is_empty()).collect();
    texts.sort_unstable();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

pub(super) struct Index<'a> {
    by_path: HashMap<(u8, String), Vec<&'a Item>>,
    /// Methods by name.
    methods: HashMap<&'a str, ByHeader<'a>>,
    /// All functions by name, for those in bodies of methods, whose path is none that is written.
    named: HashMap<&'a str, Vec<&'a Item>>,
    pub impls: ByHeader<'a>,
    /// Traits and implementations, by the last name of the trait.
    by_trait: HashMap<&'a str, Vec<&'a Item>>,
    /// Types and what only gives names.
    naming: Vec<&'a Item>,
    /// The same by each word that may be a name they give.
    by_given_name: HashMap<&'a str, Vec<usize>>,
}

/// Declarations by the header of the implementation that they stand in, or are.
#[derive(Default)]
pub(super) struct ByHeader<'a> {
    all: Vec<&'a Item>,
    exact: HashMap<ImplHeader, Vec<&'a Item>>,
    /// Those in implementations for names that no type has.
    for_aliases: Vec<&'a Item>,
}

impl<'a> ByHeader<'a> {
    /// `types` are the last names of types.
    fn new(all: Vec<&'a Item>, types: &BTreeSet<String>) -> ByHeader<'a> {
        let mut index = ByHeader { all, ..ByHeader::default() };
        for item in &index.all {
            let header = item.header.clone().unwrap_or_default();
            if header.self_ty.as_ref().is_some_and(|name| !types.contains(name)) {
                index.for_aliases.push(item);
            }
            index.exact.entry(header).or_default().push(item);
        }
        index
    }

    /// Declarations that stand in such an implementation; those in implementations for names that no type has may as well.
    pub fn matching(&self, wanted: &ImplHeader) -> Vec<&'a Item> {
        let Some(exact) = self.exact.get(wanted) else { return self.all.clone() };
        let self_ty = |item: &Item| item.header.as_ref().and_then(|header| header.self_ty.clone());
        let aliases = self.for_aliases.iter().filter(|item| self_ty(item) != wanted.self_ty);
        exact.iter().chain(aliases).copied().collect()
    }
}

impl<'a> Index<'a> {
    fn new(program: &Program, crates: &[CrateDeclarations<'a>]) -> Index<'a> {
        let mut index = Index {
            by_path: HashMap::new(),
            methods: HashMap::new(),
            named: HashMap::new(),
            impls: ByHeader::default(),
            by_trait: HashMap::new(),
            naming: Vec::new(),
            by_given_name: HashMap::new(),
        };
        let (mut methods, mut impls): (HashMap<&str, Vec<&Item>>, Vec<&Item>) = Default::default();
        for known in crates {
            for item in known.declarations.into_iter().flat_map(|known| &known.items) {
                let path = format!("{}::{}", known.crate_name, item.path);
                let of_trait = match item.kind {
                    Kind::Trait => Some(item.name.as_str()),
                    Kind::Impl => item.header.as_ref().and_then(|header| header.of_trait.as_deref()),
                    _ => None,
                };
                if let Some(name) = of_trait {
                    index.by_trait.entry(name).or_default().push(item);
                }
                match item.kind {
                    Kind::Function => {
                        index.named.entry(&item.name).or_default().push(item);
                        if item.header.is_some() {
                            methods.entry(&item.name).or_default().push(item);
                        }
                    }
                    Kind::Impl => impls.push(item),
                    Kind::Adt | Kind::Naming => index.naming.push(item),
                    Kind::Trait | Kind::Foreign => {}
                }
                index.by_path.entry((item.kind as u8, path)).or_default().push(item);
            }
        }
        let mut types: BTreeSet<String> =
            program.adts.iter().map(|adt| last(adt.path.as_str()).to_owned()).collect();
        for (number, item) in index.naming.iter().copied().enumerate() {
            for name in given_names(item) {
                index.by_given_name.entry(name).or_default().push(number);
            }
        }
        let given = &program.declared.primitives_given;
        let is_given =
            |name: &&str| index.by_given_name.contains_key(name) || given.contains(&Name::new(name));
        // Names of types without a path are taken unless something that was read gives them; a glob of a crate that was not read is held to give none.
        types.extend(PRIMITIVES.iter().copied().filter(|name| !is_given(name)).map(str::to_owned));
        index.methods =
            methods.into_iter().map(|(name, items)| (name, ByHeader::new(items, &types))).collect();
        index.impls = ByHeader::new(impls, &types);
        index
    }

    pub fn at(&self, kind: Kind, path: &Path) -> Vec<&'a Item> {
        let found = self.by_path.get(&(kind as u8, written(path)));
        found.cloned().unwrap_or_default()
    }

    pub fn of_function(&self, program: &Program, path: &Path, owner: &Owner) -> Vec<&'a Item> {
        let name = last(path.as_str());
        let wanted = match owner {
            Owner::Free | Owner::Within(_) => {
                let found = self.at(Kind::Function, path);
                return match found.is_empty() {
                    true => self.named.get(name).cloned().unwrap_or_default(),
                    false => found,
                };
            }
            Owner::Trait(of) => {
                let path = Path::new(format!("{of}::{name}"));
                return self.at(Kind::Function, &path);
            }
            Owner::Inherent { self_ty, .. } => ImplHeader { of_trait: None, self_ty: head(self_ty) },
            Owner::TraitImpl(id) => self.header(program, *id),
        };
        self.methods.get(name).map(|methods| methods.matching(&wanted)).unwrap_or_default()
    }

    /// What is declared of the traits of these names: themselves and their implementations.
    fn of_traits(&self, names: &BTreeSet<String>) -> Vec<&'a Item> {
        names.iter().filter_map(|name| self.by_trait.get(name.as_str())).flatten().copied().collect()
    }

    pub fn of_impl(&self, program: &Program, id: ImplId) -> Vec<&'a Item> {
        self.impls.matching(&self.header(program, id))
    }

    fn header(&self, program: &Program, id: ImplId) -> ImplHeader {
        let trait_ref = &program.impls[id].trait_ref;
        let of_trait = Some(last(trait_ref.path.as_str()).to_owned());
        ImplHeader { of_trait, self_ty: head(&trait_ref.self_ty) }
    }

    /// Names, and those in what they stand for.
    pub fn closed(&self, mut words: BTreeSet<String>) -> BTreeSet<String> {
        let mut open: Vec<String> = words.iter().cloned().collect();
        while let Some(word) = open.pop() {
            for item in self.naming_as(&word) {
                open.extend(item.words.iter().filter(|word| words.insert((*word).clone())).cloned());
            }
        }
        words
    }

    pub fn meanings(&self, words: &BTreeSet<String>) -> String {
        let meant: BTreeSet<usize> = words.iter().flat_map(|word| self.given_by(word)).copied().collect();
        let meant = meant.into_iter().map(|number| self.naming[number]);
        let texts: BTreeSet<String> = meant.map(|item| format!("\n{}: {}", item.path, item.text)).collect();
        texts.into_iter().collect()
    }

    /// The items of which the word may be a name that they give.
    fn naming_as(&self, word: &str) -> impl Iterator<Item = &'a Item> {
        self.given_by(word).iter().map(|number| self.naming[*number])
    }

    /// The same by their numbers.
    fn given_by(&self, word: &str) -> &[usize] {
        self.by_given_name.get(word).map_or(&[], Vec::as_slice)
    }
}

/// The words that may be names which the item gives.
fn given_names(item: &Item) -> impl Iterator<Item = &str> {
    // `use`, of which the names are among its words; a glob may give any, but nothing that the compiler's text of bodies would not show.
    let of_use = item.words.iter().filter(|_| item.name.is_empty()).map(String::as_str);
    of_use.chain(Some(item.name.as_str()).filter(|name| !name.is_empty()))
}

/// The path as it can stand in sources: without closures and the like on the way.
fn written(path: &Path) -> String {
    path.as_str().split("::").filter(|part| !part.starts_with('{')).collect::<Vec<_>>().join("::")
}

pub(in super::super) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default()
}

/// The last name of a type, as the headers of implementations in sources have it; none for a type that is no path.
pub(in super::super) fn head(ty: &Ty) -> Option<String> {
    match ty.kind() {
        TyKind::Adt(path, _) => Some(last(path.as_str()).to_owned()),
        TyKind::Param(name) => Some(name.to_string()),
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => Some(ty.to_string()),
        _ => None,
    }
}
