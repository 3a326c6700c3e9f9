pub fn clamp(x: i32) -> i32 {
    x.max(0).min(100)
}

pub fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

pub fn commas(text: &str) -> usize {
    let mut count = 0;
    for byte in text.as_bytes() {
        if *byte == b',' {
            count += 1;
        }
    }
    count
}

pub fn total(prices: &[u32]) -> u64 {
    let mut total = 0;
    for price in prices.iter() {
        total += *price as u64;
    }
    total
}

pub fn price(euros: f64) -> String {
    format!("{euros:.*}", 2)
}
