//! Argument lists: what a call of rustc compiles, and how the same call prints MIR instead.
//!
//! Cargo decides how a unit is compiled: features, `cfg`s, editions, dependencies, output folders. To print the MIR of
//! exactly that unit we take the argument list that cargo used and change only what concerns output. Everything here
//! works on lists of strings; nothing is run and no file is read.
//!
//! Limits: an option that is unknown here is kept as it is, in its place, so a new compiler option can make a replay
//! fail but can never be lost. Response files (`@path`) must be expanded by the caller.

use serde::{Deserialize, Serialize};

/// Long options whose value may stand in the argument that follows.
const LONG_WITH_VALUE: &[&str] = &[
    "allow",
    "cap-lints",
    "cfg",
    "check-cfg",
    "codegen",
    "color",
    "crate-name",
    "crate-type",
    "deny",
    "diagnostic-width",
    "edition",
    "emit",
    "env-set",
    "error-format",
    "explain",
    "extern",
    "forbid",
    "force-warn",
    "json",
    "out-dir",
    "print",
    "remap-path-prefix",
    "sysroot",
    "target",
    "warn",
];

/// Short options that take a value, attached or in the argument that follows.
const SHORT_WITH_VALUE: &[char] = &['A', 'C', 'D', 'F', 'L', 'W', 'Z', 'l', 'o'];

/// Long options that only say where output goes and what it looks like.
const OUTPUT_OPTIONS: &[&str] =
    &["cap-lints", "color", "diagnostic-width", "emit", "error-format", "json", "out-dir", "print"];

/// Code generation options that name files or stores of the original call.
const OUTPUT_CODEGEN: &[&str] = &["extra-filename", "incremental", "save-temps"];

/// Code generation options that mean nothing to rustdoc; some of its versions reject them.
const CODEGEN_UNKNOWN_TO_RUSTDOC: &[&str] =
    &["debuginfo", "embed-bitcode", "prefer-dynamic", "split-debuginfo", "strip"];

/// Flags of every dump of bodies.
///
/// `mir-opt-level=0` keeps the bodies closest to the source. The removed passes insert pointer checks that no source
/// line asked for. Full paths and closures named without source positions make names independent of formatting.
const MIR_FLAGS: &[&str] = &[
    "-Zmir-opt-level=0",
    "-Zmir-enable-passes=-CheckAlignment,-CheckNull,-CheckEnums,+RemoveStorageMarkers",
    "-Ztrim-diagnostic-paths=no",
    "-Zspan-free-formats",
];

/// One argument, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// `--name=value` or `--name value`.
    Long { name: String, value: String },
    /// `-C value` or `-Cvalue`.
    Short { letter: char, value: String },
    /// Any other option, kept as written.
    Flag(String),
    /// The source file, or `-`.
    Input(String),
}

impl Argument {
    /// Name and value of a `-C name=value` or `--codegen name=value`.
    pub(super) fn codegen(&self) -> Option<(&str, &str)> {
        let text = match self {
            Argument::Long { name, value } if name == "codegen" => value,
            Argument::Short { letter: 'C', value } => value,
            _ => return None,
        };
        Some(text.split_once('=').unwrap_or((text, "")))
    }

    fn long(&self, wanted: &str) -> Option<&str> {
        match self {
            Argument::Long { name, value } if name == wanted => Some(value),
            _ => None,
        }
    }

    fn is_output(&self) -> bool {
        match self {
            Argument::Long { name, .. } if OUTPUT_OPTIONS.contains(&name.as_str()) => true,
            Argument::Short { letter: 'o', .. } => true,
            // The dumps choose these themselves; rustc takes the first of two, not ours.
            Argument::Short { letter: 'Z', value } => value.starts_with("unpretty"),
            _ => self.codegen().is_some_and(|(name, _)| same_option(name, OUTPUT_CODEGEN)),
        }
    }

    fn render(&self, out: &mut Vec<String>) {
        match self {
            Argument::Long { name, value } => out.push(format!("--{name}={value}")),
            Argument::Short { letter, value } => out.extend([format!("-{letter}"), value.clone()]),
            Argument::Flag(text) | Argument::Input(text) => out.push(text.clone()),
        }
    }
}

/// The compiler reads `-` and `_` in option names alike.
pub(super) fn same_option(name: &str, among: &[&str]) -> bool {
    among.iter().any(|known| known.len() == name.len() && name.replace('_', "-") == **known)
}

pub(super) fn parse(arguments: &[String]) -> Vec<Argument> {
    let mut parsed = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter();
    while let Some(text) = rest.next() {
        parsed.push(parse_one(text, &mut rest));
    }
    parsed
}

fn parse_one(text: &str, rest: &mut std::slice::Iter<'_, String>) -> Argument {
    if let Some(long) = text.strip_prefix("--") {
        if let Some((name, value)) = long.split_once('=') {
            return Argument::Long { name: name.to_owned(), value: value.to_owned() };
        }
        if LONG_WITH_VALUE.contains(&long)
            && let Some(value) = rest.next()
        {
            return Argument::Long { name: long.to_owned(), value: value.clone() };
        }
        return Argument::Flag(text.to_owned());
    }
    let mut characters = text.chars();
    if characters.next() == Some('-')
        && let Some(letter) = characters.next()
    {
        if SHORT_WITH_VALUE.contains(&letter) {
            let attached = characters.as_str();
            if !attached.is_empty() {
                return Argument::Short { letter, value: attached.to_owned() };
            }
            if let Some(value) = rest.next() {
                return Argument::Short { letter, value: value.clone() };
            }
        }
        return Argument::Flag(text.to_owned());
    }
    Argument::Input(text.to_owned())
}

/// What kind of crate a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    Library,
    Binary,
    ProcMacro,
    /// Compiled with `--test`: a test target, or a target with its unit tests.
    Test,
}

/// What a unit is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Only metadata is asked for. Under `cargo check` these are the units of the program itself.
    Check,
    /// Machine code is asked for. Under `cargo check` these are build scripts, procedural macros, and what those
    /// depend on: code that runs while building and is no part of the program.
    Build,
}

/// A compilation that cargo asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    pub crate_name: String,
    pub kind: UnitKind,
    pub purpose: Purpose,
    /// Crate name and cargo's hash of the unit, as in `libSTEM.rmeta`. Unique in one target directory.
    pub stem: String,
    /// The folder its artifacts go to.
    pub out_dir: String,
}

/// What a call of the compiler is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Unit(Unit),
    /// A question for the version or for `cfg`s, or a probe by a build script: not a unit of cargo's plan.
    Probe,
}

/// Tells what a call of rustc (its arguments without the program) compiles.
///
/// Cargo gives each unit a crate name, a metadata hash, an output folder and the wish for metadata. Probes, by cargo
/// and by build scripts, lack at least one of these.
pub fn classify(arguments: &[String]) -> Call {
    let arguments = parse(arguments);
    match unit_of(&arguments) {
        Some(unit) => Call::Unit(unit),
        None => Call::Probe,
    }
}

fn unit_of(arguments: &[Argument]) -> Option<Unit> {
    let long = |name| arguments.iter().find_map(|argument| argument.long(name));
    let codegen = |wanted: &str| {
        arguments
            .iter()
            .filter_map(Argument::codegen)
            .find(|(name, _)| same_option(name, &[wanted]))
            .map(|(_, v)| v)
    };
    let source_is_file =
        arguments.iter().any(|argument| matches!(argument, Argument::Input(path) if path != "-"));
    let crate_name = long("crate-name").filter(|name| *name != "___")?;
    let out_dir = long("out-dir")?;
    let metadata = codegen("metadata")?;
    let emits: Vec<&str> =
        long("emit")?.split(',').map(|emit| emit.split_once('=').map_or(emit, |(kind, _)| kind)).collect();
    if !source_is_file || !emits.contains(&"dep-info") {
        return None;
    }
    let crate_types: Vec<&str> = arguments
        .iter()
        .filter_map(|argument| argument.long("crate-type"))
        .flat_map(|types| types.split(','))
        .collect();
    let kind = if arguments.iter().any(|argument| *argument == Argument::Flag("--test".to_owned())) {
        UnitKind::Test
    } else if crate_types.contains(&"proc-macro") {
        UnitKind::ProcMacro
    } else if crate_types.is_empty() || crate_types == ["bin"] {
        UnitKind::Binary
    } else {
        UnitKind::Library
    };
    let suffix = codegen("extra-filename").map_or_else(|| format!("-{metadata}"), str::to_owned);
    Some(Unit {
        crate_name: crate_name.to_owned(),
        kind,
        purpose: if emits.contains(&"link") { Purpose::Build } else { Purpose::Check },
        stem: format!("{crate_name}{suffix}"),
        out_dir: out_dir.to_owned(),
    })
}

/// The stems (see [`Unit::stem`]) of the crates that a call is given directly, by `--extern`.
pub fn extern_stems(arguments: &[String]) -> Vec<String> {
    let parsed = parse(arguments);
    let files =
        parsed.iter().filter_map(|argument| argument.long("extern")?.split_once('=').map(|(_, file)| file));
    files.map(stem_of_artifact).collect()
}

/// The names under which a call is given other crates, by `--extern`.
pub fn extern_names(arguments: &[String]) -> Vec<String> {
    let parsed = parse(arguments);
    let named = parsed.iter().filter_map(|argument| argument.long("extern"));
    let name = |text: &str| {
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        // Options stand before the name: `noprelude:core`.
        name.rsplit_once(':').map_or(name, |(_, name)| name).to_owned()
    };
    named.map(name).collect()
}

/// `dep-33cc` for `/t/debug/deps/libdep-33cc.rmeta`.
fn stem_of_artifact(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    // Procedural macros have no such prefix on some systems, and a crate may be called `lib...`; cargo's own names
    // carry it wherever there is an `.rmeta` or `.rlib`.
    let has_prefix = !name.ends_with(".dll");
    stem.strip_prefix("lib").filter(|_| has_prefix).unwrap_or(stem).to_owned()
}

/// A way in which rustc prints bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MirView {
    /// The bodies, each statement with its place in the source.
    Bodies,
    /// The bodies without places.
    PlainBodies,
    /// Graphs, of which only the headers matter: they name each body by type and trait.
    Graphs,
    /// The bodies once more in the other printer of rustc, which names all captures of a closure.
    Stable,
    /// No bodies: the source after `cfg` and macros, with attributes.
    Expanded,
    /// The same as rustdoc sees it, which sets `doc`.
    ExpandedForDoc,
}

/// Arguments that print the MIR of the unit compiled by `arguments` into `output`.
///
/// The compiler must be run with `RUSTC_BOOTSTRAP=1`, in the folder and the environment of the original call.
pub fn mir_arguments(arguments: &[String], view: MirView, output: &str) -> Vec<String> {
    let mut replayed = Vec::with_capacity(arguments.len() + 8);
    for argument in parse(arguments).iter().filter(|argument| !argument.is_output()) {
        argument.render(&mut replayed);
    }
    // Lints were reported by the original call already, and must not stop this one.
    replayed.push("--cap-lints=allow".to_owned());
    replayed.extend(MIR_FLAGS.iter().map(|flag| (*flag).to_owned()));
    replayed.extend(view_flags(view).iter().map(|flag| (*flag).to_owned()));
    replayed.extend(["-o".to_owned(), output.to_owned()]);
    replayed
}

fn view_flags(view: MirView) -> &'static [&'static str] {
    match view {
        MirView::Bodies => &["-Zmir-include-spans=on", "-Zunpretty=mir"],
        MirView::PlainBodies => &["-Zunpretty=mir"],
        MirView::Graphs => &["-Zunpretty=mir-cfg"],
        MirView::Stable => &["-Zunpretty=stable-mir"],
        MirView::Expanded => &["-Zunpretty=expanded"],
        MirView::ExpandedForDoc => &["-Zunpretty=expanded", "--cfg=doc"],
    }
}

/// Arguments with which rustdoc describes the items of the unit compiled by `arguments` as JSON, in the folder
/// `output_folder`, as `CRATE_NAME.json`.
///
/// rustdoc must be run with `RUSTC_BOOTSTRAP=1`, in the folder and the environment of the original call.
pub fn rustdoc_arguments(arguments: &[String], output_folder: &str) -> Vec<String> {
    let mut replayed = Vec::with_capacity(arguments.len() + 8);
    for argument in parse(arguments).iter().filter(|argument| !argument.is_output()) {
        match argument {
            // rustdoc does not link.
            Argument::Short { letter: 'l', .. } => {}
            Argument::Flag(flag) if flag == "-g" => {}
            Argument::Flag(flag) if flag == "-O" => {
                replayed.extend(["-C".to_owned(), "opt-level=3".to_owned()])
            }
            // To rustdoc `--test` means to run the examples; the items under `cfg(test)` are what is wanted.
            Argument::Flag(flag) if flag == "--test" => replayed.push("--cfg=test".to_owned()),
            _ if argument
                .codegen()
                .is_some_and(|(name, _)| same_option(name, CODEGEN_UNKNOWN_TO_RUSTDOC)) => {}
            _ => argument.render(&mut replayed),
        }
    }
    let ours = [
        "--cap-lints=allow",
        "-Zunstable-options",
        "--output-format=json",
        "--document-private-items",
        "--document-hidden-items",
        "-o",
        output_folder,
    ];
    replayed.extend(ours.map(str::to_owned));
    replayed
}

/// Arguments that compile a lone source file, for crates that are not built by cargo.
pub fn lone_crate_arguments(crate_name: &str, edition: &str, source: &str) -> Vec<String> {
    [&format!("--crate-name={crate_name}"), &format!("--edition={edition}"), "--crate-type=lib", source]
        .map(str::to_owned)
        .to_vec()
}

/// Code generation options on which a library and what it is linked into have to agree, or that concern the machine it is for.
const CODEGEN_OF_ALL_CRATES: &[&str] =
    &["code-model", "relocation-model", "soft-float", "target-cpu", "target-feature"];

/// What a crate without dependencies has to be compiled with, so that it can be linked into what the call compiles.
pub fn shared_arguments(call: &[String]) -> Vec<String> {
    let mut shared = Vec::new();
    for argument in parse(call) {
        let is_shared = match &argument {
            Argument::Long { name, .. } => ["target", "sysroot"].contains(&name.as_str()),
            Argument::Short { letter: 'Z', .. } => !argument.is_output(),
            _ => argument.codegen().is_some_and(|(name, _)| same_option(name, CODEGEN_OF_ALL_CRATES)),
        };
        if is_shared {
            argument.render(&mut shared);
        }
    }
    shared
}

/// The source file that a call compiles, as the call names it.
pub fn source_of(call: &[String]) -> Option<String> {
    parse(call).into_iter().find_map(|argument| match argument {
        Argument::Input(path) => Some(path),
        _ => None,
    })
}

/// `arguments` with lints turned from errors into warnings, unless a level is already given.
///
/// A commit of last year under `#![deny(warnings)]` must still be checked by the compiler of today, which knows more
/// lints. What the program means does not depend on lints.
pub fn with_capped_lints(arguments: &[String]) -> Vec<String> {
    let mut capped = arguments.to_vec();
    if !parse(arguments).iter().any(|argument| argument.long("cap-lints").is_some()) {
        capped.push("--cap-lints=warn".to_owned());
    }
    capped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    const LIBRARY: &str = "--crate-name sem --edition=2021 src/lib.rs --error-format=json \
        --json=diagnostic-rendered-ansi,artifacts --diagnostic-width=80 --crate-type lib --emit=dep-info,metadata \
        -C embed-bitcode=no -C debuginfo=2 --cfg feature=\"std\" --check-cfg cfg(docsrs) -C metadata=11aa \
        -C extra-filename=-22bb --out-dir /t/debug/deps -C incremental=/t/debug/incremental \
        -L dependency=/t/debug/deps --extern dep=/t/debug/deps/libdep-33cc.rmeta";

    #[test]
    fn crates_are_given_under_names() {
        let call = list(
            "--extern dep=/t/libdep-33cc.rmeta --extern=noprelude:core=/t/libcore.rmeta --extern proc_macro",
        );
        assert_eq!(extern_names(&call), ["dep", "core", "proc_macro"]);
    }

    #[test]
    fn what_is_linked_in_shares_the_machine_but_not_the_profile() {
        let call = format!(
            "{LIBRARY} -C opt-level=3 --target x86_64-unknown-linux-musl -Ctarget-cpu=native -C target_feature=+avx2 \
             -C panic=abort -C overflow-checks=off -Z sanitizer=address -Zunpretty=mir"
        );
        assert_eq!(
            shared_arguments(&list(&call)),
            [
                "--target=x86_64-unknown-linux-musl",
                "-C",
                "target-cpu=native",
                "-C",
                "target_feature=+avx2",
                "-Z",
                "sanitizer=address",
            ]
        );
        assert_eq!(source_of(&list(&call)), Some("src/lib.rs".to_owned()));
    }

    #[test]
    fn library_unit() {
        assert_eq!(
            classify(&list(LIBRARY)),
            Call::Unit(Unit {
                crate_name: "sem".into(),
                kind: UnitKind::Library,
                purpose: Purpose::Check,
                stem: "sem-22bb".into(),
                out_dir: "/t/debug/deps".into(),
            })
        );
    }

    fn check_kind(arguments: &str, kind: UnitKind, purpose: Purpose) {
        match classify(&list(arguments)) {
            Call::Unit(unit) => assert_eq!((unit.kind, unit.purpose), (kind, purpose), "{arguments}"),
            Call::Probe => panic!("taken for a probe: {arguments}"),
        }
    }

    #[test]
    fn kinds_and_purposes() {
        let unit = "--crate-name a src/main.rs --out-dir o -C metadata=1";
        check_kind(
            &format!("{unit} --crate-type bin --emit=dep-info,metadata"),
            UnitKind::Binary,
            Purpose::Check,
        );
        check_kind(
            &format!("{unit} --crate-type bin --emit=dep-info,link"),
            UnitKind::Binary,
            Purpose::Build,
        );
        check_kind(
            &format!("{unit} --crate-type proc-macro --emit dep-info,link -Cprefer-dynamic"),
            UnitKind::ProcMacro,
            Purpose::Build,
        );
        check_kind(
            &format!("{unit} --crate-type cdylib --crate-type rlib --emit=dep-info,metadata"),
            UnitKind::Library,
            Purpose::Check,
        );
        check_kind(&format!("{unit} --test --emit=dep-info,metadata"), UnitKind::Test, Purpose::Check);
        check_kind(
            "--crate-name=a src/main.rs --out-dir=o --codegen metadata=1 --emit dep-info=x.d,metadata",
            UnitKind::Binary,
            Purpose::Check,
        );
    }

    #[test]
    fn probes() {
        for arguments in [
            "-vV",
            "- --crate-name ___ --print=file-names --crate-type bin --print=cfg",
            "--crate-name probe0 --crate-type=lib --out-dir o --emit=llvm-ir -",
            "--crate-name anyhow_probe --edition=2021 --emit=dep-info,metadata --out-dir o build/probe.rs",
        ] {
            assert_eq!(classify(&list(arguments)), Call::Probe, "{arguments}");
        }
    }

    #[test]
    fn body_dump_keeps_the_program_and_drops_the_output() {
        let replayed = mir_arguments(&list(LIBRARY), MirView::Bodies, "/d/sem.mir");
        let expected = "--crate-name=sem --edition=2021 src/lib.rs --crate-type=lib -C embed-bitcode=no \
            -C debuginfo=2 --cfg=feature=\"std\" --check-cfg=cfg(docsrs) -C metadata=11aa \
            -L dependency=/t/debug/deps --extern=dep=/t/debug/deps/libdep-33cc.rmeta --cap-lints=allow \
            -Zmir-opt-level=0 \
            -Zmir-enable-passes=-CheckAlignment,-CheckNull,-CheckEnums,+RemoveStorageMarkers \
            -Ztrim-diagnostic-paths=no -Zspan-free-formats -Zmir-include-spans=on -Zunpretty=mir -o /d/sem.mir";
        assert_eq!(replayed, list(expected));
        let plain = mir_arguments(&list(LIBRARY), MirView::PlainBodies, "/d/sem.mir");
        assert_eq!(plain, list(&expected.replace("-Zmir-include-spans=on ", "")));
    }

    #[test]
    fn rustdoc_gets_what_it_knows() {
        let arguments = "--crate-name a a.rs --test -O -g -lfoo -C debuginfo=1 -Cpanic=abort -C extra-filename=-1 \
            -C codegen_units=4 --emit=dep-info,metadata -D warnings --extern noprelude:b=b.rmeta -Z unstable-options";
        let expected = "--crate-name=a a.rs --cfg=test -C opt-level=3 -C panic=abort -C codegen_units=4 -D warnings \
            --extern=noprelude:b=b.rmeta -Z unstable-options --cap-lints=allow -Zunstable-options \
            --output-format=json --document-private-items --document-hidden-items -o out";
        assert_eq!(rustdoc_arguments(&list(arguments), "out"), list(expected));
    }

    #[test]
    fn stems_of_externs() {
        let arguments = "--extern a=/t/deps/liba-1f.rmeta --extern=priv:b_c=C:\\t\\b_c-2e.dll --extern proc_macro \
            --extern noprelude:libx=/t/liblibx-3d.rlib";
        assert_eq!(extern_stems(&list(arguments)), ["a-1f", "b_c-2e", "libx-3d"]);
        assert_eq!(extern_stems(&list(LIBRARY)), ["dep-33cc"]);
    }

    #[test]
    fn unknown_options_stay_in_place() {
        let arguments = list("--brand-new a.rs --from-tomorrow value -y=3 -C extra_filename=-1");
        let replayed = mir_arguments(&arguments, MirView::Graphs, "o");
        assert_eq!(replayed[..5], list("--brand-new a.rs --from-tomorrow value -y=3")[..]);
        assert!(!replayed.iter().any(|argument| argument.contains("filename")));
    }

    #[test]
    fn lints_are_capped_once() {
        assert_eq!(with_capped_lints(&list("a.rs")), list("a.rs --cap-lints=warn"));
        assert_eq!(with_capped_lints(&list("a.rs --cap-lints allow")), list("a.rs --cap-lints allow"));
    }
}
