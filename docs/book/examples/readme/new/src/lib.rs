pub fn midpoint(a: u32, b: u32) -> u32 {
    (a + b) / 2
}

pub fn percent(x: i32) -> i32 {
    x.max(0).min(100)
}

pub fn fee(amount: u64) -> u64 {
    amount / 100
}
