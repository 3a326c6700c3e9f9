//! `std::path`: what separates the parts of one. Paths themselves are not modelled.

pub fn is_separator(c: char) -> bool {
    c == '/' || (cfg!(windows) && c == '\\')
}
