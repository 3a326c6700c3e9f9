//! What is called in the place of the compiler that the toolchain has, or around it.
//!
//! *Idea.* Cargo does not build again where such a program is another one, and nobody knows what it does with the code. So what was built and dumped by one
//! is never used with another, and of versions that ask for different ones nothing is known to be the same.

use camino::{Utf8Path, Utf8PathBuf};

use super::cache::{Key, file_stamp};

/// Of each pair cargo reads the first that is set, and the configuration where neither is.
const VARIABLES: [&str; 6] = [
    "RUSTC",
    "CARGO_BUILD_RUSTC",
    "RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
];

/// The same in the table `build` of cargo's configuration.
const SETTINGS: [&str; 3] = ["rustc", "rustc-wrapper", "rustc-workspace-wrapper"];

/// The folder in `home` for what is built by the programs that variables name: `home` itself if there are none.
pub fn folder_for_variables(home: &Utf8Path) -> Utf8PathBuf {
    folder_for(home, &|name| std::env::var(name).ok(), &program_stamp)
}

fn folder_for(
    home: &Utf8Path,
    variable: &dyn Fn(&str) -> Option<String>,
    stamp: &dyn Fn(&str) -> String,
) -> Utf8PathBuf {
    let set = VARIABLES.iter().filter_map(|name| Some((*name, variable(name)?)));
    let set: Vec<(&str, String)> = set.filter(|(_, program)| !program.is_empty()).collect();
    if set.is_empty() {
        return home.to_owned();
    }
    let key =
        set.iter().fold(Key::new("replaced compiler, with recorded wrappers"), |key, (name, program)| {
            key.with(name).with(program).with(&stamp(program))
        });
    home.join("compiled-by").join(key.finish())
}

/// Another one for another program under the same name.
fn program_stamp(program: &str) -> String {
    let found = match program.contains(['/', '\\']) {
        true => Some(Utf8PathBuf::from(program)),
        false => std::env::var_os("PATH").and_then(|path| {
            let folders =
                std::env::split_paths(&path).filter_map(|folder| Utf8PathBuf::try_from(folder).ok());
            let names = [program.to_owned(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
            let mut files = folders.flat_map(|folder| names.clone().map(|name| folder.join(name)));
            files.find(|file| file.is_file())
        }),
    };
    found.and_then(|file| file_stamp(&file)).unwrap_or_default()
}

/// What a file of cargo's configuration puts in the place of the compiler or around it, setting by setting.
pub fn replaced_by_configuration(text: &str) -> Vec<(&'static str, String)> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let Some(build) = table.get("build").and_then(toml::Value::as_table) else { return Vec::new() };
    SETTINGS.iter().filter_map(|name| Some((*name, build.get(*name)?.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_program_built_is_not_used_with_another() {
        let home = Utf8Path::new("/home");
        let folder = |set: &[(&str, &str)], stamp: &str| {
            let variable = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, program)| (*program).to_owned())
            };
            folder_for(home, &variable, &|_| stamp.to_owned())
        };
        assert_eq!(folder(&[], "1"), home);
        assert_eq!(folder(&[("RUSTC_WRAPPER", "")], "1"), home);
        let wrapped = folder(&[("RUSTC_WRAPPER", "sccache")], "1");
        assert!(wrapped.starts_with(home) && wrapped != home);
        assert_eq!(folder(&[("RUSTC_WRAPPER", "sccache")], "1"), wrapped);
        assert_ne!(folder(&[("RUSTC_WRAPPER", "sccache")], "2"), wrapped, "another program of that name");
        assert_ne!(folder(&[("RUSTC_WRAPPER", "other")], "1"), wrapped);
        assert_ne!(folder(&[("RUSTC", "sccache")], "1"), wrapped);
    }

    #[test]
    fn settings_are_read() {
        let text = "[build]\nrustc-wrapper = \"w\"\njobs = 2\n[env]\nrustc = \"x\"";
        assert_eq!(replaced_by_configuration(text), [("rustc-wrapper", "\"w\"".to_owned())]);
        assert_eq!(replaced_by_configuration("build = 1"), []);
        assert_eq!(replaced_by_configuration("no toml"), []);
    }
}
