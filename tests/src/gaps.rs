//! Published crates, and what their functions lead to that has no meaning here: the table of what is to be supported next.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use cargo_regress::pipeline::campaign::{Found, Gaps};
use regress_core::exec::gaps::{Followed, Gap};
use regress_core::ir::{IntTy, TyKind};

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
    ground_of(&published(&[(name, version)])?[name])
}

/// A package in a directory, which stays as it is, alone in a repository.
pub fn ground_of(package: &Path) -> anyhow::Result<Ground> {
    let repository = Repository::new()?;
    lay(&repository, package)?;
    repository.commit_all("a version")?;
    Ok(Ground::alone(package.to_string_lossy().into_owned(), repository))
}

/// Where what has no meaning is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Library,
    Crates,
}

/// What the gaps of some crates come to.
#[derive(Debug, Default)]
pub struct Sum {
    functions: usize,
    /// Crates whose bodies were not followed to the end.
    in_part: Vec<String>,
    /// Functions that lead to a gap, by where that is from.
    leading: BTreeMap<Source, usize>,
    /// How many functions lead to each, and a function in whose body it stands.
    by_gap: BTreeMap<Gap, (usize, String)>,
}

impl Sum {
    pub fn add(&mut self, name: &str, gaps: Gaps) {
        self.functions += gaps.functions;
        if gaps.followed == Followed::InPart {
            self.in_part.push(name.to_owned());
        }
        for from in [Source::Library, Source::Crates] {
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
        let [library, crates] = [Source::Library, Source::Crates]
            .map(|from| self.leading.get(&from).copied().unwrap_or_default());
        let mut text = format!(
            "{} functions. {library} ({:.1} %) lead to something of the standard library that has no meaning here, {crates} ({:.1} %) to something else.\n\n",
            self.functions,
            percent(library),
            percent(crates),
        );
        if !self.in_part.is_empty() {
            let _ = writeln!(text, "Not followed to the end: {}.\n", self.in_part.join(", "));
        }
        text.push_str("| functions | what | stands in |\n|---:|---|---|\n");
        let mut rows: Vec<_> = self.by_gap.iter().collect();
        rows.sort_by_key(|(gap, (count, _))| (std::cmp::Reverse(*count), *gap));
        for (gap, (count, example)) in rows.into_iter().take(most) {
            let _ = writeln!(text, "| {count} | {} | {} |", cell(&told(gap)), cell(example));
        }
        text
    }
}

fn origin(gap: &Gap) -> Source {
    let is_library = match gap {
        Gap::Function(path) | Gap::Constant(path) | Gap::Type(path) => {
            path.is_of_std() || is_of_language(path.as_str())
        }
        Gap::Method { trait_ref, .. } | Gap::AssocConst { trait_ref, .. } => {
            trait_ref.path.is_of_std()
                || matches!(trait_ref.self_ty.kind(), TyKind::Adt(path, _) if path.is_of_std())
        }
        Gap::Literal(_) | Gap::Unreadable { .. } => false,
    };
    if is_library { Source::Library } else { Source::Crates }
}

/// Whether a path is that of a method of a type of the language, which has no crate in front of it: `[T]::sort`, `u8::pow`.
fn is_of_language(path: &str) -> bool {
    let head = path.split("::").next().unwrap_or_default();
    let is_word = |word: &str| ["bool", "char", "str", "f32", "f64"].contains(&word);
    head.starts_with(['[', '*', '&', '(']) || is_word(head) || IntTy::from_name(head).is_some()
}

fn told(gap: &Gap) -> String {
    match gap {
        Gap::Function(path) => format!("call of `{path}`"),
        Gap::Method { trait_ref, name } => format!("call of `{trait_ref}::{name}`"),
        Gap::Constant(path) => format!("constant `{path}`"),
        Gap::AssocConst { trait_ref, name } => format!("constant `{trait_ref}::{name}`"),
        Gap::Literal(text) => format!("constant `{text}`"),
        Gap::Type(path) => format!("type `{path}`"),
        Gap::Unreadable { path, reason } => format!("body of `{path}`: {reason}"),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{Name, Path as ItemPath, TraitRef, Ty};

    use super::*;

    fn function(path: &str) -> Gap {
        Gap::Function(ItemPath::new(path))
    }

    fn method(self_ty: Ty, of_trait: &str) -> Gap {
        let trait_ref = TraitRef { self_ty, path: ItemPath::new(of_trait), args: Vec::new() };
        Gap::Method { trait_ref, name: Name::new("m") }
    }

    #[test]
    fn what_is_of_the_library_is_told_from_what_is_of_crates() {
        let check = |gap: Gap, expected: Source| assert_eq!(origin(&gap), expected, "{gap:?}");
        check(function("std::mem::swap"), Source::Library);
        check(function("[T]::sort"), Source::Library);
        check(function("u8::pow"), Source::Library);
        check(function("ulid::new"), Source::Crates);
        check(method(Ty::int(IntTy::U8), "std::hash::Hash"), Source::Library);
        check(method(Ty::int(IntTy::U8), "serde::Serialize"), Source::Crates);
        check(Gap::Unreadable { path: ItemPath::new("std::f"), reason: "odd".into() }, Source::Crates);
    }

    #[test]
    fn a_function_counts_once_for_each_source_and_rows_are_ordered_by_functions() {
        let found = |from: &[&str]| Found {
            within: "k::inner".into(),
            from: from.iter().map(ToString::to_string).collect(),
        };
        let gaps = [
            (function("std::a"), found(&["f"])),
            (function("std::b"), found(&["f", "g"])),
            (function("dep::c"), found(&["g"])),
        ];
        let mut sum = Sum::default();
        sum.add("k", Gaps { functions: 4, found: gaps.into_iter().collect(), followed: Followed::InPart });
        let table = sum.table(2);
        assert!(
            table.starts_with("4 functions. 2 (50.0 %) lead to something of the standard library"),
            "{table}"
        );
        assert!(table.contains("1 (25.0 %) to something else"), "{table}");
        assert!(table.contains("Not followed to the end: k."), "{table}");
        assert!(
            table.ends_with(
                "| 2 | call of `std::b` | k: k::inner |\n| 1 | call of `dep::c` | k: k::inner |\n"
            ),
            "{table}"
        );
    }
}
