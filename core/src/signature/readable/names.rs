//! From the variables of the input space back to places in the parameters.
//!
//! The input space calls a variable by the way to it: `arg0.field`, `arg0[3]`, `arg0.len`, `arg1.tag`, `arg1@Some.0`. The
//! types along this way say how it is written in Rust and what type the variable has.

use rustc_hash::FxHashMap;

use crate::exec::resolve::normalize;
use crate::ir::{AdtKind, CtorKind, GenericArg, IntTy, KnownType, Name, Path, Program, Ty, TyKind};
use crate::term::{TermId, TermPool, VarId};

/// How each variable is written, and what it is.
#[derive(Debug, Default)]
pub struct Names {
    parameters: Vec<String>,
    by_var: FxHashMap<VarId, Named>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub text: String,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Bool,
    Char,
    Int(IntTy),
    /// The bits of a float.
    Float,
    /// Which variant the enum at `text` is of; the patterns of its variants, in order.
    Variant(Vec<String>),
    Unknown,
}

impl Names {
    /// The names of all variables of the pool, for a function with these parameters.
    pub fn new(program: &Program, pool: &TermPool, parameters: &[(String, Ty)]) -> Names {
        let parameters: Vec<(String, Ty)> =
            parameters.iter().map(|(name, ty)| (written(name), ty.clone())).collect();
        let by_var = pool.vars().map(|(var, info)| (var, named(program, &parameters, &info.name))).collect();
        Names { parameters: parameters.into_iter().map(|(name, _)| name).collect(), by_var }
    }

    /// What holds of all values of the variables: an enum is of one of its variants.
    pub fn constraints(&self, pool: &mut TermPool) -> Vec<TermId> {
        let of_enums = self.by_var.iter().filter_map(|(var, named)| match &named.kind {
            Kind::Variant(patterns) => Some((*var, patterns.len())),
            _ => None,
        });
        let constraint = |(var, variants): (VarId, usize)| {
            let tag = pool.var_term(var);
            let end = pool.bv_const(variants as u128, pool.width(tag));
            pool.ult(tag, end)
        };
        of_enums.map(constraint).collect()
    }

    pub fn parameter(&self, index: usize) -> String {
        self.parameters.get(index).cloned().unwrap_or_else(|| format!("argument {}", index + 1))
    }

    pub fn of(&self, var: VarId) -> Named {
        self.by_var
            .get(&var)
            .cloned()
            .unwrap_or_else(|| Named { text: format!("{var:?}"), kind: Kind::Unknown })
    }
}

/// A name as sources have it. The compiler drops what makes names of keywords.
fn written(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

/// Keywords that are names behind `r#`, of whatever edition.
const KEYWORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
];

fn unknown(name: &str) -> Named {
    Named { text: name.to_owned(), kind: Kind::Unknown }
}

fn named(program: &Program, parameters: &[(String, Ty)], name: &str) -> Named {
    let Some(rest) = name.strip_prefix("arg") else { return unknown(name) };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let parameter = rest[..digits].parse().ok().and_then(|index: usize| parameters.get(index));
    let Some((text, ty)) = parameter else { return unknown(name) };
    let at = At { program, text: text.clone(), ty: ty.clone(), reference: Reference::None };
    at.follow(&rest[digits..]).unwrap_or_else(|| unknown(name))
}

/// Whether what is looked at stands behind a reference, which fields and indices look through and values do not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reference {
    None,
    Behind,
}

struct At<'p> {
    program: &'p Program,
    text: String,
    ty: Ty,
    reference: Reference,
}

impl At<'_> {
    fn follow(mut self, rest: &str) -> Option<Named> {
        while let Some(pointee) = self.behind_pointer() {
            self.ty = pointee;
            self.reference = Reference::Behind;
        }
        if rest.is_empty() {
            let text = match self.reference {
                Reference::Behind => format!("*{}", self.text),
                Reference::None => self.text,
            };
            return Some(Named { text, kind: kind_of(&self.ty) });
        }
        if rest == ".len" && is_sequence(&self.ty) {
            return Some(Named { text: format!("{}.len()", self.text), kind: Kind::Int(IntTy::Usize) });
        }
        if let Some(indexed) = rest.strip_prefix('[') {
            let (index, rest) = indexed.split_once(']')?;
            if let TyKind::Adt(path, args) = self.ty.kind()
                && let Some(KnownType::BTreeSet | KnownType::BTreeMap) = path.known_type()
            {
                let item = format!("{}.iter().nth({index}).unwrap()", self.text);
                let (text, place, rest) = match path.known_type() {
                    Some(KnownType::BTreeSet) => (item, 0, rest),
                    _ => {
                        let (field, rest) = field_name(rest.strip_prefix('.')?);
                        (format!("{item}.{field}"), field.parse().ok()?, rest)
                    }
                };
                let ty = type_argument(args, place)?;
                return At { program: self.program, text, ty, reference: Reference::Behind }.follow(rest);
            }
            let text = match is_text(&self.ty) {
                true => format!("{}.as_bytes()[{index}]", self.text),
                false => format!("{}[{index}]", self.text),
            };
            let ty = element(&self.ty)?;
            return At { text, ty, reference: Reference::None, ..self }.follow(rest);
        }
        match self.ty.kind().clone() {
            TyKind::Tuple(tys) => {
                let (field, rest) = field_name(rest.strip_prefix('.')?);
                let ty = tys.get(field.parse::<usize>().ok()?)?.clone();
                self.into_field(field, ty).follow(rest)
            }
            TyKind::Adt(path, args) => {
                let adt = self.program.adt(&path)?;
                if adt.kind == AdtKind::Enum && rest == ".tag" {
                    let patterns = adt.variants.iter().map(|variant| {
                        let open = match variant.ctor {
                            CtorKind::Tuple => "(..)",
                            CtorKind::Struct => " { .. }",
                            CtorKind::Unit => "",
                        };
                        let open = if variant.fields.len() == 1 && open == "(..)" { "(_)" } else { open };
                        format!("{}{open}", variant_name(&path, &variant.name))
                    });
                    let text = match self.reference {
                        Reference::Behind => format!("*{}", self.text),
                        Reference::None => self.text,
                    };
                    return Some(Named { text, kind: Kind::Variant(patterns.collect()) });
                }
                let (variant, rest) = match rest.strip_prefix('@') {
                    Some(rest) => {
                        let (variant, rest) = rest.split_once('.')?;
                        (adt.variants.iter().position(|known| known.name == *variant)?, rest)
                    }
                    None => (0, rest.strip_prefix('.')?),
                };
                let (field, rest) = field_name(rest);
                let declared = &adt.variants[variant];
                let index = declared.fields.iter().position(|known| known.name == *field)?;
                let ty = normalize(self.program, adt.field_types(variant, &args).get(index)?);
                let at = match adt.kind {
                    AdtKind::Enum => {
                        let text = format!("{}.{}", self.text, declared.name);
                        At { text, ..self }
                    }
                    _ => self,
                };
                at.into_field(field, ty).follow(rest)
            }
            _ => None,
        }
    }

    fn into_field(self, field: &str, ty: Ty) -> Self {
        At { text: format!("{}.{field}", self.text), ty, reference: Reference::None, ..self }
    }

    fn behind_pointer(&self) -> Option<Ty> {
        match self.ty.kind() {
            TyKind::Ref(..) => self.ty.pointee().cloned(),
            TyKind::Adt(path, _) if path == KnownType::Box => self.ty.pointee().cloned(),
            _ => None,
        }
    }
}

/// The name of a field and what follows it.
fn field_name(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(['.', '[', '@']).unwrap_or(rest.len()))
}

fn kind_of(ty: &Ty) -> Kind {
    match ty.kind() {
        TyKind::Bool => Kind::Bool,
        TyKind::Char => Kind::Char,
        TyKind::Int(int) => Kind::Int(*int),
        TyKind::Float(_) => Kind::Float,
        _ => Kind::Unknown,
    }
}

fn is_text(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Str => true,
        TyKind::Adt(path, _) => path == KnownType::String,
        _ => false,
    }
}

/// Whether it has a length.
fn is_sequence(ty: &Ty) -> bool {
    let collections =
        [KnownType::BTreeMap, KnownType::BTreeSet, KnownType::HashMap, KnownType::HashSet].map(Some);
    is_text(ty) || element(ty).is_some() || collections.contains(&ty.known())
}

fn type_argument(args: &[GenericArg], place: usize) -> Option<Ty> {
    match args.get(place)? {
        GenericArg::Ty(ty) => Some(ty.clone()),
        GenericArg::Const(_) => None,
    }
}

fn element(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Slice(elem) | TyKind::Array(elem, _) => Some(elem.clone()),
        TyKind::Str => Some(Ty::int(IntTy::U8)),
        TyKind::Adt(path, _) if path == KnownType::String => Some(Ty::int(IntTy::U8)),
        TyKind::Adt(path, args) if path == KnownType::Vec || path == KnownType::VecDeque => {
            type_argument(args, 0)
        }
        _ => None,
    }
}

/// `Some`, `None`, `Ok`, `Err` bare; other variants with their enum's name.
fn variant_name(path: &Path, variant: &Name) -> String {
    if path == KnownType::Option || path == KnownType::Result {
        return variant.to_string();
    }
    format!("{}::{variant}", path.as_str().rsplit("::").next().unwrap_or(path.as_str()))
}
