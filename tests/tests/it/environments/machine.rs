//! A folder in which the command runs as on a machine without a terminal, and what is looked at after each run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use regress_tests::command::binary;
use regress_tests::shared::SharedTarget;
use tempfile::TempDir;

/// One start of the command.
pub struct Row {
    /// `TARGET` stands for a target directory that is shared.
    pub args: &'static [&'static str],
    pub variables: &'static [(&'static str, &'static str)],
    pub stdout_to: StdoutTo,
    pub code: i32,
    /// Stands in standard output, or else in standard error.
    pub says: &'static str,
    /// Files that are not there afterwards.
    pub absent: &'static [&'static str],
}

#[derive(Clone, Copy)]
pub enum StdoutTo {
    Reader,
    FullDisk,
}

pub const fn row(args: &'static [&'static str], code: i32, says: &'static str) -> Row {
    Row { args, variables: &[], stdout_to: StdoutTo::Reader, code, says, absent: &[] }
}

pub const fn row_with(
    variables: &'static [(&'static str, &'static str)],
    args: &'static [&'static str],
    code: i32,
    says: &'static str,
) -> Row {
    Row { variables, ..row(args, code, says) }
}

pub const fn row_onto_full_disk(args: &'static [&'static str], code: i32, says: &'static str) -> Row {
    Row { stdout_to: StdoutTo::FullDisk, ..row(args, code, says) }
}

/// A folder for repositories, one for temporary files, and where cargo builds.
pub struct Machine {
    pub home: TempDir,
    target: SharedTarget,
}

impl Machine {
    pub fn new() -> Machine {
        let home = TempDir::new().unwrap();
        fs::create_dir(home.path().join("tmp")).unwrap();
        fs::write(home.path().join("gitconfig"), "[user]\nname = A\nemail = a@example.org\n").unwrap();
        Machine { home, target: SharedTarget::take() }
    }

    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.home.path().join(path)
    }

    #[track_caller]
    pub fn git(&self, directory: &Path, args: &[&str]) {
        let mut git = self.prepared(Command::new("git"), directory);
        let output = git.args(["-c", "protocol.file.allow=always"]).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Two commits of a package, the last of which has this library.
    pub fn package(&self, name: impl AsRef<Path>, old: &str, new: &str) -> PathBuf {
        let root = self.at(name);
        self.git(
            self.home.path(),
            &["init", "--quiet", "--initial-branch=main", root.to_str().unwrap_or(".")],
        );
        for library in [old, new] {
            write(&root, "Cargo.toml", &manifest("one", "2024", "[features]\nmore = []\n\n[workspace]\n"));
            write(&root, "Cargo.lock", "version = 4\n\n[[package]]\nname = \"one\"\nversion = \"0.1.0\"\n");
            write(&root, ".gitignore", "/target*\n");
            write(&root, "src/lib.rs", library);
            self.commit(&root);
        }
        root
    }

    pub fn commit(&self, root: &Path) {
        self.git(root, &["add", "--all"]);
        self.git(root, &["commit", "--quiet", "--message=A version"]);
    }

    /// As on a machine without a terminal and with no habits of its user.
    pub fn prepared(&self, mut command: Command, directory: &Path) -> Command {
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if ["CARGO_REGRESS_", "GITHUB_", "GITLAB_", "GIT_", "CI", "CARGO_TERM_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
            {
                command.env_remove(name.as_ref());
            }
        }
        command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .env_remove("LC_ALL")
            .env("LANG", "C")
            .env("NO_COLOR", "1")
            .env("COLUMNS", "60")
            .env("CARGO_INCREMENTAL", "0")
            .env("TMPDIR", self.at("tmp"))
            .env("GIT_CONFIG_GLOBAL", self.at("gitconfig"))
            .current_dir(directory)
            .stdin(Stdio::null());
        command
    }

    fn run(&self, directory: &Path, row: &Row) -> Output {
        let mut command = self.prepared(Command::new(binary()), directory);
        command.arg("regress").envs(row.variables.iter().copied());
        for arg in row.args {
            command.arg(if *arg == "TARGET" { self.target.text() } else { arg });
        }
        match row.stdout_to {
            StdoutTo::Reader => command.stdout(Stdio::piped()),
            StdoutTo::FullDisk => command.stdout(File::options().write(true).open("/dev/full").unwrap()),
        };
        command.stderr(Stdio::piped());
        command.spawn().unwrap().wait_with_output().unwrap()
    }

    /// Runs the rows one after the other in a directory of that repository.
    #[track_caller]
    pub fn check_all(&self, root: &Path, directory: &Path, rows: &[Row]) {
        for row in rows {
            self.check(root, directory, row);
        }
    }

    #[track_caller]
    pub fn check(&self, root: &Path, directory: &Path, row: &Row) -> String {
        let before = files(root);
        let output = self.run(directory, row);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let all = format!("{:?} {:?}\n{stdout}{stderr}", row.variables, row.args);
        assert_eq!(output.status.code(), Some(row.code), "{all}");
        assert!(stdout.contains(row.says) || stderr.contains(row.says), "`{}` is not in {all}", row.says);
        assert!(!all.contains('\u{1b}'), "nothing shows colours: {all}");
        assert!(!stderr.contains("panicked at") && !stderr.contains("RUST_BACKTRACE"), "{all}");
        match row.code {
            0 | 100 => assert!(!stderr.contains("error:"), "{all}"),
            _ => {
                assert_eq!(stdout, "", "{all}");
                assert!(stderr.starts_with("error: "), "{all}");
            }
        }
        assert_eq!(changed(&before, &files(root)), Vec::<PathBuf>::new(), "{all}");
        assert_eq!(names(&self.at("tmp")), Vec::<OsString>::new(), "{all}");
        for file in row.absent {
            assert!(!root.join(file).exists(), "{file} after {all}");
        }
        stdout
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub fn manifest(name: &str, edition: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n{more}")
}

pub fn names(directory: &Path) -> Vec<OsString> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

/// What is the user's: every file outside of target directories, links as links, and of git's own files the index and the references.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn collect(root: &Path, directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = entry.file_name();
            if name.as_bytes().starts_with(b"target") || name == "objects" || name == "modules" {
                continue;
            }
            let inside = path.strip_prefix(root).unwrap().to_owned();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                collect(root, &path, found);
                found.insert(inside, b"folder".to_vec());
            } else if kind.is_symlink() {
                found.insert(inside, fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec());
            } else {
                found.insert(inside, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(root, root, &mut found);
    found
}

fn changed(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<PathBuf> {
    let all = before.keys().chain(after.keys().filter(|file| !before.contains_key(*file)));
    all.filter(|file| before.get(*file) != after.get(*file)).cloned().collect()
}
