//! Where cargo stands when it builds a version, and so which configuration it finds.
//!
//! Cargo reads `.cargo/config.toml` of the folder that it is started in and of all above it. The copy of a version usually lies in the
//! target directory, and so below the user's working tree, whose configuration is that of another version. So cargo is started above the
//! repository, where it finds what holds for all versions, and is told of the files in the copy.
//!
//! *Limit.* Variables that set what such a file sets as well (`CARGO_PROFILE_…`) give way to the file then.

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

/// A folder to start cargo in, and the configuration files that it would not find from there, those first that give way to others.
#[derive(Debug, PartialEq, Eq)]
pub struct Standing {
    directory: Utf8PathBuf,
    files: Vec<Utf8PathBuf>,
}

impl Standing {
    /// To build what is in `directory`, in a copy of a version at `root`.
    pub fn of(root: &Utf8Path, directory: &Utf8Path) -> Standing {
        let repository = root.ancestors().skip(1).find(|folder| folder.join(".git").exists());
        let Some(above) = repository.and_then(Utf8Path::parent) else {
            return Standing { directory: directory.to_owned(), files: Vec::new() };
        };
        let folders = directory.ancestors().take_while(|folder| folder.starts_with(root));
        let file_in = |folder: &Utf8Path| {
            // Where there are both, cargo takes the one without ending.
            ["config", "config.toml"]
                .map(|name| folder.join(".cargo").join(name))
                .into_iter()
                .find(|file| file.is_file())
        };
        let mut files: Vec<Utf8PathBuf> = folders.filter_map(file_in).collect();
        files.reverse();
        Standing { directory: above.to_owned(), files }
    }

    /// Has a command of cargo start there.
    pub fn apply(&self, command: &mut Command) {
        command.current_dir(&self.directory);
        for file in &self.files {
            command.arg("--config").arg(file);
        }
    }

    /// Whether files are handed over, which then overrule variables of the environment.
    pub fn hands_files_over(&self) -> bool {
        !self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_working_tree_says_nothing_of_another_version() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        let root = base.join("user/target/regress/trees/old");
        let package = root.join("part");
        for folder in
            [base.join("user/.git"), base.join("user/.cargo"), root.join(".cargo"), package.join(".cargo")]
        {
            fs::create_dir_all(folder).unwrap();
        }
        for file in [
            base.join("user/.cargo/config.toml"),
            root.join(".cargo/config.toml"),
            package.join(".cargo/config"),
        ] {
            fs::write(file, "").unwrap();
        }
        let files = vec![root.join(".cargo/config.toml"), package.join(".cargo/config")];
        assert_eq!(Standing::of(&root, &package), Standing { directory: base.to_owned(), files });
        let lone = base.join("elsewhere");
        assert_eq!(Standing::of(&lone, &lone), Standing { directory: lone.clone(), files: Vec::new() });
    }
}
