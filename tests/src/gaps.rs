//! Published crates, and what their functions lead to that has no meaning here: the table of what is to be supported next.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use cargo_regress::pipeline::campaign::{Found, Gaps};
use regress_core::exec::gaps::Gap;

use crate::campaign::Ground;
use crate::real_crates::{lay, published};
use crate::repository::Repository;
use crate::survey::{STEPS, Step};
use crate::yardstick::YARDSTICK;

/// The newer releases of the survey and the latest of the yardstick, as names and versions.
pub fn releases(only: &[String]) -> Vec<(&'static str, &'static str)> {
    let surveyed = STEPS.iter().map(|(name, _, new): &Step| (*name, *new));
    let yardstick = YARDSTICK.iter().map(|crate_| (crate_.name, crate_.releases[crate_.releases.len() - 1]));
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    surveyed.chain(yardstick).filter(|(name, _)| is_wanted(name)).collect()
}

/// The release alone in a repository.
pub fn ground((name, version): (&str, &str)) -> anyhow::Result<Ground> {
    let repository = Repository::new()?;
    lay(&repository, &published(&[(name, version)])?[name])?;
    repository.commit_all(version)?;
    Ok(Ground::alone(format!("{name} {version}"), repository))
}

/// A package in a directory, which stays as it is.
pub fn ground_of(package: &Path) -> anyhow::Result<Ground> {
    let repository = Repository::new()?;
    lay(&repository, package)?;
    repository.commit_all("a version")?;
    Ok(Ground::alone(package.to_string_lossy().into_owned(), repository))
}

/// Where what has no meaning is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    Library,
    Crates,
}

/// What the gaps of some crates come to.
#[derive(Debug, Default)]
pub struct Sum {
    functions: usize,
    /// Functions that lead to a gap, by where that is from.
    leading: BTreeMap<From, usize>,
    /// How many functions lead to each, and a function in whose body it stands.
    by_gap: BTreeMap<Gap, (usize, String)>,
}

impl Sum {
    pub fn add(&mut self, name: &str, gaps: Gaps) {
        self.functions += gaps.functions;
        for from in [From::Library, From::Crates] {
            let of = gaps.found.iter().filter(|(gap, _)| origin(gap) == from);
            let mut leading: Vec<&String> = of.flat_map(|(_, found)| &found.from).collect();
            leading.sort();
            leading.dedup();
            *self.leading.entry(from).or_default() += leading.len();
        }
        for (gap, Found { within, from }) in gaps.found {
            let (count, _) = self.by_gap.entry(gap).or_insert_with(|| (0, format!("{name}: {within}")));
            *count += from.len();
        }
    }

    /// The shares, and the gaps to which most functions lead.
    pub fn table(&self, most: usize) -> String {
        let percent = |part: usize| 100.0 * part as f64 / self.functions.max(1) as f64;
        let [library, crates] =
            [From::Library, From::Crates].map(|from| self.leading.get(&from).copied().unwrap_or_default());
        let mut text = format!(
            "{} functions. {library} ({:.1} %) lead to something of the standard library that has no meaning here, {crates} ({:.1} %) to something else.\n\n\
             | functions | what | stands in |\n|---:|---|---|\n",
            self.functions,
            percent(library),
            percent(crates),
        );
        let mut rows: Vec<_> = self.by_gap.iter().collect();
        rows.sort_by_key(|(gap, (count, _))| (std::cmp::Reverse(*count), *gap));
        for (gap, (count, example)) in rows.into_iter().take(most) {
            let _ = writeln!(text, "| {count} | {} | {} |", cell(&told(gap)), cell(example));
        }
        text
    }
}

fn origin(gap: &Gap) -> From {
    let text = match gap {
        Gap::Call(text) | Gap::Constant(text) => text.as_str(),
        Gap::Type(path) => path.as_str(),
        Gap::Unreadable { .. } => return From::Crates,
    };
    let is_primitive = !text.contains("::") || text.starts_with('[');
    match text.trim_start_matches('<').starts_with("std::") || is_primitive || text.contains(" as std::") {
        true => From::Library,
        false => From::Crates,
    }
}

fn told(gap: &Gap) -> String {
    match gap {
        Gap::Call(callee) => format!("call of `{callee}`"),
        Gap::Constant(constant) => format!("constant `{constant}`"),
        Gap::Type(path) => format!("type `{path}`"),
        Gap::Unreadable { path, reason } => format!("body of `{path}`: {reason}"),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
