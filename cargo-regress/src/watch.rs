//! `cargo regress watch`: a comparison on each save.
//!
//! Each comparison is a supervised run of this program (`supervised`), so that a save ends the one that goes on. What a save changes is found out by
//! that run, which reuses the report of an earlier one if nothing did.
//!
//! *Limits.* What lies outside of the workspace is not watched, path dependencies elsewhere and git's own files among it: a commit alone starts no
//! comparison.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use crate::args::WatchOptions;
use crate::delivery::{print, say};
use crate::error::Error;
use crate::exit::FINDING;
use crate::supervised::{Ended, NoEnd, Runs};
use crate::versions;

/// How long nothing has to happen after a save: editors and formatters write several files, some twice.
const QUIET: Duration = Duration::from_millis(200);

/// Compares until it is interrupted.
pub fn complete(options: &WatchOptions) -> Result<(), Error> {
    let place = versions::locate(&options.options())?;
    let root = place.workspace_root.as_deref().unwrap_or(place.start.directory());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the watcher cannot be set up")?;
    let mut tree = Tree::watched(root.as_std_path(), place.target_dir.as_std_path())?;
    say(&format!("watching {root}"));
    let mut words: Vec<OsString> =
        ["--message-format=short", "--color=never", "--annotations=never"].map(OsString::from).into();
    words.extend_from_slice(&options.words);
    let runs = Runs::of_this_program().context("this program does not find itself")?;
    runtime.block_on(async {
        let mut told = Told::default();
        loop {
            let (progress, _) = unbounded_channel();
            let run = runs.run(|_| Ok(words.clone()), progress, tree.changed()).await;
            match run {
                Ok(ended) => {
                    told.tell(&ended)?;
                    tree.changed().await;
                }
                Err(NoEnd::Cancelled) => {}
                Err(error) => return Err(anyhow::Error::from(error).into()),
            }
            while timeout(QUIET, tree.changed()).await.is_ok() {}
        }
    })
}

/// The files of the workspace, but for what cargo and git keep.
struct Tree {
    root: PathBuf,
    target: PathBuf,
    watcher: RecommendedWatcher,
    changes: UnboundedReceiver<PathBuf>,
}

impl Tree {
    fn watched(root: &Path, target: &Path) -> anyhow::Result<Tree> {
        let (changed, changes) = unbounded_channel();
        let tell = move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if !event.kind.is_access() {
                // Whoever is gone need not know.
                event.paths.into_iter().for_each(|path| drop(changed.send(path)));
            }
        };
        let watcher = notify::recommended_watcher(tell).context("files cannot be watched")?;
        let (root, target) = (root.to_owned(), target.to_owned());
        let mut tree = Tree { root, target, watcher, changes };
        let cannot = || format!("{} cannot be watched", tree.root.display());
        tree.watcher.watch(&tree.root, RecursiveMode::NonRecursive).with_context(cannot)?;
        for entry in std::fs::read_dir(&tree.root).with_context(cannot)?.flatten() {
            tree.watch_folder(&entry.path())?;
        }
        Ok(tree)
    }

    /// Watches what is in a folder at the root, if it is one with sources.
    fn watch_folder(&mut self, path: &Path) -> anyhow::Result<()> {
        if path.parent() != Some(&self.root) || !path.is_dir() || !is_source(&self.root, &self.target, path) {
            return Ok(());
        }
        let watched = self.watcher.watch(path, RecursiveMode::Recursive);
        watched.with_context(|| format!("{} cannot be watched", path.display()))
    }

    /// Waits until something changes.
    async fn changed(&mut self) {
        while let Some(path) = self.changes.recv().await {
            if is_source(&self.root, &self.target, &path) {
                // A folder that is gone again needs no watching.
                let _ = self.watch_folder(&path);
                return;
            }
        }
        // Nobody tells of changes any more.
        std::future::pending().await
    }
}

/// Whether what lies there may belong to the work tree.
fn is_source(root: &Path, target: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path);
    !path.starts_with(target) && inside.components().all(|part| part.as_os_str() != ".git")
}

/// What was said last.
#[derive(Default)]
struct Told {
    findings: Option<String>,
}

impl Told {
    /// Prints the report; if it says what the last one said, only its summary.
    fn tell(&mut self, ended: &Ended) -> Result<(), Error> {
        if ![0, FINDING].iter().any(|code| ended.status.code() == Some(i32::from(*code))) {
            self.findings = None;
            // Nothing can be done if standard error is closed.
            let _ = write!(anstream::stderr(), "{}", ended.stderr);
            return Ok(());
        }
        let (text, findings) = self.text(&ended.stdout);
        self.findings = Some(findings);
        print(&text)
    }

    /// What to print of a report, and the findings in it.
    fn text(&self, report: &str) -> (String, String) {
        let summary = report.trim_end().rfind('\n').map_or(0, |before| before + 1);
        let (findings, summary) = report.split_at(summary);
        let is_same = self.findings.as_deref() == Some(findings);
        (if is_same { summary } else { report }.to_owned(), findings.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_and_what_git_keeps_is_no_source() {
        let check = |path: &str| is_source(Path::new("/w"), Path::new("/w/target"), Path::new(path));
        assert!(check("/w/src/lib.rs") && check("/w/Cargo.toml") && check("/w/.config/regress.toml"));
        assert!(check("/w/targets/x.rs"));
        assert!(!check("/w/target/debug/x") && !check("/w/.git/index") && !check("/w/member/.git/HEAD"));
        // Where the work tree itself lies below such a folder.
        assert!(is_source(Path::new("/x/.git/w"), Path::new("/w/target"), Path::new("/x/.git/w/src/lib.rs")));
    }

    #[test]
    fn findings_that_were_told_are_not_told_again() {
        let mut told = Told::default();
        let mut say = |report: &str| {
            let (text, findings) = told.text(report);
            told.findings = Some(findings);
            text
        };
        assert_eq!(say("a differs\n1 change (0.2 s)\n"), "a differs\n1 change (0.2 s)\n");
        assert_eq!(say("a differs\n1 change (0.1 s)\n"), "1 change (0.1 s)\n");
        assert_eq!(say("no changed functions (0.1 s)\n"), "no changed functions (0.1 s)\n");
        assert_eq!(say("a differs\n1 change (0.1 s)\n"), "a differs\n1 change (0.1 s)\n");
    }
}
