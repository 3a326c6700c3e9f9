//! Where cargo stands when it builds a version, and so which configuration it finds.
//!
//! Cargo reads `.cargo/config.toml` of the folder that it is started in and of all above it. The copy of a version lies in the
//! target directory: below the user's working tree, whose configuration is that of another version, or somewhere else, where nothing that is above the
//! repository is found. So cargo is started above the user's repository, where it finds what holds for all versions, and is told of the files in the copy.
//!
//! Files that cargo is told of count more than variables, and files that it finds count less. So what a variable sets that such a file sets as well
//! (`CARGO_PROFILE_…`) is told to cargo once more, behind the files.
//!
//! *Limit.* What a file includes is not looked at for that.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

/// A folder to start cargo in, and the configuration files that it would not find from there, those first that give way to others.
#[derive(Debug, PartialEq, Eq)]
pub struct Standing {
    directory: Utf8PathBuf,
    files: Vec<Utf8PathBuf>,
}

impl Standing {
    /// To build what is in `directory`, in a copy of a version at `root`. `above` is the folder in which the user's repository lies, if there is one.
    pub fn of(root: &Utf8Path, directory: &Utf8Path, above: Option<&Utf8Path>) -> Standing {
        let Some(above) = above else {
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

    /// The folders in which cargo looks for configuration that it is not told of.
    pub fn looked_at<'f>(
        root: &'f Utf8Path,
        above: Option<&'f Utf8Path>,
    ) -> impl Iterator<Item = &'f Utf8Path> {
        above.or_else(|| root.parent()).into_iter().flat_map(Utf8Path::ancestors)
    }

    /// Has a command of cargo start there.
    pub fn apply(&self, command: &mut Command) {
        command.current_dir(&self.directory);
        for file in &self.files {
            command.arg("--config").arg(file);
        }
        let variable = |name: &str| std::env::var(name).ok();
        for file in &self.files {
            // Cargo will say what is wrong with a file that cannot be read.
            let text = fs::read_to_string(file).unwrap_or_default();
            command.args(overruled(&text, &variable).iter().flat_map(|setting| ["--config", setting]));
        }
    }

    /// Whether files are handed over, which then overrule variables of the environment.
    pub fn hands_files_over(&self) -> bool {
        !self.files.is_empty()
    }
}

/// What variables set in the place of a file of cargo's configuration, as cargo wants to be told. Lists are joined by cargo whatever their order.
fn overruled(file: &str, variable: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut settings = Vec::new();
    let mut open = vec![(Vec::new(), file.parse::<toml::Table>().unwrap_or_default())];
    while let Some((path, table)) = open.pop() {
        for (key, value) in table {
            let path = [path.as_slice(), &[key]].concat();
            match value {
                toml::Value::Table(table) => open.push((path, table)),
                toml::Value::Array(_) => {}
                _ => {
                    let name = format!("CARGO_{}", path.join("_")).to_uppercase().replace(['-', '.'], "_");
                    let Some(text) = variable(&name) else { continue };
                    let keys: Vec<String> =
                        path.iter().map(|key| toml::Value::from(key.as_str()).to_string()).collect();
                    let plain = text.parse::<bool>().is_ok() || text.parse::<i64>().is_ok();
                    let value = if plain { text } else { toml::Value::from(text).to_string() };
                    settings.push(format!("{}={value}", keys.join(".")));
                }
            }
        }
    }
    settings.sort();
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_count_more_than_files() {
        let file = "[build]\nrustflags = [\"--cfg\", \"x\"]\njobs = 2\n\
            [profile.dev]\noverflow-checks = true\ndebug = 1\n[target.x86_64-a-b.env]\nlinker = \"ld\"\n";
        let variable = |name: &str| match name {
            "CARGO_PROFILE_DEV_OVERFLOW_CHECKS" => Some("false".to_owned()),
            "CARGO_PROFILE_DEV_DEBUG" => Some("line-tables-only".to_owned()),
            "CARGO_BUILD_RUSTFLAGS" | "CARGO_PROFILE_DEV_PANIC" => Some("x".to_owned()),
            "CARGO_TARGET_X86_64_A_B_ENV_LINKER" => Some("1".to_owned()),
            _ => None,
        };
        let expected = [
            r#""profile"."dev"."debug"="line-tables-only""#,
            r#""profile"."dev"."overflow-checks"=false"#,
            r#""target"."x86_64-a-b"."env"."linker"=1"#,
        ];
        assert_eq!(overruled(file, &variable), expected);
        assert!(overruled("no toml", &variable).is_empty());
    }

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
        assert_eq!(Standing::of(&root, &package, Some(base)), Standing { directory: base.to_owned(), files });
        let lone = base.join("elsewhere");
        assert_eq!(Standing::of(&lone, &lone, None), Standing { directory: lone.clone(), files: Vec::new() });
    }
}
