//! Subjects of others with published results: a folder with `old/` and `new/`, a crate in two versions with a module for each subject, and
//! beside them `labels.json` (what is known of each subject) and `changes.json` (its changed lines). The folder is named on the command
//! line; nothing of it is part of this repository.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use cargo_regress::report::json::{Document, FunctionCostRecord, FunctionRecord, VerdictName};
use cargo_regress::stats::geometric_mean;
use regress_core::verdict::{Class, Version};
use serde::Deserialize;

use crate::command::run_program;
use crate::repository::Repository;

/// What `labels.json` says of a subject. What is not named here is not used.
#[derive(Clone, Debug, Deserialize)]
pub struct Label {
    /// The function that the published result speaks of.
    pub entry: String,
    /// None where nothing was published.
    pub shadowjpf_plus: Option<Published>,
    pub shadowjpf: Option<Published>,
    /// What all inputs within small bounds give natively.
    pub within_bounds: Option<Enumerated>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Published {
    pub divergent_path_conditions: u64,
    pub ending_in_a_violation: u64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Enumerated {
    pub only_new_panics: u64,
}

/// A changed place; lines are counted from 1.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    pub old_lines: Vec<u32>,
    pub new_lines: Vec<u32>,
}

/// One subject held against what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub subject: String,
    pub ended: Ended,
    pub violation: Violation,
    /// Of the first suspect that is a changed line.
    pub rank: Option<u32>,
    pub differing_partitions: u64,
    pub published: Option<u64>,
    pub seconds: f64,
    pub runs_to_first_difference: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Differs,
    Equal,
    Undecided,
}

/// A panic that only the new version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// No input within the bounds shows one.
    NotKnown,
    Shown,
    Missed,
}

fn read<T: for<'d> Deserialize<'d>>(file: &Path) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

/// Compares the versions in the folder by this build of the command and holds the report against the labels. Subjects without published
/// results are left out.
pub fn table(folder: &Path, program: &Path, further: &[String]) -> anyhow::Result<Vec<Row>> {
    let labels: BTreeMap<String, Label> = read(&folder.join("labels.json"))?;
    let changes: BTreeMap<String, Vec<Change>> = read(&folder.join("changes.json"))?;
    let repository = Repository::new()?;
    repository.commit_directory(&folder.join("old"), "old")?;
    repository.commit_directory(&folder.join("new"), "new")?;
    let fixed = ["HEAD~1..HEAD", "--stats", "--message-format", "json"].map(String::from);
    let args: Vec<String> = fixed.into_iter().chain(further.iter().cloned()).collect();
    let run = run_program(program, repository.root(), &args, &[]);
    let document: Document = serde_json::from_str(&run.stdout).with_context(|| run.stderr.clone())?;
    rows(&labels, &changes, &document)
}

fn rows(
    labels: &BTreeMap<String, Label>,
    changes: &BTreeMap<String, Vec<Change>>,
    document: &Document,
) -> anyhow::Result<Vec<Row>> {
    let stats = document.stats.as_ref().context("the report has no stats")?;
    let published = labels.iter().filter(|(_, label)| label.shadowjpf_plus.is_some());
    published
        .map(|(subject, label)| {
            let function = document.functions.iter().find(|function| function.path == label.entry);
            let function = function.with_context(|| format!("no function `{}`", label.entry))?;
            let changes = changes.get(subject).map_or(&[][..], Vec::as_slice);
            Ok(row(subject, label, changes, function, stats.functions.get(&label.entry)))
        })
        .collect()
}

fn row(
    subject: &str,
    label: &Label,
    changes: &[Change],
    function: &FunctionRecord,
    cost: Option<&FunctionCostRecord>,
) -> Row {
    let is_changed = |version: Version, line: u32| {
        changes.iter().any(|change| match version {
            Version::Old => change.old_lines.contains(&line),
            Version::New => change.new_lines.contains(&line),
        })
    };
    let true_lines = function.suspects.iter().filter(|suspect| is_changed(suspect.version, suspect.line));
    let known = label.within_bounds.is_some_and(|all| all.only_new_panics > 0);
    Row {
        subject: subject.to_owned(),
        ended: match function.verdict {
            VerdictName::Differs => Ended::Differs,
            VerdictName::Equal | VerdictName::EqualWithin | VerdictName::Unchanged => Ended::Equal,
            _ => Ended::Undecided,
        },
        violation: match (known, function.class) {
            (false, _) => Violation::NotKnown,
            (true, Some(Class::Regression)) => Violation::Shown,
            (true, _) => Violation::Missed,
        },
        rank: true_lines.map(|suspect| suspect.rank).min(),
        differing_partitions: function.partitions.map_or(0, |partitions| partitions.differing),
        published: label.shadowjpf_plus.map(|published| published.divergent_path_conditions),
        seconds: cost.map_or(0.0, |cost| cost.seconds),
        runs_to_first_difference: cost.and_then(|cost| cost.runs_to_first_difference),
    }
}

/// What the rows come to, a line each.
pub fn summary(rows: &[Row]) -> String {
    let count = |is_it: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is_it(row)).count();
    let ended = |end| count(&|row| row.ended == end);
    let differ = ended(Ended::Differs);
    let shown = count(&|row| row.violation == Violation::Shown);
    let known = count(&|row| row.violation != Violation::NotKnown);
    let within =
        |most: u32| count(&|row| row.ended == Ended::Differs && row.rank.is_some_and(|rank| rank <= most));
    let slow = count(&|row| row.seconds > 10.0);
    let longest = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
    let (partitions, paths) = (
        rows.iter().map(|row| row.differing_partitions).sum::<u64>(),
        rows.iter().filter_map(|row| row.published).sum::<u64>(),
    );
    let runs: Vec<u64> = rows.iter().filter_map(|row| row.runs_to_first_difference).collect();
    format!(
        "{} subjects: {differ} differ, {} equal, {} undecided\n\
         new panics: {shown} of {known} shown\n\
         a true line among the suspects: first for {} of {differ}, among the first three for {}\n\
         {longest:.1} s for a function at most, more than 10 s for {slow}\n\
         {partitions} differing partitions, {paths} differing path conditions published\n\
         {:.2} runs of the engine to the first difference (geometric mean of {}), {} at most\n",
        rows.len(),
        ended(Ended::Equal),
        ended(Ended::Undecided),
        within(1),
        within(3),
        geometric_mean(&runs).unwrap_or_default(),
        runs.len(),
        runs.iter().max().copied().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::binary;

    #[test]
    fn a_folder_of_subjects_becomes_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let subject = |limit: u32| {
            format!(
                "pub fn panics(x: u8) -> u8 {{\n    if x > {limit} {{\n        assert!(x < 250);\n    }}\n    x / 2\n}}\n\
                 pub fn same(x: u8) -> u8 {{\n    x + (x ^ x) * {limit}\n}}\n"
            )
        };
        for (version, limit) in [("old", 251), ("new", 100)] {
            let manifest =
                "[package]\nname = \"subjects\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n";
            write(&format!("{version}/Cargo.toml"), manifest);
            write(&format!("{version}/src/lib.rs"), &subject(limit));
        }
        let paths = r#"{ "divergent_path_conditions": 2, "ending_in_a_violation": 1 }"#;
        let label = |entry: &str, panics: u32| {
            format!(
                r#""{entry}": {{ "entry": "{entry}", "shadowjpf_plus": {paths}, "shadowjpf": null,
                   "within_bounds": {{ "only_new_panics": {panics} }} }}"#
            )
        };
        write("labels.json", &format!("{{ {}, {} }}", label("panics", 2), label("same", 0)));
        write("changes.json", r#"{ "panics": [{ "old_lines": [2], "new_lines": [2] }] }"#);
        let rows = table(folder.path(), binary(), &["--random-runs".into(), "0".into()]).unwrap();
        let told: Vec<_> =
            rows.iter().map(|row| (row.subject.as_str(), row.ended, row.violation, row.rank)).collect();
        assert_eq!(
            told,
            [
                ("panics", Ended::Differs, Violation::Shown, Some(1)),
                ("same", Ended::Equal, Violation::NotKnown, None)
            ]
        );
        assert!(rows[0].runs_to_first_difference.is_some_and(|runs| runs > 0), "{rows:?}");
        let summary = summary(&rows);
        assert!(summary.contains("2 subjects: 1 differ, 1 equal, 0 undecided"), "{summary}");
        assert!(summary.contains("4 differing path conditions published"), "{summary}");
    }
}
