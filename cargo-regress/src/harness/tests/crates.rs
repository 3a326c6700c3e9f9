//! Crates that make it hard.

use super::*;

#[test]
fn no_std_and_forbidden_unsafe_and_denied_lints() {
    let lib = "#![no_std]\n#![forbid(unsafe_code, missing_docs)]\n#![deny(warnings)]\n//! Docs.\n\
        extern crate alloc;\nuse alloc::vec::Vec;\nmod deep;\n\
        /// Docs.\npub fn double(items: &[u8]) -> Vec<u8> { items.iter().map(|x| deep::twice(*x)).collect() }\n";
    let deep = "//! Docs.\npub(crate) fn twice(x: u8) -> u8 { x << 1 }\n#[cfg(test)]\nmod tests { fn nothing() {} }\n// the end";
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2018\"\n\n[lints.rust]\nunsafe_code = \"forbid\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n[dev-dependencies]\nno-such-crate-anywhere = \"1\"\n";
    let built = build_demo(
        &[("src/lib.rs", lib), ("src/deep.rs", deep), ("Cargo.toml", manifest)],
        &["double", "deep::twice"],
    );
    let doubled = Value::Seq(vec![u8v(2), u8v(254)]);
    assert_eq!(built.call("double", &[refer(Value::Seq(vec![u8v(1), u8v(127)]))]), returned(doubled));
    assert_eq!(built.call("deep::twice", &[u8v(129)]), returned(u8v(2)));
}

#[test]
fn every_edition_and_names_in_the_way() {
    for edition in ["2015", "2018", "2021", "2024"] {
        let lib = "#![allow(dead_code)]\n\
            struct Vec; enum Option { None } trait Build {} trait Show {} struct String; type Result = u8;\n\
            macro_rules! vec { () => { compile_error!(\"mine\") } } macro_rules! format { () => { 1 } }\n\
            mod r#match { pub struct r#Type { pub r#fn: u8 } pub fn r#in(t: r#Type) -> u8 { t.r#fn } }\n\
            fn late(x: u8) -> Result { x.wrapping_add(1) }\n";
        let lib = lib.replace("Type", "Kind");
        let manifest = format!("[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n");
        let mut subject = locate(&[("src/lib.rs", &lib)], "late");
        subject.path = Path::new("demo::match::in");
        subject.line -= 1;
        let built = build_demo(&[("src/lib.rs", &lib), ("Cargo.toml", &manifest)], &["late"]);
        assert_eq!(built.call("late", &[u8v(255)]), returned(u8v(0)), "{edition}");
    }
}

#[test]
fn functions_of_a_binary_are_reached_without_running_it() {
    let main = "struct Job(u8);\nimpl Job { fn cost(&self) -> u8 { self.0 * 2 } }\n\
        fn main() { loop { println!(\"{}\", Job(1).cost()); } }\n";
    let built = try_build(&[("src/main.rs", main)], &["Job::cost", "main"], Target::Bin("demo".into()))
        .unwrap_or_else(|error| panic!("{error}"));
    let job = refer(adt("demo::Job", None, CtorKind::Tuple, &[("0", u8v(21))]));
    assert_eq!(built.call("Job::cost", &[job]), returned(u8v(42)));
    assert!(built.reason("main").contains("entry"));
}

#[test]
fn a_crate_that_does_not_compile_is_an_error_that_shows_why() {
    let error =
        try_build(&[("src/lib.rs", "pub fn f(x: u8) -> u8 { x + \"one\" }\n")], &["f"], Target::Lib).err();
    let message = error.expect("an error").to_string();
    assert!(message.contains("cannot add"), "{message}");
    let error = try_build(&[("src/lib.rs", "pub fn f(x: u8 -> u8 { x }\n")], &["f"], Target::Lib).err();
    assert!(matches!(&error, Some(HarnessError::Source { line: 1, .. })), "{error:?}");
}

#[test]
fn generic_types_lifetimes_and_recursion() {
    let lib = r#"
use std::collections::{BTreeMap, HashMap, HashSet};
pub struct Cursor<'a> { text: &'a str, at: usize }
impl<'a> Cursor<'a> { pub fn rest(&self) -> &'a str { &self.text[self.at..] } }
pub enum Tree<T> { Leaf, Node(Box<Tree<T>>, T, Box<Tree<T>>) }
impl Tree<u8> { pub fn sum(&self) -> u32 { match self { Tree::Leaf => 0, Tree::Node(a, x, b) => a.sum() + u32::from(*x) + b.sum() } } }
pub struct Endless { next: Option<Box<Endless>> }
pub fn length(mut e: &Endless) -> usize { let mut n = 0; while let Some(next) = &e.next { e = next; n += 1; } n }
pub fn chain(n: u8) -> Endless { let mut e = Endless { next: None }; for _ in 0..n { e = Endless { next: Some(Box::new(e)) }; } e }
pub struct Grid<const N: usize> where [u8; N]: Sized { cells: [u8; N] }
pub fn corner(g: &Grid<2>) -> u8 { g.cells[1] }
pub fn count(words: &[String]) -> HashMap<&str, usize> { let mut m = HashMap::new(); for w in words { *m.entry(w.as_str()).or_insert(0) += 1; } m }
pub fn keys(m: &BTreeMap<u8, bool>) -> Vec<u8> { m.keys().copied().collect() }
pub fn distinct(s: HashSet<u8>) -> usize { s.len() }
pub trait Area { fn area(&self) -> u32; fn double(&self) -> u32 { self.area() * 2 } }
pub struct Square(pub u32);
impl std::ops::BitOrAssign<&Self> for Square { fn bitor_assign(&mut self, other: &Self) { self.0 |= other.0 } }
impl Area for Square { fn area(&self) -> u32 { self.0 * self.0 } }
"#;
    let built = build_demo(
        &[("src/lib.rs", lib)],
        &[
            "Cursor::rest",
            "Tree::sum",
            "length",
            "corner",
            "count",
            "keys",
            "distinct",
            "Area::double",
            "chain",
            "<Square as BitOrAssign>::bitor_assign",
        ],
    );
    let cursor = adt(
        "demo::Cursor",
        None,
        CtorKind::Struct,
        &[("text", refer(text("abc"))), ("at", Value::int(IntTy::Usize, 1))],
    );
    assert_eq!(built.call("Cursor::rest", &[refer(cursor)]), returned(refer(text("bc"))));
    let leaf = || refer(adt("demo::Tree", Some("Leaf"), CtorKind::Unit, &[]));
    let node =
        adt("demo::Tree", Some("Node"), CtorKind::Tuple, &[("0", leaf()), ("1", u8v(9)), ("2", leaf())]);
    assert_eq!(built.call("Tree::sum", &[refer(node)]), returned(u32v(9)));
    let words = Value::Seq(vec![text("b"), text("a"), text("b")]);
    let pair = |word: &str, n| Value::Tuple(vec![refer(text(word)), Value::int(IntTy::Usize, n)]);
    assert_eq!(built.call("count", &[refer(words)]), returned(Value::Seq(vec![pair("a", 1), pair("b", 2)])));
    let square = |x| adt("demo::Square", None, CtorKind::Tuple, &[("0", u32v(x))]);
    assert_eq!(
        built.call("<Square as BitOrAssign>::bitor_assign", &[refer(square(1)), refer(square(6))]),
        Outcome::Returned { value: Value::unit(), mutated: vec![(0, square(7))] }
    );
    let mut chain = adt("demo::Endless", None, CtorKind::Struct, &[("next", none())]);
    for _ in 0..40 {
        chain = adt("demo::Endless", None, CtorKind::Struct, &[("next", some(refer(chain)))]);
    }
    assert_eq!(built.call("chain", &[u8v(40)]), returned(chain));
    let long = built.call("chain", &[u8v(250)]);
    assert!(
        matches!(&long, Outcome::Returned { value: Value::Opaque(_), .. }),
        "too deep to be shown: {long:?}"
    );
    assert_ne!(long, built.call("chain", &[u8v(251)]));
    assert!(built.reason("Area::double").contains("`Self` was not given"));
    let mut worker = built.worker();
    for path in ["Tree::sum", "length", "corner", "keys", "distinct"] {
        let runs = worker.random(built.id(path), &RandomPlan::new(3, 200)).expect("runs");
        assert_eq!(runs.len(), 200, "{path}");
        assert!(runs.iter().all(|run| matches!(run.outcome, Outcome::Returned { .. })), "{path}");
    }
}

#[test]
fn generic_functions_at_given_types() {
    let lib = r#"
pub struct Point { x: u8 }
pub fn twice<'a, T: Clone>(x: &'a T) -> (T, T) { (x.clone(), x.clone()) }
impl Clone for Point { fn clone(&self) -> Point { Point { x: self.x.wrapping_add(1) } } }
pub fn take<T, const N: usize>(items: [T; N], at: usize) -> Option<T> { items.into_iter().nth(at) }
pub struct Stack<T> { items: Vec<T> }
impl<T: Copy> Stack<T> { pub fn top(&self) -> Option<T> { self.items.last().copied() } }
pub trait Named { fn name(&self) -> String; fn shout(&self) -> String { self.name().to_uppercase() } }
impl Named for u8 { fn name(&self) -> String { format!("u{self}") } }
pub mod inner { pub fn largest<T: Ord>(items: Vec<T>) -> Option<T> { items.into_iter().max() } }
"#;
    let wanted = [
        "twice{T=demo::Point}",
        "take{T=bool,N=2}",
        "Stack::top{T=u32}",
        "Named::shout{Self=u8}",
        "inner::largest{T=std::string::String}",
        "Point::clone",
    ];
    let built = build_demo(&[("src/lib.rs", lib)], &wanted);
    let point = |x| adt("demo::Point", None, CtorKind::Struct, &[("x", u8v(x))]);
    assert_eq!(built.call("twice", &[refer(point(1))]), returned(Value::Tuple(vec![point(2), point(2)])));
    let pair = Value::Seq(vec![Value::Bool(false), Value::Bool(true)]);
    assert_eq!(built.call("take", &[pair, Value::int(IntTy::Usize, 1)]), returned(some(Value::Bool(true))));
    let stack = adt("demo::Stack", None, CtorKind::Struct, &[("items", Value::Seq(vec![u32v(5)]))]);
    assert_eq!(built.call("Stack::top", &[refer(stack)]), returned(some(u32v(5))));
    assert_eq!(built.call("Named::shout", &[refer(u8v(7))]), returned(text("U7")));
    let words = Value::Seq(vec![text("a"), text("c"), text("b")]);
    assert_eq!(built.call("inner::largest", &[words]), returned(some(text("c"))));
}

/// What the compiler would say of a function at that line.
fn declared(line: u32, callee: &str, home: Option<&str>, params: &[Parameter]) -> SubjectRequest {
    SubjectRequest {
        path: Path::new(callee),
        file: "src/lib.rs".into(),
        line,
        instantiation: Default::default(),
        declared: Some(Declared {
            callee: callee.to_string(),
            home: home.map(str::to_string),
            params: params.to_vec(),
            handed: None,
            takes: BTreeSet::new(),
            holds: BTreeSet::new(),
            listens: None,
            returns: Returns::Value,
            mentions: Default::default(),
        }),
    }
}

#[test]
fn functions_without_source_text_of_their_own() {
    let lib = "use std::fmt::Debug;\n\
        pub trait Z { fn z(self) -> u32; }\n\
        macro_rules! z { ($($t:ty)*) => {$(impl Z for $t { fn z(self) -> u32 { std::mem::size_of::<$t>() as u32 } })*} }\n\
        mod inner { use super::Z; z!(u8 u16);\n\
        #[derive(Clone, PartialEq)] struct Hidden { x: u8 }\n\
        pub struct W<T>(T); impl W<u8> { fn wv(&self) -> u8 { 1 } } impl W<u16> { fn wv(&self) -> u8 { 2 } }\n\
        }\n\
        macro_rules! erase { () => { pub fn erase(x: u8) { let _ = std::fs::remove_file(\"/nothing/there\"); } } }\n\
        erase!();\n\
        pub fn text(x: &impl Debug, out: &mut impl Extend<u8>, all: u8) -> String { out.extend(Some(all)); format!(\"{x:?}\") }\n\
        pub fn outside() { fn within(x: u8) -> u8 { x } let _ = within(1); }\n\
        pub fn nine(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8) -> u8 { a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i }\n\
        pub fn made(x: u8) -> u8 { struct Inner { y: u8 }\n\
        impl Inner { fn get(&self) -> u8 { self.y } } Inner { y: x }.get() }\n\
        impl<T> inner::W<T> { pub fn deep(x: u8) -> u8 { use std::mem; fn deep() {}\n\
        fn deeper(x: u8) -> u8 { mem::drop(deep()); x + 1 } deeper(x) } }\n";
    let value = || Parameter { kind: Param::Value, ty: None };
    let hidden = Some("demo::inner::Hidden");
    let shown = declared(
        10,
        "demo::text",
        Some("demo::text"),
        &[
            Parameter { kind: Param::Value, ty: Some("&[u8; 1]".into()) },
            Parameter { kind: Param::MutRef, ty: Some("&mut std::vec::Vec<u8>".into()) },
            value(),
        ],
    );
    let mut erase = declared(9, "demo::erase", Some("demo::erase"), &[value()]);
    erase.declared.as_mut().expect("just made").mentions =
        std::iter::once("std::fs::remove_file".to_owned()).collect();
    let subjects = [
        declared(3, "<u16 as demo::Z>::z", None, &[value()]),
        declared(4, "<u8 as demo::Z>::z", None, &[value()]),
        declared(5, "<demo::inner::Hidden as std::clone::Clone>::clone", hidden, &[value()]),
        declared(5, "<demo::inner::Hidden as std::cmp::PartialEq>::eq", hidden, &[value(), value()]),
        declared(6, "<demo::inner::W<u16>>::wv", Some("demo::inner::W"), &[value()]),
        declared(6, "<demo::inner::W<u8>>::wv", Some("demo::inner::W"), &[value()]),
        erase,
        shown,
        declared(11, "demo::outside::within", Some("demo::outside::within"), &[value()]),
        declared(14, "demo::made::Inner::get", Some("demo::made::Inner"), &[value()]),
        declared(16, "demo::inner::W::deep::deeper", None, &[value()]),
        declared(12, "demo::nine", Some("demo::nine"), &vec![value(); 9]),
    ];
    let built = build_subjects(&[("src/lib.rs", lib)], subjects.to_vec().into(), Target::Lib)
        .unwrap_or_else(|error| panic!("{error}"));
    let call = |callee: &str, inputs: &[Value]| built.call(&format!("={callee}"), inputs);
    assert_eq!(call("<u16 as demo::Z>::z", &[Value::int(IntTy::U16, 7)]), returned(u32v(2)));
    assert_eq!(call("<u8 as demo::Z>::z", &[u8v(7)]), returned(u32v(1)));
    let hidden = |x| adt("demo::inner::Hidden", None, CtorKind::Struct, &[("x", u8v(x))]);
    let cloned = call("<demo::inner::Hidden as std::clone::Clone>::clone", &[refer(hidden(3))]);
    assert_eq!(cloned, returned(hidden(3)));
    let equal =
        call("<demo::inner::Hidden as std::cmp::PartialEq>::eq", &[refer(hidden(3)), refer(hidden(4))]);
    assert_eq!(equal, returned(Value::Bool(false)));
    let w = |x| refer(adt("demo::inner::W", None, CtorKind::Tuple, &[("0", x)]));
    assert_eq!(call("<demo::inner::W<u16>>::wv", &[w(Value::int(IntTy::U16, 5))]), returned(u8v(2)));
    assert_eq!(call("<demo::inner::W<u8>>::wv", &[w(u8v(5))]), returned(u8v(1)));
    assert!(built.reason("=demo::erase").contains("std::fs"));
    let empty = refer(Value::Seq(Vec::new()));
    assert_eq!(
        call("demo::text", &[refer(Value::Seq(vec![u8v(9)])), empty, u8v(6)]),
        Outcome::Returned { value: text("[9]"), mutated: vec![(1, Value::Seq(vec![u8v(6)]))] }
    );
    assert_eq!(call("demo::outside::within", &[u8v(4)]), returned(u8v(4)));
    let inner = refer(adt("demo::made::Inner", None, CtorKind::Struct, &[("y", u8v(6))]));
    assert_eq!(call("demo::made::Inner::get", &[inner]), returned(u8v(6)));
    assert_eq!(call("demo::inner::W::deep::deeper", &[u8v(5)]), returned(u8v(6)));
    assert_eq!(call("demo::nine", &vec![u8v(3); 9]), returned(u8v(3)));
}

#[test]
fn a_second_build_starts_from_what_the_first_found_out() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let lib = "pub struct Odd { f: fn(&mut u8) }\npub fn f(o: &Odd) { (o.f)(&mut 0) }\npub fn g(x: u8) -> u8 { x }\n";
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let files = [("src/lib.rs", lib), ("Cargo.toml", manifest)];
    for (path, text) in files {
        tree::update(&root.join("in").join(path), text.as_bytes()).expect("a written file");
    }
    let subjects = ["f", "g"].iter().map(|name| locate(&files, name)).collect();
    let mut request = request_for_demo(&root, "in", subjects);
    let first = build(&request).expect("a harness");
    let written = std::fs::metadata(root.join("out/source/src/lib.rs")).and_then(|meta| meta.modified());
    let again = build(&request).expect("a harness");
    let rewritten = std::fs::metadata(root.join("out/source/src/lib.rs")).and_then(|meta| meta.modified());
    assert_eq!(
        written.expect("a time"),
        rewritten.expect("a time"),
        "no round of the first build is repeated"
    );
    for id in request.subjects.ids() {
        assert_eq!(first.availability(id), again.availability(id));
    }
    // Neither the sources nor what is beside them was touched.
    let present = tree::list(&root.join("in"), "".into()).expect("a listing").files;
    assert_eq!(present, ["Cargo.toml", "src/lib.rs"].map(Utf8PathBuf::from).into());
    // Sources that changed are looked at anew.
    let changed = lib.replace("fn(&mut u8)", "u8").replace("(o.f)(&mut 0)", "let _ = o.f;");
    tree::update(&root.join("in/src/lib.rs"), changed.as_bytes()).expect("a written file");
    request.subjects = ["f", "g"].iter().map(|name| locate(&[("src/lib.rs", &changed)], name)).collect();
    let third = build(&request).expect("a harness");
    assert!(request.subjects.ids().all(|id| matches!(third.availability(id), Availability::Ready { .. })));
}

#[test]
fn what_another_build_had_refused_is_not_tried() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let build_of = |out: &str, lib: &str, refused: &RefusedGlue| {
        for (path, text) in [("src/lib.rs", lib), ("Cargo.toml", manifest)] {
            tree::update(&root.join(out).join("in").join(path), text.as_bytes()).expect("a written file");
        }
        let subjects = ["f", "g"].iter().map(|name| locate(&[("src/lib.rs", lib)], name)).collect();
        let request =
            HarnessRequest { refused: refused.clone(), ..request_for_demo(&root.join(out), "in", subjects) };
        let clock = Clock::default();
        let harness = build_telling(&request, &Told::alone(&clock)).expect("a harness");
        let ready = |id| matches!(harness.availability(id), Availability::Ready { .. });
        let ready: Vec<bool> = request.subjects.ids().map(ready).collect();
        (harness, ready, clock.stats().counted(Count::RefusedBuilds))
    };
    let old = "pub struct Odd { f: fn(&mut u8) }\npub fn f(o: &Odd) { (o.f)(&mut 0) }\npub fn g(x: u8) -> u8 { x }\n";
    // Types and functions have other numbers and lines here.
    let new = format!("pub struct Plain(pub u8);\npub fn h(p: Plain) -> u8 {{ p.0 }}\n{old}");
    let (first, ready, refused_builds) = build_of("old", old, &RefusedGlue::default());
    assert_eq!(ready, [false, true]);
    assert!(refused_builds > 0);
    let (second, ready, refused_builds) = build_of("new", &new, first.refused());
    assert_eq!((ready, refused_builds), (vec![false, true], 0));
    assert_eq!(first.refused(), second.refused());
    // It is tried again as soon as nothing speaks against it.
    let plain = old.replace("fn(&mut u8)", "u8").replace("(o.f)(&mut 0)", "let _ = o.f;");
    let (_, ready, refused_builds) = build_of("new", &plain, &RefusedGlue::default());
    assert_eq!((ready, refused_builds), (vec![true, true], 0));
}

#[test]
fn a_later_build_of_the_folder_leaves_earlier_workers_what_they_are() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let build_of = |lib: &str| {
        for (path, text) in [("src/lib.rs", lib), ("Cargo.toml", manifest)] {
            tree::update(&root.join("in").join(path), text.as_bytes()).expect("a written file");
        }
        let subjects = vec![locate(&[("src/lib.rs", lib)], "f")].into();
        build(&request_for_demo(&root, "in", subjects)).expect("a harness")
    };
    let call = |harness: &Harness| {
        let mut worker = harness.worker(Limits::default());
        worker.call(<SubjectId as regress_core::idx::Idx>::from_usize(0), &[u8v(3)]).expect("an outcome")
    };
    let first = build_of("pub fn f(x: u8) -> u8 { x + 1 }\n");
    let second = build_of("pub fn f(x: u8) -> u8 { x + 2 }\n");
    assert_eq!(call(&first), returned(u8v(4)), "started after the second build");
    assert_eq!(call(&second), returned(u8v(5)));
    drop((first, second));
    let left = std::fs::read_dir(root.join("out/workers")).expect("a folder").count();
    assert_eq!(left, 0, "programs are removed when nobody needs them");
}

#[test]
fn a_member_of_a_workspace_below_the_root_of_the_tree() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let workspace = "[workspace]\nmembers = [\"app\", \"base\"]\nresolver = \"2\"\n[workspace.package]\nedition = \"2021\"\n\
        [workspace.lints.rust]\nunused = \"deny\"\nunsafe_code = \"forbid\"\n[profile.dev]\npanic = \"abort\"\noverflow-checks = false\n";
    let app = "[package]\nname = \"my-app\"\nversion = \"0.1.0\"\nedition.workspace = true\n\
        [dependencies]\nbase = { path = \"../base\" }\nshared = { path = \"../../shared\" }\n[lints]\nworkspace = true\n";
    let lib = "mod sums;\npub struct Holds(base::Foreign);\n\
        pub fn scaled(x: u8) -> u8 { base::twice(x) + shared::one() }\npub fn holds(h: &Holds) -> u8 { h.0.x }\n";
    let sums = "pub(crate) fn sum(a: u8, b: u8) -> u8 { (a + b) / b }\n";
    let member =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2018\"\n");
    let base = "pub struct Foreign { pub x: u8 }\npub fn twice(x: u8) -> u8 { x * 2 }\n";
    for (path, text) in [
        ("rust/Cargo.toml", workspace),
        ("rust/app/Cargo.toml", app),
        ("rust/app/src/lib.rs", lib),
        ("rust/app/src/sums.rs", sums),
        ("rust/base/Cargo.toml", &member("base")),
        ("rust/base/src/lib.rs", base),
        ("shared/Cargo.toml", &member("shared")),
        ("shared/src/lib.rs", "pub fn one() -> u8 { 1 }\n"),
        ("target/huge", "not to be copied"),
    ] {
        tree::update(&root.join("repo").join(path), text.as_bytes()).expect("a written file");
    }
    let subject = |path: &str, file: &str, line| SubjectRequest {
        path: Path::new(path),
        file: file.into(),
        line,
        instantiation: Default::default(),
        declared: None,
    };
    let subjects: IdxVec<SubjectId, SubjectRequest> = vec![
        subject("my_app::scaled", "app/src/lib.rs", 3),
        subject("my_app::holds", "app/src/lib.rs", 4),
        subject("my_app::sums::sum", "app/src/sums.rs", 1),
    ]
    .into();
    let harness = build(&HarnessRequest {
        refused: RefusedGlue::default(),
        compared: None,
        source_root: root.join("repo"),
        workspace_dir: "rust".into(),
        manifest: "rust/app/Cargo.toml".into(),
        package: "my-app".to_string(),
        target: Target::Lib,
        root_file: "app/src/lib.rs".into(),
        crate_name: "my_app".to_string(),
        out_dir: root.join("repo/target/regress/harness/new"),
        seed: None,
        lock_file: None,
        cargo: CargoCommand { args: vec!["--offline".to_string()], ..CargoCommand::default() },
        profile: Profile::Dev,
        worker: WorkerKind::Plain,
        makers: IdxVec::new(),
        types: Vec::new(),
        defined_otherwise: BTreeSet::new(),
        completed: BTreeMap::new(),
        moved: Moved::default(),
        subjects: subjects.clone(),
    })
    .unwrap_or_else(|error| panic!("{error}"));
    let ids: Vec<SubjectId> = subjects.ids().collect();
    let mut worker = harness.worker(Limits::default());
    assert_eq!(worker.call(ids[0], &[u8v(4)]).expect("an outcome"), returned(u8v(9)));
    // The profile is the user's, but for what a panic does.
    assert_eq!(worker.call(ids[2], &[u8v(255), u8v(1)]).expect("an outcome"), returned(u8v(0)));
    let panicked = worker.call(ids[2], &[u8v(1), u8v(0)]).expect("an outcome");
    assert_eq!(panic_kind(&panicked), PanicKind::DivisionByZero);
    let Availability::Unavailable { reason } = harness.availability(ids[1]) else {
        panic!("no way to build it")
    };
    assert!(reason.contains("`Foreign` cannot be built"), "{reason}");
    assert!(!root.join("repo/target/regress/harness/new/source/target").exists());
}

#[test]
fn no_prelude_at_all() {
    let lib = "#![no_implicit_prelude]\npub enum Option { Some(u8), None }\npub fn f(o: Option) -> u8 { match o { Option::Some(x) => x, Option::None => 0 } }\n";
    let built = build_demo(&[("src/lib.rs", lib)], &["f"]);
    let option = adt("demo::Option", Some("Some"), CtorKind::Tuple, &[("0", u8v(3))]);
    assert_eq!(built.call("f", &[option]), returned(u8v(3)));
}

#[test]
fn a_procedural_macro_has_nothing_to_run() {
    let lib = "pub fn f(x: u8) -> u8 { x }\n";
    let built = try_build(&[("src/lib.rs", lib)], &["f"], Target::ProcMacro)
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(built.reason("f").contains("procedural macro"));
}
