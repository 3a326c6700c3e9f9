//! Whether cargo builds in a harness what was compared.
//!
//! *Idea.* Native runs speak of the program that was read only if the crates were compiled from the same text and checked alike. Cargo is asked twice, once to
//! check and once to build, and may answer otherwise the second time: features hang on what else is selected, build scripts see the level of debug
//! information and what a panic does, and one may say something else whenever it runs. So the calls of the compiler in the harness are recorded too, and each is held
//! against the call for the same crate that was read. Where they do not say the same nothing is run.
//!
//! Workers have to catch panics, so the harness unwinds whatever the profile says. Where the profile says otherwise, a source that asks what a panic
//! does (`cfg(panic = "…")`) is another text there.
//!
//! *Limits.* Foreign crates that were copied from the seed have no record here; cargo knows them by the same hash. Native libraries are not compared, as
//! functions that reach them are not run.

use std::collections::BTreeSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::UnitKind;
use mir_frontend::rustc::settings::{PanicStrategy, Settings};

use super::foreign::{source_in, target_in};
use super::request::{AsCompared, HarnessError, HarnessRequest};
use crate::extract::{Brought, KnownPlaces, Origin, RecordedUnit, brought, files_read, recorded_units};

/// A crate as it was read, or as the harness has it.
#[derive(Clone, Debug)]
pub struct CrateBuild {
    pub call: RecordedUnit,
    pub brought: Brought,
}

/// What a build calls its folders.
struct Folders<'f> {
    tree: &'f Utf8Path,
    target: &'f Utf8Path,
}

/// Where the calls of the harness are recorded.
pub(super) fn units_in(out_dir: &Utf8Path) -> Utf8PathBuf {
    out_dir.join("units")
}

/// Why what the harness has built is not what was compared; none if it is.
pub(super) fn why_not_alike(
    request: &HarnessRequest,
    compared: &AsCompared,
) -> Result<Option<String>, HarnessError> {
    let (copy, target, units) =
        (source_in(&request.out_dir), target_in(&request.out_dir), units_in(&request.out_dir));
    let built = recorded_units(&units).map_err(HarnessError::io("read the records in", &units))?;
    // What lies elsewhere is not compared, so where sources come from does not matter.
    let known = KnownPlaces { root: &copy, target_dir: &target, origin: Origin::Registry };
    let built: Vec<CrateBuild> =
        built.into_iter().map(|call| CrateBuild { brought: brought(&call, known), call }).collect();
    let there = Folders { tree: &copy, target: &target };
    for expected in &compared.crates {
        let here = Folders { tree: &request.source_root, target: target_of(&expected.call) };
        let same: Vec<&CrateBuild> =
            built.iter().filter(|built| identity(&built.call) == identity(&expected.call)).collect();
        let wanted = described(expected, &here);
        let found: Vec<BTreeSet<String>> = same.iter().map(|built| described(built, &there)).collect();
        let name = &expected.call.unit.crate_name;
        if let Some(other) = found.first()
            && !found.contains(&wanted)
        {
            let differs = wanted.symmetric_difference(other).next().map_or("", String::as_str);
            return Ok(Some(format!("cargo builds `{name}` otherwise for native runs: {differs}")));
        }
        if Settings::of(&expected.call.arguments).panic != PanicStrategy::Unwind
            && same.iter().any(|built| asks_what_a_panic_does(&built.call))
        {
            return Ok(Some(format!(
                "`{name}` asks what a panic does (`cfg(panic)`), and native runs unwind, which this build does not"
            )));
        }
    }
    Ok(None)
}

fn identity(call: &RecordedUnit) -> (&str, &str, &str, UnitKind) {
    (&call.unit.crate_name, &call.package_name, &call.package_version, call.unit.kind)
}

/// `<target>` for `<target>/debug/deps`
pub fn target_of(call: &RecordedUnit) -> &Utf8Path {
    let deps = Utf8Path::new(&call.unit.out_dir);
    deps.ancestors().nth(2).unwrap_or(deps)
}

/// What decides on the text of a crate and on its checks, in sentences.
fn described(built: &CrateBuild, folders: &Folders<'_>) -> BTreeSet<String> {
    let call = &built.call;
    let settings = Settings::of(&call.arguments);
    let alike = |text: &str| {
        let out_dir = call.environment.set.get("OUT_DIR").map_or("\0", String::as_str);
        let text = text.replace(out_dir, "OUT_DIR").replace(folders.target.as_str(), "TARGET");
        text.replace(folders.tree.as_str(), "TREE")
    };
    let mut described: BTreeSet<String> = settings.cfgs.iter().map(|cfg| format!("--cfg {cfg}")).collect();
    described.extend(settings.edition.iter().map(|edition| format!("--edition {edition}")));
    described.extend(settings.target.iter().map(|target| format!("--target {target}")));
    described.extend(settings.unknown.iter().map(|option| alike(option)));
    described.insert(format!("overflow-checks={}", settings.overflow_checks));
    described.insert(format!("debug-assertions={}", settings.debug_assertions));
    let told = call.environment.set.iter().filter(|(name, _)| !is_of_cargo(name));
    described.extend(told.map(|(name, value)| format!("{name}={}", alike(value))));
    described.extend(
        built.brought.generated.iter().map(|(file, digest)| format!("`{file}` in OUT_DIR is {digest}")),
    );
    described
}

/// Variables by which cargo says where things are and which program to use.
fn is_of_cargo(name: &str) -> bool {
    const NAMES: [&str; 6] =
        ["OUT_DIR", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PATH", "RUSTC", "RUSTDOC"];
    name.starts_with("CARGO") || NAMES.contains(&name)
}

/// Whether any source of the crate mentions `panic = "…"`, which outside of a `cfg` means nothing.
fn asks_what_a_panic_does(call: &RecordedUnit) -> bool {
    files_read(call).iter().any(|file| {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.match_indices("panic").any(|(at, word)| {
            let rest = text[at + word.len()..].trim_start();
            rest.strip_prefix('=').is_some_and(|rest| rest.trim_start().starts_with('"'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mir_frontend::rustc::replay::{Purpose, Unit};

    use crate::extract::RecordedEnvironment;

    fn built(arguments: &str, variables: &[(&str, &str)]) -> CrateBuild {
        let set = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let call = RecordedUnit {
            unit: Unit {
                crate_name: "k".into(),
                kind: UnitKind::Library,
                purpose: Purpose::Check,
                stem: "k-1".into(),
                out_dir: "/build/debug/deps".into(),
            },
            wrappers: Vec::new(),
            arguments: arguments.split(' ').map(str::to_owned).collect(),
            directory: "/tree".into(),
            environment: RecordedEnvironment { set, ..RecordedEnvironment::default() },
            package_name: "k".into(),
            package_version: "0.1.0".into(),
            manifest_dir: "/tree".into(),
        };
        CrateBuild { call, brought: Brought::default() }
    }

    #[test]
    fn what_decides_on_the_text_is_told_apart_and_nothing_else() {
        let folders = |tree, target| Folders { tree: Utf8Path::new(tree), target: Utf8Path::new(target) };
        let one =
            || built("a.rs --cfg x --edition=2021 -C debuginfo=2", &[("V", "/tree/v"), ("CARGO_X", "1")]);
        let check = |other: CrateBuild, same: bool| {
            let was = described(&one(), &folders("/tree", "/build"));
            assert_eq!(was == described(&other, &folders("/copy", "/target")), same, "{was:?}");
        };
        check(
            built("a.rs --edition 2021 --cfg x -C debuginfo=0", &[("V", "/copy/v"), ("CARGO_X", "2")]),
            true,
        );
        check(built("a.rs --edition=2021", &[("V", "/copy/v")]), false);
        check(built("a.rs --edition=2018 --cfg x", &[("V", "/copy/v")]), false);
        check(built("a.rs --edition=2021 --cfg x", &[("V", "/copy/w")]), false);
        check(built("a.rs --edition=2021 --cfg x -C debug-assertions=no", &[("V", "/copy/v")]), false);
        let mut written = built("a.rs --edition=2021 --cfg x", &[("V", "/copy/v")]);
        written.brought.generated.insert("made.rs".into(), "1".into());
        check(written, false);
    }
}
