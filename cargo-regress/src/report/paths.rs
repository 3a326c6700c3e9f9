//! How functions are named in a report.

/// The canonical path without the name of the crate, wherever it starts a path in it. For reports on one crate, in which
/// the name says nothing.
pub fn without_crate(path: &str, crate_name: &str) -> String {
    let prefix = format!("{crate_name}::");
    let mut result = String::with_capacity(path.len());
    let mut copied = 0;
    for (at, _) in path.match_indices(&prefix) {
        let goes_on = |last: char| matches!(last, ':' | '#' | '_') || last.is_alphanumeric();
        if !crate_name.is_empty() && !path[..at].ends_with(goes_on) {
            result.push_str(&path[copied..at]);
            copied = at + prefix.len();
        }
    }
    result.push_str(&path[copied..]);
    result
}

/// Which of the functions `name` means, by their places: those with this path, or else those whose path ends with it. Each function has two
/// paths: as reports show it, and with the name of its crate.
pub fn meant<'p>(name: &str, paths: impl IntoIterator<Item = [&'p str; 2]>) -> Vec<usize> {
    let (mut exact, mut by_end) = (Vec::new(), Vec::new());
    for (place, [shown, whole]) in paths.into_iter().enumerate() {
        if shown == name || whole == name {
            exact.push(place);
        } else if shown.strip_suffix(name).is_some_and(|before| before.ends_with("::")) {
            by_end.push(place);
        }
    }
    if exact.is_empty() { by_end } else { exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(without_crate(path, "hex"), expected, "{path}");
    }

    #[test]
    fn the_crate_is_dropped_where_a_path_starts() {
        check("hex::decode", "decode");
        check("hex::module::Type::method", "module::Type::method");
        check("<hex::Error as std::fmt::Display>::fmt", "<Error as std::fmt::Display>::fmt");
        check("<T as hex::ToHex>::encode", "<T as ToHex>::encode");
        check(
            "<&mut [hex::Digit] as std::convert::From<hex::hex::X>>::from",
            "<&mut [Digit] as std::convert::From<hex::X>>::from",
        );
        check("hex::decode::{closure#0}", "decode::{closure#0}");
    }

    #[test]
    fn a_name_is_a_path_or_its_end() {
        let paths = [
            ["decode", "hex::decode"],
            ["fast::decode", "hex::fast::decode"],
            ["fast::encode", "hex::fast::encode"],
        ];
        for (name, expected) in [
            ("decode", &[0][..]),
            ("fast::decode", &[1]),
            ("hex::fast::encode", &[2]),
            ("encode", &[2]),
            ("code", &[]),
            ("", &[]),
        ] {
            assert_eq!(meant(name, paths), expected, "{name}");
        }
        assert_eq!(meant("decode", [["a::decode", "k::a::decode"], ["b::decode", "k::b::decode"]]), [0, 1]);
    }

    #[test]
    fn everything_else_stays() {
        check("other::hex::decode", "other::hex::decode");
        check("hexagon::area", "hexagon::area");
        check("myhex::decode", "myhex::decode");
        check("hex", "hex");
        check("u32::wrapping_add", "u32::wrapping_add");
        assert_eq!(without_crate("a::b", ""), "a::b");
    }
}
