//! The texts of one version, and the program that they make.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use camino::Utf8Path;
use mir_frontend::charon::{self, Document};
use mir_frontend::rustc::replay::extern_names;
use mir_frontend::rustc::{FrontendError, Library, build_program_on, declare, names_a_place};
use regress_core::ir::{FnBody, FnId, GivenFields, Name, Origin, Path, Program};

use super::LoadedVersion;
use super::dependencies::Dependencies;
use super::foundation::{Foundation, LinkError};
use super::texts::Texts;
use crate::extract::{CrateDumpFiles, Extraction, TargetKind};
use crate::pipeline::declared::ForeignTypes;
use crate::pipeline::front_end::with_relative_files;
use crate::pipeline::lines::lines_of;
use crate::versions::VersionTree;

/// The text of what is read of one version.
pub(super) struct VersionTexts<'v> {
    pub tree: &'v VersionTree,
    pub extraction: Extraction,
    pub selected: Vec<Texts>,
    /// Those that the other version need not have, or not as they are here.
    pub dependencies: BTreeMap<String, Texts>,
    /// The library as Charon translated it, if it did.
    pub document: Option<Document>,
}

/// Types that the versions define otherwise.
#[derive(Clone, Debug, Default)]
pub struct DefinedOtherwise {
    pub types: BTreeSet<Path>,
    /// Those that `Default` completes, with the fields that both versions have.
    pub completed: BTreeMap<Path, GivenFields>,
}

impl<'v> VersionTexts<'v> {
    /// Selected crates of which no types are known, as rustdoc refuses them or their other version.
    pub fn undocumented(&self) -> impl Iterator<Item = Name> {
        self.selected.iter().filter(|texts| texts.rustdoc.is_none()).map(|texts| Name::new(&texts.name))
    }

    pub fn read(tree: &'v VersionTree, extraction: Extraction) -> anyhow::Result<VersionTexts<'v>> {
        let (crates, others) = (&extraction.crates, crate_names(&extraction));
        let selected = crates
            .iter()
            .map(|dump| {
                Texts::of_selected(dump, program_name(dump, crates), &extraction.source_root, &others)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(VersionTexts { tree, extraction, selected, dependencies: BTreeMap::new(), document: None })
    }

    /// Dumps of all that is read.
    pub fn dumps_read(&self) -> impl Iterator<Item = &CrateDumpFiles> {
        self.selected.iter().chain(self.dependencies.values()).map(|texts| &texts.files)
    }

    pub fn names_read(&self) -> impl Iterator<Item = &String> {
        self.dependencies.keys()
    }

    /// The program of the version, but for what is declared in it. What Charon translated stands on top of what the compiler's text says of the rest.
    fn program(&self, library: &Library) -> Result<Program, ProgramError> {
        let translated = match &self.document {
            Some(_) => self.extraction.crates.iter().position(|dump| dump.target == TargetKind::Library),
            None => None,
        };
        let others = self.selected.iter().enumerate().filter(|(index, _)| Some(*index) != translated);
        let texts = others.map(|(_, texts)| texts).chain(self.dependencies.values());
        let program = build_program_on(library, &texts.map(Texts::dump).collect::<Vec<_>>())
            .map_err(ProgramError::Rustc)?;
        Ok(match (&self.document, translated) {
            (Some(document), Some(library)) => {
                let lowered = charon::lower(document, &program).map_err(ProgramError::Charon)?;
                with_relative_files(lowered.program, &self.extraction.crates[library].directory)
            }
            _ => program,
        })
    }

    /// Enters what is declared above `below`, and the lines of all files.
    pub fn declare_in(&self, program: &mut Program, below: &Program) {
        let texts = self.selected.iter().chain(self.dependencies.values());
        declare(program, below, &texts.map(|texts| texts.dump().declares()).collect::<Vec<_>>());
        program.lines = lines_of(program, self.directory());
    }

    /// Where the files lie that the compiler names.
    fn directory(&self) -> &Utf8Path {
        let first = self.extraction.crates.first();
        first.map_or(&self.extraction.source_root, |dump| &dump.directory)
    }

    /// The names of the crates that are compared.
    pub fn own_crates(&self) -> impl Iterator<Item = Name> {
        let crates = &self.extraction.crates;
        crates.iter().map(|dump| Name::from(program_name(dump, crates)))
    }

    /// The names of the crates that sources of those can name.
    pub fn direct_crates(&self) -> BTreeSet<Name> {
        let given = self.extraction.crates.iter().flat_map(|dump| extern_names(&dump.invocation.arguments));
        self.own_crates().chain(given.map(Name::from)).collect()
    }

    pub fn loaded(
        self,
        program: Program,
        otherwise: DefinedOtherwise,
        foreign_types: ForeignTypes,
        foundation: &Foundation<'_>,
    ) -> LoadedVersion {
        let directory = self.directory().to_owned();
        let extraction = self.extraction;
        let files = Arc::new(program.files.clone());
        let mut texts = self.selected.iter().chain(self.dependencies.values());
        let placed = match (texts.any(|texts| names_a_place(&texts.mir)), foundation.names_a_place()) {
            (_, true) => with_places(&program, &Program::default()),
            (true, false) => with_places(&program, foundation.program()),
            (false, false) => HashSet::new(),
        };
        LoadedVersion {
            program,
            extraction,
            files,
            directory,
            placed,
            defined_otherwise: otherwise.types,
            completed: otherwise.completed,
            foreign_types,
        }
    }
}

/// Functions above `below`, and constants and statics, whose own bodies say where the crate lies.
fn with_places(program: &Program, below: &Program) -> HashSet<FnId> {
    let functions = program.functions.iter_enumerated().skip(below.functions.len());
    let is_placed = |body: &FnBody| match body {
        FnBody::Present(body) => names_a_place(&format!("{:?}", **body)),
        FnBody::Unreadable { .. } | FnBody::Missing => false,
    };
    let own = functions.filter(|(_, function)| function.origin != Origin::StdModel);
    own.filter(|(_, function)| is_placed(&function.body)).map(|(id, _)| id).collect()
}

/// Which of the front ends failed.
enum ProgramError {
    Rustc(FrontendError),
    Charon(charon::CharonError),
}

/// The programs of both versions. A dependency whose dump is not understood is left out of both.
pub(super) fn programs(
    old: &mut VersionTexts<'_>,
    new: &mut VersionTexts<'_>,
    foundation: &mut Foundation<'_>,
    dependencies: &mut Dependencies,
) -> anyhow::Result<(Program, Program)> {
    loop {
        let error = match foundation.link() {
            Err(LinkError::Unread(error)) => return Err(error),
            Err(LinkError::Refused(error)) => error,
            Ok(()) => {
                let library = foundation.library();
                match rayon::join(|| old.program(library), || new.program(library)) {
                    (Ok(old), Ok(new)) => return Ok((old, new)),
                    (Err(ProgramError::Charon(error)), _) | (_, Err(ProgramError::Charon(error))) => {
                        return Err(error.into());
                    }
                    (Err(ProgramError::Rustc(error)), _) | (_, Err(ProgramError::Rustc(error))) => error,
                }
            }
        };
        let name = error.crate_name().to_owned();
        let removed = (old.dependencies.remove(&name), new.dependencies.remove(&name));
        if !foundation.remove(&name) && removed.0.is_none() && removed.1.is_none() {
            return Err(error.into());
        }
        dependencies.give_up(&name, error.to_string());
    }
}

/// Crates that may hand on what another crate defines, another one in each version. Within a crate the compiler names what it uses by its own path; only
/// who sees another crate through one of these has but the name that it has there.
pub(super) fn handing_on(
    old: &VersionTexts<'_>,
    new: &VersionTexts<'_>,
    dependencies: &Dependencies,
) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = dependencies.in_tree().iter().map(Name::new).collect();
    for version in [old, new].into_iter().filter(|version| version.selected.len() > 1) {
        found.extend(version.own_crates());
    }
    found
}

/// The name under which a crate's items stand in the program. A binary, or a file of tests, of the same name as the library would collide
/// with it; a hyphen cannot occur in a real crate name.
pub(in crate::pipeline) fn program_name(dump: &CrateDumpFiles, all: &[CrateDumpFiles]) -> String {
    let collides = dump.target != TargetKind::Library
        && all.iter().any(|other| other.target == TargetKind::Library && other.crate_name == dump.crate_name);
    if collides { format!("{}-bin", dump.crate_name) } else { dump.crate_name.clone() }
}

/// The names of all crates.
pub(super) fn crate_names(extraction: &Extraction) -> BTreeSet<String> {
    let selected = extraction.crates.iter().map(|dump| &dump.crate_name);
    selected.chain(extraction.dependencies.iter().map(|dependency| &dependency.crate_name)).cloned().collect()
}
