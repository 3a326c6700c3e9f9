//! Reports made by hand, for the tests of the renderings.

use std::sync::Arc;
use std::time::Duration;

use regress_core::idx::{Idx, IdxVec};
use regress_core::ir::{CtorKind, FileId, IntTy, KnownType, Name, Path, SourceFile, Span};
use regress_core::value::{Outcome, Panic, PanicKind, Value};
use regress_core::verdict::suspicion::{Changed, Effect, Suspicion};
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Explored, Input, Ledger, PartitionCount, Proof, Suspect,
    Verdict, Version, Witness, WitnessOrigin,
};

use super::note::Note;
use super::pictures::{Axis, Extent, Point, Samples};
use super::{
    Acceptance, AcceptedBy, ChangedLines, Files, FunctionReport, Report, ReportSpan, SeenFromOutside,
    Sources, StaleEntry, VersionInfo,
};
use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Refused, Signatures};

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
        directory: String::new(),
        pictures: Default::default(),
        stats: Default::default(),
        tests: Vec::new(),
        harness: Default::default(),
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
        origin: WitnessOrigin::Random,
    }
}

pub fn ok(number: i128) -> Outcome {
    let path = Path::from(KnownType::Result);
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
    Suspect { version, span, rank, reason: Suspicion::Changed { what: Changed::Line, effect: None } }
}

pub fn ledger(entries: impl IntoIterator<Item = Approximation>) -> Ledger {
    let mut ledger = Ledger::default();
    for entry in entries {
        ledger.note(entry);
    }
    ledger
}

pub fn proof() -> Proof {
    Proof::Explored(explored())
}

pub fn explored() -> Explored {
    Explored {
        partitions: PartitionCount { explored: 3, differing: 0 },
        syntactic: 2,
        solved: 1,
        panicking: 0,
    }
}

/// One function for each verdict.
pub fn one_of_each() -> Report {
    let panicked = |kind| Outcome::Panicked(Panic { kind, message: None, location: None });
    let change = |path: &str, verdict| function(path, ChangeKind::Changed, verdict);
    let mut suspected = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    if let Verdict::Differs { suspects, .. } = &mut suspected {
        suspects.push(suspect(Version::New, 0, 3, (15, 30), 1));
        suspects.push(suspect(Version::Old, 0, 3, (15, 33), 2));
        suspects.push(suspect(Version::New, 1, 9, (1, 5), 3));
    }
    let mut unconfirmed = witness(ok(1), Outcome::Hung);
    unconfirmed.confirmation = Confirmation::Unconfirmed { reason: NotRun::NoSources };
    let opaque = ledger([Approximation::OpaqueCall { callee: "libc::read".to_owned() }]);
    let bounds = ledger([Approximation::InputLength { max_len: 8 }]);
    let (old, new) = ("(u8) -> u8".to_owned(), "(u16) -> u8".to_owned());
    let signature = NotAnalysed::SignatureChanged(Signatures { old, new });
    report(vec![
        change("parse", suspected),
        change(
            "stops",
            differs(Class::Regression, vec![witness(ok(1), Outcome::Aborted("SIGABRT".to_owned()))]),
        ),
        change("waits", differs(Class::Regression, vec![witness(ok(1), Outcome::Hung)])),
        change("module::Type::fee", differs(Class::Behaviour, vec![witness(ok(1), ok(48))])),
        change("fails", differs(Class::Behaviour, vec![witness(overflow(), panicked(PanicKind::Unwrap))])),
        change("fixed", differs(Class::Fix, vec![witness(overflow(), ok(1))])),
        change("perhaps", differs(Class::Regression, vec![unconfirmed])),
        change("task::run", Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) }),
        function("other", ChangeKind::SignatureChanged, Verdict::NotAnalysed { reason: signature }),
        change("reads", Verdict::NoDifferenceFound { runs: 1000, ledger: opaque }),
        change("bounded", Verdict::EqualWithin { proof: explored(), bounds }),
        change("proved", Verdict::Equal { proof: proof() }),
        function("new_one", ChangeKind::Added, Verdict::Added),
        function("old_one", ChangeKind::Removed, Verdict::Removed),
        function("same", ChangeKind::Unchanged, Verdict::Unchanged),
    ])
}

/// A difference that is meant, and an entry that covers nothing.
pub fn accepted() -> Report {
    let meant = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    let by = AcceptedBy { reason: "as agreed".to_owned(), place: "a.toml:3".to_owned(), condition: None };
    let meant = FunctionReport {
        acceptance: Acceptance::By(vec![by]),
        ..function("parse", ChangeKind::Changed, meant)
    };
    let mut report = report(vec![meant]);
    let (function, place, why) = ("gone".to_owned(), "a.toml:9".to_owned(), "it is no more".to_owned());
    report.stale.push(StaleEntry { function, place, why });
    report
}

/// What each format takes for syntax, in every text that comes from the code that is compared.
pub const NASTY: &str =
    "a|b,c:d%e`f``g]](h){0}<i>&amp;\"j'\\*_#@k\u{1b}[2J\u{7}\u{ffff}\nl\r\n::error::m ]]> --> ${{ n }} é";

/// A difference with [`NASTY`] in its name, its file, its witness, its suspects and the notes.
pub fn nasty() -> Report {
    let panic = Panic {
        kind: PanicKind::Explicit,
        message: Some(NASTY.to_owned()),
        location: Some(NASTY.to_owned()),
    };
    let mut shown = witness(ok(1), Outcome::Panicked(panic));
    shown.inputs[0].value = Value::Str(NASTY.to_owned());
    let mut verdict = differs(Class::Regression, vec![shown]);
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        let mut suspected = suspect(Version::New, 0, 3, (15, 30), 1);
        let effect = Effect::Test { says: NASTY.to_owned() };
        suspected.reason = suspected.reason.with_effect(&effect);
        suspects.push(suspected.clone());
        suspects.push(Suspect { version: Version::Old, rank: 2, ..suspected });
    }
    let mut differing = function(NASTY, ChangeKind::Changed, verdict);
    differing.notes.push(Note::NotRun { reason: NotRun::Said(NASTY.to_owned()) });
    let files = Arc::new(IdxVec::from(vec![SourceFile { path: NASTY.to_owned() }]));
    differing.files = Files { old: files.clone(), new: files };
    let unread = Verdict::NotAnalysed { reason: NotAnalysed::InternalError { panic: NASTY.to_owned() } };
    let mut report = report(vec![differing, function(NASTY, ChangeKind::Changed, unread)]);
    report.old.label = NASTY.to_owned();
    report.notes.push(NASTY.to_owned());
    report
}

/// [`one_of_each`] with pictures: a function of one number, one of two, and who runs whom.
pub fn pictured() -> Report {
    let numbers = |range: std::ops::RangeInclusive<i128>| -> Vec<Value> {
        range.map(|number| Value::int(IntTy::I8, number)).collect()
    };
    let point = |at: Vec<usize>, class: Option<Class>| Point { at, class, change: "returned `1`".to_owned() };
    let of_one = Samples {
        axes: vec![Axis { name: "x".to_owned(), values: numbers(-3..=4) }],
        points: (0..8).map(|at| point(vec![at], (2..5).contains(&at).then_some(Class::Regression))).collect(),
        extent: Extent::Some,
    };
    let squares = (0..4).flat_map(|x| (0..3).map(move |y| (x, y)));
    let of_two = Samples {
        axes: vec![
            Axis { name: "width".to_owned(), values: numbers(0..=3) },
            Axis { name: "height".to_owned(), values: numbers(5..=7) },
        ],
        points: squares.map(|(x, y)| point(vec![x, y], (x > y).then_some(Class::Behaviour))).collect(),
        extent: Extent::Some,
    };
    let mut report = one_of_each();
    report.pictures.samples.insert("parse".to_owned(), of_one);
    report.pictures.samples.insert("module::Type::fee".to_owned(), of_two);
    let runs = [("parse", vec!["fixed", "proved"]), ("module::Type::fee", vec!["parse"])];
    for (from, to) in runs {
        report.pictures.runs.insert(from.to_owned(), to.into_iter().map(str::to_owned).collect());
    }
    report
}
