//! The yardstick: ten published crates that many others depend on, and how the command fares on them.
//!
//! The latest release of each is compared with itself (`campaign identity`; the outcome as a table: see
//! [`identity_table`](crate::identity_table)), changed by one operator (`campaign mutants`), and each of the last three steps
//! from release to release is compared (`campaign releases`).

use crate::campaign::Ground;
use crate::real_crates::{lay, published};
use crate::repository::Repository;

/// A crate with four successive releases, the oldest first. Releases of other branches of development are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yardstick {
    pub name: &'static str,
    pub releases: [&'static str; 4],
}

pub const YARDSTICK: [Yardstick; 10] = [
    Yardstick { name: "base64", releases: ["0.22.0", "0.22.1", "0.23.0", "0.23.1"] },
    Yardstick { name: "bytesize", releases: ["2.4.0", "2.4.1", "2.4.2", "2.7.0"] },
    Yardstick { name: "hex", releases: ["0.3.2", "0.4.0", "0.4.2", "0.4.3"] },
    Yardstick { name: "humantime", releases: ["2.1.0", "2.2.0", "2.3.0", "2.4.0"] },
    Yardstick { name: "itoa", releases: ["1.0.15", "1.0.16", "1.0.17", "1.0.18"] },
    Yardstick { name: "percent-encoding", releases: ["2.2.0", "2.3.0", "2.3.1", "2.3.2"] },
    Yardstick { name: "semver", releases: ["1.0.25", "1.0.26", "1.0.27", "1.0.28"] },
    Yardstick { name: "shlex", releases: ["1.2.1", "1.3.0", "2.0.0", "2.0.1"] },
    Yardstick { name: "textwrap", releases: ["0.16.1", "0.16.2", "0.16.3", "0.16.4"] },
    Yardstick { name: "unicode-width", releases: ["0.2.0", "0.2.1", "0.2.2", "0.2.3"] },
];

impl Yardstick {
    fn latest(&self) -> &'static str {
        self.releases[self.releases.len() - 1]
    }
}

/// The crates whose name contains one of the texts; all if there is no text.
fn wanted(only: &[String]) -> Vec<Yardstick> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    YARDSTICK.into_iter().filter(|crate_| is_wanted(crate_.name)).collect()
}

/// The latest release of each crate, in two commits that differ in nothing that is compiled.
pub fn against_themselves(only: &[String]) -> anyhow::Result<Vec<Ground>> {
    let wanted = wanted(only);
    let latest: Vec<_> = wanted.iter().map(|crate_| (crate_.name, crate_.latest())).collect();
    let places = published(&latest)?;
    let mut grounds = Vec::new();
    for crate_ in wanted {
        let repository = Repository::new()?;
        lay(&repository, &places[crate_.name])?;
        repository.commit_all("a version")?;
        repository.write("notes", "nothing that is compiled")?;
        repository.commit_all("the same again")?;
        grounds.push(Ground::new(crate_.name.to_owned(), repository));
    }
    Ok(grounds)
}

/// Each step from one release of a crate to the next, in two commits.
pub fn steps(only: &[String]) -> anyhow::Result<Vec<Ground>> {
    let wanted = wanted(only);
    let mut places = Vec::new();
    // One release of each crate at a time: cargo takes only one of those that are compatible.
    for age in 0..YARDSTICK[0].releases.len() {
        let releases: Vec<_> = wanted.iter().map(|crate_| (crate_.name, crate_.releases[age])).collect();
        places.push(published(&releases)?);
    }
    let mut grounds = Vec::new();
    for crate_ in wanted {
        for (age, step) in crate_.releases.windows(2).enumerate() {
            let repository = Repository::new()?;
            for place in [&places[age][crate_.name], &places[age + 1][crate_.name]] {
                lay(&repository, place)?;
                repository.commit_all("a release")?;
            }
            grounds.push(Ground::new(format!("{} {} to {}", crate_.name, step[0], step[1]), repository));
        }
    }
    Ok(grounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_chooses_the_crates_that_have_it_in_their_name() {
        let names = |only: &[&str]| -> Vec<_> {
            let only: Vec<String> = only.iter().map(|text| text.to_string()).collect();
            wanted(&only).iter().map(|crate_| crate_.name).collect()
        };
        assert_eq!(names(&["hex", "width"]), ["hex", "unicode-width"]);
        assert_eq!(names(&[]).len(), 10);
        assert!(names(&["no crate"]).is_empty());
    }
}
