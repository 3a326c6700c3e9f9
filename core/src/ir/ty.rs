//! Types, generic arguments, substitution and one-way unification.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Const, KnownType, Name, Path};

/// A type; cheap to clone. Lifetimes do not exist here.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ty(Arc<TyKind>);

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TyKind {
    Bool,
    Char,
    Int(IntTy),
    Float(FloatTy),
    Str,
    Never,
    /// A struct, enum or union by the path of its definition.
    Adt(Path, GenericArgs),
    Tuple(Vec<Ty>),
    Array(Ty, Const),
    Slice(Ty),
    Ref(Mutability, Ty),
    RawPtr(Mutability, Ty),
    /// A generic parameter in scope, `Self` in traits among them.
    Param(Name),
    /// `<self_ty as trait_ref>::name`
    Projection {
        trait_ref: TraitRef,
        name: Name,
    },
    FnPtr {
        inputs: Vec<Ty>,
        output: Ty,
    },
    /// The zero-sized type of one function item.
    FnDef(Box<FnRef>),
    /// A closure by the path of its body, with the generic arguments in scope where it was made.
    Closure(Path, GenericArgs),
    Dyn(Vec<DynTrait>),
    /// A type this program cannot represent; holds its text.
    Unsupported(String),
}

/// One `dyn` bound with the associated types it pins (`dyn Iterator<Item = u8>`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DynTrait {
    pub path: Path,
    pub args: GenericArgs,
    pub assoc_types: Vec<(Name, Ty)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mutability {
    Shared,
    Mut,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntTy {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Signedness {
    Signed,
    Unsigned,
}

impl IntTy {
    pub const ALL: [IntTy; 12] = [
        IntTy::I8,
        IntTy::I16,
        IntTy::I32,
        IntTy::I64,
        IntTy::I128,
        IntTy::Isize,
        IntTy::U8,
        IntTy::U16,
        IntTy::U32,
        IntTy::U64,
        IntTy::U128,
        IntTy::Usize,
    ];

    pub fn name(self) -> &'static str {
        match self {
            IntTy::I8 => "i8",
            IntTy::I16 => "i16",
            IntTy::I32 => "i32",
            IntTy::I64 => "i64",
            IntTy::I128 => "i128",
            IntTy::Isize => "isize",
            IntTy::U8 => "u8",
            IntTy::U16 => "u16",
            IntTy::U32 => "u32",
            IntTy::U64 => "u64",
            IntTy::U128 => "u128",
            IntTy::Usize => "usize",
        }
    }

    pub fn from_name(name: &str) -> Option<IntTy> {
        IntTy::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Width in bits; `isize` and `usize` are those of a 64-bit target, the only one supported.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::I8 | IntTy::U8 => 8,
            IntTy::I16 | IntTy::U16 => 16,
            IntTy::I32 | IntTy::U32 => 32,
            IntTy::I64 | IntTy::U64 | IntTy::Isize | IntTy::Usize => 64,
            IntTy::I128 | IntTy::U128 => 128,
        }
    }

    pub fn signedness(self) -> Signedness {
        match self {
            IntTy::I8 | IntTy::I16 | IntTy::I32 | IntTy::I64 | IntTy::I128 | IntTy::Isize => {
                Signedness::Signed
            }
            _ => Signedness::Unsigned,
        }
    }

    /// The bits of `value` truncated to this width, zero above it: the form in which integers are stored everywhere.
    pub fn truncate(self, value: u128) -> u128 {
        match self.bits() {
            128 => value,
            bits => value & ((1u128 << bits) - 1),
        }
    }

    /// The mathematical value of stored bits of a signed type, or of an unsigned one below 2^127.
    pub fn sign_extend(self, bits: u128) -> i128 {
        let shift = 128 - self.bits();
        match self.signedness() {
            Signedness::Signed => ((bits << shift) as i128) >> shift,
            Signedness::Unsigned => bits as i128,
        }
    }

    /// Stored bits as a decimal number.
    pub fn display_bits(self, bits: u128) -> String {
        match self.signedness() {
            Signedness::Signed => self.sign_extend(bits).to_string(),
            Signedness::Unsigned => bits.to_string(),
        }
    }
}

impl fmt::Debug for IntTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for IntTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FloatTy {
    F32,
    F64,
}

pub type GenericArgs = Vec<GenericArg>;

/// One generic argument; lifetimes are left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GenericArg {
    Ty(Ty),
    Const(Const),
}

/// `self_ty: path<args>`
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TraitRef {
    pub self_ty: Ty,
    pub path: Path,
    pub args: GenericArgs,
}

/// A function as a call or a function item names it, before trait resolution.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FnRef {
    /// A free function or constructor. `args` are all of its generic arguments.
    Free { path: Path, args: GenericArgs },
    /// An inherent method: `path` is `krate::m::Type::method` (see [`super::path`]), `self_ty` the type it is called on.
    Inherent { path: Path, self_ty: Ty, args: GenericArgs },
    /// A method of a trait; `args` are the method's own generic arguments.
    Trait { trait_ref: TraitRef, method: Name, args: GenericArgs },
}

/// A generic parameter that is a type or a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GenericParam {
    pub name: Name,
    pub kind: GenericParamKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GenericParamKind {
    Type,
    Const(ConstTy),
}

/// What a constant parameter is a value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ConstTy {
    Int(IntTy),
    Bool,
    Char,
}

impl ConstTy {
    /// Of lengths, and where nothing else is said.
    pub const USIZE: ConstTy = ConstTy::Int(IntTy::Usize);

    pub fn from_name(name: &str) -> Option<ConstTy> {
        match name {
            "bool" => Some(ConstTy::Bool),
            "char" => Some(ConstTy::Char),
            _ => IntTy::from_name(name).map(ConstTy::Int),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ConstTy::Int(ty) => ty.name(),
            ConstTy::Bool => "bool",
            ConstTy::Char => "char",
        }
    }
}

impl Ty {
    pub fn new(kind: TyKind) -> Ty {
        Ty(Arc::new(kind))
    }

    pub fn kind(&self) -> &TyKind {
        &self.0
    }

    pub fn unit() -> Ty {
        Ty::new(TyKind::Tuple(Vec::new()))
    }

    pub fn int(ty: IntTy) -> Ty {
        Ty::new(TyKind::Int(ty))
    }

    pub fn adt(path: impl Into<Path>, args: GenericArgs) -> Ty {
        Ty::new(TyKind::Adt(path.into(), args))
    }

    /// `dyn` of these traits, which may be written in any order.
    pub fn object(mut bounds: Vec<DynTrait>) -> Ty {
        let is_auto = |bound: &DynTrait| {
            ["std::marker::", "std::panic::"].iter().any(|module| bound.path.as_str().starts_with(module))
        };
        bounds.sort_by(|a, b| is_auto(a).cmp(&is_auto(b)).then_with(|| a.path.as_str().cmp(b.path.as_str())));
        Ty::new(TyKind::Dyn(bounds))
    }

    pub fn reference(mutability: Mutability, pointee: Ty) -> Ty {
        Ty::new(TyKind::Ref(mutability, pointee))
    }

    /// The type of the standard library that it is, whatever its arguments, if that has a row.
    pub fn known(&self) -> Option<KnownType> {
        match self.kind() {
            TyKind::Adt(path, _) => path.known_type(),
            _ => None,
        }
    }

    /// The pointee of a reference, raw pointer or `Box`.
    pub fn pointee(&self) -> Option<&Ty> {
        match self.kind() {
            TyKind::Ref(_, ty) | TyKind::RawPtr(_, ty) => Some(ty),
            TyKind::Adt(path, args) if path == KnownType::Box => match args.first() {
                Some(GenericArg::Ty(ty)) => Some(ty),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether one implementation is for the type: it has no parameters in it, and nothing that hides a type.
    pub fn is_closed(&self) -> bool {
        !self.has_part(|part| {
            matches!(
                part,
                TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Dyn(_) | TyKind::Unsupported(_)
            )
        })
    }

    /// Whether a parameter stands in the type, be it one for a constant.
    pub fn has_param(&self) -> bool {
        self.find(&mut |part| match part {
            TyPart::Ty(ty) => matches!(ty.kind(), TyKind::Param(_)),
            TyPart::Const(constant) => matches!(constant, Const::Param(_)),
        })
    }

    /// Whether some constant in the type is such a one.
    pub fn has_constant(&self, is_such: impl Fn(&Const) -> bool) -> bool {
        self.find(&mut |part| matches!(part, TyPart::Const(constant) if is_such(constant)))
    }

    /// Whether the type itself or some part of it is such a one.
    pub fn has_part(&self, is_such: impl Fn(&TyKind) -> bool) -> bool {
        self.find(&mut |part| matches!(part, TyPart::Ty(ty) if is_such(ty.kind())))
    }

    /// Looks at the type and at every type below it, children first.
    pub fn each_part(&self, on_ty: &mut dyn FnMut(&Ty)) {
        self.find(&mut |part| {
            if let TyPart::Ty(ty) = part {
                on_ty(ty);
            }
            false
        });
    }

    /// Whether a type that [`Ty::map`] would hand on, or a constant, is such a one. None is asked after the first that is.
    pub fn find(&self, is_such: &mut dyn FnMut(TyPart<'_>) -> bool) -> bool {
        let found = match self.kind() {
            TyKind::Adt(_, args) | TyKind::Closure(_, args) => find_in_args(args, is_such),
            TyKind::Tuple(tys) => tys.iter().any(|ty| ty.find(is_such)),
            TyKind::Array(ty, len) => ty.find(is_such) || is_such(TyPart::Const(len)),
            TyKind::Slice(ty) | TyKind::Ref(_, ty) | TyKind::RawPtr(_, ty) => ty.find(is_such),
            TyKind::Projection { trait_ref, .. } => trait_ref.find(is_such),
            TyKind::FnPtr { inputs, output } => inputs.iter().chain([output]).any(|ty| ty.find(is_such)),
            TyKind::FnDef(fn_ref) => fn_ref.find(is_such),
            TyKind::Dyn(bounds) => bounds.iter().any(|bound| {
                find_in_args(&bound.args, is_such) || bound.assoc_types.iter().any(|(_, ty)| ty.find(is_such))
            }),
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Unsupported(_) => false,
        };
        found || is_such(TyPart::Ty(self))
    }

    /// Rewrites every type below this one, children first. Constants are handed to `on_const`.
    pub fn map(&self, on_ty: &mut dyn FnMut(Ty) -> Ty, on_const: &mut dyn FnMut(Const) -> Const) -> Ty {
        let kind = match self.kind() {
            TyKind::Adt(path, args) => TyKind::Adt(path.clone(), map_args(args, on_ty, on_const)),
            TyKind::Closure(path, args) => TyKind::Closure(path.clone(), map_args(args, on_ty, on_const)),
            TyKind::Tuple(tys) => TyKind::Tuple(tys.iter().map(|ty| ty.map(on_ty, on_const)).collect()),
            TyKind::Array(ty, len) => TyKind::Array(ty.map(on_ty, on_const), on_const(len.clone())),
            TyKind::Slice(ty) => TyKind::Slice(ty.map(on_ty, on_const)),
            TyKind::Ref(m, ty) => TyKind::Ref(*m, ty.map(on_ty, on_const)),
            TyKind::RawPtr(m, ty) => TyKind::RawPtr(*m, ty.map(on_ty, on_const)),
            TyKind::Projection { trait_ref, name } => {
                TyKind::Projection { trait_ref: trait_ref.map(on_ty, on_const), name: name.clone() }
            }
            TyKind::FnPtr { inputs, output } => TyKind::FnPtr {
                inputs: inputs.iter().map(|ty| ty.map(on_ty, on_const)).collect(),
                output: output.map(on_ty, on_const),
            },
            TyKind::FnDef(fn_ref) => TyKind::FnDef(Box::new(fn_ref.map(on_ty, on_const))),
            TyKind::Dyn(bounds) => TyKind::Dyn(
                bounds
                    .iter()
                    .map(|bound| DynTrait {
                        path: bound.path.clone(),
                        args: map_args(&bound.args, on_ty, on_const),
                        assoc_types: bound
                            .assoc_types
                            .iter()
                            .map(|(name, ty)| (name.clone(), ty.map(on_ty, on_const)))
                            .collect(),
                    })
                    .collect(),
            ),
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Param(_)
            | TyKind::Unsupported(_) => return on_ty(self.clone()),
        };
        on_ty(Ty::new(kind))
    }
}

/// What a type consists of.
#[derive(Clone, Copy, Debug)]
pub enum TyPart<'t> {
    Ty(&'t Ty),
    Const(&'t Const),
}

fn find_in_args(args: &[GenericArg], is_such: &mut dyn FnMut(TyPart<'_>) -> bool) -> bool {
    args.iter().any(|arg| match arg {
        GenericArg::Ty(ty) => ty.find(is_such),
        GenericArg::Const(constant) => is_such(TyPart::Const(constant)),
    })
}

fn map_args(
    args: &GenericArgs,
    on_ty: &mut dyn FnMut(Ty) -> Ty,
    on_const: &mut dyn FnMut(Const) -> Const,
) -> GenericArgs {
    args.iter()
        .map(|arg| match arg {
            GenericArg::Ty(ty) => GenericArg::Ty(ty.map(on_ty, on_const)),
            GenericArg::Const(constant) => GenericArg::Const(on_const(constant.clone())),
        })
        .collect()
}

impl TraitRef {
    /// As [`Ty::find`].
    pub fn find(&self, is_such: &mut dyn FnMut(TyPart<'_>) -> bool) -> bool {
        self.self_ty.find(is_such) || find_in_args(&self.args, is_such)
    }

    pub fn map(&self, on_ty: &mut dyn FnMut(Ty) -> Ty, on_const: &mut dyn FnMut(Const) -> Const) -> TraitRef {
        TraitRef {
            self_ty: self.self_ty.map(on_ty, on_const),
            path: self.path.clone(),
            args: map_args(&self.args, on_ty, on_const),
        }
    }
}

impl FnRef {
    /// As [`Ty::find`].
    pub fn find(&self, is_such: &mut dyn FnMut(TyPart<'_>) -> bool) -> bool {
        match self {
            FnRef::Free { args, .. } => find_in_args(args, is_such),
            FnRef::Inherent { self_ty, args, .. } => self_ty.find(is_such) || find_in_args(args, is_such),
            FnRef::Trait { trait_ref, args, .. } => trait_ref.find(is_such) || find_in_args(args, is_such),
        }
    }

    pub fn map(&self, on_ty: &mut dyn FnMut(Ty) -> Ty, on_const: &mut dyn FnMut(Const) -> Const) -> FnRef {
        match self {
            FnRef::Free { path, args } => {
                FnRef::Free { path: path.clone(), args: map_args(args, on_ty, on_const) }
            }
            FnRef::Inherent { path, self_ty, args } => FnRef::Inherent {
                path: path.clone(),
                self_ty: self_ty.map(on_ty, on_const),
                args: map_args(args, on_ty, on_const),
            },
            FnRef::Trait { trait_ref, method, args } => FnRef::Trait {
                trait_ref: trait_ref.map(on_ty, on_const),
                method: method.clone(),
                args: map_args(args, on_ty, on_const),
            },
        }
    }
}

/// What generic parameters stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subst {
    map: BTreeMap<Name, GenericArg>,
}

impl Subst {
    pub fn new() -> Self {
        Self::default()
    }

    /// Pairs `params` with `args` in order; what is missing on either side is left out.
    pub fn from_params(params: &[GenericParam], args: &[GenericArg]) -> Self {
        Subst { map: params.iter().map(|param| param.name.clone()).zip(args.iter().cloned()).collect() }
    }

    pub fn insert(&mut self, name: Name, arg: GenericArg) {
        self.map.insert(name, arg);
    }

    pub fn get(&self, name: &Name) -> Option<&GenericArg> {
        self.map.get(name)
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Name, &GenericArg)> {
        self.map.iter()
    }

    pub fn extend(&mut self, other: &Subst) {
        self.map.extend(other.map.iter().map(|(name, arg)| (name.clone(), arg.clone())));
    }

    /// Replaces parameters by what they stand for; parameters without an entry stay.
    pub fn ty(&self, ty: &Ty) -> Ty {
        if self.map.is_empty() || !ty.has_param() {
            return ty.clone();
        }
        ty.map(
            &mut |ty| match ty.kind() {
                TyKind::Param(name) => match self.map.get(name) {
                    Some(GenericArg::Ty(ty)) => ty.clone(),
                    _ => ty,
                },
                _ => ty,
            },
            &mut |constant| self.constant(constant),
        )
    }

    pub fn constant(&self, constant: Const) -> Const {
        match &constant {
            Const::Param(name) => match self.map.get(name) {
                Some(GenericArg::Const(value)) => value.clone(),
                _ => constant,
            },
            _ => constant,
        }
    }

    pub fn args(&self, args: &[GenericArg]) -> GenericArgs {
        args.iter()
            .map(|arg| match arg {
                GenericArg::Ty(ty) => GenericArg::Ty(self.ty(ty)),
                GenericArg::Const(constant) => GenericArg::Const(self.constant(constant.clone())),
            })
            .collect()
    }

    pub fn trait_ref(&self, trait_ref: &TraitRef) -> TraitRef {
        TraitRef {
            self_ty: self.ty(&trait_ref.self_ty),
            path: trait_ref.path.clone(),
            args: self.args(&trait_ref.args),
        }
    }

    pub fn fn_ref(&self, fn_ref: &FnRef) -> FnRef {
        match fn_ref {
            FnRef::Free { path, args } => FnRef::Free { path: path.clone(), args: self.args(args) },
            FnRef::Inherent { path, self_ty, args } => {
                FnRef::Inherent { path: path.clone(), self_ty: self.ty(self_ty), args: self.args(args) }
            }
            FnRef::Trait { trait_ref, method, args } => FnRef::Trait {
                trait_ref: self.trait_ref(trait_ref),
                method: method.clone(),
                args: self.args(args),
            },
        }
    }

    /// Matches `pattern` (which may hold parameters) against the closed type `target`, binding parameters on the
    /// way. Projections in the pattern, and constants that stand elsewhere, match anything: they constrain nothing that can be read off a type.
    /// On `false` the bindings made so far remain; match into a fresh `Subst`.
    #[must_use]
    pub fn unify(&mut self, pattern: &Ty, target: &Ty) -> bool {
        match (pattern.kind(), target.kind()) {
            (TyKind::Param(name), _) => self.bind(name, GenericArg::Ty(target.clone())),
            (TyKind::Projection { .. }, _) => true,
            (TyKind::Adt(p, ps), TyKind::Adt(t, ts)) | (TyKind::Closure(p, ps), TyKind::Closure(t, ts)) => {
                p == t && self.unify_args(ps, ts)
            }
            (TyKind::Tuple(ps), TyKind::Tuple(ts)) => {
                ps.len() == ts.len() && ps.iter().zip(ts).all(|(p, t)| self.unify(p, t))
            }
            (TyKind::Array(p, pn), TyKind::Array(t, tn)) => self.unify(p, t) && self.unify_const(pn, tn),
            (TyKind::Slice(p), TyKind::Slice(t)) => self.unify(p, t),
            (TyKind::Ref(pm, p), TyKind::Ref(tm, t)) | (TyKind::RawPtr(pm, p), TyKind::RawPtr(tm, t)) => {
                pm == tm && self.unify(p, t)
            }
            (TyKind::FnPtr { inputs: pi, output: po }, TyKind::FnPtr { inputs: ti, output: to }) => {
                pi.len() == ti.len() && pi.iter().zip(ti).all(|(p, t)| self.unify(p, t)) && self.unify(po, to)
            }
            (TyKind::Dyn(ps), TyKind::Dyn(ts)) => {
                ps.len() == ts.len() && ps.iter().zip(ts).all(|(p, t)| self.unify_bound(p, t))
            }
            (p, t) => p == t,
        }
    }

    fn unify_bound(&mut self, pattern: &DynTrait, target: &DynTrait) -> bool {
        let (patterns, targets) = (&pattern.assoc_types, &target.assoc_types);
        pattern.path == target.path
            && self.unify_args(&pattern.args, &target.args)
            && patterns.len() == targets.len()
            && patterns.iter().zip(targets).all(|(p, t)| p.0 == t.0 && self.unify(&p.1, &t.1))
    }

    #[must_use]
    pub fn unify_args(&mut self, patterns: &[GenericArg], targets: &[GenericArg]) -> bool {
        // Defaulted arguments (a `Box`'s allocator) may be printed on one side only.
        patterns.iter().zip(targets).all(|(pattern, target)| match (pattern, target) {
            (GenericArg::Ty(p), GenericArg::Ty(t)) => self.unify(p, t),
            (GenericArg::Const(p), GenericArg::Const(t)) => self.unify_const(p, t),
            // `N` of a const parameter is printed like a type; a front end that cannot tell leaves it a type.
            (GenericArg::Ty(p), target @ GenericArg::Const(_)) => match p.kind() {
                TyKind::Param(name) => self.bind(name, target.clone()),
                _ => false,
            },
            (GenericArg::Const(_), GenericArg::Ty(_)) => false,
        })
    }

    fn unify_const(&mut self, pattern: &Const, target: &Const) -> bool {
        match pattern {
            Const::Param(name) => self.bind(name, GenericArg::Const(target.clone())),
            _ => pattern == target || pattern.stands_elsewhere(),
        }
    }

    fn bind(&mut self, name: &Name, arg: GenericArg) -> bool {
        match self.map.get(name) {
            Some(bound) => *bound == arg,
            None => {
                self.map.insert(name.clone(), arg);
                true
            }
        }
    }
}

impl Deref for Ty {
    type Target = TyKind;
    fn deref(&self) -> &TyKind {
        &self.0
    }
}

fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn angle_args(args: &GenericArgs) -> String {
    if args.is_empty() { String::new() } else { format!("<{}>", list(args)) }
}

/// Rust syntax without lifetimes; paths are canonical ones.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TyKind::Bool => f.write_str("bool"),
            TyKind::Char => f.write_str("char"),
            TyKind::Int(ty) => write!(f, "{ty}"),
            TyKind::Float(FloatTy::F32) => f.write_str("f32"),
            TyKind::Float(FloatTy::F64) => f.write_str("f64"),
            TyKind::Str => f.write_str("str"),
            TyKind::Never => f.write_str("!"),
            TyKind::Adt(path, args) => write!(f, "{path}{}", angle_args(args)),
            TyKind::Tuple(tys) if tys.len() == 1 => write!(f, "({},)", tys[0]),
            TyKind::Tuple(tys) => write!(f, "({})", list(tys)),
            TyKind::Array(ty, len) => write!(f, "[{ty}; {len}]"),
            TyKind::Slice(ty) => write!(f, "[{ty}]"),
            TyKind::Ref(Mutability::Shared, ty) => write!(f, "&{ty}"),
            TyKind::Ref(Mutability::Mut, ty) => write!(f, "&mut {ty}"),
            TyKind::RawPtr(Mutability::Shared, ty) => write!(f, "*const {ty}"),
            TyKind::RawPtr(Mutability::Mut, ty) => write!(f, "*mut {ty}"),
            TyKind::Param(name) => write!(f, "{name}"),
            TyKind::Projection { trait_ref, name } => write!(f, "{trait_ref}::{name}"),
            TyKind::FnPtr { inputs, output } => write!(f, "fn({}) -> {output}", list(inputs)),
            TyKind::FnDef(fn_ref) => write!(f, "fn {{{fn_ref}}}"),
            TyKind::Closure(path, _) => write!(f, "{{closure@{path}}}"),
            TyKind::Dyn(bounds) => {
                write!(
                    f,
                    "dyn {}",
                    bounds
                        .iter()
                        .map(|b| format!("{}{}", b.path, angle_args(&b.args)))
                        .collect::<Vec<_>>()
                        .join(" + ")
                )
            }
            TyKind::Unsupported(text) => write!(f, "{text}"),
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for TyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Ty::new(self.clone()), f)
    }
}

impl fmt::Display for GenericArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenericArg::Ty(ty) => write!(f, "{ty}"),
            GenericArg::Const(constant) => write!(f, "{constant}"),
        }
    }
}

/// `<SELF as TRAIT<ARGS>>`
impl fmt::Display for TraitRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} as {}{}>", self.self_ty, self.path, angle_args(&self.args))
    }
}

impl fmt::Display for FnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turbofish = |args: &GenericArgs| match args.is_empty() {
            true => String::new(),
            false => format!("::<{}>", list(args)),
        };
        match self {
            FnRef::Free { path, args } | FnRef::Inherent { path, args, .. } => {
                write!(f, "{path}{}", turbofish(args))
            }
            FnRef::Trait { trait_ref, method, args } => write!(f, "{trait_ref}::{method}{}", turbofish(args)),
        }
    }
}
