//! Builds the worker of one version with cargo.
//!
//! Whether a type can be built and shown is found out by compiling: what rustc refuses is dropped, with rustc's reason,
//! and the rest is compiled again, until it compiles. Every round drops at least one piece, or the build fails. What another build has found
//! out already is dropped from the start ([`super::refused`]).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use regress_core::idx::{Idx, IdxVec};

use super::alike::{units_in, why_not_alike};
use super::commands::output_until;
use super::executable::{self, Executable};
use super::foreign::{begin_with_seed, forget_other_trees, source_in, target_in};
use super::glue::Runtime;
use super::instrument::{BUILT, Fallback, Fallbacks, Form, Instrumented, Owner, Plan, SHOWN};
use super::literals::Literals;
use super::manifest::{self, DevDependencies, Position, Role, WORKER_BIN};
use super::refused::{Known, Pieces, RefusedGlue, Taken};
use super::request::{
    AsCompared, Availability, DeclaredType, HarnessError, HarnessRequest, MakerId, MakerRequest, Profile,
    SubjectId, SubjectRequest, Target, WorkerKind,
};
use super::runtime_crate;
use super::tree::{self, Tree};
use super::worker::{Limits, Worker};
use crate::extract::{accepted_in, recording};
use crate::standing::Standing;
use crate::stats::{Clock, Count, Stage};

/// The built worker of one version.
#[derive(Debug)]
pub struct Harness {
    /// None if nothing can be run.
    executable: Option<Arc<Executable>>,
    availability: IdxVec<SubjectId, Availability>,
    literals: IdxVec<SubjectId, Literals>,
    /// Whether values can be made by each of the functions asked for.
    makers: IdxVec<MakerId, bool>,
    refused: RefusedGlue,
}

impl Harness {
    pub fn can_make(&self, maker: MakerId) -> bool {
        self.makers[maker]
    }

    pub fn availability(&self, subject: SubjectId) -> &Availability {
        &self.availability[subject]
    }

    /// What rustc refused of the glue, here and in what the build began with.
    pub fn refused(&self) -> &RefusedGlue {
        &self.refused
    }

    /// Constants in the function's body.
    pub fn literals(&self, subject: SubjectId) -> &Literals {
        &self.literals[subject]
    }

    /// A process that runs functions. It is started when first asked.
    pub fn worker(&self, limits: Limits) -> Worker {
        Worker::new(self.executable.clone(), self.availability.clone(), limits)
    }
}

/// How often glue may fail to compile. Each round takes away all that rustc complained about.
pub(super) const MOST_ROUNDS: usize = 30;

/// Who is told while a worker is built, and who is asked.
pub struct Told<'t> {
    /// Where the time goes.
    pub clock: &'t Clock,
    /// Hears what is refused after each pass of the compiler, and as soon as it has accepted the rest and goes on to generate code.
    pub found_out: &'t (dyn Fn(RefusedGlue, Known) + Sync),
    /// What the build of the other version has refused, when so much is known of it.
    pub other: &'t (dyn Fn(Known) -> RefusedGlue + Sync),
}

impl<'t> Told<'t> {
    /// Where nobody else builds.
    pub fn alone(clock: &'t Clock) -> Told<'t> {
        Told { clock, found_out: &|_, _| (), other: &|_| RefusedGlue::default() }
    }
}

/// Builds the worker for the functions of the request.
pub fn build(request: &HarnessRequest) -> Result<Harness, HarnessError> {
    build_telling(request, &Told::alone(&Clock::default()))
}

/// The same, where others want to know how it goes.
pub fn build_telling(request: &HarnessRequest, told: &Told<'_>) -> Result<Harness, HarnessError> {
    if request.target == Target::ProcMacro {
        return Ok(nothing(request, "a procedural macro can only be called by the compiler"));
    }
    request.in_time()?;
    let _building = executable::lock(&request.out_dir)?;
    let (tree, plan) = told.clock.time(Stage::Glue, || -> Result<_, HarnessError> {
        let tree = tree::list(&request.source_root, &request.out_dir)?;
        let plan = plan(request, &tree, &request.subjects, &request.makers)?;
        Ok((tree, plan))
    })?;
    let mut failed = None;
    for runtime in runtime_crate::ways(request) {
        match build_with_runtime(request, &tree, &plan, *runtime, told) {
            Err(error @ (HarnessError::DoesNotCompile { .. } | HarnessError::TooManyRounds { .. })) => {
                failed = Some(error);
            }
            ended => return ended,
        }
    }
    Err(failed.unwrap_or_else(|| does_not_compile(request, None)))
}

fn build_with_runtime(
    request: &HarnessRequest,
    tree: &Tree,
    plan: &Plan,
    runtime: Runtime,
    told: &Told<'_>,
) -> Result<Harness, HarnessError> {
    let mut refused = None;
    for dev in policies(request, tree) {
        match build_with(request, tree, plan, manifests(request, tree, *dev)?, runtime, told)? {
            Attempt::Built(harness) => return Ok(harness),
            Attempt::Refused(reason) => refused = refused.or(Some(reason)),
        }
    }
    Err(does_not_compile(request, refused))
}

fn does_not_compile(request: &HarnessRequest, reason: Option<String>) -> HarnessError {
    HarnessError::DoesNotCompile {
        package: request.package.clone(),
        errors: reason.unwrap_or_else(|| "cargo gave no reason".to_string()),
    }
}

/// Without development dependencies more can be built, but a lock file has to be worked out anew, for which cargo may
/// lack the index.
fn policies(request: &HarnessRequest, tree: &Tree) -> &'static [DevDependencies] {
    let locked = request.cargo.args.iter().any(|arg| arg == "--locked" || arg == "--frozen");
    let lock = request.lock_file.is_some() || tree.files.contains(&request.workspace_dir.join("Cargo.lock"));
    match (locked, lock) {
        (true, _) => &[DevDependencies::Keep],
        (false, true) => &[DevDependencies::Keep, DevDependencies::Remove],
        (false, false) => &[DevDependencies::Remove, DevDependencies::Keep],
    }
}

enum Attempt {
    Built(Harness),
    /// cargo did not get as far as compiling.
    Refused(String),
}

fn build_with(
    request: &HarnessRequest,
    tree: &Tree,
    plan: &Plan,
    manifests: BTreeMap<Utf8PathBuf, String>,
    runtime: Runtime,
    told: &Told<'_>,
) -> Result<Attempt, HarnessError> {
    let earlier = Earlier::load(request, key(request, plan, &manifests, runtime));
    let pieces = Pieces::of(plan, request);
    let mut fallbacks = Fallbacks::new();
    request.refused.take_from(&mut fallbacks, &pieces);
    fallbacks.extend(earlier.fallbacks.iter().cloned());
    plan.add_known(&mut fallbacks);
    let package = || request.package.clone();
    for round in 1.. {
        if (told.other)(Known::InPart).take_from(&mut fallbacks, &pieces) == Taken::More {
            plan.follow(&mut fallbacks);
        }
        request.in_time()?;
        let copy = source_in(&request.out_dir);
        let glue = told.clock.time(Stage::Glue, || -> Result<_, HarnessError> {
            let glue = plan.render(&fallbacks, runtime);
            let mut replaced = manifests.clone();
            for (path, text) in &glue.files {
                replaced.insert(request.workspace_dir.join(path), text.clone());
            }
            tree::write(&request.source_root, &copy, tree, &replaced)?;
            Ok(glue)
        })?;
        let accepted = || (told.found_out)(RefusedGlue::of(&fallbacks, &pieces), Known::Whole);
        let started = Instant::now();
        let compiled = compile(request, &copy, &accepted)?;
        let stage = match &compiled {
            Compiled::Worker(_) => Stage::WorkerBuild,
            Compiled::Errors(_) | Compiled::Refused(_) => Stage::RefusedBuilds,
        };
        told.clock.add(stage, started.elapsed());
        match compiled {
            Compiled::Worker(executable) => {
                let other = request.compared.as_ref().map(|compared| why_not_alike(request, compared));
                if let Some(reason) = other.transpose()?.flatten() {
                    return Ok(Attempt::Built(nothing(request, &reason)));
                }
                if (told.other)(Known::Whole).take_from(&mut fallbacks, &pieces) == Taken::More {
                    plan.follow(&mut fallbacks);
                    continue;
                }
                let refused = RefusedGlue::of(&fallbacks, &pieces);
                return finish(request, plan, &glue, &fallbacks, executable)
                    .map(|harness| Attempt::Built(Harness { refused, ..harness }));
            }
            Compiled::Refused(reason) => return Ok(Attempt::Refused(reason)),
            Compiled::Errors(errors) => {
                told.clock.count(Count::RefusedBuilds, 1);
                if !fall_back(&errors, &glue, plan, &mut fallbacks) {
                    return Err(HarnessError::DoesNotCompile {
                        package: package(),
                        errors: rendered(&errors),
                    });
                }
                (told.found_out)(RefusedGlue::of(&fallbacks, &pieces), Known::InPart);
                // A build that is ended for its time goes on from here.
                Earlier { key: earlier.key, fallbacks: fallbacks.clone().into_iter().collect() }
                    .save(request)?;
                if round == MOST_ROUNDS {
                    let errors = rendered(&errors);
                    return Err(HarnessError::TooManyRounds { package: package(), rounds: round, errors });
                }
            }
        }
    }
    unreachable!("the loop ends by returning")
}

/// What the last build of the same sources found out, so that the next does not fail its way there again.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Earlier {
    key: u64,
    fallbacks: Vec<(Owner, Fallback)>,
}

const KNOWN_FILE: &str = "glue.json";

impl Earlier {
    /// An absent, unreadable or outdated file is as good as none.
    fn load(request: &HarnessRequest, key: u64) -> Earlier {
        fs::read_to_string(request.out_dir.join(KNOWN_FILE))
            .ok()
            .and_then(|text| serde_json::from_str::<Earlier>(&text).ok())
            .filter(|earlier| earlier.key == key)
            .unwrap_or(Earlier { key, fallbacks: Vec::new() })
    }

    fn save(&self, request: &HarnessRequest) -> Result<(), HarnessError> {
        let path = request.out_dir.join(KNOWN_FILE);
        let text = serde_json::to_string(self).map_err(std::io::Error::other);
        let text = text.map_err(HarnessError::io("write", &path))?;
        tree::update(&path, text.as_bytes())
    }
}

/// Tells apart whatever may make glue compile or not.
fn key(
    request: &HarnessRequest,
    plan: &Plan,
    manifests: &BTreeMap<Utf8PathBuf, String>,
    runtime: Runtime,
) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    plan.render(&Fallbacks::new(), runtime).files.hash(&mut hasher);
    manifests.hash(&mut hasher);
    request.cargo.args.hash(&mut hasher);
    request.cargo.env.hash(&mut hasher);
    request.refused.hash(&mut hasher);
    request.defined_otherwise.hash(&mut hasher);
    request.completed.hash(&mut hasher);
    hasher.finish()
}

fn nothing(request: &HarnessRequest, reason: &str) -> Harness {
    let unavailable = || Availability::Unavailable { reason: reason.to_string() };
    Harness {
        executable: None,
        availability: request.subjects.iter().map(|_| unavailable()).collect(),
        literals: request.subjects.iter().map(|_| Literals::default()).collect(),
        makers: request.makers.iter().map(|_| false).collect(),
        refused: RefusedGlue::default(),
    }
}

/// Where the glue for these functions and makers goes in the sources of the request.
pub(super) fn plan(
    request: &HarnessRequest,
    tree: &Tree,
    subjects: &IdxVec<SubjectId, SubjectRequest>,
    makers: &IdxVec<MakerId, MakerRequest>,
) -> Result<Plan, HarnessError> {
    let sources = sources(request, tree)?;
    let (root, crate_name) = (&request.root_file, &request.crate_name);
    let is_possible = |declared: &&DeclaredType| match request.worker {
        WorkerKind::Plain => true,
        // The traits are those of another crate.
        WorkerKind::Instrumented => declared.foreign.is_none(),
    };
    let types: Vec<DeclaredType> = request.types.iter().filter(is_possible).cloned().collect();
    let plan = Plan::new(&sources, root, crate_name, &request.target, subjects, makers, &types)?;
    Ok(plan
        .told_by_names_of(&request.moved)
        .compared_by_parts(&request.defined_otherwise)
        .completed_by_default(&request.completed))
}

/// The Rust sources below the workspace's root, by their path relative to it.
fn sources(request: &HarnessRequest, tree: &Tree) -> Result<BTreeMap<Utf8PathBuf, String>, HarnessError> {
    let mut sources = BTreeMap::new();
    for path in &tree.files {
        if let Ok(relative) = path.strip_prefix(&request.workspace_dir)
            && path.extension() == Some("rs")
        {
            let absolute = request.source_root.join(path);
            let bytes = fs::read(&absolute).map_err(HarnessError::io("read", &absolute))?;
            // What is not UTF-8 is no source that rustc would take.
            if let Ok(text) = String::from_utf8(bytes) {
                sources.insert(relative.to_owned(), text);
            }
        }
    }
    Ok(sources)
}

/// The manifests of the copy, and its lock file if it would have none.
pub(super) fn manifests(
    request: &HarnessRequest,
    tree: &Tree,
    dev: DevDependencies,
) -> Result<BTreeMap<Utf8PathBuf, String>, HarnessError> {
    let root_manifest = request.workspace_dir.join("Cargo.toml");
    let package_dir = request.manifest.parent().unwrap_or(Utf8Path::new(""));
    let root_file = request.workspace_dir.join(&request.root_file);
    let mut manifests = BTreeMap::new();
    let lock = request.workspace_dir.join("Cargo.lock");
    if let Some(given) = &request.lock_file
        && !tree.files.contains(&lock)
    {
        let text = fs::read_to_string(given).map_err(HarnessError::io("read", given))?;
        manifests.insert(lock, text);
    }
    for path in tree.files.iter().filter(|path| path.file_name() == Some("Cargo.toml")) {
        let package = *path == request.manifest;
        let needed = package || *path == root_manifest;
        let worker =
            (package && request.target == Target::Lib).then(|| root_file.strip_prefix(package_dir).ok());
        let position = if *path == root_manifest { Position::WorkspaceRoot } else { Position::Member };
        let role = Role { position, worker_beside: worker.flatten() };
        let absolute = request.source_root.join(path);
        let text = fs::read_to_string(&absolute).map_err(HarnessError::io("read", &absolute))?;
        match manifest::adapt(&absolute, &text, &role, dev) {
            Ok(text) => {
                manifests.insert(path.clone(), text);
            }
            Err(error) if needed => return Err(error),
            // A template or a test's data that only looks like a manifest.
            Err(_) => {}
        }
    }
    Ok(manifests)
}

enum Compiled {
    Worker(Utf8PathBuf),
    Errors(Vec<Diagnostic>),
    /// In cargo's words.
    Refused(String),
}

/// Has cargo build a binary of the copy, in the folder of the request, and record how; what it says is messages in JSON.
fn cargo_build(request: &HarnessRequest, copy: &Utf8Path, bin: &str) -> Result<Output, HarnessError> {
    let Some(compared) = &request.compared else {
        return cargo(request, copy, &["build"], &["--bin", bin], &[]);
    };
    let linked = Some(runtime_crate::linked(request, compared, copy));
    let (units, target) = (units_in(&request.out_dir), target_in(&request.out_dir));
    let recording = recording(&compared.wrapper_program, &units, &target, linked)
        .map_err(|error| HarnessError::io("record what is built in", &units)(io::Error::other(error)))?;
    let recording = recording.each_ref().map(|(name, value)| (name.as_str(), value.as_str()));
    let packages = compared.packages.iter().map(String::as_str);
    let targets: Vec<&str> = packages.chain(["--bin", bin]).collect();
    cargo(request, copy, &["build"], &targets, &recording)
}

/// Has cargo build test programs of the copy, without what only debuggers need.
pub(super) fn cargo_tests(
    request: &HarnessRequest,
    copy: &Utf8Path,
    subcommand: &[&str],
    targets: &[&str],
) -> Result<Output, HarnessError> {
    let lean = [("CARGO_PROFILE_DEV_DEBUG", "false"), ("CARGO_PROFILE_TEST_DEBUG", "false")];
    cargo(request, copy, subcommand, targets, &lean)
}

fn cargo(
    request: &HarnessRequest,
    copy: &Utf8Path,
    subcommand: &[&str],
    targets: &[&str],
    env: &[(&str, &str)],
) -> Result<Output, HarnessError> {
    let subcommand = [subcommand, &["--message-format=json", "--quiet"]].concat();
    let command = cargo_command(request, copy, &subcommand, targets, env)?;
    let program = command.get_program().to_string_lossy().into_owned();
    let ended = output_until(command, request.cargo.until, request.cargo.stop.as_ref());
    let ended = ended.map_err(|source| HarnessError::Spawn { program, source })?;
    ended.ok_or_else(|| HarnessError::OutOfTime { package: request.package.clone() })
}

/// Cargo on a copy, building in the folder of the request.
pub(super) fn cargo_command(
    request: &HarnessRequest,
    copy: &Utf8Path,
    subcommand: &[&str],
    targets: &[&str],
    env: &[(&str, &str)],
) -> Result<Command, HarnessError> {
    begin_with_seed(request)?;
    forget_other_trees(request)?;
    // Tests are those of the package; the worker is built as what was read was checked.
    let manifest = match (&request.compared, subcommand) {
        (Some(compared), ["build", ..]) => &compared.manifest,
        _ => &request.manifest,
    };
    let mut command = Command::new(request.cargo.program.as_deref().unwrap_or(Utf8Path::new("cargo")));
    command.args(subcommand).args(targets);
    // Before the settings of the profile, which count more.
    let standing = Standing::of(copy, &copy.join(&request.workspace_dir), request.cargo.above.as_deref());
    standing.apply(&mut command);
    if standing.hands_files_over() {
        command.arg("--config").arg(format!("build.build-dir={:?}", target_in(&request.out_dir).as_str()));
    }
    command
        .arg("--manifest-path")
        .arg(copy.join(manifest))
        .arg("--target-dir")
        .arg(target_in(&request.out_dir))
        .args(&request.cargo.args)
        .args(profile(request))
        .envs(env.iter().copied())
        .envs(request.cargo.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null());
    Ok(command)
}

/// How often it is looked whether the compiler has accepted the glue.
const LOOK: Duration = Duration::from_millis(10);

/// Does the work, and calls `accepted` as soon as the compiler has accepted the crate with the glue, if it says so meanwhile.
fn telling<T>(request: &HarnessRequest, accepted: &(dyn Fn() + Sync), work: impl FnOnce() -> T) -> T {
    let note = accepted_in(&units_in(&request.out_dir));
    // One of an earlier build says nothing about this one.
    let _ = fs::remove_file(&note);
    let (working, is_working) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_working.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if note.is_file() {
                    return accepted();
                }
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// How rustc's note begins on where a generic item was asked for that is in error at its arguments.
const INSTANTIATED: &str = "the above error was encountered while instantiating";

fn compile(
    request: &HarnessRequest,
    copy: &Utf8Path,
    accepted: &(dyn Fn() + Sync),
) -> Result<Compiled, HarnessError> {
    let bin = match &request.target {
        Target::Bin(name) => name,
        _ => WORKER_BIN,
    };
    let output = telling(request, accepted, || cargo_build(request, copy, bin))?;
    // Of several packages that are selected another may have a binary of that name.
    let manifest = copy.join(&request.manifest);
    let mut errors = Vec::new();
    let mut executable = None;
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message {
            Ok(Message::CompilerMessage(message))
                if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
            {
                errors.push(message.message);
            }
            // An assertion among constants fails where it stands; who asked for it at these is said apart.
            Ok(Message::CompilerMessage(message)) if message.message.message.starts_with(INSTANTIATED) => {
                if let Some(error) = errors.last_mut() {
                    error.spans.extend(message.message.spans);
                }
            }
            Ok(Message::CompilerArtifact(artifact))
                if artifact.target.name == bin && artifact.manifest_path == manifest =>
            {
                executable = artifact.executable.or(executable);
            }
            _ => {}
        }
    }
    match executable {
        Some(executable) if output.status.success() => Ok(Compiled::Worker(executable)),
        _ if !errors.is_empty() => Ok(Compiled::Errors(errors)),
        _ => Ok(Compiled::Refused(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// The user's profile. Only what workers cannot do without is set here, and what bears on no outcome: they catch panics, and nobody debugs
/// them. Build scripts are told whether there is debug information.
fn profile(request: &HarnessRequest) -> Vec<String> {
    let (name, flags, mut settings): (_, &[&str], _) = match request.profile {
        Profile::Dev => ("dev", &[], vec!["panic=\"unwind\""]),
        Profile::Release => ("release", &["--release"], vec!["panic=\"unwind\"", "lto=false"]),
    };
    if !request.compared.as_ref().is_some_and(|compared| has_build_script(compared, &request.source_root)) {
        settings.push("debug=0");
    }
    let configs = settings.iter().map(|setting| format!("--config=profile.{name}.{setting}"));
    flags.iter().map(|flag| flag.to_string()).chain(configs).collect()
}

/// Whether a package of the tree has one.
fn has_build_script(compared: &AsCompared, tree: &Utf8Path) -> bool {
    let calls = compared.crates.iter().map(|built| &built.call);
    calls
        .clone()
        .any(|call| call.environment.set.contains_key("OUT_DIR") && call.manifest_dir.starts_with(tree))
}

/// What rustc said, without the length of lines that glue was added to.
pub(super) fn rendered(errors: &[Diagnostic]) -> String {
    const WIDEST: usize = 200;
    let lines = errors.iter().filter_map(|error| error.rendered.as_deref()).flat_map(str::lines);
    lines.map(|line| line.chars().take(WIDEST).chain(['\n']).collect::<String>()).collect()
}

/// Lets the glue that the errors are about fall back to a lesser form; whether there was any.
pub(super) fn fall_back(
    errors: &[Diagnostic],
    glue: &Instrumented,
    plan: &Plan,
    fallbacks: &mut Fallbacks,
) -> bool {
    let mut blamed: BTreeMap<Owner, String> = BTreeMap::new();
    for error in errors {
        for span in error.spans.iter().filter(|span| span.is_primary) {
            let start = span.byte_start as usize;
            let here = glue.segments.iter().find(|segment| {
                segment.bytes.contains(&start) && Utf8Path::new(&span.file_name) == segment.file
            });
            let Some(segment) = here else { continue };
            let reason = reason(error);
            // A second way is looked for once.
            let owner = match segment.owner {
                variant @ Owner::ShowVariant(adt, _) if fallbacks.contains_key(&variant) => Owner::Show(adt),
                owner => owner,
            };
            // That it cannot be built says more: a type that cannot be built is often not shown either.
            let known = blamed.get(&owner);
            if known.is_none_or(|known| known.ends_with(SHOWN) && !reason.ends_with(SHOWN)) {
                blamed.insert(owner, reason);
            }
        }
    }
    let any = !blamed.is_empty();
    for (owner, reason) in blamed {
        let before = fallbacks.get(&owner).map(|fallback| fallback.form);
        let form = match (owner, before) {
            (Owner::Show(adt) | Owner::ShowVariant(adt, _), None) if plan.has_debug(adt) => Form::Debug,
            (Owner::Show(_), None | Some(Form::Debug)) | (Owner::ShowVariant(..), None) => Form::LookedAt,
            (Owner::Subject(_), None) if reason.ends_with(SHOWN) => Form::LookedAt,
            (Owner::Build(adt), None) if plan.is_made(adt, fallbacks) => Form::Made,
            _ => Form::Dropped,
        };
        // The first reason is the true one; a second says only that there is no `Debug` either.
        fallbacks.entry(owner).or_insert(Fallback { form, reason }).form = form;
    }
    plan.follow(fallbacks);
    any
}

/// rustc's message in the user's terms.
fn reason(error: &Diagnostic) -> String {
    reason_in(&error.message)
}

fn reason_in(message: &str) -> String {
    // What of std glue hands on is known to its readers by the name that std has for it.
    let message = &message.replace("__regress_runtime::", "");
    // "`Type: path::of::Trait`"; the path may be left out.
    let quoted = |trait_name: &str| {
        let end = message.find(&format!("{trait_name}`"))?;
        let start = message[..end].rfind('`')? + 1;
        let (ty, path) = message[start..end].rsplit_once(": ")?;
        (path.is_empty() || path.contains("__regress")).then_some(ty)
    };
    if message.starts_with("implementation of `") && message.ends_with("` is not general enough") {
        return format!("a value of a type with lifetimes {BUILT}");
    }
    if let Some(ty) = quoted("Build") {
        return format!("a value of the type `{ty}` {BUILT}");
    }
    // What shows a value of std may ask these of a part of it.
    if let Some(ty) = quoted("Show").or_else(|| quoted("ToldByItems")).or_else(|| quoted("Clone")) {
        return format!("a value of the type `{ty}` {SHOWN}");
    }
    format!("the code that would call it does not compile: {message}")
}

fn finish(
    request: &HarnessRequest,
    plan: &Plan,
    glue: &Instrumented,
    fallbacks: &Fallbacks,
    built: Utf8PathBuf,
) -> Result<Harness, HarnessError> {
    let unknown: IdxVec<SubjectId, Availability> = request
        .subjects
        .iter()
        .map(|_| Availability::Unavailable { reason: "it is not compiled in this configuration".to_string() })
        .collect();
    let mut availability = unknown;
    let executable = Some(Arc::new(Executable::keep(&built, &request.out_dir)?));
    let shapes = Worker::new(executable.clone(), availability.clone(), Limits::default()).shapes()?;
    for id in request.subjects.ids() {
        let refused = fallbacks
            .get(&Owner::Subject(id))
            .filter(|fallback| fallback.form == Form::Dropped)
            .map(|fallback| with_cause(&fallback.reason, plan, fallbacks));
        if let Some(reason) = glue.unavailable.get(&id).cloned().or(refused) {
            availability[id] = Availability::Unavailable { reason };
        } else if let Some(shape) = shapes.get(&id.index()) {
            availability[id] = shape.clone();
        }
    }
    let literals = request.subjects.ids().map(|id| plan.literals(id)).collect();
    let can_make =
        |id: MakerId| plan.refused_maker(id).is_none() && !fallbacks.contains_key(&Owner::Maker(id));
    let makers = request.makers.ids().map(can_make).collect();
    Ok(Harness { executable, availability, literals, makers, refused: RefusedGlue::default() })
}

/// If a type of the crate is the reason, why that one could not be had.
fn with_cause(reason: &str, plan: &Plan, fallbacks: &Fallbacks) -> String {
    let Some(ty) = reason.split('`').nth(1) else { return reason.to_string() };
    let name = ty.rsplit("::").next().unwrap_or(ty);
    let cause = fallbacks.iter().find_map(|(owner, Fallback { reason: why, .. })| {
        let (Owner::Build(adt) | Owner::Show(adt)) = owner else { return None };
        let of_this = plan.adt_path(*adt).rsplit("::").next() == Some(name);
        let same_trouble = reason.ends_with(BUILT) == matches!(owner, Owner::Build(_));
        (of_this && same_trouble && why != reason).then_some(why)
    });
    cause.map_or_else(|| reason.to_string(), |cause| format!("{reason}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_refuses_is_told_in_the_terms_of_the_crate() {
        let check = |message: &str, expected: &str| assert_eq!(reason_in(message), expected);
        check(
            "the trait bound `fn(&OsStr) -> __regress_runtime::Result<i32, Error>: __regress_runtime::Build` is not satisfied",
            "a value of the type `fn(&OsStr) -> Result<i32, Error>` cannot be built",
        );
        check(
            "the trait bound `T: crate::__regress::Show` is not satisfied",
            "a value of the type `T` cannot be shown",
        );
        let lifetimes = "a value of a type with lifetimes cannot be built";
        check("implementation of `__regress_runtime::Build` is not general enough", lifetimes);
        check("cannot find type `X`", "the code that would call it does not compile: cannot find type `X`");
    }
}
