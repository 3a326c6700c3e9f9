//! The page: what is on it, and what a browser makes of it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::report::html::render;
use crate::report::testing::{NASTY, TextSources, nasty, one_of_each, pictured, report};
use crate::report::{Report, finding::Finding};

fn page(report: &Report) -> String {
    render(report, &TextSources)
}

#[test]
fn every_function_is_on_the_page() {
    let report = one_of_each();
    let text = page(&report);
    for function in &report.functions {
        assert!(text.contains(&format!("<code>{}</code>", function.path)), "{}", function.path);
    }
    for finding in report.functions.iter().filter_map(Finding::of) {
        assert!(text.contains(&format!("id=\"{}\"", finding.id())), "{}", finding.id());
    }
}

#[test]
fn nothing_is_loaded() {
    let text = page(&pictured());
    for load in [" src=", "@import", "url(", "http://", "https://"] {
        assert!(!text.contains(load), "{load}");
    }
    assert!(text.contains("default-src 'none'"));
}

#[test]
fn nothing_in_a_text_is_taken_for_markup() {
    let text = page(&nasty());
    assert!(text.contains("{0}&lt;i&gt;&amp;amp;&quot;j") && !text.contains("<i>"), "{text}");
    assert!(text.contains("\\u{1b}[2J\\u{7}") && !text.contains(['\u{1b}', '\u{7}', '\r']), "{text}");
}

#[test]
fn ranges_begin_and_end_where_neighbours_differ() {
    let report = pictured();
    let ranges = report.pictures.samples["parse"].ranges();
    let told: Vec<String> = ranges
        .iter()
        .map(|range| {
            format!("{} to {}, {} runs, {}", range.from, range.to, range.runs, range.class.is_some())
        })
        .collect();
    assert_eq!(told, ["-3 to -2, 2 runs, false", "-1 to 1, 3 runs, true", "2 to 4, 3 runs, false"]);
    let text = page(&report);
    assert!(text.contains(
        "<td><code>-1</code></td><td><code>1</code></td><td class=\"regression word\">regression</td>"
    ));
    assert!(text.contains("the versions differ on 6 of 12 pairs of inputs"));
}

#[test]
fn both_versions_stand_side_by_side() {
    let text = page(&one_of_each());
    let old = "<td class=\"number\">3</td><td class=\"line old suspect\"><code>    let end = bytes.len().min(2);</code>";
    let new = "<td class=\"number\">3</td><td class=\"line new suspect\"><code>    let end = bytes.len() - 2;</code>";
    assert!(text.contains(old) && text.contains(new), "{text}");
    assert!(text.contains("suspect 1: this line changed"));
    // A line that both have stands in both.
    assert!(text.contains(
        "<td class=\"line \"><code>    let bytes = s.as_bytes();</code></td><td class=\"number\">2</td>"
    ));
    // One that the table does not show is named.
    assert!(text.contains("<li value=\"3\"><code>src/helper.rs:9</code>"));
}

/// Runs in the page, before its own script and after it; what it finds is written into the page.
const BEFORE: &str = include_str!("before.js");
const AFTER: &str = include_str!("probe.js");

/// A Chromium, or none; `CHROMIUM` names one.
fn chromium() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let usual = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(str::to_owned);
    named.into_iter().chain(usual).find(|program| {
        let run = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    })
}

/// What the page is found to be in a window of that width.
fn look(program: &str, directory: &Path, report: &Report, width: u32, scheme: &str) -> Json {
    let text = page(report);
    // The policy of the page stands before everything, so it is in force here too.
    let probed = text.replacen("<style>", &format!("<script>{BEFORE}</script><style>"), 1);
    let probed =
        probed.replacen("</body>\n</html>\n", &format!("<script>{AFTER}</script></body>\n</html>\n"), 1);
    let file = directory.join(format!("{width}-{scheme}.html"));
    std::fs::write(&file, probed).expect("writable");
    let output = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--blink-settings=preferredColorScheme={}", if scheme == "dark" { 0 } else { 1 }))
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", directory.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("it can be started");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = dom.rsplit_once("FOUND").and_then(|(_, rest)| rest.split_once("END"));
    let Some((found, _)) = found else {
        panic!("the probe did not end: {}\n{dom}", String::from_utf8_lossy(&output.stderr))
    };
    serde_json::from_slice(&from_base64(found)).expect("it is JSON")
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut bits, mut number) = (Vec::new(), 0, 0_usize);
    for digit in digits {
        number = (number << 6 | digit) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((number >> bits) as u8);
        }
    }
    bytes
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(program) = chromium() else {
        // Not by `eprintln!`, which the test harness keeps to itself.
        let _ = writeln!(std::io::stderr(), "skipped: no Chromium is installed to look at the page with");
        return;
    };
    let directory = tempfile::TempDir::new().expect("a temporary directory");
    for (width, scheme) in [(1360, "light"), (1360, "dark"), (500, "light")] {
        let found = look(&program, directory.path(), &pictured(), width, scheme);
        let context = format!("{width} {scheme}: {found:#}");
        assert_eq!(found["faults"], json!([]), "{context}");
        assert_eq!(found["dark"], scheme == "dark", "{context}");
        assert_eq!(found["pale"], json!([]), "{context}");
        assert_eq!(found["wide"], false, "{context}");
        assert_eq!(found["articles"], 7, "{context}");
        assert_eq!((&found["strangers"], &found["unnamed"]), (&json!(0), &json!(0)), "{context}");
        assert_eq!(found["dead"], json!([]), "{context}");
        assert_eq!(found["keys"], json!(["f1", "f2", "f1", "filter", ""]), "{context}");
        assert_eq!(found["filtered"], json!(["module::Type::fee"]), "{context}");
        assert_eq!((&found["help"], &found["opened"]), (&json!(true), &json!(true)), "{context}");
        // The key copies the first call; then each button is pressed.
        let copied: Vec<&str> =
            found["copied"].as_array().expect("a list").iter().filter_map(Json::as_str).collect();
        assert_eq!(copied[..2], ["parse(\"0\")", "parse(\"0\")"], "{context}");
        assert_eq!(copied.len(), 8, "{context}");
        assert_eq!(found["said"], "Copied", "{context}");
    }
    let found = look(&program, directory.path(), &nasty(), 1360, "light");
    assert_eq!(found["faults"], json!([]), "{found:#}");
    assert_eq!((&found["strangers"], &found["wide"]), (&json!(0), &json!(false)), "{found:#}");
    // The call comes out of the browser as it is.
    let call = format!(
        "{}({NASTY:?})",
        NASTY.replace('\u{1b}', "\\u{1b}").replace('\u{7}', "\\u{7}").replace('\r', "\\r")
    );
    assert_eq!(found["copied"][0], call.as_str(), "{found:#}");
    look(&program, directory.path(), &report(Vec::new()), 1360, "light");
}
