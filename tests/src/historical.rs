//! Regressions that were published: a version did what the next one did not.

use regress_core::verdict::Version;

/// A step between two published versions, with a test that passes on the first and fails on the second.
#[derive(Clone, Copy, Debug)]
pub struct Historical {
    pub package: &'static str,
    pub old: &'static str,
    pub new: &'static str,
    /// What happened, and how it was told or repaired.
    pub story: &'static str,
    pub test: &'static str,
    /// The file of tests that both versions get.
    pub file: &'static str,
    pub text: &'static str,
    /// Lines that stand once in their file: those that the repair changed, and what they were before.
    pub causes: &'static [(Version, &'static str, &'static str)],
}

pub const HISTORICAL: &[Historical] = &[
    Historical {
        package: "httpdate",
        old: "1.0.1",
        new: "1.0.2",
        story: "days and times with a sign are not taken any more, since digits are read one by one; meant, and never repaired",
        test: "signs_are_taken",
        file: "tests/signs.rs",
        text: "#[test]\nfn signs_are_taken() {\n    assert!(httpdate::parse_http_date(\"Sun, 06 Nov 1994 08:49:37 GMT\").is_ok());\n    assert!(httpdate::parse_http_date(\"Sun, +6 Nov 1994 08:49:37 GMT\").is_ok());\n}\n",
        causes: &[
            (Version::Old, "src/date.rs", "day: conv(&s[5..7]).parse().map_err(cvt_err)?,"),
            (Version::New, "src/date.rs", "day: toint_2(&s[5..7])?,"),
            (Version::New, "src/date.rs", "let high = s[0].wrapping_sub(b'0');"),
            (Version::New, "src/date.rs", "if high < 10 && low < 10 {"),
        ],
    },
    Historical {
        package: "strsim",
        old: "0.8.0",
        new: "0.9.2",
        story: "equal texts of one character have no similarity; repaired in 0.9.3",
        test: "one_character_is_like_itself",
        file: "tests/alike.rs",
        text: "#[test]\nfn one_character_is_like_itself() {\n    assert_eq!(strsim::jaro(\"ab\", \"ab\"), 1.0);\n    assert_eq!(strsim::jaro(\"a\", \"a\"), 1.0);\n}\n",
        causes: &[(
            Version::New,
            "src/lib.rs",
            "} else if a_len == 0 || b_len == 0 || (a_len == 1 && b_len == 1) {",
        )],
    },
    Historical {
        package: "textwrap",
        old: "0.12.1",
        new: "0.13.0",
        story: "escape sequences count when the parts of hyphenated words are measured; repaired in 0.13.1",
        test: "colored_words_are_measured_without_their_colors",
        file: "tests/colored.rs",
        text: "#[test]\nfn colored_words_are_measured_without_their_colors() {\n    let text = \"\\u{1b}[31mred-hot\\u{1b}[0m chili\";\n    assert_eq!(textwrap::fill(text, 13), text);\n}\n",
        causes: &[
            (Version::New, "src/core.rs", "width: word[prev..idx].width(),"),
            (Version::New, "src/core.rs", "width: word[prev..].width(),"),
        ],
    },
    Historical {
        package: "textwrap",
        old: "0.13.4",
        new: "0.14.0",
        story: "texts with escape sequences are cut within characters; repaired in 0.14.2",
        test: "escapes_before_wide_characters",
        file: "tests/escapes.rs",
        text: "#[test]\nfn escapes_before_wide_characters() {\n    assert_eq!(textwrap::fill(\"\\u{1b}!Ͽ\", 10), \"\\u{1b}!Ͽ\");\n}\n",
        causes: &[(Version::New, "src/word_separators.rs", "match &line[..*idx].chars().next_back() {")],
    },
    Historical {
        package: "similar",
        old: "1.2.2",
        new: "1.3.0",
        story: "where the common beginning and the common end overlap, the longest common subsequence is sought in less than nothing; repaired \
                in 2.2.1 and 2.4.0",
        test: "beginning_and_end_may_overlap",
        file: "tests/overlap.rs",
        text: "use similar::{Algorithm, DiffTag, capture_diff_slices};\n\n#[test]\nfn beginning_and_end_may_overlap() {\n    let ops = capture_diff_slices(Algorithm::Lcs, &[0], &[0, 0]);\n    let inserted: usize = ops.iter().filter(|op| op.tag() == DiffTag::Insert).map(|op| op.new_range().len()).sum();\n    assert_eq!(inserted, 1);\n}\n",
        causes: &[(
            Version::New,
            "src/algorithms/lcs.rs",
            "let common_suffix_len = common_suffix_len(old, old_range.clone(), new, new_range.clone());",
        )],
    },
    Historical {
        package: "unicode-width",
        old: "0.1.12",
        new: "0.1.13",
        story: "a line feed is one column wide; taken back in 0.1.14",
        test: "line_feeds_have_no_width",
        file: "tests/feeds.rs",
        text: "use unicode_width::UnicodeWidthStr;\n\n#[test]\nfn line_feeds_have_no_width() {\n    assert_eq!(UnicodeWidthStr::width(\"ab\"), 2);\n    assert_eq!(UnicodeWidthStr::width(\"a\\nb\"), 2);\n}\n",
        causes: &[(Version::New, "src/lib.rs", "'\\n' => (1, NextCharInfo::LineFeed),")],
    },
];
