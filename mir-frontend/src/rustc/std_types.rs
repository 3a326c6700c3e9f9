//! What is known of the standard library without any dump of it: types that programs build or take apart by
//! field, defaulted parameters of traits, and numeric constants.
//!
//! The types and traits stand in [`regress_core::ir::known`]. A type of the mirror takes the place of one of the same path there.

use regress_core::ir::known::traits::Parameter;
use regress_core::ir::{
    Adt, AdtKind, Const, CtorKind, Field, FloatTy, GenericArg, IntTy, KnownTrait, KnownType, Name, Path,
    Signedness, Ty, TyKind, Variant, Visibility,
};

use super::scope::{AdtShape, CrateNames, Names, Param, Scope, generics_of};
use super::types::parse_ty;

/// The built-in types.
pub fn adts() -> Vec<Adt> {
    let names = Names::default();
    let krate = CrateNames::new("");
    declarations().filter_map(|text| adt(&text, &names, &krate)).collect()
}

fn declarations() -> impl Iterator<Item = String> {
    KnownType::ALL.iter().filter_map(|ty| {
        let row = ty.row();
        row.declared.map(|declared| format!("{} {}{}", declared.keyword, row.path, declared.rest))
    })
}

pub fn add_traits(names: &mut Names) {
    let of_self = |item: &&KnownTrait| item.row().parameter == Parameter::DefaultsToSelf;
    for item in KnownTrait::ALL.iter().filter(of_self) {
        let self_ty = Ty::new(TyKind::Param("Self".into()));
        let param = Param { default: Some(GenericArg::Ty(self_ty)), ..Param::ty("Rhs") };
        names.traits.entry((*item).into()).or_insert_with(|| vec![param]);
    }
}

pub fn shape_of(adt: &Adt, params: Vec<Param>) -> AdtShape {
    AdtShape {
        kind: adt.kind,
        params,
        variants: adt.variants.iter().map(|variant| (variant.name.clone(), variant.ctor)).collect(),
    }
}

/// The parameters of a built-in type.
pub fn params_of(adt: &Adt) -> Vec<Param> {
    let params = adt.generics.iter().map(|param| {
        // The only default in the table is the unit type.
        let default =
            (adt.path == KnownType::ControlFlow && param.name == "C").then(|| GenericArg::Ty(Ty::unit()));
        Param { default, ..Param::ty(param.name.as_str()) }
    });
    params.collect()
}

fn adt(text: &str, names: &Names, krate: &CrateNames) -> Option<Adt> {
    let (keyword, rest) = text.split_once(' ')?;
    let kind = match keyword {
        "enum" => AdtKind::Enum,
        "union" => AdtKind::Union,
        _ => AdtKind::Struct,
    };
    let (head, body) = rest.split_once(' ').unwrap_or((rest, ""));
    // `Result<T, E>` holds a blank; the head ends with the closing bracket.
    let (head, body) = match rest.find('<').filter(|at| *at < head.len()) {
        Some(_) => rest.split_at(rest.find('>')? + 1),
        None => (head, body),
    };
    let (path, params) = head.split_once('<').unwrap_or((head, ""));
    let params: Vec<Param> =
        params.trim_end_matches('>').split(", ").filter(|name| !name.is_empty()).map(Param::ty).collect();
    let generics = generics_of(&params);
    let scope = Scope::new(names, krate, generics.clone());
    let segments: Vec<&str> = path.split("::").collect();
    let path = names.canonical(krate, &segments);
    let last = *segments.last()?;
    let body = body.trim();
    let variants = if kind == AdtKind::Enum {
        let inner = body.trim_start_matches('{').trim_end_matches('}').trim();
        let mut next = 0;
        let mut variants = Vec::new();
        for variant in split_commas(inner) {
            let (declaration, value) = variant.split_once(" = ").unwrap_or((variant, ""));
            let discriminant = value.parse().unwrap_or(next);
            next = discriminant + 1;
            let (name, fields) = declaration.split_once('(').unwrap_or((declaration, ""));
            variants.push(read_variant(name, fields.strip_suffix(')').map(tuple), discriminant, &scope)?);
        }
        variants
    } else if let Some(fields) = body.strip_prefix('{') {
        vec![read_variant(last, Some(named(fields.trim_end_matches('}').trim())), 0, &scope)?]
    } else if let Some(fields) = body.strip_prefix('(') {
        vec![read_variant(last, fields.trim().strip_suffix(')').map(|inner| tuple(inner.trim())), 0, &scope)?]
    } else {
        vec![read_variant(last, None, 0, &scope)?]
    };
    let is_ordering = path == KnownType::Ordering;
    Some(Adt {
        path,
        kind,
        generics,
        bounds: Vec::new(),
        variants,
        discriminant_ty: if is_ordering { IntTy::I8 } else { IntTy::Isize },
        visibility: Visibility::Public,
        origin_crate: "std".into(),
        span: None,
    })
}

enum FieldTexts<'a> {
    Tuple(Vec<&'a str>),
    Named(Vec<(&'a str, &'a str)>),
}

fn tuple(text: &str) -> FieldTexts<'_> {
    FieldTexts::Tuple(split_commas(text))
}

fn named(text: &str) -> FieldTexts<'_> {
    FieldTexts::Named(split_commas(text).into_iter().filter_map(|field| field.split_once(": ")).collect())
}

/// Parts between commas outside brackets.
fn split_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut start = 0;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn read_variant(
    name: &str,
    fields: Option<FieldTexts<'_>>,
    discriminant: i128,
    scope: &Scope<'_>,
) -> Option<Variant> {
    let field = |name: Name, ty: &str| {
        Some(Field { name, ty: parse_ty(ty, scope).ok()?, visibility: Visibility::Public })
    };
    let (ctor, fields) = match fields {
        None => (CtorKind::Unit, Vec::new()),
        Some(FieldTexts::Tuple(tys)) => {
            let fields = tys.iter().enumerate().map(|(index, ty)| field(index.to_string().into(), ty));
            (CtorKind::Tuple, fields.collect::<Option<_>>()?)
        }
        Some(FieldTexts::Named(fields)) => {
            let fields = fields.iter().map(|(name, ty)| field((*name).into(), ty));
            (CtorKind::Struct, fields.collect::<Option<_>>()?)
        }
    };
    Some(Variant { name: name.trim().into(), ctor, fields, discriminant })
}

macro_rules! constant_of_float {
    ($float:ident, $ty:expr, $name:expr) => {{
        let value = |value: $float| Some(Const::Float(value.to_bits().into(), $ty));
        let count = |count: u32| Some(Const::Int(count.into(), IntTy::U32));
        let exponent = |exponent: i32| Some(Const::Int((exponent as u32).into(), IntTy::I32));
        match $name {
            "EPSILON" => value($float::EPSILON),
            "MIN" => value($float::MIN),
            "MAX" => value($float::MAX),
            "MIN_POSITIVE" => value($float::MIN_POSITIVE),
            "INFINITY" => value($float::INFINITY),
            "NEG_INFINITY" => value($float::NEG_INFINITY),
            "NAN" => value($float::NAN),
            "RADIX" => count($float::RADIX),
            "MANTISSA_DIGITS" => count($float::MANTISSA_DIGITS),
            "DIGITS" => count($float::DIGITS),
            "MIN_EXP" => exponent($float::MIN_EXP),
            "MAX_EXP" => exponent($float::MAX_EXP),
            "MIN_10_EXP" => exponent($float::MIN_10_EXP),
            "MAX_10_EXP" => exponent($float::MAX_10_EXP),
            _ => None,
        }
    }};
}

/// `T::MIN` and the like for primitive types.
pub fn numeric_const(ty: &Ty, name: &str) -> Option<Const> {
    match ty.kind() {
        TyKind::Int(int) => int_const(*int, name),
        TyKind::Char => match name {
            "MAX" => Some(Const::Char(char::MAX)),
            "MIN" => Some(Const::Char('\0')),
            "REPLACEMENT_CHARACTER" => Some(Const::Char(char::REPLACEMENT_CHARACTER)),
            _ => None,
        },
        TyKind::Float(FloatTy::F64) => constant_of_float!(f64, FloatTy::F64, name),
        TyKind::Float(FloatTy::F32) => constant_of_float!(f32, FloatTy::F32, name),
        _ => None,
    }
}

fn int_const(ty: IntTy, name: &str) -> Option<Const> {
    let all_ones = ty.truncate(u128::MAX);
    let sign_bit = 1u128 << (ty.bits() - 1);
    let bits = match (name, ty.signedness()) {
        ("MAX", Signedness::Unsigned) => all_ones,
        ("MIN", Signedness::Unsigned) => 0,
        ("MAX", Signedness::Signed) => all_ones ^ sign_bit,
        ("MIN", Signedness::Signed) => sign_bit,
        ("BITS", _) => return Some(Const::Int(ty.bits().into(), IntTy::U32)),
        _ => return None,
    };
    Some(Const::Int(bits, ty))
}

/// Constants of `std::f64::consts` and `std::f32::consts`.
pub fn float_const(path: &str) -> Option<Const> {
    use std::f64::consts;
    let (module, name) = path.rsplit_once("::")?;
    let value = match name {
        "PI" => consts::PI,
        "TAU" => consts::TAU,
        "E" => consts::E,
        "SQRT_2" => consts::SQRT_2,
        "FRAC_1_SQRT_2" => consts::FRAC_1_SQRT_2,
        "LN_2" => consts::LN_2,
        "LN_10" => consts::LN_10,
        "LOG2_E" => consts::LOG2_E,
        "LOG10_E" => consts::LOG10_E,
        "LOG2_10" => consts::LOG2_10,
        "LOG10_2" => consts::LOG10_2,
        "FRAC_PI_2" => consts::FRAC_PI_2,
        "FRAC_PI_3" => consts::FRAC_PI_3,
        "FRAC_PI_4" => consts::FRAC_PI_4,
        "FRAC_PI_6" => consts::FRAC_PI_6,
        "FRAC_PI_8" => consts::FRAC_PI_8,
        "FRAC_1_PI" => consts::FRAC_1_PI,
        "FRAC_2_PI" => consts::FRAC_2_PI,
        "FRAC_2_SQRT_PI" => consts::FRAC_2_SQRT_PI,
        _ => return None,
    };
    match module {
        "std::f64::consts" => Some(Const::Float(value.to_bits(), FloatTy::F64)),
        "std::f32::consts" => Some(Const::Float((value as f32).to_bits().into(), FloatTy::F32)),
        _ => None,
    }
}

/// Items that rustc prints under another of their public paths than the one they are known by.
const PRINTED_AS: &[(&str, KnownType)] = &[("std::collections::Bound", KnownType::Bound)];

/// The usual path of an item of the standard library.
pub fn usual_path(path: String) -> String {
    for (printed, usual) in PRINTED_AS {
        if let Some(rest) = path.strip_prefix(printed)
            && (rest.is_empty() || rest.starts_with("::"))
        {
            return format!("{}{rest}", usual.path());
        }
    }
    path
}

/// Modules of the standard library's first level.
const MODULES: &str = "alloc any arch array ascii async_iter backtrace borrow boxed bstr cell char clone cmp collections \
    convert default env error f128 f16 f32 f64 ffi fmt fs future hash hint i128 i16 i32 i64 i8 \
    intrinsics io isize iter marker mem net num ops option os panic panicking pat path pin prelude \
    primitive process ptr random range rc result rt simd slice str string sync task thread time u128 u16 \
    u32 u64 u8 usize vec";

/// Whether `std::NAME` is a module.
pub fn is_module(name: &str) -> bool {
    MODULES.split(' ').any(|module| module == name)
}

/// Public modules of the standard library below its first level: their names are part of visible paths.
const PUBLIC_SUBMODULES: &[(&str, &[&str])] = &[
    ("sync", &["atomic", "mpsc"]),
    ("str", &["pattern"]),
    ("fmt", &["rt"]),
    ("f32", &["consts"]),
    ("f64", &["consts"]),
];

/// rustdoc names items of the standard library by their definition (`core::iter::adapters::map::Map`), MIR by how
/// they can be reached (`std::iter::Map`). Modules in between are private, with few exceptions.
pub fn visible_path(definition: &[&str]) -> Path {
    let [_, module, between @ .., name] = definition else {
        let below = definition.get(1).map(|name| format!("::{name}")).unwrap_or_default();
        return format!("std{below}").into();
    };
    let mut path = format!("std::{module}");
    if *module == "collections" {
        let kept = match between {
            ["hash", "map", ..] if !matches!(*name, "HashMap") => Some("hash_map"),
            ["hash", "set", ..] if !matches!(*name, "HashSet") => Some("hash_set"),
            ["btree", "map", ..] if !matches!(*name, "BTreeMap") => Some("btree_map"),
            ["btree", "set", ..] if !matches!(*name, "BTreeSet") => Some("btree_set"),
            ["vec_deque", ..] if !matches!(*name, "VecDeque") => Some("vec_deque"),
            ["linked_list", ..] if !matches!(*name, "LinkedList") => Some("linked_list"),
            ["binary_heap", ..] if !matches!(*name, "BinaryHeap") => Some("binary_heap"),
            _ => None,
        };
        if let Some(kept) = kept {
            path = format!("{path}::{kept}");
        }
    } else if let Some(first) = between.first()
        && PUBLIC_SUBMODULES.iter().any(|(outer, inner)| outer == module && inner.contains(first))
    {
        path = format!("{path}::{first}");
    }
    format!("{path}::{name}").into()
}

#[cfg(test)]
mod tests;
