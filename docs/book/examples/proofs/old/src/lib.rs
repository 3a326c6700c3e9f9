pub fn clamp(x: i32) -> i32 {
    if x < 0 {
        0
    } else if x > 100 {
        100
    } else {
        x
    }
}

pub fn is_vowel(letter: char) -> bool {
    letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u'
}

pub fn commas(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b',').count()
}

pub fn total(prices: &[u32]) -> u64 {
    let mut sum = 0;
    for price in prices {
        sum += u64::from(*price);
    }
    sum
}

pub fn price(euros: f64) -> String {
    format!("{:.2}", euros)
}
