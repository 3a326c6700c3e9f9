//! `cargo regress clean`.

use camino::Utf8Path;

use crate::args::CleanOptions;
use crate::error::Error;
use crate::user_cache;
use crate::versions;

/// Removes the folder of this program; what was done, and what is left for other target directories, in a line each.
pub fn clean(options: &CleanOptions) -> Result<String, Error> {
    let manifest = options.manifest.manifest_path.as_deref();
    let place = versions::locate_at(manifest, options.target_dir.as_deref())?;
    let mut told = remove(&place.target_dir.join("regress"))?;
    if let Some(shared) = user_cache::folder().filter(|shared| shared.exists()) {
        let (files, bytes) = size(&shared);
        let counted = counted(files, bytes);
        told.push_str(&format!("kept {shared}, which all target directories share: {counted}\n"));
    }
    Ok(told)
}

fn remove(home: &Utf8Path) -> Result<String, Error> {
    let (files, bytes) = size(home);
    match std::fs::remove_dir_all(home) {
        Ok(()) => Ok(format!("removed {home}: {}\n", counted(files, bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(format!("nothing to remove: there is no {home}\n"))
        }
        Err(error) => Err(anyhow::anyhow!("{home} cannot be removed: {error}").into()),
    }
}

fn counted(files: u64, bytes: u64) -> String {
    format!("{files} files, {:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// Files below a folder, and how many bytes they hold. What cannot be looked at counts as nothing.
fn size(folder: &Utf8Path) -> (u64, u64) {
    let mut total = (0, 0);
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => open.push(entry.into_path()),
                Ok(metadata) => total = (total.0 + 1, total.1 + metadata.len()),
                Err(_) => {}
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use clap::Parser;

    use super::*;

    #[test]
    fn only_its_own_folder_goes() {
        let folder = tempfile::tempdir().unwrap();
        let target = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        std::fs::create_dir_all(target.join("regress/cache")).unwrap();
        std::fs::write(target.join("regress/cache/dump"), "1234").unwrap();
        std::fs::write(target.join("other"), "").unwrap();
        let options =
            CleanOptions::try_parse_from(["cargo-regress clean", "--target-dir", target.as_str()]).unwrap();
        assert!(clean(&options).unwrap().contains("1 files"));
        assert!(!target.join("regress").exists() && target.join("other").exists());
        assert!(clean(&options).unwrap().starts_with("nothing to remove"));
    }
}
