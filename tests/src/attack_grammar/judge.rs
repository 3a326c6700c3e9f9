//! The product's verdict on a function against what native runs say.

use std::collections::BTreeSet;

use serde_json::Value;

/// What the product says of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    Unchanged,
    Equal,
    /// Equal as what it rests on is proved equal.
    Follows,
    /// With the choice of types, if it is for one only.
    EqualWithin {
        types: Option<String>,
    },
    Differs,
    NoDifferenceFound,
    NotAnalysed,
    /// It is not in the report, or its verdict is none that is known here.
    Other,
}

/// What native runs of a function say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// An outcome differs.
    pub differs: bool,
    /// One differs on an input within the product's default bounds, at these choices of types (none for a function that is not generic).
    pub within: BTreeSet<Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// It claims no equality, or there is nothing against it.
    Sound,
    /// It is said to be the same, and is not.
    Wrong,
}

impl Said {
    pub const COLUMNS: [&str; 8] =
        ["equal", "within", "follows", "unchanged", "differs", "none found", "not analysed", "other"];

    pub fn of(function: &Value) -> Said {
        match function["verdict"].as_str().unwrap_or_default() {
            "unchanged" => Said::Unchanged,
            "equal" if function["proof"]["by"].is_array() => Said::Follows,
            "equal" => Said::Equal,
            "equal_within" => Said::EqualWithin { types: instantiated(function) },
            "differs" => Said::Differs,
            "no_difference_found" => Said::NoDifferenceFound,
            "not_analysed" => Said::NotAnalysed,
            _ => Said::Other,
        }
    }

    pub fn column(&self) -> usize {
        match self {
            Said::Equal => 0,
            Said::EqualWithin { .. } => 1,
            Said::Follows => 2,
            Said::Unchanged => 3,
            Said::Differs => 4,
            Said::NoDifferenceFound => 5,
            Said::NotAnalysed => 6,
            Said::Other => 7,
        }
    }
}

fn instantiated(function: &Value) -> Option<String> {
    let entries = function["ledger"].as_array()?;
    entries.iter().find(|entry| entry["kind"] == "instantiated")?["types"].as_str().map(str::to_owned)
}

pub fn judge(said: &Said, truth: &Truth) -> Judgement {
    let wrong = match said {
        Said::Unchanged | Said::Equal | Said::Follows => truth.differs,
        // A choice of types says nothing of others.
        Said::EqualWithin { types: Some(types) } => {
            truth.within.contains(&None) || truth.within.contains(&Some(types.clone()))
        }
        Said::EqualWithin { types: None } => !truth.within.is_empty(),
        Said::Differs | Said::NoDifferenceFound | Said::NotAnalysed | Said::Other => false,
    };
    if wrong { Judgement::Wrong } else { Judgement::Sound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn truth(differs: bool, within: &[Option<&str>]) -> Truth {
        Truth { differs, within: within.iter().map(|types| types.map(str::to_owned)).collect() }
    }

    #[test]
    fn what_is_said_to_be_the_same_and_is_not_is_wrong() {
        let everywhere = truth(true, &[None]);
        for said in [Said::Unchanged, Said::Equal, Said::Follows, Said::EqualWithin { types: None }] {
            assert_eq!(judge(&said, &everywhere), Judgement::Wrong, "{said:?}");
            assert_eq!(judge(&said, &truth(false, &[])), Judgement::Sound, "{said:?}");
        }
        for said in [Said::Differs, Said::NoDifferenceFound, Said::NotAnalysed, Said::Other] {
            assert_eq!(judge(&said, &everywhere), Judgement::Sound, "{said:?}");
        }
    }

    #[test]
    fn bounds_excuse_what_lies_beyond_them_and_nothing_else() {
        let beyond = truth(true, &[]);
        assert_eq!(judge(&Said::EqualWithin { types: None }, &beyond), Judgement::Sound);
        assert_eq!(judge(&Said::Equal, &beyond), Judgement::Wrong);
        let at_u8 = truth(true, &[Some("T = u8")]);
        let said = |types: &str| Said::EqualWithin { types: Some(types.to_owned()) };
        assert_eq!(judge(&said("T = i32"), &at_u8), Judgement::Sound);
        assert_eq!(judge(&said("T = u8"), &at_u8), Judgement::Wrong);
        assert_eq!(judge(&Said::Equal, &at_u8), Judgement::Wrong);
    }

    #[test]
    fn verdicts_are_read_from_a_report() {
        let follows = json!({ "verdict": "equal", "proof": { "by": ["k3::f"] } });
        assert_eq!(Said::of(&follows), Said::Follows);
        assert_eq!(Said::of(&json!({ "verdict": "equal", "proof": { "solved": 1 } })), Said::Equal);
        let within =
            json!({ "verdict": "equal_within", "ledger": [{ "kind": "instantiated", "types": "T = i32" }] });
        assert_eq!(Said::of(&within), Said::EqualWithin { types: Some("T = i32".to_owned()) });
        assert_eq!(Said::of(&json!({ "verdict": "who knows" })), Said::Other);
    }
}
