//! The calls that tests make, as inputs.
//!
//! *Idea (carving).* What tests hand to a function got through the checks of its callers, and often it was written for the very case that a change is about:
//! random inputs and a search that starts blind have neither. So where functions stay open, the tests of the new version are built once in a
//! copy in which functions write their arguments down, and run. Each call is then made by itself in both versions, and fuzzing and the search begin with
//! these inputs too. A difference on one is a witness like any other: it is confirmed natively.
//!
//! The calls are kept below the target directory and serve later runs, whatever version these compare: they are inputs, and what does not fit is left
//! out. They are captured anew when the files of the new version are others and time is left.
//!
//! *Limits.* Tests are those of the new version, outside of documentation. They are run confined, where the system can do that, and otherwise not. A value with
//! private fields is taken as the test has it in the new version, unless a function that gives or writes such values changed: the old version may not make it. Generic functions are called at the types that were chosen for them, so calls at
//! others are left out.
//!
//! Elbaum, Chin, Dwyer and Jorde, "Carving and Replaying Differential Unit Test Cases from System Test Cases", TSE 2009.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use regress_core::align::{Alignment, Pair};
use regress_core::idx::IdxVec;
use regress_core::ir::{FnBody, FnId, FunctionKind, Mutability, Path, Program, Subst, Ty, TyKind};
use regress_core::value::Value;
use regress_core::verdict::not_analysed::NotAnalysed;
use regress_core::verdict::{ChangeKind, Verdict, Version};
use serde::{Deserialize, Serialize};

use super::aligned::{Aligned, needs_work};
use super::declared::Declarations;
use super::load::{Loaded, LoadedVersion, program_name};
use super::native::{is_in_crate, subject_request};
use super::subject::{self, Judgement};
use super::{Session, given_types};
use crate::args::TestCalls as AskedCalls;
use crate::extract::{CrateDumpFiles, Key, TargetKind, read_json, write_json};
use crate::harness::{CapturedCall, HarnessRequest, SubjectId, SubjectRequest, capture_all, testing};
use crate::stats::Stage;

/// A program of tests that takes longer is ended.
const LONGEST_TESTS: Duration = Duration::from_secs(20);
/// What building and running tests may take: as long as the run took so far, but no less than the one and no more than the other.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(120));
/// What a package takes that has not been built, as a rule, where functions are compared beside it.
const TIME_OF_A_PACKAGE: Duration = Duration::from_millis(500);
/// With less time left, tests are not built.
const LEAST_TIME: Duration = Duration::from_secs(10);
/// Calls that are kept of one function.
const MOST_CALLS: usize = 200;
/// Arguments whose text is longer are not kept.
const LONGEST_CALL: usize = 20_000;

/// A call that a test makes of a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TestCall {
    /// As `cargo test` names it; none if it is not known.
    pub test: Option<String>,
    pub inputs: Vec<Value>,
}

/// By functions of the new version.
type Calls = HashMap<FnId, Vec<TestCall>>;

/// The calls of tests, as far as they are known by now.
#[derive(Default)]
pub(super) struct TestCalls {
    /// Of earlier runs.
    earlier: OnceLock<Calls>,
    /// Of the version that is compared; none if its tests could not be built or run.
    present: OnceLock<Option<Calls>>,
    writers: OnceLock<Writers>,
}

/// By the path of a type: the functions with another body in each version that give values of it or write to them.
type Writers = HashMap<Path, BTreeSet<FnId>>;

impl TestCalls {
    pub fn of(&self, new: FnId) -> &[TestCall] {
        let present = self.present.get().and_then(Option::as_ref);
        let calls = present.or_else(|| self.earlier.get());
        calls.and_then(|calls| calls.get(&new)).map_or(&[], Vec::as_slice)
    }

    /// Whether a value of the type that a test of the new version has may be one of the old version too, for all that functions other than this
    /// one show.
    pub fn is_made_alike(&self, loaded: &Loaded, alignment: &Alignment, ty: &Path, new: FnId) -> bool {
        let writers = self.writers.get_or_init(|| writers(&loaded.new.program, alignment));
        writers.get(ty).is_none_or(|writers| writers.iter().all(|writer| *writer == new))
    }
}

fn writers(program: &Program, alignment: &Alignment) -> Writers {
    let mut found = Writers::new();
    let changed = alignment.pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
    for new in changed.filter_map(|pair| pair.new) {
        let function = &program.functions[new];
        let is_written = |ty: &&Ty| matches!(ty.kind(), TyKind::Ref(Mutability::Mut, _));
        let written = function.inputs.iter().filter(is_written);
        for ty in written.chain([&function.output]) {
            let _ = ty.map(
                &mut |ty| {
                    if let TyKind::Adt(path, _) = ty.kind() {
                        found.entry(path.clone()).or_default().insert(new);
                    }
                    ty
                },
                &mut |constant| constant,
            );
        }
    }
    found
}

/// The calls that the tests of one crate make, as they are kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Of the version whose tests these are.
    key: String,
    calls: Vec<KeptCall>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptCall {
    /// The canonical path of the function.
    function: String,
    types: Vec<String>,
    test: Option<String>,
    inputs: Vec<Value>,
}

/// A crate whose tests may be run.
struct Tested<'a> {
    dump: &'a CrateDumpFiles,
    name: String,
    /// The functions whose calls are of interest.
    functions: Vec<FnId>,
    /// Where its calls are kept.
    file: Utf8PathBuf,
    key: String,
}

impl Session<'_> {
    /// Takes what earlier runs captured. What was captured of the present version is taken for good.
    pub(super) fn read_test_calls(&self, aligned: &Aligned) {
        if self.options.search.test_calls == AskedCalls::Off {
            return;
        }
        let (mut earlier, mut is_present) = (Vec::new(), true);
        for Tested { file, key, .. } in self.tested(aligned) {
            let kept: Option<Kept> = read_json(&file).ok().flatten();
            is_present &= kept.as_ref().is_some_and(|kept| kept.key == key);
            earlier.extend(kept.into_iter().flat_map(|kept| kept.calls));
        }
        let calls = by_function(aligned, earlier);
        // They are read once.
        match is_present {
            true => drop(aligned.test_calls.present.set(Some(calls))),
            false => drop(aligned.test_calls.earlier.set(calls)),
        }
    }

    /// Captures the calls of the tests of the present version, unless that was done, or there is no time. What was built when the time is over is
    /// there for the next run.
    pub(super) fn capture_test_calls(&self, aligned: &Aligned) {
        let own_end = Instant::now() + patience(self.begun.elapsed());
        let until = match self.options.budget.deadline {
            Some(deadline) if deadline.remaining() < LEAST_TIME => return,
            Some(deadline) => deadline.end().min(own_end),
            None => own_end,
        };
        if self.options.search.test_calls != AskedCalls::On || aligned.test_calls.present.get().is_some() {
            return;
        }
        let mut all: Option<Vec<KeptCall>> = None;
        for tested in self.tested(aligned) {
            let captured = self.capture_calls_of(aligned, &tested, until);
            // The next run tries again.
            let Ok(calls) = captured else { continue };
            all.get_or_insert_default().extend(calls.iter().cloned());
            // A cache that cannot be written serves no later run.
            let _ = write_json(&tested.file, &Kept { key: tested.key, calls });
        }
        let _ = aligned.test_calls.present.set(all.map(|calls| by_function(aligned, calls)));
    }

    /// The crates that are compared and have tests. Those of a package with a library call its functions.
    fn tested<'a>(&self, aligned: &'a Aligned) -> Vec<Tested<'a>> {
        let crates = &aligned.loaded.new.extraction.crates;
        let tree = &self.versions.new;
        let mut tested = Vec::new();
        for dump in crates {
            let is_first = match dump.target {
                TargetKind::Library => true,
                TargetKind::Binary => !crates.iter().any(|other| {
                    other.package_name == dump.package_name && other.target == TargetKind::Library
                }),
                TargetKind::Tests => false,
            };
            let name = program_name(dump, crates);
            let functions = if is_first { watched(aligned, &name) } else { Vec::new() };
            if functions.is_empty() || !has_tests(&dump.manifest_dir) {
                continue;
            }
            let file = self.home.join("test-calls").join(format!("{}-{name}.json", dump.package_name));
            let key = Key::new("test calls").with(&tree.tree_key).with(&self.toolchain.version_text);
            let program = &aligned.loaded.new.program;
            let paths = functions.iter().map(|id| program.functions[*id].path.as_str());
            let key = paths.fold(key.with(&dump.package_name), |key, path| key.with(path)).finish();
            tested.push(Tested { dump, name, functions, file, key });
        }
        tested
    }

    fn capture_calls_of(
        &self,
        aligned: &Aligned,
        tested: &Tested<'_>,
        until: Instant,
    ) -> anyhow::Result<Vec<KeptCall>> {
        let program = &aligned.loaded.new.program;
        let declarations = Declarations::new(program, tested.functions.iter().copied());
        let request_of =
            |id: &FnId| Some((*id, subject_request(&aligned.loaded.new, &declarations, *id, &Subst::new())?));
        let (functions, subjects): (Vec<FnId>, Vec<SubjectRequest>) =
            tested.functions.iter().filter_map(request_of).unzip();
        let functions: IdxVec<SubjectId, FnId> = functions.into_iter().collect();
        let subjects: IdxVec<SubjectId, SubjectRequest> = subjects.into_iter().collect();
        let (tree, version) = (&self.versions.new, &aligned.loaded.new);
        let request = self.harness_request(tree, version, tested.dump, &tested.name, subjects)?;
        let mut cargo = request.cargo.clone();
        cargo.until = Some(cargo.until.map_or(until, |end| end.min(until)));
        if self.options.budget.deadline.is_some() {
            // Functions are compared beside it.
            cargo.env.push(("CARGO_BUILD_JOBS".to_owned(), "1".to_owned()));
        }
        let request = HarnessRequest {
            out_dir: self
                .home
                .join("test-calls")
                .join(format!("{}-{}", tested.dump.package_name, tested.name)),
            seed: Some(request.out_dir.clone()),
            refused: aligned.harnesses.refused(Version::New, &tested.name),
            // Tests are those of one package.
            compared: None,
            cargo,
            ..request
        };
        let is_built = request.out_dir.join("target").is_dir();
        if !is_built
            && TIME_OF_A_PACKAGE.saturating_mul(packages_of_tests(&request, version))
                > until.saturating_duration_since(Instant::now())
        {
            anyhow::bail!("there is no time to build what the tests depend on");
        }
        let captured = self.clock.time(Stage::TestCalls, || capture_all(&request, LONGEST_TESTS))?;
        let kept = captured.into_iter().map(|CapturedCall { subject, types, test, inputs }| KeptCall {
            function: program.functions[functions[subject]].path.to_string(),
            types,
            test,
            inputs,
        });
        Ok(shortest_of_each(kept.collect()))
    }
}

/// How long tests may take where the run took so long until then.
fn patience(so_far: Duration) -> Duration {
    let (least, most) = PATIENCE;
    so_far.clamp(least, most)
}

/// How many packages tests take that were not built to compare functions: at most, for others are for other targets.
fn packages_of_tests(request: &HarnessRequest, version: &LoadedVersion) -> u32 {
    let lock_file = request.source_root.join(&request.workspace_dir).join("Cargo.lock");
    let text = std::fs::read_to_string(lock_file).unwrap_or_default();
    let extraction = &version.extraction;
    let built = extraction.dependencies.len() + extraction.crates.len();
    let more = text.matches("[[package]]").count().saturating_sub(built);
    u32::try_from(more).unwrap_or(u32::MAX)
}

/// Whether some file of the package may have tests.
fn has_tests(package: &Utf8Path) -> bool {
    let Ok(texts) = testing::texts_below(package, Utf8Path::new("")) else { return false };
    let mut sources = texts.iter().filter(|(path, _)| path.extension() == Some("rs"));
    sources.any(|(_, text)| text.contains("#[test") || text.contains("test]"))
}

/// The functions of a crate that are compared and can be run by themselves.
fn watched(aligned: &Aligned, crate_name: &str) -> Vec<FnId> {
    let Aligned { loaded, alignment, .. } = aligned;
    let program = &loaded.new.program;
    let is_watched = |new: &FnId| {
        let item = &program.functions[*new];
        item.kind == FunctionKind::Fn
            && !matches!(item.body, FnBody::Missing)
            && is_in_crate(&loaded.new, *new, crate_name)
    };
    let compared = alignment.pairs.iter().filter(|pair| needs_work(pair) && pair.old.is_some());
    compared.filter_map(|pair| pair.new).filter(is_watched).collect()
}

/// Of each function the calls with the shortest arguments, in the order in which tests made them.
fn shortest_of_each(calls: Vec<KeptCall>) -> Vec<KeptCall> {
    let length = |call: &KeptCall| -> usize { call.inputs.iter().map(|input| input.to_string().len()).sum() };
    let mut by_length: Vec<(usize, usize)> =
        calls.iter().enumerate().map(|(number, call)| (length(call), number)).collect();
    by_length.retain(|(length, _)| *length <= LONGEST_CALL);
    by_length.sort_unstable();
    let mut taken: HashMap<&str, usize> = HashMap::new();
    let mut chosen = BTreeSet::new();
    for (_, number) in by_length {
        let of_function = taken.entry(&calls[number].function).or_default();
        if *of_function < MOST_CALLS {
            *of_function += 1;
            chosen.insert(number);
        }
    }
    let numbered = calls.into_iter().enumerate();
    numbered.filter(|(number, _)| chosen.contains(number)).map(|(_, call)| call).collect()
}

/// The calls that can be made of functions that are compared.
fn by_function(aligned: &Aligned, calls: Vec<KeptCall>) -> Calls {
    let Aligned { loaded, alignment, harnesses, .. } = aligned;
    let program = &loaded.new.program;
    let pairs = alignment.pairs.iter().filter(|pair| needs_work(pair));
    let functions: HashMap<&str, (FnId, FnId)> = pairs
        .filter_map(|pair| Some((pair.old?, pair.new?)))
        .filter(|(_, new)| !program.adapters.contains_key(new))
        .map(|(old, new)| (program.functions[new].path.as_str(), (old, new)))
        .collect();
    let mut found = Calls::new();
    for KeptCall { function, types, test, inputs } in calls {
        let Some(&(old, new)) = functions.get(function.as_str()) else { continue };
        let chosen = harnesses.instantiation(old, new).ok();
        let given = given_types::subject(loaded, (old, new), &types);
        if chosen.map(|chosen| chosen.new) != given.map(|given| given.instantiation.new) {
            continue;
        }
        let known = found.entry(new).or_default();
        if !known.iter().any(|call| call.inputs == inputs) {
            known.push(TestCall { test, inputs });
        }
    }
    found
}

/// Judges functions again of which a call of a test shows a difference.
pub(super) fn run_calls(session: &Session<'_>, aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    if !is_any_open(functions.iter().map(|(pair, judgement)| (*pair, &judgement.verdict))) {
        return;
    }
    session.progress.step("Running the calls of tests");
    session.capture_test_calls(aligned);
    for kind in [ChangeKind::Changed, ChangeKind::Affected] {
        functions
            .par_iter_mut()
            .filter(|(pair, judgement)| pair.kind == kind && may_differ(&judgement.verdict))
            .filter(|_| !session.options.budget.is_over())
            .for_each(|(pair, judgement)| {
                let calls = pair.new.map_or(&[][..], |new| aligned.test_calls.of(new));
                if calls.is_empty() {
                    return;
                }
                let _token = session.jobserver.token();
                if let Some(again) = subject::judge_on_calls(session, aligned, pair) {
                    let reach = judgement.reach;
                    *judgement = Judgement { reach, ..again };
                }
            });
    }
}

/// Whether tests may say something of a function that nothing else said. What is equal within bounds is worth a build only if it changed itself.
pub(super) fn is_any_open<'v>(functions: impl IntoIterator<Item = (&'v Pair, &'v Verdict)>) -> bool {
    functions.into_iter().any(|(pair, verdict)| {
        let is_within_bounds = matches!(verdict, Verdict::EqualWithin { .. });
        match pair.kind {
            ChangeKind::Changed => may_differ(verdict),
            ChangeKind::Affected => may_differ(verdict) && !is_within_bounds,
            _ => false,
        }
    })
}

pub(super) fn may_differ(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::NoDifferenceFound { .. }
            | Verdict::EqualWithin { .. }
            | Verdict::NotAnalysed { reason: NotAnalysed::Refused(_) | NotAnalysed::Stopped(_) }
    )
}

#[cfg(test)]
mod tests {
    use regress_core::align::MatchedBy;
    use regress_core::verdict::Ledger;

    use super::*;

    #[test]
    fn the_shortest_calls_of_each_function_are_kept_in_their_order() {
        let call = |function: &str, text: String| KeptCall {
            function: function.to_owned(),
            types: Vec::new(),
            test: None,
            inputs: vec![Value::Str(text)],
        };
        let mut calls = vec![call("k::f", "x".repeat(LONGEST_CALL + 1)), call("k::g", "long".to_owned())];
        calls.extend((0..=MOST_CALLS).rev().map(|length| call("k::f", "x".repeat(length))));
        calls.push(call("k::g", String::new()));
        let kept = shortest_of_each(calls);
        let of = |name: &str| -> Vec<usize> {
            let of_function = kept.iter().filter(|call| call.function == name);
            of_function
                .map(|call| if let [Value::Str(text)] = &call.inputs[..] { text.len() } else { 0 })
                .collect()
        };
        assert_eq!(of("k::g"), [4, 0]);
        assert_eq!(of("k::f"), (0..MOST_CALLS).rev().collect::<Vec<_>>());
    }

    #[test]
    fn tests_take_no_longer_than_all_else_did() {
        let seconds = Duration::from_secs;
        assert_eq!(patience(seconds(90)), seconds(90));
        assert_eq!((patience(seconds(1)), patience(seconds(1000))), PATIENCE);
    }

    #[test]
    fn tests_are_built_for_what_is_open() {
        let pair = |kind| Pair { old: None, new: None, kind, matched_by: MatchedBy::Path };
        let nothing = || Verdict::NoDifferenceFound { runs: 1000, ledger: Ledger::default() };
        let is_open = |kind, verdict: &Verdict| is_any_open([(&pair(kind), verdict)]);
        assert!(is_open(ChangeKind::Changed, &nothing()) && is_open(ChangeKind::Affected, &nothing()));
        assert!(!is_open(ChangeKind::Unchanged, &nothing()));
        assert!(!is_open(ChangeKind::Changed, &Verdict::Unchanged));
    }
}
