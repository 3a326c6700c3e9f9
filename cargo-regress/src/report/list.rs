//! The functions of both versions and how each changed, before anything is executed.

use std::fmt::Write as _;

use regress_core::verdict::{ChangeKind, Version};
use serde_json::{Value as Json, json};

use super::{ReportSpan, VersionInfo, wording};

/// What `--list` shows.
#[derive(Clone, Debug)]
pub struct Listing {
    pub old: VersionInfo,
    pub new: VersionInfo,
    /// In the order of the new version, what is gone last.
    pub functions: Vec<Listed>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub path: String,
    /// The path in the old version, if it is another one.
    pub old_path: Option<String>,
    pub kind: ChangeKind,
    pub old_span: Option<ReportSpan>,
    pub new_span: Option<ReportSpan>,
    /// For an affected function: something that it may come to run or use, and that is not the same.
    pub through: Option<String>,
    /// The items by way of which it does so, nearest first.
    pub by: Vec<String>,
}

impl Listed {
    fn span(&self) -> Option<(Version, &ReportSpan)> {
        let new = self.new_span.as_ref().map(|span| (Version::New, span));
        new.or(self.old_span.as_ref().map(|span| (Version::Old, span)))
    }
}

/// A line for each function that is not the same, and the number of the others.
pub fn human(listing: &Listing) -> String {
    let mut text = format!("comparing {} with {}\n\n", listing.old.label, listing.new.label);
    let changed: Vec<&Listed> =
        listing.functions.iter().filter(|function| function.kind != ChangeKind::Unchanged).collect();
    let width = changed.iter().map(|function| function.path.chars().count()).max().unwrap_or(0).min(60);
    for function in &changed {
        let _ = write!(text, "{:17}  {:width$}", word(function.kind), super::short::one_line(&function.path));
        if let Some((version, span)) = function.span() {
            let version = if version == Version::Old { " (old)" } else { "" };
            let _ = write!(text, "  {}:{}{version}", span.file, span.line_start);
        }
        if let Some(through) = &function.through {
            let _ = write!(text, "  through {through}");
            if !function.by.is_empty() {
                let _ = write!(text, " by {}", function.by.join(" → "));
            }
        }
        if let Some(old) = &function.old_path {
            let _ = write!(text, "  was `{old}`");
        }
        text.push('\n');
    }
    if !changed.is_empty() {
        text.push('\n');
    }
    for note in &listing.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let unchanged = (listing.functions.len() - changed.len()) as u64;
    let _ = writeln!(text, "{}", wording::count(unchanged, "function unchanged", "functions unchanged"));
    text
}

/// All functions, for programs.
pub fn json(listing: &Listing) -> Result<String, serde_json::Error> {
    let span = |span: &Option<ReportSpan>| -> Json {
        span.as_ref().map_or(
            Json::Null,
            |span| json!({ "file": span.file, "line_start": span.line_start, "line_end": span.line_end }),
        )
    };
    let version = |info: &VersionInfo| json!({ "rev": info.rev, "oid": info.oid, "label": info.label });
    let functions: Vec<Json> = listing
        .functions
        .iter()
        .map(|function| {
            json!({
                "path": function.path,
                "old_path": function.old_path,
                "kind": function.kind,
                "span": span(&function.new_span),
                "old_span": span(&function.old_span),
                "through": function.through,
                "by": function.by,
            })
        })
        .collect();
    let document = json!({
        "schema_version": super::json::SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": version(&listing.old),
        "new": version(&listing.new),
        "functions": functions,
        "notes": listing.notes,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Unchanged => "unchanged",
        ChangeKind::Changed => "changed",
        ChangeKind::Affected => "affected",
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::SignatureChanged => "signature changed",
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn listing() -> Listing {
        let versions = super::super::testing::report(Vec::new());
        let span =
            |line| Some(ReportSpan { file: "src/lib.rs".to_owned(), line_start: line, line_end: line + 2 });
        let listed = |path: &str, kind| Listed {
            path: path.to_owned(),
            old_path: None,
            kind,
            old_span: (kind != ChangeKind::Added).then(|| span(7)).flatten(),
            new_span: (kind != ChangeKind::Removed).then(|| span(3)).flatten(),
            through: None,
            by: Vec::new(),
        };
        let affected = Listed {
            through: Some("`trimmed`".to_owned()),
            by: vec!["`middle`".to_owned()],
            ..listed("module::words", ChangeKind::Affected)
        };
        let renamed =
            Listed { old_path: Some("old_name".to_owned()), ..listed("new_name", ChangeKind::Affected) };
        Listing {
            old: versions.old,
            new: versions.new,
            functions: vec![
                listed("trimmed", ChangeKind::Changed),
                affected,
                listed("same", ChangeKind::Unchanged),
                renamed,
                listed("other", ChangeKind::SignatureChanged),
                listed("fresh", ChangeKind::Added),
                listed("gone", ChangeKind::Removed),
            ],
            notes: vec!["a target is left out".to_owned()],
        }
    }

    #[test]
    fn what_is_not_the_same_has_a_line() {
        assert_snapshot!(human(&listing()), @r#"
    comparing HEAD~1 (1a2b3c4 tighten parse) with the working tree (uncommitted changes on 5d6e7f8 next)

    changed            trimmed        src/lib.rs:3
    affected           module::words  src/lib.rs:3  through `trimmed` by `middle`
    affected           new_name       src/lib.rs:3  was `old_name`
    signature changed  other          src/lib.rs:3
    added              fresh          src/lib.rs:3
    removed            gone           src/lib.rs:7 (old)

    note: a target is left out
    1 function unchanged
    "#);
    }

    #[test]
    fn programs_are_told_of_all() {
        let document: Json =
            serde_json::from_str(&json(&listing()).expect("it renders")).expect("it is JSON");
        let functions = document["functions"].as_array().expect("a list");
        assert_eq!(functions.len(), 7);
        assert_eq!(
            (&functions[1]["through"], &functions[1]["by"]),
            (&json!("`trimmed`"), &json!(["`middle`"]))
        );
        assert_eq!(functions[2]["kind"], "unchanged");
        assert_eq!((&functions[5]["old_span"], &functions[6]["span"]), (&Json::Null, &Json::Null));
        assert_eq!(functions[0]["span"]["line_start"], 3);
    }
}
