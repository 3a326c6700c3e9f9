//! The survey: steps from release to release of published libraries that nobody tuned for, each compared within a minute, and why
//! functions are left without a statement.
//!
//! It reads the command's report in JSON, as a user's program would. What it prints depends on how fast the machine is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::command::{self, Run};
use crate::real_crates::{lay, published};
use crate::repository::Repository;

/// A library, a release and the next one that is compared with it.
pub type Step = (&'static str, &'static str, &'static str);

pub const STEPS: [Step; 46] = [
    ("Inflector", "0.11.3", "0.11.4"),
    ("arrayvec", "0.7.4", "0.7.6"),
    ("bech32", "0.10.0-beta", "0.11.0"),
    ("bit-set", "0.5.3", "0.6.0"),
    ("bit-vec", "0.6.3", "0.8.0"),
    ("bs58", "0.5.0", "0.5.1"),
    ("byteorder", "1.4.3", "1.5.0"),
    ("cookie", "0.18.0", "0.18.1"),
    ("cron", "0.12.0", "0.12.1"),
    ("csv-core", "0.1.11", "0.1.12"),
    ("data-encoding", "2.5.0", "2.6.0"),
    ("dotenvy", "0.15.6", "0.15.7"),
    ("email_address", "0.2.4", "0.2.9"),
    ("euclid", "0.22.9", "0.22.10"),
    ("fastrand", "2.0.0", "2.1.0"),
    ("glob", "0.3.1", "0.3.2"),
    ("globset", "0.4.14", "0.4.15"),
    ("heck", "0.4.1", "0.5.0"),
    ("http", "1.0.0", "1.1.0"),
    ("humansize", "2.1.2", "2.1.3"),
    ("indexmap", "2.2.5", "2.2.6"),
    ("integer-encoding", "3.0.4", "4.0.0"),
    ("iri-string", "0.7.0", "0.7.2"),
    ("iso8601", "0.6.1", "0.6.2"),
    ("itertools", "0.13.0", "0.14.0"),
    ("memchr", "2.7.1", "2.7.2"),
    ("miniz_oxide", "0.7.2", "0.7.3"),
    ("num-complex", "0.4.5", "0.4.6"),
    ("num-format", "0.4.3", "0.4.4"),
    ("number_prefix", "0.3.0", "0.4.0"),
    ("ordered-float", "4.2.0", "4.2.1"),
    ("postcard", "1.0.8", "1.0.10"),
    ("quick-xml", "0.31.0", "0.32.0"),
    ("ron", "0.8.0", "0.8.1"),
    ("roxmltree", "0.19.0", "0.20.0"),
    ("rust-ini", "0.20.0", "0.21.0"),
    ("shell-words", "1.0.0", "1.1.0"),
    ("slab", "0.4.8", "0.4.9"),
    ("slotmap", "1.0.6", "1.0.7"),
    ("smallvec", "1.13.1", "1.13.2"),
    ("smol_str", "0.2.1", "0.2.2"),
    ("snap", "1.1.0", "1.1.1"),
    ("tinyvec", "1.6.0", "1.6.1"),
    ("ulid", "1.1.2", "1.1.3"),
    ("unicode-segmentation", "1.10.1", "1.11.0"),
    ("uuid", "1.8.0", "1.9.0"),
];

/// What a comparison of one step came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surveyed {
    pub changed: Share,
    pub affected: Share,
    /// Functions without a statement, by why.
    pub reasons: BTreeMap<String, u64>,
    /// Differences that no native run confirmed.
    pub unconfirmed: u64,
    pub seconds: f64,
}

/// Functions of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub functions: u64,
    /// Run natively in both versions.
    pub run: u64,
    /// Shown to differ, or proved equal if only within bounds.
    pub stated: u64,
}

/// Compares both releases of a step within the time.
pub fn survey(step: &Step, total_timeout: u64) -> anyhow::Result<Surveyed> {
    let (name, old, new) = *step;
    let repository = Repository::new()?;
    for version in [old, new] {
        lay(&repository, &published(&[(name, version)])?[name])?;
        repository.commit_all(version)?;
    }
    let report = repository.root().join("target").join("survey.json");
    let total = total_timeout.to_string();
    let path = report.to_string_lossy().into_owned();
    let args = [
        "regress",
        "HEAD~1..HEAD",
        "--total-timeout",
        &total,
        "--message-format",
        "json",
        "--output-path",
        &path,
    ];
    let Run { code, stderr, .. } = command::run(repository.root(), &args);
    let text =
        std::fs::read_to_string(&report).map_err(|error| anyhow::anyhow!("{error} ({code:?}):\n{stderr}"))?;
    Ok(surveyed(&serde_json::from_str(&text)?))
}

/// What a report in JSON tells.
pub fn surveyed(report: &Value) -> Surveyed {
    let mut found = Surveyed {
        unconfirmed: report["summary"]["unconfirmed"].as_u64().unwrap_or_default(),
        seconds: report["summary"]["duration_seconds"].as_f64().unwrap_or_default(),
        ..Surveyed::default()
    };
    for function in report["functions"].as_array().into_iter().flatten() {
        let share = match function["kind"].as_str() {
            Some("changed" | "signature_changed") => &mut found.changed,
            Some("affected") => &mut found.affected,
            _ => continue,
        };
        share.functions += 1;
        let verdict = function["verdict"].as_str().unwrap_or_default();
        let not_run = texts(&function["notes"]).any(|note| note.starts_with("nothing was run natively"));
        share.run += u64::from(!not_run && verdict != "not_analysed");
        if matches!(verdict, "differs" | "equal" | "equal_within") {
            share.stated += 1;
            continue;
        }
        let reason = function["reason"].as_str().map(str::to_owned);
        let reason =
            reason.or_else(|| function["ledger"].as_array()?.first()?["text"].as_str().map(str::to_owned));
        *found.reasons.entry(without_names(&reason.unwrap_or_default())).or_default() += 1;
    }
    found
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The reason without what it is about in this crate: whatever stands in backquotes, and what parameters stand for.
fn without_names(reason: &str) -> String {
    let quoted = reason.split('`').enumerate();
    let mut text: String = quoted.map(|(at, part)| if at % 2 == 1 { "`_`" } else { part }).collect();
    if let (Some(start), Some(end)) = (text.find("may be called with "), text.find(" is not known")) {
        text.replace_range(start + "may be called with ".len()..end, "_");
    }
    text
}

impl Share {
    fn plus(self, other: Share) -> Share {
        Share {
            functions: self.functions + other.functions,
            run: self.run + other.run,
            stated: self.stated + other.stated,
        }
    }

    fn cells(&self) -> String {
        format!("{} | {} | {}", self.functions, self.run, self.stated)
    }

    fn percents(&self) -> String {
        let of = |part: u64| (100 * part).checked_div(self.functions).unwrap_or(100);
        format!(
            "{} functions, {} % run natively, {} % with a statement",
            self.functions,
            of(self.run),
            of(self.stated)
        )
    }
}

/// The table of the steps that were compared, and why functions are left without a statement.
pub fn table(steps: &[(Step, Surveyed)]) -> String {
    const MOST_REASONS: usize = 40;
    let mut text = String::from(
        "| step | changed | run | stated | affected | run | stated | s |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let (mut changed, mut affected) = (Share::default(), Share::default());
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for ((name, old, new), surveyed) in steps {
        let (of_changed, of_affected) = (surveyed.changed.cells(), surveyed.affected.cells());
        let _ = writeln!(
            text,
            "| {name} {old} to {new} | {of_changed} | {of_affected} | {:.0} |",
            surveyed.seconds
        );
        changed = changed.plus(surveyed.changed);
        affected = affected.plus(surveyed.affected);
        for (reason, count) in &surveyed.reasons {
            *reasons.entry(reason).or_default() += count;
        }
    }
    let _ = writeln!(text, "\nChanged: {}.\nAffected: {}.\n", changed.percents(), affected.percents());
    text.push_str("| without a statement | why |\n|---:|---|\n");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
    for (reason, count) in reasons.into_iter().take(MOST_REASONS) {
        let _ = writeln!(text, "| {count} | {} |", reason.replace('|', "\\|").replace('\n', " "));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Value {
        json!({
            "functions": [
                {"kind": "changed", "verdict": "differs", "notes": []},
                {"kind": "changed", "verdict": "not_analysed", "reason": "a `Foo` cannot be built", "notes": []},
                {"kind": "affected", "verdict": "no_difference_found", "notes": [],
                 "ledger": [{"text": "the meaning of `f32::sin` is not known"}]},
                {"kind": "affected", "verdict": "equal", "notes": ["nothing was run natively: it is odd"]},
                {"kind": "unchanged", "verdict": "unchanged", "notes": []},
                {"kind": "added", "verdict": "added", "notes": []},
            ],
            "summary": {"unconfirmed": 0, "duration_seconds": 2.4},
        })
    }

    #[test]
    fn functions_are_counted_by_kind_and_by_what_was_said_of_them() {
        let found = surveyed(&report());
        assert_eq!(found.changed, Share { functions: 2, run: 1, stated: 1 });
        assert_eq!(found.affected, Share { functions: 2, run: 1, stated: 1 });
        let reasons: Vec<_> = found.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        assert_eq!(reasons, [("a `_` cannot be built", 1), ("the meaning of `_` is not known", 1)]);
    }

    #[test]
    fn what_parameters_stand_for_is_left_out_of_reasons() {
        let reason =
            "it is generic, and whether it may be called with T = [u8; 3] is not known: it is unsafe";
        let expected = "it is generic, and whether it may be called with _ is not known: it is unsafe";
        assert_eq!(without_names(reason), expected);
    }

    #[test]
    fn the_table_sums_up() {
        let table = table(&[(("a", "1", "2"), surveyed(&report())), (("b", "1", "2"), surveyed(&report()))]);
        assert!(table.contains("| b 1 to 2 | 2 | 1 | 1 | 2 | 1 | 1 | 2 |"), "{table}");
        assert!(table.contains("Changed: 4 functions, 50 % run natively, 50 % with a statement."), "{table}");
        assert!(table.contains("| 2 | a `_` cannot be built |"), "{table}");
    }
}
