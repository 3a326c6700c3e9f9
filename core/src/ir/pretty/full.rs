//! Types, constants and callees with all that they mean.
//!
//! Their own `Display` is for people and for names of items: it leaves out what can be told from the surroundings (the
//! type of an integer, on which type a method is called, the arguments of closures).

use std::fmt::{self, Display, Formatter};

use super::super::*;

/// Text that says everything about a type, a constant or a callee.
pub struct Full<'a, T>(pub &'a T);

/// Words that begin something else than the name of a parameter.
pub const RESERVED: [&str; 15] = [
    "bool",
    "char",
    "str",
    "f32",
    "f64",
    "true",
    "false",
    "fn",
    "dyn",
    "const",
    "static",
    "param",
    "uninit",
    "unsupported",
    "ZeroSized",
];

pub(super) fn list<'a, T: 'a>(items: impl IntoIterator<Item = &'a T>) -> String
where
    Full<'a, T>: Display,
{
    items.into_iter().map(|item| Full(item).to_string()).collect::<Vec<_>>().join(", ")
}

/// Generic arguments in angle brackets; nothing if there are none.
fn angle(args: &GenericArgs) -> String {
    if args.is_empty() { String::new() } else { format!("<{}>", list(args)) }
}

fn turbofish(args: &GenericArgs) -> String {
    if args.is_empty() { String::new() } else { format!("::<{}>", list(args)) }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `name`, `{closure#0}` or `promoted[0]`
fn is_segment(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let braced = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let bracketed = text.strip_suffix(']').and_then(|text| text.split_once('['));
    match (braced.and_then(|text| text.split_once('#')), bracketed) {
        (Some((name, index)), _) | (None, Some((name, index))) => is_identifier(name) && number(index),
        (None, None) => is_identifier(text),
    }
}

/// The path of a function where a single word cannot be anything else; in backticks if it is no plain path.
pub(super) fn callee_path(path: &Path) -> String {
    let is_plain = path.as_str().split("::").all(is_segment) && !path.as_str().starts_with('{');
    if is_plain { path.to_string() } else { format!("`{path}`") }
}

/// A path where a single word would be a parameter.
pub(super) fn item_path(path: &Path) -> String {
    if path.as_str().contains("::") { callee_path(path) } else { format!("`{path}`") }
}

fn param(name: &Name) -> String {
    let word = name.as_str();
    let is_plain =
        is_identifier(word) && !RESERVED.contains(&word) && super::super::IntTy::from_name(word).is_none();
    if is_plain { word.to_string() } else { format!("param {word:?}") }
}

/// The length of an array: a `usize`, if nothing else is said.
pub(super) fn length(len: &Const) -> String {
    match len {
        Const::Int(bits, IntTy::Usize) => bits.to_string(),
        len => Full(len).to_string(),
    }
}

impl Display for Full<'_, Ty> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str | TyKind::Never => {
                self.0.fmt(f)
            }
            TyKind::Adt(path, args) => write!(f, "{}{}", item_path(path), angle(args)),
            TyKind::Tuple(tys) if tys.len() == 1 => write!(f, "({},)", Full(&tys[0])),
            TyKind::Tuple(tys) => write!(f, "({})", list(tys)),
            TyKind::Array(ty, len) => write!(f, "[{}; {}]", Full(ty), length(len)),
            TyKind::Slice(ty) => write!(f, "[{}]", Full(ty)),
            TyKind::Ref(Mutability::Shared, ty) => write!(f, "&{}", Full(ty)),
            TyKind::Ref(Mutability::Mut, ty) => write!(f, "&mut {}", Full(ty)),
            TyKind::RawPtr(Mutability::Shared, ty) => write!(f, "*const {}", Full(ty)),
            TyKind::RawPtr(Mutability::Mut, ty) => write!(f, "*mut {}", Full(ty)),
            TyKind::Param(name) => f.write_str(&param(name)),
            TyKind::Projection { trait_ref, name } => write!(f, "{}::{name}", Full(trait_ref)),
            TyKind::FnPtr { inputs, output } => write!(f, "fn({}) -> {}", list(inputs), Full(output)),
            TyKind::FnDef(fn_ref) => write!(f, "fn {{{}}}", Full(&**fn_ref)),
            TyKind::Closure(path, args) => write!(f, "{{closure@{}{}}}", callee_path(path), angle(args)),
            TyKind::Dyn(bounds) if bounds.is_empty() => f.write_str("dyn ()"),
            TyKind::Dyn(bounds) => {
                let bounds: Vec<String> = bounds.iter().map(|bound| Full(bound).to_string()).collect();
                write!(f, "dyn {}", bounds.join(" + "))
            }
            TyKind::Unsupported(text) => write!(f, "unsupported {text:?}"),
        }
    }
}

impl Display for Full<'_, DynTrait> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let DynTrait { path, args, assoc_types } = self.0;
        let args = args.iter().map(|arg| Full(arg).to_string());
        let assoc_types = assoc_types.iter().map(|(name, ty)| format!("{name} = {}", Full(ty)));
        let all: Vec<String> = args.chain(assoc_types).collect();
        f.write_str(&item_path(path))?;
        if all.is_empty() { Ok(()) } else { write!(f, "<{}>", all.join(", ")) }
    }
}

impl Display for Full<'_, GenericArg> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            GenericArg::Ty(ty) => Full(ty).fmt(f),
            GenericArg::Const(constant) => write!(f, "const {}", Full(constant)),
        }
    }
}

/// `<SELF as TRAIT<ARGS>>`
impl Display for Full<'_, TraitRef> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TraitRef { self_ty, path, args } = self.0;
        write!(f, "<{} as {}{}>", Full(self_ty), item_path(path), angle(args))
    }
}

/// `path::<ARGS>`, `<SELF>::path::<ARGS>` for an inherent method, `<SELF as TRAIT>::method::<ARGS>`
impl Display for Full<'_, FnRef> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            FnRef::Free { path, args } => write!(f, "{}{}", callee_path(path), turbofish(args)),
            FnRef::Inherent { path, self_ty, args } => {
                write!(f, "<{}>::{}{}", Full(self_ty), callee_path(path), turbofish(args))
            }
            FnRef::Trait { trait_ref, method, args } => {
                write!(f, "{}::{method}{}", Full(trait_ref), turbofish(args))
            }
        }
    }
}

impl Display for Full<'_, Const> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Const::Int(bits, ty) => write!(f, "{}_{ty}", ty.display_bits(*bits)),
            Const::Float(bits, FloatTy::F32) if !f32::from_bits(*bits as u32).is_finite() => {
                write!(f, "{bits:#x}_f32")
            }
            Const::Float(bits, FloatTy::F64) if !f64::from_bits(*bits).is_finite() => {
                write!(f, "{bits:#x}_f64")
            }
            Const::Bool(_) | Const::Char(_) | Const::Float(..) | Const::Str(_) | Const::ByteStr(_) => {
                self.0.fmt(f)
            }
            Const::Tuple(items) if items.len() == 1 => write!(f, "({},)", Full(&items[0])),
            Const::Tuple(items) => write!(f, "({})", list(items)),
            Const::Array(items) => write!(f, "[{}]", list(items)),
            Const::Adt { ty, variant, fields } => f.write_str(&made(ty, variant.as_ref(), &list(fields))),
            Const::Ref(inner) => write!(f, "&{}", Full(&**inner)),
            Const::Param(name) => f.write_str(&param(name)),
            Const::Fn(fn_ref) => write!(f, "fn {{{}}}", Full(&**fn_ref)),
            Const::Item { path, args } => write!(f, "{}{}", item_path(path), turbofish(args)),
            Const::AssocConst { trait_ref, name } => write!(f, "{}::{name}", Full(trait_ref)),
            Const::InherentConst { path, self_ty } => write!(f, "<{}>::{}", Full(self_ty), callee_path(path)),
            Const::StaticRef(path) => write!(f, "&static {}", callee_path(path)),
            Const::ZeroSized(ty) => write!(f, "ZeroSized: {}", Full(ty)),
            Const::Uninit => f.write_str("uninit"),
            Const::Unsupported(text) => write!(f, "unsupported {text:?}"),
        }
    }
}

/// A struct with its fields in braces, or a variant with them in parentheses: `k::S {1_u8}`, `k::E::A(1_u8)`,
/// `k::E<u8>::A()`. With brackets the type ends there, without them in front of the last segment.
pub(super) fn made<V: Display>(ty: &Ty, variant: Option<V>, fields: &str) -> String {
    match (variant.map(|variant| variant.to_string()), ty.kind()) {
        (None, _) => format!("{} {{{fields}}}", Full(ty)),
        (Some(variant), TyKind::Adt(path, args)) => {
            let path = item_path(path);
            let is_plain = args.is_empty() && !path.starts_with('`') && is_identifier(&variant);
            let args = if is_plain { String::new() } else { format!("<{}>", list(args)) };
            format!("{path}{args}::{variant}({fields})")
        }
        (Some(variant), _) => format!("{}::{variant}({fields})", Full(ty)),
    }
}
