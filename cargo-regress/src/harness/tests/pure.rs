//! What needs no compiler: where glue goes, and what crosses the wire.

use std::collections::BTreeMap;

use super::*;
use crate::harness::wire::{self, Reply};

fn instrumented(files: &[(&str, &str)], wanted: &[&str]) -> Instrumented {
    let sources: BTreeMap<Utf8PathBuf, String> =
        files.iter().map(|(path, text)| (Utf8PathBuf::from(*path), text.to_string())).collect();
    let subjects = wanted.iter().map(|path| locate(files, path)).collect();
    instrument(&sources, "src/lib.rs".into(), "demo", &Target::Lib, &subjects).expect("instrumented sources")
}

#[test]
fn lines_and_columns_of_the_original_stay_where_they_are() {
    let lib = "#![forbid(unsafe_code)] pub fn a(x: u8) -> u8 { x }\r\nmod m {\n    pub fn b(x: u8) -> u8 { x }\n}\nfn c() {}";
    let out = instrumented(&[("src/lib.rs", lib)], &["a", "m::b", "c"]);
    let text = &out.files[&Utf8PathBuf::from("src/lib.rs")];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "#![warn  (unsafe_code)] pub fn a(x: u8) -> u8 { x }");
    assert_eq!(lines[2], "    pub fn b(x: u8) -> u8 { x }");
    assert!(lines[3].starts_with("#[allow(warnings)]") && lines[3].ends_with('}'), "{}", lines[3]);
    assert_eq!(lines[4], "fn c() {}");
    assert!(out.unavailable.is_empty(), "{:?}", out.unavailable);
}

#[test]
fn segments_say_whose_glue_it_is() {
    let out = instrumented(&[("src/lib.rs", "mod m { struct S; fn f(s: S) {} }\n")], &["m::f"]);
    let text = &out.files[&Utf8PathBuf::from("src/lib.rs")];
    let calls: Vec<&Segment> =
        out.segments.iter().filter(|segment| matches!(segment.owner, Owner::Subject(_))).collect();
    assert_eq!(calls.len(), 2, "the call and its registration");
    for segment in calls {
        let piece = &text[segment.bytes.clone()];
        assert!(
            piece.contains("Subject<0>") || piece.contains("call::<crate::__regress::Here, 0>"),
            "{piece}"
        );
    }
    assert!(out.segments.iter().any(|segment| segment.owner == Owner::Build(0)));
    assert!(out.segments.iter().any(|segment| segment.owner == Owner::Show(0)));
}

#[test]
fn module_files_are_found_as_rustc_finds_them() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\n#[path = \"odd/name.rs\"]\nmod c;\nmod inline { mod d; }\n"),
        ("src/a.rs", "mod e;\nfn fa() {}"),
        ("src/a/e.rs", "fn fe() {}"),
        ("src/b/mod.rs", "mod g;\nfn fb() {}"),
        ("src/b/g.rs", "fn fg() {}"),
        ("src/odd/name.rs", "fn fc() {}"),
        ("src/inline/d.rs", "fn fd() {}"),
    ];
    let wanted = ["a::fa", "a::e::fe", "b::fb", "b::g::fg", "c::fc", "inline::d::fd"];
    let out = instrumented(&files, &wanted);
    assert!(out.unavailable.is_empty(), "{:?}", out.unavailable);
    let register = &out.files[&Utf8PathBuf::from("src/lib.rs")];
    for child in ["a", "b", "c", "inline"] {
        assert!(register.contains(&format!("{child}::__regress_register(__regress_table);")), "{child}");
    }
}

#[test]
fn a_module_declared_for_two_configurations_is_there_in_both() {
    let lib = "#[cfg(feature = \"open\")] pub mod a;\n#[cfg(not(feature = \"open\"))] #[cfg(unix)] mod a;\n\
        #[cfg(unix)] mod b;\n#[cfg(windows)] #[path = \"b.rs\"] mod other;\n";
    let files = [("src/lib.rs", lib), ("src/a.rs", "#![cfg(all())]\nfn fa() {}"), ("src/b.rs", "fn fb() {}")];
    let out = instrumented(&files, &["a::fa", "b::fb"]);
    let register = &out.files[&Utf8PathBuf::from("src/lib.rs")];
    let attribute_of = |child: &str| {
        let (before, _) = register.split_once(&format!("{child}::__regress_register("))?;
        Some(before[before.rfind("#[cfg")?..].replace([' ', '{'], ""))
    };
    let both = "#[cfg(any(all(feature=\"open\",all()),all(not(feature=\"open\"),unix,all())))]";
    assert_eq!(attribute_of("a").as_deref(), Some(both));
    assert_eq!(attribute_of("b").as_deref(), Some("#[cfg(unix)]"));
}

/// The functions of a crate that are held back, in order.
fn held_back<'a>(lib: &str, wanted: &[&'a str]) -> Vec<&'a str> {
    let out = instrumented(&[("src/lib.rs", lib)], wanted);
    let is_held = |index: usize| out.unavailable.keys().any(|id| regress_core::idx::Idx::index(*id) == index);
    wanted.iter().enumerate().filter(|(index, _)| is_held(*index)).map(|(_, name)| *name).collect()
}

#[test]
fn a_macro_is_not_the_function_of_its_name() {
    let lib = "pub struct Saved(String);\n\
        impl Saved { pub fn write(&self) { std::fs::write(\"x\", &self.0).unwrap() } }\n\
        pub fn told(n: u8) -> String { use std::fmt::Write; let mut s = String::new(); write!(s, \"{n}\").unwrap(); s }\n\
        pub fn unlike(other: fn(u8)) -> bool { write!=other }\n\
        pub fn saves(saved: &Saved) { saved.write() }\n";
    assert_eq!(held_back(lib, &["told", "unlike", "saves"]), ["unlike", "saves"]);
}

#[test]
fn a_module_is_not_the_crate_of_its_name() {
    let lib = "pub mod windows { pub fn quote(s: &str) -> String { s.to_owned() } }\n\
        pub fn own(s: &str) -> String { windows::quote(s) }\n\
        pub fn other(s: &str) -> String { winapi::quote(s) }\n\
        pub mod inner { pub fn foreign(s: &str) -> String { windows::quote(s) } }\n\
        pub mod libc { pub fn f() {} pub fn writes() { std::fs::write(\"x\", \"\").unwrap() } }\n\
        pub fn harmless() { libc::f() }\n\
        pub fn saves() { libc::writes() }\n";
    let wanted = ["own", "other", "inner::foreign", "harmless", "saves"];
    assert_eq!(held_back(lib, &wanted), ["other", "inner::foreign", "saves"]);
}

#[test]
fn variables_fields_and_labels_are_not_the_functions_of_their_name() {
    let lib = "pub fn size() -> usize { std::fs::read(\"x\").unwrap().len() }\n\
        pub struct S { size: usize }\n\
        pub fn parameter(size: usize) -> usize { size + 1 }\n\
        pub fn field(s: &S) -> usize { s.size }\n\
        pub fn literal(x: usize) -> S { S { size: x } }\n\
        pub fn shorthand(x: usize) -> S { let size = x; S { size } }\n\
        pub fn pattern(s: S) -> usize { let S { size: x } = s; x }\n\
        pub fn arms(x: Option<usize>) -> usize { match x { Some(size) if size > 1 => size, _ => 0 } }\n\
        pub fn chain(x: Option<usize>) -> usize { if let Some(size) = x && size > 1 { size } else { 0 } }\n\
        pub fn loops(x: &[usize]) -> usize { let mut n = 0; 'size: for size in x { n += size; if n > 9 { break 'size } } n }\n\
        pub fn closure(x: &[usize]) -> usize { x.iter().map(|size| size + 1).sum() }\n\
        pub fn told(size: usize) -> String { assert!(size > 1, \"{}\", size); let v = vec![0; size]; format!(\"{size} {}\", v[size - 1]) }\n";
    let wanted = [
        "size",
        "parameter",
        "field",
        "literal",
        "shorthand",
        "pattern",
        "arms",
        "chain",
        "loops",
        "closure",
        "told",
    ];
    assert_eq!(held_back(lib, &wanted), ["size"]);
}

#[test]
fn names_that_are_no_variables_where_they_stand_are_functions() {
    let lib = "pub mod m { pub fn size() -> usize { std::fs::read(\"x\").unwrap().len() } }\nuse m::size;\n\
        pub trait Tr { fn size(&self) -> usize; }\n\
        macro_rules! own { ($name:ident) => { $name() } }\n\
        macro_rules! assert { ($name:ident) => { m::$name() } }\n\
        pub fn before() -> usize { let size = size(); size }\n\
        pub fn after() -> usize { { let size = 1; size + 1 }; size() }\n\
        pub fn value() -> Vec<usize> { (0..2).map(|_| 1).chain(Some(()).map(|()| 2)).chain([()].map(drop_size(size))).collect() }\n\
        pub fn method(size: &dyn Tr) -> usize { size.size() }\n\
        pub fn path(size: usize) -> usize { m::size() + size }\n\
        pub fn by_macro(size: usize) -> usize { own!(size) }\n\
        pub fn by_other(size: usize) -> usize { assert!(size) }\n\
        pub fn maybe() -> usize { #[cfg(any())] let size = || 1; size() }\n\
        pub fn glob(size: usize) -> usize { { use m::*; size() } }\n\
        pub fn item(size: usize) -> usize { use m::size; size() }\n\
        pub fn otherwise(x: Option<usize>) -> usize { if let Some(size) = x { size } else { size() } }\n\
        pub fn shorthand() -> S { S { size } }\npub struct S { pub size: fn() -> usize }\n\
        pub fn free(x: usize) -> usize { x }\n";
    let wanted = [
        "before",
        "after",
        "value",
        "method",
        "path",
        "by_macro",
        "by_other",
        "maybe",
        "glob",
        "item",
        "otherwise",
        "shorthand",
        "free",
    ];
    assert_eq!(held_back(lib, &wanted), wanted[..12]);
}

#[test]
fn what_stands_after_a_type_is_the_functions_of_that_type() {
    let lib = "pub struct Saved;\nimpl Saved { pub fn new() -> Saved { std::fs::write(\"x\", \"y\").unwrap(); Saved } pub fn again() -> Saved { Self::new() } }\n\
        pub struct Kept(u8);\nimpl Kept { pub fn new(x: u8) -> Kept { Kept(x) } pub fn anew(x: u8) -> Kept { Self::new(x) } }\n\
        pub fn keeps() -> Kept { Kept::new(1) }\npub fn saves() -> Saved { Saved::new() }\npub fn other() { Other::new() }\n\
        pub use std::string::String as Other;\n";
    let wanted = ["keeps", "saves", "other", "Saved::again", "Kept::anew"];
    assert_eq!(held_back(lib, &wanted), ["saves", "other", "Saved::again"]);
}

#[test]
fn a_macro_that_writes_calls_what_implements_the_trait() {
    let lib = "pub struct Log;\n\
        impl std::fmt::Write for Log { fn write_str(&mut self, text: &str) -> std::fmt::Result { std::fs::write(\"x\", text).unwrap(); Ok(()) } }\n\
        pub fn told(log: &mut Log) { use std::fmt::Write; write!(log, \"a\").unwrap() }\n\
        pub fn asserts() { assert!(true) }\n";
    assert_eq!(held_back(lib, &["told", "asserts"]), ["told"]);
}

#[test]
fn texts_of_the_system_are_no_effect() {
    let lib = "pub fn bytes(path: &std::path::Path) -> Vec<u8> { use std::os::unix::prelude::OsStrExt; path.as_os_str().as_bytes().to_vec() }\n\
        pub fn links(path: &str) { use std::os::unix::fs::symlink; symlink(path, \"x\").unwrap() }\n\
        pub fn mode(path: &str) -> u32 { use std::os::unix::prelude::PermissionsExt; 0 }\n";
    assert_eq!(held_back(lib, &["bytes", "links", "mode"]), ["links", "mode"]);
}

#[test]
fn effects_are_found_through_imports_calls_and_macros() {
    let lib = "use std::{fs, collections::HashMap};\nuse std::process::Command as Cmd;\n\
        macro_rules! note { () => { std::fs::write(\"x\", \"y\") } }\n\
        fn direct() { let _ = fs::read(\"x\"); }\nfn renamed() { Cmd::new(\"x\"); }\nfn by_note() { let _ = note!(); }\n\
        fn calls() { direct() }\nfn closure() { let _ = || renamed(); }\nfn pure(fs: u8) -> HashMap<u8, u8> { HashMap::new() }\n\
        fn reads_env() { let _ = std::env::var(\"x\"); }\nfn address() -> std::net::IpAddr { std::net::Ipv4Addr::LOCALHOST.into() }\nfn connects() { let _ = std::net::TcpStream::connect(\"x\"); }\n\
        pub mod prelude { pub use std::fs::File; }\nfn through_prelude() { use prelude::*; let _ = File::create(\"x\"); }\nfn sets_env() { std::env::set_current_dir(\"/\").unwrap(); }\n\
        fn spawns() { let _ = std::process::Command::new(\"x\"); }\nfn spawns_here() { use std::process; let _ = process::Command::new(\"x\"); }\n\
        fn grouped() { use std::process::{self, Command}; let _ = Command::new(\"x\"); }\nfn as_other() { use std::process as p; let _ = p::Command::new(\"x\"); }\n\
        pub mod out { pub use std::process as q; }\nfn through_out() { use out::*; let _ = q::Command::new(\"x\"); }\n\
        pub mod ends { use std::process::{self, exit}; pub fn aborts() { process::abort() } pub fn exits() { exit(1) } }\n\
        pub mod again { use std::process as p; pub fn spawns() { let _ = p::Command::new(\"x\"); } pub fn aborts() { p::abort() } }\n\
        pub mod other { use std::process::*; pub fn anything(c: Command) {} }\n";
    let wanted = [
        "direct",
        "renamed",
        "by_note",
        "calls",
        "closure",
        "pure",
        "reads_env",
        "address",
        "connects",
        "through_prelude",
        "sets_env",
        "spawns",
        "spawns_here",
        "grouped",
        "as_other",
        "through_out",
        "ends::aborts",
        "ends::exits",
        "again::aborts",
        "other::anything",
    ];
    let out = instrumented(&[("src/lib.rs", lib)], &wanted);
    let held: Vec<&str> = wanted
        .iter()
        .enumerate()
        .filter(|(index, _)| out.unavailable.keys().any(|id| regress_core::idx::Idx::index(*id) == *index))
        .map(|(_, name)| *name)
        .collect();
    assert_eq!(
        held,
        [
            "direct",
            "renamed",
            "by_note",
            "calls",
            "closure",
            "connects",
            "through_prelude",
            "sets_env",
            "spawns",
            "spawns_here",
            "grouped",
            "as_other",
            "through_out",
            "other::anything",
        ]
    );
}

#[test]
fn tokens_are_tagged() {
    let check = |value: Value, expected: &str| assert_eq!(tokens(&[value]).expect("tokens"), expected);
    check(Value::int(IntTy::I8, -1), " i8:255");
    check(Value::Tuple(vec![Value::Bool(true), Value::Char('a')]), " t2 b1 c97");
    check(refer(text("hé")), " r s68c3a9");
    check(text(""), " s");
    check(Value::Seq(vec![some(u8v(1)), none()]), " q2 vSome u8:1 vNone");
    check(adt("demo::S", None, CtorKind::Unit, &[]), " k0");
    check(Value::F32(5), " f32:5");
    check(Value::formatter(), " o{}");
    let formatted = tokens(&[u8v(1), Value::formatter_of("{:.3}")]).expect("tokens");
    assert_eq!(formatted, " o{:.3} u8:1");
    assert!(matches!(tokens(&[Value::Opaque("closure".into())]), Err(HarnessError::NotBuildable(_))));
}

#[test]
fn nonsense_from_a_worker_is_an_error() {
    for line in ["", "X", "B", "B x []", "S x y", "é", ".."] {
        assert!(matches!(wire::reply(line), Err(HarnessError::Protocol(_))), "{line}");
    }
    assert_eq!(wire::reply(".").expect("a reply"), Reply::Done);
    for json in ["", "{}", "{\"returned\":{\"value\":1,\"mutated\":[]}}", "{\"returned\":"] {
        assert!(matches!(wire::outcome(json), Err(HarnessError::Protocol(_))), "{json}");
    }
}

#[test]
fn features_lose_what_only_development_dependencies_have() {
    let manifest = "[package]\nname = \"demo\"\n[dependencies]\na = \"1\"\n[dev-dependencies]\nb = \"1\"\na = \"1\"\n\
        [target.'cfg(unix)'.dev-dependencies]\nc = \"1\"\n[features]\nall = [\"a/x\", \"b/y\", \"c?/z\", \"more\"]\nmore = []\n";
    let role = manifest::Role {
        position: manifest::Position::WorkspaceRoot,
        worker_beside: Some("src/lib.rs".into()),
    };
    let adapted = manifest::adapt("Cargo.toml".into(), manifest, &role, manifest::DevDependencies::Remove);
    let adapted = adapted.expect("a manifest");
    assert!(!adapted.contains("dev-dependencies"), "{adapted}");
    let adapted: toml_edit::DocumentMut = adapted.parse().expect("TOML");
    let all: Vec<&str> = adapted["features"]["all"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|part| part.as_str())
        .collect();
    assert_eq!(all, ["a/x", "more"]);
    assert!(adapted.contains_key("workspace"));
    assert_eq!(adapted["bin"][0]["path"].as_str(), Some("src/__regress_worker.rs"));
    for broken in ["[package", "bin = 3\n"] {
        let refused = manifest::adapt("Cargo.toml".into(), broken, &role, manifest::DevDependencies::Keep);
        assert!(matches!(refused, Err(HarnessError::Manifest { .. })), "{broken}");
    }
}
