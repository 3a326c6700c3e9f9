//! `memchr` 2: searches for one of up to three bytes, from the front or from the back.
//!
//! All of the crate's searches for single bytes and all of its iterators go through the six functions on pointers, in releases from 2.6 on; before, through those on
//! slices. The former give none where the end is not behind the start.

unsafe fn first(start: *const u8, end: *const u8, is_it: impl Fn(u8) -> bool) -> Option<*const u8> {
    let len = unsafe { end.offset_from(start) };
    let mut at = 0isize;
    while at < len {
        let here = unsafe { start.offset(at) };
        if is_it(unsafe { *here }) {
            return Some(here);
        }
        at = at.wrapping_add(1);
    }
    None
}

unsafe fn last(start: *const u8, end: *const u8, is_it: impl Fn(u8) -> bool) -> Option<*const u8> {
    let mut at = unsafe { end.offset_from(start) };
    while at > 0 {
        at = at.wrapping_sub(1);
        let here = unsafe { start.offset(at) };
        if is_it(unsafe { *here }) {
            return Some(here);
        }
    }
    None
}

pub unsafe fn memchr_raw(needle: u8, start: *const u8, end: *const u8) -> Option<*const u8> {
    unsafe { first(start, end, |byte| byte == needle) }
}

pub unsafe fn memchr2_raw(needle1: u8, needle2: u8, start: *const u8, end: *const u8) -> Option<*const u8> {
    unsafe { first(start, end, |byte| byte == needle1 || byte == needle2) }
}

pub unsafe fn memchr3_raw(
    needle1: u8,
    needle2: u8,
    needle3: u8,
    start: *const u8,
    end: *const u8,
) -> Option<*const u8> {
    unsafe { first(start, end, |byte| byte == needle1 || byte == needle2 || byte == needle3) }
}

pub unsafe fn memrchr_raw(needle: u8, start: *const u8, end: *const u8) -> Option<*const u8> {
    unsafe { last(start, end, |byte| byte == needle) }
}

pub unsafe fn memrchr2_raw(needle1: u8, needle2: u8, start: *const u8, end: *const u8) -> Option<*const u8> {
    unsafe { last(start, end, |byte| byte == needle1 || byte == needle2) }
}

pub unsafe fn memrchr3_raw(
    needle1: u8,
    needle2: u8,
    needle3: u8,
    start: *const u8,
    end: *const u8,
) -> Option<*const u8> {
    unsafe { last(start, end, |byte| byte == needle1 || byte == needle2 || byte == needle3) }
}

fn first_of(haystack: &[u8], is_it: impl Fn(u8) -> bool) -> Option<usize> {
    let mut at = 0usize;
    while at < haystack.len() {
        if is_it(haystack[at]) {
            return Some(at);
        }
        at = at.wrapping_add(1);
    }
    None
}

fn last_of(haystack: &[u8], is_it: impl Fn(u8) -> bool) -> Option<usize> {
    let mut at = haystack.len();
    while at > 0 {
        at = at.wrapping_sub(1);
        if is_it(haystack[at]) {
            return Some(at);
        }
    }
    None
}

pub fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> {
    first_of(haystack, |byte| byte == needle)
}

pub fn memchr2(needle1: u8, needle2: u8, haystack: &[u8]) -> Option<usize> {
    first_of(haystack, |byte| byte == needle1 || byte == needle2)
}

pub fn memchr3(needle1: u8, needle2: u8, needle3: u8, haystack: &[u8]) -> Option<usize> {
    first_of(haystack, |byte| byte == needle1 || byte == needle2 || byte == needle3)
}

pub fn memrchr(needle: u8, haystack: &[u8]) -> Option<usize> {
    last_of(haystack, |byte| byte == needle)
}

pub fn memrchr2(needle1: u8, needle2: u8, haystack: &[u8]) -> Option<usize> {
    last_of(haystack, |byte| byte == needle1 || byte == needle2)
}

pub fn memrchr3(needle1: u8, needle2: u8, needle3: u8, haystack: &[u8]) -> Option<usize> {
    last_of(haystack, |byte| byte == needle1 || byte == needle2 || byte == needle3)
}
