//! What clients say, as words of a command line.

use std::ffi::OsString;
use std::path::Path;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;

/// Which two versions of which package.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Versions {
    /// The old version: a revision of git, such as `HEAD`, `main` or `v1.2`. If it is left out, the uncommitted changes of the work tree are
    /// compared with HEAD; if there are none, HEAD with HEAD~1.
    #[serde(default)]
    base: Option<String>,
    /// The new version: a revision of git. If it is left out, the work tree with its uncommitted changes. Needs `base`.
    #[serde(default)]
    new: Option<String>,
    /// The package of the workspace, as in `cargo build --package`.
    #[serde(default)]
    package: Option<String>,
    /// Features of the package that are switched on.
    #[serde(default)]
    features: Vec<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Compare {
    #[serde(flatten)]
    versions: Versions,
    /// Compare only these functions, each by its path as reports show it (`module::Type::method`), or by the end of the path if no other function
    /// ends so.
    #[serde(default)]
    functions: Vec<String>,
    #[serde(flatten)]
    time: TotalTime,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ExplainFunction {
    /// The path of the function as reports show it (`module::Type::method`), or the end of the path if no other function ends so.
    function: String,
    #[serde(flatten)]
    versions: Versions,
    #[serde(flatten)]
    time: TotalTime,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct LocalizeTest {
    /// The failing test by its whole name: `tests::signs`, or an example in the documentation: `src/lib.rs - parse (line 12)`.
    #[serde(default)]
    test: Option<String>,
    /// In place of a test, a function with its arguments, as reports print calls: `parse("0-")`.
    #[serde(default)]
    call: Option<String>,
    #[serde(flatten)]
    versions: Versions,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct AffectedTests {
    #[serde(flatten)]
    versions: Versions,
    #[serde(flatten)]
    time: TotalTime,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct TotalTime {
    /// How long the whole run may take, in seconds. Functions that are not finished by then are named; what reads the versions is not cut short.
    #[serde(default = "a_minute")]
    #[schemars(range(min = 1))]
    total_timeout: u64,
}

fn a_minute() -> u64 {
    60
}

/// What cannot be asked for.
#[derive(Debug, thiserror::Error)]
pub enum NotAsked {
    #[error(
        "`new` needs `base`: name the old version too, or leave out both to compare the work tree with HEAD"
    )]
    NewAlone,
    #[error("there is no argument `{name}`; there are {known}")]
    Unknown { name: String, known: String },
}

/// Refuses arguments that the tool does not know: one that is misspelled would go without effect.
pub fn refuse_unknown(given: Option<&JsonObject>, schema: &JsonObject) -> Result<(), NotAsked> {
    let known = schema.get("properties").and_then(|properties| properties.as_object());
    let names = || known.into_iter().flat_map(|known| known.keys());
    match given.into_iter().flat_map(|given| given.keys()).find(|name| names().all(|known| known != *name)) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            Err(NotAsked::Unknown { name: name.clone(), known: known.join(", ") })
        }
    }
}

/// Words of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<OsString>);

impl Words {
    fn word(mut self, word: &str) -> Words {
        self.0.push(word.into());
        self
    }

    /// What begins with a dash is a value all the same.
    fn option(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Words {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        self.0.push(word);
        self
    }

    fn options(self, name: &str, values: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> Words {
        values.into_iter().fold(self, |words, value| words.option(name, value))
    }

    /// These go before the revision.
    fn versions(self, before: &[OsString], versions: &Versions) -> Result<Vec<OsString>, NotAsked> {
        let Versions { base, new, package, features } = versions;
        let mut words = self.options("package", package).options("features", features).0;
        words.extend_from_slice(before);
        let revision = match (base, new) {
            (None, None) => return Ok(words),
            (Some(base), None) => base.clone(),
            (Some(base), Some(new)) => format!("{base}..{new}"),
            (None, Some(_)) => return Err(NotAsked::NewAlone),
        };
        words.extend(["--".into(), revision.into()]);
        Ok(words)
    }

    /// The report as JSON in a file, and in another form on standard output.
    fn report(self, file: &Path, printed: &str) -> Words {
        self.option("message-format", "json").option("output-path", file).option("message-format", printed)
    }
}

/// A request, as a run of this program.
pub trait Asked {
    /// The command line, with what the server was started with (`common`) and the file for the report.
    fn words(&self, common: &[OsString], report: &Path) -> Result<Vec<OsString>, NotAsked>;
}

impl Asked for Compare {
    fn words(&self, common: &[OsString], report: &Path) -> Result<Vec<OsString>, NotAsked> {
        let words = comparison(&self.time).report(report, "short").options("function", &self.functions);
        words.versions(common, &self.versions)
    }
}

impl Asked for ExplainFunction {
    fn words(&self, common: &[OsString], report: &Path) -> Result<Vec<OsString>, NotAsked> {
        let words = comparison(&self.time).report(report, "human").option("function", &self.function);
        words.versions(common, &self.versions)
    }
}

fn comparison(time: &TotalTime) -> Words {
    let words = Words::default().option("color", "never").option("annotations", "never");
    words.option("total-timeout", time.total_timeout.to_string())
}

impl Asked for LocalizeTest {
    fn words(&self, common: &[OsString], report: &Path) -> Result<Vec<OsString>, NotAsked> {
        let words = Words::default()
            .word("localize")
            .report(report, "human")
            .option("color", "never")
            .options("test", &self.test)
            .options("call", &self.call);
        words.versions(common, &self.versions)
    }
}

impl Asked for AffectedTests {
    fn words(&self, common: &[OsString], _report: &Path) -> Result<Vec<OsString>, NotAsked> {
        let words = Words::default()
            .word("affected-tests")
            .option("message-format", "json")
            .option("color", "never")
            .option("total-timeout", self.time.total_timeout.to_string());
        words.versions(common, &self.versions)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::args::defaults::Defaults;
    use crate::args::{self, Request};

    fn given<P: Asked + for<'de> Deserialize<'de>>(arguments: Value) -> P {
        serde_json::from_value(arguments).expect("arguments of the tool")
    }

    /// The request that the command line of these arguments is taken for.
    fn asked<P: Asked + for<'de> Deserialize<'de>>(arguments: Value) -> Request {
        let common = ["--target-dir=out".into()];
        let words = given::<P>(arguments).words(&common, Path::new("/r.json")).expect("it can be asked for");
        let words = std::iter::once("cargo-regress".into()).chain(words);
        args::request(words, &Defaults::default()).expect("a command line")
    }

    #[test]
    fn a_comparison_is_asked_for_as_on_the_command_line() {
        let arguments = json!({"base": "explore", "new": "-x", "package": "p", "features": ["a", "b"], "functions": ["f"]});
        let Request::Compare(options) = asked::<Compare>(arguments) else { panic!("a comparison") };
        assert_eq!(options.comparison.revision.as_deref(), Some("explore..-x"));
        assert_eq!(options.packages.workspace.package, ["p"]);
        assert_eq!(options.packages.features.features, ["a", "b"]);
        assert_eq!(options.parts.function, ["f"]);
        assert_eq!(options.budget.total_timeout, Some(60));
        assert_eq!(options.build.target_dir.as_deref(), Some("out".into()));
        let Request::Compare(options) = asked::<Compare>(json!({"base": "-x", "total_timeout": 5})) else {
            panic!("a comparison")
        };
        assert_eq!(options.comparison.revision.as_deref(), Some("-x"));
        assert_eq!(options.budget.total_timeout, Some(5));
        let Request::Compare(options) = asked::<Compare>(json!({})) else { panic!("a comparison") };
        assert_eq!(options.comparison.revision, None);
        let Request::Compare(options) = asked::<ExplainFunction>(json!({"function": "-f"})) else {
            panic!("a comparison")
        };
        assert_eq!(options.parts.function, ["-f"]);
    }

    #[test]
    fn other_tools_are_commands() {
        let Request::Localize(options) = asked::<LocalizeTest>(json!({"call": "-f(1)"})) else {
            panic!("localize")
        };
        assert_eq!((options.call.as_deref(), options.test.as_deref()), (Some("-f(1)"), None));
        let Request::AffectedTests(options) = asked::<AffectedTests>(json!({"base": "v1"})) else {
            panic!("affected-tests")
        };
        assert_eq!(options.comparison.revision.as_deref(), Some("v1"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let words = given::<Compare>(json!({"new": "v2"})).words(&[], Path::new("/r.json"));
        assert!(matches!(words, Err(NotAsked::NewAlone)), "{words:?}");
        let object = |value: Value| value.as_object().expect("an object").clone();
        let schema = object(json!({"properties": {"base": {}, "new": {}}}));
        assert!(refuse_unknown(None, &schema).is_ok());
        assert!(refuse_unknown(Some(&object(json!({"base": "v1"}))), &schema).is_ok());
        let refused = refuse_unknown(Some(&object(json!({"new": "v2", "old": "v1"}))), &schema);
        assert_eq!(
            refused.expect_err("unknown").to_string(),
            "there is no argument `old`; there are `base`, `new`"
        );
    }
}
