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
    fn everything_else_stays() {
        check("other::hex::decode", "other::hex::decode");
        check("hexagon::area", "hexagon::area");
        check("myhex::decode", "myhex::decode");
        check("hex", "hex");
        check("u32::wrapping_add", "u32::wrapping_add");
        assert_eq!(without_crate("a::b", ""), "a::b");
    }
}
