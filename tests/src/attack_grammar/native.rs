//! Builds and runs the driver of both versions, and tells where they part.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// What a probe's runs came to in one version: the outcome's hash and whether its input is beyond the default bounds, by number of the run. A run
/// that ended its process, or did not end, is missing.
pub type Outcomes = BTreeMap<(usize, u64), (String, bool)>;

/// For how long a driver may run over all its probes.
const WHOLE: Duration = Duration::from_secs(60);
/// For how long over one of them, if something was wrong.
const ONE: Duration = Duration::from_secs(10);

/// Compiles the example `driver` of the package in the folder. The error has what the compiler said.
pub fn build(package: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--offline", "--example", "driver", "--target-dir"])
        .arg(target)
        .current_dir(package)
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(target.join("debug/examples/driver"))
}

/// All outcomes. A driver that dies is run anew for each probe alone.
pub fn run(driver: &Path, probes: usize) -> anyhow::Result<Outcomes> {
    let (ended, text) = output(driver, &[], WHOLE)?;
    if ended {
        return parse(&text);
    }
    let mut outcomes = Outcomes::new();
    for probe in 0..probes {
        let (_, text) = output(driver, &[probe.to_string()], ONE)?;
        outcomes.extend(parse(&text)?);
    }
    Ok(outcomes)
}

/// One call with its inputs and its outcome, for people.
pub fn show(driver: &Path, probe: usize, run: u64) -> String {
    match output(driver, &[probe.to_string(), run.to_string()], ONE) {
        Ok((true, text)) => text.trim_end().to_owned(),
        Ok((false, _)) => "the process died, or did not end".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Whether it ended well, and what it printed.
fn output(driver: &Path, args: &[String], limit: Duration) -> anyhow::Result<(bool, String)> {
    let file = tempfile::NamedTempFile::new()?;
    let mut child = Command::new(driver)
        .args(args)
        .stdin(Stdio::null())
        .stdout(file.reopen()?)
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| driver.display().to_string())?;
    let started = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break status.success();
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break false;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Ok((ended, String::from_utf8_lossy(&fs::read(file.path())?).into_owned()))
}

fn parse(text: &str) -> anyhow::Result<Outcomes> {
    let mut outcomes = Outcomes::new();
    for line in text.split_inclusive('\n') {
        // The last line of a process that died may be cut off.
        let Some(line) = line.strip_suffix('\n') else { continue };
        let fields: Vec<&str> = line.split('\t').collect();
        let [probe, run, beyond, hash] = fields[..] else { anyhow::bail!("the driver wrote `{line}`") };
        outcomes.insert((probe.parse()?, run.parse()?), (hash.to_owned(), beyond == "1"));
    }
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_no_outcome() {
        let outcomes = parse("0\t0\t0\tab\n0\t1\t1\tcd\n0\t2\t0\te").unwrap();
        assert_eq!(outcomes.len(), 2);
        assert_eq!(outcomes[&(0, 1)], ("cd".to_owned(), true));
        assert!(parse("what?\n").is_err());
    }
}
