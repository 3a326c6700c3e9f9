//! Types and generics of rustdoc's JSON.

use regress_core::ir::{
    Bound, Const, ConstTy, DynTrait, GenericArg, GenericArgs, GenericParamKind, IntTy, KnownTrait, KnownType,
    Mutability, Name, Signedness, Subst, TraitRef, Ty, TyKind,
};
use serde_json::Value;

use super::super::scope::{Param, generics_of};
use super::super::types::{primitive, unsupported};
use super::{Reader, array, id_text, inner, text};

/// Aliases of types may refer to each other.
const MAX_DEPTH: u32 = 64;

impl Reader<'_> {
    pub(super) fn ty(&self, value: &Value) -> Ty {
        self.ty_at(value, 0)
    }

    fn ty_at(&self, value: &Value, depth: u32) -> Ty {
        let unknown = || unsupported(&value.to_string());
        if depth > MAX_DEPTH {
            return unknown();
        }
        let ty = |value: &Value| self.ty_at(value, depth + 1);
        let Some((kind, content)) = value.as_object().and_then(|object| object.iter().next()) else {
            return unknown();
        };
        let mutability = || match content["is_mutable"].as_bool() {
            Some(true) => Mutability::Mut,
            _ => Mutability::Shared,
        };
        match kind.as_str() {
            "primitive" => match text(content) {
                "never" => Ty::new(TyKind::Never),
                "unit" => Ty::unit(),
                word => primitive(word).unwrap_or_else(unknown),
            },
            "generic" => Ty::new(TyKind::Param(text(content).into())),
            "tuple" => Ty::new(TyKind::Tuple(array(content).iter().map(ty).collect())),
            "slice" => Ty::new(TyKind::Slice(ty(content))),
            "array" => Ty::new(TyKind::Array(ty(&content["type"]), self.constant(text(&content["len"])))),
            "borrowed_ref" => Ty::reference(mutability(), ty(&content["type"])),
            "raw_pointer" => Ty::new(TyKind::RawPtr(mutability(), ty(&content["type"]))),
            "resolved_path" => self.path_ty(content, depth),
            "qualified_path" => match self.trait_ref(&content["trait"], ty(&content["self_type"])) {
                Some(trait_ref) if self.args(&content["args"], depth).is_empty() => {
                    Ty::new(TyKind::Projection { trait_ref, name: text(&content["name"]).into() })
                }
                _ => unknown(),
            },
            "function_pointer" => {
                let sig = if content["sig"].is_object() { &content["sig"] } else { &content["decl"] };
                let inputs = array(&sig["inputs"]).iter().map(|input| ty(&input[1])).collect();
                let output = if sig["output"].is_null() { Ty::unit() } else { ty(&sig["output"]) };
                Ty::new(TyKind::FnPtr { inputs, output })
            }
            "dyn_trait" => self.dyn_ty(content, depth).unwrap_or_else(unknown),
            "impl_trait" => self.synthetic(content, depth).unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    /// The parameter that an `impl Trait` within another one stands for, which has the name that rustc prints.
    fn synthetic(&self, content: &Value, depth: u32) -> Option<Ty> {
        let bound = |bound: &Value| {
            let of_trait = &bound["trait_bound"]["trait"];
            let bracketed = &of_trait["args"]["angle_bracketed"];
            let is_plain = array(&bracketed["constraints"]).is_empty();
            let args: Vec<String> =
                self.args(&of_trait["args"], depth).iter().map(GenericArg::to_string).collect();
            let name = text(&of_trait["path"]);
            let shown =
                if args.is_empty() { name.to_owned() } else { format!("{name}<{}>", args.join(", ")) };
            (is_plain && !name.is_empty()).then_some(shown)
        };
        let bounds: Vec<String> = array(content).iter().map(bound).collect::<Option<_>>()?;
        Some(Ty::new(TyKind::Param(format!("impl {}", bounds.join(" + ")).as_str().into())))
    }

    fn path_ty(&self, content: &Value, depth: u32) -> Ty {
        let unknown = || unsupported(&content.to_string());
        let Some(id) = id_text(&content["id"]) else { return unknown() };
        let args = self.args(&content["args"], depth);
        if let Some(("type_alias", alias)) = self.index.get(&id).and_then(inner) {
            let params = self.params(&alias["generics"]);
            let target = self.ty_at(&alias["type"], depth + 1);
            return Subst::from_params(&generics_of(&params), &args).ty(&target);
        }
        let Some((path, kind)) = self.path_of(&id) else {
            // It stands in a body, and its name is all that is known.
            let name = text(&content["path"]);
            return if args.is_empty() && !name.is_empty() { unsupported(name) } else { unknown() };
        };
        if kind == "type_alias" && path.is_of_std() {
            return std_alias(path.as_str(), &args).unwrap_or_else(unknown);
        }
        // What an alias of another crate stands for is known when that is read.
        Ty::new(TyKind::Adt(path, args))
    }

    fn dyn_ty(&self, content: &Value, depth: u32) -> Option<Ty> {
        let bounds = array(&content["traits"])
            .iter()
            .map(|bound| {
                let bound = &bound["trait"];
                let (path, _) = self.path_of(&id_text(&bound["id"])?)?;
                Some(DynTrait {
                    path,
                    args: self.args(&bound["args"], depth),
                    assoc_types: self.constraints(&bound["args"], depth),
                })
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Ty::object(bounds))
    }

    fn args(&self, args: &Value, depth: u32) -> GenericArgs {
        if let Some(list) = args["angle_bracketed"]["args"].as_array() {
            return list
                .iter()
                .filter_map(|arg| {
                    if arg["type"].is_object() {
                        return Some(GenericArg::Ty(self.ty_at(&arg["type"], depth + 1)));
                    }
                    let expr = arg["const"]["value"].as_str().or_else(|| arg["const"]["expr"].as_str())?;
                    Some(GenericArg::Const(self.constant(expr)))
                })
                .collect();
        }
        let parenthesized = &args["parenthesized"];
        match parenthesized["inputs"].as_array() {
            Some(inputs) => {
                let inputs = inputs.iter().map(|input| self.ty_at(input, depth + 1)).collect();
                vec![GenericArg::Ty(Ty::new(TyKind::Tuple(inputs)))]
            }
            None => Vec::new(),
        }
    }

    fn constraints(&self, args: &Value, depth: u32) -> Vec<(Name, Ty)> {
        let parenthesized = &args["parenthesized"];
        if parenthesized.is_object() {
            let output = match &parenthesized["output"] {
                Value::Null => Ty::unit(),
                output => self.ty_at(output, depth + 1),
            };
            return vec![("Output".into(), output)];
        }
        let angle = &args["angle_bracketed"];
        let list = if angle["constraints"].is_array() { &angle["constraints"] } else { &angle["bindings"] };
        array(list)
            .iter()
            .filter_map(|constraint| {
                let ty = &constraint["binding"]["equality"]["type"];
                let name = Name::new(text(&constraint["name"]));
                ty.is_object().then(|| (name, self.ty_at(ty, depth + 1)))
            })
            .collect()
    }

    /// A constant's source text: a number, a parameter, or what only the compiler can evaluate.
    fn constant(&self, expr: &str) -> Const {
        let expr = expr.trim();
        if self.const_params.contains(expr) {
            return Const::Param(expr.into());
        }
        match expr {
            "true" => return Const::Bool(true),
            "false" => return Const::Bool(false),
            _ => {}
        }
        if let Some(c) = expr.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
            && let Ok(c) = c.parse::<char>()
        {
            return Const::Char(c);
        }
        // A constant may be called `_1`.
        if !expr.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) {
            return Const::Unsupported(expr.to_owned());
        }
        let suffix = IntTy::ALL.into_iter().find_map(|ty| Some((ty, expr.strip_suffix(ty.name())?)));
        let (ty, digits) = suffix.map_or((None, expr), |(ty, digits)| (Some(ty), digits));
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        // Without a suffix the value is kept wide until its parameter's type is known.
        if let Ok(value) = digits.parse::<u128>() {
            let wide = if u64::try_from(value).is_ok() { IntTy::Usize } else { IntTy::U128 };
            let ty = ty.unwrap_or(wide);
            return Const::Int(ty.truncate(value), ty);
        }
        match digits.parse::<i128>() {
            Ok(value) => Const::int(value, ty.unwrap_or(IntTy::I128)),
            Err(_) => Const::Unsupported(expr.to_owned()),
        }
    }

    /// The value of an associated constant of a primitive type, if rustdoc gives it as a literal.
    pub(super) fn literal(&self, content: &Value) -> Option<Const> {
        let value = content["value"].as_str()?;
        match (text(&content["type"]["primitive"]), self.constant(value)) {
            ("bool", value @ Const::Bool(_)) | ("char", value @ Const::Char(_)) => Some(value),
            (int, Const::Int(bits, read_as)) => {
                let ty = IntTy::from_name(int)?;
                let value = match read_as.signedness() {
                    Signedness::Signed => read_as.sign_extend(bits) as u128,
                    Signedness::Unsigned => bits,
                };
                Some(Const::Int(ty.truncate(value), ty))
            }
            _ => None,
        }
    }

    pub(super) fn trait_ref(&self, value: &Value, self_ty: Ty) -> Option<TraitRef> {
        let (path, _) = self.path_of(&id_text(&value["id"])?)?;
        Some(TraitRef { self_ty, path, args: self.args(&value["args"], 0) })
    }

    /// Type and const parameters in order, those for `impl Trait` arguments among them.
    pub(super) fn params(&self, generics: &Value) -> Vec<Param> {
        array(&generics["params"])
            .iter()
            .filter_map(|param| {
                let name = Name::new(text(&param["name"]));
                let kind = &param["kind"];
                if kind["type"].is_object() {
                    let default = &kind["type"]["default"];
                    let default = (!default.is_null()).then(|| GenericArg::Ty(self.ty(default)));
                    return Some(Param { name, kind: GenericParamKind::Type, default });
                }
                let ty = &kind["const"]["type"];
                ty.is_object().then(|| Param {
                    name,
                    kind: GenericParamKind::Const(
                        ConstTy::from_name(text(&ty["primitive"])).unwrap_or(ConstTy::USIZE),
                    ),
                    default: kind["const"]["default"]
                        .as_str()
                        .map(|expr| GenericArg::Const(self.constant(expr))),
                })
            })
            .collect()
    }

    /// What the generics demand, except that a type be sized or not.
    pub(super) fn bounds(&self, generics: &Value) -> Vec<Bound> {
        let mut out = Vec::new();
        for param in array(&generics["params"]) {
            let ty = Ty::new(TyKind::Param(text(&param["name"]).into()));
            self.add_bounds(&param["kind"]["type"]["bounds"], &ty, &mut out);
        }
        for predicate in array(&generics["where_predicates"]) {
            let predicate = &predicate["bound_predicate"];
            if predicate.is_object() {
                let ty = self.ty(&predicate["type"]);
                self.add_bounds(&predicate["bounds"], &ty, &mut out);
            }
        }
        out
    }

    pub(super) fn add_bounds(&self, bounds: &Value, ty: &Ty, out: &mut Vec<Bound>) {
        for bound in array(bounds) {
            let bound = &bound["trait_bound"];
            if bound.is_object()
                && bound["modifier"].as_str() != Some("maybe")
                && let Some(trait_ref) = self.trait_ref(&bound["trait"], ty.clone())
                && trait_ref.path != KnownTrait::Sized
            {
                let assoc_types = self.constraints(&bound["trait"]["args"], 0);
                out.push(Bound { trait_ref, assoc_types });
            }
        }
    }
}

/// Aliases of the standard library that programs use in declarations; it comes without its own JSON.
fn std_alias(path: &str, args: &GenericArgs) -> Option<Ty> {
    let result = |ok: Option<&GenericArg>, err: KnownType| {
        let ok = ok.cloned().unwrap_or_else(|| GenericArg::Ty(Ty::unit()));
        Ty::adt(KnownType::Result, vec![ok, GenericArg::Ty(Ty::adt(err, Vec::new()))])
    };
    match path {
        "std::fmt::Result" => Some(result(None, KnownType::FmtError)),
        "std::io::Result" => Some(result(Some(args.first()?), KnownType::IoError)),
        _ => {
            let int = path.strip_prefix(KnownType::NonZero.path())?;
            let int = IntTy::from_name(&int.to_ascii_lowercase())?;
            Some(Ty::adt(KnownType::NonZero, vec![GenericArg::Ty(Ty::int(int))]))
        }
    }
}
