use regress_core::ir::{
    Adt, AdtKind, Const, CtorKind, Field, FnBody, Function, FunctionKind, GenericArg, IntTy, Name, Origin,
    Owner, Path, Program, Ty, TyKind, Variant, Visibility,
};

use super::*;

const SOURCE: &str = r##"
#![feature(prelude_import)]
#![strange]
extern crate std;
#[repr(C)] pub struct A { pub x: u8 }
pub mod inner {
    #[track_caller] pub unsafe extern "C" fn f<const N: usize>(x: Foo<{ N + 1 }>) -> [u8; 3] where A<{ 2 }>: B { struct L(Foo); 0 }
    extern "C" { #[link_name = "other"] fn foreign(x: i32); static mut S: i32; }
}
impl<'a, T: Fn() -> u8> a::Tr<T> for &'a [T] { #[inline] fn m(&self) { } type X = u8; }
impl Tr for b::A { #[target_feature(enable = "avx")] fn m(&self) { |x| { #[unsafe(no_mangle)] fn deep() {} }; } const C: u8 = 4; }
trait Tr: Sized { #[track_caller] fn m(&self, name: u8); fn d() { } const C: u8 = 3; type X: Clone; }
static G: A = A { x: 1 };
const _: () = { #[rustc_std_internal_symbol] #[rustc_allocator] unsafe fn __rust_alloc(size: usize) -> *mut u8 { ::core::alloc::GlobalAlloc::alloc(&G, size) } };
#[used] static U: u8 = 1;
fn opaque<F: Fn(u8) -> u8>(x: impl Into<u8>) -> Option<impl Iterator<Item = X>> { }
fn told(x: impl Into<u8>) -> X { }
global_asm! ("nop");
const fn plain() -> u8 { match 1 { default => default + union(2) } }
macro_rules! m { () => { } }
pub fn last() { if x { } else { } unsafe { const { 1 } } super let y = 2; builtin # offset_of(A, x); }
"##;

fn found() -> Declarations {
    read(SOURCE).unwrap()
}

#[track_caller]
fn check(path: &str, kind: Kind, text: &str) {
    let found = found();
    let items: Vec<&Item> =
        found.items.iter().filter(|item| item.path == path && item.kind == kind).collect();
    let [item] = items.as_slice() else { panic!("{path}: {items:#?}") };
    assert_eq!(item.text, text);
}

#[test]
fn items_have_what_counts_of_them() {
    check("A", Kind::Adt, "#[repr ( C )] struct A { x : u8 }");
    check(
        "inner::f",
        Kind::Function,
        "#[track_caller]\nunsafe extern \"C\"\n struct L ( Foo ) ;".replace("\n struct", "\nstruct").as_str(),
    );
    check("inner::foreign", Kind::Foreign, " extern \"C\" #[link_name = \"other\"] fn foreign ( x : i32 ) ;");
    check("plain", Kind::Function, "");
    check("last", Kind::Function, "");
    check("m::deep", Kind::Function, "#[no_mangle]");
    check("Tr", Kind::Trait, "trait Tr : Sized\nconst C : u8\ntype X : Clone ;\ntype X : Clone ;");
    let found = found();
    let of_trait = found.items.iter().find(|item| item.kind == Kind::Trait && item.path == "Tr").unwrap();
    let methods: Vec<(&str, &str)> =
        of_trait.methods.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(methods, [("d", "fn d ( )"), ("m", "#[track_caller] fn m ( & self , u8 )")]);
}

#[test]
fn what_is_no_item_is_the_frame() {
    assert_eq!(found().frame, ["#![strange]", "global_asm ! ( \"nop\" ) ;"]);
}

#[test]
fn symbols_and_what_is_not_named() {
    let found = found();
    let symbol = |path: &str| found.items.iter().find(|item| item.path == path).unwrap().symbol.clone();
    assert_eq!(symbol("inner::foreign").as_deref(), Some("other"));
    assert_eq!(symbol("inner::S").as_deref(), Some("S"));
    assert_eq!(symbol("m::deep").as_deref(), Some("deep"));
    let of = |path: &str| found.items.iter().find(|item| item.path == path).unwrap();
    // What the compiler makes of `#[global_allocator]`.
    assert_eq!(of("_::__rust_alloc").presence, Presence::Ambient);
    assert_eq!(of("U").presence, Presence::Ambient);
    assert_eq!(of("G").presence, Presence::Named);
    assert_eq!(of("inner::f").calls, Calls::Tracked);
}

#[test]
fn symbols_of_the_system_are_called_by_the_library() {
    let source = r#"
#[no_mangle] pub extern "C" fn getenv(name: *const u8) -> *const u8 { name }
#[unsafe(export_name = "fstat64")] extern "C" fn of_files() {}
#[unsafe(no_mangle)] extern "C" fn powf() {}
#[unsafe(no_mangle)] extern "C" fn pthread_self() {}
#[unsafe(no_mangle)] extern "C" fn of_this_crate() {}
fn memcpy() {}
"#;
    let found = read(source).unwrap();
    let ambient = found.items.iter().filter(|item| item.presence == Presence::Ambient);
    let ambient: Vec<&str> = ambient.map(|item| item.path.as_str()).collect();
    assert_eq!(ambient, ["getenv", "of_files", "powf", "pthread_self"]);
}

#[test]
fn results_of_types_that_callers_are_not_told() {
    let found = found();
    let names = |path: &str| &found.items.iter().find(|item| item.path == path).unwrap().hidden_result;
    assert!(names("opaque").contains("Iterator"), "{:?}", names("opaque"));
    assert!(names("told").is_empty() && names("plain").is_empty());
}

#[test]
fn functions_in_bodies_of_methods_have_their_declarations() {
    let at = |path: &str| Function {
        path: Path::new(path),
        owner: Owner::Free,
        generics: Vec::new(),
        inputs: Vec::new(),
        output: Ty::unit(),
        kind: FunctionKind::Fn,
        bounds: Vec::new(),
        body: FnBody::Missing,
        span: None,
        origin: Origin::Subject,
        visibility: Visibility::Private,
    };
    let mut program = Program::default();
    let deep = program.functions.push(at("k::b::A::m::deep"));
    let known = CrateDeclarations { crate_name: "k", declarations: Some(&found()) };
    declare(&mut program, &Program::default(), &[known]);
    assert_eq!(program.declared.exported.get("deep"), Some(&BTreeSet::from([deep])));
}

#[test]
fn const_parameters_of_what_stands_in_bodies_are_known() {
    let source = "fn f<const A: u8>() { const B: u8 = 1; fn g<'a, T, const C: u8>(x: &'a [T; 2]) { } impl<const D: bool> L<D> { fn h<const E: u8>() { } } }
        struct S<const F: u8>; static G: u8 = { trait T<const H: u8> { } 1 };";
    let names = read(source).unwrap().const_parameters_in_bodies;
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["C", "D", "E", "H"]);
}

#[test]
fn parameters_of_functions_in_bodies_are_known() {
    let source = "fn f<A>() { fn g<'a, T: B<C<u8>>, const N: usize>(x: [&'a T; N]) { fn h() {} } { unsafe fn r#type<U>() {} } }
        impl S { fn f() { fn g<V>() {} let c = || { fn i<W>() {} }; struct D<X>(X); impl<X> D<X> { fn j<Y>() {} } } }
        mod m { fn f() { fn g<const M: Alias>() {} } }";
    let shown = |generics: Option<Vec<GenericParam>>| match generics {
        Some(generics) => generics.iter().map(|param| param.name.to_string()).collect::<Vec<_>>().join(", "),
        None => "not read".to_owned(),
    };
    let found = read(source).unwrap().generics_in_bodies;
    let found: Vec<(String, Vec<String>)> =
        found.into_iter().map(|(name, of)| (name, of.into_iter().map(shown).collect())).collect();
    let of = |name: &str, generics: &[&str]| {
        (name.to_owned(), generics.iter().map(|of| (*of).to_owned()).collect())
    };
    let expected = [
        of("f::g", &["not read", "T, N", "V"]),
        of("f::i", &["W"]),
        of("f::type", &["U"]),
        of("g::h", &[""]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn type_parameters_of_what_stands_in_bodies_are_known() {
    let source = "fn f<A>(_: Vec<B>) { fn g<'a, C: D<E>, const F: u8>(x: &'a [G<H>; 2]) { i::<J>() } impl<K> L<K> { fn h<M>() { } }
        trait N<O> { } let x: P<Q> = y < z; struct R<S = T>(S); }";
    let names = read(source).unwrap().type_parameters_in_bodies;
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["C", "K", "M", "O", "S"]);
}

/// What becomes of a constant in the type of a field of `k::S`.
fn constant_in_field(source: &str, shown: &str) -> String {
    let constant = GenericArg::Const(Const::Unsupported(shown.to_owned()));
    let field = Field {
        name: Name::new("0"),
        ty: Ty::new(TyKind::Adt(Path::new("k::W"), vec![constant])),
        visibility: Visibility::Private,
    };
    let variant =
        Variant { name: Name::new("S"), ctor: CtorKind::Tuple, fields: vec![field], discriminant: 0 };
    let adt = Adt {
        path: Path::new("k::S"),
        kind: AdtKind::Struct,
        generics: Vec::new(),
        bounds: Vec::new(),
        variants: vec![variant],
        discriminant_ty: IntTy::Isize,
        visibility: Visibility::Public,
        origin_crate: Name::new("k"),
        span: None,
    };
    let mut program = Program::default();
    let id = program.adts.push(adt);
    let read = read(source).unwrap();
    let known = CrateDeclarations { crate_name: "k", declarations: Some(&read) };
    declare(&mut program, &Program::default(), &[known]);
    let TyKind::Adt(_, args) = program.adts[id].variants[0].fields[0].ty.kind() else { panic!() };
    let [GenericArg::Const(Const::Unsupported(text))] = args.as_slice() else { panic!("{args:?}") };
    text.clone()
}

#[test]
fn constants_that_are_not_shown_name_all_that_they_may_use() {
    let source = |adding: u8| {
        format!("use inner::B as A; type L = W<{{ C }}>; struct S(W<{{ A + {adding} }}>, L); struct T(D);")
    };
    let check = |shown: &str, names: &[&str], others: &[&str]| {
        let found = constant_in_field(&source(1), shown);
        let words: Vec<&str> = found.split([' ', '#']).collect();
        assert!(names.iter().all(|name| words.contains(name)), "{shown}: {found}");
        assert!(!others.iter().any(|name| words.contains(name)), "{shown}: {found}");
    };
    check("{ _ }", &["A", "B", "C"], &["D", "_"]);
    check("d::::L::{constant#0}", &["A", "B", "C", "L"], &["D"]);
    check("{ A }", &["A", "B"], &["C", "D"]);
    // What macros and attributes stand for is not shown.
    check("{ size_of::<$t>() }", &["A", "B", "C"], &["D"]);
    check("{ #[cfg(x)] { 2 } #[cfg(not(x))] { 1 } }", &["A", "B", "C"], &["D"]);
    check("{ k!() + 0 }", &["A", "B", "C"], &["D"]);
    check("{ k::k! [1, 2].len() }", &["A", "B", "C"], &["D"]);
    assert_eq!(constant_in_field(&source(1), "{ !(D) }"), "{ !(D) }");
    assert_eq!(constant_in_field(&source(1), "{ D!=(D) }"), "{ D!=(D) }");
    assert_eq!(constant_in_field(&source(1), "{ D }"), "{ D }");
    assert_eq!(constant_in_field("struct T(D);", "{ _ }"), "{ _ }");
    assert_ne!(constant_in_field(&source(1), "{ _ }"), constant_in_field(&source(2), "{ _ }"));
    assert_eq!(constant_in_field(&source(1), "{ A }"), constant_in_field(&source(2), "{ A }"));
}

#[test]
fn implementations_are_known_by_their_last_names() {
    let found = found();
    let headers: Vec<ImplHeader> = found
        .items
        .iter()
        .filter(|item| item.kind == Kind::Impl)
        .map(|item| item.header.clone().unwrap())
        .collect();
    let header = |self_ty: Option<&str>| ImplHeader {
        of_trait: Some("Tr".into()),
        self_ty: self_ty.map(str::to_owned),
    };
    assert_eq!(headers, [header(None), header(Some("A"))]);
}

#[test]
fn spacing_and_comments_do_not_count() {
    let spaced = SOURCE.replace(' ', "\n  ").replace("pub struct", "/// text\npub(crate) struct");
    let (a, b) = (found(), read(&spaced).unwrap());
    let texts = |found: &Declarations| {
        found.items.iter().map(|item| (item.path.clone(), item.text.clone())).collect::<Vec<_>>()
    };
    assert_eq!(texts(&a), texts(&b));
    assert_eq!(a.frame, b.frame);
}

/// What rustc 1.95 shows of types that derive comparisons: `-Zunpretty=expanded`.
const DERIVED: &str = include_str!("derived.txt");

fn by_parts(text: &str) -> Vec<(String, ByParts)> {
    let items = read(text).unwrap().items;
    items.into_iter().filter_map(|item| Some((item.path, item.by_parts?))).collect()
}

#[test]
fn derived_comparisons_are_recognised() {
    let copied = |path: &str| (path.to_owned(), ByParts::ComparedAndCloned);
    let expected = ["K", "T", "U", "L", "E", "F", "H", "One", "Single", "Never"].map(|path| match path {
        "L" => ("L".to_owned(), ByParts::Compared),
        path => copied(path),
    });
    assert_eq!(by_parts(DERIVED), expected);
}

/// A type is not recognised any more once `old` in what it derives is `new`.
#[track_caller]
fn not_derived(path: &str, old: &str, new: &str) {
    assert!(DERIVED.contains(old), "{old}");
    let changed = by_parts(&DERIVED.replace(old, new));
    assert!(changed.iter().all(|(known, _)| known != path), "{path}: {changed:?}");
}

#[test]
fn what_is_written_otherwise_is_no_derive() {
    not_derived("K", "Ord::cmp(&self.a, &other.a)", "Ord::cmp(&other.a, &self.a)");
    not_derived(
        "K",
        "PartialOrd::partial_cmp(&self.a, &other.a)",
        "PartialOrd::partial_cmp(&self.a, &other.b)",
    );
    not_derived("T", "self.1 == other.1 && self.0 == other.0", "self.1 == other.1");
    not_derived("T", "self.1 == other.1 && self.0 == other.0", "self.1 == other.1 || self.0 == other.0");
    not_derived("U", "fn eq(&self, other: &U) -> bool { true }", "fn eq(&self, other: &U) -> bool { false }");
    not_derived("U", "impl ::core::cmp::Ord for U", "impl ::core::cmp::Ord for b::U");
    not_derived("L", "::core::cmp::Ord for L<'a, 'b>", "::core::cmp::Ord for L<'a, 'static>");
    not_derived("One", "Ord::cmp(__self_1, __arg1_1)", "Ord::cmp(__self_1, __arg1_0)");
    not_derived("F", "_ => ::core::cmp::Ordering::Equal", "_ => ::core::cmp::Ordering::Less");
    not_derived("K", "extern crate std;", "extern crate std; extern crate other as core;");
    not_derived("K", "pub struct K {", "pub mod inner { } pub struct K<T> {");
}

#[test]
fn methods_beside_the_derived_ones_count() {
    not_derived(
        "U",
        "fn eq(&self, other: &U) -> bool { true }",
        "fn eq(&self, other: &U) -> bool { true } fn ne(&self, other: &U) -> bool { true }",
    );
}

#[test]
fn a_clone_of_ones_own_is_none() {
    let with = |old: &str, new: &str| {
        assert!(DERIVED.contains(old), "{old}");
        by_parts(&DERIVED.replace(old, new))
    };
    let compared = |path: &str| (path.to_owned(), ByParts::Compared);
    assert!(with("fn clone(&self) -> U { U }", "fn clone(&self) -> U { log(); U }").contains(&compared("U")));
    assert!(
        with(
            "let _: ::core::clone::AssertParamIsClone<u8>;",
            "let _: ::core::clone::AssertParamIsClone<u8>; log();"
        )
        .contains(&compared("K"))
    );
}

#[test]
fn a_comparison_with_another_type_takes_nothing_away() {
    let more =
        format!("{DERIVED} impl PartialEq<u8> for U {{ fn eq(&self, other: &u8) -> bool {{ false }} }}");
    assert_eq!(by_parts(&more), by_parts(DERIVED));
}

#[test]
fn items_in_bodies_are_known_by_the_path_of_what_they_belong_to() {
    let found = read(
        "fn uses(x: u8) { use a::B; type C = u8; extern crate alloc; let y = { x }; }
        fn plain() -> u8 { let union = 3; f(|x| match x { _ => { union } }) }
        mod m {
            fn local() { loop { pub(crate) struct S; impl S { fn f() { fn inside() {} } } impl Clone for S {} } }
            mod n { fn local() { const unsafe fn g() { enum E {} } static mut COUNT: u8 = 0; } }
            impl T { fn method(&self) { fn helper() { const C: u8 = 1; } } }
        }
        const TABLE: u8 = { static S: u8 = 1; S };
        fn r#match() { fn r#loop() {} const _: () = (); }
        fn foreign() { extern \"C\" { static A: u8; pub fn abs(x: i32) -> i32; } ; #[allow(x)] mod inner { } }",
    )
    .expect("tokens");
    let check = |path: &str, expected: &[&str]| {
        let names: Vec<&str> =
            found.items_in_body_of(path).into_iter().flatten().map(String::as_str).collect();
        assert_eq!(names, expected, "{path}");
    };
    check("m::local", &["S"]);
    check("m::n::local", &["COUNT", "g"]);
    check("m::n::local::g", &["E"]);
    check("TABLE", &["S"]);
    check("match", &["_", "loop"]);
    check("foreign", &["A", "abs", "inner"]);
    for path in ["uses", "plain", "local", "m", "m::method", "m::method::helper", "m::f", "foreign::inner"] {
        check(path, &[]);
    }
}
