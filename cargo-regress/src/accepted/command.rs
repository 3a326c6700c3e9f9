//! `cargo regress accept`: compares, and writes entries for the differences that are named.

use anyhow::{Context, bail, ensure};
use camino::{Utf8Path, Utf8PathBuf};
use std::io::Write;

use super::apply::seen;
use super::at_hand;
use super::condition::Condition;
use super::ending::Change;
use super::entry::{self, Entry, EntryError, FILE};
use crate::args::AcceptOptions;
use crate::report::paths::meant;
use crate::report::{FunctionReport, Report, wording};
use crate::versions::Place;

/// Writes the entries; what is said of it.
pub fn accept(options: &AcceptOptions, place: &Place, report: &Report) -> anyhow::Result<String> {
    ensure!(!options.reason.trim().is_empty(), "`--reason` is empty: say why the difference is meant");
    let condition = options.when.as_deref().map(Condition::parse).transpose().map_err(anyhow::Error::msg)?;
    let chosen = choose(options, report)?;
    ensure!(
        condition.is_none() || chosen.len() == 1,
        "`--when` speaks of the parameters of one function; name one"
    );
    let commit = report.old.oid.clone().or_else(|| report.new.oid.clone());
    let mut entries = Vec::new();
    for function in chosen {
        entries.extend(of_function(function, condition.as_ref(), &options.reason, commit.as_deref())?);
    }
    let file = at_hand(place).unwrap_or_else(|| root(place).join(FILE));
    write(&file, &entries)?;
    let mut text = format!("{file}\n");
    for (entry, example) in &entries {
        let Change { old, new, .. } = &entry.change;
        let on =
            condition.as_ref().map(|condition| format!(", where `{}`", condition.text())).unwrap_or_default();
        text.push_str(&format!("  `{}`: {old}, now {new}{on}\n    {example}\n", entry.function));
    }
    let functions = wording::count(entries.len() as u64, "difference is", "differences are");
    text.push_str(&format!("{functions} accepted; review the file and commit it with the change\n"));
    Ok(text)
}

/// The functions that are named, each of which has to differ.
fn choose<'r>(options: &AcceptOptions, report: &'r Report) -> anyhow::Result<Vec<&'r FunctionReport>> {
    let differing = || report.functions.iter().filter(|function| function.standing().is_difference());
    if options.all_functions {
        let all: Vec<_> = differing().collect();
        ensure!(!all.is_empty(), "nothing differs that is not accepted already");
        return Ok(all);
    }
    let mut chosen: Vec<&FunctionReport> = Vec::new();
    for name in &options.function {
        let paths = report.functions.iter().map(|f| [f.path.as_str(), f.canonical.as_str()]);
        let found: Vec<_> = meant(name, paths).into_iter().map(|place| &report.functions[place]).collect();
        let [function] = found.as_slice() else {
            let names = |functions: &[&FunctionReport]| {
                functions.iter().map(|function| format!("`{}`", function.path)).collect::<Vec<_>>().join(", ")
            };
            if found.is_empty() {
                let known: Vec<_> = differing().collect();
                bail!("no function is called `{name}`; those that differ are {}", or_none(names(&known)));
            }
            bail!("`{name}` may be any of {}; write more of the path", names(&found));
        };
        let standing = function.standing();
        if standing == crate::report::Standing::Accepted {
            bail!("the difference of `{}` is accepted already", function.path);
        }
        ensure!(
            standing.is_difference(),
            "`{}` was not seen to differ in a native run, so there is nothing to accept",
            function.path
        );
        if !chosen.iter().any(|known| std::ptr::eq(*known, *function)) {
            chosen.push(function);
        }
    }
    Ok(chosen)
}

fn or_none(names: String) -> String {
    if names.is_empty() { "none".to_owned() } else { names }
}

/// One entry for each way to differ, each with a call that shows it.
fn of_function(
    function: &FunctionReport,
    condition: Option<&Condition>,
    reason: &str,
    commit: Option<&str>,
) -> anyhow::Result<Vec<(Entry, String)>> {
    let mut entries: Vec<(Entry, String)> = Vec::new();
    for witness in seen(function) {
        let call = wording::printable(&function.call(witness));
        if let Some(condition) = condition {
            match condition.holds(&witness.inputs) {
                Ok(true) => {}
                Ok(false) => bail!("`{call}` differs too, and `{}` does not hold there", condition.text()),
                Err(why) => bail!("whether `{}` holds of `{call}` cannot be said: {why}", condition.text()),
            }
        }
        let change = Change::of(witness);
        if entries.iter().any(|(entry, _)| entry.change == change) {
            continue;
        }
        let entry = Entry {
            function: function.canonical.clone(),
            change,
            condition: condition.cloned(),
            reason: reason.trim().to_owned(),
            commit: commit.map(str::to_owned),
            place: String::new(),
        };
        entries.push((entry, format!("{call} {}", wording::change(witness))));
    }
    Ok(entries)
}

/// Where the file is made if there is none: at the root of the workspace.
fn root(place: &Place) -> Utf8PathBuf {
    place.workspace_root.clone().unwrap_or_else(|| place.start.directory().to_owned())
}

/// Puts the entries into the file, whole or not at all.
fn write(file: &Utf8Path, entries: &[(Entry, String)]) -> anyhow::Result<()> {
    let unwritable = |source| EntryError::Unwritable { file: file.to_string(), source };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(EntryError::Unreadable { file: file.to_string(), source }.into()),
    };
    let text = entry::with_entries(&text, entries)?;
    let directory = file.parent().context("the file has no directory")?;
    std::fs::create_dir_all(directory).map_err(unwritable)?;
    let mut draft = tempfile::NamedTempFile::new_in(directory).map_err(unwritable)?;
    draft.write_all(text.as_bytes()).map_err(unwritable)?;
    make_readable(draft.as_file()).map_err(unwritable)?;
    draft.persist(file).map_err(|error| unwritable(error.error))?;
    Ok(())
}

/// Temporary files are for their owner alone; this one is for everybody.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use regress_core::ir::IntTy;
    use regress_core::value::{Outcome, Value};
    use regress_core::verdict::{ChangeKind, Class, Input, Verdict, Witness};

    use super::*;
    use crate::report::testing::{differs, function, overflow, proof, report, witness};
    use crate::report::{Acceptance, AcceptedBy};
    use crate::versions::Start;

    fn call(argument: i128, new: Outcome) -> Witness {
        let value = Value::int(IntTy::I32, argument);
        let old = Outcome::Returned { value: value.clone(), mutated: Vec::new() };
        Witness { inputs: vec![Input { name: "x".to_owned(), value }], ..witness(old, new) }
    }

    fn number(argument: i128) -> Witness {
        call(argument, Outcome::Returned { value: Value::int(IntTy::I32, -argument), mutated: Vec::new() })
    }

    fn subject(path: &str, class: Class, witnesses: Vec<Witness>) -> FunctionReport {
        FunctionReport {
            canonical: format!("p::{path}"),
            ..function(path, ChangeKind::Changed, differs(class, witnesses))
        }
    }

    /// Two functions of one name, one that panics on some inputs, one that is equal, and one whose difference is accepted.
    fn sample() -> Report {
        let by = AcceptedBy { reason: "known".into(), place: "x.toml:1".into(), condition: None };
        report(vec![
            subject("a::f", Class::Behaviour, vec![number(1)]),
            subject("b::f", Class::Behaviour, vec![number(1)]),
            subject("mixed", Class::Regression, vec![call(9, overflow()), number(2), number(3)]),
            function("equal", ChangeKind::Changed, Verdict::Equal { proof: proof() }),
            FunctionReport {
                acceptance: Acceptance::By(vec![by]),
                ..subject("known", Class::Behaviour, vec![number(1)])
            },
        ])
    }

    /// The entries that are written, or why none are.
    fn written(line: &[&str]) -> Result<Vec<Entry>, String> {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let home = Utf8PathBuf::from_path_buf(home.path().to_path_buf()).expect("UTF-8");
        std::fs::create_dir_all(home.join(".git")).expect("writable");
        let place = Place {
            start: Start::SearchFrom(home.clone()),
            workspace_root: None,
            packages: Vec::new(),
            target_dir: home.join("target"),
        };
        let words = ["cargo-regress accept"].iter().chain(line).copied();
        let options = AcceptOptions::try_parse_from(words).map_err(|error| error.to_string())?;
        let done = accept(&options, &place, &sample());
        let entries = entry::read(&home.join(FILE), FILE).expect("what is written can be read");
        let kept = std::fs::remove_dir_all(&home);
        assert!(kept.is_ok());
        match done {
            Ok(_) => Ok(entries),
            Err(error) => {
                assert!(entries.is_empty(), "nothing is written where something is wrong");
                Err(error.to_string())
            }
        }
    }

    #[track_caller]
    fn check(line: &[&str], expected: &[(&str, Class, &str)]) {
        let entries = written(line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        let found: Vec<_> = entries
            .iter()
            .map(|entry| (entry.function.as_str(), entry.change.class, entry.change.new.as_str()))
            .collect();
        assert_eq!(found, expected);
        assert!(
            entries
                .iter()
                .all(|entry| entry.commit.as_deref() == Some("1a2b3c4000000000000000000000000000000000"))
        );
    }

    #[track_caller]
    fn check_error(line: &[&str], words: &str) {
        let error = written(line).expect_err("nothing is accepted");
        assert!(error.contains(words), "`{words}` in: {error}");
    }

    const REGRESSION: (&str, Class, &str) = ("p::mixed", Class::Regression, "panics: arithmetic overflow");
    const BEHAVIOUR: (&str, Class, &str) = ("p::mixed", Class::Behaviour, "returns _");

    #[test]
    fn one_entry_for_each_way_to_differ() {
        check(&["--reason", "r", "--function", "a::f"], &[("p::a::f", Class::Behaviour, "returns _")]);
        check(&["--reason", "r", "--function", "p::mixed"], &[REGRESSION, BEHAVIOUR]);
        check(&["--reason", "r", "--function", "mixed", "--when", "x > 1"], &[REGRESSION, BEHAVIOUR]);
    }

    #[test]
    fn all_functions_are_those_that_differ_and_are_not_accepted() {
        let entries = written(&["--reason", "r", "--all-functions"]).expect("accepted");
        let mut names: Vec<&str> = entries.iter().map(|entry| entry.function.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["p::a::f", "p::b::f", "p::mixed", "p::mixed"]);
    }

    #[test]
    fn what_is_not_clear_is_not_accepted() {
        check_error(&["--reason", "r", "--function", "f"], "`f` may be any of `a::f`, `b::f`");
        check_error(
            &["--reason", "r", "--function", "g"],
            "no function is called `g`; those that differ are",
        );
        check_error(&["--reason", "r", "--function", "equal"], "was not seen to differ");
        check_error(&["--reason", "r", "--function", "known"], "accepted already");
        check_error(&["--reason", " ", "--function", "mixed"], "say why");
        check_error(&["--function", "mixed"], "--reason");
        check_error(&["--reason", "r"], "--function");
        check_error(&["--reason", "r", "--all-functions", "--when", "x > 1"], "--when");
        check_error(
            &["--reason", "r", "--function", "mixed", "--function", "a::f", "--when", "x > 0"],
            "name one",
        );
    }

    #[test]
    fn a_condition_holds_for_every_call_that_was_seen() {
        check_error(&["--reason", "r", "--function", "mixed", "--when", "x > 2"], "`mixed(2)` differs too");
        check_error(
            &["--reason", "r", "--function", "mixed", "--when", "y > 2"],
            "there is no parameter `y`",
        );
        check_error(&["--reason", "r", "--function", "mixed", "--when", "f(x)"], "not understood");
    }
}
