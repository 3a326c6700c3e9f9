//! Writes the crate that calls both versions (`--emit-proptest`, `--emit-kani`).
//!
//! Both trees are copied into the crate's folder. Paths to the copies below the target directory would be shorter, but `cargo regress clean` removes
//! these, and the folder could not be handed on.
//!
//! One program may not have two packages of one name and one version, so packages of the old version have `+old` at the end of theirs:
//! this is no part of what a requirement asks for.
//!
//! *Limits.* Settings of the whole workspace of a version (`[patch]`, `[profile]`, `.cargo/config.toml`) do not hold in the crate. A package with `links`
//! cannot be there twice.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::args::Options;
use crate::extract::{BaseFeatures, FeatureChoice};
use crate::report::harness::{EmittedHarness, HarnessLibrary, HarnessTrees};
use crate::rustfmt::format_source;

/// For whom the crate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Proptest,
    Kani,
}

impl Tool {
    fn option(self) -> &'static str {
        match self {
            Tool::Proptest => "--emit-proptest",
            Tool::Kani => "--emit-kani",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Tool::Proptest => "cargo test",
            Tool::Kani => "cargo kani",
        }
    }
}

fn asked(options: &Options) -> impl Iterator<Item = (Tool, &Utf8Path)> {
    let artefacts = &options.artefacts;
    let all = [(Tool::Proptest, &artefacts.emit_proptest), (Tool::Kani, &artefacts.emit_kani)];
    all.into_iter().filter_map(|(tool, folder)| Some((tool, folder.as_deref()?)))
}

/// Finds out before the comparison, which may take long, what keeps the crates from being written.
pub(crate) fn check(options: &Options) -> anyhow::Result<()> {
    for (tool, folder) in asked(options) {
        let option = tool.option();
        if options.frontend.files().is_some() {
            bail!("`{option}` copies the sources of both versions, and `--from-llbc` has none");
        }
        if options.parts.partition.is_some() {
            bail!("`{option}` is for `cargo regress merge`, which has the findings of all parts");
        }
        is_free(tool, folder)?;
    }
    let artefacts = &options.artefacts;
    match artefacts.emit_proptest.is_some() && artefacts.emit_proptest == artefacts.emit_kani {
        true => bail!("`--emit-proptest` and `--emit-kani` are two crates, which need two folders"),
        false => Ok(()),
    }
}

/// What is there stays.
fn is_free(tool: Tool, folder: &Utf8Path) -> anyhow::Result<()> {
    match folder.read_dir_utf8() {
        Ok(mut items) => match items.next() {
            Some(_) => bail!("{folder} is not empty: `{}` writes into a new or empty folder", tool.option()),
            None => Ok(()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(anyhow!("{folder} cannot be written: {error}")),
    }
}

/// Writes the crates that the options ask for.
pub(crate) fn write_all(options: &Options, harness: &EmittedHarness) -> anyhow::Result<()> {
    for (tool, folder) in asked(options) {
        let Some(trees) = &harness.trees else {
            bail!("`{}`: no functions were compared", tool.option());
        };
        write(tool, folder, trees, harness).with_context(|| format!("{folder} cannot be written"))?;
    }
    Ok(())
}

fn write(
    tool: Tool,
    folder: &Utf8Path,
    trees: &HarnessTrees,
    harness: &EmittedHarness,
) -> anyhow::Result<()> {
    is_free(tool, folder)?;
    fs::create_dir_all(folder.join("src"))?;
    copy(&trees.old, &folder.join("old"))?;
    copy(&trees.new, &folder.join("new"))?;
    mark_versions(&folder.join("old"))?;
    if trees.lock.is_file() {
        fs::copy(&trees.lock, folder.join("Cargo.lock"))?;
    }
    let source = match tool {
        Tool::Proptest => &harness.proptest,
        Tool::Kani => &harness.kani,
    };
    fs::write(folder.join("src/lib.rs"), format_source(source)?)?;
    fs::write(folder.join("Cargo.toml"), manifest(tool, folder, harness))?;
    fs::write(folder.join(".gitignore"), "/target\n")?;
    fs::write(folder.join("README.md"), read_me(tool, trees))?;
    Ok(())
}

/// Copies a tree. Its files get new times, by which cargo sees what it has to build.
fn copy(from: &Utf8Path, to: &Utf8Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for item in from.read_dir_utf8()? {
        let item = item?;
        let (kind, to) = (item.file_type()?, to.join(item.file_name()));
        if kind.is_dir() {
            copy(item.path(), &to)?;
        } else if kind.is_symlink() {
            link(item.path(), &to)?;
        } else {
            fs::write(&to, fs::read(item.path())?)?;
            fs::set_permissions(&to, item.metadata()?.permissions())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

/// Where links need a privilege, what they lead to is copied.
#[cfg(not(unix))]
fn link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    fs::copy(from, to).map(|_| ())
}

/// Gives all packages of the tree versions that no package of the other tree has.
fn mark_versions(tree: &Utf8Path) -> anyhow::Result<()> {
    let manifest = tree.join("Cargo.toml");
    // A link leads to a manifest that is marked where it lies.
    if fs::symlink_metadata(&manifest).is_ok_and(|metadata| metadata.is_file()) {
        let text = fs::read_to_string(&manifest)?;
        if let Some(marked) = marked(&text) {
            fs::write(&manifest, marked)?;
        }
    }
    for item in tree.read_dir_utf8()? {
        let item = item?;
        if item.file_type()?.is_dir() {
            mark_versions(item.path())?;
        }
    }
    Ok(())
}

/// The manifest with another version; none if it has no version of its own.
fn marked(manifest: &str) -> Option<String> {
    // What cannot be read as a manifest is none that cargo would read: trees hold such files for tests.
    let mut document = manifest.parse::<DocumentMut>().ok()?;
    let mut is_changed = false;
    if let Some(workspace) = document.get_mut("workspace").and_then(Item::as_table_mut)
        && let Some(package) = workspace.get_mut("package").and_then(Item::as_table_like_mut)
        && let Some(version) = package.get("version").and_then(Item::as_str).map(with_mark)
    {
        package.insert("version", value(version));
        is_changed = true;
    }
    if let Some(package) = document.get_mut("package").and_then(Item::as_table_like_mut) {
        let version = match package.get("version") {
            None => Some("0.0.0+old".to_owned()),
            Some(version) => version.as_str().map(with_mark),
        };
        if let Some(version) = version {
            package.insert("version", value(version));
            is_changed = true;
        }
    }
    is_changed.then(|| document.to_string())
}

fn with_mark(version: &str) -> String {
    format!("{version}{}old", if version.contains('+') { '.' } else { '+' })
}

fn manifest(tool: Tool, folder: &Utf8Path, harness: &EmittedHarness) -> String {
    let mut text = String::from(
        "[package]\nname = \"both-versions\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n",
    );
    text.push_str("# Each version is in a workspace of its own.\n[workspace]\nexclude = [\"old\", \"new\"]\n\n[dependencies]\n");
    for library in &harness.libraries {
        for (side, version) in ["old", "new"].into_iter().enumerate() {
            let (alias, line) = dependency(folder, harness, library, side, version);
            let _ = writeln!(text, "{alias} = {line}");
        }
    }
    match tool {
        Tool::Proptest => text.push_str("\n[dev-dependencies]\nproptest = \"1\"\n"),
        // Kani brings its crate along.
        Tool::Kani => text.push_str(
            "\n[lints.rust]\nunexpected_cfgs = { level = \"warn\", check-cfg = [\"cfg(kani)\"] }\n",
        ),
    }
    text
}

/// A version of a library as a dependency: what it is called, and where it is.
fn dependency<'a>(
    folder: &Utf8Path,
    harness: &EmittedHarness,
    library: &'a HarnessLibrary,
    side: usize,
    version: &str,
) -> (&'a str, String) {
    let (package, inside) = &library.packages[side];
    let path = Utf8PathBuf::from(version).join(inside);
    let declared = fs::read_to_string(folder.join(&path).join("Cargo.toml")).unwrap_or_default();
    let mut line = toml_edit::InlineTable::new();
    line.insert("package", package.as_str().into());
    line.insert("path", path.as_str().trim_end_matches('/').replace('\\', "/").into());
    if harness.features.base == BaseFeatures::None {
        line.insert("default-features", false.into());
    }
    let features = features(&harness.features, package, &declared);
    if !features.is_empty() {
        line.insert("features", features.into_iter().collect::<toml_edit::Array>().into());
    }
    (&library.aliases[side], line.to_string().trim().to_owned())
}

/// The features of the comparison that the package has.
fn features(choice: &FeatureChoice, package: &str, manifest: &str) -> Vec<String> {
    let document = manifest.parse::<DocumentMut>().unwrap_or_default();
    let table = |name: &str| document.get(name).and_then(Item::as_table).cloned().unwrap_or_else(Table::new);
    let declared = table("features");
    let has = |name: &str| {
        let is_optional = |item: &Item| item.get("optional").and_then(Item::as_bool) == Some(true);
        declared.contains_key(name) || table("dependencies").get(name).is_some_and(is_optional)
    };
    if choice.base == BaseFeatures::All {
        return declared.iter().map(|(name, _)| name.to_owned()).collect();
    }
    let named = choice.named.iter().flat_map(|names| names.split([',', ' ']));
    let own = named.filter_map(|name| match name.split_once('/') {
        Some((of, name)) => (of == package).then_some(name),
        None => Some(name),
    });
    own.filter(|name| has(name)).map(str::to_owned).collect()
}

fn read_me(tool: Tool, trees: &HarnessTrees) -> String {
    let [old, new] = &trees.labels;
    format!(
        "# Both versions\n\n\
         Calls each public function that may have changed in both versions, on the same values: `{}` here.\n\n\
         * `old/`: {old}\n* `new/`: {new}\n\n\
         Both are copies. Nothing else is needed: the folder can be moved, and stays when `cargo regress clean` removes the trees of the comparison. \
         A change in `new/` is seen by the next `{}`.\n\n\
         The versions of the packages in `old/` end in `+old`, as one program may not have two packages of one name and one version. What \
         `CARGO_PKG_VERSION` says there is that. Settings of a whole workspace (`[patch]`, `[profile]`, `.cargo/config.toml`) do not hold here: put \
         them beside this file. A package with `links` cannot be in one program twice.\n\n\
         Functions that are left out stand at the end of `src/lib.rs`, with the reason.\n",
        tool.command(),
        tool.command(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_marked(manifest: &str, expected: Option<&str>) {
        assert_eq!(marked(manifest).as_deref(), expected);
    }

    #[test]
    fn old_packages_have_versions_of_their_own() {
        check_marked(
            "[package]\nname = \"k\" # ours\nversion = \"1.2.3\"\n",
            Some("[package]\nname = \"k\" # ours\nversion = \"1.2.3+old\"\n"),
        );
        check_marked(
            "[package]\nname = \"k\"\nversion = \"1.2.3+5\"\n",
            Some("[package]\nname = \"k\"\nversion = \"1.2.3+5.old\"\n"),
        );
        check_marked("[package]\nname = \"k\"\n", Some("[package]\nname = \"k\"\nversion = \"0.0.0+old\"\n"));
        check_marked(
            "[workspace.package]\nversion = \"1.0.0\"\n\n[package]\nname = \"k\"\nversion.workspace = true\n",
            Some(
                "[workspace.package]\nversion = \"1.0.0+old\"\n\n[package]\nname = \"k\"\nversion.workspace = true\n",
            ),
        );
        check_marked("[workspace]\nmembers = []\n", None);
        check_marked("not = a = manifest", None);
    }

    #[test]
    fn features_are_those_that_a_package_has() {
        let manifest = "[features]\nfast = []\nslow = []\n\n[dependencies]\nextra = { version = \"1\", optional = true }\n";
        let of = |base: BaseFeatures, named: &[&str]| {
            let named = named.iter().map(|name| (*name).to_owned()).collect();
            features(&FeatureChoice { base, named }, "k", manifest)
        };
        assert_eq!(
            of(BaseFeatures::Default, &["fast,extra", "other", "k/slow", "j/fast"]),
            ["fast", "extra", "slow"]
        );
        assert_eq!(of(BaseFeatures::All, &[]), ["fast", "slow"]);
    }

    #[test]
    fn each_version_is_a_dependency() {
        let library = HarnessLibrary {
            crate_name: "k".into(),
            aliases: ["old".into(), "new".into()],
            packages: [("k-before".into(), "".into()), ("k".into(), "crates/k".into())],
        };
        let features = FeatureChoice { base: BaseFeatures::None, named: Vec::new() };
        let harness = EmittedHarness { libraries: vec![library], features, ..EmittedHarness::default() };
        let text = manifest(Tool::Proptest, Utf8Path::new("nowhere"), &harness);
        for line in [
            "old = { package = \"k-before\", path = \"old\", default-features = false }\n",
            "new = { package = \"k\", path = \"new/crates/k\", default-features = false }\n",
            "exclude = [\"old\", \"new\"]\n",
            "proptest = \"1\"\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8Path::from_path(folder.path()).expect("UTF-8");
        assert!(is_free(Tool::Kani, path).is_ok() && is_free(Tool::Kani, &path.join("new")).is_ok());
        fs::write(path.join("mine"), "").expect("writable");
        let error = is_free(Tool::Kani, path).expect_err("it is not empty").to_string();
        assert!(error.ends_with("is not empty: `--emit-kani` writes into a new or empty folder"), "{error}");
    }
}
