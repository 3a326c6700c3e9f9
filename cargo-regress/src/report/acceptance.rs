//! Whether somebody has said that a difference is meant.

/// What was said of a function's difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Acceptance {
    /// Nothing, or there is no difference.
    #[default]
    Not,
    /// There is an entry for the function, but this call is another difference.
    NotAll { place: String, call: String },
    /// Every call that was seen to differ is one that these entries are about.
    By(Vec<AcceptedBy>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedBy {
    pub reason: String,
    /// Where the entry stands.
    pub place: String,
    /// On which arguments.
    pub condition: Option<String>,
}

/// An entry that covers nothing, or cannot any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleEntry {
    pub function: String,
    pub place: String,
    pub why: String,
}

impl Acceptance {
    /// What a report says of it, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        match self {
            Acceptance::Not => Vec::new(),
            Acceptance::NotAll { place, call } => {
                let call = super::wording::printable(call);
                vec![format!("not accepted: `{call}` is another difference than {place} is about")]
            }
            Acceptance::By(entries) => entries.iter().map(AcceptedBy::sentence).collect(),
        }
    }
}

impl AcceptedBy {
    fn sentence(&self) -> String {
        let on = self.condition.as_ref().map(|condition| format!(" where `{condition}`")).unwrap_or_default();
        format!("accepted{on}: {} ({})", super::wording::printable(&self.reason), self.place)
    }
}

impl StaleEntry {
    pub fn sentence(&self) -> String {
        format!("the entry at {} for `{}` is stale: {}", self.place, self.function, self.why)
    }
}
