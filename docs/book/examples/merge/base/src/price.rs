pub fn price(item: u8) -> u32 {
    u32::from(item) + 1
}
