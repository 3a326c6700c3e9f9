//! What is used of Charon's output, except bodies: names, types, traits, items. Field and tag names are Charon's.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::body_schema::ExprBody;
use super::hashcons::Shared;
use super::shapes::{Skip, drain, record, tagged};

pub type Ty = Shared<TyKind>;
pub type TraitRef = Shared<TraitRefContents>;
/// Items by id; ids of items that are not there are holes.
pub type Items<T> = Vec<Option<T>>;

record! {
    pub struct Crate {
        crate_name: String,
        target_information: Vec<Keyed<Target>> = Vec::new(),
        files: Vec<File> = Vec::new(),
        item_names: Vec<ItemName> = Vec::new(),
        assoc_item_names: Items<AssocNames> = Vec::new(),
        type_decls: Items<TypeDecl> = Vec::new(),
        fun_decls: Items<FunDecl> = Vec::new(),
        global_decls: Items<GlobalDecl> = Vec::new(),
        trait_decls: Items<TraitDecl> = Vec::new(),
        trait_impls: Items<TraitImpl> = Vec::new(),
    }
}

record! {
    pub struct Target {
        target_pointer_size: u64 = 8,
    }
}

/// `{"key": …, "value": T}`
#[derive(Clone, Debug)]
pub struct Keyed<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entry<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key and a value")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
                let mut value = None;
                while let Some(key) = map.next_key::<String>()? {
                    if key == "value" {
                        value = Some(map.next_value()?);
                    } else {
                        map.next_value::<Skip>()?;
                    }
                }
                value.ok_or_else(|| A::Error::missing_field("value"))
            }
        }
        deserializer.deserialize_map(Entry(std::marker::PhantomData)).map(Keyed)
    }
}

record! {
    pub struct ItemName {
        key: ItemId,
        value: Vec<PathElem>,
    }
}

tagged! {
    pub enum ItemId {
        Type(usize),
        Fun(usize),
        Global(usize),
        TraitDecl(usize),
        TraitImpl(usize),
    }
}

record! {
    pub struct File {
        id: usize,
        name: FileName,
        contents: Option<String> = None,
    }
}

tagged! {
    pub enum FileName {
        Virtual(String),
        Local(String),
        NotReal(String),
    }
}

record! {
    pub struct AssocNames {
        types: Vec<String> = Vec::new(),
        methods: Vec<String> = Vec::new(),
        consts: Vec<String> = Vec::new(),
    }
}

tagged! {
    pub enum PathElem {
        Ident((String, u64)),
        Impl(ImplElem),
        Instantiated(Box<BoundArgs>),
        Target(String),
    }
}

tagged! {
    pub enum ImplElem {
        Ty(Box<BoundTy>),
        Trait(usize),
    }
}

record! {
    pub struct BoundTy {
        params: Generics,
        skip_binder: Ty,
    }
}

record! {
    pub struct BoundArgs {
        params: Generics,
        skip_binder: Args,
    }
}

record! {
    pub struct Span {
        data: SpanData,
    }
}

record! {
    pub struct SpanData {
        file_id: usize,
        beg: Loc,
        end: Loc,
    }
}

record! {
    pub struct Loc {
        line: u32,
        col: u32,
    }
}

record! {
    pub struct ItemMeta {
        name: Vec<PathElem>,
        span: Span,
        attr_info: AttrInfo,
        is_local: bool,
        source_text: Option<String> = None,
    }
}

record! {
    pub struct AttrInfo {
        public: bool = false,
        attributes: Vec<Told> = Vec::new(),
    }
}

/// What is only ever held against the same of another file: JSON, without places in sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told(pub serde_json::Value);

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_json::Value::deserialize(deserializer).map(without_places).map(Told)
    }
}

fn without_places(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(map) if map.contains_key("file_id") || map.contains_key("generated_from_span") => {
            Value::Null
        }
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, without_places(value))).collect(),
        Value::Array(values) => values.into_iter().map(without_places).collect(),
        other => other,
    }
}

record! {
    pub struct Generics {
        types: Vec<Param> = Vec::new(),
        const_generics: Vec<Param> = Vec::new(),
        trait_clauses: Vec<Clause> = Vec::new(),
        trait_type_constraints: Vec<BoundConstraint> = Vec::new(),
    }
}

record! {
    pub struct Param {
        name: String,
    }
}

record! {
    pub struct Clause {
        trait_: BoundTraitDecl,
    }
}

record! {
    pub struct BoundTraitDecl {
        skip_binder: Ref,
    }
}

record! {
    pub struct BoundConstraint {
        skip_binder: Constraint,
    }
}

record! {
    pub struct Constraint {
        trait_ref: TraitRef,
        type_id: Option<usize> = None,
        ty: Ty,
    }
}

record! {
    /// A numbered item at its arguments.
    pub struct Ref {
        id: usize,
        generics: Args,
    }
}

record! {
    pub struct Args {
        types: Vec<Ty> = Vec::new(),
        const_generics: Vec<ConstExpr> = Vec::new(),
    }
}

tagged! {
    pub enum TyKind {
        Adt(TypeRef),
        TypeVar(Var),
        Literal(LiteralTy),
        Never,
        Ref((Skip_, Ty, RefKind)),
        RawPtr((Ty, RefKind)),
        TraitType((TraitRef, usize, Args)),
        DynTrait(Box<DynTy>),
        FnPtr(Box<BoundSig>),
        FnDef(Box<BoundFnPtr>),
        Array((Ty, Box<ConstExpr>)),
        Slice(Ty),
        Error(String),
    }
}

/// A part of a tuple that is not read.
#[derive(Clone, Debug)]
pub struct Skip_;

impl<'de> Deserialize<'de> for Skip_ {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Skip::deserialize(deserializer).map(|_| Skip_)
    }
}

tagged! {
    pub enum RefKind {
        Mut,
        Shared,
    }
}

record! {
    pub struct TypeRef {
        id: TypeId,
        generics: Args,
    }
}

tagged! {
    pub enum TypeId {
        Adt(usize),
        /// 0.1.208; later versions count it among the built-in ones.
        Tuple,
        Builtin(BuiltinTy),
    }
}

tagged! {
    pub enum BuiltinTy {
        Tuple,
        Box,
        Str,
    }
}

tagged! {
    pub enum LiteralTy {
        Int(IntName),
        UInt(IntName),
        Float(FloatName),
        Bool,
        Char,
    }
}

tagged! {
    pub enum IntName {
        I8, I16, I32, I64, I128, Isize, U8, U16, U32, U64, U128, Usize,
    }
}

tagged! {
    pub enum FloatName {
        F16, F32, F64, F128,
    }
}

tagged! {
    pub enum Var {
        /// Binders outwards from the innermost, and which of its parameters.
        Bound((usize, usize)),
        Free(usize),
    }
}

record! {
    pub struct DynTy {
        binder: BoundTy,
    }
}

record! {
    pub struct BoundSig {
        skip_binder: Signature,
    }
}

record! {
    pub struct Signature {
        inputs: Vec<Ty>,
        output: Ty,
        is_variadic: bool = false,
    }
}

record! {
    pub struct BoundFnPtr {
        skip_binder: FnPtr,
    }
}

record! {
    pub struct FnPtr {
        kind: FnPtrKind,
        generics: Args,
    }
}

tagged! {
    pub enum FnPtrKind {
        Fun(FunId),
        Trait(TraitMethod),
    }
}

/// `[trait reference, method]`; up to 0.1.215 the declaration of the method follows.
#[derive(Clone, Debug)]
pub struct TraitMethod {
    pub trait_ref: TraitRef,
    pub method: usize,
}

impl<'de> Deserialize<'de> for TraitMethod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts;
        impl<'de> Visitor<'de> for Parts {
            type Value = TraitMethod;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a trait reference and a method")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<TraitMethod, A::Error> {
                let trait_ref = seq.next_element()?.ok_or_else(|| A::Error::custom("no trait reference"))?;
                let method = seq.next_element()?.ok_or_else(|| A::Error::custom("no method"))?;
                drain(&mut seq)?;
                Ok(TraitMethod { trait_ref, method })
            }
        }
        deserializer.deserialize_seq(Parts)
    }
}

tagged! {
    pub enum FunId {
        Regular(usize),
    }
}

record! {
    /// The trait at its arguments. How it is known to be implemented is not read: the executor finds that by type.
    pub struct TraitRefContents {
        trait_decl_ref: BoundTraitDecl,
    }
}

record! {
    pub struct ConstExpr {
        kind: Box<ConstKind>,
        ty: Ty,
    }
}

tagged! {
    pub enum ConstKind {
        Literal(Literal),
        Adt((Option<usize>, Vec<ConstExpr>)),
        Array(Vec<ConstExpr>),
        Global(Ref),
        TraitConst((TraitRef, usize)),
        Ref((ConstExpr, Option<Skip_>)),
        Var(Var),
        FnDef(FnPtr),
        FnPtr(FnPtr),
        Call((FnPtr, Vec<ConstExpr>)),
        RawMemory(Vec<Byte>),
        Opaque(String),
    }
}

tagged! {
    pub enum Byte {
        Uninit,
        Value(u8),
    }
}

tagged! {
    pub enum Literal {
        Scalar(ScalarValue),
        Float(FloatValue),
        Bool(bool),
        Char(char),
        Str(String),
        ByteStr(Vec<u8>),
    }
}

tagged! {
    pub enum ScalarValue {
        Signed((IntName, String)),
        Unsigned((IntName, String)),
    }
}

record! {
    pub struct FloatValue {
        value: String,
        ty: FloatName,
    }
}

record! {
    pub struct TypeDecl {
        def_id: usize,
        item_meta: ItemMeta,
        generics: Generics,
        src: TypeSource,
        kind: TypeDeclKind,
        /// Size, places of fields and `repr`. No type occurs in it.
        layout: Told = Told::default(),
    }
}

tagged! {
    pub enum TypeSource {
        Normal,
        TopLevel,
        Closure(ClosureSource),
        VTable(VTable),
        VTableTy(VTable),
    }
}

record! {
    pub struct ClosureSource {
        info: ClosureInfo,
    }
}

record! {
    pub struct ClosureInfo {
        kind: ClosureKind,
        fn_once_impl: Option<BoundImpl> = None,
        fn_mut_impl: Option<BoundImpl> = None,
        fn_impl: Option<BoundImpl> = None,
    }
}

tagged! {
    pub enum ClosureKind {
        Fn,
        FnMut,
        FnOnce,
    }
}

record! {
    pub struct BoundImpl {
        skip_binder: Ref,
    }
}

record! {
    pub struct VTable {
        field_map: Vec<VTableField> = Vec::new(),
    }
}

tagged! {
    pub enum VTableField {
        Size,
        Align,
        Drop,
        Method(usize),
    }
}

tagged! {
    pub enum TypeDeclKind {
        Struct(Vec<Field>),
        Enum(Vec<Variant>),
        Union(Vec<Field>),
        Opaque,
        Alias(Ty),
        Error(String),
    }
}

record! {
    pub struct Field {
        attr_info: AttrInfo,
        name: Option<String> = None,
        is_positional: bool = false,
        ty: Ty,
    }
}

record! {
    pub struct Variant {
        name: String,
        fields: Vec<Field>,
        discriminant: Literal,
    }
}

record! {
    pub struct FunDecl {
        item_meta: ItemMeta,
        generics: Generics,
        signature: Signature,
        src: Source,
        is_global_initializer: Option<usize> = None,
        body: Body,
    }
}

tagged! {
    pub enum Source {
        Normal,
        TopLevel,
        TraitImpl(OfImpl),
        TraitDefault(OfTrait),
        /// 0.1.208: required and default methods.
        TraitDecl(OfTrait),
        GlobalInitializer(Ref),
        VTableShim,
        VTableMethodShim,
        VTableInstance(Skip_),
        VTableInstanceMono,
    }
}

record! {
    pub struct OfImpl {
        impl_ref: Ref,
        trait_ref: Ref,
        reuses_default: bool = false,
    }
}

record! {
    pub struct OfTrait {
        trait_ref: Ref,
        /// 0.1.208: whether a method that the trait declares has a body there.
        has_default: bool = true,
    }
}

tagged! {
    pub enum Body {
        Unstructured(Box<ExprBody>),
        Structured(Skip_),
        Opaque,
        Missing,
        Extern(String),
        Intrinsic(Skip_),
        Error(BodyError),
        TraitMethodWithoutDefault,
    }
}

record! {
    pub struct BodyError {
        msg: String,
    }
}

record! {
    pub struct GlobalDecl {
        def_id: usize,
        item_meta: ItemMeta,
        generics: Generics,
        ty: Ty,
        src: Source,
        global_kind: GlobalKind,
        /// Up to 0.1.211: the function that computes the value.
        init: Option<usize> = None,
        value: Option<ConstExpr> = None,
    }
}

tagged! {
    pub enum GlobalKind {
        Static,
        ThreadLocal,
        NamedConst,
        AnonConst,
    }
}

record! {
    pub struct TraitDecl {
        item_meta: ItemMeta,
        generics: Generics,
        implied_clauses: Vec<Clause> = Vec::new(),
    }
}

record! {
    pub struct TraitImpl {
        def_id: usize,
        item_meta: ItemMeta,
        impl_trait: Ref,
        generics: Generics,
        types: Items<BoundAssocTy> = Vec::new(),
    }
}

record! {
    pub struct BoundAssocTy {
        params: Generics,
        skip_binder: AssocTy,
    }
}

record! {
    pub struct AssocTy {
        value: Ty,
    }
}
