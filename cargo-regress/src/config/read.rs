//! One file, or the environment, as values with their places.

use std::ffi::OsString;
use std::path::Path;

use camino::Utf8PathBuf;
use toml_edit::{Document, Item, TableLike, Value};

use super::ConfigError;
use super::keys::{Key, Kind, PREFIX, Section, declared, nearest};
use super::places::Place;

/// A key that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub section: Section,
    pub key: &'static str,
    /// As on the command line.
    pub values: Vec<String>,
    /// Where: `.config/regress.toml:3`, `CARGO_REGRESS_TIMEOUT`.
    pub origin: String,
}

/// What one place sets.
pub type Layer = Vec<Setting>;

/// Variables of this program that are no settings.
const OWN: [&str; 4] =
    ["CARGO_REGRESS_WORKER", "CARGO_REGRESS_CAPTURE", "CARGO_REGRESS_WRAPPER", crate::user_cache::VARIABLE];

/// What the environment sets. A variable without a value sets nothing.
pub fn environment(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Layer, ConfigError> {
    let all =
        || Section::ALL.into_iter().flat_map(|section| section.keys().iter().map(move |key| (section, key)));
    let mut layer = Layer::new();
    for (name, value) in variables {
        let (name, value) = (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned());
        if !name.starts_with(PREFIX) || OWN.contains(&name.as_str()) || value.is_empty() {
            continue;
        }
        let Some((section, key)) = all().find(|(section, key)| section.variable(key) == name) else {
            let known: Vec<String> = all().map(|(section, key)| section.variable(key)).collect();
            let suggestion = nearest(&name, known.iter().map(String::as_str)).map(str::to_owned);
            return Err(ConfigError::UnknownKey { place: "environment".to_owned(), key: name, suggestion });
        };
        let Some(values) = of_text(section, key, &value) else {
            let expected = key.kind.expected(&declared(section, key).words);
            return Err(ConfigError::WrongValue {
                place: "environment".to_owned(),
                key: name,
                value,
                expected,
            });
        };
        layer.push(Setting { section, key: key.name, values, origin: name });
    }
    Ok(layer)
}

fn of_text(section: Section, key: &Key, text: &str) -> Option<Vec<String>> {
    match key.kind {
        Kind::Flag => match text {
            "true" | "1" => Some(vec!["true".to_owned()]),
            "false" | "0" => Some(vec!["false".to_owned()]),
            _ => None,
        },
        Kind::Number { least, most } => {
            let number: u64 = text.parse().ok()?;
            (least..=most).contains(&number).then(|| vec![number.to_string()])
        }
        Kind::Decimal { least, most } => {
            let number: f64 = text.parse().ok()?;
            (least..=most).contains(&number).then(|| vec![number.to_string()])
        }
        Kind::Choice => {
            declared(section, key).words.contains(&text.to_owned()).then(|| vec![text.to_owned()])
        }
        Kind::Texts => {
            let words = text.split([',', ' ']).filter(|word| !word.is_empty());
            Some(words.map(str::to_owned).collect())
        }
    }
}

/// What a file sets at that place; none if it has no such place. `here` is what its name is shown relative to.
pub fn file(place: &Place, here: &Path) -> Result<Option<Layer>, ConfigError> {
    let shown = place.file.strip_prefix(here).unwrap_or(&place.file);
    let shown = Utf8PathBuf::from(shown.display().to_string());
    let text = std::fs::read_to_string(&place.file)
        .map_err(|source| ConfigError::Unreadable { file: shown.clone(), source })?;
    Source { name: shown.as_str(), text: &text }.read(place.tables)
}

/// The text of a file, for places in it.
struct Source<'t> {
    name: &'t str,
    text: &'t str,
}

impl Source<'_> {
    fn read(&self, tables: &[&str]) -> Result<Option<Layer>, ConfigError> {
        let document = Document::parse(self.text).map_err(|error| ConfigError::NotToml {
            place: self.place(error.span().map(|span| span.start)),
            message: error.message().to_owned(),
        })?;
        let mut table: &dyn TableLike = document.as_table();
        for name in tables {
            let Some(item) = table.get(name) else { return Ok(None) };
            match item.as_table_like() {
                Some(inner) => table = inner,
                // What is wrong with a manifest is for cargo to say, but for the table that is ours.
                None if *name != "regress" => return Ok(None),
                None => return Err(self.wrong(name, item, "a table is expected".to_owned())),
            }
        }
        let mut layer = Layer::new();
        self.read_table(table, Section::Comparison, &mut layer)?;
        Ok(Some(layer))
    }

    fn read_table(
        &self,
        table: &dyn TableLike,
        section: Section,
        layer: &mut Layer,
    ) -> Result<(), ConfigError> {
        for (name, item) in table.iter() {
            let inner = Section::ALL.into_iter().find(|inner| inner.table() == Some(name));
            if let (Section::Comparison, Some(inner)) = (section, inner) {
                let Some(table) = item.as_table_like() else {
                    return Err(self.wrong(name, item, "a table is expected".to_owned()));
                };
                self.read_table(table, inner, layer)?;
                continue;
            }
            let line = table.key(name).and_then(|key| key.span()).map(|span| span.start);
            let Some(key) = section.key(name) else {
                let tables = Section::ALL.into_iter().filter_map(|inner| inner.table());
                let tables = tables.filter(|_| section == Section::Comparison);
                let known = section.keys().iter().map(|key| key.name).chain(tables);
                return Err(ConfigError::UnknownKey {
                    place: self.place(line),
                    key: name.to_owned(),
                    suggestion: nearest(name, known).map(str::to_owned),
                });
            };
            let Some(values) = item.as_value().and_then(|value| of_value(section, key, value)) else {
                return Err(self.wrong(name, item, key.kind.expected(&declared(section, key).words)));
            };
            layer.push(Setting { section, key: key.name, values, origin: self.place(line) });
        }
        Ok(())
    }

    fn wrong(&self, key: &str, item: &Item, expected: String) -> ConfigError {
        let value = item.to_string().trim().to_owned();
        let place = self.place(item.span().map(|span| span.start));
        ConfigError::WrongValue { place, key: key.to_owned(), value, expected }
    }

    fn place(&self, offset: Option<usize>) -> String {
        match offset {
            Some(offset) => {
                let before = &self.text.as_bytes()[..offset.min(self.text.len())];
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
                format!("{}:{line}", self.name)
            }
            None => self.name.to_owned(),
        }
    }
}

fn of_value(section: Section, key: &Key, value: &Value) -> Option<Vec<String>> {
    match key.kind {
        Kind::Flag => value.as_bool().map(|flag| vec![flag.to_string()]),
        Kind::Number { least, most } => {
            let number = u64::try_from(value.as_integer()?).ok()?;
            (least..=most).contains(&number).then(|| vec![number.to_string()])
        }
        Kind::Decimal { least, most } => {
            let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))?;
            (least..=most).contains(&number).then(|| vec![number.to_string()])
        }
        Kind::Choice => {
            let word = value.as_str()?;
            declared(section, key).words.iter().any(|known| known == word).then(|| vec![word.to_owned()])
        }
        Kind::Texts => {
            let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<String>>>().filter(|texts| texts.iter().all(|text| !text.is_empty()))
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a file of that text sets.
    pub fn read(text: &str) -> Result<Layer, ConfigError> {
        let read = Source { name: "regress.toml", text }.read(&[])?;
        Ok(read.unwrap_or_default())
    }

    #[track_caller]
    fn check(text: &str, key: &str, values: &[&str], origin: &str) {
        let layer = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let setting = layer.iter().find(|setting| setting.key == key).expect("it is set");
        assert_eq!(
            (setting.values.as_slice(), setting.origin.as_str()),
            (&values.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()[..], origin)
        );
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = read(text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn values_and_their_lines() {
        check("\n# how long\ntimeout = 30\n", "timeout", &["30"], "regress.toml:3");
        check("features = [\"a\", \"b\"]", "features", &["a", "b"], "regress.toml:1");
        check("fail-on = \"difference\"", "fail-on", &["difference"], "regress.toml:1");
        check("release = true\n[hook]\nstrict = true\n", "strict", &["true"], "regress.toml:3");
        check("call-timeout = 0.2", "call-timeout", &["0.2"], "regress.toml:1");
        check("call-timeout = 3", "call-timeout", &["3"], "regress.toml:1");
        check("hook = { total-timeout = 5 }", "total-timeout", &["5"], "regress.toml:1");
    }

    #[test]
    fn what_nobody_knows_is_an_error() {
        check_error(
            "timeout = 1\ntimout = 3\n",
            "regress.toml:2: unknown key `timout`; did you mean `timeout`?",
        );
        check_error(
            "[hook]\nstrikt = true\n",
            "regress.toml:2: unknown key `strikt`; did you mean `strict`?",
        );
        check_error("[hok]\nstrict = true\n", "regress.toml:1: unknown key `hok`; did you mean `hook`?");
        check_error(
            "wombat = 3\n",
            "regress.toml:1: unknown key `wombat`; `cargo regress config show` lists those there are",
        );
        check_error(
            "[hook]\nhook = 1\n",
            "regress.toml:2: unknown key `hook`; `cargo regress config show` lists those there are",
        );
    }

    #[test]
    fn values_of_another_kind_are_errors() {
        check_error(
            "timeout = 0\n",
            "regress.toml:1: `timeout` is `0`, but a whole number from 1 is expected",
        );
        check_error(
            "\ntimeout = \"30\"\n",
            "regress.toml:2: `timeout` is `\"30\"`, but a whole number from 1 is expected",
        );
        check_error(
            "call-timeout = 0\n",
            "regress.toml:1: `call-timeout` is `0`, but a number from 0.01 to 3600 is expected",
        );
        check_error("release = 1", "regress.toml:1: `release` is `1`, but `true` or `false` is expected");
        check_error(
            "features = \"a\"",
            "regress.toml:1: `features` is `\"a\"`, but a list of texts is expected",
        );
        check_error("hook = 3", "regress.toml:1: `hook` is `3`, but a table is expected");
        check_error(
            "strategy = \"bfs\"",
            "regress.toml:1: `strategy` is `\"bfs\"`, but one of \"rsc\", \"dart\" is expected",
        );
        assert!(
            matches!(read("a = \n"), Err(ConfigError::NotToml { place, .. }) if place == "regress.toml:1")
        );
    }

    #[test]
    fn tables_of_a_manifest() {
        let text = "[package]\nname = \"p\"\n[package.metadata.regress]\nseed = 7\n";
        let source = Source { name: "Cargo.toml", text };
        let layer = source.read(&["package", "metadata", "regress"]).expect("readable").expect("there");
        assert_eq!(layer[0].origin, "Cargo.toml:4");
        assert_eq!(source.read(&["workspace", "metadata", "regress"]).expect("readable"), None);
        let wrong = Source { name: "Cargo.toml", text: "[package.metadata]\nregress = 1\n" };
        assert!(wrong.read(&["package", "metadata", "regress"]).is_err());
    }

    #[test]
    fn variables() {
        let read = |name: &str, value: &str| environment([(OsString::from(name), OsString::from(value))]);
        let set =
            |name: &str, value: &str| read(name, value).expect("known").pop().map(|setting| setting.values);
        let values = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(set("CARGO_REGRESS_TIMEOUT", "30"), values(&["30"]));
        assert_eq!(set("CARGO_REGRESS_HOOK_STRICT", "1"), values(&["true"]));
        assert_eq!(set("CARGO_REGRESS_FEATURES", "a,b c"), values(&["a", "b", "c"]));
        assert_eq!(set("CARGO_REGRESS_TIMEOUT", ""), None);
        assert_eq!(set("CARGO_REGRESS_WORKER", "/tmp/x"), None);
        assert_eq!(set("CARGO_TERM_COLOR", "always"), None);
        let error = |name, value| read(name, value).expect_err("wrong").to_string();
        assert_eq!(
            error("CARGO_REGRESS_TIMOUT", "1"),
            "environment: unknown key `CARGO_REGRESS_TIMOUT`; did you mean `CARGO_REGRESS_TIMEOUT`?"
        );
        assert_eq!(
            error("CARGO_REGRESS_RELEASE", "yes"),
            "environment: `CARGO_REGRESS_RELEASE` is `yes`, but `true` or `false` is expected"
        );
    }
}
