mod inner {
    #[derive(Clone, Copy, PartialEq)]
    pub struct Thing<T = u8> { pub a: T, b: [u8; LEN] }
    const LEN: usize = 1 + 2;
    impl<T> Thing<T> { pub fn new(a: T) -> Self { Thing { a, b: [0; LEN] } } pub const fn len(&self) -> usize { self.b.len() } }
    pub fn helper(x: u8) -> u8 { x }
    pub trait Shown { fn shown(&self) -> u8; fn twice(&self) -> u8 { self.shown() * 2 } }
    impl<T> Shown for Thing<T> { fn shown(&self) -> u8 { self.b[0] } }
}
pub use inner::{helper as assist, Shown, Thing};
