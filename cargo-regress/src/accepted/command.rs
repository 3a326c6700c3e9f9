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
        let exact: Vec<_> =
            report.functions.iter().filter(|f| f.path == *name || f.canonical == *name).collect();
        let suffix = format!("::{name}");
        let by_end = || report.functions.iter().filter(|f| f.path.ends_with(&suffix)).collect::<Vec<_>>();
        let found = if exact.is_empty() { by_end() } else { exact };
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
    for (index, witness) in seen(function) {
        let index = if index < function.witnesses().len() { index } else { usize::MAX };
        let call = wording::printable(&function.call(index, witness));
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
