//! Sessions of a shell as the book shows them: blocks ```` ```console ````, in which `$ ` stands before what is typed and the rest is what
//! is printed.
//!
//! All blocks of a page are one session of bash, in a new repository that the page's set-up fills. What is printed has to be what is shown,
//! line by line, but for lines left out (`…` alone on a line) and what [`masked`] hides in both.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use tempfile::TempDir;

use crate::book::{Page, book_root};
use crate::command::binary;
use crate::shared::SharedTarget;

/// Stands for any number of lines, none included.
pub const LEFT_OUT: &str = "…";

/// What is typed, and what is shown below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub command: String,
    pub shown: Vec<String>,
}

/// The repository of a page after its set-up, and what its commands printed.
pub struct Session {
    home: TempDir,
    target: SharedTarget,
}

/// What a set-up can say besides what bash has: `lay FOLDER` copies a folder of `docs/book/examples`, `commit FOLDER MESSAGE` commits it too.
const PRELUDE: &str = r#"
lay() { cp -R "$EXAMPLES/$1/." .; }
commit() { lay "$1"; git add --all; git commit --quiet --message "$2"; }
"#;

/// Behind what each command prints; no command prints it.
const END: char = '\u{1e}';

/// The steps of a block of the language `console`.
pub fn steps(code: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in code.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), shown: Vec::new() });
            continue;
        }
        let step = steps.last_mut().unwrap_or_else(|| panic!("no command stands before `{line}`"));
        match line.strip_prefix("> ") {
            Some(more) if step.shown.is_empty() && step.command.ends_with('\\') => {
                step.command.push('\n');
                step.command.push_str(more);
            }
            _ => step.shown.push(line.to_owned()),
        }
    }
    steps
}

/// A block that shows these steps.
pub fn block(steps: &[Step]) -> String {
    let typed = |command: &str| format!("$ {}\n", command.replace('\n', "\n> "));
    let shown = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    steps.iter().map(|step| typed(&step.command) + &shown(&step.shown)).collect()
}

impl Session {
    /// The repository `home/NAME`, empty but for a `.gitignore`, with nothing of the configuration of whoever runs the test.
    pub fn new() -> Session {
        Session { home: TempDir::new().expect("a temporary directory"), target: SharedTarget::take() }
    }

    /// Where the commands of a page run.
    pub fn root(&self) -> std::path::PathBuf {
        self.home.path().join("work")
    }

    /// Sets the page's repository up and runs all its commands; what each printed, standard error included.
    #[track_caller]
    pub fn run(&self, page: &Page) -> Vec<String> {
        let commands: Vec<Step> = page_steps(page).into_iter().flatten().collect();
        let root = self.root();
        fs::create_dir(&root).expect("a new folder");
        let setup = page.setup().unwrap_or_default();
        let begin =
            "git init --quiet --initial-branch=main\nprintf '/target\\n/Cargo.lock\\n' > .gitignore\n";
        let mut script = format!("{PRELUDE}set -e\n{begin}{setup}\nset +e\nprintf '{END}'\n");
        for step in &commands {
            // `$?` is that of the command for the next one, too.
            script += &format!("{}\n__code=$?; printf '{END}'; (exit $__code)\n", step.command);
        }
        let said = self.shell(&root, &script);
        let mut printed: Vec<String> = said.split(END).map(|text| self.without_home(text)).collect();
        let set_up = printed.remove(0);
        assert!(set_up.is_empty(), "{}: the set-up prints or fails:\n{set_up}", page.path.display());
        printed.pop();
        assert_eq!(printed.len(), commands.len(), "{}: the shell ended early:\n{said}", page.path.display());
        printed
    }

    fn without_home(&self, text: &str) -> String {
        text.replace(&self.root().display().to_string(), "/home/me/work")
            .replace(self.target.text(), "target")
            .replace(&self.home.path().display().to_string(), "/home/me")
    }

    /// All that the script prints, in the order in which it does.
    fn shell(&self, directory: &Path, script: &str) -> String {
        let programs = binary().parent().expect("a binary lies in a directory").to_path_buf();
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path))).expect("joinable");
        let mut command = Command::new("bash");
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            let hidden = ["GIT_", "GITHUB_", "GITLAB_", "CI_", "PRE_COMMIT", "CARGO_REGRESS_"];
            if hidden.iter().any(|prefix| name.starts_with(prefix))
                && name != cargo_regress::user_cache::VARIABLE
            {
                command.env_remove(name.as_ref());
            }
        }
        let script = format!("exec 2>&1\n{script}");
        let output = command
            .args(["--noprofile", "--norc", "-c", &script])
            .current_dir(directory)
            .env("PATH", path)
            .env("EXAMPLES", book_root().join("examples"))
            .env("DOCS", book_root().join(".."))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_PAGER", "cat")
            // With the same people and times, the same files give the same commit ids: the book shows them as they are.
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "A. Writer")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "writer@example.org")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z")))
            .env("CARGO_TARGET_DIR", self.target.text())
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TERM_COLOR", "never")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .expect("bash can be run");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

/// The steps of each `console` block of a page.
pub fn page_steps(page: &Page) -> Vec<Vec<Step>> {
    let blocks = page.fenced().into_iter().filter(|block| block.language == "console");
    blocks.map(|block| steps(&block.code)).collect()
}

/// The page with what was printed in the place of what its blocks show, where these differ.
pub fn with_printed(page: &Page, printed: &[String]) -> String {
    let mut text = page.text.clone();
    let mut rest = printed.iter();
    let mut edits = Vec::new();
    for fenced in page.fenced().into_iter().filter(|block| block.language == "console") {
        let mut shown = steps(&fenced.code);
        for step in &mut shown {
            let printed = rest.next().expect("what each step printed");
            if !agrees(&step.shown, printed) {
                step.shown = lines(printed);
            }
        }
        edits.push((fenced.range, block(&shown)));
    }
    for (range, block) in edits.into_iter().rev() {
        text.replace_range(range, &block);
    }
    text
}

/// Whether this was printed, but for what is left out and what [`masked`] hides.
pub fn agrees(shown: &[String], printed: &str) -> bool {
    let shown: Vec<String> = shown.iter().map(|line| masked(line)).collect();
    let printed: Vec<String> = lines(printed).iter().map(|line| masked(line)).collect();
    follows(&shown, &printed)
}

fn follows(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == LEFT_OUT => {
            (0..=printed.len()).any(|left_out| follows(rest, &printed[left_out..]))
        }
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(p, more)| p == first && follows(rest, more))
        }
    }
}

/// Without spaces at the ends of lines, which editors remove, and without empty lines at the end.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// How a note begins on a search whose time was over, with its seconds hidden.
const GIVEN_UP: &str = "given up after N s; ";

/// The line without what another run or another machine may print instead: how many seconds something took (`2.5 s`), how far a search
/// came in its time (`34 of 108 explored partitions`, `given up after 1 s`), and which release of the compiler was used (`rustc 1.95.0`). Nothing else is
/// hidden; paths of the session are replaced before.
pub fn masked(line: &str) -> String {
    let mut words: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches([')', ',', ';', '.']);
        let number = words[at - 1].trim_start_matches('(').to_owned();
        if unit == "s" && is_number(&number) {
            words[at - 1] = words[at - 1].replace(&number, "N");
        }
        if words[at - 1] == "rustc" && words[at].starts_with("1.") {
            words[at] = "VERSION".to_owned();
        }
        if at >= 3 && words[at] == "explored" && words[at - 2] == "of" {
            words[at - 3] = "N".to_owned();
            words[at - 1] = "N".to_owned();
        }
    }
    words.join(" ").replace(GIVEN_UP, "")
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_taken_apart_and_put_together() {
        let code = "$ a \\\n> --b\none\n> two\n$ c\n";
        let steps = steps(code);
        assert_eq!(steps[0].command, "a \\\n--b");
        assert_eq!(
            (steps[0].shown.as_slice(), steps[1].shown.len()),
            (&["one".into(), "> two".into()][..], 0)
        );
        assert_eq!(block(&steps), code);
    }

    #[test]
    fn times_and_releases_are_hidden_and_nothing_else() {
        for (line, hidden) in [
            ("summary: 1 fix (2.5 s)", "summary: 1 fix (N s)"),
            ("told, 7.7 s", "told, N s"),
            ("as read by rustc 1.95.0", "as read by rustc VERSION"),
            ("`fee(10)` returned `45`", "`fee(10)` returned `45`"),
            ("3 suspects", "3 suspects"),
            ("= note: 34 of 108 explored partitions differ", "= note: N of N explored partitions differ"),
            ("was limited: given up after 1 s; strings are ASCII", "was limited: strings are ASCII"),
        ] {
            assert_eq!(masked(line), hidden);
        }
    }

    #[test]
    fn only_what_is_left_out_may_be_missing() {
        let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert!(agrees(&shown(&["a", LEFT_OUT, "d (1 s)"]), "a\nb\nc\nd (2 s)\n\n"));
        assert!(agrees(&shown(&[LEFT_OUT]), ""));
        assert!(!agrees(&shown(&["a", "c"]), "a\nb\nc\n"));
        assert!(!agrees(&shown(&["a", LEFT_OUT]), "b\n"));
        assert!(!agrees(&shown(&["a"]), "a\nb\n"));
    }
}
