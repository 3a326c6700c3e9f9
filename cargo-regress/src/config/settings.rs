//! What is in force of all that is set.

use super::keys::Section;
use super::read::{Layer, Setting};
use crate::args::defaults::{Defaults, GROUPS};

/// At most one setting for each key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    in_force: Vec<Setting>,
}

impl Settings {
    /// Of layers from the nearest to the farthest. Options that mean something only together come from one of them.
    pub fn of(layers: Vec<Layer>) -> Settings {
        let mut in_force: Layer = Vec::new();
        for layer in layers {
            let decided = |setting: &Setting| {
                in_force.iter().any(|known| {
                    let together =
                        |group: &&[&str]| group.contains(&known.key) && group.contains(&setting.key);
                    known.section == setting.section
                        && (known.key == setting.key || GROUPS.iter().any(together))
                })
            };
            let open: Layer = layer.into_iter().filter(|setting| !decided(setting)).collect();
            in_force.extend(open);
        }
        Settings { in_force }
    }

    pub fn get(&self, section: Section, key: &str) -> Option<&Setting> {
        self.in_force.iter().find(|setting| (setting.section, setting.key) == (section, key))
    }

    /// In the place of what the options are declared with.
    pub fn defaults(&self) -> Defaults {
        let of = |section| {
            let own = self.in_force.iter().filter(|setting| setting.section == section);
            own.map(|setting| (setting.key, setting.values.clone())).collect()
        };
        Defaults { comparison: of(Section::Comparison), hook: of(Section::Hook) }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::read::tests::read;
    use super::*;
    use crate::args::{self, FailOn, HookAction, Options, Request};

    fn layers(texts: &[&str]) -> Settings {
        Settings::of(texts.iter().map(|text| read(text).expect("readable")).collect())
    }

    fn request(line: &str, settings: &Settings) -> Request {
        let words = line.split_whitespace().map(OsString::from);
        args::request(words, &settings.defaults()).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn options(line: &str, settings: &Settings) -> Options {
        match request(line, settings) {
            Request::Compare(options) => *options,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_nearer_wins() {
        let settings =
            layers(&["timeout = 1\n", "timeout = 2\nseed = 2\n", "timeout = 3\nseed = 3\nunwind = 3\n"]);
        let of = |line| {
            let search = options(line, &settings).search;
            (search.timeout, search.seed, search.unwind, search.max_len)
        };
        assert_eq!(of("cargo-regress"), (1, 2, 3, 8));
        assert_eq!(of("cargo-regress --timeout 9 --unwind 9"), (9, 2, 9, 8));
    }

    #[test]
    fn every_kind_of_value_arrives() {
        let text =
            "release = true\njobs = 3\nfail-on = \"unknown\"\nfeatures = [\"a\", \"b\"]\npackage = [\"p\"]\n";
        let options = options("cargo-regress HEAD~2", &layers(&[text]));
        assert!(options.build.release);
        assert_eq!(options.build.jobs.map(|jobs| jobs.get()), Some(3));
        assert_eq!(options.output.fail_on, FailOn::Unknown);
        assert_eq!(options.packages.features.features, ["a", "b"]);
        assert_eq!(options.packages.workspace.package, ["p"]);
        assert_eq!(options.comparison.revision.as_deref(), Some("HEAD~2"));
    }

    #[test]
    fn what_belongs_together_comes_from_one_place() {
        let settings = layers(&["all-features = true\nworkspace = true\n"]);
        let given = options("cargo-regress --no-default-features -p one", &settings).packages;
        assert!(!given.features.all_features && given.features.no_default_features);
        assert!(!given.workspace.workspace);
        let settings = layers(&["features = [\"a\"]\n", "all-features = true\nseed = 4\n"]);
        let options = options("cargo-regress", &settings);
        assert!(!options.packages.features.all_features);
        assert_eq!((options.packages.features.features, options.search.seed), (vec!["a".to_owned()], 4));
    }

    #[test]
    fn other_commands_take_what_they_have() {
        let settings =
            layers(&["timeout = 5\nfail-on = \"never\"\n[hook]\nstrict = true\ntotal-timeout = 7\n"]);
        let Request::Explore(options) = request("cargo-regress explore f", &settings) else {
            panic!("explore")
        };
        assert_eq!(options.search.timeout, 5);
        let hook = |line| match request(line, &settings) {
            Request::Hook(options) => match options.action {
                HookAction::Run(run) => (run.strict, run.total_timeout),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(hook("cargo-regress hook run pre-push"), (true, 7));
        assert_eq!(hook("cargo-regress hook run pre-push --total-timeout 9"), (true, 9));
    }
}
