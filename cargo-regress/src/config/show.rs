//! Every key with what is in force and where that comes from, as a file that would set the same.

use super::keys::{Key, Kind, Section, declared};
use super::settings::Settings;

/// The column in which origins begin, where the values leave room.
const COLUMN: usize = 32;

pub fn show(settings: &Settings) -> String {
    let mut text = String::new();
    for section in Section::ALL {
        if let Some(table) = section.table() {
            text.push_str(&format!("\n[{table}]\n"));
        }
        for key in section.keys() {
            text.push_str(&line(settings, section, key));
        }
    }
    text
}

fn line(settings: &Settings, section: Section, key: &Key) -> String {
    let set = settings.get(section, key.name);
    let (values, origin) = match set {
        Some(setting) => (Some(setting.values.clone()), setting.origin.as_str()),
        None => (declared(section, key).default, "default"),
    };
    match values {
        None => format!("# {} is not set\n", key.name),
        Some(values) => {
            let assignment = format!("{} = {}", key.name, value(key.kind, &values));
            format!("{assignment:<COLUMN$} # {origin}\n")
        }
    }
}

fn value(kind: Kind, values: &[String]) -> String {
    let text = |value: &String| toml::Value::from(value.clone()).to_string();
    match kind {
        Kind::Flag | Kind::Number { .. } | Kind::Decimal { .. } => {
            values.first().cloned().unwrap_or_default()
        }
        Kind::Choice => values.first().map(text).unwrap_or_default(),
        Kind::Texts => format!("[{}]", values.iter().map(text).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::tests::read;
    use super::*;

    /// What is shown can be read, and sets what was in force.
    #[test]
    fn what_is_shown_is_a_file() {
        let text = "timeout = 30\nfeatures = [\"a\", \"b\\\"c\"]\nrelease = true\nfail-on = \"never\"\n[hook]\nstrict = true\n";
        let settings = Settings::of(vec![read(text).expect("readable")]);
        let shown = show(&settings);
        let again = Settings::of(vec![read(&shown).unwrap_or_else(|error| panic!("{error}\n{shown}"))]);
        for section in Section::ALL {
            for key in section.keys() {
                if let Some(setting) = settings.get(section, key.name) {
                    assert_eq!(
                        again.get(section, key.name).map(|again| &again.values),
                        Some(&setting.values)
                    );
                }
            }
        }
        let line = |key: &str| shown.lines().find(|line| line.contains(key)).unwrap_or_default().to_owned();
        assert_eq!(line("timeout = 30"), format!("{:<32} # regress.toml:1", "timeout = 30"));
        assert_eq!(line("max-len"), format!("{:<32} # default", "max-len = 8"));
        assert_eq!(line("jobs"), "# jobs is not set");
    }
}
