//! Real runs of cargo on tiny packages.

use std::fs;
use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_regress::extract::{
    BaseFeatures, CrateDumpFiles, DependencyInvocation, ExtractError, ExtractRequest, Extraction,
    FeatureChoice, LockPolicy, Origin, PackageChoice, Profile, Selection, Sharing, SkipReason, Spans,
    TargetKind, dump_dependencies, dump_spans, dump_stable_mir, extract, find_toolchain, std_models_dump,
};
use cargo_regress::progress::{Progress, Silent};
use tempfile::TempDir;

/// A folder with a tree and the places that an extraction needs.
struct Site {
    _folder: TempDir,
    base: Utf8PathBuf,
}

impl Site {
    /// Lays out `files`; each is a relative path and its text.
    fn new(files: &[(&str, &str)]) -> Site {
        let folder = TempDir::new().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let site = Site { _folder: folder, base };
        site.write("tree", files);
        site
    }

    fn write(&self, tree: &str, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.base.join(tree).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// A package `served` of a registry, served from a folder; the configuration of cargo that says so.
    fn serve(&self, build: &str, library: &str) -> String {
        let manifest =
            "[package]\nname = \"served\"\nversion = \"1.2.3\"\nedition = \"2021\"\n[features]\nextra = []\n";
        self.write(
            "vendor/served",
            &[
                ("Cargo.toml", manifest),
                ("build.rs", build),
                ("src/lib.rs", library),
                (".cargo-checksum.json", "{\"files\":{}}"),
            ],
        );
        let vendor = self.base.join("vendor");
        format!("[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"{vendor}\"\n")
    }

    /// A package that uses `served`, with a target directory of its own.
    fn user_of_served(&self, tree: &str, config: &str, feature: &str, body: &str) -> ExtractRequest {
        let dependency = format!("[dependencies]\nserved = {{ version = \"1\", features = [{feature}] }}\n");
        self.write(
            tree,
            &[
                ("Cargo.toml", &manifest("user", &dependency)),
                (".cargo/config.toml", config),
                ("src/lib.rs", body),
            ],
        );
        ExtractRequest { target_dir: self.target_of(tree), ..self.request_for(tree) }
    }

    fn target_of(&self, tree: &str) -> Utf8PathBuf {
        self.base.join(format!("target-{tree}"))
    }

    fn request(&self) -> ExtractRequest {
        self.request_for("tree")
    }

    fn request_for(&self, tree: &str) -> ExtractRequest {
        let root = self.base.join(tree);
        ExtractRequest {
            label: format!("the version {tree}"),
            above: None,
            tree_key: tree.to_owned(),
            manifest_path: root.join("Cargo.toml"),
            target_dir: self.base.join("target"),
            seed: None,
            cache_dir: self.base.join("cache"),
            selection: Selection::default(),
            lock: LockPolicy::Offline,
            jobs: None,
            toolchain: find_toolchain(&root).unwrap(),
            wrapper_program: env!("CARGO_BIN_EXE_cargo-regress").into(),
            root,
        }
    }
}

/// Collects what is said, to see whether cargo ran.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Progress for Listener {
    fn step(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

impl Listener {
    fn heard(&self, part: &str) -> bool {
        self.0.lock().unwrap().iter().any(|message| message.contains(part))
    }
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.3.0\"\nedition = \"2021\"\n{rest}")
}

fn mir(dumped: &CrateDumpFiles) -> String {
    fs::read_to_string(dumped.mir.path().unwrap_or_else(|| panic!("{:?}", dumped.mir))).unwrap()
}

fn dump_dependency(
    request: &ExtractRequest,
    dependency: &DependencyInvocation,
    progress: &dyn Progress,
) -> Result<CrateDumpFiles, ExtractError> {
    dump_dependencies(request, &[dependency], progress).map(|mut dumps| dumps.remove(0))
}

fn names(extraction: &Extraction) -> Vec<(&str, TargetKind)> {
    extraction.crates.iter().map(|dumped| (dumped.crate_name.as_str(), dumped.target)).collect()
}

#[test]
fn library_and_binary() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("two-parts", "[[bin]]\nname = \"two_parts\"\npath = \"src/main.rs\"\n")),
        (
            "src/lib.rs",
            "mod inner { pub struct Hidden { pub field: u8 } }\npub fn twice(x: u32) -> u32 { x * 2 }\n\
                        fn hidden(h: inner::Hidden) -> u8 { h.field }\npub fn call() -> u8 { hidden(inner::Hidden { field: 1 }) }",
        ),
        ("src/main.rs", "fn main() { println!(\"{}\", two_parts::twice(4)); }"),
    ]);
    let extraction = extract(&site.request(), &Silent).unwrap();
    assert_eq!(names(&extraction), [("two_parts", TargetKind::Library), ("two_parts", TargetKind::Binary)]);
    assert!(extraction.skipped.is_empty() && extraction.dependencies.is_empty());
    let library = &extraction.crates[0];
    assert_eq!((library.package_name.as_str(), library.package_version.as_str()), ("two-parts", "0.3.0"));
    assert_eq!((library.origin, &library.manifest_dir), (Origin::Selected, &site.base.join("tree")));
    let text = mir(library);
    assert!(text.contains("fn twice(_1: u32) -> u32 {"), "{text}");
    assert!(text.contains("MulWithOverflow"), "the profile is dev: {text}");
    assert!(text.contains("at src/lib.rs:2:"), "{text}");
    let graphs = fs::read_to_string(library.cfg.path().unwrap()).unwrap();
    assert!(graphs.contains("digraph") && graphs.contains("twice"));
    let items: serde_json::Value =
        serde_json::from_slice(&fs::read(library.rustdoc.path().unwrap()).unwrap()).unwrap();
    assert!(items["index"].as_object().unwrap().values().any(|item| item["name"] == "Hidden"));
    assert!(mir(&extraction.crates[1]).contains("fn main() -> () {"));
}

#[test]
fn second_run_is_from_the_cache_and_lost_dumps_are_made_again() {
    let site =
        Site::new(&[("Cargo.toml", &manifest("once", "")), ("src/lib.rs", "pub fn one() -> u8 { 1 }")]);
    let request = site.request();
    let first = extract(&request, &Silent).unwrap();
    let listener = Listener::default();
    let second = extract(&request, &listener).unwrap();
    assert!(listener.0.lock().unwrap().is_empty(), "{:?}", listener.0);
    assert_eq!(first.crates[0].mir, second.crates[0].mir);

    // Cargo takes the crate for fresh now; its call is on record all the same.
    fs::remove_file(first.crates[0].mir.path().unwrap()).unwrap();
    let third = extract(&request, &listener).unwrap();
    assert!(listener.heard("checking") && !listener.heard("Checking once"));
    assert!(mir(&third.crates[0]).contains("fn one()"));

    // Without the record too.
    fs::remove_dir_all(site.base.join("cache")).unwrap();
    for entry in site.base.join("target/regress-units").read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.extension() == Some("json") {
            fs::remove_file(path).unwrap();
        }
    }
    assert!(mir(&extract(&request, &Silent).unwrap().crates[0]).contains("fn one()"));
}

#[test]
fn another_tree_in_the_same_target_directory_is_compiled_anew() {
    let site = Site::new(&[]);
    let files = |body: &str| [("Cargo.toml", manifest("moving", "")), ("src/lib.rs", body.to_owned())];
    for (tree, body) in [("new", "pub fn f() -> u8 { 2 }"), ("old", "pub fn f() -> u8 { 1 }")] {
        let files = files(body);
        site.write(tree, &files.each_ref().map(|(path, text)| (*path, text.as_str())));
    }
    let dump_of = |tree: &str| mir(&extract(&site.request_for(tree), &Silent).unwrap().crates[0]);
    assert!(dump_of("new").contains("const 2_u8"));
    assert!(dump_of("old").contains("const 1_u8"));
    fs::remove_dir_all(site.base.join("cache")).unwrap();
    assert!(dump_of("new").contains("const 2_u8"));
}

#[test]
fn foreign_target_directory_is_left_alone() {
    let site = Site::new(&[("Cargo.toml", &manifest("shy", "")), ("src/lib.rs", "")]);
    site.write("target", &[("debug/precious", "work of the user")]);
    let message = extract(&site.request(), &Silent).unwrap_err().to_string();
    assert!(message.contains("holds the build of something else"), "{message}");
    assert!(site.base.join("target/debug/precious").is_file());
}

/// Paths that are spelled in another way than the compiler spells them must not make a package look foreign.
#[test]
fn detours_in_paths() {
    let site = Site::new(&[]);
    let lay_out = |tree: &str, body: &str| {
        site.write(tree, &[("Cargo.toml", &manifest("detour", "")), ("src/lib.rs", body)]);
        let mut request = site.request_for(tree);
        request.root = site.base.join(tree).join("src/..");
        request.manifest_path = request.root.join("Cargo.toml");
        request.target_dir = site.base.join("new/../target");
        request
    };
    let requests = [lay_out("new", "pub fn f() -> u8 { 2 }"), lay_out("old", "pub fn f() -> u8 { 1 }")];
    let [new, old] = requests.map(|request| mir(&extract(&request, &Silent).unwrap().crates[0]));
    assert!(new.contains("const 2_u8") && old.contains("const 1_u8"));
}

#[test]
fn requests_at_the_same_time() {
    let site = Site::new(WORKSPACE);
    let mut request = site.request();
    request.selection.packages = PackageChoice::Named(vec!["second".into()]);
    let dumps = std::thread::scope(|scope| {
        let threads = [(); 3].map(|()| {
            scope.spawn(|| {
                let extraction = extract(&request, &Silent).unwrap();
                let dependency = dump_dependency(&request, &extraction.dependencies[0], &Silent).unwrap();
                (mir(&extraction.crates[0]), mir(&dependency))
            })
        });
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(dumps[0].0.contains("fn main()") && dumps[0].1.contains("fn plus()"));
    assert!(dumps.iter().all(|dump| *dump == dumps[0]));
}

/// A dependency is asked for after another tree has taken over the target directory.
#[test]
fn dependency_of_a_version_that_moved_out() {
    let site = Site::new(WORKSPACE);
    site.write("other", WORKSPACE);
    site.write("other", &[("first/src/lib.rs", "pub fn plus() -> u8 { outside::one() + 77 }")]);
    let request = |tree: &str| {
        let mut request = site.request_for(tree);
        request.selection.packages = PackageChoice::Named(vec!["second".into()]);
        request
    };
    let mine = extract(&request("tree"), &Silent).unwrap();
    extract(&request("other"), &Silent).unwrap();
    let first = mine.dependencies.iter().find(|dependency| dependency.crate_name == "first").unwrap();
    let text = mir(&dump_dependency(&request("tree"), first, &Silent).unwrap());
    assert!(text.contains("const 1_u8") && !text.contains("77"), "{text}");
}

/// The build directory of one version begins as a copy of that of the other.
#[test]
fn foreign_dependencies_are_built_once_for_both_versions() {
    let site = Site::new(&[]);
    let config = site.serve(
        "fn main() { let out = std::env::var(\"OUT_DIR\").unwrap(); \
         std::fs::write(out + \"/made.rs\", \"pub fn made() -> u8 { 77 }\").unwrap() }",
        "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n#[cfg(feature = \"extra\")] pub fn extra() {}",
    );
    let request = |tree: &str, seed: Option<&str>, feature: &str, body: &str| {
        let seed = seed.map(|seed| site.target_of(seed));
        ExtractRequest { seed, ..site.user_of_served(tree, &config, feature, body) }
    };
    let heard = |request: &ExtractRequest| {
        let listener = Listener::default();
        let extraction = extract(request, &listener).unwrap();
        ((listener.heard(" served "), listener.heard("Checking user")), extraction)
    };
    let old = request("old", None, "", "pub fn f() -> u8 { served::made() }");
    assert_eq!(heard(&old).0, (true, true));

    let new = request("new", Some("old"), "", "pub fn f() -> u8 { served::made() + 42 }");
    let (built, extraction) = heard(&new);
    assert_eq!(built, (false, true));
    assert!(mir(&extraction.crates[0]).contains("const 42_u8"));
    // What was taken over does not need the place that it came from.
    fs::remove_dir_all(&old.target_dir).unwrap();
    let served = dump_dependency(&new, &extraction.dependencies[0], &Silent).unwrap();
    assert!(mir(&served).contains("const 77_u8"));
    assert!(served.invocation.arguments.iter().all(|argument| !argument.contains("target-old")));

    // Cargo sees that this one needs more of it.
    let featured = request("featured", Some("new"), "\"extra\"", "pub fn f() { served::extra() }");
    let (built, extraction) = heard(&featured);
    assert_eq!(built, (true, true));
    let served = dump_dependency(&featured, &extraction.dependencies[0], &Silent).unwrap();
    assert!(mir(&served).contains("fn extra()"));

    // From one that was left in the middle nothing is taken.
    fs::remove_file(new.target_dir.join("regress-units/occupant")).unwrap();
    let other = request("other", Some("new"), "", "pub fn f() {}");
    assert_eq!(heard(&other).0, (true, true));
}

/// A package of a registry, served from a folder. Both versions use it, each in its own target directory.
#[test]
fn registry_dependency_is_dumped_once_for_both_versions() {
    let site = Site::new(&[]);
    let config = site.serve(
        "fn main() { println!(\"cargo:rustc-env=DRINK={}\", std::env::var(\"CARGO_PKG_NAME\").unwrap()) }",
        "#![deny(warnings)]\nfn unused() {}\n\
         pub fn drink() -> &'static str { env!(\"DRINK\") }\n#[cfg(feature = \"extra\")] pub fn extra() {}",
    );
    let user = |tree: &str, feature: &str, body: &str| site.user_of_served(tree, &config, feature, body);
    let dump = |request: &ExtractRequest, progress: &dyn Progress| {
        let extraction = extract(request, &Silent).unwrap();
        assert_eq!(extraction.crates.len(), 1);
        let served = &extraction.dependencies[0];
        assert_eq!((served.origin, served.package_version.as_str()), (Origin::Registry, "1.2.3"));
        dump_dependency(request, served, progress).unwrap()
    };
    let old = dump(&user("old", "", "pub fn f() -> usize { served::drink().len() }"), &Silent);
    assert!(mir(&old).contains("\"served\"") && !mir(&old).contains("fn extra()"));

    let again = Listener::default();
    let new = dump(&user("new", "", "pub fn f() -> usize { served::drink().len() + 1 }"), &again);
    assert!(again.0.lock().unwrap().is_empty(), "{:?}", again.0);
    assert_eq!(old.mir, new.mir);
    assert!(new.invocation.unit.out_dir.contains("target-new"));

    let featured = dump(&user("featured", "\"extra\"", "pub fn f() {}"), &Silent);
    assert!(mir(&featured).contains("fn extra()"));

    // What a build script writes counts, and is not shared if it tells where it lies.
    let made = |tree: &str, value: &str| {
        let script = format!(
            "fn main() {{ let out = std::env::var(\"OUT_DIR\").unwrap(); \
             std::fs::write(format!(\"{{out}}/made.rs\"), format!(\"const MADE: &str = {{:?}};\", {value})).unwrap() }}"
        );
        let library = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
                       pub fn drink() -> &'static str { MADE }";
        site.write("vendor/served", &[("build.rs", &script), ("src/lib.rs", library)]);
        let request = user(tree, "", "pub fn f() {}");
        let extraction = extract(&request, &Silent).unwrap();
        let served = &extraction.dependencies[0];
        (served.sharing, dump_dependency(&request, served, &Silent).unwrap().mir)
    };
    let (sharing, mir) = made("made", "\"one\"");
    assert_eq!(sharing, Sharing::AllVersions);
    assert_eq!(made("made-alike", "\"one\"").1, mir);
    assert_ne!(made("made-otherwise", "\"two\"").1, mir);
    assert_eq!(made("placed", "out").0, Sharing::ThisVersion);

    // A registry package can be compiled with one of the tree, which another commit changes.
    site.write(
        "vendor/served",
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"served\"\nversion = \"1.2.3\"\n[dependencies]\nglass = \"1\"\n",
            ),
            ("src/lib.rs", "pub fn drink() -> u8 { glass::SIZE }"),
        ],
    );
    let patched = |tree: &str, size: &str| {
        let request = user(tree, "", "pub fn f() -> u8 { served::drink() }");
        let rest = "[dependencies]\nserved = \"1\"\n[patch.crates-io]\nglass = { path = \"glass\" }\n";
        site.write(
            tree,
            &[
                ("Cargo.toml", &manifest("user", rest)),
                ("glass/Cargo.toml", "[package]\nname = \"glass\"\nversion = \"1.0.0\"\n"),
                ("glass/src/lib.rs", &format!("pub const SIZE: u8 = {size};")),
            ],
        );
        let extraction = extract(&request, &Silent).unwrap();
        let served =
            extraction.dependencies.iter().find(|dependency| dependency.crate_name == "served").unwrap();
        assert_eq!((served.origin, served.sharing), (Origin::Registry, Sharing::ThisVersion));
        dump_dependency(&request, served, &Silent).unwrap().mir
    };
    assert_ne!(patched("small", "3"), patched("large", "5"));
}

const WORKSPACE: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"first\", \"second\"]\nexclude = [\"outside\"]\nresolver = \"2\"\n",
    ),
    (
        "first/Cargo.toml",
        "[package]\nname = \"first\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\noutside = { path = \"../outside\" }\n",
    ),
    ("first/src/lib.rs", "pub fn plus() -> u8 { outside::one() + 1 }"),
    (
        "second/Cargo.toml",
        "[package]\nname = \"second\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nfirst = { path = \"../first\" }\n",
    ),
    ("second/src/main.rs", "fn main() { std::process::exit(first::plus() as i32) }"),
    ("outside/Cargo.toml", "[package]\nname = \"outside\"\nversion = \"0.2.0\"\nedition = \"2021\"\n"),
    ("outside/src/lib.rs", "pub fn one() -> u8 { 1 }"),
];

fn check_workspace(manifest_path: &str, packages: PackageChoice, expected: &[&str], dependencies: &[&str]) {
    let site = Site::new(WORKSPACE);
    let mut request = site.request();
    request.manifest_path = request.root.join(manifest_path);
    request.selection.packages = packages;
    let extraction = extract(&request, &Silent).unwrap();
    let dumped: Vec<&str> = extraction.crates.iter().map(|dumped| dumped.crate_name.as_str()).collect();
    assert_eq!(dumped, expected);
    let known: Vec<&str> = extraction.dependencies.iter().map(|known| known.crate_name.as_str()).collect();
    assert_eq!(known, dependencies);
    for dependency in &extraction.dependencies {
        assert_eq!(dependency.origin, Origin::Path);
        let dumped = dump_dependency(&request, dependency, &Silent).unwrap();
        assert!(mir(&dumped).contains("() -> u8 {"));
        let again = Listener::default();
        dump_dependency(&request, dependency, &again).unwrap();
        assert!(again.0.lock().unwrap().is_empty(), "a dependency is dumped once");
    }
}

#[test]
fn whole_workspace() {
    check_workspace("Cargo.toml", PackageChoice::Default, &["first", "second"], &["outside"]);
}

#[test]
fn named_member() {
    check_workspace(
        "Cargo.toml",
        PackageChoice::Named(vec!["sec*".into()]),
        &["second"],
        &["first", "outside"],
    );
}

#[test]
fn excluded_member() {
    let packages = PackageChoice::Workspace { exclude: vec!["second".into()] };
    check_workspace("Cargo.toml", packages, &["first"], &["outside"]);
}

#[test]
fn manifest_of_a_member() {
    check_workspace("first/Cargo.toml", PackageChoice::Default, &["first"], &["outside"]);
}

#[test]
fn unknown_package_is_named_with_what_there_is() {
    let site = Site::new(WORKSPACE);
    let mut request = site.request();
    request.selection.packages = PackageChoice::Named(vec!["third".into()]);
    let message = extract(&request, &Silent).unwrap_err().to_string();
    assert!(message.contains("`third`") && message.contains("first, second"), "{message}");
    assert!(message.contains("the version tree"), "{message}");
}

#[test]
fn build_script_and_its_environment() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("built", "")),
        (
            "build.rs",
            "use std::{env, fs, path::Path};\n\
             fn main() {\n\
                 let out = env::var(\"OUT_DIR\").unwrap();\n\
                 let bootstrap = env::var_os(\"RUSTC_BOOTSTRAP\").is_some();\n\
                 let text = format!(\"pub fn made() -> u16 {{ 4711 }} pub const BOOTSTRAP: bool = {bootstrap};\");\n\
                 fs::write(Path::new(&out).join(\"made.rs\"), text).unwrap();\n\
                 println!(\"cargo:rustc-env=FROM_SCRIPT=said by the script\");\n\
                 println!(\"cargo:rustc-cfg=from_script\");\n\
                 println!(\"cargo:rustc-check-cfg=cfg(from_script)\");\n\
                 // A build script may ask the compiler what it can do; that is no unit.\n\
                 let probe = std::process::Command::new(env::var(\"RUSTC_WRAPPER\").unwrap())\n\
                     .arg(env::var(\"RUSTC\").unwrap()).args([\"-vV\"]).output().unwrap();\n\
                 assert!(String::from_utf8(probe.stdout).unwrap().contains(\"release:\"));\n\
             }",
        ),
        (
            "src/lib.rs",
            "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
             pub fn said() -> &'static str { env!(\"FROM_SCRIPT\") }\n\
             #[cfg(from_script)] pub fn configured() -> bool { BOOTSTRAP }\n\
             pub fn version() -> &'static str { env!(\"CARGO_PKG_VERSION\") }",
        ),
    ]);
    let extraction = extract(&site.request(), &Silent).unwrap();
    assert_eq!(names(&extraction), [("built", TargetKind::Library)]);
    let text = mir(&extraction.crates[0]);
    for part in [
        "4711_u16",
        "said by the script",
        "fn configured()",
        "\"0.3.0\"",
        "const BOOTSTRAP: bool = const false",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn features_and_required_features() {
    let rest = "[features]\ndefault = [\"a\"]\na = []\nb = []\n\
                [[bin]]\nname = \"needy\"\npath = \"src/needy.rs\"\nrequired-features = [\"b\"]\n";
    let site = Site::new(&[
        ("Cargo.toml", &manifest("flags", rest)),
        (
            "src/lib.rs",
            "#[cfg(feature = \"a\")] pub fn with_a() {}\n#[cfg(feature = \"b\")] pub fn with_b() {}",
        ),
        ("src/needy.rs", "fn main() { flags::with_b() }"),
    ]);
    let dump_with = |base: BaseFeatures, named: &[&str]| {
        let mut request = site.request();
        request.selection.features =
            FeatureChoice { base, named: named.iter().map(|n| (*n).to_owned()).collect() };
        let extraction = extract(&request, &Silent).unwrap();
        let text = mir(&extraction.crates[0]);
        let reasons: Vec<SkipReason> = extraction.skipped.into_iter().map(|skipped| skipped.reason).collect();
        (text.contains("fn with_a()"), text.contains("fn with_b()"), reasons)
    };
    let needs_b = vec![SkipReason::RequiredFeatures(vec!["b".into()])];
    assert_eq!(dump_with(BaseFeatures::Default, &[]), (true, false, needs_b.clone()));
    assert_eq!(dump_with(BaseFeatures::None, &[]), (false, false, needs_b));
    assert_eq!(dump_with(BaseFeatures::None, &["b"]), (false, true, vec![]));
    assert_eq!(dump_with(BaseFeatures::All, &[]), (true, true, vec![]));
}

#[test]
fn release_profile_has_no_overflow_checks() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("fast", "")),
        ("src/lib.rs", "pub fn f(x: u8) -> u8 { x + 1 }"),
    ]);
    let mut request = site.request();
    request.selection.profile = Profile::Release;
    let text = mir(&extract(&request, &Silent).unwrap().crates[0]);
    assert!(text.contains("Add(") && !text.contains("AddWithOverflow"), "{text}");
}

#[test]
fn denied_warnings_do_not_stop_the_check() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("strict", "")),
        ("src/lib.rs", "#![deny(warnings, missing_docs)]\npub fn undocumented() { let unused = 1; }"),
    ]);
    assert!(mir(&extract(&site.request(), &Silent).unwrap().crates[0]).contains("fn undocumented()"));
}

#[test]
fn compile_error_is_shown_as_rustc_says_it() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("broken", "")),
        ("src/lib.rs", "pub fn wrong() -> u8 { \"text\" }"),
    ]);
    match extract(&site.request(), &Silent).unwrap_err() {
        ExtractError::DoesNotCompile { label, diagnostics } => {
            assert_eq!(label, "the version tree");
            assert!(diagnostics.contains("error[E0308]: mismatched types"), "{diagnostics}");
            assert!(diagnostics.contains("--> src/lib.rs:1:24"), "{diagnostics}");
        }
        other => panic!("{other:?}"),
    }
    // Once mended, the version is dumped as if nothing had been.
    site.write("tree", &[("src/lib.rs", "pub fn right() -> u8 { 7 }")]);
    let mended = ExtractRequest { tree_key: "mended".into(), ..site.request() };
    assert!(mir(&extract(&mended, &Silent).unwrap().crates[0]).contains("fn right()"));
    let mut left = Vec::new();
    list(&site.base.join("cache"), &mut left);
    left.retain(|path| path.file_name() == Some("extraction.json"));
    assert_eq!(left.len(), 1, "a failed check leaves nothing in the cache: {left:?}");
}

#[test]
fn what_cargo_refuses_is_said() {
    let check = |files: &[(&str, &str)], part: &str| {
        let message = extract(&Site::new(files).request(), &Silent).unwrap_err().to_string();
        assert!(message.contains(part) && message.contains("the version tree"), "{message}");
    };
    check(&[("Cargo.toml", "[package\n"), ("src/lib.rs", "")], "Cargo.toml:1");
    check(&[("Cargo.toml", &manifest("empty", ""))], "no targets specified");
    check(&[("Cargo.toml", &manifest("tests-only", "")), ("tests/a.rs", "")], "neither a library");
    check(
        &[("Cargo.toml", &manifest("examples-only", "")), ("examples/a.rs", "fn main() {}")],
        "neither a library",
    );
    let script = "fn main() { panic!(\"the script gives up\") }";
    check(
        &[("Cargo.toml", &manifest("s", "")), ("src/lib.rs", ""), ("build.rs", script)],
        "the script gives up",
    );
    let wrong_feature = Site::new(&[("Cargo.toml", &manifest("f", "")), ("src/lib.rs", "")]);
    let mut request = wrong_feature.request();
    request.selection.features.named = vec!["absent".into()];
    let message = extract(&request, &Silent).unwrap_err().to_string();
    assert!(message.contains("absent"), "{message}");
}

#[test]
fn procedural_macros_work_and_are_not_dumped() {
    let site = Site::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"user\", \"maker\"]\nresolver = \"2\"\n"),
        (
            "maker/Cargo.toml",
            "[package]\nname = \"maker\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
        ),
        (
            "maker/src/lib.rs",
            "#[proc_macro] pub fn make(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
             \"pub fn made() -> u8 { 9 }\".parse().unwrap() }",
        ),
        (
            "user/Cargo.toml",
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nmaker = { path = \"../maker\" }\n",
        ),
        ("user/src/lib.rs", "maker::make!();"),
    ]);
    let extraction = extract(&site.request(), &Silent).unwrap();
    assert_eq!(names(&extraction), [("user", TargetKind::Library)]);
    assert!(mir(&extraction.crates[0]).contains("fn made()"));
    assert!(extraction.dependencies.is_empty());
    assert_eq!(extraction.skipped.len(), 1);
    assert_eq!(extraction.skipped[0].reason, SkipReason::ProcMacro);
}

#[test]
fn captures_of_closures_are_in_the_other_printer() {
    let site = Site::new(&[
        ("Cargo.toml", &manifest("closures", "")),
        (
            "src/lib.rs",
            "pub struct P { pub x: u8, pub y: u8 }\npub fn f(p: P) -> u8 { let c = || p.x + p.y; c() }",
        ),
    ]);
    let request = site.request();
    let extraction = extract(&request, &Silent).unwrap();
    let dump = dump_stable_mir(&request, &extraction.crates[0], &Silent).unwrap();
    let text = fs::read_to_string(dump.path().unwrap_or_else(|| panic!("{dump:?}"))).unwrap();
    assert!(text.contains("fn f(_1: P) -> u8") || text.contains("fn f(_1: closures::P) -> u8"), "{text}");
    assert_eq!(dump_stable_mir(&request, &extraction.crates[0], &Silent).unwrap(), dump);
}

#[test]
fn spans_of_a_crate_with_tables_of_wide_characters_come_later() {
    let table = format!("pub const TABLE: &[char] = &[{}];", "'\u{e4}', ".repeat(1_000));
    let main = "mod table;\npub fn first() -> char {\n    table::TABLE[0]\n}";
    let site =
        Site::new(&[("Cargo.toml", &manifest("wide", "")), ("src/lib.rs", main), ("src/table.rs", &table)]);
    let request = site.request();
    let dumped = &extract(&request, &Silent).unwrap().crates[0];
    let plain = mir(dumped);
    assert_eq!(dumped.spans, Spans::Left);
    assert!(plain.contains("fn first() -> char {") && !plain.contains(" at src/lib.rs"));
    let spans = dump_spans(&request, dumped, &Silent).unwrap();
    let text = fs::read_to_string(spans.path().unwrap()).unwrap();
    assert!(text.contains("fn first() -> char {") && text.contains(" at src/lib.rs:3:"));
    assert_eq!(dump_spans(&request, dumped, &Silent).unwrap(), spans);
}

#[test]
fn models_of_the_standard_library() {
    let site = Site::new(&[("Cargo.toml", &manifest("any", ""))]);
    let request = site.request();
    let dump = |sources: &[(&str, &str)], progress: &dyn Progress| {
        std_models_dump(sources, &request.toolchain, &request.cache_dir, progress)
    };
    let sources = [
        ("src/lib.rs", "pub mod option;"),
        ("src/option.rs", "pub fn is_some(o: Option<u8>) -> bool { o.is_some() }"),
    ];
    let dumped = dump(&sources, &Silent).unwrap();
    assert_eq!((dumped.crate_name.as_str(), dumped.origin), ("std_models", Origin::StdModels));
    let text = mir(&dumped);
    assert!(text.contains("fn option::is_some(") && text.contains("at src/option.rs:1:"), "{text}");
    assert!(dumped.directory.join("src/option.rs").is_file());
    let again = Listener::default();
    assert_eq!(dump(&sources, &again).unwrap().mir, dumped.mir);
    assert!(again.0.lock().unwrap().is_empty());
    let error = dump(&[("src/lib.rs", "fn broken( {}")], &Silent).unwrap_err().to_string();
    assert!(error.contains("models") && error.contains("src/lib.rs:1:"), "{error}");
}

const INNER_WRAPPER_TREE: &str = "TREE_FOR_THE_INNER_WRAPPER";

/// The environment of this process must not change under the other tests, so the extraction runs in a child.
#[test]
#[cfg(unix)]
fn the_users_own_wrapper_is_chained() {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::new(&[("Cargo.toml", &manifest("wrapped", "")), ("src/lib.rs", "pub fn f() {}")]);
    let (script, log) = (site.base.join("wrapper.sh"), site.base.join("log"));
    fs::write(&script, format!("#!/bin/sh\necho \"$@\" >> {log}\nexec \"$@\"\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "extraction_in_a_child"])
        .env(INNER_WRAPPER_TREE, &site.base)
        .env("RUSTC_WRAPPER", &script)
        .env("SECRET_OF_THE_USER", "do-not-write-this")
        .status()
        .unwrap();
    assert!(status.success());
    let log = fs::read_to_string(log).unwrap();
    let compiled: Vec<&str> = log.lines().filter(|line| line.contains("--crate-name wrapped")).collect();
    assert_eq!(compiled.len(), 1, "once by cargo; the replays go to rustc itself: {log}");
    assert!(compiled[0].contains("/rustc --crate-name"), "the compiler is the first argument: {log}");
    let mut files = Vec::new();
    list(&site.base, &mut files);
    for file in files {
        let leaked = fs::read(&file).unwrap().windows(17).any(|window| window == b"do-not-write-this");
        assert!(!leaked, "{file} holds a variable of the user");
    }
}

#[test]
#[ignore = "the child of the_users_own_wrapper_is_chained"]
fn extraction_in_a_child() {
    let base = Utf8PathBuf::from(std::env::var(INNER_WRAPPER_TREE).unwrap());
    let site = Site { _folder: TempDir::new().unwrap(), base };
    let extraction = extract(&site.request(), &Silent).unwrap();
    assert!(mir(&extraction.crates[0]).contains("fn f()"));
}

/// No half-written folder stays behind.
#[test]
fn cache_holds_only_complete_folders() {
    let site = Site::new(&[("Cargo.toml", &manifest("tidy", "")), ("src/lib.rs", "pub fn f() {}")]);
    extract(&site.request(), &Silent).unwrap();
    let mut files = Vec::new();
    list(&site.base.join("cache"), &mut files);
    files.retain(|path| path.extension() != Some("lock"));
    // Graph headers, spans with bodies, rustdoc's types, the expanded source, what holds them together, and how long they are.
    assert_eq!(files.len(), 6, "{files:?}");
    assert!(!files.iter().any(|path| path.as_str().ends_with(".tmp")), "{files:?}");
    let session = |path: &Utf8PathBuf| path.file_name().is_some_and(|name| name.starts_with("session"));
    list(&site.base.join("target/regress-units"), &mut files);
    assert!(!files.iter().any(session), "{files:?}");
}

fn list(folder: &Utf8Path, files: &mut Vec<Utf8PathBuf>) {
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() { list(&path, files) } else { files.push(path) }
    }
}
