//! Texts that say where a crate lies.
//!
//! *Idea.* `env!("CARGO_MANIFEST_DIR")`, `OUT_DIR` and the like put the place of a version's copy into its text. Both versions lie at one place in the
//! hands of their user, and at two while they are compared. So these folders get one name in what the compiler printed: what differs by nothing else is the same.
//! A constant with such a name has no value that is known, for nobody knows the user's place: it is refused where it is executed.
//!
//! *Limit.* A constant that is printed as a number or as raw memory keeps what was computed from the place.

/// In the place of the folder of the version.
const TREE: &str = "/<where the crate lies>";
/// In the place of the folder that cargo builds in.
const BUILD: &str = "/<where the crate is built>";

/// The text with both folders renamed; none if it mentions neither. Places of statements keep their names, for they are shown.
pub fn with_places_hidden(text: &str, tree: &str, build: &str) -> Option<String> {
    let without_tree = hidden(text, tree, TREE);
    let without_build = hidden(without_tree.as_deref().unwrap_or(text), build, BUILD);
    without_build.or(without_tree)
}

fn hidden(text: &str, folder: &str, name: &str) -> Option<String> {
    if folder.is_empty() {
        return None;
    }
    let mut pieces = text.split(folder);
    let mut renamed = pieces.next().unwrap_or_default().to_owned();
    let mut found = None;
    for piece in pieces {
        let shown = if ends_before_a_place(&renamed) { folder } else { found.insert(name) };
        renamed.push_str(shown);
        renamed.push_str(piece);
    }
    found.map(|_| renamed)
}

/// Whether the place of a statement or of an implementation follows: the compiler writes `scope 0 at` or `<impl at` before it.
fn ends_before_a_place(text: &str) -> bool {
    let Some(before) = text.strip_suffix(" at ") else { return false };
    let not_the_number = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
    before.ends_with("<impl") || (not_the_number.ends_with("scope ") && not_the_number.len() < before.len())
}

/// Whether a text of a program says where the crate lies.
pub fn names_a_place(text: &str) -> bool {
    text.contains(TREE) || text.contains(BUILD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_renamed_where_they_are_no_place_of_a_statement() {
        let text = "const \"/t/old/x\"; // scope 0 at /t/old/d/src/lib.rs:1:1\nb\"/b/old/out\"";
        let expected = "const \"/<where the crate lies>/x\"; // scope 0 at /t/old/d/src/lib.rs:1:1\n\
                        b\"/<where the crate is built>/out\"";
        assert_eq!(with_places_hidden(text, "/t/old", "/b/old").as_deref(), Some(expected));
        assert!(names_a_place(expected) && !names_a_place(text));
        assert_eq!(with_places_hidden(text, "/else", ""), None);
        assert_eq!(with_places_hidden("// scope 2 at /t/old/a:1", "/t/old", "/b"), None);
        let found = with_places_hidden("\"found at /t/old\"", "/t/old", "/b");
        assert_eq!(found.as_deref(), Some("\"found at /<where the crate lies>\""));
    }
}
