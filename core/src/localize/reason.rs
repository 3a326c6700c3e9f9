//! Why a branch is a suspect, as one sentence that names values.

use super::{Across, SuspectBranch};
use crate::exec::BranchKind;
use crate::verdict::Version;

/// Values that are named in one sentence.
const NAMED: usize = 3;
/// Longer expressions are cut.
const LONGEST: usize = 120;

impl SuspectBranch {
    /// `with x = 3 the new version finds x >= 3 here; to the old one x = 2 is the same case, and there both agree`
    pub fn reason(&self) -> String {
        let (own, other) = match self.version {
            Version::New => ("new", "old"),
            Version::Old => ("old", "new"),
        };
        let verb = match self.kind {
            BranchKind::Check => "checks",
            BranchKind::Switch | BranchKind::Concretization => "finds",
        };
        let condition = short(&self.condition);
        let side = |pick: fn(&super::Moved) -> &crate::value::Value| {
            let named = self.moved.iter().take(NAMED);
            let mut parts: Vec<String> = named
                .map(|moved| format!("`{}` = {}", moved.name, short(&pick(moved).to_string())))
                .collect();
            if self.moved.len() > NAMED {
                parts.push("…".into());
            }
            parts.join(", ")
        };
        let (here, there) = (side(|moved| &moved.here), side(|moved| &moved.there));
        let across = match self.across {
            Across::Agree => ", and there both versions agree",
            Across::Differ => ", though they differ there too",
            Across::Unknown => "",
        };
        if self.moved.is_empty() {
            return format!(
                "the {own} version {verb} `{condition}` here, which the {other} one does not ask"
            );
        }
        format!(
            "with {here} the {own} version {verb} `{condition}` here; to the {other} one {there} is the same case{across}"
        )
    }
}

fn short(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST / 2).collect();
    let tail: String = text.chars().skip(characters - LONGEST / 2).collect();
    format!("{head} […] {tail}")
}
