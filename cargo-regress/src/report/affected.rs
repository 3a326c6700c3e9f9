//! The tests that a change can affect: as names, as a filter of `cargo nextest`, as JSON.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json::VersionRecord;
use super::{VersionInfo, wording};
use crate::extract::TestTargetKind;

/// The tests of the new version.
#[derive(Clone, Debug)]
pub struct AffectedTests {
    pub old: VersionInfo,
    pub new: VersionInfo,
    /// In the order of packages and targets.
    pub binaries: Vec<BinaryOfTests>,
    pub notes: Vec<String>,
}

/// The tests of one target.
#[derive(Clone, Debug)]
pub struct BinaryOfTests {
    pub package: String,
    pub kind: TestTargetKind,
    /// That of the target.
    pub name: String,
    pub tests: Tests,
}

#[derive(Clone, Debug)]
pub enum Tests {
    Listed(Vec<SelectedTest>),
    /// Which there are is not known: all are affected, or none.
    Unlisted {
        affected: Option<Reason>,
    },
}

#[derive(Clone, Debug)]
pub struct SelectedTest {
    /// As the harness of the tests has it: `tests::signs`.
    pub name: String,
    /// None if the change cannot affect it.
    pub affected: Option<Reason>,
}

/// Why a test may be affected. There may be more reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A file differs that decides on how everything is built.
    Everything {
        file: Utf8PathBuf,
    },
    /// The old version has no such test.
    New,
    /// Its attributes are others.
    Settings,
    /// Its own body is another.
    Itself,
    /// It may come to run or use this, which is not the same and not proved equal.
    Reaches {
        item: String,
    },
    /// It may read files or start programs, and a file differs.
    Files {
        by: String,
        file: Utf8PathBuf,
    },
    /// Examples in documentation are not looked into.
    Documentation,
    /// The target has no harness that is known.
    OwnHarness,
    Unknown {
        why: String,
    },
}

impl Reason {
    /// The word that stands in JSON.
    fn kind(&self) -> &'static str {
        match self {
            Reason::Everything { .. } => "build",
            Reason::New => "new",
            Reason::Settings => "settings",
            Reason::Itself => "changed",
            Reason::Reaches { .. } => "reaches",
            Reason::Files { .. } => "files",
            Reason::Documentation => "documentation",
            Reason::OwnHarness => "own_harness",
            Reason::Unknown { .. } => "unknown",
        }
    }

    /// In words for people.
    pub fn text(&self) -> String {
        match self {
            Reason::Everything { file } => format!("`{file}` is not the same, on which every build depends"),
            Reason::New => "the old version has no such test".into(),
            Reason::Settings => "its attributes are not the same".into(),
            Reason::Itself => "the test itself is not the same".into(),
            Reason::Reaches { item } if item.is_empty() => "it may run what is not the same".into(),
            Reason::Reaches { item } => format!("it may run or use {item}"),
            Reason::Files { by, file } => {
                format!("it may read files or start programs, by `{by}`, and `{file}` is not the same")
            }
            Reason::Documentation => "examples in documentation are not looked into, and files differ".into(),
            Reason::OwnHarness => "the target has a test harness of its own".into(),
            Reason::Unknown { why } => why.clone(),
        }
    }
}

/// How many tests are affected, of all that are known by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub affected: u64,
    pub all: u64,
}

/// What is run of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen<'a> {
    Nothing,
    Named(Vec<&'a str>),
    Everything,
}

impl BinaryOfTests {
    pub fn chosen(&self) -> Chosen<'_> {
        let tests = match &self.tests {
            Tests::Unlisted { affected: None } => return Chosen::Nothing,
            Tests::Unlisted { affected: Some(_) } => return Chosen::Everything,
            Tests::Listed(tests) => tests,
        };
        let named: Vec<&str> =
            tests.iter().filter(|test| test.affected.is_some()).map(|test| test.name.as_str()).collect();
        if named.is_empty() {
            Chosen::Nothing
        } else if named.len() == tests.len() {
            Chosen::Everything
        } else {
            Chosen::Named(named)
        }
    }

    /// The name that `cargo nextest` gives the binary.
    pub fn id(&self) -> String {
        let BinaryOfTests { package, name, .. } = self;
        match self.kind {
            TestTargetKind::Library => package.clone(),
            TestTargetKind::Binary => format!("{package}::bin/{name}"),
            TestTargetKind::Integration => format!("{package}::{name}"),
            TestTargetKind::Example => format!("{package}::example/{name}"),
            TestTargetKind::Benchmark => format!("{package}::bench/{name}"),
            TestTargetKind::Documentation => format!("{package}::doc"),
        }
    }

    /// The arguments by which `cargo test` runs this target alone.
    pub fn target_arguments(&self) -> Vec<&str> {
        let mut arguments = vec!["--package", self.package.as_str()];
        match self.kind {
            TestTargetKind::Library => arguments.push("--lib"),
            TestTargetKind::Documentation => arguments.push("--doc"),
            TestTargetKind::Binary => arguments.extend(["--bin", &self.name]),
            TestTargetKind::Integration => arguments.extend(["--test", &self.name]),
            TestTargetKind::Example => arguments.extend(["--example", &self.name]),
            TestTargetKind::Benchmark => arguments.extend(["--bench", &self.name]),
        }
        arguments
    }
}

impl AffectedTests {
    pub fn count(&self) -> Count {
        let listed = self.binaries.iter().filter_map(|binary| match &binary.tests {
            Tests::Listed(tests) => Some(tests),
            Tests::Unlisted { .. } => None,
        });
        listed.flatten().fold(Count::default(), |count, test| Count {
            affected: count.affected + u64::from(test.affected.is_some()),
            all: count.all + 1,
        })
    }

    /// `12 of 340 tests can be affected`, and what is run as a whole.
    pub fn summary(&self) -> String {
        let Count { affected, all } = self.count();
        let whole = self.binaries.iter().filter_map(|binary| match &binary.tests {
            Tests::Unlisted { affected: Some(_) } => Some(match binary.kind {
                TestTargetKind::Documentation => {
                    format!("the examples in the documentation of `{}`", binary.package)
                }
                _ => format!("all of `{}`", binary.id()),
            }),
            _ => None,
        });
        let whole: Vec<String> = whole.collect();
        let tests = wording::count(all, "test", "tests");
        match whole.is_empty() {
            true => format!("{affected} of {tests} can be affected"),
            false => format!("{affected} of {tests} can be affected, and {}", whole.join(", ")),
        }
    }
}

/// A line for each test: the binary, and the name of the test. A binary that is run as a whole, as its tests are not known, stands alone.
pub fn names(report: &AffectedTests) -> String {
    let mut text = String::new();
    for binary in &report.binaries {
        match &binary.tests {
            Tests::Unlisted { affected: None } => {}
            Tests::Unlisted { affected: Some(_) } => text.push_str(&format!("{}\n", binary.id())),
            Tests::Listed(tests) => {
                for test in tests.iter().filter(|test| test.affected.is_some()) {
                    text.push_str(&format!("{} {}\n", binary.id(), test.name));
                }
            }
        }
    }
    text
}

/// A filter for `cargo nextest run -E`. It runs no examples in documentation.
pub fn nextest(report: &AffectedTests) -> String {
    let of_binary = |binary: &BinaryOfTests| {
        let id = format!("binary_id(={})", escaped(&binary.id()));
        match binary.chosen() {
            _ if binary.kind == TestTargetKind::Documentation => None,
            Chosen::Nothing => None,
            Chosen::Everything => Some(id),
            Chosen::Named(names) => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("test(={})", escaped(name))).collect();
                Some(format!("({id} & ({}))", names.join(" | ")))
            }
        }
    };
    let parts: Vec<String> = report.binaries.iter().filter_map(of_binary).collect();
    if parts.is_empty() { "none()".to_owned() } else { parts.join(" | ") }
}

/// Characters that end a name in a filter.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '\\' | '/' | ')' | ',') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// What programs get.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub schema_version: u32,
    pub tool_version: String,
    pub old: VersionRecord,
    pub new: VersionRecord,
    pub counts: CountsRecord,
    pub binaries: Vec<BinaryRecord>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountsRecord {
    pub tests: u64,
    pub affected: u64,
    /// Affected tests by the kind of their reason.
    pub by_reason: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BinaryRecord {
    /// As `cargo nextest` calls it.
    pub id: String,
    pub package: String,
    pub kind: TestTargetKind,
    pub name: String,
    /// Null where they are not known by name.
    pub tests: Option<Vec<TestRecord>>,
    /// Why all of a binary is affected whose tests are not known by name.
    pub whole: Option<ReasonRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestRecord {
    pub name: String,
    pub affected: bool,
    pub reason: Option<ReasonRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonRecord {
    pub kind: String,
    pub text: String,
}

impl From<&Reason> for ReasonRecord {
    fn from(reason: &Reason) -> Self {
        ReasonRecord { kind: reason.kind().to_owned(), text: reason.text() }
    }
}

impl From<&BinaryOfTests> for BinaryRecord {
    fn from(binary: &BinaryOfTests) -> Self {
        let of_test = |test: &SelectedTest| TestRecord {
            name: test.name.clone(),
            affected: test.affected.is_some(),
            reason: test.affected.as_ref().map(ReasonRecord::from),
        };
        let (tests, whole) = match &binary.tests {
            Tests::Listed(tests) => (Some(tests.iter().map(of_test).collect()), None),
            Tests::Unlisted { affected } => (None, affected.as_ref().map(ReasonRecord::from)),
        };
        BinaryRecord {
            id: binary.id(),
            package: binary.package.clone(),
            kind: binary.kind,
            name: binary.name.clone(),
            tests,
            whole,
        }
    }
}

/// All tests, for programs.
pub fn json(report: &AffectedTests) -> Result<String, serde_json::Error> {
    let mut by_reason: BTreeMap<String, u64> = BTreeMap::new();
    for binary in &report.binaries {
        if let Tests::Listed(tests) = &binary.tests {
            for reason in tests.iter().filter_map(|test| test.affected.as_ref()) {
                *by_reason.entry(reason.kind().to_owned()).or_default() += 1;
            }
        }
    }
    let Count { affected, all } = report.count();
    let document = Document {
        schema_version: super::json::SCHEMA_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        old: super::json::version(&report.old),
        new: super::json::version(&report.new),
        counts: CountsRecord { tests: all, affected, by_reason },
        binaries: report.binaries.iter().map(BinaryRecord::from).collect(),
        notes: report.notes.clone(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn report(binaries: Vec<BinaryOfTests>) -> AffectedTests {
        let version = || VersionInfo { rev: "HEAD".into(), oid: None, label: "HEAD".into() };
        AffectedTests { old: version(), new: version(), binaries, notes: Vec::new() }
    }

    fn binary(kind: TestTargetKind, name: &str, tests: &[(&str, bool)]) -> BinaryOfTests {
        let test = |(name, affected): &(&str, bool)| SelectedTest {
            name: (*name).to_owned(),
            affected: affected.then_some(Reason::Itself),
        };
        let tests = match tests.is_empty() {
            true => Tests::Unlisted { affected: Some(Reason::OwnHarness) },
            false => Tests::Listed(tests.iter().map(test).collect()),
        };
        BinaryOfTests { package: "p".into(), kind, name: name.into(), tests }
    }

    fn some() -> AffectedTests {
        report(vec![
            binary(TestTargetKind::Library, "p", &[("tests::a", true), ("tests::b", false)]),
            binary(TestTargetKind::Integration, "it", &[("c", true)]),
            binary(TestTargetKind::Integration, "none", &[("d", false)]),
            binary(TestTargetKind::Integration, "own", &[]),
            binary(TestTargetKind::Documentation, "p", &[]),
        ])
    }

    #[test]
    fn names_are_those_of_nextest() {
        assert_eq!(names(&some()), "p tests::a\np::it c\np::own\np::doc\n");
    }

    #[test]
    fn a_filter_has_binaries_and_tests() {
        let expected = "(binary_id(=p) & (test(=tests::a))) | binary_id(=p::it) | binary_id(=p::own)";
        assert_eq!(nextest(&some()), expected);
        assert_eq!(nextest(&report(vec![binary(TestTargetKind::Library, "p", &[("a", false)])])), "none()");
        assert_eq!(escaped("a/b)"), "a\\/b\\)");
    }

    #[test]
    fn the_summary_counts_what_has_a_name() {
        assert_eq!(
            some().summary(),
            "2 of 4 tests can be affected, and all of `p::own`, the examples in the documentation of `p`"
        );
        let none = report(vec![binary(TestTargetKind::Library, "p", &[("a", false)])]);
        assert_eq!(none.summary(), "0 of 1 test can be affected");
    }

    #[test]
    fn the_document_has_counts_and_reasons() {
        let document: Json = serde_json::from_str(&super::json(&some()).unwrap()).unwrap();
        assert_eq!(document["counts"], json!({ "tests": 4, "affected": 2, "by_reason": { "changed": 2 } }));
        assert_eq!(document["binaries"][0]["tests"][1]["affected"], false);
        assert_eq!(document["binaries"][3]["whole"]["kind"], "own_harness");
        assert_eq!(document["binaries"][1]["kind"], "integration");
    }
}
