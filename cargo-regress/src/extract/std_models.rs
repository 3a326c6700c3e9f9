//! The models of the standard library, dumped by the user's compiler.
//!
//! They are one crate without dependencies, so cargo is not needed. Sources and dumps live together in a folder whose
//! name is the key of both.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{Purpose, Unit, UnitKind, lone_crate_arguments};

use super::brought::Brought;
use super::cache::{Key, PendingFolder, lock_folder, prune, touch, write_json};
use super::dump::{Replay, dump_all};
use super::error::ExtractError;
use super::record::{RecordedEnvironment, RecordedUnit};
use super::request::{CrateDumpFiles, DumpFile, Origin, Spans, TargetKind};
use super::run::{CRATE_FILE, load_crate, relocated};
use super::toolchain::Toolchain;
use crate::progress::Progress;

const CRATE_NAME: &str = "std_models";
const EDITION: &str = "2024";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Dumps the models given by `sources` (relative path and text of each file, among them one `lib.rs`), or finds them
/// below `cache_dir`.
pub fn std_models_dump(
    sources: &[(&str, &str)],
    toolchain: &Toolchain,
    cache_dir: &Utf8Path,
    progress: &dyn Progress,
) -> Result<CrateDumpFiles, ExtractError> {
    let cache_dir = camino::absolute_utf8(cache_dir).map_err(ExtractError::file("find", cache_dir))?;
    let key = Key::new("std-models").with_json(toolchain).with_json(&sources).finish();
    let dumps_of_models = cache_dir.join("std-models");
    let folder = dumps_of_models.join(key);
    if let Some(found) = load_crate(&folder) {
        touch(&folder.join(CRATE_FILE));
        return Ok(found);
    }
    let _filling = lock_folder(&folder, progress)?;
    if let Some(found) = load_crate(&folder) {
        return Ok(found);
    }
    progress.step("dumping the models of the standard library");
    let pending = PendingFolder::create(&folder)?;
    for (path, text) in sources {
        let path = pending.path.join(path);
        let parent = path.parent().unwrap_or(&pending.path);
        fs::create_dir_all(parent).map_err(ExtractError::file("create", parent))?;
        fs::write(&path, text).map_err(ExtractError::file("write", &path))?;
    }
    let root =
        sources.iter().map(|(path, _)| *path).find(|path| Utf8Path::new(path).file_name() == Some("lib.rs"));
    let recorded = recorded_unit(root.unwrap_or("src/lib.rs"), &folder);
    // The compiler runs where the sources are now; spans are relative, so they stay right after the renaming.
    let replay = Replay { directory: &pending.path, ..Replay::new(&recorded, Spans::Included) };
    let mut dumps = dump_all(&[replay], toolchain, &pending.path)?;
    let dumps = dumps.remove(0);
    for dump in [&dumps.mir, &dumps.cfg, &dumps.rustdoc, &dumps.expanded] {
        if let DumpFile::Failed { report, .. } = dump {
            let diagnostics = fs::read_to_string(report).map_err(ExtractError::file("read", report))?;
            return Err(ExtractError::StdModels { diagnostics });
        }
    }
    let dumps = relocated(dumps, &pending.path, &folder);
    let described = CrateDumpFiles {
        crate_name: CRATE_NAME.to_owned(),
        package_name: CRATE_NAME.to_owned(),
        package_version: VERSION.to_owned(),
        package_id: CRATE_NAME.to_owned(),
        target: TargetKind::Library,
        origin: Origin::StdModels,
        spans: Spans::Included,
        manifest_dir: folder.clone(),
        directory: folder.clone(),
        mir: dumps.mir,
        cfg: dumps.cfg,
        rustdoc: dumps.rustdoc,
        expanded: dumps.expanded,
        invocation: recorded,
        brought: Brought::default(),
    };
    write_json(&pending.path.join(CRATE_FILE), &described)?;
    pending.publish()?;
    prune(&dumps_of_models, CRATE_FILE);
    Ok(described)
}

fn recorded_unit(root: &str, folder: &Utf8Path) -> RecordedUnit {
    RecordedUnit {
        unit: Unit {
            crate_name: CRATE_NAME.to_owned(),
            kind: UnitKind::Library,
            purpose: Purpose::Check,
            stem: CRATE_NAME.to_owned(),
            out_dir: folder.to_string(),
        },
        arguments: lone_crate_arguments(CRATE_NAME, EDITION, root),
        directory: folder.to_owned(),
        environment: RecordedEnvironment::default(),
        package_name: CRATE_NAME.to_owned(),
        package_version: VERSION.to_owned(),
        manifest_dir: Utf8PathBuf::from(folder),
    }
}
