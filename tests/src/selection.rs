//! Which tests `cargo regress affected-tests` leaves out, held against which fail: small changes to published crates with tests.
//!
//! Each mutant is made in the working tree. The command names the tests that it can affect; then every test is run by itself. One that fails, or does not end,
//! and did not before, must have been named.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value as Json;
use wait_timeout::ChildExt;

use crate::command::run;
use crate::mutation::{Placed, sample};
use crate::real_crates::{lay_with_tests, published};
use crate::repository::Repository;

/// Published crates whose tests need no other package.
pub const TESTED: [(&str, &str); 5] = [
    ("percent-encoding", "2.3.2"),
    ("semver", "1.0.28"),
    ("shlex", "2.0.1"),
    ("strsim", "0.11.1"),
    ("unicode-width", "0.2.3"),
];

/// A test that takes longer does not end.
const LIMIT: Duration = Duration::from_secs(10);

/// A test: the binary as nextest calls it, and its name.
pub type Named = (String, String);

/// What became of one mutant.
#[derive(Clone, Debug)]
pub struct Selection {
    pub placed: Placed,
    pub affected: BTreeSet<Named>,
    pub all: usize,
    /// Those that fail and did not before.
    pub failing: BTreeSet<Named>,
    /// What finding them took, and running them all.
    pub time: Duration,
}

impl Selection {
    /// Failing tests that were not named.
    pub fn left_out(&self) -> Vec<&Named> {
        self.failing.difference(&self.affected).collect()
    }

    pub fn share(&self) -> f64 {
        self.affected.len() as f64 / self.all.max(1) as f64
    }
}

/// A crate with its tests, in a commit.
pub struct Tested {
    pub name: &'static str,
    repository: Repository,
    /// Tests that fail as published.
    failing: BTreeSet<Named>,
}

/// The crates whose name contains one of the texts; all if there is no text.
pub fn tested(only: &[String]) -> anyhow::Result<Vec<Tested>> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    let wanted: Vec<_> = TESTED.into_iter().filter(|(name, _)| is_wanted(name)).collect();
    let places = if wanted.is_empty() { BTreeMap::new() } else { published(&wanted)? };
    let mut found = Vec::new();
    for (name, _) in wanted {
        let repository = Repository::new()?;
        lay_with_tests(&repository, &places[name])?;
        repository.write(".gitignore", "/target\n")?;
        repository.commit_all("as published")?;
        found.push(Tested { name, repository, failing: BTreeSet::new() });
    }
    Ok(found)
}

impl Tested {
    /// Up to `count` mutants, each with the tests that it can affect and those that fail. What does not compile is passed over.
    pub fn judge(
        &mut self,
        count: usize,
        target: &Path,
        tell: &mut dyn FnMut(&Selection),
    ) -> anyhow::Result<Vec<Selection>> {
        let root = self.repository.root().to_owned();
        let native = target.join("native");
        let programs = build(&root, &native)?.context("the tests as published do not build")?;
        self.failing = failing(&root, &programs)?;
        let mut judged = Vec::new();
        for placed in sample(&root, count)? {
            let file = root.join(&placed.file);
            let source = fs::read_to_string(&file)?;
            fs::write(&file, placed.mutant.apply(&source))?;
            let selection = self.judge_changed(&root, placed, target, &native);
            fs::write(&file, source)?;
            if let Some(selection) = selection? {
                tell(&selection);
                judged.push(selection);
            }
        }
        Ok(judged)
    }

    fn judge_changed(
        &self,
        root: &Path,
        placed: Placed,
        target: &Path,
        native: &Path,
    ) -> anyhow::Result<Option<Selection>> {
        let Some(programs) = build(root, native)? else { return Ok(None) };
        let started = Instant::now();
        let regress = target.join("regress").to_string_lossy().into_owned();
        let words =
            ["affected-tests", "HEAD", "--message-format=json", "--timeout=2", "--target-dir", &regress];
        let told = run(root, &words);
        let time = started.elapsed();
        anyhow::ensure!(told.code == Some(0), "{}: {}", self.name, told.stderr);
        let document: Json = serde_json::from_str(&told.stdout)?;
        let (mut affected, mut all) = (BTreeSet::new(), 0);
        for binary in document["binaries"].as_array().into_iter().flatten() {
            for test in binary["tests"].as_array().into_iter().flatten() {
                all += 1;
                if test["affected"] == true {
                    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
                    affected.insert((text(&binary["id"]), text(&test["name"])));
                }
            }
        }
        let failing = failing(root, &programs)?.difference(&self.failing).cloned().collect();
        Ok(Some(Selection { placed, affected, all, failing, time }))
    }
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The programs of the tests, by the names that nextest gives them. None if they do not build.
fn build(root: &Path, target: &Path) -> anyhow::Result<Option<BTreeMap<String, PathBuf>>> {
    let mut command = cargo();
    command
        .args(["test", "--no-run", "--lib", "--tests", "--message-format=json", "--target-dir"])
        .arg(target);
    let output = command.current_dir(root).stderr(Stdio::null()).output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut programs = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Json>(line) else { continue };
        let (Some(program), Some(name)) =
            (message["executable"].as_str(), message["target"]["name"].as_str())
        else {
            continue;
        };
        let id = message["package_id"].as_str().unwrap_or_default();
        let (package, _) = id.rsplit_once(['@']).unwrap_or((id, ""));
        let package = package.rsplit(['#', '/']).next().unwrap_or_default();
        let id = match message["target"]["kind"][0].as_str() {
            Some("test") => format!("{package}::{name}"),
            _ => package.to_owned(),
        };
        programs.insert(id, PathBuf::from(program));
    }
    Ok(Some(programs))
}

/// The tests that fail or do not end, each run by itself.
fn failing(root: &Path, programs: &BTreeMap<String, PathBuf>) -> anyhow::Result<BTreeSet<Named>> {
    let mut found = BTreeSet::new();
    for (id, program) in programs {
        let listed = Command::new(program).args(["--list", "--format=terse"]).current_dir(root).output()?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
            let mut command = Command::new(program);
            command.args([name, "--exact"]).current_dir(root).env("CARGO_MANIFEST_DIR", root);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            let passes = match child.wait_timeout(LIMIT)? {
                Some(status) => status.success(),
                None => {
                    child.kill()?;
                    child.wait()?;
                    false
                }
            };
            if !passes {
                found.insert((id.clone(), name.to_owned()));
            }
        }
    }
    Ok(found)
}

/// The value in the middle.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_stands_in_the_middle() {
        assert_eq!(median(vec![0.9, 0.1, 0.2]), Some(0.2));
        assert_eq!(median(Vec::new()), None);
    }
}
