//! Writes, removes and shows the hook. What somebody else wrote is read, and nothing more.

use std::fs;
use std::io::{ErrorKind, Write};

use anyhow::Context;
use camino::Utf8PathBuf;

use super::directory::{Directory, Reach};
use super::script::{self, Author};
use crate::exit::INCOMPLETE;

/// What lies where git looks for the hook.
enum Found {
    Nothing,
    Hook { author: Author, text: String, is_executable: bool },
}

impl Directory {
    fn file(&self) -> Utf8PathBuf {
        self.path.join("pre-push")
    }

    fn look(&self) -> anyhow::Result<Found> {
        let file = self.file();
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
        let author = match script::author(&file, &text) {
            Author::Us if metadata.is_symlink() => Author::UsAndOthers,
            author => author,
        };
        let is_executable = fs::metadata(&file).is_ok_and(|metadata| executable(&metadata));
        Ok(Found::Hook { author, text, is_executable })
    }
}

/// What is printed, and the exit code.
type Done = anyhow::Result<(String, u8)>;

pub fn install(directory: &Directory) -> Done {
    let (file, manifest) = (directory.file(), directory.manifest.as_deref());
    match directory.look()? {
        Found::Hook { author: Author::Us, .. } => {
            write(directory, Replace::Ours)?;
            Ok((format!("the hook is installed already: {file}\n"), 0))
        }
        Found::Hook { text, .. } if script::calls_us(&text) => {
            Ok((format!("pushes are checked already, by {file}\n"), 0))
        }
        Found::Hook { author, .. } => {
            let manager = match author {
                Author::Others(manager) => manager,
                Author::Us | Author::UsAndOthers => script::Manager::None,
            };
            let advice = script::advice(manager, manifest);
            Ok((
                format!("there is a pre-push hook already, which is left as it is: {file}\n{advice}"),
                INCOMPLETE,
            ))
        }
        Found::Nothing if directory.reach == Reach::Shared => {
            let line = script::line(manifest);
            let text = format!(
                "`core.hooksPath` names {}, outside of this repository: a hook there would run for others too, so none is \
                 written.\nTo check pushes of this repository alone, `git config --local core.hooksPath .git/hooks` and \
                 install again; to check all, make {file} executable, with the lines\n\n#!/bin/sh\n{line}\n",
                directory.path
            );
            Ok((text, INCOMPLETE))
        }
        Found::Nothing => {
            write(directory, Replace::Nothing)?;
            let mut text = format!("the hook is installed: {file}\n");
            if directory.reach == Reach::WorkingTree {
                text.push_str("It lies in the working tree, where `core.hooksPath` leads: commit it, and others have it too.\n");
            }
            text.push_str(
                "`git push --no-verify` leaves it out once; `cargo regress hook uninstall` removes it.\n",
            );
            Ok((text, 0))
        }
    }
}

pub fn uninstall(directory: &Directory) -> Done {
    let file = directory.file();
    match directory.look()? {
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
        Found::Hook { text, .. } if script::calls_us(&text) => {
            let text = format!(
                "{file} is not ours and is left as it is; remove the line with `regress hook run` by hand\n"
            );
            Ok((text, INCOMPLETE))
        }
        Found::Hook { .. } => Ok((format!("the hook at {file} is not ours and is left as it is\n"), 0)),
    }
}

pub fn status(directory: &Directory) -> Done {
    let file = directory.file();
    let text = match directory.look()? {
        Found::Nothing => format!("not installed: there is no {file}\n"),
        Found::Hook { text, is_executable: false, .. } if script::calls_us(&text) => {
            format!("not in force: {file} is not executable, so git passes over it\n")
        }
        Found::Hook { author: Author::Us, .. } => format!("installed: {file}\n"),
        Found::Hook { author: Author::UsAndOthers, text, .. } if script::calls_us(&text) => {
            format!("installed, and changed since: {file}\n")
        }
        Found::Hook { text, .. } if script::calls_us(&text) => format!("called by the hook at {file}\n"),
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
fn write(directory: &Directory, replace: Replace) -> anyhow::Result<()> {
    let file = directory.file();
    let failed = || format!("cannot write `{file}`");
    fs::create_dir_all(&directory.path).with_context(failed)?;
    let mut draft = tempfile::NamedTempFile::new_in(&directory.path).with_context(failed)?;
    draft.write_all(script::text(directory.manifest.as_deref()).as_bytes()).with_context(failed)?;
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
        check(status(directory), 0, "not installed");
        check(install(directory), 0, "is installed: ");
        check(status(directory), 0, "installed: ");
        let text = fs::read_to_string(directory.file()).expect("readable");
        assert_eq!(text, script::text(None));
        assert!(executable(&fs::metadata(directory.file()).expect("there")));
        check(install(directory), 0, "already");
        check(uninstall(directory), 0, "removed");
        assert!(!directory.file().exists());
        check(uninstall(directory), 0, "no hook");
        assert_eq!(fs::read_dir(&directory.path).expect("readable").count(), 0, "no drafts are left");
    }

    #[test]
    fn a_foreign_hook_stays_byte_for_byte() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        let foreign = "#!/bin/sh\nmake test\n";
        fs::write(directory.file(), foreign).expect("writable");
        check(install(directory), INCOMPLETE, "cargo regress hook run pre-push \"$@\" || exit $?");
        check(uninstall(directory), 0, "not ours");
        check(status(directory), 0, "another one");
        assert_eq!(fs::read_to_string(directory.file()).expect("readable"), foreign);
        let added = format!("{foreign}{}\n", script::line(None));
        fs::write(directory.file(), &added).expect("writable");
        check(install(directory), 0, "checked already");
        check(uninstall(directory), INCOMPLETE, "by hand");
        assert_eq!(fs::read_to_string(directory.file()).expect("readable"), added);
    }

    /// As if somebody had written one between the look and the writing.
    #[test]
    fn a_hook_that_comes_meanwhile_stays() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        fs::write(directory.file(), "theirs").expect("writable");
        assert!(write(directory, Replace::Nothing).is_err());
        assert_eq!(fs::read_to_string(directory.file()).expect("readable"), "theirs");
        assert_eq!(fs::read_dir(&directory.path).expect("readable").count(), 1);
    }

    #[test]
    fn what_was_added_to_ours_stays() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        check(install(directory), 0, "installed");
        let changed = script::text(None).replace("exec", "echo pushing\nexec");
        fs::write(directory.file(), &changed).expect("writable");
        check(install(directory), 0, "checked already");
        check(uninstall(directory), INCOMPLETE, "changed after");
        assert_eq!(fs::read_to_string(directory.file()).expect("readable"), changed);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_somebody_elses() {
        let Scratch { directory, .. } = &scratch(Reach::Repository);
        fs::create_dir_all(&directory.path).expect("writable");
        std::os::unix::fs::symlink("nowhere", directory.file()).expect("linkable");
        check(install(directory), INCOMPLETE, "left as it is");
        assert!(fs::symlink_metadata(directory.file()).expect("there").is_symlink());
    }

    #[test]
    fn a_folder_that_serves_others_is_not_written_to() {
        let Scratch { directory, .. } = &scratch(Reach::Shared);
        check(install(directory), INCOMPLETE, "outside of this repository");
        assert!(!directory.path.exists());
    }
}
