//! The fixtures on disk: `fixtures/<topic>/<case>/{old,new}/`, and the optional `regress-args` beside them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::expectations::{MarkError, Marked, parse};

/// One pair of versions.
#[derive(Clone, Debug)]
pub struct Case {
    /// `topic/case`
    pub name: String,
    pub root: PathBuf,
    pub old: Marked,
    pub new: Marked,
    /// Further arguments for the command.
    pub args: Vec<String>,
}

#[derive(Debug, Error)]
pub enum CaseError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Mark { path: PathBuf, source: MarkError },
    #[error(
        "{case}: `{function}` (line {line} of the new version) has no expectation; silence is tested too"
    )]
    Unmarked { case: String, function: String, line: u32 },
}

/// The one source file of a version, relative to its root.
pub const SOURCE: &str = "src/lib.rs";

/// The topic of subjects with one call each, whose causes are marked and not their verdicts.
pub const LOCALIZED: &str = "localize";

/// `fixtures/` of this repository.
pub fn fixtures_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("fixtures")
}

/// All cases, sorted by name.
pub fn all() -> Result<Vec<Case>, CaseError> {
    let root = fixtures_root();
    let mut cases = Vec::new();
    // What is a package itself has one version only: the subjects of exploration.
    let has_verdicts = |topic: &PathBuf| !topic.join("Cargo.toml").exists() && file_name(topic) != LOCALIZED;
    for topic in directories(&root)?.into_iter().filter(has_verdicts) {
        for case in directories(&topic)? {
            let name = format!("{}/{}", file_name(&topic), file_name(&case));
            cases.push(load(name, case)?);
        }
    }
    Ok(cases)
}

fn load(name: String, root: PathBuf) -> Result<Case, CaseError> {
    let old = marked(&root.join("old").join(SOURCE))?;
    let new = marked(&root.join("new").join(SOURCE))?;
    if let Some(function) = new.functions.iter().find(|function| function.expectation.is_none()) {
        let (function, line) = (function.path.clone(), function.first_line);
        return Err(CaseError::Unmarked { case: name, function, line });
    }
    let args_file = root.join("regress-args");
    let args = if args_file.is_file() { read(&args_file)? } else { String::new() };
    let args = args.split_whitespace().map(str::to_string).collect();
    Ok(Case { name, root, old, new, args })
}

fn marked(path: &Path) -> Result<Marked, CaseError> {
    parse(&read(path)?).map_err(|source| CaseError::Mark { path: path.to_path_buf(), source })
}

fn read(path: &Path) -> Result<String, CaseError> {
    fs::read_to_string(path).map_err(|source| CaseError::Read { path: path.to_path_buf(), source })
}

fn directories(path: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let fail = |source| CaseError::Read { path: path.to_path_buf(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(fail)? {
        let entry = entry.map_err(fail)?.path();
        if entry.is_dir() {
            found.push(entry);
        }
    }
    found.sort();
    Ok(found)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectations::{Function, Tag};

    #[test]
    fn every_case_reads_and_every_function_says_what_is_expected() {
        let cases = all().unwrap_or_else(|error| panic!("{error}"));
        assert!(cases.len() >= 40, "{} cases", cases.len());
    }

    /// A removed function is marked in the old version; nothing else is, so that no mark is overlooked.
    #[test]
    fn old_versions_mark_removed_functions_only() {
        for case in all().unwrap() {
            for function in &case.old.functions {
                let in_new = case.new.functions.iter().any(|new| new.path == function.path);
                match &function.expectation {
                    Some(expectation) => {
                        assert_eq!(expectation.verdicts, [Tag::Removed], "{}: {}", case.name, function.path);
                        assert!(!in_new, "{}: {} is not removed", case.name, function.path);
                    }
                    None if in_new => {}
                    None => assert!(stands_elsewhere(&case, function), "{}: {}", case.name, function.path),
                }
            }
        }
    }

    /// Whether the new version has a function of the name in another place. Renamed ones are among what did not change.
    fn stands_elsewhere(case: &Case, function: &Function) -> bool {
        let name = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        case.name.starts_with("unchanged/")
            || case.new.functions.iter().any(|new| name(&new.path) == name(&function.path))
    }

    /// Both kinds of answer are asked for about as often.
    #[test]
    fn the_fixtures_are_balanced() {
        let cases = all().unwrap();
        let functions = cases.iter().flat_map(|case| &case.new.functions);
        let verdicts: Vec<Tag> =
            functions.flat_map(|function| &function.expectation).map(|e| e.verdicts[0]).collect();
        let same = verdicts.iter().filter(|tag| tag.claims_same()).count();
        let different = verdicts.iter().filter(|tag| tag.claims_difference()).count();
        assert!(same >= 80 && different >= 80, "{same} the same, {different} different");
    }
}
