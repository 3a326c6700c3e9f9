//! Splitting at matches and listing matches.

use super::pattern::Pattern;
use super::{
    MatchIndices, Matches, RSplit, RSplitN, Split, SplitInclusive, SplitN, SplitTerminator, char_at,
    char_before, part,
};
use crate::iter::{DoubleEndedIterator, FusedIterator, Iterator};

/// What of a text is left to be split, and where to look for separators next from each end.
#[derive(Clone)]
pub struct Search<'a, P> {
    pub(crate) text: &'a str,
    pub(crate) pattern: P,
    /// The part not yet handed out.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Where the next match may start; none when there can be none.
    pub(crate) next: Option<usize>,
    /// Where the next match from the back may end.
    pub(crate) next_back: Option<usize>,
    pub(crate) finished: bool,
    /// What becomes of an empty part at the end of the text.
    pub(crate) trailing: Trailing,
}

#[derive(Clone)]
pub(crate) enum Trailing {
    Kept,
    Dropped,
}

impl<'a, P: Pattern> Search<'a, P> {
    pub(crate) fn new(text: &'a str, pattern: P, trailing: Trailing) -> Self {
        let len = text.len();
        Search {
            text,
            pattern,
            from: 0,
            to: len,
            next: Some(0),
            next_back: Some(len),
            finished: false,
            trailing,
        }
    }

    /// The next match from the front. What either end went past, found or not, the other does not look at again.
    fn separator(&mut self) -> Option<(usize, usize)> {
        let (start, end) = match (self.next, self.next_back) {
            (Some(from), Some(to)) => match self.pattern.find_within(self.text, from, to) {
                Some(found) => found,
                None => {
                    self.next = None;
                    return None;
                }
            },
            _ => return None,
        };
        self.next = next_search(self.text, start, end);
        Some((start, end))
    }

    /// The next match from the back.
    fn separator_back(&mut self) -> Option<(usize, usize)> {
        let (start, end) = match (self.next, self.next_back) {
            (Some(from), Some(to)) => match self.pattern.rfind_within(self.text, from, to) {
                Some(found) => found,
                None => {
                    self.next_back = None;
                    return None;
                }
            },
            _ => return None,
        };
        self.next_back = if start < end {
            Some(start)
        } else if start == 0 {
            None
        } else {
            Some(char_before(self.text.as_bytes(), start).1)
        };
        Some((start, end))
    }

    /// The last part, once.
    fn rest(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        self.finished = true;
        if self.from == self.to {
            if let Trailing::Dropped = self.trailing {
                return None;
            }
        }
        Some(part(self.text, self.from, self.to))
    }

    fn split(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        match self.separator() {
            Some((start, end)) => {
                let piece = part(self.text, self.from, start);
                self.from = end;
                Some(piece)
            }
            _ => self.rest(),
        }
    }

    fn split_inclusive(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        match self.separator() {
            Some((_, end)) => {
                let piece = part(self.text, self.from, end);
                self.from = end;
                Some(piece)
            }
            _ => self.rest(),
        }
    }

    fn split_back(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        if let Trailing::Dropped = self.trailing {
            self.trailing = Trailing::Kept;
            match self.split_back() {
                Some(piece) if piece.len() > 0 => return Some(piece),
                _ => {
                    if self.finished {
                        return None;
                    }
                }
            }
        }
        match self.separator_back() {
            Some((start, end)) => {
                let piece = part(self.text, end, self.to);
                self.to = start;
                Some(piece)
            }
            _ => self.rest(),
        }
    }

    /// The part at the end with the separator behind it, which is searched for before it.
    fn split_inclusive_back(&mut self) -> Option<&'a str> {
        if self.finished {
            return None;
        }
        if let Trailing::Dropped = self.trailing {
            self.trailing = Trailing::Kept;
            match self.split_inclusive_back() {
                Some(piece) if piece.len() > 0 => return Some(piece),
                _ => {
                    if self.finished {
                        return None;
                    }
                }
            }
        }
        match self.separator_back() {
            Some((_, end)) => {
                let piece = part(self.text, end, self.to);
                self.to = end;
                Some(piece)
            }
            _ => self.rest(),
        }
    }
}

/// Where to look after a match: an empty one is followed at the next character.
fn next_search(text: &str, start: usize, end: usize) -> Option<usize> {
    if start < end {
        Some(end)
    } else if end < text.len() {
        Some(char_at(text.as_bytes(), end).1)
    } else {
        None
    }
}

impl<'a, P: Pattern> Iterator for Split<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.search.split()
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for Split<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.search.split_back()
    }
}

impl<'a, P: Pattern> FusedIterator for Split<'a, P> {}

impl<'a, P: Pattern> Iterator for RSplit<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.search.split_back()
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for RSplit<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.search.split()
    }
}

impl<'a, P: Pattern> Iterator for SplitTerminator<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.search.split()
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for SplitTerminator<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.search.split_back()
    }
}

impl<'a, P: Pattern> Iterator for SplitInclusive<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.search.split_inclusive()
    }
}

impl<'a, P: Pattern> Iterator for SplitN<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        match self.left {
            0 => None,
            1 => {
                self.left = 0;
                self.search.rest()
            }
            _ => {
                self.left = self.left.wrapping_sub(1);
                self.search.split()
            }
        }
    }
}

impl<'a, P: Pattern> Iterator for RSplitN<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        match self.left {
            0 => None,
            1 => {
                self.left = 0;
                self.search.rest()
            }
            _ => {
                self.left = self.left.wrapping_sub(1);
                self.search.split_back()
            }
        }
    }
}

impl<'a, P: Pattern> Iterator for MatchIndices<'a, P> {
    type Item = (usize, &'a str);
    fn next(&mut self) -> Option<(usize, &'a str)> {
        match self.next {
            Some(from) => match self.pattern.find_within(self.text, from, self.text.len()) {
                Some((start, end)) => {
                    self.next = next_search(self.text, start, end);
                    Some((start, part(self.text, start, end)))
                }
                None => {
                    self.next = None;
                    None
                }
            },
            None => None,
        }
    }
}

impl<'a, P: Pattern> Iterator for Matches<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        match self.indices.next() {
            Some((_, found)) => Some(found),
            None => None,
        }
    }
}

impl<'a, P: Pattern> DoubleEndedIterator for SplitInclusive<'a, P> {
    fn next_back(&mut self) -> Option<&'a str> {
        self.search.split_inclusive_back()
    }
}
