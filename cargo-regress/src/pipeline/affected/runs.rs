//! Which functions the tests of the new version do not enter when they run.
//!
//! Each test that may reach what differs is run by itself, in a copy of the library in which functions tell that they are entered (`harness::ProbedTests`). What the run of a
//! test enters is kept under the content of the tree, so that another comparison with the same new version need not run it again.
//!
//! Nothing is concluded from the run of a test that fails, or that may do something else the next time: what hangs on threads, clocks, the environment or the order
//! of hash tables.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use camino::Utf8PathBuf;
use rayon::prelude::*;
use regress_core::idx::IdxVec;
use regress_core::ir::{FnId, FunctionKind, Moved, Origin};
use serde::{Deserialize, Serialize};

use super::binaries::Aligned;
use crate::extract::{
    CrateDumpFiles, Key, TargetKind, TestTarget, TestTargetKind, prune_files, read_json, write_json,
};
use crate::harness::testing::{Test, TestBinary};
use crate::harness::{Entry, HarnessRequest, ProbedTests};
use crate::pipeline::Session;
use crate::pipeline::load::{program_name, selection};
use crate::pipeline::models::program_stamp;
use crate::pipeline::native::is_in_crate;

/// A test that takes longer does not end.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs of a test, which have to enter the same.
const RUNS: usize = 2;

/// Trees and packages whose runs are kept.
const MOST_KEPT: usize = 64;

/// What is known of the runs of the tests, by package.
#[derive(Default)]
pub(super) struct Runs {
    packages: HashMap<String, Package>,
}

struct Package {
    path: Option<Utf8PathBuf>,
    known: Known,
    probed: Probed,
}

/// The tests of a package with probes.
enum Probed {
    NotYet,
    Built(Box<ProbedTests>),
    Refused,
}

/// What is kept.
#[derive(Default, Serialize, Deserialize)]
struct Known {
    entries: Vec<Option<Entry>>,
    /// By binary and test: the numbers of the functions that are entered. None if the test does not pass.
    tests: BTreeMap<String, Option<BTreeSet<usize>>>,
}

impl Session<'_> {
    /// For each of these tests the functions that its run does not enter; none if that is not known.
    pub(super) fn not_entered(
        &self,
        target: &TestTarget,
        aligned: &Aligned,
        tests: &[&str],
        runs: &mut Runs,
    ) -> anyhow::Result<Vec<Option<HashSet<FnId>>>> {
        let nothing = || tests.iter().map(|_| None).collect();
        let binary = match target.kind {
            TestTargetKind::Library => TestBinary::Library,
            TestTargetKind::Binary => TestBinary::Binary(target.name.clone()),
            TestTargetKind::Integration => TestBinary::Integration(target.name.clone()),
            TestTargetKind::Example | TestTargetKind::Benchmark | TestTargetKind::Documentation => {
                return Ok(nothing());
            }
        };
        let package = match runs.packages.remove(&target.package) {
            Some(package) => package,
            None => {
                let path = self.kept_runs(target);
                let known = path.as_ref().and_then(|path| read_json(path).ok().flatten());
                Package { path, known: known.unwrap_or_default(), probed: Probed::NotYet }
            }
        };
        let package = runs.packages.entry(target.package.clone()).or_insert(package);
        let key = |test: &str| format!("{binary:?} {test}");
        let missing: Vec<&str> =
            tests.iter().copied().filter(|test| !package.known.tests.contains_key(&key(test))).collect();
        if !missing.is_empty() {
            if matches!(package.probed, Probed::NotYet) {
                self.progress.step("Building the tests with probes");
                package.probed = match self.probed_request(target, aligned).map(ProbedTests::build) {
                    Ok(Ok(probed)) => Probed::Built(Box::new(probed)),
                    // What does not build is not run.
                    Ok(Err(_)) | Err(_) => Probed::Refused,
                };
            }
            let Probed::Built(probed) = &package.probed else { return Ok(nothing()) };
            if probed.entries != package.known.entries {
                package.known = Known { entries: probed.entries.clone(), ..Known::default() };
            }
            self.progress.step(&format!("Running the tests of `{}` that may be affected", target.name));
            let is_over = || self.options.budget.is_over();
            let run = |(number, test): (usize, &&str)| {
                let named = Test::Compiled { binary: binary.clone(), name: (*test).to_owned() };
                if is_over() {
                    return None;
                }
                let mut runs = (0..RUNS).map(|_| probed.run(&named, number, LIMIT));
                let first = runs.next()?.ok()?;
                let is_steady = runs.all(|run| run.is_ok_and(|run| run == first));
                Some((key(test), first.filter(|_| is_steady)))
            };
            let found: Vec<_> = missing.par_iter().enumerate().filter_map(run).collect();
            package.known.tests.extend(found);
            if let Some(path) = &package.path {
                // What is not kept is run again.
                let _ = path.parent().map(std::fs::create_dir_all);
                let _ = write_json(path, &package.known);
                let _ = path.parent().map(|folder| prune_files(folder, MOST_KEPT));
            }
        }
        let Some((_, library)) = library_of(target, aligned) else { return Ok(nothing()) };
        let observed = observed(aligned, &library, &package.known.entries);
        let not_entered = |test: &&str| {
            let entered = package.known.tests.get(&key(test))?.as_ref()?;
            Some(observed.iter().filter(|(_, number)| !entered.contains(number)).map(|(id, _)| *id).collect())
        };
        Ok(tests.iter().map(not_entered).collect())
    }

    /// Where the runs of the tests of a package are kept. None if what they depend on cannot be found out.
    fn kept_runs(&self, target: &TestTarget) -> Option<Utf8PathBuf> {
        let key = Key::new("entered")
            .with(&self.versions.new.tree_key)
            .with(&self.toolchain.version_text)
            .with(&program_stamp()?)
            .with_json(&selection(self.options))
            .with(&target.package)
            .with_surroundings(&self.versions.new.root, self.versions.new.above.as_deref());
        Some(self.home.join("affected").join("entered").join(format!("{}.json", key.finish())))
    }

    /// A copy of the new version for the tests of the package.
    fn probed_request(&self, target: &TestTarget, aligned: &Aligned) -> anyhow::Result<HarnessRequest> {
        let (dump, name) =
            library_of(target, aligned).ok_or_else(|| anyhow::anyhow!("there is no library"))?;
        let (tree, version) = (&self.versions.new, &aligned.loaded.new);
        let request = self.harness_request(tree, version, &dump, &name, IdxVec::new())?;
        let out_dir = self.home.join("affected").join(format!("{}-{name}", target.package)).join("new");
        Ok(HarnessRequest {
            seed: Some(request.out_dir.clone()),
            out_dir,
            compared: None,
            types: Vec::new(),
            defined_otherwise: BTreeSet::new(),
            completed: BTreeMap::new(),
            moved: Moved::default(),
            ..request
        })
    }
}

/// The library that the tests are of, with its name in the program. Unit tests have it in themselves.
fn library_of(target: &TestTarget, aligned: &Aligned) -> Option<(CrateDumpFiles, String)> {
    let crates = &aligned.extraction.crates;
    let library = match target.kind {
        TestTargetKind::Library => crates.first(),
        _ => crates.iter().find(|dump| dump.target == TargetKind::Library),
    }?;
    let name = program_name(library, crates);
    Some((CrateDumpFiles { target: TargetKind::Library, ..library.clone() }, name))
}

/// The functions of the library that have a probe of their own, with its number.
fn observed(aligned: &Aligned, library: &str, entries: &[Option<Entry>]) -> Vec<(FnId, usize)> {
    let program = &aligned.loaded.new.program;
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, entry) in entries.iter().enumerate() {
        if let Some(entry) = entry {
            by_name.entry(&entry.name).or_default().push(number);
        }
    }
    let mut functions: BTreeMap<usize, Vec<FnId>> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        let (Some(span), FunctionKind::Fn) = (function.span, function.kind) else { continue };
        // Files of another crate may have the same names.
        if function.origin != Origin::Subject || !is_in_crate(&aligned.loaded.new, id, library) {
            continue;
        }
        let name = function.path.as_str().rsplit("::").next().unwrap_or_default();
        let file = program.files[span.file].path.as_str();
        let is_it = |number: &&usize| {
            entries[**number]
                .as_ref()
                .is_some_and(|entry| entry.file == file && entry.header.contains(&span.line_start))
        };
        let candidates = by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        let found: Vec<&usize> = candidates.iter().filter(is_it).collect();
        // Of several on a line nobody can tell which is which: neither has a probe of its own.
        for number in found.iter().copied() {
            functions.entry(*number).or_default().push(id);
            if found.len() > 1 {
                functions.entry(*number).or_default().push(id);
            }
        }
    }
    functions
        .into_iter()
        .filter_map(|(number, of)| match of.as_slice() {
            [only] => Some((*only, number)),
            _ => None,
        })
        .collect()
}
