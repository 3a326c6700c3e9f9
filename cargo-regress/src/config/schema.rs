//! A JSON schema of the configuration file, made of the same table that the reader goes by.

use serde_json::{Map, Value, json};

use super::keys::{Key, Kind, Section, declared};

pub fn schema() -> Value {
    let mut properties = properties(Section::Comparison);
    for section in Section::ALL {
        if let Some(table) = section.table() {
            let inner = self::properties(section);
            properties.insert(
                table.to_owned(),
                json!({ "type": "object", "additionalProperties": false, "properties": inner }),
            );
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": ".config/regress.toml",
        "description": "Configuration of cargo regress; also package.metadata.regress and workspace.metadata.regress in Cargo.toml",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

fn properties(section: Section) -> Map<String, Value> {
    section.keys().iter().map(|key| (key.name.to_owned(), property(section, key))).collect()
}

fn property(section: Section, key: &Key) -> Value {
    let declared = declared(section, key);
    let mut property = match key.kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Decimal { least, most } => json!({ "type": "number", "minimum": least, "maximum": most }),
        Kind::Number { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Choice => json!({ "type": "string", "enum": declared.words }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string", "minLength": 1 } }),
    };
    property["description"] = declared.help.into();
    if let Some(default) = declared.default {
        property["default"] = match (key.kind, default.first()) {
            (Kind::Texts, _) => default.into(),
            (Kind::Choice, Some(word)) => word.clone().into(),
            (Kind::Flag | Kind::Number { .. } | Kind::Decimal { .. }, Some(text)) => {
                text.parse().unwrap_or(Value::Null)
            }
            (_, None) => Value::Null,
        };
    }
    property
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::super::read::tests::read;
    use super::*;

    /// Values of every type of JSON, and those at the edges of what the schema allows.
    fn samples(property: &Value) -> Vec<Value> {
        let mut samples = vec![
            json!(true),
            json!(0),
            json!(1),
            json!(-1),
            json!(1.5),
            json!(""),
            json!("x"),
            json!([]),
            json!(["x"]),
            json!([""]),
            json!([1]),
            json!({}),
        ];
        for bound in ["minimum", "maximum"] {
            if let Some(bound) = property[bound].as_i64() {
                samples.extend(
                    [bound.checked_sub(1), Some(bound), bound.checked_add(1)]
                        .into_iter()
                        .flatten()
                        .map(Value::from),
                );
            } else if let Some(bound) = property[bound].as_f64() {
                samples.extend([bound / 2.0, bound, bound * 2.0].map(Value::from));
            }
        }
        samples.extend(property["enum"].as_array().into_iter().flatten().cloned());
        samples.extend(property.get("default").cloned());
        samples
    }

    /// What the schema says of a value, by the meaning of the few words that it uses.
    fn allows(property: &Value, value: &Value) -> bool {
        let known = ["type", "minimum", "maximum", "enum", "items", "minLength", "description", "default"];
        let words = property.as_object().expect("an object");
        assert!(words.keys().all(|word| known.contains(&word.as_str())), "{property}");
        let of_type = match property["type"].as_str().expect("a type") {
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value
                .as_array()
                .is_some_and(|items| items.iter().all(|item| allows(&property["items"], item))),
            other => panic!("{other}"),
        };
        let compared = |bound: &str| {
            let bound = &property[bound];
            let whole = bound.as_i64().zip(value.as_i64()).map(|(bound, value)| value.cmp(&bound));
            // Bounds that have no fraction are compared exactly.
            whole.or_else(|| value.as_f64()?.partial_cmp(&bound.as_f64()?))
        };
        of_type
            && compared("minimum") != Some(Ordering::Less)
            && compared("maximum") != Some(Ordering::Greater)
            && property["enum"].as_array().is_none_or(|words| words.contains(value))
            && property["minLength"]
                .as_u64()
                .is_none_or(|least| value.as_str().is_some_and(|text| text.len() as u64 >= least))
    }

    /// The schema allows exactly what the reader takes, at every key and for every kind of value.
    #[test]
    fn schema_and_reader_agree() {
        let schema = schema();
        let mut taken = 0;
        for section in Section::ALL {
            let (properties, prefix) = match section.table() {
                None => (&schema["properties"], String::new()),
                Some(table) => (&schema["properties"][table]["properties"], format!("{table}.")),
            };
            for (key, property) in properties.as_object().expect("an object") {
                if property["type"] == "object" {
                    continue;
                }
                for sample in samples(property) {
                    let value: toml::Value =
                        serde_json::from_value(sample.clone()).expect("JSON is TOML here");
                    let line = format!("{prefix}{key} = {value}\n");
                    let read = read(&line);
                    assert_eq!(read.is_ok(), allows(property, &sample), "{line}: {read:?}");
                    taken += usize::from(read.is_ok());
                }
                // An additional property, which the schema does not allow either.
                assert!(read(&format!("{prefix}{key}x = 1\n")).is_err());
            }
        }
        let keys: usize = Section::ALL.into_iter().map(|section| section.keys().len()).sum();
        assert!(taken >= keys, "{taken} values were taken at {keys} keys");
    }

    #[test]
    fn every_key_of_the_reader_is_in_the_schema() {
        let schema = schema();
        for section in Section::ALL {
            let table = section
                .table()
                .map_or(&schema["properties"], |table| &schema["properties"][table]["properties"]);
            for key in section.keys() {
                assert!(table[key.name]["type"].is_string(), "{}", key.name);
                assert!(
                    table[key.name]["description"].as_str().is_some_and(|text| !text.is_empty()),
                    "{}",
                    key.name
                );
            }
        }
    }
}
