//! The campaign: one generated crate after the other through the product and through the native driver.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::classes::Class;
use super::crates::{Files, Generated, Pair, generate};
use super::judge::{Judgement, Said, Truth, judge};
use super::native::{self, Outcomes};
use crate::repository::Repository;
use crate::shared::forget_runs;

pub struct Settings {
    pub seed: u64,
    /// Numbers of the crates.
    pub crates: std::ops::Range<u64>,
    pub pairs_per_crate: usize,
    pub classes: Vec<Class>,
    /// Where crates with a wrong verdict are kept.
    pub keep: Option<PathBuf>,
    /// The command that is judged.
    pub product: PathBuf,
    /// The product's target directory; it keeps the models of the standard library.
    pub target: PathBuf,
    /// Of the product, in seconds.
    pub timeout: u64,
    pub verbose: bool,
}

/// What all crates of a campaign came to.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub rows: BTreeMap<Class, Row>,
    pub crates: usize,
    /// Crates that a version of does not compile, or whose driver does not.
    pub not_compiled: usize,
    /// The product gave no report: it failed, or did not end.
    pub no_report: usize,
    pub product_seconds: f64,
    pub native_seconds: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub pairs: usize,
    /// As [`Said::COLUMNS`].
    pub said: [usize; 8],
    /// An outcome differs natively.
    pub differ: usize,
    pub wrong: usize,
}

impl Row {
    pub fn add(&mut self, said: &Said, truth: &Truth) {
        self.pairs += 1;
        self.said[said.column()] += 1;
        self.differ += usize::from(truth.differs);
        self.wrong += usize::from(judge(said, truth) == Judgement::Wrong);
    }

    fn sum(&mut self, other: &Row) {
        self.pairs += other.pairs;
        self.said.iter_mut().zip(other.said).for_each(|(sum, count)| *sum += count);
        self.differ += other.differ;
        self.wrong += other.wrong;
    }
}

impl Table {
    pub fn all(&self) -> Row {
        let mut all = Row::default();
        self.rows.values().for_each(|row| all.sum(row));
        all
    }

    /// As columns, a line for each class and one for all.
    pub fn text(&self) -> String {
        let mut text = format!("\n{:12} {:>6}", "class", "pairs");
        Said::COLUMNS.iter().for_each(|column| {
            let _ = write!(text, " {column:>12}");
        });
        let _ = writeln!(text, " {:>9} {:>6}", "differ", "WRONG");
        let all = ("all".to_owned(), self.all());
        let rows = self.rows.iter().map(|(class, row)| (class.name().to_owned(), row.clone()));
        for (name, row) in rows.chain([all]) {
            let _ = write!(text, "{name:12} {:>6}", row.pairs);
            row.said.iter().for_each(|count| {
                let _ = write!(text, " {count:>12}");
            });
            let _ = writeln!(text, " {:>9} {:>6}", row.differ, row.wrong);
        }
        let _ = writeln!(
            text,
            "\ncrates {}, not compiled {}, without a report {}; product {:.0} s, native {:.0} s",
            self.crates, self.not_compiled, self.no_report, self.product_seconds, self.native_seconds
        );
        text
    }
}

/// Runs the campaign; what is wrong is printed as it is found.
pub fn run(settings: &Settings) -> anyhow::Result<Table> {
    let mut table = Table::default();
    for number in settings.crates.clone() {
        let made = generate(settings.seed, number, settings.pairs_per_crate, &settings.classes);
        one(settings, &made, &mut table)?;
    }
    Ok(table)
}

fn one(settings: &Settings, made: &Generated, table: &mut Table) -> anyhow::Result<()> {
    let home = tempfile::TempDir::new()?;
    table.crates += 1;
    let begun = Instant::now();
    let native = match Native::of(made, home.path()) {
        Ok(native) => native,
        Err(error) => {
            println!("NOT COMPILED {}:\n{error:#}", made.name);
            keep(settings, made, &format!("{error:#}"))?;
            table.not_compiled += 1;
            return Ok(());
        }
    };
    let native_time = begun.elapsed().as_secs_f64();
    table.native_seconds += native_time;
    let begun = Instant::now();
    let report = report(settings, made, home.path());
    let time = begun.elapsed().as_secs_f64();
    table.product_seconds += time;
    let functions = match report {
        Ok(report) => functions(&report),
        Err(error) => {
            println!("NO REPORT {}: {error:#}", made.name);
            keep(settings, made, &format!("{error:#}"))?;
            table.no_report += 1;
            return Ok(());
        }
    };
    let mut wrong = String::new();
    for pair in &made.pairs {
        let said = functions.get(&pair.path).map_or(Said::Other, |(said, _)| said.clone());
        let truth = native.truth(pair);
        let row = table.rows.entry(pair.class).or_default();
        row.add(&said, &truth);
        if settings.verbose {
            let differs = if truth.differs { "differs" } else { "the same" };
            println!(
                "    {:9} {:24} {:20} {said:?}, natively {differs}",
                pair.class.name(),
                pair.shape,
                pair.path
            );
        }
        if judge(&said, &truth) == Judgement::Wrong {
            let example = native.example(pair);
            let _ = writeln!(
                wrong,
                "WRONG {} {} ({}, {}): {said:?}\n{example}",
                made.name,
                pair.path,
                pair.class.name(),
                pair.shape
            );
        }
    }
    print!("{wrong}");
    println!(
        "crate {}: {} pairs, native {native_time:.1} s, product {time:.1} s",
        made.name,
        made.pairs.len()
    );
    if !wrong.is_empty() {
        keep(settings, made, &wrong)?;
    }
    Ok(())
}

/// The native side of a crate: both drivers, and what they wrote.
struct Native {
    drivers: [PathBuf; 2],
    old: Outcomes,
    new: Outcomes,
    /// Runs whose outcome is another one in a second process of the same version say nothing.
    unstable: Vec<(usize, u64)>,
}

impl Native {
    fn of(made: &Generated, home: &Path) -> anyhow::Result<Native> {
        let mut drivers = Vec::new();
        let mut outcomes = Vec::new();
        let mut unstable = Vec::new();
        for (name, files) in [("old", &made.old), ("new", &made.new)] {
            let package = home.join("native").join(name);
            write(&package, files)?;
            write(&package, &Files::from([("examples/driver.rs".to_owned(), made.driver.clone())]))?;
            let driver = native::build(&package, &package.join("target")).with_context(|| name.to_owned())?;
            let first = native::run(&driver, made.probes)?;
            let second = native::run(&driver, made.probes)?;
            unstable.extend(
                first.iter().filter(|(run, outcome)| second.get(run) != Some(outcome)).map(|(run, _)| *run),
            );
            ensure!(!first.is_empty(), "the driver of {name} wrote nothing");
            drivers.push(driver);
            outcomes.push(first);
        }
        let [new, old] = [outcomes.pop(), outcomes.pop()].map(Option::unwrap_or_default);
        let [second, first] = [drivers.pop(), drivers.pop()].map(Option::unwrap_or_default);
        Ok(Native { drivers: [first, second], old, new, unstable })
    }

    /// Runs of a probe whose outcomes differ, and whether their input is beyond the default bounds.
    fn differing(&self, probe: usize) -> impl Iterator<Item = (u64, bool)> + '_ {
        let range = (probe, 0)..(probe + 1, 0);
        let old = self.old.range(range.clone());
        let lost = self.new.range(range).filter(|(run, _)| !self.old.contains_key(run));
        let lost = lost.map(|((_, run), (_, beyond))| (*run, *beyond));
        let other = old.filter(|(run, (hash, _))| {
            !self.unstable.contains(run) && self.new.get(run).is_none_or(|(new, _)| new != hash)
        });
        other.map(|((_, run), (_, beyond))| (*run, *beyond)).chain(lost)
    }

    fn truth(&self, pair: &Pair) -> Truth {
        let mut truth = Truth::default();
        for (probe, types) in &pair.probes {
            for (_, beyond) in self.differing(*probe) {
                truth.differs = true;
                if !beyond {
                    truth.within.insert(types.clone());
                }
            }
        }
        truth
    }

    /// A call that shows the difference, natively.
    fn example(&self, pair: &Pair) -> String {
        let first = pair.probes.iter().find_map(|(probe, types)| {
            let (run, _) = self.differing(*probe).min_by_key(|(run, beyond)| (*beyond, *run))?;
            Some((*probe, run, types))
        });
        let Some((probe, run, types)) = first else { return String::new() };
        let [old, new] = [0, 1].map(|version| native::show(&self.drivers[version], probe, run));
        let types = types.as_ref().map_or(String::new(), |types| format!("  with {types}\n"));
        format!("{types}  old: {old}\n  new: {new}\n")
    }
}

/// The product's document, as its users get it.
fn report(settings: &Settings, made: &Generated, home: &Path) -> anyhow::Result<Value> {
    let repository = Repository::anew_at(&home.join("repository"))?;
    for files in [&made.old, &made.new] {
        for entry in fs::read_dir(repository.root())? {
            let path = entry?.path();
            if path.is_dir() && !path.ends_with(".git") {
                fs::remove_dir_all(path)?;
            } else if path.is_file() {
                fs::remove_file(path)?;
            }
        }
        write(repository.root(), files)?;
        repository.commit_all("a version")?;
    }
    forget_runs(&settings.target);
    // Generous: derived functions, which are no pairs, take their time as well.
    let total = 60 + 4 * settings.timeout * made.pairs.len() as u64;
    let (out, err) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
    let mut child = Command::new(&settings.product)
        .args(["HEAD~1", "--message-format", "json", "--fail-on", "never"])
        .args(["--timeout", &settings.timeout.to_string(), "--total-timeout", &total.to_string()])
        .arg("--target-dir")
        .arg(&settings.target)
        .current_dir(repository.root())
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("GITHUB_ACTIONS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .stdout(out.reopen()?)
        .stderr(err.reopen()?)
        // What it started can be ended with it.
        .process_group(0)
        .spawn()?;
    let begun = Instant::now();
    let limit = Duration::from_secs(120 + 3 * total);
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begun.elapsed() > limit => {
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
                child.wait()?;
                anyhow::bail!("no end after {limit:?}, with --total-timeout {total}");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    ensure!(status.success(), "{status}: {}", fs::read_to_string(err.path())?.trim());
    Ok(serde_json::from_str(&fs::read_to_string(out.path())?)?)
}

fn functions(report: &Value) -> BTreeMap<String, (Said, Value)> {
    let functions = report["functions"].as_array().cloned().unwrap_or_default();
    let named = functions.into_iter().filter_map(|function| {
        Some((function["path"].as_str()?.to_owned(), (Said::of(&function), function)))
    });
    named.collect()
}

fn keep(settings: &Settings, made: &Generated, text: &str) -> anyhow::Result<()> {
    let Some(folder) = &settings.keep else { return Ok(()) };
    let folder = folder.join(&made.name);
    write(&folder.join("old"), &made.old)?;
    write(&folder.join("new"), &made.new)?;
    let rest = [("driver.rs".to_owned(), made.driver.clone()), ("WRONG".to_owned(), text.to_owned())];
    write(&folder, &Files::from(rest))
}

fn write(root: &Path, files: &Files) -> anyhow::Result<()> {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_verdict_is_counted() {
        let truth = Truth { differs: true, within: [None].into() };
        let mut row = Row::default();
        row.add(&Said::Equal, &truth);
        row.add(&Said::Differs, &truth);
        row.add(&Said::Unchanged, &Truth::default());
        assert_eq!((row.pairs, row.differ, row.wrong), (3, 2, 1));
        let mut table = Table::default();
        table.rows.insert(Class::Layout, row);
        assert_eq!(table.all().wrong, 1);
        assert!(table.text().lines().any(|line| line.starts_with("all") && line.ends_with(" 1")));
    }
}
