//! Merges of published crates that git makes without a conflict, told beforehand which of them interact: `campaign merges`.
//!
//! Each merge is two edits of one release, stated as replacements. Half of them interact: on some call both branches and the release say what the merge should do,
//! and it does something else. What was expected is written here before anything is run; the command sees the edits only.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value as Json;

use crate::command::run;
use crate::real_crates::{lay, published};
use crate::repository::Repository;

/// Replaces a text that is in the file.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    pub file: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

const fn edit(file: &'static str, old: &'static str, new: &'static str) -> Edit {
    Edit { file, old, new }
}

/// What is expected of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The function whose path ends so does something else than the branches let one expect.
    Interacts(&'static str),
    /// It does not compile.
    DoesNotBuild,
    /// It does what they let one expect.
    Clean,
}

/// Two edits of one release.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    pub name: &'static str,
    /// Name and version.
    pub of: (&'static str, &'static str),
    pub ours: &'static [Edit],
    pub theirs: &'static [Edit],
    pub label: Label,
}

pub const MERGES: [Merge; 20] = [
    // One side changes what a helper takes or gives, and all callers; the other side has a new caller.
    Merge {
        name: "positions from one",
        of: ("hex", "0.4.3"),
        ours: &[
            edit("src/lib.rs", "            index: idx,\n", "            index: idx - 1,\n"),
            edit(
                "src/lib.rs",
                "Ok(val(pair[0], 2 * i)? << 4 | val(pair[1], 2 * i + 1)?)",
                "Ok(val(pair[0], 2 * i + 1)? << 4 | val(pair[1], 2 * i + 2)?)",
            ),
            edit(
                "src/lib.rs",
                "val(data[2 * i], 2 * i)? << 4 | val(data[2 * i + 1], 2 * i + 1)?",
                "val(data[2 * i], 2 * i + 1)? << 4 | val(data[2 * i + 1], 2 * i + 2)?",
            ),
        ],
        theirs: &[edit(
            "src/lib.rs",
            "    for (i, byte) in out.iter_mut().enumerate() {\n        *byte = val(",
            "    if let Some(last) = data.last() {\n        val(*last, data.len() - 1)?;\n    }\n\n    for (i, byte) in out.iter_mut().enumerate() {\n        *byte = val(",
        )],
        label: Label::Interacts("decode_to_slice"),
    },
    Merge {
        name: "greater, or equal",
        of: ("semver", "1.0.28"),
        ours: &[
            edit("src/eval.rs", "    ver.pre > cmp.pre\n", "    ver.pre >= cmp.pre\n"),
            edit(
                "src/eval.rs",
                "Op::Greater => matches_greater(cmp, ver),",
                "Op::Greater => matches_greater(cmp, ver) && !matches_exact(cmp, ver),",
            ),
        ],
        theirs: &[edit(
            "src/eval.rs",
            "Op::LessEq => matches_exact(cmp, ver) || matches_less(cmp, ver),",
            "Op::LessEq => !matches_greater(cmp, ver),",
        )],
        label: Label::Interacts("eval::matches_impl"),
    },
    Merge {
        name: "rows for columns",
        of: ("strsim", "0.11.1"),
        ours: &[
            edit("src/lib.rs", "    j * width + i\n", "    i * width + j\n"),
            edit("src/lib.rs", "    let width = a_len + 2;\n", "    let width = b_len + 2;\n"),
        ],
        theirs: &[edit(
            "src/lib.rs",
            "    distances[flat_index(a_len + 1, b_len + 1, width)]\n}",
            "    distances[(b_len + 1) * width + a_len + 1]\n}",
        )],
        label: Label::Interacts("generic_damerau_levenshtein"),
    },
    Merge {
        name: "a wider search that is now a fallback",
        of: ("strsim", "0.11.1"),
        ours: &[edit(
            "src/lib.rs",
            "search_range = search_range.saturating_sub(1);",
            "search_range = search_range.saturating_sub(1).max(1);",
        )],
        theirs: &[edit(
            "src/lib.rs",
            "    if a.len() < 2 || b.len() < 2 {\n        return 0.0;\n",
            "    if a.len() < 2 || b.len() < 2 {\n        return jaro(&a, &b);\n",
        )],
        label: Label::Interacts("sorensen_dice"),
    },
    Merge {
        name: "a longer excerpt in another message",
        of: ("bytesize", "2.7.0"),
        ours: &[edit("src/parse.rs", "const MAX_UNIT_LEN: usize = 3;", "const MAX_UNIT_LEN: usize = 6;")],
        theirs: &[edit(
            "src/parse.rs",
            "Err(error) => Err(format!(\"couldn't parse {value:?} into a ByteSize, {error}\")),",
            "Err(error) => Err(format!(\n                \"couldn't parse {:?} into a ByteSize, {error}\",\n                to_string_truncate(value)\n            )),",
        )],
        label: Label::Interacts("from_str"),
    },
    Merge {
        name: "the width of a tab",
        of: ("unicode-width", "0.2.3"),
        ours: &[edit(
            "src/lookup.rs",
            "            // U+0000 to U+0020 (exclusive) are control codes\n            None\n",
            "            // U+0000 to U+0020 (exclusive) are control codes\n            if c == '\\t' { Some(8) } else { None }\n",
        )],
        theirs: &[edit(
            "src/lib.rs",
            "        lookup::str_width(self.chars())\n",
            "        if self.is_ascii() {\n            return self.chars().filter_map(lookup::single_char_width).sum();\n        }\n        lookup::str_width(self.chars())\n",
        )],
        label: Label::Interacts("width"),
    },
    // One side changes what the other has stopped to call, or takes the ground from it.
    Merge {
        name: "lines that end otherwise, in comments",
        of: ("shlex", "2.0.1"),
        ours: &[edit(
            "src/bytes.rs",
            "if res == Some(b'\\n') { self.line_no += 1; }",
            "if let Some(b'\\n' | b'\\r') = res { self.line_no += 1; }",
        )],
        theirs: &[edit(
            "src/bytes.rs",
            "                        while let Some(ch2) = self.next_char() {\n                            if ch2 as char == '\\n' { break; }\n                        }\n",
            "                        if self.in_iter.any(|&ch2| ch2 == b'\\n') { self.line_no += 1; }\n",
        )],
        label: Label::Interacts("next"),
    },
    Merge {
        name: "percent signs are always encoded",
        of: ("percent-encoding", "2.3.2"),
        ours: &[edit(
            "src/ascii_set.rs",
            "!byte.is_ascii() || self.contains(byte)",
            "!byte.is_ascii() || byte == b'%' || self.contains(byte)",
        )],
        theirs: &[edit(
            "src/lib.rs",
            "                    if self.ascii_set.should_percent_encode(byte) {\n",
            "                    if !byte.is_ascii() || self.ascii_set.contains(byte) {\n",
        )],
        label: Label::Interacts("next"),
    },
    Merge {
        name: "which quotes are preferred",
        of: ("shlex", "2.0.1"),
        ours: &[edit(
            "src/bytes.rs",
            "    } else if prev_ok & SINGLE_QUOTED_OK != 0 {\n        QuotingStrategy::SingleQuoted\n    } else if prev_ok & DOUBLE_QUOTED_OK != 0 {\n        QuotingStrategy::DoubleQuoted\n",
            "    } else if prev_ok & DOUBLE_QUOTED_OK != 0 {\n        QuotingStrategy::DoubleQuoted\n    } else if prev_ok & SINGLE_QUOTED_OK != 0 {\n        QuotingStrategy::SingleQuoted\n",
        )],
        theirs: &[edit("src/bytes.rs", "        b'\\\\' => false,\n", "        b'\\\\' => true,\n")],
        label: Label::Interacts("quoting_strategy"),
    },
    Merge {
        name: "a parameter more, and a caller more",
        of: ("percent-encoding", "2.3.2"),
        ours: &[
            edit(
                "src/lib.rs",
                "fn after_percent_sign(iter: &mut slice::Iter<'_, u8>) -> Option<u8> {\n    let mut cloned_iter = iter.clone();\n    let h = char::from(*cloned_iter.next()?).to_digit(16)?;\n    let l = char::from(*cloned_iter.next()?).to_digit(16)?;\n",
                "fn after_percent_sign(iter: &mut slice::Iter<'_, u8>, radix: u32) -> Option<u8> {\n    let mut cloned_iter = iter.clone();\n    let h = char::from(*cloned_iter.next()?).to_digit(radix)?;\n    let l = char::from(*cloned_iter.next()?).to_digit(radix)?;\n",
            ),
            edit(
                "src/lib.rs",
                "after_percent_sign(&mut self.bytes)",
                "after_percent_sign(&mut self.bytes, 16)",
            ),
            edit(
                "src/lib.rs",
                "after_percent_sign(&mut bytes_iter)",
                "after_percent_sign(&mut bytes_iter, 16)",
            ),
        ],
        theirs: &[edit(
            "src/lib.rs",
            "impl<'a> PercentDecode<'a> {\n",
            "impl<'a> PercentDecode<'a> {\n    /// Whether the next byte is an encoded one.\n    pub fn begins_encoded(&self) -> bool {\n        let mut bytes = self.bytes.clone();\n        bytes.next() == Some(&b'%') && after_percent_sign(&mut bytes).is_some()\n    }\n\n",
        )],
        label: Label::DoesNotBuild,
    },
    // One side restates what it does, the other one changes something.
    Merge {
        name: "letters by their codes",
        of: ("hex", "0.4.3"),
        ours: &[edit("src/lib.rs", "b'A'..=b'F' => Ok(c - b'A' + 10),", "b'A'..=b'F' => Ok(c - 55),")],
        theirs: &[edit("src/lib.rs", "if data.len() / 2 != out.len() {", "if out.len() != data.len() / 2 {")],
        label: Label::Clean,
    },
    Merge {
        name: "carets on versions before the first",
        of: ("semver", "1.0.28"),
        ours: &[edit(
            "src/eval.rs",
            "    cmp.major == ver.major\n        && cmp.minor == Some(ver.minor)\n        && cmp.patch == Some(ver.patch)\n        && !cmp.pre.is_empty()\n",
            "    !cmp.pre.is_empty()\n        && cmp.major == ver.major\n        && cmp.minor == Some(ver.minor)\n        && cmp.patch == Some(ver.patch)\n",
        )],
        theirs: &[edit(
            "src/eval.rs",
            "            return ver.minor == minor;\n        }\n    };\n",
            "            return ver.minor >= minor;\n        }\n    };\n",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "costs and equal texts",
        of: ("strsim", "0.11.1"),
        ours: &[edit(
            "src/lib.rs",
            "            let cost = usize::from(a_elem != b_elem);\n            let distance_a",
            "            let cost = if a_elem == b_elem { 0 } else { 1 };\n            let distance_a",
        )],
        theirs: &[edit(
            "src/lib.rs",
            "    if a.is_empty() && b.is_empty() {\n        return 1.0;\n    }\n    1.0 - (levenshtein",
            "    if a == b {\n        return 1.0;\n    }\n    1.0 - (levenshtein",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "aliases and named numbers",
        of: ("humantime", "2.4.0"),
        ours: &[edit(
            "src/duration.rs",
            "\"months\" | \"month\" | \"M\" =>",
            "\"months\" | \"month\" | \"mo\" | \"M\" =>",
        )],
        theirs: &[edit(
            "src/duration.rs",
            "Unit::Week => (n.mul(86400 * 7)?, 0),\n            Unit::Month => (n.mul(2_630_016)?, 0), // 30.44d\n            Unit::Year => (n.mul(31_557_600)?, 0), // 365.25d\n        };\n        add_current(sec, nsec, out)?;\n\n        // add",
            "Unit::Week => (n.mul(604_800)?, 0),\n            Unit::Month => (n.mul(2_630_016)?, 0), // 30.44d\n            Unit::Year => (n.mul(31_557_600)?, 0), // 365.25d\n        };\n        add_current(sec, nsec, out)?;\n\n        // add",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "commas and room",
        of: ("shlex", "2.0.1"),
        ours: &[
            edit("src/bytes.rs", "'+' | '-' | '.' | '/' |", "'+' | ',' | '-' | '.' | '/' |"),
            edit("src/bytes.rs", "        ',' |\n", ""),
        ],
        theirs: &[edit(
            "src/bytes.rs",
            "            out.reserve(cur_chunk.len() + 2);\n            out.push(b'\"');\n",
            "            out.push(b'\"');\n",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "the rest is taken, bytes from 128",
        of: ("percent-encoding", "2.3.2"),
        ours: &[edit(
            "src/lib.rs",
            "                let unchanged_slice = self.bytes;\n                self.bytes = &[][..];\n",
            "                let unchanged_slice = core::mem::take(&mut self.bytes);\n",
        )],
        theirs: &[edit(
            "src/ascii_set.rs",
            "!byte.is_ascii() || self.contains(byte)",
            "byte >= 0x80 || self.contains(byte)",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "line ends and look-ups",
        of: ("unicode-width", "0.2.3"),
        ours: &[edit(
            "src/lookup.rs",
            "    lookup_width(c)\n}",
            "    let found = lookup_width(c);\n    found\n}",
        )],
        theirs: &[edit(
            "src/lookup.rs",
            "            '\\r' if next_info == WidthInfo::LINE_FEED => (0, WidthInfo::DEFAULT),\n",
            "            '\\r' => (0, WidthInfo::DEFAULT),\n",
        )],
        label: Label::Clean,
    },
    // Both sides change what one function does, each on inputs of its own.
    Merge {
        name: "longer prefixes, and nothing like nothing",
        of: ("strsim", "0.11.1"),
        ours: &[edit("src/lib.rs", "            .take(4)\n", "            .take(6)\n")],
        theirs: &[edit(
            "src/lib.rs",
            "    if a_len == 0 && b_len == 0 {\n        return 1.0;\n    } else if a_len == 0 || b_len == 0 {\n        return 0.0;\n    }\n\n    let mut search_range",
            "    if a_len == 0 || b_len == 0 {\n        return 0.0;\n    }\n\n    let mut search_range",
        )],
        label: Label::Clean,
    },
    Merge {
        name: "bytes by name, and numbers that are too large",
        of: ("bytesize", "2.7.0"),
        ours: &[edit(
            "src/parse.rs",
            "_ if unit.eq_ignore_ascii_case(\"b\") => Ok(Self::Byte),",
            "_ if unit.eq_ignore_ascii_case(\"b\") | unit.eq_ignore_ascii_case(\"byte\") => Ok(Self::Byte),",
        )],
        theirs: &[edit(
            "src/parse.rs",
            "Ok(n) => Ok(Self(n.saturating_mul(u.factor()))),",
            "Ok(n) => n.checked_mul(u.factor()).map(Self).ok_or_else(|| format!(\"{value:?} is too large\")),",
        )],
        label: Label::Clean,
    },
    // Nothing is reached by both.
    Merge {
        name: "what is read, and what is written",
        of: ("shlex", "2.0.1"),
        ours: &[edit(
            "src/bytes.rs",
            "'$' | '`' | '\"' | '\\\\' => { result.push(ch3); },",
            "'$' | '`' | '\"' | '\\\\' | '!' => { result.push(ch3); },",
        )],
        theirs: &[edit("src/bytes.rs", "        b'`' | b'$' => false,\n", "        b'`' => false,\n")],
        label: Label::Clean,
    },
];

/// A function that interacts.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub path: String,
    /// The first call that shows it.
    pub call: String,
    /// Whether it may run another one that does.
    pub is_outer: bool,
}

/// What was told of a merge.
#[derive(Clone, Debug)]
pub struct Told {
    pub merge: Merge,
    pub interactions: Vec<Interaction>,
    pub broken: bool,
    /// Functions without expectation, and those that were not judged.
    pub apart: usize,
    pub open: Vec<(String, String)>,
    pub functions: u64,
    pub inputs: u64,
    pub time: Duration,
}

/// Whether what was told is what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    AsExpected,
    Missed,
    False,
}

impl Told {
    pub fn end(&self) -> End {
        let is_any = self.broken || !self.interactions.is_empty();
        let is_told = match self.merge.label {
            Label::Clean => return if is_any { End::False } else { End::AsExpected },
            Label::DoesNotBuild => self.broken,
            Label::Interacts(function) => {
                self.interactions.iter().any(|found| found.path.ends_with(function))
            }
        };
        if is_told { End::AsExpected } else { End::Missed }
    }
}

impl Merge {
    /// Whether one of the texts is in the name of the merge or of the crate; always if there is no text.
    pub fn is_wanted(&self, only: &[String]) -> bool {
        let has = |text: &String| self.name.contains(text.as_str()) || self.of.0.contains(text.as_str());
        only.is_empty() || only.iter().any(has)
    }

    /// Makes both branches, has git merge them, which must do without a conflict, and judges the merge.
    pub fn judge(&self, target: &Path) -> anyhow::Result<Told> {
        let repository = Repository::new()?;
        lay(&repository, &published(&[self.of])?[self.of.0])?;
        repository.write(".gitignore", "/target\n")?;
        let base = repository.commit_all("as published")?;
        for (name, edits) in [("theirs", self.theirs), ("ours", self.ours)] {
            repository.begin_branch(name, base)?;
            for edit in edits {
                edit.make(repository.root()).with_context(|| format!("{}, {name}", self.name))?;
            }
            repository.commit_all(name)?;
        }
        let started = Instant::now();
        let target = target.join(self.of.0).to_string_lossy().into_owned();
        let args = ["--merge", "theirs", "--target-dir", &target, "--message-format", "json", "--quiet"];
        let run = run(repository.root(), &args);
        ensure!(matches!(run.code, Some(0 | 100)), "{}: {}", self.name, run.stderr);
        let document: Json = serde_json::from_str(&run.stdout)?;
        Ok(self.told(&document, started.elapsed()))
    }

    fn told(&self, document: &Json, time: Duration) -> Told {
        let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let all = list("interactions");
        let interactions = all
            .iter()
            .filter(|found| found["kind"] == "behaviour")
            .map(|found| Interaction {
                path: text(&found["path"]),
                call: text(&found["calls"][0]["call"]),
                is_outer: !found["through"].is_null(),
            })
            .collect();
        Told {
            merge: *self,
            interactions,
            broken: all.iter().any(|found| found["kind"] == "build"),
            apart: list("no_expectation").len(),
            open: list("not_judged").iter().map(|open| (text(&open["path"]), text(&open["text"]))).collect(),
            functions: document["counts"]["functions"].as_u64().unwrap_or_default(),
            inputs: document["counts"]["inputs"].as_u64().unwrap_or_default(),
            time,
        }
    }
}

impl Edit {
    fn make(&self, root: &Path) -> anyhow::Result<()> {
        let file = root.join(self.file);
        let text = fs::read_to_string(&file)?;
        ensure!(text.contains(self.old), "{}: there is no `{}`", self.file, self.old);
        fs::write(&file, text.replacen(self.old, self.new, 1))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_merges_interact() {
        let clean = MERGES.iter().filter(|merge| merge.label == Label::Clean).count();
        assert_eq!((clean, MERGES.len()), (10, 20));
        let mut names: Vec<&str> = MERGES.iter().map(|merge| merge.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), MERGES.len());
    }
}
