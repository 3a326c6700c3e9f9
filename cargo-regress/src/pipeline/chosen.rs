//! A comparison of the functions that `--function` names.
//!
//! *Idea.* What is said of a function by itself does not depend on which others are judged, so only those that are named are. What is said in the
//! light of all others (what public callers show of a difference, which changes it takes) is left out, and so the report is one of a part.
//!
//! Where a run on all functions is kept, its words on those that are named hold, and nothing is searched again.

use anyhow::bail;
use regress_core::align::{Alignment, Pair};

use super::load::Loaded;
use super::naming::display_path;
use super::sharding::path_of;
use crate::report::paths::meant;
use crate::report::{FunctionReport, Report, wording};

/// So many functions are named in a message.
const NAMED: usize = 8;

/// The pairs that are named, in the order of the alignment.
pub(super) fn pairs<'a>(
    names: &[String],
    loaded: &Loaded,
    alignment: &'a Alignment,
) -> anyhow::Result<Vec<&'a Pair>> {
    let paths: Vec<[String; 2]> =
        alignment.pairs.iter().map(|pair| [shown(loaded, pair), path_of(loaded, pair).to_string()]).collect();
    Ok(choose(names, &paths)?.into_iter().map(|place| &alignment.pairs[place]).collect())
}

/// Drops all from the report but the functions that are named; all stay if none is.
pub(super) fn keep(names: &[String], report: &mut Report) -> anyhow::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let paths: Vec<[String; 2]> =
        report.functions.iter().map(|function| [function.path.clone(), function.canonical.clone()]).collect();
    let own = choose(names, &paths)?;
    let mut place = 0..;
    report.functions.retain(|_| place.next().is_some_and(|place| own.contains(&place)));
    report.notes.push(note(&report.functions, paths.len()));
    Ok(())
}

/// What to say of a report that has only these functions of so many.
pub(super) fn note(functions: &[FunctionReport], all: usize) -> String {
    let names: Vec<&str> = functions.iter().map(|function| function.path.as_str()).collect();
    let (all, were) =
        (wording::count(all as u64, "function", "functions"), if names.len() == 1 { "was" } else { "were" });
    format!("only {} of {all} {were} compared, as `--function` asks for", listed(&names))
}

/// The places of the functions that are named, in order.
fn choose(names: &[String], paths: &[[String; 2]]) -> anyhow::Result<Vec<usize>> {
    let mut chosen = Vec::new();
    for name in names {
        let name = name.trim();
        let found = meant(name, paths.iter().map(|[shown, whole]| [shown.as_str(), whole.as_str()]));
        let mut different: Vec<&str> = found.iter().map(|place| paths[*place][0].as_str()).collect();
        different.dedup();
        match different.as_slice() {
            [] => {
                let last = name.rsplit("::").next().unwrap_or(name);
                let is_near = |path: &&str| !last.is_empty() && path.contains(last);
                let near: Vec<&str> = paths.iter().map(|[shown, _]| shown.as_str()).filter(is_near).collect();
                match near.is_empty() {
                    true => bail!(
                        "neither version has a function `{name}`; its path is written as in reports, such as `module::Type::method`"
                    ),
                    false => bail!("neither version has a function `{name}`; there are {}", listed(&near)),
                }
            }
            [_] => chosen.extend(found),
            several => bail!("`{name}` may be any of {}; write more of the path", listed(several)),
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

fn listed(names: &[&str]) -> String {
    let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    named.join(", ") + more
}

fn shown(loaded: &Loaded, pair: &Pair) -> String {
    match (pair.new, pair.old) {
        (Some(new), _) => display_path(&loaded.new.program, new, loaded.only_crate()),
        (None, Some(old)) => display_path(&loaded.old.program, old, loaded.only_crate()),
        (None, None) => unreachable!("a pair has a side"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths() -> Vec<[String; 2]> {
        ["fee", "a::parse", "b::parse", "b::print", "b::print"]
            .map(|path| [path.to_owned(), format!("k::{path}")])
            .to_vec()
    }

    #[track_caller]
    fn check(names: &[&str], expected: Result<&[usize], &str>) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        match (choose(&names, &paths()), expected) {
            (Ok(places), Ok(expected)) => assert_eq!(places, expected),
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected),
            (chosen, _) => panic!("{names:?}: {chosen:?}"),
        }
    }

    #[test]
    fn functions_are_chosen_by_name() {
        check(&["fee"], Ok(&[0]));
        check(&["k::b::parse", "fee", "fee"], Ok(&[0, 2]));
        // Two functions of one path cannot be told apart by it.
        check(&["print"], Ok(&[3, 4]));
        check(&["parse"], Err("`parse` may be any of `a::parse`, `b::parse`; write more of the path"));
        check(
            &["fee", "c::parse"],
            Err("neither version has a function `c::parse`; there are `a::parse`, `b::parse`"),
        );
        check(
            &["cost"],
            Err(
                "neither version has a function `cost`; its path is written as in reports, such as `module::Type::method`",
            ),
        );
    }
}
