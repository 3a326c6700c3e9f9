//! What a harness is asked for: the functions of one crate of a version, and what makes values of its types.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::exec::{Maker, Makers};
use regress_core::idx::IdxVec;
use regress_core::ir::{FnId, Moved, Path, Span, Subst, TyKind};
use regress_core::verdict::Version;

use super::super::Session;
use super::super::declared::{Declarations, declared_types, of_called, spelled_argument};
use super::super::load::{LoadedVersion, program_name, selection, side_name, wrapper_program};
use super::MakerOf;
use crate::budget::Deadline;
use crate::extract::{CrateDumpFiles, Extraction, PackageChoice, TargetKind};
use crate::harness::{
    AsCompared, Begins, CargoCommand, CrateBuild, Gives, HarnessRequest, MakerId, MakerRequest, Profile,
    RefusedGlue, SubjectId, SubjectRequest, Target, WorkerKind,
};
use crate::user_cache;
use crate::versions::VersionTree;

impl Session<'_> {
    /// What to ask for to run functions of one crate of a version, in their order; or why they cannot be run.
    pub(in crate::pipeline) fn request_for(
        &self,
        tree: &VersionTree,
        version: &LoadedVersion,
        wanted: &[(FnId, Subst)],
        makers: &Makers,
    ) -> anyhow::Result<HarnessRequest> {
        for dump in &version.extraction.crates {
            let name = program_name(dump, &version.extraction.crates);
            if !wanted.iter().all(|(function, _)| is_in_crate(version, *function, &name)) {
                continue;
            }
            let functions = wanted.iter().map(|(function, _)| *function);
            let declarations = declarations_of(tree.version, version, functions, makers);
            let subject = |(function, subst): &(FnId, Subst)| {
                subject_request(version, &declarations, *function, subst)
                    .ok_or_else(|| anyhow::anyhow!("its place in the sources is not known"))
            };
            let subjects = wanted.iter().map(subject).collect::<anyhow::Result<_>>()?;
            let (_, requests) = maker_requests(tree.version, version, &declarations, &name, makers);
            let request = self.harness_request(tree, version, dump, &name, subjects)?;
            return Ok(HarnessRequest { makers: requests, ..request });
        }
        anyhow::bail!("its crate is not known")
    }

    pub(in crate::pipeline) fn harness_request(
        &self,
        tree: &VersionTree,
        version: &LoadedVersion,
        dump: &CrateDumpFiles,
        name: &str,
        subjects: IdxVec<SubjectId, SubjectRequest>,
    ) -> anyhow::Result<HarnessRequest> {
        Ok(HarnessRequest {
            subjects,
            types: declared_types(&version.program, name, &version.foreign_types),
            defined_otherwise: version.defined_otherwise.clone(),
            completed: version.completed.clone(),
            moved: version.program.moved.clone(),
            ..self.request_for_nothing(tree, &version.extraction, dump, name)?
        })
    }

    /// What to ask for to build a worker of the crate that runs no function.
    pub(in crate::pipeline) fn request_for_nothing(
        &self,
        tree: &VersionTree,
        extraction: &Extraction,
        dump: &CrateDumpFiles,
        name: &str,
    ) -> anyhow::Result<HarnessRequest> {
        let relative = |path: &Utf8Path| -> anyhow::Result<Utf8PathBuf> {
            Ok(path
                .strip_prefix(&tree.root)
                .map_err(|_| anyhow::anyhow!("{path} lies outside of the version"))?
                .to_owned())
        };
        let root_file = dump
            .invocation
            .arguments
            .iter()
            .find(|argument| argument.ends_with(".rs") && !argument.starts_with('-'))
            .ok_or_else(|| anyhow::anyhow!("the root file of `{}` is not known", dump.crate_name))?;
        let target = match dump.target {
            TargetKind::Library => Target::Lib,
            TargetKind::Binary => Target::Bin(binary_name(dump)),
            TargetKind::Tests => anyhow::bail!("functions of `{}` are tests", dump.crate_name),
        };
        Ok(HarnessRequest {
            source_root: tree.root.clone(),
            workspace_dir: relative(&dump.directory)?,
            manifest: relative(&dump.manifest_dir)?.join("Cargo.toml"),
            package: dump.package_name.clone(),
            target,
            root_file: root_file.into(),
            crate_name: name.to_string(),
            out_dir: self.harness_dir(dump, name, tree.version),
            seed: Some(self.harness_dir(dump, name, tree.version.other())),
            cargo: self.cargo_command(),
            lock_file: None,
            compared: Some(self.as_compared(tree, extraction)?),
            worker: WorkerKind::Plain,
            profile: if self.options.build.release { Profile::Release } else { Profile::Dev },
            subjects: IdxVec::new(),
            makers: IdxVec::new(),
            types: Vec::new(),
            defined_otherwise: BTreeSet::new(),
            completed: BTreeMap::new(),
            moved: Moved::default(),
            refused: RefusedGlue::default(),
        })
    }

    /// How cargo was asked for a version.
    fn as_compared(&self, tree: &VersionTree, extraction: &Extraction) -> anyhow::Result<AsCompared> {
        let packages = match selection(self.options).packages {
            PackageChoice::Default => Vec::new(),
            PackageChoice::Named(names) => {
                names.into_iter().flat_map(|name| ["--package".to_owned(), name]).collect()
            }
            PackageChoice::Workspace { exclude } => {
                let excluded = exclude.into_iter().flat_map(|name| ["--exclude".to_owned(), name]);
                ["--workspace".to_owned()].into_iter().chain(excluded).collect()
            }
        };
        let own = extraction.crates.iter().map(|dump| (&dump.invocation, &dump.brought));
        let others = extraction.dependencies.iter().map(|other| (&other.invocation, &other.brought));
        let crates = own.chain(others);
        Ok(AsCompared {
            wrapper_program: wrapper_program()?,
            manifest: tree.package_root.strip_prefix(&tree.root)?.join("Cargo.toml"),
            packages,
            crates: crates
                .map(|(call, brought)| CrateBuild { call: call.clone(), brought: brought.clone() })
                .collect(),
            compiler: self.toolchain.version_text.clone(),
            linked_dir: user_cache::folder_or(&self.home.join("cache")).join("linked"),
        })
    }

    fn harness_dir(&self, dump: &CrateDumpFiles, name: &str, version: Version) -> Utf8PathBuf {
        let of_crate = format!("{}-{name}", dump.package_name);
        self.home.join("harness").join(of_crate).join(side_name(version))
    }

    fn cargo_command(&self) -> CargoCommand {
        let build = &self.options.build;
        let features = &self.options.packages.features;
        let mut args = Vec::new();
        // The lock file of the copy may have to learn of the generated crate, so `--locked` is not handed through.
        if build.offline || build.frozen {
            args.push("--offline".to_string());
        }
        if features.all_features {
            args.push("--all-features".into());
        }
        if features.no_default_features {
            args.push("--no-default-features".into());
        }
        if !features.features.is_empty() {
            args.push(format!("--features={}", features.features.join(",")));
        }
        // By name rustup would decide by the folder, and each version may have a toolchain file of its own.
        let tools = [("RUSTC", &self.toolchain.rustc), ("RUSTDOC", &self.toolchain.rustdoc)];
        let env = tools.map(|(name, program)| (name.to_string(), program.to_string())).to_vec();
        let until = self.options.budget.deadline.map(Deadline::end);
        let above = self.versions.new.above.clone();
        CargoCommand { program: Some(self.toolchain.cargo.clone()), args, env, above, until, stop: None }
    }
}

/// The function as the harness is told of it; none if nobody knows where it stands.
pub(in crate::pipeline) fn subject_request(
    version: &LoadedVersion,
    declarations: &Declarations<'_>,
    function: FnId,
    subst: &Subst,
) -> Option<SubjectRequest> {
    let item = &version.program.functions[function];
    // The sources of other crates are not at hand.
    let place = |span: Span| (Utf8PathBuf::from(&version.program.files[span.file].path), span.line_start);
    let (file, line) = match item.origin.is_dependency() {
        true => (Utf8PathBuf::new(), 0),
        false => place(item.span?),
    };
    let moved = &version.program.moved;
    Some(SubjectRequest {
        path: Path::new(moved.source_name(item.path.as_str())),
        file,
        line,
        instantiation: of_called(&version.program, function, subst)
            .iter()
            .map(|(name, arg)| {
                let spelled = spelled_argument(&version.program, function, name, arg);
                (name.clone(), moved.source_name(&spelled))
            })
            .collect(),
        declared: declarations.of(function, subst).map(|declared| declared.by_source_names(moved)),
    })
}

/// How these functions of a version are declared, and those that make values.
pub(super) fn declarations_of<'v>(
    of: Version,
    version: &'v LoadedVersion,
    functions: impl IntoIterator<Item = FnId>,
    makers: &Makers,
) -> Declarations<'v> {
    let making = makers.iter().map(|maker| function_of(maker, of));
    Declarations::new(&version.program, functions.into_iter().chain(making))
}

/// The functions of a crate by which values are made.
pub(super) fn maker_requests(
    of: Version,
    version: &LoadedVersion,
    declarations: &Declarations<'_>,
    crate_name: &str,
    makers: &Makers,
) -> (Vec<(MakerOf, MakerId)>, IdxVec<MakerId, MakerRequest>) {
    let mut making: Vec<(MakerOf, MakerId)> = Vec::new();
    let mut requests: IdxVec<MakerId, MakerRequest> = IdxVec::new();
    for maker in makers.iter() {
        let function = function_of(maker, of);
        if is_in_crate(version, function, crate_name)
            && let Some(request) = subject_request(version, declarations, function, &maker.subst)
            && let TyKind::Adt(path, _) = maker.makes.kind()
        {
            let begins = if maker.is_step() { Begins::WithAnother } else { Begins::WithNone };
            let gives = if maker.only_for.is_some() { Gives::ToItself } else { Gives::ToAll };
            let (makes, success) = (path.to_string(), maker.success);
            let request = MakerRequest { function: request, makes, success, begins, gives };
            making.push(((function, maker.makes.clone()), requests.push(request)));
        }
    }
    (making, requests)
}

fn function_of(maker: &Maker, version: Version) -> FnId {
    match version {
        Version::Old => maker.old,
        Version::New => maker.new,
    }
}

/// Whether the function may be one of the crate's: its path names the crate. A trait's method may name two (the type's
/// and the trait's); the harness that finds it in its sources has it.
pub(in crate::pipeline) fn is_in_crate(version: &LoadedVersion, function: FnId, name: &str) -> bool {
    // Each crate makes the values of dependencies that it needs.
    let is_foreign = version.program.functions[function].origin.is_dependency();
    if version.extraction.crates.len() == 1 || is_foreign {
        return true;
    }
    let path = version.program.functions[function].path.as_str();
    let prefix = format!("{name}::");
    path.match_indices(&prefix)
        .any(|(at, _)| !path[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

/// Cargo's own name of a binary target, of which the crate's name has lost the hyphens.
fn binary_name(dump: &CrateDumpFiles) -> String {
    let told = dump.invocation.environment.set.get("CARGO_BIN_NAME");
    told.unwrap_or(&dump.crate_name).clone()
}
