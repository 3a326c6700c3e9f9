//! Whether a crate asks if it is being documented (`cfg(doc)`).
//!
//! Types are known from what rustdoc says of them, and rustdoc sets `doc`. Where sources ask for it, the types of the build may be others.
//!
//! *Not handled.* A `doc` that a procedural macro writes. What stands in comments and texts counts.

use std::fs;

use camino::Utf8Path;

/// Folders that hold no sources of the library.
const OTHERS: [&str; 5] = ["target", ".git", "tests", "examples", "benches"];
/// Folders nested deeper than this are not looked into.
const MAX_DEPTH: usize = 16;

/// Whether any source file in the folder of a package does.
pub(super) fn asks_for_doc(folder: &Utf8Path) -> bool {
    asks_within(folder, 0)
}

fn asks_within(folder: &Utf8Path, depth: usize) -> bool {
    let Ok(entries) = folder.read_dir_utf8() else { return false };
    entries.flatten().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => {
            depth < MAX_DEPTH && !OTHERS.contains(&entry.file_name()) && asks_within(entry.path(), depth + 1)
        }
        Ok(_) if entry.path().extension() == Some("rs") => {
            fs::read_to_string(entry.path()).is_ok_and(|text| asks(&text))
        }
        _ => false,
    })
}

fn asks(text: &str) -> bool {
    text.match_indices("cfg").any(|(at, _)| {
        let rest = text[at + "cfg".len()..].trim_start_matches(['_', '!']);
        let is_attribute = rest.starts_with("attr");
        let rest = rest.trim_start_matches("attr").trim_start();
        rest.strip_prefix('(').is_some_and(|rest| names_doc(within(rest), is_attribute))
    })
}

/// What stands up to the parenthesis that closes what was opened before.
fn within(text: &str) -> &str {
    let mut depth = 0u32;
    let end = text.find(|c| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        false
    });
    &text[..end.unwrap_or(text.len())]
}

/// Whether the condition has the bare word `doc`. That of an attribute ends at the first comma, and what only attributes of documentation depend on does not matter.
fn names_doc(inside: &str, is_attribute: bool) -> bool {
    let mut condition = inside;
    if is_attribute {
        let mut depth = 0u32;
        let comma = inside.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        let Some(comma) = comma else { return false };
        let attribute = inside[comma + 1..].trim_start();
        if ["doc", "allow", "feature", "warn", "deny"].iter().any(|name| attribute.starts_with(name)) {
            return false;
        }
        condition = &inside[..comma];
    }
    condition.split(['(', ')', ',']).any(|word| word.trim() == "doc")
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(asks(text), expected, "{text}");
    }

    #[test]
    fn the_bare_word_counts() {
        check("#[cfg(doc)] type W = u8;", true);
        check("#[cfg(not(doc))]", true);
        check("#[cfg( any(unix, doc) )]", true);
        check("if cfg!(doc) { 1 }", true);
        check("#[cfg_attr(doc, path = \"other.rs\")]", true);
        check("#[cfg_attr(any(doc, unix), repr(C))]", true);
    }

    #[test]
    fn what_only_shows_in_documentation_does_not() {
        check("#[cfg(docsrs)] #[cfg(doctest)]", false);
        check("#[cfg_attr(doc, doc = \"text\")] #![cfg_attr(doc, feature(doc_cfg))]", false);
        check("#[cfg_attr(docsrs, doc(cfg(feature = \"std\")))]", false);
        check("#[doc(hidden)] fn cfg(doc: u8) {} #[cfg(feature = \"doc\")]", false);
    }
}
