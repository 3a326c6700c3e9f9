//! Regressions seeded in published crates: slips that people make, as small patches, each with the test that it breaks.
//!
//! Most of the tests are the crates' own; where none of theirs shows the slip, or theirs need other packages, one is added to both
//! versions. Real changes have several hunks, so some slips come with edits that do no harm.

/// One regression.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    pub name: &'static str,
    pub package: &'static str,
    pub version: &'static str,
    /// What kind of slip it is.
    pub slip: &'static str,
    /// The first has the slip in it, the others do no harm.
    pub edits: &'static [Edit],
    /// The test that fails.
    pub test: &'static str,
    /// A file of tests that both versions get.
    pub added: Option<(&'static str, &'static str)>,
}

/// A text that stands once in a file, and what takes its place.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    pub file: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

pub const SEEDED: &[Seeded] = &[
    Seeded {
        name: "shlex, went around a helper",
        package: "shlex",
        version: "2.0.1",
        slip: "the inner iterator is asked instead of the method that counts lines",
        edits: &[Edit {
            file: "src/bytes.rs",
            old: "            if let Some(ch2) = self.next_char() { ch = ch2; } else { break; }\n",
            new: "            if let Some(&ch2) = self.in_iter.next() { ch = ch2; } else { break; }\n",
        }],
        test: "test_lineno",
        added: None,
    },
    Seeded {
        name: "shlex, dropped arm",
        package: "shlex",
        version: "2.0.1",
        slip: "an arm that seemed to do nothing is gone",
        edits: &[
            Edit {
                file: "src/bytes.rs",
                old: "                                // \\<newline> => nothing\n                                '\\n' => {},\n",
                new: "",
            },
            Edit {
                file: "src/bytes.rs",
                old: "        let res = self.in_iter.next().copied();\n        if res == Some(b'\\n') { self.line_no += 1; }\n        res\n",
                new: "        let next = *self.in_iter.next()?;\n        if next == b'\\n' { self.line_no += 1; }\n        Some(next)\n",
            },
        ],
        test: "test_split",
        added: None,
    },
    Seeded {
        name: "shlex, lost state",
        package: "shlex",
        version: "2.0.1",
        slip: "what held for the characters so far is not kept",
        edits: &[
            Edit {
                file: "src/bytes.rs",
                old: "            // `quoting_strategy` again to handle the rest of the string.\n            break;\n        }\n\n        prev_ok = cur_ok;\n        i += 1;\n",
                new: "            // `quoting_strategy` again to handle the rest of the string.\n            break;\n        }\n\n        i += 1;\n",
            },
            Edit {
                file: "src/bytes.rs",
                old: "    match c {\n        // Work around Python `shlex` bug where parsing \"\\`\" and \"\\$\" doesn't strip the\n        // backslash, even though POSIX requires it.\n        b'`' | b'$' => false,\n        // '!' and '^' are treated specially in interactive mode; see quoting_warning.\n        b'!' | b'^' => false,\n        _ => true\n    }\n",
                new: "    // Work around Python `shlex` bug where parsing \"\\`\" and \"\\$\" doesn't strip the\n    // backslash, even though POSIX requires it.\n    // '!' and '^' are treated specially in interactive mode; see quoting_warning.\n    !matches!(c, b'`' | b'$' | b'!' | b'^')\n",
            },
        ],
        test: "test_quote",
        added: None,
    },
    Seeded {
        name: "semver, off by one",
        package: "semver",
        version: "1.0.28",
        slip: "the first digit is the one with index 0, not 1",
        edits: &[Edit {
            file: "src/parse.rs",
            old: "        if value == 0 && len > 0 {\n",
            new: "        if value == 0 && len > 1 {\n",
        }],
        test: "test_parse",
        added: None,
    },
    Seeded {
        name: "semver, forgotten reset",
        package: "semver",
        version: "1.0.28",
        slip: "a flag of one segment holds for the next one",
        edits: &[
            Edit {
                file: "src/parse.rs",
                old: "                    segment_len = 0;\n                    segment_has_nondigit = false;\n",
                new: "                    segment_len = 0;\n",
            },
            Edit {
                file: "src/parse.rs",
                old: "    if let Some(rest) = input.strip_prefix('*') {\n        Some(('*', rest))\n    } else if let Some(rest) = input.strip_prefix('x') {\n        Some(('x', rest))\n    } else if let Some(rest) = input.strip_prefix('X') {\n        Some(('X', rest))\n    } else {\n        None\n    }\n",
                new: "    let first = input.chars().next()?;\n    matches!(first, '*' | 'x' | 'X').then(|| (first, &input[1..]))\n",
            },
        ],
        test: "zeros_in_front_of_later_segments",
        added: Some((
            "tests/segments.rs",
            "#[test]\nfn zeros_in_front_of_later_segments() {\n    assert!(semver::Version::parse(\"1.2.3-a.7\").is_ok());\n    assert!(semver::Version::parse(\"1.2.3-a.07\").is_err());\n}\n",
        )),
    },
    Seeded {
        name: "semver, wrong variable",
        package: "semver",
        version: "1.0.28",
        slip: "the text before the dot is handed on",
        edits: &[Edit {
            file: "src/parse.rs",
            old: "        let (build, text) = if let Some(text) = text.strip_prefix('+') {\n            pos = Position::Build;\n            let (build, text) = build_identifier(text)?;\n            if build.is_empty() {\n",
            new: "        let (build, text) = if let Some(rest) = text.strip_prefix('+') {\n            pos = Position::Build;\n            let (build, _) = build_identifier(rest)?;\n            if build.is_empty() {\n",
        }],
        test: "test_parse",
        added: None,
    },
    Seeded {
        name: "semver, wrong place",
        package: "semver",
        version: "1.0.28",
        slip: "the second character is looked for in the place of the first",
        edits: &[Edit {
            file: "src/parse.rs",
            old: "        if bytes.get(1) == Some(&b'=') {\n            (Op::LessEq,",
            new: "        if bytes.first() == Some(&b'=') {\n            (Op::LessEq,",
        }],
        test: "test_less_than",
        added: None,
    },
    Seeded {
        name: "httpdate, copied line",
        package: "httpdate",
        version: "1.0.2",
        slip: "the copy of a line was changed in one place of two",
        edits: &[
            Edit {
                file: "src/date.rs",
                old: "        sec: toint_2(&s[17..19])?,\n        min: toint_2(&s[14..16])?,\n        hour: toint_2(&s[11..13])?,\n",
                new: "        sec: toint_2(&s[17..19])?,\n        min: toint_2(&s[17..19])?,\n        hour: toint_2(&s[11..13])?,\n",
            },
            Edit {
                file: "src/date.rs",
                old: "    let result = x.wrapping_sub(b'0');\n    if result < 10 {\n        Ok(result)\n    } else {\n        Err(Error(()))\n    }\n",
                new: "    match x {\n        b'0'..=b'9' => Ok(x - b'0'),\n        _ => Err(Error(())),\n    }\n",
            },
        ],
        test: "tests::test_rfc_example",
        added: None,
    },
    Seeded {
        name: "httpdate, wrong comparison",
        package: "httpdate",
        version: "1.0.2",
        slip: "the arms of an if were exchanged, the condition was not negated",
        edits: &[Edit {
            file: "src/date.rs",
            old: "    if year < 70 {\n        year += 2000;\n    } else {\n        year += 1900;\n    }\n",
            new: "    year += if year < 70 { 1900 } else { 2000 };\n",
        }],
        test: "tests::test_rfc_example",
        added: None,
    },
    Seeded {
        name: "httpdate, forgotten minus one",
        package: "httpdate",
        version: "1.0.2",
        slip: "leap years up to this one are counted, not those before it",
        edits: &[
            Edit {
                file: "src/date.rs",
                old: "            ((v.year - 1) - 1968) / 4 - ((v.year - 1) - 1900) / 100 + ((v.year - 1) - 1600) / 400;\n",
                new: "            (v.year - 1968) / 4 - (v.year - 1900) / 100 + (v.year - 1600) / 400;\n",
            },
            Edit {
                file: "src/date.rs",
                old: "fn is_leap_year(y: u16) -> bool {\n    y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)\n",
                new: "fn is_leap_year(y: u16) -> bool {\n    y % if y % 100 == 0 { 400 } else { 4 } == 0\n",
            },
        ],
        test: "tests::test2",
        added: None,
    },
    Seeded {
        name: "httpdate, boundary",
        package: "httpdate",
        version: "1.0.2",
        slip: "the last day of the week has number 0 in one place and 7 in the other",
        edits: &[Edit {
            file: "src/date.rs",
            old: "        if wday <= 0 {\n",
            new: "        if wday < 0 {\n",
        }],
        test: "tests::test_fmt",
        added: None,
    },
    Seeded {
        name: "percent-encoding, wrong variable",
        package: "percent-encoding",
        version: "2.3.2",
        slip: "the second digit is read from where the first one is",
        edits: &[Edit {
            file: "src/lib.rs",
            old: "    let l = char::from(*cloned_iter.next()?).to_digit(16)?;\n",
            new: "    let l = char::from(*iter.clone().next()?).to_digit(16)?;\n",
        }],
        test: "tests::percent_decode",
        added: None,
    },
    Seeded {
        name: "percent-encoding, off by one",
        package: "percent-encoding",
        version: "2.3.2",
        slip: "the percent sign is not counted",
        edits: &[
            Edit {
                file: "src/lib.rs",
                old: "                let unchanged_bytes_len = initial_bytes.len() - bytes_iter.len() - 3;\n",
                new: "                let unchanged_bytes_len = initial_bytes.len() - bytes_iter.len() - 2;\n",
            },
            Edit {
                file: "src/lib.rs",
                old: "        if self.bytes.is_empty() {\n            (0, Some(0))\n        } else {\n            (1, Some(self.bytes.len()))\n        }\n",
                new: "        let bytes = self.bytes.len();\n        (bytes.min(1), Some(bytes))\n",
            },
        ],
        test: "tests::percent_decode_str",
        added: None,
    },
    Seeded {
        name: "strsim, stale value",
        package: "strsim",
        version: "0.11.1",
        slip: "what is about to be stored is kept instead of what was stored",
        edits: &[
            Edit {
                file: "src/lib.rs",
                old: "            distance_b = cache[j];\n            result = min(result + 1, min(distance_a, distance_b + 1));\n            cache[j] = result;\n",
                new: "            result = min(result + 1, min(distance_a, cache[j] + 1));\n            distance_b = result;\n            cache[j] = result;\n",
            },
            Edit {
                file: "src/lib.rs",
                old: "    if a.is_empty() && b.is_empty() {\n        return 1.0;\n    }\n    1.0 - (levenshtein(a, b) as f64) / (a.chars().count().max(b.chars().count()) as f64)\n",
                new: "    match max(a.chars().count(), b.chars().count()) {\n        0 => 1.0,\n        longest => 1.0 - (levenshtein(a, b) as f64) / (longest as f64),\n    }\n",
            },
        ],
        test: "levenshtein_works",
        added: None,
    },
    Seeded {
        name: "strsim, forgotten update",
        package: "strsim",
        version: "0.11.1",
        slip: "the previous character is not kept any more",
        edits: &[Edit {
            file: "src/lib.rs",
            old: "        prev_a_char = a_char;\n    }\n\n    // access",
            new: "    }\n\n    // access",
        }],
        test: "tests::osa_distance_beginning_transposition",
        added: None,
    },
    Seeded {
        name: "strsim, wrong early return",
        package: "strsim",
        version: "0.11.1",
        slip: "the end of one sequence is taken for the end of both",
        edits: &[Edit {
            file: "src/lib.rs",
            old: "            (None, None) => return Ok(count),\n",
            new: "            (None, _) => return Ok(count),\n",
        }],
        test: "two_lengths",
        added: Some((
            "tests/lengths.rs",
            "#[test]\nfn two_lengths() {\n    assert_eq!(strsim::hamming(\"ham\", \"hat\").ok(), Some(1));\n    assert!(strsim::hamming(\"ham\", \"hammer\").is_err());\n}\n",
        )),
    },
    Seeded {
        name: "heck, forgotten update",
        package: "heck",
        version: "0.5.0",
        slip: "where the next word begins is not kept in one of two cases",
        edits: &[
            Edit {
                file: "src/lib.rs",
                old: "                    with_word(&word[init..i], f)?;\n                    init = i;\n",
                new: "                    with_word(&word[init..i], f)?;\n",
            },
            Edit {
                file: "src/lib.rs",
                old: "    let mut chars = s.chars().peekable();\n    while let Some(c) = chars.next() {\n        if c == 'Σ' && chars.peek().is_none() {\n",
                new: "    let mut chars = s.chars();\n    while let Some(c) = chars.next() {\n        if c == 'Σ' && chars.as_str().is_empty() {\n",
            },
        ],
        test: "snake::tests::test10",
        added: None,
    },
    Seeded {
        name: "unit-prefix, boundary",
        package: "unit-prefix",
        version: "0.5.2",
        slip: "a whole unit is not reached by being equal to it",
        edits: &[Edit {
            file: "src/lib.rs",
            old: "        while amount >= kilo && prefix < 8 {\n",
            new: "        while amount > kilo && prefix < prefixes.len() {\n",
        }],
        test: "test::decimal_1000",
        added: None,
    },
    Seeded {
        name: "humantime, missing else",
        package: "humantime",
        version: "2.4.0",
        slip: "what was said of zeros at the beginning is said of all",
        edits: &[
            Edit {
                file: "src/duration.rs",
                old: "                    if !zeros {\n                        numerator = numerator.checked_mul(10).ok_or(Error::NumberOverflow)?;\n                    }\n",
                new: "                    if zeros {\n                        continue;\n                    }\n",
            },
            Edit {
                file: "src/duration.rs",
                old: "        match self % other {\n            0 => Ok(self / other),\n            _ => Err(Error::NumberOverflow),\n        }\n",
                new: "        if self % other != 0 {\n            return Err(Error::NumberOverflow);\n        }\n        Ok(self / other)\n",
            },
        ],
        test: "fractions_with_zeros",
        added: Some((
            "tests/fractions.rs",
            "use std::time::Duration;\n\n#[test]\nfn fractions_with_zeros() {\n    assert_eq!(humantime::parse_duration(\"3.1us\"), Ok(Duration::new(0, 3100)));\n    assert_eq!(humantime::parse_duration(\"3.10us\"), Ok(Duration::new(0, 3100)));\n}\n",
        )),
    },
    Seeded {
        name: "humantime, wrong unit",
        package: "humantime",
        version: "2.4.0",
        slip: "a short name that two units share is given to the wrong one",
        edits: &[
            Edit {
                file: "src/duration.rs",
                old: "            \"minutes\" | \"minute\" | \"min\" | \"mins\" | \"m\" => Ok(Self::Minute),\n",
                new: "            \"minutes\" | \"minute\" | \"min\" | \"mins\" => Ok(Self::Minute),\n",
            },
            Edit {
                file: "src/duration.rs",
                old: "            \"months\" | \"month\" | \"M\" => Ok(Self::Month),\n",
                new: "            \"months\" | \"month\" | \"M\" | \"m\" => Ok(Self::Month),\n",
            },
        ],
        test: "minutes",
        added: Some((
            "tests/minutes.rs",
            "use std::time::Duration;\n\n#[test]\nfn minutes() {\n    assert_eq!(humantime::parse_duration(\"2h 15m\"), Ok(Duration::new(8100, 0)));\n}\n",
        )),
    },
    Seeded {
        name: "humantime, dropped check",
        package: "humantime",
        version: "2.4.0",
        slip: "of two bounds one is left",
        edits: &[
            Edit {
                file: "src/date.rs",
                old: "    if day > mdays || day == 0 {\n",
                new: "    if day > mdays {\n",
            },
            Edit {
                file: "src/date.rs",
                old: "    ydays += day - 1;\n    if leap && month > 2 {\n        ydays += 1;\n    }\n",
                new: "    if leap && month > 2 {\n        ydays += 1;\n    }\n    ydays = (ydays + day).saturating_sub(1);\n",
            },
        ],
        test: "no_day_is_the_zeroth",
        added: Some((
            "tests/days.rs",
            "#[test]\nfn no_day_is_the_zeroth() {\n    assert!(humantime::parse_rfc3339(\"1970-01-01T00:00:00Z\").is_ok());\n    assert!(humantime::parse_rfc3339(\"1970-01-00T00:00:00Z\").is_err());\n}\n",
        )),
    },
    Seeded {
        name: "textwrap, wrong condition",
        package: "textwrap",
        version: "0.16.4",
        slip: "lines of white space alone shorten the prefix",
        edits: &[
            Edit {
                file: "src/indentation.rs",
                old: "        if whitespace_idx < line.len() && whitespace_idx < prefix.len() {\n",
                new: "        if whitespace_idx <= line.len() && whitespace_idx < prefix.len() {\n",
            },
            Edit {
                file: "src/indentation.rs",
                old: "    if result.ends_with('\\n') && !s.ends_with('\\n') {\n        let new_len = result.len() - 1;\n        result.truncate(new_len);\n    }\n",
                new: "    if result.ends_with('\\n') && !s.ends_with('\\n') {\n        result.pop();\n    }\n",
            },
        ],
        test: "blank_lines_are_no_measure",
        added: Some((
            "tests/blank.rs",
            "#[test]\nfn blank_lines_are_no_measure() {\n    assert_eq!(textwrap::dedent(\"  a\\n\\n  b\"), \"a\\n\\nb\");\n}\n",
        )),
    },
];
