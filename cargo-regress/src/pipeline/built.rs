//! How both versions are built, as far as no body says it, and what follows from it.
//!
//! *Idea.* The recorded calls of the compiler are compared after paths are made alike. What they say of bodies (features, `cfg`s, edition,
//! environment, included files) is in the dumps, which are compared anyway. The rest is one of three kinds:
//!
//! * overflow checks, which code of the standard library takes over from the crate that it is compiled into: the models are made what they are
//!   in each version (`regress_core::ir::checks`), so what differs is found as a difference of bodies; where no model says how a function of std is
//!   built, it counts as changed;
//! * native libraries, by their contents: functions without a body count as changed, and what reaches them as affected;
//! * all else (what a panic does, the target, options that are not known here): every function counts as affected.
//!
//! A panic that ends the process cannot be shown natively, as workers have to catch it ([`Ends`]).

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use mir_frontend::rustc::replay::UnitKind;
use mir_frontend::rustc::settings::{PanicStrategy, Settings};
use regress_core::align::{LIBRARY, PRIMITIVES, Pair, Surroundings, names_reached};
use regress_core::ir::checks::inherit_overflow_checks;
use regress_core::ir::{FnId, ImplId, Name, OverflowChecks, Owner, Path, Program};
use regress_core::verdict::{Approximation, ChangeKind, Ledger, Verdict, Version};

use super::aligned::needs_work;
use super::load::Loaded;
use super::subject::Judgement;
use crate::extract::{
    Brought, CrateDumpFiles, Extraction, Origin, RecordedUnit, Toolchain, asked_release,
    replaced_by_configuration,
};
use crate::report::reasons;
use regress_core::verdict::not_analysed::{NotAnalysed, OtherBuild};
use regress_core::verdict::unsupported::Unsupported;

/// A unit of either version.
struct Built<'e> {
    name: &'e str,
    call: &'e RecordedUnit,
    brought: &'e Brought,
    origin: Origin,
}

impl Built<'_> {
    fn key(&self) -> (&str, UnitKind, Origin, &str, &str) {
        let call = self.call;
        // The release of what lies in the tree may change with each version.
        let release = if self.is_foreign() { call.package_version.as_str() } else { "" };
        // Of one release there may be a unit for each set of features, which the hash tells.
        let stem = if self.is_foreign() { call.unit.stem.as_str() } else { "" };
        (self.name, call.unit.kind, self.origin, release, stem)
    }

    fn is_foreign(&self) -> bool {
        matches!(self.origin, Origin::Registry | Origin::Git)
    }
}

/// What is known of the builds of both versions.
#[derive(Clone, Debug, Default)]
pub(super) struct Builds {
    pub old: Way,
    pub new: Way,
    /// What is another in the new version, each in a sentence.
    pub notes: Vec<String>,
    /// A crate that is built with overflow checks in one version only, though the programs may look alike.
    checks_of: Option<String>,
    foreign_code: Option<String>,
    everything: Option<String>,
    /// What both versions were read without, though one of them has it: nothing is proved then.
    unproved: Option<OtherBuild>,
    /// Crates that ask whether they are being documented, and where they are from.
    asking_for_doc: BTreeSet<(String, Origin)>,
}

/// How the crates of one version are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub overflow_checks: OverflowChecks,
    debug_assertions: OverflowChecks,
    ends: Ends,
}

/// What a panic comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    TheCall,
    /// `panic = "abort"`
    TheProcess,
}

impl Default for Way {
    fn default() -> Way {
        Way { overflow_checks: OverflowChecks::On, debug_assertions: OverflowChecks::On, ends: Ends::TheCall }
    }
}

impl Builds {
    /// Both versions were compiled by `toolchain`.
    pub fn of(old: &Extraction, new: &Extraction, toolchain: &Toolchain) -> Builds {
        let (old_units, new_units) = (units(old), units(new));
        let mut builds = Builds { old: way(&old_units), new: way(&new_units), ..Builds::default() };
        let (was, is) = (builds.old, builds.new);
        if was.overflow_checks != is.overflow_checks {
            let kind = |checks| match checks {
                OverflowChecks::On => "with overflow checks",
                OverflowChecks::Off => "without overflow checks",
                OverflowChecks::Mixed => "with overflow checks in some crates only",
            };
            builds.notes.push(format!(
                "the old version is built {}, the new one {} (overflow-checks)",
                kind(was.overflow_checks),
                kind(is.overflow_checks)
            ));
        }
        if was.debug_assertions != is.debug_assertions {
            builds.notes.push(
                "debug-assertions are not the same in both versions: undefined behaviour is caught in one of them only"
                    .to_owned(),
            );
        }
        if was.ends != is.ends {
            let only = if is.ends == Ends::TheProcess { Version::New } else { Version::Old };
            builds.unproved_for(OtherBuild::PanicEnds { only });
        }
        for unit in &new_units {
            let mut same = old_units.iter().filter(|other| other.key() == unit.key());
            match (same.next(), same.next()) {
                // What came with the new version is known as that.
                (None, _) => {}
                (Some(other), None) => builds.compare(other, old, unit, new),
                (Some(_), Some(_)) => builds.everything_for(format!(
                    "`{}` is there more than once, and which of both versions is which is not known",
                    unit.name
                )),
            }
        }
        // What begins with such a name means the library wherever it is printed.
        let is_named_alike =
            |unit: &&Built<'_>| LIBRARY.contains(&unit.name) || PRIMITIVES.contains(&unit.name);
        if let Some(unit) = old_units.iter().chain(&new_units).find(is_named_alike) {
            builds.unproved_for(OtherBuild::NamedLikeLibrary { crate_name: unit.name.to_owned() });
        }
        if toolchain_files(old) != toolchain_files(new) {
            let trees = [(Version::Old, old), (Version::New, new)];
            match trees.iter().find_map(|(version, tree)| other_toolchain(*version, tree, toolchain)) {
                Some(why) => builds.unproved_for(why),
                None => builds.notes.push(
                    "the toolchain file is not the same in both versions, and means the same toolchain"
                        .to_owned(),
                ),
            }
        }
        if let Some(setting) = other_compiler(old, new) {
            builds.unproved_for(OtherBuild::Compiler { setting });
        }
        if was.overflow_checks == is.overflow_checks
            && let Some(name) = &builds.checks_of
        {
            // Nothing tells in which crate the linker finds the code of std that takes its checks over.
            builds.everything_for(format!("`{name}` is built with overflow checks in one version only"));
        }
        builds.notes.dedup();
        builds
    }

    fn compare(&mut self, old: &Built<'_>, old_tree: &Extraction, new: &Built<'_>, new_tree: &Extraction) {
        let (was, is) = (Settings::of(&old.call.arguments), Settings::of(&new.call.arguments));
        let name = new.name;
        if was.overflow_checks != is.overflow_checks {
            self.checks_of.get_or_insert(name.to_owned());
        }
        if was.target != is.target {
            self.everything_for(format!("`{name}` is built for another target"));
        }
        let (mut was_unknown, is_unknown) =
            (alike(&was.unknown, old, old_tree), alike(&is.unknown, new, new_tree));
        if was_unknown != is_unknown {
            let one = is_unknown.iter().find(|option| !was_unknown.contains(option)).cloned();
            let one = one.or_else(|| was_unknown.pop()).unwrap_or_default();
            self.everything_for(format!("`{name}` is built with another `{one}`"));
        }
        let linked = |settings: &Settings, unit, tree| alike(&settings.linked, unit, tree);
        if linked(&was, old, old_tree) != linked(&is, new, new_tree) {
            self.foreign_for(format!("`{name}` is linked with other native libraries"));
        }
        if old.brought.libraries != new.brought.libraries {
            let differs =
                |file: &&String| old.brought.libraries.get(*file) != new.brought.libraries.get(*file);
            let files = || new.brought.libraries.keys().chain(old.brought.libraries.keys());
            // Object files lie beside the library that they are in.
            let library = files().filter(|file| !file.ends_with(".o")).find(differs);
            let file = library.or_else(|| files().find(differs)).map(String::as_str).unwrap_or_default();
            self.foreign_for(format!("the native library `{file}` of `{name}` changed"));
        }
    }

    /// Of which of these crates, all of which are read, what is known may not be what is built. Those of the tree need not even be the same in both versions.
    pub fn note_crates<'d>(&mut self, read: impl Iterator<Item = &'d CrateDumpFiles>) {
        for dump in read.filter(|dump| dump.asks_for_doc) {
            if !self.asking_for_doc.insert((dump.crate_name.clone(), dump.origin)) {
                continue;
            }
            let why = OtherBuild::AsksForDoc { crate_name: dump.crate_name.clone() };
            match dump.origin {
                Origin::Selected | Origin::Path => self.unproved_for(why),
                Origin::Registry | Origin::Git => {
                    self.notes.push(reasons::other_build(&why));
                    self.unproved = Some(why);
                }
                Origin::StdModels => {}
            }
        }
    }

    fn unproved_for(&mut self, why: OtherBuild) {
        self.everything_for(reasons::other_build(&why));
        self.unproved = Some(why);
    }

    fn everything_for(&mut self, why: String) {
        self.notes.push(why.clone());
        self.everything.get_or_insert(why);
    }

    fn foreign_for(&mut self, why: String) {
        self.notes.push(why.clone());
        self.foreign_code.get_or_insert(why);
    }

    /// Makes the programs what the builds make of them.
    pub fn apply(&self, old: &mut Program, new: &mut Program) {
        inherit_overflow_checks(old, self.old.overflow_checks);
        inherit_overflow_checks(new, self.new.overflow_checks);
    }

    /// What is known to differ besides the programs, given the crates of which that is known those that may hand on items of others,
    /// and those from outside of the repository.
    pub fn surroundings(
        &self,
        mut changed_crates: BTreeSet<Name>,
        handing_on: BTreeSet<Name>,
        elsewhere: BTreeSet<Name>,
    ) -> Surroundings {
        if self.old.overflow_checks != self.new.overflow_checks {
            changed_crates.extend(["std", "core", "alloc"].map(Name::new));
        }
        Surroundings {
            changed_crates,
            handing_on,
            elsewhere,
            foreign_code: self.foreign_code.clone(),
            everything: self.everything.clone(),
        }
    }

    /// What the report says of both builds.
    pub fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if self.old.ends == Ends::TheProcess && self.new.ends == Ends::TheProcess {
            notes.push(
                "panic = \"abort\": native runs unwind, so a function that is said to panic ends the process in this build"
                    .to_owned(),
            );
        }
        notes
    }

    /// Takes back what is not so in a build in which a panic ends the process, or by another toolchain.
    pub fn qualify(&self, loaded: &Loaded, functions: &mut [(&Pair, Judgement)]) {
        let abort = |way: Way| way.ends == Ends::TheProcess;
        let unproved = self.unproved.clone().or_else(|| {
            let changed = functions.iter().any(|(pair, _)| is_of_allocator(loaded, pair));
            changed.then_some(OtherBuild::Allocator)
        });
        if !abort(self.old) && !abort(self.new) && unproved.is_none() {
            return;
        }
        let none = || vec![false; functions.len()];
        let looks_in_old = match abort(self.old) {
            true => looking_at_panics(&loaded.old.program, functions.iter().map(|(pair, _)| pair.old)),
            false => none(),
        };
        let looks_in_new = match abort(self.new) {
            true => looking_at_panics(&loaded.new.program, functions.iter().map(|(pair, _)| pair.new)),
            false => none(),
        };
        let looks = looks_in_old.into_iter().zip(looks_in_new).map(|(old, new)| old || new);
        for ((pair, judgement), looks) in functions.iter_mut().zip(looks) {
            if !needs_work(pair) || matches!(judgement.verdict, Verdict::NotAnalysed { .. }) {
                continue;
            }
            if looks {
                judgement.verdict = Verdict::NotAnalysed { reason: NotAnalysed::LooksAtPanics };
                judgement.unshown.clear();
            } else if let Some(build) = unproved.clone()
                && matches!(judgement.verdict, Verdict::Equal { .. } | Verdict::EqualWithin { .. })
            {
                let mut ledger = Ledger::default();
                ledger.note(Approximation::Unsupported { what: Unsupported::Build(build) });
                judgement.verdict = Verdict::NoDifferenceFound { runs: 0, ledger };
            }
        }
    }
}

/// Whether the function allocates or frees memory for all others, and is not known to be the same.
fn is_of_allocator(loaded: &Loaded, pair: &Pair) -> bool {
    let sides = [(&loaded.old.program, pair.old), (&loaded.new.program, pair.new)];
    pair.kind != ChangeKind::Unchanged
        && sides.iter().any(|(program, id)| {
            let owner = id.map(|id| &program.functions[id].owner);
            let of = |of: &ImplId| program.impls[*of].trait_ref.path.as_str() == "std::alloc::GlobalAlloc";
            !program.declared.ambient.is_empty() && matches!(owner, Some(Owner::TraitImpl(id)) if of(id))
        })
}

/// Which of the functions may come to run what tells panics from returns.
fn looking_at_panics(program: &Program, functions: impl Iterator<Item = Option<FnId>>) -> Vec<bool> {
    let functions: Vec<Option<FnId>> = functions.collect();
    let there: Vec<FnId> = functions.iter().copied().flatten().collect();
    let is_place = |path: &Path| {
        ["std::panic::", "core::panic::", "std::thread::"].iter().any(|place| path.as_str().contains(place))
    };
    let mut looks = names_reached(program, &there).into_iter().map(|names| names.iter().any(is_place));
    functions.iter().map(|function| function.is_some() && looks.next() == Some(true)).collect()
}

/// The units that are compared: those of the tree, and those that they are compiled with.
fn units(extraction: &Extraction) -> Vec<Built<'_>> {
    let own = extraction.crates.iter().map(|dump| Built {
        name: &dump.crate_name,
        call: &dump.invocation,
        brought: &dump.brought,
        origin: Origin::Selected,
    });
    let others = extraction.dependencies.iter().map(|dependency| Built {
        name: &dependency.crate_name,
        call: &dependency.invocation,
        brought: &dependency.brought,
        origin: dependency.origin,
    });
    own.chain(others).collect()
}

/// That the version asks for another toolchain than the one that compiled it.
fn other_toolchain(of: Version, tree: &Extraction, toolchain: &Toolchain) -> Option<OtherBuild> {
    let used = toolchain.release.text.clone();
    let directory = tree.crates.first().map_or(&tree.source_root, |dump| &dump.manifest_dir);
    match asked_release(directory) {
        Ok(asked) if asked == used => None,
        Ok(asked) => Some(OtherBuild::Toolchain { of, asked, used }),
        Err(error) => {
            let said = error.to_string();
            let said = said.lines().find(|line| line.starts_with("error")).unwrap_or(&said).to_owned();
            Some(OtherBuild::NoToolchain { of, said, used })
        }
    }
}

/// What the files say by which rustup chooses the toolchain, wherever they lie between the root and the packages.
fn toolchain_files(extraction: &Extraction) -> BTreeSet<(String, Vec<u8>)> {
    files_above_packages(extraction, &["rust-toolchain", "rust-toolchain.toml"])
}

/// A setting by which the versions ask for different programs in the place of the compiler.
fn other_compiler(old: &Extraction, new: &Extraction) -> Option<String> {
    let settings = |tree| {
        let files = files_above_packages(tree, &[".cargo/config", ".cargo/config.toml"]);
        let of_file = |(file, text): (String, Vec<u8>)| {
            let settings = replaced_by_configuration(&String::from_utf8_lossy(&text));
            settings.into_iter().map(move |(name, value)| (name, value, file.clone())).collect::<Vec<_>>()
        };
        files.into_iter().flat_map(of_file).collect::<BTreeSet<_>>()
    };
    let (old, new) = (settings(old), settings(new));
    old.symmetric_difference(&new).next().map(|(name, ..)| (*name).to_owned())
}

/// The files of these names that lie between the root of a tree and its packages, with what is in them.
fn files_above_packages(extraction: &Extraction, names: &[&str]) -> BTreeSet<(String, Vec<u8>)> {
    let root = &extraction.source_root;
    let packages = extraction.crates.iter().map(|dump| dump.manifest_dir.as_path());
    let folders =
        packages.flat_map(|package| package.ancestors().take_while(|folder| folder.starts_with(root)));
    let files = folders.flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let named = |file: Utf8PathBuf| {
        let text = std::fs::read(&file).ok()?;
        Some((file.strip_prefix(root).ok()?.to_string(), text))
    };
    files.filter_map(named).collect()
}

fn way(units: &[Built<'_>]) -> Way {
    let settings: Vec<Settings> = units.iter().map(|unit| Settings::of(&unit.call.arguments)).collect();
    let ends = settings.iter().any(|settings| settings.panic != PanicStrategy::Unwind);
    Way {
        overflow_checks: OverflowChecks::of_all(settings.iter().map(|settings| settings.overflow_checks)),
        debug_assertions: OverflowChecks::of_all(settings.iter().map(|settings| settings.debug_assertions)),
        ends: if ends { Ends::TheProcess } else { Ends::TheCall },
    }
}

/// Options in which the places of the tree and of the build are called the same in both versions, and so are hashes of cargo's.
fn alike(options: &[String], unit: &Built<'_>, tree: &Extraction) -> Vec<String> {
    let out_dir = unit.call.environment.set.get("OUT_DIR").map(String::as_str).unwrap_or("\0");
    // `<target>/debug/deps`
    let deps = unit.call.unit.out_dir.as_str();
    let target = deps.rsplit_once("/deps").map_or(deps, |(folder, _)| folder);
    options
        .iter()
        .map(|option| {
            let option = option.replace(out_dir, "OUT_DIR").replace(target, "TARGET");
            option.replace(tree.source_root.as_str(), "TREE")
        })
        .collect()
}
