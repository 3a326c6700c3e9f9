//! What is known about the dependencies of both versions before they are read: which may differ, and which cannot be
//! told apart by name.
//!
//! *Idea.* Cargo's hash of a unit covers its package, features and profile, and the units it is compiled with. So a
//! foreign package of which both versions have the same unit is the same program in both, if its build script (which may read anything)
//! told the compiler the same and wrote the same files. What lies in the tree may be
//! another with every commit, and so may whatever is compiled with it (by `[patch]`): there the hash says nothing.
//!
//! A program has one table of names, so of crates that share a name none can be read.

use std::collections::{BTreeMap, BTreeSet};

use mir_frontend::rustc::replay::extern_stems;
use regress_core::ir::Name;

use crate::extract::{DependencyInvocation, Extraction, Origin};

/// Names that mean the standard library in the program.
const NAMES_OF_STD: [&str; 6] = ["std", "core", "alloc", "test", "proc_macro", "std_models"];

/// The dependencies of both versions, by crate name.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    /// Crates that need not be the same in both versions.
    different: BTreeSet<String>,
    /// Crates of the tree, in one version at least.
    in_tree: BTreeSet<String>,
    /// Crates from elsewhere, in one version at least.
    foreign: BTreeSet<String>,
    /// Crates that cannot be read, and why.
    unreadable: BTreeMap<String, String>,
    all: BTreeSet<String>,
}

impl Dependencies {
    pub(super) fn of(old: &Extraction, new: &Extraction) -> Dependencies {
        let mut found = Dependencies::default();
        let (old_units, new_units) = (units_by_name(old), units_by_name(new));
        for extraction in [old, new] {
            for dependency in &extraction.dependencies {
                let name = &dependency.crate_name;
                found.all.insert(name.clone());
                let place = match dependency.origin {
                    Origin::Path => &mut found.in_tree,
                    _ => &mut found.foreign,
                };
                place.insert(name.clone());
            }
            found.note_collisions(extraction);
        }
        let differs = |name: &&String| match (old_units.get(*name), new_units.get(*name)) {
            (Some(Some(old)), Some(Some(new))) => old != new,
            _ => true,
        };
        found.different = found.all.iter().filter(differs).cloned().collect();
        found
    }

    fn note_collisions(&mut self, extraction: &Extraction) {
        let mut releases: BTreeMap<&str, Vec<&DependencyInvocation>> = BTreeMap::new();
        for dependency in &extraction.dependencies {
            releases.entry(&dependency.crate_name).or_default().push(dependency);
        }
        for (name, releases) in releases {
            let reason = if NAMES_OF_STD.contains(&name) {
                "it bears a name of the standard library".to_owned()
            } else if extraction.crates.iter().any(|compared| compared.crate_name == name) {
                "a crate of the package bears the same name".to_owned()
            } else if releases.len() > 1 {
                let versions: Vec<&str> =
                    releases.iter().map(|release| release.package_version.as_str()).collect();
                format!("the program contains it more than once ({})", versions.join(", "))
            } else {
                continue;
            };
            self.unreadable.insert(name.to_owned(), reason);
        }
    }

    /// Crates of the tree that can be read: they may have changed with it.
    pub(super) fn in_tree(&self) -> BTreeSet<String> {
        self.in_tree.iter().filter(|name| !self.unreadable.contains_key(*name)).cloned().collect()
    }

    /// Crates from outside of the repository, in both versions.
    pub(super) fn elsewhere(&self) -> BTreeSet<Name> {
        self.foreign.difference(&self.in_tree).map(Name::new).collect()
    }

    /// Crates of which the items that are not in the program count as changed, given those that were read.
    ///
    /// What a crate of the tree that was read does not define is foreign code, known by its name.
    pub(super) fn changed(&self, read: &BTreeSet<String>) -> BTreeSet<Name> {
        let is_known = |name: &String| !self.foreign.contains(name) && read.contains(name);
        self.different.iter().filter(|name| !is_known(name)).map(Name::new).collect()
    }

    /// Whether the crate is the same program in both versions.
    pub(super) fn is_common(&self, name: &str) -> bool {
        self.all.contains(name) && !self.different.contains(name)
    }

    /// All crates but those.
    pub(super) fn without(&self, read: &BTreeSet<String>) -> BTreeSet<Name> {
        self.all.difference(read).map(Name::new).collect()
    }

    /// Why the crate cannot be read.
    pub(super) fn why_unreadable(&self, name: &str) -> Option<&str> {
        self.unreadable.get(name).map(String::as_str)
    }

    /// Gives up reading the crate.
    pub(super) fn give_up(&mut self, name: &str, reason: String) {
        self.unreadable.entry(name.to_owned()).or_insert(reason);
    }
}

/// The units of each name, none if one of them may be another with each commit.
fn units_by_name(extraction: &Extraction) -> BTreeMap<&String, Option<BTreeSet<String>>> {
    let of_tree = units_of_tree(extraction);
    let mut units = BTreeMap::new();
    for dependency in &extraction.dependencies {
        let stem = dependency.invocation.unit.stem.as_str();
        let of_name = units.entry(&dependency.crate_name).or_insert_with(|| Some(BTreeSet::new()));
        match of_name {
            Some(of_name) if !of_tree.contains(stem) => {
                of_name.insert(identity(dependency));
            }
            _ => *of_name = None,
        }
    }
    units
}

/// Cargo's hash, and what the build script of the package adds to what that covers.
fn identity(dependency: &DependencyInvocation) -> String {
    let call = &dependency.invocation;
    let out_dir = call.environment.set.get("OUT_DIR").map_or("\0", String::as_str);
    // `<target>/debug/deps`
    let target = call.unit.out_dir.rsplit_once("/deps").map_or("\0", |(target, _)| target);
    let alike = |text: &str| text.replace(out_dir, "OUT_DIR").replace(target, "TARGET");
    let mut parts = vec![call.unit.stem.clone()];
    parts.extend(call.arguments.iter().map(|argument| alike(argument)));
    // What cargo says of the package itself is covered by its hash.
    let told = call
        .environment
        .set
        .iter()
        .filter(|(name, _)| !name.starts_with("CARGO") && !PATHS.contains(&name.as_str()));
    parts.extend(told.map(|(name, value)| format!("{name}={}", alike(value))));
    for files in [&dependency.brought.libraries, &dependency.brought.generated] {
        parts.extend(files.iter().map(|(name, digest)| format!("{name} {digest}")));
    }
    parts.push(dependency.generated.clone());
    parts.join("\n")
}

/// Variables that cargo sets to folders of the build.
const PATHS: [&str; 4] = ["OUT_DIR", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PATH"];

/// The units that lie in the tree, and those compiled with one of them.
fn units_of_tree(extraction: &Extraction) -> BTreeSet<&str> {
    let lies_in_tree = |dependency: &&DependencyInvocation| {
        dependency.origin == Origin::Path
            || dependency.invocation.manifest_dir.starts_with(&extraction.source_root)
    };
    let stem = |dependency: &'_ DependencyInvocation| dependency.invocation.unit.stem.clone();
    let mut found: BTreeSet<String> = extraction.dependencies.iter().filter(lies_in_tree).map(stem).collect();
    found.extend(extraction.crates.iter().map(|compared| compared.invocation.unit.stem.clone()));
    loop {
        let more: Vec<String> = extraction
            .dependencies
            .iter()
            .filter(|dependency| !found.contains(&dependency.invocation.unit.stem))
            .filter(|dependency| {
                extern_stems(&dependency.invocation.arguments).iter().any(|used| found.contains(used))
            })
            .map(stem)
            .collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    let stems = extraction.dependencies.iter().map(|dependency| dependency.invocation.unit.stem.as_str());
    stems.filter(|stem| found.contains(*stem)).collect()
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use mir_frontend::rustc::replay::{Purpose, Unit, UnitKind};

    use super::*;
    use crate::extract::{Brought, Elsewhere, RecordedEnvironment, RecordedUnit, Sharing};

    /// `name hash origin [used stems]`
    fn dependency(text: &str) -> DependencyInvocation {
        let mut words = text.split(' ');
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (name, hash, origin) = (next(), next(), next());
        let arguments: Vec<String> = words.map(|stem| format!("--extern=x=/t/lib{stem}.rmeta")).collect();
        let (origin, folder) = match origin.as_str() {
            "path" => (Origin::Path, "/tree/member"),
            "vendored" => (Origin::Registry, "/tree/vendor/x"),
            "git" => (Origin::Git, "/elsewhere"),
            _ => (Origin::Registry, "/elsewhere"),
        };
        DependencyInvocation {
            crate_name: name.clone(),
            package_name: name.clone(),
            package_version: format!("1.{hash}"),
            package_id: name.clone(),
            origin,
            sharing: Sharing::AllVersions,
            generated: String::new(),
            invocation: RecordedUnit {
                unit: Unit {
                    crate_name: name.clone(),
                    kind: UnitKind::Library,
                    purpose: Purpose::Check,
                    stem: format!("{name}-{hash}"),
                    out_dir: String::new(),
                },
                wrappers: Vec::new(),
                arguments,
                directory: Utf8PathBuf::new(),
                environment: RecordedEnvironment::default(),
                package_name: name,
                package_version: String::new(),
                manifest_dir: folder.into(),
            },
            brought: Brought::default(),
        }
    }

    fn extraction(dependencies: &[&str]) -> Extraction {
        Extraction {
            source_root: "/tree".into(),
            crates: Vec::new(),
            dependencies: dependencies.iter().map(|text| dependency(text)).collect(),
            skipped: Vec::new(),
            test_targets: Vec::new(),
            elsewhere: Elsewhere::default(),
        }
    }

    #[track_caller]
    fn check(old: &[&str], new: &[&str], changed: &[&str]) {
        let found = Dependencies::of(&extraction(old), &extraction(new)).changed(&BTreeSet::new());
        assert_eq!(found.iter().map(Name::as_str).collect::<Vec<_>>(), changed);
    }

    #[test]
    fn another_unit_is_another_program() {
        check(&["a 1 registry", "b 2 git"], &["a 1 registry", "b 2 git"], &[]);
        check(&["a 1 registry"], &["a 2 registry"], &["a"]);
        check(&["a 1 registry"], &["a 1 registry", "b 2 git"], &["b"]);
        check(&["a 1 registry", "a 2 registry"], &["a 1 registry"], &["a"]);
    }

    #[test]
    fn what_is_compiled_with_the_tree_may_change_with_it() {
        let patched = ["a 1 path", "b 2 registry a-1", "c 3 registry b-2", "d 4 registry"];
        check(&patched, &patched, &["a", "b", "c"]);
        check(&["v 1 vendored"], &["v 1 vendored"], &["v"]);
    }

    #[test]
    fn a_crate_of_the_tree_is_known_once_it_was_read() {
        let versions = extraction(&["a 1 path", "b 2 registry a-1"]);
        let found = Dependencies::of(&versions, &versions);
        let read = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(found.changed(&read), BTreeSet::from([Name::new("b")]));
        assert!(!found.is_common("a") && !found.is_common("b") && !found.is_common("none"));
    }

    #[test]
    fn crates_of_one_name_are_not_read() {
        let (two, one) =
            (extraction(&["a 1 registry", "a 2 registry", "core 3 git"]), extraction(&["a 1 registry"]));
        for found in [Dependencies::of(&two, &one), Dependencies::of(&one, &two)] {
            assert!(found.why_unreadable("a").unwrap().contains("more than once (1.1, 1.2)"));
            assert!(found.why_unreadable("core").unwrap().contains("standard library"));
        }
        assert_eq!(Dependencies::of(&one, &one).why_unreadable("a"), None);
    }
}
