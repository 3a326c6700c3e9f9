//! A comparison of some functions: parts, for machines that share the work, putting these together, and functions that are named.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use camino::Utf8PathBuf;
use clap::{Args, Parser};

use super::{
    ArtefactArgs, BudgetArgs, BuildArgs, ComparisonArgs, FrontendArgs, MergedArgs, Options, OutputArgs,
    PackageArgs, SearchArgs,
};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Search")]
pub struct PartArgs {
    /// Compare only the functions of part M of N, counted from 1; the part of a function depends on its path alone
    #[arg(long, value_name = "hash:M/N", requires = "findings")]
    pub partition: Option<Part>,

    /// Write the findings to FILE, for `cargo regress merge`
    #[arg(long, value_name = "FILE", conflicts_with = "from_llbc")]
    pub findings: Option<Utf8PathBuf>,

    /// Compare only this function: its path, or the end of the path if no other function ends so; may be repeated
    #[arg(long, value_name = "PATH", conflicts_with_all = ["partition", "findings", "list", "html", "from_llbc"])]
    pub function: Vec<String>,

    /// What other runs have found; nothing is searched for again.
    #[arg(skip)]
    pub found: Vec<Utf8PathBuf>,
}

impl PartArgs {
    /// Whether this run does one of several parts of a comparison, or puts parts together.
    pub fn is_any(&self) -> bool {
        self.partition.is_some() || self.findings.is_some() || !self.found.is_empty()
    }

    /// Whether the report has all functions.
    pub fn is_whole(&self) -> bool {
        self.partition.is_none() && self.function.is_empty()
    }
}

/// One of several parts of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1 to `of`.
    pub number: NonZeroU32,
    pub of: NonZeroU32,
}

impl Part {
    /// Whether the function with this path is in it.
    pub fn has(self, path: &str) -> bool {
        // FNV-1a: the same on every machine and in every release.
        let hash = path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        hash % u64::from(self.of.get()) == u64::from(self.number.get() - 1)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.strip_prefix("hash:").and_then(|rest| rest.split_once('/'));
        let number = |text: &str| text.parse::<NonZeroU32>().ok();
        match numbers.and_then(|(m, n)| Some((number(m)?, number(n)?))) {
            Some((number, of)) if number <= of => Ok(Part { number, of }),
            Some((_, of)) => Err(format!("with {of} parts, they are hash:1/{of} to hash:{of}/{of}")),
            None => Err("parts are written as hash:1/3, hash:2/3 and hash:3/3".to_owned()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash:{}/{}", self.number, self.of)
    }
}

/// Merges the findings of runs with `--partition` into one report.
///
/// Options that bear on findings must be those of the runs. Both versions are built again, but no function is searched
/// again.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo-regress merge", bin_name = "cargo regress merge")]
pub struct MergeOptions {
    /// The files that the runs wrote with `--findings`, one of each part
    #[arg(value_name = "FINDINGS", required = true)]
    pub found: Vec<Utf8PathBuf>,

    /// The versions, as given to the runs
    #[arg(long, value_name = "REV | A..B", group = "baseline", help_heading = "Versions")]
    pub rev: Option<String>,

    /// Compare with the commit at which HEAD left BRANCH, as the runs did
    #[arg(long, value_name = "BRANCH", group = "baseline", help_heading = "Versions")]
    pub merge_base: Option<String>,

    /// Fetch a commit that is missing in this clone from its remote
    #[arg(long, help_heading = "Versions")]
    pub fetch: bool,

    #[command(flatten)]
    pub packages: PackageArgs,

    #[command(flatten)]
    pub frontend: FrontendArgs,

    #[command(flatten)]
    pub build: BuildArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub artefacts: ArtefactArgs,
}

impl MergeOptions {
    /// The options of the comparison.
    pub fn options(&self) -> Options {
        Options {
            comparison: ComparisonArgs {
                revision: self.rev.clone(),
                merge_base: self.merge_base.clone(),
                fetch: self.fetch,
                ..ComparisonArgs::default()
            },
            merged: MergedArgs::default(),
            packages: self.packages.clone(),
            frontend: self.frontend.clone(),
            build: self.build.clone(),
            search: self.search.clone(),
            budget: BudgetArgs::default(),
            parts: PartArgs { found: self.found.clone(), ..PartArgs::default() },
            output: self.output.clone(),
            artefacts: self.artefacts.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(u32, u32), &str>) {
        let parsed = text.parse::<Part>().map(|part| (part.number.get(), part.of.get()));
        match (&parsed, expected) {
            (Ok(part), Ok(expected)) => assert_eq!(*part, expected),
            (Err(message), Err(expected)) => assert!(message.contains(expected), "{message}"),
            _ => panic!("{text}: {parsed:?}"),
        }
    }

    #[test]
    fn parts_are_counted_from_1() {
        check("hash:1/3", Ok((1, 3)));
        check("hash:3/3", Ok((3, 3)));
        check("hash:4/3", Err("hash:1/3 to hash:3/3"));
        check("hash:0/3", Err("hash:1/3"));
        check("1/3", Err("parts are written as"));
        check("hash:1", Err("parts are written as"));
    }

    #[test]
    fn every_function_is_in_one_part() {
        let paths = ["k::a", "k::b", "<k::T as std::fmt::Debug>::fmt", "k::m::long_name", ""];
        let parts = ["hash:1/3", "hash:2/3", "hash:3/3"].map(|text| text.parse::<Part>().unwrap());
        for path in paths {
            assert_eq!(parts.iter().filter(|part| part.has(path)).count(), 1, "{path}");
        }
        assert!("hash:1/1".parse::<Part>().unwrap().has("k::a"));
    }
}
