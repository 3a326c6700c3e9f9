//! The files that hold for a package, the nearest first.
//!
//! They lie between the package and the root of its repository; where there is no repository, in the package and its
//! workspace. So nothing that happens to lie in a home directory has a say.

use std::path::{Path, PathBuf};

/// A part of a file that may hold keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: PathBuf,
    /// The tables that lead to the keys.
    pub tables: &'static [&'static str],
}

/// Where the file lies, from the package's directory upward.
pub const FILE: &str = ".config/regress.toml";
const PACKAGE: &[&str] = &["package", "metadata", "regress"];
const WORKSPACE: &[&str] = &["workspace", "metadata", "regress"];

/// Those that there are, from the nearest to the farthest.
pub fn of(start: &Path) -> Vec<Place> {
    let start = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
    let directories = directories(&start);
    let nearest =
        |name: &str| directories.iter().map(|directory| directory.join(name)).find(|file| file.is_file());
    let manifests =
        || directories.iter().map(|directory| directory.join("Cargo.toml")).filter(|file| file.is_file());
    let package = manifests().next();
    let workspace = manifests().find(|file| holds_workspace(file));
    let place = |file: Option<PathBuf>, tables| file.map(|file| Place { file, tables });
    [place(package, PACKAGE), place(nearest(FILE), &[]), place(workspace, WORKSPACE)]
        .into_iter()
        .flatten()
        .collect()
}

/// The nearest file of that name between the directory and the root of its repository, or of its workspace where there is none.
pub fn nearest_upward(start: &Path, name: &str) -> Option<PathBuf> {
    directories(start).iter().map(|directory| directory.join(name)).find(|file| file.is_file())
}

/// From `start` upward to the root of the repository, or of the workspace where there is none.
fn directories(start: &Path) -> Vec<PathBuf> {
    let above: Vec<PathBuf> = start.ancestors().map(Path::to_path_buf).collect();
    let position = |is_root: &dyn Fn(&Path) -> bool| above.iter().position(|directory| is_root(directory));
    let root = position(&|directory| directory.join(".git").exists())
        .or_else(|| position(&|directory| holds_workspace(&directory.join("Cargo.toml"))))
        .or_else(|| position(&|directory| directory.join("Cargo.toml").is_file()))
        .unwrap_or(0);
    above.into_iter().take(root + 1).collect()
}

fn holds_workspace(manifest: &Path) -> bool {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("workspace"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lay(home: &Path, files: &[(&str, &str)]) {
        for (file, text) in files {
            let file = home.join(file);
            std::fs::create_dir_all(file.parent().expect("has one")).expect("writable");
            std::fs::write(file, text).expect("writable");
        }
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], start: &str, expected: &[&str]) {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let root = home.path().canonicalize().expect("there");
        lay(&root, files);
        let found: Vec<String> = of(&root.join(start))
            .into_iter()
            .map(|place| {
                let file = place.file.strip_prefix(&root).expect("within").display().to_string();
                if place.tables.is_empty() { file } else { format!("{file} {}", place.tables[0]) }
            })
            .collect();
        assert_eq!(found, expected);
    }

    const PACKAGE: &str = "[package]\nname = \"p\"\n";
    const WORKSPACE: &str = "[workspace]\nmembers = [\"p\"]\n";

    #[test]
    fn the_nearest_comes_first() {
        check(
            &[
                ("p/Cargo.toml", PACKAGE),
                ("Cargo.toml", WORKSPACE),
                (".config/regress.toml", ""),
                (".git/HEAD", ""),
            ],
            "p",
            &["p/Cargo.toml package", ".config/regress.toml", "Cargo.toml workspace"],
        );
    }

    #[test]
    fn nothing_beyond_the_repository_counts() {
        check(
            &[
                ("r/Cargo.toml", PACKAGE),
                ("r/.git/HEAD", ""),
                (".config/regress.toml", ""),
                ("Cargo.toml", WORKSPACE),
            ],
            "r",
            &["r/Cargo.toml package"],
        );
    }

    #[test]
    fn without_a_repository_the_workspace_is_the_root() {
        check(
            &[("w/p/Cargo.toml", PACKAGE), ("w/Cargo.toml", WORKSPACE), (".config/regress.toml", "")],
            "w/p",
            &["w/p/Cargo.toml package", "w/Cargo.toml workspace"],
        );
        check(&[("p/Cargo.toml", PACKAGE), (".config/regress.toml", "")], "p", &["p/Cargo.toml package"]);
        check(&[], ".", &[]);
    }
}
