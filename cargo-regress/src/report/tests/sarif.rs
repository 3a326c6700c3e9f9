//! The SARIF log, held against the schema of the standard.

use serde_json::Value as Json;

use crate::report::Report;
use crate::report::sarif::render;
use crate::report::testing::{NASTY, accepted, nasty, one_of_each, report};

const SCHEMA: &str = include_str!("../../../tests/schema/sarif-schema-2.1.0.json");

fn parsed(report: &Report) -> Json {
    serde_json::from_str(&render(report).expect("it renders")).expect("it is JSON")
}

/// The errors of the standard's schema, formats of URIs among them.
fn errors(log: &Json) -> Option<String> {
    let schema: Json = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", schema).expect("the schema is one");
    let index = compiler.compile("sarif.json", &mut schemas).expect("the schema compiles");
    schemas.validate(log, index).err().map(|error| format!("{error:#}"))
}

#[test]
fn the_log_keeps_to_the_standards_schema() {
    for report in [report(Vec::new()), one_of_each(), nasty(), accepted()] {
        assert_eq!(errors(&parsed(&report)), None);
    }
}

#[test]
fn the_schema_finds_faults() {
    let good = parsed(&one_of_each());
    let faults: [(&str, Json); 5] = [
        ("/runs/0/results/0/level", "terrible".into()),
        ("/runs/0/results/0/ruleIndex", (-2).into()),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0.into()),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b".into()),
        ("/version", "2.0.0".into()),
    ];
    for (pointer, value) in faults {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there")) = value;
        assert!(errors(&bad).is_some(), "{pointer}");
    }
}

#[test]
fn differences_are_results_and_limits_are_notifications() {
    let log = parsed(&one_of_each());
    let run = &log["runs"][0];
    let ids = |list: &Json, pointer: &str| -> Vec<String> {
        let items = list.as_array().expect("a list").iter();
        items.map(|item| item.pointer(pointer).and_then(Json::as_str).expect("an id").to_owned()).collect()
    };
    let results = ids(&run["results"], "/ruleId");
    assert_eq!(results, ["REG0001", "REG0002", "REG0003", "REG0005", "REG0004", "REG0006", "REG0009"]);
    let limits = ids(&run["invocations"][0]["toolExecutionNotifications"], "/descriptor/id");
    assert_eq!(limits, ["REG0011", "REG0010", "REG0012", "REG0013"]);
    for result in run["results"].as_array().expect("a list") {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let first = &run["results"][0];
    assert_eq!(first["level"], "error");
    let at = &first["locations"][0]["physicalLocation"];
    assert_eq!(at["artifactLocation"]["uri"], "src/lib.rs");
    assert_eq!(
        at["region"],
        serde_json::json!({ "startLine": 3, "endLine": 3, "startColumn": 15, "endColumn": 30 })
    );
    assert_eq!(first["relatedLocations"].as_array().map(Vec::len), Some(2));
    assert!(first["message"]["text"].as_str().is_some_and(|text| text.contains("in the old version")));
}

#[test]
fn what_is_accepted_is_suppressed() {
    let log = parsed(&accepted());
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "REG0014");
    let expected =
        serde_json::json!([{ "kind": "external", "status": "accepted", "justification": "as agreed" }]);
    assert_eq!(result["suppressions"], expected);
    assert!(log["runs"][0]["properties"]["notes"][0].as_str().is_some_and(|note| note.contains("a.toml:9")));
}

#[test]
fn texts_are_no_placeholders_and_no_links() {
    let log = parsed(&nasty());
    let result = &log["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().expect("a text");
    assert!(message.contains("{{0}}") && !message.replace("{{0}}", "").contains("{0}"), "{message}");
    assert!(!message.contains("]("), "{message}");
    // What programs read is as it was.
    assert!(result["properties"]["witnesses"][0]["new"].as_str().is_some_and(|text| text.contains(NASTY)));
}
