//! Writes, removes and shows a hook. What somebody else wrote is read, and nothing more.

use std::fs;
use std::io::{ErrorKind, Write};

use anyhow::Context;
use camino::Utf8PathBuf;

use super::directory::{Directory, Reach};
use super::script::{self, Author};
use crate::args::HookName;
use crate::exit::INCOMPLETE;

/// What lies where git looks for the hook.
enum Found {
    Nothing,
    Hook { author: Author, text: String, is_executable: bool },
}

impl Directory {
    fn file(&self, hook: HookName) -> Utf8PathBuf {
        self.path.join(hook.file())
    }

    fn look(&self, hook: HookName) -> anyhow::Result<Found> {
        let file = self.file(hook);
        // A link that leads nowhere is somebody's too.
        let metadata = match fs::symlink_metadata(&file) {
            Ok(metadata) => metadata,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Found::Nothing);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot look at `{file}`")),
        };
        let text =
            fs::read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let author = match script::author(hook, &file, &text) {
            Author::Us if metadata.is_symlink() => Author::UsAndOthers,
            author => author,
        };
        let is_executable = fs::metadata(&file).is_ok_and(|metadata| executable(&metadata));
        Ok(Found::Hook { author, text, is_executable })
    }
}

/// What is printed, and the exit code.
type Done = anyhow::Result<(String, u8)>;

pub fn install(directory: &Directory, hook: HookName) -> Done {
    let (file, manifest) = (directory.file(hook), directory.manifest.as_deref());
    match directory.look(hook)? {
        Found::Hook { author: Author::Us, .. } => {
            write(directory, hook, Replace::Ours)?;
            Ok((format!("the hook is installed already: {file}\n"), 0))
        }
        Found::Hook { text, .. } if script::calls_us(hook, &text) => {
            Ok((format!("{} already, by {file}\n", checked(hook)), 0))
        }
        Found::Hook { author, .. } => {
            let manager = match author {
                Author::Others(manager) => manager,
                Author::Us | Author::UsAndOthers => script::Manager::None,
            };
            let advice = script::advice(hook, manager, manifest);
            Ok((
                format!("there is a {} hook already, which is left as it is: {file}\n{advice}", hook.file()),
                INCOMPLETE,
            ))
        }
        Found::Nothing if directory.reach == Reach::Shared => {
            let line = script::line(hook, manifest);
            let text = format!(
                "`core.hooksPath` names {}, outside of this repository: a hook there would run for others too, so none is \
                 written.\nFor this repository alone, `git config --local core.hooksPath .git/hooks` and \
                 install again; for all, make {file} executable, with the lines\n\n#!/bin/sh\n{line}\n",
                directory.path
            );
            Ok((text, INCOMPLETE))
        }
        Found::Nothing => {
            write(directory, hook, Replace::Nothing)?;
            let mut text = format!("the hook is installed: {file}\n");
            if directory.reach == Reach::WorkingTree {
                text.push_str("It lies in the working tree, where `core.hooksPath` leads: commit it, and others have it too.\n");
            }
            text.push_str(match hook {
                HookName::PrePush => {
                    "`git push --no-verify` leaves it out once; `cargo regress hook uninstall` removes it.\n"
                }
                HookName::PostMerge => "`cargo regress hook uninstall --post-merge` removes it.\n",
            });
            Ok((text, 0))
        }
    }
}

/// What a hook of somebody else's does that runs ours.
fn checked(hook: HookName) -> &'static str {
    match hook {
        HookName::PrePush => "pushes are checked",
        HookName::PostMerge => "merges are judged",
    }
}

pub fn uninstall(directory: &Directory, hook: HookName) -> Done {
    let file = directory.file(hook);
    match directory.look(hook)? {
        Found::Nothing => Ok((format!("there is no hook at {file}\n"), 0)),
        Found::Hook { author: Author::Us, .. } => {
            fs::remove_file(&file).with_context(|| format!("cannot remove `{file}`"))?;
            Ok((format!("the hook is removed: {file}\n"), 0))
        }
        Found::Hook { author: Author::UsAndOthers, .. } => {
            let text = format!(
                "{file} was changed after it was installed, so it is left as it is; remove it by hand\n"
            );
            Ok((text, INCOMPLETE))
        }
        Found::Hook { text, .. } if script::calls_us(hook, &text) => {
            let text = format!(
                "{file} is not ours and is left as it is; remove the line with `regress hook run` by hand\n"
            );
            Ok((text, INCOMPLETE))
        }
        Found::Hook { .. } => Ok((format!("the hook at {file} is not ours and is left as it is\n"), 0)),
    }
}

pub fn status(directory: &Directory, hook: HookName) -> Done {
    let file = directory.file(hook);
    let text = match directory.look(hook)? {
        Found::Nothing => format!("not installed: there is no {file}\n"),
        Found::Hook { text, is_executable: false, .. } if script::calls_us(hook, &text) => {
            format!("not in force: {file} is not executable, so git passes over it\n")
        }
        Found::Hook { author: Author::Us, .. } => format!("installed: {file}\n"),
        Found::Hook { author: Author::UsAndOthers, text, .. } if script::calls_us(hook, &text) => {
            format!("installed, and changed since: {file}\n")
        }
        Found::Hook { text, .. } if script::calls_us(hook, &text) => {
            format!("called by the hook at {file}\n")
        }
        Found::Hook { .. } => format!("not installed: the hook at {file} is another one\n"),
    };
    Ok((text, 0))
}

/// What may be in the way of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replace {
    Nothing,
    Ours,
}

/// Writes the hook at once, so that git never runs half of it, and never over what came there meanwhile.
fn write(directory: &Directory, hook: HookName, replace: Replace) -> anyhow::Result<()> {
    let file = directory.file(hook);
    let failed = || format!("cannot write `{file}`");
    fs::create_dir_all(&directory.path).with_context(failed)?;
    let mut draft = tempfile::NamedTempFile::new_in(&directory.path).with_context(failed)?;
    draft.write_all(script::text(hook, directory.manifest.as_deref()).as_bytes()).with_context(failed)?;
    make_executable(draft.as_file()).with_context(failed)?;
    match replace {
        Replace::Nothing => draft.persist_noclobber(&file).map(drop).map_err(|error| error.error),
        Replace::Ours => draft.persist(&file).map(drop).map_err(|error| error.error),
    }
    .with_context(failed)
}

#[cfg(unix)]
fn make_executable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use HookName::{PostMerge, PrePush};

    use super::*;

    struct Scratch {
        _home: tempfile::TempDir,
        directory: Directory,
    }

    fn scratch(reach: Reach) -> Scratch {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let path = Utf8PathBuf::from_path_buf(home.path().join("deep/hooks")).expect("UTF-8");
        Scratch { _home: home, directory: Directory { path, reach, manifest: None } }
    }

    #[track_caller]
    fn check(done: Done, code: u8, words: &str) {
        let (text, actual) = done.expect("it can be done");
        assert!(text.contains(words) && actual == code, "{actual}: {text}");
    }

    #[test]
    fn it_comes_and_goes() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        check(status(directory, PrePush), 0, "not installed");
        check(install(directory, PrePush), 0, "is installed: ");
        check(status(directory, PrePush), 0, "installed: ");
        let text = fs::read_to_string(directory.file(PrePush)).expect("readable");
        assert_eq!(text, script::text(PrePush, None));
        assert!(executable(&fs::metadata(directory.file(PrePush)).expect("there")));
        check(install(directory, PrePush), 0, "already");
        check(uninstall(directory, PrePush), 0, "removed");
        assert!(!directory.file(PrePush).exists());
        check(uninstall(directory, PrePush), 0, "no hook");
        assert_eq!(fs::read_dir(&directory.path).expect("readable").count(), 0, "no drafts are left");
    }

    #[test]
    fn each_hook_comes_and_goes_by_itself() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        check(install(directory, PostMerge), 0, "`cargo regress hook uninstall --post-merge` removes it");
        check(status(directory, PrePush), 0, "not installed");
        check(status(directory, PostMerge), 0, "installed: ");
        check(install(directory, PrePush), 0, "is installed: ");
        check(uninstall(directory, PostMerge), 0, "removed");
        check(status(directory, PrePush), 0, "installed: ");
        assert!(!directory.file(PostMerge).exists());
    }

    #[test]
    fn a_foreign_hook_stays_byte_for_byte() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        let foreign = "#!/bin/sh\nmake test\n";
        fs::write(directory.file(PrePush), foreign).expect("writable");
        check(install(directory, PrePush), INCOMPLETE, "cargo regress hook run pre-push \"$@\" || exit $?");
        check(uninstall(directory, PrePush), 0, "not ours");
        check(status(directory, PrePush), 0, "another one");
        assert_eq!(fs::read_to_string(directory.file(PrePush)).expect("readable"), foreign);
        let added = format!("{foreign}{}\n", script::line(PrePush, None));
        fs::write(directory.file(PrePush), &added).expect("writable");
        check(install(directory, PrePush), 0, "checked already");
        check(uninstall(directory, PrePush), INCOMPLETE, "by hand");
        assert_eq!(fs::read_to_string(directory.file(PrePush)).expect("readable"), added);
    }

    /// As if somebody had written one between the look and the writing.
    #[test]
    fn a_hook_that_comes_meanwhile_stays() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        fs::write(directory.file(PrePush), "theirs").expect("writable");
        assert!(write(directory, PrePush, Replace::Nothing).is_err());
        assert_eq!(fs::read_to_string(directory.file(PrePush)).expect("readable"), "theirs");
        assert_eq!(fs::read_dir(&directory.path).expect("readable").count(), 1);
    }

    #[test]
    fn what_was_added_to_ours_stays() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        check(install(directory, PrePush), 0, "installed");
        let changed = script::text(PrePush, None).replace("exec", "echo pushing\nexec");
        fs::write(directory.file(PrePush), &changed).expect("writable");
        check(install(directory, PrePush), 0, "checked already");
        check(uninstall(directory, PrePush), INCOMPLETE, "changed after");
        assert_eq!(fs::read_to_string(directory.file(PrePush)).expect("readable"), changed);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_somebody_elses() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        std::os::unix::fs::symlink("nowhere", directory.file(PrePush)).expect("linkable");
        check(install(directory, PrePush), INCOMPLETE, "left as it is");
        assert!(fs::symlink_metadata(directory.file(PrePush)).expect("there").is_symlink());
    }

    #[test]
    fn a_folder_that_serves_others_is_not_written_to() {
        let Scratch { directory, .. } = &scratch(Reach::Shared);
        check(install(directory, PrePush), INCOMPLETE, "outside of this repository");
        assert!(!directory.path.exists());
    }
}
