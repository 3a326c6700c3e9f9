//! A comparison in parts: each run judges some of the functions and writes down what it found; one more puts that together.
//!
//! *Idea.* What takes time is to judge functions, one after the other. What is said of a function in the light of others (texts carried to
//! public callers, what they show of a private difference) is cheap, and takes all verdicts. So a run of a part stops after judging,
//! and the run that merges does all that a run does, but takes verdicts from the files.
//!
//! **Invariant:** the merged report is the one that a single run makes: parts of other versions or options are refused, and so is a
//! set in which a part is missing.

use std::collections::{BTreeMap, HashMap, VecDeque};

use anyhow::{Context, bail, ensure};
use camino::{Utf8Path, Utf8PathBuf};
use regress_core::align::Pair;
use regress_core::ir::Path;
use serde::{Deserialize, Serialize};

use super::Session;
use super::aligned::Aligned;
use super::load::Loaded;
use super::report_cache::comparison_key;
use super::stages::Judged;
use super::subject::Judgement;
use crate::args::Part;
use crate::extract::read_json;

/// What one run found.
#[derive(Serialize, Deserialize)]
struct Findings {
    /// Names the versions and all options that bear on what is found.
    comparison: String,
    number: u32,
    of: u32,
    /// By path, in the order of the alignment.
    functions: Vec<(String, Judgement)>,
}

/// Verdicts of other runs, each for the next function of that path.
pub(super) struct Found {
    functions: HashMap<String, VecDeque<Judgement>>,
}

/// Writes what this run found of its part; all functions are the only part of one.
pub(super) fn write(session: &Session<'_>, file: &Utf8Path, judged: &Judged<'_>) -> anyhow::Result<()> {
    let by_path = |(pair, judgement): &(&Pair, Judgement)| {
        (path_of(&judged.aligned.loaded, pair).to_string(), judgement.clone())
    };
    let (number, of) =
        session.options.parts.partition.map_or((1, 1), |part| (part.number.get(), part.of.get()));
    let findings = Findings {
        comparison: comparison_key(session, "findings")?.finish(),
        number,
        of,
        functions: judged.functions.iter().map(by_path).collect(),
    };
    if let Some(folder) = file.parent().filter(|folder| !folder.as_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("{folder} cannot be made"))?;
    }
    // What the user names is written to and not replaced: it may be a pipe, a device, or a link to where the findings belong.
    serde_json::to_vec(&findings)
        .map_err(anyhow::Error::from)
        .and_then(|text| Ok(std::fs::write(file, text)?))
        .with_context(|| format!("the findings cannot be written to {file}"))
}

/// Reads the parts, which have to be all parts of this comparison.
pub(super) fn read(session: &Session<'_>, files: &[Utf8PathBuf]) -> anyhow::Result<Found> {
    let comparison = comparison_key(session, "findings")?.finish();
    let mut parts: BTreeMap<u32, (&Utf8Path, Findings)> = BTreeMap::new();
    for file in files {
        let findings: Findings = read_json(file)
            .with_context(|| format!("{file} has no findings that can be read"))?
            .with_context(|| {
                format!("there is no file {file}; `--findings` of a run with `--partition` writes one")
            })?;
        ensure!(
            findings.comparison == comparison,
            "{file} is of other versions, or was found with other options, another compiler or another release of this program; \
             give `cargo regress merge` what its run was given"
        );
        if let Some((other, _)) = parts.get(&findings.number) {
            bail!("{other} and {file} are the same part, {} of {}", findings.number, findings.of);
        }
        parts.insert(findings.number, (file, findings));
    }
    let of = parts.values().map(|(_, findings)| findings.of).max().unwrap_or(0);
    if let Some((file, findings)) = parts.values().find(|(_, findings)| findings.of != of) {
        bail!("{file} is one of {} parts, another file is one of {of}", findings.of);
    }
    let missing: Vec<String> = (1..=of)
        .filter(|number| !parts.contains_key(number))
        .map(|number| format!("hash:{number}/{of}"))
        .collect();
    ensure!(missing.is_empty(), "what was found in {} is missing", missing.join(", "));
    let mut functions: HashMap<String, VecDeque<Judgement>> = HashMap::new();
    for (path, judgement) in parts.into_values().flat_map(|(_, findings)| findings.functions) {
        functions.entry(path).or_default().push_back(judgement);
    }
    Ok(Found { functions })
}

impl Found {
    /// What was found of each pair of the alignment.
    pub fn judged(mut self, aligned: &Aligned) -> anyhow::Result<Judged<'_>> {
        let found = aligned.alignment.pairs.iter().map(|pair| {
            let path = path_of(&aligned.loaded, pair);
            let judgement = self.functions.get_mut(path.as_str()).and_then(VecDeque::pop_front);
            Ok((pair, judgement.with_context(|| format!("the findings say nothing of `{path}`"))?))
        });
        let functions = found.collect::<anyhow::Result<_>>()?;
        Ok(Judged { aligned, functions })
    }
}

/// Whether this run judges the function.
pub(super) fn is_in(part: Option<Part>, path: &Path) -> bool {
    part.is_none_or(|part| part.has(path.as_str()))
}

/// The path of a pair: the new version's, where that has it.
pub(super) fn path_of<'l>(loaded: &'l Loaded, pair: &Pair) -> &'l Path {
    match (pair.new, pair.old) {
        (Some(new), _) => &loaded.new.program.functions[new].path,
        (None, Some(old)) => &loaded.old.program.functions[old].path,
        (None, None) => unreachable!("a pair has a side"),
    }
}
