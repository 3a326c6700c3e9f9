pub fn odd_part(size: u32, verbose: bool) -> u32 {
    let mut level = 0;
    if verbose {
        level = 1;
    }
    if size > 8 {
        level = 2;
    }
    let _ = level;
    if size % 2 == 0 { 0 } else { size }
}
