//! Reports made by hand, for the tests of the renderings.

use std::sync::Arc;
use std::time::Duration;

use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{CtorKind, FileId, IntTy, Name, Path, SourceFile, Span};
use regress_core::value::{Outcome, Panic, PanicKind, Value};
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Input, Ledger, PartitionCount, Proof, Suspect, Verdict,
    Version, Witness,
};

use super::{
    Acceptance, ChangedLines, Files, FunctionReport, Report, ReportSpan, SeenFromOutside, Sources,
    VersionInfo,
};

pub const OLD_SOURCE: &str = "\
pub fn parse(s: &str) -> Result<usize, Error> {
    let bytes = s.as_bytes();
    let end = bytes.len().min(2);
    Ok(end)
}
";

pub const NEW_SOURCE: &str = "\
pub fn parse(s: &str) -> Result<usize, Error> {
    let bytes = s.as_bytes();
    let end = bytes.len() - 2;
    Ok(bytes[end] as usize)
}
";

pub struct TextSources;

impl Sources for TextSources {
    fn text(&self, version: Version, file: &str) -> Option<String> {
        let text = match version {
            Version::Old => OLD_SOURCE,
            Version::New => NEW_SOURCE,
        };
        (file == "src/lib.rs").then(|| text.to_owned())
    }
}

pub fn report(functions: Vec<FunctionReport>) -> Report {
    let mut report = Report {
        old: VersionInfo {
            rev: "HEAD~1".to_owned(),
            oid: Some("1a2b3c4000000000000000000000000000000000".to_owned()),
            label: "HEAD~1 (1a2b3c4 tighten parse)".to_owned(),
        },
        new: VersionInfo {
            rev: "working tree".to_owned(),
            oid: None,
            label: "the working tree (uncommitted changes on 5d6e7f8 next)".to_owned(),
        },
        functions,
        front_end: None,
        notes: Vec::new(),
        unfinished: Vec::new(),
        stale: Vec::new(),
        duration: Duration::from_millis(1250),
    };
    report.sort();
    report
}

/// `parse` of the sources above.
pub fn function(path: &str, kind: ChangeKind, verdict: Verdict) -> FunctionReport {
    let files = Arc::new(IdxVec::from(vec![
        SourceFile { path: "src/lib.rs".to_owned() },
        SourceFile { path: "src/helper.rs".to_owned() },
    ]));
    let span = ReportSpan { file: "src/lib.rs".to_owned(), line_start: 1, line_end: 5 };
    FunctionReport {
        path: path.to_owned(),
        canonical: path.to_owned(),
        unshown: Vec::new(),
        acceptance: Acceptance::Not,
        kind,
        verdict,
        old_span: (kind != ChangeKind::Added).then(|| span.clone()),
        new_span: (kind != ChangeKind::Removed).then_some(span),
        changed_lines: ChangedLines { old: vec![3, 4], new: vec![3, 4] },
        files: Files { old: files.clone(), new: files },
        calls: Vec::new(),
        outside: SeenFromOutside::Open,
        reach: Default::default(),
        notes: Vec::new(),
    }
}

pub fn differs(class: Class, witnesses: Vec<Witness>) -> Verdict {
    Verdict::Differs {
        class,
        witnesses,
        suspects: Vec::new(),
        partitions: PartitionCount { explored: 7, differing: 2 },
        ledger: Ledger::default(),
    }
}

pub fn witness(old: Outcome, new: Outcome) -> Witness {
    Witness {
        inputs: vec![Input { name: "s".to_owned(), value: Value::Str("0".to_owned()) }],
        old,
        new,
        confirmation: Confirmation::Native,
    }
}

pub fn ok(number: i128) -> Outcome {
    let path = Path::new("std::result::Result");
    let fields = vec![(Name::new("0"), Value::int(IntTy::Usize, number))];
    let value = Value::Adt { path, variant: Some(Name::new("Ok")), ctor: CtorKind::Tuple, fields };
    Outcome::Returned { value, mutated: Vec::new() }
}

pub fn overflow() -> Outcome {
    Outcome::Panicked(Panic {
        kind: PanicKind::Overflow,
        message: Some("attempt to subtract with overflow".to_owned()),
        location: Some("src/lib.rs:3:15".to_owned()),
    })
}

pub fn suspect(version: Version, file: usize, line: u32, columns: (u32, u32), rank: u32) -> Suspect {
    let span = Span {
        file: FileId::from_usize(file),
        line_start: line,
        col_start: columns.0,
        line_end: line,
        col_end: columns.1,
    };
    Suspect { version, span, rank, reason: "its check now fails".to_owned() }
}

pub fn ledger(entries: impl IntoIterator<Item = Approximation>) -> Ledger {
    let mut ledger = Ledger::default();
    for entry in entries {
        ledger.note(entry);
    }
    ledger
}

pub fn proof() -> Proof {
    Proof { partitions: PartitionCount { explored: 3, differing: 0 }, syntactic: 2, solved: 1 }
}
