/// What so many items cost. Every tenth is free.
pub fn fee(items: u32) -> u32 {
    let items = items.min(1000);
    (items - items / 10) * 5
}

pub fn seats_left(capacity: u16, booked: u16) -> u16 {
    capacity.saturating_sub(booked)
}

pub fn is_weekend(day: u8) -> bool {
    if day == 6 {
        return true;
    }
    day == 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_items() {
        assert_eq!(fee(9), 45);
    }

    #[test]
    fn some_seats() {
        assert_eq!(seats_left(20, 3), 17);
    }

    #[test]
    fn overbooked() {
        assert_eq!(seats_left(2, 3), 0);
    }
}
