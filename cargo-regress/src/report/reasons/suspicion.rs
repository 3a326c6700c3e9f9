//! Why a line is a suspect, as one sentence that names values.

use regress_core::value::Value;
use regress_core::verdict::suspicion::{Across, Changed, Decision, Effect, Moved, Suspicion};
use regress_core::verdict::{Suspect, Version};

use crate::report::wording;

/// Values that are named in one sentence.
const NAMED: usize = 3;
/// Longer expressions are cut.
const LONGEST: usize = 120;

pub fn suspicion(suspect: &Suspect) -> String {
    suspicion_of(suspect.version, &suspect.reason)
}

/// The same of a line of this version.
pub fn suspicion_of(version: Version, suspicion: &Suspicion) -> String {
    match suspicion {
        Suspicion::Decides(decision) => decides(version, decision),
        Suspicion::Changed { what: changed, effect: None } => what(*changed).to_owned(),
        Suspicion::Changed { what: changed, effect: Some(came) } => {
            format!("{}; {}", what(*changed), effect(came))
        }
    }
}

fn what(changed: Changed) -> &'static str {
    match changed {
        Changed::Statement => "a statement changed here",
        Changed::FormerStatement => "a statement stood here that changed",
        Changed::Line => "this line changed",
    }
}

/// What came of a change.
pub fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Outputs(part) => {
            let (old, new) = (short(&part.old), short(&part.new));
            format!("on such a call the old version computes `{old}`, the new one `{new}`")
        }
        Effect::Outcomes { old, new } => {
            format!("the old version {}, the new one {}", wording::past(old), wording::present(new))
        }
        Effect::Test { says } => format!("the test says: {says}"),
    }
}

/// `only the new version treats x = 3 and x = 2 differently here (x >= 3); for x = 2 both versions agree`
fn decides(version: Version, decision: &Decision) -> String {
    let own = wording::version(version);
    let condition = short(&decision.condition);
    let side = |pick: fn(&Moved) -> &Value| {
        let named = decision.moved.iter().take(NAMED);
        let mut parts: Vec<String> =
            named.map(|moved| format!("`{}` = {}", moved.name, short(&pick(moved).to_string()))).collect();
        if decision.moved.len() > NAMED {
            parts.push("…".into());
        }
        parts.join(", ")
    };
    let (here, there) = (side(|moved| &moved.here), side(|moved| &moved.there));
    if decision.moved.is_empty() {
        return format!("only the {own} version checks `{condition}` here");
    }
    let across = match decision.across {
        Across::Agree => format!("; for {there} both versions agree"),
        Across::Differ => format!("; for {there} the versions differ too"),
        Across::Unknown => String::new(),
    };
    format!("only the {own} version treats {here} and {there} differently here (`{condition}`){across}")
}

/// The text, with its middle left out where it is long.
pub(super) fn short(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST / 2).collect();
    let tail: String = text.chars().skip(characters - LONGEST / 2).collect();
    format!("{head} […] {tail}")
}
