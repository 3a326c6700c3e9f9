//! The way from a tree to its dumps.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{MirView, Purpose, UnitKind, extern_stems, source_of};
use rayon::prelude::*;

use super::brought::{Brought, brought};
use super::cache::{
    FolderLock, Key, PendingFolder, is_whole, lock_folder, prune, read_json, touch, write_json,
};
use super::cargo::{SelectedKind, SelectedPackage, check, select_packages};
use super::dump::{EagerDumps, Replay, View, dump, dump_all};
use super::elsewhere::{Elsewhere, KnownPlaces, sources_of_script};
use super::error::ExtractError;
use super::messages::{ArtifactRole, ArtifactState, Messages};
use super::record::RecordedUnit;
use super::request::{
    CrateDumpFiles, DependencyInvocation, DumpFile, ExtractRequest, Extraction, Origin, Sharing, SkipReason,
    SkippedTarget, Spans, TargetKind, Targets, TestTarget, TestTargetKind,
};
use super::target_dir_owner::{BuildFolder, Residence};
use crate::progress::Progress;

/// The file that completes a folder of the cache; written last.
const EXTRACTION_FILE: &str = "extraction.json";
pub(super) const CRATE_FILE: &str = "crate.json";

/// Dumps the selected targets of a version, or finds them in the cache.
pub fn extract(request: &ExtractRequest, progress: &dyn Progress) -> Result<Extraction, ExtractError> {
    let request = &absolute(request)?;
    let folder = request.cache_dir.join("dumps").join(extraction_key(request));
    if let Some(extraction) = load(&folder) {
        return Ok(extraction);
    }
    let build = BuildFolder::lock(request, progress)?;
    // Another process may have done it while this one waited for the lock.
    if let Some(extraction) = load(&folder) {
        return Ok(extraction);
    }
    progress.step(&format!("{}: checking", request.label));
    let packages = select_packages(request)?;
    let Checked { units, elsewhere } = checked_units(&build, request, &packages, progress)?;
    let targets = request.selection.targets;
    let (selected, dependencies) = sort_units(units, &packages, targets);
    let (skipped, test_targets) = match targets {
        Targets::Program => (skipped_targets(&packages, &selected), Vec::new()),
        Targets::Tests => (Vec::new(), test_targets(&packages, &selected)),
    };

    progress.step(&format!("{}: dumping MIR", request.label));
    let _filling = lock_folder(&folder, progress)?;
    let pending = PendingFolder::create(&folder)?;
    let spans: Vec<Spans> = selected.iter().map(|unit| spans_of(&unit.recorded)).collect();
    let replays: Vec<Replay<'_>> =
        selected.iter().zip(&spans).map(|(unit, spans)| Replay::new(&unit.recorded, *spans)).collect();
    let dumps = dump_all(&replays, &request.toolchain, &pending.path)?;
    let crates = selected
        .into_iter()
        .zip(spans.into_iter().zip(dumps))
        .map(|(unit, (spans, dumps))| {
            describe(unit, Origin::Selected, spans, relocated(dumps, &pending.path, &folder))
        })
        .collect();
    let extraction = Extraction {
        source_root: request.root.clone(),
        crates,
        dependencies,
        skipped,
        test_targets,
        elsewhere,
    };
    write_json(&pending.path.join(EXTRACTION_FILE), &extraction)?;
    pending.publish()?;
    prune(&request.cache_dir.join("dumps"), EXTRACTION_FILE);
    Ok(extraction)
}

/// Dumps dependencies of the version, or finds them in the cache; in the order in which they are given.
///
/// Registry and git packages are dumped once for all versions that compile them alike.
pub fn dump_dependencies(
    request: &ExtractRequest,
    dependencies: &[&DependencyInvocation],
    progress: &dyn Progress,
) -> Result<Vec<CrateDumpFiles>, ExtractError> {
    let request = &absolute(request)?;
    let mut wanted: Vec<(Utf8PathBuf, &DependencyInvocation)> = dependencies
        .iter()
        .map(|wanted| (request.cache_dir.join("dependencies").join(dependency_key(request, wanted)), *wanted))
        .collect();
    let folders: Vec<Utf8PathBuf> = wanted.iter().map(|(folder, _)| folder.clone()).collect();
    wanted.retain(|(folder, _)| load_crate(folder).is_none());
    let mut fresh = BTreeMap::new();
    if !wanted.is_empty() {
        let _build = inhabited(request, progress)?;
        // Whoever waits for several locks takes them in one order, or two processes wait for each other.
        wanted.sort_by(|a, b| a.0.cmp(&b.0));
        wanted.dedup_by(|a, b| a.0 == b.0);
        let locks: Vec<FolderLock> =
            wanted.iter().map(|(folder, _)| lock_folder(folder, progress)).collect::<Result<_, _>>()?;
        wanted.retain(|(folder, _)| load_crate(folder).is_none());
        fresh = fill(request, &wanted, progress)?;
        drop(locks);
    }
    let found = folders.iter().zip(dependencies).map(|(folder, dependency)| {
        let dumped = match fresh.get(folder) {
            Some(dumped) => CrateDumpFiles::clone(dumped),
            None => read_json(&folder.join(CRATE_FILE))?.ok_or_else(|| ExtractError::Malformed {
                path: folder.join(CRATE_FILE),
                message: "it is gone".to_owned(),
            })?,
        };
        // It may have been dumped by another version; what is asked of it later must be replayed in the build of this one.
        Ok(CrateDumpFiles {
            invocation: dependency.invocation.clone(),
            brought: dependency.brought.clone(),
            ..dumped
        })
    });
    found.collect()
}

/// Dumps the dependencies into their folders, all at once as far as the processor allows.
fn fill(
    request: &ExtractRequest,
    wanted: &[(Utf8PathBuf, &DependencyInvocation)],
    progress: &dyn Progress,
) -> Result<BTreeMap<Utf8PathBuf, CrateDumpFiles>, ExtractError> {
    let names: Vec<&str> = wanted.iter().map(|(_, dependency)| dependency.crate_name.as_str()).collect();
    if !names.is_empty() {
        progress.step(&format!("{}: dumping {}", request.label, names.join(", ")));
    }
    let dumped = wanted.par_iter().map(|(folder, dependency)| {
        let pending = PendingFolder::create(folder)?;
        // Lines of foreign crates are not shown to anybody.
        let spans = match dependency.origin {
            Origin::Registry | Origin::Git => Spans::Left,
            Origin::Path | Origin::Selected | Origin::StdModels => Spans::Included,
        };
        let replays = [Replay::new(&dependency.invocation, spans)];
        let mut dumps = dump_all(&replays, &request.toolchain, &pending.path)?;
        let unit = CheckedUnit {
            package_id: dependency.package_id.clone(),
            recorded: dependency.invocation.clone(),
            sharing: dependency.sharing,
            generated: dependency.generated.clone(),
            brought: dependency.brought.clone(),
        };
        let dumps = dumps.remove(0);
        let described = describe(unit, dependency.origin, spans, relocated(dumps, &pending.path, folder));
        write_json(&pending.path.join(CRATE_FILE), &described)?;
        pending.publish()?;
        Ok((folder.clone(), described))
    });
    dumped.collect()
}

/// Dumps the bodies of a crate once more in the printer that names all captures of closures.
///
/// The usual printer leaves captures out when a closure captures several fields of one variable; only crates in which
/// that is seen need this view, and it costs one more compilation.
pub fn dump_stable_mir(
    request: &ExtractRequest,
    of: &CrateDumpFiles,
    progress: &dyn Progress,
) -> Result<DumpFile, ExtractError> {
    dump_later(request, of, View::Mir(MirView::Stable), progress)
}

/// Dumps the bodies of a crate once more, with the places of statements that were left out (see [`Spans::Left`]).
pub fn dump_spans(
    request: &ExtractRequest,
    of: &CrateDumpFiles,
    progress: &dyn Progress,
) -> Result<DumpFile, ExtractError> {
    dump_later(request, of, View::Mir(MirView::Bodies), progress)
}

/// Dumps one more view of a crate beside those that are there, or finds it there.
fn dump_later(
    request: &ExtractRequest,
    of: &CrateDumpFiles,
    view: View,
    progress: &dyn Progress,
) -> Result<DumpFile, ExtractError> {
    let request = &absolute(request)?;
    let beside = of.dumps().into_iter().find_map(|dump| match dump {
        DumpFile::Written(path) | DumpFile::Failed { report: path, .. } => path.parent(),
    });
    let folder = beside.map_or_else(|| request.cache_dir.clone(), Utf8Path::to_owned);
    let path = folder.join(format!("{}.{}", of.invocation.unit.stem, view.extension()));
    if path.is_file() {
        return Ok(DumpFile::Written(path));
    }
    let _build = match of.origin {
        Origin::StdModels => None,
        Origin::Selected | Origin::Path | Origin::Registry | Origin::Git => {
            Some(inhabited(request, progress)?)
        }
    };
    let _filling = lock_folder(&path, progress)?;
    if path.is_file() {
        return Ok(DumpFile::Written(path));
    }
    dump(&Replay::new(&of.invocation, of.spans), view, &request.toolchain, &folder)
}

/// Characters of several bytes in one file from which on spans are left out at first.
const MANY_WIDE_CHARACTERS: usize = 1_000;

/// Whether the first dump of a crate has spans.
///
/// To find the column of a position, the compiler walks over all characters of several bytes before it in the file. Where
/// there are many (tables of Unicode), the spans cost more than all the rest; elsewhere next to nothing.
fn spans_of(recorded: &RecordedUnit) -> Spans {
    let unit = &recorded.unit;
    // In the list of files that cargo has asked for, each file also stands on a line of its own, with a colon behind it.
    let list = Utf8Path::new(&unit.out_dir).join(format!("{}.d", unit.stem));
    let list = fs::read_to_string(list).unwrap_or_default();
    let has_many = |file: &str| {
        let text = fs::read(recorded.directory.join(file.replace("\\ ", " "))).unwrap_or_default();
        text.iter().filter(|byte| **byte >= 0xc0).count() >= MANY_WIDE_CHARACTERS
    };
    match list.lines().filter_map(|line| line.strip_suffix(':')).any(has_many) {
        true => Spans::Left,
        false => Spans::Included,
    }
}

/// The request with the paths as the system knows them: the wrapper and the compiler run in other folders than this
/// process, and whether a package lies in the tree is decided by comparing paths.
fn absolute(request: &ExtractRequest) -> Result<ExtractRequest, ExtractError> {
    for folder in [&request.target_dir, &request.cache_dir] {
        fs::create_dir_all(folder).map_err(ExtractError::file("create", folder))?;
    }
    let real = |path: &Utf8PathBuf| path.canonicalize_utf8().map_err(ExtractError::file("find", path));
    Ok(ExtractRequest {
        root: real(&request.root)?,
        manifest_path: real(&request.manifest_path)?,
        target_dir: real(&request.target_dir)?,
        // One that is not there is no seed.
        seed: request.seed.as_ref().and_then(|seed| seed.canonicalize_utf8().ok()),
        cache_dir: real(&request.cache_dir)?,
        ..request.clone()
    })
}

fn extraction_key(request: &ExtractRequest) -> String {
    Key::new("extraction")
        .with(&request.tree_key)
        .with(request.root.as_str())
        .with(request.manifest_path.as_str())
        .with(request.target_dir.as_str())
        .with_json(&request.toolchain)
        .with_json(&request.selection)
        .with_surroundings(&request.root, request.above.as_deref())
        .finish()
}

/// Where foreign packages lie in the target directory is left out of their keys, so that versions can share the dump.
fn dependency_key(request: &ExtractRequest, dependency: &DependencyInvocation) -> String {
    let key = Key::new("dependency")
        .with(&dependency.package_id)
        .with_json(&request.toolchain)
        .with_json(&dependency.brought)
        .with(&dependency.generated);
    match (dependency.sharing, serde_json::to_string(&dependency.invocation)) {
        (Sharing::AllVersions, Ok(call)) => key.with(&call.replace(request.target_dir.as_str(), "TARGET")),
        _ => key.with(&request.tree_key).with_json(&dependency.invocation),
    }
    .finish()
}

/// A complete extraction whose files all exist, made of what is still there. One with a failed dump is tried again: the failure may have
/// been one of the moment.
fn load(folder: &Utf8Path) -> Option<Extraction> {
    let file = folder.join(EXTRACTION_FILE);
    let extraction: Extraction = read_json(&file).ok()?.filter(|_| is_whole(folder))?;
    touch(&file);
    (extraction.crates.iter().all(is_complete) && extraction.elsewhere.is_as_it_was()).then_some(extraction)
}

pub(super) fn load_crate(folder: &Utf8Path) -> Option<CrateDumpFiles> {
    read_json(&folder.join(CRATE_FILE)).ok()?.filter(is_complete).filter(|_| is_whole(folder))
}

fn is_complete(dumped: &CrateDumpFiles) -> bool {
    dumped.dumps().into_iter().all(|dump| dump.path().is_some_and(|path| path.is_file()))
}

/// A unit of the program, as recorded when it was compiled.
struct CheckedUnit {
    package_id: String,
    recorded: RecordedUnit,
    sharing: Sharing,
    /// As in [`DependencyInvocation`].
    generated: String,
    brought: Brought,
}

/// What a check compiled.
struct Checked {
    /// The units of the program.
    units: Vec<CheckedUnit>,
    /// What these read and what ran while building.
    elsewhere: Elsewhere,
}

/// The target directory, locked, with the artifacts of this version in it.
fn inhabited<'a>(
    request: &'a ExtractRequest,
    progress: &dyn Progress,
) -> Result<BuildFolder<'a>, ExtractError> {
    let build = BuildFolder::lock(request, progress)?;
    if build.move_in()? == Residence::MovingIn {
        checked_units(&build, request, &select_packages(request)?, progress)?;
    }
    Ok(build)
}

/// Checks the packages and reads the records of all units.
fn checked_units(
    build: &BuildFolder<'_>,
    request: &ExtractRequest,
    packages: &[SelectedPackage],
    progress: &dyn Progress,
) -> Result<Checked, ExtractError> {
    let residence = build.move_in()?;
    let mut messages = check(request, packages, &build.units_dir(), progress)?;
    if residence == Residence::MovingIn && has_fresh_unit(&messages) {
        // Cargo knows a package that it was made to forget: it keeps its notes elsewhere than we think.
        build.clear()?;
        messages = check(request, packages, &build.units_dir(), progress)?;
    }
    let (mut checked, mut missing) = read_records(build, request, &messages)?;
    if !missing.is_empty() {
        build.forget_packages(&missing)?;
        messages = check(request, packages, &build.units_dir(), progress)?;
        (checked, missing) = read_records(build, request, &messages)?;
    }
    if !missing.is_empty() {
        return Err(ExtractError::NotRecorded {
            label: request.label.clone(),
            packages: missing.join(", "),
            target_dir: request.target_dir.clone(),
        });
    }
    build.settled()?;
    Ok(checked)
}

fn has_fresh_unit(messages: &Messages) -> bool {
    let mut artifacts = messages.artifacts.iter();
    artifacts.any(|unit| unit.state == ArtifactState::Fresh && origin(&unit.package_id) == Origin::Path)
}

/// The records of the units that belong to the program, and the packages that have a unit without record.
fn read_records(
    build: &BuildFolder<'_>,
    request: &ExtractRequest,
    messages: &Messages,
) -> Result<(Checked, Vec<String>), ExtractError> {
    let mut units = BTreeMap::new();
    let mut missing = Vec::new();
    let mut elsewhere = Elsewhere::default();
    for artifact in &messages.artifacts {
        let origin = origin(&artifact.package_id);
        let known = KnownPlaces { root: &request.root, target_dir: &request.target_dir, origin };
        if artifact.role == ArtifactRole::BuildScript {
            elsewhere.add(sources_of_script(artifact, known));
            continue;
        }
        let mut found = None;
        for stem in &artifact.stems {
            if let Some(recorded) = build.recorded_unit(stem)? {
                found = Some((stem, recorded));
                break;
            }
        }
        let Some((stem, recorded)) = found else {
            missing.push(artifact.package_name.clone());
            continue;
        };
        let brought = brought(&recorded, known);
        elsewhere.add(brought.elsewhere.clone());
        let package_id = artifact.package_id.clone();
        let sharing = sharing(&package_id, &recorded, &brought, request);
        let generated = String::new();
        units.insert(stem.clone(), CheckedUnit { package_id, recorded, sharing, generated, brought });
    }
    missing.sort();
    missing.dedup();
    restrict_sharing(&mut units);
    note_generated(&mut units);
    let mut units: Vec<CheckedUnit> = units.into_values().collect();
    units.retain(|unit| unit.recorded.unit.purpose == Purpose::Check);
    units.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok((Checked { units, elsewhere }, missing))
}

/// For which versions a unit holds, by itself.
fn sharing(
    package_id: &str,
    recorded: &RecordedUnit,
    brought: &Brought,
    request: &ExtractRequest,
) -> Sharing {
    let in_tree = origin(package_id) == Origin::Path || recorded.manifest_dir.starts_with(&request.root);
    if in_tree || brought.is_of_this_build { Sharing::ThisVersion } else { Sharing::AllVersions }
}

/// Notes of each unit what build scripts wrote for it and for all that it was compiled with: cargo's hash does not cover that.
fn note_generated(units: &mut BTreeMap<String, CheckedUnit>) {
    let mut known = BTreeMap::new();
    let stems: Vec<String> = units.keys().cloned().collect();
    for stem in &stems {
        generated_below(units, stem, &mut known);
    }
    for (stem, unit) in units {
        unit.generated = known.remove(stem).unwrap_or_default();
    }
}

fn generated_below(
    units: &BTreeMap<String, CheckedUnit>,
    stem: &str,
    known: &mut BTreeMap<String, String>,
) -> String {
    if let Some(known) = known.get(stem) {
        return known.clone();
    }
    // What was compiled without a record is not shared.
    let Some(unit) = units.get(stem) else { return String::new() };
    let mut below: Vec<String> = extern_stems(&unit.recorded.arguments)
        .iter()
        .map(|used| generated_below(units, used, known))
        .collect();
    below.sort();
    let all = Key::new("generated").with_json(&unit.brought.generated).with_json(&below).finish();
    known.insert(stem.to_owned(), all.clone());
    all
}

/// A unit compiled with one that only holds for this version holds only for this version.
fn restrict_sharing(units: &mut BTreeMap<String, CheckedUnit>) {
    let uses: BTreeMap<String, Vec<String>> =
        units.iter().map(|(stem, unit)| (stem.clone(), extern_stems(&unit.recorded.arguments))).collect();
    loop {
        let shared = |stem: &String| units.get(stem).is_some_and(|unit| unit.sharing == Sharing::AllVersions);
        let restricted: Vec<&String> = uses
            .iter()
            .filter(|(stem, used)| shared(stem) && !used.iter().all(shared))
            .map(|(stem, _)| stem)
            .collect();
        if restricted.is_empty() {
            return;
        }
        for stem in restricted {
            if let Some(unit) = units.get_mut(stem) {
                unit.sharing = Sharing::ThisVersion;
            }
        }
    }
}

fn order(unit: &CheckedUnit) -> (&str, UnitKind, &str, &str) {
    let recorded = &unit.recorded;
    (&recorded.package_name, recorded.unit.kind, &recorded.unit.crate_name, &recorded.unit.stem)
}

/// Parts the units into those to dump now and those to dump when asked for.
fn sort_units(
    units: Vec<CheckedUnit>,
    packages: &[SelectedPackage],
    targets: Targets,
) -> (Vec<CheckedUnit>, Vec<DependencyInvocation>) {
    let (mut selected, mut dependencies) = (Vec::new(), Vec::new());
    for unit in units {
        let Some(kind) = target_kind(unit.recorded.unit.kind) else { continue };
        if packages.iter().any(|package| package.id == unit.package_id) {
            // Tests start binaries; they are not linked with them.
            let is_wanted = match targets {
                Targets::Program => kind != TargetKind::Tests,
                Targets::Tests => kind != TargetKind::Binary,
            };
            if is_wanted {
                selected.push(unit);
            }
        } else {
            dependencies.push(DependencyInvocation {
                crate_name: unit.recorded.unit.crate_name.clone(),
                package_name: unit.recorded.package_name.clone(),
                package_version: unit.recorded.package_version.clone(),
                origin: origin(&unit.package_id),
                package_id: unit.package_id,
                sharing: unit.sharing,
                generated: unit.generated,
                invocation: unit.recorded,
                brought: unit.brought,
            });
        }
    }
    (selected, dependencies)
}

/// The kind of a target that can be dumped.
fn target_kind(kind: UnitKind) -> Option<TargetKind> {
    match kind {
        UnitKind::Library => Some(TargetKind::Library),
        UnitKind::Binary => Some(TargetKind::Binary),
        UnitKind::Test => Some(TargetKind::Tests),
        UnitKind::ProcMacro => None,
    }
}

fn origin(package_id: &str) -> Origin {
    match package_id.split_once('+') {
        Some(("path", _)) => Origin::Path,
        Some(("git", _)) => Origin::Git,
        _ => Origin::Registry,
    }
}

fn skipped_targets(packages: &[SelectedPackage], dumped: &[CheckedUnit]) -> Vec<SkippedTarget> {
    let mut skipped = Vec::new();
    for package in packages {
        for target in &package.targets {
            let crate_name = target.name.replace('-', "_");
            let (kind, reason) = match &target.kind {
                SelectedKind::ProcMacro => (UnitKind::ProcMacro, SkipReason::ProcMacro),
                SelectedKind::Library => (UnitKind::Library, SkipReason::NotCompiled),
                SelectedKind::Binary { required_features } if required_features.is_empty() => {
                    (UnitKind::Binary, SkipReason::NotCompiled)
                }
                SelectedKind::Binary { required_features } => {
                    (UnitKind::Binary, SkipReason::RequiredFeatures(required_features.clone()))
                }
            };
            let is_dumped = dumped.iter().any(|unit| {
                let found = &unit.recorded.unit;
                unit.package_id == package.id && found.kind == kind && found.crate_name == crate_name
            });
            if !is_dumped {
                skipped.push(SkippedTarget {
                    package: package.name.clone(),
                    target: target.name.clone(),
                    reason,
                });
            }
        }
    }
    skipped
}

/// What `cargo test` runs, with the units that were compiled for it.
fn test_targets(packages: &[SelectedPackage], dumped: &[CheckedUnit]) -> Vec<TestTarget> {
    let mut found = Vec::new();
    for package in packages {
        for target in &package.tested {
            let is_of_target = |unit: &&CheckedUnit| {
                let source = source_of(&unit.recorded.arguments).unwrap_or_default();
                target.kind != TestTargetKind::Documentation
                    && unit.package_id == package.id
                    && unit.recorded.unit.kind == UnitKind::Test
                    && unit.recorded.directory.join(source) == target.source
            };
            let stem = dumped.iter().find(is_of_target).map(|unit| unit.recorded.unit.stem.clone());
            // Cargo passes over what lacks features.
            if stem.is_some() || target.required_features.is_empty() {
                found.push(TestTarget {
                    package: package.name.clone(),
                    kind: target.kind,
                    name: target.name.clone(),
                    stem,
                });
            }
        }
    }
    found
}

fn describe(unit: CheckedUnit, origin: Origin, spans: Spans, dumps: EagerDumps) -> CrateDumpFiles {
    let recorded = unit.recorded;
    CrateDumpFiles {
        crate_name: recorded.unit.crate_name.clone(),
        package_name: recorded.package_name.clone(),
        package_version: recorded.package_version.clone(),
        package_id: unit.package_id,
        target: target_kind(recorded.unit.kind).unwrap_or(TargetKind::Library),
        origin,
        manifest_dir: recorded.manifest_dir.clone(),
        directory: recorded.directory.clone(),
        spans,
        mir: dumps.mir,
        cfg: dumps.cfg,
        rustdoc: dumps.rustdoc,
        expanded: dumps.expanded,
        asks_for_doc: dumps.asks_for_doc,
        invocation: recorded,
        brought: unit.brought,
    }
}

/// The dumps as they are named once the folder they were written to has got its name.
pub(super) fn relocated(dumps: EagerDumps, from: &Utf8Path, to: &Utf8Path) -> EagerDumps {
    let moved = |path: Utf8PathBuf| path.strip_prefix(from).map(|rest| to.join(rest)).unwrap_or(path.clone());
    let relocate = |dump| match dump {
        DumpFile::Written(path) => DumpFile::Written(moved(path)),
        DumpFile::Failed { report, summary } => DumpFile::Failed { report: moved(report), summary },
    };
    EagerDumps {
        mir: relocate(dumps.mir),
        cfg: relocate(dumps.cfg),
        rustdoc: relocate(dumps.rustdoc),
        expanded: relocate(dumps.expanded),
        asks_for_doc: dumps.asks_for_doc,
    }
}
