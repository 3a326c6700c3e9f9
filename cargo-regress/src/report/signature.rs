//! The semantic signature of one function, for people and for programs.

use std::fmt::Write as _;

use regress_core::explore::{Completeness, Effort};
use regress_core::value::Value;
use regress_core::verdict::Ledger;
use serde::{Deserialize, Serialize};

use super::wording;

/// What was found out about one function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub path: String,
    /// `fn name(x: i32) -> i32`, with the types that generic parameters stand for.
    pub declaration: String,
    pub place: Option<String>,
    pub strategy: &'static str,
    pub partitions: Vec<SignaturePartition>,
    pub completeness: Completeness,
    pub ledger: Ledger,
    pub effort: Effort,
    /// A test module with one test for each partition, not yet formatted.
    pub tests: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignaturePartition {
    /// All of them hold, as Rust; none if every input is meant.
    pub conditions: Vec<String>,
    /// What is returned and, after it, what is behind `&mut` parameters; or how else calls end.
    pub output: Vec<String>,
    pub inputs: Vec<NamedValue>,
    /// The inputs as a call.
    pub call: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: Value,
}

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub schema_version: u32,
    pub path: String,
    pub declaration: String,
    pub place: Option<String>,
    pub strategy: String,
    pub partitions: Vec<SignaturePartition>,
    pub completeness: CompletenessName,
    pub limits: Vec<String>,
    pub runs: u64,
    pub questions: u64,
    pub solver_calls: u64,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletenessName {
    Proved,
    Followed,
    Partial,
}

/// The signature as one JSON document; its fields are described in `docs/book/src/explore.md`.
pub fn json(signature: &Signature) -> Result<String, serde_json::Error> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        path: signature.path.clone(),
        declaration: signature.declaration.clone(),
        place: signature.place.clone(),
        strategy: signature.strategy.to_owned(),
        partitions: signature.partitions.clone(),
        completeness: match signature.completeness {
            Completeness::Proved => CompletenessName::Proved,
            Completeness::Followed => CompletenessName::Followed,
            Completeness::Partial => CompletenessName::Partial,
        },
        limits: limits(&signature.ledger),
        runs: signature.effort.runs,
        questions: signature.effort.questions,
        solver_calls: signature.effort.solver_calls,
        seconds: signature.effort.total.as_secs_f64(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// The signature as a table: one block for each partition.
pub fn human(signature: &Signature) -> String {
    let mut text = String::new();
    let place = signature.place.as_ref().map(|place| format!("  ({place})")).unwrap_or_default();
    let _ = writeln!(text, "\x1b[1m{}\x1b[0m{place}\n", signature.declaration);
    let digits = signature.partitions.len().to_string().len();
    for (index, partition) in signature.partitions.iter().enumerate() {
        let number = format!("{:>digits$}", index + 1);
        let margin = " ".repeat(digits);
        let conditions = match partition.conditions.as_slice() {
            [] => "always".to_owned(),
            conditions => {
                conditions.iter().map(|condition| conjunct(condition)).collect::<Vec<_>>().join(" && ")
            }
        };
        let _ = writeln!(text, "\x1b[1;36m{number}\x1b[0m  if      {}", wording::printable(&conditions));
        for (position, output) in partition.output.iter().enumerate() {
            let word = if position == 0 { "then" } else { "and " };
            let _ = writeln!(text, "{margin}  {word}    {}", wording::printable(output));
        }
        let _ = writeln!(text, "{margin}  example \x1b[2m{}\x1b[0m\n", wording::printable(&partition.call));
    }
    text.push_str(&summary(signature));
    text
}

/// Alternatives and choices need parentheses where they stand beside others.
fn conjunct(condition: &str) -> String {
    if condition.contains("||") || condition.starts_with("if ") {
        format!("({condition})")
    } else {
        condition.to_owned()
    }
}

fn summary(signature: &Signature) -> String {
    let effort = &signature.effort;
    let partitions = wording::count(signature.partitions.len() as u64, "partition", "partitions");
    let whole = match signature.completeness {
        Completeness::Proved => "these are all",
        Completeness::Followed => "whether these are all was not answered",
        Completeness::Partial => "there may be more",
    };
    let mut text = format!(
        "summary: {partitions}, {whole}; {}, {}, of which {} went to the solver ({:.1} s)\n",
        wording::count(effort.runs, "run", "runs"),
        wording::count(effort.questions, "question", "questions"),
        effort.solver_calls,
        effort.total.as_secs_f64()
    );
    for limit in limits(&signature.ledger) {
        let _ = writeln!(text, "limited: {limit}");
    }
    text
}

fn limits(ledger: &Ledger) -> Vec<String> {
    ledger.entries().iter().map(wording::approximation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        let partition = |conditions: &[&str], output: &str| SignaturePartition {
            conditions: conditions.iter().map(ToString::to_string).collect(),
            output: vec![output.to_owned()],
            inputs: vec![NamedValue { name: "x".into(), value: Value::Bool(true) }],
            call: "f(true)".into(),
        };
        Signature {
            path: "f".into(),
            declaration: "fn f(x: bool) -> i32".into(),
            place: Some("src/lib.rs:1".into()),
            strategy: "rsc",
            partitions: vec![partition(&["x || y", "z"], "x + 1"), partition(&[], "panics: no")],
            completeness: Completeness::Proved,
            ledger: Ledger::default(),
            effort: Effort::default(),
            tests: String::new(),
        }
    }

    #[test]
    fn a_partition_is_condition_output_and_example() {
        let text = human(&signature());
        assert!(
            text.contains("if      (x || y) && z\n   then    x + 1\n   example \x1b[2mf(true)"),
            "{text}"
        );
        assert!(text.contains("if      always\n   then    panics: no"), "{text}");
        assert!(text.contains("2 partitions, these are all"), "{text}");
    }

    #[test]
    fn the_document_is_read_as_it_was_written() {
        let text = json(&signature()).expect("it can be written");
        let document: Document = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(document.partitions, signature().partitions);
        assert_eq!((document.schema_version, document.completeness), (1, CompletenessName::Proved));
    }
}
