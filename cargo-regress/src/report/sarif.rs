//! The differences as SARIF 2.1.0 (OASIS standard, 27 March 2020), which code scanning services and editors read.
//!
//! A difference is a result. What could not be shown to be equal is no defect of the code but a limit of the run, so it is a
//! notification of the tool's execution. Results are located in the new version; what is said of lines of the old one
//! stands in the text, because consumers would look for them in the new files.
//!
//! Braces in messages are doubled, as §3.11.5 asks, and nothing in them can be taken for a link (§3.11.6); the property bags have calls
//! and outcomes as they are.

use regress_core::verdict::{Confirmation, Verdict, Version};
use serde_json::{Value as Json, json};

use super::finding::{self, Finding, Place, Severity};
use super::reasons;
use super::{Acceptance, AcceptedBy, FunctionReport, Report, short, wording};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of the directory that files are relative to: the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// The log as text, with a line feed at its end.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&log(report))? + "\n")
}

fn log(report: &Report) -> Json {
    let of_kind = |is_difference: bool| {
        Finding::ALL.into_iter().filter(move |finding| finding.is_difference() == is_difference)
    };
    let results: Vec<Json> =
        report.functions.iter().filter_map(|function| result(report, function)).collect();
    let notifications: Vec<Json> =
        report.functions.iter().filter_map(|function| notification(report, function)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo-regress",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": of_kind(true).map(descriptor).collect::<Vec<_>>(),
                "notifications": of_kind(false).map(descriptor).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
            "properties": {
                "old": report.old.label,
                "new": report.new.label,
                "notes": report.all_notes(),
            },
        }],
    })
}

fn descriptor(finding: Finding) -> Json {
    json!({
        "id": finding.id(),
        "name": finding.name(),
        "shortDescription": { "text": message_text(finding.summary()) },
        "fullDescription": { "text": message_text(finding.summary()) },
        "help": {
            "text": finding.explanation(),
            "markdown": finding.explanation(),
        },
        "defaultConfiguration": { "level": level(finding) },
    })
}

fn level(finding: Finding) -> &'static str {
    match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(report: &Report, function: &FunctionReport) -> Option<Json> {
    let finding = Finding::of(function).filter(|finding| finding.is_difference())?;
    let Verdict::Differs { witnesses, suspects, partitions, .. } = &function.verdict else { return None };
    let index =
        Finding::ALL.iter().filter(|other| other.is_difference()).position(|other| *other == finding)?;
    let mut message = short::message(function);
    let accepted = function.acceptance.sentences();
    for note in function.outside.sentence().into_iter().chain(accepted).chain(function.sentences()) {
        message.push_str(&format!("\n{note}"));
    }
    for suspect in suspects.iter().filter(|suspect| suspect.version == Version::Old) {
        if let Some(file) = function.files.name(Version::Old, suspect.span.file) {
            let (rank, line, reason) = (suspect.rank, suspect.span.line_start, reasons::suspicion(suspect));
            message.push_str(&format!("\nsuspect {rank}: {file}:{line} in the old version: {reason}"));
        }
    }
    let related: Vec<Json> = suspects
        .iter()
        .filter(|suspect| suspect.version == Version::New && suspect.span.line_start > 0)
        .filter_map(|suspect| {
            let file = function.files.name(Version::New, suspect.span.file)?;
            let at = suspect.span;
            let place = Place {
                file: file.to_owned(),
                line_start: at.line_start,
                line_end: at.line_end.max(at.line_start),
                columns: None,
            };
            Some(json!({
                "id": suspect.rank,
                "physicalLocation": physical(report, &place),
                "message": { "text": message_text(&format!("suspect {}: {}", suspect.rank, reasons::suspicion(suspect))) },
            }))
        })
        .collect();
    let calls: Vec<Json> = witnesses
        .iter()
        .map(|witness| {
            json!({
                "call": function.call(witness),
                "old": wording::past(&witness.old),
                "new": wording::present(&witness.new),
                "confirmed": witness.confirmation == Confirmation::Native,
            })
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.id(),
        "ruleIndex": index,
        "kind": "fail",
        "level": level(finding),
        "message": { "text": message_text(&message) },
        "locations": [location(report, function)],
        // The function and what is said of it: where it stands may change from run to run.
        "partialFingerprints": { "functionAndFinding/v1": format!("{} {}", finding.id(), function.path) },
        "properties": {
            "witnesses": calls,
            "partitionsExplored": partitions.explored,
            "partitionsDiffering": partitions.differing,
        },
    });
    if let Acceptance::By(entries) = &function.acceptance {
        // Somebody has said in a reviewed file that this is meant.
        let suppression =
            |by: &AcceptedBy| json!({ "kind": "external", "status": "accepted", "justification": by.reason });
        result["suppressions"] = entries.iter().map(suppression).collect();
    }
    if !related.is_empty() {
        result["relatedLocations"] = Json::Array(related);
    }
    Some(result)
}

fn notification(report: &Report, function: &FunctionReport) -> Option<Json> {
    let finding = Finding::of(function).filter(|finding| !finding.is_difference())?;
    Some(json!({
        "descriptor": { "id": finding.id() },
        "level": level(finding),
        "message": { "text": message_text(&short::message(function)) },
        "locations": [location(report, function)],
    }))
}

fn location(report: &Report, function: &FunctionReport) -> Json {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": function.path, "kind": "function" }],
    });
    if let Some(place) = finding::place(function) {
        location["physicalLocation"] = physical(report, &place);
    }
    location
}

fn physical(report: &Report, place: &Place) -> Json {
    let mut region = json!({ "startLine": place.line_start, "endLine": place.line_end });
    if let Some((from, to)) = place.columns {
        region["startColumn"] = json!(from);
        region["endColumn"] = json!(to);
    }
    json!({
        "artifactLocation": { "uri": relative_uri(&report.in_repository(&place.file)), "uriBaseId": ROOT },
        "region": region,
    })
}

/// A relative path as a URI reference (RFC 3986): every byte that a path segment cannot hold is encoded.
fn relative_uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A plain text message: braces would be placeholders for arguments, and brackets before a parenthesis a link.
fn message_text(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("](", "] (")
}
