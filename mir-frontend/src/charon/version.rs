//! The versions of Charon whose output was seen, and the order between them.

pub const OLDEST: &str = "0.1.208";
pub const NEWEST: &str = "0.1.240";

/// How a version relates to those that are known to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Between the oldest and the newest that was seen.
    Supported,
    /// Newer, older or not a version: it is tried.
    Untried,
}

pub fn known(version: &str) -> Known {
    let (Some(version), Some(oldest), Some(newest)) = (numbers(version), numbers(OLDEST), numbers(NEWEST))
    else {
        return Known::Untried;
    };
    if (oldest..=newest).contains(&version) { Known::Supported } else { Known::Untried }
}

/// Whether the version knows `--consts`, which came with 0.1.219.
pub fn evaluates_constants(version: &str) -> bool {
    numbers(version).is_some_and(|version| version >= [0, 1, 219])
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.trim().split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(known("0.1.208"), Known::Supported);
        assert_eq!(known("0.1.219"), Known::Supported);
        assert_eq!(known("0.1.99"), Known::Untried);
        assert_eq!(known("0.2.1"), Known::Untried);
        assert_eq!(known("nightly"), Known::Untried);
        assert!(!evaluates_constants("0.1.208"));
        assert!(evaluates_constants("0.1.240"));
    }
}
