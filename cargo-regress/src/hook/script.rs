//! The hook's text, and whose text a hook is.

use camino::Utf8Path;

use crate::args::HookName;

/// What a hook begins with.
fn head(hook: HookName) -> &'static str {
    match hook {
        HookName::PrePush => {
            "\
#!/bin/sh
# Written by `cargo regress hook install`, and removed by `cargo regress hook uninstall`.
# What is about to be pushed is compared with what the remote has; `git push --no-verify` leaves that out.
if ! command -v cargo-regress >/dev/null 2>&1; then
    echo \"cargo-regress is not on the PATH, so this push is not checked\" >&2
    exit 0
fi
"
        }
        HookName::PostMerge => {
            "\
#!/bin/sh
# Written by `cargo regress hook install --post-merge`, and removed by `cargo regress hook uninstall --post-merge`.
# What was merged is held against both branches. The merge stands whatever is found.
if ! command -v cargo-regress >/dev/null 2>&1; then
    echo \"cargo-regress is not on the PATH, so this merge is not judged\" >&2
    exit 0
fi
"
        }
    }
}

/// What a hook ends with.
fn call(hook: HookName) -> String {
    format!("exec cargo-regress regress hook run {} \"$@\"", hook.file())
}

/// The options for the package with this manifest.
fn options(manifest: Option<&Utf8Path>) -> String {
    manifest.map(|path| format!(" -- --manifest-path {}", quoted(path.as_str()))).unwrap_or_default()
}

/// The hook for the package with this manifest.
pub fn text(hook: HookName, manifest: Option<&Utf8Path>) -> String {
    format!("{}{}{}\n", head(hook), call(hook), options(manifest))
}

/// What to write into another hook.
pub fn line(hook: HookName, manifest: Option<&Utf8Path>) -> String {
    format!("cargo regress hook run {} \"$@\"{} || exit $?", hook.file(), options(manifest))
}

/// A word of the shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Who wrote a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// This program, and nobody has changed it since.
    Us,
    /// This program, and somebody after it.
    UsAndOthers,
    Others(Manager),
}

/// What may keep the hook, and so says where to add to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    PreCommit,
    Lefthook,
    Husky,
    /// A hook that somebody wrote.
    None,
}

pub fn author(hook: HookName, file: &Utf8Path, text: &str) -> Author {
    let call = call(hook);
    if let Some(rest) = text.strip_prefix(head(hook)) {
        let is_call = rest.starts_with(&call) && rest.ends_with('\n') && rest.lines().count() == 1;
        let options = rest.trim_end().strip_prefix(&call).unwrap_or_default();
        let is_ours = is_call && (options.is_empty() || options.starts_with(" -- --manifest-path "));
        return if is_ours { Author::Us } else { Author::UsAndOthers };
    }
    if text.contains("cargo regress hook install") {
        return Author::UsAndOthers;
    }
    let text = text.to_ascii_lowercase();
    Author::Others(if text.contains("pre-commit") {
        Manager::PreCommit
    } else if text.contains("lefthook") {
        Manager::Lefthook
    } else if text.contains("husky") || file.as_str().contains("/.husky/") {
        Manager::Husky
    } else {
        Manager::None
    })
}

/// Whether a hook of somebody else's runs ours.
pub fn calls_us(hook: HookName, text: &str) -> bool {
    let call = format!("regress hook run {}", hook.file());
    let mut code = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    code.any(|line| line.contains(&call))
}

/// How the hook is run where it is kept by somebody else.
pub fn advice(hook: HookName, manager: Manager, manifest: Option<&Utf8Path>) -> String {
    let (line, name) = (line(hook, manifest), hook.file());
    let unquoted = manifest.map(|path| format!(" -- --manifest-path {path}")).unwrap_or_default();
    match manager {
        Manager::PreCommit => format!(
            "It is kept by pre-commit. Add this to `.pre-commit-config.yaml`:\n\n\
             \x20 - repo: local\n    hooks:\n      - id: cargo-regress\n        name: cargo regress\n\
             \x20       entry: cargo regress hook run {name}{unquoted}\n        language: system\n\
             \x20       pass_filenames: false\n        always_run: true\n        stages: [{name}]\n"
        ),
        Manager::Lefthook => {
            let (stdin, arguments) = match hook {
                HookName::PrePush => ("      use_stdin: true\n", " {1} {2}"),
                HookName::PostMerge => ("", ""),
            };
            format!(
                "It is kept by lefthook. Add this to `lefthook.yml`:\n\n\
                 {name}:\n  commands:\n    cargo-regress:\n{stdin}      run: cargo regress hook run {name}{arguments}{unquoted}\n"
            )
        }
        Manager::Husky => format!("It is kept by husky. Add this line to `.husky/{name}`:\n\n{line}\n"),
        Manager::None => {
            format!("Add this line to it, before anything that reads its standard input:\n\n{line}\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use HookName::{PostMerge, PrePush};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Author) {
        assert_eq!(author(PrePush, "x/hooks/pre-push".into(), text), expected, "{text}");
    }

    #[test]
    fn our_own_hook_is_known_again() {
        check(&text(PrePush, None), Author::Us);
        check(&text(PrePush, Some("a b/it's/Cargo.toml".into())), Author::Us);
        assert!(calls_us(PrePush, &text(PrePush, None)));
    }

    #[test]
    fn the_hooks_are_not_taken_for_each_other() {
        let merge = text(PostMerge, None);
        assert_eq!(author(PostMerge, "x".into(), &merge), Author::Us);
        assert_eq!(author(PrePush, "x".into(), &merge), Author::UsAndOthers);
        assert!(calls_us(PostMerge, &merge) && !calls_us(PrePush, &merge));
        let advice = advice(PostMerge, Manager::Lefthook, None);
        assert!(advice.ends_with("      run: cargo regress hook run post-merge\n"), "{advice}");
    }

    #[test]
    fn what_others_added_is_theirs() {
        check(&format!("{}echo done\n", text(PrePush, None)), Author::UsAndOthers);
        check(&text(PrePush, None).replace("exit 0", "exit 1"), Author::UsAndOthers);
        check(&text(PrePush, None).replace("exec", "echo hi; exec"), Author::UsAndOthers);
        check(&text(PrePush, None).replace("\"$@\"", "\"$@\" && rm x"), Author::UsAndOthers);
    }

    #[test]
    fn hook_managers_are_known() {
        check(
            "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n",
            Author::Others(Manager::PreCommit),
        );
        check("#!/bin/sh\ncall_lefthook run \"pre-push\" \"$@\"\n", Author::Others(Manager::Lefthook));
        check("#!/usr/bin/env sh\n. \"$(dirname -- \"$0\")/_/husky.sh\"\n", Author::Others(Manager::Husky));
        check("#!/bin/sh\nmake test\n", Author::Others(Manager::None));
        check("", Author::Others(Manager::None));
    }

    #[test]
    fn the_line_to_add_is_told_from_a_comment() {
        assert!(calls_us(PrePush, &format!("#!/bin/sh\n{}\nmake test\n", line(PrePush, None))));
        assert!(!calls_us(PrePush, "#!/bin/sh\n# cargo regress hook run pre-push\n"));
    }

    #[test]
    fn words_of_the_shell() {
        assert_eq!(quoted("a/b-c.toml"), "a/b-c.toml");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
    }
}
