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
#[global_allocator] static G: A = A { x: 1 };
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
    check(
        "Tr",
        Kind::Trait,
        "trait Tr : Sized\n#[track_caller] fn m ( & self , u8 )\nfn d ( )\nconst C : u8\ntype X : Clone ;\ntype X : Clone ;",
    );
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
    assert_eq!(of("G").presence, Presence::Ambient);
    assert_eq!(of("inner::f").calls, Calls::Tracked);
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
