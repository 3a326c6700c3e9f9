//! Why a branch is a suspect, as one sentence that names values.

use super::{Across, SuspectBranch};
use crate::verdict::Version;

/// Values that are named in one sentence.
const NAMED: usize = 3;
/// Longer expressions are cut.
const LONGEST: usize = 120;

impl SuspectBranch {
    /// `only the new version treats x = 3 and x = 2 differently here (x >= 3); for x = 2 both versions agree`
    pub fn reason(&self) -> String {
        let own = match self.version {
            Version::New => "new",
            Version::Old => "old",
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
        if self.moved.is_empty() {
            return format!("only the {own} version checks `{condition}` here");
        }
        let across = match self.across {
            Across::Agree => format!("; for {there} both versions agree"),
            Across::Differ => format!("; for {there} the versions differ too"),
            Across::Unknown => String::new(),
        };
        format!("only the {own} version treats {here} and {there} differently here (`{condition}`){across}")
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
