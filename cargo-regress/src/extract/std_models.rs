//! The models of the standard library, dumped by the user's compiler.
//!
//! They are one crate without dependencies, so cargo is not needed. Sources and dumps live together in a folder whose
//! name is the key of both.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{Purpose, Unit, UnitKind, lone_crate_arguments};

use super::brought::Brought;
use super::cache::{Key, load_or_fill, write_json};
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
    let folder = cache_dir.join("std-models").join(key);
    load_or_fill(
        &folder,
        CRATE_FILE,
        progress,
        || load_crate(&folder),
        |pending| {
            progress.step("dumping the models of the standard library");
            dump_into(pending, sources, toolchain, &folder)
        },
    )
}

/// Dumps them into a folder that will have another name.
fn dump_into(
    pending: &Utf8Path,
    sources: &[(&str, &str)],
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<CrateDumpFiles, ExtractError> {
    for (path, text) in sources {
        let path = pending.join(path);
        let parent = path.parent().unwrap_or(pending);
        fs::create_dir_all(parent).map_err(ExtractError::file("create", parent))?;
        fs::write(&path, text).map_err(ExtractError::file("write", &path))?;
    }
    let root =
        sources.iter().map(|(path, _)| *path).find(|path| Utf8Path::new(path).file_name() == Some("lib.rs"));
    let recorded = recorded_unit(root.unwrap_or("src/lib.rs"), folder);
    // The compiler runs where the sources are now; spans are relative, so they stay right after the renaming.
    let replay = Replay { directory: pending, ..Replay::new(&recorded, Spans::Included) };
    let mut dumps = dump_all(&[replay], toolchain, pending)?;
    let dumps = dumps.remove(0);
    for dump in [&dumps.mir, &dumps.cfg, &dumps.rustdoc, &dumps.expanded] {
        if let DumpFile::Failed { report, .. } = dump {
            let diagnostics = fs::read_to_string(report).map_err(ExtractError::file("read", report))?;
            return Err(ExtractError::StdModels { diagnostics });
        }
    }
    let dumps = relocated(dumps, pending, folder);
    let described = CrateDumpFiles {
        asks_for_doc: false,
        crate_name: CRATE_NAME.to_owned(),
        package_name: CRATE_NAME.to_owned(),
        package_version: VERSION.to_owned(),
        package_id: CRATE_NAME.to_owned(),
        target: TargetKind::Library,
        origin: Origin::StdModels,
        spans: Spans::Included,
        manifest_dir: folder.to_owned(),
        directory: folder.to_owned(),
        mir: dumps.mir,
        cfg: dumps.cfg,
        rustdoc: dumps.rustdoc,
        expanded: dumps.expanded,
        invocation: recorded,
        brought: Brought::default(),
    };
    write_json(&pending.join(CRATE_FILE), &described)?;
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
        wrappers: Vec::new(),
        arguments: lone_crate_arguments(CRATE_NAME, EDITION, root),
        directory: folder.to_owned(),
        environment: RecordedEnvironment::default(),
        package_name: CRATE_NAME.to_owned(),
        package_version: VERSION.to_owned(),
        manifest_dir: Utf8PathBuf::from(folder),
    }
}
