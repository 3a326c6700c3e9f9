//! The table of what comparing the crates of the yardstick with themselves comes to.
//!
//! It holds what does not depend on how fast a machine is: how many functions get a verdict, and why the others do not.
//! How many verdicts are proofs does depend on it, and is told by the campaign alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cargo_regress::pipeline::campaign::{SelfEnd, SelfVerdict};

/// What stands above the sections.
const HEAD: &str = "\
# Published crates against themselves

Every function of the latest release of ten crates is compared with itself, by the whole machinery: the short cut for
unchanged bodies is off. `campaign identity --table` writes this file, `--check` holds it against what happens.
";

/// The section of one crate.
pub fn section(name: &str, verdicts: &[SelfVerdict]) -> String {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let mut without = 0;
    for verdict in verdicts.iter().filter(|verdict| verdict.end == SelfEnd::NotAnalysed) {
        without += 1;
        for reason in &verdict.reasons {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
    let mut text = format!("## {name}\n\n{}", Share::of(verdicts.len() as u64, without));
    if !reasons.is_empty() {
        text.push_str("\n| not analysed | why |\n|---:|---|\n");
    }
    for (reason, count) in reasons {
        let _ = writeln!(text, "| {count} | {} |", reason.replace('|', "\\|").replace('\n', " "));
    }
    text
}

/// The whole table.
pub fn table(sections: &[String]) -> String {
    let sum = sections.iter().filter_map(|section| share(section)).fold(Share::default(), Share::plus);
    format!("{HEAD}\n## All\n\n{sum}\n{}", sections.join("\n"))
}

/// The section of that crate in a table.
pub fn find<'a>(table: &'a str, name: &str) -> Option<&'a str> {
    let start = table.find(&format!("## {name}\n"))?;
    let rest = &table[start..];
    let end = rest[2..].find("\n## ").map_or(rest.len(), |end| end + 2);
    Some(&rest[..end])
}

/// The share of functions with a verdict that a section tells of.
pub fn share(section: &str) -> Option<Share> {
    let line = section.lines().find(|line| line.contains(" functions, "))?;
    let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let &[functions, with, ..] = numbers.as_slice() else { return None };
    Some(Share { functions, with })
}

/// How many functions there are, and how many of them have a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub functions: u64,
    pub with: u64,
}

impl Share {
    fn of(functions: u64, without: u64) -> Share {
        Share { functions, with: functions - without }
    }

    fn plus(self, other: Share) -> Share {
        Share { functions: self.functions + other.functions, with: self.with + other.with }
    }

    /// Whole percents, rounded down.
    pub fn percent(self) -> u64 {
        (100 * self.with).checked_div(self.functions).unwrap_or(100)
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} functions, {} with a verdict: {} %", self.functions, self.with, self.percent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(end: SelfEnd, reason: &str) -> SelfVerdict {
        let reasons = if reason.is_empty() { Vec::new() } else { vec![reason.to_owned()] };
        SelfVerdict { path: "f".to_owned(), end, reasons }
    }

    #[test]
    fn a_section_counts_reasons_of_what_is_not_analysed_and_nothing_else() {
        let verdicts = [
            verdict(SelfEnd::NotAnalysed, "rare"),
            verdict(SelfEnd::Proved, ""),
            verdict(SelfEnd::NotAnalysed, "a | b"),
            verdict(SelfEnd::Compared, "the solver's time was up"),
            verdict(SelfEnd::NotAnalysed, "a | b"),
        ];
        let expected = "## hex\n\n5 functions, 2 with a verdict: 40 %\n\n| not analysed | why |\n|---:|---|\n\
                        | 2 | a \\| b |\n| 1 | rare |\n";
        assert_eq!(section("hex", &verdicts), expected);
    }

    #[test]
    fn sections_are_found_again_and_summed_up() {
        let sections = [
            section("a", &[verdict(SelfEnd::Proved, ""), verdict(SelfEnd::NotAnalysed, "why")]),
            section("ab", &[verdict(SelfEnd::Proved, ""), verdict(SelfEnd::Compared, "")]),
        ];
        let table = table(&sections);
        assert_eq!(find(&table, "a"), Some(sections[0].as_str()));
        assert_eq!(find(&table, "ab"), Some(sections[1].as_str()));
        assert_eq!(find(&table, "b"), None);
        assert_eq!(share(&table), Some(Share { functions: 4, with: 3 }));
    }
}
