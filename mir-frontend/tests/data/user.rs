use dep::{Shown, Thing};
pub fn make(x: u8) -> Thing { Thing::new(dep::assist(x)) }
pub fn show(t: &Thing<u16>) -> u8 { t.twice() + t.len() as u8 }
pub struct Holder { pub thing: Thing }
