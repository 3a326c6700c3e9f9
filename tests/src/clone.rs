//! A clone with a remote beside it, driven by the real `git`, as a person drives it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use crate::command::{Run, binary};
use crate::shared::SharedTarget;

/// A folder with a bare `remote.git` and a `clone` of it.
pub struct Clone {
    home: TempDir,
    target: SharedTarget,
}

const MANIFEST: &str = "[package]\nname = \"tour\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

impl Clone {
    /// The remote has one commit on `main`: a package with this library. The clone is at it.
    pub fn of_package(library: &str) -> Clone {
        let home = TempDir::new().expect("a temporary directory");
        let clone = Clone { home, target: SharedTarget::take() };
        clone
            .git_in(clone.home.path(), &["init", "--quiet", "--bare", "--initial-branch=main", "remote.git"]);
        let author = clone.home.path().join("author");
        clone.git_in(clone.home.path(), &["clone", "--quiet", "remote.git", "author"]);
        clone.git_in(&author, &["checkout", "--quiet", "-B", "main"]);
        fs::create_dir(author.join("src")).expect("writable");
        for (file, text) in
            [("Cargo.toml", MANIFEST), (".gitignore", "/target\n/Cargo.lock\n"), ("src/lib.rs", library)]
        {
            fs::write(author.join(file), text).expect("writable");
        }
        clone.git_in(&author, &["add", "--all"]);
        clone.git_in(&author, &["commit", "--quiet", "--message=Start"]);
        clone.git_in(&author, &["push", "--quiet", "origin", "main"]);
        clone.git_in(clone.home.path(), &["clone", "--quiet", "remote.git", "clone"]);
        clone
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn root(&self) -> PathBuf {
        self.home.path().join("clone")
    }

    /// Where cargo builds.
    pub fn target(&self) -> &str {
        self.target.text()
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.root().join(file), text).unwrap_or_else(|error| panic!("{file}: {error}"));
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Runs git in the clone, which has to succeed; what it prints.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.root(), args)
    }

    #[track_caller]
    pub fn git_in(&self, directory: &Path, args: &[&str]) -> String {
        let run = self.try_git_in(directory, args);
        assert_eq!(run.code, Some(0), "git {args:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Runs git in the clone; how it ended.
    pub fn try_git(&self, args: &[&str]) -> Run {
        self.try_git_in(&self.root(), args)
    }

    pub fn try_git_in(&self, directory: &Path, args: &[&str]) -> Run {
        run(self.prepared(Command::new("git"), directory).args(args), "")
    }

    /// Runs the command as cargo's subcommand in the clone.
    pub fn regress(&self, args: &[&str]) -> Run {
        self.regress_with(args, &[], "")
    }

    /// The same with these variables and this on standard input.
    pub fn regress_with(&self, args: &[&str], variables: &[(&str, &str)], input: &str) -> Run {
        let mut command = self.prepared(Command::new("cargo"), &self.root());
        run(command.arg("regress").args(args).envs(variables.iter().copied()), input)
    }

    /// Runs a script in the clone as CI services do: it ends with the first command that fails.
    pub fn shell_with(&self, script: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = self.prepared(Command::new("bash"), &self.root());
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]);
        run(command.envs(variables.iter().copied()), "")
    }

    /// Starts the command in the clone; whoever waits for it gets what it says.
    pub fn start(&self, args: &[&str]) -> Child {
        let mut command = self.prepared(Command::new(binary()), &self.root());
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    /// The commit that a branch of the remote is at.
    #[track_caller]
    pub fn remote(&self, branch: &str) -> String {
        self.git_in(&self.home.path().join("remote.git"), &["rev-parse", branch]).trim().to_owned()
    }

    #[track_caller]
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// With nothing of the configuration of whoever runs the test, and with the command on the PATH.
    fn prepared(&self, mut command: Command, directory: &Path) -> Command {
        let programs = binary().parent().expect("a binary lies in a directory").to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("GIT_")
                || (name.starts_with("CARGO_REGRESS_") && name != cargo_regress::user_cache::VARIABLE)
                || name.starts_with("PRE_COMMIT")
                || name.starts_with("GITHUB_")
                || name.starts_with("GITLAB_")
                || name.starts_with("CI_")
            {
                command.env_remove(name.as_ref());
            }
        }
        command
            .current_dir(directory)
            .env("PATH", path.expect("joinable"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "A. Tester")
            .env("GIT_AUTHOR_EMAIL", "tester@example.org")
            .env("GIT_COMMITTER_NAME", "A. Tester")
            .env("GIT_COMMITTER_EMAIL", "tester@example.org")
            .env("CARGO_TARGET_DIR", self.target.text())
            .env("CARGO_INCREMENTAL", "0")
            // Tests must not hang on how busy the machine is.
            .env("CARGO_REGRESS_HOOK_TOTAL_TIMEOUT", "600");
        command
    }
}

fn run(command: &mut Command, input: &str) -> Run {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // A command that does not read what it is given is none the worse for it.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output: Output = child.wait_with_output().expect("it ends");
    Run::of(&output)
}
