/// `7%` is 7.
pub fn percent(text: &str) -> Option<u8> {
    let digits = text.strip_suffix('%')?;
    small(digits)
}

fn small(digits: &str) -> Option<u8> {
    let mut value = 0;
    for digit in digits.bytes() {
        if !digit.is_ascii_digit() || value > 9 {
            return None;
        }
        value = value * 10 + (digit - b'0');
    }
    Some(value)
}

pub fn half(x: u16) -> u16 {
    x / 2
}

pub fn quarter(x: u16) -> u16 {
    half(half(x))
}
