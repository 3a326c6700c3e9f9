//! The differences as cargo writes the compiler's diagnostics (`cargo check --message-format json`): for editors and watchers that run a
//! command in place of `cargo check`.
//!
//! A line for each function that was seen to differ and whose difference nobody has accepted, and a last one that says whether the command
//! succeeded. Who reads this opens files of the user, so spans are told only where the user's file is what was compared: a version that
//! is not checked out, or a file that was edited meanwhile, has its place in a note.

use std::collections::HashMap;
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Package, Target};
use regress_core::verdict::{Suspect, Verdict, Version};
use serde_json::{Value as Json, json};

use super::finding::{self, Finding};
use super::human::{Difference, LineIndex, SUSPECTS, Style, changed_or_callee};
use super::short::one_line;
use super::{FunctionReport, Report, Sources, Standing, exit_code, reasons, wording};
use crate::args::FailOn;

/// What the user has on disk, as cargo knows it.
#[derive(Clone, Copy, Debug)]
pub struct AtHand<'a> {
    /// None where cargo finds no workspace: the package may exist in a commit only.
    pub workspace_root: Option<&'a Utf8Path>,
    pub packages: &'a [Package],
}

/// A line for each difference and the last one.
pub fn render(
    report: &Report,
    sources: &dyn Sources,
    at_hand: AtHand<'_>,
    fail_on: FailOn,
) -> Result<String, serde_json::Error> {
    let mut files = UserFiles { sources, at_hand, seen: HashMap::new() };
    let mut out = String::new();
    for function in &report.functions {
        if let Some(message) = message(report, function, sources, &mut files) {
            out.push_str(&serde_json::to_string(&message)?);
            out.push('\n');
        }
    }
    let success = exit_code(report.functions.iter().map(FunctionReport::counts_as), fail_on) == 0;
    out.push_str(&serde_json::to_string(&json!({ "reason": "build-finished", "success": success }))?);
    out.push('\n');
    Ok(out)
}

fn message(
    report: &Report,
    function: &FunctionReport,
    sources: &dyn Sources,
    files: &mut UserFiles<'_>,
) -> Option<Json> {
    let level = match function.standing() {
        Standing::Regression => "error",
        Standing::Behaviour | Standing::Fix => "warning",
        _ => return None,
    };
    let finding = Finding::of(function)?;
    let difference = Difference::of(function)?;
    let located = Located::of(function, files);
    let mut notes = difference.calls();
    notes.extend(located.elsewhere);
    notes.extend(difference.remarks());
    if located.spans.is_empty()
        && let Some(place) = finding::place(function)
    {
        let (file, line) = (place.file, place.line_start);
        notes.push(format!(
            "it is at {file}:{line} of {}; the working tree has another text",
            report.new.label
        ));
    }
    let note = |text: String| json!({ "message": text, "code": null, "level": "note", "spans": [], "children": [], "rendered": null });
    let owner = files.at_hand.owner(function);
    Some(json!({
        "reason": "compiler-message",
        "package_id": owner.package_id,
        "manifest_path": owner.manifest_path,
        "target": owner.target,
        "message": {
            "$message_type": "diagnostic",
            "message": one_line(&format!("`{}` {}", function.path, finding::claim(function))),
            "code": { "code": finding.id(), "explanation": finding.explanation() },
            "level": level,
            "spans": located.spans,
            "children": notes.into_iter().map(note).collect::<Vec<_>>(),
            "rendered": difference.render(report, sources, Style::Plain),
        },
    }))
}

/// Where a difference is shown.
struct Located {
    /// As the compiler tells them, the primary one first.
    spans: Vec<Json>,
    /// Suspect lines that no span can show.
    elsewhere: Vec<String>,
}

impl Located {
    fn of(function: &FunctionReport, files: &mut UserFiles<'_>) -> Located {
        let mut located = Located { spans: Vec::new(), elsewhere: Vec::new() };
        let mut suspects: Vec<&Suspect> = match &function.verdict {
            Verdict::Differs { suspects, .. } => suspects.iter().collect(),
            _ => Vec::new(),
        };
        suspects.sort_by_key(|suspect| suspect.rank);
        for suspect in suspects.into_iter().take(SUSPECTS) {
            let Some(name) = function.files.name(suspect.version, suspect.span.file) else { continue };
            let (rank, reason) = (suspect.rank, reasons::suspicion(suspect));
            let at = suspect.span;
            let span =
                (suspect.version == Version::New).then(|| files.find(name)).flatten().and_then(|file| {
                    let columns = ((at.line_start, at.col_start), (at.line_end, at.col_end));
                    let range = LineIndex::new(&file.text).columns(columns.0, columns.1)?;
                    Some(file.span(range, &format!("suspect {rank}: {reason}")))
                });
            match span {
                Some(span) => located.spans.push(span),
                None => {
                    let version = wording::version(suspect.version);
                    let place = format!("{name}:{} in the {version} version", at.line_start);
                    located.elsewhere.push(format!("suspect {rank}: {place}: {reason}"));
                }
            }
        }
        if located.spans.is_empty() {
            located.spans.extend(of_function(function, files));
        }
        if let Some(first) = located.spans.first_mut() {
            first["is_primary"] = true.into();
        }
        located
    }
}

/// The first changed line of the function, else its first line.
fn of_function(function: &FunctionReport, files: &mut UserFiles<'_>) -> Option<Json> {
    let at = function.new_span.as_ref()?;
    let file = files.find(&at.file)?;
    let lines = LineIndex::new(&file.text);
    let within = |line: &&u32| (at.line_start..=at.line_end).contains(*line);
    let mut changed = function.changed_lines.new.iter().filter(within);
    match changed.find_map(|line| lines.content(*line)) {
        Some(range) => Some(file.span(range, "changed")),
        None => Some(file.span(lines.content(at.line_start.max(1))?, changed_or_callee(function))),
    }
}

/// The files that were compared, as far as the user has the same.
struct UserFiles<'a> {
    sources: &'a dyn Sources,
    at_hand: AtHand<'a>,
    seen: HashMap<String, Option<UserFile>>,
}

struct UserFile {
    /// From the root of the workspace, as cargo names files; with its whole path if it lies elsewhere.
    name: String,
    /// Without a byte order mark, which counts as no column.
    text: String,
    /// Bytes in front of the text.
    skipped: usize,
}

impl UserFiles<'_> {
    fn find(&mut self, name: &str) -> Option<&UserFile> {
        if !self.seen.contains_key(name) {
            let found = self.read(name);
            self.seen.insert(name.to_owned(), found);
        }
        self.seen.get(name)?.as_ref()
    }

    fn read(&self, name: &str) -> Option<UserFile> {
        // An absolute path is one within the copy that was compared.
        let root = self.at_hand.workspace_root.filter(|_| Utf8Path::new(name).is_relative())?;
        let path = root.join(name);
        let text = std::fs::read_to_string(&path).ok()?;
        if self.sources.text(Version::New, name)? != text {
            return None;
        }
        let is_outside = Utf8Path::new(name).starts_with("..");
        let name = if is_outside { path.canonicalize_utf8().ok()?.into_string() } else { name.to_owned() };
        let (text, skipped) = match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest.to_owned(), '\u{feff}'.len_utf8()),
            None => (text, 0),
        };
        Some(UserFile { name, text, skipped })
    }
}

impl UserFile {
    /// A range within one line as the compiler tells it: bytes of the file from 0, characters of the line from 1.
    fn span(&self, range: Range<usize>, label: &str) -> Json {
        let line_start = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[range.start..].find('\n').map_or(self.text.len(), |at| range.start + at);
        let line = self.text[line_start..line_end].trim_end_matches('\r');
        let number = self.text[..range.start].matches('\n').count() + 1;
        let column = |at: usize| self.text[line_start..at].chars().count() + 1;
        let (from, to) = (column(range.start), column(range.end));
        json!({
            "file_name": self.name,
            "byte_start": range.start + self.skipped,
            "byte_end": range.end + self.skipped,
            "line_start": number,
            "line_end": number,
            "column_start": from,
            "column_end": to,
            "is_primary": false,
            "text": [{ "text": line, "highlight_start": from, "highlight_end": to }],
            "label": label,
            "suggested_replacement": null,
            "suggestion_applicability": null,
            "expansion": null,
        })
    }
}

/// The package and target that a function is of.
struct Owner {
    package_id: String,
    manifest_path: Utf8PathBuf,
    target: Json,
}

impl AtHand<'_> {
    fn owner(&self, function: &FunctionReport) -> Owner {
        let crate_name = crate_of(&function.canonical);
        let file = function.new_span.as_ref().map(|span| span.file.as_str());
        let path = self.workspace_root.zip(file).map(|(root, file)| root.join(file));
        let is_crate = |target: &Target| {
            // A build script is no crate that is compared, and may have the name of one.
            !target.is_custom_build() && target.name.replace('-', "_") == crate_name
        };
        let holds = |package: &&Package| {
            let folder = package.manifest_path.parent();
            path.as_ref().zip(folder).is_some_and(|(path, folder)| path.starts_with(folder))
        };
        // The innermost folder: packages may lie in each other.
        let around =
            self.packages.iter().filter(holds).max_by_key(|package| package.manifest_path.as_str().len());
        let named = || self.packages.iter().find(|package| package.targets.iter().any(is_crate));
        if let Some(package) = around.or_else(named) {
            let targets = || package.targets.iter();
            let target = targets()
                .find(|target| Some(&target.src_path) == path.as_ref())
                .or_else(|| targets().find(|target| is_crate(target)))
                .or_else(|| targets().next());
            if let Some(target) = target {
                return Owner {
                    package_id: package.id.repr.clone(),
                    manifest_path: package.manifest_path.clone(),
                    target: json!(target),
                };
            }
        }
        // Cargo knows nothing of it here, but it has a name.
        let src_path = file.unwrap_or("src/lib.rs");
        Owner {
            package_id: crate_name.to_owned(),
            manifest_path: "Cargo.toml".into(),
            target: json!({ "kind": ["lib"], "crate_types": ["lib"], "name": crate_name, "src_path": src_path }),
        }
    }
}

/// `hex` of `hex::decode` and of `<hex::Error as std::fmt::Display>::fmt`.
fn crate_of(canonical: &str) -> &str {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let from = canonical.trim_start_matches(|character| !is_name(character));
    &from[..from.find(|character| !is_name(character)).unwrap_or(from.len())]
}
