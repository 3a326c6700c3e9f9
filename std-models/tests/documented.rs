//! Functions of other crates against what their documentation says, in the words of the standard library.

use std_models::documented::memchr::*;

/// All texts of up to four of three letters.
fn texts() -> Vec<Vec<u8>> {
    let mut found = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..4 {
        let until = found.len();
        for at in from..until {
            for letter in *b"abc" {
                let mut longer: Vec<u8> = found[at].clone();
                longer.push(letter);
                found.push(longer);
            }
        }
        from = until;
    }
    found
}

#[test]
fn bytes_are_found_from_both_ends() {
    for text in texts() {
        let first = |wanted: &[u8]| text.iter().position(|byte| wanted.contains(byte));
        let last = |wanted: &[u8]| text.iter().rposition(|byte| wanted.contains(byte));
        for (a, b, c) in [(b'a', b'b', b'c'), (b'c', b'x', b'b'), (b'x', b'y', b'a'), (b'b', b'b', b'x')] {
            assert_eq!(memchr(a, &text), first(&[a]), "{text:?}");
            assert_eq!(memchr2(a, b, &text), first(&[a, b]));
            assert_eq!(memchr3(a, b, c, &text), first(&[a, b, c]));
            assert_eq!(memrchr(a, &text), last(&[a]));
            assert_eq!(memrchr2(a, b, &text), last(&[a, b]));
            assert_eq!(memrchr3(a, b, c, &text), last(&[a, b, c]));
            let range = text.as_ptr_range();
            let (start, end) = (range.start, range.end);
            let at =
                |found: Option<*const u8>| found.map(|found| unsafe { found.offset_from(start) } as usize);
            unsafe {
                assert_eq!(at(memchr_raw(a, start, end)), first(&[a]));
                assert_eq!(at(memchr2_raw(a, b, start, end)), first(&[a, b]));
                assert_eq!(at(memchr3_raw(a, b, c, start, end)), first(&[a, b, c]));
                assert_eq!(at(memrchr_raw(a, start, end)), last(&[a]));
                assert_eq!(at(memrchr2_raw(a, b, start, end)), last(&[a, b]));
                assert_eq!(at(memrchr3_raw(a, b, c, start, end)), last(&[a, b, c]));
                // An end before the start.
                assert_eq!(memchr_raw(a, end, start), None);
                assert_eq!(memrchr_raw(a, end, start), None);
            }
        }
    }
}
