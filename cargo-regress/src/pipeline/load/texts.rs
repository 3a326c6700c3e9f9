//! The texts of one crate: what the compiler and rustdoc print of it.

use std::collections::BTreeSet;

use anyhow::Context;
use camino::Utf8Path;
use mir_frontend::rustc::replay::extern_names;
use mir_frontend::rustc::{
    CrateDump, Declarations, Docs, Rustdoc, bodies_without_harness, graphs_without_harness, read_expanded,
    read_rustdoc, split_tests, with_places_hidden,
};
use regress_core::ir::Origin;

use crate::extract::{CrateDumpFiles, DumpFile, TargetKind};
use crate::harness::target_of;

/// The text of one crate's dumps.
pub(in crate::pipeline) struct Texts {
    pub(super) name: String,
    pub(super) origin: Origin,
    pub(super) mir: String,
    cfg: String,
    pub(super) rustdoc: Option<Documentation>,
    /// None if the compiler did not show them, or not as tokens of Rust.
    pub(super) declarations: Option<Declarations>,
    pub(super) captures: Captures,
    /// Where the texts come from.
    pub(super) files: CrateDumpFiles,
}

/// What rustdoc wrote of a crate. It is read once, as a crate is linked in several rounds into two programs.
pub(super) enum Documentation {
    Read(Box<Docs>),
    /// Linking says what is wrong with it.
    Unreadable(String),
}

impl Documentation {
    fn read(path: &Utf8Path, name: &str) -> anyhow::Result<Documentation> {
        let json = read(path)?;
        Ok(match read_rustdoc(name, &json) {
            Ok(docs) => Documentation::Read(Box::new(docs)),
            Err(_) => Documentation::Unreadable(json),
        })
    }
}

/// What rustdoc knows of one version only (it may refuse the other) must not make both look different: types and bounds are then
/// those that the compiler's text has of both.
pub(super) fn drop_lone_documentation(old: &mut [Texts], new: &mut [Texts]) {
    for old in old {
        if let Some(new) = new.iter_mut().find(|new| new.name == old.name)
            && old.rustdoc.is_none() != new.rustdoc.is_none()
        {
            old.rustdoc = None;
            new.rustdoc = None;
        }
    }
}

/// What is known of the captures of closures that the usual view drops.
#[derive(PartialEq, Eq)]
pub(super) enum Captures {
    /// Nothing more was needed so far.
    AsPrinted,
    Restored {
        stable_mir: String,
    },
    /// The compiler does not give that view.
    Lost,
}

impl Captures {
    pub(super) fn read(view: &DumpFile) -> anyhow::Result<Captures> {
        Ok(match view {
            DumpFile::Written(path) => Captures::Restored { stable_mir: read(path)? },
            DumpFile::Failed { .. } => Captures::Lost,
        })
    }

    pub(super) fn stable_mir(&self) -> Option<&str> {
        match self {
            Captures::Restored { stable_mir } => Some(stable_mir),
            Captures::AsPrinted | Captures::Lost => None,
        }
    }
}

/// Whether the texts of the crate name a folder of the version at `root`, or of its build.
pub(super) fn says_where_it_lies(dump: &CrateDumpFiles, root: &Utf8Path) -> anyhow::Result<bool> {
    let target = target_of(&dump.invocation);
    for path in [&dump.mir, &dump.cfg, &dump.expanded].into_iter().filter_map(DumpFile::path) {
        if with_places_hidden(&read(path)?, root.as_str(), target.as_str()).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Texts {
    /// `root` is the folder of the version.
    pub(super) fn read(
        dump: &CrateDumpFiles,
        name: String,
        origin: Origin,
        root: &Utf8Path,
    ) -> anyhow::Result<Texts> {
        let target = target_of(&dump.invocation);
        let read = |path: &Utf8Path| -> anyhow::Result<String> {
            let text = read(path)?;
            Ok(with_places_hidden(&text, root.as_str(), target.as_str()).unwrap_or(text))
        };
        let required = |file: &DumpFile, what: &str| match file {
            DumpFile::Written(path) => read(path),
            DumpFile::Failed { summary, report } => Err(anyhow::anyhow!(
                "the compiler gave no {what} of `{}`: {summary}; the whole message is in {report}",
                dump.crate_name
            )),
        };
        let rustdoc = dump.rustdoc.path().map(|path| Documentation::read(path, &name)).transpose()?;
        let has_harness = dump.target == TargetKind::Tests;
        let declarations = match dump.expanded.path() {
            Some(path) if has_harness => {
                split_tests(&read(path)?).and_then(|(_, expanded)| read_expanded(&expanded))
            }
            Some(path) => read_expanded(&read(path)?),
            None => None,
        };
        let (mut mir, mut cfg) = (required(&dump.mir, "MIR")?, required(&dump.cfg, "MIR headers")?);
        if has_harness {
            (mir, cfg) = (bodies_without_harness(&mir), graphs_without_harness(&cfg));
        }
        Ok(Texts {
            name,
            declarations,
            origin,
            mir,
            cfg,
            rustdoc,
            captures: Captures::AsPrinted,
            files: dump.clone(),
        })
    }

    /// A selected crate. `others` are the names of all crates.
    ///
    /// rustdoc leaves tests out, and with them the crates that nothing else names. What begins with the name of such a crate would be read as
    /// an item of this one.
    pub(super) fn of_selected(
        dump: &CrateDumpFiles,
        name: String,
        root: &Utf8Path,
        others: &BTreeSet<String>,
    ) -> anyhow::Result<Texts> {
        let mut texts = Texts::read(dump, name, Origin::Subject, root)?;
        if dump.target == TargetKind::Tests {
            match &mut texts.rustdoc {
                Some(Documentation::Read(docs)) => {
                    docs.externs.extend(others.iter().cloned());
                    docs.externs.extend(extern_names(&dump.invocation.arguments));
                }
                _ => anyhow::bail!("rustdoc does not describe `{}`", dump.crate_name),
            }
        }
        Ok(texts)
    }

    pub(in crate::pipeline) fn of_models(dump: &CrateDumpFiles) -> anyhow::Result<Texts> {
        Texts::read(dump, dump.crate_name.clone(), Origin::StdModel, Utf8Path::new(""))
    }

    pub(in crate::pipeline) fn dump(&self) -> CrateDump<'_> {
        CrateDump {
            crate_name: &self.name,
            origin: self.origin,
            mir: &self.mir,
            cfg: &self.cfg,
            rustdoc: self.rustdoc.as_ref().map(|rustdoc| match rustdoc {
                Documentation::Read(docs) => Rustdoc::Read(docs),
                Documentation::Unreadable(json) => Rustdoc::Json(json),
            }),
            stable_mir: self.captures.stable_mir(),
            declarations: self.declarations.as_ref(),
        }
    }
}

pub(super) fn read(path: &Utf8Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}
