//! Hooks of git.

use std::ffi::OsString;
use std::path::Path;

use clap::{Parser, Subcommand, ValueEnum};

/// Compares the commits that a push would publish, before they are published, and judges merges after they are made.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress hook", bin_name = "cargo regress hook")]
pub struct HookOptions {
    #[command(subcommand)]
    pub action: HookAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum HookAction {
    /// Write a pre-push hook for this repository; an existing hook is left as it is
    Install(HookPlace),
    /// Remove the hook that `install` wrote
    Uninstall(HookChoice),
    /// Print whether pushes are checked, and by which file
    Status(HookChoice),
    /// Compare the commits that a push would add to the remote, or judge the merge that was made (this is what the hooks run)
    #[command(after_help = RUN_EXIT_CODES)]
    Run(HookRunOptions),
}

#[derive(clap::Args, Clone, Debug)]
pub struct HookPlace {
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,

    #[command(flatten)]
    pub choice: HookChoice,
}

/// Which hook.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct HookChoice {
    /// The hook that judges merges after they are made, in place of the one that checks pushes
    #[arg(long)]
    post_merge: bool,
}

impl HookChoice {
    pub fn hook(self) -> HookName {
        if self.post_merge { HookName::PostMerge } else { HookName::PrePush }
    }
}

#[derive(clap::Args, Clone, Debug)]
pub struct HookRunOptions {
    #[arg(value_enum, value_name = "HOOK")]
    pub hook: HookName,

    /// The remote, as git tells a pre-push hook; whether the merge was squashed, as it tells a post-merge hook
    #[arg(value_name = "REMOTE")]
    pub remote: Option<String>,

    /// Its address, as git tells the hook
    #[arg(value_name = "URL")]
    pub url: Option<String>,

    /// Time limit of the hook in seconds; functions that are not finished by then are named, and a push passes
    #[arg(long, value_name = "SECS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub total_timeout: u64,

    /// Also stop a push if a function is unfinished or could not be compared
    #[arg(long)]
    pub strict: bool,

    /// Ignore configuration files and CARGO_REGRESS_* variables
    #[arg(long)]
    pub no_config: bool,

    /// Options of the comparison
    #[arg(last = true, value_name = "OPTIONS")]
    pub comparison: Vec<OsString>,
}

impl HookRunOptions {
    /// The manifest that is named among the options of the comparison.
    pub fn manifest_path(&self) -> Option<&Path> {
        let words: Vec<&str> = self.comparison.iter().map(|word| word.to_str().unwrap_or_default()).collect();
        let apart = words.windows(2).find(|pair| pair[0] == "--manifest-path").map(|pair| pair[1]);
        let joined = words.iter().find_map(|word| word.strip_prefix("--manifest-path="));
        apart.or(joined).map(Path::new)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookName {
    /// Reads the lines that git writes for such a hook, or PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF
    PrePush,
    /// Judges HEAD if it is a merge commit; the merge stands whatever is found
    PostMerge,
}

impl HookName {
    /// The file that git runs.
    pub fn file(self) -> &'static str {
        match self {
            HookName::PrePush => "pre-push",
            HookName::PostMerge => "post-merge",
        }
    }
}

const RUN_EXIT_CODES: &str = "\
Exit codes:
  0    nothing speaks against the push or merge; what could not be compared is named
  100  something was found that --fail-on asks for
  101  with --strict: something is unfinished or could not be compared
  2    the command line is wrong";
